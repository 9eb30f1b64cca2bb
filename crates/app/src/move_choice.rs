//! The move that is played after a search, in games against people and other programs.
//!
//! **Passing in the opening of Go.** While fewer than a quarter of the points hold stones, nothing
//! is settled, whatever the komi. A search for which every move wins, or every move loses, may
//! choose the pass there, which puzzles opponents. So a pass in the opening is played only in
//! answer to a pass, and only if it wins the game at once. Otherwise the best stone of the report
//! is played; a search that tried no stone keeps its pass. Later passes are decided by the agent
//! (`mcts(pass=…)`).
//!
//! **Eyes.** A one-point eye of the mover is never filled. Where everything is won or lost, all
//! moves are equal to a search, and it may choose such a point; then the best of its other moves is
//! played, or the pass if it tried no other.

use crate::ranking::ranked;
use tesuji_agents::AnyPosition;
use tesuji_core::Report;

/// Whether this is the opening of a game of Go: stones on less than a quarter of the points.
fn is_opening(position: &dyn AnyPosition) -> bool {
    position.stones().is_some_and(|[black, white]| 4 * (black.len() + white.len()) < position.view().points.len())
}

/// Whether passing now ends the game with a win for the side to move.
fn wins_by_passing(position: &dyn AnyPosition) -> bool {
    let mut after = position.boxed_clone();
    after.play("pass").is_ok() && after.outcome().and_then(|outcome| outcome.winner()) == Some(position.turn())
}

/// The move to play after this search of this position; nothing if the agent resigns or found none.
#[must_use]
pub fn move_to_play(position: &dyn AnyPosition, report: &Report<String>) -> Option<String> {
    let best = report.best.as_ref().filter(|_| !report.resigns)?;
    let is_eye = |mv: &str| position.fills_own_eye(mv);
    let is_early_pass = best == "pass" && is_opening(position) && !wins_by_passing(position);
    if !is_early_pass && !is_eye(best) {
        return Some(best.clone());
    }
    let others = || ranked(report).into_iter().map(|entry| &entry.mv).filter(|mv| !is_eye(mv));
    let stone = others().find(|mv| *mv != "pass");
    if is_early_pass {
        return Some(stone.unwrap_or(best).clone());
    }
    let other = if is_opening(position) { stone } else { others().next() };
    Some(other.map_or("pass".to_string(), String::clone))
}

#[cfg(test)]
mod tests {
    use super::move_to_play;
    use tesuji_agents::{AnyPosition, start_game};
    use tesuji_core::{Player, Report, RootMove};

    fn after(game: &str, moves: &[&str]) -> Box<dyn AnyPosition> {
        let mut position = start_game(&game.parse().expect("a spec")).expect("a game").position;
        for mv in moves {
            position.play(mv).expect("legal");
        }
        position
    }

    /// A report that wants to pass, and tried some stones.
    fn passing(turn: Player, stones: &[(&str, u64)]) -> Report<String> {
        let mut report = Report::empty(turn);
        report.best = Some("pass".to_string());
        for (mv, visits) in [("pass", 50)].iter().chain(stones) {
            report.root.push(RootMove { visits: *visits, ..RootMove::untried((*mv).to_string()) });
        }
        report
    }

    #[test]
    fn no_pass_on_an_empty_board() {
        let stones = [("A1", 3), ("C3", 40), ("D4", 0)];
        for komi in ["komi=100.5", "komi=-100.5"] {
            let game = format!("go(size=5,{komi})");
            let empty = after(&game, &[]);
            assert_eq!(move_to_play(empty.as_ref(), &passing(Player::First, &stones)).as_deref(), Some("C3"));
            // White answers a stone with a stone too.
            let one = after(&game, &["B2"]);
            assert_eq!(move_to_play(one.as_ref(), &passing(Player::Second, &stones)).as_deref(), Some("C3"));
        }
    }

    #[test]
    fn own_eyes_are_not_filled() {
        // Black has the eyes A1 and C1, and White the top line.
        let eyes = after("go(size=3,komi=0.5)", &["A2", "A3", "B2", "B3", "C2", "pass", "B1", "pass"]);
        let wants = |moves: &[(&str, u64)]| {
            let mut report = passing(Player::First, &moves[1..]);
            report.best = Some(moves[0].0.to_string());
            report.root[0].mv = moves[0].0.to_string();
            move_to_play(eyes.as_ref(), &report)
        };
        assert_eq!(wants(&[("A1", 9), ("C1", 8), ("pass", 1)]).as_deref(), Some("pass"));
        assert_eq!(wants(&[("C1", 9), ("A1", 8)]).as_deref(), Some("pass"), "no other was looked at");
        // The corner A1 is an eye of Black's, and the game goes on elsewhere.
        let other = after("go(size=5)", &["A2", "E5", "B1", "E4", "C3", "D5", "D3", "C5"]);
        let mut report = passing(Player::First, &[("C4", 3), ("D4", 7)]);
        report.best = Some("A1".into());
        assert_eq!(move_to_play(other.as_ref(), &report).as_deref(), Some("pass"));
        report.root[0].visits = 5;
        assert_eq!(move_to_play(other.as_ref(), &report).as_deref(), Some("D4"));
        // An enemy on the diagonal of a point at the edge: the eye is false.
        let false_eye = after("go(size=5)", &["A2", "B2", "B1", "E4", "C3", "D5", "D3", "C5"]);
        assert_eq!(move_to_play(false_eye.as_ref(), &report).as_deref(), Some("A1"));
    }

    #[test]
    fn a_pass_that_wins_is_answered_by_one_and_late_passes_stand() {
        let report = passing(Player::Second, &[("C3", 40)]);
        assert_eq!(move_to_play(after("go(size=5,komi=5.5)", &["pass"]).as_ref(), &report).as_deref(), Some("pass"));
        assert_eq!(move_to_play(after("go(size=5,komi=-5.5)", &["pass"]).as_ref(), &report).as_deref(), Some("C3"));
        // Seven stones on 25 points.
        let late = after("go(size=5)", &["A1", "B2", "C3", "D4", "E5", "A5", "E1"]);
        assert_eq!(move_to_play(late.as_ref(), &report).as_deref(), Some("pass"));
        // Nothing else was looked at.
        assert_eq!(
            move_to_play(after("go(size=5)", &["A1"]).as_ref(), &passing(Player::Second, &[])).as_deref(),
            Some("pass")
        );
    }
}
