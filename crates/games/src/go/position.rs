//! A game of Go: the board, the side to move, passes, the history.
//!
//! `Eq` and the hash cover the stones, the turn, the ko point and the passes in a row; under
//! scoring that counts prisoners also their difference, under Hawk's scoring (whose cap of 250
//! moves is part of the game) the number of moves. The general move limit is a guard against
//! endless games: positions that differ only in the number of moves are equal unless one has
//! reached it.

use super::board::Board;
use super::copies::SavedBoard;
use super::history::History;
use super::layout::Point;
use super::rules::{GoRules, KoRule, PassRule, RuleError, Scoring, SuicideRule};
use tesuji_core::{Outcome, Player, Position, PositionHash, Zobrist};

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
    pub(super) rules: GoRules,
    pub(super) turn: Player,
    pub(super) passes: u8,
    pub(super) moves: u32,
    /// The last move and the one before it; passes where there was none. No rule looks at them, so
    /// equality and hash do not cover them.
    pub(super) last: [GoMove; 2],
    pub(super) history: History,
    /// A pool of board copies for moves that are made and taken back.
    pub(super) saved: Vec<SavedBoard>,
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
        let mut go =
            Go { history, board, rules, turn, passes: 0, moves: 0, last: [GoMove::PASS; 2], saved: Vec::new() };
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

    /// The last move and the one before it, since the beginning or the set-up; passes where there was
    /// none. Learned patterns prefer answers to them.
    #[inline]
    #[must_use]
    pub fn last_moves(&self) -> [GoMove; 2] {
        self.last
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
        self.refusal(point)
    }

    /// Whether a stone on this empty point of the board is legal, in a live game.
    #[inline]
    pub(super) fn is_playable(&self, point: Point) -> bool {
        // With an empty neighbour it is neither ko nor suicide, and boards repeat only on points where a
        // stone was captured: most points are looked at no further.
        let free = self.board.has_empty_neighbour(point) && !self.history.was_vacated(self.turn, point);
        free || self.refusal(point).is_none()
    }

    /// Why a stone on this empty point of the board is not legal, in a live game.
    fn refusal(&self, point: Point) -> Option<Illegal> {
        if self.board.is_ko(self.turn, point) {
            return Some(Illegal::Ko);
        }
        let suicide = self.board.is_suicide(self.turn, point);
        let refused = match self.rules.suicide {
            SuicideRule::Forbidden => suicide,
            SuicideRule::Allowed => false,
            SuicideRule::Strict => self.board.is_breathless(self.turn, point),
        };
        if refused {
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

    /// After a second pass in a row: whether the game goes on because a side has a stone to play.
    #[cold]
    pub(super) fn goes_on(&mut self) -> bool {
        if self.rules.passes == PassRule::End {
            return false;
        }
        let turn = self.turn;
        let has_stone = |go: &Go| go.board.points().any(|point| go.why_illegal(GoMove::stone(point)).is_none());
        self.passes = 0;
        let goes_on = Player::BOTH.into_iter().any(|player| {
            self.turn = player;
            has_stone(self)
        });
        self.turn = turn;
        goes_on
    }

    /// The key that superko compares: the stones, and under situational superko also the next
    /// player.
    pub(super) fn repetition_key(&self, stones: PositionHash, next: Player) -> u64 {
        match (self.rules.ko, next) {
            (KoRule::Situational, Player::Second) => stones.0 ^ STATE_KEYS.key(0),
            _ => stones.0,
        }
    }

    /// The part of the hash that does not depend on stones.
    pub(super) fn state_hash(&self) -> u64 {
        let mut hash = u64::from(self.passes.min(2)) << 1 | u64::from(self.moves >= self.rules.limit());
        hash = hash << 1 | self.turn.index() as u64;
        hash = hash << 10 | self.board.ko().map_or(0, Point::index) as u64;
        hash = hash << 24 | (self.prisoners_that_count() as u64 & 0xff_ffff);
        hash = hash << 24 | u64::from(self.moves_that_count() & 0xff_ffff);
        STATE_KEYS.key(1 + hash)
    }

    pub(super) fn prisoners_that_count(&self) -> i32 {
        if self.rules.scoring.counts_prisoners() { self.board.prisoner_difference() } else { 0 }
    }

    pub(super) fn moves_that_count(&self) -> u32 {
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
    let name = |column: usize, row: usize| super::coordinates::point_name(column, row);
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
