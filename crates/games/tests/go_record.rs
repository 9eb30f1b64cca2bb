//! Go games in SGF: set-up, moves, colours out of turn, and what is refused.

use tesuji_core::{Notation, Player, Position, Rng, Seed};
use tesuji_games::go::{Go, GoMove, GoRules, RecordError};
use tesuji_sgf::Collection;

fn read(text: &str, moves: Option<usize>) -> Result<Go, RecordError> {
    Go::from_sgf(text.as_bytes(), GoRules::default(), moves)
}

fn stone(go: &Go, text: &str) -> Option<Player> {
    let (column, row) = ((text.as_bytes()[0] - b'A') as usize, text[1..].parse::<usize>().expect("a row") - 1);
    go.board().stone_at(go.board().point(column, row).expect("on the board"))
}

#[test]
fn set_up_moves_and_turns() {
    let text = "(;GM[1]FF[4]SZ[9]KM[6.5]AB[aa:ba]AW[ii]PL[W];W[cc];B[dd];B[];W[ee](;B[ff])(;B[gg]))";
    let go = read(text, None).expect("a game");
    assert_eq!((go.size(), go.rules().komi.to_string().as_str(), go.turn()), (9, "6.5", Player::Second));
    for (point, owner) in [("A9", Player::First), ("B9", Player::First), ("C7", Player::Second), ("F4", Player::First)]
    {
        assert_eq!(stone(&go, point), Some(owner), "{point}\n{}", go.view());
    }
    assert_eq!(stone(&go, "G3"), None, "the variation is not the main line");
    let early = read(text, Some(1)).expect("a game");
    assert_eq!((stone(&early, "C7"), stone(&early, "D6"), early.turn()), (Some(Player::Second), None, Player::First));
    // Handicap stones leave the move to White; later set-up may take stones off.
    assert_eq!(read("(;SZ[9]HA[2]AB[cg][gc])", None).expect("a game").turn(), Player::Second);
    // A game taken up again after two passes.
    assert_eq!(read("(;SZ[9];B[];W[];B[ee])", None).expect("a game").board().stones(Player::First), 1);
    let cleared = read("(;SZ[9];B[aa];W[bb];AE[aa])", None).expect("a game");
    assert_eq!(cleared.board().stones(Player::First), 0);
}

#[test]
fn mistakes_are_named() {
    for (text, part) in [
        ("", "byte 0"),
        ("(;GM[1]SZ[9];B[aa]", "byte"),
        ("(;GM[11]SZ[9])", "not a Go game"),
        ("(;SZ[30])", "30"),
        ("(;SZ[9:13])", "square"),
        ("(;SZ[9]KM[0.3])", "komi"),
        ("(;SZ[9];B[zz])", "zz"),
        ("(;SZ[9];B[aa];W[aa])", "move 2, W A9: the point is occupied"),
        ("(;SZ[9]AB[aa]AW[ab][ba])", "liberty"),
        ("(;SZ[9]AB[jj])", "jj"),
        ("(;SZ[9]AB[aa]AW[aa])", "given twice"),
    ] {
        let error = read(text, None).expect_err(text).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
    }
}

/// What we write, we read back, and the game is the same.
#[test]
fn records_round_trip() {
    let mut rng = Rng::new(Seed(3));
    for number in 0..40 {
        let rules = GoRules::on([5, 9, 13, 19][number % 4]);
        let start = Go::new(rules).expect("possible rules");
        let (mut go, mut moves) = (start.clone(), Vec::new());
        while go.outcome().is_none() && moves.len() < 80 {
            let mv = go.random_move(&mut rng).expect("a live game");
            moves.push(mv);
            go.play(mv);
        }
        let text = start.record(&moves).to_string();
        assert_eq!(Go::from_sgf(text.as_bytes(), GoRules::default(), None).expect(&text), go);
        // From the middle on: the position so far becomes the set-up.
        let middle = Go::from_sgf(text.as_bytes(), GoRules::default(), Some(moves.len() / 2)).expect(&text);
        let rest: &[GoMove] = &moves[moves.len() / 2..];
        let record: Collection = middle.record(rest);
        let again = Go::from_sgf(record.to_string().as_bytes(), GoRules::default(), None).expect("a game");
        assert_eq!(again.board().recomputed_hash(), go.board().recomputed_hash());
    }
}
