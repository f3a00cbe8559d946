//! A ratio of whole numbers whose fraction the engine cuts off.

use crate::domain::{Dialect, Finding, Severity};
use crate::sql::scope::{Clause, Division, Scope};

use super::look::finding;
use super::{Before, Verdict};

/// Looks at every division whose value is put out, sorted by or compared.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    if !matches!(look.query.dialect(), Dialect::Sqlite | Dialect::Postgres) {
        return Verdict::default();
    }
    let scopes = look.binding.scopes.iter();
    let shown = scopes.filter(|scope| !chooses_rows(look, scope));
    let divisions: Vec<&Division> = shown.flat_map(counted).collect();
    if divisions.is_empty() {
        return Verdict::default();
    }
    vec![one_finding(look, &divisions)].into()
}

/// Lists a SELECT's divisions that lose a fraction somebody will see.
fn counted(scope: &Scope) -> impl Iterator<Item = &Division> {
    let seen = |d: &&Division| {
        d.integer && matches!(d.clause, Clause::Output | Clause::OrderBy | Clause::Having)
    };
    scope.divisions.iter().filter(seen)
}

/// Tells whether a SELECT is a number of LIMIT or OFFSET: the row in the middle is a whole number.
fn chooses_rows(look: &Before<'_>, scope: &Scope) -> bool {
    let before = look.query.text().get(..scope.span.start).unwrap_or_default();
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["LIMIT", "OFFSET"].iter().any(|clause| word.eq_ignore_ascii_case(clause))
}

/// Says it once, however many divisions there are: one cure mends them all.
fn one_finding(look: &Before<'_>, divisions: &[&Division]) -> Finding {
    let ratio = divisions.iter().any(|d| d.ratio);
    let first = divisions.iter().find(|d| d.ratio).or(divisions.first());
    let span = first.map(|d| d.span).unwrap_or_default();
    let left = first.map(|d| d.left).unwrap_or_default();
    let severity = if ratio { Severity::Warning } else { Severity::Info };
    let message = format!("integer division cuts the fraction off: {}", shortened(look.text(span)));
    let evidence = format!(
        "both sides of '/' are whole numbers, and {} then gives a whole number",
        look.query.dialect().name()
    );
    let mut found = finding("integer_division", severity, message, evidence);
    found.retryable = ratio;
    found.hint = Some(format!(
        "Make one side of each division a real number before dividing, for example {} * 1.0 / …; a cast around the whole comes too late.",
        shortened(look.text(left))
    ));
    found.span = Some(span);
    found.rewrite = Some(rewritten(look, divisions));
    found
}

/// Writes the query with each dividend made a real number.
fn rewritten(look: &Before<'_>, divisions: &[&Division]) -> String {
    let mut ends: Vec<usize> = divisions.iter().map(|d| d.left.end).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut text = look.query.text().to_owned();
    for end in ends.into_iter().rev() {
        text.insert_str(end, " * 1.0");
    }
    text
}

/// Shortens a long expression for a sentence.
fn shortened(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= 60 {
        return flat;
    }
    let head: String = flat.chars().take(57).collect();
    format!("{head}…")
}
