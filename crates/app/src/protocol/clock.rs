//! Time controls: how long one move may take.
//!
//! | control | a move gets |
//! |---|---|
//! | per move | the time, less a reserve |
//! | absolute | what is left over the moves that may come, at most a quarter of it |
//! | increment (Fischer) | the same, and most of the increment |
//! | Canadian | main time as absolute; then what is left of the period over its stones |
//! | byo-yomi | main time as absolute; then a period |
//!
//! The reserve covers delays outside the search: the other program, a busy machine. It is a
//! twentieth of the time and at least 50 ms, but never more than half of it.

use std::time::Duration;
use tesuji_core::Player;

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeControl {
    /// No limit.
    #[default]
    Unlimited,
    /// A fixed time for each move.
    PerMove(Duration),
    /// A time for the game, and an increment after each move.
    Fischer {
        /// For the game.
        main: Duration,
        /// For each move.
        increment: Duration,
    },
    /// Main time, then periods with a number of stones to play in each.
    Canadian {
        /// Main time.
        main: Duration,
        /// A period.
        period: Duration,
        /// Stones in a period.
        stones: u32,
    },
    /// Main time, then a number of periods, each for one stone.
    ByoYomi {
        /// Main time.
        main: Duration,
        /// A period.
        period: Duration,
        /// How many periods there are.
        periods: u32,
    },
}

/// What one player has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Left {
    time: Duration,
    /// Stones of the period, or periods; 0 in main time.
    stones: u32,
}

/// The clocks of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    control: TimeControl,
    left: [Left; 2],
}

/// Kept back for delays outside the search.
fn reserve(time: Duration) -> Duration {
    (time / 20).max(Duration::from_millis(50)).min(time / 2)
}

impl Clock {
    /// Clocks at the beginning of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Clock {
        let left = match control {
            TimeControl::Unlimited | TimeControl::PerMove(_) => Left::default(),
            TimeControl::Fischer { main, .. } => Left { time: main, stones: 0 },
            TimeControl::Canadian { main, period, stones } if main.is_zero() => Left { time: period, stones },
            TimeControl::ByoYomi { main, period, periods } if main.is_zero() => Left { time: period, stones: periods },
            TimeControl::Canadian { main, .. } | TimeControl::ByoYomi { main, .. } => Left { time: main, stones: 0 },
        };
        Clock { control, left: [left; 2] }
    }

    /// The same control, from the beginning.
    pub fn restart(&mut self) {
        *self = Clock::new(self.control);
    }

    /// The control.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Sets what is left, as the other side counts it; `stones` is 0 in main time.
    pub fn set_left(&mut self, player: Player, time: Duration, stones: u32) {
        if self.control == TimeControl::Unlimited {
            self.control = TimeControl::Fischer { main: time, increment: Duration::ZERO };
        }
        self.left[player.index()] = Left { time, stones };
    }

    /// Takes the time of a move off a clock.
    pub fn spend(&mut self, player: Player, spent: Duration) {
        let left = &mut self.left[player.index()];
        match self.control {
            TimeControl::Unlimited | TimeControl::PerMove(_) => {}
            TimeControl::Fischer { increment, .. } => left.time = left.time.saturating_sub(spent) + increment,
            TimeControl::Canadian { period, stones, .. } => {
                if left.stones == 0 && spent < left.time {
                    left.time -= spent;
                } else if left.stones == 0 {
                    *left = Left { time: period.saturating_sub(spent - left.time), stones };
                } else {
                    left.time = left.time.saturating_sub(spent);
                    left.stones -= 1;
                    if left.stones == 0 {
                        *left = Left { time: period, stones };
                    }
                }
            }
            TimeControl::ByoYomi { period, periods, .. } => {
                if left.stones == 0 && spent < left.time {
                    left.time -= spent;
                } else if left.stones == 0 {
                    *left = Left { time: period, stones: periods };
                } else {
                    left.time = period;
                }
            }
        }
    }

    /// How long the next move may take, if the player expects `moves_to_come` more moves; nothing
    /// without a limit.
    #[must_use]
    pub fn allowance(&self, player: Player, moves_to_come: u32) -> Option<Duration> {
        let left = self.left[player.index()];
        let shared = |time: Duration| (time.saturating_sub(reserve(time)) / moves_to_come.max(4)).min(time / 4);
        let whole = |time: Duration| time.saturating_sub(reserve(time));
        Some(match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::PerMove(time) => whole(time),
            TimeControl::Fischer { increment, .. } => {
                let wanted = shared(left.time) + increment * 3 / 4;
                wanted.min(whole(left.time))
            }
            // GTP: a period without stones means no limit.
            TimeControl::Canadian { period, stones: 0, .. } if !period.is_zero() => return None,
            TimeControl::Canadian { .. } if left.stones > 0 => whole(left.time / left.stones),
            TimeControl::ByoYomi { .. } if left.stones > 0 => whole(left.time),
            // At the end of main time a period is waiting: what goes beyond is taken from it.
            TimeControl::Canadian { period, stones, .. } => shared(left.time).max(whole(period / stones.max(1))),
            TimeControl::ByoYomi { periods: 0, .. } => shared(left.time),
            TimeControl::ByoYomi { period, .. } => shared(left.time).max(whole(period)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, TimeControl};
    use std::time::Duration;
    use tesuji_core::Player;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    /// A player who always uses the whole allowance never oversteps, whatever the control.
    #[test]
    fn allowances_never_overstep() {
        let controls = [
            TimeControl::PerMove(Duration::from_millis(100)),
            TimeControl::Fischer { main: seconds(60), increment: Duration::ZERO },
            TimeControl::Fischer { main: seconds(1), increment: seconds(2) },
            TimeControl::Canadian { main: seconds(10), period: seconds(5), stones: 5 },
            TimeControl::Canadian { main: Duration::ZERO, period: seconds(1), stones: 25 },
            TimeControl::Canadian { main: seconds(300), period: Duration::ZERO, stones: 0 },
            TimeControl::ByoYomi { main: seconds(10), period: seconds(1), periods: 3 },
            TimeControl::ByoYomi { main: Duration::ZERO, period: seconds(3), periods: 1 },
        ];
        for control in controls {
            let mut clock = Clock::new(control);
            for number in 0..500_u32 {
                let left = clock.left[0];
                let allowance = clock.allowance(Player::First, 100_u32.saturating_sub(number)).expect("a limit");
                let most = match control {
                    TimeControl::PerMove(time) => time,
                    TimeControl::Canadian { .. } if left.stones > 0 => left.time / left.stones,
                    TimeControl::Canadian { period, stones, .. } => left.time + period / stones.max(1),
                    TimeControl::ByoYomi { period, .. } if left.stones == 0 => left.time + period,
                    _ => left.time,
                };
                assert!(allowance <= most, "{control:?} {left:?} {allowance:?}");
                assert!(most.is_zero() || allowance < most, "something is kept back: {control:?} {left:?}");
                clock.spend(Player::First, allowance);
            }
            assert_eq!(clock.left[1], Clock::new(control).left[1], "the other clock stands");
        }
    }

    #[test]
    fn no_limit_and_time_left() {
        let mut clock = Clock::default();
        assert_eq!(clock.allowance(Player::First, 10), None);
        let free = TimeControl::Canadian { main: Duration::ZERO, period: seconds(1), stones: 0 };
        assert_eq!(Clock::new(free).allowance(Player::First, 10), None);
        clock.set_left(Player::Second, seconds(40), 0);
        assert_eq!(clock.allowance(Player::Second, 38), Some(seconds(1)));
        let control = TimeControl::Canadian { main: Duration::ZERO, period: seconds(10), stones: 2 };
        let mut clock = Clock::new(control);
        clock.set_left(Player::First, seconds(4), 1);
        assert_eq!(clock.allowance(Player::First, 38), Some(Duration::from_millis(3800)));
        clock.spend(Player::First, seconds(1));
        assert_eq!(clock.allowance(Player::First, 38), Some(Duration::from_millis(4750)), "a new period");
    }
}
