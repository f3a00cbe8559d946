//! The units of what a query puts out: by what is known of its columns, else by its names. Pure.

use crate::domain::{Catalog, ColumnRef, Knowledge, units};
use crate::sql::ReadQuery;
use crate::sql::measures::measures;

/// Lists the units of a query's outputs; empty where its outputs can't be told.
pub(super) fn of(
    query: &ReadQuery,
    catalog: &Catalog,
    knowledge: &Knowledge,
) -> Vec<Option<String>> {
    let unit = |at: &ColumnRef| of_column(at, catalog, knowledge);
    let outputs = measures(query, catalog, &unit).unwrap_or_default();
    outputs
        .into_iter()
        .map(|(name, unit)| unit.or_else(|| units::of_name(&name)).map(str::to_owned))
        .collect()
}

/// Finds the unit of a column: what people noted, its comment, its name.
fn of_column(at: &ColumnRef, catalog: &Catalog, knowledge: &Knowledge) -> Option<&'static str> {
    let is = |other: &ColumnRef| {
        other.table.eq_ignore_ascii_case(&at.table) && other.column.eq_ignore_ascii_case(&at.column)
    };
    let meaning = knowledge.columns.iter().find(|meaning| is(&meaning.at));
    let noted = meaning.and_then(|meaning| {
        let unit = meaning.unit.as_deref().and_then(units::of_note);
        let format = || meaning.format.as_deref().and_then(units::of_note);
        unit.or_else(format).or_else(|| units::of_note(&meaning.text))
    });
    let comment = || units::of_note(catalog.column(at)?.comment.as_deref()?);
    noted.or_else(comment).or_else(|| units::of_name(&at.column))
}
