//! The features of a move of Gomoku. See the table in `mod.rs`.

use crate::gomoku::playout::Lines;
use crate::gomoku::shape::{Shape, Shapes};
use crate::gomoku::{Gomoku, Point};
use tesuji_core::{Feature, FeatureSet, MoveFeatures, Position, Teams};

/// The name of the features of playouts.
pub const PLAYOUT_FEATURES: &str = "gomoku-playout-1";
/// The name of the features of trees.
pub const TREE_FEATURES: &str = "gomoku-tree-1";

/// Groups.
pub(super) const MADE: u8 = 0;
pub(super) const TAKEN: u8 = 1;
const LINE: u8 = 2;

/// Features of moves of Gomoku.
#[derive(Clone, Copy, Debug)]
pub struct GomokuFeatures(pub FeatureSet);

/// The key of four shapes: the best and the second best.
#[inline]
pub(super) fn key(shapes: [Shape; 4]) -> u32 {
    let (mut best, mut second) = (0, 0);
    for shape in shapes {
        let shape = shape as u32;
        if shape > best {
            (best, second) = (shape, best);
        } else if shape > second {
            second = shape;
        }
    }
    best * Shape::COUNT as u32 + second
}

impl MoveFeatures<Gomoku> for GomokuFeatures {
    fn name(&self) -> &'static str {
        match self.0 {
            FeatureSet::Playout => PLAYOUT_FEATURES,
            FeatureSet::Tree => TREE_FEATURES,
        }
    }

    fn groups(&self) -> &'static [&'static str] {
        match self.0 {
            FeatureSet::Playout => &["made", "taken"],
            FeatureSet::Tree => &["made", "taken", "line"],
        }
    }

    fn explain(&self, feature: Feature) -> String {
        const NAMES: [&str; Shape::COUNT] = [
            "nothing",
            "overline",
            "one",
            "open one",
            "two",
            "open two",
            "three",
            "open three",
            "four",
            "open four",
            "double four",
            "five",
        ];
        let (key, count) = (feature.key() as usize, Shape::COUNT);
        match feature.group() as u8 {
            LINE => format!("line {key}"),
            _ => format!("{} and {}", NAMES[key / count % count], NAMES[key % count]),
        }
    }

    fn list(&self, position: &Gomoku, moves: &[Point], teams: &mut Teams) {
        let lines = Lines::new(&position.stones);
        let (mover, waiter) = (position.turn(), position.turn().other());
        let [own, enemy] = [mover, waiter].map(|player| Shapes::of(position.rule().five(player)));
        for &point in moves {
            teams.add(Feature::new(MADE, key(lines.shapes(mover, point, own))));
            teams.add(Feature::new(TAKEN, key(lines.shapes(waiter, point, enemy))));
            if self.0 == FeatureSet::Tree {
                let far = position.size() - 1;
                let (column, row) = (point.column(), point.row());
                let line = column.min(row).min(far - column).min(far - row) + 1;
                teams.add(Feature::new(LINE, line.min(6) as u32));
            }
            teams.end();
        }
    }
}
