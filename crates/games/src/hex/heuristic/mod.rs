//! Measures of how close a player is to connecting: bridges, distances, resistance. For searches;
//! the rules do not use them.
//!
//! * [`shortest_connection`]: the fewest stones that complete a connection if the opponent passes
//!   (0-1 breadth-first search).
//! * [`two_distance`] (van Rijswijck's Queenbee, "Computer Hex: are bees better than fruitflies?",
//!   2000): the opponent can block the best continuation, so the second best counts. An empty cell
//!   next to the edge has distance 1, any other
//!
//!   > d(c) = 1 + the second smallest d among its neighbours
//!
//! where the neighbours of *c* are the empty cells that touch it or a chain of own stones that
//! touches it, and a cell next to a chain that touches the edge is next to the edge. The
//! *potential* is the smallest sum of the distances to both edges.
//! * [`resistance`] (Shannon's machine; Anshelevich, "The game of Hex: an automatic theorem proving
//!   approach", 2000): own stones conduct, empty cells have resistance 1, opposing stones isolate.
//!   Adjacent cells are joined by a wire of the sum of their resistances, and a cell of an edge row
//!   by a wire of its own resistance to the edge. The result is the resistance between the two
//!   edges. Chains are single nodes; the voltages solve a Laplacian system, by conjugate gradients
//!   with diagonal preconditioning to a relative error of 10⁻¹².
//!
//! Deviations: Anshelevich also lets bridges conduct, and takes the logarithm of the ratio of both
//! players; that is left to the caller. The order of summation is fixed, so results are the same on
//! every machine.
//!
//! `study.rs` implements `Studied`.

mod study;

pub use study::{BridgedDistance, ConnectionPreference};

use super::{Hex, MOST_CELLS};
use std::collections::VecDeque;
use tesuji_core::Player;

/// Steps to the six neighbours (columns, rows), in cyclic order.
pub(super) const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// Steps to three of the six cells a bridge away, with the two cells between; the other three are
/// their opposites.
const BRIDGES: [[(i32, i32); 3]; 3] =
    [[(1, -2), (0, -1), (1, -1)], [(2, -1), (1, -1), (1, 0)], [(1, 1), (1, 0), (0, 1)]];

/// A board from the point of view of one player.
struct Side<'a> {
    position: &'a Hex,
    player: Player,
    size: usize,
}

impl Side<'_> {
    fn new(position: &Hex, player: Player) -> Side<'_> {
        Side { position, player, size: position.size() as usize }
    }

    fn cells(&self) -> std::ops::Range<usize> {
        0..self.size * self.size
    }

    fn step(&self, cell: usize, (columns, rows): (i32, i32)) -> Option<usize> {
        let column = (cell % self.size).checked_add_signed(columns as isize)?;
        let row = (cell / self.size).checked_add_signed(rows as isize)?;
        (column < self.size && row < self.size).then_some(row * self.size + column)
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        STEPS.into_iter().filter_map(move |step| self.step(cell, step))
    }

    fn is_empty(&self, cell: usize) -> bool {
        self.position.owner(cell).is_none()
    }

    fn is_own(&self, cell: usize) -> bool {
        self.position.owner(cell) == Some(self.player)
    }

    /// The distance in rows (columns, for White) of a cell from the first or the second edge of the
    /// player.
    fn lines_to_edge(&self, cell: usize, edge: usize) -> usize {
        let line = if self.player == Player::First { cell / self.size } else { cell % self.size };
        if edge == 0 { line } else { self.size - 1 - line }
    }

    /// The empty cells that touch `cell` or a chain of own stones that touches it, each once and
    /// without `cell`, and whether the first or the second edge is among them.
    fn reach(&self, cell: usize, found: &mut Vec<usize>, marks: &mut Marks) -> [bool; 2] {
        found.clear();
        marks.clear();
        marks.set(cell);
        let mut edges = [0, 1].map(|edge| self.lines_to_edge(cell, edge) == 0);
        let mut chain = vec![cell];
        while let Some(from) = chain.pop() {
            for next in self.neighbours(from) {
                if marks.is_set(next) {
                    continue;
                }
                if self.is_empty(next) {
                    marks.set(next);
                    found.push(next);
                } else if self.is_own(next) {
                    marks.set(next);
                    chain.push(next);
                    for (edge, touched) in edges.iter_mut().enumerate() {
                        *touched |= self.lines_to_edge(next, edge) == 0;
                    }
                }
            }
        }
        edges
    }
}

/// A set of cells that is cleared in constant time.
struct Marks {
    stamps: [u32; MOST_CELLS],
    now: u32,
}

impl Marks {
    fn new() -> Marks {
        Marks { stamps: [0; MOST_CELLS], now: 0 }
    }

    fn clear(&mut self) {
        self.now += 1;
    }

    fn set(&mut self, cell: usize) {
        self.stamps[cell] = self.now;
    }

    fn is_set(&self, cell: usize) -> bool {
        self.stamps[cell] == self.now
    }
}

/// Bridges of a player: pairs of own stones with two common empty neighbours and nothing else
/// between them, and stones of the second line with two empty cells towards the player's edge.
/// Bridges may share cells.
#[must_use]
pub fn bridges(position: &Hex, player: Player) -> u32 {
    let side = Side::new(position, player);
    let free = |cell: Option<usize>| cell.is_some_and(|cell| side.is_empty(cell));
    let mut count = 0;
    for cell in side.cells().filter(|cell| side.is_own(*cell)) {
        for [far, one, two] in BRIDGES {
            let spans = side.step(cell, far).is_some_and(|far| side.is_own(far));
            count += u32::from(spans && free(side.step(cell, one)) && free(side.step(cell, two)));
        }
        for edge in [0, 1] {
            if side.lines_to_edge(cell, edge) == 1 {
                let mut towards = side.neighbours(cell).filter(|next| side.lines_to_edge(*next, edge) == 0);
                let both = [towards.next(), towards.next()];
                count += u32::from(both.into_iter().all(free));
            }
        }
    }
    count
}

/// The fewest stones that connect the edges of `player` if the opponent passes; `None` if the
/// player is cut off.
#[must_use]
pub fn shortest_connection(position: &Hex, player: Player) -> Option<u32> {
    let side = Side::new(position, player);
    let price = |cell: usize| if side.is_own(cell) { Some(0) } else { side.is_empty(cell).then_some(1) };
    let mut distances = [u32::MAX; MOST_CELLS];
    let mut queue = VecDeque::new();
    let visit = |cell: usize, before: u32, distances: &mut [u32; MOST_CELLS], queue: &mut VecDeque<usize>| {
        let Some(price) = price(cell) else { return };
        if before + price < distances[cell] {
            distances[cell] = before + price;
            if price == 0 {
                queue.push_front(cell);
            } else {
                queue.push_back(cell);
            }
        }
    };
    for cell in side.cells().filter(|cell| side.lines_to_edge(*cell, 0) == 0) {
        visit(cell, 0, &mut distances, &mut queue);
    }
    while let Some(cell) = queue.pop_front() {
        if side.lines_to_edge(cell, 1) == 0 {
            return Some(distances[cell]);
        }
        for next in side.neighbours(cell) {
            visit(next, distances[cell], &mut distances, &mut queue);
        }
    }
    None
}

/// Queenbee's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Potential {
    /// The smallest sum of the two-distances to both edges; 0 if the player has connected.
    pub distance: u32,
    /// The number of empty cells with this sum: the more, the harder to block. 0 if the player has
    /// connected.
    pub cells: u32,
}

/// The two-distance of every cell to the first (top, left) and the second (bottom, right) edge of a
/// player, row by row; `None` for occupied and unreachable cells.
#[must_use]
pub fn two_distances(position: &Hex, player: Player) -> [Vec<Option<u32>>; 2] {
    let side = Side::new(position, player);
    let (mut reach, mut marks) = (Vec::new(), Marks::new());
    [0, 1].map(|edge| {
        let mut distances = vec![None; side.cells().len()];
        let mut seen = [0_u8; MOST_CELLS];
        let touches = |cell: &usize, reach: &mut Vec<usize>, marks: &mut Marks| side.reach(*cell, reach, marks)[edge];
        let mut layer: Vec<usize> = side.cells().filter(|cell| side.is_empty(*cell)).collect();
        layer.retain(|cell| touches(cell, &mut reach, &mut marks));
        let mut distance = 1;
        while !layer.is_empty() {
            layer.iter().for_each(|cell| distances[*cell] = Some(distance));
            let mut next_layer = Vec::new();
            for &cell in &layer {
                side.reach(cell, &mut reach, &mut marks);
                for &next in reach.iter().filter(|next| distances[**next].is_none()) {
                    seen[next] += 1;
                    if seen[next] == 2 {
                        next_layer.push(next);
                    }
                }
            }
            layer = next_layer;
            distance += 1;
        }
        distances
    })
}

/// The distance of a player from connecting when the opponent may always block the best
/// continuation; `None` if no cell reaches both edges in that sense.
#[must_use]
pub fn two_distance(position: &Hex, player: Player) -> Option<Potential> {
    if position.winner.is_some() {
        return (position.winner == Some(player)).then_some(Potential { distance: 0, cells: 0 });
    }
    let [first, second] = two_distances(position, player);
    let sums: Vec<u32> = first.iter().zip(&second).filter_map(|(one, two)| Some((*one)? + (*two)?)).collect();
    let distance = *sums.iter().min()?;
    Some(Potential { distance, cells: sums.iter().filter(|sum| **sum == distance).count() as u32 })
}

/// The electrical resistance between the edges of a player: 0 if connected, infinite if cut off.
#[must_use]
pub fn resistance(position: &Hex, player: Player) -> f64 {
    match position.winner {
        Some(winner) if winner == player => 0.0,
        Some(_) => f64::INFINITY,
        None => Circuit::new(&Side::new(position, player)).resistance(),
    }
}

/// The current through each cell, row by row, when one unit flows from edge to edge of a player:
/// the more, the more the connection depends on the cell. Zero in occupied cells, and everywhere if
/// the player has connected or is cut off.
#[must_use]
pub fn currents(position: &Hex, player: Player) -> Vec<f64> {
    let side = Side::new(position, player);
    let mut currents = vec![0.0; side.cells().len()];
    if position.winner.is_some() {
        return currents;
    }
    let circuit = Circuit::new(&side);
    let Some(voltages) = circuit.voltages() else { return currents };
    let total: f64 = circuit.wires[1].iter().map(|(next, conductance)| conductance * voltages[*next]).sum();
    for cell in side.cells().filter(|cell| side.is_empty(*cell)) {
        let node = circuit.node_of[cell];
        // What flows in flows out again: half of the total.
        let moving: f64 =
            circuit.wires[node].iter().map(|(next, g)| g * (voltages[*next] - voltages[node]).abs()).sum();
        currents[cell] = moving / (2.0 * total);
    }
    currents
}

/// Nodes and wires; node 0 is the first edge, node 1 the second.
struct Circuit {
    /// The node of each cell.
    node_of: Vec<usize>,
    /// (neighbour, conductance), for every node.
    wires: Vec<Vec<(usize, f64)>>,
}

impl Circuit {
    fn new(side: &Side) -> Circuit {
        // Chains become single nodes, those at an edge become the edge.
        let mut node_of = vec![usize::MAX; side.cells().len()];
        let mut wires = vec![Vec::new(), Vec::new()];
        for edge in [0, 1] {
            for cell in side.cells().filter(|cell| side.is_own(*cell) && side.lines_to_edge(*cell, edge) == 0) {
                mark_chain(side, cell, edge, &mut node_of);
            }
        }
        for cell in side.cells() {
            if node_of[cell] == usize::MAX && (side.is_own(cell) || side.is_empty(cell)) {
                if side.is_own(cell) {
                    mark_chain(side, cell, wires.len(), &mut node_of);
                } else {
                    node_of[cell] = wires.len();
                }
                wires.push(Vec::new());
            }
        }
        let mut circuit = Circuit { node_of, wires };
        for cell in side.cells().filter(|cell| side.is_empty(*cell)) {
            for edge in [0, 1] {
                if side.lines_to_edge(cell, edge) == 0 {
                    circuit.join(circuit.node_of[cell], edge, 1.0);
                }
            }
            for next in side.neighbours(cell) {
                if side.is_own(next) {
                    circuit.join(circuit.node_of[cell], circuit.node_of[next], 1.0);
                } else if side.is_empty(next) && cell < next {
                    circuit.join(circuit.node_of[cell], circuit.node_of[next], 0.5);
                }
            }
        }
        circuit
    }

    fn join(&mut self, one: usize, other: usize, conductance: f64) {
        self.wires[one].push((other, conductance));
        self.wires[other].push((one, conductance));
    }

    /// The nodes that current can reach from the first edge without passing through the second.
    fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.wires.len()];
        live[0] = true;
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            for &(next, _) in &self.wires[node] {
                if !live[next] {
                    live[next] = true;
                    if next != 1 {
                        stack.push(next);
                    }
                }
            }
        }
        live
    }

    /// The current at voltage 1 is one over the resistance.
    fn resistance(&self) -> f64 {
        let Some(voltages) = self.voltages() else { return f64::INFINITY };
        1.0 / self.wires[1].iter().map(|(next, conductance)| conductance * voltages[*next]).sum::<f64>()
    }

    /// Voltage 1 at the first edge, 0 at the second, and the voltages of the other nodes; `None` if
    /// the edges are not joined.
    fn voltages(&self) -> Option<Vec<f64>> {
        let live = self.live();
        if !live[1] {
            return None;
        }
        let free: Vec<usize> = (2..self.wires.len()).filter(|node| live[*node]).collect();
        let total: Vec<f64> = self.wires.iter().map(|wires| wires.iter().map(|(_, g)| g).sum()).collect();
        // Σ g (v − v') = 0 at every free node; wires to the first edge are the right-hand side.
        let apply = |voltages: &[f64], result: &mut [f64]| {
            for &node in &free {
                let inflow: f64 =
                    self.wires[node].iter().filter(|(next, _)| *next > 1).map(|(next, g)| g * voltages[*next]).sum();
                result[node] = total[node] * voltages[node] - inflow;
            }
        };
        let dot = |one: &[f64], two: &[f64]| free.iter().map(|node| one[*node] * two[*node]).sum::<f64>();
        let nodes = self.wires.len();
        let (mut voltages, mut residual) = (vec![0.0; nodes], vec![0.0; nodes]);
        for &(next, conductance) in self.wires[0].iter().filter(|(next, _)| *next > 1) {
            residual[next] += conductance;
        }
        let scaled = |residual: &[f64]| {
            let mut scaled = vec![0.0; nodes];
            free.iter().for_each(|node| scaled[*node] = residual[*node] / total[*node]);
            scaled
        };
        let mut direction = scaled(&residual);
        let mut size = dot(&residual, &direction);
        let enough = size * 1e-24;
        let mut image = vec![0.0; nodes];
        // In exact arithmetic as many rounds as nodes suffice; rounding may need a few more.
        for _ in 0..4 * nodes {
            if size <= enough {
                break;
            }
            apply(&direction, &mut image);
            let step = size / dot(&direction, &image);
            for &node in &free {
                voltages[node] += step * direction[node];
                residual[node] -= step * image[node];
            }
            let next = scaled(&residual);
            let next_size = dot(&residual, &next);
            for &node in &free {
                direction[node] = next[node] + next_size / size * direction[node];
            }
            size = next_size;
        }
        voltages[0] = 1.0;
        Some(voltages)
    }
}

/// Assigns all stones of a chain the same node.
fn mark_chain(side: &Side, cell: usize, node: usize, node_of: &mut [usize]) {
    if node_of[cell] != usize::MAX {
        return;
    }
    node_of[cell] = node;
    let mut chain = vec![cell];
    while let Some(from) = chain.pop() {
        for next in side.neighbours(from) {
            if side.is_own(next) && node_of[next] == usize::MAX {
                node_of[next] = node;
                chain.push(next);
            }
        }
    }
}
