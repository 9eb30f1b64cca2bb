//! The kit must let a correct game pass, and name the law when one thing is broken.

use std::ops::ControlFlow;
use tesuji_core::conformance::{Kit, Law, PlayoutLaw, Violation, example::TakeAway};
use tesuji_core::{
    BoardView, EVALUATION_LIMIT, Evaluation, MoveError, Notation, Outcome, Player, Position, PositionHash, Preference,
    Rng, Score, Sides, Studied, Trace,
};

/// What is wrong with a [`Broken`] game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    ListsIllegal,
    ForgetsLegal,
    ListsTwice,
    ListingWavers,
    IgnoresBreak,
    EndsWithMoves,
    NoMoveNoOutcome,
    MarginAgainstScore,
    IndexOutOfRange,
    IndexShared,
    MoveAtWrong,
    MarkMissing,
    SpaceShrinks,
    UndoForgetsTurn,
    MakeIsNotPlay,
    HashDrifts,
    HashForgetsTurn,
    EqualForgetsTurn,
    EqualTooStrict,
    BlindToTheHeap,
    ShowsWrong,
    ReadsNonsense,
    ViewTooSmall,
    SpaceInMove,
    SharedState,
    CloneFromWrong,
    NeverEnds,
    RandomCrooked,
    RandomIllegal,
    PlayoutLies,
    PlayoutSkipsMoves,
    PlayoutCrooked,
    SilentPlayoutCrooked,
    WinOverlooked,
    WinInvented,
    SavesIllegally,
    DecisiveLies,
    EvaluationTooLarge,
    EvaluationSeesThePast,
    ScaleOfNothing,
    WeightMissing,
    WeightNegative,
    WeightNotANumber,
    WeightsByOrder,
}

/// A correct game with one fault put in.
#[derive(Debug)]
struct Broken {
    game: TakeAway,
    fault: Fault,
    listings: std::sync::atomic::AtomicUsize,
    plies: usize,
    shared: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Clone for Broken {
    fn clone(&self) -> Self {
        Broken {
            game: self.game.clone(),
            fault: self.fault,
            listings: 0.into(),
            plies: self.plies,
            shared: self.shared.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let kept = self.game.clone();
        *self = source.clone();
        if self.fault == Fault::CloneFromWrong {
            self.game = kept;
        }
    }
}

impl PartialEq for Broken {
    fn eq(&self, other: &Self) -> bool {
        match self.fault {
            Fault::EqualForgetsTurn | Fault::BlindToTheHeap => self.game.move_count() == other.game.move_count(),
            Fault::EqualTooStrict => self.game == other.game && self.plies == other.plies,
            _ => self.game == other.game,
        }
    }
}
impl Eq for Broken {}

impl Position for Broken {
    type Move = u8;

    fn turn(&self) -> Player {
        self.game.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.game.outcome();
        match self.fault {
            Fault::EndsWithMoves if self.plies > 2 => Some(Outcome::DRAW),
            Fault::NoMoveNoOutcome => None,
            Fault::MarginAgainstScore => outcome.map(|o| Outcome { margin: -o.margin, ..o }),
            _ => outcome,
        }
    }

    fn visit_moves<B>(&self, mut f: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        let count = self.listings.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut moves = self.game.moves();
        match self.fault {
            Fault::ListsIllegal if moves.len() == 2 => moves.push(3),
            Fault::ForgetsLegal if moves.len() == 3 => drop(moves.remove(1)),
            Fault::ListsTwice if moves.len() == 2 => moves.push(1),
            Fault::ListingWavers if count % 2 == 1 => moves.reverse(),
            Fault::SharedState if self.shared.load(std::sync::atomic::Ordering::Relaxed) % 2 == 1 => moves.reverse(),
            Fault::IgnoresBreak => {
                let mut broken = ControlFlow::Continue(());
                for mv in moves {
                    if let ControlFlow::Break(b) = f(mv) {
                        broken = ControlFlow::Break(b);
                    }
                }
                return broken;
            }
            _ => {}
        }
        moves.into_iter().try_for_each(f)
    }

    fn play(&mut self, mv: u8) {
        self.shared.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.plies += 1;
        self.game.play(mv);
        if self.fault == Fault::NeverEnds && self.game.outcome().is_some() {
            self.game = TakeAway::new(11);
        }
    }

    fn hash(&self) -> PositionHash {
        let PositionHash(hash) = self.game.hash();
        match self.fault {
            Fault::HashDrifts if self.plies > 3 => PositionHash(hash ^ 1),
            Fault::HashForgetsTurn | Fault::BlindToTheHeap => PositionHash(self.game.move_count() as u64),
            _ => PositionHash(hash),
        }
    }

    fn recomputed_hash(&self) -> PositionHash {
        match self.fault {
            Fault::HashForgetsTurn | Fault::BlindToTheHeap => self.hash(),
            _ => self.game.recomputed_hash(),
        }
    }

    fn move_space(&self) -> usize {
        match self.fault {
            Fault::SpaceShrinks => 10 - self.plies,
            _ => 3,
        }
    }

    fn move_index(&self, mv: u8) -> usize {
        match self.fault {
            Fault::IndexOutOfRange => usize::from(mv),
            Fault::IndexShared => 0,
            _ => self.game.move_index(mv),
        }
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        match self.fault {
            Fault::MoveAtWrong => self.game.move_at(2_usize.checked_sub(index)?),
            _ => self.game.move_at(index),
        }
    }

    fn mark_moves(&self, marks: &mut [u64]) {
        self.game.mark_moves(marks);
        if self.fault == Fault::MarkMissing {
            marks[0] &= !0b100;
        }
    }

    fn is_legal(&self, mv: u8) -> bool {
        self.game.is_legal(mv)
    }

    fn random_move(&self, rng: &mut Rng) -> Option<u8> {
        match self.fault {
            Fault::RandomCrooked => {
                let moves = self.game.moves();
                (!moves.is_empty())
                    .then(|| moves[(rng.below(100) as usize * moves.len() / 100).min(rng.below(3) as usize)])
            }
            Fault::RandomIllegal => Some(1 + rng.below(3) as u8),
            _ => self.game.random_move(rng),
        }
    }

    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        let mut skip = self.fault == Fault::PlayoutSkipsMoves;
        loop {
            if let Some(outcome) = self.game.outcome() {
                return match self.fault {
                    Fault::PlayoutLies if rng.below(50) == 0 => Outcome { score: Score::DRAW, margin: 0 },
                    Fault::SilentPlayoutCrooked if !T::NEEDS_ORDER => Outcome::won_by(Player::First),
                    _ => outcome,
                };
            }
            let mv = match self.fault {
                Fault::PlayoutCrooked if rng.below(4) == 0 => 1,
                _ => self.game.random_move(rng).expect("a live game"),
            };
            if !std::mem::replace(&mut skip, false) {
                trace.played(self.turn(), mv);
            }
            self.game.play(mv);
        }
    }

    type Undo = Broken;

    fn make(&mut self, mv: u8) -> Broken {
        let before = self.clone();
        match self.fault {
            Fault::MakeIsNotPlay if self.game.is_legal(2) => self.play(2),
            _ => self.play(mv),
        }
        before
    }

    fn unmake(&mut self, _: u8, before: Broken) {
        if self.fault == Fault::UndoForgetsTurn && before.game.move_count() == 2 {
            return;
        }
        *self = before;
    }
}

impl Notation for Broken {
    fn show_move(&self, mv: u8) -> String {
        match self.fault {
            Fault::ShowsWrong => "1".into(),
            Fault::SpaceInMove => format!("{mv} "),
            _ => self.game.show_move(mv),
        }
    }

    fn read_move(&self, text: &str) -> Result<u8, MoveError> {
        match self.fault {
            Fault::ReadsNonsense if text == "zz99" => Ok(9),
            Fault::SpaceInMove => self.game.read_move(text.trim()),
            _ => self.game.read_move(text),
        }
    }

    fn sides(&self) -> Sides {
        self.game.sides()
    }

    fn view(&self) -> BoardView {
        let mut view = self.game.view();
        if self.fault == Fault::ViewTooSmall {
            view.rows.push("1".into());
            view.columns.push("a".into());
        }
        view
    }
}

impl Studied for Broken {
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Broken>>> {
        Some(Box::new(Judge(self.fault)))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Broken>>> {
        Some(Box::new(Judge(self.fault)))
    }

    fn winning_move(&self) -> Option<u8> {
        match self.fault {
            Fault::WinOverlooked => self.game.winning_move().filter(|mv| *mv != 2),
            Fault::WinInvented => self.game.moves().last().copied(),
            _ => self.game.winning_move(),
        }
    }

    fn saving_move(&self, rng: &mut Rng) -> Option<u8> {
        match self.fault {
            Fault::SavesIllegally => Some(3),
            _ => self.game.saving_move(rng),
        }
    }

    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        match self.fault {
            Fault::DecisiveLies => Outcome::won_by(Player::BOTH[rng.below(2) as usize]),
            _ => {
                while self.game.outcome().is_none() {
                    let mv = self.game.winning_move().or_else(|| self.game.random_move(rng)).expect("a live game");
                    trace.played(self.turn(), mv);
                    self.game.play(mv);
                }
                self.game.outcome().expect("an ended game")
            }
        }
    }
}

/// Knowledge with at most one fault.
struct Judge(Fault);

impl Evaluation<Broken> for Judge {
    fn evaluate(&self, position: &Broken) -> i32 {
        match self.0 {
            Fault::EvaluationTooLarge => EVALUATION_LIMIT,
            Fault::EvaluationSeesThePast => position.plies as i32,
            _ => position.game.move_count() as i32,
        }
    }

    fn scale(&self) -> f64 {
        if self.0 == Fault::ScaleOfNothing { 0.0 } else { 1.0 }
    }
}

impl Preference<Broken> for Judge {
    fn weigh(&self, _: &Broken, moves: &[u8], weights: &mut Vec<f64>) {
        weights.clear();
        weights.extend(moves.iter().map(|mv| f64::from(*mv)));
        let last = weights.last_mut().expect("a live game has a move");
        match self.0 {
            Fault::WeightMissing => drop(weights.pop()),
            Fault::WeightNegative => *last = 0.0,
            Fault::WeightNotANumber => *last = f64::NAN,
            Fault::WeightsByOrder => *last += 1.0,
            _ => {}
        }
    }
}

fn check(fault: Fault) -> Result<(), Violation> {
    let start = Broken { game: TakeAway::new(11), fault, listings: 0.into(), plies: 0, shared: Default::default() };
    Kit { longest: 500, ..Kit::default() }.check(&start).map(|_| ())
}

#[test]
fn a_correct_game_passes_and_its_kept_turns_are_seen() {
    let summary = Kit::default().check(&TakeAway::new(11)).expect("take-away keeps the laws");
    assert_eq!(summary.games, 50);
    assert!(summary.turns_kept > 10, "{summary:?}");
    assert_eq!(check(Fault::None), Ok(()));
}

#[test]
fn every_fault_is_found_and_named() {
    let expected = [
        (Fault::ListsIllegal, Law::LegalMeansListed),
        (Fault::ForgetsLegal, Law::LegalMeansListed),
        (Fault::ListsTwice, Law::MovesAreDistinct),
        (Fault::ListingWavers, Law::ListingsAgree),
        (Fault::IgnoresBreak, Law::ListingsAgree),
        (Fault::EndsWithMoves, Law::EndedOrMoves),
        (Fault::NoMoveNoOutcome, Law::EndedOrMoves),
        (Fault::MarginAgainstScore, Law::OutcomeIsCoherent),
        (Fault::IndexOutOfRange, Law::IndicesFit),
        (Fault::IndexShared, Law::IndicesFit),
        (Fault::MoveAtWrong, Law::IndicesFit),
        (Fault::MarkMissing, Law::IndicesFit),
        (Fault::SpaceShrinks, Law::IndicesFit),
        (Fault::UndoForgetsTurn, Law::UndoRestores),
        (Fault::MakeIsNotPlay, Law::UndoRestores),
        (Fault::HashDrifts, Law::HashIsRecomputed),
        (Fault::HashForgetsTurn, Law::HashMeansEqual),
        (Fault::EqualForgetsTurn, Law::HashMeansEqual),
        (Fault::EqualTooStrict, Law::HashMeansEqual),
        (Fault::BlindToTheHeap, Law::EqualMeansSame),
        (Fault::ShowsWrong, Law::NotationRoundTrips),
        (Fault::ReadsNonsense, Law::NotationRoundTrips),
        (Fault::SpaceInMove, Law::NotationRoundTrips),
        (Fault::ViewTooSmall, Law::ViewFits),
        (Fault::SharedState, Law::ClonesAreIndependent),
        (Fault::CloneFromWrong, Law::ClonesAreIndependent),
        (Fault::NeverEnds, Law::GamesEnd),
        (Fault::RandomCrooked, Law::RandomMoveIsUniform),
        (Fault::RandomIllegal, Law::RandomMoveIsUniform),
        (Fault::PlayoutLies, Law::PlayoutIsHonest),
        (Fault::PlayoutSkipsMoves, Law::PlayoutIsHonest),
        (Fault::PlayoutCrooked, Law::PlayoutIsFair),
        (Fault::SilentPlayoutCrooked, Law::PlayoutIsFair),
        (Fault::WinOverlooked, Law::WinningMoveWins),
        (Fault::WinInvented, Law::WinningMoveWins),
        (Fault::SavesIllegally, Law::SavingMoveIsLegal),
        (Fault::DecisiveLies, Law::DecisivePlayoutIsHonest),
        (Fault::EvaluationTooLarge, Law::EvaluationIsSound),
        (Fault::EvaluationSeesThePast, Law::EvaluationIsSound),
        (Fault::ScaleOfNothing, Law::EvaluationIsSound),
        (Fault::WeightMissing, Law::WeightsAreSound),
        (Fault::WeightNegative, Law::WeightsAreSound),
        (Fault::WeightNotANumber, Law::WeightsAreSound),
        (Fault::WeightsByOrder, Law::WeightsAreSound),
    ];
    for (fault, law) in expected {
        let violation = check(fault).expect_err(&format!("{fault:?} was not found"));
        assert_eq!(violation.law, law, "{fault:?}: {violation}");
    }
}

#[test]
fn a_mean_is_enough_where_only_the_mean_is_promised() {
    let kit = Kit { playouts: PlayoutLaw::Mean, ..Kit::default() };
    assert!(kit.check(&TakeAway::new(11)).is_ok());
    let crooked = Broken {
        game: TakeAway::new(11),
        fault: Fault::SilentPlayoutCrooked,
        listings: 0.into(),
        plies: 0,
        shared: Default::default(),
    };
    assert_eq!(kit.check(&crooked).expect_err("crooked").law, Law::PlayoutIsFair);
}
