//! Everything a report shows.

use super::{Comparison, Findings, Measure, Table, figure};
use crate::kinds::Results;
use crate::plan::{Experiment, Size};
use crate::store::{Event, Stored};
use std::collections::BTreeSet;

/// A report, in no particular form yet.
pub struct Page {
    /// The id of the experiment.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What the source claims.
    pub claim: String,
    /// Which source.
    pub source: String,
    /// What readers should know.
    pub note: Option<String>,
    /// The size that was run.
    pub size: Size,
    /// Jobs that are done, and planned.
    pub done: (usize, usize),
    /// Void jobs: how many for each reason.
    pub void: Vec<(String, usize)>,
    /// Published numbers beside ours.
    pub comparisons: Vec<Comparison>,
    /// What was found.
    pub findings: Findings,
    /// How it was run: names and values.
    pub facts: Vec<(&'static str, String)>,
}

impl Page {
    /// The report of a folder's results.
    #[must_use]
    pub fn new(experiment: &Experiment, stored: &Stored) -> Page {
        let plan = &stored.plan;
        let jobs = plan.own_jobs().map(|job| (job, stored.lines.get(&job.id))).collect();
        let results = Results::new(jobs);
        let findings = experiment.findings(plan.size, &results);
        let ours = |name: &String| findings.measures.iter().find(|measure| measure.name == *name).cloned();
        let compare = |published: &crate::plan::Published| {
            let name = published.measure.get_ref();
            Comparison::new(published, ours(name).unwrap_or_else(|| Measure::named(name.clone())))
        };
        let mut void: Vec<(String, usize)> = Vec::new();
        for (_, why) in results.void() {
            match void.iter_mut().find(|(known, _)| known == why) {
                Some((_, count)) => *count += 1,
                None => void.push((why.into(), 1)),
            }
        }
        Page {
            id: experiment.id.clone(),
            title: experiment.title.clone(),
            claim: experiment.claim.clone(),
            source: experiment.source.clone(),
            note: experiment.note.clone(),
            size: plan.size,
            done: (results.done(), results.planned()),
            void,
            comparisons: experiment.published.iter().map(compare).collect(),
            facts: facts(experiment, stored, &results),
            findings,
        }
    }

    /// What the page must say before anything else: nothing that is part of a run is shown as whole.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let (done, planned) = self.done;
        let mut parts = Vec::new();
        if self.size == Size::Quick {
            parts.push("A quick run: smaller than the experiment of the source.".to_string());
        }
        if done < planned {
            parts.push(format!(
                "Unfinished: {done} of {planned} jobs are done, in rounds over all agents and positions."
            ));
        }
        let void: usize = self.void.iter().map(|(_, count)| count).sum();
        if void > 0 {
            parts.push(format!("{void} jobs are void and count for nothing."));
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// The comparisons and the tables of the findings.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut all = Vec::new();
        if !self.comparisons.is_empty() {
            let mut table = Table::new("Published and ours", &Comparison::HEAD);
            table.rows = self.comparisons.iter().map(Comparison::row).collect();
            if self.size == Size::Quick {
                table.rows.iter_mut().for_each(|row| row[3] = "quick run".into());
            }
            all.push(table);
        }
        all.extend(self.findings.tables.iter().filter(|table| !table.rows.is_empty()).cloned());
        if !self.void.is_empty() {
            let mut table = Table::new("Void jobs", &["why", "jobs"]);
            table.rows = self.void.iter().map(|(why, count)| vec![why.clone(), count.to_string()]).collect();
            all.push(table);
        }
        all
    }

    /// The verdict on the whole claim, in words.
    #[must_use]
    pub fn verdict(&self) -> String {
        use super::Verdict;
        if self.size == Size::Quick && !self.comparisons.is_empty() {
            return "No verdict: a quick run has fewer games or smaller budgets than the experiment of the source."
                .into();
        }
        let count = |verdict: &[Verdict]| self.comparisons.iter().filter(|it| verdict.contains(&it.verdict)).count();
        let (agree, differ) = (count(&[Verdict::Agrees]), count(&[Verdict::Higher, Verdict::Lower]));
        match (agree, differ, self.comparisons.len()) {
            (_, _, 0) => "No number was published to compare with.".into(),
            (0, 0, all) => format!("Open: none of {all} published numbers can be compared yet."),
            (agree, 0, all) => format!("Reproduced: {agree} of {all} published numbers agree with ours."),
            (agree, differ, all) => {
                format!("Differs: of {all} published numbers {agree} agree with ours and {differ} do not.")
            }
        }
    }
}

/// How it was run. No host name and no path.
fn facts(experiment: &Experiment, stored: &Stored, results: &Results<'_>) -> Vec<(&'static str, String)> {
    let plan = &stored.plan;
    let quick = if plan.size == Size::Quick { " --quick" } else { "" };
    let name = if plan.ours { plan.experiment.clone() } else { format!("{}.toml", plan.experiment) };
    let mut facts = vec![
        ("command", format!("tesuji lab run {name}{quick}")),
        ("size", plan.size.name().into()),
        ("seed", experiment.seed.to_string()),
    ];
    let mut programs = BTreeSet::new();
    let mut machines = BTreeSet::new();
    for event in &stored.events {
        if let Event::Run { version, commit, cpu, .. } = event {
            programs.insert(format!("tesuji {version}, commit {commit}"));
            machines.insert(cpu.clone());
        }
    }
    let joined = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join("; ");
    facts.push(("experiment-file", plan.fingerprint()));
    facts.push(("jobs", format!("{} of {} done", results.done(), results.planned())));
    facts.push(("core-hours", figure(results.seconds() / 3600.0)));
    facts.push(("program", joined(programs)));
    facts.push(("processor", joined(machines)));
    facts
}
