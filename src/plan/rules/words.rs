//! Says in words what a plan was understood to be.

use crate::domain::plan::{Aggregate, Comparison, Condition, Operand, SetOperation, Term};
use crate::domain::{Plan, Value};

/// Says a plan in one sentence without a full stop.
pub(super) fn words(plan: &Plan) -> String {
    let outputs: Vec<String> = plan
        .dimensions
        .iter()
        .map(term)
        .chain(plan.measures.iter().map(|m| term(&m.term)))
        .collect();
    let different = if plan.distinct { "different " } else { "" };
    let mut parts =
        vec![format!("{different}{} from {}", outputs.join(", "), plan.tables.join(", "))];
    let filters: Vec<String> = plan.filters.iter().map(condition).collect();
    if !filters.is_empty() {
        parts.push(format!(", where {}", filters.join(" and ")));
    }
    if !plan.group_by.is_empty() {
        parts.push(format!(", {}", plan.grain));
    }
    let having: Vec<String> = plan.having.iter().map(condition).collect();
    if !having.is_empty() {
        parts.push(format!(", groups with {}", having.join(" and ")));
    }
    if !plan.order.is_empty() {
        let key = |o: &crate::domain::plan::Order| {
            format!(
                "{} ({} first)",
                term(&o.term),
                if o.descending { "largest" } else { "smallest" }
            )
        };
        let keys: Vec<String> = plan.order.iter().map(key).collect();
        parts.push(format!(", sorted by {}", keys.join(", ")));
    }
    if let Some(limit) = plan.limit {
        parts.push(format!(", the first {limit}"));
    }
    if let Some((operation, other)) = &plan.combined {
        let joined = match operation {
            SetOperation::Union => "or",
            SetOperation::Intersect => "and also",
            SetOperation::Except => "but not",
        };
        parts.push(format!("; {joined}: {}", words(other)));
    }
    parts.concat()
}

fn term(term_: &Term) -> String {
    match term_ {
        Term::Column(at) => at.to_string(),
        Term::Star => "all columns".to_owned(),
        Term::Sql(sql) => sql.clone(),
        Term::Aggregate { function: Aggregate::Count, of, distinct } => match (&**of, distinct) {
            (Term::Star, _) => "the number of rows".to_owned(),
            (of, true) => format!("the number of different {}", term(of)),
            (of, false) => format!("the number of {}", term(of)),
        },
        Term::Aggregate { function, of, .. } => {
            let name = match function {
                Aggregate::Count => "number",
                Aggregate::Sum => "sum",
                Aggregate::Avg => "average",
                Aggregate::Min => "smallest",
                Aggregate::Max => "largest",
            };
            format!("the {name} of {}", term(of))
        }
    }
}

fn condition(condition_: &Condition) -> String {
    match condition_ {
        Condition::Compare { left, by, right } => {
            format!("{} {} {}", term(left), comparison(*by), operand(right))
        }
        Condition::Null { left, not } => {
            format!("{} is {}", term(left), if *not { "known" } else { "not known" })
        }
        Condition::Any(any) => any.iter().map(condition).collect::<Vec<_>>().join(" or "),
        Condition::Sql(sql) => sql.clone(),
    }
}

fn comparison(by: Comparison) -> &'static str {
    match by {
        Comparison::Equal => "is",
        Comparison::NotEqual => "is not",
        Comparison::Less => "is less than",
        Comparison::LessEqual => "is at most",
        Comparison::Greater => "is more than",
        Comparison::GreaterEqual => "is at least",
        Comparison::Like => "is like",
        Comparison::NotLike => "is not like",
        Comparison::In => "is one of",
        Comparison::NotIn => "is none of",
        Comparison::Between => "is between",
    }
}

fn operand(right: &Operand) -> String {
    match right {
        Operand::Value(value) => value_words(value),
        Operand::Values(values) => values.iter().map(value_words).collect::<Vec<_>>().join(", "),
        Operand::Range(low, high) => format!("{} and {}", value_words(low), value_words(high)),
        Operand::Term(other) => term(other),
        Operand::Plan(plan) => format!("({})", words(plan)),
    }
}

fn value_words(value: &Value) -> String {
    value.literal()
}
