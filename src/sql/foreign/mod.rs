//! What other engines read and the query's own doesn't, each with the engine's own way.
//!
//! What belongs here: tables of constructs with what they become on each engine, and the walk that
//! finds them. What must never come: a replacement that means something else; what can't be turned
//! is said.
//! To add a function: a row in `rows.rs`; one whose arguments steer it: an arm in `dates.rs`; other
//! syntax: an arm in `syntax.rs`.

mod calls;
mod clauses;
mod dates;
pub(super) mod elsewhere;
mod formats;
mod rows;
mod sqlite;
mod syntax;
mod turn;
mod types;

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Query, Select, TableFactor, Visit, Visitor};

use super::ReadQuery;
use super::places::Lexed;
use super::scope::{Binding, Spans};
use crate::domain::{Catalog, Diagnostic, Dialect, Span};

use turn::{Turn, told};

pub use turn::fill;

/// What was found in a query.
pub(super) struct Foreign {
    /// All of it, in order of the text.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Places whose words are replaced by others: what is wrong with them doesn't matter.
    gone: Vec<Span>,
}

impl Foreign {
    /// Joins what else is wrong with a query.
    pub(super) fn join(self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|diagnostic| {
            let within =
                |at: Span| self.gone.iter().any(|g| g.start <= at.start && at.end <= g.end);
            diagnostic.span.is_none_or(|at| !within(at))
        });
        diagnostics.extend(self.diagnostics);
    }
}

/// Lists what the query's engine can't read.
pub(super) fn foreign(query: &ReadQuery, binding: &Binding, catalog: &Catalog) -> Foreign {
    match query.dialect() {
        Dialect::Sqlite => Foreign { diagnostics: sqlite::foreign(query), gone: Vec::new() },
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => {
            let mut hunt = Hunt::new(query, binding, catalog);
            let _ = query.query().visit(&mut hunt);
            hunt.end()
        }
        Dialect::Generic => Foreign { diagnostics: Vec::new(), gone: Vec::new() },
    }
}

/// Returns what a call becomes on an engine, with `{0}` for its first argument as written, and so
/// on; `{(0)}` asks for parentheses where the argument is no single value.
pub fn call(name: &str, arguments: &[&str], dialect: Dialect) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let row = rows::template(&name, arguments.len(), dialect).map(str::to_owned);
    row.or_else(|| dates::template(&name, arguments, dialect))
}

/// Tells whether a function is known to belong to some engine.
pub(super) fn is_known(name: &str) -> bool {
    rows::is_known(name)
}

/// The walk over a query.
struct Hunt<'a> {
    spans: Spans<'a>,
    dialect: Dialect,
    binding: &'a Binding,
    catalog: &'a Catalog,
    turns: Vec<Turn>,
}

impl<'a> Hunt<'a> {
    fn new(query: &'a ReadQuery, binding: &'a Binding, catalog: &'a Catalog) -> Self {
        let spans = Spans { text: query.text(), places: query.places() };
        Hunt { spans, dialect: query.dialect(), binding, catalog, turns: Vec::new() }
    }

    fn text(&self, expr: &Expr) -> Option<&'a str> {
        Some(self.spans.expr_span(expr)?.of(self.spans.text))
    }

    /// Notes a construct that the engine lacks, and what is written instead: a template and the
    /// expressions in it.
    fn turn(&mut self, at: Option<Span>, what: &str, template: Option<String>, holes: &[&Expr]) {
        let holes: Option<Vec<Span>> =
            holes.iter().map(|hole| self.spans.expr_span(hole)).collect();
        let instead = template.zip(holes);
        let code = "foreign_syntax";
        self.turns.push(Turn { span: at, code, what: what.to_owned(), instead, whole: true });
    }

    /// Notes names in quotes that the engine reads otherwise.
    fn quotes(&mut self) {
        let own = if self.dialect == Dialect::Mysql { '`' } else { '"' };
        for lexeme in &self.spans.places.lexemes {
            let text = lexeme.span.of(self.spans.text);
            // a double-quoted word is a text on MySQL
            if lexeme.kind != Lexed::Quoted || text.starts_with([own, '"']) {
                continue;
            }
            let name = super::from_name(text).replace(own, &format!("{own}{own}"));
            let instead = Some((format!("{own}{name}{own}"), Vec::new()));
            let what =
                if text.starts_with('[') { "[…] around names" } else { "`…` around names" };
            let what = what.to_owned();
            let (span, code) = (Some(lexeme.span), "foreign_syntax");
            self.turns.push(Turn { span, code, what, instead, whole: false });
        }
    }

    fn end(mut self) -> Foreign {
        self.quotes();
        self.turns.sort_by_key(|turn| {
            turn.span.map_or((0, 0), |span| (span.start, usize::MAX - span.end))
        });
        let gone = self.turns.iter().flat_map(Turn::gone).collect();
        Foreign { diagnostics: told(&self.turns, self.spans.text, self.dialect), gone }
    }
}

impl Visitor for Hunt<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) => self.function(expr, function),
            other => self.expr(other),
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.select(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.query(query);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.factor(factor);
        ControlFlow::Continue(())
    }
}
