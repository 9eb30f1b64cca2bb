//! SVG text: elements with classes, escaped, with an alternative text.
//!
//! Colours and line styles are left to the style sheet. Coordinates have at most two decimals, so
//! that a picture is the same text on every machine.

use super::style::STYLE;
use std::fmt::Write as _;

/// How wide a picture is. Text has the same size in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Width {
    /// 360 pixels: a phone, or one of two columns.
    Narrow,
    /// 760 pixels: the column of a report.
    #[default]
    Wide,
}

impl Width {
    /// In pixels.
    #[must_use]
    pub const fn pixels(self) -> f64 {
        match self {
            Width::Narrow => 360.0,
            Width::Wide => 760.0,
        }
    }
}

/// A finished picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Svg {
    opening: String,
    content: String,
}

impl Svg {
    /// The text of a file of its own, with the style sheet and both themes.
    #[must_use]
    pub fn file(&self) -> String {
        let Svg { opening, content } = self;
        format!("{opening}<style>\n{STYLE}</style>\n{content}</svg>\n")
    }

    /// The element for a page that includes [`STYLE`] itself.
    #[must_use]
    pub fn element(&self) -> String {
        let Svg { opening, content } = self;
        format!("{opening}{content}</svg>\n")
    }
}

/// Where a text lies relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Canvas(String);

impl Canvas {
    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(pixels);
        let _ = writeln!(self.0, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub fn rectangle(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let [x, y, width, height] = [x, y, width.max(0.0), height.max(0.0)].map(pixels);
        let _ = writeln!(self.0, r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#);
    }

    pub fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64) {
        let [x, y, radius] = [x, y, radius].map(pixels);
        let _ = writeln!(self.0, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#);
    }

    /// A polygon, or with `open` a line through the points.
    pub fn path(&mut self, class: &str, points: &[[f64; 2]], open: bool) {
        let mut text = String::new();
        for (place, [x, y]) in points.iter().enumerate() {
            let _ = write!(text, "{}{} {}", if place == 0 { 'M' } else { 'L' }, pixels(*x), pixels(*y));
        }
        let end = if open { "" } else { "Z" };
        let _ = writeln!(self.0, r#"<path class="{class}" d="{text}{end}"/>"#);
    }

    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        let [x, y] = [x, y].map(pixels);
        let _ = writeln!(self.0, r#"<text{class} x="{x}" y="{y}"{anchor}>{}</text>"#, escaped(text));
    }

    /// The picture, with a title and a description that say what it shows.
    pub fn finish(self, [width, height]: [f64; 2], title: &str, description: &str) -> Svg {
        let [width, height] = [width, height].map(pixels);
        let (title, description) = (escaped(title), escaped(description));
        Svg {
            opening: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
                 height=\"{height}\" role=\"img\" aria-label=\"{title}. {description}\">\n\
                 <title>{title}</title>\n<desc>{description}</desc>\n"
            ),
            content: format!(
                "<g class=\"tesuji-plot\">\n<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{}</g>\n",
                self.0
            ),
        }
    }
}

/// A length with at most two decimals.
fn pixels(length: f64) -> String {
    let text = format!("{length:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Text that is safe in elements and attributes; characters that XML forbids are replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            control if control.is_control() => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// About how wide a text is in the system's font.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

/// The text, cut with an ellipsis if it is wider than this.
pub(super) fn shortened(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size) <= width {
        return text.into();
    }
    let fitting = (width / (size * 0.56)).floor().max(2.0) as usize - 1;
    text.chars().take(fitting).chain(['…']).collect()
}

/// The text in lines of at most this width, broken at spaces.
pub(super) fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(line, size) + width_of(word, size) + size * 0.56 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Canvas, escaped, pixels, shortened, wrapped};

    #[test]
    fn lengths_are_short_and_never_minus_zero() {
        assert_eq!([1.0, 0.126, -0.001, 10.5, 100.0].map(pixels), ["1", "0.13", "0", "10.5", "100"]);
    }

    #[test]
    fn markup_in_names_stays_text() {
        assert_eq!(escaped("<b a=\"1\">&\u{1}\n"), "&lt;b a=&quot;1&quot;&gt;&amp;\u{fffd} ");
        let file = Canvas::default().finish([1.0, 1.0], "</title><script>", "\"").file();
        assert!(!file.contains("<script") && file.contains("aria-label=\"&lt;/title&gt;&lt;script&gt;. &quot;\""));
    }

    #[test]
    fn long_texts_are_cut_or_broken() {
        assert_eq!(shortened("proof-number search", 10.0, 60.0), "proof-num…");
        assert_eq!(wrapped("one two three", 10.0, 50.0), ["one two", "three"]);
        assert_eq!(wrapped("", 10.0, 50.0), Vec::<String>::new());
    }
}
