//! An estimate with its confidence interval, and the level of confidence.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

/// An estimate with the interval around it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// The interval that reaches as far down as up.
    #[must_use]
    pub fn around(estimate: f64, reach: f64) -> Interval {
        Interval { estimate, low: estimate - reach, high: estimate + reach }
    }

    /// All three numbers through an increasing function.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Interval {
        Interval { estimate: increasing(self.estimate), low: increasing(self.low), high: increasing(self.high) }
    }

    /// Whether a number lies in the interval.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// A level of confidence: the share of intervals that contain the true value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence(f64);

/// A level outside of 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("a level of confidence lies between 0 and 1, such as 0.95; this one is {0}")]
pub struct ConfidenceError(pub f64);

impl Confidence {
    /// 95 %.
    pub const P95: Confidence = Confidence(0.95);

    /// A level between 0 and 1, both excluded.
    ///
    /// # Errors
    /// For any other number.
    pub fn new(level: f64) -> Result<Confidence, ConfidenceError> {
        if level > 0.0 && level < 1.0 { Ok(Confidence(level)) } else { Err(ConfidenceError(level)) }
    }

    /// The level.
    #[must_use]
    pub const fn level(self) -> f64 {
        self.0
    }

    /// The probability below the interval, equal to the one above it.
    #[must_use]
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }

    /// How many standard deviations the interval of a normal distribution reaches; 1.96 at 95 %.
    #[must_use]
    pub fn normal_reach(self) -> f64 {
        -Normal::standard().inverse_cdf(self.tail())
    }

    /// The same for Student's t distribution, of at least one degree of freedom.
    ///
    /// Newton's method on the distribution function, from the library's quantile, which is found by
    /// bisection and good to about 1e-8.
    #[must_use]
    pub fn student_reach(self, freedom: u64) -> f64 {
        let student = student(freedom);
        let mut reach = -student.inverse_cdf(self.tail());
        for _ in 0..4 {
            let density = student.pdf(reach);
            if density > 0.0 {
                reach += (student.cdf(-reach) - self.tail()) / density;
            }
        }
        reach
    }
}

/// P(X ≤ x) of the standard normal distribution.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// P(|X| ≥ |x|) of the standard normal distribution.
pub(crate) fn normal_two_sided(x: f64) -> f64 {
    2.0 * normal_cdf(-x.abs())
}

/// P(|T| ≥ |t|) of Student's t distribution.
pub(crate) fn student_two_sided(t: f64, freedom: u64) -> f64 {
    2.0 * student(freedom).cdf(-t.abs())
}

fn student(freedom: u64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom.max(1) as f64).expect("the scale and the freedom are positive")
}

#[cfg(test)]
mod tests {
    use super::{Confidence, Interval, normal_two_sided, student_two_sided};

    /// t(0.975; 1) = tan(0.475·π); the others by scipy 1.17.1.
    #[test]
    fn reaches_are_known() {
        let close = |found: f64, table: f64| assert!((found - table).abs() < 1e-11, "{found} for {table}");
        close(Confidence::P95.normal_reach(), 1.959_963_984_540_054);
        close(Confidence::P95.student_reach(1), (0.475 * std::f64::consts::PI).tan());
        close(Confidence::P95.student_reach(10), 2.228_138_851_986_274);
        close(Confidence::new(0.99).expect("a level").student_reach(5), 4.032_142_983_555_228);
        close(normal_two_sided(1.959_963_984_540_054), 0.05);
        close(student_two_sided(-2.228_138_851_986_274, 10), 0.05);
    }

    #[test]
    fn levels_outside_of_the_unit_interval_are_refused() {
        for level in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
            let error = Confidence::new(level).expect_err("no level");
            assert!(error.to_string().contains(&level.to_string()), "{error}");
        }
    }

    #[test]
    fn intervals_are_mapped_and_asked() {
        let interval = Interval::around(2.0, 0.5).map(|x| 2.0 * x);
        assert_eq!(interval, Interval { estimate: 4.0, low: 3.0, high: 5.0 });
        assert!(interval.contains(3.0) && !interval.contains(5.1));
    }
}
