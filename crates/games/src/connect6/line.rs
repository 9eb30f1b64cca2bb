//! A line of double threats: its notation, and its verification by the rules alone.
//!
//! A line is the play of the claimant, turn by turn. A turn has its **stones** (two; the rest of
//! the turn with the claimant to move) and its **stops**: points on which the opponent may answer.
//! It ends by a six, or by a turn that cannot be stopped. After each earlier turn *all* stops count
//! as stones of the opponent, though the opponent has two (Wu & Huang's conservative defence): one
//! line covers all answers.
//!
//! **Why it wins.** Let the opponent have placed k stones D that the line does not contain (k = 0
//! with the claimant to move; a turn or the rest of one with the opponent to move: the null and the
//! seminull move), and let R be the opponent's later answers. The windows (six points in a row)
//! that hold four or more stones of the claimant, none of the opponent, and whose empty points are
//! all among the stops of a turn need at least two stones to be hit (three after the last turn),
//! which is checked. So an answer that leaves the claimant no six uses both stones, each on one of
//! the stops. By induction all stones of R lie on the stops, and the board of the line has them
//! all: the next stones of the line can be played and the next windows are open, *if D is disjoint
//! from the stones and the stops of the line*. After the last turn some window stays open.
//!
//! The opponent must not win first. At the opponent's turns a window without a stone of the
//! claimant holds at most c + |D ∩ window| of the opponent's stones, with c as in the line. The
//! opponent completes it in a turn if that is four. So c ≥ 4 is refused; with c = 3 and k ≥ 1, D
//! must be disjoint from the window; with c = 2 and k = 2, D must not have both stones in it.
//!
//! **The zone** is a set of points that D must intersect to refute the line: it holds the stones,
//! the stops, and the empty points of the windows with c = 3; and of each window with c = 2, where
//! k = 2, all empty points but one.
//!
//! Reference: I-C. Wu, P.-H. Lin, "Relevance-zone-oriented proof search for Connect6", IEEE TCIAIG
//! 2(3), 2010; Zhang 2019, §3.3.2. Deviation: their zones Z₁ and Z₂ (for one and for two stones of
//! D) are one, that for k.
//!
//! The board here is a plain list of points, built for every line: it uses none of the counts of
//! the search.

use super::{Connect6, LINE};
use crate::in_a_row::{DIRECTIONS, Point};
use tesuji_core::{Player, Position};

/// A turn of the claimant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Turn {
    /// The stones placed.
    pub(super) stones: Vec<Point>,
    /// The points where the opponent may answer; empty after a six.
    pub(super) stops: Vec<Point>,
}

/// Turns of the claimant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Line(pub(super) Vec<Turn>);

impl Line {
    /// The line as numbers: for each turn the number of stones, the stones, the number of stops,
    /// the stops.
    pub(super) fn write(&self, position: &Connect6, data: &mut Vec<u64>) {
        for turn in &self.0 {
            write_points(position, &turn.stones, data);
            write_points(position, &turn.stops, data);
        }
    }
}

/// Points as numbers: their count, then the points.
pub(super) fn write_points(position: &Connect6, points: &[Point], data: &mut Vec<u64>) {
    data.push(points.len() as u64);
    data.extend(points.iter().map(|point| position.move_index(*point) as u64));
}

/// What a zone must hold for a line to win against stones outside of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Needs {
    /// All of these, perhaps repeated.
    points: Vec<Point>,
    /// Of each of these all but one.
    windows: Vec<Vec<Point>>,
}

impl Needs {
    /// A small sufficient zone: the required points, then, one after the other, the point that most
    /// windows still need.
    pub(super) fn zone(&self) -> Vec<Point> {
        let mut zone = self.points.clone();
        zone.sort_unstable();
        zone.dedup();
        let mut windows = self.windows.clone();
        windows.sort_unstable();
        windows.dedup();
        loop {
            for window in &mut windows {
                window.retain(|point| !zone.contains(point));
            }
            windows.retain(|window| window.len() > 1);
            let mut wanted: Vec<Point> = windows.iter().flatten().copied().collect();
            wanted.sort_unstable();
            let most = wanted.chunk_by(|one, other| one == other).max_by_key(|same| (same.len(), same[0]));
            let Some(most) = most else { return zone };
            zone.push(most[0]);
        }
    }
}

/// A board independent of the search.
struct Board {
    size: usize,
    cells: Vec<Option<Player>>,
}

impl Board {
    fn new(position: &Connect6) -> Board {
        let size = position.size();
        let cells = (0..size * size).map(|cell| position.move_at(cell).and_then(|point| position.stone(point)));
        Board { size, cells: cells.collect() }
    }

    fn at(&self, point: Point) -> Option<Player> {
        self.cells[point.row() * self.size + point.column()]
    }

    fn put(&mut self, point: Point, player: Player) -> Result<(), String> {
        let cell = &mut self.cells[point.row() * self.size + point.column()];
        if cell.is_some() {
            return Err(format!("column {}, row {} is not empty", point.column() + 1, point.row() + 1));
        }
        *cell = Some(player);
        Ok(())
    }

    /// Passes every window without a stone of the opponent to `show`: the number of stones of
    /// `player`, and its points.
    fn windows(&self, player: Player, mut show: impl FnMut(usize, &[Point; LINE])) {
        for cell in 0..self.cells.len() {
            let first = Point::new((cell % self.size) as u8, (cell / self.size) as u8);
            for direction in DIRECTIONS {
                if first.step(direction, LINE as isize - 1, self.size).is_none() {
                    continue;
                }
                let window =
                    std::array::from_fn(|steps| first.step(direction, steps as isize, self.size).unwrap_or(first));
                let mut held = 0;
                let open = window.iter().all(|point| match self.at(*point) {
                    None => true,
                    Some(owner) => {
                        held += 1;
                        owner == player
                    }
                });
                if open {
                    show(held, &window);
                }
            }
        }
    }

    fn empty_points(&self, window: &[Point; LINE]) -> Vec<Point> {
        window.iter().copied().filter(|point| self.at(*point).is_none()).collect()
    }

    /// The most stones of `player` in a window without one of the opponent.
    fn most(&self, player: Player) -> usize {
        let mut most = 0;
        self.windows(player, |held, _| most = most.max(held));
        most
    }
}

/// Whether this many points hit all of these windows, each given by its empty points.
pub(super) fn are_hit_by(windows: &[Vec<Point>], points: usize) -> bool {
    let Some(window) = windows.first() else { return true };
    points > 0
        && window.iter().any(|point| {
            let rest: Vec<Vec<Point>> = windows.iter().filter(|other| !other.contains(point)).cloned().collect();
            are_hit_by(&rest, points - 1)
        })
}

/// Verifies a line in a live position: that it wins with the claimant to move; else what a zone
/// must hold for it to win against the stones that the opponent has left in the turn, where the
/// opponent completes no six with them.
pub(super) fn follow(position: &Connect6, claimant: Player, line: &Line) -> Result<Needs, String> {
    let opponent = claimant.other();
    let mut board = Board::new(position);
    let mut needs = Needs::default();
    let (mut stones, unknown) = if position.turn() == claimant {
        (position.stones_left(), 0)
    } else {
        if board.most(opponent) + position.stones_left() >= LINE {
            return Err("the opponent completes a six".into());
        }
        (2, position.stones_left())
    };
    for (number, turn) in line.0.iter().enumerate() {
        let last = number + 1 == line.0.len();
        if turn.stones.is_empty() || turn.stones.len() > stones {
            return Err(format!("{} stones in a turn of {stones}", turn.stones.len()));
        }
        for stone in &turn.stones {
            board.put(*stone, claimant)?;
        }
        needs.points.extend(&turn.stones);
        if last && turn.stops.is_empty() && board.most(claimant) == LINE {
            return Ok(needs);
        }
        if turn.stones.len() != stones {
            return Err("a turn ends early".into());
        }
        stones = 2;
        // The opponent's turn: the opponent must not win first.
        let mut opponent_wins = false;
        board.windows(opponent, |held, window| {
            opponent_wins |= held >= 4;
            if held == 3 && unknown > 0 {
                needs.points.extend(board.empty_points(window));
            } else if held == 2 && unknown == 2 {
                needs.windows.push(board.empty_points(window));
            }
        });
        if opponent_wins {
            return Err(format!("the opponent wins first, after turn {}", number + 1));
        }
        let mut threats = Vec::new();
        board.windows(claimant, |held, window| {
            let gaps = board.empty_points(window);
            if held >= 4 && gaps.iter().all(|point| turn.stops.contains(point)) {
                threats.push(gaps);
            }
        });
        if are_hit_by(&threats, if last { 2 } else { 1 }) {
            return Err(format!("too few threats after turn {}", number + 1));
        }
        for stop in &turn.stops {
            board.put(*stop, opponent)?;
        }
        needs.points.extend(&turn.stops);
        if last {
            return Ok(needs);
        }
    }
    Err("a line without turns".into())
}
