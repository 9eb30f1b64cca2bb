//! Manual pages, one for each command, from the same description as `--help`.
//!
//! The text is `man(7)` of groff and mandoc: `.TH` head, `.SH` section, `.TP` tagged paragraph,
//! `.nf` … `.fi` unfilled lines.

use super::Arguments;
use clap::{Arg, Command, CommandFactory};

/// A manual page.
pub struct Page {
    /// The name of its file, such as `tesuji-think.1`.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// All pages: `tesuji` and its commands.
pub fn pages() -> Vec<Page> {
    let mut command = Arguments::command();
    command.build();
    let mut pages = Vec::new();
    add(&command, &[], &mut pages);
    pages
}

fn add(command: &Command, above: &[&str], pages: &mut Vec<Page>) {
    let words: Vec<&str> = above.iter().copied().chain([command.get_name()]).collect();
    pages.push(Page { file: format!("{}.1", words.join("-")), text: page(command, &words) });
    for below in commands(command) {
        add(below, &words, pages);
    }
}

fn commands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
}

fn page(command: &Command, words: &[&str]) -> String {
    let name = words.join("-");
    let title = name.to_uppercase();
    let version = env!("CARGO_PKG_VERSION");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!(
        ".TH {} 1 \"\" \"tesuji {version}\" \"tesuji\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
        escaped(&title),
        escaped(&name),
        escaped(about.trim_end_matches('.')),
        escaped(&usage(command)),
    );
    let (description, examples) = remarks(command);
    text += &format!(".SH DESCRIPTION\n{}.\n", escaped(about.trim_end_matches('.')));
    for paragraph in description {
        text += &format!(".PP\n{}\n", escaped(&paragraph));
    }
    let below: Vec<&Command> = commands(command).collect();
    if !below.is_empty() {
        text += ".SH COMMANDS\n";
        for below in below {
            let about = below.get_about().map(ToString::to_string).unwrap_or_default();
            let name = format!("{name}-{}", below.get_name());
            text += &format!(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(&name), escaped(&about));
        }
    }
    let shown = |argument: &&Arg| !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str());
    let (places, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(shown).partition(|argument| argument.is_positional());
    for (title, arguments) in [("ARGUMENTS", places), ("OPTIONS", options)] {
        if !arguments.is_empty() {
            text += &format!(".SH {title}\n");
            arguments.into_iter().for_each(|argument| text += &tagged(argument));
        }
    }
    if !examples.is_empty() {
        text += ".SH EXAMPLES\n.nf\n";
        examples.iter().for_each(|line| text += &format!("{}\n", escaped(line)));
        text += ".fi\n";
    }
    text += ".SH FILES\n.TP\n\\fI~/.config/tesuji/config.toml\\fR\n";
    text += &format!("{}\n", escaped(&format!("Defaults for {}.", super::config::READERS)));
    if words.len() > 1 {
        let above = words[..words.len() - 1].join("-");
        text += &format!(".SH SEE ALSO\n\\fB{}\\fR(1)\n", escaped(&above));
    }
    text
}

/// How the command is called, on one line.
fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    usage.trim_start_matches("Usage: ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the help says below the options: paragraphs, and the lines of examples.
fn remarks(command: &Command) -> (Vec<String>, Vec<String>) {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (mut paragraphs, mut examples) = (Vec::new(), Vec::new());
    for paragraph in text.split("\n\n") {
        match paragraph.trim().split_once('\n') {
            Some(("Example:" | "Examples:", lines)) => {
                examples.extend(lines.lines().map(|line| line.trim().to_string()));
            }
            _ if paragraph.trim().is_empty() => {}
            _ => paragraphs.push(paragraph.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    (paragraphs, examples)
}

/// An argument or option, and what it does.
fn tagged(argument: &Arg) -> String {
    let values: Vec<String> = argument
        .get_value_names()
        .filter(|_| argument.get_action().takes_values())
        .map(|names| names.iter().map(|name| format!("\\fI{}\\fR", escaped(name))).collect())
        .unwrap_or_default();
    let short = argument.get_short().map(|short| format!("\\-{short}"));
    let longs = argument.get_long().into_iter().chain(argument.get_visible_aliases().unwrap_or_default());
    let names: Vec<String> = short.into_iter().chain(longs.map(|long| format!("\\-\\-{}", escaped(long)))).collect();
    let names: Vec<String> = names.iter().map(|name| format!("\\fB{name}\\fR")).collect();
    let tag = [names.join(", "), values.join(" ")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let default = match defaults.join(" ") {
        none if none.is_empty() || !argument.get_action().takes_values() => String::new(),
        default => format!(" [default: {default}]"),
    };
    format!(".TP\n{}\n{}\n", tag.join(" "), escaped(&format!("{help}{default}")))
}

/// Text in which groff sees no request and no escape; letters beyond ASCII by their code points.
fn escaped(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|letter| match letter {
            '\\' => "\\e".to_string(),
            '-' => "\\-".to_string(),
            letter if letter.is_ascii() => letter.to_string(),
            letter => format!("\\[u{:04X}]", u32::from(letter)),
        })
        .collect();
    if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::{escaped, pages};

    #[test]
    fn text_is_no_request() {
        assert_eq!(escaped(".so /etc/passwd"), "\\&.so /etc/passwd");
        assert_eq!(escaped("a\\-b…"), "a\\e\\-b\\[u2026]");
    }

    #[test]
    fn a_page_has_what_the_help_has() {
        let pages = pages();
        let think = pages.iter().find(|page| page.file == "tesuji-think.1").expect("a page");
        for part in [
            ".TH TESUJI\\-THINK 1 ",
            ".SH NAME\ntesuji\\-think \\- Let an agent search a position\n",
            "\n.TP\n\\fB\\-\\-iterations\\fR \\fIN\\fR\n",
            "\n.SH EXAMPLES\n.nf\ntesuji think tictactoe \\-\\-agent oracle\n",
        ] {
            assert!(think.text.contains(part), "{part} in {}", think.text);
        }
        assert!(pages.iter().any(|page| page.file == "tesuji-bench-playout.1"));
    }
}
