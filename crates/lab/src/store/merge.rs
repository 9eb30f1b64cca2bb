//! Parts that ran apart, put together.

use super::StoreError;
use super::folder::{Folder, Stored};
use crate::tasks::Line;
use std::path::{Path, PathBuf};

/// What a merge put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Jobs of the whole plan.
    pub planned: usize,
    /// Those that have a line.
    pub done: usize,
}

/// Puts parts of one plan into a new folder, in the order of the plan. Parts may be unfinished or
/// missing: a run in the new folder goes on with what is left.
///
/// # Errors
/// If the parts are of different plans, one comes twice, or the new folder exists.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, StoreError> {
    let mut found: Vec<(&Path, Stored)> = Vec::new();
    for path in parts {
        let stored = Stored::read(path)?;
        let Some((first_path, first)) = found.first() else {
            found.push((path, stored));
            continue;
        };
        let (one, other) = (&first.plan, &stored.plan);
        if one.whole() != other.whole() {
            let what = format!("not of the same plan as {}: the parts conflict", first_path.display());
            return Err(StoreError::input(path, what));
        }
        if one.part.of != other.part.of {
            let what =
                format!("part {}, and {} is part {}: the parts overlap", other.part, first_path.display(), one.part);
            return Err(StoreError::input(path, what));
        }
        if let Some((same, _)) = found.iter().find(|(_, earlier)| earlier.plan.part == other.part) {
            let what = format!("part {}, and so is {}: the parts overlap", other.part, same.display());
            return Err(StoreError::input(path, what));
        }
        found.push((path, stored));
    }
    let Some((_, first)) = found.first() else { return Err(StoreError::Input("no parts to merge".into())) };
    if out.join("plan.json").exists() {
        return Err(StoreError::input(out, "exists already; merge into a new folder"));
    }
    let mut folder = Folder::open(out, first.plan.whole())?;
    let line = |id: &str| found.iter().find_map(|(_, stored)| stored.lines.get(id)).cloned();
    let lines: Vec<Line> = folder.stored.plan.jobs.iter().filter_map(|job| line(&job.id)).collect();
    let merged = Merged { planned: folder.stored.plan.jobs.len(), done: lines.len() };
    let (mut results, attempts) = folder.writers();
    for event in found.iter().flat_map(|(_, stored)| &stored.events) {
        attempts.note(event)?;
    }
    results.add(lines)?;
    Ok(merged)
}
