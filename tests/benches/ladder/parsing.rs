//! What an engine accepts, and whether we read it.

use std::path::Path;

use querent::domain::{Dialect, Stage};
use querent::sql::ReadQuery;

use super::sets::{Judged, Spoken, read};
use super::table::Row;

/// Measures both sets; statements that write count as read when they are told as writes.
pub(crate) fn rows(data: &Path) -> Vec<Row> {
    let mut dialects = Row::new("parse: `dialects`, what an engine ran", "≥ 99 %");
    let mut valid = Row::new("parse: `dialects`, what tests elsewhere hold valid", "(told)");
    for spoken in read::<Spoken>(data, "dialects") {
        for (engine, verdict) in &spoken.engines {
            let Some(dialect) = dialect(engine).filter(|_| verdict.accepted == Some(true)) else {
                continue;
            };
            judge(&mut dialects, &spoken.id, &spoken.sql, dialect);
        }
        if let Some(own) = dialect(&spoken.dialect) {
            judge(&mut valid, &spoken.id, &spoken.sql, own);
        }
    }
    let mut models = Row::new("parse: `llm_sql_parse_only`, queries", "≥ 99 %");
    for judged in read::<Judged>(data, "llm_sql_parse_only") {
        let reads = judged.statements.is_empty() && starts_as_query(&judged.sql)
            || judged.statements.len() == 1 && judged.statements.iter().all(|s| s == "SelectStmt");
        let Some(dialect) = dialect(&judged.dialect).filter(|_| judged.parses && reads) else {
            continue;
        };
        judge(&mut models, &judged.id, &judged.sql, dialect);
    }
    vec![dialects, valid, models]
}

fn judge(row: &mut Row, id: &str, sql: &str, dialect: Dialect) {
    let parsed = ReadQuery::parse(sql, dialect);
    // a policy's verdict needs reading first
    let read = parsed.as_ref().map_or_else(|failure| failure.stage == Stage::Policy, |_| true);
    row.count(1, read);
    if let Err(failure) = parsed.as_ref()
        && !read
    {
        let flat = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        row.misses.push(format!("{id} {}: {} | {flat}", dialect.name(), failure.message()));
    }
}

fn starts_as_query(sql: &str) -> bool {
    let first = sql.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    matches!(first.as_str(), "SELECT" | "WITH" | "VALUES")
}

fn dialect(engine: &str) -> Option<Dialect> {
    match engine {
        "sqlite" => Some(Dialect::Sqlite),
        "postgres" | "postgresql" => Some(Dialect::Postgres),
        "mysql" | "mariadb" => Some(Dialect::Mysql),
        "duckdb" => Some(Dialect::Duckdb),
        _ => None,
    }
}
