//! Move ordering: current through a circuit in which virtual connections conduct.
//!
//! As `heuristic::resistance`, but points with a full connection are joined by a wire as if they
//! touched, so that a stone and what it is safely connected to are close, and cells inside a bridge
//! carry little current (Anshelevich 2002; Arneson, Hayward & Henderson, "Solving Hex: beyond
//! humans", 2010). Voltages solve a dense Laplacian system by elimination without pivoting, which a
//! Laplacian does not need; the order of summation is fixed.

use super::connections::Connections;

/// The conductance between two safely connected chains.
const NEAR: f64 = 10.0;

/// The share of a current from edge to edge that flows through each cell; zero if no wires join the
/// edges.
pub(super) fn currents(connections: &Connections) -> Vec<f64> {
    let size = connections.size();
    let mut flows = vec![0.0; size * size];
    let points = connections.active();
    let count = points.len();
    // The edges are the last points; the free ones precede them.
    let free = count - 2;
    let mut matrix = vec![0.0; free * (free + 1)];
    let width = free + 1;
    let mut wires = Vec::new();
    let is_cell = |number: usize| number < free && connections.is_empty_cell(points[number]);
    for one in 0..count {
        for two in one + 1..count {
            if !connections.has_full(points[one], points[two]) {
                continue;
            }
            let conductance = match (is_cell(one), is_cell(two)) {
                (true, true) => 0.5,
                (false, false) => NEAR,
                _ => 1.0,
            };
            wires.push((one, two, conductance));
            if one < free {
                matrix[one * width + one] += conductance;
            }
            if two < free {
                matrix[two * width + two] += conductance;
            }
            if two < free {
                matrix[one * width + two] -= conductance;
                matrix[two * width + one] -= conductance;
            } else if two == free && one < free {
                matrix[one * width + free] += conductance;
            }
        }
    }
    // A small leak everywhere gives points without wires a voltage.
    (0..free).for_each(|node| matrix[node * width + node] += 1e-9);
    for pivot in 0..free {
        let (above, below) = matrix.split_at_mut((pivot + 1) * width);
        let row = &above[pivot * width..];
        for line in below.chunks_exact_mut(width) {
            let factor = line[pivot] / row[pivot];
            if factor != 0.0 {
                for column in pivot..width {
                    line[column] -= factor * row[column];
                }
            }
        }
    }
    let mut voltages = vec![0.0; count];
    voltages[free] = 1.0;
    for node in (0..free).rev() {
        let row = &matrix[node * width..(node + 1) * width];
        let known: f64 = (node + 1..free).map(|next| row[next] * voltages[next]).sum();
        voltages[node] = (row[free] - known) / row[node];
    }
    let mut total = 0.0;
    let mut through = vec![0.0; count];
    for (one, two, conductance) in wires {
        let current: f64 = conductance * (voltages[one] - voltages[two]);
        through[one] += current.abs();
        through[two] += current.abs();
        if two == count - 1 {
            total += current;
        }
    }
    for number in (0..free).filter(|number| is_cell(*number) && total > 0.0) {
        flows[usize::from(points[number])] = through[number] / (2.0 * total);
    }
    flows
}
