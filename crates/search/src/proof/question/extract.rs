//! A proof from what a search has found.
//!
//! A [`Guide`] knows the winning move wherever the claimant moves, or a certificate; the rest is
//! the rules. Positions that are equal are written once, unless history matters. The walk keeps its
//! own stack.
//!
//! **Limits.** Writing a proof has a budget like a search: its time and its stop flag are asked at
//! every node, and what is built up may take as many bytes as the budget's memory (beside the
//! search's own table, which is still needed); then it ends with an error.

use crate::SearchError;
use std::collections::HashMap;
use tesuji_core::{Aim, Certificate, Meter, Position};
use tesuji_proof::Claim;
use tesuji_proof::format::{AGAIN, CERTIFICATE, END, Kinds, MARK, PLAY, REPLIES, write_number};

/// Knows the way through a solved position.
pub(in crate::proof) trait ProofSource<P: Position> {
    /// The move with which the claimant, who moves here, gets what is claimed; nothing if it cannot
    /// be told within the budget. `at` is where in the search's memory the position is, as a number
    /// of the search's own.
    fn winning_move(&mut self, position: &P, at: u64) -> Result<Option<P::Move>, SearchError>;

    /// A certificate that the claimant wins; where his opponent moves, `listed` gets the replies
    /// that it does not answer.
    fn certificate(&mut self, _position: &P, _listed: &mut Vec<P::Move>) -> Option<Certificate> {
        None
    }

    /// Where the position after the `number`th move `mv` is.
    fn after(&mut self, at: u64, number: usize, next: &P) -> u64;
}

enum Node {
    End,
    Play(u32, u32),
    /// Where the successors are in the common list.
    Replies(u32, u32),
    /// The number of the certificate; where the claimant moves, that is all.
    Settled(u32),
    /// The number of the certificate; where moves and successors are in the common list, first all
    /// of the former.
    Partly(u32, u32, u32),
}

struct Open<P: Position> {
    position: P,
    at: u64,
    id: usize,
    moves: Vec<P::Move>,
    /// The numbers of the moves among all.
    numbers: Vec<u32>,
    done: Vec<u32>,
    certificate: Option<Certificate>,
}

/// More nodes than this are not written down.
const MOST_NODES: usize = 200_000_000;

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
            if !meter.step() || deadline.is_over() || nodes.len() >= MOST_NODES {
                return Err(SearchError::OutOfBudget("the budget was spent before the proof was written".into()));
            }
            // Per node: itself, its uses, its mark, its place among those known.
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
                            SearchError::Unsupported("the budget was spent before the proof was found again".into())
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
                Node::Settled(number)
            } else {
                lists.extend(open.moves.iter().map(|mv| open.position.move_index(*mv) as u32));
                lists.extend_from_slice(&open.done);
                Node::Partly(number, from, lists.len() as u32)
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
    Ok(Claim { aim, tokens: write(&nodes, &uses, &lists, &certificates), offset: 0 })
}

/// Writes the nodes from the first one on; a node that is used again gets a mark.
fn write(nodes: &[Node], uses: &[u32], lists: &[u32], certificates: &[Certificate]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut kinds = Kinds::default();
    let mut marks: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut marked = 0;
    let mut open = vec![0_u32];
    while let Some(id) = open.pop() {
        let id = id as usize;
        if let Some(mark) = marks[id] {
            write_number(&mut bytes, AGAIN);
            write_number(&mut bytes, u64::from(mark));
            continue;
        }
        // An end is as short as a reference to it.
        if uses[id] > 1 && !matches!(nodes[id], Node::End) {
            marks[id] = Some(marked);
            marked += 1;
            write_number(&mut bytes, MARK);
        }
        match nodes[id] {
            Node::End => write_number(&mut bytes, END),
            Node::Play(mv, after) => {
                write_number(&mut bytes, PLAY + u64::from(mv));
                open.push(after);
            }
            Node::Replies(from, to) => {
                write_number(&mut bytes, REPLIES);
                write_number(&mut bytes, u64::from(to - from));
                open.extend(lists[from as usize..to as usize].iter().rev());
            }
            Node::Settled(certificate) => {
                write_number(&mut bytes, REPLIES);
                write_number(&mut bytes, CERTIFICATE);
                kinds.write(&mut bytes, &certificates[certificate as usize]);
            }
            Node::Partly(certificate, from, to) => {
                write_number(&mut bytes, REPLIES);
                write_number(&mut bytes, CERTIFICATE);
                kinds.write(&mut bytes, &certificates[certificate as usize]);
                let (moves, after) = lists[from as usize..to as usize].split_at((to - from) as usize / 2);
                write_number(&mut bytes, moves.len() as u64);
                moves.iter().for_each(|mv| write_number(&mut bytes, u64::from(*mv)));
                open.extend(after.iter().rev());
            }
        }
    }
    bytes
}
