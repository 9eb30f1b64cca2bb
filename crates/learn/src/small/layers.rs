//! Dense layers.
//!
//! > y = f(W·x + b), layer after layer; f is the sigmoid 1/(1 + e^(−z)), max(0, z), or nothing.
//!
//! Weights begin as Encog's do (`reset`, range randomiser): uniform in [−1, 1], biases too. Hawk's
//! networks have no bias in their last layer; `bias = false` leaves it at 0 for good.

use super::file::{Head, Inside, SmallFileError, Writer, unpack_as};
use tesuji_core::Rng;

/// Layers and numbers in a layer of a file, at most.
const MOST: (usize, usize) = (8, 4_096);

/// What a layer does to its sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// 1/(1 + e^(−z)).
    Sigmoid,
    /// max(0, z).
    Relu,
    /// z itself.
    Linear,
}

impl Activation {
    /// The value at a sum.
    #[must_use]
    pub fn at(self, sum: f64) -> f64 {
        match self {
            Activation::Sigmoid => 1.0 / (1.0 + libm::exp(-sum)),
            Activation::Relu => sum.max(0.0),
            Activation::Linear => sum,
        }
    }

    /// The slope, told by the value.
    #[must_use]
    pub fn slope(self, value: f64) -> f64 {
        match self {
            Activation::Sigmoid => value * (1.0 - value),
            Activation::Relu => f64::from(u8::from(value > 0.0)),
            Activation::Linear => 1.0,
        }
    }
}

/// The shape of one layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Numbers in.
    pub inputs: usize,
    /// Numbers out.
    pub outputs: usize,
    /// What is done to the sums.
    pub activation: Activation,
    /// Whether its biases are learned; else they stay 0.
    pub bias: bool,
}

impl Layer {
    /// Weights and biases.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.outputs * (self.inputs + 1)
    }
}

/// A network of dense layers. Its parameters are one list: for each layer, for each output, its
/// weights and then its bias.
#[derive(Clone, PartialEq, Debug)]
pub struct Mlp {
    layers: Vec<Layer>,
    /// All parameters.
    pub parameters: Vec<f64>,
}

impl Mlp {
    /// A network of these layers with all parameters 0; nothing if a layer is empty or does not fit
    /// the one before.
    #[must_use]
    pub fn zero(layers: Vec<Layer>) -> Option<Mlp> {
        let fits = layers.windows(2).all(|pair| pair[0].outputs == pair[1].inputs);
        let whole = layers.iter().all(|layer| layer.inputs > 0 && layer.outputs > 0);
        let count = layers.iter().map(Layer::parameters).sum();
        (fits && whole && !layers.is_empty()).then(|| Mlp { layers, parameters: vec![0.0; count] })
    }

    /// A network of these layers with parameters drawn uniformly from [−range, range].
    #[must_use]
    pub fn random(layers: Vec<Layer>, range: f64, rng: &mut Rng) -> Option<Mlp> {
        let mut network = Mlp::zero(layers)?;
        let mut at = 0;
        for layer in &network.layers {
            for parameter in 0..layer.parameters() {
                let is_bias = parameter % (layer.inputs + 1) == layer.inputs;
                let drawn = range * (2.0 * rng.unit() - 1.0);
                network.parameters[at + parameter] = if is_bias && !layer.bias { 0.0 } else { drawn };
            }
            at += layer.parameters();
        }
        Some(network)
    }

    /// Hawk's network for n points: n → n/3 → 1, sigmoids throughout, no bias in the last layer.
    #[must_use]
    pub fn hawk(points: usize, rng: &mut Rng) -> Mlp {
        let hidden = (points / 3).max(1);
        let sigmoid = Activation::Sigmoid;
        let layers = vec![
            Layer { inputs: points, outputs: hidden, activation: sigmoid, bias: true },
            Layer { inputs: hidden, outputs: 1, activation: sigmoid, bias: false },
        ];
        Mlp::random(layers, 1.0, rng).expect("the layers fit")
    }

    /// Its layers.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Numbers in.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.layers[0].inputs
    }

    /// Numbers out.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.layers[self.layers.len() - 1].outputs
    }

    /// The values of all layers at an input, one list for each layer.
    pub(super) fn values(&self, input: &[f64], values: &mut Vec<Vec<f64>>) {
        values.resize(self.layers.len(), Vec::new());
        let mut at = 0;
        for (index, layer) in self.layers.iter().enumerate() {
            let (before, rest) = values.split_at_mut(index);
            let input = before.last().map_or(input, Vec::as_slice);
            let parameters = &self.parameters[at..at + layer.parameters()];
            rest[0].clear();
            rest[0].extend(parameters.chunks_exact(layer.inputs + 1).map(|row| {
                let (weights, bias) = row.split_at(layer.inputs);
                let sum: f64 = weights.iter().zip(input).map(|(weight, value)| weight * value).sum();
                layer.activation.at(sum + bias[0])
            }));
            at += layer.parameters();
        }
    }

    /// The answer to an input.
    ///
    /// # Panics
    /// If the input has another length than the first layer.
    #[must_use]
    pub fn evaluate(&self, input: &[f64]) -> Vec<f64> {
        assert_eq!(input.len(), self.inputs(), "the input fits the network");
        let mut values = Vec::new();
        self.values(input, &mut values);
        values.pop().expect("a network has a layer")
    }
}

/// In files: for each layer, inputs and outputs (u16), activation (u8), bias (u8); then the
/// parameters in single precision.
impl Mlp {
    const ACTIVATIONS: [Activation; 3] = [Activation::Sigmoid, Activation::Relu, Activation::Linear];

    /// As a file.
    #[must_use]
    pub fn to_file(&self, head: &Head) -> Vec<u8> {
        let mut writer = Writer::new(head);
        writer.byte(self.layers.len());
        for layer in &self.layers {
            writer.short(layer.inputs);
            writer.short(layer.outputs);
            writer.byte(layer.activation as usize);
            writer.byte(usize::from(layer.bias));
        }
        writer.numbers(self.parameters.iter().map(|parameter| *parameter as f32));
        writer.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is damaged, another file, or no network.
    pub fn from_file(bytes: &[u8]) -> Result<(Head, Mlp), SmallFileError> {
        let (head, mut reader) = unpack_as(bytes, Inside::Layers)?;
        let mut layers = Vec::new();
        for _ in 0..reader.byte()?.min(MOST.0 + 1) {
            let (inputs, outputs) = (reader.short()?, reader.short()?);
            let activation = Mlp::ACTIVATIONS.get(reader.byte()?).copied();
            let activation = activation.ok_or(SmallFileError::Inconsistent("a layer has no known activation"))?;
            layers.push(Layer { inputs, outputs, activation, bias: reader.byte()? == 1 });
        }
        let large = layers.len() > MOST.0 || layers.iter().any(|layer| layer.inputs.max(layer.outputs) > MOST.1);
        let inconsistent = SmallFileError::Inconsistent("its layers make no network");
        if large {
            return Err(inconsistent);
        }
        let parameters = reader.numbers(layers.iter().map(Layer::parameters).sum())?;
        let mut network = Mlp::zero(layers).ok_or(inconsistent)?;
        network.parameters = parameters.into_iter().map(f64::from).collect();
        reader.end()?;
        Ok((head, network))
    }
}

#[cfg(test)]
mod tests {
    use super::{Activation, Layer, Mlp};
    use tesuji_core::{Rng, Seed};

    /// By hand: hidden σ(1·0.5 − 1·0.5 + 0) = ½ and σ(0) = ½; output σ(2·½ − 2·½ + ln 3) = ¾.
    #[test]
    fn one_network_by_hand() {
        let sigmoid = Activation::Sigmoid;
        let layers = vec![
            Layer { inputs: 2, outputs: 2, activation: sigmoid, bias: true },
            Layer { inputs: 2, outputs: 1, activation: sigmoid, bias: true },
        ];
        let mut network = Mlp::zero(layers).expect("a network");
        network.parameters = vec![1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 2.0, -2.0, 3.0_f64.ln()];
        assert!((network.evaluate(&[0.5, 0.5])[0] - 0.75).abs() < 1e-12);
        assert_eq!(Activation::Relu.at(-1.0), 0.0);
        assert_eq!(Activation::Relu.at(2.0), 2.0);
    }

    #[test]
    fn layers_that_do_not_fit_are_refused() {
        let layer = |inputs, outputs| Layer { inputs, outputs, activation: Activation::Linear, bias: true };
        assert_eq!(Mlp::zero(vec![layer(3, 2), layer(3, 1)]), None);
        assert_eq!(Mlp::zero(vec![layer(0, 2)]), None);
        assert_eq!(Mlp::zero(Vec::new()), None);
    }

    /// 81 → 27 → 1 has 81·27 + 27 + 27 + 1 places, the last of which stays 0.
    #[test]
    fn hawk_s_network() {
        let network = Mlp::hawk(81, &mut Rng::new(Seed(1)));
        assert_eq!(network.parameters.len(), 2_242);
        assert_eq!(network.parameters.last(), Some(&0.0));
        assert!(network.parameters.iter().all(|parameter| parameter.abs() <= 1.0));
    }
}
