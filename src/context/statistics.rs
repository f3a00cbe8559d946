//! The statistics component: distinct counts, ranges, NULLs (S0-033, S0-034).

use crate::domain::counts::count;
use crate::domain::package::ColumnFacts;
use crate::domain::{
    Column, ColumnRef, ColumnStats, ComponentKind, Content, LinkTarget, Metric, Privacy, Table,
    Value,
};
use crate::render::{looks_like_date, marked};

use super::Proposal;
use super::advice::asks_of_time;
use super::dated::is_dated;
use super::notes::{listed, stats_of};
use super::privacy::identifiers;
use super::scene::{Scene, same};
use super::secrets::has_secret_shape;
use super::selection::{Verdict, wanted};

/// Most columns told.
const MOST_COLUMNS: usize = 40;

/// Whole numbers with so few distinct values are listed instead of ranged.
const FEW_NUMBERS: u64 = 5;

/// A value in one of so many rows is common.
const COMMON: u64 = 20;

/// Proposes figures of the columns of the tables that the question is about.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    if scene.privacy == Privacy::Names {
        return Proposal::nothing("privacy level names sends no figures");
    }
    let about = scene.told_about();
    if about.is_empty() {
        return Proposal::nothing("no table is linked");
    }
    let taken = taken_by_metrics(scene);
    let (mut columns, mut others) = (Vec::new(), Vec::new());
    for table in &about {
        let kept = scene.kept.tables.iter().find(|t| same(&t.name, table));
        let Some(table) = kept else { continue };
        let keys = keys(scene, table);
        for column in &table.columns {
            let Some(facts) = facts(scene, table, column, &keys) else { continue };
            let is_key = keys.iter().any(|key| same(key, &column.name));
            let names_rows = (is_key || is_sole_key(table, column)) && facts.stats.nulls == 0;
            let asked = in_question(scene, &facts.stats.at, column, &taken) && !names_rows;
            let loses_rows = is_key && facts.stats.nulls > 0;
            let list = if asked || loses_rows { &mut columns } else { &mut others };
            list.push(facts);
        }
    }
    if columns.is_empty() && others.is_empty() {
        return Proposal::nothing("nothing is measured yet");
    }
    if columns.is_empty() {
        // where no column is in question, any by which rows can be sorted may be
        others.retain(|facts| facts.values.is_some());
        columns.append(&mut others);
    }
    if columns.is_empty() {
        return Proposal::nothing("no column is in question");
    }
    let verdict = match wanted(scene, ComponentKind::Statistics) {
        Some(reason) => Verdict::is_in(reason),
        None => Verdict::Out("asks for no total, change or order".to_owned()),
    };
    let mut proposal = Proposal::new(Content::Empty, verdict);
    if columns.len() > MOST_COLUMNS {
        proposal.cut.push(format!("figures of {}", count(columns.len() - MOST_COLUMNS, "column")));
        columns.truncate(MOST_COLUMNS);
    }
    proposal.content = Content::Statistics(columns);
    proposal
}

/// Of the columns that words speak for so many are in question, the best first.
const SPOKEN_FOR: usize = 6;

/// Tells whether words of the question are tied to a column, a metric of it takes it, or it says
/// when, and the question asks of time.
fn in_question(
    scene: &Scene<'_>,
    at: &ColumnRef,
    column: &Column,
    taken: &[(&Metric, &str)],
) -> bool {
    let dated = || is_dated(column) || PERIODS.iter().any(|period| same(period, &at.column));
    scene.columns.contains_key(at)
        || scene.related.get(at).is_some_and(|rank| *rank < SPOKEN_FOR)
        || takes(taken, at)
        || (dated() && asks_of_time(scene))
}

/// Names of columns that hold a period as a number or short text.
const PERIODS: &[&str] = &["year", "quarter", "month", "week", "period"];

/// Lists the names in the formulas of the metrics that the question names, with the metric's tables.
pub(super) fn taken_by_metrics<'a>(scene: &Scene<'a>) -> Vec<(&'a Metric, &'a str)> {
    let knowledge = scene.knowledge;
    let links = &scene.request.understanding.links;
    let named = links.iter().filter_map(|link| match &link.target {
        LinkTarget::Metric(name) => knowledge.metrics.iter().find(|m| m.name == *name),
        LinkTarget::Table(_) | LinkTarget::Column(_) | LinkTarget::Value { .. } => None,
    });
    named
        .flat_map(|metric| {
            let texts = metric.filter.iter().chain([&metric.formula]);
            texts.flat_map(|text| identifiers(text)).map(move |(_, word)| (metric, word))
        })
        .collect()
}

/// Tells whether one of these names means a column.
pub(super) fn takes(taken: &[(&Metric, &str)], at: &ColumnRef) -> bool {
    taken.iter().any(|(metric, word)| {
        same(word, &at.column) && metric.tables.iter().any(|table| same(table, &at.table))
    })
}

/// Reads what may be told of one column.
fn facts(
    scene: &Scene<'_>,
    table: &Table,
    column: &Column,
    keys: &[&String],
) -> Option<ColumnFacts> {
    let at = ColumnRef::new(&table.name, &column.name);
    if scene.withheld.hides_data(&at) {
        return None;
    }
    let stats = stats_of(scene, &at)?;
    // the range of a key says nothing about the data
    let is_key = |column: &Column| column.primary || keys.iter().any(|key| same(key, &column.name));
    let values = values(scene, &at, stats);
    let told = ColumnStats {
        min: stats.min.clone().filter(|value| !is_key(column) && may_range(value)),
        max: stats.max.clone().filter(|value| !is_key(column) && may_range(value)),
        top: if scene.privacy == Privacy::Rows && !is_key(column) && !is_measured(stats) {
            common(stats)
        } else {
            Vec::new()
        },
        ..stats.clone()
    };
    Some(ColumnFacts { data_type: column.data_type.clone(), stats: told, values })
}

/// Tells whether a column alone names the rows of its table.
fn is_sole_key(table: &Table, column: &Column) -> bool {
    column.primary && table.primary_key.len() <= 1
}

/// Most distinct numbers that sort rows; of more none matters by itself.
const SORTING: u64 = 20;

/// Tells whether a column holds amounts rather than kinds.
fn is_measured(stats: &ColumnStats) -> bool {
    let number = |value: &Option<Value>| matches!(value, Some(Value::Integer(_) | Value::Real(_)));
    number(&stats.min) && number(&stats.max) && stats.distinct > SORTING
}

/// Lists the values that stand in a good part of the rows: that of thousands of prices or titles one
/// comes twice says nothing. Of values that are equally frequent all are told or none.
fn common(stats: &ColumnStats) -> Vec<(Value, u64)> {
    let cells = stats.rows_read.saturating_sub(stats.nulls);
    let all = u64::try_from(stats.top.len()) == Ok(stats.distinct);
    let secret = |value: &Value| matches!(value, Value::Text(text) if has_secret_shape(text));
    let last = stats.top.last().map_or(0, |(_, rows)| *rows);
    let common = |(value, rows): &&(Value, u64)| {
        !secret(value) && (all || (*rows > last && rows.saturating_mul(COMMON) >= cells))
    };
    stats.top.iter().filter(common).cloned().collect()
}

/// Lists all values of a column that has few, as SQL literals.
fn values(scene: &Scene<'_>, at: &ColumnRef, stats: &ColumnStats) -> Option<(Vec<String>, bool)> {
    if let Some(values) = listed(scene, at) {
        return Some((values.iter().map(|value| marked::quoted(value)).collect(), true));
    }
    let whole = |value: &Value| matches!(value, Value::Integer(_));
    let few = stats.known
        && stats.complete
        && (1..=FEW_NUMBERS).contains(&stats.distinct)
        && u64::try_from(stats.top.len()) == Ok(stats.distinct)
        && stats.top.iter().all(|(value, _)| whole(value));
    let mut numbers: Vec<&Value> = stats.top.iter().map(|(value, _)| value).collect();
    numbers
        .sort_by(|a, b| a.number().partial_cmp(&b.number()).unwrap_or(std::cmp::Ordering::Equal));
    few.then(|| (numbers.into_iter().map(Value::plain).collect(), true))
}

/// A range of numbers or dates helps; one of texts would be stored spellings.
fn may_range(value: &Value) -> bool {
    match value {
        Value::Integer(_) | Value::Real(_) => true,
        Value::Text(text) => looks_like_date(text),
        Value::Null | Value::Blob(_) | Value::Malformed(_) => false,
    }
}

/// Lists the columns by which a table points to others.
pub(super) fn keys<'a>(scene: &Scene<'a>, table: &Table) -> Vec<&'a String> {
    let keys = scene.request.graph.keys_of(&table.name);
    let own = keys.filter(|key| key.from_table.eq_ignore_ascii_case(&table.name));
    own.flat_map(|key| &key.from_columns).collect()
}
