//! Quantiles, the empirical distribution and other facts of a list of numbers.
//!
//! The q-quantile of n sorted numbers lies at place q·(n − 1), between two numbers by linear
//! interpolation (definition 7 of Hyndman & Fan, "Sample quantiles in statistical packages", 1996;
//! numpy's default).

/// Numbers in ascending order.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Sorts the numbers; nothing if there are none or one of them is not finite.
    #[must_use]
    pub fn new(mut numbers: Vec<f64>) -> Option<Sample> {
        numbers.sort_by(f64::total_cmp);
        (!numbers.is_empty() && numbers.iter().all(|number| number.is_finite())).then_some(Sample(numbers))
    }

    /// The numbers in ascending order.
    #[must_use]
    pub fn sorted(&self) -> &[f64] {
        &self.0
    }

    /// The q-quantile, q from 0 to 1.
    #[must_use]
    pub fn quantile(&self, q: f64) -> f64 {
        let place = q.clamp(0.0, 1.0) * (self.0.len() - 1) as f64;
        let (low, high) = (self.0[place.floor() as usize], self.0[place.ceil() as usize]);
        low + (high - low) * place.fract()
    }

    /// The middle.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The arithmetic mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The share of the numbers that are at most this: the empirical distribution function.
    #[must_use]
    pub fn share_up_to(&self, number: f64) -> f64 {
        self.0.partition_point(|one| *one <= number) as f64 / self.0.len() as f64
    }

    /// The steps of the empirical distribution function: each different number with the share of the
    /// numbers up to it.
    #[must_use]
    pub fn distribution(&self) -> Vec<(f64, f64)> {
        let mut seen = 0;
        let step = |equal: &[f64]| {
            seen += equal.len();
            (equal[0], seen as f64 / self.0.len() as f64)
        };
        self.0.chunk_by(|one, other| one == other).map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn quantiles_lie_between_numbers() {
        let sample = Sample::new(vec![4.0, 1.0, 3.0, 2.0]).expect("numbers");
        assert_eq!((sample.median(), sample.quantile(0.0), sample.quantile(1.0)), (2.5, 1.0, 4.0));
        assert_eq!((sample.quantile(0.25), sample.mean()), (1.75, 2.5));
        assert_eq!(Sample::new(vec![]), None);
        assert_eq!(Sample::new(vec![1.0, f64::NAN]), None);
    }

    #[test]
    fn the_distribution_rises_at_each_number() {
        let sample = Sample::new(vec![2.0, 1.0, 2.0, 5.0]).expect("numbers");
        assert_eq!(sample.distribution(), [(1.0, 0.25), (2.0, 0.75), (5.0, 1.0)]);
        assert_eq!([0.0, 1.0, 4.9, 5.0].map(|at| sample.share_up_to(at)), [0.0, 0.25, 0.75, 1.0]);
    }
}
