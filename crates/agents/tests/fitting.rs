//! The unit tests of the fitters: their files are compiled here with their tests, so that the
//! library, with all its instances of searches, need not be compiled a second time for them.

#[path = "../src/goproblem_fit.rs"]
#[allow(dead_code)]
mod goproblem_fit;
#[path = "../src/least_squares.rs"]
#[allow(dead_code)]
mod least_squares;
#[path = "../src/othello_fit.rs"]
#[allow(dead_code)]
mod othello_fit;
