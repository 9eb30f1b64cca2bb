//! The gradient of the squared error, by backpropagation.
//!
//! > E = ½ · Σ (y − t)² · w over samples and outputs; ∂E/∂W = δ·xᵀ, δ = (y − t)·f′(z) in the last layer
//! > and (Wᵀδ)·f′(z) before it. Rumelhart, Hinton & Williams (1986).
//!
//! The test compares it with central differences.

use super::layers::Mlp;

/// What a network should answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The input.
    pub input: Vec<f64>,
    /// The answer.
    pub target: Vec<f64>,
    /// How much it counts.
    pub weight: f64,
}

/// Gradients of one network, with their working memory.
#[derive(Default)]
pub struct Gradient {
    values: Vec<Vec<f64>>,
    deltas: Vec<f64>,
    before: Vec<f64>,
}

impl Gradient {
    /// Writes the gradient of the samples' error, divided by their weight, and returns the mean
    /// squared error.
    pub fn of(&mut self, network: &Mlp, samples: &[Sample], gradient: &mut Vec<f64>) -> f64 {
        gradient.clear();
        gradient.resize(network.parameters.len(), 0.0);
        let (mut error, mut weight) = (0.0, 0.0);
        for sample in samples {
            error += self.add(network, sample, gradient);
            weight += sample.weight;
        }
        let weight = f64::max(weight, f64::MIN_POSITIVE);
        gradient.iter_mut().for_each(|slope| *slope /= weight);
        error / (weight * network.outputs() as f64)
    }

    fn add(&mut self, network: &Mlp, sample: &Sample, gradient: &mut [f64]) -> f64 {
        network.values(&sample.input, &mut self.values);
        let layers = network.layers();
        let last = layers.len() - 1;
        let mut error = 0.0;
        self.deltas.clear();
        for (value, target) in self.values[last].iter().zip(&sample.target) {
            error += sample.weight * (value - target) * (value - target);
            self.deltas.push(sample.weight * (value - target) * layers[last].activation.slope(*value));
        }
        let mut end = network.parameters.len();
        for index in (0..layers.len()).rev() {
            let layer = layers[index];
            let start = end - layer.parameters();
            let input = if index == 0 { &sample.input } else { &self.values[index - 1] };
            self.before.clear();
            self.before.resize(layer.inputs, 0.0);
            let rows = gradient[start..end].chunks_exact_mut(layer.inputs + 1);
            let weights = network.parameters[start..end].chunks_exact(layer.inputs + 1);
            for ((row, weights), delta) in rows.zip(weights).zip(&self.deltas) {
                for ((slope, value), (weight, before)) in
                    row.iter_mut().zip(input).zip(weights.iter().zip(&mut self.before))
                {
                    *slope += delta * value;
                    *before += delta * weight;
                }
                if layer.bias {
                    row[layer.inputs] += delta;
                }
            }
            if index > 0 {
                let activation = layers[index - 1].activation;
                for (before, value) in self.before.iter_mut().zip(&self.values[index - 1]) {
                    *before *= activation.slope(*value);
                }
            }
            std::mem::swap(&mut self.deltas, &mut self.before);
            end = start;
        }
        error
    }
}

/// The mean squared error of a network.
#[must_use]
pub fn mean_squared_error(network: &Mlp, samples: &[Sample]) -> f64 {
    let (mut error, mut weight) = (0.0, 0.0);
    for sample in samples {
        let answer = network.evaluate(&sample.input);
        let squares = answer.iter().zip(&sample.target).map(|(value, target)| (value - target) * (value - target));
        error += sample.weight * squares.sum::<f64>();
        weight += sample.weight;
    }
    error / (f64::max(weight, f64::MIN_POSITIVE) * network.outputs() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::layers::{Activation, Layer, Mlp};
    use super::{Gradient, Sample, mean_squared_error};
    use tesuji_core::{Rng, Seed};

    /// Backpropagation against central differences, for every parameter of networks with every
    /// activation.
    #[test]
    fn gradients_are_slopes() {
        for activation in [Activation::Sigmoid, Activation::Relu, Activation::Linear] {
            let mut rng = Rng::new(Seed(7));
            let layer = |inputs, outputs, activation, bias| Layer { inputs, outputs, activation, bias };
            let layers = vec![
                layer(5, 4, activation, true),
                layer(4, 3, Activation::Sigmoid, true),
                layer(3, 2, activation, false),
            ];
            let mut network = Mlp::random(layers, 1.0, &mut rng).expect("a network");
            let samples: Vec<Sample> = (0..6)
                .map(|number| Sample {
                    input: (0..5).map(|_| 2.0 * rng.unit() - 1.0).collect(),
                    target: vec![rng.unit(), rng.unit()],
                    weight: 1.0 + f64::from(number),
                })
                .collect();
            let mut gradient = Vec::new();
            let error = Gradient::default().of(&network, &samples, &mut gradient);
            assert!((error - mean_squared_error(&network, &samples)).abs() < 1e-12);
            let (step, outputs) = (1e-6, 2.0);
            let learned = network.parameters.len() - 8;
            for (parameter, computed) in gradient.iter().enumerate().take(learned) {
                let kept = network.parameters[parameter];
                network.parameters[parameter] = kept + step;
                let above = mean_squared_error(&network, &samples);
                network.parameters[parameter] = kept - step;
                let below = mean_squared_error(&network, &samples);
                network.parameters[parameter] = kept;
                // E is half of the squares, summed over the outputs.
                let slope = outputs * (above - below) / (4.0 * step);
                assert!((slope - computed).abs() < 1e-7, "{activation:?} {parameter}: {slope}");
            }
            // A bias that is not learned has no slope.
            assert_eq!(gradient[gradient.len() - 1], 0.0);
        }
    }
}
