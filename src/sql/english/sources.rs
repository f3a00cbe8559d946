//! FROM and WHERE in words: which rows, and how tables are put together.

use sqlparser::ast::{
    Join, JoinConstraint, JoinOperator, Select, TableAlias, TableFactor, TableFunctionArgs,
};

use super::super::scope::{Relation, Scope, Source, last_ident};
use super::conditions::all_start_with_columns;
use super::names::{called, named};
use super::{Teller, listed};

impl<'a> Teller<'a> {
    /// FROM and WHERE: which rows.
    pub(super) fn rows(&mut self, select: &'a Select, scope: &Scope) -> String {
        let mut told = String::new();
        let mut next = 0;
        for item in &select.from {
            let first = self.factor(&item.relation, scope, &mut next);
            told = if told.is_empty() {
                first
            } else {
                format!("{told}, each with every one of {first}")
            };
            for join in &item.joins {
                let joined = self.join(join, scope, &mut next);
                told.push_str(&joined);
            }
        }
        if let Some(filter) = &select.selection {
            let words = self.condition(filter);
            let single = scope.relations.len() == 1 && all_start_with_columns(filter);
            told.push_str(match (single, scope.relations.len()) {
                (true, _) => " whose ",
                (false, 0 | 1) => " where ",
                (false, _) => "; of these only where ",
            });
            told.push_str(&words);
        }
        told
    }

    fn factor(&mut self, factor: &'a TableFactor, scope: &Scope, next: &mut usize) -> String {
        if let TableFactor::NestedJoin { table_with_joins, alias: None } = factor {
            let mut told = self.factor(&table_with_joins.relation, scope, next);
            for join in &table_with_joins.joins {
                let joined = self.join(join, scope, next);
                told.push_str(&joined);
            }
            return format!("({told})");
        }
        let relation = scope.relations.get(*next);
        *next += 1;
        let text = self.spans.span(factor);
        let Some(relation) = relation else { return self.quoted(text) };
        match factor {
            TableFactor::Derived { lateral, subquery, alias, sample: None } => {
                let several = scope.relations.len() > 1;
                let rows = self.query(subquery);
                let each = if *lateral { " made for each of them" } else { "" };
                format!("the rows of ({rows}){each}{}", alias_words(alias.as_ref(), several))
            }
            TableFactor::Table {
                args: None,
                sample: None,
                version: None,
                json_path: None,
                with_ordinality: false,
                partitions,
                alias,
                ..
            } if partitions.is_empty() => table(relation, alias.as_ref(), scope),
            TableFactor::Table {
                name,
                args: Some(TableFunctionArgs { args, settings: None }),
                alias,
                sample: None,
                ..
            } => {
                let args = self.arguments(args);
                let called = alias_words(alias.as_ref(), true);
                args.map_or_else(
                    || self.quoted(text),
                    |args| format!("the rows of {name}({args}){called}"),
                )
            }
            TableFactor::Function { name, args, alias, with_ordinality: false, .. } => {
                let args = self.arguments(args);
                let called = alias_words(alias.as_ref(), true);
                args.map_or_else(
                    || self.quoted(text),
                    |args| format!("the rows of {name}({args}){called}"),
                )
            }
            TableFactor::TableFunction { expr, alias } => {
                let value = self.value(expr);
                format!("the rows of {value}{}", alias_words(alias.as_ref(), true))
            }
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset: false,
                with_ordinality: false,
                ..
            } => {
                let arrays: Vec<String> = array_exprs.iter().map(|e| self.value(e)).collect();
                let called = alias_words(alias.as_ref(), true);
                format!("the elements of {}{called}", listed(&arrays))
            }
            _ => format!("the rows of {}", self.quoted(text)),
        }
    }

    fn join(&mut self, join: &'a Join, scope: &Scope, next: &mut usize) -> String {
        use JoinOperator as J;
        let with = self.factor(&join.relation, scope, next);
        let (kind, constraint) = match &join.join_operator {
            J::Join(c) | J::Inner(c) | J::CrossJoin(c) | J::StraightJoin(c) => ("", c),
            J::Left(c) | J::LeftOuter(c) => (", or with none", c),
            J::Right(c) | J::RightOuter(c) => (", those without a partner kept too", c),
            J::FullOuter(c) => (", those of both sides without a partner kept too", c),
            J::Semi(c) | J::LeftSemi(c) => (", only as a sign that there is one", c),
            J::Anti(c) | J::LeftAnti(c) => (", only where there is none", c),
            J::CrossApply => return format!(", each with every one of {with}"),
            J::OuterApply => return format!(", each with every one of {with}, or with none"),
            J::RightSemi(_)
            | J::RightAnti(_)
            | J::AsOf { .. }
            | J::ArrayJoin
            | J::LeftArrayJoin
            | J::InnerArrayJoin => {
                return format!(", joined by {}", self.quoted(self.spans.span(join)));
            }
        };
        match constraint {
            JoinConstraint::On(condition) => {
                format!(", each with {with} where {}{kind}", self.condition(condition))
            }
            JoinConstraint::Using(names) | JoinConstraint::UsingAlias(names, _) => {
                let names: Vec<String> =
                    names.iter().filter_map(last_ident).map(|name| named(&name.value)).collect();
                format!(", each with {with} of the same {}{kind}", listed(&names))
            }
            JoinConstraint::Natural => {
                format!(", each with {with} that have equal columns of the same name{kind}")
            }
            JoinConstraint::None => format!(", each with every one of {with}{kind}"),
        }
    }
}

/// Says the name that a subquery or a function goes by, and those that it gives its columns.
fn alias_words(alias: Option<&TableAlias>, wanted: bool) -> String {
    let Some(alias) = alias else { return String::new() };
    match column_names(alias) {
        None if wanted => format!(" (called {})", named(&alias.name.value)),
        None => String::new(),
        Some(columns) => {
            format!(" (called {} with the columns {columns})", named(&alias.name.value))
        }
    }
}

fn column_names(alias: &TableAlias) -> Option<String> {
    let columns: Vec<String> = alias.columns.iter().map(|c| named(&c.name.value)).collect();
    (!columns.is_empty()).then(|| listed(&columns))
}

fn table(relation: &Relation, alias: Option<&TableAlias>, scope: &Scope) -> String {
    let columns = alias.and_then(column_names);
    let columns = columns.map(|names| format!(" (with the columns {names})")).unwrap_or_default();
    let called = called(relation, scope);
    match &relation.source {
        Source::Table(name) | Source::Cte(name) => {
            let plural = name.ends_with('s') && !name.ends_with("ss");
            let rows = if plural { "" } else { " rows" };
            format!("the {}{rows}{called}{columns}", named(name))
        }
        Source::Function(name) | Source::Other(name) => {
            let called = alias.map(|alias| format!(" (called {})", named(&alias.name.value)));
            format!("the rows of {}{}{columns}", named(name), called.unwrap_or_default())
        }
        Source::Subquery(_) => format!("the rows of {}{columns}", named(&relation.name)),
    }
}
