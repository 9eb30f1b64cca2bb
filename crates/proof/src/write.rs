//! Writes the tokens of a claim.

use crate::bytes::write_number;
use crate::format::Claim;
use crate::token::{AGAIN, CERTIFICATE, END, Kinds, MARK, PLAY, REPLIES};
use tesuji_core::{Aim, Certificate};

/// A marked position, to which later ones can refer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark(u64);

/// Writes the tree of a claim from the top, each position before its successors.
///
/// One call describes one position, except that [`mark`](Writer::mark) precedes the call of the
/// position it marks. The writer trusts its caller; [`check`](crate::check) does not.
///
/// ```
/// use tesuji_core::{Aim, Measure, Player, Score};
/// use tesuji_proof::Writer;
///
/// // The claimant plays move 0; the opponent has one reply; the claimant's move 2 ends the game.
/// let mut writer = Writer::default();
/// writer.play(0);
/// writer.replies(1);
/// writer.play(2);
/// writer.end();
/// let claim = writer.claim(Aim { player: Player::First, measure: Measure::Score, least: Score::UNITS as i32 });
/// assert_eq!(claim.tokens, [4, 3, 1, 6, 0]);
/// ```
#[derive(Default)]
pub struct Writer {
    tokens: Vec<u8>,
    kinds: Kinds,
    marks: u64,
}

impl Writer {
    /// The game has ended.
    pub fn end(&mut self) {
        self.number(END);
    }

    /// The claimant plays the move with this index; the position after it follows.
    pub fn play(&mut self, move_index: usize) {
        self.number(PLAY + move_index as u64);
    }

    /// The opponent has this number of legal moves; the positions after them follow, in the game's
    /// order of moves.
    pub fn replies(&mut self, count: usize) {
        self.number(REPLIES);
        self.number(count as u64);
    }

    /// The claimant is to move and wins for this reason; nothing follows.
    pub fn certified_win(&mut self, certificate: &Certificate) {
        self.certificate(certificate);
    }

    /// The opponent is to move. The certificate answers all replies but those with these indices;
    /// the positions after them follow, in this order.
    pub fn certified_replies(&mut self, certificate: &Certificate, listed: impl ExactSizeIterator<Item = usize>) {
        self.certificate(certificate);
        self.number(listed.len() as u64);
        listed.for_each(|index| self.number(index as u64));
    }

    /// Marks the position that is written next.
    pub fn mark(&mut self) -> Mark {
        self.number(MARK);
        self.marks += 1;
        Mark(self.marks - 1)
    }

    /// The position equals a marked one, which has been written to its end.
    pub fn again(&mut self, mark: Mark) {
        self.number(AGAIN);
        self.number(mark.0);
    }

    /// The claim of the tree that was written.
    #[must_use]
    pub fn claim(self, aim: Aim) -> Claim {
        Claim { aim, tokens: self.tokens, offset: 0 }
    }

    fn certificate(&mut self, certificate: &Certificate) {
        self.number(REPLIES);
        self.number(CERTIFICATE);
        self.kinds.write(&mut self.tokens, certificate);
    }

    fn number(&mut self, number: u64) {
        write_number(&mut self.tokens, number);
    }
}
