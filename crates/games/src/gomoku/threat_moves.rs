//! Moves of a search for continuous threats: the attacker's fours and threes, the defender's
//! answers. `vct.rs` adds quiet moves; `threes.rs` searches over these moves alone.

use super::fours::{Fours, Line};
use super::rules::TURN_KEY;
use super::{Shape, Threats};
use crate::in_a_row::Point;
use tesuji_core::Player;

/// Search limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VctLimits {
    /// Fours tried with the attacker to move.
    pub win: u32,
    /// Fours tried after a three or a move that stops a five.
    pub threat: u32,
    /// Positions entered to test whether a quiet move threatens a victory by fours and threes; 0
    /// omits quiet moves.
    pub quiet: u32,
    /// Quiet moves are considered in this many first plies only.
    pub plies: u32,
    /// The most quiet moves considered.
    pub candidates: u32,
    /// The initial proof number of closed threes that may hide a threat, doubled for twos; 0 omits
    /// such moves.
    pub hidden: u32,
    /// The initial proof number of fours; threes start with 1.
    pub four: u32,
    /// Fours of the defender tried against a three.
    pub counter: u32,
}

impl Default for VctLimits {
    fn default() -> VctLimits {
        VctLimits::STAGES[0].0
    }
}

impl VctLimits {
    /// Fours and threes; quiet moves at the beginning, with growing limits; hidden threats; then
    /// quiet moves within five plies. Each stage has the number of nodes that a search should spend
    /// before it tries the next.
    pub const STAGES: [(VctLimits, u64); 5] = {
        let plain =
            VctLimits { win: 300, threat: 300, quiet: 0, plies: 1, candidates: 0, hidden: 0, four: 8, counter: 100 };
        [
            (plain, 120_000),
            (VctLimits { quiet: 1_000, candidates: 40, ..plain }, 10_000),
            (VctLimits { hidden: 4, ..plain }, 80_000),
            (VctLimits { quiet: 10_000, candidates: 30, ..plain }, 10_000),
            (VctLimits { quiet: 300, candidates: 12, plies: 5, ..plain }, 3_000),
        ]
    };
    /// The ε of the 1+ε trick of the search with these stages.
    pub const EPSILON: f64 = 0.25;
}

/// The result for an attacker to move.
pub(super) enum Attack {
    /// The attacker makes a five, or wins by fours.
    Wins(Line),
    /// These moves, perhaps none.
    Open,
}

/// The result for a defender to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defence {
    /// The defender makes a five.
    Wins,
    /// Every point that would stop the attacker is forbidden to the defender.
    Lost,
    /// These moves.
    Open,
    /// The attacker threatens nothing.
    Free,
}

/// The value of a point to a player, for move ordering.
pub(super) fn worth(threats: &Threats, player: Player, point: Point) -> u32 {
    threats.shapes(player, point).map(|shape| 1_u32 << shape as u32).iter().sum()
}

/// The initial numbers of an unknown move of the attacker. A line of fours alone was searched for
/// and not found, and fours have only one answer: without a handicap df-pn would try all orders of
/// all fours before the first three.
pub(super) fn first_numbers(threats: &Threats, attacker: Player, point: Point, limits: &VctLimits) -> [u32; 2] {
    match threats.best(attacker, point) {
        Shape::Four | Shape::DoubleFour | Shape::OpenFour => [limits.four, 1],
        Shape::OpenThree | Shape::Five => [1, 1],
        Shape::Three => [limits.hidden.max(2), 1],
        _ => [2 * limits.hidden.max(1), 1],
    }
}

/// The attacker's fours and threes, appended to `moves`, the best first. The key is that of the
/// board with the attacker to move.
pub(super) fn attack(
    fours: &mut Fours,
    limits: &VctLimits,
    key: u64,
    threats: &mut Threats,
    attacker: Player,
    moves: &mut Vec<Point>,
) -> Attack {
    let defender = attacker.other();
    if threats.count(attacker, Shape::Five) == 0 {
        match threats.count(defender, Shape::Five) {
            0 => {}
            1 => {
                let stop = threats.points(defender, Shape::Five).next();
                let Some(stop) = stop.filter(|stop| threats.may_play(attacker, *stop).0) else { return Attack::Open };
                if threats.best(attacker, stop) >= Shape::Four
                    || fours.find_after(key, threats, (stop, attacker), limits.threat).is_some()
                {
                    moves.push(stop);
                }
                return Attack::Open;
            }
            _ => return Attack::Open,
        }
    }
    if let Some(line) = fours.find(key, threats, attacker, limits.win) {
        return Attack::Wins(line);
    }
    let from = moves.len();
    threats.collect(attacker, if limits.hidden > 0 { Shape::Two } else { Shape::OpenThree }, moves);
    moves[from..].sort_by_key(|point| std::cmp::Reverse(worth(threats, attacker, *point)));
    let has_fours = (Shape::Four as usize..Shape::COUNT).any(|shape| threats.count(attacker, Shape::ALL[shape]) > 0);
    let mut kept = from;
    for number in from..moves.len() {
        let point = moves[number];
        let may_threaten = match threats.best(attacker, point) {
            Shape::Five | Shape::OpenFour | Shape::DoubleFour | Shape::Four | Shape::OpenThree | Shape::Three => true,
            // A single line is not enough, and without any four there is no line of fours.
            _ => has_fours && threats.shapes(attacker, point).iter().filter(|shape| **shape >= Shape::Two).count() > 1,
        };
        if may_threaten && threats.may_play(attacker, point).0 {
            moves[kept] = point;
            kept += 1;
        }
    }
    moves.truncate(kept);
    Attack::Open
}

/// The defender's answers to fours and threes, appended to `moves`. The key is that of the board
/// with the defender to move.
pub(super) fn defend(
    fours: &mut Fours,
    limits: &VctLimits,
    key: u64,
    threats: &mut Threats,
    attacker: Player,
    moves: &mut Vec<Point>,
) -> Defence {
    let defender = attacker.other();
    if let Some(five) = threats.points(defender, Shape::Five).next() {
        moves.push(five);
        return Defence::Wins;
    }
    let from = moves.len();
    if threats.count(attacker, Shape::Five) > 0 {
        moves.extend(threats.points(attacker, Shape::Five).filter(|stop| threats.may_play(defender, *stop).0));
    } else {
        let Some(line) = fours.find(key ^ TURN_KEY, threats, attacker, limits.win.max(limits.threat)) else {
            return Defence::Free;
        };
        // Fours precede threes: a line of the defender's own ends the attack.
        if limits.counter > 0 && fours.find(key, threats, defender, limits.counter).is_some() {
            return Defence::Wins;
        }
        line.zone(threats, attacker, moves);
    }
    if moves.len() == from { Defence::Lost } else { Defence::Open }
}
