//! What a join pattern counts several times, where something is measured.

use crate::domain::{
    Column, ColumnRef, ComponentKind, ForeignKey, LinkTarget, Match, QuestionKind, Table,
};
use crate::joins::{JoinTree, fan_out};

use super::scene::{Scene, same};
use super::statistics;

/// Says which rows the join pattern pairs or repeats, if the question asks for figures.
pub(super) fn lines(scene: &Scene<'_>) -> Vec<String> {
    let kinds = &scene.request.understanding.kinds;
    let figures = |kind| matches!(kind, QuestionKind::Aggregation | QuestionKind::Growth);
    let Some(tree) = scene.tree() else { return Vec::new() };
    if scene.request.question.switches.without.contains(&ComponentKind::Relationships) {
        // the pattern that the lines speak of is not told
        return Vec::new();
    }
    if !kinds.iter().any(|(kind, _)| figures(*kind)) {
        return Vec::new();
    }
    let pairs = paired(scene, tree);
    let told: Vec<&str> = pairs.iter().flat_map(|(_, children)| children.clone()).collect();
    let mut lines = repeated(scene, tree, &told);
    if !pairs.is_empty() {
        let pairs =
            pairs.iter().map(|(parent, side)| format!("{} by {parent}", side.join(" with ")));
        lines.push(format!(
            "The join pattern pairs rows that only share a parent ({}): a sum or count over one side \
             repeats for each row of the other.",
            pairs.collect::<Vec<_>>().join("; ")
        ));
    }
    lines
}

/// Lists the sides that the tree pairs by a common parent only, without those of which a stored
/// value keeps one row for each row of the parent.
fn paired<'t>(scene: &Scene<'_>, tree: &'t JoinTree) -> Vec<(&'t str, Vec<&'t str>)> {
    let mut groups = tree.paired();
    for (parent, children) in &mut groups {
        children.retain(|child| !keeps_one(scene, tree, child, parent));
    }
    groups.retain(|(_, children)| children.len() > 1);
    groups
}

/// Lists what the tree repeats of each measured table, but for the sides that are told as paired.
fn repeated(scene: &Scene<'_>, tree: &JoinTree, told: &[&str]) -> Vec<String> {
    let taken = statistics::taken_by_metrics(scene);
    let mut lines = Vec::new();
    for table in tree.tables.iter().filter_map(|name| scene.table(name)) {
        let keys = statistics::keys(scene, table);
        let is_key = |column: &Column| keys.iter().any(|key| same(key, &column.name));
        let summed = |column: &&Column| {
            let at = ColumnRef::new(&table.name, &column.name);
            column.kind.is_number()
                && !column.primary
                && !is_key(column)
                && (scene.columns.contains_key(&at) || statistics::takes(&taken, &at))
        };
        if !table.columns.iter().any(|column| summed(&column)) {
            continue;
        }
        for key in fan_out(&tree.keys, &table.name) {
            let (one, many) = (&table.name, &key.from_table);
            let said = told.iter().any(|side| same(side, many));
            if !said && !keeps_one(scene, tree, many, &key.to_table) {
                lines.push(format!(
                    "The join pattern repeats a row of {one} for each of its rows in {many}: add up or \
                     count {many} for each row of {one} before joining."
                ));
            }
        }
    }
    lines
}

/// Tells whether stored values that the question names keep one row of a table for each row of its
/// parent: with the key to the parent they cover a unique key.
fn keeps_one(scene: &Scene<'_>, tree: &JoinTree, child: &str, parent: &str) -> bool {
    let Some(table) = scene.table(child) else { return false };
    let from_child = |key: &&ForeignKey| same(&key.from_table, child);
    let fixed = fixed_columns(scene, table);
    let mut columns: Vec<&str> = fixed;
    let mut by_value = !columns.is_empty();
    for key in tree.keys.iter().filter(from_child) {
        if same(&key.to_table, parent) {
            columns.extend(key.from_columns.iter().map(String::as_str));
        } else if let Some(other) = scene.table(&key.to_table)
            && other.is_unique(&fixed_columns(scene, other))
        {
            by_value = true;
            columns.extend(key.from_columns.iter().map(String::as_str));
        }
    }
    by_value && table.is_unique(&columns)
}

/// Lists the columns of a table that hold a value which the question surely names.
fn fixed_columns<'a>(scene: &'a Scene<'_>, table: &Table) -> Vec<&'a str> {
    let links = scene.request.understanding.links.iter().filter(|link| link.how < Match::Part);
    links
        .filter_map(|link| match &link.target {
            LinkTarget::Value { column, .. } if same(&column.table, &table.name) => {
                Some(column.column.as_str())
            }
            LinkTarget::Value { .. }
            | LinkTarget::Table(_)
            | LinkTarget::Column(_)
            | LinkTarget::Metric(_) => None,
        })
        .collect()
}
