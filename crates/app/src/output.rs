//! All output of the commands: text is written whole, and colours only to a terminal.

use std::io::{IsTerminal, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Longer errors are cut: a megabyte on the command line must not be echoed.
const LONGEST_ERROR: usize = 400;

/// Prints to standard output. Colours (ANSI codes) are taken out unless it is a terminal. A closed
/// pipe ends the program without an error, as `head` expects; any other error is a failure.
pub fn print(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let ending = if text.ends_with('\n') { "" } else { "\n" };
    if let Err(error) = write!(stdout, "{text}{ending}").and_then(|()| stdout.flush()) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        print_error(&format!("cannot write the result: {error}"));
        std::process::exit(1);
    }
}

/// Prints one JSON object on one line.
pub fn print_json(value: &impl serde::Serialize) {
    print(&serde_json::to_string(value).expect("the types of answers serialise"));
}

/// Prints one line to standard error, and returns it.
pub fn print_error(message: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut line: String = message.chars().take(LONGEST_ERROR).map(plain).collect();
    if message.chars().nth(LONGEST_ERROR).is_some() {
        line.push('…');
    }
    remark(&line);
    line
}

/// Writes a line to standard error; on a terminal it is broken between words.
fn remark(line: &str) {
    let text = format!("tesuji: {line}");
    let text = if std::io::stderr().is_terminal() { wrapped(&text, 0, 2) } else { text };
    // Nothing is left to report it to if this fails.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a remark to standard error: what the answer depends on and does not say itself.
pub fn note(text: &str) {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    remark(&plain);
}

/// Bold, on a terminal.
pub fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// The width of a terminal that does not say.
const USUAL_WIDTH: usize = 80;
/// Running text is no wider than this: longer lines are hard to read.
const WIDEST_TEXT: usize = 100;
/// Blanks between two columns of a table.
const GAP: usize = 2;
/// A text in a table has at least this width.
const LEAST_TEXT: usize = 8;

/// Columns of the terminal: what the variable COLUMNS says, else the terminal itself, else 80.
#[must_use]
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0);
    said.or_else(asked).unwrap_or(USUAL_WIDTH)
}

/// A text as pieces that stay whole: it may be broken after a blank, and after a comma, as in specs.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', ',', '\n'])
}

/// A text in lines of at most this width, broken between words. Only a word that is wider by itself
/// is broken inside.
fn broken(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    for piece in pieces(text) {
        let line = lines.last_mut().expect("a line");
        if line.width() + piece.trim_end().width() <= width {
            line.push_str(piece);
            continue;
        }
        if !line.is_empty() {
            lines.push(String::new());
        }
        for letter in piece.chars() {
            let line = lines.last_mut().expect("a line");
            if !line.is_empty() && line.width() + letter.width().unwrap_or(0) > width && letter != ' ' {
                lines.push(String::new());
            }
            lines.last_mut().expect("a line").push(letter);
        }
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

/// A text in lines of at most this width, broken between words; what goes on is indented.
pub fn lines_of(text: &str, width: usize) -> Vec<String> {
    wrapped_within(width, text, 0, 2).lines().map(String::from).collect()
}

/// A table with a bold head, no wider than the terminal; columns as wide as they need to be,
/// numbers to the right. Texts that do not fit go on below, broken between words.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    table_within(width(), head, rows)
}

fn table_within(most: usize, head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let is_numeric = |column: usize| {
        cells(column).all(|cell| cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    };
    let numeric: Vec<bool> = (0..head.len()).map(is_numeric).collect();
    // What a column needs if its texts are broken, and if they are not.
    let whole = |column: usize| cells(column).map(|cell| cell.width()).chain([head[column].width()]).max().unwrap_or(0);
    let least = |column: usize| {
        let words = cells(column).flat_map(|cell| pieces(cell)).map(|piece| piece.trim_end().width());
        let names = head[column].split(' ').map(str::width);
        if numeric[column] { whole(column) } else { words.chain(names).max().unwrap_or(0) }
    };
    let mut widths: Vec<usize> = (0..head.len()).map(whole).collect();
    let gaps = GAP * head.len().saturating_sub(1);
    // The widest text gives way first: down to its longest word, then inside of words.
    for floor in [&least as &dyn Fn(usize) -> usize, &|_| LEAST_TEXT] {
        while widths.iter().sum::<usize>() + gaps > most {
            let can_give = |column: &usize| !numeric[*column] && widths[*column] > floor(*column);
            let Some(column) = (0..head.len()).filter(can_give).max_by_key(|column| widths[*column]) else { break };
            widths[column] -= 1;
        }
    }
    if widths.iter().sum::<usize>() + gaps > most {
        return listed(most, head, rows);
    }
    let lines = |cells: &[String]| {
        let broken: Vec<Vec<String>> = cells.iter().zip(&widths).map(|(cell, width)| broken(cell, *width)).collect();
        let height = broken.iter().map(Vec::len).max().unwrap_or(0);
        let padded = |line: usize, column: usize| {
            let cell = broken[column].get(line).map_or("", String::as_str);
            let blanks = " ".repeat(widths[column].saturating_sub(cell.width()));
            if numeric[column] { blanks + cell } else { cell.to_string() + &blanks }
        };
        let row = |line: usize| (0..cells.len()).map(|column| padded(line, column)).collect::<Vec<_>>();
        (0..height).map(|line| row(line).join(&" ".repeat(GAP)).trim_end().to_string()).collect::<Vec<_>>()
    };
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_string()).collect();
    let head = lines(&head).iter().map(|line| bold(line)).collect();
    [head].into_iter().chain(rows.iter().map(|row| lines(row))).flatten().collect::<Vec<_>>().join("\n")
}

/// A table that is too wide as a list: one line a cell, an empty line between rows.
fn listed(most: usize, head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |(name, cell): (&&str, &String)| {
        let text = if name.is_empty() { cell.clone() } else { format!("{name}: {cell}") };
        wrapped_within(most, &text, 0, 4)
    };
    let texts = rows.iter().map(|row| head.iter().zip(row).map(line).collect::<Vec<_>>().join("\n"));
    texts.collect::<Vec<_>>().join("\n\n")
}

/// A paragraph in lines no wider than the terminal, broken between words and after the commas of
/// specs. The first line is indented by `first` blanks, the others by `rest`.
pub fn wrapped(text: &str, first: usize, rest: usize) -> String {
    wrapped_within(width().min(WIDEST_TEXT), text, first, rest)
}

fn wrapped_within(most: usize, text: &str, first: usize, rest: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines: Vec<String> = Vec::new();
    let mut left = words.as_str();
    while lines.is_empty() || !left.is_empty() {
        let indent = if lines.is_empty() { first } else { rest };
        let line = broken(left, most.saturating_sub(indent)).into_iter().next().unwrap_or_default();
        left = left[line.len()..].trim_start();
        lines.push(format!("{}{line}", " ".repeat(indent)));
    }
    lines.join("\n")
}

/// A large number, with commas.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The figures of a search: names and numbers.
pub fn figures(figures: impl IntoIterator<Item = (&'static str, f64)>) -> String {
    let in_words = |figure: f64| match figure {
        f64::INFINITY => "∞".to_string(),
        whole if whole.fract() == 0.0 && whole.abs() < 1e15 && whole >= 0.0 => thousands(whole as u64),
        other => format!("{other}"),
    };
    let words: Vec<String> = figures.into_iter().map(|(name, figure)| format!("{name} {}", in_words(figure))).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{broken, table, table_within, thousands, wrapped_within};
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn numbers_are_grouped_and_aligned() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
        let text = table(&["move", "visits"], &[vec!["a1".into(), "7".into()], vec!["pass".into(), "1,000".into()]]);
        assert_eq!(text, "\x1b[1mmove  visits\x1b[0m\na1         7\npass   1,000");
    }

    fn widest(text: &str) -> usize {
        text.replace("\x1b[1m", "").replace("\x1b[0m", "").lines().map(str::width).max().unwrap_or(0)
    }

    /// Tables were cut in the middle of words; now long texts go on below, and nothing is lost.
    #[test]
    fn a_table_fits_the_terminal_and_loses_nothing() {
        let agent = "mcts(select=rave(c=0.3,bias=0.01),leaf=guarded(depth=4),memory=65536,ripe=12)";
        let rows = [vec!["go(size=9)".to_string(), agent.into(), "1,000".into()]];
        for most in [40, 60, 80] {
            let text = table_within(most, &["game", "agent", "nodes/s"], &rows);
            assert!(widest(&text) <= most, "{text}");
            let column: String = text.lines().skip(1).map(|line| line.get(12..).unwrap_or("")).collect();
            let shown = column.replace("1,000", "").replace(' ', "");
            assert_eq!(shown, agent, "{text}");
            assert!(text.lines().skip(1).all(|line| !line.contains('…')), "{text}");
        }
        let wide = table_within(120, &["game", "agent", "nodes/s"], &rows);
        assert_eq!(wide.lines().count(), 2, "{wide}");
    }

    #[test]
    fn words_are_broken_only_if_they_are_too_wide_themselves() {
        assert_eq!(broken("a(b=1,c=2) d", 6), ["a(b=1,", "c=2) d"]);
        assert_eq!(broken("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(broken("帥將帥", 4), ["帥將", "帥"], "wide characters count twice");
        let text = table_within(24, &["agent", "n"], &[vec!["x".repeat(60), "1".into()]]);
        assert!(widest(&text) <= 24 && text.matches('x').count() == 60, "{text}");
    }

    /// Numbers are not broken: a table of too many is a list.
    #[test]
    fn too_many_numbers_make_a_list() {
        let row = vec!["hex".into(), "1".repeat(30), "2".repeat(30), "wins".into()];
        let text = table_within(40, &["game", "one", "two", ""], &[row]);
        assert_eq!(text, format!("game: hex\none: {}\ntwo: {}\nwins", "1".repeat(30), "2".repeat(30)));
    }

    #[test]
    fn paragraphs_are_wrapped_with_an_indent() {
        let text = wrapped_within(100, &format!("{} {}", "a".repeat(60), "b".repeat(60)), 2, 4);
        assert_eq!(text, format!("  {}\n    {}", "a".repeat(60), "b".repeat(60)));
        assert_eq!(wrapped_within(100, "a  b", 0, 4), "a b");
        assert_eq!(wrapped_within(100, "", 0, 4), "");
    }
}
