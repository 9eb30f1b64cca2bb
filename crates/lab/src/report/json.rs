//! The report as one JSON object.

use super::Page;
use serde_json::{Value, json};

impl Page {
    /// Everything but the pictures.
    #[must_use]
    pub fn json(&self) -> Value {
        let is_quick = self.size == crate::plan::Size::Quick;
        let comparison = |it: &super::Comparison| {
            let verdict = if is_quick { "quick run" } else { it.verdict.in_words() };
            json!({
                "measure": it.ours.name, "published": it.value, "published_range": it.range,
                "published_trials": it.trials, "place": it.place, "value": it.ours.value,
                "interval": it.ours.interval, "trials": it.ours.trials, "verdict": verdict,
            })
        };
        let measure = |it: &super::Measure| json!({ "name": it.name, "value": it.value, "interval": it.interval, "trials": it.trials });
        let table = |it: &super::Table| json!({ "title": it.title, "head": it.head, "rows": it.rows });
        json!({
            "experiment": self.id,
            "title": self.title,
            "claim": self.claim,
            "source": self.source,
            "size": self.size.name(),
            "done": self.done.0,
            "planned": self.done.1,
            "void": self.void.iter().map(|(_, count)| count).sum::<usize>(),
            "verdict": self.verdict(),
            "comparisons": self.comparisons.iter().map(comparison).collect::<Vec<_>>(),
            "measures": self.findings.measures.iter().map(measure).collect::<Vec<_>>(),
            "tables": self.findings.tables.iter().map(table).collect::<Vec<_>>(),
            "notes": self.findings.notes,
            "facts": self.facts.iter().map(|(name, value)| ((*name).to_string(), json!(value))).collect::<serde_json::Map<_, _>>(),
        })
    }
}
