//! A game at the terminal: a person against an agent, or two agents, one line at a time.
//!
//! A line is a move or one of the commands that `help` lists. The conversation runs over any source
//! of lines and any output, so that tests need no terminal. Colours are always written; the output
//! removes them where there is no terminal.
//!
//! | file | what is in it |
//! |---|---|
//! | `mod.rs` | the game: whose turn it is, how it ends |
//! | `commands.rs` | what a line of the person does |
//! | `settle.rs` | dead stones at the end |
//! | `thinking.rs` | an agent thinks |
//! | `lines.rs`, `editor.rs` | lines of a stream and of an editor |
//! | `attention.rs`, `signals.rs` | Ctrl-C and SIGTERM |
//! | `archive.rs` | games that are kept |
//! | `pace.rs` | the time of a whole game |

mod archive;
mod attention;
mod commands;
mod editor;
mod lines;
mod pace;
mod settle;
mod signals;
mod thinking;

pub use archive::Archive;
pub use attention::Attention;
pub use editor::Edited;
pub use lines::{Line, Lines, Streamed, Words};
pub use pace::Pace;
pub use signals::watch;

use crate::date::today;
use crate::move_choice::move_to_play;
use crate::names;
use crate::output::wrapped;
use crate::picture::{Ink, draw, place_of};
use crate::protocol::save_record;
use crate::ranking::ranked;
use settle::Marks;
use std::io::Write;
use std::sync::Arc;
use tesuji_agents::records::{self, Details, GameResult};
use tesuji_agents::{Access, Session, SessionError, can_be_hurried};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Player, Report, Seed};
use thinking::{Thought, Watch, limits_in_words, verdict};

/// The seed of clearing dead stones away.
const CLEANING: Seed = Seed(1);

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

/// A move of an agent, and the report behind it.
struct Account {
    mv: String,
    report: Report<String>,
}

/// How a game ended that the rules alone did not end.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    Resigned(Player),
    /// Both sides agreed to the dead stones, with this result.
    Agreed(GameResult),
}

/// A game at the terminal.
pub struct Terminal<'a> {
    plan: Plan,
    /// The game that counts; its agent is the adviser.
    session: Session,
    /// The agents that play, each with a session of its own.
    players: [Option<Session>; 2],
    account: Option<Account>,
    end: Option<End>,
    /// The result was said.
    announced: bool,
    /// The dead stones, while they are marked.
    marks: Option<Marks>,
    /// The game was played on after both sides had passed.
    resumed: bool,
    /// Agents may give up.
    may_resign: bool,
    input: &'a mut dyn Lines,
    output: &'a mut dyn Write,
    /// Whether lines of the output may be drawn over.
    live: bool,
    attention: Arc<Attention>,
    archive: Option<Archive>,
    /// What the file that was loaded states of its game, until the game goes on.
    loaded: Option<Details>,
}

/// What a line at the prompt led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// The game goes on.
    Stay,
    Quit,
    /// The game is saved and left.
    Leave,
}

/// Why the conversation ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The game was over, the person quit, or there was no more input.
    Done,
    /// By a signal; what to say about it.
    Interrupted(String),
    /// An agent failed, for this reason.
    Failed(String),
}

impl<'a> Terminal<'a> {
    /// A game with these players.
    ///
    /// # Errors
    /// If the game or an agent does not exist.
    pub fn new(plan: Plan, input: &'a mut dyn Lines, output: &'a mut dyn Write) -> Result<Terminal<'a>, SessionError> {
        // The person at the terminal started the program and may open files.
        let session = Session::with_access(&plan.game, &plan.adviser, Access::unrestricted())?;
        let seat = |seat: &Seat| match seat {
            Seat::Person => Ok(None),
            Seat::Agent(agent) => Session::with_access(&plan.game, agent, Access::unrestricted()).map(Some),
        };
        let players = [seat(&plan.seats[0])?, seat(&plan.seats[1])?];
        Ok(Terminal {
            session,
            players,
            plan,
            account: None,
            end: None,
            announced: false,
            marks: None,
            resumed: false,
            may_resign: true,
            input,
            output,
            live: false,
            attention: Arc::default(),
            archive: None,
            loaded: None,
        })
    }

    /// The same on a screen, where a line shows how far an agent is.
    #[must_use]
    pub fn live(self) -> Terminal<'a> {
        Terminal { live: true, ..self }
    }

    /// The same with signals that are received here.
    #[must_use]
    pub fn attending(self, attention: Arc<Attention>) -> Terminal<'a> {
        Terminal { attention, ..self }
    }

    /// The same with games that are kept here.
    #[must_use]
    pub fn kept_in(self, archive: Archive) -> Terminal<'a> {
        Terminal { archive: Some(archive), ..self }
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        let ending = if text.ends_with('\n') { "" } else { "\n" };
        write!(self.output, "{text}{ending}")?;
        self.output.flush()
    }

    /// What people call a side.
    fn side(&self, player: Player) -> &'static str {
        self.session.position().sides().name(player)
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
        place_of(at.as_ref(), last)
    }

    fn has_person(&self) -> bool {
        self.plan.seats.contains(&Seat::Person)
    }

    /// Plays until the end, or until the person quits.
    ///
    /// # Errors
    /// If the streams fail.
    pub fn run(&mut self) -> std::io::Result<Ending> {
        if self.archive.is_none() {
            self.attention.set_kept(Some("the game is not saved: there is no folder for it".into()));
        }
        self.greet()?;
        self.board()?;
        let next = loop {
            if self.attention.must_leave() {
                break Next::Leave;
            }
            let next = match (self.result(), self.session.position().turn()) {
                (Some(result), _) => self.after_the_game(result)?,
                (None, _) if self.session.position().outcome().is_some() => self.settle()?,
                (None, turn) if self.players[turn.index()].is_some() => match self.agent_moves(turn)? {
                    Ok(next) => next,
                    Err(reason) => {
                        self.keep()?;
                        let reason = format!("{reason}; {}", self.attention.kept());
                        if !(self.live && self.has_person()) {
                            return Ok(Ending::Failed(reason));
                        }
                        // What is typed may mend it: an engine outside is started again after undo.
                        self.say(&wrapped(&reason, 0, 2))?;
                        self.prompt("The agent failed; undo, a move for it, save FILE, new or quit")?
                    }
                },
                (None, turn) => self.prompt(&format!("{} to move", self.side(turn)))?,
            };
            if next != Next::Stay {
                break next;
            }
        };
        if next == Next::Leave {
            self.keep()?;
            return Ok(Ending::Interrupted(self.attention.farewell()));
        }
        if let (true, Some(file)) = (self.has_person(), self.archive.as_ref().and_then(Archive::file)) {
            let text = format!("The game is kept in {}.", file.display());
            self.say(&text)?;
        }
        Ok(Ending::Done)
    }

    /// The game, and what can be done.
    fn greet(&mut self) -> std::io::Result<()> {
        self.say(&names::title(&self.session.game().to_string()))?;
        if !self.has_person() {
            return Ok(());
        }
        self.say("Type a move, or help.")?;
        let agent = self.players.iter().flatten().next();
        if let (Some(limits), Some(agent)) = (limits_in_words(&self.plan.limits), agent) {
            let now = if self.live && can_be_hurried(agent.agent()) { "; Ctrl-C makes it move" } else { "" };
            let text = format!("{} takes up to {limits} a move (--time S){now}.", agent.player_name());
            self.say(&wrapped(&text, 0, 2))?;
        }
        Ok(())
    }

    /// The result, once the game is over and no stones are left to agree about.
    fn result(&self) -> Option<GameResult> {
        match self.end {
            Some(End::Resigned(player)) => Some(records::resigned(player)),
            Some(End::Agreed(result)) => Some(result),
            None => {
                let position = self.session.position();
                position.outcome()?;
                let open = self.has_person() && position.settle(&[]).is_some();
                if open { None } else { records::result(position) }
            }
        }
    }

    /// The game ends here.
    fn end(&mut self, end: End) {
        self.end = Some(end);
        self.loaded = None;
        self.marks = None;
    }

    fn in_words(&self, result: GameResult) -> String {
        records::winner(result).map_or("A draw.".to_string(), |(winner, how)| {
            let how = match how {
                records::WinReason::Resignation => " by resignation".to_string(),
                records::WinReason::Score(points) => format!(" by {points}"),
                _ => String::new(),
            };
            format!("{} has won{how}.", self.side(winner))
        })
    }

    /// The game is over: says so, and asks what to do next.
    fn after_the_game(&mut self, result: GameResult) -> std::io::Result<Next> {
        if !self.announced {
            self.announced = true;
            self.say(&self.in_words(result))?;
            if self.has_person() {
                self.keep()?;
            }
        }
        if !self.has_person() {
            return Ok(Next::Quit);
        }
        let goes_on = if self.agent_has_resigned() { "continue, " } else { "" };
        self.prompt(&format!("The game is over; {goes_on}save FILE, undo, new or quit"))
    }

    /// Both sides have passed: the dead stones.
    fn settle(&mut self) -> std::io::Result<Next> {
        if self.marks.is_none() {
            self.marks = Marks::propose(self.session.position());
            self.show_marks()?;
        }
        self.prompt("Dead stones: accept, a stone, or continue")
    }

    fn agent_has_resigned(&self) -> bool {
        matches!(self.end, Some(End::Resigned(player)) if self.players[player.index()].is_some())
    }

    /// Lets an agent move; the error is the reason why it failed.
    fn agent_moves(&mut self, turn: Player) -> std::io::Result<Result<Next, String>> {
        let seed = self.plan.seed.derive(self.session.steps() as u64);
        let limits = match &mut self.plan.pace {
            Some(pace) => pace.next(&self.plan.limits, self.session.steps(), self.session.position().moves().len()),
            None => self.plan.limits.clone(),
        };
        let Some(player) = &mut self.players[turn.index()] else { return Ok(Ok(Next::Stay)) };
        let mut watch = Watch { attention: &self.attention, output: self.output, live: self.live };
        let thought = watch.think(player, &limits, seed)?;
        let name = player.player_name();
        let failed = |reason: &dyn std::fmt::Display| Ok(Err(format!("the agent {name} failed: {reason}")));
        let mut report = match thought {
            Thought::Report(report) => *report,
            Thought::Leave => return Ok(Ok(Next::Leave)),
            Thought::Failed(reason) => return failed(&reason),
        };
        if report.resigns && !self.may_resign {
            // It plays on with its best move, if it has one.
            report.best = ranked(&report).first().map(|entry| entry.mv.clone());
            report.resigns = report.best.is_none();
        }
        let mut best = move_to_play(self.session.position(), &report);
        if self.resumed && best.as_deref().is_none_or(|mv| mv == "pass") {
            best = self.session.position().cleaning_move(CLEANING).or(best);
        }
        let Some(best) = best else {
            if !report.resigns {
                return failed(&"it found no move");
            }
            self.end(End::Resigned(turn));
            self.say(&format!("\x1b[1m{name}\x1b[0m resigns."))?;
            return Ok(Ok(Next::Stay));
        };
        self.say(&format!("\x1b[1m{name}\x1b[0m plays \x1b[1m{best}\x1b[0m{}", verdict(&report)))?;
        if let Err(error) = self.play(&best) {
            return failed(&error);
        }
        self.account = Some(Account { mv: best, report });
        self.board()?;
        if self.has_person() {
            self.keep()?;
        }
        Ok(Ok(Next::Stay))
    }

    fn play(&mut self, mv: &str) -> Result<(), SessionError> {
        let shown = self.session.play(mv)?.to_string();
        for player in self.players.iter_mut().flatten() {
            player.play(&shown)?;
        }
        self.announced = false;
        self.loaded = None;
        Ok(())
    }

    /// The record of the game so far.
    fn record(&self) -> Result<String, String> {
        if let Some(details) = &self.loaded {
            let result = details.result.or_else(|| self.result());
            return save_record(&self.session, &Details { result, ..details.clone() });
        }
        let name = |seat: &Option<Session>| match seat {
            None => "human".to_string(),
            Some(session) => session.engine_name().unwrap_or_else(|| format!("tesuji {}", session.agent().name)),
        };
        let players = [Some(name(&self.players[0])), Some(name(&self.players[1]))];
        save_record(&self.session, &Details { players, result: self.result(), date: Some(today()) })
    }

    /// Keeps the game in the archive, if a move was played.
    fn keep(&mut self) -> std::io::Result<()> {
        if self.archive.is_none() || self.session.steps() == 0 {
            return Ok(());
        }
        let (name, record) = (self.session.game().name.clone(), self.record());
        let Some(archive) = &mut self.archive else { return Ok(()) };
        match record.and_then(|record| archive.keep(&name, &record)) {
            Ok(file) => self.attention.set_kept(Some(format!("the game is saved in {}", file.display()))),
            Err(reason) => {
                self.archive = None;
                self.attention.set_kept(Some(format!("the game could not be saved: {reason}")));
                self.say(&format!("The game cannot be kept: {reason}"))?;
            }
        }
        Ok(())
    }
}
