//! Knowledge of single games, plugged into searches that know none.

use crate::AnyAgent;
use crate::erased::Erased;
use std::any::Any;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{
    Advice, Adviser, Aim, Budget, Certificate, Deadline, Goal, Observer, Playable, Player, Position, Report, Seed,
    Undoable,
};
use tesuji_games::connect6::{Connect6, DoubleThreats, SingleThreats, VcstLimits};
use tesuji_games::gomoku::{ContinuousThreats, Gomoku, Point, VctLimits, forcing_moves};
use tesuji_games::goproblem::{self, GoProblem, settled_certificate};
use tesuji_games::hex::{self, Hex, knowledge::Knowledge};
use tesuji_games::othello::solving::{Prospect, prospects};
use tesuji_games::othello::{self, Othello};
use tesuji_search::proof::{self, Advised, Settings, Staged};
use tesuji_search::{Search, SearchError};

/// Victory by continuous fours, by name.
pub(crate) const VCF: Description = Description {
    name: "vcf",
    about: "df-pn for a victory of the mover by continuous fours; Gomoku and renju",
    parameters: &[],
};

/// An adviser for Gomoku: only moves that make fours, and only answers to them.
pub struct Fours;

impl Adviser<Gomoku> for Fours {
    fn leaves_out(&self) -> bool {
        true
    }

    fn advise(&mut self, position: &Gomoku, aim: Aim, advice: &mut Advice<Point>) {
        forcing_moves(position, aim.player, &mut advice.moves);
    }
}

/// Victory by continuous threats, by name.
pub(crate) const VCT: Description = Description {
    name: "vct",
    about: "df-pn for a victory of the mover by fours, threes and quiet threats; Gomoku and renju",
    parameters: &[],
};

/// An adviser for Gomoku: fours, threes and quiet threats.
pub struct Threatening(ContinuousThreats);

impl Threatening {
    /// Knowledge within these limits.
    #[must_use]
    pub fn new(limits: VctLimits) -> Threatening {
        Threatening(ContinuousThreats::new(limits))
    }
}

impl Adviser<Gomoku> for Threatening {
    fn leaves_out(&self) -> bool {
        true
    }

    fn own_limit(&self) -> Option<&'static str> {
        Some("stages")
    }

    fn begin(&mut self, root: &Gomoku) {
        self.0.begin(root);
    }

    fn limit(&mut self, deadline: &Deadline) {
        self.0.limit(deadline);
    }

    fn wants_memory(&self, _: u32) -> u64 {
        u64::MAX
    }

    fn memory(&mut self, bytes: u64, _: u32) {
        self.0.memory(bytes);
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }

    fn advise(&mut self, position: &Gomoku, aim: Aim, advice: &mut Advice<Point>) {
        advice.winner = self.0.advise(position, aim.player, &mut advice.moves, &mut advice.numbers);
    }

    fn certify(&mut self, position: &Gomoku, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        self.0.certificate(position, claimant, listed)
    }
}

const CONNECT6_E: Parameter = Parameter {
    name: "e",
    about: "leaves start at e^(d−depth); 1 is df-pn",
    kind: Kind::Number(1.0, 1e6),
    default: Some("1.0"),
};
const CONNECT6_D: Parameter =
    Parameter { name: "d", about: "down to this depth, in stones", kind: Kind::Integer(0, 1_000), default: Some("0") };
const CONNECT6_EPSILON: Parameter = Parameter {
    name: "epsilon",
    about: "stay until another child is better by this share",
    kind: Kind::Number(0.0, 1_000.0),
    default: Some("0.0"),
};

/// Victory by continuous double threats, by name.
pub(crate) const VCDT: Description = Description {
    name: "vcdt",
    about: "df-pn for a victory of the mover by continuous double threats; Connect6",
    parameters: &[
        Parameter {
            name: "best",
            about: "only so many first and second stones of the attacker; 0 for all that make a threat",
            kind: Kind::Integer(0, 1_000),
            default: Some("0"),
        },
        CONNECT6_E,
        CONNECT6_D,
        CONNECT6_EPSILON,
    ],
};

/// An adviser for Connect6: double threats.
pub struct Doubling(DoubleThreats);

impl Doubling {
    /// Only so many first and second stones of the attacker; 0 for all.
    #[must_use]
    pub fn new(best: usize) -> Doubling {
        Doubling(DoubleThreats::new(best))
    }
}

impl Adviser<Connect6> for Doubling {
    fn leaves_out(&self) -> bool {
        true
    }

    fn own_limit(&self) -> Option<&'static str> {
        self.0.own_limit()
    }

    fn begin(&mut self, _: &Connect6) {
        self.0.begin();
    }

    fn advise(&mut self, position: &Connect6, aim: Aim, advice: &mut Advice<Point>) {
        advice.winner = self.0.advise(position, aim.player, &mut advice.moves);
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Connect6>>> {
        Some(Box::new(Doubling(self.0.fork())))
    }

    fn certify(&mut self, position: &Connect6, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        self.0.certificate(position, claimant, listed)
    }
}

/// Victory by threats of any number, by name.
pub(crate) const VCST: Description = Description {
    name: "vcst",
    about: "df-pn for a victory of the mover by double threats, single threats and quiet turns, with relevance zones; Connect6",
    parameters: &[
        Parameter {
            name: "best",
            about: "so many first and second stones of the attacker beside those of double threats",
            kind: Kind::Integer(0, 1_000),
            default: Some("5"),
        },
        Parameter {
            name: "turns",
            about: "the most turns of a line of double threats",
            kind: Kind::Integer(1, 100),
            default: Some("8"),
        },
        Parameter {
            name: "line",
            about: "the most nodes of a search for such a line",
            kind: Kind::Integer(1, 1_000_000),
            default: Some("100"),
        },
        CONNECT6_E,
        CONNECT6_D,
        CONNECT6_EPSILON,
    ],
};

/// An adviser for Connect6: threats of any number, null and seminull moves.
pub struct Zoning(SingleThreats);

impl Zoning {
    /// Within these limits.
    #[must_use]
    pub fn new(limits: VcstLimits) -> Zoning {
        Zoning(SingleThreats::new(limits))
    }
}

impl Adviser<Connect6> for Zoning {
    fn leaves_out(&self) -> bool {
        true
    }

    fn own_limit(&self) -> Option<&'static str> {
        Some("best, turns and line")
    }

    fn begin(&mut self, _: &Connect6) {
        self.0.begin();
    }

    fn limit(&mut self, deadline: &Deadline) {
        self.0.limit(deadline);
    }

    fn wants_memory(&self, _: u32) -> u64 {
        u64::MAX
    }

    fn memory(&mut self, bytes: u64, threads: u32) {
        self.0.memory(bytes, threads);
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }

    fn advise(&mut self, position: &Connect6, aim: Aim, advice: &mut Advice<Point>) {
        advice.winner = self.0.advise(position, aim.player, &mut advice.moves);
    }

    fn keeps_lists(&self) -> bool {
        true
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Connect6>>> {
        Some(Box::new(Zoning(self.0.fork())))
    }

    fn certify(&mut self, position: &Connect6, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        self.0.certificate(position, claimant, listed)
    }
}

/// Virtual connections, by name.
pub(crate) const HEX_SOLVER: Description = Description {
    name: "hex-solver",
    about: "df-pn with virtual connections and must-play regions; Hex, and with knowledge up to eight rows",
    parameters: &[proof::GOAL],
};

/// An adviser for Hex. Nothing is left out that might be needed, so losses are as sure as wins.
#[derive(Default)]
pub struct Connecting(Knowledge);

impl Adviser<Hex> for Connecting {
    fn leaves_out(&self) -> bool {
        false
    }

    fn wants_memory(&self, threads: u32) -> u64 {
        Knowledge::MOST_BYTES * u64::from(threads)
    }

    fn memory(&mut self, bytes: u64, threads: u32) {
        self.0.memory(bytes / u64::from(threads.max(1)));
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }

    fn advise(&mut self, position: &Hex, _: Aim, advice: &mut Advice<hex::Move>) {
        advice.winner = self.0.study(position, &mut advice.moves);
    }

    fn keeps_lists(&self) -> bool {
        true
    }

    fn learns(&self) -> bool {
        true
    }

    fn solved(
        &mut self,
        position: &Hex,
        winner: Player,
        by: Option<hex::Move>,
        moves: &mut dyn Iterator<Item = hex::Move>,
    ) {
        self.0.learn(position, winner, by, moves);
    }

    fn also_lost(&mut self, position: &Hex, lost: hex::Move, other: hex::Move) -> bool {
        self.0.also_lost(position, lost, other)
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Hex>>> {
        Some(Box::new(Connecting(self.0.fork())))
    }

    fn certify(&mut self, position: &Hex, claimant: Player, listed: &mut Vec<hex::Move>) -> Option<Certificate> {
        self.0.certificate(position, claimant, listed)
    }
}

/// Othello with mobility and parity, by name.
pub(crate) const OTHELLO_SOLVER: Description = Description {
    name: "othello-solver",
    about: "df-pn with weak sums that tries moves by mobility and parity and starts from the number of replies; Othello",
    parameters: &[proof::GOAL],
};

/// An adviser for Othello: moves in order, numbers from mobility, nothing left out.
#[derive(Default)]
pub struct Turning(Vec<Prospect>);

impl Adviser<Othello> for Turning {
    fn leaves_out(&self) -> bool {
        false
    }

    fn is_slow(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &Othello, aim: Aim, advice: &mut Advice<othello::Move>) {
        self.0.clear();
        prospects(position, &mut self.0);
        let attacks = position.turn() == aim.player;
        for Prospect { mv, replies } in &self.0 {
            advice.moves.push(*mv);
            // After the attacker's move all replies must be refuted to prove, one to disprove; and the other way round.
            advice.numbers.push(if attacks { [*replies, 1] } else { [1, *replies] });
        }
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Othello>>> {
        Some(Box::<Turning>::default())
    }
}

/// Life and death, by name.
pub(crate) const GO_SOLVER: Description = Description {
    name: "go-solver",
    about: "df-pn with unconditional life, static death and an order of moves; problems of Go",
    parameters: &[proof::GOAL],
};

/// An adviser for problems of Go: urgent moves first, unconditional life and static death. Nothing is left out.
pub struct Living;

impl Adviser<GoProblem> for Living {
    fn leaves_out(&self) -> bool {
        false
    }

    fn is_slow(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &GoProblem, _: Aim, advice: &mut Advice<goproblem::Move>) {
        advice.winner = position.settled();
        position.ordered_moves(&mut advice.moves);
    }

    fn fork(&self) -> Option<Box<dyn Adviser<GoProblem>>> {
        Some(Box::new(Living))
    }

    fn certify(&mut self, position: &GoProblem, claimant: Player, _: &mut Vec<goproblem::Move>) -> Option<Certificate> {
        settled_certificate(position, claimant)
    }
}

/// The adviser of another game serves no one; says of which game it is.
struct Unadvised(&'static str);

impl<P: Undoable> Search<P> for Unadvised {
    fn search(
        &mut self,
        _: &P,
        _: &Budget,
        _: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        Err(SearchError::Unsupported(self.0.into()))
    }
}

/// df-pn for positions `P` with an adviser of the game `G`; in other games it answers `unfit`.
fn advised<P: Playable, G: Playable>(
    settings: Settings,
    goal: Option<Goal>,
    adviser: Box<dyn Adviser<G>>,
    unfit: &'static str,
) -> Box<dyn AnyAgent> {
    let adviser: Box<dyn Any> = Box::new(adviser);
    match adviser.downcast::<Box<dyn Adviser<P>>>() {
        Ok(adviser) => {
            let search = Advised::new(settings, *adviser);
            let search = if let Some(goal) = goal { search.with_goal(goal) } else { search };
            Erased::boxed(search)
        }
        Err(_) => Erased::<P>::boxed(Unadvised(unfit)),
    }
}

/// A search of the game `G` in stages, for positions `P`; in other games it answers `unfit`.
fn staged<P: Playable, G: Playable>(search: Staged<G>, unfit: &'static str) -> Box<dyn AnyAgent> {
    let search: Box<dyn Any> = Box::new(search);
    match search.downcast::<Staged<P>>() {
        Ok(search) => Erased::boxed(*search),
        Err(_) => Erased::<P>::boxed(Unadvised(unfit)),
    }
}

/// The solver for victories by continuous fours.
pub(crate) fn vcf<P: Playable>() -> Box<dyn AnyAgent> {
    advised::<P, Gomoku>(Settings::default(), None, Box::new(Fours), "continuous fours are known of Gomoku only")
}

/// The solver for victories by continuous threats: fours and threes first, then what is hidden or quiet.
pub(crate) fn vct<P: Playable>() -> Box<dyn AnyAgent> {
    let stage = |(limits, nodes): (VctLimits, u64)| {
        let adviser: Box<dyn Adviser<Gomoku>> = Box::new(Threatening::new(limits));
        (Advised::new(Settings { epsilon: VctLimits::EPSILON, ..Settings::default() }, adviser), nodes)
    };
    staged::<P, Gomoku>(Staged::new(VctLimits::STAGES.map(stage).into()), "continuous threats are known of Gomoku only")
}

/// The settings of df-pn that both solvers of Connect6 have.
fn connect6_settings(arguments: &Arguments) -> Result<Settings, ArgumentError> {
    let (e, d) = (arguments.number("e"), arguments.count("d"));
    if e == 1.0 && d > 0 {
        return Err(ArgumentError::of("d", "no effect with e=1: all leaves start alike; use e above 1"));
    }
    if e != 1.0 && d == 0 {
        return Err(ArgumentError::of("e", "no effect with d=0: no leaf is above that depth; use d of at least 1"));
    }
    Ok(Settings { e, d, epsilon: arguments.number("epsilon"), ..Settings::default() })
}

/// The solver for victories by continuous double threats.
pub(crate) fn vcdt<P: Playable>(arguments: &Arguments) -> Result<Box<dyn AnyAgent>, ArgumentError> {
    let settings = connect6_settings(arguments)?;
    let adviser = Box::new(Doubling::new(arguments.count("best") as usize));
    Ok(advised::<P, Connect6>(settings, None, adviser, "continuous double threats are known of Connect6 only"))
}

/// The nodes that the two stages of `vcst` get in the first round: double threats alone, and with other turns.
const VCST_STAGES: [u64; 2] = [10_000, 2_000];

/// The solver for victories by threats of any number: by double threats alone, then with other turns.
pub(crate) fn vcst<P: Playable>(arguments: &Arguments) -> Result<Box<dyn AnyAgent>, ArgumentError> {
    let limits = VcstLimits {
        best: arguments.count("best") as usize,
        turns: arguments.count("turns") as usize,
        nodes: arguments.count("line") as usize,
    };
    let search = zone_search(limits, connect6_settings(arguments)?);
    Ok(staged::<P, Connect6>(search, "relevance zones are known of Connect6 only"))
}

/// The search of `vcst`.
#[must_use]
pub fn zone_search(limits: VcstLimits, settings: Settings) -> Staged<Connect6> {
    let mut stages = vec![VcstLimits { best: 0, ..limits }, limits];
    stages.dedup();
    let stage = |(limits, nodes): (VcstLimits, u64)| {
        let adviser: Box<dyn Adviser<Connect6>> = Box::new(Zoning::new(limits));
        (Advised::new(settings, adviser), nodes)
    };
    Staged::new(stages.into_iter().zip(VCST_STAGES).map(stage).collect())
}

/// The solver for Hex.
pub(crate) fn hex_solver<P: Playable>(arguments: &Arguments) -> Result<Box<dyn AnyAgent>, ArgumentError> {
    let settings = Settings { focus: 0.25, weak: true, ..Settings::default() };
    let goal = proof::goal_of(arguments)?;
    let adviser = Box::<Connecting>::default();
    Ok(advised::<P, Hex>(settings, Some(goal), adviser, "virtual connections are known of Hex only"))
}

/// The solver for Othello.
pub(crate) fn othello_solver<P: Playable>(arguments: &Arguments) -> Result<Box<dyn AnyAgent>, ArgumentError> {
    let goal = proof::goal_of(arguments)?;
    let adviser = Box::<Turning>::default();
    let settings = Settings { weak: true, ..Settings::default() };
    Ok(advised::<P, Othello>(settings, Some(goal), adviser, "mobility and parity are known of Othello only"))
}

/// The solver for problems of Go.
pub(crate) fn go_solver<P: Playable>(arguments: &Arguments) -> Result<Box<dyn AnyAgent>, ArgumentError> {
    let goal = proof::goal_of(arguments)?;
    let unfit = "life and death are known of problems of Go only";
    Ok(advised::<P, GoProblem>(Settings::default(), Some(goal), Box::new(Living), unfit))
}
