//! A game of Go: the board, the side to move, passes, the history.
//!
//! `Eq` and the hash cover the stones, the turn, the ko point and the passes in a row; under
//! scoring that counts prisoners also their difference, under Hawk's scoring (whose cap of 250
//! moves is part of the game) the number of moves. The general move limit is a guard against
//! endless games: positions that differ only in the number of moves are equal unless one has
//! reached it.

use super::board::{Board, Point, SavedBoard};
use super::history::History;
use super::playout::Playout;
use super::rules::{GoRules, KoRule, RuleError, Scoring, SuicideRule};
use std::ops::ControlFlow;
use tesuji_core::{Outcome, Player, Position, PositionHash, Rng, Trace, Undoable, Zobrist};

const STATE_KEYS: Zobrist = Zobrist::new("go state");

/// A stone on a point, or a pass. Two bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GoMove(Point);

impl GoMove {
    /// No stone.
    pub const PASS: GoMove = GoMove(Point::NONE);

    /// A stone on this point.
    #[inline]
    #[must_use]
    pub const fn stone(point: Point) -> GoMove {
        GoMove(point)
    }

    /// The point of the stone; `None` for a pass.
    #[inline]
    #[must_use]
    pub fn point(self) -> Option<Point> {
        (self != GoMove::PASS).then_some(self.0)
    }
}

/// Why a position cannot be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The rules themselves are impossible.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A stone off the board.
    #[error("the stone in column {column}, row {row} (from 1) is off the board of {size} lines")]
    OffBoard {
        /// From 1, left to right.
        column: usize,
        /// From 1, bottom to top.
        row: usize,
        /// Lines of the board.
        size: usize,
    },
    /// Two stones on one point.
    #[error("the point {0} is given twice")]
    Taken(String),
    /// A chain without liberties.
    #[error("the chain of {0} has no liberty")]
    NoLiberty(String),
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game has ended")]
    Ended,
    /// The point belongs to no board or to another one.
    #[error("the point is not on the board")]
    OffBoard,
    /// A stone stands there.
    #[error("the point is occupied")]
    Occupied,
    /// The stone would only capture its own chain.
    #[error("suicide: the stone would have no liberty")]
    Suicide,
    /// Simple ko forbids the capture.
    #[error("ko: the stone may not be retaken at once")]
    Ko,
    /// The board occurred before.
    #[error("superko: the move repeats an earlier board")]
    Superko,
}

/// A position of a game of Go.
#[derive(Debug)]
pub struct Go {
    pub(super) board: Board,
    rules: GoRules,
    turn: Player,
    passes: u8,
    moves: u32,
    history: History,
    /// A pool of board copies for moves that are made and taken back.
    saved: Vec<SavedBoard>,
}

impl Go {
    /// The beginning of a game, with the handicap stones of the rules set up.
    ///
    /// # Errors
    /// If the rules are impossible.
    pub fn new(rules: GoRules) -> Result<Go, SetupError> {
        rules.check()?;
        let handicap = rules.handicap_points();
        let turn = if handicap.is_empty() { Player::First } else { Player::Second };
        let stones: Vec<_> = handicap.into_iter().map(|(column, row)| (Player::First, column, row)).collect();
        Go::with_stones(rules, &stones, turn)
    }

    /// A position with these stones (owner, column, row; both from 0, row 0 at the bottom) and this
    /// player to move. The handicap of the rules is assumed to be among the stones.
    ///
    /// # Errors
    /// If the rules are impossible, a stone is off the board, a point is given twice, or a chain
    /// has no liberty.
    pub fn with_stones(rules: GoRules, stones: &[(Player, usize, usize)], turn: Player) -> Result<Go, SetupError> {
        rules.check()?;
        let board = set_up(rules.size, stones)?;
        let history = History::beginning_with(0);
        let mut go = Go { history, board, rules, turn, passes: 0, moves: 0, saved: Vec::new() };
        go.history = History::beginning_with(go.repetition_key(go.board.hash(), turn));
        Ok(go)
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &GoRules {
        &self.rules
    }

    /// The board: stones, chains, liberties, prisoners.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Lines of the board.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rules.size
    }

    /// Passes in a row just played: two end the game.
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Moves played since the beginning or the set-up, passes included.
    #[must_use]
    pub fn moves_played(&self) -> u32 {
        self.moves
    }

    /// The number of stones this player has captured.
    #[must_use]
    pub fn captured_by(&self, player: Player) -> u32 {
        self.board.lost(player.other())
    }

    /// Makes this player move next, as protocols and game records may request. Takes back a
    /// preceding pass.
    pub fn set_turn(&mut self, turn: Player) {
        if turn != self.turn {
            self.turn = turn;
            self.passes = 0;
        }
    }

    /// Resumes the game with `player` to move, also after two passes.
    pub(super) fn resume(&mut self, player: Player) {
        if self.passes >= 2 {
            self.passes = 0;
        }
        self.set_turn(player);
    }

    /// Changes the komi.
    pub fn set_komi(&mut self, komi: super::rules::Komi) {
        self.rules.komi = komi;
    }

    /// The result if the board were scored as it stands.
    #[must_use]
    pub fn score_now(&self) -> Outcome {
        self.rules.outcome(self.rules.scoring.difference(&self.board))
    }

    /// Whether the game has ended.
    #[inline]
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.passes >= 2 || self.moves >= self.rules.limit()
    }

    /// Why the move is not legal here; `None` if it is.
    #[must_use]
    pub fn why_illegal(&self, mv: GoMove) -> Option<Illegal> {
        if self.has_ended() {
            return Some(Illegal::Ended);
        }
        let point = mv.point()?;
        if !self.board.contains(point) {
            return Some(Illegal::OffBoard);
        }
        if !self.board.is_empty(point) {
            return Some(Illegal::Occupied);
        }
        if self.board.is_ko(self.turn, point) {
            return Some(Illegal::Ko);
        }
        let suicide = self.board.is_suicide(self.turn, point);
        if suicide && self.rules.suicide == SuicideRule::Forbidden {
            return Some(Illegal::Suicide);
        }
        if self.history_matters() && (suicide || self.history.was_vacated(self.turn, point)) {
            let key = self.repetition_key(self.board.hash_after(self.turn, point), self.turn.other());
            if self.history.contains(key) {
                return Some(Illegal::Superko);
            }
        }
        None
    }

    /// The key that superko compares: the stones, and under situational superko also the next
    /// player.
    fn repetition_key(&self, stones: PositionHash, next: Player) -> u64 {
        match (self.rules.ko, next) {
            (KoRule::Situational, Player::Second) => stones.0 ^ STATE_KEYS.key(0),
            _ => stones.0,
        }
    }

    /// The part of the hash that does not depend on stones.
    fn state_hash(&self) -> u64 {
        let mut hash = u64::from(self.passes.min(2)) << 1 | u64::from(self.moves >= self.rules.limit());
        hash = hash << 1 | self.turn.index() as u64;
        hash = hash << 10 | self.board.ko().map_or(0, Point::index) as u64;
        hash = hash << 24 | (self.prisoners_that_count() as u64 & 0xff_ffff);
        hash = hash << 24 | u64::from(self.moves_that_count() & 0xff_ffff);
        STATE_KEYS.key(1 + hash)
    }

    fn prisoners_that_count(&self) -> i32 {
        if self.rules.scoring.counts_prisoners() { self.board.prisoner_difference() } else { 0 }
    }

    fn moves_that_count(&self) -> u32 {
        if self.rules.scoring == Scoring::Hawk { self.moves } else { 0 }
    }

    /// The number of moves that the rules still allow.
    pub(super) fn moves_left(&self) -> u32 {
        self.rules.limit().saturating_sub(self.moves)
    }
}

/// A board with these stones.
fn set_up(size: usize, stones: &[(Player, usize, usize)]) -> Result<Board, SetupError> {
    let mut board = Board::new(size);
    let name = |column: usize, row: usize| super::notation::point_name(column, row);
    let mut owners = vec![None; size * size];
    for &(owner, column, row) in stones {
        if column >= size || row >= size {
            return Err(SetupError::OffBoard { column: column.saturating_add(1), row: row.saturating_add(1), size });
        }
        if owners[row * size + column].replace(owner).is_some() {
            return Err(SetupError::Taken(name(column, row)));
        }
    }
    let mut seen = vec![false; size * size];
    for start in 0..size * size {
        if owners[start].is_none() || std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let (mut stack, mut breathes) = (vec![start], false);
        while let Some(at) = stack.pop() {
            let (column, row) = (at % size, at / size);
            let mut look = |column: usize, row: usize| {
                let next = row * size + column;
                breathes |= owners[next].is_none();
                if owners[next] == owners[start] && !std::mem::replace(&mut seen[next], true) {
                    stack.push(next);
                }
            };
            if column > 0 {
                look(column - 1, row);
            }
            if row > 0 {
                look(column, row - 1);
            }
            if column + 1 < size {
                look(column + 1, row);
            }
            if row + 1 < size {
                look(column, row + 1);
            }
        }
        if !breathes {
            return Err(SetupError::NoLiberty(name(start % size, start / size)));
        }
    }
    for (number, owner) in owners.into_iter().enumerate() {
        if let (Some(owner), Some(point)) = (owner, board.numbered(number)) {
            // Every chain keeps a liberty at the end, so it has one throughout and nothing is
            // captured.
            let played = board.try_play(owner, point);
            assert!(played, "a stone of a legal set-up can be put down");
        }
    }
    board.pass();
    Ok(board)
}

impl Position for Go {
    type Move = GoMove;

    fn history_matters(&self) -> bool {
        self.rules.ko != KoRule::Simple
    }

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.has_ended().then(|| self.score_now())
    }

    fn visit_moves<B>(&self, mut f: impl FnMut(GoMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.has_ended() {
            return ControlFlow::Continue(());
        }
        for point in self.board.points().filter(|point| self.board.is_empty(*point)) {
            let mv = GoMove::stone(point);
            if self.why_illegal(mv).is_none() {
                f(mv)?;
            }
        }
        f(GoMove::PASS)
    }

    fn play(&mut self, mv: GoMove) {
        // Records of games under other rules may repeat a board; any other illegal move would
        // corrupt it.
        debug_assert!(
            matches!(self.why_illegal(mv), None | Some(Illegal::Superko)),
            "{mv:?} is not legal: {:?}",
            self.why_illegal(mv)
        );
        match mv.point() {
            None => {
                self.board.pass();
                self.passes += 1;
            }
            Some(point) => {
                self.passes = 0;
                // The stone takes the last place of the list of empty points; captured points
                // follow it.
                let freed = self.board.empty_count() - 1;
                let stood = self.board.try_play(self.turn, point);
                if !stood {
                    self.board.play_suicide(self.turn, point);
                }
                let loser = if stood { self.turn.other() } else { self.turn };
                if self.history_matters() {
                    for &vacated in &self.board.empty_list()[freed..] {
                        self.history.vacate(loser, Point(vacated));
                    }
                }
            }
        }
        self.turn = self.turn.other();
        self.moves += 1;
        if self.history_matters() && (self.passes == 0 || self.rules.ko == KoRule::Situational) {
            self.history.push(self.repetition_key(self.board.hash(), self.turn));
        }
    }

    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(self.board.hash().0 ^ self.state_hash())
    }

    fn recomputed_hash(&self) -> PositionHash {
        PositionHash(self.board.recomputed_hash().0 ^ self.state_hash())
    }

    #[inline]
    fn move_space(&self) -> usize {
        self.board.area() + 1
    }

    #[inline]
    fn move_index(&self, mv: GoMove) -> usize {
        mv.point().map_or(self.board.area(), |point| self.board.number(point))
    }

    fn move_at(&self, index: usize) -> Option<GoMove> {
        if index == self.board.area() {
            return Some(GoMove::PASS);
        }
        self.board.numbered(index).map(GoMove::stone)
    }

    fn is_legal(&self, mv: GoMove) -> bool {
        self.why_illegal(mv).is_none()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<GoMove> {
        if self.has_ended() {
            return None;
        }
        // Draw among all empty points and the pass until the drawn move is legal: legal moves are
        // equally likely. The pass is always legal, so the loop ends.
        let empties = self.board.empty_list();
        loop {
            let drawn = rng.below(empties.len() as u32 + 1) as usize;
            let mv = empties.get(drawn).map_or(GoMove::PASS, |&index| GoMove::stone(Point(index)));
            if self.why_illegal(mv).is_none() {
                return Some(mv);
            }
        }
    }

    /// Uniform over the legal moves that fill no own eye; a pass if there are none.
    fn playout_move(&self, rng: &mut Rng) -> Option<GoMove> {
        if self.has_ended() {
            return None;
        }
        let empties = self.board.empty_list();
        let will_do = |index: u16| {
            let point = Point(index);
            !self.board.is_eye(self.turn, point) && self.why_illegal(GoMove::stone(point)).is_none()
        };
        // Usually one of the first draws is acceptable; if not, examine all of them.
        for _ in 0..empties.len() {
            let drawn = empties[rng.below(empties.len() as u32) as usize];
            if will_do(drawn) {
                return Some(GoMove::stone(Point(drawn)));
            }
        }
        let count = empties.iter().filter(|index| will_do(**index)).count() as u32;
        let skip = if count == 0 { 0 } else { rng.below(count) as usize };
        let chosen = empties.iter().filter(|index| will_do(**index)).nth(skip);
        Some(chosen.map_or(GoMove::PASS, |index| GoMove::stone(Point(*index))))
    }

    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        Playout::default().run(self, rng, trace)
    }
}

impl PartialEq for Go {
    fn eq(&self, other: &Go) -> bool {
        self.turn == other.turn
            && self.passes == other.passes
            && self.rules == other.rules
            && self.has_ended() == other.has_ended()
            && self.prisoners_that_count() == other.prisoners_that_count()
            && self.moves_that_count() == other.moves_that_count()
            && self.board == other.board
    }
}

impl Eq for Go {}

impl Clone for Go {
    fn clone(&self) -> Go {
        Go { board: self.board.clone(), history: self.history.clone(), saved: Vec::new(), ..*self }
    }

    /// Copies only what the size of the board uses.
    #[inline]
    fn clone_from(&mut self, source: &Go) {
        self.board.clone_from(&source.board);
        self.history.clone_from(&source.history);
        self.rules = source.rules;
        self.turn = source.turn;
        self.passes = source.passes;
        self.moves = source.moves;
    }
}

/// The data to take a move back: the used part of the board, and the history.
#[derive(Debug)]
pub struct GoUndo {
    board: SavedBoard,
    turn: Player,
    passes: u8,
    history: History,
}

impl Undoable for Go {
    type Undo = GoUndo;

    fn make(&mut self, mv: GoMove) -> GoUndo {
        let board = match self.saved.pop() {
            Some(mut saved) => {
                self.board.save_into(&mut saved);
                saved
            }
            None => self.board.save(),
        };
        let undo = GoUndo { board, turn: self.turn, passes: self.passes, history: self.history.clone() };
        self.play(mv);
        undo
    }

    fn unmake(&mut self, _: GoMove, undo: GoUndo) {
        self.board.restore(&undo.board);
        self.turn = undo.turn;
        self.passes = undo.passes;
        self.moves -= 1;
        self.history.clone_from(&undo.history);
        self.saved.push(undo.board);
    }
}
