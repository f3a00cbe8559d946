//! The wording of what doesn't bind, in the shape of good compiler errors.

use sqlparser::ast::Ident;

use crate::domain::{Dialect, Span};

use super::super::dialect::{quote, quote_table};
use super::super::nearest::nearest;
use super::binder::Binder;
use super::exprs::Here;
use super::facts::{Clause, Relation, Source};

/// Most names that a message lists in full.
const LISTED: usize = 20;
/// Most suggestions.
const SUGGESTED: usize = 3;

/// Names a clause as people write it.
pub(super) fn clause_name(clause: Clause) -> &'static str {
    match clause {
        Clause::Output => "the output list",
        Clause::From => "FROM",
        Clause::On => "ON",
        Clause::Where => "WHERE",
        Clause::GroupBy => "GROUP BY",
        Clause::Having => "HAVING",
        Clause::OrderBy => "ORDER BY",
        Clause::Limit => "LIMIT",
    }
}

impl Binder<'_> {
    pub(super) fn no_such_table(&mut self, written: &str, span: Span) {
        let ctes = self.ctes.iter().map(|cte| cte.name.as_str());
        let tables = self.catalog.tables.iter().map(|table| table.name.as_str());
        let mut names: Vec<&str> = ctes.chain(tables).collect();
        names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
        names.dedup();
        let mut near: Vec<&str> = Vec::new();
        for (close, _) in nearest(written, names.iter().map(|name| self.without_schema(name))) {
            near.extend(names.iter().filter(|name| self.without_schema(name) == close));
        }
        near.dedup();
        near.truncate(SUGGESTED);
        let mut message = format!("table '{written}' doesn't exist.");
        if let Some(first) = near.first() {
            message.push_str(&format!(" Did you mean {first}?"));
        }
        message.push_str(&match names.len() {
            0 => " The database has no tables".to_owned(),
            1..=LISTED => format!(" Tables: {}", names.join(", ")),
            many if near.is_empty() => format!(" None of the {many} tables has a name like it"),
            many => format!(" Nearest of {many} tables: {}", near.join(", ")),
        });
        let suggestions = near.iter().map(|name| quote_table(name, self.dialect)).collect();
        self.report("no_such_table", message, Some(span), suggestions);
    }

    /// Takes the schema off a table's name.
    fn without_schema<'n>(&self, name: &'n str) -> &'n str {
        match name.split_once('.') {
            Some((_, table)) if self.dialect != Dialect::Sqlite => table,
            Some(_) | None => name,
        }
    }

    /// Reports a keyword that was read as a name.
    pub(super) fn misplaced_keyword(&mut self, ident: &Ident, span: Span) {
        let line = self.text.get(..span.start).unwrap_or_default().matches('\n').count() + 1;
        let message =
            format!("syntax error near '{}' at line {line}: expected an expression", ident.value);
        self.report("syntax_error", message, Some(span), Vec::new());
    }

    /// Reports a bare name that no relation in sight has.
    pub(super) fn unknown_column(&mut self, ident: &Ident, span: Span, here: Here) {
        let name = &ident.value;
        let frames: Vec<usize> = self.frames.iter().rev().map(|frame| frame.scope).collect();
        let inner = frames.first().copied().unwrap_or(here.scope);
        let relations = self.relations(inner);
        let mut seen: Vec<&str> = Vec::new();
        for scope in &frames {
            for column in self.relations(*scope).iter().flat_map(|r| r.columns.iter().flatten()) {
                if !seen.contains(&column.name.as_str()) {
                    seen.push(&column.name);
                }
            }
        }
        let near: Vec<&str> = nearest(name, seen.iter().copied())
            .into_iter()
            .map(|(n, _)| n)
            .take(SUGGESTED)
            .collect();
        let suggestions: Vec<String> =
            near.iter().map(|column| self.written_column(column, inner)).collect();
        let place = places(relations);
        let missing = if relations.is_empty() {
            format!("column '{name}' doesn't exist: this SELECT has no FROM.")
        } else {
            format!("column '{name}' doesn't exist in {place}.")
        };
        let message = format!(
            "{missing}{}{}",
            did_you_mean(suggestions.first()),
            self.exists_elsewhere(name, &frames)
        );
        self.report("no_such_column", message, Some(span), suggestions);
    }

    /// Reports `t.name` where `t` is there but has no such column, or `t` isn't there at all.
    pub(super) fn unknown_qualified(
        &mut self,
        qualifier: &Ident,
        ident: &Ident,
        span: Span,
        here: Here,
    ) {
        let frames: Vec<usize> = self.frames.iter().rev().map(|frame| frame.scope).collect();
        let relation = frames.iter().find_map(|scope| {
            let bound = self.out.scopes.get(*scope)?;
            bound.relation(&qualifier.value)
        });
        let Some(relation) = relation else {
            self.unknown_qualifier(qualifier, Some(ident), here.scope);
            return;
        };
        let names = relation.columns.iter().flatten().map(|column| column.name.as_str());
        let near: Vec<&str> =
            nearest(&ident.value, names).into_iter().map(|(n, _)| n).take(SUGGESTED).collect();
        let suggestions: Vec<String> =
            near.iter().map(|column| quote(column, self.dialect)).collect();
        let message = format!(
            "column '{}' doesn't exist in {}.{}{}",
            ident.value,
            place(relation),
            did_you_mean(suggestions.first()),
            self.exists_elsewhere(&ident.value, &frames)
        );
        self.report("no_such_column", message, Some(span), suggestions);
    }

    /// Reports a qualifier that is no relation in sight.
    pub(super) fn unknown_qualifier(
        &mut self,
        qualifier: &Ident,
        ident: Option<&Ident>,
        scope: usize,
    ) {
        let span = self.ident_span(qualifier);
        let relations = self.relations(scope);
        let written = &qualifier.value;
        let aliased = relations.iter().find(|r| {
            r.alias.is_some() && r.table().is_some_and(|t| t.eq_ignore_ascii_case(written))
        });
        let help = match aliased {
            Some(relation) => format!(" {written} is called {} here.", relation.name),
            None => match self.catalog.table(written) {
                Some(table) => format!(" The table {} isn't in this FROM.", table.name),
                None => String::new(),
            },
        };
        let message = format!(
            "'{written}' is no table or alias here.{help} In FROM: {}",
            relations.iter().map(shown).collect::<Vec<_>>().join(", ")
        );
        let owners =
            relations.iter().filter(|r| ident.is_some_and(|i| r.column(&i.value).is_some()));
        let mut suggestions: Vec<String> = aliased
            .into_iter()
            .chain(owners)
            .map(|relation| quote(&relation.name, self.dialect))
            .collect();
        suggestions.dedup();
        self.report("no_such_column", message, span, suggestions);
    }

    pub(super) fn ambiguous(
        &mut self,
        qualifier: Option<&Ident>,
        ident: &Ident,
        span: Span,
        scope: usize,
        relations: &[usize],
    ) {
        let all = self.relations(scope);
        let owners: Vec<&Relation> = relations.iter().filter_map(|at| all.get(*at)).collect();
        let names: Vec<String> = owners.iter().map(|relation| shown(relation)).collect();
        let name = &ident.value;
        let message = match qualifier {
            None => format!("column '{name}' is ambiguous: it exists in {}", joined(&names, "and")),
            Some(q) => format!(
                "column '{}.{name}' is ambiguous: {} relations are called {}",
                q.value,
                owners.len(),
                q.value
            ),
        };
        let column = quote(name, self.dialect);
        let suggestions = owners
            .iter()
            .filter(|_| qualifier.is_none())
            .map(|relation| format!("{}.{column}", quote(&relation.name, self.dialect)))
            .collect();
        self.report("ambiguous_column", message, Some(span), suggestions);
    }

    pub(super) fn using_unknown(
        &mut self,
        name: &Ident,
        span: Span,
        (scope, first_right): (usize, usize),
        side: std::ops::Range<usize>,
    ) {
        let relations = self.relations(scope);
        let end = side.end.min(relations.len());
        let place = places(relations.get(side.start..end).unwrap_or_default());
        // what USING names is in both sides
        let columns = |side: &[Relation]| -> Vec<String> {
            side.iter().flat_map(|r| r.columns.iter().flatten()).map(|c| c.name.clone()).collect()
        };
        let (left, right) = relations.split_at(first_right.min(relations.len()));
        let (left, right) = (columns(left), columns(right));
        let shared =
            left.iter().filter(|name| right.iter().any(|other| other.eq_ignore_ascii_case(name)));
        let near = nearest(&name.value, shared.map(String::as_str)).into_iter().take(SUGGESTED);
        let suggestions: Vec<String> =
            near.map(|(column, _)| quote(column, self.dialect)).collect();
        let message = format!(
            "column '{}' of USING doesn't exist in {place}.{}",
            name.value,
            did_you_mean(suggestions.first())
        );
        self.report("no_such_column", message, Some(span), suggestions);
    }

    /// Writes a column so that it is no more ambiguous than it must be.
    fn written_column(&self, column: &str, scope: usize) -> String {
        let owners: Vec<&Relation> =
            self.relations(scope).iter().filter(|r| r.column(column).is_some()).collect();
        let bare = quote(column, self.dialect);
        match owners.as_slice() {
            [first, _, ..] => format!("{}.{bare}", quote(&first.name, self.dialect)),
            _ => bare,
        }
    }

    /// Says which other tables have a column of exactly this name: those in sight first.
    fn exists_elsewhere(&self, name: &str, frames: &[usize]) -> String {
        let mut owners: Vec<String> = Vec::new();
        for relation in frames.iter().flat_map(|scope| self.relations(*scope)) {
            if relation.column(name).is_some() {
                owners.push(shown(relation));
            }
        }
        if owners.is_empty() {
            let tables = self.catalog.tables.iter().filter(|table| table.column(name).is_some());
            owners = tables.map(|table| table.name.clone()).collect();
            owners.sort_unstable();
        }
        match owners.len() {
            0 => String::new(),
            1..=4 => format!(" It exists in {}.", joined(&owners, "and")),
            many => format!(" It exists in {many} other tables."),
        }
    }
}

fn did_you_mean(written: Option<&String>) -> String {
    written.map(|written| format!(" Did you mean {written}?")).unwrap_or_default()
}

/// Names a relation by what it is: the table, else the alias.
fn place(relation: &Relation) -> String {
    match (&relation.source, &relation.alias) {
        (Source::Table(table), _) => table.clone(),
        (_, Some(alias)) => alias.clone(),
        (Source::Cte(name) | Source::Function(name) | Source::Other(name), None) => name.clone(),
        (Source::Subquery(_), None) => "the subquery".to_owned(),
    }
}

/// Names a relation as it can be referred to, and what it is where that differs.
fn shown(relation: &Relation) -> String {
    match (&relation.source, &relation.alias) {
        (Source::Table(table) | Source::Cte(table), Some(alias))
            if !table.eq_ignore_ascii_case(alias) =>
        {
            format!("{alias} ({table})")
        }
        _ => place(relation),
    }
}

fn places(relations: &[Relation]) -> String {
    let mut names: Vec<String> = Vec::new();
    for relation in relations {
        let name = place(relation);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    joined(&names, "or")
}

fn joined(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
