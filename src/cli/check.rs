//! `check`: what is wrong with SQL, and whether it can be mended here. Never runs it; with `--probe`
//! its first rows are looked at, as a probe.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::domain::{Severity, Span};
use crate::pipeline::{CheckReport, CheckRequest};
use crate::record::report::finding as told;

use super::args::Check;
use super::output::{print_json, print_safe, say, say_hint};
use super::source::pointed;
use super::terms::options;
use super::{exit, open, report, text_of, without_model};

/// Checks SQL.
pub(super) async fn check(check: Check, config: Arc<Config>) -> u8 {
    let Some(sql) = &check.sql else {
        say("no SQL is given");
        say_hint("Check with: querent check --db demo \"SELECT price FROM bookings\"");
        return exit::USAGE;
    };
    let sql = match text_of(sql) {
        Ok(sql) => sql,
        Err(code) => return code,
    };
    let repair = options(&check.terms, &config).repair.local();
    let session = match open(without_model(check.edges), config).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let request = CheckRequest { sql, question: check.question, probe: check.probe, repair };
    let checked = match session.check(&request).await {
        Ok(checked) => checked,
        Err(e) => return report(&e),
    };
    if check.json {
        print_json(&json(&Json::Null, &checked));
    } else {
        show(&request.sql, &checked);
    }
    code(&checked)
}

fn code(report: &CheckReport) -> u8 {
    let lost = report.diagnostics.iter().any(|d| d.code == "database");
    let warned = report.findings.iter().any(|f| f.severity >= Severity::Warning);
    if lost {
        exit::DATABASE
    } else if report.status != "ok" || warned {
        exit::OPEN
    } else {
        exit::OK
    }
}

/// Builds the object of P11.
pub(super) fn json(id: &Json, report: &CheckReport) -> Json {
    let span = |span: &Option<Span>| span.map(|s| json!({ "start": s.start, "end": s.end }));
    let diagnostics: Vec<Json> = report
        .diagnostics
        .iter()
        .map(|d| {
            json!({
                "code": d.code,
                "message": d.message,
                "span": span(&d.span),
                "suggestions": d.suggestions,
            })
        })
        .collect();
    let repairs: Vec<Json> = report
        .repairs
        .iter()
        .map(|r| json!({ "kind": r.kind, "from": r.from, "to": r.to }))
        .collect();
    let findings: Vec<Json> = report.findings.iter().map(told).collect();
    json!({
        "id": id,
        "status": report.status,
        "analysed": report.analysed,
        "sql": report.sql,
        "diagnostics": diagnostics,
        "repairs": repairs,
        "findings": findings,
        "elapsed_us": report.elapsed_us,
    })
}

/// Shows what checking found: what is wrong at its place in the SQL as given, findings at theirs in
/// the SQL last checked.
fn show(given: &str, report: &CheckReport) {
    let point = |text: &str, span: Option<Span>| {
        for line in span.map(|span| pointed(text, span)).unwrap_or_default() {
            print_safe(&line);
        }
    };
    print_safe(report.status);
    for diagnostic in &report.diagnostics {
        print_safe(&format!("✗ {}", diagnostic.message));
        point(given, diagnostic.span);
    }
    for repair in &report.repairs {
        print_safe(&format!("mended ({}): {} → {}", repair.kind, repair.from, repair.to));
        print_safe(&format!("  {}", repair.evidence));
    }
    for finding in &report.findings {
        let sign = if finding.severity >= Severity::Warning { "!" } else { "·" };
        print_safe(&format!("{sign} {}: {}", finding.gate, finding.message));
        point(&report.sql, finding.span);
        if let Some(rewrite) = &finding.rewrite {
            print_safe(&format!("  rewritten: {rewrite}"));
        }
    }
    if report.status == "repaired" {
        print_safe(&report.sql);
    }
}
