//! The file of small weights: value networks, evolved networks, stencils, weights of properties. All
//! numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `tesujisw` |
//! | u32 | version, 1 |
//! | u32 | length of the whole file |
//! | u32 | CRC-32 (ISO 3309) of everything that follows |
//! | u8 | what is inside: 1 dense layers, 2 an evolved network, 3 a stencil, 4 weights of properties |
//! | u8 + text | the game |
//! | u16 | lines of its board; 0 for any |
//! | u8 + text | whose they are: `text`, `code`, … |
//! | u16 + text | how they were made |
//! | … | what is inside, in the order of its own code |
//!
//! A damaged file is refused with an error that says what is wrong. Nothing is allocated before the
//! sizes are known to fit.

use crate::network::crc32;

const MAGIC: &[u8; 8] = b"tesujisw";
const VERSION: u32 = 1;
/// The largest file that is read.
pub const MAX_BYTES: usize = 4 << 20;

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SmallFileError {
    /// Not such a file.
    #[error("this is not a file of small weights (it should begin with \"tesujisw\")")]
    Foreign,
    /// A version that this program does not read.
    #[error("the weights have version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// Truncated or extended.
    #[error("the weights are damaged: they should have {expected} bytes and have {found}")]
    Length {
        /// The length in the header, or the length that its sizes imply.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// Corrupted.
    #[error("the weights are damaged: their checksum does not match")]
    Checksum,
    /// Another kind of weights.
    #[error("the file has {found}; needed: {expected}")]
    Kind {
        /// What is needed.
        expected: &'static str,
        /// What is inside.
        found: &'static str,
    },
    /// Well-formed, but inconsistent.
    #[error("the weights are inconsistent: {0}")]
    Inconsistent(&'static str),
}

/// What a file has inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inside {
    /// Dense layers.
    Layers,
    /// An evolved network.
    Evolved,
    /// A stencil.
    Stencil,
    /// Weights of properties.
    Properties,
}

impl Inside {
    const ALL: [Inside; 4] = [Inside::Layers, Inside::Evolved, Inside::Stencil, Inside::Properties];

    fn name(self) -> &'static str {
        match self {
            Inside::Layers => "dense layers",
            Inside::Evolved => "an evolved network",
            Inside::Stencil => "a stencil",
            Inside::Properties => "weights of properties",
        }
    }
}

/// What stands before the weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// What is inside.
    pub inside: Inside,
    /// The game.
    pub game: String,
    /// Lines of the board; 0 for any.
    pub lines: usize,
    /// Whose they are.
    pub style: String,
    /// How they were made.
    pub note: String,
}

/// The unread part of a file.
pub struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], SmallFileError> {
        let expected = (self.length - self.rest.len()).saturating_add(count);
        let wrong = SmallFileError::Length { expected, found: self.length };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(wrong)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number of one byte.
    ///
    /// # Errors
    /// At the end of the file.
    pub fn byte(&mut self) -> Result<usize, SmallFileError> {
        Ok(usize::from(self.take(1)?[0]))
    }

    /// A number of two bytes.
    ///
    /// # Errors
    /// At the end of the file.
    pub fn short(&mut self) -> Result<usize, SmallFileError> {
        let bytes = self.take(2)?;
        Ok(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    fn long(&mut self) -> Result<u32, SmallFileError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn text(&mut self, length: usize) -> Result<String, SmallFileError> {
        let bytes = self.take(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| SmallFileError::Inconsistent("a text is not UTF-8"))
    }

    /// Numbers of single precision, all finite.
    ///
    /// # Errors
    /// At the end of the file, or if one is not finite.
    pub fn numbers(&mut self, count: usize) -> Result<Vec<f32>, SmallFileError> {
        let bytes = self.take(count.saturating_mul(4))?;
        let numbers: Vec<f32> =
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        let finite = numbers.iter().all(|number| number.is_finite());
        finite.then_some(numbers).ok_or(SmallFileError::Inconsistent("a weight is not a finite number"))
    }

    /// The end of the file.
    ///
    /// # Errors
    /// If something is left.
    pub fn end(self) -> Result<(), SmallFileError> {
        let expected = self.length - self.rest.len();
        if self.rest.is_empty() { Ok(()) } else { Err(SmallFileError::Length { expected, found: self.length }) }
    }
}

/// Reads what stands before the weights.
///
/// # Errors
/// If the file is another one or damaged.
pub fn unpack(bytes: &[u8]) -> Result<(Head, Reader<'_>), SmallFileError> {
    let mut reader = Reader { rest: bytes, length: bytes.len() };
    if bytes.len() > MAX_BYTES || reader.take(8).map_err(|_| SmallFileError::Foreign)? != MAGIC {
        return Err(SmallFileError::Foreign);
    }
    let version = reader.long()?;
    if version != VERSION {
        return Err(SmallFileError::Version(version));
    }
    let expected = reader.long()? as usize;
    if expected != bytes.len() {
        return Err(SmallFileError::Length { expected, found: bytes.len() });
    }
    if reader.long()? != crc32(reader.rest) {
        return Err(SmallFileError::Checksum);
    }
    let inside = reader.byte()?;
    let inside = *Inside::ALL
        .get(inside.wrapping_sub(1))
        .ok_or(SmallFileError::Inconsistent("it does not say what is inside"))?;
    let length = reader.byte()?;
    let game = reader.text(length)?;
    let lines = reader.short()?;
    let length = reader.byte()?;
    let style = reader.text(length)?;
    let length = reader.short()?;
    let note = reader.text(length)?;
    Ok((Head { inside, game, lines, style, note }, reader))
}

/// Reads what stands before weights of this kind.
///
/// # Errors
/// If the file is another one, damaged, or has something else inside.
pub fn unpack_as(bytes: &[u8], expected: Inside) -> Result<(Head, Reader<'_>), SmallFileError> {
    let (head, reader) = unpack(bytes)?;
    if head.inside == expected {
        Ok((head, reader))
    } else {
        Err(SmallFileError::Kind { expected: expected.name(), found: head.inside.name() })
    }
}

/// A file to be written.
pub struct Writer(Vec<u8>);

impl Writer {
    /// Begins with what stands before the weights. Texts that are too long are cut.
    #[must_use]
    pub fn new(head: &Head) -> Writer {
        fn cut(text: &str, most: usize) -> &str {
            let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            &text[..end]
        }
        let mut writer = Writer(Vec::new());
        writer.byte(head.inside as usize + 1);
        let (game, style, note) = (cut(&head.game, 255), cut(&head.style, 255), cut(&head.note, 65_535));
        writer.byte(game.len());
        writer.0.extend_from_slice(game.as_bytes());
        writer.short(head.lines);
        writer.byte(style.len());
        writer.0.extend_from_slice(style.as_bytes());
        writer.short(note.len());
        writer.0.extend_from_slice(note.as_bytes());
        writer
    }

    /// A number of one byte.
    pub fn byte(&mut self, number: usize) {
        self.0.push(u8::try_from(number).expect("a number of one byte"));
    }

    /// A number of two bytes.
    pub fn short(&mut self, number: usize) {
        self.0.extend_from_slice(&u16::try_from(number).expect("a number of two bytes").to_le_bytes());
    }

    /// Numbers of single precision.
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        numbers.into_iter().for_each(|number| self.0.extend_from_slice(&number.to_le_bytes()));
    }

    /// The whole file.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.0.len() as u32 + 20).to_le_bytes());
        bytes.extend_from_slice(&crc32(&self.0).to_le_bytes());
        bytes.extend_from_slice(&self.0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Mlp;
    use super::{Head, Inside, SmallFileError, unpack_as};
    use tesuji_core::{Rng, Seed};

    fn head(inside: Inside) -> Head {
        Head { inside, game: "go".into(), lines: 5, style: "text".into(), note: "a test".into() }
    }

    #[test]
    fn files_come_back() {
        let mut network = Mlp::hawk(25, &mut Rng::new(Seed(1)));
        let bytes = network.to_file(&head(Inside::Layers));
        let (read, found) = Mlp::from_file(&bytes).expect("a file");
        assert_eq!(read, head(Inside::Layers));
        network.parameters.iter_mut().for_each(|parameter| *parameter = f64::from(*parameter as f32));
        assert_eq!(found, network);
    }

    /// Every byte matters: each changed one, and each cut, is refused.
    #[test]
    fn damage_is_refused() {
        let bytes = Mlp::hawk(9, &mut Rng::new(Seed(1))).to_file(&head(Inside::Layers));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(Mlp::from_file(&damaged).is_err(), "byte {place}");
            assert!(Mlp::from_file(&bytes[..place]).is_err(), "cut at {place}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let expected = bytes.len();
        let error = SmallFileError::Length { expected, found: expected + 1 };
        assert_eq!(Mlp::from_file(&longer), Err(error));
        assert_eq!(Mlp::from_file(b"tesujisx"), Err(SmallFileError::Foreign));
        let mut newer = bytes.clone();
        newer[8] = 2;
        assert_eq!(Mlp::from_file(&newer), Err(SmallFileError::Version(2)));
        let wrong = unpack_as(&bytes, Inside::Stencil).err().expect("dense layers are no stencil");
        assert_eq!(wrong.to_string(), "the file has dense layers; needed: a stencil");
    }
}
