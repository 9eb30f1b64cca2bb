//! `tesuji match` with more than two agents: all pairings, and ratings.

use super::matches::{MatchResult, listed};
use crate::names;
use crate::output;
use serde::Serialize;
use tesuji_lab::statistics::Confidence;
use tesuji_lab::statistics::bradley_terry::Pool;

/// All pairings of more than two agents.
#[derive(Serialize)]
pub struct Tournament {
    game: String,
    /// Whether all games of all pairings were played.
    complete: bool,
    pairings: Vec<MatchResult>,
    /// Agents with their Elo ratings, relative to the mean, with 95 % confidence intervals: the
    /// best first.
    ratings: Vec<(String, [f64; 3])>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_ratings: Option<String>,
}

impl Tournament {
    /// Rates agents by their pairings: the first with the second, with the third and so on, then the
    /// second with the third; the last ones may be missing.
    pub fn new(game: String, names: Vec<String>, pairings: Vec<MatchResult>) -> Tournament {
        let count = names.len();
        let mut pool = Pool::new(names);
        let places = (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other]));
        for (place, result) in places.zip(&pairings) {
            pool.add(place, [result.first_wins, result.draws, result.second_wins]);
        }
        let complete = pairings.len() == count * (count - 1) / 2 && pairings.iter().all(|result| result.complete);
        let (ratings, no_ratings) = match pool.ratings() {
            Ok(ratings) => {
                let rated =
                    |player: usize| (pool.names()[player].clone(), listed(ratings.rating(player, Confidence::P95)));
                (ratings.ranking().into_iter().map(rated).collect(), None)
            }
            Err(why) => (Vec::new(), Some(why.to_string())),
        };
        Tournament { game, complete, pairings, ratings, no_ratings }
    }

    /// Prints it.
    pub fn print(&self, json: bool) {
        if json {
            output::print_json(self);
        } else {
            output::print(&self.in_words());
        }
    }

    fn in_words(&self) -> String {
        let row = |result: &MatchResult| {
            let counts = [result.games, result.first_wins, result.draws, result.second_wins, result.void];
            let mut row = [&result.first, &result.second].map(|agent| names::agent(agent)).to_vec();
            row.extend(counts.map(|count| count.to_string()));
            row
        };
        let rows: Vec<Vec<String>> = self.pairings.iter().map(row).collect();
        let head = ["first", "second", "games", "won", "drawn", "lost", "void"];
        let mut text = format!("{}\n{}", names::title(&self.game), output::table(&head, &rows));
        match &self.no_ratings {
            Some(why) => text += &format!("\n{}", output::wrapped(&format!("no ratings: {why}"), 0, 4)),
            None => {
                let row = |(name, [elo, low, high]): &(String, [f64; 3])| {
                    vec![names::agent(name), format!("{elo:+.0}"), format!("{low:+.0} to {high:+.0}")]
                };
                let rows: Vec<Vec<String>> = self.ratings.iter().map(row).collect();
                text += &format!("\n\n{}", output::table(&["agent", "Elo", "95 %"], &rows));
            }
        }
        if !self.complete {
            text += "\ninterrupted: not all games were played";
        }
        text
    }
}
