//! The screen of a terminal, as text and as SVG.
//!
//! It knows what a line-by-line program writes: characters, line ends and colours (SGR codes of
//! ECMA-48, with the 256 colours of xterm). Nothing moves the cursor.

use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// How signs look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Style {
    bold: bool,
    dim: bool,
    /// Numbers among the 256 colours.
    tone: Option<u8>,
    ground: Option<u8>,
}

impl Style {
    /// Applies one SGR sequence.
    ///
    /// # Panics
    /// At a code that boards and prompts do not use.
    fn apply(&mut self, codes: &str) {
        let mut numbers = codes.split(';').map(|code| code.parse::<u8>().unwrap_or(0));
        while let Some(code) = numbers.next() {
            match code {
                0 => *self = Style::default(),
                1 => self.bold = true,
                2 => self.dim = true,
                30..=37 => self.tone = Some(code - 30),
                38 | 48 => {
                    assert_eq!(numbers.next(), Some(5), "one of 256 colours");
                    let number = numbers.next();
                    if code == 38 { self.tone = number } else { self.ground = number }
                }
                other => panic!("the colour code {other} is not drawn"),
            }
        }
    }
}

/// One of xterm's 256 colours, as red, green and blue.
fn rgb(number: u8) -> [u8; 3] {
    const BASIC: [[u8; 3]; 8] = [
        [0, 0, 0],
        [205, 49, 49],
        [13, 188, 121],
        [229, 229, 16],
        [88, 150, 240],
        [188, 63, 188],
        [17, 168, 205],
        [229, 229, 229],
    ];
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match number {
        0..=15 => BASIC[usize::from(number % 8)],
        16..=231 => [(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6].map(level),
        232..=255 => [8 + 10 * (number - 232); 3],
    }
}

/// The last lines of what a program wrote.
pub struct Screen {
    lines: Vec<Vec<(String, Style)>>,
    columns: usize,
}

impl Screen {
    /// What a terminal of this size shows at the end.
    ///
    /// # Panics
    /// If a line is wider than the screen, or a control sequence is no colour.
    #[must_use]
    pub fn new(written: &str, columns: usize, rows: usize) -> Screen {
        let mut style = Style::default();
        let mut lines = Vec::new();
        for line in written.split('\n') {
            let mut runs: Vec<(String, Style)> = Vec::new();
            let mut parts = line.split('\x1b');
            runs.push((parts.next().unwrap_or_default().to_string(), style));
            for part in parts {
                let (codes, text) = part.strip_prefix('[').and_then(|part| part.split_once('m')).expect("a colour");
                style.apply(codes);
                runs.push((text.to_string(), style));
            }
            runs.retain(|(text, _)| !text.is_empty());
            let width: usize = runs.iter().map(|(text, _)| text.width()).sum();
            assert!(width <= columns, "a line of {width} columns: {line}");
            lines.push(runs);
        }
        let first = lines.len().saturating_sub(rows);
        Screen { lines: lines.split_off(first), columns }
    }

    /// The text, without blanks at the end of lines.
    #[must_use]
    pub fn text(&self) -> String {
        let line = |runs: &Vec<(String, Style)>| runs.iter().map(|(text, _)| text.as_str()).collect::<String>();
        self.lines.iter().map(|runs| format!("{}\n", line(runs).trim_end())).collect()
    }

    /// The screen as a picture. Every run of signs has its place and its length, so that the
    /// picture does not depend on the width of a font.
    #[must_use]
    pub fn svg(&self, title: &str) -> String {
        // A cell of the terminal, and the frame around all of them, in tenths of a pixel.
        const CELL: (usize, usize) = (84, 180);
        const FRAME: usize = 120;
        let pixels = |tenths: usize| format!("{}.{}", tenths / 10, tenths % 10);
        let width = pixels(2 * FRAME + self.columns * CELL.0);
        let height = pixels(2 * FRAME + self.lines.len() * CELL.1);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#1c1c1c\"/>\n\
             <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" \
             xml:space=\"preserve\">\n",
            escaped(title)
        );
        let colour = |number: u8| {
            let [red, green, blue] = rgb(number);
            format!("#{red:02x}{green:02x}{blue:02x}")
        };
        for (row, runs) in self.lines.iter().enumerate() {
            let mut column = 0;
            for (text, style) in runs {
                let (x, y) = (FRAME + column * CELL.0, FRAME + row * CELL.1);
                let length = text.width() * CELL.0;
                column += text.width();
                if let Some(ground) = style.ground {
                    let _ = writeln!(
                        svg,
                        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                        pixels(x),
                        pixels(y),
                        pixels(length),
                        // Grounds of two lines touch.
                        pixels(CELL.1 + 5),
                        colour(ground)
                    );
                }
                if text.trim().is_empty() {
                    continue;
                }
                let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
                let dim = if style.dim { " opacity=\"0.6\"" } else { "" };
                let _ = writeln!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" \
                     fill=\"{}\"{weight}{dim}>{}</text>",
                    pixels(x),
                    pixels(y + 135),
                    pixels(length),
                    style.tone.map_or("#d7d7d7".to_string(), colour),
                    escaped(text)
                );
            }
        }
        svg + "</g>\n</svg>\n"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Screen, Style, rgb};

    #[test]
    fn the_last_lines_without_colours() {
        let screen = Screen::new("one\ntwo \x1b[1;38;5;16;48;5;179m●\x1b[0m \n> ", 20, 2);
        assert_eq!(screen.text(), "two ●\n>\n");
        let svg = screen.svg("a & b");
        assert!(svg.contains("fill=\"#d7af5f\"") && svg.contains("<title>a &amp; b</title>"), "{svg}");
        assert!(
            svg.contains("fill=\"#000000\" font-weight=\"bold\">●</text>") && svg.contains("&gt; </text>"),
            "{svg}"
        );
    }

    /// Colours of xterm's table.
    #[test]
    fn colours() {
        assert_eq!([rgb(16), rgb(231), rgb(124), rgb(247)], [[0; 3], [255; 3], [175, 0, 0], [158; 3]]);
        let mut style = Style::default();
        style.apply("2;36");
        assert_eq!(style, Style { dim: true, tone: Some(6), ..Style::default() });
        style.apply("0");
        assert_eq!(style, Style::default());
    }

    #[test]
    #[should_panic(expected = "a line of 21 columns")]
    fn a_line_that_is_too_wide_is_refused() {
        let _ = Screen::new(&"x".repeat(21), 20, 2);
    }
}
