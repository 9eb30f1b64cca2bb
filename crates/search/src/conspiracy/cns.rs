//! Conspiracy number search: expand the tree where the value of the root is least certain.
//!
//! A value is *likely* while its conspiracy number at the root is below `confidence`. As long as a
//! likely value lies farther than `width` from the root's value, the farthest one (the higher of
//! two equally far) is refuted: the descent follows its conspirators — at a node where one child
//! suffices, the one with the smallest number; at a node that needs all children, the one with the
//! smallest number above 0 — and expands the leaf at its end. Then the vectors of its ancestors are
//! recomputed.
//!
//! Reference: McAllester, "Conspiracy numbers for min-max search", Artificial Intelligence 35
//! (1988); Schaeffer 1990; Zhang 2019 §2.1.2. Deviations:
//!
//! * leaves are valued by a quiescence search (`quiescence`), in games with loud moves;
//! * values lie on a grid (see `needed.rs`). If the root's value after one ply lies beyond `range`,
//!   the grid is centred on it; otherwise all values beyond the range would be equal, and the
//!   search would stop at once;
//! * MAX is the first player, so turns need not alternate;
//! * ties go to the first move.

use super::needed::{self, Grid, INFINITE};
use crate::minimax::alphabeta::value;
use crate::minimax::alphabeta::{EvaluationSource, evaluation_from};
use crate::sorting::sort_by_key;
use crate::{Search, SearchError, Technique, root_moves};
use std::ops::{ControlFlow, Range};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{
    Bounds, Budget, EVALUATION_LIMIT, Evaluation, Meter, Observer, Player, Position, Pulse, Report, Rng, Seed,
    StopReason, Studied, Watch,
};

/// The search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cns {
    /// The conspiracy number from which a value is considered unlikely.
    pub confidence: u32,
    /// Likely values within this distance of the root's value, in points, are accepted.
    pub width: u32,
    /// The step of the grid, in points.
    pub step: u32,
    /// The largest value of the grid, in points; counted from the root's value if that lies beyond.
    pub range: u32,
    /// Whether leaves are valued by a quiescence search.
    pub quiescence: bool,
    /// The evaluation.
    pub evaluation: EvaluationSource,
}

impl Default for Cns {
    fn default() -> Cns {
        Cns { confidence: 3, width: 50, step: 50, range: 1_000, quiescence: true, evaluation: EvaluationSource::Auto }
    }
}

struct Node<M> {
    parent: u32,
    mv: Option<M>,
    mover: Player,
    ended: bool,
    /// The exact value, found or backed up, for the first player.
    value: i32,
    children: Range<u32>,
    /// The level of the value.
    level: u32,
    /// What ended games prove.
    bounds: Bounds,
}

struct Tree<'a, P: Position> {
    root: &'a P,
    grid: Grid,
    evaluation: Option<&'a dyn Evaluation<P>>,
    quiescence: bool,
    nodes: Vec<Node<P::Move>>,
    /// ↑needed and ↓needed of every node, one after the other.
    vectors: Vec<u32>,
    /// The vectors of the node being recomputed.
    scratch: Vec<u32>,
    deepest: u32,
}

/// A tree larger than this is freed in the background, so that the answer is not delayed.
const LARGE: u64 = 16 << 20;

/// The largest depth of the quiescence search.
const MAX_QUIESCENCE: u32 = 100;

impl<P: Studied> Tree<'_, P> {
    /// Quiescence search of a live position for its mover; fail-soft within the window.
    fn quiesce(&self, position: &P, (mut alpha, beta): (i32, i32), ply: u32, meter: &mut Meter) -> i32 {
        let mover = position.turn();
        let evaluation =
            self.evaluation.map_or(0, |evaluation| value::of_evaluation(evaluation.evaluate(position), mover));
        let attacked = position.under_attack();
        if !self.quiescence || !P::SHARP || ply >= MAX_QUIESCENCE || meter.is_stopped() {
            return evaluation;
        }
        let mut moves = Vec::new();
        let mut push = |mv| {
            moves.push(mv);
            ControlFlow::<()>::Continue(())
        };
        let _ = if attacked { position.visit_moves(&mut push) } else { position.visit_loud(&mut push) };
        sort_by_key(&mut moves, |mv| i64::from(position.stake(*mv) - 16 * position.gain(*mv)));
        let mut best = if attacked { -value::INFINITE } else { evaluation };
        for mv in moves {
            alpha = alpha.max(best);
            if alpha >= beta || !meter.step() {
                break;
            }
            let mut next = position.clone();
            next.play(mv);
            let found = match next.outcome() {
                Some(outcome) => value::of_outcome(outcome, mover, ply + 1),
                None if next.turn() == mover => self.quiesce(&next, (alpha, beta), ply + 1, meter),
                None => -self.quiesce(&next, (-beta, -alpha), ply + 1, meter),
            };
            best = best.max(found);
        }
        // Stopped before the first reply to an attack was searched: the evaluation is better than
        // nothing.
        if best == -value::INFINITE { evaluation } else { best }
    }

    /// Bytes of a node, its vectors included.
    fn node_bytes(&self) -> u64 {
        (size_of::<Node<P::Move>>() + 2 * self.grid.levels() * size_of::<u32>()) as u64
    }

    /// Bytes of a tree of `nodes` nodes, with the scratch vectors.
    fn bytes(&self, nodes: u64) -> u64 {
        (nodes + 1).saturating_mul(self.node_bytes())
    }

    /// Reserves room for `nodes` nodes. The capacity doubles, but not beyond the memory.
    fn reserve(&mut self, nodes: usize, memory: u64) {
        let levels = 2 * self.grid.levels();
        if nodes > self.nodes.capacity() || nodes * levels > self.vectors.capacity() {
            let allowed = (memory / self.node_bytes()).saturating_sub(1);
            let wanted = nodes.max(usize::try_from(allowed).unwrap_or(usize::MAX).min(2 * self.nodes.len()));
            self.nodes.reserve_exact(wanted - self.nodes.len());
            self.vectors.reserve_exact(wanted * levels - self.vectors.len());
        }
    }

    /// ↑needed and ↓needed of a node.
    #[inline]
    fn vectors(&self, at: u32) -> (&[u32], &[u32]) {
        let levels = self.grid.levels();
        self.vectors[at as usize * 2 * levels..][..2 * levels].split_at(levels)
    }

    /// The conspiracy number of a level at the root.
    fn root_number(&self, level: usize) -> u32 {
        let (up, down) = self.vectors(0);
        needed::number(self.nodes[0].level as usize, up, down, level)
    }

    /// A new leaf.
    fn add(&mut self, position: &P, parent: u32, mv: Option<P::Move>, ply: u32, meter: &mut Meter) {
        let outcome = position.outcome();
        let value = match outcome {
            Some(outcome) => value::of_outcome(outcome, Player::First, ply),
            None if self.quiescence && P::SHARP => {
                let value = self.quiesce(position, (-value::INFINITE, value::INFINITE), ply, meter);
                if position.turn() == Player::First { value } else { -value }
            }
            None => self
                .evaluation
                .map_or(0, |evaluation| value::of_evaluation(evaluation.evaluate(position), Player::First)),
        };
        let ended = outcome.is_some();
        let (levels, level) = (self.grid.levels(), self.grid.level(value));
        let start = self.vectors.len();
        self.vectors.resize(start + 2 * levels, 0);
        let (up, down) = self.vectors[start..].split_at_mut(levels);
        needed::write_leaf(level, ended, up, down);
        let level = level as u32;
        let bounds = outcome.map_or(Bounds::UNKNOWN, |outcome| Bounds::exact(outcome.score));
        self.nodes.push(Node { parent, mv, mover: position.turn(), ended, value, children: 0..0, level, bounds });
        self.deepest = self.deepest.max(ply);
    }

    /// The farthest likely value of the root, if farther than `width`.
    fn target(&self, confidence: u32, width: u32) -> Option<usize> {
        let value = self.grid.value(self.nodes[0].level as usize);
        let far = |level: &usize| {
            let distance = (self.grid.value(*level) - value).unsigned_abs();
            (self.root_number(*level) < confidence && distance > width).then_some((distance, *level))
        };
        (0..self.grid.levels()).filter_map(|level| far(&level)).max().map(|(_, level)| level)
    }

    /// The leaf to expand in order to refute this value of the root, its position and its ply.
    fn conspirator(&self, target: usize) -> (u32, P, u32) {
        let mut position = self.root.clone();
        let (mut at, mut ply) = (0_u32, 0);
        let upwards = target > self.nodes[0].level as usize;
        loop {
            let node = &self.nodes[at as usize];
            if node.children.is_empty() {
                return (at, position, ply);
            }
            let number = |child: &u32| {
                let (up, down) = self.vectors(*child);
                if upwards { up[target] } else { down[target] }
            };
            // The smallest number; where all children are needed, of those that do not have the
            // value yet.
            let next = node.children.clone().filter(|child| number(child) > 0).min_by_key(number);
            at = next.expect("a value that is not yet taken has a conspirator below");
            position.play(self.nodes[at as usize].mv.expect("a child has a move"));
            ply += 1;
        }
    }

    /// Expands a leaf; `false` if the meter or the pulse stopped it before it was done. Then
    /// nothing more may be expanded.
    fn open(&mut self, at: u32, position: &P, ply: u32, meter: &mut Meter, pulse: &mut Pulse) -> bool {
        let start = self.nodes.len();
        for mv in position.moves() {
            if !meter.step() {
                self.nodes.truncate(start);
                self.vectors.truncate(start * 2 * self.grid.levels());
                return false;
            }
            let mut next = position.clone();
            next.play(mv);
            self.add(&next, at, Some(mv), ply + 1, meter);
        }
        self.nodes[at as usize].children = start as u32..self.nodes.len() as u32;
        let mut up = at;
        loop {
            if !self.back_up(up, pulse) {
                meter.stop(pulse.reason());
                return false;
            }
            if up == 0 {
                return true;
            }
            up = self.nodes[up as usize].parent;
        }
    }

    /// Centres the grid on the value of a root whose children are leaves, if the value lies beyond
    /// the range and is an evaluation; `false` if the pulse stopped it.
    fn centre(&mut self, meter: &mut Meter, pulse: &mut Pulse) -> bool {
        let value = self.nodes[0].value;
        let grid = self.grid.around(value);
        if grid == self.grid || value.abs() >= EVALUATION_LIMIT {
            return true;
        }
        self.grid = grid;
        let levels = grid.levels();
        for (node, vectors) in self.nodes.iter_mut().zip(self.vectors.chunks_exact_mut(2 * levels)).skip(1) {
            let level = grid.level(node.value);
            node.level = level as u32;
            let (up, down) = vectors.split_at_mut(levels);
            needed::write_leaf(level, node.ended, up, down);
        }
        let done = self.back_up(0, pulse);
        if !done {
            meter.stop(pulse.reason());
        }
        done
    }

    /// Computes value and vectors of a node from its children. With many children and long vectors
    /// that takes milliseconds, so the pulse is tested before each child; `false` if it stopped,
    /// and then the node is unchanged.
    fn back_up(&mut self, at: u32, pulse: &mut Pulse) -> bool {
        let Node { mover, ref children, .. } = self.nodes[at as usize];
        let (children, maximises) = (children.clone(), mover == Player::First);
        let levels = self.grid.levels();
        let best = |values: &mut dyn Iterator<Item = i32>| {
            if maximises { values.max() } else { values.min() }.expect("a live game has a move")
        };
        let those = &self.nodes[children.start as usize..children.end as usize];
        let value = best(&mut those.iter().map(|child| child.value));
        let level = best(&mut those.iter().map(|child| child.level as i32)) as u32;
        let bounds = Bounds::join(mover, those.iter().map(|child| child.bounds), true);
        let width = 2 * levels;
        let (first, end) = (children.start as usize * width, children.end as usize * width);
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.vectors[first..first + width]);
        let (up, down) = self.scratch.split_at_mut(levels);
        for child in self.vectors[first + width..end].chunks_exact(width) {
            if !pulse.goes_on() {
                return false;
            }
            needed::add_child(maximises, (&mut *up, &mut *down), child.split_at(levels));
        }
        self.vectors[at as usize * width..][..width].copy_from_slice(&self.scratch);
        let node = &mut self.nodes[at as usize];
        (node.value, node.level, node.bounds) = (value, level, bounds);
        true
    }

    /// The report so far.
    fn report(&self, meter: &Meter, rng: &Rng, scale: f64) -> Report<P::Move> {
        let turn = self.root.turn();
        let root = &self.nodes[0];
        let mut report = Report { root: root_moves::untried_moves(self.root), ..Report::empty(turn) };
        let own = |value: i32| if turn == Player::First { value } else { -value };
        let mut values = vec![i32::MIN; report.root.len()];
        for (number, child) in root.children.clone().enumerate() {
            let node = &self.nodes[child as usize];
            values[number] = own(node.value);
            let entry = &mut report.root[number];
            entry.visits = 1;
            entry.value = Some(value::expectation(node.value, Player::First, scale));
            entry.bounds = node.bounds;
            let size = |number: u32| if number == INFINITE { "∞".to_string() } else { number.to_string() };
            let level = node.level as usize;
            let (up, down) = self.vectors(child);
            let up = up.get(level + 1).copied().unwrap_or(INFINITE);
            let down = level.checked_sub(1).map_or(INFINITE, |below| down[below]);
            let (up, down) = if turn == Player::First { (up, down) } else { (down, up) };
            entry.note = Some(format!("{:+}, up {}, down {}", own(node.value), size(up), size(down)));
        }
        let known = !root.children.is_empty();
        let rng = &mut rng.clone();
        let chosen =
            if known { root_moves::best_index(values, rng) } else { root_moves::preferred_move(self.root, rng) };
        if let Some(chosen) = chosen {
            root_moves::set_choice(&mut report, chosen);
        }
        let level = root.level as usize;
        // Figures are for the side to move.
        report.figures.push(("evaluation", f64::from(own(root.value))));
        let likely = |limit: u32| {
            let likely = |level: &usize| self.root_number(*level) < limit;
            let low = (0..self.grid.levels()).find(likely).unwrap_or(level);
            let high = (0..self.grid.levels()).rev().find(likely).unwrap_or(level);
            let (low, high) = (own(self.grid.value(low)), own(self.grid.value(high)));
            (f64::from(low.min(high)), f64::from(low.max(high)))
        };
        let (low, high) = likely(2);
        report.figures.push(("lowest value with one conspirator", low));
        report.figures.push(("highest value with one conspirator", high));
        report.depth = self.deepest;
        report.memory_bytes = self.bytes(self.nodes.len() as u64);
        root_moves::fill_counters(&mut report, meter);
        report
    }
}

impl<P: Studied> Search<P> for Cns {
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
        let evaluation = evaluation_from(self.evaluation, root)?;
        let scale = evaluation.as_ref().map_or(200.0, |evaluation| evaluation.scale());
        let mut meter = budget.meter();
        let mut pulse = meter.pulse();
        let mut watch = Watch::new(watch);
        let rng = Rng::new(seed);
        let grid = Grid::new(self.step, self.range);
        let evaluation = evaluation.as_deref();
        let quiescence = self.quiescence;
        let (vectors, scratch) = (Vec::new(), Vec::new());
        let mut tree = Tree { root, grid, evaluation, quiescence, nodes: Vec::new(), vectors, scratch, deepest: 0 };
        // The root is always expanded: a move must be chosen.
        let moves = root.move_count();
        let least = tree.bytes(moves as u64 + 1);
        let memory = budget.memory_bytes();
        if memory < least {
            let why = "a larger step or a smaller range needs less";
            let why = format!("the root and its {moves} moves need {least} bytes, and {memory} are allowed; {why}");
            return Err(SearchError::Unsupported(why));
        }
        tree.reserve(moves + 1, memory);
        tree.add(root, 0, None, 0, &mut meter);
        if tree.open(0, root, 0, &mut meter, &mut pulse) && tree.centre(&mut meter, &mut pulse) {
            while let Some(target) = tree.target(self.confidence, self.width) {
                let (at, position, ply) = tree.conspirator(target);
                let most = budget.depth.unwrap_or(u32::MAX);
                let room = tree.nodes.len() as u64 + position.move_count() as u64;
                if ply >= most || tree.bytes(room) > memory {
                    meter.stop(if ply < most { StopReason::Memory } else { StopReason::Depth });
                    break;
                }
                if room > u64::from(u32::MAX) {
                    meter.stop(StopReason::Memory);
                    break;
                }
                tree.reserve(room as usize, memory);
                if !tree.open(at, &position, ply, &mut meter, &mut pulse) {
                    break;
                }
                watch.tick(meter.nodes(), meter.recent_elapsed(), || tree.report(&meter, &rng, scale));
            }
            // The value is stable, which is no proof: a search with another confidence or width
            // would continue.
            if tree.nodes[0].bounds.proved().is_none() {
                meter.stop(StopReason::OwnLimit("confidence and width"));
            }
        }
        let report = tree.report(&meter, &rng, scale);
        let Tree { nodes, vectors, .. } = tree;
        if report.memory_bytes > LARGE {
            // Freeing gigabytes would delay the answer. If no thread can be started, it is done
            // here.
            let _ = std::thread::Builder::new().spawn(move || drop((nodes, vectors)));
        }
        Ok(report)
    }
}

impl Describe for Cns {
    const DESCRIPTION: Description = Description {
        name: "cns",
        about: "conspiracy number search: expands the tree until the root's value is stable",
        parameters: &[
            Parameter {
                name: "confidence",
                about: "conspiracy number from which a value of the root counts as unlikely",
                kind: Kind::Integer(1, 1_000_000),
                default: Some("3"),
            },
            Parameter {
                name: "width",
                about: "likely values within this many points of the root's value are accepted",
                kind: Kind::Integer(0, EVALUATION_LIMIT as i64),
                default: Some("50"),
            },
            Parameter {
                name: "step",
                about: "step of the grid of values, in points",
                kind: Kind::Integer(1, EVALUATION_LIMIT as i64),
                default: Some("50"),
            },
            Parameter {
                name: "range",
                about: "largest value of the grid, in points; counted from the root's value if that lies beyond",
                kind: Kind::Integer(1, EVALUATION_LIMIT as i64),
                default: Some("1000"),
            },
            Parameter {
                name: "quiescence",
                about: "value leaves by a quiescence search",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("true"),
            },
            Parameter {
                name: "evaluation",
                about: "the game's if it has one, the game's or an error, or none",
                kind: Kind::Choice(&["auto", "game", "none"]),
                default: Some("auto"),
            },
        ],
    };
}

impl Technique for Cns {
    const ENDLESS: bool = true;

    fn configure(arguments: &Arguments) -> Result<Cns, ArgumentError> {
        let (step, range) = (arguments.count("step"), arguments.count("range"));
        if step > range {
            return Err(ArgumentError::together(format!("a step of {step} does not fit into a range of {range}")));
        }
        Ok(Cns {
            confidence: arguments.count("confidence"),
            width: arguments.count("width"),
            step,
            range,
            quiescence: arguments.word("quiescence") == "true",
            evaluation: match arguments.word("evaluation") {
                "game" => EvaluationSource::Game,
                "none" => EvaluationSource::None,
                _ => EvaluationSource::Auto,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Tree};
    use std::time::Duration;
    use tesuji_core::{Budget, EVALUATION_LIMIT, StopFlag, StopReason};
    use tesuji_games::tictactoe::TicTacToe;

    /// With 20,001 levels the vectors of one node fill 160,000 bytes; a stop leaves them unchanged.
    #[test]
    fn a_stop_is_seen_between_children() {
        let start = TicTacToe::from_text(".........").expect("a board");
        let grid = Grid::new(1, EVALUATION_LIMIT as u32);
        assert_eq!(grid.levels(), 20_001);
        let (nodes, vectors, scratch) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree =
            Tree { root: &start, grid, evaluation: None, quiescence: false, nodes, vectors, scratch, deepest: 0 };
        let budget = Budget::unlimited();
        let mut meter = budget.meter();
        tree.add(&start, 0, None, 0, &mut meter);
        let mut first = meter.pulse();
        assert!(tree.open(0, &start, 0, &mut meter, &mut first));
        let (before, joined) = (tree.vectors.clone(), tree.root_number(0));
        assert_eq!(joined, 9, "all nine leaves must change for the root to be worth the least");
        // What back_up would find out.
        tree.vectors[2 * 20_001] = 5;
        let stop = StopFlag::new();
        stop.stop();
        let stopped = Budget { stop, ..Budget::default() };
        assert!(!tree.back_up(0, &mut stopped.meter().pulse()));
        let late = Budget { hard_time: Some(Duration::ZERO), ..Budget::default() };
        assert!(!tree.back_up(0, &mut late.meter().pulse()), "nor does time that is up");
        assert_eq!(tree.vectors[..2 * 20_001], before[..2 * 20_001]);
        let mut pulse = meter.pulse();
        assert!(tree.back_up(0, &mut pulse));
        // A stop during the backup ends the search, too.
        budget.stop.stop();
        assert!(!tree.open(1, &start, 1, &mut meter, &mut pulse));
        assert_eq!(meter.reason(), StopReason::Asked);
    }
}
