//! Counting move sequences: the standard check that rules are complete and exact.

use crate::{Meter, Position};
use std::ops::ControlFlow;

/// Numbers of move sequences by length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perft {
    /// Entry d−1: sequences of exactly d plies. A pass is a ply; games that ended earlier count 0.
    pub per_depth: Vec<u64>,
    /// Whether the whole tree was walked; `false` if the meter stopped it.
    pub complete: bool,
}

/// Counts the move sequences of every length up to `depth`.
///
/// The meter counts the positions entered; moves of the last ply are counted, not played.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Budget, perft};
///
/// // A heap of three: 1 1 1, 1 2, 2 1 and 3 end the game.
/// let counts = perft(&TakeAway::new(3), 3, &mut Budget::unlimited().meter());
/// assert_eq!(counts.per_depth, [3, 3, 1]);
/// assert!(counts.complete);
/// ```
pub fn perft<P: Position>(position: &P, depth: usize, meter: &mut Meter) -> Perft {
    let mut per_depth = vec![0; depth];
    let complete = depth == 0 || walk(&mut position.clone(), &mut per_depth, meter);
    Perft { per_depth, complete }
}

/// Walks below one position; `counts[0]` takes its moves. Recursion is as deep as `counts` is long.
fn walk<P: Position>(position: &mut P, counts: &mut [u64], meter: &mut Meter) -> bool {
    let Some((here, deeper)) = counts.split_first_mut() else { return true };
    if deeper.is_empty() {
        *here += position.move_count() as u64;
        return true;
    }
    let mut moves = Vec::new();
    let _ = position.visit_moves::<()>(|mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    *here += moves.len() as u64;
    for mv in moves {
        if !meter.step() {
            return false;
        }
        let undo = position.make(mv);
        let complete = walk(position, deeper, meter);
        position.unmake(mv, undo);
        if !complete {
            return false;
        }
    }
    true
}
