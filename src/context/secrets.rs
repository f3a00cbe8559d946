//! What looks secret: columns by their names, texts by their shape.

use crate::domain::ColumnRef;

use super::words;

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
    "jwt",
    "bearer",
    "tkn",
    "auth",
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
    ("session", "id"),
    ("session", "key"),
];

/// Parts of names of which every secret name holds one, in its own or its table's name.
const SECRET_PARTS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "ssn",
    "cvv",
    "cvc",
    "pin",
    "otp",
    "iban",
    "salt",
    "card",
    "key",
    "credential",
    "security",
    "jwt",
    "bearer",
    "tkn",
    "auth",
    "session",
];

/// Tells cheaply that a name is no secret's: asked of every column of a catalog.
fn surely_open(at: &ColumnRef) -> bool {
    let holds = |name: &str, part: &str| {
        name.as_bytes().windows(part.len()).any(|here| here.eq_ignore_ascii_case(part.as_bytes()))
    };
    let names = [at.column.as_str(), at.table.as_str()];
    names.iter().all(|name| name.is_ascii())
        && !SECRET_PARTS.iter().any(|part| names.iter().any(|name| holds(name, part)))
}

/// Tells whether a column's name says that its content is secret.
pub fn looks_secret(at: &ColumnRef) -> bool {
    if surely_open(at) {
        return false;
    }
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

/// How keys of well-known services and written-down passwords begin, and the least length of each.
const SECRET_STARTS: &[(&str, usize)] = &[
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 20),
    ("AIza", 30),
    ("eyJ", 40),
    ("-----BEGIN", 20),
];

/// What stands before a password in free text, in lower case.
const BEFORE_SECRETS: &[&str] = &["password:", "password=", "passwd:", "pwd:", "pwd=", "api key:"];

/// Tells whether a stored text has the shape of a key or a password, whatever its column is called.
pub(super) fn has_secret_shape(text: &str) -> bool {
    let word_begins = |word: &str| {
        SECRET_STARTS.iter().any(|(start, least)| word.starts_with(start) && word.len() >= *least)
    };
    if text.len() < 8 {
        return false;
    }
    let lower = text.to_lowercase();
    text.split(|c: char| c.is_whitespace() || "\"'`,;()".contains(c)).any(word_begins)
        || BEFORE_SECRETS.iter().any(|before| lower.contains(before))
}

/// Tells cheaply whether a word may be the name of a secret column, whatever its table.
pub(super) fn may_be_secret(word: &str) -> bool {
    let parts = words::of_name(word);
    let ends_pair = |part: &String| SECRET_PAIRS.iter().any(|(_, second)| second == part);
    looks_secret(&ColumnRef::new("", word)) || parts.iter().any(ends_pair)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn every_secret_word_holds_a_part_that_is_looked_for() {
        let pairs = SECRET_PAIRS.iter().map(|(first, second)| format!("{first}_{second}"));
        for name in SECRET_WORDS.iter().map(|&word| word.to_owned()).chain(pairs) {
            // words cut by case or signs: pass|word, api|key, card|no
            assert!(secret("t", &name), "{name}");
            assert!(secret("t", &name.to_uppercase()), "{name}");
        }
    }

    #[test]
    fn keys_and_passwords_are_known_by_their_shape() {
        for text in ["sk-live-4f9a8b7c6d5e4f3a", "AKIAIOSFODNN7EXAMPLE", "my Password: hunter2"] {
            assert!(has_secret_shape(text), "{text}");
        }
        for text in ["sk-12", "skating", "eyJust", "forgot the password", "AKIA"] {
            assert!(!has_secret_shape(text), "{text}");
        }
    }
}
