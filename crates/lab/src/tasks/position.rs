//! Where a task begins: a game and moves.

use super::limits::Limits;
use tesuji_agents::{Access, AnyAgent, AnyPosition, agent_for, is_endless, random_opening, start_game_with};
use tesuji_core::Seed;
use tesuji_core::spec::Spec;

/// A game under way.
pub struct Begun {
    /// The canonical game.
    pub game: Spec,
    /// Its start.
    pub start: Box<dyn AnyPosition>,
    /// What was played, as the game writes it.
    pub moves: Vec<String>,
    /// Where that led.
    pub position: Box<dyn AnyPosition>,
}

impl Begun {
    /// A game after moves.
    ///
    /// # Errors
    /// If there is no such game, or a move is not legal.
    pub fn new(game: &str, moves: &[String], access: &Access) -> Result<Begun, String> {
        let spec: Spec = game.parse().map_err(|error| format!("the game {game}: {error}"))?;
        let started = start_game_with(&spec, access).map_err(|error| format!("the game {game}: {error}"))?;
        let position = started.position.boxed_clone();
        let mut begun = Begun { game: started.spec, start: started.position, moves: Vec::new(), position };
        for (number, text) in moves.iter().enumerate() {
            begun.play(text).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        Ok(begun)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let shown = self.position.play(text).map_err(|error| error.to_string())?;
        self.moves.push(shown);
        Ok(())
    }

    /// An agent for the game that has begun.
    ///
    /// # Errors
    /// If there is no such agent, it does not serve this game, or it would search for ever within
    /// these limits.
    pub fn agent(&self, text: &str, limits: &Limits, access: &Access) -> Result<Box<dyn AnyAgent>, String> {
        let spec: Spec = text.parse().map_err(|error| format!("the agent {text}: {error}"))?;
        let named = agent_for(&spec, self.position.as_ref()).map_err(|error| format!("the agent {text}: {error}"))?;
        if is_endless(&named) && !limits.ends() {
            return Err(format!(
                "the agent {text}: it would search for ever; a limit of iterations, nodes or time ends it"
            ));
        }
        self.position.agent_with(&named, access).map_err(|error| format!("the agent {text}: {error}"))
    }

    /// The same game after random plies more, and not ended: the first of a hundred tries that is.
    ///
    /// # Errors
    /// If games end before, or there are too many.
    pub fn after_random_plies(&self, plies: u32, seed: Seed) -> Result<Begun, String> {
        let mut opened = self.copy();
        for mv in random_opening(self.position.as_ref(), plies, seed)? {
            opened.play(&mv)?;
        }
        Ok(opened)
    }

    /// A copy.
    #[must_use]
    pub fn copy(&self) -> Begun {
        Begun {
            game: self.game.clone(),
            start: self.start.boxed_clone(),
            moves: self.moves.clone(),
            position: self.position.boxed_clone(),
        }
    }
}
