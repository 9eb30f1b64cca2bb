//! Othello: the laws, a slow judge of the rules, published counts, known endgames, heuristics, bad
//! input.

use proptest::prelude::*;
use std::ops::ControlFlow;
use tesuji_core::conformance::Kit;
use tesuji_core::spec::{Spec, resolve};
use tesuji_core::{Budget, Game, Notation, Outcome, Player, Position, Rng, Seed, perft};
use tesuji_games::othello::heuristic::{corners, corners_of, frontier, mobility, odd_regions, regions, stable};
use tesuji_games::othello::{Empties, Move, Othello};
use tesuji_testing::{sized, vendored};

fn start(size: u32) -> Othello {
    Othello::new(size, Empties::None).expect("a board")
}

#[test]
fn laws() {
    for size in [4, 6, 8] {
        for empties in [Empties::None, Empties::Winner] {
            let kit = Kit { games: 40, samples: 2_000, ..Kit::default() };
            let summary = kit.check(&Othello::new(size, empties).expect("a board"));
            let summary = summary.unwrap_or_else(|violation| panic!("size {size}, {empties:?}: {violation}"));
            assert_eq!(summary.turns_kept, 0, "a pass is a move");
        }
    }
}

/// From positions near the end, where passes are common.
/// What a move leads to is told without making it.
#[test]
fn glances_are_what_moves_show() {
    for size in [4, 6, 8] {
        for (seed, empties) in (0..60).zip([Empties::None, Empties::Winner].into_iter().cycle()) {
            let mut position = Othello::new(size, empties).expect("a board");
            let mut rng = Rng::new(Seed(seed));
            while position.outcome().is_none() {
                for mv in position.moves() {
                    let mut next = position;
                    next.play(mv);
                    assert_eq!(position.glance(mv), Some((next.outcome(), next.hash())));
                }
                position.play(position.random_move(&mut rng).expect("live"));
            }
        }
    }
}

#[test]
fn laws_of_endgames() {
    for seed in 0..20 {
        let endgame = start(8).after_random_plies(52, seed).expect("a position");
        Kit { games: 30, samples: 1_000, ..Kit::default() }.check(&endgame).unwrap_or_else(|v| panic!("{v}"));
    }
}

/// A pass is a ply, and games that ended count nothing.
const PERFT: [u64; 10] = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_056];

#[test]
fn published_counts() {
    let count = |position: &Othello, depth| perft(position, depth, &mut Budget::unlimited().meter()).per_depth;
    assert_eq!(count(&start(8), 10), PERFT);
    // The other corner of the opening is the same game.
    let mirrored = start(8).with_text(&start(8).to_text().replace('X', "x").replace('O', "X").replace('x', "O"));
    let mirrored = mirrored.expect("a position");
    assert_eq!(mirrored.turn(), Player::Second);
    assert_eq!(count(&mirrored, 7), PERFT[..7]);
}

/// The rules on a board of letters, square by square: the judge.
#[derive(Clone)]
struct Slow {
    size: i32,
    squares: Vec<char>,
    mover: char,
}

impl Slow {
    fn at(&self, column: i32, row: i32) -> char {
        let on_board = (0..self.size).contains(&column) && (0..self.size).contains(&row);
        if on_board { self.squares[(row * self.size + column) as usize] } else { '#' }
    }

    fn turned(&self, mover: char, column: i32, row: i32) -> Vec<usize> {
        let mut turned = Vec::new();
        if self.at(column, row) != '.' {
            return turned;
        }
        for across in -1..=1 {
            for down in -1..=1 {
                let mut run = Vec::new();
                let (mut x, mut y) = (column + across, row + down);
                while (across, down) != (0, 0) && !['.', '#', mover].contains(&self.at(x, y)) {
                    run.push((y * self.size + x) as usize);
                    (x, y) = (x + across, y + down);
                }
                if self.at(x, y) == mover {
                    turned.extend(run);
                }
            }
        }
        turned
    }

    fn other(&self) -> char {
        if self.mover == 'X' { 'O' } else { 'X' }
    }

    fn squares_for(&self, mover: char) -> Vec<String> {
        let all = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        let legal = all.filter(|(column, row)| !self.turned(mover, *column, *row).is_empty());
        legal.map(|(column, row)| format!("{}{}", char::from(b'a' + column as u8), row + 1)).collect()
    }

    fn moves(&self) -> Vec<String> {
        let squares = self.squares_for(self.mover);
        if squares.is_empty() && !self.squares_for(self.other()).is_empty() { vec!["pass".into()] } else { squares }
    }

    fn play(&mut self, text: &str) {
        if text != "pass" {
            let column = i32::from(text.as_bytes()[0] - b'a');
            let row: i32 = text[1..].parse::<i32>().expect("a row") - 1;
            for square in self.turned(self.mover, column, row) {
                self.squares[square] = self.mover;
            }
            self.squares[(row * self.size + column) as usize] = self.mover;
        }
        self.mover = self.other();
    }

    fn text(&self) -> String {
        self.squares.iter().chain(&[' ', self.mover]).collect()
    }
}

#[test]
fn the_slow_rules_agree() {
    let mut rng = Rng::new(Seed(1));
    let mut passes = 0;
    for game in 0..300 {
        let mut position = start([4, 6, 8][game % 3]);
        let text = position.to_text();
        let size = position.size() as i32;
        let mut slow = Slow { size, squares: text.chars().take((size * size) as usize).collect(), mover: 'X' };
        loop {
            let moves: Vec<String> = position.moves().into_iter().map(|mv| position.show_move(mv)).collect();
            assert_eq!(moves, slow.moves(), "{}", position.view());
            assert_eq!(position.to_text(), slow.text());
            let Some(mv) = position.random_move(&mut rng) else { break };
            passes += u32::from(mv == Move::PASS);
            slow.play(&position.show_move(mv));
            position.play(mv);
        }
        let count = |letter| slow.squares.iter().filter(|other| **other == letter).count() as i32;
        assert_eq!(position.outcome(), Some(Outcome::by_margin(count('X') - count('O'))));
    }
    assert!(passes > 50, "{passes}");
}

/// The margin for the mover under best play, by alpha-beta.
fn negamax(position: &Othello, mut alpha: i32, beta: i32) -> i32 {
    let sign = if position.turn() == Player::First { 1 } else { -1 };
    if let Some(outcome) = position.outcome() {
        return sign * outcome.margin;
    }
    let mut best = -64;
    let _ = position.visit_moves(|mv| {
        let mut next = *position;
        next.play(mv);
        best = best.max(-negamax(&next, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    best
}

/// Endgames solved by another program; there the winner gets the empty squares.
fn known_endgames(most_empties: u32) -> u32 {
    let mut solved = 0;
    for line in vendored("othello/random_endgames.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let empties: u32 = fields[0].parse().expect("a number");
        if empties > most_empties {
            continue;
        }
        let board = Othello::new(8, Empties::Winner).expect("a board");
        let position = board.with_text(fields[1].trim_end_matches(';')).expect("a position");
        assert_eq!(position.empty().count_ones(), empties);
        assert_eq!(negamax(&position, -64, 64).to_string(), fields[2], "{line}");
        let mut best = position;
        best.play(position.read_move(fields[3]).expect("its best move is legal"));
        assert_eq!((-negamax(&best, -64, 64)).to_string(), fields[2], "{line}");
        solved += 1;
    }
    solved
}

/// Plain alpha-beta takes half a minute for those with sixteen empty squares.
#[test]
fn endgames() {
    let (empties, least) = sized((12, 60), (16, 110));
    assert!(known_endgames(empties) >= least);
}

#[test]
fn the_winner_may_get_the_empty_squares() {
    // White has lost everything: 3 against 0 on 16 squares.
    let text = "XXX............. X";
    for (empties, margin) in [(Empties::None, 3), (Empties::Winner, 16)] {
        let board = Othello::new(4, empties).expect("a board");
        assert_eq!(board.with_text(text).expect("a position").outcome(), Some(Outcome::by_margin(margin)));
        let draw = board.with_text("X..............O O").expect("a position");
        assert_eq!(draw.outcome(), Some(Outcome::DRAW));
    }
}

#[test]
fn a_pass_is_forced_or_refused() {
    assert!(start(8).read_move("pass").is_err_and(|error| error.to_string().contains("may not pass")));
    // O to move: only X can turn something over.
    let position = start(4).with_text("XO.............. O").expect("a position");
    assert_eq!(position.moves(), [Move::PASS]);
    assert!(position.view().to_string().contains("\nWhite to move, and must pass\n"));
    assert!(position.read_move("c1").is_err_and(|error| error.to_string().contains("only pass")));
    let mut next = position;
    next.play(position.read_move("PASS").expect("legal"));
    assert_eq!(next.turn(), Player::First);
    assert_eq!(next.show_move(next.moves()[0]), "c1");
    assert_ne!(next.hash(), position.hash());
}

/// The procedure is part of what a spec means: pinned.
#[test]
fn random_positions_follow_from_the_seed() {
    let position = |seed| start(8).after_random_plies(44, seed).expect("a position");
    for seed in 0..200 {
        assert_eq!(position(seed).empty().count_ones(), 16);
        assert_eq!(position(seed).outcome(), None);
    }
    assert_eq!(position(7).to_text(), SEED_SEVEN);
    assert_ne!(position(7), position(8));
    assert_eq!(start(8).after_random_plies(0, 5).expect("the start"), start(8));
    let error = start(8).after_random_plies(60, 1).map_err(|error| error.to_string());
    assert_eq!(error, Err("10000 random games of seed 1 had all ended before 60 discs were placed".into()));
}
const SEED_SEVEN: &str = "XX...OX.XXXXXXXXXXXXXO...OXXXXXX.OXOXOOOOOOOOOO.OOO..XO.OO...XO. X";

fn started(text: &str) -> Result<Othello, String> {
    let spec: Spec = text.parse().expect("well formed");
    let (_, arguments) = resolve(&spec, "game", &[Othello::DESCRIPTION]).map_err(|error| error.to_string())?;
    Othello::start(&arguments).map_err(|error| arguments.place(error, &spec).to_string())
}

#[test]
fn specs_and_their_mistakes() {
    assert_eq!(started("othello"), Ok(start(8)));
    assert_eq!(started("othello(random_plies=44,seed=7)").expect("a position").to_text(), SEED_SEVEN);
    assert_eq!(started("othello(size=4,position=\".....OX..XO..... x\")"), Ok(start(4)));
    for (text, message) in [
        ("othello(size=5)", "othello size: an Othello board has 4, 6 or 8 rows, not 5 (column 9 of the spec)"),
        ("othello(size=10)", "size of othello must be a whole number from 4 to 8, not 10 (column 9 of the spec)"),
        ("othello(empties=mine)", "empties of othello must be none or winner, not mine (column 9 of the spec)"),
        (
            "othello(size=4,position=\"X\")",
            "othello position: a position has 16 characters (X, O, '.' or '-', from a1 row by row), a blank, and X or O to move; this one has 1 characters (column 16 of the spec)",
        ),
        (
            "othello(size=4,position=\".....OX..XO...?. X\")",
            "othello position: character 15 of the position is '?'; expected X, O, '.' or '-' (column 16 of the spec)",
        ),
        (
            "othello(size=4,position=\".....OX..XO.....XX\")",
            "othello position: the position ends in \"XX\"; expected a blank and X or O, the side to move (column 16 of the spec)",
        ),
    ] {
        assert_eq!(started(text).err().as_deref(), Some(message));
    }
    for (text, message) in [
        ("d4", "the move d4 is not legal here: the square is taken"),
        ("a1", "the move a1 is not legal here: it turns nothing over"),
        ("i1", "the move i1 is not legal here: it is off the board; expected a point from a1 to h8"),
        ("zz99", "cannot read the move \"zz99\": expected a point from a1 to h8, or pass"),
    ] {
        assert_eq!(start(8).read_move(text).map_err(|error| error.to_string()), Err(message.into()));
    }
    assert_eq!(start(8).read_move("F5"), start(8).read_move("f5"));
    assert_eq!(size_of::<Othello>(), 32);
}

#[test]
fn mobility_frontier_corners_and_parity() {
    let opening = start(8);
    for player in Player::BOTH {
        assert_eq!(mobility(&opening, player), 4);
        assert_eq!(frontier(&opening, player), opening.discs(player));
        assert_eq!((corners_of(&opening, player), stable(&opening, player)), (0, 0));
    }
    assert_eq!(corners(&opening), 1 | 1 << 7 | 1 << 56 | 1 << 63);
    assert_eq!(corners(&start(4)), 1 | 1 << 3 | 1 << 24 | 1 << 27);
    // Empty: a1, the pair c1 d1, and d4. The pair is even.
    let text = ".X..XXXXXOOXXXX. X";
    let position = start(4).with_text(text).expect("a position");
    let found: Vec<u32> = regions(&position).map(u64::count_ones).collect();
    assert_eq!(found, [1, 2, 1]);
    assert_eq!(odd_regions(&position), 1 | 1 << 27);
}

/// What a disc on an edge is worth: known shapes.
#[test]
fn stable_shapes() {
    let rows = |top: &str| start(8).with_text(&format!("{top}{} X", ".".repeat(56))).expect("a position");
    let black = |top: &str| stable(&rows(top), Player::First);
    assert_eq!(black("X......."), 1);
    assert_eq!(black("XXX....."), 7);
    assert_eq!(black("XXO....."), 3);
    assert_eq!(black(".XXXXXX."), 0, "a disc on the corner turns them all");
    assert_eq!(black("OXXXXXXO"), 0b0111_1110, "a full edge is settled");
    assert_eq!(black("X.XXXXXX"), 0b1111_1101, "both ends are held");
    // A full board is settled altogether.
    let full = start(4).with_text("XOXOXOXOOOXXXXOO X").expect("a position");
    let [first, second] = Player::BOTH.map(|player| stable(&full, player));
    assert_eq!([first, second], [full.discs(Player::First), full.discs(Player::Second)]);
}

/// Stable discs are never turned over, in thousands of random games.
#[test]
fn stable_discs_stay() {
    let mut rng = Rng::new(Seed(5));
    let mut seen = 0;
    for game in 0..3_000 {
        let mut position = start([4, 6, 8][game % 3]);
        let mut held = [0_u64; 2];
        while let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
            for player in Player::BOTH {
                let now = stable(&position, player);
                assert_eq!(now & !position.discs(player), 0);
                assert_eq!(held[player.index()] & !now, 0, "{}", position.view());
                held[player.index()] = now;
                seen += now.count_ones();
            }
        }
        // The board is full, or nearly so; a full one is all stable.
        if position.empty() == 0 {
            assert_eq!(held[0] | held[1], position.board());
        }
    }
    assert!(seen > 100_000, "{seen}");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}") {
        if let Ok(mv) = start(8).read_move(&text) {
            prop_assert!(start(8).is_legal(mv));
        }
    }

    #[test]
    fn any_position_text_is_set_up_or_refused(text in "[XO.xo -]{16,18}|.{0,70}") {
        for size in [4, 8] {
            if let Ok(position) = start(size).with_text(&text) {
                prop_assert_eq!(position.to_text(), text.to_uppercase().replace('-', "."));
            }
        }
    }

    /// Any arrangement of discs keeps the laws.
    #[test]
    fn any_arrangement_can_be_played(text in "[XO.]{16} [XO]", seed in any::<u64>()) {
        let mut position = start(4).with_text(&text).expect("a position");
        let mut rng = Rng::new(Seed(seed));
        while let Some(mv) = position.random_move(&mut rng) {
            prop_assert!(position.is_legal(mv));
            position.play(mv);
        }
        prop_assert!(position.outcome().is_some());
    }
}
