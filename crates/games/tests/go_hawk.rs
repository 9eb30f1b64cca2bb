//! Hawk's Go as programmed, against a port of the rules of `GoGame.java` (Hawk 2017, appendix B),
//! and the playouts of V-Run and Hawk.

use tesuji_core::{Notation, Player, Position, RecordMoves, Rng, Seed};
use tesuji_games::go::{Go, GoMove, GoRules, KoRule, Komi, PassRule, PlayoutRule, Scoring, SuicideRule};

fn as_programmed(size: usize) -> GoRules {
    GoRules {
        komi: Komi(0),
        ko: KoRule::None,
        suicide: SuicideRule::Strict,
        scoring: Scoring::Hawk,
        passes: PassRule::Continue,
        playouts: PlayoutRule::Uniform,
        ..GoRules::on(size)
    }
}

/// The board of the Java program: `X`, `O` and `-`.
#[derive(Clone, PartialEq, Debug)]
struct Port {
    size: usize,
    cells: Vec<u8>,
}

impl Port {
    /// `resolveBoard(board, size, x, y, floodChar)`: the board without the group at a point, if the
    /// group touches no empty point.
    fn resolved_at(&self, start: usize) -> Port {
        let mut without = self.clone();
        let (mut queue, mut at) = (vec![start], 0);
        while at < queue.len() {
            let point = queue[at];
            at += 1;
            without.cells[point] = b'-';
            for next in tesuji_games::go::reference::neighbours(self.size, point) {
                if self.cells[next] == b'-' {
                    return self.clone();
                }
                if self.cells[next] == self.cells[start] && !queue.contains(&next) {
                    queue.push(next);
                }
            }
        }
        without
    }

    /// `resolveBoard(board, size)`: all points in turn.
    fn resolved(&self) -> Port {
        let mut board = self.clone();
        for point in 0..self.cells.len() {
            if board.cells[point] != b'-' {
                board = board.resolved_at(point);
            }
        }
        board
    }

    fn with(&self, point: usize, piece: u8) -> Port {
        let mut next = self.clone();
        next.cells[point] = piece;
        next
    }

    /// `getPossibleMoves`, without the pass.
    fn stones(&self, piece: u8) -> Vec<usize> {
        let stays = |point: &usize| self.with(*point, piece).resolved_at(*point).cells[*point] == piece;
        (0..self.cells.len()).filter(|point| self.cells[*point] == b'-').filter(stays).collect()
    }

    /// `gameFinished` without the limit of 250 moves.
    fn is_finished(&self) -> bool {
        self.stones(b'X').is_empty() && self.stones(b'O').is_empty()
    }

    /// `calculateScore`.
    fn score(&self) -> i32 {
        let worth = |cell: &u8| i32::from(*cell == b'X') - i32::from(*cell == b'O');
        self.cells.iter().map(worth).sum()
    }
}

fn piece(player: Player) -> u8 {
    if player == Player::First { b'X' } else { b'O' }
}

fn stones_of(go: &Go) -> Vec<usize> {
    go.moves().into_iter().filter_map(GoMove::point).map(|point| go.board().number(point)).collect()
}

#[test]
fn random_games_are_those_of_the_java_program() {
    let (mut captures, mut finished, mut refused) = (0, 0, 0);
    for seed in 0..60 {
        let size = 2 + seed as usize % 5;
        let mut go = Go::new(as_programmed(size)).expect("possible rules");
        let mut port = Port { size, cells: vec![b'-'; size * size] };
        let mut rng = Rng::new(Seed(seed));
        while go.outcome().is_none() {
            let own = piece(go.turn());
            assert_eq!(stones_of(&go), port.stones(own), "{}", go.view());
            assert!(go.moves().contains(&GoMove::PASS));
            refused += go
                .board()
                .points()
                .filter(|point| {
                    let (turn, point) = (go.turn(), *point);
                    go.board().is_empty(point)
                        && !go.board().is_suicide(turn, point)
                        && go.board().is_breathless(turn, point)
                })
                .count();
            let mv = go.random_move(&mut rng).expect("live");
            if let Some(point) = mv.point() {
                let placed = port.with(go.board().number(point), own);
                port = placed.resolved();
                captures += i32::from(port != placed);
            }
            go.play(mv);
            let cells: Vec<u8> =
                go.board().points().map(|point| go.board().stone_at(point).map_or(b'-', piece)).collect();
            assert_eq!(cells, port.cells, "{}", go.view());
        }
        assert_eq!(go.outcome().expect("ended").margin, 2 * port.score());
        assert!(port.is_finished() || go.moves_played() == 250, "{}", go.view());
        finished += i32::from(port.is_finished());
    }
    assert!(
        captures > 100 && finished > 5 && refused > 100,
        "{captures} captures, {finished} finished, {refused} refused"
    );
}

/// The stone that would retake a ko has no liberty before its capture: suicide for Hawk.
#[test]
fn a_capture_without_a_liberty_is_suicide() {
    let stones = [
        (Player::First, 1, 3),
        (Player::First, 0, 2),
        (Player::First, 1, 1),
        (Player::Second, 2, 3),
        (Player::Second, 1, 2),
        (Player::Second, 3, 2),
        (Player::Second, 2, 1),
    ];
    let start = |suicide| {
        let rules = GoRules { suicide, ..as_programmed(4) };
        Go::with_stones(rules, &stones, Player::First).expect("a legal board")
    };
    assert!(start(SuicideRule::Forbidden).read_move("C3").is_ok(), "it captures B3");
    let refused = start(SuicideRule::Strict).read_move("C3").expect_err("no liberty of its own");
    assert!(refused.to_string().contains("suicide"), "{refused}");
}

#[test]
fn two_passes_end_only_what_is_finished() {
    let mut go = Go::new(as_programmed(3)).expect("possible rules");
    for _ in 0..6 {
        go.play(GoMove::PASS);
        assert_eq!(go.outcome(), None, "there are stones to play");
    }
    // Black has two eyes and White nothing: only Black could play, and would fill an eye.
    let stones: Vec<_> =
        [(0, 1), (1, 1), (2, 1), (1, 0), (0, 2), (1, 2), (2, 2)].map(|(x, y)| (Player::First, x, y)).into();
    let mut filled = Go::with_stones(as_programmed(3), &stones, Player::First).expect("a legal board");
    filled.play(GoMove::PASS);
    filled.play(GoMove::PASS);
    assert_eq!(filled.outcome(), None, "Black can still play A1");
    let ended = GoRules { passes: PassRule::End, ..as_programmed(3) };
    let mut ended = Go::with_stones(ended, &stones, Player::First).expect("a legal board");
    ended.play(GoMove::PASS);
    ended.play(GoMove::PASS);
    assert_eq!(ended.outcome().map(|outcome| outcome.margin), Some(14));
}

/// Hawk's playouts draw among all moves, the pass included: 1 of 26 on an empty 5×5 board.
#[test]
fn uniform_playouts_pass_as_often_as_they_play_a_point() {
    let start = Go::new(as_programmed(5)).expect("possible rules");
    let mut rng = Rng::new(Seed(1));
    let mut firsts = vec![0; 26];
    for _ in 0..2_600 {
        let (mut go, mut record) = (start.clone(), RecordMoves::default());
        let outcome = go.playout(&mut rng, &mut record);
        assert!(record.0.len() <= 250 && outcome.margin.abs() <= 50);
        firsts[start.move_index(record.0[0].1)] += 1;
    }
    // The mean is 100, the standard deviation below 10.
    assert!(firsts.iter().all(|count| (60..=140).contains(count)), "{firsts:?}");
}

/// V-Run keeps a point "fully surrounded by the same group": the corner between two chains is
/// filled, that of one chain is not.
#[test]
fn one_chain_eyes_are_kept_and_others_are_not() {
    let stones =
        [(0, 1), (1, 0), (3, 3), (3, 2), (4, 3), (2, 3), (2, 4), (3, 4), (4, 2)].map(|(x, y)| (Player::First, x, y));
    let filled = |playouts: PlayoutRule| {
        let rules = GoRules { playouts, ..GoRules::on(5) };
        let go = Go::with_stones(rules, &stones, Player::First).expect("a legal board");
        let mut rng = Rng::new(Seed(2));
        let mut seen = [false; 2];
        for _ in 0..600 {
            let mut record = RecordMoves::default();
            go.clone().playout(&mut rng, &mut record);
            for mv in [Some(record.0[0].1), go.playout_move(&mut rng)].into_iter().flatten() {
                // A1 between two chains, E5 inside one.
                seen[0] |= go.show_move(mv) == "A1";
                seen[1] |= go.show_move(mv) == "E5";
            }
        }
        seen
    };
    assert_eq!(filled(PlayoutRule::Eyes), [false, false]);
    assert_eq!(filled(PlayoutRule::OneChain), [true, false]);
    assert_eq!(filled(PlayoutRule::Uniform), [true, true]);
}
