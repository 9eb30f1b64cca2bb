//! Zhang 2019, chapter 4: do relative Single Conspiracy Numbers tell won, drawn and lost positions
//! of Chinese chess apart? For `tesuji bench scn`.
//!
//! **Won and lost** (figures 4-4 and 4-6): Red and Black of games that begin with a composed win of
//! Red. The compositions are given, or made here: pieces are strewn at random, Red's attackers near
//! Black's palace, until a search of depth 5 (a ply more for every check) without a table proves
//! that Red wins, and one of depth 1 does not.
//!
//! **Drawn** (figure 4-5): both sides of games from the same positions without rooks, horses,
//! cannons and soldiers: neither side can win.
//!
//! **Handicaps** (figures 4-9 and 4-10): openings in which Red gives pieces, at T = 200 and 600.
//!
//! A search plays both sides and its curves are fitted and averaged (`conspiracy/rscn.rs`); the
//! same is done with its values. How far two kinds are apart is the area under the curve of "this
//! one is better", with a bootstrap interval over games. Deviations: the compositions, depths and
//! evaluation of the thesis are not published; these are our own.

use crate::erased::typed;
use std::collections::HashSet;
use tesuji_core::{Budget, NoObserver, Player, Position, Rng, Score, Seed, StopFlag};
use tesuji_games::xiangqi::{FenError, Handicap, PieceKind, Xiangqi};
use tesuji_search::conspiracy::{Scn, rscn};
use tesuji_search::minimax::alphabeta::{AlphaBeta, Options, TableUse};
use tesuji_search::{Search, SearchError};

/// How to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// T, within ±10,000.
    pub threshold: i32,
    /// The most plies of a game.
    pub plies: u32,
    /// Positions a move.
    pub nodes: u64,
    /// The deepest a search goes.
    pub depth: u32,
    /// A ply more in check.
    pub extensions: bool,
    /// Draws of the bootstrap.
    pub rounds: u32,
    /// Everything random follows from it.
    pub seed: Seed,
    /// Thrown to get the figures of the games so far.
    pub stop: StopFlag,
}

impl Plan {
    fn search(&self, threshold: i32) -> Scn {
        let mut scn = Scn::new(threshold);
        scn.options.extensions = self.extensions;
        scn
    }

    /// The averages of both sides of a game; nothing if it was stopped.
    fn play(&self, start: &Xiangqi, threshold: i32, plies: u32, seed: Seed) -> Result<Option<Pair>, SearchError> {
        let budget =
            Budget { nodes: Some(self.nodes), depth: Some(self.depth), stop: self.stop.clone(), ..Budget::default() };
        let measurements = rscn::self_play(start, &self.search(threshold), &budget, plies, seed)?;
        Ok((!self.stop.is_stopped()).then(|| Player::BOTH.map(|player| rscn::average(&measurements, player))))
    }
}

/// What a game shows of both sides.
type Pair = [rscn::Average; 2];

/// What a game shows of one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SideFigures {
    /// The mean relative number; nothing if no position of the side has one.
    pub rscn: Option<f64>,
    /// The mean fitted value.
    pub value: Option<f64>,
}

/// What one game of a search against itself shows of both sides, Red first. For the lab, whose jobs
/// are single games.
///
/// # Errors
/// If the position is not of Chinese chess, or a search fails.
pub fn one_game(position: &dyn crate::any::AnyPosition, plan: &Plan) -> Result<[SideFigures; 2], SearchError> {
    let Some(start) = typed::<Xiangqi>(position) else {
        return Err(SearchError::Unsupported("single conspiracy numbers are studied in Chinese chess".into()));
    };
    let pair = plan.play(start, plan.threshold, plan.plies, plan.seed)?;
    let pair = pair.ok_or_else(|| SearchError::OutOfBudget("stopped".into()))?;
    Ok(pair.map(|average| SideFigures { rscn: average.rscn, value: average.value }))
}

/// A position with Red's composed win.
///
/// # Errors
/// If the text is no position, Black is to move, or the game has ended.
pub fn composition(fen: &str) -> Result<Xiangqi, CompositionError> {
    let position = Xiangqi::from_fen(fen)?;
    if position.outcome().is_some() {
        return Err(CompositionError::Ended);
    }
    if position.turn() != Player::First {
        return Err(CompositionError::Black);
    }
    Ok(position)
}

/// Why a position is no composed win of Red.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompositionError {
    /// Not a position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Nothing to play for.
    #[error("the game has ended")]
    Ended,
    /// Compositions are Red's.
    #[error("Red is to move in a composition, not Black")]
    Black,
}

/// Zhang's drawn positions: rooks, horses, cannons and soldiers are taken off. Nothing if that
/// leaves no legal position (the generals face each other) or none with a move.
#[must_use]
pub fn disarmed(position: &Xiangqi) -> Option<Xiangqi> {
    let kept = |kind| matches!(kind, PieceKind::General | PieceKind::Advisor | PieceKind::Elephant);
    let pieces = |file, rank| position.piece(file, rank).filter(|(_, kind)| kept(*kind));
    let position = Xiangqi::from_fen(&fen(&pieces)).ok()?;
    position.outcome().is_none().then_some(position)
}

/// The pieces as FEN, Red to move.
fn fen(piece: &dyn Fn(u8, u8) -> Option<(Player, PieceKind)>) -> String {
    let letter = |file, rank| match piece(file, rank) {
        None => '1',
        Some((Player::First, kind)) => kind.letter().to_ascii_uppercase(),
        Some((Player::Second, kind)) => kind.letter().to_ascii_lowercase(),
    };
    let rank = |rank| (0..9).map(|file| letter(file, rank)).collect::<String>();
    format!("{} w", (0..10).rev().map(rank).collect::<Vec<_>>().join("/"))
}

/// Searches of strewn positions enter no more positions than this.
const MOST_NODES: u64 = 60_000;
/// How deep wins are looked for, checks not counted.
const LONGEST: u32 = 5;

/// Composed positions, all different. `told` is called with their number so far. Fewer if the flag
/// is thrown.
///
/// # Errors
/// If a search fails.
pub fn compose(
    count: usize,
    seed: Seed,
    stop: &StopFlag,
    told: &mut dyn FnMut(usize),
) -> Result<Vec<Xiangqi>, SearchError> {
    let mut search = AlphaBeta::new(Options { table: TableUse::Off, ..Options::default() });
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for attempt in 0.. {
        if found.len() >= count || stop.is_stopped() {
            break;
        }
        let Some(position) = strewn(&mut Rng::new(seed.derive(attempt))) else { continue };
        let mut wins_within = |plies: u32| -> Result<bool, SearchError> {
            let budget =
                Budget { depth: Some(plies), nodes: Some(MOST_NODES), stop: stop.clone(), ..Budget::default() };
            let report = search.search(&position, &budget, Seed(attempt), &mut NoObserver)?;
            Ok(report.bounds.for_player(Player::First).0 == Score::WIN)
        };
        // Most have no win at all, and a shallow search is cheap.
        if !wins_within(1)? && wins_within(LONGEST)? && seen.insert(position.to_fen()) {
            found.push(position);
            told(found.len());
        }
    }
    Ok(found)
}

/// Some pieces on points where they may stand; nothing if the position is not legal. Red attacks
/// with two to four pieces near Black's palace, Black has as many anywhere, and both have some of
/// their guards.
fn strewn(rng: &mut Rng) -> Option<Xiangqi> {
    let mut board = [[None; 9]; 10];
    let mut put = |player: Player, kind: PieceKind, files: (u8, u8), ranks: (u8, u8), rng: &mut Rng| {
        let within = |(low, high): (u8, u8), rng: &mut Rng| low + rng.below(u32::from(high - low) + 1) as u8;
        let (file, rank) = (within(files, rng), within(ranks, rng));
        board[rank as usize][file as usize].get_or_insert((player, kind));
    };
    let attackers =
        [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Rook, PieceKind::Horse, PieceKind::Soldier];
    put(Player::First, PieceKind::General, (3, 5), (0, 1), rng);
    put(Player::Second, PieceKind::General, (3, 5), (8, 9), rng);
    for (player, home) in [(Player::First, 0_u8), (Player::Second, 9)] {
        let from_home = |step: u8| if home == 0 { step } else { 9 - step };
        for (file, step, kind) in [
            (3, 0, PieceKind::Advisor),
            (5, 0, PieceKind::Advisor),
            (4, 1, PieceKind::Advisor),
            (2, 0, PieceKind::Elephant),
            (6, 0, PieceKind::Elephant),
            (4, 2, PieceKind::Elephant),
        ] {
            if rng.below(3) == 0 {
                put(player, kind, (file, file), (from_home(step), from_home(step)), rng);
            }
        }
        for _ in 0..2 + rng.below(3) {
            let kind = attackers[rng.below(attackers.len() as u32) as usize];
            // Beyond the river every point is a soldier's.
            let (files, ranks) = match player {
                Player::First => ((1, 7), (5, 9)),
                Player::Second => ((0, 8), (0, 4)),
            };
            put(player, kind, files, ranks, rng);
        }
    }
    composition(&fen(&|file, rank| board[rank as usize][file as usize])).ok()
}

/// A number with the interval of 95 % around it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The number.
    pub found: f64,
    /// The interval.
    pub low: f64,
    /// The interval.
    pub high: f64,
}

/// How well two kinds are told apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Separation {
    /// Which two.
    pub kinds: [Kind; 2],
    /// The chance that RSCN finds the better one of a pair.
    pub by_number: Option<Interval>,
    /// The same by value.
    pub by_value: Option<Interval>,
    /// How much more RSCN finds.
    pub difference: Option<Interval>,
    /// The same if it does not matter which kind has the larger numbers, as long as they are apart.
    pub difference_either_way: Option<Interval>,
}

/// The kinds of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Red of the composed wins.
    Won,
    /// Both sides of the positions that neither side can win.
    Drawn,
    /// Black of the composed wins.
    Lost,
}

impl Kind {
    /// All of them, the best first.
    pub const ALL: [Kind; 3] = [Kind::Won, Kind::Drawn, Kind::Lost];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Won => "won",
            Kind::Drawn => "drawn",
            Kind::Lost => "lost",
        }
    }
}

/// What is measured of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The relative number; smaller is better.
    Number,
    /// The value; larger is better.
    Value,
}

/// The games of all kinds.
#[derive(Clone, Debug, Default)]
pub struct Games {
    won: Vec<Pair>,
    drawn: Vec<Pair>,
}

impl Games {
    /// Games from compositions, and from what is left of them disarmed. `told` hears how many games
    /// are done.
    ///
    /// # Errors
    /// If a search fails.
    pub fn play(won: &[Xiangqi], plan: &Plan, told: &mut dyn FnMut(usize)) -> Result<Games, SearchError> {
        let drawn: Vec<Xiangqi> = won.iter().filter_map(disarmed).collect();
        let mut done = 0;
        let mut all = |starts: &[Xiangqi]| -> Result<Vec<Pair>, SearchError> {
            let mut played = Vec::new();
            for (number, start) in starts.iter().enumerate() {
                let seed = plan.seed.derive(number as u64);
                let Some(pair) = plan.play(start, plan.threshold, plan.plies, seed)? else { break };
                played.push(pair);
                done += 1;
                told(done);
            }
            Ok(played)
        };
        Ok(Games { won: all(won)?, drawn: all(&drawn)? })
    }

    /// Games begun with compositions, and with disarmed ones.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        [self.won.len(), self.drawn.len()]
    }

    /// The numbers of a kind; games that have none are left out.
    #[must_use]
    pub fn numbers(&self, kind: Kind, measure: Measure) -> Vec<f64> {
        numbers([&self.won, &self.drawn], kind, measure)
    }

    /// How well each two kinds are told apart.
    #[must_use]
    pub fn separations(&self, rounds: u32, seed: Seed) -> Vec<Separation> {
        let pairs = [[Kind::Won, Kind::Lost], [Kind::Won, Kind::Drawn], [Kind::Drawn, Kind::Lost]];
        pairs.map(|kinds| self.separation(kinds, rounds, seed)).into()
    }

    fn separation(&self, kinds: [Kind; 2], rounds: u32, seed: Seed) -> Separation {
        let interval = |of: &dyn Fn([&[Pair]; 2]) -> Option<f64>| {
            let found = of([&self.won, &self.drawn])?;
            let pick = |games: &[Pair], drawn: &[usize]| drawn.iter().map(|at| games[*at]).collect::<Vec<Pair>>();
            let again = |one: &[usize], two: &[usize]| of([&pick(&self.won, one), &pick(&self.drawn, two)]);
            let (low, high) = rscn::bootstrap(self.counts(), rounds, seed, again)?;
            Some(Interval { found, low, high })
        };
        let apart = |area: f64| area.max(1.0 - area);
        Separation {
            kinds,
            by_number: interval(&|games| area(games, kinds, Measure::Number)),
            by_value: interval(&|games| area(games, kinds, Measure::Value)),
            difference: interval(&|games| {
                Some(area(games, kinds, Measure::Number)? - area(games, kinds, Measure::Value)?)
            }),
            difference_either_way: interval(&|games| {
                Some(apart(area(games, kinds, Measure::Number)?) - apart(area(games, kinds, Measure::Value)?))
            }),
        }
    }
}

/// The numbers of a kind, of won and drawn games.
fn numbers([won, drawn]: [&[Pair]; 2], kind: Kind, measure: Measure) -> Vec<f64> {
    let of = |average: &rscn::Average| match measure {
        Measure::Number => average.rscn,
        Measure::Value => average.value,
    };
    match kind {
        Kind::Won => won.iter().filter_map(|pair| of(&pair[0])).collect(),
        Kind::Lost => won.iter().filter_map(|pair| of(&pair[1])).collect(),
        Kind::Drawn => drawn.iter().flatten().filter_map(of).collect(),
    }
}

/// The share of pairs in which the better kind has the better number.
fn area(games: [&[Pair]; 2], [better, worse]: [Kind; 2], measure: Measure) -> Option<f64> {
    let (good, bad) = (numbers(games, better, measure), numbers(games, worse, measure));
    let (smaller, larger) = match measure {
        Measure::Number => (good, bad),
        Measure::Value => (bad, good),
    };
    rscn::auc(&smaller, &larger).map(|(area, _)| area)
}

/// What an opening shows of Red, who gives the pieces.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// T.
    pub threshold: i32,
    /// What Red gives.
    pub pieces: &'static str,
    /// RSCN of Red, one a game.
    pub numbers: Vec<f64>,
    /// Values of Red, one a game.
    pub values: Vec<f64>,
}

/// Zhang's thresholds.
pub const THRESHOLDS: [i32; 2] = [200, 600];

/// The openings, the smallest gift first.
const OPENINGS: [(&str, Option<Handicap>); 7] = [
    ("nothing", None),
    ("a horse", Some(Handicap::One(PieceKind::Horse))),
    ("a cannon", Some(Handicap::One(PieceKind::Cannon))),
    ("a rook", Some(Handicap::One(PieceKind::Rook))),
    ("two horses", Some(Handicap::Two(PieceKind::Horse))),
    ("two cannons", Some(Handicap::Two(PieceKind::Cannon))),
    ("two rooks", Some(Handicap::Two(PieceKind::Rook))),
];

/// Games that [`handicaps`] plays for each game of an opening.
pub const OPENING_COUNT: usize = OPENINGS.len() * THRESHOLDS.len();

/// Games from handicap openings, the same number of each at each threshold. `told` is called with
/// the number of games done.
///
/// # Errors
/// If a search fails.
pub fn handicaps(
    (games, plies): (u64, u32),
    plan: &Plan,
    told: &mut dyn FnMut(usize),
) -> Result<Vec<Given>, SearchError> {
    let (mut given, mut done) = (Vec::new(), 0);
    if games == 0 {
        return Ok(given);
    }
    for threshold in THRESHOLDS {
        for (pieces, handicap) in OPENINGS {
            let start = handicap.map_or_else(Xiangqi::new, Xiangqi::with_handicap);
            let mut opening = Given { threshold, pieces, numbers: Vec::new(), values: Vec::new() };
            for game in 0..games {
                let Some(pair) = plan.play(&start, threshold, plies, plan.seed.derive(game))? else {
                    return Ok(given);
                };
                opening.numbers.extend(pair[0].rscn);
                opening.values.extend(pair[0].value);
                done += 1;
                told(done);
            }
            given.push(opening);
        }
    }
    Ok(given)
}
