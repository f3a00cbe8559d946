//! What names of tables and columns say about who points to whom.

/// Ends of a column's name that mark it as a key.
pub(super) const ENDS: &[&str] = &["id", "code", "key", "no", "num", "number", "uuid"];

/// Beginnings of table names that say what kind of table it is, not what it holds.
const TABLE_PREFIXES: &[&str] = &["tbl", "tb", "dim", "fact", "ref", "lkp"];

/// Key names that say nothing of their table: equal names prove nothing.
const GENERIC: &[&str] = &[
    "id",
    "code",
    "key",
    "no",
    "num",
    "number",
    "uuid",
    "guid",
    "name",
    "title",
    "type",
    "status",
    "date",
    "year",
    "email",
    "description",
    "value",
    "position",
    "rank",
    "level",
    "index",
    "seq",
];

/// How well a name speaks for a key, best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The column is called like the table: `customer`.
    TableName,
    /// The column is called like another table's telling key.
    EqualName,
    /// A role, then the table and an end: `billing_address_id`.
    Role,
    /// The table and an end: `customer_id`.
    TableAndEnd,
}

impl Likeness {
    pub(super) fn words(self) -> &'static str {
        match self {
            Likeness::TableName => "named like the table",
            Likeness::EqualName => "named like its key",
            Likeness::Role => "named after a role and the table",
            Likeness::TableAndEnd => "named after the table and its key",
        }
    }
}

/// Lists the names that would point to one key, likeliest first.
pub(super) fn forms_of(table: &str, key: &str, is_primary: bool) -> Vec<(String, Likeness)> {
    let key = compact(key);
    let things = things(table);
    let mut found = Vec::new();
    let end_of_key = ENDS.iter().filter(|end| key.ends_with(*end)).max_by_key(|end| end.len());
    for thing in &things {
        match end_of_key {
            Some(end) => found.push((format!("{thing}{end}"), Likeness::TableAndEnd)),
            None if is_primary => found.push((format!("{thing}{key}"), Likeness::TableAndEnd)),
            None => {}
        }
        if is_primary {
            found.push((format!("{thing}id"), Likeness::TableAndEnd));
            found.push((thing.clone(), Likeness::TableName));
        }
    }
    let telling = !GENERIC.contains(&key.as_str()) && key.len() > 2;
    if telling && (is_primary || end_of_key.is_some()) {
        let of_table = things.iter().any(|thing| key.starts_with(thing.as_str()));
        let likeness = if of_table { Likeness::TableAndEnd } else { Likeness::EqualName };
        found.push((key, likeness));
    }
    found.sort_by_key(|(_, likeness)| std::cmp::Reverse(*likeness));
    found
}

/// Lists what a table holds, as its name tells: `tbl_order_items` → `orderitems`, `orderitem`.
pub(super) fn things(table: &str) -> Vec<String> {
    let mut words = words(table);
    if words.len() > 1 && words.first().is_some_and(|w| TABLE_PREFIXES.contains(&w.as_str())) {
        words.remove(0);
    }
    let whole = words.concat();
    let mut things = vec![whole.clone()];
    things.extend(singular(&whole));
    things
}

/// Guesses the singular of an English plural.
fn singular(word: &str) -> Option<String> {
    let stem = |end: &str| word.strip_suffix(end).filter(|stem| stem.len() > 1);
    if let Some(stem) = stem("ies") {
        return Some(format!("{stem}y"));
    }
    if let Some(stem) = stem("people") {
        return Some(format!("{stem}person"));
    }
    for end in ["sses", "xes", "ches", "shes", "zes", "uses"] {
        if word.ends_with(end) {
            return stem("es").map(str::to_owned);
        }
    }
    if word.ends_with("ss") || word.ends_with("us") {
        return None;
    }
    stem("s").map(str::to_owned)
}

/// Splits a name at separators and humps, in lower case: `HomeTeamID` → `home`, `team`, `id`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().copied().enumerate() {
        let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let hump =
            c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_lower));
        if (!c.is_alphanumeric() || hump) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

fn compact(name: &str) -> String {
    words(name).concat()
}
