//! Small dense networks: written by hand, because a call into a library costs ten times what such a
//! network does.
//!
//! | file | contents |
//! |---|---|
//! | `layers.rs` | dense layers and their evaluation in full precision |
//! | `gradient.rs` | the gradient of the squared error, by backpropagation |
//! | [`rules`] | what a gradient does to the weights: RPROP+, iRPROP−, Adam, plain descent |
//! | `training.rs` | epochs, until an error is small enough or does not move |
//! | `fast.rs` | evaluation for play, with an accumulator that follows the stones |
//! | `cost.rs` | what an evaluation costs, for `tesuji bench learn` |
//! | `file.rs` | the file of such weights, and of evolved ones |

mod cost;
mod fast;
mod file;
mod gradient;
mod layers;
pub mod rules;
mod training;

pub use cost::costs;
pub use fast::{Accumulator, FastNetwork};
pub use file::{Head, Inside, MAX_BYTES, Reader, SmallFileError, Writer, unpack, unpack_as};
pub use gradient::{Gradient, Sample, mean_squared_error};
pub use layers::{Activation, Layer, Mlp};
pub use training::{Training, correlation, train};
