//! The weight file. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `tesujinn` |
//! | u32 | version, 1 |
//! | u32 | length of the whole file |
//! | u32 | CRC-32 (ISO 3309, as in zip) of everything that follows |
//! | u8 + text | the name of the encoding |
//! | u16 + text | a note on the training |
//! | 5 × u16 | planes, rows, columns, globals, moves |
//! | u8, u8 | 1 if moves are cells; 0 |
//! | 4 × u16 | channels, blocks, channels of the heads, hidden units of the value |
//! | f16 … | the tensors in the order of `network.py`; their sizes follow from the above |
//!
//! A damaged file is refused with an error that says what is wrong. Nothing is allocated before the
//! sizes are known to fit.

use super::convolution::Filter;
use super::model::{Block, Matrix, Network, PolicyHead};
use tesuji_core::TensorShape;

const MAGIC: &[u8; 8] = b"tesujinn";
const VERSION: u32 = 1;
const MAX_BYTES: usize = 64 << 20;

/// Why a file cannot be read as a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightError {
    /// Not a weight file.
    #[error("this is not a weight file of tesuji")]
    Foreign,
    /// A version that this program does not read.
    #[error("the weight file has version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// Truncated or extended.
    #[error("the weight file is damaged: it should have {expected} bytes and has {found}")]
    Length {
        /// The length in the header, or the length that its sizes imply.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// Corrupted.
    #[error("the weight file is damaged: its checksum does not match")]
    Checksum,
    /// Well-formed, but inconsistent.
    #[error("the weight file is inconsistent: {0}")]
    Inconsistent(&'static str),
}

/// CRC-32 of ISO 3309: reflected polynomial 0xedb88320.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let table: [u32; 256] = std::array::from_fn(|index| {
        (0..8).fold(index as u32, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    });
    !bytes.iter().fold(!0, |crc: u32, byte| crc >> 8 ^ table[(crc as u8 ^ byte) as usize])
}

/// A number of half precision (IEEE 754 binary16), exactly.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    match exponent {
        0 => f32::from_bits(sign) + if sign == 0 { 1.0 } else { -1.0 } * fraction as f32 / 16_777_216.0,
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The unread part of a file.
struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], WeightError> {
        let wrong = WeightError::Length { expected: self.length - self.rest.len() + count, found: self.length };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(wrong)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<usize, WeightError> {
        Ok(usize::from(self.take(1)?[0]))
    }

    fn short(&mut self) -> Result<usize, WeightError> {
        let bytes = self.take(2)?;
        Ok(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    fn long(&mut self) -> Result<u32, WeightError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn text(&mut self, length: usize) -> Result<String, WeightError> {
        let bytes = self.take(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| WeightError::Inconsistent("a text is not UTF-8"))
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<f32>, WeightError> {
        let numbers: Vec<f32> =
            self.take(2 * count)?.chunks_exact(2).map(|pair| half(u16::from_le_bytes([pair[0], pair[1]]))).collect();
        if numbers.iter().all(|number| number.is_finite()) {
            Ok(numbers)
        } else {
            Err(WeightError::Inconsistent("a weight is not a finite number"))
        }
    }

    fn matrix(&mut self, inputs: usize, outputs: usize) -> Result<Matrix, WeightError> {
        Ok(Matrix { inputs, outputs, weights: self.numbers(inputs * outputs)? })
    }

    fn filter(&mut self, inputs: usize, outputs: usize) -> Result<Filter, WeightError> {
        Ok(Filter::new(inputs, outputs, &self.numbers(9 * inputs * outputs)?))
    }
}

impl Network {
    /// Reads a weight file.
    ///
    /// # Errors
    /// If the file is not a weight file or is damaged.
    pub fn read(bytes: &[u8]) -> Result<Network, WeightError> {
        let mut reader = Reader { rest: bytes, length: bytes.len() };
        if bytes.len() > MAX_BYTES || reader.take(8).map_err(|_| WeightError::Foreign)? != MAGIC {
            return Err(WeightError::Foreign);
        }
        let version = reader.long()?;
        if version != VERSION {
            return Err(WeightError::Version(version));
        }
        let expected = reader.long()? as usize;
        if expected != bytes.len() {
            return Err(WeightError::Length { expected, found: bytes.len() });
        }
        if reader.long()? != crc32(reader.rest) {
            return Err(WeightError::Checksum);
        }
        let length = reader.byte()?;
        let encoding = reader.text(length)?;
        let length = reader.short()?;
        let note = reader.text(length)?;
        let (planes, rows, columns) = (reader.short()?, reader.short()?, reader.short()?);
        let (globals, moves) = (reader.short()?, reader.short()?);
        let (moves_are_cells, reserved) = (reader.byte()? == 1, reader.byte()?);
        let shape = TensorShape { planes, rows, columns, globals, moves, moves_are_cells };
        let (channels, blocks, heads, hidden) = (reader.short()?, reader.short()?, reader.short()?, reader.short()?);
        let sizes = [planes, rows, columns, moves, channels, heads, hidden];
        if reserved != 0 || sizes.contains(&0) || (moves_are_cells && moves < shape.cells()) {
            return Err(WeightError::Inconsistent("its sizes do not make a network"));
        }
        let network = Network {
            encoding,
            note,
            shape,
            channels,
            head_channels: heads,
            stem: reader.filter(planes, channels)?,
            globals: reader.matrix(globals, channels)?,
            blocks: (0..blocks)
                .map(|_| {
                    Ok(Block {
                        norm1: reader.numbers(channels)?,
                        conv1: reader.filter(channels, channels)?,
                        pool: reader.matrix(2 * channels, channels)?,
                        norm2: reader.numbers(channels)?,
                        conv2: reader.filter(channels, channels)?,
                    })
                })
                .collect::<Result<_, WeightError>>()?,
            norm: reader.numbers(channels)?,
            policy_own: reader.matrix(channels, heads)?,
            policy_pooled: reader.matrix(channels, heads)?,
            policy_bias: reader.matrix(2 * heads, heads)?,
            policy: if moves_are_cells {
                let cells = reader.matrix(heads, 1)?;
                PolicyHead::Cells { cells, rest: reader.matrix(2 * heads, moves - shape.cells())? }
            } else {
                PolicyHead::Dense(reader.matrix(shape.cells() * heads, moves)?)
            },
            value_own: reader.matrix(channels, heads)?,
            value_hidden: reader.matrix(2 * heads, hidden)?,
            value_hidden_bias: reader.numbers(hidden)?,
            value_out: reader.matrix(hidden, 1)?,
            value_out_bias: reader.numbers(1)?[0],
        };
        // The ownership head is a training target; play does not need it.
        reader.numbers(heads)?;
        if reader.rest.is_empty() {
            Ok(network)
        } else {
            Err(WeightError::Length { expected: bytes.len() - reader.rest.len(), found: bytes.len() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{crc32, half};

    #[test]
    fn checksums_are_crc32() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn halves_are_exact() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65_504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x8001, -5.960_464_5e-8),
            (0x3555, 0.333_251_95),
        ] {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan() && half(0xfc00) == f32::NEG_INFINITY);
    }
}
