//! Puts a query into plain English, exactly, without a model.
//!
//! What belongs here: one file for whole SELECTs, one for values, one for conditions. What must never
//! come: leaving out a part that changes the result, or smoothing over what isn't understood: that is
//! quoted as written.
//! To add a phrase: the arm of the shape it says, and a line in `tests/english.rs`.

mod conditions;
mod selects;
mod values;

use sqlparser::ast::{Query, SetExpr, SetOperator, SetQuantifier};

use crate::domain::{Catalog, Span};

use super::scope::{Scope, Spans};
use super::{Binding, ReadQuery};

/// Deepest nesting that is said in words; below it the SQL is quoted.
const DEEPEST: usize = 30;

/// Says what a query reads, in one paragraph without a full stop at its end.
pub fn english(query: &ReadQuery, binding: &Binding, _catalog: &Catalog) -> String {
    let spans = Spans { text: query.text(), places: query.places() };
    let mut teller = Teller { spans, binding, selects: Vec::new(), depth: 0 };
    let told = teller.query(query.query());
    if query.is_explain() { format!("the engine's plan for {told}") } else { told }
}

/// State of the telling.
struct Teller<'a> {
    spans: Spans<'a>,
    binding: &'a Binding,
    /// The SELECTs that are being told, innermost last.
    selects: Vec<Open<'a>>,
    depth: usize,
}

/// A SELECT that is being told.
#[derive(Clone, Copy)]
struct Open<'a> {
    scope: usize,
    select: &'a sqlparser::ast::Select,
}

impl<'a> Teller<'a> {
    /// Quotes a piece as written.
    fn quoted(&self, span: Option<Span>) -> String {
        let written = span.map_or("…", |span| span.of(self.spans.text));
        format!("`{}`", written.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn scope(&self, scope: usize) -> Option<&'a Scope> {
        self.binding.scopes.get(scope)
    }

    /// Tells a whole query.
    fn query(&mut self, query: &'a Query) -> String {
        if self.depth > DEEPEST {
            return self.quoted(self.spans.span(query));
        }
        self.depth += 1;
        let mut told = match &*query.body {
            SetExpr::Select(select) => self.select(select, Some(query)),
            body => {
                let rows = self.set_expr(body);
                self.set_tail(query, rows)
            }
        };
        if let Some(with) = &query.with {
            let parts: Vec<String> = with
                .cte_tables
                .iter()
                .map(|cte| {
                    let name = &cte.alias.name.value;
                    format!("{name} stands for ({})", self.query(&cte.query))
                })
                .collect();
            told = format!("{told}; where {}", parts.join("; "));
        }
        self.depth -= 1;
        told
    }

    fn set_expr(&mut self, body: &'a SetExpr) -> String {
        let mut arms = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation { left, op, set_quantifier, right } = first {
            arms.push((*op, *set_quantifier, &**right));
            first = left;
        }
        let mut told = self.arm(first);
        for (n, (op, quantifier, right)) in arms.into_iter().rev().enumerate() {
            let left = if n == 0 { told } else { format!("({told})") };
            let right = self.arm(right);
            let all = matches!(quantifier, SetQuantifier::All | SetQuantifier::AllByName);
            told = match op {
                SetOperator::Union if all => format!("{left}, followed by {right}"),
                SetOperator::Union => format!("{left}, together with {right}, each row once"),
                SetOperator::Intersect => {
                    format!("the rows that are both in ({left}) and in ({right})")
                }
                SetOperator::Except | SetOperator::Minus => {
                    format!("the rows of ({left}) that aren't in ({right})")
                }
            };
        }
        told
    }

    fn arm(&mut self, body: &'a SetExpr) -> String {
        match body {
            SetExpr::Select(select) => self.select(select, None),
            SetExpr::Query(query) => format!("({})", self.query(query)),
            SetExpr::SetOperation { .. } if self.depth <= DEEPEST => {
                self.depth += 1;
                let told = format!("({})", self.set_expr(body));
                self.depth -= 1;
                told
            }
            SetExpr::SetOperation { .. }
            | SetExpr::Values(_)
            | SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_)
            | SetExpr::Table(_) => self.quoted(self.spans.span(body)),
        }
    }
}

/// Joins words with commas and a last `and`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
