//! The strengths of all surroundings at one temperature, by number, for both players.
//!
//! There are 2²⁰ numbers and few different pairs of strengths, so a number names a class (2 bytes) and
//! a class a pair (8 bytes): what a playout looks at of both stays in the nearest caches, which a
//! table of 8 MB would not.

use super::code::{ATARI, CODES, canonical, images, read};
use super::features::{ANSWER, NEARNESS, SURROUNDINGS, seen_by};
use crate::sampler::{Both, factor, weight};
use std::collections::BTreeMap;
use std::sync::Arc;
use tesuji_core::{ByTemperature, Feature, Gammas, Player};

/// Numbers of a class.
const CLASSES: usize = 1 << 16;
/// A number that does not occur.
const UNSOUND: u16 = u16::MAX;

/// The strengths at one temperature.
pub(super) struct Tables {
    classes: Box<[u16; CODES]>,
    pairs: Box<[Both; CLASSES]>,
    /// By nearness and answer.
    pub(super) local: [[u64; 4]; 3],
    /// Of the points around the last stone that answer nothing.
    pub(super) around: [u64; 8],
}

impl Tables {
    pub(super) fn new(gammas: &Gammas, temperature: f64) -> Tables {
        let of = |group: u8, key: u32| gammas.tempered(Feature::new(group, key), temperature);
        let mut classes: Box<[u16; CODES]> = boxed(UNSOUND);
        let mut pairs: Box<[Both; CLASSES]> = boxed(Both::NONE);
        let mut known = BTreeMap::from([(Both::NONE, 0_u16)]);
        for code in 0..CODES as u32 {
            // Only stones are in atari, so other numbers never occur.
            let is_sound = (0..4).all(|side| code >> (16 + side) & 1 == 0 || matches!(code >> (4 * side) & 3, 1 | 2));
            if !is_sound || classes[code as usize] != UNSOUND {
                continue;
            }
            let both = Both::new(Player::BOTH.map(|player| {
                let code = seen_by(player, code);
                let reading = read(code);
                if reading.suicide || reading.eye { 0 } else { weight(of(SURROUNDINGS, canonical(code))) }
            }));
            // There are fewer sound numbers without their images (6⁴·4⁴ / 8 and the symmetric ones) than
            // classes.
            let next = known.len() as u16;
            let class = *known.entry(both).or_insert(next);
            pairs[usize::from(class)] = both;
            images(code).into_iter().for_each(|image| classes[image as usize] = class);
        }
        assert!(known.len() < usize::from(UNSOUND), "classes of surroundings are numbered with 16 bits");
        let local: [[u64; 4]; 3] = std::array::from_fn(|near| {
            std::array::from_fn(|answer| factor(of(NEARNESS, near as u32) * of(ANSWER, answer as u32)))
        });
        let around = std::array::from_fn(|place| local[1 + place % 2][0]);
        Tables { classes, pairs, local, around }
    }

    /// The strengths of a point for both players, 0 where no stone may go.
    #[inline(always)]
    pub(super) fn weights(&self, code: u32) -> Both {
        debug_assert!(code & ATARI == 0 || self.classes[code as usize] != UNSOUND, "{code:x} does not occur");
        self.pairs[usize::from(self.classes[code as usize & (CODES - 1)])]
    }

    /// The tables of a temperature. They are kept.
    pub(super) fn of(gammas: &'static Gammas, temperature: f64) -> Arc<Tables> {
        static KEPT: ByTemperature<Tables> = ByTemperature::new();
        KEPT.of(temperature, || Tables::new(gammas, temperature))
    }
}

/// An array that is never on the stack.
fn boxed<T: Copy + std::fmt::Debug, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().expect("of this length")
}
