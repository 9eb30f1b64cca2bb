//! A mistake in an experiment file, with its place.

use std::ops::Range;

/// What is wrong at some bytes of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The bytes it is about.
    pub span: Range<usize>,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl Problem {
    /// A problem at a value that remembers where it stood.
    pub fn at<T>(value: &toml::Spanned<T>, what: impl std::fmt::Display) -> Problem {
        Problem { span: value.span(), what: what.to_string() }
    }

    /// The same with the line and column, both from 1, of a text of this name.
    #[must_use]
    pub fn in_file(self, name: &str, text: &str) -> FileProblem {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        FileProblem {
            file: name.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            what: self.what,
        }
    }
}

impl From<toml::de::Error> for Problem {
    fn from(error: toml::de::Error) -> Problem {
        // serde explains over several lines at times; one is enough.
        let what = error.message().lines().map(str::trim).collect::<Vec<_>>().join("; ");
        Problem { span: error.span().unwrap_or(0..0), what }
    }
}

/// A [`Problem`] for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {what}")]
pub struct FileProblem {
    /// The name of the file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub what: String,
}

#[cfg(test)]
mod tests {
    use super::Problem;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "a = 1\nü = \"é\" x\n";
        let at = text.find('x').expect("there");
        let problem = Problem { span: at..at + 1, what: "no".into() }.in_file("f.toml", text);
        assert_eq!(problem.to_string(), "f.toml:2:9: no");
    }
}
