//! What games know beyond their rules: evaluations and preferences, by symmetry, by composed
//! positions, and by what they are good for.

use tesuji_core::{Notation, Outcome, Player, Position, RecordMoves, Rng, Seed, Studied};
use tesuji_games::connect6::Connect6;
use tesuji_games::go::{Go, GoRules, Komi};
use tesuji_games::gomoku::{Gomoku, Point, Rule};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::xiangqi::Xiangqi;

fn gomoku(size: usize, rule: Rule) -> Gomoku {
    Gomoku::new(size, rule).expect("a board")
}

/// Plays a game by the game's own decisive playout; all positions of it and the result.
fn random_game<P: Studied>(start: &P, rng: &mut Rng) -> (Vec<P>, Outcome) {
    let mut record = RecordMoves::default();
    let outcome = start.clone().decisive_playout(rng, &mut record);
    let mut positions = vec![start.clone()];
    for (_, mv) in record.0 {
        let mut next = positions[positions.len() - 1].clone();
        next.play(mv);
        positions.push(next);
    }
    (positions, outcome)
}

/// The correlation of the evaluation, as an expectation, half-way through random games with how
/// they end.
fn foresight<P: Studied>(start: &P, games: u32) -> f64 {
    let evaluation = start.evaluation().expect("an evaluation");
    let mut rng = Rng::new(Seed(31));
    let (mut judged, mut came) = (Vec::new(), Vec::new());
    for _ in 0..games {
        let (positions, outcome) = random_game(start, &mut rng);
        judged.push(evaluation.expectation(&positions[positions.len() / 2]));
        came.push(outcome.score.to_f64());
    }
    let count = f64::from(games);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let (judged_mean, came_mean) = (mean(&judged), mean(&came));
    let moment =
        |one: &[f64], two: &[f64], (m, n): (f64, f64)| one.iter().zip(two).map(|(a, b)| (a - m) * (b - n)).sum::<f64>();
    let together = moment(&judged, &came, (judged_mean, came_mean));
    let spread = moment(&judged, &judged, (judged_mean, judged_mean)) * moment(&came, &came, (came_mean, came_mean));
    together / spread.sqrt()
}

/// By more than three standard errors of a correlation that is nothing.
#[test]
fn evaluations_foresee_how_random_games_end() {
    let games = 2_000;
    let least = 3.0 / f64::from(games).sqrt();
    let seen = [
        ("gomoku", foresight(&gomoku(15, Rule::Freestyle), games)),
        ("renju", foresight(&gomoku(15, Rule::Renju), games)),
        ("connect6", foresight(&Connect6::new(19).expect("a board"), games)),
        ("othello 8", foresight(&Othello::new(8, Empties::None).expect("a board"), games)),
        ("othello 6", foresight(&Othello::new(6, Empties::None).expect("a board"), games)),
        ("hex 11", foresight(&Hex::new(11, SwapRule::Off).expect("a board"), games)),
        ("hex 6", foresight(&Hex::new(6, SwapRule::Off).expect("a board"), games)),
        ("go 9", foresight(&Go::new(GoRules::on(9)).expect("a board"), games)),
        ("go 13", foresight(&Go::new(GoRules::on(13)).expect("a board"), games)),
    ];
    assert!(seen.iter().all(|(_, correlation)| *correlation > least), "{seen:.2?}, at least {least:.2}");
}

/// Most random games of Chinese chess are drawn, and long, so a few are judged by who is ahead
/// where a player wins.
#[test]
fn xiangqi_foresees_how_random_games_end() {
    let evaluation = Xiangqi::new().evaluation().expect("an evaluation");
    let mut rng = Rng::new(Seed(8));
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..300 {
        let mut record = RecordMoves::default();
        let outcome = Xiangqi::new().playout(&mut rng, &mut record);
        let Some(winner) = outcome.winner() else { continue };
        let mut position = Xiangqi::new();
        record.0[..record.0.len() * 3 / 4].iter().for_each(|(_, mv)| position.play(*mv));
        let value = evaluation.evaluate(&position);
        let ahead = if value > 0 { Player::First } else { Player::Second };
        *if ahead == winner { &mut right } else { &mut wrong } += u32::from(value != 0);
    }
    assert!(right + wrong > 50 && right > 2 * wrong, "{right} right, {wrong} wrong");
}

#[test]
fn exchanging_the_colours_changes_the_sign() {
    let mut rng = Rng::new(Seed(5));
    for rule in [Rule::Freestyle, Rule::Standard] {
        let evaluation = gomoku(15, rule).evaluation().expect("an evaluation");
        for _ in 0..10 {
            let (positions, _) = random_game(&gomoku(15, rule), &mut rng);
            for position in positions.iter().filter(|position| position.outcome().is_none()) {
                let points = (0..15).flat_map(|row| (0..15).map(move |column| Point::new(column, row)));
                let stones = points.filter_map(|point| {
                    let mirrored = Point::new(14 - point.column() as u8, point.row() as u8);
                    Some((mirrored, position.stone(point)?.other()))
                });
                let turned = Gomoku::set_up(15, rule, stones, position.turn().other()).expect("a board");
                assert_eq!(evaluation.evaluate(position), -evaluation.evaluate(&turned), "{position:?}");
            }
        }
    }
    for size in [4, 6, 8] {
        let start = Othello::new(size, Empties::None).expect("a board");
        let evaluation = start.evaluation().expect("an evaluation");
        for _ in 0..20 {
            let (positions, _) = random_game(&start, &mut rng);
            for position in positions.iter().filter(|position| position.outcome().is_none()) {
                let letter = |player: Option<Player>| match player {
                    None => '.',
                    Some(Player::First) => 'O',
                    Some(Player::Second) => 'X',
                };
                let mut text: String =
                    position.view().points.iter().map(|piece| letter(piece.map(|piece| piece.owner))).collect();
                text.push(' ');
                text.push(letter(Some(position.turn())));
                let turned = start.with_text(&text).expect("a position");
                assert_eq!(evaluation.evaluate(position), -evaluation.evaluate(&turned), "{position:?}");
            }
        }
    }
    let rules = GoRules::on(9);
    let start = Go::new(rules).expect("a board");
    let evaluation = start.evaluation().expect("an evaluation");
    for _ in 0..10 {
        let (positions, _) = random_game(&start, &mut rng);
        for position in positions.iter().filter(|position| position.outcome().is_none()) {
            let board = position.board();
            let stones: Vec<_> = board
                .points()
                .filter_map(|point| {
                    let (column, row) = board.column_row(point);
                    Some((board.stone_at(point)?.other(), row, column))
                })
                .collect();
            let rules = GoRules { komi: Komi(-rules.komi.0), ..rules };
            let turned = Go::with_stones(rules, &stones, position.turn().other()).expect("the same stones");
            assert_eq!(evaluation.evaluate(position), -evaluation.evaluate(&turned), "{position:?}");
        }
    }
}

/// The moves with the largest weight, as text.
fn preferred<P: Studied + Notation>(position: &P) -> Vec<String> {
    let moves = position.moves();
    let mut weights = vec![f64::NAN];
    position.preference().expect("a preference").weigh(position, &moves, &mut weights);
    assert_eq!(weights.len(), moves.len());
    let most = weights.iter().copied().fold(0.0, f64::max);
    moves.iter().zip(&weights).filter(|(_, weight)| **weight == most).map(|(mv, _)| position.show_move(*mv)).collect()
}

fn after<P: Notation>(mut position: P, moves: &str) -> P {
    for text in moves.split_whitespace() {
        position.play(position.read_move(text).unwrap_or_else(|error| panic!("{moves}: {error}")));
    }
    position
}

#[test]
fn gomoku_prefers_what_players_play() {
    let start = gomoku(15, Rule::Freestyle);
    // Five before stopping five; stopping five before an open four; an open four before an open
    // three.
    let fives = preferred(&after(start, "h8 a1 i8 b1 j8 c1 k8 d1"));
    assert!(fives.iter().all(|text| text == "g8" || text == "l8"), "{fives:?}");
    assert_eq!(preferred(&after(start, "h8 a1 i8 b1 j8 c1 o15 d1")), ["e1"]);
    let ends = |preferred: Vec<String>| preferred.iter().all(|text| text == "g8" || text == "k8");
    assert!(ends(preferred(&after(start, "h8 h10 i8 j10 j8 a15"))));
    // White must stop the open three at one of its ends, or a step further off; the ends take more.
    assert!(ends(preferred(&after(start, "h8 a15 i8 o15 j8"))));
    // Two open threes at once before one.
    assert_eq!(preferred(&after(start, "h8 a1 i8 o15 j9 a15 j10 o1")), ["j8"]);
}

#[test]
fn connect6_prefers_what_players_play() {
    let start = Connect6::new(19).expect("a board");
    // Black has four in the middle of a row and two stones to play; then one that wins.
    let four = after(start, "JJ AA CA KJ LJ EA GA MJ NB IA KA");
    let wins = preferred(&four);
    assert!(wins.iter().all(|text| text == "IJ" || text == "NJ"), "{wins:?}");
    let five = after(four, "NJ");
    assert!(preferred(&five).iter().all(|text| text == "IJ" || text == "OJ"), "{:?}", preferred(&five));
    // White to move stops it rather than anything else.
    let threatened = after(start, "JJ AA CA KJ LJ EA GA MJ NB");
    let stops = preferred(&threatened);
    assert!(stops.iter().all(|text| text == "IJ" || text == "NJ"), "{stops:?}");
}

#[test]
fn hex_prefers_what_players_play() {
    let start = Hex::new(5, SwapRule::Off).expect("a board");
    // The middle first, away from the edges.
    let first = preferred(&start);
    assert!(first.iter().all(|text| ["b4", "c3", "d2"].contains(&text.as_str())), "{first:?}");
    // Black needs one of two cells; White has entered the bridge.
    assert_eq!(preferred(&after(start, "c2 a5 c3 e1 c4 c1")), ["d1"]);
    // The only cell that connects.
    assert_eq!(preferred(&after(start, "c1 a1 c2 a2 c3 a3 c4 b5")), ["c5"]);
    // And the only one that stops it (d5 stays open otherwise).
    let stopped = preferred(&after(start, "c1 a1 c2 a2 c3 a3 c4 b5 e1"));
    assert_eq!(stopped, ["c5"]);
}

#[test]
fn othello_prefers_corners() {
    let start = Othello::new(8, Empties::None).expect("a board");
    // X takes a1 along the first row; b2 is open to X too, and the worst.
    let text = ".OX.......O.....X..X............................................ X";
    let position = start.with_text(text).expect("a position");
    assert_eq!(preferred(&position), ["a1"]);
    let mut rng = Rng::new(Seed(6));
    let mut corners = 0;
    for _ in 0..200 {
        let (positions, _) = random_game(&start, &mut rng);
        for position in positions.iter().filter(|position| position.outcome().is_none()) {
            let corner = |text: &String| ["a1", "a8", "h1", "h8"].contains(&text.as_str());
            if position.moves().iter().any(|mv| corner(&position.show_move(*mv))) {
                corners += 1;
                assert!(preferred(position).iter().all(corner), "{}", position.view());
            }
        }
    }
    assert!(corners > 500, "{corners}");
}

#[test]
fn xiangqi_prefers_captures_and_checks() {
    let preferred_at = |fen: &str| preferred(&Xiangqi::from_fen(fen).expect("a position"));
    // The soldier, which is attacked, or the horse may take the protected rook: the soldier first.
    // A rook may take a soldier.
    assert_eq!(preferred_at("4rk3/9/9/p3r4/2N1P4/9/9/R8/9/4K4 w - - 0 1"), ["e5e6"]);
    // The attacked rook leaves, to where it is not attacked.
    let escapes = preferred_at("3k5/9/9/2n6/4R4/9/9/9/9/4K4 w - - 0 1");
    assert!(escapes.iter().all(|text| text.starts_with("e5")) && !escapes.contains(&"e5b5".into()), "{escapes:?}");
    // A free check before quiet moves.
    let checks = preferred_at("4k4/9/9/9/9/9/9/R8/9/3K5 w - - 0 1");
    assert_eq!(checks.len(), 2, "{checks:?}");
    assert!(checks.contains(&"a2e2".to_string()) && checks.contains(&"a2a9".to_string()), "{checks:?}");
}

#[test]
fn go_prefers_what_players_play() {
    let rules = GoRules::on(9);
    let set_up = |rows: &[&str], turn: Player| {
        let mut stones = Vec::new();
        for (from_top, row) in rows.iter().enumerate() {
            for (column, letter) in row.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let owner = if letter == 'X' { Player::First } else { Player::Second };
                stones.push((owner, column, 8 - from_top));
            }
        }
        Go::with_stones(rules, &stones, turn).expect("a position")
    };
    let rows = [
        ".........",
        "..X......",
        ".XOO.....",
        "..XX.....",
        ".........",
        "......O..",
        ".....OXO.",
        ".........",
        ".........",
    ];
    // Black takes two with E7 or saves one with G2; taking weighs more. White saves two or takes
    // one.
    assert_eq!(
        preferred(&set_up(
            &[
                ".........",
                "..XX.....",
                ".XOO.....",
                "..XX.....",
                ".........",
                "......O..",
                ".....OXO.",
                ".........",
                ".........",
            ],
            Player::First
        )),
        ["E7"]
    );
    assert_eq!(preferred(&set_up(&rows, Player::Second)), ["G2"]);
    // Eyes are filled last, self-atari hardly sooner.
    let eyes = set_up(
        &[
            ".X.......",
            "XX.......",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
            "OO.......",
            ".O.......",
        ],
        Player::First,
    );
    let moves = eyes.moves();
    let mut weights = Vec::new();
    eyes.preference().expect("a preference").weigh(&eyes, &moves, &mut weights);
    let weight = |text: &str| {
        let at = moves.iter().position(|mv| eyes.show_move(*mv) == text);
        at.map(|at| weights[at])
    };
    assert!(weight("A9") < weight("pass") && weight("pass") < weight("E5"), "{:?}", weight("A9"));
    assert_eq!(weight("A1"), None, "suicide");
    let bad = set_up(
        &[
            "O........",
            ".OX......",
            ".X.......",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
        ],
        Player::First,
    );
    let moves = bad.moves();
    bad.preference().expect("a preference").weigh(&bad, &moves, &mut weights);
    let at = |text: &str| weights[moves.iter().position(|mv| bad.show_move(*mv) == text).expect("a move")];
    assert!(at("A8") < 0.2 && at("C7") > 1.0, "{} {}", at("A8"), at("C7"));
}

/// How a player who chooses fares against a uniform one, both sides in turn.
fn score_against_chance<P: Studied>(
    start: &P,
    games: u32,
    choose: impl Fn(&P, &mut Rng) -> P::Move,
    longest: u32,
) -> f64 {
    let mut rng = Rng::new(Seed(15));
    let mut sum = 0.0;
    for game in 0..games {
        let chooser = Player::BOTH[game as usize % 2];
        let mut position = start.clone();
        for _ in 0..longest {
            if position.outcome().is_some() {
                break;
            }
            let mv = match position.turn() == chooser {
                true => choose(&position, &mut rng),
                false => position.random_move(&mut rng).expect("a live game has a move"),
            };
            position.play(mv);
        }
        sum += position.outcome().map_or(0.5, |outcome| outcome.score.for_player(chooser).to_f64());
    }
    sum / f64::from(games)
}

/// A move of the largest weight.
fn by_weight<P: Studied>(position: &P, rng: &mut Rng) -> P::Move {
    let (moves, mut weights) = (position.moves(), Vec::new());
    position.preference().expect("a preference").weigh(position, &moves, &mut weights);
    let most = weights.iter().copied().fold(0.0, f64::max);
    let best: Vec<usize> = (0..moves.len()).filter(|at| weights[*at] == most).collect();
    moves[best[rng.below(best.len() as u32) as usize]]
}

/// The move after which the position is judged best, an ended game before all.
fn by_evaluation<P: Studied>(position: &P, rng: &mut Rng) -> P::Move {
    let evaluation = position.evaluation().expect("an evaluation");
    let mover = position.turn();
    let judge = |mv: &P::Move| {
        let mut next = position.clone();
        next.play(*mv);
        let value = match next.outcome() {
            Some(outcome) => (outcome.score.to_f64() * 40_000.0 - 20_000.0) as i32,
            None => evaluation.evaluate(&next),
        };
        if mover == Player::First { value } else { -value }
    };
    let values: Vec<i32> = position.moves().iter().map(judge).collect();
    let most = values.iter().max().expect("a move");
    let best: Vec<usize> = (0..values.len()).filter(|at| values[*at] == *most).collect();
    position.moves()[best[rng.below(best.len() as u32) as usize]]
}

/// Knowledge beats chance by far: by preference alone, and by looking one move ahead with the
/// evaluation.
#[test]
fn knowledge_beats_chance() {
    fn both<P: Studied>(name: &str, start: &P, games: u32, longest: u32, least: [f64; 2]) {
        let weight = score_against_chance(start, games, by_weight, longest);
        let evaluation = score_against_chance(start, games, by_evaluation, longest);
        assert!(
            weight >= least[0] && evaluation >= least[1],
            "{name}: weights {weight:.2}, evaluation {evaluation:.2}"
        );
    }
    both("gomoku", &gomoku(15, Rule::Freestyle), 40, 225, [0.9, 0.9]);
    both("connect6", &Connect6::new(19).expect("a board"), 40, 361, [0.9, 0.9]);
    both("hex", &Hex::new(9, SwapRule::Off).expect("a board"), 40, 81, [0.9, 0.9]);
    // Passes are plies too, and who is beaten passes often.
    both("othello", &Othello::new(8, Empties::None).expect("a board"), 100, 128, [0.8, 0.95]);
    both("go", &Go::new(GoRules { move_limit: Some(150), ..GoRules::on(7) }).expect("a board"), 40, 150, [0.9, 0.9]);
    both("xiangqi", &Xiangqi::new(), 40, 300, [0.55, 0.9]);
}
