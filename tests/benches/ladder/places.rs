//! Databases opened by the product, and its `check` of a query.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::domain::{Catalog, Severity};
use querent::pipeline::{CheckReport, CheckRequest, Session, Setup};
use tokio::runtime::Runtime;

/// Sessions, each database once.
pub(crate) struct Places {
    runtime: Runtime,
    sessions: BTreeMap<String, Session>,
    /// How long each check took.
    pub(crate) times: Vec<Duration>,
}

impl Places {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        Places { runtime, sessions: BTreeMap::new(), times: Vec::new() }
    }

    fn session(&mut self, db: &str, file: &Path) -> &Session {
        if !self.sessions.contains_key(db) {
            let setup = Setup {
                database: Some(file.display().to_string()),
                model: Some("rules".to_owned()),
                ..Setup::default()
            };
            let session = self.runtime.block_on(Session::open(setup)).unwrap();
            self.sessions.insert(db.to_owned(), session);
        }
        self.sessions.get(db).unwrap()
    }

    pub(crate) fn catalog(&mut self, db: &str, file: &Path) -> Arc<Catalog> {
        self.session(db, file).catalog()
    }

    /// Checks a query, with looks at the data when it comes with a question.
    pub(crate) fn check(
        &mut self,
        db: &str,
        file: &Path,
        sql: &str,
        question: Option<&str>,
        probe: bool,
    ) -> CheckReport {
        let question = question.map(str::to_owned);
        let request = CheckRequest { sql: sql.to_owned(), question, probe, repair: true };
        self.session(db, file);
        let session = self.sessions.get(db).unwrap();
        let started = Instant::now();
        let report = self.runtime.block_on(session.check(&request)).unwrap();
        self.times.push(started.elapsed());
        report
    }
}

/// Names the gates that warn, each once.
pub(crate) fn warnings(report: &CheckReport) -> Vec<String> {
    let warned = report.findings.iter().filter(|found| found.severity >= Severity::Warning);
    let mut gates: Vec<String> = warned.map(|found| found.gate.clone()).collect();
    gates.sort();
    gates.dedup();
    gates
}

/// Tells whether a finding blocks.
pub(crate) fn blocks(report: &CheckReport) -> bool {
    report.findings.iter().any(|found| found.severity >= Severity::Blocking)
}
