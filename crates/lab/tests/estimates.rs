//! The quick size of every experiment takes minutes, and its estimated core-hours are measured ones.
//!
//! `tests/quick.txt` says what was measured: the jobs of each quick plan, the limits of all its searches
//! together, and the processor time that `tesuji lab run ID --quick` took. Time is not measured here: a
//! plan that has other jobs or other limits than the measured one is refused, so that nothing grows
//! without a new measurement.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use tesuji_lab::plan::{Experiment, Size, library};

const MEASURED: &str = include_str!("quick.txt");

/// A quick run on two cores takes less than ten minutes; on one core, too, where it takes this.
const MOST_SECONDS: f64 = 600.0;

/// What the searches of a plan may do at most, each number summed over all limits that are stated.
#[derive(PartialEq, Debug, Default)]
struct Work {
    jobs: usize,
    iterations: f64,
    nodes: f64,
    time: f64,
}

impl Work {
    fn of(experiment: &Experiment) -> Work {
        let jobs = experiment.jobs(Size::Quick).expect("it can be planned");
        let mut work = Work { jobs: jobs.len(), ..Work::default() };
        for job in jobs {
            work.add(&serde_json::from_str(&job.task.text()).expect("JSON"));
        }
        work
    }

    /// Tasks are as deep as their types: limits of a task, or of its sides.
    fn add(&mut self, value: &Value) {
        let Value::Object(map) = value else { return };
        for (key, inner) in map {
            let number = inner.as_f64().unwrap_or_default();
            match key.as_str() {
                "iterations" => self.iterations += number,
                "nodes" => self.nodes += number,
                "time" => self.time += number,
                _ => self.add(inner),
            }
        }
    }
}

impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} jobs, {} iterations, {} nodes, {:.3} s", self.jobs, self.iterations, self.nodes, self.time)
    }
}

/// Lines of the form `ID: WORK: SECONDS`.
fn measured() -> BTreeMap<&'static str, (&'static str, f64)> {
    let lines = MEASURED.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.split(": ").collect();
            let [id, work, seconds] = parts[..] else { panic!("{line}") };
            (id, (work, seconds.parse().unwrap_or_else(|_| panic!("{line}"))))
        })
        .collect()
}

#[test]
fn quick_plans_are_those_that_were_measured() {
    let measured = measured();
    let (mut wrong, mut hours) = (String::new(), 0.0);
    for (id, _) in library::ALL {
        let experiment = library::read(id).expect("it is ours").expect("it can be read");
        let estimate = experiment.core_hours(Size::Quick);
        hours += estimate;
        let work = Work::of(&experiment).to_string();
        let Some((known, seconds)) = measured.get(id) else {
            let _ = writeln!(wrong, "{id}: {work}: not measured");
            continue;
        };
        if *known != work {
            let _ = writeln!(wrong, "{id}: {work}: not measured; with {known} it took {seconds} s");
        }
        if *seconds > MOST_SECONDS {
            let _ = writeln!(wrong, "{id}: {seconds} s are more than {MOST_SECONDS} s");
        }
        // Machines differ, and small runs have a price of their own.
        let (least, most) = (seconds / 3600.0, (4.0 * seconds / 3600.0).max(0.001));
        if !(least..=most).contains(&estimate) {
            let _ = writeln!(wrong, "{id}: estimated {estimate} core-hours, measured {least:.4}");
        }
    }
    assert!(wrong.is_empty(), "tesuji lab run ID --quick, then the line in tests/quick.txt:\n{wrong}");
    assert_eq!(measured.len(), library::ALL.len(), "experiments that are gone");
    assert!(hours < 0.5, "all quick runs together are estimated at {hours} core-hours");
}
