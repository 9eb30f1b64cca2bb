//! Any bytes, read as a life-and-death problem in each of the three formats, are refused in one
//! line, or survive writing and reading again in all three and can be played.
//!
//! `cargo fuzz run -s none goproblem fuzz/corpus/goproblem crates/games/tests/corpus/goproblem` in
//! the root of the repository. A file it finds goes, made small, into
//! `crates/games/tests/corpus/goproblem`, where the ordinary tests replay it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_games::goproblem::format::{lin, sgf, text};
use tesuji_games::goproblem::{GoProblem, Problem};

fuzz_target!(|bytes: &[u8]| {
    let words = String::from_utf8_lossy(bytes);
    for result in [Problem::from_bytes(bytes), sgf::read(bytes), text::read(&words), lin::read(&words)] {
        match result {
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
            Ok(problem) => {
                assert!(text::read(&text::write(&problem)).as_ref() == Ok(&problem), "our text: another problem");
                assert!(sgf::read(sgf::write(&problem).as_bytes()).as_ref() == Ok(&problem), "SGF: another problem");
                let again = lin::read(&lin::write(&problem)).map(|again| again.sites);
                assert!(again.as_ref() == Ok(&problem.sites), "Go.txt: another board");
                let _ = GoProblem::new(problem);
            }
        }
    }
});
