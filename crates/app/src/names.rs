//! Games and agents in text for people: short names, with what differs from the defaults.
//!
//! Answers hold canonical texts, for JSON; here they become short. A table names each thing once and
//! short, and [`in_full`] is the line below it for a reader who needs every parameter.

use crate::output;
use tesuji_agents::{short_agent, short_game};
use tesuji_core::spec::Spec;

fn shortened(canonical: &str, short: fn(&Spec) -> Spec) -> String {
    canonical.parse().map_or_else(|_| canonical.to_string(), |spec: Spec| short(&spec).to_string())
}

/// The short name of a game with this canonical text.
pub fn game(canonical: &str) -> String {
    shortened(canonical, short_game)
}

/// The short name of an agent with this canonical text.
pub fn agent(canonical: &str) -> String {
    shortened(canonical, short_agent)
}

/// The short name of a game as a title, in as many lines as it needs.
pub fn title(game_text: &str) -> String {
    let lines = output::wrapped(&game(game_text), 0, 4);
    lines.lines().map(output::bold).collect::<Vec<_>>().join("\n")
}

/// A paragraph with every parameter of an agent; nothing if its short name says them all.
pub fn in_full(canonical: &str) -> Option<String> {
    let short = agent(canonical);
    (short != canonical).then(|| output::wrapped(&format!("{short} is {canonical}"), 0, 4))
}

#[cfg(test)]
mod tests {
    use super::{agent, game, in_full};

    #[test]
    fn what_is_no_spec_stays() {
        assert_eq!(game("go(size=9,komi=7.5)"), "go(size=9)");
        assert_eq!(agent("not a spec ("), "not a spec (");
        assert_eq!(in_full("random"), None);
        let agent = tesuji_agents::canonical_agent(&"mcts".parse().expect("a spec")).expect("an agent").to_string();
        assert!(in_full(&agent).is_some_and(|text| text.starts_with("mcts is mcts(select=auto,")));
    }
}
