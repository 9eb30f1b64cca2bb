//! Exact Othello endgames: the margin under best play, by alpha-beta without evaluation.
//!
//! * Many squares left: a transposition table (`table.rs`), **fastest first** (the move that leaves
//!   the opponent the fewest replies, corners counting twice, is tried first), enhanced
//!   transposition cut-offs, **stability** (s stable discs of the opponent bound the mover's margin
//!   by cells − 2s), principal-variation search.
//! * Seven to five left: only **parity** orders the moves (squares in quarters of the board with an
//!   odd number of empty squares first: the player who enters such a quarter can also play last
//!   there).
//! * Four and fewer: unrolled (`last.rs`).
//!
//! References: Andersson, "Writing an Othello program" (2007) and Delorme's edax for the
//! techniques; the code is independent. Where many squares are left, replies are ordered by a
//! search of a few plies with a rough evaluation (mobility, corners, frontier). It affects the
//! order only; the value is exact.

mod last;
mod table;

use super::bits::{flips, placements};
use super::{Empties, Move, Othello, heuristic};
use table::{NO_MOVE, Table};
use tesuji_core::{Endgame, Meter, Player, Position, Solved};

#[inline(always)]
const fn bit(square: u32) -> u64 {
    1 << (square & 63)
}

/// The squares around each square.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0_i32;
    while square < 64 {
        let mut other = 0_i32;
        while other < 64 {
            let (down, right) = ((other / 8 - square / 8).abs(), (other % 8 - square % 8).abs());
            if other != square && down <= 1 && right <= 1 {
                table[square as usize] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The quarters of the board.
const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The squares of all quarters with an odd number of these squares.
#[inline]
fn odd_quarters(empty: u64) -> u64 {
    QUARTERS.iter().fold(0, |odd, quarter| if (empty & quarter).count_ones() & 1 == 1 { odd | quarter } else { odd })
}

/// The quarter of a square.
#[inline(always)]
fn quarter_of(square: u32) -> u64 {
    QUARTERS[((square >> 2 & 1) | (square >> 4 & 2)) as usize]
}

/// Up to this number of empty squares only parity orders the moves, and nothing is stored.
const SHALLOW: u32 = 7;
/// From this number on, the children are looked up before they are searched.
const LOOKUP: u32 = 10;
/// From this number on, a small search orders the moves.
const ORDERED: u32 = 13;

/// The solver. Keeps its table between positions of the same game.
#[derive(Debug, Default)]
pub struct OthelloEndgame {
    table: Option<Table>,
    rule: Option<(u8, Empties)>,
}

impl Endgame<Othello> for OthelloEndgame {
    fn solve(
        &mut self,
        position: &Othello,
        memory: u64,
        meter: &mut Meter,
        look: &mut dyn FnMut(&Meter, &Solved<Move>),
    ) -> Solved<Move> {
        let rule = (position.size, position.empties);
        // A small endgame needs no large table, but may use an existing one.
        let wanted = memory.min(256_u64 << position.empty().count_ones().min(40));
        let fits = |table: &Table| table.bytes() <= memory && table.bytes() >= wanted / 2;
        if self.rule != Some(rule) || !self.table.as_ref().is_some_and(fits) {
            self.table = Some(Table::new(wanted));
            self.rule = Some(rule);
        }
        let cells = i32::from(position.size) * i32::from(position.size);
        let mut deep = EndgameSearch {
            table: self.table.as_mut().expect("made above"),
            meter,
            look,
            mover: position.turn(),
            known: Solved { least: -cells, most: cells, line: Vec::new() },
            nodes: 0,
            counted: 0,
            stopped: false,
            cells,
            board: position.board(),
            size: position.size,
            rule: position.empties,
        };
        if let Some(margin) = deep.root(position) {
            deep.line(*position, margin);
        }
        deep.settle();
        deep.known
    }

    fn memory_bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, Table::bytes)
    }
}

/// A search in progress.
struct EndgameSearch<'a> {
    table: &'a mut Table,
    meter: &'a mut Meter,
    look: &'a mut dyn FnMut(&Meter, &Solved<Move>),
    /// The player to move at the root.
    mover: Player,
    /// What is known of the root.
    known: Solved<Move>,
    nodes: u64,
    /// The number of nodes already reported to the meter.
    counted: u64,
    stopped: bool,
    cells: i32,
    board: u64,
    size: u8,
    rule: Empties,
}

#[derive(Clone, Copy)]
struct Reply {
    square: u32,
    turned: u64,
    rank: i32,
}

impl EndgameSearch<'_> {
    /// The margin of a finished game, for the owner of `own`.
    #[cold]
    fn finished(&self, own: u64, other: u64) -> i32 {
        let (mine, yours) = (own.count_ones() as i32, other.count_ones() as i32);
        let difference = mine - yours;
        match self.rule {
            Empties::None => difference,
            Empties::Winner => difference + difference.signum() * (self.cells - mine - yours),
        }
    }

    /// Reports the counted nodes to the meter and returns whether to go on. Called at every
    /// position with many empty squares, so at least every few thousand positions.
    #[inline]
    fn settle(&mut self) -> bool {
        self.meter.add_nodes(self.nodes - self.counted);
        self.counted = self.nodes;
        if !self.meter.iteration() {
            self.stopped = true;
        }
        (self.look)(self.meter, &self.known);
        !self.stopped
    }

    /// Records the result at the root: the mover gets at least `value` by this move, and no more if
    /// `all` moves have been searched.
    fn note(&mut self, value: i32, mv: Move, all: bool) {
        let own = if self.mover == Player::First { value } else { -value };
        if all || self.mover == Player::First {
            self.known.least = own;
        }
        if all || self.mover == Player::Second {
            self.known.most = own;
        }
        self.known.line.clear();
        self.known.line.push(mv);
    }

    /// The exact margin of a live position, for its mover; `None` if the meter stopped the search.
    fn root(&mut self, position: &Othello) -> Option<i32> {
        let (own, other) = (position.discs(self.mover), position.discs(self.mover.other()));
        let empties = position.empty().count_ones();
        let (mut alpha, beta) = (-self.cells - 1, self.cells + 1);
        if !self.settle() {
            return None;
        }
        let legal = placements(own, other, self.board);
        if legal == 0 {
            let value = -self.value(other, own, -beta, -alpha, empties);
            if self.stopped {
                return None;
            }
            self.note(value, Move::PASS, true);
            return Some(value);
        }
        let before = self.table.get(own, other);
        if let Some(known) = before.filter(|known| known.lower == known.upper && known.best != NO_MOVE) {
            self.note(i32::from(known.lower), Move(known.best), true);
            return Some(i32::from(known.lower));
        }
        let mut replies = [Reply { square: 0, turned: 0, rank: 0 }; 34];
        let known_best = before.map_or(NO_MOVE, |known| known.best);
        let count = self.replies(own, other, legal, known_best, empties, &mut replies);
        replies[..count].sort_by_key(|reply| std::cmp::Reverse(reply.rank));
        let (mut best, mut best_move) = (i32::MIN, NO_MOVE);
        for (number, Reply { square, turned, .. }) in replies[..count].iter().copied().enumerate() {
            let (next_own, next_other) = (other & !turned, own | turned | bit(square));
            let mut value = alpha + 1;
            if number > 0 {
                value = -self.value(next_own, next_other, -alpha - 1, -alpha, empties - 1);
            }
            if value > alpha && !self.stopped {
                value = -self.value(next_own, next_other, -beta, -alpha, empties - 1);
            }
            if self.stopped {
                return None;
            }
            if value > best {
                (best, best_move) = (value, square as u8);
                alpha = alpha.max(value);
                self.note(value, Move(best_move), false);
            }
        }
        self.table.put(own, other, (-self.cells - 1, beta), best, best_move);
        self.note(best, Move(best_move), true);
        Some(best)
    }

    /// The value by the method for this number of empty squares.
    #[inline]
    fn value(&mut self, own: u64, other: u64, alpha: i32, beta: i32, empties: u32) -> i32 {
        if empties > SHALLOW {
            return self.many(own, other, alpha, beta, empties, false);
        }
        let empty = self.board & !(own | other);
        if empties > 4 {
            self.shallow(own, other, alpha, beta, empty, odd_quarters(empty), false)
        } else {
            self.few(own, other, alpha, beta, empty, odd_quarters(empty))
        }
    }

    /// Five to seven empty squares: parity only.
    #[allow(clippy::too_many_arguments)] // the state of a frame, in registers
    fn shallow(&mut self, own: u64, other: u64, mut alpha: i32, beta: i32, empty: u64, odd: u64, passed: bool) -> i32 {
        self.nodes += u64::from(!passed);
        let legal = placements(own, other, self.board);
        if legal == 0 {
            return if passed {
                -self.finished(other, own)
            } else {
                -self.shallow(other, own, -beta, -alpha, empty, odd, true)
            };
        }
        let last = empty.count_ones() == 5;
        let mut best = i32::MIN;
        for mut group in [legal & odd, legal & !odd] {
            while group != 0 {
                let square = group.trailing_zeros();
                group &= group - 1;
                let turned = flips(own, other, square);
                let (next_own, next_other) = (other & !turned, own | turned | bit(square));
                let (left, odd) = (empty & !bit(square), odd ^ quarter_of(square));
                let value = if last {
                    -self.few(next_own, next_other, -beta, -alpha, left, odd)
                } else {
                    -self.shallow(next_own, next_other, -beta, -alpha, left, odd, false)
                };
                if value > best {
                    best = value;
                    if value >= beta {
                        return value;
                    }
                    alpha = alpha.max(value);
                }
            }
        }
        best
    }

    /// Many empty squares.
    fn many(&mut self, own: u64, other: u64, alpha: i32, beta: i32, empties: u32, passed: bool) -> i32 {
        self.nodes += u64::from(!passed);
        if self.stopped || !self.settle() {
            return 0;
        }
        let (mut alpha, mut beta) = (alpha, beta);
        let mut known_best = NO_MOVE;
        if let Some(known) = self.table.get(own, other) {
            let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            alpha = alpha.max(lower);
            beta = beta.min(upper);
            known_best = known.best;
        }
        if let Some(most) = self.stability_bound(own, other, alpha, empties) {
            return most;
        }
        let legal = placements(own, other, self.board);
        if legal == 0 {
            return if passed {
                -self.finished(other, own)
            } else {
                -self.many(other, own, -beta, -alpha, empties, true)
            };
        }
        let window = (alpha, beta);
        let mut replies = [Reply { square: 0, turned: 0, rank: 0 }; 34];
        let count = self.replies(own, other, legal, known_best, empties, &mut replies);
        let replies = &mut replies[..count];
        if empties >= LOOKUP {
            for reply in replies.iter() {
                let child = self.table.get(other & !reply.turned, own | reply.turned | bit(reply.square));
                if let Some(known) = child.filter(|known| -i32::from(known.upper) >= beta) {
                    return -i32::from(known.upper);
                }
            }
        }
        let (mut best, mut best_move) = (i32::MIN, NO_MOVE);
        for number in 0..count {
            let mut chosen = number;
            for later in number + 1..count {
                if replies[later].rank > replies[chosen].rank {
                    chosen = later;
                }
            }
            replies.swap(number, chosen);
            let Reply { square, turned, .. } = replies[number];
            let (next_own, next_other) = (other & !turned, own | turned | bit(square));
            let mut value;
            if number == 0 {
                value = -self.value(next_own, next_other, -beta, -alpha, empties - 1);
            } else {
                value = -self.value(next_own, next_other, -alpha - 1, -alpha, empties - 1);
                if alpha < value && value < beta && beta - alpha > 1 {
                    value = -self.value(next_own, next_other, -beta, -alpha, empties - 1);
                }
            }
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, square as u8);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.table.put(own, other, window, best, best_move);
        best
    }

    /// The upper bound of the mover's margin, if the opponent's stable discs keep it at or below
    /// alpha.
    #[inline]
    fn stability_bound(&self, own: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
        // Late in the game many discs are stable; earlier the test pays only if alpha is high.
        let hope = if empties < 12 { 0 } else { 2 * empties as i32 - 24 };
        if alpha < hope {
            return None;
        }
        let position = Othello {
            discs: [own, other],
            placements: 0,
            turn: Player::First,
            status: super::Status::Disc,
            size: self.size,
            empties: self.rule,
        };
        let most = self.cells - 2 * heuristic::stable(&position, Player::Second).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// The replies with their ranks.
    fn replies(
        &mut self,
        own: u64,
        other: u64,
        mut legal: u64,
        known: u8,
        empties: u32,
        replies: &mut [Reply; 34],
    ) -> usize {
        let odd = odd_quarters(self.board & !(own | other));
        let mut count = 0;
        let plies = match empties {
            ..ORDERED => 0,
            ORDERED..16 => 1,
            16..19 => 2,
            19..22 => 3,
            _ => 4,
        };
        while legal != 0 && count < replies.len() {
            let square = legal.trailing_zeros();
            legal &= legal - 1;
            let turned = flips(own, other, square);
            let (next_own, next_other) = (other & !turned, own | turned | bit(square));
            let rank = if u32::from(known) == square {
                i32::MAX
            } else if next_own == 0 {
                i32::MAX - 1
            } else if plies > 0 {
                -self.rough(next_own, next_other, -1_000_000, 1_000_000, plies) + i32::from(odd & bit(square) != 0)
            } else {
                let parity = i32::from(odd & bit(square) != 0);
                2 * self.fastest(next_own, next_other) + parity
            };
            replies[count] = Reply { square, turned, rank };
            count += 1;
        }
        count
    }

    /// The freedom of the opponent to move, negated: few replies, corners counting twice, few
    /// potential moves.
    #[inline]
    fn fastest(&self, own: u64, other: u64) -> i32 {
        let replies = placements(own, other, self.board);
        let mobility = replies.count_ones() + (replies & self.corners()).count_ones();
        let frontier = around(self.board & !(own | other)) & other;
        -(8 * mobility as i32) - frontier.count_ones() as i32 + 6 * (other & self.corners()).count_ones() as i32
    }

    #[inline]
    fn corners(&self) -> u64 {
        let last = u32::from(self.size) - 1;
        1 | bit(last) | bit(8 * last) | bit(9 * last)
    }

    /// A rough evaluation after a few plies, for the mover. For move ordering only; invalid once
    /// the search is stopped.
    fn rough(&mut self, own: u64, other: u64, mut alpha: i32, beta: i32, plies: u32) -> i32 {
        let mut legal = placements(own, other, self.board);
        if plies == 0 || legal == 0 {
            let theirs = placements(other, own, self.board);
            if legal == 0 && theirs == 0 {
                return 1_000 * self.finished(own, other);
            }
            let corners = self.corners();
            let count = |set: u64| set.count_ones() as i32;
            let mobility = count(legal) + count(legal & corners) - count(theirs) - count(theirs & corners);
            let empty = around(self.board & !(own | other));
            let frontier = count(empty & other) - count(empty & own);
            let held = count(own & corners) - count(other & corners);
            return 8 * mobility + 3 * frontier + 40 * held;
        }
        if plies >= 3 && !self.settle() {
            return 0;
        }
        let mut best = -1_000_000;
        while legal != 0 {
            let square = legal.trailing_zeros();
            legal &= legal - 1;
            let turned = flips(own, other, square);
            let value = -self.rough(other & !turned, own | turned | bit(square), -beta, -alpha, plies - 1);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Best play from the root's best move on, as far as it is known: every move is verified to
    /// keep the margin.
    fn line(&mut self, mut position: Othello, mut margin: i32) {
        let mut found = self.known.line.first().copied();
        self.known.line.clear();
        while let Some(mv) = found {
            self.known.line.push(mv);
            let mover = position.turn();
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            margin = if position.turn() == mover { margin } else { -margin };
            found = self.margin_keeping_move(&position, margin);
        }
    }

    /// A move that keeps the mover's margin; `None` if the search is stopped before it is found.
    fn margin_keeping_move(&mut self, position: &Othello, margin: i32) -> Option<Move> {
        let mover = position.turn();
        let (own, other) = (position.discs(mover), position.discs(mover.other()));
        let known = self.table.get(own, other).map(|known| known.best).filter(|best| *best != NO_MOVE);
        let mut moves = position.moves();
        // The table's move first: it is nearly always the right one.
        moves.sort_by_key(|mv| Some(mv.0) != known);
        moves.into_iter().find(|mv| {
            let mut next = *position;
            next.play(*mv);
            let (own, other) = (next.discs(mover.other()), next.discs(mover));
            let empties = (self.board & !(own | other)).count_ones();
            let value = if next.outcome().is_some() {
                -self.finished(own, other)
            } else {
                -self.value(own, other, -margin, -margin + 1, empties)
            };
            !self.stopped && value >= margin
        })
    }
}

/// The squares adjacent to a set, and the set itself.
#[inline]
const fn around(set: u64) -> u64 {
    const WEST: u64 = 0x0101_0101_0101_0101;
    let row = set | (set & !(WEST << 7)) << 1 | (set & !WEST) >> 1;
    row | row << 8 | row >> 8
}
