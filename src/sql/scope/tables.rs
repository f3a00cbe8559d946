//! Which table a name stands for: bare or behind its schema, by the engine's rule for letter case.

use sqlparser::ast::{Ident, ObjectName, ObjectNamePart};

use crate::domain::{Dialect, Span, Table};

use super::super::dialect::{quote, quote_table};
use super::super::nearest::the_one_close;
use super::binder::Binder;

/// Schemas whose tables every engine finds by their bare names.
const DEFAULT_SCHEMAS: [&str; 3] = ["public", "main", "dbo"];

/// What a table's name was found to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named<'a> {
    /// This table.
    Table(&'a Table),
    /// This one, if it were spelled as it is stored.
    Misspelt(&'a Table),
    /// No table of the catalog.
    Nothing,
}

impl<'a> Binder<'a> {
    /// Finds the table that a name stands for.
    pub(super) fn table_named(&self, name: &ObjectName) -> Named<'a> {
        let parts: Vec<&Ident> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        match parts.as_slice() {
            [] => Named::Nothing,
            [.., last] if self.dialect == Dialect::Sqlite => {
                self.catalog.table(&last.value).map_or(Named::Nothing, Named::Table)
            }
            [only] => self.bare_table(only),
            [.., schema, table] => self.table_in(schema, table),
        }
    }

    /// Finds a table by its bare name: on the search path, or alone outside of it.
    fn bare_table(&self, ident: &Ident) -> Named<'a> {
        let named = |schema: &str| self.catalog.table(&format!("{schema}.{}", ident.value));
        let on_path = self.catalog.table(&ident.value).filter(|table| !table.name.contains('.'));
        if let Some(table) = on_path.or_else(|| DEFAULT_SCHEMAS.iter().find_map(|s| named(s))) {
            return self.spelt(ident, table);
        }
        let mut outside = self.catalog.tables.iter().filter(|table| {
            let dotted = table.name.split_once('.');
            dotted.is_some_and(|(_, last)| last.eq_ignore_ascii_case(&ident.value))
        });
        match (outside.next(), outside.next()) {
            (Some(only), None) => Named::Misspelt(only),
            _ => Named::Nothing,
        }
    }

    fn table_in(&self, schema: &Ident, ident: &Ident) -> Named<'a> {
        if let Some(table) = self.catalog.table(&format!("{}.{}", schema.value, ident.value)) {
            return self.spelt(ident, table);
        }
        // tables on the search path have no schema in the catalog; any but a listed one may be it
        let listed = self.catalog.tables.iter().any(|table| {
            let dotted = table.name.split_once('.');
            dotted.is_some_and(|(of, _)| of.eq_ignore_ascii_case(&schema.value))
        });
        match self.catalog.table(&ident.value).filter(|_| !listed) {
            Some(table) => self.spelt(ident, table),
            None => Named::Nothing,
        }
    }

    /// Tells whether a name stands behind a schema that the catalog doesn't list, such as the
    /// engine's own.
    pub(super) fn is_unlisted_schema(&self, name: &ObjectName) -> bool {
        let mut before = name.0.iter().rev().skip(1).filter_map(ObjectNamePart::as_ident);
        let Some(schema) = before.next().map(|ident| ident.value.as_str()) else { return false };
        let own =
            self.catalog.database.split('?').next().and_then(|place| place.rsplit('/').next());
        let mut defaults = DEFAULT_SCHEMAS.iter().copied().chain(own);
        let is_default = defaults.any(|known| known.eq_ignore_ascii_case(schema));
        let listed = self.catalog.tables.iter().any(|table| {
            let dotted = table.name.split_once('.');
            dotted.is_some_and(|(of, _)| of.eq_ignore_ascii_case(schema))
        });
        !is_default && !listed && !self.is_close_schema(schema)
    }

    /// Tells whether a schema that isn't listed is a slip of one that is.
    fn is_close_schema(&self, schema: &str) -> bool {
        let schemas = self.catalog.tables.iter().filter_map(|table| table.name.split_once('.'));
        let mut schemas: Vec<&str> = schemas.map(|(schema, _)| schema).collect();
        schemas.sort_unstable();
        schemas.dedup();
        the_one_close(schema, schemas).is_some()
    }

    fn spelt(&self, ident: &Ident, table: &'a Table) -> Named<'a> {
        let stored = table.name.rsplit('.').next().unwrap_or(&table.name);
        if self.reads_as(ident, stored) { Named::Table(table) } else { Named::Misspelt(table) }
    }

    /// Tells whether the engine takes a word for a stored name that differs in letter case at most.
    pub(super) fn reads_as(&self, ident: &Ident, stored: &str) -> bool {
        match (self.dialect, ident.quote_style) {
            (Dialect::Postgres, None) => ident.value.to_lowercase() == stored,
            (Dialect::Postgres, Some(_)) => ident.value == stored,
            (Dialect::Sqlite | Dialect::Mysql | Dialect::Duckdb | Dialect::Generic, _) => true,
        }
    }

    /// Returns the bytes of a table's name, with its schema where the engine has some.
    pub(super) fn name_span(&self, name: &ObjectName) -> Span {
        let mut idents = name.0.iter().filter_map(ObjectNamePart::as_ident);
        let last = name.0.last().and_then(ObjectNamePart::as_ident);
        let first = if self.dialect == Dialect::Sqlite { last } else { idents.next() };
        let ends = first.zip(last).and_then(|(first, last)| {
            Some((self.ident_span(first)?.start, self.ident_span(last)?.end))
        });
        ends.map(|(start, end)| Span { start, end }).unwrap_or_default()
    }

    /// Reports a table that exists, and is found under another spelling only.
    pub(super) fn misspelt_table(&mut self, written: &str, table: &Table, span: Span) {
        let right = quote_table(&table.name, self.dialect);
        let why = match table.name.split_once('.') {
            Some((schema, last)) if last.eq_ignore_ascii_case(written) => {
                format!("it is in the schema {schema}, which isn't searched")
            }
            Some(_) | None => self.reads_lower(),
        };
        let message = format!("table '{written}' isn't found: {why}. Did you mean {right}?");
        self.report("no_such_table", message, Some(span), vec![right]);
    }

    /// Reports a column that exists, and is found under another spelling only.
    pub(super) fn misspelt_column(&mut self, ident: &Ident, stored: &str, span: Span) {
        let right = quote(stored, self.dialect);
        let message = format!(
            "column '{}' isn't found: {}. Did you mean {right}?",
            ident.value,
            self.reads_lower()
        );
        self.report("no_such_column", message, Some(span), vec![right]);
    }

    fn reads_lower(&self) -> String {
        let name = self.dialect.name();
        format!("{name} reads bare names in lower case and quoted ones as they are")
    }
}
