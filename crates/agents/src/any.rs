//! Games and searches with their types erased: the traits that everything above this crate holds. A
//! virtual call happens once per move played or per search, never inside one.

use crate::actions::Actions;
use crate::kept::KeptTree;
use std::any::Any;
use std::fmt;
use tesuji_core::spec::{ArgumentError, Arguments};
use tesuji_core::{
    BoardView, Budget, Certificate, Conventions, Drawing, EngineProtocol, Geometry, Judgement, Meter, MoveError,
    Observer, Outcome, Perft, Player, PositionHash, RecordArguments, Report, Rng, Seed, Sides,
};
use tesuji_learn::hawk::StoneTable;
use tesuji_proof::{Checked, Claim, ExpansionLimits, Outline, ProofError};
use tesuji_search::SearchError;
use tesuji_search::proof::ProofTree;

/// A position of some game, speaking in text.
pub trait AnyPosition: Actions + AnyTable + Send + Sync {
    /// Who is to move.
    fn turn(&self) -> Player;
    /// The result of an ended game.
    fn outcome(&self) -> Option<Outcome>;
    /// Whether earlier positions bear on the rules.
    fn history_matters(&self) -> bool;
    /// Whether no position comes twice in a game, whatever is played.
    fn never_repeats(&self) -> bool;
    /// The legal moves, as the game writes them.
    fn moves(&self) -> Vec<String>;
    /// Plays a move and answers it as the game writes it.
    ///
    /// # Errors
    /// If the text is no legal move here; nothing has changed then.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// What people call the two sides: use it in text for people, and
    /// [`Player`]'s own text in JSON.
    fn sides(&self) -> Sides;
    /// The position as one line of text, such as FEN, where the game has one.
    fn setup_text(&self) -> Option<String>;
    /// The board, to draw.
    fn view(&self) -> BoardView;
    /// The point of the view that a legal move is played on, as column and row from the top left;
    /// nothing for a pass, for moves between points, and for what is no legal move.
    fn place_of(&self, text: &str) -> Option<(usize, usize)>;
    /// The points of the view that a legal move takes a piece from and to, as column and row from the
    /// top left; nothing for other moves.
    fn way_of(&self, text: &str) -> Option<[(usize, usize); 2]>;
    /// Where the parts of the board lie, for a program that draws it.
    fn geometry(&self) -> Geometry;
    /// The legal move that is played on a point of the view.
    fn move_on(&self, column: usize, row: usize) -> Option<String>;
    /// The position's hash.
    fn hash(&self) -> PositionHash;
    /// The same hash, computed from the state.
    fn recomputed_hash(&self) -> PositionHash;
    /// The size of one position in memory, without what it points to.
    fn size_in_bytes(&self) -> usize;
    /// Bytes that all positions of this game share.
    fn shared_bytes(&self) -> usize;
    /// Counts move sequences.
    fn perft(&self, depth: usize, meter: &mut Meter) -> Perft;
    /// A move as a playout would choose it; none in an ended game.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// Plays `count` random playouts from here.
    fn playouts(&self, count: u64, rng: &mut Rng) -> PlayoutTally;
    /// Copies this position `count` times over a scratch one: the part of a playout that no rules
    /// can save.
    fn copies(&self, count: u64);
    /// A bound on the numbers of moves.
    fn move_space(&self) -> usize;
    /// No game from here ends with a margin beyond this, either way; nothing if the game does not
    /// say.
    fn widest_margin(&self) -> Option<u32>;
    /// The total length of `count` random playouts from here.
    fn playout_lengths(&self, count: u64, rng: &mut Rng) -> u64;
    /// The conventions of protocols for the game.
    fn conventions(&self) -> Conventions;
    /// A legal move as engines that speak this protocol read it.
    ///
    /// # Errors
    /// If the text is no legal move here.
    fn show_for(&self, protocol: EngineProtocol, text: &str) -> Result<String, MoveError>;
    /// The legal move that an engine wrote in this protocol, as the game writes it.
    ///
    /// # Errors
    /// If the text is no legal move here.
    fn read_from(&self, protocol: EngineProtocol, text: &str) -> Result<String, MoveError>;
    /// Whether a game of these rules begins here if nothing else is said.
    fn is_usual_start(&self) -> bool;
    /// What UCI engines call a game of these rules, if it has a name.
    fn uci_variant(&self) -> Option<&'static str>;
    /// The number by which managers of Gomocup's protocol know the rules, if they do.
    fn gomocup_rule(&self) -> Option<u32>;
    /// The number by which SGF records know the game (its GM property), if they do.
    fn record_number(&self) -> Option<u16>;
    /// The spec of the strongest agent for this position.
    fn strongest(&self) -> &'static str;
    /// The name of the agent that `solve` uses for this position.
    fn solver(&self) -> &'static str;
    /// The game's evaluation, if it has one for games like this one.
    fn evaluation(&self) -> Option<Box<dyn AnyEvaluation>>;
    /// The game's preference among moves, if it has one for games like this one.
    fn preference(&self) -> Option<Box<dyn AnyPreference>>;
    /// The action of a move that wins at once, as
    /// [`Studied::winning_move`](tesuji_core::Studied::winning_move) says.
    fn winning_action(&self) -> Option<usize>;
    /// Whether a legal action gives up the turn, where that is a choice.
    fn is_pass(&self, action: usize) -> bool;
    /// The board as the learned agents of Hawk see it; nothing for a game without a board of stones.
    fn stone_table(&self) -> Option<Box<dyn StoneTable>>;
    /// The agent of this name, for positions of this game: one of ours that serves every game, or a
    /// solver of this one; nothing if there is none. [`agent`](#method.agent) finds all agents, by
    /// their specs.
    ///
    /// # Errors
    /// If the arguments, each in its range, make no agent together.
    fn make_agent(&self, name: &str, arguments: &Arguments) -> Result<Option<Box<dyn AnyAgent>>, ArgumentError>;
    /// Checks a proof of a claim about this position by the rules; certificates by the game's own
    /// certifier.
    ///
    /// # Errors
    /// The first place at which it does not hold; or that the meter ended the check.
    fn check_proof(&self, claim: &Claim, meter: &mut Meter) -> Result<Checked, ProofError>;
    /// Checks a proof of a claim about this position by the rules alone: certificates are not
    /// trusted but expanded, within limits.
    ///
    /// # Errors
    /// The first place at which it does not hold; or that the meter ended the check.
    fn check_proof_by_rules(
        &self,
        claim: &Claim,
        limits: &ExpansionLimits,
        meter: &mut Meter,
    ) -> Result<Checked, ProofError>;
    /// Checks a proof as [`check_proof`](AnyPosition::check_proof) does, and writes down where its
    /// positions stand, so that it can be browsed.
    ///
    /// # Errors
    /// The first place at which it does not hold; or that the meter ended the check.
    fn outline_proof(&self, claim: &Claim, meter: &mut Meter) -> Result<(Checked, Outline), ProofError>;
    /// What of a certificate of this claimant that holds here can be drawn.
    fn draw_certificate(&self, claimant: Player, certificate: &Certificate) -> Drawing;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyPosition>;
    /// Whether the other is the same position of the same kind of game.
    fn equals(&self, other: &dyn AnyPosition) -> bool;
    /// For agents, which know the type they serve.
    fn as_any(&self) -> &dyn Any;
}

/// An [`Evaluation`](tesuji_core::Evaluation) of positions of some game, all of the one that was
/// asked for it.
pub trait AnyEvaluation: Send + Sync {
    /// The judgement, for the first player.
    fn evaluate(&self, position: &dyn AnyPosition) -> i32;
    /// The points that are worth odds of e to 1.
    fn scale(&self) -> f64;
}

/// A [`Preference`](tesuji_core::Preference) among actions of positions of some game, all of the
/// one that was asked for it.
pub trait AnyPreference: Send + Sync {
    /// Writes one weight for each of `actions`, which are legal; `weights` is overwritten.
    fn weigh(&self, position: &dyn AnyPosition, actions: &[usize], weights: &mut Vec<f64>);
}

/// The sum of many playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayoutTally {
    /// Playouts.
    pub count: u64,
    /// Their scores, in [`Score::UNITS`](tesuji_core::Score::UNITS).
    pub units: u64,
    /// Their margins.
    pub margins: i64,
}

/// An agent that was made, or why its arguments make none together.
pub(crate) type Made = Result<Box<dyn AnyAgent>, ArgumentError>;

/// A search for some game, speaking in text.
pub trait AnyAgent: Send {
    /// A game begins, from `start`, with these moves already played. Agents that keep no
    /// memory of a game need not listen.
    ///
    /// # Errors
    /// If an agent outside of this program does not take part.
    fn begin(&mut self, _start: &dyn AnyPosition, _moves: &[String]) -> Result<(), SearchError> {
        Ok(())
    }

    /// `player` played `mv` in the game that began; told of both players' moves.
    ///
    /// # Errors
    /// If an agent outside of this program does not take part.
    fn follow(&mut self, _player: Player, _mv: &str) -> Result<(), SearchError> {
        Ok(())
    }

    /// Searches a position of the game this agent was made for.
    ///
    /// # Errors
    /// If the game has ended, or the search cannot serve it.
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<String>,
    ) -> Result<Report<String>, SearchError>;

    /// Searches a position from an empty tree as [`think`](AnyAgent::think) does, and keeps the tree to
    /// be looked into. If the observer [wants playouts](Observer::wants_playouts), single iterations
    /// can be recorded afterwards.
    ///
    /// # Errors
    /// As [`think`](AnyAgent::think), and if the agent has no tree of this kind.
    fn explore(
        &mut self,
        _position: &dyn AnyPosition,
        _budget: &Budget,
        _seed: Seed,
        _watch: &mut dyn Observer<String>,
    ) -> Result<(Report<String>, KeptTree), SearchError> {
        Err(SearchError::Unsupported("this agent keeps no tree that can be looked into; mcts does".into()))
    }

    /// Searches a position as [`think`](AnyAgent::think) does, and keeps the AND/OR tree of the last
    /// question, with its proof and disproof numbers.
    ///
    /// # Errors
    /// As [`think`](AnyAgent::think), and if the agent has no tree of this kind.
    fn grow_proof_tree(
        &mut self,
        _position: &dyn AnyPosition,
        _budget: &Budget,
        _seed: Seed,
        _watch: &mut dyn Observer<String>,
    ) -> Result<(Report<String>, ProofTree), SearchError> {
        Err(SearchError::Unsupported("this agent keeps no proof tree that can be looked into; pn does".into()))
    }

    /// What an agent outside of this program calls itself, or else the name of its program. Nothing
    /// for ours.
    fn own_name(&self) -> Option<String> {
        None
    }

    /// What was said last between an agent outside of this program and this program, one line
    /// each: `> ` what it was told, `< ` what it said, `! ` its standard error. Empty for others.
    fn transcript(&self) -> Vec<String> {
        Vec::new()
    }

    /// The proof of what the last search proved about this position.
    ///
    /// # Errors
    /// If the agent writes no proofs, has proved nothing, or the budget is spent first.
    fn proof(&mut self, _position: &dyn AnyPosition, _budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        Err(SearchError::Unsupported("this agent writes no proofs; df-pn does".into()))
    }
}

/// One step of a game.
pub enum Step {
    /// A move and its player, who need not be the one whose turn it was.
    Move(Player, String),
    /// Another position of the same game was put on the board.
    Set(Box<dyn AnyPosition>),
}

impl Clone for Step {
    fn clone(&self) -> Step {
        match self {
            Step::Move(player, mv) => Step::Move(*player, mv.clone()),
            Step::Set(position) => Step::Set(position.boxed_clone()),
        }
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Move(player, mv), Step::Move(other_player, other)) => (player, mv) == (other_player, other),
            (Step::Set(position), Step::Set(other)) => position.equals(other.as_ref()),
            _ => false,
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Move(player, mv) => write!(f, "{player} {mv}"),
            Step::Set(position) => write!(f, "{}", position.view()),
        }
    }
}

/// The part of [`AnyPosition`] that board programs and records ask for. A game says which of it it
/// has by its [`Table`](tesuji_core::Table).
pub trait AnyTable {
    /// The same board with this player to move, where a player may move out of turn.
    fn with_turn(&self, player: Player) -> Option<Box<dyn AnyPosition>>;
    /// The komi, in points.
    fn komi(&self) -> Option<f64>;
    /// The same position with another komi.
    fn with_komi(&self, komi: f64) -> Option<Box<dyn AnyPosition>>;
    /// The stones on the board: the points of each player.
    fn stones(&self) -> Option<[Vec<String>; 2]>;
    /// A board of the same rules with these stones and nothing else.
    ///
    /// # Errors
    /// If a point cannot be read, the stones make no position, or the game sets no stones up.
    fn with_stones(&self, stones: &[(Player, String)], turn: Player) -> Result<Box<dyn AnyPosition>, String>;
    /// The points of this number of handicap stones, in the order in which they are placed.
    fn handicap_points(&self, stones: u8) -> Option<Vec<String>>;
    /// Stones this player has captured.
    fn captured_by(&self, player: Player) -> Option<u32>;
    /// The rules, by name: ko, suicide, scoring.
    fn rule_names(&self) -> Option<[String; 3]>;
    /// Whether the side to move would fill a one-point eye of its own with this move.
    fn fills_own_eye(&self, mv: &str) -> bool;
    /// Which stones are dead, who owns which points, and the score.
    fn judge(&self, seed: Seed) -> Option<Judgement>;
    /// The stones connected to the one on this point, itself included.
    fn chain(&self, point: &str) -> Option<Vec<String>>;
    /// The result once these stones are taken off as dead, and the points that the winner is ahead.
    fn settle(&self, dead: &[String]) -> Option<(Outcome, f64)>;
    /// A move that captures dead stones of the opponent, or prepares it.
    fn cleaning_move(&self, seed: Seed) -> Option<String>;
    /// The arguments with which the game of an SGF record starts, where the record decides them.
    ///
    /// # Errors
    /// If the record is not one of this game.
    fn record_arguments(&self, bytes: &[u8]) -> Result<Option<RecordArguments>, String>;
    /// The steps of the main line of an SGF record of a game that begins here, up to `most` moves.
    /// See [`records`](crate::records) for games that begin where the record says.
    ///
    /// # Errors
    /// If the file is not SGF, not this game, or a move is not legal.
    fn read_record(&self, bytes: &[u8], most: Option<usize>) -> Result<Vec<Step>, String>;
    /// The SGF record of a game of this name that begins here.
    ///
    /// # Errors
    /// If a move is not legal, a position cannot be recorded, or the record would be too large.
    fn write_record(&self, name: &str, steps: &[Step]) -> Result<String, String>;
}
