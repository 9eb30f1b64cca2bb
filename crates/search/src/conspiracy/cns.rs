//! Conspiracy number search: grow the tree where the value of the root is least certain.
//!
//! A value is *likely* while fewer than `confidence` leaves could conspire to give it to the root. As long as a likely value lies
//! farther than `width` from the root's, the farthest one (the higher of two equally far) is made less likely: the
//! way down follows its conspirators — at a node where one child is enough, the one that needs fewest; at a node that needs all of them,
//! the one that needs fewest but some — and the leaf at its end gets its children. Then the vectors above it are computed anew.
//!
//! Reference: McAllester, "Conspiracy numbers for min-max search", Artificial Intelligence 35 (1988); Schaeffer 1990; Zhang 2019 §2.1.2.
//! Leaves in the middle of an exchange are valued by playing out the loud moves (`quiescence`), where the game has them.
//! Deviations: values lie on a grid (see `needed.rs`), which is laid around the root's value after one ply where that lies beyond `range`: else nothing
//! worse than what is lost already, or better than what is won, could be told apart, and the search would have nothing to do; MAX is the first player, so turns need not alternate; ties go to the move that comes first.

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
    /// So many leaves do not conspire.
    pub confidence: u32,
    /// Values so near to the root's are not fought.
    pub width: u32,
    /// Points between two values that are told apart.
    pub step: u32,
    /// The largest value that is told apart from larger ones; counted from the root's value where that is larger.
    pub range: u32,
    /// Whether loud moves are played out at leaves.
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
    /// The value as it was found or backed up, for the first player, off the grid.
    value: i32,
    children: Range<u32>,
    /// The level of the value.
    level: u32,
    /// What is proved: ended games, as far as they decide.
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
    /// Those of a node in the making.
    scratch: Vec<u32>,
    deepest: u32,
}

/// A tree of so many bytes is not given back while somebody waits for the answer.
const LARGE: u64 = 16 << 20;

/// The deepest a line of loud moves goes.
const MOST_LOUD: u32 = 100;

impl<P: Studied> Tree<'_, P> {
    /// The value of a live position for its mover, loud moves played out; fail-soft within the window.
    fn quiet(&self, position: &P, (mut alpha, beta): (i32, i32), ply: u32, meter: &mut Meter) -> i32 {
        let mover = position.turn();
        let opinion =
            self.evaluation.map_or(0, |evaluation| value::of_evaluation(evaluation.evaluate(position), mover));
        let attacked = position.under_attack();
        if !self.quiescence || !P::SHARP || ply >= MOST_LOUD || meter.is_stopped() {
            return opinion;
        }
        let mut moves = Vec::new();
        let mut push = |mv| {
            moves.push(mv);
            ControlFlow::<()>::Continue(())
        };
        let _ = if attacked { position.visit_moves(&mut push) } else { position.visit_loud(&mut push) };
        sort_by_key(&mut moves, |mv| i64::from(position.stake(*mv) - 16 * position.gain(*mv)));
        let mut best = if attacked { -value::INFINITE } else { opinion };
        for mv in moves {
            alpha = alpha.max(best);
            if alpha >= beta || !meter.step() {
                break;
            }
            let mut next = position.clone();
            next.play(mv);
            let found = match next.outcome() {
                Some(outcome) => value::of_outcome(outcome, mover, ply + 1),
                None if next.turn() == mover => self.quiet(&next, (alpha, beta), ply + 1, meter),
                None => -self.quiet(&next, (-beta, -alpha), ply + 1, meter),
            };
            best = best.max(found);
        }
        // Stopped before the first answer to an attack: an opinion is better than nothing.
        if best == -value::INFINITE { opinion } else { best }
    }

    /// Bytes of a node, its vectors included.
    fn node_bytes(&self) -> u64 {
        (size_of::<Node<P::Move>>() + 2 * self.grid.levels() * size_of::<u32>()) as u64
    }

    /// Bytes of a tree of so many nodes, with the vectors of one in the making.
    fn bytes(&self, nodes: u64) -> u64 {
        (nodes + 1).saturating_mul(self.node_bytes())
    }

    /// Makes room for so many nodes in all. It grows as vectors do, but not beyond what may be used.
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
                let value = self.quiet(position, (-value::INFINITE, value::INFINITE), ply, meter);
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

    /// The farthest likely value of the root, if it is farther than `width`.
    fn target(&self, confidence: u32, width: u32) -> Option<usize> {
        let value = self.grid.value(self.nodes[0].level as usize);
        let far = |level: &usize| {
            let distance = (self.grid.value(*level) - value).unsigned_abs();
            (self.root_number(*level) < confidence && distance > width).then_some((distance, *level))
        };
        (0..self.grid.levels()).filter_map(|level| far(&level)).max().map(|(_, level)| level)
    }

    /// The leaf to open against this value of the root, and the position there with its ply.
    fn conspirator(&self, target: usize) -> (u32, P, u32) {
        let mut position = self.root.clone();
        let (mut at, mut ply) = (0_u32, 0);
        let upwards = target > self.nodes[0].level as usize;
        loop {
            let node = &self.nodes[at as usize];
            if node.children.is_empty() {
                return (at, position, ply);
            }
            let price = |child: &u32| {
                let (up, down) = self.vectors(*child);
                if upwards { up[target] } else { down[target] }
            };
            // Where one child is enough the cheapest; where all are needed, one that is not there yet.
            let next = node.children.clone().filter(|child| price(child) > 0).min_by_key(price);
            at = next.expect("a value that is not yet taken has a conspirator below");
            position.play(self.nodes[at as usize].mv.expect("a child has a move"));
            ply += 1;
        }
    }

    /// Gives a leaf its children; `false` if the meter or the pulse stopped it before all was done. Then nothing more may be opened.
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

    /// Lays the grid around the value of a root whose children are leaves, if it lies beyond and is no known end; `false` if the pulse stopped it.
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

    /// Computes value and vectors of a node from its children's. With many children and long vectors that takes milliseconds, so the
    /// pulse is asked before each child; `false` if it said no, and then the node is as it was.
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

    /// The answer so far.
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
        // The root is opened whatever its numbers: a move must be chosen.
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
            // The value is stable, which is no proof: another confidence or width would go on.
            if tree.nodes[0].bounds.proved().is_none() {
                meter.stop(StopReason::OwnLimit("confidence and width"));
            }
        }
        let report = tree.report(&meter, &rng, scale);
        let Tree { nodes, vectors, .. } = tree;
        if report.memory_bytes > LARGE {
            // To give gigabytes back takes longer than an answer may. Where there is no thread to be had, it is done here.
            let _ = std::thread::Builder::new().spawn(move || drop((nodes, vectors)));
        }
        Ok(report)
    }
}

impl Describe for Cns {
    const DESCRIPTION: Description = Description {
        name: "cns",
        about: "conspiracy number search: grows the tree until the root's value is stable, for 10,000 iterations if nothing is limited",
        parameters: &[
            Parameter {
                name: "confidence",
                about: "so many leaves do not conspire",
                kind: Kind::Integer(1, 1_000_000),
                default: Some("3"),
            },
            Parameter {
                name: "width",
                about: "values so near to the root's are not fought",
                kind: Kind::Integer(0, EVALUATION_LIMIT as i64),
                default: Some("50"),
            },
            Parameter {
                name: "step",
                about: "points between values that are told apart",
                kind: Kind::Integer(1, EVALUATION_LIMIT as i64),
                default: Some("50"),
            },
            Parameter {
                name: "range",
                about: "the largest value told apart; counted from the root's where that is larger",
                kind: Kind::Integer(1, EVALUATION_LIMIT as i64),
                default: Some("1000"),
            },
            Parameter {
                name: "quiescence",
                about: "play loud moves out at leaves",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("true"),
            },
            Parameter {
                name: "evaluation",
                about: "the game's if it has one, the game's or nothing doing, or none",
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

    /// With 20,001 levels the vectors of one node fill 160,000 bytes; a thrown flag leaves them alone.
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
        // And on the way up: the search hears of it, whatever was opened.
        budget.stop.stop();
        assert!(!tree.open(1, &start, 1, &mut meter, &mut pulse));
        assert_eq!(meter.reason(), StopReason::Asked);
    }
}
