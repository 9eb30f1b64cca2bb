//! Lines and zones compared with full expansion, on boards small and full enough for it.

use super::line::{Line, Turn, follow};
use super::{Connect6, DOUBLE_THREATS, Ended, SingleThreats, THREATS, ThreatsCertifier, VcstLimits, ZONE};
use crate::in_a_row::{Point, Stones};
use std::collections::HashMap;
use tesuji_core::{Certificate, Certifier, Player, Position, Rng, Seed, Studied};
use tesuji_testing::sized;

/// A crowded board of 7 rows: some windows hold stones of one player and gaps, the rest is filled
/// at random except for some points. Neither player has a six.
fn crowded(rng: &mut Rng) -> Option<Connect6> {
    let size = 7 + rng.below(2) as usize;
    let mut cells: HashMap<Point, Option<Player>> = HashMap::new();
    for _ in 0..3 + rng.below(6) {
        let player = Player::BOTH[usize::from(rng.below(4) == 0)];
        let mut place = || rng.below(size as u32) as u8;
        let (first, direction) = (Point::new(place(), place()), rng.below(4) as usize);
        let step = |steps: usize| first.step(crate::in_a_row::DIRECTIONS[direction], steps as isize, size);
        if step(5).is_none() {
            continue;
        }
        // Two or three stones: one turn turns them into a threat.
        let mut held = [true, true, rng.below(3) > 0, false, false, false];
        (1..held.len()).for_each(|at| held.swap(at, rng.below(at as u32 + 1) as usize));
        for (point, held) in (0..6).filter_map(step).zip(held) {
            let stone = held.then_some(player);
            cells.entry(point).or_insert(stone);
        }
    }
    let mut position = Connect6::new(size).ok()?;
    let mut stones = Stones::new(size);
    let mut empty = 0;
    for point in stones.points() {
        let stone = *cells.entry(point).or_insert_with(|| Some(Player::BOTH[rng.below(2) as usize]));
        match stone {
            Some(player) => stones.put(point, player),
            None => empty += 1,
        }
    }
    position.stones = stones;
    position.turn = Player::BOTH[usize::from(rng.below(3) > 0)];
    position.left = 1 + u8::from(rng.below(3) > 0);
    position.hash = position.recomputed_hash().0;
    let six = Player::BOTH.into_iter().any(|player| stones.find_row(player, |length| length >= 6).is_some());
    position.ended = Ended::No;
    (!six && (6..=13).contains(&empty)).then_some(position)
}

/// Whether `claimant` wins, by exhaustive search.
fn wins(position: &Connect6, claimant: Player, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(claimant);
    }
    if let Some(known) = known.get(&position.hash().0) {
        return *known;
    }
    let mut after = |mv: Point| {
        let mut after = *position;
        after.play(mv);
        wins(&after, claimant, known)
    };
    let mut moves = position.moves().into_iter();
    let won = if position.turn() == claimant { moves.any(&mut after) } else { moves.all(&mut after) };
    known.insert(position.hash().0, won);
    won
}

/// Whether the claim of a certificate is true: the claimant wins, or wins against all pairs of
/// stones of a turn none of which was left open.
fn is_true(position: &Connect6, claimant: Player, open: &[Point], known: &mut HashMap<u64, bool>) -> bool {
    if position.turn() == claimant {
        return wins(position, claimant, known);
    }
    position.moves().into_iter().filter(|mv| !open.contains(mv)).all(|mv| {
        let mut after = *position;
        after.play(mv);
        if after.outcome().is_none() && after.turn() != claimant {
            is_true(&after, claimant, open, known)
        } else {
            wins(&after, claimant, known)
        }
    })
}

/// Takes a list of points from the beginning of a certificate's data.
fn read_points(position: &Connect6, data: &mut &[u64]) -> Vec<Point> {
    let (count, rest) = data.split_first().expect("a length");
    let (points, rest) = rest.split_at(*count as usize);
    *data = rest;
    points.iter().map(|number| position.move_at(*number as usize).expect("a point")).collect()
}

/// The line that these numbers are, to the last one.
fn read_line(position: &Connect6, mut data: &[u64]) -> Line {
    let mut line = Line::default();
    while !data.is_empty() {
        let stones = read_points(position, &mut data);
        line.0.push(Turn { stones, stops: read_points(position, &mut data) });
    }
    line
}

/// The checker's answer: `None` if it refuses, else the moves it leaves open.
fn check(position: &Connect6, claimant: Player, certificate: &Certificate) -> Option<Vec<Point>> {
    let mut open = Vec::new();
    if position.turn() == claimant {
        ThreatsCertifier.wins(position, claimant, certificate).ok()?;
    } else {
        open = position.moves();
        ThreatsCertifier.answers(position, claimant, certificate, &mut open).ok()?;
    }
    Some(open)
}

/// Counts of the cases seen.
#[derive(Debug, Default)]
struct Seen {
    /// Lines.
    lines: u32,
    /// Zones with one stone left and with two, whose line makes threats.
    zones: [u32; 2],
    /// Zones with points that belong to the opponent's windows only.
    against: u32,
    /// Altered certificates: refused, and accepted.
    refused: u32,
    held: u32,
}

/// Certificates found are accepted and true; altered ones are refused or also true.
fn compare(seed: u64, positions: usize) -> Seen {
    let mut rng = Rng::new(Seed(seed));
    let mut seen = Seen::default();
    let claimant = Player::First;
    let mut tried = 0;
    while tried < positions {
        let Some(position) = crowded(&mut rng) else { continue };
        let mut adviser = SingleThreats::new(VcstLimits::default());
        let mut listed = Vec::new();
        let Some(certificate) = adviser.certificate(&position, claimant, &mut listed) else { continue };
        let attacks = position.turn() == claimant;
        if certificate.kind != DOUBLE_THREATS && certificate.kind != ZONE {
            continue;
        }
        let mut data = certificate.data.as_slice();
        let zone = if attacks { Vec::new() } else { read_points(&position, &mut data) };
        let line = read_line(&position, data);
        // Filling a window is a line as well, the most common one, followed by lines of one turn:
        // some of each suffice.
        let common =
            [if attacks { 8 } else { 100 }, 4, 1][if line.0[0].stops.is_empty() { 0 } else { line.0.len().min(2) }];
        if rng.below(common) > 0 {
            continue;
        }
        tried += 1;
        let mut known = HashMap::new();
        let mut open = check(&position, claimant, &certificate).expect("it holds");
        assert!(is_true(&position, claimant, &open, &mut known), "{certificate:?} {position:?}");
        open.sort_unstable();
        listed.sort_unstable();
        assert_eq!(open, if attacks { Vec::new() } else { listed });
        let played =
            |point: &Point| line.0.iter().any(|turn| turn.stones.contains(point) || turn.stops.contains(point));
        if attacks {
            seen.lines += 1;
        } else if !line.0[0].stops.is_empty() {
            seen.zones[position.stones_left() - 1] += 1;
            seen.against += u32::from(zone.iter().any(|point| !played(point)));
        }
        for _ in 0..24 {
            let mut altered = certificate.clone();
            let at = rng.below(altered.data.len() as u32) as usize;
            match rng.below(5) {
                // One point of the zone less, if there is one.
                0 | 1 if !zone.is_empty() => {
                    altered.data.remove(1 + rng.below(zone.len() as u32) as usize);
                    altered.data[0] -= 1;
                }
                2 => drop(altered.data.remove(at)),
                // Another point, which is in the zone too.
                3 if !zone.is_empty() && at > zone.len() => {
                    let other = u64::from(rng.below(64));
                    altered.data[at] = other;
                    altered.data.insert(1, other);
                    altered.data[0] += 1;
                }
                _ => altered.data[at] = u64::from(rng.below(64)),
            }
            if altered == certificate {
                continue;
            }
            match check(&position, claimant, &altered) {
                None => seen.refused += 1,
                Some(open) => {
                    seen.held += 1;
                    assert!(is_true(&position, claimant, &open, &mut known), "{altered:?} {position:?}");
                }
            }
        }
    }
    seen
}

#[test]
fn lines_and_zones_are_right() {
    let seen = compare(5, 200);
    assert!(seen.lines > 20 && seen.zones[0] > 15 && seen.zones[1] > 15, "{seen:?}");
    assert!(seen.against > 5 && seen.refused > 20 * seen.held && seen.held > 5, "{seen:?}");
}

/// A board with room: random stones, more of the first player.
fn roomy(rng: &mut Rng) -> Option<Connect6> {
    let mut position = Connect6::new(8).ok()?;
    let mut stones = Stones::new(8);
    let (own, others) = (25 + rng.below(15), 10 + rng.below(20));
    for point in stones.points() {
        match rng.below(100) {
            number if number < own => stones.put(point, Player::First),
            number if number < own + others => stones.put(point, Player::Second),
            _ => {}
        }
    }
    position.stones = stones;
    position.turn = Player::BOTH[usize::from(rng.below(3) > 0)];
    position.left = 1 + u8::from(rng.below(2) > 0);
    position.hash = position.recomputed_hash().0;
    let six = Player::BOTH.into_iter().any(|player| stones.find_row(player, |length| length >= 6).is_some());
    (!six).then_some(position)
}

/// Whether the first player wins by these turns of a line against every answer, if the opponent's
/// stones of this turn are outside `zone`: the first player fills a window where possible and else
/// plays on.
fn beats(position: &Connect6, line: &[Turn], zone: &[Point]) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(Player::First);
    }
    if position.turn() == Player::First {
        if position.winning_move().is_some() {
            return true;
        }
        let Some((turn, rest)) = line.split_first() else { return false };
        let mut after = *position;
        for stone in &turn.stones {
            if !after.is_legal(*stone) {
                return false;
            }
            after.play(*stone);
        }
        return after.turn() == Player::Second && beats(&after, rest, &[]);
    }
    position.moves().into_iter().filter(|mv| !zone.contains(mv)).all(|mv| {
        let mut after = *position;
        after.play(mv);
        // The order of two stones does not matter: the second has the higher index.
        let earlier: Vec<Point> = position.moves().into_iter().filter(|other| *other <= mv).collect();
        let zone = if after.turn() == Player::Second { [zone, &earlier].concat() } else { Vec::new() };
        beats(&after, line, &zone)
    })
}

/// Lines of several turns, played against every answer: the number of lines with one turn and with
/// more; of zones with one and two stones left, and of these with more turns.
fn play_lines(seed: u64, most: [u32; 3]) -> [[u32; 2]; 3] {
    let mut rng = Rng::new(Seed(seed));
    let mut seen = [[0; 2]; 3];
    while (0..3).any(|kind| seen[kind][0] + seen[kind][1] < most[kind]) {
        let Some(position) = roomy(&mut rng) else { continue };
        let attacks = position.turn() == Player::First;
        let kind = if attacks { 0 } else { position.stones_left() };
        let mut adviser = SingleThreats::new(VcstLimits::default());
        let certificate = adviser.certificate(&position, Player::First, &mut Vec::new());
        let Some(certificate) = certificate.filter(|found| found.kind == DOUBLE_THREATS || found.kind == ZONE) else {
            continue;
        };
        assert!(check(&position, Player::First, &certificate).is_some(), "it holds");
        let mut data = certificate.data.as_slice();
        let zone = if attacks { Vec::new() } else { read_points(&position, &mut data) };
        let line = read_line(&position, data);
        let several = usize::from(line.0.len() > 1 && !line.0[0].stops.is_empty());
        // Half of them of several turns.
        if line.0[0].stops.is_empty() || seen[kind][several] >= most[kind].div_ceil(2) {
            continue;
        }
        assert!(beats(&position, &line.0, &zone), "{certificate:?} {position:?}");
        seen[kind][several] += 1;
    }
    seen
}

#[test]
fn lines_beat_every_answer() {
    let seen = play_lines(7, [60, 40, 8]);
    assert!(seen.iter().all(|[_, several]| *several > 3), "{seen:?}");
}

#[test]
fn many_lines_and_zones_are_right() {
    for seed in 100..sized(101, 110) {
        compare(seed, sized(40, 2_000));
        play_lines(seed, sized([20, 12, 4], [500, 400, 40]));
    }
}

/// Two open threes, which one turn turns into four threats, next to `others` stones of the opponent
/// in a row; the side to move has `left` stones.
fn open_threes(others: u8, turn: Player, left: u8) -> Connect6 {
    let mut position = Connect6::new(19).expect("a board");
    for column in 3..6 {
        position.stones.put(Point::new(column, 3), Player::First);
        position.stones.put(Point::new(column, 10), Player::First);
    }
    for column in 0..others {
        position.stones.put(Point::new(9 + column, 15), Player::Second);
    }
    (position.turn, position.left) = (turn, left);
    position.hash = position.recomputed_hash().0;
    position
}

/// One turn that leaves two threats does not end a line. Three stones of the opponent in a row add
/// a point to the zone in either direction, two do with two stones left, four refute the line.
#[test]
fn the_opponent_must_not_come_first() {
    let stops = [3, 10].into_iter().flat_map(|row| [1, 2, 7, 8].map(|column| Point::new(column, row)));
    let line = Line(vec![Turn { stones: vec![Point::new(6, 3), Point::new(6, 10)], stops: stops.collect() }]);
    let zone = |others: u8, left: u8| {
        let position = open_threes(others, Player::Second, left);
        follow(&position, Player::First, &line).map(|needs| needs.zone())
    };
    for (others, left, holds) in [(3, 2, true), (0, 1, false), (4, 2, false), (4, 1, false), (5, 2, false)] {
        let position = open_threes(others, Player::First, left);
        let line = if left == 1 {
            Line(vec![Turn { stones: vec![Point::new(6, 3)], ..line.0[0].clone() }])
        } else {
            line.clone()
        };
        assert_eq!(follow(&position, Player::First, &line).is_ok(), holds, "{others} {left}");
    }
    // Ten points of the line; then those next to three stones, for any number of stones left; next
    // to two stones only with two stones left.
    let row = |zone: &[Point]| zone.iter().filter(|point| point.row() == 15).count();
    assert_eq!(zone(1, 2).map(|zone| zone.len()), Ok(10));
    assert_eq!(zone(3, 1).map(|zone| (zone.len(), row(&zone))), Ok((16, 6)));
    assert_eq!(zone(3, 2).map(|zone| row(&zone)), Ok(6));
    assert_eq!(zone(2, 1).map(|zone| zone.len()), Ok(10));
    assert_eq!(zone(2, 2).map(|zone| row(&zone)), Ok(6));
    assert!(zone(4, 1).is_err() && zone(4, 2).is_err());
}

/// Certificates for the wrong side, of the wrong kind, or with invalid numbers.
#[test]
fn nonsense_is_refused() {
    let position = Connect6::new(9).expect("a board");
    let (first, second) = (Player::First, Player::Second);
    for data in
        [vec![], vec![0], vec![1], vec![u64::MAX], vec![1, 81, 0], vec![1, 40, 0], vec![1, 40, 1, 40], vec![0, 0]]
    {
        let line = Certificate::new(DOUBLE_THREATS, data.clone());
        assert!(ThreatsCertifier.wins(&position, first, &line).is_err(), "{data:?}");
        assert!(ThreatsCertifier.wins(&position, second, &line).is_err(), "{data:?}");
        assert!(ThreatsCertifier.answers(&position, second, &line, &mut position.moves()).is_err(), "{data:?}");
        let zone = Certificate::new(ZONE, data.clone());
        assert!(ThreatsCertifier.wins(&position, first, &zone).is_err(), "{data:?}");
        assert!(ThreatsCertifier.answers(&position, first, &zone, &mut position.moves()).is_err(), "{data:?}");
        assert!(ThreatsCertifier.answers(&position, second, &zone, &mut position.moves()).is_err(), "{data:?}");
    }
    let threats = Certificate::new(THREATS, Vec::new());
    assert!(ThreatsCertifier.wins(&position, first, &threats).is_err());
    assert!(follow(&position, first, &Line::default()).is_err());
}
