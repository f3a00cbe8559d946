//! A function with a slip of the finger becomes the one function that the engine has.

use crate::domain::Diagnostic;

use super::case::{Case, Change};
use super::closeness::one_slip;

/// Replaces an unknown function's name by the only one that is a slip away.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if diagnostic.code != "no_such_function" {
        return None;
    }
    let span = diagnostic.span?;
    let written = span.of(case.sql);
    let mut slips = diagnostic.suggestions.iter().filter(|name| one_slip(written, name));
    let only = slips.next().filter(|_| slips.next().is_none())?;
    let words =
        format!("{} has no {written}, and {only} is the one close name", case.dialect.name());
    Some(Change::at(span, only.clone(), words))
}
