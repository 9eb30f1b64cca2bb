//! CMA-ES: search by a normal distribution whose covariance adapts.
//!
//! Hansen, "The CMA evolution strategy: a tutorial" (arXiv:1604.00772, 2016), with its default
//! constants: λ = 4 + ⌊3·ln n⌋, μ = λ/2, weights ln((λ+1)/2) − ln i.
//!
//! > m ← m + σ·⟨y⟩, p_σ and p_c the paths, C ← (1 − c₁ − c_μ)·C + c₁·p_c·p_cᵀ + c_μ·Σ wᵢyᵢyᵢᵀ,
//! > σ ← σ·exp((c_σ/d_σ)(|p_σ|/E|N(0,I)| − 1)).
//!
//! Deviation: no active update (negative weights). For a few dozen parameters; the eigenvectors are
//! found by Jacobi's rotations in every generation.

use crate::neat::normal;
use tesuji_core::{Rng, Seed};

type Matrix = Vec<Vec<f64>>;

/// A run that minimises.
pub struct CmaEs {
    mean: Vec<f64>,
    sigma: f64,
    covariance: Matrix,
    path_sigma: Vec<f64>,
    path_c: Vec<f64>,
    generation: u32,
    rng: Rng,
    best: (f64, Vec<f64>),
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations.
fn eigen(matrix: &Matrix) -> (Vec<f64>, Matrix) {
    let n = matrix.len();
    let mut a = matrix.clone();
    let mut vectors: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off < 1e-24 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                let (upper, lower) = a.split_at_mut(q);
                for (one, other) in upper[p].iter_mut().zip(&mut lower[0]) {
                    (*one, *other) = (c * *one - s * *other, s * *one + c * *other);
                }
                for row in &mut vectors {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i].max(1e-20)).collect(), vectors)
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

impl CmaEs {
    /// A run from a point, with this step.
    #[must_use]
    pub fn new(start: Vec<f64>, sigma: f64, seed: Seed) -> CmaEs {
        let n = start.len();
        let covariance = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        CmaEs {
            best: (f64::MAX, start.clone()),
            mean: start,
            sigma,
            covariance,
            path_sigma: vec![0.0; n],
            path_c: vec![0.0; n],
            generation: 0,
            rng: Rng::new(seed),
        }
    }

    /// The best point so far, and its cost.
    #[must_use]
    pub fn best(&self) -> (f64, &[f64]) {
        (self.best.0, &self.best.1)
    }

    /// The mean of the distribution.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// One generation.
    pub fn generation(&mut self, cost: &mut dyn FnMut(&[f64]) -> f64) {
        let n = self.mean.len();
        let dimension = n as f64;
        let lambda = 4 + (3.0 * libm::log(dimension)) as usize;
        let mu = lambda / 2;
        let raw: Vec<f64> = (1..=mu).map(|i| libm::log((lambda as f64 + 1.0) / 2.0) - libm::log(i as f64)).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (dimension + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * f64::max(0.0, ((mu_eff - 1.0) / (dimension + 1.0)).sqrt() - 1.0) + c_sigma;
        let c_c = (4.0 + mu_eff / dimension) / (dimension + 4.0 + 2.0 * mu_eff / dimension);
        let c_1 = 2.0 / ((dimension + 1.3) * (dimension + 1.3) + mu_eff);
        let c_mu = f64::min(
            1.0 - c_1,
            2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((dimension + 2.0) * (dimension + 2.0) + mu_eff),
        );
        let expected = dimension.sqrt() * (1.0 - 1.0 / (4.0 * dimension) + 1.0 / (21.0 * dimension * dimension));
        let (values, vectors) = eigen(&self.covariance);
        let mut points: Vec<(f64, Vec<f64>)> = (0..lambda)
            .map(|_| {
                let z: Vec<f64> = values.iter().map(|value| value.sqrt() * normal(&mut self.rng)).collect();
                let y: Vec<f64> =
                    vectors.iter().map(|row| row.iter().zip(&z).map(|(one, other)| one * other).sum()).collect();
                let x: Vec<f64> = self.mean.iter().zip(&y).map(|(mean, step)| mean + self.sigma * step).collect();
                let found = cost(&x);
                if found < self.best.0 {
                    self.best = (found, x);
                }
                (found, y)
            })
            .collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let step: Vec<f64> =
            (0..n).map(|i| weights.iter().zip(&points).map(|(weight, (_, y))| weight * y[i]).sum()).collect();
        self.mean.iter_mut().zip(&step).for_each(|(mean, step)| *mean += self.sigma * step);
        // C^(−1/2)·⟨y⟩
        let turned: Vec<f64> =
            (0..n).map(|k| (0..n).map(|i| vectors[i][k] * step[i]).sum::<f64>() / values[k].sqrt()).collect();
        let whitened: Vec<f64> =
            vectors.iter().map(|row| row.iter().zip(&turned).map(|(one, other)| one * other).sum()).collect();
        let keep = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        for (path, white) in self.path_sigma.iter_mut().zip(&whitened) {
            *path = (1.0 - c_sigma) * *path + keep * white;
        }
        self.generation += 1;
        let fade = 1.0 - libm::pow(1.0 - c_sigma, 2.0 * f64::from(self.generation));
        let calm = length(&self.path_sigma) / fade.sqrt() < (1.4 + 2.0 / (dimension + 1.0)) * expected;
        let rank = if calm { (c_c * (2.0 - c_c) * mu_eff).sqrt() } else { 0.0 };
        for (path, step) in self.path_c.iter_mut().zip(&step) {
            *path = (1.0 - c_c) * *path + rank * step;
        }
        let lost = if calm { 0.0 } else { c_c * (2.0 - c_c) };
        for i in 0..n {
            for j in 0..n {
                let spread: f64 = weights.iter().zip(&points).map(|(weight, (_, y))| weight * y[i] * y[j]).sum();
                let old = self.covariance[i][j];
                self.covariance[i][j] =
                    (1.0 - c_1 - c_mu + c_1 * lost) * old + c_1 * self.path_c[i] * self.path_c[j] + c_mu * spread;
            }
        }
        self.sigma *= libm::exp((c_sigma / d_sigma) * (length(&self.path_sigma) / expected - 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::{CmaEs, eigen};
    use tesuji_core::Seed;

    /// [[2, 1], [1, 2]] has the values 1 and 3.
    #[test]
    fn eigenvalues_by_hand() {
        let (mut values, vectors) = eigen(&vec![vec![2.0, 1.0], vec![1.0, 2.0]]);
        let product = vectors[0][0] * vectors[0][1] + vectors[1][0] * vectors[1][1];
        values.sort_by(f64::total_cmp);
        assert!((values[0] - 1.0).abs() < 1e-9 && (values[1] - 3.0).abs() < 1e-9 && product.abs() < 1e-9);
    }

    /// An ellipsoid of condition 10⁶ in five dimensions, to 10⁻¹⁰ within a few hundred generations.
    #[test]
    fn an_ellipsoid() {
        let mut run = CmaEs::new(vec![3.0; 5], 1.0, Seed(1));
        let mut cost = |x: &[f64]| {
            x.iter().enumerate().map(|(i, x)| libm::pow(10.0, 1.5 * i as f64) * (x - 1.0) * (x - 1.0)).sum::<f64>()
        };
        let mut generations = 0;
        while run.best().0 > 1e-10 && generations < 600 {
            run.generation(&mut cost);
            generations += 1;
        }
        assert!(generations < 400, "{generations} generations, {:?}", run.best());
        assert!(run.mean().iter().all(|x| (x - 1.0).abs() < 1e-3));
    }
}
