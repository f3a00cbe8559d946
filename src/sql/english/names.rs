//! Names of tables and columns in words, so that no two of them are told alike.

use sqlparser::ast::{Expr, SelectItem};

use super::super::scope::{ColumnUse, JoinKind, Relation, Scope, Source};
use super::Teller;

/// Words of ours that would change a sentence if a name came bare.
const OURS: [&str; 12] =
    ["and", "or", "not", "null", "is", "if", "else", "true", "false", "whether", "where", "whose"];

/// Writes a name; one that could be taken for words of ours gets quotes.
pub(super) fn named(name: &str) -> String {
    let letters = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if letters && starts && !OURS.iter().any(|word| name.eq_ignore_ascii_case(word)) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// The name by which a relation's columns are told.
pub(super) fn label(relation: &Relation, scope: &Scope) -> String {
    match &relation.source {
        Source::Table(table) | Source::Cte(table) if told_by_table(relation, table, scope) => {
            named(table)
        }
        _ => named(&relation.name),
    }
}

/// Tells whether the table's own name is clear: read once, and no alias of another.
fn told_by_table(relation: &Relation, table: &str, scope: &Scope) -> bool {
    scope.relations.iter().all(|other| {
        let own = other.span == relation.span;
        let same = other.source == relation.source || other.name.eq_ignore_ascii_case(table);
        own || !same
    })
}

/// Says which alias a relation goes by, where its columns are told by it.
pub(super) fn called(relation: &Relation, scope: &Scope) -> String {
    match (&relation.alias, &relation.source) {
        (Some(alias), Source::Table(table) | Source::Cte(table))
            if !told_by_table(relation, table, scope) =>
        {
            format!(" (called {})", named(alias))
        }
        _ => String::new(),
    }
}

impl<'a> Teller<'a> {
    /// Names a column; with its table where the SELECT has several.
    pub(super) fn column(&mut self, expr: &'a Expr) -> String {
        let used = self.spans.expr_span(expr).and_then(|span| {
            let mut uses = self.binding.columns.iter();
            uses.find(|used| used.span.end == span.end && span.start <= used.span.start)
        });
        match used {
            Some(used) if used.string => format!("'{}'", used.name.replace('\'', "''")),
            Some(used) => match used.relation {
                Some((scope, relation)) => self.placed(used, scope, relation),
                None => self.aliased(&used.name).unwrap_or_else(|| named(&used.name)),
            },
            None => self.written(expr),
        }
    }

    fn placed(&self, used: &ColumnUse, scope: usize, relation: usize) -> String {
        let name = used.at.as_ref().map_or(&used.name, |at| &at.column);
        let Some(owner) = self.scope(scope) else { return named(&used.name) };
        let shown = owner.relations.get(relation);
        let name = match shown.and_then(|r| r.column(&used.name)) {
            Some(column) => named(&column.name),
            None => named(name),
        };
        let label = shown.map(|relation| label(relation, owner)).unwrap_or_default();
        let levels = self.selects.iter().rev().position(|open| open.scope == scope);
        match levels {
            Some(0) if owner.relations.len() == 1 => name,
            Some(0) if is_merged(used, owner) => format!("the common {name}"),
            Some(0) => format!("{label}.{name}"),
            Some(1) | None => format!("{label}.{name} outside"),
            Some(levels) => format!("{label}.{name} {levels} levels outside"),
        }
    }

    /// Says what an output alias stands for.
    fn aliased(&mut self, name: &str) -> Option<String> {
        let open = self.selects.last().copied()?;
        open.select.projection.iter().find_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(name) => {
                // an alias that stands in its own expression would never end
                let inside = self.written(expr).to_lowercase().contains(&name.to_lowercase());
                (!inside || matches!(expr, Expr::CompoundIdentifier(_) | Expr::Function(_)))
                    .then(|| self.value(expr))
            }
            _ => None,
        })
    }
}

/// Tells whether a bare name stands for columns of both sides: where a side may be missing, it is
/// neither the one nor the other.
fn is_merged(used: &ColumnUse, scope: &Scope) -> bool {
    let outer =
        scope.relations.iter().any(|r| matches!(r.join, Some(JoinKind::Right | JoinKind::Full)));
    outer
        && used.qualifier.is_none()
        && scope.joins.iter().any(|pair| {
            pair.names.0.eq_ignore_ascii_case(&used.name)
                && pair.names.1.eq_ignore_ascii_case(&used.name)
        })
}
