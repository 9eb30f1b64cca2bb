//! The layers of the network and their weights.

use super::convolution::Filter;
use tesuji_core::TensorShape;

/// A matrix, [in, out].
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) weights: Vec<f32>,
}

/// A residual block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) norm1: Vec<f32>,
    pub(super) conv1: Filter,
    pub(super) pool: Matrix,
    pub(super) norm2: Vec<f32>,
    pub(super) conv2: Filter,
}

/// The last layer of the policy.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PolicyHead {
    /// A logit for each cell, the others from the pooled board.
    Cells { cells: Matrix, rest: Matrix },
    /// A dense layer over all cells.
    Dense(Matrix),
}

/// A network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) encoding: String,
    pub(super) note: String,
    pub(super) shape: TensorShape,
    pub(super) channels: usize,
    pub(super) head_channels: usize,
    pub(super) stem: Filter,
    pub(super) globals: Matrix,
    pub(super) blocks: Vec<Block>,
    pub(super) norm: Vec<f32>,
    pub(super) policy_own: Matrix,
    pub(super) policy_pooled: Matrix,
    pub(super) policy_bias: Matrix,
    pub(super) policy: PolicyHead,
    pub(super) value_own: Matrix,
    pub(super) value_hidden: Matrix,
    pub(super) value_hidden_bias: Vec<f32>,
    pub(super) value_out: Matrix,
    pub(super) value_out_bias: f32,
}

impl Network {
    /// The name of the encoding that the network was trained on.
    #[must_use]
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// The file's note on the training.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Why the network cannot evaluate a game with this encoding; nothing if it can.
    #[must_use]
    pub fn incompatibility(&self, encoding: &str, shape: &TensorShape) -> Option<String> {
        if self.encoding != encoding {
            let trained = &self.encoding;
            return Some(format!("the weights were trained on the encoding {trained}, this game has {encoding}"));
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
