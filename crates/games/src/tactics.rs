//! Games without tactics of the kind that searches ask for: no captures to resolve, no checks, no
//! null moves.

use crate::{connect6, go, gomoku, goproblem, hex, mnk, synthetic, tictactoe};
use tesuji_core::Tactical;

impl Tactical for connect6::Connect6 {}
impl Tactical for go::Go {}
impl Tactical for gomoku::Gomoku {}
impl Tactical for goproblem::GoProblem {}
impl Tactical for hex::Hex {}
impl Tactical for mnk::Mnk {}
impl Tactical for synthetic::PGame {}
impl Tactical for synthetic::Trap {}
impl Tactical for synthetic::Tree {}
impl Tactical for tictactoe::TicTacToe {}
