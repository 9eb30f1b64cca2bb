//! Files of games are read in bounded memory.
//!
//! The allocator of the tests counts what the thread of a test holds. The bounds are generous.

use tesuji_agents::{Access, Session, records};
use tesuji_core::MOST_SET_UPS;
use tesuji_core::spec::Spec;
use tesuji_games::connect6::Connect6Problem;
use tesuji_games::goproblem::Problem;
use tesuji_games::synthetic::Tree;
use tesuji_games::xiangqi::Xiangqi;
use tesuji_testing::memory::{MEGABYTE, peak_of};

fn spec(text: &str) -> Spec {
    text.parse().expect("a spec")
}

/// A record of Go with `count` nodes that set a stone up, or take it away again.
fn set_ups(count: usize) -> String {
    let nodes: String = (0..count).map(|node| if node % 2 == 0 { ";AB[cc]" } else { ";AE[cc]" }).collect();
    format!("(;GM[1]SZ[19]{nodes})")
}

/// 13 kB a node before: a file of 1.4 MB took 2.6 GB.
#[test]
fn a_record_of_set_up_nodes_is_read_in_bounded_memory() {
    let text = set_ups(20_000);
    let mut problem = String::new();
    let peak = peak_of(|| problem = records::read(&spec("go"), text.as_bytes(), None).err().unwrap_or_default());
    assert!(peak < 64 * MEGABYTE, "{peak} bytes");
    assert!(problem.contains("more than 1000 set-ups"), "{problem}");
}

/// As many as are allowed are kept, and can be taken back.
#[test]
fn a_record_within_the_limit_is_played() {
    let text = set_ups(MOST_SET_UPS);
    let peak = peak_of(|| {
        let record = records::read(&spec("go"), text.as_bytes(), None).expect("a game");
        let mut session = Session::new(&record.game, &spec("random")).expect("a session");
        session.replay(record).expect("legal");
        assert_eq!(session.steps(), MOST_SET_UPS);
        while session.undo().is_ok() {}
    });
    assert!(peak < 64 * MEGABYTE, "{peak} bytes");
}

/// The rules end a game of too many moves, but a set-up starts the count again.
#[test]
fn a_record_of_too_many_steps_is_refused() {
    let moves = ";B[];W[]".repeat(600);
    let text = format!("(;GM[1]SZ[9]{})", format!(";AB[cc]{moves};AE[cc]{moves}").repeat(50));
    let problem = records::read(&spec("go"), text.as_bytes(), None).err().unwrap_or_default();
    assert!(problem.contains("more than 100000 moves and set-ups"), "{problem}");
}

/// 115 to 210 bytes a node before.
#[test]
fn trees_cost_tens_of_bytes_a_node() {
    let count = 400_000;
    let chain = format!("{}1{}", "F(".repeat(count), ")".repeat(count));
    let flat = format!("S({})", "1 ".repeat(count));
    let mixed = format!("{}1{}", "F(a:1 b:".repeat(count), ")".repeat(count));
    let named: Vec<String> = (0..count).map(|child| format!("n{child}:0")).collect();
    let named = format!("F({})", named.join(" "));
    for (text, most) in [(chain, 64), (flat, 64), (mixed, 64), (named, 80)] {
        let mut size = 0;
        let peak = peak_of(|| size = Tree::from_text(&text).expect("a tree").size());
        assert!(peak < most * size as i64, "{} bytes a node", peak / size as i64);
    }
    // Positions that are opened and never closed count too.
    let open = "F(a:1 ".repeat(1_000_000);
    let peak = peak_of(|| assert!(Tree::from_text(&open).is_err_and(|error| error.problem.contains("more than"))));
    assert!(peak < 64 * MEGABYTE, "{peak} bytes");
}

/// Whatever stands in a problem file of the largest size, or in a text of a spec, it costs a
/// bounded amount.
#[test]
fn problem_files_are_read_in_bounded_memory() {
    const LARGEST: usize = 1 << 20;
    let pieces = [
        "X",
        ".",
        "\n",
        "X.O\n",
        "Stone\n",
        "Stone 1 1 1\n",
        "goal: A1\n",
        ";AB[aa]",
        ";",
        "[]",
        "(;",
        "(;AB[aa:ss])",
        "a1 ",
        "board:\n",
        "# \n",
        "1 2 3 4 5 6\n",
        "[\"fen\"]",
        "9/",
        "r",
    ];
    for head in ["", "(;GM[1]SZ[19]", "Stone\n", "size: 19\nmoves: "] {
        for piece in pieces {
            let text = format!("{head}{}", piece.repeat((LARGEST - head.len()) / piece.len()));
            let peak = peak_of(|| {
                let _ = Problem::from_bytes(text.as_bytes());
                let _ = Connect6Problem::from_text(&text[..1 << 16]);
                let _ = Xiangqi::from_fen(&text[..1 << 16]);
            });
            assert!(peak < 96 * MEGABYTE, "{head:?}, {piece:?}: {peak} bytes");
        }
    }
}

/// A file of another kind is not read, however large: `verify` read 3 GB before it looked at the
/// first bytes.
#[test]
fn a_large_file_of_another_kind_is_not_read() {
    let path = std::env::temp_dir().join(format!("tesuji-large-{}.proof", std::process::id()));
    let file = std::fs::File::create(&path).expect("a file");
    // No block of it is written.
    file.set_len(3 << 30).expect("a hole");
    let name = path.to_str().expect("UTF-8");
    let mut answers = Vec::new();
    let peak = peak_of(|| {
        answers.push(Access::unrestricted().read_of_kind(name, b"tesuji proof", 4 << 30).expect("its first bytes"));
        answers.extend(Access::unrestricted().read_of_kind(name, &[0; 12], 1 << 30).ok());
    });
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(answers, [vec![0; 12]], "the second is too large");
    assert!(peak < MEGABYTE, "{peak} bytes");
}
