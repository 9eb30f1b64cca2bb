//! df-pn's numbers: what children say together, and how long to stay with one of them.
//!
//! A node is worked on while both its numbers are below its thresholds; then its parent decides anew. Let *least* be the
//! number the mover makes small (pn at OR nodes) and *sum* the other one. The child c of the smallest least gets
//!
//! > least threshold = min(own least threshold, max(least₂ + 1, ⌈least₂·(1+ε)⌉)),  least₂: that of the second-best child
//! > sum threshold   = own sum threshold − (sum − sum_c)
//!
//! so the leaf reached is the most-proving one, without a way back to the root each time. With ε > 0 the search stays
//! longer where it is. Weak sums count a node's sum as max sumᵢ + (unsolved children − 1), which does not count
//! a shared subtree twice over (Ueda et al. 2008).

use super::Status;
use super::table::MOST;
use tesuji_core::solver::Settings;

/// No threshold.
pub(super) const INFINITE: u32 = u32::MAX;

/// The powers of E that are needed, rounded down, as far as they stay below the largest number.
fn powers(settings: &Settings) -> Vec<u32> {
    let most = f64::from(MOST);
    let powers = std::iter::successors(Some(1.0_f64), |power| Some(power * settings.e));
    powers
        .take(settings.d as usize + 1)
        .take_while(|power| (1.0..most).contains(power))
        .map(|power| power as u32)
        .collect()
}

/// A child, as its parent's frame sees it.
#[derive(Clone, Copy)]
pub(super) struct Child<M> {
    pub(super) mv: M,
    pub(super) key: u64,
    pub(super) numbers: [u32; 2],
    /// What the threads in it add to the number its parent's mover makes small.
    pub(super) penalty: u32,
    pub(super) status: Status,
}

/// What the children say together.
pub(super) struct Summary {
    pub(super) status: Status,
    pub(super) numbers: [u32; 2],
    /// The child to work on, or the one that settles the node.
    pub(super) best: usize,
    /// Its least number.
    pub(super) chosen_least: u32,
    /// The second smallest least number, with what other threads add to it; infinite if there is none.
    pub(super) second: u32,
    /// The sum without the best child.
    pub(super) others: u64,
}

impl Summary {
    /// Of a position that was not looked at.
    pub(super) const NOTHING: Summary =
        Summary { status: Status::Unknown, numbers: [1, 1], best: 0, chosen_least: 1, second: INFINITE, others: 0 };
}

/// How a search works, without its memory.
pub(super) struct Method {
    pub(super) settings: Settings,
    /// E⁰, E¹, …
    powers: Vec<u32>,
}

impl Method {
    pub(super) fn new(settings: Settings) -> Method {
        Method { powers: powers(&settings), settings }
    }

    /// The number of an unknown leaf at this depth.
    #[inline]
    pub(super) fn start(&self, depth: u32) -> u32 {
        let Settings { e, d, .. } = self.settings;
        if e == 0.0 {
            return 0;
        }
        if e == 1.0 || depth >= d {
            return 1;
        }
        self.powers.get((d - depth) as usize).copied().unwrap_or(MOST)
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
                return Summary { status: wanted, numbers: [0, 0], best: number, chosen_least: 0, second, others: 0 };
            }
            if child.status != Status::Unknown || unsolved >= counted as u64 {
                continue;
            }
            unsolved += 1;
            sum += u64::from(child.numbers[1 - least]);
            most = most.max(child.numbers[1 - least]);
            smallest = smallest.min(child.numbers[least]);
            let value = child.numbers[least].saturating_add(child.penalty);
            if value < first {
                (second, first, best) = (first, value, number);
            } else if value < second {
                second = value;
            }
        }
        if best == usize::MAX {
            let status = Status::unwanted(or_node);
            return Summary { status, numbers: [0, 0], best, chosen_least: 0, second, others: 0 };
        }
        let own = u64::from(children[best].numbers[1 - least]);
        let (total, others) =
            if self.settings.weak { (u64::from(most) + unsolved - 1, unsolved - 1) } else { (sum, sum - own) };
        let mut numbers = [0; 2];
        numbers[least] = smallest.min(MOST);
        numbers[1 - least] = total.min(u64::from(MOST)) as u32;
        let chosen_least = children[best].numbers[least];
        Summary { status: Status::Unknown, numbers, best, chosen_least, second, others }
    }

    /// The thresholds of the chosen child.
    #[inline]
    pub(super) fn child_thresholds(&self, own: [u32; 2], summary: &Summary, or_node: bool) -> [u32; 2] {
        let least = usize::from(!or_node);
        let mut stay = summary.second.saturating_add(1);
        if self.settings.epsilon > 0.0 && summary.second < INFINITE {
            let longer = (f64::from(summary.second) * (1.0 + self.settings.epsilon)).ceil();
            stay = stay.max(longer.min(f64::from(INFINITE)) as u32);
        }
        // Where numbers have reached their limit they tell nothing apart any more: a threshold above it is none.
        if stay > MOST {
            stay = INFINITE;
        }
        let mut thresholds = [0; 2];
        // The child is the best one, or the best one that no other thread is in: that one may go on a little in any case.
        thresholds[least] = own[least].min(stay).max(summary.chosen_least.saturating_add(1));
        let sum = own[1 - least];
        thresholds[1 - least] = if sum == INFINITE {
            INFINITE
        } else {
            u32::try_from(u64::from(sum).saturating_sub(summary.others)).unwrap_or(INFINITE)
        };
        thresholds
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Method, Settings};

    #[test]
    fn deep_leaves_start_as_published() {
        let start = |e: f64, d: u32, depth: u32| {
            let settings = Settings { e, d, ..Settings::default() };
            Method::new(settings).start(depth)
        };
        assert_eq!((0..8).map(|depth| start(3.0, 5, depth)).collect::<Vec<_>>(), [243, 81, 27, 9, 3, 1, 1, 1]);
        assert_eq!((start(0.0, 5, 2), start(1.0, 50, 2)), (0, 1));
        assert_eq!(start(20.0, 1_000_000, 2), MOST, "powers stop below infinity");
    }
}
