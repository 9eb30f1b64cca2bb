//! `tesuji learn evaluate`: how well strengths predict moves.

use super::games::MOST_BYTES;
use crate::arguments::LearnEvaluate;
use crate::command::{read_file, start};
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_agents::{AnyFeatures, AnyPosition};
use tesuji_core::{FeatureSet, Gammas, Teams};
use tesuji_learn::bradley::archive::{Archive, PlayedGame};
use tesuji_learn::bradley::contests::{Contests, Quality};

/// Games on file with what is needed to learn from them.
pub(super) struct Material {
    pub(super) archive: Archive,
    start: Box<dyn AnyPosition>,
    pub(super) features: Box<dyn AnyFeatures>,
}

impl Material {
    /// Reads a file of games for a set of features.
    pub(super) fn read(path: &str, set: FeatureSet) -> Result<Material, Failure> {
        let bytes = read_file(path, MOST_BYTES)?;
        let archive = Archive::read(&bytes).map_err(|error| Failure::input(format!("{path}: {error}")))?;
        let start = start(&archive.origin.game)?.position;
        let features = start.features(set).ok_or_else(|| {
            Failure::input(format!("{}: states no features of moves; go, hex and gomoku do", archive.origin.game))
        })?;
        Ok(Material { archive, start, features })
    }

    /// The positions of these games as contests, without random openings.
    pub(super) fn contests<'a>(&self, games: impl Iterator<Item = &'a PlayedGame>) -> Result<Contests, Failure> {
        let mut contests = Contests::default();
        let mut teams = Teams::default();
        for game in games {
            let mut position = self.start.boxed_clone();
            for (ply, action) in game.moves.iter().enumerate() {
                let action = usize::from(*action);
                if ply >= usize::from(game.opening) {
                    let legal = position.legal_actions();
                    let wrong = || Failure::input(format!("game {}: move {} is not legal", game.number, ply + 1));
                    let winner = legal.binary_search(&action).map_err(|_| wrong())?;
                    teams.clear();
                    self.features.list(position.as_ref(), &legal, &mut teams);
                    contests.add(&teams, winner);
                }
                if !position.play_action(action) {
                    return Err(Failure::input(format!("game {}: move {} is not legal", game.number, ply + 1)));
                }
            }
        }
        Ok(contests)
    }
}

/// Quality, as it is printed.
#[derive(Clone, Copy, Serialize)]
pub(super) struct QualityRow {
    pub(super) positions: usize,
    pub(super) log_evidence: f64,
    pub(super) log_evidence_of_uniform: f64,
    pub(super) top_1: f64,
    pub(super) top_5: f64,
}

impl From<Quality> for QualityRow {
    fn from(quality: Quality) -> QualityRow {
        QualityRow {
            positions: quality.contests,
            log_evidence: quality.log_evidence,
            log_evidence_of_uniform: quality.uniform,
            top_1: quality.first,
            top_5: quality.first_five,
        }
    }
}

impl QualityRow {
    pub(super) fn in_words(self) -> String {
        format!(
            "{} positions: log-evidence {:.3} a move ({:.3} if all moves are equal), top 1 {:.1} %, top 5 {:.1} %",
            output::thousands(self.positions as u64),
            self.log_evidence,
            self.log_evidence_of_uniform,
            100.0 * self.top_1,
            100.0 * self.top_5,
        )
    }
}

#[derive(Serialize)]
struct Answer {
    game: String,
    features: &'static str,
    strengths: usize,
    note: String,
    held_out_only: bool,
    games: usize,
    quality: QualityRow,
}

/// Measures and prints.
pub fn run(arguments: &LearnEvaluate, json: bool) -> Result<(), Failure> {
    let set = FeatureSet::from(arguments.set);
    let material = Material::read(&arguments.games, set)?;
    let gammas =
        match &arguments.weights {
            Some(path) => {
                let bytes = read_file(path, 16 << 20)?;
                let read = Gammas::read_for(material.features.name(), &bytes);
                read.map_err(|error| Failure::input(format!("{path}: {error}")))?
            }
            None => material.start.learned_gammas(set).cloned().ok_or_else(|| {
                Failure::input("no learned patterns are built in for this game; --weights names a file")
            })?,
        };
    let games: Vec<&PlayedGame> =
        material.archive.games.iter().filter(|game| arguments.all || game.is_held_out()).collect();
    let contests = material.contests(games.iter().copied())?;
    if contests.is_empty() {
        return Err(Failure::input(format!(
            "{}: has no games to measure on; --all takes those that fits use",
            arguments.games
        )));
    }
    let answer = Answer {
        game: material.archive.origin.game.clone(),
        features: material.features.name(),
        strengths: gammas.len(),
        note: gammas.note().to_string(),
        held_out_only: !arguments.all,
        games: games.len(),
        quality: contests.judge(&gammas).into(),
    };
    if json {
        output::print_json(&answer);
    } else {
        output::print(&format!(
            "{}, features {}, {} strengths ({})\n{} games, {}",
            answer.game,
            answer.features,
            output::thousands(answer.strengths as u64),
            answer.note,
            answer.games,
            answer.quality.in_words()
        ));
    }
    Ok(())
}
