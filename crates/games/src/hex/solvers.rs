//! The solver of Hex: df-pn with virtual connections, must-play regions and carriers of wins.

use super::knowledge::Knowledge;
use super::{Hex, Move};
use tesuji_core::solver::{GOAL, Plan, Settings, Solver, goal_of};
use tesuji_core::spec::Description;
use tesuji_core::{Advice, Adviser, Aim, Certificate, Player};

/// All solvers of the game.
pub(super) const SOLVERS: &[Solver<Hex>] = &[Solver {
    description: Description {
        name: "hex-solver",
        about: "df-pn with virtual connections and must-play regions; Hex, and with knowledge up to eight rows",
        parameters: &[GOAL],
    },
    parallel: true,
    plan: |arguments| {
        Ok(Plan {
            settings: Settings { focus: 0.25, weak: true, ..Settings::default() },
            goal: Some(goal_of(arguments)?),
            ..Plan::advised(Knowledge::default())
        })
    },
}];

/// Only moves that are proved redundant are omitted, so losses are as certain as wins.
impl Adviser<Hex> for Knowledge {
    fn leaves_out(&self) -> bool {
        false
    }

    fn wants_memory(&self, threads: u32) -> u64 {
        Knowledge::MOST_BYTES * u64::from(threads)
    }

    fn memory(&mut self, bytes: u64, threads: u32) {
        Knowledge::memory(self, bytes / u64::from(threads.max(1)));
    }

    fn memory_bytes(&self) -> u64 {
        Knowledge::memory_bytes(self)
    }

    fn advise(&mut self, position: &Hex, _: Aim, advice: &mut Advice<Move>) {
        advice.winner = self.study(position, &mut advice.moves);
    }

    fn keeps_lists(&self) -> bool {
        true
    }

    fn learns(&self) -> bool {
        true
    }

    fn solved(&mut self, position: &Hex, winner: Player, by: Option<Move>, moves: &mut dyn Iterator<Item = Move>) {
        self.learn(position, winner, by, moves);
    }

    fn also_lost(&mut self, position: &Hex, lost: Move, other: Move) -> bool {
        Knowledge::also_lost(self, position, lost, other)
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Hex>>> {
        Some(Box::new(Knowledge::fork(self)))
    }

    fn certify(&mut self, position: &Hex, claimant: Player, listed: &mut Vec<Move>) -> Option<Certificate> {
        self.certificate(position, claimant, listed)
    }
}
