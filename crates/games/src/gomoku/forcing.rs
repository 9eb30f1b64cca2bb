//! Victory by continuous fours (VCF): the forcing moves and the forced answers.
//!
//! The attacker makes a four with every move, so that the defender has one answer, until a five
//! cannot be stopped:
//!
//! * attacker to move: a point that makes five, if there is one; else, if the defender would make
//!   five, only the point that stops it, and only if it is a four; else every point that makes a
//!   four;
//! * defender to move: a point that makes the defender's own five, if there is one; else exactly
//!   the points where the attacker would make five, since anything else loses. If the attacker
//!   threatens nothing, every move.
//!
//! Every omitted move of the defender loses at once. Moves of the attacker may be omitted freely: a
//! win that is found is a win; failure to find one proves nothing. Points forbidden to Black are
//! not moves (renju), so a black four on a forbidden point does not count, and a white four that
//! Black can only stop on a forbidden point wins.

use super::{Gomoku, Shape, Threats};
use crate::in_a_row::Point;
use std::ops::ControlFlow;
use tesuji_core::{Player, Position};

/// The moves of the side to move in a search for a victory of `attacker` by continuous fours;
/// appended to `moves`.
pub fn forcing_moves(position: &Gomoku, attacker: Player, moves: &mut Vec<Point>) {
    let threats = Threats::new(position);
    let (mover, other) = (position.turn(), position.turn().other());
    if let Some(five) = threats.points(mover, Shape::Five).next() {
        moves.push(five);
        return;
    }
    let legal = |point: &Point| position.is_legal(*point);
    // A five of Black is never forbidden, so the shape alone determines the threats.
    let dangers = threats.count(other, Shape::Five) > 0;
    if mover != attacker {
        if dangers {
            moves.extend(threats.points(other, Shape::Five).filter(legal));
            if moves.is_empty() {
                // All stops are forbidden; one move suffices to continue the game.
                let _ = position.visit_moves(|point| {
                    moves.push(point);
                    ControlFlow::Break(())
                });
            }
        } else {
            moves.extend(position.moves());
        }
        return;
    }
    let four = |point: &Point| threats.best(mover, *point) >= Shape::Four && legal(point);
    if dangers {
        // Two points that make five cannot both be stopped.
        if threats.count(other, Shape::Five) == 1 {
            moves.extend(threats.points(other, Shape::Five).filter(four));
        }
        return;
    }
    for shape in [Shape::OpenFour, Shape::DoubleFour, Shape::Four] {
        moves.extend(threats.points(mover, shape).filter(legal));
    }
}
