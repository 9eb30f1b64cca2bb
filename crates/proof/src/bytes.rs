//! Numbers and texts as bytes, read within limits and written.

/// The longest text, in bytes.
const MAX_TEXT: u64 = 1 << 21;

/// Why bytes are not a proof, or why a proof does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at byte {at}: {problem}")]
pub struct ProofError {
    /// The place, in bytes from the start of the file.
    pub at: usize,
    /// What is wrong.
    pub problem: String,
}

impl ProofError {
    pub(crate) fn new(at: usize, problem: impl Into<String>) -> ProofError {
        ProofError { at, problem: problem.into() }
    }
}

/// Appends a number, seven bits per byte, lowest first.
pub(crate) fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads bytes one after the other.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Added to places in messages.
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], offset: usize) -> Reader<'a> {
        Reader { bytes, at: 0, offset }
    }

    /// The place, in the file.
    pub(crate) fn place(&self) -> usize {
        self.offset + self.at
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], ProofError> {
        let taken = self.bytes[self.at..].get(..count);
        let taken = taken.ok_or_else(|| ProofError::new(self.offset + self.bytes.len(), "the file ends too early"))?;
        self.at += count;
        Ok(taken)
    }

    /// A number of at most 63 bits in its shortest form.
    pub(crate) fn number(&mut self) -> Result<u64, ProofError> {
        let place = self.place();
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    break;
                }
                return Ok(number);
            }
        }
        Err(ProofError::new(place, "a number that is not in its shortest form, which is not allowed"))
    }

    pub(crate) fn bounded(&mut self, most: u64, what: &str) -> Result<u64, ProofError> {
        let place = self.place();
        let number = self.number()?;
        if number > most {
            return Err(ProofError::new(place, format!("{number} is too large for {what}; at most {most}")));
        }
        Ok(number)
    }

    pub(crate) fn text(&mut self, what: &str) -> Result<String, ProofError> {
        let length = self.bounded(MAX_TEXT, what)? as usize;
        let place = self.place();
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_string).map_err(|_| ProofError::new(place, format!("{what} is not UTF-8")))
    }
}
