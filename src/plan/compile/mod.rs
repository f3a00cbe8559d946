//! Plan → SQL, deterministically, in the database's dialect.
//!
//! What belongs here: writing any plan as SQL. What must never come: changing what a plan says.

mod query;
mod terms;

use crate::domain::{Catalog, Failure, Plan, Stage};

/// Compiles a plan.
///
/// Fails at stage parse with `plan` when the plan names no table or nothing to put out, or joins
/// a table that it doesn't list.
pub fn compile(plan: &Plan, catalog: &Catalog) -> Result<String, Failure> {
    query::query(plan, catalog, 0).map_err(|message| Failure::new(Stage::Parse, "plan", message))
}

#[cfg(test)]
mod tests;
