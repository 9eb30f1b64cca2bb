//! The gallery of results, `docs/results`: each page belongs to its experiment file and comes from its
//! lines.

use super::command::{json_of, refuses};
use serde_json::Value;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

const GALLERY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results");

/// How a page says that its experiment file has been changed since.
const EARLIER: &str = "**An earlier version of the experiment file was run";

fn ids() -> Vec<String> {
    let all = json_of(&["lab", "list", "--json"]);
    let listed = all["experiments"].as_array().expect("a list").iter();
    listed.map(|entry| entry["id"].as_str().expect("an id").to_string()).collect()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { all.push(path) }
        }
    }
    all
}

/// A page that was made from another text of the experiment says so, and so does the summary, which
/// names all pages.
#[test]
fn every_experiment_has_a_page_of_its_file() {
    let summary = read_to_string(Path::new(GALLERY).join("README.md")).expect("a summary");
    let mut earlier = Vec::new();
    for id in ids() {
        let page = Path::new(GALLERY).join(format!("{id}.md"));
        let page = read_to_string(page).unwrap_or_else(|error| panic!("{id}: {error}"));
        let shown = json_of(&["lab", "show", &id, "--json"]);
        let file = shown["experiment_file"].as_str().expect("a hash");
        let is_earlier = !page.contains(&format!("- experiment-file: {file}\n"));
        assert_eq!(page.contains(EARLIER), is_earlier, "docs/results/{id}.md: which version of the file was run");
        earlier.extend(is_earlier.then(|| id.clone()));
        assert!(page.contains("- core-hours: ") && page.contains("- size: full\n"), "{id}: what was run");
        let (done, planned) = page
            .lines()
            .find_map(|line| line.strip_prefix("- jobs: ")?.strip_suffix(" done")?.split_once(" of "))
            .unwrap_or_else(|| panic!("{id}: how many jobs were done"));
        assert_eq!(page.contains("**Unfinished: "), done != planned, "{id}: an unfinished run says so");
        assert!(summary.contains(&format!("[{id}]({id}.md)")), "the summary does not name {id}");
        for part in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(Path::new(GALLERY).join(part).exists(), "{id}: {part} is missing");
        }
    }
    let listed = summary.lines().find_map(|line| line.strip_prefix("Of an earlier version of their files: "));
    let listed: Vec<&str> = listed.map(|line| line.trim_end_matches('.').split(", ").collect()).unwrap_or_default();
    assert_eq!(listed, earlier, "lab run, then lab gallery docs/results with the folder, brings pages up to date");
}

#[test]
fn the_gallery_is_small() {
    let bytes: u64 = files(Path::new(GALLERY)).iter().map(|path| path.metadata().expect("a file").len()).sum();
    assert!(bytes < 3 << 20, "docs/results takes {bytes} bytes");
}

/// The same lines make the same pages, byte for byte, and lines go on where they ended.
#[test]
fn pages_come_from_their_lines() {
    let folder = scratch("again");
    std::fs::create_dir_all(folder.join("lines")).expect("a folder");
    let chosen = ["lin-trap", "zhang-epsilon", "zhang-hillclimb", "zhang-scn-results"];
    for id in chosen {
        let name = format!("lines/{id}.jsonl");
        std::fs::copy(Path::new(GALLERY).join(&name), folder.join(&name))
            .unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    let made = json_of(&["lab", "gallery", text_of(&folder), "--json"]);
    let made = made["pages"].as_array().expect("pages");
    assert_eq!(made.len(), chosen.len());
    for page in made {
        assert_eq!((&page["outdated"], &page["kept"]), (&Value::from(0), &Value::from(true)), "{page}");
    }
    for path in files(&folder).iter().filter(|path| path.extension().is_some_and(|ending| ending != "jsonl")) {
        let name = path.strip_prefix(&folder).expect("inside");
        let committed = read_to_string(Path::new(GALLERY).join(name)).unwrap_or_default();
        assert!(
            read_to_string(path).expect("made") == committed,
            "{}: tesuji lab gallery docs/results",
            name.display()
        );
    }
    let lines = format!("{GALLERY}/lines/zhang-scn-results.jsonl");
    let out = folder.join("on");
    let arguments = ["lab", "run", "zhang-scn-results", "--from", &lines, "--out", text_of(&out), "--json"];
    let done = json_of(&arguments);
    assert_eq!((&done["complete"], &done["fresh"]), (&Value::from(true), &Value::from(0)), "{done}");
}

/// A quick run is no page, and neither is a run of a file that is not of the list.
#[test]
fn only_full_runs_have_pages() {
    let folder = scratch("refused");
    let out = folder.join("quick");
    json_of(&["lab", "run", "lin-trap", "--quick", "--part", "9/400", "--out", text_of(&out), "--json"]);
    refuses(&["lab", "gallery", text_of(&folder), text_of(&out)], "full runs");
    assert!(!folder.join("lin-trap.md").exists());
}
