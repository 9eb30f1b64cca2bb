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

/// Bold, on a terminal.
pub fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// A table with a bold head; columns as wide as they need to be, numbers to the right.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let numeric = |column: usize| {
        let numberlike = |cell: &String| cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        rows.iter().filter_map(|row| row.get(column)).all(numberlike)
    };
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let width = width(column);
                if numeric(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            })
            .collect();
        padded.join("  ").trim_end().to_string()
    };
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_string()).collect();
    let mut text = bold(&line(&head));
    for row in rows {
        text.push('\n');
        text.push_str(&line(row));
    }
    text
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
    use super::{table, thousands};

    #[test]
    fn numbers_are_grouped_and_aligned() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
        let text = table(&["move", "visits"], &[vec!["a1".into(), "7".into()], vec!["pass".into(), "1,000".into()]]);
        assert_eq!(text, "\x1b[1mmove  visits\x1b[0m\na1         7\npass   1,000");
    }
}
