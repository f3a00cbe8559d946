//! The first wall against writes: what a statement would change, seen in its words and its tree.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, ObjectName, Query, Select, SetExpr, Spanned, Statement, TableFactor, Visit, Visitor,
};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};

use crate::domain::{Dialect, Span};

use super::places::{Lexed, Places};
use super::postgres_effects;

/// Something that isn't let through.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) span: Option<Span>,
}

impl Found {
    fn write(what: &str, span: Option<Span>) -> Self {
        let message = format!("{what} isn't allowed: only queries that read are run");
        Found { code: "write", message, span }
    }
}

/// Looks for the start of a writing statement in the tokens alone, so that nothing hides in a text
/// that can't be parsed: at the start, after `;`, and before or after a parenthesis.
pub(super) fn in_words(text: &str, places: &Places) -> Option<Found> {
    let starts = (0..places.lexemes.len()).filter(|&at| {
        at == 0
            || matches!(places.kind(at - 1), Some(Lexed::Semicolon | Lexed::Open | Lexed::Close))
            || explained(places, at)
    });
    starts.filter(|&at| starts_write(places, at)).find_map(|at| {
        let span = places.lexemes.get(at)?.span;
        Some(Found::write(&span.of(text).to_uppercase(), Some(span)))
    })
}

/// Tells whether only `EXPLAIN …` words stand between the token and a statement's start.
fn explained(places: &Places, at: usize) -> bool {
    use Keyword as K;
    let mut before = at;
    while before > 0 && at - before < 4 {
        before -= 1;
        match places.kind(before) {
            Some(Lexed::Word(K::EXPLAIN)) => return true,
            Some(Lexed::Word(K::QUERY | K::PLAN | K::ANALYZE | K::VERBOSE)) => {}
            _ => return false,
        }
    }
    false
}

/// Finds a comment that MariaDB would run: its parser takes it for an empty one.
pub(super) fn in_comments(text: &str, places: &Places, tokens: &[TokenWithSpan]) -> Option<Found> {
    let run = tokens.iter().find(|token| {
        matches!(&token.token, Token::Whitespace(Whitespace::MultiLineComment(comment))
            if comment.starts_with("M!") || comment.starts_with('!'))
    })?;
    let start = places.lines.byte(text, run.span.start)?;
    let end = places.lines.byte(text, run.span.end)?;
    Some(Found::write("a comment that the server runs", Some(Span::new(start, end))))
}

fn starts_write(places: &Places, at: usize) -> bool {
    use Keyword as K;
    let Some(Lexed::Word(word)) = places.kind(at) else { return false };
    let next = places.kind(at + 1);
    let nested = at > 0 && matches!(places.kind(at - 1), Some(Lexed::Open | Lexed::Close));
    let next_word = if let Some(Lexed::Word(next)) = next { Some(next) } else { None };
    match word {
        K::INSERT | K::REPLACE => matches!(next_word, Some(K::INTO | K::OR | K::OVERWRITE)),
        K::DELETE => next_word == Some(K::FROM),
        K::MERGE => next_word == Some(K::INTO),
        K::UPDATE if nested => {
            next_word == Some(K::OR) || (at + 2..at + 5).any(|i| places.is_word(i, K::SET))
        }
        _ if nested => false,
        K::UPDATE => matches!(next, Some(Lexed::Word(_) | Lexed::Quoted)),
        K::CREATE | K::DROP | K::ALTER => next_word.is_some_and(is_object),
        K::ATTACH | K::DETACH | K::PRAGMA | K::TRUNCATE | K::GRANT | K::REVOKE => {
            matches!(next, Some(Lexed::Word(_) | Lexed::Quoted | Lexed::Text))
        }
        // a word alone is a statement; with a sign after it, it is prose
        K::VACUUM | K::REINDEX | K::BEGIN | K::COMMIT | K::ROLLBACK | K::SAVEPOINT | K::RELEASE => {
            !matches!(next, Some(Lexed::Sign | Lexed::Comma))
        }
        _ => false,
    }
}

fn is_object(word: Keyword) -> bool {
    use Keyword as K;
    matches!(
        word,
        K::TABLE
            | K::VIEW
            | K::INDEX
            | K::TRIGGER
            | K::TEMP
            | K::TEMPORARY
            | K::UNIQUE
            | K::VIRTUAL
            | K::OR
            | K::DATABASE
            | K::SCHEMA
            | K::FUNCTION
            | K::PROCEDURE
            | K::USER
            | K::ROLE
            | K::SEQUENCE
            | K::TYPE
            | K::EXTENSION
            | K::MATERIALIZED
    )
}

/// Returns the query of a statement that is one, and whether it is only explained.
pub(super) fn reading(statement: Statement) -> Result<(Box<Query>, bool), Found> {
    if let Statement::Query(query) = statement {
        return Ok((query, false));
    }
    if let Statement::Explain { statement, .. } = statement {
        return match *statement {
            Statement::Query(query) => Ok((query, true)),
            other => Err(named(&other)),
        };
    }
    Err(named(&statement))
}

/// Names a statement that is no query.
fn named(statement: &Statement) -> Found {
    let words = statement.to_string();
    let first = words.split_whitespace().next().unwrap_or("this").to_uppercase();
    let only_shows = matches!(
        first.as_str(),
        "SHOW" | "DESCRIBE" | "DESC" | "EXPLAIN" | "LIST" | "PRINT" | "RETURN" | "SELECT"
    );
    if only_shows {
        let message = format!("{first} is no query: only SELECT statements are run");
        return Found { code: "not_a_query", message, span: None };
    }
    Found::write(&first, None)
}

/// Looks for writes anywhere inside a query: in CTE bodies, SELECT INTO, locks, functions.
pub(super) fn in_tree(
    text: &str,
    places: &Places,
    query: &Query,
    dialect: Dialect,
) -> Option<Found> {
    if dialect == Dialect::Postgres
        && let Some(span) = spelled_name(text, places)
    {
        return Some(Found::write("a name spelled by code points (U&\"…\")", Some(span)));
    }
    let mut guard = Guard { text, places, dialect };
    match query.visit(&mut guard) {
        ControlFlow::Break(found) => Some(*found),
        ControlFlow::Continue(()) => None,
    }
}

/// Finds a name in `U&"…"`: what it stands for can't be read off its text.
fn spelled_name(text: &str, places: &Places) -> Option<Span> {
    let quoted = places.lexemes.iter().filter(|lexeme| lexeme.kind == Lexed::Quoted);
    let mut before = quoted.map(|lexeme| (lexeme.span, text.get(..lexeme.span.start)));
    let spelled = |text: &str| text.ends_with("U&") || text.ends_with("u&");
    before.find(|(_, before)| before.is_some_and(spelled)).map(|(span, _)| span)
}

struct Guard<'a> {
    text: &'a str,
    places: &'a Places,
    dialect: Dialect,
}

impl Guard<'_> {
    fn found<T>(&self, what: &str, at: &impl Spanned) -> ControlFlow<Box<Found>, T> {
        let span = self.places.of_node(self.text, at);
        ControlFlow::Break(Box::new(Found::write(what, span)))
    }

    /// Refuses a function with effects; a table may be `called` as some of them are.
    fn function(&self, name: &ObjectName, called: bool) -> ControlFlow<Box<Found>> {
        let last = name.0.last().map(ToString::to_string).unwrap_or_default().to_lowercase();
        let last = last.trim_matches(['"', '`', '[', ']']);
        if EFFECTS.binary_search(&last).is_ok() {
            return self.found(&format!("the function {last}"), name);
        }
        let has_effects = match self.dialect {
            Dialect::Postgres => postgres_effects::has_effects(last),
            Dialect::Duckdb => DUCKDB_EFFECTS.contains(&last),
            Dialect::Sqlite | Dialect::Mysql | Dialect::Generic => false,
        };
        if called && has_effects {
            return self.found(&format!("the function {last}"), name);
        }
        if self.dialect == Dialect::Sqlite && last.starts_with("pragma_") {
            return self.found(&format!("the table function {last}"), name);
        }
        ControlFlow::Continue(())
    }
}

impl Visitor for Guard<'_> {
    type Break = Box<Found>;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<Self::Break> {
        if !query.locks.is_empty() {
            return self.found("FOR UPDATE or FOR SHARE", query);
        }
        let mut body = &*query.body;
        while let SetExpr::SetOperation { left, right, .. } = body {
            if let Some(what) = written(right) {
                return self.found(what, query);
            }
            body = left;
        }
        match written(body) {
            Some(what) => self.found(what, query),
            None => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<Self::Break> {
        match &select.into {
            Some(into) => self.found("SELECT INTO", into),
            None => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<Self::Break> {
        if matches!(statement, Statement::Query(_)) {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(Box::new(named(statement)))
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<Self::Break> {
        match factor {
            TableFactor::Table { name, args, .. } => self.function(name, args.is_some()),
            TableFactor::Function { name, .. } => self.function(name, true),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<Self::Break> {
        if let Expr::Function(function) = expr {
            return self.function(&function.name, true);
        }
        ControlFlow::Continue(())
    }
}

fn written(body: &SetExpr) -> Option<&'static str> {
    match body {
        SetExpr::Insert(_) => Some("INSERT"),
        SetExpr::Update(_) => Some("UPDATE"),
        SetExpr::Delete(_) => Some("DELETE"),
        SetExpr::Merge(_) => Some("MERGE"),
        SetExpr::Select(_)
        | SetExpr::Query(_)
        | SetExpr::SetOperation { .. }
        | SetExpr::Values(_)
        | SetExpr::Table(_) => None,
    }
}

/// Functions of DuckDB that change something, run a text as SQL, or read memory by its address.
const DUCKDB_EFFECTS: &[&str] = &[
    "arrow_scan",
    "arrow_scan_dumb",
    "checkpoint",
    "currval",
    "disable_logging",
    "disable_profiling",
    "enable_logging",
    "enable_profiling",
    "force_checkpoint",
    "json_execute_serialized_sql",
    "pandas_scan",
    "postgres_execute",
    "postgres_query",
    "query",
    "set_peg_parser",
    "setseed",
    "sqlite_query",
    "truncate_duckdb_logs",
    "write_log",
];

/// Functions that change something, or reach outside the database. Sorted.
const EFFECTS: &[&str] = &[
    "audit_log_rotate",
    "benchmark",
    "dblink",
    "dblink_exec",
    "edit",
    "fts3_tokenizer",
    "get_lock",
    "group_replication_set_as_primary",
    "keyring_key_generate",
    "keyring_key_remove",
    "keyring_key_store",
    "lastval",
    "lo_export",
    "lo_import",
    "lo_put",
    "lo_unlink",
    "load_extension",
    "load_file",
    "master_gtid_wait",
    "master_pos_wait",
    "mroonga_command",
    "nextval",
    "pg_advisory_lock",
    "pg_cancel_backend",
    "pg_ls_dir",
    "pg_read_binary_file",
    "pg_read_file",
    "pg_reload_conf",
    "pg_sleep",
    "pg_terminate_backend",
    "readfile",
    "release_all_locks",
    "release_lock",
    "service_get_read_locks",
    "service_get_write_locks",
    "service_release_locks",
    "set_config",
    "setval",
    "sleep",
    "source_pos_wait",
    "spider_bg_direct_sql",
    "spider_copy_tables",
    "spider_direct_sql",
    "sys_eval",
    "sys_exec",
    "sys_get",
    "sys_set",
    "version_tokens_delete",
    "version_tokens_edit",
    "version_tokens_set",
    "wait_for_executed_gtid_set",
    "wait_until_sql_thread_after_gtids",
    "writefile",
];
