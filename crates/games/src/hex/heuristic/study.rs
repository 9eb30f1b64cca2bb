//! What Hex knows beyond its rules, all of it by words of bits: wins at once, a judgement and a preference by bridged distance.
//!
//! The **bridged distance** of a player is the fewest stones he must add so that his edges are connected by stones that
//! touch or form bridges (two common empty neighbours: if the opponent takes one, he takes the other; likewise two empty cells
//! between a stone of the second line and the edge). Bridges that overlap are counted as if they did not. All cells at one
//! distance are found at once:
//!
//! > layer(d) = empty cells beside or a bridge away from what has been reached, and all own stones linked to them
//!
//! **Evaluation.** 300 for each stone of distance that the first player has in hand, 12 for each cell more through which a shortest
//! connection runs (up to 12 cells: the more, the harder to stop), and half a stone for the side to move.
//!
//! **Preference.** A product of factors: cells of shortest connections of the mover (4) and of the other (3), a bridge that the other has
//! entered (20), a bridge away from an own stone (1.6), beside an own (1.2) or another stone (1.2), up to 3 for the
//! centre; completing a connection 10⁴, stopping one 10³. The swap weighs as much as there are cells, if the stone
//! stands in the middle half of the board.
//!
//! Weights are made by hand. The distance is ours, in the spirit of Queenbee's two-distance (see [`two_distance`](super::two_distance)),
//! which asks more of every cell.

use super::super::connection::{SHAPES, with_words};
use super::super::knowledge::Connected;
use super::super::table::HexTable;
use super::super::{Hex, Move, solvers};
use super::{BRIDGES, STEPS};
use tesuji_core::solver::Solver;
use tesuji_core::{Certifier, Character, Evaluation, Player, Preference, Studied, Table};

/// The most stones that a connection can ask for, and one layer more.
const LAYERS: usize = 28;

type Step = (i32, i32);

/// A board as words, from the side of one player.
struct Sets<const W: usize> {
    size: i32,
    board: [u64; W],
    /// Without the first (last) column, and without the first (last) two.
    not_first: [[u64; W]; 2],
    not_last: [[u64; W]; 2],
    own: [u64; W],
    other: [u64; W],
    empty: [u64; W],
    /// Top and bottom rather than left and right.
    upright: bool,
}

#[inline(always)]
fn and<const W: usize>(one: &[u64; W], two: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| one[word] & two[word])
}

#[inline(always)]
fn or<const W: usize>(one: &[u64; W], two: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| one[word] | two[word])
}

#[inline(always)]
fn without<const W: usize>(one: &[u64; W], two: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| one[word] & !two[word])
}

#[inline(always)]
fn is_none<const W: usize>(set: &[u64; W]) -> bool {
    set.iter().all(|word| *word == 0)
}

#[inline(always)]
fn count<const W: usize>(set: &[u64; W]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

#[inline(always)]
fn holds<const W: usize>(set: &[u64; W], cell: usize) -> bool {
    set[cell / 64] >> (cell % 64) & 1 == 1
}

const fn back((columns, rows): Step) -> Step {
    (-columns, -rows)
}

/// What the layers of a search from one edge say.
struct Layers<const W: usize> {
    /// Cells by the stones it takes to reach them, their own included.
    at: [[u64; W]; LAYERS],
    /// Stones to the other edge.
    distance: Option<usize>,
}

impl<const W: usize> Sets<W> {
    fn new(position: &Hex, player: Player) -> Self {
        let size = position.size() as usize;
        let board: [u64; W] = std::array::from_fn(|word| SHAPES[size].board[word]);
        let [own, other]: [[u64; W]; 2] =
            [player, player.other()].map(|player| std::array::from_fn(|word| position.stones[player.index()][word]));
        let column = |column: usize| {
            let mut cells = [0; W];
            (0..size).for_each(|row| cells[(row * size + column) / 64] |= 1 << ((row * size + column) % 64));
            cells
        };
        let [first, second, last_but_one, last] = [0, 1, size - 2, size - 1].map(column);
        let not_first = without(&board, &first);
        let not_last = without(&board, &last);
        Sets {
            size: size as i32,
            board,
            not_first: [not_first, without(&not_first, &second)],
            not_last: [not_last, without(&not_last, &last_but_one)],
            own,
            other,
            empty: without(&board, &or(&own, &other)),
            upright: player == Player::First,
        }
    }

    /// The set, every cell moved by a step; cells that leave the board are lost.
    #[inline(always)]
    fn moved(&self, set: &[u64; W], (columns, rows): Step) -> [u64; W] {
        let set = match columns {
            0 => *set,
            1.. => and(set, &self.not_last[columns as usize - 1]),
            _ => and(set, &self.not_first[-columns as usize - 1]),
        };
        let amount = columns + rows * self.size;
        let (words, bits) = (amount.unsigned_abs() as usize / 64, amount.unsigned_abs() % 64);
        let word = |number: usize| set.get(number).copied().unwrap_or(0);
        let moved: [u64; W] = std::array::from_fn(|at| {
            if amount >= 0 {
                let low = if at >= words { word(at - words) } else { 0 };
                let lower = if at > words { word(at - words - 1) } else { 0 };
                low << bits | lower >> 1 >> (63 - bits)
            } else {
                word(at + words) >> bits | word(at + words + 1) << 1 << (63 - bits)
            }
        });
        and(&moved, &self.board)
    }

    /// The cells beside a set.
    fn beside(&self, set: &[u64; W]) -> [u64; W] {
        STEPS.into_iter().fold([0; W], |all, step| or(&all, &self.moved(set, step)))
    }

    /// The six bridges, with the cells from which both cells between are empty.
    fn bridges(&self) -> [(Step, [u64; W]); 6] {
        let beside: [[u64; W]; 6] = STEPS.map(|step| self.moved(&self.empty, back(step)));
        // A bridge passes between two neighbours that follow each other around the circle.
        std::array::from_fn(|number| {
            let (one, two) = (STEPS[number], STEPS[(number + 1) % 6]);
            ((one.0 + two.0, one.1 + two.1), and(&beside[number], &beside[(number + 1) % 6]))
        })
    }

    /// The cells of the first (0) or second (1) edge line, and of the line behind it.
    fn edge_lines(&self, edge: usize) -> [[u64; W]; 2] {
        let size = self.size as usize;
        [0, 1].map(|behind| {
            let line = if edge == 0 { behind } else { size - 1 - behind };
            let mut cells = [0; W];
            for along in 0..size {
                let cell = if self.upright { line * size + along } else { along * size + line };
                cells[cell / 64] |= 1 << (cell % 64);
            }
            cells
        })
    }

    /// The two steps from the second line to an edge.
    fn to_edge(&self, edge: usize) -> [Step; 2] {
        let towards: [Step; 2] = if self.upright { [(0, -1), (1, -1)] } else { [(-1, 0), (-1, 1)] };
        if edge == 0 { towards } else { towards.map(back) }
    }

    /// The cells that touch an edge, or are a bridge away from it.
    fn near_edge(&self, edge: usize) -> [u64; W] {
        let [line, behind] = self.edge_lines(edge);
        let [one, two] = self.to_edge(edge).map(|step| self.moved(&self.empty, back(step)));
        or(&line, &and(&behind, &and(&one, &two)))
    }

    /// Distances from an edge, up to the layer that reaches the other.
    fn layers(&self, edge: usize, bridges: &[(Step, [u64; W]); 6]) -> Layers<W> {
        let goal = self.near_edge(1 - edge);
        let spread = |set: &[u64; W]| {
            bridges.iter().fold(self.beside(set), |all, (far, open)| or(&all, &self.moved(&and(set, open), *far)))
        };
        let mut touched = self.near_edge(edge);
        let mut reached = [0; W];
        let mut layers = Layers { at: [[0; W]; LAYERS], distance: None };
        for distance in 0..LAYERS {
            let mut layer = [0; W];
            let mut fresh = if distance == 0 { [0; W] } else { without(&and(&touched, &self.empty), &reached) };
            loop {
                layer = or(&layer, &fresh);
                reached = or(&reached, &fresh);
                touched = or(&touched, &spread(&fresh));
                fresh = without(&and(&touched, &self.own), &reached);
                if is_none(&fresh) {
                    break;
                }
            }
            layers.at[distance] = layer;
            if !is_none(&and(&layer, &goal)) {
                layers.distance = Some(distance);
                break;
            }
            if distance > 0 && is_none(&layer) {
                break;
            }
        }
        layers
    }

    /// The bridged distance, and the empty cells of shortest connections; nothing if the player is cut off.
    fn connection(&self) -> Option<(usize, [u64; W])> {
        let bridges = self.bridges();
        let [from_first, from_second] = [0, 1].map(|edge| self.layers(edge, &bridges));
        let distance = from_first.distance?.min(from_second.distance?);
        let mut cells = [0; W];
        for before in 1..=distance {
            cells = or(&cells, &and(&from_first.at[before], &from_second.at[distance + 1 - before]));
        }
        Some((distance, and(&cells, &self.empty)))
    }

    /// The empty cells that connect the player's edges at once.
    fn completing(&self) -> [u64; W] {
        let linked = |edge: usize| {
            let mut touched = self.edge_lines(edge)[0];
            let mut chain = [0; W];
            loop {
                let fresh = without(&and(&touched, &self.own), &chain);
                if is_none(&fresh) {
                    return touched;
                }
                chain = or(&chain, &fresh);
                touched = or(&touched, &self.beside(&fresh));
            }
        };
        and(&self.empty, &and(&linked(0), &linked(1)))
    }

    /// The other cell of each own bridge of which the opponent has taken one.
    fn broken_bridges(&self) -> [u64; W] {
        let mut cells = [0; W];
        let mut look = |ends: &[u64; W], one: Step, two: Step| {
            for (taken, left) in [(one, two), (two, one)] {
                let broken =
                    and(ends, &and(&self.moved(&self.other, back(taken)), &self.moved(&self.empty, back(left))));
                cells = or(&cells, &self.moved(&broken, left));
            }
        };
        for [far, one, two] in BRIDGES {
            look(&and(&self.own, &self.moved(&self.own, back(far))), one, two);
        }
        for edge in [0, 1] {
            let [one, two] = self.to_edge(edge);
            look(&and(&self.own, &self.edge_lines(edge)[1]), one, two);
        }
        cells
    }
}

impl Hex {
    /// The fewest stones with which a player connects his edges by touching or bridged stones, and in how many cells the
    /// first of them can stand; nothing if he is cut off.
    #[must_use]
    pub fn bridged_distance(&self, player: Player) -> Option<(u32, u32)> {
        with_words!(self.size(), W => {
            Sets::<W>::new(self, player).connection().map(|(distance, cells)| (distance as u32, count(&cells)))
        })
    }
}

impl Studied for Hex {
    const SOLVERS: &'static [Solver<Hex>] = solvers::SOLVERS;
    const CHARACTER: Character = Character { moves_commute: true, never_repeats: true, ..Character::PLAIN };

    /// Alpha-beta with the evaluation beats Monte-Carlo search (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        "alpha-beta"
    }

    fn solver(&self) -> &'static str {
        "hex-solver"
    }

    fn table(&self) -> &'static dyn Table<Hex> {
        &HexTable
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Hex>>> {
        Some(Box::new(BridgedDistance))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Hex>>> {
        Some(Box::new(OnTheWay))
    }

    fn certifier(&self) -> Option<Box<dyn Certifier<Hex>>> {
        Some(Box::new(Connected))
    }

    fn winning_move(&self) -> Option<Move> {
        // A connection takes a stone a row.
        let stones: u32 = self.stones[self.turn.index()].iter().map(|word| word.count_ones()).sum();
        if self.winner.is_some() || stones + 1 < self.size() {
            return None;
        }
        with_words!(self.size(), W => {
            let cells = Sets::<W>::new(self, self.turn).completing();
            let word = cells.iter().position(|word| *word != 0);
            word.map(|word| Move((word * 64) as u16 + cells[word].trailing_zeros() as u16))
        })
    }
}

/// The evaluation of Hex. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct BridgedDistance;

const STONE: i32 = 300;
const CELL: i32 = 12;
const MOST_CELLS_COUNTED: u32 = 12;

impl Evaluation<Hex> for BridgedDistance {
    fn evaluate(&self, position: &Hex) -> i32 {
        let worth = |player: Player| {
            // Cut off is worse than any distance.
            let (distance, cells) = position.bridged_distance(player).unwrap_or((position.size() + 1, 0));
            let tempo = if player == position.turn { STONE / 2 } else { 0 };
            CELL * cells.min(MOST_CELLS_COUNTED) as i32 - STONE * distance as i32 + tempo
        };
        worth(Player::First) - worth(Player::Second)
    }

    /// Fitted roughly to games in which both sides drew moves by preference.
    fn scale(&self) -> f64 {
        350.0
    }
}

/// The preference of Hex. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnTheWay;

impl OnTheWay {
    fn weigh_cells<const W: usize>(position: &Hex, moves: &[Move], weights: &mut Vec<f64>) {
        let mover = position.turn;
        let (own, other) = (Sets::<W>::new(position, mover), Sets::<W>::new(position, mover.other()));
        let way = |sets: &Sets<W>| sets.connection().map_or([0; W], |(_, cells)| cells);
        let leaps =
            own.bridges().iter().fold([0; W], |all, (far, open)| or(&all, &own.moved(&and(&own.own, open), *far)));
        let factors: [([u64; W], f64); 8] = [
            (own.completing(), 1e4),
            (other.completing(), 1e3),
            (own.broken_bridges(), 20.0),
            (way(&own), 4.0),
            (way(&other), 3.0),
            (leaps, 1.6),
            (own.beside(&own.own), 1.2),
            (own.beside(&own.other), 1.2),
        ];
        let size = f64::from(position.size());
        weights.extend(moves.iter().map(|mv| {
            let Some((column, row)) = position.place(*mv) else { return swap_weight(position) };
            // 0 in the middle, 1 at the edge.
            let off = |at: u32| (2.0 * f64::from(at) - (size - 1.0)).abs() / (size - 1.0);
            let centre = 3.0 - 2.0 * off(column).max(off(row));
            let cell = usize::from(mv.0);
            let factor = |product: f64, (cells, factor): &([u64; W], f64)| {
                if holds(cells, cell) { product * factor } else { product }
            };
            factors.iter().fold(centre, factor)
        }));
    }
}

/// A stone in the middle half of the board is worth taking over.
fn swap_weight(position: &Hex) -> f64 {
    let size = position.size();
    let middle = size / 4..size - size / 4;
    let strong = (0..size).any(|row| {
        (0..size)
            .any(|column| position.stone(column, row).is_some() && middle.contains(&row) && middle.contains(&column))
    });
    if strong { f64::from(size * size) } else { 1.0 }
}

impl Preference<Hex> for OnTheWay {
    fn weigh(&self, position: &Hex, moves: &[Move], weights: &mut Vec<f64>) {
        weights.clear();
        with_words!(position.size(), W => OnTheWay::weigh_cells::<W>(position, moves, weights));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{STEPS, Side};
    use super::{BridgedDistance, Hex, Player};
    use crate::hex::SwapRule;
    use tesuji_core::{Evaluation, Position, Rng, Seed};

    /// The bridged distance by relaxing every link until nothing changes.
    fn slow_distance(position: &Hex, player: Player) -> Option<u32> {
        let side = Side::new(position, player);
        let free = |cell: Option<usize>| cell.is_some_and(|cell| side.is_empty(cell));
        let near_edge = |cell: usize, edge: usize| {
            let lines = side.lines_to_edge(cell, edge);
            let towards: Vec<usize> =
                side.neighbours(cell).filter(|next| side.lines_to_edge(*next, edge) < lines).collect();
            lines == 0 || lines == 1 && towards.len() == 2 && towards.iter().all(|next| side.is_empty(*next))
        };
        let price = |cell: usize| if side.is_own(cell) { Some(0) } else { side.is_empty(cell).then_some(1) };
        let mut distances: Vec<Option<u32>> =
            side.cells().map(|cell| near_edge(cell, 0).then(|| price(cell)).flatten()).collect();
        loop {
            let before = distances.clone();
            for cell in side.cells() {
                let Some(price) = price(cell) else { continue };
                let mut links: Vec<usize> = side.neighbours(cell).collect();
                for number in 0..6 {
                    let (one, two) = (STEPS[number], STEPS[(number + 1) % 6]);
                    if free(side.step(cell, one)) && free(side.step(cell, two)) {
                        links.extend(side.step(cell, (one.0 + two.0, one.1 + two.1)));
                    }
                }
                let ways = links.into_iter().filter_map(|link| distances[link]).map(|from| from + price);
                distances[cell] = ways.chain(distances[cell]).min();
            }
            if distances == before {
                return side.cells().filter(|cell| near_edge(*cell, 1)).filter_map(|cell| distances[cell]).min();
            }
        }
    }

    /// The board with rows and columns, colours and turn exchanged.
    fn turned(position: &Hex) -> Hex {
        let mut turned = Hex::new(position.size(), SwapRule::Off).expect("a board");
        for cell in 0..position.cells() as usize {
            if let Some(owner) = position.owner(cell) {
                turned.put(owner.other(), position.mirrored(cell));
            }
        }
        turned.turn = position.turn.other();
        turned
    }

    #[test]
    fn distances_are_those_of_the_slow_judge_and_symmetric() {
        let mut rng = Rng::new(Seed(12));
        for size in [2, 3, 5, 8, 9, 11, 13, 17, 26] {
            for _ in 0..if size < 10 { 20 } else { 2 } {
                let mut position = Hex::new(size, SwapRule::Off).expect("a board");
                while position.outcome().is_none() {
                    for player in Player::BOTH {
                        let fast = position.bridged_distance(player).map(|(distance, _)| distance);
                        assert_eq!(fast, slow_distance(&position, player), "{player} at {position:?}");
                    }
                    let value = BridgedDistance.evaluate(&position);
                    assert_eq!(value, -BridgedDistance.evaluate(&turned(&position)), "{position:?}");
                    for _ in 0..1 + size / 6 {
                        let Some(mv) = position.random_move(&mut rng) else { break };
                        position.play(mv);
                    }
                }
            }
        }
    }
}
