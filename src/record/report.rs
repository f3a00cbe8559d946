//! The one object that `ask`, `run` and `replay` print with `--json`: made from a transcript alone.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::domain::tokens;
use crate::domain::{
    Attempt, Component, ContextPackage, Failure, Finding, Rows, Transcript, Value, Version,
};

/// Builds the report (product definition P11). Field order is part of the contract.
///
/// Parts that don't exist are null, lists of nothing are empty.
pub fn report(transcript: &Transcript) -> Json {
    let mut fields = Map::new();
    put_question(&mut fields, transcript);
    put_ending(&mut fields, transcript);
    put_result(&mut fields, transcript);
    put_work(&mut fields, transcript);
    Json::Object(fields)
}

/// Builds the object of `context --json`: what `report` has as `context`, each component with its
/// `text` and what was `cut` of it, then `tables`, `columns`, `values`, `join_path`, `warnings`,
/// `budget`, `form`.
pub fn context_report(package: &ContextPackage) -> Json {
    let mut fields = context_fields(package, true);
    put(&mut fields, "tables", &package.tables);
    put(&mut fields, "columns", &package.columns);
    put(&mut fields, "values", &package.values);
    put(&mut fields, "join_path", &package.join_path);
    put(&mut fields, "warnings", &package.warnings);
    put(&mut fields, "budget", package.budget);
    put(&mut fields, "form", package.form.name());
    Json::Object(fields)
}

fn put(fields: &mut Map<String, Json>, name: &str, value: impl Serialize) {
    let value = serde_json::to_value(value).unwrap_or(Json::Null);
    fields.insert(name.to_owned(), value);
}

/// Serialises a list, or an empty one when it can't exist yet.
fn list<T>(items: Option<&[T]>, each: impl FnMut(&T) -> Json) -> Json {
    Json::Array(items.unwrap_or_default().iter().map(each).collect())
}

/// Returns null for an empty text.
fn text(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn put_question(fields: &mut Map<String, Json>, run: &Transcript) {
    put(fields, "run", &run.run);
    put(fields, "parent", &run.question.parent);
    put(fields, "question", text(&run.question.text));
    put(fields, "database", &run.database);
    put(fields, "model", &run.model);
}

fn put_ending(fields: &mut Map<String, Json>, run: &Transcript) {
    let answer = run.answer.as_ref();
    put(fields, "status", answer.map(|a| a.status));
    let stop = answer.and_then(|a| a.stop.as_ref());
    let stop = stop.map(|s| json!({"code": s.code, "message": s.message, "hint": s.hint}));
    put(fields, "stop", stop);
    let clarify = answer.and_then(|a| a.clarify.as_ref());
    let clarify = clarify.map(|c| json!({"question": c.question, "choices": c.choices}));
    put(fields, "clarify", clarify);
    put(fields, "trust", answer.and_then(|a| a.trust));
    put(fields, "reasons", answer.map_or(&[][..], |a| &a.reasons));
    put(fields, "assumptions", answer.map_or(&[][..], |a| &a.assumptions));
    let kinds = run.understanding.as_ref().map(|u| u.kinds.as_slice());
    put(fields, "kinds", list(kinds, |(kind, _)| json!(kind)));
}

fn put_result(fields: &mut Map<String, Json>, run: &Transcript) {
    let chosen = run.chosen();
    let plan = chosen.and_then(|(attempt, _)| attempt.plan.as_ref()).or(run.plan.as_ref());
    let version = chosen.map(|(_, version)| version);
    let rows = version.and_then(|version| version.rows.as_ref());
    put(fields, "plan", plan);
    put(fields, "sql", version.map(|version| &version.sql));
    put(fields, "english", run.english.as_deref().and_then(text));
    put_rows(fields, rows);
    put(fields, "summary", run.answer.as_ref().and_then(|answer| text(&answer.summary)));
    put(fields, "findings", list(version.map(|v| v.findings.as_slice()), finding));
}

fn put_rows(fields: &mut Map<String, Json>, rows: Option<&Rows>) {
    let columns = list(
        rows.map(|r| r.columns.as_slice()),
        |column| json!({"name": column.name, "type": column.data_type}),
    );
    let cells = list(rows.map(|r| r.rows.as_slice()), |row| list(Some(row.as_slice()), cell));
    put(fields, "columns", columns);
    put(fields, "rows", cells);
    put(fields, "row_count", rows.map(|r| r.row_count));
    put(fields, "truncated", rows.is_some_and(|r| r.truncated));
}

fn put_work(fields: &mut Map<String, Json>, run: &Transcript) {
    put(fields, "attempts", list(Some(&run.attempts), attempt));
    let context = run.package().map(|package| Json::Object(context_fields(package, false)));
    put(fields, "context", context);
    let usage = run.usage();
    let usage = json!({
        "model_calls": run.calls().count(),
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "estimated_input_tokens": run.calls().map(tokens::sent).sum::<u64>(),
    });
    put(fields, "usage", usage);
    put(fields, "elapsed_ms", run.elapsed_us / 1_000);
}

/// Writes a cell: blobs as `x'…'`, numbers that JSON doesn't know as texts.
pub fn cell(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Integer(n) => json!(n),
        Value::Real(n) if n.is_finite() => json!(n),
        Value::Real(_) | Value::Text(_) | Value::Blob(_) | Value::Malformed(_) => {
            json!(value.plain())
        }
    }
}

/// Writes a finding; `rewrite` only where there is a rewritten query.
pub fn finding(finding: &Finding) -> Json {
    let mut told = json!({
        "gate": finding.gate,
        "severity": finding.severity,
        "message": finding.message,
        "evidence": finding.evidence,
    });
    if let (Some(rewrite), Some(fields)) = (&finding.rewrite, told.as_object_mut()) {
        fields.insert("rewrite".to_owned(), json!(rewrite));
    }
    told
}

/// Writes an attempt: checks and repairs of all its versions, findings and error of the last one.
fn attempt(attempt: &Attempt) -> Json {
    let last = attempt.last();
    let versions = || attempt.versions.iter();
    let checks: Vec<Json> = versions()
        .flat_map(|version| &version.checks)
        .map(|c| json!({"stage": c.stage, "ok": c.ok, "elapsed_us": c.elapsed_us}))
        .collect();
    let repairs: Vec<Json> = versions()
        .filter_map(|version| version.repair.as_ref())
        .map(|r| json!({"kind": r.kind, "from": r.from, "to": r.to}))
        .collect();
    json!({
        "n": attempt.n,
        "origin": attempt.origin,
        "drafted_sql": attempt.drafted_sql,
        "sql": last.sql,
        "checks": checks,
        "findings": list(Some(&last.findings), finding),
        "repairs": repairs,
        "error": error(last),
        "elapsed_ms": elapsed_us(attempt) / 1_000,
    })
}

/// Counts from the request for the draft: the event that opens an attempt comes after its calls.
fn elapsed_us(attempt: &Attempt) -> u64 {
    let calls: u64 = attempt.calls.iter().map(|call| call.elapsed_us).sum();
    attempt.ended_us.saturating_sub(attempt.started_us) + calls
}

/// Writes why a version didn't get through; a failure that a later version mended is seen in the
/// attempt's checks and repairs.
fn error(version: &Version) -> Json {
    let write = |failure: &Failure| {
        json!({
            "stage": failure.stage,
            "code": failure.code(),
            "message": failure.message(),
            "span": failure.span().map(|span| json!({"start": span.start, "end": span.end})),
        })
    };
    version.failure.as_ref().map_or(Json::Null, write)
}

fn context_fields(package: &ContextPackage, with_text: bool) -> Map<String, Json> {
    let mut fields = Map::new();
    put(&mut fields, "version", &package.version);
    put(&mut fields, "generated_at", &package.generated_at);
    put(&mut fields, "components_included", package.included());
    put(&mut fields, "tokens", package.tokens);
    let components = list(Some(&package.components), |c| component(c, with_text));
    put(&mut fields, "components", components);
    fields
}

fn component(component: &Component, with_text: bool) -> Json {
    let mut fields = Map::new();
    put(&mut fields, "kind", component.kind);
    put(&mut fields, "included", component.included);
    put(&mut fields, "reason", &component.reason);
    put(&mut fields, "tier", component.tier);
    put(&mut fields, "tokens", component.tokens);
    if with_text {
        put(&mut fields, "text", &component.text);
        put(&mut fields, "cut", &component.cut);
    }
    Json::Object(fields)
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
