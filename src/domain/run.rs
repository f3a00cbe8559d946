//! The names of runs and of the results they left.

use serde::{Deserialize, Serialize};

/// The name of one run; sortable by time of asking.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct RunId(pub String);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where all rows of a version can be read while the session lives.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ResultId {
    /// The run.
    pub run: RunId,
    /// The attempt.
    pub attempt: u32,
    /// The version, from 0.
    pub version: usize,
    /// Which arrangement of its rows: 0 is the result as it came, others are sorted or filtered.
    #[serde(default)]
    pub view: u32,
}
