//! Compares the knowledge with exhaustive play.

use super::graph::Graph;
use super::inferior::{Filled, Step, fill, needless};
use super::{Board, Knowledge, Move, Set, members, neighbours, touches_edge};
use crate::hex::check::is_dead_cell;
use crate::hex::{ConnectionCertifier, Hex, SwapRule, VIRTUAL_CONNECTION};
use std::collections::{HashMap, HashSet};
use tesuji_core::{Certificate, Certifier, Player, Position, Rng, Seed};

/// Whether a player's edges are connected.
fn connects(board: &Board, player: Player) -> bool {
    let (own, upright) = (board.stones[player.index()], player == Player::First);
    let mut seen: Set =
        members(own).filter(|cell| touches_edge(board.size, *cell, upright, 0)).map(|cell| 1 << cell).sum();
    let mut open: Vec<usize> = members(seen).collect();
    while let Some(cell) = open.pop() {
        if touches_edge(board.size, cell, upright, 1) {
            return true;
        }
        for next in neighbours(board.size, cell).filter(|next| own >> next & 1 == 1) {
            if seen >> next & 1 == 0 {
                seen |= 1 << next;
                open.push(next);
            }
        }
    }
    false
}

fn with(board: &Board, player: Player, cells: Set) -> Board {
    let mut board = *board;
    board.stones[player.index()] |= cells;
    board
}

/// Exhaustive search; stores the winners.
#[derive(Default)]
struct Truth(HashMap<(usize, [Set; 2], usize), Player>);

impl Truth {
    fn winner(&mut self, board: &Board, mover: Player) -> Player {
        if let Some(winner) = Player::BOTH.into_iter().find(|player| connects(board, *player)) {
            return winner;
        }
        let key = (board.size, board.stones, mover.index());
        if let Some(winner) = self.0.get(&key) {
            return *winner;
        }
        let wins =
            members(board.empty()).any(|cell| self.winner(&with(board, mover, 1 << cell), mover.other()) == mover);
        let winner = if wins { mover } else { mover.other() };
        self.0.insert(key, winner);
        winner
    }

    fn of(&mut self, position: &Hex) -> Player {
        self.winner(&Board::new(position).expect("small"), position.turn())
    }

    /// The winning replies of the mover.
    fn winning(&mut self, board: &Board, mover: Player) -> Set {
        let wins = |cell: &usize| self.winner(&with(board, mover, 1 << cell), mover.other()) == mover;
        members(board.empty()).filter(wins).map(|cell| 1 << cell).sum()
    }
}

/// All boards of a size, reachable or not.
fn all_boards(size: usize) -> impl Iterator<Item = Board> {
    (0..3_usize.pow((size * size) as u32)).map(move |number| {
        let (mut left, mut board) = (number, Board { size, stones: [0; 2] });
        for cell in 0..size * size {
            if left % 3 < 2 {
                board.stones[left % 3] |= 1 << cell;
            }
            left /= 3;
        }
        board
    })
}

/// Boards with this many empty cells, the others filled at random.
fn random_board(size: usize, empty: usize, rng: &mut Rng) -> Board {
    let mut board = Board { size, stones: [0; 2] };
    while board.empty().count_ones() as usize > empty {
        let cells: Vec<usize> = members(board.empty()).collect();
        let cell = cells[rng.below(cells.len() as u32) as usize];
        board.stones[rng.below(2) as usize] |= 1 << cell;
    }
    board
}

/// All reachable live positions of a size.
fn all_positions(size: u32) -> Vec<Hex> {
    let mut all = vec![Hex::new(size, SwapRule::Off).expect("a board")];
    let mut seen = HashSet::new();
    let mut next = 0;
    while next < all.len() {
        let position = all[next];
        next += 1;
        for mv in position.moves() {
            let mut after = position;
            after.play(mv);
            if after.outcome().is_none() && seen.insert(after.hash().0) {
                all.push(after);
            }
        }
    }
    all
}

/// A live position after this many random moves.
fn random_position(size: u32, plies: u32, rng: &mut Rng) -> Option<Hex> {
    let mut position = Hex::new(size, SwapRule::Off).expect("a board");
    for _ in 0..plies {
        position.play(position.random_move(rng)?);
    }
    position.outcome().is_none().then_some(position)
}

/// The board after the first steps of fill-in.
fn filled_so_far(board: &Board, favoured: Player, steps: &[Step]) -> Board {
    steps.iter().fold(*board, |board, step| match step {
        Step::Dead(cell) => with(&board, favoured, 1 << cell),
        Step::Captured(player, one, two) => with(&board, *player, 1 << one | 1 << two),
    })
}

/// No step of fill-in changes the winner, for either side to move and either owner of the dead
/// cells. Returns the number of steps of either kind.
fn check_fill(truth: &mut Truth, board: &Board) -> [usize; 2] {
    let mut counts = [0; 2];
    for favoured in Player::BOTH {
        let filled: Filled = fill(board, favoured);
        for until in 1..=filled.steps.len() {
            let now = filled_so_far(board, favoured, &filled.steps[..until]);
            for mover in Player::BOTH {
                assert_eq!(truth.winner(&now, mover), truth.winner(board, mover), "{board:?} {:?}", filled.steps);
            }
        }
        assert_eq!(filled.board, filled_so_far(board, favoured, &filled.steps));
        for step in &filled.steps {
            counts[usize::from(matches!(step, Step::Captured(..)))] += 1;
        }
    }
    counts
}

/// A winning mover has a winning move that is not pruned, though some losing moves are removed
/// before.
fn check_needless(truth: &mut Truth, board: &Board, rng: &mut Rng) -> usize {
    let mut count = 0;
    for mover in Player::BOTH {
        let winning = truth.winning(board, mover);
        for all in [true, false] {
            let some = members(board.empty()).filter(|_| all || rng.below(2) == 0).map(|cell| 1 << cell).sum::<Set>();
            let cells = some | winning;
            let needless = needless(board, mover, cells);
            assert_eq!(needless.cells & !cells, 0);
            assert!(winning == 0 || winning & !needless.cells != 0, "{board:?} {mover:?} {needless:?}");
            assert!(needless.cells != cells || winning == 0, "{board:?} {mover:?} {needless:?}");
            for [cell, better, _] in &needless.dominated {
                assert!(winning >> cell & 1 <= winning >> better & 1, "{board:?} {mover:?}: {cell} {better}");
            }
            count += needless.dominated.len();
        }
    }
    count
}

#[test]
fn fill_in_and_needless_moves_of_all_small_boards() {
    let (mut truth, mut rng) = (Truth::default(), Rng::new(Seed(1)));
    let mut counts = [0; 3];
    for board in
        (1..=3).flat_map(all_boards).filter(|board| Player::BOTH.iter().all(|player| !connects(board, *player)))
    {
        let [dead, captured] = check_fill(&mut truth, &board);
        let filled = fill(&board, Player::First).board;
        let dominated = check_needless(&mut truth, &filled, &mut rng);
        let more = check_needless(&mut truth, &board, &mut rng);
        for (count, more) in counts.iter_mut().zip([dead, captured, dominated + more]) {
            *count += more;
        }
    }
    assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
}

#[test]
fn fill_in_and_needless_moves_of_random_boards() {
    let (mut truth, mut rng) = (Truth::default(), Rng::new(Seed(2)));
    let mut counts = [0; 3];
    for number in 0..3_000 {
        let board = random_board(4, 5 + number % 5, &mut rng);
        if Player::BOTH.iter().any(|player| connects(&board, *player)) {
            continue;
        }
        let [dead, captured] = check_fill(&mut truth, &board);
        let filled = fill(&board, Player::BOTH[number % 2]).board;
        let dominated = check_needless(&mut truth, &filled, &mut rng);
        let more = check_needless(&mut truth, &board, &mut rng);
        for (count, more) in counts.iter_mut().zip([dead, captured, dominated + more]) {
            *count += more;
        }
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

/// Whether the checker takes a cell for dead.
fn is_dead(board: &Board, cell: usize) -> bool {
    let owner = |cell: usize| Player::BOTH.into_iter().find(|player| board.stones[player.index()] >> cell & 1 == 1);
    is_dead_cell(board.size, (0..board.size * board.size).map(owner).collect(), cell)
}

/// A dead cell makes no difference in any filling; finder and checker agree on which cells are dead
/// and which kill.
#[test]
fn dead_cells_make_no_difference() {
    let mut rng = Rng::new(Seed(3));
    let mut dead = 0;
    let boards = all_boards(3).step_by(7).chain((0..300).map(|_| random_board(4, 7, &mut rng)));
    for board in boards {
        for cell in members(board.empty()).filter(|cell| is_dead(&board, *cell)) {
            dead += 1;
            let others: Vec<usize> = members(board.empty() & !(1 << cell)).collect();
            for filling in 0_u32..1 << others.len() {
                let mut full = board;
                for (number, other) in others.iter().enumerate() {
                    full.stones[(filling >> number & 1) as usize] |= 1 << other;
                }
                let winners = Player::BOTH.map(|player| connects(&with(&full, player, 1 << cell), Player::First));
                assert_eq!(winners[0], winners[1], "{board:?} {cell}");
            }
        }
    }
    assert!(dead > 500, "{dead}");
    let (mut rng, mut compared) = (Rng::new(Seed(4)), 0);
    for number in 0..600 {
        let size = 2 + number % 7;
        let empty = 1 + rng.below((size * size) as u32) as usize;
        let board = random_board(size, empty, &mut rng);
        if Player::BOTH.iter().any(|player| connects(&board, *player)) {
            continue;
        }
        compared += 1;
        let graphs = Player::BOTH.map(|player| Graph::new(&board, player));
        for cell in members(board.empty()) {
            let found = graphs.iter().any(|graph| graph.is_dead(cell));
            assert_eq!(found, is_dead(&board, cell), "{board:?} {cell}");
            for player in Player::BOTH.into_iter().filter(|_| !found) {
                for killer in members(graphs[player.other().index()].killers(cell, 0)) {
                    assert!(is_dead(&with(&board, player, 1 << killer), cell), "{board:?} {killer} {cell}");
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

fn set_of(moves: &[Move]) -> Set {
    moves.iter().map(|mv| 1 << mv.0).sum()
}

/// The replies not in `listed` that the checker leaves open; `None` if it refuses the certificate.
fn still_open(position: &Hex, claimant: Player, certificate: &Certificate, listed: Set) -> Option<Set> {
    let mut replies: Vec<Move> = position.moves().into_iter().filter(|mv| listed >> mv.0 & 1 == 0).collect();
    ConnectionCertifier.answers(position, claimant, certificate, &mut replies).ok().map(|()| set_of(&replies))
}

/// The certificates of both players: their list is all that is open, and no answered reply wins,
/// whichever losing ones are listed. An altered certificate may be accepted only if that still
/// holds. Returns the number of certificates, and of altered ones refused.
fn check_certificates(truth: &mut Truth, knowledge: &mut Knowledge, position: &Hex, rng: &mut Rng) -> [usize; 2] {
    let mut counts = [0; 2];
    let board = Board::new(position).expect("small");
    let (mover, winner) = (position.turn(), truth.of(position));
    let winning = truth.winning(&board, mover);
    for claimant in Player::BOTH {
        let mut listed = Vec::new();
        let Some(certificate) = knowledge.certificate(position, claimant, &mut listed) else { continue };
        counts[0] += 1;
        if claimant == mover {
            assert_eq!(ConnectionCertifier.wins(position, claimant, &certificate), Ok(()), "{position:?}");
            assert_eq!(winner, claimant, "{position:?}");
        } else {
            assert_eq!(
                still_open(position, claimant, &certificate, set_of(&listed)),
                Some(0),
                "{position:?} {certificate:?}"
            );
            assert!(winner == claimant || set_of(&listed) & winning != 0, "{position:?}");
        }
        for turn in 0..12 {
            let mut altered = certificate.clone();
            if turn > 0 {
                let at = rng.below(altered.data.len() as u32) as usize;
                match rng.below(4) {
                    0 => drop(altered.data.remove(at)),
                    1 => altered.data.insert(at, u64::from(rng.below(10))),
                    _ => altered.data[at] = u64::from(rng.below(12)),
                }
            }
            if claimant == mover {
                let accepted = ConnectionCertifier.wins(position, claimant, &altered).is_ok();
                assert!(!accepted || winner == claimant, "{position:?} {altered:?}");
                counts[1] += usize::from(!accepted);
                continue;
            }
            let losing = board.empty() & !winning;
            let listed = members(losing).filter(|_| turn == 0 || rng.below(3) > 0).map(|cell| 1 << cell).sum();
            match still_open(position, claimant, &altered, listed) {
                Some(open) => assert_eq!(winning & !open, 0, "{position:?} {altered:?} {listed:b}"),
                None => counts[1] += 1,
            }
        }
    }
    counts
}

#[test]
fn certificates_of_small_boards() {
    let (mut truth, mut knowledge, mut rng) = (Truth::default(), Knowledge::default(), Rng::new(Seed(5)));
    let mut counts = [0; 2];
    let mut positions: Vec<Hex> = (2..=3).flat_map(all_positions).collect();
    positions.extend((0..600).filter_map(|number| random_position(4, 4 + number % 7, &mut rng)));
    for position in positions {
        let [certificates, refused] = check_certificates(&mut truth, &mut knowledge, &position, &mut rng);
        counts = [counts[0] + certificates, counts[1] + refused];
    }
    assert!(counts[0] > 1_000 && counts[1] > 1_000, "{counts:?}");
}

/// Invented steps of fill-in and domination prove nothing false.
#[test]
fn made_up_steps_show_nothing_false() {
    let (mut truth, mut rng) = (Truth::default(), Rng::new(Seed(6)));
    let (mut accepted, mut refused) = (0, 0);
    for position in all_positions(3) {
        let board = Board::new(&position).expect("small");
        let winning = truth.winning(&board, position.turn());
        for _ in 0..20 {
            let mut data = Vec::new();
            for kinds in [[3, 4, 5], [6; 3]] {
                for _ in 0..rng.below(3) {
                    let kind = kinds[rng.below(3) as usize];
                    data.push(kind);
                    data.extend((0..[1, 2, 2, 3][kind as usize - 3]).map(|_| u64::from(rng.below(9))));
                }
            }
            let certificate = Certificate::new(VIRTUAL_CONNECTION, data);
            let losing = board.empty() & !winning;
            let listed = members(losing).filter(|_| rng.below(4) > 0).map(|cell| 1 << cell).sum();
            match still_open(&position, position.turn().other(), &certificate, listed) {
                Some(open) => {
                    assert_eq!(winning & !open, 0, "{position:?} {certificate:?} {listed:b}");
                    accepted += 1;
                }
                None => refused += 1,
            }
        }
    }
    assert!(accepted > 500 && refused > 1_000, "{accepted} {refused}");
}

/// The winner, by plain recursion that passes its results to the knowledge; records the visited
/// positions.
fn learned(knowledge: &mut Knowledge, position: &Hex, seen: &mut Vec<(Hex, Player)>) -> Player {
    if let Some(winner) = position.outcome().and_then(|outcome| outcome.winner()) {
        return winner;
    }
    let mut moves = Vec::new();
    let winner = knowledge.study(position, &mut moves).unwrap_or_else(|| {
        let mut by = None;
        for mv in &moves {
            let mut next = *position;
            next.play(*mv);
            if by.is_none() && learned(knowledge, &next, seen) == position.turn() {
                by = Some(*mv);
            }
        }
        let winner = if by.is_some() { position.turn() } else { position.turn().other() };
        knowledge.learn(position, winner, by, moves.iter().copied());
        winner
    });
    seen.push((*position, winner));
    winner
}

/// The winner wins even if the loser owns everything outside the carrier.
#[test]
fn carriers_suffice() {
    let (mut truth, mut rng) = (Truth::default(), Rng::new(Seed(7)));
    let (mut checked, mut outside) = (0, 0);
    for number in 0..700 {
        let size = 3 + number % 2;
        let Some(position) = random_position(size, [0, 2][number as usize % 2] + number / 2 % 4, &mut rng) else {
            continue;
        };
        let mut knowledge = Knowledge::default();
        let mut seen = Vec::new();
        learned(&mut knowledge, &position, &mut seen);
        for (position, winner) in seen {
            let board = Board::new(&position).expect("small");
            assert_eq!(truth.of(&position), winner, "{position:?}");
            let Some(carrier) = knowledge.carriers.carrier(position.hash().0, winner) else { continue };
            let given = with(&board, winner.other(), board.empty() & !carrier);
            assert!(!connects(&given, winner.other()), "{position:?} {carrier:b}");
            assert_eq!(truth.winner(&given, position.turn()), winner, "{position:?} {carrier:b}");
            checked += 1;
            outside += (board.empty() & !carrier).count_ones();
        }
    }
    assert!(checked > 500 && outside > 500, "{checked} {outside}");
}
