//! Checks *unconditional life*: the important stones are declared alive before the problem can end
//! otherwise.
//!
//! The condition (its proof is at the head of `../life.rs`): one chain holds all important stones.
//! Take the connected components of all points outside the chain. Two of them have at most three
//! points, each empty, feasible and a liberty of the chain. A component of s points becomes a
//! one-point eye by at most s − 1 stones of the owner. So n = Σ(s − 1) turns of the owner suffice,
//! and neither passes nor the limit of plies may end the problem within these turns and one more of
//! the attacker.

use super::super::{GoProblem, most_plies};
use super::board::Board;
use tesuji_core::Player;

/// The largest component that counts as an eye space.
const LARGEST_EYE_SPACE: usize = 3;

pub(super) fn check(position: &GoProblem, board: &Board) -> Result<(), String> {
    let owner = position.problem().mode.defender();
    if position.ending().is_some() {
        return Err("the problem has ended".into());
    }
    if position.ko_winner() == Some(owner) {
        return Err("the owner has retaken a ko, which halves the score".into());
    }
    let important = board.points_where(|point| board.at(point).important);
    let Some(first) = important.first() else { return Err("no stone is important".into()) };
    let chain = board.chain(*first);
    if board.at(*first).stone != Some(owner) || important.iter().any(|point| !chain.contains(point)) {
        return Err("the important stones are not one chain".into());
    }
    let mut turns_of_eyes: Vec<usize> = eye_spaces(board, &chain).iter().map(|eye| eye.len() - 1).collect();
    turns_of_eyes.sort_unstable();
    let [one, two, ..] = turns_of_eyes[..] else {
        return Err("the chain does not own two small eye spaces".into());
    };
    let turns = (one + two) as u32;
    let balance = i32::from(position.pass_balance());
    let passes_ahead = if owner == Player::First { -balance } else { balance };
    let feasible = board.points_where(|point| board.at(point).feasible).len() as u32;
    if passes_ahead + turns as i32 + 1 >= 4 || position.passes_in_a_row() >= 2 {
        return Err("passes may end the problem before the stones are declared alive".into());
    }
    if position.plies() + 2 * turns + 1 >= most_plies(feasible) {
        return Err("the limit of plies may end the problem before the stones are declared alive".into());
    }
    Ok(())
}

/// The small regions that belong to a chain: connected points outside of it, all of them empty,
/// feasible and liberties.
pub(super) fn eye_spaces(board: &Board, chain: &[usize]) -> Vec<Vec<usize>> {
    let mut seen = chain.to_vec();
    let mut found = Vec::new();
    for start in board.points_where(|point| !chain.contains(&point)) {
        if seen.contains(&start) {
            continue;
        }
        let component = board.connected(start, |point| !chain.contains(&point));
        seen.extend(&component);
        let is_eye_space = component.len() <= LARGEST_EYE_SPACE
            && component.iter().all(|point| {
                board.at(*point).stone.is_none() && board.at(*point).feasible && board.touches_any(*point, chain)
            });
        if is_eye_space {
            found.push(component);
        }
    }
    found
}
