//! Windows that a player can complete in one turn, maintained stone by stone, and decisive
//! playouts.
//!
//! A *window* is `LINE` points in a row. It is **hot** for a player if at most `TURN` of its points
//! (the stones of one turn) are empty and all others are the player's: the player wins there in the
//! next turn unless an opposing stone blocks it. A stone can heat only windows through it. So every
//! line of the board is stored as a word for each player, and for each new stone, in each of its
//! four lines, the own stones around it (nine or eleven points) index a table of the windows that
//! hold enough of them. For nearly all stones the result is empty four times, and no further work
//! is done:
//!
//! > heated = table[(own≫(place − LINE + 1)) mod 2^(2·LINE − 1)]
//!
//! Only then are opposing stones in the window checked, and again when the window is used: an
//! opposing stone cools it for good. Where only rows of exactly `LINE` stones win, so does an own
//! stone next to the window.
//!
//! **Decisive moves** (Teytaud & Teytaud, "On the huge benefit of decisive moves in Monte-Carlo
//! tree search algorithms", CIG 2010): a side that can win in this turn does; else, if the opponent
//! could win in the next turn, a stone goes where it blocks the most hot windows; else the move is
//! random. A random move never completes a row, because such a row would have been hot.
//! Deviation: with two stones a turn (Connect6) an immediate win is a win in the turn, for both
//! sides.

use super::fill::{Order, STRIDE, list_empty};
use super::{LARGEST, Point, REACH, Stones};
use crate::bit_set::BitSet;
use tesuji_core::{Fraction, Player, Rng};

/// Rows, columns and both kinds of diagonals of the largest board.
const MOST_LINES: usize = 6 * LARGEST - 2;

/// Moves drawn from one random word; see `fill`.
const DRAWS: u32 = 4;

/// Words of the set of lines with hot windows.
const LINE_WORDS: usize = MOST_LINES.div_ceil(64);

/// The points off the board in every line, by board size. Places are counted as in [`Line`].
static OUTSIDE: [[u64; MOST_LINES]; LARGEST + 1] = {
    let mut outside = [[!0; MOST_LINES]; LARGEST + 1];
    let mut size = 1;
    while size <= LARGEST {
        let mut row = 0;
        while row < size {
            let mut column = 0;
            while column < size {
                let places = places(size, column, row);
                let mut line = 0;
                while line < 4 {
                    outside[size][places[line].0] &= !(1 << places[line].1);
                    line += 1;
                }
                column += 1;
            }
            row += 1;
        }
        size += 1;
    }
    outside
};

/// For windows of `line` points with at most `turn` missing: by the own stones around a stone, the
/// windows through it that hold enough, as bits; bit k is the window that begins k − `line` + 1
/// steps from it.
const fn heat_table<const SLOTS: usize>(line: usize, turn: u32) -> [u8; SLOTS] {
    let mut table = [0; SLOTS];
    let mut own = 0;
    while own < SLOTS {
        let mut start = 0;
        while start < line {
            if (own >> start & ((1 << line) - 1)).count_ones() + turn >= line as u32 {
                table[own] |= 1 << start;
            }
            start += 1;
        }
        own += 1;
    }
    table
}

static FIVES: [u8; 512] = heat_table(5, 1);
static SIXES: [u8; 2048] = heat_table(6, 2);

/// For each of the four directions the number of the line through a point and the point's place in
/// it.
#[inline(always)]
const fn places(size: usize, column: usize, row: usize) -> [(usize, usize); 4] {
    [
        (row, column + REACH),
        (size + column, row + REACH),
        (3 * size - 1 + column - row, column + REACH),
        (4 * size - 1 + column + row, column + REACH),
    ]
}

/// The point at a place of a line.
fn point_of(size: usize, line: usize, place: usize) -> Point {
    let along = place - REACH;
    let (column, row) = match line {
        _ if line < size => (along, line),
        _ if line < 2 * size => (line - size, along),
        _ if line < 4 * size - 1 => (along, 3 * size - 1 + along - line),
        _ => (along, line - (4 * size - 1) - along),
    };
    Point::new(column as u8, row as u8)
}

/// One line of the board, one bit per place, for each player.
#[derive(Clone, Copy, Default)]
struct Line {
    stones: [u64; 2],
    /// The first places of hot windows. Some may have cooled since.
    hot: [u64; 2],
}

/// The lines of a board, for rows of `LINE` and turns of `TURN` stones: (5, 1) or (6, 2).
pub(crate) struct HotWindows<const LINE: usize, const TURN: usize> {
    lines: [Line; MOST_LINES],
    /// The lines that may have hot windows, for each player.
    hot_lines: [BitSet<LINE_WORDS>; 2],
    /// Whether a player may have any.
    alarm: [bool; 2],
    /// Whether a player's rows must not be longer than `LINE`.
    exact: [bool; 2],
    size: usize,
}

impl<const LINE: usize, const TURN: usize> HotWindows<LINE, TURN> {
    /// The lines of a board; `exact` states for each player whether longer rows do not win.
    #[inline]
    pub(crate) fn new(stones: &Stones, exact: [bool; 2]) -> Self {
        let mut hot_windows = HotWindows {
            lines: [Line::default(); MOST_LINES],
            hot_lines: [BitSet::EMPTY; 2],
            alarm: [false; 2],
            exact,
            size: stones.size(),
        };
        for player in Player::BOTH {
            for row in 0..stones.size() {
                let mut left = stones.rows[player.index()][row];
                while left != 0 {
                    hot_windows.put(Point::new(left.trailing_zeros() as u8, row as u8), player);
                    left &= left - 1;
                }
            }
        }
        hot_windows
    }

    /// Adds a stone on an empty point.
    #[inline(always)]
    pub(crate) fn put(&mut self, point: Point, player: Player) {
        let me = player.index();
        let places = places(self.size, point.column(), point.row());
        let mut heated = [0; 4];
        for (heated, (line, place)) in heated.iter_mut().zip(places) {
            let own = &mut self.lines[line].stones[me];
            *own |= 1 << place;
            let around = (*own >> (place + 1 - LINE)) as usize;
            *heated = if LINE == 5 { FIVES[around & 511] } else { SIXES[around & 2047] };
        }
        if heated != [0; 4] {
            self.heat(me, places, heated);
        }
    }

    /// Records the windows through a new stone that hold enough own stones.
    #[cold]
    fn heat(&mut self, me: usize, places: [(usize, usize); 4], heated: [u8; 4]) {
        for ((line, place), heated) in places.into_iter().zip(heated) {
            if heated == 0 {
                continue;
            }
            let hot = self.live(line, u64::from(heated) << (place + 1 - LINE), me);
            if hot != 0 {
                self.lines[line].hot[me] |= hot;
                self.hot_lines[me].insert(line);
                self.alarm[me] = true;
            }
        }
    }

    /// Those of the windows of a line, each with enough own stones, in which a row is still
    /// possible.
    #[inline]
    fn live(&self, line: usize, windows: u64, me: usize) -> u64 {
        let stones = &self.lines[line].stones;
        let mut closed = stones[me ^ 1] | OUTSIDE[self.size][line];
        let (mut full, mut taken) = (!0, 0);
        for step in 0..LINE {
            taken |= closed >> step;
            full &= stones[me] >> step;
        }
        if self.exact[me] {
            closed = stones[me];
            taken |= closed << 1 | closed >> LINE;
        }
        windows & !(taken | full)
    }

    /// Drops windows that have cooled; returns whether any is hot.
    fn refresh(&mut self, me: usize) -> bool {
        let mut any = false;
        for word in 0..LINE_WORDS {
            let mut left = self.hot_lines[me].0[word];
            while left != 0 {
                let line = word * 64 + left.trailing_zeros() as usize;
                let hot = self.live(line, self.lines[line].hot[me], me);
                self.lines[line].hot[me] = hot;
                if hot == 0 {
                    self.hot_lines[me].0[word] ^= left & left.wrapping_neg();
                }
                any |= hot != 0;
                left &= left - 1;
            }
        }
        self.alarm[me] = any;
        any
    }

    /// Passes the hot windows of a player to `f`: line, first place, missing own stones as bits
    /// from the first place on. Valid only right after [`refresh`](Self::refresh).
    #[inline]
    fn visit_hot(&self, me: usize, mut f: impl FnMut(usize, usize, u64)) {
        for word in 0..LINE_WORDS {
            let mut lines = self.hot_lines[me].0[word];
            while lines != 0 {
                let line = word * 64 + lines.trailing_zeros() as usize;
                lines &= lines - 1;
                let mut windows = self.lines[line].hot[me];
                while windows != 0 {
                    let start = windows.trailing_zeros() as usize;
                    windows &= windows - 1;
                    f(line, start, !(self.lines[line].stones[me] >> start) & ((1 << LINE) - 1));
                }
            }
        }
    }

    /// The point on which a player with `left` stones in this turn plays to win in it, and whether
    /// that stone already wins.
    pub(crate) fn winning(&mut self, player: Player, left: usize) -> Option<(Point, bool)> {
        let me = player.index();
        if !self.alarm[me] || !self.refresh(me) {
            return None;
        }
        let mut found: Option<(u32, usize, usize)> = None;
        self.visit_hot(me, |line, start, missing| {
            let count = missing.count_ones();
            if count as usize <= left && found.is_none_or(|(least, ..)| count < least) {
                found = Some((count, line, start + missing.trailing_zeros() as usize));
            }
        });
        found.map(|(count, line, place)| (point_of(self.size, line, place), count == 1))
    }

    /// Whether a player completes rows on two or more points, each with one stone.
    pub(crate) fn has_two_points(&mut self, player: Player) -> bool {
        let me = player.index();
        let (mut first, mut more) = (None, false);
        self.refresh(me);
        self.visit_hot(me, |line, start, missing| {
            if missing.count_ones() == 1 {
                let point = point_of(self.size, line, start + missing.trailing_zeros() as usize);
                more |= *first.get_or_insert(point) != point;
            }
        });
        more
    }

    /// The point where a player blocks most of what the opponent could complete in the next turn,
    /// among the allowed points; ties are broken uniformly. `None` if the opponent threatens
    /// nothing.
    pub(crate) fn saving(
        &mut self,
        player: Player,
        rng: &mut Rng,
        mut allowed: impl FnMut(Point) -> bool,
    ) -> Option<Point> {
        let other = player.other().index();
        if !self.alarm[other] || !self.refresh(other) {
            return None;
        }
        let (mut best, mut ties, mut chosen) = (0, 0, None);
        self.visit_hot(other, |line, start, mut missing| {
            while missing != 0 {
                let point = point_of(self.size, line, start + missing.trailing_zeros() as usize);
                missing &= missing - 1;
                let hits = self.hits(other, point);
                if hits < best || !allowed(point) {
                    continue;
                }
                if hits > best {
                    (best, ties) = (hits, 0);
                }
                // A point occurs once for each window it hits, so ties are equally frequent for all
                // points that hit equally many.
                ties += 1;
                if ties == 1 || rng.below(ties) == 0 {
                    chosen = Some(point);
                }
            }
        });
        chosen
    }

    /// For every point of the board (row by row) the sum of the values of the windows through it;
    /// `worth` gives the value by the stones of `me` and of the opponent in a window.
    pub(crate) fn sum_over_windows<const COUNTS: usize>(
        &self,
        me: usize,
        worth: &[[f64; COUNTS]; COUNTS],
    ) -> [f64; LARGEST * LARGEST] {
        let mut sums = [0.0; LARGEST * LARGEST];
        let window = (1_u64 << LINE) - 1;
        for (line, outside) in OUTSIDE[self.size].iter().enumerate().take(6 * self.size - 2) {
            let inside = !outside;
            let length = inside.count_ones() as usize;
            if length < LINE {
                continue;
            }
            let first = inside.trailing_zeros() as usize;
            let [own, other] = [me, me ^ 1].map(|player| self.lines[line].stones[player] >> first);
            let start = point_of(self.size, line, first);
            let stride = match line {
                _ if line < self.size => 1,
                _ if line < 2 * self.size => self.size as isize,
                _ if line < 4 * self.size - 1 => self.size as isize + 1,
                _ => 1 - self.size as isize,
            };
            let mut values = [0.0; LARGEST + 1];
            for (from, value) in values.iter_mut().enumerate().take(length + 1 - LINE) {
                let counts = [own, other].map(|stones| (stones >> from & window).count_ones() as usize);
                *value = worth[counts[0]][counts[1]];
            }
            let mut index = (start.row() * self.size + start.column()) as isize;
            for place in 0..length {
                // Summed separately for each point: subtracting from a running sum would accumulate
                // rounding errors.
                let windows = &values[(place + 1).saturating_sub(LINE)..=place];
                sums[index as usize] += windows.iter().sum::<f64>();
                index += stride;
            }
        }
        sums
    }

    /// The number of hot windows of a player that contain the point.
    fn hits(&self, me: usize, point: Point) -> u32 {
        let places = places(self.size, point.column(), point.row());
        let through = |(line, place): (usize, usize)| {
            (self.lines[line].hot[me] >> (place + 1 - LINE) & ((1 << LINE) - 1)).count_ones()
        };
        places.into_iter().map(through).sum()
    }
}

/// The part of the rules that decisive playouts need.
pub(crate) trait Referee {
    /// Whether the player may play on this empty point.
    fn allows(&self, stones: &Stones, player: Player, point: Point) -> bool;

    /// Called for every stone.
    fn played(&mut self, player: Player, point: Point);
}

/// Plays a decisive random game from here, and returns its winner: `None` if no legal move was
/// left. The game must not have been won; `left` stones remain in the turn.
#[inline]
pub(crate) fn decisive_game<const LINE: usize, const TURN: usize>(
    stones: &mut Stones,
    (mut turn, mut left): (Player, usize),
    exact: [bool; 2],
    rng: &mut Rng,
    referee: &mut impl Referee,
) -> Option<Player> {
    let mut hot_windows = HotWindows::<LINE, TURN>::new(stones, exact);
    let mut draw = Draw::new(stones);
    loop {
        let mut forced = None;
        if hot_windows.alarm[0] | hot_windows.alarm[1] {
            if let Some((point, wins)) = hot_windows.winning(turn, left) {
                if wins {
                    referee.played(turn, point);
                    return Some(turn);
                }
                forced = Some(point);
            } else {
                forced = hot_windows.saving(turn, rng, |point| referee.allows(stones, turn, point));
            }
        }
        let point = match forced {
            Some(point) => point,
            None => draw.next(rng, |point| stones.is_empty(point), |point| referee.allows(stones, turn, point))?,
        };
        referee.played(turn, point);
        stones.put(point, turn);
        hot_windows.put(point, turn);
        left -= 1;
        if left == 0 {
            (turn, left) = (turn.other(), TURN);
        }
    }
}

/// The points not yet drawn, shuffled on demand.
struct Draw {
    order: Order,
    done: usize,
    count: usize,
    fraction: Fraction,
    fresh: u32,
}

impl Draw {
    #[inline]
    fn new(stones: &Stones) -> Draw {
        let mut order = [0; LARGEST * LARGEST + (1 << STRIDE)];
        let count = list_empty(stones, &mut order);
        Draw { order, done: 0, count, fraction: Rng::new(tesuji_core::Seed(0)).fraction(), fresh: 0 }
    }

    /// An empty and allowed point, drawn uniformly; `None` if there is none.
    #[inline(always)]
    fn next(
        &mut self,
        rng: &mut Rng,
        is_empty: impl Fn(Point) -> bool,
        allowed: impl Fn(Point) -> bool,
    ) -> Option<Point> {
        // Points from here on are not allowed now.
        let mut end = self.count;
        while self.done < end {
            if self.fresh == 0 {
                self.fraction = rng.fraction();
                self.fresh = DRAWS;
            }
            self.fresh -= 1;
            let chosen = self.done + self.fraction.below((end - self.done) as u32) as usize;
            let code = self.order[chosen];
            let point = Point::new((code & 31) as u8, (code >> STRIDE) as u8);
            if !is_empty(point) || allowed(point) {
                self.order.swap(chosen, self.done);
                self.done += 1;
                if is_empty(point) {
                    return Some(point);
                }
            } else {
                end -= 1;
                self.order.swap(chosen, end);
            }
        }
        None
    }
}
