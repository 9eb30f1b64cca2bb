//! Certificates: reasons why a player wins that are shorter than a list of moves and can be derived
//! again from the rules.
//!
//! A proof may state "the claimant wins here, by a reason of this kind", or "these replies need no
//! listed answer, for this reason". The checker derives the reason again: the kind that every game
//! has (*wins at once*) by the rules alone, the kinds of one game by its [`Certifier`], which lies
//! beside the rules and contains no search.

use crate::{Player, Position};
use std::borrow::Cow;

/// The kind that every game has: after the reply the claimant completes a win within one turn.
///
/// Its data are *threats*, one after the other, each as its length and the numbers of its moves.
/// Where the claimant moves, there is one threat, and playing it wins. Where the opponent moves, a
/// reply needs no other answer if one of the threats can be played and wins, whatever the opponent
/// adds to the reply in the same turn.
pub const WINS_AT_ONCE: &str = "wins at once";

/// A named reason and what it needs to be checked.
///
/// ```
/// use tesuji_core::{Certificate, WINS_AT_ONCE};
///
/// // Two threats: the move with index 7, or the moves with indices 3 and 4 of one turn.
/// let certificate = Certificate::wins_at_once(&[&[7][..], &[3, 4]]);
/// assert_eq!(certificate.kind, WINS_AT_ONCE);
/// assert_eq!(certificate.data, [1, 7, 2, 3, 4]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What kind of reason it is.
    pub kind: Cow<'static, str>,
    /// What it consists of, as the kind says.
    pub data: Vec<u64>,
}

impl Certificate {
    /// A certificate of a kind that this program knows.
    #[must_use]
    pub fn new(kind: &'static str, data: Vec<u64>) -> Certificate {
        Certificate { kind: Cow::Borrowed(kind), data }
    }

    /// These threats, each a list of move numbers.
    #[must_use]
    pub fn wins_at_once<T: AsRef<[usize]>>(threats: &[T]) -> Certificate {
        let mut data = Vec::new();
        for threat in threats {
            data.push(threat.as_ref().len() as u64);
            data.extend(threat.as_ref().iter().map(|mv| *mv as u64));
        }
        Certificate::new(WINS_AT_ONCE, data)
    }
}

/// A point of the board's view, as column and row from the top left.
pub type ViewPoint = (usize, usize);

/// A certificate as it is drawn on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// The points that the reason needs: the carrier of a connection, a zone, the room of a chain.
    pub area: Vec<ViewPoint>,
    /// If the opponent takes one point of a pair, the claimant takes the other.
    pub pairs: Vec<[ViewPoint; 2]>,
    /// The regions in which the claimant has an eye each.
    pub eyes: Vec<Vec<ViewPoint>>,
    /// Moves of both players, in the order in which they are played.
    pub line: Vec<(Player, ViewPoint)>,
}

/// Derives a game's own kinds of certificates again, from the rules.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Certificate, Certifier, Player, Position};
///
/// /// The kind "the heap is taken": no data; the side to move takes all that is left.
/// struct Taken;
///
/// impl Certifier<TakeAway> for Taken {
///     fn wins(&self, position: &TakeAway, _: Player, certificate: &Certificate) -> Result<(), String> {
///         if certificate.kind != "the heap is taken" {
///             return Err(format!("take-away has no kind {:?}", certificate.kind));
///         }
///         let ends = |taken: u8| {
///             let mut after = position.clone();
///             after.play(taken);
///             after.outcome().is_some()
///         };
///         if position.moves().into_iter().any(ends) { Ok(()) } else { Err("too many are left".into()) }
///     }
///     fn answers(&self, _: &TakeAway, _: Player, _: &Certificate, _: &mut Vec<u8>) -> Result<(), String> {
///         Err("it is about the side to move".into())
///     }
/// }
/// let certificate = Certificate::new("the heap is taken", Vec::new());
/// assert!(Taken.wins(&TakeAway::new(2), Player::First, &certificate).is_ok());
/// assert!(Taken.wins(&TakeAway::new(9), Player::First, &certificate).is_err());
/// ```
pub trait Certifier<P: Position>: Send + Sync {
    /// Whether `certificate` shows that `claimant`, who is to move in the live `position`, wins.
    ///
    /// # Errors
    /// Why it does not.
    fn wins(&self, position: &P, claimant: Player, certificate: &Certificate) -> Result<(), String>;

    /// Takes away from `replies`, legal moves of `claimant`'s opponent in the live `position`,
    /// those after which the certificate shows that `claimant` wins; the others stay in their
    /// order.
    ///
    /// # Errors
    /// Why the certificate shows nothing.
    fn answers(
        &self,
        position: &P,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<P::Move>,
    ) -> Result<(), String>;

    /// What of a certificate that holds in `position` can be drawn on the board.
    fn drawing(&self, _position: &P, _claimant: Player, _certificate: &Certificate) -> Drawing {
        Drawing::default()
    }
}
