//! Answers: results of searches, questions that were taken back, and ids of unreadable questions.

use super::question::{Question, Side};
use crate::ranking::{line_of, lower_bound, ranked, winrate};
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use tesuji_agents::{AnyPosition, Session};
use tesuji_core::{Player, Report, Rng, Seed};

/// Playouts behind the lead of a position, at most.
const MOST_PLAYOUTS: u64 = 1_000;
/// Playouts behind any lead, at least.
const FEWEST_PLAYOUTS: u64 = 4;
/// Their seed, so that an answer is repeatable.
const LEAD_SEED: Seed = Seed(1);

/// An answer with the id of what it answers, if that has one.
pub(super) fn with_id(mut answer: Value, id: Option<&Value>) -> Value {
    if let Some(id) = id {
        answer["id"] = id.clone();
    }
    answer
}

/// The id of a question that was cut off or is broken, if it stands before that.
pub(super) fn leading_id(text: &str) -> Option<Value> {
    /// Keeps the id, whatever comes after it.
    struct Keeper<'a>(&'a mut Option<Value>);

    impl<'de> Visitor<'de> for Keeper<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
            while let Some(name) = fields.next_key::<String>()? {
                if name == "id" {
                    *self.0 = Some(fields.next_value()?);
                } else {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
            Ok(())
        }
    }

    let mut id = None;
    // It is known to be broken: the error says nothing new.
    let _ = serde_json::Deserializer::from_str(text).deserialize_map(Keeper(&mut id));
    id
}

fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The points that Black leads by, komi included: the mean margin of random playouts. Nothing in
/// games without komi.
fn lead(position: &dyn AnyPosition, playouts: u64) -> Option<f64> {
    position.komi()?;
    let tally = position.playouts(playouts, &mut Rng::new(LEAD_SEED));
    // Margins count half points.
    Some(tally.margins as f64 / 2.0 / tally.count as f64)
}

/// The playouts behind the lead of a position that was searched with this number of visits: about as
/// much work as the search.
fn lead_playouts(visits: u64) -> u64 {
    visits.clamp(FEWEST_PLAYOUTS, MOST_PLAYOUTS)
}

/// The lead after a move. The playouts of all moves together are about as many as those of the
/// position, shared by visits.
fn lead_after(position: &dyn AnyPosition, mv: &str, visits: u64, all: u64) -> Option<f64> {
    position.komi()?;
    let mut after = position.boxed_clone();
    after.play(mv).ok()?;
    let share = lead_playouts(all) as f64 * visits as f64 / all.max(1) as f64;
    lead(after.as_ref(), (share.round() as u64).max(FEWEST_PLAYOUTS))
}

/// An answer, final or on the way.
pub(super) fn answer(question: &Question, session: &Session, report: &Report<String>, during: bool) -> Value {
    let turn = report.turn;
    let seen = |value: f64| match question.query.side {
        Side::Player(player) if player != turn => 1.0 - value,
        _ => value,
    };
    let position = session.position();
    let shown: Vec<_> = ranked(report).into_iter().filter(|entry| question.query.shows(position, &entry.mv)).collect();
    let visits: u64 = shown.iter().map(|entry| entry.visits).sum();
    // The best move that may be shown speaks for the position.
    let is_best_shown = report.best.as_ref().is_none_or(|best| question.query.shows(position, best));
    let stand_in = shown.first().filter(|_| !is_best_shown);
    let value = seen(stand_in.map_or(report.value.for_player(turn), |entry| winrate(entry, turn)));
    let best = match (is_best_shown, stand_in) {
        (true, _) => report.best.clone(),
        (false, Some(entry)) => Some(entry.mv.clone()),
        // None of them was tried.
        (false, None) => position.moves().into_iter().find(|mv| question.query.shows(position, mv)),
    };
    // As seen by the side that the values are given for.
    let sign = if seen(1.0) == 1.0 && turn == Player::Second || seen(1.0) != 1.0 && turn == Player::First {
        -1.0
    } else {
        1.0
    };
    let infos: Vec<Value> = shown
        .iter()
        .enumerate()
        .map(|(order, entry)| {
            let value = seen(winrate(entry, turn));
            let mut info = json!({
                "move": entry.mv, "visits": entry.visits, "winrate": tidy(value), "utility": tidy(2.0 * value - 1.0),
                "order": order, "pv": line_of(report, entry),
            });
            if let Some(prior) = entry.prior {
                info["prior"] = json!(tidy(prior));
            }
            if let Some((_, upper)) = entry.confidence {
                // Seen from the other side, the lower bound is the upper one.
                let lower = match entry.bounds.proved() {
                    None if seen(0.0) > 0.5 => (1.0 - upper).clamp(0.0, 1.0).min(value),
                    None => lower_bound(entry, value),
                    Some(_) => value,
                };
                info["lcb"] = json!(tidy(lower));
            }
            let (sure, hoped) = entry.bounds.for_player(turn);
            if sure == hoped {
                info["proved"] = json!(tidy(seen(sure.to_f64())));
            }
            if let Some(lead) = lead_after(position, &entry.mv, entry.visits, visits) {
                info["scoreLead"] = json!(tidy(sign * lead));
            }
            info
        })
        .collect();
    let mut answer = json!({
        "id": question.query.id, "turnNumber": question.turn, "isDuringSearch": during, "moveInfos": infos,
        "rootInfo": {
            "currentPlayer": if turn == Player::First { "B" } else { "W" },
            "visits": visits, "winrate": tidy(value), "utility": tidy(2.0 * value - 1.0),
            "iterations": report.iterations, "nodes": report.nodes, "best": best,
        },
    });
    if let Some(lead) = lead(position, lead_playouts(visits)) {
        answer["rootInfo"]["scoreLead"] = json!(tidy(sign * lead));
    }
    if question.query.ownership
        && let Some(judgement) = position.judge(Seed(1))
    {
        answer["ownership"] = judgement.ownership.iter().map(|owner| tidy(sign * owner)).collect();
    }
    if question.query.policy {
        answer["policy"] = policy(position, report);
    }
    answer
}

/// The answer to a question that was taken back, as KataGo gives it.
pub(super) fn no_results(question: &Question) -> Value {
    json!({"id": question.query.id, "turnNumber": question.turn, "isDuringSearch": false, "noResults": true})
}

/// The prior weights of the moves. In Go a list of all points, row by row from the top, and the
/// pass, with −1 for moves that are illegal or have no prior; in other games an object by move.
fn policy(position: &dyn AnyPosition, report: &Report<String>) -> Value {
    let weights = report.root.iter().filter_map(|entry| Some((entry.mv.as_str(), tidy(entry.prior?))));
    if position.komi().is_none() {
        return weights.map(|(mv, weight)| (mv.to_string(), json!(weight))).collect::<Map<_, _>>().into();
    }
    let view = position.view();
    let mut list = vec![-1.0; view.points.len() + 1];
    for (mv, weight) in weights {
        let place = position.place_of(mv).map_or(view.points.len(), |(column, row)| row * view.columns.len() + column);
        list[place] = weight;
    }
    json!(list)
}

#[cfg(test)]
mod tests {
    use super::leading_id;
    use serde_json::json;

    #[test]
    fn ids_of_broken_questions() {
        assert_eq!(leading_id(r#"{"a":[{"id":1}],"id":"x","moves":["A1""#), Some(json!("x")));
        for without in ["", "{", "[1]", r#"{"id"#, r#"{"id":"x"#, r#"{"moves":["A1","id":"x"}"#, r#"{"b":{"id":"x"}"#] {
            assert_eq!(leading_id(without), None, "{without}");
        }
    }
}
