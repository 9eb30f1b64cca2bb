//! Every game goes into an SGF record and comes back.

use tesuji_agents::records::{self, Record, Step};
use tesuji_agents::{Session, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Player, Rng, Seed};
use tesuji_sgf::{Collection, GameType};

#[test]
fn every_game_survives_its_record() {
    let mut rng = Rng::new(Seed(5));
    for game in games() {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts").position;
        for _ in 0..5 {
            let (mut position, mut moves) = (start.boxed_clone(), Vec::new());
            while position.outcome().is_none() && moves.len() < 60 {
                let legal = position.moves();
                let text = &legal[rng.below(legal.len() as u32) as usize];
                moves.push(Step::Move(position.turn(), position.play(text).expect("legal")));
            }
            let record = start.write_record(game.description.name, &moves).expect("a record");
            let back = start.read_record(record.as_bytes(), None);
            assert_eq!(back, Ok(moves), "{}: {record}", game.description.name);
        }
    }
}

#[test]
fn records_look_as_others_expect() {
    let record = |game: &str, moves: &[&str]| {
        let start = start_game(&game.parse().expect("a spec")).expect("starts").position;
        let mut at = start.boxed_clone();
        let moves = moves.iter().map(|mv| Step::Move(at.turn(), at.play(mv).expect("legal")));
        start.write_record(game, &moves.collect::<Vec<_>>()).expect("a record")
    };
    for (game, moves, expected, number) in [
        ("go(size=9)", &["D4", "pass"][..], ";B[df];W[]", GameType::Go),
        ("gomoku", &["h8", "a15"], ";B[hh];W[aa]", GameType::Gomoku),
        ("hex", &["d2", "swap", "f6"], ";B[d2];W[swap-pieces];B[f6]", GameType::Hex),
        ("othello", &["f5", "d6"], ";B[fe];W[df]", GameType::Othello),
        ("xiangqi", &["h2e2", "h9g7"], ";B[h2e2];W[h9g7]", GameType::ChineseChess),
    ] {
        let text = record(game, moves);
        let found: String = text.split_whitespace().collect();
        assert!(found.contains(expected), "{game}: {text}");
        let parsed = Collection::parse(text.as_bytes()).expect("SGF");
        assert_eq!(parsed.node(parsed.roots()[0]).game_type(), Ok(number), "{game}");
    }
    // Two stones a turn: two nodes of one colour.
    let found: String = record("connect6", &["JJ", "AA", "BB"]).split_whitespace().collect();
    assert!(found.contains(";B[jj];W[as];W[br]"), "{found}");
}

#[test]
fn records_of_other_games_and_illegal_moves_are_refused() {
    let start = |game: &str| start_game(&game.parse().expect("a spec")).expect("starts").position;
    for (game, record, part) in [
        ("hex", "(;GM[1];B[aa])", "another game: GM is 1, expected 11"),
        ("gomoku", "(;GM[4]SZ[19];B[aa])", "board size 19, this game has 15"),
        ("gomoku", "(;GM[4];B[aa];W[aa])", "move 2"),
        ("gomoku", "(;GM[4];W[aa])", "first player's turn"),
        ("gomoku", "(;GM[4]AB[aa])", "sets up stones"),
        ("othello", "(;GM[2];B[])", "move 1"),
        ("hex", "(;GM[11];B[zz99])", "move 1"),
        ("xiangqi", "(;GM[7];B[a0a9])", "move 1"),
        ("othello", "(;GM[2]", "byte"),
    ] {
        let error = start(game).read_record(record.as_bytes(), None).expect_err(record);
        assert!(error.contains(part) && !error.contains('\n'), "{record}: {error}");
    }
    // Hex records written with letters only are understood as well.
    let read = start("hex").read_record(b"(;GM[11]SZ[11];B[ff])", None);
    assert_eq!(read, Ok(vec![Step::Move(Player::First, "f6".to_string())]));
}

/// What a protocol or a file did to the board, as one word a step.
fn words(steps: &[Step]) -> String {
    let word = |step: &Step| match step {
        Step::Move(player, mv) => format!("{player}:{mv}"),
        Step::Set(_) => "set".to_string(),
    };
    steps.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Two moves of one colour are moves, not stones set up; nothing of the game is lost, neither
/// passes nor set-ups between moves. What a game that was read leads to: the hash of the position,
/// and whose turn it is.
fn end_of(record: Record) -> (u64, Player) {
    let mut session = Session::new(&record.game, &Spec::bare("random")).expect("a session");
    session.replay(record).expect("legal");
    (session.position().hash().0, session.position().turn())
}

#[test]
fn colours_out_of_turn_stay_moves() {
    let spec: Spec = "go(size=9)".parse().expect("a spec");
    for (record, expected) in [
        ("(;GM[1]SZ[5]KM[3.5];B[aa];B[bb];W[];B[])", "first:A5 first:B4 second:pass first:pass"),
        ("(;GM[1]SZ[5]AB[aa][ee];W[bb])", "set second:B4"),
        ("(;GM[1]SZ[5];B[aa];W[bb];AW[cc]AE[aa]PL[W];W[dd])", "first:A5 second:B4 set second:D2"),
        ("(;GM[1]SZ[5];B[];W[];B[cc])", "first:pass second:pass first:C3"),
    ] {
        let read = records::read(&spec, record.as_bytes(), None).expect(record);
        assert_eq!(words(&read.steps), expected, "{record}");
        let written = records::write(&read.game, read.start.as_ref(), &read.steps).expect(record);
        let again = records::read(&spec, written.as_bytes(), None).expect(&written);
        assert_eq!((words(&again.steps), again.game.to_string()), (expected.to_string(), read.game.to_string()));
        assert_eq!(end_of(again), end_of(read), "{written}");
    }
    let read = records::read(&spec, b"(;GM[1]SZ[5]KM[3.5];B[aa];B[bb];B[aa])", Some(2)).expect("only two moves");
    assert_eq!(words(&read.steps), "first:A5 first:B4");
    assert_eq!(read.start.komi(), Some(3.5));
    // Hex too; other games refuse.
    let hex: Spec = "hex(size=5)".parse().expect("a spec");
    let read = records::read(&hex, b"(;GM[11]SZ[5];B[c3];B[d3];W[a1])", None).expect("either colour");
    let written = records::write(&read.game, read.start.as_ref(), &read.steps).expect("a record");
    assert_eq!(words(&records::read(&hex, written.as_bytes(), None).expect(&written).steps), words(&read.steps));
}

/// A problem's record is a record of Go that holds the problem, and the moves after it.
#[test]
fn problems_are_recorded_with_their_stones() {
    let spec = Spec::bare("goproblem");
    let start = start_game(&spec).expect("starts");
    let moves = [Step::Move(Player::First, "A2".into()), Step::Move(Player::Second, "A3".into())];
    let record = records::write(&start.spec, start.position.as_ref(), &moves).expect("a record");
    let flat: String = record.split_whitespace().collect();
    assert!(
        flat.contains("GM[1]") && flat.contains("AB[") && flat.contains("TR[") && flat.contains(";B[ad];W[ac]"),
        "{record}"
    );
    let read = records::read(&spec, record.as_bytes(), None).expect(&record);
    assert_eq!(words(&read.steps), "first:A2 second:A3");
    // A record of another problem is that problem.
    let other = "(;GM[1]SZ[3]AB[aa][ba][ab]AW[ac][bc]TR[ab]CR[bb];B[bb])";
    let read = records::read(&spec, other.as_bytes(), None).expect("another problem");
    assert_eq!((words(&read.steps).as_str(), read.start.view().rows.len()), ("first:B2", 3));
    assert!(records::read(&spec, b"(;GM[1]SZ[3]AB[aa];B[bb])", None).is_err(), "nothing to save or kill");
    let from_record = format!("goproblem(text={record:?})").parse().expect("a spec");
    let again = start_game(&from_record).expect("the problem itself").position;
    assert_eq!(again.view(), start.position.view());
}
