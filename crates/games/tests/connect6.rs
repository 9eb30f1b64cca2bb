//! Connect6: the laws, a slow judge, threats by brute force, known positions.

use proptest::prelude::*;
use tesuji_core::conformance::Kit;
use tesuji_core::{Budget, Notation, Outcome, Player, Position, RecordMoves, Rng, Seed, perft};
use tesuji_games::connect6::{Connect6, Connect6Error, Point, Threats};
use tesuji_testing::{Known, parse, setting, sized, vendored};

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

fn board(size: usize) -> Connect6 {
    Connect6::new(size).expect("a board")
}

fn play(position: &mut Connect6, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.play(mv);
    }
}

#[test]
fn keeps_the_laws() {
    for (size, games) in [(6, 10), (7, 10), (9, 5), (19, 2), (25, 1)] {
        let kit = Kit { games, samples: 2_000, sampled_positions: 3, ..Kit::default() };
        let summary = kit.check(&board(size)).unwrap_or_else(|violation| panic!("{size}: {violation}"));
        assert!(summary.turns_kept > 10);
    }
}

#[test]
fn turns_are_one_stone_then_two() {
    let mut position = board(19);
    let mut turns = Vec::new();
    for text in ["JJ", "AA", "AB", "CC", "CD", "EE"] {
        turns.push((position.turn().index(), position.stones_left()));
        play(&mut position, text);
    }
    assert_eq!(turns, [(0, 1), (1, 2), (1, 1), (0, 2), (0, 1), (1, 2)]);
    assert!(position.view().to_string().ends_with("White to move (one stone)"), "{}", position.view());
    // A playout from the middle of a turn goes on with it.
    let mut record = RecordMoves::default();
    position.playout(&mut Rng::new(Seed(1)), &mut record);
    let movers: Vec<usize> = record.0[..6].iter().map(|(player, _)| player.index()).collect();
    assert_eq!(movers, [1, 0, 0, 1, 1, 0]);
}

#[test]
fn the_two_stones_of_a_turn_commute() {
    let mut one = board(19);
    play(&mut one, "JJ AA AB");
    let mut two = board(19);
    play(&mut two, "JJ AB AA");
    assert_eq!((one, one.hash()), (two, two.hash()));
    let (mut half, mut other) = (board(19), board(19));
    play(&mut half, "JJ AA");
    play(&mut other, "JJ AB");
    assert_ne!(half.hash(), other.hash());
    // Two orders of play with the same stones but another number of stones left cannot exist; the
    // turn still counts.
    assert_ne!(half.hash(), one.hash());
    let undo = half.make(half.read_move("AB").expect("legal"));
    assert_eq!(half, one);
    half.unmake(Point::new(0, 1), undo);
    let mut fresh = board(19);
    play(&mut fresh, "JJ AA");
    assert_eq!((half, half.hash()), (fresh, fresh.hash()));
}

/// Six, at once, also with the first stone of a turn; seven as well; five does not.
#[test]
fn six_or_more_win_at_once() {
    let mut position = board(19);
    play(&mut position, "AA JA JB BB CC JC JD DD KE JE QQ EE");
    assert_eq!(position.outcome(), None);
    assert_eq!((position.turn(), position.stones_left()), (Player::First, 1));
    let mut black = position;
    play(&mut black, "FF");
    assert_eq!(black.outcome(), Some(Outcome::won_by(Player::First)));
    let row: Vec<String> = black.winning_line().expect("a row").into_iter().map(|mv| black.show_move(mv)).collect();
    assert_eq!(row, ["AA", "BB", "CC", "DD", "EE", "FF"]);
    assert!(black.view().to_string().ends_with("Black has won\nRow: AA BB CC DD EE FF"), "{}", black.view());
    assert!(black.read_move("GG").expect_err("ended").to_string().contains("the game has ended"));
    // White needs only the first stone.
    play(&mut position, "SS JF");
    assert_eq!(position.outcome(), Some(Outcome::won_by(Player::Second)));
    let mut seven = board(19);
    play(&mut seven, "AA AS BS AB AC CS DS AE AF KK LL AG");
    assert_eq!(seven.outcome(), None);
    play(&mut seven, "AD");
    assert_eq!(seven.winning_line().map(|row| row.len()), Some(7));
}

#[test]
fn perft_is_a_falling_factorial_at_first() {
    let counted = perft(&board(6), 4, &mut Budget::unlimited().meter()).per_depth;
    assert_eq!(counted, [36, 36 * 35, 36 * 35 * 34, 36 * 35 * 34 * 33]);
}

/// Stones and turns from the words of the rules, winners by walking rows.
#[test]
fn a_slow_judge_agrees_on_random_games() {
    let mut rng = Rng::new(Seed(2));
    let mut ended = [0; 3];
    for game in 0..setting("TESUJI_JUDGE_GAMES", 60) {
        let size: i32 = [6, 7, 8, 10, 19][game % 5];
        let mut position = board(size as usize);
        let mut cells = vec![None; (size * size) as usize];
        for number in 1.. {
            let mover = Player::BOTH[number / 2 % 2];
            let open: Vec<usize> = (0..cells.len()).filter(|cell| cells[*cell].is_none()).collect();
            let listed: Vec<usize> = position.moves().into_iter().map(|mv| position.move_index(mv)).collect();
            assert_eq!((position.turn(), listed), (mover, open));
            let mv = position.random_move(&mut rng).expect("a move");
            position.play(mv);
            cells[mv.row() * size as usize + mv.column()] = Some(mover);
            let at = |x: i32, y: i32| {
                let on = (0..size).contains(&x) && (0..size).contains(&y);
                if on { cells[(y * size + x) as usize] } else { None }
            };
            let longest = DIRECTIONS.map(|(dx, dy)| {
                let (x, y) = (mv.column() as i32, mv.row() as i32);
                let run =
                    |sign: i32| (1..).take_while(|k| at(x + sign * k * dx, y + sign * k * dy) == Some(mover)).count();
                1 + run(1) + run(-1)
            });
            if longest.into_iter().any(|length| length >= 6) {
                assert_eq!(position.outcome(), Some(Outcome::won_by(mover)));
                ended[mover.index()] += 1;
                break;
            }
            if cells.iter().all(Option::is_some) {
                assert_eq!(position.outcome(), Some(Outcome::DRAW));
                ended[2] += 1;
                break;
            }
            assert_eq!(position.outcome(), None);
        }
    }
    assert!(ended.into_iter().all(|count| count > 2), "{ended:?}");
}

/// Threats from the definition: list the windows, then try every set of one and two empty points of
/// the whole board.
struct Brute {
    size: i32,
    cells: Vec<Option<Player>>,
}

impl Brute {
    fn windows(&self) -> Vec<Vec<usize>> {
        let mut windows = Vec::new();
        for (dx, dy) in DIRECTIONS {
            for y in 0..self.size {
                for x in 0..self.size {
                    let (far_x, far_y) = (x + 5 * dx, y + 5 * dy);
                    if (0..self.size).contains(&far_x) && (0..self.size).contains(&far_y) {
                        windows.push((0..6).map(|k| ((y + k * dy) * self.size + x + k * dx) as usize).collect());
                    }
                }
            }
        }
        windows
    }

    /// Open windows by number of stones; the windows that threaten; the number of threats.
    fn judge(&self, windows: &[Vec<usize>], player: Player) -> ([u32; 7], usize) {
        let mut open = [0; 7];
        let mut threatening = Vec::new();
        for window in windows {
            let own = window.iter().filter(|cell| self.cells[**cell] == Some(player)).count();
            if window.iter().all(|cell| self.cells[*cell] != Some(player.other())) {
                open[own] += 1;
                if own >= 4 {
                    threatening.push(window);
                }
            }
        }
        let empty: Vec<usize> = (0..self.cells.len()).filter(|cell| self.cells[*cell].is_none()).collect();
        let hit = |points: &[usize]| threatening.iter().all(|window| points.iter().any(|point| window.contains(point)));
        let threats = if threatening.is_empty() {
            0
        } else if empty.iter().any(|point| hit(&[*point])) {
            1
        } else if empty.iter().enumerate().any(|(number, one)| empty[number + 1..].iter().any(|two| hit(&[*one, *two])))
        {
            2
        } else {
            3
        };
        (open, threats)
    }
}

/// Random walks of stones played and taken back, dense near the middle so that threats arise.
fn walk(positions: usize) {
    let mut rng = Rng::new(Seed(4));
    let mut seen = [0_usize; 4];
    let mut checked = 0;
    for game in 0.. {
        let size = [8, 6, 10, 7, 19, 9][game % 6];
        let mut threats = Threats::new(&board(size));
        let mut brute = Brute { size: size as i32, cells: vec![None; size * size] };
        let windows = brute.windows();
        let mut played: Vec<(Point, Player)> = Vec::new();
        let share_of_first = 2 + rng.below(7);
        for _ in 0..size * size {
            let index = |point: Point| point.row() * size + point.column();
            if !played.is_empty() && (rng.below(4) == 0 || played.len() == size * size) {
                let (point, player) = played.pop().expect("just seen");
                threats.undo(point, player);
                brute.cells[index(point)] = None;
            } else {
                let point = loop {
                    let spread = if size > 10 { 8 } else { size as u32 };
                    let middle = (size as u32 - spread) / 2;
                    let point = Point::new((middle + rng.below(spread)) as u8, (middle + rng.below(spread)) as u8);
                    if brute.cells[index(point)].is_none() {
                        break point;
                    }
                };
                let player = Player::BOTH[usize::from(rng.below(10) >= share_of_first)];
                threats.play(point, player);
                brute.cells[index(point)] = Some(player);
                played.push((point, player));
            }
            for player in Player::BOTH {
                let (open, count) = brute.judge(&windows, player);
                assert_eq!(std::array::from_fn(|stones| threats.open_windows(player, stones)), open);
                assert_eq!(threats.threats(player), count, "{played:?}");
                assert_eq!(threats.can_win(player, 2), open[4] + open[5] + open[6] > 0);
                assert_eq!(threats.can_win(player, 1), open[5] + open[6] > 0);
                let points = threats.points(player);
                assert_eq!(threats.is_stopped_by(player, &points), open[6] == 0, "all points hit all windows");
                assert_eq!(threats.is_stopped_by(player, &[]), count == 0);
                seen[count] += 1;
            }
            checked += 1;
            if checked == positions {
                assert!(seen.into_iter().all(|count| count > positions / 100), "{seen:?}");
                return;
            }
            if played.len() > 60 {
                break;
            }
        }
    }
}

#[test]
fn threats_equal_brute_force() {
    walk(setting("TESUJI_THREAT_POSITIONS", sized(10_000, 100_000)));
}

/// Beside a game, and back.
#[test]
fn threats_follow_a_game_and_back() {
    let mut rng = Rng::new(Seed(6));
    let mut position = board(19);
    let start = Threats::new(&position);
    let mut threats = start.clone();
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        let (mv, mover) = (position.random_move(&mut rng).expect("a move"), position.turn());
        position.play(mv);
        threats.play(mv, mover);
        assert_eq!(threats, Threats::new(&position));
        moves.push((mv, mover));
    }
    if let Some(winner) = position.outcome().and_then(Outcome::winner) {
        assert_eq!(threats.threats(winner), 3, "a six cannot be hit");
    }
    for (mv, mover) in moves.into_iter().rev() {
        threats.undo(mv, mover);
    }
    assert_eq!(threats, start);
}

/// Threats as Wu and Huang draw them: rows on an empty board.
#[test]
fn threats_of_simple_rows() {
    for (own, other, expected) in [
        ("", "", 0),
        ("HJ IJ JJ", "", 0),
        ("HJ IJ JJ KJ", "", 2),
        ("HJ IJ JJ KJ", "GJ", 1),
        ("HJ IJ JJ KJ", "GJ LJ", 0),
        ("HJ IJ JJ KJ LJ", "", 2),
        ("HJ IJ JJ KJ LJ", "GJ", 1),
        ("AJ BJ CJ DJ", "", 1),
        ("HJ IJ KJ LJ", "", 1),
        ("HJ IJ LJ MJ", "", 1),
        ("HJ IJ JJ KJ HA HB HC HD", "", 3),
    ] {
        let empty = board(19);
        let mut threats = Threats::new(&empty);
        let point = |text: &str| empty.read_move(text).expect("a point");
        own.split_whitespace().for_each(|text| threats.play(point(text), Player::First));
        other.split_whitespace().for_each(|text| threats.play(point(text), Player::Second));
        assert_eq!(threats.threats(Player::First), expected, "{own} / {other}");
        assert_eq!(threats.threats(Player::Second), 0);
    }
}

#[test]
fn bad_input_gets_one_clear_line() {
    assert_eq!(Connect6::new(5), Err(Connect6Error::Size { size: 5 }));
    assert_eq!(Connect6::new(26).expect_err("too large").to_string(), "a Connect6 board has 6 to 25 rows, not 26");
    let mut position = board(19);
    assert_eq!(position.read_move("jk"), Ok(Point::new(9, 10)));
    play(&mut position, "JJ");
    for (text, part) in [
        ("zz99", "expected two letters from AA to SS"),
        ("J10", "cannot read"),
        ("TT", "off the board"),
        ("JJ", "there is a stone already"),
        ("J", "cannot read"),
        ("JJKK", "cannot read"),
        ("é", "cannot read"),
        ("", "cannot read"),
    ] {
        let error = position.read_move(text).expect_err(text).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn the_reader_never_panics(text in any::<String>(), short in "[A-Za-z0-9é]{0,3}") {
        let position = board(7);
        for text in [text, short] {
            if let Ok(mv) = position.read_move(&text) {
                prop_assert!(position.is_legal(mv));
            }
        }
    }
}

/// Wins by continuous double threats: the positions load, and the first turn leaves two threats or
/// more.
#[test]
fn double_threat_wins_load() {
    let text = vendored("connect6/vcdt_wins.jsonl");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case = parse(line);
        let mut position = board(19);
        let mut threats = Threats::new(&position);
        let mut put = |position: &mut Connect6, text: &str| {
            let (mv, mover) = (position.read_move(text).unwrap_or_else(|error| panic!("{error}")), position.turn());
            position.play(mv);
            threats.play(mv, mover);
            mover
        };
        let side = |text: &str| if text == "B" { Player::First } else { Player::Second };
        for turn in case.entry("moves").list() {
            let texts = turn.texts();
            for text in &texts[1..] {
                assert_eq!(put(&mut position, text), side(texts[0]));
            }
        }
        let attacker = side(case.entry("to_move").text());
        assert_eq!((position.turn(), position.stones_left(), position.outcome()), (attacker, 2, None));
        for text in case.entry("first").texts() {
            assert_eq!(put(&mut position, text), attacker);
        }
        assert_eq!((position.turn(), position.outcome()), (attacker.other(), None));
        assert!(threats.threats(attacker) >= 2, "{line}");
        assert!(!threats.can_win(attacker.other(), 2), "{line}");
        assert_eq!(threats, Threats::new(&position));
        count += 1;
    }
    assert_eq!(count, 28);
}
