//! Files that a dying run left, cut at every byte.

use super::{Event, Folder, Kept, Plan, Stored};
use crate::plan::{Experiment, Part, Size};
use crate::tasks::Line;
use std::path::PathBuf;
use tesuji_agents::Access;

const TEXT: &str = r#"
id = "torn"
title = "Torn"
claim = "None."
source = "this test"
kind = "histogram"
seed = 1
[setup]
repeats = 3
positions = [{ name = "start", game = "tictactoe" }]
agents = [{ name = "chance", agent = "random" }]
[sizes.quick]
core-hours = 1
[sizes.full]
core-hours = 1
"#;

fn plan() -> Plan {
    let experiment = Experiment::read("torn.toml", TEXT, &Access::restricted()).expect("an experiment");
    Plan::new(&experiment, false, Size::Full, Part::WHOLE).expect("a plan")
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tesuji-lab-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// A folder in which all jobs are done.
fn filled(path: &std::path::Path) -> Vec<Line> {
    let mut folder = Folder::open(path, plan()).expect("a folder");
    let lines: Vec<Line> = folder.stored.plan.jobs.iter().map(|job| job.task.run(&Access::restricted())).collect();
    let (mut results, attempts) = folder.writers();
    for line in &lines {
        attempts.note(&Event::Begun { id: line.id.clone() }).expect("noted");
    }
    results.add(lines.clone()).expect("written");
    lines
}

#[test]
fn a_torn_end_is_cut_off_at_every_byte() {
    let path = scratch("torn");
    let lines = filled(&path);
    for name in ["results.jsonl", "attempts.jsonl"] {
        let file = path.join(name);
        let whole = std::fs::read(&file).expect("a file");
        for length in 0..=whole.len() {
            std::fs::write(&file, &whole[..length]).expect("written");
            let kept = whole[..length].iter().filter(|byte| **byte == b'\n').count();
            let seen = Stored::read(&path).expect("a report reads it while it is written");
            let folder = Folder::open(&path, plan()).expect("the next run opens it");
            let found = if name == "results.jsonl" { folder.stored.lines.len() } else { folder.stored.events.len() };
            assert_eq!(found, kept, "{name} cut at {length}");
            assert_eq!((seen.lines.len(), seen.events.len()), (folder.stored.lines.len(), folder.stored.events.len()));
            let left = whole[..length].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            assert_eq!(std::fs::read(&file).expect("a file"), whole[..left], "the torn end is gone");
        }
        std::fs::write(&file, &whole).expect("written");
    }
    assert_eq!(Stored::read(&path).expect("whole").lines.len(), lines.len());
    let _ = std::fs::remove_dir_all(&path);
}

/// Damage anywhere else is no death of a run, and is not repaired in silence.
#[test]
fn damage_before_the_end_is_refused_with_its_line() {
    let path = scratch("damaged");
    let lines = filled(&path);
    let file = path.join("results.jsonl");
    let whole = std::fs::read_to_string(&file).expect("text");
    let first = whole.lines().next().expect("a line").to_string();
    for (text, part) in [
        (whole.replacen('{', "[", 1), "line 1:"),
        (format!("{whole}{first}\n"), "line 4: job"),
        (whole.replacen(&lines[1].id, &"0".repeat(32), 1), "line 2: job"),
        (whole.replacen("\"result\"", "\"rezult\"", 1), "line 1: unknown field"),
    ] {
        std::fs::write(&file, text).expect("written");
        let error = Folder::open(&path, plan()).expect_err("damaged").to_string();
        assert!(error.contains(part), "{error}");
    }
    std::fs::write(&file, &whole).expect("written");
    let plan_file = path.join("plan.json");
    let planned = std::fs::read_to_string(&plan_file).expect("text");
    std::fs::write(&plan_file, planned.replacen("\"seed\": ", "\"seed\": 1", 1)).expect("written");
    let error = Stored::read(&path).expect_err("changed").to_string();
    assert!(error.contains("does not have the id of its text"), "{error}");
    let _ = std::fs::remove_dir_all(&path);
}

/// Kept lines belong to jobs by their ids, and by their numbers while the experiment file is the same;
/// else they are out of date.
#[test]
fn kept_lines_find_their_jobs() {
    let path = scratch("kept");
    let lines = filled(&path);
    let text = Stored::read(&path).expect("results").kept();
    assert_eq!(text.lines().count(), 1 + lines.len());
    let file = path.join("kept.jsonl");
    let read = |plan: Plan, text: &str| {
        std::fs::write(&file, text).expect("written");
        Kept::read(plan, &file)
    };
    let kept = read(plan(), &text).expect("kept lines");
    assert_eq!((kept.stored.lines.len(), kept.outdated), (3, 0));
    assert_eq!(kept.stored.kept(), text, "written again as it was");
    // A program of tomorrow spells an agent in another way: the ids differ, the numbers do not.
    let renamed = text.replace("\"id\":\"", "\"id\":\"f");
    let kept = read(plan(), &renamed).expect("kept lines");
    assert_eq!((kept.stored.lines.len(), kept.outdated), (3, 0));
    assert!(lines.iter().all(|line| kept.stored.lines[&line.id].result == line.result));
    // Another file of the experiment: by ids alone.
    let mut edited = plan();
    edited.text += "# edited\n";
    assert_eq!(read(edited.clone(), &text).expect("kept lines").outdated, 0);
    assert_eq!(read(edited, &renamed).expect("kept lines").outdated, 3);
    let twice = format!("{text}{}\n", text.lines().last().expect("a line"));
    for wrong in ["", "{}\n", &text.replace("\"job\":1", "\"jab\":1"), &twice] {
        assert!(read(plan(), wrong).is_err(), "{wrong}");
    }
    std::fs::remove_dir_all(&path).expect("removed");
}
