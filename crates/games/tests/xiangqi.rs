//! Chinese chess: the laws, known counts, a slow judge, texts and the evaluation.

use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

use tesuji_core::conformance::Kit;
use tesuji_core::spec::{Spec, resolve};
use tesuji_core::{
    Budget, CountMoves, Game, Notation, Outcome, Player, Position, RecordMoves, Rng, Seed, Studied, perft,
};
use tesuji_games::xiangqi::evaluation::{Accumulator, BOUND, evaluate, material, piece_value};
use tesuji_games::xiangqi::{Handicap, PieceKind, Rules, START, Xiangqi, XiangqiMove, wxf};
use tesuji_testing::{Json, Known, parse, public, sized, vendored};

fn fen(text: &str) -> Xiangqi {
    Xiangqi::from_fen(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn start(spec: &str) -> Result<Xiangqi, String> {
    let spec: Spec = spec.parse().expect("well formed");
    let (_, arguments) = resolve(&spec, "game", &[Xiangqi::DESCRIPTION]).map_err(|error| error.to_string())?;
    Xiangqi::start(&arguments).map_err(|error| arguments.place(error, &spec).to_string())
}

#[test]
fn keeps_the_laws() {
    let kit = Kit { games: 6, samples: 1000, sampled_positions: 2, ..Kit::default() };
    kit.check(&Xiangqi::new()).unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn keeps_the_laws_in_endgames_with_short_limits() {
    let endgames = [
        "xiangqi(fen=\"4k4/9/9/9/9/9/9/9/4A4/3K5 b\",natural_limit=30)",
        "xiangqi(fen=\"3ak4/4a4/4b4/9/2b6/6R2/9/4C4/4A4/3AK1B2 w\",natural_limit=40,ranks=one)",
        "xiangqi(fen=\"3k5/9/9/9/9/5p3/9/5p3/5K3/5C3 w\",repetition=check)",
        "xiangqi(fen=\"4k4/9/9/9/4R4/9/4n4/9/9/3K5 b\",repetition=draw,natural_limit=200)",
        "xiangqi(handicap=two_rooks,natural_limit=20)",
        "xiangqi(handicap=knight,middle_soldier=protected,natural_limit=30)",
        "xiangqi(fen=\"3ak4/9/4c4/4p4/9/9/4P4/9/9/3K5 b\",middle_soldier=protected,natural_limit=30)",
    ];
    for text in endgames {
        let kit = Kit { games: 8, samples: 400, sampled_positions: 3, ..Kit::default() };
        let position = start(text).unwrap_or_else(|error| panic!("{error}"));
        kit.check(&position).unwrap_or_else(|violation| panic!("{text}: {violation}"));
    }
}

/// Lines of the published counts: the position, and sequences by length.
fn published() -> Vec<(String, Vec<u64>)> {
    let text = vendored("xiangqi/perft.jsonl");
    text.lines()
        .map(|line| {
            let case = parse(line);
            let nodes = case.entry("nodes").list().iter().map(|count| count.as_u64().expect("a count")).collect();
            (case.entry("fen").text().to_string(), nodes)
        })
        .collect()
}

/// To depth 5 all of them on demand.
#[test]
fn published_counts() {
    let most = sized(5_000_000, 200_000_000);
    for (text, nodes) in published() {
        let depth = nodes.iter().take_while(|count| **count <= most).count();
        let result = perft(&fen(&text), depth, &mut Budget::unlimited().meter());
        assert_eq!(result.per_depth, nodes[..depth], "{text}");
    }
}

/// The rules once more, slowly: a grid of letters, captures of the general instead of checks.
mod judge {
    pub type Grid = [[char; 9]; 10];

    pub fn grid(fen: &str) -> (Grid, bool) {
        let mut fields = fen.split(' ');
        let mut grid = [['.'; 9]; 10];
        for (number, row) in fields.next().expect("a board").split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None => {
                        grid[9 - number][file] = letter;
                        file += 1;
                    }
                }
            }
        }
        (grid, fields.next() == Some("w"))
    }

    fn steps(grid: &Grid, red: bool) -> Vec<(usize, usize, usize, usize)> {
        let mut found = Vec::new();
        let inside = |file: i32, rank: i32| (0..9).contains(&file) && (0..10).contains(&rank);
        let at = |file: i32, rank: i32| if inside(file, rank) { grid[rank as usize][file as usize] } else { '#' };
        let own = |letter: char| letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == red;
        let palace = |file: i32, rank: i32| (3..6).contains(&file) && if red { rank < 3 } else { rank > 6 };
        let home = |rank: i32| if red { rank < 5 } else { rank > 4 };
        for rank in 0..10 {
            for file in 0..9 {
                let letter = at(file, rank);
                if !own(letter) {
                    continue;
                }
                let mut go = |to_file: i32, to_rank: i32| {
                    if inside(to_file, to_rank) && !own(at(to_file, to_rank)) {
                        found.push((file as usize, rank as usize, to_file as usize, to_rank as usize));
                    }
                };
                let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
                match letter.to_ascii_uppercase() {
                    'K' => {
                        straight
                            .iter()
                            .filter(|(x, y)| palace(file + x, rank + y))
                            .for_each(|(x, y)| go(file + x, rank + y));
                        // The flying general captures the other one.
                        let up = if red { 1 } else { -1 };
                        let mut other = rank + up;
                        while at(file, other) == '.' {
                            other += up;
                        }
                        if at(file, other) == if red { 'k' } else { 'K' } {
                            go(file, other);
                        }
                    }
                    'A' => diagonal
                        .iter()
                        .filter(|(x, y)| palace(file + x, rank + y))
                        .for_each(|(x, y)| go(file + x, rank + y)),
                    'B' => {
                        for (x, y) in diagonal {
                            if at(file + x, rank + y) == '.' && home(rank + 2 * y) {
                                go(file + 2 * x, rank + 2 * y);
                            }
                        }
                    }
                    'N' => {
                        for (x, y) in straight {
                            if at(file + x, rank + y) == '.' {
                                go(file + 2 * x + y, rank + 2 * y + x);
                                go(file + 2 * x - y, rank + 2 * y - x);
                            }
                        }
                    }
                    'R' | 'C' => {
                        for (x, y) in straight {
                            let mut distance = 1;
                            while at(file + distance * x, rank + distance * y) == '.' {
                                go(file + distance * x, rank + distance * y);
                                distance += 1;
                            }
                            if letter.eq_ignore_ascii_case(&'C') {
                                distance += 1;
                                while at(file + distance * x, rank + distance * y) == '.' {
                                    distance += 1;
                                }
                            }
                            go(file + distance * x, rank + distance * y);
                        }
                    }
                    _ => {
                        go(file, rank + if red { 1 } else { -1 });
                        if !home(rank) {
                            go(file + 1, rank);
                            go(file - 1, rank);
                        }
                    }
                }
            }
        }
        found
    }

    pub fn legal(grid: &Grid, red: bool) -> Vec<(usize, usize, usize, usize)> {
        let mut moves = steps(grid, red);
        moves.retain(|&(file, rank, to_file, to_rank)| {
            let mut next = *grid;
            next[to_rank][to_file] = next[rank][file];
            next[rank][file] = '.';
            let general = if red { 'K' } else { 'k' };
            steps(&next, !red).iter().all(|&(_, _, file, rank)| next[rank][file] != general)
        });
        moves.sort_unstable();
        moves
    }
}

#[test]
fn a_slow_judge_lists_the_same_moves() {
    let mut positions = 0;
    for game in 0..60 {
        let mut rng = Rng::new(Seed(game));
        let mut position = Xiangqi::new();
        while let Some(mv) = position.random_move(&mut rng) {
            let (grid, red) = judge::grid(&position.to_fen());
            let expected = judge::legal(&grid, red);
            let mut found: Vec<_> = position
                .moves()
                .into_iter()
                .map(|mv| {
                    let ((file, rank), (to_file, to_rank)) = (mv.from(), mv.to());
                    (usize::from(file), usize::from(rank), usize::from(to_file), usize::from(to_rank))
                })
                .collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{position:?}");
            position.play(mv);
            positions += 1;
        }
        if position.plies_without_capture() < 120 && position.outcome().and_then(Outcome::winner).is_some() {
            let (grid, red) = judge::grid(&position.to_fen());
            assert!(judge::legal(&grid, red).is_empty() || position.plies_without_capture() >= 8, "{position:?}");
        }
    }
    assert!(positions > 10_000, "{positions}");
}

#[test]
fn texts_of_positions_come_back() {
    let mut rng = Rng::new(Seed(4));
    let mut position = Xiangqi::new();
    assert_eq!(position.to_fen(), START);
    while let Some(mv) = position.random_move(&mut rng) {
        position.play(mv);
        let again = fen(&position.to_fen());
        assert_eq!(again, position);
        assert_eq!(again.hash(), position.hash());
        assert_eq!(again.to_fen(), position.to_fen());
    }
    // The other dialect, and what may be missing.
    let dialect = START.replace('b', "e").replace('B', "E").replace('n', "h").replace('N', "H").replace(" w", " r");
    assert_eq!(fen(&dialect), Xiangqi::new());
    assert_eq!(fen(START.split(' ').next().expect("a board")), Xiangqi::new());
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    for (text, message) in [
        ("", "the board has 1 ranks, expected 10 separated by '/', from rank 9 down to rank 0"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the generals face each other on the e file with nothing between"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 b", "the generals face each other on the e file with nothing between"),
        ("3k5/9/9/9/9/RRR6/9/9/9/4K4 w", "Red has more than 2 rooks"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", "Red has no general"),
        ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no general"),
        ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "Black has more than 1 general"),
        ("2k6/9/9/9/9/9/9/9/9/4K4 w", "Black's general on c9 cannot stand there: generals stay in their palace"),
        (
            "3k5/9/9/9/9/9/9/9/9/4KA3/ w",
            "the board has 11 ranks, expected 10 separated by '/', from rank 9 down to rank 0",
        ),
        (
            "3k5/9/9/9/9/9/9/9/4K4/4A4 w",
            "Red's advisor on e0 cannot stand there: advisors stay on the five diagonal points of their palace",
        ),
        (
            "3k5/9/9/9/6B2/9/9/9/9/4K4 w",
            "Red's elephant on g5 cannot stand there: elephants stay on the seven points on their side of the river",
        ),
        (
            "3k5/9/9/9/9/1P7/9/9/9/4K4 w",
            "Red's soldier on b4 cannot stand there: soldiers never go back, and stay on their file before the river",
        ),
        (
            "3k5/9/9/9/9/9/10/9/9/4K4 w",
            "'0' in rank 3 is not a piece; expected K A B (or E) N (or H) R C P, small for Black, or 1 to 9",
        ),
        ("3k5/9/9/9/9/9/8/9/9/4K4 w", "rank 3 (\"8\") has 8 points, expected 9"),
        ("3k5/9/9/9/9/9/9R/9/9/4K4 w", "rank 3 (\"9R\") has 10 points, expected 9"),
        (
            "3k5/9/9/9/9/9/9/9/9/4Q4 w",
            "'Q' in rank 0 is not a piece; expected K A B (or E) N (or H) R C P, small for Black, or 1 to 9",
        ),
        ("3k5/3R5/9/9/9/9/9/9/9/4K4 w", "Black has just moved but is in check: its general could be captured"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", "the side to move is \"x\", expected w, r or b"),
        (
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1",
            "the count of plies without capture is \"x\", expected a whole number up to 65,535",
        ),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 -1", "the move number is \"-1\", expected a whole number up to 65,535"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 2", "unexpected text after the move number: \"2\""),
    ] {
        let found = Xiangqi::from_fen(text).map_err(|error| error.to_string());
        assert_eq!(found, Err(message.into()), "{text}");
    }
}

#[test]
fn moves_are_read_in_every_dialect() {
    let position = Xiangqi::new();
    let one = start("xiangqi(ranks=one)").expect("the start");
    for text in ["h2e2", "H2E2", "h2-e2", "C2.5", "c2=5", "炮二平五", "砲二平五"] {
        assert_eq!(position.read_move(text).map(|mv| position.show_move(mv)), Ok("h2e2".into()), "{text}");
    }
    assert_eq!(one.read_move("h3e3").map(|mv| one.show_move(mv)), Ok("h3e3".into()));
    assert_eq!(one.read_move("h3h10").map(|mv| one.show_move(mv)), Ok("h3h10".into()));
    let mut black = position;
    black.play(black.read_move("h2e2").expect("legal"));
    for text in ["h9g7", "H8+7", "h8+7", "N8+7", "马8进7", "馬８進７"] {
        assert_eq!(black.read_move(text).map(|mv| black.show_move(mv)), Ok("h9g7".into()), "{text}");
    }
    for (text, message) in [
        ("zz99", "cannot read the move \"zz99\": expected two points like h2e2 (files a to i, ranks 0 to 9)"),
        ("h2", "cannot read the move \"h2\": expected two points like h2e2 (files a to i, ranks 0 to 9)"),
        ("h2e", "cannot read the move \"h2e\": expected two points like h2e2 (files a to i, ranks 0 to 9)"),
        ("h3e3", "the move h3e3 is not legal here: there is no piece on h3"),
        ("h7e7", "the move h7e7 is not legal here: it is Red's turn, and the piece on h7 is not Red's"),
        ("a0a3", "the move a0a3 is not legal here: Red's own piece stands on a3"),
        ("a0b1", "the move a0b1 is not legal here: the rook cannot move from a0 to b1"),
        ("b0d1", "the move b0d1 is not legal here: the horse cannot move from b0 to d1"),
        ("C5.4", "the move C5.4 is not legal here: no legal move has this notation"),
    ] {
        assert_eq!(position.read_move(text).map_err(|error| error.to_string()), Err(message.into()));
    }
    let pinned = fen("3k5/4r4/9/9/9/9/9/9/4C4/4K4 w");
    let error = pinned.read_move("e1d1").map_err(|error| error.to_string());
    assert_eq!(error, Err("the move e1d1 is not legal here: it exposes the general".into()));
}

/// The examples of the WXF's own text, and ours for soldiers in a column.
#[test]
fn pieces_on_one_file_are_told_apart() {
    let soldiers = "3k5/9/2P6/2P6/2P3P2/9/9/9/4A4/4K4 w";
    let two_files = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/4A4/4K4 w";
    let four = "3k5/2P6/2P6/2P6/2P6/9/9/9/4A4/4K4 w";
    let five = "5k3/2P6/2P6/2P6/2P6/2P6/9/9/4A4/4K4 w";
    for (text, mv, latin, chinese) in [
        ("3k5/9/9/9/9/4R4/9/9/4R4/4K4 w", "e4g4", "R+.3", "前车平三"),
        ("3k5/9/9/9/9/4R4/9/9/4R4/4K4 w", "e1e3", "R-+2", "后车进二"),
        ("3k5/9/9/9/9/4C4/9/4C4/9/4K4 w", "e2e1", "C--1", "后炮退一"),
        ("3k5/9/9/9/9/9/9/5A3/9/4KA3 w", "f0e1", "A4+5", "仕四进五"),
        ("3k5/9/9/9/9/9/9/5A3/9/4KA3 w", "f2e1", "A4-5", "仕四退五"),
        (soldiers, "c7b7", "P+.8", "前兵平八"),
        (soldiers, "c6b6", "P7.8", "中兵平八"),
        (soldiers, "c5b5", "P-.8", "后兵平八"),
        (soldiers, "g5h5", "P3.2", "兵三平二"),
        (two_files, "c7b7", "7+.8", "前七平八"),
        (two_files, "c6b6", "77.8", "中七平八"),
        (two_files, "c5b5", "7-.8", "后七平八"),
        (two_files, "g6h6", "3+.2", "前三平二"),
        (two_files, "g5h5", "3-.2", "后三平二"),
        (four, "c8b8", "++.8", "一兵平八"),
        (four, "c7b7", "P+.8", "二兵平八"),
        (four, "c6b6", "P-.8", "三兵平八"),
        (four, "c5b5", "--.8", "四兵平八"),
        (five, "c6b6", "P7.8", "三兵平八"),
        ("3k5/9/9/4r4/9/4r4/9/9/4A4/4K4 b", "e4c4", "R+.3", "前车平3"),
        ("3k5/9/9/4r4/9/4r4/9/9/4A4/4K4 b", "e6e8", "R--2", "后车退2"),
    ] {
        let position = fen(text);
        let mv = position.read_move(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(wxf::show_wxf(&position, mv), latin, "{text}");
        assert_eq!(wxf::show_chinese(&position, mv), chinese, "{text}");
        for written in [latin, chinese] {
            assert_eq!(wxf::read(&position, written), Ok(mv), "{text} {written}");
        }
    }
    // The plain file serves where only one of the two can move so.
    let rooks = fen("3k5/9/9/9/9/4R4/9/9/4R4/4K4 w");
    assert!(wxf::read(&rooks, "R5.3").is_err(), "both rooks could");
    assert_eq!(
        wxf::read(&rooks, "R5-1").map(|mv| rooks.show_move(mv)),
        wxf::read(&rooks, "R+-1").map(|mv| rooks.show_move(mv))
    );
}

#[test]
fn written_moves_are_distinct_and_read_back() {
    for game in 0..6 {
        let mut rng = Rng::new(Seed(game));
        let mut position = Xiangqi::new();
        while let Some(mv) = position.random_move(&mut rng) {
            for legal in position.moves() {
                for text in [wxf::show_wxf(&position, legal), wxf::show_chinese(&position, legal)] {
                    assert_eq!(text.chars().count(), 4);
                    if game == 0 || legal == mv {
                        assert_eq!(wxf::read(&position, &text), Ok(legal), "{position:?} {text}");
                    }
                }
            }
            position.play(mv);
        }
    }
}

#[test]
fn handicaps_take_the_left_pieces() {
    for (word, board) in
        [("rook", "1NBAKABNR"), ("two_rooks", "1NBAKABN1"), ("knight", "R1BAKABNR"), ("two_knights", "R1BAKAB1R")]
    {
        let position = start(&format!("xiangqi(handicap={word})")).expect("a handicap");
        assert!(position.to_fen().contains(&format!("/{board} w")), "{word}: {}", position.to_fen());
        assert_eq!(position.recomputed_hash(), position.hash());
    }
    let cannon = start("xiangqi(handicap=cannon)").expect("a handicap");
    assert!(cannon.to_fen().contains("/7C1/9/RNBAKABNR w"), "{}", cannon.to_fen());
    assert_eq!(Xiangqi::with_handicap(Handicap::Two(PieceKind::Cannon)).move_count(), 20);
    assert_eq!(
        start(&format!("xiangqi(handicap=rook,fen=\"{START}\")")),
        Err("xiangqi: a handicap applies to the starting position and excludes fen (column 1 of the spec)".into())
    );
    assert_eq!(
        start("xiangqi(fen=\"4k4/9/9/9/9/9/9/9/9/4K4 w\")"),
        Err("xiangqi fen: the generals face each other on the e file with nothing between (column 9 of the spec)"
            .into())
    );
}

/// Zhang 2019 §4.3.4: the giver's "middle pawn cannot be captured unless the pawn has been moved".
#[test]
fn the_middle_soldier_is_protected_until_it_moves() {
    let play = |position: &mut Xiangqi, text: &str| {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv);
    };
    // Black's cannon attacks e3 over its own soldier on e6.
    let attacked = |middle: &str| {
        let mut position = start(&format!("xiangqi(handicap=knight{middle})")).expect("a handicap");
        ["a3a4", "h7e7", "a4a5"].iter().for_each(|text| play(&mut position, text));
        position
    };
    let (free, protected) = (attacked(""), attacked(",middle_soldier=protected"));
    let capture = XiangqiMove::new((4, 7), (4, 3)).expect("along a file");
    assert!(free.is_legal(capture) && free.moves().contains(&capture));
    assert!(!protected.is_legal(capture) && !protected.moves().contains(&capture));
    assert_eq!(free.move_count(), protected.move_count() + 1);
    assert!(protected.read_move("e7e3").is_err());
    let mut loud = Vec::new();
    let _ = protected.visit_loud::<()>(|mv| {
        loud.push(mv);
        std::ops::ControlFlow::Continue(())
    });
    assert!(!loud.contains(&capture));
    let mut rng = Rng::new(Seed(1));
    assert!((0..2_000).all(|_| protected.random_move(&mut rng) != Some(capture)));
    // Once it has moved it is a piece like any other; and only captures on e3 are forbidden.
    let mut moved = protected;
    ["b9c7", "e3e4"].iter().for_each(|text| play(&mut moved, text));
    assert!(moved.is_legal(XiangqiMove::new((4, 7), (4, 4)).expect("along a file")));
}

#[test]
fn mate_and_stalemate_lose() {
    let mate = fen("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b");
    assert!(mate.in_check());
    assert_eq!(mate.outcome(), Some(Outcome::won_by(Player::First)));
    // Not in check, and no move: the soldier watches both points the general could go to.
    let stalemate = fen("3k5/4P4/9/9/9/9/9/9/4R4/3AK4 b");
    assert!(!stalemate.in_check());
    assert_eq!(stalemate.outcome(), Some(Outcome::won_by(Player::First)), "{:?}", stalemate.moves());
}

#[test]
fn the_natural_limit_draws_unless_it_mates() {
    let rules = Rules { natural_limit: 6, ..Rules::default() };
    let mut position = fen("3ak4/9/9/9/9/9/9/9/9/R2K5 w - - 5 40").with_rules(rules);
    assert_eq!(position.outcome(), None);
    position.play(position.read_move("a0b0").expect("legal"));
    assert_eq!((position.outcome(), position.move_count()), (Some(Outcome::DRAW), 0));
    let mut mating = fen("3k5/9/4R4/9/9/9/9/9/9/R3K4 w - - 5 40").with_rules(rules);
    mating.play(mating.read_move("a0d0").expect("legal"));
    assert_eq!(mating.outcome(), Some(Outcome::won_by(Player::First)), "{:?}", mating.moves());
}

/// Composed mates: every line is legal and ends in mate.
#[test]
fn classical_compositions_end_in_mate() {
    let Some(text) = public("xiangqi/mate_compositions.json") else { return };
    let (mut read, mut mates) = (0, 0);
    for entry in parse(&text).list() {
        let mut position = fen(entry.entry("fen").text());
        read += 1;
        if entry.get("pv_ends_in_mate") != Some(&Json::Bool(true)) {
            continue;
        }
        for mv in entry.entry("pv").text().split(' ') {
            assert_eq!(position.outcome(), None, "{entry}");
            position.play(position.read_move(mv).unwrap_or_else(|error| panic!("{entry}: {error}")));
        }
        assert!(position.outcome().is_some_and(|outcome| outcome.winner().is_some()), "{entry}");
        mates += 1;
    }
    assert_eq!((read, mates), (240, 196));
}

#[test]
fn playouts_end_and_tell_their_moves() {
    let mut rng = Rng::new(Seed(1));
    let (mut plies, mut longest) = (0, 0);
    for _ in 0..200 {
        let mut count = CountMoves::default();
        Xiangqi::new().playout(&mut rng, &mut count);
        plies += count.0;
        longest = longest.max(count.0);
    }
    assert!((300..500).contains(&(plies / 200)) && longest <= 31 * 120, "{} {longest}", plies / 200);
    let mut record = RecordMoves::default();
    let told = Xiangqi::new().playout(&mut rng, &mut record);
    let mut position = Xiangqi::new();
    for (player, mv) in record.0 {
        assert_eq!(player, position.turn());
        position.play(mv);
    }
    assert_eq!(position.outcome(), Some(told));
}

/// A position with files mirrored, or with colours exchanged and turned round.
fn transformed(text: &str, mirror: bool, exchange: bool) -> Xiangqi {
    let mut fields = text.split(' ');
    let mut rows: Vec<String> = fields.next().expect("a board").split('/').map(String::from).collect();
    if mirror {
        rows.iter_mut().for_each(|row| *row = row.chars().rev().collect());
    }
    let mut side = fields.next().expect("a side");
    if exchange {
        rows.reverse();
        let turn = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        rows.iter_mut().for_each(|row| *row = row.chars().map(turn).collect());
        side = if side == "w" { "b" } else { "w" };
    }
    fen(&format!("{} {side}", rows.join("/")))
}

#[test]
fn the_evaluation_is_symmetric_bounded_and_incremental() {
    assert_eq!(evaluate(&Xiangqi::new()), 0);
    let mut rng = Rng::new(Seed(2));
    for _ in 0..30 {
        let mut position = Xiangqi::new();
        let mut kept = Accumulator::new(&position);
        while let Some(mv) = position.random_move(&mut rng) {
            kept = kept.after(&position, mv);
            position.play(mv);
            let value = evaluate(&position);
            assert_eq!(kept.value(), material(&position));
            assert_eq!(kept.for_player(Player::Second), -kept.value());
            assert!(value.abs() < BOUND);
            if rng.below(10) == 0 {
                let text = position.to_fen();
                assert_eq!(evaluate(&transformed(&text, true, false)), value, "{text}");
                assert_eq!(evaluate(&transformed(&text, false, true)), -value, "{text}");
                // The rules are symmetric too.
                assert_eq!(
                    transformed(&text, true, true).move_count(),
                    fen(text.split(" - ").next().expect("a board")).move_count()
                );
            }
        }
    }
    let soldier = |rank| piece_value(Player::First, PieceKind::Soldier, 4, rank);
    assert!(soldier(5) > soldier(4) && soldier(9) < soldier(8));
    assert_eq!(piece_value(Player::Second, PieceKind::Rook, 3, 9), piece_value(Player::First, PieceKind::Rook, 5, 0));
}

#[test]
fn a_copy_costs_less_than_a_kilobyte() {
    assert!(size_of::<Xiangqi>() <= 1024);
    assert_eq!(size_of::<XiangqiMove>(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parsers_panic(text in ".{0,60}", fenlike in "[rnbakcpRNBAKCPehEH1-9/]{0,70} [wrbx]( - - [0-9]{1,6} [0-9]{1,6})?", movelike in "[a-iA-I0-9+.=\\-KAEHRCPN一二三前后炮兵平进]{0,6}") {
        let position = Xiangqi::new();
        for text in [&text, &fenlike, &movelike] {
            if let Ok(mv) = position.read_move(text) {
                prop_assert!(position.is_legal(mv));
            }
            if let Ok(read) = Xiangqi::from_fen(text) {
                prop_assert!(Xiangqi::from_fen(&read.to_fen()) == Ok(read));
            }
        }
    }

    /// Boards with one row spoilt: refused or sound.
    #[test]
    fn spoilt_boards_are_refused_or_sound(row in 0_usize..10, spoilt in "[rnbakcpRNBAKCP1-3]{3,9}", seed in any::<u64>()) {
        let mut rows: Vec<&str> = START.split(' ').next().expect("a board").split('/').collect();
        rows[row] = &spoilt;
        if let Ok(mut position) = Xiangqi::from_fen(&format!("{} w", rows.join("/"))) {
            let before = position;
            if let Some(mv) = position.random_move(&mut Rng::new(Seed(seed))) {
                let undo = position.make(mv);
                prop_assert!(position.hash() == position.recomputed_hash());
                position.unmake(mv, undo);
            }
            prop_assert!(position == before);
        }
    }
}
