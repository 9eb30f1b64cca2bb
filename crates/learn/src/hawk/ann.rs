//! Pruning by a value network (Hawk §3.2.2, equation 3.2).
//!
//! > pruned: 50 − 48.6·(1 − e^(−0.0244·x)) per cent of the moves, x the number of the move: 50 % at the
//! > beginning, 10 % at move 70, 4 % at move 125.
//!
//! The network n² → n²/3 → 1 judges the board after each move of the root; those it likes least for
//! the mover are dropped.
//!
//! * `text`: as written. Inputs are +1 for stones of the first player and −1 for those of the second.
//! * `code`: `Node.prune` sorts the indices that the network chose and then removes the children
//!   0, 1, … instead (`unvisitedChildren.remove(i)`, not `indices.get(i)`): the pass and the first
//!   points of the board, whatever the network says. So do we; the network is evaluated and ignored.
//! * `improved`: drops moves at every node of the tree, by the share of its own move number; the
//!   network sees the board as the player who just moved does (own stones +1, in Hex turned so that
//!   its goal is the first player's), and was trained on the boards after moves, with symmetries.
//!   The pass is never dropped, and a capture is not seen: a stone costs one column of additions.

use super::table::StoneTable;
use super::uct::{As, Style};
use crate::small::{Accumulator, FastNetwork};
use std::sync::Arc;
use tesuji_core::Player;

/// The share of moves that is pruned at this move of the game.
#[must_use]
pub fn pruned_share(played: u32) -> f64 {
    (50.0 - 48.6 * (1.0 - libm::exp(-0.0244 * f64::from(played)))) / 100.0
}

/// What a network sees of a board: stones by points, for one player.
pub(super) fn seen_by(stones: &[i8], viewer: Player, mirrors: bool, lines: usize, seen: &mut Vec<i8>) {
    seen.clear();
    if viewer == Player::First {
        seen.extend_from_slice(stones);
    } else if mirrors {
        seen.extend((0..stones.len()).map(|point| -stones[point % lines * lines + point / lines]));
    } else {
        seen.extend(stones.iter().map(|stone| -stone));
    }
}

/// Judges boards by a value network.
pub struct Judge {
    network: Arc<FastNetwork>,
    /// Whether it sees boards as the player who just moved does.
    turned: bool,
    sums: Accumulator,
    root_sums: Accumulator,
    stones: Vec<i8>,
    root_stones: Vec<i8>,
    seen: Vec<i8>,
    root_seen: Vec<i8>,
}

impl Judge {
    /// With this network, for boards of its size.
    #[must_use]
    pub fn new(network: Arc<FastNetwork>, turned: bool) -> Judge {
        let points = network.inputs();
        Judge {
            network,
            turned,
            sums: Accumulator::default(),
            root_sums: Accumulator::default(),
            stones: vec![0; points],
            root_stones: vec![0; points],
            seen: Vec::new(),
            root_seen: Vec::new(),
        }
    }

    /// The worth of each move of the table's board, to which `replay` leads, for its mover. The table
    /// is left as it was.
    fn judge(&mut self, table: &mut dyn StoneTable, replay: &[u16], moves: &[u16], worth: &mut Vec<f32>) {
        let (mover, lines, mirrors) = (table.turn(), table.lines(), table.mirrors());
        let viewer = if self.turned { mover } else { Player::First };
        table.write_stones(&mut self.root_stones);
        seen_by(&self.root_stones, viewer, mirrors, lines, &mut self.root_seen);
        self.network.begin(&self.root_seen, &mut self.root_sums);
        worth.clear();
        for mv in moves {
            table.play(*mv);
            table.write_stones(&mut self.stones);
            seen_by(&self.stones, viewer, mirrors, lines, &mut self.seen);
            self.sums.clone_from(&self.root_sums);
            self.network.follow(&mut self.sums, &self.root_seen, &self.seen);
            let value = self.network.answer(&self.sums);
            // The network speaks for the viewer.
            worth.push(if viewer == mover { value } else { 1.0 - value });
            table.reset();
            replay.iter().for_each(|mv| table.play(*mv));
        }
    }
}

impl Judge {
    /// The same for boards on which the stone is set and nothing else happens: captures are not
    /// seen, and nothing is played. A move without a stone is worth what the board is.
    fn glance(&mut self, table: &mut dyn StoneTable, moves: &[u16], worth: &mut Vec<f32>) {
        let (mover, lines, mirrors) = (table.turn(), table.lines(), table.mirrors());
        table.write_stones(&mut self.root_stones);
        seen_by(&self.root_stones, mover, mirrors, lines, &mut self.root_seen);
        self.network.begin(&self.root_seen, &mut self.root_sums);
        worth.clear();
        for mv in moves {
            let point = usize::from(*mv);
            let turned = if mover == Player::Second && mirrors { point % lines * lines + point / lines } else { point };
            let is_stone = point < self.root_stones.len();
            if is_stone {
                self.network.change(&mut self.root_sums, turned, 1);
            }
            worth.push(self.network.answer(&self.root_sums));
            if is_stone {
                self.network.change(&mut self.root_sums, turned, -1);
            }
        }
    }
}

/// The agent's part of the search.
pub(super) struct Pruning {
    judge: Judge,
    whose: As,
    improved: bool,
    /// The numbers of moves that are stones.
    points: usize,
    worth: Vec<f32>,
}

impl Pruning {
    pub(super) fn new(judge: Judge, whose: As, improved: bool) -> Pruning {
        let points = judge.network.inputs();
        Pruning { judge, whose, improved, points, worth: Vec::new() }
    }
}

impl Style for Pruning {
    fn prunes_below(&self) -> bool {
        self.improved
    }

    fn prune(&mut self, table: &mut dyn StoneTable, replay: &[u16], moves: &mut Vec<u16>) {
        let count = (moves.len() as f64 * pruned_share(table.played())) as usize;
        let count = count.min(moves.len().saturating_sub(1));
        if self.whose == As::Code {
            // The program's list begins with the pass.
            moves.sort_by_key(|mv| (usize::from(*mv) < self.points, *mv));
            self.judge.judge(table, replay, moves, &mut self.worth);
            moves.drain(..count);
            return;
        }
        if count == 0 {
            return;
        }
        if self.improved {
            self.judge.glance(table, moves, &mut self.worth);
            for (mv, worth) in moves.iter().zip(&mut self.worth) {
                if usize::from(*mv) >= self.points {
                    *worth = f32::MAX;
                }
            }
        } else {
            self.judge.judge(table, replay, moves, &mut self.worth);
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|one, other| self.worth[*one].total_cmp(&self.worth[*other]).then(one.cmp(other)));
        let mut dropped: Vec<usize> = order[..count].to_vec();
        dropped.sort_unstable();
        dropped.into_iter().rev().for_each(|index| {
            moves.remove(index);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{pruned_share, seen_by};
    use tesuji_core::Player;

    /// Hawk's own figures: 50 % at move 0, 10 % at 70, about 4 % at 125, 2 % at 200.
    #[test]
    fn shares_of_the_thesis() {
        for (played, per_cent) in [(0, 50.0), (70, 10.2), (125, 3.7), (200, 1.8)] {
            assert!((100.0 * pruned_share(played) - per_cent).abs() < 0.1, "{played}");
        }
    }

    #[test]
    fn boards_are_turned() {
        let stones = [1, 0, -1, 0];
        let mut seen = Vec::new();
        seen_by(&stones, Player::First, true, 2, &mut seen);
        assert_eq!(seen, [1, 0, -1, 0]);
        seen_by(&stones, Player::Second, false, 2, &mut seen);
        assert_eq!(seen, [-1, 0, 1, 0]);
        seen_by(&stones, Player::Second, true, 2, &mut seen);
        assert_eq!(seen, [-1, 1, 0, 0]);
    }
}
