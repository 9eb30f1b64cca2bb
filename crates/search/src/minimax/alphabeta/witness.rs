//! Who looks over the shoulder of an alpha-beta search, node by node, to compute something of his own along with the value.
//!
//! The search calls these in the order of its walk. A node is told by its ply; values are those of the side to move there.
//! With [`Blind`] everything vanishes at compile time.

use tesuji_core::Player;

/// A watcher of every node.
pub(crate) trait Witness: Send {
    /// A position with moves is entered, and `mover` has the turn.
    fn open(&mut self, ply: u32, mover: Player);
    /// A position is valued without looking further; `ended` if the game has.
    fn leaf(&mut self, ply: u32, mover: Player, value: i32, ended: bool);
    /// A child of the position at `ply` is done.
    fn join(&mut self, ply: u32);
    /// So many children of the position at `ply` are left out after a cut-off.
    fn cut(&mut self, ply: u32, left_out: u32);
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Blind;

impl Witness for Blind {
    #[inline(always)]
    fn open(&mut self, _: u32, _: Player) {}
    #[inline(always)]
    fn leaf(&mut self, _: u32, _: Player, _: i32, _: bool) {}
    #[inline(always)]
    fn join(&mut self, _: u32) {}
    #[inline(always)]
    fn cut(&mut self, _: u32, _: u32) {}
}
