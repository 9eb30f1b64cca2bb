//! Thousands of games of one kind, stepped together: what a program that learns asks of an
//! environment, without a call for each of them.
//!
//! Games are independent. One that ends, or reaches the longest length, is replaced by a new one in
//! the same step, so all of them are live between steps. Threads share the games in equal parts;
//! every game has a random stream of its own, so nothing depends on their number.

use crate::actions::legal;
use std::ops::ControlFlow;
use tesuji_core::{Encoding, Playable, Position, Rng, Seed, TensorShape};
use tesuji_learn::encoding_of;

/// How a game went on in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ended {
    /// It goes on.
    No = 0,
    /// By its rules.
    ByRules = 1,
    /// It was cut off at the longest length.
    Cut = 2,
}

/// An action that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalAction {
    /// The number of the game.
    pub game: usize,
    /// The action.
    pub action: usize,
}

/// Many games with their type erased. Slices have one entry for each game.
pub trait AnyMany: Send + Sync {
    /// How many games.
    fn count(&self) -> usize;
    /// A bound on actions.
    fn actions(&self) -> usize;
    /// The sizes of the tensors.
    fn shape(&self) -> TensorShape;
    /// Begins all games anew.
    fn reset(&mut self, seed: Seed);
    /// Plays one action in each game. `results` gets the first player's result of games that ended by
    /// their rules, in [−1, 1], else 0; `ended` gets [`Ended`].
    ///
    /// # Errors
    /// If an action is not legal; no game has changed then.
    fn step(&mut self, actions: &[i64], results: &mut [f32], ended: &mut [u8]) -> Result<(), IllegalAction>;
    /// A legal action for each game, each with the same probability.
    fn sample(&mut self, actions: &mut [i64]);
    /// Who is to move in each game: 0 or 1.
    fn turns(&self, turns: &mut [i8]);
    /// For each game and action, 1 if it is legal.
    fn masks(&self, masks: &mut [u8]);
    /// The planes and globals of each game.
    fn observe(&self, planes: &mut [u8], globals: &mut [f32]);
}

struct One<P> {
    position: P,
    length: u32,
    rng: Rng,
}

/// Many games of one type.
pub(crate) struct Many<P: Playable> {
    start: P,
    encoding: Box<dyn Encoding<P>>,
    games: Vec<One<P>>,
    moves: Vec<Option<P::Move>>,
    longest: u32,
    threads: usize,
}

impl<P: Playable> Many<P> {
    pub(crate) fn new(start: &P, count: usize, longest: u32, threads: usize, seed: Seed) -> Many<P> {
        let one = |number: usize| One { position: start.clone(), length: 0, rng: Rng::new(seed.derive(number as u64)) };
        let games = (0..count).map(one).collect();
        let (encoding, threads) = (encoding_of(start), threads.clamp(1, count.max(1)));
        Many { start: start.clone(), encoding, games, moves: vec![None; count], longest, threads }
    }

    /// The games of one thread.
    fn share(&self) -> usize {
        self.games.len().div_ceil(self.threads).max(1)
    }
}

impl<P: Playable> One<P> {
    fn go_on(&mut self, mv: P::Move, start: &P, longest: u32) -> (f32, Ended) {
        self.position.play(mv);
        self.length += 1;
        let (result, ended) = match self.position.outcome() {
            Some(outcome) => ((2.0 * outcome.score.to_f64() - 1.0) as f32, Ended::ByRules),
            None if longest > 0 && self.length >= longest => (0.0, Ended::Cut),
            None => return (0.0, Ended::No),
        };
        self.position.clone_from(start);
        self.length = 0;
        (result, ended)
    }
}

impl<P: Playable> AnyMany for Many<P> {
    fn count(&self) -> usize {
        self.games.len()
    }

    fn actions(&self) -> usize {
        Position::move_space(&self.start)
    }

    fn shape(&self) -> TensorShape {
        self.encoding.shape()
    }

    fn reset(&mut self, seed: Seed) {
        for (number, game) in self.games.iter_mut().enumerate() {
            game.position.clone_from(&self.start);
            game.length = 0;
            game.rng = Rng::new(seed.derive(number as u64));
        }
    }

    fn step(&mut self, actions: &[i64], results: &mut [f32], ended: &mut [u8]) -> Result<(), IllegalAction> {
        for (number, (game, mv)) in self.games.iter().zip(&mut self.moves).enumerate() {
            let action = usize::try_from(actions[number]).unwrap_or(usize::MAX);
            *mv = legal(&game.position, action);
            if mv.is_none() {
                return Err(IllegalAction { game: number, action });
            }
        }
        let share = self.share();
        let (start, longest) = (&self.start, self.longest);
        let play = |games: &mut [One<P>], moves: &[Option<P::Move>], results: &mut [f32], ended: &mut [u8]| {
            for (((game, mv), result), ended) in games.iter_mut().zip(moves).zip(results).zip(ended) {
                let Some(mv) = *mv else { continue };
                let (found, how) = game.go_on(mv, start, longest);
                (*result, *ended) = (found, how as u8);
            }
        };
        if self.threads == 1 {
            play(&mut self.games, &self.moves, results, ended);
            return Ok(());
        }
        std::thread::scope(|scope| {
            let parts = self.games.chunks_mut(share).zip(self.moves.chunks(share));
            for ((games, moves), (results, ended)) in parts.zip(results.chunks_mut(share).zip(ended.chunks_mut(share)))
            {
                scope.spawn(move || play(games, moves, results, ended));
            }
        });
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (game, action) in self.games.iter_mut().zip(actions) {
            let mv = game.position.random_move(&mut game.rng).expect("all games are live");
            *action = game.position.move_index(mv) as i64;
        }
    }

    fn turns(&self, turns: &mut [i8]) {
        for (game, turn) in self.games.iter().zip(turns) {
            *turn = Position::turn(&game.position).index() as i8;
        }
    }

    fn masks(&self, masks: &mut [u8]) {
        masks.fill(0);
        for (game, mask) in self.games.iter().zip(masks.chunks_mut(self.actions())) {
            let _ = game.position.visit_moves::<()>(|mv| {
                mask[game.position.move_index(mv)] = 1;
                ControlFlow::Continue(())
            });
        }
    }

    fn observe(&self, planes: &mut [u8], globals: &mut [f32]) {
        let shape = self.encoding.shape();
        let share = self.share();
        let write = |games: &[One<P>], planes: &mut [u8], globals: &mut [f32]| {
            for (number, game) in games.iter().enumerate() {
                let planes = &mut planes[number * shape.bytes()..(number + 1) * shape.bytes()];
                let globals = &mut globals[number * shape.globals..(number + 1) * shape.globals];
                self.encoding.write(&game.position, planes, globals);
            }
        };
        if self.threads == 1 || shape.globals == 0 {
            return write(&self.games, planes, globals);
        }
        std::thread::scope(|scope| {
            let write = &write;
            let parts = planes.chunks_mut(share * shape.bytes()).zip(globals.chunks_mut(share * shape.globals));
            for (games, (planes, globals)) in self.games.chunks(share).zip(parts) {
                scope.spawn(move || write(games, planes, globals));
            }
        });
    }
}
