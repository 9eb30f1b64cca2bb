//! The checker: follows a proof by the rules of the game, and by nothing else.
//!
//! It plays what the proof says and asks the position: whose turn it is, which moves are legal, how an ended game
//! counts. A proof holds if
//!
//! * where the claimant moves, one legal move is given;
//! * where his opponent moves, every legal move is answered, in the game's order;
//! * wherever the game ends, the claimant has at least what is claimed;
//! * a certificate that stands in place of moves or replies is derived again, by the rules alone or by the game's own [`Certifier`], and every reply
//!   that it does not answer is listed;
//! * "the same position as before" is said only of a position that is equal to one already checked to its end, in a game
//!   whose history does not matter.
//!
//! There is no search here and nothing of one: no numbers, no table, no hash. The walk keeps its own stack.

use crate::at_once;
use crate::format::{AGAIN, CERTIFICATE, Claim, END, Kinds, MARK, PLAY, ProofError, REPLIES, Reader};
use tesuji_core::{Certifier, Measure, Meter, Position, Score, WINS_AT_ONCE};

/// What a proof that holds consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Positions, each counted as often as the proof lists it.
    pub positions: u64,
    /// Ends of games among them.
    pub ends: u64,
    /// References to positions already checked.
    pub references: u64,
    /// Certificates.
    pub certificates: u64,
    /// The longest course of a game.
    pub depth: u32,
}

struct Frame<P: Position> {
    position: P,
    /// What is still to be followed, the next last.
    left: Vec<P::Move>,
    mark: Option<usize>,
}

/// Checks a claim about a position, in a game without certificates of its own.
///
/// # Errors
/// The first place at which the proof does not hold; or that the meter ended the walk.
pub fn check<P: Position>(root: &P, claim: &Claim, meter: &mut Meter) -> Result<Checked, ProofError> {
    check_with(root, claim, None, meter)
}

/// Checks a claim about a position; the game's own certificates are derived by `certifier`.
///
/// # Errors
/// The first place at which the proof does not hold; or that the meter ended the walk.
pub fn check_with<P: Position>(
    root: &P,
    claim: &Claim,
    certifier: Option<&dyn Certifier<P>>,
    meter: &mut Meter,
) -> Result<Checked, ProofError> {
    let mut reader = Reader::new(&claim.tokens, claim.offset);
    let mut kinds = Kinds::default();
    let mut checked = Checked::default();
    // Positions with a mark, once they have been checked to the end.
    let mut marked: Vec<Option<P>> = Vec::new();
    let mut path: Vec<Frame<P>> = Vec::new();
    let mut next = Some(root.clone());
    loop {
        let Some(position) = next.take() else {
            // Go on with the last position that has something left.
            let Some(frame) = path.last_mut() else { break };
            if let Some(mv) = frame.left.pop() {
                let mut after = frame.position.clone();
                after.play(mv);
                next = Some(after);
            } else if let Some(frame) = path.pop()
                && let Some(mark) = frame.mark
            {
                marked[mark] = Some(frame.position);
            }
            continue;
        };
        let place = reader.place();
        let wrong = |problem: String| Err(ProofError::new(place, problem));
        if !meter.step() {
            return wrong(format!("the check was ended ({})", meter.reason().name()));
        }
        checked.positions += 1;
        checked.depth = checked.depth.max(path.len() as u32);
        let mut token = reader.number()?;
        let mut mark = None;
        if token == MARK {
            mark = Some(marked.len());
            marked.push(None);
            token = reader.number()?;
        }
        let outcome = position.outcome();
        let to_move = position.turn() == claim.aim.player;
        match (token, outcome) {
            (END, Some(outcome)) => {
                let worth = claim.aim.worth(outcome);
                if worth < claim.aim.least {
                    return wrong(format!("the game ends with {worth}, and at least {} is claimed", claim.aim.least));
                }
                checked.ends += 1;
                if let Some(mark) = mark {
                    marked[mark] = Some(position);
                }
            }
            (END, None) => return wrong("the proof says that the game has ended, but it goes on".into()),
            (_, Some(_)) => return wrong("the game has ended, but the proof goes on".into()),
            (AGAIN, None) => {
                let known = usize::try_from(reader.number()?).ok().and_then(|mark| marked.get(mark));
                match known {
                    None => return wrong("a reference to a mark that does not exist".into()),
                    Some(None) => return wrong("a reference to a position that is not yet proved".into()),
                    Some(Some(_)) if position.history_matters() => {
                        return wrong("a reference, in a game whose history matters".into());
                    }
                    Some(Some(same)) if *same != position => {
                        return wrong("a reference to another position".into());
                    }
                    Some(Some(_)) if mark.is_some() => return wrong("a mark on a reference".into()),
                    Some(Some(_)) => checked.references += 1,
                }
            }
            (MARK, None) => return wrong("two marks on one position".into()),
            (REPLIES, None) => {
                let listed = reader.number()?;
                if listed == CERTIFICATE {
                    let certificate = kinds.read(&mut reader)?;
                    checked.certificates += 1;
                    // Certificates say who wins, not by how much.
                    let least = i64::from(claim.aim.least);
                    if claim.aim.measure != Measure::Score || least > i64::from(Score::UNITS) {
                        return wrong("a certificate shows a win, and more than a win is claimed".into());
                    }
                    let claimant = claim.aim.player;
                    let at_once = certificate.kind == WINS_AT_ONCE;
                    let mut left = Vec::new();
                    let mut open = Vec::new();
                    if !to_move {
                        open = position.moves();
                        left = listed_replies(&mut reader, &position, &mut open)?;
                    }
                    let held = match (to_move, certifier) {
                        (true, _) if at_once => at_once::wins(&position, claimant, &certificate),
                        (false, _) if at_once => at_once::answers(&position, claimant, &certificate, &mut open),
                        (true, Some(certifier)) => certifier.wins(&position, claimant, &certificate),
                        (false, Some(certifier)) => certifier.answers(&position, claimant, &certificate, &mut open),
                        (_, None) => Err("this game has no certificates of its own".to_string()),
                    };
                    if let Err(reason) = held {
                        let kind: String = certificate.kind.chars().take(40).collect();
                        return wrong(format!("the certificate \"{kind}\" does not hold: {reason}"));
                    }
                    if !open.is_empty() {
                        return wrong(format!("{} replies are neither listed nor answered", open.len()));
                    }
                    path.push(Frame { position, left, mark });
                    continue;
                }
                if to_move {
                    return wrong("the claimant is to move, but his opponent's moves are listed".into());
                }
                let mut left = position.moves();
                if listed != left.len() as u64 {
                    return wrong(format!("{listed} replies are answered, and there are {}", left.len()));
                }
                left.reverse();
                path.push(Frame { position, left, mark });
            }
            (_, None) => {
                let number = token - PLAY;
                if !to_move {
                    return wrong("the opponent is to move, but only one move is given".into());
                }
                let mv = usize::try_from(number).ok().and_then(|number| position.move_at(number));
                let Some(mv) = mv.filter(|mv| position.is_legal(*mv)) else {
                    return wrong(format!("move number {number} is not legal"));
                };
                path.push(Frame { position, left: vec![mv], mark });
            }
        }
    }
    if !reader.is_at_end() {
        return Err(ProofError::new(reader.place(), "the proof is complete, but there is more"));
    }
    Ok(checked)
}

/// The replies that are listed beside a certificate, the last first; takes them away from `open`, all legal moves.
fn listed_replies<P: Position>(
    reader: &mut Reader<'_>,
    position: &P,
    open: &mut Vec<P::Move>,
) -> Result<Vec<P::Move>, ProofError> {
    let mut listed = Vec::new();
    for _ in 0..reader.number()? {
        let place = reader.place();
        let number = reader.number()?;
        let at = open.iter().position(|mv| position.move_index(*mv) as u64 == number);
        let at =
            at.ok_or_else(|| ProofError::new(place, format!("move number {number} is no reply that is still open")))?;
        listed.push(open.remove(at));
    }
    listed.reverse();
    Ok(listed)
}
