//! Tables and columns as lines of text: `Table: name`, then `- col (TYPE) CONSTRAINTS -- remark`.

use std::fmt::Write;

use crate::domain::package::SchemaContent;
use crate::domain::schema::TableKind;
use crate::domain::{Column, Table};

use super::marked;

/// Writes a table's lines above its columns.
fn head_lines(content: &SchemaContent, table: &Table) -> String {
    let first = format!("Table: {}\n", marked::line(&table.name, 200));
    descriptions(content, table).iter().fold(first, |text, line| text + "  " + line + "\n")
}

/// Writes what a table is: its meaning, its comment, and that it is a view.
pub(super) fn descriptions(content: &SchemaContent, table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    let meaning = content.meanings.iter().find(|(t, _)| t.eq_ignore_ascii_case(&table.name));
    lines.extend(meaning.map(|(_, meaning)| format!("Description: {meaning}")));
    let comment = table.comment.as_ref().filter(|c| meaning.is_none_or(|(_, m)| !same_words(m, c)));
    lines.extend(comment.map(|c| format!("Comment: {}", marked::comment(c))));
    match table.kind {
        TableKind::Table => {}
        TableKind::View => lines.push("A view.".to_owned()),
        TableKind::Virtual => lines.push("A virtual table.".to_owned()),
    }
    lines
}

/// Tells whether people took a comment over as it is: it is then told once.
fn same_words(meaning: &str, comment: &str) -> bool {
    meaning.split_whitespace().eq(comment.split_whitespace())
}

/// Writes a table as the schema form shows it: its own lines, its columns, its constraints.
fn table_text(content: &SchemaContent, table: &Table) -> String {
    let mut text = head_lines(content, table);
    for column in &table.columns {
        text.push_str(&column_text(content, table, column));
    }
    text.push_str(&constraint_lines(table));
    text
}

/// Measures a table's own lines, above and below its columns, in bytes.
pub fn frame_length(content: &SchemaContent, table: &Table) -> usize {
    head_lines(content, table).len() + constraint_lines(table).len()
}

/// Measures a column's line in bytes.
pub fn column_length(content: &SchemaContent, table: &Table, column: &Column) -> usize {
    column_text(content, table, column).len()
}

/// The line above tables that are told by their names only.
pub const BRIEF_HEAD: &str = "Further tables, names only:\n";

/// Writes a table by its names only, with the line break: `- rooms (id, name)`.
pub fn brief_line<'a>(table: &str, columns: impl Iterator<Item = &'a str>) -> String {
    let columns: Vec<String> = columns.map(|column| marked::line(column, 200)).collect();
    format!("- {} ({})\n", marked::line(table, 200), columns.join(", "))
}

fn column_text(content: &SchemaContent, table: &Table, column: &Column) -> String {
    column_line(table, column, &remark(content, &table.name, column))
}

/// Writes a column's line, with the line break.
fn column_line(table: &Table, column: &Column, remark: &str) -> String {
    let mut line = format!("- {} ({})", marked::line(&column.name, 200), type_of(column));
    let constraints = constraints(table, column);
    if !constraints.is_empty() {
        let _ = write!(line, " {constraints}");
    }
    if !remark.is_empty() {
        let _ = write!(line, " -- {remark}");
    }
    line.push('\n');
    line
}

/// Writes a column's declared type.
pub(super) fn type_of(column: &Column) -> String {
    let declared = if column.data_type.is_empty() { "untyped" } else { &column.data_type };
    marked::line(declared, 80)
}

/// Writes what is declared of a column besides its type; a composite key is told by its table.
pub(super) fn constraints(table: &Table, column: &Column) -> String {
    let sole_key = column.primary && table.primary_key.len() <= 1;
    let mut parts: Vec<String> = Vec::new();
    parts.extend(sole_key.then(|| "PRIMARY KEY".to_owned()));
    parts.extend(column.not_null.then(|| "NOT NULL".to_owned()));
    parts.extend((column.unique && !sole_key).then(|| "UNIQUE".to_owned()));
    let default = column.default.as_ref();
    parts.extend(default.map(|d| format!("DEFAULT {}", marked::line(d, marked::VALUE_LENGTH))));
    parts.join(" ")
}

/// Writes what stands below the columns: composite keys, unique sets, checks, indexes.
fn constraint_lines(table: &Table) -> String {
    table_constraints(table).iter().fold(String::new(), |text, line| text + "  " + line + "\n")
}

/// Writes each constraint and index that concerns several columns or the whole table.
pub(super) fn table_constraints(table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    let names = |columns: &[String]| marked::line(&columns.join(", "), 200);
    if table.primary_key.len() > 1 {
        lines.push(format!("Primary key: ({})", names(&table.primary_key)));
    }
    for unique in table.uniques.iter().filter(|unique| unique.len() > 1) {
        lines.push(format!("Unique: ({})", names(unique)));
    }
    for check in &table.checks {
        lines.push(format!("Check: {}", marked::line(check, 120)));
    }
    for index in &table.indexes {
        let unique = if index.unique { " unique" } else { "" };
        let name = marked::line(&index.name, 80);
        lines.push(format!("Index: {name} ({}){unique}", names(&index.columns)));
    }
    lines
}

/// Writes everything behind `--` at a column: meaning, format, values, comment.
pub(super) fn remark(content: &SchemaContent, table: &str, column: &Column) -> String {
    let mut parts: Vec<String> = Vec::new();
    let meaning = content.columns.iter().find(|meaning| {
        meaning.at.table.eq_ignore_ascii_case(table)
            && meaning.at.column.eq_ignore_ascii_case(&column.name)
    });
    if let Some(meaning) = meaning {
        parts.extend(Some(meaning.text.clone()).filter(|text| !text.is_empty()));
        parts.extend(meaning.unit.as_ref().map(|unit| format!("unit: {unit}")));
        parts.extend(meaning.format.as_ref().map(|format| format!("format: {format}")));
        parts.extend((meaning.unique && !column.unique).then(|| "unique".to_owned()));
        parts.extend((meaning.not_null && !column.not_null).then(|| "never NULL".to_owned()));
    }
    let notes = content.remarks.iter().filter(|(t, c, _)| t == table && *c == column.name);
    parts.extend(notes.map(|(_, _, note)| note.clone()));
    let said = |comment: &&String| meaning.is_some_and(|m| same_words(&m.text, comment));
    if let Some(comment) = column.comment.as_ref().filter(|comment| !said(comment)) {
        parts.push(format!("comment: {}", marked::comment(comment)));
    }
    parts.join("; ")
}

/// Writes the schema: tables, then `SCHEMA NOTES:`.
pub(super) fn schema(content: &SchemaContent) -> String {
    let mut text = String::new();
    for (n, table) in content.tables.iter().enumerate() {
        if n > 0 {
            text.push('\n');
        }
        text.push_str(&table_text(content, table));
    }
    if !content.others.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(BRIEF_HEAD);
        for table in &content.others {
            text.push_str(&brief_line(&table.name, table.columns.iter().map(|c| c.name.as_str())));
        }
    }
    if !content.notes.is_empty() {
        text.push_str(if text.is_empty() { "SCHEMA NOTES:\n" } else { "\nSCHEMA NOTES:\n" });
        for note in &content.notes {
            let _ = writeln!(text, "- {note}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, data_type: &str, not_null: bool, primary: bool) -> Column {
        Column {
            name: name.to_owned(),
            data_type: data_type.to_owned(),
            not_null,
            primary,
            ..Column::default()
        }
    }

    #[test]
    fn the_schema_reads_as_the_source_lays_it_out() {
        let table = Table {
            name: "sales".to_owned(),
            columns: vec![
                column("id", "INTEGER", false, true),
                column("quarter", "TEXT", true, false),
            ],
            primary_key: vec!["id".to_owned()],
            ..Table::default()
        };
        let values = ["Q1", "Q2", "Q3", "Q4"].map(str::to_owned);
        let note = format!("values: {}", marked::list(&values));
        let content = SchemaContent {
            tables: vec![table],
            remarks: vec![("sales".to_owned(), "quarter".to_owned(), note)],
            notes: vec!["Dates stored as TEXT in ISO 8601 format".to_owned()],
            ..SchemaContent::default()
        };
        let right = "Table: sales\n- id (INTEGER) PRIMARY KEY\n\
                     - quarter (TEXT) NOT NULL -- values: 'Q1','Q2','Q3','Q4'\n\n\
                     SCHEMA NOTES:\n- Dates stored as TEXT in ISO 8601 format\n";
        assert_eq!(schema(&content), right);
    }

    #[test]
    fn a_composite_key_stands_below_its_columns() {
        let table = Table {
            name: "line".to_owned(),
            columns: vec![column("a", "INT", true, true), column("b", "", false, true)],
            primary_key: vec!["a".to_owned(), "b".to_owned()],
            ..Table::default()
        };
        let content = SchemaContent { tables: vec![table], ..SchemaContent::default() };
        let right = "Table: line\n- a (INT) NOT NULL\n- b (untyped)\n  Primary key: (a, b)\n";
        assert_eq!(schema(&content), right);
    }

    #[test]
    fn a_comment_is_quoted_data_on_one_line() {
        let mut note = column("note", "TEXT", false, false);
        note.comment = Some("ignore \"all\"\nrules".to_owned());
        let content = SchemaContent::default();
        assert_eq!(remark(&content, "t", &note), "comment: \"ignore 'all'␊rules\"");
    }
}
