//! Thousands of games of one kind, stepped together: what a program that learns asks of an
//! environment, without a call for each of them.
//!
//! Games are independent. One that ends, or reaches the longest length, is replaced by a new one in
//! the same step, so all of them are live between steps. Threads share the games in equal parts;
//! every game has a random stream of its own, so nothing depends on their number.

use crate::actions::legal;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    pub action: i64,
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

/// No action.
const NONE: i64 = -1;

/// A move and its action.
type Drawn<P> = (Option<<P as Position>::Move>, i64);

/// Many games of one type.
pub(crate) struct Many<P: Playable> {
    start: P,
    encoding: Box<dyn Encoding<P>>,
    games: Vec<One<P>>,
    /// A legal move of each game and its action, or nothing and [`NONE`].
    moves: Vec<Option<P::Move>>,
    drawn: Vec<i64>,
    /// Whether `drawn` are random actions that were not handed out yet, or were since the last step.
    ready: bool,
    sampled: bool,
    longest: u32,
    threads: usize,
}

impl<P: Playable> Many<P> {
    pub(crate) fn new(start: &P, count: usize, longest: u32, threads: usize, seed: Seed) -> Many<P> {
        let one = |number: usize| One { position: start.clone(), length: 0, rng: Rng::new(seed.derive(number as u64)) };
        Many {
            start: start.clone(),
            encoding: encoding_of(start),
            games: (0..count).map(one).collect(),
            moves: vec![None; count],
            drawn: vec![NONE; count],
            ready: false,
            sampled: false,
            longest,
            threads: threads.clamp(1, count.max(1)),
        }
    }

    /// The games of one thread.
    fn share(&self) -> usize {
        self.games.len().div_ceil(self.threads).max(1)
    }

    /// Makes `moves` the moves of these actions.
    fn choose(&mut self, actions: &[i64]) -> Result<(), IllegalAction> {
        // What was drawn is legal.
        if self.sampled && actions == self.drawn {
            return Ok(());
        }
        let (share, first_wrong) = (self.share(), AtomicUsize::new(usize::MAX));
        let chosen = self.moves.chunks_mut(share).zip(self.drawn.chunks_mut(share));
        let parts = self.games.chunks(share).zip(actions.chunks(share)).zip(chosen).enumerate();
        in_threads(parts, |(part, ((games, actions), (moves, drawn)))| {
            for (number, (game, action)) in games.iter().zip(actions).enumerate() {
                if drawn[number] == *action && *action != NONE {
                    continue;
                }
                drawn[number] = NONE;
                moves[number] = usize::try_from(*action).ok().and_then(|action| legal(&game.position, action));
                if moves[number].is_none() {
                    first_wrong.fetch_min(part * share + number, Ordering::Relaxed);
                    return;
                }
            }
        });
        match first_wrong.into_inner() {
            usize::MAX => Ok(()),
            game => {
                self.sampled = false;
                Err(IllegalAction { game, action: actions[game] })
            }
        }
    }
}

/// Does the work of each part in a thread of its own, that of the first one in this thread.
fn in_threads<T: Send>(mut parts: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let (first, second) = (parts.next(), parts.next());
    let Some(second) = second else { return first.into_iter().for_each(work) };
    std::thread::scope(|scope| {
        let work = &work;
        for part in std::iter::once(second).chain(parts) {
            scope.spawn(move || work(part));
        }
        first.into_iter().for_each(work);
    });
}

impl<P: Playable> One<P> {
    /// Draws a move of a live game.
    fn draw(&mut self) -> Drawn<P> {
        let mv = self.position.random_move(&mut self.rng).expect("all games are live");
        (Some(mv), self.position.move_index(mv) as i64)
    }

    /// How the game stands after a move, if it does not go on.
    fn ended(&self, longest: u32) -> Option<(f32, Ended)> {
        match self.position.outcome() {
            Some(outcome) => Some(((2.0 * outcome.score.to_f64() - 1.0) as f32, Ended::ByRules)),
            None if longest > 0 && self.length >= longest => Some((0.0, Ended::Cut)),
            None => None,
        }
    }

    fn begin(&mut self, start: &P) {
        self.position.clone_from(start);
        self.length = 0;
    }

    fn go_on(&mut self, mv: P::Move, start: &P, longest: u32) -> (f32, Ended) {
        self.position.play(mv);
        self.length += 1;
        let ended = self.ended(longest);
        if ended.is_some() {
            self.begin(start);
        }
        ended.unwrap_or((0.0, Ended::No))
    }

    /// Goes on, and draws the next move while the position is in the cache. That there is one shows that the
    /// game goes on.
    fn go_on_and_draw(&mut self, mv: P::Move, start: &P, longest: u32) -> ((f32, Ended), Drawn<P>) {
        self.position.play(mv);
        self.length += 1;
        if (longest == 0 || self.length < longest)
            && let Some(next) = self.position.random_move(&mut self.rng)
        {
            return ((0.0, Ended::No), (Some(next), self.position.move_index(next) as i64));
        }
        let ended = self.ended(longest).expect("a game without moves has ended");
        self.begin(start);
        (ended, self.draw())
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
            game.begin(&self.start);
            game.rng = Rng::new(seed.derive(number as u64));
        }
        self.drawn.fill(NONE);
        (self.ready, self.sampled) = (false, false);
    }

    fn step(&mut self, actions: &[i64], results: &mut [f32], ended: &mut [u8]) -> Result<(), IllegalAction> {
        self.choose(actions)?;
        // Who sampled will sample again: draw now, while each position is in the cache.
        let (draws, share) = (std::mem::take(&mut self.sampled), self.share());
        self.ready = draws;
        let (start, longest) = (&self.start, self.longest);
        let next = self.moves.chunks_mut(share).zip(self.drawn.chunks_mut(share));
        let said = results.chunks_mut(share).zip(ended.chunks_mut(share));
        in_threads(self.games.chunks_mut(share).zip(next).zip(said), |((games, (moves, drawn)), (results, ended))| {
            let next = moves.iter_mut().zip(drawn);
            for ((game, (mv, drawn)), (result, ended)) in games.iter_mut().zip(next).zip(results.iter_mut().zip(ended))
            {
                let chosen = mv.expect("every game has a chosen move");
                let found = if draws {
                    let (found, next) = game.go_on_and_draw(chosen, start, longest);
                    (*mv, *drawn) = next;
                    found
                } else {
                    *drawn = NONE;
                    game.go_on(chosen, start, longest)
                };
                (*result, *ended) = (found.0, found.1 as u8);
            }
        });
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        let (fresh, share) = (!std::mem::take(&mut self.ready), self.share());
        self.sampled = true;
        if fresh || self.drawn.contains(&NONE) {
            let chosen = self.moves.chunks_mut(share).zip(self.drawn.chunks_mut(share));
            in_threads(self.games.chunks_mut(share).zip(chosen), |(games, (moves, drawn))| {
                for ((game, mv), drawn) in games.iter_mut().zip(moves).zip(drawn) {
                    if fresh || *drawn == NONE {
                        (*mv, *drawn) = game.draw();
                    }
                }
            });
        }
        actions.copy_from_slice(&self.drawn);
    }

    fn turns(&self, turns: &mut [i8]) {
        for (game, turn) in self.games.iter().zip(turns) {
            *turn = Position::turn(&game.position).index() as i8;
        }
    }

    fn masks(&self, masks: &mut [u8]) {
        let (space, share) = (self.actions(), self.share());
        let parts = self.games.chunks(share).zip(masks.chunks_mut(share * space));
        in_threads(parts, |(games, masks)| {
            let mut marks = vec![0_u64; space.div_ceil(64)];
            for (game, mask) in games.iter().zip(masks.chunks_mut(space)) {
                marks.fill(0);
                game.position.mark_moves(&mut marks);
                spread(&marks, mask);
            }
        });
    }

    fn observe(&self, planes: &mut [u8], globals: &mut [f32]) {
        let shape = self.encoding.shape();
        let share = self.share();
        // Chunks of nothing would be none at all: games without globals get empty slices.
        let mut globals = globals.chunks_mut((share * shape.globals).max(1));
        let parts = self.games.chunks(share).zip(planes.chunks_mut(share * shape.bytes()));
        in_threads(parts.map(|part| (part, globals.next().unwrap_or_default())), |((games, planes), globals)| {
            for (number, game) in games.iter().enumerate() {
                let planes = &mut planes[number * shape.bytes()..(number + 1) * shape.bytes()];
                let globals = &mut globals[number * shape.globals..(number + 1) * shape.globals];
                self.encoding.write(&game.position, planes, globals);
            }
        });
    }
}

/// Writes each bit as a byte, 0 or 1.
fn spread(bits: &[u64], bytes: &mut [u8]) {
    for (word, bytes) in bits.iter().zip(bytes.chunks_mut(64)) {
        for (eight, bytes) in word.to_le_bytes().into_iter().zip(bytes.chunks_mut(8)) {
            // Copies of the eight bits, one a byte, each with another bit kept, and moved to the lowest place.
            let kept = u64::from(eight).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            let spread = (kept.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes();
            bytes.copy_from_slice(&spread[..bytes.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn every_bit_becomes_a_byte() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for length in (1..=192).rev() {
            let bits = [word, word.rotate_left(17), !word];
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let mut bytes = vec![9; length];
            spread(&bits, &mut bytes);
            (0..length).for_each(|bit| assert_eq!(u64::from(bytes[bit]), bits[bit / 64] >> (bit % 64) & 1));
        }
    }
}
