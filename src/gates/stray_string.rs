//! A double-quoted word that names no column: SQLite reads it as a text, and says nothing.
//!
//! Where a text that is the same for every row has no use, the word is surely no text; elsewhere a
//! column close to it says so.

use crate::domain::{Finding, Severity};
use crate::sql::nearest::nearest;
use crate::sql::scope::{ColumnUse, Scope};

use super::look::finding;
use super::{Before, Verdict};

/// Closeness from which a column is told: one slip in a word of four letters.
const TOLD: f64 = 0.75;

/// Looks at every double-quoted word that binds to nothing.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let strays = look.binding.columns.iter().filter(|used| used.string);
    strays.filter_map(|used| judge(look, used)).collect::<Vec<_>>().into()
}

fn judge(look: &Before<'_>, used: &ColumnUse) -> Option<Finding> {
    let scope = look.binding.scopes.get(used.scope)?;
    let useless = useless(scope, used);
    let compared = scope.literals.iter().any(|literal| literal.span == used.span);
    let close = close(scope, &used.name);
    if useless.is_none() && (compared || close.is_none()) {
        return None; // a text that a column is compared with, or that is put out
    }
    let asked = close.map(|column| format!("; did you mean {column}?")).unwrap_or_default();
    let message =
        format!("{} names no column, so it is read as a text{asked}", look.text(used.span));
    let engine = look.query.dialect().name();
    let rule = format!("{engine} reads a double-quoted word that binds to nothing as a string");
    let evidence = useless.map_or_else(|| rule.clone(), |what| format!("{rule}: {what}"));
    let mut found = finding("stray_string", Severity::Warning, message, evidence);
    found.span = Some(used.span);
    found.retryable = true;
    let column = close.map_or_else(|| "a column".to_owned(), |name| format!("the column {name}"));
    found.hint = Some(format!("Write {column}, or single quotes if a text is meant."));
    Some(found)
}

/// Says why a text has no use at a place, where it has none.
fn useless(scope: &Scope, used: &ColumnUse) -> Option<&'static str> {
    let keyed = |keys: &[crate::sql::scope::Key]| keys.iter().any(|key| key.span == used.span);
    let taken = |function: &str| {
        let mut calls = scope.aggregates.iter().filter(|a| a.function == function);
        calls.any(|call| call.argument == Some(used.span))
    };
    if scope.literals.iter().any(|literal| literal.compared == used.span) {
        Some("two texts are compared, the same for every row")
    } else if keyed(&scope.tail.order_by) {
        Some("a text orders no rows")
    } else if keyed(&scope.group_by) {
        Some("a text makes one group of all rows")
    } else if ["sum", "avg", "total"].iter().any(|function| taken(function)) {
        Some("a text has no amount")
    } else {
        None
    }
}

/// Finds the column of a SELECT's relations that a word is close to.
fn close<'a>(scope: &'a Scope, word: &str) -> Option<&'a str> {
    let columns = scope.relations.iter().flat_map(|r| r.columns.iter().flatten());
    let ranked = nearest(word, columns.map(|c| c.name.as_str()));
    ranked.first().filter(|(_, score)| *score >= TOLD).map(|(name, _)| *name)
}
