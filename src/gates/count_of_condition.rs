//! A condition that is counted as if COUNT counted where it holds: it counts where it is known.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the parser's tree has far more kinds of expression than conditions use"
)]

use sqlparser::ast::{BinaryOperator, Expr};

use crate::domain::{Finding, Severity};
use crate::sql::scope::AggregateUse;

use super::formula::parse;
use super::look::finding;
use super::{Before, Verdict};

/// Looks at the argument of every COUNT.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let all = look.binding.scopes.iter().flat_map(|scope| &scope.aggregates);
    let counts = all.filter(|aggregate| aggregate.function == "count" && !aggregate.distinct);
    counts.filter_map(|aggregate| judge(look, aggregate)).collect::<Vec<_>>().into()
}

fn judge(look: &Before<'_>, aggregate: &AggregateUse) -> Option<Finding> {
    let condition = look.text(aggregate.argument?);
    let argument = parse(condition, look.query.dialect())?;
    if !is_condition(&argument) {
        return None;
    }
    let call = look.text(aggregate.span);
    let message =
        format!("{call} counts every row for which the condition isn't NULL, true or not");
    let evidence = "COUNT leaves out NULL alone, and a comparison that is false gives 0, not NULL";
    let mut found = finding("count_of_condition", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(aggregate.span);
    found.hint = Some(format!("Count where it holds: COUNT(CASE WHEN {condition} THEN 1 END)."));
    Some(found)
}

/// Tells whether an expression is true or false for each row, never another value. `x = 1 OR NULL`
/// is NULL where it doesn't hold, and is counted so on purpose.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_condition(inner),
        Expr::BinaryOp { op, left, right } => match op {
            BinaryOperator::And | BinaryOperator::Or => is_condition(left) && is_condition(right),
            BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq => true,
            _ => false,
        },
        Expr::In { .. }
        | Expr::Between { .. }
        | Expr::Like { .. }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_) => true,
        _ => false,
    }
}
