//! Numbers of the question that the query leaves out, and numbers of the query that nobody said.

use crate::domain::plan::Comparison;
use crate::domain::{Finding, Severity, Value};
use crate::sql::scope::{Clause, LiteralUse};

use super::asked::Asked;
use super::look::finding;
use super::written::{measured, numbers};
use super::{Before, Verdict};

/// Words that stand for numbers which the gate doesn't read.
const VAGUE: &[&str] = &[
    "century",
    "decade",
    "recent",
    "recently",
    "last",
    "past",
    "today",
    "now",
    "current",
    "currently",
    "adult",
    "adults",
    "teenager",
    "teenagers",
    "minor",
    "minors",
    "half",
    "dozen",
    "hundred",
    "thousand",
    "million",
    "billion",
    "percent",
    "double",
    "twice",
    "centuries",
    "decades",
    "hundreds",
    "thousands",
    "millions",
    "billions",
    "quarter",
    "third",
    "hour",
    "hours",
    "minutes",
    "seconds",
    "weeks",
    "months",
    "old",
];

/// Looks at both.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let Some(question) = look.question else { return Verdict::default() };
    // a hint or a rule may say what is meant by words
    let explained = look.hint.is_some() || !look.facts.knowledge.rules.is_empty();
    let asked = Asked::of(question);
    let said = numbers(question);
    let known = [said.clone(), agreed(look)].concat();
    let measured = measured(question);
    let mut findings: Vec<Finding> = Vec::new();
    if !explained && !asked.has(VAGUE) && !question.contains("0s") {
        let scopes = look.binding.scopes.iter();
        let literals = scopes.flat_map(|scope| &scope.literals);
        let unsaid = literals.filter(|used| is_unsaid(used, &known, &measured));
        findings.extend(unsaid.take(1).map(|used| told(look, used)));
    }
    if let Some(number) = said.iter().find(|number| is_left_out(look, question, **number)) {
        let message = format!("the question says {number}, the query doesn't");
        let evidence = "no literal of the query is near it".to_owned();
        let mut found = finding("number_left_out", Severity::Warning, message, evidence);
        found.retryable = true;
        found.hint = Some(format!("The question speaks of {number}: use it in a condition."));
        findings.push(found);
    }
    findings.into()
}

/// A number that no word near it stands for. Small and round ones come from the form of a query.
fn is_unsaid(used: &LiteralUse, said: &[f64], measured: &[f64]) -> bool {
    let compares = matches!(
        used.op,
        Comparison::Equal
            | Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual
            | Comparison::Between
    );
    let rows = matches!(used.clause, Clause::Where | Clause::Having);
    let number = matches!(used.value, Value::Integer(_) | Value::Real(_));
    let Some(value) = used.value.number().filter(|_| compares && rows && number) else {
        return false;
    };
    let formal = value.abs() <= 2.0 || (value - 100.0).abs() < f64::EPSILON;
    !formal && !said.iter().any(|n| (n - value).abs() <= 1.0) && !is_scaled(value, measured)
}

/// Numbers of the agreed metrics: whoever computes them has to write them.
fn agreed(look: &Before<'_>) -> Vec<f64> {
    let metrics = look.facts.knowledge.metrics.iter();
    let texts =
        metrics.flat_map(|metric| [Some(metric.formula.as_str()), metric.filter.as_deref()]);
    texts.flatten().flat_map(numbers).collect()
}

/// Tells whether a number is one of the question's in a smaller unit: "5 minutes" as 300000.
fn is_scaled(value: f64, measured: &[f64]) -> bool {
    measured.iter().any(|n| *n > 0.0 && value > *n && (value / n).fract().abs() < f64::EPSILON)
}

fn told(look: &Before<'_>, used: &LiteralUse) -> Finding {
    let literal = look.text(used.span);
    let message = format!(
        "nothing in the question says {literal}, with which {} is compared",
        look.text(used.compared)
    );
    let evidence = "the number stands in the query alone";
    let mut found = finding("number_unsaid", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(used.span);
    found.hint = Some(format!("Leave out the condition with {literal} unless it is asked for."));
    found
}

/// A number of the question that stands nowhere in the query, nor its neighbours.
fn is_left_out(look: &Before<'_>, question: &str, number: f64) -> bool {
    if number <= 2.0 || number.fract() != 0.0 || number > 1e9 {
        return false;
    }
    let figure = format!("{number:.0}");
    // `50 %`, `3.5`, `2k`, `1st` and numbers in words are read in more than one way
    let mut places = question.match_indices(&figure);
    let plain = places.any(|(at, _)| {
        let before = question.get(..at).and_then(|t| t.chars().next_back());
        let after = question.get(at + figure.len()..).and_then(|t| t.chars().next());
        let edge = |c: Option<char>| c.is_none_or(|c| c == ' ' || c == '?');
        let stop = |c: Option<char>| edge(c) || c == Some('.') && question.ends_with('.');
        edge(before) && stop(after)
    });
    let percent = ["percent", "%"].iter().any(|word| question.contains(word));
    let digits = |text: &str| -> Vec<f64> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
    };
    let measured: Vec<f64> =
        measured(question).into_iter().filter(|n| (n - number).abs() < 0.5).collect();
    let written = digits(look.query.text());
    let found = written.iter().any(|n| (n - number).abs() <= 1.0 || is_scaled(*n, &measured));
    plain && !percent && !found
}
