//! Go notation: D4 (columns A to Z without I, rows from the bottom), `pass`.

use super::coordinates::{COLUMNS, point_name, read_point};
use super::position::{Go, GoMove};
use super::rules::Scoring;
use tesuji_core::{
    BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Outcome, Player, Position, Sides,
};

/// A result as Go players write it: B+7.5, W+0.5, draw.
fn result_text(outcome: Outcome) -> String {
    let points = super::rules::Komi(outcome.margin.abs());
    match outcome.winner() {
        Some(Player::First) => format!("B+{points}"),
        Some(Player::Second) => format!("W+{points}"),
        None => "draw".to_string(),
    }
}

impl Notation for Go {
    const CONVENTIONS: Conventions = Conventions { engines: &[EngineProtocol::Gtp], ..Conventions::PLAIN };

    fn show_move(&self, mv: GoMove) -> String {
        match mv.point() {
            None => "pass".to_string(),
            Some(point) => {
                let (column, row) = self.board().column_row(point);
                point_name(column, row)
            }
        }
    }

    fn read_move(&self, text: &str) -> Result<GoMove, MoveError> {
        let mv = if text.eq_ignore_ascii_case("pass") {
            GoMove::PASS
        } else {
            let last = point_name(self.size() - 1, self.size() - 1);
            let expected = || format!("a point from A1 to {last} (there is no column I), or pass");
            let (column, row) = read_point(text).ok_or_else(|| MoveError::unreadable(text, expected()))?;
            let point = self.board().point(column, row).ok_or_else(|| MoveError::unreadable(text, expected()))?;
            GoMove::stone(point)
        };
        match self.why_illegal(mv) {
            None => Ok(mv),
            Some(reason) => Err(MoveError::illegal(text, reason.to_string())),
        }
    }

    fn place_of(&self, mv: GoMove) -> Option<(usize, usize)> {
        let (column, row) = self.board().column_row(mv.point()?);
        Some((column, self.size() - 1 - row))
    }

    fn record_number(&self) -> Option<u16> {
        Some(1)
    }

    fn sides(&self) -> Sides {
        Sides::BLACK_AND_WHITE
    }

    fn view(&self) -> BoardView {
        let (size, board) = (self.size(), self.board());
        let sides = self.sides();
        let mut captions = vec![match self.outcome() {
            None => sides.to_move(self.turn()),
            Some(outcome) => format!("Game over: {} as the board stands", result_text(outcome)),
        }];
        captions.push(format!(
            "Captured: {} by Black, {} by White",
            self.captured_by(Player::First),
            self.captured_by(Player::Second)
        ));
        captions.push(format!("Komi {}, {} scoring", self.rules().komi, self.rules().scoring));
        if self.rules().scoring == Scoring::Hawk {
            captions.push(format!("Moves left: {}", self.moves_left()));
        }
        if self.passes() == 1 && self.outcome().is_none() {
            captions.push(format!("{} has passed", sides.name(self.turn().other())));
        }
        if let Some(point) = board.ko() {
            let (column, row) = board.column_row(point);
            captions.push(format!("Ko at {}", point_name(column, row)));
        }
        BoardView {
            shape: BoardShape::Crossings,
            columns: (0..size).map(|column| char::from(COLUMNS[column]).to_string()).collect(),
            rows: (1..=size).rev().map(|row| row.to_string()).collect(),
            points: (0..size)
                .rev()
                .flat_map(|row| (0..size).map(move |column| (column, row)))
                .map(|(column, row)| {
                    board.point(column, row).and_then(|point| board.stone_at(point)).map(|owner| sides.stone(owner))
                })
                .collect(),
            stars: crate::grid::stars(size),
            sides,
            captions,
        }
    }
}
