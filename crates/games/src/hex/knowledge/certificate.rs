//! Writes the certificate *virtual connection*. Its steps are defined where they are checked, in
//! `hex/check.rs`.

use super::connections::{Connections, Origin};
use super::inferior::{Filled, Needless, Step};
use crate::hex::check::{VIRTUAL_CONNECTION, step};
use std::collections::HashMap;
use tesuji_core::Certificate;

/// Writes how a board was filled in, how the edges are connected there (the steps that the
/// connections between them rest on), and which replies are dominated.
pub(super) fn write(connections: &Connections, filled: &Filled, needless: &Needless) -> Certificate {
    let mut data = Vec::new();
    for step in &filled.steps {
        match *step {
            Step::Dead(cell) => data.extend([step::DEAD, cell as u64]),
            Step::Captured(player, one, two) => {
                let kind = if player == connections.player() { step::CAPTURED } else { step::LOST };
                data.extend([kind, one as u64, two as u64]);
            }
        }
    }
    let mut steps: HashMap<u32, u64> = HashMap::new();
    let mut open = connections.between_edges();
    while let Some(id) = open.last().copied() {
        if steps.contains_key(&id) {
            open.pop();
            continue;
        }
        let connection = connections.get(id);
        let needed: Vec<u32> = match connection.origin {
            Origin::Touch => Vec::new(),
            Origin::And(one, two) => vec![one, two],
            Origin::Or(from, to) => connections.joined(from, to).to_vec(),
        };
        let missing: Vec<u32> = needed.iter().copied().filter(|id| !steps.contains_key(id)).collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        match connection.origin {
            Origin::Touch => data.extend([step::TOUCH, u64::from(connection.ends[0]), u64::from(connection.ends[1])]),
            Origin::And(..) => data.push(step::AND),
            Origin::Or(..) => data.extend([step::OR, needed.len() as u64]),
        }
        data.extend(needed.iter().map(|id| steps[id]));
        steps.insert(id, steps.len() as u64);
        open.pop();
    }
    for [cell, better, with] in &needless.dominated {
        data.extend([step::DOMINATED, *cell as u64, *better as u64, *with as u64]);
    }
    Certificate::new(VIRTUAL_CONNECTION, data)
}
