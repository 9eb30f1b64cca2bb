//! A spec checked against a description: every parameter with a value in range, or what is wrong.

use super::catalogue::Entry;
use super::description::{Description, Kind, Parameter};
use super::hints::{nearest, nested_parameter, nested_part, shorten, suggestion};
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
            let hint = match nested {
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
mod tests {
    use super::{Description, Kind, Parameter, resolve};
    use crate::spec::{Catalogue, Entry, Spec};
    use std::borrow::Cow;

    const KNOWN: [Description; 4] = [
        HEX,
        Description { name: "random", about: "", parameters: &[] },
        Description {
            name: "problems",
            about: "",
            parameters: &[Parameter { name: "problem", about: "", kind: Kind::Entry(CATALOGUE), default: None }],
        },
        Description {
            name: "vote",
            about: "",
            parameters: &[Parameter { name: "search", about: "", kind: Kind::Part(&[HEX]), default: None }],
        },
    ];

    const HEX: Description = Description {
        name: "hex",
        about: "",
        parameters: &[
            Parameter { name: "size", about: "", kind: Kind::Integer(2, 26), default: Some("11") },
            Parameter { name: "swap", about: "", kind: Kind::Choice(&["true", "false"]), default: Some("true") },
            Parameter { name: "komi", about: "", kind: Kind::Number(-1.0, 1.0), default: Some("0.5") },
            Parameter { name: "file", about: "", kind: Kind::File(100), default: None },
            Parameter { name: "part", about: "", kind: Kind::Part(&PARTS), default: None },
        ],
    };

    const CATALOGUE: Catalogue = Catalogue { entries: || &ENTRIES };

    static ENTRIES: [Entry; 2] = [entry("race-01"), entry("race-02")];

    const fn entry(id: &'static str) -> Entry {
        Entry { id: Cow::Borrowed(id), about: Cow::Borrowed(""), text: Cow::Borrowed("") }
    }

    const PARTS: [Description; 3] = [
        Description {
            name: "ucb1",
            about: "",
            parameters: &[Parameter { name: "c", about: "", kind: Kind::Number(0.0, 100.0), default: Some("1.4") }],
        },
        Description { name: "greedy", about: "", parameters: &[] },
        Description {
            name: "other",
            about: "",
            parameters: &[Parameter { name: "c", about: "", kind: Kind::Number(-1.0, 1.0), default: Some("0.5") }],
        },
    ];

    fn canonical(text: &str) -> Result<String, String> {
        let spec: Spec = text.parse().expect("well formed");
        resolve(&spec, "game", &KNOWN)
            .map(|(_, arguments)| arguments.canonical().to_string())
            .map_err(|e| e.to_string())
    }

    #[test]
    fn canonical_text_spells_everything_out_and_is_a_fixed_point() {
        for (text, full) in [
            ("hex", "hex(size=11,swap=true,komi=0.5)"),
            ("hex(komi=1,size=3)", "hex(size=3,swap=true,komi=1.0)"),
            ("hex(file=\"a b\")", "hex(size=11,swap=true,komi=0.5,file=\"a b\")"),
            ("hex(part=ucb1)", "hex(size=11,swap=true,komi=0.5,part=ucb1(c=1.4))"),
            ("hex(part=ucb1(c=2))", "hex(size=11,swap=true,komi=0.5,part=ucb1(c=2.0))"),
            ("random", "random"),
            ("problems(problem=race-02)", "problems(problem=race-02)"),
            ("problems(problem=\"race-02\")", "problems(problem=race-02)"),
        ] {
            assert_eq!(canonical(text), Ok(full.into()));
            assert_eq!(canonical(full), Ok(full.into()));
        }
    }

    #[test]
    fn mistakes_name_what_would_be_right() {
        for (text, message) in [
            ("hexx", "unknown game \"hexx\"; did you mean \"hex\"? (column 1 of the spec)"),
            ("chess960", "unknown game \"chess960\"; known: hex, random, problems, vote (column 1 of the spec)"),
            ("hex(sise=3)", "hex has no parameter \"sise\"; did you mean \"size\"? (column 5 of the spec)"),
            ("hex(size=27)", "size of hex must be a whole number from 2 to 26, not 27 (column 5 of the spec)"),
            ("hex(size=2.5)", "size of hex must be a whole number from 2 to 26, not 2.5 (column 5 of the spec)"),
            ("hex(swap=maybe)", "swap of hex must be true or false, not maybe (column 5 of the spec)"),
            ("hex(komi=7)", "komi of hex must be a number from -1 to 1, not 7 (column 5 of the spec)"),
            ("hex(part=ucb)", "unknown part of hex \"ucb\"; did you mean \"ucb1\"? (column 10 of the spec)"),
            ("hex(part=ucb1(d=1))", "ucb1 has no parameter \"d\"; did you mean \"c\"? (column 15 of the spec)"),
            ("hex(part=ucb1(c=-1))", "c of ucb1 must be a number from 0 to 100, not -1 (column 15 of the spec)"),
            ("hex(part=3)", "part of hex must be ucb1 or greedy or other, not 3 (column 5 of the spec)"),
            ("random(x=1)", "random has no parameter \"x\"; it has none (column 8 of the spec)"),
            (
                "problems(problem=race-3)",
                "problem of problems must be an id such as race-01, not race-3; did you mean race-01? \
                 (column 10 of the spec)",
            ),
            ("problems(problem=1)", "problem of problems must be an id such as race-01, not 1 (column 10 of the spec)"),
        ] {
            assert_eq!(canonical(text), Err(message.into()));
        }
    }

    /// `mcts(c=1)` was only told the names of the parameters of `mcts`.
    #[test]
    fn a_parameter_of_a_part_is_pointed_to() {
        for (text, message) in [
            ("hex(c=1)", "hex has no parameter \"c\"; did you mean part=ucb1(c=1)? (column 5 of the spec)"),
            // The part that was named comes first.
            (
                "hex(part=other,c=1)",
                "hex has no parameter \"c\"; did you mean part=other(c=1)? (column 16 of the spec)",
            ),
            // A value that fits one part only belongs to that part.
            ("hex(c=-1)", "hex has no parameter \"c\"; did you mean part=other(c=-1)? (column 5 of the spec)"),
            (
                "hex(part=greedy,c=1)",
                "hex has no parameter \"c\"; did you mean part=ucb1(c=1)? (column 17 of the spec)",
            ),
            // Parts of parts too.
            (
                "vote(c=1)",
                "vote has no parameter \"c\"; did you mean search=hex(part=ucb1(c=1))? (column 6 of the spec)",
            ),
            (
                "vote(search=hex(part=other),c=1)",
                "vote has no parameter \"c\"; did you mean search=hex(part=other(c=1))? (column 29 of the spec)",
            ),
            ("ucb1(c=2)", "unknown game \"ucb1\"; did you mean hex(part=ucb1(c=2))? (column 1 of the spec)"),
        ] {
            assert_eq!(canonical(text), Err(message.into()));
        }
    }
}
