//! `zero`: a player with a network trained by self-play.
//!
//! The search is that of self-play ([`crate::tree`]) without noise. With a number of iterations and
//! no time limit it uses sequential halving at the root, otherwise the anytime rule (the improved
//! policy against visit shares, as below the root). One iteration is one simulation and costs one
//! evaluation of the network, unless it reaches the end of the game. A move that wins at once by
//! the rules (a second pass in a won game of Go) is played without a search, unless `solver=false`.
//!
//! Without noise the answer depends on the position and the number of iterations alone. Across
//! processors it may differ in the last bit of a sum (fused multiply-adds), so `bench signature`
//! omits this agent.
//!
//! References: Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022).

use crate::encoding_of;
use crate::gumbel::Constants;
use crate::network::{Evaluation, Instructions, Network};
use crate::shipped::Shipped;
use crate::tree::{GumbelTree, RootRule, SimulationCap};
use std::sync::{Arc, OnceLock};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, NamedFile, Parameter};
use tesuji_core::{
    Bounds, Budget, Encoding, Observer, Playable, Position, Report, Rng, RootMove, Score, Seed, StopReason,
    TensorShape, Value, Watch,
};
use tesuji_search::{Explored, Search, SearchError, Technique};

/// The embedded weights, at most one file for each encoding (`docs/zero`): Go, trained on
/// 9×9, and Hex, trained on 11×11.
const EMBEDDED: [&[u8]; 2] = [include_bytes!("../weights/go9.tzw"), include_bytes!("../weights/hex11.tzw")];

/// The largest weight file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The embedded networks, read once.
fn embedded_networks() -> &'static [Arc<Network>] {
    static NETWORKS: OnceLock<Vec<Arc<Network>>> = OnceLock::new();
    let read = |bytes| Arc::new(Network::read(bytes).expect("the embedded weights are whole"));
    NETWORKS.get_or_init(|| EMBEDDED.into_iter().map(read).collect())
}

/// The embedded network for games with this encoding, if there is one.
#[must_use]
pub fn embedded_network(encoding: &str) -> Option<Arc<Network>> {
    embedded_networks().iter().find(|network| network.encoding() == encoding).cloned()
}

/// The embedded weights of this player.
pub(crate) fn shipped() -> Vec<Shipped> {
    let entry = |(network, bytes): (&Arc<Network>, &[u8])| Shipped {
        agent: Zero::DESCRIPTION.name,
        game: network.encoding().to_string(),
        bytes: bytes.len(),
        note: network.note().to_string(),
    };
    embedded_networks().iter().zip(EMBEDDED).map(entry).collect()
}

/// The player.
#[derive(Clone, Debug)]
pub struct Zero {
    /// The network of a file; else the embedded one for the game.
    network: Option<Arc<Network>>,
    constants: Constants,
    instructions: Instructions,
    /// Whether moves that win at once by the rules are played without a search.
    solver: bool,
}

impl Zero {
    /// A player with this network.
    #[must_use]
    pub fn new(network: Network) -> Zero {
        Zero { network: Some(Arc::new(network)), ..Zero::embedded() }
    }

    /// A player with the embedded networks.
    #[must_use]
    pub fn embedded() -> Zero {
        let constants = Constants { noise: 0.0, ..Constants::default() };
        Zero { network: None, constants, instructions: Instructions::best(), solver: true }
    }

    /// The network for games with this encoding, or why there is none.
    fn network_for(&self, encoding: &str, shape: &TensorShape) -> Result<Arc<Network>, SearchError> {
        let embedded = || embedded_networks().iter();
        let found = match &self.network {
            Some(network) => Some(network),
            None => embedded().find(|network| network.encoding() == encoding),
        };
        let Some(network) = found else {
            let known: Vec<&str> = embedded().map(|network| network.encoding()).collect();
            return Err(SearchError::Unsupported(format!(
                "no weights are embedded for this game (encoding {encoding}; embedded: {}): name a file, weights=\"…\"",
                known.join(", ")
            )));
        };
        match network.incompatibility(encoding, shape) {
            Some(problem) => Err(SearchError::Unsupported(problem)),
            None => Ok(network.clone()),
        }
    }

    /// The same player with Gumbel noise of this scale at the root.
    #[must_use]
    pub fn with_noise(mut self, noise: f32) -> Zero {
        self.constants.noise = noise;
        self
    }
}

/// Evaluates positions of one game.
struct Evaluator<'a, P: Position> {
    network: &'a Network,
    instructions: Instructions,
    encoding: Box<dyn Encoding<P>>,
    planes: Vec<u8>,
    globals: Vec<f32>,
}

impl<P: Playable> Evaluator<'_, P> {
    fn evaluate(&mut self, position: &P) -> Evaluation {
        let shape = self.encoding.shape();
        self.encoding.write(position, &mut self.planes, &mut self.globals);
        let mut evaluation =
            self.network.evaluate(self.instructions, (shape.rows, shape.columns), &self.planes, &self.globals);
        if let Some(orientation) = self.encoding.orientation(position.turn()) {
            let turned = std::mem::take(&mut evaluation.logits);
            orientation.relabel(&turned, &mut evaluation.logits);
        }
        evaluation
    }
}

/// What a tree says of its root.
pub(crate) fn report<P: Playable>(root: &P, tree: &mut GumbelTree<P>) -> Report<P::Move> {
    let mut report = Report::empty(root.turn());
    let mv = |index: usize| root.move_at(index).expect("a move of this game");
    let value = |mean: f32| Value::new(f64::from(mean).clamp(0.0, 1.0));
    report.root = tree
        .root_actions()
        .map(|(index, visits, mean, prior)| RootMove {
            visits: u64::from(visits),
            value: mean.map(value),
            prior: Some(f64::from(prior).clamp(0.0, 1.0)),
            ..RootMove::untried(mv(index))
        })
        .collect();
    for entry in &mut report.root {
        let mut after = root.clone();
        after.play(entry.mv);
        entry.bounds = after.outcome().map_or(Bounds::UNKNOWN, |outcome| Bounds::exact(outcome.score));
    }
    let chosen = tree.decision();
    report.best = Some(report.root[chosen].mv);
    report.value = report.root[chosen].value.unwrap_or_else(|| value(tree.value()));
    let mut at = root.clone();
    for index in tree.line(chosen) {
        let mv = at.move_at(index).expect("a move of this game");
        report.line.push(mv);
        at.play(mv);
    }
    report.depth = report.line.len() as u32;
    report
}

impl<P: Playable> Search<P> for Zero {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.run(root, budget, seed, watch).map(|(report, _)| report)
    }

    fn explore(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Explored<P::Move>, SearchError> {
        let (report, tree) = self.run(root, budget, seed, watch)?;
        Ok((report, Box::new(tree)))
    }
}

impl Zero {
    /// Searches, and returns the tree with the report.
    fn run<P: Playable>(
        &self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<(Report<P::Move>, GumbelTree<P>), SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let encoding = encoding_of(root);
        let shape = encoding.shape();
        let network = self.network_for(encoding.name(), &shape)?;
        let (planes, globals) = (vec![0; shape.bytes()], vec![0.0; shape.globals]);
        let mut evaluator = Evaluator { network: &network, instructions: self.instructions, encoding, planes, globals };
        let timed = budget.soft_time.is_some() || budget.hard_time.is_some() || budget.nodes.is_some();
        let (rule, simulations) = match budget.iterations {
            Some(count) if !timed => {
                (RootRule::SequentialHalving, usize::try_from(count).unwrap_or(usize::MAX).min(1 << 20))
            }
            _ => (RootRule::Anytime, usize::MAX),
        };
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        // The capacity of a vector doubles while the old one still exists.
        let memory = budget.memory_bytes() / 3;
        let mut tree = GumbelTree::new(root, Constants { simulations, ..self.constants }, 0, rule);
        let evaluation = evaluator.evaluate(root);
        let mut noise = (self.constants.noise > 0.0).then(|| Rng::new(seed));
        tree.begin(root, &evaluation.logits, evaluation.value, noise.as_mut(), SimulationCap::Full);
        // A move that wins at once needs no search; a network that is sure of winning would not
        // prefer it.
        let winning = if self.solver { root.winning_move() } else { None };
        while winning.is_none() && !tree.is_done() && meter.iteration() {
            if tree.bytes() > memory {
                meter.stop(StopReason::Memory);
                break;
            }
            if let Some(leaf) = tree.simulate(root) {
                meter.add_nodes(1);
                let evaluation = evaluator.evaluate(leaf);
                tree.expand(&evaluation.logits, evaluation.value);
            }
            let counts = (meter.iterations(), meter.nodes(), meter.recent_elapsed());
            watch.tick(counts.0, counts.2, || Report {
                iterations: counts.0,
                nodes: counts.1,
                elapsed: counts.2,
                stopped: StopReason::Asked,
                ..report(root, &mut tree)
            });
        }
        let mut report = report(root, &mut tree);
        if let Some(mv) = winning {
            report.best = Some(mv);
            report.line = vec![mv];
            report.value = Score::won_by(root.turn()).into();
            report.bounds = Bounds::exact(Score::won_by(root.turn()));
        }
        report.iterations = meter.iterations();
        report.nodes = meter.nodes();
        report.elapsed = meter.elapsed();
        // A completed schedule ends because its iterations do.
        report.stopped = if tree.is_done() { StopReason::Iterations } else { meter.reason() };
        report.memory_bytes = tree.bytes();
        Ok((report, tree))
    }
}

impl Describe for Zero {
    const DESCRIPTION: Description = Description {
        name: "zero",
        about: "a network trained by self-play, with Gumbel search (Danihelka et al. 2022)",
        parameters: &[
            Parameter {
                name: "weights",
                about: "weight file; if not given, the embedded network for the game",
                kind: Kind::File(MAX_BYTES),
                default: None,
            },
            Parameter {
                name: "considered",
                about: "root moves considered by sequential halving",
                kind: Kind::Integer(1, 1_000),
                default: Some("16"),
            },
            Parameter {
                name: "noise",
                about: "scale of the Gumbel noise at the root; 0 plays deterministically",
                kind: Kind::Number(0.0, 100.0),
                default: Some("0"),
            },
            Parameter {
                name: "solver",
                about: "play a move that wins at once by the rules without a search",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("true"),
            },
        ],
    };
}

impl Technique for Zero {
    const ENDLESS: bool = true;

    fn configure(arguments: &Arguments) -> Result<Zero, ArgumentError> {
        let mut zero = match arguments.file("weights")? {
            None => Zero::embedded(),
            Some(NamedFile { path, bytes }) => {
                let network = Network::read(&bytes);
                Zero::new(network.map_err(|error| ArgumentError::of("weights", format!("{path}: {error}")))?)
            }
        };
        zero.solver = arguments.word("solver") == "true";
        zero.constants.considered = arguments.count("considered") as usize;
        Ok(zero.with_noise(arguments.number("noise") as f32))
    }
}
