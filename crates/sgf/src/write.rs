//! Writing SGF: equal collections yield equal text.
//!
//! Idea: one traversal along the links of the tree, without a stack. A single child follows its
//! parent directly; of several, each begins a variation in parentheses on a new line. Lines break
//! between nodes after 72 bytes. Values are stored with their escapes and are copied. Every root
//! holds `CA[UTF-8]`, after its leading `FF` and `GM`.

use super::tree::{Collection, Node};

/// A line longer than this ends before the next node.
const LINE_BYTES: usize = 72;

impl Collection {
    /// The collection as an SGF file in UTF-8. [`Collection::parse`] reads it back as an equal
    /// collection, if it has at least one tree and stays within the limits.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::new();
        for &root in self.roots() {
            write_tree(self.node(root), &mut out);
        }
        out
    }
}

impl std::fmt::Display for Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.write())
    }
}

fn write_tree(root: Node<'_>, out: &mut String) {
    out.push('(');
    let mut node = root;
    loop {
        write_node(node, out);
        if let Some(child) = node.first_child() {
            if child.next_sibling().is_some() {
                out.push_str("\n(");
            }
            node = child;
            continue;
        }
        // Climb to the nearest variation not yet written, and close the finished ones.
        node = loop {
            let Some(parent) = node.parent() else {
                out.push_str(")\n");
                return;
            };
            if let Some(sibling) = node.next_sibling() {
                out.push_str(")\n(");
                break sibling;
            }
            let is_variation = parent.first_child().is_some_and(|eldest| eldest.id() != node.id());
            if is_variation {
                out.push(')');
            }
            node = parent;
        };
    }
}

fn write_node(node: Node<'_>, out: &mut String) {
    let line_start = out.rfind('\n').map_or(0, |at| at + 1);
    if out.len() - line_start > LINE_BYTES {
        out.push('\n');
    }
    out.push(';');
    let mut charset_due = node.parent().is_none();
    for property in node.properties() {
        if charset_due && !matches!(property.name(), "FF" | "GM") {
            out.push_str("CA[UTF-8]");
            charset_due = false;
        }
        out.push_str(property.name());
        for value in property.values() {
            out.push('[');
            out.push_str(value.raw());
            out.push(']');
        }
    }
    if charset_due {
        out.push_str("CA[UTF-8]");
    }
}

#[cfg(test)]
mod tests {
    use crate::Collection;

    #[track_caller]
    fn written(file: &str) -> String {
        let collection = Collection::parse(file.as_bytes()).unwrap();
        let text = collection.write();
        let again = Collection::parse(text.as_bytes()).unwrap();
        assert_eq!(again, collection);
        assert_eq!(again.write(), text);
        text
    }

    #[test]
    fn the_shape_of_the_output() {
        assert_eq!(
            written("(;FF[4]GM[1]SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee])(;W[ff];B[gg])) (;)"),
            "(;FF[4]GM[1]CA[UTF-8]SZ[9];B[aa]\n(;W[bb]\n(;B[cc])\n(;B[dd]))\n(;W[ee])\n(;W[ff];B[gg]))\n(;CA[UTF-8])\n"
        );
        assert_eq!(written("(;C[](;B[](;W[])))"), "(;CA[UTF-8]C[];B[];W[])\n");
    }

    #[test]
    fn unknown_properties_and_odd_values_stay() {
        let text = written("(;ZZ9[x\\:y:z][\\]\\\\]AB[aa:cc]AB[dd]CA[latin1];CA[kept here])");
        assert_eq!(text, "(;CA[UTF-8]ZZ9[x\\:y:z][\\]\\\\]AB[aa:cc]AB[dd];CA[kept here])\n");
    }

    #[test]
    fn long_lines_break_between_nodes() {
        let text = written(&format!("(;{})", ";B[aa];W[bb]".repeat(100)));
        assert!(text.lines().count() > 10 && text.lines().all(|line| line.len() < 90), "{text}");
    }
}
