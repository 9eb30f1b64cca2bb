//! Conversations replayed word for word: `>` is said, the lines below it are the answer.
//!
//! A transcript begins with `# protocol GAME AGENT iterations=N`. Times and speeds depend on the
//! machine and are written `#`. After an intended change the answers are rewritten by
//! `TESUJI_BLESS=1 cargo test -p tesuji protocol_transcripts`.

use std::path::Path;
use tesuji::protocol::{
    Analysis, Dialect, Engine, Form, GRACE, Gomocup, Gtp, NBoard, Protocol, Setup, Uci, Vertices, talk,
};
use tesuji_core::{Budget, Seed};

/// The protocol that a transcript's first line names.
fn speaker(head: &str) -> Box<dyn Protocol> {
    let words: Vec<&str> = head.trim_start_matches('#').split_whitespace().collect();
    let [protocol, game, agent, iterations] = words[..] else {
        panic!("expected # protocol game agent iterations=N: {head}")
    };
    let iterations = iterations.strip_prefix("iterations=").and_then(|n| n.parse().ok()).expect("iterations=N");
    let setup = Setup {
        game: game.parse().expect("a game"),
        agent: agent.parse().expect("an agent"),
        limits: Budget::iterations(iterations),
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted(),
    };
    let engine = Engine::new(setup).expect("an engine");
    match protocol {
        "gtp" => Box::new(Gtp::new(engine, Vertices::Native)),
        "gomocup" => Box::new(Gomocup::new(engine)),
        "uci" => Box::new(Uci::new(engine, Dialect::Uci)),
        "ucci" => Box::new(Uci::new(engine, Dialect::Ucci)),
        "nboard" => Box::new(NBoard::new(engine)),
        "analysis" => Box::new(Analysis::new(engine)),
        other => panic!("no protocol {other}"),
    }
}

/// Without what the machine decides: the number after these words.
fn timeless(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
        for at in 1..words.len() {
            if line.starts_with("info depth") && ["nps", "time"].contains(&words[at - 1].as_str()) {
                words[at] = "#".into();
            }
        }
        if words[0] == "nodestats" && words.len() == 3 {
            words[2] = "#".into();
        }
        if words[0] == "===" {
            // A move, its value, and the time it took.
            words[1] = words[1].rsplit_once('/').map_or(words[1].clone(), |(kept, _)| format!("{kept}/#"));
        }
        let line = words.join(" ");
        // The day of a record.
        let line = match line.split_once("DT[20") {
            Some((before, after)) => format!("{before}DT[#{}", after.trim_start_matches(|c: char| c != ']')),
            None => line,
        };
        // "0.02 s," in explanations.
        let line = match line.split_once(" s, ended by") {
            Some((before, after)) => {
                let kept = before.rsplit_once(' ').map_or("", |(kept, _)| kept);
                format!("{kept} # s, ended by{after}")
            }
            None => line,
        };
        lines.push(line);
    }
    lines.join("\n")
}

fn replay(text: &str) -> String {
    let mut lines = text.lines();
    let head = lines.next().expect("a first line");
    let mut speaker = speaker(head);
    let name = head.split_whitespace().nth(1).unwrap_or_default();
    let form = Form::ALL.into_iter().find(|form| format!("{form:?}").eq_ignore_ascii_case(name)).expect("a form");
    let mut replayed = format!("{head}\n");
    for line in lines {
        if let Some(said) = line.strip_prefix('>') {
            let said = said.strip_prefix(' ').unwrap_or(said);
            let (answer, _) = talk(speaker.as_mut(), said);
            assert_eq!(form.flaw(said, &answer), None, "{said}: {answer}");
            replayed += &format!("{line}\n{}", timeless(&answer));
            if !replayed.ends_with('\n') {
                replayed.push('\n');
            }
        } else if line.starts_with("# ") {
            replayed += &format!("{line}\n");
        }
    }
    replayed
}

#[test]
fn every_transcript_is_replayed_word_for_word() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").map(|f| f.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("text");
        let replayed = replay(&text);
        if std::env::var_os("TESUJI_BLESS").is_some() {
            std::fs::write(&path, replayed).expect("written");
            continue;
        }
        for (number, (ours, kept)) in replayed.lines().zip(text.lines()).enumerate() {
            assert_eq!(ours, kept, "{}, line {}", path.display(), number + 1);
        }
        assert_eq!(replayed.lines().count(), text.lines().count(), "{}", path.display());
    }
}
