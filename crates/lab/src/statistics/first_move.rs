//! The advantage of moving first.
//!
//! It is the first mover's share of the points. In a match with colours exchanged, the players'
//! strengths cancel out within a pair of games; the two games share their opening, so that a pair is
//! one observation, as in [`pairs`](super::pairs). Games without a partner are observations of their
//! own.

use super::wilson::Scores;
use super::{Confidence, Interval, elo};

/// The points of first movers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct FirstMove {
    scores: Scores,
    games: u64,
}

impl FirstMove {
    /// Adds the first mover's points in both games of a pair.
    pub fn add_pair(&mut self, points: [f64; 2]) {
        self.scores.add(f64::midpoint(points[0], points[1]));
        self.games += 2;
    }

    /// Adds the first mover's points in a game without a partner.
    pub fn add_game(&mut self, points: f64) {
        self.scores.add(points);
        self.games += 1;
    }

    /// The number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The first mover's share of the points; nothing below two observations.
    #[must_use]
    pub fn share(&self, confidence: Confidence) -> Option<Interval> {
        self.scores.share(1, confidence)
    }

    /// The advantage as an Elo difference; its ends are infinite where the share's are 0 or 1.
    #[must_use]
    pub fn elo(&self, confidence: Confidence) -> Option<Interval> {
        Some(self.share(confidence)?.map(elo::difference))
    }
}

#[cfg(test)]
mod tests {
    use super::FirstMove;
    use crate::statistics::Confidence;

    /// The stronger player wins every game: moving first is worth nothing, and that is sure.
    #[test]
    fn strength_cancels_out_within_pairs() {
        let (mut paired, mut single) = (FirstMove::default(), FirstMove::default());
        for game in 0..100 {
            paired.add_pair([1.0, 0.0]);
            single.add_game(f64::from(game % 2));
        }
        let [paired, single] = [paired, single].map(|found| found.share(Confidence::P95).expect("games"));
        assert_eq!((paired.estimate, single.estimate), (0.5, 0.5));
        assert!(single.high - single.low > 0.19, "{single:?}");
    }

    #[test]
    fn an_advantage_is_measured_in_elo() {
        let mut found = FirstMove::default();
        for game in 0..200 {
            found.add_game(if game % 4 == 0 { 0.0 } else { 1.0 });
        }
        let elo = found.elo(Confidence::P95).expect("games");
        assert!((elo.estimate - 190.848_501_887_864_97).abs() < 1e-9 && elo.low > 130.0 && elo.high < 260.0, "{elo:?}");
        assert_eq!(found.games(), 200);
        assert_eq!(FirstMove::default().elo(Confidence::P95), None);
    }
}
