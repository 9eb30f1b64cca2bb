//! Trees as text, both ways, without recursion.

use super::{Builder, MOST_NODES, Node, Tree, TreeError};
use std::collections::HashSet;
use tesuji_core::{Player, Score};

/// Reads a tree.
pub(super) fn read(text: &str) -> Result<Tree, TreeError> {
    Reader { text, at: 0, builder: Builder::default() }.read()
}

impl Tree {
    /// The whole tree as text, which [`from_text`](Tree::from_text) reads back.
    #[must_use]
    pub fn to_text(&self) -> String {
        enum Step {
            Enter(u32),
            Name(u32),
            Write(&'static str),
        }
        let mut text = String::new();
        let mut steps = vec![Step::Enter(self.nodes.root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Write(piece) => text.push_str(piece),
                Step::Name(slot) => {
                    if let Some(name) = &self.nodes.names[slot as usize] {
                        text.push_str(name);
                        text.push(':');
                    }
                }
                Step::Enter(node) => match self.nodes.kinds[node as usize] {
                    Node::Leaf(score) => text.push_str(&score.to_string()),
                    Node::Inner(player, start, end) => {
                        text.push_str(if player == Player::First { "F(" } else { "S(" });
                        steps.push(Step::Write(")"));
                        for slot in (start..end).rev() {
                            steps.push(Step::Enter(self.nodes.children[slot as usize]));
                            steps.push(Step::Name(slot));
                            if slot > start {
                                steps.push(Step::Write(" "));
                            }
                        }
                    }
                },
            }
        }
        text
    }
}

/// A position whose closing bracket has not come yet.
struct Open {
    player: Player,
    name: Option<Box<str>>,
    children: Vec<(Option<Box<str>>, u32)>,
    names: HashSet<Box<str>>,
}

/// Reads the text with a stack of its own.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    builder: Builder,
}

impl Reader<'_> {
    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, TreeError> {
        Err(TreeError { at: self.at, problem: problem.into() })
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
    }

    fn word(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')))
            .unwrap_or(rest.len());
        let word = rest[..end].to_string();
        self.at += end;
        word
    }

    fn read(mut self) -> Result<Tree, TreeError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.skip_blanks();
            if self.builder.kinds.len() + open.len() > MOST_NODES {
                return self.fail(format!("more than {MOST_NODES} nodes"));
            }
            // A node is read, or an open one closed.
            let (name, done) = if self.rest().starts_with(')') {
                let Some(Open { player, name, children, .. }) = open.pop() else {
                    return self.fail("a ')' that closes nothing");
                };
                if children.is_empty() {
                    return self.fail("a position without moves; expected a child or a score");
                }
                self.at += 1;
                (name, self.builder.inner(player, children))
            } else {
                let start = self.at;
                let mut name = None;
                let mut word = self.word();
                if self.rest().starts_with(':') && !word.is_empty() {
                    if word.contains(['.', '+']) || word.bytes().all(|b| b.is_ascii_digit()) {
                        self.at = start;
                        return self.fail("a name is made of letters, digits, '_' and '-', and is not a number");
                    }
                    if open.is_empty() {
                        self.at = start;
                        return self.fail("the root has no name");
                    }
                    name = Some(word.into_boxed_str());
                    self.at += 1;
                    self.skip_blanks();
                    word = self.word();
                }
                let player = match word.as_str() {
                    "F" | "f" => Some(Player::First),
                    "S" | "s" => Some(Player::Second),
                    _ => None,
                };
                if let Some(player) = player {
                    if !self.rest().starts_with('(') {
                        return self.fail("expected '(' after F or S");
                    }
                    self.at += 1;
                    open.push(Open { player, name, children: Vec::new(), names: HashSet::new() });
                    continue;
                }
                let Some(score) = word.parse::<f64>().ok().and_then(Score::from_f64) else {
                    self.at = start;
                    return self.fail(match (self.rest().is_empty(), open.len()) {
                        (true, 0) => "expected a tree, found nothing".to_string(),
                        (true, count) => format!("the text ends with {count} open '('"),
                        _ => "expected F(…), S(…) or a score in [0, 1]".to_string(),
                    });
                };
                (name, self.builder.leaf(score))
            };
            let Some(parent) = open.last_mut() else {
                self.skip_blanks();
                if !self.rest().is_empty() {
                    return self.fail("expected nothing after the tree");
                }
                return Ok(self.builder.finish(done));
            };
            if let Some(name) = &name
                && !parent.names.insert(name.clone())
            {
                return self.fail(format!("two moves are called {name}"));
            }
            parent.children.push((name, done));
        }
    }
}
