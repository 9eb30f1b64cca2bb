//! Types that describe themselves: one definition gives the Rust type, its JSON, its JSON Schema and
//! its TypeScript type, so that none of them can go stale.
//!
//! `api!` defines *answers* (what the server writes: a missing value is `null`), *requests* (what it
//! reads: a missing value may be left out, an unknown name is an error), *options* (requests that may
//! be empty), *words* (a fixed choice), and
//! *incoming* and *outgoing* messages (one of several, told apart by `type`). The comments become
//! the descriptions.

use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A type with a description.
pub trait Described {
    /// Its name or text in TypeScript.
    fn typescript() -> String;
    /// Its JSON Schema.
    fn schema() -> Value;
    /// Whether a field of it may be missing.
    const OPTIONAL: bool = false;
}

/// A named type of the interface.
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: String,
    /// What it consists of.
    pub form: Form,
}

/// What a named type consists of.
pub enum Form {
    /// An object.
    Object {
        /// Its fields.
        fields: Vec<Field>,
        /// Whether clients send it.
        is_request: bool,
    },
    /// One of these words.
    Words(Vec<&'static str>),
    /// One of these objects, each with its `type`.
    Messages(Vec<(&'static str, &'static str)>),
}

/// A field of an object.
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it is.
    pub about: String,
    typescript: String,
    schema: Value,
    optional: bool,
}

impl Field {
    pub(super) fn new<T: Described>(name: &'static str, about: &[&str]) -> Field {
        Field {
            // A keyword of Rust.
            name: name.trim_start_matches("r#"),
            about: sentence(about),
            typescript: T::typescript(),
            schema: T::schema(),
            optional: T::OPTIONAL,
        }
    }
}

/// A comment in one line.
pub(super) fn sentence(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

impl Definition {
    /// As TypeScript.
    #[must_use]
    pub fn typescript(&self) -> String {
        let mut text = format!("/** {} */\n", self.about);
        let name = self.name;
        match &self.form {
            Form::Object { fields, is_request } => {
                let _ = writeln!(text, "export interface {name} {{");
                for field in fields {
                    let Field { name, about, typescript, optional, .. } = field;
                    let mark = if *optional && *is_request { "?" } else { "" };
                    let null = if *optional { " | null" } else { "" };
                    let _ = writeln!(text, "  /** {about} */\n  {name}{mark}: {typescript}{null};");
                }
                text.push_str("}\n");
            }
            Form::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                let _ = writeln!(text, "export type {name} = {};", words.join(" | "));
            }
            Form::Messages(messages) => {
                let messages = messages.iter().map(|(tag, body)| format!("({{ type: \"{tag}\" }} & {body})"));
                let _ = writeln!(text, "export type {name} =\n  | {};", messages.collect::<Vec<_>>().join("\n  | "));
            }
        }
        text
    }

    /// As JSON Schema.
    #[must_use]
    pub fn schema(&self) -> Value {
        let mut schema = match &self.form {
            Form::Object { fields, is_request } => {
                let properties: Map<String, Value> = fields.iter().map(Field::property).collect();
                let needed = fields.iter().filter(|field| !(*is_request && field.optional)).map(|field| field.name);
                let needed: Vec<&str> = needed.collect();
                json!({ "type": "object", "properties": properties, "required": needed,
                        "additionalProperties": false })
            }
            Form::Words(words) => json!({ "type": "string", "enum": words }),
            Form::Messages(messages) => {
                let message = |(tag, body): &(&str, &str)| {
                    json!({ "allOf": [reference(body), { "type": "object",
                        "properties": { "type": { "const": tag } }, "required": ["type"] }] })
                };
                json!({ "oneOf": messages.iter().map(message).collect::<Vec<_>>() })
            }
        };
        schema["description"] = self.about.clone().into();
        schema
    }
}

impl Field {
    fn property(&self) -> (String, Value) {
        let mut schema = self.schema.clone();
        if self.optional {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        schema["description"] = self.about.clone().into();
        (self.name.to_string(), schema)
    }
}

/// A reference to a named type.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

macro_rules! plain {
    ($($type:ty => $typescript:literal, $schema:tt;)*) => {$(
        impl Described for $type {
            fn typescript() -> String {
                $typescript.into()
            }
            fn schema() -> Value {
                json!($schema)
            }
        }
    )*};
}

plain! {
    String => "string", { "type": "string" };
    bool => "boolean", { "type": "boolean" };
    f64 => "number", { "type": "number" };
    u64 => "number", { "type": "integer", "minimum": 0 };
    u32 => "number", { "type": "integer", "minimum": 0 };
    usize => "number", { "type": "integer", "minimum": 0 };
}

impl<T: Described> Described for Option<T> {
    fn typescript() -> String {
        T::typescript()
    }
    fn schema() -> Value {
        T::schema()
    }
    const OPTIONAL: bool = true;
}

/// What stands in an array: null is possible where a value may be missing.
fn element<T: Described>() -> (String, Value) {
    match T::OPTIONAL {
        true => (format!("({} | null)", T::typescript()), json!({ "anyOf": [T::schema(), { "type": "null" }] })),
        false => (T::typescript(), T::schema()),
    }
}

impl<T: Described> Described for Vec<T> {
    fn typescript() -> String {
        format!("{}[]", element::<T>().0)
    }
    fn schema() -> Value {
        json!({ "type": "array", "items": element::<T>().1 })
    }
}

impl<T: Described, const N: usize> Described for [T; N] {
    fn typescript() -> String {
        format!("[{}]", vec![element::<T>().0; N].join(", "))
    }
    fn schema() -> Value {
        json!({ "type": "array", "items": element::<T>().1, "minItems": N, "maxItems": N })
    }
}

impl<T: Described> Described for Box<T> {
    fn typescript() -> String {
        T::typescript()
    }
    fn schema() -> Value {
        T::schema()
    }
}

/// Defines types of the interface, and `definitions()`, which lists them.
macro_rules! api {
    ($($(#[doc = $about:literal])+ $sort:ident $name:ident { $($body:tt)* })*) => {
        $(api!(@define $sort $name [$($about),+] { $($body)* });)*

        /// All types of the interface.
        #[must_use]
        pub fn definitions() -> Vec<Definition> {
            vec![$($name::definition()),*]
        }
    };
    (@define answer $name:ident [$($about:literal),+] {
        $($(#[doc = $field_about:literal])+ $field:ident: $type:ty,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug, serde::Serialize)]
        pub struct $name {
            $($(#[doc = $field_about])+ pub $field: $type,)*
        }
        api!(@object $name false [$($about),+] $($field: $type, [$($field_about),+];)*);
    };
    (@define request $name:ident [$($about:literal),+] {
        $($(#[doc = $field_about:literal])+ $field:ident: $type:ty,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $field_about])+ pub $field: $type,)*
        }
        api!(@object $name true [$($about),+] $($field: $type, [$($field_about),+];)*);
    };
    (@define options $name:ident [$($about:literal),+] {
        $($(#[doc = $field_about:literal])+ $field:ident: $type:ty,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug, Default, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $field_about])+ pub $field: $type,)*
        }
        api!(@object $name true [$($about),+] $($field: $type, [$($field_about),+];)*);
    };
    (@object $name:ident $is_request:literal [$($about:literal),+] $($field:ident: $type:ty, [$($text:literal),+];)*) => {
        api!(@named $name);
        impl $name {
            fn definition() -> Definition {
                let fields = vec![$(Field::new::<$type>(stringify!($field), &[$($text),+])),*];
                let form = Form::Object { fields, is_request: $is_request };
                Definition { name: stringify!($name), about: sentence(&[$($about),+]), form }
            }
        }
    };
    (@define words $name:ident [$($about:literal),+] {
        $($(#[doc = $word_about:literal])+ $word:ident = $text:literal,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize, serde::Serialize)]
        pub enum $name {
            $($(#[doc = $word_about])+ #[serde(rename = $text)] $word,)*
        }
        api!(@named $name);
        impl $name {
            fn definition() -> Definition {
                let form = Form::Words(vec![$($text),*]);
                Definition { name: stringify!($name), about: sentence(&[$($about),+]), form }
            }
        }
    };
    (@define outgoing $name:ident [$($about:literal),+] {
        $($(#[doc = $message_about:literal])+ $message:ident = $text:literal ($body:ident),)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug, serde::Serialize)]
        #[serde(tag = "type")]
        pub enum $name {
            $($(#[doc = $message_about])+ #[serde(rename = $text)] $message(Box<$body>),)*
        }
        api!(@messages $name [$($about),+] $($text $body)*);
    };
    (@define incoming $name:ident [$($about:literal),+] {
        $($(#[doc = $message_about:literal])+ $message:ident = $text:literal ($body:ident),)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug, serde::Deserialize)]
        #[serde(tag = "type")]
        pub enum $name {
            $($(#[doc = $message_about])+ #[serde(rename = $text)] $message(Box<$body>),)*
        }
        api!(@messages $name [$($about),+] $($text $body)*);
    };
    (@messages $name:ident [$($about:literal),+] $($text:literal $body:ident)*) => {
        api!(@named $name);
        impl $name {
            fn definition() -> Definition {
                let form = Form::Messages(vec![$(($text, stringify!($body))),*]);
                Definition { name: stringify!($name), about: sentence(&[$($about),+]), form }
            }
        }
    };
    (@named $name:ident) => {
        impl Described for $name {
            fn typescript() -> String {
                stringify!($name).into()
            }
            fn schema() -> Value {
                reference(stringify!($name))
            }
        }
    };
}
pub(super) use api;
