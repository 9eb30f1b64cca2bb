//! Every game goes into an SGF record and comes back.

use tesuji_agents::records::{self, Details, Record, Step};
use tesuji_agents::{Session, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Player, Rng, Seed};
use tesuji_sgf::{Collection, Color, GameType};

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

/// Records had neither result nor players nor date.
#[test]
fn a_record_states_result_players_and_date() {
    let mut rng = Rng::new(Seed(7));
    for game in games() {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts");
        let (mut position, mut steps) = (start.position.boxed_clone(), Vec::new());
        while let (None, 0..300) = (position.outcome(), steps.len()) {
            let mv = position.random_move(&mut rng).expect("not over");
            steps.push(Step::Move(position.turn(), position.play(&mv).expect("legal")));
        }
        let result = records::result(position.as_ref());
        assert_eq!(result.is_some(), position.outcome().is_some(), "{}", game.description.name);
        if let (Some(outcome), true) = (position.outcome(), position.conventions().result_has_margin) {
            let margin = records::WinReason::Score(f64::from(outcome.margin.abs()));
            assert_eq!(result.and_then(records::winner), outcome.winner().map(|winner| (winner, margin)));
        }
        for result in [result, Some(records::resigned(position.turn()))] {
            let players = [Some("one [1]".to_string()), Some("two".to_string())];
            let details = Details { players, result, date: Some("2026-11-16".into()) };
            let record = records::write_with(&start.spec, start.position.as_ref(), &steps, &details).expect("a record");
            let parsed = Collection::parse(record.as_bytes()).expect("SGF");
            let root = parsed.node(parsed.roots()[0]);
            assert_eq!(root.result(), Ok(result), "{record}");
            assert_eq!(root.player_name(Color::Black).as_deref(), Some("one [1]"), "{record}");
            assert_eq!(root.player_name(Color::White).as_deref(), Some("two"), "{record}");
            assert_eq!(root.value("DT").map(|value| value.simple_text()).as_deref(), Some("2026-11-16"));
            let is_go = game.description.name == "go";
            assert_eq!((root.has("KM"), root.has("RU")), (is_go, is_go), "{record}");
            assert_eq!(start.position.read_record(record.as_bytes(), None), Ok(steps.clone()), "{record}");
        }
    }
}

/// The winner is the one of the rules, with the margin where the game counts one.
#[test]
fn results_name_the_winner_and_the_margin() {
    let after = |game: &str, moves: &str| {
        let mut position = start_game(&game.parse().expect("a spec")).expect("starts").position;
        moves.split_whitespace().for_each(|mv| drop(position.play(mv).expect("legal")));
        records::result(position.as_ref()).map(|result| result.to_string())
    };
    assert_eq!(after("tictactoe", "b2 a1 a3 c1 b1"), None);
    assert_eq!(after("tictactoe", "b2 a1 a3 c1 b1 c3 b3").as_deref(), Some("B+"));
    assert_eq!(after("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1 c3").as_deref(), Some("0"));
    assert_eq!(after("go(size=5,komi=7.5)", "C3 pass pass").as_deref(), Some("B+17.5"));
    let (winner, reason) = records::winner(records::resigned(Player::First)).expect("a winner");
    assert_eq!((winner, reason), (Player::Second, records::WinReason::Resignation));
    assert_eq!(records::resigned(Player::Second).to_string(), "B+R");
}
