//! Playouts of Gomoku that sample moves by the strength of their line shapes.
//!
//! **Policy.** A five is made, and else a five of the opponent prevented, without a draw (decisive
//! moves, Teytaud & Teytaud 2010). Otherwise a point is drawn with probability proportional to
//!
//! > (γ(made) · γ(taken))^(1/temperature)
//!
//! The playout ends with a five, or drawn on a full board.
//!
//! **Speed.** The strengths of all points are kept for both players; a stone changes those up to five
//! points away on its four lines, 40 at most. Nothing is allocated.

use super::features::{MADE, TAKEN, key};
use crate::gomoku::playout::Lines;
use crate::gomoku::shape::{Shape, Shapes};
use crate::gomoku::{Gomoku, Point};
use crate::in_a_row::{DIRECTIONS, LARGEST, REACH};
use crate::sampler::{Both, Sampler, weight};
use std::sync::Arc;
use tesuji_core::{ByTemperature, Feature, Gammas, Outcome, PatternPlayout, Player, Position, RecordMoves, Rng};

/// Points of the largest board with a rim of one.
const PADDED: usize = (LARGEST + 2) * (LARGEST + 2);
const ROWS: usize = LARGEST + 2;
const KEYS: usize = Shape::COUNT * Shape::COUNT;
/// Keys from here on contain a five.
const FIVE: u32 = Shape::Five as u32 * Shape::COUNT as u32;

/// The strengths at one temperature, by the keys of what is made and of what is taken.
struct Tables {
    weights: Box<[[u32; KEYS]; KEYS]>,
}

impl Tables {
    fn new(gammas: &Gammas, temperature: f64) -> Tables {
        let of = |group: u8, key: usize| gammas.tempered(Feature::new(group, key as u32), temperature);
        let mut weights = Box::new([[0; KEYS]; KEYS]);
        for (made, row) in weights.iter_mut().enumerate() {
            for (taken, entry) in row.iter_mut().enumerate() {
                *entry = weight(of(MADE, made) * of(TAKEN, taken));
            }
        }
        Tables { weights }
    }

    /// The tables of a temperature, which are kept.
    fn of(gammas: &'static Gammas, temperature: f64) -> Arc<Tables> {
        static KEPT: ByTemperature<Tables> = ByTemperature::new();
        KEPT.of(temperature, || Tables::new(gammas, temperature))
    }
}

/// Playouts of Gomoku by learned patterns.
pub struct GomokuPlayout {
    tables: Arc<Tables>,
    state: Box<State>,
}

impl GomokuPlayout {
    /// Playouts by the strengths that are built in.
    pub(super) fn new(gammas: &'static Gammas, temperature: f64) -> GomokuPlayout {
        GomokuPlayout { tables: Tables::of(gammas, temperature), state: Box::new(State::new()) }
    }
}

impl PatternPlayout<Gomoku> for GomokuPlayout {
    fn play(&mut self, position: &mut Gomoku, rng: &mut Rng, record: Option<&mut RecordMoves<Point>>) -> Outcome {
        match position.outcome() {
            Some(outcome) => outcome,
            None => self.state.run(&self.tables, position, rng, record),
        }
    }

    fn fork(&self) -> Box<dyn PatternPlayout<Gomoku>> {
        Box::new(GomokuPlayout { tables: self.tables.clone(), state: Box::new(State::new()) })
    }
}

/// What is kept up to date during a playout.
struct State {
    sampler: Sampler<PADDED, ROWS>,
    /// By point: which players would make a five there, a bit each.
    fives: [u8; PADDED],
    /// Points at which each player would make a five.
    five_count: [u32; 2],
}

impl State {
    fn new() -> State {
        State { sampler: Sampler::new(), fives: [0; PADDED], five_count: [0; 2] }
    }

    fn run(
        &mut self,
        tables: &Tables,
        position: &mut Gomoku,
        rng: &mut Rng,
        mut record: Option<&mut RecordMoves<Point>>,
    ) -> Outcome {
        let shapes = Player::BOTH.map(|player| Shapes::of(position.rule().five(player)));
        let mut lines = Lines::new(&position.stones);
        self.begin(tables, position, &lines, shapes);
        let size = position.size();
        let stride = size + 2;
        let mut player = position.turn();
        loop {
            let wins = self.five_count[player.index()] > 0;
            let chosen = if wins {
                self.five_of(player, size)
            } else if self.five_count[player.other().index()] > 0 {
                self.five_of(player.other(), size)
            } else {
                self.sampler.begin();
                self.sampler.draw(player, stride, rng)
            };
            let Some(index) = chosen else { return Outcome::DRAW };
            let point = Point::new((index % stride - 1) as u8, (index / stride - 1) as u8);
            if let Some(record) = &mut record {
                record.0.push((player, point));
            }
            if wins {
                return Outcome::won_by(player);
            }
            position.stones.put(point, player);
            lines.put(point, player);
            self.put(tables, position, &lines, shapes, point);
            player = player.other();
        }
    }

    /// The first point at which a player would make a five.
    #[cold]
    fn five_of(&self, player: Player, size: usize) -> Option<usize> {
        let stride = size + 2;
        let bit = 1 << player.index();
        (1..=size).flat_map(|row| row * stride + 1..=row * stride + size).find(|index| self.fives[*index] & bit != 0)
    }

    /// Computes everything for a position.
    fn begin(&mut self, tables: &Tables, position: &Gomoku, lines: &Lines, shapes: [&Shapes; 2]) {
        let stride = position.size() + 2;
        self.sampler.clear();
        self.five_count = [0; 2];
        for point in position.stones.points() {
            let row = point.row() + 1;
            let index = row * stride + point.column() + 1;
            self.fives[index] = 0;
            let is_empty = position.stones.is_empty(point);
            let (weights, fives) = if is_empty { weigh(tables, lines, shapes, point) } else { (Both::NONE, 0) };
            self.sampler.write(row, index, weights);
            self.mark(index, fives);
        }
    }

    #[inline(always)]
    fn mark(&mut self, index: usize, fives: u8) {
        for player in 0..2 {
            let (old, new) = (self.fives[index] >> player & 1, fives >> player & 1);
            self.five_count[player] = self.five_count[player] + u32::from(new) - u32::from(old);
        }
        self.fives[index] = fives;
    }

    /// A stone was placed: its point and those that see it.
    #[inline(always)]
    fn put(&mut self, tables: &Tables, position: &Gomoku, lines: &Lines, shapes: [&Shapes; 2], point: Point) {
        let size = position.size();
        let stride = size + 2;
        let (column, row) = (point.column(), point.row());
        let index = (row + 1) * stride + column + 1;
        self.sampler.set(row + 1, index, Both::NONE);
        self.mark(index, 0);
        for (across, up) in DIRECTIONS {
            for sign in [1, -1] {
                for steps in 1..=REACH as isize {
                    let column = column.wrapping_add_signed(sign * steps * across);
                    let row = row.wrapping_add_signed(sign * steps * up);
                    if column >= size || row >= size {
                        break;
                    }
                    let point = Point::new(column as u8, row as u8);
                    if position.stones.is_empty(point) {
                        let index = (row + 1) * stride + column + 1;
                        let (weights, fives) = weigh(tables, lines, shapes, point);
                        self.sampler.set(row + 1, index, weights);
                        self.mark(index, fives);
                    }
                }
            }
        }
    }
}

/// The strengths of an empty point for both players, and which of them would make a five.
#[inline(always)]
fn weigh(tables: &Tables, lines: &Lines, shapes: [&Shapes; 2], point: Point) -> (Both, u8) {
    let [black, white] = Player::BOTH.map(|player| key(lines.shapes(player, point, shapes[player.index()])));
    let weights = [tables.weights[black as usize][white as usize], tables.weights[white as usize][black as usize]];
    (Both::new(weights), u8::from(black >= FIVE) | u8::from(white >= FIVE) << 1)
}

#[cfg(test)]
mod tests {
    use super::{State, Tables};
    use crate::gomoku::patterns::{GomokuFeatures, GomokuPlayout, PLAYOUT_FEATURES};
    use crate::gomoku::playout::Lines;
    use crate::gomoku::shape::Shapes;
    use crate::gomoku::{Gomoku, Rule};
    use crate::sampler::{UNIT, weight};
    use std::sync::LazyLock;
    use tesuji_core::{
        Feature, FeatureSet, Gammas, MoveFeatures, PatternPlayout, Player, Position, RecordMoves, Rng, Seed, Studied,
        Teams,
    };

    static MADE_UP: LazyLock<Gammas> = LazyLock::new(|| {
        let strengths: Vec<(Feature, f64)> = (0..2)
            .flat_map(|group| (0..144).map(move |key| Feature::new(group, key)))
            .map(|feature| (feature, (1 + tesuji_core::mix(u64::from(feature.0)) % 4_000) as f64 / UNIT))
            .collect();
        Gammas::new(PLAYOUT_FEATURES, "made up", &strengths).expect("sound")
    });

    /// Random games: after every move, what was kept up to date is what the features say.
    #[test]
    fn strengths_kept_from_move_to_move_are_those_of_the_features() {
        let tables = Tables::new(&MADE_UP, 1.0);
        for (size, rule) in [(15, Rule::Freestyle), (9, Rule::Standard), (19, Rule::Freestyle)] {
            let mut rng = Rng::new(Seed(size as u64));
            let mut game = Gomoku::new(size, rule).expect("a board");
            let shapes = Player::BOTH.map(|player| Shapes::of(rule.five(player)));
            let mut state = State::new();
            state.begin(&tables, &game, &Lines::new(&game.stones), shapes);
            while game.outcome().is_none() {
                let moves = game.moves();
                let mut teams = Teams::default();
                GomokuFeatures(FeatureSet::Playout).list(&game, &moves, &mut teams);
                let index = |point: &crate::gomoku::Point| (point.row() + 1) * (size + 2) + point.column() + 1;
                for (point, team) in moves.iter().zip(teams.iter()) {
                    let strength: f64 = team.iter().map(|feature| MADE_UP.gamma(*feature)).product();
                    assert_eq!(state.sampler.get(index(point)).of(game.turn()), weight(strength), "{point:?}");
                }
                let all: Vec<usize> = game.stones.points().map(|point| index(&point)).collect();
                assert!(state.sampler.adds_up(all.into_iter()));
                let has_five = state.five_count[game.turn().index()] > 0;
                assert_eq!(has_five, game.winning_move().is_some());
                let point = game.random_move(&mut rng).expect("a move");
                game.play(point);
                state.put(&tables, &game, &Lines::new(&game.stones), shapes, point);
            }
        }
    }

    /// Playouts are legal games, end where the rules say, and no five is overlooked.
    #[test]
    fn playouts_are_legal_and_decisive() {
        let mut rng = Rng::new(Seed(5));
        for (size, rule) in [(5, Rule::Freestyle), (15, Rule::Freestyle), (15, Rule::Standard)] {
            let start = Gomoku::new(size, rule).expect("a board");
            let mut playouts = GomokuPlayout::new(&MADE_UP, 1.0);
            for _ in 0..20 {
                let mut record = RecordMoves::default();
                let outcome = playouts.play(&mut start.clone(), &mut rng, Some(&mut record));
                let mut game = start;
                for (player, point) in record.0 {
                    assert!(game.turn() == player && game.is_legal(point));
                    let could_win = game.winning_move().is_some();
                    game.play(point);
                    assert!(!could_win || game.outcome().is_some(), "a five was overlooked");
                }
                assert_eq!(game.outcome(), Some(outcome));
            }
        }
    }
}
