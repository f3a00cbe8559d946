//! A first knowledge file for a database: what its schema and data let one guess, to be filled in.
//!
//! What belongs here: one file for each kind of guess, and their layout as commented TOML. What
//! must never come: a guess that stands as if a person had said it; empty meanings say nothing.
//! To add a guess: a file, and its line in `column`.

use std::fmt::Write;

use crate::domain::counts::count;
use crate::domain::knowledge::Meaning;
use crate::domain::schema::{KeyOrigin, RowCount, TableKind};
use crate::domain::{Catalog, Column, ColumnRef, ColumnStats, ForeignKey, Table, ValueList, units};

use super::write::{self, quoted};

pub(super) use short::split;

mod codes;
mod dates;
mod money;
mod short;
#[cfg(test)]
mod tests;

/// What a first file is made from.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// Structure.
    pub catalog: &'a Catalog,
    /// What was measured of the columns.
    pub statistics: &'a [ColumnStats],
    /// Stored values of text-like columns.
    pub values: &'a [ValueList],
    /// Columns on the deny list that is in force; they stay on it.
    pub denied: &'a [ColumnRef],
    /// All columns whose content may not leave this machine: nothing of it is written.
    pub withheld: &'a [ColumnRef],
}

impl Seen<'_> {
    /// Finds what was measured of a column.
    fn stats(&self, at: &ColumnRef) -> Option<&ColumnStats> {
        self.statistics.iter().find(|stats| stats.known && stats.at == *at)
    }
}

/// Writes a first knowledge file. It reads back, and nothing in it disagrees with the schema.
pub fn init(seen: &Seen<'_>) -> String {
    let shared = dates::shared(seen);
    let mut text = head(seen, &shared);
    text.push_str(&joins(seen.catalog));
    let tables = seen.catalog.tables.iter();
    for table in tables.filter(|table| !table.columns.is_empty()) {
        text.push_str(&of_table(seen, &shared, table));
    }
    text.trim_end().to_owned() + "\n"
}

fn head(seen: &Seen<'_>, shared: &[dates::Shared]) -> String {
    let catalog = seen.catalog;
    let file = std::path::Path::new(&catalog.database).file_name();
    let name = file.map_or(catalog.database.as_str().into(), |name| name.to_string_lossy());
    let name = one_line(&name);
    let notes: Vec<String> = shared.iter().map(dates::Shared::note).collect();
    let notes = write::list(&notes);
    let mut text = format!(
        "# What people know about {name} that its schema doesn't say.\n\
         #\n\
         # A first draft, made from the schema and from what is stored. Fill in what you know and\n\
         # delete the rest: an empty meaning says nothing. What stands behind # is a proposal.\n\
         # `querent knowledge check` proves every name and formula, and runs the examples;\n\
         # `querent knowledge extract` proposes more from views, triggers and constraints.\n\n\
         # What the database is about, in a few words.\n\
         domain = \"\"\n\n\
         # Units, formats, dialect: told with every schema.\n\
         notes = {notes}\n\n\
         # How names are chosen, and how queries should be written.\n\
         conventions = []\n\n"
    );
    if !seen.denied.is_empty() {
        let names: Vec<String> = seen.denied.iter().map(ColumnRef::to_string).collect();
        let words =
            "# Columns of which nothing leaves this machine; of those that join tables the name.";
        let _ = writeln!(text, "{words}\ndeny = {}\n", write::list(&names));
    }
    let is_denied = |at: &ColumnRef| {
        seen.denied.iter().any(|denied| {
            denied.table.eq_ignore_ascii_case(&at.table)
                && denied.column.eq_ignore_ascii_case(&at.column)
        })
    };
    let secret = seen.withheld.iter().filter(|at| !is_denied(at));
    let names: Vec<String> = secret.map(ColumnRef::to_string).collect();
    if !names.is_empty() {
        let _ = writeln!(
            text,
            "# Columns that look like secrets, or show what is withheld. What is stored in them never\n\
             # leaves this machine; on this list not even their names do.\n\
             # deny = {}\n",
            write::list(&names).replace('\n', "\n# ")
        );
    }
    let (rule, metric) = samples(seen);
    let _ = writeln!(text, "# Rules that a question must keep, one each.\n{}", commented(&rule));
    let words = "# Measures with the formula that was agreed on.";
    let _ = writeln!(text, "{words}\n{}", commented(&metric));
    let question = "# Pairs that somebody verified; an answer that equals one is certified.\n";
    text.push_str(question);
    let pair =
        "[[examples]]\nquestion = \"\"\nsql = \"\"\nverified_by = \"\"\nverified_at = 2026-01-31\n";
    text + &commented(pair) + "\n"
}

/// Writes a rule and a metric as they could be, with names of this schema.
fn samples(seen: &Seen<'_>) -> (String, String) {
    let catalog = seen.catalog;
    let mut tables: Vec<&Table> =
        catalog.tables.iter().filter(|table| table.kind == TableKind::Table).collect();
    tables.sort_by_key(|table| std::cmp::Reverse(table.rows.map_or(0, |rows| rows.count)));
    let amounts = |table: &Table| {
        let told = |c: &&Column| !seen.withheld.contains(&ColumnRef::new(&table.name, &c.name));
        let columns = table.columns.iter().filter(|column| money::is_money(column) && told(column));
        columns.map(|c| (money::rank(c), table.name.clone(), c.name.clone())).collect::<Vec<_>>()
    };
    let largest = tables.first().map_or("orders", |table| table.name.as_str());
    // of equal rank the first of the largest table
    let found = tables.iter().flat_map(|table| amounts(table)).min_by_key(|(rank, ..)| *rank);
    let about = found.as_ref().map_or(largest, |(_, table, _)| table.as_str());
    let rule = format!("[[rules]]\ntext = \"\"\nabout = [{}]\n", quoted(about));
    let quote = |name: &str| crate::sql::dialect::quote(name, catalog.dialect);
    let (name, formula) = match &found {
        Some((_, table, column)) => {
            (named_total(column), format!("SUM({}.{})", quote(table), quote(column)))
        }
        None => (format!("number_of_{}", snake(largest)), "COUNT(*)".to_owned()),
    };
    let metric = format!(
        "[[metrics]]\nname = {}\nmeaning = \"\"\nformula = {}\ntables = [{}]\n\
         filter = \"\"\ngrain = {}\nsynonyms = []\n",
        quoted(&name),
        quoted(&formula),
        quoted(about),
        quoted(&format!("one row of {about}")),
    );
    (rule, metric)
}

/// Names the sum of a column: `total_amount`, and `total` itself.
fn named_total(column: &str) -> String {
    let name = snake(column);
    if name.contains("total") { name } else { format!("total_{name}") }
}

fn snake(name: &str) -> String {
    short::split(name).join("_")
}

/// Writes inferred keys as join hints that wait for a word of a person.
fn joins(catalog: &Catalog) -> String {
    let inferred = |key: &&ForeignKey| matches!(key.origin, KeyOrigin::Inferred(_));
    let keys: Vec<&ForeignKey> = catalog.keys.iter().filter(inferred).collect();
    if keys.is_empty() {
        return String::new();
    }
    let mut text = "# Keys that the schema doesn't declare, concluded from names and data:\n\
                    # uncomment those that are right.\n"
        .to_owned();
    for key in keys {
        let side = |table: &str, columns: &[String]| {
            columns.iter().map(|column| ColumnRef::new(table, column)).collect()
        };
        let hint = crate::domain::knowledge::JoinHint {
            from: side(&key.from_table, &key.from_columns),
            to: side(&key.to_table, &key.to_columns),
            reason: match &key.origin {
                KeyOrigin::Inferred(why) => why.clone(),
                KeyOrigin::Declared | KeyOrigin::Told(_) => String::new(),
            },
            one_to_one: key.one_to_one,
        };
        text.push_str(&commented(&write::join(&hint)));
        text.push('\n');
    }
    text
}

/// Writes a table and those of its columns that there is something to say of.
fn of_table(seen: &Seen<'_>, shared: &[dates::Shared], table: &Table) -> String {
    let mut facts: Vec<String> = Vec::new();
    if table.kind != TableKind::Table {
        facts.push(format!("a {}", table.kind.name()));
    }
    facts.extend(table.rows.map(RowCount::words));
    let near = neighbours(seen.catalog, &table.name);
    facts.extend((!near.is_empty()).then(|| format!("joins {}", near.join(", "))));
    let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join("; ")) };
    let mut text = format!("# {}{facts}\n", one_line(&table.name));
    text.push_str(&write::table(&table.name, &words_of(table.comment.as_deref())));
    text.push('\n');
    // the columns of a view are those of its tables
    if table.kind != TableKind::View {
        text.extend(table.columns.iter().filter_map(|c| of_column(seen, shared, table, c)));
    }
    text
}

fn neighbours(catalog: &Catalog, table: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for key in catalog.keys_of(table) {
        let other = if key.from_table.eq_ignore_ascii_case(table) {
            &key.to_table
        } else {
            &key.from_table
        };
        let other = one_line(other);
        if !other.eq_ignore_ascii_case(table) && !names.contains(&other) {
            names.push(other);
        }
    }
    names
}

/// Writes a column with what its name, type and values let one guess; none when there is nothing.
fn of_column(
    seen: &Seen<'_>,
    shared: &[dates::Shared],
    table: &Table,
    column: &Column,
) -> Option<String> {
    let at = ColumnRef::new(&table.name, &column.name);
    if seen.withheld.contains(&at) {
        return None;
    }
    let key = is_key(seen.catalog, table, column);
    let codes = if key { None } else { codes::of(seen, table, column) };
    let date = if key || codes.is_some() { None } else { dates::of(seen, &at, column) };
    // told once for all tables
    let date = date.filter(|_| !shared.iter().any(|shared| shared.is(&column.name)));
    let unit = units::of_name(&column.name).filter(|_| column.kind.is_number());
    let money = unit.is_none() && !key && codes.is_none() && money::is_money(column);
    let words: Vec<String> = if key { Vec::new() } else { short::words(&column.name) };
    let comment = words_of(column.comment.as_deref());
    let said = codes.is_some() || date.is_some() || unit.is_some() || money;
    if !said && words.is_empty() && comment.is_empty() {
        return None;
    }
    let mut notes: Vec<String> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    let mut meaning = Meaning::of(at);
    meaning.text = comment;
    meaning.unit = unit.map(str::to_owned);
    if money {
        lines.push("unit = \"\"  # which currency, and is it in its smallest coin?".to_owned());
    }
    if let Some(date) = date {
        meaning.format = date.format;
        notes.extend(date.note);
    }
    if let Some(codes) = codes {
        notes.push(count(codes.len(), "stored value"));
        lines.push(format!("values = {}", write::codes_to_fill(&codes)));
    }
    let mut text = write::column(&meaning, &words);
    for line in lines {
        text += &line;
        text.push('\n');
    }
    let notes = if notes.is_empty() { String::new() } else { format!("# {}\n", notes.join("; ")) };
    Some(format!("{notes}{text}\n"))
}

/// Tells whether a column is part of a key: its values are names of rows, no facts about them.
fn is_key(catalog: &Catalog, table: &Table, column: &Column) -> bool {
    let holds = |columns: &[String]| columns.iter().any(|c| c.eq_ignore_ascii_case(&column.name));
    let mut keys = catalog.keys_of(&table.name);
    (column.primary && table.primary_key.len() == 1)
        || keys.any(|key| {
            (key.from_table.eq_ignore_ascii_case(&table.name) && holds(&key.from_columns))
                || (key.to_table.eq_ignore_ascii_case(&table.name) && holds(&key.to_columns))
        })
}

/// Makes one line of a comment.
fn words_of(comment: Option<&str>) -> String {
    comment.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Puts `# ` before each line.
fn commented(text: &str) -> String {
    text.lines().fold(String::new(), |all, line| all + "# " + line + "\n")
}

/// Makes a name fit for a comment: controls would end it.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
