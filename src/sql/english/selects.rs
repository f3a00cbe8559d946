//! Whole SELECTs in words: what is put out, over which rows, for which groups.

use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, GroupByWithModifier, Query, Select, SelectItem, SetExpr,
    WildcardAdditionalOptions,
};

use super::super::scope::{Output, Place, Scope, bare};
use super::names::{label, named};
use super::{Open, Teller, listed};

/// The output list in words.
struct Items {
    words: Vec<String>,
    /// All of it is plain columns.
    plain: bool,
}

impl<'a> Teller<'a> {
    pub(super) fn select(&mut self, select: &'a Select, query: Option<&'a Query>) -> String {
        let start = self.spans.span(&select.select_token.0).map(|span| span.start);
        let found = self.binding.scopes.iter().position(|scope| Some(scope.span.start) == start);
        let known = found.and_then(|scope| Some((scope, self.scope(scope)?)));
        let Some((index, scope)) = known.filter(|_| is_usual(select)) else {
            return self.quoted(self.spans.span(select));
        };
        self.selects.push(Open { scope: index, select });
        let rows = self.rows(select, scope);
        let mut told = self.outputs(select, scope, &rows);
        if let Some(having) = &select.having {
            told.push_str(&format!(", only for groups where {}", self.condition(having)));
        }
        if let Some(qualify) = &select.qualify {
            told.push_str(&format!(", only where {}", self.condition(qualify)));
        }
        if let Some(Distinct::On(keys)) = &select.distinct {
            let keys: Vec<String> = keys.iter().map(|key| self.key(key, scope)).collect();
            told.push_str(&format!(", the first row for each {} only", listed(&keys)));
        }
        if let Some(query) = query {
            told = self.tail(query, told);
        }
        self.selects.pop();
        told
    }

    /// The part before the rows: what is put out.
    fn outputs(&mut self, select: &'a Select, scope: &Scope, rows: &str) -> String {
        let keys = self.groups(select, scope);
        let grouped = scope.aggregates.iter().any(|aggregate| !aggregate.window);
        let is_grouped = keys.is_some() || grouped;
        let Items { words: items, plain } = self.items(select, scope, is_grouped);
        let is_distinct = matches!(select.distinct, Some(Distinct::Distinct));
        let distinct = if is_distinct { "the distinct combinations of " } else { "" };
        if let Some(keys) = keys {
            let of = if rows.is_empty() { String::new() } else { format!(" among {rows}") };
            return format!("for each {keys}{of}: {distinct}{}", listed(&items));
        }
        if rows.is_empty() {
            return format!("just {}", listed(&items));
        }
        if scope.relations.is_empty() {
            return format!("just {}{rows}", listed(&items));
        }
        if grouped || select.having.is_some() {
            return match (items.as_slice(), rows.strip_prefix("the ")) {
                ([only], Some(counted))
                    if only == "the number of rows" && scope.relations.len() == 1 =>
                {
                    format!("the number of {counted}")
                }
                _ => format!("{} over {rows}", listed(&items)),
            };
        }
        if !is_distinct {
            return format!("{} of {rows}", listed(&items));
        }
        let bare: Vec<String> =
            items.iter().map(|item| item.strip_prefix("the ").unwrap_or(item).to_owned()).collect();
        if let [one] = bare.as_slice() {
            let values = if plain { "values of " } else { "" };
            return format!("the distinct {values}{one} among {rows}");
        }
        format!("{distinct}{} among {rows}", listed(&bare))
    }

    /// What rows are grouped by.
    fn groups(&mut self, select: &'a Select, scope: &Scope) -> Option<String> {
        let (mut keys, modifiers) = match &select.group_by {
            GroupByExpr::Expressions(keys, modifiers) => {
                let keys: Vec<String> = keys.iter().map(|key| self.key(key, scope)).collect();
                (keys, modifiers)
            }
            GroupByExpr::All(modifiers) => {
                (vec!["combination of all that is no aggregate".to_owned()], modifiers)
            }
        };
        if keys.is_empty() && modifiers.is_empty() {
            return None;
        }
        let mut with = String::new();
        for modifier in modifiers {
            match modifier {
                GroupByWithModifier::Rollup => with.push_str(", with subtotals from the right"),
                GroupByWithModifier::Cube => with.push_str(", with subtotals of every combination"),
                GroupByWithModifier::Totals => with.push_str(", with totals"),
                GroupByWithModifier::GroupingSets(sets) => keys.push(self.value(sets)),
            }
        }
        Some(format!("{}{with}", listed(&keys)))
    }

    fn items(&mut self, select: &'a Select, scope: &Scope, grouped: bool) -> Items {
        let mut plain = true;
        let mut words = Vec::new();
        for (item, output) in select.projection.iter().zip(&scope.outputs) {
            let (expr, alias) = match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAliases { expr, .. } => {
                    (expr, None)
                }
                SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias.value.as_str())),
                SelectItem::QualifiedWildcard(_, options) | SelectItem::Wildcard(options) => {
                    words.push(self.star(item, output, options, scope));
                    continue;
                }
            };
            plain &= matches!(bare(expr), Expr::Identifier(_) | Expr::CompoundIdentifier(_));
            words.push(self.item(expr, alias, output, scope, grouped));
        }
        Items { words, plain }
    }

    /// One column of the output; the name that others know it by comes with it.
    fn item(
        &mut self,
        expr: &'a Expr,
        alias: Option<&str>,
        output: &Output,
        scope: &Scope,
        grouped: bool,
    ) -> String {
        let mut words = self.value(expr);
        let is_column = matches!(bare(expr), Expr::Identifier(_) | Expr::CompoundIdentifier(_));
        if is_column && !words.starts_with('\'') {
            if !words.starts_with("the ") {
                words = format!("the {words}");
            }
            let is_key = scope.group_by.iter().any(|key| {
                key.at.is_some() && key.at == output.at
                    || key.span.of(self.spans.text) == output.span.of(self.spans.text)
                    || key.output.is_some_and(|at| scope.outputs.get(at) == Some(output))
            });
            if grouped && !is_key {
                words.push_str(" of one row");
            }
        }
        let is_read = matches!(scope.place, Place::Cte(_) | Place::Derived(_));
        let own = match bare(expr) {
            Expr::Identifier(name) => Some(&name.value),
            Expr::CompoundIdentifier(parts) => parts.last().map(|name| &name.value),
            _ => None,
        };
        match alias {
            Some(alias) if is_read && own.is_none_or(|own| own != alias) => {
                format!("{words} (called {})", named(alias))
            }
            _ => words,
        }
    }

    fn star(
        &mut self,
        item: &SelectItem,
        output: &Output,
        options: &WildcardAdditionalOptions,
        scope: &Scope,
    ) -> String {
        let WildcardAdditionalOptions {
            wildcard_token: _,
            opt_ilike: None,
            opt_exclude: None,
            opt_except: None,
            opt_replace: None,
            opt_rename: None,
            opt_alias: None,
        } = options
        else {
            return self.quoted(Some(output.span));
        };
        if matches!(item, SelectItem::Wildcard(_)) {
            return "every column".to_owned();
        }
        let of = output.span.of(self.spans.text).trim_end_matches(".*");
        let relation = scope.relation(of.trim_matches(['"', '`', '[', ']']));
        format!("every column of {}", relation.map_or(of.to_owned(), |r| label(r, scope)))
    }

    /// Says which rows an EXISTS looks for, where they are those of one plain SELECT.
    pub(super) fn looked_for(&mut self, query: &'a Query) -> Option<String> {
        let SetExpr::Select(select) = &*query.body else { return None };
        let plain = query.with.is_none()
            && query.limit_clause.is_none()
            && query.fetch.is_none()
            && select.having.is_none()
            && select.qualify.is_none()
            && is_usual(select);
        let start = self.spans.span(&select.select_token.0).map(|span| span.start);
        let index = self.binding.scopes.iter().position(|scope| Some(scope.span.start) == start)?;
        let scope = self.scope(index)?;
        if !plain || scope.is_aggregated() || scope.relations.is_empty() {
            return None;
        }
        self.selects.push(Open { scope: index, select });
        let rows = self.rows(select, scope);
        self.selects.pop();
        Some(rows)
    }
}

/// Tells whether a SELECT has only parts that have words.
fn is_usual(select: &Select) -> bool {
    select.top.is_none()
        && select.exclude.is_none()
        && select.into.is_none()
        && select.lateral_views.is_empty()
        && select.prewhere.is_none()
        && select.connect_by.is_empty()
        && select.cluster_by.is_empty()
        && select.distribute_by.is_empty()
        && select.sort_by.is_empty()
        && select.value_table_mode.is_none()
}
