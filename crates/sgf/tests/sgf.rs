//! SGF as a whole: the examples of the specification, thousands of files of other programs, hostile
//! files.
//!
//! The corpus in `tests/corpus` holds small nasty files; those whose name begins with `ok-` must be
//! read, those with `bad-` must be refused, and none may do anything else.
//! `fuzz/fuzz_targets/sgf.rs` starts from the same files.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use tesuji_sgf::{
    BoardSize, Collection, Color, GameResult, GameType, GoMove, Limits, NodeId, ParseProblem, PointStyle, WinReason,
};
use tesuji_testing::data::public_path;

/// Reads, and checks that what was read survives writing and reading again.
#[track_caller]
fn round_trip(bytes: &[u8]) -> Collection {
    let collection = Collection::parse(bytes).unwrap();
    assert_round_trip(&collection);
    collection
}

#[track_caller]
fn assert_round_trip(collection: &Collection) {
    let text = collection.write();
    let again = Collection::parse(text.as_bytes()).unwrap();
    assert!(again == *collection, "written and read again, it is another collection");
    assert!(again.write() == text, "the second writing differs from the first");
}

/// Runs in a thread with a stack of 256 KiB, which any recursion over a deep tree would overflow.
fn with_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
}

fn files_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_under(&path, found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

/// The first tree is the example of <https://www.red-bean.com/sgf/sgf4.html>; the others are its
/// parts.
#[test]
fn the_tree_examples_of_the_specification() {
    for (file, nodes, ends) in [
        ("(;FF[4]C[root](;C[a];C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g];C[h];C[i])(;C[j])))", 11, 4),
        ("(;FF[4]C[root];C[a];C[b];C[c])", 4, 1),
        ("(;FF[4]C[root];C[a];C[b](;C[c])(;C[d];C[e]))", 6, 2),
        ("(;FF[4]C[root](;C[a];C[b];C[c])(;C[d];C[e]))", 6, 2),
    ] {
        let collection = round_trip(file.as_bytes());
        assert_eq!(collection.node_count(), nodes, "{file}");
        let root = collection.roots()[0];
        let leaves = collection.descendants(root).filter(|node| node.first_child().is_none()).count();
        assert_eq!(leaves, ends, "{file}");
        let comments: String = collection.descendants(root).map(|node| node.value("C").unwrap().text()).collect();
        assert!("rootabcdefghij".starts_with(&comments), "walked in file order: {comments}");
    }
}

#[test]
fn a_whole_record_is_understood() {
    let file = b"(;FF[4]AP[Primiview:3.1]GM[1]SZ[19]GN[Gametree 1: properties]US[Arno Hollosi]KM[6.5]RE[W+R]\r\n\
        (;B[pd]N[Moves, comments, annotations]C[Nodename set to: \"Moves, comments, annotations\"]\r\n\
        ;W[dp]GW[1]C[Marked as \"Good for White\"];B[pp];W[dc]GW[2];B[tt])\r\n\
        (;AB[dd][pd:pe][jj]AW[dp:ep]LB[dd:A\\:1][pp:\\]]PL[W]DD[]))";
    let collection = round_trip(file);
    let root = collection.node(collection.roots()[0]);
    assert_eq!(root.game_type(), Ok(GameType::Go));
    assert_eq!(root.result(), Ok(Some(GameResult::Win(Color::White, WinReason::Resignation))));
    let (program, version) = root.value("AP").unwrap().parts().unwrap();
    assert_eq!((program.raw(), version.raw()), ("Primiview", "3.1"));
    let size = root.size().unwrap().unwrap();
    let last = collection.main_line(root.id()).last().unwrap();
    assert_eq!(last.value("B").unwrap().go_move(size), Ok(GoMove::Pass));
    let setup = root.children().nth(1).unwrap();
    assert_eq!(setup.points("AB", PointStyle::Go, size).unwrap().len(), 4);
    assert_eq!(setup.points("DD", PointStyle::Go, size).unwrap().len(), 0);
    assert_eq!(setup.to_play(), Ok(Some(Color::White)));
    let labels: Vec<String> = setup.values("LB").map(|value| value.parts().unwrap().1.simple_text()).collect();
    assert_eq!(labels, ["A:1", "]"]);
}

#[test]
fn a_hex_record_is_understood() {
    let collection = round_trip(b"(;FF[4]GM[11]SZ[14:11];B[n11];W[swap-pieces];B[aa];W[resign])");
    let root = collection.roots()[0];
    let size = collection.node(root).size().unwrap().unwrap();
    assert_eq!(size, BoardSize { columns: 14, rows: 11 });
    let moves: Vec<String> = collection
        .main_line(root)
        .filter_map(|node| node.value("B").or(node.value("W")))
        .map(|value| value.hex_move(size).unwrap().to_string())
        .collect();
    assert_eq!(moves, ["n11", "swap-pieces", "a1", "resign"]);
}

#[test]
fn charsets_differ_from_tree_to_tree() {
    let mut file = b"(;CA[gb2312]PB[\xb0\xd7])".to_vec();
    file.extend_from_slice(b"(;PB[\x83\x5c]CA[Shift_JIS])");
    file.extend_from_slice("(;CA[UTF-8]PB[白])".as_bytes());
    file.extend_from_slice(b"(;PB[Hrab\xe1nek])");
    let collection = round_trip(&file);
    let names: Vec<_> =
        collection.roots().iter().map(|&root| collection.node(root).player_name(Color::Black).unwrap()).collect();
    assert_eq!(names, ["白", "ソ", "白", "Hrabánek"]);
    let marked = round_trip("\u{feff}(;CA[latin1]PB[白])".as_bytes());
    assert_eq!(marked.node(marked.roots()[0]).player_name(Color::Black).unwrap(), "白");
}

#[test]
fn files_of_other_programs() {
    let Some(folder) = public_path("go") else { return };
    let mut paths = Vec::new();
    files_under(&folder, &mut paths);
    paths.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")));
    let (mut read, mut nodes, mut refused, mut odd) = (0, 0, Vec::new(), Vec::new());
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        match Collection::parse(&bytes) {
            Ok(collection) => {
                read += 1;
                nodes += collection.node_count();
                assert_round_trip(&collection);
                if collection.damaged_values() > 0 {
                    odd.push(format!("{}: {} damaged", path.display(), collection.damaged_values()));
                }
                for &root in collection.roots() {
                    odd.extend(misunderstood(&collection, root).map(|error| format!("{}: {error}", path.display())));
                }
            }
            Err(error) => refused.push(format!("{}: {error}", path.display())),
        }
    }
    // One file stops before its last parenthesis, one is empty.
    assert_eq!(refused.len(), 2, "{refused:#?}");
    assert!(
        refused[0]
            .ends_with("owl42.sgf: byte 1157: the file ends, but the \"(\" at byte 0 is still open: expected \")\"")
    );
    assert!(refused[1].ends_with("nightmare.sgf: byte 0: found no game tree: expected \"(;\""));
    // Results in prose ("White resigns.", "has adjourned.", Chinese); nothing else is
    // misunderstood.
    assert!(odd.iter().all(|complaint| complaint.contains(": RE[")) && odd.len() <= 20, "{odd:#?}");
    assert!(read + 2 == paths.len() && nodes > 200_000, "{read} of {} files, {nodes} nodes", paths.len());
}

/// The first value of a Go record that is not what its property should hold.
fn misunderstood(collection: &Collection, root: NodeId) -> Option<String> {
    let facts = collection.node(root);
    if facts.game_type() != Ok(GameType::Go) {
        return Some(format!("{:?}", facts.game_type()));
    }
    let size = match facts.size() {
        Ok(size) => size.unwrap_or(BoardSize::square(19)),
        Err(error) => return Some(error.to_string()),
    };
    let errors = [facts.komi().err(), facts.handicap().err(), facts.result().err(), facts.format().err()];
    if let Some(error) = errors.into_iter().flatten().next() {
        return Some(error.to_string());
    }
    for node in collection.descendants(root) {
        for color in ["B", "W"] {
            if let Some(Err(error)) = node.value(color).map(|value| value.go_move(size)) {
                return Some(error.to_string());
            }
        }
        for list in ["AB", "AW", "AE", "TR", "SQ", "MA", "CR"] {
            if let Err(error) = node.points(list, PointStyle::Go, size) {
                return Some(error.to_string());
            }
        }
    }
    None
}

// Hostile files.

#[test]
fn a_hundred_thousand_nested_variations() {
    with_small_stack(|| {
        const DEPTH: usize = 100_000;
        let mut file = "(;B[aa](;W[bb])".repeat(DEPTH);
        file.push_str(&")".repeat(DEPTH));
        let collection = Collection::parse(file.as_bytes()).unwrap();
        assert_eq!(collection.node_count(), 2 * DEPTH);
        let copy = collection.clone();
        assert!(copy == collection);
        assert_eq!(collection.main_line(collection.roots()[0]).count(), 2);
        assert_eq!(collection.descendants(collection.roots()[0]).count(), 2 * DEPTH);
        assert_round_trip(&collection);
        drop(copy);

        // Without siblings, the variations are one long line.
        let file = "(;B[aa]".repeat(DEPTH) + &")".repeat(DEPTH);
        let line = Collection::parse(file.as_bytes()).unwrap();
        assert_eq!(line.main_line(line.roots()[0]).count(), DEPTH);
        assert_round_trip(&line);

        let file = "(;".repeat(200_001);
        let error = Collection::parse(file.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "byte 400000: too many nested variations: expected at most 200000");
    });
}

#[test]
fn ten_megabytes_of_anything() {
    with_small_stack(|| {
        for (start, unit) in [
            ("", "("),
            ("", "["),
            ("", ";"),
            ("", "]"),
            ("", ")"),
            ("", "\0"),
            ("", "( "),
            ("", "(A "),
            ("", "(;"),
            ("", "(;)"),
            ("", "(;CA["),
            ("", "(;C[\\]"),
            ("", "(;C[\u{e9}]CA[big5])"),
            ("(;", "["),
            ("(;", ";"),
            ("(;", "("),
            ("(;", "A"),
            ("(;", "a"),
            ("(;C", "["),
            ("(;C", "[]"),
            ("(;C[", "\\"),
            ("(;C[", "\0"),
            ("(;C[", "]"),
            ("(;", "A[]"),
            ("(;", "\0"),
            ("(;CA[gb2312]C", "[\u{e9}"),
            ("(;)", "x"),
            ("(;)", ")"),
            ("(;", "()"),
        ] {
            let file = start.to_owned() + &unit.repeat(10_000_000 / unit.len());
            let begun = std::time::Instant::now();
            if let Err(error) = Collection::parse(file.as_bytes()) {
                let message = error.to_string();
                assert!(message.len() < 200 && !message.contains('\n') && message.contains("expected"), "{message}");
            }
            assert!(begun.elapsed().as_secs() < 10, "{start} {unit} took {:?}", begun.elapsed());
        }
    });
}

#[test]
fn looking_ahead_for_charsets_takes_linear_time() {
    // Read by bytes, each root of these seems to run through all that follow.
    let mut file = b"(;PB[\x83\x5c])".repeat(500_000);
    file.extend_from_slice(b"(;PB[\x83\x5c]CA[Shift_JIS]CA[Shift_JIS])");
    let begun = std::time::Instant::now();
    let _ = Collection::parse(&file);
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[test]
fn too_much_is_refused_by_name() {
    let refused = |file: &str| Collection::parse(file.as_bytes()).unwrap_err().problem;
    let is_limit = |problem: ParseProblem, what: &str| matches!(&problem, ParseProblem::TooMuch { what: found, .. } if found.contains(what));
    assert!(is_limit(refused(&" ".repeat((16 << 20) + 1)), "file"));
    assert!(is_limit(refused(&format!("({}", ";".repeat(1_000_001))), "nodes"));
    assert!(is_limit(refused(&format!("(;C[{}])", "x".repeat((64 << 10) + 1))), "value is too long"));
    assert!(is_limit(refused(&format!("(;C{})", "[]".repeat(1_000_001))), "values"));
    assert!(Collection::parse(format!("(;C[{}])", "x".repeat(64 << 10)).as_bytes()).is_ok());
    let none = Limits { file_bytes: 0, nodes: 0, depth: 0, value_bytes: 0, values: 0 };
    assert!(Collection::parse_within(b"(;)", &none).is_err());
    let all = Limits {
        file_bytes: usize::MAX,
        nodes: usize::MAX,
        depth: usize::MAX,
        value_bytes: usize::MAX,
        values: usize::MAX,
    };
    assert!(Collection::parse_within(b"(;C[x])", &all).is_ok());
}

/// A file with everything in it.
const SAMPLE: &[u8] = "Some mail (with brackets).\r\n(;FF[4]GM[1]CA[UTF-8]SZ[9:9]AP[x\\:y:1]PB[黒\\]]CoPyright[me];B[ee]C[soft\\\r\nbreak\\\\]\
    (;W[cc:dd]\t[aa] ;B[])(;W[tt]LB[aa:\\:]XX[?][!])) (;GM[11]SZ[11](B[a1];W[swap-pieces]))"
    .as_bytes();

#[test]
fn a_file_cut_off_anywhere_is_an_error_or_whole_trees() {
    round_trip(SAMPLE);
    let first_tree_ends = SAMPLE.windows(3).position(|three| three == b") (").unwrap() + 1;
    for length in 0..SAMPLE.len() {
        match Collection::parse(&SAMPLE[..length]) {
            Ok(collection) => {
                assert!(length >= first_tree_ends && collection.roots().len() == 1, "cut at {length}");
                assert_round_trip(&collection);
            }
            Err(error) => {
                assert!(error.offset <= length, "cut at {length}: {error}");
                assert!(!error.to_string().contains('\n'), "cut at {length}: {error}");
            }
        }
    }
}

#[test]
fn any_byte_of_a_file_may_be_any_other() {
    for at in 0..SAMPLE.len() {
        for byte in (0..=255).step_by(3).chain(*b"();[]\\:") {
            let mut file = SAMPLE.to_vec();
            file[at] = byte;
            exercise(&file);
        }
    }
}

/// Reads the bytes as SGF; whatever comes out must be consistent. Also what the fuzz target does.
fn exercise(bytes: &[u8]) {
    match Collection::parse(bytes) {
        Err(error) => assert!(error.offset <= bytes.len() && !error.to_string().contains('\n'), "{error}"),
        Ok(collection) => {
            assert_round_trip(&collection);
            for &root in collection.roots() {
                let _ = misunderstood(&collection, root);
                for node in collection.descendants(root) {
                    for value in node.properties().flat_map(|property| property.values()) {
                        assert!(value.offset().is_some_and(|offset| offset <= bytes.len()));
                        let _ =
                            (value.text(), value.simple_text(), value.parts(), value.hex_move(BoardSize::square(11)));
                    }
                }
            }
        }
    }
}

#[test]
fn the_corpus_of_nasty_files() {
    let mut paths = Vec::new();
    files_under(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus")), &mut paths);
    assert!(paths.len() >= 40, "the corpus has only {} files", paths.len());
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let result = Collection::parse(&bytes);
        match name.split('-').next() {
            Some("ok") => assert!(result.is_ok(), "{name}: {}", result.unwrap_err()),
            Some("bad") => assert!(result.is_err(), "{name} should be refused"),
            _ => panic!("{name}: expected a name that begins with ok- or bad-"),
        }
        exercise(&bytes);
    }
}

// Laws.

/// Text with many of the characters that mean something.
fn any_text() -> impl Strategy<Value = String> {
    let special =
        prop::sample::select(vec!['\\', ']', '[', ':', '\n', '\r', '\t', '\0', ';', '(', ')', '白', '\u{feff}']);
    prop::collection::vec(prop_oneof![special, any::<char>()], 0..20).prop_map(String::from_iter)
}

/// A collection by recipe: for every node after the first, whether it begins a tree, continues the
/// last node or hangs on some earlier one; and its properties.
fn any_collection() -> impl Strategy<Value = Collection> {
    let value = prop_oneof!["[a-s]{2}", any_text()];
    let property = ("[A-Z][A-Z0-9]{0,2}", prop::collection::vec(value, 1..4));
    let node = (any::<prop::sample::Index>(), 0..8u8, prop::collection::vec(property, 0..4));
    prop::collection::vec(node, 1..40).prop_map(|recipe| {
        let mut collection = Collection::new();
        let mut nodes: Vec<NodeId> = Vec::new();
        for (parent, kind, properties) in recipe {
            let node = match (nodes.last(), kind) {
                (None, _) | (_, 0) => collection.add_tree().unwrap(),
                (Some(&last), 1..=4) => collection.add_child(last).unwrap(),
                _ => collection.add_child(nodes[parent.index(nodes.len())]).unwrap(),
            };
            for (name, values) in properties.into_iter().filter(|(name, _)| name != "CA") {
                let raw: Vec<&str> = values.iter().map(String::as_str).collect();
                collection.set_raw(node, &name, &raw).unwrap();
            }
            nodes.push(node);
        }
        collection
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_reads_back_equal(collection in any_collection()) {
        assert_round_trip(&collection);
    }

    #[test]
    fn text_survives(text in any_text()) {
        let mut collection = Collection::new();
        let root = collection.add_game(GameType::Gomoku).unwrap();
        let text = text.replace('\r', "");
        collection.set_text(root, "C", &text).unwrap();
        let again = Collection::parse(collection.write().as_bytes()).unwrap();
        let read = again.node(again.roots()[0]).value("C").unwrap().text();
        prop_assert_eq!(read, text.replace(['\t', '\u{b}', '\u{c}'], " "));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
    }

    #[test]
    fn arbitrary_tokens_never_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                &b"("[..], b"(;", b")", b";", b"[", b"]", b"\\", b":", b"B[aa]", b"AB[aa:cc]", b"CA[gb2312]", b"CA[Shift_JIS]",
                b"CA[what]", b"CA[UTF-8]", b"C[", b"\x83\x5c", b"\xb0\xd7", b"\xe9", b"\r\n", b"\0", b"\xef\xbb\xbf", b"SZ[9]", b"x",
            ]),
            0..60,
        )
    ) {
        exercise(&tokens.concat());
    }
}
