//! The report as Markdown.

use super::{Page, Table};

impl Page {
    /// As Markdown, tables and all; pictures are left to HTML and the gallery.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.markdown_with(&[])
    }

    /// As Markdown with pictures, by their addresses.
    pub(super) fn markdown_with(&self, pictures: &[String]) -> String {
        let mut text = format!("# {}: {}\n\n{}\n\nSource: {}\n", self.id, self.title, self.claim, self.source);
        if let Some(warning) = self.warning() {
            text += &format!("\n**{warning}**\n");
        }
        text += &format!("\n**{}**\n", self.verdict());
        let mut tables = self.tables().into_iter();
        // The comparison comes first, the pictures before the other tables.
        let shown = |table: Table| format!("\n## {}\n\n{}", table.title, in_markdown(&table));
        if !self.comparisons.is_empty() {
            text.extend(tables.next().map(shown));
        }
        for (number, picture) in pictures.iter().enumerate() {
            text += &format!("\n![{}, picture {}]({picture})\n", self.title, number + 1);
        }
        text.extend(tables.map(shown));
        let notes = self.findings.notes.iter().chain(&self.note);
        let notes: Vec<String> = notes.map(|note| format!("- {note}\n")).collect();
        if !notes.is_empty() {
            text += &format!("\n## Notes\n\n{}", notes.concat());
        }
        text += "\n## How it was run\n\n";
        for (name, value) in &self.facts {
            text += &format!("- {name}: {value}\n");
        }
        text
    }
}

fn in_markdown(table: &Table) -> String {
    let cell = |text: &String| text.replace('|', "\\|").replace('\n', " ");
    let line = |cells: &[String]| format!("| {} |\n", cells.iter().map(cell).collect::<Vec<_>>().join(" | "));
    let rule = format!("|{}\n", "---|".repeat(table.head.len()));
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    line(&table.head) + &rule + &rows
}
