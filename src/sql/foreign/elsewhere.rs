//! A text that its own engine's rules can't read, read by those of others to say what is foreign.

use sqlparser::dialect as parsers;
use sqlparser::dialect::Dialect as Rules;

use crate::domain::{Catalog, Dialect, Failure, Stage};
use crate::sql::rewrite::{Edit, apply};
use crate::sql::scope::Binding;
use crate::sql::{ReadQuery, dialect};

use super::foreign;

/// Whose rules are tried, the most lenient first.
fn rules() -> [Box<dyn Rules>; 7] {
    [
        Box::new(parsers::GenericDialect {}),
        Box::new(parsers::MySqlDialect {}),
        Box::new(parsers::MsSqlDialect {}),
        Box::new(parsers::SnowflakeDialect {}),
        Box::new(parsers::BigQueryDialect {}),
        Box::new(parsers::DuckDbDialect {}),
        Box::new(parsers::SQLiteDialect {}),
    ]
}

/// Says what of a text belongs to another engine; none when nobody reads it, or nothing known is
/// the cause.
pub(crate) fn failure(text: &str, dialect: Dialect) -> Option<Failure> {
    rules().iter().find_map(|rules| {
        let query = ReadQuery::read(text, dialect, &**rules).ok()?;
        let found = foreign(&query, &Binding::default(), &Catalog::default()).diagnostics;
        let open = found.iter().any(|diagnostic| diagnostic.suggestions.is_empty());
        let edits = found.iter().filter_map(|diagnostic| {
            Some(Edit::replace(diagnostic.span?, diagnostic.suggestions.first()?))
        });
        let turned = outermost(edits.collect());
        let cause = !found.is_empty()
            && (open || apply(text, &turned).is_some_and(|now| reads(&now, dialect)));
        cause.then_some(Failure { stage: Stage::Parse, diagnostics: found, retryable: true })
    })
}

fn reads(text: &str, dialect: Dialect) -> bool {
    ReadQuery::read(text, dialect, &*dialect::parser(dialect)).is_ok()
}

/// Keeps the edits that stand in no other one; they come outermost first.
fn outermost(edits: Vec<Edit>) -> Vec<Edit> {
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        let covered = kept
            .iter()
            .any(|other| edit.span.start < other.span.end && other.span.start < edit.span.end);
        if !covered {
            kept.push(edit);
        }
    }
    kept
}
