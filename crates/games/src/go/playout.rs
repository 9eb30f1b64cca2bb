//! Light playouts: random games to the end, at tens of nanoseconds a move.
//!
//! **Policy.** Uniform over the legal moves that do not fill an own eye, without suicide and under
//! simple ko; pass only if there is none. Two passes in a row end the playout, and so does a cap on
//! its length. A filled board holds stones and one-point eyes only, so counting needs no walk over
//! regions.
//!
//! **Choice.** Draw a place in the list of empty points; if its point is not acceptable, exchange
//! it with the last place not yet drawn and draw again. The first acceptable point is uniform among
//! all acceptable ones, and a pass follows after one look at each. (libEGO scans onward from a
//! random start: 1–3 % faster, and not uniform: mean length 110.9 instead of 111.1 at 9×9.)
//!
//! **Speed.** A mispredicted branch costs more than all arithmetic of a move, and what follows it
//! waits for the next random number: so that number is drawn one step ahead (worth about a tenth).
//! The code is compiled once for each colour (3 %) and, for the usual sizes, with the distance
//! between rows as a constant (4 %).
//!
//! References: libEGO for the policy and the diagonal eye test; V-Run 2016, §6.2.1, for its eye
//! test ("fully surrounded by the same group").

use super::board::Board;
use super::layout::{Point, surrounded};
use super::position::{Go, GoMove};
use super::queries::{Diagonals, EyeTest, OneChain};
use super::rules::{PlayoutRule, RuleError, SuicideRule};
use tesuji_core::{Fraction, Outcome, Player, Position, RecordMoves, Rng, Trace};

/// Which points a playout never fills.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EyeRule {
    /// All neighbours own, at most one diagonal neighbour an enemy's (none on the edge): the common
    /// test.
    #[default]
    Diagonals,
    /// All neighbours own and of one chain (V-Run).
    OneChain,
}

impl std::fmt::Display for EyeRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            EyeRule::Diagonals => "diagonals",
            EyeRule::OneChain => "one-chain",
        })
    }
}

impl std::str::FromStr for EyeRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<EyeRule, RuleError> {
        match text {
            "diagonals" => Ok(EyeRule::Diagonals),
            "one-chain" => Ok(EyeRule::OneChain),
            _ => Err(RuleError::Unreadable {
                text: text.chars().take(40).flat_map(char::escape_debug).collect(),
                expected: "diagonals or one-chain",
            }),
        }
    }
}

/// The playout policy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Playout {
    /// Which points are never filled.
    pub eyes: EyeRule,
    /// The most moves of a playout, passes included; `None` is three times the points of the board.
    pub cap: Option<u32>,
    /// End the playout once one side leads by this many stones on the board. Saves time, falsifies
    /// margins; off by default.
    pub mercy: Option<u32>,
}

impl Playout {
    /// Plays from this position to the end, in place. The final content of the position is
    /// unspecified. If the game has ended, returns its outcome.
    pub fn run<T: Trace<Go>>(&self, go: &mut Go, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = go.outcome() {
            return outcome;
        }
        let start = Start {
            turn: go.turn(),
            passed: go.passes() != 0,
            cap: self.cap.unwrap_or(3 * go.board().area() as u32).min(go.moves_left()),
            mercy: self.mercy.map_or(i32::MAX, |stones| stones.min(i32::MAX as u32) as i32),
        };
        let board = &mut go.board;
        // The usual playouts have specialised code for the usual sizes; all others share the
        // general code.
        match (self.eyes, self.mercy, board.size()) {
            (EyeRule::Diagonals, None, 9) => fill::<Diagonals, T, false, 10>(board, start, rng, trace),
            (EyeRule::Diagonals, None, 13) => fill::<Diagonals, T, false, 14>(board, start, rng, trace),
            (EyeRule::Diagonals, None, 19) => fill::<Diagonals, T, false, 20>(board, start, rng, trace),
            (EyeRule::Diagonals, None, _) => fill::<Diagonals, T, false, 0>(board, start, rng, trace),
            (EyeRule::Diagonals, Some(_), _) => fill::<Diagonals, T, true, 0>(board, start, rng, trace),
            (EyeRule::OneChain, _, _) => fill::<OneChain, T, true, 0>(board, start, rng, trace),
        }
        let rules = go.rules();
        rules.outcome(rules.scoring.difference_when_filled(go.board()))
    }
}

impl Go {
    /// A playout of another policy than the usual one: V-Run's eyes by the fast board, uniform moves
    /// and strict suicide move by move. Returns its moves too, so that this code exists once and not
    /// for every kind of trace.
    #[cold]
    pub(super) fn rare_playout(&mut self, rng: &mut Rng) -> (Outcome, Vec<(Player, GoMove)>) {
        let mut record = RecordMoves::default();
        if self.rules().playouts == PlayoutRule::OneChain && self.rules().suicide != SuicideRule::Strict {
            let outcome = Playout { eyes: EyeRule::OneChain, ..Playout::default() }.run(self, rng, &mut record);
            return (outcome, record.0);
        }
        // Uniform games end by the rules; those that keep eyes could go on for long without ko.
        let uniform = self.rules().playouts == PlayoutRule::Uniform;
        let mut left = if uniform { u32::MAX } else { 3 * self.board().area() as u32 };
        while left > 0
            && let Some(mv) = self.playout_move(rng)
        {
            record.0.push((self.turn(), mv));
            self.play(mv);
            left -= 1;
        }
        (self.score_now(), record.0)
    }
}

impl Board {
    /// The move of a playout: plays a stone on an empty point if that is legal and fills no eye,
    /// and returns whether it did.
    ///
    /// Playouts do not use the hash, so it is not maintained.
    #[inline(always)]
    fn try_playout_move<E: EyeTest, const STRIDE: usize>(&mut self, player: Player, point: Point) -> bool {
        let index = point.index();
        let near = self.slots[index].near;
        if near & (surrounded(0) | surrounded(1)) != 0 {
            let acceptable = if near & surrounded(player.index() as u16) != 0 {
                !E::is_eye::<STRIDE>(self, player, point)
            } else {
                self.captures_from_inside::<STRIDE>(index)
            };
            if !acceptable {
                return false;
            }
        }
        self.settle::<false, STRIDE>(player, index)
    }
}

/// The state at the start of a playout.
struct Start {
    turn: Player,
    passed: bool,
    cap: u32,
    mercy: i32,
}

/// Plays until two passes, the cap or the mercy rule. `STRIDE` is the board's, or 0 for any.
fn fill<E: EyeTest, T: Trace<Go>, const MERCY: bool, const STRIDE: usize>(
    board: &mut Board,
    start: Start,
    rng: &mut Rng,
    trace: &mut T,
) {
    let mut passed = start.passed;
    let mut left = start.cap;
    let mut ahead = rng.fraction();
    // One copy of the code for each colour, so that the colours are constants.
    macro_rules! turn {
        ($player:expr) => {
            if left == 0 {
                return;
            }
            left -= 1;
            let moved = step::<E, T, STRIDE>(board, $player, rng, &mut ahead, trace);
            if !moved && passed {
                return;
            }
            passed = !moved;
            if MERCY && board.stone_difference().abs() > start.mercy {
                return;
            }
        };
    }
    let mut skip = start.turn == Player::Second;
    loop {
        if !skip {
            turn!(Player::First);
        }
        skip = false;
        turn!(Player::Second);
    }
}

/// One move; returns whether it was a stone.
#[inline(always)]
fn step<E: EyeTest, T: Trace<Go>, const STRIDE: usize>(
    board: &mut Board,
    player: Player,
    rng: &mut Rng,
    ahead: &mut Fraction,
    trace: &mut T,
) -> bool {
    let mut left = board.empty_list().len();
    while left > 0 {
        let place = ahead.below(left as u32) as usize;
        *ahead = rng.fraction();
        let point = Point(board.empty_list()[place]);
        if board.try_playout_move::<E, STRIDE>(player, point) {
            trace.played(player, GoMove::stone(point));
            return true;
        }
        left -= 1;
        board.swap_empties(place, left);
    }
    board.pass();
    trace.played(player, GoMove::PASS);
    false
}
