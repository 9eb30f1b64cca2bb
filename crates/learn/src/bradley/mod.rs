//! Bradley–Terry knowledge of moves: games on file, and strengths fitted to them.
//!
//! | file | contents |
//! |---|---|
//! | [`archive`] | games in a compact file that only grows and survives a kill at any byte |
//! | [`contests`] | positions as contests between teams of features |
//! | [`fit`] | minorisation–maximisation: the strengths that explain the moves played best |
//!
//! What features there are, the games say (`MoveFeatures` of `core`); what a search does with the
//! strengths is in `search` (`leaf=patterns`, `prior=patterns`).

pub mod archive;
pub mod contests;
pub mod fit;
