//! Gomoku once more, slowly and from the text of the rules: the judge of the fast one. Whole boards
//! of characters, whole lines, no windows, no tables, no bits.

use std::collections::BTreeSet;
use tesuji_core::Player;
use tesuji_games::gomoku::{Forbidden, Gomoku, Point, Rule, Shape};

pub type Cell = (i32, i32);

pub const DIRECTIONS: [Cell; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone)]
pub struct Board {
    pub size: i32,
    pub cells: Vec<char>,
    pub rule: Rule,
}

pub fn letter(player: Player) -> char {
    if player == Player::First { 'X' } else { 'O' }
}

pub fn point((column, row): Cell) -> Point {
    Point::new(column as u8, row as u8)
}

impl Board {
    pub fn new(size: usize, rule: Rule) -> Board {
        Board { size: size as i32, cells: vec!['.'; size * size], rule }
    }

    pub fn of(position: &Gomoku) -> Board {
        let mut board = Board::new(position.size(), position.rule());
        for cell in board.all() {
            if let Some(player) = position.stone(point(cell)) {
                board.put(cell, letter(player));
            }
        }
        board
    }

    pub fn all(&self) -> Vec<Cell> {
        (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row))).collect()
    }

    /// '#' off the board.
    pub fn get(&self, (column, row): Cell) -> char {
        let on = (0..self.size).contains(&column) && (0..self.size).contains(&row);
        if on { self.cells[(row * self.size + column) as usize] } else { '#' }
    }

    pub fn put(&mut self, (column, row): Cell, stone: char) {
        self.cells[(row * self.size + column) as usize] = stone;
    }

    pub fn with(&self, cell: Cell, stone: char) -> Board {
        let mut board = self.clone();
        board.put(cell, stone);
        board
    }

    /// The unbroken row through a stone.
    pub fn row(&self, cell: Cell, (dx, dy): Cell) -> Vec<Cell> {
        let stone = self.get(cell);
        let at = |k: i32| (cell.0 + k * dx, cell.1 + k * dy);
        let mut low = 0;
        while self.get(at(low - 1)) == stone {
            low -= 1;
        }
        let mut high = 0;
        while self.get(at(high + 1)) == stone {
            high += 1;
        }
        (low..=high).map(at).collect()
    }

    pub fn exact(&self, stone: char) -> bool {
        match self.rule {
            Rule::Freestyle => false,
            Rule::Standard => true,
            Rule::Renju => stone == 'X',
        }
    }

    pub fn is_five(&self, cell: Cell, direction: Cell) -> bool {
        let length = self.row(cell, direction).len();
        if self.exact(self.get(cell)) { length == 5 } else { length >= 5 }
    }

    pub fn wins(&self, cell: Cell) -> bool {
        DIRECTIONS.into_iter().any(|direction| self.is_five(cell, direction))
    }

    /// Empty points of the line that stand near enough to matter, and more.
    fn line(&self, cell: Cell, (dx, dy): Cell) -> Vec<Cell> {
        (-6..=6).map(|k| (cell.0 + k * dx, cell.1 + k * dy)).filter(|other| self.get(*other) == '.').collect()
    }

    /// The fours through a stone in one line, each as its set of stones.
    fn fours(&self, cell: Cell, direction: Cell) -> BTreeSet<Vec<Cell>> {
        let stone = self.get(cell);
        let mut fours = BTreeSet::new();
        for empty in self.line(cell, direction) {
            let board = self.with(empty, stone);
            let row = board.row(cell, direction);
            if board.is_five(cell, direction) && row.contains(&empty) {
                fours.insert(row.into_iter().filter(|other| *other != empty).collect());
            }
        }
        fours
    }

    /// Whether the row through a stone is an unbroken four whose two ends both make five.
    fn is_straight_four(&self, cell: Cell, (dx, dy): Cell) -> bool {
        let row = self.row(cell, (dx, dy));
        let (first, last) = (row[0], row[row.len() - 1]);
        let ends = [(first.0 - dx, first.1 - dy), (last.0 + dx, last.1 + dy)];
        let stone = self.get(cell);
        row.len() == 4
            && ends.into_iter().all(|end| self.get(end) == '.' && self.with(end, stone).is_five(cell, (dx, dy)))
    }

    /// What renju says of a black stone on an empty point.
    pub fn forbidden(&self, cell: Cell) -> Option<Forbidden> {
        if self.rule != Rule::Renju || self.get(cell) != '.' {
            return None;
        }
        let board = self.with(cell, 'X');
        if board.wins(cell) {
            return None;
        }
        if DIRECTIONS.into_iter().any(|direction| board.row(cell, direction).len() > 5) {
            return Some(Forbidden::Overline);
        }
        if DIRECTIONS.into_iter().map(|direction| board.fours(cell, direction).len()).sum::<usize>() > 1 {
            return Some(Forbidden::DoubleFour);
        }
        let threes = DIRECTIONS.into_iter().filter(|direction| {
            board.line(cell, *direction).into_iter().any(|more| {
                let next = board.with(more, 'X');
                let row = next.row(cell, *direction);
                row.contains(&more)
                    && next.is_straight_four(cell, *direction)
                    && !next.wins(more)
                    && board.forbidden(more).is_none()
            })
        });
        (threes.count() > 1).then_some(Forbidden::DoubleThree)
    }

    /// The whole line through a point, from edge to edge, and the place of the point in it.
    pub fn whole_line(&self, (column, row): Cell, (dx, dy): Cell) -> (Vec<char>, usize) {
        let at = |k: i32| self.get((column + k * dx, row + k * dy));
        let back = (1..).take_while(|k| at(-k) != '#').count();
        ((-(back as i32)..).map(at).take_while(|stone| *stone != '#').collect(), back)
    }

    /// The shape that a stone of this letter would make of one line.
    pub fn shape(&self, cell: Cell, direction: Cell, stone: char) -> Shape {
        let (mut line, at) = self.whole_line(cell, direction);
        line[at] = stone;
        shape(&mut line, at, self.exact(stone))
    }
}

/// The ends of the unbroken row through a stone of a line.
fn ends(line: &[char], at: usize) -> (usize, usize) {
    let (mut low, mut high) = (at, at);
    while low > 0 && line[low - 1] == line[at] {
        low -= 1;
    }
    while high + 1 < line.len() && line[high + 1] == line[at] {
        high += 1;
    }
    (low, high)
}

fn line_is_five(line: &[char], at: usize, exact: bool) -> bool {
    let (low, high) = ends(line, at);
    high - low == 4 || (!exact && high - low > 4)
}

/// The empty points which make a five through the stone.
fn fives(line: &mut [char], at: usize, exact: bool) -> Vec<usize> {
    let candidates = near(line, at);
    let mut makes_five = |empty: &usize| {
        line[*empty] = line[at];
        let five = line_is_five(line, at, exact);
        line[*empty] = '.';
        five
    };
    candidates.into_iter().filter(|empty| makes_five(empty)).collect()
}

/// A row of five through a stone reaches four points to either side.
fn near(line: &[char], at: usize) -> Vec<usize> {
    (at.saturating_sub(4)..=(at + 4).min(line.len() - 1)).filter(|other| line[*other] == '.').collect()
}

/// The shape of the line of a stone, by the definitions alone.
pub fn shape(line: &mut [char], at: usize, exact: bool) -> Shape {
    let (low, high) = ends(line, at);
    if line_is_five(line, at, exact) {
        return Shape::Five;
    }
    if high - low > 4 {
        return Shape::Overline;
    }
    let fives = fives(line, at, exact);
    let straight = high - low == 3 && low > 0 && fives.contains(&(low - 1)) && fives.contains(&(high + 1));
    match fives.len() {
        0 => {}
        1 => return Shape::Four,
        _ if straight => return Shape::OpenFour,
        _ => return Shape::DoubleFour,
    }
    let mut best = Shape::Nothing;
    for empty in near(line, at) {
        line[empty] = line[at];
        best = best.max(match shape(line, at, exact) {
            Shape::OpenFour => Shape::OpenThree,
            Shape::Four | Shape::DoubleFour => Shape::Three,
            Shape::OpenThree => Shape::OpenTwo,
            Shape::Three => Shape::Two,
            Shape::OpenTwo => Shape::OpenOne,
            Shape::Two => Shape::One,
            _ => Shape::Nothing,
        });
        line[empty] = '.';
    }
    best
}
