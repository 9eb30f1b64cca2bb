//! `--tree-json` and `--tree-dot`: a part of the tree as a file.
//!
//! JSON is a flat list in which each node names the place of its parent, so that a deep tree needs
//! no deep nesting. DOT is for Graphviz (`dot -Tsvg tree.dot`): a box a node with its visits and
//! mean, tinted by the mean. Values are for the side to move at the first node, throughout.

use super::node::{ChildEntry, child_entry};
use super::{interval, tidy};
use crate::arguments::TreeArguments;
use crate::failure::Failure;
use crate::{names, output};
use serde::Serialize;
use std::fmt::Write;
use tesuji_agents::{Access, ChildFilter, ExportLimits, ExportedNode, KeptTree};
use tesuji_core::Player;

/// Nodes of a file of JSON.
const MOST_IN_JSON: usize = 100_000;
/// Nodes of a picture: more take Graphviz minutes and cannot be read.
const MOST_IN_DOT: usize = 1_000;

/// Writes the files that were asked for.
pub(super) fn write(tree: &KeptTree, asked: &TreeArguments, origin: &Origin) -> Result<(), Failure> {
    let files: [(&Option<String>, usize, Format); 2] =
        [(&asked.tree_json, MOST_IN_JSON, json), (&asked.tree_dot, MOST_IN_DOT, dot)];
    for (path, most, format) in files {
        let Some(path) = path else { continue };
        // Moves that were never tried have nothing to show.
        let children = ChildFilter { min_visits: asked.tree_visits.max(1), ..asked.children() };
        let limits = ExportLimits { depth: asked.tree_depth, children, nodes: most };
        let nodes = tree.export(&asked.moves(), &limits);
        let nodes = nodes.map_err(|error| Failure::input(format!("--tree: {error}")))?;
        let text = format(&nodes, origin);
        Access::unrestricted().write(path, text.as_bytes()).map_err(|error| Failure::file(path, &error))?;
        if nodes.len() == most {
            output::note(&format!(
                "{path}: cut off at {} nodes, the most visited ones",
                output::thousands(most as u64)
            ));
        }
    }
    Ok(())
}

type Format = fn(&[ExportedNode], &Origin) -> String;

/// What made the tree.
#[derive(Serialize)]
pub(super) struct Origin {
    pub(super) game: String,
    pub(super) agent: String,
    pub(super) seed: u64,
}

#[derive(Serialize)]
struct Export<'a> {
    #[serde(flatten)]
    origin: &'a Origin,
    /// The moves from the root of the search to the first node.
    path: &'a [String],
    /// Whose values they are.
    side: String,
    nodes: Vec<NodeEntry>,
}

#[derive(Serialize)]
struct NodeEntry {
    /// The place of the parent in the list.
    parent: Option<usize>,
    depth: usize,
    r#move: Option<String>,
    turn: String,
    visits: u64,
    mean: Option<f64>,
    bounds: [f64; 2],
    child_count: usize,
    /// The node among its siblings, for the player who chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    child: Option<ChildEntry>,
}

fn json(nodes: &[ExportedNode], origin: &Origin) -> String {
    let side = nodes.first().map_or(Player::First, |first| first.node.turn);
    let entry = |exported: &ExportedNode| {
        let ExportedNode { parent, child, depth, node } = exported;
        let chooser = parent.map_or(side, |parent| nodes[parent].node.turn);
        NodeEntry {
            parent: *parent,
            depth: *depth,
            r#move: child.as_ref().map(|child| child.mv.clone()),
            turn: node.turn.to_string(),
            visits: node.visits,
            mean: node.mean.map(|mean| tidy(mean.for_player(side))),
            bounds: interval(node.bounds, side),
            child_count: node.child_count,
            child: child.clone().map(|child| child_entry(child, chooser)),
        }
    };
    let path = nodes.first().map_or(&[][..], |first| &first.node.path);
    let export = Export { origin, path, side: side.to_string(), nodes: nodes.iter().map(entry).collect() };
    serde_json::to_string(&export).expect("the types of answers serialise") + "\n"
}

/// A text between quotation marks, as DOT reads it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => quoted.push(' '),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// From orange (0) over white (½) to blue (1): told apart by colour-blind readers too.
fn tint(value: f64) -> String {
    let (ends, share) =
        if value < 0.5 { ([230, 159, 0], 1.0 - 2.0 * value) } else { ([86, 180, 233], 2.0 * value - 1.0) };
    let mix = |end: u8| (255.0 + (f64::from(end) - 255.0) * share.clamp(0.0, 1.0)).round() as u8;
    let [red, green, blue] = ends.map(mix);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn dot(nodes: &[ExportedNode], origin: &Origin) -> String {
    let side = nodes.first().map_or(Player::First, |first| first.node.turn);
    let title = format!("{}, {}, seed {}", names::title(&origin.game), names::agent(&origin.agent), origin.seed);
    let mut text = format!("digraph tree {{\n  label={};\n", quoted(&title));
    text += "  labelloc=t;\n  fontname=\"sans-serif\";\n  fontsize=12;\n";
    text += "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=10];\n";
    text += "  edge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.6];\n";
    for (place, exported) in nodes.iter().enumerate() {
        let node = &exported.node;
        let mean = node.mean.map(|mean| mean.for_player(side));
        let mut label = output::thousands(node.visits);
        if let Some(mean) = mean {
            let _ = write!(label, "\n{mean:.3}");
        }
        match interval(node.bounds, side) {
            [0.0, 1.0] => {}
            [low, high] if low == high => {
                let _ = write!(label, "\nproved {low}");
            }
            [low, high] => {
                let _ = write!(label, "\nproved {low} to {high}");
            }
        }
        let fill = tint(mean.unwrap_or(0.5));
        let _ = writeln!(text, "  n{place} [label={}, fillcolor=\"{fill}\"];", quoted(&label));
        if let (Some(parent), Some(child)) = (exported.parent, &exported.child) {
            let _ = writeln!(text, "  n{parent} -> n{place} [label={}];", quoted(&child.mv));
        }
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use super::{quoted, tint};

    #[test]
    fn texts_are_quoted_and_values_tinted() {
        assert_eq!(quoted("a\"b\\c\nd\te"), "\"a\\\"b\\\\c\\nd e\"");
        assert_eq!([0.0, 0.5, 1.0].map(tint), ["#e69f00", "#ffffff", "#56b4e9"]);
    }
}
