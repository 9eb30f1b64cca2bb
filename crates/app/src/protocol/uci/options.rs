//! The greeting with its options, and `setoption`.

use super::{Dialect, Uci, say};
use tesuji_core::spec::Spec;

/// Threads a client may ask for.
const MOST_THREADS: u32 = 512;

impl Uci {
    /// Who this is, and what can be set.
    pub(super) fn hello(&self, out: &mut String) {
        let agent = self.engine.session.agent();
        say(out, &format!("id name tesuji {}", env!("CARGO_PKG_VERSION")));
        say(out, "id author the tesuji project");
        let memory = (self.engine.setup.limits.memory_bytes() >> 20).max(1);
        match self.dialect {
            Dialect::Uci => {
                say(out, &format!("option name Hash type spin default {memory} min 1 max 1048576"));
                say(out, &format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"));
                say(out, "option name MultiPV type spin default 1 min 1 max 500");
                let game = &self.engine.session.game().name;
                let games: Vec<String> = Uci::games().iter().map(|name| format!("var {name}")).collect();
                say(out, &format!("option name UCI_Variant type combo default {game} {}", games.join(" ")));
                say(out, &format!("option name Agent type string default {agent}"));
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
                let known = Uci::games().contains(&value.as_str());
                if !known || self.engine.restart(&Spec::bare(value)).is_err() {
                    return say(out, "info string there is no such variant");
                }
                let spec = self.with_ranks(self.engine.session.game().clone());
                let _ = self.engine.restart(&spec);
                self.lost = false;
            }
            "agent" => {
                let changed = value
                    .parse::<Spec>()
                    .map_err(|error| error.to_string())
                    .and_then(|spec| self.engine.session.change_agent(&spec).map_err(|error| error.to_string()));
                if let Err(reason) = changed {
                    say(out, &format!("info string {reason}"));
                }
            }
            _ => {}
        }
    }
}
