//! Remembered runs: one embedded SQLite file per user.
//!
//! What belongs here: storing runs as event lines, ratings, verified pairs, and withdrawing them.
//! What must never come: deciding that something is right because it ran.
//! To change the tables: a new numbered file in `migrations` and a row in `file::MIGRATIONS`.
//!
//! **Invariant:** the stored events of a run never change after it was stored. Ratings and
//! verifications stand beside them, so that a replay gives the same bytes.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::domain::{Event, Example, RunId, Status, Transcript};
use crate::record::lines;

mod file;
mod ledger;
mod store;
#[cfg(test)]
mod tests;

pub use store::{Store, strip};

/// The opened memory. Methods block for milliseconds; the flow calls them off the event loop.
#[derive(Debug)]
pub struct Memory {
    path: PathBuf,
    /// Held for one statement or transaction, never across an await.
    connection: Mutex<Connection>,
}

/// Why memory can't be used. A run goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The file can't be opened or written.
    #[error("memory at {path} can't be used: {what}")]
    File {
        /// The file.
        path: String,
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
}

impl Memory {
    /// Opens or makes the file and brings its tables up to date.
    pub fn open(path: &Path) -> Result<Self, MemoryError> {
        let connection = Mutex::new(file::open(path)?);
        Ok(Memory { path: path.to_owned(), connection })
    }

    /// Stores a finished run. Storing it again replaces its events and keeps rating and
    /// verification.
    pub fn store(&self, events: &[Event]) -> Result<(), MemoryError> {
        let run = Transcript::of(events);
        let mut texts = Vec::with_capacity(events.len());
        for event in events.iter().filter(|event| event.run == run.run) {
            texts.push(lines::write(event).map_err(|e| self.broken(&e))?);
        }
        self.write(|tx| {
            insert_run(tx, &run)?;
            tx.execute("DELETE FROM events WHERE run = ?1", [&run.run.0])?;
            let mut insert =
                tx.prepare_cached("INSERT INTO events (run, n, line) VALUES (?1, ?2, ?3)")?;
            for (n, line) in (0_i64..).zip(&texts) {
                insert.execute(params![run.run.0, n, line])?;
            }
            Ok(())
        })
    }

    /// Lists runs, newest first; `database` narrows.
    pub fn list(&self, database: Option<&str>, most: usize) -> Result<Vec<StoredRun>, MemoryError> {
        let connection = self.lock();
        let read = || {
            let mut statement = connection.prepare_cached(
                "SELECT id, asked_at, database, model, question, status, trust, rating, \
                 verified_by, sql, row_count FROM runs WHERE ?1 IS NULL OR database = ?1 \
                 ORDER BY id DESC LIMIT ?2",
            )?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![database, most], stored_run)?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        read().map_err(|e| self.broken(&e))
    }

    /// Reads a run's events. `run` may be the start of an id, or `last`.
    pub fn load(&self, run: &str) -> Result<Vec<Event>, MemoryError> {
        let id = self.find(run)?;
        let texts = self.lines_of(&id)?;
        let damaged = |what: String| MemoryError::Damaged { run: id.clone(), what };
        if texts.is_empty() {
            return Err(damaged("none of its events is stored".to_owned()));
        }
        texts.iter().map(|line| lines::read(line).map_err(|e| damaged(e.to_string()))).collect()
    }

    /// Rates a run: `Some(true)` is `+`, `Some(false)` is `-`, `None` takes the rating back.
    pub fn rate(&self, run: &str, good: Option<bool>) -> Result<(), MemoryError> {
        let id = self.find(run)?;
        let rating = good.map_or("", |good| if good { "+" } else { "-" });
        self.change("UPDATE runs SET rating = ?2 WHERE id = ?1", &[&id, rating])
    }

    /// Marks a run's question and SQL as verified by a named person; `at` is an ISO date.
    ///
    /// Only an answered run that began with a question has a pair to verify.
    pub fn verify(&self, run: &str, by: &str, at: &str) -> Result<(), MemoryError> {
        let id = self.find(run)?;
        if by.trim().is_empty() {
            return Err(MemoryError::Refused("a verification needs the name of a person".into()));
        }
        if let Some(why) = refusal(&id, &Transcript::of(&self.load(&id)?)) {
            return Err(MemoryError::Refused(why));
        }
        self.change(
            "UPDATE runs SET verified_by = ?2, verified_at = ?3, withdrawn_at = '' WHERE id = ?1",
            &[&id, by.trim(), at],
        )
    }

    /// Takes a verification back.
    pub fn withdraw(&self, run: &str) -> Result<(), MemoryError> {
        let id = self.find(run)?;
        let verified: bool = self.ask("SELECT verified_by <> '' FROM runs WHERE id = ?1", &id)?;
        if !verified {
            let why = format!("run {id} is not verified, so there is nothing to withdraw");
            return Err(MemoryError::Refused(why));
        }
        self.change(
            "UPDATE runs SET verified_by = '', verified_at = '', \
             withdrawn_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1",
            &[&id],
        )
    }

    /// Lists verified pairs of a database, newest first.
    pub fn verified(&self, database: &str) -> Result<Vec<Example>, MemoryError> {
        let connection = self.lock();
        let read = || {
            let mut statement = connection.prepare_cached(
                "SELECT question, sql, verified_by, verified_at, id FROM runs \
                 WHERE database = ?1 AND verified_by <> '' ORDER BY verified_at DESC, id DESC",
            )?;
            let rows = statement.query_map([database], |row| {
                Ok(Example {
                    question: row.get(0)?,
                    sql: row.get(1)?,
                    verified_by: row.get(2)?,
                    verified_at: row.get(3)?,
                    run: Some(RunId(row.get(4)?)),
                })
            })?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        read().map_err(|e| self.broken(&e))
    }

    /// Finds the one run that an id, the start of an id, or `last` names.
    fn find(&self, run: &str) -> Result<String, MemoryError> {
        let ids = self.ids(run)?;
        match ids.as_slice() {
            [] => Err(MemoryError::NoSuchRun(run.to_owned())),
            [id] => Ok(id.clone()),
            [first, second, ..] => Err(MemoryError::Refused(format!(
                "'{run}' is the start of several runs, {first} and {second} among them: \
                 type more of the id"
            ))),
        }
    }

    fn ids(&self, run: &str) -> Result<Vec<String>, MemoryError> {
        let connection = self.lock();
        let read = || {
            if run == "last" {
                let last = "SELECT id FROM runs ORDER BY id DESC LIMIT 1";
                let id = connection.query_row(last, [], |row| row.get(0)).optional()?;
                return Ok(id.into_iter().collect());
            }
            // A whole id wins over longer ones that begin with it.
            let mut statement = connection.prepare_cached(
                "SELECT id FROM runs WHERE ?1 <> '' AND substr(id, 1, length(?1)) = ?1 \
                 ORDER BY id <> ?1, id LIMIT 2",
            )?;
            let ids: Vec<String> =
                statement.query_map([run], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let whole = ids.first().is_some_and(|id| id == run);
            Ok(if whole { ids.into_iter().take(1).collect() } else { ids })
        };
        read().map_err(|e: rusqlite::Error| self.broken(&e))
    }

    fn lines_of(&self, id: &str) -> Result<Vec<String>, MemoryError> {
        let connection = self.lock();
        let read = || {
            let mut statement =
                connection.prepare_cached("SELECT line FROM events WHERE run = ?1 ORDER BY n")?;
            let rows = statement.query_map([id], |row| row.get(0))?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        read().map_err(|e| self.broken(&e))
    }

    fn ask<T: rusqlite::types::FromSql>(&self, sql: &str, id: &str) -> Result<T, MemoryError> {
        self.lock().query_row(sql, [id], |row| row.get(0)).map_err(|e| self.broken(&e))
    }

    fn change(&self, sql: &str, parameters: &[&str]) -> Result<(), MemoryError> {
        self.write(|tx| {
            tx.execute(sql, rusqlite::params_from_iter(parameters))?;
            Ok(())
        })
    }

    /// Runs changes as one transaction that takes the write lock first, so that a second Querent
    /// waits instead of failing half-way.
    fn write(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), MemoryError> {
        let mut connection = self.lock();
        let run = || {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            work(&tx)?;
            tx.commit()
        };
        run().map_err(|e| self.broken(&e))
    }

    /// A panic in another thread left the connection whole: each use is one transaction.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn broken(&self, error: &dyn std::fmt::Display) -> MemoryError {
        MemoryError::File { path: self.path.display().to_string(), what: error.to_string() }
    }
}

fn insert_run(connection: &Connection, run: &Transcript) -> rusqlite::Result<()> {
    let answer = run.answer.as_ref();
    let asked = match &run.question.sql {
        Some(sql) if run.question.text.is_empty() => sql,
        Some(_) | None => &run.question.text,
    };
    connection.execute(
        "INSERT INTO runs (id, asked_at, database, model, question, sql, status, trust, \
         package_version, row_count) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
         ON CONFLICT (id) DO UPDATE SET sql = excluded.sql, status = excluded.status, \
         trust = excluded.trust, package_version = excluded.package_version, \
         row_count = excluded.row_count",
        params![
            run.run.0,
            run.question.asked_at,
            run.place,
            run.model,
            asked,
            run.chosen().map_or("", |(_, version)| version.sql.as_str()),
            answer.map_or("unfinished", |a| a.status.name()),
            answer.and_then(|a| a.trust).map_or("", |trust| trust.name()),
            run.package().map_or("", |package| package.version.as_str()),
            run.chosen()
                .and_then(|(_, version)| version.rows.as_ref())
                .and_then(|rows| i64::try_from(rows.row_count).ok()),
        ],
    )?;
    Ok(())
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

fn stored_run(row: &Row<'_>) -> rusqlite::Result<StoredRun> {
    Ok(StoredRun {
        run: RunId(row.get(0)?),
        asked_at: row.get(1)?,
        database: row.get(2)?,
        model: row.get(3)?,
        question: row.get(4)?,
        status: row.get(5)?,
        trust: row.get(6)?,
        rating: row.get(7)?,
        verified_by: row.get(8)?,
        sql: row.get(9)?,
        rows: row.get::<_, Option<i64>>(10)?.and_then(|rows| u64::try_from(rows).ok()),
    })
}
