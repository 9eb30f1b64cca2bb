//! Playouts of Go that sample moves by the strength of their patterns.
//!
//! **Policy.** As light playouts (no suicide, no filled eye, simple ko, pass only without another
//! move), but a point is drawn with probability proportional to
//!
//! > (γ(surroundings) · γ(nearness) · γ(answer))^(1/temperature)
//!
//! **Speed.** The number of the surroundings and their strength for both colours are kept for every
//! point. A stone changes the numbers of the eight points around it by two bits each, and the atari
//! bits of the last liberties of at most five chains; a capture also those around the stones taken.
//! A point that is taken or off the board has a number without strength that no stone beside it
//! changes, so that all eight are treated alike, without branches. Nearness and answers concern a
//! few points around the last stone, which are weighed for each draw (`sampler.rs`); which chains
//! the last stone put into atari is known from bringing the numbers up to date. Nothing is
//! allocated.
//!
//! `reference` in the tests computes the same probabilities from [`GoFeatures`](super::GoFeatures).

use super::code::{ATARI, atari_at, code_at, ring};
use super::features::Answers;
use super::tables::Tables;
use crate::go::board::Board;
use crate::go::layout::{CHAIN, EMPTY, Point, SLOTS, STONE_SHIFT, stone};
use crate::go::liberties::{is_one_point, only_liberty};
use crate::go::position::{Go, GoMove};
use crate::sampler::{Both, Sampler};
use std::sync::Arc;
use tesuji_core::{Gammas, Outcome, PatternPlayout, Player, Position, RecordMoves, Rng};

/// Rows of the largest board, with one of the rim on either side.
const ROWS: usize = 27;
/// The number of a point that is taken or off the board: surrounded by what is off the board. It has
/// no strength, and stones beside it leave it as it is.
const TAKEN: u32 = 0xffff;

/// Playouts of Go by learned patterns.
pub struct GoPlayout {
    tables: Arc<Tables>,
    state: Box<State>,
}

impl GoPlayout {
    /// Playouts by the strengths that are built in.
    pub(super) fn new(gammas: &'static Gammas, temperature: f64) -> GoPlayout {
        GoPlayout { tables: Tables::of(gammas, temperature), state: Box::new(State::new()) }
    }
}

impl PatternPlayout<Go> for GoPlayout {
    fn play(&mut self, position: &mut Go, rng: &mut Rng, record: Option<&mut RecordMoves<GoMove>>) -> Outcome {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let GoPlayout { tables, state } = self;
        match position.size() {
            9 => state.run::<10>(tables, position, rng, record),
            13 => state.run::<14>(tables, position, rng, record),
            19 => state.run::<20>(tables, position, rng, record),
            _ => state.run::<0>(tables, position, rng, record),
        }
        let rules = position.rules();
        rules.outcome(rules.scoring.difference_when_filled(position.board()))
    }

    fn fork(&self) -> Box<dyn PatternPlayout<Go>> {
        Box::new(GoPlayout { tables: self.tables.clone(), state: Box::new(State::new()) })
    }
}

/// What is kept up to date during a playout.
pub(super) struct State {
    /// The number of the surroundings of each empty point.
    codes: [u32; SLOTS],
    /// The strength of the surroundings of each point, for black and white; 0 where no stone may go.
    sampler: Sampler<SLOTS, ROWS>,
    /// The chains beside the last stone that are in atari: a stone and the liberty of each.
    pressed: [(u16, u16); 4],
    pressed_count: usize,
    /// The lines of the board for which `empty_codes` are.
    size: usize,
    /// The numbers of an empty board.
    empty_codes: [u32; SLOTS],
}

impl State {
    pub(super) fn new() -> State {
        State {
            codes: [TAKEN; SLOTS],
            sampler: Sampler::new(),
            pressed: [(0, 0); 4],
            pressed_count: 0,
            size: 0,
            empty_codes: [TAKEN; SLOTS],
        }
    }

    fn run<const STRIDE: usize>(
        &mut self,
        tables: &Tables,
        position: &mut Go,
        rng: &mut Rng,
        mut record: Option<&mut RecordMoves<GoMove>>,
    ) {
        let mut player = position.turn();
        let mut passed = position.passes() != 0;
        let mut left = (3 * position.board().area() as u32).min(position.moves_left());
        let mut last = position.last_moves()[0].point();
        self.begin::<STRIDE>(tables, position.board());
        self.look_at_last(position.board(), player, &mut last);
        let board = &mut position.board;
        while left > 0 {
            left -= 1;
            let ko = self.forbid_ko::<STRIDE>(board, player);
            self.weigh_local::<STRIDE>(tables, board, player, last);
            let chosen = self.sampler.draw(player, Self::stride::<STRIDE>(board), rng);
            if let Some((ko, weights)) = ko {
                self.set::<STRIDE>(board, ko, weights);
            }
            match chosen {
                Some(index) => {
                    self.put::<STRIDE>(tables, board, player, index);
                    last = Some(Point(index as u16));
                    passed = false;
                }
                None => {
                    board.pass();
                    if passed {
                        left = 0;
                    }
                    (last, passed) = (None, true);
                }
            }
            if let Some(record) = &mut record {
                record.0.push((player, last.map_or(GoMove::PASS, GoMove::stone)));
            }
            player = player.other();
        }
    }

    #[inline(always)]
    fn stride<const STRIDE: usize>(board: &Board) -> usize {
        if STRIDE == 0 { board.size() + 1 } else { STRIDE }
    }

    /// Computes the numbers of an empty board, which only its edges decide.
    #[cold]
    fn prepare(&mut self, size: usize) {
        let board = Board::new(size);
        self.empty_codes = [TAKEN; SLOTS];
        for point in board.points() {
            self.empty_codes[point.index()] = code_at(&board, point.index(), size + 1);
        }
        self.size = size;
    }

    /// Computes everything for a board.
    pub(super) fn begin<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board) {
        let stride = Self::stride::<STRIDE>(board);
        if self.size != board.size() {
            self.prepare(board.size());
        }
        // Rows 0 to size + 1, and the corner beyond them.
        let used = (stride + 1) * stride + 1;
        self.codes[..used].copy_from_slice(&self.empty_codes[..used]);
        for index in stride + 1..stride * stride {
            let label = board.slots[index].label;
            let colour = u32::from(label >> STONE_SHIFT & 3);
            if colour != 0 {
                self.codes[index] = TAKEN;
                self.note(stride, index, colour);
            }
        }
        for index in stride + 1..stride * stride {
            let label = board.slots[index].label;
            if label >> STONE_SHIFT & 3 != 0
                && usize::from(label & CHAIN) == index
                && let Some(liberty) = board.last_liberty(Point(index as u16))
            {
                self.codes[liberty.index()] |= atari_at(board, liberty.index(), stride);
            }
        }
        self.sampler.clear();
        for row in 1..stride {
            for index in row * stride + 1..(row + 1) * stride {
                self.sampler.write(row, index, tables.weights(self.codes[index]));
            }
        }
    }

    /// The last stone before the playout, if it is an enemy's, and the chains beside it in atari.
    fn look_at_last(&mut self, board: &Board, player: Player, last: &mut Option<Point>) {
        *last = last.filter(|last| board.stone_at(*last) == Some(player.other()));
        self.pressed_count = 0;
        let Some(last) = *last else { return };
        for at in board.neighbours(last).map(Point::index) {
            if let Some(liberty) = only_liberty(board.sums_of(at, stone(player.index() as u16))) {
                self.press(board, at, liberty);
            }
        }
    }

    /// Notes a chain in atari beside the last stone, once.
    #[inline(always)]
    fn press(&mut self, board: &Board, at: usize, liberty: usize) {
        let label = board.slots[at].label;
        let known = &self.pressed[..self.pressed_count];
        if known.iter().all(|(other, _)| board.slots[usize::from(*other)].label != label) {
            self.pressed[self.pressed_count] = (at as u16, liberty as u16);
            self.pressed_count += 1;
        }
    }

    /// Writes a stone into the numbers of the points around it.
    #[inline(always)]
    fn note(&mut self, stride: usize, index: usize, colour: u32) {
        for (place, step) in ring(stride).into_iter().enumerate() {
            self.codes[index.wrapping_add_signed(step)] |= colour << (2 * ((place + 4) % 8));
        }
    }

    #[inline(always)]
    fn set<const STRIDE: usize>(&mut self, board: &Board, index: usize, weights: Both) {
        self.sampler.set(index / Self::stride::<STRIDE>(board), index, weights);
    }

    /// The strength of a point anew, from its number.
    #[inline(always)]
    fn refresh<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board, index: usize) {
        self.set::<STRIDE>(board, index, tables.weights(self.codes[index]));
    }

    /// The strengths of a point and the eight around it.
    #[inline(always)]
    fn refresh_around(&mut self, tables: &Tables, index: usize, stride: usize) {
        let mut of = |at: usize| self.sampler.exchange(at, tables.weights(self.codes[at]));
        let above = of(index + stride - 1) + of(index + stride) + of(index + stride + 1);
        let level = of(index - 1) + of(index) + of(index + 1);
        let below = of(index - stride - 1) + of(index - stride) + of(index - stride + 1);
        self.sampler.add_around(index / stride, [above, level, below]);
    }

    /// Takes the point that ko forbids out of the draw; returns it with its strengths.
    #[inline(always)]
    fn forbid_ko<const STRIDE: usize>(&mut self, board: &Board, player: Player) -> Option<(usize, Both)> {
        let ko = board.ko()?.index();
        Some((ko, self.sampler.forbid(ko / Self::stride::<STRIDE>(board), ko, player)))
    }

    /// The points around the last stone, which is an enemy's, and the answers to it, with their
    /// strengths.
    #[inline(always)]
    fn weigh_local<const STRIDE: usize>(
        &mut self,
        tables: &Tables,
        board: &Board,
        player: Player,
        last: Option<Point>,
    ) {
        self.sampler.begin();
        let Some(last) = last else { return };
        let stride = Self::stride::<STRIDE>(board);
        let around = ring(stride).map(|step| last.index().wrapping_add_signed(step));
        self.sampler.multiply_around(player, around, tables.around);
        if self.pressed_count > 0 {
            self.weigh_answers(tables, board, player, last, stride);
        }
    }

    /// The answers if the last stone put a chain into atari.
    #[inline(never)]
    fn weigh_answers(&mut self, tables: &Tables, board: &Board, player: Player, last: Point, stride: usize) {
        let mut answers = Answers::default();
        for &(at, liberty) in &self.pressed[..self.pressed_count] {
            answers.for_chain(board, player, usize::from(at), usize::from(liberty));
        }
        for (point, key) in answers.iter() {
            let away = point.index().abs_diff(last.index());
            let beside = usize::from(away == 1 || away == stride);
            let diagonal = usize::from(away == stride - 1 || away == stride + 1);
            self.sampler.multiply(player, point.index(), tables.local[beside + 2 * diagonal][usize::from(key)]);
        }
    }

    /// Plays a stone and brings everything up to date.
    #[inline(always)]
    fn put<const STRIDE: usize>(&mut self, tables: &Tables, board: &mut Board, player: Player, index: usize) {
        let stride = Self::stride::<STRIDE>(board);
        let freed = board.empty_count() - 1;
        let played = board.settle::<false, STRIDE>(player, index);
        debug_assert!(played, "points without a legal move have no strength");
        self.codes[index] = TAKEN;
        if board.empty_count() > freed {
            self.take::<STRIDE>(tables, board, freed);
        }
        let around = ring(stride).map(|step| index.wrapping_add_signed(step));
        // Chains that have one liberty left.
        let touched = [index, around[0], around[2], around[4], around[6]];
        let mut lone = 0;
        for (place, at) in touched.into_iter().enumerate() {
            lone |= u32::from(is_one_point(board.sums(at))) << place;
        }
        let mut renewed = [0; 5];
        let mut count = 0;
        self.pressed_count = 0;
        while lone != 0 {
            let at = touched[lone.trailing_zeros() as usize % 5];
            lone &= lone - 1;
            let liberty = only_liberty(board.sums(at)).unwrap_or(at);
            if board.slots[at].label & stone(player.index() as u16) == 0 {
                self.press(board, at, liberty);
            }
            self.codes[liberty] = self.codes[liberty] & !ATARI | atari_at(board, liberty, stride);
            renewed[count] = liberty;
            count += 1;
        }
        let colour = 1 + player.index() as u32;
        let mut of = |place: usize| {
            let at = around[place];
            self.codes[at] |= colour << (2 * ((place + 4) % 8));
            self.sampler.exchange(at, tables.weights(self.codes[at]))
        };
        let above = of(7) + of(0) + of(1);
        let sides = of(6) + of(2);
        let below = of(5) + of(4) + of(3);
        let level = sides + self.sampler.exchange(index, Both::NONE);
        self.sampler.add_around(index / stride, [above, level, below]);
        for &liberty in &renewed[..count] {
            self.refresh::<STRIDE>(tables, board, liberty);
        }
    }

    /// Stones were captured: their points are the last of the list of empty ones.
    #[inline(never)]
    fn take<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board, freed: usize) {
        let stride = Self::stride::<STRIDE>(board);
        for &point in &board.empty_list()[freed..] {
            for (place, step) in ring(stride).into_iter().enumerate() {
                let at = usize::from(point).wrapping_add_signed(step);
                let is_taken = board.slots[at].label & EMPTY == 0;
                self.codes[at] = self.codes[at] & !(3 << (2 * ((place + 4) % 8))) | if is_taken { TAKEN } else { 0 };
            }
        }
        for &point in &board.empty_list()[freed..] {
            self.codes[usize::from(point)] = code_at(board, usize::from(point), stride);
        }
        // Chains next to them have new liberties, wherever their last one was.
        for &point in &board.empty_list()[..freed] {
            let point = usize::from(point);
            if self.codes[point] & ATARI != 0 {
                self.codes[point] = self.codes[point] & !ATARI | atari_at(board, point, stride);
                self.refresh::<STRIDE>(tables, board, point);
            }
        }
        for &point in &board.empty_list()[freed..] {
            self.refresh_around(tables, usize::from(point), stride);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::canonical;
    use super::super::tables::Tables;
    use super::State;
    use crate::go::patterns::{GoFeatures, GoPlayout, PLAYOUT_FEATURES};
    use crate::go::{Go, GoMove, GoRules};
    use crate::sampler::{UNIT, factor, times, weight};
    use std::sync::LazyLock;
    use tesuji_core::{
        Feature, FeatureSet, Gammas, MoveFeatures, PatternPlayout, Position, RecordMoves, Rng, Seed, Teams,
    };

    /// Strengths made up from the features' numbers, so that no two are alike; some local factors are
    /// below 1.
    static MADE_UP: LazyLock<Gammas> = LazyLock::new(|| {
        let mut strengths: Vec<(Feature, f64)> =
            vec![(Feature::new(1, 1), 3.0), (Feature::new(1, 2), 1.75), (Feature::new(2, 1), 8.0)];
        strengths.extend([(Feature::new(2, 2), 0.5), (Feature::new(2, 3), 16.0)]);
        let mut codes: Vec<u32> = (0..1 << 20).map(canonical).collect();
        codes.sort_unstable();
        codes.dedup();
        strengths.extend(codes.into_iter().map(|code| {
            let number = tesuji_core::mix(u64::from(code)) % 4_000;
            (Feature::new(0, code), (1 + number) as f64 / UNIT)
        }));
        Gammas::new(PLAYOUT_FEATURES, "made up", &strengths).expect("sound")
    });

    /// The strengths of all points by the definition, from the features of the moves.
    fn reference(go: &Go) -> Vec<(GoMove, u64)> {
        let moves: Vec<GoMove> = go
            .moves()
            .into_iter()
            .filter(|mv| mv.point().is_some_and(|point| !go.board().is_eye(go.turn(), point)))
            .collect();
        let mut teams = Teams::default();
        GoFeatures(FeatureSet::Playout).list(go, &moves, &mut teams);
        let strength = |team: &[Feature]| {
            let of = |group| team.iter().filter(|it| it.group() == group).map(|it| MADE_UP.gamma(*it)).product::<f64>();
            times(weight(of(0)), factor(of(1) * of(2)))
        };
        moves.iter().copied().zip(teams.iter().map(strength)).collect()
    }

    /// The strengths of all points as a playout keeps them.
    fn kept(state: &mut State, tables: &Tables, go: &Go) -> Vec<(GoMove, u64)> {
        let ko = state.forbid_ko::<0>(go.board(), go.turn());
        let mut last = go.last_moves()[0].point();
        let pressed = state.pressed_count;
        state.look_at_last(go.board(), go.turn(), &mut last);
        assert!(last.is_none() || pressed == state.pressed_count, "{:?}", go.board());
        state.weigh_local::<0>(tables, go.board(), go.turn(), last);
        let mut all: Vec<(GoMove, u64)> = Vec::new();
        for point in go.board().points() {
            let weight = state.sampler.now(go.turn(), point.index());
            assert!(weight == 0 || go.board().is_empty(point), "{point:?} is taken");
            if weight > 0 {
                all.push((GoMove::stone(point), weight));
            }
        }
        assert!(state.sampler.adds_up(go.board().points().map(|point| point.index())));
        if let Some((ko, weights)) = ko {
            state.set::<0>(go.board(), ko, weights);
        }
        all
    }

    /// Random games: after every move, what was kept up to date is what the definition says.
    #[test]
    fn strengths_kept_from_move_to_move_are_those_of_the_features() {
        let tables = Tables::new(&MADE_UP, 1.0);
        for (size, seed) in [(9, 1), (9, 2), (5, 3), (13, 4), (7, 5)] {
            let mut rng = Rng::new(Seed(seed));
            let mut go = Go::new(GoRules { size, ..GoRules::default() }).expect("a board");
            let mut state = State::new();
            state.begin::<0>(&tables, go.board());
            let mut captures = 0;
            for _ in 0..3 * size * size {
                assert_eq!(kept(&mut state, &tables, &go), reference(&go), "{:?}", go.board());
                let Some(mv) = go.playout_move(&mut rng).filter(|_| go.outcome().is_none()) else { break };
                let Some(point) = mv.point() else {
                    go.play(mv);
                    continue;
                };
                let before = go.board().empty_count();
                state.put::<0>(&tables, &mut go.board, go.turn, point.index());
                // The rest of the move: the side to move and the last moves.
                captures += go.board().empty_count() + 1 - before;
                go.turn = go.turn.other();
                go.last = [mv, go.last[0]];
                go.passes = 0;
                go.moves += 1;
            }
            assert!(captures > 5, "size {size} had {captures} captures");
        }
    }

    /// Moves are drawn in proportion: a chi-square test of first moves after a short opening.
    #[test]
    fn moves_are_drawn_in_proportion() {
        let mut go = Go::new(GoRules { size: 5, ..GoRules::default() }).expect("a board");
        let mut rng = Rng::new(Seed(9));
        for _ in 0..9 {
            let mv = go.playout_move(&mut rng).expect("a move");
            go.play(mv);
        }
        let expected = reference(&go);
        let total: u64 = expected.iter().map(|(_, weight)| weight).sum();
        let mut playouts = GoPlayout::new(&MADE_UP, 1.0);
        let (rounds, mut counts) = (40_000, vec![0_u32; expected.len()]);
        for _ in 0..rounds {
            let mut record = RecordMoves::default();
            playouts.play(&mut go.clone(), &mut rng, Some(&mut record));
            let place = expected.iter().position(|(mv, _)| *mv == record.0[0].1).expect("a move of the reference");
            counts[place] += 1;
        }
        let chi: f64 = expected
            .iter()
            .zip(&counts)
            .map(|((_, weight), count)| {
                let mean = f64::from(rounds) * *weight as f64 / total as f64;
                (f64::from(*count) - mean).powi(2) / mean
            })
            .sum();
        // 99.9 % of a chi-square of n degrees lies below n + 3.1·√(2n) + 6.
        let freedom = (expected.len() - 1) as f64;
        assert!(chi < freedom + 3.1 * (2.0 * freedom).sqrt() + 6.0, "chi-square {chi} of {freedom}");
    }

    /// Playouts are legal games that end filled, on every size with code of its own.
    #[test]
    fn playouts_are_legal_and_end() {
        let mut rng = Rng::new(Seed(3));
        for size in [2, 5, 9, 13, 19] {
            let start = Go::new(GoRules { size, ..GoRules::default() }).expect("a board");
            let mut playouts = GoPlayout::new(&MADE_UP, 0.8);
            for _ in 0..if size > 13 { 3 } else { 20 } {
                let mut record = RecordMoves::default();
                let outcome = playouts.play(&mut start.clone(), &mut rng, Some(&mut record));
                let mut go = start.clone();
                let full = record.0.len() == 3 * size * size;
                for (player, mv) in record.0 {
                    assert_eq!(go.turn(), player);
                    assert!(matches!(go.why_illegal(mv), None | Some(crate::go::Illegal::Superko)), "{mv:?}");
                    go.play(mv);
                }
                assert!(full || go.outcome() == Some(outcome), "size {size}");
            }
        }
    }
}
