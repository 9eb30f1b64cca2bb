//! The checker: follows a proof by the rules of the game.
//!
//! It plays what the proof says and asks the position who is to move, which moves are legal, and
//! what an ended game is worth. A proof holds if
//!
//! * where the claimant moves, one legal move is given;
//! * where the opponent moves, every legal move is answered, in the game's order;
//! * wherever the game ends, the claimant has at least what is claimed;
//! * a certificate in place of moves or replies is checked, by the rules or by the game's own
//!   [`Certifier`], and every reply that it does not answer is listed;
//! * "the same position as before" is said only of a position equal to one already checked to its
//!   end, in a game whose history does not matter.
//!
//! The checker contains no search, no table and no hash. With [`check_by_rules`] it trusts no
//! certificate and proves the position instead (`expand.rs`). The path is an explicit stack.

use crate::bytes::{ProofError, Reader};
use crate::expand::{Expander, Expansion, ExpansionLimits};
use crate::format::Claim;
use crate::outline::Outline;
use crate::token::{AGAIN, CERTIFICATE, END, Kinds, MARK, PLAY, REPLIES};
use crate::wins_at_once;
use tesuji_core::{Aim, Certificate, Certifier, Measure, Meter, Player, Position, Score, WINS_AT_ONCE};

/// The contents of a proof that holds.
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
    /// Certificates that [`check_by_rules`] could not expand within its limits. The proof holds if
    /// these do.
    pub unexpanded: u64,
    /// The longest line of play.
    pub depth: u32,
}

/// What the checker does with a certificate.
enum Certificates<'a, P: Position> {
    /// Checks its reason.
    Check(Option<&'a dyn Certifier<P>>),
    /// Ignores it and proves the position.
    Expand(&'a ExpansionLimits),
}

/// Checks a claim about a position, in a game without certificates of its own.
///
/// # Errors
/// The first place at which the proof does not hold; or that the meter ended the check.
pub fn check<P: Position>(root: &P, claim: &Claim, meter: &mut Meter) -> Result<Checked, ProofError> {
    check_with(root, claim, None, meter)
}

/// Checks a claim about a position; `certifier` checks the game's own certificates.
///
/// # Errors
/// The first place at which the proof does not hold; or that the meter ended the check.
pub fn check_with<P: Position>(
    root: &P,
    claim: &Claim,
    certifier: Option<&dyn Certifier<P>>,
    meter: &mut Meter,
) -> Result<Checked, ProofError> {
    Checker::new(claim, Certificates::Check(certifier)).check(root, meter).map(|(checked, _)| checked)
}

/// Checks a claim as [`check_with`] does, and writes down where its positions stand, so that the
/// proof can be browsed.
///
/// # Errors
/// As [`check_with`]; and if the tokens take more than 4 GiB.
pub fn outline<P: Position>(
    root: &P,
    claim: &Claim,
    certifier: Option<&dyn Certifier<P>>,
    meter: &mut Meter,
) -> Result<(Checked, Outline), ProofError> {
    if u32::try_from(claim.tokens.len()).is_err() {
        return Err(ProofError::new(claim.offset, "the proof takes more than 4 GiB, too much to be browsed"));
    }
    let mut checker = Checker::new(claim, Certificates::Check(certifier));
    checker.outline = Some(Outline::default());
    checker.check(root, meter).map(|(checked, outline)| (checked, outline.unwrap_or_default()))
}

/// Checks a claim about a position and trusts no certificate: each is replaced by an exhaustive
/// expansion over the rules, within limits. [`Checked::unexpanded`] counts those that were not
/// finished.
///
/// # Errors
/// The first place at which the proof does not hold; or that the meter ended the check.
pub fn check_by_rules<P: Position>(
    root: &P,
    claim: &Claim,
    limits: &ExpansionLimits,
    meter: &mut Meter,
) -> Result<Checked, ProofError> {
    Checker::new(claim, Certificates::Expand(limits)).check(root, meter).map(|(checked, _)| checked)
}

/// A position on the path.
struct Frame<P: Position> {
    position: P,
    /// Successors to be followed, the next one last.
    left: Vec<P::Move>,
    mark: Option<usize>,
    /// Its number in the outline; 0 without one.
    place: usize,
}

struct Checker<'a, P: Position> {
    aim: Aim,
    /// Where the tokens begin in the file.
    start: usize,
    reader: Reader<'a>,
    kinds: Kinds,
    certificates: Certificates<'a, P>,
    checked: Checked,
    /// Marked positions, once they have been checked to the end.
    marked: Vec<Option<P>>,
    /// Where the positions stand, if that is wanted.
    outline: Option<Outline>,
}

impl<'a, P: Position> Checker<'a, P> {
    fn new(claim: &'a Claim, certificates: Certificates<'a, P>) -> Checker<'a, P> {
        Checker {
            aim: claim.aim,
            start: claim.offset,
            reader: Reader::new(&claim.tokens, claim.offset),
            kinds: Kinds::default(),
            certificates,
            checked: Checked::default(),
            marked: Vec::new(),
            outline: None,
        }
    }

    fn check(mut self, root: &P, meter: &mut Meter) -> Result<(Checked, Option<Outline>), ProofError> {
        let mut path: Vec<Frame<P>> = Vec::new();
        let mut next = Some(root.clone());
        loop {
            if let Some(position) = next.take() {
                let place = self.reader.place();
                if !meter.step() {
                    return Err(ProofError::new(place, format!("the check was ended ({})", meter.reason().name())));
                }
                self.checked.positions += 1;
                self.checked.depth = self.checked.depth.max(path.len() as u32);
                path.push(self.position(place, position)?);
            }
            // Go on with the last position that has something left.
            let Some(frame) = path.last_mut() else { break };
            if let Some(mv) = frame.left.pop() {
                let mut after = frame.position.clone();
                after.play(mv);
                next = Some(after);
            } else if let Some(Frame { position, mark, place, .. }) = path.pop() {
                if let Some(outline) = &mut self.outline {
                    outline.leave(place);
                }
                if let Some(mark) = mark {
                    self.marked[mark] = Some(position);
                }
            }
        }
        if !self.reader.is_at_end() {
            return Err(ProofError::new(self.reader.place(), "the proof is complete, but there is more"));
        }
        let kinds = self.kinds;
        Ok((self.checked, self.outline.map(|outline| outline.finish(kinds))))
    }

    /// Reads what the proof says of a position.
    fn position(&mut self, place: usize, position: P) -> Result<Frame<P>, ProofError> {
        let mut token = self.reader.number()?;
        let mut mark = None;
        if token == MARK {
            mark = Some(self.marked.len());
            self.marked.push(None);
            token = self.reader.number()?;
        }
        let mut number = 0;
        if let Some(outline) = &mut self.outline {
            number = outline.len();
            outline.enter(place - self.start, mark.is_some());
        }
        let left = self.follow(token, &position, mark.is_some()).map_err(|error| match error {
            Refusal::Here(problem) => ProofError::new(place, problem),
            Refusal::There(error) => error,
        })?;
        Ok(Frame { position, left, mark, place: number })
    }

    /// The moves that the proof follows from a position, the first one last.
    fn follow(&mut self, token: u64, position: &P, is_marked: bool) -> Result<Vec<P::Move>, Refusal> {
        let to_move = position.turn() == self.aim.player;
        match (token, position.outcome()) {
            (END, Some(outcome)) => {
                let (worth, least) = (self.aim.worth(outcome), self.aim.least);
                if worth < least {
                    return refuse(format!("the game ends with {worth}, and at least {least} is claimed"));
                }
                self.checked.ends += 1;
                Ok(Vec::new())
            }
            (END, None) => refuse("the proof says that the game has ended, but it goes on"),
            (_, Some(_)) => refuse("the game has ended, but the proof goes on"),
            (AGAIN, None) => self.again(position, is_marked),
            (MARK, None) => refuse("two marks on one position"),
            (REPLIES, None) => {
                let listed = self.reader.number()?;
                if listed == CERTIFICATE {
                    return self.certificate(position, to_move);
                }
                if to_move {
                    return refuse("the claimant is to move, but moves of the opponent are listed");
                }
                let mut moves = position.moves();
                if listed != moves.len() as u64 {
                    return refuse(format!("{listed} replies are answered, and there are {}", moves.len()));
                }
                moves.reverse();
                Ok(moves)
            }
            (_, None) => {
                if !to_move {
                    return refuse("the opponent is to move, but only one move is given");
                }
                let index = token - PLAY;
                let mv = usize::try_from(index).ok().and_then(|index| position.move_at(index));
                match mv.filter(|mv| position.is_legal(*mv)) {
                    Some(mv) => Ok(vec![mv]),
                    None => refuse(format!("the move with index {index} is not legal")),
                }
            }
        }
    }

    /// A reference to a marked position.
    fn again(&mut self, position: &P, is_marked: bool) -> Result<Vec<P::Move>, Refusal> {
        let mark = self.reader.number()?;
        let marked = usize::try_from(mark).ok().and_then(|mark| self.marked.get(mark));
        match marked {
            None => refuse("a reference to a mark that does not exist"),
            Some(None) => refuse("a reference to a position that is not yet proved"),
            Some(Some(_)) if position.history_matters() => refuse("a reference, in a game whose history matters"),
            Some(Some(same)) if same != position => refuse("a reference to another position"),
            Some(Some(_)) if is_marked => refuse("a mark on a reference"),
            Some(Some(_)) => {
                self.checked.references += 1;
                Ok(Vec::new())
            }
        }
    }

    /// A certificate and, where the opponent moves, the replies that are listed beside it.
    fn certificate(&mut self, position: &P, to_move: bool) -> Result<Vec<P::Move>, Refusal> {
        let certificate = self.kinds.read(&mut self.reader)?;
        self.checked.certificates += 1;
        // Certificates say who wins, not by how much.
        if self.aim.measure != Measure::Score || i64::from(self.aim.least) > i64::from(Score::UNITS) {
            return refuse("a certificate shows a win, and more than a win is claimed");
        }
        let (mut unlisted, mut listed) = (Vec::new(), Vec::new());
        if !to_move {
            unlisted = position.moves();
            listed = self.listed_replies(position, &mut unlisted)?;
        }
        let kind: String = certificate.kind.chars().take(40).collect();
        match self.certificates {
            Certificates::Check(certifier) => {
                let claimant = (self.aim.player, to_move);
                if let Err(reason) = check_reason(position, claimant, &certificate, certifier, &mut unlisted) {
                    return refuse(format!("the certificate \"{kind}\" does not hold: {reason}"));
                }
                if !unlisted.is_empty() {
                    return refuse(format!("{} replies are neither listed nor answered", unlisted.len()));
                }
            }
            Certificates::Expand(limits) => {
                let mut expander = Expander::new(self.aim, &certificate.data, limits);
                let mut positions = Vec::new();
                if to_move {
                    positions.push(position.clone());
                }
                positions.extend(unlisted.iter().map(|mv| {
                    let mut after = position.clone();
                    after.play(*mv);
                    after
                }));
                for position in positions {
                    match expander.expand(&position) {
                        Expansion::Proved => {}
                        Expansion::Disproved => {
                            return refuse(format!(
                                "the certificate \"{kind}\" is false: the claimant does not get what is claimed"
                            ));
                        }
                        Expansion::Unfinished => {
                            self.checked.unexpanded += 1;
                            break;
                        }
                    }
                }
            }
        }
        Ok(listed)
    }

    /// The replies that are listed beside a certificate, the last one first; removes them from
    /// `open`, the legal moves.
    fn listed_replies(&mut self, position: &P, open: &mut Vec<P::Move>) -> Result<Vec<P::Move>, ProofError> {
        let mut listed = Vec::new();
        for _ in 0..self.reader.number()? {
            let place = self.reader.place();
            let index = self.reader.number()?;
            let at = open.iter().position(|mv| position.move_index(*mv) as u64 == index);
            let at = at.ok_or_else(|| {
                ProofError::new(place, format!("the move with index {index} is no reply that is still open"))
            })?;
            listed.push(open.remove(at));
        }
        listed.reverse();
        Ok(listed)
    }
}

/// Checks the reason of a certificate; removes the replies that it answers from `replies`.
fn check_reason<P: Position>(
    position: &P,
    (claimant, to_move): (Player, bool),
    certificate: &Certificate,
    certifier: Option<&dyn Certifier<P>>,
    replies: &mut Vec<P::Move>,
) -> Result<(), String> {
    let at_once = certificate.kind == WINS_AT_ONCE;
    match (to_move, certifier) {
        (true, _) if at_once => wins_at_once::wins(position, claimant, certificate),
        (false, _) if at_once => wins_at_once::answers(position, claimant, certificate, replies),
        (true, Some(certifier)) => certifier.wins(position, claimant, certificate),
        (false, Some(certifier)) => certifier.answers(position, claimant, certificate, replies),
        (_, None) => Err("this game has no certificates of its own".into()),
    }
}

/// Why a proof does not hold: at the position that is read, or at a place that is known.
enum Refusal {
    Here(String),
    There(ProofError),
}

impl From<ProofError> for Refusal {
    fn from(error: ProofError) -> Refusal {
        Refusal::There(error)
    }
}

fn refuse<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Here(problem.into()))
}
