//! Games with variations and comments, in SGF.
//!
//! Every way from the root of a record to a leaf is a record of its own. Reading takes each of these
//! lines out of the tree and reads it as any record; writing writes each line as any record and joins
//! what begins alike. So all games have variations, and none knows of them. The first line is the
//! game as it was played; a comment (C) belongs to a position of a line.
//!
//! Deviations: a line that holds no legal game is left out and counted, as are lines and comments
//! beyond a limit. A line must begin with the set-up of the first one. Of a node with two comments
//! the last one is written. SGF knows no end of a game before the end of its line: a line that goes
//! on from the end of the game is the game when it is read again.

use crate::any::{AnyPosition, Step};
use crate::records::{self, Details, Record};
use crate::registry::StartedGame;
use tesuji_core::spec::Spec;
use tesuji_sgf::{Collection, EditError, Node, NodeId, Property};

/// The longest way to a leaf that is read, in nodes.
const MOST_NODES: usize = 4_096;

/// Properties that put stones on the board or change the turn: a node with one of them is not a
/// step for certain.
const SET_UP: [&str; 4] = ["AB", "AW", "AE", "PL"];

/// How much of a record is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MostRead {
    /// Moves of a line.
    pub moves: usize,
    /// Lines, the first one not counted.
    pub variations: usize,
    /// Comments.
    pub comments: usize,
}

/// A comment on the position after some steps of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// The line: 0 is the game, 1 the first variation.
    pub line: usize,
    /// The number of steps.
    pub steps: usize,
    /// What it says.
    pub text: String,
}

/// A game with its variations and comments.
pub struct Annotated {
    /// The game.
    pub record: Record,
    /// Other lines, each from the start.
    pub variations: Vec<Vec<Step>>,
    /// Comments, in the order of the file.
    pub comments: Vec<Comment>,
    /// How many lines and comments were left out.
    pub left_out: usize,
}

/// Reads the first game of an SGF file as this game. The record opens no file.
///
/// # Errors
/// If the file is not SGF, not of this game, or a move of its main line is not legal.
pub fn read(game: StartedGame, bytes: &[u8], most: MostRead) -> Result<Annotated, String> {
    let record = records::read_as(game, bytes, Some(most.moves))?;
    let file = Collection::parse(bytes).map_err(|error| error.to_string())?;
    let root = file.roots()[0];
    let steps_of = |way: &[Node<'_>]| -> Option<Vec<Step>> {
        let text = alone(way).ok()?.to_string();
        record.start.read_record(text.as_bytes(), Some(most.moves)).ok()
    };
    let (mut variations, mut comments, mut left_out) = (Vec::new(), Vec::new(), 0);
    // The line of every leaf that is kept.
    let mut leaves: Vec<(NodeId, usize)> = Vec::new();
    for (number, leaf) in file.descendants(root).filter(|node| node.first_child().is_none()).enumerate() {
        if number == 0 {
            leaves.push((leaf.id(), 0));
            continue;
        }
        let way = (number <= most.variations).then(|| way_to(leaf)).flatten();
        match way.and_then(|way| steps_of(&way)) {
            Some(steps) => {
                variations.push(steps);
                leaves.push((leaf.id(), variations.len()));
            }
            None => left_out += 1,
        }
    }
    for node in file.descendants(root) {
        let Some(text) = node.value("C").map(|value| value.text()).filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        if comments.len() >= most.comments {
            left_out += 1;
            continue;
        }
        let leaf = file.main_line(node.id()).last().map(|leaf| leaf.id());
        let line = leaves.iter().find(|(known, _)| Some(*known) == leaf).map(|(_, line)| *line);
        let steps = way_to(node).and_then(|way| count(&way).or_else(|| steps_of(&way).map(|steps| steps.len())));
        match (line, steps) {
            (Some(line), Some(steps)) if steps <= most.moves => comments.push(Comment { line, steps, text }),
            _ => left_out += 1,
        }
    }
    Ok(Annotated { record, variations, comments, left_out })
}

/// The nodes from the root to this one; nothing if they are too many.
fn way_to(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut way: Vec<Node<'_>> = std::iter::successors(Some(node), |node| node.parent()).take(MOST_NODES + 1).collect();
    way.reverse();
    (way.len() <= MOST_NODES).then_some(way)
}

/// How many steps these nodes are, where each is a move or none.
fn count(way: &[Node<'_>]) -> Option<usize> {
    let is_plain = |node: &Node<'_>| SET_UP.iter().all(|name| !node.has(name));
    way.iter()
        .all(is_plain)
        .then(|| way.iter().flat_map(|node| ["B", "W"].map(|name| node.has(name))).filter(|has| *has).count())
}

/// A record of these nodes alone, without comments.
fn alone(way: &[Node<'_>]) -> Result<Collection, EditError> {
    let mut record = Collection::new();
    let mut at = record.add_tree()?;
    for (place, node) in way.iter().enumerate() {
        if place > 0 {
            at = record.add_child(at)?;
        }
        copy(*node, &mut record, at, place == 0)?;
    }
    Ok(record)
}

/// Gives a node the properties of another; text is UTF-8 here, whatever the charset was that a root
/// names.
fn copy(from: Node<'_>, record: &mut Collection, to: NodeId, is_root: bool) -> Result<(), EditError> {
    for property in from.properties().filter(|property| property.name() != "C" && !(is_root && property.name() == "CA"))
    {
        let values: Vec<&str> = property.values().map(|value| value.raw()).collect();
        record.set_raw(to, property.name(), &values)?;
    }
    Ok(())
}

/// Writes a game as SGF, with variations, each from the start, and comments.
///
/// # Errors
/// As [`records::write_with`]; also if a variation begins with another set-up, or a comment belongs
/// to no position.
pub fn write(
    game: &Spec,
    start: &dyn AnyPosition,
    lines: &[Vec<Step>],
    comments: &[Comment],
    details: &Details,
) -> Result<String, String> {
    let parsed = |steps: &[Step]| -> Result<Collection, String> {
        let text = records::write(game, start, steps)?;
        Collection::parse(text.as_bytes()).map_err(|error| error.to_string())
    };
    let full = |error: EditError| error.to_string();
    let first = lines.first().map_or(&[][..], Vec::as_slice);
    let text = records::write_with(game, start, first, details)?;
    let mut record = Collection::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let root = record.roots()[0];
    let mut ways: Vec<Vec<NodeId>> = vec![record.main_line(root).map(|node| node.id()).collect()];
    let plain = parsed(first)?;
    for steps in lines.iter().skip(1) {
        let line = parsed(steps)?;
        let nodes: Vec<Node<'_>> = line.main_line(line.roots()[0]).collect();
        if !same(nodes[0], plain.node(plain.roots()[0])) {
            return Err("a variation begins with another set-up than the game".into());
        }
        let (mut at, mut way) = (root, vec![root]);
        for node in &nodes[1..] {
            let known = record.node(at).children().find(|child| same(*child, *node)).map(|child| child.id());
            at = match known {
                Some(known) => known,
                None => {
                    let added = record.add_child(at).map_err(full)?;
                    copy(*node, &mut record, added, false).map_err(full)?;
                    added
                }
            };
            way.push(at);
        }
        ways.push(way);
    }
    for comment in comments {
        let missing = || format!("there is no position after {} steps of line {}", comment.steps, comment.line);
        let steps = lines.get(comment.line).and_then(|line| line.get(..comment.steps)).ok_or_else(missing)?;
        let moves_only = steps.iter().all(|step| matches!(step, Step::Move(..)));
        let place = if moves_only {
            steps.len()
        } else {
            let part = parsed(steps)?;
            part.main_line(part.roots()[0]).count() - 1
        };
        let node = *ways[comment.line].get(place).ok_or_else(missing)?;
        record.set_text(node, "C", &comment.text).map_err(full)?;
    }
    Ok(record.to_string())
}

/// Whether two nodes have the same properties, comments aside.
fn same(one: Node<'_>, other: Node<'_>) -> bool {
    fn told(node: Node<'_>) -> impl Iterator<Item = Property<'_>> {
        node.properties().filter(|property| property.name() != "C")
    }
    told(one).eq(told(other))
}
