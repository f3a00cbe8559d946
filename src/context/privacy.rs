//! What may leave this machine: secret columns, and stored values in texts made elsewhere.

use std::collections::BTreeSet;

use crate::domain::{Catalog, ColumnRef, Facts, Knowledge, Privacy};

use super::words;

/// Most values of a list that may leave at level `stats` (P3).
pub(super) const LIST_LIMIT: usize = 20;

/// Words that make a column's content secret by themselves.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "ssn",
    "cvv",
    "cvc",
    "pin",
    "otp",
    "iban",
    "salt",
    "apikey",
    "creditcard",
    "cardnumber",
    "privatekey",
    "credential",
    "credentials",
];

/// Pairs of words that follow each other in a table's and column's name.
const SECRET_PAIRS: &[(&str, &str)] = &[
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("secret", "key"),
    ("encryption", "key"),
    ("social", "security"),
    ("card", "number"),
    ("cards", "number"),
    ("card", "no"),
    ("card", "num"),
    ("passport", "number"),
    ("passport", "no"),
    ("pass", "word"),
    ("security", "code"),
];

/// Tells whether a column's name says that its content is secret.
pub fn looks_secret(at: &ColumnRef) -> bool {
    let column = words::of_name(&at.column);
    let compact: String = column.concat();
    if ["password", "passwd", "passphrase", "creditcard", "apikey"]
        .iter()
        .any(|part| compact.contains(part))
    {
        return true;
    }
    if column.iter().any(|word| SECRET_WORDS.contains(&word.as_str())) {
        return true;
    }
    // `credit_card.number` is a card number, too: the table's last word counts as before it.
    let mut all: Vec<String> = words::of_name(&at.table).pop().into_iter().collect();
    all.extend(column);
    all.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        SECRET_PAIRS.contains(&(first.as_str(), second.as_str()))
    })
}

/// Knows which columns are withheld from what is told.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    denied: BTreeSet<(String, String)>,
    keys: BTreeSet<(String, String)>,
    /// Switched off by hand; keys too.
    switched_off: BTreeSet<(String, String)>,
}

fn lower(table: &str, column: &str) -> (String, String) {
    (table.to_lowercase(), column.to_lowercase())
}

impl Withheld {
    /// Reads the deny list; key columns on it keep their name, as joins can't be written without.
    pub(super) fn of(knowledge: &Knowledge, catalog: &Catalog) -> Self {
        let denied: BTreeSet<_> =
            knowledge.deny.iter().map(|at| lower(&at.table, &at.column)).collect();
        let mut keys = BTreeSet::new();
        for (table, column) in &denied {
            let at = ColumnRef::new(table, column);
            let joined = catalog.keys_of(table).any(|key| {
                let pairs = key.from_columns.iter().map(|c| (&key.from_table, c));
                pairs
                    .chain(key.to_columns.iter().map(|c| (&key.to_table, c)))
                    .any(|(t, c)| lower(t, c) == (table.clone(), column.clone()))
            });
            if joined || catalog.column(&at).is_some_and(|c| c.primary) {
                keys.insert((table.clone(), column.clone()));
            }
        }
        Withheld { denied, keys, switched_off: BTreeSet::new() }
    }

    /// Withholds also what a person switched off.
    pub(super) fn and(mut self, columns: &BTreeSet<ColumnRef>) -> Self {
        self.switched_off = columns.iter().map(|at| lower(&at.table, &at.column)).collect();
        self
    }

    /// Tells whether a person switched a column off.
    pub(super) fn is_off(&self, table: &str, column: &str) -> bool {
        !self.switched_off.is_empty() && self.switched_off.contains(&lower(table, column))
    }

    /// Tells whether not even the name of a column may leave.
    pub(super) fn hides_name(&self, table: &str, column: &str) -> bool {
        if self.is_off(table, column) {
            return true;
        }
        if self.denied.is_empty() {
            return false;
        }
        let at = lower(table, column);
        self.denied.contains(&at) && !self.keys.contains(&at)
    }

    /// Tells whether nothing stored in a column may leave.
    pub(super) fn hides_data(&self, at: &ColumnRef) -> bool {
        let denied = !self.denied.is_empty() && self.denied.contains(&lower(&at.table, &at.column));
        denied || self.is_off(&at.table, &at.column) || looks_secret(at)
    }
}

/// Takes out of a text made elsewhere (errors, hints, repair notes) what the level keeps here.
///
/// Quoted texts that equal a stored value become `'…'` unless the level allows them or `known`
/// (the question and the SQL that the model itself wrote) holds them; at level `names`, numbers
/// that `known` doesn't hold become `…` too. Values of withheld columns go at every level.
pub fn redact(text: &str, facts: &Facts, privacy: Privacy, known: &str) -> String {
    let withheld = Withheld::of(&facts.knowledge, &facts.catalog);
    let known_words = known.to_lowercase();
    let leaves = |quoted: &str| {
        let stored = facts.values.iter().filter(|list| list.values.iter().any(|v| v == quoted));
        let mut stored = stored.peekable();
        if known_words.contains(&quoted.to_lowercase()) {
            return true;
        }
        if stored.peek().is_none() {
            // not known as stored, but lists are bounded: only names are sure to be no data
            return privacy == Privacy::Rows || is_name(quoted, facts);
        }
        stored.all(|list| {
            let listed = list.complete && list.values.len() <= LIST_LIMIT;
            !withheld.hides_data(&list.at)
                && (privacy == Privacy::Rows || (privacy == Privacy::Stats && listed))
        })
    };
    let text = redact_quoted(text, leaves);
    if privacy == Privacy::Names { redact_numbers(&text, known) } else { text }
}

/// Replaces each quoted text that may not leave.
fn redact_quoted(text: &str, leaves: impl Fn(&str) -> bool) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, quote, after)) = split_at_quote(rest) {
        told.push_str(before);
        told.push(quote);
        let Some((inner, behind)) = split_at_end(after, quote) else {
            rest = after;
            break;
        };
        told.push_str(if leaves(inner) { inner } else { "…" });
        told.push(quote);
        rest = behind;
    }
    told + rest
}

/// Tells whether a word is the name of a table or column.
fn is_name(word: &str, facts: &Facts) -> bool {
    let tables = &facts.catalog.tables;
    tables.iter().any(|t| t.name.eq_ignore_ascii_case(word) || t.column(word).is_some())
}

/// Splits at the quote that closes: none that stands inside a word, as in `O'Brien`.
fn split_at_end(text: &str, quote: char) -> Option<(&str, &str)> {
    for (at, _) in text.match_indices(quote) {
        let (inner, rest) = text.split_at(at);
        let behind = rest.strip_prefix(quote)?;
        if !behind.starts_with(char::is_alphanumeric) {
            return Some((inner, behind));
        }
    }
    None
}

/// Splits at the next quote that opens; the apostrophe of `doesn't` opens nothing.
fn split_at_quote(text: &str) -> Option<(&str, char, &str)> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if matches!(c, '\'' | '"' | '`') && !before.is_alphanumeric() {
            let (head, tail) = text.split_at(at);
            return Some((head, c, tail.strip_prefix(c)?));
        }
        before = c;
    }
    None
}

/// Replaces free-standing numbers that `known` doesn't hold.
fn redact_numbers(text: &str, known: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut told = String::with_capacity(text.len());
    let mut word = String::new();
    let known: BTreeSet<&str> = known.split(|c| !is_part(c)).collect();
    let close = |word: &mut String| {
        let number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
        let told = if number && !known.contains(word.as_str()) { "…" } else { word.as_str() };
        let told = told.to_owned();
        word.clear();
        told
    };
    for c in text.chars() {
        if is_part(c) {
            word.push(c);
        } else {
            told.push_str(&close(&mut word));
            told.push(c);
        }
    }
    told + &close(&mut word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ValueList;

    fn secret(table: &str, column: &str) -> bool {
        looks_secret(&ColumnRef::new(table, column))
    }

    #[test]
    fn secret_columns_are_known_by_whole_words() {
        for column in ["password", "user_password", "passwordHash", "api_key", "APIKey", "ssn"] {
            assert!(secret("t", column), "{column}");
        }
        for column in ["card_number", "CreditCardNumber", "authToken", "cvv", "social_security_no"]
        {
            assert!(secret("t", column), "{column}");
        }
        assert!(secret("credit_cards", "number"));
        for column in ["secretary", "spinning", "tokenizer", "passenger", "number", "key", "salty"]
        {
            assert!(!secret("t", column), "{column}");
        }
    }

    fn facts() -> Facts {
        let list = |column: &str, values: &[&str], complete| ValueList {
            at: ColumnRef::new("bookings", column),
            values: values.iter().map(|&v| v.to_owned()).collect(),
            complete,
        };
        let lists = vec![
            list("status", &["cancelled", "confirmed"], true),
            list("guest", &["Ada Byron"], false),
            list("api_key", &["k-123"], true),
        ];
        let table = crate::domain::Table { name: "bookings".to_owned(), ..Default::default() };
        let catalog = crate::domain::Catalog { tables: vec![table], ..Default::default() };
        Facts {
            catalog: std::sync::Arc::new(catalog),
            values: std::sync::Arc::new(lists),
            ..Facts::default()
        }
    }

    #[test]
    fn stored_values_leave_an_error_only_where_the_level_allows_it() {
        let text = "no 'x', it doesn't stand in 'bookings': near 'confirmed', 'Ada Byron', 'k-123', factor 42";
        let told = |privacy| redact(text, &facts(), privacy, "SELECT 'x'");
        assert_eq!(
            told(Privacy::Rows),
            "no 'x', it doesn't stand in 'bookings': near 'confirmed', 'Ada Byron', '…', factor 42"
        );
        assert_eq!(
            told(Privacy::Stats),
            "no 'x', it doesn't stand in 'bookings': near 'confirmed', '…', '…', factor 42"
        );
        assert_eq!(
            told(Privacy::Names),
            "no 'x', it doesn't stand in 'bookings': near '…', '…', '…', factor …"
        );
    }

    #[test]
    fn a_text_that_no_list_holds_stays_here_and_an_apostrophe_ends_nothing() {
        let told = redact("near 'O'Brien', 'nowhere listed'", &facts(), Privacy::Stats, "");
        assert_eq!(told, "near '…', '…'");
    }

    #[test]
    fn words_that_the_person_or_the_model_wrote_stay() {
        let told = redact("no row has 'Ada Byron' 7", &facts(), Privacy::Names, "ada byron, 7");
        assert_eq!(told, "no row has 'Ada Byron' 7");
    }
}
