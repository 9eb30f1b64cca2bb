//! Every playable position as an [`AnyPosition`].

use crate::any::{AnyAgent, AnyEvaluation, AnyPosition, AnyPreference, PlayoutTally};
use crate::erased::typed;
use crate::searches;
use std::any::Any;
use tesuji_core::spec::{ArgumentError, Arguments};
use tesuji_core::{
    BoardView, Certificate, Conventions, CountMoves, Drawing, EngineProtocol, Evaluation, Geometry, Meter, MoveError,
    Notation, Outcome, Perft, Playable, Player, Position, PositionHash, Preference, Rng, Sides, Studied, perft,
};
use tesuji_learn::hawk::{StoneTable, table_of};
use tesuji_proof::{Checked, Claim, ExpansionLimits, Outline, ProofError};

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

    fn never_repeats(&self) -> bool {
        P::CHARACTER.never_repeats
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

    fn sides(&self) -> Sides {
        Notation::sides(self)
    }

    fn setup_text(&self) -> Option<String> {
        Notation::setup_text(self)
    }

    fn view(&self) -> BoardView {
        Notation::view(self)
    }

    fn place_of(&self, text: &str) -> Option<(usize, usize)> {
        Notation::place_of(self, self.read_move(text).ok()?)
    }

    fn way_of(&self, text: &str) -> Option<[(usize, usize); 2]> {
        Notation::way_of(self, self.read_move(text).ok()?)
    }

    fn geometry(&self) -> Geometry {
        Notation::geometry(self)
    }

    fn move_on(&self, column: usize, row: usize) -> Option<String> {
        Notation::move_on(self, column, row).map(|mv| self.show_move(mv))
    }

    fn hash(&self) -> PositionHash {
        Position::hash(self)
    }

    fn recomputed_hash(&self) -> PositionHash {
        Position::recomputed_hash(self)
    }

    fn size_in_bytes(&self) -> usize {
        size_of::<P>()
    }

    fn shared_bytes(&self) -> usize {
        Position::shared_bytes(self)
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

    fn conventions(&self) -> Conventions {
        P::CONVENTIONS
    }

    fn show_for(&self, protocol: EngineProtocol, text: &str) -> Result<String, MoveError> {
        self.read_move(text).map(|mv| Notation::show_for(self, protocol, mv))
    }

    fn read_from(&self, protocol: EngineProtocol, text: &str) -> Result<String, MoveError> {
        Notation::read_from(self, protocol, text).map(|mv| self.show_move(mv))
    }

    fn is_usual_start(&self) -> bool {
        Notation::is_usual_start(self)
    }

    fn uci_variant(&self) -> Option<&'static str> {
        Notation::uci_variant(self)
    }

    fn gomocup_rule(&self) -> Option<u32> {
        Notation::gomocup_rule(self)
    }

    fn record_number(&self) -> Option<u16> {
        Notation::record_number(self)
    }

    fn strongest(&self) -> &'static str {
        Studied::strongest(self)
    }

    fn solver(&self) -> &'static str {
        Studied::solver(self)
    }

    fn evaluation(&self) -> Option<Box<dyn AnyEvaluation>> {
        Some(Box::new(Known(Studied::evaluation(self)?)))
    }

    fn preference(&self) -> Option<Box<dyn AnyPreference>> {
        Some(Box::new(Known(Studied::preference(self)?)))
    }

    fn winning_action(&self) -> Option<usize> {
        self.winning_move().map(|mv| self.move_index(mv))
    }

    fn is_pass(&self, action: usize) -> bool {
        self.move_at(action).is_some_and(|mv| Studied::is_pass(self, mv))
    }

    fn stone_table(&self) -> Option<Box<dyn StoneTable>> {
        table_of(self)
    }

    fn make_agent(&self, name: &str, arguments: &Arguments) -> Result<Option<Box<dyn AnyAgent>>, ArgumentError> {
        searches::make::<P>(name, arguments, self)
    }

    fn check_proof(&self, claim: &Claim, meter: &mut Meter) -> Result<Checked, ProofError> {
        tesuji_proof::check_with(self, claim, self.certifier().as_deref(), meter)
    }

    fn check_proof_by_rules(
        &self,
        claim: &Claim,
        limits: &ExpansionLimits,
        meter: &mut Meter,
    ) -> Result<Checked, ProofError> {
        tesuji_proof::check_by_rules(self, claim, limits, meter)
    }

    fn outline_proof(&self, claim: &Claim, meter: &mut Meter) -> Result<(Checked, Outline), ProofError> {
        tesuji_proof::outline(self, claim, self.certifier().as_deref(), meter)
    }

    fn draw_certificate(&self, claimant: Player, certificate: &Certificate) -> Drawing {
        self.certifier().map(|certifier| certifier.drawing(self, claimant, certificate)).unwrap_or_default()
    }

    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        typed::<P>(other) == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Knowledge of one game, for positions whose type is erased.
struct Known<K>(K);

/// A position of the game whose knowledge this is.
fn own<P: Playable>(position: &dyn AnyPosition) -> &P {
    typed(position).expect("knowledge of a game is asked of its own positions")
}

impl<P: Playable> AnyEvaluation for Known<Box<dyn Evaluation<P>>> {
    fn evaluate(&self, position: &dyn AnyPosition) -> i32 {
        self.0.evaluate(own(position))
    }

    fn scale(&self) -> f64 {
        self.0.scale()
    }
}

impl<P: Playable> AnyPreference for Known<Box<dyn Preference<P>>> {
    fn weigh(&self, position: &dyn AnyPosition, actions: &[usize], weights: &mut Vec<f64>) {
        let position: &P = own(position);
        let moves: Vec<P::Move> = actions.iter().filter_map(|action| position.move_at(*action)).collect();
        self.0.weigh(position, &moves, weights);
    }
}
