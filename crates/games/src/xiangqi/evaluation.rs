//! A hand-made evaluation: material, piece-square values, mobility and the safety of the generals,
//! in ±10,000, for Red.
//!
//! > evaluation = Σ over Red's pieces of value(kind, point) + activity(Red)
//! >              − the same for Black, with the board rotated
//!
//! Programs of the field (ElephantEye, Xiangqi Wizard) use tables tuned by hand. The tables here
//! are not theirs: each is computed from a few stated principles, in hundredths of a soldier that
//! has not crossed the river.
//!
//! | piece | base | adjustment |
//! |---|---|---|
//! | rook | 1000 | +2 for each rank out of its own camp up to the river |
//! | | | +15 on files d and f (next to the general), +10 on e |
//! | | | +10 on the enemy's soldier line and the two ranks behind it |
//! | | | −20 in its own corner |
//! | cannon | 480 | +25 on the central file in its own half, +10 there beyond |
//! | | | +15 on the enemy's first rank, where it cannot be chased from behind |
//! | | | −15 otherwise in the enemy's palace ranks, where it has no screens |
//! | | | −10 on its own first rank |
//! | horse | 440 | +6 for each point it reaches on an empty board |
//! | | | +5 for each rank up to the enemy's soldier line |
//! | | | −40 on the point before its own palace centre, where it blocks the advisors |
//! | elephant | 210 | +20 in the middle, where both protect each other; −10 at the edge |
//! | advisor | 210 | +15 in the centre of the palace |
//! | soldier | 100 | +20 one step forward before the river |
//! | | | beyond it +70, +20 for each file nearer to the centre, +15 for each rank |
//! | | | down to the general's, but +10 in total on the last rank (sideways moves only) |
//! | general | 0 | 0 at home, −20 next to it, −40 for each rank from its first |
//!
//! The balance follows the textbooks: a rook is worth slightly more than two cannons or two horses,
//! a cannon slightly more than a horse while the board is full, two minor guards a horse, a crossed
//! soldier two that have not crossed.
//!
//! Activity is the part that depends on other pieces:
//!
//! | term | points |
//! |---|---|
//! | mobility of a rook | 4 for each empty point it sees along its lines, minus 32 |
//! | mobility of a cannon | 2 for each empty point it sees, minus 16 |
//! | mobility of a horse | −15 for each side on which an adjacent piece blocks its leg |
//! | safety | −15 for each missing advisor and enemy rook |
//! | | −10 for each missing advisor and enemy horse |
//! | | −15 for each missing elephant and enemy cannon |
//! | hollow cannon | −80 for an enemy cannon on the general's file with nothing between |
//!
//! The tables are symmetric left to right, and Black's are Red's rotated; so mirroring a position
//! changes nothing and exchanging the colours changes the sign. The side to move does not count,
//! and neither do mates: the search handles ended games.

use super::board::{Board, EMPTY, NOWHERE, POINTS, PieceKind, kind_of, may_stand, place};
use super::{Xiangqi, XiangqiMove};
use tesuji_core::Player;

/// The bound of the absolute value.
pub const BOUND: i32 = 10_000;

/// Values of Red's pieces by kind and point.
static VALUES: [[i16; POINTS]; 7] = {
    let mut values = [[0; POINTS]; 7];
    let mut kind = 0;
    while kind < 7 {
        let mut point = 0;
        while point < POINTS {
            let (file, rank) = ((point % 9) as i16, (point / 9) as i16);
            if may_stand(PieceKind::ALL[kind], 0, file as i8, rank as i8) {
                values[kind][point] = red_value(PieceKind::ALL[kind], file, rank);
            }
            point += 1;
        }
        kind += 1;
    }
    values
};

const fn least(one: i16, two: i16) -> i16 {
    if one < two { one } else { two }
}

/// The principles of the table above.
const fn red_value(kind: PieceKind, file: i16, rank: i16) -> i16 {
    // 0 on the central file, 4 at the edge.
    let off_centre = (file - 4).abs();
    match kind {
        PieceKind::Rook => {
            let line = match off_centre {
                0 => 10,
                1 => 15,
                _ => 0,
            };
            let depth = if rank >= 6 && rank <= 8 { 10 } else { 0 };
            let corner = if off_centre == 4 && rank == 0 { -20 } else { 0 };
            1000 + 2 * least(rank, 5) + line + depth + corner
        }
        PieceKind::Cannon => {
            let line = match (off_centre, rank) {
                (0, 0..=4) => 25,
                (0, _) => 10,
                _ => 0,
            };
            let depth = match rank {
                9 => 15,
                7 | 8 => -15,
                0 => -10,
                _ => 0,
            };
            480 + line + depth
        }
        PieceKind::Horse => {
            let heart = if off_centre == 0 && rank == 1 { -40 } else { 0 };
            440 + 6 * horse_reach(file, rank) + 5 * least(rank, 6) + heart
        }
        PieceKind::Elephant => match off_centre {
            0 => 230,
            4 => 200,
            _ => 210,
        },
        PieceKind::Advisor => {
            if rank == 1 {
                225
            } else {
                210
            }
        }
        PieceKind::Soldier => match rank {
            3 => 100,
            4 => 120,
            9 => 100 + 10,
            _ => 100 + 70 + 20 * (4 - off_centre) + 15 * (rank - 5),
        },
        PieceKind::General => -20 * off_centre - 40 * rank,
    }
}

/// The number of points that a horse reaches on an empty board.
const fn horse_reach(file: i16, rank: i16) -> i16 {
    let mut reach = 0;
    let mut right = -2_i16;
    while right <= 2 {
        let mut up = -2_i16;
        while up <= 2 {
            let inside = file + right >= 0 && file + right <= 8 && rank + up >= 0 && rank + up <= 9;
            if (right * up).abs() == 2 && inside {
                reach += 1;
            }
            up += 1;
        }
        right += 1;
    }
    reach
}

/// The value of a piece on a (file, rank) to its owner; 0 where it cannot stand.
#[must_use]
pub fn piece_value(owner: Player, kind: PieceKind, file: u8, rank: u8) -> i32 {
    if file > 8 || rank > 9 {
        return 0;
    }
    let own_rank = if owner == Player::First { rank } else { 9 - rank };
    i32::from(VALUES[kind as usize][usize::from(own_rank) * 9 + usize::from(file)])
}

/// The value of the piece of each slot on each point, for Red; 0 where it cannot stand, and for
/// captured pieces.
static WORTH: [[i16; 128]; 32] = {
    let mut worth = [[0; 128]; 32];
    let mut slot = 0;
    while slot < 32 {
        let table = &VALUES[kind_of(slot as u8) as usize];
        let mut point = 0;
        while point < POINTS {
            // Rotated for Black: the tables are symmetric, so that the files need no mirroring.
            worth[slot][point] = if slot < 16 { table[point] } else { -table[POINTS - 1 - point] };
            point += 1;
        }
        slot += 1;
    }
    worth
};

/// The value of a slot's piece on a point, for Red.
#[inline]
fn worth(slot: u8, point: u8) -> i32 {
    i32::from(WORTH[usize::from(slot & 31)][usize::from(point & 127)])
}

/// Material and piece-square values, for Red.
#[inline]
#[must_use]
pub fn material(position: &Xiangqi) -> i32 {
    (0..32).map(|slot| worth(slot, position.board.point(slot))).sum()
}

/// The whole evaluation, for Red.
#[inline]
#[must_use]
pub fn evaluate(position: &Xiangqi) -> i32 {
    material(position) + activity(&position.board, 0) - activity(&position.board, 1)
}

/// Mobility and safety of a side, for itself. See the head of this file.
#[inline]
fn activity(board: &Board, side: u8) -> i32 {
    let (own, other) = (16 * side, 16 * (side ^ 1));
    let mut points = 0;
    let (mut rooks, mut horses, mut cannons) = (0, 0, 0);
    for number in 0..2 {
        let rook = board.point(PieceKind::Rook.slots().start + number + own);
        if rook != NOWHERE {
            points += 4 * (seen(board, rook) - 8);
        }
        let cannon = board.point(PieceKind::Cannon.slots().start + number + own);
        if cannon != NOWHERE {
            points += 2 * (seen(board, cannon) - 8);
        }
        let horse = board.point(PieceKind::Horse.slots().start + number + own);
        if horse != NOWHERE {
            points -= 15 * beside(board, horse);
        }
        rooks += i32::from(board.point(PieceKind::Rook.slots().start + number + other) != NOWHERE);
        horses += i32::from(board.point(PieceKind::Horse.slots().start + number + other) != NOWHERE);
        cannons += i32::from(board.point(PieceKind::Cannon.slots().start + number + other) != NOWHERE);
    }
    let missing = |kind: PieceKind| {
        let slots = kind.slots();
        slots.map(|slot| i32::from(board.point(slot + own) == NOWHERE)).sum::<i32>()
    };
    points -= missing(PieceKind::Advisor) * (15 * rooks + 10 * horses);
    points -= missing(PieceKind::Elephant) * 15 * cannons;
    let general = board.point(own);
    for number in 0..2 {
        let cannon = board.point(PieceKind::Cannon.slots().start + number + other);
        if cannon != NOWHERE && place(cannon).0 == place(general).0 && board.sees(cannon, general, 0) {
            points -= 80;
        }
    }
    points
}

/// The empty points that a piece sees along its rank and file.
#[inline]
fn seen(board: &Board, point: u8) -> i32 {
    let (file, rank) = place(point);
    open(board.ranks[usize::from(rank & 15)], file, 9) + open(board.files[usize::from(file & 15)], rank, 10)
}

/// The empty places adjacent to a place of a line of this length, up to the first piece on either
/// side.
#[inline]
fn open(line: u16, place: u8, length: u8) -> i32 {
    let above = (u32::from(line) | 1 << length) >> (place + 1);
    let below = (u32::from(line) << 1 | 1) & ((2 << place) - 1);
    above.trailing_zeros() as i32 + i32::from(place) - (31 - below.leading_zeros() as i32)
}

/// The number of pieces adjacent to a point.
#[inline]
fn beside(board: &Board, point: u8) -> i32 {
    let (file, rank) = place(point);
    let neighbours = |line: u16, place: u8| {
        let around = u32::from(line) << 1 >> place;
        ((around & 1) + (around >> 2 & 1)) as i32
    };
    neighbours(board.ranks[usize::from(rank & 15)], file) + neighbours(board.files[usize::from(file & 15)], rank)
}

/// Material and piece-square values, updated incrementally: three table entries per move. Four
/// bytes; keep one for each ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator(i32);

impl Accumulator {
    /// The values of a position.
    #[must_use]
    pub fn new(position: &Xiangqi) -> Accumulator {
        Accumulator(material(position))
    }

    /// The values after a legal move that is about to be played in `before`.
    #[inline]
    #[must_use]
    pub fn after(self, before: &Xiangqi, mv: XiangqiMove) -> Accumulator {
        let (slot, captured) = (before.board.at(mv.from), before.board.at(mv.to));
        let lost = if captured == EMPTY { 0 } else { worth(captured, mv.to) };
        Accumulator(self.0 + worth(slot, mv.to) - worth(slot, mv.from) - lost)
    }

    /// For Red.
    #[inline]
    #[must_use]
    pub fn value(self) -> i32 {
        self.0
    }

    /// For a player.
    #[inline]
    #[must_use]
    pub fn for_player(self, player: Player) -> i32 {
        match player {
            Player::First => self.0,
            Player::Second => -self.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BOUND, VALUES, activity, beside, open, seen};
    use crate::xiangqi::board::point_at;
    use crate::xiangqi::{PieceKind, Xiangqi};

    #[test]
    fn tables_are_symmetric_and_small() {
        let mut most = 0;
        for (kind, table) in PieceKind::ALL.iter().zip(&VALUES) {
            for (point, value) in table.iter().enumerate() {
                assert_eq!(*value, table[point / 9 * 9 + 8 - point % 9], "{kind:?} at {point}");
            }
            let best = table.iter().copied().max().expect("ninety points");
            most += i32::from(best) * kind.count() as i32;
        }
        assert!(most < BOUND, "{most}");
    }

    #[test]
    fn the_balance_of_the_books() {
        let best = |kind: PieceKind| VALUES[kind as usize].iter().copied().max().expect("ninety points");
        let mean = |kind: PieceKind| {
            let values: Vec<i32> = VALUES[kind as usize].iter().filter(|v| **v > 0).map(|v| i32::from(*v)).collect();
            values.iter().sum::<i32>() / values.len() as i32
        };
        let (rook, cannon, horse) = (mean(PieceKind::Rook), mean(PieceKind::Cannon), mean(PieceKind::Horse));
        assert!(2 * cannon < rook && rook < 2 * cannon + 100, "{rook} {cannon}");
        assert!(cannon - 60 < horse && horse < cannon + 60, "{cannon} {horse}");
        assert!(best(PieceKind::Soldier) < best(PieceKind::Horse));
    }

    /// Every line of nine and ten, by counting from the place outwards.
    #[test]
    fn open_places_as_counted_one_by_one() {
        for length in [9_u8, 10] {
            for line in 0..1_u16 << length {
                for place in 0..length {
                    let empty = |at: &u8| line >> at & 1 == 0;
                    let up = (place + 1..length).take_while(empty).count();
                    let down = (0..place).rev().take_while(empty).count();
                    assert_eq!(open(line, place, length), (up + down) as i32, "{line:b} {place}");
                }
            }
        }
    }

    #[test]
    fn activity_by_hand() {
        let at = |fen: &str| Xiangqi::from_fen(fen).expect("a position").board;
        // Rooks see 2 points each, cannons 11, horses have a piece on two sides (the rook and the
        // elephant).
        let start = at(crate::xiangqi::START);
        assert_eq!((seen(&start, point_at(0, 0)), seen(&start, point_at(1, 2))), (2, 11));
        assert_eq!(beside(&start, point_at(1, 0)), 2);
        assert_eq!(activity(&start, 0), 2 * (4 * (2 - 8) + 2 * (11 - 8) - 15 * 2));
        assert_eq!(activity(&start, 0), activity(&start, 1));
        // A bare general on e0, a cannon on e7 with nothing between, a rook on a9 and the general
        // on d9: Red lacks two advisors and two elephants against a rook and a cannon.
        let bare = at("r2k5/9/4c4/9/9/9/9/9/9/4K4 w");
        assert_eq!(activity(&bare, 0), -(2 * 15 + 2 * 15 + 80));
        // Rook: b9, c9 and nine points down its file; cannon: eight along its rank, two above, six
        // below.
        assert_eq!(activity(&bare, 1), 4 * (11 - 8) + 2 * (16 - 8));
    }
}
