//! How a game went: its steps, and enough of its positions to take them back.
//!
//! A position of Go costs 13 kB and its past, too much to keep one for each step. A history keeps
//! the newest [`RECENT`], and older ones at a spacing that doubles as the game grows, at most
//! [`KEPT`]; the others are played again when they are needed. A position that was set up cannot be
//! played again and is kept; a game has at most [`MOST_SET_UPS`] of them, and at most
//! [`MOST_STEPS`] steps in all.

use crate::{AnyPosition, records};
use std::collections::VecDeque;
use std::sync::Arc;
use tesuji_core::{MOST_SET_UPS, MOST_STEPS, Player};

/// The newest positions, which are there to take single steps back at once.
const RECENT: usize = 16;
/// The most older positions.
const KEPT: usize = 32;
/// The spacing of older positions at first.
const SPACING: usize = 16;

/// How one position came from the one before.
enum Step {
    Move(Player, Box<str>),
    /// Only the side to move changed.
    Turn(Player),
    Set(Arc<dyn AnyPosition>),
}

/// A step too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    Steps,
    SetUps,
}

/// The steps of a game.
pub(crate) struct History {
    first: Arc<dyn AnyPosition>,
    steps: Vec<Step>,
    set_ups: usize,
    /// Positions by the number of steps before them, a multiple of the spacing, ascending; the
    /// first is not among them.
    kept: Vec<(usize, Arc<dyn AnyPosition>)>,
    spacing: usize,
    /// The positions after the newest steps, the current one last. Never empty.
    recent: VecDeque<Arc<dyn AnyPosition>>,
}

impl History {
    pub(crate) fn new(first: Box<dyn AnyPosition>) -> History {
        let first: Arc<dyn AnyPosition> = Arc::from(first);
        let recent = VecDeque::from([first.clone()]);
        History { first, steps: Vec::new(), set_ups: 0, kept: Vec::new(), spacing: SPACING, recent }
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn first(&self) -> &dyn AnyPosition {
        self.first.as_ref()
    }

    pub(crate) fn current(&self) -> &Arc<dyn AnyPosition> {
        self.recent.back().expect("a history keeps its current position")
    }

    /// Whether another step fits.
    pub(crate) fn room(&self, sets_up: bool) -> Result<(), Full> {
        if self.steps.len() >= MOST_STEPS {
            return Err(Full::Steps);
        }
        if sets_up && self.set_ups >= MOST_SET_UPS { Err(Full::SetUps) } else { Ok(()) }
    }

    /// A move was played and led to this position.
    pub(crate) fn moved(&mut self, player: Player, mv: &str, position: Box<dyn AnyPosition>) {
        self.push(Step::Move(player, mv.into()), Arc::from(position));
    }

    /// Whether changing the side to move now has to keep the position: a second change in a row may
    /// do more than turn.
    pub(crate) fn turning_sets_up(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Turn(_)))
    }

    /// Only the side to move changed, as by [`records::turned`].
    pub(crate) fn turned(&mut self, player: Player, position: Box<dyn AnyPosition>) {
        if self.turning_sets_up() {
            self.set(position);
        } else {
            self.push(Step::Turn(player), Arc::from(position));
        }
    }

    /// Another position was set up.
    pub(crate) fn set(&mut self, position: Box<dyn AnyPosition>) {
        let position: Arc<dyn AnyPosition> = Arc::from(position);
        self.set_ups += 1;
        self.push(Step::Set(position.clone()), position);
    }

    fn push(&mut self, step: Step, position: Arc<dyn AnyPosition>) {
        self.steps.push(step);
        let steps = self.steps.len();
        if steps.is_multiple_of(self.spacing) {
            self.kept.push((steps, position.clone()));
            if self.kept.len() > KEPT {
                self.spacing *= 2;
                let spacing = self.spacing;
                self.kept.retain(|(steps, _)| steps.is_multiple_of(spacing));
            }
        }
        self.recent.push_back(position);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    /// Takes the last step back; answers whether there was one and whether it was a move.
    pub(crate) fn undo(&mut self) -> Option<bool> {
        let step = self.steps.pop()?;
        self.set_ups -= usize::from(matches!(step, Step::Set(_)));
        self.recent.pop_back();
        while self.kept.last().is_some_and(|(steps, _)| *steps > self.steps.len()) {
            self.kept.pop();
        }
        if self.recent.is_empty() {
            self.recent = self.replayed(self.steps.len());
        }
        Some(matches!(step, Step::Move(..)))
    }

    /// The position after the first `steps` steps.
    pub(crate) fn at(&self, steps: usize) -> Arc<dyn AnyPosition> {
        // The newest one stands after all steps.
        let back = self.steps.len() - steps;
        match self.recent.len().checked_sub(back + 1) {
            Some(index) => self.recent[index].clone(),
            None => self.replayed(steps).pop_back().expect("never empty"),
        }
    }

    /// The positions after the newest of the first `steps` steps, played again from the last one
    /// that is kept.
    fn replayed(&self, steps: usize) -> VecDeque<Arc<dyn AnyPosition>> {
        let kept = self.kept.iter().rev().find(|(before, _)| *before <= steps);
        let (mut done, start) = kept.map_or((0, &self.first), |(before, position)| (*before, position));
        let mut positions = VecDeque::from([start.clone()]);
        while done < steps {
            let before: &Arc<dyn AnyPosition> = positions.back().expect("never empty");
            let next = match &self.steps[done] {
                Step::Set(position) => position.clone(),
                Step::Turn(player) => {
                    let turned = records::turned(before.as_ref(), *player);
                    turned.ok().flatten().map_or_else(|| before.clone(), Arc::from)
                }
                Step::Move(_, mv) => {
                    let mut next = before.boxed_clone();
                    next.play(mv).expect("a move that was legal before");
                    Arc::from(next)
                }
            };
            positions.push_back(next);
            if positions.len() > RECENT {
                positions.pop_front();
            }
            done += 1;
        }
        positions
    }

    /// Where the moves begin: how many steps there were when a position was put on the table last.
    pub(crate) fn base(&self) -> usize {
        self.steps.iter().rposition(|step| !matches!(step, Step::Move(..))).map_or(0, |step| step + 1)
    }

    /// The moves after the first `base` steps.
    pub(crate) fn moves_since(&self, base: usize) -> Vec<String> {
        let moves = self.steps[base..].iter().filter_map(|step| match step {
            Step::Move(_, text) => Some(text.to_string()),
            Step::Turn(_) | Step::Set(_) => None,
        });
        moves.collect()
    }

    /// Every step, for records. A change of the side to move between two moves is left out: the
    /// second one tells.
    pub(crate) fn steps(&self) -> Vec<records::Step> {
        let is_move = |step: Option<&Step>| matches!(step, Some(Step::Move(..)));
        let told =
            |number: usize| is_move(self.steps.get(number + 1)) && number > 0 && is_move(self.steps.get(number - 1));
        let step = |(number, step): (usize, &Step)| match step {
            Step::Move(player, text) => Some(records::Step::Move(*player, text.to_string())),
            Step::Set(position) => Some(records::Step::Set(position.boxed_clone())),
            Step::Turn(_) if told(number) => None,
            Step::Turn(_) => Some(records::Step::Set(self.at(number + 1).boxed_clone())),
        };
        self.steps.iter().enumerate().filter_map(step).collect()
    }

    /// The same steps with every position changed in the same way; nothing if one cannot be, or a
    /// step does not follow any more.
    pub(crate) fn changed(&self, change: impl Fn(&dyn AnyPosition) -> Option<Box<dyn AnyPosition>>) -> Option<History> {
        let mut changed = History::new(change(self.first.as_ref())?);
        for step in &self.steps {
            match step {
                Step::Set(position) => changed.set(change(position.as_ref())?),
                Step::Turn(player) => {
                    let turned = records::turned(changed.current().as_ref(), *player).ok()?;
                    let turned = turned.unwrap_or_else(|| changed.current().boxed_clone());
                    changed.push(Step::Turn(*player), Arc::from(turned));
                }
                Step::Move(player, text) => {
                    let mut next = changed.current().boxed_clone();
                    next.play(text).ok()?;
                    changed.moved(*player, text, next);
                }
            }
        }
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::{History, KEPT, RECENT};
    use crate::start_game;
    use tesuji_core::Rng;
    use tesuji_core::Seed;

    /// Whatever was kept, every position comes back as it was, one step at a time and by number.
    #[test]
    fn positions_that_are_not_kept_come_back() {
        let start = start_game(&"go(size=5,ko=positional)".parse().expect("a spec")).expect("a game").position;
        let mut history = History::new(start);
        let mut hashes = vec![history.current().hash()];
        let mut rng = Rng::new(Seed(5));
        for step in 0..3_000 {
            let before = history.current().clone();
            if before.outcome().is_some() || step % 37 == 5 {
                let other = before.turn().other();
                let turned = before.with_turn(other).expect("Go");
                history.turned(other, turned);
            } else if step % 101 == 7 {
                history.set(history.at(hashes.len() / 2).boxed_clone());
            } else {
                let mv = before.random_move(&mut rng).expect("not over");
                let mut next = before.boxed_clone();
                next.play(&mv).expect("legal");
                history.moved(before.turn(), &mv, next);
            }
            hashes.push(history.current().hash());
            assert!(history.kept.len() <= KEPT && history.recent.len() <= RECENT);
        }
        for steps in (0..hashes.len()).step_by(61) {
            assert_eq!(history.at(steps).hash(), hashes[steps], "after {steps} steps");
        }
        while let Some(hash) = hashes.pop() {
            assert_eq!((history.len(), history.current().hash()), (hashes.len(), hash));
            assert_eq!(history.undo().is_some(), !hashes.is_empty());
        }
    }
}
