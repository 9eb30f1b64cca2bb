//! The hot record of a node: 32 bytes that every recipe needs.
//!
//! All fields are atomic, so that several threads may search one tree. With one thread additions
//! are plain loads and stores, which cost no more than without atomics on common machines; with
//! several they are atomic, so that visits and sums stay exact.

use super::publish::Children;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};
use tesuji_core::{Bounds, Player, Score, Value};

/// The index of a node in its arena.
pub(crate) type NodeId = u32;

/// The root.
pub(crate) const ROOT: NodeId = 0;

/// The hot record.
#[derive(Zeroable)]
#[repr(C)]
pub(crate) struct Node {
    /// Sum of the first player's rewards, in score units.
    units: AtomicI64,
    visits: AtomicU32,
    first_child: AtomicU32,
    child_counts: AtomicU32,
    /// The move that leads here; the next free block while the node is in a free list.
    move_index: AtomicU32,
    /// What is proved, packed.
    bounds: AtomicU32,
    state: AtomicU32,
}

const _: () = assert!(size_of::<Node>() == 32, "the hot record is half a cache line");

/// The second player moves here.
const SECOND: u32 = 1;
/// A descent has reached the node, so the mover is known.
const ENTERED: u32 = 2;
/// Selection and decision ignore the node.
const EXCLUDED: u32 = 4;
/// A look-ahead has been made from here.
const PROBED: u32 = 8;
/// A short playout through this root move was lost, or won, by the root's mover.
const SHORT_LOSS: u32 = 16;
const SHORT_WIN: u32 = 32;
/// The node is in a free block.
const FREE: u32 = 64;

impl Node {
    pub(super) fn reset(&self, move_index: u32) {
        self.units.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.children().withdraw();
        self.move_index.store(move_index, Relaxed);
        self.bounds.store(Bounds::UNKNOWN.pack(), Relaxed);
        self.state.store(0, Relaxed);
    }

    /// Access to its children.
    #[inline]
    pub(crate) fn children(&self) -> Children<'_> {
        Children { first: &self.first_child, counts: &self.child_counts }
    }

    /// Links a free block to the next one of its list.
    pub(super) fn set_next_free(&self, next: NodeId) {
        self.move_index.store(next, Relaxed);
    }

    pub(super) fn is_free(&self) -> bool {
        self.state.load(Relaxed) & FREE != 0
    }

    pub(super) fn set_free(&self) {
        self.state.fetch_or(FREE, Relaxed);
    }

    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(crate) fn units(&self) -> i64 {
        self.units.load(Relaxed)
    }

    #[inline]
    pub(crate) fn move_index(&self) -> u32 {
        self.move_index.load(Relaxed)
    }

    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        let word = self.bounds.load(Relaxed);
        if word == UNKNOWN_WORD { Bounds::UNKNOWN } else { Bounds::unpack(word).expect("only bounds are stored") }
    }

    pub(crate) fn set_bounds(&self, bounds: Bounds) {
        self.bounds.store(bounds.pack(), Relaxed);
    }

    /// The player to move; meaningful once the node has been entered.
    #[inline]
    pub(crate) fn mover(&self) -> Player {
        if self.state.load(Relaxed) & SECOND == 0 { Player::First } else { Player::Second }
    }

    #[inline]
    pub(crate) fn is_entered(&self) -> bool {
        self.state.load(Relaxed) & ENTERED != 0
    }

    /// Records the mover. Returns whether this was the first time.
    pub(crate) fn enter(&self, mover: Player) -> bool {
        let mark = ENTERED | if mover == Player::Second { SECOND } else { 0 };
        self.state.fetch_or(mark, Relaxed) & ENTERED == 0
    }

    #[inline]
    pub(crate) fn is_excluded(&self) -> bool {
        self.state.load(Relaxed) & EXCLUDED != 0
    }

    pub(crate) fn set_excluded(&self, excluded: bool) {
        if excluded {
            self.state.fetch_or(EXCLUDED, Relaxed);
        } else {
            self.state.fetch_and(!EXCLUDED, Relaxed);
        }
    }

    /// Records that a short playout through this root move was won or lost by the root's mover.
    pub(crate) fn mark_short(&self, won: bool) {
        self.state.fetch_or(if won { SHORT_WIN } else { SHORT_LOSS }, Relaxed);
    }

    /// Whether a short playout through this root move was won, or lost.
    pub(crate) fn had_short(&self, won: bool) -> bool {
        self.state.load(Relaxed) & if won { SHORT_WIN } else { SHORT_LOSS } != 0
    }

    /// Claims the one look-ahead of the node.
    pub(crate) fn claim_probe(&self) -> bool {
        self.state.load(Relaxed) & PROBED == 0 && self.state.fetch_or(PROBED, Relaxed) & PROBED == 0
    }

    /// Adds a virtual loss: `losses` visits lost by `chooser`, the player who chose this node.
    pub(crate) fn add_virtual_loss(&self, chooser: Player, losses: u32) {
        self.visits.fetch_add(losses, Relaxed);
        if chooser == Player::Second {
            self.units.fetch_add(i64::from(losses) * i64::from(Score::UNITS), Relaxed);
        }
    }

    /// Replaces a virtual loss by `count` visits with rewards of `units` in total.
    pub(crate) fn replace_virtual_loss(&self, chooser: Player, losses: u32, units: i64, count: u32) {
        let lost = if chooser == Player::Second { i64::from(losses) * i64::from(Score::UNITS) } else { 0 };
        self.units.fetch_add(units - lost, Relaxed);
        if count != losses {
            self.visits.fetch_add(count.wrapping_sub(losses), Relaxed);
        }
    }

    /// The sum of `player`'s rewards, in games, and the number of visits.
    #[inline]
    pub(crate) fn record(&self, player: Player) -> (f64, f64) {
        record(self.units(), self.visits(), player)
    }

    /// Whether anything is proved about the node or it is excluded. Rarely true, and cheap to test.
    #[inline]
    pub(crate) fn may_be_settled(&self) -> bool {
        self.bounds.load(Relaxed) != UNKNOWN_WORD || self.is_excluded()
    }

    /// Adds rewards; `shared` says whether other threads may do so at the same time.
    #[inline]
    pub(crate) fn add(&self, units: i64, count: u32, shared: bool) {
        if shared {
            self.units.fetch_add(units, Relaxed);
            self.visits.fetch_add(count, Relaxed);
        } else {
            self.units.store(self.units() + units, Relaxed);
            self.visits.store(self.visits().saturating_add(count), Relaxed);
        }
    }

    /// The mean reward, clamped to the range from loss to win.
    pub(crate) fn mean(&self) -> Value {
        let sum = self.units().clamp(0, i64::from(self.visits()) * i64::from(Score::UNITS));
        Value::mean(sum as u64, u64::from(self.visits()))
    }

    /// The mean reward of `player`; only for nodes with visits.
    #[inline]
    pub(crate) fn mean_for(&self, player: Player) -> f64 {
        let mean = self.units() as f64 / (f64::from(self.visits()) * f64::from(Score::UNITS));
        if player == Player::First { mean } else { 1.0 - mean }
    }

    /// Copies another record, except the move that leads here.
    pub(super) fn copy_from(&self, other: &Node) {
        self.units.store(other.units(), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.bounds.store(other.bounds.load(Relaxed), Relaxed);
        self.state.store(other.state.load(Relaxed) & (SECOND | ENTERED | PROBED), Relaxed);
        match other.children().get() {
            Some(children) => self.children().publish(children),
            None => self.children().withdraw(),
        }
    }
}

/// The sum of `player`'s rewards, in games, and the number of visits.
#[inline]
pub(crate) fn record(units: i64, visits: u32, player: Player) -> (f64, f64) {
    let visits = f64::from(visits);
    let sum = units as f64 * (1.0 / Score::UNITS as f64);
    (if player == Player::First { sum } else { visits - sum }, visits)
}

const UNKNOWN_WORD: u32 = Bounds::UNKNOWN.pack();
