//! Looking names up: innermost SELECT first, then those around it.

use sqlparser::ast::{Expr, Ident};

use crate::domain::{ColumnRef, Dialect, Span};

use super::binder::{Binder, Frame};
use super::exprs::{Aggregates, Here};
use super::facts::{Clause, ColumnUse, Source};
use super::parts::bare;

/// What a name was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A column: scope, relation, and the base column if it is one unchanged.
    Column(usize, usize, Option<ColumnRef>),
    /// An output alias: scope and output.
    Alias(usize, usize),
    /// In several relations: scope and relations.
    Ambiguous(usize, Vec<usize>),
    /// Some relation's columns aren't known, so it may be there.
    Unsure,
    /// Nowhere.
    Nothing,
}

impl Binder<'_> {
    /// Binds a column name. `qualifier` comes with the number of parts of the whole name.
    pub(super) fn name(&mut self, qualifier: Option<(&Ident, usize)>, ident: &Ident, here: Here) {
        let Some(name_span) = self.ident_span(ident) else { return };
        let start =
            qualifier.and_then(|(q, _)| self.ident_span(q)).map_or(name_span.start, |s| s.start);
        let found = self.look_up(qualifier.map(|(q, _)| q.value.as_str()), &ident.value, here);
        let mut used = ColumnUse {
            span: Span { start, end: name_span.end },
            qualifier: qualifier.map(|(q, _)| q.value.clone()),
            name: ident.value.clone(),
            at: None,
            scope: here.scope,
            relation: None,
            string: false,
            clause: here.clause,
        };
        match found {
            Found::Column(scope, relation, at) => {
                if let Some(stored) = self.other_spelling(ident, scope, relation) {
                    self.misspelt_column(ident, &stored, name_span);
                }
                used.at = at;
                used.relation = Some((scope, relation));
            }
            Found::Alias(scope, output) => {
                self.check_alias(scope, output, ident, name_span, here);
                used.at = self.output_column(scope, output);
            }
            Found::Ambiguous(scope, relations) => {
                self.ambiguous(qualifier.map(|(q, _)| q), ident, name_span, scope, &relations);
            }
            Found::Unsure => {}
            Found::Nothing => match qualifier {
                None if self.reads_as_string(ident) => used.string = true,
                None if self.is_keyword_value(&ident.value) => return,
                None if self.is_reserved(ident) => self.misplaced_keyword(ident, name_span),
                None => self.unknown_column(ident, name_span, here),
                Some((_, parts)) if parts > 3 || self.may_be_field(parts) => {}
                Some((q, _)) => self.unknown_qualified(q, ident, name_span, here),
            },
        }
        self.record_use(used);
    }

    /// Returns a base column's stored spelling where the engine doesn't find it as it is written.
    fn other_spelling(&self, ident: &Ident, scope: usize, relation: usize) -> Option<String> {
        let relation = self.relations(scope).get(relation)?;
        relation.table()?;
        let column = relation.column(&ident.value)?;
        // an alias list may have renamed it
        let stored =
            column.at.as_ref().map(|at| &at.column).filter(|name| **name == column.name)?;
        let mut columns = relation.columns.iter().flatten();
        let found = columns.any(|column| self.reads_as(ident, &column.name));
        (!found).then(|| stored.clone())
    }

    pub(super) fn record_use(&mut self, used: ColumnUse) {
        if self.quiet == 0 {
            self.out.columns.push(used);
        }
    }

    /// SQLite reads a double-quoted word that binds to nothing as a string.
    fn reads_as_string(&self, ident: &Ident) -> bool {
        matches!(self.dialect, Dialect::Sqlite) && ident.quote_style == Some('"')
            || matches!(self.dialect, Dialect::Mysql) && ident.quote_style == Some('"')
    }

    /// On engines with structured values `a.b` can be a field of column `a`.
    fn may_be_field(&self, parts: usize) -> bool {
        match self.dialect {
            Dialect::Sqlite | Dialect::Mysql => false,
            Dialect::Postgres => parts > 2,
            Dialect::Duckdb | Dialect::Generic => true,
        }
    }

    /// Words that SQLite never takes for a name; the parser's lenient rules may.
    pub(super) fn is_reserved(&self, ident: &Ident) -> bool {
        self.dialect == Dialect::Sqlite
            && ident.quote_style.is_none()
            && super::super::dialect::never_a_name(&ident.value)
    }

    fn is_keyword_value(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        let everywhere = ["current_date", "current_time", "current_timestamp", "true", "false"];
        everywhere.contains(&lower.as_str())
            || self.dialect != Dialect::Sqlite
                && [
                    "current_user",
                    "session_user",
                    "user",
                    "localtime",
                    "localtimestamp",
                    "default",
                ]
                .contains(&lower.as_str())
    }

    pub(super) fn look_up(&self, qualifier: Option<&str>, name: &str, here: Here) -> Found {
        let mut unsure = false;
        for frame in self.frames.iter().rev() {
            let innermost = frame.scope == here.scope;
            // a sort key that is one word names an output first
            let first = here.sort_key && innermost && qualifier.is_none();
            if first && let Some(found) = self.alias(frame, name, here) {
                return found;
            }
            match self.in_frame(frame, qualifier, name) {
                Found::Nothing => {}
                Found::Unsure => unsure = true,
                found => return found,
            }
            if qualifier.is_none()
                && let Some(found) = self.alias(frame, name, here)
            {
                return found;
            }
        }
        if unsure { Found::Unsure } else { Found::Nothing }
    }

    /// Looks in the relations of one SELECT.
    fn in_frame(&self, frame: &Frame, qualifier: Option<&str>, name: &str) -> Found {
        let mut hits: Vec<(usize, Option<ColumnRef>)> = Vec::new();
        let (mut unsure, mut has_rowid) = (false, false);
        for (at, relation) in self.relations(frame.scope).iter().enumerate() {
            if qualifier.is_some_and(|q| !relation.name.eq_ignore_ascii_case(q)) {
                continue;
            }
            match (relation.column(name), &relation.columns) {
                (Some(column), _) => hits.push((at, column.at.clone())),
                (None, None) => unsure = true,
                (None, Some(_)) => has_rowid |= self.has_hidden(&relation.source, name),
            }
            let row = qualifier.is_none() && relation.name.eq_ignore_ascii_case(name);
            unsure |= row && !matches!(self.dialect, Dialect::Sqlite | Dialect::Mysql);
        }
        match hits.as_slice() {
            [(relation, at)] => Found::Column(frame.scope, *relation, at.clone()),
            [(relation, at), ..] => {
                let is_merged = |hit: &(usize, Option<ColumnRef>)| {
                    let mut merged = frame.merged.iter();
                    merged.any(|(of, at)| *at == hit.0 && of.eq_ignore_ascii_case(name))
                };
                if qualifier.is_none() && hits.iter().all(is_merged) {
                    return Found::Column(frame.scope, *relation, at.clone());
                }
                Found::Ambiguous(frame.scope, hits.iter().map(|hit| hit.0).collect())
            }
            [] if unsure || has_rowid => Found::Unsure,
            [] => Found::Nothing,
        }
    }

    /// Columns that are there without being declared.
    fn has_hidden(&self, source: &Source, name: &str) -> bool {
        let is = |names: &[&str]| names.iter().any(|n| n.eq_ignore_ascii_case(name));
        match (source, self.dialect) {
            (Source::Table(table), Dialect::Sqlite) => {
                // a full-text table has a column of its own name, and `rank`
                let kind = self.catalog.table(table).map(|table| table.kind);
                is(&["rowid", "_rowid_", "oid"])
                    || kind == Some(crate::domain::schema::TableKind::Virtual)
            }
            (Source::Function(_), _) => true,
            (Source::Table(_), Dialect::Postgres) => {
                is(&["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"])
            }
            (Source::Table(_), Dialect::Duckdb | Dialect::Generic) => is(&["rowid"]),
            (Source::Table(_) | Source::Cte(_) | Source::Subquery(_) | Source::Other(_), _) => {
                false
            }
        }
    }

    /// Looks among the output aliases, where the engine sees them from this clause.
    fn alias(&self, frame: &Frame, name: &str, here: Here) -> Option<Found> {
        let allowed = match (self.dialect, here.clause) {
            (_, Clause::OrderBy | Clause::GroupBy) => true,
            (Dialect::Postgres, _) | (Dialect::Mysql, Clause::Where | Clause::On) => false,
            (_, _) => frame.aliases || self.dialect == Dialect::Duckdb,
        };
        let scope = self.out.scopes.get(frame.scope).filter(|_| allowed)?;
        let mut outputs = scope.outputs.iter();
        let at = outputs.position(|out| out.aliased && out.name.eq_ignore_ascii_case(name))?;
        Some(Found::Alias(frame.scope, at))
    }

    /// Reports an alias of an aggregate where none may stand.
    fn check_alias(&mut self, scope: usize, output: usize, ident: &Ident, span: Span, here: Here) {
        if here.aggregates == Aggregates::Allowed || here.scope != scope {
            return;
        }
        let Some(scope) = self.out.scopes.get(scope) else { return };
        let Some(whole) = scope.outputs.get(output).map(|output| output.span) else { return };
        let inside = |span: Span| whole.start <= span.start && span.end <= whole.end;
        let Some(aggregate) = scope.aggregates.iter().find(|a| inside(a.span) && !a.window) else {
            return;
        };
        let place = super::report::clause_name(here.clause);
        let message = format!(
            "{} stands for the aggregate {}, which can't be used in {place}",
            ident.value,
            aggregate.span.of(self.text)
        );
        self.report("misuse_of_aggregate", message, Some(span), Vec::new());
    }

    pub(super) fn output_column(&self, scope: usize, output: usize) -> Option<ColumnRef> {
        self.out.scopes.get(scope)?.outputs.get(output)?.at.clone()
    }

    /// Finds the recorded use of an expression that is a plain column.
    pub(super) fn use_of(&self, expr: &Expr) -> Option<&ColumnUse> {
        let expr = bare(expr);
        if !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            return None;
        }
        let span = self.span(expr)?;
        let uses = self.out.columns.iter().rev();
        uses.filter(|used| !used.string)
            .find(|used| used.span.end == span.end && span.start <= used.span.start)
    }

    /// Returns the base column that an expression is, unchanged.
    pub(super) fn column_of(&self, expr: &Expr) -> Option<ColumnRef> {
        self.use_of(expr)?.at.clone()
    }
}
