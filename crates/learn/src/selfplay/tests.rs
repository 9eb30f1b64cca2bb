//! Self-play with networks that are simple functions.

use super::{AnySelfPlay, GameCounts, Samples, SelfPlay, SelfPlayConfig};
use crate::gumbel::Constants;
use tesuji_core::{Playable, Player};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::tictactoe::TicTacToe;

/// Plays some rounds with a network that hashes the planes: arbitrary, but deterministic.
fn play<P: Playable>(start: &P, config: &SelfPlayConfig, rounds: usize) -> (Samples, GameCounts) {
    let mut games = SelfPlay::new(start, config);
    let shape = games.shape();
    let (mut planes, mut globals) = (vec![0; config.games * shape.bytes()], vec![0.0; config.games * shape.globals]);
    games.gather(&mut planes, &mut globals);
    let mut samples = Samples::default();
    for _ in 0..rounds {
        let mut logits = Vec::new();
        let mut values = Vec::new();
        for planes in planes.chunks(shape.bytes()) {
            let hash = planes.iter().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(*byte)));
            logits.extend((0..shape.moves as u32).map(|index| (hash.wrapping_mul(index + 1) >> 24) as f32 / 256.0));
            values.push((hash >> 16 & 255) as f32 / 256.0 - 0.5);
        }
        AnySelfPlay::step(&mut games, &logits, &values, &mut planes, &mut globals);
        samples.append(&mut games.drain());
    }
    (samples, games.counts())
}

/// The same games for any number of threads; other games for another seed.
#[test]
fn games_do_not_depend_on_threads() {
    let start = Go::new(GoRules::on(5)).expect("a board");
    let search = Constants { simulations: 8, considered: 4, ..Constants::default() };
    let config = SelfPlayConfig { games: 10, search, longest: 12, ..SelfPlayConfig::default() };
    let (alone, counts) = play(&start, &config, 300);
    assert!(alone.count > 100 && counts.games > 10, "{counts:?}");
    for threads in [2, 3, 10] {
        assert_eq!(play(&start, &SelfPlayConfig { threads, ..config }, 300), (alone.clone(), counts));
    }
    assert_ne!(play(&start, &SelfPlayConfig { seed: 2, ..config }, 300).0, alone);
}

/// If every value counts as decided, all but the first moves of a game are searched with fewer
/// simulations and rarely recorded.
#[test]
fn decided_games_cost_little() {
    let start = Go::new(GoRules::on(5)).expect("a board");
    let search = Constants { simulations: 16, considered: 4, ..Constants::default() };
    let config = SelfPlayConfig { games: 4, search, longest: 20, ..SelfPlayConfig::default() };
    let lead = |decided: f32, share: f32| {
        let mut games = SelfPlay::new(&start, &SelfPlayConfig { decided, decided_share: share, ..config });
        while games.counts().games < 20 {
            games.apply(&[0.0; 4 * 26], &[0.9, -0.9, 0.9, -0.9]);
        }
        (games.drain().count as u64, games.counts())
    };
    let (recorded, counts) = lead(1.0, 0.0);
    assert_eq!(recorded, counts.moves);
    let full = counts.evaluations as f64 / counts.moves as f64;
    let (recorded, counts) = lead(-1.0, 0.0);
    // Six positions before a game counts as decided, and the pass that ends it.
    assert!(recorded <= 7 * counts.games && recorded < counts.moves, "{recorded} {counts:?}");
    assert!((counts.evaluations as f64 / counts.moves as f64) < 0.8 * full, "{counts:?}");
}

/// A network that always passes: Black passes first, White, who has the komi, passes as the
/// rules say that it wins, without a search, and the record is certain of it.
#[test]
fn a_pass_that_wins_ends_the_game() {
    let start = Go::new(GoRules::on(5)).expect("a board");
    let search = Constants { simulations: 16, considered: 4, noise: 0.0, ..Constants::default() };
    let mut games = SelfPlay::new(&start, &SelfPlayConfig { games: 1, search, ..SelfPlayConfig::default() });
    let mut logits = [0.0; 26];
    logits[25] = 50.0;
    while games.counts().games < 3 {
        games.apply(&logits, &[0.0]);
    }
    let counts = games.counts();
    assert_eq!((counts.moves, counts.first_wins), (2 * counts.games, 0));
    assert_eq!(games.first_results(), [Some(-1.0)]);
    assert_eq!(games.searching(), [Player::First]);
    // One evaluation of the second root, none below it.
    assert!(counts.evaluations <= 18 * counts.games, "{counts:?}");
    let samples = games.drain();
    assert_eq!((samples.searched[1], samples.outcomes[1], samples.outcomes[0]), (1.0, 1.0, -1.0));
    assert_eq!(samples.policies[26..52].iter().position(|share| *share == 1.0), Some(25));
    assert_eq!(samples.policies[26..52].iter().sum::<f32>(), 1.0);
}

/// With random openings the second player also meets first moves that the network never makes;
/// the random move is not recorded.
#[test]
fn random_openings_are_played_and_not_recorded() {
    let start = Hex::new(4, SwapRule::Off).expect("a board");
    let search = Constants { simulations: 2, considered: 2, noise: 0.0, ..Constants::default() };
    let config = SelfPlayConfig { games: 8, search, ..SelfPlayConfig::default() };
    let logits: Vec<f32> = (0..8 * 17).map(|index| -((index % 17) as f32)).collect();
    let openings = |opening_share: f32| {
        let mut games = SelfPlay::new(&start, &SelfPlayConfig { opening_share, ..config });
        while games.counts().games < 600 {
            games.apply(&logits, &[0.0; 8]);
        }
        let (samples, counts) = (games.drain(), games.counts());
        assert_eq!(samples.count as u64, counts.moves);
        // Positions with one stone: the cell of the other side's stone.
        let mut cells = std::collections::BTreeSet::new();
        let (mut empty, mut single) = (0, 0);
        for planes in samples.planes.chunks(7 * 16) {
            let stones: Vec<usize> = (0..32).filter(|cell| planes[*cell] == 1).collect();
            empty += usize::from(stones.is_empty());
            if let [cell] = stones[..] {
                single += 1;
                cells.insert(cell);
            }
        }
        (cells.len(), empty, single)
    };
    let (cells, empty, single) = openings(0.0);
    assert!(cells == 1 && empty == single, "{cells} {empty} {single}");
    let (cells, empty, single) = openings(0.5);
    assert!(cells == 16 && 4 * empty < 3 * single && 4 * empty > single, "{cells} {empty} {single}");
}

/// Samples are complete, policies are distributions over empty points and the pass, and owners
/// add up to the outcome.
#[test]
fn samples_are_consistent() {
    let start = Go::new(GoRules::on(5)).expect("a board");
    let search = Constants { simulations: 8, considered: 4, ..Constants::default() };
    let config = SelfPlayConfig { games: 4, search, longest: 20, ..SelfPlayConfig::default() };
    let (samples, counts) = play(&start, &config, 1_500);
    let (cells, moves) = (25, 26);
    assert_eq!(samples.planes.len(), samples.count * 8 * cells);
    assert_eq!(samples.globals.len(), samples.count * 4);
    assert_eq!(samples.count as u64, counts.moves);
    assert!(counts.cut > 0 && counts.cut <= counts.games, "{counts:?}");
    for at in 0..samples.count {
        let planes = &samples.planes[at * 8 * cells..(at + 1) * 8 * cells];
        let policy = &samples.policies[at * moves..(at + 1) * moves];
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!((0..cells).all(|cell| policy[cell] == 0.0 || planes[5 * cells + cell] == 1));
        // Komi 7.5 for the mover, in tens.
        let komi = samples.globals[at * 4 + 2] * 10.0;
        let lead: f32 = samples.owners[at * cells..(at + 1) * cells].iter().map(|owner| f32::from(*owner)).sum();
        assert_eq!(samples.outcomes[at], (lead + komi).signum());
        assert!(samples.searched[at].abs() <= 1.0);
    }
}

/// Hex is shown to the network as if the side to move always connected top and bottom. Policies
/// and owners are turned like the planes: a policy is zero where stones stand and prefers what
/// the network preferred; no cell of the winner's connection holds a stone of the loser.
#[test]
fn targets_are_turned_like_the_board() {
    let start = Hex::new(5, SwapRule::Off).expect("a board");
    let search = Constants { simulations: 2, considered: 2, ..Constants::default() };
    let config = SelfPlayConfig { games: 8, search, ..SelfPlayConfig::default() };
    let mut games = SelfPlay::new(&start, &config);
    let (cells, moves) = (25, 26);
    // Not the same when transposed.
    let wish: Vec<f32> = (0..moves).map(|cell| (cell % 5) as f32 + (cell / 5) as f32 * 0.2).collect();
    let logits: Vec<f32> = wish.iter().copied().cycle().take(8 * moves).collect();
    while games.counts().games < 40 {
        games.apply(&logits, &[0.0; 8]);
    }
    let samples = games.drain();
    assert!(samples.count > 400, "{}", samples.count);
    let mut owned = 0;
    for at in 0..samples.count {
        let planes = &samples.planes[at * 7 * cells..(at + 1) * 7 * cells];
        let policy = &samples.policies[at * moves..(at + 1) * moves];
        let owners = &samples.owners[at * cells..(at + 1) * cells];
        let free = |cell: &usize| planes[*cell] == 0 && planes[cells + cell] == 0;
        for cell in 0..cells {
            assert_eq!(policy[cell] > 0.0, free(&cell), "{policy:?}");
            assert!(owners[cell] != 1 || planes[cells + cell] == 0);
            assert!(owners[cell] != -1 || planes[cell] == 0);
            owned += usize::from(owners[cell] != 0);
        }
        // Values are all equal, so the improved policy is the network's.
        for (one, other) in (0..cells).filter(free).zip((0..cells).filter(free).skip(1)) {
            let ratio = (policy[one] / policy[other]).ln();
            assert!((ratio - (wish[one] - wish[other])).abs() < 0.01 || samples.searched[at] != 0.0);
        }
    }
    assert!(owned >= 5 * samples.count);
}

/// Tic-tac-toe with an uninformed network: with enough simulations the search alone nearly
/// always reaches the game-theoretic result, a draw.
#[test]
fn searched_tictactoe_is_drawn() {
    let search = Constants { simulations: 3_000, considered: 9, scale: 1.0, ..Constants::default() };
    let config = SelfPlayConfig { games: 20, search, ..SelfPlayConfig::default() };
    let mut games = SelfPlay::new(&TicTacToe::new(), &config);
    while games.counts().games < 40 {
        games.apply(&[0.0; 20 * 9], &[0.0; 20]);
    }
    let counts = games.counts();
    assert!(counts.draws * 10 >= counts.games * 9, "{counts:?}");
    assert!(counts.ended > 0);
}
