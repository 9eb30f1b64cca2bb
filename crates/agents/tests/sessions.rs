//! Sessions: thinking in the background, stopping with an answer, aborting, snapshots.

use std::time::{Duration, Instant};
use tesuji_agents::{Session, SessionError};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Seed, StopReason};
use tesuji_search::SearchError;

fn session(game: &str, agent: &str) -> Session {
    let spec = |text: &str| text.parse::<Spec>().expect("a spec");
    Session::new(&spec(game), &spec(agent)).expect("a session")
}

#[test]
fn a_whole_game() {
    let mut session = session("tictactoe", "oracle");
    assert_eq!(session.game().to_string(), "tictactoe");
    assert_eq!(session.agent().to_string(), "oracle(by=score)");
    let mut plies = 0;
    while session.position().outcome().is_none() {
        session.start(&Budget::unlimited(), Seed(plies)).expect("idle");
        assert_eq!(session.start(&Budget::unlimited(), Seed(1)), Err(SessionError::Busy));
        let best = session.wait().expect("an answer").best.expect("a move");
        session.play(&best).expect("legal");
        plies += 1;
    }
    assert_eq!(session.position().outcome().expect("ended").winner(), None, "optimal play draws");
    assert_eq!(session.start(&Budget::unlimited(), Seed(1)), Err(SearchError::Ended.into()));
    for _ in 0..plies {
        session.undo().expect("a move to take back");
    }
    assert_eq!(session.undo(), Err(SessionError::NothingToUndo));
    assert_eq!(session.position().moves().len(), 9);
}

#[test]
fn stop_answers_and_snapshots_come_before() {
    let mut session = session("pgame(branching=3,depth=30)", "rps");
    session.start(&Budget::unlimited(), Seed(1)).expect("idle");
    let begun = Instant::now();
    let snapshot = loop {
        match session.snapshot() {
            Some(report) => break report,
            None => assert!(begun.elapsed() < Duration::from_secs(20), "no snapshot"),
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(session.is_thinking() && snapshot.best.is_some() && snapshot.iterations > 0);
    let report = session.stop().expect("an answer");
    assert_eq!(report.stopped, StopReason::Asked);
    assert!(report.iterations >= snapshot.iterations);
    assert_eq!(session.stop().err(), Some(SessionError::Idle));
    assert_eq!(session.snapshot(), None);
}

/// A caller that waits for other events too is told of the first snapshot and of the end, and can
/// take the answer then.
#[test]
fn a_notice_tells_of_the_first_snapshot_and_of_the_end() {
    let (sender, notices) = std::sync::mpsc::channel();
    let mut session = session("pgame(branching=3,depth=30)", "rps");
    session.set_notice(std::sync::Arc::new(move || sender.send(()).expect("the receiver is there")));
    session.start(&Budget::unlimited(), Seed(1)).expect("idle");
    let limit = Duration::from_secs(60);
    notices.recv_timeout(limit).expect("a first snapshot");
    assert!(session.is_thinking() && session.snapshot().is_some());
    session.hurry();
    notices.recv_timeout(limit).expect("an end");
    assert!(!session.is_thinking() && session.is_busy());
    session.wait().expect("an answer");
    assert!(notices.try_recv().is_err(), "two notices");
}

/// Stopping a session's search leaves the caller's own flag alone; throwing that one stops the
/// search.
#[test]
fn a_budget_can_be_used_again() {
    let mut session = session("pgame(branching=3,depth=30)", "rps");
    let budget = Budget::unlimited();
    for _ in 0..2 {
        session.start(&budget, Seed(1)).expect("idle");
        std::thread::sleep(Duration::from_millis(30));
        assert!(session.stop().expect("an answer").iterations > 0);
    }
    assert!(!budget.stop.is_stopped());
    session.start(&budget, Seed(1)).expect("idle");
    budget.stop.stop();
    assert_eq!(session.wait().expect("an answer").stopped, StopReason::Asked);
}

#[test]
fn playing_aborts_the_search_and_bad_moves_change_nothing() {
    let mut session = session("mnk(m=5,n=5,k=4)", "rps");
    session.start(&Budget::unlimited(), Seed(1)).expect("idle");
    assert!(matches!(session.play("z9"), Err(SessionError::Move(_))));
    assert!(session.is_thinking());
    assert_eq!(session.play("c3"), Ok("c3"));
    assert!(!session.is_thinking());
    assert_eq!(session.moves(), ["c3"]);
    // The agent is still there for the next search.
    session.start(&Budget::iterations(10), Seed(1)).expect("idle");
    assert_eq!(session.wait().expect("an answer").iterations, 10);
}

#[test]
fn dropping_a_thinking_session_does_not_hang() {
    let mut session = session("pgame(branching=3,depth=30)", "minimax");
    session.start(&Budget::unlimited(), Seed(1)).expect("idle");
}
