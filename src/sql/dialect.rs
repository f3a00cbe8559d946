//! What differs between SQL dialects: the parser to use, how names are quoted.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sqlparser::dialect as parsers;

use crate::domain::Dialect;

/// Returns the parser's rules for a dialect.
pub fn parser(dialect: Dialect) -> Box<dyn parsers::Dialect> {
    match dialect {
        Dialect::Sqlite => Box::new(parsers::SQLiteDialect {}),
        Dialect::Postgres => Box::new(parsers::PostgreSqlDialect {}),
        Dialect::Mysql => Box::new(parsers::MySqlDialect {}),
        Dialect::Duckdb => Box::new(parsers::DuckDbDialect {}),
        Dialect::Generic => Box::new(parsers::GenericDialect {}),
    }
}

/// Writes a name so that the engine takes it for a name: bare where that is safe, else quoted.
pub fn quote(name: &str, dialect: Dialect) -> String {
    // PostgreSQL reads a bare name in lower case
    let as_is = |c: char| dialect != Dialect::Postgres || !c.is_ascii_uppercase();
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| (c.is_ascii_alphanumeric() || c == '_') && as_is(c))
        && !is_keyword(name);
    match dialect {
        _ if plain => name.to_owned(),
        Dialect::Mysql => format!("`{}`", name.replace('`', "``")),
        Dialect::Sqlite | Dialect::Postgres | Dialect::Duckdb | Dialect::Generic => {
            format!("\"{}\"", name.replace('"', "\"\""))
        }
    }
}

/// Writes the name of a table, which on a server may stand behind its schema and a dot.
pub fn quote_table(name: &str, dialect: Dialect) -> String {
    match name.split_once('.') {
        Some((schema, table)) if dialect != Dialect::Sqlite => {
            format!("{}.{}", quote(schema, dialect), quote(table, dialect))
        }
        Some(_) | None => quote(name, dialect),
    }
}

/// Writes a text as a literal. NUL, which no engine stores in text, is left out.
pub fn literal(text: &str, dialect: Dialect) -> String {
    let text = text.replace('\'', "''").replace('\0', "");
    // a backslash begins an escape there
    let text = if dialect == Dialect::Mysql { text.replace('\\', "\\\\") } else { text };
    format!("'{text}'")
}

/// Tells whether SQLite never takes a bare word for a name.
pub(super) fn never_a_name(word: &str) -> bool {
    NEVER_NAMES.binary_search(&word.to_ascii_uppercase().as_str()).is_ok()
}

/// Keywords that SQLite's grammar never lets fall back to a name. Sorted.
const NEVER_NAMES: &[&str] = &[
    "ALL", "AND", "AS", "BETWEEN", "CASE", "CREATE", "DELETE", "DISTINCT", "DROP", "ELSE",
    "ESCAPE", "EXISTS", "FROM", "GROUP", "HAVING", "IN", "INSERT", "INTO", "IS", "JOIN", "LIMIT",
    "NOT", "ON", "OR", "ORDER", "SELECT", "SET", "TABLE", "THEN", "UNION", "UPDATE", "USING",
    "VALUES", "WHEN", "WHERE",
];

/// Tells whether a bare word would be read as syntax instead of a name.
fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(word.to_ascii_uppercase().as_str())
}

/// All words that no engine is handed bare, made once: names are quoted by the thousand.
static KEYWORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let reserved = sqlparser::keywords::RESERVED_FOR_COLUMN_ALIAS
        .iter()
        .chain(sqlparser::keywords::RESERVED_FOR_TABLE_ALIAS)
        .map(|keyword| format!("{keyword:?}"));
    reserved.chain(MORE_KEYWORDS.iter().map(|word| (*word).to_owned())).collect()
});

/// Words that engines reserve besides those that the parser reserves for aliases.
const MORE_KEYWORDS: &[&str] = &[
    "ADD",
    "ALL",
    "ALTER",
    "AND",
    "AS",
    "BETWEEN",
    "BY",
    "CASE",
    "CHECK",
    "COLLATE",
    "COLUMN",
    "CONSTRAINT",
    "CREATE",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "DEFAULT",
    "DELETE",
    "DESC",
    "DISTINCT",
    "DROP",
    "ELSE",
    "END",
    "ESCAPE",
    "EXISTS",
    "FOREIGN",
    "IF",
    "IN",
    "INDEX",
    "INSERT",
    "IS",
    "ISNULL",
    "KEY",
    "LIKE",
    "MATCH",
    "NOT",
    "NOTNULL",
    "NULL",
    "OR",
    "PRIMARY",
    "REFERENCES",
    "SET",
    "TABLE",
    "THEN",
    "TO",
    "TRANSACTION",
    "TRIGGER",
    "UNIQUE",
    "UPDATE",
    "VALUES",
    "WHEN",
];
