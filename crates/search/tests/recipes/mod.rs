//! A list of recipes in which every legal pair of parts occurs, and a wrapper that makes small
//! games support all of them.

use crate::wrapped::rules_of;
use std::ops::ControlFlow;
use tesuji_core::{Character, Evaluation, Outcome, Player, Position, PositionHash, Preference, Rng, Studied, mix};
use tesuji_search::mcts::{
    Backup, CombinedForm, Decision, Expansion, Leaf, Mcts, Probe, ReplyMemory, Reward, Selection, Sudden, TieBreak,
};

/// One part of a recipe: sets a field.
type Part = Box<dyn Fn(Mcts) -> Mcts>;

fn parts<T: Copy + 'static>(values: &[T], set: fn(Mcts, T) -> Mcts) -> Vec<Part> {
    values.iter().map(|&value| Box::new(move |recipe| set(recipe, value)) as Part).collect()
}

/// All parts, by kind.
fn kinds() -> Vec<Vec<Part>> {
    let selections = [
        Selection::Ucb1 { c: 0.7 },
        Selection::Ucb1 { c: 0.0 },
        Selection::Ucb1Tuned { c: 1.0 },
        Selection::UcbE { a: 0.5, c: 0.7 },
        Selection::Puct { c: 1.5 },
        Selection::Bias { c: 0.5, w: 2.0 },
        Selection::Rave { c: 0.2, bias: 0.02 },
        Selection::RaveHand { c: 0.2, k: 500.0 },
        Selection::ProofNumbers { c: 0.7, w: 0.5 },
        Selection::Scan { c: 0.7 },
    ];
    let expansions = [Expansion::One, Expansion::All, Expansion::Each, Expansion::Widen { mu: 1.4 }];
    let leaves = [
        Leaf::Random { playouts: 1 },
        Leaf::Random { playouts: 3 },
        Leaf::Decisive { playouts: 1 },
        Leaf::Guarded { depth: 2, playouts: 1 },
        Leaf::Guarded { depth: 3, playouts: 1 },
        Leaf::Replies { memory: ReplyMemory::One, forget: false, playouts: 1 },
        Leaf::Replies { memory: ReplyMemory::Two, forget: true, playouts: 1 },
        Leaf::Heuristic { temperature: 0.7, playouts: 1 },
        Leaf::Cut { plies: 1, playouts: 2 },
    ];
    let rewards = [Reward::Outcome, Reward::Balanced { k: 5.0 }, Reward::Bounded { k: 50.0 }];
    let backups = [
        Backup::Mean,
        Backup::Combined { parameter: 2, form: CombinedForm::Descent },
        Backup::Combined { parameter: 2, form: CombinedForm::Jump },
        Backup::Implicit { alpha: 0.4 },
        Backup::MaxMean { weight: 0.5 },
    ];
    let probes = [
        None,
        Some(Probe { depth: 2, visits: 0, backup: false }),
        Some(Probe { depth: 2, visits: 3, backup: true }),
        Some(Probe::in_backup(2)),
    ];
    let sudden = [
        Sudden::Never,
        Sudden::First { k: 3 },
        Sudden::Triggered { k: 4 },
        Sudden::Promising { k: 3, after: 20, x1: 50.0, x2: 50.0 },
        Sudden::Last { k: 3, x2: 50.0 },
    ];
    let decisions = [
        Decision::Max,
        Decision::Robust,
        Decision::RobustMax,
        Decision::WinsAndVisits,
        Decision::Secure { a: 1.0 },
        Decision::SecurePlus { a: 1.0 },
    ];
    vec![
        parts(&selections, |recipe, select| Mcts { select, ..recipe }),
        parts(&expansions, |recipe, expand| Mcts { expand, ..recipe }),
        parts(&leaves, |recipe, leaf| Mcts { leaf, ..recipe }),
        parts(&rewards, |recipe, reward| Mcts { reward, ..recipe }),
        parts(&backups, |recipe, backup| Mcts { backup, ..recipe }),
        parts(&probes, |recipe, probe| Mcts { probe, ..recipe }),
        parts(&sudden, |recipe, sudden| Mcts { sudden, ..recipe }),
        parts(&decisions, |recipe, decide| Mcts { decide, ..recipe }),
        parts(&[TieBreak::Random, TieBreak::First], |recipe, ties| Mcts { ties, ..recipe }),
        parts(&[false, true], |recipe, share| Mcts { share, ..recipe }),
        parts(&[1, 0, 4], |recipe, ripe| Mcts { ripe, ..recipe }),
        parts(&[1e6, 0.5], |recipe, urgency| Mcts { urgency, ..recipe }),
    ]
}

/// A recipe as one choice of each kind.
type Choice = Vec<usize>;

fn recipe_of(kinds: &[Vec<Part>], choice: &[usize]) -> Option<Mcts> {
    let base = Mcts { reuse: false, ..Mcts::default() };
    let recipe = kinds.iter().zip(choice).fold(base, |recipe, (kind, &part)| kind[part](recipe));
    recipe.check().ok()
}

/// Whether two parts are compatible when all others have their defaults.
fn fits(kinds: &[Vec<Part>], one: (usize, usize), two: (usize, usize)) -> bool {
    let mut choice = vec![0; kinds.len()];
    (choice[one.0], choice[two.0]) = (one.1, two.1);
    recipe_of(kinds, &choice).is_some()
}

/// Recipes with the solver on, such that every legal pair of parts occurs and every part occurs at
/// least five times.
pub fn recipes() -> Vec<Mcts> {
    let kinds = kinds();
    let mut open = Vec::new();
    for one in 0..kinds.len() {
        for two in one + 1..kinds.len() {
            for a in 0..kinds[one].len() {
                for b in 0..kinds[two].len() {
                    if fits(&kinds, (one, a), (two, b)) {
                        open.push(((one, a), (two, b)));
                    }
                }
            }
        }
    }
    let mut rng = Rng::new(tesuji_core::Seed(7));
    let mut chosen: Vec<Choice> = Vec::new();
    let has = |choice: &[usize], (kind, part): (usize, usize)| choice[kind] == part;
    while let Some(&(one, two)) = open.first() {
        // Of some random completions of the first open pair, the one that covers most.
        let mut best: Option<(usize, Choice)> = None;
        for _ in 0..60 {
            let mut choice: Choice = kinds.iter().map(|kind| rng.below(kind.len() as u32) as usize).collect();
            (choice[one.0], choice[two.0]) = (one.1, two.1);
            // Replace parts by their defaults until the recipe is legal.
            for kind in 0..kinds.len() {
                if recipe_of(&kinds, &choice).is_none() && kind != one.0 && kind != two.0 {
                    choice[kind] = 0;
                }
            }
            if recipe_of(&kinds, &choice).is_some() {
                let covers = open.iter().filter(|(a, b)| has(&choice, *a) && has(&choice, *b)).count();
                if best.as_ref().is_none_or(|(most, _)| covers > *most) {
                    best = Some((covers, choice));
                }
            }
        }
        let (_, choice) = best.expect("a legal pair has a legal recipe");
        open.retain(|(a, b)| !(has(&choice, *a) && has(&choice, *b)));
        chosen.push(choice);
    }
    for (kind, parts) in kinds.iter().enumerate() {
        for part in 0..parts.len() {
            let count = chosen.iter().filter(|choice| has(choice, (kind, part))).count();
            assert!(count >= 5, "part {part} of kind {kind} occurs {count} times");
        }
    }
    chosen.iter().map(|choice| recipe_of(&kinds, choice).expect("legal")).collect()
}

/// A game with an arbitrary evaluation and preference: every recipe has what it needs, and none
/// profits from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithHeuristics<P>(pub P);

impl<P: Position> Position for WithHeuristics<P> {
    rules_of!(P);

    type Undo = P;

    fn make(&mut self, mv: P::Move) -> P {
        let before = self.0.clone();
        self.0.play(mv);
        before
    }

    fn unmake(&mut self, _: P::Move, before: P) {
        self.0 = before;
    }
}

struct Arbitrary;

impl<P: Position> Evaluation<WithHeuristics<P>> for Arbitrary {
    fn evaluate(&self, position: &WithHeuristics<P>) -> i32 {
        (mix(position.hash().0) % 2001) as i32 - 1000
    }
    fn scale(&self) -> f64 {
        500.0
    }
}

impl<P: Position> Preference<WithHeuristics<P>> for Arbitrary {
    fn weigh(&self, position: &WithHeuristics<P>, moves: &[P::Move], weights: &mut Vec<f64>) {
        let weight = |mv: &P::Move| 1.0 + (mix(position.hash().0 ^ position.move_index(*mv) as u64) % 50) as f64;
        weights.clear();
        weights.extend(moves.iter().map(weight));
    }
}

impl<P: Position> Studied for WithHeuristics<P> {
    // All games tested here fill a board or descend a tree.
    const CHARACTER: Character = Character { never_repeats: true, ..Character::PLAIN };

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Self>>> {
        Some(Box::new(Arbitrary))
    }
    fn preference(&self) -> Option<Box<dyn Preference<Self>>> {
        Some(Box::new(Arbitrary))
    }
}
