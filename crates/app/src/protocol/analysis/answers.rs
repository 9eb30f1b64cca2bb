//! Answers: results of searches, questions that were taken back, and ids of unreadable questions.

use super::question::{Question, Side};
use crate::ranking::{line_of, lower_bound, ranked, winrate};
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use tesuji_agents::{AnyPosition, Session};
use tesuji_core::{Player, Report, Seed};

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

/// An answer, final or on the way.
pub(super) fn answer(question: &Question, session: &Session, report: &Report<String>, during: bool) -> Value {
    let turn = report.turn;
    let seen = |value: f64| match question.query.side {
        Side::Player(player) if player != turn => 1.0 - value,
        _ => value,
    };
    let infos: Vec<Value> = ranked(report)
        .into_iter()
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
            info
        })
        .collect();
    let value = seen(report.value.for_player(turn));
    let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
    let mut answer = json!({
        "id": question.query.id, "turnNumber": question.turn, "isDuringSearch": during, "moveInfos": infos,
        "rootInfo": {
            "currentPlayer": if turn == Player::First { "B" } else { "W" },
            "visits": visits, "winrate": tidy(value), "utility": tidy(2.0 * value - 1.0),
            "iterations": report.iterations, "nodes": report.nodes, "best": report.best,
        },
    });
    if question.query.ownership
        && let Some(judgement) = session.position().judge(Seed(1))
    {
        let sign = if seen(1.0) == 1.0 && turn == Player::Second || seen(1.0) != 1.0 && turn == Player::First {
            -1.0
        } else {
            1.0
        };
        answer["ownership"] = judgement.ownership.iter().map(|owner| tidy(sign * owner)).collect();
    }
    if question.query.policy {
        answer["policy"] = policy(session.position(), report);
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
