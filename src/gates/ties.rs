//! "The first" of several that are equal in what orders them: which one shows is left to chance.

use crate::domain::Severity;
use crate::sql::scope::Scope;

use super::look::{Probed, finding, probe};
use super::{After, Before, Verdict};

/// Name of the gate.
const GATE: &str = "ties";

/// Looks whether the row behind the limit is equal to the last one kept.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let before = &look.before;
    let Some((limit, sql)) = before.binding.outer().and_then(|scope| further(before, scope)) else {
        return Verdict::default();
    };
    if look.rows.row_count != limit {
        return Verdict::default();
    }
    let rows = match before.answer(&sql) {
        Probed::Open => {
            let asked = probe(GATE, "whether the first are alone in their place", sql);
            return Verdict { findings: Vec::new(), probes: vec![asked] };
        }
        Probed::Lost => return Verdict::default(),
        Probed::Rows(rows) => rows,
    };
    let Ok(last) = usize::try_from(limit) else { return Verdict::default() };
    let key = |at: usize| rows.rows.get(at).and_then(|row| row.first());
    let kept = last.checked_sub(1).and_then(key);
    let Some(value) = kept.filter(|value| key(last) == Some(value)) else {
        return Verdict::default();
    };
    let message = "a row that is left out is equal to the last one shown, in what orders them";
    let evidence = format!("both have {}", value.plain());
    let mut found = finding(GATE, Severity::Info, message, evidence);
    found.span = before.binding.outer().and_then(|scope| scope.tail.limit_span);
    found.hint = Some("To show all of them, compare with the largest or smallest.".to_owned());
    vec![found].into()
}

/// Writes the query with its order put out first, and one row more; and how many rows it keeps.
fn further(before: &Before<'_>, scope: &Scope) -> Option<(u64, String)> {
    let limit = scope.tail.limit.filter(|limit| *limit > 0 && scope.tail.offset.is_none())?;
    let ([key], Some(at)) = (scope.tail.order_by.as_slice(), scope.tail.limit_span) else {
        return None;
    };
    let text = before.query.text();
    let numbered = |text: &str| text.trim().parse::<f64>().is_ok();
    let positions = scope.group_by.iter().any(|key| numbered(key.span.of(text)));
    if scope.distinct || positions || !before.binding.set_operations.is_empty() {
        return None;
    }
    let output = key.output.and_then(|at| scope.outputs.get(at));
    let shown = output.map_or(key.span, |output| output.span).of(text);
    let first = scope.outputs.first()?.span.start;
    // an order by position would speak of another column then
    if numbered(key.span.of(text)) || first >= at.start {
        return None;
    }
    let (head, middle, tail) =
        (text.get(..first)?, text.get(first..at.start)?, text.get(at.end..)?);
    Some((limit, format!("{head}{shown}, {middle}{}{tail}", limit.checked_add(1)?)))
}
