//! Lin's trap: the mean avoids it late, the minimax-combined backup early.
//!
//! The expected numbers are computed from Lin 2017 §3.1 and §3.5 with UCB1 by its definition
//! (natural logarithm, every child of a new node simulated at once, ties to the first move, the
//! trap's first playout replaced by its expectation).

use tesuji_core::{Budget, Observer, Pace, Report, Seed};
use tesuji_games::synthetic::{Trap, TrapLeaf};
use tesuji_search::Search;
use tesuji_search::mcts::{Backup, CombinedForm, Decision, Expansion, Leaf, Mcts, Selection, TieBreak};

/// The trap is the last of the twenty moves.
const TRAP: usize = 19;

/// The simulations at which the statistics of the trap change.
#[derive(Default)]
struct Diary {
    /// The last time its mean was at least ½, and the first time it was not.
    last_above: u64,
    first_below: u64,
    /// The first time it had a thousand visits.
    thousand: u64,
    /// The last time it was the decision.
    last_chosen: u64,
}

impl Observer<u32> for Diary {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(1))
    }

    fn progress(&mut self, report: &Report<u32>) {
        let simulations = report.root.iter().map(|entry| entry.visits).sum();
        let trap = &report.root[TRAP];
        if trap.value.expect("tried").to_f64() >= 0.5 {
            self.last_above = simulations;
        } else if self.first_below == 0 {
            self.first_below = simulations;
        }
        if trap.visits >= 1000 && self.thousand == 0 {
            self.thousand = simulations;
        }
        if report.best == Some(trap.mv) {
            self.last_chosen = simulations;
        }
    }
}

fn lin(backup: Backup, decide: Decision, iterations: u64) -> Diary {
    let recipe = Mcts {
        select: Selection::Ucb1 { c: 1.0 },
        expand: Expansion::Each,
        leaf: Leaf::Random { playouts: 1 },
        ties: TieBreak::First,
        backup,
        decide,
        ..Mcts::plain()
    };
    let mut diary = Diary::default();
    let mut search = recipe;
    search.search(&Trap::new(TrapLeaf::Expected), &Budget::iterations(iterations), Seed(1), &mut diary).expect("live");
    diary
}

#[test]
fn averages_see_the_trap_late() {
    let diary = lin(Backup::Mean, Decision::Max, 43_700);
    assert_eq!((diary.last_above, diary.first_below), (44_043, 44_044));
}

#[test]
fn minimax_combined_sees_it_early() {
    for form in [CombinedForm::Jump, CombinedForm::Descent] {
        let combined =
            |parameter, iterations| lin(Backup::Combined { parameter, form }, Decision::RobustMax, iterations);
        // Parameter 5: right by 4,404.
        let diary = combined(5, 6_000);
        assert!((1..=4_404).contains(&diary.last_chosen), "{form:?}: {}", diary.last_chosen);
        // Parameter 50: the threshold of 50 × 20 visits is met at 8,334; wrong for the last time at
        // 19,982.
        let diary = combined(50, 24_000);
        assert_eq!((diary.thousand, diary.last_chosen), (8_334, 19_982), "{form:?}");
        let diary = combined(100, 44_000);
        assert_eq!(diary.last_chosen, 39_982, "{form:?}");
    }
}
