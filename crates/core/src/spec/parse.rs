//! Reading specs.

use super::{Argument, Place, Spec, SpecError, SpecValue};

/// Longer texts are refused unread; no useful spec comes near.
const LONGEST: usize = 64 * 1024;
/// Deeper nesting is refused, so that recursion here and elsewhere is bounded.
const DEEPEST: usize = 32;

pub(super) fn parse(text: &str) -> Result<Spec, SpecError> {
    if text.len() > LONGEST {
        return Err(SpecError {
            at: 0,
            problem: format!("a spec has at most {LONGEST} bytes, this one has {}", text.len()),
        });
    }
    let mut reader = Reader { text, at: 0 };
    reader.blanks();
    let spec = reader.spec(0)?;
    reader.blanks();
    if reader.at < text.len() {
        return reader.fail(format!("expected the end, found {}", reader.found()));
    }
    Ok(spec)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// How many characters stand before this byte: people count those.
    fn column(&self, byte: usize) -> usize {
        self.text[..byte].chars().count()
    }

    fn fail<T>(&self, problem: String) -> Result<T, SpecError> {
        Err(SpecError { at: self.column(self.at), problem })
    }

    /// What stands here, for messages.
    fn found(&self) -> String {
        match self.rest().chars().next() {
            None => "the end".into(),
            Some(letter) => format!("'{}'", letter.escape_debug()),
        }
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips a sign if it stands here.
    fn skip(&mut self, sign: char) -> bool {
        let here = self.rest().starts_with(sign);
        self.at += if here { sign.len_utf8() } else { 0 };
        here
    }

    fn name(&mut self, expected: &str) -> Result<String, SpecError> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.fail(format!("expected {expected}, found {}", self.found()));
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        let name = rest[..end].to_string();
        self.at += end;
        Ok(name)
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, SpecError> {
        let at = Place(self.column(self.at));
        let name = self.name("a name")?;
        let arguments = self.arguments(&name, depth)?;
        Ok(Spec { name, arguments, at })
    }

    fn arguments(&mut self, owner: &str, depth: usize) -> Result<Vec<Argument>, SpecError> {
        let mut arguments: Vec<Argument> = Vec::new();
        let before = self.at;
        self.blanks();
        let opened = self.at;
        if !self.skip('(') {
            self.at = before;
            return Ok(arguments);
        }
        if depth == DEEPEST {
            return self.fail(format!("specs nest at most {DEEPEST} deep"));
        }
        self.blanks();
        if self.skip(')') {
            return Ok(arguments);
        }
        loop {
            self.blanks();
            let at = Place(self.column(self.at));
            let name = self.name("a parameter's name")?;
            self.blanks();
            if !self.skip('=') {
                return self.fail(format!("expected '=' and a value for {name}, found {}", self.found()));
            }
            self.blanks();
            if arguments.iter().any(|other| other.name == name) {
                return Err(SpecError { at: at.0, problem: format!("{name} is given twice") });
            }
            let value = self.value(depth + 1)?;
            arguments.push(Argument { name, value, at });
            self.blanks();
            if self.skip(')') {
                return Ok(arguments);
            }
            if !self.skip(',') {
                if self.rest().is_empty() {
                    return Err(SpecError {
                        at: self.column(opened),
                        problem: format!("the '(' of {owner} is never closed"),
                    });
                }
                return self.fail(format!("expected ',' or ')', found {}", self.found()));
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<SpecValue, SpecError> {
        match self.rest().chars().next() {
            Some('"') => self.text().map(SpecValue::Text),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.spec(depth).map(SpecValue::Spec),
            _ => self.fail(format!("expected a number, a word or \"text\", found {}", self.found())),
        }
    }

    fn number(&mut self) -> Result<SpecValue, SpecError> {
        let rest = self.rest();
        // A sign belongs to the number at its start and after the exponent's e.
        let mut end = 0;
        for (index, letter) in rest.char_indices() {
            let signed = matches!(letter, '-' | '+') && (index == 0 || rest[..index].ends_with(['e', 'E']));
            if !(letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E') || signed) {
                break;
            }
            end = index + letter.len_utf8();
        }
        let digits = &rest[..end];
        let whole = digits.bytes().skip(usize::from(digits.starts_with('-'))).all(|b| b.is_ascii_digit());
        let value = if whole {
            digits.parse().ok().map(SpecValue::Integer)
        } else {
            digits.parse().ok().filter(|number: &f64| number.is_finite()).map(SpecValue::Number)
        };
        let Some(value) = value else {
            let shown: String = digits.chars().take(24).collect();
            return self.fail(format!("{shown} is not a number, or too large"));
        };
        self.at += end;
        Ok(value)
    }

    fn text(&mut self) -> Result<String, SpecError> {
        let start = self.at;
        let mut text = String::new();
        let mut letters = self.text[start + 1..].char_indices();
        while let Some((index, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + 1 + index + 1;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, '"')) => text.push('"'),
                    Some((_, '\\')) => text.push('\\'),
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    _ => {
                        self.at = start + 1 + index;
                        return self.fail("after a backslash expected '\"', '\\', 'n' or 't'".into());
                    }
                },
                other => text.push(other),
            }
        }
        self.fail("the text is never closed; expected '\"'".into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Argument, Place, Spec, SpecValue};
    use super::parse;
    use proptest::prelude::*;

    fn any_spec() -> impl Strategy<Value = Spec> {
        let name = "[a-zA-Z][a-zA-Z0-9_-]{0,8}";
        let leaf = prop_oneof![
            any::<i64>().prop_map(SpecValue::Integer),
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(SpecValue::Number),
            any::<String>().prop_map(SpecValue::Text),
            name.prop_map(|name| SpecValue::Spec(Spec::bare(name))),
        ];
        let value = leaf.prop_recursive(4, 24, 4, move |inner| {
            (name, proptest::collection::btree_map(name, inner, 1..4)).prop_map(|(name, arguments)| {
                let arguments = arguments.into_iter();
                let arguments = arguments.map(|(name, value)| Argument { name, value, at: Place(0) }).collect();
                SpecValue::Spec(Spec { name, arguments, at: Place(0) })
            })
        });
        (name, proptest::collection::btree_map(name, value, 0..4)).prop_map(|(name, arguments)| {
            let arguments = arguments.into_iter();
            Spec {
                name,
                arguments: arguments.map(|(name, value)| Argument { name, value, at: Place(0) }).collect(),
                at: Place(0),
            }
        })
    }

    proptest! {
        #[test]
        fn printing_and_parsing_are_inverse(spec in any_spec()) {
            let text = spec.to_string();
            let parsed = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
            prop_assert_eq!(&parsed, &spec);
            prop_assert_eq!(parsed.to_string(), text, "canonical text is a fixed point");
        }

        #[test]
        fn any_text_is_answered(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn nearly_right_text_is_answered(text in "[a-c(),=\\-.0-9e\" \\\\]{0,40}") {
            if let Ok(spec) = parse(&text) {
                prop_assert_eq!(parse(&spec.to_string()), Ok(spec));
            }
        }
    }

    #[test]
    fn blanks_and_empty_brackets() {
        for (text, canonical) in [
            ("hex", "hex"),
            ("hex()", "hex"),
            (" hex ( size = 11 , swap = false ) ", "hex(size=11,swap=false)"),
            ("mcts(select=ucb1(c=1.40),leaf=random)", "mcts(select=ucb1(c=1.4),leaf=random)"),
            ("a(x=1e3,y=-0.5,z=-7,t=\"a\\\"b\\\\\")", "a(x=1000.0,y=-0.5,z=-7,t=\"a\\\"b\\\\\")"),
        ] {
            assert_eq!(parse(text).expect(text).to_string(), canonical);
        }
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, at, part) in [
            ("", 0, "expected a name"),
            ("9x", 0, "expected a name"),
            ("hex(", 4, "parameter's name"),
            ("hex(size", 8, "expected '='"),
            ("hex(size=", 9, "expected a number"),
            ("hex(size=11", 3, "never closed"),
            ("hex(size=11]", 11, "expected ',' or ')'"),
            ("hex(size=11))", 12, "expected the end"),
            ("hex(size=1,size=2)", 11, "twice"),
            ("a(x=1.2.3)", 4, "not a number"),
            ("a(x=99999999999999999999)", 4, "not a number"),
            ("a(x=1e999)", 4, "not a number"),
            ("a(x=\"open)", 4, "never closed"),
            ("a(x=\"\\q\")", 5, "backslash"),
            ("hex size", 4, "expected the end"),
            ("a(x=\"ééé\",y)", 11, "expected '='"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.problem.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        assert!(parse(&"a".repeat(1_000_000)).expect_err("huge").problem.contains("at most"));
        let deep = format!("{}b{}", "a(x=".repeat(10_000), ")".repeat(10_000));
        assert!(parse(&deep).expect_err("deep").problem.contains("deep"));
        let fine = format!("{}b{}", "a(x=".repeat(30), ")".repeat(30));
        assert!(parse(&fine).is_ok());
    }
}
