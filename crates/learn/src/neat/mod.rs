//! NEAT: networks whose structure evolves with their weights.
//!
//! Stanley & Miikkulainen, "Evolving neural networks through augmenting topologies" (Evolutionary
//! Computation 10(2), 2002). HyperNEAT: Stanley, D'Ambrosio & Gauci, "A hypercube-based encoding for
//! evolving large-scale neural networks" (Artificial Life 15(2), 2009).
//!
//! | file | contents |
//! |---|---|
//! | `genome.rs` | genes with innovation numbers, distance, crossover |
//! | `mutation.rs` | changes of weights and of structure |
//! | `config.rs` | the constants: the paper's, Encog's, and ours for boards |
//! | `population.rs` | species, shared fitness, offspring |
//! | `phenotype.rs` | the network that a genome means |
//! | [`hyper`] | HyperNEAT with a local substrate: a stencil for boards of any size |
//! | [`benchmarks`] | the exclusive or, and two poles on a cart without velocities |

pub mod benchmarks;
mod config;
mod genome;
pub mod hyper;
mod mutation;
mod phenotype;
mod poles;
mod population;

pub use config::{Breeding, Config};
pub use genome::{Gene, Genome, Innovations};
pub(crate) use mutation::normal;
pub use phenotype::{Network, steepened};
pub use population::Population;
