//! Networks as judges of positions, for searches that know no networks
//! ([`tesuji_core::Judge`]): the leaf `net` of `mcts`, and with it the agent `zero`.
//!
//! **Symmetries.** With `symmetries=true` a verdict is the mean of the network's values and logits
//! over all images of the position under the symmetries of the game: eight evaluations in Go, two in
//! Hex. The mean of logits is the geometric mean of the policies, up to a factor.
//!
//! **Instructions.** `auto` takes the widest vectors of the processor. AVX-512 and AVX2 agree bit for
//! bit; portable arithmetic rounds products before it adds them and gives the same answers on every
//! machine. Reports name the choice: the figure `vector-lanes` is 16, 8 or 1.

use crate::encoding_of;
use crate::network::{Instructions, Network};
use crate::player::embedded_networks;
use std::sync::Arc;
use tesuji_core::spec::{ArgumentError, Arguments, NamedFile};
use tesuji_core::{Encoding, Judge, JudgeSource, Playable, Position, Symmetry, TensorShape, Verdict};

/// Networks for games, and how they are evaluated.
#[derive(Clone, Debug)]
pub struct Networks {
    /// The network of a file; else the embedded one for the game.
    network: Option<Arc<Network>>,
    instructions: Instructions,
    symmetries: bool,
}

impl Networks {
    /// The embedded networks.
    #[must_use]
    pub fn embedded() -> Networks {
        Networks { network: None, instructions: Instructions::best(), symmetries: false }
    }

    /// This network.
    #[must_use]
    pub fn of(network: Network) -> Networks {
        Networks { network: Some(Arc::new(network)), ..Networks::embedded() }
    }

    /// The same with these instructions.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Networks {
        Networks { instructions, ..self }
    }

    /// The same, averaging over symmetries or not.
    #[must_use]
    pub fn averaging(self, symmetries: bool) -> Networks {
        Networks { symmetries, ..self }
    }

    /// By the arguments `weights`, `instructions` and `symmetries`.
    ///
    /// # Errors
    /// If the file cannot be read or is no weight file, or the processor lacks the instructions.
    pub fn configure(arguments: &Arguments) -> Result<Networks, ArgumentError> {
        let networks = match arguments.file("weights")? {
            None => Networks::embedded(),
            Some(NamedFile { path, bytes }) => {
                let network = Network::read(&bytes);
                Networks::of(network.map_err(|error| ArgumentError::of("weights", format!("{path}: {error}")))?)
            }
        };
        let instructions = match arguments.word("instructions") {
            "avx512" => Instructions::Avx512,
            "avx2" => Instructions::Avx2,
            "portable" => Instructions::Portable,
            _ => Instructions::best(),
        };
        if !Instructions::all().contains(&instructions) {
            return Err(ArgumentError::of("instructions", "this processor does not have them; use auto or portable"));
        }
        Ok(networks.with_instructions(instructions).averaging(arguments.word("symmetries") == "true"))
    }

    /// The network for games with this encoding, or why there is none.
    fn network_for(&self, encoding: &str, shape: &TensorShape) -> Result<Arc<Network>, String> {
        let embedded = || embedded_networks().iter();
        let found = match &self.network {
            Some(network) => Some(network),
            None => embedded().find(|network| network.encoding() == encoding),
        };
        let Some(network) = found else {
            let known: Vec<&str> = embedded().map(|network| network.encoding()).collect();
            return Err(format!(
                "no weights are embedded for this game (encoding {encoding}; embedded: {}): name a file, weights=\"…\"",
                known.join(", ")
            ));
        };
        match network.incompatibility(encoding, shape) {
            Some(problem) => Err(problem),
            None => Ok(network.clone()),
        }
    }
}

impl<P: Playable> JudgeSource<P> for Networks {
    fn judge_for(&self, root: &P) -> Result<Box<dyn Judge<P>>, String> {
        let encoding: Arc<dyn Encoding<P>> = encoding_of(root).into();
        let shape = encoding.shape();
        let network = self.network_for(encoding.name(), &shape)?;
        let images = if self.symmetries { encoding.symmetries() } else { Vec::new() };
        Ok(Box::new(NetworkJudge {
            network,
            instructions: self.instructions,
            images: images.into(),
            planes: vec![0; shape.bytes()],
            image: vec![0; shape.bytes()],
            globals: vec![0.0; shape.globals],
            shape,
            encoding,
        }))
    }
}

/// A network that judges positions of one game.
struct NetworkJudge<P: Position> {
    network: Arc<Network>,
    instructions: Instructions,
    encoding: Arc<dyn Encoding<P>>,
    shape: TensorShape,
    /// The symmetries that are averaged; none evaluates the position as it stands.
    images: Arc<[Symmetry]>,
    planes: Vec<u8>,
    image: Vec<u8>,
    globals: Vec<f32>,
}

impl<P: Position> NetworkJudge<P> {
    fn evaluate(&self, planes: &[u8]) -> Verdict {
        let board = (self.shape.rows, self.shape.columns);
        let evaluation = self.network.evaluate(self.instructions, board, planes, &self.globals);
        Verdict { logits: evaluation.logits, value: evaluation.value }
    }

    /// The mean over all images.
    fn average(&mut self) -> Verdict {
        let mut mean = Verdict { logits: vec![0.0; self.shape.moves], value: 0.0 };
        let images = self.images.clone();
        let share = 1.0 / images.len() as f32;
        for symmetry in images.iter() {
            let cells = self.shape.cells();
            for (from, to) in self.planes.chunks_exact(cells).zip(self.image.chunks_exact_mut(cells)) {
                for (cell, source) in to.iter_mut().zip(&symmetry.cells) {
                    *cell = from[usize::from(*source)];
                }
            }
            let image = std::mem::take(&mut self.image);
            let verdict = self.evaluate(&image);
            self.image = image;
            mean.value += share * verdict.value;
            for (logit, source) in verdict.logits.iter().zip(&symmetry.moves) {
                mean.logits[usize::from(*source)] += share * logit;
            }
        }
        mean
    }
}

impl<P: Playable> Judge<P> for NetworkJudge<P> {
    fn judge(&mut self, positions: &[&P]) -> Vec<Verdict> {
        let judged = positions.iter().map(|position| {
            self.encoding.write(position, &mut self.planes, &mut self.globals);
            let mut verdict = if self.images.is_empty() { self.evaluate(&self.planes) } else { self.average() };
            if let Some(orientation) = self.encoding.orientation(position.turn()) {
                let turned = std::mem::take(&mut verdict.logits);
                orientation.relabel(&turned, &mut verdict.logits);
            }
            verdict
        });
        judged.collect()
    }

    fn fork(&self) -> Box<dyn Judge<P>> {
        Box::new(NetworkJudge {
            network: self.network.clone(),
            encoding: self.encoding.clone(),
            images: self.images.clone(),
            planes: self.planes.clone(),
            image: self.image.clone(),
            globals: self.globals.clone(),
            ..*self
        })
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![("vector-lanes", self.instructions.lanes() as f64)]
    }
}

/// The networks of an agent's leaf `net`, by the arguments of that part.
///
/// # Errors
/// As [`Networks::configure`], for the parameter `leaf`. A file that does not fit is not quoted: the
/// agent `zero` tells why.
pub fn networks_of_leaf(part: &Arguments) -> Result<Networks, ArgumentError> {
    Networks::configure(part).map_err(|error| match part.has("weights") {
        true => ArgumentError::of("leaf", "net: these weights cannot be used; zero(weights=…) tells why"),
        false => ArgumentError::of("leaf", format!("net: {}", error.problem)),
    })
}
