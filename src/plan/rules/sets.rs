//! Builds plans that need two: conditions that different rows must fulfil.

use crate::domain::plan::{Comparison, Condition, Operand, SetOperation};
use crate::domain::{ColumnRef, Plan, Value};

use super::build::{Builder, groups};
use super::schema::{Schema, same};
use super::sketch::{Filter, Output, Sketch};

/// Builds the plan, or says why not.
pub(super) fn build(schema: &Schema<'_>, sketch: &Sketch) -> Result<Plan, String> {
    let both = sketch.both.or_else(|| exclusive(sketch));
    if let (Some((a, b)), [Output::Rows(table)]) = (both, sketch.outputs.as_slice()) {
        return counted_both(schema, sketch, table, a, b);
    }
    if both.is_some() && !sketch.outputs.iter().all(|o| matches!(o, Output::Column(_))) {
        return Err("counting what fulfils two conditions on different rows".to_owned());
    }
    match both {
        Some((a, b)) => {
            let mut first = single(schema, &leave_out(sketch, b))?;
            let mut second = single(schema, &leave_out(sketch, a))?;
            // A set operation leaves out repeated rows by itself.
            first.distinct = false;
            second.distinct = false;
            first.combined = Some((SetOperation::Intersect, Box::new(second)));
            Ok(first)
        }
        None => single(schema, sketch),
    }
}

/// Counts the rows of a table that have partners for both conditions.
fn counted_both(
    schema: &Schema<'_>,
    sketch: &Sketch,
    table: &str,
    a: usize,
    b: usize,
) -> Result<Plan, String> {
    let mut rest = leave_out(sketch, a.max(b));
    rest = leave_out(&rest, a.min(b));
    rest.related.clear();
    let builder = Builder { schema, sketch: &rest, groups: None };
    let mut plan = builder.plan()?;
    for n in [a, b] {
        let Some(Filter::Is(at, condition)) = sketch.filters.get(n) else { continue };
        if at.table == table {
            return Err("counting what fulfils two conditions on different rows".to_owned());
        }
        let with = [(at.clone(), condition.clone())];
        plan.filters.push(builder.partner(table, &at.table, &with, Comparison::In)?);
    }
    Ok(plan)
}

/// Two conditions on one column that no single row can fulfil: different rows must.
fn exclusive(sketch: &Sketch) -> Option<(usize, usize)> {
    let chained: Vec<usize> = sketch.either.iter().flatten().copied().collect();
    let mut seen: Vec<(usize, &ColumnRef, Comparison, &Value)> = Vec::new();
    for (n, filter) in sketch.filters.iter().enumerate() {
        let Filter::Is(at, Condition::Compare { by, right: Operand::Value(value), .. }) = filter
        else {
            continue;
        };
        if chained.contains(&n) {
            continue;
        }
        for (m, other, other_by, other_value) in &seen {
            if same(at, other) && excludes(*other_by, other_value, *by, value) {
                return Some((*m, n));
            }
        }
        seen.push((n, at, *by, value));
    }
    None
}

fn excludes(a: Comparison, x: &Value, b: Comparison, y: &Value) -> bool {
    let number = |v: &Value| v.number().or_else(|| v.plain().parse::<f64>().ok());
    let below = |by| matches!(by, Comparison::Less | Comparison::LessEqual);
    let above = |by| matches!(by, Comparison::Greater | Comparison::GreaterEqual);
    match (a, b) {
        (Comparison::Equal, Comparison::Equal) => x != y,
        _ if below(a) && above(b) => number(x).zip(number(y)).is_some_and(|(x, y)| x <= y),
        _ if above(a) && below(b) => number(x).zip(number(y)).is_some_and(|(x, y)| x >= y),
        _ => false,
    }
}

fn leave_out(sketch: &Sketch, position: usize) -> Sketch {
    let mut sketch = sketch.clone();
    if position < sketch.filters.len() {
        sketch.filters.remove(position);
    }
    sketch.both = None;
    sketch
}

fn single(schema: &Schema<'_>, sketch: &Sketch) -> Result<Plan, String> {
    let builder = Builder { schema, sketch, groups: groups(schema, sketch)? };
    builder.plan()
}
