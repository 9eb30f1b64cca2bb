//! The weights that are built in, of all agents that learn: `tesuji learn weights` lists them.
//!
//! Every agent with weights adds its own here.

use crate::player;

/// Weights that are built in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shipped {
    /// The name of the agent that uses them.
    pub agent: &'static str,
    /// The games they serve.
    pub game: String,
    /// The length of their file.
    pub bytes: usize,
    /// How they were made.
    pub note: String,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Shipped> {
    let mut all = player::shipped();
    all.extend(crate::hawk::shipped());
    all
}

#[cfg(test)]
mod tests {
    use super::all;

    /// Ten million bytes for everything but the two large networks of `zero`.
    #[test]
    fn small_weights_are_small() {
        let small = all().into_iter().filter(|shipped| shipped.agent != "zero");
        assert!(small.map(|shipped| shipped.bytes).sum::<usize>() <= 10_000_000);
    }
}
