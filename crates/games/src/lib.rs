//! The games: one folder each with rules, notation, playouts and knowledge.
//!
//! A game implements [`Position`](tesuji_core::Position), [`Notation`](tesuji_core::Notation),
//! [`Studied`](tesuji_core::Studied) and [`Game`](tesuji_core::Game) and passes the conformance
//! kit; it does not depend on search.

pub mod connect6;
pub mod go;
pub mod gomoku;
pub mod goproblem;
pub mod hex;
pub mod mnk;
pub mod othello;
pub mod synthetic;
pub mod tictactoe;
pub mod xiangqi;

mod bit_set;
mod built_in;
mod grid;
mod in_a_row;
mod sampler;
mod select;
