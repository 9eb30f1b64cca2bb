//! Lin's alive test: the attacker may play as often as he likes, the defender not at all.
//!
//! > repeat: fill every empty point that is not a one-point eye of the defender; take away defending chains
//! > without a liberty; then try each one-point eye in turn (row by row from the top), and let the stone stay
//! > where it captures; not alive as soon as an important stone is missing; until nothing was filled
//!
//! A *one-point eye* is an empty point whose neighbours are all stones of the defender (or the
//! border), be it true or false: false eyes fall in the repetitions. Attacking stones are never
//! taken away.
//!
//! Reference: Lin 2017, appendix B, `Board::checkAlive`. The board may be filled on points where
//! neither side may play: a permanent liberty in play is none here.
//!
//! Deviations, of speed only: filling and taking away do not depend on the order, so they are done
//! for all points at once; and with fewer than two one-point eyes every important chain has at most
//! one liberty left after the filling, so it falls in the first round, and we answer at once.

use super::tables::{Points, Tables};

/// Whether the important stones, all of them the defender's, survive.
pub(super) fn is_alive(tables: &Tables, defender: Points, attacker: Points, important: Points) -> bool {
    if important.is_empty() {
        return true;
    }
    let (mut defender, mut attacker) = (defender, attacker);
    let mut empty = tables.all & !(defender | attacker);
    let mut eyes = tables.eyes(empty, defender);
    if eyes.count() < 2 {
        return false;
    }
    // Points out of play are empty and no eyes: the first round fills them.
    let mut filled = tables.points_out_of_play;
    loop {
        let rest = empty & !eyes;
        filled |= !rest.is_empty();
        attacker |= rest;
        let mut left = defender;
        while let Some(stone) = left.pop_first() {
            let (chain, reach) = tables.chain(stone, defender);
            left &= !chain;
            if !reach.intersects(eyes) {
                defender &= !chain;
            }
        }
        // Only points that were empty before can be eyes: what has just been captured lies beside
        // its own chain's empty points or an attacker.
        for eye in eyes {
            if !tables.neighbours[eye].is_subset(defender) {
                continue;
            }
            let mut captured = false;
            for stone in tables.neighbours[eye] {
                if !defender.contains(stone) {
                    continue;
                }
                let (chain, reach) = tables.chain(stone, defender);
                let empty = tables.all & !(defender | attacker);
                let mut liberties = reach & empty;
                liberties.remove(eye);
                if liberties.is_empty() {
                    defender &= !chain;
                    captured = true;
                }
            }
            if captured {
                attacker.insert(eye);
            }
        }
        if !important.is_subset(defender) {
            return false;
        }
        if !std::mem::take(&mut filled) {
            return true;
        }
        empty = tables.all & !(defender | attacker);
        eyes = tables.eyes(empty, defender);
    }
}
