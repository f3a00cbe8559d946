//! Which lines of a component the SQL of the moment used: by its tables, columns and literals.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::domain::{Catalog, ComponentKind, Value};
use crate::sql::{self, ReadQuery};

/// Names shorter than this say nothing by themselves.
const TELLING: usize = 3;

/// What a query uses of a database; names in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Used {
    tables: BTreeSet<String>,
    columns: BTreeSet<(String, String)>,
    names: BTreeSet<String>,
    values: BTreeSet<String>,
}

/// What of a line was used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// The line as a whole.
    pub used: bool,
    /// The names and values in it, in bytes.
    pub spans: Vec<Range<usize>>,
}

impl Used {
    /// Reads what a query uses; none when it can't be read.
    pub fn of(sql: &str, catalog: &Catalog) -> Option<Used> {
        let query = ReadQuery::parse(sql, catalog.dialect).ok()?;
        let binding = sql::bind(&query, catalog);
        let mut used = Used::default();
        used.tables.extend(binding.tables.iter().map(|table| table.to_lowercase()));
        for at in binding.columns.iter().filter_map(|column| column.at.as_ref()) {
            used.columns.insert((at.table.to_lowercase(), at.column.to_lowercase()));
            used.names.insert(at.column.to_lowercase());
        }
        for literal in binding.scopes.iter().flat_map(|scope| &scope.literals) {
            if let Value::Text(text) = &literal.value {
                used.values.insert(format!("'{}'", text.replace('\'', "''")));
            }
        }
        Some(used)
    }

    /// Marks the lines of a component's text.
    pub fn lines(&self, kind: ComponentKind, text: &str) -> Vec<Marks> {
        let mut reader = Reader { used: self, table: None, header: false };
        text.lines().map(|line| reader.line(kind, line)).collect()
    }

    fn has(&self, table: &str, column: &str) -> bool {
        self.columns.contains(&(table.to_lowercase(), column.to_lowercase()))
    }
}

/// Reads a text from line to line, knowing the table that the lines are about.
struct Reader<'a> {
    used: &'a Used,
    table: Option<String>,
    /// The next line names the columns of a sample.
    header: bool,
}

impl Reader<'_> {
    fn line(&mut self, kind: ComponentKind, line: &str) -> Marks {
        if let Some(name) = heading(line) {
            self.table = Some(name.to_owned());
            self.header = false;
            let used = self.used.tables.contains(&name.to_lowercase());
            let from = line.find(name).unwrap_or(0);
            let span = used.then(|| from..from + name.len());
            return Marks { used, spans: span.into_iter().collect() };
        }
        if line.ends_with(':') && !line.starts_with([' ', '-']) {
            self.table = None;
        }
        match (kind, self.table.clone()) {
            (ComponentKind::Schema | ComponentKind::Statistics, Some(table)) => {
                self.column(line, &table)
            }
            (ComponentKind::Samples, Some(table)) => self.sample(line, &table),
            _ => self.prose(line),
        }
    }

    /// A line that begins with a column's name: `- status (TEXT) …`, `status (TEXT): …`.
    fn column(&self, line: &str, table: &str) -> Marks {
        let from = if line.starts_with("- ") { 2 } else { 0 };
        let rest = line.get(from..).unwrap_or("");
        let Some(name) = rest.find(" (").and_then(|end| rest.get(..end)) else {
            return Marks::default();
        };
        if !self.used.has(table, name) {
            return Marks::default();
        }
        let own = std::iter::once(from..from + name.len());
        Marks { used: true, spans: own.chain(self.values(line)).collect() }
    }

    /// The line of names above sample rows; the rows themselves say nothing about use.
    fn sample(&mut self, line: &str, table: &str) -> Marks {
        if line.starts_with("```data") {
            self.header = true;
            return Marks::default();
        }
        if !std::mem::take(&mut self.header) {
            return Marks::default();
        }
        let mut spans = Vec::new();
        let mut at = 0;
        for name in line.split(" | ") {
            if self.used.has(table, name) {
                spans.push(at..at + name.len());
            }
            at += name.len() + 3;
        }
        Marks { used: !spans.is_empty(), spans }
    }

    /// Any other line: qualified columns, telling names of columns, literals.
    fn prose(&self, line: &str) -> Marks {
        let mut spans = Vec::new();
        let words = words(line);
        for (n, word) in words.iter().enumerate() {
            let name = line.get(word.clone()).unwrap_or("");
            let before = n.checked_sub(1).and_then(|n| words.get(n));
            let owner = before
                .filter(|b| line.get(b.end..word.start) == Some("."))
                .and_then(|b| line.get(b.clone()));
            let known = match owner {
                Some(owner) if self.used.tables.contains(&owner.to_lowercase()) => {
                    self.used.has(owner, name)
                }
                // an alias, or no owner at all
                _ => name.len() >= TELLING && self.used.names.contains(&name.to_lowercase()),
            };
            if known {
                spans.push(word.clone());
            }
        }
        spans.extend(self.values(line));
        // a key is used when both of its ends are
        let key = line.contains(" -> ") && !line.starts_with(['-', ' ']);
        let used = if key { spans.len() >= 2 } else { !spans.is_empty() };
        Marks { used, spans: if used { spans } else { Vec::new() } }
    }

    fn values(&self, line: &str) -> Vec<Range<usize>> {
        let found = |value: &String| line.find(value.as_str()).map(|at| at..at + value.len());
        self.used.values.iter().filter_map(found).collect()
    }
}

/// Reads the table that the lines below are about.
fn heading(line: &str) -> Option<&str> {
    if let Some(name) = line.strip_prefix("Table: ") {
        return Some(name);
    }
    let rest = line.strip_prefix("SAMPLE DATA (first ")?;
    let (_, name) = rest.split_once(" of ")?;
    name.strip_suffix("):")
}

/// Finds the words of a line: letters, digits and underscores.
fn words(line: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in line.char_indices() {
        if !(c.is_alphanumeric() || c == '_') {
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut().filter(|word| word.end == at) {
            Some(word) => word.end = end,
            None => words.push(at..end),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;

    fn catalog() -> Catalog {
        let tables = vec![
            Table::bare("bookings", &["id", "room_id", "status", "price_cents"]),
            Table::bare("rooms", &["id", "name", "status"]),
        ];
        Catalog { tables, ..Catalog::default() }
    }

    fn used(sql: &str) -> Used {
        Used::of(sql, &catalog()).expect("a query")
    }

    fn marked<'a>(used: &Used, kind: ComponentKind, text: &'a str) -> Vec<(&'a str, Vec<&'a str>)> {
        let lines = text.lines().zip(used.lines(kind, text));
        let used = lines.filter(|(_, marks)| marks.used);
        used.map(|(line, marks)| (line, marks.spans.into_iter().map(|s| &line[s]).collect()))
            .collect()
    }

    const SUM: &str = "SELECT SUM(price_cents) FROM bookings WHERE status = 'confirmed'";

    #[test]
    fn columns_are_used_in_their_own_table_only() {
        let text = "DATABASE SCHEMA CONTEXT:\n====\nTable: bookings\n- id (INTEGER)\n\
                    - status (TEXT) -- values: 'cancelled','confirmed'\n- price_cents (INTEGER)\n\n\
                    Table: rooms\n- status (TEXT)\n";
        let marked = marked(&used(SUM), ComponentKind::Schema, text);
        let right = vec![
            ("Table: bookings", vec!["bookings"]),
            ("- status (TEXT) -- values: 'cancelled','confirmed'", vec!["status", "'confirmed'"]),
            ("- price_cents (INTEGER)", vec!["price_cents"]),
        ];
        assert_eq!(marked, right);
    }

    #[test]
    fn rules_and_metrics_are_used_by_the_columns_they_name() {
        let text = "Business Rules:\n1. Prices are in cents.\n2. Count only status 'confirmed'.\n\
                    Common Metrics:\n- revenue: SUM(price_cents)\n- rooms: COUNT(room_id)\n";
        let marked = marked(&used(SUM), ComponentKind::Business, text);
        let right = vec![
            ("2. Count only status 'confirmed'.", vec!["status", "'confirmed'"]),
            ("- revenue: SUM(price_cents)", vec!["price_cents"]),
        ];
        assert_eq!(marked, right);
    }

    #[test]
    fn a_key_is_used_when_both_its_ends_are() {
        let join = "SELECT name FROM bookings b JOIN rooms r ON b.room_id = r.id";
        let text = "bookings.room_id -> rooms.id (n:1)\npayments.room_id -> bookings.id (n:1)\n";
        let marked = marked(&used(join), ComponentKind::Relationships, text);
        assert_eq!(marked[0], ("bookings.room_id -> rooms.id (n:1)", vec!["room_id", "id"]));
        assert_eq!(marked.len(), 1);
    }

    #[test]
    fn the_head_of_a_sample_shows_used_columns_and_its_rows_nothing() {
        let text = "SAMPLE DATA (first 1 row of bookings):\n===\nStored data.\n```data\n\
                    id | status\n1 | confirmed\n```\n";
        let marked = marked(&used(SUM), ComponentKind::Samples, text);
        let right = vec![
            ("SAMPLE DATA (first 1 row of bookings):", vec!["bookings"]),
            ("id | status", vec!["status"]),
        ];
        assert_eq!(marked, right);
    }
}
