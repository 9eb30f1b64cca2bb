//! The recipe as text: `mcts(select=…,expand=…,leaf=…,…)`.

use super::{Mcts, Probe, TieBreak};
use crate::Technique;
use crate::mcts::backup::{Backup, CombinedForm, Reward};
use crate::mcts::decide::Decision;
use crate::mcts::leaf::{Leaf, ReplyMemory};
use crate::mcts::lookahead::Sudden;
use crate::mcts::parallel::Parallel;
use crate::mcts::select::{Expansion, Selection};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};

const fn number(name: &'static str, about: &'static str, range: (f64, f64), default: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Number(range.0, range.1), default: Some(default) }
}

const fn count(name: &'static str, about: &'static str, range: (i64, i64), default: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Integer(range.0, range.1), default: Some(default) }
}

const fn yes_or_no(name: &'static str, about: &'static str, default: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Choice(&["true", "false"]), default: Some(default) }
}

const fn part(
    name: &'static str,
    about: &'static str,
    parts: &'static [Description],
    default: &'static str,
) -> Parameter {
    Parameter { name, about, kind: Kind::Part(parts), default: Some(default) }
}

const fn simple(name: &'static str, about: &'static str) -> Description {
    Description { name, about, parameters: &[] }
}

const CONSTANT: (f64, f64) = (0.0, 1000.0);
const C: Parameter = number("c", "exploration constant", CONSTANT, "0.7");
const NO_C: Parameter = Parameter { default: Some("0.0"), ..C };
const PLAYOUTS: Parameter = count("playouts", "playouts per leaf", (1, 1_000_000), "1");
const PLIES: (i64, i64) = (1, 1000);
const K: Parameter = count("k", "depth of the minimax in plies", PLIES, "4");
const X2: Parameter = number("x2", "percentage of moves examined for a sudden win", (0.0, 100.0), "100.0");

const SELECTIONS: [Description; 10] = [
    simple("auto", "rave in games whose moves commute, ucb1 in others"),
    Description { name: "ucb1", about: "mean + c·√(2 ln N / n)", parameters: &[C] },
    Description {
        name: "ucb1-tuned",
        about: "ucb1 with the sample variance (UCB1-Tuned)",
        parameters: &[number("c", "exploration constant", CONSTANT, "1.0")],
    },
    Description {
        name: "ucb-e",
        about: "at the root mean + √(a·T/K / n), T iterations, K moves; ucb1 below",
        parameters: &[number("a", "exploration constant at the root", CONSTANT, "0.5"), C],
    },
    Description {
        name: "puct",
        about: "mean + c·P·√N/(1+n), P the game's preference",
        parameters: &[number("c", "exploration constant", CONSTANT, "1.5")],
    },
    Description {
        name: "bias",
        about: "ucb1 + w·P/(1+n), P the game's preference",
        parameters: &[C, number("w", "weight of the preference", (0.0, 1e6), "10.0")],
    },
    Description {
        name: "rave",
        about: "all moves as first, weighted by minimum mean squared error",
        parameters: &[NO_C, number("bias", "assumed bias of all-moves-as-first values", (0.0, 1.0), "0.02")],
    },
    Description {
        name: "rave-hand",
        about: "all moves as first, weighted by √(k/(3N+k))",
        parameters: &[NO_C, number("k", "parent visits at which both means weigh the same", (1.0, 1e9), "1000.0")],
    },
    Description {
        name: "pn",
        about: "ucb1 + w·(1 − rank of the proof number) (PN-MCTS)",
        parameters: &[C, number("w", "weight of the rank", CONSTANT, "0.5")],
    },
    Description { name: "scan", about: "the best node of the whole tree by ucb1 (Hawk 2017)", parameters: &[C] },
];

const EXPANSIONS: [Description; 4] = [
    simple("one", "one more move per visit"),
    simple("all", "all moves at once"),
    simple("each", "all moves at once, and a simulation of each"),
    Description {
        name: "widen",
        about: "progressive widening: the best 1 + ln n / ln mu moves by the game's preference",
        parameters: &[number("mu", "factor of visits for each further move, above 1", (0.0, 1e6), "1.4")],
    },
];

const LEAVES: [Description; 7] = [
    Description {
        name: "auto",
        about: "decisive in games that end suddenly, random in others",
        parameters: &[PLAYOUTS],
    },
    Description { name: "random", about: "the game's own playouts", parameters: &[PLAYOUTS] },
    Description {
        name: "decisive",
        about: "playouts in which both players see wins in one move",
        parameters: &[PLAYOUTS],
    },
    Description {
        name: "guarded",
        about: "playouts in which a minimax checks every move",
        parameters: &[count("depth", "depth of the minimax in plies", (1, 20), "2"), PLAYOUTS],
    },
    Description {
        name: "replies",
        about: "playouts with the last-good-reply policy",
        parameters: &[
            count("memory", "number of preceding moves that a reply answers", (1, 2), "2"),
            yes_or_no("forget", "delete the replies of the loser", "true"),
            PLAYOUTS,
        ],
    },
    Description {
        name: "heuristic",
        about: "playouts that sample moves by the game's preference",
        parameters: &[
            number(
                "temperature",
                "softmax temperature: 1 samples by the weights, less sharpens, more flattens",
                (0.01, 100.0),
                "1.0",
            ),
            PLAYOUTS,
        ],
    },
    Description {
        name: "cut",
        about: "random plies, then the game's evaluation",
        parameters: &[count("plies", "random plies before the evaluation", (0, 1_000_000), "0"), PLAYOUTS],
    },
];

const REWARDS: [Description; 3] = [
    simple("outcome", "win, draw or loss"),
    Description {
        name: "balanced",
        about: "win or loss plus margin/k (V-Run 2016)",
        parameters: &[number("k", "margin that counts as much as a win", (1e-3, 1e9), "200.0")],
    },
    Description {
        name: "bounded",
        about: "0.9 or 0.1 plus margin/k, within [0, 1] (V-Run 2016)",
        parameters: &[number("k", "margin that counts as much as a win", (1e-3, 1e9), "2000.0")],
    },
];

const BACKUPS: [Description; 4] = [
    simple("mean", "the mean of the rewards"),
    Description {
        name: "combined",
        about: "minimax-combined: minimax nodes after parameter × moves visits (Lin 2017)",
        parameters: &[
            count("parameter", "visits per move", (1, 1_000_000), "50"),
            Parameter {
                name: "form",
                about: "descend to the child (the thesis), or jump to its minimax node (its program)",
                kind: Kind::Choice(&["descent", "jump"]),
                default: Some("jump"),
            },
        ],
    },
    Description {
        name: "implicit",
        about: "implicit minimax backups: minimax of evaluations, mixed with the mean",
        parameters: &[number("alpha", "weight of the evaluations", (0.0, 1.0), "0.4")],
    },
    Description {
        name: "max-mean",
        about: "a mix of the mean and the best child",
        parameters: &[number("weight", "weight of the best child", (0.0, 1.0), "0.5")],
    },
];

const PROBES: [Description; 2] = [
    simple("none", "no minimax in the tree"),
    Description {
        name: "look",
        about: "one minimax per node",
        parameters: &[
            count("depth", "depth of the minimax in plies", (1, 20), "2"),
            count("visits", "visits of the node before its minimax", (0, 1_000_000_000), "0"),
            yes_or_no("backup", "also run it where a proof stops on its way up", "false"),
        ],
    },
];

const SUDDEN: [Description; 5] = [
    simple("never", "no minimax at the root"),
    Description { name: "first", about: "minimax before the search (Li 2018, brute force)", parameters: &[K] },
    Description {
        name: "triggered",
        about: "minimax at the first playout that ends within k plies (Li 2018, improved)",
        parameters: &[K],
    },
    Description {
        name: "promising",
        about: "minimax of promising moves after some iterations (Li 2018, strategy 1)",
        parameters: &[
            K,
            count("after", "iterations before the minimax", (1, i64::MAX), "1000"),
            number("x1", "percentage of moves examined for a sudden death", (0.0, 100.0), "100.0"),
            X2,
        ],
    },
    Description {
        name: "last",
        about: "minimax of promising moves at the end (Li 2018, strategy 2)",
        parameters: &[K, X2],
    },
];

const DECISIONS: [Description; 4] = [
    simple("max", "the highest mean"),
    simple("robust", "the most visits"),
    simple("robust-max", "the most visits, then the highest mean"),
    Description {
        name: "secure",
        about: "the highest mean − a/√n",
        parameters: &[number("a", "weight of the uncertainty", CONSTANT, "1.0")],
    },
];

impl Describe for Mcts {
    const DESCRIPTION: Description = Description {
        name: "mcts",
        about: "Monte-Carlo tree search",
        parameters: &[
            part("select", "selection: which child to descend to", &SELECTIONS, "auto"),
            part("expand", "expansion: how many moves of a node are open", &EXPANSIONS, "one"),
            count("ripe", "visits before a leaf is expanded", (0, 1_000_000), "1"),
            part("leaf", "evaluation of a leaf", &LEAVES, "auto"),
            part("reward", "reward of a playout", &REWARDS, "outcome"),
            part("backup", "backup of values", &BACKUPS, "mean"),
            yes_or_no("solver", "back up and use proved bounds", "true"),
            part("probe", "minimax inside the tree", &PROBES, "none"),
            part("sudden", "minimax at the root against sudden death and sudden win", &SUDDEN, "never"),
            part("decide", "final choice of the move", &DECISIONS, "robust-max"),
            number("fpu", "first-play urgency: value of an untried move", (-1e9, 1e9), "1000000.0"),
            Parameter {
                name: "ties",
                about: "tie-break: random, or the first in the game's order of moves",
                kind: Kind::Choice(&["random", "first"]),
                default: Some("random"),
            },
            yes_or_no("share", "equal positions share their children", "false"),
            Parameter {
                name: "parallel",
                about: "what threads share: the tree, nothing (root parallelism), or the leaf",
                kind: Kind::Choice(&["tree", "root", "leaf"]),
                default: Some("tree"),
            },
            count("virtual-loss", "lost visits that a descent under way counts for", (0, 1000), "1"),
            yes_or_no("reuse", "reuse the tree for the next move", "true"),
            number("resign", "resign below this value; 0 never resigns", (0.0, 1.0), "0.0"),
            number("pass", "in a decided game, pass if it costs at most this much; 0 is off", (0.0, 1.0), "0.0"),
        ],
    };
}

fn selection(arguments: &Arguments) -> Selection {
    match arguments.part("select") {
        ("ucb1", part) => Selection::Ucb1 { c: part.number("c") },
        ("ucb1-tuned", part) => Selection::Ucb1Tuned { c: part.number("c") },
        ("ucb-e", part) => Selection::UcbE { a: part.number("a"), c: part.number("c") },
        ("puct", part) => Selection::Puct { c: part.number("c") },
        ("bias", part) => Selection::Bias { c: part.number("c"), w: part.number("w") },
        ("rave", part) => Selection::Rave { c: part.number("c"), bias: part.number("bias") },
        ("rave-hand", part) => Selection::RaveHand { c: part.number("c"), k: part.number("k") },
        ("pn", part) => Selection::ProofNumbers { c: part.number("c"), w: part.number("w") },
        ("scan", part) => Selection::Scan { c: part.number("c") },
        _ => Selection::Auto,
    }
}

fn leaf(arguments: &Arguments) -> Leaf {
    let (name, part) = arguments.part("leaf");
    let playouts = part.count("playouts");
    match name {
        "random" => Leaf::Random { playouts },
        "decisive" => Leaf::Decisive { playouts },
        "guarded" => Leaf::Guarded { depth: part.count("depth"), playouts },
        "replies" => Leaf::Replies {
            memory: if part.integer("memory") == 1 { ReplyMemory::One } else { ReplyMemory::Two },
            forget: part.word("forget") == "true",
            playouts,
        },
        "heuristic" => Leaf::Heuristic { temperature: part.number("temperature"), playouts },
        "cut" => Leaf::Cut { plies: part.count("plies"), playouts },
        _ => Leaf::Auto { playouts },
    }
}

fn sudden(arguments: &Arguments) -> Sudden {
    match arguments.part("sudden") {
        ("first", part) => Sudden::First { k: part.count("k") },
        ("triggered", part) => Sudden::Triggered { k: part.count("k") },
        ("promising", part) => Sudden::Promising {
            k: part.count("k"),
            after: part.integer("after") as u64,
            x1: part.number("x1"),
            x2: part.number("x2"),
        },
        ("last", part) => Sudden::Last { k: part.count("k"), x2: part.number("x2") },
        _ => Sudden::Never,
    }
}

impl Technique for Mcts {
    const ENDLESS: bool = true;
    const PARALLEL: bool = true;

    fn configure(arguments: &Arguments) -> Result<Mcts, ArgumentError> {
        let truth = |name: &str| arguments.word(name) == "true";
        let recipe = Mcts {
            select: selection(arguments),
            expand: match arguments.part("expand") {
                ("all", _) => Expansion::All,
                ("each", _) => Expansion::Each,
                ("widen", part) => Expansion::Widen { mu: part.number("mu") },
                _ => Expansion::One,
            },
            ripe: arguments.count("ripe"),
            leaf: leaf(arguments),
            reward: match arguments.part("reward") {
                ("balanced", part) => Reward::Balanced { k: part.number("k") },
                ("bounded", part) => Reward::Bounded { k: part.number("k") },
                _ => Reward::Outcome,
            },
            backup: match arguments.part("backup") {
                ("combined", part) => Backup::Combined {
                    parameter: part.count("parameter"),
                    form: if part.word("form") == "jump" { CombinedForm::Jump } else { CombinedForm::Descent },
                },
                ("implicit", part) => Backup::Implicit { alpha: part.number("alpha") },
                ("max-mean", part) => Backup::MaxMean { weight: part.number("weight") },
                _ => Backup::Mean,
            },
            solver: truth("solver"),
            probe: match arguments.part("probe") {
                ("look", part) => Some(Probe {
                    depth: part.count("depth"),
                    visits: part.count("visits"),
                    backup: part.word("backup") == "true",
                }),
                _ => None,
            },
            sudden: sudden(arguments),
            decide: match arguments.part("decide") {
                ("max", _) => Decision::Max,
                ("robust-max", _) => Decision::RobustMax,
                ("secure", part) => Decision::Secure { a: part.number("a") },
                _ => Decision::Robust,
            },
            urgency: arguments.number("fpu"),
            ties: if arguments.word("ties") == "first" { TieBreak::First } else { TieBreak::Random },
            share: truth("share"),
            parallel: match arguments.word("parallel") {
                "root" => Parallel::Root,
                "leaf" => Parallel::Leaf,
                _ => Parallel::Tree,
            },
            virtual_loss: arguments.count("virtual-loss"),
            reuse: truth("reuse"),
            resign: arguments.number("resign"),
            pass: arguments.number("pass"),
        };
        recipe.check()
    }
}

impl Mcts {
    /// Refuses parts that contradict each other, and parts without effect unless they have their
    /// default values: the canonical text states every part.
    ///
    /// # Errors
    /// The error names the part.
    pub fn check(self) -> Result<Mcts, ArgumentError> {
        let refuse = |part: &'static str, why: &str| Err(ArgumentError::of(part, why));
        let default = Mcts::default();
        if matches!(self.expand, Expansion::One | Expansion::Each) && self.urgency != default.urgency {
            return refuse(
                "fpu",
                "no effect with expand=one or each, where no open move is untried; use expand=all or widen",
            );
        }
        if self.parallel != Parallel::Tree && self.virtual_loss != default.virtual_loss {
            return refuse("virtual-loss", "no effect where threads do not share a tree; use parallel=tree");
        }
        if matches!(self.leaf, Leaf::Cut { plies: 0, playouts } if playouts > 1) {
            return refuse(
                "leaf",
                "cut with plies=0 plays nothing out, so further playouts say the same; use playouts=1",
            );
        }
        if matches!(self.expand, Expansion::Widen { mu } if mu <= 1.0) {
            return refuse("expand", "widen needs mu above 1: the visits must grow for each further move");
        }
        if self.select.needs_amaf() && self.expand == Expansion::Each {
            return refuse(
                "expand",
                "all-moves-as-first does not count simulations of every child; use one, all or widen with rave",
            );
        }
        if self.probe.is_some() && !self.solver {
            return refuse(
                "probe",
                "a look ahead proves things, and solver=false does not keep proofs; use solver=true",
            );
        }
        if self.select.needs_proof_numbers() && !self.solver {
            return refuse(
                "select",
                "pn counts what is missing for a proof, and solver=false keeps none; use solver=true",
            );
        }
        let combined = matches!(self.backup, Backup::Combined { .. });
        let scans = matches!(self.select, Selection::Scan { .. });
        if self.share && (combined || scans) {
            let part = if scans { "select" } else { "backup" };
            return refuse(part, "it follows parents upwards, and share=true gives a node several; use share=false");
        }
        if scans && matches!(self.backup, Backup::Combined { form: CombinedForm::Jump, .. }) {
            return refuse(
                "backup",
                "scan does not descend, so nothing can jump; use form=descent or another selection",
            );
        }
        if combined && self.select.needs_proof_numbers() {
            return refuse("backup", "combined compares minimax nodes, pn compares siblings; use one of them");
        }
        Ok(self)
    }
}
