//! Texts that people type: specs, positions, moves. Whatever comes, an answer or an error, never a
//! panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_core::spec::Spec;
use tesuji_core::{Notation, Position};
use tesuji_games::gomoku::{Gomoku, Rule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::Tree;
use tesuji_games::xiangqi::{Xiangqi, wxf};

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    }
    if let Ok(tree) = Tree::from_text(text) {
        assert_eq!(Tree::from_text(&tree.to_text()), Ok(tree));
    }
    if let Ok(position) = Xiangqi::from_fen(text) {
        assert_eq!(Xiangqi::from_fen(&position.to_fen()).as_ref(), Ok(&position));
        let _ = position.moves();
    }
    let _ = wxf::read(&Xiangqi::new(), text);
    let _ = Xiangqi::new().read_move(text);
    if let Ok(board) = Gomoku::new(15, Rule::Renju) {
        let _ = (board.read_move(text), board.with_text(text));
    }
    if let Ok(board) = Othello::new(8, Empties::default()) {
        let _ = (board.read_move(text), board.with_text(text));
    }
});
