//! Othello on 4×4, 6×6 and 8×8 boards: place a disc so that it encloses lines of opposing discs,
//! which are turned over.
//!
//! X (Black) moves first. A player who cannot turn any disc over passes, which is a move and only
//! legal then; when neither player can, the game has ended and the player with more discs wins. The
//! margin is the difference of discs. Tournament records and endgame collections (OBF) also give
//! the empty squares to the winner: `empties=winner`; a draw splits them, so the margin of a draw
//! is 0 either way, and the winner is the same.
//!
//! A position is two bitboards (see `bits.rs`) and the squares where the mover may play, updated
//! after every move so that queries for moves, their number, legality and the end are free. The
//! hash is not maintained but computed on demand: the state is 130 bits, two mixing steps; a key
//! per flipped disc and move would cost more than the move itself.
//!
//! **Random positions** (`random_plies=44,seed=7`; Zhang 2019 ch. 2 takes 8×8 positions 44 plies
//! into the game, 16 empty squares): attempt number a = 0, 1, … takes the stream
//! `Rng::new(Seed(seed)).split(a)` and places that many discs, each move uniform among the legal
//! ones. Forced passes are made and not counted, so the number of empty squares is the same for
//! every seed. If the game ends before or with the last disc, the next attempt follows.

mod bits;
mod encoding;
mod endgame;
pub mod heuristic;
mod notation;
mod playout;
pub mod solving;

pub use encoding::OthelloPlanes;
pub use endgame::OthelloEndgame;
pub use notation::SetupError;

use crate::select::select;
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{Game, Outcome, Player, Position, PositionHash, Rng, Seed, Trace, Zobrist, mix};

const KEYS: [u64; 4] = Zobrist::new("othello").keys();

/// The most random games started for a random position.
const MOST_ATTEMPTS: u64 = 10_000;

/// The owner of the empty squares at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Empties {
    /// Neither: the margin is the difference of discs on the board.
    #[default]
    None,
    /// The winner, as in tournament records and OBF files.
    Winner,
}

/// Why a game does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OthelloError {
    /// Not one of the three boards.
    #[error("an Othello board has 4, 6 or 8 rows, not {size}")]
    Size {
        /// The requested size.
        size: u32,
    },
    /// No random game is long enough.
    #[error("{MOST_ATTEMPTS} random games of seed {seed} had all ended before {plies} discs were placed")]
    RandomPlies {
        /// Discs to place.
        plies: u32,
        /// Seed of the games.
        seed: u64,
    },
}

/// A move: a disc on a square, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u8);

impl Move {
    /// The pass; legal only when no disc can be placed and the opponent can move.
    pub const PASS: Move = Move(64);

    /// A disc on this square of the 8×8 grid (a smaller board is its top left corner); `None` off
    /// the grid.
    #[must_use]
    pub const fn disc(column: u8, row: u8) -> Option<Move> {
        if column < 8 && row < 8 { Some(Move(row * 8 + column)) } else { None }
    }

    /// Column and row, from 0 at the top left; `None` for a pass.
    #[must_use]
    pub const fn square(self) -> Option<(u8, u8)> {
        if self.0 < 64 { Some((self.0 % 8, self.0 / 8)) } else { None }
    }
}

/// The options of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// Place a disc.
    Disc,
    /// Only pass.
    Pass,
    /// Neither player can move.
    Ended,
}

/// A position of Othello. X, Black, is the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello {
    discs: [u64; 2],
    /// The squares where the mover may place a disc; determined by the discs and the turn.
    placements: u64,
    turn: Player,
    status: Status,
    size: u8,
    empties: Empties,
}

impl Othello {
    /// The starting position on a board of `size` rows.
    ///
    /// # Errors
    /// If the size is not 4, 6 or 8.
    pub fn new(size: u32, empties: Empties) -> Result<Othello, OthelloError> {
        if ![4, 6, 8].contains(&size) {
            return Err(OthelloError::Size { size });
        }
        // The rising diagonal of the centre (e4 and d5 on 8×8) is Black's.
        let half = size / 2;
        let square = |column: u32, row: u32| 1_u64 << (row * 8 + column);
        let black = square(half, half - 1) | square(half - 1, half);
        let white = square(half - 1, half - 1) | square(half, half);
        Ok(Othello::set_up([black, white], Player::First, size as u8, empties))
    }

    /// A position with these discs on the board.
    fn set_up(discs: [u64; 2], turn: Player, size: u8, empties: Empties) -> Othello {
        let mut position = Othello { discs, placements: 0, turn, status: Status::Disc, size, empties };
        position.look(position.board());
        position
    }

    /// The position after this many random discs, as the head of this module describes.
    ///
    /// # Errors
    /// If ten thousand games were too short.
    pub fn after_random_plies(self, plies: u32, seed: u64) -> Result<Othello, OthelloError> {
        if plies == 0 {
            return Ok(self);
        }
        let streams = Rng::new(Seed(seed));
        for attempt in 0..MOST_ATTEMPTS {
            let (mut position, mut rng, mut put) = (self, streams.split(attempt), 0);
            while put < plies {
                let Some(mv) = position.random_move(&mut rng) else { break };
                position.play(mv);
                put += u32::from(mv != Move::PASS);
            }
            if put == plies && position.status != Status::Ended {
                return Ok(position);
            }
        }
        Err(OthelloError::RandomPlies { plies, seed })
    }

    /// Rows and columns of the board.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size as u32
    }

    /// The owner of the empty squares at the end.
    #[must_use]
    pub const fn empties_rule(&self) -> Empties {
        self.empties
    }

    /// The discs of a player: bit 8·row + column, row 0 at the top.
    #[inline]
    #[must_use]
    pub const fn discs(&self, player: Player) -> u64 {
        self.discs[player.index()]
    }

    /// The empty squares, in the same order.
    #[inline]
    #[must_use]
    pub const fn empty(&self) -> u64 {
        self.board() & !(self.discs[0] | self.discs[1])
    }

    /// The squares where `player` could place a disc if to move.
    #[inline]
    #[must_use]
    pub const fn placements(&self, player: Player) -> u64 {
        bits::placements(self.discs[player.index()], self.discs[player.other().index()], self.board())
    }

    /// All squares.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> u64 {
        match self.size {
            8 => u64::MAX,
            6 => 0x0000_3f3f_3f3f_3f3f,
            _ => 0x0f0f_0f0f,
        }
    }

    /// Determines the options of the mover.
    #[inline(always)]
    fn look(&mut self, board: u64) {
        let (own, other) = (self.discs[self.turn.index()], self.discs[self.turn.other().index()]);
        self.placements = bits::placements(own, other, board);
        self.status = if self.placements != 0 {
            Status::Disc
        } else if bits::placements(other, own, board) != 0 {
            Status::Pass
        } else {
            Status::Ended
        };
    }

    /// The hash of these discs, with this player to move.
    #[inline(always)]
    fn hash_of(&self, discs: [u64; 2], turn: Player) -> PositionHash {
        let rest = turn as u64 | (self.empties as u64) << 1 | u64::from(self.size) << 2;
        let black = mix(discs[0] ^ KEYS[0]);
        PositionHash(mix(black.wrapping_add(discs[1] ^ KEYS[1]).wrapping_add(rest.wrapping_mul(KEYS[2]))))
    }

    /// The result of counting the board as it stands.
    #[inline]
    fn count(&self, [black, white]: [u64; 2]) -> Outcome {
        let (black, white) = (black.count_ones() as i32, white.count_ones() as i32);
        let difference = black - white;
        Outcome::by_margin(match self.empties {
            Empties::None => difference,
            Empties::Winner => {
                let cells = i32::from(self.size) * i32::from(self.size);
                difference + difference.signum() * (cells - black - white)
            }
        })
    }
}

impl Position for Othello {
    type Move = Move;
    type Undo = Othello;

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.status == Status::Ended).then(|| self.count(self.discs))
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.status == Status::Pass {
            return f(Move::PASS);
        }
        let mut left = self.placements;
        while left != 0 {
            f(Move(left.trailing_zeros() as u8))?;
            left &= left - 1;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        if mv != Move::PASS {
            let (mover, waiter) = (self.turn.index(), self.turn.other().index());
            let turned = bits::flips(self.discs[mover], self.discs[waiter], u32::from(mv.0));
            self.discs[mover] |= turned | 1 << mv.0;
            self.discs[waiter] &= !turned;
        }
        self.turn = self.turn.other();
        self.look(self.board());
    }

    /// Two mixing steps over the discs, combined with the turn, the size and the rule.
    #[inline]
    fn hash(&self) -> PositionHash {
        self.hash_of(self.discs, self.turn)
    }

    fn recomputed_hash(&self) -> PositionHash {
        // Place every disc on an empty board again, as the notation shows it.
        let mut discs = [0; 2];
        for (column, row) in (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row))) {
            if let Some(owner) = self.disc_at(column, row) {
                discs[owner.index()] += 1_u64 << (u32::from(row) * 8 + u32::from(column));
            }
        }
        Othello::set_up(discs, self.turn, self.size, self.empties).hash()
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(u32::from(self.size) * u32::from(self.size))
    }

    fn move_space(&self) -> usize {
        usize::from(self.size) * usize::from(self.size) + 1
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        match mv.square() {
            Some((column, row)) => usize::from(row) * usize::from(self.size) + usize::from(column),
            None => usize::from(self.size) * usize::from(self.size),
        }
    }

    fn move_at(&self, index: usize) -> Option<Move> {
        let size = usize::from(self.size);
        match index {
            _ if index < size * size => Some(Move((index / size * 8 + index % size) as u8)),
            _ if index == size * size => Some(Move::PASS),
            _ => None,
        }
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        if mv == Move::PASS { self.status == Status::Pass } else { self.placements >> mv.0 & 1 == 1 }
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.status == Status::Pass { 1 } else { self.placements.count_ones() as usize }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        match self.status {
            Status::Disc => {
                let rank = rng.below(self.placements.count_ones());
                Some(Move(select(self.placements, rank) as u8))
            }
            Status::Pass => Some(Move::PASS),
            Status::Ended => None,
        }
    }

    #[inline]
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        playout::playout(self, rng, trace)
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Othello {
        let before = *self;
        self.play(mv);
        before
    }

    #[inline]
    fn unmake(&mut self, _: Move, before: Othello) {
        *self = before;
    }

    #[inline]
    fn glance(&self, mv: Move) -> Option<(Option<Outcome>, PositionHash)> {
        let (mover, waiter) = (self.turn.index(), self.turn.other().index());
        let mut discs = self.discs;
        if mv != Move::PASS {
            let turned = bits::flips(discs[mover], discs[waiter], u32::from(mv.0));
            discs[mover] |= turned | 1 << mv.0;
            discs[waiter] &= !turned;
        }
        let goes_on = bits::can_place(discs[waiter], discs[mover], self.board())
            || bits::can_place(discs[mover], discs[waiter], self.board());
        let outcome = if goes_on { None } else { Some(self.count(discs)) };
        Some((outcome, self.hash_of(discs, self.turn.other())))
    }
}

impl Game for Othello {
    type Position = Othello;
    const TITLE: &'static str = "Othello";
    const DESCRIPTION: Description = Description {
        name: "othello",
        about: "enclose lines of opposing discs to turn them over; more discs win",
        parameters: &[
            Parameter {
                name: "size",
                about: "rows and columns: 4, 6 or 8",
                kind: Kind::Integer(4, 8),
                default: Some("8"),
            },
            Parameter {
                name: "empties",
                about: "who gets the empty squares at the end, in the margin",
                kind: Kind::Choice(&["none", "winner"]),
                default: Some("none"),
            },
            Parameter {
                name: "random_plies",
                about: "start after this many random discs (44 on 8×8: Zhang's endgames)",
                kind: Kind::Integer(0, 60),
                default: Some("0"),
            },
            Parameter {
                name: "seed",
                about: "which random start",
                kind: Kind::Integer(0, i64::MAX),
                default: Some("1"),
            },
            Parameter {
                name: "position",
                about: "start from this position: X, O or '.' for every square, row by row from a1 \
                        at the top left, a blank, X or O to move",
                kind: Kind::Text,
                default: None,
            },
        ],
    };
    const MOVES: &'static str = "squares, a1 is the top left one, or pass";

    fn start(arguments: &Arguments) -> Result<Othello, ArgumentError> {
        let empties = if arguments.word("empties") == "winner" { Empties::Winner } else { Empties::None };
        let mut start =
            Othello::new(arguments.count("size"), empties).map_err(|error| ArgumentError::of("size", error))?;
        if let Some(text) = arguments.text("position") {
            start = start.with_text(text).map_err(|error| ArgumentError::of("position", error))?;
        }
        let seed = arguments.integer("seed").unsigned_abs();
        start
            .after_random_plies(arguments.count("random_plies"), seed)
            .map_err(|error| ArgumentError::of("random_plies", error))
    }
}
