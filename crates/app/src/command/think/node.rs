//! `--tree`: a node of the search tree and its children, as a table and as JSON. Values are for the
//! side to move at the node, who chooses among the children.

use super::{interval, tidy};
use crate::output;
use serde::Serialize;
use tesuji_agents::{ChildView, MinimaxNode, NodeView};
use tesuji_core::{Player, Sides, Value};

#[derive(Serialize)]
pub struct NodeEntry {
    /// The moves from the root.
    path: Vec<String>,
    turn: String,
    visits: u64,
    /// Null if never visited.
    mean: Option<f64>,
    bounds: [f64; 2],
    minimax: Option<MinimaxEntry>,
    /// Only there when it is true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    minimax_cut: bool,
    /// All children, shown or not.
    child_count: usize,
    children: Vec<ChildEntry>,
}

#[derive(Serialize)]
pub struct ChildEntry {
    r#move: String,
    visits: u64,
    mean: Option<f64>,
    bounds: [f64; 2],
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selection: Option<SelectionEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amaf: Option<AmafEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    /// Null stands for infinity.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_numbers: Option<[Option<u32>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimax: Option<MinimaxEntry>,
    child_count: usize,
}

#[derive(Serialize)]
struct SelectionEntry {
    value: f64,
    exploitation: f64,
    exploration: f64,
    amaf: f64,
    bias: f64,
}

#[derive(Serialize)]
struct AmafEntry {
    visits: u64,
    mean: f64,
}

#[derive(Serialize)]
struct MinimaxEntry {
    path: Vec<String>,
    visits: u64,
    value: f64,
    confidence: [f64; 2],
}

fn minimax_entry(minimax: MinimaxNode<String>, turn: Player) -> MinimaxEntry {
    MinimaxEntry {
        path: minimax.path,
        visits: minimax.visits,
        value: tidy(minimax.value.for_player(turn)),
        confidence: [minimax.confidence.0, minimax.confidence.1].map(tidy),
    }
}

/// A child for machines, for the player who chooses.
pub(super) fn child_entry(child: ChildView<String>, turn: Player) -> ChildEntry {
    ChildEntry {
        r#move: child.mv,
        visits: child.visits,
        mean: child.mean.map(|mean| tidy(mean.for_player(turn))),
        bounds: interval(child.bounds, turn),
        state: child.state.name(),
        confidence: child.confidence.map(|(low, high)| [tidy(low), tidy(high)]),
        selection: child.selection.map(|value| SelectionEntry {
            value: tidy(value.total()),
            exploitation: tidy(value.exploitation),
            exploration: tidy(value.exploration),
            amaf: tidy(value.amaf),
            bias: tidy(value.bias),
        }),
        amaf: child.amaf.map(|(visits, mean)| AmafEntry { visits, mean: tidy(mean.for_player(turn)) }),
        prior: child.prior.map(tidy),
        proof_numbers: child.proof_numbers.map(|(proof, disproof)| [proof, disproof]),
        minimax: child.minimax.map(|minimax| minimax_entry(minimax, turn)),
        child_count: child.child_count,
    }
}

/// A node for machines.
pub(super) fn entry(view: NodeView<String>) -> NodeEntry {
    let turn = view.turn;
    NodeEntry {
        path: view.path,
        turn: turn.to_string(),
        visits: view.visits,
        mean: view.mean.map(|mean| tidy(mean.for_player(turn))),
        bounds: interval(view.bounds, turn),
        minimax: view.minimax.map(|minimax| minimax_entry(minimax, turn)),
        minimax_cut: view.minimax_cut,
        child_count: view.child_count,
        children: view.children.into_iter().map(|child| child_entry(child, turn)).collect(),
    }
}

/// A column of the table: its head, its cells, and how soon it gives way where the terminal is
/// narrow; 0 never.
struct Column {
    head: &'static str,
    cells: Vec<String>,
    gives_way: u32,
}

/// Three decimals; the urgency of an untried child is a large round number.
fn figure(number: f64) -> String {
    if number.abs() < 1_000.0 { format!("{number:.3}") } else { format!("{number:.0e}") }
}

fn proved(child: &ChildView<String>, turn: Player) -> String {
    match interval(child.bounds, turn) {
        [0.0, 1.0] => String::new(),
        [low, high] if low == high => format!("{low}"),
        [low, high] => format!("{low} to {high}"),
    }
}

fn columns(view: &NodeView<String>) -> Vec<Column> {
    let turn = view.turn;
    let column = |head, gives_way, cell: &dyn Fn(&ChildView<String>) -> Option<String>| Column {
        head,
        cells: view.children.iter().map(|child| cell(child).unwrap_or_default()).collect(),
        gives_way,
    };
    let value = |mean: Option<Value>| mean.map(|mean| format!("{:.4}", mean.for_player(turn)));
    let shown = |number: f64| (number != 0.0).then(|| figure(number));
    vec![
        column("move", 0, &|child| Some(child.mv.clone())),
        column("visits", 0, &|child| Some(child.visits.to_string())),
        column("mean", 0, &|child| value(child.mean)),
        column("value", 0, &|child| child.selection.map(|value| figure(value.total()))),
        column("exploit", 2, &|child| child.selection.map(|value| figure(value.exploitation))),
        column("explore", 1, &|child| child.selection.map(|value| figure(value.exploration))),
        column("amaf", 1, &|child| child.selection.and_then(|value| shown(value.amaf))),
        column("bias", 1, &|child| child.selection.and_then(|value| shown(value.bias))),
        column("later", 3, &|child| child.amaf.map(|(visits, _)| visits.to_string())),
        column("prior", 3, &|child| child.prior.map(figure)),
        column("LCB", 4, &|child| child.confidence.map(|(low, _)| figure(low))),
        column("minimax", 4, &|child| child.minimax.as_ref().map(|node| figure(node.value.for_player(turn)))),
        column("proved", 1, &|child| Some(proved(child, turn))),
        column("state", 2, &|child| (child.state.name() != "open").then(|| child.state.name().into())),
    ]
}

/// The columns that have something to show, as many as fit.
fn fitting(view: &NodeView<String>) -> Vec<Column> {
    let mut columns = columns(view);
    columns.retain(|column| column.gives_way == 0 || column.cells.iter().any(|cell| !cell.is_empty()));
    let width = |columns: &[Column]| -> usize {
        let cell = |text: &str| text.chars().count() + 2;
        columns
            .iter()
            .map(|column| column.cells.iter().map(|text| cell(text)).max().unwrap_or(0).max(cell(column.head)))
            .sum()
    };
    while width(&columns) > output::width() + 2 {
        let most = columns.iter().map(|column| column.gives_way).max().filter(|most| *most > 0);
        let Some(place) = most.and_then(|most| columns.iter().rposition(|column| column.gives_way == most)) else {
            break;
        };
        columns.remove(place);
    }
    columns
}

/// A number of visits, in words.
pub(super) fn visits(count: u64) -> String {
    if count == 1 { "1 visit".into() } else { format!("{} visits", output::thousands(count)) }
}

/// A node for people.
pub(super) fn in_words(view: &NodeView<String>, sides: &Sides, nodes: u64) -> String {
    let turn = view.turn;
    let place =
        if view.path.is_empty() { "the root".into() } else { format!("the node after {}", view.path.join(" ")) };
    let mean = view.mean.map_or("not visited".into(), |mean| format!("mean {:.4}", mean.for_player(turn)));
    let (visits_here, nodes) = (visits(view.visits), output::thousands(nodes));
    let head = format!(
        "{place} of a tree of {nodes} nodes: {visits_here}, {mean}; values are for {}, who chooses",
        sides.name(turn)
    );
    let mut text = format!("\n{}", output::wrapped(&head, 0, 4));
    if view.child_count == 0 {
        return text + "\nit was not expanded: it has no children";
    }
    let columns = fitting(view);
    let rows: Vec<Vec<String>> =
        (0..view.children.len()).map(|row| columns.iter().map(|column| column.cells[row].clone()).collect()).collect();
    let heads: Vec<&str> = columns.iter().map(|column| column.head).collect();
    if !rows.is_empty() {
        text += &format!("\n\n{}", output::table(&heads, &rows));
    }
    let hidden = view.child_count - view.children.len();
    if hidden > 0 {
        text += &format!("\n… and {hidden} more children");
    }
    if let Some(minimax) = &view.minimax {
        let at = if minimax.path.is_empty() {
            "the root itself".into()
        } else {
            format!("after {}", minimax.path.join(" "))
        };
        let value = minimax.value.for_player(turn);
        let visits = visits(minimax.visits);
        let minimax = format!("minimax node: {at} ({visits}, value {value:.4})");
        text += &format!("\n\n{}", output::wrapped(&minimax, 0, 4));
    }
    text
}
