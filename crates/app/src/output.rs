//! All output of the commands: text is written whole, and colours only to a terminal.

use std::io::Write;

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
    // Nothing is left to report it to if this fails.
    let _ = writeln!(std::io::stderr(), "tesuji: {line}");
    line
}

/// Prints a remark to standard error: what the answer depends on and does not say itself.
pub fn note(text: &str) {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    // Nothing is left to report it to if this fails.
    let _ = writeln!(std::io::stderr(), "tesuji: {plain}");
}

/// Bold, on a terminal.
pub fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// The widest table.
const TABLE_WIDTH: usize = 100;
/// Blanks between two columns of a table.
const GAP: usize = 2;
/// A text in a table is not cut below this width.
const LEAST_TEXT: usize = 12;

/// A table with a bold head; columns as wide as they need to be, numbers to the right. Where it
/// would be wider than [`TABLE_WIDTH`], the widest texts are cut.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let numeric = |column: usize| {
        let numberlike = |cell: &String| cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        rows.iter().filter_map(|row| row.get(column)).all(numberlike)
    };
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..head.len()).map(widest).collect();
    let texts: Vec<usize> = (0..head.len()).filter(|column| !numeric(*column)).collect();
    let gaps = GAP * head.len().saturating_sub(1);
    let can_be_cut = |widths: &[usize], column: usize| widths[column] > LEAST_TEXT.max(head[column].chars().count());
    while widths.iter().sum::<usize>() + gaps > TABLE_WIDTH {
        let widest = texts.iter().copied().filter(|column| can_be_cut(&widths, *column)).max_by_key(|at| widths[*at]);
        let Some(column) = widest else { break };
        widths[column] -= 1;
    }
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let (width, cell) = (widths[column], cut(cell, widths[column]));
                if numeric(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            })
            .collect();
        padded.join(&" ".repeat(GAP)).trim_end().to_string()
    };
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_string()).collect();
    let mut text = bold(&line(&head));
    for row in rows {
        text.push('\n');
        text.push_str(&line(row));
    }
    text
}

/// A text of at most this width; the end of a longer one becomes an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A paragraph in lines of at most [`TABLE_WIDTH`] characters. The first line is indented by
/// `first` blanks, the others by `rest`.
pub fn wrapped(text: &str, first: usize, rest: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            None => lines.push(format!("{}{word}", " ".repeat(first))),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= TABLE_WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{}{word}", " ".repeat(rest))),
        }
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
    use super::{TABLE_WIDTH, table, thousands, wrapped};

    #[test]
    fn numbers_are_grouped_and_aligned() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
        let text = table(&["move", "visits"], &[vec!["a1".into(), "7".into()], vec!["pass".into(), "1,000".into()]]);
        assert_eq!(text, "\x1b[1mmove  visits\x1b[0m\na1         7\npass   1,000");
    }

    #[test]
    fn a_table_fits_the_terminal() {
        let long = "x".repeat(120);
        let text = table(&["game", "agent", "nodes/s"], &[vec!["hex".into(), long.clone(), "1,000".into()]]);
        let row = text.lines().last().expect("a row");
        assert_eq!(row.chars().count(), TABLE_WIDTH, "{row}");
        assert!(row.starts_with("hex   xxx") && row.ends_with("x…    1,000"), "{row}");
        let two = vec!["y".repeat(80), long, "1,000".into()];
        let text = table(&["game", "agent", "nodes/s"], &[two]);
        let row = text.lines().last().expect("a row");
        assert!(row.chars().count() == TABLE_WIDTH && row.matches('…').count() == 2, "{row}");
        let numbers = vec!["1".repeat(60), "2".repeat(60)];
        assert!(table(&["a", "b"], &[numbers]).ends_with('2'), "numbers are not cut");
    }

    #[test]
    fn paragraphs_are_wrapped_with_an_indent() {
        let text = wrapped(&format!("{} {}", "a".repeat(60), "b".repeat(60)), 2, 4);
        assert_eq!(text, format!("  {}\n    {}", "a".repeat(60), "b".repeat(60)));
        assert_eq!(wrapped("a  b", 0, 4), "a b");
    }
}
