//! `> ANY (SELECT …)`, which SQLite lacks, as a comparison with the smallest or largest value.
//!
//! `x > ANY (…)` holds for a row exactly when x is above the smallest value; `ALL` is not the
//! same for an empty list, so it is left to the model.

use crate::domain::{Diagnostic, Dialect, Span};

use super::case::{Case, Change};
use super::lexemes::closing;

/// Rewrites every `<comparison> ANY (SELECT one_value FROM …)`.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    let codes = ["syntax_error", "foreign_syntax"];
    if case.dialect != Dialect::Sqlite || !codes.contains(&diagnostic.code.as_str()) {
        return None;
    }
    let lexemes = &case.lexemes;
    let mut change = Change::default();
    for (at, lexeme) in lexemes.iter().enumerate().skip(1) {
        if !lexeme.is_word(case.sql, "ANY") && !lexeme.is_word(case.sql, "SOME") {
            continue;
        }
        let negated = lexemes.get(..at)?.iter().any(|l| l.is_word(case.sql, "NOT"));
        let close = closing(lexemes, case.sql, at + 1)?;
        let inside = lexemes.get(at + 2..close)?;
        let [select, rest @ ..] = inside else { return None };
        // One plain value, no list, no aggregate, no set operation, no order.
        let from = rest.iter().position(|l| l.is_word(case.sql, "FROM"))?;
        let one = rest.get(..from)?.iter().all(|l| l.is_name() || l.is_sign(case.sql, "."));
        let plain = ["UNION", "EXCEPT", "INTERSECT", "LIMIT", "ORDER", "GROUP", "DISTINCT"];
        let simple = !rest.iter().any(|l| plain.iter().any(|word| l.is_word(case.sql, word)));
        let function = match lexemes.get(at - 1)?.span.of(case.sql) {
            ">" | ">=" => "MIN",
            "<" | "<=" => "MAX",
            _ => return None,
        };
        if negated || !one || !simple || !select.is_word(case.sql, "SELECT") || from == 0 {
            return None;
        }
        let value = Span::new(rest.first()?.span.start, rest.get(from - 1)?.span.end);
        change.patches.push((lexeme.span, String::new()));
        change.patches.push((value, format!("{function}({})", value.of(case.sql))));
        let words = format!("above or below any of them means beyond the {function}");
        change.evidence = vec![words];
    }
    (!change.patches.is_empty()).then_some(change)
}
