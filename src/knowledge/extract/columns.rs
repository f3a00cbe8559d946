//! What defaults and comments say of tables and columns.

use crate::domain::knowledge::Meaning;
use crate::domain::schema::TableKind;
use crate::domain::{Catalog, Column, ColumnRef, Table};

use super::{Draft, Entry};

/// Expressions that stand for the moment of storing, as defaults write them.
const NOW: &[&str] =
    &["current_timestamp", "current_date", "current_time", "'now'", "now(", "getdate("];

/// Reads defaults and comments of all tables.
pub(super) fn of(catalog: &Catalog) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for table in catalog.tables.iter().filter(|table| table.kind != TableKind::View) {
        if let Some(comment) = table.comment.as_deref().filter(|c| !c.trim().is_empty()) {
            let entry = Entry::Table(table.name.clone(), one_line(comment));
            drafts.push(Draft::new(entry, format!("comment of {}", table.name), comment));
        }
        for column in &table.columns {
            drafts.extend(comment(table, column));
            drafts.extend(default(table, column));
        }
    }
    drafts
}

fn comment(table: &Table, column: &Column) -> Option<Draft> {
    let comment = column.comment.as_deref().filter(|comment| !comment.trim().is_empty())?;
    let at = ColumnRef::new(&table.name, &column.name);
    let object = format!("comment of {at}");
    let meaning = Meaning { text: one_line(comment), ..Meaning::of(at) };
    Some(Draft::new(Entry::Column(meaning, Vec::new()), object, comment))
}

/// Proposes what a default tells of a column: a moment, or the code that a row starts with. A
/// default number is only where most rows begin, and says nothing of what it means.
fn default(table: &Table, column: &Column) -> Option<Draft> {
    let default = column.default.as_deref()?.trim();
    let lower = default.to_lowercase();
    let text = if NOW.iter().any(|now| lower.contains(now)) {
        "the moment when the row was stored, unless another is given".to_owned()
    } else {
        let inner = default.strip_prefix('\'')?.strip_suffix('\'')?;
        let code = !inner.is_empty() && !inner.bytes().all(|b| b.is_ascii_digit());
        code.then(|| format!("starts as {default}"))?
    };
    let at = ColumnRef::new(&table.name, &column.name);
    let object = format!("DEFAULT of {at}");
    let meaning = Meaning { text, ..Meaning::of(at) };
    Some(Draft::new(Entry::Column(meaning, Vec::new()), object, default))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
