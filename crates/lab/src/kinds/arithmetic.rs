//! The arithmetic of Lin's trap (Lin 2017, Tables 3.1.1 to 3.1.3): what UCT would hold after so many
//! simulations, computed from the numbers of simulations, not searched.
//!
//! > 19 normal moves with mean 0.5; a trap with 19 wrong replies of 0.7 and one right reply of 0.3
//! > UCB = mean + √(2·log₁₀ N / n), LCB = mean − √(2·log₁₀ N / n)
//!
//! The printed tables use the decimal logarithm, and their mean of the trap counts the outcomes of the
//! right reply as 0. The same numbers with the natural logarithm and all outcomes stand beside.

use crate::report::{Findings, Measure, Table};

/// Moves beside the trap, and wrong replies in it.
const OTHERS: f64 = 19.0;
const NORMAL: f64 = 0.5;
const WRONG: f64 = 0.7;
const RIGHT: f64 = 0.3;

/// The simulations of one normal move, of one wrong reply and of the right reply.
pub type Counts = [u64; 3];

/// What a number of simulations may be.
pub const COUNTS: std::ops::RangeInclusive<u64> = 1..=1 << 40;

/// Means and bounds at a point, in the order of the printed tables.
struct Values {
    root: f64,
    normal: f64,
    trap: [f64; 2],
    wrong: f64,
    right: f64,
}

fn values([normal, wrong, right]: Counts, logarithm: fn(f64) -> f64, all_outcomes: bool) -> Values {
    let [normal, wrong, right] = [normal, wrong, right].map(|count| count as f64);
    let trap = OTHERS * wrong + right;
    let root = OTHERS * normal + trap;
    let won = OTHERS * wrong * WRONG + if all_outcomes { right * RIGHT } else { 0.0 };
    let reach = |parent: f64, own: f64| (2.0 * logarithm(parent) / own).sqrt();
    Values {
        root: (OTHERS * normal * NORMAL + won) / root,
        normal: NORMAL + reach(root, normal),
        trap: [won / trap, won / trap + reach(root, trap)],
        wrong: WRONG - reach(trap, wrong),
        right: RIGHT - reach(trap, right),
    }
}

/// Adds a table with the printed arithmetic and with the exact one, and the numbers as printed: to
/// four decimals.
pub fn report(points: &[Counts], findings: &mut Findings) {
    if points.is_empty() {
        return;
    }
    let head = ["after", "node", "simulations", "printed arithmetic", "natural logarithm, all outcomes"];
    let mut table = Table::new("The trap in numbers: computed, not searched", &head);
    for counts in points {
        let [normal, wrong, right] = *counts;
        let trap = OTHERS as u64 * wrong + right;
        let root = OTHERS as u64 * normal + trap;
        let (printed, exact) = (values(*counts, f64::log10, false), values(*counts, f64::ln, true));
        let rows = [
            ("root, mean", root, printed.root, exact.root),
            ("a normal move, UCB", normal, printed.normal, exact.normal),
            ("the trap, mean", trap, printed.trap[0], exact.trap[0]),
            ("the trap, UCB", trap, printed.trap[1], exact.trap[1]),
            ("a wrong reply, LCB", wrong, printed.wrong, exact.wrong),
            ("the right reply, LCB", right, printed.right, exact.right),
        ];
        for (node, simulations, printed, exact) in rows {
            let shown = |number: f64| format!("{number:.4}");
            let count = simulations.to_string();
            table.rows.push(vec![root.to_string(), node.into(), count, shown(printed), shown(exact)]);
            let value = Some((printed * 1e4).round() / 1e4);
            findings.measures.push(Measure { value, trials: root, ..Measure::named(format!("{node}, after {root}")) });
        }
    }
    findings.tables.push(table);
}

#[cfg(test)]
mod tests {
    use super::{report, values};
    use crate::report::Findings;

    /// Lin 2017, Table 3.1.1.
    #[test]
    fn the_first_printed_table_comes_out() {
        let mut findings = Findings::default();
        report(&[[23, 2, 4]], &mut findings);
        let found: Vec<Option<f64>> = findings.measures.iter().map(|measure| measure.value).collect();
        assert_eq!(found, [0.5117, 0.9828, 0.6333, 0.9906, -0.5741, -0.6009].map(Some));
        assert_eq!(findings.measures[2].name, "the trap, mean, after 479");
        // With its four outcomes of 0.3 the trap's mean is 27.8/42.
        let exact = values([23, 2, 4], f64::ln, true);
        assert!((exact.trap[0] - 27.8 / 42.0).abs() < 1e-12);
    }
}
