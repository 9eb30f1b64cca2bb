//! The features of the evaluation.
//!
//! Each is a count of the first player minus the same count of the second, so exchanging the
//! colours (and the turn) changes every sign, and turning the board changes nothing:
//!
//! | feature | counts |
//! |---|---|
//! | mobility | squares where the player could play if to move |
//! | openings | empty squares adjacent to opposing discs: potential moves |
//! | frontier | own discs adjacent to empty squares |
//! | corners | corners held |
//! | corner moves | corners that the player could take if to move |
//! | X-squares | own discs diagonally adjacent to empty corners |
//! | C-squares | own discs on the edge adjacent to empty corners |
//! | edges | other own discs on the edge |
//! | stable | discs that can never be turned over (see `stable.rs`) |
//! | discs | own discs |
//! | turn | 1 if the player is to move |
//! | last move | 1 if the player makes the last move of the game without passes |
//! | odd quarters | with the player to move: quarters with an odd number of empty squares (parity) |

use super::super::Othello;
use super::{around, beside_empty_corners, corners, inner_squares, stable_of_both};
use tesuji_core::{Player, Position};

/// The number of features.
pub const FEATURES: usize = 13;

/// Their names, in order.
pub const NAMES: [&str; FEATURES] = [
    "mobility",
    "openings",
    "frontier",
    "corners",
    "corner-moves",
    "x-squares",
    "c-squares",
    "edges",
    "stable",
    "discs",
    "turn",
    "last-move",
    "odd-quarters",
];

/// The quarters of a board.
const fn quarters(size: u32) -> [u64; 4] {
    let half = size / 2;
    let row = (1 << half) - 1;
    let (mut quarter, mut number) = (0, 0);
    while number < half {
        quarter |= row << (8 * number);
        number += 1;
    }
    [quarter, quarter << half, quarter << (8 * half), quarter << (9 * half)]
}

/// The features of a position, first player minus second.
#[inline]
#[must_use]
pub fn features(position: &Othello) -> [i32; FEATURES] {
    let [one, two] = Player::BOTH.map(|player| position.discs(player));
    let (board, empty) = (position.board(), position.empty());
    let less = |first: u64, second: u64| first.count_ones() as i32 - second.count_ones() as i32;
    // The mover's squares are known.
    let mover = position.turn();
    let (mine, yours) = (position.placements, position.placements(mover.other()));
    let (moves, replies) = if mover == Player::First { (mine, yours) } else { (yours, mine) };
    let (diagonal, along) = beside_empty_corners(position);
    let (corners, outside) = (corners(position), around(empty));
    let edges = board & !inner_squares(position) & !corners & !along;
    let [safe, their_safe] = stable_of_both(position);
    let odd = quarters(position.size()).iter().fold(0, |odd, quarter| odd + (empty & quarter).count_ones() % 2);
    let sign = if mover == Player::First { 1 } else { -1 };
    let last = if empty.count_ones() % 2 == 1 { sign } else { -sign };
    [
        less(moves, replies),
        less(around(two) & empty, around(one) & empty),
        less(outside & one, outside & two),
        less(one & corners, two & corners),
        less(moves & corners, replies & corners),
        less(one & diagonal, two & diagonal),
        less(one & along, two & along),
        less(one & edges, two & edges),
        less(safe, their_safe),
        less(one, two),
        sign,
        last,
        sign * odd as i32,
    ]
}

#[cfg(test)]
mod tests {
    use super::super::super::{Empties, Othello};
    use super::{NAMES, features, quarters};

    #[test]
    fn quarters_cover_the_board() {
        for (size, board) in [(4, 0x0f0f_0f0f_u64), (6, 0x3f3f_3f3f_3f3f), (8, u64::MAX)] {
            let parts = quarters(size);
            assert_eq!(parts.iter().fold(0, |all, part| all | part), board);
            assert_eq!(parts.iter().map(|part| part.count_ones()).sum::<u32>(), size * size);
        }
    }

    /// A position counted by hand.
    #[test]
    fn a_small_board_by_hand() {
        //   a b c d
        // 1 X O . .     X: a1 a2 b2 c3      O: b1 c2 b3
        // 2 X X O .     empty: c1 d1 d2 a3 d3 a4 b4 c4 d4
        // 3 . O X .
        // 4 . . . .     X to move
        let text = "XO..XXO..OX..... X";
        let position = Othello::new(4, Empties::None).expect("a board").with_text(text).expect("a position");
        let found = features(&position);
        let named = |name: &str| found[NAMES.iter().position(|other| *other == name).expect("a feature")];
        // X at c1 (b1 and a1 behind it), d2 (c2), a3 (b3), b4 (b3), c4 (b3, with a2 behind it); O
        // at d3 (c3) and c4 (c3).
        assert_eq!(named("mobility"), 5 - 2);
        // Adjacent to O's discs: c1 d1 d2 d3 (c2), c1 (b1), a3 a4 b4 c4 (b3): 8. Adjacent to X's:
        // a3 (a2, b2), c1 (b2), d2 d3 b4 c4 d4 (c3): 7.
        assert_eq!(named("openings"), 8 - 7);
        // X's adjacent to empty squares: a2 (a3), b2 (a3, c1), c3: 3; a1 has none. O's: b1 (c1),
        // c2, b3: 3.
        assert_eq!((named("frontier"), named("corners"), named("corner-moves")), (0, 1, 0));
        // d1, a4 and d4 are empty: X-squares c2, b3 (O's) and c3 (X's); C-squares c1 d2 a3 b4 d3
        // c4: none taken.
        assert_eq!((named("x-squares"), named("c-squares"), named("edges")), (1 - 2, 0, 1 - 1));
        // a1 is stable, and a2: the edge below it can only be closed from a4, with a1 behind it.
        assert_eq!((named("stable"), named("discs"), named("turn"), named("last-move")), (2, 1, 1, 1));
        // Empty: none of four, c1 d1 d2, a3 a4 b4, d3 c4 d4: three odd quarters.
        assert_eq!(named("odd-quarters"), 3);
    }
}
