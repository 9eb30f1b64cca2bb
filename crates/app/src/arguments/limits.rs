//! What a search may take: the options, and the budget they make.

use super::values::{bytes, count, seconds};
use crate::failure::Failure;
use clap::Args;
use std::ops::RangeInclusive;
use std::time::Duration;
use tesuji_agents::{AnyPosition, counts_work, is_auto, is_parallel, usual_effort};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Seed, StopFlag};

/// Threads that can be asked for.
pub const THREADS: RangeInclusive<i64> = 1..=1024;

/// How much work a search may do.
#[derive(Args, Clone)]
pub struct Limits {
    /// Iterations of the agent (playouts, expansions), such as 5000 or 5k
    #[arg(long, value_name = "N", value_parser = count)]
    iterations: Option<u64>,
    /// Positions entered, repeats included
    #[arg(long, value_name = "N", value_parser = count)]
    nodes: Option<u64>,
    /// Seconds, more than 0, at most 10,000,000
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Memory for trees and tables, such as 64MB or 2GiB [default: 1GiB]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads, 1 to 1024; an agent that uses one thread refuses more [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(THREADS))]
    threads: Option<u32>,
    /// Threads from the config file: taken by agents that can use them.
    #[arg(skip)]
    usual_threads: Option<u32>,
}

impl Limits {
    /// As a budget for an agent, asked for by its name or as `auto`. One that would never end gets
    /// a default if nothing limits it.
    ///
    /// # Errors
    /// If the agent cannot use this number of threads, or its table needs more memory.
    pub fn budget(&self, asked: &Spec, agent: &Spec, position: &dyn AnyPosition) -> Result<Budget, Failure> {
        Ok(Budget { stop: crate::progress::interrupt(), ..self.engine_budget(asked, agent, position)? })
    }

    /// As a budget for one of two agents, and whether it lacks limits that were given: iterations
    /// and nodes where the agent is an engine outside that has no word for them. They bind the
    /// other agent alone: a number of playouts against an engine at its own level is a fair
    /// question.
    ///
    /// # Errors
    /// If the agent cannot use this number of threads, or its table needs more memory.
    pub fn budget_beside(
        &self,
        other: &Spec,
        asked: &Spec,
        agent: &Spec,
        position: &dyn AnyPosition,
    ) -> Result<(Budget, bool), Failure> {
        if counts_work(agent) || !counts_work(other) || !self.limits_work() {
            return Ok((self.budget(asked, agent, position)?, false));
        }
        let own = Limits { iterations: None, nodes: None, ..self.clone() };
        Ok((own.budget(asked, agent, position)?, true))
    }

    /// The same with other limits of a search; nothing if none is given.
    pub fn replaced(&self, iterations: Option<u64>, nodes: Option<u64>, time: Option<Duration>) -> Option<Limits> {
        let own = Limits { iterations, nodes, time, ..self.clone() };
        own.is_limited().then_some(own)
    }

    fn limits_work(&self) -> bool {
        self.iterations.is_some() || self.nodes.is_some()
    }

    /// As a budget for an agent that ends by itself when there is nothing left to do.
    ///
    /// # Errors
    /// If the agent cannot use this number of threads, or its table needs more memory.
    pub fn solving_budget(&self, agent: &Spec, position: &dyn AnyPosition) -> Result<Budget, Failure> {
        // The soft limit is for play: a solver neither stops at an only move nor before a deeper
        // iteration.
        let budget = self.budget(agent, agent, position)?;
        Ok(Budget { iterations: self.iterations, nodes: self.nodes, soft_time: None, ..budget })
    }

    /// Whether the command line says how much work a search may do.
    pub fn is_limited(&self) -> bool {
        self.iterations.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// The same without Ctrl-C, for engines that another program drives.
    ///
    /// # Errors
    /// If the agent cannot use this number of threads, or its table needs more memory.
    pub fn engine_budget(&self, asked: &Spec, agent: &Spec, position: &dyn AnyPosition) -> Result<Budget, Failure> {
        let threads = self.threads_of(asked, agent);
        check_threads(threads, agent)?;
        let memory = self.memory.unwrap_or(Budget::DEFAULT_MEMORY);
        check_table(memory, agent)?;
        if self.limits_work() && !counts_work(agent) {
            let why = "an engine outside without words for a limit of iterations or nodes; --time S reaches it";
            return Err(Failure::input(format!("{}: {why}", agent.name)));
        }
        let (iterations, nodes) =
            if self.is_limited() { (self.iterations, self.nodes) } else { usual_effort(asked, agent, position) };
        Ok(Budget {
            iterations,
            nodes,
            depth: None,
            soft_time: self.time,
            hard_time: self.time,
            memory: Some(memory),
            threads: std::num::NonZeroU32::new(threads),
            stop: StopFlag::new(),
        })
    }

    /// auto takes the threads its agent can use; a named agent refuses more than it can. The config
    /// file names no agent, so that its threads are for the agents that can use them.
    fn threads_of(&self, asked: &Spec, agent: &Spec) -> u32 {
        match self.threads {
            Some(threads) if !is_auto(asked) || is_parallel(agent) => threads,
            None if is_parallel(agent) => self.usual_threads.unwrap_or(1),
            _ => 1,
        }
    }

    /// Takes from a config file what the command line leaves open. A time counts only where no
    /// limit was given. Answers the keys that were used.
    pub fn fill(&mut self, time: Option<Duration>, memory: Option<u64>, threads: Option<u32>) -> Vec<&'static str> {
        let mut used = Vec::new();
        if !self.is_limited() && time.is_some() {
            self.time = time;
            used.push("time");
        }
        if self.memory.is_none() && memory.is_some() {
            self.memory = memory;
            used.push("memory");
        }
        if self.threads.is_none() && threads.is_some() {
            self.usual_threads = threads;
            used.push("threads");
        }
        used
    }

    /// The seed.
    pub fn seed(&self) -> Seed {
        Seed(self.seed)
    }

    /// As they were given, for records.
    pub fn stated(&self) -> Stated {
        Stated {
            iterations: self.iterations,
            nodes: self.nodes,
            seconds: self.time.map(|time| time.as_secs_f64()),
            memory: self.memory,
            threads: self.threads.unwrap_or(1),
        }
    }
}

/// Limits as they were given; what is missing was not given.
#[derive(serde::Serialize)]
pub struct Stated {
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    threads: u32,
}

/// Refuses more threads than an agent can use.
pub fn check_threads(threads: u32, agent: &Spec) -> Result<(), Failure> {
    if threads > 1 && !is_parallel(agent) {
        return Err(Failure::input(format!("--threads {threads}: the agent {} uses one thread", agent.name)));
    }
    Ok(())
}

/// Refuses a table that was asked for and does not fit: it is not made smaller silently.
fn check_table(memory: u64, agent: &Spec) -> Result<(), Failure> {
    let asked = agent.arguments.iter().find(|argument| argument.name == "bytes").map(|argument| &argument.value);
    match asked {
        Some(SpecValue::Integer(bytes)) if u64::try_from(*bytes).is_ok_and(|bytes| bytes > memory) => {
            let name = &agent.name;
            let why = format!("{name}: a table of {bytes} bytes, and {memory} are allowed; --memory {bytes} allows it");
            Err(Failure::input(why))
        }
        _ => Ok(()),
    }
}
