//! Queries on a [`Board`]: stones, chains, liberties, eyes, legality, scores.
//!
//! Nothing here modifies the board. O(1) unless stated otherwise.

use super::board::{Board, at_sides};
use super::layout::{
    CHAIN, COLOUR, EDGE_SHIFT, EMPTY, EMPTY_NEIGHBOURS, Point, RIM, SLOTS, STONE_KEYS, share, stone, surrounded,
};
use tesuji_core::{Player, PositionHash};

/// Which surrounded points a playout never fills. Both tests apply only to empty points with four
/// own neighbours, where the rim counts as own.
pub(super) trait EyeTest {
    fn is_eye<const STRIDE: usize>(board: &Board, player: Player, point: Point) -> bool;
}

/// The one-point eye of libEGO and most light playouts: at most one diagonal neighbour is an enemy,
/// none on the edge.
pub(super) struct Diagonals;

impl EyeTest for Diagonals {
    #[inline(always)]
    fn is_eye<const STRIDE: usize>(board: &Board, player: Player, point: Point) -> bool {
        let index = point.index();
        let stride = board.stride::<STRIDE>();
        let enemy = player.index() as u16 ^ 1;
        let mut enemies = board.slots[index].near >> EDGE_SHIFT;
        for n in
            [index.wrapping_sub(stride + 1), index.wrapping_sub(stride - 1), index + stride - 1, index + stride + 1]
        {
            enemies += u16::from(board.slots[n].label & stone(enemy) != 0);
        }
        enemies < 2
    }
}

/// V-Run's test: all neighbours belong to one chain (2016, §6.2.1, "fully surrounded by the same
/// group").
pub(super) struct OneChain;

impl EyeTest for OneChain {
    #[inline(always)]
    fn is_eye<const STRIDE: usize>(board: &Board, player: Player, point: Point) -> bool {
        let labels = at_sides(board.around(point.index()), |n| board.slots[n].label);
        let mut own = labels.into_iter().filter(|label| label & stone(player.index() as u16) != 0);
        let first = own.next();
        own.all(|label| Some(label) == first)
    }
}

/// The colour of the stone in a label.
fn owner(label: u16) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| label & stone(player.index() as u16) != 0)
}

impl Board {
    /// The indices of the four neighbours, for any point.
    fn around(&self, index: usize) -> [usize; 4] {
        let stride = self.state.stride as usize;
        let around = [index.wrapping_sub(stride), index.wrapping_sub(1), index + 1, index + stride];
        at_sides(around, |n| if n < SLOTS { n } else { Point::NONE.index() })
    }

    /// The number of lines.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.state.size as usize
    }

    /// The number of points.
    #[inline]
    #[must_use]
    pub fn area(&self) -> usize {
        self.size() * self.size()
    }

    /// The point in this column and row, both from 0, row 0 at the bottom; `None` off the board.
    #[inline]
    #[must_use]
    pub fn point(&self, column: usize, row: usize) -> Option<Point> {
        let on_board = column < self.size() && row < self.size();
        on_board.then(|| Point(((row + 1) * (self.size() + 1) + column + 1) as u16))
    }

    /// Column and row of a point, both from 0, row 0 at the bottom.
    #[inline]
    #[must_use]
    pub fn column_row(&self, point: Point) -> (usize, usize) {
        let stride = self.size() + 1;
        (point.index() % stride - 1, point.index() / stride - 1)
    }

    /// The number of a point: row by row from A1, which is 0.
    #[inline]
    #[must_use]
    pub fn number(&self, point: Point) -> usize {
        let stride = self.size() + 1;
        // A division of short numbers takes half the time.
        point.index() - stride - usize::from(point.0 / stride as u16)
    }

    /// The point with this number; `None` above the last.
    #[inline]
    #[must_use]
    pub fn numbered(&self, number: usize) -> Option<Point> {
        self.point(number % self.size(), number / self.size())
    }

    /// The points of a row, from 0 at the bottom, from the left.
    #[inline]
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = Point> + use<> {
        let first = (row + 1) * (self.size() + 1) + 1;
        (first..first + self.size()).map(|index| Point(index as u16))
    }

    /// All points, row by row from A1.
    #[inline]
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size();
        (0..size * size).map(move |number| Point(((number / size + 1) * (size + 1) + number % size + 1) as u16))
    }

    /// Whether this is a point of this board (points may come from boards of other sizes).
    #[inline]
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.slots[point.index()].label & RIM == 0
    }

    /// The two to four neighbours of a point.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> {
        self.around(point.index()).into_iter().map(|n| Point(n as u16)).filter(|n| self.contains(*n))
    }

    /// The colour of the stone at this point.
    #[inline]
    #[must_use]
    pub fn stone_at(&self, point: Point) -> Option<Player> {
        owner(self.slots[point.index()].label)
    }

    /// Whether the point is on the board and empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, point: Point) -> bool {
        self.slots[point.index()].label & EMPTY != 0
    }

    /// The number of stones of this colour on the board.
    #[inline]
    #[must_use]
    pub fn stones(&self, player: Player) -> u32 {
        u32::from(self.state.stones[player.index()])
    }

    /// The number of stones of this colour that were captured.
    #[inline]
    #[must_use]
    pub fn lost(&self, player: Player) -> u32 {
        self.state.prisoners[player.index()]
    }

    /// The number of empty points.
    #[inline]
    #[must_use]
    pub fn empty_count(&self) -> usize {
        self.state.empty_count as usize
    }

    /// The point that may not be retaken at once.
    #[inline]
    #[must_use]
    pub fn ko(&self) -> Option<Point> {
        (self.state.ko != 0).then_some(Point(self.state.ko))
    }

    /// The chain of the stone at this point, empty for an empty point. O(stones of the chain).
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> {
        let first = self.stone_at(point).map(|_| point.index());
        std::iter::successors(first, move |&at| {
            let next = self.slots[at].link as usize;
            (next != point.index()).then_some(next)
        })
        .map(|index| Point(index as u16))
    }

    /// Whether two stones belong to one chain.
    #[inline]
    #[must_use]
    pub fn same_chain(&self, one: Point, other: Point) -> bool {
        self.stone_at(one).is_some() && self.slots[one.index()].label == self.slots[other.index()].label
    }

    /// The number of stones of the chain at this point; 0 for an empty point.
    #[must_use]
    pub fn chain_size(&self, point: Point) -> usize {
        match self.stone_at(point) {
            Some(_) => self.slots[(self.slots[point.index()].label & CHAIN) as usize].size as usize,
            None => 0,
        }
    }

    /// Pairs of a stone of the chain and an empty neighbour; 0 for an empty point.
    #[must_use]
    pub fn pseudo_liberties(&self, point: Point) -> usize {
        self.stone_at(point).map_or(0, |_| self.word(point) as usize & 0xfff)
    }

    /// The packed sums of the chain at this point.
    #[inline]
    fn word(&self, point: Point) -> u64 {
        self.liberties[(self.slots[point.index()].label & CHAIN) as usize]
    }

    /// The only liberty of the chain at this point, if it has exactly one.
    #[must_use]
    pub fn last_liberty(&self, point: Point) -> Option<Point> {
        self.stone_at(point)?;
        let word = self.word(point);
        let (count, sum, squares) = (word & 0xfff, word >> 12 & 0x1f_ffff, word >> 33);
        (count != 0 && count * squares == sum * sum).then(|| Point((sum / count) as u16))
    }

    /// Whether the chain at this point has exactly one liberty.
    #[must_use]
    pub fn in_atari(&self, point: Point) -> bool {
        self.last_liberty(point).is_some()
    }

    /// The liberties of the chain at this point, each once. O(stones of the chain).
    #[must_use]
    pub fn liberties(&self, point: Point) -> Vec<Point> {
        let mut found: Vec<Point> =
            self.chain(point).flat_map(|at| self.neighbours(at)).filter(|n| self.is_empty(*n)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a stone there is legal under "no suicide" and simple ko.
    #[must_use]
    pub fn is_legal(&self, player: Player, point: Point) -> bool {
        self.is_empty(point) && !self.is_ko(player, point) && !self.is_suicide(player, point)
    }

    /// Whether a neighbour of this point is empty.
    #[inline]
    pub(super) fn has_empty_neighbour(&self, point: Point) -> bool {
        self.slots[point.index()].near & EMPTY_NEIGHBOURS != 0
    }

    /// Whether simple ko forbids this player the point.
    #[inline]
    #[must_use]
    pub fn is_ko(&self, player: Player, point: Point) -> bool {
        self.state.ko == point.0 && point != Point::NONE && self.is_surrounded(player.other(), point)
    }

    /// Whether a stone on this empty point would capture nothing and leave its chain without a
    /// liberty.
    #[must_use]
    pub fn is_suicide(&self, player: Player, point: Point) -> bool {
        let index = point.index();
        if self.slots[index].near & EMPTY_NEIGHBOURS != 0 {
            return false;
        }
        let (own, enemy) = (stone(player.index() as u16), stone(player.index() as u16 ^ 1));
        !self.around(index).into_iter().any(|n| {
            let label = self.slots[n].label;
            let only_here = self.only_liberty_is(label, index);
            (label & own != 0 && !only_here) || (label & enemy != 0 && only_here)
        })
    }

    /// Whether a stone on this empty point would leave its chain without a liberty before captures
    /// are taken off.
    #[must_use]
    pub fn is_breathless(&self, player: Player, point: Point) -> bool {
        let (index, own) = (point.index(), stone(player.index() as u16));
        self.slots[index].near & EMPTY_NEIGHBOURS == 0
            && self.around(index).into_iter().all(|n| {
                let label = self.slots[n].label;
                label & own == 0 || self.only_liberty_is(label, index)
            })
    }

    /// Whether all pseudo-liberties of the chain are this point.
    #[inline]
    fn only_liberty_is(&self, label: u16, index: usize) -> bool {
        let word = self.liberties[(label & CHAIN) as usize];
        word == (word & 7).wrapping_mul(share(index))
    }

    /// Whether all neighbours of the point are stones of this player, the edge not counted.
    #[inline]
    #[must_use]
    pub fn is_surrounded(&self, player: Player, point: Point) -> bool {
        self.slots[point.index()].near & surrounded(player.index() as u16) != 0
    }

    /// Whether this empty point is an eye of the player by the usual test of light playouts: all
    /// neighbours are own stones, and at most one diagonal neighbour is an enemy's (none on the
    /// edge).
    #[must_use]
    pub fn is_eye(&self, player: Player, point: Point) -> bool {
        self.is_empty(point) && self.is_surrounded(player, point) && Diagonals::is_eye::<0>(self, player, point)
    }

    /// Whether this empty point is an eye of the player by V-Run's test: all neighbours are own
    /// stones of one chain.
    #[must_use]
    pub fn is_one_chain_eye(&self, player: Player, point: Point) -> bool {
        self.is_empty(point) && self.is_surrounded(player, point) && OneChain::is_eye::<0>(self, player, point)
    }

    /// A stone of each chain next to a point, with the chain's label; empty points and the edge
    /// have labels too.
    fn chains_beside(&self, point: Point) -> impl Iterator<Item = (u16, Point)> {
        let around = self.around(point.index());
        let label = move |number: usize| self.slots[around[number]].label;
        let is_first = move |number: &usize| (0..*number).all(|earlier| label(earlier) != label(*number));
        (0..around.len()).filter(is_first).map(move |number| (label(number), Point(around[number] as u16)))
    }

    /// The points a player would capture with a stone there. O(stones captured).
    pub fn captures(&self, player: Player, point: Point) -> impl Iterator<Item = Point> {
        let enemy = stone(player.index() as u16 ^ 1);
        self.chains_beside(point)
            .filter(move |(label, _)| label & enemy != 0 && self.only_liberty_is(*label, point.index()))
            .flat_map(|(_, stone)| self.chain(stone))
    }

    /// The hash of the stones after a legal move or suicide, without playing it. O(stones
    /// captured).
    #[must_use]
    pub fn hash_after(&self, player: Player, point: Point) -> PositionHash {
        let key = |owner: Player, at: Point| STONE_KEYS[owner.index()][at.index()];
        let mut hash = self.state.hash ^ key(player, point);
        for at in self.captures(player, point) {
            hash ^= key(player.other(), at);
        }
        if self.is_suicide(player, point) {
            hash ^= key(player, point);
            for (_, own) in self.chains_beside(point).filter(|(_, at)| self.stone_at(*at) == Some(player)) {
                hash = self.chain(own).fold(hash, |hash, at| hash ^ key(player, at));
            }
        }
        PositionHash(hash)
    }

    /// The hash of the stones.
    #[inline]
    #[must_use]
    pub fn hash(&self) -> PositionHash {
        PositionHash(self.state.hash)
    }

    /// The hash of the stones, computed from scratch. O(points).
    #[must_use]
    pub fn recomputed_hash(&self) -> PositionHash {
        PositionHash(self.points().fold(0, |hash, point| {
            self.stone_at(point).map_or(hash, |owner| hash ^ STONE_KEYS[owner.index()][point.index()])
        }))
    }

    /// Black stones minus white ones.
    #[inline]
    #[must_use]
    pub fn stone_difference(&self) -> i32 {
        i32::from(self.state.stones[0]) - i32::from(self.state.stones[1])
    }

    /// Empty points whose neighbours are all black, minus those whose neighbours are all white.
    /// O(empty points).
    #[must_use]
    pub fn surrounded_difference(&self) -> i32 {
        let count = |colour: u16| {
            let bit = surrounded(colour);
            self.empty_list().iter().map(|&p| i32::from(self.slots[p as usize].near & bit != 0)).sum::<i32>()
        };
        count(0) - count(1)
    }

    /// White stones captured minus black stones captured: Black's lead in prisoners.
    #[inline]
    #[must_use]
    pub fn prisoner_difference(&self) -> i32 {
        self.state.prisoners[1] as i32 - self.state.prisoners[0] as i32
    }

    /// Empty regions that touch only black stones, minus those that touch only white ones, in
    /// points. O(points).
    #[must_use]
    pub fn territory_difference(&self) -> i32 {
        let mut seen = [false; SLOTS];
        let mut difference = 0;
        // Every point is pushed once.
        let mut stack = [0_u16; SLOTS];
        for start in self.points().filter(|point| self.is_empty(*point)) {
            if std::mem::replace(&mut seen[start.index()], true) {
                continue;
            }
            let (mut region, mut borders) = (0, 0);
            stack[0] = start.index() as u16;
            let mut height = 1;
            while height > 0 {
                height -= 1;
                let at = usize::from(stack[height]);
                region += 1;
                for n in self.around(at) {
                    let label = self.slots[n].label;
                    borders |= label & COLOUR & !(EMPTY | RIM);
                    if label & EMPTY != 0 && !std::mem::replace(&mut seen[n], true) {
                        stack[height] = n as u16;
                        height += 1;
                    }
                }
            }
            difference += region * (i32::from(borders == stone(0)) - i32::from(borders == stone(1)));
        }
        difference
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in (0..self.size()).rev() {
            let line: String = (0..self.size())
                .map(|column| match self.point(column, row).and_then(|point| self.stone_at(point)) {
                    Some(Player::First) => 'X',
                    Some(Player::Second) => 'O',
                    None => '.',
                })
                .collect();
            writeln!(f, "{line}")?;
        }
        write!(f, "ko: {:?}", self.ko().map(|point| self.column_row(point)))
    }
}
