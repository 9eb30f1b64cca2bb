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

    /// How many moves were played before this position; where it does not tell, the stones on the
    /// board.
    fn played(&self) -> u32 {
        let mut points = vec![0; self.lines() * self.lines()];
        self.write_stones(&mut points);
        points.iter().filter(|stone| **stone != 0).count() as u32
    }

    /// The properties of the board for this player, as the text defines them.
    fn properties(&self, player: Player) -> [i16; 5];

    /// The properties of the board for this player, as the program computes them.
    fn properties_as_programmed(&self, player: Player) -> [i16; 5];
}

/// A [`StoneBoard`] seen through a pointer: what [`Studied::stone_board`](crate::Studied::stone_board) answers.
pub trait Stones<P>: Send + Sync {
    /// The name of the game, under which weights are kept.
    fn game(&self) -> &'static str;
    /// What the five properties are called.
    fn property_names(&self) -> [&'static str; 5];
    /// Rows and columns.
    fn lines(&self, position: &P) -> usize;
    /// See [`StoneBoard::write_stones`].
    fn write(&self, position: &P, points: &mut [i8]);
    /// See [`StoneBoard::properties`] and [`StoneBoard::properties_as_programmed`].
    fn properties(&self, position: &P, player: Player, as_programmed: bool) -> [i16; 5];
    /// See [`StoneBoard::played`].
    fn played(&self, position: &P) -> u32;
    /// Whether the second player sees the board with rows and columns exchanged.
    fn mirrors(&self) -> bool;
    /// Whether games end with a margin in half points, up to the points of the board.
    fn margins(&self) -> bool;
}

/// The stones of a game: its name, and whether the second player sees the board with rows and
/// columns exchanged (Hex).
pub struct StonesOf {
    /// The name of the game.
    pub game: &'static str,
    /// Whether the second player's goal is the first player's with rows and columns exchanged.
    pub mirrors: bool,
    /// Whether games end with a margin in half points.
    pub margins: bool,
}

impl<P: StoneBoard> Stones<P> for StonesOf {
    fn game(&self) -> &'static str {
        self.game
    }

    fn property_names(&self) -> [&'static str; 5] {
        P::PROPERTIES
    }

    fn lines(&self, position: &P) -> usize {
        position.lines()
    }

    fn write(&self, position: &P, points: &mut [i8]) {
        position.write_stones(points);
    }

    fn properties(&self, position: &P, player: Player, as_programmed: bool) -> [i16; 5] {
        if as_programmed { position.properties_as_programmed(player) } else { position.properties(player) }
    }

    fn played(&self, position: &P) -> u32 {
        position.played()
    }

    fn mirrors(&self) -> bool {
        self.mirrors
    }

    fn margins(&self) -> bool {
        self.margins
    }
}
