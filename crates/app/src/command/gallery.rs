//! `tesuji lab gallery`: the pages of a repository, one for each experiment, made from result lines.
//!
//! | in the folder | what it is |
//! |---|---|
//! | `ID.md`, `pictures/ID-1.svg` … | the page of an experiment |
//! | `lines/ID.jsonl` | its result lines; `lab run ID --from` goes on from there |
//!
//! Lines that take more than [`MOST_BYTES`] are not kept: such a page is written once, from the folder
//! of the run.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use tesuji_agents::Access;
use tesuji_lab::plan::{Experiment, Part, Size, library};
use tesuji_lab::report::Page;
use tesuji_lab::store::{Kept, Plan, Stored};

/// The most that the lines of one experiment may take in a repository.
const MOST_BYTES: usize = 400 << 10;

/// What became of a page.
#[derive(Serialize)]
struct Made {
    id: String,
    done: usize,
    planned: usize,
    /// Lines of jobs that the experiment no longer plans. A page with such lines is left as it is.
    outdated: usize,
    /// Whether the lines lie in the gallery.
    kept: bool,
}

/// Adds the results of folders, and writes the pages of all lines.
pub fn run(gallery: &Path, folders: &[PathBuf], json: bool) -> Result<(), Failure> {
    let mut made: Vec<Made> = Vec::new();
    for folder in folders {
        let found = Stored::read(folder)?;
        let refused = |what: &str| Failure::input(format!("{}: {what}", folder.display()));
        let known = library::text(&found.plan.experiment).filter(|_| found.plan.ours);
        let (Some(_), Size::Full, Part::WHOLE) = (known, found.plan.size, found.plan.part) else {
            return Err(refused("a gallery has full runs of the experiments of lab list; they may be unfinished"));
        };
        let experiment = read(&found.plan.experiment)?;
        // The plan of today numbers the jobs.
        let plan = Plan::new(&experiment, true, Size::Full, Part::WHOLE).map_err(Failure::internal)?;
        let stored = Stored { plan, ..found };
        if stored.plan.jobs.iter().filter(|job| stored.lines.contains_key(&job.id)).count() < stored.lines.len() {
            return Err(refused("jobs that the experiment no longer plans; run it again"));
        }
        let (lines, text) = (lines_of(gallery, &experiment.id), stored.kept());
        let kept = text.len() <= MOST_BYTES;
        if kept {
            write(&lines, &text)?;
        } else if lines.exists() {
            std::fs::remove_file(&lines).map_err(Failure::internal)?;
        }
        let page = write_page(gallery, &experiment, &stored)?;
        made.push(Made { id: experiment.id, done: page.done.0, planned: page.done.1, outdated: 0, kept });
    }
    for (id, _) in library::ALL {
        let lines = lines_of(gallery, id);
        if !lines.exists() || made.iter().any(|made| made.id == *id) {
            continue;
        }
        let experiment = read(id)?;
        let plan = Plan::new(&experiment, true, Size::Full, Part::WHOLE).map_err(Failure::internal)?;
        let planned = plan.jobs.len();
        let Kept { stored, outdated } = Kept::read(plan, &lines)?;
        if outdated == 0 {
            write(&lines, &stored.kept())?;
            write_page(gallery, &experiment, &stored)?;
        }
        made.push(Made { id: experiment.id, done: stored.lines.len(), planned, outdated, kept: true });
    }
    if json {
        output::print_json(&json!({ "gallery": gallery, "pages": made }));
        return Ok(());
    }
    let lines = |kept: bool| if kept { "kept" } else { "too large" }.to_string();
    let row = |it: &Made| {
        vec![it.id.clone(), it.done.to_string(), it.planned.to_string(), it.outdated.to_string(), lines(it.kept)]
    };
    let rows: Vec<Vec<String>> = made.iter().map(row).collect();
    output::print(&output::table(&["id", "done", "planned", "outdated", "lines"], &rows));
    Ok(())
}

fn read(id: &str) -> Result<Experiment, Failure> {
    library::read(id).expect("it is listed").map_err(Failure::internal)
}

fn lines_of(gallery: &Path, id: &str) -> PathBuf {
    gallery.join("lines").join(format!("{id}.jsonl"))
}

/// Writes a page and its pictures, and takes away pictures of before that it no longer has.
fn write_page(gallery: &Path, experiment: &Experiment, stored: &Stored) -> Result<Page, Failure> {
    let page = Page::new(experiment, stored);
    let shown = page.gallery();
    let mut number = shown.pictures.len() + 1;
    let beyond = |number: usize| gallery.join(format!("pictures/{}-{number}.svg", experiment.id));
    while beyond(number).exists() {
        std::fs::remove_file(beyond(number)).map_err(Failure::internal)?;
        number += 1;
    }
    for (address, picture) in &shown.pictures {
        write(&gallery.join(address), picture)?;
    }
    write(&gallery.join(format!("{}.md", experiment.id)), &shown.markdown)?;
    Ok(page)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    }
    let path = path.to_string_lossy().into_owned();
    Access::unrestricted().write(&path, text.as_bytes()).map_err(|error| Failure::file(&path, &error))
}
