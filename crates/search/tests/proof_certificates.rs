//! Certificates in proofs: what every game has, *wins at once*, against full expansion; what is
//! altered does not hold.

use tesuji_core::solver::Settings;
use tesuji_core::{
    Advice, Adviser, Aim, Budget, Certificate, Goal, Measure, NoObserver, Notation, Player, Position, Rng, Score, Seed,
    Studied, WINS_AT_ONCE,
};
use tesuji_games::connect6::Connect6;
use tesuji_games::mnk::Mnk;
use tesuji_games::tictactoe::TicTacToe;
use tesuji_proof::{Checked, Claim, Proof, ProofError, check};
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::{Advised, DfPn};

/// The moves with which the mover wins before his turn ends, if he can.
fn win_in_a_turn<P: Studied>(position: &P) -> Option<Vec<usize>> {
    let mut after = position.clone();
    let mut moves = Vec::new();
    while after.outcome().is_none() {
        let mv = after.winning_move().filter(|_| after.turn() == position.turn())?;
        moves.push(after.move_index(mv));
        after.play(mv);
    }
    Some(moves)
}

/// The threats by which `claimant` wins whatever his opponent plays before his turn ends; nothing
/// if he does not.
fn threats<P: Studied>(position: &P, claimant: Player) -> Option<Vec<Vec<usize>>> {
    if position.outcome().is_some() {
        return None;
    }
    if position.turn() == claimant {
        return win_in_a_turn(position).map(|threat| vec![threat]);
    }
    let mut all = Vec::new();
    for mv in position.moves() {
        let mut after = position.clone();
        after.play(mv);
        all.extend(threats(&after, claimant)?);
    }
    all.sort();
    all.dedup();
    Some(all)
}

/// Looks to the end of this turn and of the next one, in any game.
struct OneTurn;

impl<P: Studied> Adviser<P> for OneTurn {
    fn leaves_out(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &P, _: Aim, advice: &mut Advice<P::Move>) {
        let (mover, other) = (position.turn(), position.turn().other());
        if win_in_a_turn(position).is_some() {
            advice.winner = Some(mover);
            return;
        }
        for mv in position.moves() {
            let mut after = position.clone();
            after.play(mv);
            if threats(&after, other).is_none() {
                advice.moves.push(mv);
                advice.numbers.push([1 + after.move_index(mv) as u32 % 3, 1]);
            }
        }
        if advice.moves.is_empty() {
            advice.winner = Some(other);
        }
    }

    fn certify(&mut self, position: &P, claimant: Player, listed: &mut Vec<P::Move>) -> Option<Certificate> {
        if position.turn() == claimant {
            return win_in_a_turn(position).map(|threat| Certificate::wins_at_once(&[threat]));
        }
        let mut all: Vec<Vec<usize>> = Vec::new();
        for mv in position.moves() {
            let mut after = position.clone();
            after.play(mv);
            match threats(&after, claimant) {
                Some(threats) => all.extend(threats),
                None => listed.push(mv),
            }
        }
        all.sort();
        all.dedup();
        (!all.is_empty()).then(|| Certificate::wins_at_once(&all))
    }
}

fn checked<P: Position>(root: &P, claim: &Claim) -> Result<Checked, ProofError> {
    check(root, claim, &mut Budget::unlimited().meter())
}

/// The advised search says what the oracle says, and its proofs hold; answers how many certificates
/// they have.
fn judged<P: Studied>(root: &P) -> u64 {
    let truth = Oracle::default().truth(root).expect("small").outcome.score;
    let mut certificates = 0;
    let mut search = Advised::new(Settings::default(), Box::new(OneTurn)).with_goal(Goal::default());
    let report = search.search(root, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    assert_eq!(report.bounds.proved(), Some(truth), "{root:?}");
    let claims = search.proof(root, &Budget::unlimited()).expect("solved");
    for claim in &claims {
        let found = checked(root, claim).unwrap_or_else(|error| panic!("{root:?}: {error}"));
        certificates += found.certificates;
        // The same without certificates: full expansion. It takes at least as many positions.
        let goal = Goal::Question(claim.aim);
        let mut plain = DfPn::new(Settings::default(), goal);
        plain.search(root, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
        let full = plain.proof(root, &Budget::unlimited()).expect("solved");
        checked(root, &full[0]).expect("holds as well");
    }
    // The winning move is one.
    if truth.for_player(root.turn()) == Score::WIN {
        let mut after = root.clone();
        after.play(report.best.expect("live"));
        let value = match after.outcome() {
            Some(outcome) => outcome.score,
            None => Oracle::default().truth(&after).expect("small").outcome.score,
        };
        assert_eq!(value, truth, "{root:?}");
    }
    certificates
}

fn random<P: Position>(start: &P, plies: u32, seed: u64) -> Option<P> {
    let mut rng = Rng::new(Seed(seed));
    let mut position = start.clone();
    for _ in 0..plies {
        position.play(position.random_move(&mut rng)?);
    }
    position.outcome().is_none().then_some(position)
}

#[test]
fn wins_at_once_against_the_oracle() {
    let mut certificates = 0;
    for seed in 0..200 {
        let start = TicTacToe::default();
        certificates += random(&start, (seed % 6) as u32, seed).map_or(0, |position| judged(&position));
    }
    for seed in 0..60 {
        let start = Mnk::new(4, 4, 3).expect("a board");
        certificates += random(&start, 5 + (seed % 4) as u32, seed).map_or(0, |position| judged(&position));
    }
    assert!(certificates > 500, "{certificates}");
}

/// Two stones a turn: a reply need not be answered if no second stone helps it.
#[test]
fn wins_at_once_with_two_stones_a_turn() {
    let start = Connect6::new(6).expect("a board");
    let mut certificates = 0;
    for seed in 0..400 {
        certificates += random(&start, 28 + (seed % 3) as u32, seed).map_or(0, |position| judged(&position));
    }
    assert!(certificates > 20, "{certificates}");
}

/// A false claim has no proof, whatever byte of a proof with certificates is changed, and however.
#[test]
fn no_altered_certificate_proves_a_false_claim() {
    let mut altered = 0_u64;
    for seed in 0..40 {
        let Some(position) = random(&TicTacToe::default(), 3 + (seed % 3) as u32, seed) else { continue };
        let truth = Oracle::default().truth(&position).expect("small").outcome.score;
        let mut search = Advised::new(Settings::default(), Box::new(OneTurn)).with_goal(Goal::default());
        search.search(&position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
        for claim in search.proof(&position, &Budget::unlimited()).expect("solved") {
            for player in Player::BOTH {
                let least = truth.for_player(player).units() as i32 + 1;
                let aim = Aim { player, measure: Measure::Score, least };
                for place in 0..claim.tokens.len() {
                    for byte in 0..12 {
                        let mut tokens = claim.tokens.clone();
                        tokens[place] = byte;
                        assert!(checked(&position, &Claim { aim, tokens, offset: 0 }).is_err(), "{position:?}");
                        altered += 1;
                    }
                }
            }
        }
    }
    assert!(altered > 20_000, "{altered}");
}

/// Each rule about certificates, by hand.
#[test]
fn altered_certificates_fail_with_their_place() {
    // X takes a corner column next: a1 a2 and then a3 or, by the diagonal, c1. O to move must stop
    // both.
    let position = TicTacToe::from_text("X.OX.....").expect("a position");
    assert_eq!(position.turn(), Player::Second);
    let number = |text: &str| position.move_index(position.read_move(text).expect("legal")) as u64;
    let aim = Aim { player: Player::First, measure: Measure::Score, least: 60_000 };
    let judge = |tokens: &[u8]| {
        check(&position, &Claim { aim, tokens: tokens.to_vec(), offset: 100 }, &mut Budget::unlimited().meter())
    };
    let name = WINS_AT_ONCE.as_bytes();
    let file = |kind: &[u8], data: &[u64], listed: &[u64], rest: &[u8]| {
        let mut tokens = vec![3, 0, 0, kind.len() as u8];
        tokens.extend_from_slice(kind);
        tokens.push(data.len() as u8);
        tokens.extend(data.iter().map(|number| *number as u8));
        tokens.push(listed.len() as u8);
        tokens.extend(listed.iter().map(|number| *number as u8));
        tokens.extend_from_slice(rest);
        tokens
    };
    let third = position.moves().into_iter().find(|mv| {
        // The point that completes X's line.
        let mut after = position;
        after.play(position.moves().into_iter().find(|other| other != mv).expect("more than one"));
        after.is_legal(*mv) && {
            after.play(*mv);
            after.outcome().is_some()
        }
    });
    let third = position.show_move(third.expect("X threatens"));
    let threat = number(&third);
    // All replies but the stop are answered; the stop is not, so the proof is not complete without
    // it.
    let open = judge(&file(name, &[1, threat], &[], &[])).expect_err("the stop is open");
    assert!(open.problem.contains("1 replies are neither listed nor answered"), "{open}");
    // With it listed, what follows it is looked at next.
    let next = judge(&file(name, &[1, threat], &[threat], &[])).expect_err("cut off");
    assert!(next.problem.contains("too early"), "{next}");
    let other = if threat == 8 { 7 } else { 8 };
    for (tokens, part) in [
        (file(name, &[1, other], &[threat], &[]), "neither listed nor answered"),
        (file(name, &[1, 100], &[threat], &[]), "neither listed nor answered"),
        (file(name, &[2, threat], &[threat], &[]), "cut off"),
        (file(name, &[], &[threat], &[]), "lists no threat"),
        (file(name, &[1, threat], &[threat, threat], &[]), "still open"),
        (file(name, &[1, threat], &[0], &[]), "still open"),
        (file(b"wins by magic", &[1, threat], &[threat], &[]), "no certificates of its own"),
        (file(b"\xff", &[1, threat], &[threat], &[]), "UTF-8"),
        (vec![3, 0, 1, 2, 1, 2], "not named"),
        (vec![3, 0, 0, 0xff, 0xff, 3], "too large"),
        (vec![3, 0, 0, 1, b'x', 0xff, 0xff, 0xff, 0xff, 0x7f], "too early"),
    ] {
        let error = judge(&tokens).expect_err("it does not hold");
        assert!(error.problem.contains(part), "{tokens:?}: {error}");
        assert!(error.at >= 100);
    }
    // Certificates say who wins, not by how much.
    let margin =
        Claim { aim: Aim { measure: Measure::Margin, ..aim }, tokens: file(name, &[1, threat], &[], &[]), offset: 0 };
    assert!(checked(&position, &margin).expect_err("refused").problem.contains("more than a win"));
}

/// Through a file and back, and the version byte tells old programs.
#[test]
fn certificates_survive_a_file() {
    let position = TicTacToe::from_text("XX.OO....").expect("a position");
    let mut search = Advised::new(Settings::default(), Box::new(OneTurn));
    search.search(&position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    let claims = search.proof(&position, &Budget::unlimited()).expect("solved");
    let found = checked(&position, &claims[0]).expect("holds");
    assert_eq!((found.positions, found.certificates), (1, 1), "settled by one certificate");
    let bytes = Proof { game: "tictactoe".into(), moves: Vec::new(), claims: claims.clone() }.to_bytes();
    assert_eq!(bytes[12], 2);
    assert_eq!(Proof::from_bytes(&bytes).expect("just written").claims[0].tokens, claims[0].tokens);
}
