//! Games on file: what was played from where, by whom, under which limits and seed. All numbers are
//! little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `tesujigm` |
//! | u32 | version, 1 |
//! | u32 + text | the origin: game, agent, limits, openings and seed, a line each |
//! | u32 | CRC-32 of everything before |
//! | records | one a game, in the order of their numbers |
//!
//! and a record is
//!
//! | bytes | what |
//! |---|---|
//! | u16 | length of what follows, without the checksum |
//! | u32 | number of the game, from 0 |
//! | u16 | random plies at its beginning |
//! | u16 | score of the first player, in 1/60,000 |
//! | u8 … or u16 … | the moves by their indices: one byte each if all indices of the game fit |
//! | u32 | CRC-32 of the record up to here |
//!
//! A game of 9×9 Go takes about 80 bytes. Records are appended whole, so a program that is killed
//! leaves whole records and at most one torn one at the end. [`Archive::read`] tells how many bytes
//! are whole; the writer cuts the rest off and goes on with the next number. Since every game has a
//! seed of its own, the file then is the same, to the byte, as one written in one go. A record that
//! is damaged with others after it was not torn by a kill, and is refused.

use tesuji_core::{Score, crc32};

const MAGIC: &[u8; 8] = b"tesujigm";
const VERSION: u32 = 1;
const MOST_TEXT: usize = 1 << 16;
/// Number, plies and score.
const FIXED: usize = 8;
/// The longest game that fits a record.
pub const MOST_MOVES: usize = (u16::MAX as usize - FIXED) / 2;

/// Why a file of games cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Not such a file.
    #[error("this is not a file of games: it should begin with \"tesujigm\"")]
    Foreign,
    /// A version that this program does not read.
    #[error("the file of games has version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The beginning, which says where the games come from, is damaged or cut off.
    #[error("the beginning of the file of games is damaged")]
    Origin,
    /// A record in the middle is damaged.
    #[error("the file of games is damaged at byte {at}: {why}")]
    Damaged {
        /// Where the record begins.
        at: usize,
        /// What is wrong.
        why: &'static str,
    },
}

/// Where games come from: equal origins have equal games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The spec of the game.
    pub game: String,
    /// The spec of the agent that played both sides.
    pub agent: String,
    /// The limits of each move, in words.
    pub limits: String,
    /// Games begin with up to this many random plies.
    pub openings: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// Whether indices of moves take two bytes.
    pub wide: bool,
}

impl Origin {
    fn to_text(&self) -> String {
        let Origin { game, agent, limits, openings, seed, wide } = self;
        format!("{game}\n{agent}\n{limits}\n{openings}\n{seed}\n{}", if *wide { 2 } else { 1 })
    }

    fn of_text(text: &str) -> Option<Origin> {
        let mut lines = text.lines();
        let mut line = || lines.next();
        let (game, agent, limits) = (line()?.to_string(), line()?.to_string(), line()?.to_string());
        let (openings, seed) = (line()?.parse().ok()?, line()?.parse().ok()?);
        let wide = match line()? {
            "1" => false,
            "2" => true,
            _ => return None,
        };
        line().is_none().then_some(Origin { game, agent, limits, openings, seed, wide })
    }

    /// The beginning of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.to_text();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        let sum = crc32(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Its number.
    pub number: u32,
    /// Random plies at its beginning.
    pub opening: u16,
    /// The score of the first player.
    pub score: Score,
    /// The indices of all moves, those of the opening included.
    pub moves: Vec<u16>,
}

impl PlayedGame {
    /// The record, or nothing if the game is too long or a move does not fit.
    #[must_use]
    pub fn to_bytes(&self, wide: bool) -> Option<Vec<u8>> {
        if self.moves.len() > MOST_MOVES || !wide && self.moves.iter().any(|mv| *mv > 255) {
            return None;
        }
        let length = FIXED + self.moves.len() * if wide { 2 } else { 1 };
        let mut bytes = Vec::with_capacity(length + 6);
        bytes.extend_from_slice(&(length as u16).to_le_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.opening.to_le_bytes());
        bytes.extend_from_slice(&(self.score.units() as u16).to_le_bytes());
        for mv in &self.moves {
            bytes.extend_from_slice(&mv.to_le_bytes()[..if wide { 2 } else { 1 }]);
        }
        let sum = crc32(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        Some(bytes)
    }

    fn of_bytes(fields: &[u8], wide: bool) -> Option<PlayedGame> {
        let (fixed, moves) = fields.split_at_checked(FIXED)?;
        let units = u16::from_le_bytes([fixed[6], fixed[7]]);
        let game = PlayedGame {
            number: u32::from_le_bytes([fixed[0], fixed[1], fixed[2], fixed[3]]),
            opening: u16::from_le_bytes([fixed[4], fixed[5]]),
            score: Score::from_units(u32::from(units))?,
            moves: if wide {
                moves.chunks(2).map(|two| Some(u16::from_le_bytes([two[0], *two.get(1)?]))).collect::<Option<_>>()?
            } else {
                moves.iter().map(|mv| u16::from(*mv)).collect()
            },
        };
        (usize::from(game.opening) <= game.moves.len()).then_some(game)
    }

    /// Whether the game is held out of every fit: one in five, by its number.
    #[must_use]
    pub fn is_held_out(&self) -> bool {
        self.number % 5 == 4
    }
}

/// A file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archive {
    /// Where the games come from.
    pub origin: Origin,
    /// The games, by their numbers from 0.
    pub games: Vec<PlayedGame>,
    /// The bytes that are whole: behind them there is nothing, or a torn record.
    pub whole: usize,
}

impl Archive {
    /// Reads a file of games.
    ///
    /// # Errors
    /// If it is not one, or damaged before its end.
    pub fn read(bytes: &[u8]) -> Result<Archive, ArchiveError> {
        let word = |at: usize| -> Option<u32> {
            let four = bytes.get(at..at.checked_add(4)?)?;
            Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        };
        if bytes.get(..8) != Some(&MAGIC[..]) {
            return Err(ArchiveError::Foreign);
        }
        match word(8) {
            Some(VERSION) => {}
            Some(other) => return Err(ArchiveError::Version(other)),
            None => return Err(ArchiveError::Origin),
        }
        let length = word(12).ok_or(ArchiveError::Origin)? as usize;
        if length > MOST_TEXT {
            return Err(ArchiveError::Origin);
        }
        let end = 16 + length;
        if bytes.len() < end + 4 || word(end) != Some(crc32(&bytes[..end])) {
            return Err(ArchiveError::Origin);
        }
        let text = std::str::from_utf8(&bytes[16..end]).map_err(|_| ArchiveError::Origin)?;
        let origin = Origin::of_text(text).ok_or(ArchiveError::Origin)?;
        let mut archive = Archive { origin, games: Vec::new(), whole: end + 4 };
        archive.read_records(bytes)?;
        Ok(archive)
    }

    fn read_records(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        loop {
            let at = self.whole;
            let rest = &bytes[at..];
            let Some(length) = rest.get(..2).map(|two| usize::from(u16::from_le_bytes([two[0], two[1]]))) else {
                return Ok(());
            };
            let Some(record) = rest.get(..length + 6) else { return Ok(()) };
            let damaged = |why: &'static str| Err(ArchiveError::Damaged { at, why });
            let (content, sum) = record.split_at(length + 2);
            if crc32(content).to_le_bytes() != sum {
                // A record at the very end may have been written in part.
                return if rest.len() == record.len() { Ok(()) } else { damaged("a checksum does not match") };
            }
            match PlayedGame::of_bytes(&content[2..], self.origin.wide) {
                Some(game) if game.number as usize == self.games.len() => self.games.push(game),
                Some(_) => return damaged("the number of a game is not the next one"),
                None => return damaged("a record makes no sense"),
            }
            self.whole = at + record.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Archive, ArchiveError, Origin, PlayedGame};
    use tesuji_core::Score;

    fn origin(wide: bool) -> Origin {
        let (game, agent) = ("go(size=9)".into(), "zero".into());
        Origin { game, agent, limits: "iterations 16".into(), openings: 8, seed: 7, wide }
    }

    fn games() -> Vec<PlayedGame> {
        let game = |number: u32| PlayedGame {
            number,
            opening: (number % 3) as u16,
            score: if number.is_multiple_of(2) { Score::WIN } else { Score::LOSS },
            moves: (0..5 + number as u16 * 3).map(|ply| ply * 7 % 82).collect(),
        };
        (0..6).map(game).collect()
    }

    fn file(wide: bool) -> Vec<u8> {
        let mut bytes = origin(wide).to_bytes();
        games().iter().for_each(|game| bytes.extend(game.to_bytes(wide).expect("it fits")));
        bytes
    }

    #[test]
    fn games_come_back() {
        for wide in [false, true] {
            let archive = Archive::read(&file(wide)).expect("whole");
            assert_eq!((archive.origin, archive.games, archive.whole), (origin(wide), games(), file(wide).len()));
        }
        let far = PlayedGame { moves: vec![300], opening: 0, ..games()[0].clone() };
        assert_eq!(far.to_bytes(false), None, "one byte does not hold 300");
        assert!(far.to_bytes(true).is_some());
    }

    /// Wherever a writer was killed: what is whole is kept, and going on gives the same file.
    #[test]
    fn a_kill_at_any_byte_loses_one_game_at_most() {
        let bytes = file(false);
        let first = origin(false).to_bytes().len();
        for length in first..bytes.len() {
            let archive = Archive::read(&bytes[..length]).expect("torn, not damaged");
            let mut resumed = bytes[..archive.whole].to_vec();
            for game in &games()[archive.games.len()..] {
                resumed.extend(game.to_bytes(false).expect("it fits"));
            }
            assert_eq!(resumed, bytes, "killed at {length}");
        }
        for length in 0..first {
            assert!(Archive::read(&bytes[..length]).is_err(), "no origin in {length} bytes");
        }
    }

    #[test]
    fn damage_before_the_end_is_told() {
        let bytes = file(false);
        let first = origin(false).to_bytes().len();
        let last = bytes.len() - games()[5].to_bytes(false).expect("it fits").len();
        for at in 0..last {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            match Archive::read(&damaged) {
                Err(_) => {}
                // A longer length may reach behind the end, as a torn record does.
                Ok(read) => assert!(at >= first && read.games.len() < 5, "byte {at}"),
            }
        }
        assert_eq!(Archive::read(b"(;GM[1])"), Err(ArchiveError::Foreign));
    }
}
