//! The relationships component: keys, the join tree as a pattern, cardinality (S0-017 to S0-020).

use crate::domain::counts::count;
use crate::domain::package::RelationshipsContent;
use crate::domain::{ColumnRef, ComponentKind, Content, ForeignKey, Table};

use super::Proposal;
use super::advice::asks_for_lacking;
use super::pattern::{self, Keeps};
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
    if scene.kept.tables.len() < 2 && pointing_to_itself(scene).is_none() {
        return Proposal::nothing("one table only");
    }
    let (keys, mut cut) = keys(scene);
    if keys.is_empty() {
        return Proposal::nothing("no keys between the tables are known");
    }
    let whole = scene.trees.iter().filter(|tree| tree.keys.iter().all(|key| scene.may_join(key)));
    let keeps = if asks_for_lacking(scene) { Keeps::All } else { Keeps::Partners };
    let mut patterns = pattern::all(whole, scene.catalog, keeps);
    if scene.focus.len() == 1 {
        let own = pointing_to_itself(scene).filter(|key| scene.may_join(key));
        patterns.extend(own.and_then(|key| pattern::of_itself(key, scene.catalog)));
    }
    if let Some(more) = patterns.len().checked_sub(MOST_ALTERNATIVES + 1).filter(|n| *n > 0) {
        cut.push(format!("{more} other join patterns of the same length"));
    }
    let mut patterns = patterns.into_iter();
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
    if let Some(key) = pointing_to_itself(scene) {
        return Verdict::is_in(format!("rows of {} point to others of it", key.from_table));
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

/// Finds the key by which rows of a table in question point to each other, if words ask for its
/// column.
fn pointing_to_itself<'a>(scene: &'a Scene<'_>) -> Option<&'a ForeignKey> {
    let asked = |key: &&ForeignKey| {
        let mut columns = key.from_columns.iter().map(|c| ColumnRef::new(&key.from_table, c));
        same(&key.from_table, &key.to_table)
            && columns.any(|at| scene.related.contains_key(&at) || scene.columns.contains_key(&at))
    };
    let mut keys = scene.focus.iter().flat_map(|table| scene.request.graph.keys_of(table));
    keys.find(asked)
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
