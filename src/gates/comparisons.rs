//! Comparisons said the other way: denied, or read from right to left.
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
