//! A column put out that nothing in the question asks for: a count behind a ranking, a key, or all.

use crate::domain::{Finding, LinkTarget, Match, Severity};
use crate::sql::scope::{Output, Scope};

use super::asked::Asked;
use super::look::finding;
use super::{Before, Verdict};

/// Words that ask for whole rows.
const WHOLE: &[&str] = &[
    "information",
    "info",
    "details",
    "detail",
    "data",
    "everything",
    "records",
    "record",
    "rows",
    "row",
    "columns",
    "fields",
    "attributes",
    "properties",
    "complete",
    "entire",
];

/// Words that ask for what tells rows apart.
const KEYS: &[&str] = &[
    "id",
    "ids",
    "identifier",
    "identifiers",
    "identification",
    "code",
    "codes",
    "key",
    "keys",
    "number",
    "numbers",
    "no",
    "nr",
    "list",
    "all",
];

/// Looks at the outputs of the outermost SELECT.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let (Some(question), Some(scope)) = (look.question, look.binding.outer()) else {
        return Verdict::default();
    };
    let asked = Asked::of(question);
    let found = count(look, scope, &asked)
        .or_else(|| everything(look, scope, &asked))
        .or_else(|| key(look, scope, &asked));
    found.into_iter().collect::<Vec<_>>().into()
}

fn surplus(output: &Output, message: String, evidence: &str) -> Finding {
    let mut found = finding("surplus_column", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(output.span);
    found.hint = Some("Put out only the columns that the question asks for.".to_owned());
    found
}

/// "Which year had the most concerts" asks for the year alone.
fn count(look: &Before<'_>, scope: &Scope, asked: &Asked) -> Option<Finding> {
    let counted = |output: &&Output| {
        let inside = scope.aggregates.iter().filter(|a| {
            output.span.start <= a.span.start && a.span.end <= output.span.end && !a.window
        });
        let functions: Vec<&str> = inside.map(|a| a.function.as_str()).collect();
        // one count over another is a figure of its own
        let ratio = functions.len() > 1 && look.text(output.span).contains('/');
        !ratio && !functions.is_empty() && functions.iter().all(|f| *f == "count")
    };
    let aggregated = |output: &&Output| {
        let mut all = scope.aggregates.iter();
        all.any(|a| output.span.start <= a.span.start && a.span.end <= output.span.end)
    };
    let plain = scope.outputs.iter().any(|output| !aggregated(&output));
    let others = scope.outputs.iter().any(|output| aggregated(&output) && !counted(&output));
    let first = scope.outputs.iter().find(counted)?;
    if !plain || others || asked.counts() {
        return None;
    }
    let text = look.text(first.span);
    let message = format!("{text} is put out, but the question doesn't ask how many");
    Some(surplus(first, message, "no word of the question asks for a count"))
}

/// `SELECT *` where columns are named.
fn everything(look: &Before<'_>, scope: &Scope, asked: &Asked) -> Option<Finding> {
    let star = scope.outputs.iter().find(|output| output.star)?;
    let links = &look.understanding?.links;
    let named = links.iter().find(|link| {
        let here = |table: &str| {
            scope.relations.iter().any(|r| r.table().is_some_and(|t| t.eq_ignore_ascii_case(table)))
        };
        let sure = matches!(link.how, Match::Exact | Match::Case | Match::Stem);
        sure && matches!(&link.target, LinkTarget::Column(at) if here(&at.table))
    })?;
    if asked.has(WHOLE) {
        return None;
    }
    let message = "all columns are put out, but the question names some";
    let evidence = format!("it asks for '{}'", named.words);
    Some(surplus(star, message.to_owned(), &evidence))
}

/// A key beside what was asked for.
fn key(look: &Before<'_>, scope: &Scope, asked: &Asked) -> Option<Finding> {
    if asked.has(KEYS) || asked.has(WHOLE) || scope.outputs.iter().any(|output| output.star) {
        return None;
    }
    let is_key = |output: &&Output| {
        output.at.as_ref().is_some_and(|at| {
            let table = look.catalog.table(&at.table);
            let single = table.is_some_and(
                |t| matches!(t.primary_key.as_slice(), [only] if only.eq_ignore_ascii_case(&at.column)),
            );
            single && at.column.to_lowercase().ends_with("id")
        })
    };
    let first = scope.outputs.iter().find(is_key)?;
    let plain = |output: &&Output| {
        let mut inside = scope.aggregates.iter();
        !inside.any(|a| output.span.start <= a.span.start && a.span.end <= output.span.end)
    };
    // beside aggregates alone, the key says which group it is
    let others = scope.outputs.iter().any(|output| !is_key(&output) && plain(&output));
    let message = format!("{} is put out, but the question doesn't ask for it", first.name);
    others.then(|| surplus(first, message, "no word of the question asks for a key"))
}
