//! Positions of any game as one type keep every law of a position, and what their games know.

use tesuji_agents::{Opaque, start_game};
use tesuji_core::conformance::Kit;
use tesuji_core::spec::{Spec, resolve};
use tesuji_core::{Game, Player, Position, Rng, Seed, Studied};
use tesuji_games::go::Go;
use tesuji_games::gomoku::Gomoku;
use tesuji_games::hex::Hex;
use tesuji_games::othello::Othello;
use tesuji_games::tictactoe::TicTacToe;
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::oracle::Oracle;

fn start(game: &str) -> Opaque {
    start_game(&game.parse().expect("a spec")).expect("starts").position.into()
}

#[test]
fn opaque_positions_keep_the_laws() {
    let kit = Kit { games: 5, samples: 400, sampled_positions: 2, ..Kit::default() };
    for game in ["tictactoe", "hex(size=4)", "othello(size=4)", "connect6(size=7)", "trap"] {
        let summary = kit.check(&start(game)).unwrap_or_else(|violation| panic!("{game}: {violation}"));
        assert_eq!(summary.games, 5, "{game}");
    }
}

/// An opaque position knows what the game's own position knows, all along a game.
fn agrees<G: Game>() {
    let name = G::DESCRIPTION.name;
    let (_, arguments) = resolve(&Spec::bare(name), "game", &[G::DESCRIPTION]).expect("defaults");
    let mut own = G::start(&arguments).expect("starts");
    let mut opaque = start(name);
    let mut rng = Rng::new(Seed(1));
    for _ in 0..12 {
        let evaluated = opaque.evaluation().map(|evaluation| (evaluation.evaluate(&opaque), evaluation.scale()));
        let judged = own.evaluation().map(|evaluation| (evaluation.evaluate(&own), evaluation.scale()));
        assert_eq!(evaluated, judged, "{name}");
        let actions = opaque.moves();
        let moves: Vec<_> = actions.iter().filter_map(|action| own.move_at(*action)).collect();
        let (mut weights, mut expected) = (Vec::new(), Vec::new());
        if let Some(preference) = opaque.preference() {
            preference.weigh(&opaque, &actions, &mut weights);
        }
        if let Some(preference) = own.preference() {
            preference.weigh(&own, &moves, &mut expected);
        }
        assert_eq!(weights, expected, "{name}");
        assert_eq!(opaque.winning_move(), own.winning_move().map(|mv| own.move_index(mv)), "{name}");
        let mv = own.random_move(&mut rng).expect("live");
        assert_eq!(opaque.is_pass(own.move_index(mv)), own.is_pass(mv), "{name}");
        opaque.play(own.move_index(mv));
        own.play(mv);
        assert_eq!((opaque.hash(), opaque.turn()), (own.hash(), own.turn()), "{name}");
    }
}

#[test]
fn an_opaque_position_knows_what_its_game_knows() {
    agrees::<Gomoku>();
    agrees::<Hex>();
    agrees::<Othello>();
    agrees::<Xiangqi>();
    agrees::<Go>();
}

#[test]
fn a_search_finds_the_same() {
    let theirs = Oracle::default().truth(&start("tictactoe")).expect("small");
    let ours = Oracle::default().truth(&TicTacToe::new()).expect("small");
    assert_eq!((theirs.outcome, theirs.distance), (ours.outcome, ours.distance));
    let won = Oracle::default().truth(&start("hex(size=3,swap=false)")).expect("small");
    assert_eq!(won.outcome.winner(), Some(Player::First));
}
