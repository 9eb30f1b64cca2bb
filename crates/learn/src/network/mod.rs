//! The network of `python/tesuji/zero/network.py`, for play: weights from a file, evaluation on one
//! core.
//!
//! | file | contents |
//! |---|---|
//! | `model.rs` | the layers and their weights |
//! | `file.rs` | the weight file: half precision, checksummed |
//! | `convolution.rs` | 3×3 convolutions, with the widest vectors of the processor |
//! | `forward.rs` | the evaluation of one position |
//!
//! The formulas are at the head of `network.py`; `tests/golden.rs` compares both programs. All
//! convolutions are independent of the size of the board, and so is the policy head where moves are
//! cells.

mod convolution;
mod file;
mod forward;
mod model;

pub use convolution::Instructions;
pub use file::WeightError;
pub(crate) use file::crc32;
pub use forward::Evaluation;
pub use model::Network;
