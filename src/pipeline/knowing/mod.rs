//! What faces may ask for about knowledge: a first file, proposals from the schema, its proof.
//!
//! What belongs here: reading from the database what the pure parts of `knowledge` want, and running
//! what a file says. What must never come: the form of a file, words of proposals.
//! To add a proof: a file that gives `Proved`, and its line in `prove`.

use std::sync::Arc;

use crate::context::Withheld;
use crate::database::{self, Limits, Trouble};
use crate::domain::counts::count;
use crate::domain::{Knowledge, Value};
use crate::knowledge::{self, Definition, Drift, Proposal, Seen};

use super::opening::SessionError;
use super::session::Session;

mod drifts;
mod prove;
mod queries;
mod stored;

pub(super) use drifts::{Drifts, note as drift_note};
pub use prove::{Outcome, Proof, ProveRequest, Proved};

/// Time for reading the definitions of triggers.
const DEFINITIONS: std::time::Duration = std::time::Duration::from_secs(2);

impl Session {
    /// Writes a first knowledge file from the schema and what is stored; nothing is saved.
    pub async fn first_knowledge(&self) -> Result<String, SessionError> {
        let catalog = self.current_catalog().await;
        let tables: Vec<String> = catalog.tables.iter().map(|table| table.name.clone()).collect();
        let (statistics, _) = self.facts_of(&tables).await;
        let values = self.values().await;
        let known = self.knowledge();
        let withheld = Withheld::of(&known, &catalog).columns(&catalog);
        Ok(knowledge::init(&Seen {
            catalog: &catalog,
            statistics: &statistics,
            values: &values,
            denied: &known.deny,
            withheld: &withheld,
        }))
    }

    /// Names the file beside the database in which its knowledge lies, or could.
    pub fn knowledge_place(&self) -> Option<std::path::PathBuf> {
        let file = database::file_of(&self.address)?;
        Some(knowledge::beside(&file).unwrap_or_else(|| knowledge::place(&file)))
    }

    /// Proposes knowledge from views, triggers, constraints, defaults and comments; none that tells
    /// of a column whose content may not leave this machine.
    pub async fn proposals(&self) -> Result<Vec<Proposal>, SessionError> {
        let catalog = self.current_catalog().await;
        let triggers = self.triggers().await?;
        let withheld = Withheld::of(&self.knowledge(), &catalog).columns(&catalog);
        Ok(knowledge::extract(&catalog, &triggers, &withheld))
    }

    /// Reads the definitions of triggers, where the engine keeps them in a table.
    async fn triggers(&self) -> Result<Vec<Definition>, SessionError> {
        let Some(sql) = knowledge::triggers_query(self.dialect()) else { return Ok(Vec::new()) };
        let mut found: Vec<Definition> = Vec::new();
        loop {
            let page = format!("{sql} LIMIT 200 OFFSET {}", found.len());
            let limits = Limits { timeout: DEFINITIONS, max_rows: None };
            let rows = match self.database.probe(&page, limits).await {
                Ok(rows) => rows.rows,
                Err(Trouble::Database(e)) => return Err(e.into()),
                // an engine that doesn't show them has none to propose from
                Err(Trouble::Query(_)) => return Ok(found),
            };
            let read = rows.len();
            found.extend(rows.iter().filter_map(|row| definition(row)));
            if read < 200 || found.is_empty() {
                return Ok(found);
            }
        }
    }

    /// Lists where knowledge and schema disagree.
    pub fn drift(&self) -> Arc<Vec<Drift>> {
        self.drifts.of(&self.knowledge(), &self.catalog()).drift
    }

    /// Says where knowledge and schema disagree, a sentence for each.
    pub fn disagreements(&self) -> Vec<String> {
        self.drift().iter().map(|drift| format!("{}: {}", drift.entry, drift.message)).collect()
    }

    /// Says in one sentence that some of a foreign file is not carried over.
    pub(super) fn lost_of_knowledge(&self) -> Option<String> {
        let known = self.knowledge();
        let n = known.lost.len();
        (n > 0).then(|| {
            let what = count(n, "entry");
            format!(
                "{what} of {} can't be carried over: `querent knowledge check` lists them.",
                known.source
            )
        })
    }

    /// Proves what a knowledge file says: names against the schema; then examples, formulas, joins
    /// and codes by reading, each within the limits.
    pub async fn prove(&self, request: &ProveRequest) -> Result<Proof, SessionError> {
        prove::prove(self, request).await
    }
}

fn definition(row: &[Value]) -> Option<Definition> {
    let [Value::Text(name), Value::Text(table), Value::Text(sql)] = row else { return None };
    Some(Definition { name: name.clone(), table: table.clone(), sql: sql.clone() })
}

/// Reads a foreign file as knowledge; what can't be carried over is among its `lost`.
pub fn import(path: &std::path::Path) -> Result<Knowledge, SessionError> {
    Ok(knowledge::read(path)?)
}

/// Writes knowledge as the text of a knowledge file.
pub fn knowledge_text(known: &Knowledge) -> String {
    knowledge::toml(known)
}

/// Writes proposals as commented entries of a knowledge file, to be pasted.
pub fn proposals_text(proposals: &[Proposal]) -> String {
    knowledge::proposals_text(proposals)
}
