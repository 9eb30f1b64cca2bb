//! The rules of Go, by the names and in the form of KGS and KataGo.
//!
//! | name | ko | suicide | scoring |
//! |---|---|---|---|
//! | `tromp-taylor` | positional | allowed | area |
//! | `chinese` | simple | forbidden | area |
//! | `chinese-ogs`, `chinese-kgs` | positional | forbidden | area |
//! | `japanese`, `korean` | simple | forbidden | territory |
//! | `aga`, `bga`, `french` | situational | forbidden | area |
//! | `new-zealand` | situational | allowed | area |
//!
//! A JSON object of KataGo's fields (`ko`, `scoring`, `suicide`, …) begins from `tromp-taylor`. What
//! is not played here is refused: taxes, the button, White's bonus for handicap stones. KGS's names
//! choose the scoring only. Moves that were played are replayed under the new rules.
//!
//! Reference: KataGo's GTP extensions, `kata-set-rules`, and its page *Go rules*.

use super::{Answer, Gtp, NOTHING, refused, text};
use serde_json::{Map, Value};
use tesuji_agents::records::{Record, Step};
use tesuji_core::spec::{Spec, SpecValue};

/// The values of the parameters `ko`, `suicide` and `scoring`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Rules {
    ko: &'static str,
    suicide: &'static str,
    scoring: &'static str,
}

/// The rules of a name.
fn named(name: &str) -> Option<Rules> {
    let rules = |ko, suicide, scoring| Some(Rules { ko, suicide, scoring });
    match name.to_ascii_lowercase().replace('_', "-").as_str() {
        "tromp-taylor" => rules("positional", "allowed", "area"),
        "chinese" => rules("simple", "forbidden", "area"),
        "chinese-ogs" | "chinese-kgs" => rules("positional", "forbidden", "area"),
        "japanese" | "korean" => rules("simple", "forbidden", "territory"),
        "aga" | "bga" | "french" => rules("situational", "forbidden", "area"),
        "new-zealand" | "nz" => rules("situational", "allowed", "area"),
        _ => None,
    }
}

/// Changes one rule to a value that KataGo names.
fn change(rules: &mut Rules, field: &str, value: &Value) -> Result<(), String> {
    let word = value.as_str().map(str::to_ascii_uppercase).unwrap_or_default();
    let wrong = |expected: &str| Err(format!("the rule {field}: expected {expected}"));
    let flag = value.as_bool().or(match word.as_str() {
        "TRUE" => Some(true),
        "FALSE" => Some(false),
        _ => None,
    });
    match (field, word.as_str(), flag) {
        ("ko", "SIMPLE", _) => rules.ko = "simple",
        ("ko", "POSITIONAL", _) => rules.ko = "positional",
        ("ko", "SITUATIONAL", _) => rules.ko = "situational",
        ("ko", ..) => return wrong("SIMPLE, POSITIONAL or SITUATIONAL"),
        ("scoring", "AREA", _) => rules.scoring = "area",
        ("scoring", "TERRITORY", _) => rules.scoring = "territory",
        ("scoring", ..) => return wrong("AREA or TERRITORY"),
        ("suicide", _, Some(allowed)) => rules.suicide = if allowed { "allowed" } else { "forbidden" },
        ("suicide", ..) => return wrong("true or false"),
        ("tax", "NONE", _) | ("hasButton", _, Some(false)) | ("whiteHandicapBonus", "0", _) => {}
        // Territory is counted without a knowledge of seki, so that its tax changes nothing.
        ("tax", "SEKI", _) if rules.scoring == "territory" => {}
        ("tax", ..) => return wrong("NONE, the only one that is played"),
        ("hasButton", ..) => return wrong("false: the button is not played"),
        ("whiteHandicapBonus", ..) => return wrong("0, the only one that is played"),
        // How a finished game is ended by passes changes no rule here.
        ("friendlyPassOk", _, Some(_)) => {}
        ("friendlyPassOk", ..) => return wrong("true or false"),
        _ => return Err(format!("there is no rule {}", field.chars().take(40).collect::<String>())),
    }
    Ok(())
}

/// Rules in JSON: fields that are missing are those of Tromp and Taylor, as in KataGo.
fn from_json(fields: &Map<String, Value>) -> Result<Rules, String> {
    let mut rules = Rules { ko: "positional", suicide: "allowed", scoring: "area" };
    // Whether a tax fits depends on the scoring.
    let last = |field: &&String| field.as_str() == "tax";
    let (tax, others): (Vec<&String>, Vec<&String>) = fields.keys().partition(last);
    for field in others.into_iter().chain(tax) {
        change(&mut rules, field, &fields[field])?;
    }
    Ok(rules)
}

impl Gtp {
    /// The rules now; those of other names than KataGo's (V-Run, Hawk) are refused.
    fn rules_now(&self) -> Result<Rules, String> {
        let [ko, suicide, scoring] = self.position().rule_names().unwrap_or_default();
        let known = |word: &str, words: &[&'static str]| words.iter().copied().find(|known| *known == word);
        let ko = known(&ko, &["simple", "positional", "situational"]);
        let suicide = known(&suicide, &["allowed", "forbidden"]);
        let scoring = known(&scoring, &["area", "territory"]);
        match (ko, suicide, scoring) {
            (Some(ko), Some(suicide), Some(scoring)) => Ok(Rules { ko, suicide, scoring }),
            _ => Err("the rules of this game have no name here".into()),
        }
    }

    /// Plays on by other rules: the moves so far are replayed, or nothing changes.
    fn play_by(&mut self, parameters: &[(&str, &str)]) -> Answer {
        let mut spec = self.engine.session.game().clone();
        for argument in &mut spec.arguments {
            if let Some((_, value)) = parameters.iter().find(|(name, _)| *name == argument.name) {
                argument.value = SpecValue::Spec(Spec::bare(*value));
            }
        }
        if spec == *self.engine.session.game() {
            return NOTHING;
        }
        let steps = self.engine.session.history();
        if steps.iter().any(|step| matches!(step, Step::Set(_))) {
            return Err("stones were set up: set the rules before that".into());
        }
        let started = tesuji_agents::start_game_with(&spec, self.engine.session.access());
        let started = started.map_err(|error| error.to_string())?;
        let mut position = started.position.boxed_clone();
        for (number, step) in steps.iter().enumerate() {
            if let Step::Move(_, mv) = step {
                let played = position.play(mv).map(drop);
                played.map_err(|error| format!("move {} is not legal by these rules: {error}", number + 1))?;
            }
        }
        let record = Record { game: started.spec, start: started.position, steps };
        self.engine.session.replay(record).map_err(|error| refused(&error))?;
        self.engine.setup.game = self.engine.session.game().clone();
        self.last = None;
        NOTHING
    }

    fn set_to(&mut self, rules: &Rules) -> Answer {
        self.play_by(&[("ko", rules.ko), ("suicide", rules.suicide), ("scoring", rules.scoring)])
    }

    /// `kgs-rules`.
    pub(super) fn kgs_rules(&mut self, words: &[&str]) -> Answer {
        let scoring = match words.first() {
            Some(&"chinese" | &"aga" | &"new_zealand") => "area",
            Some(&"japanese") => "territory",
            _ => return Err("expected chinese, japanese, aga or new_zealand".into()),
        };
        if self.engine.session.steps() > 0 {
            return Err("the game has begun".into());
        }
        self.play_by(&[("scoring", scoring)])
    }

    /// `kata-get-rules`.
    pub(super) fn rules(&self) -> Answer {
        let [ko, suicide, scoring] = self.position().rule_names().unwrap_or_default();
        let ko = ko.to_ascii_uppercase();
        let scoring = if scoring == "area" { "AREA" } else { "TERRITORY" };
        let suicide = suicide == "allowed";
        let fixed = r#""tax":"NONE","hasButton":false,"whiteHandicapBonus":"0","friendlyPassOk":false"#;
        text(format!(r#"{{"ko":"{ko}","scoring":"{scoring}","suicide":{suicide},{fixed}}}"#))
    }

    /// `kata-set-rules`: a name, or KataGo's JSON.
    pub(super) fn set_rules(&mut self, words: &[&str]) -> Answer {
        let given = words.join(" ");
        let rules = if given.starts_with('{') {
            let fields = serde_json::from_str::<Map<String, Value>>(&given);
            from_json(&fields.map_err(|error| format!("cannot read the JSON: {error}"))?)?
        } else {
            let expected = "expected tromp-taylor, chinese, chinese-ogs, chinese-kgs, japanese, korean, aga, bga, \
                            french, new-zealand, or a JSON object";
            named(&given).ok_or(expected)?
        };
        self.set_to(&rules)
    }

    /// `kata-set-rule`: a field of KataGo's JSON and its value.
    pub(super) fn set_rule(&mut self, words: &[&str]) -> Answer {
        let [field, value] = words else { return Err("expected a rule and its value, such as ko SIMPLE".into()) };
        let mut rules = self.rules_now()?;
        change(&mut rules, field, &Value::String((*value).to_string()))?;
        self.set_to(&rules)
    }
}

#[cfg(test)]
mod tests {
    use super::{from_json, named};
    use serde_json::{Value, json};

    #[test]
    fn names_and_json_mean_the_same() {
        let read = |value: Value| from_json(value.as_object().expect("an object"));
        let chinese = json!({"ko": "SIMPLE", "scoring": "AREA", "suicide": false, "tax": "NONE", "hasButton": false});
        assert_eq!(read(chinese).ok(), named("chinese"));
        assert_eq!(read(json!({})).ok(), named("tromp-taylor"));
        let japanese = json!({"tax": "SEKI", "scoring": "TERRITORY", "ko": "SIMPLE", "suicide": false});
        assert_eq!(read(japanese).ok(), named("japanese"));
        for refused in [
            json!({"tax": "ALL"}),
            json!({"tax": "SEKI"}),
            json!({"hasButton": true}),
            json!({"whiteHandicapBonus": "N"}),
            json!({"ko": "SPIGHT"}),
            json!({"suicide": 1}),
            json!({"colour": "blue"}),
        ] {
            assert!(read(refused.clone()).is_err(), "{refused}");
        }
        assert_eq!(named("stone-scoring"), None);
    }
}
