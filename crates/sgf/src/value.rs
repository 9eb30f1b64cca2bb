//! One property value: escapes, text, numbers, composed values.
//!
//! Idea: a value is stored as it stands in the file and interpreted on request, because its type
//! depends on the property, and unknown properties are kept. FF\[4\] rules for text: a backslash
//! escapes the next character; a backslash before a line break removes both (a soft line break);
//! white space other than line breaks becomes a space; in simple text line breaks become spaces
//! too. A composed value is split at the first colon without a backslash.
//!
//! Reference: <https://www.red-bean.com/sgf/sgf4.html#types>.

/// A value that its property does not allow. The message is one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{property}[{found}]: expected {expected}", place(*.offset))]
pub struct ValueError {
    /// The byte of the file where the value begins, if it came from a file.
    pub offset: Option<usize>,
    /// The name of the property.
    pub property: String,
    /// What the value was, shortened.
    pub found: String,
    /// What it should have been.
    pub expected: String,
}

fn place(offset: Option<usize>) -> String {
    offset.map_or_else(String::new, |offset| format!("byte {offset}: "))
}

/// Shortens to forty characters and drops control characters.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// Copies a raw value so that it can stand between brackets: all line breaks become `\n`; an
/// unescaped `]` and a backslash at the end are escaped.
pub(super) fn push_raw(raw: &str, out: &mut String) {
    let mut escaped = false;
    let mut characters = raw.chars().peekable();
    while let Some(mut character) = characters.next() {
        if character == '\r' || character == '\n' {
            let partner = if character == '\r' { '\n' } else { '\r' };
            characters.next_if_eq(&partner);
            character = '\n';
        }
        if character == ']' && !escaped {
            out.push('\\');
        }
        escaped = character == '\\' && !escaped;
        out.push(character);
    }
    if escaped {
        out.push('\\');
    }
}

/// Text as a raw value: backslashes and closing brackets get a backslash.
#[must_use]
pub fn escape(text: &str) -> String {
    escape_these(text, &['\\', ']'])
}

/// Two texts as one raw composed value, `first:second`.
#[must_use]
pub fn compose(first: &str, second: &str) -> String {
    let special = ['\\', ']', ':'];
    format!("{}:{}", escape_these(first, &special), escape_these(second, &special))
}

fn escape_these(text: &str, special: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(&character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// A borrowed value of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value<'a> {
    property: &'a str,
    raw: &'a str,
    offset: Option<usize>,
}

impl<'a> Value<'a> {
    pub(super) fn new(property: &'a str, raw: &'a str, offset: Option<usize>) -> Value<'a> {
        Value { property, raw, offset }
    }

    /// The raw value with its escapes, as it stands between the brackets.
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// The byte offset of the value in the file (after the bracket), if it was read from a file.
    #[must_use]
    pub fn offset(self) -> Option<usize> {
        self.offset
    }

    /// The value as text that may have several lines, such as a comment.
    #[must_use]
    pub fn text(self) -> String {
        self.unescape('\n')
    }

    /// The value as text of one line, such as a name.
    #[must_use]
    pub fn simple_text(self) -> String {
        self.unescape(' ')
    }

    fn unescape(self, line_break: char) -> String {
        let mut text = String::with_capacity(self.raw.len());
        let mut characters = self.raw.chars();
        while let Some(mut character) = characters.next() {
            if character == '\\' {
                match characters.next() {
                    None | Some('\n') => continue,
                    Some(next) => character = next,
                }
            }
            text.push(match character {
                '\n' => line_break,
                '\t' | '\u{b}' | '\u{c}' | '\r' => ' ',
                other => other,
            });
        }
        text
    }

    /// The two parts of a composed value, split at the first colon without a backslash.
    #[must_use]
    pub fn parts(self) -> Option<(Value<'a>, Value<'a>)> {
        let mut escaped = false;
        for (at, byte) in self.raw.bytes().enumerate() {
            if byte == b':' && !escaped {
                let second = Value { raw: &self.raw[at + 1..], offset: None, ..self };
                return Some((Value { raw: &self.raw[..at], ..self }, second));
            }
            escaped = byte == b'\\' && !escaped;
        }
        None
    }

    /// The value as a whole number.
    ///
    /// # Errors
    /// If it is not an integer of at most 32 bits.
    pub fn number(self) -> Result<i32, ValueError> {
        self.raw.trim().parse().map_err(|_| self.error("a whole number"))
    }

    /// The value as a decimal number.
    ///
    /// # Errors
    /// If it is not a finite decimal number.
    pub fn real(self) -> Result<f64, ValueError> {
        let text = self.raw.trim();
        let decimal = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-'));
        let number = if decimal { text.parse().ok() } else { None };
        number.filter(|number: &f64| number.is_finite()).ok_or_else(|| self.error("a decimal number such as 6.5"))
    }

    /// The error that states what was `expected` instead of this value.
    #[must_use]
    pub fn error(self, expected: impl Into<String>) -> ValueError {
        ValueError {
            offset: self.offset,
            property: self.property.to_owned(),
            found: shorten(self.raw),
            expected: expected.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, compose, escape, push_raw};

    fn value(raw: &str) -> Value<'_> {
        Value::new("C", raw, None)
    }

    fn stored(raw: &str) -> String {
        let mut out = String::new();
        push_raw(raw, &mut out);
        out
    }

    #[test]
    fn the_text_example_of_the_specification() {
        // From https://www.red-bean.com/sgf/sgf4.html#text
        let raw = "Meijin NR: yeah, k4 is won\\\nderful\nsweat NR: thank you! :\\)\ndada NR: yup. I like this move too. \
                   It's a move only to be expected from a pro. I really like it :)\njansteen 4d: Can anyone\\\n \
                   explain [me\\] k4?";
        let text = value(raw).text();
        assert!(text.starts_with("Meijin NR: yeah, k4 is wonderful\nsweat NR: thank you! :)\ndada NR"), "{text}");
        assert!(text.ends_with("jansteen 4d: Can anyone explain [me] k4?"), "{text}");
        assert!(!value(raw).simple_text().contains('\n'));
    }

    #[test]
    fn white_space_follows_the_rules_even_when_escaped() {
        assert_eq!(value("a\tb\\\tc\u{b}d").text(), "a b c d");
        assert_eq!(value("a\nb").text(), "a\nb");
        assert_eq!(value("a\nb").simple_text(), "a b");
        assert_eq!(value("a\\\nb").simple_text(), "ab");
    }

    #[test]
    fn line_breaks_of_every_kind_count_once() {
        assert_eq!(stored("a\r\nb\n\rc\rd\ne\n\nf\r\rg"), "a\nb\nc\nd\ne\n\nf\n\ng");
        assert_eq!(stored("soft\\\r\nbreak"), "soft\\\nbreak");
    }

    #[test]
    fn raw_values_are_made_safe() {
        for raw in ["]", "a]b\\", "\\", "\\\\", "\\\\]", "\\]"] {
            let once = stored(raw);
            assert_eq!(stored(&once), once, "{raw}");
        }
        assert_eq!(stored("]\\"), "\\]\\\\");
    }

    #[test]
    fn composed_values_divide_at_the_first_bare_colon() {
        let raw = compose("a:b\\", "c:]");
        assert_eq!(raw, "a\\:b\\\\:c\\:\\]");
        let (first, second) = value(&raw).parts().unwrap();
        assert_eq!((first.text().as_str(), second.text().as_str()), ("a:b\\", "c:]"));
        assert!(value("a\\:b").parts().is_none());
    }

    #[test]
    fn escaped_text_reads_back() {
        for text in ["", "]", "\\", "a\\]b:c", "日本]語\\", "two\nlines"] {
            assert_eq!(value(&stored(&escape(text))).text(), text);
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(value(" -12 ").number(), Ok(-12));
        assert!(value("12.0").number().is_err());
        assert_eq!(value("6.5").real(), Ok(6.5));
        assert_eq!(value("+.5").real(), Ok(0.5));
        for bad in ["", "nan", "inf", "1e3", "6,5", "--1"] {
            assert!(value(bad).real().is_err(), "{bad}");
        }
        assert!(value(&"9".repeat(4000)).real().is_err());
    }

    #[test]
    fn an_error_is_one_short_line() {
        let raw = "\n\u{1b}".repeat(1000);
        let error = Value::new("KM", &raw, Some(17)).real().unwrap_err().to_string();
        assert!(error.starts_with("byte 17: KM[") && error.len() < 300 && !error.contains('\n'), "{error}");
    }
}
