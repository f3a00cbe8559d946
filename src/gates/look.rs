//! What gates share: making a finding, asking the data, looking up stored values.

use crate::domain::{ColumnRef, Finding, Probe, ProbeAnswer, Severity, Span, Value, ValueList};
use crate::sql::dialect::{literal, quote, quote_table};
use crate::sql::scope::{Relation, Scope};

use super::Before;

/// Makes a finding without hint, place or rewrite.
pub(super) fn finding(
    gate: &str,
    severity: Severity,
    message: impl Into<String>,
    evidence: impl Into<String>,
) -> Finding {
    Finding {
        gate: gate.to_owned(),
        severity,
        message: message.into(),
        evidence: evidence.into(),
        retryable: false,
        hint: None,
        span: None,
        rewrite: None,
    }
}

/// Makes a probe.
pub(super) fn probe(asked_by: &str, purpose: impl Into<String>, sql: String) -> Probe {
    Probe { asked_by: asked_by.to_owned(), purpose: purpose.into(), sql }
}

/// What is known of a probe.
pub(super) enum Probed<'a> {
    /// Not asked yet.
    Open,
    /// Asked, and it failed or took too long.
    Lost,
    /// Its rows.
    Rows(&'a crate::domain::Rows),
}

impl<'a> Before<'a> {
    /// Finds the answer to a probe by its SQL.
    pub(super) fn answer(&self, sql: &str) -> Probed<'a> {
        let asked: Option<&'a ProbeAnswer> = self.probed.iter().find(|a| a.probe.sql == sql);
        match asked.map(|answer| answer.rows.as_ref()) {
            None => Probed::Open,
            Some(None) => Probed::Lost,
            Some(Some(rows)) => Probed::Rows(rows),
        }
    }

    /// Finds the stored values of a column.
    pub(super) fn values_of(&self, at: &ColumnRef) -> Option<&'a ValueList> {
        self.facts.values_of(at)
    }

    /// Returns the text at a place of the query.
    pub(super) fn text(&self, span: Span) -> &'a str {
        span.of(self.query.text())
    }

    /// Writes a table's name, quoted where need be, behind its schema.
    pub(super) fn quoted_table(&self, name: &str) -> String {
        quote_table(name, self.query.dialect())
    }

    /// Writes a value of a probe as the engine reads it.
    pub(super) fn literal(&self, value: &Value) -> String {
        match value {
            Value::Text(text) => literal(text, self.query.dialect()),
            Value::Null
            | Value::Integer(_)
            | Value::Real(_)
            | Value::Blob(_)
            | Value::Malformed(_) => value.literal(),
        }
    }

    /// Writes a column's name, quoted where need be.
    pub(super) fn quoted(&self, name: &str) -> String {
        quote(name, self.query.dialect())
    }

    /// Tells whether a relation has at most one row for each combination of these columns.
    pub(super) fn is_unique(&self, relation: &Relation, columns: &[&str]) -> bool {
        let table = relation.table().and_then(|name| self.catalog.table(name));
        table.is_some_and(|table| {
            table.is_unique(columns)
                || columns.iter().any(|c| table.column(c).is_some_and(|column| column.unique))
        })
    }
}

/// Lists the column pairs that join two relations of a SELECT, the first one's column first.
pub(super) fn pairs(scope: &Scope, a: usize, b: usize) -> Vec<(&str, &str)> {
    let pairs = scope.joins.iter().filter_map(|pair| {
        let names = (pair.names.0.as_str(), pair.names.1.as_str());
        match pair.relations {
            (x, y) if (x, y) == (a, b) => Some(names),
            (x, y) if (x, y) == (b, a) => Some((names.1, names.0)),
            _ => None,
        }
    });
    pairs.collect()
}

/// Splits a question into lower-case words.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Joins names or stored texts for a sentence, as literals of SQL: at most `most` of them.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let shown: Vec<String> =
        names.iter().take(most).map(|name| format!("'{}'", name.replace('\'', "''"))).collect();
    let more = names.len().saturating_sub(most);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{tail}", shown.join(", "))
}
