//! Games of stones on n×n points, as small networks and sums of hand-made properties see them.
//!
//! Reference: Hawk, "A comparison of learned agents" (draft thesis, 2017), §3.2.3, Tables 3.1 and
//! 3.2, and `GAWeight.java` in its appendix. Text and program differ; a game states both.

use crate::{Player, Position};

/// A game of stones on n×n points. Moves that place a stone have the number of their point.
pub trait StoneBoard: Position {
    /// What the five properties are called.
    const PROPERTIES: [&'static str; 5];

    /// Rows and columns.
    fn lines(&self) -> usize;

    /// Writes the board, by numbers of points: 1 for a stone of the first player, −1 for one of the
    /// second, 0 for an empty point.
    fn write_stones(&self, points: &mut [i8]);

    /// The properties of the board for this player, as the text defines them.
    fn properties(&self, player: Player) -> [i16; 5];

    /// The properties of the board for this player, as the program computes them.
    fn properties_as_programmed(&self, player: Player) -> [i16; 5];
}
