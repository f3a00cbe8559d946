//! Foreign keys that nobody declared, concluded from names and types, and proved on data.
//!
//! A column may point to a table when it is named after the table and its key (`customer_id` →
//! `customers.id`), after a role and the table (`billing_address_id` → `addresses.id`), or exactly
//! like a telling key (`emp_no`). Data then decides: a value that the other side lacks refutes it.
//!
//! What belongs here: how keys are concluded, with names in `names`. What must never come: SQL;
//! looking at data is given as a function. To add a way: a form in `names::forms_of`.

use std::collections::{BTreeMap, BTreeSet};

mod names;
#[cfg(test)]
mod tests;

use names::{ENDS, Likeness, forms_of, things, words};

use crate::domain::schema::{KeyOrigin, TableKind};
use crate::domain::{ColumnKind, ForeignKey, Table};

/// Columns looked at on data at most; a bound for schemas of thousands of tables.
const MOST_CHECKED: usize = 1500;

/// A key that names and types suggest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    from: (usize, usize),
    to: (usize, usize),
    likeness: Likeness,
}

/// What a look at the data said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// So many values were looked up, and all exist.
    Holds(i64),
    /// There were no values to look up.
    NoRows,
    /// A value does not exist on the other side, or looking took too long.
    Refuted,
}

/// Infers keys. `prove` looks up values of the first column in the second.
pub(super) fn keys(
    tables: &[Table],
    declared: &[ForeignKey],
    mut prove: impl FnMut(&str, &str, &str, &str) -> Proof,
) -> Vec<ForeignKey> {
    let mut found: Vec<ForeignKey> = Vec::new();
    let mut looked = 0;
    for candidates in candidates(tables, declared) {
        let mut proved = Vec::new();
        for candidate in candidates {
            if looked < MOST_CHECKED && !is_reverse(tables, &candidate, &found) {
                looked += 1;
                let proof = prove_one(tables, &candidate, &mut prove);
                proved.push((candidate, proof));
            }
        }
        if let Some((candidate, proof)) = choose(&proved) {
            found.extend(key(tables, candidate, proof));
        }
    }
    found
}

fn named(tables: &[Table], at: (usize, usize)) -> Option<(&str, &str)> {
    let table = tables.get(at.0)?;
    Some((table.name.as_str(), table.columns.get(at.1)?.name.as_str()))
}

fn prove_one(
    tables: &[Table],
    candidate: &Candidate,
    prove: &mut impl FnMut(&str, &str, &str, &str) -> Proof,
) -> Proof {
    match named(tables, candidate.from).zip(named(tables, candidate.to)) {
        Some(((from, column), (to, target))) => prove(from, column, to, target),
        None => Proof::Refuted,
    }
}

/// Chooses the likeliest key that data doesn't refute; none when two are equally likely.
fn choose(proved: &[(Candidate, Proof)]) -> Option<(&Candidate, Proof)> {
    let stands = |(candidate, proof): &&(Candidate, Proof)| match proof {
        Proof::Holds(_) => true,
        Proof::NoRows => candidate.likeness >= Likeness::EqualName,
        Proof::Refuted => false,
    };
    let best = proved.iter().filter(stands).map(|(candidate, _)| candidate.likeness).max()?;
    let mut standing = proved.iter().filter(stands).filter(|(c, _)| c.likeness == best);
    let first = standing.next()?;
    standing.next().is_none().then_some((&first.0, first.1))
}

fn key(tables: &[Table], candidate: &Candidate, proof: Proof) -> Option<ForeignKey> {
    let (from_table, from) = named(tables, candidate.from)?;
    let (to_table, to) = named(tables, candidate.to)?;
    let proof = match proof {
        Proof::Holds(1) => "the one value looked up exists there".to_owned(),
        Proof::Holds(values) => format!("all {values} values looked up exist there"),
        Proof::NoRows | Proof::Refuted => "no rows to look up".to_owned(),
    };
    Some(ForeignKey {
        from_table: from_table.to_owned(),
        from_columns: vec![from.to_owned()],
        to_table: to_table.to_owned(),
        to_columns: vec![to.to_owned()],
        origin: KeyOrigin::Inferred(format!("{}; {proof}", candidate.likeness.words())),
        one_to_one: tables.get(candidate.from.0)?.is_unique(&[from]),
    })
}

/// Tells whether the same two columns are already joined the other way round.
fn is_reverse(tables: &[Table], candidate: &Candidate, keys: &[ForeignKey]) -> bool {
    let Some(((from, column), (to, target))) =
        named(tables, candidate.from).zip(named(tables, candidate.to))
    else {
        return true;
    };
    keys.iter().any(|key| {
        key.from_table.eq_ignore_ascii_case(to)
            && key.to_table.eq_ignore_ascii_case(from)
            && key.from_columns.iter().any(|c| c.eq_ignore_ascii_case(target))
            && key.to_columns.iter().any(|c| c.eq_ignore_ascii_case(column))
    })
}

/// Lists for each column that no declared key starts from where it may point to.
fn candidates(tables: &[Table], declared: &[ForeignKey]) -> Vec<Vec<Candidate>> {
    let forms = forms(tables);
    let taken: BTreeSet<(String, String)> = declared
        .iter()
        .flat_map(|key| key.from_columns.iter().map(|c| lower(&key.from_table, c)))
        .collect();
    let mut all = Vec::new();
    for (t, table) in tables.iter().enumerate().filter(|(_, table)| table.kind == TableKind::Table)
    {
        for (c, column) in table.columns.iter().enumerate() {
            if taken.contains(&lower(&table.name, &column.name)) {
                continue;
            }
            let mut of_column = of_column(tables, &forms, (t, c));
            of_column.retain(|candidate| !is_reverse(tables, candidate, declared));
            if !of_column.is_empty() {
                all.push(of_column);
            }
        }
    }
    all
}

fn lower(table: &str, column: &str) -> (String, String) {
    (table.to_ascii_lowercase(), column.to_ascii_lowercase())
}

/// Names of columns that would point to a key, each with the keys.
type Forms = BTreeMap<String, Vec<((usize, usize), Likeness)>>;

fn forms(tables: &[Table]) -> Forms {
    let mut forms = Forms::new();
    for (t, table) in tables.iter().enumerate().filter(|(_, table)| table.kind == TableKind::Table)
    {
        let keyless = table.primary_key.is_empty() && table.columns.iter().all(|c| !c.unique);
        for (c, column) in table.columns.iter().enumerate() {
            let is_primary = (table.primary_key.len() == 1 && column.primary)
                || (keyless && is_named_as_key(&table.name, &column.name));
            if is_primary || column.unique {
                for (form, likeness) in forms_of(&table.name, &column.name, is_primary) {
                    let keys = forms.entry(form).or_default();
                    if keys.iter().all(|(at, _)| at.0 != t) {
                        keys.push(((t, c), likeness));
                    }
                }
            }
        }
    }
    forms
}

/// Tells whether a column would be the key of a table that declares none: `id`, or the table with an
/// end, as `room_id` of `rooms`. The values looked up must then each stand there once.
fn is_named_as_key(table: &str, column: &str) -> bool {
    let name = words(column).concat();
    name == "id"
        || things(table)
            .iter()
            .any(|thing| name.strip_prefix(thing.as_str()).is_some_and(|end| ENDS.contains(&end)))
}

fn of_column(tables: &[Table], forms: &Forms, from: (usize, usize)) -> Vec<Candidate> {
    let Some((table, name)) = named(tables, from) else { return Vec::new() };
    let words = words(name);
    let own: Vec<String> = things(table);
    let mut found: Vec<Candidate> = Vec::new();
    for skipped in 0..words.len() {
        let form = words.get(skipped..).unwrap_or(&[]).concat();
        for (to, likeness) in forms.get(&form).into_iter().flatten() {
            let likeness = match (skipped, likeness) {
                (0, likeness) => *likeness,
                (_, Likeness::TableAndEnd) => Likeness::Role,
                _ => continue,
            };
            let candidate = Candidate { from, to: *to, likeness };
            if fits(tables, &candidate, &form, &own) {
                found.push(candidate);
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    if found.is_empty() {
        found.extend(shortened(tables, forms, from, &words, &own));
    }
    found.extend(parent(tables, from, &words));
    found
}

/// Letters of a short form from which on it may stand for the one table that it begins.
const SHORT_FORM: usize = 8;

/// `standard_attr_id` points to `standardattributes`, if no other table begins so.
fn shortened(
    tables: &[Table],
    forms: &Forms,
    from: (usize, usize),
    words: &[String],
    own: &[String],
) -> Option<Candidate> {
    let (end, start) = words.split_last()?;
    let start = start.concat();
    if start.len() < SHORT_FORM || !ENDS.contains(&end.as_str()) {
        return None;
    }
    let longer = forms.range(start.clone()..).take_while(|(form, _)| form.starts_with(&start));
    let keys = longer.filter(|(form, _)| form.ends_with(end.as_str())).flat_map(|(_, keys)| keys);
    let mut keys = keys.filter(|(_, likeness)| *likeness == Likeness::TableAndEnd);
    let (to, _) = keys.next()?;
    if keys.any(|(other, _)| other.0 != to.0) {
        return None;
    }
    let candidate = Candidate { from, to: *to, likeness: Likeness::EqualName };
    fits(tables, &candidate, &start, own).then_some(candidate)
}

/// `parent_id` points to the key of its own table.
fn parent(tables: &[Table], from: (usize, usize), words: &[String]) -> Option<Candidate> {
    let table = tables.get(from.0)?;
    let [parent, end] = words else { return None };
    let [key] = table.primary_key.as_slice() else { return None };
    let to = table.columns.iter().position(|column| column.name == *key)?;
    let named = parent == "parent" && ENDS.contains(&end.as_str()) && to != from.1;
    named.then_some(Candidate { from, to: (from.0, to), likeness: Likeness::Role })
}

fn fits(tables: &[Table], candidate: &Candidate, form: &str, own: &[String]) -> bool {
    let (Some(from), Some(to)) = (tables.get(candidate.from.0), tables.get(candidate.to.0)) else {
        return false;
    };
    let (Some(column), Some(target)) =
        (from.columns.get(candidate.from.1), to.columns.get(candidate.to.1))
    else {
        return false;
    };
    if !same_family(column.kind, target.kind) {
        return false;
    }
    if candidate.from.0 == candidate.to.0 {
        // a role of the same table (`manager_employee_id`), never the key itself
        return candidate.likeness == Likeness::Role && candidate.from.1 != candidate.to.1;
    }
    // a column that names its own table is that table's key; two keys of one name, each their
    // table's own, say nothing about who points to whom
    let names_itself = own.iter().any(|thing| form.starts_with(thing.as_str()))
        && candidate.likeness != Likeness::Role;
    let is_key = from.primary_key.len() == 1 && column.primary;
    !names_itself && (!is_key || candidate.likeness == Likeness::TableAndEnd)
}

fn same_family(a: ColumnKind, b: ColumnKind) -> bool {
    let family = |kind| match kind {
        ColumnKind::Integer | ColumnKind::Real | ColumnKind::Boolean => Some(0),
        ColumnKind::Text | ColumnKind::Date => Some(1),
        ColumnKind::Blob => Some(2),
        ColumnKind::Unknown => None,
    };
    match (family(a), family(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}
