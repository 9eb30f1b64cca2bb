//! `zero`: a player with a network trained by self-play.
//!
//! It is a recipe of the one engine,
//! `mcts(leaf=net,select=gumbel,probe=look(depth=1),ties=first)`: with a number of iterations and no
//! other limit sequential halving at the root, otherwise the anytime rule (the improved policy against
//! visit shares, as below the root). One iteration is one simulation and costs one evaluation of the
//! network, unless it reaches the end of the game. The tree is kept between moves, results are proved,
//! threads share the tree.
//!
//! A move that wins at once by the rules (a second pass in a won game of Go) is played without a
//! search, unless `solver=false`: a network that is sure of winning would not prefer it.
//!
//! Without noise the answer depends on the position, the tree that was kept and the number of
//! iterations alone, and with `instructions=portable` it is the same on every machine.
//!
//! References: Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022).

use crate::judge::Networks;
use crate::network::Network;
use crate::shipped::Shipped;
use std::sync::{Arc, OnceLock};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Bounds, Budget, Observer, Playable, Position, Report, RootMove, Score, Seed};
use tesuji_search::mcts::{Leaf, Mcts, Probe, Selection, TieBreak, TreeReuse};
use tesuji_search::{Explored, Search, SearchError, Technique};

/// The embedded weights, at most one file for each encoding (`docs/zero`). The name tells the board
/// of the training; boards of other sizes are served where moves are cells.
const EMBEDDED: [&[u8]; 4] = [
    include_bytes!("../weights/go9.tzw"),
    include_bytes!("../weights/hex11.tzw"),
    include_bytes!("../weights/othello8.tzw"),
    include_bytes!("../weights/gomoku15.tzw"),
];

/// The agent's name.
const NAME: &str = "zero";

/// The largest weight file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The embedded networks, read once.
pub(crate) fn embedded_networks() -> &'static [Arc<Network>] {
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
        agent: NAME,
        game: network.encoding().to_string(),
        bytes: bytes.len(),
        note: network.note().to_string(),
    };
    embedded_networks().iter().zip(EMBEDDED).map(entry).collect()
}

/// How the player searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ZeroSettings {
    /// Root moves that sequential halving considers.
    pub considered: u32,
    /// The scale of the Gumbel noise at the root; 0 plays deterministically.
    pub noise: f64,
    /// Whether results are proved, and moves that win at once by the rules are played without a
    /// search.
    pub solver: bool,
    /// Whether the tree is kept between moves.
    pub reuse: bool,
    /// The value below which it resigns; 0 never.
    pub resign: f64,
    /// How much less than the best move a pass may be worth in a decided game; 0 disables the rule.
    pub pass: f64,
}

impl Default for ZeroSettings {
    fn default() -> ZeroSettings {
        ZeroSettings { considered: 16, noise: 0.0, solver: true, reuse: true, resign: 0.0, pass: 0.0 }
    }
}

impl ZeroSettings {
    /// The recipe that these settings are.
    #[must_use]
    pub fn recipe(self) -> Mcts {
        Mcts {
            leaf: Leaf::Net { batch: 1 },
            select: Selection::gumbel(self.considered, self.noise),
            probe: self.solver.then_some(Probe { depth: 1, visits: 0, backup: false }),
            solver: self.solver,
            ties: TieBreak::First,
            reuse: self.reuse,
            resign: self.resign,
            pass: self.pass,
            ..Mcts::default()
        }
    }
}

/// The player.
pub struct Zero<P: Position> {
    search: TreeReuse<P>,
    /// Whether moves that win at once by the rules are played without a search.
    solver: bool,
}

impl<P: Playable> Zero<P> {
    /// A player with these networks.
    #[must_use]
    pub fn new(networks: Networks, settings: ZeroSettings) -> Zero<P> {
        let search = TreeReuse::new(settings.recipe()).with_judges(Arc::new(networks));
        Zero { search, solver: settings.solver }
    }

    /// A player with the embedded networks.
    #[must_use]
    pub fn embedded() -> Zero<P> {
        Zero::new(Networks::embedded(), ZeroSettings::default())
    }
}

/// The answer where a move wins at once.
fn won<P: Playable>(root: &P, mv: P::Move) -> Report<P::Move> {
    let score = Score::won_by(root.turn());
    let mut moves = root.moves();
    moves.sort_by_key(|mv| root.move_index(*mv));
    let entry = |other: P::Move| {
        let bounds = if other == mv { Bounds::exact(score) } else { Bounds::UNKNOWN };
        RootMove { bounds, ..RootMove::untried(other) }
    };
    Report {
        best: Some(mv),
        line: vec![mv],
        root: moves.into_iter().map(entry).collect(),
        value: score.into(),
        bounds: Bounds::exact(score),
        ..Report::empty(root.turn())
    }
}

impl<P: Playable> Search<P> for Zero<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        match root.winning_move().filter(|_| self.solver) {
            Some(mv) => Ok(won(root, mv)),
            None => self.search.search(root, budget, seed, watch),
        }
    }

    fn explore(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Explored<P::Move>, SearchError> {
        self.search.explore(root, budget, seed, watch)
    }

    fn begin(&mut self) {
        self.search.begin();
    }

    fn follow(&mut self, mv: P::Move) {
        self.search.follow(mv);
    }
}

const fn truth(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Choice(&["true", "false"]), default: Some("true") }
}

const fn threshold(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Number(0.0, 1.0), default: Some("0.0") }
}

impl<P: Position> Describe for Zero<P> {
    const DESCRIPTION: Description = Description {
        name: NAME,
        about: "a network trained by self-play, with Gumbel search (Danihelka et al. 2022)",
        parameters: &[
            Parameter {
                name: "weights",
                about: "weight file; if not given, the embedded network for the game",
                kind: Kind::File(MAX_BYTES),
                default: None,
            },
            Parameter {
                name: "instructions",
                about: "arithmetic; auto is the fastest that the processor has",
                kind: Kind::Choice(&["auto", "avx512", "avx2", "portable"]),
                default: Some("auto"),
            },
            Parameter {
                name: "symmetries",
                about: "average over all symmetries of the game",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("false"),
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
            truth("solver", "prove results, and play a move that wins at once by the rules without a search"),
            truth("reuse", "reuse the tree for the next move"),
            threshold("resign", "resign below this value; 0 never resigns"),
            threshold("pass", "in a decided game, pass if it costs at most this much; 0 is off"),
        ],
    };
}

impl<P: Playable> Technique for Zero<P> {
    const ENDLESS: bool = true;
    const PARALLEL: bool = true;
    const USUAL_ITERATIONS: u64 = 1_000;

    fn configure(arguments: &Arguments) -> Result<Zero<P>, ArgumentError> {
        let settings = ZeroSettings {
            considered: arguments.count("considered"),
            noise: arguments.number("noise"),
            solver: arguments.word("solver") == "true",
            reuse: arguments.word("reuse") == "true",
            resign: arguments.number("resign"),
            pass: arguments.number("pass"),
        };
        Ok(Zero::new(Networks::configure(arguments)?, settings))
    }
}
