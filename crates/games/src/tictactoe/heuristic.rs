//! Knowledge of tic-tac-toe beyond its rules: immediate wins, by table.

use super::{FULL, LINES, NTH, Square, TicTacToe};
use tesuji_core::{Character, Fraction, Outcome, Position, Rng, Studied, Trace};

/// The squares that complete a line of a pattern of stones.
static COMPLETING: [u16; 512] = {
    let mut completing = [0; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut line = 0;
        while line < 8 {
            let missing = LINES[line] & !(pattern as u16);
            if missing.count_ones() == 1 {
                completing[pattern] |= missing;
            }
            line += 1;
        }
        pattern += 1;
    }
    completing
};

/// One of some squares, drawn uniformly (bias as in `Fraction`).
fn draw(squares: u16, fraction: &mut Fraction) -> Square {
    Square(NTH[(squares & FULL) as usize][(fraction.below(squares.count_ones()) & 15) as usize])
}

impl TicTacToe {
    /// The empty squares that complete a line for the player to move (0) or the opponent (1); empty
    /// in an ended game.
    fn completing(&self) -> [u16; 2] {
        if self.outcome().is_some() {
            return [0; 2];
        }
        [self.turn, self.turn.other()]
            .map(|player| COMPLETING[(self.stones[player.index()] & FULL) as usize] & self.empty())
    }
}

impl Studied for TicTacToe {
    const CHARACTER: Character = Character { ends_suddenly: true, never_repeats: true, ..Character::PLAIN };

    /// All 5,478 positions are searched in a millisecond.
    fn strongest(&self) -> &'static str {
        "oracle"
    }

    fn winning_move(&self) -> Option<Square> {
        let [wins, _] = self.completing();
        (wins != 0).then(|| Square(wins.trailing_zeros() as u8))
    }

    fn saving_move(&self, rng: &mut Rng) -> Option<Square> {
        let [_, threats] = self.completing();
        (threats != 0).then(|| draw(threats, &mut rng.fraction()))
    }

    /// One random draw serves the whole game, as in the uniform playout.
    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let mut player = self.turn;
        let mut own = self.stones[player.index()];
        let mut others = self.stones[player.other().index()];
        let mut empty = self.empty();
        let mut fraction = rng.fraction();
        while empty != 0 {
            let wins = COMPLETING[(own & FULL) as usize] & empty;
            if wins != 0 {
                trace.played(player, Square(wins.trailing_zeros() as u8));
                return Outcome::won_by(player);
            }
            let threats = COMPLETING[(others & FULL) as usize] & empty;
            let square = draw(if threats != 0 { threats } else { empty }, &mut fraction);
            trace.played(player, square);
            own |= 1 << square.0;
            empty ^= 1 << square.0;
            std::mem::swap(&mut own, &mut others);
            player = player.other();
        }
        Outcome::DRAW
    }
}
