//! What can be said about games and searches: names, parameters, kinds of values.

use super::catalogue::Catalogue;

/// One parameter of a game or a search.
///
/// ```
/// use tesuji_core::spec::{Kind, Parameter};
///
/// let threads = Parameter { name: "threads", about: "at once", kind: Kind::Integer(1, 64), default: Some("1") };
/// assert_eq!(threads.kind.to_string(), "a whole number from 1 to 64");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in specs.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// Its value when it is not given, as spec text; `None` if it then simply does not apply.
    pub default: Option<&'static str>,
}

/// What values a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A whole number in this range, ends included.
    Integer(i64, i64),
    /// A number in this range, ends included.
    Number(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Quoted text. Never the name of a file or a program: those have kinds of their own.
    Text,
    /// The path of a file of at most this many bytes, which is read if the spec's origin may.
    File(u64),
    /// The command line of a program, which is started if the spec's origin may.
    Program,
    /// One of these things, with parameters of its own: `select=ucb1(c=1.4)`.
    Part(&'static [Description]),
    /// The id of something that the program carries: `problem=race-01`.
    Entry(Catalogue),
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Integer(low, i64::MAX) => write!(f, "a whole number from {low}"),
            Kind::Integer(low, high) => write!(f, "a whole number from {low} to {high}"),
            Kind::Number(low, high) if *high == f64::MAX => write!(f, "a number from {low}"),
            Kind::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Kind::Choice(words) => write!(f, "{}", words.join(" or ")),
            Kind::Text => f.write_str("\"text\""),
            Kind::File(_) => f.write_str("\"file\""),
            Kind::Program => f.write_str("\"command\""),
            Kind::Part(known) => {
                let names: Vec<&str> = known.iter().map(|part| part.name).collect();
                write!(f, "{}", names.join(" or "))
            }
            Kind::Entry(catalogue) => match catalogue.entries().first() {
                Some(entry) => write!(f, "an id such as {}", entry.id),
                None => f.write_str("an id"),
            },
        }
    }
}

/// A name that specs may use, and its parameters.
///
/// ```
/// use tesuji_core::spec::{Description, Kind, Parameter, Spec, resolve};
///
/// const HEX: Description = Description {
///     name: "hex",
///     about: "connect your sides",
///     parameters: &[
///         Parameter { name: "size", about: "rows", kind: Kind::Integer(2, 26), default: Some("11") },
///         Parameter { name: "swap", about: "the pie rule", kind: Kind::Choice(&["off", "pieces"]), default: Some("off") },
///     ],
/// };
///
/// let read = |text: &str| resolve(&text.parse::<Spec>().unwrap(), "game", &[HEX]);
/// let (number, arguments) = read("hex(size=5)").unwrap();
/// assert_eq!((number, arguments.count("size")), (0, 5));
/// assert_eq!(arguments.canonical().to_string(), "hex(size=5,swap=off)");
/// assert!(read("hex(size=99)").is_err() && read("hex(sise=5)").is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Description {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters, in the order of the canonical text.
    pub parameters: &'static [Parameter],
}

/// Something that can be named in a spec.
pub trait Describe {
    /// Its name and parameters.
    const DESCRIPTION: Description;
}
