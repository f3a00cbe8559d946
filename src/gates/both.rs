//! "Both A and B" answered by rows that have either.

use std::collections::BTreeMap;

use crate::domain::Severity;
use crate::domain::plan::Comparison;
use crate::sql::scope::Clause;

use super::asked::Asked;
use super::look::finding;
use super::{Before, Verdict};

/// Looks at a single SELECT that compares one column with several values.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let asked = look.question.is_some_and(|question| Asked::of(question).both());
    let ([scope], true, true) =
        (look.binding.scopes.as_slice(), asked, look.binding.set_operations.is_empty())
    else {
        return Verdict::default();
    };
    if scope.having.is_some() {
        return Verdict::default();
    }
    let mut values: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for used in &scope.literals {
        let equal = matches!(used.op, Comparison::Equal | Comparison::In);
        let Some(column) = used.column.as_ref().filter(|_| equal && used.clause == Clause::Where)
        else {
            continue;
        };
        // the same table twice is another row
        let twice = scope.relations.iter().filter(|r| r.table() == Some(column.table.as_str()));
        if twice.count() == 1 {
            values.entry(column.to_string()).or_default().push(look.text(used.span));
        }
    }
    let Some((column, values)) = values.into_iter().find(|(_, values)| values.len() > 1) else {
        return Verdict::default();
    };
    let message = format!("the question asks for both, and no row has two values of {column}");
    let evidence = format!("{column} is compared with {}", values.join(" and "));
    let mut found = finding("both", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some(
        "Find what has the one and what has the other by two queries joined with INTERSECT, or by two IN conditions.".to_owned(),
    );
    vec![found].into()
}
