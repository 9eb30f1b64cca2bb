//! What protocols, board programs and records ask of a game beyond its moves.
//!
//! Komi, handicap stones, set-up stones, another side to move, dead stones: most games have none of
//! it. A game that does states it as a [`Table`], all of whose parts may be missing; the rest of
//! the program asks for the ability and never for the name of the game.

use crate::spec::SpecValue;
use crate::{Outcome, Player, Position, Seed};

/// The most steps of one game that are kept, moves and set-ups together.
pub const MOST_STEPS: usize = 100_000;
/// The most positions that are set up in one game. Each is kept whole: a position of Go takes 13
/// kB, so 13 MB in all.
pub const MOST_SET_UPS: usize = 1_000;

/// One step of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<M, P> {
    /// A move and its player, who need not be the one whose turn it was.
    Move(Player, M),
    /// Another position of the same game was put on the board.
    SetUp(Box<P>),
}

/// The steps of a game whose positions are `P`.
pub type Steps<P> = Vec<Step<<P as Position>::Move, P>>;

/// The arguments of a spec that a record decides; one without a value is taken out of it.
pub type RecordArguments = Vec<(&'static str, Option<SpecValue>)>;

/// Who owns what at the end of a game that is scored by territory, as a judgement, not a proof.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// For each point of the view, row by row from the top: +1 is surely the first player's, −1 the
    /// second's.
    pub ownership: Vec<f64>,
    /// The stones that are alive, of each player.
    pub alive: [Vec<String>; 2],
    /// The stones that are dead, of each player, chain by chain.
    pub dead: [Vec<String>; 2],
    /// The result once the dead stones are taken off.
    pub outcome: Outcome,
    /// Points the winner is ahead.
    pub points: f64,
}

/// Abilities of a game at a board. Every default says that the game has no such thing.
///
/// Points are written as the game writes its moves.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Player, Studied, Table};
///
/// let heap = TakeAway::new(5);
/// let table: &dyn Table<TakeAway> = heap.table();
/// assert_eq!(table.komi(&heap), None);
/// assert!(table.with_stones(&heap, &[], Player::First).is_err());
/// ```
pub trait Table<P: Position>: Send + Sync {
    /// The same board with this player to move, where a player may move out of turn.
    fn with_turn(&self, _position: &P, _player: Player) -> Option<P> {
        None
    }

    /// The komi, in points.
    fn komi(&self, _position: &P) -> Option<f64> {
        None
    }

    /// The same position with another komi; nothing if there can be no such komi.
    fn with_komi(&self, _position: &P, _komi: f64) -> Option<P> {
        None
    }

    /// The stones on the board: the points of each player.
    fn stones(&self, _position: &P) -> Option<[Vec<String>; 2]> {
        None
    }

    /// A board of the same rules with these stones and nothing else.
    ///
    /// # Errors
    /// If a point cannot be read, the stones make no position, or the game sets no stones up.
    fn with_stones(&self, _position: &P, _stones: &[(Player, String)], _turn: Player) -> Result<P, String> {
        Err("this game sets no stones up".into())
    }

    /// The points of this number of handicap stones, in the order in which they are placed.
    fn handicap_points(&self, _position: &P, _stones: u8) -> Option<Vec<String>> {
        None
    }

    /// Stones this player has captured.
    fn captured_by(&self, _position: &P, _player: Player) -> Option<u32> {
        None
    }

    /// The rules, by name: ko, suicide, scoring.
    fn rule_names(&self, _position: &P) -> Option<[String; 3]> {
        None
    }

    /// Whether the side to move would fill a one-point eye of its own with this move.
    fn fills_own_eye(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// Which stones are dead, who owns which points, and the score.
    fn judge(&self, _position: &P, _seed: Seed) -> Option<Judgement> {
        None
    }

    /// The stones connected to the one on this point, itself included; nothing if there is none.
    fn chain(&self, _position: &P, _point: &str) -> Option<Vec<String>> {
        None
    }

    /// The result once these stones, which both sides call dead, are taken off, and the points that
    /// the winner is ahead; nothing if one of them is not on the board.
    fn settle(&self, _position: &P, _dead: &[String]) -> Option<(Outcome, f64)> {
        None
    }

    /// A move that captures dead stones of the opponent, or prepares it; nothing if there are none,
    /// or no safe one.
    fn cleaning_move(&self, _position: &P, _seed: Seed) -> Option<P::Move> {
        None
    }

    /// The arguments with which the game of an SGF record starts, where the record and not the
    /// caller decides them; an argument without a value is taken out of the spec. Nothing if the
    /// record is one of the game that `position` begins.
    ///
    /// # Errors
    /// If the record is not one of this game.
    fn record_arguments(&self, _position: &P, _bytes: &[u8]) -> Result<Option<RecordArguments>, String> {
        Ok(None)
    }

    /// The steps of the main line of an SGF record of a game that begins at `position`, up to
    /// `most` moves. Nothing if records of this game hold moves only, which any game can read.
    ///
    /// # Errors
    /// If the record is not one of this game, or a move is not legal.
    fn read_record(&self, _position: &P, _bytes: &[u8], _most: Option<usize>) -> Result<Option<Steps<P>>, String> {
        Ok(None)
    }

    /// The SGF record of a game that begins at `start`. Nothing if records of this game hold moves
    /// only, which any game can write.
    fn write_record(&self, _start: &P, _steps: &[Step<P::Move, P>]) -> Option<String> {
        None
    }
}

/// A game without any of these abilities.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTable;

impl<P: Position> Table<P> for NoTable {}
