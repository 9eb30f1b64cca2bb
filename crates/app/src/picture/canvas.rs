//! Lines of text with colours: what boards are drawn on.
//!
//! A colour is a *tone* on a *ground*. The ground of a board (wood, felt, slate) makes black and
//! white stones look black and white whatever the background of the terminal is. The codes are those
//! of the 256 colours that terminals have had since xterm.

use std::fmt::Write as _;
use tesuji_core::Paint;
use unicode_width::UnicodeWidthStr;

/// What is behind the signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// The terminal's own background.
    Bare,
    /// A board of lines.
    Wood,
    /// A board of squares.
    Felt,
    /// A board of hexagons.
    Slate,
}

/// The colour of signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    /// Lines of the board and empty points.
    Line,
    /// Pieces.
    Side(Paint),
}

impl Ground {
    const fn code(self) -> &'static str {
        match self {
            Ground::Bare => "",
            Ground::Wood => "48;5;179",
            Ground::Felt => "48;5;71",
            Ground::Slate => "48;5;247",
        }
    }

    const fn lines(self) -> &'static str {
        match self {
            Ground::Bare => "2",
            Ground::Wood => "38;5;94",
            Ground::Felt => "38;5;22",
            Ground::Slate => "38;5;240",
        }
    }
}

/// The codes of a colour, as ANSI's "select graphic rendition" takes them.
fn codes(tone: Tone, ground: Ground) -> String {
    let paint = |paint: Paint| match (paint, ground) {
        (Paint::Black, Ground::Bare) => "1;33",
        (Paint::White, Ground::Bare) => "1;36",
        (Paint::Red, Ground::Bare) => "1;31",
        (Paint::Blue, Ground::Bare) => "1;34",
        (Paint::Black, _) => "1;38;5;16",
        (Paint::White, _) => "1;38;5;231",
        (Paint::Red, _) => "1;38;5;124",
        (Paint::Blue, _) => "1;38;5;18",
    };
    let tone = match tone {
        Tone::Line => ground.lines(),
        Tone::Side(side) => paint(side),
    };
    if ground == Ground::Bare { tone.to_string() } else { format!("{tone};{}", ground.code()) }
}

/// A line of signs in colours.
#[derive(Clone, Default)]
pub(super) struct Line(Vec<(String, Option<(Tone, Ground)>)>);

impl Line {
    /// Text in the terminal's own colours.
    pub(super) fn text(text: impl Into<String>) -> Line {
        Line(vec![(text.into(), None)])
    }

    /// Adds text in the terminal's own colours.
    pub(super) fn say(&mut self, text: &str) {
        self.0.push((text.into(), None));
    }

    /// Adds signs in a colour.
    pub(super) fn draw(&mut self, signs: impl Into<String>, tone: Tone, ground: Ground) {
        let colour = Some((tone, ground));
        match self.0.last_mut() {
            Some((text, last)) if *last == colour => text.push_str(&signs.into()),
            _ => self.0.push((signs.into(), colour)),
        }
    }

    /// Columns of the terminal that it takes.
    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|(text, _)| text.width()).sum()
    }

    /// Writes it with ANSI codes, without blanks at its end. Blanks of a board stay: they show its
    /// ground.
    pub(super) fn write(&self, text: &mut String) {
        let is_bare = |colour: &Option<(Tone, Ground)>| colour.is_none_or(|(_, ground)| ground == Ground::Bare);
        let is_seen = |(signs, colour): &(String, _)| !(is_bare(colour) && signs.trim_end().is_empty());
        let end = self.0.iter().rposition(is_seen).map_or(0, |last| last + 1);
        for (number, (signs, colour)) in self.0[..end].iter().enumerate() {
            let signs = if number + 1 == end && is_bare(colour) { signs.trim_end() } else { signs };
            let _ = match colour {
                Some((tone, ground)) => write!(text, "\x1b[{}m{signs}\x1b[0m", codes(*tone, *ground)),
                None => write!(text, "{signs}"),
            };
        }
    }
}
