//! Legal moves: pseudo-legal steps, check, and the few moves that need a safety test.
//!
//! A general is attacked by a rook with nothing between, a cannon with one piece between, the other
//! general on an open file, a horse whose leg is free, and a soldier beside or before it. While it
//! is not in check, a move of another piece can only expose it
//!
//! * by *leaving* a point: the single piece between it and a rook or general, one of two between it
//!   and a cannon, or the leg of a horse that would attack it;
//! * by *entering* a point between it and a cannon with nothing between yet (the piece becomes the
//!   screen).
//!
//! [`Watch`] holds these two sets of points. All other moves are legal without a test; moves that
//! touch the sets, moves of the general and all moves out of check are tested one by one
//! ([`Board::keeps_safe`]), without being made.

use super::board::{Board, EMPTY, LEGS, NEAR, NOWHERE, PieceKind, STEPS, WATCHED, kind_of, place, point_at, side_of};
use std::ops::ControlFlow;

/// The points that matter for the safety of the general of the side to move.
struct Watch {
    /// Pieces here may be blocking an attack.
    leaving: u128,
    /// A piece placed here may become a screen.
    entering: u128,
    /// The general is in check: everything must be tested.
    checked: bool,
}

#[inline]
const fn bit(point: u8) -> u128 {
    1 << (point & 127)
}

/// The bits strictly between two places of a line.
#[inline]
const fn between(one: u8, two: u8) -> u16 {
    let (low, high) = if one < two { (one, two) } else { (two, one) };
    ((1_u16 << (high & 15)) - 1) & !((2_u16 << (low & 15)) - 1)
}

/// Whether this many bits (none or one) are set.
#[inline]
const fn counts(bits: u16, wanted: u32) -> bool {
    if wanted == 0 { bits == 0 } else { bits != 0 && bits & (bits - 1) == 0 }
}

/// The slots whose pieces attack along lines: rooks, cannons, the general.
const LINE_SLOTS: [u8; 5] = [7, 8, 9, 10, 0];

/// The first and second occupied places above `at` on a line; 16 or more if there is none.
#[inline]
fn above(line: u16, at: u8) -> (u8, u8) {
    let beyond = u32::from(line) & (!1_u32 << at) | 0x3_0000;
    let first = beyond.trailing_zeros();
    (first as u8, (beyond & (beyond - 1)).trailing_zeros() as u8)
}

/// The first and second occupied places below `at` on a line; more than 15 if there is none.
#[inline]
fn below(line: u16, at: u8) -> (u8, u8) {
    // Shifted up by two, so that two sentinels fit below place 0.
    let beyond = (u32::from(line) & ((1 << at) - 1)) << 2 | 3;
    let first = 31 - beyond.leading_zeros();
    let second = 31 - (beyond ^ (1 << first)).leading_zeros();
    ((first as u8).wrapping_sub(2), (second as u8).wrapping_sub(2))
}

impl Board {
    /// Whether the general of `side` would be safe after its own piece has moved from one point to
    /// another ([`NOWHERE`] twice: in the current position). The move need not have been made.
    #[inline]
    pub(super) fn keeps_safe(&self, side: u8, from: u8, to: u8) -> bool {
        let mut general = self.point(16 * side);
        if general == from {
            general = to;
        }
        let enemy = 16 * (side ^ 1);
        let (file, rank) = place(general);
        // Next to it, and before it: soldiers come from above for Red's general, from below for
        // Black's.
        let front = if side == 0 { general + 9 } else { general.wrapping_sub(9) };
        let hit = |point: u8| point != to && PieceKind::Soldier.slots().contains(&self.at(point).wrapping_sub(enemy));
        if hit(general + 1) | hit(general.wrapping_sub(1)) | hit(front) {
            return false;
        }
        for slot in PieceKind::Horse.slots() {
            let horse = self.point(slot + enemy);
            let leg = LEGS[usize::from(horse & 127)][usize::from(general & 127)];
            if leg != NOWHERE && horse != to && leg != to && (leg == from || self.at(leg) == EMPTY) {
                return false;
            }
        }
        for slot in LINE_SLOTS {
            let attacker = self.point(slot + enemy);
            let (its_file, its_rank) = place(attacker);
            if (its_file != file && its_rank != rank) || attacker == to {
                continue;
            }
            let ((from_file, from_rank), (to_file, to_rank)) = (place(from), place(to));
            let mut line;
            if its_rank == rank {
                line = self.ranks[usize::from(rank & 15)];
                line &= !(u16::from(from_rank == rank) << from_file);
                line |= u16::from(to_rank == rank) << to_file;
                line &= between(file, its_file);
            } else {
                line = self.files[usize::from(file & 15)];
                line &= !(u16::from(from_file == file) << from_rank);
                line |= u16::from(to_file == file) << to_rank;
                line &= between(rank, its_rank);
            }
            let screens = u32::from(PieceKind::Cannon.slots().contains(&slot));
            if counts(line, screens) {
                return false;
            }
        }
        true
    }

    /// Whether the general of `side` is in check.
    #[inline]
    pub(super) fn in_check(&self, side: u8) -> bool {
        !self.keeps_safe(side, NOWHERE, NOWHERE)
    }

    /// Whether the side to move is in check after the move from one point to another that has just
    /// been made.
    #[inline]
    pub(super) fn checked_by(&self, from: u8, to: u8) -> bool {
        let general = self.point(16 * self.side);
        (bit(from) | bit(to)) & WATCHED[usize::from(general & 127)] != 0 && self.in_check(self.side)
    }

    /// Whether a pseudo-legal move of the side to move leaves its general safe.
    #[inline]
    pub(super) fn is_safe(&self, from: u8, to: u8, checked: bool) -> bool {
        let general = self.point(16 * self.side);
        let touches = (bit(from) | bit(to)) & NEAR[usize::from(general & 127)] != 0;
        (!touches && !checked) || self.keeps_safe(self.side, from, to)
    }

    /// Whether a piece of `side` may move from one point to another, ignoring the safety of its
    /// general.
    pub(super) fn is_pseudo_legal(&self, side: u8, from: u8, to: u8) -> bool {
        let slot = self.at(from);
        if side_of(slot) != side || from == to || side_of(self.at(to)) == side {
            return false;
        }
        match kind_of(slot) {
            kind @ (PieceKind::Rook | PieceKind::Cannon) => {
                let captures = kind == PieceKind::Cannon && self.at(to) != EMPTY;
                self.sees(from, to, u32::from(captures))
            }
            kind => {
                let table = &STEPS[usize::from(side & 1)][kind as usize];
                let from = usize::from(from & 127);
                (0..usize::from(table.count[from]))
                    .any(|number| table.to[from][number] == to && self.at(table.via[from][number]) == EMPTY)
            }
        }
    }

    /// Whether two points share a line with this many pieces (none or one) between them.
    #[inline]
    pub(super) fn sees(&self, from: u8, to: u8, screens: u32) -> bool {
        let ((file, rank), (to_file, to_rank)) = (place(from), place(to));
        if rank == to_rank {
            counts(self.ranks[usize::from(rank & 15)] & between(file, to_file), screens)
        } else {
            file == to_file && counts(self.files[usize::from(file & 15)] & between(rank, to_rank), screens)
        }
    }

    /// The points between two points of a line, as bits, and the pieces on them.
    fn segment(&self, one: u8, two: u8) -> Option<(u128, u128)> {
        let ((file, rank), (other_file, other_rank)) = (place(one), place(two));
        let (mut line, occupied, step, base) = if rank == other_rank {
            (between(file, other_file), self.ranks[usize::from(rank & 15)], 1, point_at(0, rank))
        } else if file == other_file {
            (between(rank, other_rank), self.files[usize::from(file & 15)], 9, file)
        } else {
            return None;
        };
        let (mut points, mut pieces) = (0, 0);
        while line != 0 {
            let number = line.trailing_zeros() as u8;
            let here = bit(base + number * step);
            points |= here;
            if occupied >> number & 1 == 1 {
                pieces |= here;
            }
            line &= line - 1;
        }
        Some((points, pieces))
    }

    fn watch(&self, checked: bool) -> Watch {
        let mut watch = Watch { leaving: 0, entering: 0, checked };
        if checked {
            return watch;
        }
        let general = self.point(16 * self.side);
        let enemy = 16 * (self.side ^ 1);
        for slot in LINE_SLOTS {
            let attacker = self.point(slot + enemy);
            if attacker == NOWHERE || bit(attacker) & NEAR[usize::from(general & 127)] == 0 {
                continue;
            }
            let Some((points, pieces)) = self.segment(general, attacker) else { continue };
            let screens = if kind_of(slot) == PieceKind::Cannon { 1 } else { 0 };
            if pieces.count_ones() == screens + 1 {
                watch.leaving |= pieces;
            }
            if screens == 1 && pieces == 0 {
                watch.entering |= points;
            }
        }
        for slot in PieceKind::Horse.slots() {
            let horse = self.point(slot + enemy);
            if horse != NOWHERE {
                let leg = LEGS[usize::from(horse)][usize::from(general & 127)];
                if leg != NOWHERE {
                    watch.leaving |= bit(leg);
                }
            }
        }
        watch
    }

    /// Passes the pseudo-legal targets of a slot of `side` to `f`, until it breaks.
    #[inline]
    pub(super) fn targets<B>(&self, slot: u8, mut f: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        let (from, side) = (self.point(slot), side_of(slot));
        let kind = kind_of(slot);
        if kind == PieceKind::Rook || kind == PieceKind::Cannon {
            let (file, rank) = place(from);
            self.slide(kind, side, file, rank, true, &mut f)?;
            return self.slide(kind, side, rank, file, false, &mut f);
        }
        let table = &STEPS[usize::from(side & 1)][kind as usize];
        let from = usize::from(from & 127);
        for number in 0..usize::from(table.count[from]).min(8) {
            let to = table.to[from][number];
            if self.at(table.via[from][number]) == EMPTY && side_of(self.at(to)) != side {
                f(to)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The targets of a rook or cannon along one line: the free points next to it, and its
    /// captures.
    #[inline]
    fn slide<B>(
        &self,
        kind: PieceKind,
        side: u8,
        at: u8,
        across: u8,
        along_rank: bool,
        f: &mut impl FnMut(u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (line, length) = if along_rank {
            (self.ranks[usize::from(across & 15)], 9)
        } else {
            (self.files[usize::from(across & 15)], 10)
        };
        let point = |number: u8| if along_rank { point_at(number, across) } else { point_at(across, number) };
        let (up, up_second) = above(line, at);
        let (down, down_second) = below(line, at);
        for number in at + 1..up.min(length) {
            f(point(number))?;
        }
        for number in (if down < length { down + 1 } else { 0 }..at).rev() {
            f(point(number))?;
        }
        let prey = if kind == PieceKind::Rook { [up, down] } else { [up_second, down_second] };
        for number in prey {
            if number < length && side_of(self.at(point(number))) == side ^ 1 {
                f(point(number))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The number of targets of [`Board::slide`] along both lines.
    #[inline]
    fn slide_count(&self, kind: PieceKind, side: u8, from: u8) -> usize {
        let (file, rank) = place(from);
        let mut count = 0;
        let mut line = |line: u16, at: u8, length: u8, point: &dyn Fn(u8) -> u8| {
            let ((up, up_second), (down, down_second)) = (above(line, at), below(line, at));
            count += usize::from(up.min(length) - at - 1);
            count += usize::from(if down < length { at - down - 1 } else { at });
            let prey = if kind == PieceKind::Rook { [up, down] } else { [up_second, down_second] };
            for number in prey {
                count += usize::from(number < length && side_of(self.at(point(number))) == side ^ 1);
            }
        };
        line(self.ranks[usize::from(rank & 15)], file, 9, &|number| point_at(number, rank));
        line(self.files[usize::from(file & 15)], rank, 10, &|number| point_at(file, number));
        count
    }

    /// Passes every legal move of the side to move to `f` as (from, to), until it breaks.
    /// `checked`: the side is in check.
    #[inline]
    pub(super) fn visit_legal<B>(&self, checked: bool, mut f: impl FnMut(u8, u8) -> ControlFlow<B>) -> ControlFlow<B> {
        let watch = self.watch(checked);
        for slot in 16 * self.side..16 * self.side + 16 {
            let from = self.point(slot);
            if from == NOWHERE {
                continue;
            }
            let suspicious = watch.checked || slot & 15 == 0 || watch.leaving & bit(from) != 0;
            self.targets(slot, |to| {
                if (suspicious || watch.entering & bit(to) != 0) && !self.keeps_safe(self.side, from, to) {
                    return ControlFlow::Continue(());
                }
                f(from, to)
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Passes every legal capture of the side to move to `f` as (from, to), until it breaks.
    /// `checked`: the side is in check.
    #[inline]
    pub(super) fn visit_captures<B>(
        &self,
        checked: bool,
        mut f: impl FnMut(u8, u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let watch = self.watch(checked);
        let enemy = self.side ^ 1;
        for slot in 16 * self.side..16 * self.side + 16 {
            let from = self.point(slot);
            if from == NOWHERE {
                continue;
            }
            let suspicious = watch.checked || slot & 15 == 0 || watch.leaving & bit(from) != 0;
            let mut offer = |to: u8| {
                if (suspicious || watch.entering & bit(to) != 0) && !self.keeps_safe(self.side, from, to) {
                    return ControlFlow::Continue(());
                }
                f(from, to)
            };
            let kind = kind_of(slot);
            if kind == PieceKind::Rook || kind == PieceKind::Cannon {
                let (file, rank) = place(from);
                for along_rank in [true, false] {
                    let (line, at) = if along_rank {
                        (self.ranks[usize::from(rank & 15)], file)
                    } else {
                        (self.files[usize::from(file & 15)], rank)
                    };
                    let ((up, up_second), (down, down_second)) = (above(line, at), below(line, at));
                    let prey = if kind == PieceKind::Rook { [up, down] } else { [up_second, down_second] };
                    for number in prey {
                        let length = if along_rank { 9 } else { 10 };
                        let to = if along_rank { point_at(number & 15, rank) } else { point_at(file, number & 15) };
                        if number < length && side_of(self.at(to)) == enemy {
                            offer(to)?;
                        }
                    }
                }
                continue;
            }
            let table = &STEPS[usize::from(self.side & 1)][kind as usize];
            let from = usize::from(from & 127);
            for number in 0..usize::from(table.count[from]).min(8) {
                let to = table.to[from][number];
                if side_of(self.at(to)) == enemy && self.at(table.via[from][number]) == EMPTY {
                    offer(to)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The number of legal moves of the side to move.
    pub(super) fn legal_count(&self, checked: bool) -> usize {
        let watch = self.watch(checked);
        let mut count = 0;
        for slot in 16 * self.side..16 * self.side + 16 {
            let from = self.point(slot);
            if from == NOWHERE {
                continue;
            }
            let suspicious = watch.checked || slot & 15 == 0 || watch.leaving & bit(from) != 0;
            let kind = kind_of(slot);
            if !suspicious && watch.entering == 0 && (kind == PieceKind::Rook || kind == PieceKind::Cannon) {
                count += self.slide_count(kind, self.side, from);
                continue;
            }
            let _ = self.targets::<()>(slot, |to| {
                let tested = suspicious || watch.entering & bit(to) != 0;
                count += usize::from(!tested || self.keeps_safe(self.side, from, to));
                ControlFlow::Continue(())
            });
        }
        count
    }

    /// Whether the side to move has a legal move.
    pub(super) fn has_legal_move(&self, checked: bool) -> bool {
        self.visit_legal(checked, |_, _| ControlFlow::Break(())).is_break()
    }
}
