//! The certificates of Connect6.
//!
//! > `more threats than stones`: no data
//!
//! The opponent of the claimant moves. A reply is answered if after it the opponent cannot complete a six with the stones he has left in the turn, and
//! cannot hit every threat of the claimant with them; then the claimant completes a six in his next turn. Threats are counted exactly, as the least number
//! of points that hit every window (see [`Threats`]).
//!
//! > `line of double threats`: a line
//!
//! The claimant moves, and wins by the line (see `line.rs`).
//!
//! > `relevance zone`: a number of points, these, and a line
//!
//! The opponent moves and has k stones left in the turn. The line shows that k stones outside the zone lose. So with one stone left every reply outside the zone is
//! answered. With two left as well, though the second stone may be in the zone: the two stones of a turn lead to the same position in either order, and replies in the zone
//! are never answered, so they are listed and proved, with all that may follow in the turn.
//!
//! Nothing is searched.

use super::line::{Line, follow, read_points};
use super::{Connect6, Threats};
use crate::in_a_row::Point;
use tesuji_core::{Certificate, Certifier, Player, Position};

/// The name of the kind that counts threats.
pub const THREATS: &str = "more threats than stones";

/// The name of the kind that plays a line.
pub const DOUBLE_THREATS: &str = "line of double threats";

/// The name of the kind that plays a line whatever is done outside a zone.
pub const ZONE: &str = "relevance zone";

/// Counts threats, follows lines.
pub struct ThreatsCertifier;

impl Certifier<Connect6> for ThreatsCertifier {
    fn wins(&self, position: &Connect6, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        if certificate.kind != DOUBLE_THREATS {
            return Err("Connect6 has no such certificate for whoever is to move".into());
        }
        if position.outcome().is_some() || position.turn() != claimant {
            return Err("the claimant is not to move".into());
        }
        follow(position, claimant, &Line::read(position, &certificate.data)?).map(|_| ())
    }

    fn answers(
        &self,
        position: &Connect6,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Point>,
    ) -> Result<(), String> {
        if position.outcome().is_some() || position.turn() == claimant {
            return Err("the claimant is to move".into());
        }
        if certificate.kind == THREATS && certificate.data.is_empty() {
            return more_threats(position, claimant, replies);
        }
        if certificate.kind != ZONE {
            return Err("Connect6 knows no such certificate".into());
        }
        let mut data = certificate.data.as_slice();
        let zone = read_points(position, &mut data)?;
        follow(position, claimant, &Line::read(position, data)?)?.hold_in(&zone)?;
        replies.retain(|reply| zone.contains(reply));
        Ok(())
    }
}

fn more_threats(position: &Connect6, claimant: Player, replies: &mut Vec<Point>) -> Result<(), String> {
    let (defender, stones) = (position.turn(), position.stones_left());
    let mut threats = Threats::new(position);
    if threats.can_win(defender, stones) {
        return Err("the opponent completes a six".into());
    }
    replies.retain(|reply| {
        threats.play(*reply, defender);
        // What he could complete now he could have completed with one stone more before; but the rules ask after each stone.
        let wins = stones > 1 && threats.can_win(defender, stones - 1);
        let answered = !wins && threats.threats(claimant) >= stones;
        threats.undo(*reply, defender);
        !answered
    });
    Ok(())
}
