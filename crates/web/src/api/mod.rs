//! The interface: its types, and its description for programs.
//!
//! The types are the source: the OpenAPI document (`docs/web-api.json`, `GET /api/v1/openapi.json`)
//! and the TypeScript types of the front end (`web/src/api.ts`) are made from them, and
//! `tests/description.rs` fails if either is stale.

mod describe;
mod endpoints;
mod microscope;
mod proof_types;
mod types;

pub use describe::{Definition, Described};
pub use endpoints::{ENDPOINTS, Endpoint};
pub use microscope::*;
pub use proof_types::*;
pub use types::*;

use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The version of the interface.
pub const VERSION: u32 = 1;

/// All types of the interface.
#[must_use]
pub fn definitions() -> Vec<Definition> {
    [types::definitions(), microscope::definitions(), proof_types::definitions()].into_iter().flatten().collect()
}

/// The interface as an OpenAPI document.
#[must_use]
pub fn openapi() -> Value {
    let schemas: Map<String, Value> =
        definitions().iter().map(|definition| (definition.name.to_string(), definition.schema())).collect();
    let mut paths = Map::new();
    for endpoint in ENDPOINTS {
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[endpoint.method.to_ascii_lowercase()] = endpoint.operation();
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "tesuji", "version": format!("{VERSION}"), "license": { "name": "MIT OR Apache-2.0" },
                  "description": "Games, sessions and searches. Messages of the WebSocket /api/v1/live are the \
                                  schemas ClientMessage and ServerMessage." },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// The types of the interface in TypeScript.
#[must_use]
pub fn typescript() -> String {
    let mut text = String::from(
        "// The types of the interface. Generated from crates/web/src/api/types.rs by\n\
         // TESUJI_BLESS=1 cargo test -p tesuji-web; do not edit.\n",
    );
    for definition in definitions() {
        let _ = write!(text, "\n{}", definition.typescript());
    }
    text
}
