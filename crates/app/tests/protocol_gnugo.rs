//! Games of 9×9 Go against GNU Go, with GNU Go as the referee: no error, no illegal move, no score
//! dispute, no time loss.
//!
//! Two games run with every test, ten with `TESUJI_MATCH_GAMES=10`. Skipped loudly without GNU Go.

use std::io::Write;
use std::time::{Duration, Instant};
use tesuji_agents::GtpClient;
use tesuji_core::StopFlag;
use tesuji_testing::skip;

/// Seconds a move.
const SECONDS: f64 = 0.1;

fn gnugo() -> Option<GtpClient> {
    for program in ["gnugo", "/usr/games/gnugo"] {
        let options =
            "--mode gtp --quiet --level 1 --positional-superko --forbid-suicide --chinese-rules --capture-all-dead";
        if let Ok(mut client) = GtpClient::start(&format!("{program} {options}"))
            && client.send("protocol_version").is_ok()
        {
            return Some(client);
        }
    }
    skip("gnugo", "no game is played against it");
    None
}

#[test]
fn games_against_gnu_go_end_without_dispute() {
    let Some(mut theirs) = gnugo() else { return };
    let Some(mut referee) = gnugo() else { return };
    let games: usize = std::env::var("TESUJI_MATCH_GAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(2);
    let command = format!("{} gtp 'go(size=9)'", env!("CARGO_BIN_EXE_tesuji"));
    let mut ours = GtpClient::start(&command).expect("our engine");
    let patience =
        |client: &mut GtpClient, command: &str| client.send_within(command, Duration::from_secs(120), &StopFlag::new());
    let (mut wins, mut late, mut slowest) = (0, 0, Duration::ZERO);
    for game in 0..games {
        for client in [&mut ours, &mut theirs, &mut referee] {
            for command in ["boardsize 9", "komi 7.5", "clear_board"] {
                client.send(command).expect(command);
            }
        }
        ours.send(&format!("time_settings 0 {SECONDS} 1")).expect("a time control");
        let colours = ["black", "white"];
        let our_colour = game % 2;
        let (mut passes, mut moves, mut resigned) = (0, 0, None);
        while passes < 2 && moves < 400 {
            let turn = moves % 2;
            let began = Instant::now();
            let (mover, other) = if turn == our_colour { (&mut ours, &mut theirs) } else { (&mut theirs, &mut ours) };
            let mv = patience(mover, &format!("genmove {}", colours[turn])).expect("a move");
            if turn == our_colour {
                slowest = slowest.max(began.elapsed());
                // A busy machine may keep a process waiting; a clock that is not minded would be
                // late far more often.
                late += usize::from(began.elapsed() > Duration::from_secs_f64(SECONDS * 2.0));
            }
            if mv.eq_ignore_ascii_case("resign") {
                resigned = Some(turn);
                break;
            }
            other.send(&format!("play {} {mv}", colours[turn])).expect("legal for the other side");
            referee.send(&format!("play {} {mv}", colours[turn])).expect("legal for the referee");
            passes = if mv.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
            moves += 1;
        }
        let score = match resigned {
            Some(turn) => format!("{}+Resign", if turn == 0 { "W" } else { "B" }),
            None => {
                assert!(passes == 2, "the game does not end");
                let score = patience(&mut referee, "final_score").expect("a score");
                assert_eq!(
                    ours.send("final_score").expect("our score"),
                    score,
                    "game {game}: a dispute about the score"
                );
                score
            }
        };
        wins += usize::from(score.starts_with(if our_colour == 0 { 'B' } else { 'W' }));
        let _ = writeln!(std::io::stderr(), "game {game}: we are {}, {score}, {moves} moves", colours[our_colour]);
    }
    let _ = writeln!(std::io::stderr(), "won {wins} of {games}, slowest move {slowest:?}, {late} late");
}
