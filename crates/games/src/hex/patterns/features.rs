//! The features of a move of Hex. See the table in `mod.rs`.

use super::code::{canonical, drawn, replies, seen_by, six, twelve};
use crate::hex::heuristic::STEPS;
use crate::hex::{Hex, Move};
use tesuji_core::{Feature, FeatureSet, MoveFeatures, Player, Position, Teams};

/// The name of the features of playouts.
pub const PLAYOUT_FEATURES: &str = "hex-playout-1";
/// The name of the features of trees.
pub const TREE_FEATURES: &str = "hex-tree-1";

/// The key of the swap among the six cells.
const SWAP: u32 = 0xf0_0000;
/// Distances from here on are one.
const FAR: u32 = 7;

/// Groups.
pub(super) const SIX: u8 = 0;
pub(super) const NEARNESS: u8 = 1;
pub(super) const ANSWER: u8 = 2;
const TWELVE: u8 = 3;
const EDGES: u8 = 4;

/// Features of moves of Hex.
#[derive(Clone, Copy, Debug)]
pub struct HexFeatures(pub FeatureSet);

impl MoveFeatures<Hex> for HexFeatures {
    fn name(&self) -> &'static str {
        match self.0 {
            FeatureSet::Playout => PLAYOUT_FEATURES,
            FeatureSet::Tree => TREE_FEATURES,
        }
    }

    fn groups(&self) -> &'static [&'static str] {
        match self.0 {
            FeatureSet::Playout => &["six", "nearness", "answer"],
            FeatureSet::Tree => &["six", "nearness", "answer", "twelve", "edges"],
        }
    }

    fn explain(&self, feature: Feature) -> String {
        let key = feature.key();
        match feature.group() as u8 {
            SIX if key == SWAP => "swap".into(),
            SIX => drawn(key, 6),
            NEARNESS => format!("distance {key} to the last stone"),
            ANSWER => "completes a bridge".into(),
            TWELVE => drawn(key, 12),
            EDGES => format!("{} from an own edge, {} from an enemy's", key / 8, key % 8),
            _ => key.to_string(),
        }
    }

    fn list(&self, position: &Hex, moves: &[Move], teams: &mut Teams) {
        let mover = position.turn();
        let last = position.last_stone().filter(|(column, row)| position.stone(*column, *row) == Some(mover.other()));
        let last = last.map(|(column, row)| (column as i32, row as i32));
        let answers = last.map_or(0, |(column, row)| replies(six(position, column, row), mover));
        for mv in moves {
            let Some((column, row)) = position.place(*mv) else {
                teams.add(Feature::new(SIX, SWAP));
                teams.end();
                continue;
            };
            let (column, row) = (column as i32, row as i32);
            let seen = seen_by(mover, twelve(position, column, row));
            teams.add(Feature::new(SIX, canonical(seen & 0xfff)));
            if let Some((from, down)) = last {
                let distance = distance(column - from, row - down);
                if self.0 == FeatureSet::Tree || distance == 1 {
                    teams.add(Feature::new(NEARNESS, distance.min(FAR)));
                }
                let place = (0..6).find(|place| STEPS[*place] == (column - from, row - down));
                if place.is_some_and(|place| answers >> (2 * place) & 1 == 1) {
                    teams.add(Feature::new(ANSWER, 1));
                }
            }
            if self.0 == FeatureSet::Tree {
                teams.add(Feature::new(TWELVE, canonical(seen)));
                let far = position.size() as i32 - 1;
                let (across, down) = (column.min(far - column).min(7) as u32, row.min(far - row).min(7) as u32);
                let (own, enemy) = if mover == Player::First { (down, across) } else { (across, down) };
                teams.add(Feature::new(EDGES, own * 8 + enemy));
            }
            teams.end();
        }
    }
}

/// The number of cells between two cells, counted by steps.
fn distance(across: i32, down: i32) -> u32 {
    across.unsigned_abs().max(down.unsigned_abs()).max((across + down).unsigned_abs())
}
