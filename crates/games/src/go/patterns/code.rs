//! The surroundings of a point as a number: 3×3 with the atari bits of the four neighbours.
//!
//! The eight points around a point, clockwise from the one above, take two bits each: 0 empty, 1
//! black (own), 2 white (the enemy's), 3 off the board. Four further bits tell whether the chain of
//! the neighbour above, right, below and left has this point as its only liberty. The number thus
//! also tells whether a stone there is suicide, captures, or fills an eye by the usual test; only ko
//! is not in it.
//!
//! Boards that are mirror images of each other have the same *canonical* number, the least of the
//! eight.
//!
//! Reference: Huang, "New heuristics for Monte Carlo tree search applied to the game of Go" (thesis,
//! 2011), chapter 4. Huang counts 2,051 patterns; ours, which tell the mover's stones from the
//! enemy's and leave nothing out, are more, and those that games do not show have strength 1.

use crate::go::board::Board;
use crate::go::layout::{CHAIN, STONE_SHIFT, share};

/// Numbers are below this.
pub(super) const CODES: usize = 1 << 20;
/// The four bits of atari.
pub(super) const ATARI: u32 = 15 << 16;

/// The point as a number of the surroundings writes it, by its label: black and white are the lowest of
/// the four colour bits, the rim the highest.
#[inline(always)]
const fn state_of(label: u16) -> u32 {
    let colours = (label >> STONE_SHIFT) as u32;
    colours & 3 | ((colours >> 3 & 1) * 3)
}

/// Steps to the eight points around, clockwise from the one above, on a board with this distance
/// between rows.
#[inline(always)]
pub(super) const fn ring(stride: usize) -> [isize; 8] {
    let up = stride as isize;
    [up, up + 1, 1, 1 - up, -up, -up - 1, -1, up - 1]
}

/// The number of the surroundings of a point of this board, in terms of black and white.
#[inline(always)]
pub(super) fn code_at(board: &Board, index: usize, stride: usize) -> u32 {
    let mut code = 0;
    for (place, step) in ring(stride).into_iter().enumerate() {
        let label = board.slots[index.wrapping_add_signed(step)].label;
        code |= state_of(label) << (2 * place);
    }
    code | atari_at(board, index, stride)
}

/// The atari bits of a point.
#[inline(always)]
pub(super) fn atari_at(board: &Board, index: usize, stride: usize) -> u32 {
    let only = share(index);
    let mut bits = 0;
    for (place, step) in [stride as isize, 1, -(stride as isize), -1].into_iter().enumerate() {
        let label = board.slots[index.wrapping_add_signed(step)].label;
        let word = board.liberties[(label & CHAIN) as usize];
        // A chain touches the point at most four times.
        let is_stone = label >> STONE_SHIFT & 3 != 0;
        bits |= u32::from(is_stone & (word == (word & 7).wrapping_mul(only))) << (16 + place);
    }
    bits
}

/// The same surroundings with the colours exchanged.
#[inline]
pub(super) const fn exchanged(code: u32) -> u32 {
    let stones = code & 0xffff;
    let (low, high) = (stones & 0x5555, stones >> 1 & 0x5555);
    // 1 and 2 are exchanged; 0 and 3 stay.
    code & ATARI | low << 1 | high
}

/// Turned by a quarter.
const fn turned(code: u32) -> u32 {
    let (stones, atari) = (code & 0xffff, code >> 16 & 15);
    (stones << 4 | stones >> 12) & 0xffff | ((atari << 1 | atari >> 3) & 15) << 16
}

/// Mirrored left and right.
fn mirrored(code: u32) -> u32 {
    let mut image = 0;
    for place in 0..8 {
        image |= (code >> (2 * place) & 3) << (2 * ((8 - place) % 8));
    }
    let atari = code >> 16 & 15;
    image | (atari & 0b0101 | (atari & 2) << 2 | (atari & 8) >> 2) << 16
}

/// All eight images, some of which may be equal.
pub(super) fn images(code: u32) -> [u32; 8] {
    let mirrored = mirrored(code);
    let mut images = [code, code, code, code, mirrored, mirrored, mirrored, mirrored];
    for place in [1, 2, 3, 5, 6, 7] {
        images[place] = turned(images[place - 1]);
    }
    images
}

/// The least of the images.
pub(super) fn canonical(code: u32) -> u32 {
    images(code).into_iter().min().unwrap_or(code)
}

/// The state of one of the eight points around.
#[inline]
pub(super) const fn state(code: u32, place: usize) -> u32 {
    code >> (2 * place) & 3
}

/// What a stone of the player who is 1 in the number may do on the point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    /// It is suicide.
    pub(super) suicide: bool,
    /// It fills a point that playouts keep.
    pub(super) eye: bool,
    /// It captures.
    pub(super) captures: bool,
}

/// Reads a number, for the player who is 1 in it.
pub(super) fn read(code: u32) -> Reading {
    let (mut empty, mut alive, mut captures, mut surrounded) = (false, false, false, true);
    for side in 0..4 {
        let (state, atari) = (state(code, 2 * side), code >> (16 + side) & 1 == 1);
        empty |= state == 0;
        alive |= state == 1 && !atari;
        captures |= state == 2 && atari;
        surrounded &= state == 1 || state == 3;
    }
    let diagonal = |wanted: u32| (0..4).filter(|side| state(code, 2 * side + 1) == wanted).count();
    let edge = (0..4).any(|side| state(code, 2 * side) == 3);
    let eye = surrounded && diagonal(2) + usize::from(edge) < 2;
    Reading { suicide: !(empty || alive || captures), eye, captures }
}

/// Drawn on three lines, joined by slashes: X own, O the enemy's, # off the board, lower case in atari.
pub(super) fn drawn(code: u32) -> String {
    let sign = |place: usize| {
        let atari = place.is_multiple_of(2) && code >> (16 + place / 2) & 1 == 1;
        match (state(code, place), atari) {
            (1, false) => 'X',
            (1, true) => 'x',
            (2, false) => 'O',
            (2, true) => 'o',
            (3, _) => '#',
            _ => '.',
        }
    };
    let line = |places: [usize; 3]| places.map(sign).into_iter().collect::<String>();
    format!("{}/{}*{}/{}", line([7, 0, 1]), sign(6), sign(2), line([5, 4, 3]))
}

#[cfg(test)]
mod tests {
    use super::{CODES, canonical, code_at, drawn, exchanged, images, read};
    use crate::go::{Go, GoRules};
    use tesuji_core::{Player, Position, Rng, Seed};

    /// Suicide, eyes and captures as the board itself judges them, in random games.
    #[test]
    fn a_number_tells_what_the_board_tells() {
        let (mut rng, mut eyes, mut suicides, mut captures) = (Rng::new(Seed(6)), 0, 0, 0);
        for _ in 0..6 {
            let mut go = Go::new(GoRules { size: 7, ..GoRules::default() }).expect("a board");
            while let Some(mv) = go.playout_move(&mut rng).filter(|_| go.moves_played() < 150) {
                let board = go.board();
                for point in board.points().filter(|point| board.is_empty(*point)) {
                    let black = code_at(board, point.index(), 8);
                    for (player, code) in [(Player::First, black), (Player::Second, exchanged(black))] {
                        let reading = read(code);
                        assert_eq!(reading.suicide, board.is_suicide(player, point), "{}", drawn(code));
                        assert_eq!(reading.eye, board.is_eye(player, point), "{}", drawn(code));
                        assert_eq!(reading.captures, board.captures(player, point).count() > 0, "{}", drawn(code));
                        eyes += u32::from(reading.eye);
                        suicides += u32::from(reading.suicide);
                        captures += u32::from(reading.captures);
                    }
                }
                go.play(mv);
            }
        }
        assert!(eyes > 20 && suicides > 20 && captures > 20, "{eyes} {suicides} {captures}");
    }

    /// The images of a number have the same canonical number and read the same; exchanging colours twice
    /// changes nothing.
    #[test]
    fn images_agree() {
        for code in (0..CODES as u32).step_by(977) {
            let least = canonical(code);
            for image in images(code) {
                assert_eq!(canonical(image), least, "{}", drawn(code));
                assert_eq!(read(image), read(code), "{}", drawn(code));
            }
            assert_eq!(exchanged(exchanged(code)), code);
        }
        // Black above in atari, White to the right: mirrored, White is on the left.
        let code = 1 | 2 << 4 | 1 << 16;
        assert_eq!(drawn(code), ".x./.*O/...");
        let all: std::collections::BTreeSet<String> = images(code).into_iter().map(drawn).collect();
        assert!(all.len() == 8 && all.contains(".x./O*./..."), "{all:?}");
    }
}
