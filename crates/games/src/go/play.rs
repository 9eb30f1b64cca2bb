//! Moves of Go: the traits [`Position`] and [`Position`], copies and equality of positions.

use super::copies::SavedBoard;
use super::history::History;
use super::layout::Point;
use super::playout::Playout;
use super::position::{Go, GoMove, Illegal};
use super::rules::{KoRule, PlayoutRule, SuicideRule};
use std::ops::ControlFlow;
use tesuji_core::{Outcome, Player, Position, PositionHash, Rng, Trace};

impl Position for Go {
    type Move = GoMove;
    type Undo = GoUndo;

    fn history_matters(&self) -> bool {
        matches!(self.rules.ko, KoRule::Positional | KoRule::Situational)
    }

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.has_ended().then(|| self.score_now())
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(GoMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.has_ended() {
            return ControlFlow::Continue(());
        }
        for row in 0..self.board.size() {
            for point in self.board.row(row) {
                if self.board.is_empty(point) && self.is_playable(point) {
                    f(GoMove::stone(point))?;
                }
            }
        }
        f(GoMove::PASS)
    }

    fn mark_moves(&self, marks: &mut [u64]) {
        if self.has_ended() {
            return;
        }
        let mut mark = |number: usize| marks[number / 64] |= 1 << (number % 64);
        for row in 0..self.board.size() {
            for (column, point) in self.board.row(row).enumerate() {
                if self.board.is_empty(point) && self.is_playable(point) {
                    mark(row * self.board.size() + column);
                }
            }
        }
        mark(self.board.area());
    }

    fn play(&mut self, mv: GoMove) {
        // Records of games under other rules may repeat a board; any other illegal move would
        // corrupt it.
        debug_assert!(
            matches!(self.why_illegal(mv), None | Some(Illegal::Superko)),
            "{mv:?} is not legal: {:?}",
            self.why_illegal(mv)
        );
        match mv.point() {
            None => {
                self.board.pass();
                self.passes += 1;
            }
            Some(point) => {
                self.passes = 0;
                // The stone takes the last place of the list of empty points; captured points
                // follow it.
                let freed = self.board.empty_count() - 1;
                let stood = self.board.try_play(self.turn, point);
                if !stood {
                    self.board.play_suicide(self.turn, point);
                }
                let loser = if stood { self.turn.other() } else { self.turn };
                if self.history_matters() {
                    for &vacated in &self.board.empty_list()[freed..] {
                        self.history.vacate(loser, Point(vacated));
                    }
                }
            }
        }
        self.turn = self.turn.other();
        self.moves += 1;
        self.last = [mv, self.last[0]];
        if self.passes >= 2 && !self.goes_on() {
            self.passes = 2;
        }
        if self.rules.ko == KoRule::None {
            self.board.pass();
        }
        if self.history_matters() && (self.passes == 0 || self.rules.ko == KoRule::Situational) {
            self.history.push(self.repetition_key(self.board.hash(), self.turn));
        }
    }

    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(self.board.hash().0 ^ self.state_hash())
    }

    fn recomputed_hash(&self) -> PositionHash {
        PositionHash(self.board.recomputed_hash().0 ^ self.state_hash())
    }

    #[inline]
    fn move_space(&self) -> usize {
        self.board.area() + 1
    }

    #[inline]
    fn move_index(&self, mv: GoMove) -> usize {
        mv.point().map_or(self.board.area(), |point| self.board.number(point))
    }

    fn move_at(&self, index: usize) -> Option<GoMove> {
        if index == self.board.area() {
            return Some(GoMove::PASS);
        }
        self.board.numbered(index).map(GoMove::stone)
    }

    fn is_legal(&self, mv: GoMove) -> bool {
        self.why_illegal(mv).is_none()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<GoMove> {
        if self.has_ended() {
            return None;
        }
        // Draw among all empty points and the pass until the drawn move is legal: legal moves are
        // equally likely. The pass is always legal, so the loop ends.
        let empties = self.board.empty_list();
        loop {
            let drawn = rng.below(empties.len() as u32 + 1) as usize;
            let Some(&index) = empties.get(drawn) else { return Some(GoMove::PASS) };
            if self.is_playable(Point(index)) {
                return Some(GoMove::stone(Point(index)));
            }
        }
    }

    /// Uniform over the legal moves that fill no own eye; a pass if there are none. With uniform
    /// playouts a random move.
    fn playout_move(&self, rng: &mut Rng) -> Option<GoMove> {
        if self.has_ended() {
            return None;
        }
        if self.rules.playouts == PlayoutRule::Uniform {
            return self.random_move(rng);
        }
        let empties = self.board.empty_list();
        let is_acceptable = |index: u16| {
            let point = Point(index);
            let is_kept = match self.rules.playouts {
                PlayoutRule::OneChain => self.board.is_one_chain_eye(self.turn, point),
                _ => self.board.is_eye(self.turn, point),
            };
            !is_kept && self.is_playable(point)
        };
        // Usually one of the first draws is acceptable; if not, examine all of them.
        for _ in 0..empties.len() {
            let drawn = empties[rng.below(empties.len() as u32) as usize];
            if is_acceptable(drawn) {
                return Some(GoMove::stone(Point(drawn)));
            }
        }
        let count = empties.iter().filter(|index| is_acceptable(**index)).count() as u32;
        let skip = if count == 0 { 0 } else { rng.below(count) as usize };
        let chosen = empties.iter().filter(|index| is_acceptable(**index)).nth(skip);
        Some(chosen.map_or(GoMove::PASS, |index| GoMove::stone(Point(*index))))
    }

    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if self.rules.playouts == PlayoutRule::Eyes && self.rules.suicide != SuicideRule::Strict {
            return Playout::default().run(self, rng, trace);
        }
        let (outcome, moves) = self.rare_playout(rng);
        moves.iter().for_each(|(player, mv)| trace.played(*player, *mv));
        outcome
    }

    fn make(&mut self, mv: GoMove) -> GoUndo {
        let board = match self.saved.pop() {
            Some(mut saved) => {
                self.board.save_into(&mut saved);
                saved
            }
            None => self.board.save(),
        };
        let undo =
            GoUndo { board, turn: self.turn, passes: self.passes, last: self.last, history: self.history.clone() };
        self.play(mv);
        undo
    }

    fn unmake(&mut self, _: GoMove, undo: GoUndo) {
        self.board.restore(&undo.board);
        self.turn = undo.turn;
        self.passes = undo.passes;
        self.moves -= 1;
        self.last = undo.last;
        self.history.clone_from(&undo.history);
        self.saved.push(undo.board);
    }
}

impl PartialEq for Go {
    fn eq(&self, other: &Go) -> bool {
        self.turn == other.turn
            && self.passes == other.passes
            && self.rules == other.rules
            && self.has_ended() == other.has_ended()
            && self.prisoners_that_count() == other.prisoners_that_count()
            && self.moves_that_count() == other.moves_that_count()
            && self.board == other.board
    }
}

impl Eq for Go {}

impl Clone for Go {
    fn clone(&self) -> Go {
        Go { board: self.board.clone(), history: self.history.clone(), saved: Vec::new(), ..*self }
    }

    /// Copies only what the size of the board uses.
    #[inline]
    fn clone_from(&mut self, source: &Go) {
        self.board.clone_from(&source.board);
        self.history.clone_from(&source.history);
        self.rules = source.rules;
        self.turn = source.turn;
        self.passes = source.passes;
        self.moves = source.moves;
        self.last = source.last;
    }
}

/// The data to take a move back: the used part of the board, and the history.
#[derive(Debug)]
pub struct GoUndo {
    board: SavedBoard,
    turn: Player,
    passes: u8,
    last: [GoMove; 2],
    history: History,
}
