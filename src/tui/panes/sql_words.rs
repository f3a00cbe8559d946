//! Plans in words, and signs of versions.

use crate::domain::plan::{Comparison, Condition, Operand, Term};
use crate::domain::{Plan, Severity, Version};

use super::super::theme::Role;

/// Returns the sign of a version: passed, look here, failed, or not told yet.
pub fn sign(version: &Version) -> (&'static str, Role) {
    let weight = version.findings.iter().map(|f| f.severity).max();
    if version.failure.is_some() || weight == Some(Severity::Blocking) {
        ("✗", Role::Bad)
    } else if weight == Some(Severity::Warning) {
        ("!", Role::Warn)
    } else if version.rows.is_some() {
        ("✓", Role::Good)
    } else {
        ("·", Role::Dim)
    }
}

/// Says a plan in one line.
pub fn plan(plan: &Plan) -> String {
    let mut parts = Vec::new();
    if !plan.grain.is_empty() {
        parts.push(plan.grain.clone());
    }
    parts.extend(plan.measures.iter().map(|measure| match &measure.metric {
        Some(metric) => format!("metric {metric}"),
        None => term(&measure.term),
    }));
    if !plan.dimensions.is_empty() {
        let words: Vec<String> = plan.dimensions.iter().map(term).collect();
        parts.push(format!(
            "{} {}",
            if plan.aggregates() { "by" } else { "shows" },
            words.join(", ")
        ));
    }
    parts.extend(
        plan.filters.iter().chain(&plan.having).map(|c| format!("filter {}", condition(c))),
    );
    if plan.joins.is_empty() {
        parts.push("no join".to_owned());
    } else {
        parts.push(format!("joins {}", plan.tables.join(", ")));
    }
    for order in &plan.order {
        let way = if order.descending { "largest first" } else { "smallest first" };
        parts.push(format!("by {}, {way}", term(&order.term)));
    }
    parts.extend(plan.limit.map(|n| format!("at most {n}")));
    parts.extend(plan.islands.iter().map(|island| format!("{}: {}", island.name, island.task)));
    parts.join(" · ")
}

fn term(of: &Term) -> String {
    match of {
        Term::Column(at) => at.column.clone(),
        Term::Star => "rows".to_owned(),
        Term::Aggregate { function, of, distinct } => {
            let once = if *distinct { "distinct " } else { "" };
            format!("{} of {once}{}", function.sql().to_lowercase(), term(of))
        }
        Term::Sql(sql) => sql.clone(),
    }
}

fn condition(of: &Condition) -> String {
    match of {
        Condition::Compare { left, by, right } => {
            format!("{} {} {}", term(left), comparison(*by), operand(right))
        }
        Condition::Null { left, not: false } => format!("{} is missing", term(left)),
        Condition::Null { left, not: true } => format!("{} is there", term(left)),
        Condition::Any(all) => all.iter().map(condition).collect::<Vec<_>>().join(" or "),
        Condition::Sql(sql) => sql.clone(),
    }
}

fn comparison(by: Comparison) -> &'static str {
    match by {
        Comparison::Equal => "=",
        Comparison::NotEqual => "≠",
        Comparison::Less => "<",
        Comparison::LessEqual => "≤",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => "≥",
        Comparison::Like => "like",
        Comparison::NotLike => "not like",
        Comparison::In => "in",
        Comparison::NotIn => "not in",
        Comparison::Between => "between",
    }
}

fn operand(of: &Operand) -> String {
    match of {
        Operand::Value(value) => value.literal(),
        Operand::Values(values) => {
            let all: Vec<String> = values.iter().map(crate::domain::Value::literal).collect();
            format!("({})", all.join(", "))
        }
        Operand::Range(from, to) => format!("{} and {}", from.literal(), to.literal()),
        Operand::Term(other) => term(other),
        Operand::Plan(inner) => format!("({})", plan(inner)),
    }
}
