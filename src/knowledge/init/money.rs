//! Columns that hold money, by their names.

use crate::domain::{Column, ColumnKind};

/// Words of names of amounts of money.
const MONEY: &[&str] = &[
    "amount",
    "balance",
    "bonus",
    "budget",
    "charge",
    "commission",
    "cost",
    "credit",
    "debit",
    "deposit",
    "earnings",
    "expense",
    "fare",
    "fee",
    "fine",
    "freight",
    "gross",
    "income",
    "payment",
    "premium",
    "price",
    "profit",
    "refund",
    "revenue",
    "salary",
    "sales",
    "spend",
    "subtotal",
    "tax",
    "tip",
    "total",
    "turnover",
    "wage",
];

/// Words that make of such a name something else: `payment_id`, `price_count`.
const OTHER: &[&str] =
    &["id", "count", "number", "code", "type", "date", "percent", "pct", "quantity", "status"];

/// Words of names of amounts that are added up; prices are not.
const ADDED: &[&str] = &[
    "amount", "cost", "gross", "income", "payment", "profit", "revenue", "sales", "subtotal",
    "total", "turnover",
];

/// Ranks a column as a measure: lower is likelier to be added up.
pub(super) fn rank(column: &Column) -> usize {
    let words = super::short::split(&column.name);
    usize::from(!words.iter().any(|word| ADDED.contains(&word.as_str())))
}

/// Tells whether a column's numbers look like money.
pub(super) fn is_money(column: &Column) -> bool {
    let words = super::short::split(&column.name);
    let number = column.kind.is_number()
        // NUMERIC holds amounts more often than anything else
        || (column.kind == ColumnKind::Unknown && !column.data_type.is_empty());
    let named = words.iter().any(|word| MONEY.contains(&word.as_str()));
    number && named && !words.iter().any(|word| OTHER.contains(&word.as_str()))
}
