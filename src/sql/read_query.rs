//! A statement that a parse has proved to read only. There is no other way to make one.

use sqlparser::ast::{Query, Statement};

use crate::domain::{Dialect, Failure, Stage};

/// One parsed statement that only reads; writes inside CTE bodies are seen.
#[derive(Debug, Clone)]
pub struct ReadQuery {
    text: String,
    query: Box<Query>,
    dialect: Dialect,
}

impl ReadQuery {
    /// Parses one read-only statement.
    ///
    /// Fails at stage parse with `syntax_error`, `multiple_statements`, `empty` or `write`.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Failure> {
        let parser = super::dialect::parser(dialect);
        let mut statements = sqlparser::parser::Parser::parse_sql(&*parser, text)
            .map_err(|e| Failure::new(Stage::Parse, "syntax_error", e.to_string()))?;
        match statements.pop() {
            Some(Statement::Query(query)) if statements.is_empty() => {
                Ok(ReadQuery { text: text.to_owned(), query, dialect })
            }
            _ => Err(Failure::new(Stage::Parse, "write", "only one statement that reads is run")),
        }
    }

    /// Returns the text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the syntax tree.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the dialect it was read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }
}
