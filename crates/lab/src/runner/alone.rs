//! One job in a process of its own.
//!
//! The process gets the job's text on one line of standard input and answers with one line on
//! standard output. Its input stays open: when this process ends, however it ends, the other one sees
//! the end of its input, and ends too. It has a process group of its own, so that Ctrl-C at the
//! terminal, which stops the run, does not kill it.

use crate::plan::Planned;
use crate::tasks::Line;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The longest answer.
const MOST_BYTES: u64 = 64 << 20;
/// What is kept of its standard error.
const MOST_WORDS: u64 = 4 << 10;

/// Runs a job; an error says how its process died.
pub fn run(job: &Planned, (program, arguments): &(PathBuf, Vec<String>), timeout: Duration) -> Result<Line, String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
    let mut input = child.stdin.take().expect("it is piped");
    // A process that is dead already reads nothing, which its status will tell.
    let _ = writeln!(input, "{}", job.task.text()).and_then(|()| input.flush());
    let (answered, answer) = mpsc::channel();
    let (output, errors) = (child.stdout.take().expect("it is piped"), child.stderr.take().expect("it is piped"));
    let said = std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(output.take(MOST_BYTES)).read_line(&mut line);
            let _ = answered.send(read.map(|_| line));
        });
        let words = scope.spawn(move || {
            let mut words = Vec::new();
            let mut errors = errors;
            let _ = Read::by_ref(&mut errors).take(MOST_WORDS).read_to_end(&mut words);
            // The rest is drained, or the process would wait for a reader.
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            words
        });
        let line = answer.recv_timeout(timeout);
        let late = matches!(line, Err(mpsc::RecvTimeoutError::Timeout));
        drop(input);
        let status = end(&mut child, late);
        let words = words.join().unwrap_or_default();
        (line, late, status, String::from_utf8_lossy(&words).into_owned())
    });
    match said {
        (_, true, ..) => Err(format!("no answer after {} s", timeout.as_secs_f64())),
        (Ok(Ok(line)), _, status, words) => {
            let read = serde_json::from_str::<Line>(&line).ok().filter(|line| line.id == job.id);
            read.ok_or_else(|| how(status, &words))
        }
        (_, _, status, words) => Err(how(status, &words)),
    }
}

/// Waits for a process that has been told to end, and ends it if it does not.
fn end(child: &mut Child, at_once: bool) -> Option<ExitStatus> {
    const GRACE: Duration = Duration::from_secs(5);
    let asked = Instant::now();
    while !at_once && asked.elapsed() < GRACE {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().ok()
}

fn how(status: Option<ExitStatus>, words: &str) -> String {
    let status = status.map_or_else(|| "unknown".into(), |status| status.to_string());
    let last = words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let last: String = last.chars().filter(|letter| !letter.is_control()).take(300).collect();
    if last.is_empty() { status } else { format!("{status}: {last}") }
}
