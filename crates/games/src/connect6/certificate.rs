//! The certificate of Connect6: more threats than stones.
//!
//! > `more threats than stones`: no data
//!
//! The opponent of the claimant moves. A reply is answered if after it the opponent cannot complete a six with the stones he has left in the turn, and
//! cannot hit every threat of the claimant with them; then the claimant completes a six in his next turn.
//!
//! Threats are counted exactly, as the least number of points that hit every window (see [`Threats`]); nothing is searched.

use super::{Connect6, Threats};
use crate::in_a_row::Point;
use tesuji_core::{Certificate, Certifier, Player, Position};

/// The name of the kind.
pub const THREATS: &str = "more threats than stones";

/// Counts threats.
pub struct ThreatsCertifier;

impl Certifier<Connect6> for ThreatsCertifier {
    fn wins(&self, _: &Connect6, _: Player, _: &Certificate) -> Result<(), String> {
        Err("Connect6 has no such certificate for whoever is to move".into())
    }

    fn answers(
        &self,
        position: &Connect6,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Point>,
    ) -> Result<(), String> {
        let (defender, stones) = (position.turn(), position.stones_left());
        if certificate.kind != THREATS || !certificate.data.is_empty() {
            return Err("Connect6 knows no such certificate".into());
        }
        if defender == claimant {
            return Err("the claimant is to move".into());
        }
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
}
