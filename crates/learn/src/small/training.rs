//! Training: epochs over the whole set, until the error is small enough or does not move.
//!
//! As Hawk's `NetworkTrainer.java`: the squared error of all samples, one step an epoch; it ends at
//! an error of 0.0001, or, after 1,500 epochs, when the last ten errors lie within 10⁻⁶.

use super::gradient::{Gradient, Sample};
use super::layers::Mlp;
use super::rules::Rule;

/// When training ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Training {
    /// The error that is small enough.
    pub enough: f64,
    /// Epochs at most.
    pub epochs: usize,
    /// Epochs after which a stand-still ends it.
    pub patience: usize,
    /// How much every epoch shrinks the weights (0: not at all).
    pub decay: f64,
}

impl Training {
    /// Hawk's, with a bound on the epochs.
    #[must_use]
    pub fn hawk(epochs: usize) -> Training {
        Training { enough: 0.0001, epochs, patience: 1_500, decay: 0.0 }
    }
}

/// Trains; tells the error before each epoch.
pub fn train(network: &mut Mlp, samples: &[Sample], rule: &mut dyn Rule, how: Training) -> Vec<f64> {
    let mut gradients = Gradient::default();
    let mut gradient = Vec::new();
    let mut errors = Vec::new();
    for epoch in 0..how.epochs {
        let error = gradients.of(network, samples, &mut gradient);
        errors.push(error);
        let recent = &errors[errors.len().saturating_sub(10)..];
        let range = recent.iter().copied().fold(f64::MIN, f64::max) - recent.iter().copied().fold(f64::MAX, f64::min);
        if error <= how.enough || (epoch > how.patience && range < 1e-6) {
            break;
        }
        if how.decay > 0.0 {
            gradient.iter_mut().zip(&network.parameters).for_each(|(slope, weight)| *slope += how.decay * weight);
        }
        rule.step(&mut network.parameters, &gradient);
    }
    errors
}

/// Pearson's correlation of pairs; 0 where one side does not vary.
#[must_use]
pub fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / count;
    let (one, other) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut both, mut ones, mut others) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        both += (x - one) * (y - other);
        ones += (x - one) * (x - one);
        others += (y - other) * (y - other);
    }
    if ones <= 0.0 || others <= 0.0 { 0.0 } else { both / (ones * others).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::super::layers::{Activation, Layer, Mlp};
    use super::super::rules::{Adam, Descent, Rprop, Rule};
    use super::super::{Sample, Training, correlation, train};
    use tesuji_core::{Rng, Seed};

    fn xor() -> Vec<Sample> {
        let sample = |a, b, t| Sample { input: vec![a, b], target: vec![t], weight: 1.0 };
        vec![sample(0.0, 0.0, 0.0), sample(0.0, 1.0, 1.0), sample(1.0, 0.0, 1.0), sample(1.0, 1.0, 0.0)]
    }

    fn error_after(rule: &mut dyn Rule, epochs: usize) -> f64 {
        let sigmoid = Activation::Sigmoid;
        let layers = vec![
            Layer { inputs: 2, outputs: 4, activation: sigmoid, bias: true },
            Layer { inputs: 4, outputs: 1, activation: sigmoid, bias: true },
        ];
        let mut network = Mlp::random(layers, 1.0, &mut Rng::new(Seed(3))).expect("a network");
        let how = Training { enough: 0.0, epochs, patience: epochs, decay: 0.0 };
        *train(&mut network, &xor(), rule, how).last().expect("an epoch")
    }

    /// The exclusive or, by four rules from the same start: the adaptive ones solve it in 300
    /// epochs, plain descent does not.
    #[test]
    fn exclusive_or_by_every_rule() {
        for rule in [&mut Rprop::plus() as &mut dyn Rule, &mut Rprop::minus(), &mut Adam::new(0.1)] {
            assert!(error_after(rule, 300) < 0.01);
        }
        assert!(error_after(&mut Descent(0.5), 300) > 0.1);
    }

    #[test]
    fn correlations_by_hand() {
        assert!((correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]) - 1.0).abs() < 1e-12);
        assert!((correlation(&[(0.0, 1.0), (1.0, 0.0), (2.0, 2.0)]) - 0.5).abs() < 1e-12);
        assert_eq!(correlation(&[(1.0, 1.0), (1.0, 2.0)]), 0.0);
    }
}
