//! The positions of an experiment.
//!
//! ```toml
//! [[setup.positions]]
//! name = "8×8"
//! game = "pgame(branching=8,depth=8,seed={i})"   # {i} counts from `from` (1 if not said)
//! count = 200
//! moves = "a1 b2"                                # played first
//! random-plies = 44                              # then random ones, by the seed
//! right = ["c3", "d4"]                           # the moves that are right, where that is asked
//! ```

use crate::plan::Problem;
use crate::tasks::position::Begun;
use serde::Deserialize;
use tesuji_agents::Access;
use tesuji_core::Seed;
use toml::Spanned;

/// Most positions of one entry.
const MOST: u64 = 100_000;

/// Positions as files state them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PositionText {
    name: Spanned<String>,
    game: Spanned<String>,
    moves: Option<Spanned<String>>,
    random_plies: Option<u32>,
    count: Option<Spanned<u64>>,
    from: Option<u64>,
    #[serde(default)]
    right: Vec<Spanned<String>>,
}

/// Positions that are reported together.
#[derive(Clone)]
pub struct Group {
    /// Its name in labels and reports.
    pub name: String,
    /// The moves that are right.
    pub right: Vec<String>,
    texts: PositionText,
    seed: Seed,
}

/// One position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Its number in the group, from 0.
    pub number: u64,
    /// The canonical game.
    pub game: String,
    /// The moves before it.
    pub moves: Vec<String>,
}

/// Reads positions; the first of each group is made, to be checked.
///
/// # Errors
/// If a game does not exist, a move is not legal, or the game has ended.
pub fn read(texts: Vec<PositionText>, seed: u64, access: &Access) -> Result<Vec<(Group, Begun)>, Problem> {
    let mut all: Vec<(Group, Begun)> = Vec::new();
    for (index, text) in texts.into_iter().enumerate() {
        let name = text.name.get_ref().clone();
        if all.iter().any(|(group, _)| group.name == name) {
            return Err(Problem::at(&text.name, format!("two positions are named \"{name}\"")));
        }
        if let Some(count) = text.count.as_ref().filter(|count| !(1..=MOST).contains(count.get_ref())) {
            return Err(Problem::at(count, format!("count must be from 1 to {MOST}")));
        }
        let group = Group {
            name,
            right: text.right.iter().map(|mv| mv.get_ref().clone()).collect(),
            seed: Seed(seed).derive(2_000_000_011).derive(index as u64),
            texts: text,
        };
        let texts = &group.texts;
        let first = group.begun(0, access).map_err(|(span, what)| Problem { span, what })?;
        if first.position.outcome().is_some() {
            return Err(Problem::at(&texts.game, "the game has ended"));
        }
        for mv in &texts.right {
            first.position.boxed_clone().play(mv.get_ref()).map_err(|error| Problem::at(mv, error))?;
        }
        let counts = group.count() > 1;
        let differ = texts.game.get_ref().contains("{i}") || texts.random_plies.is_some_and(|plies| plies > 0);
        if counts && !differ {
            return Err(Problem::at(
                &texts.game,
                "count needs {i} in the game, or random-plies: all would be the same",
            ));
        }
        all.push((group, first));
    }
    Ok(all)
}

impl Group {
    /// How many positions there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.texts.count.as_ref().map_or(1, |count| *count.get_ref())
    }

    fn begun(&self, number: u64, access: &Access) -> Result<Begun, (std::ops::Range<usize>, String)> {
        let PositionText { game, moves, random_plies, from, .. } = &self.texts;
        let text = game.get_ref().replace("{i}", &(from.unwrap_or(1) + number).to_string());
        let list = |moves: &Spanned<String>| moves.get_ref().split_whitespace().map(String::from).collect();
        let played: Vec<String> = moves.as_ref().map(list).unwrap_or_default();
        let start = Begun::new(&text, &[], access).map_err(|error| (game.span(), error))?;
        let begun = Begun::new(&text, &played, access)
            .map_err(|error| (moves.as_ref().map_or(game.span(), Spanned::span), error))?;
        drop(start);
        match random_plies {
            None | Some(0) => Ok(begun),
            Some(plies) => {
                begun.after_random_plies(*plies, self.seed.derive(number)).map_err(|error| (game.span(), error))
            }
        }
    }

    /// All positions.
    ///
    /// # Errors
    /// If one cannot be made.
    pub fn cases(&self, access: &Access) -> Result<Vec<Case>, String> {
        let case = |number| {
            let begun = self.begun(number, access).map_err(|(_, what)| format!("position {}: {what}", self.name))?;
            Ok(Case { number, game: begun.game.to_string(), moves: begun.moves })
        };
        (0..self.count()).map(case).collect()
    }
}
