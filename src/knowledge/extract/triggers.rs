//! What triggers say: columns kept by the database, values it refuses, tables it copies to.

use crate::domain::knowledge::Rule;
use crate::domain::{Catalog, ColumnRef};
use crate::sql::lexemes::{Kind, Lexeme};

use super::wording::{literal, pieces};
use super::{Definition, Draft, Entry};

/// Reads all triggers.
pub(super) fn of(catalog: &Catalog, triggers: &[Definition]) -> Vec<Draft> {
    triggers.iter().flat_map(|trigger| of_trigger(catalog, trigger)).collect()
}

fn of_trigger(catalog: &Catalog, trigger: &Definition) -> Vec<Draft> {
    let sql = trigger.sql.as_str();
    let pieces = pieces(sql);
    let begin = pieces.iter().position(|piece| piece.is_word(sql, "BEGIN")).unwrap_or(pieces.len());
    let (head, body) = pieces.split_at(begin);
    let object = format!("trigger {}", trigger.name);
    let statements = body.get(1..).unwrap_or_default().split(|piece| piece.is_sign(sql, ";"));
    let mut drafts = Vec::new();
    for statement in statements {
        let Some((first, last)) = statement.first().zip(statement.last()) else { continue };
        let text = sql.get(first.span.start..last.span.end).unwrap_or_default();
        let entry = if let Some(rule) = refusal(trigger, sql, head, statement) {
            Some(rule)
        } else if first.is_word(sql, "UPDATE") {
            kept(catalog, sql, statement)
        } else if first.is_word(sql, "INSERT") || first.is_word(sql, "REPLACE") {
            copied(catalog, trigger, sql, statement)
        } else {
            None
        };
        drafts.extend(entry.map(|rule| Draft::new(Entry::Rule(rule), object.clone(), text)));
    }
    drafts
}

/// Reads `RAISE(ABORT, 'why')`: what the database refuses holds for every row.
fn refusal(trigger: &Definition, sql: &str, head: &[Lexeme], statement: &[Lexeme]) -> Option<Rule> {
    let raise = statement.iter().position(|piece| piece.is_word(sql, "RAISE"))?;
    let words = statement.get(raise..)?.iter().find(|piece| piece.kind == Kind::Text)?;
    let why = literal(words, sql)?;
    let when = head.iter().position(|piece| piece.is_word(sql, "WHEN"));
    let condition = when.and_then(|at| between(sql, head.get(at + 1..)?)).or_else(|| {
        let at = statement.iter().position(|piece| piece.is_word(sql, "WHERE"))?;
        between(sql, statement.get(at + 1..)?)
    });
    let condition = condition.map_or(String::new(), |text| format!(" (refused where {text})"));
    let text = format!("{}: {}{condition}", trigger.table, why.trim_end_matches('.'));
    Some(Rule { text, about: vec![trigger.table.clone()] })
}

/// Writes pieces as one line.
fn between(sql: &str, pieces: &[Lexeme]) -> Option<String> {
    let text = sql.get(pieces.first()?.span.start..pieces.last()?.span.end)?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Reads `UPDATE t SET column = …`: the database keeps the column itself.
fn kept(catalog: &Catalog, sql: &str, statement: &[Lexeme]) -> Option<Rule> {
    let table = catalog.table(&statement.get(1)?.name(sql))?;
    let set = statement.iter().position(|piece| piece.is_word(sql, "SET"))?;
    let column = table.column(&statement.get(set + 1)?.name(sql))?;
    let rest = statement.get(set + 3..)?;
    let mut depth = 0_i32;
    let end = rest.iter().position(|piece| {
        depth += i32::from(piece.is_sign(sql, "(")) - i32::from(piece.is_sign(sql, ")"));
        depth == 0 && (piece.is_word(sql, "WHERE") || piece.is_sign(sql, ","))
    });
    let value = between(sql, rest.get(..end.unwrap_or(rest.len()))?)?;
    let at = ColumnRef::new(&table.name, &column.name);
    let lower = value.to_lowercase();
    let now = ["'now'", "current_timestamp", "now()"].iter().any(|now| lower.contains(now));
    let text = if now {
        format!(
            "{} is set by the database at each change of a row; it tells nothing of when something \
             happened",
            column.name
        )
    } else {
        format!("{at} is kept by the database as {value}")
    };
    Some(Rule { text, about: vec![at.to_string()] })
}

/// Reads `INSERT INTO t …`: what happens to one table is written down in another.
fn copied(
    catalog: &Catalog,
    trigger: &Definition,
    sql: &str,
    statement: &[Lexeme],
) -> Option<Rule> {
    let into = statement.iter().position(|piece| piece.is_word(sql, "INTO"))?;
    let table = catalog.table(&statement.get(into + 1)?.name(sql))?;
    if table.name.eq_ignore_ascii_case(&trigger.table) {
        return None;
    }
    let what = ["INSERT", "UPDATE", "DELETE"].into_iter().find(|what| {
        let head = pieces(sql);
        let on = head.iter().position(|piece| piece.is_word(sql, "ON")).unwrap_or(0);
        head.iter().take(on).any(|piece| piece.is_word(sql, what))
    });
    let when = match what {
        Some("INSERT") => "new row",
        Some("DELETE") => "removed row",
        Some(_) | None => "change",
    };
    let text = format!(
        "each {when} of {} is also written to {}: count one of them, not both",
        trigger.table, table.name
    );
    Some(Rule { text, about: vec![table.name.clone()] })
}
