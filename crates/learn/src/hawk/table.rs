//! A board of stones of any game, through a pointer.

use tesuji_core::{Outcome, Playable, Player, Rng, Stones};

/// A position that a search copies, plays on and asks. There are two boards: the root, and the one
/// that moves are played on.
pub trait StoneTable: Send {
    /// The name of the game.
    fn game(&self) -> &'static str;
    /// Rows and columns.
    fn lines(&self) -> usize;
    /// Back to the root.
    fn reset(&mut self);
    /// Another table, whose root is this board.
    fn fork(&self) -> Box<dyn StoneTable>;
    /// Plays a legal move, by its number.
    fn play(&mut self, mv: u16);
    /// Writes the numbers of all legal moves, in the game's order.
    fn write_moves(&self, moves: &mut Vec<u16>);
    /// Whether a stone on this point is legal.
    fn is_legal(&self, point: u16) -> bool;
    /// Who is to move.
    fn turn(&self) -> Player;
    /// The result of an ended game, as a reward for the first player in [0, 1].
    fn ended(&self) -> Option<f64>;
    /// A random game to its end; the reward for the first player.
    fn playout(&mut self, rng: &mut Rng) -> f64;
    /// One move of a random game.
    fn random_move(&self, rng: &mut Rng) -> Option<u16>;
    /// How many moves were played before this position.
    fn played(&self) -> u32;
    /// Writes the stones: 1 for the first player, −1 for the second.
    fn write_stones(&self, points: &mut [i8]);
    /// The five properties for a player.
    fn properties(&self, player: Player, as_programmed: bool) -> [i16; 5];
    /// Whether the second player sees rows and columns exchanged.
    fn mirrors(&self) -> bool;
}

/// The table of a position; nothing if its game has no board of stones.
pub fn table_of<P: Playable>(root: &P) -> Option<Box<dyn StoneTable>> {
    let stones = root.stone_board()?;
    let lines = stones.lines(root);
    Some(Box::new(Typed { root: root.clone(), board: root.clone(), stones, points: lines * lines }))
}

struct Typed<P: 'static> {
    root: P,
    board: P,
    stones: &'static dyn Stones<P>,
    points: usize,
}

impl<P: Playable> Typed<P> {
    /// Hawk's equation 3.1 where games have margins: s′ = (s + b²)/2b², a margin being 2s half
    /// points; else the score.
    fn reward(&self, outcome: Outcome) -> f64 {
        if self.stones.margins() {
            (0.5 + f64::from(outcome.margin) / (4.0 * self.points as f64)).clamp(0.0, 1.0)
        } else {
            outcome.score.to_f64()
        }
    }
}

impl<P: Playable> StoneTable for Typed<P> {
    fn game(&self) -> &'static str {
        self.stones.game()
    }

    fn lines(&self) -> usize {
        self.stones.lines(&self.root)
    }

    fn reset(&mut self) {
        self.board.clone_from(&self.root);
    }

    fn fork(&self) -> Box<dyn StoneTable> {
        let (root, board) = (self.board.clone(), self.board.clone());
        Box::new(Typed { root, board, stones: self.stones, points: self.points })
    }

    fn play(&mut self, mv: u16) {
        let mv = self.board.move_at(usize::from(mv)).expect("a move of this game");
        self.board.play(mv);
    }

    fn write_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        moves.extend(self.board.moves().into_iter().map(|mv| self.board.move_index(mv) as u16));
    }

    fn is_legal(&self, point: u16) -> bool {
        self.board.move_at(usize::from(point)).is_some_and(|mv| self.board.is_legal(mv))
    }

    fn turn(&self) -> Player {
        self.board.turn()
    }

    fn ended(&self) -> Option<f64> {
        self.board.outcome().map(|outcome| self.reward(outcome))
    }

    fn playout(&mut self, rng: &mut Rng) -> f64 {
        let outcome = self.board.playout(rng, &mut ());
        self.reward(outcome)
    }

    fn random_move(&self, rng: &mut Rng) -> Option<u16> {
        self.board.playout_move(rng).map(|mv| self.board.move_index(mv) as u16)
    }

    fn played(&self) -> u32 {
        self.stones.played(&self.board)
    }

    fn write_stones(&self, points: &mut [i8]) {
        self.stones.write(&self.board, points);
    }

    fn properties(&self, player: Player, as_programmed: bool) -> [i16; 5] {
        self.stones.properties(&self.board, player, as_programmed)
    }

    fn mirrors(&self) -> bool {
        self.stones.mirrors()
    }
}
