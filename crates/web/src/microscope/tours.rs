//! Guided tours: data files, each a search and what to look at in it, one stop after the other. The
//! format is the type [`Tour`]; `tours/README.md` describes it for lecturers.

use crate::api::{Tour, Tours};
use crate::refusal::Refusal;
use std::sync::OnceLock;

const FILES: [(&str, &str); 3] = [
    ("li-figure-3.json", include_str!("../../tours/li-figure-3.json")),
    ("lin-trap.json", include_str!("../../tours/lin-trap.json")),
    ("rave.json", include_str!("../../tours/rave.json")),
];

fn read() -> Result<Tours, String> {
    let tour =
        |(name, text): &(&str, &str)| serde_json::from_str::<Tour>(text).map_err(|error| format!("{name}: {error}"));
    Ok(Tours { tours: FILES.iter().map(tour).collect::<Result<_, _>>()? })
}

/// The tours that are built in.
pub(crate) fn tours() -> Result<&'static Tours, Refusal> {
    static TOURS: OnceLock<Result<Tours, String>> = OnceLock::new();
    TOURS.get_or_init(read).as_ref().map_err(Refusal::internal)
}
