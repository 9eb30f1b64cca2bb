//! Checking by the rules alone: certificates are expanded; false ones are refused, whatever they
//! say.

use std::path::Path;
use std::time::Duration;
use tesuji_core::{
    Aim, Budget, Certificate, Certifier, Measure, Player, Position, Rng, Score, Seed, Studied, WINS_AT_ONCE,
};
use tesuji_games::connect6::{
    Connect6, Connect6Problem, DOUBLE_THREATS, SingleThreats, THREATS, ThreatsCertifier, VcstLimits, ZONE,
};
use tesuji_games::gomoku::{ContinuousThreats, FoursCertifier, Gomoku, LINE_OF_FOURS, Point, Rule, VctLimits};
use tesuji_games::goproblem::{GoProblem, STATIC_DEATH, UNCONDITIONAL_LIFE};
use tesuji_games::hex::{ConnectionCertifier, Hex, SwapRule, VIRTUAL_CONNECTION};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_proof::{Checked, Claim, ExpansionLimits, ProofError, Writer, check, check_by_rules, check_with};

fn win_of(player: Player) -> Aim {
    Aim { player, measure: Measure::Score, least: Score::UNITS as i32 }
}

/// A proof that consists of one certificate, which answers every reply.
fn only(position: &impl Position, claimant: Player, certificate: &Certificate) -> Claim {
    let mut writer = Writer::default();
    if position.turn() == claimant {
        writer.certified_win(certificate);
    } else {
        writer.certified_replies(certificate, std::iter::empty());
    }
    writer.claim(win_of(claimant))
}

fn limits(positions: u64) -> ExpansionLimits {
    ExpansionLimits { positions, deadline: Budget::unlimited().meter().deadline() }
}

fn by_rules<P: Position>(position: &P, claim: &Claim, positions: u64) -> Result<Checked, ProofError> {
    check_by_rules(position, claim, &limits(positions), &mut Budget::unlimited().meter())
}

/// Whether the claimant wins, by expansion; nothing if that takes too long.
fn wins_by_rules<P: Position>(position: &P, claimant: Player) -> Option<bool> {
    let nothing = Certificate::new("nothing is known", Vec::new());
    match by_rules(position, &only(position, claimant, &nothing), 300_000) {
        Ok(checked) => (checked.unexpanded == 0).then_some(true),
        Err(error) => {
            assert!(error.problem.contains("does not get what is claimed"), "{error}");
            Some(false)
        }
    }
}

fn exhaustive(position: &TicTacToe, player: Player) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(player);
    }
    let mut after = position.moves().into_iter().map(|mv| {
        let mut after = *position;
        after.play(mv);
        exhaustive(&after, player)
    });
    if position.turn() == player { after.any(|wins| wins) } else { after.all(|wins| wins) }
}

/// Expansion is right about every position of tic-tac-toe, whatever the hints are.
#[test]
fn expansion_agrees_with_exhaustive_search() {
    let mut rng = Rng::new(Seed(1));
    let mut counts = [0; 2];
    for _ in 0..400 {
        let mut position = TicTacToe::default();
        for _ in 0..rng.below(7) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        for claimant in Player::BOTH {
            let hints: Vec<u64> = (0..rng.below(4)).map(|_| u64::from(rng.below(12))).collect();
            let claim = only(&position, claimant, &Certificate::new("any", hints));
            let truth = exhaustive(&position, claimant);
            assert_eq!(by_rules(&position, &claim, 1_000_000).is_ok(), truth, "{position:?}");
            counts[usize::from(truth)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

/// Limits leave certificates unexpanded, and the answer says how many.
#[test]
fn limits_are_told() {
    let hex = Hex::new(4, SwapRule::Off).expect("a board");
    let claim = only(&hex, Player::First, &Certificate::new("any", Vec::new()));
    let cut = by_rules(&hex, &claim, 100).expect("not decided");
    assert_eq!((cut.certificates, cut.unexpanded), (1, 1));
    let budget = Budget { hard_time: Some(Duration::ZERO), ..Budget::default() };
    let late = ExpansionLimits { positions: u64::MAX, deadline: budget.meter().deadline() };
    let cut = check_by_rules(&hex, &claim, &late, &mut Budget::unlimited().meter()).expect("not decided");
    assert_eq!(cut.unexpanded, 1);
    let small = Hex::new(3, SwapRule::Off).expect("a board");
    let done = by_rules(&small, &only(&small, Player::First, &Certificate::new("any", vec![4])), 1_000_000);
    assert_eq!(done.map(|checked| (checked.certificates, checked.unexpanded)), Ok((1, 0)));
    assert!(by_rules(&small, &only(&small, Player::Second, &Certificate::new("any", Vec::new())), 1_000_000).is_err());
}

/// Refused by the checker of the game and, where the expansion ends, by the rules.
fn refused<P: Studied>(position: &P, claimant: Player, kind: &'static str, data: Vec<u64>) {
    let claim = only(position, claimant, &Certificate::new(kind, data));
    let checked = check_with(position, &claim, position.certifier().as_deref(), &mut Budget::unlimited().meter());
    assert!(checked.is_err(), "{kind} holds: {claim:?} {position:?}");
    let expanded = by_rules(position, &claim, 300_000);
    assert!(expanded.map_or(true, |checked| checked.unexpanded == 1), "{kind} is true: {position:?}");
}

/// Refused by the checker of the game, whether or not the claim is true.
fn not_shown<P: Studied>(position: &P, claimant: Player, kind: &'static str, data: Vec<u64>) {
    let claim = only(position, claimant, &Certificate::new(kind, data));
    let checked = check_with(position, &claim, position.certifier().as_deref(), &mut Budget::unlimited().meter());
    assert!(checked.is_err(), "{kind} holds: {claim:?} {position:?}");
}

/// Accepted by the checker of the game, and not refuted by the rules.
fn accepted<P: Studied>(position: &P, claimant: Player, kind: &'static str, data: Vec<u64>) {
    let claim = only(position, claimant, &Certificate::new(kind, data));
    check_with(position, &claim, position.certifier().as_deref(), &mut Budget::unlimited().meter())
        .unwrap_or_else(|error| panic!("{kind}: {error} {position:?}"));
    by_rules(position, &claim, 300_000).unwrap_or_else(|error| panic!("{kind}: {error} {position:?}"));
}

fn gomoku(rule: Rule, black: &[(u8, u8)], white: &[(u8, u8)], turn: Player) -> Gomoku {
    let stones = |places: &[(u8, u8)], player: Player| -> Vec<(Point, Player)> {
        places.iter().map(|(column, row)| (Point::new(*column, *row), player)).collect()
    };
    let all = [stones(black, Player::First), stones(white, Player::Second)].concat();
    Gomoku::set_up(9, rule, all, turn).expect("a position")
}

/// False but well-formed certificates, one for each condition of each kind.
#[test]
fn false_lines_of_fours_are_refused() {
    let at = |column: u64, row: u64| row * 9 + column;
    // Three in a row with room for five: a four on either side, stopped or not.
    let three = [(2, 4), (3, 4), (4, 4)];
    let open = gomoku(Rule::Freestyle, &three, &[(0, 0), (8, 8), (0, 8)], Player::First);
    accepted(&open, Player::First, LINE_OF_FOURS, vec![at(5, 4)]);
    refused(&open, Player::Second, LINE_OF_FOURS, vec![at(5, 4)]);
    let closed = gomoku(Rule::Freestyle, &three, &[(1, 4), (8, 8), (0, 8)], Player::First);
    refused(&closed, Player::First, LINE_OF_FOURS, vec![at(5, 4)]);
    refused(&closed, Player::First, LINE_OF_FOURS, vec![at(5, 4), at(6, 4), at(7, 7)]);
    refused(&closed, Player::First, LINE_OF_FOURS, vec![at(5, 4), at(6, 4)]);
    refused(&closed, Player::First, LINE_OF_FOURS, vec![at(1, 4)]);
    refused(&closed, Player::First, LINE_OF_FOURS, vec![]);
    refused(&closed, Player::First, LINE_OF_FOURS, vec![200]);
    // The opponent makes a five first, or stops with a four that does.
    let raced = gomoku(Rule::Freestyle, &three, &[(2, 0), (3, 0), (4, 0), (5, 0)], Player::First);
    refused(&raced, Player::First, LINE_OF_FOURS, vec![at(5, 4)]);
    // Six in a row does not win where only five does.
    let six = [(1, 4), (2, 4), (3, 4), (5, 4), (6, 4)];
    let exact = gomoku(Rule::Standard, &six, &[(0, 0), (8, 8), (0, 8), (8, 0), (4, 0)], Player::First);
    refused(&exact, Player::First, LINE_OF_FOURS, vec![]);
    let free = gomoku(Rule::Freestyle, &six, &[(0, 0), (8, 8), (0, 8), (8, 0), (4, 0)], Player::First);
    accepted(&free, Player::First, LINE_OF_FOURS, vec![]);
}

fn connect6(moves: &[(u8, u8)]) -> Connect6 {
    let mut position = Connect6::new(9).expect("a board");
    moves.iter().for_each(|(column, row)| position.play(Point::new(*column, *row)));
    position
}

#[test]
fn false_threats_of_connect6_are_refused() {
    let at = |column: u64, row: u64| row * 9 + column;
    // Black, one stone at first: three in a row, and two more stones to come; White's stones are
    // far apart.
    let black = [(2, 4), (3, 4), (4, 4)];
    let white = [(0, 0), (8, 8), (0, 8), (8, 0)];
    let to_black = connect6(&[black[0], white[0], white[1], black[1], black[2], white[2], white[3]]);
    assert_eq!((to_black.turn(), to_black.stones_left()), (Player::First, 2));
    // Five in a row need two stops; that is not enough for a last turn.
    let stops = [1, 7, 0, 8].map(|column| at(column, 4));
    let turn = |stones: &[u64], stops: &[u64]| -> Vec<u64> {
        [&[stones.len() as u64][..], stones, &[stops.len() as u64], stops].concat()
    };
    let line = [at(5, 4), at(6, 4)];
    refused(&to_black, Player::First, DOUBLE_THREATS, turn(&line, &stops[..2]));
    refused(&to_black, Player::First, DOUBLE_THREATS, turn(&line, &[]));
    refused(&to_black, Player::First, DOUBLE_THREATS, turn(&line[..1], &stops[..2]));
    refused(&to_black, Player::First, DOUBLE_THREATS, turn(&[at(0, 0), at(6, 4)], &stops[..2]));
    refused(&to_black, Player::First, DOUBLE_THREATS, vec![]);
    refused(&to_black, Player::First, DOUBLE_THREATS, vec![2, at(5, 4)]);
    refused(&to_black, Player::First, THREATS, vec![]);
    // White to move against five in a row: two stones are enough, one is not.
    let mut to_white = to_black;
    line.iter().for_each(|cell| to_white.play(Point::new((cell % 9) as u8, (cell / 9) as u8)));
    refused(&to_white, Player::First, THREATS, vec![]);
    not_shown(&to_white, Player::First, THREATS, vec![1]);
    let mut one_left = to_white;
    one_left.play(Point::new(4, 0));
    accepted(&one_left, Player::First, THREATS, vec![]);
    // A zone must hold the line and its stops.
    let complete = turn(&[at(7, 4)], &[]);
    let zone = |points: &[u64]| [&[points.len() as u64][..], points, &complete].concat();
    let mut replies = one_left.moves();
    let certificate = Certificate::new(ZONE, zone(&[at(7, 4)]));
    ThreatsCertifier.answers(&one_left, Player::First, &certificate, &mut replies).expect("a zone");
    assert_eq!(replies.len(), 1, "all replies but the zone are answered");
    for points in [&[][..], &[at(1, 4)], &[100]] {
        let certificate = Certificate::new(ZONE, zone(points));
        assert!(ThreatsCertifier.answers(&one_left, Player::First, &certificate, &mut one_left.moves()).is_err());
    }
    refused(&one_left, Player::Second, ZONE, zone(&[at(7, 4)]));
}

#[test]
fn false_connections_of_hex_are_refused() {
    // A stone in the middle of 3×3 is joined to both edges by bridges.
    let mut hex = Hex::new(3, SwapRule::Off).expect("a board");
    hex.play(hex.stone_on(1, 1).expect("a cell"));
    let bridge = |edge: u64, one: u64, two: u64, from: u64| -> Vec<u64> {
        // Touch, and, twice; then or. Connections are numbered from `from`.
        let half = |cell: u64, from: u64| vec![0, 4, cell, 0, cell, edge, 1, from, from + 1];
        [half(one, from), half(two, from + 3), vec![2, 2, from + 2, from + 5]].concat()
    };
    let whole = |top: [u64; 2], bottom: [u64; 2]| {
        [bridge(9, top[0], top[1], 0), bridge(10, bottom[0], bottom[1], 7), vec![1, 6, 13]].concat()
    };
    accepted(&hex, Player::First, VIRTUAL_CONNECTION, whole([1, 2], [6, 7]));
    let good = whole([1, 2], [6, 7]);
    // One cell twice, a cell that does not touch, a single half, no connection of the edges.
    for data in [
        whole([1, 1], [6, 7]),
        whole([0, 2], [6, 7]),
        good[..good.len() - 3].to_vec(),
        [&good[..good.len() - 3], &[1, 6, 12]].concat(),
        [&good[..], &[7]].concat(),
        [&[3, 0][..], &good].concat(),
        [&[4, 0, 1][..], &good].concat(),
        good[1..].to_vec(),
        vec![],
    ] {
        let claim = only(&hex, Player::First, &Certificate::new(VIRTUAL_CONNECTION, data.clone()));
        let checked = check_with(&hex, &claim, Some(&ConnectionCertifier), &mut Budget::unlimited().meter());
        assert!(checked.is_err(), "{data:?}");
    }
    refused(&hex, Player::Second, VIRTUAL_CONNECTION, good.clone());
    // After a stone in a bridge the other cell holds it: the old certificate is not true any more.
    hex.play(hex.stone_on(1, 0).expect("a cell"));
    hex.play(hex.stone_on(0, 1).expect("a cell"));
    let claim = only(&hex, Player::First, &Certificate::new(VIRTUAL_CONNECTION, good));
    assert!(check_with(&hex, &claim, Some(&ConnectionCertifier), &mut Budget::unlimited().meter()).is_err());
}

#[test]
fn false_life_and_death_is_refused() {
    let read = |text: &str| GoProblem::new(text.parse().expect("a problem")).expect("a problem");
    let white = |row: &str| {
        read(&format!("kind: kill\nboard:\n{row}\no o o o o X\nX X X X X X\n. . . . . .\n. . . . . .\n. . . . . ."))
    };
    // Three in a row: the attacker takes the middle; four in a row live, but not unconditionally.
    accepted(&white("+ + + o o X"), Player::First, STATIC_DEATH, vec![]);
    not_shown(&white("+ + + o o X"), Player::First, STATIC_DEATH, vec![0]);
    refused(&white("+ + + o o X"), Player::Second, STATIC_DEATH, vec![]);
    refused(&white("+ + + o o X"), Player::Second, UNCONDITIONAL_LIFE, vec![]);
    refused(&white("+ + + + o X"), Player::First, STATIC_DEATH, vec![]);
    not_shown(&white("+ + + + o X"), Player::Second, UNCONDITIONAL_LIFE, vec![]);
    accepted(&white("+ + o + o X"), Player::Second, UNCONDITIONAL_LIFE, vec![]);
    refused(&white("+ + o + o X"), Player::First, STATIC_DEATH, vec![]);
    refused(&white("+ + o + o X"), Player::First, UNCONDITIONAL_LIFE, vec![]);
}

/// Made-up lines on crowded boards: what the checker accepts is true by the rules.
#[test]
fn made_up_lines_of_fours_show_nothing_false() {
    let mut rng = Rng::new(Seed(5));
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..4_000_u32 {
        let size = 5 + (number % 3) as usize;
        let rule = Rule::ALL[rng.below(3) as usize];
        let mut stones = Vec::new();
        for row in 0..size {
            for column in 0..size {
                if rng.below(100) < 74 {
                    stones.push((Point::new(column as u8, row as u8), Player::BOTH[rng.below(2) as usize]));
                }
            }
        }
        let claimant = Player::BOTH[rng.below(2) as usize];
        let turn = if rng.below(3) == 0 { claimant.other() } else { claimant };
        let position = Gomoku::set_up(size, rule, stones, turn).expect("a position");
        if position.outcome().is_some() {
            continue;
        }
        let moves = position.moves();
        for _ in 0..24 {
            let length = [0, 1, 1, 3, 3, 5][rng.below(6) as usize];
            let data = (0..length).map(|_| position.move_index(moves[rng.below(moves.len() as u32) as usize]) as u64);
            let certificate = Certificate::new(LINE_OF_FOURS, data.collect());
            let answered: Vec<Gomoku> = if turn == claimant {
                let holds = FoursCertifier.wins(&position, claimant, &certificate).is_ok();
                if holds { vec![position] } else { Vec::new() }
            } else {
                let mut open = moves.clone();
                FoursCertifier.answers(&position, claimant, &certificate, &mut open).expect("points of the board");
                let answered = moves.iter().filter(|mv| !open.contains(mv));
                answered
                    .map(|mv| {
                        let mut after = position;
                        after.play(*mv);
                        after
                    })
                    .collect()
            };
            refused += u32::from(answered.is_empty());
            for position in answered {
                accepted += u32::from(wins_by_rules(&position, claimant).expect("a crowded board"));
                assert_ne!(wins_by_rules(&position, claimant), Some(false), "{certificate:?} {position:?}");
            }
        }
    }
    assert!(accepted > 500 && refused > 10_000, "{accepted} accepted, {refused} refused");
}

/// The same for Connect6: counted threats, and made-up lines and zones.
#[test]
fn made_up_threats_of_connect6_show_nothing_false() {
    let mut rng = Rng::new(Seed(6));
    let mut accepted = [0_u32; 3];
    for _ in 0..12_000 {
        let mut position = Connect6::new(6).expect("a board");
        for _ in 0..27 + rng.below(5) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let claimant = Player::BOTH[rng.below(2) as usize];
        let moves = position.moves();
        let list = |rng: &mut Rng, most: u32| -> Vec<u64> {
            let count = rng.below(most + 1);
            let mut any = || position.move_index(moves[rng.below(moves.len() as u32) as usize]) as u64;
            std::iter::once(u64::from(count)).chain((0..count).map(|_| any()).collect::<Vec<_>>()).collect()
        };
        for _ in 0..10 {
            let line = [list(&mut rng, 2), list(&mut rng, 2)].concat();
            let (kind, data) = match (position.turn() == claimant, rng.below(2)) {
                (true, _) => (0, Certificate::new(DOUBLE_THREATS, line)),
                (false, 0) => (1, Certificate::new(THREATS, Vec::new())),
                (false, _) => (2, Certificate::new(ZONE, [list(&mut rng, 5), line].concat())),
            };
            if kind == 0 {
                if ThreatsCertifier.wins(&position, claimant, &data).is_ok() {
                    accepted[0] += 1;
                    assert_ne!(wins_by_rules(&position, claimant), Some(false), "{data:?} {position:?}");
                }
                continue;
            }
            let mut open = moves.clone();
            // With two stones left a zone speaks of both stones together.
            if kind == 2 && position.stones_left() == 2
                || ThreatsCertifier.answers(&position, claimant, &data, &mut open).is_err()
            {
                continue;
            }
            for mv in moves.iter().filter(|mv| !open.contains(mv)) {
                let mut after = position;
                after.play(*mv);
                accepted[kind] += 1;
                if after.outcome().is_none() {
                    assert_ne!(wins_by_rules(&after, claimant), Some(false), "{data:?} {position:?}");
                }
            }
        }
    }
    assert!(accepted.iter().all(|count| *count > 20), "{accepted:?}");
}

/// The certificate of every game: false threats are refused by the checker, and by the rules where
/// nothing else wins.
#[test]
fn false_wins_at_once_are_refused() {
    let position = TicTacToe::from_text("XX.OO....").expect("a position");
    let number = |index: u64| Certificate::new(WINS_AT_ONCE, vec![1, index]);
    let judge = |certificate: &Certificate| {
        check(&position, &only(&position, Player::First, certificate), &mut Budget::unlimited().meter()).is_ok()
    };
    let winning: Vec<u64> = (0..12).filter(|index| judge(&number(*index))).collect();
    assert_eq!(winning.len(), 1, "{winning:?}");
    // The threat is false, the claim is true all the same: the rules say so without it.
    let wrong = number((winning[0] + 1) % 9);
    assert!(!judge(&wrong));
    assert!(by_rules(&position, &only(&position, Player::First, &wrong), 10_000).is_ok());
    assert!(by_rules(&position, &only(&position, Player::Second, &wrong), 10_000).is_err());
}

fn problem_files(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/problems").join(folder);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("problems").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// The certificates of a shipped problem hold for the checker and, where the expansion ends, by the
/// rules. Returns whether it ended.
fn agrees<P: Studied>(position: &P, certificate: &Certificate) -> bool {
    let claim = only(position, position.turn(), certificate);
    check_with(position, &claim, position.certifier().as_deref(), &mut Budget::unlimited().meter())
        .unwrap_or_else(|error| panic!("{error} {position:?}"));
    let expanded = by_rules(position, &claim, 300_000).unwrap_or_else(|error| panic!("{error} {position:?}"));
    expanded.unexpanded == 0
}

/// Every shipped Gomoku problem that is won by continuous fours, or at once.
#[test]
fn shipped_gomoku_problems_agree() {
    let (mut certified, mut expanded) = (0, 0);
    for line in problem_files("gomoku").iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, size, rows] = fields[..] else { panic!("{line}") };
        let size = size.parse().expect("a size");
        let board = Gomoku::new(size, Rule::Freestyle).expect("a board");
        let position = board.with_text(&rows.replace('/', "")).expect("a position");
        let mut threats = ContinuousThreats::new(VctLimits::default());
        if let Some(certificate) = threats.certificate(&position, position.turn(), &mut Vec::new()) {
            certified += 1;
            expanded += u32::from(agrees(&position, &certificate));
        }
    }
    assert!(certified >= 80 && expanded * 10 >= certified * 9, "{expanded} of {certified} expanded");
}

/// Every shipped Connect6 problem whose first position has a line of double threats.
#[test]
fn shipped_connect6_problems_agree() {
    let (mut certified, mut expanded) = (0, 0);
    for text in problem_files("connect6") {
        let position = Connect6Problem::from_text(&text).expect("a problem").position;
        let mut threats = SingleThreats::new(VcstLimits::default());
        if let Some(certificate) = threats.certificate(&position, position.turn(), &mut Vec::new()) {
            certified += 1;
            expanded += u32::from(agrees(&position, &certificate));
        }
    }
    // Two free stones of the opponent on 19×19 are too many for an expansion.
    assert!(certified >= 15, "{expanded} of {certified} expanded");
}
