//! What a look at the data said of literals that lists leave open: where they are, or are not.

use crate::domain::{ColumnRef, LookedUp, Privacy};
use crate::render::marked;

use super::scene::Scene;

/// Columns named of one literal at most.
const MOST_COLUMNS: usize = 3;

/// Tells whether a stored value was found by looking it up.
pub(super) fn is_found(scene: &Scene<'_>, at: &ColumnRef, stored: &str) -> bool {
    let looked_up = &scene.request.facts.looked_up;
    looked_up.iter().flat_map(|one| &one.found).any(|(c, text)| c == at && text == stored)
}

/// Lists what was looked up for the package's values: `"Oslo" → not stored in orders.city (looked
/// up)`.
pub(super) fn lines(scene: &Scene<'_>) -> Vec<String> {
    let each = |one: &LookedUp| {
        let words = words(one);
        let found = unlinked(scene, one);
        if !found.is_empty() {
            return found
                .into_iter()
                .map(|(at, stored)| match stored {
                    Some(stored) => format!("{stored} → {at} (date, looked up)"),
                    None => format!("\"{words}\" → {at} (date, looked up)"),
                })
                .collect();
        }
        let (columns, why) = match missing(scene, one) {
            (columns, true) => (columns, "not all rows read"),
            (columns, false) => (columns, "looked up"),
        };
        columns
            .map(|columns| format!("\"{words}\" → not found in {columns} ({why})"))
            .into_iter()
            .collect::<Vec<_>>()
    };
    scene.request.facts.looked_up.iter().flat_map(each).collect()
}

/// Writes the same as sentences of the schema's notes.
pub(super) fn sentences(scene: &Scene<'_>) -> Vec<String> {
    let each = |one: &LookedUp| {
        let words = words(one);
        let found = unlinked(scene, one);
        if !found.is_empty() {
            return found
                .into_iter()
                .map(|(at, stored)| match stored {
                    Some(stored) => format!("\"{words}\" is stored as {stored} in {at}."),
                    None => format!("\"{words}\" is stored in {at}."),
                })
                .collect();
        }
        let told = match missing(scene, one) {
            (Some(columns), false) => {
                Some(format!("\"{words}\" was looked up: not stored in {columns}."))
            }
            (Some(columns), true) => Some(format!(
                "\"{words}\" was not found in {columns}, of which not all rows were read."
            )),
            (None, _) => None,
        };
        told.into_iter().collect::<Vec<_>>()
    };
    scene.request.facts.looked_up.iter().flat_map(each).collect()
}

fn words(one: &LookedUp) -> String {
    marked::line(&one.words, marked::VALUE_LENGTH)
}

/// Lists where a literal was found that no link tells of, with the spelling where it may leave.
fn unlinked<'a>(scene: &Scene<'_>, one: &'a LookedUp) -> Vec<(&'a ColumnRef, Option<String>)> {
    let linked = |at: &ColumnRef, stored: &str| {
        scene.request.understanding.links.iter().any(|link| match &link.target {
            crate::domain::LinkTarget::Value { column, stored: text } => {
                column == at && text == stored
            }
            crate::domain::LinkTarget::Table(_)
            | crate::domain::LinkTarget::Column(_)
            | crate::domain::LinkTarget::Metric(_) => false,
        })
    };
    let told = |(at, stored): &&(ColumnRef, String)| may_tell(scene, at) && !linked(at, stored);
    let spelled = scene.privacy == Privacy::Rows;
    one.found
        .iter()
        .filter(told)
        .map(|(at, stored)| (at, spelled.then(|| marked::quoted(stored))))
        .take(MOST_COLUMNS)
        .collect()
}

/// Names the columns that a literal was not found in, and tells whether that is open; none when it
/// was found somewhere.
fn missing(scene: &Scene<'_>, one: &LookedUp) -> (Option<String>, bool) {
    let open = !one.unsettled.is_empty();
    let columns = if open { &one.unsettled } else { &one.lacking };
    let told: Vec<&ColumnRef> = columns.iter().filter(|at| may_tell(scene, at)).collect();
    if told.is_empty() || !one.found.is_empty() {
        return (None, open);
    }
    let mut names: Vec<String> = told.iter().take(MOST_COLUMNS).map(ToString::to_string).collect();
    if told.len() > MOST_COLUMNS {
        names.push(format!("{} more", told.len() - MOST_COLUMNS));
    }
    (Some(names.join(", ")), open)
}

fn may_tell(scene: &Scene<'_>, at: &ColumnRef) -> bool {
    scene.table(&at.table).is_some() && !scene.withheld.hides_data(at)
}
