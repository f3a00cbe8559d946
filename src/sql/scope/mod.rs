//! Binds every name of a query to the catalog, through CTEs and subqueries.
//!
//! What belongs here: what names stand for, what can't stand for anything, and the facts about each
//! SELECT that others read (`facts.rs`). What must never come: a verdict on a query that binds.
//! Where an engine is more lenient than we are sure of, there is no diagnostic: its own prepare has
//! the last word.
//! To add a fact: a field in `facts.rs`, filled where the binder passes by.

mod binder;
mod columns;
mod exprs;
mod facts;
mod from;
mod functions;
mod grouping;
mod kinds;
mod names;
mod parts;
mod report;
mod spans;
mod tables;
mod tail;

pub use facts::{
    AggregateUse, Binding, Clause, ColumnUse, Division, JoinKind, JoinPair, Key, LiteralUse,
    Output, Place, Relation, Scope, SeenColumn, SetOperationUse, Source, Tail,
};

pub(super) use from::last_ident;
pub(super) use parts::{argument, bare};
pub(super) use spans::Spans;

use crate::domain::Catalog;

use super::ReadQuery;

/// Binds a query; what doesn't bind is in `diagnostics`, all of it.
pub fn bind(query: &ReadQuery, catalog: &Catalog) -> Binding {
    binder::bind(query, catalog)
}
