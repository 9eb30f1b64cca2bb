//! Positions as contests: each legal move is a team of features, and the team of the move that was
//! played has won.
//!
//! Many moves of a position have the same features (empty points far from everything), so equal
//! teams are kept once, with their number.

use std::collections::HashMap;
use tesuji_core::{Feature, Gammas, Teams};

/// Contests between teams of features, features numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Contests {
    pub(super) features: Vec<Feature>,
    numbers: HashMap<Feature, u32>,
    /// In how many contests a feature took part.
    appearances: Vec<u32>,
    /// The members of all teams.
    members: Vec<u32>,
    /// Where each team ends in `members`.
    team_ends: Vec<u32>,
    /// How many moves have this team.
    pub(super) counts: Vec<u16>,
    /// Where each contest ends in `team_ends`.
    contest_ends: Vec<u32>,
    /// The team that won each contest.
    pub(super) winners: Vec<u32>,
}

impl Contests {
    /// Adds a contest that team number `winner` has won. A contest of one team says nothing and is
    /// left out.
    ///
    /// # Panics
    /// If there is no such team.
    pub fn add(&mut self, teams: &Teams, winner: usize) {
        assert!(winner < teams.len(), "team {winner} of {}", teams.len());
        if teams.len() < 2 {
            return;
        }
        let contest = self.contest_ends.len() as u32;
        let mut known: HashMap<&[Feature], u32> = HashMap::new();
        for (number, team) in teams.iter().enumerate() {
            let next = self.team_ends.len() as u32;
            let place = *known.entry(team).or_insert(next);
            if place == next {
                for feature in team {
                    let number = *self.numbers.entry(*feature).or_insert(self.features.len() as u32);
                    if number as usize == self.features.len() {
                        self.features.push(*feature);
                        self.appearances.push(0);
                    }
                    self.members.push(number);
                }
                self.team_ends.push(self.members.len() as u32);
                self.counts.push(1);
            } else {
                self.counts[place as usize] = self.counts[place as usize].saturating_add(1);
            }
            if number == winner {
                self.winners.push(place);
            }
        }
        let from = self.contest_ends.last().map_or(0, |end| *end as usize);
        self.contest_ends.push(self.team_ends.len() as u32);
        // Each feature of the contest once.
        let start = if from == 0 { 0 } else { self.team_ends[from - 1] as usize };
        let mut seen: Vec<u32> = self.members[start..].to_vec();
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter().for_each(|number| self.appearances[number as usize] += 1);
        debug_assert_eq!(self.winners.len() as u32, contest + 1, "every contest has a winner");
    }

    /// The number of contests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contest_ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contest_ends.is_empty()
    }

    /// The features that took part, by their numbers.
    #[must_use]
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The teams of a contest, by number.
    #[inline]
    pub(super) fn teams(&self, contest: usize) -> std::ops::Range<usize> {
        let start = if contest == 0 { 0 } else { self.contest_ends[contest - 1] as usize };
        start..self.contest_ends[contest] as usize
    }

    /// The members of a team.
    #[inline]
    pub(super) fn members(&self, team: usize) -> &[u32] {
        let start = if team == 0 { 0 } else { self.team_ends[team - 1] as usize };
        &self.members[start..self.team_ends[team] as usize]
    }

    /// Whether a feature took part in at least so many contests.
    #[must_use]
    pub fn is_common(&self, feature: usize, least: u32) -> bool {
        self.appearances[feature] >= least
    }

    /// How well strengths explain the contests.
    #[must_use]
    pub fn judge(&self, gammas: &Gammas) -> Quality {
        let strengths: Vec<f64> = self.features.iter().map(|feature| gammas.gamma(*feature)).collect();
        self.judge_by(&strengths)
    }

    /// As [`judge`](Contests::judge), with strengths by the numbers of the features.
    #[must_use]
    pub fn judge_by(&self, strengths: &[f64]) -> Quality {
        let mut quality = Quality { contests: self.len(), ..Quality::default() };
        let strength =
            |team: usize| self.members(team).iter().map(|member| strengths[*member as usize]).product::<f64>();
        for contest in 0..self.len() {
            let winner = strength(self.winners[contest] as usize);
            let (mut sum, mut better, mut equal, mut moves) = (0.0, 0.0, 0.0, 0.0);
            for team in self.teams(contest) {
                let (own, count) = (strength(team), f64::from(self.counts[team]));
                sum += count * own;
                moves += count;
                if own > winner {
                    better += count;
                } else if own == winner {
                    equal += count;
                }
            }
            quality.log_evidence += libm::log(winner / sum);
            quality.uniform += -libm::log(moves);
            // Among equal moves the one that was played stands anywhere with the same probability.
            let within = |most: f64| ((most - better) / equal).clamp(0.0, 1.0);
            quality.first += within(1.0);
            quality.first_five += within(5.0);
        }
        let count = self.len().max(1) as f64;
        for sum in [&mut quality.log_evidence, &mut quality.uniform, &mut quality.first, &mut quality.first_five] {
            *sum /= count;
        }
        quality
    }
}

/// How well strengths explain moves that were played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Quality {
    /// Positions.
    pub contests: usize,
    /// The mean logarithm of the probability of the move that was played.
    pub log_evidence: f64,
    /// The same if all moves were equally likely.
    pub uniform: f64,
    /// The share of positions in which the strongest move was played.
    pub first: f64,
    /// The share of positions in which one of the five strongest was played.
    pub first_five: f64,
}
