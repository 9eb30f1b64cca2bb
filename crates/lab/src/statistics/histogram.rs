//! Numbers counted in bins of equal width.
//!
//! > width = 2·IQR / n^⅓,  rounded up to 1, 2 or 5 times a power of ten
//!
//! (Freedman & Diaconis 1981.) Edges are multiples of the width, so that they can be read; the
//! last bin includes its upper edge.

use super::sample::Sample;

/// At most this number of bins.
const MOST: f64 = 60.0;

/// Counts of numbers in bins.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    /// The lower edge of the first bin.
    pub start: f64,
    /// The width of every bin.
    pub width: f64,
    /// Numbers in each bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// The histogram with bins of a width that fits the numbers.
    #[must_use]
    pub fn of(sample: &Sample) -> Histogram {
        let numbers = sample.sorted();
        let range = numbers[numbers.len() - 1] - numbers[0];
        let spread = sample.quantile(0.75) - sample.quantile(0.25);
        let rule = 2.0 * spread / (numbers.len() as f64).cbrt();
        let wanted = rule.max(range / MOST);
        Histogram::with_width(sample, if wanted > 0.0 { round_up(wanted) } else { 1.0 })
    }

    /// The histogram with bins of about this width: a width that is not positive and finite counts
    /// as 1, and one that makes more bins than fit is doubled until they do.
    #[must_use]
    pub fn with_width(sample: &Sample, width: f64) -> Histogram {
        let numbers = sample.sorted();
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        let mut width = if width > 0.0 && width.is_finite() { width } else { 1.0 };
        while (last / width).floor() - (first / width).floor() > 1e6 {
            width *= 2.0;
        }
        let start = (first / width).floor();
        let bins = ((last / width).ceil() - start).max(1.0);
        let mut counts = vec![0; bins as usize];
        for number in numbers {
            let bin = (number / width - start).floor().clamp(0.0, bins - 1.0);
            counts[bin as usize] += 1;
        }
        Histogram { start: start * width, width, counts }
    }

    /// The edges of a bin.
    #[must_use]
    pub fn edges(&self, bin: usize) -> (f64, f64) {
        (self.start + self.width * bin as f64, self.start + self.width * (bin + 1) as f64)
    }
}

/// The next number of the form 1, 2 or 5 times a power of ten.
fn round_up(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= number * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::{Histogram, Sample, round_up};

    #[test]
    fn every_number_is_counted_once() {
        let sample = Sample::new((0..=100).map(f64::from).collect()).expect("numbers");
        let found = Histogram::of(&sample);
        assert_eq!((found.start, found.width, found.counts.len()), (0.0, 50.0, 2));
        let found = Histogram::with_width(&sample, 20.0);
        assert_eq!(found.counts, [20, 20, 20, 20, 21]);
        assert_eq!(found.edges(4), (80.0, 100.0));
    }

    #[test]
    fn odd_samples_have_histograms_too() {
        for numbers in [vec![3.0], vec![-1e300, 1e300], vec![0.0; 9], vec![-0.5, 0.5], vec![1e-300, 2e-300]] {
            let count = numbers.len() as u64;
            let sample = Sample::new(numbers).expect("numbers");
            let found = Histogram::of(&sample);
            assert!(found.counts.iter().sum::<u64>() == count && found.counts.len() <= 1_000_002, "{found:?}");
            assert_eq!(Histogram::with_width(&sample, 1e-9).counts.iter().sum::<u64>(), count);
        }
        assert_eq!([0.011, 3.0, 1.0, 70.0].map(round_up), [0.02, 5.0, 1.0, 100.0]);
    }
}
