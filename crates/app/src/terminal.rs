//! A game at the terminal: a person against an agent, or two agents, one line at a time.
//!
//! A line is a move or one of the commands that `help` lists. The conversation runs over any pair
//! of streams, so that tests need no terminal. Colours are always written; the output removes them
//! where there is no terminal.

use crate::move_choice::move_to_play;
use crate::picture::{Ink, draw};
use crate::protocol::{load_record, save_record};
use crate::ranking::{ranked, winrate};
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};
use tesuji_agents::{Access, Session, SessionError};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Player, Report, Seed};

/// Larger files are not read.
const MOST_BYTES: u64 = 16 << 20;
/// Longer lines are cut.
const LONGEST_LINE: u64 = 4096;
/// Moves of the root that are shown.
const MOST_ROWS: usize = 8;

/// Who plays a side.
#[derive(Clone, PartialEq, Debug)]
pub enum Seat {
    /// The person at the terminal.
    Person,
    /// An agent.
    Agent(Spec),
}

/// The game to play, its players and its limits.
pub struct Plan {
    /// The game.
    pub game: Spec,
    /// Who plays first and who second.
    pub seats: [Seat; 2],
    /// The agent that gives hints.
    pub adviser: Spec,
    /// The limits of a move.
    pub limits: Budget,
    /// How long the whole game may take, if it should be over soon.
    pub pace: Option<Pace>,
    /// The seed of everything random.
    pub seed: Seed,
    /// How boards are drawn.
    pub ink: Ink,
}

/// A time for a whole game, which its moves share.
///
/// A move gets what is left divided by the number of moves expected, so that the game ends in about
/// the time given, at the cost of weaker moves.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// When the game should be over.
    until: Instant,
}

impl Pace {
    /// A game that should be over after this time.
    #[must_use]
    pub fn of(time: Duration) -> Pace {
        Pace { until: Instant::now() + time }
    }

    /// The limits of the next move, after `played` moves and with `legal` to choose from.
    fn next(self, limits: &Budget, played: usize, legal: usize) -> Budget {
        let left = self.until.saturating_duration_since(Instant::now());
        // Boards that fill up have about as many moves to come as are legal; other games go on for
        // a share of the moves so far.
        let to_come = legal.max(played / 4).clamp(10, 400) as u32;
        let share = left / to_come;
        Budget { soft_time: Some(share), hard_time: Some(share), ..limits.clone() }
    }
}

/// A move of an agent, and the report behind it.
struct Account {
    mv: String,
    report: Report<String>,
}

/// A game at the terminal.
pub struct Terminal<'a> {
    plan: Plan,
    /// The game that counts; its agent is the adviser.
    session: Session,
    /// The agents that play, each with a session of its own.
    players: [Option<Session>; 2],
    account: Option<Account>,
    resigned: Option<Player>,
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

/// What a line at the prompt led to.
enum Next {
    /// The game goes on.
    Stay,
    Quit,
}

const HELP: &str = "\
a move          plays it; `moves` lists them all
hint            what the agent would play
explain         why the last move of an agent was played
undo            takes back your last move and the answer to it
save FILE       writes the game as SGF      load FILE   reads one
resign          gives the game up           new         begins again
board           draws the board             quit        leaves";

impl<'a> Terminal<'a> {
    /// A game with these players.
    ///
    /// # Errors
    /// If the game or an agent does not exist.
    pub fn new(
        plan: Plan,
        input: &'a mut dyn BufRead,
        output: &'a mut dyn Write,
    ) -> Result<Terminal<'a>, SessionError> {
        // The person at the terminal started the program and may open files.
        let session = Session::with_access(&plan.game, &plan.adviser, Access::unrestricted())?;
        let seat = |seat: &Seat| match seat {
            Seat::Person => Ok(None),
            Seat::Agent(agent) => Session::with_access(&plan.game, agent, Access::unrestricted()).map(Some),
        };
        let players = [seat(&plan.seats[0])?, seat(&plan.seats[1])?];
        Ok(Terminal { session, players, plan, account: None, resigned: None, input, output })
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        let ending = if text.ends_with('\n') { "" } else { "\n" };
        write!(self.output, "{text}{ending}")?;
        self.output.flush()
    }

    fn board(&mut self) -> std::io::Result<()> {
        let last = self.last_place();
        let picture = draw(&self.session.position().view(), self.plan.ink, last);
        self.say(&format!("\n{picture}"))
    }

    /// Where the last move was played.
    fn last_place(&self) -> Option<(usize, usize)> {
        let (last, before) = self.session.moves().split_last()?;
        let mut at = self.session.start_position().boxed_clone();
        before.iter().try_for_each(|mv| at.play(mv).map(drop)).ok()?;
        at.place_of(last)
    }

    /// Plays until the end, or until the person quits.
    ///
    /// # Errors
    /// If the streams fail.
    pub fn run(&mut self) -> std::io::Result<()> {
        let has_person = self.plan.seats.contains(&Seat::Person);
        self.say(&format!("\x1b[1m{}\x1b[0m", self.session.game()))?;
        if has_person {
            self.say("Type a move, or help.")?;
        }
        self.board()?;
        loop {
            let outcome = self.session.position().outcome();
            if let Some(winner) = outcome.map(|outcome| outcome.winner()).or(self.resigned.map(|who| Some(who.other())))
            {
                let how = if self.resigned.is_some() { " by resignation" } else { "" };
                self.say(&match winner {
                    Some(Player::First) => format!("The first player has won{how}."),
                    Some(Player::Second) => format!("The second player has won{how}."),
                    None => "A draw.".to_string(),
                })?;
                if !has_person {
                    return Ok(());
                }
                match self.prompt("The game is over; save, undo, new or quit")? {
                    Next::Quit => return Ok(()),
                    Next::Stay => continue,
                }
            }
            let turn = self.session.position().turn();
            if self.players[turn.index()].is_some() {
                if !self.agent_moves(turn)? {
                    return Ok(());
                }
                continue;
            }
            match self.prompt(&format!("{turn} to move"))? {
                Next::Quit => return Ok(()),
                Next::Stay => {}
            }
        }
    }

    /// Lets an agent move; returns whether the game can go on.
    fn agent_moves(&mut self, turn: Player) -> std::io::Result<bool> {
        let seed = self.plan.seed.derive(self.session.steps() as u64);
        let Some(player) = &mut self.players[turn.index()] else { return Ok(false) };
        let limits = match &mut self.plan.pace {
            Some(pace) => pace.next(&self.plan.limits, self.session.steps(), self.session.position().moves().len()),
            None => self.plan.limits.clone(),
        };
        let thought = player.start(&limits, seed).and_then(|()| player.wait());
        let name = player.agent().name.clone();
        let report = match thought {
            Ok(report) => report,
            Err(error) => {
                self.say(&format!("The agent {name} failed: {error}"))?;
                return Ok(false);
            }
        };
        let Some(best) = move_to_play(self.session.position(), &report) else {
            self.resigned = Some(turn);
            self.say(&format!("{name} resigns."))?;
            return Ok(true);
        };
        self.say(&format!(
            "\x1b[1m{name}\x1b[0m plays \x1b[1m{best}\x1b[0m (value {:.2}, {} iterations)",
            report.value.for_player(turn),
            report.iterations
        ))?;
        if let Err(error) = self.play(&best) {
            self.say(&format!("The agent {name} failed: {error}"))?;
            return Ok(false);
        }
        self.account = Some(Account { mv: best, report });
        self.board()?;
        Ok(true)
    }

    fn play(&mut self, mv: &str) -> Result<(), SessionError> {
        let shown = self.session.play(mv)?.to_string();
        for player in self.players.iter_mut().flatten() {
            player.play(&shown)?;
        }
        Ok(())
    }

    fn prompt(&mut self, what: &str) -> std::io::Result<Next> {
        write!(self.output, "{what} > ")?;
        self.output.flush()?;
        let mut bytes = Vec::new();
        let mut bounded = std::io::Read::take(&mut *self.input, LONGEST_LINE);
        if bounded.read_until(b'\n', &mut bytes)? == 0 {
            self.say("")?;
            return Ok(Next::Quit);
        }
        let line: String = String::from_utf8_lossy(&bytes).chars().filter(|c| !c.is_control()).collect();
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let over = self.session.position().outcome().is_some() || self.resigned.is_some();
        match word {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "help" | "?" => self.say(HELP)?,
            "board" => self.board()?,
            "moves" => {
                let moves = self.session.position().moves().join(" ");
                self.say(&moves)?;
            }
            "hint" if !over => self.hint()?,
            "explain" => self.explain()?,
            "undo" => return self.undo(),
            "resign" if !over => {
                self.resigned = Some(self.session.position().turn());
                return Ok(Next::Stay);
            }
            "new" => {
                let game = self.session.game().clone();
                let begun = self.restart(&game);
                self.tell(begun)?;
                return Ok(Next::Stay);
            }
            "save" if !rest.is_empty() => {
                let saved = save_record(&self.session).and_then(|record| {
                    let written = self.session.access().write(rest, record.as_bytes());
                    written.map_err(|error| format!("{rest}: {error}"))
                });
                match saved {
                    Ok(()) => self.say(&format!("Saved in {rest}."))?,
                    Err(reason) => self.say(&format!("Cannot save: {reason}"))?,
                }
            }
            "load" if !rest.is_empty() => return self.load(rest),
            "save" | "load" => self.say("Say which file.")?,
            _ if over => self.say("The game is over.")?,
            mv => match self.play(mv) {
                Ok(()) => {
                    self.board()?;
                    return Ok(Next::Stay);
                }
                Err(error) => self.say(&error.to_string())?,
            },
        }
        Ok(Next::Stay)
    }

    fn tell(&mut self, result: Result<(), String>) -> std::io::Result<()> {
        match result {
            Ok(()) => self.board(),
            Err(reason) => self.say(&reason),
        }
    }

    fn restart(&mut self, game: &Spec) -> Result<(), String> {
        for session in self.players.iter_mut().flatten().chain([&mut self.session]) {
            session.restart(game).map_err(|error| error.to_string())?;
        }
        self.account = None;
        self.resigned = None;
        Ok(())
    }

    fn hint(&mut self) -> std::io::Result<()> {
        let seed = self.plan.seed.derive(self.session.steps() as u64);
        let thought = self.session.start(&self.plan.limits, seed).and_then(|()| self.session.wait());
        match thought {
            Ok(report) => {
                let best = move_to_play(self.session.position(), &report).unwrap_or_else(|| "resignation".into());
                self.say(&format!("Perhaps \x1b[1m{best}\x1b[0m:"))?;
                let table = table(&report);
                self.say(&table)
            }
            Err(error) => self.say(&error.to_string()),
        }
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

    /// Goes back to the last position in which a person was to move.
    fn undo(&mut self) -> std::io::Result<Next> {
        if self.resigned.take().is_some() {
            self.board()?;
            return Ok(Next::Stay);
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
        self.account = None;
        if taken == 0 {
            self.say("There is nothing to take back.")?;
            return Ok(Next::Stay);
        }
        self.board()?;
        Ok(Next::Stay)
    }

    fn load(&mut self, path: &str) -> std::io::Result<Next> {
        let bytes = self.session.access().read(path, MOST_BYTES).map_err(|error| error.to_string());
        let loaded = bytes.and_then(|bytes| {
            for session in self.players.iter_mut().flatten().chain([&mut self.session]) {
                load_record(session, &bytes, None).map(drop)?;
            }
            Ok(())
        });
        if loaded.is_ok() {
            self.account = None;
            self.resigned = None;
        }
        self.tell(loaded.map_err(|reason| format!("Cannot load {path}: {reason}")))?;
        Ok(Next::Stay)
    }
}

/// The best moves of a report and its line.
fn table(report: &Report<String>) -> String {
    let mut text = String::from("move        visits   value  proved\n");
    for entry in ranked(report).into_iter().take(MOST_ROWS) {
        let (sure, hoped) = entry.bounds.for_player(report.turn);
        let proved = if sure == hoped { sure.to_string() } else { String::new() };
        let note = entry.note.as_deref().unwrap_or_default();
        let row = format!("{:<8} {:>9}  {:.4}  {proved} {note}", entry.mv, entry.visits, winrate(entry, report.turn));
        text += row.trim_end();
        text.push('\n');
    }
    text += &format!("line: {}", report.line.join(" "));
    text
}
