//! The second wall against writes: what must hold of a statement before the server runs it.
//!
//! **Invariant:** no text from outside is run but the prepared statement that `prove` returns. A
//! server prepares one statement at a time, and running it reads no text again; it runs in a
//! read-only transaction, so what is refused here is what such a transaction lets through.

use mysql_async::prelude::Queryable;
use mysql_async::{Error, Statement};
use mysql_common::named_params::ParsedNamedParams;

use super::super::Trouble;
use super::address::Target;
use super::effects;
use super::pool::Lease;
#[cfg(test)]
use super::tokens::Quotes;
use super::tokens::{Kind, Token};
use super::verdict::refusal;
use crate::domain::Stage;

/// What a statement that reads can begin with.
const READING: &[&str] =
    &["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"];

/// What begins the statement behind the parts of a WITH, or behind EXPLAIN.
const WRITING: &[&str] = &["INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "CALL", "DO"];

/// Words that only stand together where more than reading is asked for.
const BEYOND: &[(&[&str], &str)] = &[
    (&["INTO"], "INTO"),
    (&["FOR", "UPDATE"], "FOR UPDATE"),
    (&["FOR", "SHARE"], "FOR SHARE"),
    (&["LOCK", "IN"], "LOCK IN SHARE MODE"),
    (&["NEXT", "VALUE", "FOR"], "NEXT VALUE FOR"),
    (&["PREVIOUS", "VALUE", "FOR"], "PREVIOUS VALUE FOR"),
    (&[":", "="], ":="),
];

/// Functions that reach outside the database, change what lasts, hold locks or only wait. Sorted.
pub(super) const REFUSED: &[&str] = &[
    "asynchronous_connection_failover_add_managed",
    "asynchronous_connection_failover_add_source",
    "asynchronous_connection_failover_delete_managed",
    "asynchronous_connection_failover_delete_source",
    "asynchronous_connection_failover_reset",
    "audit_log_encryption_password_set",
    "audit_log_filter_flush",
    "audit_log_filter_remove_filter",
    "audit_log_filter_remove_user",
    "audit_log_filter_set_filter",
    "audit_log_filter_set_user",
    "audit_log_rotate",
    "benchmark",
    "get_lock",
    "group_replication_disable_member_action",
    "group_replication_enable_member_action",
    "group_replication_reset_member_actions",
    "group_replication_set_as_primary",
    "group_replication_set_communication_protocol",
    "group_replication_set_write_concurrency",
    "group_replication_switch_to_multi_primary_mode",
    "group_replication_switch_to_single_primary_mode",
    "http_delete",
    "http_get",
    "http_post",
    "http_put",
    "keyring_key_generate",
    "keyring_key_remove",
    "keyring_key_store",
    "lastval",
    "load_file",
    "master_gtid_wait",
    "master_pos_wait",
    "mroonga_command",
    "mysql_firewall_flush_status",
    "nextval",
    "read_firewall_group_allowlist",
    "read_firewall_groups",
    "read_firewall_users",
    "read_firewall_whitelist",
    "release_all_locks",
    "release_lock",
    "service_get_read_locks",
    "service_get_write_locks",
    "service_release_locks",
    "set_firewall_group_mode",
    "set_firewall_mode",
    "setval",
    "sleep",
    "source_pos_wait",
    "spider_bg_direct_sql",
    "spider_copy_tables",
    "spider_direct_sql",
    "spider_flush_table_mon_cache",
    "sys_eval",
    "sys_exec",
    "sys_get",
    "sys_set",
    "version_tokens_delete",
    "version_tokens_edit",
    "version_tokens_lock_exclusive",
    "version_tokens_lock_shared",
    "version_tokens_set",
    "version_tokens_unlock",
    "wait_for_executed_gtid_set",
    "wait_until_sql_thread_after_gtids",
    "wsrep_sync_wait_upto_gtid",
];

/// Lets the server prepare a statement, and proves that it is one and only reads.
pub(super) async fn prove(
    lease: &mut Lease,
    sql: &str,
    target: &Target,
) -> Result<Statement, Trouble> {
    let quotes = lease.quotes;
    let found = quotes.tokens(sql);
    let said = said(sql, &found)?;
    looks_like_reading(&said)?;
    unnamed(sql, &said)?;
    let refused = |error: &Error| refusal(error, sql, quotes, target);
    let lasting = effects::lasting(lease).await.map_err(|error| refused(&error))?;
    if let Some(token) = said.iter().find(|token| token.names_one_of(&lasting)) {
        return Err(beyond(&format!("{}, whose text may change something,", token.name()), token));
    }
    let prepared = lease.conn()?.prep(sql).await.map_err(|error| refused(&error))?;
    if prepared.num_columns() == 0 {
        return Err(write(&said));
    }
    if prepared.num_params() > 0 {
        return Err(unbound("?", said.iter().find(|token| token.is("?"))));
    }
    Ok(prepared)
}

/// Returns what a text says: one statement, without comments and the `;` behind it.
fn said<'a>(sql: &str, found: &[Token<'a>]) -> Result<Vec<Token<'a>>, Trouble> {
    if let Some(at) = sql.find('\0') {
        let message = "the SQL holds a NUL character; remove it";
        let span = crate::domain::Span::new(at, at + 1);
        return Err(Trouble::query(Stage::Prepare, "nul_character", message, Some(span)));
    }
    if let Some(hidden) = found.iter().find(|token| token.kind == Kind::Hidden) {
        let message = "a comment that the server would run is refused; write it out or remove it";
        return Err(Trouble::query(Stage::Policy, "write", message, Some(hidden.span())));
    }
    let all = found.iter().filter(|token| token.kind != Kind::Comment);
    let said: Vec<Token<'a>> = all.clone().take_while(|token| !token.is(";")).copied().collect();
    let second = all.skip(said.len()).find(|token| !token.is(";"));
    match second {
        _ if said.is_empty() && second.is_none() => {
            Err(Trouble::query(Stage::Prepare, "empty", "there is no statement", None))
        }
        None => Ok(said),
        Some(token) if READING.iter().any(|word| token.is(word)) => {
            let message = "there is more than one statement";
            Err(Trouble::query(Stage::Prepare, "multiple_statements", message, Some(token.span())))
        }
        Some(token) => Err(write(&[*token])),
    }
}

/// Refuses forms that do more than read.
fn looks_like_reading(said: &[Token<'_>]) -> Result<(), Trouble> {
    let first = said.iter().find(|token| !token.is("("));
    let begins = |words: &[&str]| first.is_some_and(|token| words.iter().any(|w| token.is(w)));
    if !begins(READING) {
        return Err(write(said));
    }
    let explains = begins(&["DESCRIBE", "DESC", "EXPLAIN"]);
    if let Some(run) = said.iter().find(|token| explains && token.is("ANALYZE")) {
        return Err(write(&[*run]));
    }
    if begins(&["WITH"])
        && let Some(body) = said.iter().find(|token| heads(said, token))
        && WRITING.iter().any(|word| body.is(word))
    {
        return Err(write(&[*body]));
    }
    for (words, name) in BEYOND {
        let stands = |part: &&[Token<'_>]| part.iter().zip(*words).all(|(token, w)| token.is(w));
        if let Some([first, ..]) = said.windows(words.len()).find(stands) {
            return Err(beyond(name, first));
        }
    }
    let called = said.windows(2).find_map(|pair| match pair {
        [name, open] if open.is("(") && name.is_refused() => Some(name),
        _ => None,
    });
    match called {
        Some(name) => Err(beyond(&format!("the function {}", name.name()), name)),
        None => Ok(()),
    }
}

/// Tells whether a token, outside all parentheses, begins the statement behind a WITH.
fn heads(said: &[Token<'_>], token: &Token<'_>) -> bool {
    let before = said.iter().take_while(|other| other.start < token.start);
    let depth = before
        .fold(0_i64, |depth, other| depth + i64::from(other.is("(")) - i64::from(other.is(")")));
    depth == 0 && ["SELECT", "VALUES", "TABLE"].iter().chain(WRITING).any(|word| token.is(word))
}

/// Refuses what the driver would take for a parameter by name and replace, even inside a text that
/// it reads otherwise than the server does.
fn unnamed(sql: &str, said: &[Token<'_>]) -> Result<(), Trouble> {
    let place = said.iter().find(|token| token.is(":"));
    match ParsedNamedParams::parse(sql.as_bytes()) {
        Ok(parsed) if parsed.params().is_empty() => Ok(()),
        Ok(parsed) => {
            let name = parsed.params().first().map(|name| String::from_utf8_lossy(name));
            Err(unbound(&format!(":{}", name.unwrap_or_default()), place))
        }
        Err(_) => Err(unbound("?", said.iter().find(|token| token.is("?")).or(place))),
    }
}

fn unbound(name: &str, place: Option<&Token<'_>>) -> Trouble {
    let message = format!("parameter {name} has no value; write the value into the query");
    Trouble::query(Stage::Prepare, "unbound_parameter", message, place.map(Token::span))
}

/// Says that a statement is refused because it could change something.
fn write(said: &[Token<'_>]) -> Trouble {
    let verb = said.iter().find(|token| !token.is("("));
    let words = verb.map_or(String::new(), |token| token.text.to_ascii_uppercase());
    let message = format!("only statements that read are run; {words} is refused");
    Trouble::query(Stage::Policy, "write", message, verb.map(Token::span))
}

/// Says that a part of a statement does more than read.
fn beyond(what: &str, place: &Token<'_>) -> Trouble {
    let message = format!("only statements that read are run; {what} is refused");
    Trouble::query(Stage::Policy, "write", message, Some(place.span()))
}

impl Token<'_> {
    fn is_refused(&self) -> bool {
        let name = self.name().to_ascii_lowercase();
        self.kind != Kind::Text && REFUSED.binary_search(&name.as_str()).is_ok()
    }

    fn names_one_of(&self, names: &std::collections::BTreeSet<String>) -> bool {
        let names_something = matches!(self.kind, Kind::Word | Kind::Quoted);
        !names.is_empty() && names_something && names.contains(&self.name().to_lowercase())
    }
}

/// Proves the forms alone, without a server.
#[cfg(test)]
fn by_form(sql: &str, quotes: Quotes) -> Result<(), Trouble> {
    let found = quotes.tokens(sql);
    said(sql, &found).and_then(|said| {
        looks_like_reading(&said)?;
        unnamed(sql, &said)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(sql: &str) -> String {
        match by_form(sql, Quotes::default()) {
            Ok(()) => "reads".to_owned(),
            Err(Trouble::Query(failure)) => failure.code().to_owned(),
            Err(Trouble::Database(error)) => error.to_string(),
        }
    }

    #[test]
    fn refused_functions_are_in_order() {
        assert!(REFUSED.is_sorted());
    }

    #[test]
    fn only_forms_that_read_pass() {
        for sql in [
            "SELECT 1",
            "(SELECT 1) UNION (SELECT 2);",
            "WITH a AS (SELECT 1) TABLE a",
            "WITH a AS (SELECT 'x' AS insert_) SELECT REPLACE(insert_, 'x', 'y') FROM a",
            "SHOW TABLES",
            "EXPLAIN SELECT 1",
            "SELECT load_file FROM a",
            "SELECT 'INTO OUTFILE', \"sleep(1)\" -- INTO x\n FROM a",
            "SELECT SUBSTRING('abc' FROM 1 FOR 2)",
        ] {
            assert_eq!(code(sql), "reads", "{sql}");
        }
        for sql in [
            "DELETE FROM a",
            "ANALYZE SELECT 1",
            "EXPLAIN ANALYZE SELECT 1",
            "DO 1",
            "INSERT INTO a VALUES (1) RETURNING a",
            "WITH a AS (SELECT 1) DELETE FROM b",
            "SELECT 1 INTO @a",
            "SELECT @a := 1",
            "SELECT 1 FROM a FOR\n/* */ UPDATE",
            "SELECT 1 FROM a LOCK IN SHARE MODE",
            "SELECT `load_file` ('x')",
            "SELECT Sleep /**/ (1)",
            "SELECT 1; DROP TABLE a",
            "SELECT 1 /*! INTO @a */",
        ] {
            assert_eq!(code(sql), "write", "{sql}");
        }
        assert_eq!(code("SELECT 1; SELECT 2"), "multiple_statements");
        assert_eq!(code(" -- x"), "empty");
        assert_eq!(code("SELECT :x"), "unbound_parameter");
        assert_eq!(code("SELECT ':x', 'a:b'"), "reads");
    }

    #[test]
    fn a_text_that_the_driver_would_change_is_refused() {
        let plain = Quotes { plain_backslash: true, ..Quotes::default() };
        let Err(Trouble::Query(failure)) = by_form(r"SELECT 'a\', ':b'", plain) else {
            unreachable!("a refusal")
        };
        assert_eq!(failure.code(), "unbound_parameter");
    }
}
