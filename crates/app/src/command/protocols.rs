//! `tesuji gtp | gomocup | uci | ucci | nboard | analysis`: an engine for other programs.

use super::spec;
use crate::arguments::{
    AnalysisArguments, EngineArguments, GomocupArguments, GtpArguments, NboardArguments, UcciArguments, UciArguments,
};
use crate::failure::Failure;
use crate::protocol::{Analysis, Dialect, Engine, GRACE, Gomocup, Gtp, NBoard, Protocol, Setup, Uci, Vertices, serve};
use tesuji_agents::{Access, SessionError, agent_for, start_game_with};

/// The strongest agent of the game; it resigns lost games and passes in settled ones, if it can.
pub const RESIGNING: &str = "auto(resign=0.03,pass=0.02)";
/// The strongest of the game.
pub const STRONGEST: &str = "auto";

/// Where gomill's ringmaster, which starts the engines again for every game, says which game of its
/// competition it is: the game gets a seed of its own.
const GOMILL_GAME: &str = "GOMILL_GAME_ID";

/// What the clients of an engine may open and start.
fn granted(arguments: &EngineArguments) -> Result<Access, Failure> {
    let mut access = Access::restricted();
    for folder in &arguments.files {
        let granted = access.with_folder(folder.as_ref());
        access = granted.map_err(|error| Failure::input(format!("--files {folder}: {error}")))?;
    }
    Ok(if arguments.allow_programs { access.with_programs() } else { access })
}

/// The games of a protocol.
enum Games {
    /// All.
    Any,
    /// The default game only, whatever its parameters.
    Default,
    /// Those of these names.
    Named(Vec<&'static str>),
}

/// An engine of these arguments, which plays a default game if none is named.
fn engine(game: Option<&str>, arguments: &EngineArguments, default: &str, games: Games) -> Result<Engine, Failure> {
    engine_of((game, arguments), default, games, STRONGEST)
}

/// The same with another default agent.
fn engine_of(
    (game, arguments): (Option<&str>, &EngineArguments),
    default: &str,
    games: Games,
    agent: &str,
) -> Result<Engine, Failure> {
    let default = spec(default, "the game")?;
    let game = game.map_or(Ok(default.clone()), |game| spec(game, "the game"))?;
    let games = match &games {
        Games::Any => vec![game.name.as_str()],
        Games::Default => vec![default.name.as_str()],
        Games::Named(names) => names.clone(),
    };
    if !games.contains(&game.name.as_str()) {
        return Err(Failure::input(format!("the game: this protocol plays {}, not {}", games.join(", "), game.name)));
    }
    let agent = spec(arguments.agent.as_deref().unwrap_or(agent), "the agent")?;
    // The command line is told what is wrong with a file; clients are not.
    let start = start_game_with(&game, &Access::unrestricted());
    let start = start.map_err(|error| Failure::input(format!("the game: {error}")))?.position;
    let here = agent_for(&agent, start.as_ref()).map_err(|error| Failure::input(format!("the agent: {error}")))?;
    let setup = Setup {
        limits: arguments.limits.engine_budget(&agent, &here, start.as_ref())?,
        chosen: arguments.limits.is_limited(),
        seed: arguments.limits.seed(),
        ponder: arguments.ponder,
        grace: arguments.grace.unwrap_or(GRACE),
        access: granted(arguments)?,
        game,
        agent,
    };
    Engine::new(setup).map_err(|error| match error {
        SessionError::Failed(_) => Failure::internal(error),
        other => Failure::input(other),
    })
}

fn carry_on(mut protocol: impl Protocol) -> Result<(), Failure> {
    serve(&mut protocol, std::io::stdin(), &mut std::io::stdout().lock()).map_err(Failure::internal)
}

/// GTP.
pub fn gtp(arguments: &GtpArguments) -> Result<(), Failure> {
    let vertices = if arguments.vertices == "go" { Vertices::Go } else { Vertices::Native };
    let mut engine = engine_of((arguments.game.as_deref(), &arguments.engine), "go", Games::Any, RESIGNING)?;
    if let Some(game) = std::env::var_os(GOMILL_GAME) {
        // Each byte leads on from the seed of those before it.
        let seed = game.as_encoded_bytes().iter().fold(engine.setup.seed, |seed, byte| seed.derive(u64::from(*byte)));
        engine.set_seed(seed);
    }
    carry_on(Gtp::new(engine, vertices))
}

/// Gomocup's protocol.
pub fn gomocup(arguments: &GomocupArguments) -> Result<(), Failure> {
    carry_on(Gomocup::new(engine(arguments.game.as_deref(), &arguments.engine, "gomoku(size=20)", Games::Default)?))
}

/// UCI.
pub fn uci(arguments: &UciArguments) -> Result<(), Failure> {
    carry_on(Uci::new(
        engine(arguments.game.as_deref(), &arguments.engine, "xiangqi(ranks=one)", Games::Named(Uci::games()))?,
        Dialect::Uci,
    ))
}

/// UCCI.
pub fn ucci(arguments: &UcciArguments) -> Result<(), Failure> {
    carry_on(Uci::new(engine(arguments.game.as_deref(), &arguments.engine, "xiangqi", Games::Default)?, Dialect::Ucci))
}

/// NBoard's protocol.
pub fn nboard(arguments: &NboardArguments) -> Result<(), Failure> {
    carry_on(NBoard::new(engine(arguments.game.as_deref(), &arguments.engine, "othello", Games::Default)?))
}

/// JSON lines.
pub fn analysis(arguments: &AnalysisArguments) -> Result<(), Failure> {
    carry_on(Analysis::new(engine(arguments.game.as_deref(), &arguments.engine, "go", Games::Any)?))
}
