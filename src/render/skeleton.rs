//! The skeleton form: tables with their key columns, and the keys between them.

use std::fmt::Write;

use crate::domain::package::{RelationshipsContent, SchemaContent};
use crate::domain::{Content, ForeignKey};

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

/// Tells whether a skeleton of this schema with these keys names a column.
pub fn names(content: &SchemaContent, keys: &[ForeignKey], table: &str, column: &str) -> bool {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let holds = |columns: &[String]| columns.iter().any(|c| same(c, column));
    let all = content.tables.iter().chain(&content.others);
    let mut own = all.filter(|t| same(&t.name, table));
    own.any(|t| holds(&t.primary_key))
        || keys.iter().any(|key| {
            (same(&key.from_table, table) && holds(&key.from_columns))
                || (same(&key.to_table, table) && holds(&key.to_columns))
        })
}

fn tables(content: &SchemaContent) -> String {
    let mut text = String::new();
    for table in content.tables.iter().chain(&content.others) {
        let alike = content.alike.iter().find(|alike| alike.table == table.name);
        let others = alike.map(|alike| alike.others.as_slice()).unwrap_or_default();
        for name in std::iter::once(&table.name).chain(others) {
            let name = marked::line(name, 200);
            let _ = writeln!(text, "{name}({})", marked::line(&table.primary_key.join(", "), 200));
        }
    }
    text
}

fn keys(content: &RelationshipsContent) -> String {
    content.keys.iter().map(|key| arrow(key) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::schema::KeyOrigin;
    use crate::domain::{Column, Table};

    #[test]
    fn a_skeleton_holds_tables_and_keys_and_nothing_else() {
        let table = |name: &str, columns: &[&str]| Table {
            name: name.to_owned(),
            columns: columns
                .iter()
                .map(|c| Column { name: (*c).to_owned(), ..Column::default() })
                .collect(),
            primary_key: vec!["id".to_owned()],
            comment: Some("free words".to_owned()),
            ..Table::default()
        };
        let schema = SchemaContent {
            tables: vec![table("rooms", &["id", "name"]), table("book\nings", &["id", "room_id"])],
            notes: vec!["a note".to_owned()],
            ..SchemaContent::default()
        };
        let key = ForeignKey {
            from_table: "book\nings".to_owned(),
            from_columns: vec!["room_id".to_owned()],
            to_table: "rooms".to_owned(),
            to_columns: vec!["id".to_owned()],
            origin: KeyOrigin::Declared,
            one_to_one: false,
        };
        assert_eq!(component(&Content::Schema(schema.clone())), "rooms(id)\nbook␊ings(id)\n");
        let content = RelationshipsContent { keys: vec![key], ..RelationshipsContent::default() };
        let keys = content.keys.clone();
        let keys = keys.as_slice();
        let told = component(&Content::Relationships(content));
        assert_eq!(told, "book␊ings.room_id -> rooms.id (n:1)\n");
        assert!(names(&schema, keys, "rooms", "ID"));
        assert!(names(&schema, keys, "book\nings", "room_id"));
        assert!(!names(&schema, keys, "rooms", "name"));
        assert_eq!(component(&Content::Examples(Vec::new())), "");
    }
}
