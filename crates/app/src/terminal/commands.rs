//! What a line of the person does.

use super::lines::{Line, Words};
use super::thinking::{Thought, Watch, table};
use super::{End, Next, Terminal};
use crate::move_choice::move_to_play;
use crate::output::wrapped;
use crate::protocol::load_record;
use tesuji_agents::records;
use tesuji_core::MoveError;
use tesuji_core::spec::{Spec, nearest};

/// Larger files are not read.
const MOST_BYTES: u64 = 16 << 20;

/// Shorter words may be moves: they are not taken for misspelled commands.
const LEAST_MISSPELLED: usize = 5;

/// The commands, and when they can be typed.
const COMMANDS: &[(&str, When, &str)] = &[
    ("hint", When::Playing, "what the agent would play"),
    ("explain", When::Always, "why the last move of an agent was played"),
    ("undo", When::Always, "takes back your last move and the answer to it"),
    ("resign", When::Playing, "gives the game up"),
    ("accept", When::Settling, "agrees to the dead stones; the game is over"),
    ("continue", When::Stopped, "plays on after two passes, or after an agent has resigned"),
    ("moves", When::Always, "lists the moves"),
    ("board", When::Always, "draws the board"),
    ("fen", When::Written, "the position as one line of text"),
    ("save FILE", When::Always, "writes the game as SGF"),
    ("load FILE", When::Always, "reads one"),
    ("new", When::Always, "begins again"),
    ("quit", When::Always, "leaves"),
    ("help", When::Always, "shows this"),
];

/// When a command can be typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// While the game is under way.
    Playing,
    /// While dead stones are marked.
    Settling,
    /// When both sides have passed, or an agent has resigned.
    Stopped,
    /// Where the game has a text for positions.
    Written,
}

impl Terminal<'_> {
    fn can_type(&self, when: When) -> bool {
        match when {
            When::Always => true,
            When::Playing => self.end.is_none() && self.session.position().outcome().is_none(),
            When::Settling => self.marks.is_some(),
            When::Written => self.session.position().setup_text().is_some(),
            When::Stopped => self.marks.is_some() || self.agent_has_resigned(),
        }
    }

    /// Everything that can be typed now.
    fn words(&self) -> Words {
        let commands = COMMANDS.iter().filter(|(_, when, _)| self.can_type(*when));
        let commands = commands.map(|(usage, ..)| usage.split(' ').next().unwrap_or(usage).to_string());
        let moves = match &self.marks {
            Some(_) => self.session.position().stones().unwrap_or_default().concat(),
            None if self.end.is_none() => self.session.position().moves(),
            None => Vec::new(),
        };
        Words { words: commands.chain(moves).collect(), with_file: vec!["save", "load"] }
    }

    /// Whether the game has a pass, here or elsewhere.
    fn has_pass(&self) -> bool {
        let read = self.session.position().boxed_clone().play("pass");
        matches!(read, Ok(_) | Err(MoveError::Illegal { .. }))
    }

    /// Whether the second move of the game can be a swap.
    fn has_swap(&self) -> bool {
        let mut second = self.session.first_position().boxed_clone();
        let first = second.moves().into_iter().next();
        first.is_some_and(|mv| second.play(&mv).is_ok()) && second.moves().iter().any(|mv| mv == "swap")
    }

    fn help(&mut self) -> std::io::Result<()> {
        let mut rows = Vec::new();
        if self.marks.is_some() {
            rows.push(("a stone", "marks its chain dead, or alive again"));
        } else if self.can_type(When::Playing) {
            rows.push(("a move", "plays it"));
            if self.has_pass() {
                rows.push(match self.session.position().komi() {
                    Some(_) => ("pass", "passes; after two passes in a row the game is scored"),
                    None => ("pass", "passes, where the rules allow it"),
                });
            }
            if self.has_swap() {
                rows.push(("swap", "as the second move of the game: takes over the first one"));
            }
        }
        let commands = COMMANDS.iter().filter(|(_, when, _)| self.can_type(*when));
        rows.extend(commands.map(|(usage, _, about)| (*usage, *about)));
        rows.push(("Ctrl-C", "makes a thinking agent move; at the prompt, saves the game and leaves"));
        let rows: Vec<String> = rows.iter().map(|(usage, about)| format!("{usage:<9} {about}")).collect();
        self.say(&rows.join("\n"))
    }

    /// Asks the person and does what the line says.
    pub(super) fn prompt(&mut self, what: &str) -> std::io::Result<Next> {
        let words = self.words();
        if !self.attention.ask() {
            return Ok(Next::Leave);
        }
        let line = self.input.read(&format!("{what} > "), &words, self.output)?;
        self.attention.rest();
        match line {
            Line::Text(line) => self.obey(&line),
            Line::End => Ok(Next::Quit),
            Line::Interrupted => Ok(Next::Leave),
        }
    }

    fn obey(&mut self, line: &str) -> std::io::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let small = word.to_ascii_lowercase();
        let found = COMMANDS.iter().find(|(usage, ..)| usage.split(' ').next() == Some(&small));
        // Commands may be typed in capitals, as moves may.
        let word = if found.is_some() { small.as_str() } else { word };
        if let Some((_, when, _)) = found
            && !self.can_type(*when)
            && *when != When::Written
        {
            self.say(&format!("There is nothing to {word} now."))?;
            return Ok(Next::Stay);
        }
        match word {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "help" | "?" => self.help()?,
            "board" => self.board()?,
            "moves" => {
                let moves = self.session.position().moves().join(" ");
                self.say(&wrapped(&moves, 0, 0))?;
            }
            "fen" if self.can_type(When::Written) => {
                let text = self.session.position().setup_text().unwrap_or_default();
                self.say(&text)?;
            }
            "hint" => return self.hint(),
            "explain" => self.explain()?,
            "undo" => self.undo()?,
            "resign" => self.end(End::Resigned(self.session.position().turn())),
            "accept" => return self.accept(),
            "continue" => return self.play_on(),
            "new" => {
                let game = self.session.game().clone();
                let begun = self.restart(&game);
                self.tell(begun)?;
            }
            "save" | "load" if rest.is_empty() => self.say("Say which file.")?,
            "save" => self.save(rest)?,
            "load" => self.load(rest)?,
            _ if self.marks.is_some() => return self.mark(line),
            _ if !self.can_type(When::Playing) => self.say("The game is over.")?,
            _ => match self.play(line) {
                Ok(()) => {
                    self.board()?;
                    self.keep()?;
                }
                Err(error) => {
                    let advice = match self.misspelled(line) {
                        Some(meant) => format!("did you mean {meant}?"),
                        None => "help lists what else can be typed".into(),
                    };
                    let problem = format!("{error} ({advice})");
                    self.say(&wrapped(&problem, 0, 2))?;
                }
            },
        }
        Ok(Next::Stay)
    }

    /// The command that a long word may stand for.
    fn misspelled(&self, line: &str) -> Option<&'static str> {
        let is_word = line.len() >= LEAST_MISSPELLED && line.chars().all(|letter| letter.is_ascii_alphabetic());
        let commands = COMMANDS.iter().filter(|(_, when, _)| self.can_type(*when));
        let names: Vec<&str> = commands.filter_map(|(usage, ..)| usage.split(' ').next()).collect();
        nearest(line, &names).filter(|_| is_word)
    }

    fn tell(&mut self, result: Result<(), String>) -> std::io::Result<()> {
        match result {
            Ok(()) => self.board(),
            Err(reason) => self.say(&wrapped(&reason, 0, 2)),
        }
    }

    /// What does not belong to the position any more.
    fn forget(&mut self) {
        self.account = None;
        self.end = None;
        self.loaded = None;
        self.marks = None;
        self.announced = false;
        self.may_resign = true;
    }

    /// Another game begins, with a file of its own.
    fn another_game(&mut self) {
        self.forget();
        self.resumed = false;
        if let Some(archive) = &mut self.archive {
            archive.begin();
            self.attention.set_kept(None);
        }
    }

    fn restart(&mut self, game: &Spec) -> Result<(), String> {
        for session in self.players.iter_mut().flatten().chain([&mut self.session]) {
            session.restart(game).map_err(|error| error.to_string())?;
        }
        self.another_game();
        Ok(())
    }

    fn hint(&mut self) -> std::io::Result<Next> {
        let seed = self.plan.seed.derive(self.session.steps() as u64);
        let mut watch = Watch { attention: &self.attention, output: self.output, live: self.live };
        match watch.think(&mut self.session, &self.plan.limits, seed)? {
            Thought::Report(report) => {
                let best = move_to_play(self.session.position(), &report).unwrap_or_else(|| "resign".into());
                self.say(&format!("Perhaps \x1b[1m{best}\x1b[0m:\n{}", table(&report)))?;
            }
            Thought::Failed(reason) => self.say(&wrapped(&reason, 0, 2))?,
            Thought::Leave => return Ok(Next::Leave),
        }
        Ok(Next::Stay)
    }

    fn explain(&mut self) -> std::io::Result<()> {
        match &self.account {
            None => self.say("No agent has moved yet."),
            Some(account) => {
                let text = format!("{} was played because:\n{}", account.mv, table(&account.report));
                self.say(&text)
            }
        }
    }

    /// Goes on after two passes, or after an agent has resigned, which then does not resign again.
    fn play_on(&mut self) -> std::io::Result<Next> {
        if self.marks.is_some() {
            return self.resume();
        }
        self.forget();
        self.may_resign = false;
        Ok(Next::Stay)
    }

    /// Goes back to the last position in which a person was to move.
    fn undo(&mut self) -> std::io::Result<()> {
        if matches!(self.end, Some(End::Resigned(_))) && !self.agent_has_resigned() {
            self.forget();
            return self.board();
        }
        let mut taken = 0;
        while self.session.undo().is_ok() {
            taken += 1;
            for player in self.players.iter_mut().flatten() {
                // They have the same moves.
                let _ = player.undo();
            }
            if self.players[self.session.position().turn().index()].is_none() {
                break;
            }
        }
        if taken == 0 {
            return self.say("There is nothing to take back.");
        }
        self.forget();
        self.board()
    }

    fn save(&mut self, path: &str) -> std::io::Result<()> {
        let saved = self.record().and_then(|record| {
            let written = self.session.access().write(path, record.as_bytes());
            written.map_err(|error| format!("{path}: {error}"))
        });
        match saved {
            Ok(()) => self.say(&format!("Saved in {path}.")),
            Err(reason) => self.say(&format!("Cannot save: {reason}")),
        }
    }

    fn load(&mut self, path: &str) -> std::io::Result<()> {
        let bytes = self.session.access().read(path, MOST_BYTES).map_err(|error| error.to_string());
        let loaded = bytes.and_then(|bytes| {
            for session in self.players.iter_mut().flatten().chain([&mut self.session]) {
                load_record(session, &bytes, None).map(drop)?;
            }
            Ok(records::details(&bytes))
        });
        let loaded = loaded.map(|details| {
            self.another_game();
            self.loaded = Some(details);
        });
        self.tell(loaded.map_err(|reason| format!("Cannot load {path}: {reason}")))
    }
}
