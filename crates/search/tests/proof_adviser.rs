//! What a search asks of its advisers, and what it tells them.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tesuji_core::solver::Settings;
use tesuji_core::{
    Advice, Adviser, Aim, Bounds, Budget, Deadline, Goal, NoObserver, Player, Position, Seed, StopReason,
};
use tesuji_games::hex::{Hex, Move, SwapRule};
use tesuji_games::tictactoe::{Square, TicTacToe};
use tesuji_search::Search;
use tesuji_search::proof::{Advised, DfPn};

/// Takes all the time there is for its third advice, and then says something false.
#[derive(Default)]
struct Dawdler {
    deadline: Deadline,
    asked: u32,
}

impl Adviser<TicTacToe> for Dawdler {
    fn leaves_out(&self) -> bool {
        false
    }

    fn limit(&mut self, deadline: &Deadline) {
        self.deadline = deadline.clone();
    }

    fn advise(&mut self, position: &TicTacToe, _: Aim, advice: &mut Advice<Square>) {
        self.asked += 1;
        advice.moves.extend(position.moves());
        if self.asked == 3 {
            let mut waits = 0;
            while !self.deadline.is_over() {
                std::thread::sleep(Duration::from_millis(1));
                waits += 1;
                assert!(waits < 20_000, "the deadline is never over");
            }
            advice.winner = Some(Player::First);
        }
    }
}

#[test]
fn advisers_hear_the_clock_and_are_not_believed_when_it_is_over() {
    for by_hand in [false, true] {
        let mut search =
            Advised::new(Settings::default(), Box::<Dawdler>::default()).with_goal(Goal::win_of(Player::First));
        let hard_time = (!by_hand).then_some(Duration::from_millis(30));
        let budget = Budget { hard_time, ..Budget::default() };
        let stop = budget.stop.clone();
        let report = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(30));
                if by_hand {
                    stop.stop();
                }
            });
            search.search(&TicTacToe::default(), &budget, Seed(1), &mut NoObserver).expect("live")
        });
        assert_eq!(report.stopped, if by_hand { StopReason::Asked } else { StopReason::Time });
        assert_eq!(report.bounds, Bounds::UNKNOWN);
        assert!(report.nodes <= 2, "{}", report.nodes);
    }
}

type Heard = Arc<Mutex<Vec<(Hex, Player, Option<Move>, usize)>>>;

/// Writes down what it is told.
struct Listener(Heard);

impl Adviser<Hex> for Listener {
    fn leaves_out(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &Hex, _: Aim, advice: &mut Advice<Move>) {
        advice.moves.extend(position.moves());
    }

    fn learns(&self) -> bool {
        true
    }

    fn solved(&mut self, position: &Hex, winner: Player, by: Option<Move>, moves: &mut dyn Iterator<Item = Move>) {
        self.0.lock().expect("one thread").push((*position, winner, by, moves.count()));
    }
}

fn winner(position: &Hex) -> Option<Player> {
    if let Some(outcome) = position.outcome() {
        return outcome.winner();
    }
    let mut search = DfPn::new(Settings::default(), Goal::default());
    let report = search.search(position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    report.bounds.proved().and_then(tesuji_core::Score::winner)
}

/// What an adviser is told is true: who wins, and by which move.
#[test]
fn advisers_hear_what_is_solved() {
    let heard = Heard::default();
    let mut search = Advised::new(Settings::default(), Box::new(Listener(heard.clone())));
    let start = Hex::new(3, SwapRule::Off).expect("a board");
    search.search(&start, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    let heard = heard.lock().expect("one thread");
    assert!(heard.len() > 20 && heard.last().is_some_and(|(position, ..)| *position == start), "{}", heard.len());
    for (position, won_by, by, moves) in heard.iter() {
        assert_eq!(winner(position), Some(*won_by), "{position:?}");
        match by {
            Some(mv) => {
                assert_eq!(position.turn(), *won_by);
                let mut next = *position;
                next.play(*mv);
                assert_eq!(winner(&next), Some(*won_by));
            }
            None => assert!(position.turn() != *won_by && *moves == position.move_count()),
        }
    }
}
