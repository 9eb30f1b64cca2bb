//! Proofs and proof trees that are kept to be browsed: made by a search here, or sent as a file,
//! and checked by the rules before anything of them is told.
//!
//! Their number and their bytes are bounded; a new one drops the oldest. A client that has kept the
//! document asks again.

use crate::api::{self, Budget as Wished, NewProof, NewProofTree, NewSession, ProofBook, ProofClaim, ProofFile};
use crate::kept::{Game, random_name};
use crate::proof_trees::{self, KeptProofTree};
use crate::proof_views;
use crate::refusal::Refusal;
use crate::reports::{self, USUAL_CANDIDATES};
use crate::routes::{Answer, Asked, with_slot};
use crate::server::Shared;
use crate::state::side;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_agents::records::Step;
use tesuji_agents::{AnyPosition, Checked, Claim, Measure, Outline, Proof, canonical_agent};
use tesuji_core::spec::Spec;
use tesuji_core::{Aim, Bounds, Budget, NoObserver, Score, Seed, StopFlag};

/// The most proofs and trees that are kept.
const MOST_KEPT: usize = 64;
/// The longest solving if the client names no time.
const USUAL_TIME: Duration = Duration::from_secs(30);
/// The longest check of a proof: of all its claims together.
const CHECK_TIME: Duration = Duration::from_secs(20);

/// A claim that was checked.
pub(crate) struct KeptClaim {
    pub claim: Claim,
    pub outline: Outline,
}

/// A proof that was checked.
pub(crate) struct KeptProof {
    /// The position that it is about, as text.
    pub document: String,
    pub root: Box<dyn AnyPosition>,
    pub claims: Vec<KeptClaim>,
    /// The game and the moves, where moves alone lead to the position.
    file: Option<(String, Vec<String>)>,
}

/// What is kept.
#[derive(Clone)]
enum Kept {
    Proof(Arc<KeptProof>),
    Tree(Arc<KeptProofTree>),
}

impl Kept {
    fn bytes(&self) -> u64 {
        let bytes = match self {
            Kept::Proof(proof) => {
                proof.claims.iter().map(|kept| kept.claim.tokens.len() + kept.outline.bytes()).sum::<usize>()
            }
            Kept::Tree(tree) => tree.tree.bytes(),
        };
        bytes as u64
    }
}

/// The proofs and trees of a server, the oldest first.
#[derive(Default)]
pub(crate) struct Proofs(Mutex<VecDeque<(String, Kept)>>);

impl Proofs {
    /// Keeps one, and answers its id. `most` are the bytes of all together.
    fn keep(&self, kept: Kept, most: u64) -> Result<String, Refusal> {
        let id = random_name()?;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back((id.clone(), kept));
        while all.len() > MOST_KEPT || all.len() > 1 && all.iter().map(|(_, kept)| kept.bytes()).sum::<u64>() > most {
            all.pop_front();
        }
        Ok(id)
    }

    fn find(&self, id: &str) -> Result<Kept, Refusal> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().find(|(known, _)| known == id).map(|(_, kept)| kept.clone());
        found.ok_or_else(|| {
            Refusal::not_found("there is no such proof: it was dropped, or the server was restarted; ask again")
        })
    }
}

/// Carries out what is asked of proofs without a search.
pub(crate) fn at_once(shared: &Shared, asked: &Asked, parts: &[&str]) -> Result<Answer, Refusal> {
    let find = |id: &str| shared.proofs.find(id);
    let path = || asked.parameter("path").unwrap_or_default().split_whitespace();
    let other = || Refusal::not_found("there is a proof or a tree of this id, but not the other");
    match (asked.method.as_str(), parts) {
        ("GET", ["proofs", id]) => {
            let Kept::Proof(proof) = find(id)? else { return Err(other()) };
            let claim = asked.parameter("claim").unwrap_or("0").parse();
            let claim = claim.map_err(|_| Refusal::bad_request("claim: expected a number, from 0"))?;
            Answer::json(200, &proof_views::view(&proof, claim, path())?)
        }
        ("GET", ["proofs", id, "file"]) => {
            let Kept::Proof(proof) = find(id)? else { return Err(other()) };
            let Some((game, moves)) = proof.file.clone() else {
                return Err(Refusal::unsupported("the position was set up; only positions after moves have files"));
            };
            let claims = proof.claims.iter().map(|kept| kept.claim.clone()).collect();
            let body = Proof { game, moves, claims }.to_bytes();
            Ok(Answer { status: 200, content_type: "application/octet-stream", body })
        }
        ("GET", ["proof-trees", id]) => {
            let Kept::Tree(tree) = find(id)? else { return Err(other()) };
            Answer::json(200, &tree.view(path())?)
        }
        _ => Err(Refusal::not_found("there is no such thing here; /api/v1/openapi.json lists what there is")),
    }
}

/// What takes time, and a place among the searches.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// A position is solved.
    Solve,
    /// A proof that was sent is checked.
    Check,
    /// A tree is grown.
    Grow,
}

/// Carries out what takes time.
pub(crate) async fn worked(shared: Arc<Shared>, asked: Asked, work: Work) -> Result<Answer, Refusal> {
    with_slot(shared, move |shared, stop| match work {
        Work::Solve => Answer::json(201, &solved(shared, &asked.read()?, stop)?),
        Work::Check => Answer::json(201, &opened(shared, &asked.read()?, stop)?),
        Work::Grow => Answer::json(201, &grown(shared, &asked.read()?, stop)?),
    })
    .await
}

/// The budget of a search that was asked for.
fn budget(shared: &Shared, wished: Option<&Wished>, stop: StopFlag) -> Result<Budget, Refusal> {
    let Wished { iterations, nodes, seconds, .. } = wished.cloned().unwrap_or_default();
    if seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
        return Err(Refusal::bad_request("seconds: expected a number above 0"));
    }
    let time = seconds.map_or(USUAL_TIME, |seconds| Duration::from_secs_f64(seconds.min(1e6)));
    Ok(Budget {
        iterations,
        nodes,
        hard_time: Some(time.min(shared.limits.time)),
        // What is kept of a tree takes as much again for a moment.
        memory: Some((shared.limits.bytes_per_search() / 2).max(1 << 20)),
        stop,
        ..Budget::default()
    })
}

fn begun(document: &str) -> Result<Game, Refusal> {
    Game::begin(&NewSession { document: Some(document.into()), ..NewSession::default() })
}

fn spec(agent: &str) -> Result<Spec, Refusal> {
    agent.parse().map_err(|error| Refusal::spec("the agent", &error))
}

/// What is claimed, in a sentence.
pub(crate) fn in_words(position: &dyn AnyPosition, aim: Aim) -> String {
    let (name, least, full) = (position.sides().name(aim.player), i64::from(aim.least), i64::from(Score::UNITS));
    match aim.measure {
        Measure::Margin => format!("{name} is ahead by at least {least}"),
        Measure::Score if least >= full => format!("{name} wins"),
        Measure::Score if least * 2 >= full => format!("{name} does not lose"),
        Measure::Score => format!("{name} gets at least {:.2} of a win", least as f64 / full as f64),
    }
}

fn failed(error: impl std::fmt::Display) -> Refusal {
    Refusal::unsupported(error.to_string())
}

/// Solves a position and keeps the proof.
fn solved(shared: &Shared, request: &NewProof, stop: StopFlag) -> Result<ProofBook, Refusal> {
    let game = begun(&request.document)?;
    let root = game.session.position().boxed_clone();
    let agent = spec(request.agent.as_deref().unwrap_or(root.solver()))?;
    let mut solver = root.agent(&agent).map_err(|error| Refusal::spec("the agent", &error))?;
    let budget = budget(shared, request.budget.as_ref(), stop)?;
    let report = solver.think(root.as_ref(), &budget, Seed(1), &mut NoObserver).map_err(failed)?;
    let claims = match report.bounds {
        Bounds::UNKNOWN => Vec::new(),
        _ => solver.proof(root.as_ref(), &budget).map_err(failed)?,
    };
    drop(solver);
    let told = reports::told(shared.program.as_ref(), root.as_ref(), &report, USUAL_CANDIDATES, true);
    let canonical = canonical_agent(&agent).map_err(|error| Refusal::spec("the agent", &error))?;
    let mut book = checked(shared, &game, claims, budget.stop)?;
    (book.report, book.agent) = (Some(told), Some(canonical.to_string()));
    Ok(book)
}

/// Reads a saved proof, checks and keeps it.
fn opened(shared: &Shared, request: &ProofFile, stop: StopFlag) -> Result<ProofBook, Refusal> {
    let bytes =
        from_base64(&request.base64).ok_or_else(|| Refusal::bad_request("base64: expected the bytes of a file"))?;
    let proof = Proof::from_bytes(&bytes).map_err(|error| Refusal::bad_request(format!("the file: {error}")))?;
    let mut game = Game::begin(&NewSession { game: Some(proof.game), ..NewSession::default() })?;
    for mv in &proof.moves {
        game.play(mv)?;
    }
    let position = game.session.position();
    if let Some(empty) = proof.claims.iter().find(|claim| claim.aim.says_nothing(position.widest_margin())) {
        let claimed = in_words(position, empty.aim);
        return Err(Refusal::bad_request(format!("the file: \"{claimed}\" says nothing, every end satisfies it")));
    }
    checked(shared, &game, proof.claims, stop)
}

/// Checks claims about the position of a game, and keeps them.
fn checked(shared: &Shared, game: &Game, claims: Vec<Claim>, stop: StopFlag) -> Result<ProofBook, Refusal> {
    let root = game.session.position().boxed_clone();
    let document = game.state(None, crate::state::Wanted::default())?.document;
    let began = Instant::now();
    let (mut kept, mut told) = (Vec::new(), Vec::new());
    for claim in claims {
        // The time is that of all claims together.
        let left = CHECK_TIME.saturating_sub(began.elapsed());
        let budget = Budget { hard_time: Some(left), stop: stop.clone(), ..Budget::default() };
        let outlined = root.outline_proof(&claim, &mut budget.meter());
        let (checked, outline) =
            outlined.map_err(|error| Refusal::bad_request(format!("the proof does not hold: {error}")))?;
        told.push(told_claim(root.as_ref(), &claim, checked));
        kept.push(KeptClaim { claim, outline });
    }
    let history = game.session.history();
    let moves: Option<Vec<String>> = history
        .iter()
        .map(|step| match step {
            Step::Move(_, mv) => Some(mv.clone()),
            Step::Set(_) => None,
        })
        .collect();
    let file = moves.map(|moves| (game.session.game().to_string(), moves));
    let has_file = file.is_some() && !kept.is_empty();
    let proof = KeptProof { document: document.clone(), root, claims: kept, file };
    let most = shared.limits.tree_bytes / 2;
    let id = match told[..] {
        [] => None,
        _ => Some(shared.proofs.keep(Kept::Proof(Arc::new(proof)), most)?),
    };
    Ok(ProofBook { id, document, agent: None, report: None, claims: told, has_file })
}

fn told_claim(root: &dyn AnyPosition, claim: &Claim, checked: Checked) -> ProofClaim {
    ProofClaim {
        player: side(claim.aim.player),
        text: in_words(root, claim.aim),
        wins: claim.aim.measure == Measure::Score && i64::from(claim.aim.least) >= i64::from(Score::UNITS),
        positions: checked.positions,
        ends: checked.ends,
        references: checked.references,
        certificates: checked.certificates,
        depth: checked.depth,
        bytes: claim.tokens.len(),
    }
}

/// Grows a proof tree and keeps it.
fn grown(shared: &Shared, request: &NewProofTree, stop: StopFlag) -> Result<api::ProofTree, Refusal> {
    let game = begun(&request.document)?;
    let agent = spec(request.agent.as_deref().unwrap_or("pn"))?;
    let budget = budget(shared, request.budget.as_ref(), stop)?;
    let (tree, mut told) = proof_trees::grow(shared.program.as_ref(), &game, &agent, &budget)?;
    told.id = shared.proofs.keep(Kept::Tree(Arc::new(tree)), shared.limits.tree_bytes / 2)?;
    Ok(told)
}

/// The bytes that a text in base64 stands for; line ends and what fills it up are left out.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes().filter(|letter| !b"\r\n".contains(letter)) {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::from_base64;

    #[test]
    fn base64_is_read() {
        assert_eq!(from_base64("dGVzdWppIHByb29m").as_deref(), Some(&b"tesuji proof"[..]));
        assert_eq!(from_base64("AP8=").as_deref(), Some(&[0, 255][..]));
        assert_eq!(from_base64("AP/+").as_deref(), Some(&[0, 255, 254][..]));
        assert_eq!(from_base64("no base64").as_deref(), None);
        assert_eq!(from_base64("").as_deref(), Some(&[][..]));
    }
}
