//! The rules, one by one and against Lin's board.

use super::lin_board::{At, LinBoard, PASS};
use super::{legal, play, problem, start};
use std::collections::BTreeSet;
use tesuji_core::conformance::Kit;
use tesuji_core::{Notation, Player, Position, Rng, Score, Seed};
use tesuji_games::goproblem::{EXAMPLE, Ending, GoProblem, Mode, Move, Place, Problem, ProblemKind, Site, most_plies};

/// White can take the important stone in a ko.
const KO: &str = "kind: save
board:
. . . . .
. X O . .
X + x O .
. X O . .
. . . . .
feasible: C3";

#[test]
fn conformance() {
    let mut rng = Rng::new(Seed(7));
    let mut problems = vec![problem(EXAMPLE), problem(KO)];
    while problems.len() < 30 {
        problems.extend(random_problem(&mut rng));
    }
    for problem in problems.into_iter().chain(super::problems::all().into_iter().map(|(_, problem)| problem).step_by(7))
    {
        let text = problem.to_string();
        let start = GoProblem::new(problem).expect("a problem");
        let kit = Kit { games: 5, samples: 400, sampled_positions: 2, ..Kit::default() };
        kit.check(&start).unwrap_or_else(|violation| panic!("{violation}\n{text}"));
    }
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<GoProblem>() <= 168, "{}", size_of::<GoProblem>());
}

/// Stones, marks and feasible points at random.
fn random_problem(rng: &mut Rng) -> Option<Problem> {
    let size = 2 + rng.below(5) as u8;
    let mode = if rng.below(2) == 0 { Mode::Save } else { Mode::Kill };
    let mut problem = Problem::new(size, mode);
    let empty = 2 + rng.below(6);
    let open = 1 + rng.below(4);
    for place in problem.places() {
        let stone = match rng.below(4 + empty) {
            0 | 1 => Some(Player::First),
            2 | 3 => Some(Player::Second),
            _ => None,
        };
        let important = stone == Some(mode.defender()) && rng.below(3) == 0;
        let alive = stone.is_some() && rng.below(6) == 0;
        *problem.site_mut(place) = Site { stone, feasible: rng.below(4) < open, important, alive };
    }
    if rng.below(2) == 0 {
        problem.sites.iter_mut().for_each(|site| site.alive = false);
    }
    problem.kind = problem.likely_kind();
    problem.check().is_ok().then_some(problem)
}

fn at(place: Option<Place>) -> At {
    place.map_or(PASS, |place| (usize::from(place.row) + 1, usize::from(place.column) + 1))
}

/// Compares everything, and plays one random game to the end. Answers the state in which Lin's
/// board ended.
fn agree(problem: &Problem, rng: &mut Rng) -> Option<(&'static str, i32)> {
    let mut fast = GoProblem::new(problem.clone()).expect("a problem");
    let mut slow = LinBoard::new(problem);
    let most = most_plies(problem.sites.iter().filter(|site| site.feasible).count() as u32);
    loop {
        let context = || format!("{problem}\n{}", fast.view());
        for place in problem.places() {
            assert_eq!(fast.stone(place), slow.stone(place), "{}", context());
            assert_eq!((fast.is_important(place), fast.is_marked_alive(place)), slow.marks(place), "{}", context());
        }
        assert_eq!(fast.turn(), slow.turn());
        assert_eq!(fast.ko_winner(), slow.ko_winner());
        let score = fast.outcome().map(|outcome| outcome.score);
        if fast.ending() == Some(Ending::Endless) {
            assert_eq!((slow.score(), fast.plies()), (None, most), "{}", context());
            return None;
        }
        assert_eq!(score, slow.score().map(|score| Score::from_f64(score).expect("in range")), "{}", context());
        if score.is_some() {
            return slow.state();
        }
        let moves: BTreeSet<At> = fast.moves().into_iter().map(|mv| at(fast.place_of(mv))).collect();
        assert_eq!(moves, slow.moves().into_iter().collect(), "{}", context());
        let mv = fast.random_move(rng).expect("a live game has a move");
        let (row, column) = at(fast.place_of(mv));
        slow.place_stone(row, column);
        fast.play(mv);
    }
}

#[test]
fn agrees_with_lins_board_over_random_games() {
    let mut rng = Rng::new(Seed(11));
    let mut reached = BTreeSet::new();
    let mut games = 0;
    for (_, problem) in super::problems::all() {
        // Large boards are slow on Lin's board.
        for _ in 0..if problem.size > 9 { 2 } else { 10 } {
            reached.extend(agree(&problem, &mut rng).map(|state| (problem.mode.name(), state)));
            games += 1;
        }
    }
    while games < 4_000 {
        let Some(problem) = random_problem(&mut rng) else { continue };
        reached.extend(agree(&problem, &mut rng).map(|state| (problem.mode.name(), state)));
        games += 1;
    }
    // Every cell of the table has been reached by play, and both ways of winning by passes.
    assert_eq!(reached.len(), 2 * 9 + 2, "{reached:?}");
}

/// Lin 2017, Tables 3.3.2 and 3.3.3, as printed.
#[test]
fn the_score_table_cell_by_cell() {
    let ko = [Some(Player::First), None, Some(Player::Second)];
    for (mode, rows) in [
        (
            Mode::Save,
            [(Ending::Alive, [0.5, 1.0, 1.0]), (Ending::Seki, [0.3, 0.7, 0.85]), (Ending::Dead, [0.0, 0.0, 0.5])],
        ),
        (
            Mode::Kill,
            [(Ending::Alive, [0.0, 0.0, 0.5]), (Ending::Seki, [0.15, 0.3, 0.7]), (Ending::Dead, [0.5, 1.0, 1.0])],
        ),
    ] {
        for (ending, scores) in rows {
            for (winner, score) in ko.into_iter().zip(scores) {
                assert_eq!(
                    ending.score(mode, winner),
                    Score::from_f64(score).expect("in range"),
                    "{mode:?} {ending:?}"
                );
            }
        }
        assert_eq!(Ending::Passes(Player::First).score(mode, Some(Player::First)), Score::WIN);
        assert_eq!(Ending::Passes(Player::Second).score(mode, None), Score::LOSS, "not −1");
        assert_eq!(Ending::Endless.score(mode, None), Ending::Seki.score(mode, None));
    }
}

#[test]
fn ko_rules() {
    // Two black stones are to be captured; the ko at C4/D4 is beside them.
    let text = "kind: save
board:
. . . . . .
. . X O . .
+ X + X O .
. . X O . .
. . . . . .
+ + + + + x
feasible: D4";
    let mut position = start(text);
    play(&mut position, "A1");
    assert_eq!(position.ko_place(), None);
    play(&mut position, "C4");
    assert_eq!(position.ko_place().map(|place| place.show(6)), Some("D4".into()));
    assert_eq!(position.stone(Place::read("D4", 6).expect("a point")), None);
    // Black retakes at once: legal, and Black is the ko winner now.
    play(&mut position, "D4");
    assert_eq!((position.ko_winner(), position.ko_left()), (Some(Player::First), 4));
    assert_eq!(position.ko_place().map(|place| place.show(6)), Some("C4".into()));
    let error = position.read_move("C4").expect_err("the winner has it").to_string();
    assert!(error.contains("may not retake the ko"), "{error}");
    // After a move elsewhere White takes again, which takes nothing back; Black may, as the winner.
    play(&mut position, "E1 A4 C4");
    assert_eq!((position.ko_winner(), position.ko_left()), (Some(Player::First), 4));
    play(&mut position, "D4");
    assert_eq!((position.ko_winner(), position.ko_left()), (Some(Player::First), 3));
    assert!(position.read_move("C4").is_err());
}

#[test]
fn a_ko_is_taken_back_five_times_in_all() {
    let text = "kind: save
board:
. . . . . . .
. . X O . . .
. X + X O . .
. . X O . . .
. . . . . . .
+ + + + + + .
+ + + + + + x
feasible: D5";
    let mut position = start(text);
    play(&mut position, "A1");
    let others = [("B1", "C1"), ("D1", "E1"), ("A2", "B2"), ("C2", "D2"), ("E2", "F2")];
    for (left, (white, black)) in (0..5).rev().zip(others) {
        // White takes, Black takes back; then both play elsewhere.
        play(&mut position, "C5 D5");
        assert_eq!((position.ko_winner(), position.ko_left()), (Some(Player::First), left));
        play(&mut position, white);
        play(&mut position, black);
    }
    play(&mut position, "C5");
    let error = position.read_move("D5").expect_err("five times in all").to_string();
    assert!(error.contains("may not retake the ko"), "{error}");
}

#[test]
fn passing_is_for_those_without_a_good_move() {
    // C1 is open, so neither side may pass.
    let position = start("board:\n. . . .\n. . . .\nx x . .\n+ + + O\n");
    assert_eq!(legal(&position), "A1 B1 C1");
    let error = position.read_move("pass").expect_err("there are moves").to_string();
    assert!(error.contains("passing is legal only"), "{error}");
    // Only the last two liberties of one's own are left: each leaves one liberty. One may pass, or
    // not.
    let position = start("board:\n. . O O .\n. . O x O\n. O O + O\n. O X + O\n. O O O O\nimportant: C2");
    assert_eq!(legal(&position), "D3 D2 pass");
    // A true eye is not filled, and does not keep one from passing.
    let position = start("board:\nX X X O .\nx + X O .\nX X + O .\nO O O O .\n. . . . .\n");
    assert_eq!(legal(&position), "C3 pass");
}

/// White's three stones and the black chain share two liberties, and have no others: the side that
/// plays there dies.
const SEKI: &str = "kind: save
board:
. . . . . .
. . . . . .
. . . . . .
O O O O O O
x x x x x x
+ O O O + x
";

#[test]
fn three_passes_in_a_row_are_seki() {
    let mut position = start(SEKI);
    assert_eq!(legal(&position), "A1 E1 pass");
    play(&mut position, "pass pass");
    assert_eq!((position.passes_in_a_row(), position.pass_balance(), position.ending()), (2, 0, None));
    play(&mut position, "pass");
    assert_eq!(position.ending(), Some(Ending::Seki));
    assert_eq!(position.outcome().map(|outcome| outcome.score), Score::from_f64(0.7));
    assert!(position.moves().is_empty());
    let error = position.read_move("pass").expect_err("ended").to_string();
    assert!(error.contains("has ended"), "{error}");
    // A stone between passes restarts the count.
    let mut position = start(SEKI);
    play(&mut position, "pass pass A1");
    assert_eq!((position.passes_in_a_row(), position.ending()), (0, None));
    play(&mut position, "E1");
    assert_eq!(position.ending(), Some(Ending::Dead));
}

#[test]
fn four_passes_more_than_the_other_win() {
    let board = |stone: char, other: char| {
        let text = format!(
            "kind: save
board:
x . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . {other} . . . .
. . . . . . . . .
. . . . . . . . .
. X . X . X . X .
X + X + X + X + X
"
        );
        text.replace("X", &stone.to_string())
    };
    // The points are no true eyes of White's; Black cannot play there and passes.
    let mut position = start(&board('O', 'X'));
    assert_eq!(legal(&position), "pass");
    for white in ["B1", "D1", "F1"] {
        play(&mut position, "pass");
        assert_eq!(position.ending(), None);
        play(&mut position, white);
    }
    play(&mut position, "pass");
    assert_eq!(position.pass_balance(), 4);
    assert_eq!(position.ending(), Some(Ending::Passes(Player::First)));
    assert_eq!(position.outcome().map(|outcome| outcome.score), Some(Score::WIN));
    // The same for White, whose win scores 0.
    let mut position = start(&board('X', 'O'));
    play(&mut position, "B1 pass D1 pass F1 pass H1 pass");
    assert_eq!(position.ending(), Some(Ending::Passes(Player::Second)));
    assert_eq!(position.outcome().map(|outcome| outcome.score), Some(Score::LOSS));
}

#[test]
fn the_alive_test_on_classical_shapes() {
    for (name, board, lives) in [
        ("two eyes", "x x x x x\nx . x . x\nx x x x x\nO O O O O\n. . . . .", true),
        ("two eyes in the corner", ". x . x O\nx x x x O\nO O O O O\n. . . . .\n. . . . .", true),
        ("a false eye", ". x O . .\nx O O . .\n. x O . .\nx x O . .\nO O O . .", false),
        ("one eye", ". x O . .\nx x O . .\nO O O . .\n. . . . .\n. . . . .", false),
        ("a big eye is not two eyes yet", ". . . x O\nx x x x O\nO O O O O\n. . . . .\n. . . . .", false),
        ("an eye and a big eye", ". x . . x\nx x x x x\nO O O O O\n. . . . .\n. . . . .", false),
        ("two chains that share both eyes", "x . x O .\n. x x O .\nx x O O .\nO O O . .\n. . . . .", true),
        ("two false eyes that hold each other", "x x x x x\nx . O . x\nx O O O x\nx O . O x\nx x x x x", false),
        ("seki", ". . . . .\n. . . . .\nO O O O O\nx x x x x\n. O O . x", false),
    ] {
        let board = format!("board:\n{board}\nfeasible: A1");
        let position = start(&board);
        assert_eq!(position.ending() == Some(Ending::Alive), lives, "{name}\n{board}");
        assert_eq!(LinBoard::new(&problem(&board)).score().is_some(), lives, "{name}");
    }
}

#[test]
fn connecting_to_the_living_makes_alive() {
    let mut position = start(
        "kind: connect
board:
. . . . .
. O O O .
O x + B O
. O + O .
. . + . .
",
    );
    assert_eq!(position.problem().kind, ProblemKind::Connect);
    assert_eq!(position.ending(), None);
    play(&mut position, "C3");
    assert_eq!(position.ending(), Some(Ending::Alive));
    let b3 = Place::read("B3", 5).expect("a point");
    assert!(position.is_marked_alive(b3) && !position.is_important(b3));
    assert_eq!(position.outcome().map(|outcome| outcome.score), Some(Score::WIN));
}

#[test]
fn endless_play_ends_as_seki() {
    assert_eq!(most_plies(10), 50);
    // Three kos: neither side retakes at once, so none of them has a winner.
    let mut position = start(
        "kind: save
board:
. X O . . . . . . . .
X O + O . . . . . . .
. X O . . . . . . . .
. . . . . . . . . . .
. X O . . . . . . . .
X + X O . . . . . . .
. X O . . . . . . . .
. . . . . . . . . . .
. X O . . . . . . . .
X O + O . . . . . . .
. X O . . . . . . . x
feasible: B10 C6 B2",
    );
    for mv in ["C10", "B6", "C2", "B10", "C6", "B2"].into_iter().cycle().take(most_plies(6) as usize) {
        assert_eq!((position.ending(), position.ko_winner()), (None, None));
        play(&mut position, mv);
    }
    assert_eq!(position.ending(), Some(Ending::Endless));
    assert_eq!(position.outcome().map(|outcome| outcome.score), Score::from_f64(0.7));
}

#[test]
fn moves_are_read_as_players_write_them() {
    let position = start(EXAMPLE);
    assert_eq!(legal(&position), "A3 A2 A1");
    assert_eq!(position.read_move("a2"), position.read_move("A2"));
    for (text, part) in [
        ("I1", "there is no I"),
        ("A0", "cannot read"),
        ("A26", "cannot read"),
        ("F1", "from A1 to E5"),
        ("", "cannot read"),
        ("ä1", "cannot read"),
        ("E5", "not feasible"),
        ("B1", "not feasible"),
        ("pass", "passing is legal only"),
    ] {
        let error = position.read_move(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert_eq!(position.show_move(Move::PASS), "pass");
}
