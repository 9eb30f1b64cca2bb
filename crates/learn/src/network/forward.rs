//! The evaluation of one position. Formulas: head of `python/tesuji/zero/network.py`.
//!
//! Everything around the convolutions is plain code, compiled once for each set of instructions: the
//! compiler makes vectors of it, without changing the order of additions.

use super::convolution::{Filter, Instructions};
use super::model::{Matrix, Network, PolicyHead};

/// The network's evaluation of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evaluation {
    /// By move index.
    pub logits: Vec<f32>,
    /// In [−1, 1], for the side to move.
    pub value: f32,
}

/// x · matrix, added to `output`.
#[inline(always)]
fn add_product(matrix: &Matrix, x: &[f32], output: &mut [f32]) {
    for (input, row) in x.iter().zip(matrix.weights.chunks_exact(matrix.outputs.max(1))) {
        for (sum, weight) in output.iter_mut().zip(row) {
            *sum += input * weight;
        }
    }
}

#[inline(always)]
fn product(matrix: &Matrix, x: &[f32]) -> Vec<f32> {
    debug_assert_eq!(x.len(), matrix.inputs);
    let mut output = vec![0.0; matrix.outputs];
    add_product(matrix, x, &mut output);
    output
}

/// Mean and maximum of each channel over the board, side by side.
#[inline(always)]
fn pooled(board: &[f32], channels: usize) -> Vec<f32> {
    let mut pool = vec![0.0; channels];
    pool.resize(2 * channels, f32::NEG_INFINITY);
    let (means, highs) = pool.split_at_mut(channels);
    for cell in board.chunks_exact(channels) {
        for channel in 0..channels {
            means[channel] += cell[channel];
            highs[channel] = highs[channel].max(cell[channel]);
        }
    }
    let share = 1.0 / (board.len() / channels) as f32;
    means.iter_mut().for_each(|mean| *mean *= share);
    pool
}

/// relu(norm(cell) · gain) into `output`.
#[inline(always)]
fn activate(cell: &[f32], gain: &[f32], output: &mut [f32]) {
    // Sixteen partial sums: a single one would wait for each addition.
    let mut sums = [0.0_f32; 16];
    let (whole, rest) = cell.as_chunks::<16>();
    for part in whole {
        for lane in 0..16 {
            sums[lane] += part[lane] * part[lane];
        }
    }
    let square = (sums.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>()) / cell.len() as f32;
    let scale = 1.0 / (square + 1e-5).sqrt();
    for ((to, from), gain) in output.iter_mut().zip(cell).zip(gain) {
        *to = (from * scale * gain).max(0.0);
    }
}

#[inline(always)]
fn relu(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}

/// A board of cells × channels, padded with a border of zeros for convolutions.
struct Trunk {
    rows: usize,
    columns: usize,
    channels: usize,
    padded: Vec<f32>,
    out: Vec<f32>,
}

impl Trunk {
    /// Activates `board` into the padded board, and into `kept` without padding.
    #[inline(always)]
    fn activate(&mut self, board: &[f32], gain: &[f32], kept: &mut Vec<f32>) {
        let (channels, columns) = (self.channels, self.columns);
        kept.resize(self.rows * columns * channels, 0.0);
        for (number, cell) in board.chunks_exact(channels).enumerate() {
            let at = ((number / columns + 1) * (columns + 2) + number % columns + 1) * channels;
            activate(cell, gain, &mut self.padded[at..at + channels]);
            kept[number * channels..(number + 1) * channels].copy_from_slice(&self.padded[at..at + channels]);
        }
    }

    /// Convolves the padded board; the result is cells × channels.
    #[inline(always)]
    fn convolve(&mut self, instructions: Instructions, filter: &Filter, result: &mut Vec<f32>) {
        self.out.resize(self.rows * self.columns * filter.pitch(), 0.0);
        filter.convolve(instructions, (self.rows, self.columns), &self.padded, &mut self.out);
        result.clear();
        for cell in self.out.chunks_exact(filter.pitch()) {
            result.extend_from_slice(&cell[..self.channels]);
        }
    }
}

impl Network {
    /// Evaluates a position, given as its game's encoding writes it, on a board of `rows` ×
    /// `columns`.
    ///
    /// # Panics
    /// If the tensors have other sizes than the network's encoding.
    #[must_use]
    #[allow(unsafe_code)]
    pub fn evaluate(
        &self,
        instructions: Instructions,
        board: (usize, usize),
        planes: &[u8],
        globals: &[f32],
    ) -> Evaluation {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                assert!(is_x86_feature_detected!("avx512f"), "this processor has no AVX-512");
                // SAFETY: just checked.
                unsafe { self.evaluate_avx512(board, planes, globals) }
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => {
                let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
                assert!(found, "this processor has no AVX2 with FMA");
                // SAFETY: just checked.
                unsafe { self.evaluate_avx2(board, planes, globals) }
            }
            _ => self.evaluate_with(instructions, board, planes, globals),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn evaluate_avx512(&self, board: (usize, usize), planes: &[u8], globals: &[f32]) -> Evaluation {
        self.evaluate_with(Instructions::Avx512, board, planes, globals)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn evaluate_avx2(&self, board: (usize, usize), planes: &[u8], globals: &[f32]) -> Evaluation {
        self.evaluate_with(Instructions::Avx2, board, planes, globals)
    }

    #[inline(always)]
    fn evaluate_with(
        &self,
        instructions: Instructions,
        (rows, columns): (usize, usize),
        planes: &[u8],
        globals: &[f32],
    ) -> Evaluation {
        let (cells, channels, inputs) = (rows * columns, self.channels, self.shape.planes);
        assert_eq!((planes.len(), globals.len()), (inputs * cells, self.shape.globals), "tensors of this encoding");
        let mut input = vec![0.0; (rows + 2) * (columns + 2) * inputs];
        for (plane, marks) in planes.chunks_exact(cells).enumerate() {
            for (cell, mark) in marks.iter().enumerate() {
                let at = (cell / columns + 1) * (columns + 2) + cell % columns + 1;
                input[at * inputs + plane] = f32::from(*mark);
            }
        }
        let pitch = self.stem.pitch();
        let mut out = vec![0.0; cells * pitch];
        self.stem.convolve(instructions, (rows, columns), &input, &mut out);
        let bias = product(&self.globals, globals);
        let mut x: Vec<f32> = Vec::with_capacity(cells * channels);
        for cell in out.chunks_exact(pitch) {
            x.extend(cell[..channels].iter().zip(&bias).map(|(value, bias)| value + bias));
        }
        let padded = vec![0.0; (rows + 2) * (columns + 2) * channels];
        let mut trunk = Trunk { rows, columns, channels, padded, out };
        let (mut h, mut active) = (Vec::new(), Vec::new());
        for block in &self.blocks {
            trunk.activate(&x, &block.norm1, &mut active);
            let bias = product(&block.pool, &pooled(&active, channels));
            trunk.convolve(instructions, &block.conv1, &mut h);
            for cell in h.chunks_exact_mut(channels) {
                cell.iter_mut().zip(&bias).for_each(|(value, bias)| *value += bias);
            }
            trunk.activate(&h, &block.norm2, &mut active);
            trunk.convolve(instructions, &block.conv2, &mut h);
            x.iter_mut().zip(&h).for_each(|(value, change)| *value += change);
        }
        trunk.activate(&x, &self.norm, &mut active);
        self.heads(&active)
    }

    #[inline(always)]
    fn heads(&self, trunk: &[f32]) -> Evaluation {
        let (channels, heads) = (self.channels, self.head_channels);
        let layer = |matrix: &Matrix, bias: Option<&[f32]>| {
            let mut layer: Vec<f32> = Vec::with_capacity(trunk.len() / channels * heads);
            for cell in trunk.chunks_exact(channels) {
                let at = layer.len();
                match bias {
                    Some(bias) => layer.extend_from_slice(bias),
                    None => layer.resize(at + heads, 0.0),
                }
                add_product(matrix, cell, &mut layer[at..]);
            }
            relu(&mut layer);
            layer
        };
        let pool = pooled(&layer(&self.policy_pooled, None), heads);
        let bias = product(&self.policy_bias, &pool);
        let own = layer(&self.policy_own, Some(&bias));
        let logits = match &self.policy {
            PolicyHead::Cells { cells, rest } => {
                let dot = |cell: &[f32]| cell.iter().zip(&cells.weights).map(|(x, w)| x * w).sum();
                let mut logits: Vec<f32> = own.chunks_exact(heads).map(dot).collect();
                logits.extend(product(rest, &pool));
                logits
            }
            PolicyHead::Dense(matrix) => product(matrix, &own),
        };
        let mut hidden = self.value_hidden_bias.clone();
        add_product(&self.value_hidden, &pooled(&layer(&self.value_own, None), heads), &mut hidden);
        relu(&mut hidden);
        let logit = product(&self.value_out, &hidden)[0] + self.value_out_bias;
        Evaluation { logits, value: libm::tanhf(logit * 0.5) }
    }
}
