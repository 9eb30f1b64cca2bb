//! Problems in SGF: set-up stones and markup on the first node of the first tree.
//!
//! | content | property |
//! |---|---|
//! | stones, size, Black first | `AB`, `AW`, `SZ`, `PL[B]` |
//! | feasible | `CR`, and `TSFEASIBLE` where the point has another mark |
//! | important | `TR` |
//! | alive | `SQ`, and `TSALIVE` where the point has another mark |
//! | title, comments | `GN`, `C` |
//! | kind, mode | `TSKIND[cut]`, `TSMODE[kill]` |
//! | answer (an empty value is a pass) | `TSANSWER[ba][]` |
//! | value, plies, proved | `TSVALUE[0.5]`, `TSPLIES[7]`, `TSPROVED[yes]` |
//!
//! Reference: <https://www.red-bean.com/sgf/properties.html>; a point may have one kind of markup
//! only, hence the private properties for points that need two. All private properties are
//! optional: without `TSMODE` the mode follows from the colour of the important stones. Moves and
//! further nodes are ignored.

use super::ReadError;
use crate::goproblem::problem::{
    Answer, GRADES, MOST_SIZE, Mode, Place, Problem, ProblemError, ProblemKind, Site, is_grade, tidy,
};
use tesuji_core::{Player, Score};
use tesuji_sgf::{BoardSize, Collection, Color, GameType, GoMove, Node, NodeId, Point, PointStyle, Property};

/// Reads a problem.
///
/// # Errors
/// If the file is not SGF, or not a problem; the message names the byte or the property.
pub fn read(bytes: &[u8]) -> Result<Problem, ReadError> {
    let collection = Collection::parse(bytes).map_err(ReadError::of)?;
    let root = collection.roots().first().ok_or_else(|| ReadError::of("the file holds no game tree"))?;
    let node = collection.node(*root);
    if node.game_type().map_err(ReadError::of)? != GameType::Go {
        return Err(ReadError::of("GM: this is not a record of Go (GM[1])"));
    }
    let board = node.size().map_err(ReadError::of)?.unwrap_or(BoardSize::square(19));
    if board.columns != board.rows {
        return Err(ReadError::of(format!("SZ: a problem needs a square board, not {board}")));
    }
    if !(2..=MOST_SIZE).contains(&board.columns) {
        return Err(ReadError::of(format!("SZ: {}", ProblemError::Size(u32::from(board.columns)))));
    }
    if node.to_play().map_err(ReadError::of)? == Some(Color::White) {
        return Err(ReadError::of("PL[W]: Black moves first in a problem; exchange the colours"));
    }
    let mut problem = Problem::new(board.columns, Mode::Save);
    for (name, mark) in [
        ("AB", (|site| site.stone = Some(Player::First)) as fn(&mut Site)),
        ("AW", |site| site.stone = Some(Player::Second)),
        ("CR", |site| site.feasible = true),
        ("TSFEASIBLE", |site| site.feasible = true),
        ("TR", |site| site.important = true),
        ("SQ", |site| site.alive = true),
        ("TSALIVE", |site| site.alive = true),
    ] {
        for point in node.points(name, PointStyle::Go, board).map_err(ReadError::of)? {
            let site = problem.site_mut(Place { row: point.row, column: point.column });
            if name == "AW" && site.stone.is_some() {
                let place = Place { row: point.row, column: point.column }.show(board.columns);
                return Err(ReadError::of(format!("AW: there already is a black stone at {place}")));
            }
            mark(site);
        }
    }
    let word = |name: &str| node.value(name).map(|value| (value, value.simple_text().trim().to_string()));
    problem.mode = match word("TSMODE") {
        None => problem.mode_of_important()?,
        Some((_, text)) if text == "save" => Mode::Save,
        Some((_, text)) if text == "kill" => Mode::Kill,
        Some((value, _)) => return Err(ReadError::of(value.error("save or kill"))),
    };
    problem.kind = match word("TSKIND") {
        None => problem.likely_kind(),
        Some((value, text)) => ProblemKind::from_name(&text)
            .ok_or_else(|| ReadError::of(value.error("save, kill, cut, connect or race")))?,
    };
    answers(&mut problem, node, board)?;
    problem.title = word("GN").map(|(_, text)| tidy(&text)).unwrap_or_default();
    if let Some(value) = node.value("C") {
        problem.comments = value.text().lines().map(tidy).filter(|line| !line.is_empty()).collect();
    }
    problem.check()?;
    Ok(problem)
}

fn answers(problem: &mut Problem, node: Node<'_>, board: BoardSize) -> Result<(), ReadError> {
    for value in node.values("TSANSWER") {
        let answer = match value.go_move(board).map_err(ReadError::of)? {
            GoMove::Play(Point { column, row }) => Answer::Play(Place { row, column }),
            GoMove::Pass => Answer::Pass,
        };
        if problem.answer.contains(&answer) {
            return Err(ReadError::of(value.error("each answer once")));
        }
        problem.answer.push(answer);
    }
    if let Some(value) = node.value("TSVALUE") {
        let score = value.raw().trim().parse().ok().and_then(Score::from_f64).filter(|score| is_grade(*score));
        problem.value = Some(score.ok_or_else(|| ReadError::of(value.error(GRADES)))?);
    }
    if let Some(value) = node.value("TSPLIES") {
        let plies = value.raw().trim().parse();
        problem.plies = Some(plies.map_err(|_| ReadError::of(value.error("a whole number")))?);
    }
    if let Some(value) = node.value("TSPROVED") {
        problem.proved = match value.raw().trim() {
            "yes" => true,
            "no" => false,
            _ => return Err(ReadError::of(value.error("yes or no"))),
        };
    }
    Ok(())
}

/// Writes a problem, which reads back unchanged.
///
/// # Panics
/// If the problem exceeds what [`Problem::check`] accepts.
#[must_use]
pub fn write(problem: &Problem) -> String {
    tree(problem).write()
}

/// The root properties that describe the problem, with their raw values; without game and size.
pub(in crate::goproblem) fn properties(problem: &Problem) -> Vec<(String, Vec<String>)> {
    let collection = tree(problem);
    let root = collection.node(collection.roots()[0]);
    let described = root.properties().filter(|property| !["GM", "FF", "CA", "AP", "SZ"].contains(&property.name()));
    let raw = |property: Property<'_>| property.values().map(|value| value.raw().to_string()).collect();
    described.map(|property| (property.name().to_string(), raw(property))).collect()
}

/// The tree of a problem: its root alone.
fn tree(problem: &Problem) -> Collection {
    let mut collection = Collection::new();
    let root = collection.add_game(GameType::Go).expect("an empty collection has room");
    let fits = "a problem is small, and its property names are valid";
    collection.set_size(root, BoardSize::square(problem.size)).expect(fits);
    let mut text = |name: &str, value: &str| {
        if !value.is_empty() {
            collection.set_text(root, name, value).expect(fits);
        }
    };
    let comments = problem.comments.iter().map(|comment| tidy(comment)).filter(|comment| !comment.is_empty());
    let comments: Vec<String> = comments.collect();
    text("GN", &tidy(&problem.title));
    text("C", &comments.join("\n"));
    text("TSKIND", problem.kind.name());
    text("TSMODE", problem.mode.name());
    text("TSVALUE", &problem.value.map(|value| value.to_string()).unwrap_or_default());
    text("TSPLIES", &problem.plies.map(|plies| plies.to_string()).unwrap_or_default());
    text("TSPROVED", if problem.proved { "yes" } else { "no" });
    list(&mut collection, root, "AB", &problem.places_where(|site| site.stone == Some(Player::First)));
    list(&mut collection, root, "AW", &problem.places_where(|site| site.stone == Some(Player::Second)));
    let marked = |site: Site| site.important || site.alive;
    list(&mut collection, root, "TR", &problem.places_where(|site| site.important));
    list(&mut collection, root, "SQ", &problem.places_where(|site| site.alive && !site.important));
    list(&mut collection, root, "TSALIVE", &problem.places_where(|site| site.alive && site.important));
    list(&mut collection, root, "CR", &problem.places_where(|site| site.feasible && !marked(site)));
    list(&mut collection, root, "TSFEASIBLE", &problem.places_where(|site| site.feasible && marked(site)));
    if !problem.answer.is_empty() {
        let answers: Vec<String> = problem
            .answer
            .iter()
            .map(|answer| match answer {
                Answer::Play(place) => letters(*place),
                Answer::Pass => String::new(),
            })
            .collect();
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        collection.set_raw(root, "TSANSWER", &answers).expect(fits);
    }
    collection.set_to_play(root, Color::Black).expect(fits);
    collection
}

fn letters(place: Place) -> String {
    let point = Point { column: place.column, row: place.row };
    point.show(PointStyle::Go).expect("SGF has letters for boards of 25")
}

fn list(collection: &mut Collection, root: NodeId, name: &str, places: &[Place]) {
    let points: Vec<String> = places.iter().map(|place| letters(*place)).collect();
    let points: Vec<&str> = points.iter().map(String::as_str).collect();
    if !points.is_empty() {
        collection.set_raw(root, name, &points).expect("a problem is small, and its property names are valid");
    }
}
