//! `tesuji lab`: experiments, run, merged and reported.

use super::{gallery, read_file};
use crate::arguments::{Lab, LabExperiment, LabReport, LabRun};
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde_json::json;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use tesuji_agents::Access;
use tesuji_lab::plan::{Experiment, Part, Size, fingerprint, library};
use tesuji_lab::report::Page;
use tesuji_lab::runner::{self, Options};
use tesuji_lab::store::{self, Event, Folder, Kept, Merged, Plan, StoreError, Stored};
use tesuji_lab::tasks::{Line, Task};
use tesuji_lab::{environment, kinds};

/// The largest experiment file, and the longest job.
const MOST_BYTES: u64 = 1 << 24;
/// Where results lie unless the command line says otherwise.
const RESULTS: &str = "lab-results";

/// Carries out a command of the lab.
pub fn run(lab: &Lab, json: bool) -> Result<(), Failure> {
    match lab {
        Lab::List => list(json),
        Lab::Show(which) => show(which, json),
        Lab::Run(arguments) => run_experiment(arguments, json),
        Lab::Merge { parts, out } => merge(parts, out, json),
        Lab::Job { allow_programs, end_with_input } => job(*allow_programs, *end_with_input),
        Lab::Report(arguments) => report(arguments, json),
        Lab::Gallery { gallery: folder, results } => gallery::run(folder, results, json),
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Input(_) => Failure::input(error),
            StoreError::Machine(_) => Failure::internal(error),
        }
    }
}

fn size(quick: bool) -> Size {
    if quick { Size::Quick } else { Size::Full }
}

fn list(json: bool) -> Result<(), Failure> {
    let (mut rows, mut listed) = (Vec::new(), Vec::new());
    for (id, _) in library::ALL {
        let experiment = library::read(id).expect("it is listed").map_err(Failure::internal)?;
        let [quick, full] = Size::ALL.map(|size| experiment.core_hours(size));
        listed.push(json!({
            "id": experiment.id, "title": experiment.title, "claim": experiment.claim, "source": experiment.source,
            "kind": experiment.kind, "core_hours": { "quick": quick, "full": full },
        }));
        let hours = [quick, full].map(|hours| hours.to_string());
        rows.push([&[experiment.id, experiment.kind.into()], &hours[..], &[experiment.title]].concat());
    }
    if json {
        output::print_json(&json!({ "experiments": listed }));
    } else {
        output::print(&output::table(&["id", "kind", "quick h", "full h", "title"], &rows));
    }
    Ok(())
}

/// An experiment of ours by its id, or one of a file; and whether it is ours.
fn find(text: &str, access: &Access) -> Result<(Experiment, bool), Failure> {
    if let Some(ours) = library::read(text) {
        return Ok((ours.map_err(Failure::internal)?, true));
    }
    if !Path::new(text).exists() && !text.contains(['/', '.']) {
        let ids: Vec<&str> = library::ALL.iter().map(|(id, _)| *id).collect();
        let near = tesuji_core::spec::nearest(text, &ids).map(|id| format!("; did you mean {id}?")).unwrap_or_default();
        return Err(Failure::input(format!("no experiment \"{text}\"{near}; tesuji lab list shows all")));
    }
    let bytes = read_file(text, MOST_BYTES)?;
    let content = String::from_utf8(bytes).map_err(|error| Failure::input(format!("{text}: {error}")))?;
    Ok((Experiment::read(text, &content, access).map_err(Failure::input)?, false))
}

fn show(which: &LabExperiment, json: bool) -> Result<(), Failure> {
    // Nothing is started to show what would be.
    let (experiment, ours) = find(&which.experiment, &Access::restricted().with_programs())?;
    let size = size(which.quick);
    let jobs = experiment.jobs(size).map_err(Failure::input)?;
    let programs = experiment.programs(size);
    if json {
        let first = jobs.first().map(|job| job.task.text());
        output::print_json(&json!({
            "id": experiment.id, "title": experiment.title, "claim": experiment.claim, "source": experiment.source,
            "kind": experiment.kind, "size": size.name(), "jobs": jobs.len(), "first_job": first,
            "core_hours": experiment.core_hours(size), "programs": programs,
            "experiment_file": fingerprint(&experiment.text),
        }));
        return Ok(());
    }
    let kind = kinds::find(experiment.kind).map_or("", |kind| kind.about);
    let paragraph = |text: String| output::wrapped(&text, 0, 4) + "\n";
    let mut text = format!("{}\n{}", output::bold(&experiment.id), paragraph(experiment.title.clone()));
    text += &paragraph(format!("claim: {}", experiment.claim));
    text += &paragraph(format!("source: {}", experiment.source));
    text += &paragraph(format!("kind: {} ({kind})", experiment.kind));
    let hours = experiment.core_hours(size);
    text += &paragraph(format!("size: {}, {} jobs, about {hours} core-hours", size.name(), jobs.len()));
    if !programs.is_empty() {
        let needs = if ours { "" } else { " (with --allow-programs)" };
        text += &paragraph(format!("starts{needs}: {}", programs.join(", ")));
    }
    // Its line can be hundreds of columns wide.
    text += &paragraph("first job: with --json, as first_job; lab job runs it".into());
    output::print(&text);
    Ok(())
}

fn run_experiment(arguments: &LabRun, json: bool) -> Result<(), Failure> {
    let LabRun { which, part, out, from, jobs, timeout, allow_programs } = arguments;
    let granted = Access::restricted();
    let granted = if *allow_programs { granted.with_programs() } else { granted };
    let (experiment, ours) = find(&which.experiment, &granted)?;
    let (size, part) = (size(which.quick), part.unwrap_or(Part::WHOLE));
    let programs = experiment.programs(size);
    if let Some(missing) = programs.iter().find(|command| !is_installed(command)) {
        return Err(Failure::internal(format!("{}: the program of \"{missing}\" is not installed", experiment.id)));
    }
    let plan = Plan::new(&experiment, ours, size, part).map_err(Failure::input)?;
    let out = out.clone().unwrap_or_else(|| usual_folder(&experiment.id, size, part));
    let mut folder = Folder::open(&out, plan.clone())?;
    if let Some(from) = from {
        let Kept { stored, .. } = Kept::read(plan, from)?;
        let own: HashSet<&str> = stored.plan.own_jobs().map(|job| job.id.as_str()).collect();
        let is_new = |line: &Line| own.contains(line.id.as_str()) && !folder.stored.lines.contains_key(&line.id);
        let fresh: Vec<Line> = stored.lines.values().filter(|line| is_new(line)).cloned().collect();
        let (mut results, attempts) = folder.writers();
        results.add(fresh)?;
        for event in &stored.events {
            attempts.note(event)?;
        }
    }
    let threads =
        jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize);
    let event = Event::Run {
        version: environment::VERSION.into(),
        commit: environment::COMMIT.into(),
        cpu: environment::processor(),
        threads,
    };
    folder.writers().1.note(&event)?;
    let access = if programs.is_empty() { Access::restricted() } else { Access::restricted().with_programs() };
    let mut alone = ["lab", "job", "--end-with-input"].map(String::from).to_vec();
    alone.extend((!programs.is_empty()).then(|| "--allow-programs".into()));
    let options = Options {
        threads,
        timeout: *timeout,
        program: (std::env::current_exe().map_err(Failure::internal)?, alone),
        access,
        stop: progress::interrupt(),
    };
    let mut bar = Progress::new(folder.stored.plan.own_jobs().count() as u64);
    let done = runner::run(&mut folder, &options, &mut |now| {
        let void = if now.void > 0 { format!("{} void ", now.void) } else { String::new() };
        bar.at(now.done as u64, void);
    })?;
    drop(bar);
    let complete = done.done == done.planned;
    if json {
        output::print_json(&json!({
            "experiment": experiment.id, "size": size.name(), "part": part.to_string(), "out": out,
            "planned": done.planned, "done": done.done, "fresh": done.fresh, "void": done.void, "complete": complete,
        }));
        return Ok(());
    }
    let void = if done.void > 0 { format!(", {} of them void", done.void) } else { String::new() };
    let next = if complete { "lab report shows what they say" } else { "the same command goes on" };
    output::print(&format!("{}: {} of {} jobs done{void}; {next}", out.display(), done.done, done.planned));
    Ok(())
}

/// Where the results of a run lie if the command line does not say.
fn usual_folder(id: &str, size: Size, part: Part) -> PathBuf {
    let part = if part == Part::WHOLE { String::new() } else { format!("-part-{}-of-{}", part.number, part.of) };
    Path::new(RESULTS).join(format!("{id}-{}{part}", size.name()))
}

/// Whether the first word of a command is a program here.
fn is_installed(command: &str) -> bool {
    let word = command.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
    if word.contains('/') {
        return Path::new(word).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(word).is_file())
}

fn merge(parts: &[PathBuf], out: &Path, json: bool) -> Result<(), Failure> {
    let Merged { planned, done } = store::merge(parts, out)?;
    if json {
        output::print_json(&json!({ "out": out, "planned": planned, "done": done, "complete": planned == done }));
    } else {
        output::print(&format!("{}: {done} of {planned} jobs done", out.display()));
    }
    Ok(())
}

fn job(allow_programs: bool, end_with_input: bool) -> Result<(), Failure> {
    let mut input = BufReader::new(std::io::stdin());
    let mut text = String::new();
    Read::by_ref(&mut input).take(MOST_BYTES).read_line(&mut text).map_err(Failure::internal)?;
    let task = Task::read(&text).map_err(Failure::input)?;
    if end_with_input {
        // The run that started this process holds the other end, and has ended when it closes.
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut input, &mut std::io::sink());
            std::process::exit(1);
        });
    }
    let access = Access::restricted();
    let access = if allow_programs { access.with_programs() } else { access };
    output::print_json(&task.run(&access));
    Ok(())
}

fn report(arguments: &LabReport, json: bool) -> Result<(), Failure> {
    let named = Path::new(&arguments.results);
    let folder = if named.join("plan.json").exists() {
        named.to_path_buf()
    } else {
        usual_folder(&arguments.results, size(arguments.quick), Part::WHOLE)
    };
    if !folder.join("plan.json").exists() {
        let what = format!("no results in {}; tesuji lab run {} makes them", folder.display(), arguments.results);
        return Err(Failure::input(what));
    }
    let stored = Stored::read(&folder)?;
    // The text of the plan says what was run, whatever the program's own experiments say today.
    let access = Access::restricted().with_programs();
    let experiment = Experiment::read("plan.json", &stored.plan.text, &access).map_err(Failure::input)?;
    let page = Page::new(&experiment, &stored);
    let in_json = page.json();
    let forms = [
        ("report.html", page.html()),
        ("report.md", page.markdown()),
        ("report.csv", page.csv()),
        ("report.json", in_json.to_string() + "\n"),
    ];
    for (name, text) in &forms {
        let path = folder.join(name).to_string_lossy().into_owned();
        let written = Access::unrestricted().write(&path, text.as_bytes());
        written.map_err(|error| Failure::file(&path, &error))?;
    }
    if json {
        output::print_json(&in_json);
    } else {
        output::print(&page.markdown());
    }
    Ok(())
}
