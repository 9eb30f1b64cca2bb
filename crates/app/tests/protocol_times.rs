//! Clocks, measured. Ignored by default: what they find depends on the machine. Run them with
//! `cargo test --release -p tesuji --test protocol_times -- --ignored --nocapture`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tesuji_agents::GtpClient;

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
#[ignore = "measures time"]
fn updates_come_at_their_interval_and_end_at_once() {
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
    for interval in [10_u32, 50, 100] {
        writeln!(input, "lz-analyze b {interval}").expect("written");
        assert_eq!(line(), "=\n");
        let mut last = Instant::now();
        let mut gaps = Vec::new();
        for _ in 0..20 {
            assert!(line().starts_with("info "));
            gaps.push(last.elapsed().as_secs_f64() * 100.0 / f64::from(interval));
            last = Instant::now();
        }
        let within = gaps.iter().filter(|gap| (0.8..=1.2).contains(*gap)).count();
        let asked = Instant::now();
        writeln!(input, "name").expect("written");
        while line() != "= tesuji\n" {}
        let stopped = asked.elapsed();
        assert_eq!(line(), "\n");
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        say(&format!(
            "interval {interval} cs: mean {mean:.3} of it, {within} of 20 within 20 %, ended after {stopped:.1?}"
        ));
        assert!((0.8..=1.2).contains(&mean), "{gaps:?}");
        assert!(stopped < Duration::from_millis(50), "{stopped:?}");
    }
    drop(input);
    child.wait().expect("it ends");
}

/// Games at 0.1 s a move while every processor has something else to do. `TESUJI_MATCH_GAMES` sets
/// how many.
#[test]
#[ignore = "takes about ten seconds a game and measures time"]
fn a_tenth_of_a_second_is_kept_on_a_busy_machine() {
    let games: usize = std::env::var("TESUJI_MATCH_GAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(100);
    let stop = std::sync::atomic::AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
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
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    times.sort_unstable();
    let late = times.iter().filter(|time| **time > Duration::from_millis(100)).count();
    let share = |part: usize| times[(times.len() - 1) * part / 1000];
    say(&format!(
        "{games} games, {} moves: half within {:.1?}, 99.9 % within {:.1?}, slowest {:.1?}; {late} late",
        times.len(),
        share(500),
        share(999),
        share(1000),
    ));
    assert_eq!(late, 0);
}
