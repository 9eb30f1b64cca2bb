//! `tesuji man`: the manual pages.

use crate::arguments::pages;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_agents::Access;

#[derive(Serialize)]
struct Answer {
    folder: String,
    pages: Vec<String>,
}

/// Writes every page into a folder.
pub fn run(folder: &str, json: bool) -> Result<(), Failure> {
    let access = Access::unrestricted();
    access.make_folder(folder).map_err(|error| Failure::file(folder, &error))?;
    let mut written = Vec::new();
    for page in pages() {
        let path = format!("{folder}/{}", page.file);
        access.write(&path, page.text.as_bytes()).map_err(|error| Failure::file(&path, &error))?;
        written.push(page.file);
    }
    if json {
        output::print_json(&Answer { folder: folder.into(), pages: written });
    } else {
        output::print(&format!("{} pages in {folder}: {} and its commands", written.len(), written[0]));
    }
    Ok(())
}
