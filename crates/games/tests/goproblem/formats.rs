//! The three formats: Lin's example, precise errors, round trips, hostile files.

use super::problem;
use proptest::prelude::*;
use std::path::Path;
use tesuji_core::{Player, Score};
use tesuji_games::goproblem::format::{lin, sgf, text};
use tesuji_games::goproblem::{Answer, GoProblem, Mode, Place, Problem, ProblemKind, Site};

fn corpus(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/goproblem");
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The file of Lin's appendix says type 1 and marks the black stone in row 6: it loads as printed.
#[test]
fn lins_example_loads_as_printed() {
    let printed = Problem::from_bytes(&corpus("ok-lin-printed.txt")).expect("it loads");
    assert_eq!((printed.size, printed.mode), (9, Mode::Save));
    let important = printed.places_where(|site| site.important);
    assert_eq!(important, [Place { row: 5, column: 4 }]);
    assert_eq!(printed.site(important[0]).stone, Some(Player::First));
    assert_eq!(printed.places_where(|site| site.feasible).len(), 8);
    assert_eq!(printed.places_where(|site| site.alive).len(), 9);
    GoProblem::new(printed).expect("and can be played");
}

/// What Lin's text says: Black is to capture the white stone in row 5, column 5.
#[test]
fn the_corrected_example_is_in_the_set() {
    let printed = Problem::from_bytes(&corpus("ok-lin-printed.txt")).expect("it loads");
    let shipped = super::problems::all().into_iter().find(|(name, _)| name == "lin-example").expect("it is there").1;
    assert_eq!((shipped.mode, shipped.kind), (Mode::Kill, ProblemKind::Cut));
    assert_eq!(shipped.places_where(|site| site.important), [Place { row: 4, column: 4 }]);
    let bare = |site: &Site| Site { important: false, ..*site };
    assert!(printed.sites.iter().map(bare).eq(shipped.sites.iter().map(bare)), "only the mark and the type differ");
}

/// A small file of Lin's, to be broken.
const LIN: &str = "Board size
2
Game type
1
Stone
-1 -1 -1 -1
-1 1 0 -1
-1 0 2 -1
-1 -1 -1 -1
Space
-1 -1 -1 -1
-1 0 1 -1
-1 1 0 -1
-1 -1 -1 -1
Important
-1 -1 -1 -1
-1 1 0 -1
-1 0 0 -1
-1 -1 -1 -1
Alive
-1 -1 -1 -1
-1 0 0 -1
-1 0 0 -1
-1 -1 -1 -1
";

fn refused(text: &str) -> String {
    let error = Problem::from_bytes(text.as_bytes()).expect_err(text).to_string();
    assert!(!error.contains('\n') && error.len() < 300, "{error}");
    error
}

#[test]
fn errors_in_lins_format_name_the_place() {
    assert!(LIN.parse::<Problem>().is_ok());
    for (from, to, message) in [
        ("size\n2", "size\n26", "line 2, column 1: a board of 26×26: the size must be from 2 to 25"),
        ("size\n2", "size\n30", "line 2, column 1: a board of 30×30"),
        ("size\n2", "size\n-3", "line 2, column 1: the board size is -3; expected 2 to 25"),
        ("size\n2", "size\nbig", "the board size is \"big\"; expected a number"),
        ("size\n2", "size\n3", "line 7, column 4: Stone, row 1, column 0 is the border and must be -1, not 1"),
        ("size\n2", "size\n2\nsize 2", "line 3, column 1: the board size is given twice"),
        ("Board size\n2", "", "line 4, column 1: section Stone comes before the board size"),
        ("type\n1", "type\n3", "line 4, column 1: the game type is 3; expected 1 (save) or 2 (kill)"),
        ("Game type\n1", "", "the game type is missing"),
        (
            "-1 1 0 -1\n-1 0 2 -1",
            "-1 1 0 -1\n-1 0 5 -1",
            "line 8, column 6: Stone, row 2, column 2 must be from 0 to 2, not 5",
        ),
        ("-1 0 1 -1", "-1 0 2 -1", "line 12, column 6: Space, row 1, column 2 must be from 0 to 1, not 2"),
        (
            "-1 1 0 -1\n-1 0 2 -1",
            "0 1 0 -1\n-1 0 2 -1",
            "line 7, column 1: Stone, row 1, column 0 is the border and must be -1",
        ),
        ("-1 1 0 -1\n-1 0 2 -1", "-1 1 0 -1\n-1 0 -1 2", "Stone, row 2, column 2 must be from 0 to 2, not -1"),
        ("Space", "Stone", "line 10, column 1: section Stone is given twice"),
        ("Space", "Spice", "line 10, column 1: \"Spice\" is an unknown word here"),
        ("Space", "7\nSpace", "line 10, column 1: \"7\" is a number too many here"),
        (
            "-1 -1 -1 -1\nSpace",
            "-1 -1 -1\nSpace",
            "section Stone has 15 numbers; a board of 2 needs 4 rows of 4, but here is \"Space\"",
        ),
        ("Alive\n-1 -1 -1 -1\n-1 0 0 -1\n-1 0 0 -1\n-1 -1 -1 -1\n", "", "section Alive is missing"),
        (
            "Alive\n-1 -1 -1 -1\n-1 0 0 -1\n-1 0 0 -1\n-1 -1 -1 -1\n",
            "Alive -1",
            "section Alive has 1 numbers; a board of 2 needs 4 rows of 4, but the file ends",
        ),
        ("-1 1 0 -1\n-1 0 2 -1", "-1 1 2 -1\n-1 2 2 -1", "the stones at A2 have no liberty"),
        ("type\n1", "type\n2", "A2 is important, but there is no white stone, which a problem to kill needs there"),
        ("Important\n-1 -1 -1 -1\n-1 1", "Important\n-1 -1 -1 -1\n-1 0", "no stone is important"),
        ("-1 0 1 -1\n-1 1 0 -1", "-1 0 0 -1\n-1 0 0 -1", "no point is feasible"),
        ("Alive\n-1 -1 -1 -1\n-1 0 0", "Alive\n-1 -1 -1 -1\n-1 0 1", "B2 is marked alive, but there is no stone"),
        ("size\n2", "size\n99999999999", "expected a number"),
    ] {
        assert!(LIN.contains(from), "{from}");
        let error = refused(&LIN.replacen(from, to, 1));
        assert!(error.contains(message), "{message}\n{error}");
    }
}

/// A small problem in the text format, to be altered.
const TEXT: &str = "title: A test
kind: save
answer: B2
value: 0.5
proved: no
board:
  A B C
3 X X .
2 x + .
1 O O .
";

#[test]
fn errors_in_our_format_name_the_place() {
    assert!(TEXT.parse::<Problem>().is_ok());
    for (from, to, message) in [
        ("title", "titel", "line 1: unknown key \"titel\"; did you mean \"title\"?"),
        ("title: A test", "just words", "line 1: \"just words\" is not \"key: value\""),
        ("title: A test", "kind: save", "line 2: a second line \"kind:\""),
        ("kind: save", "kind: rescue", "line 2: the kind is save, kill, cut, connect or race, not \"rescue\""),
        ("kind: save", "kind: kill", "a problem of kind kill cannot be one to save"),
        ("kind: save", "mode: defend", "line 2: the mode is save or kill"),
        ("kind: save", "mode: kill", "A2 is important, but there is no white stone"),
        ("answer: B2", "answer: I2", "line 3: \"I2\" is not a point such as C1, or pass"),
        ("answer: B2", "answer: D1", "line 3: \"D1\" is not a point"),
        ("answer: B2", "answer: A1", "the answer A1 is not a feasible empty point"),
        ("answer: B2", "answer: B2 b2", "line 3: \"b2\" is given twice"),
        ("0.5", "1.5", "line 4: the value is 1, 0.85, 0.7, 0.5, 0.3, 0.15 or 0, not \"1.5\""),
        ("0.5", "0.6", "line 4: the value is 1, 0.85, 0.7, 0.5, 0.3, 0.15 or 0, not \"0.6\""),
        ("0.5", "NaN", "line 4: the value is 1, 0.85"),
        ("proved: no", "proved: maybe", "line 5: proved is yes or no"),
        ("proved: no", "plies: -1", "line 5: plies are a whole number"),
        ("board:", "bord:", "did you mean \"board\"?"),
        ("board:", "board: 3", "the diagram begins on the line after"),
        ("3 X X .", "3 X X", "line 8: row 3 has 2 points, but there are 3 rows"),
        ("3 X X .", "3 X X . .", "line 8, column 9: row 3 has more than 3 points"),
        ("3 X X .", "4 X X .", "line 8: this row is labelled \"4\"; it is row 3"),
        ("3 X X .", "3 X Q .", "line 8, column 5: \"Q\" is not a point of a diagram"),
        ("3 X X .\n2 x + .\n1 O O .", "X", "board: a board of 1×1: the size must be from 2 to 25"),
        ("1 O O .", "1 O O .\nfeasible: Z9", "line 11: \"Z9\" is not a point (C1) or rectangle (A1-C2) of this board"),
        ("1 O O .", "1 O O .\nboard:", "line 11: a second board"),
        (
            "1 O O .",
            "1 O O .\nimportant: A1",
            "important stones must be of one colour, but A2 is black and A1 is white",
        ),
        ("2 x + .", "2 X + .", "no stone is important"),
        ("2 x + .", "2 x . .", "no point is feasible"),
    ] {
        assert!(TEXT.contains(from), "{from}");
        let broken = TEXT.replacen(from, to, 1);
        let error = refused(&broken);
        assert!(error.contains(message), "{message}\n{error}");
    }
    assert!(refused("").contains("there is no line \"board:\""));
    assert!(refused("board:\nO O .\nO x O\n+ O O\n").contains("the stones at B2 have no liberty"));
    let wide = (". ".repeat(30) + "\n").repeat(30);
    assert!(refused(&format!("board:\n{wide}")).contains("a board of 30×30"));
    assert!(Problem::from_bytes(b"title: \xff\xfe\nboard:").expect_err("bytes").to_string().starts_with("line 1: "));
}

#[test]
fn errors_in_sgf_name_the_place() {
    let good = "(;GM[1]SZ[3]AB[aa][ba][ab]AW[ac][bc]TR[ab]CR[bb])";
    assert_eq!(problem(good).kind, ProblemKind::Save);
    for (from, to, message) in [
        ("GM[1]", "GM[11]", "GM: this is not a record of Go"),
        ("SZ[3]", "SZ[3:4]", "SZ: a problem needs a square board, not 3×4"),
        ("SZ[3]", "SZ[30]", "SZ: a board of 30×30"),
        ("SZ[3]", "SZ[x]", "SZ[x]"),
        ("SZ[3]", "SZ[3]PL[W]", "PL[W]: Black moves first"),
        ("AB[aa]", "AB[dd]", "AB[dd]"),
        ("AW[ac]", "AW[aa]", "AW: there already is a black stone at A3"),
        ("TR[ab]", "TR[bb]", "B2 is important, but there is no stone"),
        ("TR[ab]", "", "no stone is important"),
        ("TR[ab]", "TR[ab]TSKIND[kil]", "TSKIND[kil]: expected save, kill, cut, connect or race"),
        ("TR[ab]", "TR[ab]TSMODE[x]", "TSMODE[x]: expected save or kill"),
        ("TR[ab]", "TR[ab]TSANSWER[zz]", "TSANSWER[zz]"),
        ("TR[ab]", "TR[ab]TSANSWER[aa]", "the answer A3 is not a feasible empty point"),
        ("TR[ab]", "TR[ab]TSVALUE[2]", "TSVALUE[2]: expected 1, 0.85, 0.7, 0.5, 0.3, 0.15 or 0"),
        ("TR[ab]", "TR[ab]TSVALUE[0.9]", "TSVALUE[0.9]: expected 1, 0.85, 0.7, 0.5, 0.3, 0.15 or 0"),
        ("TR[ab]", "TR[ab]TSPROVED[2]", "TSPROVED[2]: expected yes or no"),
        ("CR[bb])", "CR[bb]", "byte"),
    ] {
        let error = refused(&good.replacen(from, to, 1));
        assert!(error.contains(message), "{message}\n{error}");
    }
}

/// 25×25 points can be read and written; more than 256 of them cannot be played on.
#[test]
fn too_many_points_in_play_are_refused() {
    let large = Problem::from_bytes(&corpus("ok-too-many-points.txt")).expect("it loads");
    let error = GoProblem::new(large).expect_err("too large").to_string();
    assert_eq!(
        error,
        "625 points are in play (stones, feasible points and the empty points beside them); at most 256 can be"
    );
}

/// Everything the formats can say.
fn any_problem() -> impl Strategy<Value = Problem> {
    let site = (0..9_u8, any::<bool>(), any::<bool>(), 0..8_u8);
    (2..=25_u8, any::<bool>(), "\\PC{0,20}", prop::collection::vec(site, 625), 0..4_u8).prop_map(
        |(size, save, title, sites, extra)| {
            let mode = if save { Mode::Save } else { Mode::Kill };
            let mut problem = Problem::new(size, mode);
            for (site, (stone, feasible, important, alive)) in problem.sites.iter_mut().zip(sites) {
                site.stone = [Some(Player::First), Some(Player::Second)].get(usize::from(stone)).copied().flatten();
                site.feasible = feasible;
                site.important = important && site.stone == Some(mode.defender());
                site.alive = alive == 0 && site.stone.is_some();
            }
            problem.kind = if extra == 0 { ProblemKind::Race } else { problem.likely_kind() };
            problem.title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            problem.comments =
                vec![format!("first: {title}:").split_whitespace().collect::<Vec<_>>().join(" "), "x".into()];
            let open = problem.places_where(|site| site.feasible && site.stone.is_none());
            problem.answer = open.into_iter().take(3).map(Answer::Play).collect();
            if extra == 1 {
                problem.answer.push(Answer::Pass);
            }
            problem.value = (extra > 1).then_some(Score::from_f64(0.85).expect("in range"));
            problem.plies = (extra > 2).then_some(7);
            problem.proved = extra == 2;
            problem
        },
    )
}

/// What Lin's format keeps.
fn bare(problem: &Problem) -> Problem {
    let mut bare = Problem { sites: problem.sites.clone(), ..Problem::new(problem.size, problem.mode) };
    bare.kind = bare.likely_kind();
    bare
}

fn round_trips(problem: &Problem) {
    assert_eq!(text::read(&text::write(problem)).as_ref(), Ok(problem));
    assert_eq!(sgf::read(sgf::write(problem).as_bytes()).as_ref(), Ok(problem));
    assert_eq!(lin::read(&lin::write(problem)), Ok(bare(problem)));
    // And told apart without being told.
    for written in [text::write(problem), sgf::write(problem)] {
        assert_eq!(Problem::from_bytes(written.as_bytes()).as_ref(), Ok(problem));
    }
    assert_eq!(Problem::from_bytes(lin::write(problem).as_bytes()), Ok(bare(problem)));
}

#[test]
fn the_set_survives_all_three_formats() {
    for (_, problem) in super::problems::all() {
        round_trips(&problem);
    }
}

/// Any bytes are refused in one line, or are a problem that can be written again and played.
fn survives(bytes: &[u8]) -> bool {
    let readers: [Result<Problem, String>; 4] = [
        Problem::from_bytes(bytes).map_err(|error| error.to_string()),
        sgf::read(bytes).map_err(|error| error.to_string()),
        text::read(&String::from_utf8_lossy(bytes)).map_err(|error| error.to_string()),
        lin::read(&String::from_utf8_lossy(bytes)).map_err(|error| error.to_string()),
    ];
    for result in &readers {
        match result {
            Err(error) => assert!(!error.contains('\n') && error.len() < 1_000, "{error}"),
            Ok(problem) => {
                round_trips(problem);
                if let Err(error) = GoProblem::new(problem.clone()) {
                    assert!(error.to_string().contains("at most 256"), "{error}");
                }
            }
        }
    }
    readers[0].is_ok()
}

#[test]
fn the_corpus_does_what_its_names_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/goproblem");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let good = survives(&std::fs::read(&path).expect("readable"));
        assert_eq!(good, name.starts_with("ok-"), "{name}");
        count += 1;
    }
    assert!(count >= 30, "{count}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn problems_survive_all_three_formats(problem in any_problem()) {
        if problem.check().is_ok() {
            round_trips(&problem);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn damaged_files_never_panic(which in 0..4_usize, cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6)) {
        let whole = [LIN, TEXT, "(;GM[1]SZ[3]AB[aa][ba][ab]AW[ac][bc]TR[ab]CR[bb]TSKIND[save])", tesuji_games::goproblem::EXAMPLE][which];
        let mut bytes = whole.as_bytes().to_vec();
        for (at, byte, how) in cuts {
            let at = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match how {
                0 if !bytes.is_empty() => bytes[at] = byte,
                1 if !bytes.is_empty() => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        survives(&bytes);
    }

    #[test]
    fn words_of_the_formats_in_any_order_never_panic(words in prop::collection::vec(prop::sample::select(vec![
        "Board", "size", "2", "9", "25", "26", "Game", "type", "1", "Stone", "Space", "Important", "Alive", "-1", "0", "\n",
        "board:\n", "kind: save\n", "mode: kill\n", "X", "O", "x", "o", "+", ".", "B", "W", "A", "answer: A1\n", "feasible: A1-Z9\n",
        "# \n", "(;SZ[5]", "AB[aa:cc]", "TR[aa]", "CR[dd]", ")",
    ]), 0..60)) {
        survives(words.join(" ").as_bytes());
    }
}
