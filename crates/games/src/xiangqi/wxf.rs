//! The traditional notations: WXF (`C2.5`, `H8+7`) and Chinese (炮二平五, 馬8進7).
//!
//! Four characters: the piece, its file counted from the mover's right, the direction (forward,
//! backward, sideways), and the target file, or the distance of a straight move along a file.
//!
//! Two pieces of a kind on one file are distinguished as front and rear (WXF 1997): the file is
//! replaced by `+` or `-`, 前 or 后. Advisors and elephants do not need this. Three, four or five
//! soldiers may stand on a file: of three or five the middle one keeps the file number, of four or
//! five the outermost are `++` and `--` (in Chinese: 前 中 后 of three, 一 to 五 from the front of
//! more). Where two files hold several soldiers each, the first character is the file: `3+.4`,
//! 前三平四.
//!
//! Output uses `.` for sideways, capital letters, simplified characters, and Chinese digits for
//! Red, Arabic ones for Black. Input also accepts `=`, small letters, N for H and B for E, `+C.5`
//! for `C+.5`, full-width digits, traditional characters, and the plain file where it is
//! unambiguous. A text is read by comparing it with every legal move.

use super::board::{PieceKind, point_at, side_of};
use super::{Xiangqi, XiangqiMove};
use tesuji_core::{MoveError, Player, Position};

/// The move in WXF notation.
#[must_use]
pub fn show_wxf(position: &Xiangqi, mv: XiangqiMove) -> String {
    MoveText::of(position, mv).wxf(true)
}

/// The move in Chinese notation.
#[must_use]
pub fn show_chinese(position: &Xiangqi, mv: XiangqiMove) -> String {
    MoveText::of(position, mv).chinese(true)
}

/// The legal move that a text in WXF or Chinese notation denotes.
///
/// # Errors
/// If the text is neither, or denotes no legal move or more than one.
pub fn read(position: &Xiangqi, text: &str) -> Result<XiangqiMove, MoveError> {
    let expected = "four characters like C2.5, R+-1 or 炮二平五";
    let count = text.chars().take(6).count();
    if !(4..=5).contains(&count) {
        return Err(MoveError::unreadable(text, expected));
    }
    let chinese = !text.is_ascii();
    let wanted = if chinese { plain_chinese(text) } else { plain_wxf(text) };
    let wanted = wanted.ok_or_else(|| MoveError::unreadable(text, expected))?;
    // First in the exact form, then with the plain file.
    for exact in [true, false] {
        let mut found = position.moves().into_iter().filter(|mv| {
            let signs = MoveText::of(position, *mv);
            wanted == if chinese { signs.chinese(exact) } else { signs.wxf(exact) }
        });
        match (found.next(), found.next()) {
            (Some(mv), None) => return Ok(mv),
            (Some(_), Some(_)) => return Err(MoveError::illegal(text, "it denotes more than one move")),
            (None, _) => {}
        }
    }
    Err(MoveError::illegal(text, "no legal move has this notation"))
}

/// The direction of a move, from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
    Sideways,
}

/// The elements of a move text.
struct MoveText {
    kind: PieceKind,
    red: bool,
    /// From the mover's right, 1 to 9.
    file: u8,
    /// Index from the front, from 0, and number of pieces of the kind on the file.
    order: (usize, usize),
    /// More than one file holds several soldiers.
    crowded: bool,
    direction: Direction,
    number: u8,
}

impl MoveText {
    fn of(position: &Xiangqi, mv: XiangqiMove) -> MoveText {
        let ((file, rank), (to_file, to_rank)) = (mv.from(), mv.to());
        let (owner, kind) = position.piece(file, rank).unwrap_or((position.turn(), PieceKind::General));
        let red = owner == Player::First;
        let side = u8::from(!red);
        let own_file = |file: u8| if red { 9 - file } else { file + 1 };
        // Ranks of this kind on a file, from the front.
        let on_file = |file: u8| -> Vec<u8> {
            let stands = |rank: &u8| position.piece(file, *rank) == Some((owner, kind));
            let mut ranks: Vec<u8> = (0..10).filter(stands).collect();
            if red {
                ranks.reverse();
            }
            ranks
        };
        let here = on_file(file);
        let order = (here.iter().position(|other| *other == rank).unwrap_or(0), here.len());
        let crowded = kind == PieceKind::Soldier && (0..9).filter(|file| on_file(*file).len() > 1).count() > 1;
        debug_assert!(side_of(position.board.at(point_at(file, rank))) == side, "the mover's piece stands there");
        let direction = match (to_rank.cmp(&rank), red) {
            (std::cmp::Ordering::Equal, _) => Direction::Sideways,
            (std::cmp::Ordering::Greater, true) | (std::cmp::Ordering::Less, false) => Direction::Forward,
            _ => Direction::Backward,
        };
        let number = if file == to_file { rank.abs_diff(to_rank) } else { own_file(to_file) };
        MoveText { kind, red, file: own_file(file), order, crowded, direction, number }
    }

    /// Whether the file alone does not identify the piece.
    fn tandem(&self) -> bool {
        self.order.1 > 1 && !matches!(self.kind, PieceKind::Advisor | PieceKind::Elephant)
    }

    fn wxf(&self, exact: bool) -> String {
        let letter = match self.kind {
            PieceKind::Elephant => 'E',
            PieceKind::Horse => 'H',
            kind => kind.letter(),
        };
        let file = char::from(b'0' + self.file);
        let (first, second) = if self.tandem() && exact {
            let (place, count) = self.order;
            let sign = match (place, count - 1 - place) {
                (front, rear) if front < rear => '+',
                (front, rear) if front > rear => '-',
                _ => file,
            };
            let outermost = count > 3 && (place == 0 || place == count - 1);
            match (self.crowded, outermost) {
                (true, _) => (file, sign),
                (false, true) => (sign, sign),
                (false, false) => (letter, sign),
            }
        } else {
            (letter, file)
        };
        let way = match self.direction {
            Direction::Forward => '+',
            Direction::Backward => '-',
            Direction::Sideways => '.',
        };
        format!("{first}{second}{way}{}", self.number)
    }

    fn chinese(&self, exact: bool) -> String {
        let digit = |number: u8| {
            if self.red { DIGITS[usize::from(number)] } else { char::from(b'0' + number) }
        };
        let name = match (self.kind, self.red) {
            (PieceKind::General, true) => '帅',
            (PieceKind::General, false) => '将',
            (PieceKind::Advisor, true) => '仕',
            (PieceKind::Advisor, false) => '士',
            (PieceKind::Elephant, true) => '相',
            (PieceKind::Elephant, false) => '象',
            (PieceKind::Horse, _) => '马',
            (PieceKind::Rook, _) => '车',
            (PieceKind::Cannon, _) => '炮',
            (PieceKind::Soldier, true) => '兵',
            (PieceKind::Soldier, false) => '卒',
        };
        let (first, second) = if self.tandem() && exact {
            let (place, count) = self.order;
            let order = match (place, count) {
                (place, 4..) => DIGITS[place + 1],
                (0, _) => '前',
                (1, 3) => '中',
                _ => '后',
            };
            (order, if self.crowded { digit(self.file) } else { name })
        } else {
            (name, digit(self.file))
        };
        let way = match self.direction {
            Direction::Forward => '进',
            Direction::Backward => '退',
            Direction::Sideways => '平',
        };
        format!("{first}{second}{way}{}", digit(self.number))
    }
}

const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A WXF text in the output form.
fn plain_wxf(text: &str) -> Option<String> {
    let mut signs: Vec<char> = text
        .chars()
        .map(|letter| match letter.to_ascii_uppercase() {
            'N' => 'H',
            'B' => 'E',
            '=' => '.',
            other => other,
        })
        .collect();
    if signs.len() != 4 {
        return None;
    }
    if matches!(signs[0], '+' | '-') && signs[1].is_ascii_alphabetic() {
        signs.swap(0, 1);
    }
    let fits = (matches!(signs[0], '1'..='9' | '+' | '-') || "KAEHRCP".contains(signs[0]))
        && matches!(signs[1], '1'..='9' | '+' | '-')
        && matches!(signs[2], '+' | '-' | '.')
        && matches!(signs[3], '1'..='9');
    fits.then(|| signs.into_iter().collect())
}

/// A Chinese text in the output form: simplified characters, ASCII digits.
fn plain_chinese(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .map(|letter| match letter {
            '帥' => '帅',
            '將' => '将',
            '馬' | '傌' => '马',
            '車' | '俥' => '车',
            '砲' | '包' => '炮',
            '進' => '进',
            '後' => '后',
            '０'..='９' => char::from_digit(letter as u32 - '０' as u32, 10).unwrap_or(letter),
            other => other,
        })
        .collect();
    let known = |letter: char| {
        letter.is_ascii_digit() || DIGITS.contains(&letter) || "帅将仕士相象马车炮兵卒进退平前中后".contains(letter)
    };
    (plain.chars().count() == 4 && plain.chars().all(known)).then_some(plain)
}
