//! The direct parts of an expression.

use sqlparser::ast::{AccessExpr, Expr, FunctionArg, FunctionArgExpr, InTarget, Subscript};

/// Removes parentheses around an expression.
pub(in crate::sql) fn bare(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// Lists the direct parts of an expression that need no treatment of their own.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of expression of the grammar")]
pub(super) fn children(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::IsFalse(e)
        | Expr::IsNotFalse(e)
        | Expr::IsTrue(e)
        | Expr::IsNotTrue(e)
        | Expr::IsNull(e)
        | Expr::IsNotNull(e)
        | Expr::IsUnknown(e)
        | Expr::IsNotUnknown(e)
        | Expr::Nested(e)
        | Expr::OuterJoin(e)
        | Expr::Prior(e)
        | Expr::UnaryOp { expr: e, .. }
        | Expr::Cast { expr: e, .. }
        | Expr::Extract { expr: e, .. }
        | Expr::Ceil { expr: e, .. }
        | Expr::Floor { expr: e, .. }
        | Expr::Collate { expr: e, .. }
        | Expr::Convert { expr: e, .. }
        | Expr::Named { expr: e, .. }
        | Expr::Prefixed { value: e, .. }
        | Expr::IsJson { expr: e, .. }
        | Expr::JsonAccess { value: e, .. }
        | Expr::IsNormalized { expr: e, .. } => vec![e],
        Expr::Interval(interval) => vec![&interval.value],
        Expr::IsDistinctFrom(a, b) | Expr::IsNotDistinctFrom(a, b) => vec![a, b],
        Expr::AnyOp { left, right, .. }
        | Expr::AllOp { left, right, .. }
        | Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::SimilarTo { expr, pattern, .. }
        | Expr::RLike { expr, pattern, .. }
        | Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. } => vec![expr, pattern],
        Expr::Between { expr, low, high, .. } => vec![expr, low, high],
        Expr::AtTimeZone { timestamp, time_zone } => vec![timestamp, time_zone],
        Expr::Position { expr, r#in } => vec![expr, r#in],
        Expr::Substring { expr, substring_from, substring_for, .. } => {
            let mut parts: Vec<&Expr> = vec![expr];
            parts.extend(substring_from.iter().chain(substring_for).map(|e| &**e));
            parts
        }
        Expr::Trim { expr, trim_what, trim_characters, .. } => {
            let mut parts: Vec<&Expr> = vec![expr];
            parts.extend(trim_what.iter().map(|e| &**e));
            parts.extend(trim_characters.iter().flatten());
            parts
        }
        Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
            let mut parts: Vec<&Expr> = vec![expr, overlay_what, overlay_from];
            parts.extend(overlay_for.iter().map(|e| &**e));
            parts
        }
        Expr::Tuple(items) => items.iter().collect(),
        Expr::Array(array) => array.elem.iter().collect(),
        Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
            sets.iter().flatten().collect()
        }
        Expr::CompoundFieldAccess { root, access_chain } => {
            let mut parts: Vec<&Expr> = vec![root];
            for access in access_chain {
                if let AccessExpr::Subscript(Subscript::Index { index }) = access {
                    parts.push(index);
                }
            }
            parts
        }
        Expr::In { expr, target, .. } => {
            let mut parts: Vec<&Expr> = vec![expr];
            if let InTarget::List(items) = target {
                parts.extend(items);
            }
            parts
        }
        Expr::Case { operand, conditions, else_result, .. } => {
            let mut parts: Vec<&Expr> = operand.iter().map(|e| &**e).collect();
            parts.extend(conditions.iter().flat_map(|when| [&when.condition, &when.result]));
            parts.extend(else_result.iter().map(|e| &**e));
            parts
        }
        _ => Vec::new(),
    }
}

/// Returns the expression of a plain argument.
pub(in crate::sql) fn argument(arg: &FunctionArg) -> Option<&Expr> {
    let (FunctionArg::Unnamed(arg)
    | FunctionArg::Named { arg, .. }
    | FunctionArg::ExprNamed { arg, .. }) = arg;
    if let FunctionArgExpr::Expr(expr) = arg { Some(expr) } else { None }
}
