//! The outline of a proof that was checked: where each position stands in its tokens, so that the
//! proof can be read from any of them.
//!
//! Tokens are in the order of a walk from the top, each position before its successors. So the
//! place of every position and the end of its subtree suffice to find all successors: the first
//! follows the position, and each other one the end of its sibling's subtree. A reference to an
//! equal position is followed to that position.

use crate::bytes::{ProofError, Reader};
use crate::format::Claim;
use crate::token::{AGAIN, CERTIFICATE, END, Kinds, MARK, PLAY, REPLIES};
use tesuji_core::Certificate;

/// The number of a position of a proof, in the order of its tokens. The root is 0.
pub type ProofPlace = u32;

/// What a proof says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofStep {
    /// The game has ended.
    End,
    /// The claimant plays the move with this index.
    Plays(usize, ProofPlace),
    /// The opponent moves; one place for each legal move, in the game's order.
    Replies(Vec<ProofPlace>),
    /// The claimant wins for this reason; where the opponent moves, against all replies but those
    /// listed with their move indices.
    Certificate(Certificate, Vec<(usize, ProofPlace)>),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where its token begins, in bytes.
    at: u32,
    /// The number of the first position behind its subtree.
    end: ProofPlace,
}

/// Where the positions of a claim stand.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    entries: Vec<Entry>,
    marks: Vec<ProofPlace>,
    kinds: Kinds,
}

impl Outline {
    /// A position begins at this byte of the tokens.
    pub(crate) fn enter(&mut self, at: usize, is_marked: bool) {
        let place = self.entries.len() as ProofPlace;
        if is_marked {
            self.marks.push(place);
        }
        self.entries.push(Entry { at: at as u32, end: place + 1 });
    }

    /// The subtree of a position has ended.
    pub(crate) fn leave(&mut self, place: usize) {
        self.entries[place].end = self.entries.len() as ProofPlace;
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn finish(mut self, kinds: Kinds) -> Outline {
        self.kinds = kinds;
        self
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>() + self.marks.len() * size_of::<ProofPlace>()
    }

    /// How many positions the proof lists from this one on, itself included; an equal position is
    /// counted where it was listed.
    #[must_use]
    pub fn size(&self, place: ProofPlace) -> u32 {
        self.entries.get(place as usize).map_or(0, |entry| entry.end - place)
    }

    /// What the proof says of a position, and the place at which it says it: another one if the
    /// position is equal to one listed before.
    ///
    /// # Errors
    /// If there is no such place, or `claim` is not the one whose outline this is.
    pub fn step(&self, claim: &Claim, place: ProofPlace) -> Result<(ProofPlace, ProofStep), ProofError> {
        let unknown = || ProofError::new(claim.offset, "there is no such position in the proof");
        let mut place = place;
        // A reference leads to a position that is no reference.
        for _ in 0..2 {
            let entry = self.entries.get(place as usize).ok_or_else(unknown)?;
            let tokens = claim.tokens.get(entry.at as usize..).ok_or_else(unknown)?;
            let mut reader = Reader::new(tokens, claim.offset + entry.at as usize);
            let mut token = reader.number()?;
            if token == MARK {
                token = reader.number()?;
            }
            if token == AGAIN {
                let mark = usize::try_from(reader.number()?).ok();
                place = mark.and_then(|mark| self.marks.get(mark)).copied().ok_or_else(unknown)?;
                continue;
            }
            return Ok((place, self.read(token, &mut reader, place)?));
        }
        Err(unknown())
    }

    fn read(&self, token: u64, reader: &mut Reader<'_>, place: ProofPlace) -> Result<ProofStep, ProofError> {
        let successors = || {
            let end = self.entries[place as usize].end;
            let next = move |at: &ProofPlace| Some(self.entries.get(*at as usize)?.end);
            std::iter::successors(Some(place + 1), next).take_while(move |at| *at < end)
        };
        Ok(match token {
            END => ProofStep::End,
            REPLIES => match reader.number()? {
                CERTIFICATE => {
                    let certificate = self.kinds.read_known(reader)?;
                    // Where the claimant moves, what follows belongs to another position.
                    let places: Vec<ProofPlace> = successors().collect();
                    let mut listed = Vec::with_capacity(places.len());
                    if !places.is_empty() {
                        reader.number()?;
                    }
                    for place in places {
                        listed.push((reader.number()? as usize, place));
                    }
                    ProofStep::Certificate(certificate, listed)
                }
                _ => ProofStep::Replies(successors().collect()),
            },
            _ => ProofStep::Plays((token - PLAY) as usize, place + 1),
        })
    }
}
