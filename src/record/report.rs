//! The one object that `ask`, `run` and `replay` print with `--json`: made from a transcript alone.

use serde_json::Value as Json;

use crate::domain::{ContextPackage, Transcript, Value};

/// Builds the report (product definition P11). Field order is part of the contract.
pub fn report(_transcript: &Transcript) -> Json {
    Json::Null
}

/// Builds the object that `context --json` prints.
pub fn context_report(_package: &ContextPackage) -> Json {
    Json::Null
}

/// Writes a cell: blobs as `x'…'`, reals that are no number as text.
pub fn cell(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Integer(n) => Json::from(*n),
        Value::Real(n) if n.is_finite() => Json::from(*n),
        Value::Real(_) | Value::Text(_) | Value::Blob(_) | Value::Malformed(_) => {
            Json::from(value.plain())
        }
    }
}
