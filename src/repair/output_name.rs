//! A sort key that names the aggregate of the output by words, though no alias says so.

use crate::domain::Diagnostic;
use crate::sql::scope::{AggregateUse, Clause};

use super::case::{Case, Change};
use super::closeness::words;

/// Words (as stems) that people give an aggregate as a name.
const WORDS: &[(&str, &[&str])] = &[
    (
        "count",
        &["count", "num", "number", "quantiti", "qti", "total", "frequenc", "freq", "amount"],
    ),
    ("sum", &["sum", "total", "amount"]),
    ("avg", &["avg", "averag", "mean"]),
    ("max", &["max", "maximum", "highest", "largest"]),
    ("min", &["min", "minimum", "lowest", "smallest"]),
];

/// Replaces the name by the only aggregate of the output that its words fit.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if diagnostic.code != "no_such_column" {
        return None;
    }
    let name = case.column_of(diagnostic).filter(|name| name.qualifier.is_none())?;
    let used = case.binding.as_ref()?.columns.iter().find(|u| u.span == name.span)?;
    if used.clause != Clause::OrderBy && used.clause != Clause::Having {
        return None;
    }
    let (_, scope) = case.scope_at(name.span.start)?;
    let said = words(name.last);
    let fits = |aggregate: &&AggregateUse| {
        aggregate.clause == Clause::Output
            && !aggregate.window
            && WORDS.iter().any(|(function, stems)| {
                *function == aggregate.function && said.iter().any(|w| stems.contains(&w.as_str()))
            })
    };
    let mut outputs = scope.aggregates.iter().filter(|a| a.clause == Clause::Output);
    let only = outputs.next().filter(|_| outputs.next().is_none()).filter(fits)?;
    let call = only.span.of(case.sql);
    let words = format!("'{}' is no column, and {call} is the only aggregate put out", name.last);
    Some(Change::at(name.span, call, words))
}
