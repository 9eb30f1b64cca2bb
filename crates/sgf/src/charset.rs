//! The charset of a game tree, and where a value ends in it.
//!
//! Idea: the syntax of SGF is ASCII and only values carry other characters, so the reader works on
//! bytes, and its offsets are offsets in the file. The charset is the `CA` of the root, which may
//! follow text in that charset: the detector looks ahead through the root for it. In Shift_JIS,
//! GBK, GB18030 and Big5 the second byte of a character can equal `\` or `]`; there a value is
//! scanned by characters, not by bytes. Charsets that do not extend ASCII (UTF-16, ISO-2022-JP) are
//! refused.
//!
//! Reference: <https://www.red-bean.com/sgf/properties.html#CA>; labels and decoders are those of
//! <https://encoding.spec.whatwg.org/>, in which Latin-1 means windows-1252.

use encoding_rs::{BIG5, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use std::borrow::Cow;
use std::ops::Range;

/// How the bytes of a value form characters, as far as `\` and `]` are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grouping {
    /// The bytes of `\` and `]` always denote these characters.
    Single,
    /// A byte of 81…9F or E0…FC forms a character with the next one.
    ShiftJis,
    /// A byte of 81…FE forms a character with the next one.
    Double,
}

impl Grouping {
    /// The length in bytes of the first character of this slice, which must not be empty.
    fn length(self, bytes: &[u8]) -> usize {
        let leads = match self {
            Grouping::Single => false,
            Grouping::ShiftJis => matches!(bytes[0], 0x81..=0x9f | 0xe0..=0xfc),
            Grouping::Double => matches!(bytes[0], 0x81..=0xfe),
        };
        // Below 40 are the digits of the four-byte characters of GB18030, which are unambiguous.
        if leads && matches!(bytes.get(1), Some(0x40..=0x7e | 0x80..)) { 2 } else { 1 }
    }

    /// The position of the `]` that closes the value that begins at `from`.
    pub(super) fn value_end(self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while at < bytes.len() {
            match bytes[at] {
                b']' => return Some(at),
                b'\\' => {
                    at += 1;
                    at += bytes.get(at..).filter(|rest| !rest.is_empty()).map_or(0, |rest| self.length(rest));
                }
                _ => at += self.length(&bytes[at..]),
            }
        }
        None
    }
}

/// The charset of one game tree.
#[derive(Clone, Debug)]
pub(super) enum Charset {
    /// Named by `CA`, or the default.
    Known(&'static Encoding),
    /// `CA` names an unknown charset: accepted as long as the text is ASCII or UTF-8.
    Unknown(Label),
}

/// The value of `CA` and its position.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) offset: usize,
    pub(super) name: String,
}

impl Charset {
    pub(super) fn grouping(&self) -> Grouping {
        match self {
            Charset::Known(encoding) if *encoding == SHIFT_JIS => Grouping::ShiftJis,
            Charset::Known(encoding) if [GBK, GB18030, BIG5].contains(encoding) => Grouping::Double,
            _ => Grouping::Single,
        }
    }

    /// The value as text, and whether invalid bytes were replaced.
    pub(super) fn decode<'b>(&self, raw: &'b [u8]) -> Result<(Cow<'b, str>, bool), Label> {
        match self {
            Charset::Known(encoding) => Ok(encoding.decode_without_bom_handling(raw)),
            Charset::Unknown(label) => {
                std::str::from_utf8(raw).map(|text| (Cow::Borrowed(text), false)).map_err(|_| label.clone())
            }
        }
    }
}

/// Finds the charset of each tree of a file.
pub(super) struct Detector<'b> {
    bytes: &'b [u8],
    starts_with_mark: bool,
    is_utf8: bool,
    /// The number of bytes that may still be examined ahead. With a wrong grouping, look-ahead can
    /// run far past the root; the budget keeps the total linear in the length of the file. A valid
    /// file does not exhaust it.
    budget: usize,
}

impl<'b> Detector<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Detector<'b> {
        Detector {
            bytes,
            starts_with_mark: bytes.starts_with(b"\xef\xbb\xbf"),
            is_utf8: std::str::from_utf8(bytes).is_ok(),
            budget: bytes.len().saturating_mul(4),
        }
    }

    /// The charset of the tree whose `(` is at this offset; the label if it does not extend ASCII.
    pub(super) fn tree(&mut self, start: usize) -> Result<Charset, Label> {
        if self.starts_with_mark && self.is_utf8 {
            return Ok(Charset::Known(UTF_8));
        }
        let Some(label) = self.label(start) else {
            return Ok(Charset::Known(if self.is_utf8 { UTF_8 } else { WINDOWS_1252 }));
        };
        let dashed = label.name.replace('_', "-");
        match Encoding::for_label(label.name.as_bytes()).or_else(|| Encoding::for_label(dashed.as_bytes())) {
            Some(encoding) if encoding.is_ascii_compatible() => Ok(Charset::Known(encoding)),
            Some(_) => Err(label),
            None => Ok(Charset::Unknown(label)),
        }
    }

    fn label(&mut self, start: usize) -> Option<Label> {
        let groupings = [Grouping::Single, Grouping::ShiftJis, Grouping::Double];
        let worth_trying = if self.is_utf8 { 1 } else { groupings.len() };
        let range = groupings[..worth_trying].iter().find_map(|&grouping| self.look_ahead(start, grouping))?;
        let name = String::from_utf8_lossy(&self.bytes[range.clone()]).trim().to_owned();
        (!name.is_empty()).then_some(Label { offset: range.start, name })
    }

    /// The position of the value of `CA` in the root of the tree at `start`. Skips what it cannot
    /// interpret.
    fn look_ahead(&mut self, start: usize, grouping: Grouping) -> Option<Range<usize>> {
        let window = &self.bytes[..self.bytes.len().min(start.saturating_add(self.budget))];
        let mut at = start + 1;
        let mut in_root = false;
        let mut is_charset = false;
        let found = loop {
            match window.get(at) {
                None | Some(b'(' | b')') => break None,
                Some(b';') if in_root => break None,
                Some(b'[') => {
                    let from = at + 1;
                    let Some(end) = grouping.value_end(window, from) else {
                        at = window.len();
                        break None;
                    };
                    at = end + 1;
                    if is_charset {
                        break Some(from..end);
                    }
                }
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let length = window[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                    let letters = window[at..at + length].iter().filter(|byte| !byte.is_ascii_lowercase());
                    is_charset = letters.eq(b"CA");
                    in_root = true;
                    at += length;
                }
                Some(byte) => {
                    in_root |= *byte == b';';
                    at += 1;
                }
            }
        };
        self.budget = self.budget.saturating_sub(at - start);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Charset, Detector, Grouping};
    use crate::Collection;
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1252};

    fn charset(bytes: &[u8]) -> &'static Encoding {
        match Detector::new(bytes).tree(0) {
            Ok(Charset::Known(encoding)) => encoding,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn labels_and_defaults() {
        assert_eq!(charset(b"(;GM[1]CA[gb2312])"), GBK);
        assert_eq!(charset(b"(;GM[1]C[CA[big5\\]] ChArset[ Shift_JIS ])"), SHIFT_JIS);
        assert_eq!(charset(b"(;CA[ISO8859_1])"), WINDOWS_1252);
        assert_eq!(charset(b"(;CA[UTF8])"), UTF_8);
        assert_eq!(charset(b"(;CA[])"), UTF_8);
        assert_eq!(charset(b"(;C[\xe9])"), WINDOWS_1252);
        assert_eq!(charset(b"(;GM[1];CA[big5])"), UTF_8, "only the root counts");
        assert!(Detector::new(b"(;CA[UTF-16])").tree(0).is_err());
        assert!(matches!(Detector::new(b"(;CA[x-klingon])").tree(0), Ok(Charset::Unknown(_))));
    }

    #[test]
    fn the_label_is_found_behind_text_in_its_own_charset() {
        // 83 5C and 83 5D: katakana so and zo, whose second bytes equal the backslash and the
        // bracket.
        assert_eq!(charset(b"(;PB[\x83\x5c]CA[Shift_JIS]PW[\x83\x5d])"), SHIFT_JIS);
        assert_eq!(charset(b"(;PB[\x83\x5d]CA[Shift_JIS])"), SHIFT_JIS);
    }

    #[test]
    fn every_character_of_every_charset_leaves_the_brackets_alone() {
        for encoding in [SHIFT_JIS, GBK, GB18030, BIG5, EUC_KR, EUC_JP, KOI8_R, UTF_8] {
            // All characters of the basic plane that survive a round trip in the charset, a few per
            // value.
            let known = |character: &char| {
                let one = character.to_string();
                let (bytes, _, failed) = encoding.encode(&one);
                !failed && encoding.decode_without_bom_handling(&bytes).0 == one
            };
            let characters: Vec<char> = ('\u{80}'..='\u{ffff}').filter(known).collect();
            let texts: Vec<String> = characters.chunks(3).map(|chunk| chunk.iter().collect()).collect();
            let mut file = format!("(;CA[{}]C", encoding.name()).into_bytes();
            for text in &texts {
                file.push(b'[');
                file.extend_from_slice(&encoding.encode(text).0);
                file.push(b']');
            }
            file.push(b')');
            let collection = Collection::parse(&file).unwrap();
            let read: Vec<String> =
                collection.node(collection.roots()[0]).values("C").map(|value| value.raw().to_owned()).collect();
            assert!(read == texts && texts.len() > 20, "{}", encoding.name());
        }
    }

    #[test]
    fn a_value_ends_where_it_should() {
        assert_eq!(Grouping::Single.value_end(b"a\\]b]c", 0), Some(4));
        assert_eq!(Grouping::Single.value_end(b"a\\", 0), None);
        assert_eq!(Grouping::Double.value_end(b"\x81]]", 0), Some(2));
        assert_eq!(Grouping::Double.value_end(b"\\\x81]]", 0), Some(3));
        assert_eq!(Grouping::Double.value_end(b"\xb0\xd7]", 0), Some(2));
        assert_eq!(Grouping::Single.value_end(b"\x81]]", 0), Some(1));
        assert_eq!(Grouping::ShiftJis.value_end(b"\xb1]]", 0), Some(1), "a half-width kana stands alone");
    }
}
