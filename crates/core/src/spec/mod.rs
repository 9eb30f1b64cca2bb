//! Games and agents as text: `hex(size=11,swap=false)`, `mcts(select=ucb1(c=1.4),leaf=random)`.
//!
//! ```text
//! spec   = name [ "(" [ argument { "," argument } ] ")" ]
//! argument = name "=" value
//! value  = number | text | spec          a bare word is a spec without arguments
//! name   = letter { letter | digit | "_" | "-" }
//! number = [ "-" ] digits [ "." digits ] [ "e" [ "-" | "+" ] digits ]
//! text   = '"' { character | '\"' | '\\' | '\n' | '\t' } '"'
//! ```
//!
//! Blanks may stand between any two signs. A printed [`Spec`] parses to itself.
//! What names and parameters mean is said by [`Describe`] and checked by [`resolve`],
//! which also makes the *canonical* spec with every parameter spelled out.

mod catalogue;
mod description;
mod hints;
mod parameters;
mod parse;
mod resources;
mod short;

pub use catalogue::{Catalogue, Entry};
pub use description::{Describe, Description, Kind, Parameter};
pub use hints::nearest;
pub use parameters::{ArgumentError, Arguments, NamedFile, resolve, resolve_with};
pub use resources::{NoResources, Resources};
pub use short::short;

use std::fmt;

/// A name with arguments.
///
/// ```
/// use tesuji_core::spec::Spec;
///
/// let spec: Spec = "mcts( select = ucb1(c=1.4), leaf=random )".parse().unwrap();
/// assert_eq!(spec.name, "mcts");
/// assert_eq!(spec.to_string(), "mcts(select=ucb1(c=1.4),leaf=random)");
///
/// let error = "hex(size=)".parse::<Spec>().unwrap_err();
/// assert_eq!(error.at, 9);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// What is meant.
    pub name: String,
    /// In the order written.
    pub arguments: Vec<Argument>,
    /// Where the name stands in the text; ignored by `==`.
    pub at: Place,
}

/// One `name=value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    /// The parameter.
    pub name: String,
    /// Its value.
    pub value: SpecValue,
    /// Where it stands in the text; ignored by `==`.
    pub at: Place,
}

/// The value of an argument.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecValue {
    /// A whole number.
    Integer(i64),
    /// Any other number; never NaN or infinite.
    Number(f64),
    /// Quoted text.
    Text(String),
    /// A word, or a spec with arguments.
    Spec(Spec),
}

/// A place in the text a spec was read from, in characters. All places are equal, so that
/// specs compare by what they say and not by where it stood.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub usize);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

/// A spec that cannot be understood: where, and what would be right. One line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem} (column {} of the spec)", .at + 1)]
pub struct SpecError {
    /// Characters before the place.
    pub at: usize,
    /// What is wrong there and what was expected.
    pub problem: String,
}

impl Spec {
    /// A bare name.
    #[must_use]
    pub fn bare(name: impl Into<String>) -> Spec {
        Spec { name: name.into(), arguments: Vec::new(), at: Place(0) }
    }
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        parse::parse(text)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, argument) in self.arguments.iter().enumerate() {
            let before = if number == 0 { '(' } else { ',' };
            write!(f, "{before}{}={}", argument.name, argument.value)?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl fmt::Display for SpecValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecValue::Integer(number) => write!(f, "{number}"),
            // `{:?}` keeps a point or an exponent, so that a number does not come back as an
            // integer.
            SpecValue::Number(number) => write!(f, "{number:?}"),
            SpecValue::Spec(spec) => write!(f, "{spec}"),
            SpecValue::Text(text) => {
                f.write_str("\"")?;
                for letter in text.chars() {
                    match letter {
                        '"' => f.write_str("\\\"")?,
                        '\\' => f.write_str("\\\\")?,
                        '\n' => f.write_str("\\n")?,
                        '\t' => f.write_str("\\t")?,
                        other => write!(f, "{other}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}
