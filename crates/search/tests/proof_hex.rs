//! df-pn with knowledge of Hex: virtual connections, must-play regions, and the proofs that carry them.

use serde_json::Value as Json;
use std::io::Write;
use tesuji_core::{Budget, Certificate, Nobody, Notation, Player, Position, Report, Rng, Score, Seed, Studied};
use tesuji_games::hex::knowledge::Knowledge;
use tesuji_games::hex::{Hex, Move, SwapRule};
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::{Advice, Advised, Adviser, Aim, Checked, Claim, ProofError, Settings, check_with};

#[derive(Default)]
struct Connecting(Knowledge);

impl Adviser<Hex> for Connecting {
    fn leaves_out(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &Hex, _: Aim, advice: &mut Advice<Move>) {
        advice.winner = self.0.study(position, &mut advice.moves);
    }

    fn certify(&mut self, position: &Hex, claimant: Player, listed: &mut Vec<Move>) -> Option<Certificate> {
        self.0.certificate(position, claimant, listed)
    }
}

fn data(name: &str) -> Option<String> {
    let path = format!("{}/../../../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no data file {path}");
    }
    text
}

fn checked(root: &Hex, claim: &Claim) -> Result<Checked, ProofError> {
    check_with(root, claim, root.certifier().as_deref(), &mut Budget::unlimited().meter())
}

/// Solves; answers the report and the proof, which is checked.
fn solve(root: &Hex) -> (Report<Move>, Claim) {
    let mut search = Advised::new(Settings::default(), Box::new(Connecting::default()));
    let report = search.search(root, &Budget::unlimited(), Seed(1), &mut Nobody).expect("live");
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

/// What is known without playing is true, and the moves that are looked at suffice.
#[test]
fn knowledge_against_the_oracle() {
    let mut knowledge = Knowledge::default();
    let (mut settled, mut left_out) = (0, 0);
    for seed in 0..600 {
        let (size, plies) = if seed % 4 == 0 { (3, seed as u32 / 4 % 6) } else { (4, 3 + seed as u32 / 4 % 5) };
        let Some(position) = random(size, plies, seed) else { continue };
        let mut oracle = Oracle::default();
        let truth = oracle.truth(&position).expect("small").outcome.winner();
        let mut moves = Vec::new();
        match knowledge.study(&position, &mut moves) {
            Some(winner) => {
                assert_eq!(Some(winner), truth, "{position:?}");
                settled += 1;
            }
            None => {
                assert!(!moves.is_empty(), "{position:?}");
                left_out += position.move_count() - moves.len();
                if truth == Some(position.turn()) {
                    let optimal = oracle.optimal_moves(&position).expect("small");
                    assert!(moves.iter().any(|mv| optimal.contains(mv)), "{position:?} {moves:?}");
                }
            }
        }
    }
    assert!(settled > 100 && left_out > 100, "{settled} settled, {left_out} left out");
}

/// Winner and a listed winning move, of positions solved by another program.
#[test]
fn random_positions() {
    let Some(text) = data("hex/random_positions.jsonl") else { return };
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

/// All openings of a board, with proofs; answers nodes.
fn openings(size: u32) -> u64 {
    let Some(text) = data("hex/openings_2x2_to_6x6.json") else { return 0 };
    let known: Json = serde_json::from_str(&text).expect("JSON");
    let start = Hex::new(size, SwapRule::Off).expect("a board");
    let mut nodes = 0;
    for mv in start.moves() {
        let (column, row) = start.place(mv).expect("a stone");
        let letter =
            known["openings"][size.to_string()][row as usize].as_str().expect("a row").as_bytes()[column as usize];
        let mut next = start;
        next.play(mv);
        let (report, _) = solve(&next);
        nodes += report.nodes;
        let expected = if letter == b'B' { Player::First } else { Player::Second };
        assert_eq!(winner(&report), Some(expected), "{size}×{size} {}", start.show_move(mv));
    }
    nodes
}

#[test]
fn all_openings_of_small_boards() {
    (2..=5).for_each(|size| {
        openings(size);
    });
}

#[test]
fn all_openings_of_six() {
    println!("6: {}", openings(6));
}
