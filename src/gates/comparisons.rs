//! Comparisons said another way: denied, read from right to left, several as a list.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the parser has far more operators than comparisons"
)]

use sqlparser::ast::BinaryOperator;

/// The comparison that holds where another doesn't; both are unknown for NULL.
pub(super) fn denied(op: &BinaryOperator) -> Option<BinaryOperator> {
    match op {
        BinaryOperator::Lt => Some(BinaryOperator::GtEq),
        BinaryOperator::LtEq => Some(BinaryOperator::Gt),
        BinaryOperator::Gt => Some(BinaryOperator::LtEq),
        BinaryOperator::GtEq => Some(BinaryOperator::Lt),
        BinaryOperator::Eq => Some(BinaryOperator::NotEq),
        BinaryOperator::NotEq => Some(BinaryOperator::Eq),
        _ => None,
    }
}

/// A comparison read from right to left.
pub(super) fn turned(op: &BinaryOperator) -> Option<BinaryOperator> {
    match op {
        BinaryOperator::Lt => Some(BinaryOperator::Gt),
        BinaryOperator::LtEq => Some(BinaryOperator::GtEq),
        BinaryOperator::Gt => Some(BinaryOperator::Lt),
        BinaryOperator::GtEq => Some(BinaryOperator::LtEq),
        _ => None,
    }
}

/// Turns `x='a'` or `x='b'` into a list.
pub(super) fn either(sides: &[String; 2]) -> Option<String> {
    let split = |text: &str| -> Option<(String, Vec<String>)> {
        if let Some((of, list)) = text.split_once("in[") {
            let values = list.strip_suffix(']')?.split(',').map(str::to_owned).collect();
            return Some((of.to_owned(), values));
        }
        let (of, value) = text.split_once('=')?;
        (!of.ends_with('!') && value.starts_with(['\'', '0']))
            .then(|| (of.to_owned(), vec![value.to_owned()]))
    };
    let ((a, mut values), (b, more)) = (split(&sides[0])?, split(&sides[1])?);
    values.extend(more);
    values.sort();
    (a == b && !a.contains('(')).then(|| format!("{a}in[{}]", values.join(",")))
}
