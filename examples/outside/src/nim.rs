//! Players in turn take one or two from a heap; the player who takes the last one wins.

use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{
    BoardShape, BoardView, Game, MoveError, Notation, Outcome, Player, Position, PositionHash, Studied, Zobrist,
    undo_by_copy,
};

/// A heap, its size at the start, and who is to take from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nim {
    heap: u32,
    start: u32,
    turn: Player,
}

/// Counters lie in rows of ten.
const WIDE: u32 = 10;

const KEYS: Zobrist = Zobrist::new("nim");

impl Position for Nim {
    type Move = u32;

    undo_by_copy!();

    fn turn(&self) -> Player {
        self.turn
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.heap == 0).then(|| Outcome::won_by(self.turn.other()))
    }
    fn visit_moves<B>(&self, f: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.heap.min(2)).try_for_each(f)
    }
    fn play(&mut self, taken: u32) {
        self.heap -= taken;
        self.turn = self.turn.other();
    }
    fn hash(&self) -> PositionHash {
        PositionHash(KEYS.key(u64::from(self.heap) * 2 + self.turn.index() as u64))
    }
    fn recomputed_hash(&self) -> PositionHash {
        self.hash() // nothing incremental here
    }
    fn move_space(&self) -> usize {
        2
    }
    fn move_index(&self, taken: u32) -> usize {
        taken as usize - 1
    }
    fn move_at(&self, index: usize) -> Option<u32> {
        [1, 2].get(index).copied()
    }
}

impl Notation for Nim {
    fn show_move(&self, taken: u32) -> String {
        taken.to_string()
    }
    fn read_move(&self, text: &str) -> Result<u32, MoveError> {
        let taken = text.parse().map_err(|_| MoveError::unreadable(text, "1 or 2"))?;
        if self.is_legal(taken) { Ok(taken) } else { Err(MoveError::illegal(text, format!("{} left", self.heap))) }
    }
    // The counters as stones on cells: what terminals and browsers draw.
    fn view(&self) -> BoardView {
        let (sides, rows) = (self.sides(), self.start.div_ceil(WIDE));
        let counter = |place: u32| (place < self.heap).then(|| sides.stone(Player::First));
        BoardView {
            shape: BoardShape::Cells,
            columns: ('a'..='j').take(WIDE as usize).map(String::from).collect(),
            rows: (1..=rows).map(|row| row.to_string()).collect(),
            points: (0..rows * WIDE).map(counter).collect(),
            stars: Vec::new(),
            sides,
            captions: vec![format!("{} left, {}", self.heap, sides.to_move(self.turn))],
        }
    }
    // A click on a counter takes it and those after it.
    fn place_of(&self, taken: u32) -> Option<(usize, usize)> {
        let place = self.heap.checked_sub(taken)?;
        Some(((place % WIDE) as usize, (place / WIDE) as usize))
    }
}

// Beyond the rules nothing is known: no evaluation, no solver of its own, the default player.
impl Studied for Nim {}

impl Game for Nim {
    type Position = Nim;
    const DESCRIPTION: Description = Description {
        name: "nim",
        about: "take one or two; the last one wins",
        parameters: &[Parameter {
            name: "heap",
            about: "the size of the heap at the start",
            kind: Kind::Integer(1, 1000),
            default: Some("10"),
        }],
    };
    const MOVES: &'static str = "1 or 2";

    fn start(arguments: &Arguments) -> Result<Nim, ArgumentError> {
        let heap = arguments.count("heap");
        Ok(Nim { heap, start: heap, turn: Player::First })
    }
}
