//! Columns that hold codes: few, short, and said again and again.

use crate::domain::{Column, ColumnKind, ColumnRef, Table, Value};

use super::Seen;

/// Most codes of a column.
const MOST: usize = 12;

/// Most codes of a column of numbers: all of them are known from its most frequent values.
const MOST_NUMBERS: u64 = 5;

/// Longest code, in characters.
const LONGEST: usize = 24;

/// Words of names whose numbers are codes and no amounts.
const CODED: &[&str] = &[
    "active",
    "approved",
    "archived",
    "class",
    "code",
    "deleted",
    "disabled",
    "discontinued",
    "enabled",
    "flag",
    "gender",
    "kind",
    "level",
    "mode",
    "paid",
    "phase",
    "priority",
    "reason",
    "role",
    "sex",
    "stage",
    "state",
    "status",
    "tier",
    "type",
    "valid",
    "verified",
];

/// Lists the codes of a column, sorted; none when it holds something else.
pub(super) fn of(seen: &Seen<'_>, table: &Table, column: &Column) -> Option<Vec<String>> {
    let at = ColumnRef::new(&table.name, &column.name);
    if column.unique {
        return None;
    }
    let codes = match column.kind {
        ColumnKind::Integer | ColumnKind::Boolean => numbers(seen, &at, column)?,
        ColumnKind::Text | ColumnKind::Unknown => texts(seen, &at, table)?,
        ColumnKind::Real | ColumnKind::Date | ColumnKind::Blob => return None,
    };
    let short = codes.iter().all(|code| !code.is_empty() && code.chars().count() <= LONGEST);
    ((2..=MOST).contains(&codes.len()) && short).then_some(codes)
}

fn texts(seen: &Seen<'_>, at: &ColumnRef, table: &Table) -> Option<Vec<String>> {
    let list = seen.values.iter().find(|list| list.at == *at && list.complete)?;
    let measured = seen.stats(at).filter(|stats| stats.complete);
    let rows = measured.map(|stats| stats.rows_read.saturating_sub(stats.nulls));
    let rows = rows.or(table.rows.map(|rows| rows.count)).unwrap_or(u64::MAX);
    // what is said only once or twice each names things rather than sorts them
    let again = u64::try_from(list.values.len()).is_ok_and(|values| values * 3 <= rows);
    again.then(|| list.values.to_vec())
}

fn numbers(seen: &Seen<'_>, at: &ColumnRef, column: &Column) -> Option<Vec<String>> {
    let stats = seen.stats(at)?;
    let words = super::short::split(&column.name);
    let named = words.iter().any(|word| CODED.contains(&word.as_str()))
        || words.first().is_some_and(|word| word == "is" || word == "has");
    if !named || !stats.complete || stats.distinct > MOST_NUMBERS {
        return None;
    }
    let mut codes: Vec<i64> = Vec::new();
    for (value, _) in &stats.top {
        let Value::Integer(n) = value else { return None };
        codes.push(*n);
    }
    codes.sort_unstable();
    Some(codes.into_iter().map(|n| n.to_string()).collect())
}
