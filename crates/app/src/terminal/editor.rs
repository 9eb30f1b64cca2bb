//! Lines of a person at a terminal: edited, completed and remembered.
//!
//! The editor is `rustyline`: with `nix`, which the program has already, it adds four small crates;
//! `reedline`, the other well-kept one, adds twenty-five. Its feature `buffer-redux` keeps what was
//! typed or pasted ahead of a prompt. The tab key completes moves, commands and,
//! after `save` and `load`, names of files. What was typed is remembered from one run to the next.

use super::lines::{Line, Lines, Words, cleaned};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{Error, Result, Write};
use std::path::PathBuf;

/// Lines that are remembered.
const MOST_REMEMBERED: usize = 1_000;

/// Completes what is typed.
struct Completions {
    words: Words,
    files: FilenameCompleter,
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..position];
        if let Some((command, _)) = typed.trim_start().split_once(' ') {
            let names_a_file = self.words.with_file.contains(&command);
            return if names_a_file {
                self.files.complete(line, position, context)
            } else {
                Ok((position, Vec::new()))
            };
        }
        let start = position - typed.trim_start().len();
        Ok((start, beginning_with(&self.words.words, &typed[start..])))
    }
}

/// The words that begin with a text, in whatever case.
fn beginning_with(words: &[String], typed: &str) -> Vec<Pair> {
    let begins = |word: &&String| word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
    words.iter().filter(begins).map(|word| Pair { display: word.clone(), replacement: word.clone() }).collect()
}

impl Hinter for Completions {
    type Hint = String;
}
impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

/// Lines of a person at a terminal.
pub struct Edited {
    editor: Editor<Completions, DefaultHistory>,
    /// Where lines are remembered.
    memory: Option<PathBuf>,
}

impl Edited {
    /// An editor of lines, which are remembered in this file, if any.
    ///
    /// # Errors
    /// If there is no terminal.
    pub fn new(memory: Option<PathBuf>) -> Result<Edited> {
        let config = Config::builder().max_history_size(MOST_REMEMBERED).map_err(Error::other)?;
        // Several lines that are pasted are several moves.
        let config = config.history_ignore_dups(true).map_err(Error::other)?.bracketed_paste(false);
        let config = config.completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config).map_err(Error::other)?;
        editor.set_helper(Some(Completions { words: Words::default(), files: FilenameCompleter::new() }));
        if let Some(memory) = &memory {
            // There is none the first time, and one that cannot be read is no reason not to play.
            let _ = editor.load_history(memory);
        }
        Ok(Edited { editor, memory })
    }
}

impl Lines for Edited {
    fn read(&mut self, prompt: &str, words: &Words, _output: &mut dyn Write) -> Result<Line> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.words.clone_from(words);
        }
        match self.editor.readline(prompt) {
            Ok(line) => {
                let line = cleaned(&line);
                if !line.is_empty() && self.editor.add_history_entry(&line).is_ok_and(|added| added) {
                    self.remember();
                }
                Ok(Line::Text(line))
            }
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(other) => Err(Error::other(other)),
        }
    }
}

impl Edited {
    /// After every line, since a signal may end the process at the next prompt.
    fn remember(&mut self) {
        let Some(memory) = &self.memory else { return };
        let folder = memory.parent().map_or(Ok(()), std::fs::create_dir_all);
        if folder.is_err() || self.editor.append_history(memory).is_err() {
            self.memory = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::beginning_with;

    #[test]
    fn words_are_completed_in_any_case() {
        let words = ["D4", "D5", "pass", "été"].map(String::from);
        let found = |typed| beginning_with(&words, typed).into_iter().map(|pair| pair.replacement).collect::<Vec<_>>();
        assert_eq!(found("d"), ["D4", "D5"]);
        assert_eq!(found("PA"), ["pass"]);
        assert_eq!(found(""), words);
        assert_eq!(found("e"), [""; 0], "not in the middle of a letter");
    }
}
