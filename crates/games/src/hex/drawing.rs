//! A virtual connection as it is drawn: its carrier, and the pairs of cells of its bridges.

use super::check::{Connection, Derivation};
use std::collections::BTreeSet;
use tesuji_core::{Drawing, ViewPoint};

/// The drawing of a connection that was derived: of the one between the edges that needs the fewest
/// cells, a full one before a half one, or of the cells that are filled in if there is none.
pub(super) fn drawn(derivation: &Derivation<'_>) -> Drawing {
    let size = derivation.board.size;
    let place = |cell: &usize| -> ViewPoint { (cell % size, cell / size) };
    let best = derivation.between_edges().min_by_key(|connection| (!connection.full, connection.carrier.len()));
    let Some(best) = best else {
        return Drawing { area: derivation.filled.iter().map(place).collect(), ..Drawing::default() };
    };
    let mut pairs = BTreeSet::new();
    bridges(derivation, best, &mut pairs);
    Drawing {
        area: best.carrier.iter().map(place).collect(),
        pairs: pairs.iter().map(|[one, two]| [place(one), place(two)]).collect(),
        line: key(derivation, best).map(|cell| (derivation.claimant, place(&cell))).into_iter().collect(),
        ..Drawing::default()
    }
}

/// The cell that makes a half connection full: the one in which its two parts meet.
fn key(derivation: &Derivation<'_>, half: &Connection) -> Option<usize> {
    if half.full {
        return None;
    }
    let of_parts: BTreeSet<usize> =
        half.parts.iter().flat_map(|part| derivation.connections[*part].carrier.iter().copied()).collect();
    half.carrier.difference(&of_parts).next().copied()
}

/// The full connections of two cells that a connection is made of. Parts have lower numbers, so
/// this ends.
fn bridges(derivation: &Derivation<'_>, connection: &Connection, pairs: &mut BTreeSet<[usize; 2]>) {
    let mut open = vec![connection];
    let mut seen = BTreeSet::new();
    while let Some(connection) = open.pop() {
        let cells: Vec<usize> = connection.carrier.iter().copied().collect();
        match cells[..] {
            [one, two] if connection.full => {
                pairs.insert([one, two]);
            }
            _ => open.extend(
                connection.parts.iter().filter(|part| seen.insert(**part)).map(|part| &derivation.connections[*part]),
            ),
        }
    }
}
