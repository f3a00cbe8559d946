//! What is said of a version as a whole: errors without a place, findings, the repair, the reading
//! in words, the plan. It stands below the SQL, or beside it where that shows more.

use crate::domain::Attempt;
use crate::shown::{Shown, in_one_line};

use super::super::app::App;
use super::super::theme::Role;
use super::super::widgets::pen::cols;
use super::sql::GUTTER;
use super::sql_page::{Page, sign};
use super::sql_rows::{self, Row};
use super::{sql_diff, sql_words};

/// Fewest columns that notes beside the SQL are read in.
const BESIDE: u16 = 34;

/// Most columns that they take.
const BESIDE_AT_MOST: u16 = 64;

/// Rows of notes beside the SQL that are scrolled at most.
const SCROLLED: usize = 3;

/// Columns that the SQL keeps beside notes.
const SQL_KEEPS: u16 = 44;

/// The rows of a page as they stand in the pane.
pub struct Arranged {
    /// Rows that scroll: the SQL, and the notes where they stand below.
    pub rows: Vec<Row>,
    /// Rows beside the SQL, and the columns from which they stand.
    pub beside: Option<(u16, Vec<Row>)>,
}

impl Arranged {
    /// Counts the rows that scroll: those of the longer side.
    pub fn count(&self) -> usize {
        self.rows.len().max(self.beside.as_ref().map_or(0, |(_, rows)| rows.len()))
    }
}

/// Arranges a page in a pane of this size.
pub fn arranged(app: &App, page: &Page<'_>, width: u16, height: u16) -> Arranged {
    let code = |width: u16| code(app, page, width);
    let mut rows = code(width);
    let below = notes(app, page, width);
    let fits = rows.len() + 1 + below.len() <= usize::from(height);
    if !fits && let Some(from) = split(page, width) {
        let (code, beside) = (code(from - 1), notes(app, page, width - from));
        // a little to scroll beside shows more than all of it below
        if beside.len() <= usize::from(height).max(code.len()) + SCROLLED {
            return Arranged { rows: code, beside: Some((from, beside)) };
        }
    }
    if !below.is_empty() {
        rows.push(Row::Words(0, Vec::new()));
    }
    rows.extend(below);
    Arranged { rows, beside: None }
}

/// Returns the rows that the run's longest SQL takes with what is said of its places; none while
/// SQL is typed or none was written.
///
/// The same for all versions, so that looking at another one moves no border.
pub fn wanted(app: &App) -> Option<u16> {
    /// Longer SQL than this is scrolled on any screen.
    const MOST: usize = 100;
    if app.showing_editor() {
        return None;
    }
    let attempts = &app.run.as_ref()?.live.attempts;
    let versions = attempts.iter().flat_map(|attempt| &attempt.versions);
    let rows = versions.map(|version| version.sql.lines().take(MOST).count()).max()?;
    // what is said of the newest one stands under its places
    let newest = attempts.last().map(Attempt::last);
    let wrong = newest.and_then(|version| version.failure.as_ref());
    let said = wrong.map_or(0, |failure| failure.diagnostics.len())
        + newest.map_or(0, |version| version.findings.len());
    Some(cols((rows + 2 * said).clamp(3, MOST)))
}

fn code(app: &App, page: &Page<'_>, width: u16) -> Vec<Row> {
    let room = usize::from(width.saturating_sub(GUTTER + 1));
    let diff = app.sql.diff.then(|| sql_diff::rows(app, page, room)).flatten();
    diff.unwrap_or_else(|| sql_rows::rows(page, width))
}

/// Returns the column where notes beside the SQL would begin, if there is room for both.
fn split(page: &Page<'_>, width: u16) -> Option<u16> {
    let longest = page.sql.split('\n').map(|line| line.chars().take(200).count()).max();
    let said = if page.marks.is_empty() { 0 } else { 60 };
    let code = (cols(longest.unwrap_or(0)) + GUTTER + 2).max(SQL_KEEPS).max(said);
    let least = width.saturating_sub(BESIDE_AT_MOST);
    let from = code.min(width.saturating_sub(BESIDE)).max(least);
    (from >= SQL_KEEPS.max(said) && from + BESIDE <= width).then_some(from)
}

/// Lists the notes of a page at a width.
fn notes(app: &App, page: &Page<'_>, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    let version = page.version;
    let wrong = version.failure.iter().flat_map(|failure| &failure.diagnostics);
    for diagnostic in wrong.filter(|d| d.span.is_none()) {
        labelled(&mut rows, "✗", Role::Bad, &diagnostic.message, width);
    }
    for finding in version.findings.iter().filter(|finding| finding.span.is_none()) {
        let (sign, role) = sign(finding.severity);
        labelled(&mut rows, sign, role, &finding.message, width);
    }
    if let Some(repair) = &version.repair {
        let words = format!("{} → {}, {}", repair.from, repair.to, repair.evidence);
        labelled(&mut rows, "mended:", Role::Changed, &words, width);
    }
    let run = app.run.as_ref();
    let chosen = run.and_then(|run| run.live.answer.as_ref()).and_then(|a| a.chosen);
    let told = run.and_then(|run| run.live.english.clone());
    let english = told.filter(|_| chosen == Some((page.attempt.n, page.at)));
    let read = Some(&app.sql.reading).filter(|(of, _)| *of == version.sql);
    let reading = english.or_else(|| read.map(|(_, words)| words.clone())).unwrap_or_default();
    if !reading.is_empty() {
        labelled(&mut rows, "reads:", Role::Dim, &reading, width);
    }
    if let Some(plan) = &page.attempt.plan {
        labelled(&mut rows, "plan:", Role::Dim, &sql_words::plan(plan), width);
    }
    rows
}

fn labelled(rows: &mut Vec<Row>, label: &str, role: Role, words: &str, width: u16) {
    let wide = if label.chars().count() > 1 { 8 } else { 2 };
    let room = usize::from(width).saturating_sub(wide + 3);
    let mut label = Some(label);
    for part in Shown::new(&in_one_line(words)).wrap(room) {
        let head = Shown::from(label.take().unwrap_or(""));
        let pad = Shown::from(" ".repeat(wide.saturating_sub(head.width())));
        rows.push(Row::Words(1, vec![(head, role), (pad, Role::Text), (part, Role::Text)]));
    }
}
