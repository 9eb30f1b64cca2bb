//! Evaluation for play: two layers, the first as a sum that follows the stones.
//!
//! The first layer's weights are kept by inputs, rounded to 2⁻¹⁶ as integers, so that an
//! [`Accumulator`] is exact: stones that come and go leave no trace of their order. A stone costs
//! one column of additions, an answer only the hidden units' sigmoids and the last layer. After
//! NNUE (Nasu 2018). Rounding moves a sum by at most 2⁻¹⁷ for each stone. The sigmoid of a hidden unit
//! is read from a table of 1,024 steps from −8 to 8, linearly between them: off by less than 4·10⁻⁶,
//! and 3·10⁻⁴ beyond its ends. 27 exponentials would take most of the time.

use super::layers::{Activation, Mlp};
use std::sync::OnceLock;

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

/// Steps of the table, and how far it reaches, in units of a sum.
const STEPS: usize = 1_024;
const REACH: i32 = 8 << 16;

/// The sigmoid at the steps, and once more at the end.
fn table() -> &'static [f32; STEPS + 1] {
    static TABLE: OnceLock<[f32; STEPS + 1]> = OnceLock::new();
    let at = |step: usize| 1.0 / (1.0 + libm::exp(8.0 - step as f64 / 64.0));
    TABLE.get_or_init(|| std::array::from_fn(|step| at(step) as f32))
}

/// The sigmoid of a sum in units of 2⁻¹⁶.
#[inline]
fn sigmoid(table: &[f32; STEPS + 1], sum: i32) -> f32 {
    // 2¹⁰ units a step.
    let place = (sum.clamp(-REACH, REACH - 1) + REACH) as usize;
    let (step, part) = (place >> 10 & (STEPS - 1), (place & 1_023) as f32 * (1.0 / 1_024.0));
    table[step] + part * (table[step + 1] - table[step])
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
        if self.activations[0] == Activation::Sigmoid {
            let table = table();
            for (value, weight) in sums.0.iter().zip(&self.last) {
                sum += weight * sigmoid(table, *value);
            }
        } else {
            for (value, weight) in sums.0.iter().zip(&self.last) {
                sum += weight * activate(self.activations[0], *value as f32 * (1.0 / UNIT));
            }
        }
        activate(self.activations[1], sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Mlp;
    use super::{Accumulator, FastNetwork, sigmoid, table};
    use tesuji_core::{Rng, Seed};

    #[test]
    fn the_table_is_the_sigmoid() {
        for sum in (-600_000..600_000_i32).step_by(37) {
            let exact = 1.0 / (1.0 + libm::exp(f64::from(-sum) / 65_536.0));
            let bound = if sum.abs() < 8 << 16 { 4e-6 } else { 3.4e-4 };
            assert!((f64::from(sigmoid(table(), sum)) - exact).abs() < bound, "{sum}");
        }
    }

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
            assert!((f64::from(fast.answer(&sums)) - network.evaluate(&input)[0]).abs() < 1e-3);
        }
    }
}
