//! NULL where a comparison can't find it: `= NULL`, and NOT IN a list that holds one.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, InTarget, UnaryOperator, Value, visit_expressions};

use crate::domain::{Finding, Severity};

use super::look::{Probed, finding, probe};
use super::{Before, Verdict};

/// Name of the gate.
const GATE: &str = "nulls";

/// Looks at every comparison with NULL, at lists that hold it, and at every NOT IN with a subquery.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let _ = visit_expressions(look.query.query(), |expr: &Expr| {
        if let Expr::BinaryOp { left, op, right } = expr {
            let compares = matches!(op, BinaryOperator::Eq | BinaryOperator::NotEq);
            if compares && (is_null(left) || is_null(right)) {
                verdict.findings.push(compared(expr, op));
            }
        } else if let Some((of, items, negated)) = listing(expr) {
            let nulls = items.iter().filter(|item| is_null(item)).count();
            if nulls > 0 && (negated || nulls == items.len()) {
                verdict.findings.push(written(expr, of, negated));
            }
        } else if let Expr::In {
            expr: of,
            target: InTarget::Subquery(subquery),
            negated: true,
            ..
        } = expr
        {
            let list = subquery.to_string();
            let sql = format!(
                "WITH listed(cell) AS ({list}) SELECT 1 FROM listed WHERE cell IS NULL LIMIT 1"
            );
            match look.answer(&sql) {
                Probed::Open => {
                    let asked = probe(GATE, "whether a list of NOT IN holds NULL", sql);
                    verdict.probes.push(asked);
                }
                Probed::Rows(rows) if !rows.rows.is_empty() => {
                    verdict.findings.push(listed(&of.to_string(), &list));
                }
                Probed::Rows(_) | Probed::Lost => {}
            }
        }
        ControlFlow::<()>::Continue(())
    });
    verdict
}

fn bare(expr: &Expr) -> &Expr {
    if let Expr::Nested(inner) = expr { bare(inner) } else { expr }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if value.value == Value::Null)
}

/// Takes a condition on a written list apart: `NOT a IN (…)` is `a NOT IN (…)`.
fn listing(expr: &Expr) -> Option<(&Expr, &[Expr], bool)> {
    if let Expr::UnaryOp { op: UnaryOperator::Not, expr } = expr {
        let (of, items, negated) = listing(bare(expr))?;
        return Some((of, items, !negated));
    }
    let Expr::In { expr, target: InTarget::List(items), negated, .. } = expr else { return None };
    Some((expr, items, *negated))
}

fn written(expr: &Expr, of: &Expr, negated: bool) -> Finding {
    let message = format!("{expr} holds for no row: nothing equals NULL, nor differs from it");
    let mut found = finding(GATE, Severity::Warning, message, "the list holds NULL");
    found.retryable = true;
    found.hint = Some(if negated {
        format!("Leave NULL out of the list, and write {of} IS NOT NULL.")
    } else {
        format!("Write {of} IS NULL.")
    });
    found
}

fn compared(expr: &Expr, op: &BinaryOperator) -> Finding {
    let message = format!("{expr} holds for no row: nothing equals NULL, nor differs from it");
    let mut found = finding(GATE, Severity::Warning, message, "a comparison with NULL is NULL");
    found.retryable = true;
    let instead = if *op == BinaryOperator::Eq { "IS NULL" } else { "IS NOT NULL" };
    found.hint = Some(format!("Write {instead}."));
    found
}

fn listed(of: &str, list: &str) -> Finding {
    let message = format!("{of} NOT IN (…) keeps no row: the list holds NULL");
    let evidence = format!("on this data {list} gives NULL too");
    let mut found = finding(GATE, Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint =
        Some("Leave NULL out of the subquery by IS NOT NULL, or use NOT EXISTS.".to_owned());
    found
}
