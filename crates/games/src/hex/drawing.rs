//! A virtual connection as it is drawn: its carrier, the pairs of cells of its bridges, and the pairs
//! that are captured.

use super::check::{Board, Connection, Derivation};
use std::collections::BTreeSet;
use tesuji_core::{Drawing, Player, ViewPoint};

/// The drawing of a connection that was derived: of the one between the edges that needs the fewest
/// cells, a full one before a half one, or of the cells that are filled in if there is none.
pub(super) fn drawn(derivation: &Derivation<'_>) -> Drawing {
    let size = derivation.board.size;
    let place = |cell: &usize| -> ViewPoint { (cell % size, cell / size) };
    let best = derivation.between_edges().min_by_key(|connection| (!connection.full, connection.carrier.len()));
    let Some(best) = best else {
        return Drawing { area: derivation.filled.iter().map(place).collect(), ..Drawing::default() };
    };
    let mut pairs: BTreeSet<[usize; 2]> = needed(derivation, best).into_iter().collect();
    bridges(derivation, best, &mut pairs);
    let area: BTreeSet<usize> = best.carrier.iter().chain(pairs.iter().flatten()).copied().collect();
    Drawing {
        area: area.iter().map(place).collect(),
        pairs: pairs.iter().map(|[one, two]| [place(one), place(two)]).collect(),
        line: key(derivation, best).map(|cell| (derivation.claimant, place(&cell))).into_iter().collect(),
        ..Drawing::default()
    }
}

/// The captured pairs that a connection needs. They are the claimant's own on the filled board; where
/// that board joins the edges by stones alone, a pair without which it still does is left out.
fn needed(derivation: &Derivation<'_>, best: &Connection) -> Vec<[usize; 2]> {
    let mut pairs = derivation.captured.clone();
    if !best.carrier.is_empty() {
        return pairs;
    }
    let filled = |pairs: &[[usize; 2]]| {
        let mut board = derivation.board.clone();
        for cell in derivation.filled.iter().filter(|cell| !pairs.as_flattened().contains(*cell)) {
            board.cells[*cell] = None;
        }
        board
    };
    for place in (0..pairs.len()).rev() {
        let pair = pairs.remove(place);
        if !joins_edges(&filled(&pairs), derivation.claimant) {
            pairs.insert(place, pair);
        }
    }
    pairs
}

/// Whether stones of a player join its edges.
fn joins_edges(board: &Board, player: Player) -> bool {
    let own = |cell: &usize| board.cells[*cell] == Some(player);
    let at = |cell: usize, edge: usize| board.edges_at(player, cell).contains(&(board.cells.len() + edge));
    let mut open: Vec<usize> = (0..board.cells.len()).filter(|cell| own(cell) && at(*cell, 0)).collect();
    let mut seen: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(cell) = open.pop() {
        if at(cell, 1) {
            return true;
        }
        open.extend(board.neighbours(cell).into_iter().filter(|next| own(next) && seen.insert(*next)));
    }
    false
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
