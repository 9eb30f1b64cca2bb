//! Any bytes in: never a panic, a hang or a malformed answer.
//!
//! Lines are made from the committed corpus (`corpus/`, seed lines of each protocol; a line that
//! was ever answered wrongly goes there) and the transcripts: taken as they are, with words
//! exchanged, dropped and doubled, numbers and letters changed, or pure noise. Ten thousand a
//! protocol run with every test, a million in the ignored tests. Coverage-guided: `cargo fuzz run
//! -s none protocols` (see `fuzz/`).

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use tesuji::protocol::{
    Analysis, Dialect, Engine, Flow, Form, GRACE, Gomocup, Gtp, LONGEST_LINE, NBoard, Protocol, Setup, Uci, Vertices,
    serve, talk,
};
use tesuji_core::{Budget, Rng, Seed};
use tesuji_testing::sized;

fn engine(game: &str) -> Engine {
    let setup = Setup {
        game: game.parse().expect("a game"),
        agent: "random".parse().expect("an agent"),
        limits: Budget { hard_time: Some(Duration::from_millis(10)), ..Budget::iterations(20) },
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted(),
    };
    Engine::new(setup).expect("an engine")
}

fn speakers(form: Form) -> Vec<Box<dyn Protocol>> {
    match form {
        Form::Gtp => ["go(size=5)", "hex(size=4)", "othello", "xiangqi", "connect6", "pgame"]
            .map(|game| Box::new(Gtp::new(engine(game), Vertices::Native)) as Box<dyn Protocol>)
            .into(),
        Form::Gomocup => vec![Box::new(Gomocup::new(engine("gomoku(size=15)")))],
        Form::Uci => vec![Box::new(Uci::new(engine("xiangqi"), Dialect::Uci))],
        Form::Ucci => vec![Box::new(Uci::new(engine("xiangqi"), Dialect::Ucci))],
        Form::NBoard => vec![Box::new(NBoard::new(engine("othello")))],
        Form::Analysis => vec![Box::new(Analysis::new(engine("go(size=5)")))],
    }
}

/// What must not be said here: agents that take long because they were told to. Files and programs
/// are out of reach.
fn is_out_of_bounds(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    ["mcts", "minimax", "oracle", "rps", "expected", "level"].iter().any(|word| line.contains(word))
}

/// The seed lines of a protocol, the lines of its transcripts, and every command alone.
fn corpus(form: Form) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let prefix = format!("{form:?}").to_ascii_lowercase();
    let mut lines = Vec::new();
    for file in std::fs::read_dir(&folder).expect("the folder") {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().to_string();
        if name.split(['-', '.']).next() != Some(prefix.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        lines.extend(text.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_string));
        if form == Form::Gtp {
            lines.extend(
                text.lines().filter(|line| line.contains(['-', '_']) && !line.contains(' ')).map(str::to_string),
            );
        }
    }
    let seeds = folder.with_file_name("corpus").join(format!("{prefix}.txt"));
    lines.extend(std::fs::read_to_string(seeds).expect("seed lines").lines().map(str::to_string));
    lines.retain(|line| !is_out_of_bounds(line));
    assert!(lines.len() > 10, "{form:?}");
    lines
}

const WORDS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "7",
    "19",
    "25",
    "26",
    "99999999999999999999",
    "1e999",
    "nan",
    "0.5",
    "-0",
    "b",
    "w",
    "black",
    "WHITE",
    "pass",
    "resign",
    "swap",
    "a1",
    "A1",
    "T19",
    "h8",
    "e5",
    "a0a1",
    "h2e2",
    "3,3",
    "0,0,1",
    "99,99,9",
    ",",
    "DONE",
    "moves",
    "startpos",
    "fen",
    "infinite",
    "depth",
    "nodes",
    "true",
    "value",
    "name",
    "interval",
    "avoid",
    "allow",
    "ownership",
    "#",
    "=",
    "?",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "(",
    ";",
    "\\",
    "\u{0}",
    "\t",
    "é",
    "漢",
    "\u{1F600}",
    "go(size=7)",
    "hex(size=3)",
    "othello",
    "random",
];

fn bent(rng: &mut Rng, corpus: &[String]) -> String {
    let any = |rng: &mut Rng, count: usize| rng.below(count.max(1) as u32) as usize;
    let base = corpus[any(rng, corpus.len())].clone();
    let mut words: Vec<String> = base.split(' ').map(str::to_string).collect();
    match rng.below(10) {
        0..=2 => return base,
        3 => {
            let at = any(rng, words.len());
            words[at] = WORDS[any(rng, WORDS.len())].to_string();
        }
        4 => {
            words.remove(any(rng, words.len()));
        }
        5 => {
            let at = any(rng, words.len());
            words.insert(at, WORDS[any(rng, WORDS.len())].to_string());
        }
        6 => {
            let other = &corpus[any(rng, corpus.len())];
            words.extend(other.split(' ').skip(1).map(str::to_string));
        }
        7 => {
            let mut letters: Vec<char> = base.chars().collect();
            for _ in 0..=rng.below(4) {
                let letter = char::from_u32(rng.below(0x250)).unwrap_or('?');
                let at = any(rng, letters.len() + 1);
                if rng.below(2) == 0 || at >= letters.len() {
                    letters.insert(at.min(letters.len()), letter)
                } else {
                    letters[at] = letter
                }
            }
            return letters.into_iter().filter(|c| *c != '\n').collect();
        }
        8 => {
            let count = rng.below(40);
            return (0..count)
                .map(|_| char::from_u32(rng.below(0x3000)).filter(|c| *c != '\n').unwrap_or(' '))
                .collect();
        }
        _ => {
            let at = any(rng, words.len());
            let digits = words[at].clone();
            words[at] = digits
                .chars()
                .map(|c| if c.is_ascii_digit() { char::from(b'0' + rng.below(10) as u8) } else { c })
                .collect();
        }
    }
    words.join(" ")
}

fn fuzz(form: Form, lines: u64, seed: Seed) {
    let corpus = corpus(form);
    let mut rng = Rng::new(seed);
    let mut speakers = speakers(form);
    let mut slowest = (Duration::ZERO, String::new());
    let (mut said, mut served) = (0, 0);
    for number in 0..lines {
        let line = bent(&mut rng, &corpus);
        if is_out_of_bounds(&line) {
            continue;
        }
        let which = number as usize % speakers.len();
        let began = Instant::now();
        let (answer, flow) = talk(speakers[which].as_mut(), &line);
        if began.elapsed() > slowest.0 {
            slowest = (began.elapsed(), line.clone());
        }
        let flaw = form.flaw(&line, &answer);
        assert_eq!(flaw, None, "{form:?} said {line:?}, answered {answer:?}");
        said += 1;
        let refused = ["?", "ERROR", "UNKNOWN", "{\"error", "status the", "status cannot", "info string"];
        served += u64::from(!answer.is_empty() && !refused.iter().any(|word| answer.starts_with(word)));
        // Now and then a new conversation.
        if flow == Flow::Quit || number % 5_000 == 4_999 {
            speakers = self::speakers(form);
        }
    }
    assert!(slowest.0 < Duration::from_secs(60), "it hung: {slowest:?}");
    // Nonsense alone would prove little: a good part must be understood.
    let share = served * 100 / said.max(1);
    assert!(share >= 5, "{form:?}: only {share} % of the lines were served");
    let _ = writeln!(std::io::stderr(), "{form:?}: {said} lines, {share} % served");
}

#[test]
fn bent_lines_of_gtp() {
    fuzz(Form::Gtp, sized(10_000, 1_000_000), Seed(sized(1, 3)));
}

#[test]
fn bent_lines_of_each_other_protocol() {
    for form in Form::ALL.into_iter().filter(|form| *form != Form::Gtp) {
        fuzz(form, sized(10_000, 1_000_000), Seed(sized(2, 3)));
    }
}

/// The loop itself, with bytes that are no text, lines without an end, and lines that are too long.
#[test]
fn raw_bytes_through_the_loop() {
    let mut rng = Rng::new(Seed(4));
    for form in Form::ALL {
        for speaker in &mut speakers(form) {
            let mut input = Vec::new();
            for number in 0..50_u32 {
                for _ in 0..rng.below(60) {
                    input.push(rng.below(256) as u8);
                }
                input.push(b'\n');
                if number == 25 {
                    input.extend(std::iter::repeat_n(b'x', LONGEST_LINE + 10));
                    input.push(b'\n');
                }
            }
            input.extend_from_slice(b"no ending");
            let mut output = Vec::new();
            serve(speaker.as_mut(), std::io::Cursor::new(input), &mut output).expect("a vector takes everything");
            let text = String::from_utf8(output).expect("UTF-8 out, whatever came in");
            assert!(text.is_empty() || text.ends_with('\n'));
            if form == Form::Gtp {
                assert!(text.split_terminator("\n\n").all(|answer| answer.starts_with(['=', '?'])), "{text}");
            }
        }
    }
}
