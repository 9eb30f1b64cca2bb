//! Moves in the protocols of other people's engines: every legal move of every game is written and
//! read back, in each protocol that plays the game.

use tesuji_agents::{AnyPosition, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{EngineProtocol, Rng, Seed};

fn start(game: &str) -> Box<dyn AnyPosition> {
    start_game(&game.parse().expect("a spec")).expect("a game").position
}

#[test]
fn every_move_is_read_back() {
    let mut rng = Rng::new(Seed(5));
    let mut protocols = Vec::new();
    for game in games() {
        for &protocol in game.conventions.engines {
            protocols.push(protocol);
            let mut position = start_game(&Spec::bare(game.description.name)).expect("starts").position;
            for _ in 0..40 {
                for mv in position.moves() {
                    let written = position.show_for(protocol, &mv).expect("a legal move");
                    assert!(!written.contains(' '), "{written}");
                    assert_eq!(position.read_from(protocol, &written), Ok(mv), "{protocol:?} {written}");
                }
                let Some(mv) = position.random_move(&mut rng) else { break };
                position.play(&mv).expect("legal");
            }
        }
    }
    assert!(EngineProtocol::ALL.iter().all(|protocol| protocols.contains(protocol)), "{protocols:?}");
}

#[test]
fn protocols_write_moves_in_their_own_way() {
    for (game, moves, protocol, mv, written) in [
        ("hex(size=5)", &["b2"][..], EngineProtocol::Gtp, "swap", "swap-pieces"),
        ("hex(size=5)", &[], EngineProtocol::Gtp, "a1", "a1"),
        ("go(size=9)", &[], EngineProtocol::Gtp, "pass", "pass"),
        ("xiangqi", &[], EngineProtocol::Uci, "h2e2", "h3e3"),
        ("xiangqi(ranks=one)", &[], EngineProtocol::Uci, "h3e3", "h3e3"),
        ("xiangqi(ranks=one)", &[], EngineProtocol::Ucci, "h3e3", "h2e2"),
        ("gomoku", &[], EngineProtocol::Gomocup, "a15", "0,0"),
        ("gomoku", &[], EngineProtocol::Uci, "h8", "P@h8"),
        ("othello", &[], EngineProtocol::NBoard, "f5", "F5"),
    ] {
        let mut position = start(game);
        for mv in moves {
            position.play(mv).expect("legal");
        }
        assert_eq!(position.show_for(protocol, mv).as_deref(), Ok(written), "{game}");
        assert_eq!(position.read_from(protocol, written).as_deref(), Ok(mv), "{game}");
    }
    // White can turn nothing over and must pass; Black could play c1.
    let position = start("othello(size=4,position=\"XO.............. O\")");
    assert_eq!(position.show_for(EngineProtocol::NBoard, "pass").as_deref(), Ok("PA"));
    assert_eq!(position.read_from(EngineProtocol::NBoard, "pa").as_deref(), Ok("pass"));
    assert_eq!(start("tictactoe").read_from(EngineProtocol::Uci, "b2").as_deref(), Ok("b2"), "without the piece");
    for (game, protocol, wrong) in [
        ("gomoku", EngineProtocol::Gomocup, "15,0"),
        ("gomoku", EngineProtocol::Gomocup, "99999999999999999999,0"),
        ("gomoku", EngineProtocol::Gomocup, "7;7"),
        ("gomoku", EngineProtocol::Uci, "PP@h8"),
        ("xiangqi", EngineProtocol::Uci, "h0e0"),
        ("hex(size=5)", EngineProtocol::Gtp, "swap-pieces"),
    ] {
        assert!(start(game).read_from(protocol, wrong).is_err(), "{wrong}");
    }
}

/// A game that begins as usual need not be told; one that does not is told by its stones, or not.
#[test]
fn usual_starts_are_known() {
    for game in ["go", "hex", "othello", "othello(size=6)", "gomoku", "xiangqi", "tictactoe"] {
        let mut position = start(game);
        assert!(position.is_usual_start(), "{game}");
        let mv = position.moves().remove(0);
        position.play(&mv).expect("legal");
        assert!(!position.is_usual_start(), "{game}");
    }
    for game in ["go(handicap=2)", "othello(random_plies=2)", "xiangqi(handicap=rook)"] {
        assert!(!start(game).is_usual_start(), "{game}");
    }
}
