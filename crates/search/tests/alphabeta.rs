//! Alpha-beta against plain negamax by the definition, switch by switch.

use crate::judged::{Below, Judged, plain};
use tesuji_core::{
    Bounds, Budget, NoObserver, Notation, Observer, Pace, Player, Position, Report, Rng, Seed, StopReason, Studied,
};
use tesuji_games::connect6::Connect6;
use tesuji_games::gomoku::Gomoku;
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::mnk::Mnk;
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::{EvaluationSource, Options, Quiescence, TableUse};
use tesuji_search::oracle::Oracle;
use tesuji_search::table::{Bound, Entry, TranspositionTable};
use tesuji_search::{Search, SearchError};

/// Every combination of the switches that must not change the value at fixed depth. Null moves,
/// late-move reductions, delta pruning and deeper table entries may change it; solved games below
/// test them.
fn sound() -> Vec<Options> {
    let mut all = Vec::new();
    for bits in 0..512_u32 {
        let on = |bit: u32| bits >> bit & 1 == 1;
        all.push(Options {
            pvs: on(0),
            table: if on(1) { TableUse::Same } else { TableUse::Off },
            bytes: if on(7) { 1 << 9 } else { 1 << 16 },
            aspiration: if on(2) { 7 } else { 0 },
            killers: on(3),
            history: on(4),
            preference: on(8),
            quiescence: if on(5) { Quiescence::Plain } else { Quiescence::Off },
            extensions: on(6),
            ..Options::bare()
        });
    }
    all
}

/// For the first player; the report has it for the side to move.
fn value_of<M>(report: &Report<M>) -> i32 {
    let own = report.figures.iter().find(|(name, _)| *name == "evaluation").expect("a searched root").1 as i32;
    if report.turn == Player::First { own } else { -own }
}

fn below(options: &Options) -> Below {
    Below { quiescence: options.quiescence != Quiescence::Off, extensions: options.extensions }
}

/// Every `step`th combination, from number `first` on, at this depth.
fn agree<P: Studied>(position: &P, depth: u32, first: usize, step: usize) {
    let kinds = [(false, false), (false, true), (true, false), (true, true)];
    let truths = kinds.map(|(quiescence, extensions)| {
        if P::SHARP || !(quiescence || extensions) {
            plain(position, depth as i32, 0, Below { quiescence, extensions })
        } else {
            0
        }
    });
    for options in sound().into_iter().skip(first).step_by(step) {
        let definition = below(&options);
        let sharp = if P::SHARP { (definition.quiescence, definition.extensions) } else { (false, false) };
        let truth = truths[kinds.iter().position(|kind| *kind == sharp).expect("one of the four")];
        let options = Options { depth: Some(depth), ..options };
        let mut search = AlphaBeta::new(options);
        let report = search.search(position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
        assert_eq!(value_of(&report), truth, "{options:?} at depth {depth} of {position:?}");
        // The chosen move has the value of the position.
        let mut next = position.clone();
        next.play(report.best.expect("a move"));
        if depth < 4 {
            assert_eq!(plain(&next, depth as i32 - 1, 1, definition), truth, "{options:?} {position:?}");
        }
        assert!(position.is_legal(report.line[0]) && Some(report.line[0]) == report.best);
    }
}

#[test]
fn every_sound_combination_has_the_value_of_plain_negamax_on_random_trees() {
    for seed in 0..60 {
        let mut rng = Rng::new(Seed(seed));
        let shape = RandomTree {
            depth: 2 + rng.below(7),
            branching: 2 + rng.below(3),
            grades: 2 + rng.below(4),
            alternate: seed % 2 == 0,
        };
        let tree = Judged::<_, 60>(Tree::random(shape, &mut rng));
        if tree.outcome().is_none() {
            agree(&tree, 1 + rng.below(7), seed as usize % 5, 5);
        }
    }
}

#[test]
fn every_sound_combination_has_the_value_of_plain_negamax_on_real_games() {
    agree(&Judged::<_, 60>(Mnk::new(3, 3, 3).expect("a board")), 6, 1, 11);
    agree(&Judged::<_, 60>(Hex::new(4, SwapRule::default()).expect("a board")), 3, 2, 11);
    agree(&Judged::<_, 60>(Othello::new(6, Empties::None).expect("a board")), 5, 3, 11);
    let late = Othello::new(8, Empties::None).expect("a board").after_random_plies(54, 3).expect("a game");
    agree(&Judged::<_, 60>(late), 7, 4, 11);
    agree(&Judged::<_, 60>(PGame::new(3, 7, 4).expect("a tree")), 5, 5, 7);
}

/// Two stones per turn: the sign must not change within a turn.
#[test]
fn every_sound_combination_where_turns_do_not_alternate() {
    agree(&Judged::<_, 60>(Connect6::new(6).expect("a board")), 3, 6, 17);
    agree(&Judged::<_, 60>(Gomoku::new(5, Default::default()).expect("a board")), 3, 7, 37);
}

/// Captures, checks, evasions.
#[test]
fn every_sound_combination_in_chinese_chess() {
    let sharp = [
        "3k5/4a4/4b4/4N4/9/4C4/9/4B4/4A4/4K4 w - - 0 1",
        "2bakab2/9/2n1c4/p3p3p/4R4/2P6/P3P1n1P/4C1N2/9/2BAKAB2 b - - 0 1",
        "3ak4/4a4/9/4R4/9/9/9/4r4/4A4/3AK4 w - - 0 1",
    ];
    for (fen, depth) in sharp.iter().zip([3, 2, 3]) {
        let position = Judged::<_, 200>(Xiangqi::from_fen(fen).expect("a position"));
        agree(&position, depth, depth as usize, 11);
    }
}

/// The whole list on some positions; the tests above use a part of it each.
#[test]
fn the_whole_list() {
    for seed in 0..40 {
        let mut rng = Rng::new(Seed(1_000 + seed));
        let shape = RandomTree { depth: 6, branching: 4, grades: 5, alternate: seed % 2 == 0 };
        let tree = Judged::<_, 60>(Tree::random(shape, &mut rng));
        if tree.outcome().is_none() {
            agree(&tree, 5, 0, 1);
        }
    }
    agree(&Judged::<_, 60>(Mnk::new(3, 3, 3).expect("a board")), 6, 0, 1);
    agree(&Judged::<_, 60>(Othello::new(6, Empties::None).expect("a board")), 5, 0, 1);
    agree(&Judged::<_, 60>(Connect6::new(6).expect("a board")), 3, 0, 1);
    let position = Xiangqi::from_fen("3ak4/4a4/9/4R4/9/9/9/4r4/4A4/3AK4 w - - 0 1").expect("a position");
    agree(&Judged::<_, 200>(position), 3, 0, 1);
}

/// The best three moves have the exact values of their positions, in order.
#[test]
fn several_lines_are_exact() {
    for seed in 0..40 {
        let game = Judged::<_, 60>(PGame::new(5, 6, seed).expect("a tree"));
        let options = Options { depth: Some(4), lines: 3, ..Options::bare() };
        let options = Options { pvs: true, table: TableUse::Same, killers: true, history: true, ..options };
        let report =
            AlphaBeta::new(options).search(&game, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
        let mut truth: Vec<i32> = game
            .moves()
            .into_iter()
            .map(|mv| {
                let mut next = game.clone();
                next.play(mv);
                plain(&next, 3, 1, Below { quiescence: false, extensions: false })
            })
            .collect();
        let exact: Vec<Option<i32>> =
            report.root.iter().map(|entry| entry.note.as_ref().and_then(|note| note.parse().ok())).collect();
        for (found, truth) in exact.iter().zip(&truth) {
            assert!(found.is_none_or(|found| found == *truth), "{exact:?} {truth}");
        }
        // The line of each leads to the position from which its value comes.
        for (entry, found) in report.root.iter().zip(&exact) {
            assert_eq!(entry.line.is_empty(), found.is_none(), "{entry:?}");
            let Some(found) = found else { continue };
            assert_eq!((entry.line[0], entry.line.len()), (entry.mv, 4), "{entry:?}");
            let mut end = game.clone();
            for mv in &entry.line {
                assert!(end.is_legal(*mv));
                end.play(*mv);
            }
            assert_eq!(plain(&end, 0, 4, Below { quiescence: false, extensions: false }), *found, "{entry:?}");
        }
        truth.sort_unstable_by_key(|value| -value);
        let mut best: Vec<i32> = exact.into_iter().flatten().collect();
        best.sort_unstable_by_key(|value| -value);
        assert!(best.len() >= 3 || truth[2].abs() > 9_999, "{best:?} {truth:?}");
        assert!(best.iter().take(3).eq(truth.iter().take(best.len().min(3))), "{best:?} {truth:?}");
    }
}

/// With all enhancements, a search that reaches the end of the game finds and reports the proved
/// value.
#[test]
fn solved_games_with_every_switch_on() {
    for seed in 0..1_500 {
        let mut rng = Rng::new(Seed(seed));
        let shape = RandomTree {
            depth: 1 + rng.below(8),
            branching: 1 + rng.below(4),
            grades: 2 + rng.below(3),
            alternate: false,
        };
        let tree = Tree::random(shape, &mut rng);
        if tree.outcome().is_some() {
            continue;
        }
        let truth = Oracle::default().truth(&tree).expect("small");
        for evaluation in [EvaluationSource::None, EvaluationSource::Auto] {
            let options = Options { evaluation, ..Options::default() };
            let mut search = AlphaBeta::new(Options { bytes: 1 << 14, ..options });
            let report =
                search.search(&Judged::<_, 900>(tree.clone()), &Budget::unlimited(), Seed(seed), &mut NoObserver);
            let report = report.expect("live");
            assert_eq!(report.bounds.proved(), Some(truth.outcome.score), "seed {seed} {evaluation:?} {report:?}");
            for entry in &report.root {
                let mut next = tree.clone();
                next.play(entry.mv);
                let truth = Oracle::default().truth(&next).expect("small").outcome.score;
                assert!(entry.bounds.contains(truth), "seed {seed} {entry:?} {truth}");
            }
            assert_eq!(report.stopped, StopReason::Finished);
        }
    }
    let value = |m, n, k| {
        let mut search = AlphaBeta::default();
        let game = Mnk::new(m, n, k).expect("a board");
        search.search(&game, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live").bounds
    };
    assert_eq!(value(3, 3, 3), Bounds::exact(tesuji_core::Score::DRAW));
    assert_eq!(value(4, 3, 3), Bounds::exact(tesuji_core::Score::WIN));
}

/// Entries of other positions, torn entries and entries with illegal moves have no effect.
#[test]
fn a_poisoned_table_changes_nothing() {
    let game = Judged::<_, 60>(Othello::new(6, Empties::None).expect("a board"));
    let depth = 6;
    let truth = plain(&game, depth, 0, Below { quiescence: false, extensions: false });
    let options = Options { depth: Some(depth as u32), table: TableUse::Deeper, pvs: true, ..Options::bare() };
    let value = |table: TranspositionTable| {
        let mut search = AlphaBeta::with_table(options, table);
        value_of(&search.search(&game, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live"))
    };
    // False entries of great depth for all positions two plies down.
    let mut hashes = Vec::new();
    for mv in game.moves() {
        let mut next = game.clone();
        next.play(mv);
        hashes.push(next.hash());
        for mv in next.moves() {
            let mut last = next.clone();
            last.play(mv);
            hashes.push(last.hash());
        }
    }
    let lie = Entry { value: 9_000, bound: Bound::Exact, depth: 900, best: Some(1) };
    let believed = TranspositionTable::new(1 << 16).expect("little memory");
    hashes.iter().for_each(|hash| believed.put(*hash, lie));
    assert_ne!(value(believed), truth, "a lie under the right key would be believed: the test can fail");
    // The same false entries under keys that differ in one bit.
    for bit in 0..64 {
        let table = TranspositionTable::new(1 << 16).expect("little memory");
        hashes.iter().for_each(|hash| table.put(tesuji_core::PositionHash(hash.0 ^ 1 << bit), lie));
        assert_eq!(value(table), truth, "bit {bit}");
    }
    // Halves of different entries, and noise.
    let mut torn = TranspositionTable::new(1 << 16).expect("little memory");
    let mut rng = Rng::new(Seed(1));
    torn.poison(|number| (hashes[number as usize % hashes.len()].0 ^ rng.next_u64(), rng.next_u64()));
    assert_eq!(value(torn), truth);
    // True entries with illegal moves.
    let table = TranspositionTable::new(1 << 16).expect("little memory");
    for (number, hash) in hashes.iter().enumerate() {
        let best = [Some(1_000_000), Some(36), None][number % 3];
        table.put(*hash, Entry { value: -99_999, bound: Bound::Lower, depth: 900, best });
    }
    assert_eq!(value(table), truth);
}

#[test]
fn budgets_are_kept_and_answers_legal() {
    let game = Judged::<_, 60>(Othello::new(8, Empties::None).expect("a board"));
    for nodes in [0, 1, 7, 100, 5_000] {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let report = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
        assert!(report.nodes <= nodes && game.is_legal(report.best.expect("a move")));
        assert_eq!((report.stopped, report.root.len()), (StopReason::Nodes, 4));
        let again = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
        assert_eq!((again.best, again.value, again.line), (report.best, report.value, report.line), "repeatable");
    }
    let budget = Budget { depth: Some(4), ..Budget::default() };
    let report = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
    assert_eq!((report.depth, report.stopped), (4, StopReason::Depth), "the game goes on below");
    assert!(report.line.len() >= 3, "{:?}", report.line);
    let mut along = game.clone();
    for mv in &report.line {
        assert!(along.is_legal(*mv));
        along.play(*mv);
    }
    // Memory: within the limit, and refused if not even one bucket fits.
    let budget = Budget { depth: Some(4), memory: Some(100_000), ..Budget::default() };
    let report = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
    assert!(report.memory_bytes <= 100_000, "{}", report.memory_bytes);
    let budget = Budget { memory: Some(63), ..Budget::default() };
    let refusal = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver);
    assert!(matches!(refusal, Err(SearchError::Unsupported(_))), "{refusal:?}");
    // An evaluation that does not exist.
    let options = Options { evaluation: EvaluationSource::Game, ..Options::default() };
    let refusal =
        AlphaBeta::new(options).search(&PGame::new(2, 2, 1).expect("a tree"), &budget, Seed(1), &mut NoObserver);
    assert!(matches!(refusal, Err(SearchError::Unsupported(_))), "{refusal:?}");
    let ended = Tree::from_text("1").expect("a leaf");
    assert_eq!(
        AlphaBeta::default().search(&ended, &Budget::unlimited(), Seed(1), &mut NoObserver),
        Err(SearchError::Ended)
    );
}

/// A search that starts no deeper iteration for lack of time reports so; one that is finished does
/// not.
#[test]
fn the_soft_limit_of_time_is_told() {
    let late = Budget { soft_time: Some(std::time::Duration::ZERO), ..Budget::default() };
    let game = Mnk::new(5, 5, 4).expect("a board");
    let run = |budget: &Budget| {
        let report = AlphaBeta::default().search(&game, budget, Seed(1), &mut NoObserver).expect("live");
        (report.depth, report.stopped)
    };
    assert_eq!(run(&late), (1, StopReason::Time));
    assert_eq!(run(&Budget { depth: Some(1), ..late.clone() }), (1, StopReason::Depth), "asked for no more");
    let known = Tree::from_text("F(1 0.5 0)").expect("a tree");
    let report = AlphaBeta::default().search(&known, &late, Seed(1), &mut NoObserver).expect("live");
    assert_eq!((report.depth, report.stopped), (1, StopReason::Finished), "all is known");
}

/// A stop from another thread ends a search that has no other limit.
#[test]
fn a_stopped_search_answers() {
    let game = Judged::<_, 60>(Othello::new(8, Empties::None).expect("a board"));
    for threads in [1, 3] {
        let budget = Budget { threads: std::num::NonZeroU32::new(threads), ..Budget::default() };
        let stop = budget.stop.clone();
        let thrower = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            stop.stop();
        });
        let report = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
        thrower.join().expect("no panic");
        assert_eq!(report.stopped, StopReason::Asked);
        assert!(game.is_legal(report.best.expect("a move")) && report.depth > 0);
    }
}

/// Helper threads change the traversal, not a value that is independent of it.
#[test]
fn several_threads_have_the_value_of_one() {
    let game = Judged::<_, 60>(Othello::new(6, Empties::None).expect("a board"));
    let truth = plain(&game, 6, 0, Below { quiescence: false, extensions: false });
    for seed in 0..20 {
        let options = Options { depth: Some(6), table: TableUse::Same, pvs: true, killers: true, ..Options::bare() };
        let budget = Budget { threads: std::num::NonZeroU32::new(4), ..Budget::default() };
        let report = AlphaBeta::new(options).search(&game, &budget, Seed(seed), &mut NoObserver).expect("live");
        assert_eq!(value_of(&report), truth);
    }
    // All threads together respect a limit of nodes.
    let budget = Budget { threads: std::num::NonZeroU32::new(3), nodes: Some(5_000), ..Budget::default() };
    let report = AlphaBeta::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
    assert!(report.nodes <= 5_000 && report.stopped == StopReason::Nodes, "{}", report.nodes);
}

/// Collects progress reports.
struct Looks(Vec<(u64, u32)>);

impl<M> Observer<M> for Looks {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(1_000))
    }
    fn progress(&mut self, report: &Report<M>) {
        assert!(report.best.is_some());
        self.0.push((report.nodes, report.depth));
    }
}

#[test]
fn watchers_see_the_answer_so_far() {
    let game = Judged::<_, 60>(Othello::new(8, Empties::None).expect("a board"));
    let mut looks = Looks(Vec::new());
    let budget = Budget { nodes: Some(10_000), ..Budget::default() };
    let report = AlphaBeta::default().search(&game, &budget, Seed(1), &mut looks).expect("live");
    assert_eq!(looks.0.len(), 10);
    assert!(
        looks.0.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1),
        "{looks:?}",
        looks = looks.0
    );
    assert!(report.depth >= looks.0[9].1);
}

/// A mate in three plies by the rook, with all options.
#[test]
fn a_mate_is_seen_and_told() {
    let position = Xiangqi::from_fen("3k5/R8/9/9/9/9/9/9/8R/4K4 w - - 0 1").expect("a position");
    let budget = Budget { nodes: Some(200_000), ..Budget::default() };
    let report = AlphaBeta::default().search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
    let best = report.root.iter().find(|entry| Some(entry.mv) == report.best).expect("listed");
    assert_eq!(best.note.as_deref(), Some("wins in 1"), "{}", position.show_move(best.mv));
    assert_eq!(report.value.for_player(Player::First), 1.0);
}

/// A line much longer than the largest depth: no stack overflow, and the report states the depth.
#[test]
fn the_deepest_search_fits_on_a_small_stack() {
    let depth = 3_000;
    let chain = Tree::from_text(&format!("{}1{}", "S(".repeat(depth), ")".repeat(depth))).expect("a chain");
    let work = move || {
        let report = AlphaBeta::default().search(&chain, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
        assert_eq!((report.depth, report.stopped), (1_000, StopReason::Depth));
        assert_eq!(report.bounds, Bounds::UNKNOWN);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no overflow, no panic");
}
