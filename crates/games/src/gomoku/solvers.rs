//! The solvers of Gomoku and renju: df-pn with advisers that keep the initiative.

use super::{ContinuousThreats, Gomoku, Point, VctLimits, forcing_moves};
use tesuji_core::solver::{Advisers, Plan, Settings, Solver};
use tesuji_core::spec::Description;
use tesuji_core::{Advice, Adviser, Aim, Certificate, Deadline, Player};

/// All solvers of the game.
pub(super) const SOLVERS: &[Solver<Gomoku>] = &[
    Solver {
        description: Description {
            name: "vcf",
            about: "df-pn for a victory of the mover by continuous fours; Gomoku and renju",
            parameters: &[],
        },
        parallel: false,
        plan: |_| Ok(Plan::advised(ContinuousFours)),
    },
    Solver {
        description: Description {
            name: "vct",
            about: "df-pn for a victory of the mover by fours, threes and quiet threats; Gomoku and renju",
            parameters: &[],
        },
        parallel: false,
        plan: |_| {
            let stage = |(limits, nodes): (VctLimits, u64)| {
                (Box::new(ContinuousThreats::new(limits)) as Box<dyn Adviser<Gomoku>>, nodes)
            };
            Ok(Plan {
                settings: Settings { epsilon: VctLimits::EPSILON, ..Settings::default() },
                goal: None,
                advisers: Advisers::Stages(VctLimits::STAGES.map(stage).into()),
            })
        },
    },
];

/// Advises moves that make fours, and answers to them (`forcing.rs`).
#[derive(Clone, Copy, Debug, Default)]
pub struct ContinuousFours;

impl Adviser<Gomoku> for ContinuousFours {
    fn leaves_out(&self) -> bool {
        true
    }

    fn advise(&mut self, position: &Gomoku, aim: Aim, advice: &mut Advice<Point>) {
        forcing_moves(position, aim.player, &mut advice.moves);
    }
}

impl Adviser<Gomoku> for ContinuousThreats {
    fn leaves_out(&self) -> bool {
        true
    }

    fn own_limit(&self) -> Option<&'static str> {
        Some("stages")
    }

    fn begin(&mut self, root: &Gomoku) {
        ContinuousThreats::begin(self, root);
    }

    fn limit(&mut self, deadline: &Deadline) {
        ContinuousThreats::limit(self, deadline);
    }

    fn wants_memory(&self, _: u32) -> u64 {
        u64::MAX
    }

    fn memory(&mut self, bytes: u64, _: u32) {
        ContinuousThreats::memory(self, bytes);
    }

    fn memory_bytes(&self) -> u64 {
        ContinuousThreats::memory_bytes(self)
    }

    fn advise(&mut self, position: &Gomoku, aim: Aim, advice: &mut Advice<Point>) {
        let Advice { winner, moves, numbers } = advice;
        *winner = ContinuousThreats::advise(self, position, aim.player, moves, numbers);
    }

    fn certify(&mut self, position: &Gomoku, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        self.certificate(position, claimant, listed)
    }
}
