//! df-pn with knowledge of Connect6: victories by continuous double threats.

use serde_json::Value as Json;
use std::io::Write;
use tesuji_core::{Budget, Certificate, Nobody, Notation, Player, Position, Seed};
use tesuji_games::connect6::{Connect6, DoubleThreats, Point, ThreatsCertifier};
use tesuji_search::Search;
use tesuji_search::proof::{Advice, Advised, Adviser, Aim, Settings, check_with};

struct Vcdt(DoubleThreats, u32);

impl Adviser<Connect6> for Vcdt {
    fn leaves_out(&self) -> bool {
        true
    }

    fn advise(&mut self, position: &Connect6, aim: Aim, advice: &mut Advice<Point>) {
        let winner = self.0.advise(position, aim.player, &mut advice.moves);
        self.1 += 1;
        // The root's move is wanted.
        advice.winner = winner.filter(|_| self.1 > 1);
    }

    fn certify(&mut self, position: &Connect6, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
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

fn solve(position: &Connect6, settings: Settings, nodes: u64) -> Option<(u64, u64)> {
    let mut search = Advised::new(settings, Box::new(Vcdt(DoubleThreats::new(0), 0)));
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut Nobody).expect("live");
    let (sure, _) = report.bounds.for_player(position.turn());
    if sure.units() < 60_000 {
        return None;
    }
    let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
    let checked = check_with(position, &claims[0], Some(&ThreatsCertifier), &mut Budget::unlimited().meter());
    Some((report.nodes, checked.expect("the proof holds").positions))
}

/// All positions in which another program won by double threats, with proofs that hold.
#[test]
fn known_wins() {
    let Some(text) = data("connect6/vcdt_wins.jsonl") else { return };
    let mut unsolved = Vec::new();
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).expect("JSON");
        let mut position = Connect6::new(19).expect("a board");
        for turn in entry["moves"].as_array().expect("turns") {
            for stone in &turn.as_array().expect("stones")[1..] {
                position.play(position.read_move(stone.as_str().expect("text")).expect("legal"));
            }
        }
        let started = std::time::Instant::now();
        let found = solve(&position, Settings::default(), 300_000);
        let _ = writeln!(std::io::stderr(), "{} {found:?} {:?}", entry["id"], started.elapsed());
        if found.is_none() {
            unsolved.push(entry["id"].clone());
        }
    }
    assert!(unsolved.is_empty(), "{unsolved:?}");
}
