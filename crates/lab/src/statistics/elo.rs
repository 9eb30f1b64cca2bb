//! Elo differences and shares of points.
//!
//! > share = 1 / (1 + 10^(−Elo/400)),  Elo = 400·log₁₀(share / (1 − share))
//!
//! the logistic form of Elo's scale. *Normalised Elo* measures the distance from ½ in standard
//! deviations of a single game instead, so that a difference needs the same number of games in
//! every game and with every opening book:
//!
//! > nElo = (800/ln 10) · (share − ½)/σ,  σ of one game; of a pair, σ_pair·√2
//!
//! (Elo 1978; Van den Bergh, "Normalized Elo", 2021.)

/// Normalised Elo of one standard deviation of a game.
pub const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// The share of the points that a player of this advantage expects.
#[must_use]
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference behind a share of the points: −∞ at 0 and ∞ at 1.
#[must_use]
pub fn difference(share: f64) -> f64 {
    // Adding 0 turns −0 into 0.
    -400.0 * (1.0 / share - 1.0).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::{difference, share};

    /// Ten to one is 400 points; three quarters are 190.85.
    #[test]
    fn known_differences() {
        assert!((share(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert!((difference(0.75) - 190.848_501_887_864_97).abs() < 1e-9);
        assert_eq!((difference(0.5), difference(0.0), difference(1.0)), (0.0, f64::NEG_INFINITY, f64::INFINITY));
        for elo in [-700.0, -31.5, 0.1, 250.0] {
            assert!((difference(share(elo)) - elo).abs() < 1e-9, "{elo}");
        }
    }
}
