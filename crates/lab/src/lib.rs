//! Experiments on game search: what was measured, how sure it is, and a picture of it.
//!
//! | module | contents |
//! |---|---|
//! | [`plan`] | experiment files, read and checked; the jobs they consist of |
//! | [`kinds`] | kinds of experiments: which jobs, and what their results say |
//! | [`tasks`] | what one job does |
//! | [`store`] | results in a folder: plan, lines, attempts, lock; merging parts |
//! | [`runner`] | runs what is planned and not done |
//! | [`report`] | published numbers beside ours, as Markdown, CSV, JSON and HTML |
//! | [`statistics`] | intervals, tests, ratings and fits, one idea per file |
//! | [`tuning`] | parameters of a recipe, tuned by games |
//! | [`plots`] | charts and boards as SVG text |
//! | [`environment`] | the program and the machine, for reports |
//!
//! ```text
//!  experiment file ─ kinds ─→ plan ─ runner ─→ lines ─ kinds, statistics ─→ findings ─→ report
//!                              └──── store ────┘
//! ```
//!
//! Only `store`, `runner` and `environment` touch files and processes; nothing here prints.

pub mod environment;
pub mod kinds;
pub mod plan;
pub mod plots;
pub mod report;
pub mod runner;
pub mod statistics;
pub mod store;
pub mod tasks;
pub mod tuning;
