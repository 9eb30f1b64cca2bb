//! The games that the server keeps. Their number and their bytes are bounded: a new one drops those
//! that were not used for the longest time. A client that keeps the document of its game begins it again.
//!
//! A session here has no searching agent of its own: each search is made for the position that it
//! is asked about (`searches.rs`), so several agents can search one game side by side, and trees
//! exist only while searches run.

use crate::api::{Dead, NewSession, Reason, State};
use crate::document;
use crate::refusal::Refusal;
use crate::state::{self, Settled, Wanted};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji_agents::records::{self, Details, GameResult, Step, WinReason};
use tesuji_agents::{Session, StartedGame, start_game};
use tesuji_core::spec::{Argument, Place, Spec, SpecValue};
use tesuji_core::{Outcome, Player};

/// The most steps of a game: its state lists them all.
pub(crate) const MOST_STEPS: usize = 2_000;

/// The most positions that are set up in a game: each is kept whole.
const MOST_SET_UPS: usize = 50;

/// About how many positions a history keeps.
const KEPT_POSITIONS: usize = 50;

/// A game that is kept.
pub(crate) struct Game {
    /// The game. Its agent never searches.
    pub session: Session,
    /// How it ended, where its rules do not say it.
    pub settled: Option<Settled>,
    /// Changes with every change.
    pub version: u64,
}

impl Game {
    /// Begins what a request asks for.
    pub(crate) fn begin(request: &NewSession) -> Result<Game, Refusal> {
        let (spec, steps) = match (&request.game, &request.document) {
            (Some(game), None) => (game.parse().map_err(|error| Refusal::spec("the game", &error))?, Vec::new()),
            (None, Some(document)) => document::split(document)?,
            _ => return Err(Refusal::bad_request("expected either a game or a document")),
        };
        let mut spec: Spec = spec;
        if let Some(komi) = request.komi {
            set(&mut spec, "komi", SpecValue::Number(komi));
        }
        if let Some(stones) = request.handicap {
            set(&mut spec, "handicap", SpecValue::Integer(i64::from(stones)));
        }
        let mut session = Session::new(&spec, &Spec::bare("random"))?;
        if let Some(text) = &request.sgf {
            let StartedGame { position, spec } =
                start_game(&spec).map_err(|error| Refusal::spec("the game", &error))?;
            let record = records::read_as(StartedGame { position, spec }, text.as_bytes(), Some(MOST_STEPS))
                .map_err(|error| Refusal::bad_request(format!("the record: {error}")))?;
            session.replay(record)?;
        }
        if steps.len() > MOST_STEPS {
            return Err(Refusal::too_large(format!("the game has more than {MOST_STEPS} steps")));
        }
        document::play(&mut session, &steps)?;
        let game = Game { session, settled: None, version: 1 };
        if game.set_ups() > MOST_SET_UPS {
            return Err(Refusal::too_large(format!("the game has more than {MOST_SET_UPS} set-ups")));
        }
        Ok(game)
    }

    fn set_ups(&self) -> usize {
        self.session.history().iter().filter(|step| matches!(step, Step::Set(_))).count()
    }

    /// About the bytes that it takes: the positions that its history keeps, and what they share.
    fn bytes(&self) -> usize {
        let position = self.session.first_position();
        position.shared_bytes() + (KEPT_POSITIONS + self.set_ups()) * position.size_in_bytes()
    }

    fn changed(&mut self) {
        self.settled = None;
        self.version += 1;
    }

    /// The result at this point, if the game is over.
    fn check_running(&self) -> Result<(), Refusal> {
        match self.settled {
            Some(_) => Err(Refusal::conflict("the game is over; take a step back to go on")),
            None => Ok(()),
        }
    }

    pub(crate) fn play(&mut self, mv: &str) -> Result<(), Refusal> {
        self.check_running()?;
        if self.session.steps() >= MOST_STEPS {
            return Err(Refusal::unsupported(format!("a game has at most {MOST_STEPS} steps")));
        }
        self.session.play(mv)?;
        self.changed();
        Ok(())
    }

    /// Takes steps back: as many as the state lists, a change of turn counted to the move after it.
    pub(crate) fn undo(&mut self, steps: usize) -> Result<(), Refusal> {
        let told = self.session.history().len();
        if steps == 0 || steps > told {
            return Err(Refusal::conflict(format!("{told} steps can be taken back")));
        }
        while self.session.history().len() > told - steps {
            self.session.undo()?;
        }
        self.changed();
        Ok(())
    }

    /// This player, or else the side to move, loses by giving up or by the clock.
    pub(crate) fn resign(&mut self, player: Option<Player>, out_of_time: bool) -> Result<(), Refusal> {
        self.check_running()?;
        if self.session.position().outcome().is_some() {
            return Err(Refusal::conflict("the game is over"));
        }
        let player = player.unwrap_or(self.session.position().turn());
        self.changed();
        self.settled = Some(if out_of_time { Settled::OutOfTime(player) } else { Settled::Resigned(player) });
        Ok(())
    }

    pub(crate) fn set_komi(&mut self, komi: f64) -> Result<(), Refusal> {
        if self.session.position().komi().is_none() {
            return Err(Refusal::unsupported("this game has no komi"));
        }
        let mut spec = self.session.game().clone();
        set(&mut spec, "komi", SpecValue::Number(komi));
        self.session.change_all(&spec, |position| position.with_komi(komi))?;
        self.changed();
        Ok(())
    }

    pub(crate) fn set_up(&mut self, stones: &[(Player, String)], turn: Player) -> Result<(), Refusal> {
        if self.set_ups() >= MOST_SET_UPS {
            return Err(Refusal::unsupported(format!("a game has at most {MOST_SET_UPS} set-ups")));
        }
        document::set_up(&mut self.session, stones, turn)?;
        self.changed();
        Ok(())
    }

    /// Which stones seem dead.
    pub(crate) fn judged(&self) -> Result<Dead, Refusal> {
        let position = self.session.position();
        let judgement = records::judged(position)
            .ok_or_else(|| Refusal::unsupported("no stones can be dead in this game, or not here"))?;
        let outcome = state::ended(position.sides(), judgement.outcome, Some(judgement.points), Reason::Score);
        Ok(Dead { dead: judgement.dead.concat(), ownership: judgement.ownership, outcome })
    }

    /// Counts the game with these stones dead.
    pub(crate) fn settle(&mut self, dead: &[String]) -> Result<(), Refusal> {
        if let Some(Settled::Resigned(_) | Settled::OutOfTime(_)) = self.settled {
            return Err(Refusal::conflict("the game was not played to its end"));
        }
        let settled: Option<(Outcome, f64)> = self.session.position().settle(dead);
        let (outcome, points) = settled
            .ok_or_else(|| Refusal::unsupported("these stones cannot be taken off; name points with stones of Go"))?;
        self.changed();
        self.settled = Some(Settled::Counted(outcome, points));
        Ok(())
    }

    /// What a record states of it beside its moves.
    pub(crate) fn details(&self, players: [Option<String>; 2]) -> Details {
        let position = self.session.position();
        let result = match self.settled {
            Some(Settled::Resigned(player)) => Some(records::resigned(player)),
            Some(Settled::OutOfTime(player)) => Some(match records::resigned(player) {
                GameResult::Win(winner, _) => GameResult::Win(winner, WinReason::Time),
                other => other,
            }),
            Some(Settled::Counted(outcome, points)) => Some(records::result_by(outcome, Some(points))),
            None => records::result(position),
        };
        Details { players, result, date: None }
    }

    /// The game as a record.
    pub(crate) fn record(&self, players: [Option<String>; 2]) -> Result<String, Refusal> {
        let (game, first) = (self.session.game(), self.session.first_position());
        let details = self.details(players);
        records::write_with(game, first, &self.session.history(), &details).map_err(Refusal::unsupported)
    }

    /// Its state.
    pub(crate) fn state(&self, id: Option<&str>, wanted: Wanted) -> Result<State, Refusal> {
        let state = state::of(&self.session, self.settled, wanted)?;
        Ok(State { id: id.map(Into::into), version: self.version, ..state })
    }
}

/// Gives a spec this argument.
fn set(spec: &mut Spec, name: &str, value: SpecValue) {
    spec.arguments.retain(|argument| argument.name != name);
    // A whole number is written as one.
    let value = match value {
        SpecValue::Number(number) if number.fract() == 0.0 && number.abs() < 1e9 => SpecValue::Integer(number as i64),
        value => value,
    };
    spec.arguments.push(Argument { name: name.into(), value, at: Place(0) });
}

/// One place of the store.
struct Slot {
    game: Arc<Mutex<Game>>,
    /// What it takes, at its beginning.
    bytes: usize,
    used: AtomicU64,
}

/// The games that are kept, by id.
pub(crate) struct Store {
    slots: Mutex<HashMap<String, Slot>>,
    most: usize,
    most_bytes: usize,
    clock: AtomicU64,
}

impl Store {
    pub(crate) fn new(most: usize, most_bytes: usize) -> Store {
        Store { slots: Mutex::default(), most: most.max(1), most_bytes, clock: AtomicU64::new(0) }
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a game, and answers its id. Ids cannot be guessed: who does not know one cannot reach
    /// the game.
    pub(crate) fn keep(&self, game: Game) -> Result<String, Refusal> {
        let id = random_name()?;
        let bytes = game.bytes();
        if bytes > self.most_bytes / 4 {
            return Err(Refusal::too_large("the game takes too much memory; choose a smaller one"));
        }
        let mut slots = self.slots();
        let is_full = |slots: &HashMap<String, Slot>| {
            let taken: usize = slots.values().map(|slot| slot.bytes).sum();
            slots.len() >= self.most || taken + bytes > self.most_bytes
        };
        while is_full(&slots) {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.used.load(Ordering::Relaxed));
            let oldest = oldest.map(|(id, _)| id.clone()).expect("it is full, so not empty");
            slots.remove(&oldest);
        }
        let slot = Slot { game: Arc::new(Mutex::new(game)), bytes, used: AtomicU64::new(self.now()) };
        slots.insert(id.clone(), slot);
        Ok(id)
    }

    /// The game of an id.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Mutex<Game>>, Refusal> {
        let slots = self.slots();
        let slot = slots.get(id).ok_or_else(|| {
            Refusal::not_found("there is no such session: it was dropped, or the server was restarted; begin it again")
        })?;
        slot.used.store(self.now(), Ordering::Relaxed);
        Ok(slot.game.clone())
    }

    /// Forgets a game.
    pub(crate) fn drop_game(&self, id: &str) -> Result<(), Refusal> {
        self.find(id)?;
        self.slots().remove(id);
        Ok(())
    }

    /// How many are kept.
    pub(crate) fn len(&self) -> usize {
        self.slots().len()
    }
}

/// Sixteen random bytes, in hexadecimal digits.
pub(crate) fn random_name() -> Result<String, Refusal> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::internal("the system has no randomness"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Locks a game. A panic under the lock leaves the game as it was before the step that failed.
pub(crate) fn locked(game: &Mutex<Game>) -> MutexGuard<'_, Game> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}
