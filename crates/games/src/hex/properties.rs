//! Hawk's five properties of a Hex board (draft thesis, 2017, Table 3.2 and `GAWeight.java`).
//!
//! | property | text | program |
//! |---|---|---|
//! | netBridges | own bridges minus the opponent's, without those to edges | one direction is not seen in the last columns |
//! | goodConnected, badConnected | the largest chain | what a scan of each row and the rows below it finds of it |
//! | goodDeepest, badDeepest | the fewest stones to win | 0 with a stone on the first edge line, else n − 1 |
//!
//! The last one follows from the program as printed: the columns after the first are marked without
//! a look at their stones, so one stone on the first edge line suffices to reach the other side.
//! Hawk's first player connects columns, ours rows: his column is our row.

use super::Hex;
use super::heuristic::shortest_connection;
use tesuji_core::{Player, StoneBoard};

/// Half of the steps of a bridge (Hawk's rows, columns) with the two cells between.
type Bridge = [(isize, isize); 3];

/// The steps at which the program looks, for the first player and for the second. All six directions
/// are covered, as every bridge is seen from one of its ends.
const BRIDGES: [[Bridge; 3]; 2] = [
    [[(-2, 1), (-1, 0), (-1, 1)], [(-1, 2), (-1, 1), (0, 1)], [(1, 1), (1, 0), (0, 1)]],
    [[(1, 1), (1, 0), (0, 1)], [(2, -1), (1, -1), (1, 0)], [(1, -2), (0, -1), (1, -1)]],
];

/// A board with Hawk's rows and columns.
struct Grid {
    lines: usize,
    owners: Vec<Option<Player>>,
}

impl Grid {
    fn of(hex: &Hex) -> Grid {
        let lines = hex.size() as usize;
        let owners = (0..lines * lines).map(|cell| hex.owner(hex.mirrored(cell))).collect();
        Grid { lines, owners }
    }

    fn at(&self, row: usize, column: usize) -> Option<Player> {
        self.owners[row * self.lines + column]
    }

    /// The owner of the cell a step away; nothing off the board.
    fn step(&self, row: usize, column: usize, (rows, columns): (isize, isize)) -> Option<Option<Player>> {
        let (row, column) = (row.checked_add_signed(rows)?, column.checked_add_signed(columns)?);
        (row < self.lines && column < self.lines).then(|| self.at(row, column))
    }

    /// The bridges of a player between stones. `limit` is how far from the last column a bridge
    /// (1, 1) must begin.
    fn bridges(&self, player: Player, limit: usize) -> i16 {
        let mut count = 0;
        for (cell, owner) in self.owners.iter().enumerate() {
            let (row, column) = (cell / self.lines, cell % self.lines);
            if *owner != Some(player) {
                continue;
            }
            for [far, one, two] in BRIDGES[player.index()] {
                let seen = far != (1, 1) || column + limit < self.lines;
                let free = |step| self.step(row, column, step) == Some(None);
                let spans = self.step(row, column, far) == Some(Some(player));
                count += i16::from(seen && spans && free(one) && free(two));
            }
        }
        count
    }

    /// `findConnected`: from each stone that is not marked yet, its row, then row by row downwards
    /// what is connected to the part of the row above that was found.
    fn scanned_region(&self, player: Player) -> i16 {
        let last = self.lines - 1;
        let own = |row: usize, column: usize| self.at(row, column) == Some(player);
        let mut marked = vec![false; self.owners.len()];
        let mut largest = 0;
        for cell in 0..self.owners.len() {
            let (mut row, column) = (cell / self.lines, cell % self.lines);
            if !own(row, column) || marked[cell] {
                continue;
            }
            let mut found = 0;
            let mut mark = |row: usize, column: usize| {
                found += i16::from(!std::mem::replace(&mut marked[row * self.lines + column], true));
            };
            let (mut least, mut most) = (column, column);
            while least > 0 && own(row, least - 1) {
                least -= 1;
            }
            while most < last && own(row, most + 1) {
                most += 1;
            }
            (least..=most).for_each(|column| mark(row, column));
            // The cells of the row above that were found.
            let mut above: Vec<bool> = (0..self.lines).map(|column| (least..=most).contains(&column)).collect();
            while row < last {
                row += 1;
                let end = if most < last { most + 1 } else { most };
                let mut here = vec![false; self.lines];
                for column in least..end {
                    let right = column < last && above[column + 1];
                    if !own(row, column) || !(above[column] || right) {
                        continue;
                    }
                    here[column] = true;
                    mark(row, column);
                    for up in [column, column + 1] {
                        if up <= last && own(row - 1, up) {
                            above[up] = true;
                            mark(row - 1, up);
                        }
                    }
                }
                let Some(first) = here.iter().position(|found| *found) else { break };
                least = first;
                most = here.iter().rposition(|found| *found).unwrap_or(first);
                above = here;
            }
            largest = largest.max(found);
        }
        largest
    }

    /// The size of the largest chain.
    fn largest_chain(&self, player: Player) -> i16 {
        let mut seen = vec![false; self.owners.len()];
        let mut largest = 0;
        for start in 0..self.owners.len() {
            if self.owners[start] != Some(player) || std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let (mut stack, mut size) = (vec![start], 0);
            while let Some(cell) = stack.pop() {
                size += 1;
                let (row, column) = (cell / self.lines, cell % self.lines);
                for (rows, columns) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
                    if self.step(row, column, (rows, columns)) == Some(Some(player)) {
                        let next = cell.wrapping_add_signed(rows * self.lines as isize + columns);
                        if !std::mem::replace(&mut seen[next], true) {
                            stack.push(next);
                        }
                    }
                }
            }
            largest = largest.max(size);
        }
        largest
    }
}

impl StoneBoard for Hex {
    const PROPERTIES: [&'static str; 5] = ["netBridges", "goodConnected", "badConnected", "goodDeepest", "badDeepest"];

    fn lines(&self) -> usize {
        self.size() as usize
    }

    fn write_stones(&self, points: &mut [i8]) {
        for (cell, sign) in points.iter_mut().enumerate() {
            *sign = self.owner(cell).map_or(0, |owner| if owner == Player::First { 1 } else { -1 });
        }
    }

    fn properties(&self, player: Player) -> [i16; 5] {
        let grid = Grid::of(self);
        // A player who is cut off cannot win any more: as far as n² stones.
        let cut_off = self.size() * self.size();
        let distance = |player| shortest_connection(self, player).unwrap_or(cut_off) as i16;
        let [own, other] = [player, player.other()];
        [
            grid.bridges(own, 1) - grid.bridges(other, 1),
            grid.largest_chain(own),
            grid.largest_chain(other),
            distance(own),
            distance(other),
        ]
    }

    fn properties_as_programmed(&self, player: Player) -> [i16; 5] {
        let grid = Grid::of(self);
        let lines = grid.lines;
        let deepest = |player: Player| {
            let edge = (0..lines).any(|line| match player {
                Player::First => grid.at(line, 0) == Some(player),
                Player::Second => grid.at(0, line) == Some(player),
            });
            if edge { 0 } else { lines as i16 - 1 }
        };
        let [own, other] = [player, player.other()];
        [
            grid.bridges(own, 2) - grid.bridges(other, 2),
            grid.scanned_region(own),
            grid.scanned_region(other),
            deepest(own),
            deepest(other),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hex, SwapRule};
    use tesuji_core::{Notation, Player, Position, StoneBoard};

    fn played(moves: &str) -> Hex {
        let mut hex = Hex::new(5, SwapRule::Off).expect("a board");
        for mv in moves.split_whitespace() {
            hex.play(hex.read_move(mv).expect("a legal move"));
        }
        hex
    }

    /// Black b2 and c3 are joined by a bridge, as c3 and b5 are; White has a chain of two.
    #[test]
    fn properties_by_hand() {
        let hex = played("b2 e1 c3 e2 b5");
        assert_eq!(hex.properties(Player::First), [2, 1, 2, 3, 4]);
        assert_eq!(hex.properties(Player::Second), [-2, 2, 1, 4, 3]);
        // As programmed, Black has no stone in the first row and White none in the first column.
        assert_eq!(hex.properties_as_programmed(Player::First), [2, 1, 2, 4, 4]);
        let hex = played("b1 a5");
        assert_eq!(hex.properties_as_programmed(Player::First)[3..], [0, 0]);
    }

    /// The program does not see a bridge (1, 1) from the last but one column, Hawk's columns being
    /// our rows, and its scan loses what is connected from below.
    #[test]
    fn the_program_overlooks() {
        // d4 to e5: our row 4 is Hawk's last but one column.
        let hex = played("d4 a1 e5 a2");
        assert_eq!((hex.properties(Player::First)[0], hex.properties_as_programmed(Player::First)[0]), (1, 0));
        // A chain b1 b2 b3 c3 c2 in our notation: all five are one chain.
        let hex = played("b1 e1 b2 e2 b3 e3 c3 e4 d3 a5");
        assert_eq!(hex.properties(Player::First)[1], 5);
    }
}
