//! The readable format of this project: `key: value` lines and one diagram. See
//! `docs/problem-format.md`.
//!
//! ```text
//! title: The middle of three
//! kind: kill
//! answer: A2
//! value: 1
//! board:
//!   A B C D E
//! 5 X X X . .
//! 4 o o X . .
//! 3 + o X . .
//! 2 + o X . .
//! 1 + o X . .
//! feasible: A4-B4
//! ```
//!
//! In the diagram `.` is an empty point and `+` a feasible one; `X` and `O` are stones, `x` and `o`
//! important ones, `B` and `W` alive ones. The lists `feasible`, `important` and `alive` add what a
//! single letter cannot express.

use super::{ReadError, quote, read_answer};
use crate::goproblem::problem::{
    GRADES, LEAST_SIZE, MOST_SIZE, Mode, Place, Problem, ProblemError, ProblemKind, Site, is_grade, tidy,
};
use std::collections::BTreeMap;
use std::fmt::Write;
use tesuji_core::spec::nearest;
use tesuji_core::{Player, Score};

const KEYS: [&str; 12] = [
    "title",
    "kind",
    "mode",
    "answer",
    "value",
    "plies",
    "proved",
    "comment",
    "board",
    "feasible",
    "important",
    "alive",
];

/// The letters of the diagram.
fn site_of(letter: char) -> Option<Site> {
    let (stone, feasible, important, alive) = match letter {
        '.' => (None, false, false, false),
        '+' => (None, true, false, false),
        'X' => (Some(Player::First), false, false, false),
        'O' => (Some(Player::Second), false, false, false),
        'x' => (Some(Player::First), false, true, false),
        'o' => (Some(Player::Second), false, true, false),
        'B' => (Some(Player::First), false, false, true),
        'W' => (Some(Player::Second), false, false, true),
        _ => return None,
    };
    Some(Site { stone, feasible, important, alive })
}

fn letter_of(site: Site) -> char {
    let Some(owner) = site.stone else { return if site.feasible { '+' } else { '.' } };
    let [plain, important, alive] = if owner == Player::First { ['X', 'x', 'B'] } else { ['O', 'o', 'W'] };
    if site.important {
        important
    } else if site.alive {
        alive
    } else {
        plain
    }
}

/// A value and its line.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    fn error(self, problem: impl std::fmt::Display) -> ReadError {
        ReadError::on(self.number, problem)
    }
}

/// Reads a problem.
///
/// # Errors
/// If the text is not a problem; the message names the line.
pub fn read(text: &str) -> Result<Problem, ReadError> {
    let mut values: BTreeMap<&str, Line<'_>> = BTreeMap::new();
    let mut comments = Vec::new();
    let mut rows: Option<Vec<Line<'_>>> = None;
    let mut in_board = false;
    for (number, line) in text.lines().enumerate() {
        let line = Line { number: number + 1, text: line.trim_end() };
        if line.text.trim().is_empty() || line.text.trim_start().starts_with('#') {
            continue;
        }
        let Some((key, value)) = line.text.split_once(':') else {
            match rows.as_mut().filter(|_| in_board) {
                Some(rows) => rows.push(line),
                None => return Err(line.error(format!("{} is not \"key: value\"", quote(line.text.trim())))),
            }
            continue;
        };
        let (key, value) = (key.trim(), Line { text: value.trim(), ..line });
        in_board = key == "board";
        match key {
            "board" if rows.is_some() => return Err(line.error("a second board")),
            "board" if !value.text.is_empty() => {
                return Err(line.error("the diagram begins on the line after \"board:\""));
            }
            "board" => rows = Some(Vec::new()),
            "comment" => comments.push(tidy(value.text)),
            known if KEYS.contains(&known) => {
                if values.insert(known, value).is_some() {
                    return Err(line.error(format!("a second line \"{known}:\"")));
                }
            }
            unknown => {
                let hint = nearest(unknown, &KEYS).map(|key| format!("did you mean \"{key}\"?"));
                let hint = hint.unwrap_or_else(|| format!("known: {}", KEYS.join(", ")));
                return Err(line.error(format!("unknown key {}; {hint}", quote(unknown))));
            }
        }
    }
    let rows = rows.ok_or_else(|| ReadError::of("there is no line \"board:\" with a diagram after it"))?;
    let mut problem = diagram(&rows)?;
    problem.comments = comments.into_iter().filter(|comment| !comment.is_empty()).collect();
    details(&mut problem, &values)?;
    problem.check()?;
    Ok(problem)
}

/// Whether the line labels the columns: only such a line begins with A.
fn names_columns(line: &str) -> bool {
    line.trim_start().starts_with(['A', 'a'])
}

/// The column labels must be correct, and stand above or below the board.
fn check_names(rows: &[Line<'_>]) -> Result<(), ReadError> {
    let size = rows.iter().filter(|line| !names_columns(line.text)).count();
    let expected: Vec<String> = ('A'..='Z').filter(|letter| *letter != 'I').take(size).map(String::from).collect();
    for (place, line) in rows.iter().enumerate().filter(|(_, line)| names_columns(line.text)) {
        let found: Vec<String> = line.text.split_whitespace().map(str::to_ascii_uppercase).collect();
        if found != expected {
            let problem = format!("expected the names of the columns, {}", expected.join(" "));
            return Err(ReadError::on(line.number, problem));
        }
        if place != 0 && place + 1 != rows.len() {
            return Err(ReadError::on(line.number, "the names of the columns stand above or below the board"));
        }
    }
    Ok(())
}

fn diagram(rows: &[Line<'_>]) -> Result<Problem, ReadError> {
    let lines: Vec<Line<'_>> = rows.iter().copied().filter(|line| !names_columns(line.text)).collect();
    let size = u8::try_from(lines.len()).ok().filter(|size| (LEAST_SIZE..=MOST_SIZE).contains(size));
    let size = size.ok_or_else(|| ReadError::of(format!("board: {}", ProblemError::Size(lines.len() as u32))))?;
    check_names(rows)?;
    let mut problem = Problem::new(size, Mode::Save);
    for (row, line) in lines.iter().enumerate() {
        let name = usize::from(size) - row;
        let mut column = 0;
        let mut label = String::new();
        for (at, letter) in line.text.chars().enumerate() {
            let error = |problem: String| Err(ReadError::at(line.number, at + 1, problem));
            if letter.is_whitespace() {
                continue;
            }
            if letter.is_ascii_digit() && (column == 0 || column == size) {
                label.push(letter);
                continue;
            }
            let Some(site) = site_of(letter) else {
                let found: String = letter.escape_debug().collect();
                return error(format!("{found:?} is not a point of a diagram; expected one of . + X O x o B W"));
            };
            if column == size {
                return error(format!("row {name} has more than {size} points, but there are {size} rows"));
            }
            problem.sites[row * usize::from(size) + usize::from(column)] = site;
            column += 1;
        }
        if column < size {
            return Err(line.error(format!("row {name} has {column} points, but there are {size} rows")));
        }
        let expected = name.to_string();
        if !label.is_empty() && label != expected && label != expected.repeat(2) {
            return Err(line.error(format!("this row is labelled {}; it is row {expected}", quote(&label))));
        }
    }
    Ok(problem)
}

fn details(problem: &mut Problem, values: &BTreeMap<&str, Line<'_>>) -> Result<(), ReadError> {
    for (key, mark) in [
        ("feasible", (|site| site.feasible = true) as fn(&mut Site)),
        ("important", |site| site.important = true),
        ("alive", |site| site.alive = true),
    ] {
        let Some(line) = values.get(key) else { continue };
        for place in points(*line, problem.size)? {
            mark(problem.site_mut(place));
        }
    }
    problem.mode = match values.get("mode") {
        None => problem.mode_of_important()?,
        Some(line) => match line.text {
            "save" => Mode::Save,
            "kill" => Mode::Kill,
            other => return Err(line.error(format!("the mode is save or kill, not {}", quote(other)))),
        },
    };
    problem.kind = match values.get("kind") {
        None => problem.likely_kind(),
        Some(line) => ProblemKind::from_name(line.text).ok_or_else(|| {
            line.error(format!("the kind is save, kill, cut, connect or race, not {}", quote(line.text)))
        })?,
    };
    if let Some(line) = values.get("title") {
        problem.title = tidy(line.text);
    }
    if let Some(line) = values.get("answer") {
        for word in words(line.text) {
            let answer = read_answer(word, problem.size);
            let expected = "a point such as C1, or pass";
            let answer = answer.ok_or_else(|| line.error(format!("{} is not {expected}", quote(word))))?;
            if problem.answer.contains(&answer) {
                return Err(line.error(format!("{} is given twice", quote(word))));
            }
            problem.answer.push(answer);
        }
    }
    if let Some(line) = values.get("value") {
        let value = line.text.parse().ok().and_then(Score::from_f64).filter(|score| is_grade(*score));
        let wrong = || line.error(format!("the value is {GRADES}, not {}", quote(line.text)));
        problem.value = Some(value.ok_or_else(wrong)?);
    }
    if let Some(line) = values.get("plies") {
        let wrong = |_| line.error(format!("plies are a whole number, not {}", quote(line.text)));
        problem.plies = Some(line.text.parse().map_err(wrong)?);
    }
    if let Some(line) = values.get("proved") {
        problem.proved = match line.text {
            "yes" => true,
            "no" => false,
            other => return Err(line.error(format!("proved is yes or no, not {}", quote(other)))),
        };
    }
    Ok(())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|word| !word.is_empty())
}

/// A list of points and rectangles `A1-C2`.
fn points(line: Line<'_>, size: u8) -> Result<Vec<Place>, ReadError> {
    let mut places = Vec::new();
    for word in words(line.text) {
        let (one, other) = word.split_once('-').unwrap_or((word, word));
        let corners = Place::read(one, size).zip(Place::read(other, size));
        let wrong = || line.error(format!("{} is not a point (C1) or rectangle (A1-C2) of this board", quote(word)));
        let (one, other) = corners.ok_or_else(wrong)?;
        for row in one.row.min(other.row)..=one.row.max(other.row) {
            for column in one.column.min(other.column)..=one.column.max(other.column) {
                places.push(Place { row, column });
            }
        }
    }
    Ok(places)
}

/// Writes a problem, which reads back unchanged.
///
/// # Panics
/// If the sites do not fill the board, which [`Problem::check`] refuses.
#[must_use]
pub fn write(problem: &Problem) -> String {
    let size = problem.size;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {value}");
    };
    let title = tidy(&problem.title);
    if !title.is_empty() {
        line("title", &title);
    }
    line("kind", problem.kind.name());
    if problem.kind.mode().is_none() {
        line("mode", problem.mode.name());
    }
    if !problem.answer.is_empty() {
        let answers: Vec<String> = problem.answer.iter().map(|answer| answer.show(size)).collect();
        line("answer", &answers.join(" "));
    }
    if let Some(value) = problem.value {
        line("value", &value.to_string());
    }
    if let Some(plies) = problem.plies {
        line("plies", &plies.to_string());
    }
    line("proved", if problem.proved { "yes" } else { "no" });
    for comment in problem.comments.iter().map(|comment| tidy(comment)).filter(|comment| !comment.is_empty()) {
        line("comment", &comment);
    }
    text.push_str("board:\n");
    let margin = size.to_string().len();
    let names: Vec<String> = (0..size)
        .map(|column| Place { row: size.saturating_sub(1), column }.show(size).trim_end_matches('1').to_string())
        .collect();
    let _ = writeln!(text, "{:margin$} {}", "", names.join(" "));
    for row in 0..size {
        let letters: Vec<String> =
            (0..size).map(|column| letter_of(problem.site(Place { row, column })).to_string()).collect();
        let _ = writeln!(text, "{:>margin$} {}", size - row, letters.join(" "));
    }
    for (key, which) in [
        ("feasible", (|site, shown| site.feasible && !shown.feasible) as fn(Site, Site) -> bool),
        ("important", |site, shown| site.important && !shown.important),
        ("alive", |site, shown| site.alive && !shown.alive),
    ] {
        let hidden = problem.places_where(|site| which(site, site_of(letter_of(site)).unwrap_or_default()));
        if !hidden.is_empty() {
            let names: Vec<String> = hidden.iter().map(|place| place.show(size)).collect();
            let _ = writeln!(text, "{key}: {}", names.join(" "));
        }
    }
    text
}
