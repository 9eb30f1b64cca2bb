//! Victory by continuous double threats (VCDT), stone by stone.
//!
//! Every turn of the attacker leaves at least two threats (see [`Threats`]), so that the defender
//! must use both stones to hit them all, until there are three:
//!
//! * attacker, two stones left: a window that can be filled wins; else each first stone for which
//!   some second one leaves two threats and none of the defender's. Attacker, one stone left: those
//!   second stones;
//! * defender: a window that can be filled wins; more threats than stones left lose; else the
//!   stones with which all threats can still be hit. With fewer threats than stones, every move.
//!
//! An omitted move of the defender loses in the attacker's next turn. Moves of the attacker may be
//! omitted freely; `best` limits their number, by the value of their windows. Where the first stone
//! alone leaves two threats, second stones that add to no window of three are omitted even without
//! `best`; a failed search reports which limit it met ([`own_limit`](DoubleThreats::own_limit)).
//!
//! Reference: I-C. Wu, P.-H. Lin, "Relevance-zone-oriented proof search for Connect6", IEEE TCIAIG
//! 2(3), 2010; Zhang 2019, §3.3.2. Deviations: a turn is two moves of the game; `best` counts
//! stones, not turns; moves with one threat or none are not tried (see `vcst.rs`).

use super::check::THREATS;
use super::{Connect6, LINE, Threats};
use crate::in_a_row::Point;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tesuji_core::{Certificate, Player, Position};

/// The value of adding a stone to a window, by the stones it holds.
pub(super) const WORTH: [u32; LINE + 1] = [1, 4, 20, 60, 100, 100, 0];

/// Adviser of a search for a victory by continuous double threats.
pub struct DoubleThreats {
    /// The most moves of the attacker; 0 for all.
    best: usize,
    threats: Option<Threats>,
    first: Vec<Point>,
    second: Vec<Point>,
    /// The limits that omitted a turn, as bits; shared with forks.
    met: Arc<AtomicU8>,
}

/// The limit `best` was met.
const MET_BEST: u8 = 1;
/// Quiet second stones were omitted.
const MET_QUIET: u8 = 2;

impl DoubleThreats {
    /// An adviser with the `best` moves of the attacker, or all if that is 0.
    #[must_use]
    pub fn new(best: usize) -> DoubleThreats {
        DoubleThreats { best, threats: None, first: Vec::new(), second: Vec::new(), met: Arc::default() }
    }

    /// A copy with the same limit.
    #[must_use]
    pub fn fork(&self) -> DoubleThreats {
        DoubleThreats { met: Arc::clone(&self.met), ..DoubleThreats::new(self.best) }
    }

    /// Starts a search: no limit has been met.
    pub fn begin(&mut self) {
        self.met = Arc::default();
    }

    /// The limit that omitted turns with double threats since the beginning; `None` if none was
    /// omitted.
    #[must_use]
    pub fn own_limit(&self) -> Option<&'static str> {
        match self.met.load(Ordering::Relaxed) {
            0 => None,
            met if met & MET_BEST != 0 => Some("best"),
            _ => Some("quiet second stones"),
        }
    }

    /// The moves of the side to move in a search for a victory of `attacker`, appended to `moves`;
    /// or the winner, if there is an immediate win.
    pub fn advise(&mut self, position: &Connect6, attacker: Player, moves: &mut Vec<Point>) -> Option<Player> {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let (mover, stones) = (position.turn(), position.stones_left());
        let winner = if let Some(completion) = threats.completion(mover, stones) {
            moves.extend(completion.first());
            Some(mover)
        } else if mover == attacker {
            self.attack(&mut threats, attacker, stones, moves);
            None
        } else {
            defend(&mut threats, attacker, (position, stones), moves)
        };
        self.threats = Some(threats);
        winner
    }

    fn attack(&mut self, threats: &mut Threats, attacker: Player, stones: usize, moves: &mut Vec<Point>) {
        let defender = attacker.other();
        if threats.threats(defender) > stones {
            return;
        }
        if stones == 1 && threats.threats(defender) == 0 && threats.threats(attacker) >= 2 {
            self.met.fetch_or(MET_QUIET, Ordering::Relaxed);
        }
        let mut first = std::mem::take(&mut self.first);
        let mut second = std::mem::take(&mut self.second);
        // A window threatens after its last two stones, or its last one.
        threats.promising(attacker, if stones == 2 { 2 } else { 3 }, &mut first);
        // Threats of the defender must be hit in any case.
        let stops = threats.points(defender);
        first.extend(stops.iter().filter(|stop| !first.contains(stop)).copied().collect::<Vec<Point>>());
        for point in &first {
            threats.play(*point, attacker);
            let good = if stones == 1 {
                threats.threats(defender) == 0 && threats.threats(attacker) >= 2
            } else if threats.threats(defender) > 1 {
                false
            } else {
                threats.promising(attacker, 3, &mut second);
                if threats.threats(defender) == 1 {
                    // The second stone must be played there as well.
                    second.clone_from(&threats.points(defender));
                }
                // Both orders lead to the same position: one suffices.
                second.iter().filter(|other| *other > point || !first.contains(other)).any(|other| {
                    threats.play(*other, attacker);
                    let good = threats.threats(attacker) >= 2 && threats.threats(defender) == 0;
                    threats.undo(*other, attacker);
                    good
                })
            };
            threats.undo(*point, attacker);
            if good {
                moves.push(*point);
            }
        }
        let worth = |point: &Point| threats.worth(attacker, *point, WORTH) * 2 + threats.worth(defender, *point, WORTH);
        moves.sort_by_cached_key(|point| std::cmp::Reverse(worth(point)));
        if self.best > 0 && moves.len() > self.best {
            moves.truncate(self.best);
            self.met.fetch_or(MET_BEST, Ordering::Relaxed);
        }
        (self.first, self.second) = (first, second);
    }

    /// A certificate that `claimant` wins; with the opponent to move, `listed` gets the replies
    /// that it does not answer. `None` if there is none.
    pub fn certificate(
        &mut self,
        position: &Connect6,
        claimant: Player,
        listed: &mut Vec<Point>,
    ) -> Option<Certificate> {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let (mover, stones) = (position.turn(), position.stones_left());
        let completion = threats.completion(mover, stones);
        let certificate = if mover == claimant {
            completion.map(|points| {
                let moves: Vec<usize> = points.into_iter().map(|point| position.move_index(point)).collect();
                Certificate::wins_at_once(&[moves])
            })
        } else if completion.is_none() && threats.threats(claimant) >= stones {
            let _ = defend(&mut threats, claimant, (position, stones), listed);
            Some(Certificate::new(THREATS, Vec::new()))
        } else {
            None
        };
        self.threats = Some(threats);
        certificate
    }
}

/// The defender's stones with which all threats can still be hit, or every move if the defender has
/// stones to spare; or that the defender has lost.
fn defend(
    threats: &mut Threats,
    attacker: Player,
    (position, stones): (&Connect6, usize),
    moves: &mut Vec<Point>,
) -> Option<Player> {
    let number = threats.threats(attacker);
    if number > stones {
        return Some(attacker);
    }
    if number < stones {
        moves.extend(position.moves());
        return None;
    }
    let defender = attacker.other();
    for point in threats.points(attacker) {
        threats.play(point, defender);
        if threats.threats(attacker) < number {
            moves.push(point);
        }
        threats.undo(point, defender);
    }
    best_defences_first(threats, moves);
    None
}

/// Orders the defender's points by their value to both sides.
pub(super) fn best_defences_first(threats: &Threats, points: &mut [Point]) {
    let worth = |point: &Point| Player::BOTH.map(|player| threats.worth(player, *point, WORTH)).iter().sum::<u32>();
    points.sort_by_cached_key(|point| std::cmp::Reverse(worth(point)));
}
