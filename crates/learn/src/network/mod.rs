//! The network of `python/tesuji/zero/network.py`, for play: weights from a file, evaluation on one core.
//!
//! | file | what is in it |
//! |---|---|
//! | `file.rs` | the weight file: half precision, checksummed |
//! | `convolution.rs` | 3×3 convolutions, with the widest vectors the processor has |
//! | `forward.rs` | the evaluation of one position |
//!
//! Formulas are at the head of `network.py`; `tests/golden.rs` compares both. All convolutions are independent of the
//! board's size, and so is the policy head where moves are cells.

mod convolution;
mod file;
mod forward;

pub use convolution::Instructions;
pub use file::WeightError;
pub use forward::Evaluation;

use convolution::Filter;
use tesuji_core::TensorShape;

/// A matrix, [in, out].
#[derive(Clone, PartialEq, Debug)]
struct Matrix {
    inputs: usize,
    outputs: usize,
    weights: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Block {
    norm1: Vec<f32>,
    conv1: Filter,
    pool: Matrix,
    norm2: Vec<f32>,
    conv2: Filter,
}

/// The last layer of the policy.
#[derive(Clone, PartialEq, Debug)]
enum PolicyHead {
    /// A logit for each cell, the others from the pooled board.
    Cells { cells: Matrix, rest: Matrix },
    /// A dense layer over all cells.
    Dense(Matrix),
}

/// A network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    encoding: String,
    note: String,
    shape: TensorShape,
    channels: usize,
    head_channels: usize,
    stem: Filter,
    globals: Matrix,
    blocks: Vec<Block>,
    norm: Vec<f32>,
    policy_own: Matrix,
    policy_pooled: Matrix,
    policy_bias: Matrix,
    policy: PolicyHead,
    value_own: Matrix,
    value_hidden: Matrix,
    value_hidden_bias: Vec<f32>,
    value_out: Matrix,
    value_out_bias: f32,
}

impl Network {
    /// The name of the encoding that the network was trained with.
    #[must_use]
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// What the file says about its training.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Why the network cannot play a game with this encoding; nothing if it can.
    #[must_use]
    pub fn incompatibility(&self, encoding: &str, shape: &TensorShape) -> Option<String> {
        if self.encoding != encoding {
            let trained = &self.encoding;
            return Some(format!("the weights were trained with the encoding {trained}, this game has {encoding}"));
        }
        let extra = |shape: &TensorShape| shape.moves.saturating_sub(shape.cells());
        let own = &self.shape;
        let any_size = own.moves_are_cells && shape.moves_are_cells && extra(own) == extra(shape);
        if (own.planes, own.globals) != (shape.planes, shape.globals) || !(any_size || own == shape) {
            return Some(format!("the weights are for tensors of {own:?}, this game has {shape:?}"));
        }
        None
    }
}
