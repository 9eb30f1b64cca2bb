//! Proofs of every solver pass the checker; what is altered does not.

use tesuji_core::solver::Settings;
use tesuji_core::{Aim, Budget, Goal, Measure, NoObserver, Position, Rng, Score, Seed, Studied};
use tesuji_games::goproblem::{GoProblem, Problem};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_proof::{Checked, Claim, Proof, ProofError, check};
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::{DeepDfPn, DeepPn, DfPn, Mcpn, Order, Pn, Ppn, Ties};

fn solvers<P: Studied>(goal: Goal) -> Vec<(&'static str, Box<dyn Search<P>>)> {
    let plain = Settings::default();
    vec![
        ("pn", Box::new(Pn::new(Ties::Leftmost, goal))),
        ("pn, deepest", Box::new(Pn::new(Ties::Deepest, goal))),
        ("pn, shuffled", Box::new(Pn::new(Ties::Leftmost, goal).ordered(Order::Shuffled))),
        ("deep-pn", Box::new(DeepPn::new(0.6, goal))),
        ("mcpn", Box::new(Mcpn::new(3, 0.01, goal))),
        ("ppn", Box::new(Ppn::new(3, 0.01, goal))),
        ("df-pn", Box::new(DfPn::new(plain, goal))),
        ("df-pn, 1+ε", Box::new(DfPn::new(Settings { epsilon: 0.5, ..plain }, goal))),
        ("deep-df-pn", Box::new(DeepDfPn::new(Settings { e: 3.0, d: 5, ..plain }, goal))),
    ]
}

fn checked<P: Position>(root: &P, claim: &Claim) -> Result<Checked, ProofError> {
    check(root, claim, &mut Budget::unlimited().meter())
}

/// Solves, proves and checks; answers the claims. Together they must say the exact value, through a
/// file as well.
fn prove<P: Studied>(search: &mut dyn Search<P>, root: &P, budget: &Budget, name: &str) -> Vec<Claim> {
    let report = search.search(root, budget, Seed(1), &mut NoObserver).expect("live");
    let value = report.bounds.proved().unwrap_or_else(|| panic!("{name} is small"));
    let claims = search.proof(root, &Budget::unlimited()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (mut lowest, mut highest) = (0, Score::UNITS as i32);
    for claim in &claims {
        checked(root, claim).unwrap_or_else(|error| panic!("{name}: {error}"));
        match claim.aim.player {
            tesuji_core::Player::First => lowest = claim.aim.least,
            tesuji_core::Player::Second => highest = Score::UNITS as i32 - claim.aim.least,
        }
        // One step more is not true, so it has no proof.
        let more = Claim { aim: Aim { least: claim.aim.least + 1, ..claim.aim }, ..claim.clone() };
        assert!(checked(root, &more).is_err(), "{name}");
    }
    assert_eq!((lowest, highest), (value.units() as i32, value.units() as i32), "{name}: the claims meet at the value");
    let proof = Proof { game: "some game".into(), moves: vec!["some move".into()], claims: claims.clone() };
    let read = Proof::from_bytes(&proof.to_bytes()).expect("just written");
    for (one, other) in read.claims.iter().zip(&claims) {
        assert_eq!((one.aim, &one.tokens), (other.aim, &other.tokens));
    }
    claims
}

fn all<P: Studied>(root: &P, name: &str) {
    for (solver, mut search) in solvers::<P>(Goal::default()) {
        prove(search.as_mut(), root, &Budget::unlimited(), &format!("{solver} on {name}"));
    }
}

fn random_tree(seed: u64) -> Tree {
    let mut rng = Rng::new(Seed(seed));
    let alternate = rng.below(2) == 0;
    Tree::random(
        RandomTree { depth: 1 + rng.below(7), branching: 1 + rng.below(4), grades: 2 + rng.below(4), alternate },
        &mut rng,
    )
}

#[test]
fn proofs_of_random_trees_hold() {
    for seed in 0..2_000 {
        let tree = random_tree(seed);
        if tree.outcome().is_none() {
            all(&tree, &format!("seed {seed}"));
        }
    }
}

#[test]
fn proofs_of_games_hold() {
    let mut rng = Rng::new(Seed(3));
    for _ in 0..60 {
        let mut position = TicTacToe::default();
        for _ in 0..rng.below(5) {
            position.play(position.random_move(&mut rng).expect("live"));
        }
        all(&position, &format!("{position:?}"));
    }
    for seed in 0..5 {
        all(&PGame::new(2, 12, seed).expect("a tree"), "a P-game");
        all(
            &Othello::new(8, Empties::None).expect("a board").after_random_plies(54, seed).expect("goes on"),
            "Othello",
        );
    }
    all(&Hex::new(3, SwapRule::Pieces).expect("a board"), "Hex 3×3 with swap");
    let df_pn = &mut DfPn::new(Settings::default(), Goal::default());
    prove(df_pn, &Hex::new(4, SwapRule::Off).expect("a board"), &Budget::unlimited(), "Hex 4×4");
    prove(df_pn, &Othello::new(4, Empties::None).expect("a board"), &Budget::unlimited(), "Othello 4×4");
}

/// Where the table has lost the way, it is found again.
#[test]
fn proofs_survive_a_small_table() {
    let end = Othello::new(8, Empties::None).expect("a board").after_random_plies(52, 2).expect("it goes on");
    let budget = Budget { memory: Some(4_096), ..Budget::default() };
    prove(&mut DfPn::new(Settings::default(), Goal::default()), &end, &budget, "a table of 4 KB");
}

#[test]
fn proofs_of_go_problems_hold() {
    for name in ["lin-multi", "lin-simple-1", "lin-trap-3", "kill-straight-three", "save-01", "race-01"] {
        let path = format!("{}/../games/problems/go/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let start = GoProblem::new(Problem::from_bytes(&std::fs::read(&path).expect("a file")).expect("a problem"))
            .expect("a problem");
        prove(&mut DfPn::new(Settings::default(), Goal::default()), &start, &Budget::unlimited(), name);
    }
}

/// Equal positions are written once.
#[test]
fn shared_positions_are_referred_to() {
    let hex = Hex::new(4, SwapRule::Off).expect("a board");
    let claims = prove(&mut DfPn::new(Settings::default(), Goal::default()), &hex, &Budget::unlimited(), "Hex 4×4");
    let found = checked(&hex, &claims[0]).expect("it holds");
    assert!(found.references > 0, "{found:?}");
    assert!((claims[0].tokens.len() as u64) < 3 * found.positions, "compact: {found:?}");
}

/// A false claim has no proof, whatever byte of a proof of a true one is changed.
#[test]
fn no_altered_proof_proves_a_false_claim() {
    let mut altered = 0_u64;
    for seed in 0..300 {
        let tree = random_tree(seed);
        if tree.outcome().is_some() {
            continue;
        }
        let truth = Oracle::default().truth(&tree).expect("small").outcome.score;
        let mut search = DfPn::new(Settings::default(), Goal::default());
        for claim in prove(&mut search, &tree, &Budget::unlimited(), "a tree") {
            let aim = Aim { least: claim.aim.least + 1, ..claim.aim };
            assert!((truth.for_player(aim.player).units() as i32) < aim.least, "false indeed");
            for place in 0..claim.tokens.len() {
                for byte in 0..12 {
                    let mut tokens = claim.tokens.clone();
                    tokens[place] = byte;
                    assert!(checked(&tree, &Claim { aim, tokens, offset: 0 }).is_err(), "seed {seed}, byte {place}");
                    altered += 1;
                }
            }
        }
    }
    assert!(altered > 10_000);
}

/// Each rule of the checker, by hand.
#[test]
fn one_node_altered_fails_with_its_place() {
    let tree = Tree::from_text("F(S(1 F(0 1)) S(0 1))").expect("a tree");
    let aim = Aim { player: tesuji_core::Player::First, measure: Measure::Score, least: 60_000 };
    let judge = |tokens: &[u8]| checked(&tree, &Claim { aim, tokens: tokens.to_vec(), offset: 100 });
    // Play 0; two replies; the first ends; against the second play 1, which ends.
    let good = [4, 3, 2, 0, 5, 0];
    assert_eq!(judge(&good), Ok(Checked { positions: 5, ends: 2, depth: 3, ..Checked::default() }));
    for (tokens, at, part) in [
        (&[5, 3, 2, 0, 5, 0][..], 103, "ends with 0"),
        (&[4, 3, 1, 0, 5, 0], 101, "there are 2"),
        (&[4, 3, 2, 0, 4, 0], 105, "ends with 0"),
        (&[4, 3, 2, 0, 6, 0], 104, "not legal"),
        (&[4, 3, 2, 5, 5, 0], 103, "has ended"),
        (&[4, 3, 2, 0, 0], 104, "it goes on"),
        (&[4, 4, 2, 0, 5, 0], 101, "opponent is to move"),
        (&[3, 2, 4, 0, 5, 0], 100, "claimant is to move"),
        (&[4, 3, 2, 0, 5], 105, "too early"),
        (&[4, 3, 2, 0, 5, 0, 0], 106, "there is more"),
        (&[4, 3, 2, 0, 1, 0], 104, "does not exist"),
        (&[2, 4, 3, 2, 0, 1, 0], 105, "not yet proved"),
        (&[2, 2, 4, 3, 2, 0, 5, 0], 100, "two marks"),
        (&[4, 2, 3, 2, 2, 0, 1, 1], 106, "another position"),
        (&[4, 3, 0x82, 0, 0, 5, 0], 102, "not allowed"),
        (&[], 100, "too early"),
    ] {
        let error = judge(tokens).expect_err("it does not hold");
        assert!(error.problem.contains(part), "{tokens:?}: {error}");
        assert_eq!(error.at, at, "{tokens:?}: {error}");
    }
}
