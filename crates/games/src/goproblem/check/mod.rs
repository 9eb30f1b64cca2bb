//! The checker of life-and-death certificates, apart from the code that finds them.
//!
//! The finder (`life.rs`, `death.rs`) works on bit sets and precomputed tables. Here the board is
//! read point by point through the public functions of [`GoProblem`] into a plain array, and both
//! conditions are derived by flood fills over it. Finder and checker share the rules and the two
//! theorems, no code. `tests/checkers.rs` enforces that.
//!
//! | file | certificate |
//! |---|---|
//! | `board.rs` | the board as an array: neighbours, flood fill |
//! | `life.rs` | `unconditional life` |
//! | `death.rs` | `static death` |

mod board;
mod death;
mod life;

use super::{GoProblem, Move};
use board::Board;
use tesuji_core::{Certificate, Certifier, Drawing, Player, ViewPoint};

/// The kind of certificate for stones that live whatever is played. It has no data.
pub const UNCONDITIONAL_LIFE: &str = "unconditional life";

/// The kind of certificate for stones that are captured whatever is played. It has no data.
pub const STATIC_DEATH: &str = "static death";

/// Checks certificates of unconditional life and static death.
#[derive(Clone, Copy, Debug, Default)]
pub struct LifeCertifier;

impl LifeCertifier {
    fn holds(position: &GoProblem, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        let owns = claimant == position.problem().mode.defender();
        match certificate.kind.as_ref() {
            UNCONDITIONAL_LIFE | STATIC_DEATH if !certificate.data.is_empty() => {
                Err(format!("a certificate of {} has no data", certificate.kind))
            }
            UNCONDITIONAL_LIFE if !owns => Err("the claimant does not own the important stones".into()),
            STATIC_DEATH if owns => Err("the claimant owns the important stones and loses by their death".into()),
            UNCONDITIONAL_LIFE => life::check(position, &Board::new(position)),
            STATIC_DEATH => death::check(position, &Board::new(position)),
            _ => Err("life-and-death problems have no certificate of this kind".into()),
        }
    }
}

impl Certifier<GoProblem> for LifeCertifier {
    fn wins(&self, position: &GoProblem, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        LifeCertifier::holds(position, claimant, certificate)
    }

    fn answers(
        &self,
        position: &GoProblem,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Move>,
    ) -> Result<(), String> {
        LifeCertifier::holds(position, claimant, certificate)?;
        replies.clear();
        Ok(())
    }

    fn drawing(&self, position: &GoProblem, _: Player, certificate: &Certificate) -> Drawing {
        let board = Board::new(position);
        let places = |points: Vec<usize>| -> Vec<ViewPoint> { points.into_iter().map(|at| board.place(at)).collect() };
        if certificate.kind == STATIC_DEATH {
            return Drawing { area: places(death::doomed_room(position, &board)), ..Drawing::default() };
        }
        let important = board.points_where(|point| board.at(point).important);
        let chain = important.first().map(|stone| board.chain(*stone)).unwrap_or_default();
        let eyes = life::eye_spaces(&board, &chain).into_iter().map(places).collect();
        Drawing { eyes, ..Drawing::default() }
    }
}
