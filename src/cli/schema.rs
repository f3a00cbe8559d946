//! `schema`: tables, columns and keys as the catalog has them.

use std::sync::Arc;

use serde_json::json;

use crate::config::Config;
use crate::domain::counts::count;
use crate::domain::schema::KeyOrigin;
use crate::domain::{Catalog, Table};

use super::args::Schema;
use super::output::{print_json, print_safe, say, say_hint};
use super::{exit, open, report, without_model};

/// Shows the schema.
pub(super) async fn schema(schema: Schema, config: Arc<Config>) -> u8 {
    let session = match open(without_model(schema.edges), config).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let catalog = if schema.refresh {
        match session.refresh().await {
            Ok(catalog) => {
                let (whole, part) = session.known_values().await;
                say(&format!(
                    "read anew: {}; values of {} are known, of {} in part",
                    count(catalog.tables.len(), "table"),
                    count(whole, "column"),
                    count(part, "column"),
                ));
                catalog
            }
            Err(e) => return report(&e),
        }
    } else {
        session.catalog()
    };
    let tables: Vec<&Table> = match &schema.table {
        None => catalog.tables.iter().collect(),
        Some(name) => match catalog.table(name) {
            Some(table) => vec![table],
            None => return unknown(name, &catalog),
        },
    };
    if schema.json {
        let keys: Vec<_> = catalog
            .keys
            .iter()
            .filter(|key| tables.iter().any(|t| t.name == key.from_table || t.name == key.to_table))
            .collect();
        print_json(&json!({
            "database": catalog.database,
            "dialect": catalog.dialect,
            "version": catalog.version,
            "tables": tables,
            "keys": keys,
            "unreadable": catalog.unreadable,
        }));
        return exit::OK;
    }
    for table in tables {
        show(table, &catalog);
    }
    for trouble in &catalog.unreadable {
        say(trouble);
    }
    exit::OK
}

fn unknown(name: &str, catalog: &Catalog) -> u8 {
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    say(&format!("there is no table '{name}'"));
    say_hint(&format!("Tables: {}", names.join(", ")));
    exit::USAGE
}

fn show(table: &Table, catalog: &Catalog) {
    let rows = table.rows.map_or(String::new(), |rows| {
        format!("  {}{}", if rows.exact { "" } else { "about " }, count(rows.count, "row"))
    });
    print_safe(&format!("{}{rows}", table.name));
    if let Some(comment) = &table.comment {
        print_safe(&format!("  {comment}"));
    }
    for column in &table.columns {
        let mut line = format!("  {} {}", column.name, column.data_type);
        for (set, word) in [
            (column.primary, " PRIMARY KEY"),
            (column.not_null, " NOT NULL"),
            (column.unique, " UNIQUE"),
        ] {
            line.push_str(if set { word } else { "" });
        }
        if let Some(comment) = &column.comment {
            line.push_str(" -- ");
            line.push_str(comment);
        }
        print_safe(line.trim_end());
    }
    for key in catalog.keys.iter().filter(|key| key.from_table == table.name) {
        let inferred = match &key.origin {
            KeyOrigin::Declared => String::new(),
            KeyOrigin::Told(why) if why.is_empty() => " (told by people)".to_owned(),
            KeyOrigin::Told(why) => format!(" (told by people: {why})"),
            KeyOrigin::Inferred(why) => format!(" (inferred: {why})"),
        };
        print_safe(&format!(
            "  {} -> {}.{}{inferred}",
            key.from_columns.join(", "),
            key.to_table,
            key.to_columns.join(", "),
        ));
    }
    print_safe("");
}
