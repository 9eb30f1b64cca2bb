//! Moves as two points, `h2e2` (UCCI), and the board diagram.
//!
//! Files are a to i from Red's left, ranks 0 to 9 from Red's side, or 1 to 10 with `ranks=one`.
//! Capitals and a dash (`H2-E2`, ICCS) are accepted too, and so are WXF and Chinese move texts (see
//! `wxf.rs`).

use super::board::{EMPTY, PieceKind, kind_of, point_at, side_of};
use super::fen::{START, letter_of};
use super::{RankNumbers, Xiangqi, XiangqiMove, wxf};
use tesuji_core::{
    BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Paint, Piece, Player, Position, Side,
    Sides, UciGame,
};

/// Red moves first.
const SIDES: Sides = Sides([
    Side { name: "Red", letter: 'K', symbol: '帥', paint: Paint::Red },
    Side { name: "Black", letter: 'k', symbol: '將', paint: Paint::Black },
]);

/// The character on a piece. The two sides write every kind differently.
const fn symbol(kind: PieceKind, owner: Player) -> char {
    let signs = match kind {
        PieceKind::General => ['帥', '將'],
        PieceKind::Advisor => ['仕', '士'],
        PieceKind::Elephant => ['相', '象'],
        PieceKind::Horse => ['傌', '馬'],
        PieceKind::Rook => ['俥', '車'],
        PieceKind::Cannon => ['炮', '砲'],
        PieceKind::Soldier => ['兵', '卒'],
    };
    signs[owner.index()]
}

impl RankNumbers {
    /// The numbers that engines of a protocol use, if it says.
    const fn of(protocol: EngineProtocol) -> Option<RankNumbers> {
        match protocol {
            EngineProtocol::Uci => Some(RankNumbers::FromOne),
            EngineProtocol::Ucci => Some(RankNumbers::FromZero),
            EngineProtocol::Gtp | EngineProtocol::Gomocup | EngineProtocol::NBoard => None,
        }
    }

    /// The number of Red's first rank.
    const fn first(self) -> u8 {
        match self {
            RankNumbers::FromZero => 0,
            RankNumbers::FromOne => 1,
        }
    }

    fn square(self, (file, rank): (u8, u8)) -> String {
        format!("{}{}", char::from(b'a' + file), rank + self.first())
    }

    /// Two points, without regard to pieces; `None` if the text is something else.
    fn read(self, text: &str) -> Option<[(u8, u8); 2]> {
        let mut letters = text.chars().peekable();
        let mut points = [(0, 0); 2];
        for (number, point) in points.iter_mut().enumerate() {
            if number == 1 {
                letters.next_if_eq(&'-');
            }
            let file =
                letters.next().map(|letter| letter.to_ascii_lowercase()).filter(|file| ('a'..='i').contains(file))?;
            let mut rank = letters.next()?.to_digit(10)? as u8;
            if let Some(digit) = letters.next_if(char::is_ascii_digit) {
                if rank != 1 || digit != '0' {
                    return None;
                }
                rank = 10;
            }
            let rank = rank.checked_sub(self.first()).filter(|rank| *rank < 10)?;
            *point = (file as u8 - b'a', rank);
        }
        letters.next().is_none().then_some(points)
    }
}

impl Xiangqi {
    /// Why a move between two points is not legal.
    fn objection(&self, from: (u8, u8), to: (u8, u8)) -> String {
        let square = |point| self.rules.ranks.square(point);
        let player = SIDES.name(self.turn());
        match (self.piece(from.0, from.1), self.piece(to.0, to.1)) {
            _ if self.outcome().is_some() => "the game has ended".into(),
            (None, _) => format!("there is no piece on {}", square(from)),
            (Some((owner, _)), _) if owner != self.turn() => {
                format!("it is {player}'s turn, and the piece on {} is not {player}'s", square(from))
            }
            (Some(_), Some((owner, _))) if owner == self.turn() => {
                format!("{player}'s own piece stands on {}", square(to))
            }
            (Some((_, kind)), _) => {
                let (from_point, to_point) = (point_at(from.0, from.1), point_at(to.0, to.1));
                if !self.board.is_pseudo_legal(self.board.side, from_point, to_point) {
                    format!("the {} cannot move from {} to {}", kind.name(), square(from), square(to))
                } else if self.checked {
                    "it leaves the general in check".into()
                } else {
                    "it exposes the general".into()
                }
            }
        }
    }
}

impl Notation for Xiangqi {
    const CONVENTIONS: Conventions = Conventions {
        moves_pieces: true,
        uci: Some(UciGame { position: "fen", white_is_first: true }),
        engines: &[EngineProtocol::Uci, EngineProtocol::Ucci],
        ..Conventions::PLAIN
    };

    fn show_move(&self, mv: XiangqiMove) -> String {
        format!("{}{}", self.rules.ranks.square(mv.from()), self.rules.ranks.square(mv.to()))
    }

    fn read_move(&self, text: &str) -> Result<XiangqiMove, MoveError> {
        let Some([from, to]) = self.rules.ranks.read(text) else {
            return wxf::read(self, text).map_err(|error| match error {
                MoveError::Unreadable { .. } => {
                    let first = self.rules.ranks.first();
                    let corners = format!("files a to i, ranks {first} to {}", first + 9);
                    MoveError::unreadable(
                        text,
                        format!(
                            "two points like {} ({corners})",
                            self.rules.ranks.square((7, 2)) + &self.rules.ranks.square((4, 2))
                        ),
                    )
                }
                illegal @ MoveError::Illegal { .. } => illegal,
            });
        };
        match XiangqiMove::new(from, to) {
            Some(mv) if self.is_legal(mv) => Ok(mv),
            _ => Err(MoveError::illegal(text, self.objection(from, to))),
        }
    }

    fn setup_text(&self) -> Option<String> {
        Some(self.to_fen())
    }

    fn show_for(&self, protocol: EngineProtocol, mv: XiangqiMove) -> String {
        let ranks = RankNumbers::of(protocol).unwrap_or(self.rules.ranks);
        format!("{}{}", ranks.square(mv.from()), ranks.square(mv.to()))
    }

    fn read_from(&self, protocol: EngineProtocol, text: &str) -> Result<XiangqiMove, MoveError> {
        let mut twin = *self;
        twin.rules.ranks = RankNumbers::of(protocol).unwrap_or(self.rules.ranks);
        twin.read_move(text)
    }

    fn uci_variant(&self) -> Option<&'static str> {
        Some("xiangqi")
    }

    fn is_usual_start(&self) -> bool {
        self.to_fen() == START
    }

    fn record_number(&self) -> Option<u16> {
        Some(7)
    }

    fn sides(&self) -> Sides {
        SIDES
    }

    fn way_of(&self, mv: XiangqiMove) -> Option<[(usize, usize); 2]> {
        Some([mv.from(), mv.to()].map(|(file, rank)| (usize::from(file), 9 - usize::from(rank))))
    }

    fn view(&self) -> BoardView {
        let first = self.rules.ranks.first();
        let points = (0..10).rev().flat_map(|rank| (0..9).map(move |file| point_at(file, rank)));
        let status = match self.outcome() {
            None if self.checked => format!("{}, in check", SIDES.to_move(self.turn())),
            None => SIDES.to_move(self.turn()),
            Some(outcome) => SIDES.has_won(outcome.winner()),
        };
        BoardView {
            shape: BoardShape::River,
            columns: ('a'..='i').map(String::from).collect(),
            rows: (0..10).rev().map(|rank| (rank + first).to_string()).collect(),
            points: points
                .map(|point| {
                    let slot = self.board.at(point);
                    let owner = if side_of(slot) == 0 { Player::First } else { Player::Second };
                    (slot != EMPTY).then(|| Piece {
                        owner,
                        letter: letter_of(slot),
                        symbol: symbol(kind_of(slot), owner),
                    })
                })
                .collect(),
            stars: Vec::new(),
            sides: SIDES,
            captions: vec![status],
        }
    }
}
