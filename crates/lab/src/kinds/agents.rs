//! The agents of an experiment: names, specs, limits, and sweeps of their parameters.
//!
//! ```toml
//! [[setup.agents]]
//! name = "R = {R}"
//! agent = "deep-pn(r={R})"
//! sweep = { R = [0.5, 1.0] }      # one agent for each value; two letters make a grid
//! limits = { nodes = 1000000 }    # else those of [setup]
//! ```

use crate::plan::Problem;
use crate::tasks::limits::Limits;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use tesuji_agents::{
    Access, AnyPosition, agent_descriptions, agent_for, canonical_agent, counts_work, is_endless, is_parallel,
};
use tesuji_core::StopFlag;
use tesuji_core::spec::{Description, Kind, Spec, SpecValue};
use toml::Spanned;

/// Most agents that sweeps may make.
const MOST: usize = 10_000;

/// Limits as files state them.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsText {
    iterations: Option<u64>,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: Option<u64>,
    threads: Option<NonZeroU32>,
}

impl From<LimitsText> for Limits {
    fn from(text: LimitsText) -> Limits {
        let LimitsText { iterations, nodes, time, memory, threads } = text;
        Limits { iterations, nodes, time, memory, threads }
    }
}

/// An agent as files state it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentText {
    name: Spanned<String>,
    agent: Spanned<String>,
    #[serde(default)]
    limits: LimitsText,
    #[serde(default)]
    sweep: BTreeMap<String, Vec<f64>>,
}

impl AgentText {
    /// Its name, before sweeps.
    pub fn name(&self) -> &str {
        self.name.get_ref()
    }
}

/// An agent of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    /// Its name in labels and reports.
    pub name: String,
    /// The canonical text.
    pub agent: String,
    /// The limits of each search.
    pub limits: Limits,
    /// The values of its swept parameters, by letter.
    pub swept: Vec<(String, f64)>,
    /// The programs it starts.
    pub programs: Vec<String>,
    /// Where its spec stands in the file.
    pub span: std::ops::Range<usize>,
}

impl Contestant {
    /// The same with no more than these iterations.
    pub fn within(&self, most: Option<u64>) -> Contestant {
        let mut within = self.clone();
        if let Some(most) = most {
            within.limits.iterations = Some(self.limits.iterations.map_or(most, |own| own.min(most)));
        }
        within
    }
}

/// Reads agents for the game of a position: sweeps are spread out, specs made canonical.
///
/// # Errors
/// If an agent does not exist or does not serve the game, a name comes twice, or a search would not
/// end.
pub fn read(
    texts: &[AgentText],
    general: Limits,
    position: &dyn AnyPosition,
    access: &Access,
) -> Result<Vec<Contestant>, Problem> {
    let mut all: Vec<Contestant> = Vec::new();
    for text in texts {
        for values in grid(&text.sweep, &text.name)? {
            let filled = fill(text.agent.get_ref(), &values);
            let limits = Limits::from(text.limits).or(general);
            let contestant = one(text, filled, limits, position, access)?;
            let name = fill(text.name.get_ref(), &values);
            if all.iter().any(|other| other.name == name) {
                return Err(Problem::at(&text.name, format!("two agents are named \"{name}\"")));
            }
            all.push(Contestant { name, swept: values, ..contestant });
        }
    }
    Ok(all)
}

fn one(
    text: &AgentText,
    filled: String,
    limits: Limits,
    position: &dyn AnyPosition,
    access: &Access,
) -> Result<Contestant, Problem> {
    let problem = |error: &dyn std::fmt::Display| Problem::at(&text.agent, format!("{filled}: {error}"));
    let spec: Spec = filled.parse().map_err(|error| problem(&error))?;
    let spec = agent_for(&spec, position).map_err(|error| problem(&error))?;
    let canonical = canonical_agent(&spec).map_err(|error| problem(&error))?;
    let programs = programs_of(&canonical, &agent_descriptions());
    // An agent that is a program is not started to be checked.
    if programs.is_empty() {
        position.agent_with(&canonical, access).map_err(|error| problem(&error))?;
    } else {
        for program in &programs {
            access
                .resources()
                .check_program(program)
                .map_err(|_| problem(&format!("the file would start \"{program}\"; --allow-programs allows it")))?;
        }
    }
    if is_endless(&canonical) && !limits.ends() {
        return Err(problem(&"it would search for ever; limits = { iterations = 1000 } or another ends it"));
    }
    if !counts_work(&canonical) && (limits.iterations.is_some() || limits.nodes.is_some()) {
        return Err(problem(
            &"an engine outside without words for iterations or nodes; limits = { time = 1.0 } reaches it",
        ));
    }
    if limits.threads.is_some_and(|threads| threads.get() > 1) && !is_parallel(&canonical) {
        return Err(problem(&"it uses one thread"));
    }
    limits.budget(&StopFlag::new()).map_err(|error| problem(&error))?;
    let (name, agent) = (text.name.get_ref().clone(), canonical.to_string());
    Ok(Contestant { name, agent, limits, swept: Vec::new(), programs, span: text.agent.span() })
}

/// All combinations of the values of a sweep; one without values if nothing is swept.
fn grid(sweep: &BTreeMap<String, Vec<f64>>, name: &Spanned<String>) -> Result<Vec<Vec<(String, f64)>>, Problem> {
    let mut all = vec![Vec::new()];
    for (letter, values) in sweep {
        if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
            return Err(Problem::at(name, format!("the sweep of {letter} needs finite values")));
        }
        let longer = |before: &Vec<(String, f64)>| {
            let with = |value: &f64| [before.clone(), vec![(letter.clone(), *value)]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
        if all.len() > MOST {
            return Err(Problem::at(name, format!("the sweep makes more than {MOST} agents")));
        }
    }
    Ok(all)
}

/// A text with the values of a sweep in place of their letters in braces.
fn fill(text: &str, values: &[(String, f64)]) -> String {
    let put =
        |text: String, (letter, value): &(String, f64)| text.replace(&format!("{{{letter}}}"), &value.to_string());
    values.iter().fold(text.to_string(), put)
}

/// The programs that a canonical spec names.
pub fn programs_of(spec: &Spec, known: &[Description]) -> Vec<String> {
    let Some(description) = known.iter().find(|description| description.name == spec.name) else { return Vec::new() };
    let mut programs = Vec::new();
    for argument in &spec.arguments {
        let parameter = description.parameters.iter().find(|parameter| parameter.name == argument.name);
        match (parameter.map(|parameter| parameter.kind), &argument.value) {
            (Some(Kind::Program), SpecValue::Text(command)) => programs.push(command.clone()),
            (Some(Kind::Part(parts)), SpecValue::Spec(part)) => programs.extend(programs_of(part, parts)),
            _ => {}
        }
    }
    programs
}

/// The programs of agents, each once.
pub fn programs(agents: &[Contestant]) -> Vec<String> {
    let mut all: Vec<String> = agents.iter().flat_map(|agent| agent.programs.iter().cloned()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::{fill, grid};
    use toml::Spanned;

    #[test]
    fn a_sweep_of_two_letters_is_a_grid() {
        let sweep = [("D".to_string(), vec![2.0, 3.0]), ("E".to_string(), vec![0.5])].into();
        let all = grid(&sweep, &Spanned::new(0..0, String::new())).expect("a grid");
        let texts: Vec<String> = all.iter().map(|values| fill("x(e={E},d={D})", values)).collect();
        assert_eq!(texts, ["x(e=0.5,d=2)", "x(e=0.5,d=3)"]);
        assert_eq!(grid(&[].into(), &Spanned::new(0..0, String::new())).expect("one"), [vec![]]);
    }
}
