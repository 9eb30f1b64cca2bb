//! The arena: nodes, properties and values of a collection of game trees in flat vectors.
//!
//! Idea: a node holds the 32-bit indices of its parent, its first and last child and its next
//! sibling, so a traversal in file order needs no stack: go to the first child, else climb to the
//! first ancestor with a next sibling. The properties of a node form a linked list in file order
//! (an edit may add one to any node); the values of a property are contiguous. All text lies in one
//! string. Replaced text stays allocated until the collection is written and read again.
//!
//! Values are stored *raw*: decoded to UTF-8 with line breaks as `\n`, but with their escapes. So
//! an unknown property survives a round trip unchanged, and `a\:b:c` still shows which colon splits
//! it.

use super::value::{Value, push_raw};

/// The most letters and digits of a property name in a file (lower case included). Bounds the
/// look-ahead.
pub(super) const NAME_LIMIT: usize = 256;

/// No node, no property: the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// The number of a node in its [`Collection`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

/// Why a collection cannot be changed as requested.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// Not a property name.
    #[error("\"{name}\" cannot be a property name: expected upper-case letters and digits, a letter first")]
    BadName {
        /// What was given, shortened.
        name: String,
    },
    /// A property without values.
    #[error("property {name} needs at least one value, if only an empty one")]
    NoValues {
        /// The property.
        name: String,
    },
    /// `CA` describes the bytes of a file; the writer adds it to every root.
    #[error("the charset CA of a root cannot be set: trees are always written as CA[UTF-8]")]
    Charset,
    /// More than 32-bit indices can address.
    #[error("the collection is full: it holds at most 4 GiB of text and 4 billion nodes")]
    Full,
}

/// The range of a text in the common string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u32,
    length: u32,
}

#[derive(Clone, Debug)]
struct NodeRecord {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    first_property: u32,
    last_property: u32,
}

#[derive(Clone, Debug)]
struct PropertyRecord {
    name: Span,
    first_value: u32,
    value_count: u32,
    next: u32,
}

#[derive(Clone, Debug)]
struct ValueRecord {
    raw: Span,
    /// Byte offset in the file it was read from, or [`NONE`].
    source: u32,
}

/// A sequence of game trees: the content of an SGF file.
///
/// Two collections are equal if they have the same trees with the same properties and raw values,
/// in the same order; the layout of the arenas does not matter.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    nodes: Vec<NodeRecord>,
    properties: Vec<PropertyRecord>,
    values: Vec<ValueRecord>,
    text: String,
    roots: Vec<NodeId>,
    pub(super) damaged_values: usize,
}

/// An index for the next element of a vector of this length.
fn next_index(length: usize) -> Result<u32, EditError> {
    u32::try_from(length).ok().filter(|&index| index != NONE).ok_or(EditError::Full)
}

/// Whether this is a property name as stored: upper-case letters and digits, a letter first.
fn is_name(name: &str) -> bool {
    name.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
        && name.len() <= NAME_LIMIT
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

impl Collection {
    /// A collection without trees. (An SGF file has at least one: add it before writing.)
    #[must_use]
    pub fn new() -> Collection {
        Collection::default()
    }

    /// The roots of the game trees, in file order.
    #[must_use]
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// The number of nodes in all trees.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of values that held invalid bytes in the charset of the file; these bytes are
    /// U+FFFD now.
    #[must_use]
    pub fn damaged_values(&self) -> usize {
        self.damaged_values
    }

    /// Read access to a node.
    ///
    /// # Panics
    /// If the id belongs to another, larger collection.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!((id.0 as usize) < self.nodes.len(), "a node of another collection: {id:?}");
        Node { collection: self, id }
    }

    /// The node itself, its first child, the first child of that, and so on: the game as played.
    #[must_use]
    pub fn main_line(&self, from: NodeId) -> MainLine<'_> {
        MainLine { next: Some(self.node(from)) }
    }

    /// The node itself and all nodes below it, in file order.
    #[must_use]
    pub fn descendants(&self, from: NodeId) -> Descendants<'_> {
        Descendants { top: from, next: Some(self.node(from)) }
    }

    /// Adds a game tree of one node without properties, and returns its root.
    ///
    /// # Errors
    /// If the arena is full.
    pub fn add_tree(&mut self) -> Result<NodeId, EditError> {
        let id = self.push_node(NONE)?;
        self.roots.push(id);
        Ok(id)
    }

    /// Adds a node as the last child of another. The first child continues the line; each later one
    /// begins a variation.
    ///
    /// # Errors
    /// If the arena is full.
    ///
    /// # Panics
    /// If the id belongs to another, larger collection.
    pub fn add_child(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        let id = self.push_node(parent.0)?;
        let record = &mut self.nodes[parent.0 as usize];
        let elder = std::mem::replace(&mut record.last_child, id.0);
        if elder == NONE {
            record.first_child = id.0;
        } else {
            self.nodes[elder as usize].next_sibling = id.0;
        }
        Ok(id)
    }

    /// Sets the raw values of a property (see [`escape`](super::escape) and
    /// [`compose`](super::compose) for text), replacing those it had. Line breaks become `\n`; an
    /// unescaped `]` and a backslash at the end are escaped.
    ///
    /// # Errors
    /// If the name is invalid, there is no value, the property is the `CA` of a root, or the arena
    /// is full.
    pub fn set_raw(&mut self, node: NodeId, name: &str, values: &[&str]) -> Result<(), EditError> {
        if !is_name(name) {
            return Err(EditError::BadName { name: super::value::shorten(name) });
        }
        if values.is_empty() {
            return Err(EditError::NoValues { name: name.to_owned() });
        }
        if name == "CA" && self.nodes[node.0 as usize].parent == NONE {
            return Err(EditError::Charset);
        }
        let new_name = self.push_text(name)?;
        let added = self.push_property(new_name)?;
        for raw in values {
            self.push_value(added, raw, NONE)?;
        }
        // The new property replaces the first of this name; further ones of the same name are
        // removed.
        let mut placed = false;
        let mut before = NONE;
        let mut at = self.nodes[node.0 as usize].first_property;
        while at != NONE {
            let next = self.properties[at as usize].next;
            if self.text_of(self.properties[at as usize].name) != name {
                before = at;
            } else if placed {
                self.link(node, before, next);
            } else {
                self.properties[added as usize].next = next;
                self.link(node, before, added);
                before = added;
                placed = true;
            }
            at = next;
        }
        if !placed {
            self.link(node, before, added);
            before = added;
        }
        self.nodes[node.0 as usize].last_property = before;
        Ok(())
    }

    /// Sets a property to one value of type text, escaped as needed.
    ///
    /// # Errors
    /// As [`Collection::set_raw`].
    pub fn set_text(&mut self, node: NodeId, name: &str, text: &str) -> Result<(), EditError> {
        self.set_raw(node, name, &[&super::value::escape(text)])
    }

    /// Removes a property. Returns whether the node had it.
    pub fn remove(&mut self, node: NodeId, name: &str) -> bool {
        let mut found = false;
        let mut before = NONE;
        let mut at = self.nodes[node.0 as usize].first_property;
        while at != NONE {
            let next = self.properties[at as usize].next;
            if self.text_of(self.properties[at as usize].name) == name {
                self.link(node, before, next);
                found = true;
            } else {
                before = at;
            }
            at = next;
        }
        self.nodes[node.0 as usize].last_property = before;
        found
    }

    /// Makes `next` the property after `before`, or the first one of the node.
    fn link(&mut self, node: NodeId, before: u32, next: u32) {
        if before == NONE {
            self.nodes[node.0 as usize].first_property = next;
        } else {
            self.properties[before as usize].next = next;
        }
    }

    fn push_node(&mut self, parent: u32) -> Result<NodeId, EditError> {
        let id = next_index(self.nodes.len())?;
        self.nodes.push(NodeRecord {
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            first_property: NONE,
            last_property: NONE,
        });
        Ok(NodeId(id))
    }

    fn push_text(&mut self, text: &str) -> Result<Span, EditError> {
        let start = self.text.len();
        self.text.push_str(text);
        self.span_from(start)
    }

    fn span_from(&self, start: usize) -> Result<Span, EditError> {
        next_index(self.text.len())?;
        Ok(Span { start: next_index(start)?, length: next_index(self.text.len() - start)? })
    }

    /// A property without values, not yet linked to a node.
    fn push_property(&mut self, name: Span) -> Result<u32, EditError> {
        let id = next_index(self.properties.len())?;
        let first_value = next_index(self.values.len())?;
        self.properties.push(PropertyRecord { name, first_value, value_count: 0, next: NONE });
        Ok(id)
    }

    /// Adds a property without values at the end of a node's list; [`Collection::push_value`] must
    /// follow. The name must be valid.
    pub(super) fn append_property(&mut self, node: NodeId, name: &str) -> Result<u32, EditError> {
        debug_assert!(is_name(name), "the reader must not store the name {name:?}");
        let name = self.push_text(name)?;
        let id = self.push_property(name)?;
        let record = &mut self.nodes[node.0 as usize];
        let before = std::mem::replace(&mut record.last_property, id);
        self.link(node, before, id);
        Ok(id)
    }

    /// Adds a value to the newest property; returns the length of its raw text.
    pub(super) fn push_value(&mut self, property: u32, raw: &str, source: u32) -> Result<usize, EditError> {
        next_index(self.values.len())?;
        let start = self.text.len();
        push_raw(raw, &mut self.text);
        let raw = self.span_from(start)?;
        self.values.push(ValueRecord { raw, source });
        self.properties[property as usize].value_count += 1;
        Ok(self.text.len() - start)
    }

    fn text_of(&self, span: Span) -> &str {
        &self.text[span.start as usize..][..span.length as usize]
    }

    fn optional(&self, index: u32) -> Option<Node<'_>> {
        (index != NONE).then_some(Node { collection: self, id: NodeId(index) })
    }
}

impl PartialEq for Collection {
    fn eq(&self, other: &Collection) -> bool {
        if self.roots.len() != other.roots.len() {
            return false;
        }
        // Traversals that agree on "has a child" and "has a sibling" at every node cover equal
        // shapes.
        self.roots.iter().zip(&other.roots).all(|(&mine, &theirs)| {
            let mut others = other.descendants(theirs);
            let same = self.descendants(mine).all(|node| {
                others.next().is_some_and(|counterpart| {
                    node.first_child().is_some() == counterpart.first_child().is_some()
                        && node.next_sibling().is_some() == counterpart.next_sibling().is_some()
                        && node.properties().eq(counterpart.properties())
                })
            });
            same && others.next().is_none()
        })
    }
}

impl Eq for Collection {}

/// Read access to a node of a game tree: a move, a set-up, or the root with the game information.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    collection: &'a Collection,
    id: NodeId,
}

impl<'a> Node<'a> {
    fn record(self) -> &'a NodeRecord {
        &self.collection.nodes[self.id.0 as usize]
    }

    /// Its identifier, for changes through [`Collection`].
    #[must_use]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The node before it; none at a root.
    #[must_use]
    pub fn parent(self) -> Option<Node<'a>> {
        self.collection.optional(self.record().parent)
    }

    /// The node after it on the line; further children are variations.
    #[must_use]
    pub fn first_child(self) -> Option<Node<'a>> {
        self.collection.optional(self.record().first_child)
    }

    /// The next variation beside it.
    #[must_use]
    pub fn next_sibling(self) -> Option<Node<'a>> {
        self.collection.optional(self.record().next_sibling)
    }

    /// The nodes that follow it, the main one first.
    #[must_use]
    pub fn children(self) -> Children<'a> {
        Children { next: self.first_child() }
    }

    /// All its properties, in file order.
    #[must_use]
    pub fn properties(self) -> Properties<'a> {
        Properties { collection: self.collection, next: self.record().first_property }
    }

    /// All values of a property, also if the file states it in several parts. Empty if the node
    /// does not have it.
    pub fn values<'n>(self, name: &'n str) -> impl Iterator<Item = Value<'a>> + use<'a, 'n> {
        self.properties().filter(move |property| property.name() == name).flat_map(Property::values)
    }

    /// The first value of a property.
    #[must_use]
    pub fn value(self, name: &str) -> Option<Value<'a>> {
        self.values(name).next()
    }

    /// Whether the node has the property.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        self.properties().any(|property| property.name() == name)
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Node({})", self.id.0)
    }
}

/// A property of a node: a name and one or more values.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    collection: &'a Collection,
    index: u32,
}

impl<'a> Property<'a> {
    fn record(self) -> &'a PropertyRecord {
        &self.collection.properties[self.index as usize]
    }

    /// Its name, in upper case.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.collection.text_of(self.record().name)
    }

    /// Its values; at least one.
    #[must_use]
    pub fn values(self) -> Values<'a> {
        let record = self.record();
        let range = record.first_value as usize..(record.first_value + record.value_count) as usize;
        Values { property: self, records: self.collection.values[range].iter() }
    }
}

impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.values().map(Value::raw).eq(other.values().map(Value::raw))
    }
}

impl std::fmt::Debug for Property<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        f.debug_list().entries(self.values().map(Value::raw)).finish()
    }
}

/// Iterates over the children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    next: Option<Node<'a>>,
}

impl<'a> Iterator for Children<'a> {
    type Item = Node<'a>;
    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.next?;
        self.next = node.next_sibling();
        Some(node)
    }
}

/// Iterates along the main line, see [`Collection::main_line`].
#[derive(Clone, Debug)]
pub struct MainLine<'a> {
    next: Option<Node<'a>>,
}

impl<'a> Iterator for MainLine<'a> {
    type Item = Node<'a>;
    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.next?;
        self.next = node.first_child();
        Some(node)
    }
}

/// Iterates over a subtree in file order, see [`Collection::descendants`].
#[derive(Clone, Debug)]
pub struct Descendants<'a> {
    top: NodeId,
    next: Option<Node<'a>>,
}

impl<'a> Iterator for Descendants<'a> {
    type Item = Node<'a>;
    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.next?;
        self.next = node.first_child().or_else(|| {
            let mut at = node;
            loop {
                if at.id == self.top {
                    return None;
                }
                if let Some(sibling) = at.next_sibling() {
                    return Some(sibling);
                }
                at = at.parent()?;
            }
        });
        Some(node)
    }
}

/// Iterates over the properties of a node.
#[derive(Clone, Debug)]
pub struct Properties<'a> {
    collection: &'a Collection,
    next: u32,
}

impl<'a> Iterator for Properties<'a> {
    type Item = Property<'a>;
    fn next(&mut self) -> Option<Property<'a>> {
        if self.next == NONE {
            return None;
        }
        let property = Property { collection: self.collection, index: self.next };
        self.next = property.record().next;
        Some(property)
    }
}

/// Iterates over the values of one property.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    property: Property<'a>,
    records: std::slice::Iter<'a, ValueRecord>,
}

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;
    fn next(&mut self) -> Option<Value<'a>> {
        let record = self.records.next()?;
        let raw = self.property.collection.text_of(record.raw);
        let offset = (record.source != NONE).then_some(record.source as usize);
        Some(Value::new(self.property.name(), raw, offset))
    }
}
