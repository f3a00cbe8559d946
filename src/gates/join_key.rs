//! A join on columns that no key connects.

use crate::domain::{ColumnRef, Finding, Probe, Severity};
use crate::sql::scope::{JoinPair, Scope};

use super::look::{Probed, finding, probe};
use super::{Before, Verdict};

/// Looks at every equality that joins two tables.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for scope in &look.binding.scopes {
        for pair in &scope.joins {
            let Some(mut found) = judge(look, scope, pair) else { continue };
            match points_to(look, pair) {
                Points::Ask(asked) => {
                    verdict.join(Verdict { probes: vec![asked], ..Verdict::default() });
                }
                Points::There => {
                    found.severity = Severity::Info;
                    found.retryable = false;
                    found.hint = None;
                    found.evidence.push_str(", but every value is one of the other table's key");
                }
                Points::Elsewhere => {}
            }
            verdict.findings.push(found);
        }
        for at in 0..scope.relations.len() {
            verdict.findings.extend(natural(look, scope, at));
        }
    }
    verdict
}

fn judge(look: &Before<'_>, scope: &Scope, pair: &JoinPair) -> Option<Finding> {
    let (Some(a), Some(b)) = (&pair.columns.0, &pair.columns.1) else { return None };
    let keys_known = |table: &str| look.catalog.keys_of(table).next().is_some();
    if !keys_known(&a.table) || !keys_known(&b.table) || on_key(look, a, b) {
        return None;
    }
    // Another equality between the same two may carry the key.
    let both = |other: &&JoinPair| {
        other.relations == pair.relations || other.relations == (pair.relations.1, pair.relations.0)
    };
    let carried = scope.joins.iter().filter(both).any(|other| {
        matches!((&other.columns.0, &other.columns.1), (Some(x), Some(y)) if on_key(look, x, y))
    });
    if carried {
        return None;
    }
    let keys = keys_between(look, a, b);
    let message = format!("{a} = {b} joins on no known key");
    let evidence = if keys.is_empty() {
        format!("no key leads from {} to {}", a.table, b.table)
    } else {
        format!("the known key is {}", keys.join(" or "))
    };
    let known = !keys.is_empty();
    let severity = if known { Severity::Warning } else { Severity::Info };
    let mut found = finding("join_key", severity, message, evidence);
    found.retryable = known;
    found.hint =
        known.then(|| format!("Join {} and {} on {}.", a.table, b.table, keys.join(" or ")));
    found.span = Some(pair.span);
    Some(found)
}

/// Whether the data makes a key of an equality that nobody declared.
enum Points {
    Ask(Probe),
    There,
    Elsewhere,
}

/// Tells whether every value of one side is a key of the other: `country.Capital` in `city.ID`. A
/// side that is a key itself, or leads to another table already, proves nothing by that.
fn points_to(look: &Before<'_>, pair: &JoinPair) -> Points {
    let (Some(a), Some(b)) = (&pair.columns.0, &pair.columns.1) else { return Points::Elsewhere };
    let is_key = |at: &ColumnRef| {
        let table = look.catalog.table(&at.table);
        table.is_some_and(|table| table.is_unique(&[&at.column]))
    };
    let leads = |at: &ColumnRef| roots(look, at).len() > 1;
    let (from, to) = match (is_key(a), is_key(b)) {
        (true, false) => (b, a),
        (false, true) => (a, b),
        (true, true) | (false, false) => return Points::Elsewhere,
    };
    if leads(from) {
        return Points::Elsewhere;
    }
    let of = |at: &ColumnRef| (look.quoted_table(&at.table), look.quoted(&at.column));
    let ((table, column), (target, key)) = (of(from), of(to));
    let sql = format!(
        "SELECT {column} FROM {table} WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT {key} FROM {target}) LIMIT 1"
    );
    match look.answer(&sql) {
        Probed::Open => {
            Points::Ask(probe("join_key", format!("whether {from} is a key to {to}"), sql))
        }
        Probed::Rows(rows) if rows.rows.is_empty() => Points::There,
        Probed::Lost | Probed::Rows(_) => Points::Elsewhere,
    }
}

/// Judges a NATURAL JOIN: columns that only happen to be called the same are compared too.
fn natural(look: &Before<'_>, scope: &Scope, at: usize) -> Option<Finding> {
    let span = scope.relations.get(at)?.span;
    // of NATURAL alone the place is the relation
    let pairs: Vec<&JoinPair> = scope.joins.iter().filter(|pair| pair.span == span).collect();
    let on_keys = pairs.iter().filter_map(|pair| ends(pair)).filter(|(a, b)| on_key(look, a, b));
    let keys: Vec<_> = on_keys.collect();
    let key = keys.first().filter(|_| keys.len() < pairs.len())?;
    let all: Vec<&str> = pairs.iter().map(|pair| pair.names.1.as_str()).collect();
    let message = format!("NATURAL JOIN compares every column of one name: {}", all.join(" and "));
    let evidence = format!("the known key is {} = {}", key.0, key.1);
    let mut found = finding("join_key", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some(format!("Join ON {} = {} alone.", key.0, key.1));
    found.span = Some(span);
    Some(found)
}

fn ends(pair: &JoinPair) -> Option<(&ColumnRef, &ColumnRef)> {
    pair.columns.0.as_ref().zip(pair.columns.1.as_ref())
}

fn same(at: &ColumnRef, table: &str, column: &str) -> bool {
    at.table.eq_ignore_ascii_case(table) && at.column.eq_ignore_ascii_case(column)
}

/// Tells whether two columns are the ends of a key, point to the same column, or are one column.
fn on_key(look: &Before<'_>, a: &ColumnRef, b: &ColumnRef) -> bool {
    roots(look, a).iter().any(|root| roots(look, b).contains(root))
}

/// Follows the keys from a column to where they end, the column itself included.
fn roots(look: &Before<'_>, at: &ColumnRef) -> Vec<(String, String)> {
    let lower = |t: &str, c: &str| (t.to_lowercase(), c.to_lowercase());
    let mut roots = vec![lower(&at.table, &at.column)];
    let mut next = 0;
    while let Some((table, column)) = roots.get(next).cloned() {
        next += 1;
        for key in &look.catalog.keys {
            for (from, to) in key.from_columns.iter().zip(&key.to_columns) {
                let here = ColumnRef::new(table.clone(), column.clone());
                let target = lower(&key.to_table, to);
                if same(&here, &key.from_table, from) && !roots.contains(&target) {
                    roots.push(target);
                }
            }
        }
    }
    roots
}

/// Writes the keys that connect two tables directly.
fn keys_between(look: &Before<'_>, a: &ColumnRef, b: &ColumnRef) -> Vec<String> {
    let touches = |from: &str, to: &str| {
        (from.eq_ignore_ascii_case(&a.table) && to.eq_ignore_ascii_case(&b.table))
            || (from.eq_ignore_ascii_case(&b.table) && to.eq_ignore_ascii_case(&a.table))
    };
    let keys = look.catalog.keys.iter().filter(|key| touches(&key.from_table, &key.to_table));
    let written = keys.map(|key| {
        let pairs = key.from_columns.iter().zip(&key.to_columns);
        let parts: Vec<String> =
            pairs.map(|(f, t)| format!("{}.{f} = {}.{t}", key.from_table, key.to_table)).collect();
        parts.join(" AND ")
    });
    written.collect()
}
