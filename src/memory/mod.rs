//! Remembered runs: one embedded SQLite file per user, or a PostgreSQL that a team shares.
//!
//! What belongs here: storing runs as event lines, ratings, verified pairs, and withdrawing them.
//! What must never come: deciding that something is right because it ran. No vectors either: a run is
//! found by its id and a pair by its database, and which pairs are like a question is told by their
//! words, above; nothing here would ask them.
//! To change the tables: a new numbered file in `migrations` and one in `migrations/server`, and a
//! row in `MIGRATIONS` of `file` and of `server::migrations`.
//!
//! **Invariant:** the stored events of a run never change after it was stored. Ratings and
//! verifications stand beside them, so that a replay gives the same bytes.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::domain::{Event, Example, RunId, Status, Transcript};
use crate::record::lines;

mod file;
mod ledger;
mod server;
mod store;
mod tables;
#[cfg(test)]
mod tests;

pub use server::is_address;
pub use store::{Store, strip};

use tables::{Cell, Change, Row, Tables};

/// Events that one statement stores: far below the parameters that either engine takes.
const EVENTS_AT_ONCE: usize = 500;

/// The opened memory. Methods block, for milliseconds as a rule; the flow calls them off the event
/// loop.
pub struct Memory {
    /// Held for one read or change, never across an await.
    tables: Mutex<Box<dyn Tables>>,
    /// Who asks, where others ask too; empty in a file of one's own.
    user: String,
}

/// Why memory can't be used. A run goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The file or server can't be opened, read or written.
    #[error("memory at {place} can't be used: {what}")]
    Unusable {
        /// The file, or the server's address without a password.
        place: String,
        /// Why.
        what: String,
    },
    /// There is no such run.
    #[error("no run {0} is stored")]
    NoSuchRun(String),
    /// A stored run can't be read.
    #[error("run {run} can't be read: {what}")]
    Damaged {
        /// The run.
        run: String,
        /// Why.
        what: String,
    },
    /// The request makes no sense for this run.
    #[error("{0}")]
    Refused(String),
}

/// One stored run in the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredRun {
    /// The run.
    pub run: RunId,
    /// When it was asked, ISO 8601.
    pub asked_at: String,
    /// The database.
    pub database: String,
    /// The model.
    pub model: String,
    /// The question, or the SQL when there is none.
    pub question: String,
    /// Status as scripts read it.
    pub status: String,
    /// Trust as scripts read it, empty unless answered.
    pub trust: String,
    /// `+`, `-` or empty.
    pub rating: String,
    /// Who verified its pair; empty when nobody did.
    pub verified_by: String,
    /// The SQL of the answer; empty when there is none.
    pub sql: String,
    /// How many rows the answer has, when it ran and was counted.
    pub rows: Option<u64>,
    /// Who asked, where several people share the memory; empty in a file of one's own.
    pub asked_by: String,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Memory {
    /// Opens or makes the file and brings its tables up to date.
    pub fn open(path: &Path) -> Result<Self, MemoryError> {
        Ok(Memory::of(Box::new(file::File::open(path)?), ""))
    }

    /// Names a server whose memory a team shares, and who of the team asks; connects at first use,
    /// within a Tokio runtime.
    pub fn shared(address: &str, user: &str) -> Result<Self, MemoryError> {
        Ok(Memory::of(Box::new(server::Server::at(address)?), user))
    }

    fn of(tables: Box<dyn Tables>, user: &str) -> Self {
        Memory { tables: Mutex::new(tables), user: user.to_owned() }
    }

    /// Tells whether memory can be used now.
    pub fn reach(&self) -> Result<(), MemoryError> {
        self.read("SELECT 1", &[]).map(drop)
    }

    /// Stores a finished run. Storing it again replaces its events and keeps rating and
    /// verification.
    pub fn store(&self, events: &[Event]) -> Result<(), MemoryError> {
        let run = Transcript::of(events);
        let id = run.run.0.as_str();
        let of_run = events.iter().filter(|event| event.run == run.run);
        let texts = of_run.map(lines::write).collect::<Result<Vec<_>, _>>();
        let texts = texts.map_err(|e| damaged(id, &e))?;
        let mut changes = vec![
            insertion(&run, &self.user),
            Change::new("DELETE FROM events WHERE run = $1", &[id]),
        ];
        let begun = (0_i64..).step_by(EVENTS_AT_ONCE);
        changes.extend(begun.zip(texts.chunks(EVENTS_AT_ONCE)).map(|(n, t)| insertions(id, n, t)));
        self.write(&changes)
    }

    /// Lists runs, newest first; `database` narrows.
    pub fn list(&self, database: Option<&str>, most: usize) -> Result<Vec<StoredRun>, MemoryError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = self.read(
            "SELECT id, asked_at, database, model, question, status, trust, rating, verified_by, \
             sql, row_count, asked_by FROM runs WHERE $1 IS NULL OR database = $1 \
             ORDER BY id DESC LIMIT $2",
            &[database.into(), Some(most).into()],
        )?;
        Ok(rows.into_iter().map(stored_run).collect())
    }

    /// Reads a run's events. `run` may be the start of an id, or `last`.
    pub fn load(&self, run: &str) -> Result<Vec<Event>, MemoryError> {
        self.events_of(&self.find(run)?)
    }

    fn events_of(&self, id: &str) -> Result<Vec<Event>, MemoryError> {
        let rows = self.read("SELECT line FROM events WHERE run = $1 ORDER BY n", &[id.into()])?;
        if rows.is_empty() {
            return Err(damaged(id, &"none of its events is stored"));
        }
        let read = |mut row: Row| lines::read(&row.text()).map_err(|e| damaged(id, &e));
        rows.into_iter().map(read).collect()
    }

    /// Rates a run: `Some(true)` is `+`, `Some(false)` is `-`, `None` takes the rating back.
    pub fn rate(&self, run: &str, good: Option<bool>) -> Result<(), MemoryError> {
        let id = self.find(run)?;
        let rating = good.map_or("", |good| if good { "+" } else { "-" });
        self.change("UPDATE runs SET rating = $1 WHERE id = $2", &[rating, &id])
    }

    /// Marks a run's question and SQL as verified by a named person; `at` is an ISO date.
    ///
    /// Only an answered run that began with a question has a pair to verify.
    pub fn verify(&self, run: &str, by: &str, at: &str) -> Result<(), MemoryError> {
        let id = self.find(run)?;
        if by.trim().is_empty() {
            return Err(MemoryError::Refused("a verification needs the name of a person".into()));
        }
        if let Some(why) = refusal(&id, &Transcript::of(&self.events_of(&id)?)) {
            return Err(MemoryError::Refused(why));
        }
        self.change(
            "UPDATE runs SET verified_by = $1, verified_at = $2, withdrawn_at = '' WHERE id = $3",
            &[by.trim(), at, &id],
        )
    }

    /// Takes a verification back.
    pub fn withdraw(&self, run: &str) -> Result<(), MemoryError> {
        let id = self.find(run)?;
        let verified = "SELECT 1 FROM runs WHERE id = $1 AND verified_by <> ''";
        if self.read(verified, &[id.as_str().into()])?.is_empty() {
            let why = format!("run {id} is not verified, so there is nothing to withdraw");
            return Err(MemoryError::Refused(why));
        }
        let now = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        self.change(
            "UPDATE runs SET verified_by = '', verified_at = '', withdrawn_at = $1 WHERE id = $2",
            &[&now, &id],
        )
    }

    /// Lists verified pairs of a database, newest first.
    pub fn verified(&self, database: &str) -> Result<Vec<Example>, MemoryError> {
        let rows = self.read(
            "SELECT question, sql, verified_by, verified_at, id FROM runs \
             WHERE database = $1 AND verified_by <> '' ORDER BY verified_at DESC, id DESC",
            &[database.into()],
        )?;
        let pair = |mut row: Row| Example {
            question: row.text(),
            sql: row.text(),
            verified_by: row.text(),
            verified_at: row.text(),
            run: Some(RunId(row.text())),
        };
        Ok(rows.into_iter().map(pair).collect())
    }

    /// Finds the one run that an id, the start of an id, or `last` names.
    fn find(&self, run: &str) -> Result<String, MemoryError> {
        let ids = self.ids(run)?;
        match ids.as_slice() {
            [] => Err(MemoryError::NoSuchRun(run.to_owned())),
            // a whole id wins over longer ones that begin with it
            [id, ..] if id == run => Ok(id.clone()),
            [id] => Ok(id.clone()),
            [first, second, ..] => Err(MemoryError::Refused(format!(
                "'{run}' is the start of several runs, {first} and {second} among them: \
                 type more of the id"
            ))),
        }
    }

    /// Lists the first two runs of a name; the last one is that of who asks.
    fn ids(&self, run: &str) -> Result<Vec<String>, MemoryError> {
        let rows = if run == "last" {
            let last = "SELECT id FROM runs WHERE asked_by = $1 ORDER BY id DESC LIMIT 1";
            self.read(last, &[self.user.as_str().into()])
        } else {
            let begun = "SELECT id FROM runs WHERE $1 <> '' AND id >= $1 AND id < $2 \
                 ORDER BY id LIMIT 2";
            self.read(begun, &[run.into(), format!("{run}{}", char::MAX).as_str().into()])
        };
        Ok(rows?.into_iter().map(|mut row| row.text()).collect())
    }

    fn read(&self, sql: &str, cells: &[Cell]) -> Result<Vec<Row>, MemoryError> {
        // a panic in another thread left the tables whole: each use is one transaction
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).read(sql, cells)
    }

    fn change(&self, sql: &str, texts: &[&str]) -> Result<(), MemoryError> {
        self.write(&[Change::new(sql, texts)])
    }

    fn write(&self, changes: &[Change]) -> Result<(), MemoryError> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).write(changes)
    }
}

fn damaged(run: &str, what: &dyn std::fmt::Display) -> MemoryError {
    MemoryError::Damaged { run: run.to_owned(), what: what.to_string() }
}

fn insertion(run: &Transcript, user: &str) -> Change {
    let answer = run.answer.as_ref();
    let asked = match &run.question.sql {
        Some(sql) if run.question.text.is_empty() => sql,
        Some(_) | None => &run.question.text,
    };
    let chosen = run.chosen().map(|(_, version)| version);
    let sql = "INSERT INTO runs (id, asked_at, database, model, question, sql, status, trust, \
         package_version, asked_by, row_count) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (id) DO UPDATE SET sql = excluded.sql, status = excluded.status, \
         trust = excluded.trust, package_version = excluded.package_version, \
         row_count = excluded.row_count";
    let texts = [
        run.run.0.as_str(),
        &run.question.asked_at,
        &run.place,
        &run.model,
        asked,
        chosen.map_or("", |version| version.sql.as_str()),
        answer.map_or("unfinished", |a| a.status.name()),
        answer.and_then(|a| a.trust).map_or("", |trust| trust.name()),
        run.package().map_or("", |package| package.version.as_str()),
        user,
    ];
    let counted = chosen
        .and_then(|version| version.rows.as_ref())
        .and_then(|rows| i64::try_from(rows.row_count).ok());
    let mut change = Change::new(sql, &texts);
    change.cells.push(counted.into());
    change
}

/// Makes one statement of many lines: a server is asked once for all of them.
fn insertions(run: &str, first: i64, lines: &[String]) -> Change {
    let places = (1..=lines.len()).map(|k| format!("($1, ${}, ${})", 2 * k, 2 * k + 1));
    let places = places.collect::<Vec<_>>().join(", ");
    let mut cells = vec![Cell::from(run)];
    for (n, line) in (first..).zip(lines) {
        cells.extend([Some(n).into(), line.as_str().into()]);
    }
    Change { sql: format!("INSERT INTO events (run, n, line) VALUES {places}"), cells }
}

/// Says why a run has no pair that a person could verify.
fn refusal(id: &str, run: &Transcript) -> Option<String> {
    let status = run.answer.as_ref().map(|answer| answer.status);
    if status != Some(Status::Answered) || run.chosen().is_none() {
        let name = status.map_or("unfinished", Status::name);
        return Some(format!("run {id} ended as {name}: only an answered run can be verified"));
    }
    run.question.text.trim().is_empty().then(|| {
        format!("run {id} has SQL but no question: only a question and its SQL can be verified")
    })
}

fn stored_run(mut row: Row) -> StoredRun {
    StoredRun {
        run: RunId(row.text()),
        asked_at: row.text(),
        database: row.text(),
        model: row.text(),
        question: row.text(),
        status: row.text(),
        trust: row.text(),
        rating: row.text(),
        verified_by: row.text(),
        sql: row.text(),
        rows: row.count(),
        asked_by: row.text(),
    }
}
