//! What an experiment found, and the pages that show it.
//!
//! | file | what is in it |
//! |---|---|
//! | `findings.rs` | tables, measures and figures, as a kind fills them |
//! | `comparison.rs` | published numbers beside ours, and the verdict in words |
//! | `page.rs` | everything a report shows, from a folder of results |
//! | `markdown.rs`, `csv.rs`, `json.rs`, `html.rs` | the page in four forms |
//! | `gallery.rs` | the page with its pictures as files |

mod comparison;
mod csv;
mod findings;
mod gallery;
mod html;
mod json;
mod markdown;
mod page;

pub use comparison::{Comparison, Verdict};
pub use findings::{Figure, Findings, Measure, Table, figure, percent};
pub use gallery::GalleryPage;
pub use page::Page;
