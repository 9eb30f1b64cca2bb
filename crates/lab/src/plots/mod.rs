//! Charts and boards as SVG text.
