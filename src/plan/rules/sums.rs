//! "Which region sold the most units": the units of each region are summed before they are compared.

use crate::domain::ColumnRef;
use crate::domain::plan::Aggregate;

use super::build::described;
use super::cues::{Cue, Quality};
use super::items::{Item, Kind};
use super::path::connect;
use super::schema::Schema;
use super::sketch::{Output, Size, Sketch};

/// Stems of measures whose sum says nothing.
const NOT_ADDED: &[&str] = &[
    "rate",
    "ratio",
    "percent",
    "percentag",
    "score",
    "age",
    "year",
    "rank",
    "grade",
    "averag",
    "temperatur",
    "latitud",
    "longitud",
    "height",
    "level",
    "price",
    "index",
];

/// "How many people live in Asia": where rows are countries, their inhabitants are added.
pub(super) fn count_people(schema: &Schema<'_>, items: &[Item], sketch: &mut Sketch) {
    const PEOPLE: &[&str] = &["people", "inhabitants", "residents", "citizens", "persons"];
    let counted = items.windows(2).any(|pair| {
        let [count, noun] = pair else { return false };
        let number = count.text.to_lowercase();
        let asks = number == "how many" || number.ends_with("number of") || number == "many";
        asks && noun.is(Cue::Filler) && PEOPLE.contains(&noun.text.to_lowercase().as_str())
    });
    if !counted {
        return;
    }
    for output in &mut sketch.outputs {
        let Output::Rows(table) = output else { continue };
        if let Some((at, false)) = schema.measuring(table, Quality::People) {
            *output = Output::Aggregate(Aggregate::Sum, at);
        }
    }
}

/// Finds the one column of amounts that is called a total: "the total of all invoices" adds it.
pub(super) fn total_of(schema: &Schema<'_>, table: &str) -> Option<ColumnRef> {
    let table = schema.table(table)?;
    let columns = table.columns.iter().map(|c| ColumnRef::new(&table.name, &c.name));
    let mut found = columns.filter(|at| schema.is_number(at) && is_total(schema, at));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn is_total(schema: &Schema<'_>, at: &ColumnRef) -> bool {
    schema.own_words(at).iter().any(|word| word == "total")
}

/// "What is the invoice total for Brazil": one total is asked for, not a list of them.
pub(super) fn add_total(schema: &Schema<'_>, items: &[Item], sketch: &mut Sketch) {
    let [Output::Column(at)] = sketch.outputs.as_slice() else { return };
    let at = at.clone();
    let said = |item: &Item| item.text.to_lowercase().split(' ').any(|word| word == "total");
    let each = items.iter().any(|item| {
        let text = item.text.to_lowercase();
        let words = ["each", "every", "per", "all", "list", "by"];
        item.is(Cue::Each) || text.split(' ').any(|word| words.contains(&word))
    });
    let whole = sketch.order.is_empty()
        && sketch.limit.is_none()
        && sketch.groups.is_empty()
        && sketch.having.is_empty()
        && !sketch.distinct;
    if whole && !each && items.iter().any(said) && schema.is_number(&at) && is_total(schema, &at) {
        sketch.outputs = vec![Output::Aggregate(Aggregate::Sum, at)];
    }
}

/// Replaces the extreme of single rows by that of sums where the question's things are groups.
pub(super) fn settle(schema: &Schema<'_>, items: &[Item], sketch: &mut Sketch) {
    let ([(Size::Column(at), _)], Some(_)) = (sketch.order.as_slice(), sketch.limit) else {
        return;
    };
    let at = at.clone();
    let columns: Vec<&ColumnRef> = sketch
        .outputs
        .iter()
        .filter_map(|o| if let Output::Column(c) = o { Some(c) } else { None })
        .collect();
    let Some(owner) = columns.first().map(|c| c.table.clone()) else { return };
    let plain = columns.len() == sketch.outputs.len() && columns.iter().all(|c| c.table == owner);
    if !plain || !sketch.groups.is_empty() || !sketch.having.is_empty() || !schema.is_number(&at) {
        return;
    }
    let most = items.iter().any(|i| matches!(i.kind, Kind::Cue(Cue::Most(_))));
    let spoken = items.iter().any(|i| {
        i.table_score() >= i.column_score().max(0.5) && i.tables.iter().any(|t| t.0 == at.table)
    });
    let grouped = if owner == at.table {
        !spoken && !described(schema, &columns)
    } else {
        let path = connect(schema, &[owner.clone(), at.table.clone()]);
        most && path.is_ok_and(|path| path.multiplies(&owner))
    };
    if !grouped {
        return;
    }
    let added = !schema.own_words(&at).iter().any(|w| NOT_ADDED.contains(&w.as_str()));
    if let Some((size, _)) = sketch.order.first_mut().filter(|_| most && added) {
        *size = Size::Aggregate(Aggregate::Sum, at);
    } else {
        sketch.open.push(format!("whether {at} is compared row by row or summed for each group"));
    }
}
