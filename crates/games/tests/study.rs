//! What games know beyond their rules: wins at once, decisive playouts.

use std::collections::HashMap;
use tesuji_core::{Notation, Outcome, Player, Position, RecordMoves, Rng, Seed, Studied};
use tesuji_games::connect6::Connect6;
use tesuji_games::go::{Go, GoRules};
use tesuji_games::gomoku::{Gomoku, Point, Rule};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::mnk::Mnk;
use tesuji_games::tictactoe::TicTacToe;

/// Moves with which the side to move wins in its turn, by trying everything that `depth` moves can
/// do.
fn winning_moves<P: Position>(position: &P, depth: u32) -> Vec<P::Move> {
    let mover = position.turn();
    let wins = |mv: &P::Move| {
        let mut next = position.clone();
        next.play(*mv);
        match next.outcome() {
            Some(outcome) => outcome.winner() == Some(mover),
            None => depth > 1 && next.turn() == mover && !winning_moves(&next, depth - 1).is_empty(),
        }
    };
    position.moves().into_iter().filter(wins).collect()
}

/// The moves that stand in the way of a row the other side would complete in its next turn, read
/// off the picture of the board: empty points of windows of `line` points that hold stones of the
/// other side alone and at most `turn` empty points.
fn blocks<P: Notation>(position: &P, line: usize, turn: usize) -> Vec<P::Move> {
    let view = position.view();
    let (columns, rows) = (view.columns.len() as isize, view.rows.len() as isize);
    let other = position.turn().other();
    let mut blocks = Vec::new();
    for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
        for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let cells = (0..line as isize).map(|step| (column + right * step, row + down * step));
            let inside = |(column, row): &(isize, isize)| (0..columns).contains(column) && (0..rows).contains(row);
            let cells: Vec<(isize, isize)> = cells.filter(inside).collect();
            let owner = |(column, row): (isize, isize)| view.points[(row * columns + column) as usize].map(|p| p.owner);
            let own = cells.iter().filter(|cell| owner(**cell) == Some(other)).count();
            let empty: Vec<_> = cells.iter().filter(|cell| owner(**cell).is_none()).collect();
            if cells.len() == line && own + empty.len() == line && (1..=turn).contains(&empty.len()) {
                blocks
                    .extend(empty.iter().filter_map(|(column, row)| position.move_on(*column as usize, *row as usize)));
            }
        }
    }
    blocks
}

/// Walks random games and compares `winning_move` with the brute force; tells how many positions
/// were seen and won.
fn winning_move_is_found<P: Studied>(start: &P, depth: u32, positions: u32, seed: u64) -> (u32, u32) {
    let mut rng = Rng::new(Seed(seed));
    let (mut seen, mut won) = (0, 0);
    while seen < positions {
        let mut position = start.clone();
        while let Some(mv) = position.random_move(&mut rng) {
            let wins = winning_moves(&position, depth);
            let found = position.winning_move();
            assert!(found.map_or(wins.is_empty(), |mv| wins.contains(&mv)), "{position:?}: {found:?} of {wins:?}");
            seen += 1;
            won += u32::from(found.is_some());
            position.play(mv);
        }
        assert_eq!(position.winning_move(), None, "an ended game");
    }
    (seen, won)
}

/// Replays a decisive playout: legal, no win passed over, no threat of the other side left alone
/// that could be stopped.
fn decisive_playouts_overlook_nothing<P: Studied>(
    start: &P,
    depth: u32,
    games: u64,
    blocks: impl Fn(&P) -> Vec<P::Move>,
) {
    let (mut wins_seen, mut threats_seen) = (0, 0);
    for game in 0..games {
        let mut rng = Rng::new(Seed(game));
        // Begin anywhere: also where rows stand already.
        let mut position = start.clone();
        for _ in 0..rng.below(start.move_count() as u32) {
            let Some(mv) = position.random_move(&mut rng) else { break };
            let mut next = position.clone();
            next.play(mv);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        let mut record = RecordMoves::default();
        let told = position.clone().decisive_playout(&mut rng, &mut record);
        for (player, mv) in record.0 {
            assert_eq!(position.outcome(), None);
            assert_eq!(position.turn(), player);
            assert!(position.is_legal(mv), "{position:?} {mv:?}");
            let wins = winning_moves(&position, depth);
            if wins.is_empty() {
                let mut stopping = blocks(&position);
                stopping.retain(|mv| position.is_legal(*mv));
                assert!(stopping.is_empty() || stopping.contains(&mv), "{position:?}: {mv:?}, not in {stopping:?}");
                let saving = position.saving_move(&mut rng);
                assert!(saving.map_or(stopping.is_empty(), |mv| stopping.contains(&mv)), "{position:?}: {saving:?}");
                threats_seen += u64::from(!stopping.is_empty());
            } else {
                assert!(wins.contains(&mv), "{position:?}: {mv:?}, not in {wins:?}");
                wins_seen += 1;
            }
            position.play(mv);
        }
        assert_eq!(position.outcome(), Some(told));
    }
    assert!(wins_seen > games / 8 && threats_seen > games / 8, "{wins_seen} wins, {threats_seen} threats of {games}");
}

/// From a position without any possible threat, the first moves of decisive playouts are uniform.
fn first_moves_are_uniform<P: Studied>(position: &P, draws: u32) {
    let mut rng = Rng::new(Seed(77));
    let mut counts: HashMap<usize, f64> = HashMap::new();
    for _ in 0..draws {
        let mut record = RecordMoves::default();
        position.clone().decisive_playout(&mut rng, &mut record);
        *counts.entry(position.move_index(record.0[0].1)).or_default() += 1.0;
    }
    let moves = position.move_count() as f64;
    let expected = f64::from(draws) / moves;
    let seen: f64 = counts.values().map(|count| (count - expected).powi(2) / expected).sum();
    let chi_square = seen + expected * (moves - counts.len() as f64);
    // Mean n − 1, variance 2(n − 1): five standard deviations.
    assert!(chi_square < moves - 1.0 + 5.0 * (2.0 * moves).sqrt(), "chi-square {chi_square} of {moves} moves");
}

fn gomoku(size: usize, rule: Rule) -> Gomoku {
    Gomoku::new(size, rule).expect("a board")
}

/// The wins of the other side, if it were to move.
fn gomoku_blocks(position: &Gomoku) -> Vec<Point> {
    let size = position.size() as u8;
    let points = (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row)));
    let stones: Vec<_> = points.filter_map(|point| Some((point, position.stone(point)?))).collect();
    let passed = Gomoku::set_up(position.size(), position.rule(), stones, position.turn().other());
    winning_moves(&passed.expect("the same stones"), 1)
}

#[test]
fn gomoku_finds_every_win() {
    for rule in Rule::ALL {
        let mut total = (0, 0);
        for (size, positions) in [(5, 1_500), (6, 2_500), (9, 4_000), (15, 2_500)] {
            let (seen, won) = winning_move_is_found(&gomoku(size, rule), 1, positions, 10 + size as u64);
            total = (total.0 + seen, total.1 + won);
        }
        assert!(total.0 >= 10_000 && total.1 > 500, "{rule}: {total:?}");
    }
}

#[test]
fn decisive_gomoku() {
    for rule in Rule::ALL {
        for (size, games) in [(6, 60), (9, 60), (15, 30)] {
            decisive_playouts_overlook_nothing(&gomoku(size, rule), 1, games, gomoku_blocks);
        }
    }
    first_moves_are_uniform(&gomoku(15, Rule::Freestyle), 10_000);
    first_moves_are_uniform(&gomoku(9, Rule::Renju), 4_000);
}

#[test]
fn connect6_finds_every_win() {
    let mut total = (0, 0);
    for (size, positions) in [(6, 4_000), (7, 4_000), (9, 2_500)] {
        let (seen, won) = winning_move_is_found(&Connect6::new(size).expect("a board"), 2, positions, 20 + size as u64);
        total = (total.0 + seen, total.1 + won);
    }
    assert!(total.0 >= 10_000 && total.1 > 500, "{total:?}");
}

#[test]
fn decisive_connect6() {
    for (size, games) in [(7, 40), (9, 30)] {
        decisive_playouts_overlook_nothing(&Connect6::new(size).expect("a board"), 2, games, |position| {
            blocks(position, 6, 2)
        });
    }
    first_moves_are_uniform(&Connect6::new(19).expect("a board"), 10_000);
}

#[test]
fn small_boards_find_every_win() {
    let (_, won) = winning_move_is_found(&TicTacToe::new(), 1, 10_000, 1);
    assert!(won > 1_000, "{won}");
    for (columns, rows, line) in [(3, 3, 3), (7, 6, 4), (10, 11, 5), (4, 4, 1), (1, 64, 3), (26, 4, 4), (5, 5, 2)] {
        let start = Mnk::new(columns, rows, line).expect("a board");
        let (_, won) = winning_move_is_found(&start, 1, 10_000, u64::from(columns));
        assert!(won > 100, "{columns}, {rows}, {line}: {won}");
    }
}

#[test]
fn decisive_small_boards() {
    for (columns, rows, line) in [(3, 3, 3), (7, 6, 4), (10, 11, 5), (5, 5, 3)] {
        let start = Mnk::new(columns, rows, line).expect("a board");
        decisive_playouts_overlook_nothing(&start, 1, 200, |position| blocks(position, line as usize, 1));
    }
    decisive_playouts_overlook_nothing(&TicTacToe::new(), 1, 1_000, |position| blocks(position, 3, 1));
    first_moves_are_uniform(&Mnk::new(7, 6, 4).expect("a board"), 4_000);
    first_moves_are_uniform(&TicTacToe::new(), 4_000);
}

/// A lost side stays lost: X has two rows of two, O to move. And the exact share of X in decisive
/// play from the empty board.
#[test]
fn decisive_tic_tac_toe_by_exact_expectation() {
    fn expectation(position: &TicTacToe, known: &mut HashMap<String, f64>) -> f64 {
        if let Some(outcome) = position.outcome() {
            return outcome.score.to_f64();
        }
        let key = format!("{position:?}");
        if let Some(value) = known.get(&key) {
            return *value;
        }
        let wins = winning_moves(position, 1);
        let mut blocks = blocks(position, 3, 1);
        blocks.sort_unstable();
        blocks.dedup();
        let moves = match (wins.is_empty(), blocks.is_empty()) {
            (false, _) => vec![wins[0]],
            (true, false) => blocks,
            (true, true) => position.moves(),
        };
        let sum: f64 = moves
            .iter()
            .map(|mv| {
                let mut next = *position;
                next.play(*mv);
                expectation(&next, known)
            })
            .sum();
        known.insert(key, sum / moves.len() as f64);
        sum / moves.len() as f64
    }
    let exact = expectation(&TicTacToe::new(), &mut HashMap::new());
    let mut rng = Rng::new(Seed(9));
    let games = 200_000;
    let sum: f64 = (0..games).map(|_| TicTacToe::new().decisive_playout(&mut rng, &mut ()).score.to_f64()).sum();
    let mean = sum / f64::from(games);
    assert!((mean - exact).abs() < 5.0 * 0.5 / f64::from(games).sqrt(), "mean {mean}, exactly {exact}");
    let lost = TicTacToe::from_text("X.X.O.X.O").expect("a position");
    assert_eq!(
        (lost.turn(), lost.clone().decisive_playout(&mut rng, &mut ())),
        (Player::Second, Outcome::won_by(Player::First))
    );
}

#[test]
fn hex_finds_every_win() {
    for size in [2, 3, 5, 9] {
        for swap in [SwapRule::Off, SwapRule::Pieces] {
            let (_, won) = winning_move_is_found(&Hex::new(size, swap).expect("a board"), 1, 2_500, u64::from(size));
            assert!(won > 200, "{size}: {won}");
        }
    }
}

#[test]
fn go_finds_every_win() {
    for (size, move_limit) in [(3, Some(20)), (5, None), (5, Some(60))] {
        let rules = GoRules { move_limit, ..GoRules::on(size) };
        winning_move_is_found(&Go::new(rules).expect("a board"), 1, 2_000, size as u64);
    }
    // White is ahead by the komi; after Black's pass a white pass ends it.
    let start = Go::new(GoRules::on(5)).expect("a board");
    let mut passed = start.clone();
    passed.play(passed.read_move("pass").expect("a pass is legal"));
    assert_eq!(passed.winning_move().map(|mv| passed.show_move(mv)), Some("pass".into()));
    assert_eq!(start.winning_move(), None);
    assert_eq!(passed.clone().decisive_playout(&mut Rng::new(Seed(1)), &mut ()).winner(), Some(Player::Second));
}
