//! Linear models fitted by ridge regression.
//!
//! > minimise Σ (y − w·x)² + Σ λ·s_i·w_i²,  so  (XᵀX + λ·S) w = Xᵀy
//!
//! with s_i the mean of x_i² over all rows that have it, times their number: the same penalty in
//! whatever unit a column is measured. The equations are solved by Cholesky's decomposition. (Hoerl
//! & Kennard 1970.) Written out here: it is thirty lines, and the crates for linear algebra take
//! longer to compile than all of this one's dependencies.

/// The sums of a regression; rows are added one by one.
#[derive(Clone, Debug)]
pub struct Regression {
    columns: usize,
    /// XᵀX, its lower triangle, row by row.
    squares: Vec<f64>,
    /// Xᵀy.
    products: Vec<f64>,
}

impl Regression {
    /// A regression on this number of columns.
    #[must_use]
    pub fn new(columns: usize) -> Regression {
        Regression { columns, squares: vec![0.0; columns * columns], products: vec![0.0; columns] }
    }

    /// Adds a row: the columns that are not 0, in ascending order, and the value to be explained.
    pub fn add(&mut self, row: &[(usize, f64)], value: f64) {
        for (place, (column, number)) in row.iter().enumerate() {
            self.products[*column] += number * value;
            for (other, factor) in &row[..=place] {
                self.squares[column * self.columns + other] += number * factor;
            }
        }
    }

    /// The weights, with a penalty of λ. `groups` says which columns measure the same thing: they
    /// are penalised alike, so that one with few rows leans on the others' unit. A column without
    /// any rows gets 0. Nothing if the equations cannot be solved (λ = 0 and columns that say the
    /// same).
    #[must_use]
    pub fn solve(&self, lambda: f64, groups: &[usize]) -> Option<Vec<f64>> {
        let count = self.columns;
        let diagonal = |column: usize| self.squares[column * count + column];
        let penalty = |column: usize| {
            let alike = (0..count).filter(|other| groups[*other] == groups[column]);
            let (sum, number) = alike.fold((0.0, 0.0), |(sum, number), other| (sum + diagonal(other), number + 1.0));
            lambda * sum / number
        };
        let mut factor = self.squares.clone();
        for row in 0..count {
            factor[row * count + row] += penalty(row);
            if factor[row * count + row] == 0.0 {
                factor[row * count + row] = 1.0;
            }
            for column in 0..=row {
                let dot: f64 = (0..column).map(|at| factor[row * count + at] * factor[column * count + at]).sum();
                let rest = factor[row * count + column] - dot;
                factor[row * count + column] = if row > column {
                    rest / factor[column * count + column]
                } else if rest > 1e-9 * factor[row * count + row] {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        let mut weights = self.products.clone();
        for row in 0..count {
            let dot: f64 = (0..row).map(|at| factor[row * count + at] * weights[at]).sum();
            weights[row] = (weights[row] - dot) / factor[row * count + row];
        }
        for row in (0..count).rev() {
            let dot: f64 = (row + 1..count).map(|at| factor[at * count + row] * weights[at]).sum();
            weights[row] = (weights[row] - dot) / factor[row * count + row];
        }
        Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::Regression;
    use tesuji_core::{Rng, Seed};

    fn dense(numbers: &[f64]) -> Vec<(usize, f64)> {
        numbers.iter().copied().enumerate().collect()
    }

    /// y = 2a − 3b + c/2 without noise comes back to the last digits.
    #[test]
    fn planted_weights_come_back() {
        let planted = [2.0, -3.0, 0.5];
        let mut rng = Rng::new(Seed(1));
        let mut regression = Regression::new(3);
        for _ in 0..100 {
            let row = [0; 3].map(|_| f64::from(rng.below(41)) - 20.0);
            let value = row.iter().zip(planted).map(|(x, weight)| x * weight).sum();
            regression.add(&dense(&row), value);
        }
        let found = regression.solve(0.0, &[0, 1, 2]).expect("independent columns");
        assert!(found.iter().zip(planted).all(|(found, planted)| (found - planted).abs() < 1e-10), "{found:?}");
    }

    /// One column: w = Σxy / (Σx² + λΣx²), by hand 22 / (14 · 1.5).
    #[test]
    fn the_penalty_shrinks_by_hand() {
        let mut regression = Regression::new(1);
        for (x, y) in [(1.0, 1.0), (2.0, 3.0), (3.0, 5.0)] {
            regression.add(&[(0, x)], y);
        }
        assert!((regression.solve(0.5, &[0]).expect("a weight")[0] - 22.0 / 21.0).abs() < 1e-12);
    }

    #[test]
    fn columns_that_say_the_same_need_a_penalty_and_empty_ones_are_nothing() {
        let mut regression = Regression::new(3);
        for x in 1..10 {
            regression.add(&[(0, f64::from(x)), (2, f64::from(x))], 4.0 * f64::from(x));
        }
        assert_eq!(regression.solve(0.0, &[0, 1, 2]), None);
        let found = regression.solve(1e-6, &[0, 1, 2]).expect("a penalty");
        assert!((found[0] - 2.0).abs() < 1e-3 && found[1] == 0.0 && (found[2] - 2.0).abs() < 1e-3, "{found:?}");
    }
}
