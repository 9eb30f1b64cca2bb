//! Specs for people: what differs from the defaults.
//!
//! The [canonical](super::Arguments::canonical) text is the identity of a game or an agent, and as
//! long as its parameters are many. The short one reads back as the same thing.

use super::parameters::default_value;
use super::{Argument, Description, Kind, Spec, SpecValue};

/// The spec without the arguments that say what is so by default, in parts too. `canonical` is a
/// canonical spec of one of the `known` things; anything else stays as it is.
///
/// ```
/// use tesuji_core::spec::{Description, Kind, Parameter, Spec, resolve, short};
///
/// const HEX: [Description; 1] = [Description {
///     name: "hex",
///     about: "connect your sides",
///     parameters: &[
///         Parameter { name: "size", about: "rows", kind: Kind::Integer(2, 26), default: Some("11") },
///         Parameter { name: "swap", about: "the pie rule", kind: Kind::Choice(&["off", "on"]), default: Some("on") },
///     ],
/// }];
///
/// let (_, arguments) = resolve(&"hex(size=11,swap=off)".parse::<Spec>().unwrap(), "game", &HEX).unwrap();
/// assert_eq!(short(&arguments.canonical(), &HEX).to_string(), "hex(swap=off)");
/// ```
#[must_use]
pub fn short(canonical: &Spec, known: &[Description]) -> Spec {
    let Some(description) = known.iter().find(|description| description.name == canonical.name) else {
        return canonical.clone();
    };
    let shortened = |argument: &Argument| {
        let Some(parameter) = description.parameters.iter().find(|parameter| parameter.name == argument.name) else {
            return Some(argument.clone());
        };
        let default = parameter.default.map(|text| default_value(description.name, parameter, text));
        if default.as_ref() == Some(&argument.value) {
            return None;
        }
        let value = match (parameter.kind, &argument.value) {
            (Kind::Part(parts), SpecValue::Spec(part)) => SpecValue::Spec(short(part, parts)),
            (_, value) => value.clone(),
        };
        Some(Argument { value, ..argument.clone() })
    };
    Spec { arguments: canonical.arguments.iter().filter_map(shortened).collect(), ..canonical.clone() }
}
