//! What cannot be drawn.

/// Why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlotError {
    /// No data.
    #[error("{0} has nothing to draw")]
    Empty(String),
    /// A number that no axis can show.
    #[error("{what}, number {place}, is {number}: {expected} is needed")]
    Number {
        /// Which list it is in.
        what: String,
        /// Its place, from 1.
        place: usize,
        /// What it is.
        number: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A list of the wrong length.
    #[error("{what} has {found} entries: {expected} are needed")]
    Length {
        /// Which list it is.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that would be right.
        expected: usize,
    },
    /// More curves than can be told apart.
    #[error("{found} curves cannot be told apart: {most} at most in one picture")]
    TooMany {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A range without extent or in the wrong order.
    #[error(
        "the range of the axis “{0}” must be two finite numbers in ascending order, positive on a logarithmic axis"
    )]
    Range(String),
}
