//! A proof from what a search has found.
//!
//! A [`Guide`] knows the winning move wherever the claimant moves; the rest is the rules. Positions that are equal are written
//! once, unless history matters. The walk keeps its own stack.

use super::Aim;
use super::format::{AGAIN, Claim, END, MARK, PLAY, REPLIES, write_number};
use crate::SearchError;
use std::collections::HashMap;
use tesuji_core::{Meter, Position};

/// Knows the way through a solved position.
pub(super) trait Guide<P: Position> {
    /// Where in the search's memory a position is.
    type At: Copy;

    /// The move with which the claimant, who moves here, gets what is claimed; nothing if it cannot be told within the budget.
    fn winning(&mut self, position: &P, at: Self::At) -> Result<Option<P::Move>, SearchError>;

    /// Where the position after the `number`th move `mv` is.
    fn after(&mut self, at: Self::At, number: usize, next: &P) -> Self::At;
}

enum Node {
    End,
    Play(u32, u32),
    /// Where the successors are in the common list.
    Replies(u32, u32),
}

struct Open<P: Position, A> {
    position: P,
    at: A,
    id: usize,
    moves: Vec<P::Move>,
    /// The numbers of the moves among all.
    numbers: Vec<u32>,
    done: Vec<u32>,
}

/// More nodes than this are not written down.
const MOST_NODES: usize = 200_000_000;

/// The proof of a claim about `root`.
pub(super) fn extract<P: Position, G: Guide<P>>(
    root: &P,
    aim: Aim,
    guide: &mut G,
    start: G::At,
    meter: &mut Meter,
) -> Result<Claim, SearchError> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut uses: Vec<u32> = Vec::new();
    let mut lists: Vec<u32> = Vec::new();
    let mut known: HashMap<u64, u32> = HashMap::new();
    let mut path: Vec<Open<P, G::At>> = Vec::new();
    let mut next = Some((root.clone(), start));
    let mut finished: Option<u32> = None;
    loop {
        if let Some((position, at)) = next.take() {
            if !meter.step() || nodes.len() >= MOST_NODES {
                return Err(SearchError::Unfit("the budget was spent before the proof was written".into()));
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
                    let (moves, numbers) = if position.turn() == aim.player {
                        let mv = guide.winning(&position, at)?.ok_or_else(|| {
                            SearchError::Unfit("the budget was spent before the proof was found again".into())
                        })?;
                        let number = all.iter().position(|other| *other == mv).unwrap_or(0);
                        (vec![mv], vec![number as u32])
                    } else {
                        let numbers = (0..all.len() as u32).collect();
                        (all, numbers)
                    };
                    path.push(Open { position, at, id, moves, numbers, done: Vec::new() });
                }
            }
        }
        let Some(open) = path.last_mut() else { break };
        open.done.extend(finished.take());
        if let Some(mv) = open.moves.get(open.done.len()) {
            let mut after = open.position.clone();
            after.play(*mv);
            let at = guide.after(open.at, open.numbers[open.done.len()] as usize, &after);
            next = Some((after, at));
            continue;
        }
        let Some(open) = path.pop() else { break };
        nodes[open.id] = if open.position.turn() == aim.player {
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
    Ok(Claim { aim, tokens: write(&nodes, &uses, &lists), offset: 0 })
}

/// Writes the nodes from the first one on; a node that is used again gets a mark.
fn write(nodes: &[Node], uses: &[u32], lists: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
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
        }
    }
    bytes
}
