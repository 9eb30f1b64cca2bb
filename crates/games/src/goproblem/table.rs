//! Records of problems: a record of another problem yields that problem and its moves.

use super::format::text;
use super::{GoProblem, Problem};
use tesuji_core::spec::SpecValue;
use tesuji_core::{RecordArguments, Table};

/// The abilities of problems at a board.
pub(super) struct ProblemTable;

impl Table<GoProblem> for ProblemTable {
    fn record_arguments(&self, position: &GoProblem, bytes: &[u8]) -> Result<Option<RecordArguments>, String> {
        if tesuji_sgf::read_game(bytes, position, |_, _| None).is_ok() {
            return Ok(None);
        }
        // An error in a record that is not a problem is reported when its moves are read.
        let problem = Problem::from_bytes(bytes).ok();
        Ok(problem.map(|problem| vec![("file", None), ("text", Some(SpecValue::Text(text::write(&problem))))]))
    }
}
