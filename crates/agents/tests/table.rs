//! What protocols ask of a game of Go: turns, komi, stones, dead stones, scores, records.

use tesuji_agents::records::{self, Step};
use tesuji_agents::{AnyPosition, Session, SessionError, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Player, Seed};

fn spec(text: &str) -> Spec {
    text.parse().expect("a spec")
}

fn board(game: &str, stones: &[(Player, &str)], turn: Player) -> Box<dyn AnyPosition> {
    let start = start_game(&spec(game)).expect("a game").position;
    let stones: Vec<(Player, String)> = stones.iter().map(|(player, point)| (*player, (*point).to_string())).collect();
    start.with_stones(&stones, turn).expect("a position")
}

/// Black's wall on B and D of a 5×5 board, and a white stone in the corner that cannot live.
fn settled(turn: Player) -> Box<dyn AnyPosition> {
    let black = ["B1", "B2", "B3", "B4", "B5", "D1", "D2", "D3", "D4"].map(|point| (Player::First, point));
    let stones: Vec<(Player, &str)> = black.into_iter().chain([(Player::Second, "E5")]).collect();
    board("go(size=5,komi=0.5)", &stones, turn)
}

#[test]
fn dead_stones_are_found_and_taken_off_for_the_score() {
    for turn in Player::BOTH {
        let judgement = settled(turn).judge(Seed(1)).expect("Go");
        assert_eq!(judgement.dead, [vec![], vec!["E5".to_string()]]);
        assert_eq!(judgement.alive[0].len(), 9);
        assert_eq!((judgement.outcome.winner(), judgement.points), (Some(Player::First), 24.5));
        assert_eq!(judgement.ownership.len(), 25);
        // From the top left: A5 is Black's, and so is the corner with the dead stone.
        assert!(judgement.ownership[0] > 0.9 && judgement.ownership[4] > 0.9, "{:?}", judgement.ownership);
    }
    // Territory counts prisoners: 25 points less 9 stones, and one prisoner.
    let position = start_game(&spec("go(size=5,komi=0.5,scoring=territory)")).expect("a game").position;
    let stones: Vec<(Player, String)> = ["B1", "B2", "B3", "B4", "B5", "D1", "D2", "D3", "D4"]
        .map(|point| (Player::First, point.to_string()))
        .into_iter()
        .chain([(Player::Second, "E5".to_string())])
        .collect();
    let position = position.with_stones(&stones, Player::First).expect("a position");
    assert_eq!(position.judge(Seed(1)).expect("Go").points, 16.5);
}

#[test]
fn cleaning_takes_dead_stones_and_then_stops() {
    let mut position = settled(Player::First);
    let mut moves = Vec::new();
    while let Some(mv) = position.cleaning_move(Seed(1)) {
        position.play(&mv).expect("legal");
        moves.push(mv);
        position = position.with_turn(Player::First).expect("Go");
        assert!(moves.len() < 5, "{moves:?}");
    }
    assert_eq!(position.stones().expect("Go")[1], Vec::<String>::new(), "{moves:?}");
    assert_eq!(position.captured_by(Player::First), Some(1));
}

#[test]
fn turns_komi_and_handicaps() {
    let mut position = start_game(&spec("go(size=9)")).expect("a game").position;
    position.play("pass").expect("legal");
    position.play("pass").expect("legal");
    assert!(position.outcome().is_some());
    for player in Player::BOTH {
        let on = position.with_turn(player).expect("Go");
        assert!(on.outcome().is_none() && on.turn() == player);
    }
    assert_eq!(position.with_komi(-3.5).expect("half points").komi(), Some(-3.5));
    assert!(position.with_komi(0.3).is_none());
    assert!(position.with_komi(f64::NAN).is_none());
    let points = position.handicap_points(5).expect("five stones");
    assert_eq!(points, ["C3", "G7", "C7", "G3", "E5"]);
    assert_eq!(position.handicap_points(10), None);
    assert!(position.with_stones(&[(Player::First, "pass".into())], Player::First).is_err());
    let other = start_game(&spec("othello")).expect("a game").position;
    assert!(other.with_turn(Player::First).is_none());
    assert!(other.judge(Seed(1)).is_none());
}

/// Stones set up in any order of colours: turns, hashes, the swap and the end of the game are
/// right.
#[test]
fn hex_is_set_up_stone_by_stone() {
    let mut position = start_game(&spec("hex(size=3)")).expect("a game").position;
    let put = |position: &mut Box<dyn AnyPosition>, player, point: &str| {
        *position = position.with_turn(player).expect("not over");
        position.play(point).expect("legal");
    };
    put(&mut position, Player::Second, "b2");
    assert_eq!(position.turn(), Player::First);
    let white_again = position.with_turn(Player::Second).expect("not over");
    assert!(!white_again.moves().contains(&"swap".to_string()), "there is no black stone to take over");
    put(&mut position, Player::Second, "a2");
    assert!(position.outcome().is_none());
    put(&mut position, Player::First, "a1");
    put(&mut position, Player::Second, "c2");
    assert_eq!(position.outcome().expect("white connects").winner(), Some(Player::Second));
    assert!(position.with_turn(Player::First).is_none());
    // The same stones by another way, in turn: the same position.
    let mut turned = start_game(&spec("hex(size=3)")).expect("a game").position;
    for mv in ["a1", "b2"] {
        turned.play(mv).expect("legal");
    }
    let mut set = start_game(&spec("hex(size=3)")).expect("a game").position;
    put(&mut set, Player::Second, "b2");
    put(&mut set, Player::First, "a1");
    let set = set.with_turn(Player::First).expect("not over");
    assert_eq!((set.hash(), set.moves()), (turned.hash(), turned.moves()));
}

#[test]
fn records_keep_what_was_set_up() {
    let position = settled(Player::Second);
    let steps = [Step::Move(Player::Second, "A1".into()), Step::Move(Player::First, "pass".into())];
    let record = records::write(&spec("go"), position.as_ref(), &steps).expect("a record");
    let load = |most| {
        let read = records::read(&spec("go"), record.as_bytes(), most).expect("a game");
        let mut session = Session::new(&read.game, &spec("random")).expect("a session");
        session.replay(read).expect("legal");
        session.position().boxed_clone()
    };
    let back = load(None);
    assert_eq!(back.komi(), Some(0.5));
    let mut expected = position;
    expected.play("A1").expect("legal");
    expected.play("pass").expect("legal");
    assert_eq!(back.hash(), expected.hash());
    let before = load(Some(1));
    assert_eq!(before.stones().expect("Go")[1], ["A1", "E5"]);
}

/// Steps of both kinds are taken back one by one, and the agent can think after each.
#[test]
fn positions_put_on_the_table_are_steps() {
    let mut session = Session::new(&spec("go(size=5)"), &spec("rps")).expect("a session");
    session.play("C3").expect("legal");
    let black_again = session.position().with_turn(Player::First).expect("Go");
    session.set(black_again).expect("taken");
    session.play("C4").expect("legal");
    session.play("B2").expect("legal");
    assert_eq!((session.steps(), session.moves().join(" ").as_str()), (4, "C4 B2"));
    assert_eq!(session.start_position().stones().expect("Go")[0], ["C3"]);
    for (steps, moves) in [(3, "C4"), (2, ""), (1, "C3"), (0, "")] {
        session.start(&Budget::iterations(5), Seed(1)).expect("idle");
        session.wait().expect("an answer");
        session.undo().expect("a step");
        assert_eq!((session.steps(), session.moves().join(" ").as_str()), (steps, moves));
    }
    assert_eq!(session.undo(), Err(SessionError::NothingToUndo));
    session.restart(&spec("hex(size=3)")).expect("another game");
    assert_eq!((session.game().to_string().as_str(), session.steps()), ("hex(size=3,swap=true)", 0));
    session.change_agent(&spec("oracle")).expect("another agent");
    assert!(matches!(session.change_agent(&spec("nobody")), Err(SessionError::Spec(_))));
    assert!(matches!(session.restart(&spec("nothing")), Err(SessionError::Spec(_))));
    session.start(&Budget::unlimited(), Seed(1)).expect("idle");
    assert!(session.is_busy());
    session.hurry();
    session.wait().expect("an answer");
    assert_eq!(session.agent().to_string(), "oracle(by=score)");
}

/// The score without the stones that the program calls dead is the score of its judgement, whatever
/// is counted; a chain is known by any of its stones.
#[test]
fn dead_stones_are_settled_as_they_are_judged() {
    for scoring in ["area", "territory"] {
        let game = spec(&format!("go(size=5,scoring={scoring})"));
        let mut position = start_game(&game).expect("Go").position;
        for mv in "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E3 A3".split(' ') {
            position.play(mv).expect("legal");
        }
        let judgement = records::judged(position.as_ref()).expect("Go");
        assert_eq!(judgement.dead.concat(), ["E3", "A3"], "{scoring}");
        let settled = |dead: &[String]| position.settle(dead);
        assert_eq!(settled(&judgement.dead.concat()), Some((judgement.outcome, judgement.points)), "{scoring}");
        assert_ne!(settled(&[]).map(|(_, points)| points), Some(judgement.points), "{scoring}");
        assert_eq!(settled(&["A1".to_string()]), None, "no stone");
        assert_eq!(position.chain("c3").map(|chain| chain.len()), Some(5));
        assert_eq!(position.chain("A1").or(position.chain("Z9")), None);
    }
    let other = start_game(&spec("othello")).expect("Othello").position;
    assert_eq!((other.settle(&[]), other.chain("d4")), (None, None));
}
