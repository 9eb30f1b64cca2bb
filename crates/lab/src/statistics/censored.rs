//! Times of solvers, some cut off by a limit.
//!
//! An unsolved problem says only that the time is beyond the limit. *PAR2* (penalised average
//! runtime) counts it with twice the limit. The *cactus* curve needs no penalty: how many problems
//! are solved within a time. (Both are customary in the SAT competitions since 2002.)

/// What a solver needed for a problem, in seconds, nodes or iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Time {
    /// Solved with this effort.
    Solved(f64),
    /// Not solved within this limit.
    Beyond(f64),
}

/// PAR2: the mean effort, unsolved problems counted with twice their limit; nothing without
/// problems.
#[must_use]
pub fn par2(times: &[Time]) -> Option<f64> {
    let penalised = |time: &Time| match *time {
        Time::Solved(effort) => effort,
        Time::Beyond(limit) => 2.0 * limit,
    };
    (!times.is_empty()).then(|| times.iter().map(penalised).sum::<f64>() / times.len() as f64)
}

/// The cactus curve: the efforts of solved problems in ascending order; the k-th is what each
/// problem needs to be allowed for k to be solved.
#[must_use]
pub fn cactus(times: &[Time]) -> Vec<f64> {
    let solved = |time: &Time| match *time {
        Time::Solved(effort) => Some(effort),
        Time::Beyond(_) => None,
    };
    let mut efforts: Vec<f64> = times.iter().filter_map(solved).collect();
    efforts.sort_by(f64::total_cmp);
    efforts
}

/// Two solvers on the same problems.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compared {
    /// Second's effort divided by first's, for the problems that both solved with an effort above 0.
    pub ratios: Vec<f64>,
    /// Problems that the first alone solved.
    pub only_first: u64,
    /// Problems that the second alone solved.
    pub only_second: u64,
    /// Problems that neither solved.
    pub neither: u64,
}

/// Compares two solvers problem by problem. The ratios leave out what only one of them solved, so
/// they must be read together with those numbers.
#[must_use]
pub fn compare(pairs: &[(Time, Time)]) -> Compared {
    let mut compared = Compared::default();
    for pair in pairs {
        match *pair {
            (Time::Solved(first), Time::Solved(second)) if first > 0.0 && second > 0.0 => {
                compared.ratios.push(second / first);
            }
            (Time::Solved(_), Time::Solved(_)) => {}
            (Time::Solved(_), Time::Beyond(_)) => compared.only_first += 1,
            (Time::Beyond(_), Time::Solved(_)) => compared.only_second += 1,
            (Time::Beyond(_), Time::Beyond(_)) => compared.neither += 1,
        }
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::Time::{Beyond, Solved};
    use super::{cactus, compare, par2};

    #[test]
    fn unsolved_problems_count_twice_their_limit() {
        let times = [Solved(3.0), Beyond(10.0), Solved(1.0)];
        assert_eq!((par2(&times), par2(&[])), (Some(8.0), None));
        assert_eq!(cactus(&times), [1.0, 3.0]);
    }

    #[test]
    fn compared_problem_by_problem() {
        let pairs = [
            (Solved(4.0), Solved(2.0)),
            (Solved(1.0), Beyond(9.0)),
            (Beyond(9.0), Solved(5.0)),
            (Beyond(9.0), Beyond(9.0)),
            (Solved(0.0), Solved(1.0)),
        ];
        let found = compare(&pairs);
        assert_eq!((found.ratios.as_slice(), found.only_first), (&[0.5][..], 1));
        assert_eq!((found.only_second, found.neither), (1, 1));
    }
}
