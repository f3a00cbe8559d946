//! Joins and columns put to the test against what is stored: partners, uniqueness, codes.

use crate::database::{Limits, Trouble};
use crate::domain::counts::{count, grouped};
use crate::domain::knowledge::{JoinHint, Meaning};
use crate::domain::{ColumnRef, Dialect, Stage, Value};
use crate::sql::dialect::{quote, quote_table};

use super::super::opening::SessionError;
use super::prove::{Outcome, Proved, Test, failed};

/// Rows of a join that are looked at for partners.
const LOOKED_AT: u64 = 1_000;

/// Codes that are named in a sentence.
const NAMED: usize = 5;

/// Looks whether the rows of each join hint find partners, and never more than one.
pub(super) async fn joins(test: &Test<'_>) -> Result<Vec<Proved>, SessionError> {
    let mut proved = Vec::new();
    for (n, hint) in test.facts.knowledge.joins.iter().enumerate() {
        let entry = format!("join {}", n + 1);
        if test.stands(&entry) {
            let outcome = join(test, hint).await?;
            proved.push(Proved { entry, what: arrow(hint), outcome });
        }
    }
    Ok(proved)
}

async fn join(test: &Test<'_>, hint: &JoinHint) -> Result<Outcome, SessionError> {
    let sides =
        [&hint.to, &hint.from].map(|columns| repeated_query(test.session.dialect(), columns));
    let mut repeated = Vec::new();
    for sql in sides.into_iter().flatten() {
        match number(test, &sql).await? {
            Ok(n) => repeated.push(n),
            Err(outcome) => return Ok(outcome),
        }
    }
    // a hint may be written either way round: one side must be unique
    if let [to, from] = repeated.as_slice()
        && *to > 0
        && *from > 0
    {
        let words = format!(
            "neither side is unique: {} of {} stand more than once, so the join multiplies rows",
            count(*to, "value"),
            names(&hint.to)
        );
        return Ok(Outcome::Failed(words));
    }
    let turned = repeated.first().is_some_and(|to| *to > 0);
    let (many, one) = if turned { (&hint.to, &hint.from) } else { (&hint.from, &hint.to) };
    let mut found = [0, 0];
    for (n, partners) in [(0, false), (1, true)] {
        let sql = rows_query(test.session.dialect(), many, one, partners);
        match number(test, &sql).await? {
            Ok(rows) => {
                if let Some(slot) = found.get_mut(n) {
                    *slot = rows;
                }
            }
            Err(outcome) => return Ok(outcome),
        }
    }
    let [rows, partners] = found;
    Ok(match (rows, partners) {
        (0, _) => Outcome::Doubt(format!("no row of {} holds a key", names(many))),
        (_, 0) => Outcome::Failed(format!(
            "none of {} of {} has a partner in {}",
            count(rows, "row"),
            names(many),
            names(one)
        )),
        (rows, partners) if partners < rows => Outcome::Doubt(format!(
            "{} of {} of {} have a partner in {}",
            grouped(partners),
            count(rows, "row"),
            names(many),
            names(one)
        )),
        (rows, _) => {
            Outcome::Holds(format!("{} looked at, each with one partner", count(rows, "row")))
        }
    })
}

/// Looks whether what is said of columns holds: unique, never NULL, these codes.
pub(super) async fn columns(test: &Test<'_>) -> Result<Vec<Proved>, SessionError> {
    let mut proved = Vec::new();
    for meaning in &test.facts.knowledge.columns {
        let entry = format!("column {}", meaning.at);
        if !test.stands(&entry) {
            continue;
        }
        let mut outcomes = Vec::new();
        if meaning.unique
            && let Some(sql) =
                repeated_query(test.session.dialect(), std::slice::from_ref(&meaning.at))
        {
            outcomes.push(("unique", none_of(test, &sql, "value stands more than once").await?));
        }
        if meaning.not_null {
            let sql = nulls_query(test.session.dialect(), &meaning.at);
            outcomes.push(("never NULL", none_of(test, &sql, "row is NULL").await?));
        }
        outcomes.extend(codes(test, meaning).await.map(|outcome| ("codes", outcome)));
        let proof = |(what, outcome): (&str, Outcome)| Proved {
            entry: entry.clone(),
            what: what.to_owned(),
            outcome,
        };
        proved.extend(outcomes.into_iter().map(proof));
    }
    Ok(proved)
}

/// Holds codes against the stored ones, where all of those are known.
async fn codes(test: &Test<'_>, meaning: &Meaning) -> Option<Outcome> {
    if meaning.values.is_empty() {
        return None;
    }
    let values = test.session.values().await;
    let same = |at: &ColumnRef| {
        at.table.eq_ignore_ascii_case(&meaning.at.table)
            && at.column.eq_ignore_ascii_case(&meaning.at.column)
    };
    let stored = values.iter().find(|list| list.complete && same(&list.at))?;
    let told = |value: &String| meaning.values.iter().any(|(code, _)| code == value);
    let unknown: Vec<&String> = stored.values.iter().filter(|value| !told(value)).collect();
    let unused: Vec<&String> = meaning
        .values
        .iter()
        .map(|(code, _)| code)
        .filter(|code| !stored.values.contains(code))
        .collect();
    if unknown.is_empty() && unused.is_empty() {
        let words = format!("all {} have a meaning", count(stored.values.len(), "stored value"));
        return Some(Outcome::Holds(words));
    }
    let mut parts = Vec::new();
    for (list, words) in [(&unknown, "stored, but not told"), (&unused, "told, but not stored")] {
        if !list.is_empty() {
            parts.push(format!("{words}: {}", some(list)));
        }
    }
    Some(Outcome::Doubt(parts.join("; ")))
}

fn some(values: &[&String]) -> String {
    let named: Vec<String> = values.iter().take(NAMED).map(|value| format!("'{value}'")).collect();
    let more = if values.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

/// Runs a query that counts what must not be.
async fn none_of(test: &Test<'_>, sql: &str, what: &str) -> Result<Outcome, SessionError> {
    Ok(match number(test, sql).await? {
        Ok(0) => Outcome::Holds("holds for every row".to_owned()),
        Ok(n) => {
            let (noun, rest) = what.split_once(' ').unwrap_or((what, ""));
            let rest = if n == 1 { rest.to_owned() } else { plural(rest) };
            Outcome::Failed(format!("{} {rest}", count(n, noun)))
        }
        Err(outcome) => outcome,
    })
}

fn plural(verb: &str) -> String {
    verb.replacen("stands", "stand", 1).replacen("is ", "are ", 1)
}

/// Runs a query of ours that gives one number.
async fn number(test: &Test<'_>, sql: &str) -> Result<Result<u64, Outcome>, SessionError> {
    let limits = Limits { max_rows: Some(1), ..test.limits };
    let rows = match test.session.database.probe(sql, limits).await {
        Ok(rows) => rows,
        // a look that takes too long proves nothing, either way
        Err(Trouble::Query(failure)) if failure.stage == Stage::Limit => {
            return Ok(Err(Outcome::Doubt("it could not be proved in the time given".to_owned())));
        }
        Err(trouble) => return failed(trouble).map(Err),
    };
    Ok(match rows.rows.first().and_then(|row| row.first()) {
        Some(Value::Integer(n)) => Ok(u64::try_from(*n).unwrap_or(0)),
        Some(_) | None => Err(Outcome::Failed("it gave no number".to_owned())),
    })
}

/// Counts combinations of values that stand more than once, up to a limit.
fn repeated_query(dialect: Dialect, columns: &[ColumnRef]) -> Option<String> {
    let table = quote_table(&columns.first()?.table, dialect);
    let names: Vec<String> = columns.iter().map(|at| quote(&at.column, dialect)).collect();
    let there: Vec<String> = names.iter().map(|name| format!("{name} IS NOT NULL")).collect();
    Some(format!(
        "SELECT COUNT(*) FROM (SELECT 1 FROM {table} WHERE {} GROUP BY {} HAVING COUNT(*) > 1 \
         LIMIT {LOOKED_AT}) AS repeated",
        there.join(" AND "),
        names.join(", ")
    ))
}

fn nulls_query(dialect: Dialect, at: &ColumnRef) -> String {
    let (table, column) = (quote_table(&at.table, dialect), quote(&at.column, dialect));
    format!(
        "SELECT COUNT(*) FROM (SELECT 1 FROM {table} WHERE {column} IS NULL LIMIT {LOOKED_AT}) AS missing"
    )
}

/// Counts rows that hold a key among the first ones; `partners`, those that have a partner.
fn rows_query(dialect: Dialect, many: &[ColumnRef], one: &[ColumnRef], partners: bool) -> String {
    let table = |columns: &[ColumnRef]| {
        columns.first().map_or(String::new(), |at| quote_table(&at.table, dialect))
    };
    let name = |at: &ColumnRef| quote(&at.column, dialect);
    let there: Vec<String> = many.iter().map(|at| format!("{} IS NOT NULL", name(at))).collect();
    let pairs: Vec<String> = many
        .iter()
        .zip(one)
        .map(|(many, one)| format!("o.{} = m.{}", name(one), name(many)))
        .collect();
    let condition = if partners {
        format!(" WHERE EXISTS (SELECT 1 FROM {} AS o WHERE {})", table(one), pairs.join(" AND "))
    } else {
        String::new()
    };
    format!(
        "SELECT COUNT(*) FROM (SELECT * FROM {} WHERE {} LIMIT {LOOKED_AT}) AS m{condition}",
        table(many),
        there.join(" AND ")
    )
}

fn names(columns: &[ColumnRef]) -> String {
    columns.iter().map(ColumnRef::to_string).collect::<Vec<_>>().join(", ")
}

fn arrow(hint: &JoinHint) -> String {
    format!("{} -> {}", names(&hint.from), names(&hint.to))
}
