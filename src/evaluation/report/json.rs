//! The report as one JSON object, and each question as one. Field order is part of the contract.

use serde_json::{Map, Value as Json, json};

use super::super::attribution::Lane;
use super::super::measure::{Evaluation, Measured};
use super::super::paired::{self, Difference};
use super::super::score::{LaneTally, Score, Scored, quantile};
use super::super::settings::Ablated;
use super::super::suite::Unscored;
use super::{mean, rounded};

/// Version of the report; it grows when a field is renamed or dropped.
pub const VERSION: u32 = 1;

/// Builds the report.
pub fn report(evaluation: &Evaluation) -> Json {
    json!({
        "version": VERSION,
        "sets": evaluation.sets,
        "cancelled": evaluation.cancelled,
        "models": evaluation.measured.iter().map(|m| measured(m, &evaluation.sets)).collect::<Vec<_>>(),
        "together": evaluation.together.as_ref().map(together),
        "unscored": lines(&evaluation.unscored, &evaluation.sets),
        "gold_notes": lines(&evaluation.notes, &evaluation.sets),
    })
}

/// Builds the object of one question of a set.
pub fn question(model: &str, set: &str, one: &Scored) -> Json {
    let walk = &one.walk;
    let moves: Vec<Json> = walk
        .moves
        .iter()
        .map(|step| {
            json!({
                "lane": step.lane.name(),
                "kind": step.detail,
                "before": step.before.name(),
                "after": step.after.name(),
            })
        })
        .collect();
    json!({
        "id": one.id,
        "set": set,
        "line": one.place.line,
        "db": one.db,
        "model": model,
        "question": one.question,
        "status": one.status,
        "stop": one.stop,
        "trust": one.trust,
        "first": walk.first.name(),
        "last": walk.last.name(),
        "bare_loop": one.bare.as_ref().map(|bare| bare.last.name()),
        "moves": moves,
        "refused": one.draft.as_ref().and_then(|draft| draft.refused.clone()),
        "warnings": one.draft.as_ref().map(|draft| draft.warnings.clone()).unwrap_or_default(),
        "error": one.error,
        "row_order": one.row_order,
        "first_sql": one.first_sql,
        "sql": one.sql,
        "gold_sql": one.gold,
        "attempts": one.cost.attempts,
        "model_calls": one.cost.calls,
        "input_tokens": one.cost.usage.input_tokens,
        "output_tokens": one.cost.usage.output_tokens,
        "package_tokens": one.cost.package_tokens,
        "elapsed_ms": ms(one.cost.elapsed_us),
    })
}

fn lines(lines: &[Unscored], sets: &[String]) -> Vec<Json> {
    let object = |line: &Unscored| {
        json!({
            "set": sets.get(line.place.set),
            "line": line.place.line,
            "id": line.id,
            "message": line.why,
        })
    };
    lines.iter().map(object).collect()
}

/// What holds of first answers, whoever gave them.
fn together(score: &Score) -> Json {
    json!({
        "answers": score.questions,
        "lanes": lanes(score),
        "checks": checks(score),
        "gates": gates(score),
    })
}

fn measured(measured: &Measured, sets: &[String]) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("model", json!(measured.subject.name));
    put("recorded", json!(measured.subject.recorded));
    put("unrecorded", json!(measured.unrecorded));
    let (broken, fixed) = changed(&measured.scored);
    put("fixed", json!(fixed));
    put("broken", json!(broken));
    figures(&mut fields, &measured.score);
    let of_sets = measured.score.sets.iter();
    let of_sets =
        of_sets.map(|(n, t)| json!({ "set": sets.get(*n), "questions": t.of, "right": t.right }));
    fields.insert("sets".to_owned(), of_sets.collect());
    let ablation: Vec<Json> = measured.ablated.iter().map(ablated).collect();
    fields.insert("ablation".to_owned(), json!(ablation));
    Json::Object(fields)
}

/// Counts questions that went from right to not right, and the other way.
pub(super) fn changed(scored: &[Scored]) -> (usize, usize) {
    let ends = |one: &&Scored| (one.walk.first.right(), one.walk.last.right());
    let broken = scored.iter().filter(|one| ends(one) == (true, false)).count();
    let fixed = scored.iter().filter(|one| ends(one) == (false, true)).count();
    (broken, fixed)
}

fn figures(fields: &mut Map<String, Json>, score: &Score) {
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    let n = score.questions;
    put("questions", json!(n));
    put("right", json!(score.right));
    put("execution_accuracy", share(score.right, n));
    put("right_in_any_column_order", json!(score.right_in_any_order));
    put("row_order", json!({ "questions": score.row_order.of, "same": score.row_order.right }));
    put("answered", json!(score.answered));
    put("first_answer", first(score));
    put("right_at_first_attempt", json!(score.right_at_once));
    put("first_attempt_success", share(score.right_at_once, n));
    put("bare_loop", bare(score));
    put("attempts", attempts(score));
    put(
        "model_calls",
        json!({
            "answered": score.calls.0,
            "unanswered": score.calls.1,
            "mean": rounded(mean(score.calls.0 as u64, n)),
        }),
    );
    put("tokens", tokens(score));
    put("elapsed_ms", times(score));
    let endings = score.endings.iter();
    let endings =
        endings.map(|(name, t)| json!({ "ending": name, "questions": t.of, "right": t.right }));
    put("endings", endings.collect());
    let errors = score.errors.iter();
    let errors =
        errors.map(|(class, t)| json!({ "class": class, "first": t.first, "last": t.last }));
    put("errors", errors.collect());
    put("lanes", lanes(score));
    put("checks", checks(score));
    put("gates", gates(score));
    let databases = score.databases.iter();
    let databases =
        databases.map(|(db, t)| json!({ "db": db, "questions": t.of, "right": t.right }));
    put("databases", databases.collect());
}

fn share(hits: usize, of: usize) -> Json {
    let share = paired::share(hits, of);
    if of == 0 {
        return Json::Null;
    }
    json!({
        "share": rounded(share.share),
        "low": rounded(share.low),
        "high": rounded(share.high),
    })
}

fn first(score: &Score) -> Json {
    json!({
        "right": score.first.right,
        "right_in_any_column_order": score.first.right_in_any_order,
        "ran": score.first.ran,
    })
}

fn bare(score: &Score) -> Json {
    let Some(bare) = &score.bare else { return Json::Null };
    json!({
        "right": bare.right,
        "right_in_any_column_order": bare.right_in_any_order,
        "ran": bare.ran,
        "fixed": bare.fixed,
        "broken": bare.broken,
        "attempts": bare.attempts,
        "against": difference(&against_bare(score)),
    })
}

/// Compares what the person got with the loop without us.
pub(super) fn against_bare(score: &Score) -> Difference {
    let (lost, won) = score.against_bare;
    paired::difference(lost, won, score.questions)
}

fn attempts(score: &Score) -> Json {
    json!({
        "total": score.attempts.0,
        "mean": rounded(mean(score.attempts.0 as u64, score.questions)),
        "mean_of_right": rounded(mean(score.attempts.1 as u64, score.right)),
    })
}

fn tokens(score: &Score) -> Json {
    json!({
        "input": score.usage.input_tokens,
        "output": score.usage.output_tokens,
        "cached": score.usage.cached_tokens,
        "sent_estimate": score.sent_tokens,
        "package_mean": rounded(mean(score.package_tokens, score.questions)),
    })
}

fn times(score: &Score) -> Json {
    json!({
        "median": ms(quantile(&score.times.all, 50)),
        "p95": ms(quantile(&score.times.all, 95)),
        "own_median": ms(quantile(&score.times.own, 50)),
        "own_p95": ms(quantile(&score.times.own, 95)),
    })
}

/// Writes microseconds as milliseconds.
fn ms(us: u64) -> Json {
    json!(rounded(super::float(us) / 1_000.0))
}

fn lanes(score: &Score) -> Json {
    score.lanes.iter().map(|(of, tally)| lane(*of, tally, score)).collect()
}

fn gates(score: &Score) -> Json {
    let gates = score.gates.iter();
    gates.map(|(gate, t)| json!({ "gate": gate, "on_right": t.0, "on_wrong": t.1 })).collect()
}

fn lane(lane: Lane, tally: &LaneTally, score: &Score) -> Json {
    let kinds = score.details.iter().filter(|((of, kind), _)| *of == lane && !kind.is_empty());
    let kinds: Vec<Json> = kinds
        .map(|((_, kind), tally)| {
            let mut fields = Map::new();
            fields.insert("kind".to_owned(), json!(kind));
            counts(&mut fields, tally);
            Json::Object(fields)
        })
        .collect();
    let mut fields = Map::new();
    fields.insert("lane".to_owned(), json!(lane.name()));
    counts(&mut fields, tally);
    fields.insert("untouched".to_owned(), json!(tally.untouched));
    fields.insert("kinds".to_owned(), json!(kinds));
    Json::Object(fields)
}

fn counts(fields: &mut Map<String, Json>, tally: &LaneTally) {
    let counts = [
        ("fired", tally.fired),
        ("fixed", tally.fixed),
        ("broken", tally.broken),
        ("made_to_run", tally.made_to_run),
        ("still_right", tally.still_right),
        ("still_wrong", tally.still_wrong),
    ];
    fields.extend(counts.map(|(name, n)| (name.to_owned(), json!(n))));
}

fn checks(score: &Score) -> Json {
    let checks = &score.checks;
    json!({
        "failing": checks.failing,
        "flagged": checks.flagged,
        "same_class": checks.same_class,
        "mended": checks.mended,
        "mended_right": checks.mended_right,
        "right_refused": checks.right_refused,
        "right": checks.right.0,
        "right_warned": checks.right.1,
        "wrong": checks.wrong.0,
        "wrong_warned": checks.wrong.1,
    })
}

fn ablated(ablated: &Ablated) -> Json {
    let without: Vec<&str> = ablated.setting.without.iter().map(|kind| kind.name()).collect();
    let score = ablated.score.as_ref();
    json!({
        "setting": ablated.setting.name,
        "without": without,
        "measured": score.is_some(),
        "questions": score.map(|s| s.questions),
        "right": score.map(|s| s.right),
        "execution_accuracy": score.map(|s| share(s.right, s.questions)),
        "right_at_first_attempt": score.map(|s| s.right_at_once),
        "attempts": score.map(attempts),
        "tokens": score.map(tokens),
        "difference": ablated.difference.as_ref().map(difference),
    })
}

fn difference(difference: &Difference) -> Json {
    json!({
        "lost": difference.lost,
        "won": difference.won,
        "difference": rounded(difference.difference),
        "low": rounded(difference.low),
        "high": rounded(difference.high),
        "p": rounded(difference.p),
    })
}
