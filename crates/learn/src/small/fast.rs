//! Evaluation for play: two layers, the first as a sum that follows the stones.
//!
//! The first layer's weights are kept by inputs, rounded to 2⁻¹⁶ as integers, so that an
//! [`Accumulator`] is exact: stones that come and go leave no trace of their order. A stone costs
//! one column of additions, an answer only the hidden units' sigmoids and the last layer. After
//! NNUE (Nasu 2018). Rounding moves a sum by at most 2⁻¹⁷ for each stone.

use super::layers::{Activation, Mlp};

/// Units of one in a sum.
const UNIT: f32 = 65_536.0;
/// The largest weight that is kept as it is: 361 of them fit into 32 bits.
const MOST: f64 = 64.0;

/// A network n → h → 1 for play.
#[derive(Clone, PartialEq, Debug)]
pub struct FastNetwork {
    inputs: usize,
    hidden: usize,
    activations: [Activation; 2],
    /// For each input, `hidden` weights.
    columns: Vec<i32>,
    biases: Vec<i32>,
    last: Vec<f32>,
    last_bias: f32,
}

/// The sums of the hidden units of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Accumulator(Vec<i32>);

fn fixed(weight: f64) -> i32 {
    (weight.clamp(-MOST, MOST) * f64::from(UNIT)).round() as i32
}

fn activate(activation: Activation, sum: f32) -> f32 {
    match activation {
        Activation::Sigmoid => 1.0 / (1.0 + libm::expf(-sum)),
        Activation::Relu => sum.max(0.0),
        Activation::Linear => sum,
    }
}

impl FastNetwork {
    /// The network for play; nothing if it has not two layers and one output.
    #[must_use]
    pub fn of(network: &Mlp) -> Option<FastNetwork> {
        let [first, second] = network.layers() else { return None };
        if second.outputs != 1 {
            return None;
        }
        let (one, other) = network.parameters.split_at(first.parameters());
        let mut columns = vec![0; first.inputs * first.outputs];
        let mut biases = Vec::with_capacity(first.outputs);
        for (unit, row) in one.chunks_exact(first.inputs + 1).enumerate() {
            for (input, weight) in row[..first.inputs].iter().enumerate() {
                columns[input * first.outputs + unit] = fixed(*weight);
            }
            biases.push(fixed(row[first.inputs]));
        }
        Some(FastNetwork {
            inputs: first.inputs,
            hidden: first.outputs,
            activations: [first.activation, second.activation],
            columns,
            biases,
            last: other[..second.inputs].iter().map(|weight| *weight as f32).collect(),
            last_bias: other[second.inputs] as f32,
        })
    }

    /// Numbers in.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The sums of a board of stones −1, 0 and 1.
    pub fn begin(&self, stones: &[i8], sums: &mut Accumulator) {
        sums.0.clear();
        sums.0.extend_from_slice(&self.biases);
        for (input, stone) in stones.iter().enumerate() {
            if *stone != 0 {
                self.change(sums, input, i32::from(*stone));
            }
        }
    }

    /// An input grows by this.
    #[inline]
    pub fn change(&self, sums: &mut Accumulator, input: usize, by: i32) {
        let column = &self.columns[input * self.hidden..(input + 1) * self.hidden];
        match by {
            1 => sums.0.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight),
            -1 => sums.0.iter_mut().zip(column).for_each(|(sum, weight)| *sum -= weight),
            _ => sums.0.iter_mut().zip(column).for_each(|(sum, weight)| *sum += by * weight),
        }
    }

    /// Follows the stones from one board to another.
    pub fn follow(&self, sums: &mut Accumulator, from: &[i8], to: &[i8]) {
        for (input, (one, other)) in from.iter().zip(to).enumerate() {
            if one != other {
                self.change(sums, input, i32::from(*other) - i32::from(*one));
            }
        }
    }

    /// The answer.
    #[inline]
    #[must_use]
    pub fn answer(&self, sums: &Accumulator) -> f32 {
        let mut sum = self.last_bias;
        for (value, weight) in sums.0.iter().zip(&self.last) {
            sum += weight * activate(self.activations[0], *value as f32 * (1.0 / UNIT));
        }
        activate(self.activations[1], sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Mlp;
    use super::{Accumulator, FastNetwork};
    use tesuji_core::{Rng, Seed};

    /// The fast answer is that of full precision; and sums that followed a game of stones that come
    /// and go are those of the board, to the bit.
    #[test]
    fn accumulators_are_exact() {
        let mut rng = Rng::new(Seed(5));
        let network = Mlp::hawk(81, &mut rng);
        let fast = FastNetwork::of(&network).expect("two layers");
        let mut stones = vec![0_i8; 81];
        let (mut sums, mut fresh) = (Accumulator::default(), Accumulator::default());
        fast.begin(&stones, &mut sums);
        for _ in 0..500 {
            let before = stones.clone();
            for _ in 0..=rng.below(3) {
                stones[rng.below(81) as usize] = rng.below(3) as i8 - 1;
            }
            fast.follow(&mut sums, &before, &stones);
            fast.begin(&stones, &mut fresh);
            assert_eq!(sums, fresh);
            let input: Vec<f64> = stones.iter().map(|stone| f64::from(*stone)).collect();
            assert!((f64::from(fast.answer(&sums)) - network.evaluate(&input)[0]).abs() < 1e-4);
        }
    }
}
