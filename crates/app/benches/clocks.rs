//! Clocks over GTP: the interval of analysis updates, the end of an analysis, and the time of a
//! move on a busy machine. `cargo bench -p tesuji --bench clocks`; results are in
//! docs/verification.md. `TESUJI_MATCH_GAMES` sets how many games are played at 0.1 s a move
//! (default 10, about ten seconds each).

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_agents::GtpClient;
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::setting;

fn updates(figures: &mut Figures) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["gtp", "go(size=9)"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = || {
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        line
    };
    let mut ends = Vec::new();
    for interval in [10_u32, 50, 100] {
        writeln!(input, "lz-analyze b {interval}").expect("written");
        assert_eq!(line(), "=\n");
        let mut last = Instant::now();
        let mut gaps = Vec::new();
        for _ in 0..20 {
            assert!(line().starts_with("info "));
            gaps.push(last.elapsed().as_secs_f64() * 1e3);
            last = Instant::now();
        }
        let asked = Instant::now();
        writeln!(input, "name").expect("written");
        while line() != "= tesuji\n" {}
        ends.push(asked.elapsed().as_secs_f64() * 1e3);
        assert_eq!(line(), "\n");
        figures.spread(&format!("updates every {} ms", 10 * interval), gaps, Unit::Milliseconds);
    }
    figures.spread("end of an analysis", ends, Unit::Milliseconds);
    drop(input);
    child.wait().expect("it ends");
}

/// Games at 0.1 s a move while every processor has other work.
fn moves(figures: &mut Figures) {
    let games: usize = setting("TESUJI_MATCH_GAMES", 10);
    let stop = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut engine = GtpClient::start(&format!("{} gtp 'go(size=9)'", env!("CARGO_BIN_EXE_tesuji"))).expect("ours");
        for _ in 0..games {
            engine.send("clear_board").expect("cleared");
            engine.send("time_settings 0 0.1 1").expect("a time control");
            let mut passes = 0;
            for number in 0..150 {
                let began = Instant::now();
                let mv = engine.send(if number % 2 == 0 { "genmove b" } else { "genmove w" }).expect("a move");
                times.push(began.elapsed());
                passes = if mv == "pass" { passes + 1 } else { 0 };
                if passes == 2 || mv == "resign" {
                    break;
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let late = times.iter().filter(|time| **time > Duration::from_millis(100)).count();
    figures.add("moves at 0.1 s on a busy machine", times.len() as f64, Unit::Count);
    figures.add("moves later than that", late as f64, Unit::Count);
    figures.spread("a move at 0.1 s", times.iter().map(|time| time.as_secs_f64() * 1e3).collect(), Unit::Milliseconds);
}

fn main() {
    let mut figures = Figures::new("clocks");
    updates(&mut figures);
    moves(&mut figures);
    figures.finish();
}
