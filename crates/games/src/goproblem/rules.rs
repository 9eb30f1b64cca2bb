//! The position: Lin's rules of a life-and-death problem on bit sets.
//!
//! Idea: only some points matter. *In play* are the stones, the feasible points and the empty
//! points adjacent to either; they are numbered row by row from the top, at most 256, and a set of
//! them is four words. Constant data (neighbours, feasible points) lie behind an `Arc`; the
//! position itself is 160 bytes. Chains, liberties and captures come from flood fills with one mask
//! of neighbours per point.
//!
//! Reference: Lin 2017, appendix B, class `Board`. For the side to move:
//! * a feasible empty point is **legal** (`checkLegalMove`) if the stone's chain has a liberty or
//!   captures;
//! * a **ko** (`checkKo`) is a move whose chain has no liberty before captures and that captures
//!   exactly one stone which touches stones of the mover only. Retaking at once is legal as long as
//!   the ko has no winner, and makes the mover its *winner*; then only the winner may retake, five
//!   times in total;
//! * an own **true eye** (`checkFillEye`) is never filled: all neighbours are own stones, and all
//!   diagonals but one (at the edge and in the corner: all of them);
//! * **pass** (`checkPass`) is legal only if every legal point, true eyes included, fills a point
//!   surrounded by own stones, retakes the ko, or joins own stones with one liberty left. So a move
//!   always exists: where all legal points are true eyes, all of them fill own space;
//! * a stone that touches a living stone of its colour makes its chain **alive** and no longer
//!   important (`updateAlive`).
//!
//! The end, in this order (`getScore`): a side that has passed four times more often than the other
//! wins; three passes in a row are seki; the important stones are dead if one of them has been
//! captured; alive by [the alive test](super::alive). The score is Lin's table ([`Ending::score`]).
//!
//! An empty point out of play is a permanent liberty, except in the alive test, which fills it.
//!
//! Deviations:
//! * White winning by passes scores 0; the source returns −1, outside its own range.
//! * The source has no guard against cycles other than the one ko. Here a problem of *f* feasible
//!   points ends as seki after [`most_plies`](super::most_plies) = 3·f + 20 plies. The number of
//!   plies is therefore part of the position (of `==` and of the hash): no position repeats, and
//!   exhaustive searches may run.
//! * As in the source, marks stay on their points when stones are captured.

use super::alive;
use super::ending::Ending;
use super::problem::{Place, Problem, ProblemError};
use super::tables::{MOST_POINTS, Points, Tables};
use std::ops::ControlFlow;
use std::sync::Arc;
use tesuji_core::{Outcome, Player, Position, PositionHash, Rng, Zobrist, undo_by_copy};

const KEYS: Zobrist = Zobrist::new("goproblem");
/// How often the winner of a ko may retake it, the first time included.
const KO_ADVANTAGE: u8 = 5;
/// The surplus of passes that wins.
const PASSES_TO_WIN: i8 = 4;
/// The number of passes in a row that is seki.
const PASSES_TO_SEKI: u8 = 3;
/// No ko.
const NOWHERE: u16 = u16::MAX;

/// A move: a stone on a point in play (by its number), or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub(super) u16);

impl Move {
    /// No stone.
    pub const PASS: Move = Move(u16::MAX);

    /// Whether it is a pass.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == u16::MAX
    }
}

/// The effect of a stone on an empty point, before captures.
enum Effect {
    /// The chain has a liberty.
    Free,
    /// The chain has no liberty and captures nothing: illegal.
    Suicide,
    /// The chain gets liberties by capturing.
    Captures,
    /// The stone captures this one stone in a ko.
    Ko(usize),
}

/// A position of a problem. Black is the first player.
#[derive(Clone, PartialEq, Eq)]
pub struct GoProblem {
    pub(super) tables: Arc<Tables>,
    stones: [Points; 2],
    important: Points,
    alive: Points,
    /// Hash of stones and marks; [`Position::hash`] adds the rest.
    board_hash: u64,
    /// The point where a stone has just been captured in a ko.
    ko: u16,
    plies: u16,
    ko_winner: Option<Player>,
    ko_left: u8,
    passes: u8,
    /// Passes of Black minus those of White.
    balance: i8,
    turn: Player,
    ending: Option<Ending>,
}

impl std::fmt::Debug for GoProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoProblem")
            .field("title", &self.tables.problem.title)
            .field("stones", &self.stones)
            .field("important", &self.important)
            .field("alive", &self.alive)
            .field("ko", &self.ko_place().map(|place| place.show(self.size())))
            .field("ko_winner", &self.ko_winner)
            .field("ko_left", &self.ko_left)
            .field("passes", &self.passes)
            .field("balance", &self.balance)
            .field("plies", &self.plies)
            .field("turn", &self.turn)
            .field("ending", &self.ending)
            .finish_non_exhaustive()
    }
}

impl GoProblem {
    /// The problem at its start, Black to move.
    ///
    /// # Errors
    /// If it is inconsistent, or too large.
    pub fn new(problem: Problem) -> Result<GoProblem, ProblemError> {
        let tables = Tables::new(problem)?;
        let set = |which: &dyn Fn(super::Site) -> bool| -> Points {
            let sites = tables.places.iter().map(|place| tables.problem.site(*place));
            sites.enumerate().filter(|(_, site)| which(*site)).map(|(number, _)| number).collect()
        };
        let mut start = GoProblem {
            stones: Player::BOTH.map(|player| set(&|site| site.stone == Some(player))),
            important: set(&|site| site.important),
            alive: set(&|site| site.alive),
            board_hash: 0,
            ko: NOWHERE,
            plies: 0,
            ko_winner: None,
            ko_left: KO_ADVANTAGE,
            passes: 0,
            balance: 0,
            turn: Player::First,
            ending: None,
            tables: Arc::new(tables),
        };
        start.board_hash = start.recomputed_board_hash();
        start.ending = start.judge();
        Ok(start)
    }

    /// The problem as set.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.tables.problem
    }

    pub(super) fn size(&self) -> u8 {
        self.tables.problem.size
    }

    /// How the problem ended, if it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The side that has retaken a ko, which counts as its winner.
    #[must_use]
    pub fn ko_winner(&self) -> Option<Player> {
        self.ko_winner
    }

    /// How often the ko may still be retaken.
    #[must_use]
    pub fn ko_left(&self) -> u8 {
        self.ko_left
    }

    /// The point where a stone has just been captured in a ko.
    #[must_use]
    pub fn ko_place(&self) -> Option<Place> {
        (self.ko != NOWHERE).then(|| self.tables.places[usize::from(self.ko)])
    }

    /// The current number of passes in a row.
    #[must_use]
    pub fn passes_in_a_row(&self) -> u8 {
        self.passes
    }

    /// Passes of Black minus those of White.
    #[must_use]
    pub fn pass_balance(&self) -> i8 {
        self.balance
    }

    /// Plies played.
    #[must_use]
    pub fn plies(&self) -> u32 {
        u32::from(self.plies)
    }

    /// The colour of the stone on a point.
    #[must_use]
    pub fn stone(&self, place: Place) -> Option<Player> {
        let number = self.number(place)?;
        Player::BOTH.into_iter().find(|player| self.stones[player.index()].contains(number))
    }

    /// Whether a point of the board is (still) important.
    #[must_use]
    pub fn is_important(&self, place: Place) -> bool {
        self.number(place).is_some_and(|number| self.important.contains(number))
    }

    /// Whether a point of the board is marked alive.
    #[must_use]
    pub fn is_marked_alive(&self, place: Place) -> bool {
        self.number(place).is_some_and(|number| self.alive.contains(number))
    }

    /// The move on this point, if it is feasible; it need not be legal now.
    #[must_use]
    pub fn move_to(&self, place: Place) -> Option<Move> {
        self.number(place).filter(|number| self.tables.feasible.contains(*number)).map(|number| Move(number as u16))
    }

    /// The point of a move; `None` for a pass.
    #[must_use]
    pub fn place_of(&self, mv: Move) -> Option<Place> {
        self.tables.places.get(usize::from(mv.0)).copied()
    }

    pub(super) fn number(&self, place: Place) -> Option<usize> {
        let size = self.size();
        if place.row >= size || place.column >= size {
            return None;
        }
        self.tables.numbers[usize::from(place.row) * usize::from(size) + usize::from(place.column)].map(usize::from)
    }

    /// The number of plies after which the problem ends as seki.
    pub(super) fn most_plies(&self) -> u32 {
        u32::from(self.tables.most_plies)
    }

    pub(super) fn stones_of(&self, player: Player) -> Points {
        self.stones[player.index()]
    }

    pub(super) fn important_points(&self) -> Points {
        self.important
    }

    pub(super) fn alive_points(&self) -> Points {
        self.alive
    }

    pub(super) fn empty_points(&self) -> Points {
        self.empty()
    }

    /// Whether the mover's stone on an empty point captures something.
    pub(super) fn captures(&self, point: usize) -> bool {
        (self.tables.neighbours[point] & self.others()).any(|stone| self.falls(stone, point).is_some())
    }

    #[inline]
    fn own(&self) -> Points {
        self.stones[self.turn.index()]
    }

    #[inline]
    fn others(&self) -> Points {
        self.stones[self.turn.other().index()]
    }

    #[inline]
    fn empty(&self) -> Points {
        self.tables.all & !(self.stones[0] | self.stones[1])
    }

    /// The opponent's chain at `stone`, if a stone on `point` takes its last liberty.
    #[inline]
    fn falls(&self, stone: usize, point: usize) -> Option<Points> {
        let mut empty = self.empty();
        empty.remove(point);
        self.tables.chain_without(empty, stone, self.others())
    }

    /// The effect of the mover's stone on an empty point.
    #[inline]
    fn effect(&self, point: usize) -> Effect {
        let beside = self.tables.neighbours[point];
        let empty = self.empty();
        if beside.intersects(empty) {
            return Effect::Free;
        }
        let own = self.own();
        if beside.intersects(own) {
            let mut liberties = empty;
            liberties.remove(point);
            if self.tables.chain_without(liberties, point, own).is_none() {
                return Effect::Free;
            }
        }
        let mut falling = (beside & self.others()).filter(|stone| self.falls(*stone, point).is_some());
        let Some(first) = falling.next() else { return Effect::Suicide };
        let mut mine = own;
        mine.insert(point);
        if falling.next().is_none() && self.tables.neighbours[first].is_subset(mine) {
            Effect::Ko(first)
        } else {
            Effect::Captures
        }
    }

    /// Lin's `checkLegalMove` on a feasible empty point.
    #[inline]
    fn may_place(&self, point: usize) -> bool {
        match self.effect(point) {
            Effect::Free | Effect::Captures => true,
            Effect::Suicide => false,
            Effect::Ko(_) if point != usize::from(self.ko) => true,
            Effect::Ko(_) => match self.ko_winner {
                None => true,
                Some(winner) => winner == self.turn && self.ko_left > 0,
            },
        }
    }

    /// Lin's `checkFillEye`: a true eye of the mover.
    #[inline]
    fn is_true_eye(&self, point: usize) -> bool {
        let tables = &*self.tables;
        tables.neighbours[point].is_subset(self.own())
            && (tables.diagonals[point] & self.own()).count() >= u32::from(tables.eye_diagonals[point])
    }

    /// Whether a legal point does not prevent a pass: see `checkPass` above.
    fn lets_pass(&self, point: usize) -> bool {
        let tables = &*self.tables;
        let beside = tables.neighbours[point];
        if beside.is_subset(self.own()) || point == usize::from(self.ko) {
            return true;
        }
        if !beside.intersects(self.own()) {
            return false;
        }
        let mut empty = self.empty();
        for stone in beside & self.others() {
            if let Some(chain) = self.falls(stone, point) {
                empty |= chain;
            }
        }
        empty.remove(point);
        tables.has_one_liberty(empty, point, self.own())
    }

    /// Whether the mover may pass.
    fn may_pass(&self) -> bool {
        let mut points = self.tables.feasible & self.empty();
        points.all(|point| !self.may_place(point) || self.lets_pass(point))
    }

    fn place_stone(&mut self, point: usize) {
        let tables = Arc::clone(&self.tables);
        let mover = self.turn;
        let own = self.own();
        self.passes = 0;
        let taken_back = usize::from(self.ko) == point;
        self.ko = NOWHERE;
        if let Effect::Ko(stone) = self.effect(point) {
            if taken_back {
                self.ko_winner = Some(mover);
                self.ko_left = self.ko_left.saturating_sub(1);
            }
            // Lin marks the last neighbour without a liberty; own stones of the chain are among
            // them, and then the ko cannot be retaken there.
            let mut around = tables.around[point].iter().map(|next| usize::from(*next));
            if around.rfind(|next| own.contains(*next) || *next == stone) == Some(stone) {
                self.ko = stone as u16;
            }
        }
        let mut captured = Points::EMPTY;
        for stone in tables.neighbours[point] & self.others() {
            if !captured.contains(stone)
                && let Some(chain) = self.falls(stone, point)
            {
                captured |= chain;
            }
        }
        for stone in captured {
            self.board_hash ^= stone_key(stone, mover.other());
        }
        self.stones[mover.other().index()] &= !captured;
        self.stones[mover.index()].insert(point);
        self.board_hash ^= stone_key(point, mover);
        if tables.neighbours[point].intersects(self.own() & self.alive) && !self.alive.contains(point) {
            let (chain, _) = tables.chain(point, self.own() & !self.alive);
            for stone in chain {
                self.board_hash ^= alive_key(stone);
                if self.important.contains(stone) {
                    self.board_hash ^= important_key(stone);
                }
            }
            self.alive |= chain;
            self.important &= !chain;
        }
    }

    fn judge(&self) -> Option<Ending> {
        let mode = self.tables.problem.mode;
        if self.balance >= PASSES_TO_WIN {
            return Some(Ending::Passes(Player::First));
        }
        if self.balance <= -PASSES_TO_WIN {
            return Some(Ending::Passes(Player::Second));
        }
        if self.passes == PASSES_TO_SEKI {
            return Some(Ending::Seki);
        }
        let defender = self.stones[mode.defender().index()];
        let attacker = self.stones[mode.defender().other().index()];
        if !self.important.is_subset(defender) {
            return Some(Ending::Dead);
        }
        if alive::is_alive(&self.tables, defender, attacker, self.important) {
            return Some(Ending::Alive);
        }
        (self.plies >= self.tables.most_plies).then_some(Ending::Endless)
    }

    /// All state of the rules except the board, in one number.
    fn rest(&self) -> u64 {
        let winner = self.ko_winner.map_or(0, |player| 1 + player.index() as u64);
        let balance = (self.balance + PASSES_TO_WIN) as u64;
        let mut rest = u64::from(self.plies);
        for (value, bits) in [
            (u64::from(self.ko), 16),
            (winner, 2),
            (u64::from(self.ko_left), 3),
            (u64::from(self.passes), 2),
            (balance, 4),
            (self.turn.index() as u64, 1),
        ] {
            rest = rest << bits | value;
        }
        rest
    }

    fn recomputed_board_hash(&self) -> u64 {
        let mut hash = 0;
        for player in Player::BOTH {
            self.stones[player.index()].for_each(|stone| hash ^= stone_key(stone, player));
        }
        self.important.for_each(|point| hash ^= important_key(point));
        self.alive.for_each(|point| hash ^= alive_key(point));
        hash
    }
}

fn stone_key(point: usize, player: Player) -> u64 {
    KEYS.key((point * 4 + player.index()) as u64)
}

fn important_key(point: usize) -> u64 {
    KEYS.key((point * 4 + 2) as u64)
}

fn alive_key(point: usize) -> u64 {
    KEYS.key((point * 4 + 3) as u64)
}

impl Position for GoProblem {
    type Move = Move;

    undo_by_copy!();

    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| Outcome::graded(ending.score(self.tables.problem.mode, self.ko_winner)))
    }

    fn visit_moves<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ending.is_some() {
            return ControlFlow::Continue(());
        }
        let mut may_pass = true;
        for point in self.tables.feasible & self.empty() {
            if !self.may_place(point) {
                continue;
            }
            may_pass = may_pass && self.lets_pass(point);
            if !self.is_true_eye(point) {
                f(Move(point as u16))?;
            }
        }
        if may_pass { f(Move::PASS) } else { ControlFlow::Continue(()) }
    }

    fn play(&mut self, mv: Move) {
        if mv.is_pass() {
            self.balance += if self.turn == Player::First { 1 } else { -1 };
            self.passes += 1;
            self.ko = NOWHERE;
        } else {
            self.place_stone(usize::from(mv.0));
        }
        self.turn = self.turn.other();
        self.plies += 1;
        self.ending = self.judge();
    }

    fn hash(&self) -> PositionHash {
        PositionHash(self.board_hash ^ KEYS.key(4 * MOST_POINTS as u64 + self.rest()))
    }

    fn recomputed_hash(&self) -> PositionHash {
        PositionHash(self.recomputed_board_hash() ^ KEYS.key(4 * MOST_POINTS as u64 + self.rest()))
    }

    /// Every point in play, and the pass.
    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        self.tables.places.len() + 1
    }

    fn move_index(&self, mv: Move) -> usize {
        if mv.is_pass() { self.tables.places.len() } else { usize::from(mv.0) }
    }

    fn move_at(&self, index: usize) -> Option<Move> {
        let points = self.tables.places.len();
        if index == points {
            return Some(Move::PASS);
        }
        (index < points && self.tables.feasible.contains(index)).then_some(Move(index as u16))
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.ending.is_some() {
            return false;
        }
        if mv.is_pass() {
            return self.may_pass();
        }
        let point = usize::from(mv.0);
        point < MOST_POINTS
            && (self.tables.feasible & self.empty()).contains(point)
            && self.may_place(point)
            && !self.is_true_eye(point)
    }

    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        let mut moves = [Move::PASS; MOST_POINTS + 1];
        let mut count = 0;
        let _ = self.visit_moves::<()>(|mv| {
            moves[count] = mv;
            count += 1;
            ControlFlow::Continue(())
        });
        (count > 0).then(|| moves[rng.below(count as u32) as usize])
    }
}
