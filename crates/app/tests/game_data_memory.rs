//! What other programs send is kept in bounded memory: games, positions that are set up, questions
//! that wait.
//!
//! The allocator of the tests counts what the thread of a test holds. The bounds are generous:
//! without limits each of these conversations takes hundreds of megabytes.

use tesuji::protocol::{Analysis, Engine, GRACE, Gtp, Setup, Vertices, talk};
use tesuji_core::{Budget, Seed};
use tesuji_testing::memory::{MEGABYTE, peak_of};

fn engine(game: &str) -> Engine {
    let setup = Setup {
        game: game.parse().expect("a game"),
        agent: "random".parse().expect("an agent"),
        limits: Budget::iterations(1),
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted(),
    };
    Engine::new(setup).expect("an engine")
}

/// 2.5 GB for 200,000 commands before there was a limit.
#[test]
fn positions_set_up_over_gtp_are_bounded() {
    let mut gtp = Gtp::new(engine("go(size=19)"), Vertices::Native);
    let mut refused = None;
    let peak = peak_of(|| {
        for command in 0..20_000 {
            let (answer, _) = talk(&mut gtp, if command % 2 == 0 { "gogui-setup b C3" } else { "gogui-setup w D4" });
            if !answer.starts_with('=') {
                refused.get_or_insert((command, answer));
            }
        }
    });
    assert!(peak < 64 * MEGABYTE, "{peak} bytes");
    let (command, answer) = refused.expect("a limit");
    assert!(command >= 1_000 && answer.contains("positions were set up in this game"), "{command}: {answer}");
    // The game goes on, and another has room again.
    for said in ["play b E5", "undo", "clear_board", "gogui-setup b C3"] {
        assert!(talk(&mut gtp, said).0.starts_with('='), "{said}");
    }
}

/// Passes out of turn, up to the most moves of a game: two positions of 13 kB a command before.
#[test]
fn moves_over_gtp_keep_few_positions() {
    let mut gtp = Gtp::new(engine("go(size=19)"), Vertices::Native);
    let peak = peak_of(|| {
        for command in 0..2_500 {
            let said = if command < 2_000 { "play b pass" } else { "undo" };
            assert!(talk(&mut gtp, said).0.starts_with('='), "{command}: {said}");
        }
        assert!(talk(&mut gtp, "printsgf").0.contains(";B[];B[]"));
    });
    assert!(peak < 16 * MEGABYTE, "{peak} bytes");
}

#[test]
fn questions_that_wait_are_bounded() {
    let mut analysis = Analysis::new(engine("go(size=9)"));
    let moves = vec!["\"pass\""; 10_000].join(",");
    let mut refused = None;
    let peak = peak_of(|| {
        for number in 0..1_000 {
            // The last turn of a game that cannot be: it waits behind the first question, which
            // takes its time.
            let said = format!(
                "{{\"id\":\"{number}\",\"moves\":[{moves}],\"priority\":-1,\"agent\":\"mcts\",\
                 \"maxTime\":1000,\"analyzeTurns\":[0]}}"
            );
            let mut answer = String::new();
            tesuji::protocol::Protocol::line(&mut analysis, &said, &mut answer);
            if answer.contains("are waiting already") {
                refused.get_or_insert(number);
            }
        }
    });
    assert!(peak < 160 * MEGABYTE, "{peak} bytes");
    assert!(refused.is_some_and(|number| number > 50), "{refused:?}");
}
