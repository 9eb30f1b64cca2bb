//! The measures as comma-separated values (RFC 4180).

use super::Page;
use crate::plan::Size;

impl Page {
    /// One line for each measure.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("experiment,size,measure,value,low,high,trials,published,verdict\r\n");
        let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        for measure in &self.findings.measures {
            let compared = self.comparisons.iter().find(|comparison| comparison.ours.name == measure.name);
            let cells = [
                self.id.clone(),
                self.size.name().into(),
                measure.name.clone(),
                number(measure.value),
                number(measure.interval.map(|[low, _]| low)),
                number(measure.interval.map(|[_, high]| high)),
                measure.trials.to_string(),
                number(compared.and_then(|comparison| comparison.value)),
                compared.map_or(String::new(), |comparison| match self.size {
                    Size::Quick => "quick run".into(),
                    Size::Full => comparison.verdict.in_words().into(),
                }),
            ];
            text += &(cells.map(|cell| quoted(&cell)).join(",") + "\r\n");
        }
        text
    }
}

/// A field, in quotes where it needs them.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!([quoted("a b"), quoted("a,b"), quoted("a\"b")], ["a b", "\"a,b\"", "\"a\"\"b\""]);
    }
}
