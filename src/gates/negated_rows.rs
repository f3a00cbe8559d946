//! "Countries that don't speak English" by `<> 'English'` on the rows of a joined table: one other
//! language is enough to pass.

use crate::domain::plan::{Comparison, SetOperation};
use crate::domain::{Finding, Severity, Value};
use crate::sql::scope::{Clause, LiteralUse, Scope};

use super::asked::Asked;
use super::look::{finding, pairs};
use super::{Before, Verdict};

/// Looks at every `<>` on the many side of a join.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    if !look.question.is_some_and(|question| Asked::of(question).denies()) || excludes(look) {
        return Verdict::default();
    }
    let (Some(index), Some(scope)) = (look.binding.outermost, look.binding.outer()) else {
        return Verdict::default();
    };
    let denied = scope.literals.iter().filter(|l| {
        l.op == Comparison::NotEqual
            && l.clause == Clause::Where
            && matches!(l.value, Value::Text(_))
    });
    denied.filter_map(|literal| judge(look, index, scope, literal)).collect::<Vec<_>>().into()
}

/// Rows are excluded as a set somewhere already.
fn excludes(look: &Before<'_>) -> bool {
    let text = look.query.text().to_ascii_uppercase();
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    look.binding.set_operations.iter().any(|used| used.operation == SetOperation::Except)
        || flat.contains("NOT IN (SELECT")
        || flat.contains("NOT IN ( SELECT")
        || flat.contains("NOT EXISTS")
        || flat.contains("IS NULL")
}

fn judge(look: &Before<'_>, index: usize, scope: &Scope, used: &LiteralUse) -> Option<Finding> {
    let column = look.binding.columns.iter().find(|c| c.span == used.compared)?;
    let (_, many) = column.relation.filter(|(at, _)| *at == index)?;
    let shown = look
        .binding
        .columns
        .iter()
        .any(|c| c.clause == Clause::Output && c.relation == Some((index, many)));
    let relation = scope.relations.get(many)?;
    let one = (0..scope.relations.len()).find(|other| {
        let joined = pairs(scope, *other, many);
        let columns: Vec<&str> = joined.iter().map(|(_, theirs)| *theirs).collect();
        !columns.is_empty() && !look.is_unique(relation, &columns)
    })?;
    if shown {
        return None;
    }
    let (table, owner) = (relation.table()?, scope.relations.get(one)?.table()?);
    let literal = look.text(used.span);
    let message =
        format!("a row of {owner} passes as soon as one of its rows of {table} is not {literal}");
    let evidence = format!("{owner} may have several rows of {table}");
    let mut found = finding("negated_rows", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(used.span);
    found.hint = Some(format!(
        "If none of the rows of {table} may be {literal}, use NOT IN or NOT EXISTS with a subquery that finds {literal}."
    ));
    Some(found)
}
