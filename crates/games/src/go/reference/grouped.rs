//! Chains in a union-find forest (V-Run §5.1), a ko point (§5.2), and liberties as a set (§5.1.2)
//! or as a number (§5.4).
//!
//! > find(x): follow the parents to the root, and make it the parent of every point on the path
//! > union(x, y): the root of lower rank gets the other as parent; of equal ranks one is raised
//!
//! The root of a chain keeps its liberties and the list of its stones. The number of liberties
//! counts a liberty once for every stone beside it (a *pseudo-liberty*): zero is exact, and union
//! is an addition.

use super::{ReferenceBoard, neighbours};
use std::cell::Cell;
use std::collections::HashSet;
use tesuji_core::Player;

/// The liberties of a chain.
pub trait Liberties: Default + Clone {
    /// The chain has one more stone next to this empty point.
    fn add(&mut self, point: usize);

    /// A stone was played on this point, next to one stone of the chain.
    fn remove(&mut self, point: usize);

    /// Adds the liberties of a chain that is joined to this one.
    fn absorb(&mut self, other: Self);

    /// Whether a point that touches `touching` stones of the chain is its only liberty.
    fn is_only(&self, touching: usize) -> bool;

    /// Whether there are none.
    fn is_none(&self) -> bool;
}

/// The liberties themselves.
#[derive(Clone, Debug, Default)]
pub struct LibertySet(HashSet<usize>);

impl Liberties for LibertySet {
    fn add(&mut self, point: usize) {
        self.0.insert(point);
    }

    fn remove(&mut self, point: usize) {
        self.0.remove(&point);
    }

    fn absorb(&mut self, other: LibertySet) {
        self.0.extend(other.0);
    }

    fn is_only(&self, _: usize) -> bool {
        self.0.len() == 1
    }

    fn is_none(&self) -> bool {
        self.0.is_empty()
    }
}

/// Their number, each counted once for every adjacent stone.
#[derive(Clone, Debug, Default)]
pub struct LibertyCount(usize);

impl Liberties for LibertyCount {
    fn add(&mut self, _: usize) {
        self.0 += 1;
    }

    fn remove(&mut self, _: usize) {
        self.0 -= 1;
    }

    fn absorb(&mut self, other: LibertyCount) {
        self.0 += other.0;
    }

    fn is_only(&self, touching: usize) -> bool {
        self.0 == touching
    }

    fn is_none(&self) -> bool {
        self.0 == 0
    }
}

/// A board whose chains are a union-find forest.
#[derive(Clone, Debug)]
pub struct Grouped<L> {
    size: usize,
    stones: Vec<Option<Player>>,
    parents: Vec<Cell<usize>>,
    ranks: Vec<u8>,
    liberties: Vec<L>,
    /// The stones of a chain form a circular list, so that two lists are joined by one swap.
    next: Vec<usize>,
    ko: Option<usize>,
}

impl<L: Liberties> Grouped<L> {
    fn find(&self, point: usize) -> usize {
        let mut root = point;
        while self.parents[root].get() != root {
            root = self.parents[root].get();
        }
        let mut at = point;
        while at != root {
            at = self.parents[at].replace(root);
        }
        root
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one_root, other_root) = (self.find(one), self.find(other));
        if one_root == other_root {
            return;
        }
        let (above, below) = if self.ranks[one_root] >= self.ranks[other_root] {
            (one_root, other_root)
        } else {
            (other_root, one_root)
        };
        if self.ranks[above] == self.ranks[below] {
            self.ranks[above] += 1;
        }
        self.parents[below].set(above);
        let swallowed = std::mem::take(&mut self.liberties[below]);
        self.liberties[above].absorb(swallowed);
        self.next.swap(one, other);
    }

    fn take_off(&mut self, point: usize) -> Vec<usize> {
        let mut stones = vec![point];
        let mut at = self.next[point];
        while at != point {
            stones.push(at);
            at = self.next[at];
        }
        for &stone in &stones {
            self.stones[stone] = None;
        }
        for &stone in &stones {
            for n in neighbours(self.size, stone) {
                if self.stones[n].is_some() {
                    let root = self.find(n);
                    self.liberties[root].add(stone);
                }
            }
        }
        for &stone in &stones {
            self.parents[stone].set(stone);
            self.ranks[stone] = 0;
            self.next[stone] = stone;
            self.liberties[stone] = L::default();
        }
        stones
    }

    /// The point that may not be retaken.
    #[must_use]
    pub fn ko(&self) -> Option<usize> {
        self.ko
    }
}

impl<L: Liberties> ReferenceBoard for Grouped<L> {
    fn new(size: usize) -> Grouped<L> {
        let area = size * size;
        Grouped {
            size,
            stones: vec![None; area],
            parents: (0..area).map(Cell::new).collect(),
            ranks: vec![0; area],
            liberties: vec![L::default(); area],
            next: (0..area).collect(),
            ko: None,
        }
    }

    fn size(&self) -> usize {
        self.size
    }

    fn stone(&self, point: usize) -> Option<Player> {
        self.stones[point]
    }

    fn is_legal(&self, player: Player, point: usize) -> bool {
        if self.stones[point].is_some() || self.ko == Some(point) {
            return false;
        }
        neighbours(self.size, point).any(|n| match self.stones[n] {
            None => true,
            Some(owner) => {
                let root = self.find(n);
                let touching =
                    neighbours(self.size, point).filter(|&m| self.stones[m].is_some() && self.find(m) == root).count();
                self.liberties[root].is_only(touching) == (owner != player)
            }
        })
    }

    fn play(&mut self, player: Player, point: usize) -> Vec<usize> {
        self.stones[point] = Some(player);
        let lonely = neighbours(self.size, point).all(|n| self.stones[n] == Some(player.other()));
        for n in neighbours(self.size, point) {
            if self.stones[n].is_some() {
                let root = self.find(n);
                self.liberties[root].remove(point);
            } else {
                self.liberties[point].add(n);
            }
        }
        let mut taken = Vec::new();
        for n in neighbours(self.size, point) {
            if self.stones[n] == Some(player) {
                self.unite(point, n);
            } else if self.stones[n].is_some() && self.liberties[self.find(n)].is_none() {
                taken.extend(self.take_off(n));
            }
        }
        self.ko = if lonely && taken.len() == 1 { taken.first().copied() } else { None };
        taken
    }

    fn pass(&mut self) {
        self.ko = None;
    }
}
