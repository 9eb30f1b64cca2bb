//! A game that counts the work done on it and throws the stop flag after so much of it.
//!
//! [`Counted`] wraps the positions of a real game. Each move played, by a search or inside a
//! playout, is one *unit of work*, and so is each list of moves, each evaluation and each search
//! for a win at once. All copies of a position share one [`Gauge`], so several threads are counted
//! together. Wrapped positions go through the registry like any other game, so whatever agent is
//! added there is measured without being named here.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_core::{
    BoardView, Character, Endgame, Evaluation, Meter, MoveError, Notation, Outcome, Playable, Player, Position,
    PositionHash, Preference, Rng, Sides, Solved, StopFlag, Studied, Trace,
};

/// Counts units of work, and sets a flag at a given count.
pub struct Gauge {
    units: AtomicU64,
    throw_at: u64,
    stop: StopFlag,
    /// Units after the flag at which a panic ends the search, so that no test hangs.
    fuse: u64,
}

impl Gauge {
    /// Throws `stop` at this unit.
    pub fn new(stop: StopFlag, throw_at: u64, fuse: u64) -> Arc<Gauge> {
        Arc::new(Gauge { units: AtomicU64::new(0), throw_at, stop, fuse })
    }

    fn count(&self, units: u64) {
        let before = self.units.fetch_add(units, Relaxed);
        let now = before + units;
        if before < self.throw_at && now >= self.throw_at {
            self.stop.stop();
        }
        assert!(now <= self.throw_at.saturating_add(self.fuse), "{now} units of work, and no end");
    }

    /// Units counted so far.
    pub fn units(&self) -> u64 {
        self.units.load(Relaxed)
    }

    /// Units counted after the flag was thrown; nothing if it was not.
    pub fn late(&self) -> Option<u64> {
        self.units().checked_sub(self.throw_at)
    }
}

/// A position of the game `P` that counts.
pub struct Counted<P> {
    position: P,
    gauge: Arc<Gauge>,
}

impl<P> Counted<P> {
    /// Counts from here on.
    pub fn new(position: P, gauge: Arc<Gauge>) -> Counted<P> {
        Counted { position, gauge }
    }

    fn one(&self) -> &P {
        self.gauge.count(1);
        &self.position
    }
}

impl<P: Clone> Clone for Counted<P> {
    fn clone(&self) -> Counted<P> {
        Counted { position: self.position.clone(), gauge: self.gauge.clone() }
    }

    fn clone_from(&mut self, source: &Counted<P>) {
        self.position.clone_from(&source.position);
        if !Arc::ptr_eq(&self.gauge, &source.gauge) {
            self.gauge.clone_from(&source.gauge);
        }
    }
}

impl<P: PartialEq> PartialEq for Counted<P> {
    fn eq(&self, other: &Counted<P>) -> bool {
        self.position == other.position
    }
}

impl<P: Eq> Eq for Counted<P> {}

impl<P: fmt::Debug> fmt::Debug for Counted<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position.fmt(f)
    }
}

/// Hands the moves of a playout on and counts them.
struct Heard<'a, T> {
    trace: &'a mut T,
    gauge: &'a Gauge,
}

impl<P: Playable, T: Trace<Counted<P>>> Trace<P> for Heard<'_, T> {
    const NEEDS_ORDER: bool = T::NEEDS_ORDER;

    fn played(&mut self, player: Player, mv: P::Move) {
        self.gauge.count(1);
        self.trace.played(player, mv);
    }
}

impl<P: Playable> Position for Counted<P> {
    type Move = P::Move;

    fn history_matters(&self) -> bool {
        Position::history_matters(&self.position)
    }
    fn turn(&self) -> Player {
        Position::turn(&self.position)
    }
    fn outcome(&self) -> Option<Outcome> {
        Position::outcome(&self.position)
    }
    fn visit_moves<B>(&self, f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.one().visit_moves(f)
    }
    fn play(&mut self, mv: P::Move) {
        self.gauge.count(1);
        Position::play(&mut self.position, mv);
    }
    fn hash(&self) -> PositionHash {
        Position::hash(&self.position)
    }
    fn recomputed_hash(&self) -> PositionHash {
        self.position.recomputed_hash()
    }
    fn move_space(&self) -> usize {
        Position::move_space(&self.position)
    }
    fn move_index(&self, mv: P::Move) -> usize {
        self.position.move_index(mv)
    }
    fn move_at(&self, index: usize) -> Option<P::Move> {
        self.position.move_at(index)
    }
    fn is_legal(&self, mv: P::Move) -> bool {
        self.position.is_legal(mv)
    }
    fn random_move(&self, rng: &mut Rng) -> Option<P::Move> {
        Position::random_move(&self.position, rng)
    }
    fn playout_move(&self, rng: &mut Rng) -> Option<P::Move> {
        self.position.playout_move(rng)
    }
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        self.position.playout(rng, &mut Heard { trace, gauge: &self.gauge })
    }

    type Undo = P::Undo;

    fn make(&mut self, mv: P::Move) -> P::Undo {
        self.gauge.count(1);
        self.position.make(mv)
    }
    fn unmake(&mut self, mv: P::Move, undo: P::Undo) {
        self.position.unmake(mv, undo);
    }
    fn glance(&self, mv: P::Move) -> Option<(Option<Outcome>, PositionHash)> {
        self.one().glance(mv)
    }
}

impl<P: Playable> Notation for Counted<P> {
    fn show_move(&self, mv: P::Move) -> String {
        self.position.show_move(mv)
    }
    fn read_move(&self, text: &str) -> Result<P::Move, MoveError> {
        self.position.read_move(text)
    }
    fn sides(&self) -> Sides {
        Notation::sides(&self.position)
    }
    fn view(&self) -> BoardView {
        Notation::view(&self.position)
    }
}

/// What the game knows, asked about the position inside.
struct Inside<T>(T);

impl<P: Playable> Evaluation<Counted<P>> for Inside<Box<dyn Evaluation<P>>> {
    fn evaluate(&self, position: &Counted<P>) -> i32 {
        self.0.evaluate(position.one())
    }
    fn scale(&self) -> f64 {
        self.0.scale()
    }
}

impl<P: Playable> Preference<Counted<P>> for Inside<Box<dyn Preference<P>>> {
    fn weigh(&self, position: &Counted<P>, moves: &[P::Move], weights: &mut Vec<f64>) {
        self.0.weigh(position.one(), moves, weights);
    }
}

impl<P: Playable> Endgame<Counted<P>> for Inside<Box<dyn Endgame<P>>> {
    fn solve(
        &mut self,
        position: &Counted<P>,
        memory: u64,
        meter: &mut Meter,
        look: &mut dyn FnMut(&Meter, &Solved<P::Move>),
    ) -> Solved<P::Move> {
        self.0.solve(&position.position, memory, meter, look)
    }
    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }
}

impl<P: Playable> Studied for Counted<P> {
    const CHARACTER: Character = P::CHARACTER;
    const SHARP: bool = P::SHARP;

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Self>>> {
        Some(Box::new(Inside(self.position.evaluation()?)))
    }
    fn preference(&self) -> Option<Box<dyn Preference<Self>>> {
        Some(Box::new(Inside(self.position.preference()?)))
    }
    fn is_pass(&self, mv: P::Move) -> bool {
        self.position.is_pass(mv)
    }
    fn winning_move(&self) -> Option<P::Move> {
        self.one().winning_move()
    }
    fn saving_move(&self, rng: &mut Rng) -> Option<P::Move> {
        self.one().saving_move(rng)
    }
    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        self.position.decisive_playout(rng, &mut Heard { trace, gauge: &self.gauge })
    }
    fn under_attack(&self) -> bool {
        self.position.under_attack()
    }
    fn gain(&self, mv: P::Move) -> i32 {
        self.position.gain(mv)
    }
    fn stake(&self, mv: P::Move) -> i32 {
        self.position.stake(mv)
    }
    fn visit_loud<B>(&self, f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.one().visit_loud(f)
    }
    fn passed(&self) -> Option<Self> {
        Some(Counted { position: self.one().passed()?, gauge: self.gauge.clone() })
    }
    fn endgame(&self) -> Option<Box<dyn Endgame<Self>>> {
        Some(Box::new(Inside(self.position.endgame()?)))
    }
}
