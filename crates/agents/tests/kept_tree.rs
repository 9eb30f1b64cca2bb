//! Looking below the root: the nodes of a kept tree, going on, and records of single iterations.

use std::collections::BTreeMap;
use tesuji_agents::{
    AnyAgent, AnyPosition, ChildFilter, ChildState, ExportLimits, IterationRecord, KeptTree, NodeError, NodeView,
    start_game,
};
use tesuji_core::{Budget, InOrder, NoObserver, Observer, Pace, Player, Report, Score, Seed, StopFlag, Value};
use tesuji_search::SearchError;

fn start(game: &str) -> Box<dyn AnyPosition> {
    start_game(&game.parse().expect("a spec")).expect("a game").position
}

fn agent(position: &dyn AnyPosition, spec: &str) -> Box<dyn AnyAgent> {
    position.agent(&spec.parse().expect("a spec")).expect("an agent")
}

fn explore(game: &str, spec: &str, iterations: u64, watch: &mut dyn Observer<String>) -> (Report<String>, KeptTree) {
    let position = start(game);
    let budget = Budget { memory: Some(64 << 20), ..Budget::iterations(iterations) };
    agent(position.as_ref(), spec).explore(position.as_ref(), &budget, Seed(7), watch).expect("a tree")
}

fn node(tree: &KeptTree, moves: &[&str]) -> NodeView<String> {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    tree.node(&moves, &ChildFilter::ALL).expect("a node of the tree")
}

/// Recipes of every selection, expansion and backup rule, on games of different kinds.
const RECIPES: [(&str, &str); 17] = [
    ("mnk(m=3,n=3,k=3)", "mcts(select=uct,goal=\"first-wins\",decide=secure-plus)"),
    ("tictactoe", "mcts(select=ucb1)"),
    ("tictactoe", "mcts(select=ucb1,solver=false)"),
    ("tictactoe", "mcts(select=ucb1-tuned,leaf=random)"),
    ("tictactoe", "mcts(select=scan,leaf=random)"),
    ("tictactoe", "mcts(select=pn,share=true)"),
    ("hex(size=4)", "mcts(select=rave)"),
    ("hex(size=4)", "mcts(select=rave-hand,leaf=replies)"),
    ("hex(size=4)", "mcts(select=ucb1,share=true)"),
    ("othello(size=4)", "mcts(select=bias,expand=widen)"),
    ("othello(size=6)", "mcts(select=puct,expand=all,fpu=0.5)"),
    ("othello(size=4)", "mcts(backup=implicit)"),
    ("othello(size=4)", "mcts(backup=max-mean,solver=false)"),
    ("mnk(m=4,n=4,k=3)", "mcts(leaf=guarded(depth=2),probe=look)"),
    ("pgame", "mcts(select=ucb1,leaf=random(playouts=3))"),
    ("pgame", "mcts(expand=each,backup=combined(parameter=5),solver=false)"),
    ("go(size=5)", "mcts(reward=bounded)"),
];

/// The root of the tree says what the report says, for every rule; the parts of a selection value
/// are numbers; children come by visits.
#[test]
fn the_root_of_the_tree_is_the_root_of_the_report() {
    for (game, spec) in RECIPES {
        let (report, tree) = explore(game, spec, 300, &mut NoObserver);
        let again = agent(tree.root(), spec)
            .think(tree.root(), &Budget { memory: Some(64 << 20), ..Budget::iterations(300) }, Seed(7), &mut NoObserver)
            .expect("a report");
        assert_eq!(Report { elapsed: report.elapsed, ..again }, report, "{game} {spec}: keeping changes nothing");
        let root = node(&tree, &[]);
        assert_eq!((root.turn, root.bounds, root.child_count), (report.turn, report.bounds, report.root.len()));
        assert_eq!(root.children.len(), report.root.len(), "{game} {spec}");
        assert!(root.children.windows(2).all(|pair| pair[0].visits >= pair[1].visits), "{game} {spec}");
        for entry in &report.root {
            let child = root.children.iter().find(|child| child.mv == entry.mv).expect("every move is a child");
            assert_eq!((child.visits, child.bounds), (entry.visits, entry.bounds), "{game} {spec} {}", entry.mv);
            assert_eq!((child.confidence, child.prior), (entry.confidence, entry.prior), "{game} {spec} {}", entry.mv);
            assert_eq!(child.amaf.map(|(_, mean)| mean), entry.amaf, "{game} {spec} {}", entry.mv);
            if entry.bounds.proved().is_none() {
                assert_eq!(child.mean, entry.value, "{game} {spec} {}", entry.mv);
            }
            assert!(child.selection.is_none_or(|value| value.total().is_finite()));
            assert_eq!(child.selection.is_none(), child.state == ChildState::Closed && child.visits == 0);
        }
        assert!(tree.nodes() > report.root.len() as u64 && tree.iterations() == report.iterations);
    }
}

/// The rule descends to the open child with the largest value: the next iteration confirms it.
#[test]
fn selection_goes_where_the_value_is_largest() {
    for (game, spec) in [
        ("tictactoe", "mcts(select=ucb1,solver=false)"),
        ("hex(size=4)", "mcts(select=rave,solver=false)"),
        ("othello(size=6)", "mcts(select=puct,expand=all,fpu=0.5,solver=false)"),
        ("tictactoe", "mcts(select=pn)"),
    ] {
        let (_, mut tree) = explore(game, spec, 200, &mut InOrder(NoObserver));
        for _ in 0..50 {
            let before = node(&tree, &[]);
            let value = |mv: &str| {
                let child = before.children.iter().find(|child| child.mv == mv).expect("a child");
                child.selection.expect("an open child").total()
            };
            let record = tree.step(&StopFlag::new()).expect("recorded").expect("not proved yet");
            let chosen = value(record.path[1].mv.as_deref().expect("a move"));
            let open = before.children.iter().filter(|child| child.state == ChildState::Open);
            let most = open.map(|child| value(&child.mv)).fold(f64::MIN, f64::max);
            assert!((chosen - most).abs() < 1e-9, "{game} {spec}: {chosen} is not {most}");
        }
    }
}

/// Statistics of a tree, computed from records alone: visits and rewards by the moves to a node.
#[derive(Default)]
struct Bookkeeping(BTreeMap<Vec<String>, (u64, f64)>);

impl Bookkeeping {
    fn add(&mut self, record: &IterationRecord<String>) {
        let mut at = Vec::new();
        let mut add = |at: &Vec<String>, visits: u64, reward: f64| {
            let entry = self.0.entry(at.clone()).or_default();
            *entry = (entry.0 + visits, entry.1 + reward);
        };
        for step in &record.path {
            at.extend(step.mv.clone());
            add(&at, record.gain.visits, record.gain.reward);
        }
        for (mv, gain) in &record.simulated {
            let mut below = at.clone();
            below.push(mv.clone());
            add(&below, gain.visits, gain.reward);
        }
    }
}

/// Records, added up by a bookkeeping of their own, give the visits and means of the whole tree.
#[test]
fn records_add_up_to_the_tree() {
    for (game, spec) in RECIPES {
        // Where positions are shared, a node has visits of several paths.
        if spec.contains("share=true") {
            continue;
        }
        let (_, mut tree) = explore(game, spec, 0, &mut InOrder(NoObserver));
        let mut books = Bookkeeping::default();
        let mut last = 0;
        while last < 150 {
            let Some(record) = tree.step(&StopFlag::new()).expect("recorded") else { break };
            last += 1;
            assert_eq!(record.iteration, last, "{game} {spec}");
            let rewards: f64 = record.playouts.iter().map(|playout| playout.reward).sum();
            if !record.playouts.is_empty() {
                assert!((rewards - record.gain.reward).abs() < 1e-9, "{game} {spec}: playouts make the gain");
            }
            books.add(&record);
            let (_, deepest) = books.0.iter().next_back().expect("the root at least");
            assert!(deepest.0 > 0);
            let path: Vec<&str> = record.path.iter().filter_map(|step| step.mv.as_deref()).collect();
            let end = node(&tree, &path);
            let told = record.path.last().expect("the root at least");
            assert_eq!((end.visits, end.mean, end.bounds), (told.visits, told.mean, told.bounds), "{game} {spec}");
        }
        assert!(last >= 40, "{game} {spec}: {last} iterations");
        let mut compared = 0;
        for (path, (visits, reward)) in &books.0 {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let view = node(&tree, &path);
            assert_eq!(view.visits, *visits, "{game} {spec} {path:?}");
            let mean = (reward / *visits as f64).clamp(0.0, 1.0);
            let found = view.mean.map(Value::to_f64).expect("visited");
            assert!((found - mean).abs() < 1e-9, "{game} {spec} {path:?}: {found} is not {mean}");
            compared += 1;
        }
        // Nothing was visited without a record.
        let limits =
            ExportLimits { depth: 100, children: ChildFilter { limit: usize::MAX, min_visits: 1 }, nodes: usize::MAX };
        assert_eq!(tree.export(&[], &limits).expect("a tree").len(), compared, "{game} {spec}");
    }
}

/// Recording is a way of looking: the same search without records has the same tree, and the same
/// seed has the same records.
#[test]
fn records_are_repeatable_and_change_nothing() {
    for (game, spec) in
        [("hex(size=4)", "mcts(select=ucb1)"), ("go(size=5)", "mcts"), ("tictactoe", "mcts(expand=each)")]
    {
        let records = |from: u64| {
            let (_, mut tree) = explore(game, spec, from, &mut InOrder(NoObserver));
            let recorded: Vec<_> =
                (from..60).map(|_| tree.step(&StopFlag::new()).expect("recorded").expect("goes on")).collect();
            (recorded, node(&tree, &[]))
        };
        let (all, root) = records(0);
        let (some, same_root) = records(40);
        assert_eq!((&all[40..], &root), (&some[..], &same_root), "{game} {spec}");
        let (_, tree) = explore(game, spec, 60, &mut InOrder(NoObserver));
        assert_eq!(node(&tree, &[]), root, "{game} {spec}");
        // Every new node is entered once, and a playout goes from the end of the path to an end.
        let mut entered = 0;
        for record in &all {
            entered += usize::from(record.entered.is_some()) + record.simulated.len();
            for playout in &record.playouts {
                let mut position = tree.root().boxed_clone();
                let path = record.path.iter().filter_map(|step| step.mv.as_ref());
                for mv in path.chain(&playout.from).chain(&playout.moves) {
                    position.play(mv).expect("a legal move");
                }
                assert_eq!(position.outcome().map(|outcome| outcome.score), Some(playout.score), "{game} {spec}");
            }
        }
        assert!(entered > 30, "{game} {spec}: {entered}");
    }
}

/// A search that goes on is the search with the sum of the iterations: report, tree, looks.
#[test]
fn more_is_one_search_with_the_sum() {
    struct Looks(Vec<u64>);
    impl Observer<String> for Looks {
        fn pace(&self) -> Option<Pace> {
            Some(Pace::Iterations(70))
        }
        fn progress(&mut self, report: &Report<String>) {
            self.0.push(report.iterations);
        }
    }
    for (game, spec) in RECIPES {
        let mut looks = (Looks(Vec::new()), Looks(Vec::new()));
        let (whole, all) = explore(game, spec, 400, &mut looks.0);
        let (_, mut tree) = explore(game, spec, 1, &mut looks.1);
        let mut report = None;
        for more in [99, 200, 100] {
            report = Some(tree.more(&Budget::iterations(more), &mut looks.1).expect("it goes on"));
        }
        let report = report.expect("three parts");
        assert_eq!(Report { elapsed: whole.elapsed, ..report }, whole, "{game} {spec}");
        assert_eq!(node(&tree, &[]), node(&all, &[]), "{game} {spec}");
        assert_eq!(looks.0.0, looks.1.0, "{game} {spec}");
        let best = whole.best.expect("a move");
        assert_eq!(node(&tree, &[&best]), node(&all, &[&best]), "{game} {spec}");
    }
}

/// In little memory nodes are reclaimed all the time; stops and records change nothing about when.
#[test]
fn reclaimed_nodes_do_not_matter() {
    let position = start("go(size=5)");
    let explored = |iterations: u64, memory: u64| {
        let budget = Budget { memory: Some(memory), ..Budget::iterations(iterations) };
        let mut agent = agent(position.as_ref(), "mcts(solver=false)");
        agent.explore(position.as_ref(), &budget, Seed(3), &mut InOrder(NoObserver)).expect("a tree")
    };
    let (_, whole) = explored(600, 30_000);
    let (_, roomy) = explored(600, 64 << 20);
    assert!(whole.nodes() < 800 && roomy.nodes() > 1_500, "{} {}", whole.nodes(), roomy.nodes());
    let (_, mut stepped) = explored(0, 30_000);
    for _ in 0..450 {
        stepped.step(&StopFlag::new()).expect("recorded").expect("goes on");
    }
    stepped.more(&Budget::iterations(150), &mut NoObserver).expect("it goes on");
    assert_eq!(node(&stepped, &[]), node(&whole, &[]));
    assert_eq!(stepped.nodes(), whole.nodes());
}

#[test]
fn several_threads_go_on_as_well() {
    let position = start("hex(size=5)");
    for spec in ["mcts(solver=false)", "mcts(parallel=leaf,solver=false)"] {
        let budget = Budget { threads: std::num::NonZeroU32::new(2), ..Budget::iterations(500) };
        let mut agent = agent(position.as_ref(), spec);
        let (report, mut tree) = agent
            .explore(position.as_ref(), &budget, Seed(1), &mut InOrder(NoObserver))
            .expect("a tree of two threads");
        assert_eq!(report.iterations, 500, "{spec}");
        let report = tree.more(&Budget::iterations(300), &mut NoObserver).expect("it goes on");
        assert_eq!((report.iterations, tree.iterations()), (800, 800), "{spec}");
        let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
        assert!(visits >= 799, "{spec}: {visits}");
        assert_eq!(
            tree.step(&StopFlag::new()),
            Err(SearchError::Unsupported("iterations are recorded with one thread".into()))
        );
    }
}

/// The minimax node that a combined search keeps is the one that the walk finds: the value of every
/// child by hand, from the tree itself.
#[test]
fn the_minimax_node_by_hand() {
    let (_, tree) = explore("pgame", "mcts(backup=combined(parameter=5),solver=false)", 3_000, &mut NoObserver);
    fn minimax(tree: &KeptTree, path: &[String]) -> (f64, Vec<String>) {
        let view = tree.node(path, &ChildFilter::ALL).expect("a node");
        let own = view.mean.expect("visited").to_f64();
        if view.child_count == 0 || view.visits < 5 * view.child_count as u64 {
            return (own, path.to_vec());
        }
        let mut best: Option<(f64, Vec<String>)> = None;
        for child in view.children.iter().filter(|child| child.visits > 0) {
            let below: Vec<String> = path.iter().chain([&child.mv]).cloned().collect();
            let (value, node) = minimax(tree, &below);
            let is_better = |kept: &(f64, Vec<String>)| match view.turn {
                Player::First => value > kept.0,
                Player::Second => value < kept.0,
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((value, node));
            }
        }
        best.unwrap_or((own, path.to_vec()))
    }
    let root = node(&tree, &[]);
    assert!(!root.minimax_cut);
    let mut deepest = 0;
    for child in root.children.iter().filter(|child| child.visits > 0) {
        let found = child.minimax.as_ref().expect("visited");
        let (value, path) = minimax(&tree, std::slice::from_ref(&child.mv));
        assert!((found.value.to_f64() - value).abs() < 1e-12, "{}: {found:?} is not {value} at {path:?}", child.mv);
        let end: Vec<&str> = found.path.iter().map(String::as_str).collect();
        assert_eq!(node(&tree, &end).mean, Some(found.value), "the node is where it is said to be");
        deepest = deepest.max(found.path.len());
    }
    assert!(deepest > 2, "some minimax node lies deep: {deepest}");
    let (value, _) = minimax(&tree, &[]);
    assert!((root.minimax.expect("visited").value.to_f64() - value).abs() < 1e-12);
}

#[test]
fn a_proof_settles_children() {
    let (report, tree) = explore("tictactoe(position=\"XX.OO....\")", "mcts", 1_000, &mut NoObserver);
    assert_eq!(report.bounds.proved(), Some(Score::WIN));
    let root = node(&tree, &[]);
    let winning = root.children.iter().find(|child| child.mv == "c3").expect("the move that wins");
    assert_eq!((winning.bounds.proved(), winning.state), (Some(Score::WIN), ChildState::Settled));
    assert_eq!(tree.outcome(&["c3".to_string()]).expect("legal").map(|outcome| outcome.score), Some(Score::WIN));
}

#[test]
fn limits_of_children_and_exports() {
    let (_, tree) = explore("hex(size=4)", "mcts(solver=false)", 2_000, &mut NoObserver);
    let few = tree.node(&[], &ChildFilter { limit: 3, min_visits: 0 }).expect("the root");
    assert_eq!((few.children.len(), few.child_count), (3, 16));
    let often = tree.node(&[], &ChildFilter { limit: 100, min_visits: few.children[1].visits }).expect("the root");
    assert!(often.children.len() >= 2 && often.children.iter().all(|child| child.visits >= few.children[1].visits));
    let limits = ExportLimits { depth: 2, children: ChildFilter { limit: 3, min_visits: 10 }, nodes: 9 };
    let part = tree.export(&[], &limits).expect("a tree");
    assert_eq!((part.len(), part[0].parent), (9, None));
    for (place, exported) in part.iter().enumerate().skip(1) {
        let parent = exported.parent.expect("not the root");
        assert!(parent < place && part[parent].depth + 1 == exported.depth && exported.depth <= 2);
        assert!(exported.node.visits >= 10 && exported.node.children.is_empty());
        let child = exported.child.as_ref().expect("not the root");
        assert_eq!((exported.node.path.last(), child.visits), (Some(&child.mv), exported.node.visits));
    }
}

#[test]
fn what_cannot_be_done_says_why() {
    let (_, mut tree) = explore("tictactoe", "mcts(select=ucb1)", 30, &mut NoObserver);
    let error = |moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        tree.node(&moves, &ChildFilter::ALL).expect_err("no such node")
    };
    assert!(matches!(error(&["b2", "b2"]), NodeError::Move { number: 2, .. }));
    assert!(error(&["z9"]).to_string().starts_with("move 1 below the root: "));
    let deep = error(&["a1", "a2", "a3", "b1", "b2"]);
    assert!(matches!(&deep, NodeError::Unknown { known } if known.len() < 5 && known.starts_with(&["a1".to_string()])));
    assert!(deep.to_string().contains("the search has not expanded that node"), "{deep}");
    let recorded = tree.step(&StopFlag::new()).expect_err("playouts are not in order");
    assert!(recorded.to_string().contains("played in order"), "{recorded}");
    let refused = |game: &str, spec: &str, threads: u32| {
        let position = start(game);
        let budget = Budget { threads: std::num::NonZeroU32::new(threads), ..Budget::iterations(20) };
        let explored =
            agent(position.as_ref(), spec).explore(position.as_ref(), &budget, Seed(1), &mut InOrder(NoObserver));
        match explored {
            Err(error) => error.to_string(),
            Ok((_, mut tree)) => {
                let (more, step) = (tree.more(&budget, &mut NoObserver), tree.step(&StopFlag::new()));
                assert_eq!(more.clone().expect_err("refused").to_string(), step.expect_err("refused").to_string());
                more.expect_err("refused").to_string()
            }
        }
    };
    assert!(refused("tictactoe", "mcts(select=ucb-e)", 1).contains("ucb-e"));
    assert!(refused("tictactoe", "mcts(sudden=last(k=3))", 1).contains("sudden=last"));
    assert!(refused("tictactoe", "mcts(parallel=root)", 2).contains("parallel=root"));
    for other in ["minimax(depth=2)", "rps", "df-pn", "vote", "alpha-beta(depth=1)"] {
        let why = refused("tictactoe", other, 1);
        assert!(why.contains("no tree that can be looked into"), "{other}: {why}");
    }
    // A stop that came before leaves the tree as it was.
    let (_, mut tree) = explore("tictactoe", "mcts(select=ucb1,solver=false)", 30, &mut InOrder(NoObserver));
    let before = node(&tree, &[]);
    let stop = StopFlag::new();
    stop.stop();
    assert!(matches!(tree.step(&stop), Err(SearchError::OutOfBudget(_))));
    assert_eq!(node(&tree, &[]), before);
    assert_eq!(tree.step(&StopFlag::new()).expect("recorded").expect("goes on").iteration, 31);
}

/// The tree of `zero` can be browsed: its root is that of the report, and every node has the visits
/// of its children and its own evaluation.
#[test]
fn the_tree_of_a_network_player() {
    let (report, mut tree) = explore("hex(size=5)", "zero", 40, &mut NoObserver);
    let root = node(&tree, &[]);
    assert_eq!((root.visits, root.child_count, root.turn), (40, report.root.len(), report.turn));
    for entry in &report.root {
        let child = root.children.iter().find(|child| child.mv == entry.mv).expect("every move is a child");
        assert_eq!((child.visits, child.mean), (entry.visits, entry.value));
        if child.visits > 1 && child.child_count > 0 {
            let below = node(&tree, &[&child.mv]);
            let visits: u64 = below.children.iter().map(|child| child.visits).sum();
            assert_eq!((below.visits, below.mean, below.turn), (visits + 1, child.mean, report.turn.other()));
            let policy: f64 = below.children.iter().filter_map(|child| child.selection).map(|s| s.exploitation).sum();
            assert!((policy - 1.0).abs() < 1e-4, "the improved policy is one: {policy}");
        }
    }
    assert!(tree.more(&Budget::iterations(1), &mut NoObserver).is_err() && tree.step(&StopFlag::new()).is_err());
    assert!(tree.node(&["a1".into(), "a2".into(), "a3".into(), "a4".into(), "b5".into()], &ChildFilter::ALL).is_err());
}
