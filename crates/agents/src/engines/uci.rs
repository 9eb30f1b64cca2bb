//! UCI: engines for Chinese chess, and for games of stones on small boards; the part that UCCI
//! shares.
//!
//! The engine is told the whole game before each move (`position … moves …`), so that it keeps
//! nothing that could differ. `go` gets all limits there are: `movetime`, `nodes` (the lesser of
//! iterations and nodes), `depth`; without any it is `go infinite`. Where the stop flag is thrown,
//! or the time is up, the engine is told to `stop` and has a moment to answer; only then is it
//! ended. From its last `info` come value, nodes, depth and the expected line.
//!
//! Options: `Threads` from the budget, `Hash` where the memory of the budget is not the default or
//! less than the engine would take, `UCI_Variant` by the game or by `variant`, and what `options`
//! says. An option that the engine does not have is refused with the names of those it has.
//!
//! Reference: S. Meyer-Kahlen, *UCI*, 2004; Fairy-Stockfish for variants and drops.

use super::process::EngineError;
use super::{Answer, COMMAND, Dialogue, Game, MOVE_TIMEOUT, Talk};
use crate::AnyPosition;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Budget, EngineProtocol};

/// How late a move may be before the engine is told to stop.
const OVERTIME: Duration = Duration::from_millis(200);
/// The most options an engine may have.
const MOST_OPTIONS: usize = 1_000;

/// The parameter for options of the engine.
pub(super) const OPTIONS: Parameter = Parameter {
    name: "options",
    about: "options of the engine: \"Name=value;Other Name=value\"",
    kind: Kind::Text,
    default: None,
};

/// The two protocols, where they differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Uci,
    Ucci,
}

impl Dialect {
    /// The word that opens a conversation, and the engine's answer.
    const fn greeting(self) -> (&'static str, &'static str) {
        match self {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::Ucci => ("ucci", "ucciok"),
        }
    }

    fn set(self, name: &str, value: &str) -> String {
        match self {
            Dialect::Ucci => format!("setoption {name} {value}"),
            Dialect::Uci if value.is_empty() => format!("setoption name {name}"),
            Dialect::Uci => format!("setoption name {name} value {value}"),
        }
    }

    /// The limits of a search.
    fn go(self, budget: &Budget) -> String {
        let mut text = String::from("go");
        let nodes = budget.iterations.into_iter().chain(budget.nodes).min();
        if let Some(time) = budget.hard_time {
            let milliseconds = time.as_millis().max(1);
            let _ = match self {
                Dialect::Uci => write!(text, " movetime {milliseconds}"),
                // One move is left for this time.
                Dialect::Ucci => write!(text, " time {milliseconds} movestogo 1"),
            };
        }
        // UCCI has one kind of limit at a time; the others are kept by `stop`.
        let room = |text: &str| self == Dialect::Uci || text == "go";
        if let Some(nodes) = nodes.filter(|_| room(&text)) {
            let _ = write!(text, " nodes {nodes}");
        }
        if let Some(depth) = budget.depth.filter(|_| room(&text)) {
            let _ = write!(text, " depth {depth}");
        }
        if text == "go" {
            text += if self == Dialect::Uci { " infinite" } else { " depth infinite" };
        }
        text
    }
}

/// An option that an engine has.
#[derive(Default)]
struct EngineOption {
    default: String,
    least: Option<i64>,
    most: Option<i64>,
    choices: Vec<String>,
}

impl EngineOption {
    /// Why this cannot be its value.
    fn objection(&self, value: &str) -> Option<String> {
        if !self.choices.is_empty() && !self.choices.iter().any(|choice| choice == value) {
            return Some(format!("expected one of {}", self.choices.join(", ")));
        }
        let (least, most) = (self.least?, self.most?);
        let fits = value.parse::<i64>().is_ok_and(|number| (least..=most).contains(&number));
        (!fits).then(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// Reads `option name Some Name type spin default 1 min 1 max 4`, or the same without `name`.
fn read_option(line: &str) -> Option<(String, EngineOption)> {
    let rest = line.strip_prefix("option ")?;
    let rest = rest.strip_prefix("name ").unwrap_or(rest);
    let (name, rest) = rest.split_once(" type ")?;
    let mut option = EngineOption::default();
    let mut values: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in rest.split_whitespace().skip(1) {
        match (word, values.last_mut()) {
            ("default" | "min" | "max" | "var", _) => values.push((word, Vec::new())),
            (_, Some((_, value))) => value.push(word),
            _ => {}
        }
    }
    for (key, value) in values {
        let value = value.join(" ");
        match key {
            "default" => option.default = value,
            "min" => option.least = value.parse().ok(),
            "max" => option.most = value.parse().ok(),
            _ => option.choices.push(value),
        }
    }
    Some((name.trim().to_string(), option))
}

/// What both protocols share.
pub(super) struct Chess {
    dialect: Dialect,
    /// The variant that was named.
    variant: Option<String>,
    /// The options that were named.
    named: Vec<(String, String)>,
    /// What the engine can be set to, by the lower-case name; empty before the greeting.
    known: BTreeMap<String, (String, EngineOption)>,
    /// What it calls itself (`id name`).
    name: Option<String>,
    greeted: bool,
    /// What it was set to.
    sent: Vec<(String, String)>,
    /// Whether it is still to be told that a game begins.
    fresh: bool,
}

impl Chess {
    pub(super) fn new(dialect: Dialect, arguments: &Arguments) -> Result<Chess, ArgumentError> {
        let mut named = Vec::new();
        let text = arguments.text("options").unwrap_or_default();
        if text.chars().any(char::is_control) {
            return Err(ArgumentError::of("options", "expected text without line ends and control characters"));
        }
        for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').unwrap_or((item, ""));
            if name.trim().is_empty() {
                return Err(ArgumentError::of("options", format!("\"{item}\" has no name: expected Name=value")));
            }
            named.push((name.trim().to_string(), value.trim().to_string()));
        }
        Ok(Chess {
            dialect,
            variant: None,
            named,
            known: BTreeMap::new(),
            name: None,
            greeted: false,
            sent: Vec::new(),
            fresh: true,
        })
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn started(&mut self) {
        self.known.clear();
        self.sent.clear();
        (self.greeted, self.fresh) = (false, true);
    }

    pub(super) fn begun(&mut self) {
        self.fresh = true;
    }

    fn greet(&mut self, talk: &mut Talk<'_>) -> Result<(), EngineError> {
        let (hello, done) = self.dialect.greeting();
        talk.tell(hello);
        let (known, own_name) = (&mut self.known, &mut self.name);
        talk.hear_first(hello, |line| {
            if let Some((name, option)) = read_option(line).filter(|_| known.len() < MOST_OPTIONS) {
                known.insert(name.to_lowercase(), (name, option));
            }
            if let Some(name) = line.trim().strip_prefix("id name ") {
                *own_name = Some(name.trim().to_string());
            }
            (line.trim() == done).then_some(())
        })?;
        self.greeted = true;
        Ok(())
    }

    /// Sets an option that the engine has.
    fn set(&mut self, talk: &mut Talk<'_>, name: &str, value: &str) -> Result<(), EngineError> {
        let Some((name, option)) = self.known.get(&name.to_lowercase()) else {
            let names: Vec<&str> = self.known.values().map(|(name, _)| name.as_str()).take(40).collect();
            let why = format!("the engine has no option \"{name}\"; it has {}", names.join(", "));
            return Err(EngineError::unsupported(&why));
        };
        if let Some(objection) = option.objection(value) {
            return Err(EngineError::unsupported(&format!("the engine's option {name}={value}: {objection}")));
        }
        let setting = (name.clone(), value.to_string());
        if !self.sent.contains(&setting) {
            self.sent.retain(|(sent, _)| *sent != setting.0);
            talk.tell(&self.dialect.set(&setting.0, value));
            self.sent.push(setting);
        }
        Ok(())
    }

    fn option(&self, name: &str) -> Option<&EngineOption> {
        self.known.get(&name.to_lowercase()).map(|(_, option)| option)
    }

    /// What the game, the budget and the agent's own options want; the last word is theirs.
    fn wanted(&self, start: &dyn AnyPosition, budget: &Budget) -> Vec<(String, String)> {
        let mut wanted: Vec<(&str, String)> = Vec::new();
        let usual = start.uci_variant().filter(|_| self.option("UCI_Variant").is_some());
        if let Some(variant) = self.variant.as_deref().or(usual) {
            wanted.push(("UCI_Variant", variant.into()));
        }
        if self.option("usemillisec").is_some() {
            wanted.push(("usemillisec", "true".into()));
        }
        let threads = budget.thread_count().to_string();
        if threads != "1" || self.option("Threads").is_some_and(|option| option.default != threads) {
            wanted.push(("Threads", threads));
        }
        for name in ["Hash", "hashsize"] {
            let Some(option) = self.option(name) else { continue };
            let megabytes = i64::try_from(budget.memory_bytes() >> 20).unwrap_or(i64::MAX);
            let usual = option.default.parse().unwrap_or(i64::MAX);
            if budget.memory_bytes() != Budget::DEFAULT_MEMORY || megabytes < usual {
                let megabytes = megabytes.min(option.most.unwrap_or(i64::MAX)).max(option.least.unwrap_or(1));
                wanted.push((name, megabytes.to_string()));
            }
        }
        wanted.retain(|(name, _)| !self.named.iter().any(|(named, _)| named.eq_ignore_ascii_case(name)));
        wanted.into_iter().map(|(name, value)| (name.to_string(), value)).chain(self.named.iter().cloned()).collect()
    }

    fn wait_until_ready(&self, talk: &mut Talk<'_>) -> Result<(), EngineError> {
        talk.tell("isready");
        talk.hear_first("isready", |line| (line.trim() == "readyok").then_some(()))
    }

    pub(super) fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError> {
        if !self.greeted {
            self.greet(talk)?;
        }
        for (name, value) in self.wanted(game.start.as_ref(), budget) {
            self.set(talk, &name, &value)?;
        }
        if std::mem::take(&mut self.fresh) {
            if self.dialect == Dialect::Uci {
                talk.tell("ucinewgame");
            }
            self.wait_until_ready(talk)?;
        }
        talk.tell(&self.position(game));
        let asked = self.dialect.go(budget);
        talk.tell(&asked);
        let mut found = Answer { asked: asked.clone(), ..Answer::default() };
        let mut listen = |line: &str| heard(line, &mut found);
        let began = Instant::now();
        let most = budget.hard_time.map_or(MOVE_TIMEOUT, |time| time + OVERTIME);
        let first = talk.hear(&asked, most, &mut listen);
        let end = match first {
            Err(EngineError::Stopped { .. } | EngineError::Slow { .. }) => {
                talk.tell("stop");
                let late = |error| match error {
                    EngineError::Slow { asked, .. } => {
                        EngineError::Slow { asked, seconds: began.elapsed().as_secs_f64().ceil() as u64 }
                    }
                    other => other,
                };
                talk.hear_out(&asked, &mut listen).map_err(late)?
            }
            end => end?,
        };
        match end {
            End::Move(text) => found.text = Some(text),
            End::Resigns => {}
            End::Nothing(said) => {
                return Err(EngineError::Illegal {
                    asked,
                    reason: format!("it said \"{said}\" in a game that goes on"),
                });
            }
        }
        Ok(found)
    }

    /// The whole game.
    fn position(&self, game: &Game) -> String {
        let mut text = match game.start.setup_text() {
            Some(fen) if self.dialect == Dialect::Ucci || !game.start.is_usual_start() => format!("position fen {fen}"),
            _ => "position startpos".to_string(),
        };
        if !game.moves.is_empty() {
            text += " moves";
            for mv in &game.moves {
                let _ = write!(text, " {}", mv.text);
            }
        }
        text
    }
}

/// How a search ended.
enum End {
    Move(String),
    Resigns,
    /// No move, in these words.
    Nothing(&'static str),
}

/// Reads a line of a search: what it says of the position, or its end.
fn heard(line: &str, found: &mut Answer) -> Option<End> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "bestmove" => Some(match words.next() {
            None | Some("(none)" | "0000" | "NULL") => End::Nothing("bestmove (none)"),
            Some(_) if words.any(|word| word == "resign") => End::Resigns,
            Some(mv) => End::Move(mv.to_string()),
        }),
        "nobestmove" => Some(End::Nothing("nobestmove")),
        "info" => {
            read_info(words, found);
            None
        }
        _ => None,
    }
}

fn read_info<'a>(words: impl Iterator<Item = &'a str>, found: &mut Answer) {
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            // Only the best line counts.
            "multipv" if words.next().is_some_and(|number| number != "1") => return,
            "depth" => found.depth = words.next().and_then(|number| number.parse().ok()).unwrap_or(found.depth),
            "nodes" => found.nodes = words.next().and_then(|number| number.parse().ok()).unwrap_or(found.nodes),
            "score" => {
                let kind = words.next_if(|word| ["cp", "mate"].contains(word));
                let number = words.next().and_then(|number| number.parse::<f64>().ok()).filter(|n| n.is_finite());
                found.value = match (kind, number) {
                    (_, None) => found.value,
                    (Some("mate"), Some(plies)) => Some(if plies > 0.0 { 1.0 } else { 0.0 }),
                    // Elo's scale: 400 centipawns are odds of ten to one.
                    (_, Some(centipawns)) => Some(1.0 / (1.0 + 10_f64.powf(-centipawns / 400.0))),
                };
            }
            "pv" => {
                found.line = words.by_ref().map(str::to_string).collect();
            }
            _ => {}
        }
    }
}

/// The UCI side of an agent.
pub(crate) struct Uci(Chess);

impl Describe for Uci {
    const DESCRIPTION: Description = Description {
        name: "uci",
        about: "another engine that speaks UCI, for Chinese chess, Gomoku, tic-tac-toe and m,n,k-games",
        parameters: &[
            COMMAND,
            Parameter {
                name: "variant",
                about: "the engine's name of the game; by default the usual one, such as \"xiangqi\"",
                kind: Kind::Text,
                default: None,
            },
            OPTIONS,
        ],
    };
}

impl Dialogue for Uci {
    const PROTOCOL: EngineProtocol = EngineProtocol::Uci;
    const FAREWELL: &'static str = "quit";
    const COUNTS_WORK: bool = true;
    const HAS_STOP: bool = true;

    fn new(arguments: &Arguments) -> Result<Uci, ArgumentError> {
        let variant = arguments.text("variant").map(str::to_string);
        if variant.as_ref().is_some_and(|name| name.is_empty() || name.contains(|c: char| c.is_control() || c == ' ')) {
            return Err(ArgumentError::of("variant", "expected one word"));
        }
        Ok(Uci(Chess { variant, ..Chess::new(Dialect::Uci, arguments)? }))
    }

    fn objection(&self, start: &dyn AnyPosition) -> Option<String> {
        let can_be_told = start.is_usual_start() || start.setup_text().is_some();
        (!can_be_told).then(|| "over UCI this game begins from its usual start only".into())
    }

    fn name(&self) -> Option<&str> {
        self.0.name()
    }

    fn started(&mut self) {
        self.0.started();
    }

    fn begun(&mut self) {
        self.0.begun();
    }

    fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError> {
        self.0.ask(talk, game, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Answer;
    use super::{Dialect, End, heard, read_option};
    use std::time::Duration;
    use tesuji_core::Budget;

    #[test]
    fn options_of_both_dialects() {
        let (name, option) = read_option("option name Skill Level type spin default 20 min -20 max 20").expect("one");
        assert_eq!((name.as_str(), option.default.as_str()), ("Skill Level", "20"));
        assert!(
            option.objection("-20").is_none() && option.objection("21").is_some() && option.objection("x").is_some()
        );
        let (name, option) =
            read_option("option UCI_Variant type combo default xiangqi var chess var xiangqi").expect("one");
        assert_eq!(name, "UCI_Variant");
        assert!(option.objection("chess").is_none() && option.objection("go").is_some());
        let (name, option) = read_option("option name Clear Hash type button").expect("one");
        assert!(name == "Clear Hash" && option.objection("").is_none());
        for wrong in ["", "option", "option name x", "id name type x"] {
            assert!(read_option(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn all_limits_are_told() {
        let time = Some(Duration::from_millis(250));
        let all = Budget { hard_time: time, iterations: Some(9), nodes: Some(7), depth: Some(3), ..Budget::default() };
        assert_eq!(Dialect::Uci.go(&all), "go movetime 250 nodes 7 depth 3");
        assert_eq!(Dialect::Ucci.go(&all), "go time 250 movestogo 1");
        assert_eq!(Dialect::Ucci.go(&Budget::iterations(5)), "go nodes 5");
        assert_eq!(Dialect::Uci.go(&Budget::default()), "go infinite");
        assert_eq!(Dialect::Ucci.go(&Budget::default()), "go depth infinite");
    }

    #[test]
    fn what_engines_say() {
        let mut found = Answer::default();
        let lines = [
            "info depth 5 seldepth 6 multipv 1 score cp 400 upperbound nodes 1000 nps 250000 time 4 pv h1g3 h8c8",
            "info depth 5 multipv 2 score cp -900 nodes 1100 pv a1a2",
            "info string nodes 7 depth 99",
            "info currmove h1g3 depth",
            "hello",
            "",
        ];
        for line in lines {
            assert!(heard(line, &mut found).is_none(), "{line}");
        }
        assert_eq!((found.depth, found.nodes), (5, 1000));
        assert!((found.value.expect("a score") - 10.0 / 11.0).abs() < 1e-9);
        assert_eq!(found.line, ["h1g3", "h8c8"]);
        heard("info score -50 depth 2", &mut found);
        assert!(found.value.is_some_and(|value| value < 0.5));
        heard("info score mate -3", &mut found);
        assert_eq!(found.value, Some(0.0));
        heard("info score cp NaN", &mut found);
        assert_eq!(found.value, Some(0.0));
        assert!(matches!(heard("bestmove h2e2 ponder a1a2", &mut found), Some(End::Move(mv)) if mv == "h2e2"));
        assert!(matches!(heard("bestmove h2e2 resign", &mut found), Some(End::Resigns)));
        for nothing in ["bestmove", "bestmove (none)", "nobestmove"] {
            assert!(matches!(heard(nothing, &mut found), Some(End::Nothing(_))), "{nothing}");
        }
    }
}
