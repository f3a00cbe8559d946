//! The skeleton form: tables with their key columns, and the keys between them.

use std::fmt::Write;

use crate::domain::Content;
use crate::domain::package::{RelationshipsContent, SchemaContent};

use super::marked;
use super::text::arrow;

/// Renders a component as a skeleton; every other content than tables and keys gives no text.
pub fn component(content: &Content) -> String {
    match content {
        Content::Schema(schema) => tables(schema),
        Content::Relationships(relationships) => keys(relationships),
        Content::Empty
        | Content::Business(_)
        | Content::Examples(_)
        | Content::Samples(_)
        | Content::Statistics(_)
        | Content::History(_)
        | Content::Errors(_) => String::new(),
    }
}

fn tables(content: &SchemaContent) -> String {
    let mut text = String::new();
    for table in content.tables.iter().chain(&content.others) {
        let _ =
            writeln!(text, "{}({})", table.name, marked::line(&table.primary_key.join(", "), 200));
    }
    text
}

fn keys(content: &RelationshipsContent) -> String {
    content.keys.iter().map(|key| arrow(key) + "\n").collect()
}
