//! Keys of positions in the table.
//!
//! Equal positions share an entry, unless the game's history matters: then the key of a position is
//! a hash of all positions from the root to it, so that nothing is shared between different
//! histories (`docs/decisions/0007-proofs-and-history.md`).

use tesuji_core::{Aim, Position, PositionHash, mix};

/// The key of the root of a search.
pub(super) fn root_key<P: Position>(root: &P, aim: Aim) -> u64 {
    root.hash().0 ^ aim.salt()
}

/// The key of a position whose parent has the key `parent`.
#[inline]
pub(super) fn key_below<P: Position>(position: &P, parent: u64, salt: u64) -> u64 {
    key_of(position.hash(), position.history_matters(), parent, salt)
}

/// The same from the position's hash.
#[inline]
pub(super) fn key_of(PositionHash(hash): PositionHash, history_matters: bool, parent: u64, salt: u64) -> u64 {
    if history_matters { mix(parent.rotate_left(1) ^ hash) } else { hash ^ salt }
}
