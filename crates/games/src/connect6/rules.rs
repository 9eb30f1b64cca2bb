//! The rules of Connect6 as a [`Position`].

use super::{Connect6, Ended, LINE};
use crate::in_a_row::{Fill, LARGEST, Point, run_length};
use std::ops::ControlFlow;
use tesuji_core::{Outcome, Player, Position, PositionHash, Rng, Trace, Zobrist};

const KEYS: Zobrist = Zobrist::new("connect6");

/// A key for every stone.
static STONE_KEYS: [u64; 2 * LARGEST * LARGEST] = KEYS.keys();

/// A key for the player to move and the number of stones left.
const TURN_KEYS: [[u64; 2]; 2] = [[KEYS.key(10_000), KEYS.key(10_001)], [KEYS.key(10_002), KEYS.key(10_003)]];

impl Connect6 {
    #[inline]
    fn stone_key(point: Point, player: Player) -> u64 {
        STONE_KEYS[2 * (point.row() * LARGEST + point.column()) + player.index()]
    }

    #[inline]
    fn turn_key(&self) -> u64 {
        TURN_KEYS[self.turn.index()][usize::from(self.left - 1)]
    }
}

impl Position for Connect6 {
    type Move = Point;
    type Undo = (Player, u8);

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.ended {
            Ended::No => None,
            Ended::Won(winner) => Some(Outcome::won_by(winner)),
            Ended::Full => Some(Outcome::DRAW),
        }
    }

    #[inline]
    fn visit_moves<B>(&self, f: impl FnMut(Point) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ended == Ended::No { self.stones.visit_empty(f) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn play(&mut self, point: Point) {
        let mover = self.turn;
        self.stones.put(point, mover);
        self.hash ^= Connect6::stone_key(point, mover) ^ self.turn_key();
        self.left -= 1;
        if self.left == 0 {
            self.turn = mover.other();
            self.left = 2;
        }
        self.hash ^= self.turn_key();
        if self.stones.windows(point, mover).into_iter().any(|window| run_length(window) >= LINE as u32) {
            self.ended = Ended::Won(mover);
        } else if self.stones.empty() == 0 {
            self.ended = Ended::Full;
        }
    }

    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    fn recomputed_hash(&self) -> PositionHash {
        let hash = KEYS.key(20_000 + self.size() as u64) ^ self.turn_key();
        PositionHash(self.stones.stones().fold(hash, |hash, (point, player)| hash ^ Connect6::stone_key(point, player)))
    }

    #[inline]
    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        self.size() * self.size()
    }

    #[inline]
    fn move_index(&self, point: Point) -> usize {
        self.stones.index(point)
    }

    #[inline]
    fn move_at(&self, index: usize) -> Option<Point> {
        self.stones.at(index)
    }

    fn mark_moves(&self, marks: &mut [u64]) {
        if self.ended == Ended::No {
            self.stones.mark_empty(marks);
        }
    }

    #[inline]
    fn is_legal(&self, point: Point) -> bool {
        self.ended == Ended::No && self.stones.is_empty(point)
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.ended == Ended::No { self.stones.empty() } else { 0 }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Point> {
        (self.ended == Ended::No).then(|| self.stones.random_empty(rng))
    }

    #[inline]
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let early = 2 - usize::from(self.left);
        let mut fill = Fill::new();
        fill.play::<LINE, 1>(&self.stones, (self.turn, early), false, rng);
        for (number, point) in fill.moves().enumerate() {
            let turns = (number + early) / 2;
            trace.played(Player::BOTH[(self.turn.index() + turns) % 2], point);
        }
        fill.winner.map_or(Outcome::DRAW, Outcome::won_by)
    }

    /// The mover, and the number of stones left before the move.
    #[inline]
    fn make(&mut self, point: Point) -> (Player, u8) {
        let before = (self.turn, self.left);
        self.play(point);
        before
    }

    #[inline]
    fn unmake(&mut self, point: Point, (turn, left): (Player, u8)) {
        self.hash ^= self.turn_key();
        (self.turn, self.left) = (turn, left);
        self.stones.remove(point, turn);
        self.hash ^= Connect6::stone_key(point, turn) ^ self.turn_key();
        self.ended = Ended::No;
    }
}
