//! Opened databases, and what must hold of every report.

use std::collections::BTreeMap;

use querent::domain::Span;
use querent::pipeline::{CheckReport, CheckRequest, Session, Setup};
use querent::sql::{ReadQuery, bind};
use tokio::runtime::Runtime;

/// Databases opened once, by address.
pub(crate) struct Desk {
    runtime: Runtime,
    sessions: BTreeMap<String, Session>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        Desk { runtime, sessions: BTreeMap::new() }
    }

    fn session(&mut self, db: &str) -> &Session {
        if !self.sessions.contains_key(db) {
            let (database, model) = (Some(db.to_owned()), Some("rules".to_owned()));
            let setup = Setup { database, model, ..Setup::default() };
            let session = self.runtime.block_on(Session::open(setup)).unwrap();
            self.sessions.insert(db.to_owned(), session);
        }
        &self.sessions[db]
    }

    fn look(&mut self, db: &str, request: &CheckRequest) -> CheckReport {
        self.session(db);
        self.runtime.block_on(self.sessions[db].check(request)).unwrap()
    }

    /// Checks a query and holds the report against what must hold; returns its status.
    pub(crate) fn check(
        &mut self,
        db: &str,
        sql: &str,
        question: Option<&str>,
        probe: bool,
    ) -> &'static str {
        let question = question.map(str::to_owned);
        let request = CheckRequest { sql: sql.to_owned(), question, probe, repair: true };
        let report = self.look(db, &request);
        spans_fit(sql, report.diagnostics.iter().filter_map(|d| d.span));
        spans_fit(&report.sql, report.findings.iter().filter_map(|f| f.span));
        match report.status {
            "rejected" => {
                assert_eq!(report.sql, sql, "what can't be mended is handed back as it came");
                assert!(!report.diagnostics.is_empty(), "{sql}");
                assert!(report.repairs.is_empty() && report.findings.is_empty(), "{report:?}");
            }
            "ok" => {
                assert_eq!(report.sql, sql, "what runs is never changed");
                assert!(report.repairs.is_empty(), "{report:?}");
            }
            "repaired" => self.stands(db, sql, &report, &request),
            other => unreachable!("{other}"),
        }
        let rewrites = report.findings.iter().filter_map(|finding| finding.rewrite.as_ref());
        for rewrite in rewrites.filter(|_| report.status != "rejected") {
            let again = self.look(db, &CheckRequest { sql: rewrite.clone(), ..request.clone() });
            assert_eq!(again.status, "ok", "{sql}\n→ {rewrite}\n{again:?}");
        }
        report.status
    }

    /// What was mended reads and binds, and is left as it is when it is checked again.
    fn stands(&mut self, db: &str, sql: &str, report: &CheckReport, request: &CheckRequest) {
        assert!(!report.repairs.is_empty() && report.sql != sql, "{report:?}");
        assert!(report.repairs.iter().all(|repair| !repair.evidence.is_empty()), "{report:?}");
        let session = self.session(db);
        let query = ReadQuery::parse(&report.sql, session.catalog().dialect);
        let query = query.unwrap_or_else(|failure| unreachable!("{sql}\n→ {failure:?}"));
        let binding = bind(&query, &session.catalog());
        assert!(
            binding.diagnostics.is_empty(),
            "{sql}\n→ {}: {:?}",
            report.sql,
            binding.diagnostics
        );
        let again = self.look(db, &CheckRequest { sql: report.sql.clone(), ..request.clone() });
        assert_eq!((again.status, &again.sql), ("ok", &report.sql), "{sql}");
        assert_eq!(again.findings, report.findings, "{sql}");
    }
}

fn spans_fit(sql: &str, spans: impl Iterator<Item = Span>) {
    for span in spans {
        assert!(sql.get(span.start..span.end).is_some(), "{span:?} doesn't fit {sql:?}");
    }
}
