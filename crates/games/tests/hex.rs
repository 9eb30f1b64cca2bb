//! Hex: the laws, a slow judge of connections and playouts, solved boards, heuristics, bad input.

use proptest::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;
use tesuji_core::conformance::Kit;
use tesuji_core::{BoardShape, CountMoves, Notation, Outcome, Player, Position, RecordMoves, Rng, Seed, Trace, perft};
use tesuji_games::hex::heuristic::{Potential, bridges, resistance, shortest_connection, two_distance, two_distances};
use tesuji_games::hex::{Hex, Move, SwapRule};
use tesuji_testing::{sized, vendored};

fn empty(size: u32, swap: SwapRule) -> Hex {
    Hex::new(size, swap).expect("a board")
}

fn after(mut position: Hex, moves: &str) -> Hex {
    for text in moves.split_whitespace() {
        position.play(position.read_move(text).unwrap_or_else(|error| panic!("{moves}: {error}")));
    }
    position
}

/// Whether a player has connected, by walking from stone to stone: the judge.
fn connected(position: &Hex, player: Player) -> bool {
    let size = position.size() as i32;
    let own =
        |column: i32, row: i32| column >= 0 && row >= 0 && position.stone(column as u32, row as u32) == Some(player);
    let line = |(column, row): (i32, i32)| if player == Player::First { row } else { column };
    let mut seen = std::collections::HashSet::new();
    let mut stack: Vec<(i32, i32)> =
        (0..size).map(|at| if player == Player::First { (at, 0) } else { (0, at) }).collect();
    stack.retain(|(column, row)| own(*column, *row));
    while let Some((column, row)) = stack.pop() {
        if !seen.insert((column, row)) {
            continue;
        }
        if line((column, row)) == size - 1 {
            return true;
        }
        for (across, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            if own(column + across, row + down) {
                stack.push((column + across, row + down));
            }
        }
    }
    false
}

#[test]
fn laws() {
    for size in [2, 3, 4, 5, 8, 9, 11] {
        for swap in [SwapRule::Off, SwapRule::Pieces] {
            let kit = Kit { games: if size < 6 { 60 } else { 3 }, samples: 2_000, ..Kit::default() };
            kit.check(&empty(size, swap)).unwrap_or_else(|violation| panic!("size {size}, {swap:?}: {violation}"));
        }
    }
}

/// Every number of words that a board can take.
#[test]
fn laws_of_large_boards() {
    for (size, swap) in [(12, SwapRule::Off), (16, SwapRule::Pieces), (19, SwapRule::Pieces), (26, SwapRule::Off)] {
        let kit = Kit { games: 1, samples: 100, sampled_positions: 2, ..Kit::default() };
        kit.check(&empty(size, swap)).unwrap_or_else(|violation| panic!("size {size}, {swap:?}: {violation}"));
    }
}

/// Random games of every size: the winner is told at the very move that connects, and never before.
#[test]
fn winners_are_those_of_the_walk() {
    let mut rng = Rng::new(Seed(1));
    for size in 2..=26 {
        for _ in 0..if size < 12 { 40 } else { 3 } {
            let mut position = empty(size, SwapRule::Pieces);
            while let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
                let expected = Player::BOTH.into_iter().find(|player| connected(&position, *player));
                assert_eq!(position.outcome(), expected.map(Outcome::won_by), "{}", position.view());
            }
        }
    }
}

/// Hears every cell of an order-free playout.
struct Fill {
    taken: HashMap<Move, Player>,
}

impl Trace<Hex> for Fill {
    const NEEDS_ORDER: bool = false;

    fn played(&mut self, player: Player, mv: Move) {
        assert_eq!(self.taken.insert(mv, player), None, "a cell is taken once");
    }
}

/// Random fills: every cell is taken, half of them by each player; exactly one player is connected,
/// and is the winner.
fn no_draws(games: u32, size: u32) {
    let mut rng = Rng::new(Seed(u64::from(size)));
    let start = empty(size, SwapRule::Off);
    for game in 0..games {
        let mut from = start;
        for _ in 0..game % (size * size / 2) {
            let Some(mv) = from.random_move(&mut rng) else { break };
            from.play(mv);
        }
        if from.outcome().is_some() {
            from = start;
        }
        let mut fill = Fill { taken: HashMap::new() };
        let told = from.clone().playout(&mut rng, &mut fill);
        assert_eq!(fill.taken.len() as u32, size * size - from.stone_count());
        let count = |player| fill.taken.values().filter(|owner| **owner == player).count();
        assert_eq!(count(from.turn()), fill.taken.len().div_ceil(2));
        // The walk over the filled board, without using the rules of play.
        let owner = |column: u32, row: u32| {
            from.stone(column, row).unwrap_or_else(|| fill.taken[&from.stone_on(column, row).expect("a cell")])
        };
        let black = filled_board_connects(size, |column, row| owner(column, row) == Player::First);
        let white = filled_board_connects(size, |column, row| owner(row, column) == Player::Second);
        assert!(black != white, "exactly one player connects");
        assert_eq!(told, Outcome::won_by(if black { Player::First } else { Player::Second }));
    }
}

fn filled_board_connects(size: u32, own: impl Fn(u32, u32) -> bool) -> bool {
    let mut seen = vec![false; (size * size) as usize];
    let mut stack: Vec<(u32, u32)> = (0..size).map(|column| (column, 0)).collect();
    while let Some((column, row)) = stack.pop() {
        let at = (row * size + column) as usize;
        if seen[at] || !own(column, row) {
            continue;
        }
        if row == size - 1 {
            return true;
        }
        seen[at] = true;
        for (across, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            if let (Some(column), Some(row)) = (column.checked_add_signed(across), row.checked_add_signed(down))
                && column < size
                && row < size
            {
                stack.push((column, row));
            }
        }
    }
    false
}

/// And in a million games on 11×11, which take ten seconds, on demand.
#[test]
fn no_draws_in_random_games() {
    no_draws(sized(1_000, 1_000_000), 11);
    for size in [2, 3, 5, 8, 9, 11, 13, 19, 26] {
        no_draws(40_000 / (size * size), size);
    }
}

/// The exact chance that the first player wins by random moves, by looking at every game.
fn exact_chance(position: &Hex, known: &mut HashMap<(u64, Player), f64>) -> f64 {
    if let Some(outcome) = position.outcome() {
        return outcome.score.to_f64();
    }
    if let Some(chance) = known.get(&(position.hash().0, position.turn())) {
        return *chance;
    }
    let moves = position.moves();
    let mut sum = 0.0;
    for &mv in &moves {
        let mut next = *position;
        next.play(mv);
        sum += exact_chance(&next, known);
    }
    let chance = sum / moves.len() as f64;
    known.insert((position.hash().0, position.turn()), chance);
    chance
}

/// The order-free fill, the playout in order and stopping at the first connection agree: exactly on
/// average, with the swap, and from positions of every kind.
#[test]
fn playouts_have_the_exact_mean() {
    let mut known = HashMap::new();
    let mut rng = Rng::new(Seed(3));
    for (moves, swap) in [
        ("", SwapRule::Off),
        ("", SwapRule::Pieces),
        ("a1", SwapRule::Pieces),
        ("c1", SwapRule::Pieces),
        ("c1", SwapRule::Off),
        ("a2 swap", SwapRule::Pieces),
        ("b2 a1 c3", SwapRule::Off),
        ("b2 a2 c2 b1 b3", SwapRule::Off),
    ] {
        known.clear();
        let start = after(empty(3, swap), moves);
        let exact = exact_chance(&start, &mut known);
        let samples = 200_000;
        let mut wins = [0_u32; 2];
        for _ in 0..samples {
            let won = |outcome: Outcome| u32::from(outcome.winner() == Some(Player::First));
            wins[0] += won(start.clone().playout(&mut rng, &mut ()));
            wins[1] += won(start.clone().playout(&mut rng, &mut CountMoves::default()));
        }
        for wins in wins {
            let mean = f64::from(wins) / f64::from(samples);
            let error = (exact * (1.0 - exact) / f64::from(samples)).sqrt();
            assert!((mean - exact).abs() <= 5.0 * error, "[{moves}] {swap:?}: {mean} is not {exact}");
        }
    }
}

/// The length of a game in order has the distribution of slow play as well.
#[test]
fn playouts_in_order_stop_where_the_game_does() {
    let mut rng = Rng::new(Seed(4));
    let start = empty(5, SwapRule::Off);
    let (mut fast, mut slow) = (0, 0);
    let games = 20_000;
    for _ in 0..games {
        let mut record = RecordMoves::default();
        start.clone().playout(&mut rng, &mut record);
        fast += record.0.len();
        let mut position = start;
        while let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
            slow += 1;
        }
    }
    let (fast, slow) = (fast as f64 / f64::from(games), f64::from(slow) / f64::from(games));
    assert!((fast - slow).abs() < 0.12, "{fast} {slow}");
}

/// What a move leads to is told without making it.
#[test]
fn glances_are_what_moves_show() {
    for size in 2..=12 {
        for (seed, swap) in (0..20).zip([SwapRule::Off, SwapRule::Pieces].into_iter().cycle()) {
            let (mut position, mut rng) = (empty(size, swap), Rng::new(Seed(seed)));
            while position.outcome().is_none() {
                for mv in position.moves() {
                    let Some((outcome, hash)) = position.glance(mv) else {
                        assert_eq!(mv, Move::SWAP);
                        continue;
                    };
                    let mut next = position;
                    next.play(mv);
                    assert_eq!(outcome, next.outcome());
                    assert!(outcome.is_some() || hash == next.hash());
                }
                position.play(position.random_move(&mut rng).expect("live"));
            }
        }
    }
}

#[test]
fn counts() {
    let count = |position: &Hex, depth| perft(position, depth, &mut tesuji_core::Budget::unlimited().meter()).per_depth;
    assert_eq!(count(&empty(11, SwapRule::Off), 3), [121, 121 * 120, 121 * 120 * 119]);
    // The swap is one more second move; after it one cell is taken, so Black has 120 and not 119
    // replies.
    assert_eq!(count(&empty(11, SwapRule::Pieces), 3), [121, 121 * 121, 121 * 120 * 119 + 121 * 120]);
    assert_eq!(size_of::<Hex>(), 192);
}

#[test]
fn the_swap_takes_the_stone_over_mirrored() {
    let start = empty(5, SwapRule::Pieces);
    assert!(start.read_move("swap").is_err(), "there is nothing to swap yet");
    let swapped = after(start, "d2 swap");
    assert_eq!(swapped.stone(3, 1), None);
    assert_eq!(swapped.stone(1, 3), Some(Player::Second));
    assert_eq!((swapped.turn(), swapped.stone_count(), swapped.move_count()), (Player::First, 1, 24));
    assert!(swapped.read_move("swap").is_err(), "a swap is not taken back");
    assert!(after(start, "d2 a1").read_move("swap").is_err(), "only the second move can be a swap");
    assert_eq!(after(start, "c3 swap").stone(2, 2), Some(Player::Second), "on the diagonal the stone stays");
    // The same stones with another player to move are another position.
    assert_ne!(after(start, "d2 swap a1").hash(), after(start, "a1 b4").hash());
    assert_eq!(after(start, "d2 Swap-Pieces"), swapped);
}

/// Hashes are random already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole hashes are written");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A win/loss search with a table, for boards of up to 16 cells.
#[derive(Default)]
struct Solver {
    known: HashMap<u64, bool, BuildHasherDefault<AsItIs>>,
}

impl Solver {
    /// Whether the player to move wins.
    fn wins(&mut self, position: &Hex) -> bool {
        if let Some(known) = self.known.get(&position.hash().0) {
            return *known;
        }
        let wins = position.visit_moves(|mv| {
            let mut next = *position;
            next.play(mv);
            if next.outcome().is_some() || !self.wins(&next) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let wins = wins.is_break();
        self.known.insert(position.hash().0, wins);
        wins
    }
}

/// One table a size serves both.
#[test]
fn small_boards_are_worth_what_is_known() {
    let mut solvers = std::array::from_fn(|_| Solver::default());
    openings(&mut solvers);
    random_positions(&mut solvers);
}

/// All openings of 2×2 to 4×4, as df-pn and an exhaustive search of others found them.
fn openings(solvers: &mut [Solver; 5]) {
    let data = vendored("hex/openings_2x2_to_6x6.json");
    for size in 2..=4 {
        let (_, rows) = data.split_once(&format!("\"{size}\": [")).expect("an entry a size");
        let (rows, _) = rows.split_once(']').expect("a list");
        let rows: Vec<&str> = rows.split('"').filter(|row| row.len() == size as usize && !row.contains('\n')).collect();
        assert_eq!(rows.len(), size as usize);
        let start = empty(size, SwapRule::Off);
        let solver = &mut solvers[size as usize];
        for (row, line) in rows.iter().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                let mut opened = start;
                opened.play(start.stone_on(column as u32, row as u32).expect("a cell"));
                assert_eq!(!solver.wins(&opened), letter == 'B', "{size}: column {column}, row {row}");
            }
        }
        assert!(solver.wins(&start), "the first player wins");
    }
}

/// Random positions of 3×3 and 4×4 with their complete lists of winning moves.
fn random_positions(solvers: &mut [Solver; 5]) {
    let mut checked = 0;
    for line in vendored("hex/random_positions.jsonl").lines() {
        let field = |name: &str| line.split_once(&format!("\"{name}\": ")).expect("a field").1;
        let words = |name: &str| -> Vec<&str> {
            let (list, _) = field(name).split_once(']').expect("a list");
            list.split(['[', '"', ',', ' ']).filter(|word| !word.is_empty()).collect()
        };
        let size: u32 = field("size").split(',').next().expect("a number").parse().expect("a number");
        if size > 4 {
            continue;
        }
        let position = after(empty(size, SwapRule::Off), &words("moves").join(" "));
        let black_to_move = field("to_move").starts_with("\"black");
        assert_eq!(position.turn() == Player::First, black_to_move, "{line}");
        let solver = &mut solvers[size as usize];
        let mut winning: Vec<String> = Vec::new();
        for mv in position.moves() {
            let mut next = position;
            next.play(mv);
            if next.outcome().is_some() || !solver.wins(&next) {
                winning.push(position.show_move(mv));
            }
        }
        let mover_wins = field("winner").starts_with("\"black") == black_to_move;
        assert_eq!(!winning.is_empty(), mover_wins, "{line}");
        let mut expected: Vec<String> = words("winning_moves").into_iter().map(Into::into).collect();
        winning.sort();
        expected.sort();
        assert_eq!(winning, expected, "{line}");
        checked += 1;
    }
    assert!(checked >= 40, "{checked}");
}

#[test]
fn distances_and_resistance_of_small_boards() {
    let board = empty(2, SwapRule::Off);
    for player in Player::BOTH {
        assert_eq!(shortest_connection(&board, player), Some(2));
        // The two winning openings.
        assert_eq!(two_distance(&board, player), Some(Potential { distance: 3, cells: 2 }));
        // By hand, with the symmetry of the board: voltages 3/4 and 2/3 in the first line.
        assert!((resistance(&board, player) - 12.0 / 7.0).abs() < 1e-12);
        assert_eq!(bridges(&board, player), 0);
    }
    let [top, bottom] = two_distances(&board, Player::First);
    assert_eq!(top, [Some(1), Some(1), Some(2), Some(3)]);
    assert_eq!(bottom, [Some(3), Some(2), Some(1), Some(1)]);
}

#[test]
fn heuristics_of_a_ladder_of_stones() {
    // Black on c1, b3, b5: c1 and b3 are a bridge apart, b3 and b5 are not; b5 touches the bottom.
    let position = after(empty(5, SwapRule::Off), "c1 a1 b3 e5 b5 e4");
    assert_eq!(bridges(&position, Player::First), 1);
    assert_eq!(shortest_connection(&position, Player::First), Some(2));
    assert!(resistance(&position, Player::First) < resistance(&position, Player::Second));
    // An edge bridge needs both cells: d4 above the bottom row of 5×5 has c5 and d5.
    let edge = after(empty(5, SwapRule::Off), "d4 a1");
    assert_eq!(bridges(&edge, Player::First), 1);
    assert_eq!(bridges(&after(edge, "a3 c5"), Player::First), 0);
    // Connected and cut off.
    let won = after(empty(3, SwapRule::Off), "b1 a1 b2 a2 b3");
    assert_eq!(won.outcome(), Some(Outcome::won_by(Player::First)));
    assert_eq!(shortest_connection(&won, Player::First), Some(0));
    assert_eq!(shortest_connection(&won, Player::Second), None);
    assert_eq!(resistance(&won, Player::First), 0.0);
    assert_eq!(resistance(&won, Player::Second), f64::INFINITY);
    assert_eq!(two_distance(&won, Player::First), Some(Potential { distance: 0, cells: 0 }));
    assert_eq!(two_distance(&won, Player::Second), None);
}

/// Along random games: the distance is 0 exactly when connected, a stone of one's own lowers it by
/// at most one, and never raises one's distance or resistance (Rayleigh's monotonicity law).
#[test]
fn heuristics_move_the_right_way() {
    let mut rng = Rng::new(Seed(6));
    for game in 0..60 {
        let mut position = empty(3 + game % 9, SwapRule::Off);
        let mut before =
            Player::BOTH.map(|player| (shortest_connection(&position, player), resistance(&position, player)));
        while let Some(mv) = position.random_move(&mut rng) {
            let mover = position.turn();
            position.play(mv);
            for player in Player::BOTH {
                let now = (shortest_connection(&position, player), resistance(&position, player));
                let (old_distance, old_resistance) = before[player.index()];
                assert_eq!(now.0 == Some(0), position.outcome() == Some(Outcome::won_by(player)));
                assert_eq!(now.0.is_none(), now.1.is_infinite());
                assert_eq!(now.0.is_none(), position.outcome() == Some(Outcome::won_by(player.other())));
                let (now_distance, old_distance) = (now.0.unwrap_or(99), old_distance.unwrap_or(99));
                if player == mover {
                    assert!(now_distance <= old_distance && old_distance - now_distance <= 1);
                    assert!(now.1 <= old_resistance * (1.0 + 1e-9));
                } else {
                    assert!(now_distance >= old_distance);
                    assert!(now.1 >= old_resistance * (1.0 - 1e-9));
                }
                before[player.index()] = now;
            }
        }
    }
}

#[test]
fn pictures_and_bad_moves() {
    let position = after(empty(3, SwapRule::Pieces), "c1 b2");
    assert_eq!(position.view().shape, BoardShape::Hexagons);
    assert_eq!(
        position.view().to_string(),
        "  a b c\n1 . . X\n 2 . O .\n  3 . . .\nX Black, O White\nBlack to move, connects top and bottom"
    );
    for (text, message) in [
        ("c1", "the move c1 is not legal here: the cell is taken"),
        ("d1", "the move d1 is not legal here: it is off the board; expected a point from a1 to c3"),
        ("swap", "the move swap is not legal here: only the second move of a game can be a swap"),
        ("11", "cannot read the move \"11\": expected a point from a1 to c3, or swap"),
        ("", "cannot read the move \"\": expected a point from a1 to c3, or swap"),
    ] {
        assert_eq!(position.read_move(text).map_err(|error| error.to_string()), Err(message.into()));
    }
    assert!(
        after(empty(3, SwapRule::Off), "c1").read_move("swap").is_err_and(|e| e.to_string().contains("no swap rule"))
    );
    let ended = after(empty(2, SwapRule::Off), "a1 b1 a2");
    assert!(ended.read_move("b2").is_err_and(|error| error.to_string().contains("ended")));
    assert_eq!(ended.move_count(), 0);
    for size in [0, 1, 27, u32::MAX] {
        assert!(Hex::new(size, SwapRule::Off).is_err());
    }
    assert_eq!(empty(26, SwapRule::Off).show_move(empty(26, SwapRule::Off).read_move("Z26").expect("a cell")), "z26");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}") {
        for size in [2, 11, 26] {
            let position = empty(size, SwapRule::Pieces);
            if let Ok(mv) = position.read_move(&text) {
                prop_assert!(position.is_legal(mv));
            }
        }
    }

    #[test]
    fn texts_like_moves_are_read_or_refused(text in "[a-zA-Z]{0,2}-?[0-9]{0,4}") {
        let position = empty(19, SwapRule::Pieces);
        if let Ok(mv) = position.read_move(&text) {
            prop_assert_eq!(position.show_move(mv), text.to_lowercase());
        }
    }
}
