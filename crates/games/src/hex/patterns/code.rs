//! The surroundings of a cell as a number: its six neighbours, and the six cells a bridge away.
//!
//! A cell takes two bits: 0 empty, 1 black (own), 2 white (the enemy's). Cells off the board count
//! as stones of the player whose edge they lie behind, 3 where both do. The six neighbours come in
//! cyclic order from the one above; cell number p of the second ring lies between neighbours p and
//! p + 1.
//!
//! A board turned by half a turn is the same game, and one mirrored in the long diagonal the same
//! game with the colours exchanged. Numbers are seen by the mover: mirrored and exchanged for White,
//! so that the mover always connects top and bottom; the *canonical* number is the lesser of the two
//! that half a turn relates.
//!
//! Reference: Huang, Arneson, Hayward, Müller & Pawlewicz, "MoHex 2.0: a pattern-based MCTS Hex
//! player", 2013 (patterns of 6 and 12 cells).

use crate::hex::Hex;
use crate::hex::heuristic::STEPS;
use tesuji_core::Player;

/// Numbers of six cells are below this.
pub(super) const CODES: usize = 1 << 12;

/// The cell as a number of the surroundings writes it.
pub(super) fn state(position: &Hex, column: i32, row: i32) -> u32 {
    let size = position.size() as i32;
    let off = |line: i32| line < 0 || line >= size;
    match (off(row), off(column)) {
        (true, true) => 3,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => match position.stone(column as u32, row as u32) {
            Some(Player::First) => 1,
            Some(Player::Second) => 2,
            None => 0,
        },
    }
}

/// The number of the six cells around, in terms of black and white.
pub(super) fn six(position: &Hex, column: i32, row: i32) -> u32 {
    (0..6).fold(0, |code, place| {
        let (across, down) = STEPS[place];
        code | state(position, column + across, row + down) << (2 * place)
    })
}

/// The number of all twelve cells around.
pub(super) fn twelve(position: &Hex, column: i32, row: i32) -> u32 {
    let outer = (0..6).fold(0, |code, place| {
        let (one, other) = (STEPS[place], STEPS[(place + 1) % 6]);
        code | state(position, column + one.0 + other.0, row + one.1 + other.1) << (2 * place)
    });
    six(position, column, row) | outer << 12
}

/// The colours exchanged.
const fn exchanged(code: u32) -> u32 {
    let (low, high) = (code & 0x55_5555, code >> 1 & 0x55_5555);
    low << 1 | high
}

/// Each place of a ring moved to `to(place)`.
fn moved(ring: u32, to: impl Fn(usize) -> usize) -> u32 {
    (0..6).fold(0, |image, place| image | (ring >> (2 * place) & 3) << (2 * to(place)))
}

/// The number as the player sees it.
pub(super) fn seen_by(player: Player, code: u32) -> u32 {
    match player {
        Player::First => code,
        Player::Second => {
            let code = exchanged(code);
            moved(code & 0xfff, |place| 5 - place) | moved(code >> 12, |place| (10 - place) % 6) << 12
        }
    }
}

/// After half a turn.
fn turned(code: u32) -> u32 {
    let half = |ring: u32| (ring << 6 | ring >> 6) & 0xfff;
    half(code & 0xfff) | half(code >> 12) << 12
}

/// The lesser of the number and of that after half a turn.
pub(super) fn canonical(code: u32) -> u32 {
    code.min(turned(code))
}

/// In words: the six neighbours in order from the one above, then those a bridge away. X own, O the
/// enemy's, # both edges.
pub(super) fn drawn(code: u32, cells: usize) -> String {
    let sign = |place: usize| match code >> (2 * place) & 3 {
        1 => 'X',
        2 => 'O',
        3 => '#',
        _ => '.',
    };
    let ring = |from: usize| (from..from + 6).map(sign).collect::<String>();
    if cells == 6 { ring(0) } else { format!("{} {}", ring(0), ring(6)) }
}

/// The places of the ring around an enemy stone at which a bridge of `player` is to be completed: an
/// empty cell between two own ones. A bit for each place; `code` is in terms of black and white.
#[inline]
pub(super) const fn replies(code: u32, player: Player) -> u32 {
    let shift = match player {
        Player::First => 0,
        Player::Second => 1,
    };
    // One bit every two places.
    let own = code >> shift & 0x555;
    let empty = !(code | code >> 1) & 0x555;
    let (before, after) = ((own << 2 | own >> 10) & 0x555, (own >> 2 | own << 10) & 0x555);
    before & after & empty
}
