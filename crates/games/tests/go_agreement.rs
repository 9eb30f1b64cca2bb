//! Random games on all sizes: after every move the fast board, the naive board and V-Run's steps
//! agree.

use tesuji_core::{Player, Position, Rng, Seed};
use tesuji_games::go::reference::{Compared, Grouped, LibertyCount, LibertySet, Naive, ReferenceBoard, is_eye};
use tesuji_games::go::{Board, Go, GoMove, GoRules, KoRule, Point, Scoring};
use tesuji_testing::sized;

/// The judges of one game, move by move.
struct Judges {
    naive: Naive,
    compared: Compared,
    sets: Grouped<LibertySet>,
    counts: Grouped<LibertyCount>,
}

impl Judges {
    fn new(size: usize) -> Judges {
        let (naive, compared) = (Naive::new(size), Compared::new(size));
        Judges { naive, compared, sets: Grouped::new(size), counts: Grouped::new(size) }
    }

    fn play(&mut self, player: Player, mv: Option<usize>) {
        match mv {
            Some(point) => {
                let mut taken = [
                    self.naive.play(player, point),
                    self.compared.play(player, point),
                    self.sets.play(player, point),
                    self.counts.play(player, point),
                ];
                taken.iter_mut().for_each(|points| points.sort_unstable());
                assert!(taken.iter().all(|points| *points == taken[0]), "{taken:?}");
            }
            None => {
                self.naive.pass();
                self.compared.pass();
                self.sets.pass();
                self.counts.pass();
            }
        }
    }

    /// Everything that can be asked about the chain at a point, if there is one.
    fn compare_chain(&self, board: &Board, point: Point) {
        let number = |point: Point| board.number(point);
        let at = number(point);
        let mut liberties: Vec<usize> = board.liberties(point).into_iter().map(number).collect();
        liberties.sort_unstable();
        assert_eq!(liberties, self.naive.liberties(at), "liberties at {at}\n{board:?}");
        let mut chain: Vec<usize> = board.chain(point).map(number).collect();
        chain.sort_unstable();
        assert_eq!(chain, self.naive.chain(at), "chain at {at}\n{board:?}");
        assert_eq!(board.chain_size(point), chain.len());
        assert_eq!(board.in_atari(point), liberties.len() == 1, "atari at {at}\n{board:?}");
        if let [last] = liberties[..] {
            assert_eq!(board.last_liberty(point).map(number), Some(last));
        }
        let pairs: usize = chain
            .iter()
            .flat_map(|&stone| tesuji_games::go::reference::neighbours(board.size(), stone))
            .filter(|&n| self.naive.stone(n).is_none())
            .count();
        assert_eq!(board.pseudo_liberties(point), pairs);
    }

    /// Everything that can be asked about the position after a move, with `player` to move.
    fn compare(&self, board: &Board, player: Player) {
        let number = |point: Point| board.number(point);
        let mut first_of = vec![None; board.size() * board.size()];
        for (at, point) in board.points().enumerate() {
            assert_eq!(number(point), at);
            assert_eq!(board.stone_at(point), self.naive.stone(at), "stones at {at}\n{board:?}");
            if let Some(first) = first_of[at] {
                // A chain is judged at its first stone; its other stones say the same of it.
                assert_eq!(board.chain_size(point), board.chain_size(first));
                assert_eq!(board.in_atari(point), board.in_atari(first));
                assert_eq!(board.last_liberty(point), board.last_liberty(first));
                assert_eq!(board.pseudo_liberties(point), board.pseudo_liberties(first));
            } else {
                self.compare_chain(board, point);
                self.naive.chain(at).into_iter().for_each(|stone| first_of[stone] = Some(point));
            }
            let legal = board.is_legal(player, point);
            assert_eq!(legal, self.naive.is_legal(player, at), "legality at {at} for {player}\n{board:?}");
            assert_eq!(legal, self.compared.is_legal(player, at));
            assert_eq!(legal, self.sets.is_legal(player, at));
            assert_eq!(legal, self.counts.is_legal(player, at));
            for owner in Player::BOTH {
                assert_eq!(board.is_eye(owner, point), is_eye(&self.naive, owner, at), "eye at {at}\n{board:?}");
            }
            if board.is_empty(point) && !board.is_suicide(player, point) {
                assert_eq!(board.is_ko(player, point), self.naive.repeats(player, at), "ko at {at}\n{board:?}");
            }
            if legal {
                let mut after = board.clone();
                assert!(after.try_play(player, point));
                assert_eq!(after.hash(), board.hash_after(player, point));
            }
        }
        assert_eq!(board.ko().map(number), self.counts.ko());
        assert_eq!(board.hash(), board.recomputed_hash());
        for owner in Player::BOTH {
            assert_eq!(board.lost(owner), self.naive.lost(owner));
            let count = self.naive.stones().iter().filter(|stone| **stone == Some(owner)).count();
            assert_eq!(board.stones(owner) as usize, count);
        }
        assert_eq!(Scoring::Area.difference(board), self.naive.area_difference());
        assert_eq!(
            Scoring::Area.difference_when_filled(board),
            tesuji_games::go::reference::filled_difference(&self.naive)
        );
    }
}

/// One random game, judged after every `pace`-th move. Eyes are filled too, so that captures are
/// many.
fn judged_game(size: usize, seed: u64, pace: u32) -> u32 {
    let rules = GoRules { ko: KoRule::Simple, move_limit: Some(3 * (size * size) as u32 + 20), ..GoRules::on(size) };
    let mut go = Go::new(rules).expect("the rules are possible");
    let mut rng = Rng::new(Seed(seed)).split(size as u64);
    let mut judges = Judges::new(size);
    let careful = rng.below(2) == 0;
    while go.outcome().is_none() {
        let player = go.turn();
        let mut mv = go.random_move(&mut rng).expect("a move");
        for _ in 0..10 {
            // Half of the games spare their eyes, and so last.
            let fills = mv.point().is_some_and(|point| go.board().is_eye(player, point));
            if careful && (fills || mv == GoMove::PASS) {
                mv = go.random_move(&mut rng).expect("a move");
            }
        }
        assert!(go.is_legal(mv));
        judges.play(player, mv.point().map(|point| go.board().number(point)));
        go.play(mv);
        if go.moves_played().is_multiple_of(pace) {
            judges.compare(go.board(), go.turn());
        }
        assert_eq!(go.hash(), go.recomputed_hash());
    }
    judges.compare(go.board(), go.turn());
    go.moves_played()
}

#[test]
fn random_games_agree_with_the_judges() {
    for size in 2..=9 {
        for seed in 0..(600 / (size * size)) as u64 {
            judged_game(size, seed, 1);
        }
    }
    for size in [11, 13, 16, 19, 22, 25] {
        judged_game(size, 1, 41);
    }
}

/// Judges many games of one size, shared out over the processors.
fn judge_all(size: usize, games: u64) {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            scope.spawn(move || {
                for seed in (worker..games).step_by(workers as usize) {
                    judged_game(size, seed, 1);
                }
            });
        }
    });
}

/// 10⁵ games on 2×2 to 9×9 and 2,000 on 13×13 and 19×19 take a quarter of an hour.
#[test]
fn random_games_on_all_processors_agree_with_the_judges() {
    [19, 13].into_iter().for_each(|size| judge_all(size, sized(2, 1_000)));
    (2..=9).rev().for_each(|size| judge_all(size, sized(10, 12_500)));
}

/// Superko judged by a list of all boards so far.
#[test]
fn superko_agrees_with_a_list_of_boards() {
    for (size, games) in [(2, 400), (3, 100), (4, 20), (5, 4)] {
        for seed in 0..games {
            for (ko, suicide) in [
                (KoRule::Positional, "forbidden"),
                (KoRule::Situational, "forbidden"),
                (KoRule::Positional, "allowed"),
                (KoRule::Situational, "allowed"),
            ] {
                superko_game(size, seed, ko, suicide);
            }
        }
    }
}

fn superko_game(size: usize, seed: u64, ko: KoRule, suicide: &str) {
    let suicide = suicide.parse().expect("a rule");
    let mut go = Go::new(GoRules { ko, suicide, ..GoRules::on(size) }).expect("possible rules");
    let simple = GoRules { ko: KoRule::Simple, ..*go.rules() };
    let stones =
        |go: &Go| -> Vec<Option<Player>> { go.board().points().map(|point| go.board().stone_at(point)).collect() };
    let key = |go: &Go| (stones(go), if ko == KoRule::Situational { Some(go.turn()) } else { None });
    let mut past = vec![key(&go)];
    let mut rng = Rng::new(Seed(seed)).split(size as u64);
    while go.outcome().is_none() {
        let list: Vec<(Player, usize, usize)> = go
            .board()
            .points()
            .filter_map(|point| {
                let (column, row) = go.board().column_row(point);
                go.board().stone_at(point).map(|owner| (owner, column, row))
            })
            .collect();
        let loose = Go::with_stones(simple, &list, go.turn()).expect("a legal board");
        for mv in (0..go.move_space()).filter_map(|index| go.move_at(index)) {
            let mut expected = loose.is_legal(mv);
            if expected && mv != GoMove::PASS {
                let mut next = loose.clone();
                next.play(mv);
                expected = !past.contains(&key(&next));
            }
            assert_eq!(go.is_legal(mv), expected, "{mv:?} in\n{:?}", go.board());
        }
        let mv = go.random_move(&mut rng).expect("a move");
        let before = go.clone();
        let undo = go.make(mv);
        let after = go.clone();
        go.unmake(mv, undo);
        assert!(go == before && go.moves() == before.moves() && go.hash() == before.hash());
        go.play(mv);
        assert!(go == after && go.moves() == after.moves());
        past.push(key(&go));
        assert_eq!(go.hash(), go.recomputed_hash());
    }
}
