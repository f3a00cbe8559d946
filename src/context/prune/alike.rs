//! Tables that differ by the numbers in their names only, `events_2023_01`, `events_2023_02`: one is
//! told with its columns, the others by name.

use std::collections::HashMap;

use crate::domain::Table;
use crate::domain::package::Alike;

use super::super::scene::{Scene, same};

/// So many tables of one name are a family; two may as well be told both.
const FEWEST: usize = 3;

/// Of so many tables, best first, the like are looked for.
const MOST_HEADS: usize = 64;

/// Takes from tables, given by place, best first, those that are like a better one of them.
///
/// The first `needed` of them are what the question is about. Returns what was taken, by the table
/// that stays.
pub(super) fn split(scene: &Scene<'_>, ranked: &mut Vec<usize>, needed: usize) -> Vec<Alike> {
    let table = |place: usize| scene.catalog.tables.get(place);
    let mut families: HashMap<String, Vec<usize>> = HashMap::new();
    let mut pattern = String::new();
    for (n, place) in ranked.iter().copied().enumerate() {
        if !table(place).is_some_and(|table| write_pattern(&table.name, &mut pattern)) {
            continue;
        }
        match families.get_mut(&pattern) {
            Some(family) => family.push(place),
            // what stands further back is seldom told, with or without its like
            None if n < MOST_HEADS => {
                families.insert(pattern.clone(), vec![place]);
            }
            None => {}
        }
    }
    let mut gone = vec![false; scene.catalog.tables.len()];
    let mut found: Vec<(usize, Alike)> = Vec::new();
    for family in families.into_values().filter(|family| family.len() >= FEWEST) {
        let Some((head, others)) = family.split_first() else { continue };
        let Some(first) = table(*head) else { continue };
        let mut others: Vec<usize> = others.to_vec();
        others.retain(|place| table(*place).is_some_and(|other| are_alike(scene, first, other)));
        if others.len() + 1 < FEWEST {
            continue;
        }
        for place in &others {
            gone.get_mut(*place).into_iter().for_each(|gone| *gone = true);
        }
        let names = |places: &[usize]| -> Vec<String> {
            places.iter().filter_map(|place| Some(table(*place)?.name.clone())).collect()
        };
        let about = ranked.get(..needed).unwrap_or_default();
        let wanted: Vec<usize> = about.iter().copied().filter(|p| others.contains(p)).collect();
        others.sort_unstable();
        let (wanted, others) = (names(&wanted), names(&others));
        found.push((*head, Alike { table: first.name.clone(), others, wanted }));
    }
    ranked.retain(|place| gone.get(*place) != Some(&true));
    found.sort_by_key(|(head, _)| *head);
    found.into_iter().map(|(_, alike)| alike).collect()
}

/// Writes a name with each run of digits as `#`; false for a name without digits.
fn write_pattern(name: &str, pattern: &mut String) -> bool {
    pattern.clear();
    if !name.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    for c in name.chars() {
        if !c.is_ascii_digit() {
            pattern.push(c);
        } else if !pattern.ends_with('#') {
            pattern.push('#');
        }
    }
    true
}

/// Tells whether what is told of one table is true of another: columns, types, keys, and what of
/// them may be told.
fn are_alike(scene: &Scene<'_>, one: &Table, other: &Table) -> bool {
    let hidden = |table: &Table, column: &str| scene.withheld.hides_name(&table.name, column);
    let mut pairs = one.columns.iter().zip(&other.columns);
    one.columns.len() == other.columns.len()
        && one.primary_key == other.primary_key
        && pairs.all(|(a, b)| {
            same(&a.name, &b.name)
                && a.data_type == b.data_type
                && hidden(one, &a.name) == hidden(other, &b.name)
        })
}

#[cfg(test)]
mod tests {
    use super::write_pattern;

    #[test]
    fn a_family_is_known_by_its_name_without_the_numbers() {
        let pattern = |name: &str| {
            let mut written = String::new();
            write_pattern(name, &mut written).then_some(written)
        };
        assert_eq!(pattern("events_2023_01").as_deref(), Some("events_#_#"));
        assert_eq!(pattern("log20240131").as_deref(), Some("log#"));
        assert_eq!(pattern("events"), None);
    }
}
