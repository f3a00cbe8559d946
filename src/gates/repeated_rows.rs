//! The same row several times, where each is asked for once or a join repeats it for nothing.

use std::collections::BTreeSet;

use crate::domain::{Severity, Value};

use super::asked::Asked;
use super::look::{finding, pairs};
use super::tables::unused;
use super::{After, Verdict};

/// Looks whether rows come again.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let Some(question) = look.before.question else { return Verdict::default() };
    let mut seen = BTreeSet::new();
    let again = look.rows.rows.iter().find(|row| {
        let cells: Vec<String> = row.iter().map(Value::literal).collect();
        !seen.insert(cells)
    });
    let Some(again) = again else { return Verdict::default() };
    let cells: Vec<String> = again.iter().take(4).map(Value::literal).collect();
    let evidence = format!("for example {}", cells.join(", "));
    let (message, hint) = if Asked::of(question).different() {
        ("the question asks for different ones, and rows repeat".to_owned(), "Use DISTINCT.")
    } else if let Some(table) = repeated_by(look) {
        let message = format!("{table} is joined for nothing, and its rows repeat the result");
        (message, "Leave out the table that nothing is taken from.")
    } else {
        return Verdict::default();
    };
    let mut found = finding("repeated_rows", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some(hint.to_owned());
    vec![found].into()
}

/// Finds a table of which nothing but the join is used, and that has several rows for one.
fn repeated_by<'a>(look: &After<'a>) -> Option<&'a str> {
    let before = &look.before;
    let index = before.binding.outermost?;
    let scope = before.binding.scopes.get(index)?;
    if scope.is_aggregated() || scope.distinct {
        return None;
    }
    unused(before, index, scope).into_iter().find_map(|at| {
        let relation = scope.relations.get(at)?;
        let others = (0..scope.relations.len()).filter(|other| *other != at);
        let mut joined = others.flat_map(|other| pairs(scope, other, at));
        let columns: Vec<&str> = joined.by_ref().map(|(_, theirs)| theirs).collect();
        (!before.is_unique(relation, &columns)).then(|| relation.table()).flatten()
    })
}
