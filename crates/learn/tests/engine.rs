//! `mcts(leaf=net)` against independent computations: the tree of self-play, and a plain PUCT.

use std::collections::HashMap;
use std::sync::Arc;
use tesuji_core::{
    Budget, Judge, JudgeSource, NoObserver, Notation, Playable, Player, Position, Report, Rng, Score, Seed, Verdict,
    mix,
};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_learn::gumbel::Constants;
use tesuji_learn::judge::Networks;
use tesuji_learn::network::Instructions;
use tesuji_learn::player::{Zero, ZeroSettings};
use tesuji_learn::tree::{GumbelTree, RootRule, SimulationCap};
use tesuji_search::Search;
use tesuji_search::mcts::{Leaf, Mcts, Selection, TieBreak, TreeReuse};

/// Verdicts that follow from the position's hash: values in whole score units, so that every sum of
/// them is exact.
#[derive(Clone, Copy)]
struct ByHash;

fn by_hash<P: Position>(position: &P) -> Verdict {
    let word = |number: u64| mix(position.hash().0 ^ number.wrapping_mul(0x9e37_79b9));
    let unit = |word: u64| (word % 1_000) as f32 / 1_000.0;
    let value = (word(1_000_000) % u64::from(Score::UNITS / 8)) as f32 * 8.0 / Score::UNITS as f32 * 2.0 - 1.0;
    Verdict { logits: (0..position.move_space() as u64).map(|index| 4.0 * unit(word(index))).collect(), value }
}

impl<P: Position> Judge<P> for ByHash {
    fn judge(&mut self, positions: &[&P]) -> Vec<Verdict> {
        positions.iter().map(|position| by_hash(*position)).collect()
    }

    fn fork(&self) -> Box<dyn Judge<P>> {
        Box::new(*self)
    }
}

impl<P: Position> JudgeSource<P> for ByHash {
    fn judge_for(&self, _: &P) -> Result<Box<dyn Judge<P>>, String> {
        Ok(Box::new(*self))
    }
}

fn search<P: Playable>(recipe: Mcts, judges: impl JudgeSource<P> + 'static, root: &P, count: u64) -> Report<P::Move> {
    let mut search = TreeReuse::new(recipe).with_judges(Arc::new(judges));
    search.search(root, &Budget::iterations(count), Seed(1), &mut NoObserver).expect("an answer")
}

fn unproved(select: Selection) -> Mcts {
    Mcts { leaf: Leaf::Net { batch: 1 }, select, solver: false, ties: TieBreak::First, ..Mcts::default() }
}

/// Visits of the tree of self-play, by move index, and its choice.
fn lockstep<P: Playable>(judge: &mut dyn Judge<P>, root: &P, count: usize) -> (Vec<(usize, u64)>, usize) {
    let constants = Constants { simulations: count, noise: 0.0, ..Constants::default() };
    let mut tree = GumbelTree::new(root, constants, 1, RootRule::SequentialHalving);
    let verdict = judge.judge(&[root]).remove(0);
    tree.begin(root, &verdict.logits, verdict.value, None, SimulationCap::Full);
    while let Some(leaf) = tree.advance(root) {
        let verdict = judge.judge(&[leaf]).remove(0);
        tree.expand(&verdict.logits, verdict.value);
    }
    let mut visits: Vec<(usize, u64)> = tree.root_actions().map(|(index, visits, ..)| (index, visits.into())).collect();
    visits.sort_unstable();
    let chosen = tree.decision();
    (visits, tree.move_index(chosen))
}

fn visits_of<P: Position>(root: &P, report: &Report<P::Move>) -> Vec<(usize, u64)> {
    report.root.iter().map(|entry| (root.move_index(entry.mv), entry.visits)).collect()
}

/// Random positions of a game.
fn positions<P: Playable>(start: &P, count: u64, plies: u32) -> Vec<P> {
    let after = |number: u64| {
        let mut rng = Rng::new(Seed(number));
        let mut position = start.clone();
        for _ in 0..rng.below(plies) {
            let mv = position.random_move(&mut rng).expect("a live game has a move");
            let before = position.clone();
            position.play(mv);
            if position.outcome().is_some() {
                return before;
            }
        }
        position
    };
    (0..count).map(after).collect()
}

/// The engine visits what the tree of self-play visits, and chooses the same move.
#[test]
fn the_engine_searches_as_self_play_does() {
    let mut same = 0;
    for position in positions(&TicTacToe::new(), 40, 6) {
        for count in [1, 7, 32, 64, 200] {
            let report = search(unproved(Selection::gumbel(16, 0.0)), ByHash, &position, count);
            let (visits, chosen) = lockstep(&mut ByHash, &position, count as usize);
            // A single legal move has nothing to halve.
            if visits.len() > 1 {
                assert_eq!(visits_of(&position, &report), visits, "{position:?} {count}");
                assert_eq!(position.move_index(report.best.expect("a move")), chosen);
                same += 1;
            }
        }
    }
    assert!(same > 150, "{same}");
    let go = Go::new(GoRules::on(9)).expect("a board");
    let networks = Networks::embedded().with_instructions(Instructions::Portable);
    for position in positions(&go, 3, 40) {
        let report = search(unproved(Selection::gumbel(16, 0.0)), networks.clone(), &position, 24);
        let mut judge = networks.judge_for(&position).expect("a network for Go");
        let (visits, chosen) = lockstep(judge.as_mut(), &position, 24);
        assert_eq!(visits_of(&position, &report), visits);
        assert_eq!(position.move_index(report.best.expect("a move")), chosen);
    }
}

/// A node of a plain PUCT, as a table.
#[derive(Default)]
struct Plain {
    nodes: HashMap<Vec<usize>, (u64, f64)>,
}

impl Plain {
    /// Priors of the legal moves, in the game's order.
    fn priors<P: Position>(position: &P) -> Vec<(usize, f64)> {
        let verdict = by_hash(position);
        let indices: Vec<usize> = position.moves().into_iter().map(|mv| position.move_index(mv)).collect();
        let weights: Vec<f64> = indices.iter().map(|index| f64::from(verdict.logits[*index]).exp()).collect();
        let sum: f64 = weights.iter().sum();
        indices.into_iter().zip(weights).map(|(index, weight)| (index, weight / sum)).collect()
    }

    /// One iteration; the value of the first player.
    fn iterate<P: Position>(&mut self, position: &P, path: &[usize], c: f64) -> f64 {
        let known = self.nodes.contains_key(path);
        let value = if let Some(outcome) = position.outcome() {
            outcome.score.to_f64()
        } else if !known && !path.is_empty() {
            let value = f64::from((by_hash(position).value + 1.0) * 0.5);
            if position.turn() == Player::First { value } else { 1.0 - value }
        } else {
            let own = self.nodes.get(path).copied().unwrap_or_default();
            let for_mover = |(visits, sum): (u64, f64)| {
                let mean = sum / visits as f64;
                if position.turn() == Player::First { mean } else { 1.0 - mean }
            };
            let child = |index: usize| {
                let place: Vec<usize> = path.iter().copied().chain([index]).collect();
                self.nodes.get(&place).copied().unwrap_or_default()
            };
            let priors = Plain::priors(position);
            let tried: f64 = priors.iter().filter(|(index, _)| child(*index).0 > 0).map(|(_, prior)| prior).sum();
            let parent = if own.0 > 0 { for_mover(own) } else { f64::from((by_hash(position).value + 1.0) * 0.5) };
            let score = |(index, prior): &(usize, f64)| {
                let (visits, sum) = child(*index);
                let mean = if visits > 0 { for_mover((visits, sum)) } else { parent - 0.1 * tried.sqrt() };
                mean + c * prior * (own.0.max(1) as f64).sqrt() / (1.0 + visits as f64)
            };
            // The first of equals.
            let best = priors.iter().rev().max_by(|a, b| score(a).total_cmp(&score(b))).expect("a move").0;
            let mut after = position.clone();
            after.play(after.move_at(best).expect("a move"));
            let below: Vec<usize> = path.iter().copied().chain([best]).collect();
            self.iterate(&after, &below, c)
        };
        let entry = self.nodes.entry(path.to_vec()).or_default();
        *entry = (entry.0 + 1, entry.1 + value);
        value
    }
}

/// PUCT with the network's policy as prior, by a second program.
#[test]
fn puct_by_a_second_program() {
    for position in positions(&TicTacToe::new(), 12, 4) {
        for c in [0.5, 1.5] {
            let report = search(unproved(Selection::Puct { c }), ByHash, &position, 150);
            let mut plain = Plain::default();
            (0..150).for_each(|_| {
                plain.iterate(&position, &[], c);
            });
            for (index, visits) in visits_of(&position, &report) {
                assert_eq!(visits, plain.nodes.get(&vec![index]).map_or(0, |node| node.0), "{position:?} {c} {index}");
            }
        }
    }
}

/// Bounds are proved with a network whose verdicts mean nothing.
#[test]
fn results_are_proved() {
    for select in [Selection::gumbel(16, 0.0), Selection::gumbel(0, 0.0), Selection::Puct { c: 1.5 }] {
        let recipe = Mcts { solver: true, ..unproved(select) };
        let lost = TicTacToe::from_text("X.O.X....").expect("a position");
        for (position, score) in [(TicTacToe::new(), Score::DRAW), (lost, Score::DRAW)] {
            let report = search(recipe, ByHash, &position, 60_000);
            assert_eq!(report.bounds.proved(), Some(score), "{select:?}");
        }
        let won = TicTacToe::from_text("XX.OO....").expect("a position");
        let report = search(recipe, ByHash, &won, 200);
        assert_eq!(report.bounds.proved(), Some(Score::WIN));
        assert_eq!(report.best.map(|mv| won.show_move(mv)).as_deref(), Some("c3"));
    }
}

/// Leaves that are judged together: every iteration is counted once, the answer repeats, near wins
/// are found, and no virtual loss stays behind.
#[test]
fn leaves_are_judged_together() {
    for position in positions(&TicTacToe::new(), 10, 4) {
        for batch in [2, 8, 100] {
            for select in [Selection::gumbel(16, 0.0), Selection::Puct { c: 1.5 }] {
                let recipe = Mcts { leaf: Leaf::Net { batch }, ..unproved(select) };
                let report = search(recipe, ByHash, &position, 200);
                assert_eq!(report.iterations, 200);
                assert_eq!(visits_of(&position, &report).iter().map(|(_, visits)| visits).sum::<u64>(), 200);
                let again = search(recipe, ByHash, &position, 200);
                assert_eq!(visits_of(&position, &report), visits_of(&position, &again));
                let values = report.root.iter().filter_map(|entry| entry.value);
                assert!(values.map(|value| value.to_f64()).all(|value| (0.0..=1.0).contains(&value)));
            }
        }
    }
    let won = TicTacToe::from_text("XX.OO....").expect("a position");
    let recipe = Mcts { leaf: Leaf::Net { batch: 4 }, solver: true, ..unproved(Selection::Puct { c: 1.5 }) };
    let report = search(recipe, ByHash, &won, 200);
    assert_eq!(report.best.map(|mv| won.show_move(mv)).as_deref(), Some("c3"));
    assert_eq!(report.bounds.proved(), Some(Score::WIN));
}

/// Priors, values and visits are in the report, and the arithmetic is named.
#[test]
fn reports_tell_what_the_network_said() {
    let hex = Hex::new(5, SwapRule::Off).expect("a board");
    for instructions in Instructions::all() {
        let networks = Networks::embedded().with_instructions(instructions);
        let report = search(unproved(Selection::Puct { c: 1.5 }), networks, &hex, 20);
        let priors: f64 = report.root.iter().map(|entry| entry.prior.expect("a prior")).sum();
        assert!((priors - 1.0).abs() < 1e-4, "{priors}");
        assert!(report.figures.contains(&("vector-lanes", f64::from(instructions.lanes()))), "{:?}", report.figures);
        assert_eq!(report.root.iter().map(|entry| entry.visits).sum::<u64>(), 20);
        // The network's own value of the root does not change as the search goes on.
        let own =
            |report: &Report<_>| report.figures.iter().find(|(name, _)| *name == "network-value").map(|one| one.1);
        let networks = Networks::embedded().with_instructions(instructions);
        let first = search(unproved(Selection::Puct { c: 1.5 }), networks, &hex, 1);
        assert_eq!(own(&first), own(&report));
        assert!(own(&report).is_some_and(|value| (0.0..=1.0).contains(&value)), "{:?}", report.figures);
    }
}

/// Averaged over symmetries, the images of a position get the same verdict.
#[test]
fn verdicts_are_symmetric_on_average() {
    let played = |moves: &str| {
        let mut go = Go::new(GoRules::on(5)).expect("a board");
        moves.split_whitespace().for_each(|mv| go.play(go.read_move(mv).expect("a legal move")));
        go
    };
    let (one, other) = (played("B2 D4 C2"), played("B4 D2 C4"));
    for symmetries in [true, false] {
        let networks = Networks::embedded().averaging(symmetries);
        let mut judge = networks.judge_for(&one).expect("a network for Go");
        let verdicts = judge.judge(&[&one, &other]);
        let gap = (verdicts[0].value - verdicts[1].value).abs();
        assert_eq!(gap < 1e-5, symmetries, "{gap}");
        let logit = |number: usize, go: &Go, mv: &str| {
            verdicts[number].logits[go.move_index(go.read_move(mv).expect("a move"))]
        };
        let gap = (logit(0, &one, "D2") - logit(1, &other, "D4")).abs();
        assert_eq!(gap < 1e-4, symmetries, "{gap}");
    }
}

/// The tree is kept when moves are followed, and not otherwise; threads share it.
#[test]
fn the_tree_is_kept_and_shared() {
    let mut go = Go::new(GoRules::on(5)).expect("a board");
    let mut zero = Zero::embedded();
    let budget = Budget::iterations(60);
    let first = zero.search(&go, &budget, Seed(1), &mut NoObserver).expect("an answer");
    let alone = |go: &Go| Zero::embedded().search(go, &budget, Seed(1), &mut NoObserver).expect("an answer");
    let visits = |report: &Report<_>| report.root.iter().map(|entry| entry.visits).sum::<u64>();
    for mv in first.line.iter().copied().take(2) {
        zero.follow(mv);
        go.play(mv);
    }
    let kept = zero.search(&go, &budget, Seed(1), &mut NoObserver).expect("an answer");
    assert!(visits(&kept) > 60 && visits(&alone(&go)) == 60, "{}", visits(&kept));
    assert_eq!(kept.iterations, 60);
    // Without the moves nothing is kept.
    assert_eq!(visits(&zero.search(&go, &budget, Seed(1), &mut NoObserver).expect("an answer")), 60);
    let threads = Budget { threads: std::num::NonZero::new(3), ..Budget::iterations(60) };
    let shared = Zero::embedded().search(&go, &threads, Seed(1), &mut NoObserver).expect("an answer");
    assert_eq!((visits(&shared), shared.iterations), (60, 60));
}

/// Lost games are resigned and settled ones passed, if the player is told so.
#[test]
fn resigning_and_passing() {
    let wall = |owner: Player| (0..9).flat_map(move |row| [(owner, 4, row), (owner, 3, row)]);
    let stones: Vec<(Player, usize, usize)> = wall(Player::First).collect();
    let lost = Go::with_stones(GoRules::on(9), &stones, Player::Second).expect("a position");
    let think = |settings: ZeroSettings, go: &Go| {
        let mut zero = Zero::new(Networks::embedded(), settings);
        zero.search(go, &Budget::iterations(400), Seed(1), &mut NoObserver).expect("an answer")
    };
    let quiet = think(ZeroSettings::default(), &lost);
    assert!(quiet.best.is_some() && !quiet.resigns);
    let resigned = think(ZeroSettings { resign: 0.2, ..ZeroSettings::default() }, &lost);
    assert!(resigned.resigns && resigned.best.is_none(), "{:?}", resigned.value);
}
