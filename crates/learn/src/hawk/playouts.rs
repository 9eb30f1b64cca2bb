//! Playouts by an evolved network or a stencil (Hawk §3.2.4).
//!
//! * `text`: the network n² → n² judges the board at every move of the playout, after four synchronous
//!   steps as in Encog, and the stone goes to the legal point it values most. Without a legal point
//!   the move is one of a random game. The network sees own stones as +1.
//! * `code`: inputs are +1 for the first player's stones, on both turns; the last point is never the
//!   best; the stone goes to the point *after* the best (`tracker++`), and where that is not legal
//!   the move is random. Occupied points are not excluded from the search for the best.
//! * `sane`: a network evolved with constants that move its structure, asked as in `text`, but for
//!   the best of three random moves instead of the best of all: playouts that differ.
//! * `hyper`: a stencil drawn by HyperNEAT, the best of three random moves.

use super::ann::seen_by;
use super::table::StoneTable;
use super::uct::Style;
use crate::neat::Network;
use crate::neat::hyper::Stencil;
use std::sync::Arc;
use tesuji_core::{Player, Rng};

/// Steps of an evolved network.
pub(super) const CYCLES: usize = 4;
/// Random moves of which the best is played.
const CHOICE: usize = 3;

/// What guides a playout.
#[derive(Clone)]
pub enum Guide {
    /// Hawk's text.
    Text(Arc<Network>),
    /// Hawk's program.
    Code(Arc<Network>),
    /// The best of three by a network.
    Sane(Arc<Network>),
    /// The best of three by a stencil.
    Hyper(Arc<Stencil>),
}

/// The agent's part of the search.
pub(super) struct Guided {
    guide: Guide,
    network: Option<Network>,
    stones: Vec<i8>,
    seen: Vec<i8>,
    input: Vec<f32>,
}

impl Guided {
    pub(super) fn new(guide: Guide, lines: usize) -> Guided {
        let network = match &guide {
            Guide::Text(network) | Guide::Code(network) | Guide::Sane(network) => Some(network.as_ref().clone()),
            Guide::Hyper(_) => None,
        };
        Guided { guide, network, stones: vec![0; lines * lines], seen: Vec::new(), input: Vec::new() }
    }

    /// The point as the mover sees it.
    fn turned(point: usize, mover: Player, table: &dyn StoneTable) -> usize {
        let lines = table.lines();
        if mover == Player::Second && table.mirrors() { point % lines * lines + point / lines } else { point }
    }

    /// The move of a playout; nothing where it should be a random one.
    fn choose(&mut self, table: &dyn StoneTable, rng: &mut Rng) -> Option<u16> {
        let (mover, lines) = (table.turn(), table.lines());
        table.write_stones(&mut self.stones);
        let viewer = if matches!(self.guide, Guide::Code(_)) { Player::First } else { mover };
        seen_by(&self.stones, viewer, table.mirrors(), lines, &mut self.seen);
        self.input.clear();
        self.input.extend(self.seen.iter().map(|stone| f32::from(*stone)));
        let values = self.network.as_mut().map_or(&[][..], |network| network.settle(&self.input, Some(CYCLES)));
        match &self.guide {
            Guide::Text(_) => {
                let empty = |point: &usize| self.seen[*point] == 0;
                let mut left: Vec<usize> = (0..values.len()).filter(empty).collect();
                while !left.is_empty() {
                    let best = (1..left.len())
                        .fold(0, |best, index| if values[left[index]] > values[left[best]] { index } else { best });
                    let point = Guided::turned(left.swap_remove(best), mover, table) as u16;
                    if table.is_legal(point) {
                        return Some(point);
                    }
                }
                None
            }
            Guide::Code(_) => {
                let last = values.len() - 1;
                let best = (1..last).fold(0, |best, point| if values[point] > values[best] { point } else { best });
                let point = (best + 1) as u16;
                table.is_legal(point).then_some(point)
            }
            Guide::Sane(_) | Guide::Hyper(_) => {
                let mut best: Option<(f32, u16)> = None;
                for _ in 0..CHOICE {
                    let mv = table.random_move(rng)?;
                    if usize::from(mv) >= self.stones.len() {
                        return Some(mv);
                    }
                    let point = Guided::turned(usize::from(mv), mover, table);
                    let score = match &self.guide {
                        Guide::Hyper(stencil) => stencil.score(&self.seen, lines, point),
                        _ => values[point],
                    };
                    if best.is_none_or(|(known, _)| score > known) {
                        best = Some((score, mv));
                    }
                }
                best.map(|(_, mv)| mv)
            }
        }
    }
}

impl Style for Guided {
    fn playout(&mut self, table: &mut dyn StoneTable, rng: &mut Rng) -> f64 {
        loop {
            if let Some(reward) = table.ended() {
                return reward;
            }
            let chosen = self.choose(table, rng).or_else(|| table.random_move(rng));
            table.play(chosen.expect("a position without outcome has a move"));
        }
    }
}
