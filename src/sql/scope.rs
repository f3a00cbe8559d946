//! Binds every name of a query to the catalog, through CTEs and subqueries.

use crate::domain::{Catalog, ColumnRef, Diagnostic, Span};

use super::ReadQuery;

/// What the names of a query stand for.
#[derive(Debug, Clone, Default)]
pub struct Binding {
    /// Everything that doesn't bind, in order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Base tables used, each once, names as in the catalog.
    pub tables: Vec<String>,
    /// Every use of a column, in order of the text.
    pub columns: Vec<ColumnUse>,
    /// Output columns of the outermost query: name, and the base column it is unchanged.
    pub outputs: Vec<(String, Option<ColumnRef>)>,
}

/// One use of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnUse {
    /// Bytes of the query's text, qualifier included.
    pub span: Span,
    /// The qualifier as written, if any.
    pub qualifier: Option<String>,
    /// The name as written, without quotes.
    pub name: String,
    /// The base column that it is, directly or unchanged through subqueries; none for a computed
    /// one, or for a double-quoted word that SQLite reads as a string.
    pub at: Option<ColumnRef>,
}

impl Binding {
    /// Finds the base column used at a place.
    pub fn column_at(&self, span: Span) -> Option<&ColumnRef> {
        self.columns.iter().find(|use_| use_.span == span)?.at.as_ref()
    }
}

/// Binds a query; what doesn't bind is in `diagnostics`, all of it.
pub fn bind(_query: &ReadQuery, _catalog: &Catalog) -> Binding {
    Binding::default()
}
