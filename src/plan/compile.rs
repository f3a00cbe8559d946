//! Plan → SQL, deterministically, in the database's dialect.

use crate::domain::{Catalog, Failure, Plan, Stage};

/// Compiles a plan.
pub fn compile(_plan: &Plan, _catalog: &Catalog) -> Result<String, Failure> {
    Err(Failure::new(Stage::Parse, "plan", "the plan names no table"))
}
