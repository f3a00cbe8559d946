//! The columns that tables and SELECTs show to the outside.

use sqlparser::ast::{
    Expr, Ident, Select, SelectItem, SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};

use crate::domain::{ColumnKind, ColumnRef, Table};

use super::binder::Binder;
use super::exprs::Here;
use super::facts::{Clause, Output, Relation, SeenColumn};
use super::from::last_ident;

impl SeenColumn {
    /// A column that is known by name only.
    pub(super) fn named(name: &str) -> Self {
        SeenColumn { name: name.to_owned(), at: None, kind: ColumnKind::Unknown }
    }
}

/// Returns a table's columns; none when none could be read.
pub(super) fn table_columns(table: &Table) -> Option<Vec<SeenColumn>> {
    let column = |column: &crate::domain::Column| SeenColumn {
        name: column.name.clone(),
        at: Some(ColumnRef::new(&table.name, &column.name)),
        kind: column.kind,
    };
    (!table.columns.is_empty()).then(|| table.columns.iter().map(column).collect())
}

/// Names the columns of VALUES as SQLite and PostgreSQL do.
pub(super) fn numbered(width: usize) -> Vec<SeenColumn> {
    (1..=width).map(|n| SeenColumn::named(&format!("column{n}"))).collect()
}

/// Columns that a CTE's own list names before its body is bound.
pub(super) fn declared(names: &[&Ident]) -> Option<Vec<SeenColumn>> {
    if names.is_empty() {
        return None;
    }
    Some(names.iter().map(|name| SeenColumn::named(&name.value)).collect())
}

/// Gives columns the names of an alias list.
pub(super) fn renamed(
    mut columns: Option<Vec<SeenColumn>>,
    names: &[&Ident],
) -> Option<Vec<SeenColumn>> {
    if columns.is_none() {
        return declared(names);
    }
    let names: Vec<String> = names.iter().map(|name| name.value.clone()).collect();
    rename(&mut columns, &names);
    columns
}

/// Gives columns the names of a list, as far as both go.
pub(super) fn rename(columns: &mut Option<Vec<SeenColumn>>, names: &[String]) {
    for (column, name) in columns.iter_mut().flatten().zip(names) {
        column.name.clone_from(name);
    }
}

impl Binder<'_> {
    /// Binds the output list and records it.
    pub(super) fn output_list(&mut self, select: &Select, scope: usize) {
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAliases { expr, .. } => {
                    self.output(expr, None, scope);
                }
                SelectItem::ExprWithAlias { expr, alias } => self.output(expr, Some(alias), scope),
                SelectItem::QualifiedWildcard(kind, _) => self.qualified_star(kind, item, scope),
                SelectItem::Wildcard(_) => self.star(item, scope),
            }
        }
    }

    fn output(&mut self, expr: &Expr, alias: Option<&Ident>, scope: usize) {
        self.expr(expr, Here::new(scope, Clause::Output));
        if let Some(alias) = alias.filter(|alias| self.is_reserved(alias)) {
            let span = self.ident_span(alias).unwrap_or_default();
            self.misplaced_keyword(alias, span);
        }
        let span = self.expr_span(expr).unwrap_or_default();
        let at = self.column_of(expr);
        let name = match (alias, expr) {
            (Some(alias), _) => alias.value.clone(),
            (None, Expr::Identifier(ident)) => ident.value.clone(),
            (None, Expr::CompoundIdentifier(parts)) => {
                parts.last().map(|ident| ident.value.clone()).unwrap_or_default()
            }
            (None, _) => span.of(self.text).to_owned(),
        };
        let output = Output { span, name, aliased: alias.is_some(), at, star: false };
        self.scope_mut(scope, |s| s.outputs.push(output));
    }

    fn star(&mut self, item: &SelectItem, scope: usize) {
        let span = self.span(item).unwrap_or_default();
        let output = Output { span, name: "*".to_owned(), aliased: false, at: None, star: true };
        self.scope_mut(scope, |s| s.outputs.push(output));
    }

    fn qualified_star(
        &mut self,
        kind: &SelectItemQualifiedWildcardKind,
        item: &SelectItem,
        scope: usize,
    ) {
        if let SelectItemQualifiedWildcardKind::ObjectName(name) = kind
            && let Some(ident) = last_ident(name)
            && self.out.scopes.get(scope).is_some_and(|s| s.relation(&ident.value).is_none())
            && name.0.len() == 1
        {
            self.unknown_qualifier(ident, None, scope);
        }
        self.star(item, scope);
    }

    /// Returns what a bound SELECT shows, stars expanded; none when a star covers unknown columns.
    pub(super) fn visible_columns(&self, select: &Select, scope: usize) -> Option<Vec<SeenColumn>> {
        let bound = self.out.scopes.get(scope)?;
        let merged = merged_of(select);
        let mut columns = Vec::new();
        for (item, output) in select.projection.iter().zip(&bound.outputs) {
            match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    columns.push(SeenColumn {
                        name: output.name.clone(),
                        at: output.at.clone(),
                        kind: self.kind(expr, scope),
                    });
                }
                SelectItem::ExprWithAliases { .. } => return None,
                SelectItem::QualifiedWildcard(kind, options) => {
                    let SelectItemQualifiedWildcardKind::ObjectName(name) = kind else {
                        return None;
                    };
                    plain(options)?;
                    let relation = bound.relation(&last_ident(name)?.value)?;
                    columns.extend(relation.columns.clone()?);
                }
                SelectItem::Wildcard(options) => {
                    plain(options)?;
                    columns.extend(all(&bound.relations, &merged)?);
                }
            }
        }
        Some(columns)
    }
}

/// Lists the columns that USING or NATURAL made one, in lower case. The frame of the SELECT is
/// gone by then, so the pairs tell.
fn merged_of(select: &Select) -> Vec<String> {
    use sqlparser::ast::{JoinConstraint, JoinOperator as J};
    let mut merged = Vec::new();
    for join in select.from.iter().flat_map(|item| &item.joins) {
        if let J::Join(c)
        | J::Inner(c)
        | J::Left(c)
        | J::LeftOuter(c)
        | J::Right(c)
        | J::RightOuter(c)
        | J::FullOuter(c) = &join.join_operator
        {
            match c {
                JoinConstraint::Using(names) => merged.extend(
                    names.iter().filter_map(last_ident).map(|i| i.value.to_ascii_lowercase()),
                ),
                JoinConstraint::Natural => merged.push(String::new()),
                JoinConstraint::On(_) | JoinConstraint::UsingAlias(..) | JoinConstraint::None => {}
            }
        }
    }
    merged
}

/// Stars with EXCLUDE, REPLACE and the like aren't expanded.
fn plain(options: &WildcardAdditionalOptions) -> Option<()> {
    let changed = options.opt_ilike.is_some()
        || options.opt_exclude.is_some()
        || options.opt_except.is_some()
        || options.opt_replace.is_some()
        || options.opt_rename.is_some();
    (!changed).then_some(())
}

/// All columns of all relations; those merged by USING once. An empty name among `merged` stands
/// for NATURAL: every name that came before is merged.
fn all(relations: &[Relation], merged: &[String]) -> Option<Vec<SeenColumn>> {
    let natural = merged.iter().any(String::is_empty);
    let mut columns: Vec<SeenColumn> = Vec::new();
    for relation in relations {
        for column in relation.columns.as_ref()? {
            let again = columns.iter().any(|c| c.name.eq_ignore_ascii_case(&column.name));
            let is_merged = natural || merged.contains(&column.name.to_ascii_lowercase());
            if !(again && is_merged) {
                columns.push(column.clone());
            }
        }
    }
    Some(columns)
}
