//! Extracts the proof of a solved position from what a search has found.
//!
//! A [`ProofSource`] knows the winning move wherever the claimant moves, or a certificate; the
//! rules give the rest. Equal positions are written once, unless history matters. The path is an
//! explicit stack.
//!
//! **Limits.** An extraction has a budget like a search: time and stop flag are polled at every
//! node, and the nodes take at most the memory of the budget (beside the table of the search, which
//! is still in use). Beyond that it ends with an error.

use crate::SearchError;
use std::collections::HashMap;
use tesuji_core::{Aim, Certificate, Meter, Position};
use tesuji_proof::{Claim, Mark, Writer};

/// What a search knows of a solved position and the positions below it.
pub(in crate::proof) trait ProofSource<P: Position> {
    /// The claimant is to move: the move that keeps the claim; `None` if the budget ended before it
    /// was found. `place` is the place of the position in the search's memory, a number that only
    /// the search understands.
    fn winning_move(&mut self, position: &P, place: u64) -> Result<Option<P::Move>, SearchError>;

    /// A certificate that the claimant wins. Where the opponent moves, `listed` gets the replies
    /// that it does not answer.
    fn certificate(&mut self, _position: &P, _listed: &mut Vec<P::Move>) -> Option<Certificate> {
        None
    }

    /// The place of `next`, the position after the move that is the `number`th of the list.
    fn after(&mut self, place: u64, number: usize, next: &P) -> u64;
}

/// A node of the proof; successors are indices of nodes.
enum Node {
    End,
    /// The index of the move, and the node after it.
    Play(u32, u32),
    /// The range of the successors in the common list.
    Replies(u32, u32),
    /// The certificate of a position with the claimant to move.
    CertifiedWin(u32),
    /// The certificate of a position with the opponent to move, and a range of the common list:
    /// first the indices of the listed moves, then the nodes after them.
    CertifiedReplies(u32, u32, u32),
}

struct Open<P: Position> {
    position: P,
    at: u64,
    id: usize,
    moves: Vec<P::Move>,
    /// The number of each move in the list of all legal ones.
    numbers: Vec<u32>,
    done: Vec<u32>,
    certificate: Option<Certificate>,
}

/// The largest proof, in nodes.
const MAX_NODES: usize = 200_000_000;

/// The proof of a claim about `root`.
pub(in crate::proof) fn extract<P: Position>(
    root: &P,
    aim: Aim,
    source: &mut dyn ProofSource<P>,
    start: u64,
    meter: &mut Meter,
) -> Result<Claim, SearchError> {
    let (deadline, memory) = (meter.deadline(), meter.budget().memory_bytes());
    let mut certified = 0;
    let mut nodes: Vec<Node> = Vec::new();
    let mut uses: Vec<u32> = Vec::new();
    let mut lists: Vec<u32> = Vec::new();
    let mut known: HashMap<u64, u32> = HashMap::new();
    let mut certificates: Vec<Certificate> = Vec::new();
    let mut path: Vec<Open<P>> = Vec::new();
    let mut next = Some((root.clone(), start));
    let mut finished: Option<u32> = None;
    loop {
        if let Some((position, at)) = next.take() {
            if !meter.step() || deadline.is_over() || nodes.len() >= MAX_NODES {
                return Err(SearchError::OutOfBudget("the budget was spent before the proof was written".into()));
            }
            // Per node: itself, its uses, its mark, its entry among the known ones.
            let bytes = nodes.len() * (size_of::<Node>() + 12 + 24) + lists.len() * 4 + certified * 8;
            if bytes as u64 > memory {
                return Err(SearchError::OutOfBudget(format!("the proof does not fit into {memory} bytes")));
            }
            let shared = !position.history_matters();
            if let Some(id) = known.get(&position.hash().0).filter(|_| shared) {
                uses[*id as usize] += 1;
                finished = Some(*id);
            } else {
                let id = nodes.len();
                nodes.push(Node::End);
                uses.push(1);
                if position.outcome().is_some() {
                    finished = Some(id as u32);
                } else {
                    let all = position.moves();
                    let number = |mv: &P::Move| all.iter().position(|other| other == mv).unwrap_or(0) as u32;
                    let mut listed = Vec::new();
                    let certificate = source.certificate(&position, &mut listed);
                    if position.turn() == aim.player {
                        listed.clear();
                    }
                    let (moves, numbers) = if certificate.is_some() {
                        let numbers = listed.iter().map(number).collect();
                        (listed, numbers)
                    } else if position.turn() == aim.player {
                        let mv = source.winning_move(&position, at)?.ok_or_else(|| {
                            SearchError::OutOfBudget(
                                "the budget was spent before a winning move was found again".into(),
                            )
                        })?;
                        (vec![mv], vec![number(&mv)])
                    } else {
                        let numbers = (0..all.len() as u32).collect();
                        (all, numbers)
                    };
                    path.push(Open { position, at, id, moves, numbers, done: Vec::new(), certificate });
                }
            }
        }
        let Some(open) = path.last_mut() else { break };
        open.done.extend(finished.take());
        if let Some(mv) = open.moves.get(open.done.len()) {
            let mut after = open.position.clone();
            after.play(*mv);
            let at = source.after(open.at, open.numbers[open.done.len()] as usize, &after);
            next = Some((after, at));
            continue;
        }
        let Some(open) = path.pop() else { break };
        nodes[open.id] = if let Some(certificate) = open.certificate {
            let (number, from) = (certificates.len() as u32, lists.len() as u32);
            certified += certificate.data.len() + 6;
            certificates.push(certificate);
            if open.position.turn() == aim.player {
                Node::CertifiedWin(number)
            } else {
                lists.extend(open.moves.iter().map(|mv| open.position.move_index(*mv) as u32));
                lists.extend_from_slice(&open.done);
                Node::CertifiedReplies(number, from, lists.len() as u32)
            }
        } else if open.position.turn() == aim.player {
            Node::Play(open.position.move_index(open.moves[0]) as u32, open.done[0])
        } else {
            lists.extend_from_slice(&open.done);
            Node::Replies((lists.len() - open.done.len()) as u32, lists.len() as u32)
        };
        if !open.position.history_matters() {
            known.insert(open.position.hash().0, open.id as u32);
        }
        finished = Some(open.id as u32);
        if path.is_empty() {
            break;
        }
    }
    Ok(write(&nodes, &uses, &lists, &certificates).claim(aim))
}

/// Writes the nodes from the first one on; a node that is used again gets a mark.
fn write(nodes: &[Node], uses: &[u32], lists: &[u32], certificates: &[Certificate]) -> Writer {
    let mut writer = Writer::default();
    let mut marks: Vec<Option<Mark>> = vec![None; nodes.len()];
    let mut open = vec![0_u32];
    while let Some(id) = open.pop() {
        let id = id as usize;
        if let Some(mark) = marks[id] {
            writer.again(mark);
            continue;
        }
        // The token of an end is shorter than a reference.
        if uses[id] > 1 && !matches!(nodes[id], Node::End) {
            marks[id] = Some(writer.mark());
        }
        match nodes[id] {
            Node::End => writer.end(),
            Node::Play(mv, after) => {
                writer.play(mv as usize);
                open.push(after);
            }
            Node::Replies(from, to) => {
                writer.replies((to - from) as usize);
                open.extend(lists[from as usize..to as usize].iter().rev());
            }
            Node::CertifiedWin(certificate) => writer.certified_win(&certificates[certificate as usize]),
            Node::CertifiedReplies(certificate, from, to) => {
                let (moves, after) = lists[from as usize..to as usize].split_at((to - from) as usize / 2);
                let listed = moves.iter().map(|mv| *mv as usize);
                writer.certified_replies(&certificates[certificate as usize], listed);
                open.extend(after.iter().rev());
            }
        }
    }
    writer
}
