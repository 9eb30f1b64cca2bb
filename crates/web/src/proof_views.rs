//! What a kept proof says of a position: the claimant's move, the refutation of every reply, or the
//! certificate, in points of the board.

use crate::api::{NewSession, Ply, ProofKind, ProofPoint, ProofReason, ProofReply, ProofView};
use crate::kept::Game;
use crate::proofs::{KeptClaim, KeptProof};
use crate::refusal::Refusal;
use crate::state::{Wanted, points_of, side};
use std::cmp::Reverse;
use tesuji_agents::{AnyPosition, ProofError, ProofPlace, ProofStep};
use tesuji_core::{Certificate, Drawing, Player, ViewPoint, WINS_AT_ONCE};

/// A certificate and where it was found.
struct Reason {
    certificate: Certificate,
    drawing: Drawing,
    columns: usize,
    /// The points of the threats of *wins at once*.
    threatened: Vec<Vec<usize>>,
}

/// Where a path has led to.
enum At {
    /// A position that the proof lists.
    Listed(ProofPlace),
    /// A position after a reply that a certificate answers.
    Beyond(Reason),
}

fn lost(error: ProofError) -> Refusal {
    Refusal::internal(format!("the proof that was checked cannot be read: {error}"))
}

/// A legal move as it is told.
fn ply(position: &dyn AnyPosition, columns: usize, mv: &str) -> Ply {
    let (to, from) = points_of(position, columns, mv);
    Ply { r#move: mv.into(), player: side(position.turn()), to, from }
}

/// The position of a proof after the moves of a path.
pub(crate) fn view<'a>(
    proof: &KeptProof,
    number: usize,
    path: impl Iterator<Item = &'a str>,
) -> Result<ProofView, Refusal> {
    let kept = proof.claims.get(number);
    let kept = kept.ok_or_else(|| Refusal::not_found(format!("the proof has {} claims", proof.claims.len())))?;
    let claimant = kept.claim.aim.player;
    let columns = proof.root.view().columns.len();
    let mut position = proof.root.boxed_clone();
    let (mut at, mut taken) = (At::Listed(0), Vec::new());
    let mut game = Game::begin(&NewSession { document: Some(proof.document.clone()), ..NewSession::default() })?;
    for mv in path {
        let action = position.action_named(mv);
        let played = ply(position.as_ref(), columns, mv);
        let next = match (at, action) {
            (At::Listed(place), Some(action)) => after(kept, position.as_ref(), place, action)?,
            (At::Beyond(reason), Some(_)) => reason.after(position.as_ref(), claimant, taken.last(), mv)?,
            (at, None) => at,
        };
        // A text that is no legal move is refused here.
        game.play(mv)?;
        position.play(mv)?;
        taken.push(played);
        at = next;
    }
    let state = game.state(None, Wanted { at: None, geometry: true })?;
    let mut view = ProofView {
        claim: number,
        claimant: side(claimant),
        path: taken,
        state,
        kind: ProofKind::End,
        answer: None,
        replies: Vec::new(),
        size: 0,
        again: false,
        reason: None,
    };
    let position = position.as_ref();
    match at {
        At::Beyond(reason) => {
            view.kind = if position.outcome().is_some() { ProofKind::End } else { ProofKind::Beyond };
            view.answer = reason.answer(position, claimant, view.path.last());
            view.reason = Some(reason.told());
        }
        At::Listed(place) => describe(&mut view, kept, position, place)?,
    }
    Ok(view)
}

/// A move of the claimant of which nothing is proved.
fn unlisted() -> Refusal {
    Refusal::not_found("the proof does not go on with this move; it names another one here")
}

/// Where a move leads.
fn after(kept: &KeptClaim, position: &dyn AnyPosition, place: ProofPlace, action: usize) -> Result<At, Refusal> {
    let claimant = kept.claim.aim.player;
    match kept.outline.step(&kept.claim, place).map_err(lost)?.1 {
        ProofStep::Plays(known, next) if known == action => Ok(At::Listed(next)),
        ProofStep::Plays(..) | ProofStep::End => Err(unlisted()),
        ProofStep::Replies(places) => {
            let number = position.moves().iter().position(|mv| position.action_named(mv) == Some(action));
            number.and_then(|number| places.get(number)).map(|place| At::Listed(*place)).ok_or_else(unlisted)
        }
        ProofStep::Certificate(certificate, listed) => match listed.iter().find(|(known, _)| *known == action) {
            Some((_, place)) => Ok(At::Listed(*place)),
            None => {
                let mv = position.action_text(action).unwrap_or_default();
                Reason::new(position, claimant, certificate).after(position, claimant, None, &mv)
            }
        },
    }
}

/// Fills in what the proof says of a listed position.
fn describe(
    view: &mut ProofView,
    kept: &KeptClaim,
    position: &dyn AnyPosition,
    place: ProofPlace,
) -> Result<(), Refusal> {
    let claimant = kept.claim.aim.player;
    let columns = position.view().columns.len();
    let text = |action: usize| position.action_text(action).map(|mv| ply(position, columns, &mv));
    let (found, step) = kept.outline.step(&kept.claim, place).map_err(lost)?;
    (view.size, view.again) = (kept.outline.size(found), found != place);
    match step {
        ProofStep::End => {}
        ProofStep::Plays(action, _) => {
            view.kind = ProofKind::Plays;
            view.answer = text(action);
        }
        ProofStep::Replies(places) => {
            view.kind = ProofKind::Replies;
            for (mv, place) in position.moves().iter().zip(places) {
                view.replies.push(refuted(kept, position, columns, mv, place)?);
            }
        }
        ProofStep::Certificate(certificate, listed) => {
            view.kind = ProofKind::Certificate;
            let name = certificate.kind.to_string();
            let reason = Reason::new(position, claimant, certificate);
            if position.turn() == claimant {
                view.answer = reason.answer(position, claimant, None);
            } else {
                for mv in position.moves() {
                    let action = position.action_named(&mv);
                    let place = listed.iter().find(|(known, _)| Some(*known) == action).map(|(_, place)| *place);
                    if let Some(place) = place {
                        view.replies.push(refuted(kept, position, columns, &mv, place)?);
                        continue;
                    }
                    let reply = ply(position, columns, &mv);
                    let mut next = position.boxed_clone();
                    next.play(&mv)?;
                    let answer = reason.answer(next.as_ref(), claimant, Some(&reply));
                    view.replies.push(ProofReply { reply, answer, size: 0, reason: Some(name.clone()) });
                }
            }
            view.reason = Some(reason.told());
        }
    }
    view.replies.sort_by_key(|reply| Reverse((reply.size, reply.answer.is_some())));
    Ok(())
}

/// A listed reply with what the proof says after it.
fn refuted(
    kept: &KeptClaim,
    position: &dyn AnyPosition,
    columns: usize,
    mv: &str,
    place: ProofPlace,
) -> Result<ProofReply, Refusal> {
    let claimant = kept.claim.aim.player;
    let reply = ply(position, columns, mv);
    let (found, step) = kept.outline.step(&kept.claim, place).map_err(lost)?;
    let mut next = position.boxed_clone();
    next.play(mv)?;
    let (answer, reason) = match step {
        ProofStep::Plays(action, _) => (next.action_text(action).map(|mv| ply(next.as_ref(), columns, &mv)), None),
        ProofStep::Certificate(certificate, _) => {
            let name = certificate.kind.to_string();
            let answer = (next.turn() == claimant)
                .then(|| Reason::new(next.as_ref(), claimant, certificate).answer(next.as_ref(), claimant, None));
            (answer.flatten(), Some(name))
        }
        ProofStep::Replies(_) | ProofStep::End => (None, None),
    };
    Ok(ProofReply { reply, answer, size: kept.outline.size(found), reason })
}

impl Reason {
    fn new(position: &dyn AnyPosition, claimant: Player, certificate: Certificate) -> Reason {
        let drawing = position.draw_certificate(claimant, &certificate);
        let columns = position.view().columns.len();
        let point = |action: &usize| points_of(position, columns, &position.action_text(*action)?).0;
        let threatened = threats(&certificate).iter().map(|threat| threat.iter().filter_map(point).collect()).collect();
        Reason { certificate, drawing, columns, threatened }
    }

    fn index(&self, (column, row): ViewPoint) -> usize {
        row * self.columns + column
    }

    /// Where a move leads that the proof does not list: any reply of the opponent is answered, and of
    /// the claimant's moves the one that the certificate names.
    fn after(self, position: &dyn AnyPosition, claimant: Player, reply: Option<&Ply>, mv: &str) -> Result<At, Refusal> {
        let is_named = || self.answer(position, claimant, reply).is_some_and(|answer| answer.r#move == mv);
        if position.turn() != claimant || is_named() { Ok(At::Beyond(self)) } else { Err(unlisted()) }
    }

    /// The claimant's move in a position after the certificate, if it names one: the first of a
    /// threat that wins, the other point of a pair, or the first move of its line.
    fn answer(&self, position: &dyn AnyPosition, claimant: Player, reply: Option<&Ply>) -> Option<Ply> {
        if position.outcome().is_some() || position.turn() != claimant {
            return None;
        }
        let wins = |threat: &Vec<usize>| {
            let mut next = position.boxed_clone();
            threat.iter().all(|action| next.outcome().is_some() || next.play_action(*action))
                && next.outcome().is_some_and(|outcome| outcome.winner() == Some(claimant))
        };
        if let Some(threat) = threats(&self.certificate).into_iter().find(wins) {
            let mv = position.action_text(*threat.first()?)?;
            return Some(ply(position, self.columns, &mv));
        }
        let taken = reply.and_then(|reply| reply.to);
        let partner = self.drawing.pairs.iter().find_map(|[one, two]| {
            if Some(self.index(*one)) == taken { Some(*two) } else { (Some(self.index(*two)) == taken).then_some(*one) }
        });
        let mv = match partner {
            Some((column, row)) => position.move_on(column, row)?,
            None => self.next_of_line(position, claimant)?,
        };
        Some(ply(position, self.columns, &mv))
    }

    /// The next move of the line: the first of the claimant's own that is not played yet. Where the
    /// opponent has left the stop of a move open, the claimant wins there; nothing if it does not.
    fn next_of_line(&self, position: &dyn AnyPosition, claimant: Player) -> Option<String> {
        let points = position.view().points;
        let is_empty = |(column, row): ViewPoint| points.get(row * self.columns + column) == Some(&None);
        let (player, (column, row)) = *self.drawing.line.iter().find(|(_, point)| is_empty(*point))?;
        let mv = position.move_on(column, row)?;
        let mut next = position.boxed_clone();
        next.play(&mv).ok()?;
        let wins = next.outcome().is_some_and(|outcome| outcome.winner() == Some(claimant));
        (player == claimant || wins).then_some(mv)
    }

    fn told(&self) -> ProofReason {
        let index = |point: &ViewPoint| self.index(*point);
        ProofReason {
            kind: self.certificate.kind.to_string(),
            area: self.drawing.area.iter().map(index).collect(),
            pairs: self.drawing.pairs.iter().map(|pair| pair.map(|point| self.index(point))).collect(),
            eyes: self.drawing.eyes.iter().map(|eye| eye.iter().map(index).collect()).collect(),
            line: self
                .drawing
                .line
                .iter()
                .map(|(player, point)| ProofPoint { player: side(*player), point: index(point) })
                .collect(),
            threats: self.threatened.clone(),
        }
    }
}

/// The threats of *wins at once*, as move indices.
fn threats(certificate: &Certificate) -> Vec<Vec<usize>> {
    let mut threats = Vec::new();
    let mut data = &certificate.data[..];
    while certificate.kind == WINS_AT_ONCE
        && let Some((length, rest)) = data.split_first()
        && let Some((threat, rest)) = rest.split_at_checked(*length as usize)
    {
        threats.push(threat.iter().map(|action| *action as usize).collect());
        data = rest;
    }
    threats
}
