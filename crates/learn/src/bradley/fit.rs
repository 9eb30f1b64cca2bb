//! Minorisation–maximisation: strengths of features that explain who won.
//!
//! **Model.** The strength of a team is the product of its members' γ, and a team wins a contest
//! with probability strength / sum of all strengths. The logarithm of the likelihood is concave in
//! log γ; with N contests, W_i those whose winner has feature i, E_j the sum of the strengths in
//! contest j, and C_ij the sum over teams with i of the strength of the other members,
//!
//! > γ_i ← (W_i + a) / (Σ_j C_ij / E_j + 2a / (γ_i + 1))
//!
//! never lowers it. All features of a group are updated together: a team has at most one of them,
//! so one pass over the contests serves a whole group. The prior is Coulom's: against a virtual
//! opponent of strength 1 each feature has won and lost `a` contests, which keeps the strengths of
//! rare features near 1 and of those that never won above 0.
//!
//! The best strengths are found up to a factor for each group that is in every team; the prior
//! decides it.
//!
//! References: Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007; Hunter, "MM
//! algorithms for generalized Bradley-Terry models", 2004.

use super::contests::Contests;
use tesuji_core::{Feature, GammaError, Gammas};

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The most rounds; each updates all groups.
    pub rounds: u32,
    /// It ends when a round raises the mean logarithm of the posterior by less than this.
    pub tolerance: f64,
    /// Virtual wins and losses of each feature: a.
    pub prior: f64,
    /// Features that took part in fewer contests keep strength 1.
    pub least: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { rounds: 100, tolerance: 1e-6, prior: 1.0, least: 5 }
    }
}

/// The strengths that explain the contests best, by the numbers of the features. `watch` sees the
/// strengths after each round, with the round's number from 1, and ends the fit with `false`.
pub fn fit(contests: &Contests, settings: &Settings, mut watch: impl FnMut(u32, &[f64]) -> bool) -> Vec<f64> {
    let count = contests.features().len();
    let mut gammas = vec![1.0; count];
    let fitted: Vec<bool> = (0..count).map(|number| contests.is_common(number, settings.least)).collect();
    let groups: Vec<usize> = contests.features().iter().map(|feature| feature.group()).collect();
    let group_count = groups.iter().max().map_or(0, |most| most + 1);
    let mut wins = vec![0.0; count];
    for winner in &contests.winners {
        contests.members(*winner as usize).iter().for_each(|member| wins[*member as usize] += 1.0);
    }
    let mut before = f64::NEG_INFINITY;
    let (mut opposition, mut own) = (vec![0.0; count], vec![0.0; count]);
    let mut touched: Vec<u32> = Vec::new();
    for round in 1..=settings.rounds {
        for group in 0..group_count {
            opposition.fill(0.0);
            for contest in 0..contests.len() {
                let mut sum = 0.0;
                for team in contests.teams(contest) {
                    let members = contests.members(team);
                    let strength: f64 = members.iter().map(|member| gammas[*member as usize]).product::<f64>()
                        * f64::from(contests.counts[team]);
                    sum += strength;
                    if let Some(&member) = members.iter().find(|member| groups[**member as usize] == group) {
                        if own[member as usize] == 0.0 {
                            touched.push(member);
                        }
                        own[member as usize] += strength / gammas[member as usize];
                    }
                }
                for member in touched.drain(..) {
                    opposition[member as usize] += own[member as usize] / sum;
                    own[member as usize] = 0.0;
                }
            }
            for number in (0..count).filter(|number| groups[*number] == group && fitted[*number]) {
                let virtual_opposition = 2.0 * settings.prior / (gammas[number] + 1.0);
                gammas[number] = (wins[number] + settings.prior) / (opposition[number] + virtual_opposition);
            }
        }
        let now = log_posterior(contests, &gammas, &fitted, settings.prior) / contests.len().max(1) as f64;
        if !watch(round, &gammas) || now - before < settings.tolerance {
            break;
        }
        before = now;
    }
    gammas
}

/// The logarithm of likelihood times prior, up to a constant.
fn log_posterior(contests: &Contests, gammas: &[f64], fitted: &[bool], prior: f64) -> f64 {
    let evidence = contests.judge_by(gammas).log_evidence * contests.len() as f64;
    let regular: f64 = gammas
        .iter()
        .zip(fitted)
        .filter(|(_, fitted)| **fitted)
        .map(|(gamma, _)| libm::log(gamma / ((gamma + 1.0) * (gamma + 1.0))))
        .sum();
    evidence + prior * regular
}

/// The strengths of the fitted features, to be written to a file.
///
/// # Errors
/// If a strength is out of range, which a fit without a prior may give.
pub fn to_gammas(
    contests: &Contests,
    strengths: &[f64],
    least: u32,
    name: &str,
    note: &str,
) -> Result<Gammas, GammaError> {
    let listed: Vec<(Feature, f64)> = contests
        .features()
        .iter()
        .zip(strengths)
        .enumerate()
        .filter(|(number, _)| contests.is_common(*number, least))
        .map(|(_, (feature, strength))| (*feature, *strength))
        .collect();
    Gammas::new(name, note, &listed)
}

#[cfg(test)]
mod tests {
    use super::{Settings, fit};
    use crate::bradley::contests::Contests;
    use tesuji_core::{Feature, Rng, Seed, Teams};

    /// Groups and keys.
    type Team = Vec<(u8, u32)>;

    fn teams(of: &[&[(u8, u32)]]) -> Teams {
        let mut teams = Teams::default();
        for team in of {
            team.iter().for_each(|(group, key)| teams.add(Feature::new(*group, *key)));
            teams.end();
        }
        teams
    }

    const FREE: Settings = Settings { rounds: 100_000, tolerance: 0.0, prior: 0.0, least: 0 };

    /// Wins of the row's team over the column's: the Eastern Division of the American League, 1987, and
    /// maximum-likelihood abilities relative to Baltimore, of Agresti, "Categorical Data Analysis" (2nd
    /// edition, 2002), Tables 10.10 and 10.11, column 3. The R package BradleyTerry2 (Turner & Firth 2012)
    /// has the games as `baseball`, and its test `test-baseball.R` the same abilities to two digits.
    #[test]
    fn baseball_as_published() {
        const WINS: [[u32; 7]; 7] = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        const PUBLISHED: [f64; 7] = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0];
        let mut contests = Contests::default();
        for (winner, row) in WINS.iter().enumerate() {
            for (loser, count) in row.iter().enumerate() {
                for _ in 0..*count {
                    contests.add(&teams(&[&[(0, winner as u32)], &[(0, loser as u32)]]), 0);
                }
            }
        }
        assert_eq!(contests.len(), 273, "13 games between each two teams");
        let settings = Settings { rounds: 2_000, tolerance: 1e-14, ..FREE };
        let gammas = fit(&contests, &settings, |_, _| true);
        let of = |team: u32| {
            let number = contests.features().iter().position(|feature| feature.key() == team).expect("it played");
            libm::log(gammas[number])
        };
        for (team, published) in PUBLISHED.iter().enumerate() {
            let found = of(team as u32) - of(6);
            assert!((found - published).abs() <= 0.005, "team {team}: {found} against {published}");
        }
    }

    /// Two sides: the ratio of strengths is the ratio of wins. With a prior of one win and one loss
    /// for both, 3 : 1 becomes the solution of the posterior's equations.
    #[test]
    fn two_sides_in_closed_form() {
        let mut contests = Contests::default();
        for winner in [0, 0, 0, 1] {
            contests.add(&teams(&[&[(0, 1)], &[(0, 2)]]), winner);
        }
        let gammas = fit(&contests, &FREE, |round, _| round < 50);
        assert!((gammas[0] / gammas[1] - 3.0).abs() < 1e-9, "{gammas:?}");
        // With the prior γ2 = 1/γ1 by symmetry. The derivative of the log-posterior by x = ln γ1, three
        // wins of four and one of two against strength 1, vanishes where bisection says.
        let settings = Settings { prior: 1.0, ..FREE };
        let gammas = fit(&contests, &settings, |round, _| round < 500);
        let slope = |x: f64| {
            let (one, other) = (libm::exp(x), libm::exp(-x));
            3.0 - 4.0 * one / (one + other) + 1.0 - 2.0 * one / (1.0 + one)
        };
        let (mut low, mut high) = (0.0, 3.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        assert!((libm::log(gammas[0]) - low).abs() < 1e-6, "{gammas:?} against {low}");
        assert!((gammas[0] * gammas[1] - 1.0).abs() < 1e-6, "{gammas:?}");
    }

    /// A second implementation: at the strengths that the fit found, the derivative of the
    /// log-posterior by each log γ, computed from the definition, vanishes. It is concave, so there
    /// is no other maximum.
    #[test]
    fn no_direction_leads_further_up() {
        let mut rng = Rng::new(Seed(4));
        let mut contests = Contests::default();
        let mut played: Vec<(Vec<Team>, usize)> = Vec::new();
        for _ in 0..300 {
            let count = 2 + rng.below(5) as usize;
            let side: Vec<Team> = (0..count)
                .map(|_| {
                    let mut team = vec![(0, rng.below(4))];
                    if rng.below(2) == 0 {
                        team.push((1, rng.below(3)));
                    }
                    if rng.below(3) == 0 {
                        team.push((2, 0));
                    }
                    team
                })
                .collect();
            let winner = rng.below(count as u32) as usize;
            contests.add(&teams(&side.iter().map(Vec::as_slice).collect::<Vec<_>>()), winner);
            played.push((side, winner));
        }
        let settings = Settings { rounds: 3_000, tolerance: 0.0, prior: 1.0, least: 0 };
        let mut last = f64::NEG_INFINITY;
        let gammas = fit(&contests, &settings, |_, _| true);
        let log_posterior = |logs: &[f64]| {
            let log = |feature: &(u8, u32)| {
                let feature = Feature::new(feature.0, feature.1);
                logs[contests.features().iter().position(|other| *other == feature).expect("known")]
            };
            let strength = |team: &Team| team.iter().map(log).sum::<f64>();
            let evidence: f64 = played
                .iter()
                .map(|(side, winner)| {
                    strength(&side[*winner]) - libm::log(side.iter().map(|team| libm::exp(strength(team))).sum())
                })
                .sum();
            evidence + logs.iter().map(|x| x - 2.0 * libm::log(1.0 + libm::exp(*x))).sum::<f64>()
        };
        let logs: Vec<f64> = gammas.iter().map(|gamma| libm::log(*gamma)).collect();
        for number in 0..logs.len() {
            let moved = |by: f64| {
                let mut logs = logs.clone();
                logs[number] += by;
                log_posterior(&logs)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!(slope.abs() < 1e-4, "{:?}: {slope}", contests.features()[number]);
        }
        // And each round is a step up.
        fit(&contests, &Settings { rounds: 40, ..settings }, |_, gammas| {
            let now = log_posterior(&gammas.iter().map(|gamma| libm::log(*gamma)).collect::<Vec<_>>());
            assert!(now >= last - 1e-9, "{now} after {last}");
            last = now;
            true
        });
    }

    #[test]
    fn rare_features_keep_strength_one() {
        let mut contests = Contests::default();
        for _ in 0..4 {
            contests.add(&teams(&[&[(0, 1)], &[(0, 2)]]), 0);
        }
        contests.add(&teams(&[&[(0, 3)], &[(0, 2)]]), 0);
        let gammas = fit(&contests, &Settings { least: 2, ..Settings::default() }, |_, _| true);
        assert!(gammas[0] > 1.0 && gammas[1] < 1.0 && gammas[2] == 1.0, "{gammas:?}");
    }

    #[test]
    fn quality_by_hand() {
        let mut contests = Contests::default();
        // Strengths 2, 1, 1 (twice the same team): P = ½; and the weaker one won: P = ¼.
        contests.add(&teams(&[&[(0, 1)], &[(0, 2)], &[(0, 2)]]), 0);
        contests.add(&teams(&[&[(0, 1)], &[(0, 2)], &[(0, 2)]]), 2);
        let quality = contests.judge_by(&[2.0, 1.0]);
        assert!((quality.log_evidence - (libm::log(0.5) + libm::log(0.25)) / 2.0).abs() < 1e-12);
        assert!((quality.uniform + libm::log(3.0)).abs() < 1e-12);
        assert_eq!((quality.first, quality.first_five), (0.5, 1.0));
        // All equal: a third each.
        let quality = contests.judge_by(&[1.0, 1.0]);
        assert!((quality.first - 1.0 / 3.0).abs() < 1e-12, "{}", quality.first);
    }
}
