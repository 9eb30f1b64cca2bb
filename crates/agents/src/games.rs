//! The registry of games.

use crate::{Access, AnyPosition};
use tesuji_core::Game;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Spec, SpecError, resolve_with};
use tesuji_games::{connect6, go, gomoku, goproblem, hex, mnk, othello, synthetic, tictactoe, xiangqi};

/// A game of the registry.
#[derive(Clone, Copy)]
pub struct GameInfo {
    /// Its name and parameters.
    pub description: Description,
    /// What a move looks like.
    pub moves: &'static str,
    start: fn(&mut Arguments) -> Result<Box<dyn AnyPosition>, ArgumentError>,
}

impl GameInfo {
    /// The spec of the strongest agent for the game of bare name; other sizes may have another.
    #[must_use]
    pub fn strongest(&self) -> &'static str {
        let bare = Spec::bare(self.description.name);
        start_game(&bare).expect("every game starts with its defaults").position.strongest()
    }
}

/// All games. **A new game is one line here.**
#[must_use]
pub fn games() -> Vec<GameInfo> {
    vec![
        entry::<tictactoe::TicTacToe>(),
        entry::<mnk::Mnk>(),
        entry::<go::Go>(),
        entry::<goproblem::GoProblem>(),
        entry::<hex::Hex>(),
        entry::<othello::Othello>(),
        entry::<gomoku::Gomoku>(),
        entry::<connect6::Connect6>(),
        entry::<xiangqi::Xiangqi>(),
        entry::<synthetic::Tree>(),
        entry::<synthetic::RandomTree>(),
        entry::<synthetic::PGame>(),
        entry::<synthetic::Trap>(),
    ]
}

fn entry<G: Game>() -> GameInfo {
    let start = |arguments: &mut Arguments| -> Result<Box<dyn AnyPosition>, ArgumentError> {
        let position = G::start(arguments)?;
        G::settle(arguments, &position);
        Ok(Box::new(position))
    };
    GameInfo { description: G::DESCRIPTION, moves: G::MOVES, start }
}

/// A game that was started.
pub struct StartedGame {
    /// Its first position.
    pub position: Box<dyn AnyPosition>,
    /// The canonical spec: its identity in every record.
    pub spec: Spec,
}

/// Starts the game that a spec names, opening nothing.
///
/// # Errors
/// If there is no such game, its parameters make no sense, or it names a file.
pub fn start_game(spec: &Spec) -> Result<StartedGame, SpecError> {
    start_game_with(spec, &Access::stranger())
}

/// Starts the game that a spec names, with the files that its origin may read.
///
/// # Errors
/// If there is no such game, or its parameters make no sense.
pub fn start_game_with(spec: &Spec, access: &Access) -> Result<StartedGame, SpecError> {
    let games = games();
    let descriptions: Vec<Description> = games.iter().map(|game| game.description).collect();
    let (index, mut arguments) = resolve_with(spec, "game", &descriptions, &access.reach())?;
    let started = (games[index].start)(&mut arguments);
    let position = started.map_err(|error| arguments.place(error, spec))?;
    Ok(StartedGame { position, spec: arguments.canonical() })
}
