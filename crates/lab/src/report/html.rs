//! The report as one HTML page that needs nothing else: no script, no font, no address.
//!
//! The claim, the verdict, pictures and tables stand in a column of text; what a reader should know
//! first, how it was run and the command stand beside it, or below it on narrow pages.

use super::{Comparison, Page, Table, Verdict};
use crate::plan::Size;
use crate::plots::STYLE as PLOTS;

const STYLE: &str = include_str!("page.css");

/// The width of a picture in a row, in pixels.
const ROW_WIDTH: f64 = 120.0;

impl Page {
    /// As HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escaped(&format!("{}: {}", self.id, self.title));
        let (article, aside) = (self.article(), self.aside());
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{title}</title><style>\n{STYLE}{PLOTS}</style></head>\n\
             <body><main>\n<article>{article}</article>\n<aside>{aside}</aside>\n</main></body></html>\n"
        )
    }

    fn article(&self) -> String {
        let mut body = format!(
            "<p class=\"id\">Lab / {}</p><h1>{}</h1><blockquote>{} <cite>{}</cite></blockquote>\n",
            escaped(&self.id),
            escaped(&self.title),
            escaped(&self.claim),
            escaped(&self.source)
        );
        let verdict = self.verdict();
        // "Reproduced: 17 of 21 …": the word is the badge.
        let (word, rest) = verdict.split_once(": ").unwrap_or(("", &verdict));
        let badge =
            if word.is_empty() { String::new() } else { format!("<span class=\"badge\">{}</span>", escaped(word)) };
        let warning =
            self.warning().map_or(String::new(), |warning| format!("<p class=\"warning\">{}</p>", escaped(&warning)));
        body +=
            &format!("<div class=\"verdict\">{badge}<div><p>{}</p>{warning}</div></div>\n", escaped(&capital(rest)));
        for figure in &self.findings.figures {
            let (wide, narrow) = (&figure.wide, &figure.narrow);
            body += &format!(
                "<figure><div class=\"on-wide\">{wide}</div><div class=\"on-narrow\">{narrow}</div></figure>\n"
            );
        }
        let mut tables = self.tables().into_iter();
        if !self.comparisons.is_empty() {
            body.extend(tables.next().map(|table| self.compared(&table)));
        }
        body.extend(tables.map(|table| section(&table)));
        body
    }

    fn aside(&self) -> String {
        let notes: String =
            self.note.iter().chain(&self.findings.notes).map(|note| format!("<p>{}</p>", escaped(note))).collect();
        let mut body = String::new();
        if !notes.is_empty() {
            body += &format!("<section class=\"card\"><h2>Read this first</h2>{notes}</section>\n");
        }
        let fact = |(name, value): &(&str, String)| format!("<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
        let facts: String = self.facts.iter().filter(|(name, _)| *name != "command").map(fact).collect();
        body += &format!("<section><h2>How it was run</h2><dl>{facts}</dl></section>\n");
        for (_, command) in self.facts.iter().filter(|(name, _)| *name == "command") {
            body += &format!("<section><h2>Run it again</h2><pre>{}</pre></section>\n", escaped(command));
        }
        body
    }

    /// The published numbers beside ours: the place below the measure, and a picture of each row where
    /// all rows have one scale.
    fn compared(&self, table: &Table) -> String {
        let scale = scale(&self.comparisons);
        let drawn = scale.map_or(String::new(), |[low, high]| {
            let shown = |end: f64| self.comparisons.first().map_or(String::new(), |first| first.ours.shown(end));
            format!("<th class=\"row\"><span>{}</span><span>{}</span></th>", shown(low), shown(high))
        });
        let mut rows = String::new();
        for (comparison, cells) in self.comparisons.iter().zip(&table.rows) {
            let published = cells[1].split(" [").next().unwrap_or_default();
            let place =
                comparison.place.as_ref().map_or(String::new(), |place| format!("<small>{}</small>", escaped(place)));
            let picture =
                scale.map_or(String::new(), |scale| format!("<td class=\"row\">{}</td>", picture(comparison, scale)));
            let tag = match comparison.verdict {
                _ if self.size == Size::Quick => "tag",
                Verdict::Agrees => "tag ok",
                Verdict::Higher | Verdict::Lower => "tag no",
                Verdict::Open | Verdict::NotComparable => "tag",
            };
            rows += &format!(
                "<tr><td>{}{place}</td><td class=\"num\" data-head=\"Published\">{}</td>\
                 <td class=\"num ours\" data-head=\"Ours (95 %)\">{}</td>{picture}\
                 <td><span class=\"{tag}\">{}</span></td></tr>\n",
                escaped(&cells[0]),
                escaped(published),
                escaped(&cells[2]),
                escaped(&cells[3]),
            );
        }
        format!(
            "<section><h2>{}</h2><div class=\"wide\"><table class=\"compared\"><thead><tr><th>Measure</th>\
             <th class=\"num\">Published</th><th class=\"num\">Ours (95 %)</th>{drawn}<th>Verdict</th></tr></thead>\
             <tbody>\n{rows}</tbody></table></div></section>\n",
            escaped(&table.title),
        )
    }
}

/// One scale for all rows: from 0 to 1 for shares, else the ends of all numbers; nothing if the rows
/// measure different things.
fn scale(comparisons: &[Comparison]) -> Option<[f64; 2]> {
    let of = |comparison: &Comparison| comparison.ours.name.split(':').next().map(String::from);
    let first = comparisons.first()?;
    if comparisons.iter().any(|one| of(one) != of(first) || one.ours.share != first.ours.share) {
        return None;
    }
    if first.ours.share {
        return Some([0.0, 1.0]);
    }
    let numbers = comparisons.iter().flat_map(|one| {
        let ends = one.range.into_iter().chain(one.ours.interval).flatten();
        ends.chain(one.value).chain(one.ours.value)
    });
    let (low, high) = numbers
        .filter(|number| number.is_finite())
        .fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)));
    (low < high).then_some([low, high])
}

/// A row of the comparison: the published number dotted, or its range as a band; ours with its interval.
fn picture(comparison: &Comparison, [low, high]: [f64; 2]) -> String {
    let at = |number: f64| 4.0 + (ROW_WIDTH - 8.0) * ((number - low) / (high - low)).clamp(0.0, 1.0);
    let mut marks = String::new();
    if let Some([from, to]) = comparison.range {
        marks += &format!(
            "<rect class=\"band\" x=\"{:.1}\" y=\"4\" width=\"{:.1}\" height=\"12\"/>",
            at(from),
            (at(to) - at(from)).max(1.0)
        );
    }
    if let Some(value) = comparison.value {
        marks += &format!("<path class=\"published\" d=\"M{:.1} 2V18\"/>", at(value));
    }
    if let Some([from, to]) = comparison.ours.interval {
        marks += &format!("<path class=\"ours\" d=\"M{:.1} 10H{:.1}\"/>", at(from), at(to));
    }
    if let Some(value) = comparison.ours.value {
        marks += &format!("<circle class=\"ours\" cx=\"{:.1}\" cy=\"10\" r=\"3.5\"/>", at(value));
    }
    format!(
        "<svg class=\"row\" width=\"{ROW_WIDTH}\" height=\"20\" viewBox=\"0 0 {ROW_WIDTH} 20\" \
         aria-hidden=\"true\">{marks}</svg>"
    )
}

fn section(table: &Table) -> String {
    let numbers: Vec<bool> = (0..table.head.len()).map(|column| is_of_numbers(table, column)).collect();
    let cells = |cells: &[String], tag: &str| -> String {
        let class = |column: usize| if numbers.get(column) == Some(&true) { " class=\"num\"" } else { "" };
        let cell = |(column, cell): (usize, &String)| format!("<{tag}{}>{}</{tag}>", class(column), escaped(cell));
        cells.iter().enumerate().map(cell).collect()
    };
    let rows: String = table.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
    format!(
        "<section><h2>{}</h2><div class=\"wide\"><table><thead><tr>{}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div></section>\n",
        escaped(&table.title),
        cells(&table.head, "th"),
    )
}

/// Whether a column holds numbers, which stand to the right.
fn is_of_numbers(table: &Table, column: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
    let is_number = |cell: &String| {
        let plain = cell.replace(" to ", "").replace('e', "");
        plain.chars().all(|letter| letter.is_ascii_digit() || " .,%–−-()+:×/∞".contains(letter))
    };
    cells.peek().is_some() && cells.all(is_number)
}

/// With a capital letter at the beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{escaped, is_of_numbers, picture, scale};
    use crate::report::{Comparison, Measure, Table, Verdict};

    #[test]
    fn text_stays_text() {
        assert_eq!(escaped("<b>&\"x\"</b>"), "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;");
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let mut table = Table::new("t", &["name", "runs", "share"]);
        table.rows = vec![
            vec!["plain 5".into(), "1,234".into(), "44.0 % (30.1 to 58.6)".into()],
            vec!["7".into(), "–".into(), String::new()],
        ];
        assert_eq!([0, 1, 2].map(|column| is_of_numbers(&table, column)), [false, true, true]);
    }

    fn comparison(name: &str, value: f64, ours: [f64; 3], share: bool) -> Comparison {
        let [low, own, high] = ours;
        let measure = Measure { value: Some(own), interval: Some([low, high]), share, ..Measure::named(name) };
        let verdict = Verdict::Open;
        Comparison { ours: measure, value: Some(value), range: None, trials: None, place: None, verdict }
    }

    /// Rows are drawn to one scale or not at all.
    #[test]
    fn rows_have_one_scale() {
        let [one, two] = [("effort: a", 0.5), ("effort: b", 0.9)]
            .map(|(name, value)| comparison(name, value, [0.4, 0.6, 1.4], false));
        assert_eq!(scale(&[one.clone(), two.clone()]), Some([0.4, 1.4]));
        let other = comparison("mean: b", 0.9, [0.4, 0.6, 1.4], false);
        assert_eq!(scale(&[one.clone(), other]), None, "they measure different things");
        assert_eq!(scale(&[comparison("score: a", 0.9, [0.4, 0.6, 0.8], true)]), Some([0.0, 1.0]));
        // 0.5 is a tenth of the way from 0.4 to 1.4: 4 + 112/10.
        assert!(picture(&one, [0.4, 1.4]).contains("M15.2 2V18"), "{}", picture(&one, [0.4, 1.4]));
    }
}
