//! The greeting with its options, and `setoption`.

use super::{Dialect, Uci, say, variants};
use tesuji_core::spec::Spec;

/// How UCI writes an empty string.
const EMPTY: &str = "<empty>";
/// Threads a client may ask for.
const MOST_THREADS: u32 = 512;

impl Uci {
    /// Who this is, and what can be set.
    pub(super) fn hello(&self, out: &mut String) {
        say(out, &format!("id name tesuji {}", env!("CARGO_PKG_VERSION")));
        say(out, "id author the tesuji project");
        let memory = (self.engine.setup.limits.memory_bytes() >> 20).max(1);
        match self.dialect {
            Dialect::Uci => {
                say(out, &format!("option name Hash type spin default {memory} min 1 max 1048576"));
                say(out, &format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"));
                say(out, "option name MultiPV type spin default 1 min 1 max 500");
                let session = &self.engine.session;
                let variant = variants::name_of(session.game(), session.position());
                let names: Vec<String> = variants::names().iter().map(|name| format!("var {name}")).collect();
                say(out, &format!("option name UCI_Variant type combo default {variant} {}", names.join(" ")));
                say(out, &format!("option name Agent type string default {}", self.agent_default()));
                say(out, "uciok");
            }
            Dialect::Ucci => {
                say(out, "option usemillisec type check default false");
                say(out, &format!("option hashsize type spin min 1 max 1048576 default {memory}"));
                say(out, &format!("option threads type spin min 1 max {MOST_THREADS} default 1"));
                say(out, "option batch type check default false");
                say(out, "option debug type check default false");
                say(out, "option newgame type button");
                say(out, "ucciok");
            }
        }
    }

    /// The agent as the default of an option. A text with one of the protocol's own words in it,
    /// such as `max`, would be cut there by clients (python-chess): the empty string stands for it.
    fn agent_default(&self) -> String {
        let has_key = |text: &str| {
            let is_key = |word: &str| ["name", "type", "default", "min", "max", "var"].contains(&word);
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(is_key)
        };
        let session = &self.engine.session;
        let texts = [session.agent(), session.asked_agent()].map(ToString::to_string);
        texts.into_iter().find(|text| !has_key(text)).unwrap_or_else(|| EMPTY.into())
    }

    /// Sets an option; one that is not known is skipped.
    pub(super) fn set_option(&mut self, words: &[&str], out: &mut String) {
        let (name, value) = match self.dialect {
            Dialect::Uci => {
                let at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
                let name = words[..at].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
                (name, words.get(at + 1..).unwrap_or_default().join(" "))
            }
            Dialect::Ucci => {
                (words.first().copied().unwrap_or_default().to_string(), words.get(1..).unwrap_or_default().join(" "))
            }
        };
        let truth = ["true", "on", "1"].contains(&value.as_str());
        match name.to_ascii_lowercase().as_str() {
            "hash" | "hashsize" => {
                if let Ok(megabytes) = value.parse::<u64>() {
                    self.engine.set_memory(Some(megabytes.saturating_mul(1 << 20)));
                }
            }
            "threads" => {
                if let Ok(threads) = value.parse::<u32>() {
                    self.engine.set_threads(threads.min(MOST_THREADS));
                }
            }
            "multipv" => self.lines = value.parse().unwrap_or(1).clamp(1, 500),
            "usemillisec" => self.milliseconds = truth,
            "newgame" => self.new_game(),
            "uci_variant" => {
                let Some(game) = variants::game_of(&value) else {
                    return say(out, "info string there is no such variant");
                };
                if let Err(error) = self.restart(&game) {
                    return say(out, &format!("info string {error}"));
                }
                self.number_ranks();
                self.lost = false;
            }
            // The agent of the command line.
            "agent" if value.is_empty() || value == EMPTY => {
                let agent = self.engine.setup.agent.clone();
                self.change_agent(&agent, out);
            }
            "agent" => match value.parse::<Spec>() {
                Ok(agent) => self.change_agent(&agent, out),
                Err(error) => say(out, &format!("info string {error}")),
            },
            _ => {}
        }
    }

    fn change_agent(&mut self, agent: &Spec, out: &mut String) {
        match self.engine.session.change_agent(agent) {
            Ok(()) => self.asked = None,
            Err(error) => say(out, &format!("info string {error}")),
        }
    }
}
