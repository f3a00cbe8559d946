//! Run files: one event a line, the version first in each.

use serde::{Deserialize, Serialize};

use crate::domain::Event;

/// Version of the line format. A reader refuses a newer one.
pub const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Line {
    v: u32,
    #[serde(flatten)]
    event: Event,
}

/// Why a line can't be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is no event line.
    #[error("line is no event of a run: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It was written by a newer Querent.
    #[error("line has version {0}, and this program reads up to {VERSION}")]
    Newer(u32),
}

/// Writes an event as a line, without the line break.
pub fn write(event: &Event) -> Result<String, LineError> {
    Ok(serde_json::to_string(&Line { v: VERSION, event: event.clone() })?)
}

/// Reads a line.
pub fn read(line: &str) -> Result<Event, LineError> {
    let line: Line = serde_json::from_str(line)?;
    if line.v > VERSION { Err(LineError::Newer(line.v)) } else { Ok(line.event) }
}
