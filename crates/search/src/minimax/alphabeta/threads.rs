//! Lazy SMP: helpers search the same root with the same table, each in another order of root moves, every second one a
//! depth ahead. They exchange nothing but table entries. The main thread's answer is the answer; when it is done, the helpers are stopped.

use super::engine::{Engine, Shared};
use super::witness::Blind;
use super::{depth_limit, engine};
use tesuji_core::{Budget, Report, Rng, Studied, Watch};

/// Room for the deepest recursion, generously.
const STACK_BYTES: usize = 8 << 20;

pub(super) fn run<'a, P: Studied>(
    shared: &'a Shared<'a, P>,
    root: &P,
    budget: &Budget,
    rng: &mut Rng,
    watch: Option<Watch<'a, P::Move>>,
) -> Report<P::Move> {
    let limit = depth_limit(&shared.options, budget);
    let threads = if shared.table.is_some() { budget.thread_count() } else { 1 };
    let stop = budget.stop.child();
    // All threads together keep the limits of work: each gets its share.
    let share = |most: Option<u64>| most.map(|most| most / u64::from(threads));
    let helper_budget = Budget {
        stop: stop.clone(),
        nodes: share(budget.nodes),
        iterations: share(budget.iterations),
        ..budget.clone()
    };
    let rest = |most: Option<u64>, helper: Option<u64>| Some(most? - helper? * u64::from(threads - 1));
    let main_budget = Budget {
        nodes: rest(budget.nodes, helper_budget.nodes),
        iterations: rest(budget.iterations, helper_budget.iterations),
        ..budget.clone()
    };
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for number in 1..threads {
            let budget = helper_budget.clone();
            let mut rng = rng.split(u64::from(number));
            let work = move || {
                let mut engine = Engine::new(shared, root, budget.meter(), Blind, &mut rng);
                engine.deepen(1 + number % 2, limit, |_| ());
                engine.meter.nodes()
            };
            // A helper that cannot be had is no loss of correctness.
            if let Ok(helper) = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work) {
                helpers.push(helper);
            }
        }
        let mut main = Engine::new(shared, root, main_budget.meter(), Blind, rng);
        if let Some(watch) = watch {
            main.watched(watch);
        }
        main.deepen(1, limit, |_| ());
        stop.stop();
        let mut report = main.report();
        if threads > 1 {
            report.figures.push(("nodes of the main thread", report.nodes as f64));
        }
        for helper in helpers {
            report.nodes += helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        report
    })
}

const _: () = assert!(engine::MOST_PLIES as usize * 4096 < STACK_BYTES);
