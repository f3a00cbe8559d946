//! A literal that no row of its column holds, so that the condition keeps nothing.

use crate::domain::plan::Comparison;
use crate::domain::{Dialect, Finding, Severity, Span, Value, ValueList};
use crate::sql::nearest::nearest;
use crate::sql::scope::{LiteralUse, Scope};

use super::look::{Probed, finding, listed, probe};
use super::{Before, Verdict};

/// Name of the gate.
const GATE: &str = "ungrounded_literal";

/// Looks at every literal that is compared with a text column.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for scope in &look.binding.scopes {
        for used in &scope.literals {
            verdict.join(literal(look, scope, used));
        }
    }
    // The same literal may stand in several places; one finding is enough.
    let mut said: Vec<String> = Vec::new();
    verdict.findings.retain(|found| {
        let new = !said.contains(&found.message);
        said.push(found.message.clone());
        new
    });
    verdict
}

/// What is known about a literal in its column.
pub(super) enum Stored<'a> {
    /// It is there, or nothing can be said.
    Fine,
    /// It isn't there; the stored values where they are all known.
    Missing(Option<&'a ValueList>),
    /// The data must be asked, with this query.
    Ask(String),
}

/// Judges whether a literal is stored in the column it is compared with.
pub(super) fn stored<'a>(look: &Before<'a>, used: &LiteralUse) -> Stored<'a> {
    let equals = matches!(
        used.op,
        Comparison::Equal | Comparison::NotEqual | Comparison::In | Comparison::NotIn
    );
    let like = matches!(used.op, Comparison::Like | Comparison::NotLike);
    let (Some(at), Value::Text(text)) = (&used.column, &used.value) else { return Stored::Fine };
    if !equals && !like {
        return Stored::Fine;
    }
    let holds = |list: &ValueList| {
        let exact = like && minds_case(look, used);
        let equal =
            |v: &str| v == text || folds_case(look) && v.to_lowercase() == text.to_lowercase();
        list.values.iter().any(|v| if like { matches_like(v, text, exact) } else { equal(v) })
    };
    match look.values_of(at) {
        // An empty table says nothing about how values are spelled.
        Some(list) if holds(list) || (list.complete && list.values.is_empty()) => Stored::Fine,
        Some(list) if list.complete => {
            // A list of texts says nothing of a column that also holds numbers.
            if text.trim().parse::<f64>().is_ok() {
                Stored::Fine
            } else {
                Stored::Missing(Some(list))
            }
        }
        Some(_) => asked(look, used, text, like),
        None => Stored::Fine,
    }
}

/// Tells whether `=` ignores letter case, as MySQL's usual collations do.
fn folds_case(look: &Before<'_>) -> bool {
    look.query.dialect() == Dialect::Mysql
}

/// Tells whether a LIKE minds letter case on this engine.
fn minds_case(look: &Before<'_>, used: &LiteralUse) -> bool {
    matches!(look.query.dialect(), Dialect::Postgres | Dialect::Duckdb) && !says_ilike(look, used)
}

fn says_ilike(look: &Before<'_>, used: &LiteralUse) -> bool {
    let between = Span { start: used.compared.end, end: used.span.start };
    look.text(between).to_ascii_lowercase().contains("ilike")
}

/// Asks the data for one row with the literal.
fn asked<'a>(look: &Before<'a>, used: &LiteralUse, text: &str, like: bool) -> Stored<'a> {
    let Some(at) = &used.column else { return Stored::Fine };
    let literal = look.literal(&Value::Text(text.to_owned()));
    let operator = match like {
        false => "=",
        true if says_ilike(look, used) => "ILIKE",
        true => "LIKE",
    };
    let sql = format!(
        "SELECT 1 FROM {} WHERE {} {operator} {literal} LIMIT 1",
        look.quoted_table(&at.table),
        look.quoted(&at.column),
    );
    match look.answer(&sql) {
        Probed::Open => Stored::Ask(sql),
        Probed::Rows(rows) if rows.rows.is_empty() => Stored::Missing(look.values_of(at)),
        Probed::Rows(_) | Probed::Lost => Stored::Fine,
    }
}

fn literal(look: &Before<'_>, scope: &Scope, used: &LiteralUse) -> Verdict {
    match stored(look, used) {
        Stored::Fine => Verdict::default(),
        Stored::Ask(sql) => {
            let words = format!("whether {} is stored", look.text(used.span));
            Verdict { findings: Vec::new(), probes: vec![probe(GATE, words, sql)] }
        }
        Stored::Missing(list) => vec![missing(look, scope, used, list)].into(),
    }
}

fn missing(
    look: &Before<'_>,
    scope: &Scope,
    used: &LiteralUse,
    list: Option<&ValueList>,
) -> Finding {
    let Value::Text(text) = &used.value else { unreachable!("only texts are looked up") };
    let at = used.column.as_ref().map(ToString::to_string).unwrap_or_default();
    let values = list.map(|list| list.values.as_slice()).unwrap_or_default();
    let near = near(text, values);
    let evidence = if list.is_some_and(|list| list.complete) {
        format!(
            "{at} holds {} different values: {}",
            values.len(),
            listed(values.iter().map(String::as_str), 8)
        )
    } else {
        format!(
            "no row of {at} holds it; seen there: {}",
            listed(values.iter().map(String::as_str), 8)
        )
    };
    let close_column = used.double_quoted && close_column(scope, text).is_some();
    // A double-quoted word is a string by SQLite's rule; that alone is no reason to warn.
    let severity =
        if used.double_quoted && !close_column { Severity::Info } else { Severity::Warning };
    let mut message = format!("no row of {at} holds {}", Value::Text(text.clone()).literal());
    if !near.is_empty() {
        message.push_str("; stored is ");
        message.push_str(&listed(near.iter().copied(), 3));
    }
    let mut found = finding(GATE, severity, message, evidence);
    found.span = Some(used.span);
    if let Some(best) = near.first() {
        found.retryable = true;
        let values = listed(near.iter().copied(), 3);
        found.hint = Some(format!("{at} has no {text:?}. Use a stored value: {values}."));
        let same = near.len() == 1 && best.eq_ignore_ascii_case(text) && !used.double_quoted;
        found.rewrite = same.then(|| replaced(look, used, best));
    }
    found
}

/// Writes the query with the stored spelling in place of the literal.
fn replaced(look: &Before<'_>, used: &LiteralUse, stored: &str) -> String {
    let mut text = look.query.text().to_owned();
    let literal = look.literal(&Value::Text(stored.to_owned()));
    if text.get(used.span.start..used.span.end).is_some() {
        text.replace_range(used.span.start..used.span.end, &literal);
    }
    text
}

/// Finds stored values that are close: the same but for letter case first, then spelling.
fn near<'a>(text: &str, values: &'a [String]) -> Vec<&'a str> {
    let bare = text.trim_matches('%');
    let lower = bare.to_lowercase();
    let same: Vec<&str> =
        values.iter().map(String::as_str).filter(|v| v.to_lowercase() == lower).collect();
    if !same.is_empty() {
        return same;
    }
    let ranked = nearest(bare, values.iter().map(String::as_str));
    let close: Vec<&str> =
        ranked.into_iter().filter(|(_, score)| *score >= 0.6).map(|(v, _)| v).take(3).collect();
    if !close.is_empty() {
        return close;
    }
    let part = |v: &&str| {
        let v = v.to_lowercase();
        lower.chars().count() >= 3 && (v.contains(&lower) || (v.len() >= 3 && lower.contains(&v)))
    };
    values.iter().map(String::as_str).filter(part).take(3).collect()
}

/// Finds the column of a SELECT's relations that a word is close to.
fn close_column<'a>(scope: &'a Scope, word: &str) -> Option<&'a str> {
    let columns = scope.relations.iter().flat_map(|r| r.columns.iter().flatten());
    let ranked = nearest(word, columns.map(|c| c.name.as_str()));
    ranked.first().filter(|(_, score)| *score >= 0.8).map(|(name, _)| *name)
}

/// Matches a LIKE pattern, ignoring letter case as SQLite does.
fn matches_like(value: &str, pattern: &str, exact: bool) -> bool {
    fn rest(value: &[char], pattern: &[char]) -> bool {
        match (pattern, value) {
            ([], []) => true,
            (['%', pattern @ ..], _) => {
                (0..=value.len()).any(|at| value.get(at..).is_some_and(|v| rest(v, pattern)))
            }
            (['_', pattern @ ..], [_, value @ ..]) => rest(value, pattern),
            ([p, pattern @ ..], [v, value @ ..]) => p == v && rest(value, pattern),
            _ => false,
        }
    }
    let chars = |text: &str| {
        let text = if exact { text.to_owned() } else { text.to_lowercase() };
        text.chars().collect::<Vec<_>>()
    };
    // Patterns with many stars would take exponential time; they are not worth a warning.
    pattern.matches('%').count() > 4 || rest(&chars(value), &chars(pattern))
}
