//! Playouts of Go that sample moves by the strength of their patterns.
//!
//! **Policy.** As light playouts (no suicide, no filled eye, simple ko, pass only without another
//! move), but a point is drawn with probability proportional to
//!
//! > (γ(surroundings) · γ(nearness) · γ(answer))^(1/temperature)
//!
//! **Speed.** The strength of the surroundings is kept for every point and both colours. A stone changes the numbers of the eight points around it by two bits each, and the
//! atari bits of the last liberties of at most five chains; a capture also those around the stones
//! taken. Nearness and answers concern
//! a few points around the last stone, which are weighed for each draw (`sampler.rs`). Nothing is
//! allocated.
//!
//! `reference` in the tests computes the same probabilities from [`GoFeatures`](super::GoFeatures).

use super::code::{ATARI, CODES, atari_at, canonical, code_at, images, read, ring};
use super::features::{ANSWER, Answers, NEARNESS, SURROUNDINGS, seen_by};
use crate::go::board::Board;
use crate::go::layout::{EMPTY, Point, SLOTS};
use crate::go::position::{Go, GoMove};
use crate::sampler::{Sampler, factor, weight};
use std::sync::{Arc, Mutex};
use tesuji_core::{Feature, Gammas, Outcome, PatternPlayout, Player, Position, RecordMoves, Rng};

/// Rows of the largest board, with one of the rim.
const ROWS: usize = 27;

/// The strengths at one temperature, by number of surroundings and colour.
pub(super) struct Tables {
    pub(super) weights: Box<[[u32; 2]]>,
    /// By nearness and answer.
    pub(super) local: [[u64; 4]; 3],
}

impl Tables {
    fn new(gammas: &Gammas, temperature: f64) -> Tables {
        let of = |group: u8, key: u32| gammas.tempered(Feature::new(group, key), temperature);
        let mut weights = vec![[u32::MAX; 2]; CODES].into_boxed_slice();
        for code in 0..CODES as u32 {
            // Only stones are in atari, so other numbers never occur.
            let is_sound = (0..4).all(|side| code >> (16 + side) & 1 == 0 || matches!(code >> (4 * side) & 3, 1 | 2));
            if !is_sound || weights[code as usize][0] != u32::MAX {
                continue;
            }
            let both = Player::BOTH.map(|player| {
                let code = seen_by(player, code);
                let reading = read(code);
                if reading.suicide || reading.eye { 0 } else { weight(of(SURROUNDINGS, canonical(code))) }
            });
            images(code).into_iter().for_each(|image| weights[image as usize] = both);
        }
        let local = std::array::from_fn(|near| {
            std::array::from_fn(|answer| factor(of(NEARNESS, near as u32) * of(ANSWER, answer as u32)))
        });
        Tables { weights, local }
    }

    /// The tables of a temperature. They take some milliseconds to compute, so they are kept.
    fn of(gammas: &'static Gammas, temperature: f64) -> Arc<Tables> {
        static KNOWN: Mutex<Vec<(u64, Arc<Tables>)>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let bits = temperature.to_bits();
        if let Some((_, tables)) = known.iter().find(|(other, _)| *other == bits) {
            return tables.clone();
        }
        if known.len() == 8 {
            known.remove(0);
        }
        let tables = Arc::new(Tables::new(gammas, temperature));
        known.push((bits, tables.clone()));
        tables
    }
}

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
    codes: [u32; SLOTS],
    /// The strength of the surroundings of each point, for black and white; 0 where no stone may go.
    sampler: Sampler<SLOTS, ROWS>,
}

impl State {
    pub(super) fn new() -> State {
        State { codes: [0; SLOTS], sampler: Sampler::new() }
    }

    fn run<const STRIDE: usize>(
        &mut self,
        tables: &Tables,
        position: &mut Go,
        rng: &mut Rng,
        mut record: Option<&mut RecordMoves<GoMove>>,
    ) {
        self.begin::<STRIDE>(tables, position.board());
        let mut player = position.turn();
        let mut passed = position.passes() != 0;
        let mut left = (3 * position.board().area() as u32).min(position.moves_left());
        let mut last = position.last_moves()[0].point();
        let board = &mut position.board;
        while left > 0 {
            left -= 1;
            let ko = self.forbid_ko(board, player);
            self.weigh_local::<STRIDE>(tables, board, player, last);
            let chosen = self.sampler.draw(player.index(), Self::stride::<STRIDE>(board), rng);
            if let Some(ko) = ko {
                self.refresh::<STRIDE>(tables, board, ko);
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

    /// Computes everything for a board.
    pub(super) fn begin<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board) {
        let stride = Self::stride::<STRIDE>(board);
        self.sampler.clear();
        for row in 1..stride {
            for column in 1..stride {
                let index = row * stride + column;
                let code = code_at(board, index, stride);
                let is_empty = board.slots[index].label & EMPTY != 0;
                self.codes[index] = if is_empty { code } else { code & !ATARI };
                let weights = if is_empty { tables.weights[code as usize] } else { [0; 2] };
                self.sampler.write(row, index, weights);
            }
        }
    }

    #[inline(always)]
    fn set<const STRIDE: usize>(&mut self, board: &Board, index: usize, weights: [u32; 2]) {
        self.sampler.set(index / Self::stride::<STRIDE>(board), index, weights);
    }

    /// The strength of an empty point anew, from its number.
    #[inline(always)]
    fn refresh<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board, index: usize) {
        if board.slots[index].label & EMPTY != 0 {
            self.set::<STRIDE>(board, index, tables.weights[self.codes[index] as usize]);
        }
    }

    /// Takes the point that ko forbids out of the draw.
    #[inline(always)]
    fn forbid_ko(&mut self, board: &Board, player: Player) -> Option<usize> {
        let ko = board.ko()?.index();
        let mut weights = self.sampler.get(ko);
        weights[player.index()] = 0;
        self.set::<0>(board, ko, weights);
        Some(ko)
    }

    /// The points around the last stone and the answers to it, with their strengths.
    #[inline(always)]
    fn weigh_local<const STRIDE: usize>(
        &mut self,
        tables: &Tables,
        board: &Board,
        player: Player,
        last: Option<Point>,
    ) {
        self.sampler.begin();
        let Some(last) = last.filter(|last| board.stone_at(*last) == Some(player.other())) else { return };
        let answers = Answers::to(board, player, last);
        for (place, step) in ring(Self::stride::<STRIDE>(board)).into_iter().enumerate() {
            let index = last.index().wrapping_add_signed(step);
            let key = usize::from(answers.key(Point(index as u16)));
            self.sampler.multiply(player.index(), index, tables.local[1 + place % 2][key]);
        }
        for (point, key) in answers.iter() {
            self.sampler.multiply(player.index(), point.index(), tables.local[0][usize::from(key)]);
        }
    }

    /// Plays a stone and brings everything up to date.
    #[inline(always)]
    fn put<const STRIDE: usize>(&mut self, tables: &Tables, board: &mut Board, player: Player, index: usize) {
        let stride = Self::stride::<STRIDE>(board);
        let freed = board.empty_count() - 1;
        let played = board.settle::<false, STRIDE>(player, index);
        debug_assert!(played, "points without a legal move have no strength");
        self.set::<STRIDE>(board, index, [0; 2]);
        self.codes[index] &= !ATARI;
        let colour = 1 + player.index() as u32;
        let around = ring(stride).map(|step| index.wrapping_add_signed(step));
        for (place, at) in around.into_iter().enumerate() {
            self.codes[at] |= colour << (2 * ((place + 4) % 8));
        }
        if board.empty_count() > freed {
            self.take::<STRIDE>(tables, board, freed);
        }
        // Chains that have one liberty left.
        for at in [index, around[0], around[2], around[4], around[6]] {
            if let Some(liberty) = board.last_liberty(Point(at as u16)) {
                self.renew_atari::<STRIDE>(tables, board, liberty.index());
            }
        }
        for at in around {
            self.refresh::<STRIDE>(tables, board, at);
        }
    }

    #[inline(always)]
    fn renew_atari<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board, index: usize) {
        let bits = atari_at(board, index, Self::stride::<STRIDE>(board));
        self.codes[index] = self.codes[index] & !ATARI | bits;
        self.refresh::<STRIDE>(tables, board, index);
    }

    /// Stones were captured: their points are the last of the list of empty ones.
    #[inline(never)]
    fn take<const STRIDE: usize>(&mut self, tables: &Tables, board: &Board, freed: usize) {
        let stride = Self::stride::<STRIDE>(board);
        for &point in &board.empty_list()[freed..] {
            for (place, step) in ring(stride).into_iter().enumerate() {
                self.codes[usize::from(point).wrapping_add_signed(step)] &= !(3 << (2 * ((place + 4) % 8)));
            }
        }
        // Chains next to them have new liberties, wherever their last one was.
        for place in 0..board.empty_count() {
            let index = usize::from(board.empty_list()[place]);
            if place >= freed || self.codes[index] & ATARI != 0 {
                self.renew_atari::<STRIDE>(tables, board, index);
            }
        }
        for place in freed..board.empty_count() {
            let point = usize::from(board.empty_list()[place]);
            for step in ring(stride) {
                self.refresh::<STRIDE>(tables, board, point.wrapping_add_signed(step));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{State, Tables};
    use crate::go::patterns::{GoFeatures, GoPlayout, PLAYOUT_FEATURES};
    use crate::go::{Go, GoMove, GoRules};
    use crate::sampler::{UNIT, factor, times, weight};
    use std::sync::LazyLock;
    use tesuji_core::{
        Feature, FeatureSet, Gammas, MoveFeatures, PatternPlayout, Position, RecordMoves, Rng, Seed, Teams,
    };

    /// Strengths made up from the features' numbers, so that no two are alike.
    static MADE_UP: LazyLock<Gammas> = LazyLock::new(|| {
        let mut strengths: Vec<(Feature, f64)> =
            vec![(Feature::new(1, 1), 3.0), (Feature::new(1, 2), 1.75), (Feature::new(2, 1), 8.0)];
        strengths.extend([(Feature::new(2, 2), 0.5), (Feature::new(2, 3), 16.0)]);
        let mut codes: Vec<u32> = (0..1 << 20).map(super::canonical).collect();
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
        let ko = state.forbid_ko(go.board(), go.turn());
        state.weigh_local::<0>(tables, go.board(), go.turn(), go.last_moves()[0].point());
        let mut all: Vec<(GoMove, u64)> = Vec::new();
        for point in go.board().points() {
            let weight = state.sampler.now(go.turn().index(), point.index());
            assert!(weight == 0 || go.board().is_empty(point), "{point:?} is taken");
            if weight > 0 {
                all.push((GoMove::stone(point), weight));
            }
        }
        assert!(state.sampler.adds_up(go.board().points().map(|point| point.index())));
        if let Some(ko) = ko {
            state.refresh::<0>(tables, go.board(), ko);
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
