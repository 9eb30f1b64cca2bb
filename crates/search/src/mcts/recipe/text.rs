//! The recipe as text: `mcts(select=…,expand=…,leaf=…,…)`.

use super::parts::{
    BACKUPS, DECISIONS, EXPANSIONS, LEAVES, PROBES, REWARDS, SELECTIONS, SUDDEN, count, number, part, yes_or_no,
};
use super::{Mcts, Prior, Probe, TieBreak};
use crate::Technique;
use crate::mcts::backup::{Backup, CombinedForm, Reward};
use crate::mcts::decide::Decision;
use crate::mcts::leaf::{Leaf, ReplyMemory};
use crate::mcts::lookahead::Sudden;
use crate::mcts::parallel::Parallel;
use crate::mcts::select::{Expansion, Selection};
use tesuji_core::solver::{GOAL, goal_of};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Goal, Measure};

impl Describe for Mcts {
    const DESCRIPTION: Description = Description {
        name: "mcts",
        about: "Monte-Carlo tree search",
        parameters: &[
            part("select", "selection: which child to descend to", &SELECTIONS, "auto"),
            part("expand", "expansion: how many moves of a node are open", &EXPANSIONS, "one"),
            count("ripe", "visits before a leaf is expanded", (0, 1_000_000), "1"),
            part("leaf", "evaluation of a leaf", &LEAVES, "auto"),
            Parameter {
                name: "prior",
                about: "preference among moves for select and expand: the game's hand-made one, or learned patterns",
                kind: Kind::Choice(&["hand", "patterns"]),
                default: Some("hand"),
            },
            part("reward", "reward of a playout", &REWARDS, "outcome"),
            part("backup", "backup of values", &BACKUPS, "mean"),
            yes_or_no("solver", "back up and use proved bounds", "true"),
            GOAL,
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
            yes_or_no("imitate", "pass if the opponent has passed and a pass ends the game (V-Run 2016)", "false"),
        ],
    };
}

fn selection(arguments: &Arguments) -> Selection {
    match arguments.part("select") {
        ("ucb1", part) => Selection::Ucb1 { c: part.number("c") },
        ("uct", part) => Selection::uct(part.number("c"), part.word("loss") == "minus-one"),
        ("ucb1-tuned", part) => Selection::Ucb1Tuned { c: part.number("c") },
        ("ucb-e", part) => Selection::UcbE { a: part.number("a"), c: part.number("c") },
        ("puct", part) => Selection::Puct { c: part.number("c") },
        ("bias", part) => Selection::Bias { c: part.number("c"), w: part.number("w") },
        ("rave", part) => Selection::Rave { c: part.number("c"), bias: part.number("bias") },
        ("rave-bias", part) => {
            Selection::RaveBias { c: part.number("c"), bias: part.number("bias"), w: part.number("w") }
        }
        ("rave-hand", part) => Selection::RaveHand { c: part.number("c"), k: part.number("k") },
        ("pn", part) => Selection::ProofNumbers { c: part.number("c"), w: part.number("w") },
        ("scan", part) => Selection::Scan { c: part.number("c") },
        ("gumbel", part) => Selection::Gumbel {
            considered: part.count("considered"),
            visit: part.number("visit"),
            scale: part.number("scale"),
            noise: part.number("noise"),
        },
        _ => Selection::Auto,
    }
}

fn leaf(arguments: &Arguments) -> Leaf {
    let (name, part) = arguments.part("leaf");
    if name == "net" {
        return Leaf::Net { batch: part.count("batch") };
    }
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
        "patterns" => Leaf::Patterns { temperature: part.number("temperature"), playouts },
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
            prior: if arguments.word("prior") == "patterns" { Prior::Patterns } else { Prior::Hand },
            reward: match arguments.part("reward") {
                ("balanced", part) => Reward::Balanced { k: part.number("k") },
                ("bounded", part) => Reward::Bounded { k: part.number("k") },
                ("margin", part) => Reward::Margin { k: part.number("k") },
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
            goal: goal_of(arguments)?,
            probe: match arguments.part("probe") {
                ("look", part) => Some(Probe {
                    depth: part.count("depth"),
                    visits: part.count("visits"),
                    backup: part.word("backup") == "true",
                }),
                ("backup", part) => Some(Probe::in_backup(part.count("depth"))),
                _ => None,
            },
            sudden: sudden(arguments),
            decide: match arguments.part("decide") {
                ("max", _) => Decision::Max,
                ("robust-max", _) => Decision::RobustMax,
                ("secure", part) => Decision::Secure { a: part.number("a") },
                ("wins-and-visits", _) => Decision::WinsAndVisits,
                ("secure-plus", part) => Decision::SecurePlus { a: part.number("a") },
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
            imitate: truth("imitate"),
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
        self.check_net()?;
        let untried = self.leaf.is_net() || !matches!(self.expand, Expansion::One | Expansion::Each);
        if !untried && self.urgency != default.urgency {
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
        if self.prior != default.prior && !self.select.needs_prior() && !self.expand.needs_order() {
            return refuse(
                "prior",
                "no effect where nothing asks for a preference; use select=puct, bias or rave-bias, or expand=widen",
            );
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
        self.check_goal()?;
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

    /// Refuses what a network cannot serve.
    fn check_net(self) -> Result<(), ArgumentError> {
        let refuse = |part: &'static str, why: &str| Err(ArgumentError::of(part, why));
        let default = Mcts::default();
        if !self.leaf.is_net() {
            return match self.select {
                Selection::Gumbel { .. } => {
                    refuse("select", "gumbel needs a network's policy and values; use leaf=net")
                }
                _ => Ok(()),
            };
        }
        if self.select.needs_amaf() || matches!(self.select, Selection::Scan { .. }) {
            return refuse("select", "leaf=net plays nothing out and is descended to; use gumbel, puct or ucb1");
        }
        if !matches!(self.expand, Expansion::One | Expansion::All) {
            return refuse("expand", "leaf=net opens all moves at once; use one or all, which are the same there");
        }
        if self.ripe != default.ripe {
            return refuse("ripe", "no effect with leaf=net, which opens a leaf on its first visit");
        }
        if self.reward != Reward::Outcome {
            return refuse("reward", "leaf=net estimates the score and no margin; use outcome");
        }
        if self.backup != Backup::Mean {
            return refuse("backup", "leaf=net supports mean");
        }
        if self.sudden != Sudden::Never {
            return refuse("sudden", "leaf=net supports never; probe=look sees sudden ends everywhere in the tree");
        }
        if self.share {
            return refuse("share", "leaf=net supports share=false");
        }
        if self.parallel != Parallel::Tree {
            return refuse("parallel", "leaf=net supports parallel=tree");
        }
        Ok(())
    }

    /// Refuses a goal that the other parts cannot serve.
    fn check_goal(self) -> Result<(), ArgumentError> {
        let refuse = |why: &str| Err(ArgumentError::of("goal", why));
        let aim = match self.goal {
            Goal::Exact(Measure::Score) => return Ok(()),
            Goal::Question(aim) if aim.measure == Measure::Score => aim,
            _ => return refuse("the solver of mcts proves scores, not margins; use exact, first-wins, score>=X, …"),
        };
        if !self.solver {
            return refuse("solver=false proves nothing; use solver=true");
        }
        if self.sudden != Sudden::Never {
            return refuse(
                "the minimax at the root proves wins and losses of any grade; use sudden=never or goal=exact",
            );
        }
        if self.probe.is_some() && !aim.is_about_winning() {
            return refuse("a look ahead proves full wins and losses only; use a score above 0, or probe=none");
        }
        Ok(())
    }
}
