//! Puts a query into plain English, exactly, without a model.
//!
//! What belongs here: one file for whole SELECTs, one each for FROM, order, values, calls, windows and
//! conditions. What must never come: leaving out a part that changes the result, one phrase for two
//! meanings, or smoothing over what isn't understood: that is quoted as written, and counted.
//! To add a phrase: the arm of the shape it says, and a line in `tests/sql/english.rs`.

mod calls;
mod conditions;
mod names;
mod order;
mod selects;
mod sources;
mod values;
mod windows;

use sqlparser::ast::{Cte, Query, SetExpr, SetOperator, SetQuantifier, Values};

use crate::domain::{Catalog, Dialect, Span};

use super::scope::{Scope, Source, Spans};
use super::{Binding, ReadQuery};

use names::named;

/// Deepest nesting that is said in words; below it the SQL is quoted.
const DEEPEST: usize = 30;
/// Most values and conditions that are said; aliases that stand for aliases could multiply them.
const MOST: usize = 20_000;

/// A query in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct English {
    /// One paragraph without a full stop at its end.
    pub words: String,
    /// How many pieces have no words and are quoted as written, between backticks.
    pub quoted: usize,
}

/// Says what a query reads, in one paragraph without a full stop at its end.
pub fn english(query: &ReadQuery, binding: &Binding, _catalog: &Catalog) -> String {
    tell(query, binding).words
}

/// Says what a query reads, and how much of it had to be quoted.
pub fn tell(query: &ReadQuery, binding: &Binding) -> English {
    let spans = Spans { text: query.text(), places: query.places() };
    let mut teller =
        Teller { spans, binding, selects: Vec::new(), depth: 0, left: MOST, quoted: 0 };
    let told = if has_unsaid_words(query) {
        teller.quoted(spans.span(query.query()))
    } else {
        teller.query(query.query())
    };
    let words = if query.is_explain() { format!("the engine's plan for {told}") } else { told };
    English { words, quoted: teller.quoted }
}

/// Finds words that the parser was spared, so that the tree doesn't hold them.
fn has_unsaid_words(query: &ReadQuery) -> bool {
    let words: &[&str] = match query.dialect() {
        Dialect::Duckdb => &["ASOF", "E", "#", "%"],
        Dialect::Mysql => &["SOUNDS"],
        Dialect::Sqlite | Dialect::Postgres | Dialect::Generic => return false,
    };
    let mut lexemes = query.places().lexemes.iter();
    lexemes.any(|lexeme| {
        let written = lexeme.span.of(query.text());
        words.iter().any(|word| written.eq_ignore_ascii_case(word))
    })
}

/// State of the telling.
struct Teller<'a> {
    spans: Spans<'a>,
    binding: &'a Binding,
    /// The SELECTs that are being told, innermost last.
    selects: Vec<Open<'a>>,
    depth: usize,
    /// Values and conditions that may still be said.
    left: usize,
    /// Pieces quoted so far.
    quoted: usize,
}

/// A SELECT that is being told.
#[derive(Clone, Copy)]
struct Open<'a> {
    scope: usize,
    select: &'a sqlparser::ast::Select,
}

impl<'a> Teller<'a> {
    /// Quotes a piece as written.
    fn quoted(&mut self, span: Option<Span>) -> String {
        self.quoted += 1;
        let written = span.map_or("…", |span| span.of(self.spans.text));
        format!("`{}`", written.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Tells whether one more value or condition may be said.
    fn may_go_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0 && self.depth <= DEEPEST
    }

    fn scope(&self, scope: usize) -> Option<&'a Scope> {
        self.binding.scopes.get(scope)
    }

    /// Tells a whole query.
    fn query(&mut self, query: &'a Query) -> String {
        let unusual = query.for_clause.is_some()
            || query.settings.is_some()
            || query.format_clause.is_some()
            || !query.pipe_operators.is_empty()
            || !query.locks.is_empty()
            || order::has_limit_by(query);
        if self.depth > DEEPEST || unusual {
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
            let parts: Vec<String> =
                with.cte_tables.iter().map(|cte| self.cte(cte, with.recursive)).collect();
            told = format!("{told}; where {}", parts.join("; "));
        }
        self.depth -= 1;
        told
    }

    fn cte(&mut self, cte: &'a Cte, recursive: bool) -> String {
        let name = &cte.alias.name.value;
        let columns: Vec<String> =
            cte.alias.columns.iter().map(|column| named(&column.name.value)).collect();
        let columns = match columns.as_slice() {
            [] => String::new(),
            columns => format!(" with the columns {}", listed(columns)),
        };
        let itself =
            if recursive && self.reads_itself(cte) { ", built up from itself," } else { "" };
        let rows = self.query(&cte.query);
        format!("{}{columns}{itself} stands for ({rows})", named(name))
    }

    /// Tells whether a CTE reads the rows that it has made before.
    fn reads_itself(&self, cte: &Cte) -> bool {
        let Some(body) = self.spans.span(&*cte.query) else { return true };
        let inside = |span: Span| body.start <= span.start && span.end <= body.end;
        let mut scopes = self.binding.scopes.iter().filter(|scope| inside(scope.span));
        scopes.any(|scope| {
            scope.relations.iter().any(|relation| {
                matches!(&relation.source, Source::Cte(name)
                    if name.eq_ignore_ascii_case(&cte.alias.name.value))
            })
        })
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
            let by_name = match quantifier {
                SetQuantifier::ByName
                | SetQuantifier::AllByName
                | SetQuantifier::DistinctByName => ", columns matched by name",
                SetQuantifier::All | SetQuantifier::Distinct | SetQuantifier::None => "",
            };
            let each = if all { ", as often as they repeat" } else { "" };
            told = match op {
                SetOperator::Union if all => format!("{left}, followed by {right}"),
                SetOperator::Union => format!("{left}, together with {right}, each row once"),
                SetOperator::Intersect => {
                    format!("the rows that are both in ({left}) and in ({right}){each}")
                }
                SetOperator::Except | SetOperator::Minus => {
                    format!("the rows of ({left}) that are not in ({right}){each}")
                }
            };
            told.push_str(by_name);
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
            SetExpr::Values(values) => self.listed_rows(values),
            SetExpr::Table(table) => match (&table.table_name, &table.schema_name) {
                (Some(name), None) => format!("every column of the {} rows", named(&name.value)),
                (_, _) => self.quoted(self.spans.span(body)),
            },
            SetExpr::SetOperation { .. }
            | SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_) => self.quoted(self.spans.span(body)),
        }
    }

    fn listed_rows(&mut self, values: &'a Values) -> String {
        let mut rows = Vec::new();
        for row in &values.rows {
            let cells: Vec<String> = row.content.iter().map(|cell| self.value(cell)).collect();
            rows.push(format!("({})", cells.join(", ")));
        }
        format!("the listed rows {}", listed(&rows))
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
