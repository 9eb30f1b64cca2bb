//! Dead stones at the end of a game of Go.
//!
//! After two passes the program proposes the stones that are dead, as GTP's `final_status_list
//! dead` does, and the score without them, which is GTP's `final_score`. The person marks chains
//! dead or alive and accepts, or plays on. An agent agrees to what is no worse for it than its own
//! proposal; after the game was played on it also agrees to the board as it stands, since it could
//! have captured what it calls dead.

use super::{End, Next, Terminal};
use tesuji_agents::AnyPosition;
use tesuji_agents::records::{self, judged};
use tesuji_core::{Outcome, Player};

/// The stones that are marked dead.
pub(super) struct Marks {
    /// Those that the program proposed.
    proposed: Vec<String>,
    dead: Vec<String>,
}

impl Marks {
    /// What the program proposes, in games whose stones can be dead.
    pub(super) fn propose(position: &dyn AnyPosition) -> Option<Marks> {
        let proposed = judged(position)?.dead.concat();
        Some(Marks { dead: proposed.clone(), proposed })
    }

    /// Marks a chain dead, or alive again.
    fn toggle(&mut self, chain: Vec<String>) {
        if chain.iter().any(|stone| self.dead.contains(stone)) {
            self.dead.retain(|stone| !chain.contains(stone));
        } else {
            self.dead.extend(chain);
        }
    }
}

/// How far this player is ahead.
fn ahead(outcome: Outcome, player: Player) -> i32 {
    match player {
        Player::First => outcome.margin,
        Player::Second => -outcome.margin,
    }
}

impl Terminal<'_> {
    /// Says which stones are marked dead, and the score without them.
    pub(super) fn show_marks(&mut self) -> std::io::Result<()> {
        let Some(marks) = &self.marks else { return Ok(()) };
        let position = self.session.position();
        let Some((outcome, points)) = position.settle(&marks.dead) else { return Ok(()) };
        let stones = position.stones().unwrap_or_default();
        let mut text = String::from("Both sides have passed.");
        for player in Player::BOTH {
            let dead: Vec<&str> =
                stones[player.index()].iter().filter(|stone| marks.dead.contains(stone)).map(String::as_str).collect();
            let dead = if dead.is_empty() { "none".to_string() } else { dead.join(" ") };
            text += &format!("\nDead stones of {}: {dead}", self.side(player));
        }
        text += &match outcome.winner() {
            Some(winner) => format!("\nScore: {} is ahead by {points}", self.side(winner)),
            None => "\nScore: equal".to_string(),
        };
        text += "\naccept agrees; a stone marks its chain dead or alive; continue plays on.";
        self.say(&text)
    }

    /// Marks the chain of a stone dead, or alive again.
    pub(super) fn mark(&mut self, point: &str) -> std::io::Result<Next> {
        match (self.session.position().chain(point), &mut self.marks) {
            (Some(chain), Some(marks)) => {
                marks.toggle(chain);
                self.show_marks()?;
            }
            _ => self.say(&format!("There is no stone on {point}: type a stone, accept or continue."))?,
        }
        Ok(Next::Stay)
    }

    /// The agent that does not agree to the marks.
    fn opponent_of_marks(&self) -> Option<Player> {
        let (marks, position) = (self.marks.as_ref()?, self.session.position());
        let margin = |dead: &[String], player| position.settle(dead).map(|(outcome, _)| ahead(outcome, player));
        let agrees = |player: &Player| {
            let as_it_stands = self.resumed && marks.dead.is_empty();
            as_it_stands || margin(&marks.dead, *player) >= margin(&marks.proposed, *player)
        };
        Player::BOTH.into_iter().filter(|player| self.players[player.index()].is_some()).find(|player| !agrees(player))
    }

    /// The person agrees to the marks; the game is over if every agent does.
    pub(super) fn accept(&mut self) -> std::io::Result<Next> {
        if let Some(player) = self.opponent_of_marks() {
            let side = self.side(player);
            self.say(&format!("{side} does not agree. Mark the stones otherwise, or continue and capture them."))?;
            return Ok(Next::Stay);
        }
        let settled = self.marks.as_ref().and_then(|marks| self.session.position().settle(&marks.dead));
        if let Some((outcome, points)) = settled {
            self.end(End::Agreed(records::result_by(outcome, Some(points))));
        }
        Ok(Next::Stay)
    }

    /// Plays on after two passes: the side that passed first moves.
    pub(super) fn resume(&mut self) -> std::io::Result<Next> {
        let turn = self.session.position().turn();
        let turned = self.players.iter_mut().flatten().chain([&mut self.session]).try_for_each(|s| s.turn_to(turn));
        if let Err(error) = turned {
            self.say(&error.to_string())?;
            return Ok(Next::Stay);
        }
        self.marks = None;
        self.resumed = true;
        self.board()?;
        Ok(Next::Stay)
    }
}
