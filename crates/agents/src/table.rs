//! Every playable position as an [`AnyTable`]: the [`Table`](tesuji_core::Table) that its game
//! states, in text, and records of its games.

use crate::any::{AnyPosition, AnyTable, Step};
use crate::erased::typed;
use tesuji_core::{Judgement, Outcome, Playable, Player, Position, RecordArguments, Seed};
use tesuji_sgf as sgf;

/// Whether two positions show the same board: one is only the other with another side to move.
#[must_use]
pub fn same_board(one: &dyn AnyPosition, other: &dyn AnyPosition) -> bool {
    one.view().points == other.view().points
}

fn boxed<P: Playable>(position: P) -> Box<dyn AnyPosition> {
    Box::new(position)
}

/// The same position with this player to move, in games that allow it.
fn turned<P: Playable>(position: &P, player: Player) -> Option<P> {
    position.table().with_turn(position, player)
}

/// Makes it this player's turn, as a record does whose moves name their players.
fn take_turn<P: Playable>(position: &mut P, player: Player) -> Result<(), String> {
    if position.outcome().is_none() && position.turn() == player {
        return Ok(());
    }
    match turned(position, player) {
        Some(turned) => *position = turned,
        None if position.outcome().is_some() => return Err("the game is over".into()),
        None => return Err(format!("it is the {} player's turn", position.turn())),
    }
    Ok(())
}

impl<P: Playable> AnyTable for P {
    fn with_turn(&self, player: Player) -> Option<Box<dyn AnyPosition>> {
        turned(self, player).map(boxed)
    }

    fn komi(&self) -> Option<f64> {
        self.table().komi(self)
    }

    fn with_komi(&self, komi: f64) -> Option<Box<dyn AnyPosition>> {
        self.table().with_komi(self, komi).map(boxed)
    }

    fn stones(&self) -> Option<[Vec<String>; 2]> {
        self.table().stones(self)
    }

    fn with_stones(&self, stones: &[(Player, String)], turn: Player) -> Result<Box<dyn AnyPosition>, String> {
        self.table().with_stones(self, stones, turn).map(boxed)
    }

    fn handicap_points(&self, stones: u8) -> Option<Vec<String>> {
        self.table().handicap_points(self, stones)
    }

    fn captured_by(&self, player: Player) -> Option<u32> {
        self.table().captured_by(self, player)
    }

    fn rule_names(&self) -> Option<[String; 3]> {
        self.table().rule_names(self)
    }

    fn fills_own_eye(&self, mv: &str) -> bool {
        self.read_move(mv).is_ok_and(|mv| self.table().fills_own_eye(self, mv))
    }

    fn judge(&self, seed: Seed) -> Option<Judgement> {
        self.table().judge(self, seed)
    }

    fn chain(&self, point: &str) -> Option<Vec<String>> {
        self.table().chain(self, point)
    }

    fn settle(&self, dead: &[String]) -> Option<(Outcome, f64)> {
        self.table().settle(self, dead)
    }

    fn cleaning_move(&self, seed: Seed) -> Option<String> {
        self.table().cleaning_move(self, seed).map(|mv| self.show_move(mv))
    }

    fn record_arguments(&self, bytes: &[u8]) -> Result<Option<RecordArguments>, String> {
        self.table().record_arguments(self, bytes)
    }

    fn read_record(&self, bytes: &[u8], most: Option<usize>) -> Result<Vec<Step>, String> {
        if let Some(steps) = self.table().read_record(self, bytes, most)? {
            let named = |step| match step {
                // Whose move it is and where the stones are makes no difference to how a move is
                // written there.
                tesuji_core::Step::Move(player, mv) => Step::Move(player, self.show_move(mv)),
                tesuji_core::Step::SetUp(position) => Step::Set(position),
            };
            return Ok(steps.into_iter().map(named).collect());
        }
        let mut moves = sgf::read_game(bytes, self, turned).map_err(|error| error.to_string())?;
        moves.truncate(most.unwrap_or(usize::MAX));
        let mut position = self.clone();
        let mut steps = Vec::with_capacity(moves.len());
        for (player, mv) in moves {
            take_turn(&mut position, player)?;
            steps.push(Step::Move(player, position.show_move(mv)));
            Position::play(&mut position, mv);
        }
        Ok(steps)
    }

    fn write_record(&self, name: &str, steps: &[Step]) -> Result<String, String> {
        let mut position = self.clone();
        let (mut typed_steps, mut moves) = (Vec::with_capacity(steps.len()), Vec::new());
        // The first step that a record of moves alone cannot hold.
        let mut set_up = false;
        for step in steps {
            match step {
                Step::Move(player, text) => {
                    take_turn(&mut position, *player)?;
                    let mv = position.read_move(text).map_err(|error| error.to_string())?;
                    Position::play(&mut position, mv);
                    typed_steps.push(tesuji_core::Step::Move(*player, mv));
                    moves.push((*player, mv));
                }
                Step::Set(set) => {
                    let set: &P = typed(set.as_ref()).ok_or("a position of another game was set up")?;
                    set_up |= !same_board(&position, set);
                    position = set.clone();
                    typed_steps.push(tesuji_core::Step::SetUp(Box::new(position.clone())));
                }
            }
        }
        if let Some(record) = self.table().write_record(self, &typed_steps) {
            return Ok(record);
        }
        if set_up {
            return Err("a position that was set up cannot be recorded in this game".into());
        }
        let record = sgf::write_game(name, self, &moves, turned);
        record.map(|record| record.to_string()).map_err(|error| error.to_string())
    }
}
