//! Experiments from the command line: bad files, killed and interrupted runs, parts, reports.

use super::command::{json_of, program, refuses, tesuji};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tesuji_core::{Rng, Seed};

/// A match that takes some seconds without optimisation.
const MATCH: &str = include_str!("corpus/lab/small.toml");

/// A new folder for a test, with an experiment in it.
fn scratch(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("small.toml"), text).expect("written");
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_string()
}

fn start(folder: &Path, out: &str, more: &[&str]) -> Child {
    let mut command = program();
    command.args(["lab", "run", &path(folder, "small.toml"), "--out", &path(folder, out)]).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

fn run(folder: &Path, out: &str, more: &[&str]) -> Value {
    let (file, out) = (path(folder, "small.toml"), path(folder, out));
    json_of(&[&["lab", "run", &file, "--out", &out, "--json"], more].concat())
}

/// The result lines of a folder without their times; no job has two.
fn lines(folder: &Path, out: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(out).join("results.jsonl")).expect("results");
    let timeless = |line: &str| {
        let mut value: Value = serde_json::from_str(line).expect("a line");
        value.as_object_mut().expect("an object").remove("seconds");
        value.to_string()
    };
    let all: Vec<String> = text.lines().map(timeless).collect();
    let set: BTreeSet<String> = all.iter().cloned().collect();
    let ids: BTreeSet<&str> = text.lines().map(|line| line.split('"').nth(3).expect("an id")).collect();
    assert!(set.len() == all.len() && ids.len() == all.len(), "a job has two results");
    set
}

/// The moment and the place of a death must not matter: nothing is lost, doubled or changed, and no
/// job is blamed.
#[test]
fn killed_runs_go_on_where_they_ended() {
    let folder = scratch("killed", &MATCH.replace("iterations = 400", "iterations = 40000"));
    let begun = Instant::now();
    assert_eq!(run(&folder, "whole", &["--jobs", "2"])["complete"], true);
    let took = begun.elapsed();
    let whole = lines(&folder, "whole");
    assert_eq!(whole.len(), 60);
    let mut rng = Rng::new(Seed(42));
    let (mut kills, mut refused, mut span) = (0, 0, took.mul_f64(0.05));
    while kills < 20 {
        let noted = || std::fs::metadata(folder.join("killed/attempts.jsonl")).map_or(0, |file| file.len());
        let before = noted();
        let mut child = start(&folder, "killed", &["--jobs", "2"]);
        // Every other death comes after the run has noted its begin, however fast the machine is.
        while kills % 2 == 0 && noted() == before && child.try_wait().expect("a status").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(span.mul_f64(rng.unit()));
        // A run that has ended by itself is no kill. The machine has become faster since the whole was
        // timed: the result is judged, and the rest of the deaths come sooner, in a new folder.
        if let Some(status) = child.try_wait().expect("a status") {
            // A process that a dead run was about to start keeps its lock for a moment.
            if !status.success() {
                refused += 1;
                assert!(refused < 500, "no run can write to the folder");
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
            assert_eq!(lines(&folder, "killed"), whole);
            std::fs::remove_dir_all(folder.join("killed")).expect("removed");
            span /= 2;
            continue;
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("dead");
        kills += 1;
    }
    while !start(&folder, "killed", &["--jobs", "2"]).wait().expect("a status").success() {
        refused += 1;
        assert!(refused < 500, "no run can write to the folder");
        std::thread::sleep(Duration::from_millis(10));
    }
    let done = run(&folder, "killed", &["--jobs", "2"]);
    assert_eq!((&done["complete"], &done["void"]), (&Value::from(true), &Value::from(0)), "{done}");
    assert_eq!(lines(&folder, "killed"), whole);
    let attempts = std::fs::read_to_string(folder.join("killed/attempts.jsonl")).expect("attempts");
    assert!(!attempts.contains("\"died\""), "the death of a run was held against a job");
    assert!(attempts.contains("\"run\""), "runs were noted: {attempts}");
}

#[test]
fn parts_together_are_the_whole() {
    let folder = scratch("parts", MATCH);
    run(&folder, "whole", &["--quick"]);
    let whole = lines(&folder, "whole");
    for part in ["1/3", "2/3", "3/3"] {
        run(&folder, &format!("part-{}", &part[..1]), &["--quick", "--part", part]);
    }
    let [one, two, three] = ["part-1", "part-2", "part-3"].map(|name| path(&folder, name));
    let merged = json_of(&["lab", "merge", &three, &one, &two, "--out", &path(&folder, "merged"), "--json"]);
    assert_eq!((&merged["complete"], &merged["planned"]), (&Value::from(true), &Value::from(18)));
    assert_eq!(lines(&folder, "merged"), whole);
    let again = run(&folder, "merged", &["--quick"]);
    assert_eq!(again["fresh"], 0, "nothing is left to run: {again}");
    // Missing parts are run afterwards.
    json_of(&["lab", "merge", &three, &one, "--out", &path(&folder, "two"), "--json"]);
    assert_eq!(run(&folder, "two", &["--quick"])["fresh"], 6);
    assert_eq!(lines(&folder, "two"), whole);
    // Overlapping and conflicting parts.
    let out = path(&folder, "refused");
    refuses(&["lab", "merge", &one, &one, "--out", &out], "overlap");
    refuses(&["lab", "merge", &one, &path(&folder, "whole"), "--out", &out], "overlap");
    run(&folder, "half", &["--quick", "--part", "2/2"]);
    refuses(&["lab", "merge", &one, &path(&folder, "half"), "--out", &out], "overlap");
    let other = scratch("other", &MATCH.replace("seed = 7", "seed = 8"));
    run(&other, "part-2", &["--quick", "--part", "2/3"]);
    refuses(&["lab", "merge", &one, &path(&other, "part-2"), "--out", &out], "conflict");
    refuses(&["lab", "merge", &one, &two, "--out", &path(&folder, "merged")], "exists");
    // A line of another part in a folder is no result of it.
    let stranger = std::fs::read_to_string(folder.join("part-1/results.jsonl")).expect("results");
    std::fs::write(folder.join("part-2/results.jsonl"), stranger).expect("written");
    refuses(&["lab", "merge", &one, &two, "--out", &out], "not in this part");
    assert!(!Path::new(&out).join("plan.json").exists());
}

#[test]
fn a_job_is_a_function_of_its_text() {
    let folder = scratch("job", MATCH);
    run(&folder, "out", &["--quick"]);
    let plan: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("out/plan.json")).expect("a plan")).expect("JSON");
    let known = lines(&folder, "out");
    for job in plan["jobs"].as_array().expect("jobs").iter().take(3) {
        let mut child =
            program().args(["lab", "job"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), job["task"].to_string().as_bytes())
            .expect("written");
        let output = child.wait_with_output().expect("it ends");
        let mut line: Value = serde_json::from_slice(&output.stdout).expect("a line");
        assert_eq!(line["id"], job["id"], "keys in another order are the same job");
        line.as_object_mut().expect("an object").remove("seconds");
        assert!(known.contains(&line.to_string()), "{line}");
    }
}

#[test]
fn one_run_writes_to_a_folder() {
    let folder = scratch("locked", &MATCH.replace("iterations = 400", "iterations = 400000"));
    let mut first = start(&folder, "out", &[]);
    let begun = Instant::now();
    while !folder.join("out/plan.json").exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let (file, out) = (path(&folder, "small.toml"), path(&folder, "out"));
    refuses(&["lab", "run", &file, "--out", &out], "another run");
    first.kill().expect("SIGKILL");
    first.wait().expect("dead");
    refuses(&["lab", "run", &file, "--out", &out, "--quick"], "it holds the full size");
    std::fs::write(&file, MATCH).expect("written");
    refuses(&["lab", "run", &file, "--out", &out], "file was changed");
}

/// Ctrl-C finishes the games that are being played, and the exit code says that it is not all.
#[cfg(unix)]
#[test]
fn an_interrupted_run_finishes_its_games() {
    let folder = scratch("interrupted", &MATCH.replace("iterations = 400", "iterations = 4000"));
    let mut child = start(&folder, "out", &["--jobs", "1"]);
    let results = folder.join("out/results.jsonl");
    let begun = Instant::now();
    while std::fs::metadata(&results).map_or(0, |found| found.len()) == 0 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let attempts = std::fs::read_to_string(folder.join("out/attempts.jsonl")).expect("attempts");
    let before = lines(&folder, "out").len();
    assert_eq!(attempts.matches("\"begun\"").count(), before, "every game that began was finished");
    assert!(before < 60, "it was interrupted");
    let done = run(&folder, "out", &[]);
    assert_eq!((&done["complete"], &done["fresh"]), (&Value::from(true), &Value::from(60 - before)));
}

/// Nothing runs before the whole file is understood; a mistake has a line and a column.
#[test]
fn bad_files_are_refused_with_their_place() {
    let agent = "agent = \"rps\"";
    for (change, place, part) in [
        (("games = 20", "games = -20"), "10:9", "-20"),
        (("games = 20", "games = 21"), "10:9", "even"),
        (("games = 20", "gamez = 20"), "10:1", "gamez"),
        ((agent, "agent = \"rpz\""), "16:9", "rpz"),
        ((agent, "agent = \"rps(depth=\""), "16:9", "rps(depth="),
        (("game = \"tictactoe\"", "game = \"tictac\""), "9:8", "tictac"),
        (("kind = \"match\"", "kind = \"dance\""), "5:8", "there are match"),
        (("seed = 7", "seed = \"x\""), "6:8", "u64"),
        (("[sizes.quick]\ncore-hours = 0.001", "[sizes.quick]"), "24:1", "core-hours"),
        (("core-hours = 0.01\n", "core-hours = 0.01\ngames = 0\n"), "29:9", "games"),
        (("[sizes.full]", "[sizes.huge]"), "27:8", "unknown size"),
        (("flat – tree\"", "flat – wood\""), "31:11", "no measure"),
        (("name = \"tree\"", "name = \"flat\""), "18:8", "two agents"),
        (("title = ", "title "), "2:7", ""),
        (("limits = { iterations = 400 }", "limits = { time = -1 }"), "16:9", "time"),
        (("limits = { iterations = 400 }\n", ""), "15:9", "for ever"),
        (("random-plies = 1", "random-plies = 9"), "9:8", "games end before"),
    ] {
        let text = MATCH.replacen(change.0, change.1, 1);
        assert_ne!(text, MATCH, "{change:?}");
        let folder = scratch("bad", &text);
        let (file, out) = (path(&folder, "small.toml"), path(&folder, "out"));
        refuses(&["lab", "run", &file, "--out", &out], &format!("small.toml:{place}: "));
        refuses(&["lab", "run", &file, "--out", &out], part);
        assert!(!Path::new(&out).exists(), "{change:?}: something was made");
    }
    refuses(&["lab", "run", "no-such-thing"], "no experiment");
    refuses(&["lab", "run", "no/such/file.toml"], "file.toml");
    refuses(&["lab", "run", "vrun-selfplai"], "vrun-selfplay");
    refuses(&["lab", "report", "no-such-thing"], "no results");
}

/// Repetitions are counted or listed.
#[test]
fn contradictory_seeds_are_refused() {
    let setup = r#"[setup]
limits = { iterations = 10 }
repeats = 3
seeds = [1, 2]
agents = [{ name = "a", agent = "rps" }]
positions = [{ name = "p", game = "tictactoe", right = ["b2"] }]
"#;
    let head = MATCH.split("[setup]").next().expect("a head").replace("\"match\"", "\"detection\"");
    let sizes = "[sizes.quick]\ncore-hours = 1\n[sizes.full]\ncore-hours = 1\n";
    let with = |setup: &str| scratch("seeds", &format!("{head}{setup}{sizes}"));
    let file = path(&with(setup), "small.toml");
    refuses(&["lab", "show", &file], "small.toml:11:9: contradictory seeds");
    let file = path(&with(&setup.replace("repeats = 3\n", "").replace("[1, 2]", "[1, 2, 1]")), "small.toml");
    refuses(&["lab", "show", &file], "small.toml:10:9: contradictory seeds");
    let file = path(&with(&setup.replace("repeats = 3\n", "")), "small.toml");
    assert_eq!(json_of(&["lab", "show", &file, "--json"])["jobs"], 2);
}

/// A file that is not ours starts nothing unless it is allowed to; what it would start is shown.
#[test]
fn files_start_programs_only_if_allowed() {
    let text = MATCH.replace("agent = \"rps\"", "agent = 'gtp(cmd=\"no-such-engine --x\")'");
    let text = text.replace("limits = { iterations = 400 }", "limits = { time = 0.1 }");
    let folder = scratch("programs", &text.replace("tictactoe", "go(size=5)"));
    let (file, out) = (path(&folder, "small.toml"), path(&folder, "out"));
    refuses(&["lab", "run", &file, "--out", &out], "would start \"no-such-engine --x\"");
    assert_eq!(json_of(&["lab", "show", &file, "--json"])["programs"], serde_json::json!(["no-such-engine --x"]));
    let output = tesuji(&["lab", "run", &file, "--out", &out, "--allow-programs"]);
    assert_eq!(output.status.code(), Some(1), "a missing program is the machine's fault");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not installed"));
    let job =
        r#"{"task":"think","game":"go(size=5)","agent":"gtp(cmd=\"touch made\")","limits":{"time":1.0},"seed":1}"#;
    let mut child = program()
        .args(["lab", "job"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), job.as_bytes()).expect("written");
    let answer = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&answer.stdout).contains("--allow-programs"));
    assert!(!folder.join("made").exists());
}

#[test]
fn a_report_needs_nothing_else() {
    let folder = scratch("report", MATCH);
    run(&folder, "out", &["--quick"]);
    let report = json_of(&["lab", "report", &path(&folder, "out"), "--json"]);
    assert_eq!((&report["done"], &report["planned"]), (&Value::from(18), &Value::from(18)));
    let compared = &report["comparisons"][0];
    assert_eq!((&compared["measure"], &compared["published"]), (&Value::from("score: flat – tree"), &Value::from(0.5)));
    assert!(compared["verdict"].as_str().is_some_and(|verdict| verdict != "open"), "{compared}");
    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).expect("a form of the report");
    // The name space of SVG is a name, not an address.
    let html = read("report.html").replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "<script", env!("CARGO_TARGET_TMPDIR")] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert!(html.contains("A quick run") && html.contains("tesuji lab run small.toml --quick"));
    assert!(read("report.md").contains("| flat | tree | 6 |"), "{}", read("report.md"));
    assert_eq!(read("report.csv").lines().count(), 1 + report["measures"].as_array().expect("measures").len());
}

/// All experiments can be planned in both sizes, and the files are those of the list.
#[test]
fn every_experiment_is_listed_and_planned() {
    let all = json_of(&["lab", "list", "--json"]);
    let listed = all["experiments"].as_array().expect("a list").iter();
    let listed: Vec<String> = listed.map(|entry| entry["id"].as_str().expect("an id").to_string()).collect();
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments")).expect("a folder");
    let mut names: Vec<String> = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(listed, names, "the list of the library is in alphabetical order and complete");
    for id in &listed {
        for size in [&["--quick"][..], &[]] {
            let shown = json_of(&[&["lab", "show", id, "--json"], size].concat());
            assert!(shown["jobs"].as_u64().is_some_and(|jobs| jobs > 0), "{shown}");
            assert!(size.is_empty() || shown["core_hours"].as_f64().is_some_and(|hours| hours <= 0.33), "{shown}");
        }
    }
}
