//! The certificate that every game has, checked by the rules:
//! *wins at once* ([`WINS_AT_ONCE`](tesuji_core::WINS_AT_ONCE)).
//!
//! A threat is a list of moves that the claimant plays within one turn: one stone in Gomoku, up to
//! two in Connect6. A reply is answered if, whatever else the opponent plays in the same turn, one
//! of the threats can still be played and wins, and the opponent has not won meanwhile. All of it
//! is played on positions; nothing is known about any game.

use tesuji_core::{Certificate, Player, Position};

/// The longest turn of the opponent, after its first move, that is expanded.
const MAX_TURN: usize = 3;

/// The threats that a certificate lists.
fn threats(certificate: &Certificate) -> Result<Vec<&[u64]>, String> {
    let mut threats = Vec::new();
    let mut left = &certificate.data[..];
    while let Some((length, rest)) = left.split_first() {
        let moves = usize::try_from(*length).ok().and_then(|length| rest.split_at_checked(length));
        let (moves, rest) = moves.ok_or("a threat is cut off")?;
        threats.push(moves);
        left = rest;
    }
    if threats.is_empty() { Err("it lists no threat".into()) } else { Ok(threats) }
}

/// Whether the claimant, to move, can play this threat and wins with its last move.
fn completes<P: Position>(position: &P, claimant: Player, threat: &[u64]) -> bool {
    let mut after = position.clone();
    for number in threat {
        if after.turn() != claimant || after.outcome().is_some() {
            return false;
        }
        let mv = usize::try_from(*number).ok().and_then(|number| after.move_at(number));
        let Some(mv) = mv.filter(|mv| after.is_legal(*mv)) else { return false };
        after.play(mv);
    }
    after.outcome().is_some_and(|outcome| outcome.winner() == Some(claimant))
}

/// Whether one of the threats wins in a position after a reply, whatever the opponent adds.
fn answered<P: Position>(position: &P, claimant: Player, threats: &[&[u64]], turn_left: usize) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(claimant);
    }
    if position.turn() == claimant {
        return threats.iter().any(|threat| completes(position, claimant, threat));
    }
    turn_left > 0
        && position.moves().into_iter().all(|mv| {
            let mut after = position.clone();
            after.play(mv);
            answered(&after, claimant, threats, turn_left - 1)
        })
}

/// As [`Certifier::wins`](tesuji_core::Certifier::wins).
pub(crate) fn wins<P: Position>(position: &P, claimant: Player, certificate: &Certificate) -> Result<(), String> {
    match threats(certificate)?[..] {
        [threat] if completes(position, claimant, threat) => Ok(()),
        _ => Err("the moves given do not win at once".into()),
    }
}

/// As [`Certifier::answers`](tesuji_core::Certifier::answers).
pub(crate) fn answers<P: Position>(
    position: &P,
    claimant: Player,
    certificate: &Certificate,
    replies: &mut Vec<P::Move>,
) -> Result<(), String> {
    let threats = threats(certificate)?;
    replies.retain(|mv| {
        let mut after = position.clone();
        after.play(*mv);
        !answered(&after, claimant, &threats, MAX_TURN)
    });
    Ok(())
}
