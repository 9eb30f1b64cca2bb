//! Conspiracy numbers against trees worked by hand and against their definition by brute force.

use crate::judged::{Below, Judged, end_value, plain};
use tesuji_core::{Bounds, Budget, NoObserver, Player, Position, Report, Rng, Score, Seed, StopReason, Studied};
use tesuji_games::mnk::Mnk;
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::conspiracy::{Cns, Grid, INFINITE, Needed, Scn, rscn};
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::{EvaluationSource, Options};
use tesuji_search::oracle::Oracle;
use tesuji_search::{Search, SearchError};

/// A tree with values at its leaves.
enum Node {
    Leaf { level: usize, ended: bool },
    Inner { maximises: bool, children: Vec<Node> },
}

const LEVELS: usize = 7;

impl Node {
    fn leaf(level: usize) -> Node {
        Node::Leaf { level, ended: false }
    }

    fn ended(level: usize) -> Node {
        Node::Leaf { level, ended: true }
    }

    fn max(children: Vec<Node>) -> Node {
        Node::Inner { maximises: true, children }
    }

    fn min(children: Vec<Node>) -> Node {
        Node::Inner { maximises: false, children }
    }

    fn needed(&self) -> Needed {
        match self {
            Node::Leaf { level, ended } => Needed::leaf(LEVELS, *level, *ended),
            Node::Inner { maximises, children } => {
                let children: Vec<Needed> = children.iter().map(Node::needed).collect();
                Needed::join(*maximises, &children).expect("children")
            }
        }
    }

    fn numbers(&self) -> Vec<u32> {
        let needed = self.needed();
        (0..LEVELS).map(|level| needed.number(level)).collect()
    }

    /// Leaves that may change.
    fn free(&self) -> usize {
        match self {
            Node::Leaf { ended, .. } => usize::from(!ended),
            Node::Inner { children, .. } => children.iter().map(Node::free).sum(),
        }
    }

    /// The value with the free leaves of `changed` (bits, in order) set to a level.
    fn value(&self, changed: u32, to: usize, next: &mut usize) -> usize {
        match self {
            Node::Leaf { level, ended: true } => *level,
            Node::Leaf { level, ended: false } => {
                *next += 1;
                if changed >> (*next - 1) & 1 == 1 { to } else { *level }
            }
            Node::Inner { maximises, children } => {
                let values = children.iter().map(|child| child.value(changed, to, next));
                let values: Vec<usize> = values.collect();
                *if *maximises { values.iter().max() } else { values.iter().min() }.expect("children")
            }
        }
    }

    /// The definition: the smallest number of leaves whose change gives the root this level.
    fn fewest(&self, level: usize) -> u32 {
        (0..1_u32 << self.free())
            .filter(|changed| self.value(*changed, level, &mut 0) == level)
            .map(u32::count_ones)
            .min()
            .unwrap_or(INFINITE)
    }

    fn random(rng: &mut Rng, depth: u32, leaves: &mut u32) -> Node {
        if depth == 0 || *leaves >= 10 || rng.below(4) == 0 {
            *leaves += 1;
            return Node::Leaf { level: rng.below(LEVELS as u32) as usize, ended: rng.below(4) == 0 };
        }
        let children = (0..1 + rng.below(3)).map(|_| Node::random(rng, depth - 1, leaves)).collect();
        Node::Inner { maximises: rng.below(2) == 0, children }
    }
}

/// Worked by hand: MAX over two MIN nodes with leaves 3, 5 and 2, 4, values 0 to 6; then the leaf 3
/// is expanded to a MAX node with leaves 4 and 1.
#[test]
fn three_levels_before_and_after_an_expansion() {
    let left = Node::min(vec![Node::leaf(3), Node::leaf(5)]);
    assert_eq!(left.needed(), Needed { level: 3, up: vec![0, 0, 0, 0, 1, 1, 2], down: vec![1, 1, 1, 0, 0, 0, 0] });
    let right = Node::min(vec![Node::leaf(2), Node::leaf(4)]);
    assert_eq!(right.needed(), Needed { level: 2, up: vec![0, 0, 0, 1, 1, 2, 2], down: vec![1, 1, 0, 0, 0, 0, 0] });
    let before = Node::max(vec![left, right]);
    assert_eq!(before.needed(), Needed { level: 3, up: vec![0, 0, 0, 0, 1, 1, 2], down: vec![2, 2, 1, 0, 0, 0, 0] });
    assert_eq!(before.numbers(), [2, 2, 1, 0, 1, 1, 2]);

    let opened = Node::max(vec![Node::leaf(4), Node::leaf(1)]);
    assert_eq!(opened.needed(), Needed { level: 4, up: vec![0, 0, 0, 0, 0, 1, 1], down: vec![2, 1, 1, 1, 0, 0, 0] });
    let left = Node::min(vec![opened, Node::leaf(5)]);
    assert_eq!(left.needed(), Needed { level: 4, up: vec![0, 0, 0, 0, 0, 1, 2], down: vec![1, 1, 1, 1, 0, 0, 0] });
    let after = Node::max(vec![left, Node::min(vec![Node::leaf(2), Node::leaf(4)])]);
    assert_eq!(after.needed(), Needed { level: 4, up: vec![0, 0, 0, 0, 0, 1, 2], down: vec![2, 2, 1, 1, 0, 0, 0] });
    assert_eq!(after.numbers(), [2, 2, 1, 1, 0, 1, 2]);
    // The value of an ended game cannot change.
    let firm = Node::max(vec![Node::ended(3), Node::leaf(2)]);
    assert_eq!(firm.numbers(), [INFINITE, INFINITE, INFINITE, 0, 1, 1, 1]);
}

#[test]
fn a_thousand_random_trees_by_the_definition() {
    for seed in 0..1_000 {
        let mut rng = Rng::new(Seed(seed));
        let depth = 1 + rng.below(4);
        let tree = Node::random(&mut rng, depth, &mut 0);
        assert!(tree.free() <= 16);
        let numbers = tree.numbers();
        for (level, number) in numbers.iter().enumerate() {
            assert_eq!(*number, tree.fewest(level), "seed {seed}, level {level}");
        }
    }
}

fn figure<M>(report: &Report<M>, name: &str) -> f64 {
    report.figures.iter().find(|(known, _)| *known == name).expect("a figure").1
}

/// For the first player; the report has it for the side to move.
fn evaluation<M>(report: &Report<M>) -> i32 {
    let own = figure(report, "evaluation") as i32;
    if report.turn == Player::First { own } else { -own }
}

/// Black is a rook ahead and to move: all figures are for Black.
#[test]
fn figures_are_for_the_side_to_move() {
    for (turn, sign) in [("b", 1.0), ("w", -1.0)] {
        let fen = format!("r1bakab1r/9/2n1c1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB2 {turn} - - 0 1");
        let position = Xiangqi::from_fen(&fen).expect("a position");
        let budget = Budget { nodes: Some(3_000), depth: Some(3), ..Budget::default() };
        let run = |search: &mut dyn Search<Xiangqi>| {
            search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live")
        };
        let cns = run(&mut Cns { range: 10_000, ..Cns::default() });
        for report in [&run(&mut AlphaBeta::default()), &run(&mut Scn::new(200)), &cns] {
            let worth = figure(report, "evaluation");
            assert!(worth * sign > 300.0, "{turn}: {worth}");
            assert!((report.value.for_player(position.turn()) - 0.5) * sign > 0.2, "{:?}", report.value);
            let best = report.root.iter().find(|entry| Some(entry.mv) == report.best).expect("listed");
            assert!(best.note.as_ref().is_some_and(|note| note.starts_with(&format!("{worth:+}"))), "{best:?} {worth}");
        }
        let (low, high) =
            (figure(&cns, "lowest value with one conspirator"), figure(&cns, "highest value with one conspirator"));
        assert!(low <= high && low - 50.0 <= figure(&cns, "evaluation") && figure(&cns, "evaluation") <= high + 50.0);
    }
}

/// Worked by hand, and the same with the players exchanged: after the only move all three replies
/// must change their value to help the mover, one to harm it.
#[test]
fn up_is_what_the_side_to_move_wants() {
    for text in ["F(S(F(1 0) F(1 0) F(1 0)))", "S(F(S(0 1) S(0 1) S(0 1)))"] {
        let tree = Tree::from_text(text).expect("a tree");
        let budget = Budget { nodes: Some(4), ..Budget::default() };
        let report =
            Cns { confidence: 2, ..Cns::default() }.search(&tree, &budget, Seed(1), &mut NoObserver).expect("live");
        assert_eq!(report.root[0].note.as_deref(), Some("+0, up 3, down 1"), "{text}");
    }
}

/// With enough confidence and no limit, the search expands everything relevant and finds the value.
#[test]
fn a_confident_search_has_the_value_of_the_game() {
    let cns = Cns { confidence: 1_000_000, width: 0, step: 1_000, range: 10_000, ..Cns::default() };
    for seed in 0..200 {
        let mut rng = Rng::new(Seed(seed));
        let shape = RandomTree { depth: 1 + rng.below(5), branching: 1 + rng.below(3), grades: 3, alternate: false };
        let tree = Judged::<_, 4_000>(Tree::random(shape, &mut rng));
        if tree.outcome().is_some() {
            continue;
        }
        let report = { cns }.search(&tree, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
        let truth = plain(&tree, 100, 0, Below { quiescence: false, extensions: false });
        // No conspirator is left: the value is proved.
        let known = Oracle::default().truth(&tree.0).expect("small").outcome.score;
        assert_eq!(report.bounds.proved(), Some(known), "seed {seed}");
        for entry in &report.root {
            let mut next = tree.0.clone();
            next.play(entry.mv);
            let known = Oracle::default().truth(&next).expect("small").outcome.score;
            assert!(entry.bounds.contains(known), "seed {seed} {entry:?} {known}");
        }
        // Values beyond the grid are equal: a win at any distance is a win.
        let found = evaluation(&report);
        assert_eq!(found.clamp(-10_000, 10_000), truth.clamp(-10_000, 10_000), "seed {seed}");
        assert_eq!(report.stopped, StopReason::Finished);
    }
}

/// The tree of the documentation: a draw, and nothing is left to expand.
#[test]
fn what_is_known_is_proved() {
    let tree = Tree::from_text("F(left:S(0 1 1) right:S(0.5 F(0.5 1)))").expect("a tree");
    let mut cns = Cns { confidence: 1_000_000, ..Cns::default() };
    let report = cns.search(&tree, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    assert_eq!((report.bounds, report.stopped), (Bounds::exact(Score::DRAW), StopReason::Finished));
    let bounds: Vec<Bounds> = report.root.iter().map(|entry| entry.bounds).collect();
    assert_eq!(bounds, [Bounds::exact(Score::LOSS), Bounds::exact(Score::DRAW)]);
}

#[test]
fn more_confidence_costs_more_and_limits_are_kept() {
    let game = Judged::<_, 500>(Othello::new(6, Empties::None).expect("a board"));
    let run = |confidence, budget: &Budget| {
        Cns { confidence, ..Cns::default() }.search(&game, budget, Seed(1), &mut NoObserver).expect("live")
    };
    let nodes: Vec<u64> = [1, 2, 3, 4].map(|confidence| run(confidence, &Budget::unlimited()).nodes).to_vec();
    assert_eq!(nodes[0], 4, "no single leaf conspires: the root's moves are enough");
    assert!(nodes.windows(2).all(|pair| pair[0] <= pair[1]) && nodes[3] > 50, "{nodes:?}");
    let stopped = run(50, &Budget { nodes: Some(1_000), ..Budget::default() });
    assert!(stopped.nodes <= 1_000 && stopped.stopped == StopReason::Nodes);
    let stopped = run(1_000, &Budget { memory: Some(200_000), ..Budget::default() });
    assert!(stopped.memory_bytes <= 200_000 && stopped.stopped == StopReason::Memory, "{}", stopped.memory_bytes);
    let none = run(5, &Budget { nodes: Some(0), ..Budget::default() });
    assert!(game.is_legal(none.best.expect("a move")));
    let grid = Grid::new(50, 1_000);
    assert_eq!(grid.value(grid.level(333)), 350);
}

/// The root must be expanded: if its children do not fit, the error states how many bytes they
/// need.
#[test]
fn memory_too_small_for_the_root_is_refused() {
    let game = Xiangqi::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    let game = game.expect("a position");
    let fine = Cns { confidence: 1_000_000, step: 1, range: 10_000, ..Cns::default() };
    let run = |cns: Cns, memory| {
        { cns }.search(
            &game,
            &Budget { nodes: Some(20_000), memory: Some(memory), ..Budget::default() },
            Seed(1),
            &mut NoObserver,
        )
    };
    for memory in [0, 1_000, 5_000_000] {
        let Err(SearchError::Unsupported(why)) = run(fine, memory) else { panic!("{memory} bytes are too few") };
        let numbers: Vec<u64> = why.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [moves, least, allowed] = numbers[..] else { panic!("{why}") };
        assert_eq!((moves, allowed), (game.move_count() as u64, memory));
        // Exactly this much memory suffices, one byte less does not.
        let report = run(fine, least).expect("enough");
        assert!(report.memory_bytes <= least && game.is_legal(report.best.expect("a move")));
        assert_eq!(report.stopped, StopReason::Memory);
        assert!(matches!(run(fine, least - 1), Err(SearchError::Unsupported(_))));
    }
    let report = run(Cns::default(), 100_000).expect("a coarse grid takes little");
    assert!(report.memory_bytes <= 100_000 && report.stopped == StopReason::Memory, "{}", report.memory_bytes);
}

/// Two rooks ahead or behind, with either side to move, the search still has values to distinguish.
#[test]
fn values_beyond_the_range_are_told_apart_too() {
    for rooks in [
        "r1bakab1r/9/2n1c1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/2BAKAB2",
        "2bakab2/9/2n1c1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB1R",
    ] {
        for turn in ["w", "b"] {
            let position = Xiangqi::from_fen(&format!("{rooks} {turn} - - 0 1")).expect("a position");
            let budget = Budget { nodes: Some(20_000), ..Budget::default() };
            let report = Cns::default().search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
            assert!(evaluation(&report).abs() > 1_000, "the test is about values beyond the range");
            assert!(report.depth > 1 && report.nodes > 1_000, "{turn} {} {}", report.depth, report.nodes);
            assert!(figure(&report, "lowest value with one conspirator") <= figure(&report, "evaluation") + 25.0);
            assert!(figure(&report, "highest value with one conspirator") >= figure(&report, "evaluation") - 25.0);
        }
    }
}

/// The Single Conspiracy Number by the definition: everything to the depth, for `root`, by values
/// within ±10,000.
fn definition<P: Studied>(position: &P, depth: u32, threshold: i32, root: Player, ply: u32) -> u64 {
    let own = |value: i32| if root == Player::First { value } else { -value };
    if let Some(outcome) = position.outcome() {
        let value = own(end_value(outcome, ply as i32)).clamp(-10_000, 10_000);
        return if value >= threshold { 0 } else { u64::MAX };
    }
    if depth == 0 {
        let value = own(position.evaluation().map_or(0, |evaluation| evaluation.evaluate(position)));
        return u64::from(value < threshold);
    }
    let numbers = position.moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv);
        definition(&next, depth - 1, threshold, root, ply + 1)
    });
    if position.turn() == root { numbers.min().expect("a move") } else { numbers.fold(0, u64::saturating_add) }
}

fn bare(threshold: i32, cutoffs: bool) -> Scn {
    Scn { threshold, options: Options { cutoffs, ..Options::bare() } }
}

fn curve<P: Studied>(position: &P, scn: Scn, depth: u32) -> Vec<Option<u64>> {
    let budget = Budget { depth: Some(depth), ..Budget::default() };
    let (curve, _) = scn.curve(position, &budget, Seed(1), &mut NoObserver).expect("live");
    curve.into_iter().map(|at| at.number).collect()
}

fn finite(number: u64) -> Option<u64> {
    (number != u64::MAX).then_some(number)
}

/// Without cut-offs: the definition for every threshold; the proof number for the highest, 0 for
/// the lowest.
#[test]
fn without_cut_offs_the_number_is_that_of_the_definition() {
    let mut infinite = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(Seed(seed));
        let shape =
            RandomTree { depth: 2 + rng.below(5), branching: 1 + rng.below(4), grades: 2, alternate: seed % 2 == 0 };
        let tree = Judged::<_, 60>(Tree::random(shape, &mut rng));
        if tree.outcome().is_some() {
            continue;
        }
        for threshold in [-10_000, -30, 1, 40, 10_000] {
            for (depth, number) in (1..).zip(curve(&tree, bare(threshold, false), 5)) {
                let truth = definition(&tree, depth, threshold, tree.turn(), 0);
                assert_eq!(number, finite(truth), "seed {seed}, T = {threshold}, depth {depth}");
                if threshold == 10_000 {
                    assert_eq!(number, finite(proof_number(&tree, depth, tree.turn())), "seed {seed}");
                    infinite += u32::from(number.is_none());
                }
                if threshold == -10_000 {
                    assert_eq!(number, Some(0));
                }
            }
        }
    }
    assert!(infinite > 20, "{infinite}");
}

/// Allis: won 0, lost ∞, unknown 1; the attacker's nodes min, the others sum.
fn proof_number<P: Position>(position: &P, depth: u32, attacker: Player) -> u64 {
    match position.outcome() {
        Some(outcome) if outcome.winner() == Some(attacker) => return 0,
        Some(_) => return u64::MAX,
        None if depth == 0 => return 1,
        None => (),
    }
    let numbers = position.moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv);
        proof_number(&next, depth - 1, attacker)
    });
    if position.turn() == attacker { numbers.min().expect("a move") } else { numbers.fold(0, u64::saturating_add) }
}

/// Fail-soft alpha-beta in the game's order, with the number beside the value; skipped moves count
/// 1.
fn with_cut_offs<P: Studied>(
    position: &P,
    depth: u32,
    (mut alpha, beta): (i32, i32),
    threshold: i32,
    root: Player,
    ply: u32,
) -> (i32, u64) {
    let mover = position.turn();
    let own = |value: i32, player: Player| if player == Player::First { value } else { -value };
    if position.outcome().is_some() || depth == 0 {
        let value = match position.outcome() {
            Some(outcome) => end_value(outcome, ply as i32),
            None => position.evaluation().map_or(0, |evaluation| evaluation.evaluate(position)),
        };
        return (own(value, mover), definition(position, 0, threshold, root, ply));
    }
    let maximises = mover == root;
    let moves = position.moves();
    let (mut best, mut number) = (-100_000, if maximises { u64::MAX } else { 0 });
    let mut add = |one: u64| number = if maximises { number.min(one) } else { number.saturating_add(one) };
    for (done, mv) in moves.iter().enumerate() {
        let mut next = position.clone();
        next.play(*mv);
        let same = next.turn() == mover;
        let window = if same { (alpha, beta) } else { (-beta, -alpha) };
        let (value, one) = with_cut_offs(&next, depth - 1, window, threshold, root, ply + 1);
        add(one);
        best = best.max(if same { value } else { -value });
        alpha = alpha.max(best);
        if alpha >= beta {
            (done + 1..moves.len()).for_each(|_| add(1));
            break;
        }
    }
    (best, number)
}

#[test]
fn with_cut_offs_moves_left_out_count_as_leaves() {
    let (mut compared, mut different) = (0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(Seed(seed));
        let shape = RandomTree { depth: 6, branching: 4, grades: 3, alternate: true };
        let tree = Judged::<_, 60>(Tree::random(shape, &mut rng));
        // The order of the root moves is random; with one move there is only one order.
        if tree.outcome().is_some() || tree.move_count() != 1 {
            continue;
        }
        for threshold in [-20, 20] {
            for (depth, number) in (1..).zip(curve(&tree, bare(threshold, true), 5)) {
                let window = (-100_000, 100_000);
                let (_, truth) = with_cut_offs(&tree, depth, window, threshold, tree.turn(), 0);
                assert_eq!(number, finite(truth), "seed {seed}, T = {threshold}, depth {depth}");
                compared += 1;
                different += u32::from(finite(definition(&tree, depth, threshold, tree.turn(), 0)) != number);
            }
        }
    }
    assert!(compared > 2_000 && different > 100, "{compared} {different}");
}

/// Worked by hand. MAX has one move, MIN then three replies, and MAX two moves after each.
#[test]
fn a_number_by_hand() {
    let tree = Tree::from_text("F(S(F(0.5 0) F(1 0) F(1 0)))").expect("a tree");
    // T = 1, more than a draw. Depth 1: one unknown leaf (0 < 1), so 1. Depth 2: three of them, and
    // MIN's node adds up: 3. Depth 3: after the first reply MAX gets no more than a draw, so no
    // leaf can help: ∞ + 0 + 0.
    assert_eq!(curve(&tree, bare(1, true), 3), [Some(1), Some(3), None]);
    // T = 0: a draw suffices, and every leaf has it.
    assert_eq!(curve(&tree, bare(0, true), 3), [Some(0), Some(0), Some(0)]);
    // MIN's first reply ends in a loss for MAX, and MAX's other move in a draw: T = 1 is out of
    // reach at depth 2.
    let tree = Tree::from_text("F(S(0 F(1 0) F(1 0)) 0.5)").expect("a tree");
    assert_eq!(curve(&tree, bare(1, true), 2)[1], None);
}

/// Leaves are valued by quiescence search: one ply of the search is one ply of negamax with
/// quiescence.
#[test]
fn leaves_are_quiet() {
    for fen in [
        "2bakab2/9/2n1c4/p3p3p/4R4/2P6/P3P1n1P/4C1N2/9/2BAKAB2 b - - 0 1",
        "3ak4/4a4/9/4R4/9/9/9/4r4/4A4/3AK4 w - - 0 1",
    ] {
        let position = Judged::<_, 200>(Xiangqi::from_fen(fen).expect("a position"));
        for quiescence in [true, false] {
            let cns = Cns { confidence: 1, quiescence, ..Cns::default() };
            let report = { cns }.search(&position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
            let truth = plain(&position, 1, 0, Below { quiescence, extensions: false });
            assert_eq!(evaluation(&report), truth, "{fen}");
        }
    }
}

#[test]
fn the_search_is_a_usual_one_and_refuses_what_it_cannot_do() {
    let game = Judged::<_, 60>(Othello::new(6, Empties::None).expect("a board"));
    let budget = Budget { depth: Some(4), ..Budget::default() };
    let report = Scn::new(20).search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
    assert!(figure(&report, "scn at depth 4") >= 0.0 && report.depth == 4);
    let truth = plain(&game, 4, 0, Below { quiescence: false, extensions: false });
    assert_eq!(evaluation(&report), truth, "counting does not disturb the search");
    let mut scn = Scn::new(20);
    scn.options.evaluation = EvaluationSource::Game;
    let refusal = scn.search(&Mnk::new(3, 3, 3).expect("a board"), &budget, Seed(1), &mut NoObserver);
    // Games may gain evaluations; the synthetic ones have none.
    assert!(refusal.is_ok() || matches!(refusal, Err(SearchError::Unsupported(_))));
    let refusal = scn.search(&PGame::new(2, 4, 1).expect("a tree"), &budget, Seed(1), &mut NoObserver);
    assert!(matches!(refusal, Err(SearchError::Unsupported(_))), "{refusal:?}");
}

/// A game of self-play gives averages of both sides.
#[test]
fn relative_numbers_along_a_game() {
    let game = Judged::<_, 200>(Othello::new(6, Empties::None).expect("a board"));
    let budget = Budget { depth: Some(5), ..Budget::default() };
    let scn = Scn::new(50);
    let moments = rscn::self_play(&game, &scn, &budget, 12, Seed(1)).expect("live");
    assert_eq!(moments.len(), 12);
    assert!(moments.iter().all(|moment| moment.curve.len() == 5));
    for player in [Player::First, Player::Second] {
        let average = rscn::average(&moments, player);
        assert!(average.rscn.is_some_and(f64::is_finite) && average.value.is_some_and(f64::is_finite), "{average:?}");
    }
    let again = rscn::self_play(&game, &scn, &budget, 12, Seed(1)).expect("live");
    assert_eq!(again, moments, "repeatable");
}
