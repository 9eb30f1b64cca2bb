//! Where the lines of the person come from: a pipe or a file here, an editor in `editor.rs`.

use std::io::{BufRead, Read, Result, Write};

/// Longer lines are cut.
pub(super) const LONGEST_LINE: u64 = 4096;

/// One answer to a prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line, without control characters and blanks around it.
    Text(String),
    /// There are no more lines.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// What can be typed at a prompt, for completion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// Moves and commands.
    pub words: Vec<String>,
    /// Commands that are followed by the name of a file.
    pub with_file: Vec<&'static str>,
}

/// A source of lines.
pub trait Lines {
    /// Asks for the next line.
    ///
    /// # Errors
    /// If the streams fail.
    fn read(&mut self, prompt: &str, words: &Words, output: &mut dyn Write) -> Result<Line>;
}

/// What is typed or sent, as the game reads it.
pub(super) fn cleaned(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().trim().to_string()
}

/// Lines of a stream. Each one is repeated after its prompt, so that the output reads like a
/// conversation.
pub struct Streamed<R> {
    input: R,
}

impl<R: BufRead> Streamed<R> {
    /// The lines of this stream.
    pub fn new(input: R) -> Streamed<R> {
        Streamed { input }
    }

    /// Whether there is nothing to read, now or later. Waits for the first byte.
    ///
    /// # Errors
    /// If the stream fails.
    pub fn is_empty(&mut self) -> Result<bool> {
        self.input.fill_buf().map(<[u8]>::is_empty)
    }

    /// Drops the rest of a line.
    fn skip(&mut self) -> Result<()> {
        loop {
            let bytes = self.input.fill_buf()?;
            let (length, end) = (bytes.len(), bytes.iter().position(|byte| *byte == b'\n'));
            self.input.consume(end.map_or(length, |end| end + 1));
            if end.is_some() || length == 0 {
                return Ok(());
            }
        }
    }
}

impl<R: BufRead> Lines for Streamed<R> {
    fn read(&mut self, prompt: &str, _words: &Words, output: &mut dyn Write) -> Result<Line> {
        write!(output, "{prompt}")?;
        output.flush()?;
        let mut bytes = Vec::new();
        let read = Read::by_ref(&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            writeln!(output)?;
            return Ok(Line::End);
        }
        if bytes.last() != Some(&b'\n') {
            self.skip()?;
        }
        let line = cleaned(&String::from_utf8_lossy(&bytes));
        writeln!(output, "{line}")?;
        Ok(Line::Text(line))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Line, Lines, Streamed, Words};

    #[test]
    fn lines_are_cleaned_cut_and_repeated() {
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        let mut lines = Streamed::new(std::io::Cursor::new(format!("  b2\x1b \r\n{long}\nlast")));
        assert!(!lines.is_empty().expect("a stream that works"));
        let mut output = Vec::new();
        let mut next = || lines.read("> ", &Words::default(), &mut output).expect("streams that work");
        assert_eq!(next(), Line::Text("b2".into()));
        assert_eq!(next(), Line::Text("x".repeat(LONGEST_LINE as usize)));
        assert_eq!(next(), Line::Text("last".into()));
        assert_eq!(next(), Line::End);
        let shown = String::from_utf8(output).expect("UTF-8");
        assert!(shown.starts_with("> b2\n> xxx") && shown.ends_with("> last\n> \n"), "{shown}");
    }
}
