//! The types of the microscope: trees of searches that have stopped, and their single iterations.

use super::describe::{Definition, Described, Field, Form, api, reference, sentence};
use super::types::{Outcome, Piece, Player, Ply, Side};
use serde_json::Value;

api! {
    /// A search whose tree is kept: of a session or a document, by an agent of the mcts family, with one
    /// thread.
    options NewTree {
        /// A session, whose current position is searched unless at says otherwise.
        session: Option<String>,
        /// A game as text, in place of a session.
        document: Option<String>,
        /// After this number of steps.
        at: Option<usize>,
        /// The spec of the agent; mcts if left out.
        agent: Option<String>,
        /// The seed of everything random; 1 if left out.
        seed: Option<u64>,
        /// Iterations; 1,000 if left out.
        iterations: Option<u64>,
    }

    /// More budget for a tree.
    request MoreIterations {
        /// Iterations in addition.
        iterations: u64,
    }

    /// A tree that is kept. Values are for the side to move at its root, in [0, 1].
    answer Tree {
        /// Its id.
        id: String,
        /// The position of the root as text.
        document: String,
        /// What people call the two sides.
        sides: [Side; 2],
        /// The canonical spec of the agent.
        agent: String,
        /// The spec with what differs from the defaults.
        short: String,
        /// The seed.
        seed: u64,
        /// The side to move at the root.
        turn: Player,
        /// Iterations so far.
        iterations: u64,
        /// Nodes of the tree.
        nodes: u64,
        /// Bytes of the tree.
        memory_bytes: u64,
        /// The move that the search would play.
        best: Option<String>,
        /// What the root seems to be worth.
        value: f64,
        /// What is proved: at least, at most.
        bounds: [f64; 2],
        /// The last iteration that can be looked at by itself.
        steps: u64,
        /// Why single iterations cannot be looked at; nothing if they can.
        no_steps: Option<String>,
        /// Why the search ended.
        stopped: String,
    }

    /// Lin's minimax node: the descendant whose mean is the value if both sides choose by means.
    answer Minimax {
        /// The moves to it, from the root of the tree.
        path: Vec<String>,
        /// Its visits.
        visits: u64,
        /// Its mean, for the side to move at the root.
        value: f64,
        /// Its lower and upper confidence bound, for the side that chooses.
        confidence: [f64; 2],
    }

    /// The value of a child by the selection rule, as a sum of parts, for the side that chooses.
    answer Selected {
        /// The mean, or its share where all-moves-as-first is mixed in; what an untried child counts.
        exploitation: f64,
        /// What the rule adds because the child has few visits.
        exploration: f64,
        /// The share of all-moves-as-first.
        amaf: f64,
        /// What knowledge adds.
        bias: f64,
        /// The sum.
        total: f64,
    }

    /// All moves as first.
    answer Amaf {
        /// Playouts in which the move was made later.
        visits: u64,
        /// Their mean, for the side that chooses.
        mean: f64,
    }

    /// Whether selection considers a child.
    words ChildState {
        /// Yes.
        Open = "open",
        /// The expansion rule has not opened it yet.
        Closed = "closed",
        /// What is proved decides.
        Settled = "settled",
        /// A look-ahead excluded it.
        Excluded = "excluded",
    }

    /// A child of a node.
    answer TreeChild {
        /// The move that leads to it.
        r#move: String,
        /// The point it is played on, or where a piece arrives.
        to: Option<usize>,
        /// The point that a piece leaves.
        from: Option<usize>,
        /// How often it was visited.
        visits: u64,
        /// Its mean for the side to move at the root.
        value: Option<f64>,
        /// Its mean for the side that chooses here.
        mean: Option<f64>,
        /// What is proved, for the side to move at the root: at least, at most.
        bounds: [f64; 2],
        /// Lower and upper confidence bound, for the side that chooses here.
        confidence: Option<[f64; 2]>,
        /// The value by which the selection rule compares it with its siblings.
        selection: Option<Selected>,
        /// All moves as first.
        amaf: Option<Amaf>,
        /// The weight the move had before it was tried.
        prior: Option<f64>,
        /// Its minimax node.
        minimax: Option<Minimax>,
        /// Whether selection considers it.
        state: ChildState,
        /// The number of its own children.
        child_count: usize,
    }

    /// A node of a tree.
    answer TreeNode {
        /// Iterations at the time of this look.
        iteration: u64,
        /// The moves from the root.
        path: Vec<Ply>,
        /// Who is to move here.
        turn: Player,
        /// How often it was visited.
        visits: u64,
        /// Its mean for the side to move at the root.
        value: Option<f64>,
        /// What is proved, for the side to move at the root: at least, at most.
        bounds: [f64; 2],
        /// How the game ended here, if it has.
        outcome: Option<Outcome>,
        /// Its minimax node.
        minimax: Option<Minimax>,
        /// Whether the walk for minimax nodes ended before it had seen every node above the threshold.
        minimax_cut: bool,
        /// Its children, the most visited first, as far as they were asked for.
        children: Vec<TreeChild>,
        /// The number of all children.
        child_count: usize,
    }

    /// A node of a part of a tree.
    answer PartNode {
        /// The place of its parent in the list; nothing for the first node.
        parent: Option<usize>,
        /// The move that leads to it; nothing for the first node.
        r#move: Option<String>,
        /// Plies below the first node.
        depth: usize,
        /// How often it was visited.
        visits: u64,
        /// Its mean for the side to move at the root of the tree.
        value: Option<f64>,
        /// What is proved, for the side to move at the root of the tree: at least, at most.
        bounds: [f64; 2],
        /// The number of all its children.
        child_count: usize,
    }

    /// A part of a tree: the most visited nodes below one node.
    answer TreePart {
        /// Iterations at the time of this look.
        iteration: u64,
        /// The moves from the root to the first node.
        path: Vec<String>,
        /// The nodes, each after its parent.
        nodes: Vec<PartNode>,
    }

    /// What an iteration adds to a node.
    answer Gained {
        /// Visits.
        visits: u64,
        /// The sum of the first player's rewards.
        reward: f64,
    }

    /// A node of the path of an iteration, after the backup.
    answer PathStep {
        /// The move that leads to it; nothing for the root.
        r#move: Option<String>,
        /// The point it is played on, or where a piece arrives.
        to: Option<usize>,
        /// The point that a piece leaves.
        from: Option<usize>,
        /// Who made the move; at the root, who is to move.
        player: Player,
        /// Its visits.
        visits: u64,
        /// Its mean for the side to move at the root.
        value: Option<f64>,
        /// What is proved, for the side to move at the root: at least, at most.
        bounds: [f64; 2],
    }

    /// A child that was simulated by itself, and what it got.
    answer Simulated {
        /// The move.
        r#move: String,
        /// What it got.
        gain: Gained,
    }

    /// A playout.
    answer TreePlayout {
        /// The child of the last node from which it began, where children are simulated one by one.
        from: Option<String>,
        /// Its moves.
        moves: Vec<String>,
        /// Its worth for the first player at its end, in [0, 1].
        score: f64,
        /// The first player's reward.
        reward: f64,
    }

    /// One iteration.
    answer Iteration {
        /// Which one, from 1.
        iteration: u64,
        /// The nodes of its path, the root first, as they are after the backup.
        path: Vec<PathStep>,
        /// Depths on the path of the nodes that got their children in this iteration.
        expanded: Vec<usize>,
        /// The depth of the first node on the path that no iteration had reached before.
        entered: Option<usize>,
        /// Children of the last node that were simulated one by one.
        simulated: Vec<Simulated>,
        /// Its playouts.
        playouts: Vec<TreePlayout>,
        /// What every node of the path got.
        gain: Gained,
    }

    /// Iterations in order.
    answer Iterations {
        /// Fewer than asked for if the search had nothing left to do.
        records: Vec<Iteration>,
    }

    /// One iteration with the boards and the choices that belong to it.
    answer IterationStep {
        /// What the iteration did.
        record: Iteration,
        /// The nodes of its path before it, with the children among which it chose.
        choices: Vec<TreeNode>,
        /// What stands on each point at the end of the path.
        leaf: Vec<Option<Piece>>,
        /// The moves of the first playout.
        playout: Vec<Ply>,
        /// What stands on each point at the end of the first playout.
        end: Option<Vec<Option<Piece>>>,
        /// How the first playout, or else the path, ended.
        outcome: Option<Outcome>,
    }

    /// A node at one look.
    answer TraceValue {
        /// Its visits.
        visits: u64,
        /// Its mean for the side to move at the root; nothing before the first visit.
        value: Option<f64>,
    }

    /// Nodes at one look.
    answer TraceLook {
        /// Iterations at this look.
        iteration: u64,
        /// The move that the search would play.
        best: Option<String>,
        /// The nodes that were asked for, in this order.
        nodes: Vec<TraceValue>,
    }

    /// Nodes over time.
    answer Trace {
        /// The paths of the nodes, moves separated by spaces.
        paths: Vec<String>,
        /// Iterations between two looks.
        every: u64,
        /// The looks.
        looks: Vec<TraceLook>,
        /// The first look from which on the search would always have played its last move (Lin's
        /// convergent move).
        settled: Option<u64>,
    }

    /// The guided tours.
    answer Tours {
        /// In the order of a lecture.
        tours: Vec<Tour>,
    }

    /// A guided tour of the microscope.
    request Tour {
        /// Its id.
        id: String,
        /// What it shows.
        title: String,
        /// Where it comes from.
        source: String,
        /// The position of the root as text.
        document: String,
        /// The spec of the agent.
        agent: String,
        /// The seed.
        seed: u64,
        /// Iterations.
        iterations: u64,
        /// Its stops.
        stops: Vec<TourStop>,
    }

    /// What a tour shows in the room.
    words TourView {
        /// One iteration.
        Step = "step",
        /// The tree and the children of a node.
        Tree = "tree",
        /// Nodes over time.
        Trace = "trace",
    }

    /// A stop of a tour.
    request TourStop {
        /// A few words.
        title: String,
        /// What to see, in plain sentences.
        text: String,
        /// What is shown.
        view: TourView,
        /// The iteration; all of them if nothing.
        iteration: Option<u64>,
        /// The phase of the iteration: 1 select, 2 expand, 3 play out, 4 back up.
        phase: Option<usize>,
        /// The node, by its moves from the root; the root if left out.
        path: Option<Vec<String>>,
        /// Nodes whose curves are shown, moves separated by spaces; the moves of the root if left out.
        watch: Option<Vec<String>>,
    }
}
