//! Our statistics beside those of scipy, statsmodels and choix on random inputs: to 1e-9 where they
//! are exact, within the error of simulation elsewhere.

use tesuji_core::{Rng, Seed};
use tesuji_lab::statistics::bradley_terry::Pool;
use tesuji_lab::statistics::holm::holm;
use tesuji_lab::statistics::mcnemar::mcnemar;
use tesuji_lab::statistics::paired_t::paired_t;
use tesuji_lab::statistics::pairs::Pairs;
use tesuji_lab::statistics::power_law::PowerLaw;
use tesuji_lab::statistics::sample::Sample;
use tesuji_lab::statistics::sprt::{Scale, Sprt};
use tesuji_lab::statistics::wilcoxon::signed_rank;
use tesuji_lab::statistics::{Confidence, bootstrap, wilson};
use tesuji_testing::judge::Judge;
use tesuji_testing::{Known, parse};

const JUDGE: Judge = Judge { module: "scipy_statistics", library: "scipy, statsmodels, choix" };
const P95: Confidence = Confidence::P95;

/// Questions with our answers.
#[derive(Default)]
struct Cases {
    questions: Vec<String>,
    ours: Vec<Vec<f64>>,
}

impl Cases {
    fn add(&mut self, question: String, ours: Vec<f64>) {
        self.questions.push(question);
        self.ours.push(ours);
    }

    /// The judge's answers, each with its question and ours.
    fn judged(&self) -> Vec<(&String, &Vec<f64>, Vec<f64>)> {
        let answers = JUDGE.answers(&self.questions).unwrap_or_default();
        let numbers = |answer: String| -> Vec<f64> {
            let answer = parse(&answer);
            answer.list().iter().map(|number| number.as_f64().expect("a number")).collect()
        };
        let answers = answers.into_iter().map(numbers);
        self.questions
            .iter()
            .zip(&self.ours)
            .zip(answers)
            .map(|((asked, ours), theirs)| (asked, ours, theirs))
            .collect()
    }

    /// Compares to 1e-9, relative for numbers above 1; small p-values also to 1e-6 of themselves.
    fn compare(&self) {
        for (asked, ours, theirs) in self.judged() {
            assert_eq!(ours.len(), theirs.len(), "{asked}");
            for (mine, other) in ours.iter().zip(&theirs) {
                let close = (mine - other).abs() <= (1e-9 * other.abs().max(1.0)).min(1e-6 * other.abs() + 1e-13);
                assert!(close, "{asked}: {ours:?}, not {theirs:?}");
            }
        }
    }
}

fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

#[test]
fn shares_and_quantiles() {
    let (mut rng, mut cases) = (Rng::new(Seed(1)), Cases::default());
    for _ in 0..60 {
        let trials = 1 + u64::from(rng.below(3_000));
        let successes = u64::from(rng.below(trials as u32 + 1));
        let level = 0.5 + 0.499 * rng.unit();
        let confidence = Confidence::new(level).expect("a level");
        let found = wilson::of_successes(successes, trials, confidence).expect("trials");
        cases.add(
            format!(r#"{{"ask": "wilson", "successes": {successes}, "trials": {trials}, "level": {level}}}"#),
            vec![found.low, found.high],
        );
        let freedom = 1 + u64::from(rng.below(200));
        cases.add(
            format!(r#"{{"ask": "reach", "level": {level}, "freedom": {freedom}}}"#),
            vec![confidence.normal_reach(), confidence.student_reach(freedom)],
        );
        let numbers: Vec<f64> = (0..=rng.below(30)).map(|_| f64::from(rng.below(40)) / 8.0).collect();
        let places: Vec<f64> = (0..5).map(|_| rng.unit()).collect();
        let sample = Sample::new(numbers.clone()).expect("numbers");
        cases.add(
            format!(r#"{{"ask": "quantiles", "numbers": {numbers:?}, "places": {places:?}}}"#),
            places.iter().map(|place| sample.quantile(*place)).collect(),
        );
        let (values, shares): (Vec<f64>, Vec<f64>) = sample.distribution().into_iter().unzip();
        cases.add(format!(r#"{{"ask": "distribution", "numbers": {numbers:?}}}"#), [values, shares].concat());
    }
    cases.compare();
}

#[test]
fn tests_of_differences() {
    let (mut rng, mut cases) = (Rng::new(Seed(2)), Cases::default());
    for round in 0..40 {
        let count = 2 + rng.below(80);
        let shift = rng.unit() - 0.5;
        let differences: Vec<f64> = (0..count).map(|_| normal(&mut rng) + shift).collect();
        let found = paired_t(&differences, P95).expect("differences");
        cases.add(
            format!(r#"{{"ask": "paired_t", "differences": {differences:?}, "level": 0.95}}"#),
            vec![found.t, found.p_value, found.difference.low, found.difference.high],
        );
        let method = if count <= 50 { "exact" } else { "approx" };
        cases.add(
            format!(r#"{{"ask": "wilcoxon", "differences": {differences:?}, "method": "{method}"}}"#),
            vec![signed_rank(&differences).expect("numbers").p_value],
        );
        // Ties and zeros: all signs of few differences, and the normal approximation of many.
        let (count, method) = if round % 2 == 0 { (3 + rng.below(9), "permutations") } else { (90, "approx") };
        let mut tied: Vec<f64> = (0..count).map(|_| f64::from(rng.below(9)) - 3.0).collect();
        tied[0] = 1.0;
        cases.add(
            format!(r#"{{"ask": "wilcoxon", "differences": {tied:?}, "method": "{method}"}}"#),
            vec![signed_rank(&tied).expect("numbers").p_value],
        );
        let (first, second) = (u64::from(rng.below(60)), u64::from(rng.below(60)));
        cases.add(
            format!(r#"{{"ask": "mcnemar_exact", "first": {first}, "second": {second}}}"#),
            vec![mcnemar(first, second, P95).p_value],
        );
        let p_values: Vec<f64> = (0..=rng.below(20)).map(|_| rng.unit().powi(3)).collect();
        cases.add(format!(r#"{{"ask": "holm", "p_values": {p_values:?}}}"#), holm(&p_values));
    }
    cases.compare();
}

#[test]
fn matches_and_pools() {
    let (mut rng, mut cases) = (Rng::new(Seed(3)), Cases::default());
    for _ in 0..25 {
        let counts: [u64; 5] = std::array::from_fn(|_| 1 + u64::from(rng.below(60)));
        cases.add(
            format!(r#"{{"ask": "superiority", "counts": {counts:?}}}"#),
            vec![Pairs::of_counts(counts).superiority().expect("pairs")],
        );
        let hypotheses = [f64::from(rng.below(20)) - 10.0, 11.0 + f64::from(rng.below(60))];
        let test = Sprt::new(hypotheses, [0.05; 2], Scale::Logistic).expect("a test");
        let counts = counts.map(|count| if count < 10 { 0 } else { count });
        cases.add(
            format!(r#"{{"ask": "sprt", "counts": {counts:?}, "hypotheses": {hypotheses:?}}}"#),
            vec![test.ratio(counts)],
        );
        let players = 2 + rng.below(7) as usize;
        let mut pool = Pool::new((0..players).map(|player| player.to_string()).collect());
        let mut results = Vec::new();
        for one in 0..players {
            for other in one + 1..players {
                // Neighbours have met and taken points from each other, others perhaps.
                let least = u64::from(other == one + 1);
                let games = [0; 3].map(|_| least + u64::from(rng.below(25)));
                if least == 1 || rng.below(2) == 0 {
                    pool.add([one, other], games);
                    results.push(vec![one as u64, other as u64, games[0], games[1], games[2]]);
                }
            }
        }
        results.retain(|result| result[2..].iter().sum::<u64>() > 0);
        let ratings = pool.ratings().expect("comparable");
        let found = (0..players).map(|player| ratings.rating(player, P95));
        let (middles, reaches): (Vec<f64>, Vec<f64>) =
            found.map(|rating| (rating.estimate, rating.high - rating.estimate)).unzip();
        cases.add(
            format!(r#"{{"ask": "bradley_terry", "players": {players}, "results": {results:?}, "level": 0.95}}"#),
            [middles, reaches].concat(),
        );
    }
    cases.compare();
}

#[test]
fn fits() {
    let (mut rng, mut cases) = (Rng::new(Seed(4)), Cases::default());
    for _ in 0..30 {
        let exponent = 3.0 * rng.unit();
        let points: Vec<[f64; 2]> =
            (5..=25).map(|n| [f64::from(n), f64::from(n).powf(exponent) * (0.1 * normal(&mut rng)).exp()]).collect();
        let pairs: Vec<(f64, f64)> = points.iter().map(|[x, y]| (*x, *y)).collect();
        let law = PowerLaw::fit(&pairs).expect("a law");
        let reach = law.exponent.high - law.exponent.estimate;
        cases.add(
            format!(r#"{{"ask": "power_law", "points": {points:?}}}"#),
            vec![law.exponent.estimate, law.factor, law.r_squared, reach],
        );
    }
    cases.compare();
}

/// Both ends lie within five standard deviations of scipy's, which resamples by its own generator.
#[test]
fn bootstrap_intervals() {
    let (mut rng, mut cases) = (Rng::new(Seed(5)), Cases::default());
    for _ in 0..6 {
        let ratios: Vec<f64> = (0..40).map(|_| (0.2 + 0.9 * normal(&mut rng)).exp()).collect();
        let found = bootstrap::geometric_mean(&ratios, 20_000, Seed(1), P95).expect("ratios");
        cases.add(
            format!(r#"{{"ask": "bootstrap", "ratios": {ratios:?}, "level": 0.95}}"#),
            vec![found.low.ln(), found.high.ln()],
        );
    }
    for (asked, ours, theirs) in cases.judged() {
        let (ends, deviations) = theirs.split_at(2);
        for ((mine, other), deviation) in ours.iter().zip(ends).zip(deviations) {
            // Five runs know their own deviation poorly; that of 4,000 draws here is about 0.005.
            let allowed = 5.0 * deviation.clamp(0.003, 0.01);
            assert!((mine - other).abs() < allowed, "{asked}: {ours:?}, not {theirs:?}");
        }
    }
}
