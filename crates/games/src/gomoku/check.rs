//! The checker of Gomoku's certificate, apart from the code that finds it.
//!
//! > `line of fours`: a₁ d₁ a₂ d₂ … aₙ, the indices of moves: fours of the claimant and the only
//! > moves that stop them
//!
//! The line is played by the rules. Before each aᵢ the claimant may win at once. Else aᵢ must be
//! legal; after it the opponent must not have a five, and the claimant must have points for a five.
//! If there are two or more, or the opponent may not play on the only one (renju), the claimant
//! wins. Else dᵢ must be that point, and the line goes on. With n = 0 the claimant makes a five.
//! Where the opponent moves, a reply is answered if the line wins after it as written.
//!
//! The finder reads shapes from tables that it updates with every stone (`threats.rs`). Here rows
//! are counted on the board, point by point, each time. Finder and checker share the rules, no
//! code.

use super::{Gomoku, Point};
use tesuji_core::{Certificate, Certifier, Drawing, Notation, Player, Position};

/// The kind of certificate for a victory by continuous fours.
pub const LINE_OF_FOURS: &str = "line of fours";

/// Checks lines of fours.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoursCertifier;

/// The directions in which rows run, as columns and rows.
const ROWS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The moves that a certificate lists.
fn moves_of(position: &Gomoku, certificate: &Certificate) -> Result<Vec<Point>, String> {
    if certificate.kind != LINE_OF_FOURS {
        return Err("Gomoku has no certificate of this kind".into());
    }
    let read = |number: &u64| usize::try_from(*number).ok().and_then(|number| position.move_at(number));
    let moves: Option<Vec<Point>> = certificate.data.iter().map(read).collect();
    let moves = moves.ok_or("a point off the board")?;
    if moves.len() % 2 == 0 && !moves.is_empty() {
        return Err("the line does not end with a four".into());
    }
    Ok(moves)
}

/// Stones of a player in a row from a point, which does not count, in one direction.
fn stones_beyond(position: &Gomoku, point: Point, (columns, rows): (i32, i32), player: Player) -> u32 {
    let size = position.size() as i32;
    let (mut column, mut row, mut count) = (point.column() as i32, point.row() as i32, 0);
    loop {
        (column, row) = (column + columns, row + rows);
        let inside = (0..size).contains(&column) && (0..size).contains(&row);
        if !inside || position.stone(Point::new(column as u8, row as u8)) != Some(player) {
            return count;
        }
        count += 1;
    }
}

/// The empty points on which a stone of a player makes a winning row.
fn five_points(position: &Gomoku, player: Player) -> Vec<Point> {
    let size = position.size() as u8;
    let five = position.rule().five(player);
    let makes_five = |point: Point| {
        ROWS.into_iter().any(|(columns, rows)| {
            let ahead = stones_beyond(position, point, (columns, rows), player);
            let behind = stones_beyond(position, point, (-columns, -rows), player);
            five.wins(1 + ahead + behind)
        })
    };
    let points = (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row)));
    points.filter(|point| position.stone(*point).is_none() && makes_five(*point)).collect()
}

/// Whether the claimant, to move in a live position, wins by the line as written.
fn line_wins(position: &Gomoku, claimant: Player, line: &[Point]) -> bool {
    let opponent = claimant.other();
    let mut position = *position;
    for turn in line.chunks(2) {
        if !five_points(&position, claimant).is_empty() {
            return true;
        }
        let four = turn[0];
        if !position.is_legal(four) {
            return false;
        }
        position.play(four);
        // No move of the claimant made a five, so an end here is a draw.
        if position.outcome().is_some() || !five_points(&position, opponent).is_empty() {
            return false;
        }
        match five_points(&position, claimant)[..] {
            [] => return false,
            [stop] if position.is_legal(stop) => {
                if turn.get(1) != Some(&stop) {
                    return false;
                }
                position.play(stop);
                if position.outcome().is_some() {
                    return false;
                }
            }
            // The opponent cannot occupy all points for a five.
            _ => return true,
        }
    }
    !five_points(&position, claimant).is_empty()
}

impl Certifier<Gomoku> for FoursCertifier {
    fn wins(&self, position: &Gomoku, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        let line = moves_of(position, certificate)?;
        let holds = position.outcome().is_none() && position.turn() == claimant && line_wins(position, claimant, &line);
        if holds { Ok(()) } else { Err("the line does not win".into()) }
    }

    fn answers(
        &self,
        position: &Gomoku,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Point>,
    ) -> Result<(), String> {
        let line = moves_of(position, certificate)?;
        if position.turn() == claimant {
            return Err("the claimant is to move".into());
        }
        replies.retain(|reply| {
            let mut after = *position;
            after.play(*reply);
            after.outcome().is_some() || !line_wins(&after, claimant, &line)
        });
        Ok(())
    }

    fn drawing(&self, position: &Gomoku, claimant: Player, certificate: &Certificate) -> Drawing {
        let moves = moves_of(position, certificate).unwrap_or_default();
        let players = [claimant, claimant.other()].into_iter().cycle();
        let line = players.zip(moves).filter_map(|(player, mv)| Some((player, position.place_of(mv)?)));
        Drawing { line: line.collect(), ..Drawing::default() }
    }
}
