//! Checks *static death*: an important chain is captured before the problem can end otherwise.
//!
//! The conditions and their proof are at the head of `../death.rs`; here they are tested on a plain
//! board. In short: the *room* of a chain D is what can be reached from D without crossing safe
//! stones, attackers connected to a point that is always empty. Points of the room beside no safe
//! stone are *inner*. D dies if its inner points leave no two eyes: at most one point, or two that
//! touch; a star whose centre the attacker has or takes; or a square of four. The passes of the
//! defender and the turns of the attacker on the way are bounded, and must not reach the limits of
//! the problem.

use super::super::{GoProblem, most_plies};
use super::board::Board;
use tesuji_core::{Player, Position};

/// Upper bounds of what happens before the capture.
struct Delay {
    /// Turns of the attacker.
    turns: usize,
    /// Passes of the defender.
    passes: usize,
}

pub(super) fn check(position: &GoProblem, board: &Board) -> Result<(), String> {
    let defender = position.problem().mode.defender();
    let attacker = defender.other();
    if position.ending().is_some() {
        return Err("the problem has ended".into());
    }
    if position.ko_winner() == Some(attacker) {
        return Err("the attacker has retaken a ko, which halves the score".into());
    }
    if position.turn() == defender && position.passes_in_a_row() >= 2 {
        return Err("one more pass ends the problem".into());
    }
    let balance = i32::from(position.pass_balance());
    let passes_ahead = if defender == Player::First { balance } else { -balance };
    let feasible = board.points_where(|point| board.at(point).feasible).len() as u32;
    let is_important = |point: usize| board.at(point).important && board.at(point).stone == Some(defender);
    let in_time = |delay: Delay| {
        passes_ahead + (delay.passes as i32) < 4
            && position.plies() + 2 * (delay.turns as u32) + 1 < most_plies(feasible)
    };
    let dies =
        board.points_where(is_important).into_iter().any(|stone| delay(position, board, stone).is_some_and(in_time));
    if dies { Ok(()) } else { Err("no important chain is surely captured in time".into()) }
}

/// The attackers that can never be captured: chains beside a point that is always empty.
fn is_safe(board: &Board, attacker: Player, point: usize) -> bool {
    board.at(point).stone == Some(attacker)
        && board
            .chain(point)
            .into_iter()
            .any(|stone| board.neighbours(stone).into_iter().any(|next| board.at(next).always_empty))
}

/// How long the chain of a stone resists; nothing if it may not be captured at all.
fn delay(position: &GoProblem, board: &Board, stone: usize) -> Option<Delay> {
    let defender = position.problem().mode.defender();
    let attacker = defender.other();
    let attacker_moves = position.turn() == attacker;
    let safe = board.points_where(|point| is_safe(board, attacker, point));
    let chain = board.chain(stone);
    let room = board.connected(stone, |point| !safe.contains(&point));
    let without = |points: &[usize], removed: &[usize]| -> Vec<usize> {
        points.iter().copied().filter(|point| !removed.contains(point)).collect()
    };
    let outside_chain = without(&room, &chain);
    if chain.len() < 2
        || outside_chain.iter().any(|point| !board.at(*point).feasible)
        || room.iter().any(|point| board.at(*point).marked_alive)
    {
        return None;
    }
    if !attacker_moves && position.ko_place().is_some_and(|place| room.contains(&board.index(place))) {
        return None;
    }
    let is_empty = |point: usize| board.at(point).stone.is_none();
    let inner: Vec<usize> = outside_chain.iter().copied().filter(|point| !board.touches_any(*point, &safe)).collect();
    // Points that the chain may gain as liberties.
    let hidden: Vec<usize> =
        outside_chain.iter().copied().filter(|point| !is_empty(*point) || !board.touches_any(*point, &chain)).collect();
    match inner[..] {
        [] | [_] => {
            let (turns, passes) = (outside_chain.len(), 2 + hidden.len() / 2);
            return Some(Delay { turns, passes: passes.min(turns) });
        }
        [one, two] if board.touch(one, two) => {
            let (turns, passes) = (outside_chain.len(), 2 + hidden.len().div_ceil(2));
            return Some(Delay { turns, passes: passes.min(turns) });
        }
        _ => {}
    }
    // Stars and squares: only attackers and empty points inside, and nothing but the chain around
    // them.
    let closed = inner.iter().all(|point| {
        board.at(*point).stone != Some(defender)
            && board.neighbours(*point).iter().all(|next| inner.contains(next) || chain.contains(next))
    });
    if inner.len() > 5 || !closed {
        return None;
    }
    let outer = outside_chain.len() - inner.len();
    let passes = 2 + without(&hidden, &inner).len() / 2;
    let is_centre = |centre: usize| inner.iter().all(|point| *point == centre || board.touch(*point, centre));
    if let Some(centre) = inner.iter().copied().find(|point| is_centre(*point)) {
        let around = without(&inner, &[centre]);
        let taken = board.at(centre).stone == Some(attacker);
        let takes = is_empty(centre)
            && attacker_moves
            && around.iter().any(|point| is_empty(*point) && board.touch(*point, centre));
        let leaves = around.len();
        return (taken || takes)
            .then(|| Delay { turns: outer + leaves * (leaves + 1) / 2 + 1, passes: passes + leaves - 2 });
    }
    let is_square = inner.len() == 4
        && inner.iter().all(|point| {
            inner.iter().filter(|other| board.touch(*point, **other)).count() == 2 && board.touches_any(*point, &chain)
        });
    let attackers: Vec<usize> = inner.iter().copied().filter(|point| !is_empty(*point)).collect();
    let on_diagonal = matches!(attackers[..], [one, two] if !board.touch(one, two));
    (is_square && !on_diagonal).then_some(Delay { turns: outer + 7, passes: passes + 1 })
}

/// The room of the first important chain that is captured at last, without the chain itself.
pub(super) fn doomed_room(position: &GoProblem, board: &Board) -> Vec<usize> {
    let defender = position.problem().mode.defender();
    let is_important = |point: usize| board.at(point).important && board.at(point).stone == Some(defender);
    let doomed = board.points_where(is_important).into_iter().find(|stone| delay(position, board, *stone).is_some());
    let Some(stone) = doomed else { return Vec::new() };
    let chain = board.chain(stone);
    let room = board.connected(stone, |point| !is_safe(board, defender.other(), point));
    room.into_iter().filter(|point| !chain.contains(point)).collect()
}
