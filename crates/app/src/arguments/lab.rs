//! `lab …`: experiments.

use super::limits::THREADS;
use super::values::seconds;
use clap::{Args, Subcommand};
use std::time::Duration;
use tesuji_lab::plan::Part;

/// The commands of the lab.
#[derive(Subcommand)]
pub enum Lab {
    /// List the experiments
    #[command(after_help = "Example:\n  tesuji lab list")]
    List,
    /// Show an experiment: what it claims, its jobs, the programs it would start
    #[command(after_help = "Example:\n  tesuji lab show vrun-bots --quick")]
    Show(LabExperiment),
    /// Run an experiment, or go on with one: what is planned and not done
    #[command(after_help = "\
Every finished job is a line in the folder's results.jsonl. A run may be interrupted or killed at any \
moment; the same command goes on where it ended. Ctrl-C finishes the jobs that run.

Examples:
  tesuji lab run vrun-selfplay --quick
  tesuji lab run mine.toml --part 3/64 --out part-3")]
    Run(LabRun),
    /// Put parts of one experiment together, into a new folder
    #[command(after_help = "Example:\n  tesuji lab merge part-1 part-2 part-3 --out whole")]
    Merge {
        /// Folders of parts
        #[arg(required = true)]
        parts: Vec<std::path::PathBuf>,
        /// The new folder
        #[arg(long, value_name = "DIR")]
        out: std::path::PathBuf,
    },
    /// Run one job: its text on one line of standard input, its result on one line
    #[command(after_help = "\
Example:
  echo '{\"task\":\"think\",\"game\":\"hex\",\"agent\":\"random\",\"limits\":{},\"seed\":1}' \\
    | tesuji lab job")]
    Job {
        /// Let the job's agents start programs
        #[arg(long)]
        allow_programs: bool,
        /// End when standard input ends, though the job is not done
        #[arg(long, hide = true)]
        end_with_input: bool,
    },
    /// Report what an experiment has found so far
    #[command(after_help = "\
Prints Markdown, or JSON with --json, and writes report.html, report.md, report.csv and report.json into \
the folder.

Example:
  tesuji lab report vrun-selfplay --quick")]
    Report(LabReport),
    /// Write the pages of a gallery, one for each experiment
    #[command(after_help = "\
A gallery is a folder of a repository: a page in Markdown, pictures and result lines for each \
experiment. Results of full runs are added, finished or not; all pages are written again from the lines \
that the folder keeps.

Example:
  tesuji lab gallery docs/results lab-results/vrun-c-full")]
    Gallery {
        /// The folder of the gallery
        #[arg(value_name = "DIR")]
        gallery: std::path::PathBuf,
        /// Folders of results to add
        #[arg(value_name = "RESULTS")]
        results: Vec<std::path::PathBuf>,
    },
}

/// Which experiment.
#[derive(Args)]
pub struct LabExperiment {
    /// An experiment of the list, by its id, or the file of another
    #[arg(value_name = "ID|FILE")]
    pub experiment: String,
    /// The small size: minutes on two cores
    #[arg(long)]
    pub quick: bool,
}

/// `lab run`.
#[derive(Args)]
pub struct LabRun {
    #[command(flatten)]
    pub which: LabExperiment,
    /// Run one part of the jobs, such as 3/64
    #[arg(long, value_name = "I/N")]
    pub part: Option<Part>,
    /// The folder of the results [default: lab-results/ID-SIZE]
    #[arg(long, value_name = "DIR")]
    pub out: Option<std::path::PathBuf>,
    /// Begin with the lines that a gallery keeps
    #[arg(long, value_name = "FILE")]
    pub from: Option<std::path::PathBuf>,
    /// Jobs at the same time, 1 to 1024 [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(THREADS))]
    pub jobs: Option<u32>,
    /// Seconds after which the process of a job that runs alone is ended
    #[arg(long, value_name = "S", default_value = "3600", value_parser = seconds)]
    pub timeout: Duration,
    /// Let the agents of an experiment file start programs
    #[arg(long)]
    pub allow_programs: bool,
}

/// `lab report`.
#[derive(Args)]
pub struct LabReport {
    /// An experiment by its id, or a folder of results
    #[arg(value_name = "ID|DIR")]
    pub results: String,
    /// The small size of that experiment
    #[arg(long)]
    pub quick: bool,
}
