//! Repetition: the Asian rules (AXF 2003), as far as a program can decide them.
//!
//! The third occurrence of a position (pieces and side to move) ends the game. The plies from its
//! first to its third occurrence are judged:
//!
//! 1. A side whose every move gave check has checked perpetually. If only one side did, it loses;
//!    if both did, the game is drawn.
//! 2. Otherwise, a side whose every move *chased* the same piece has chased perpetually. If only
//!    one side did, it loses; if both did, the game is drawn.
//! 3. Otherwise a draw: idle moves, threats of mate, offers to exchange, chasing different pieces
//!    alternately.
//!
//! A move chases a piece if it makes a new threat to it. A piece *threatens* another if
//!
//! * the attacker is neither general nor soldier (those may chase), the victim neither general nor
//!   a soldier that has not crossed the river;
//! * the capture is legal, were it the attacker's turn;
//! * it gains: a horse or cannon attacks a rook, an advisor or elephant a rook, horse or cannon, or
//!   the victim is not protected: after the capture no piece may legally recapture (a pinned
//!   protector protects nothing);
//! * and it is not an offer to exchange: a victim of the attacker's own kind that could legally
//!   capture the attacker instead (which a pinned one, or a horse with its leg blocked, cannot) is
//!   not threatened.
//!
//! The threat is *new* if the attacker did not attack the victim before the move (it moved, or a
//! line, leg or eye was opened, or a screen placed), or if it did and the move has pinned the
//! victim's last protector. An attack that became a threat only because the move cut off a
//! protector, or released the attacker from a pin, is not new.
//!
//! A victim whose side is in check is judged as if it could pass: any protector then protects. Not
//! decided here, as the rules leave it to arbiters or require a search: moves that threaten mate,
//! and attacks that gain only together with others. A move that checks and chases counts as both.
//!
//! With these definitions all 32 asserted cases of Fairy-Stockfish's AXF tests are decided
//! correctly. On 6,000 random to-and-fro cycles its verdict differs in 20, never to the opposite
//! one (a win for a loss); for instance where only a general protects that may not recapture.
//!
//! **Memory.** The history is a ring of the last 128 plies: sixteen bits of each position's hash,
//! and its move with a bit for "in check". A new position looks for its sixteen bits in the whole
//! ring at once; only if they occur twice are the moves taken back, which decides without hashes.
//! Since captures and advances of soldiers are irreversible, this never goes beyond the last of
//! them. Occurrences more than [`MEMORY`] plies back are not detected, which needs a
//! `natural_limit` above that to be possible.

use super::board::{Board, EMPTY, NOWHERE, PieceKind, code_of, kind_of, place, side_of};
use super::{Ended, Repetition};
use std::ops::ControlFlow;

/// The number of plies within which a repetition is detected.
pub const MEMORY: usize = LENGTH - 1;
const LENGTH: usize = 128;
const CHECK: u16 = 1 << 15;

/// The last plies of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    tags: [u16; LENGTH],
    moves: [u16; LENGTH],
    /// The index of the next ply.
    next: u8,
}

/// An entry that a new ply displaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Displaced(u16, u16);

#[inline]
const fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16
}

impl History {
    pub(super) const EMPTY: History = History { tags: [0; LENGTH], moves: [0; LENGTH], next: 0 };

    /// Records a position (its hash, whether its side to move is in check) and the move played
    /// there.
    #[inline]
    pub(super) fn push(&mut self, hash: u64, checked: bool, from: u8, to: u8) -> Displaced {
        let at = usize::from(self.next) % LENGTH;
        let displaced = Displaced(self.tags[at], self.moves[at]);
        self.tags[at] = tag(hash);
        self.moves[at] = u16::from(from) << 7 | u16::from(to) | if checked { CHECK } else { 0 };
        self.next = ((at + 1) % LENGTH) as u8;
        displaced
    }

    /// Removes the last record.
    #[inline]
    pub(super) fn pop(&mut self, displaced: Displaced) {
        let at = (usize::from(self.next) + LENGTH - 1) % LENGTH;
        (self.tags[at], self.moves[at]) = (displaced.0, displaced.1);
        self.next = at as u8;
    }

    /// The move `back` plies ago (1 is the last one), and whether it was played out of check.
    fn look(&self, back: usize) -> (u8, u8, bool) {
        let entry = self.moves[(usize::from(self.next) + LENGTH - back) % LENGTH];
        ((entry >> 7 & 127) as u8, (entry & 127) as u8, entry & CHECK != 0)
    }

    /// Whether a position of this hash may have occurred twice before.
    #[inline]
    pub(super) fn may_repeat(&self, hash: u64) -> bool {
        let wanted = tag(hash);
        self.tags.iter().fold(0_u16, |count, tag| count + u16::from(*tag == wanted)) >= 2
    }

    /// The number of plies since the first of three occurrences of the position, going back at most
    /// `plies` plies without captures; `None` if this is not the third.
    fn third_occurrence(&self, board: &Board, plies: usize) -> Option<usize> {
        let now = board.slots.map(code_of);
        let mut then = now;
        let (mut different, mut occurrences) = (0_i32, 1);
        for back in 1..=plies.min(MEMORY) {
            let (from, to, _) = self.look(back);
            let mut set = |point: u8, code: u8| {
                let (old, new) = (&mut then[usize::from(point & 127)], now[usize::from(point & 127)]);
                different += i32::from(code != new) - i32::from(*old != new);
                std::mem::replace(old, code)
            };
            let moved = set(to, 0);
            set(from, moved);
            if different == 0 && back % 2 == 0 {
                occurrences += 1;
                if occurrences == 3 {
                    return Some(back);
                }
            }
        }
        None
    }

    /// The result if this position has occurred for the third time. `plies`: the number of plies
    /// since the last irreversible move.
    #[cold]
    pub(super) fn judge(&self, board: &Board, checked: bool, plies: usize, rule: Repetition) -> Option<Ended> {
        let cycle = self.third_occurrence(board, plies)?;
        // Which side checked, and which pieces each side chased, with every move of the cycle,
        // backwards. Victims are slots.
        let mut checks = [true; 2];
        let mut victims = [u16::MAX; 2];
        let mut after = *board;
        let mut in_check = checked;
        for back in 1..=cycle {
            let (from, to, was_checked) = self.look(back);
            let mut before = after;
            before.unmake(from, to, EMPTY);
            let mover = usize::from(before.side & 1);
            checks[mover] &= in_check;
            if rule == Repetition::Axf && victims[mover] != 0 {
                victims[mover] &= chased(&before, &after, before.side);
            }
            (after, in_check) = (before, was_checked);
        }
        let guilty = match (rule, checks) {
            (Repetition::Draw, _) => [false, false],
            (_, [false, false]) if rule == Repetition::Axf => victims.map(|chased| chased != 0),
            _ => checks,
        };
        Some(match guilty {
            [true, false] => Ended::BlackWins,
            [false, true] => Ended::RedWins,
            _ => Ended::Draw,
        })
    }
}

/// The strength of an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Attack {
    /// No legal capture.
    None,
    /// A legal capture that is not a threat: the victim is protected, or it is an offer to
    /// exchange.
    Harmless,
    /// A threat because the recapturing piece is pinned.
    Pinned,
    /// A threat.
    Threat,
}

/// The victims (slots, by their last four bits) that a move of `side` chases.
fn chased(before: &Board, after: &Board, side: u8) -> u16 {
    let mut victims = 0;
    for attacker in 16 * side..16 * side + 16 {
        if matches!(kind_of(attacker), PieceKind::General | PieceKind::Soldier) || after.point(attacker) == NOWHERE {
            continue;
        }
        let _ = after.targets::<()>(attacker, |to| {
            let victim = after.at(to);
            if victim != EMPTY {
                let now = attack(after, attacker, victim);
                let new = match now {
                    Attack::None | Attack::Harmless => false,
                    Attack::Pinned => attack(before, attacker, victim) <= Attack::Harmless,
                    Attack::Threat => attack(before, attacker, victim) == Attack::None,
                };
                if new {
                    victims |= 1 << (victim & 15);
                }
            }
            ControlFlow::Continue(())
        });
    }
    victims
}

/// The strength of the attack of one piece on another, independent of the side to move.
fn attack(board: &Board, attacker: u8, victim: u8) -> Attack {
    let (side, from, to) = (side_of(attacker), board.point(attacker), board.point(victim));
    let (kind, prey) = (kind_of(attacker), kind_of(victim));
    let rank = place(to).1;
    let crossed = if side == 0 { rank <= 4 } else { rank >= 5 };
    let exempt = prey == PieceKind::General || (prey == PieceKind::Soldier && !crossed);
    if exempt || !board.is_pseudo_legal(side, from, to) {
        return Attack::None;
    }
    if !board.keeps_safe(side, from, to) {
        return Attack::Harmless;
    }
    use PieceKind::{Advisor, Cannon, Elephant, Horse, Rook};
    let stronger = match kind {
        Horse | Cannon => prey == Rook,
        Advisor | Elephant => matches!(prey, Rook | Horse | Cannon),
        _ => false,
    };
    if stronger {
        return Attack::Threat;
    }
    let other = side ^ 1;
    if kind == prey && board.is_pseudo_legal(other, to, from) && board.keeps_safe(other, to, from) {
        return Attack::Harmless;
    }
    let checked = board.in_check(other);
    let mut captured = *board;
    captured.give_turn(side);
    captured.make(from, to);
    let mut result = Attack::Threat;
    for protector in 16 * other..16 * other + 16 {
        let at = captured.point(protector);
        if captured.is_pseudo_legal(other, at, to) {
            if checked || captured.keeps_safe(other, at, to) {
                return Attack::Harmless;
            }
            result = Attack::Pinned;
        }
    }
    result
}
