//! df-pn's numbers: a node's numbers from its children, and the thresholds of the selected child.
//!
//! A node is searched while both its numbers are below its thresholds; then its parent selects
//! again. Let *least* be the number that the mover minimises (pn at OR nodes, dn at AND nodes) and
//! *sum* the other one. The child c with the smallest least gets
//!
//! > least threshold = min(own least threshold, max(least₂ + 1, ⌈least₂·(1+ε)⌉))
//! > sum threshold   = own sum threshold − (sum − sum_c)
//!
//! where least₂ is that of the second-best child. So the leaf reached is the most-proving one,
//! without a return to the root for each expansion. With ε > 0 the search stays longer in a
//! subtree. Weak sums replace Σ sumᵢ by max sumᵢ + (unsolved children − 1), which does not count a
//! shared subtree twice (Ueda et al. 2008).

use super::table::MAX_NUMBER;
use crate::proof::Status;
use tesuji_core::solver::Settings;

/// The threshold that is never reached.
pub(super) const INFINITE: u32 = u32::MAX;

/// A child in the frame of its parent.
#[derive(Clone, Copy)]
pub(super) struct Child<M> {
    pub(super) mv: M,
    pub(super) key: u64,
    pub(super) numbers: [u32; 2],
    /// The virtual number of the threads below it, added to the number that the parent minimises.
    pub(super) virtual_number: u32,
    pub(super) status: Status,
}

/// The numbers and the selection of a node, from its children.
pub(super) struct Summary {
    pub(super) status: Status,
    pub(super) numbers: [u32; 2],
    /// The selected child, or the one that solves the node.
    pub(super) best: usize,
    /// The least number of the selected child, without its virtual number.
    pub(super) chosen_least: u32,
    /// The second smallest least number, virtual number included; infinite if there is none.
    pub(super) second: u32,
    /// The sum without the selected child.
    pub(super) other_children: u64,
}

impl Summary {
    /// The summary of a position that was not expanded.
    pub(super) const NOTHING: Summary = Summary {
        status: Status::Unknown,
        numbers: [1, 1],
        best: 0,
        chosen_least: 1,
        second: INFINITE,
        other_children: 0,
    };
}

/// The arithmetic of proof numbers under some settings.
pub(super) struct ProofNumbers {
    pub(super) settings: Settings,
    /// The powers E⁰ … E^D, rounded down, up to the largest finite number.
    powers: Vec<u32>,
}

impl ProofNumbers {
    pub(super) fn new(settings: Settings) -> ProofNumbers {
        let most = f64::from(MAX_NUMBER);
        let powers = std::iter::successors(Some(1.0_f64), |power| Some(power * settings.e));
        let powers = powers.take(settings.d as usize + 1).take_while(|power| (1.0..most).contains(power));
        ProofNumbers { powers: powers.map(|power| power as u32).collect(), settings }
    }

    /// The initial number of an unknown leaf at this depth.
    #[inline]
    pub(super) fn start(&self, depth: u32) -> u32 {
        let Settings { e, d, moves_per_turn, .. } = self.settings;
        if e == 0.0 {
            return 0;
        }
        if e == 1.0 {
            return 1;
        }
        let depth = depth / moves_per_turn.max(1);
        if depth >= d {
            return 1;
        }
        self.powers.get((d - depth) as usize).copied().unwrap_or(MAX_NUMBER)
    }

    #[inline]
    pub(super) fn summarise<M>(&self, children: &[Child<M>], or_node: bool) -> Summary {
        let (wanted, least) = (Status::wanted(or_node), usize::from(!or_node));
        let (mut best, mut first, mut second, mut smallest) = (usize::MAX, INFINITE, INFINITE, INFINITE);
        let (mut sum, mut most, mut unsolved) = (0_u64, 0, 0_u64);
        let mut counted = usize::MAX;
        if self.settings.focus < 1.0 {
            let open = children.iter().filter(|child| child.status == Status::Unknown).count();
            counted = (1 + (open as f64 * self.settings.focus).ceil() as usize).max(2);
        }
        for (number, child) in children.iter().enumerate() {
            if child.status == wanted {
                return Summary {
                    status: wanted,
                    numbers: [0, 0],
                    best: number,
                    chosen_least: 0,
                    second,
                    other_children: 0,
                };
            }
            if child.status != Status::Unknown || unsolved >= counted as u64 {
                continue;
            }
            unsolved += 1;
            sum += u64::from(child.numbers[1 - least]);
            most = most.max(child.numbers[1 - least]);
            smallest = smallest.min(child.numbers[least]);
            let value = child.numbers[least].saturating_add(child.virtual_number);
            if value < first {
                (second, first, best) = (first, value, number);
            } else if value < second {
                second = value;
            }
        }
        if best == usize::MAX {
            let status = Status::unwanted(or_node);
            return Summary { status, numbers: [0, 0], best, chosen_least: 0, second, other_children: 0 };
        }
        let own = u64::from(children[best].numbers[1 - least]);
        let (total, other_children) =
            if self.settings.weak { (u64::from(most) + unsolved - 1, unsolved - 1) } else { (sum, sum - own) };
        let mut numbers = [0; 2];
        numbers[least] = smallest.min(MAX_NUMBER);
        numbers[1 - least] = total.min(u64::from(MAX_NUMBER)) as u32;
        let chosen_least = children[best].numbers[least];
        Summary { status: Status::Unknown, numbers, best, chosen_least, second, other_children }
    }

    /// The thresholds of the selected child.
    #[inline]
    pub(super) fn child_thresholds(&self, own: [u32; 2], summary: &Summary, or_node: bool) -> [u32; 2] {
        let least = usize::from(!or_node);
        let mut stay = summary.second.saturating_add(1);
        if self.settings.epsilon > 0.0 && summary.second < INFINITE {
            let longer = (f64::from(summary.second) * (1.0 + self.settings.epsilon)).ceil();
            stay = stay.max(longer.min(f64::from(INFINITE)) as u32);
        }
        // Numbers are clamped at the limit, so no threshold above it can be reached.
        if stay > MAX_NUMBER {
            stay = INFINITE;
        }
        let mut thresholds = [0; 2];
        // With virtual numbers the selected child need not have the least number. Its threshold
        // still exceeds its own number, so that it makes progress.
        thresholds[least] = own[least].min(stay).max(summary.chosen_least.saturating_add(1));
        let sum = own[1 - least];
        thresholds[1 - least] = if sum == INFINITE {
            INFINITE
        } else {
            u32::try_from(u64::from(sum).saturating_sub(summary.other_children)).unwrap_or(INFINITE)
        };
        thresholds
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NUMBER, ProofNumbers, Settings};

    #[test]
    fn deep_leaves_start_as_published() {
        let start = |e: f64, d: u32, depth: u32| {
            let settings = Settings { e, d, ..Settings::default() };
            ProofNumbers::new(settings).start(depth)
        };
        assert_eq!((0..8).map(|depth| start(3.0, 5, depth)).collect::<Vec<_>>(), [243, 81, 27, 9, 3, 1, 1, 1]);
        assert_eq!((start(0.0, 5, 2), start(1.0, 50, 2)), (0, 1));
        assert_eq!(start(20.0, 1_000_000, 2), MAX_NUMBER, "powers stop below infinity");
    }

    /// Zhang's D counts turns of two stones: with E = 5, D = 4 (Table 3.3, positions 3 and 8) leaves
    /// start at 625 in the first turn and at 1 from the fifth on.
    #[test]
    fn turns_of_two_stones() {
        let settings = Settings { e: 5.0, d: 4, moves_per_turn: 2, ..Settings::default() };
        let numbers = ProofNumbers::new(settings);
        let starts: Vec<u32> = (0..10).map(|stones| numbers.start(stones)).collect();
        assert_eq!(starts, [625, 625, 125, 125, 25, 25, 5, 5, 1, 1]);
    }
}
