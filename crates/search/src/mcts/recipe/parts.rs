//! The parts of a recipe as the text names them: names, meanings, parameters, ranges, defaults.

use tesuji_core::spec::{Description, Kind, Parameter};

pub(super) const fn number(
    name: &'static str,
    about: &'static str,
    range: (f64, f64),
    default: &'static str,
) -> Parameter {
    Parameter { name, about, kind: Kind::Number(range.0, range.1), default: Some(default) }
}

pub(super) const fn count(
    name: &'static str,
    about: &'static str,
    range: (i64, i64),
    default: &'static str,
) -> Parameter {
    Parameter { name, about, kind: Kind::Integer(range.0, range.1), default: Some(default) }
}

pub(super) const fn yes_or_no(name: &'static str, about: &'static str, default: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Choice(&["true", "false"]), default: Some(default) }
}

pub(super) const fn part(
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

pub(super) const SELECTIONS: [Description; 13] = [
    simple("auto", "gumbel with leaf=net, else rave in games whose moves commute, ucb1 in others"),
    Description { name: "ucb1", about: "mean + c·√(2 ln N / n)", parameters: &[C] },
    Description {
        name: "uct",
        about: "v + √(c ln N / n), a win worth 1 and a loss −1 or 0 (Zhang 2019; V-Run 2016)",
        parameters: &[
            number("c", "exploration constant, inside the root", CONSTANT, "1.4142135623730951"),
            Parameter {
                name: "loss",
                about: "worth of a loss",
                kind: Kind::Choice(&["minus-one", "zero"]),
                default: Some("minus-one"),
            },
        ],
    },
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
        about: "mean + c·P·√N/(1+n), P the network's policy with leaf=net, else the game's preference",
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
        name: "rave-bias",
        about: "rave + w·P/(1+n), P the preference among moves",
        parameters: &[
            NO_C,
            number("bias", "assumed bias of all-moves-as-first values", (0.0, 1.0), "0.02"),
            number("w", "weight of the preference", (0.0, 1e6), "1.0"),
        ],
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
    Description {
        name: "gumbel",
        about: "with leaf=net: improved policy − n/(1+N), sequential halving at the root (Danihelka et al. 2022)",
        parameters: &[
            count("considered", "root moves of sequential halving; 0 has no schedule", (0, 1_000), "16"),
            number("visit", "c_visit", (0.0, 1e6), "50.0"),
            number("scale", "c_scale", (0.0, 1e6), "0.1"),
            number("noise", "scale of the Gumbel noise at the root", (0.0, 100.0), "0.0"),
        ],
    },
    Description { name: "scan", about: "the best node of the whole tree by ucb1 (Hawk 2017)", parameters: &[C] },
];

pub(super) const EXPANSIONS: [Description; 4] = [
    simple("one", "one more move per visit; all at once with leaf=net"),
    simple("all", "all moves at once"),
    simple("each", "all moves at once, and a simulation of each"),
    Description {
        name: "widen",
        about: "progressive widening: the best 1 + ln n / ln mu moves by the game's preference",
        parameters: &[number("mu", "factor of visits for each further move, above 1", (0.0, 1e6), "1.4")],
    },
];

pub(super) const LEAVES: [Description; 9] = [
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
        parameters: &[DEPTH, PLAYOUTS],
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
        name: "patterns",
        about: "playouts that sample moves by learned patterns",
        parameters: &[
            number(
                "temperature",
                "softmax temperature: 1 samples by the strengths, less sharpens, more flattens",
                (0.1, 100.0),
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
    Description {
        name: "net",
        about: "a network's value, and its policy as priors",
        parameters: &[
            Parameter {
                name: "weights",
                about: "weight file; if not given, the embedded network for the game",
                kind: Kind::File(NET_BYTES),
                default: None,
            },
            Parameter {
                name: "instructions",
                about: "arithmetic; auto is the fastest that the processor has",
                kind: Kind::Choice(&["auto", "avx512", "avx2", "portable"]),
                default: Some("auto"),
            },
            yes_or_no("symmetries", "average over all symmetries of the game", "false"),
            count("batch", "leaves that a thread gathers before they are judged together", (1, 1_024), "1"),
        ],
    },
];

/// The largest weight file that is read.
pub(super) const NET_BYTES: u64 = 64 << 20;

pub(super) const REWARDS: [Description; 4] = [
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
    Description {
        name: "margin",
        about: "½ + margin/k, within [0, 1] (Hawk 2017)",
        parameters: &[number("k", "margin from the worst loss to the best win; 4·points in Go", (1e-3, 1e9), "324.0")],
    },
];

pub(super) const BACKUPS: [Description; 4] = [
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

const DEPTH: Parameter = count("depth", "depth of the minimax in plies", (1, 20), "2");

pub(super) const PROBES: [Description; 3] = [
    simple("none", "no minimax in the tree"),
    Description {
        name: "look",
        about: "one minimax per node",
        parameters: &[
            DEPTH,
            count("visits", "visits of the node before its minimax", (0, 1_000_000_000), "0"),
            yes_or_no("backup", "also run it where a proof stops on its way up", "false"),
        ],
    },
    Description {
        name: "backup",
        about: "a minimax only where a proof stops on its way up (MCTS-MB)",
        parameters: &[DEPTH],
    },
];

pub(super) const SUDDEN: [Description; 5] = [
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

pub(super) const DECISIONS: [Description; 6] = [
    simple("max", "the highest mean"),
    simple("robust", "the most visits"),
    simple("robust-max", "the most visits, then the highest mean"),
    Description {
        name: "secure",
        about: "the highest mean − a/√n",
        parameters: &[number("a", "weight of the uncertainty", CONSTANT, "1.0")],
    },
    simple("wins-and-visits", "the most wins and visits together (V-Run 2016, robust-max)"),
    Description {
        name: "secure-plus",
        about: "the highest v + a/√n, v in [−1, 1] (Zhang 2019)",
        parameters: &[number("a", "weight of the uncertainty", CONSTANT, "1.0")],
    },
];
