//! Knowledge of Hex beyond its rules, by bit sets: immediate wins, an evaluation and a preference
//! by bridged distance.
//!
//! The **bridged distance** of a player is the fewest stones that connect the player's edges by
//! stones that touch or form bridges (two common empty neighbours: if the opponent takes one, the
//! player takes the other; likewise two empty cells between a stone of the second line and the
//! edge). Overlapping bridges are counted as if they were disjoint. All cells at one distance are
//! found at once:
//!
//! > layer(d) = empty cells adjacent to, or a bridge away from, the cells reached so far,
//! >            and all own stones linked to them
//!
//! **Evaluation.** 300 for each stone of distance by which the first player leads, 12 for each
//! additional cell on a shortest connection (up to 12 cells: the more, the harder to block), and
//! half a stone for the side to move.
//!
//! **Preference.** A product of factors: cells of shortest connections of the mover (4) and of the
//! opponent (3), a bridge that the opponent has entered (20), a bridge away from an own stone
//! (1.6), next to an own (1.2) or an opposing stone (1.2), up to 3 for the centre; completing a
//! connection 10⁴, blocking one 10³. The swap weighs as much as the number of cells, if the stone
//! stands in the middle half of the board.
//!
//! The weights are hand-made. The distance is this project's, in the spirit of Queenbee's
//! two-distance (see [`two_distance`](super::two_distance)), which is more demanding.

use super::super::ConnectionCertifier;
use super::super::connection::{SHAPES, with_words};
use super::super::patterns::{HexFeatures, HexPatterns};
use super::super::table::HexTable;
use super::super::{Hex, HexPlanes, Move, solvers};
use super::{BRIDGES, STEPS};
use crate::bit_set::BitSet;
use tesuji_core::solver::Solver;
use tesuji_core::{
    Certifier, Character, Encoding, Evaluation, FeatureSet, MoveFeatures, Patterns, Player, Preference, Stones,
    StonesOf, Studied, Table,
};

/// The most stones of a connection, and one layer more.
const LAYERS: usize = 28;

type Step = (i32, i32);

/// A board as bit sets, from the point of view of one player.
struct Sets<const W: usize> {
    size: i32,
    board: BitSet<W>,
    /// Without the first (last) column, and without the first (last) two.
    not_first: [BitSet<W>; 2],
    not_last: [BitSet<W>; 2],
    own: BitSet<W>,
    other: BitSet<W>,
    empty: BitSet<W>,
    /// Whether the player connects top and bottom, not left and right.
    upright: bool,
}

const fn back((columns, rows): Step) -> Step {
    (-columns, -rows)
}

/// The layers of a search from one edge.
struct Layers<const W: usize> {
    /// Cells by the number of stones needed to reach them, their own included.
    at: [BitSet<W>; LAYERS],
    /// Stones to the other edge.
    distance: Option<usize>,
}

impl<const W: usize> Sets<W> {
    fn new(position: &Hex, player: Player) -> Self {
        let size = position.size() as usize;
        let board: BitSet<W> = SHAPES[size].board.head();
        let [own, other] = [player, player.other()].map(|player| position.stones[player.index()].head());
        let column = |column: usize| -> BitSet<W> { (0..size).map(|row| row * size + column).collect() };
        let [first, second, last_but_one, last] = [0, 1, size - 2, size - 1].map(column);
        let not_first = board.without(first);
        let not_last = board.without(last);
        Sets {
            size: size as i32,
            board,
            not_first: [not_first, not_first.without(second)],
            not_last: [not_last, not_last.without(last_but_one)],
            own,
            other,
            empty: board.without(own | other),
            upright: player == Player::First,
        }
    }

    /// The set with every cell moved by a step; cells that leave the board are dropped.
    #[inline(always)]
    fn moved(&self, set: BitSet<W>, (columns, rows): Step) -> BitSet<W> {
        let set = match columns {
            0 => set,
            1.. => set & self.not_last[columns as usize - 1],
            _ => set & self.not_first[-columns as usize - 1],
        };
        // No step is longer than two rows and two columns, which is less than a word.
        let amount = columns + rows * self.size;
        let bits = amount.unsigned_abs();
        debug_assert!(bits < u64::BITS, "a step of {bits} cells");
        let word = |number: usize| set.0.get(number).copied().unwrap_or(0);
        let moved = if amount >= 0 {
            BitSet(std::array::from_fn(|at| word(at) << bits | word(at.wrapping_sub(1)) >> 1 >> (63 - bits)))
        } else {
            BitSet(std::array::from_fn(|at| word(at) >> bits | word(at + 1) << 1 << (63 - bits)))
        };
        moved & self.board
    }

    /// The cells adjacent to a set.
    #[inline(always)]
    fn beside(&self, set: BitSet<W>) -> BitSet<W> {
        STEPS.into_iter().fold(BitSet::EMPTY, |all, step| all | self.moved(set, step))
    }

    /// The six bridges, with the cells from which both cells between are empty.
    fn bridges(&self) -> [(Step, BitSet<W>); 6] {
        let beside: [BitSet<W>; 6] = STEPS.map(|step| self.moved(self.empty, back(step)));
        // A bridge passes between two consecutive neighbours in the cycle.
        std::array::from_fn(|number| {
            let (one, two) = (STEPS[number], STEPS[(number + 1) % 6]);
            ((one.0 + two.0, one.1 + two.1), beside[number] & beside[(number + 1) % 6])
        })
    }

    /// The cells of the first (0) or second (1) edge line, and of the line behind it.
    fn edge_lines(&self, edge: usize) -> [BitSet<W>; 2] {
        let size = self.size as usize;
        [0, 1].map(|behind| {
            let line = if edge == 0 { behind } else { size - 1 - behind };
            (0..size).map(|along| if self.upright { line * size + along } else { along * size + line }).collect()
        })
    }

    /// The two steps from the second line to an edge.
    fn to_edge(&self, edge: usize) -> [Step; 2] {
        let towards: [Step; 2] = if self.upright { [(0, -1), (1, -1)] } else { [(-1, 0), (-1, 1)] };
        if edge == 0 { towards } else { towards.map(back) }
    }

    /// The cells that touch an edge, or are a bridge away from it.
    fn near_edge(&self, edge: usize) -> BitSet<W> {
        let [line, behind] = self.edge_lines(edge);
        let [one, two] = self.to_edge(edge).map(|step| self.moved(self.empty, back(step)));
        line | (behind & one & two)
    }

    /// Distances from an edge, up to the layer that reaches the other.
    fn layers(&self, edge: usize, bridges: &[(Step, BitSet<W>); 6]) -> Layers<W> {
        let goal = self.near_edge(1 - edge);
        let spread = |set: BitSet<W>| {
            bridges.iter().fold(self.beside(set), |all, (far, open)| all | self.moved(set & *open, *far))
        };
        let mut touched = self.near_edge(edge);
        let mut reached = BitSet::EMPTY;
        let mut layers = Layers { at: [BitSet::EMPTY; LAYERS], distance: None };
        for distance in 0..LAYERS {
            let mut layer = BitSet::EMPTY;
            let mut fresh = if distance == 0 { BitSet::EMPTY } else { (touched & self.empty).without(reached) };
            loop {
                layer |= fresh;
                reached |= fresh;
                touched |= spread(fresh);
                fresh = (touched & self.own).without(reached);
                if fresh.is_empty() {
                    break;
                }
            }
            layers.at[distance] = layer;
            if layer.intersects(goal) {
                layers.distance = Some(distance);
                break;
            }
            if distance > 0 && layer.is_empty() {
                break;
            }
        }
        layers
    }

    /// The bridged distance, and the empty cells of shortest connections; `None` if the player is
    /// cut off.
    fn connection(&self) -> Option<(usize, BitSet<W>)> {
        let bridges = self.bridges();
        let [from_first, from_second] = [0, 1].map(|edge| self.layers(edge, &bridges));
        let distance = from_first.distance?.min(from_second.distance?);
        let mut cells = BitSet::EMPTY;
        for before in 1..=distance {
            cells |= from_first.at[before] & from_second.at[distance + 1 - before];
        }
        Some((distance, cells & self.empty))
    }

    /// The empty cells that complete a connection of the player.
    fn completing(&self) -> BitSet<W> {
        let linked = |edge: usize| {
            let mut touched = self.edge_lines(edge)[0];
            let mut chain = BitSet::EMPTY;
            loop {
                let fresh = (touched & self.own).without(chain);
                if fresh.is_empty() {
                    return touched;
                }
                chain |= fresh;
                touched |= self.beside(fresh);
            }
        };
        self.empty & linked(0) & linked(1)
    }

    /// The other cell of each own bridge into which the opponent has intruded.
    fn broken_bridges(&self) -> BitSet<W> {
        let mut cells = BitSet::EMPTY;
        let mut look = |ends: BitSet<W>, one: Step, two: Step| {
            for (taken, left) in [(one, two), (two, one)] {
                let broken = ends & self.moved(self.other, back(taken)) & self.moved(self.empty, back(left));
                cells |= self.moved(broken, left);
            }
        };
        for [far, one, two] in BRIDGES {
            look(self.own & self.moved(self.own, back(far)), one, two);
        }
        for edge in [0, 1] {
            let [one, two] = self.to_edge(edge);
            look(self.own & self.edge_lines(edge)[1], one, two);
        }
        cells
    }
}

impl Hex {
    /// The fewest stones that connect the edges of a player by touching or bridged stones, and the
    /// number of cells for the first of them; `None` if the player is cut off.
    #[must_use]
    pub fn bridged_distance(&self, player: Player) -> Option<(u32, u32)> {
        with_words!(self.size(), W => {
            Sets::<W>::new(self, player).connection().map(|(distance, cells)| (distance as u32, cells.count()))
        })
    }
}

/// Sizes on which the learned player is the strongest.
const LEARNED: std::ops::RangeInclusive<u32> = 7..=13;

impl Studied for Hex {
    const SOLVERS: &'static [Solver<Hex>] = solvers::SOLVERS;
    const CHARACTER: Character = Character { moves_commute: true, never_repeats: true, ..Character::PLAIN };

    /// Alpha-beta with the evaluation beats Monte-Carlo search, and the network that learned 11×11
    /// beats alpha-beta on boards of about that size (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        if LEARNED.contains(&self.size()) { "zero" } else { "alpha-beta" }
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
        Some(Box::new(ConnectionPreference))
    }

    fn features(&self, set: FeatureSet) -> Option<Box<dyn MoveFeatures<Hex>>> {
        Some(Box::new(HexFeatures(set)))
    }

    fn patterns(&self) -> Option<Box<dyn Patterns<Hex>>> {
        Some(Box::new(HexPatterns))
    }

    fn encoding(&self) -> Option<Box<dyn Encoding<Hex>>> {
        Some(Box::new(HexPlanes::of(self)))
    }

    fn stone_board(&self) -> Option<&'static dyn Stones<Hex>> {
        Some(&StonesOf { game: "hex", mirrors: true, margins: false })
    }

    fn certifier(&self) -> Option<Box<dyn Certifier<Hex>>> {
        Some(Box::new(ConnectionCertifier))
    }

    fn winning_move(&self) -> Option<Move> {
        // A connection needs a stone per row.
        let stones = self.stones[self.turn.index()].count();
        if self.winner.is_some() || stones + 1 < self.size() {
            return None;
        }
        with_words!(self.size(), W => {
            Sets::<W>::new(self, self.turn).completing().next().map(|cell| Move(cell as u16))
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
            // Being cut off is worse than any distance.
            let (distance, cells) = position.bridged_distance(player).unwrap_or((position.size() + 1, 0));
            let tempo = if player == position.turn { STONE / 2 } else { 0 };
            CELL * cells.min(MOST_CELLS_COUNTED) as i32 - STONE * distance as i32 + tempo
        };
        worth(Player::First) - worth(Player::Second)
    }

    /// Fitted roughly to games in which both sides sampled moves by preference.
    fn scale(&self) -> f64 {
        350.0
    }
}

/// The preference of Hex. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectionPreference;

impl ConnectionPreference {
    fn weigh_cells<const W: usize>(position: &Hex, moves: &[Move], weights: &mut Vec<f64>) {
        let mover = position.turn;
        let (own, other) = (Sets::<W>::new(position, mover), Sets::<W>::new(position, mover.other()));
        let way = |sets: &Sets<W>| sets.connection().map_or(BitSet::EMPTY, |(_, cells)| cells);
        let leaps = own.bridges().iter().fold(BitSet::EMPTY, |all, (far, open)| all | own.moved(own.own & *open, *far));
        let factors: [(BitSet<W>, f64); 8] = [
            (own.completing(), 1e4),
            (other.completing(), 1e3),
            (own.broken_bridges(), 20.0),
            (way(&own), 4.0),
            (way(&other), 3.0),
            (leaps, 1.6),
            (own.beside(own.own), 1.2),
            (own.beside(own.other), 1.2),
        ];
        let size = f64::from(position.size());
        weights.extend(moves.iter().map(|mv| {
            let Some((column, row)) = position.place(*mv) else { return swap_weight(position) };
            // 0 in the middle, 1 at the edge.
            let off = |at: u32| (2.0 * f64::from(at) - (size - 1.0)).abs() / (size - 1.0);
            let centre = 3.0 - 2.0 * off(column).max(off(row));
            let cell = usize::from(mv.0);
            let factor = |product: f64, (cells, factor): &(BitSet<W>, f64)| {
                if cells.contains(cell) { product * factor } else { product }
            };
            factors.iter().fold(centre, factor)
        }));
    }
}

/// A stone in the middle half of the board is worth swapping.
fn swap_weight(position: &Hex) -> f64 {
    let size = position.size();
    let middle = size / 4..size - size / 4;
    let strong = (0..size).any(|row| {
        (0..size)
            .any(|column| position.stone(column, row).is_some() && middle.contains(&row) && middle.contains(&column))
    });
    if strong { f64::from(size * size) } else { 1.0 }
}

impl Preference<Hex> for ConnectionPreference {
    fn weigh(&self, position: &Hex, moves: &[Move], weights: &mut Vec<f64>) {
        weights.clear();
        with_words!(position.size(), W => ConnectionPreference::weigh_cells::<W>(position, moves, weights));
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
