//! Two runs side by side: what differs in package, SQL and result, and what each cost. Pure.
//!
//! What belongs here: differences found between values, without a word about how they look. What must
//! never come: drawing, keys, reading runs from anywhere. To add a band: a file with its difference,
//! a field of `Comparison`, its rows in `rows.rs`.

pub mod package;
pub mod price;
pub mod result;
pub mod rows;
pub mod text;

use crate::domain::{Dialect, ResultId, Rows, Status, Transcript, Trust, Version};
use crate::sql::{layout, sameness};

use super::moment::RunView;

/// One of the two runs, as far as it is named above its column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Side {
    /// What the run is called here: `run 6`, `earlier run`.
    pub name: String,
    /// What was asked.
    pub question: String,
    /// How it ended; none while it goes on.
    pub status: Option<Status>,
    /// How far the answer can be trusted.
    pub trust: Option<Trust>,
    /// What the trust rests on, or what is open.
    pub reasons: Vec<String>,
}

/// How two texts of SQL differ.
#[derive(Debug, Clone, PartialEq)]
pub struct SqlChange {
    /// How much alike they are.
    pub alike: Alike,
    /// Their lines side by side.
    pub lines: Vec<text::Pair>,
}

/// How much alike two texts of SQL are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    /// Byte for byte.
    Same,
    /// But for layout, letter case and alias names.
    ButForLayout,
    /// They are two queries.
    Different,
}

/// Everything that differs between two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The run that came first.
    pub former: Side,
    /// The run that came after.
    pub later: Side,
    /// What was told.
    pub package: package::PackageChange,
    /// What was written; none where one of them wrote nothing.
    pub sql: Option<SqlChange>,
    /// What came back; else why it can't be compared.
    pub result: Result<result::RowChange, String>,
    /// What each cost.
    pub price: Vec<price::Figure>,
}

/// Compares two runs as they stand now.
pub fn compare(former: &RunView, later: &RunView, dialect: Dialect) -> Comparison {
    let (was, now) = (&former.live, &later.live);
    Comparison {
        former: side(was),
        later: side(now),
        package: package::compare(was, now),
        sql: sql(was, now, dialect),
        result: result(former, later),
        price: price::figures(was, now),
    }
}

fn side(run: &Transcript) -> Side {
    let answer = run.answer.as_ref();
    Side {
        name: String::new(),
        question: run.question.text.clone(),
        status: answer.map(|answer| answer.status),
        trust: answer.and_then(|answer| answer.trust),
        reasons: answer.map(|answer| answer.reasons.clone()).unwrap_or_default(),
    }
}

/// Returns the version that speaks for a run, with its attempt: the answer, else the last one.
pub(super) fn speaks(run: &Transcript) -> Option<(u32, usize, &Version)> {
    if let Some((n, at)) = run.answer.as_ref().and_then(|answer| answer.chosen)
        && let Some((_, version)) = run.chosen()
    {
        return Some((n, at, version));
    }
    let attempt = run.attempt()?;
    let at = attempt.versions.len().checked_sub(1)?;
    Some((attempt.n, at, attempt.versions.get(at)?))
}

/// Compares SQL as it is laid out for reading, so that a line break is no difference.
fn sql(was: &Transcript, now: &Transcript, dialect: Dialect) -> Option<SqlChange> {
    let (_, _, a) = speaks(was)?;
    let (_, _, b) = speaks(now)?;
    let alike = if a.sql == b.sql {
        Alike::Same
    } else if sameness::fingerprint(&a.sql, dialect) == sameness::fingerprint(&b.sql, dialect) {
        Alike::ButForLayout
    } else {
        Alike::Different
    };
    let (a, b) = (layout::layout(&a.sql, dialect), layout::layout(&b.sql, dialect));
    Some(SqlChange { alike, lines: text::pairs(&a, &b) })
}

fn result(former: &RunView, later: &RunView) -> Result<result::RowChange, String> {
    let (was, now) = match (rows(former), rows(later)) {
        (Some(was), Some(now)) => (was, now),
        (None, None) => return Err("Neither run has rows.".to_owned()),
        (None, Some(_)) => return Err("The former run has no rows.".to_owned()),
        (Some(_), None) => return Err("The later run has no rows.".to_owned()),
    };
    if was.rows.is_empty() && was.row_count > 0 || now.rows.is_empty() && now.row_count > 0 {
        return Err("Rows of a stored run were not kept, so only counts can be compared.".into());
    }
    Ok(result::compare(was, now))
}

/// Returns the rows of the version that speaks for a run.
fn rows(run: &RunView) -> Option<&Rows> {
    let (attempt, version, _) = speaks(&run.live)?;
    run.kept(&ResultId { run: run.id().clone(), attempt, version, view: 0 })
}
