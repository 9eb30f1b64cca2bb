//! Whether answers are well formed, for tests and fuzzers.
//!
//! It knows the form of each protocol and nothing of its implementation, so that an answer that a
//! client could not read is found whatever the question was.

/// The protocols, by the shape of their answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// GTP.
    Gtp,
    /// Gomocup's.
    Gomocup,
    /// UCI.
    Uci,
    /// UCCI.
    Ucci,
    /// NBoard's.
    NBoard,
    /// JSON lines.
    Analysis,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 6] = [Form::Gtp, Form::Gomocup, Form::Uci, Form::Ucci, Form::NBoard, Form::Analysis];

    /// What is wrong with everything that was written in answer to one line; nothing if it is well
    /// formed.
    #[must_use]
    pub fn flaw(self, said: &str, answer: &str) -> Option<String> {
        if !answer.is_empty() && !answer.ends_with('\n') {
            return Some("the last line has no ending".into());
        }
        // JSON forbids fewer control characters than the others.
        let control = |c: &char| if self == Form::Analysis { *c < ' ' } else { c.is_control() };
        if let Some(letter) = answer.chars().find(|c| control(c) && *c != '\n') {
            return Some(format!("the control character {letter:?}"));
        }
        match self {
            Form::Gtp => gtp(said, answer),
            Form::Analysis => answer.lines().find_map(|line| match serde_json::from_str(line) {
                Ok(serde_json::Value::Object(_)) => None,
                _ => Some(format!("not a JSON object: {line}")),
            }),
            Form::Gomocup => answer.lines().find_map(|line| {
                let known = ["OK", "ERROR ", "UNKNOWN", "MESSAGE ", "DEBUG ", "SUGGEST ", "SWAP", "name=\""];
                let points = || line.split(' ').all(|point| point.split(',').all(|n| n.parse::<u8>().is_ok()));
                let fine = known.iter().any(|word| line.starts_with(word)) || points();
                (!fine).then(|| format!("not an answer: {line}"))
            }),
            Form::Uci | Form::Ucci | Form::NBoard => answer.lines().find_map(|line| {
                let known: &[&str] = match self {
                    Form::Uci => &["id", "option", "uciok", "readyok", "info", "bestmove"],
                    Form::Ucci => {
                        &["id", "option", "ucciok", "readyok", "info", "bestmove", "nobestmove", "pophash", "bye"]
                    }
                    _ => &["set", "status", "nodestats", "===", "search", "pong", "learned", "analysis", "book"],
                };
                let word = line.split(' ').next().unwrap_or_default();
                (!known.contains(&word)).then(|| format!("not an answer: {line}"))
            }),
        }
    }
}

/// One answer for a command, none for a comment or an empty line: `=` or `?`, the id, text without
/// empty lines, an empty line.
fn gtp(said: &str, answer: &str) -> Option<String> {
    let command: String =
        said.split('#').next().unwrap_or_default().chars().filter(|c| !c.is_control() || *c == '\t').collect();
    let command = command.trim();
    if command.is_empty() {
        return (!answer.is_empty()).then(|| "an answer to nothing".into());
    }
    let id: String = command.chars().take_while(char::is_ascii_digit).collect();
    let Some(body) = answer.strip_suffix("\n\n") else { return Some("no empty line at the end".into()) };
    // An analysis that had nothing to show is `=id`, and nothing else.
    let Some(body) = body.strip_prefix(['=', '?']) else { return Some("neither = nor ?".into()) };
    let Some(body) = body.strip_prefix(id.as_str()) else { return Some("the id is not echoed".into()) };
    if !(body.is_empty() || body.starts_with([' ', '\n'])) {
        return Some("no blank after the id".into());
    }
    body.contains("\n\n").then(|| "an empty line inside the answer".into())
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn flaws_are_seen() {
        for (said, answer) in [("name", "= tesuji\n\n"), ("3 x", "?3 unknown\n\n"), ("# c", ""), ("quit", "=\n\n")] {
            assert_eq!(Form::Gtp.flaw(said, answer), None, "{said}");
        }
        for (said, answer) in [
            ("name", ""),
            ("name", "= tesuji\n"),
            ("name", "= a\n\nb\n\n"),
            ("3 name", "= a\n\n"),
            ("name", "=4 a\n\n"),
            ("3 name", "=35 a\n\n"),
            ("name", "tesuji\n\n"),
            ("# c", "=\n\n"),
            ("name", "= a\u{7}\n\n"),
            ("a\nb", "= a\n\n= b\n\n"),
        ] {
            assert!(Form::Gtp.flaw(said, answer).is_some(), "{said} {answer}");
        }
        assert!(Form::Analysis.flaw("", "[]\n").is_some() && Form::Analysis.flaw("", "{}\n").is_none());
        assert!(Form::Gomocup.flaw("", "7,7\n").is_none() && Form::Gomocup.flaw("", "h8\n").is_some());
        assert!(Form::Uci.flaw("", "hello\n").is_some() && Form::Uci.flaw("", "readyok\n").is_none());
    }
}
