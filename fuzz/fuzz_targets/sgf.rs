//! Any bytes, read as SGF, are refused with one line or survive writing and reading again, and
//! every value of them can be asked for every type.
//!
//! `cargo fuzz run -s none sgf fuzz/corpus/sgf crates/sgf/tests/corpus` in the root of the
//! repository. A file it finds goes, made small, into `crates/sgf/tests/corpus`, where the ordinary
//! tests replay it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_sgf::{BoardSize, Collection, Node, PointStyle};

fuzz_target!(|bytes: &[u8]| {
    match Collection::parse(bytes) {
        Err(error) => assert!(error.offset <= bytes.len() && !error.to_string().contains('\n'), "{error}"),
        Ok(collection) => {
            let text = collection.write();
            let again = match Collection::parse(text.as_bytes()) {
                Ok(again) => again,
                Err(error) => panic!("what we wrote cannot be read: {error}"),
            };
            assert!(again == collection, "written and read again, it is another collection");
            assert!(again.write() == text, "the second writing differs from the first");
            for &root in collection.roots() {
                collection.descendants(root).for_each(ask_everything);
            }
        }
    }
});

/// Asks a node for everything it could hold; the answers do not matter, only that there are some.
fn ask_everything(node: Node<'_>) {
    let _ = (node.game_type(), node.format(), node.komi(), node.result(), node.handicap(), node.to_play());
    let size = node.size().ok().flatten().unwrap_or(BoardSize::square(19));
    for property in node.properties() {
        for style in [PointStyle::Go, PointStyle::Hex] {
            let _ = node.points(property.name(), style, size);
        }
        for value in property.values() {
            let _ = (value.go_move(size), value.hex_move(size), value.number(), value.real());
            let _ = (value.text(), value.simple_text(), value.parts());
        }
    }
}
