//! What may have been meant by a name that is not known here.

use super::description::{Description, Kind, Parameter};
use super::{Argument, Place, Spec, SpecValue};
use std::cmp::Reverse;

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

/// How well a place fits an argument: not deep, in a part that the spec names, with a value in
/// range.
type Rank = (Reverse<u32>, bool, bool);

/// The argument that was meant by one whose name only a part knows: `select=ucb1(c=1)` for `c=1`.
/// Of several places the best by [`Rank`] is meant, of equal ones the first.
pub(super) fn nested_parameter(
    argument: &Argument,
    spec: &Spec,
    description: Description,
    fits: &dyn Fn(Kind, &SpecValue) -> bool,
) -> Option<Argument> {
    best_place(argument, Some(spec), description, fits).map(|(_, place)| place)
}

fn best_place(
    argument: &Argument,
    spec: Option<&Spec>,
    description: Description,
    fits: &dyn Fn(Kind, &SpecValue) -> bool,
) -> Option<(Rank, Argument)> {
    let mut best: Option<(Rank, Argument)> = None;
    for parameter in description.parameters {
        let given = spec.and_then(|spec| spec.arguments.iter().find(|given| given.name == parameter.name));
        for part in parts(parameter) {
            let named = match given.map(|given| &given.value) {
                Some(SpecValue::Spec(given)) if given.name == part.name => Some(given),
                _ => None,
            };
            let found = match part.parameters.iter().find(|inner| inner.name == argument.name) {
                Some(inner) => {
                    let rank = (Reverse(0), named.is_some(), fits(inner.kind, &argument.value));
                    Some((rank, argument.clone()))
                }
                None => best_place(argument, named, *part, fits)
                    .map(|((Reverse(depth), named, fits), place)| ((Reverse(depth + 1), named, fits), place)),
            };
            if let Some((rank, inner)) = found
                && best.as_ref().is_none_or(|(other, _)| *other < rank)
            {
                best = Some((rank, with_part(parameter.name, part.name, vec![inner])));
            }
        }
    }
    best
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

/// The argument that was meant by the name of a part in place of its parameter's: `select=rave` for
/// `rave=1`.
pub(super) fn part_as_parameter(argument: &Argument, description: Description) -> Option<Argument> {
    let has_part = |parameter: &&Parameter| parts(parameter).iter().any(|part| part.name == argument.name);
    let parameter = description.parameters.iter().find(has_part)?;
    Some(with_part(parameter.name, &argument.name, Vec::new()))
}

fn with_part(parameter: &str, part: &str, arguments: Vec<Argument>) -> Argument {
    let value = SpecValue::Spec(Spec { arguments, ..Spec::bare(part) });
    Argument { name: parameter.into(), value, at: Place(0) }
}
