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
    let said = meaning.map(|(_, meaning)| format!("{meaning} {}", table.name));
    let comment = table.comment.as_ref();
    let comment = comment.filter(|c| said.as_ref().is_none_or(|said| !is_said(c, said)));
    lines.extend(comment.map(|c| format!("Comment: {}", marked::comment(c))));
    lines.extend(alike(content, &table.name).map(|others| format!("Same columns: {others}")));
    match table.kind {
        TableKind::Table => {}
        TableKind::View => lines.push("A view.".to_owned()),
        TableKind::Virtual => lines.push("A virtual table.".to_owned()),
    }
    lines
}

/// Words of comments that say nothing by themselves, without an `s` at their end.
const SMALL: &[&str] = &[
    "a", "an", "the", "of", "in", "by", "and", "or", "i", "one", "each", "every", "for", "while",
    "when", "ha", "be", "may", "row", "date", "day", "it", "from", "to", "such", "that",
];

/// Tells whether a comment says nothing that isn't said: each of its words is, however it is bent.
fn is_said(comment: &str, said: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words = words.map(str::to_lowercase);
        words.map(|word| word.strip_suffix('s').map(str::to_owned).unwrap_or(word)).collect()
    };
    // signs say more than words: below zero, a currency, a part
    if comment.contains(|c: char| "<>=%$€£¥+".contains(c)) {
        return false;
    }
    let (mut comment, said) = (words(comment), words(said));
    comment.retain(|word| !SMALL.contains(&word.as_str()));
    !comment.is_empty() && comment.iter().all(|word| said.contains(word))
}

/// Writes a table as the schema form shows it: its own lines, its columns, its constraints.
fn table_text(content: &SchemaContent, table: &Table) -> String {
    let mut text = head_lines(content, table);
    for column in &table.columns {
        text.push_str(&column_text(content, table, column));
    }
    text.push_str(&constraint_lines(content, table));
    text
}

/// Measures a table's own lines, above and below its columns, in bytes.
pub fn frame_length(content: &SchemaContent, table: &Table) -> usize {
    head_lines(content, table).len() + constraint_lines(content, table).len()
}

/// Measures a column's line in bytes.
pub fn column_length(content: &SchemaContent, table: &Table, column: &Column) -> usize {
    column_text(content, table, column).len()
}

/// Names of one family that are written out at most; of more the first and the last are.
const MOST_ALIKE: usize = 6;

/// Names the tables that are like one: `events_2023_02, events_2023_03, … events_2024_12 (23 tables)`.
fn alike(content: &SchemaContent, table: &str) -> Option<String> {
    let alike = content.alike.iter().find(|alike| alike.table == table)?;
    let all = alike.others.as_slice();
    let few = all.len() <= MOST_ALIKE;
    let more = all.iter().take(if few { MOST_ALIKE } else { 2 });
    let mut names: Vec<&String> = Vec::new();
    for name in alike.wanted.iter().chain(more) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let names: Vec<String> = names.into_iter().map(|name| marked::line(name, 200)).collect();
    let last = all.last().filter(|_| !few).map(|name| marked::line(name, 200));
    let last = last.filter(|last| !names.contains(last));
    let last = last.map(|last| format!(", … {last}")).unwrap_or_default();
    let all = if few { String::new() } else { format!(" ({} tables)", all.len()) };
    Some(names.join(", ") + &last + &all)
}

/// The line above tables that are told by their names only.
pub const BRIEF_HEAD: &str = "Further tables, names only:\n";

/// Writes a table by its names only, with the line break: `- rooms (id, name)`.
pub fn brief_line<'a>(
    content: &SchemaContent,
    table: &str,
    columns: impl Iterator<Item = &'a str>,
) -> String {
    let columns: Vec<String> = columns.map(|column| marked::line(column, 200)).collect();
    let alike = alike(content, table).map(|others| format!("; same columns: {others}"));
    let name = marked::line(table, 200);
    format!("- {name} ({}){}\n", columns.join(", "), alike.unwrap_or_default())
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
fn constraint_lines(content: &SchemaContent, table: &Table) -> String {
    table_constraints(content, table)
        .iter()
        .fold(String::new(), |text, line| text + "  " + line + "\n")
}

/// Writes each constraint and index that concerns several columns or the whole table.
pub(super) fn table_constraints(content: &SchemaContent, table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    let names = |columns: &[String]| marked::line(&columns.join(", "), 200);
    if table.primary_key.len() > 1 {
        lines.push(format!("Primary key: ({})", names(&table.primary_key)));
    }
    for unique in table.uniques.iter().filter(|unique| unique.len() > 1) {
        lines.push(format!("Unique: ({})", names(unique)));
    }
    let says = |check: &&String| !is_listed(content, table, check) && !is_above_zero(check);
    for check in table.checks.iter().filter(says) {
        lines.push(format!("Check: {}", marked::line(check, 120)));
    }
    for index in &table.indexes {
        let unique = if index.unique { " unique" } else { "" };
        let name = marked::line(&index.name, 80);
        lines.push(format!("Index: {name} ({}){unique}", names(&index.columns)));
    }
    lines
}

/// Tells whether a check only keeps a column above zero, which no query needs to know.
fn is_above_zero(check: &str) -> bool {
    let parts: Vec<&str> = check.split_whitespace().collect();
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    matches!(parts.as_slice(), [name, ">" | ">=", "0"] if is_name(name))
}

/// Tells whether a check only lists the values that stand at its column anyway: `x IN ('a', 'b')`.
fn is_listed(content: &SchemaContent, table: &Table, check: &str) -> bool {
    let Some((column, list)) = check.split_once(' ') else { return false };
    let list = list.trim_start();
    let Some((word, list)) = list.split_once('(') else { return false };
    let Some(list) = list.strip_suffix(')') else { return false };
    let mut told = content.remarks.iter().filter(|(t, c, note)| {
        t.eq_ignore_ascii_case(&table.name)
            && c.eq_ignore_ascii_case(column)
            && (note.starts_with("values: ") || note.starts_with("codes: "))
    });
    word.trim().eq_ignore_ascii_case("in")
        && !list.contains(['(', ')'])
        && told.any(|(_, _, note)| list.split(',').all(|value| lists(note, value.trim())))
}

/// Tells whether a note of values lists one: `values: 'a' (words),'b'`.
fn lists(note: &str, value: &str) -> bool {
    let rest = note.split_once(": ").map_or("", |(_, rest)| rest);
    rest.match_indices(value).any(|(at, _)| {
        let before = rest.get(..at).unwrap_or_default();
        let after = rest.get(at + value.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with(','))
            && (after.is_empty() || after.starts_with([',', ' ']))
    })
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
    let said = parts.join(" ");
    let notes = content.remarks.iter().filter(|(t, c, _)| t == table && *c == column.name);
    let notes: Vec<&str> = notes.map(|(_, _, note)| note.as_str()).collect();
    let said = format!("{said} {} {table}", notes.join(" "));
    parts.extend(notes.into_iter().map(str::to_owned));
    if let Some(comment) = column.comment.as_ref().filter(|comment| !is_said(comment, &said)) {
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
            text.push_str(&brief_line(
                content,
                &table.name,
                table.columns.iter().map(|c| c.name.as_str()),
            ));
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

    #[test]
    fn a_comment_that_says_nothing_new_is_left_out() {
        let said = "price of one rental format: dollars";
        assert!(is_said("Price of one rental, in dollars", said) && is_said("rentals", said));
        assert!(!is_said("price of one film", said), "a new word");
        assert!(!is_said("%", said) && !is_said("dollars, < 5", said), "signs say more");
    }

    #[test]
    fn a_check_goes_only_if_each_of_its_values_is_told() {
        let table = Table { name: "bookings".to_owned(), ..Table::default() };
        let note = "values: 'open' (new),'paid'".to_owned();
        let content = SchemaContent {
            remarks: vec![("bookings".to_owned(), "status".to_owned(), note)],
            ..SchemaContent::default()
        };
        let listed = |check: &str| is_listed(&content, &table, check);
        assert!(listed("status IN ('open', 'paid')") && listed("status in('paid')"));
        assert!(!listed("status IN ('open', 'lost')"), "a value that no row has yet");
        assert!(!listed("status NOT IN ('open')") && !listed("status IN ('new')"));
    }
}
