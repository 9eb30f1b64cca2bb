//! The checker of Connect6's certificates, apart from the code that finds them.
//!
//! > `more threats than stones`: no data
//!
//! The opponent moves with k stones left. A reply is answered if after it the opponent cannot
//! complete a six with the other k − 1 stones, and cannot put one of them into every threat of the
//! claimant: a window of six points with four or more stones of the claimant and none of the
//! opponent.
//!
//! > `line of double threats`: turns of the claimant, each a list of stones and a list of stops
//!
//! The claimant moves and wins by the line.
//!
//! > `relevance zone`: a list of points, and a line
//!
//! The opponent moves with k stones left. The line wins against k stones outside the zone, so every
//! reply outside it is answered. With k = 2 the second stone may lie in the zone: the two stones of
//! a turn can be exchanged, and replies in the zone are never answered, so they are listed and
//! proved with all that may follow in the turn.
//!
//! A list is its length and the indices of its points. Why a line wins, and what a zone must
//! contain, is proved at the head of `line.rs`. The finder uses windows that it updates with every
//! stone (`threats.rs`) and its own test of lines. Here every window is counted on a plain board
//! each time, and stones against threats are enumerated. Finder and checker share the rules, no
//! code.

use super::{Connect6, LINE, Point};
use tesuji_core::{Certificate, Certifier, Drawing, Notation, Player, Position, ViewPoint};

/// The kind of certificate that counts threats.
pub const THREATS: &str = "more threats than stones";

/// The kind of certificate that plays a line.
pub const DOUBLE_THREATS: &str = "line of double threats";

/// The kind of certificate that plays a line against every reply outside a zone.
pub const ZONE: &str = "relevance zone";

/// Stones in a window that threaten a six within a turn.
const THREATENING: usize = LINE - 2;

/// Checks certificates of Connect6.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreatsCertifier;

/// A plain board; points are indices of moves.
struct Board {
    cells: Vec<Option<Player>>,
    /// All windows of the board.
    windows: Vec<[usize; LINE]>,
}

impl Board {
    fn new(position: &Connect6) -> Board {
        let size = position.size();
        let point = |column: usize, row: usize| Point::new(column as u8, row as u8);
        let mut cells = vec![None; size * size];
        let mut windows = Vec::new();
        for row in 0..size {
            for column in 0..size {
                cells[position.move_index(point(column, row))] = position.stone(point(column, row));
                for (columns, rows) in [(1_isize, 0_isize), (0, 1), (1, 1), (1, -1)] {
                    let at = |steps: usize| -> Option<usize> {
                        let column = column.checked_add_signed(columns * steps as isize)?;
                        let row = row.checked_add_signed(rows * steps as isize)?;
                        (column < size && row < size).then(|| position.move_index(point(column, row)))
                    };
                    let window: Vec<usize> = (0..LINE).map_while(at).collect();
                    windows.extend(<[usize; LINE]>::try_from(window));
                }
            }
        }
        Board { cells, windows }
    }

    fn put(&mut self, point: usize, player: Player) -> Result<(), String> {
        match self.cells.get_mut(point) {
            Some(cell @ None) => *cell = Some(player),
            _ => return Err(format!("point {point} is not an empty point of the board")),
        }
        Ok(())
    }

    /// The windows without a stone of the other player: how many stones, and the empty points.
    fn open_windows(&self, player: Player) -> impl Iterator<Item = (usize, Vec<usize>)> + '_ {
        self.windows.iter().filter_map(move |window| {
            let is_open = window.iter().all(|point| self.cells[*point] != Some(player.other()));
            let empty = |point: &usize| self.cells[*point].is_none();
            is_open.then(|| {
                let gaps: Vec<usize> = window.iter().copied().filter(empty).collect();
                (LINE - gaps.len(), gaps)
            })
        })
    }

    /// Whether a player completes a six with this number of stones.
    fn can_complete(&self, player: Player, stones: usize) -> bool {
        self.open_windows(player).any(|(held, _)| held + stones >= LINE)
    }

    /// The empty points of each threat of a player.
    fn threats(&self, player: Player) -> Vec<Vec<usize>> {
        self.open_windows(player).filter(|(held, _)| *held >= THREATENING).map(|(_, gaps)| gaps).collect()
    }
}

/// Whether at most `stones` stones, two or fewer, can touch every threat; all choices are tried.
fn can_stop(threats: &[Vec<usize>], stones: usize) -> bool {
    let mut points: Vec<usize> = threats.iter().flatten().copied().collect();
    points.sort_unstable();
    points.dedup();
    let stopped_by = |chosen: &[usize]| threats.iter().all(|gaps| gaps.iter().any(|gap| chosen.contains(gap)));
    match stones {
        0 => threats.is_empty(),
        1 => threats.is_empty() || points.iter().any(|point| stopped_by(&[*point])),
        _ => threats.is_empty() || points.iter().any(|one| points.iter().any(|other| stopped_by(&[*one, *other]))),
    }
}

/// Reads a list of points from the beginning of `data`.
fn read_list(data: &mut &[u64]) -> Result<Vec<usize>, String> {
    let (length, rest) = data.split_first().ok_or("the length of a list is missing")?;
    let (list, rest) = usize::try_from(*length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
        .ok_or("a list of points is cut off")?;
    *data = rest;
    list.iter().map(|point| usize::try_from(*point).map_err(|_| format!("{point} is no point"))).collect()
}

/// What a zone must contain for a line to win against stones outside it.
#[derive(Default)]
struct Requirements {
    /// All of these points.
    points: Vec<usize>,
    /// All but one of each of these.
    windows: Vec<Vec<usize>>,
}

/// Follows a line. The claimant has `stones` stones in the first turn; the opponent may have put
/// `unknown` stones that the line does not know.
fn follow(
    mut board: Board,
    claimant: Player,
    (mut stones, unknown): (usize, usize),
    mut data: &[u64],
) -> Result<Requirements, String> {
    let opponent = claimant.other();
    let mut required = Requirements::default();
    if data.is_empty() {
        return Err("a line without turns".into());
    }
    loop {
        let (own, stops) = (read_list(&mut data)?, read_list(&mut data)?);
        let last = data.is_empty();
        if own.is_empty() || own.len() > stones {
            return Err(format!("{} stones in a turn of {stones}", own.len()));
        }
        for stone in &own {
            board.put(*stone, claimant)?;
        }
        let complete = own.len() == stones;
        required.points.extend(own);
        if last && stops.is_empty() && board.can_complete(claimant, 0) {
            return Ok(required);
        }
        if !complete {
            return Err("a turn ends early".into());
        }
        stones = 2;
        for (held, gaps) in board.open_windows(opponent) {
            match held {
                THREATENING.. => return Err("the opponent completes a six first".into()),
                3 if unknown > 0 => required.points.extend(gaps),
                2 if unknown == 2 => required.windows.push(gaps),
                _ => {}
            }
        }
        let mut threats = board.threats(claimant);
        threats.retain(|gaps| gaps.iter().all(|gap| stops.contains(gap)));
        if can_stop(&threats, if last { 2 } else { 1 }) {
            return Err("the opponent can stop all threats of a turn".into());
        }
        for stop in &stops {
            board.put(*stop, opponent)?;
        }
        required.points.extend(stops);
        if last {
            return Ok(required);
        }
    }
}

fn more_threats(position: &Connect6, claimant: Player, replies: &mut Vec<Point>) -> Result<(), String> {
    let (opponent, stones) = (claimant.other(), position.stones_left());
    let board = Board::new(position);
    // With all stones of the turn; so neither with a reply and the stones after it.
    if board.can_complete(opponent, stones) {
        return Err("the opponent completes a six".into());
    }
    let threats = board.threats(claimant);
    replies.retain(|reply| {
        let reply = position.move_index(*reply);
        let left: Vec<Vec<usize>> = threats.iter().filter(|gaps| !gaps.contains(&reply)).cloned().collect();
        can_stop(&left, stones - 1)
    });
    Ok(())
}

fn zone(position: &Connect6, claimant: Player, mut data: &[u64], replies: &mut Vec<Point>) -> Result<(), String> {
    let zone = read_list(&mut data)?;
    let board = Board::new(position);
    if zone.iter().any(|point| *point >= board.cells.len()) {
        return Err("a point of the zone off the board".into());
    }
    let unknown = position.stones_left();
    if board.can_complete(claimant.other(), unknown) {
        return Err("the opponent completes a six".into());
    }
    let required = follow(board, claimant, (2, unknown), data)?;
    if required.points.iter().any(|point| !zone.contains(point)) {
        return Err("the zone lacks a point of the line, or one that the opponent's windows need".into());
    }
    if required.windows.iter().any(|gaps| gaps.iter().filter(|gap| !zone.contains(gap)).count() > 1) {
        return Err("two stones outside the zone let the opponent complete a six first".into());
    }
    replies.retain(|reply| zone.contains(&position.move_index(*reply)));
    Ok(())
}

impl Certifier<Connect6> for ThreatsCertifier {
    fn wins(&self, position: &Connect6, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        if certificate.kind != DOUBLE_THREATS {
            return Err("Connect6 has no certificate of this kind for the side to move".into());
        }
        if position.outcome().is_some() || position.turn() != claimant {
            return Err("the claimant is not to move".into());
        }
        follow(Board::new(position), claimant, (position.stones_left(), 0), &certificate.data).map(|_| ())
    }

    fn answers(
        &self,
        position: &Connect6,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Point>,
    ) -> Result<(), String> {
        if position.outcome().is_some() || position.turn() == claimant {
            return Err("the claimant is to move".into());
        }
        match certificate.kind.as_ref() {
            THREATS if certificate.data.is_empty() => more_threats(position, claimant, replies),
            ZONE => zone(position, claimant, &certificate.data, replies),
            _ => Err("Connect6 has no certificate of this kind where the opponent moves".into()),
        }
    }

    fn drawing(&self, position: &Connect6, claimant: Player, certificate: &Certificate) -> Drawing {
        let mut data = &certificate.data[..];
        let place = |point: usize| -> Option<ViewPoint> { position.place_of(position.move_at(point)?) };
        let mut drawing = Drawing::default();
        match certificate.kind.as_ref() {
            THREATS => {
                let threats = Board::new(position).threats(claimant);
                let points: std::collections::BTreeSet<usize> = threats.into_iter().flatten().collect();
                drawing.area = points.into_iter().filter_map(place).collect();
                return drawing;
            }
            ZONE => drawing.area = read_list(&mut data).unwrap_or_default().into_iter().filter_map(place).collect(),
            _ => {}
        }
        // Stones and stops of the turns alternate.
        for player in [claimant, claimant.other()].into_iter().cycle() {
            let Ok(points) = read_list(&mut data) else { break };
            drawing.line.extend(points.into_iter().filter_map(place).map(|point| (player, point)));
        }
        drawing
    }
}
