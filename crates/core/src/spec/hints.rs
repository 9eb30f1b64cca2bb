//! What may have been meant by a name that is not known here.

use super::description::{Description, Kind, Parameter};
use super::{Argument, Place, Spec, SpecValue};

/// A quotation for a message, without control characters.
pub(super) fn shorten(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { '?' } else { letter };
    let mut short: String = text.chars().take(40).map(plain).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// The known name most like `wrong`, if one is near.
#[must_use]
pub fn nearest<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    let wrong: String = wrong.chars().take(64).flat_map(char::to_lowercase).collect();
    let rated = known.iter().map(|name| (strsim::damerau_levenshtein(&wrong, &name.to_lowercase()), *name));
    let (distance, name) = rated.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.len().min(wrong.len()) / 3).then_some(name)
}

/// What may have been meant, or everything that is known.
pub(super) fn suggestion(wrong: &str, known: &[&str]) -> String {
    match nearest(wrong, known) {
        Some(name) => format!("; did you mean \"{name}\"?"),
        None => format!("; known: {}", known.join(", ")),
    }
}

/// The parts that a parameter can be.
fn parts(parameter: &Parameter) -> &'static [Description] {
    match parameter.kind {
        Kind::Part(parts) => parts,
        _ => &[],
    }
}

/// The argument that was meant by one whose name only a part knows: `select=ucb1(c=1)` for `c=1`.
/// The part that the spec names comes first, then the first part that accepts the value, then the
/// first that has the parameter.
pub(super) fn nested_parameter(
    argument: &Argument,
    spec: &Spec,
    description: Description,
    fits: impl Fn(Kind, &SpecValue) -> bool,
) -> Option<Argument> {
    let mut best: Option<(u8, Argument)> = None;
    for parameter in description.parameters {
        let given = spec.arguments.iter().find(|given| given.name == parameter.name).map(|given| &given.value);
        for part in parts(parameter) {
            let Some(inner) = part.parameters.iter().find(|inner| inner.name == argument.name) else { continue };
            let is_named = matches!(given, Some(SpecValue::Spec(given)) if given.name == part.name);
            let rank = match (is_named, fits(inner.kind, &argument.value)) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            if best.as_ref().is_none_or(|(other, _)| *other < rank) {
                best = Some((rank, with_part(parameter.name, part.name, vec![argument.clone()])));
            }
        }
    }
    best.map(|(_, argument)| argument)
}

/// The whole that was meant by the bare name of a part: `mcts(select=ucb1)` for `ucb1`.
pub(super) fn nested_part(spec: &Spec, known: &[Description]) -> Option<Spec> {
    known.iter().find_map(|description| {
        let has_part = |parameter: &&Parameter| parts(parameter).iter().any(|part| part.name == spec.name);
        let parameter = description.parameters.iter().find(has_part)?;
        let argument = with_part(parameter.name, &spec.name, spec.arguments.clone());
        Some(Spec { arguments: vec![argument], ..Spec::bare(description.name) })
    })
}

fn with_part(parameter: &str, part: &str, arguments: Vec<Argument>) -> Argument {
    let value = SpecValue::Spec(Spec { arguments, ..Spec::bare(part) });
    Argument { name: parameter.into(), value, at: Place(0) }
}
