//! V-Run's steps from a naive board to constant-time moves.
//!
//! V-Run 2016, chapters 4 and 5, improves a Go bot in steps; this folder rebuilds them. With n
//! lines and chains of l stones the costs are:
//!
//! | step | all moves | one move | playout |
//! |---|---|---|---|
//! | [`Naive`]: depth-first search, ko by comparing boards | n⁴·l | l | n⁶·l |
//! | [`Compared`]: union-find, sets of liberties | n⁴·l | l | n⁶·l |
//! | [`Grouped`] with [`LibertySet`]: a ko point | n² | l | n⁴·l |
//! | the same, drawing from a maintained list of empty points | 1 | l | n²·l |
//! | [`Grouped`] with [`LibertyCount`]: numeric liberties | 1 | 1 | n² |
//!
//! They share no code with the fast board, so that they can verify it, and serve the measurements
//! of [`complexity`](super::complexity). They prefer clarity to speed. Points are numbered row by
//! row from A1.

mod compared;
mod grouped;
mod naive;

pub use compared::Compared;
pub use grouped::{Grouped, Liberties, LibertyCount, LibertySet};
pub use naive::Naive;

use tesuji_core::{Player, Rng};

/// A slow board with the rules of playouts: no suicide, simple ko.
pub trait ReferenceBoard {
    /// An empty board.
    fn new(size: usize) -> Self;

    /// The number of lines.
    fn size(&self) -> usize;

    /// The colour of the stone on the point of this number.
    fn stone(&self, point: usize) -> Option<Player>;

    /// Whether a stone there is legal.
    fn is_legal(&self, player: Player, point: usize) -> bool;

    /// Plays a legal stone and returns the captured points.
    fn play(&mut self, player: Player, point: usize) -> Vec<usize>;

    /// Passes: a ko may be retaken after it.
    fn pass(&mut self);
}

/// The numbers of the neighbours of a point.
pub fn neighbours(size: usize, point: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (point % size, point / size);
    [
        (row > 0).then(|| point - size),
        (column > 0).then(|| point - 1),
        (column + 1 < size).then(|| point + 1),
        (row + 1 < size).then(|| point + size),
    ]
    .into_iter()
    .flatten()
}

/// The usual eye test of light playouts: all neighbours own, at most one diagonal neighbour an
/// enemy's, none on the edge.
pub fn is_eye<B: ReferenceBoard>(board: &B, player: Player, point: usize) -> bool {
    let size = board.size();
    if board.stone(point).is_some() || !neighbours(size, point).all(|n| board.stone(n) == Some(player)) {
        return false;
    }
    let (column, row) = ((point % size) as isize, (point / size) as isize);
    let (mut enemies, mut outside) = (0, false);
    for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        let (x, y) = (column + dx, row + dy);
        if x < 0 || y < 0 || x >= size as isize || y >= size as isize {
            outside = true;
        } else if board.stone(y as usize * size + x as usize) == Some(player.other()) {
            enemies += 1;
        }
    }
    enemies + i32::from(outside) < 2
}

/// How a reference playout finds its moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveChoice {
    /// Test every point of the board, then draw among the acceptable ones.
    List,
    /// Draw from a maintained list of empty points until one is acceptable.
    Maintained,
}

/// The end of a reference playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutEnd {
    /// Black's stones and surrounded points minus White's.
    pub difference: i32,
    /// Moves, passes included.
    pub moves: u32,
}

/// The empty points as an array and a map from point to place: insert, remove and draw in constant
/// time (V-Run §5.3).
struct MoveList {
    points: Vec<usize>,
    places: Vec<usize>,
}

impl MoveList {
    fn swap(&mut self, one: usize, other: usize) {
        self.points.swap(one, other);
        self.places[self.points[one]] = one;
        self.places[self.points[other]] = other;
    }

    fn insert(&mut self, point: usize) {
        self.places[point] = self.points.len();
        self.points.push(point);
    }

    fn remove(&mut self, point: usize) {
        let last = self.points.len() - 1;
        self.swap(self.places[point], last);
        self.points.pop();
    }

    /// An acceptable point, drawn uniformly; rejected ones are moved to the end.
    fn draw(&mut self, rng: &mut Rng, is_acceptable: impl Fn(usize) -> bool) -> Option<usize> {
        for left in (0..self.points.len()).rev() {
            self.swap(rng.below(left as u32 + 1) as usize, left);
            if is_acceptable(self.points[left]) {
                return Some(self.points[left]);
            }
        }
        None
    }
}

/// A playout from the empty board: uniform, no own eyes filled, two passes or 3·n² moves end it.
pub fn playout<B: ReferenceBoard>(size: usize, choice: MoveChoice, rng: &mut Rng) -> PlayoutEnd {
    let area = size * size;
    let mut board = B::new(size);
    let mut list = MoveList { points: (0..area).collect(), places: (0..area).collect() };
    let (mut player, mut passes, mut moves) = (Player::First, 0, 0);
    while passes < 2 && moves < 3 * area as u32 {
        let is_acceptable = |point| !is_eye(&board, player, point) && board.is_legal(player, point);
        let chosen = match choice {
            MoveChoice::List => {
                let all: Vec<usize> = (0..area).filter(|&point| is_acceptable(point)).collect();
                if all.is_empty() { None } else { Some(all[rng.below(all.len() as u32) as usize]) }
            }
            MoveChoice::Maintained => list.draw(rng, is_acceptable),
        };
        if let Some(point) = chosen {
            passes = 0;
            let taken = board.play(player, point);
            if choice == MoveChoice::Maintained {
                list.remove(point);
                taken.into_iter().for_each(|freed| list.insert(freed));
            }
        } else {
            passes += 1;
            board.pass();
        }
        moves += 1;
        player = player.other();
    }
    PlayoutEnd { difference: filled_difference(&board), moves }
}

/// Black's stones and surrounded points minus White's.
pub fn filled_difference<B: ReferenceBoard>(board: &B) -> i32 {
    let worth = |point: usize| {
        let owner = board.stone(point).or_else(|| {
            let first = neighbours(board.size(), point).next().and_then(|n| board.stone(n));
            first.filter(|_| neighbours(board.size(), point).all(|n| board.stone(n) == first))
        });
        match owner {
            Some(Player::First) => 1,
            Some(Player::Second) => -1,
            None => 0,
        }
    };
    (0..board.size() * board.size()).map(worth).sum()
}
