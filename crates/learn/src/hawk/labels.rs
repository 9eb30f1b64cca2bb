//! Boards labelled by long searches.
//!
//! Hawk §3.2.2: random boards after 5, 10, … 105 moves, equally many of each, each labelled by a
//! plain search of 10,000 iterations. A label has the mean reward of the search, and for each move its
//! mean, its visits and the properties of the board after it: what all three agents are taught by.
//!
//! A random game that ends before its number of moves gives its last board that had not ended (Hex).
//! Board i depends on the seed and on i alone.
//!
//! | in a file | |
//! |---|---|
//! | first line | `tesuji labels 1`, game, lines, iterations, seed |
//! | other lines | stones by points (`.`, `X`, `O`), side to move, mean reward for the first player, then for each move its point, mean for the mover, visits and five properties for the mover, joined by `:` |

use super::table::StoneTable;
use super::uct::{As, Plain, Tree};
use tesuji_core::{Budget, Player, Rng, Seed};

/// What is known of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveLabel {
    /// Its point.
    pub point: u16,
    /// Its mean reward for the mover.
    pub mean: f32,
    /// Iterations through it.
    pub visits: u32,
    /// The properties of the board after it, for the mover.
    pub properties: [i16; 5],
}

/// What is known of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// Stones by points.
    pub stones: Vec<i8>,
    /// Who is to move.
    pub turn: Player,
    /// The mean reward for the first player.
    pub value: f32,
    /// Moves that put a stone and were tried.
    pub moves: Vec<MoveLabel>,
}

/// Labels of one game and size.
#[derive(Clone, PartialEq, Debug)]
pub struct Labels {
    /// The game.
    pub game: String,
    /// Lines of its board.
    pub lines: usize,
    /// Whether the second player sees rows and columns exchanged.
    pub mirrors: bool,
    /// Iterations of each search.
    pub iterations: u64,
    /// The seed.
    pub seed: Seed,
    /// The boards.
    pub boards: Vec<Label>,
}

/// Moves before a board: 5, 10, … 105 in turn.
fn random_moves(number: u64) -> u32 {
    5 * (1 + (number % 21) as u32)
}

/// Labels board number `number` of a game whose start the table shows.
pub fn label(start: &mut dyn StoneTable, iterations: u64, seed: Seed, number: u64) -> Label {
    let mut rng = Rng::new(seed.derive(number));
    start.reset();
    let mut table = start.fork();
    for _ in 0..random_moves(number) {
        let Some(mv) = table.random_move(&mut rng) else { break };
        let mut next = table.fork();
        next.play(mv);
        if next.ended().is_some() {
            break;
        }
        table = next.fork();
    }
    table.reset();
    let (lines, turn) = (table.lines(), table.turn());
    let budget = Budget { memory: Some(1 << 30), ..Budget::iterations(iterations) };
    let mut tree = Tree::new(table.as_ref(), As::Text, &budget);
    tree.run(table.as_mut(), &mut Plain, &mut budget.meter(), &mut rng, &mut |_, _, _| ());
    table.reset();
    let mut stones = vec![0; lines * lines];
    table.write_stones(&mut stones);
    let mut moves = Vec::new();
    for node in tree.root().iter().filter(|node| node.visits > 0 && usize::from(node.mv) < stones.len()) {
        table.reset();
        table.play(node.mv);
        moves.push(MoveLabel {
            point: node.mv,
            mean: tree.mean_of(node).unwrap_or(0.5) as f32,
            visits: node.visits,
            properties: table.properties(turn, false),
        });
    }
    moves.sort_by_key(|mv| mv.point);
    let own = tree.mean() as f32;
    Label { stones, turn, value: if turn == Player::First { own } else { 1.0 - own }, moves }
}

impl Labels {
    /// None yet.
    #[must_use]
    pub fn new(table: &dyn StoneTable, iterations: u64, seed: Seed) -> Labels {
        let (game, lines, mirrors) = (table.game().to_string(), table.lines(), table.mirrors());
        Labels { game, lines, mirrors, iterations, seed, boards: Vec::new() }
    }

    /// The first line of their file.
    #[must_use]
    pub fn head(&self) -> String {
        format!("tesuji labels 1 {} {} {} {}", self.game, self.lines, self.iterations, self.seed.0)
    }

    /// Reads the lines of a file that has this head; a last line that was cut off is left out.
    ///
    /// # Errors
    /// If it has another head, or a line cannot be read.
    pub fn read_lines(&mut self, text: &str) -> Result<(), String> {
        let mut lines = text.split_inclusive('\n').enumerate();
        match lines.next() {
            Some((_, head)) if head.trim_end() == self.head() => (),
            Some((_, head)) => return Err(format!("line 1 is \"{}\", expected \"{}\"", head.trim_end(), self.head())),
            None => return Ok(()),
        }
        for (number, line) in lines.filter(|(_, line)| line.ends_with('\n')) {
            let label = read_line(line.trim_end(), self.lines * self.lines);
            self.boards.push(label.ok_or_else(|| format!("line {} is no label of this board", number + 1))?);
        }
        Ok(())
    }

    /// Boards for training, and one of five for validation.
    #[must_use]
    pub fn split(&self) -> (Vec<&Label>, Vec<&Label>) {
        let (mut training, mut validation) = (Vec::new(), Vec::new());
        for (number, board) in self.boards.iter().enumerate() {
            if number % 5 == 4 { validation.push(board) } else { training.push(board) }
        }
        (training, validation)
    }
}

impl Label {
    /// Its line in a file.
    #[must_use]
    pub fn line(&self) -> String {
        let stones: String = self.stones.iter().map(|stone| ['O', '.', 'X'][(stone + 1) as usize]).collect();
        let mut line = format!("{stones} {} {}", if self.turn == Player::First { 'X' } else { 'O' }, self.value);
        for mv in &self.moves {
            let [a, b, c, d, e] = mv.properties;
            line.push_str(&format!(" {}:{}:{}:{a}:{b}:{c}:{d}:{e}", mv.point, mv.mean, mv.visits));
        }
        line
    }
}

fn read_line(line: &str, points: usize) -> Option<Label> {
    let mut words = line.split(' ');
    let stones: Option<Vec<i8>> = words
        .next()?
        .chars()
        .map(|stone| match stone {
            'X' => Some(1),
            'O' => Some(-1),
            '.' => Some(0),
            _ => None,
        })
        .collect();
    let stones = stones.filter(|stones| stones.len() == points)?;
    let turn = match words.next()? {
        "X" => Player::First,
        "O" => Player::Second,
        _ => return None,
    };
    let share = |text: &str| text.parse().ok().filter(|value: &f32| (0.0..=1.0).contains(value));
    let value = share(words.next()?)?;
    let moves = words.map(|word| {
        let mut parts = word.split(':');
        let point = parts.next()?.parse().ok().filter(|point: &u16| usize::from(*point) < points)?;
        let (mean, visits) = (share(parts.next()?)?, parts.next()?.parse().ok()?);
        let mut properties = [0; 5];
        for property in &mut properties {
            *property = parts.next()?.parse().ok()?;
        }
        parts.next().is_none().then_some(MoveLabel { point, mean, visits, properties })
    });
    Some(Label { stones, turn, value, moves: moves.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::{Labels, label, random_moves};
    use crate::hawk::table_of;
    use tesuji_core::{Seed, StoneBoard};
    use tesuji_games::go::{Go, GoRules};

    #[test]
    fn boards_after_5_to_105_moves() {
        let counts: Vec<u32> = (0..22).map(random_moves).collect();
        assert_eq!((counts[0], counts[20], counts[21]), (5, 105, 5));
    }

    /// A label is that of a search of this length, depends on seed and number alone, and comes back
    /// from its file.
    #[test]
    fn labels_come_back() {
        let start = Go::new(GoRules::on(5)).expect("a board");
        let mut table = table_of(&start).expect("stones");
        let mut labels = Labels::new(table.as_ref(), 200, Seed(1));
        for number in 0..4 {
            labels.boards.push(label(table.as_mut(), 200, Seed(1), number));
        }
        let again = label(table.as_mut(), 200, Seed(1), 2);
        assert_eq!(labels.boards[2], again);
        let first = &labels.boards[0];
        assert_eq!(first.stones.iter().filter(|stone| **stone != 0).count() as u32, 5);
        let visits: u32 = first.moves.iter().map(|mv| mv.visits).sum();
        assert!((150..=200).contains(&visits), "{visits}: all but those of the pass");
        assert!(first.moves.iter().all(|mv| first.stones[usize::from(mv.point)] == 0));
        // The properties of the board after the move: one stone more for the mover.
        let before: i16 = first.stones.iter().map(|stone| i16::from(*stone)).sum();
        assert!(first.moves.iter().all(|mv| mv.properties[0] >= 1 - before.abs()));
        assert_eq!(Go::PROPERTIES[0], "netStones");
        let text: String = std::iter::once(labels.head())
            .chain(labels.boards.iter().map(|board| board.line()))
            .map(|line| line + "\n")
            .collect();
        let mut read = Labels::new(table.as_ref(), 200, Seed(1));
        read.read_lines(&text).expect("labels");
        assert_eq!(read, labels);
        // A file that was cut off lacks its last board; another seed is another file.
        let mut cut = Labels::new(table.as_ref(), 200, Seed(1));
        cut.read_lines(&text[..text.len() - 3]).expect("labels");
        assert_eq!(cut.boards.len(), 3);
        assert!(Labels::new(table.as_ref(), 200, Seed(2)).read_lines(&text).is_err());
        let broken = text.replace(" X ", " Y ");
        assert!(Labels::new(table.as_ref(), 200, Seed(1)).read_lines(&broken).is_err());
    }
}
