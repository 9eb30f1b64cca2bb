//! An exact look-ahead: can a player force a result within a number of plies?
//!
//! It serves guarded playouts, probes in the tree, and Li's improved search. "Yes" is a proof; "no"
//! says only that more plies are needed or that the result cannot be forced. The game's own
//! [`winning_move`](Studied::winning_move) answers for the last ply where that is enough.

use std::ops::ControlFlow;
use tesuji_core::{Bounds, Player, Position, Score, Studied};

/// Whether `player` can force at least `goal` (from that player's point of view, more than a draw)
/// within `plies`. Nothing if `go_on`, called at every position, returned false. The position is
/// restored, and so is `stack`, which holds the lists of moves.
pub(crate) fn forces<P: Studied>(
    position: &mut P,
    player: Player,
    goal: Score,
    plies: u32,
    stack: &mut Vec<P::Move>,
    go_on: &mut impl FnMut() -> bool,
) -> Option<bool> {
    if !go_on() {
        return None;
    }
    if let Some(outcome) = position.outcome() {
        return Some(outcome.score.for_player(player) >= goal);
    }
    if plies == 0 {
        return Some(false);
    }
    let chooses = position.turn() == player;
    if plies == 1 && chooses {
        let Some(mv) = position.winning_move() else { return Some(false) };
        let undo = position.make(mv);
        let reached = position.outcome().is_some_and(|outcome| outcome.score.for_player(player) >= goal);
        position.unmake(mv, undo);
        // A winning move of a lower grade may hide a better one.
        if reached || goal <= JUST_WON {
            return Some(reached);
        }
    }
    // The player needs one move that succeeds, the opponent one that prevents it.
    let start = stack.len();
    push_moves(position, stack);
    let mut forced = Some(!chooses);
    for place in start..stack.len() {
        let mv = stack[place];
        let undo = position.make(mv);
        let below = forces(position, player, goal, plies - 1, stack, go_on);
        position.unmake(mv, undo);
        if below != Some(!chooses) {
            forced = below;
            break;
        }
    }
    stack.truncate(start);
    forced
}

/// Appends the moves of a position to a list.
pub(crate) fn push_moves<P: Position>(position: &P, list: &mut Vec<P::Move>) {
    let _ = position.visit_moves::<()>(|mv| {
        list.push(mv);
        ControlFlow::Continue(())
    });
}

/// The smallest score above a draw.
pub(crate) const JUST_WON: Score = match Score::from_units(Score::DRAW.units() + 1) {
    Some(score) => score,
    None => Score::WIN,
};

/// The bounds that a look-ahead of `plies` proves: a full win of either player, or nothing.
pub(crate) fn bounds<P: Studied>(
    position: &mut P,
    plies: u32,
    stack: &mut Vec<P::Move>,
    go_on: &mut impl FnMut() -> bool,
) -> Bounds {
    if let Some(outcome) = position.outcome() {
        return Bounds::exact(outcome.score);
    }
    for player in [position.turn(), position.turn().other()] {
        if forces(position, player, Score::WIN, plies, stack, go_on) == Some(true) {
            return Bounds::exact(Score::won_by(player));
        }
    }
    Bounds::UNKNOWN
}

#[cfg(test)]
mod tests {
    use super::{JUST_WON, bounds, forces};
    use crate::oracle::Oracle;
    use tesuji_core::{Player, Position, Rng, Score, Seed};
    use tesuji_games::synthetic::{RandomTree, Tree};
    use tesuji_games::tictactoe::TicTacToe;

    /// With enough plies the answer is exact; with fewer it never claims too much.
    #[test]
    fn forces_what_the_oracle_says() {
        for seed in 0..300_u64 {
            let mut rng = Rng::new(Seed(seed));
            let shape = RandomTree { depth: 5, branching: 3, grades: 2 + rng.below(4), alternate: seed % 2 == 0 };
            let mut tree = Tree::random(shape, &mut rng);
            let truth = Oracle::default().truth(&tree).expect("small").outcome.score;
            for player in Player::BOTH {
                for goal in [JUST_WON, Score::WIN] {
                    let possible = truth.for_player(player) >= goal;
                    assert_eq!(
                        forces(&mut tree, player, goal, 6, &mut Vec::new(), &mut || true),
                        Some(possible),
                        "seed {seed}"
                    );
                    for plies in 0..5 {
                        let claimed =
                            forces(&mut tree, player, goal, plies, &mut Vec::new(), &mut || true) == Some(true);
                        assert!(possible || !claimed, "seed {seed}");
                    }
                }
            }
        }
    }

    #[test]
    fn levels_of_tic_tac_toe() {
        // X wins at once; in the second position X needs three plies.
        let mut win = TicTacToe::from_text("XX.OO....").expect("a position");
        assert_eq!(bounds(&mut win, 1, &mut Vec::new(), &mut || true).proved(), Some(Score::WIN));
        let mut fork = TicTacToe::from_text("XOO....X.").expect("a position");
        assert_eq!(fork.turn(), Player::First);
        assert_eq!(bounds(&mut fork, 1, &mut Vec::new(), &mut || true).proved(), None);
        assert_eq!(bounds(&mut fork, 3, &mut Vec::new(), &mut || true).proved(), Some(Score::WIN));
        assert_eq!(forces(&mut fork, Player::First, Score::WIN, 3, &mut Vec::new(), &mut || false), None);
    }
}
