//! `tesuji play`: a game in the terminal.

use super::spec;
use crate::arguments::PlayArguments;
use crate::failure::Failure;
use crate::picture::{Ink, shows_unicode};
use crate::terminal::{
    self, Archive, Attention, Edited, Ending, Line, Lines, Pace, Plan, Seat, Streamed, Terminal, Words,
};
use crate::{output, places};
use std::io::{IsTerminal, StdinLock, Write};
use std::sync::Arc;
use std::time::Duration;
use tesuji_agents::{Access, agent_for, canonical_agent, is_endless, start_game_with};
use tesuji_core::Budget;
use tesuji_core::spec::Spec;

/// The time of a move of an agent against a person, if no limit is given.
const TIME_AGAINST_A_PERSON: Duration = Duration::from_secs(1);
/// The game and the limits of the demonstration, which is over in seconds whatever the game.
const DEMONSTRATION: &str = "hex(size=5)";
const DEMONSTRATION_ITERATIONS: u64 = 1_000;
const DEMONSTRATION_NODES: u64 = 20_000;
const DEMONSTRATION_TIME: Duration = Duration::from_secs(12);

/// The person, as a player.
const PERSON: [&str; 3] = ["me", "human", "person"];
/// Games are kept in this folder of the user's data.
const GAMES: &str = "games";
/// What was typed is remembered in this file of the user's state.
const REMEMBERED: &str = "play-history";

fn seat(option: &str, text: Option<&str>, default: Seat) -> Result<Seat, Failure> {
    match text {
        None => Ok(default),
        Some(text) if PERSON.contains(&text) => Ok(Seat::Person),
        Some(agent) => {
            let agent = spec(agent, "the agent")?;
            // A person may have been misspelled: the message names both.
            canonical_agent(&agent).map_err(|error| Failure::input(format!("{option} is me, or an agent: {error}")))?;
            Ok(Seat::Agent(agent))
        }
    }
}

/// Where the lines of the person come from.
enum Source {
    Terminal(Box<Edited>),
    Stream(Streamed<StdinLock<'static>>),
}

impl Source {
    fn open() -> std::io::Result<Source> {
        if std::io::stdin().is_terminal() {
            let memory = places::state().map(|folder| folder.join(REMEMBERED));
            return Ok(Source::Terminal(Box::new(Edited::new(memory)?)));
        }
        Ok(Source::Stream(Streamed::new(std::io::stdin().lock())))
    }

    fn lines(&mut self) -> &mut dyn Lines {
        match self {
            Source::Terminal(edited) => edited.as_mut(),
            Source::Stream(streamed) => streamed,
        }
    }
}

/// Whether a person plays: at a terminal, where a side was given to a person, and where a game was
/// named and there is something to read.
fn is_played(arguments: &PlayArguments, source: &mut Source) -> Result<bool, Failure> {
    let asked = [&arguments.first, &arguments.second].into_iter().flatten().any(|text| PERSON.contains(&text.as_str()));
    let both = arguments.first.is_some() && arguments.second.is_some();
    match source {
        Source::Terminal(_) => Ok(true),
        _ if asked => Ok(true),
        // The game itself may be what is read.
        _ if both || arguments.game.as_deref().is_none_or(|game| game == "-") => Ok(false),
        Source::Stream(streamed) => Ok(!streamed.is_empty().map_err(Failure::internal)?),
    }
}

/// Plays.
pub fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    // Before anything else is read from standard input: `-` names a game there.
    let named = arguments.game.as_deref().map(|text| spec(text, "the game")).transpose()?;
    let mut source = Source::open().map_err(Failure::internal)?;
    let person = is_played(arguments, &mut source)?;
    // Against a person the agent resigns lost games; a demonstration is played to its end.
    let usual = if person { super::protocols::RESIGNING } else { super::protocols::STRONGEST };
    let adviser = spec(arguments.agent.as_deref().unwrap_or(usual), "the agent")?;
    let attention = Arc::<Attention>::default();
    // Without a handler a signal ends the program, which is no reason not to play.
    let _ = terminal::watch(attention.clone());
    let mut output = anstream::stdout();
    let (game, chosen) = match named {
        Some(game) => (game, None),
        None if !person => (spec(DEMONSTRATION, "the game")?, None),
        None => match menu(source.lines(), &mut output, &attention)? {
            Some((game, first)) => (game, Some(first)),
            None => return Ok(()),
        },
    };
    let agent = Seat::Agent(adviser.clone());
    // A person who takes the second side meets the agent on the first.
    let is_second = chosen == Some(false) || arguments.second.as_deref().is_some_and(|text| PERSON.contains(&text));
    let defaults = match (person, is_second) {
        (false, _) => [agent.clone(), agent],
        (true, true) => [agent, Seat::Person],
        (true, false) => [Seat::Person, agent],
    };
    let [first, second] = defaults;
    let seats =
        [seat("--first", arguments.first.as_deref(), first)?, seat("--second", arguments.second.as_deref(), second)?];
    let start = start_game_with(&game, &Access::unrestricted())
        .map_err(|error| Failure::input(format!("the game: {error}")))?
        .position;
    let here = agent_for(&adviser, start.as_ref()).map_err(|error| Failure::input(format!("the agent: {error}")))?;
    let limits = match arguments.limits.engine_budget(&adviser, &here, start.as_ref())? {
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
    let terminal = Terminal::new(plan, source.lines(), &mut output).map_err(Failure::input)?.attending(attention);
    let terminal = if std::io::stdout().is_terminal() { terminal.live() } else { terminal };
    let mut terminal = match places::data() {
        Some(folder) => terminal.kept_in(Archive::new(folder.join(GAMES))),
        None => terminal,
    };
    match terminal.run() {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::internal(error)),
        Ok(Ending::Done) => Ok(()),
        Ok(Ending::Interrupted(farewell)) => Err(Failure::interrupted(farewell)),
        Ok(Ending::Failed(reason)) => Err(Failure::internal(reason)),
    }
}

/// Asks which game, and which side begins; nothing if the person quits.
fn menu(lines: &mut dyn Lines, output: &mut dyn Write, attention: &Attention) -> Result<Option<(Spec, bool)>, Failure> {
    let games = tesuji_agents::games();
    let mut text = format!("{}\n", output::bold("Which game?"));
    for (number, game) in games.iter().enumerate() {
        let head = format!("{:>3}  {:<12} ", number + 1, game.description.name);
        // What goes on stands below the description.
        let about = output::wrapped(game.description.about, head.len(), head.len());
        text += &format!("{head}{}\n", about.trim_start());
    }
    let names = games.iter().map(|game| game.description.name.to_string()).chain(["quit".to_string()]);
    let mut menu = Menu { lines, output, attention, words: Words { words: names.collect(), with_file: Vec::new() } };
    menu.say(&text)?;
    let game = loop {
        let question = "A number, a name, or a name with parameters like hex(size=7)";
        let Some(answer) = menu.ask(question)? else { return Ok(None) };
        let number = answer.parse::<usize>().ok();
        let numbered = number.and_then(|number| games.get(number.checked_sub(1)?));
        if let (Some(number), None) = (number, numbered) {
            menu.say(&format!("There is no game {number}: they are numbered from 1 to {}.\n", games.len()))?;
            continue;
        }
        let text = numbered.map_or(answer.as_str(), |game| game.description.name);
        let start = |spec: Spec| start_game_with(&spec, &Access::unrestricted()).map(|_| spec);
        match text.parse::<Spec>().and_then(start) {
            Ok(spec) => break spec,
            Err(error) => menu.say(&format!("{}\n", output::wrapped(&error.to_string(), 0, 2)))?,
        }
    };
    menu.words.words = ["yes", "no", "quit"].map(String::from).to_vec();
    loop {
        let Some(answer) = menu.ask("Do you move first? [yes]")? else { return Ok(None) };
        match answer.to_ascii_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(Some((game, true))),
            "n" | "no" => return Ok(Some((game, false))),
            _ => menu.say("Please say yes or no.\n")?,
        }
    }
}

/// Questions before the game.
struct Menu<'a> {
    lines: &'a mut dyn Lines,
    output: &'a mut dyn Write,
    attention: &'a Attention,
    /// What can be typed.
    words: Words,
}

impl Menu<'_> {
    fn say(&mut self, text: &str) -> Result<(), Failure> {
        write!(self.output, "{text}").and_then(|()| self.output.flush()).map_err(Failure::internal)
    }

    /// A line of input; nothing at the end of the input, or for `quit`.
    fn ask(&mut self, question: &str) -> Result<Option<String>, Failure> {
        let interrupted = || Failure::interrupted(self.attention.farewell());
        if !self.attention.ask() {
            return Err(interrupted());
        }
        let line = self.lines.read(&format!("{question} > "), &self.words, self.output);
        self.attention.rest();
        match line.map_err(Failure::internal)? {
            Line::Text(line) => Ok(Some(line).filter(|line| line != "quit")),
            Line::End => Ok(None),
            Line::Interrupted => Err(interrupted()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::menu;
    use crate::output;
    use crate::terminal::{Attention, Streamed};
    use unicode_width::UnicodeWidthStr;

    /// What a person chose, and what was shown.
    fn chosen(said: &str) -> (Option<(String, bool)>, String) {
        let (mut input, mut output) = (Streamed::new(std::io::Cursor::new(said.to_string())), Vec::new());
        let chosen = menu(&mut input, &mut output, &Attention::default()).expect("streams that work");
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

    /// Descriptions were cut in the middle of words.
    #[test]
    fn the_menu_fits_the_terminal() {
        let (_, text) = chosen("quit\n");
        for line in text.lines() {
            assert!(line.replace("\x1b[1m", "").replace("\x1b[0m", "").width() <= output::width(), "{line}\n{text}");
        }
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for game in tesuji_agents::games() {
            let about = game.description.about.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&about), "{about}: {text}");
        }
    }
}
