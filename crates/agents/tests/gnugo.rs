//! GNU Go as an outside judge of our Go rules, over GTP: legality, stones, captures, superko,
//! score.
//!
//! Needs the program `gnugo` (Debian's package of that name).

use std::collections::BTreeSet;
use tesuji_agents::GtpClient;
use tesuji_core::{Notation, Player, Position, Rng, Seed, StopFlag};
use tesuji_games::go::{Go, GoMove, GoRules, KoRule};
use tesuji_testing::{setting, skip};

fn gnugo(options: &str) -> Option<GtpClient> {
    for program in ["gnugo", "/usr/games/gnugo"] {
        if let Ok(mut client) = GtpClient::start(&format!("{program} --mode gtp --quiet {options}"))
            && client.send("protocol_version").is_ok()
        {
            return Some(client);
        }
    }
    skip("gnugo", "it does not judge the rules of Go");
    None
}

fn colour(player: Player) -> &'static str {
    if player == Player::First { "black" } else { "white" }
}

fn stones(go: &Go, player: Player) -> BTreeSet<String> {
    let board = go.board();
    let points = board.points().filter(|point| board.stone_at(*point) == Some(player));
    points.map(|point| go.show_move(GoMove::stone(point))).collect()
}

/// Plays a random game on both boards and compares them.
fn play(client: &mut GtpClient, rules: GoRules, longest: usize, rng: &mut Rng) -> Go {
    let mut go = Go::new(rules).expect("possible rules");
    for command in [format!("boardsize {}", rules.size), format!("komi {}", rules.komi), "clear_board".into()] {
        client.send(&command).expect("a set-up");
    }
    for number in 0..longest {
        if go.outcome().is_some() {
            break;
        }
        let player = go.turn();
        // Legality: a few points each move, all of them now and then, both colours judged by their
        // own turn only.
        let all = number % 16 == 0;
        for point in go.board().points() {
            if (all || rng.below(24) == 0) && go.board().stone_at(point).is_none() {
                let mv = GoMove::stone(point);
                let theirs = client.send(&format!("is_legal {} {}", colour(player), go.show_move(mv)));
                assert_eq!(
                    theirs.expect("an answer") == "1",
                    go.is_legal(mv),
                    "{} {}\n{}",
                    colour(player),
                    go.show_move(mv),
                    go.view()
                );
            }
        }
        // Passing only when there is nothing else, so that games are long and full of captures.
        let placing: Vec<GoMove> = go.moves().into_iter().filter(|mv| *mv != GoMove::PASS).collect();
        let mv = if placing.is_empty() { GoMove::PASS } else { placing[rng.below(placing.len() as u32) as usize] };
        client.send(&format!("play {} {}", colour(player), go.show_move(mv))).expect("a legal move");
        go.play(mv);
        for player in Player::BOTH {
            if number % 4 == 0 {
                let theirs = client.send(&format!("list_stones {}", colour(player))).expect("a list");
                let theirs: BTreeSet<String> = theirs.split_whitespace().map(str::to_string).collect();
                assert_eq!(theirs, stones(&go, player), "{}", go.view());
            }
            let captured: u32 =
                client.send(&format!("captures {}", colour(player))).expect("a count").parse().expect("a number");
            assert_eq!(captured, go.captured_by(player), "{}", go.view());
        }
    }
    go
}

fn games() -> u64 {
    setting("TESUJI_ORACLE_GAMES", 200)
}

#[test]
fn gnu_go_agrees_on_legality_stones_and_captures() {
    for (ko, option) in [(KoRule::Positional, "--positional-superko"), (KoRule::Simple, "--simple-ko")] {
        let Some(mut client) = gnugo(&format!("{option} --forbid-suicide --chinese-rules")) else { return };
        let mut rng = Rng::new(Seed(7));
        for game in 0..games() / 2 {
            let size = [5, 6, 7, 9, 13, 19][game as usize % 6];
            play(&mut client, GoRules { ko, ..GoRules::on(size) }, 3 * size * size, &mut rng);
        }
    }
}

/// Played out without filling eyes, a board has nothing left to argue about.
#[test]
fn gnu_go_agrees_on_the_score_of_finished_games() {
    let Some(mut client) = gnugo("--positional-superko --forbid-suicide --chinese-rules --capture-all-dead") else {
        return;
    };
    let mut rng = Rng::new(Seed(11));
    let mut compared = 0;
    for game in 0..20 {
        let rules = GoRules::on([5, 7, 9, 13][game % 4]);
        let mut go = Go::new(rules).expect("possible rules");
        let mut record = tesuji_core::RecordMoves::default();
        go.clone().playout(&mut rng, &mut record);
        for command in [format!("boardsize {}", rules.size), format!("komi {}", rules.komi), "clear_board".into()] {
            client.send(&command).expect("a set-up");
        }
        let mut legal = true;
        for (player, mv) in record.0 {
            // Playouts know only simple ko.
            if go.outcome().is_some() || !go.is_legal(mv) {
                legal = false;
                break;
            }
            client.send(&format!("play {} {}", colour(player), go.show_move(mv))).expect("a legal move");
            go.play(mv);
        }
        if !legal {
            continue;
        }
        let theirs =
            client.send_within("final_score", std::time::Duration::from_secs(120), &StopFlag::new()).expect("a score");
        let ours = go.score_now();
        let points = f64::from(ours.margin.abs()) / 2.0;
        let ours = format!("{}+{points:.1}", if ours.margin > 0 { 'B' } else { 'W' });
        assert_eq!(theirs, ours, "{}", go.view());
        compared += 1;
    }
    assert!(compared >= 15, "only {compared} games were comparable");
}
