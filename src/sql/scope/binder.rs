//! The walk over queries: CTEs, set operations, SELECTs, in the order in which names become visible.

use sqlparser::ast::{
    Cte, Distinct, GroupByExpr, Ident, Query, Select, SelectItem, SetExpr, SetOperator,
    SetQuantifier, Spanned, With,
};

use crate::domain::plan::SetOperation;
use crate::domain::{Catalog, Diagnostic, Dialect, Span};

use super::super::ReadQuery;
use super::super::places::Places;
use super::columns::{declared, rename, renamed};
use super::exprs::Here;
use super::facts::{Binding, Clause, Place, Scope, SeenColumn, SetOperationUse};

/// Deepest nesting of expressions and queries that is walked; below it nothing is reported.
pub(super) const DEEPEST: usize = 160;

/// Binds a whole query.
pub(super) fn bind(query: &ReadQuery, catalog: &Catalog) -> Binding {
    let mut binder = Binder {
        text: query.text(),
        places: query.places(),
        dialect: query.dialect(),
        catalog,
        out: Binding::default(),
        frames: Vec::new(),
        ctes: Vec::new(),
        depth: 0,
        quiet: 0,
    };
    let bound = binder.query(query.query(), &Place::Outermost, None);
    binder.out.outermost = bound.scope;
    if !query.is_explain() {
        let columns = bound.columns.unwrap_or_default();
        binder.out.outputs = columns.into_iter().map(|column| (column.name, column.at)).collect();
    }
    let mut out = binder.out;
    let foreign = super::super::foreign::foreign(query, &out, catalog);
    foreign.join(&mut out.diagnostics);
    out.diagnostics.sort_by_key(|d| d.span.map_or(usize::MAX, |span| span.start));
    out.diagnostics.dedup();
    out.columns.sort_by_key(|column| column.span.start);
    for scope in &mut out.scopes {
        scope.aggregates.sort_by_key(|aggregate| aggregate.span.start);
        scope.divisions.sort_by_key(|division| division.span.start);
        scope.literals.sort_by_key(|literal| literal.span.start);
    }
    out
}

/// What a query or SELECT shows to the outside.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    /// Its columns; none when they aren't known.
    pub(super) columns: Option<Vec<SeenColumn>>,
    /// Scope of its first SELECT.
    pub(super) scope: Option<usize>,
    /// Scopes of all arms of its set operations, the first included.
    pub(super) arms: Vec<usize>,
}

/// Names of one SELECT that are visible while it is being bound.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// Index into `Binding::scopes`.
    pub(super) scope: usize,
    /// Columns that USING or NATURAL made one: name and relation, one entry for each side.
    pub(super) merged: Vec<(String, usize)>,
    /// Output aliases may be used.
    pub(super) aliases: bool,
    /// The clause that is being bound.
    pub(super) now: Clause,
}

/// A CTE that is visible.
#[derive(Debug, Clone)]
pub(super) struct OpenCte {
    pub(super) name: String,
    pub(super) columns: Option<Vec<SeenColumn>>,
}

/// State of the walk.
pub(super) struct Binder<'a> {
    pub(super) text: &'a str,
    pub(super) places: &'a Places,
    pub(super) dialect: Dialect,
    pub(super) catalog: &'a Catalog,
    pub(super) out: Binding,
    pub(super) frames: Vec<Frame>,
    pub(super) ctes: Vec<OpenCte>,
    pub(super) depth: usize,
    /// Above zero nothing is reported or recorded.
    pub(super) quiet: usize,
}

impl Binder<'_> {
    pub(super) fn report(
        &mut self,
        code: &str,
        message: String,
        span: Option<Span>,
        suggestions: Vec<String>,
    ) {
        if self.quiet == 0 {
            let code = code.to_owned();
            self.out.diagnostics.push(Diagnostic { code, message, span, suggestions });
        }
    }

    /// Returns the bytes of an identifier, quotes included.
    pub(super) fn ident_span(&self, ident: &Ident) -> Option<Span> {
        self.places.lines.span(self.text, ident.span)
    }

    /// Returns the bytes of a piece of the tree, as far as the parser knows them.
    pub(super) fn span(&self, node: &impl Spanned) -> Option<Span> {
        self.places.of_node(self.text, node)
    }

    /// Binds a query with its CTEs, order and limit.
    pub(super) fn query(&mut self, query: &Query, place: &Place, parent: Option<usize>) -> Bound {
        if self.depth > DEEPEST {
            return Bound::default();
        }
        self.depth += 1;
        let visible = self.ctes.len();
        if let Some(with) = &query.with {
            self.with(with, parent);
        }
        let bound = match &*query.body {
            SetExpr::Select(select) => self.select(select, Some(query), place.clone(), parent),
            body => {
                let bound = self.set_expr(body, place, parent, None);
                self.set_tail(query, &bound);
                bound
            }
        };
        self.ctes.truncate(visible);
        self.depth -= 1;
        bound
    }

    /// Makes all CTEs of a WITH visible, then binds each body; one that isn't bound yet, itself
    /// included, may have any columns.
    fn with(&mut self, with: &With, parent: Option<usize>) {
        let first = self.ctes.len();
        for cte in &with.cte_tables {
            let columns = declared(&cte.alias.columns.iter().map(|c| &c.name).collect::<Vec<_>>());
            self.ctes.push(OpenCte { name: cte.alias.name.value.clone(), columns });
        }
        for (nth, cte) in with.cte_tables.iter().enumerate() {
            self.cte(cte, first + nth, parent);
        }
    }

    fn cte(&mut self, cte: &Cte, at: usize, parent: Option<usize>) {
        let place = Place::Cte(cte.alias.name.value.clone());
        let names: Vec<&Ident> = cte.alias.columns.iter().map(|c| &c.name).collect();
        let plain = cte.query.with.is_none();
        let bound = match &*cte.query.body {
            // the first arm of a recursive CTE names its columns for the later ones
            body @ SetExpr::SetOperation { .. } if plain => {
                let bound = self.set_expr(body, &place, parent, Some(at));
                self.set_tail(&cte.query, &bound);
                bound
            }
            _ => self.query(&cte.query, &place, parent),
        };
        let columns = renamed(bound.columns, &names);
        if let Some(open) = self.ctes.get_mut(at) {
            open.columns = columns;
        }
    }

    /// Binds what stands where a SELECT can stand. `naming` is the open CTE that this is the body of.
    fn set_expr(
        &mut self,
        body: &SetExpr,
        place: &Place,
        parent: Option<usize>,
        naming: Option<usize>,
    ) -> Bound {
        // left-deep chains are walked in a loop: they can be thousands long
        let mut chain = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation { left, op, set_quantifier, right } = first {
            chain.push((*op, *set_quantifier, &**right));
            first = left;
        }
        let mut bound = self.arm(first, place, parent);
        if let Some(open) = naming.and_then(|at| self.ctes.get_mut(at)) {
            let kept = open.columns.take();
            let names: Vec<String> = kept.iter().flatten().map(|c| c.name.clone()).collect();
            open.columns.clone_from(&bound.columns);
            rename(&mut open.columns, &names);
        }
        for (op, quantifier, right) in chain.into_iter().rev() {
            let arm = bound.scope.map_or_else(|| place.clone(), Place::Arm);
            let right_bound = match right {
                SetExpr::SetOperation { .. } => self.set_expr(right, &arm, parent, None),
                _ => self.arm(right, &arm, parent),
            };
            self.compare_widths(&bound, &right_bound, op, right);
            self.out.set_operations.push(SetOperationUse {
                left: bound.scope,
                right: right_bound.scope,
                operation: operation(op),
                all: matches!(quantifier, SetQuantifier::All | SetQuantifier::AllByName),
            });
            bound.arms.extend(right_bound.arms);
            for (column, other) in
                bound.columns.iter_mut().flatten().zip(right_bound.columns.iter().flatten())
            {
                if column.at != other.at {
                    column.at = None;
                }
            }
        }
        bound
    }

    fn arm(&mut self, body: &SetExpr, place: &Place, parent: Option<usize>) -> Bound {
        if self.depth > DEEPEST {
            return Bound::default();
        }
        self.depth += 1;
        let bound = match body {
            SetExpr::Select(select) => self.select(select, None, place.clone(), parent),
            SetExpr::Query(query) => self.query(query, place, parent),
            SetExpr::SetOperation { .. } => self.set_expr(body, place, parent, None),
            SetExpr::Values(values) => {
                for row in &values.rows {
                    for value in &row.content {
                        self.loose_expr(value, parent);
                    }
                }
                let width = values.rows.first().map_or(0, |row| row.content.len());
                Bound { columns: Some(super::columns::numbered(width)), ..Bound::default() }
            }
            SetExpr::Table(_)
            | SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_) => Bound::default(),
        };
        self.depth -= 1;
        bound
    }

    /// Binds one SELECT; `query` is the query around it when the SELECT is its whole body.
    fn select(
        &mut self,
        select: &Select,
        query: Option<&Query>,
        place: Place,
        parent: Option<usize>,
    ) -> Bound {
        let scope = self.out.scopes.len();
        let first = self.out.columns.len();
        self.out.scopes.push(self.new_scope(select, query, place, parent));
        self.frames.push(Frame { scope, merged: Vec::new(), aliases: false, now: Clause::From });
        self.sources(select, scope);
        self.now(Clause::Output);
        if select.projection.is_empty() && self.dialect == Dialect::Sqlite {
            let span = self.span(&select.select_token.0);
            let message = "syntax error after 'SELECT': expected an output column".to_owned();
            self.report("syntax_error", message, span, Vec::new());
        }
        self.output_list(select, scope);
        self.named_windows(select, scope);
        let aggregated = self.has_aggregates(scope);
        if let Some(frame) = self.frames.last_mut() {
            frame.aliases = true;
        }
        if let Some(filter) = &select.selection {
            self.now(Clause::Where);
            let span = self.expr_span(filter);
            self.scope_mut(scope, |s| s.filter = span);
            self.expr(filter, Here::no_aggregates(scope, Clause::Where));
        }
        self.now(Clause::GroupBy);
        self.group_by(select, scope);
        self.now(Clause::Having);
        if let Some(having) = &select.having {
            self.having(having, scope, aggregated);
        }
        for expr in select.prewhere.iter().chain(&select.qualify) {
            self.expr(expr, Here::new(scope, Clause::Having));
        }
        self.now(Clause::OrderBy);
        if let Some(query) = query {
            self.order_and_limit(query, scope);
        }
        self.check_order_aggregates(scope, aggregated);
        self.check_grouping(select, scope, first);
        self.check_distinct_order(select, scope);
        self.frames.pop();
        let columns = self.visible_columns(select, scope);
        Bound { columns, scope: Some(scope), arms: vec![scope] }
    }

    fn new_scope(
        &self,
        select: &Select,
        query: Option<&Query>,
        place: Place,
        parent: Option<usize>,
    ) -> Scope {
        let from = self.span(&select.select_token.0).map_or(0, |span| span.start);
        let mut span = self.span(select).unwrap_or(Span { start: from, end: from });
        if let Some(whole) = query.and_then(|query| self.span(query)) {
            span.end = span.end.max(whole.end);
        }
        Scope {
            span: self.places.balanced(Span { start: from, end: span.end }),
            parent,
            place,
            relations: Vec::new(),
            joins: Vec::new(),
            literals: Vec::new(),
            aggregates: Vec::new(),
            divisions: Vec::new(),
            group_by: Vec::new(),
            outputs: Vec::new(),
            filter: None,
            having: None,
            distinct: matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_))),
            tail: super::facts::Tail::default(),
            from_end: None,
        }
    }

    pub(super) fn scope_mut(&mut self, scope: usize, change: impl FnOnce(&mut Scope)) {
        if let Some(scope) = self.out.scopes.get_mut(scope) {
            change(scope);
        }
    }

    fn now(&mut self, clause: Clause) {
        if let Some(frame) = self.frames.last_mut() {
            frame.now = clause;
        }
    }

    fn has_aggregates(&self, scope: usize) -> bool {
        let scope = self.out.scopes.get(scope);
        scope.is_some_and(|s| s.aggregates.iter().any(|aggregate| !aggregate.window))
    }

    fn group_by(&mut self, select: &Select, scope: usize) {
        if let GroupByExpr::Expressions(keys, _) = &select.group_by {
            for key in keys {
                let key = self.key(key, scope, Clause::GroupBy, false);
                self.scope_mut(scope, |s| s.group_by.extend(key));
            }
        }
    }

    /// Reports a set operation whose sides have different numbers of columns.
    fn compare_widths(&mut self, left: &Bound, right: &Bound, op: SetOperator, at: &SetExpr) {
        let (Some(l), Some(r)) = (&left.columns, &right.columns) else { return };
        if l.len() == r.len() {
            return;
        }
        let message = format!(
            "the two sides of {op} have {} and {} columns; they need the same number",
            l.len(),
            r.len()
        );
        let items = match at {
            SetExpr::Select(select) => self.items_span(&select.projection),
            _ => None,
        };
        let span = items.or_else(|| self.span(at));
        self.report("setop_column_mismatch", message, span, Vec::new());
    }

    fn items_span(&self, items: &[SelectItem]) -> Option<Span> {
        let first = self.span(items.first()?)?;
        let last = self.span(items.last()?)?;
        Some(self.places.balanced(Span { start: first.start, end: last.end }))
    }
}

fn operation(op: SetOperator) -> SetOperation {
    match op {
        SetOperator::Union => SetOperation::Union,
        SetOperator::Intersect => SetOperation::Intersect,
        SetOperator::Except | SetOperator::Minus => SetOperation::Except,
    }
}
