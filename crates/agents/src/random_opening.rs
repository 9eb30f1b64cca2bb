//! Random positions after x moves, of any game.
//!
//! Zhang 2019 plays 44 random plies of Othello (§2.1.6), Hawk 2017 trains on boards after 1, 6, …,
//! 96 random moves (`randomBoardAfterXMoves`). Moves are uniform over the legal ones.

use crate::any::AnyPosition;
use tesuji_core::{Rng, Seed};

/// Games that may end early before the opening is given up.
const TRIES: u64 = 100;

/// The most random moves of an opening.
const MOST_PLIES: u32 = 1000;

/// Random moves after which the game goes on: the first of a hundred tries that does.
///
/// # Errors
/// If there are more than a thousand, or all tries end before.
pub fn random_opening(position: &dyn AnyPosition, plies: u32, seed: Seed) -> Result<Vec<String>, String> {
    if plies > MOST_PLIES {
        return Err(format!("{plies} random plies: at most {MOST_PLIES}"));
    }
    'tries: for attempt in 0..TRIES {
        let mut rng = Rng::new(seed.derive(attempt));
        let (mut after, mut moves) = (position.boxed_clone(), Vec::new());
        for _ in 0..plies {
            let Some(mv) = after.random_move(&mut rng) else { continue 'tries };
            moves.push(after.play(&mv).map_err(|error| error.to_string())?);
        }
        if after.outcome().is_none() {
            return Ok(moves);
        }
    }
    Err(format!("{plies} random plies: games end before"))
}
