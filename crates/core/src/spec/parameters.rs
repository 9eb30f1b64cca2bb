//! A spec checked against a description: every parameter with a value in range, or what is wrong.

use super::catalogue::Entry;
use super::description::{Description, Kind, Parameter};
use super::hints::{nearest, nested_parameter, nested_part, part_as_parameter, shorten, suggestion};
use super::resources::{NoResources, Resources};
use super::{Argument, Place, Spec, SpecError, SpecValue};
use std::sync::Arc;

/// The arguments of a resolved spec: every parameter with its value, in range.
///
/// ```
/// use tesuji_core::spec::{Description, Kind, Parameter, Spec, resolve};
///
/// const UCB: Description = Description {
///     name: "ucb1",
///     about: "upper confidence bounds",
///     parameters: &[
///         Parameter { name: "c", about: "exploration", kind: Kind::Number(0.0, 100.0), default: Some("1.4") },
///         Parameter { name: "file", about: "a table", kind: Kind::Text, default: None },
///     ],
/// };
///
/// let (_, arguments) = resolve(&Spec::bare("ucb1"), "rule", &[UCB]).unwrap();
/// assert_eq!(arguments.number("c"), 1.4);
/// assert_eq!(arguments.text("file"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Arguments {
    description: Description,
    values: Vec<Option<SpecValue>>,
    resources: Arc<dyn Resources>,
}

/// A file that a spec named, as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedFile<'a> {
    /// Its path, as the spec gives it.
    pub path: &'a str,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A value that is in range but still makes no sense, in the words of the game or search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentError {
    /// The parameter; nothing if it is the combination.
    pub parameter: Option<&'static str>,
    /// What is wrong.
    pub problem: String,
    /// Whether the problem was found before any file was read, so that it cannot quote one.
    before_reading: bool,
}

impl ArgumentError {
    /// A problem with one parameter.
    #[must_use]
    pub fn of(parameter: &'static str, problem: impl std::fmt::Display) -> ArgumentError {
        ArgumentError { parameter: Some(parameter), problem: problem.to_string(), before_reading: false }
    }

    /// A problem with the combination of parameters.
    #[must_use]
    pub fn together(problem: impl std::fmt::Display) -> ArgumentError {
        ArgumentError { parameter: None, problem: problem.to_string(), before_reading: false }
    }

    fn in_spec(self, spec: &Spec) -> SpecError {
        let argument = self.parameter.and_then(|name| spec.arguments.iter().find(|argument| argument.name == name));
        let at = argument.map_or(spec.at, |argument| argument.at);
        let parameter = self.parameter.map(|name| format!(" {name}")).unwrap_or_default();
        SpecError { at: at.0, problem: format!("{}{parameter}: {}", spec.name, self.problem) }
    }
}

impl Arguments {
    fn slot(&self, name: &str) -> usize {
        let slot = self.description.parameters.iter().position(|parameter| parameter.name == name);
        slot.unwrap_or_else(|| panic!("{} describes no parameter {name}", self.description.name))
    }

    fn value(&self, name: &str) -> Option<&SpecValue> {
        self.values[self.slot(name)].as_ref()
    }

    fn kind(&self, name: &str) -> Kind {
        self.description.parameters[self.slot(name)].kind
    }

    /// Whether a parameter has a value, given or by default.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// A whole number that was not necessarily given.
    #[must_use]
    pub fn optional_integer(&self, name: &str) -> Option<i64> {
        self.value(name).map(|value| match value {
            SpecValue::Integer(number) => *number,
            other => panic!("{name} is described as something else than a whole number: {other}"),
        })
    }

    /// A whole number with a default.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        self.optional_integer(name).unwrap_or_else(|| panic!("{name} has no default"))
    }

    /// A whole number with a default whose range fits 32 bits.
    #[must_use]
    pub fn count(&self, name: &str) -> u32 {
        u32::try_from(self.integer(name)).unwrap_or_else(|_| panic!("the range of {name} is larger than 32 bits"))
    }

    /// A number with a default.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(SpecValue::Number(number)) => *number,
            other => panic!("{name} is described as something else than a number with a default: {other:?}"),
        }
    }

    /// A word with a default.
    #[must_use]
    pub fn word(&self, name: &str) -> &str {
        match self.value(name) {
            Some(SpecValue::Spec(spec)) => &spec.name,
            other => panic!("{name} is described as something else than a choice with a default: {other:?}"),
        }
    }

    /// A word that was not necessarily given.
    #[must_use]
    pub fn optional_word(&self, name: &str) -> Option<&str> {
        self.has(name).then(|| self.word(name))
    }

    /// A part with parameters of its own, with a default: its name and its arguments.
    #[must_use]
    pub fn part(&self, name: &str) -> (&str, Arguments) {
        let parameter = self.description.parameters.iter().find(|parameter| parameter.name == name);
        match (parameter.map(|parameter| parameter.kind), self.value(name)) {
            (Some(Kind::Part(known)), Some(SpecValue::Spec(spec))) => {
                let resolved = resolve_with(spec, "part", known, &self.resources);
                let (_, arguments) = resolved.expect("checked when it was given");
                (&spec.name, arguments)
            }
            (_, other) => panic!("{name} is described as something else than a part with a default: {other:?}"),
        }
    }

    /// Text that was not necessarily given.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        assert!(self.kind(name) == Kind::Text, "{name} is described as something else than text");
        self.quoted(name)
    }

    fn quoted(&self, name: &str) -> Option<&str> {
        self.value(name).map(|value| match value {
            SpecValue::Text(text) => text.as_str(),
            other => panic!("{name} is described as something else than text: {other}"),
        })
    }

    /// The entry of a catalogue that a parameter names, if it was given.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&'static Entry> {
        let Kind::Entry(catalogue) = self.kind(name) else {
            panic!("{name} is described as something else than an entry of a catalogue")
        };
        let id = match self.value(name)? {
            SpecValue::Spec(spec) => &spec.name,
            other => panic!("{name} is described as something else than an id: {other}"),
        };
        Some(catalogue.find(id).expect("checked when it was given"))
    }

    /// The file that a parameter names, if it was given.
    ///
    /// # Errors
    /// If the spec's origin may not read it, or it cannot be read.
    pub fn file(&self, name: &'static str) -> Result<Option<NamedFile<'_>>, ArgumentError> {
        let Kind::File(most) = self.kind(name) else { panic!("{name} is described as something else than a file") };
        let Some(path) = self.quoted(name) else { return Ok(None) };
        match self.resources.read(path, most) {
            Ok(bytes) => Ok(Some(NamedFile { path, bytes })),
            Err(problem) => {
                Err(ArgumentError { before_reading: true, ..ArgumentError::of(name, format!("{path}: {problem}")) })
            }
        }
    }

    /// The command line that a parameter names, if it was given.
    ///
    /// # Errors
    /// If the spec's origin may not start it.
    pub fn program(&self, name: &'static str) -> Result<Option<&str>, ArgumentError> {
        assert!(self.kind(name) == Kind::Program, "{name} is described as something else than a program");
        let Some(command) = self.quoted(name) else { return Ok(None) };
        self.resources.check_program(command).map_err(|problem| ArgumentError::of(name, problem))?;
        Ok(Some(command))
    }

    /// What a game or search found wrong with these arguments, placed in the text of `spec`. A
    /// message that may quote a file is replaced where the spec's origin may not see it.
    #[must_use]
    pub fn place(&self, error: ArgumentError, spec: &Spec) -> SpecError {
        let is_file = |name: &str| matches!(self.kind(name), Kind::File(_));
        let given_file =
            self.description.parameters.iter().map(|it| it.name).find(|name| is_file(name) && self.has(name));
        let may_quote = self.resources.may_quote_files() || error.before_reading;
        match (given_file, error.parameter) {
            (Some(file), None) if !may_quote => unreadable(file).in_spec(spec),
            (Some(_), Some(name)) if !may_quote && is_file(name) => unreadable(name).in_spec(spec),
            _ => error.in_spec(spec),
        }
    }

    /// Corrects an argument that a file or another argument has decided otherwise, so that the
    /// canonical text tells the truth.
    pub fn correct(&mut self, name: &str, value: SpecValue) {
        let slot = self.slot(name);
        self.values[slot] = Some(value);
    }

    /// The canonical spec: every parameter that applies, in the described order.
    #[must_use]
    pub fn canonical(&self) -> Spec {
        let named = self.description.parameters.iter().zip(&self.values);
        let arguments = named
            .filter_map(|(parameter, value)| {
                Some(Argument { name: parameter.name.into(), value: value.clone()?, at: Place(0) })
            })
            .collect();
        Spec { name: self.description.name.into(), arguments, at: Place(0) }
    }
}

fn unreadable(file: &'static str) -> ArgumentError {
    ArgumentError::of(file, "the contents of the file do not fit; the same spec on the command line is told why")
}

/// Finds what a spec names among `known` and checks its arguments, which reach nothing outside of
/// the program: see [`resolve_with`].
///
/// `sort` is what the known things are called in messages: "game", "agent".
/// Answers the index of the entry and its arguments.
///
/// # Errors
/// An unknown name or parameter (with the nearest valid one), or a value that does not fit.
pub fn resolve(spec: &Spec, sort: &str, known: &[Description]) -> Result<(usize, Arguments), SpecError> {
    let sealed: Arc<dyn Resources> = Arc::new(NoResources);
    resolve_with(spec, sort, known, &sealed)
}

/// The same for a spec whose origin may open files and start programs as `resources` says.
///
/// # Errors
/// An unknown name or parameter (with the nearest valid one), or a value that does not fit.
pub fn resolve_with(
    spec: &Spec,
    sort: &str,
    known: &[Description],
    resources: &Arc<dyn Resources>,
) -> Result<(usize, Arguments), SpecError> {
    let Some(index) = known.iter().position(|description| description.name == spec.name) else {
        let names: Vec<&str> = known.iter().map(|description| description.name).collect();
        let part = nested_part(spec, known).map(|meant| format!("; did you mean {}?", shorten(&meant.to_string())));
        let hint = part.unwrap_or_else(|| suggestion(&spec.name, &names));
        let problem = format!("unknown {sort} \"{}\"{hint}", shorten(&spec.name));
        return Err(SpecError { at: spec.at.0, problem });
    };
    let description = known[index];
    let names: Vec<&str> = description.parameters.iter().map(|parameter| parameter.name).collect();
    for argument in &spec.arguments {
        if !names.contains(&argument.name.as_str()) {
            let nested = nested_parameter(argument, spec, description, &|kind, value| accept(kind, value).is_some());
            let hint = match nested.or_else(|| part_as_parameter(argument, description)) {
                Some(meant) => format!("; did you mean {}={}?", meant.name, shorten(&meant.value.to_string())),
                None if names.is_empty() => "; it has none".into(),
                None => suggestion(&argument.name, &names),
            };
            let problem = format!("{} has no parameter \"{}\"{hint}", description.name, shorten(&argument.name));
            return Err(SpecError { at: argument.at.0, problem });
        }
    }
    let mut values = Vec::new();
    for parameter in description.parameters {
        let given = spec.arguments.iter().find(|argument| argument.name == parameter.name);
        values.push(match given {
            // A mistake inside a part is told where it stands.
            Some(Argument { value: SpecValue::Spec(part), .. }) if matches!(parameter.kind, Kind::Part(_)) => {
                let Kind::Part(known) = parameter.kind else { unreachable!("just matched") };
                let sort = format!("{} of {}", parameter.name, description.name);
                Some(SpecValue::Spec(resolve(part, &sort, known)?.1.canonical()))
            }
            Some(argument) => Some(accept(parameter.kind, &argument.value).ok_or_else(|| SpecError {
                at: argument.at.0,
                problem: format!(
                    "{} of {} must be {}, not {}{}",
                    parameter.name,
                    description.name,
                    parameter.kind,
                    shorten(&argument.value.to_string()),
                    near_miss(parameter.kind, &argument.value)
                ),
            })?),
            None => parameter.default.map(|text| default_value(description.name, parameter, text)),
        });
    }
    Ok((index, Arguments { description, values, resources: resources.clone() }))
}

/// The value, brought into the kind's own form (a whole number where any number will do is
/// one).
fn accept(kind: Kind, value: &SpecValue) -> Option<SpecValue> {
    match (kind, value) {
        (Kind::Part(known), SpecValue::Spec(spec)) => {
            resolve(spec, "part", known).ok().map(|(_, arguments)| SpecValue::Spec(arguments.canonical()))
        }
        (Kind::Integer(low, high), SpecValue::Integer(number)) => (low..=high).contains(number).then(|| value.clone()),
        (Kind::Number(low, high), SpecValue::Integer(number)) => {
            let number = *number as f64;
            (low..=high).contains(&number).then_some(SpecValue::Number(number))
        }
        (Kind::Number(low, high), SpecValue::Number(number)) => (low..=high).contains(number).then(|| value.clone()),
        (Kind::Choice(words), SpecValue::Spec(spec)) => {
            (spec.arguments.is_empty() && words.contains(&spec.name.as_str())).then(|| value.clone())
        }
        (Kind::Text | Kind::File(_) | Kind::Program, SpecValue::Text(_)) => Some(value.clone()),
        (Kind::Entry(catalogue), value) => {
            catalogue.find(id_of(value)?).map(|entry| SpecValue::Spec(Spec::bare(entry.id.as_ref())))
        }
        _ => None,
    }
}

/// For a message about a value that does not fit: the id that was probably meant.
fn near_miss(kind: Kind, value: &SpecValue) -> String {
    let Kind::Entry(catalogue) = kind else { return String::new() };
    let ids: Vec<&str> = catalogue.entries().iter().map(|entry| entry.id.as_ref()).collect();
    let near = id_of(value).and_then(|id| nearest(id, &ids));
    near.map(|id| format!("; did you mean {id}?")).unwrap_or_default()
}

/// An id: a bare word, or the same in quotes.
fn id_of(value: &SpecValue) -> Option<&str> {
    match value {
        SpecValue::Spec(spec) if spec.arguments.is_empty() => Some(&spec.name),
        SpecValue::Text(text) => Some(text),
        _ => None,
    }
}

/// A default that does not fit its own kind is a bug, which the tests of the registry find.
pub(super) fn default_value(owner: &str, parameter: &Parameter, text: &str) -> SpecValue {
    let parsed: Result<Spec, SpecError> = format!("x(x={text})").parse();
    let value = parsed.ok().and_then(|spec| accept(parameter.kind, &spec.arguments.first()?.value));
    value.unwrap_or_else(|| panic!("the default {text} of {} of {owner} does not fit", parameter.name))
}

#[cfg(test)]
mod tests;
