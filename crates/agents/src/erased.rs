//! Games and searches with their types erased. A virtual call happens once per move
//! played or per search, never inside one.

use crate::{Access, searches};
use std::any::Any;
use tesuji_core::spec::{Spec, SpecError};
use tesuji_core::{
    BoardView, Budget, CountMoves, Meter, MoveError, Notation, Observer, Outcome, Pace, Perft, Playable, Player,
    Position, PositionHash, Report, Rng, Seed, Studied, perft,
};
use tesuji_proof::{Checked, Claim, ProofError};
use tesuji_sgf::{self as sgf, ReplayError};

use tesuji_search::{Search, SearchError};

/// A position of some game, speaking in text.
pub trait AnyPosition: crate::Actions + Send + Sync {
    /// Who is to move.
    fn turn(&self) -> Player;
    /// The result of an ended game.
    fn outcome(&self) -> Option<Outcome>;
    /// Whether earlier positions bear on the rules.
    fn history_matters(&self) -> bool;
    /// The legal moves, as the game writes them.
    fn moves(&self) -> Vec<String>;
    /// Plays a move and answers it as the game writes it.
    ///
    /// # Errors
    /// If the text is no legal move here; nothing has changed then.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// The board, to draw.
    fn view(&self) -> BoardView;
    /// The point of the view that a legal move is played on, as column and row from the top left; nothing for a
    /// pass, for moves between points, and for what is no legal move.
    fn place_of(&self, text: &str) -> Option<(usize, usize)>;
    /// The legal move that is played on a point of the view.
    fn move_on(&self, column: usize, row: usize) -> Option<String>;
    /// The position's hash.
    fn hash(&self) -> PositionHash;
    /// The size of one position in memory, without what it points to.
    fn size_in_bytes(&self) -> usize;
    /// Counts move sequences.
    fn perft(&self, depth: usize, meter: &mut Meter) -> Perft;
    /// A move as a playout would choose it; none in an ended game.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// Plays `count` random playouts from here.
    fn playouts(&self, count: u64, rng: &mut Rng) -> PlayoutTally;
    /// Copies this position `count` times over a scratch one: the part of a playout that no rules can save.
    fn copies(&self, count: u64);
    /// A bound on the numbers of moves.
    fn move_space(&self) -> usize;
    /// No game from here ends with a margin beyond this, either way; nothing if the game does not say.
    fn widest_margin(&self) -> Option<u32>;
    /// The total length of `count` random playouts from here.
    fn playout_lengths(&self, count: u64, rng: &mut Rng) -> u64;
    /// The moves of the main line of an SGF file, played from here, and who plays them. See [`records`](crate::records) for whole
    /// games, Go's set-up stones among them.
    ///
    /// # Errors
    /// If the file is not SGF, not this game, or a move is not legal.
    fn read_record(&self, bytes: &[u8]) -> Result<Vec<(Player, String)>, ReplayError>;
    /// The SGF record of a game from here: the moves and who plays them.
    ///
    /// # Errors
    /// If a move is not legal, or the record would be too large.
    fn write_record(&self, name: &str, moves: &[(Player, String)]) -> Result<String, String>;
    /// The spec of the strongest agent for this position.
    fn strongest(&self) -> &'static str;
    /// The agent that a spec names, for this game; `auto` is the strongest. It opens and starts nothing.
    ///
    /// # Errors
    /// If there is no such agent, its parameters make no sense, or it names a file or a program.
    fn agent(&self, spec: &Spec) -> Result<Box<dyn AnyAgent>, SpecError> {
        self.agent_with(spec, &Access::stranger())
    }
    /// The agent that a spec names, with what the spec's origin may open and start.
    ///
    /// # Errors
    /// If there is no such agent, or its parameters make no sense.
    fn agent_with(&self, spec: &Spec, access: &Access) -> Result<Box<dyn AnyAgent>, SpecError>;
    /// Checks a proof of a claim about this position, by the rules alone.
    ///
    /// # Errors
    /// The first place at which it does not hold; or that the meter ended the walk.
    fn check_proof(&self, claim: &Claim, meter: &mut Meter) -> Result<Checked, ProofError>;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyPosition>;
    /// For agents, which know the type they serve.
    fn as_any(&self) -> &dyn Any;
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

    /// The proof of what the last search proved about this position.
    ///
    /// # Errors
    /// If the agent writes no proofs, has proved nothing, or the budget is spent first.
    fn proof(&mut self, _position: &dyn AnyPosition, _budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        Err(SearchError::Unsupported("this agent writes no proofs; df-pn does".into()))
    }
}

impl<P: Playable> AnyPosition for P {
    fn turn(&self) -> Player {
        Position::turn(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Position::outcome(self)
    }

    fn history_matters(&self) -> bool {
        Position::history_matters(self)
    }

    fn moves(&self) -> Vec<String> {
        Position::moves(self).into_iter().map(|mv| self.show_move(mv)).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        let mv = self.read_move(text)?;
        let shown = self.show_move(mv);
        Position::play(self, mv);
        Ok(shown)
    }

    fn view(&self) -> BoardView {
        Notation::view(self)
    }

    fn place_of(&self, text: &str) -> Option<(usize, usize)> {
        Notation::place_of(self, self.read_move(text).ok()?)
    }

    fn move_on(&self, column: usize, row: usize) -> Option<String> {
        Notation::move_on(self, column, row).map(|mv| self.show_move(mv))
    }

    fn hash(&self) -> PositionHash {
        Position::hash(self)
    }

    fn size_in_bytes(&self) -> usize {
        size_of::<P>()
    }

    fn perft(&self, depth: usize, meter: &mut Meter) -> Perft {
        perft(self, depth, meter)
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        self.playout_move(rng).map(|mv| self.show_move(mv))
    }

    fn playouts(&self, count: u64, rng: &mut Rng) -> PlayoutTally {
        let mut tally = PlayoutTally { count, ..PlayoutTally::default() };
        let mut scratch = self.clone();
        for _ in 0..count {
            scratch.clone_from(self);
            let outcome = scratch.playout(rng, &mut ());
            tally.units += u64::from(outcome.score.units());
            tally.margins += i64::from(outcome.margin);
        }
        tally
    }

    fn copies(&self, count: u64) {
        let mut scratch = self.clone();
        for _ in 0..count {
            scratch.clone_from(std::hint::black_box(self));
            std::hint::black_box(&mut scratch);
        }
    }

    fn move_space(&self) -> usize {
        Position::move_space(self)
    }

    fn widest_margin(&self) -> Option<u32> {
        Position::widest_margin(self)
    }

    fn playout_lengths(&self, count: u64, rng: &mut Rng) -> u64 {
        let mut lengths = CountMoves::default();
        let mut scratch = self.clone();
        for _ in 0..count {
            scratch.clone_from(self);
            scratch.playout(rng, &mut lengths);
        }
        lengths.0
    }

    fn read_record(&self, bytes: &[u8]) -> Result<Vec<(Player, String)>, ReplayError> {
        let mut position = self.clone();
        let show = |(mover, mv)| {
            take_turn(&mut position, mover);
            let shown = position.show_move(mv);
            Position::play(&mut position, mv);
            (mover, shown)
        };
        Ok(sgf::read_game(bytes, self, turned)?.into_iter().map(show).collect())
    }

    fn write_record(&self, name: &str, moves: &[(Player, String)]) -> Result<String, String> {
        let mut position = self.clone();
        let mut read = Vec::new();
        for (mover, text) in moves {
            take_turn(&mut position, *mover);
            let mv = position.read_move(text).map_err(|error| error.to_string())?;
            Position::play(&mut position, mv);
            read.push((*mover, mv));
        }
        let record = sgf::write_game(name, self, &read, turned);
        record.map(|record| record.to_string()).map_err(|error| error.to_string())
    }

    fn strongest(&self) -> &'static str {
        Studied::strongest(self)
    }

    fn agent_with(&self, spec: &Spec, access: &Access) -> Result<Box<dyn AnyAgent>, SpecError> {
        searches::build(&searches::agent_for(spec, self)?, self, access)
    }

    fn check_proof(&self, claim: &Claim, meter: &mut Meter) -> Result<Checked, ProofError> {
        tesuji_proof::check_with(self, claim, self.certifier().as_deref(), meter)
    }

    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The same position with this player to move, in games that allow it.
fn turned<P: Playable>(position: &P, player: Player) -> Option<P> {
    crate::go_table::with_turn(position, player)?.as_any().downcast_ref::<P>().cloned()
}

/// Makes it this player's turn, in games that allow it.
fn take_turn<P: Playable>(position: &mut P, player: Player) {
    if Position::turn(position) != player
        && let Some(turned) = turned(position, player)
    {
        *position = turned;
    }
}

/// A search of ours as an agent. The search is behind a pointer, so that this is compiled once a game
/// and not once for every pair of a game and a search.
pub(crate) struct Erased<P: Position> {
    search: Box<dyn Search<P>>,
    /// The game that was begun, as far as it was followed.
    game: Option<P>,
}

impl<P: Playable> Erased<P> {
    /// The agent that a search is.
    pub(crate) fn boxed(search: impl Search<P> + 'static) -> Box<dyn AnyAgent> {
        Box::new(Erased { search: Box::new(search), game: None })
    }

    /// Plays a move in the game that was begun, if one was.
    fn advance(&mut self, text: &str) -> Result<Option<P::Move>, SearchError> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let mv = game.read_move(text).map_err(|error| SearchError::Failed(error.to_string()))?;
        game.play(mv);
        Ok(Some(mv))
    }
}

impl<P: Playable> AnyAgent for Erased<P> {
    fn begin(&mut self, start: &dyn AnyPosition, moves: &[String]) -> Result<(), SearchError> {
        self.search.begin();
        self.game = start.as_any().downcast_ref::<P>().cloned();
        moves.iter().try_for_each(|mv| self.advance(mv).map(|_| ()))
    }

    fn follow(&mut self, _: Player, mv: &str) -> Result<(), SearchError> {
        if let Some(mv) = self.advance(mv)? {
            self.search.follow(mv);
        }
        Ok(())
    }

    fn think(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<String>,
    ) -> Result<Report<String>, SearchError> {
        let Some(root) = position.as_any().downcast_ref::<P>() else {
            return Err(SearchError::Unsupported("this agent was made for another game".into()));
        };
        let mut watch = Translated { root, watch };
        self.search.search(root, budget, seed, &mut watch).map(|report| in_text(root, report))
    }

    fn proof(&mut self, position: &dyn AnyPosition, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        let Some(root) = position.as_any().downcast_ref::<P>() else {
            return Err(SearchError::Unsupported("this agent was made for another game".into()));
        };
        self.search.proof(root, budget)
    }
}

/// Hands a search's reports on in text.
struct Translated<'a, P> {
    root: &'a P,
    watch: &'a mut dyn Observer<String>,
}

impl<P: Notation> Observer<P::Move> for Translated<'_, P> {
    fn pace(&self) -> Option<Pace> {
        self.watch.pace()
    }

    fn wants_playouts(&self) -> bool {
        self.watch.wants_playouts()
    }

    fn progress(&mut self, report: &Report<P::Move>) {
        self.watch.progress(&in_text(self.root, report.clone()));
    }
}

fn in_text<P: Notation>(root: &P, report: Report<P::Move>) -> Report<String> {
    report.translate(
        |mv| root.show_move(mv),
        |line| {
            let mut at = root.clone();
            let show = |mv| {
                let shown = at.show_move(mv);
                at.play(mv);
                shown
            };
            line.into_iter().map(show).collect()
        },
    )
}
