//! The report as one HTML page that needs nothing else: no script, no font, no address.

use super::{Page, Table};
use crate::plots::STYLE as PLOTS;

const STYLE: &str = include_str!("page.css");

impl Page {
    /// As HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escaped(&format!("{}: {}", self.id, self.title));
        let mut body = format!("<header><p class=\"id\">{}</p><h1>{}</h1>", escaped(&self.id), escaped(&self.title));
        body += &format!(
            "<p class=\"claim\">{}</p><p>Source: {}</p></header>\n",
            escaped(&self.claim),
            escaped(&self.source)
        );
        if let Some(warning) = self.warning() {
            body += &format!("<p class=\"warning\">{}</p>\n", escaped(&warning));
        }
        body += &format!("<p class=\"verdict\">{}</p>\n", escaped(&self.verdict()));
        let mut tables = self.tables().into_iter();
        // The comparison comes first, the pictures before the other tables.
        if !self.comparisons.is_empty() {
            body.extend(tables.next().map(|table| section(&table)));
        }
        for figure in &self.findings.figures {
            let (wide, narrow) = (&figure.wide, &figure.narrow);
            body += &format!(
                "<section><div class=\"on-wide\">{wide}</div><div class=\"on-narrow\">{narrow}</div></section>\n"
            );
        }
        body.extend(tables.map(|table| section(&table)));
        let notes: String =
            self.findings.notes.iter().chain(&self.note).map(|note| format!("<li>{}</li>", escaped(note))).collect();
        if !notes.is_empty() {
            body += &format!("<section><h2>Notes</h2><ul>{notes}</ul></section>\n");
        }
        let fact = |(name, value): &(&str, String)| format!("<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
        let facts: String = self.facts.iter().map(fact).collect();
        body += &format!("<section><h2>How it was run</h2><dl>{facts}</dl></section>\n");
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{title}</title><style>\n{STYLE}{PLOTS}</style></head>\n<body><main>\n{body}</main></body></html>\n"
        )
    }
}

fn section(table: &Table) -> String {
    let cells = |cells: &[String], tag: &str| -> String {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
    };
    let rows: String = table.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
    format!(
        "<section><h2>{}</h2><div class=\"wide\"><table><thead><tr>{}</tr></thead><tbody>\n{rows}</tbody></table></div></section>\n",
        escaped(&table.title),
        cells(&table.head, "th"),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_stays_text() {
        assert_eq!(escaped("<b>&\"x\"</b>"), "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;");
    }
}
