//! An engine's verdict and plan of a statement, which isn't run.

use adbc_core::error::{Error, Status};
use adbc_core::options::{OptionStatement, OptionValue};
use adbc_core::{Optionable as _, Statement as _};

use super::super::super::Trouble;
use super::super::line::Seat;
use super::super::places;
use super::super::reading::collected;
use super::trouble;
use super::vendor::Vendor;
use crate::domain::engine_plan::{Access, EnginePlan, EngineStep};
use crate::domain::{Stage, Value};

/// Lets the engine prepare a statement, by asking for its columns: some drivers put preparing off
/// until a statement runs. One that can't tell them prepares it, or else tells its plan.
pub(super) fn prepare(seat: &mut Seat, sql: &str, vendor: Vendor) -> Result<(), Trouble> {
    let say = |error| trouble::say(&error, Stage::Prepare, sql);
    let mut statement = seat.statement().map_err(say)?;
    statement.set_sql_query(sql).map_err(say)?;
    let can = |error: &Error| error.status != Status::NotImplemented;
    match statement.execute_schema().map(drop) {
        Err(error) if can(&error) => return Err(say(error)),
        Ok(()) => return Ok(()),
        Err(_) => {}
    }
    match statement.prepare() {
        Ok(()) => Ok(()),
        Err(error) if error.status == Status::NotImplemented => {
            drop(statement);
            plan(seat, sql, vendor).map(drop)
        }
        Err(error) => Err(say(error)),
    }
}

/// Asks the engine how it would run a statement; one that can't tell gives a plan without steps.
pub(super) fn plan(seat: &mut Seat, sql: &str, vendor: Vendor) -> Result<EnginePlan, Trouble> {
    let first = places::first_word(sql).map_or("", |span| span.of(sql));
    let asked = if first.eq_ignore_ascii_case("explain") {
        sql.to_owned()
    } else {
        format!("{} {sql}", vendor.explain)
    };
    let rows = match told(seat, &asked) {
        Ok(rows) => rows,
        Err(error) if error.status == Status::NotImplemented => return Ok(EnginePlan::default()),
        Err(error) => {
            let before = asked.len() - sql.len();
            return Err(moved_back(trouble::say(&error, Stage::Prepare, &asked), before));
        }
    };
    let text = |row: Vec<Value>| match row.into_iter().next_back() {
        Some(Value::Text(text)) => Some(text),
        Some(_) | None => None,
    };
    let lines: Vec<String> = rows
        .into_iter()
        .filter_map(text)
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| !line.trim().is_empty())
        .collect();
    Ok(EnginePlan { steps: steps(&lines), expected: None })
}

/// Reads a plan; PostgreSQL's driver copies results out, and a plan can't be copied.
fn told(seat: &mut Seat, sql: &str) -> Result<Vec<Vec<Value>>, Error> {
    let mut statement = seat.statement()?;
    let copy = OptionStatement::Other("adbc.postgresql.use_copy".to_owned());
    // a driver of another engine doesn't know the option
    let _ = statement.set_option(copy, OptionValue::String("false".to_owned()));
    statement.set_sql_query(sql)?;
    collected(statement)
}

/// Hangs lines under the last one that is indented less.
fn steps(lines: &[String]) -> Vec<EngineStep> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut steps = Vec::new();
    let mut rest = lines;
    while let Some((first, more)) = rest.split_first() {
        let end = more.iter().position(|line| depth(line) <= depth(first)).unwrap_or(more.len());
        let (inside, after) = more.split_at(end);
        let words = first.trim().trim_start_matches("->").trim().to_owned();
        steps.push(EngineStep { access: access(&words), words, inside: self::steps(inside) });
        rest = after;
    }
    steps
}

/// Reads what several engines write of a table that is read whole.
fn access(words: &str) -> Access {
    let scanned = words.strip_prefix("Seq Scan on ").or_else(|| words.strip_prefix("SCAN "));
    match scanned.and_then(|rest| rest.split_whitespace().next()) {
        Some(table) => {
            Access::Scan { relation: table.to_owned(), table: None, rows: None, index: None }
        }
        None => Access::Other,
    }
}

/// Moves the places of a failure to where the text stood before words were put before it.
fn moved_back(trouble: Trouble, by: usize) -> Trouble {
    let Trouble::Query(mut failure) = trouble else { return trouble };
    for span in failure.diagnostics.iter_mut().filter_map(|found| found.span.as_mut()) {
        span.start = span.start.saturating_sub(by);
        span.end = span.end.saturating_sub(by);
    }
    Trouble::Query(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hang_under_those_indented_less() {
        let lines = ["Sort", "  ->  Seq Scan on rooms", "        Filter: (id > 1)", "Done"];
        let steps = steps(&lines.map(str::to_owned));
        assert_eq!(steps.len(), 2);
        let scan = steps.first().and_then(|step| step.inside.first()).expect("a step inside");
        assert_eq!((scan.words.as_str(), scan.inside.len()), ("Seq Scan on rooms", 1));
        assert!(matches!(&scan.access, Access::Scan { relation, .. } if relation == "rooms"));
    }
}
