//! Go notation: `D4` (columns A–Z without I, row 1 at the bottom) and `pass`.

use super::ending::Ending;
use super::problem::{Mode, Place, Problem, Site};
use super::rules::{GoProblem, Move};
use tesuji_core::{BoardShape, BoardView, MoveError, Notation, Position, Sides};

impl Notation for GoProblem {
    fn show_move(&self, mv: Move) -> String {
        self.place_of(mv).map_or_else(|| "pass".into(), |place| place.show(self.size()))
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let size = self.size();
        let illegal = |why: &str| Err(MoveError::illegal(text, why));
        let mv = if text.eq_ignore_ascii_case("pass") {
            Move::PASS
        } else {
            let last = Place { row: 0, column: size - 1 }.show(size);
            let expected = format!("a point from A1 to {last} (there is no I) or pass");
            let place = Place::read(text, size).ok_or_else(|| MoveError::unreadable(text, expected))?;
            match self.move_to(place) {
                Some(_) if self.stone(place).is_some() => return illegal("the point is taken"),
                Some(mv) => mv,
                None => return illegal("the point is not feasible in this problem"),
            }
        };
        if self.outcome().is_some() {
            return illegal("the problem has ended");
        }
        if !self.is_legal(mv) {
            return illegal(if mv.is_pass() {
                "passing is legal only if every legal point fills own space, retakes the ko or leaves one liberty"
            } else if self.place_of(mv) == self.ko_place() {
                "this side may not retake the ko"
            } else {
                "it is suicide, or fills an own true eye"
            });
        }
        Ok(mv)
    }

    fn place_of(&self, mv: Move) -> Option<(usize, usize)> {
        let place = GoProblem::place_of(self, mv)?;
        Some((usize::from(place.column), usize::from(place.row)))
    }

    /// A problem is recorded as a Go game.
    fn record_number(&self) -> Option<u16> {
        Some(1)
    }

    fn record_properties(&self) -> Vec<(String, Vec<String>)> {
        super::format::sgf::properties(self.problem())
    }

    fn sides(&self) -> Sides {
        Sides::BLACK_AND_WHITE
    }

    fn view(&self) -> BoardView {
        let problem = self.problem();
        let size = problem.size;
        let sides = self.sides();
        let name = |column| Place { row: size - 1, column }.show(size).trim_end_matches('1').to_string();
        BoardView {
            shape: BoardShape::Crossings,
            columns: (0..size).map(name).collect(),
            rows: (1..=size).rev().map(|row| row.to_string()).collect(),
            points: problem.places().map(|place| self.stone(place).map(|owner| sides.stone(owner))).collect(),
            stars: crate::grid::stars(usize::from(size)),
            sides,
            captions: self.captions(),
        }
    }
}

impl GoProblem {
    fn captions(&self) -> Vec<String> {
        let problem = self.problem();
        let goal = match problem.mode {
            Mode::Save => "Black to save",
            Mode::Kill => "Black to kill",
        };
        let title = if problem.title.is_empty() { String::new() } else { format!("{}: ", problem.title) };
        let mut lines = vec![format!("{title}{goal} {}", list(problem, |place, _| self.is_important(place)))];
        lines.push(format!("feasible: {}", list(problem, |_, site| site.feasible)));
        let living = list(problem, |place, _| self.is_marked_alive(place));
        if !living.is_empty() {
            lines.push(format!("alive: {living}"));
        }
        if let Some(winner) = self.ko_winner() {
            let times = if self.ko_left() == 1 { "time" } else { "times" };
            lines.push(format!("{} wins the ko ({} {times} left)", self.sides().name(winner), self.ko_left()));
        }
        lines.push(match (self.ending(), self.outcome()) {
            (Some(ending), Some(outcome)) => format!("{}: {}", words(ending, self.sides()), outcome.score),
            _ => self.sides().to_move(self.turn()),
        });
        lines
    }
}

fn list(problem: &Problem, which: impl Fn(Place, Site) -> bool) -> String {
    let chosen = problem.places().filter(|place| which(*place, problem.site(*place)));
    chosen.map(|place| place.show(problem.size)).collect::<Vec<_>>().join(" ")
}

fn words(ending: Ending, sides: Sides) -> String {
    match ending {
        Ending::Alive => "alive".into(),
        Ending::Seki => "seki".into(),
        Ending::Dead => "dead".into(),
        Ending::Passes(player) => format!("{} wins by passes", sides.name(player)),
        Ending::Endless => "no end within the ply limit: scored as seki".into(),
    }
}
