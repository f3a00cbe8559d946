//! Join hints as keys: what people told joins the keys that a catalog declares and infers.

use std::sync::Arc;

use crate::domain::knowledge::JoinHint;
use crate::domain::schema::KeyOrigin;
use crate::domain::{Catalog, ColumnRef, ForeignKey, Knowledge};

/// Adds the keys that people told to a catalog's own; its version stays, as it speaks of the
/// schema alone.
///
/// A hint that the schema declares anyway adds nothing, one that was inferred is told from now on,
/// and one whose names don't exist is left to `drift`.
pub fn with_hints(catalog: Arc<Catalog>, knowledge: &Knowledge) -> Arc<Catalog> {
    if knowledge.joins.is_empty() {
        return catalog;
    }
    let mut known = Catalog::clone(&catalog);
    let hints: Vec<ForeignKey> =
        knowledge.joins.iter().filter_map(|hint| key(hint, &catalog, knowledge)).collect();
    for key in hints {
        match known.keys.iter_mut().find(|other| same_pair(other, &key)) {
            Some(other) if matches!(other.origin, KeyOrigin::Inferred(_)) => *other = key,
            // what is declared is sure, and of two hints the first counts
            Some(_) => {}
            None => known.keys.push(key),
        }
    }
    Arc::new(known)
}

/// Makes a key of a hint, names as the catalog spells them.
fn key(hint: &JoinHint, catalog: &Catalog, knowledge: &Knowledge) -> Option<ForeignKey> {
    let (from_table, from_columns) = side(&hint.from, catalog)?;
    let (to_table, to_columns) = side(&hint.to, catalog)?;
    if from_columns.len() != to_columns.len() {
        return None;
    }
    let unique = |table: &str, columns: &[String]| is_unique(table, columns, catalog, knowledge);
    let from_unique = unique(&from_table, &from_columns);
    let one_to_one = hint.one_to_one || (from_unique && unique(&to_table, &to_columns));
    let origin = KeyOrigin::Told(hint.reason.clone());
    // written the wrong way round: only one side can be pointed to
    let turned = from_unique && !unique(&to_table, &to_columns);
    Some(if turned {
        ForeignKey {
            from_table: to_table,
            from_columns: to_columns,
            to_table: from_table,
            to_columns: from_columns,
            origin,
            one_to_one,
        }
    } else {
        ForeignKey { from_table, from_columns, to_table, to_columns, origin, one_to_one }
    })
}

fn side(columns: &[ColumnRef], catalog: &Catalog) -> Option<(String, Vec<String>)> {
    let table = catalog.table(&columns.first()?.table)?;
    let name = |at: &ColumnRef| {
        let here = at.table.eq_ignore_ascii_case(&table.name);
        table.column(&at.column).filter(|_| here).map(|column| column.name.clone())
    };
    let names = columns.iter().map(name).collect::<Option<Vec<String>>>()?;
    Some((table.name.clone(), names))
}

/// Tells whether the schema or people say that columns hold each combination once.
fn is_unique(table: &str, columns: &[String], catalog: &Catalog, knowledge: &Knowledge) -> bool {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let declared = catalog.table(table).is_some_and(|table| table.is_unique(&names));
    let told = |name: &&str| {
        let meant = knowledge.columns.iter().filter(|meaning| meaning.unique);
        meant.into_iter().any(|meaning| {
            meaning.at.table.eq_ignore_ascii_case(table)
                && meaning.at.column.eq_ignore_ascii_case(name)
        })
    };
    declared || names.iter().any(told)
}

/// Tells whether two keys pair the same columns, whichever way they point.
fn same_pair(a: &ForeignKey, b: &ForeignKey) -> bool {
    let pairs = |key: &ForeignKey, turned: bool| {
        let from = (&key.from_table, &key.from_columns);
        let to = (&key.to_table, &key.to_columns);
        let ((one, ones), (two, twos)) = if turned { (to, from) } else { (from, to) };
        let mut pairs: Vec<String> = ones
            .iter()
            .zip(twos)
            .map(|(a, b)| format!("{one}\0{a}\0{two}\0{b}").to_ascii_lowercase())
            .collect();
        pairs.sort();
        pairs
    };
    pairs(a, false) == pairs(b, false) || pairs(a, false) == pairs(b, true)
}
