//! The naive board (V-Run, chapter 4): a matrix of stones, and the board before the last move.
//!
//! A chain and its liberties are found by depth-first search each time; a move is tried on a copy,
//! and the ko rule compares that copy with the board before the enemy's last move.

use super::{ReferenceBoard, neighbours};
use tesuji_core::Player;

/// The matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive {
    size: usize,
    stones: Vec<Option<Player>>,
    /// The board before the last move, which may not recur; `None` at the start and after a pass.
    before: Option<Vec<Option<Player>>>,
    /// Stones lost by each player.
    lost: [u32; 2],
}

impl Naive {
    /// The stones of the chain at this point, sorted; none if it is empty.
    #[must_use]
    pub fn chain(&self, point: usize) -> Vec<usize> {
        let Some(owner) = self.stones[point] else { return Vec::new() };
        let mut seen = vec![false; self.stones.len()];
        seen[point] = true;
        let mut stack = vec![point];
        while let Some(at) = stack.pop() {
            for n in neighbours(self.size, at) {
                if self.stones[n] == Some(owner) && !seen[n] {
                    seen[n] = true;
                    stack.push(n);
                }
            }
        }
        (0..seen.len()).filter(|at| seen[*at]).collect()
    }

    /// The liberties of the chain at this point, sorted.
    #[must_use]
    pub fn liberties(&self, point: usize) -> Vec<usize> {
        let mut liberties: Vec<usize> = self
            .chain(point)
            .into_iter()
            .flat_map(|at| neighbours(self.size, at))
            .filter(|&n| self.stones[n].is_none())
            .collect();
        liberties.sort_unstable();
        liberties.dedup();
        liberties
    }

    /// Stones this player has lost.
    #[must_use]
    pub fn lost(&self, player: Player) -> u32 {
        self.lost[player.index()]
    }

    /// All stones.
    #[must_use]
    pub fn stones(&self) -> &[Option<Player>] {
        &self.stones
    }

    /// The stones after a move, with captures removed; the captured points; and whether the new
    /// stone then has a liberty.
    fn after(&self, player: Player, point: usize) -> (Naive, Vec<usize>, bool) {
        let mut next = self.clone();
        next.stones[point] = Some(player);
        let mut taken = Vec::new();
        for n in neighbours(self.size, point) {
            if next.stones[n] == Some(player.other()) && next.liberties(n).is_empty() {
                for at in next.chain(n) {
                    next.stones[at] = None;
                    taken.push(at);
                }
            }
        }
        let breathes = !next.liberties(point).is_empty();
        (next, taken, breathes)
    }

    /// Whether the move would repeat the board before the opponent's last move.
    #[must_use]
    pub fn repeats(&self, player: Player, point: usize) -> bool {
        self.before.as_ref().is_some_and(|before| *before == self.after(player, point).0.stones)
    }

    /// Area score by flood fill: stones and regions that touch one colour only, Black's minus
    /// White's.
    #[must_use]
    pub fn area_difference(&self) -> i32 {
        let stones: i32 = self.stones.iter().flatten().map(|&owner| if owner == Player::First { 1 } else { -1 }).sum();
        let mut seen = vec![false; self.stones.len()];
        let mut territory = 0;
        for start in 0..self.stones.len() {
            if self.stones[start].is_some() || seen[start] {
                continue;
            }
            seen[start] = true;
            let (mut stack, mut count, mut touches) = (vec![start], 0, [false; 2]);
            while let Some(at) = stack.pop() {
                count += 1;
                for n in neighbours(self.size, at) {
                    match self.stones[n] {
                        Some(owner) => touches[owner.index()] = true,
                        None if !seen[n] => {
                            seen[n] = true;
                            stack.push(n);
                        }
                        None => {}
                    }
                }
            }
            territory += match touches {
                [true, false] => count,
                [false, true] => -count,
                _ => 0,
            };
        }
        stones + territory
    }
}

impl ReferenceBoard for Naive {
    fn new(size: usize) -> Naive {
        Naive { size, stones: vec![None; size * size], before: None, lost: [0; 2] }
    }

    fn size(&self) -> usize {
        self.size
    }

    fn stone(&self, point: usize) -> Option<Player> {
        self.stones[point]
    }

    fn is_legal(&self, player: Player, point: usize) -> bool {
        if self.stones[point].is_some() {
            return false;
        }
        let (next, _, breathes) = self.after(player, point);
        breathes && self.before.as_ref() != Some(&next.stones)
    }

    fn play(&mut self, player: Player, point: usize) -> Vec<usize> {
        let (mut next, taken, _) = self.after(player, point);
        next.before = Some(std::mem::take(&mut self.stones));
        next.lost[player.other().index()] += taken.len() as u32;
        *self = next;
        taken
    }

    fn pass(&mut self) {
        self.before = None;
    }
}
