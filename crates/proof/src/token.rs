//! The tokens of a claim, and certificates among them (`docs/proof-format.md`).
//!
//! A token is a number. The tree of a claim is written from the top, each position before its
//! successors.

use crate::bytes::{ProofError, Reader, write_number};
use std::borrow::Cow;
use tesuji_core::Certificate;

/// The game has ended.
pub(crate) const END: u64 = 0;
/// The position equals the one with the mark that follows.
pub(crate) const AGAIN: u64 = 1;
/// The position gets the next mark; its own token follows.
pub(crate) const MARK: u64 = 2;
/// The opponent moves. The number of legal moves follows, then a tree for each, in the game's
/// order. In place of the number, [`CERTIFICATE`] announces a certificate; no live position has 0
/// moves.
pub(crate) const REPLIES: u64 = 3;
/// After [`REPLIES`]: a certificate and, where the opponent moves, the replies it does not answer.
pub(crate) const CERTIFICATE: u64 = 0;
/// This and above: the claimant plays the move with the index token − `PLAY`.
pub(crate) const PLAY: u64 = 4;

/// The longest name of a kind of certificate, in bytes.
const MAX_KIND_LENGTH: u64 = 256;

/// The kinds of certificates that a claim has named so far. A name is written out at its first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds(Vec<Cow<'static, str>>);

impl Kinds {
    /// Appends a certificate: its kind (0 and a new name, or the number of a known one, from 1),
    /// the count of its numbers, and these.
    pub(crate) fn write(&mut self, bytes: &mut Vec<u8>, certificate: &Certificate) {
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

    /// Reads a certificate.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<Certificate, ProofError> {
        let (place, kind) = (reader.place(), read_kind(reader)?);
        if let Kind::Named(name) = &kind {
            self.0.push(name.clone());
        }
        self.resolve(place, kind, reader)
    }

    /// Reads a certificate whose kind is known, or named at this place.
    pub(crate) fn read_known(&self, reader: &mut Reader<'_>) -> Result<Certificate, ProofError> {
        let (place, kind) = (reader.place(), read_kind(reader)?);
        self.resolve(place, kind, reader)
    }

    fn resolve(&self, place: usize, kind: Kind, reader: &mut Reader<'_>) -> Result<Certificate, ProofError> {
        let kind = match kind {
            Kind::Named(name) => Some(name),
            Kind::Known(known) => usize::try_from(known - 1).ok().and_then(|known| self.0.get(known)).cloned(),
        };
        let kind = kind.ok_or_else(|| ProofError::new(place, "a kind of certificate that was not named"))?;
        let count = reader.number()?;
        // Reading fails at the end of the file, so no count allocates more than the file holds.
        let data = (0..count).map(|_| reader.number()).collect::<Result<Vec<_>, _>>()?;
        Ok(Certificate { kind, data })
    }
}

/// The kind of a certificate as it is written.
enum Kind {
    /// The name of a new one.
    Named(Cow<'static, str>),
    /// The number of a known one, from 1.
    Known(u64),
}

fn read_kind(reader: &mut Reader<'_>) -> Result<Kind, ProofError> {
    let place = reader.place();
    match reader.number()? {
        0 => {
            let length = reader.bounded(MAX_KIND_LENGTH, "the name of a certificate")? as usize;
            let name = std::str::from_utf8(reader.take(length)?);
            let name = name.map_err(|_| ProofError::new(place, "the name of a certificate is not UTF-8"))?;
            Ok(Kind::Named(Cow::Owned(name.to_string())))
        }
        known => Ok(Kind::Known(known)),
    }
}

/// Whether tokens contain a certificate, which version 1 of the format does not have.
pub(crate) fn has_certificates(tokens: &[u8]) -> bool {
    let mut reader = Reader::new(tokens, 0);
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
