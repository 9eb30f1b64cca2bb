//! Chinese chess (象棋): full rules, with the repetition rules of the Asian federation.
//!
//! Red is the first player. Only legal moves are generated: a general is never left in check, and
//! the two never face each other on an open file. A side without a legal move has lost, in check or
//! not. The game is drawn after `natural_limit` plies without a capture (120: the sixty-move rule),
//! unless the last of them mates. The third occurrence of a position ends it by the rules in
//! [`repetition`]: perpetual check and perpetual chase lose.
//!
//! So a game has at most 31 · `natural_limit` plies (there are thirty pieces to capture): 3,720 by
//! default. Playouts are uniform over the legal moves and have no limit of their own.
//!
//! * `board` stores the pieces in fixed slots with bit rows for ranks and files; `moves` decides
//!   legality without making moves; `playout` samples a move without listing any.
//! * [`fen`] reads and writes positions, [`wxf`] the notations C2.5 and 炮二平五; [`evaluation`] is a
//!   hand-made evaluation.
//!
//! Equality covers pieces, turn and rules, the hash pieces and turn (the rules do not change during
//! a game); plies without capture and past positions are history. `natural_limit` cannot be
//! switched off, because games must end.

mod board;
mod encoding;
pub mod evaluation;
pub mod fen;
pub mod heuristic;
mod moves;
mod notation;
mod playout;
mod protection;
pub mod repetition;
pub mod wxf;

pub use board::PieceKind;
pub use encoding::XiangqiPlanes;
pub use fen::{FenError, START};
pub use protection::MiddleSoldier;

use board::{Board, EMPTY, POINTS, kind_of, place, side_of};
use fen::Setup;
use repetition::{Displaced, History};
use std::fmt;
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{Game, Outcome, Player, Position, PositionHash, Rng, Trace};

/// The numbering of ranks in move texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RankNumbers {
    /// 0 to 9, as in UCCI: `h2e2`.
    #[default]
    FromZero,
    /// 1 to 10, as in UCI programs for many variants: `h3e3`.
    FromOne,
}

/// The result of the third occurrence of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repetition {
    /// Perpetual check loses, perpetual chase loses, otherwise a draw: see [`repetition`].
    #[default]
    Axf,
    /// Perpetual check loses, otherwise a draw.
    Check,
    /// A draw.
    Draw,
}

/// The configurable rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Plies without a capture after which the game is drawn, 1 to 1,000.
    pub natural_limit: u16,
    /// The result of a repetition.
    pub repetition: Repetition,
    /// The numbering of ranks.
    pub ranks: RankNumbers,
    /// Whether Red's middle soldier is protected until it moves.
    pub middle_soldier: MiddleSoldier,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            natural_limit: 120,
            repetition: Repetition::Axf,
            ranks: RankNumbers::FromZero,
            middle_soldier: MiddleSoldier::Free,
        }
    }
}

/// Whether the game has ended for a reason that the board does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    No,
    Draw,
    RedWins,
    BlackWins,
}

/// A move: from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct XiangqiMove {
    from: u8,
    to: u8,
}

impl XiangqiMove {
    /// The move between two points, each a (file, rank) from (0, 0) at Red's left to (8, 9); `None`
    /// if no piece moves that way.
    #[must_use]
    pub fn new(from: (u8, u8), to: (u8, u8)) -> Option<XiangqiMove> {
        let inside = |(file, rank): (u8, u8)| file < 9 && rank < 10;
        if !inside(from) || !inside(to) {
            return None;
        }
        let mv = XiangqiMove { from: board::point_at(from.0, from.1), to: board::point_at(to.0, to.1) };
        (INDICES.of[usize::from(mv.from)][usize::from(mv.to)] != NO_INDEX).then_some(mv)
    }

    /// (File, rank) of the start.
    #[must_use]
    pub fn from(self) -> (u8, u8) {
        place(self.from)
    }

    /// (File, rank) of the end.
    #[must_use]
    pub fn to(self) -> (u8, u8) {
        place(self.to)
    }
}

/// The number of moves that some piece can make: along lines, as horse, advisor or elephant.
const MOVE_SPACE: usize = 2086;
const NO_INDEX: u16 = u16::MAX;

struct Indices {
    of: [[u16; POINTS]; POINTS],
    moves: [(u8, u8); MOVE_SPACE],
}

static INDICES: Indices = {
    let mut table = Indices { of: [[NO_INDEX; POINTS]; POINTS], moves: [(0, 0); MOVE_SPACE] };
    let mut next = 0;
    let mut from = 0;
    while from < POINTS {
        let mut to = 0;
        while to < POINTS {
            if some_piece_moves(from, to) {
                table.of[from][to] = next as u16;
                table.moves[next] = (from as u8, to as u8);
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next == MOVE_SPACE, "MOVE_SPACE is the number of moves");
    table
};

const fn some_piece_moves(from: usize, to: usize) -> bool {
    let (file, rank) = ((from % 9) as i8, (from / 9) as i8);
    let (to_file, to_rank) = ((to % 9) as i8, (to / 9) as i8);
    let (right, up) = ((to_file - file).abs(), (to_rank - rank).abs());
    let mut side = 0;
    while side < 2 {
        let advisor = right == 1 && up == 1;
        let elephant = right == 2 && up == 2;
        if advisor
            && board::may_stand(PieceKind::Advisor, side, file, rank)
            && board::may_stand(PieceKind::Advisor, side, to_file, to_rank)
            || elephant
                && board::may_stand(PieceKind::Elephant, side, file, rank)
                && board::may_stand(PieceKind::Elephant, side, to_file, to_rank)
        {
            return true;
        }
        side += 1;
    }
    (right == 0) != (up == 0) || right * up == 2
}

/// A position of Chinese chess, with the history that its repetition rule needs.
#[derive(Clone, Copy)]
pub struct Xiangqi {
    board: Board,
    history: History,
    /// Plies since the last capture.
    quiet: u16,
    /// Plies since the last capture or advance of a soldier.
    reversible: u16,
    /// The number of the move, as in FEN.
    number: u16,
    /// The side to move is in check.
    checked: bool,
    ended: Ended,
    rules: Rules,
}

impl Default for Xiangqi {
    fn default() -> Xiangqi {
        Xiangqi::new()
    }
}

impl Xiangqi {
    /// The start of a game with the usual rules.
    #[must_use]
    pub fn new() -> Xiangqi {
        Xiangqi::from_fen(START).expect("the starting position is legal")
    }

    /// A position with the usual rules.
    ///
    /// # Errors
    /// If the text is not FEN, or no game leads there.
    pub fn from_fen(text: &str) -> Result<Xiangqi, FenError> {
        Ok(Xiangqi::set_up(fen::read(text)?, Rules::default()))
    }

    fn set_up(setup: Setup, rules: Rules) -> Xiangqi {
        let Setup { board, quiet, number } = setup;
        let checked = board.in_check(board.side);
        let mut position =
            Xiangqi { board, history: History::EMPTY, quiet, reversible: 0, number, checked, ended: Ended::No, rules };
        position.ended = position.judge();
        position
    }

    /// The same board and turn under other rules; the history is cleared.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Xiangqi {
        Xiangqi::set_up(Setup { board: self.board, quiet: self.quiet, number: self.number }, rules)
    }

    /// The start without some of Red's pieces: Red, the stronger side, gives them as a handicap and
    /// moves first.
    ///
    /// # Panics
    /// If the handicap includes the general.
    #[must_use]
    pub fn with_handicap(handicap: Handicap) -> Xiangqi {
        let mut position = Xiangqi::new();
        for slot in handicap.slots() {
            assert!(slot != 0, "a general cannot be given");
            position.board.leave(slot);
        }
        position.with_rules(Rules::default())
    }

    /// The position as FEN.
    #[must_use]
    pub fn to_fen(&self) -> String {
        fen::write(&Setup { board: self.board, quiet: self.quiet, number: self.number })
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The piece on a (file, rank).
    #[must_use]
    pub fn piece(&self, file: u8, rank: u8) -> Option<(Player, PieceKind)> {
        if file >= 9 || rank >= 10 {
            return None;
        }
        let slot = self.board.at(board::point_at(file, rank));
        let owner = if side_of(slot) == 0 { Player::First } else { Player::Second };
        (slot != EMPTY).then(|| (owner, kind_of(slot)))
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.checked
    }

    /// Plies since the last capture.
    #[must_use]
    pub fn plies_without_capture(&self) -> u32 {
        u32::from(self.quiet)
    }

    /// The piece that a move would capture.
    #[must_use]
    pub fn captured_by(&self, mv: XiangqiMove) -> Option<PieceKind> {
        let slot = self.board.at(mv.to);
        (slot != EMPTY).then(|| kind_of(slot))
    }

    /// Whether the game has just ended by repetition or the natural limit.
    #[inline]
    fn judge(&self) -> Ended {
        if self.reversible >= 8 && self.history.may_repeat(self.board.hash) {
            let verdict =
                self.history.judge(&self.board, self.checked, usize::from(self.reversible), self.rules.repetition);
            if let Some(ended) = verdict {
                return ended;
            }
        }
        if self.quiet >= self.rules.natural_limit && self.has_move() {
            return Ended::Draw;
        }
        Ended::No
    }

    /// Plays a move and returns the data to take it back.
    #[inline]
    fn advance(&mut self, mv: XiangqiMove) -> Undo {
        let XiangqiMove { from, to } = mv;
        let (quiet, reversible, checked) = (self.quiet, self.reversible, self.checked);
        let displaced = self.history.push(self.board.hash, checked, from, to);
        let marched = kind_of(self.board.at(from)) == PieceKind::Soldier && place(from).0 == place(to).0;
        self.number = self.number.wrapping_add(u16::from(self.board.side));
        let captured = self.board.make(from, to);
        self.quiet = if captured == EMPTY { quiet.saturating_add(1) } else { 0 };
        self.reversible = if captured == EMPTY && !marched { reversible.saturating_add(1) } else { 0 };
        self.checked = self.board.checked_by(from, to);
        self.ended = self.judge();
        Undo { displaced, quiet, reversible, captured, checked }
    }
}

/// Same pieces, same side to move, same rules. The history is not compared.
impl PartialEq for Xiangqi {
    fn eq(&self, other: &Xiangqi) -> bool {
        self.rules == other.rules && self.board.same(&other.board)
    }
}

impl Eq for Xiangqi {}

impl fmt::Debug for Xiangqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Xiangqi({}, {} reversible plies, {:?})", self.to_fen(), self.reversible, self.ended)
    }
}

impl Position for Xiangqi {
    type Move = XiangqiMove;
    type Undo = Undo;

    fn history_matters(&self) -> bool {
        true
    }

    #[inline]
    fn turn(&self) -> Player {
        self.board.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.ended {
            Ended::Draw => Some(Outcome::DRAW),
            Ended::RedWins => Some(Outcome::won_by(Player::First)),
            Ended::BlackWins => Some(Outcome::won_by(Player::Second)),
            Ended::No if self.has_move() => None,
            Ended::No => Some(Outcome::won_by(self.turn().other())),
        }
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(XiangqiMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ended != Ended::No {
            return ControlFlow::Continue(());
        }
        if self.protects() {
            return protection::visited(|g| self.visit_allowed(g), &mut f);
        }
        self.board.visit_legal(self.checked, |from, to| f(XiangqiMove { from, to }))
    }

    #[inline]
    fn play(&mut self, mv: XiangqiMove) {
        self.advance(mv);
    }

    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(self.board.hash)
    }

    fn recomputed_hash(&self) -> PositionHash {
        PositionHash(self.board.recomputed_hash())
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        MOVE_SPACE
    }

    #[inline]
    fn move_index(&self, mv: XiangqiMove) -> usize {
        usize::from(INDICES.of[usize::from(mv.from)][usize::from(mv.to)])
    }

    fn move_at(&self, index: usize) -> Option<XiangqiMove> {
        INDICES.moves.get(index).map(|&(from, to)| XiangqiMove { from, to })
    }

    #[inline]
    fn is_legal(&self, mv: XiangqiMove) -> bool {
        self.ended == Ended::No
            && self.board.is_pseudo_legal(self.board.side, mv.from, mv.to)
            && self.board.is_safe(mv.from, mv.to, self.checked)
            && !self.is_protected(mv)
    }

    fn move_count(&self) -> usize {
        match self.ended {
            Ended::No if self.protects() => self.moves().len(),
            Ended::No => self.board.legal_count(self.checked),
            _ => 0,
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<XiangqiMove> {
        if self.ended != Ended::No {
            return None;
        }
        if self.protects() {
            return self.draw_allowed(rng);
        }
        self.board.draw(self.checked, rng).map(|(from, to)| XiangqiMove { from, to })
    }

    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        while let Some(mv) = self.random_move(rng) {
            trace.played(self.turn(), mv);
            self.advance(mv);
        }
        match self.ended {
            Ended::Draw => Outcome::DRAW,
            Ended::RedWins => Outcome::won_by(Player::First),
            Ended::BlackWins => Outcome::won_by(Player::Second),
            Ended::No => Outcome::won_by(self.turn().other()),
        }
    }

    #[inline]
    fn make(&mut self, mv: XiangqiMove) -> Undo {
        self.advance(mv)
    }

    #[inline]
    fn unmake(&mut self, mv: XiangqiMove, undo: Undo) {
        self.board.unmake(mv.from, mv.to, undo.captured);
        self.number = self.number.wrapping_sub(u16::from(self.board.side));
        self.history.pop(undo.displaced);
        (self.quiet, self.reversible, self.checked) = (undo.quiet, undo.reversible, undo.checked);
        // A move was played here, so the game had not ended.
        self.ended = Ended::No;
    }
}

/// The data to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    displaced: Displaced,
    quiet: u16,
    reversible: u16,
    captured: u8,
    checked: bool,
}

/// Pieces that Red gives before the game (Zhang 2019, §4.3.4: one or both rooks, horses or
/// cannons). A single piece is the left one, on Red's a or b file, as is customary. The customary
/// protection of the giver's middle soldier is a rule of its own ([`MiddleSoldier`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handicap {
    /// One piece of this kind.
    One(PieceKind),
    /// Both.
    Two(PieceKind),
}

impl Handicap {
    const WORDS: [&'static str; 7] = ["none", "rook", "two_rooks", "knight", "two_knights", "cannon", "two_cannons"];

    fn slots(self) -> std::ops::Range<u8> {
        match self {
            // Pieces are placed from the top rank down, left to right: the first slot is the left
            // piece.
            Handicap::One(kind) => kind.slots().start..kind.slots().start + 1,
            Handicap::Two(kind) => kind.slots(),
        }
    }

    fn of_word(word: &str) -> Option<Handicap> {
        Some(match word {
            "rook" => Handicap::One(PieceKind::Rook),
            "two_rooks" => Handicap::Two(PieceKind::Rook),
            "knight" => Handicap::One(PieceKind::Horse),
            "two_knights" => Handicap::Two(PieceKind::Horse),
            "cannon" => Handicap::One(PieceKind::Cannon),
            "two_cannons" => Handicap::Two(PieceKind::Cannon),
            _ => return None,
        })
    }
}

impl Game for Xiangqi {
    type Position = Xiangqi;
    const TITLE: &'static str = "Chinese chess";
    const DESCRIPTION: Description = Description {
        name: "xiangqi",
        about: "Chinese chess; perpetual check and chase lose",
        parameters: &[
            Parameter {
                name: "handicap",
                about: "pieces Red gives at the start",
                kind: Kind::Choice(&Handicap::WORDS),
                default: Some("none"),
            },
            Parameter {
                name: "natural_limit",
                about: "plies without a capture that make a draw",
                kind: Kind::Integer(1, 1000),
                default: Some("120"),
            },
            Parameter {
                name: "repetition",
                about: "third occurrence: Asian rules, only perpetual check loses, or always a draw",
                kind: Kind::Choice(&["axf", "check", "draw"]),
                default: Some("axf"),
            },
            Parameter {
                name: "ranks",
                about: "ranks in moves are 0 to 9 or 1 to 10",
                kind: Kind::Choice(&["zero", "one"]),
                default: Some("zero"),
            },
            Parameter {
                name: "middle_soldier",
                about: "Red's soldier on e3: free, or protected from capture until it moves",
                kind: Kind::Choice(&["free", "protected"]),
                default: None,
            },
            Parameter { name: "fen", about: "start from this position", kind: Kind::Text, default: None },
        ],
    };
    const MOVES: &'static str = "from and to: h2e2, a0 is Red's left corner; C2.5 and 炮二平五 are read too";

    fn start(arguments: &Arguments) -> Result<Xiangqi, ArgumentError> {
        let limit = arguments.count("natural_limit");
        let rules = Rules {
            natural_limit: u16::try_from(limit).expect("the described range fits"),
            repetition: match arguments.word("repetition") {
                "check" => Repetition::Check,
                "draw" => Repetition::Draw,
                _ => Repetition::Axf,
            },
            ranks: match arguments.word("ranks") {
                "one" => RankNumbers::FromOne,
                _ => RankNumbers::FromZero,
            },
            middle_soldier: match arguments.optional_word("middle_soldier") {
                Some("protected") => MiddleSoldier::Protected,
                _ => MiddleSoldier::Free,
            },
        };
        let position = match (Handicap::of_word(arguments.word("handicap")), arguments.text("fen")) {
            (Some(_), Some(_)) => {
                return Err(ArgumentError::together("a handicap applies to the starting position and excludes fen"));
            }
            (Some(handicap), None) => Xiangqi::with_handicap(handicap),
            (None, Some(text)) => Xiangqi::from_fen(text).map_err(|error| ArgumentError::of("fen", error))?,
            (None, None) => Xiangqi::new(),
        };
        Ok(position.with_rules(rules))
    }
}
