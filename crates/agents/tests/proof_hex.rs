//! df-pn with knowledge of Hex: virtual connections, must-play regions, and the proofs that carry
//! them.

use serde_json::Value as Json;
use std::io::Write;
use tesuji_core::solver::Settings;
use tesuji_core::{
    Aim, Budget, Certificate, Goal, NoObserver, Notation, Player, Position, Report, Rng, Score, Seed, Studied,
};
use tesuji_games::hex::knowledge::Knowledge;
use tesuji_games::hex::{Hex, Move, SwapRule};
use tesuji_proof::{Checked, Claim, ProofError, check_with};
use tesuji_search::Search;
use tesuji_search::proof::{Advised, DfPn};
use tesuji_testing::vendored;

fn checked(root: &Hex, claim: &Claim) -> Result<Checked, ProofError> {
    check_with(root, claim, root.certifier().as_deref(), &mut Budget::unlimited().meter())
}

/// Solves; answers the report and the proof, which is checked.
fn solve(root: &Hex) -> (Report<Move>, Claim) {
    let mut search =
        Advised::new(Settings { focus: 0.25, weak: true, ..Settings::default() }, Box::new(Knowledge::default()));
    let report = search.search(root, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    let claims = search.proof(root, &Budget::unlimited()).expect("solved");
    assert_eq!(claims.len(), 1, "one claim says all: {:?}", report.bounds);
    assert_eq!(report.bounds.proved().and_then(Score::winner), Some(claims[0].aim.player));
    checked(root, &claims[0]).unwrap_or_else(|error| panic!("{root:?}: {error}"));
    (report, claims[0].clone())
}

fn winner(report: &Report<Move>) -> Option<Player> {
    report.bounds.proved().and_then(Score::winner)
}

/// Plays random moves.
fn random(size: u32, plies: u32, seed: u64) -> Option<Hex> {
    let mut rng = Rng::new(Seed(seed));
    let mut position = Hex::new(size, SwapRule::Off).expect("a board");
    for _ in 0..plies {
        position.play(position.random_move(&mut rng)?);
    }
    position.outcome().is_none().then_some(position)
}

/// Who wins, by search without knowledge.
fn plainly(position: &Hex) -> Option<Player> {
    if let Some(outcome) = position.outcome() {
        return outcome.winner();
    }
    let mut search = DfPn::new(Settings::default(), Goal::default());
    winner(&search.search(position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live"))
}

/// What is known without playing is true, and the moves that are looked at suffice.
#[test]
fn knowledge_against_full_search() {
    let mut knowledge = Knowledge::default();
    let (mut settled, mut left_out) = (0, 0);
    for seed in 0..400 {
        let (size, plies) =
            [(3, seed as u32 / 4 % 5), (4, 2 + seed as u32 / 4 % 5), (5, 9 + seed as u32 / 4 % 4)][seed as usize % 3];
        let Some(position) = random(size, plies, seed) else { continue };
        let truth = plainly(&position);
        let mut moves = Vec::new();
        match knowledge.study(&position, &mut moves) {
            Some(winner) => {
                assert_eq!(Some(winner), truth, "{position:?}");
                settled += 1;
            }
            None => {
                assert!(!moves.is_empty(), "{position:?}");
                left_out += position.move_count() - moves.len();
                let wins = |mv: &Move| {
                    let mut after = position;
                    after.play(*mv);
                    plainly(&after) == truth
                };
                assert!(truth != Some(position.turn()) || moves.iter().any(wins), "{position:?} {moves:?}");
            }
        }
    }
    assert!(settled > 100 && left_out > 30, "{settled} settled, {left_out} left out");
}

/// Winner and a listed winning move, of positions solved by another program.
#[test]
fn random_positions() {
    let text = vendored("hex/random_positions.jsonl");
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).expect("JSON");
        let texts = |name: &str| -> Vec<String> {
            let list = entry[name].as_array().expect("a list");
            list.iter().map(|text| text.as_str().expect("text").to_string()).collect()
        };
        let mut position = Hex::new(entry["size"].as_u64().expect("a size") as u32, SwapRule::Off).expect("a board");
        for mv in texts("moves") {
            position.play(position.read_move(&mv).expect("legal"));
        }
        let known = if entry["winner"] == "black" { Player::First } else { Player::Second };
        let (report, _) = solve(&position);
        assert_eq!(winner(&report), Some(known), "{line}");
        if position.turn() == known {
            let best = position.show_move(report.best.expect("live"));
            assert!(texts("winning_moves").contains(&best), "{best} of {line}");
        }
    }
}

/// All openings, with proofs.
#[test]
fn openings_of_small_boards() {
    let text = vendored("hex/openings_2x2_to_6x6.json");
    let known: Json = serde_json::from_str(&text).expect("JSON");
    for size in 2..=6 {
        let start = Hex::new(size, SwapRule::Off).expect("a board");
        for mv in start.moves() {
            let (column, row) = start.place(mv).expect("a stone");
            let letter =
                known["openings"][size.to_string()][row as usize].as_str().expect("a row").as_bytes()[column as usize];
            let mut next = start;
            next.play(mv);
            let expected = if letter == b'B' { Player::First } else { Player::Second };
            assert_eq!(winner(&solve(&next).0), Some(expected), "{size}×{size} {}", start.show_move(mv));
        }
    }
}

/// No altered proof with connections proves a false claim.
#[test]
fn altered_connections_do_not_prove_what_is_false() {
    let mut altered = 0_u64;
    for seed in 0..12 {
        let Some(position) = random(4, 2 + seed as u32 % 4, seed) else { continue };
        let (_, claim) = solve(&position);
        let loser = Aim { player: claim.aim.player.other(), ..claim.aim };
        for place in 0..claim.tokens.len() {
            for byte in (0..20).chain([0x80]) {
                let mut tokens = claim.tokens.clone();
                tokens[place] = byte;
                assert!(checked(&position, &Claim { aim: loser, tokens, offset: 0 }).is_err(), "{position:?}");
                altered += 1;
            }
        }
    }
    assert!(altered > 10_000, "{altered}");
}

/// A connection whose steps do not follow from the board is refused, with the reason.
#[test]
fn false_connections_are_refused() {
    // Black's centre stone on 3×3 has bridges to both edges: cells 1 2 above (b1, c1) and 6 7 below
    // (a3, b3).
    let mut position = Hex::new(3, SwapRule::Off).expect("a board");
    position.play(position.read_move("b2").expect("legal"));
    let certifier = position.certifier().expect("Hex has one");
    let judge = |data: &[u64]| {
        let mut replies = position.moves();
        let certificate = Certificate::new("virtual connection", data.to_vec());
        certifier.answers(&position, Player::First, &certificate, &mut replies).map(|()| replies.len())
    };
    let (top, bottom) = (9, 10);
    let above = [0, 1, top, 0, 1, 4, 1, 0, 1, 0, 2, top, 0, 2, 4, 1, 3, 4, 2, 2, 2, 5];
    let below = [0, 6, bottom, 0, 6, 4, 1, 7, 8, 0, 7, bottom, 0, 7, 4, 1, 10, 11, 2, 2, 9, 12];
    let whole: Vec<u64> = above.into_iter().chain(below).chain([1, 6, 13]).collect();
    assert_eq!(judge(&whole), Ok(0), "the centre wins");
    let mut differences = Vec::new();
    for (data, part) in [
        (vec![], "shows nothing"),
        (above.to_vec(), "shows nothing"),
        (vec![0, 1, bottom], "do not touch"),
        (vec![0, 0, 4], "do not touch"),
        (vec![0, 1, 99], "99 is no point"),
        (vec![0, 1], "cut off"),
        (vec![7], "no step 7"),
        (vec![1, 0, 0], "not derived yet"),
        (vec![0, 1, top, 0, 1, 4, 1, 0, 1, 2, 1, 2], "one stone breaks all"),
        (vec![0, 1, top, 0, 6, bottom, 1, 0, 1], "do not meet"),
        ([&whole[..6], &[1, 0, 1, 1, 2, 0][..]].concat(), "takes full connections"),
        (vec![3, 0], "not dead"),
        (vec![3, 9], "not an empty cell"),
        (vec![4, 0, 1], "not dead or captured"),
        (vec![4, 1, 1], "not dead or captured"),
        (vec![4, 1, u64::MAX], "not an empty cell"),
        (vec![5, 1, 2], "not dead or captured"),
        (vec![4, 1, 2, 4, 2, 1], "not an empty cell"),
        (vec![4, 1, 2, 3, 1], "not an empty cell"),
        (vec![4, 1], "cut off"),
        (vec![0, 1, top, 4, 1, 2], "fill-in comes first"),
        (vec![6, 8, 0, 8], "not dominated"),
        (vec![6, 8, 8, 8], "not dominated"),
        (vec![4, 1, 2, 6, 1, 0, 1], "not an empty cell"),
    ] {
        match judge(&data) {
            Err(error) if error.contains(part) => {}
            other => differences.push(format!("{data:?}: {other:?}, not {part}")),
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    // The centre has captured what is above and below it, so the board is decided.
    assert_eq!(judge(&[4, 1, 2, 4, 6, 7, 0, top, bottom]), Ok(0));
    assert_eq!(judge(&[4, 1, 2, 4, 6, 7]), Ok(8), "nothing is listed, so the filled cells stay open");
    // Half connections: replies inside their carriers stay open.
    let mut whole = whole;
    let half = whole.len() - 3;
    whole.truncate(half);
    whole.truncate(above.len());
    whole.extend([0, 6, bottom, 0, 6, 4, 1, 7, 8, 1, 6, 9]);
    assert!(judge(&whole).is_err(), "and takes full connections only");
    // White has no such stones.
    let mut replies = position.moves();
    let certificate = Certificate::new("virtual connection", vec![0, 4, 9]);
    let wrong = certifier.answers(&position, Player::Second, &certificate, &mut replies);
    assert!(wrong.is_err_and(|error| error.contains("is the opponent's")));
    // Before a swap nothing is known.
    let mut swappable = Hex::new(3, SwapRule::Pieces).expect("a board");
    swappable.play(swappable.read_move("b2").expect("legal"));
    let mut replies = swappable.moves();
    assert!(certifier.answers(&swappable, Player::First, &certificate, &mut replies).is_err());
}

/// With the swap rule the second player wins 3×3 to 5×5, and the proof holds.
#[test]
fn with_swap() {
    for size in 3..=5 {
        let start = Hex::new(size, SwapRule::Pieces).expect("a board");
        assert_eq!(winner(&solve(&start).0), Some(Player::Second));
    }
}

/// A move that is said to lose for the same reason as another loses, and carriers say the truth.
#[test]
fn what_else_loses_does() {
    let (mut pruned, mut kept) = (0, 0);
    for seed in 0..60 {
        let (size, plies) = [(4, 1 + seed as u32 / 2 % 5), (5, 8 + seed as u32 / 2 % 4)][seed as usize % 2];
        let Some(position) = random(size, plies, seed) else { continue };
        let mut knowledge = Knowledge::default();
        let moves = position.moves();
        let mut lost = Vec::new();
        for mv in &moves {
            let mut next = position;
            next.play(*mv);
            if next.outcome().is_none() && learned(&mut knowledge, &next) == next.turn() {
                lost.push(*mv);
            }
        }
        for one in &lost {
            for other in moves.iter().filter(|other| *other != one) {
                if knowledge.also_lost(&position, *one, *other) {
                    assert!(lost.contains(other), "{position:?}: {one:?} and {other:?}");
                    pruned += 1;
                } else {
                    kept += 1;
                }
            }
        }
    }
    assert!(pruned > 300 && kept > 300, "{pruned} {kept}");
}

/// Who wins, by plain recursion that tells the knowledge what it finds.
fn learned(knowledge: &mut Knowledge, position: &Hex) -> Player {
    if let Some(winner) = position.outcome().and_then(|outcome| outcome.winner()) {
        return winner;
    }
    let mut moves = Vec::new();
    if let Some(winner) = knowledge.study(position, &mut moves) {
        return winner;
    }
    for mv in &moves {
        let mut next = *position;
        next.play(*mv);
        if learned(knowledge, &next) == position.turn() {
            knowledge.learn(position, position.turn(), Some(*mv), moves.iter().copied());
            return position.turn();
        }
    }
    knowledge.learn(position, position.turn().other(), None, moves.iter().copied());
    position.turn().other()
}

/// Empty boards, with their proofs. The figures are printed for notes.
#[test]
fn empty_boards() {
    for size in 2..=7 {
        let started = std::time::Instant::now();
        let (report, claim) = solve(&Hex::new(size, SwapRule::Off).expect("a board"));
        assert_eq!(winner(&report), Some(Player::First));
        let (all, bytes) = (started.elapsed(), claim.tokens.len());
        let _ = writeln!(
            std::io::stderr(),
            "{size}×{size}: {} nodes, {:?}; with the proof ({bytes} bytes) {all:?}",
            report.nodes,
            report.elapsed
        );
    }
}
