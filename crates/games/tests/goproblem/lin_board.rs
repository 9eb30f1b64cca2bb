//! Lin's class `Board` (2017, appendix B), put into Rust line by line: arrays with a border, copies
//! of the board, recursion. The judge of the fast rules; written from the source, not from them.
//!
//! The one change: White winning by passes scores 0, not −1 (the source's own range is [0, 1]).

// As the source loops.
#![allow(clippy::needless_range_loop)]

use tesuji_core::Player;
use tesuji_games::goproblem::{Mode, Place, Problem};

/// Row and column as the source counts them: 1…n, and 0 for a pass.
pub type At = (usize, usize);

type Grid = Vec<Vec<i32>>;

#[derive(Clone)]
pub struct LinBoard {
    game_type: i32,
    size: usize,
    space: Grid,
    important: Grid,
    alive: Grid,
    own: i32,
    opponent: i32,
    ko: At,
    who_wins_ko: i32,
    remaining_ko_advantage: i32,
    continuous_pass: i32,
    accumulated_pass: i32,
    stone: Grid,
}

pub const PASS: At = (0, 0);

impl LinBoard {
    pub fn new(problem: &Problem) -> LinBoard {
        let size = usize::from(problem.size);
        let grid = |number: &dyn Fn(Place) -> i32| -> Grid {
            let mut grid = vec![vec![-1; size + 2]; size + 2];
            for place in problem.places() {
                grid[usize::from(place.row) + 1][usize::from(place.column) + 1] = number(place);
            }
            grid
        };
        LinBoard {
            game_type: if problem.mode == Mode::Save { 1 } else { 2 },
            size,
            space: grid(&|place| i32::from(problem.site(place).feasible)),
            important: grid(&|place| i32::from(problem.site(place).important)),
            alive: grid(&|place| i32::from(problem.site(place).alive)),
            own: 1,
            opponent: 2,
            ko: PASS,
            who_wins_ko: 0,
            remaining_ko_advantage: 5,
            continuous_pass: 0,
            accumulated_pass: 0,
            stone: grid(&|place| problem.site(place).stone.map_or(0, |player| 1 + player.index() as i32)),
        }
    }

    pub fn stone(&self, place: Place) -> Option<Player> {
        match self.stone[usize::from(place.row) + 1][usize::from(place.column) + 1] {
            1 => Some(Player::First),
            2 => Some(Player::Second),
            _ => None,
        }
    }

    pub fn marks(&self, place: Place) -> (bool, bool) {
        let (row, column) = (usize::from(place.row) + 1, usize::from(place.column) + 1);
        (self.important[row][column] == 1, self.alive[row][column] == 1)
    }

    pub fn turn(&self) -> Player {
        if self.own == 1 { Player::First } else { Player::Second }
    }

    pub fn ko_winner(&self) -> Option<Player> {
        [None, Some(Player::First), Some(Player::Second)][self.who_wins_ko as usize]
    }

    /// `computerInterface`: the moves that the searches see.
    pub fn moves(&self) -> Vec<At> {
        let mut position = self.legal_moves();
        if self.check_pass() {
            position[0][0] = 1;
        }
        for row in 1..=self.size {
            for column in 1..=self.size {
                if self.check_fill_eye(row, column) {
                    position[row][column] = 0;
                }
            }
        }
        let mut moves = Vec::new();
        for (row, line) in position.iter().enumerate() {
            for (column, allowed) in line.iter().enumerate() {
                if *allowed == 1 {
                    moves.push((row, column));
                }
            }
        }
        moves
    }

    pub fn place_stone(&mut self, row: usize, column: usize) {
        if row == 0 && column == 0 {
            assert!(self.check_pass(), "place stone error, not able to pass");
            if self.own == 1 {
                self.accumulated_pass += 1;
            } else {
                self.accumulated_pass -= 1;
            }
            self.continuous_pass += 1;
            self.ko = (0, 0);
            self.change_player();
            return;
        }
        assert!(self.check_legal_move(row, column), "place stone error, illegal move");
        self.continuous_pass = 0;
        let mut if_ko_happen = false;
        if self.check_ko(row, column) {
            if_ko_happen = true;
            if self.ko == (row, column) {
                self.who_wins_ko = self.own;
                self.remaining_ko_advantage -= 1;
            }
        }
        self.stone[row][column] = self.own;
        if if_ko_happen {
            for (r, c) in around(row, column) {
                if self.count_liberty(r, c) == 0 {
                    self.ko = (r, c);
                }
            }
        } else {
            self.ko = (0, 0);
        }
        for (r, c) in around(row, column) {
            if self.stone[r][c] == self.opponent && self.count_liberty(r, c) == 0 {
                self.capture(r, c, 0);
            }
        }
        if around(row, column).iter().any(|&(r, c)| self.stone[r][c] == self.own && self.alive[r][c] == 1) {
            self.update_alive(row, column);
        }
        self.change_player();
    }

    /// The score, or nothing while undecided.
    pub fn score(&self) -> Option<f64> {
        if self.accumulated_pass >= 4 {
            return Some(1.0);
        } else if self.accumulated_pass <= -4 {
            return Some(0.0);
        }
        let table = |save: [f64; 3], kill: [f64; 3]| {
            Some(if self.game_type == 1 { save } else { kill }[self.who_wins_ko as usize])
        };
        // No one wins the ko, black does, white does.
        if self.continuous_pass == 3 {
            return table([0.7, 0.3, 0.85], [0.3, 0.15, 0.7]);
        }
        if self.check_dead() {
            return table([0.0, 0.0, 0.5], [1.0, 0.5, 1.0]);
        }
        if self.check_alive() {
            return table([1.0, 0.5, 1.0], [0.0, 0.0, 0.5]);
        }
        None
    }

    /// Which of the nine states it is: alive, seki or dead, and who won the ko.
    pub fn state(&self) -> Option<(&'static str, i32)> {
        if self.accumulated_pass.abs() >= 4 {
            Some(("passes", 0))
        } else if self.continuous_pass == 3 {
            Some(("seki", self.who_wins_ko))
        } else if self.check_dead() {
            Some(("dead", self.who_wins_ko))
        } else if self.check_alive() {
            Some(("alive", self.who_wins_ko))
        } else {
            None
        }
    }

    fn count_liberty(&self, row: usize, column: usize) -> i32 {
        if !(self.stone[row][column] == 1 || self.stone[row][column] == 2) {
            return -1;
        }
        let mut liberty = self.stone.clone();
        sub_count_liberty(&mut liberty, row, column);
        liberty.iter().flatten().filter(|number| **number == 3).count() as i32
    }

    fn capture(&mut self, row: usize, column: usize, color: i32) {
        let mut color = color;
        if color == 0 {
            color = self.stone[row][column];
            if self.count_liberty(row, column) != 0 {
                return;
            }
        }
        if self.stone[row][column] == color {
            self.stone[row][column] = 0;
            for (r, c) in around(row, column) {
                self.capture(r, c, color);
            }
        }
    }

    fn check_ko(&self, row: usize, column: usize) -> bool {
        let mut copy = self.clone();
        copy.stone[row][column] = self.own;
        if copy.count_liberty(row, column) == 0 {
            let mut zero_liberty_counter = 0;
            let mut zero_liberty_position = (0, 0);
            for (r, c) in around(row, column) {
                if copy.stone[r][c] == copy.opponent && copy.count_liberty(r, c) == 0 {
                    zero_liberty_counter += 1;
                    zero_liberty_position = (r, c);
                }
            }
            if zero_liberty_counter == 1 {
                let (r, c) = zero_liberty_position;
                return around(r, c).iter().all(|&(r, c)| copy.stone[r][c] == copy.own || copy.stone[r][c] == -1);
            }
        }
        false
    }

    fn check_legal_move(&self, row: usize, column: usize) -> bool {
        if self.space[row][column] != 1 || self.stone[row][column] != 0 {
            return false;
        }
        if self.check_ko(row, column) {
            if (row, column) == self.ko {
                if self.who_wins_ko == 0 {
                    return true;
                }
                if self.who_wins_ko == self.opponent {
                    return false;
                }
                return self.remaining_ko_advantage != 0;
            }
            return true;
        }
        let mut copy = self.clone();
        copy.stone[row][column] = copy.own;
        if copy.count_liberty(row, column) != 0 {
            return true;
        }
        around(row, column).iter().any(|&(r, c)| copy.stone[r][c] == copy.opponent && copy.count_liberty(r, c) == 0)
    }

    fn legal_moves(&self) -> Grid {
        let side = self.size + 2;
        (0..side).map(|row| (0..side).map(|column| i32::from(self.check_legal_move(row, column))).collect()).collect()
    }

    fn check_fill_space(&self, row: usize, column: usize) -> bool {
        around(row, column).iter().all(|&(r, c)| self.stone[r][c] == self.own || self.stone[r][c] == -1)
    }

    fn check_fill_eye(&self, row: usize, column: usize) -> bool {
        let own = |(r, c): At| i32::from(self.stone[r][c] == self.own);
        let sides: i32 = around(row, column).into_iter().map(own).sum();
        let corners = [(row - 1, column - 1), (row + 1, column - 1), (row - 1, column + 1), (row + 1, column + 1)];
        let corners: i32 = corners.into_iter().map(own).sum();
        let borders = around(row, column).iter().filter(|&&(r, c)| self.stone[r][c] == -1).count();
        match borders {
            2 => sides + corners == 3,
            1 => sides + corners == 5,
            0 => sides == 4 && sides + corners >= 7,
            _ => false,
        }
    }

    fn check_pass(&self) -> bool {
        let legal = self.legal_moves();
        for row in 0..self.size + 2 {
            for column in 0..self.size + 2 {
                if legal[row][column] != 1 {
                    continue;
                }
                let mut copy = self.clone();
                copy.place_stone(row, column);
                let if_fill_space = self.check_fill_space(row, column);
                let if_take_ko_back = (row, column) == self.ko;
                let if_have_one_liberty = copy.count_liberty(row, column) == 1;
                let if_connected_to_own_stones = around(row, column).iter().any(|&(r, c)| copy.stone[r][c] == self.own);
                if !(if_fill_space || if_take_ko_back || (if_have_one_liberty && if_connected_to_own_stones)) {
                    return false;
                }
            }
        }
        true
    }

    fn check_alive(&self) -> bool {
        if !self.important.iter().flatten().any(|number| *number == 1) {
            return true;
        }
        let (defender, attacker) = if self.game_type == 1 { (1, 2) } else { (2, 1) };
        let mut copy = self.clone();
        let is_eye = |copy: &LinBoard, row, column| {
            around(row, column).iter().all(|&(r, c)| copy.stone[r][c] == defender || copy.stone[r][c] == -1)
        };
        let mut if_place_new_stone = true;
        while if_place_new_stone {
            if_place_new_stone = false;
            for row in 1..=self.size {
                for column in 1..=self.size {
                    if copy.stone[row][column] == 0 && !is_eye(&copy, row, column) {
                        copy.stone[row][column] = attacker;
                        if_place_new_stone = true;
                    }
                }
            }
            for row in 1..=self.size {
                for column in 1..=self.size {
                    if copy.stone[row][column] == defender {
                        copy.capture(row, column, 0);
                    }
                }
            }
            for row in 1..=self.size {
                for column in 1..=self.size {
                    if copy.stone[row][column] == 0 && is_eye(&copy, row, column) {
                        copy.stone[row][column] = attacker;
                        let mut if_capture = false;
                        for (r, c) in around(row, column) {
                            if copy.stone[r][c] == defender && copy.count_liberty(r, c) == 0 {
                                copy.capture(r, c, 0);
                                if_capture = true;
                            }
                        }
                        if !if_capture {
                            copy.stone[row][column] = 0;
                        }
                    }
                }
            }
            for row in 1..=self.size {
                for column in 1..=self.size {
                    if copy.important[row][column] == 1 && copy.stone[row][column] != defender {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn check_dead(&self) -> bool {
        let defender = if self.game_type == 1 { 1 } else { 2 };
        (1..=self.size).any(|row| {
            (1..=self.size).any(|column| self.important[row][column] == 1 && self.stone[row][column] != defender)
        })
    }

    fn update_alive(&mut self, row: usize, column: usize) {
        if !(self.stone[row][column] == self.own && self.alive[row][column] == 0) {
            return;
        }
        self.important[row][column] = 0;
        self.alive[row][column] = 1;
        for (r, c) in around(row, column) {
            self.update_alive(r, c);
        }
    }

    fn change_player(&mut self) {
        std::mem::swap(&mut self.own, &mut self.opponent);
    }
}

/// Above, below, left, right. The border keeps the indices inside.
fn around(row: usize, column: usize) -> [At; 4] {
    [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
}

fn sub_count_liberty(liberty: &mut Grid, row: usize, column: usize) {
    let color = liberty[row][column];
    let mut follow = Vec::new();
    for (r, c) in around(row, column) {
        if liberty[r][c] == color && color != 4 {
            follow.push((r, c));
        }
        if liberty[r][c] == 0 {
            liberty[r][c] = 3;
        }
    }
    liberty[row][column] = 4;
    for (r, c) in follow {
        // Another branch may have been here already.
        if liberty[r][c] == color {
            sub_count_liberty(liberty, r, c);
        }
    }
}
