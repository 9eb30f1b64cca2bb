//! Playouts of Hex that sample moves by the strength of their patterns.
//!
//! **Policy.** The board is filled move by move; a cell is drawn with probability proportional to
//!
//! > (γ(six cells around) · γ(nearness) · γ(answer))^(1/temperature)
//!
//! and the winner of the full board is the winner of the game (no stone is ever removed, see
//! `hex/playout.rs`). The swap is never drawn: a playout that begins where it is possible goes on
//! without it.
//!
//! **Speed.** Numbers and strengths of all cells are kept for both colours; a stone changes those of
//! its six neighbours. The strengths of all 4,096 numbers fit into the first-level cache. Nothing is
//! allocated.

use super::code::{CODES, canonical, replies, seen_by};
use super::features::{ANSWER, NEARNESS, SIX};
use crate::hex::connection::{connects_rows, with_words};
use crate::hex::{Hex, Move};
use crate::sampler::{Both, Sampler, factor, weight};
use std::sync::Arc;
use tesuji_core::{ByTemperature, Feature, Gammas, Outcome, PatternPlayout, Player, Position, RecordMoves, Rng};

/// Cells of the largest board with a rim of one.
const PADDED: usize = 28 * 28;
const ROWS: usize = 28;
/// Marks a cell that is taken or off the board.
const TAKEN: u16 = 1 << 15;

/// The strengths at one temperature, by number and colour.
struct Tables {
    weights: [Both; CODES],
    /// Beside the last stone, without and with a bridge to complete.
    local: [u64; 2],
}

impl Tables {
    fn new(gammas: &Gammas, temperature: f64) -> Tables {
        let of = |group: u8, key: u32| gammas.tempered(Feature::new(group, key), temperature);
        let mut weights = [Both::NONE; CODES];
        for (code, both) in (0..).zip(&mut weights) {
            let of_player = |player| weight(of(SIX, canonical(seen_by(player, code) & 0xfff)));
            *both = Both::new(Player::BOTH.map(of_player));
        }
        let near = of(NEARNESS, 1);
        Tables { weights, local: [factor(near), factor(near * of(ANSWER, 1))] }
    }

    /// The tables of a temperature, which are kept.
    fn of(gammas: &'static Gammas, temperature: f64) -> Arc<Tables> {
        static KEPT: ByTemperature<Tables> = ByTemperature::new();
        KEPT.of(temperature, || Tables::new(gammas, temperature))
    }
}

/// Playouts of Hex by learned patterns.
pub struct HexPlayout {
    tables: Arc<Tables>,
    state: Box<State>,
}

impl HexPlayout {
    /// Playouts by the strengths that are built in.
    pub(super) fn new(gammas: &'static Gammas, temperature: f64) -> HexPlayout {
        HexPlayout { tables: Tables::of(gammas, temperature), state: Box::new(State::new()) }
    }
}

impl PatternPlayout<Hex> for HexPlayout {
    fn play(&mut self, position: &mut Hex, rng: &mut Rng, record: Option<&mut RecordMoves<Move>>) -> Outcome {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        self.state.fill(&self.tables, position, rng, record);
        let black =
            with_words!(position.size(), W => connects_rows::<W>(&position.stones[0].head().0, position.size()));
        Outcome::won_by(if black { Player::First } else { Player::Second })
    }

    fn fork(&self) -> Box<dyn PatternPlayout<Hex>> {
        Box::new(HexPlayout { tables: self.tables.clone(), state: Box::new(State::new()) })
    }
}

/// What is kept up to date during a playout. Cell (column, row) is (row + 1)·(size + 2) + column + 1.
struct State {
    codes: [u16; PADDED],
    sampler: Sampler<PADDED, ROWS>,
    /// The size for which `empty_codes` are.
    size: usize,
    /// The numbers of an empty board.
    empty_codes: [u16; PADDED],
}

/// Steps to the six neighbours, in the order of the numbers.
#[inline(always)]
const fn ring(stride: usize) -> [isize; 6] {
    let down = stride as isize;
    [-down, 1 - down, 1, down, down - 1, -1]
}

impl State {
    fn new() -> State {
        State { codes: [0; PADDED], sampler: Sampler::new(), size: 0, empty_codes: [0; PADDED] }
    }

    /// Computes the numbers of an empty board, which only its edges decide.
    fn prepare(&mut self, size: usize) {
        let empty = Hex::new(size as u32, crate::hex::SwapRule::Off).expect("the size of a position");
        self.empty_codes = [TAKEN; PADDED];
        for row in 0..size {
            for column in 0..size {
                let index = (row + 1) * (size + 2) + column + 1;
                self.empty_codes[index] = super::code::six(&empty, column as i32, row as i32) as u16;
            }
        }
        self.size = size;
    }

    /// Computes everything for a position.
    fn begin(&mut self, tables: &Tables, position: &Hex) {
        let size = position.size() as usize;
        if self.size != size {
            self.prepare(size);
        }
        let stride = size + 2;
        let used = stride * stride;
        self.codes[..used].copy_from_slice(&self.empty_codes[..used]);
        for player in Player::BOTH {
            for cell in position.stones[player.index()] {
                let index = (cell / size + 1) * stride + cell % size + 1;
                self.note(index, stride, player);
                self.codes[index] |= TAKEN;
            }
        }
        self.sampler.clear();
        for row in 1..=size {
            for index in row * stride + 1..=row * stride + size {
                let code = self.codes[index];
                let weights = if code & TAKEN == 0 { tables.weights[usize::from(code)] } else { Both::NONE };
                self.sampler.write(row, index, weights);
            }
        }
    }

    /// Writes a stone into the numbers of its neighbours.
    #[inline(always)]
    fn note(&mut self, index: usize, stride: usize, player: Player) {
        for (place, step) in ring(stride).into_iter().enumerate() {
            self.codes[index.wrapping_add_signed(step)] |= (1 + player.index() as u16) << (2 * ((place + 3) % 6));
        }
    }

    /// Plays a stone and brings everything up to date.
    #[inline(always)]
    fn put(&mut self, tables: &Tables, index: usize, stride: usize, player: Player) {
        self.codes[index] |= TAKEN;
        self.sampler.set(index / stride, index, Both::NONE);
        self.note(index, stride, player);
        for step in ring(stride) {
            let at = index.wrapping_add_signed(step);
            let code = self.codes[at];
            if code & TAKEN == 0 {
                self.sampler.set(at / stride, at, tables.weights[usize::from(code)]);
            }
        }
    }

    /// The cells around the last stone, with their strengths.
    #[inline(always)]
    fn weigh_local(&mut self, tables: &Tables, last: Option<usize>, stride: usize, player: Player) {
        self.sampler.begin();
        let Some(last) = last else { return };
        let answers = replies(u32::from(self.codes[last] & !TAKEN), player);
        let around = ring(stride).map(|step| last.wrapping_add_signed(step));
        let factors = std::array::from_fn(|place| tables.local[(answers >> (2 * place) & 1) as usize]);
        self.sampler.multiply_around(player, around, factors);
    }

    /// Fills the board.
    fn fill(&mut self, tables: &Tables, position: &mut Hex, rng: &mut Rng, mut record: Option<&mut RecordMoves<Move>>) {
        self.begin(tables, position);
        let size = position.size() as usize;
        let stride = size + 2;
        let mut player = position.turn();
        let mut last = last_of(position, player);
        while let Some(index) = {
            self.weigh_local(tables, last, stride, player);
            self.sampler.draw(player, stride, rng)
        } {
            self.put(tables, index, stride, player);
            let cell = (index / stride - 1) * size + index % stride - 1;
            position.stones[player.index()].insert(cell);
            if let Some(record) = &mut record {
                record.0.push((player, Move(cell as u16)));
            }
            last = Some(index);
            player = player.other();
        }
    }
}

/// The padded index of the last stone, if it is an enemy's.
fn last_of(position: &Hex, player: Player) -> Option<usize> {
    let (column, row) = position.last_stone()?;
    let is_enemy = position.stone(column, row) == Some(player.other());
    is_enemy.then(|| (row as usize + 1) * (position.size() as usize + 2) + column as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::{State, Tables, last_of};
    use crate::hex::patterns::{HexFeatures, HexPlayout, PLAYOUT_FEATURES};
    use crate::hex::{Hex, Move, SwapRule};
    use crate::sampler::{UNIT, factor, times, weight};
    use std::sync::LazyLock;
    use tesuji_core::{
        Feature, FeatureSet, Gammas, MoveFeatures, PatternPlayout, Player, Position, RecordMoves, Rng, Seed, Teams,
    };

    static MADE_UP: LazyLock<Gammas> = LazyLock::new(|| {
        let mut strengths = vec![(Feature::new(1, 1), 1.5), (Feature::new(2, 1), 20.0)];
        let mut codes: Vec<u32> = (0..4096).map(super::canonical).collect();
        codes.sort_unstable();
        codes.dedup();
        strengths.extend(codes.into_iter().map(|code| {
            let number = tesuji_core::mix(u64::from(code)) % 4_000;
            (Feature::new(0, code), (1 + number) as f64 / UNIT)
        }));
        Gammas::new(PLAYOUT_FEATURES, "made up", &strengths).expect("sound")
    });

    /// Random games: after every move, what was kept up to date is what the features say.
    #[test]
    fn strengths_kept_from_move_to_move_are_those_of_the_features() {
        let tables = Tables::new(&MADE_UP, 1.0);
        let mut rng = Rng::new(Seed(2));
        let mut bridges = 0;
        for size in [3_u32, 5, 11, 14] {
            let mut hex = Hex::new(size, SwapRule::Off).expect("a board");
            let stride = size as usize + 2;
            let mut state = State::new();
            state.begin(&tables, &hex);
            while hex.outcome().is_none() {
                let moves = hex.moves();
                let mut teams = Teams::default();
                HexFeatures(FeatureSet::Playout).list(&hex, &moves, &mut teams);
                state.weigh_local(&tables, last_of(&hex, hex.turn()), stride, hex.turn());
                for (mv, team) in moves.iter().zip(teams.iter()) {
                    let of = |group: usize| {
                        team.iter().filter(|it| it.group() == group).map(|it| MADE_UP.gamma(*it)).product::<f64>()
                    };
                    bridges += u32::from(of(2) > 1.0);
                    let (column, row) = hex.place(*mv).expect("a cell");
                    let index = (row as usize + 1) * stride + column as usize + 1;
                    let found = state.sampler.now(hex.turn(), index);
                    assert_eq!(found, times(weight(of(0)), factor(of(1) * of(2))), "{size}: {mv:?}");
                }
                let cells = (0..size as usize * size as usize)
                    .map(|cell| (cell / size as usize + 1) * stride + cell % size as usize + 1);
                assert!(state.sampler.adds_up(cells));
                let mv = hex.random_move(&mut rng).expect("a move");
                let (column, row) = hex.place(mv).expect("a cell");
                state.put(&tables, (row as usize + 1) * stride + column as usize + 1, stride, hex.turn());
                hex.play(mv);
            }
        }
        assert!(bridges > 3, "{bridges} bridges to complete");
    }

    /// White's b3 intrudes into the bridge between Black's b2 and a4... completed with a3.
    #[test]
    fn a_bridge_is_completed() {
        let mut hex = Hex::new(5, SwapRule::Off).expect("a board");
        let cell = |hex: &Hex, column, row| hex.stone_on(column, row).expect("on the board");
        for (column, row) in [(2, 1), (4, 4), (1, 3), (2, 2)] {
            let mv = cell(&hex, column, row);
            hex.play(mv);
        }
        // Black stands on c2 and b4, White has just played c3; b3 is the other cell of the bridge.
        let mut playouts = HexPlayout::new(&MADE_UP, 1.0);
        let moves = hex.moves();
        let mut teams = Teams::default();
        HexFeatures(FeatureSet::Tree).list(&hex, &moves, &mut teams);
        let answers: Vec<Move> = moves
            .iter()
            .zip(teams.iter())
            .filter(|(_, team)| team.iter().any(|feature| feature.group() == 2))
            .map(|(mv, _)| *mv)
            .collect();
        assert_eq!(answers, [cell(&hex, 1, 2)]);
        let mut record = RecordMoves::default();
        playouts.play(&mut hex.clone(), &mut Rng::new(Seed(1)), Some(&mut record));
        assert_eq!(record.0.len(), 21, "the board is filled");
        assert_eq!(record.0.iter().filter(|(player, _)| *player == Player::First).count(), 11);
    }

    /// Half a turn, and the mirror with exchanged colours, do not change the features.
    #[test]
    fn images_of_a_board_have_the_same_features() {
        let mut rng = Rng::new(Seed(8));
        let size = 6;
        for _ in 0..20 {
            let mut boards = [(); 3].map(|()| Hex::new(size, SwapRule::Off).expect("a board"));
            // The mirror image exchanges the colours, so White begins there.
            boards[2].set_turn(Player::Second);
            let image = |number: usize, (column, row): (u32, u32)| match number {
                0 => (column, row),
                1 => (size - 1 - column, size - 1 - row),
                _ => (row, column),
            };
            for _ in 0..12 {
                let places: Vec<(u32, u32)> =
                    boards[0].moves().iter().map(|mv| boards[0].place(*mv).expect("a cell")).collect();
                if places.is_empty() {
                    break;
                }
                for set in FeatureSet::ALL {
                    let lists = [0, 1, 2].map(|number| {
                        let board = &boards[number];
                        let moves: Vec<Move> = places
                            .iter()
                            .map(|place| {
                                let (column, row) = image(number, *place);
                                board.stone_on(column, row).expect("a cell")
                            })
                            .collect();
                        let mut teams = Teams::default();
                        HexFeatures(set).list(board, &moves, &mut teams);
                        teams
                    });
                    assert_eq!(lists[0], lists[1], "half a turn");
                    assert_eq!(lists[0], lists[2], "mirrored");
                }
                let place = places[rng.below(places.len() as u32) as usize];
                for (number, board) in boards.iter_mut().enumerate() {
                    let (column, row) = image(number, place);
                    let mv = board.stone_on(column, row).expect("a cell");
                    board.play(mv);
                }
            }
        }
    }
}
