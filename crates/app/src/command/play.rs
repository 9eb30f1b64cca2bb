//! `tesuji play`: a game in the terminal.

use super::spec;
use crate::arguments::PlayArguments;
use crate::failure::Failure;
use crate::output;
use crate::picture::{Ink, shows_unicode};
use crate::terminal::{Pace, Plan, Seat, Terminal};
use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;
use tesuji_agents::{Access, agent_for, is_endless, start_game_with};
use tesuji_core::Budget;
use tesuji_core::spec::Spec;

/// The time of a move of an agent against a person, if no limit is given.
const TIME_AGAINST_A_PERSON: Duration = Duration::from_secs(1);
/// The game and the limits of the demonstration, which is over in seconds whatever the game.
const DEMONSTRATION: &str = "hex(size=5)";
const DEMONSTRATION_ITERATIONS: u64 = 1_000;
const DEMONSTRATION_NODES: u64 = 20_000;
const DEMONSTRATION_TIME: Duration = Duration::from_secs(12);

fn seat(text: Option<&str>, default: Seat) -> Result<Seat, Failure> {
    match text {
        None => Ok(default),
        Some("me" | "human" | "person") => Ok(Seat::Person),
        Some(agent) => Ok(Seat::Agent(spec(agent, "the agent")?)),
    }
}

/// Plays.
pub fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    let person = std::io::stdin().is_terminal();
    // Against a person the agent resigns lost games; a demonstration is played to its end.
    let usual = if person { super::protocols::RESIGNING } else { super::protocols::STRONGEST };
    let adviser = spec(arguments.agent.as_deref().unwrap_or(usual), "the agent")?;
    let mut input = std::io::stdin().lock();
    let mut output = anstream::stdout();
    let named = arguments.game.as_deref().map(|text| spec(text, "the game")).transpose()?;
    let (game, chosen) = match named {
        Some(game) => (game, None),
        None if !person => (spec(DEMONSTRATION, "the game")?, None),
        None => match menu(&mut input, &mut output).map_err(Failure::internal)? {
            Some((game, first)) => (game, Some(first)),
            None => return Ok(()),
        },
    };
    let agent = Seat::Agent(adviser.clone());
    let defaults = match (person, chosen) {
        (false, _) => [agent.clone(), agent],
        (true, Some(false)) => [agent, Seat::Person],
        (true, _) => [Seat::Person, agent],
    };
    let [first, second] = defaults;
    let seats = [seat(arguments.first.as_deref(), first)?, seat(arguments.second.as_deref(), second)?];
    if !person && seats.contains(&Seat::Person) {
        return Err(Failure::input("a person can play only at a terminal"));
    }
    let start = start_game_with(&game, &Access::unrestricted())
        .map_err(|error| Failure::input(format!("the game: {error}")))?
        .position;
    let here = agent_for(&adviser, start.as_ref()).map_err(|error| Failure::input(format!("the agent: {error}")))?;
    let limits = match arguments.limits.engine_budget(&adviser, &here)? {
        limits if arguments.limits.is_limited() => limits,
        limits if person => {
            let time = Some(TIME_AGAINST_A_PERSON);
            Budget { iterations: None, nodes: None, soft_time: time, hard_time: time, ..limits }
        }
        limits if is_endless(&here) => Budget { iterations: Some(DEMONSTRATION_ITERATIONS), ..limits },
        limits => Budget { nodes: Some(DEMONSTRATION_NODES), ..limits },
    };
    let ink = if arguments.plain || !shows_unicode() { Ink::Plain } else { Ink::Unicode };
    let ink = ink.with_pieces(arguments.pieces.as_deref());
    // Limits that were given are kept, however long the game takes.
    let pace = (!person && !arguments.limits.is_limited()).then(|| Pace::of(DEMONSTRATION_TIME));
    let plan = Plan { game, seats, adviser, limits, pace, seed: arguments.limits.seed(), ink };
    let mut terminal = Terminal::new(plan, &mut input, &mut output).map_err(Failure::input)?;
    match terminal.run() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::internal(error)),
        _ => Ok(()),
    }
}

/// Asks which game, and which side begins; nothing if the person quits.
fn menu(input: &mut dyn BufRead, output: &mut dyn Write) -> std::io::Result<Option<(Spec, bool)>> {
    let games = tesuji_agents::games();
    writeln!(output, "{}", output::bold("Which game?"))?;
    for (number, game) in games.iter().enumerate() {
        writeln!(output, "{:>3}  {:<12} {}", number + 1, game.description.name, game.description.about)?;
    }
    let game = loop {
        let Some(answer) = ask("A number, a name, or a name with parameters like hex(size=7)", input, output)? else {
            return Ok(None);
        };
        let number = answer.parse::<usize>().ok();
        let numbered = number.and_then(|number| games.get(number.checked_sub(1)?));
        if let (Some(number), None) = (number, numbered) {
            writeln!(output, "There is no game {number}: they are numbered from 1 to {}.", games.len())?;
            continue;
        }
        let text = numbered.map_or(answer.as_str(), |game| game.description.name);
        let start = |spec: Spec| start_game_with(&spec, &Access::unrestricted()).map(|_| spec);
        match text.parse::<Spec>().and_then(start) {
            Ok(spec) => break spec,
            Err(error) => writeln!(output, "{error}")?,
        }
    };
    loop {
        let Some(answer) = ask("Do you move first? [yes]", input, output)? else { return Ok(None) };
        match answer.to_ascii_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(Some((game, true))),
            "n" | "no" => return Ok(Some((game, false))),
            _ => writeln!(output, "Please say yes or no.")?,
        }
    }
}

/// A line of input; nothing at the end of the input, or for `quit`.
fn ask(question: &str, input: &mut dyn BufRead, output: &mut dyn Write) -> std::io::Result<Option<String>> {
    write!(output, "{question} > ")?;
    output.flush()?;
    let mut bytes = Vec::new();
    if std::io::Read::take(input, 4096).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim().to_string();
    Ok(Some(line).filter(|line| line != "quit"))
}

#[cfg(test)]
mod tests {
    use super::menu;

    /// What a person chose, and what was shown.
    fn chosen(said: &str) -> (Option<(String, bool)>, String) {
        let (mut input, mut output) = (std::io::Cursor::new(said.to_string()), Vec::new());
        let chosen = menu(&mut input, &mut output).expect("streams that work");
        (chosen.map(|(game, first)| (game.to_string(), first)), String::from_utf8(output).expect("UTF-8"))
    }

    #[test]
    fn the_menu_asks_until_it_understands() {
        let (choice, text) = chosen("99\n0\ntictactoe\nperhaps\nNo\n");
        assert_eq!(choice, Some(("tictactoe".into(), false)), "{text}");
        assert!(text.contains("There is no game 99: they are numbered from 1 to "), "{text}");
        assert!(text.contains("There is no game 0") && text.contains("Please say yes or no."), "{text}");
        let first = tesuji_agents::games()[0].description.name.to_string();
        for yes in ["\n", "y\n", "YES\n"] {
            assert_eq!(chosen(&format!("1\n{yes}")).0, Some((first.clone(), true)));
        }
        assert_eq!(chosen("1\nwhat\n").0, None, "the end of the input");
    }
}
