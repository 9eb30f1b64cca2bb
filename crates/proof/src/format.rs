//! Proofs as bytes: the format of `docs/proof-format.md`, read with bounds and written.
//!
//! A proof says of a game and some moves that a player gets at least so much from there on, and lists, for every
//! reply of his opponent, what he plays. It knows no search.

use std::borrow::Cow;
use tesuji_core::{Aim, Certificate, Measure, Player};

/// The first bytes of every proof.
pub const MAGIC: &[u8; 12] = b"tesuji proof";
/// The version of proofs with certificates. Those without are written as version 1, which they are.
pub const VERSION: u8 = 2;

/// The position has ended.
pub const END: u64 = 0;
/// The same position as the one with the mark that follows.
pub const AGAIN: u64 = 1;
/// The position that follows gets the next mark.
pub const MARK: u64 = 2;
/// The opponent moves; the number of his moves follows, then what is done against each, in the game's order. If the number is
/// [`CERTIFICATE`], which no live position has, a certificate follows instead.
pub const REPLIES: u64 = 3;
/// After [`REPLIES`]: a certificate, and where the opponent moves the replies that it does not answer.
pub const CERTIFICATE: u64 = 0;
/// This and above: the claimant plays the move of the number token − `PLAY`; what follows is the position after it.
pub const PLAY: u64 = 4;

const MOST_TEXT: u64 = 1 << 21;
const MOST_MOVES: u64 = 1 << 20;
const MOST_CLAIMS: u64 = 16;
const MOST_KIND: u64 = 256;

/// What is proved, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Who gets at least how much.
    pub aim: Aim,
    /// The proof, as tokens.
    pub tokens: Vec<u8>,
    /// Where the tokens begin in the file, for messages.
    pub offset: usize,
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The canonical text of the game.
    pub game: String,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    /// What is proved of it.
    pub claims: Vec<Claim>,
}

/// Bytes that are no proof, or a proof that does not hold; and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at byte {at}: {problem}")]
pub struct ProofError {
    /// The place, in bytes from the beginning of the file.
    pub at: usize,
    /// What is wrong there.
    pub problem: String,
}

impl ProofError {
    pub(crate) fn new(at: usize, problem: impl Into<String>) -> ProofError {
        ProofError { at, problem: problem.into() }
    }
}

/// Appends a number, seven bits a byte, lowest first.
pub fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
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

    fn take(&mut self, count: usize) -> Result<&'a [u8], ProofError> {
        let taken = self.bytes[self.at..].get(..count);
        let taken = taken.ok_or_else(|| ProofError::new(self.offset + self.bytes.len(), "the file ends too early"))?;
        self.at += count;
        Ok(taken)
    }

    /// A number of at most 63 bits, in its only form: no needless bytes.
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
        Err(ProofError::new(place, "a number in a form that is not allowed"))
    }

    fn bounded(&mut self, most: u64, what: &str) -> Result<u64, ProofError> {
        let place = self.place();
        let number = self.number()?;
        if number > most {
            return Err(ProofError::new(place, format!("{number} is too large for {what}; at most {most}")));
        }
        Ok(number)
    }

    fn text(&mut self, what: &str) -> Result<String, ProofError> {
        let length = self.bounded(MOST_TEXT, what)? as usize;
        let place = self.place();
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_string).map_err(|_| ProofError::new(place, format!("{what} is not UTF-8")))
    }
}

/// The names of certificates, each written out where it comes first.
#[derive(Default)]
pub struct Kinds(Vec<Cow<'static, str>>);

impl Kinds {
    /// Appends a certificate: 0 and a new name, or the number of a known one from 1; then how many numbers follow, and these.
    pub fn write(&mut self, bytes: &mut Vec<u8>, certificate: &Certificate) {
        match self.0.iter().position(|kind| *kind == certificate.kind) {
            Some(known) => write_number(bytes, known as u64 + 1),
            None => {
                write_number(bytes, 0);
                write_number(bytes, certificate.kind.len() as u64);
                bytes.extend_from_slice(certificate.kind.as_bytes());
                self.0.push(certificate.kind.clone());
            }
        }
        write_number(bytes, certificate.data.len() as u64);
        certificate.data.iter().for_each(|number| write_number(bytes, *number));
    }

    /// Reads one.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<Certificate, ProofError> {
        let place = reader.place();
        let kind = match reader.number()? {
            0 => {
                let length = reader.bounded(MOST_KIND, "the name of a certificate")? as usize;
                let name = std::str::from_utf8(reader.take(length)?);
                let name = name.map_err(|_| ProofError::new(place, "the name of a certificate is not UTF-8"))?;
                self.0.push(Cow::Owned(name.to_string()));
                self.0.last().cloned()
            }
            known => usize::try_from(known - 1).ok().and_then(|known| self.0.get(known)).cloned(),
        };
        let kind = kind.ok_or_else(|| ProofError::new(place, "a kind of certificate that was not named"))?;
        let count = reader.number()?;
        // No length makes us allocate more than the file holds.
        let data = (0..count).map(|_| reader.number()).collect::<Result<Vec<_>, _>>()?;
        Ok(Certificate { kind, data })
    }
}

impl Claim {
    /// Whether the proof has certificates, so that programs of version 1 cannot check it. Up to the first one there is nothing that version
    /// 1 does not know.
    fn has_certificates(&self) -> bool {
        let mut reader = Reader::new(&self.tokens, 0);
        while let Ok(token) = reader.number() {
            let number = match token {
                AGAIN | REPLIES => reader.number(),
                _ => continue,
            };
            if token == REPLIES && number == Ok(CERTIFICATE) {
                return true;
            }
        }
        false
    }
}

/// FNV-1a, 64 bits: against damage, not against malice; malice is the checker's affair.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Proof {
    /// The first bytes of every proof.
    pub const MAGIC: &[u8] = MAGIC;

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let version = if self.claims.iter().any(Claim::has_certificates) { VERSION } else { 1 };
        bytes.push(version);
        let text = |bytes: &mut Vec<u8>, text: &str| {
            write_number(bytes, text.len() as u64);
            bytes.extend_from_slice(text.as_bytes());
        };
        text(&mut bytes, &self.game);
        write_number(&mut bytes, self.moves.len() as u64);
        self.moves.iter().for_each(|mv| text(&mut bytes, mv));
        write_number(&mut bytes, self.claims.len() as u64);
        for claim in &self.claims {
            bytes.push(claim.aim.player.index() as u8 | u8::from(claim.aim.measure == Measure::Margin) << 1);
            // Signed numbers alternate: 0, −1, 1, −2, …
            let least = i64::from(claim.aim.least);
            write_number(&mut bytes, (least << 1 ^ least >> 63) as u64);
            write_number(&mut bytes, claim.tokens.len() as u64);
            bytes.extend_from_slice(&claim.tokens);
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a proof of this version, or damaged; says where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Proof, ProofError> {
        let mut reader = Reader::new(bytes, 0);
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(ProofError::new(0, "this is not a proof of ours"));
        }
        reader.take(MAGIC.len())?;
        let version = reader.take(1)?[0];
        if !(1..=VERSION).contains(&version) {
            return Err(ProofError::new(
                MAGIC.len(),
                format!("version {version} of the format; this program reads versions up to {VERSION}"),
            ));
        }
        let (body, sum) = match bytes.split_last_chunk::<8>() {
            Some((body, sum)) if body.len() > MAGIC.len() => (body, u64::from_le_bytes(*sum)),
            _ => return Err(ProofError::new(bytes.len(), "the file ends too early")),
        };
        if checksum(body) != sum {
            return Err(ProofError::new(body.len(), "the checksum differs: the file was altered or cut off"));
        }
        let mut reader = Reader::new(body, 0);
        reader.take(MAGIC.len() + 1)?;
        let game = reader.text("the game")?;
        let count = reader.bounded(MOST_MOVES, "the number of moves")?;
        let moves = (0..count).map(|_| reader.text("a move")).collect::<Result<Vec<_>, _>>()?;
        let place = reader.place();
        let count = reader.bounded(MOST_CLAIMS, "the number of claims")?;
        if count == 0 {
            return Err(ProofError::new(place, "nothing is claimed"));
        }
        let mut claims = Vec::new();
        for _ in 0..count {
            let place = reader.place();
            let kind = reader.take(1)?[0];
            if kind > 3 {
                return Err(ProofError::new(place, format!("unknown kind of claim {kind}")));
            }
            let player = Player::BOTH[usize::from(kind & 1)];
            let measure = if kind & 2 == 0 { Measure::Score } else { Measure::Margin };
            let coded = reader.bounded(u64::from(u32::MAX), "a claim")?;
            let least = (coded >> 1) as i64 ^ -((coded & 1) as i64);
            let least = i32::try_from(least).map_err(|_| ProofError::new(place, "a claim out of range"))?;
            let length = reader.number()?;
            let offset = reader.place();
            let length = usize::try_from(length).map_err(|_| ProofError::new(offset, "the file ends too early"))?;
            let tokens = reader.take(length)?.to_vec();
            claims.push(Claim { aim: Aim { player, measure, least }, tokens, offset });
        }
        if !reader.is_at_end() {
            return Err(ProofError::new(reader.place(), "there is more than the claims"));
        }
        if version == 1 && claims.iter().any(Claim::has_certificates) {
            return Err(ProofError::new(
                MAGIC.len(),
                "a proof of version 1 with certificates, which began with version 2",
            ));
        }
        Ok(Proof { game, moves, claims })
    }
}

#[cfg(test)]
mod tests {
    use super::{Claim, Proof, ProofError};
    use tesuji_core::{Aim, Measure, Player};

    fn sample() -> Proof {
        let claim =
            |player, measure, least| Claim { aim: Aim { player, measure, least }, tokens: vec![4, 0], offset: 0 };
        Proof {
            game: "tictactoe".into(),
            moves: vec!["b2".into(), "a1".into()],
            claims: vec![claim(Player::First, Measure::Score, 60_000), claim(Player::Second, Measure::Margin, -8)],
        }
    }

    fn placeless(mut proof: Proof) -> Proof {
        proof.claims.iter_mut().for_each(|claim| claim.offset = 0);
        proof
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Proof::from_bytes(&sample().to_bytes()).map(placeless), Ok(sample()));
        for least in [i32::MIN, -1, 0, 1, i32::MAX] {
            let mut proof = sample();
            proof.claims[0].aim.least = least;
            assert_eq!(Proof::from_bytes(&proof.to_bytes()).map(placeless), Ok(proof));
        }
    }

    #[test]
    fn damage_is_refused() {
        let bytes = sample().to_bytes();
        for length in 0..bytes.len() {
            assert!(Proof::from_bytes(&bytes[..length]).is_err(), "cut off after {length}");
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[place] ^= 1 << bit;
                assert!(Proof::from_bytes(&altered).is_err(), "bit {bit} of byte {place}");
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Proof::from_bytes(&longer).is_err());
        let message = |bytes: &[u8]| Proof::from_bytes(bytes).expect_err("refused");
        assert_eq!(message(b"GIF89a"), ProofError::new(0, "this is not a proof of ours"));
        let mut newer = bytes;
        newer[12] = 3;
        assert!(message(&newer).problem.contains("version 3"));
    }

    /// What version 1 can say is written as version 1.
    #[test]
    fn the_version_says_whether_there_are_certificates() {
        let mut proof = sample();
        assert_eq!(proof.to_bytes()[12], 1);
        proof.claims[1].tokens = vec![4, 3, 0, 0, 1, b'x', 0, 0];
        let bytes = proof.to_bytes();
        assert_eq!(bytes[12], 2);
        assert_eq!(Proof::from_bytes(&bytes).map(placeless), Ok(proof));
        let mut older = bytes[..bytes.len() - 8].to_vec();
        older[12] = 1;
        older.extend_from_slice(&super::checksum(&older).to_le_bytes());
        let refused = Proof::from_bytes(&older).expect_err("certificates began with version 2");
        assert!(refused.problem.contains("version 1 with certificates"), "{refused}");
    }

    /// A file whose checksum is right but whose lengths are huge asks for no memory.
    #[test]
    fn hostile_lengths_are_refused() {
        for body in [
            &b"\xff\xff\xff\xff\xff\xff\xff\x7f"[..],
            b"\x80\x00",
            b"\x00\xff\xff\xff\xff\x7f",
            b"\x00\x00\x00",
            b"\x00\x00\x11",
        ] {
            let mut bytes = super::MAGIC.to_vec();
            bytes.push(super::VERSION);
            bytes.extend_from_slice(body);
            let sum = super::checksum(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            assert!(Proof::from_bytes(&bytes).is_err(), "{body:?}");
        }
    }
}
