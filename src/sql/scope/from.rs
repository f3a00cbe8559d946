//! FROM: what its names stand for, how they are joined, and which columns they show.

use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, Join, JoinConstraint, JoinOperator, ObjectName,
    ObjectNamePart, Select, TableAlias, TableFactor, TableWithJoins,
};

use crate::domain::{ColumnKind, ColumnRef, Dialect, Span};

use super::super::places::Lexed;
use super::binder::Binder;
use super::columns::{renamed, table_columns};
use super::exprs::Here;
use super::facts::{Clause, JoinKind, JoinPair, Place, Relation, SeenColumn, Source};
use super::tables::Named;

/// How a FROM item hangs on those before it.
#[derive(Debug, Clone, Copy)]
struct Hung {
    join: Option<JoinKind>,
    optional: bool,
}

impl Binder<'_> {
    /// Binds all of FROM, then the ON conditions, which may see every relation.
    pub(super) fn sources(&mut self, select: &Select, scope: usize) {
        let mut conditions: Vec<&Expr> = Vec::new();
        for item in &select.from {
            self.table_with_joins(item, scope, None, &mut conditions);
        }
        for condition in conditions {
            self.expr(condition, Here::no_aggregates(scope, Clause::On));
        }
        let end = select.from.last().and_then(|item| self.span(item)).map(|last| {
            let first = select.from.first().and_then(|item| self.span(item)).unwrap_or(last);
            // from the outermost parenthesis on, so that those around the tables are closed too
            let mut start = self.places.from(first.start);
            while start > 0 && self.places.kind(start - 1) == Some(Lexed::Open) {
                start -= 1;
            }
            let start = self.places.lexemes.get(start).map_or(first.start, |l| l.span.start);
            self.places.balanced(Span { start, end: last.end }).end
        });
        self.scope_mut(scope, |s| s.from_end = end);
    }

    fn table_with_joins<'e>(
        &mut self,
        item: &'e TableWithJoins,
        scope: usize,
        join: Option<JoinKind>,
        conditions: &mut Vec<&'e Expr>,
    ) {
        self.factor(&item.relation, scope, Hung { join, optional: false }, conditions);
        for join in &item.joins {
            self.join(join, scope, conditions);
        }
    }

    fn join<'e>(&mut self, join: &'e Join, scope: usize, conditions: &mut Vec<&'e Expr>) {
        let (kind, constraint) = kind_of(&join.join_operator);
        let first_right = self.relations(scope).len();
        let optional = matches!(kind, JoinKind::Left | JoinKind::Full);
        self.factor(&join.relation, scope, Hung { join: Some(kind), optional }, conditions);
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            self.scope_mut(scope, |s| {
                for relation in s.relations.iter_mut().take(first_right) {
                    relation.optional = true;
                }
            });
        }
        match constraint {
            Some(JoinConstraint::On(condition)) => conditions.push(condition),
            Some(JoinConstraint::Using(names) | JoinConstraint::UsingAlias(names, _)) => {
                for name in names.iter().filter_map(last_ident) {
                    self.using(name, scope, first_right);
                }
            }
            Some(JoinConstraint::Natural) => self.natural(scope, first_right),
            Some(JoinConstraint::None) | None => {}
        }
    }

    fn factor<'e>(
        &mut self,
        factor: &'e TableFactor,
        scope: usize,
        hung: Hung,
        conditions: &mut Vec<&'e Expr>,
    ) {
        if self.depth > super::binder::DEEPEST {
            return;
        }
        self.depth += 1;
        match factor {
            TableFactor::Table { name, alias, args, .. } => {
                self.table(name, alias.as_ref(), args.as_ref().map(|a| &*a.args), scope, hung);
            }
            TableFactor::Function { name, alias, args, .. } => {
                self.table(name, alias.as_ref(), Some(args), scope, hung);
            }
            TableFactor::Derived { lateral, subquery, alias, .. } => {
                let place = Place::Derived(alias.as_ref().map(|alias| alias.name.value.clone()));
                // siblings in FROM aren't visible unless LATERAL says so
                let hidden = if *lateral { None } else { self.frames.pop() };
                let bound = self.query(subquery, &place, Some(scope));
                self.frames.extend(hidden);
                let span = self.span(&**subquery).unwrap_or_default();
                let source = Source::Subquery(bound.scope);
                self.add(source, bound.columns, alias.as_ref(), "", span, scope, hung);
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let before = self.relations(scope).len();
                self.table_with_joins(table_with_joins, scope, hung.join, conditions);
                self.nested(alias.as_ref(), before, scope, hung);
            }
            // what other engines have besides is not looked into
            _ => {
                let span = self.span(factor).unwrap_or_default();
                let alias = alias_of(factor);
                self.add(Source::Other(String::new()), None, alias, "", span, scope, hung);
            }
        }
        self.depth -= 1;
    }

    /// Joins in parentheses: optional as a whole, and opaque when they get an alias.
    fn nested(&mut self, alias: Option<&TableAlias>, before: usize, scope: usize, hung: Hung) {
        if hung.optional {
            self.scope_mut(scope, |s| {
                s.relations.iter_mut().skip(before).for_each(|relation| relation.optional = true);
            });
        }
        if let Some(alias) = alias {
            let span = self.ident_span(&alias.name).unwrap_or_default();
            self.add(Source::Other(String::new()), None, Some(alias), "", span, scope, hung);
        }
    }

    fn table(
        &mut self,
        name: &ObjectName,
        alias: Option<&TableAlias>,
        args: Option<&[FunctionArg]>,
        scope: usize,
        hung: Hung,
    ) {
        let Some(ident) = last_ident(name) else { return };
        let span = self.name_span(name);
        let written = ident.value.as_str();
        if let Some(args) = args {
            for arg in args {
                if let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = arg {
                    self.expr(expr, Here::new(scope, Clause::From));
                }
            }
            let function = written.to_ascii_lowercase();
            let columns = table_function(&function);
            let source = Source::Function(function);
            self.add(source, columns, alias, written, span, scope, hung);
            return;
        }
        if let Some(alias) = alias.map(|alias| &alias.name).filter(|a| self.is_reserved(a)) {
            let span = self.ident_span(alias).unwrap_or_default();
            self.misplaced_keyword(alias, span);
        }
        let cte = self.ctes.iter().rev().find(|cte| cte.name.eq_ignore_ascii_case(written));
        if let (Some(cte), 1) = (cte, name.0.len()) {
            let (source, columns) = (Source::Cte(cte.name.clone()), cte.columns.clone());
            self.add(source, columns, alias, written, span, scope, hung);
            return;
        }
        let named = self.table_named(name);
        if let Named::Misspelt(table) = named {
            self.misspelt_table(written, table, span);
        }
        if let Named::Table(table) | Named::Misspelt(table) = named {
            let (source, columns) = (Source::Table(table.name.clone()), table_columns(table));
            if !self.out.tables.contains(&table.name) {
                self.out.tables.push(table.name.clone());
            }
            self.add(source, columns, alias, written, span, scope, hung);
            return;
        }
        if !self.is_system_table(name, written) {
            self.no_such_table(written, span);
        }
        self.add(Source::Other(written.to_owned()), None, alias, written, span, scope, hung);
    }

    /// Tells whether a table is the engine's own, which no catalog lists.
    pub(super) fn is_system_table(&self, name: &ObjectName, written: &str) -> bool {
        let lower = written.to_ascii_lowercase();
        match self.dialect {
            Dialect::Sqlite => {
                lower.starts_with("sqlite_")
                    || lower.starts_with("json_")
                    || lower == "dbstat"
                    || self.catalog.unreadable.iter().any(|words| words.contains(written))
            }
            Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb | Dialect::Generic => {
                self.is_unlisted_schema(name) || lower.starts_with("pg_") || lower == "dual"
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one place makes every relation")]
    fn add(
        &mut self,
        source: Source,
        columns: Option<Vec<SeenColumn>>,
        alias: Option<&TableAlias>,
        written: &str,
        span: Span,
        scope: usize,
        hung: Hung,
    ) {
        let names: Vec<&Ident> =
            alias.iter().flat_map(|alias| &alias.columns).map(|column| &column.name).collect();
        let relation = Relation {
            name: alias.map_or_else(|| written.to_owned(), |alias| alias.name.value.clone()),
            alias: alias.map(|alias| alias.name.value.clone()),
            span,
            source,
            columns: renamed(columns, &names),
            optional: hung.optional,
            join: hung.join,
        };
        self.scope_mut(scope, |s| s.relations.push(relation));
    }

    pub(super) fn relations(&self, scope: usize) -> &[Relation] {
        self.out.scopes.get(scope).map_or(&[], |scope| &scope.relations)
    }

    /// Binds one name of USING on both sides.
    fn using(&mut self, name: &Ident, scope: usize, first_right: usize) {
        let span = self.ident_span(name).unwrap_or_default();
        let (left, right) = self.both_sides(&name.value, scope, first_right);
        let opaque = self.relations(scope).iter().any(|relation| relation.columns.is_none());
        match (left, right) {
            (Some(l), Some(r)) => {
                self.pair(&name.value, span, scope, (l, r));
                self.merge(&name.value, scope, first_right);
            }
            _ if opaque => self.merge(&name.value, scope, first_right),
            (left, _) => {
                let at = if left.is_none() { 0..first_right } else { first_right..usize::MAX };
                self.using_unknown(name, span, (scope, first_right), at);
            }
        }
    }

    fn natural(&mut self, scope: usize, first_right: usize) {
        let relations = self.relations(scope);
        let right: Vec<(String, Span)> = relations
            .iter()
            .skip(first_right)
            .flat_map(|r| r.columns.iter().flatten().map(|c| (c.name.clone(), r.span)))
            .collect();
        for (name, span) in right {
            if let (Some(l), Some(r)) = self.both_sides(&name, scope, first_right) {
                self.pair(&name, span, scope, (l, r));
                self.merge(&name, scope, first_right);
            }
        }
    }

    /// Makes the columns of a name one: on the right side, and on the left where none or all of them
    /// were one before.
    fn merge(&mut self, name: &str, scope: usize, right: usize) {
        let with: Vec<usize> = (0..self.relations(scope).len())
            .filter(|at| {
                let relation = self.relations(scope).get(*at);
                relation.is_some_and(|r| r.column(name).is_some() || r.columns.is_none())
            })
            .collect();
        let Some(frame) = self.frames.last_mut() else { return };
        let is_merged = |frame: &super::binder::Frame, at: usize| {
            frame.merged.iter().any(|(of, r)| *r == at && of.eq_ignore_ascii_case(name))
        };
        let left: Vec<usize> = with.iter().copied().filter(|at| *at < right).collect();
        let single = left.len() <= 1;
        for at in with {
            if at >= right || single || is_merged(frame, at) {
                frame.merged.push((name.to_owned(), at));
            }
        }
    }

    fn both_sides(&self, name: &str, scope: usize, right: usize) -> (Option<usize>, Option<usize>) {
        let relations = self.relations(scope);
        let has = |relation: &Relation| relation.column(name).is_some();
        let left = relations.iter().take(right).position(has);
        let found = relations.iter().skip(right).position(has).map(|at| at + right);
        (left, found)
    }

    /// Records the equality that USING or NATURAL means, and the uses of both columns.
    fn pair(&mut self, name: &str, span: Span, scope: usize, (l, r): (usize, usize)) {
        let column = |at: usize| -> (String, Option<ColumnRef>) {
            let found = self.relations(scope).get(at).and_then(|relation| relation.column(name));
            found.map_or_else(Default::default, |column| (column.name.clone(), column.at.clone()))
        };
        let ((left_name, left), (right_name, right)) = (column(l), column(r));
        for (relation, at) in [(l, &left), (r, &right)] {
            self.record_use(super::facts::ColumnUse {
                span,
                qualifier: None,
                name: name.to_owned(),
                at: at.clone(),
                scope,
                relation: Some((scope, relation)),
                string: false,
                clause: Clause::On,
            });
        }
        let pair = JoinPair {
            span,
            relations: (l, r),
            names: (left_name, right_name),
            columns: (left, right),
            clause: Clause::On,
        };
        self.scope_mut(scope, |s| s.joins.push(pair));
    }
}

impl Relation {
    /// Finds a column by name, ignoring ASCII letter case.
    pub fn column(&self, name: &str) -> Option<&SeenColumn> {
        self.columns.iter().flatten().find(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// Returns the last identifier of a dotted name.
pub(in crate::sql) fn last_ident(name: &ObjectName) -> Option<&Ident> {
    name.0.last().and_then(ObjectNamePart::as_ident)
}

fn alias_of(factor: &TableFactor) -> Option<&TableAlias> {
    match factor {
        TableFactor::TableFunction { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::JsonTable { alias, .. }
        | TableFactor::OpenJsonTable { alias, .. }
        | TableFactor::Pivot { alias, .. }
        | TableFactor::Unpivot { alias, .. }
        | TableFactor::MatchRecognize { alias, .. }
        | TableFactor::XmlTable { alias, .. } => alias.as_ref(),
        _ => None,
    }
}

/// Columns of the table-valued functions that SQLite always has.
fn table_function(name: &str) -> Option<Vec<SeenColumn>> {
    const EACH: &[&str] =
        &["key", "value", "type", "atom", "id", "parent", "fullkey", "path", "json", "root"];
    let is_json = matches!(name, "json_each" | "json_tree" | "jsonb_each" | "jsonb_tree");
    is_json.then(|| {
        let column = |name: &&str| SeenColumn {
            name: (*name).to_owned(),
            at: None,
            kind: ColumnKind::Unknown,
        };
        EACH.iter().map(column).collect()
    })
}

fn kind_of(operator: &JoinOperator) -> (JoinKind, Option<&JoinConstraint>) {
    use JoinOperator as J;
    let (kind, constraint) = match operator {
        J::Join(c) | J::Inner(c) | J::StraightJoin(c) => (JoinKind::Inner, Some(c)),
        J::Left(c) | J::LeftOuter(c) => (JoinKind::Left, Some(c)),
        J::Right(c) | J::RightOuter(c) => (JoinKind::Right, Some(c)),
        J::FullOuter(c) => (JoinKind::Full, Some(c)),
        J::CrossJoin(c) => (JoinKind::Cross, Some(c)),
        J::Semi(c)
        | J::LeftSemi(c)
        | J::RightSemi(c)
        | J::Anti(c)
        | J::LeftAnti(c)
        | J::RightAnti(c) => (JoinKind::Other, Some(c)),
        J::AsOf { constraint, .. } => (JoinKind::Other, Some(constraint)),
        J::CrossApply | J::OuterApply | J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin => {
            (JoinKind::Other, None)
        }
    };
    match constraint {
        Some(JoinConstraint::None) if kind == JoinKind::Inner => (JoinKind::Cross, constraint),
        _ => (kind, constraint),
    }
}
