//! What keys say beyond joining: roles, hierarchies, and tables that only pair two others.

use crate::domain::knowledge::{Meaning, Rule};
use crate::domain::{Catalog, ColumnRef, ForeignKey, Table};

use super::super::init::split;
use super::{Draft, Entry};

/// Words that say nothing of a role.
const PLAIN: &[&str] = &["id", "ids", "no", "number", "key", "code", "fk", "ref", "uuid", "num"];

/// Words that ask for another after them: what ends in one is no name of a role.
const HANGING: &[&str] = &["at", "by", "for", "from", "in", "of", "on", "to", "via", "with"];

/// Reads the declared keys.
pub(super) fn of(catalog: &Catalog) -> Vec<Draft> {
    let declared = || catalog.keys.iter().filter(|key| key.declared());
    let mut drafts: Vec<Draft> = declared().filter_map(|key| role(catalog, key)).collect();
    drafts.extend(declared().filter_map(|key| several(catalog, key)));
    drafts.extend(catalog.tables.iter().filter_map(|table| pairing(catalog, table)));
    drafts
}

fn cite(key: &ForeignKey) -> (String, String) {
    let text = format!(
        "FOREIGN KEY ({}) REFERENCES {} ({})",
        key.from_columns.join(", "),
        key.to_table,
        key.to_columns.join(", ")
    );
    (format!("key of {}", key.from_table), text)
}

/// Proposes the role that a key's column gives a row of the other table: `SupportRepId` makes an
/// employee the support rep.
fn role(catalog: &Catalog, key: &ForeignKey) -> Option<Draft> {
    let [column] = key.from_columns.as_slice() else { return None };
    let [target] = key.to_columns.as_slice() else { return None };
    let at = ColumnRef::new(&key.from_table, column);
    let (object, text) = cite(key);
    let mut words = split(column);
    while words.last().is_some_and(|word| PLAIN.contains(&word.as_str())) {
        words.pop();
    }
    let itself = key.from_table.eq_ignore_ascii_case(&key.to_table);
    if itself {
        let words = format!(
            "{at} names another row of {} (a hierarchy): to read both, join the table to itself under \
             a second name",
            key.to_table
        );
        let rule = Rule { text: words, about: vec![at.to_string()] };
        return Some(Draft::new(Entry::Rule(rule), object, text));
    }
    let own = split(&key.to_table);
    // `manager_staff_id` of staff is the manager
    if words.len() > own.len() && words.ends_with(&own) && only_one(catalog, key) {
        words.truncate(words.len() - own.len());
    }
    if words.is_empty() || column.eq_ignore_ascii_case(target) || names_table(&words, &key.to_table)
    {
        return None;
    }
    let role = words.join(" ");
    let hangs = words.last().is_some_and(|word| HANGING.contains(&word.as_str()));
    let (meant, synonyms) = if hangs {
        (format!("a row of {} ({role})", key.to_table), Vec::new())
    } else {
        (format!("the {role}, a row of {}", key.to_table), vec![role])
    };
    let meaning = Meaning { text: meant, ..Meaning::of(at) };
    Some(Draft::new(Entry::Column(meaning, synonyms), object, text))
}

/// Lists the declared keys by which one table points to another.
fn between<'a>(catalog: &'a Catalog, key: &ForeignKey) -> Vec<&'a ForeignKey> {
    let same = |other: &&ForeignKey| {
        other.from_table == key.from_table && other.to_table == key.to_table && other.declared()
    };
    catalog.keys.iter().filter(same).collect()
}

/// Tells whether a table points to another by one key only.
fn only_one(catalog: &Catalog, key: &ForeignKey) -> bool {
    between(catalog, key).len() == 1
}

/// Proposes to ask which key is meant where a table points to another by several.
fn several(catalog: &Catalog, key: &ForeignKey) -> Option<Draft> {
    let keys = between(catalog, key);
    let itself = key.from_table.eq_ignore_ascii_case(&key.to_table);
    if keys.len() < 2 || itself || keys.first().is_none_or(|first| *first != key) {
        return None;
    }
    let columns: Vec<String> = keys.iter().map(|key| key.from_columns.join(", ")).collect();
    let text = format!(
        "{} points to {} in {} ways, by {}: each is another role, and they are not to be mixed",
        key.from_table,
        key.to_table,
        keys.len(),
        columns.join(" and ")
    );
    let about = keys
        .iter()
        .flat_map(|key| &key.from_columns)
        .map(|column| ColumnRef::new(&key.from_table, column).to_string())
        .collect();
    let (object, cited) = cite(key);
    let mut draft = Draft::new(Entry::Rule(Rule { text, about }), object, cited);
    draft.cites.extend(keys.iter().skip(1).map(|key| {
        let (object, text) = cite(key);
        super::Citation { object, text }
    }));
    Some(draft)
}

/// Tells whether words are those of a table's name, but for number.
fn names_table(words: &[String], table: &str) -> bool {
    let singular = |word: &str| word.trim_end_matches("es").trim_end_matches('s').to_owned();
    let table: Vec<String> = split(table).iter().map(|word| singular(word)).collect();
    let words: Vec<String> = words.iter().map(|word| singular(word)).collect();
    words == table || words.iter().all(|word| table.contains(word))
}

/// Proposes what a table is that holds two keys and nothing else of its own.
fn pairing(catalog: &Catalog, table: &Table) -> Option<Draft> {
    let own =
        |key: &&ForeignKey| key.from_table.eq_ignore_ascii_case(&table.name) && key.declared();
    let keys: Vec<&ForeignKey> = catalog.keys.iter().filter(own).collect();
    let [a, b] = keys.as_slice() else { return None };
    let of_keys = |name: &str| {
        a.from_columns.iter().chain(&b.from_columns).any(|c| c.eq_ignore_ascii_case(name))
    };
    let stamp = |name: &str| {
        let words = split(name);
        words.iter().any(|word| word == "update" || word == "updated" || word == "created")
    };
    let bare = table.columns.iter().all(|c| of_keys(&c.name) || stamp(&c.name));
    let key = table.primary_key.len() >= 2 && table.primary_key.iter().all(|c| of_keys(c));
    if !bare || !key || a.to_table == b.to_table {
        return None;
    }
    let text = format!(
        "pairs {} with {}: each may have several of the other, so a measure of one repeats for each \
         row of the other",
        a.to_table, b.to_table
    );
    let key = format!("PRIMARY KEY ({})", table.primary_key.join(", "));
    let mut draft =
        Draft::new(Entry::Table(table.name.clone(), text), format!("keys of {}", table.name), key);
    draft.cites.extend([a, b].map(|key| {
        let (object, text) = cite(key);
        super::Citation { object, text }
    }));
    Some(draft)
}
