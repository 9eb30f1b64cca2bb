//! `serve`.

use super::values::{bytes, seconds};
use clap::Args;
use std::net::IpAddr;
use std::time::Duration;

/// `serve`.
#[derive(Args)]
#[command(after_help = "\
The address to open is printed. Only this machine reaches it, unless --host says otherwise; then clients need a \
token, which is part of the printed address. Clients name games, agents, problems and experiments, send records as \
text, and open no file and start no program. docs/web.md tells how to serve a class.

Examples:
  tesuji serve
  tesuji serve --open
  tesuji serve --host 0.0.0.0 --port 8080 --searches 8 --search-time 30")]
pub struct ServeArguments {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "P", default_value_t = 7361)]
    pub port: u16,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Listen at this address, such as 0.0.0.0 for all; clients then need the token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", visible_alias = "listen")]
    pub host: IpAddr,
    /// What clients have to know, at least 16 letters and digits [default: with --host, one is made]
    #[arg(long, value_name = "T", value_parser = token)]
    pub token: Option<String>,
    /// A name under which clients reach the server, such as a proxy's; may be given several times
    #[arg(long = "name", value_name = "HOST")]
    pub names: Vec<String>,
    /// Games that are kept; beyond, the least recently used one is dropped
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub sessions: u32,
    /// Searches at the same time; more wait [default: the number of cores, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_024))]
    pub searches: Option<u32>,
    /// Searches of one page at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub searches_per_client: u32,
    /// The longest search, in seconds [default: 600]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub search_time: Option<Duration>,
    /// Bytes of trees and tables, all searches together [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Runs of experiments at the same time [default: 1, with --host 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub lab_runs: Option<u32>,
    /// Let clients start experiments of the lab that start programs
    #[arg(long)]
    pub allow_programs: bool,
    /// Where the lab keeps its results
    #[arg(long, value_name = "DIR", default_value = "lab-results")]
    pub lab: std::path::PathBuf,
}

fn token(text: &str) -> Result<String, String> {
    let fits = (16..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if fits { Ok(text.into()) } else { Err("expected 16 to 128 letters and digits".into()) }
}
