//! The agents `uct`, `ann`, `ga` and `neat`.

use super::ann::{Judge, Pruning};
use super::ga::{Evolving, Fixed, Members};
use super::playouts::{Guide, Guided};
use super::table::{StoneTable, table_of};
use super::uct::{As, Plain, Style, Tree};
use super::weights::{Bundle, Weights, embedded};
use crate::small::MAX_BYTES;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, NamedFile, Parameter};
use tesuji_core::{Budget, Meter, Observer, Playable, Player, Report, Rng, RootMove, Seed, StopReason, Value, Watch};
use tesuji_search::{Search, SearchError, Technique};

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    about: "weight file; if not given, the embedded weights for the board",
    kind: Kind::File(MAX_BYTES as u64),
    default: None,
};

/// Which agent, and in which setting.
#[derive(Clone)]
struct Setting {
    agent: &'static str,
    style: String,
    bundle: Option<Bundle>,
}

impl Setting {
    fn read(agent: &'static str, arguments: &Arguments) -> Result<Setting, ArgumentError> {
        let has_weights = agent != "uct";
        let bundle = match if has_weights { arguments.file("weights")? } else { None } {
            None => None,
            Some(NamedFile { path, bytes }) => {
                Some(Bundle::read(&bytes).map_err(|error| ArgumentError::of("weights", format!("{path}: {error}")))?)
            }
        };
        Ok(Setting { agent, style: arguments.word("as").to_string(), bundle })
    }

    fn whose(&self) -> As {
        if self.style == "code" { As::Code } else { As::Text }
    }

    /// The weights for a board, or why there are none.
    fn weights(&self, table: &dyn StoneTable) -> Result<&Weights, SearchError> {
        let bundle = self.bundle.as_ref().unwrap_or_else(|| embedded(self.agent));
        let (game, lines) = (table.game(), table.lines());
        bundle.find(game, lines, &self.style).ok_or_else(|| {
            let place = if self.bundle.is_some() { "the file has" } else { "there are" };
            SearchError::Unsupported(format!(
                "no weights of {}(as={}) for {game} on {lines} lines; {place} weights for: {}{}",
                self.agent,
                self.style,
                bundle.boards(&self.style),
                if self.bundle.is_some() { "" } else { ". Name a file, weights=\"…\", to use others" },
            ))
        })
    }

    fn misfit(&self) -> SearchError {
        SearchError::Unsupported(format!("these weights are not for {}(as={})", self.agent, self.style))
    }

    /// The part of the search that the agent changes.
    fn style(&self, table: &dyn StoneTable, members: Members) -> Result<Box<dyn Style>, SearchError> {
        let lines = table.lines();
        Ok(match (self.agent, self.style.as_str()) {
            ("uct", _) => Box::new(Plain),
            ("ga", "text" | "code") => Box::new(Evolving::new(self.whose(), members, lines)),
            ("ga", "equal") => Box::new(Fixed::new([1.0; 5], lines)),
            ("ga", _) => match self.weights(table)? {
                Weights::Properties(weights) => Box::new(Fixed::new(*weights, lines)),
                _ => return Err(self.misfit()),
            },
            ("ann", style) => match self.weights(table)? {
                Weights::Value(network) => {
                    let improved = style == "improved";
                    Box::new(Pruning::new(Judge::new(network.clone(), improved), self.whose(), improved))
                }
                _ => return Err(self.misfit()),
            },
            (_, style) => {
                let guide = match (self.weights(table)?, style) {
                    (Weights::Evolved(network), "text") => Guide::Text(network.clone()),
                    (Weights::Evolved(network), "code") => Guide::Code(network.clone()),
                    (Weights::Evolved(network), _) => Guide::Sane(network.clone()),
                    (Weights::Stencil(stencil), "hyper") => Guide::Hyper(stencil.clone()),
                    _ => return Err(self.misfit()),
                };
                Box::new(Guided::new(guide, lines))
            }
        })
    }
}

/// What a search keeps between moves: the population, where a game was followed.
#[derive(Clone, Default)]
struct Memory {
    members: Members,
    followed: bool,
}

/// One search, for any game.
fn search<P: Playable>(
    setting: &Setting,
    memory: &mut Memory,
    root: &P,
    budget: &Budget,
    seed: Seed,
    watch: &mut dyn Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    let mut table = table_of(root).ok_or_else(|| {
        SearchError::Unsupported(format!("{} plays games of stones on square boards: go and hex", setting.agent))
    })?;
    let table = table.as_mut();
    let members = if memory.followed { std::mem::take(&mut memory.members) } else { Members::new() };
    memory.followed = false;
    let mut style = setting.style(table, members)?;
    let mut tree = Tree::new(table, setting.whose(), budget);
    let mut meter = budget.meter();
    let mut rng = Rng::new(seed);
    let mut watch = Watch::new(watch);
    let stopped = tree.run(table, style.as_mut(), &mut meter, &mut rng, &mut |tree, meter, style| {
        watch.tick(meter.iterations(), meter.recent_elapsed(), || report(root, tree, style, meter, StopReason::Asked));
    });
    let mut report = report(root, &tree, style.as_ref(), &meter, stopped);
    report.elapsed = meter.elapsed();
    if report.best.is_none() {
        report.best = root.random_move(&mut rng);
        report.line = report.best.into_iter().collect();
    }
    memory.members = style.members();
    Ok(report)
}

fn report<P: Playable>(
    root: &P,
    tree: &Tree,
    style: &dyn Style,
    meter: &Meter,
    stopped: StopReason,
) -> Report<P::Move> {
    let mover = root.turn();
    let first = |value: f64| Value::new(if mover == Player::First { value } else { 1.0 - value }.clamp(0.0, 1.0));
    let mut report = Report::empty(mover);
    // In the game's order, pruned moves untried.
    report.root = root.moves().into_iter().map(RootMove::untried).collect();
    for entry in &mut report.root {
        let number = root.move_index(entry.mv) as u16;
        if let Some(node) = tree.root().iter().find(|node| node.mv == number) {
            entry.visits = u64::from(node.visits);
            entry.value = tree.mean_of(node).filter(|_| node.visits > 0).map(first);
        }
    }
    report.value = first(tree.mean());
    report.best = tree.best(style).and_then(|node| root.move_at(usize::from(node.mv)));
    report.line = report.best.into_iter().collect();
    report.iterations = meter.iterations();
    report.nodes = meter.nodes();
    report.depth = tree.depth() as u32;
    report.memory_bytes = tree.bytes();
    report.elapsed = meter.recent_elapsed();
    report.stopped = stopped;
    report
}

/// The agents differ in their descriptions alone.
macro_rules! agent {
    ($(#[$about:meta])* $name:ident, $description:expr) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $name(Setting, Memory);

        impl Describe for $name {
            const DESCRIPTION: Description = $description;
        }

        impl Technique for $name {
            const ENDLESS: bool = true;

            fn configure(arguments: &Arguments) -> Result<$name, ArgumentError> {
                Ok($name(Setting::read(Self::DESCRIPTION.name, arguments)?, Memory::default()))
            }
        }

        impl<P: Playable> Search<P> for $name {
            fn search(
                &mut self,
                root: &P,
                budget: &Budget,
                seed: Seed,
                watch: &mut dyn Observer<P::Move>,
            ) -> Result<Report<P::Move>, SearchError> {
                search(&self.0, &mut self.1, root, budget, seed, watch)
            }

            fn begin(&mut self) {
                self.1 = Memory::default();
            }

            fn follow(&mut self, _: P::Move) {
                self.1.followed = true;
            }
        }
    };
}

agent!(
    /// Hawk's plain search, for comparison.
    Uct,
    Description {
        name: "uct",
        about: "plain search as in Hawk 2017, the control of ann, ga and neat; go and hex",
        parameters: &[
            Parameter {
                name: "as",
                about: "his text, or his program",
                kind: Kind::Choice(&["text", "code"]),
                default: Some("text"),
            },
        ],
    }
);

agent!(
    /// Pruning by a value network.
    Ann,
    Description {
        name: "ann",
        about: "search that drops moves by a value network (Hawk 2017); go and hex, sizes with weights",
        parameters: &[
            Parameter {
                name: "as",
                about: "his text, his program, or with better targets, symmetries and pruning in the tree",
                kind: Kind::Choice(&["text", "code", "improved"]),
                default: Some("text"),
            },
            WEIGHTS,
        ],
    }
);

agent!(
    /// Weights of properties.
    Ga,
    Description {
        name: "ga",
        about: "search biased by five properties whose weights evolve meanwhile (Hawk 2017); go and hex",
        parameters: &[
            Parameter {
                name: "as",
                about: "his text, his program, weights tuned before by CMA-ES, or all weights 1",
                kind: Kind::Choice(&["text", "code", "tuned", "equal"]),
                default: Some("text"),
            },
            WEIGHTS,
        ],
    }
);

agent!(
    /// Playouts by evolved networks.
    Neat,
    Description {
        name: "neat",
        about: "search with playouts by an evolved network (Hawk 2017); go and hex, sizes with weights",
        parameters: &[
            Parameter {
                name: "as",
                about: "his text, his program, the best of three moves by a network, or by a stencil of HyperNEAT",
                kind: Kind::Choice(&["text", "code", "sane", "hyper"]),
                default: Some("text"),
            },
            WEIGHTS,
        ],
    }
);

#[cfg(test)]
mod tests {
    use super::{Bundle, Memory, Setting, search};
    use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Report, Seed};
    use tesuji_games::go::{Go, GoRules};
    use tesuji_games::hex::{Hex, SwapRule};
    use tesuji_games::tictactoe::TicTacToe;
    use tesuji_search::SearchError;

    fn setting(agent: &'static str, style: &str) -> Setting {
        Setting { agent, style: style.into(), bundle: None }
    }

    fn go(size: usize) -> Go {
        let parsed = "a rule";
        Go::new(GoRules {
            komi: tesuji_games::go::Komi(0),
            ko: "none".parse().expect(parsed),
            suicide: "strict".parse().expect(parsed),
            scoring: "hawk".parse().expect(parsed),
            passes: "continue".parse().expect(parsed),
            playouts: "uniform".parse().expect(parsed),
            ..GoRules::on(size)
        })
        .expect("a board")
    }

    /// A Hex board where First has b1, b3 of 3×3 and wins at b2 alone.
    fn hex() -> Hex {
        let mut hex = Hex::new(3, SwapRule::Off).expect("a board");
        for mv in ["b1", "a2", "b3", "c2"] {
            hex.play(hex.read_move(mv).expect("legal"));
        }
        hex
    }

    fn run<P: tesuji_core::Playable>(
        setting: &Setting,
        root: &P,
        iterations: u64,
    ) -> Result<Report<P::Move>, SearchError> {
        let budget = Budget::iterations(iterations);
        search(setting, &mut Memory::default(), root, &budget, Seed(1), &mut NoObserver)
    }

    /// Every setting that needs no weights finds the only winning move; the same seed gives the same
    /// answer.
    #[test]
    fn the_winning_move_is_found() {
        let hex = hex();
        assert_eq!(hex.turn(), Player::First);
        for (agent, style) in [("uct", "text"), ("uct", "code"), ("ga", "text"), ("ga", "code"), ("ga", "equal")] {
            let report = run(&setting(agent, style), &hex, 2_000).expect("an answer");
            let best = report.best.map(|mv| hex.show_move(mv));
            assert_eq!(best.as_deref(), Some("b2"), "{agent} {style}");
            assert_eq!(report.iterations, 2_000);
            let again = run(&setting(agent, style), &hex, 2_000).expect("an answer");
            let visits = |report: &Report<_>| report.root.iter().map(|entry| entry.visits).collect::<Vec<_>>();
            assert_eq!(visits(&report), visits(&again));
        }
    }

    /// As in the text every iteration passes through a child of the root; in the program the first
    /// ones stay at the root.
    #[test]
    fn visits_of_text_and_program() {
        let go = go(4);
        let through = |style| {
            let report = run(&setting("uct", style), &go, 100).expect("an answer");
            report.root.iter().map(|entry| entry.visits).sum::<u64>()
        };
        // 17 moves with the pass.
        assert_eq!((through("text"), through("code")), (100, 83));
    }

    /// The boards that have weights are named, and games without stones are refused.
    #[test]
    fn boards_without_weights_are_refused() {
        let problem = run(&setting("ann", "text"), &go(6), 10).expect_err("no weights").to_string();
        assert!(
            problem.starts_with("no weights of ann(as=text) for go on 6 lines; there are weights for: "),
            "{problem}"
        );
        let problem = run(&setting("uct", "text"), &TicTacToe::default(), 10).expect_err("no stones").to_string();
        assert_eq!(problem, "uct plays games of stones on square boards: go and hex");
        let empty = Setting { bundle: Some(Bundle::default()), ..setting("neat", "sane") };
        let problem = run(&empty, &go(5), 10).expect_err("no weights").to_string();
        assert_eq!(problem, "no weights of neat(as=sane) for go on 5 lines; the file has weights for: none");
    }

    /// Every board that is listed plays in every setting.
    #[test]
    fn listed_boards_play() {
        for agent in ["ann", "ga", "neat"] {
            for head in super::embedded(agent).heads() {
                let lines = if head.lines == 0 { 6 } else { head.lines };
                let moves = if head.game == "go" {
                    run(&setting(agent, &head.style), &go(lines), 30).expect("an answer").iterations
                } else {
                    let hex = Hex::new(lines as u32, SwapRule::Off).expect("a board");
                    run(&setting(agent, &head.style), &hex, 30).expect("an answer").iterations
                };
                assert_eq!(moves, 30, "{agent} {head:?}");
            }
        }
    }
}
