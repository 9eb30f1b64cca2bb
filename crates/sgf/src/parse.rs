//! Reading SGF: one pass over the bytes, with an explicit stack of open variations.
//!
//! Idea: `(` pushes the node it branches from, `)` pops it, `;` adds a child to the current node, a
//! name and its brackets add a property to it. The stack is a vector and every size is limited, so
//! memory and time are bounded (linear in the length of the file).
//!
//! Reference: <https://www.red-bean.com/sgf/sgf4.html#ebnf-def>. Deviations: see the
//! [crate](super).

use super::charset::{Charset, Detector, Label};
use super::tree::{Collection, EditError, NAME_LIMIT, NONE, NodeId};
use super::value::shorten;

/// Limits on what a file may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Length of the file in bytes; 1 GiB is the largest effective value.
    pub file_bytes: usize,
    /// Nodes of all game trees together.
    pub nodes: usize,
    /// Variations open at the same time.
    pub depth: usize,
    /// Length of one value in bytes, in the file and as UTF-8.
    pub value_bytes: usize,
    /// Values of all properties together.
    pub values: usize,
}

impl Default for Limits {
    /// 16 MiB, a million nodes, 200,000 nested variations, 64 KiB a value, a million values.
    fn default() -> Limits {
        Limits { file_bytes: 16 << 20, nodes: 1_000_000, depth: 200_000, value_bytes: 64 << 10, values: 1_000_000 }
    }
}

/// Why a file cannot be read, and where. The message is one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub struct ParseError {
    /// The byte offset at which the problem was detected.
    pub offset: usize,
    /// What is wrong there.
    pub problem: ParseProblem,
}

/// What can be wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseProblem {
    /// Nothing in the file looks like the start of a game tree.
    #[error("found no game tree: expected \"(;\"")]
    NoGameTree,
    /// A byte that is not allowed here.
    #[error("found {found}: expected {expected}")]
    Unexpected {
        /// The byte, in readable form.
        found: String,
        /// What is allowed here.
        expected: &'static str,
    },
    /// The file ends within a tree.
    #[error("the file ends, but the \"(\" at byte {opened} is still open: expected \")\"")]
    UnclosedTree {
        /// Where the innermost open variation begins.
        opened: usize,
    },
    /// The file ends within a value. The offset of the error is where the value begins.
    #[error("the value of {property} that begins here is never closed: expected \"]\"")]
    UnclosedValue {
        /// The property.
        property: String,
    },
    /// A property name without its value.
    #[error("found {found} after the property name {property}: expected \"[\"")]
    NoValue {
        /// The property.
        property: String,
        /// The byte in place of the bracket, in readable form.
        found: String,
    },
    /// A property name in lower case only.
    #[error("found the property name \"{name}\": expected upper-case letters, as in \"AB\"")]
    BadName {
        /// The name, shortened.
        name: String,
    },
    /// `CA` names an unknown charset, and there is text that is neither ASCII nor UTF-8.
    #[error("the charset \"{label}\" is unknown: expected a name such as UTF-8, ISO-8859-1 or GB2312")]
    UnknownCharset {
        /// The name, shortened.
        label: String,
    },
    /// A charset in which the syntax of SGF cannot be written as ASCII.
    #[error("the charset {label} does not extend ASCII: expected UTF-8 or one that does")]
    UnsupportedCharset {
        /// The name, shortened.
        label: String,
    },
    /// One of the [`Limits`] is exceeded.
    #[error("{what}: expected at most {limit}")]
    TooMuch {
        /// What is too large.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl Collection {
    /// Reads an SGF file under the default [`Limits`].
    ///
    /// # Errors
    /// If there is no game tree in it, if the syntax is broken, or if it exceeds a limit.
    pub fn parse(bytes: &[u8]) -> Result<Collection, ParseError> {
        Collection::parse_within(bytes, &Limits::default())
    }

    /// Reads an SGF file under the given limits.
    ///
    /// # Errors
    /// As [`Collection::parse`].
    pub fn parse_within(bytes: &[u8], limits: &Limits) -> Result<Collection, ParseError> {
        let limits = Limits { file_bytes: limits.file_bytes.min(1 << 30), ..*limits };
        if bytes.len() > limits.file_bytes {
            return Err(too_much(limits.file_bytes, "the file is too long (bytes)", limits.file_bytes));
        }
        for (mark, label) in [(b"\xff\xfe", "UTF-16LE"), (b"\xfe\xff", "UTF-16BE")] {
            if bytes.starts_with(mark) {
                let problem = ParseProblem::UnsupportedCharset { label: label.to_owned() };
                return Err(ParseError { offset: 0, problem });
            }
        }
        let parser = Parser {
            bytes,
            limits,
            at: 0,
            collection: Collection::new(),
            open: Vec::new(),
            charset: Charset::Known(encoding_rs::UTF_8),
            value_count: 0,
        };
        parser.collection()
    }
}

fn too_much(offset: usize, what: &'static str, limit: usize) -> ParseError {
    ParseError { offset, problem: ParseProblem::TooMuch { what, limit } }
}

fn unknown_charset(label: Label) -> ParseError {
    ParseError { offset: label.offset, problem: ParseProblem::UnknownCharset { label: shorten(&label.name) } }
}

/// White space of SGF.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// A byte, or the end of the file, for an error message.
fn show(byte: Option<u8>) -> String {
    match byte {
        None => "the end of the file".to_owned(),
        Some(byte @ 0x21..=0x7e) => format!("\"{}\"", char::from(byte)),
        Some(byte) => format!("the byte 0x{byte:02X}"),
    }
}

/// A variation whose `)` has not been read.
struct Open {
    /// The node it branches from; [`NONE`] for a whole tree.
    parent: u32,
    /// The offset of its `(`.
    offset: usize,
}

/// The last element within a tree.
#[derive(Clone, Copy)]
enum Place {
    /// `(`: a node must follow.
    Opened,
    /// A node.
    Node,
    /// `)`: only variations of the same node and `)` may follow.
    Closed,
}

struct Parser<'b> {
    bytes: &'b [u8],
    limits: Limits,
    at: usize,
    collection: Collection,
    open: Vec<Open>,
    charset: Charset,
    value_count: usize,
}

impl Parser<'_> {
    fn collection(mut self) -> Result<Collection, ParseError> {
        let mut detector = Detector::new(self.bytes);
        while let Some(start) = self.next_tree()? {
            self.charset = detector.tree(start).map_err(|label| ParseError {
                offset: label.offset,
                problem: ParseProblem::UnsupportedCharset { label: shorten(&label.name) },
            })?;
            self.at = start;
            self.tree()?;
        }
        if self.collection.roots().is_empty() {
            return Err(ParseError { offset: self.bytes.len(), problem: ParseProblem::NoGameTree });
        }
        Ok(self.collection)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn error(&self, problem: ParseProblem) -> ParseError {
        ParseError { offset: self.at, problem }
    }

    fn unexpected(&self, expected: &'static str) -> ParseError {
        self.error(ParseProblem::Unexpected { found: show(self.peek()), expected })
    }

    fn full(&self, _: EditError) -> ParseError {
        // Unreachable below the hard limit of 1 GiB a file.
        too_much(self.at, "too much text or too many nodes", NONE as usize)
    }

    /// The offset of the next `(` that begins a game tree: one followed by `;` or a property. Skips
    /// any other text, except that a node or a superfluous parenthesis right after a tree is an
    /// error: the tree was not meant to end there.
    fn next_tree(&mut self) -> Result<Option<usize>, ParseError> {
        self.skip_space();
        if !self.collection.roots().is_empty() && matches!(self.peek(), Some(b')' | b';')) {
            return Err(self.unexpected("another game tree or the end of the file"));
        }
        while let Some(skipped) = self.bytes[self.at..].iter().position(|&byte| byte == b'(') {
            let start = self.at + skipped;
            self.at = start + 1;
            self.skip_space();
            let rest = &self.bytes[self.at..];
            let name = rest.iter().take(NAME_LIMIT).take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let follows = rest[name..].iter().find(|&&byte| !is_space(byte));
            let is_property = rest.first().is_some_and(u8::is_ascii_uppercase) && follows == Some(&b'[');
            if is_property || rest.first() == Some(&b';') {
                return Ok(Some(start));
            }
        }
        Ok(None)
    }

    /// Reads one game tree, from its `(` to the matching `)`.
    fn tree(&mut self) -> Result<(), ParseError> {
        let mut current = NONE;
        let mut place = Place::Node;
        loop {
            self.skip_space();
            match (self.peek(), place) {
                (Some(b'('), Place::Node | Place::Closed) => {
                    if self.open.len() >= self.limits.depth {
                        return Err(too_much(self.at, "too many nested variations", self.limits.depth));
                    }
                    self.open.push(Open { parent: current, offset: self.at });
                    self.at += 1;
                    place = Place::Opened;
                }
                (Some(b')'), Place::Node | Place::Closed) => {
                    self.at += 1;
                    current = self.open.pop().map_or(NONE, |open| open.parent);
                    if self.open.is_empty() {
                        return Ok(());
                    }
                    place = Place::Closed;
                }
                (Some(b';'), Place::Opened | Place::Node) => {
                    current = self.node(current)?.0;
                    self.at += 1;
                    place = Place::Node;
                }
                (Some(byte), Place::Opened | Place::Node) if byte.is_ascii_alphabetic() => {
                    if matches!(place, Place::Opened) {
                        current = self.node(current)?.0;
                    }
                    self.property(NodeId(current))?;
                    place = Place::Node;
                }
                (None, _) => {
                    let opened = self.open.last().map_or(0, |open| open.offset);
                    return Err(self.error(ParseProblem::UnclosedTree { opened }));
                }
                (_, Place::Opened) => return Err(self.unexpected("\";\" to begin a node")),
                (_, Place::Node) => return Err(self.unexpected("\";\", \"(\", \")\" or a property")),
                (_, Place::Closed) => return Err(self.unexpected("\"(\" or \")\" after a variation")),
            }
        }
    }

    fn node(&mut self, parent: u32) -> Result<NodeId, ParseError> {
        if self.collection.node_count() >= self.limits.nodes {
            return Err(too_much(self.at, "too many nodes", self.limits.nodes));
        }
        let added = if parent == NONE { self.collection.add_tree() } else { self.collection.add_child(NodeId(parent)) };
        added.map_err(|error| self.full(error))
    }

    /// Reads a name and its values, one or more.
    fn property(&mut self, node: NodeId) -> Result<(), ParseError> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take(NAME_LIMIT + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if length > NAME_LIMIT {
            return Err(too_much(self.at, "the property name is too long (letters)", NAME_LIMIT));
        }
        let written = &rest[..length];
        let name: String =
            written.iter().filter(|byte| !byte.is_ascii_lowercase()).map(|&byte| char::from(byte)).collect();
        if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
            let name = shorten(&String::from_utf8_lossy(written));
            return Err(self.error(ParseProblem::BadName { name }));
        }
        self.at += length;
        self.skip_space();
        if self.peek() != Some(b'[') {
            return Err(self.error(ParseProblem::NoValue { property: shorten(&name), found: show(self.peek()) }));
        }
        // The charset describes the file, not the game: the tree is UTF-8 from here on, and the
        // writer states so.
        let keep = name != "CA" || self.collection.node(node).parent().is_some();
        let property =
            if keep { self.collection.append_property(node, &name).map_err(|error| self.full(error))? } else { NONE };
        while self.peek() == Some(b'[') {
            self.value(&name, property)?;
            self.skip_space();
        }
        Ok(())
    }

    /// Reads one value with its brackets, and stores it unless the property is [`NONE`].
    fn value(&mut self, name: &str, property: u32) -> Result<(), ParseError> {
        if self.value_count >= self.limits.values {
            return Err(too_much(self.at, "too many property values", self.limits.values));
        }
        self.value_count += 1;
        self.at += 1;
        let start = self.at;
        let too_long = || too_much(start, "the property value is too long (bytes)", self.limits.value_bytes);
        // One byte more than allowed suffices to detect an overlong value, and a file of open
        // brackets is not scanned repeatedly.
        let window_end = self.bytes.len().min(start.saturating_add(self.limits.value_bytes).saturating_add(1));
        let Some(end) = self.charset.grouping().value_end(&self.bytes[..window_end], start) else {
            if window_end < self.bytes.len() {
                return Err(too_long());
            }
            return Err(self.error(ParseProblem::UnclosedValue { property: shorten(name) }));
        };
        if property != NONE {
            let (text, damaged) = self.charset.decode(&self.bytes[start..end]).map_err(unknown_charset)?;
            let source = u32::try_from(start).unwrap_or(NONE);
            let length = self.collection.push_value(property, &text, source).map_err(|error| self.full(error))?;
            if length > self.limits.value_bytes {
                return Err(too_long());
            }
            self.collection.damaged_values += usize::from(damaged);
        }
        self.at = end + 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;
    use crate::Collection;

    /// The message of the error of this file.
    fn complaint(file: &str) -> String {
        Collection::parse(file.as_bytes()).expect_err(file).to_string()
    }

    #[test]
    fn errors_say_where_what_and_what_instead() {
        for (file, expected) in [
            ("", "byte 0: found no game tree: expected \"(;\""),
            ("hello", "byte 5: found no game tree: expected \"(;\""),
            ("(;B[aa]", "byte 7: the file ends, but the \"(\" at byte 0 is still open: expected \")\""),
            ("(;B[aa](;W[bb]", "byte 14: the file ends, but the \"(\" at byte 7 is still open: expected \")\""),
            ("(;C[never ends)", "byte 4: the value of C that begins here is never closed: expected \"]\""),
            ("(;B)", "byte 3: found \")\" after the property name B: expected \"[\""),
            ("(;B", "byte 3: found the end of the file after the property name B: expected \"[\""),
            ("(;black[aa])", "byte 2: found the property name \"black\": expected upper-case letters, as in \"AB\""),
            ("(;B[aa]())", "byte 8: found \")\": expected \";\" to begin a node"),
            ("(;B[aa](;W[bb]);W[cc])", "byte 15: found \";\": expected \"(\" or \")\" after a variation"),
            ("(;B[aa]\0)", "byte 7: found the byte 0x00: expected \";\", \"(\", \")\" or a property"),
            ("(;B[aa]);W[bb])", "byte 8: found \";\": expected another game tree or the end of the file"),
            ("(;CA[utf-16]C[x])", "byte 5: the charset utf-16 does not extend ASCII: expected UTF-8 or one that does"),
        ] {
            assert_eq!(complaint(file), expected, "{file}");
        }
        let unknown = Collection::parse(b"(;CA[none]C[\xe9])").unwrap_err().to_string();
        assert!(unknown.starts_with("byte 5: the charset \"none\" is unknown"), "{unknown}");
    }

    #[test]
    fn every_limit_is_exact() {
        let file = b"(;A[1];B[22](;C[333]))";
        let exact = Limits { file_bytes: file.len(), nodes: 3, depth: 2, value_bytes: 3, values: 3 };
        assert!(Collection::parse_within(file, &exact).is_ok());
        for (limits, what) in [
            (Limits { file_bytes: file.len() - 1, ..exact }, "the file is too long"),
            (Limits { nodes: 2, ..exact }, "too many nodes"),
            (Limits { depth: 1, ..exact }, "too many nested variations"),
            (Limits { value_bytes: 2, ..exact }, "the property value is too long"),
            (Limits { values: 2, ..exact }, "too many property values"),
        ] {
            let error = Collection::parse_within(file, &limits).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        // Each é is one byte in the file and two as UTF-8.
        let latin = b"(;CA[latin1]C[\xe9\xe9\xe9])";
        assert!(Collection::parse_within(latin, &Limits { value_bytes: 6, ..Limits::default() }).is_ok());
        assert!(Collection::parse_within(latin, &Limits { value_bytes: 5, ..Limits::default() }).is_err());
    }

    #[test]
    fn missing_semicolons_and_old_names_are_understood() {
        let lenient = Collection::parse(b"bla ( bla ) (GaMe[1] SiZe [9](B[aa])(W[bb];B[cc])) bye").unwrap();
        let strict = Collection::parse(b"(;GM[1]SZ[9](;B[aa])(;W[bb];B[cc]))").unwrap();
        assert_eq!(lenient, strict);
    }

    #[test]
    fn wrong_bytes_are_replaced_and_counted() {
        let collection = Collection::parse(b"(;CA[UTF-8]C[a\xffb]N[fine])").unwrap();
        assert_eq!(collection.damaged_values(), 1);
        assert_eq!(collection.node(collection.roots()[0]).value("C").unwrap().raw(), "a\u{fffd}b");
    }
}
