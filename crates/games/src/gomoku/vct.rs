//! Victory by continuous threats (VCT): fours, threes, and whatever else threatens a victory by fours.
//!
//! The attacker plays only moves after which he would win by continuous fours if the defender did nothing; the defender answers only
//! where that win can be hurt. Both lists come from one search for lines of fours (`fours.rs`):
//!
//! * attacker to move: a five; else, if the defender would make a five, the point that stops it, if it is a four or a threat; else
//!   the first move of a line of fours, if one is found; else all fours, all threes, and quiet moves that threaten;
//! * defender to move: a five; else the points that stop the attacker's five; else the zone of the line that wins if nothing is done
//!   ([`Line::zone`](super::Line::zone)). Where there is no such line, every move.
//!
//! A move of the defender that is left out loses to that very line. Moves of the attacker are left out freely.
//!
//! Reference: Allis, van den Herik & Huntjens, "Go-Moku solved by new search techniques", 1996, for threats as the measure of what the defender
//! may do; the zone is that of a null move, as in lambda search (Thomsen 2000). Deviation: the zone is of one line, the first found.

use super::fours::Fours;
use super::{Gomoku, Shape, Threats};
use crate::in_a_row::Point;
use std::ops::ControlFlow;
use tesuji_core::{Player, Position};

/// How hard to look for lines of fours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VctLimits {
    /// Fours tried where the attacker is to move.
    pub win: u32,
    /// Fours tried after a three or a move that stops a five.
    pub threat: u32,
    /// Fours tried after a quiet move; 0 leaves quiet moves out.
    pub quiet: u32,
}

impl Default for VctLimits {
    fn default() -> VctLimits {
        VctLimits { win: 300, threat: 300, quiet: 20 }
    }
}

/// Advises a search for a victory by continuous threats.
pub struct ContinuousThreats {
    limits: VctLimits,
    fours: Fours,
    threats: Option<Threats>,
    points: Vec<Point>,
}

impl ContinuousThreats {
    /// With these limits.
    #[must_use]
    pub fn new(limits: VctLimits) -> ContinuousThreats {
        ContinuousThreats { limits, fours: Fours::default(), threats: None, points: Vec::new() }
    }

    /// Fours tried so far in all inner searches.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.fours.tried
    }

    /// The moves of the side to move in a search for a victory of `attacker`; appended to `moves`.
    pub fn advise(&mut self, position: &Gomoku, attacker: Player, moves: &mut Vec<Point>) {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        if position.turn() == attacker {
            self.attack(position, &mut threats, moves);
        } else {
            self.defend(position, &mut threats, moves);
        }
        self.threats = Some(threats);
    }

    fn attack(&mut self, position: &Gomoku, threats: &mut Threats, moves: &mut Vec<Point>) {
        let attacker = position.turn();
        let defender = attacker.other();
        if let Some(five) = threats.points(attacker, Shape::Five).next() {
            moves.push(five);
            return;
        }
        let limits = self.limits;
        match threats.count(defender, Shape::Five) {
            0 => {}
            1 => {
                let stop = threats.points(defender, Shape::Five).next();
                let Some(stop) = stop.filter(|stop| threats.may_play(attacker, *stop).0) else { return };
                let four = threats.best(attacker, stop) >= Shape::Four;
                if four || self.fours.find_after(position, threats, (stop, attacker), limits.threat).is_some() {
                    moves.push(stop);
                }
                return;
            }
            _ => return,
        }
        if let Some(first) = self.fours.find(position, threats, attacker, limits.win).and_then(|line| line.first()) {
            moves.push(first);
            return;
        }
        let mut points = std::mem::take(&mut self.points);
        points.clear();
        threats.collect(attacker, Shape::One, &mut points);
        let worth =
            |point: &Point| threats.shapes(attacker, *point).map(|shape| 1_u32 << shape as u32).iter().sum::<u32>();
        points.sort_by_key(|point| std::cmp::Reverse(worth(point)));
        for point in points.drain(..) {
            let shape = threats.best(attacker, point);
            let limit = match shape {
                Shape::Four | Shape::DoubleFour | Shape::OpenFour => u32::MAX,
                Shape::OpenThree => limits.threat,
                _ => limits.quiet,
            };
            if limit == 0 || !threats.may_play(attacker, point).0 {
                continue;
            }
            if limit == u32::MAX || self.fours.find_after(position, threats, (point, attacker), limit).is_some() {
                moves.push(point);
            }
        }
        self.points = points;
    }

    fn defend(&mut self, position: &Gomoku, threats: &mut Threats, moves: &mut Vec<Point>) {
        let defender = position.turn();
        let attacker = defender.other();
        if let Some(five) = threats.points(defender, Shape::Five).next() {
            moves.push(five);
            return;
        }
        if threats.count(attacker, Shape::Five) > 0 {
            moves.extend(threats.points(attacker, Shape::Five).filter(|stop| threats.may_play(defender, *stop).0));
        } else {
            let most = self.limits.win.max(self.limits.threat).max(self.limits.quiet);
            match self.fours.find(position, threats, attacker, most) {
                Some(line) => line.zone(threats, attacker, moves),
                None => moves.extend(position.moves()),
            }
        }
        if moves.is_empty() {
            // Whatever he does, he has lost; one move shows how the game goes on.
            let _ = position.visit_moves(|point| {
                moves.push(point);
                ControlFlow::Break(())
            });
        }
    }
}
