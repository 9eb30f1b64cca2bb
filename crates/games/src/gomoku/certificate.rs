//! The certificate of Gomoku: a line of fours.
//!
//! > `line of fours`: a₁ d₁ a₂ d₂ … aₙ, the numbers of moves: fours of the claimant and the only moves that stop them
//!
//! Where the claimant moves, he wins by the line: each aᵢ is legal and a four, after each the opponent cannot make a five, and dᵢ is the one point
//! that stops it, until there is none that he may play on. Where the opponent moves, a reply is answered if the line wins after it, as it is
//! written. With n = 0 the claimant makes a five.
//!
//! The line is played out; nothing is searched. What is a five is read from the tables of `shape.rs`, which tests compare with the rules.

use super::fours::Line;
use super::{Gomoku, Shape, Threats};
use crate::in_a_row::Point;
use tesuji_core::{Certificate, Certifier, Player, Position};

/// The name of the kind.
pub const LINE_OF_FOURS: &str = "line of fours";

/// Checks lines of fours.
pub struct FoursCertifier;

/// The certificate of a line.
pub(super) fn certificate(position: &Gomoku, line: &Line) -> Certificate {
    Certificate::new(LINE_OF_FOURS, line.points().map(|point| position.move_index(point) as u64).collect())
}

fn line_of(position: &Gomoku, certificate: &Certificate) -> Result<Line, String> {
    if certificate.kind != LINE_OF_FOURS {
        return Err("Gomoku knows no such certificate".into());
    }
    let point = |number: &u64| usize::try_from(*number).ok().and_then(|number| position.move_at(number));
    let points: Option<Vec<Point>> = certificate.data.iter().map(point).collect();
    let points = points.ok_or("a point off the board")?;
    Line::of(&points).ok_or_else(|| "a line ends with a four".into())
}

impl Certifier<Gomoku> for FoursCertifier {
    fn wins(&self, position: &Gomoku, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        let line = line_of(position, certificate)?;
        let holds = position.turn() == claimant && line.holds(&mut Threats::new(position), claimant);
        if holds { Ok(()) } else { Err("the line does not win".into()) }
    }

    fn answers(
        &self,
        position: &Gomoku,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Point>,
    ) -> Result<(), String> {
        let line = line_of(position, certificate)?;
        let defender = claimant.other();
        if position.turn() != defender {
            return Err("the claimant is to move".into());
        }
        let mut threats = Threats::new(position);
        replies.retain(|reply| {
            if threats.best(defender, *reply) == Shape::Five {
                return true;
            }
            threats.play(*reply, defender);
            let holds = line.holds(&mut threats, claimant);
            threats.undo(*reply, defender);
            !holds
        });
        Ok(())
    }
}
