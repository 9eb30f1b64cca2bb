//! What a gradient does to the weights.
//!
//! * RPROP+ (Riedmiller & Braun 1993, with weight-backtracking; as Encog's `RPROPType.RPROPp`): each
//!   weight has a step Δ. While its slope keeps its sign, Δ grows by η⁺ = 1.2, to at most 50; when
//!   the sign changes, Δ shrinks by η⁻ = 0.5, to at least 10⁻⁶, the last change is taken back, and
//!   the slope counts as 0 for the next time. The weight goes Δ against the slope. Δ begins at 0.1;
//!   a slope below 10⁻¹⁷ is 0.
//! * iRPROP− (Igel & Hüsken 2003): the same without taking back: where the sign changes, Δ shrinks,
//!   the slope counts as 0, and the weight stays.
//! * Adam (Kingma & Ba 2015): m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², w ← w − α·m̂/(√v̂ + ε).
//! * Plain descent: w ← w − α·g.

/// Changes weights by a gradient.
pub trait Rule {
    /// One step. The gradient has one slope for each weight.
    fn step(&mut self, weights: &mut [f64], gradient: &[f64]);
}

/// Encog's constants of resilient propagation.
const FIRST_STEP: f64 = 0.1;
const MOST_STEP: f64 = 50.0;
const LEAST_STEP: f64 = 1e-6;
const GROW: f64 = 1.2;
const SHRINK: f64 = 0.5;
const ZERO: f64 = 1e-17;

/// The sign of a slope: −1, 0 or 1.
fn sign(slope: f64) -> f64 {
    if slope.abs() < ZERO { 0.0 } else { slope.signum() }
}

/// Resilient propagation.
pub struct Rprop {
    /// Whether a change is taken back where the slope changes its sign.
    backtracks: bool,
    steps: Vec<f64>,
    slopes: Vec<f64>,
    changes: Vec<f64>,
}

impl Rprop {
    /// RPROP+.
    #[must_use]
    pub fn plus() -> Rprop {
        Rprop { backtracks: true, steps: Vec::new(), slopes: Vec::new(), changes: Vec::new() }
    }

    /// iRPROP−.
    #[must_use]
    pub fn minus() -> Rprop {
        Rprop { backtracks: false, ..Rprop::plus() }
    }
}

impl Rule for Rprop {
    fn step(&mut self, weights: &mut [f64], gradient: &[f64]) {
        self.steps.resize(weights.len(), FIRST_STEP);
        self.slopes.resize(weights.len(), 0.0);
        self.changes.resize(weights.len(), 0.0);
        for (index, weight) in weights.iter_mut().enumerate() {
            let slope = gradient[index];
            let trend = sign(slope * self.slopes[index]);
            if trend < 0.0 {
                self.steps[index] = (self.steps[index] * SHRINK).max(LEAST_STEP);
                self.slopes[index] = 0.0;
                if self.backtracks {
                    *weight -= self.changes[index];
                }
                continue;
            }
            if trend > 0.0 {
                self.steps[index] = (self.steps[index] * GROW).min(MOST_STEP);
            }
            self.changes[index] = -sign(slope) * self.steps[index];
            *weight += self.changes[index];
            self.slopes[index] = slope;
        }
    }
}

/// Adam.
pub struct Adam {
    rate: f64,
    means: Vec<f64>,
    squares: Vec<f64>,
    powers: (f64, f64),
}

impl Adam {
    /// With this rate α, and β₁ = 0.9, β₂ = 0.999, ε = 10⁻⁸.
    #[must_use]
    pub fn new(rate: f64) -> Adam {
        Adam { rate, means: Vec::new(), squares: Vec::new(), powers: (1.0, 1.0) }
    }
}

impl Rule for Adam {
    fn step(&mut self, weights: &mut [f64], gradient: &[f64]) {
        const BETAS: (f64, f64) = (0.9, 0.999);
        self.means.resize(weights.len(), 0.0);
        self.squares.resize(weights.len(), 0.0);
        self.powers = (self.powers.0 * BETAS.0, self.powers.1 * BETAS.1);
        for (index, weight) in weights.iter_mut().enumerate() {
            let slope = gradient[index];
            self.means[index] = BETAS.0 * self.means[index] + (1.0 - BETAS.0) * slope;
            self.squares[index] = BETAS.1 * self.squares[index] + (1.0 - BETAS.1) * slope * slope;
            let mean = self.means[index] / (1.0 - self.powers.0);
            let square = self.squares[index] / (1.0 - self.powers.1);
            *weight -= self.rate * mean / (square.sqrt() + 1e-8);
        }
    }
}

/// Plain descent with this rate.
pub struct Descent(pub f64);

impl Rule for Descent {
    fn step(&mut self, weights: &mut [f64], gradient: &[f64]) {
        for (weight, slope) in weights.iter_mut().zip(gradient) {
            *weight -= self.0 * slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Adam, Descent, Rprop, Rule};

    fn steps(rule: &mut dyn Rule, slopes: &[f64]) -> Vec<f64> {
        let mut weight = [0.0];
        slopes
            .iter()
            .map(|slope| {
                rule.step(&mut weight, &[*slope]);
                weight[0]
            })
            .collect()
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{found:?}");
    }

    /// 0.1, then 0.12 the same way; the sign changes: back by 0.12 and Δ = 0.06; then no trend is
    /// known, so Δ stays; then it grows to 0.072.
    #[test]
    fn rprop_plus_by_hand() {
        close(&steps(&mut Rprop::plus(), &[3.0, 0.5, -1.0, -1.0, -2.0]), &[-0.1, -0.22, -0.1, -0.04, 0.032]);
    }

    /// The same without taking back.
    #[test]
    fn rprop_minus_by_hand() {
        close(&steps(&mut Rprop::minus(), &[3.0, 0.5, -1.0, -1.0, -2.0]), &[-0.1, -0.22, -0.22, -0.16, -0.088]);
    }

    /// A slope of 0 moves nothing.
    #[test]
    fn no_slope_no_step() {
        close(&steps(&mut Rprop::plus(), &[0.0, 1e-18, 0.0]), &[0.0, 0.0, 0.0]);
    }

    /// With a constant slope both means are exact after correction, so each step is the rate.
    #[test]
    fn adam_by_hand() {
        let found = steps(&mut Adam::new(0.01), &[2.0, 2.0, 2.0]);
        assert!(found.iter().zip([-0.01, -0.02, -0.03]).all(|(one, other)| (one - other).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn descent_by_hand() {
        close(&steps(&mut Descent(0.1), &[2.0, -1.0]), &[-0.2, -0.1]);
    }
}
