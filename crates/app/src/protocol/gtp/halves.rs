//! Moves from one point to another, as GoGui plays them: first the piece, then its target, as two
//! moves of one colour.
//!
//! GoGui knows only moves on points. While it is the board of a game of moving pieces, `play` and
//! `genmove` take and give one point at a time; the legal moves are first the pieces that can move,
//! then the targets of the picked one; and `undo` takes one of the two back.

use super::Gtp;
use crate::protocol::Vertices;
use crate::protocol::moves::{go_name, read_go_name};
use tesuji_core::{BoardView, Player};

/// Column and row from the top left.
type Place = (usize, usize);

/// A piece that was picked.
pub(super) struct Picked {
    from: Place,
    /// The move it was picked for, if the engine picked it.
    planned: Option<String>,
}

/// Where a move like `h2e2` begins and ends, by the names along the edges of the board.
fn ends(view: &BoardView, mv: &str) -> Option<(Place, Place)> {
    fn point<'a>(view: &BoardView, text: &'a str) -> Option<(Place, &'a str)> {
        let column = view.columns.iter().position(|name| text.starts_with(name.as_str()))?;
        let rest = &text[view.columns[column].len()..];
        // The longest name: 10 is not 1.
        let rows = view.rows.iter().enumerate().filter(|(_, name)| rest.starts_with(name.as_str()));
        let (row, name) = rows.max_by_key(|(_, name)| name.len())?;
        Some(((column, row), &rest[name.len()..]))
    }
    let (from, rest) = point(view, mv)?;
    let (to, rest) = point(view, rest)?;
    rest.is_empty().then_some((from, to))
}

impl Gtp {
    /// Whether moves are played in halves.
    pub(super) fn in_halves(&self) -> bool {
        self.vertices == Vertices::Go && self.position().conventions().moves_pieces
    }

    fn name(&self, (column, row): Place) -> String {
        go_name(column, row, self.position().view().rows.len())
    }

    /// The legal moves with their ends.
    fn moves_with_ends(&self) -> Vec<(Place, Place, String)> {
        let view = self.position().view();
        let moves = self.position().moves().into_iter();
        moves.filter_map(|mv| ends(&view, &mv).map(|(from, to)| (from, to, mv))).collect()
    }

    /// The points that can be played now.
    pub(super) fn half_moves(&self) -> Vec<String> {
        let moves = self.moves_with_ends().into_iter();
        let mut places: Vec<Place> = match &self.picked {
            None => moves.map(|(from, ..)| from).collect(),
            Some(picked) => moves.filter(|(from, ..)| *from == picked.from).map(|(_, to, _)| to).collect(),
        };
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|place| self.name(place)).collect()
    }

    /// The point of the picked piece.
    pub(super) fn picked_name(&self) -> Option<String> {
        self.picked.as_ref().map(|picked| self.name(picked.from))
    }

    /// Plays a half if the vertex is a point; says whether it was.
    pub(super) fn play_half(&mut self, player: Player, vertex: &str) -> Result<bool, String> {
        let Some(place) = read_go_name(vertex, self.position().view().rows.len()) else { return Ok(false) };
        self.take_turn(player)?;
        let moves = self.moves_with_ends();
        let found = match &self.picked {
            None => moves.iter().find(|(from, ..)| *from == place),
            Some(picked) => moves.iter().find(|(from, to, _)| *from == picked.from && *to == place),
        };
        let Some((from, _, mv)) = found else {
            let what =
                if self.picked.is_some() { "the picked piece cannot go there" } else { "no piece there can move" };
            return Err(format!("illegal move: {what}"));
        };
        let before = self.engine.session.steps();
        if self.picked.is_none() {
            self.picked = Some(Picked { from: *from, planned: None });
        } else {
            self.engine.session.play(mv).map_err(|error| super::refused(&error))?;
            self.picked = None;
        }
        self.marks.push(before);
        Ok(true)
    }

    /// The search chose a move: its piece is picked. The vertex of it.
    pub(super) fn pick_for(&mut self, mv: &str, mark: usize) -> Option<String> {
        let (from, _) = ends(&self.position().view(), mv)?;
        self.picked = Some(Picked { from, planned: Some(mv.to_string()) });
        self.marks.push(mark);
        Some(self.name(from))
    }

    /// The target of the picked piece, played: the one it was picked for, or the first there is.
    pub(super) fn finish_half(&mut self) -> Result<String, String> {
        let picked = self.picked.take().ok_or("no piece is picked")?;
        let moves = self.moves_with_ends();
        let wanted = moves.iter().find(|(.., mv)| Some(mv) == picked.planned.as_ref());
        let wanted = wanted.or_else(|| moves.iter().find(|(from, ..)| *from == picked.from));
        let (_, to, mv) = wanted.ok_or("the picked piece cannot move")?;
        let name = self.name(*to);
        self.marks.push(self.engine.session.steps());
        self.engine.session.play(mv).map_err(|error| super::refused(&error))?;
        Ok(name)
    }

    /// A command was taken back that had left `steps` steps: what is picked now.
    pub(super) fn unpick(&mut self, undone: Option<&str>) {
        self.picked = match undone.filter(|_| self.in_halves()) {
            // The target was taken back; the piece is still picked.
            Some(mv) => ends(&self.position().view(), mv).map(|(from, _)| Picked { from, planned: None }),
            None => None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::ends;

    #[test]
    fn ends_of_moves() {
        for (ranks, mv, expected) in [
            ("zero", "h2e2", Some(((7, 7), (4, 7)))),
            ("zero", "a0a9", Some(((0, 9), (0, 0)))),
            ("one", "a1a10", Some(((0, 9), (0, 0)))),
            ("one", "a10b10", Some(((0, 0), (1, 0)))),
            ("zero", "h2", None),
            ("zero", "h2e2x", None),
            ("zero", "pass", None),
        ] {
            let game = format!("xiangqi(ranks={ranks})").parse().expect("a spec");
            let view = tesuji_agents::start_game(&game).expect("a game").position.view();
            assert_eq!(ends(&view, mv), expected, "{mv}");
        }
    }
}
