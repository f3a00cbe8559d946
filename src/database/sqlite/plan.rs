//! The engine's plan of a statement, read from `EXPLAIN QUERY PLAN`; the statement itself isn't run.

use std::path::Path;

use super::super::Trouble;
use super::super::session::{Lane, Watch};
use super::verdict;
use crate::domain::engine_plan::{Access, EnginePlan, EngineStep};

/// Asks the engine how it would run a statement that it has proved to only read.
pub(super) fn plan(
    lane: &Lane,
    watch: &Watch,
    sql: &str,
    path: &Path,
) -> Result<EnginePlan, Trouble> {
    drop(verdict::prepare(lane, sql, path)?);
    let mut lines = Vec::new();
    let mut read = || -> rusqlite::Result<()> {
        let mut statement = lane.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            lines.push(Line { id: row.get(0)?, parent: row.get(1)?, words: row.get(3)? });
        }
        Ok(())
    };
    let time = std::time::Duration::ZERO;
    read().map_err(|error| verdict::broken_off(&error, watch, time, path))?;
    Ok(EnginePlan { steps: steps(&lines, 0), expected: None })
}

/// One row of the engine's answer.
struct Line {
    id: i64,
    parent: i64,
    words: String,
}

fn steps(lines: &[Line], parent: i64) -> Vec<EngineStep> {
    let own = lines.iter().filter(|line| line.parent == parent && line.id != parent);
    own.map(|line| EngineStep {
        words: line.words.clone(),
        access: access(&line.words),
        inside: steps(lines, line.id),
    })
    .collect()
}

/// Reads the engine's words: `SCAN b`, `SEARCH r USING INTEGER PRIMARY KEY (rowid=?)`, …
fn access(words: &str) -> Access {
    if let Some(rest) = words.strip_prefix("SCAN ").filter(|rest| *rest != "CONSTANT ROW") {
        let (relation, how) = rest.split_once(" USING ").unwrap_or((rest, ""));
        let index = how.rsplit_once("INDEX ").map(|(_, name)| name.to_owned());
        return Access::Scan { relation: relation.to_owned(), table: None, rows: None, index };
    }
    if let Some(rest) = words.strip_prefix("SEARCH ") {
        let (relation, how) = rest.split_once(" USING ").unwrap_or((rest, ""));
        let (how, by) = how.split_once(" (").unwrap_or((how, ""));
        let by = by.split(')').next().unwrap_or("").to_owned();
        let made = how.starts_with("AUTOMATIC");
        let index = how.rsplit_once("INDEX ").map(|(_, name)| name.to_owned());
        let relation = relation.to_owned();
        return Access::Search { relation, table: None, index, by, made };
    }
    match words.strip_prefix("USE TEMP B-TREE FOR ") {
        Some(what) => Access::Sort(what.to_owned()),
        None => Access::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_words_are_read() {
        let scan = access("SCAN b USING COVERING INDEX by_status");
        let Access::Scan { relation, index, .. } = scan else { unreachable!("a scan") };
        assert_eq!((relation.as_str(), index.as_deref()), ("b", Some("by_status")));
        let search = access("SEARCH r USING INTEGER PRIMARY KEY (rowid=?)");
        let Access::Search { index, by, made, .. } = search else { unreachable!("a search") };
        assert_eq!((index, by.as_str(), made), (None, "rowid=?", false));
        let made = access("SEARCH p USING AUTOMATIC COVERING INDEX (booking_id=?) LEFT-JOIN");
        let Access::Search { by, made, .. } = made else { unreachable!("a search") };
        assert_eq!((by.as_str(), made), ("booking_id=?", true));
        assert_eq!(access("USE TEMP B-TREE FOR ORDER BY"), Access::Sort("ORDER BY".into()));
        assert_eq!(access("SCAN CONSTANT ROW"), Access::Other);
    }

    #[test]
    fn steps_hang_under_their_parents() {
        let line = |id, parent, words: &str| Line { id, parent, words: words.to_owned() };
        let lines = [line(2, 0, "CO-ROUTINE t"), line(4, 2, "SCAN b"), line(9, 0, "SCAN t")];
        let steps = steps(&lines, 0);
        assert_eq!(steps.len(), 2);
        assert_eq!(steps.first().map(|step| step.inside.len()), Some(1));
    }
}
