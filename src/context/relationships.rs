//! The relationships component: keys, the join tree as a pattern, cardinality (S0-017 to S0-020).

use crate::domain::counts::count;
use crate::domain::package::RelationshipsContent;
use crate::domain::{ColumnRef, ComponentKind, Content, ForeignKey, Table};

use super::Proposal;
use super::pattern;
use super::scene::{Scene, same};
use super::selection::{Verdict, wanted};

/// Most keys that are told.
const MOST_KEYS: usize = 40;

/// Most keys beside those of the join tree when the schema is pruned.
const MOST_BESIDE: usize = 8;

/// Most other join trees that are told.
const MOST_ALTERNATIVES: usize = 2;

/// Proposes the keys between the tables told and the cheapest join tree over those in focus.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    if scene.kept.tables.len() < 2 {
        return Proposal::nothing("one table only");
    }
    let (keys, cut) = keys(scene);
    if keys.is_empty() {
        return Proposal::nothing("no keys between the tables are known");
    }
    let whole = scene.trees.iter().filter(|tree| tree.keys.iter().all(|key| scene.may_join(key)));
    let mut patterns = whole.filter_map(|tree| pattern::of(tree, scene.catalog));
    let content = RelationshipsContent {
        pattern: patterns.next(),
        alternatives: patterns.take(MOST_ALTERNATIVES).collect(),
        keys,
    };
    Proposal { content: Content::Relationships(content), verdict: verdict(scene), cut }
}

fn verdict(scene: &Scene<'_>) -> Verdict {
    if let [rest @ .., last] = scene.focus.as_slice()
        && !rest.is_empty()
    {
        return Verdict::is_in(format!("joins {} and {last}", rest.join(", ")));
    }
    if let Some(table) = pointing_to_itself(scene) {
        return Verdict::is_in(format!("rows of {table} point to others of it"));
    }
    if let Some(reason) = wanted(scene, ComponentKind::Relationships) {
        return Verdict::is_in(reason);
    }
    if !scene.request.errors.is_empty() {
        return Verdict::is_in("an attempt failed");
    }
    if scene.focus.is_empty() && scene.linked.is_empty() {
        return Verdict::is_in("nothing is linked, so any table may be meant");
    }
    Verdict::Out("one table only".to_owned())
}

/// Finds the table in question whose rows point to each other, if words ask for the column that does.
fn pointing_to_itself<'a>(scene: &'a Scene<'_>) -> Option<&'a str> {
    let asked = |key: &&ForeignKey| {
        let mut columns = key.from_columns.iter().map(|c| ColumnRef::new(&key.from_table, c));
        same(&key.from_table, &key.to_table)
            && columns.any(|at| scene.related.contains_key(&at) || scene.columns.contains_key(&at))
    };
    let keys = scene.focus.iter().flat_map(|table| scene.request.graph.keys_of(table));
    keys.filter(asked).map(|key| key.from_table.as_str()).next()
}

/// Lists the keys of the tree first, then those that touch a table in question.
fn keys<'a>(scene: &'a Scene<'_>) -> (Vec<ForeignKey>, Vec<String>) {
    let told = |name: &String| scene.kept.tables.iter().any(|table| same(&table.name, name));
    let about = scene.told_about();
    let near = |key: &ForeignKey| {
        usize::from(!about.iter().any(|t| same(t, &key.from_table)))
            + usize::from(!about.iter().any(|t| same(t, &key.to_table)))
    };
    let tree = scene.tree().map(|tree| tree.keys.as_slice()).unwrap_or_default();
    let between = |key: &&ForeignKey| told(&key.from_table) && told(&key.to_table);
    // where the question's tables are known, keys farther away help nobody, unless an attempt failed
    let unsure = about.is_empty() || !scene.request.errors.is_empty();
    let beside = |key: &&ForeignKey| unsure || near(key) < 2;
    let from_here = |table: &'a Table| {
        let keys = scene.request.graph.keys_of(&table.name);
        keys.filter(|key| same(&key.from_table, &table.name))
    };
    let mut others: Vec<&ForeignKey> = scene.kept.tables.iter().flat_map(from_here).collect();
    others.retain(|key| between(key) && beside(key) && !tree.contains(key));
    others.sort_by_key(|key| near(key));
    let all = tree.iter().chain(others).filter(|key| scene.may_join(key));
    let mut keys: Vec<ForeignKey> = all.cloned().collect();
    let mut cut = Vec::new();
    let most = if scene.kept.pruned { tree.len() + MOST_BESIDE } else { MOST_KEYS };
    if keys.len() > most {
        cut.push(format!("{} between other tables", count(keys.len() - most, "key")));
        keys.truncate(most);
    }
    (keys, cut)
}
