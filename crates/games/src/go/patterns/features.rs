//! The features of a move of Go. See the table in `mod.rs`.

use super::code::{canonical, code_at, drawn, exchanged};
use crate::go::board::Board;
use crate::go::heuristic::has_two_liberties;
use crate::go::layout::{Point, stone};
use crate::go::liberties::{is_one_point, only_liberty};
use crate::go::position::{Go, GoMove};
use tesuji_core::{Feature, FeatureSet, MoveFeatures, Player, Position, Teams};

/// The name of the features of playouts.
pub const PLAYOUT_FEATURES: &str = "go-playout-1";
/// The name of the features of trees.
pub const TREE_FEATURES: &str = "go-tree-1";

/// Keys of a pass among the surroundings: after a stone, and after a pass.
const PASS: u32 = 0xf0_0000;
/// Distances from here on are one.
const FAR: u32 = 17;

/// Groups.
pub(super) const SURROUNDINGS: u8 = 0;
pub(super) const NEARNESS: u8 = 1;
pub(super) const ANSWER: u8 = 2;
const BEFORE: u8 = 3;
const LINE: u8 = 4;
const CAPTURE: u8 = 5;
const SELF_ATARI: u8 = 6;
const ATARI: u8 = 7;
const SECURES: u8 = 8;

/// Keys of answers: extending a chain in atari, extending it in vain, capturing what attacks it.
pub(super) const EXTEND: u8 = 1;
pub(super) const IN_VAIN: u8 = 2;
pub(super) const TAKE: u8 = 3;

/// Features of moves of Go.
#[derive(Clone, Copy, Debug)]
pub struct GoFeatures(pub FeatureSet);

impl MoveFeatures<Go> for GoFeatures {
    fn name(&self) -> &'static str {
        match self.0 {
            FeatureSet::Playout => PLAYOUT_FEATURES,
            FeatureSet::Tree => TREE_FEATURES,
        }
    }

    fn groups(&self) -> &'static [&'static str] {
        match self.0 {
            FeatureSet::Playout => &["surroundings", "nearness", "answer"],
            FeatureSet::Tree => {
                &["surroundings", "nearness", "answer", "before", "line", "capture", "self-atari", "atari", "secures"]
            }
        }
    }

    fn explain(&self, feature: Feature) -> String {
        let key = feature.key();
        let of = |words: &[&str]| words.get(key as usize).map_or_else(|| key.to_string(), |word| (*word).to_string());
        match (feature.group() as u8, self.0) {
            (SURROUNDINGS, _) if key == PASS => "pass".into(),
            (SURROUNDINGS, _) if key == PASS + 1 => "pass after a pass".into(),
            (SURROUNDINGS, _) => drawn(key),
            (NEARNESS, FeatureSet::Playout) => of(&["", "beside the last stone", "diagonally next to the last stone"]),
            (NEARNESS, FeatureSet::Tree) => format!("distance {key} to the last stone"),
            (ANSWER, _) => of(&["", "extends a chain in atari", "extends it in vain", "captures what attacks it"]),
            (BEFORE, _) => format!("distance {key} to the last stone but one"),
            (LINE, _) => format!("line {key}"),
            (CAPTURE, _) => of(&["", "captures a stone", "captures two", "captures three or more"]),
            (SELF_ATARI, _) => of(&["", "self-atari of a stone", "of two", "of three to five", "of six or more"]),
            (ATARI, _) => of(&["", "atari", "atari on the last stone"]),
            (SECURES, _) => of(&["", "gives a chain a third liberty", "joins chains"]),
            _ => key.to_string(),
        }
    }

    fn list(&self, position: &Go, moves: &[GoMove], teams: &mut Teams) {
        let view = View::of(position);
        for mv in moves {
            match mv.point() {
                None => teams.add(Feature::new(SURROUNDINGS, PASS + u32::from(position.passes() > 0))),
                Some(point) => match self.0 {
                    FeatureSet::Playout => view.list_for_playout(point, teams),
                    FeatureSet::Tree => view.list_for_tree(point, teams),
                },
            }
            teams.end();
        }
    }
}

/// Answers to the last stone: points with their keys. No allocation: few chains touch one stone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answers {
    list: [(u16, u8); Answers::MOST],
    count: usize,
}

impl Answers {
    const MOST: usize = 12;

    /// The answers of `mover` to an enemy stone on `last`.
    pub(super) fn to(board: &Board, mover: Player, last: Point) -> Answers {
        let mut answers = Answers::default();
        for start in board.neighbours(last).map(Point::index) {
            if let Some(liberty) = only_liberty(board.sums_of(start, stone(mover.index() as u16))) {
                answers.for_chain(board, mover, start, liberty);
            }
        }
        answers
    }

    /// The answers to a chain in atari, given one of its stones and its liberty. O(stones of the chain).
    pub(super) fn for_chain(&mut self, board: &Board, mover: Player, start: usize, liberty: usize) {
        let stride = board.size() + 1;
        let enemy = stone(mover.other().index() as u16);
        // A chain with one liberty that touches a point has it there, if the point is empty.
        let in_atari = |at: usize| is_one_point(board.sums_of(at, enemy));
        let beside = |index: usize| [index + stride, index + 1, index - stride, index - 1];
        let any = |index: usize| beside(index).into_iter().fold(false, |any, at| any | in_atari(at));
        let key = if any(liberty) {
            TAKE
        } else if board.liberties_after(mover, Point(liberty as u16)) >= 2 {
            EXTEND
        } else {
            IN_VAIN
        };
        self.put(liberty, key);
        let mut at = start;
        loop {
            if any(at) {
                for next in beside(at) {
                    if let Some(taken) = only_liberty(board.sums_of(next, enemy)) {
                        self.put(taken, TAKE);
                    }
                }
            }
            at = usize::from(board.slots[at].link);
            if at == start {
                break;
            }
        }
    }

    fn put(&mut self, index: usize, key: u8) {
        let point = index as u16;
        if let Some(known) = self.list[..self.count].iter_mut().find(|known| known.0 == point) {
            known.1 = known.1.max(key);
        } else if self.count < Answers::MOST {
            self.list[self.count] = (point, key);
            self.count += 1;
        }
    }

    /// The key of a point, 0 for none.
    pub(super) fn key(&self, point: Point) -> u8 {
        self.list[..self.count].iter().find(|known| known.0 == point.0).map_or(0, |known| known.1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Point, u8)> {
        self.list[..self.count].iter().map(|(point, key)| (Point(*point), *key))
    }
}

/// A number of surroundings as the player sees it.
pub(super) const fn seen_by(player: Player, code: u32) -> u32 {
    match player {
        Player::First => code,
        Player::Second => exchanged(code),
    }
}

/// What is the same for all moves of a position.
struct View<'a> {
    board: &'a Board,
    mover: Player,
    last: Option<Point>,
    before: Option<Point>,
    answers: Answers,
    stride: usize,
}

impl View<'_> {
    fn of(position: &Go) -> View<'_> {
        let board = position.board();
        let [last, before] = position.last_moves().map(GoMove::point);
        let mover = position.turn();
        // After a turn that was changed by hand, the last stone may be an own one.
        let last = last.filter(|point| board.stone_at(*point) == Some(mover.other()));
        let answers = last.map_or_else(Answers::default, |last| Answers::to(board, mover, last));
        View { board, mover, last, before, answers, stride: board.size() + 1 }
    }

    fn distance(&self, one: Point, other: Point) -> u32 {
        let (a, b) = (self.board.column_row(one), self.board.column_row(other));
        let (x, y) = (a.0.abs_diff(b.0) as u32, a.1.abs_diff(b.1) as u32);
        (x + y + x.max(y)).min(FAR)
    }

    fn surroundings(&self, point: Point, teams: &mut Teams) -> u32 {
        let code = seen_by(self.mover, code_at(self.board, point.index(), self.stride));
        teams.add(Feature::new(SURROUNDINGS, canonical(code)));
        code
    }

    fn answer(&self, point: Point, teams: &mut Teams) {
        let key = self.answers.key(point);
        if key > 0 {
            teams.add(Feature::new(ANSWER, u32::from(key)));
        }
    }

    fn list_for_playout(&self, point: Point, teams: &mut Teams) {
        self.surroundings(point, teams);
        if let Some(last) = self.last {
            match self.distance(point, last) {
                2 => teams.add(Feature::new(NEARNESS, 1)),
                3 => teams.add(Feature::new(NEARNESS, 2)),
                _ => {}
            }
        }
        self.answer(point, teams);
    }

    fn list_for_tree(&self, point: Point, teams: &mut Teams) {
        let code = self.surroundings(point, teams);
        if let Some(last) = self.last {
            teams.add(Feature::new(NEARNESS, self.distance(point, last)));
        }
        self.answer(point, teams);
        if let Some(before) = self.before {
            teams.add(Feature::new(BEFORE, self.distance(point, before)));
        }
        let (column, row) = self.board.column_row(point);
        let far = self.board.size() - 1;
        let line = column.min(row).min(far - column).min(far - row) + 1;
        teams.add(Feature::new(LINE, line.min(5) as u32));
        self.list_stones(point, code, teams);
    }

    /// Features of the chains around.
    fn list_stones(&self, point: Point, code: u32, teams: &mut Teams) {
        let (board, index) = (self.board, point.index());
        let beside = [index + self.stride, index + 1, index - self.stride, index - 1].map(|n| Point(n as u16));
        let (mut taken, mut own_stones, mut own_chains) = (0, 0, 0);
        let (mut weak, mut gives_atari, mut on_last) = (false, false, false);
        for (number, &next) in beside.iter().enumerate() {
            let Some(owner) = board.stone_at(next) else { continue };
            if beside[..number].iter().any(|other| board.same_chain(*other, next)) {
                continue;
            }
            let stones = board.chain_size(next);
            match (owner == self.mover, board.in_atari(next)) {
                (false, true) => taken += stones,
                (false, false) => {
                    if has_two_liberties(board, next) {
                        gives_atari = true;
                        on_last |= self.last.is_some_and(|last| board.same_chain(last, next));
                    }
                }
                (true, in_atari) => {
                    own_stones += stones;
                    own_chains += 1;
                    weak |= in_atari || has_two_liberties(board, next);
                }
            }
        }
        if taken > 0 {
            teams.add(Feature::new(CAPTURE, taken.min(3) as u32));
        }
        let room = (0..4).filter(|side| code >> (4 * side) & 3 == 0).count();
        let liberties = if taken == 0 && room < 2 { board.liberties_after(self.mover, point) } else { 2 };
        if liberties <= 1 {
            let key = match own_stones + 1 {
                1 => 1,
                2 => 2,
                3..=5 => 3,
                _ => 4,
            };
            teams.add(Feature::new(SELF_ATARI, key));
        } else if own_chains > 1 && weak {
            teams.add(Feature::new(SECURES, 2));
        } else if weak && room >= 2 {
            teams.add(Feature::new(SECURES, 1));
        }
        if gives_atari {
            teams.add(Feature::new(ATARI, 1 + u32::from(on_last)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ANSWER, ATARI, Answers, CAPTURE, EXTEND, GoFeatures, IN_VAIN, NEARNESS, SECURES, SELF_ATARI, TAKE};
    use crate::go::board::Board;
    use crate::go::layout::Point;
    use crate::go::{Go, GoMove, GoRules};
    use std::collections::{BTreeMap, BTreeSet};
    use tesuji_core::{Feature, FeatureSet, MoveFeatures, Notation, Player, Position, Rng, Seed, Teams};

    fn played(size: usize, moves: &str) -> Go {
        let mut go = Go::new(GoRules { size, ..GoRules::default() }).expect("a board");
        for text in moves.split_whitespace() {
            let mv = go.read_move(text).expect("a legal move");
            go.play(mv);
        }
        go
    }

    /// The keys of a move in a group.
    fn key(go: &Go, mv: &str, group: u8) -> Option<u32> {
        let mv = go.read_move(mv).expect("a legal move");
        let mut teams = Teams::default();
        GoFeatures(FeatureSet::Tree).list(go, &[mv], &mut teams);
        teams.iter().next()?.iter().find(|feature| feature.group() == usize::from(group)).map(|feature| feature.key())
    }

    #[test]
    fn features_by_hand() {
        // White's stone on d5 puts d4 into atari: it can be extended to d3.
        let go = played(9, "d4 c4 g7 e4 g6 d5");
        assert_eq!(key(&go, "d3", ANSWER), Some(u32::from(EXTEND)));
        assert_eq!(key(&go, "d3", NEARNESS), Some(4), "two rows: 0 + 2 + 2");
        assert_eq!(key(&go, "d3", SECURES), Some(1), "it has three liberties then");
        assert_eq!(key(&go, "c5", NEARNESS), Some(2));
        assert_eq!(key(&go, "e6", NEARNESS), Some(3));
        assert_eq!(key(&go, "d3", CAPTURE), None);
        // A stone on the edge in atari: its extension along the edge has one liberty, so it is in vain.
        let go = played(9, "d1 d2 h8 e2 h7 c1");
        assert_eq!(key(&go, "e1", ANSWER), Some(u32::from(IN_VAIN)));
        assert_eq!(key(&go, "e1", SELF_ATARI), Some(2), "of two stones");
        // White's a3 puts a2 into atari; b2, which attacks it too, can be captured at c2.
        let go = played(9, "b3 b2 b1 e9 a2 a3");
        assert_eq!(key(&go, "c2", ANSWER), Some(u32::from(TAKE)));
        assert_eq!(key(&go, "c2", CAPTURE), Some(1));
        // Atari on the last stone.
        let go = played(9, "d4 e9 f4 e8 a1 e4");
        assert_eq!(key(&go, "e5", ATARI), Some(2));
    }

    /// The answers as they are defined, by walks over all stones of all chains.
    fn answers_by_definition(board: &Board, mover: Player, last: Point) -> BTreeMap<u16, u8> {
        let mut answers = BTreeMap::new();
        let mut put = |point: Point, key: u8| {
            let known = answers.entry(point.0).or_insert(key);
            *known = key.max(*known);
        };
        let is_of = |at: Point, player: Player| board.stone_at(at) == Some(player);
        for stone in board.neighbours(last).filter(|at| is_of(*at, mover) && board.in_atari(*at)) {
            let liberty = board.last_liberty(stone).expect("it has one");
            let extended: BTreeSet<Point> = board
                .neighbours(liberty)
                .flat_map(|at| if is_of(at, mover) { board.liberties(at) } else { vec![at] })
                .filter(|at| board.is_empty(*at) && *at != liberty)
                .collect();
            let key = match (board.captures(mover, liberty).count(), extended.len()) {
                (1.., _) => TAKE,
                (_, 2..) => EXTEND,
                _ => IN_VAIN,
            };
            put(liberty, key);
            for enemy in board.chain(stone).flat_map(|own| board.neighbours(own)) {
                if is_of(enemy, mover.other()) && board.in_atari(enemy) {
                    put(board.last_liberty(enemy).expect("it has one"), TAKE);
                }
            }
        }
        answers
    }

    #[test]
    fn answers_are_those_of_the_definition() {
        let mut keys = [0_u32; 4];
        for (size, seed) in [(5, 1), (9, 2), (9, 3), (13, 4)] {
            let mut rng = Rng::new(Seed(seed));
            let mut go = Go::new(GoRules { size, ..GoRules::default() }).expect("a board");
            while let Some(mv) = go.playout_move(&mut rng).filter(|_| go.moves_played() < 3 * size as u32 * size as u32)
            {
                go.play(mv);
                let Some(last) = mv.point() else { continue };
                let found: BTreeMap<u16, u8> =
                    Answers::to(go.board(), go.turn(), last).iter().map(|(point, key)| (point.0, key)).collect();
                assert_eq!(found, answers_by_definition(go.board(), go.turn(), last), "{:?}", go.board());
                found.values().for_each(|key| keys[usize::from(*key)] += 1);
            }
        }
        assert!(keys[1..].iter().all(|count| *count > 10), "{keys:?}");
    }

    /// The eight images of a board have the same features.
    #[test]
    fn images_of_a_board_have_the_same_features() {
        let (mut rng, size) = (Rng::new(Seed(12)), 7);
        let image = |number: usize, (column, row): (usize, usize)| {
            let column = if number & 1 == 1 { size - 1 - column } else { column };
            let row = if number & 2 == 2 { size - 1 - row } else { row };
            if number & 4 == 4 { (row, column) } else { (column, row) }
        };
        for _ in 0..4 {
            let mut boards: Vec<Go> =
                (0..8).map(|_| Go::new(GoRules { size, ..GoRules::default() }).expect("a board")).collect();
            for _ in 0..70 {
                let Some(mv) = boards[0].playout_move(&mut rng) else { break };
                let moved = |go: &Go, number: usize, mv: GoMove| match mv.point() {
                    None => GoMove::PASS,
                    Some(point) => {
                        let (column, row) = image(number, boards[0].board().column_row(point));
                        GoMove::stone(go.board().point(column, row).expect("on the board"))
                    }
                };
                for set in FeatureSet::ALL {
                    let mut lists: Vec<Teams> = Vec::new();
                    for (number, go) in boards.iter().enumerate() {
                        let moves: Vec<GoMove> =
                            boards[0].moves().into_iter().map(|mv| moved(go, number, mv)).collect();
                        let mut teams = Teams::default();
                        GoFeatures(set).list(go, &moves, &mut teams);
                        lists.push(teams);
                    }
                    assert!(lists.iter().all(|list| *list == lists[0]), "{:?}", boards[0].board());
                }
                let all: Vec<GoMove> = boards.iter().enumerate().map(|(number, go)| moved(go, number, mv)).collect();
                boards.iter_mut().zip(all).for_each(|(go, mv)| go.play(mv));
            }
        }
    }

    /// A move has at most one feature of each group, all of them known by name.
    #[test]
    fn one_feature_of_each_group() {
        let mut go = Go::new(GoRules { size: 9, ..GoRules::default() }).expect("a board");
        let mut rng = Rng::new(Seed(1));
        for _ in 0..60 {
            for set in FeatureSet::ALL {
                let features = GoFeatures(set);
                let (moves, mut teams) = (go.moves(), Teams::default());
                features.list(&go, &moves, &mut teams);
                assert_eq!(teams.len(), moves.len());
                for team in teams.iter() {
                    let groups: Vec<usize> = team.iter().map(|feature| feature.group()).collect();
                    assert!(groups.is_sorted_by(|one, other| one < other) || set == FeatureSet::Tree, "{groups:?}");
                    let mut sorted = groups.clone();
                    sorted.sort_unstable();
                    sorted.dedup();
                    assert_eq!(sorted.len(), groups.len(), "{groups:?}");
                    assert!(groups.iter().all(|group| *group < features.groups().len()));
                    assert!(team.iter().all(|feature| !features.explain(Feature(feature.0)).is_empty()));
                }
            }
            let mv = go.playout_move(&mut rng).expect("a move");
            go.play(mv);
        }
    }
}
