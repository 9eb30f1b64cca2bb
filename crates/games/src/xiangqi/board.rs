//! The board: 9 files × 10 ranks, pieces in fixed slots, and the geometry of every piece.
//!
//! A point is `rank · 9 + file`, with rank 0 and file a at Red's left. Each side has sixteen slots,
//! one for each piece of the starting array (general, 2 advisors, 2 elephants, 2 horses, 2 rooks, 2
//! cannons, 5 soldiers), so a slot number implies side and kind, a capture empties a slot, and
//! taking it back fills the same one. Besides the points of the slots the board stores the slot on
//! each point and the occupancy of each rank and file as bit rows: what a rook or cannon sees along
//! a line is then two or three bit scans.
//!
//! [`Board::weights`] counts, for every slot, the points its piece could reach on an empty board;
//! the playout samples from it.

use tesuji_core::{Player, Zobrist};

/// Files of the board.
pub(super) const FILES: usize = 9;
/// Points of the board.
pub(super) const POINTS: usize = 90;
/// No point: the place of captured pieces. Index 127 exists in the arrays by point, and is never
/// occupied.
pub(super) const NOWHERE: u8 = 127;
/// No slot: the entry of an empty point.
pub(super) const EMPTY: u8 = 32;

/// The kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceKind {
    /// 帥 將.
    General,
    /// 仕 士.
    Advisor,
    /// 相 象.
    Elephant,
    /// 傌 馬.
    Horse,
    /// 俥 車.
    Rook,
    /// 炮 砲.
    Cannon,
    /// 兵 卒.
    Soldier,
}

impl PieceKind {
    /// All kinds, in the order of their slots.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::General,
        PieceKind::Advisor,
        PieceKind::Elephant,
        PieceKind::Horse,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Soldier,
    ];

    /// The number of pieces of each side at the start.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            PieceKind::General => 1,
            PieceKind::Soldier => 5,
            _ => 2,
        }
    }

    /// The letter in FEN (K A B N R C P), in capitals for Red.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            PieceKind::General => 'K',
            PieceKind::Advisor => 'A',
            PieceKind::Elephant => 'B',
            PieceKind::Horse => 'N',
            PieceKind::Rook => 'R',
            PieceKind::Cannon => 'C',
            PieceKind::Soldier => 'P',
        }
    }

    /// The name of the kind in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::General => "general",
            PieceKind::Advisor => "advisor",
            PieceKind::Elephant => "elephant",
            PieceKind::Horse => "horse",
            PieceKind::Rook => "rook",
            PieceKind::Cannon => "cannon",
            PieceKind::Soldier => "soldier",
        }
    }

    /// The slots of this kind, of Red; Black's are sixteen higher.
    pub(super) const fn slots(self) -> std::ops::Range<u8> {
        match self {
            PieceKind::General => 0..1,
            PieceKind::Advisor => 1..3,
            PieceKind::Elephant => 3..5,
            PieceKind::Horse => 5..7,
            PieceKind::Rook => 7..9,
            PieceKind::Cannon => 9..11,
            PieceKind::Soldier => 11..16,
        }
    }
}

/// The kind of each slot of a side.
const KIND_OF_SLOT: [PieceKind; 16] = {
    let mut kinds = [PieceKind::General; 16];
    let mut kind = 0;
    while kind < 7 {
        let slots = PieceKind::ALL[kind].slots();
        let mut slot = slots.start;
        while slot < slots.end {
            kinds[slot as usize] = PieceKind::ALL[kind];
            slot += 1;
        }
        kind += 1;
    }
    kinds
};

/// The kind of a slot.
#[inline]
pub(super) const fn kind_of(slot: u8) -> PieceKind {
    KIND_OF_SLOT[(slot & 15) as usize]
}

/// The side of a slot: 0 Red, 1 Black; 2 for an empty point.
#[inline]
pub(super) const fn side_of(slot: u8) -> u8 {
    slot >> 4
}

/// The piece of a slot, independent of the slot number: 0 for none, else 1 + kind + 7 · side.
#[inline]
pub(super) const fn code_of(slot: u8) -> u8 {
    if slot >= EMPTY { 0 } else { 1 + kind_of(slot) as u8 + 7 * side_of(slot) }
}

/// File and rank of every point; 15 for invalid points.
static PLACES: [(u8, u8); 128] = {
    let mut places = [(15, 15); 128];
    let mut point = 0;
    while point < POINTS {
        places[point] = ((point % FILES) as u8, (point / FILES) as u8);
        point += 1;
    }
    places
};

/// File and rank of a point.
#[inline]
pub(super) fn place(point: u8) -> (u8, u8) {
    PLACES[usize::from(point & 127)]
}

/// The point on a file and rank.
#[inline]
pub(super) const fn point_at(file: u8, rank: u8) -> u8 {
    rank * FILES as u8 + file
}

/// Targets of a stepping piece from each point, the point that must be empty for each ([`NOWHERE`],
/// which is always empty, for none), and their number.
pub(super) struct Steps {
    pub(super) to: [[u8; 8]; 128],
    pub(super) via: [[u8; 8]; 128],
    pub(super) count: [u8; 128],
}

/// The steps (file, rank, file of the blocker, rank of the blocker) of a piece, wherever
/// `may_stand` allows both ends.
const fn steps(offsets: &[(i8, i8, i8, i8)], kind: PieceKind, side: u8) -> Steps {
    let mut table = Steps { to: [[NOWHERE; 8]; 128], via: [[NOWHERE; 8]; 128], count: [0; 128] };
    let mut point = 0;
    while point < POINTS {
        let (file, rank) = ((point % FILES) as i8, (point / FILES) as i8);
        let mut number = 0;
        while number < offsets.len() {
            let (right, up, via_right, via_up) = offsets[number];
            let (new_file, new_rank) = (file + right, rank + up);
            if may_stand(kind, side, file, rank) && may_stand(kind, side, new_file, new_rank) {
                let at = table.count[point] as usize;
                table.to[point][at] = (new_rank * 9 + new_file) as u8;
                let via = (rank + via_up) * 9 + file + via_right;
                table.via[point][at] = if via == point as i8 { NOWHERE } else { via as u8 };
                table.count[point] += 1;
            }
            number += 1;
        }
        point += 1;
    }
    table
}

/// Whether a piece can ever stand there: palace, the seven points of the elephants, the reach of
/// the soldiers.
pub(super) const fn may_stand(kind: PieceKind, side: u8, file: i8, rank: i8) -> bool {
    if file < 0 || file > 8 || rank < 0 || rank > 9 {
        return false;
    }
    let own = if side == 0 { rank } else { 9 - rank };
    match kind {
        PieceKind::General => file >= 3 && file <= 5 && own <= 2,
        PieceKind::Advisor => (file == 4 && own == 1) || ((file == 3 || file == 5) && (own == 0 || own == 2)),
        PieceKind::Elephant => {
            ((file == 2 || file == 6) && (own == 0 || own == 4)) || ((file == 0 || file == 4 || file == 8) && own == 2)
        }
        PieceKind::Soldier => own >= 5 || (own >= 3 && file % 2 == 0),
        PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => true,
    }
}

const STRAIGHT: [(i8, i8, i8, i8); 4] = [(1, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, -1, 0, 0)];
const DIAGONAL: [(i8, i8, i8, i8); 4] = [(1, 1, 0, 0), (-1, 1, 0, 0), (1, -1, 0, 0), (-1, -1, 0, 0)];
const FIELD: [(i8, i8, i8, i8); 4] = [(2, 2, 1, 1), (-2, 2, -1, 1), (2, -2, 1, -1), (-2, -2, -1, -1)];
const LEAP: [(i8, i8, i8, i8); 8] = [
    (1, 2, 0, 1),
    (-1, 2, 0, 1),
    (1, -2, 0, -1),
    (-1, -2, 0, -1),
    (2, 1, 1, 0),
    (2, -1, 1, 0),
    (-2, 1, -1, 0),
    (-2, -1, -1, 0),
];
const RED_MARCH: [(i8, i8, i8, i8); 3] = [(0, 1, 0, 0), (1, 0, 0, 0), (-1, 0, 0, 0)];
const BLACK_MARCH: [(i8, i8, i8, i8); 3] = [(0, -1, 0, 0), (1, 0, 0, 0), (-1, 0, 0, 0)];

/// Steps by side and kind (the rows of rook and cannon are empty).
pub(super) static STEPS: [[Steps; 7]; 2] = [side_steps(0), side_steps(1)];

const fn side_steps(side: u8) -> [Steps; 7] {
    let march = if side == 0 { RED_MARCH } else { BLACK_MARCH };
    [
        steps(&STRAIGHT, PieceKind::General, side),
        steps(&DIAGONAL, PieceKind::Advisor, side),
        steps(&FIELD, PieceKind::Elephant, side),
        steps(&LEAP, PieceKind::Horse, side),
        steps(&[], PieceKind::Rook, side),
        steps(&[], PieceKind::Cannon, side),
        // Sideways only beyond the river: before it the neighbouring files are closed to soldiers.
        steps(&march, PieceKind::Soldier, side),
    ]
}

/// The point a horse at the first index steps over to reach the second; [`NOWHERE`] if it cannot.
pub(super) static LEGS: [[u8; 128]; 128] = {
    let mut legs = [[NOWHERE; 128]; 128];
    let mut point = 0;
    while point < POINTS {
        let table = &STEPS_OF_HORSE;
        let mut number = 0;
        while number < table.count[point] as usize {
            legs[point][table.to[point][number] as usize] = table.via[point][number];
            number += 1;
        }
        point += 1;
    }
    legs
};
const STEPS_OF_HORSE: Steps = steps(&LEAP, PieceKind::Horse, 0);

/// The points from which, or by leaving or entering which, a piece can change whether a general
/// there is in check: its rank and file, and its diagonal neighbours (legs); for [`WATCHED`] also
/// the points of horses.
pub(super) static NEAR: [u128; 128] = near(false);
/// [`NEAR`] and the points from which a horse attacks.
pub(super) static WATCHED: [u128; 128] = near(true);

const fn near(horses: bool) -> [u128; 128] {
    let mut masks = [0; 128];
    let mut point = 0;
    while point < POINTS {
        let (file, rank) = ((point % FILES) as i8, (point / FILES) as i8);
        let mut other = 0;
        while other < POINTS {
            let right = ((other % FILES) as i8 - file).abs();
            let up = ((other / FILES) as i8 - rank).abs();
            if right == 0 || up == 0 || (right == 1 && up == 1) || (horses && right * up == 2) {
                masks[point] |= 1 << other;
            }
            other += 1;
        }
        point += 1;
    }
    masks
}

const KEYS: Zobrist = Zobrist::new("xiangqi");
/// Hash keys by piece code and point.
static PIECE_KEYS: [u64; 15 * 128] = KEYS.keys();
/// The key of Black to move.
const BLACK_KEY: u64 = KEYS.key(15 * 128);

/// The key of a slot's piece on a point.
#[inline]
fn piece_key(slot: u8, point: u8) -> u64 {
    PIECE_KEYS[usize::from(code_of(slot)) * 128 + usize::from(point & 127)]
}

/// Points reachable on an empty board, for the weights.
#[inline]
fn reach(slot: u8, point: u8) -> u64 {
    match kind_of(slot) {
        PieceKind::Rook | PieceKind::Cannon => 17,
        kind => u64::from(STEPS[usize::from(side_of(slot) & 1)][kind as usize].count[usize::from(point & 127)]),
    }
}

/// The pieces and the side to move: all that legality depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// The slot on each point, or [`EMPTY`].
    pub(super) slots: [u8; 128],
    /// The point of each slot, or [`NOWHERE`].
    pub(super) points: [u8; 32],
    /// Occupied files of each rank.
    pub(super) ranks: [u16; 16],
    /// Occupied ranks of each file.
    pub(super) files: [u16; 16],
    /// One byte per slot: points reachable on an empty board. Two words per side.
    pub(super) weights: [u64; 4],
    pub(super) hash: u64,
    /// Side to move: 0 Red, 1 Black.
    pub(super) side: u8,
}

impl Board {
    /// No pieces; Red to move.
    pub(super) const BARE: Board = Board {
        slots: [EMPTY; 128],
        points: [NOWHERE; 32],
        ranks: [0; 16],
        files: [0; 16],
        weights: [0; 4],
        hash: 0,
        side: 0,
    };

    /// Places a piece on an empty point, in the first free slot of its kind; `false` if there is
    /// none.
    pub(super) fn put(&mut self, kind: PieceKind, side: u8, point: u8) -> bool {
        let free = kind.slots().map(|slot| slot + 16 * side).find(|&slot| self.points[usize::from(slot)] == NOWHERE);
        let Some(slot) = free else { return false };
        self.enter(slot, point);
        true
    }

    #[inline]
    fn enter(&mut self, slot: u8, point: u8) {
        let (file, rank) = place(point);
        self.slots[usize::from(point & 127)] = slot;
        self.points[usize::from(slot & 31)] = point;
        self.ranks[usize::from(rank & 15)] |= 1 << file;
        self.files[usize::from(file & 15)] |= 1 << rank;
        self.weights[usize::from(slot >> 3 & 3)] |= reach(slot, point) << (8 * (slot & 7));
        self.hash ^= piece_key(slot, point);
    }

    /// Removes the piece of a slot from the board.
    #[inline]
    pub(super) fn leave(&mut self, slot: u8) {
        let point = self.points[usize::from(slot & 31)];
        let (file, rank) = place(point);
        self.slots[usize::from(point & 127)] = EMPTY;
        self.points[usize::from(slot & 31)] = NOWHERE;
        self.ranks[usize::from(rank & 15)] &= !(1 << file);
        self.files[usize::from(file & 15)] &= !(1 << rank);
        self.weights[usize::from(slot >> 3 & 3)] &= !(0xff << (8 * (slot & 7)));
        self.hash ^= piece_key(slot, point);
    }

    /// Sets the side to move.
    #[inline]
    pub(super) fn give_turn(&mut self, side: u8) {
        if self.side != side {
            self.hash ^= BLACK_KEY;
        }
        self.side = side;
    }

    /// Moves a piece and passes the turn; returns the slot it captured, or [`EMPTY`].
    #[inline]
    pub(super) fn make(&mut self, from: u8, to: u8) -> u8 {
        let slot = self.slots[usize::from(from & 127)];
        let captured = self.slots[usize::from(to & 127)];
        if captured != EMPTY {
            self.leave(captured);
        }
        self.shift(slot, from, to);
        self.hash ^= BLACK_KEY;
        self.side ^= 1;
        captured
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn unmake(&mut self, from: u8, to: u8, captured: u8) {
        let slot = self.slots[usize::from(to & 127)];
        self.shift(slot, to, from);
        if captured != EMPTY {
            self.enter(captured, to);
        }
        self.hash ^= BLACK_KEY;
        self.side ^= 1;
    }

    /// Moves a piece to an empty point.
    #[inline]
    fn shift(&mut self, slot: u8, from: u8, to: u8) {
        let ((file, rank), (new_file, new_rank)) = (place(from), place(to));
        self.slots[usize::from(from & 127)] = EMPTY;
        self.slots[usize::from(to & 127)] = slot;
        self.points[usize::from(slot & 31)] = to;
        self.ranks[usize::from(rank & 15)] &= !(1 << file);
        self.files[usize::from(file & 15)] &= !(1 << rank);
        self.ranks[usize::from(new_rank & 15)] |= 1 << new_file;
        self.files[usize::from(new_file & 15)] |= 1 << new_rank;
        let change = reach(slot, from) ^ reach(slot, to);
        self.weights[usize::from(slot >> 3 & 3)] ^= change << (8 * (slot & 7));
        self.hash ^= piece_key(slot, from) ^ piece_key(slot, to);
    }

    /// The slot on a point.
    #[inline]
    pub(super) fn at(&self, point: u8) -> u8 {
        self.slots[usize::from(point & 127)]
    }

    /// The point of a slot's piece.
    #[inline]
    pub(super) fn point(&self, slot: u8) -> u8 {
        self.points[usize::from(slot & 31)]
    }

    /// The player to move.
    #[inline]
    pub(super) fn turn(&self) -> Player {
        if self.side == 0 { Player::First } else { Player::Second }
    }

    /// The hash, from pieces and turn only.
    pub(super) fn recomputed_hash(&self) -> u64 {
        let mut hash = if self.side == 1 { BLACK_KEY } else { 0 };
        for point in 0..POINTS as u8 {
            if self.at(point) != EMPTY {
                hash ^= piece_key(self.at(point), point);
            }
        }
        hash
    }

    /// Whether the same pieces stand on the same points with the same side to move.
    pub(super) fn same(&self, other: &Board) -> bool {
        self.hash == other.hash
            && self.side == other.side
            && (0..POINTS).all(|point| code_of(self.slots[point]) == code_of(other.slots[point]))
    }
}
