//! One game between two agents.

use super::Void;
use super::limits::Limits;
use super::position::Begun;
use serde::{Deserialize, Serialize};
use tesuji_agents::{Access, AnyAgent, AnyPosition};
use tesuji_core::{Budget, NoObserver, Player, Report, Seed, StopFlag};
use tesuji_search::SearchError;

/// A game longer than this is void: the rules of no game allow it.
const LONGEST: usize = 100_000;

/// A side of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// The agent's canonical text.
    pub agent: String,
    /// The limits of each of its moves.
    pub limits: Limits,
}

/// Two agents, where they begin, and the seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTask {
    /// The canonical game.
    pub game: String,
    /// Moves before the agents begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The side that moves first after the opening.
    pub first: Side,
    /// The other side.
    pub second: Side,
    /// The seed of both.
    pub seed: u64,
    /// When a game ends before its rules say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicate: Option<Adjudication>,
    /// Whether the result has each move's value, iterations and time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trace: bool,
}

/// When a game is ended by agreement of the agents' own values, or by its length. What is missing
/// ends no game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Adjudication {
    /// A side loses when both agents value its game below this, in [0, 0.5), for `moves` moves each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign_below: Option<f64>,
    /// A game is drawn when both agents value it within this of ½ for `moves` moves each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_within: Option<f64>,
    /// Moves in a row of each side; 3 if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// A game of this number of plies after the opening is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_after: Option<u32>,
}

impl Adjudication {
    /// Checks the thresholds.
    ///
    /// # Errors
    /// What is out of range.
    pub fn check(&self) -> Result<(), String> {
        let is_share = |share: &Option<f64>| share.is_none_or(|share| (0.0..0.5).contains(&share));
        if !is_share(&self.resign_below) || !is_share(&self.draw_within) {
            return Err("resign-below and draw-within lie in [0, 0.5)".into());
        }
        if self.moves == Some(0) || self.draw_after == Some(0) {
            return Err("moves and draw-after are at least 1".into());
        }
        Ok(())
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By the rules of the game.
    Rules,
    /// An agent resigned.
    Resigned,
    /// By adjudication.
    Adjudicated,
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The score of the side that moved first after the opening, in [0, 1].
    pub score: f64,
    /// How it ended.
    pub end: End,
    /// The moves after the opening, separated by blanks.
    pub moves: String,
    /// What each move was, for the tables of single moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<MoveTrace>,
}

/// One move of a traced game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveTrace {
    /// Whether the side that moved first after the opening made it.
    pub by_first: bool,
    /// The agent's value of its own game.
    pub value: f64,
    /// The iterations of its search.
    pub iterations: u64,
    /// The stones of the first and the second player afterwards, in games that have stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stones: Option<[usize; 2]>,
    /// The time of its search.
    pub seconds: f64,
}

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoResult {
    /// An agent failed; the game counts for no side.
    #[error("{}", .0.why)]
    Void(Void),
    /// An agent does not play this game with these limits: it said so before its first move.
    #[error("{}", .0.why)]
    Refused(Void),
    /// The stop flag was thrown.
    #[error("stopped")]
    Stopped,
}

/// Two agents at a board. They stay for many games, so that an external engine is started once.
pub struct Players {
    /// The agents.
    pub agents: [Box<dyn AnyAgent>; 2],
    /// The limits of each of their moves.
    pub budgets: [Budget; 2],
}

/// How a game is played, apart from who plays.
pub struct Conduct<'a> {
    /// Whether the second of the [`Players`] moves first.
    pub swapped: bool,
    /// The seed.
    pub seed: Seed,
    /// When a game ends before its rules say so.
    pub adjudicate: Option<Adjudication>,
    /// Whether each move is noted.
    pub trace: bool,
    /// Thrown to end the game without a result.
    pub stop: &'a StopFlag,
}

impl GameTask {
    /// Plays the game.
    ///
    /// # Errors
    /// Why it is void.
    pub fn run(&self, access: &Access) -> Result<GameResult, Void> {
        let begun = Begun::new(&self.game, &self.opening, access)?;
        if begun.position.outcome().is_some() {
            return Err(Void::from("the game has ended before it began".to_string()));
        }
        let stop = StopFlag::new();
        let mut players = Players {
            agents: [
                begun.agent(&self.first.agent, &self.first.limits, access)?,
                begun.agent(&self.second.agent, &self.second.limits, access)?,
            ],
            budgets: [self.first.limits.budget(&stop)?, self.second.limits.budget(&stop)?],
        };
        let conduct = Conduct {
            swapped: false,
            seed: Seed(self.seed),
            adjudicate: self.adjudicate,
            trace: self.trace,
            stop: &stop,
        };
        players.play(&begun, &conduct, &mut |_| {}).map_err(|error| match error {
            NoResult::Void(void) | NoResult::Refused(void) => void,
            NoResult::Stopped => Void::from(NoResult::Stopped.to_string()),
        })
    }
}

impl Players {
    /// Plays a game from where it has begun; `each_move` is told the plies played before each move.
    ///
    /// # Errors
    /// Why it has no result.
    pub fn play(
        &mut self,
        begun: &Begun,
        conduct: &Conduct<'_>,
        each_move: &mut dyn FnMut(usize),
    ) -> Result<GameResult, NoResult> {
        let void = |agent: &dyn AnyAgent, error: SearchError, has_moved: bool| {
            let refuses = !has_moved && matches!(error, SearchError::Unsupported(_));
            let void = Void { why: error.to_string(), transcript: agent.transcript() };
            if refuses { NoResult::Refused(void) } else { NoResult::Void(void) }
        };
        let simply = |why: String| NoResult::Void(Void::from(why));
        let mut position = begun.position.boxed_clone();
        let opener = position.turn();
        for agent in &mut self.agents {
            let begins = agent.begin(begun.start.as_ref(), &begun.moves);
            begins.map_err(|error| void(agent.as_ref(), error, false))?;
        }
        let mut moved = [false; 2];
        let mut record = Record { opener, moves: Vec::new(), trace: Vec::new() };
        let mut judge = Judge::new(conduct.adjudicate.unwrap_or_default());
        for ply in 0..LONGEST {
            if let Some(outcome) = position.outcome() {
                return Ok(record.ended(outcome.score.for_player(opener).to_f64(), End::Rules));
            }
            let to_move = position.turn();
            if let Some(score) = judge.verdict(ply) {
                return Ok(record.ended(score, End::Adjudicated));
            }
            each_move(ply);
            let side = usize::from((to_move == opener) == conduct.swapped);
            let seed = conduct.seed.derive(ply as u64);
            let thought = self.agents[side].think(position.as_ref(), &self.budgets[side], seed, &mut NoObserver);
            if conduct.stop.is_stopped() {
                return Err(NoResult::Stopped);
            }
            let report = thought.map_err(|error| void(self.agents[side].as_ref(), error, moved[side]))?;
            moved[side] = true;
            if report.resigns {
                return Ok(record.ended(if to_move == opener { 0.0 } else { 1.0 }, End::Resigned));
            }
            let Some(best) = report.best.clone() else {
                return Err(simply("an agent found no move".into()));
            };
            position.play(&best).map_err(|error| simply(error.to_string()))?;
            for agent in &mut self.agents {
                agent.follow(to_move, &best).map_err(|error| void(agent.as_ref(), error, true))?;
            }
            judge.see(to_move == opener, report.value.for_player(opener));
            record.add(to_move, &best, conduct.trace.then_some((&report, position.as_ref())));
        }
        Err(simply(format!("no end after {LONGEST} plies")))
    }
}

/// What was played so far.
struct Record {
    opener: Player,
    moves: Vec<String>,
    trace: Vec<MoveTrace>,
}

impl Record {
    fn add(&mut self, player: Player, mv: &str, traced: Option<(&Report<String>, &dyn AnyPosition)>) {
        self.moves.push(mv.to_string());
        if let Some((report, after)) = traced {
            self.trace.push(MoveTrace {
                by_first: player == self.opener,
                value: report.value.for_player(player),
                iterations: report.iterations,
                stones: after.stones().map(|stones| stones.map(|points| points.len())),
                seconds: report.elapsed.as_secs_f64(),
            });
        }
    }

    fn ended(self, score: f64, end: End) -> GameResult {
        GameResult { score, end, moves: self.moves.join(" "), trace: self.trace }
    }
}

/// Keeps the last values of both sides.
struct Judge {
    rules: Adjudication,
    /// Moves in a row of each side that saw the opener lost, the opener won, and the game drawn.
    in_a_row: [[u32; 3]; 2],
}

impl Judge {
    const USUAL_MOVES: u32 = 3;

    fn new(rules: Adjudication) -> Judge {
        Judge { rules, in_a_row: [[0; 3]; 2] }
    }

    /// A side moved and valued the opener's game.
    fn see(&mut self, by_opener: bool, value: f64) {
        let Adjudication { resign_below, draw_within, .. } = self.rules;
        let seen = [
            resign_below.is_some_and(|below| value < below),
            resign_below.is_some_and(|below| value > 1.0 - below),
            draw_within.is_some_and(|within| (value - 0.5).abs() <= within),
        ];
        let side = &mut self.in_a_row[usize::from(!by_opener)];
        for (count, seen) in side.iter_mut().zip(seen) {
            *count = if seen { *count + 1 } else { 0 };
        }
    }

    /// The opener's score, if the game is decided after this number of plies.
    fn verdict(&self, plies: usize) -> Option<f64> {
        let least = self.rules.moves.unwrap_or(Self::USUAL_MOVES);
        let agreed = |what: usize| self.in_a_row.iter().all(|side| side[what] >= least);
        if agreed(0) {
            Some(0.0)
        } else if agreed(1) {
            Some(1.0)
        } else if agreed(2) || self.rules.draw_after.is_some_and(|most| plies >= most as usize) {
            Some(0.5)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Adjudication, Judge};

    #[test]
    fn a_game_is_decided_when_both_sides_agree() {
        let rules = Adjudication { resign_below: Some(0.05), moves: Some(2), ..Adjudication::default() };
        let mut judge = Judge::new(rules);
        for _ in 0..5 {
            judge.see(true, 0.01);
        }
        assert_eq!(judge.verdict(10), None, "the other side has not agreed");
        judge.see(false, 0.02);
        judge.see(false, 0.2);
        judge.see(false, 0.02);
        assert_eq!(judge.verdict(10), None, "not twice in a row");
        judge.see(false, 0.02);
        assert_eq!(judge.verdict(10), Some(0.0));
        let mut drawn = Judge::new(Adjudication { draw_within: Some(0.01), ..Adjudication::default() });
        for _ in 0..3 {
            assert_eq!(drawn.verdict(0), None);
            drawn.see(true, 0.5);
            drawn.see(false, 0.509);
        }
        assert_eq!(drawn.verdict(0), Some(0.5));
        let long = Judge::new(Adjudication { draw_after: Some(7), ..Adjudication::default() });
        assert_eq!((long.verdict(6), long.verdict(7)), (None, Some(0.5)));
    }
}
