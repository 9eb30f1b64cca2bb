//! The exact endgame of Othello against the oracle, random endgames solved elsewhere, and the FFO
//! test suite.

use std::io::Write;
use tesuji_core::{Budget, NoObserver, Notation, Observer, Pace, Player, Position, Report, Seed, StopReason};
use tesuji_games::mnk::Mnk;
use tesuji_games::othello::{Empties, Move, Othello};
use tesuji_search::minimax::ExactEndgame;
use tesuji_search::oracle::{Objective, Oracle};
use tesuji_search::{Search, SearchError};
use tesuji_testing::{public, sized, vendored};

fn solve(position: &Othello) -> Report<Move> {
    ExactEndgame::default().search(position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live")
}

/// The margin for the side to move.
fn margin<M>(report: &Report<M>) -> i32 {
    report.figures.iter().find(|(name, _)| *name == "margin").expect("solved").1 as i32
}

fn board(size: u32, empties: Empties) -> Othello {
    Othello::new(size, empties).expect("a board")
}

#[test]
fn small_boards_and_late_positions_as_the_oracle_says() {
    let mut positions = vec![board(4, Empties::None), board(4, Empties::Winner)];
    for empties in [Empties::None, Empties::Winner] {
        for seed in 0..60 {
            let (size, discs) = if seed % 2 == 0 { (6, 22) } else { (8, 50 + seed as u32 % 8) };
            positions.extend(board(size, empties).after_random_plies(discs, seed));
        }
    }
    assert!(positions.len() > 100);
    for position in positions {
        let truth = Oracle::new(Objective::Margin).truth(&position).expect("small").outcome;
        let report = solve(&position);
        let own = if position.turn() == Player::First { truth.margin } else { -truth.margin };
        assert_eq!(margin(&report), own, "{position:?}");
        assert_eq!(report.bounds.proved(), Some(truth.score));
        // Playing the line gives this margin.
        let mut along = position;
        for mv in &report.line {
            assert!(along.is_legal(*mv));
            along.play(*mv);
        }
        assert_eq!(along.outcome().map(|outcome| outcome.margin), Some(truth.margin), "{position:?} {:?}", report.line);
    }
}

/// Reads "…64 squares… X;" of OBF, dashes for empty squares.
fn read(text: &str) -> Othello {
    let text = text.replace('-', ".").replace(';', "");
    board(8, Empties::Winner).with_text(text.trim()).expect("a position")
}

#[test]
fn random_endgames_solved_elsewhere() {
    let mut solved = 0;
    for line in vendored("othello/random_endgames.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [empties, text, score, best] = fields[..] else { panic!("four fields: {line}") };
        if line.starts_with('#') || empties.parse::<u32>().expect("a number") > 16 {
            continue;
        }
        let position = read(text);
        let report = solve(&position);
        let score: i32 = score.parse().expect("a number");
        assert_eq!(margin(&report), score, "{line}");
        // The move may differ from the published one; both must preserve the score.
        for mv in [report.best.expect("a move"), position.read_move(best).expect("a move")] {
            let mut next = position;
            next.play(mv);
            let after = match next.outcome() {
                Some(outcome) => outcome.margin,
                None if next.turn() == Player::First => margin(&solve(&next)),
                None => -margin(&solve(&next)),
            };
            assert_eq!(if position.turn() == Player::First { after } else { -after }, score, "{line} {mv:?}");
        }
        solved += 1;
    }
    assert!(solved > 50, "{solved}");
}

/// The FFO suite: five easy positions, or numbers 40 to 44 with 20 to 25 empty squares.
#[test]
fn ffo() {
    let (file, first, count) = sized(("othello/ffo-1-19.obf", 1, 5), ("othello/ffo-40-59.obf", 40, 5));
    let Some(text) = public(file) else { return };
    let mut out = std::io::stderr();
    for (number, line) in (first..).zip(text.lines().take(count)) {
        let mut parts = line.split(';').map(str::trim);
        let position = read(parts.next().expect("a position"));
        let moves: Vec<(String, i32)> = parts
            .filter(|part| !part.is_empty())
            .map(|part| {
                let (mv, score) = part.split_once(':').expect("move:score");
                (mv.to_lowercase(), score.parse().expect("a score"))
            })
            .collect();
        let report = solve(&position);
        let best = position.show_move(report.best.expect("a move"));
        let _ = writeln!(
            out,
            "ffo {number}: {:+} {best}, {} nodes, {:.2} s, {:.1} M nodes/s",
            margin(&report),
            report.nodes,
            report.elapsed.as_secs_f64(),
            report.nodes as f64 / report.elapsed.as_secs_f64() / 1e6
        );
        assert_eq!(margin(&report), moves[0].1, "ffo {number}");
        assert!(moves.iter().any(|(mv, score)| *mv == best && *score == moves[0].1), "ffo {number}: {best}");
    }
}

#[test]
fn limits_and_other_games() {
    let start = board(8, Empties::None);
    let budget = Budget { nodes: Some(10_000), ..Budget::default() };
    let report = ExactEndgame::default().search(&start, &budget, Seed(1), &mut NoObserver).expect("live");
    assert_eq!(report.stopped, StopReason::Nodes);
    assert!(start.is_legal(report.best.expect("a move")) && report.bounds.proved().is_none());
    let report = ExactEndgame::new(100_000).search(&start, &budget, Seed(1), &mut NoObserver).expect("live");
    assert!(report.memory_bytes <= 100_000);
    let other = Mnk::new(3, 3, 3).expect("a board");
    assert!(matches!(
        ExactEndgame::default().search(&other, &budget, Seed(1), &mut NoObserver),
        Err(SearchError::Unsupported(_))
    ));
}

/// A figure of a report, if it has it.
fn figure<M>(report: &Report<M>, name: &str) -> Option<i32> {
    report.figures.iter().find(|(found, _)| *found == name).map(|(_, number)| *number as i32)
}

/// Collects progress reports.
struct Looks(Vec<Report<Move>>);

impl Observer<Move> for Looks {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(2_000))
    }

    fn progress(&mut self, report: &Report<Move>) {
        self.0.push(report.clone());
    }
}

/// Progress reports, and the report after a stop, hold a legal move and a correct bound.
#[test]
fn answers_before_the_end_are_true() {
    let mut sure = 0;
    for seed in 0..12 {
        let position = board(8, Empties::None).after_random_plies(46, seed).expect("a live game");
        let mut looks = Looks(Vec::new());
        let solved =
            ExactEndgame::default().search(&position, &Budget::unlimited(), Seed(1), &mut looks).expect("live");
        let truth = margin(&solved);
        assert!(looks.0.len() as u64 >= solved.nodes / 20_000, "{} looks at {}", looks.0.len(), solved.nodes);
        for nodes in [0, solved.nodes / 4, solved.nodes / 2] {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let report = ExactEndgame::default().search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
            assert_eq!(report.stopped, StopReason::Nodes);
            looks.0.push(report);
        }
        for report in &looks.0 {
            assert!(position.is_legal(report.best.expect("a move")));
            assert_eq!(report.line.first(), report.best.as_ref());
            let score = solved.bounds.proved().expect("solved");
            assert!(report.bounds.lower() <= score && score <= report.bounds.upper(), "{seed}");
            if let Some(least) = figure(report, "margin, at least") {
                sure += 1;
                assert!(least <= truth, "{seed}: {least} {truth}");
                // The move achieves the reported bound.
                let mut next = position;
                next.play(report.best.expect("a move"));
                let after = if next.outcome().is_some() {
                    continue;
                } else if next.turn() == position.turn() {
                    margin(&solve(&next))
                } else {
                    -margin(&solve(&next))
                };
                assert!(after >= least, "{seed}: {after} {least}");
            }
        }
    }
    assert!(sure > 12, "{sure}");
}

/// The tables are kept from move to move, and a new game begins without them.
#[test]
fn the_next_move_is_cheaper_with_the_tables_of_the_last() {
    let mut position = board(8, Empties::None).after_random_plies(46, 1).expect("a live game");
    let mut search = ExactEndgame::default();
    let mut think = |position: &Othello, again: bool| {
        if again {
            Search::<Othello>::begin(&mut search);
        }
        search.search(position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live")
    };
    let first = think(&position, false);
    assert!(think(&position, false).nodes < first.nodes / 10);
    assert_eq!(think(&position, true).nodes, first.nodes);
    position.play(first.best.expect("a move"));
    let (kept, fresh) = (think(&position, false), think(&position, true));
    assert_eq!(margin(&kept), margin(&fresh));
    assert!(kept.nodes < fresh.nodes, "{} {}", kept.nodes, fresh.nodes);
}
