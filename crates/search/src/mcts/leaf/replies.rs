//! Last good reply: a reply that was played in a won playout is played again after the same move.
//!
//! `memory=1` stores, for each player and each move of the game, the reply of the winner of the
//! latest playout (LGR-1). `memory=2` stores replies to the last two moves and falls back to one
//! (LGR-2). With `forget=true` a reply is deleted when the player who gave it loses (LGRF-1,
//! LGRF-2). If the reply is missing or illegal, the game's own policy chooses.
//!
//! Reference: Drake 2009; Baier & Drake, "The Power of Forgetting: Improving the Last-Good-Reply
//! Policy in Monte Carlo Go", 2010. Deviation: the table of two-move replies has a fixed size, and
//! newer pairs replace older ones.

use super::simulate::{PlayedMove, Simulate, play_out};
use tesuji_core::{Outcome, Player, RecordMoves, Rng, Studied, mix};

/// No reply.
const NONE: u32 = u32::MAX;
/// Slots of the table of two-move replies.
const PAIRS: usize = 1 << 16;

/// The number of preceding moves that a reply answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyMemory {
    /// The last move.
    One,
    /// The last two moves, or the last one if the pair is unknown.
    Two,
}

/// The tables of replies.
pub(crate) struct Replies {
    memory: ReplyMemory,
    forget: bool,
    /// The reply by player and last move.
    one: [Vec<u32>; 2],
    /// The last two moves and the reply, by player and slot.
    two: [Vec<(u64, u32)>; 2],
    /// The moves of the descent and the playout.
    line: Vec<PlayedMove>,
}

impl Replies {
    pub(crate) fn new(memory: ReplyMemory, forget: bool, space: usize) -> Replies {
        let pairs = if memory == ReplyMemory::Two { PAIRS } else { 0 };
        Replies {
            memory,
            forget,
            one: [vec![NONE; space], vec![NONE; space]],
            two: [vec![(0, NONE); pairs], vec![(0, NONE); pairs]],
            line: Vec::new(),
        }
    }

    /// The key of a pair of moves, which is not zero, and its slot.
    fn pair(before: u32, last: u32) -> (u64, usize) {
        let pair = (u64::from(before) << 32 | u64::from(last)) + 1;
        (pair, mix(pair) as usize % PAIRS)
    }

    /// The replies of `player` to the last two moves and to the last move.
    fn find(&self, player: Player) -> [Option<u32>; 2] {
        let known = |reply: u32| (reply != NONE).then_some(reply);
        let [.., (_, last)] = self.line[..] else { return [None, None] };
        let one = known(self.one[player.index()][last as usize]);
        let two = match (self.memory, &self.line[..]) {
            (ReplyMemory::Two, [.., (_, before), _]) => {
                let (pair, place) = Replies::pair(*before, last);
                let (kept, reply) = self.two[player.index()][place];
                if kept == pair { known(reply) } else { None }
            }
            _ => None,
        };
        [two, one]
    }

    /// Updates the tables after a playout.
    fn learn(&mut self, winner: Option<Player>) {
        let Some(winner) = winner else { return };
        for place in 1..self.line.len() {
            let (player, reply) = self.line[place];
            let (_, last) = self.line[place - 1];
            let one = &mut self.one[player.index()][last as usize];
            if player == winner {
                *one = reply;
            } else if self.forget && *one == reply {
                *one = NONE;
            }
            if self.memory == ReplyMemory::Two && place >= 2 {
                let (pair, slot) = Replies::pair(self.line[place - 2].1, last);
                let two = &mut self.two[player.index()][slot];
                if player == winner {
                    *two = (pair, reply);
                } else if self.forget && *two == (pair, reply) {
                    *two = (0, NONE);
                }
            }
        }
    }
}

impl<P: Studied> Simulate<P> for Replies {
    fn simulate(
        &mut self,
        position: &mut P,
        history: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        self.line.clear();
        self.line.extend_from_slice(history);
        let outcome = play_out(position, record, |position| {
            let player = position.turn();
            let good = self.find(player).into_iter().flatten().find_map(|reply| {
                let mv = position.move_at(reply as usize)?;
                position.is_legal(mv).then_some(mv)
            });
            let mv = good.or_else(|| position.playout_move(rng)).expect("a live game has a move");
            self.line.push((player, position.move_index(mv) as u32));
            Some(mv)
        });
        if let Some(outcome) = outcome {
            self.learn(outcome.winner());
        }
        outcome
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(Replies::new(self.memory, self.forget, self.one[0].len()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Replies, ReplyMemory};
    use tesuji_core::Player::{First, Second};

    #[test]
    fn good_replies_are_kept_and_bad_ones_forgotten() {
        let mut replies = Replies::new(ReplyMemory::Two, true, 10);
        replies.line = vec![(First, 1), (Second, 2), (First, 3), (Second, 4)];
        replies.learn(Some(First));
        replies.line = vec![(First, 1), (Second, 2)];
        assert_eq!(replies.find(First), [Some(3), Some(3)]);
        replies.line = vec![(First, 9), (Second, 2)];
        assert_eq!(replies.find(First), [None, Some(3)], "another pair, the same last move");
        replies.line = vec![(First, 1)];
        assert_eq!(replies.find(Second), [None, None], "the loser's reply is not kept");
        replies.line = vec![(First, 1), (Second, 2), (First, 3)];
        replies.learn(Some(Second));
        replies.line = vec![(First, 1), (Second, 2)];
        assert_eq!(replies.find(First), [None, None], "forgotten after a loss");
    }

    #[test]
    fn without_forgetting_a_reply_stays() {
        let mut replies = Replies::new(ReplyMemory::One, false, 10);
        replies.line = vec![(Second, 2), (First, 3)];
        replies.learn(Some(First));
        replies.learn(Some(Second));
        replies.learn(None);
        replies.line = vec![(Second, 2)];
        assert_eq!(replies.find(First), [None, Some(3)]);
    }
}
