//! The rules of Gomoku as a [`Position`].

use super::{Ended, Gomoku, Rule, renju};
use crate::in_a_row::{LARGEST, Point, run_length};
use std::ops::ControlFlow;
use tesuji_core::{Outcome, Player, Position, PositionHash, Rng, Trace, Zobrist};

const KEYS: Zobrist = Zobrist::new("gomoku");

/// A key for every stone.
static STONE_KEYS: [u64; 2 * LARGEST * LARGEST] = KEYS.keys();

/// Flipped with the turn.
pub(super) const TURN_KEY: u64 = KEYS.key(10_000);

/// Draws of a legal renju move before the moves are listed instead.
const DRAWS: usize = 16;

#[inline]
pub(super) fn stone_key(point: Point, player: Player) -> u64 {
    STONE_KEYS[2 * (point.row() * LARGEST + point.column()) + player.index()]
}

impl Gomoku {
    /// Whether Black is to move and some points may be forbidden.
    #[inline]
    fn is_restricted(&self) -> bool {
        self.rule == Rule::Renju && self.turn == Player::First
    }

    /// Whether an empty point may be played by the side to move.
    #[inline]
    fn is_allowed(&self, point: Point) -> bool {
        !self.is_restricted() || !matches!(renju::judge(&self.stones, point), renju::Verdict::Forbidden(_))
    }

    /// Whether the side to move has no move in a game that is not won.
    pub(super) fn is_drawn(&self) -> bool {
        if !self.is_restricted() {
            return self.stones.empty() == 0;
        }
        let movable = self.stones.visit_empty(|point| {
            if self.is_allowed(point) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        movable.is_continue()
    }
}

impl Position for Gomoku {
    type Move = Point;
    type Undo = ();

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.ended {
            Ended::No => None,
            Ended::Won(winner) => Some(Outcome::won_by(winner)),
            Ended::Drawn => Some(Outcome::DRAW),
        }
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(Point) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ended != Ended::No {
            return ControlFlow::Continue(());
        }
        self.stones.visit_empty(|point| if self.is_allowed(point) { f(point) } else { ControlFlow::Continue(()) })
    }

    #[inline]
    fn play(&mut self, point: Point) {
        let mover = self.turn;
        self.stones.put(point, mover);
        self.hash ^= stone_key(point, mover) ^ TURN_KEY;
        self.turn = mover.other();
        let five = self.rule.five(mover);
        if self.stones.windows(point, mover).into_iter().any(|window| five.wins(run_length(window))) {
            self.ended = Ended::Won(mover);
        } else if self.is_drawn() {
            self.ended = Ended::Drawn;
        }
    }

    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    fn recomputed_hash(&self) -> PositionHash {
        let mut hash = KEYS.key(20_000 + 4 * self.size() as u64 + self.rule as u64);
        if self.turn == Player::Second {
            hash ^= TURN_KEY;
        }
        PositionHash(self.stones.stones().fold(hash, |hash, (point, player)| hash ^ stone_key(point, player)))
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
        if self.ended != Ended::No {
            return;
        }
        self.stones.mark_empty(marks);
        if self.is_restricted() {
            for point in self.forbidden_points() {
                let index = self.stones.index(point);
                marks[index / 64] &= !(1 << (index % 64));
            }
        }
    }

    #[inline]
    fn is_legal(&self, point: Point) -> bool {
        self.ended == Ended::No && self.stones.is_empty(point) && self.is_allowed(point)
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.ended != Ended::No {
            return 0;
        }
        let forbidden = if self.is_restricted() { self.forbidden_points().len() } else { 0 };
        self.stones.empty() - forbidden
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Point> {
        if self.ended != Ended::No {
            return None;
        }
        if !self.is_restricted() {
            return Some(self.stones.random_empty(rng));
        }
        // Rejection is uniform over the allowed points; so is choosing from their list.
        let drawn = (0..DRAWS).map(|_| self.stones.random_empty(rng)).find(|point| self.is_allowed(*point));
        drawn.or_else(|| {
            let moves = self.moves();
            Some(moves[rng.below(moves.len() as u32) as usize])
        })
    }

    #[inline]
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        match self.ended {
            Ended::Won(winner) => Outcome::won_by(winner),
            Ended::Drawn => Outcome::DRAW,
            Ended::No if self.rule == Rule::Renju => self.renju_playout(rng, trace),
            Ended::No => self.free_playout(rng, trace),
        }
    }

    /// A legal move was played in a game that had not ended.
    #[inline]
    fn make(&mut self, point: Point) {
        self.play(point);
    }

    #[inline]
    fn unmake(&mut self, point: Point, (): ()) {
        self.turn = self.turn.other();
        self.stones.remove(point, self.turn);
        self.hash ^= stone_key(point, self.turn) ^ TURN_KEY;
        self.ended = Ended::No;
    }
}
