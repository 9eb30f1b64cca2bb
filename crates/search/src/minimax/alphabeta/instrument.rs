//! Instrumentation of an alpha-beta search: hooks that compute statistics of the searched tree
//! along with the value.
//!
//! The search calls the hooks in the order of its traversal. A node is identified by its ply;
//! values are for the side to move there. With [`Uninstrumented`] the calls vanish at compile time.

use tesuji_core::Player;

/// Hooks called at every node.
pub(crate) trait Instrumentation: Send {
    /// A position with moves is entered; `mover` is to move.
    fn open(&mut self, ply: u32, mover: Player);
    /// A position is valued without searching its moves; `ended` if the game has ended.
    fn leaf(&mut self, ply: u32, mover: Player, value: i32, ended: bool);
    /// A child of the position at `ply` is finished.
    fn join(&mut self, ply: u32);
    /// After a cut-off at `ply`, `skipped` children are not searched.
    fn cut(&mut self, ply: u32, skipped: u32);
}

/// No instrumentation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uninstrumented;

impl Instrumentation for Uninstrumented {
    #[inline(always)]
    fn open(&mut self, _: u32, _: Player) {}
    #[inline(always)]
    fn leaf(&mut self, _: u32, _: Player, _: i32, _: bool) {}
    #[inline(always)]
    fn join(&mut self, _: u32) {}
    #[inline(always)]
    fn cut(&mut self, _: u32, _: u32) {}
}
