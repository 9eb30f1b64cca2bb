//! Proof files: the format of `docs/proof-format.md`, read within limits and written.

use crate::bytes::{ProofError, Reader, write_number};
use crate::token::has_certificates;
use tesuji_core::{Aim, Measure, Player};

/// The first bytes of every proof.
const MAGIC: &[u8; 12] = b"tesuji proof";
/// The version of proofs with certificates. Proofs without any are written as version 1.
const VERSION: u8 = 2;

const MAX_MOVES: u64 = 1 << 20;
const MAX_CLAIMS: u64 = 16;

/// What is proved, and its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The claimant, and what it gets at least.
    pub aim: Aim,
    /// The tree of the proof, as tokens.
    pub tokens: Vec<u8>,
    /// Where the tokens begin in the file, for messages.
    pub offset: usize,
}

/// The contents of a proof file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The canonical text of the game.
    pub game: String,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    /// What is proved of the position.
    pub claims: Vec<Claim>,
}

/// FNV-1a with 64 bits. It detects damage; the checker detects false proofs.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Proof {
    /// The first bytes of every proof.
    pub const MAGIC: &[u8] = MAGIC;

    /// The proof as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let version = if self.claims.iter().any(|claim| has_certificates(&claim.tokens)) { VERSION } else { 1 };
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
    /// If it is not a proof file of a known version, or damaged; says where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Proof, ProofError> {
        let mut reader = Reader::new(bytes, 0);
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(ProofError::new(0, "not a proof file: it does not begin with \"tesuji proof\""));
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
        let count = reader.bounded(MAX_MOVES, "the number of moves")?;
        let moves = (0..count).map(|_| reader.text("a move")).collect::<Result<Vec<_>, _>>()?;
        let place = reader.place();
        let count = reader.bounded(MAX_CLAIMS, "the number of claims")?;
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
        if version == 1 && claims.iter().any(|claim| has_certificates(&claim.tokens)) {
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
        assert_eq!(message(b"GIF89a"), ProofError::new(0, "not a proof file: it does not begin with \"tesuji proof\""));
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
