//! HyperNEAT with a local substrate: an evolved function of places draws the weights of a stencil,
//! which serves boards of any size.
//!
//! The substrate has a node for every point, joined to those at most two lines away. The weight of a
//! join depends on its direction alone: a network evolved by NEAT (the CPPN of the HyperNEAT paper)
//! is asked with (dx, dy, dx + dy, dx² + dy²), each over 2, and answers three numbers: what an own
//! stone there is worth, an opponent's stone, and the end of the board.
//!
//! > score(p) = Σ_d w_kind(p + d)(d), w = 6·(answer − ½) where |answer − ½| > 0.05, else 0
//!
//! Deviations from the paper: one activation (the steepened sigmoid) instead of several, so the
//! squares are given as inputs; no hidden layer of the substrate.

use super::genome::Genome;
use super::phenotype::Network;
use crate::small::{Head, Inside, SmallFileError, Writer, unpack_as};

/// How far the substrate reaches.
const REACH: isize = 2;
const SIDE: usize = 5;
const CELLS: usize = SIDE * SIDE;

/// Numbers that the evolved network is asked with.
pub const INPUTS: u32 = 4;
/// Numbers that it answers: own stone, opponent's stone, off the board.
pub const OUTPUTS: u32 = 3;

/// Weights of what lies around a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Stencil {
    /// For own stones, the opponent's, and the end of the board, 5×5 each, by rows.
    weights: [[f32; CELLS]; 3],
}

impl Stencil {
    /// The stencil that a genome draws.
    #[must_use]
    pub fn of(genome: &Genome) -> Stencil {
        let mut network = Network::of(genome);
        let mut weights = [[0.0; CELLS]; 3];
        for cell in 0..CELLS {
            let (dx, dy) = ((cell % SIDE) as f32 - REACH as f32, (cell / SIDE) as f32 - REACH as f32);
            if (dx, dy) == (0.0, 0.0) {
                continue;
            }
            let asked = [dx, dy, dx + dy, dx * dx + dy * dy].map(|value| value / 2.0);
            let answer = network.settle(&asked, None);
            for (kind, weights) in weights.iter_mut().enumerate() {
                let weight = answer[kind] - 0.5;
                weights[cell] = if weight.abs() > 0.05 { 6.0 * weight } else { 0.0 };
            }
        }
        Stencil { weights }
    }

    /// The score of a point for one player, on a board of stones (own 1, opponent's −1).
    #[must_use]
    pub fn score(&self, stones: &[i8], lines: usize, point: usize) -> f32 {
        let (column, row) = ((point % lines) as isize, (point / lines) as isize);
        let mut score = 0.0;
        for dy in -REACH..=REACH {
            for dx in -REACH..=REACH {
                let cell = ((dy + REACH) * SIDE as isize + dx + REACH) as usize;
                let (x, y) = (column + dx, row + dy);
                let inside = x >= 0 && y >= 0 && x < lines as isize && y < lines as isize;
                let kind = if !inside {
                    2
                } else {
                    match stones[y as usize * lines + x as usize] {
                        1 => 0,
                        -1 => 1,
                        _ => continue,
                    }
                };
                score += self.weights[kind][cell];
            }
        }
        score
    }

    /// As a file: 75 weights.
    #[must_use]
    pub fn to_file(&self, head: &Head) -> Vec<u8> {
        let mut writer = Writer::new(head);
        writer.numbers(self.weights.iter().flatten().copied());
        writer.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is damaged or another file.
    pub fn from_file(bytes: &[u8]) -> Result<(Head, Stencil), SmallFileError> {
        let (head, mut reader) = unpack_as(bytes, Inside::Stencil)?;
        let numbers = reader.numbers(3 * CELLS)?;
        reader.end()?;
        let weights = std::array::from_fn(|kind| std::array::from_fn(|cell| numbers[kind * CELLS + cell]));
        Ok((head, Stencil { weights }))
    }
}

#[cfg(test)]
mod tests {
    use super::{CELLS, Stencil};

    /// A stencil that counts: an own neighbour to the right 1, an opponent's above 10, the end of the
    /// board to the left 100.
    #[test]
    fn scores_by_hand() {
        let mut weights = [[0.0; CELLS]; 3];
        weights[0][2 * 5 + 3] = 1.0;
        weights[1][5 + 2] = 10.0;
        weights[2][2 * 5 + 1] = 100.0;
        let stencil = Stencil { weights };
        // Rows: . X . / O . X / . . .
        let stones = [0, -1, 0, 1, 0, 1, 0, 0, 0];
        let scores: Vec<f32> = (0..9).map(|point| stencil.score(&stones, 3, point)).collect();
        assert_eq!(scores, [100.0, 0.0, 0.0, 100.0, 11.0, 0.0, 100.0, 0.0, 0.0]);
    }
}
