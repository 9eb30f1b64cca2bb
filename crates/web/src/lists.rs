//! What there is: games, agents, opponents, problems. Made from the registry in force, so that games
//! and agents of other programs are listed too.

use crate::api::{
    Agent, Agents, BoardSize, Budget, Compared, Game, Games, Level, Parameter, ParameterKind, Puzzle, Puzzles,
};
use crate::refusal::Refusal;
use crate::state;
use tesuji_agents::{AnyPosition, GameInfo, Registry, agent_for, start_game, usual_effort};
use tesuji_core::spec::{Catalogue, Description, Kind, Spec};

/// The strongest agent in games against people: it resigns lost games and passes in settled ones,
/// where it can.
pub(crate) const AGAINST_PEOPLE: &str = "auto(resign=0.03,pass=0.02)";
/// The learned player, where it is the strongest.
const LEARNED: &str = "zero";
/// The learned player's network and proofs, with a rule that goes on comparing moves.
const WITH_NETWORK: &str = "mcts(leaf=net,select=puct,probe=look(depth=1),ties=first)";
/// The weak opponents.
const WEAK: &str = "mcts(pass=0.02)";
/// Boards that are offered, where a game takes them.
const BOARDS: [i64; 10] = [4, 5, 6, 7, 8, 9, 11, 13, 15, 19];

/// A parameter; nothing if it names a file or a program, which clients never do.
fn parameter(parameter: &tesuji_core::spec::Parameter) -> Option<Parameter> {
    let mut told = Parameter {
        name: parameter.name.into(),
        about: parameter.about.into(),
        kind: ParameterKind::Text,
        low: None,
        high: None,
        choices: Vec::new(),
        default: parameter.default.map(Into::into),
        values: parameter.kind.to_string(),
    };
    match parameter.kind {
        Kind::Integer(low, high) => {
            (told.kind, told.low, told.high) = (ParameterKind::Integer, Some(low as f64), Some(high as f64));
        }
        Kind::Number(low, high) => {
            (told.kind, told.low, told.high) = (ParameterKind::Number, Some(low), Some(high));
        }
        Kind::Choice(words) => {
            told.kind = ParameterKind::Choice;
            told.choices = words.iter().map(|word| (*word).into()).collect();
        }
        Kind::Part(parts) => {
            told.kind = ParameterKind::Part;
            told.choices = parts.iter().map(|part| part.name.into()).collect();
        }
        Kind::Entry(_) => told.kind = ParameterKind::Problem,
        Kind::Text => {}
        Kind::File(_) | Kind::Program => return None,
    }
    Some(told)
}

fn parameters(description: &Description) -> Vec<Parameter> {
    description.parameters.iter().filter_map(parameter).collect()
}

/// The parameter of a game that names its problems, and the problems.
fn problems_of(game: &GameInfo) -> Option<(&'static str, Catalogue)> {
    game.description.parameters.iter().find_map(|parameter| match parameter.kind {
        Kind::Entry(catalogue) => Some((parameter.name, catalogue)),
        _ => None,
    })
}

fn started(text: &str) -> Option<Box<dyn AnyPosition>> {
    start_game(&text.parse().ok()?).ok().map(|started| started.position)
}

/// The start of a game that is shown for it: its usual one, or its first problem.
fn usual(game: &GameInfo) -> Option<(String, Box<dyn AnyPosition>)> {
    let name = game.description.name;
    let problem = problems_of(game)
        .and_then(|(parameter, catalogue)| Some(format!("{name}({parameter}={})", catalogue.entries().first()?.id)));
    [Some(name.to_string()), problem].into_iter().flatten().find_map(|text| {
        let position = started(&text)?;
        Some((text, position))
    })
}

fn sizes(game: &GameInfo) -> Vec<BoardSize> {
    let is_size = |parameter: &&tesuji_core::spec::Parameter| parameter.name == "size";
    let Some(Kind::Integer(low, high)) = game.description.parameters.iter().find(is_size).map(|found| found.kind)
    else {
        return Vec::new();
    };
    let fitting = BOARDS.into_iter().filter(|size| (low..=high).contains(size));
    let sizes = fitting.map(|size| BoardSize {
        label: format!("{size}×{size}"),
        game: format!("{}(size={size})", game.description.name),
    });
    sizes.filter(|size| started(&size.game).is_some()).collect()
}

fn game(info: &GameInfo) -> Option<Game> {
    let (document, start) = usual(info)?;
    let name = info.description.name;
    let has = |wanted: &str| info.description.parameters.iter().any(|parameter| parameter.name == wanted);
    let handicaps = (2..=9_u8).filter(|count| has("handicap") && start.handicap_points(*count).is_some());
    Some(Game {
        name: name.into(),
        title: if info.title.is_empty() { state::capitalised(name) } else { info.title.into() },
        about: info.description.about.into(),
        moves: info.moves.into(),
        parameters: parameters(&info.description),
        strongest: start.strongest().into(),
        solver: start.solver().into(),
        problems: problems_of(info).map_or(0, |(_, catalogue)| catalogue.entries().len()),
        has_board: !start.view().points.is_empty(),
        sides: state::sides(start.sides()),
        document,
        sizes: sizes(info),
        komi: has("komi") && start.komi().is_some(),
        handicaps: handicaps.map(u32::from).collect(),
    })
}

/// All games that start without a file.
pub(crate) fn games() -> Games {
    Games { games: tesuji_agents::games().iter().filter_map(game).collect() }
}

/// The problems of a game, or of all games.
pub(crate) fn problems(name: Option<&str>) -> Result<Puzzles, Refusal> {
    let games = tesuji_agents::games().iter();
    let chosen: Vec<&GameInfo> = games.filter(|game| name.is_none_or(|name| name == game.description.name)).collect();
    if chosen.is_empty() {
        return Err(Refusal::not_found("there is no such game"));
    }
    let problems = chosen.into_iter().flat_map(|game| {
        let (parameter, catalogue) = problems_of(game).unzip();
        let entries = catalogue.map_or(&[][..], Catalogue::entries).iter();
        entries.map(move |entry| Puzzle {
            game: game.description.name.into(),
            id: entry.id.to_string(),
            set: entry.id.trim_end_matches(|sign: char| sign.is_ascii_digit()).trim_end_matches('-').into(),
            about: entry.about.to_string(),
            document: format!("{}({}={})", game.description.name, parameter.unwrap_or_default(), entry.id),
        })
    });
    Ok(Puzzles { problems: problems.collect() })
}

/// The agents that serve a game, and opponents from weak to strong.
pub(crate) fn agents(game: &str) -> Result<Agents, Refusal> {
    let spec: Spec = game.parse().map_err(|error| Refusal::spec("the game", &error))?;
    let start = start_game(&spec).map_err(|error| Refusal::spec("the game", &error))?.position;
    let agents = Registry::in_force().agents().iter().filter(|agent| {
        let serves = agent.games.is_empty() || agent.games.contains(&spec.name.as_str());
        // Made without arguments, and without a file or a program.
        serves && start.agent(&Spec::bare(agent.description.name)).is_ok()
    });
    let told = agents.map(|agent| Agent {
        name: agent.description.name.into(),
        about: agent.description.about.into(),
        spec: agent.description.name.into(),
        endless: agent.endless,
        parallel: agent.parallel,
        solves: !agent.games.is_empty() || agent.description.name == start.solver(),
        parameters: parameters(&agent.description),
    });
    Ok(Agents {
        strongest: start.strongest().into(),
        solver: start.solver().into(),
        levels: levels(start.as_ref()),
        analyst: network(start.as_ref()).unwrap_or("auto").into(),
        network: network(start.as_ref()).map(String::from),
        compare: compared(start.as_ref()),
        agents: told.collect(),
    })
}

fn can_be_made(start: &dyn AnyPosition, agent: &str) -> bool {
    agent.parse().is_ok_and(|spec: Spec| start.agent(&spec).is_ok())
}

/// The search with the network of the game's strongest player, if that has one. The learned player looks at the
/// few moves that may be the best and settles on one; for an analysis its network searches by a rule that goes on
/// comparing them.
fn network(start: &dyn AnyPosition) -> Option<&'static str> {
    let learned = start.strongest().parse().is_ok_and(|spec: Spec| spec.name == LEARNED);
    Some(WITH_NETWORK).filter(|agent| learned && can_be_made(start, agent))
}

/// Different ways to search a position: those that can be made for it.
fn compared(start: &dyn AnyPosition) -> Vec<Compared> {
    let ways = [
        ("Plain UCT", "mcts(select=ucb1,solver=false)"),
        ("RAVE", "mcts(select=rave)"),
        ("Alpha-beta", "alpha-beta"),
        ("Network", WITH_NETWORK),
        ("Solver", start.solver()),
    ];
    let made = ways.into_iter().filter(|(_, agent)| can_be_made(start, agent));
    made.map(|(name, agent)| Compared { name: name.into(), agent: agent.into() }).collect()
}

/// Opponents from weak to strong. Provisional: no match has ordered them. The weak ones are plain
/// Monte-Carlo tree search with few iterations, which every game has; the strong ones the game's
/// strongest agent with parts of its usual effort.
fn levels(start: &dyn AnyPosition) -> Vec<Level> {
    let auto: Spec = AGAINST_PEOPLE.parse().expect("a fixed spec");
    let strongest = agent_for(&auto, start).unwrap_or_else(|_| Spec::bare("mcts"));
    let (iterations, nodes) = usual_effort(&auto, &strongest, start);
    let weak = |count: u64| ("mcts", WEAK.to_string(), Budget { iterations: Some(count), ..Budget::default() });
    let strong = |part: u64| {
        let share = |work: Option<u64>| work.map(|work| (work / part).max(1));
        let (iterations, nodes) = (share(iterations), share(nodes));
        (strongest.name.as_str(), strongest.to_string(), Budget { iterations, nodes, ..Budget::default() })
    };
    let levels = [
        ("beginner", "Beginner", weak(10)),
        ("novice", "Novice", weak(100)),
        ("casual", "Casual", weak(400)),
        ("club", "Club", strong(10)),
        ("strong", "Strong", strong(3)),
        ("strongest", "Strongest", strong(1)),
    ];
    let told = levels.into_iter().map(|(id, name, (known, agent, budget))| {
        let work = match (budget.iterations, budget.nodes) {
            (Some(count), _) => format!(", {count} iterations a move"),
            (None, Some(count)) => format!(", {count} positions a move"),
            (None, None) => String::new(),
        };
        Level { id: id.into(), name: name.into(), about: format!("{known}{work}"), agent, budget }
    });
    told.collect()
}
