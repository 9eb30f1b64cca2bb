//! The report as Markdown.

use super::{Page, Table};

impl Page {
    /// As Markdown, tables and all; pictures are left to HTML.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}: {}\n\n{}\n\nSource: {}\n", self.id, self.title, self.claim, self.source);
        if let Some(warning) = self.warning() {
            text += &format!("\n**{warning}**\n");
        }
        text += &format!("\n**{}**\n", self.verdict());
        for table in self.tables() {
            text += &format!("\n## {}\n\n{}", table.title, in_markdown(&table));
        }
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
