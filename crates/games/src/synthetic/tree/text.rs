//! Reading and writing trees as text, without recursion.

use super::{Builder, MOST_NODES, Node, Tree, TreeError};
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
                    if let Some(name) = self.nodes.names.get(slot as usize) {
                        text.push_str(name);
                        text.push(':');
                    }
                }
                Step::Enter(node) => match self.nodes.kinds[node as usize].into() {
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

/// An offset in the text, whose length is limited to 32 bits.
type At = u32;

/// A name, as a range of the text; empty if there is none.
#[derive(Clone, Copy)]
struct Name {
    at: At,
    length: u32,
}

/// A position whose closing bracket has not been read.
struct Open {
    player: Player,
    name: Name,
    /// The number of nodes that waited for their parents when it was opened: later ones are its
    /// children.
    waiting: u32,
}

/// A node whose parent is still open.
struct Waiting {
    name: Name,
    node: u32,
    /// The end of its text.
    end: At,
}

/// Reads the text with an explicit stack.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    builder: Builder,
}

impl<'a> Reader<'a> {
    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, TreeError> {
        Err(TreeError { at: self.at, problem: problem.into() })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')))
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn name(&self, name: Name) -> &'a str {
        &self.text[name.at as usize..][..name.length as usize]
    }

    /// The first child with the name of an earlier child.
    fn twice<'w>(&self, children: &'w [Waiting]) -> Option<&'w Waiting> {
        let mut named: Vec<u32> =
            (0..children.len() as u32).filter(|child| children[*child as usize].name.length > 0).collect();
        named.sort_unstable_by_key(|child| (self.name(children[*child as usize].name), *child));
        let same = |pair: &&[u32]| {
            let [one, other] = [pair[0], pair[1]].map(|child| self.name(children[child as usize].name));
            one == other
        };
        let later = named.windows(2).filter(same).map(|pair| pair[1]).min()?;
        Some(&children[later as usize])
    }

    fn read(mut self) -> Result<Tree, TreeError> {
        if At::try_from(self.text.len()).is_err() {
            return self.fail("the text is longer than 4 GiB");
        }
        let mut open: Vec<Open> = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            self.skip_blanks();
            if self.builder.kinds.len() + open.len() > MOST_NODES {
                return self.fail(format!("more than {MOST_NODES} nodes"));
            }
            // Either read a node, or close an open one.
            let (name, done) = if self.rest().starts_with(')') {
                let Some(Open { player, name, waiting: first }) = open.pop() else {
                    return self.fail("a ')' that closes nothing");
                };
                let children = &waiting[first as usize..];
                if children.is_empty() {
                    return self.fail("a position without moves; expected a child or a score");
                }
                if let Some(child) = self.twice(children) {
                    let problem = format!("two moves are called {}", self.name(child.name));
                    return Err(TreeError { at: child.end as usize, problem });
                }
                self.at += 1;
                let text = self.text;
                let named = children
                    .iter()
                    .map(|Waiting { name, node, .. }| (&text[name.at as usize..][..name.length as usize], *node));
                let node = self.builder.inner(player, named);
                waiting.truncate(first as usize);
                (name, node)
            } else {
                let start = self.at;
                let mut name = Name { at: start as At, length: 0 };
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
                    name.length = word.len() as u32;
                    self.at += 1;
                    self.skip_blanks();
                    word = self.word();
                }
                let player = match word {
                    "F" | "f" => Some(Player::First),
                    "S" | "s" => Some(Player::Second),
                    _ => None,
                };
                if let Some(player) = player {
                    if !self.rest().starts_with('(') {
                        return self.fail("expected '(' after F or S");
                    }
                    self.at += 1;
                    open.push(Open { player, name, waiting: waiting.len() as u32 });
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
            if open.is_empty() {
                self.skip_blanks();
                if !self.rest().is_empty() {
                    return self.fail("expected nothing after the tree");
                }
                return Ok(self.builder.finish(done));
            }
            waiting.push(Waiting { name, node: done, end: self.at as At });
        }
    }
}
