//! The one object that `ask`, `run` and `replay` print with `--json`: made from a transcript alone.

use serde_json::Value as Json;

use crate::domain::Transcript;

/// Builds the report (product definition P11). Field order is part of the contract.
pub fn report(_transcript: &Transcript) -> Json {
    Json::Null
}
