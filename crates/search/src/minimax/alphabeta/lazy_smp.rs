//! Lazy SMP: helper threads search the same root with the same table, each with another order of
//! root moves, every second one a depth ahead. They exchange nothing but table entries and marks of
//! moves in progress. The main thread's result is reported; when it is done, the helpers are
//! stopped.

use super::instrument::Uninstrumented;
use super::options::depth_limit;
use super::search::{MAX_PLY, Searcher, Shared};
use tesuji_core::{Budget, Report, Rng, Studied, Watch};

/// The stack of a helper: more than the deepest recursion needs.
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
    // The limits of work hold for all threads together: each gets its share.
    let share = |limit: Option<u64>| limit.map(|limit| limit / u64::from(threads));
    let helper_budget = Budget {
        stop: stop.clone(),
        nodes: share(budget.nodes),
        iterations: share(budget.iterations),
        ..budget.clone()
    };
    let rest = |limit: Option<u64>, helper: Option<u64>| Some(limit? - helper? * u64::from(threads - 1));
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
                let mut helper = Searcher::new(shared, root, budget.meter(), Uninstrumented, &mut rng);
                helper.deepen(1 + number % 2, limit, |_| ());
                helper.meter.nodes()
            };
            // A thread that cannot be started costs speed only.
            if let Ok(helper) = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work) {
                helpers.push(helper);
            }
        }
        let mut main = Searcher::new(shared, root, main_budget.meter(), Uninstrumented, rng);
        if let Some(watch) = watch {
            main.set_watch(watch);
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

const _: () = assert!(MAX_PLY as usize * 4096 < STACK_BYTES);
