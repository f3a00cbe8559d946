//! The plan that a model wrote with its SQL, as JSON.

use crate::domain::Plan;

/// Reads a plan from a model's JSON: strings become SQL terms and conditions; unknown fields are
/// ignored. None when it is no plan at all.
pub fn read(_json: &serde_json::Value) -> Option<Plan> {
    None
}
