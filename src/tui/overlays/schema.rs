//! The schema browser: tables and their columns as a tree, found by typing, switched in and out.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::domain::{Catalog, ColumnRef, Table};
use crate::sql::dialect::{quote, quote_table};

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::{Layout, Pane};
use super::super::panes::context;
use super::super::widgets::list::{Cursor, Move};
use super::schema_search::{Names, Row};
use super::{Overlay, schema_view};

/// State of the browser.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Browser {
    /// What narrows the tree.
    pub filter: String,
    /// Letters go into the filter.
    pub typing: bool,
    /// The lines of the tree.
    pub rows: Vec<Row>,
    /// The line chosen.
    pub cursor: Cursor,
    /// Tables whose columns are shown while nothing narrows the tree.
    unfolded: BTreeSet<usize>,
    /// The table whose figures were asked for last.
    measuring: Option<String>,
    names: Arc<Names>,
}

impl Browser {
    /// Returns the row under the cursor.
    pub fn chosen(&self) -> Option<Row> {
        self.rows.get(self.cursor.at).copied()
    }

    /// Tells whether a table's columns are shown.
    pub fn is_unfolded(&self, table: usize) -> bool {
        self.unfolded.contains(&table)
    }

    /// Lists the rows anew; the cursor stays on its table or column where it is still there.
    fn list(&mut self, catalog: &Catalog) {
        let chosen = self.chosen();
        self.rows = self.names.find(&self.filter);
        if self.filter.trim().is_empty() {
            for (n, table) in catalog.tables.iter().enumerate() {
                self.rows.push(Row::Table(n));
                if self.unfolded.contains(&n) {
                    self.rows.extend((0..table.columns.len()).map(|m| Row::Column(n, m)));
                }
            }
        }
        let at = |row: Row| self.rows.iter().position(|one| *one == row);
        let place = chosen.and_then(|row| at(row).or_else(|| at(Row::Table(row.table()))));
        self.cursor.at = place.unwrap_or(0);
    }
}

/// Opens the browser, on the table under the context pane's cursor where there is one.
pub fn open(app: &mut App) {
    let mut browser = Browser { names: Arc::new(Names::of(&app.catalog)), ..Browser::default() };
    browser.list(&app.catalog);
    if context::lists_tables(app) && app.focus == Pane::Context {
        browser.cursor.at = app.context.cursor.at.min(browser.rows.len().saturating_sub(1));
    }
    app.overlay = Some(Overlay::Schema(browser));
    settle(app);
}

/// Reads the catalog anew, once it has changed.
pub fn renew(app: &mut App) {
    if let Some(Overlay::Schema(browser)) = &mut app.overlay {
        browser.names = Arc::new(Names::of(&app.catalog));
        browser.unfolded.clear();
        browser.list(&app.catalog);
    }
}

/// Narrows the tree to what is typed.
pub fn typed(app: &mut App) {
    if let Some(Overlay::Schema(browser)) = &mut app.overlay {
        browser.list(&app.catalog);
        if !browser.filter.is_empty() && browser.chosen().is_none() {
            browser.cursor.at = 0;
        }
    }
    settle(app);
}

fn settle(app: &mut App) {
    let height = schema_view::height(Layout::of(app).body);
    if let Some(Overlay::Schema(browser)) = &mut app.overlay {
        browser.cursor.settle(height, browser.rows.len());
    }
}

/// Asks once for figures of the table under the cursor, when its columns are seen.
pub fn settled(app: &mut App) -> Option<Effect> {
    let measured = &app.context.measured;
    let Some(Overlay::Schema(browser)) = &mut app.overlay else { return None };
    let row = browser.chosen()?;
    let seen = !browser.filter.trim().is_empty() || browser.is_unfolded(row.table());
    let name = &app.catalog.tables.get(row.table())?.name;
    if !seen || measured.contains_key(name) || browser.measuring.as_ref() == Some(name) {
        return None;
    }
    browser.measuring = Some(name.clone());
    Some(Effect::Measure(name.clone()))
}

/// Moves, narrows, folds, switches, previews, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = Layout::of(app).body;
    let height = schema_view::height(body);
    let Some(Overlay::Schema(browser)) = &mut app.overlay else { return Vec::new() };
    let count = browser.rows.len();
    if let Some(step) = Move::of(action, height) {
        browser.cursor.go(step, count);
    }
    match action {
        Action::Left => fold(app),
        Action::Right => unfold(app),
        Action::Find => browser.typing = true,
        Action::Open if browser.typing => browser.typing = false,
        Action::Open => return preview(app),
        Action::Switch => switch(app),
        Action::Copy => return copy(app),
        Action::Again => {
            app.overlay = None;
            return context::again(app);
        }
        Action::Cancel => cancel(app),
        _ => {}
    }
    settle(app);
    Vec::new()
}

/// Takes the filter away first, then closes.
fn cancel(app: &mut App) {
    let Some(Overlay::Schema(browser)) = &mut app.overlay else { return };
    if browser.typing || !browser.filter.is_empty() {
        browser.typing = false;
        let table = browser.chosen().map(Row::table);
        browser.filter.clear();
        browser.unfolded.extend(table);
        browser.list(&app.catalog);
    } else {
        app.overlay = None;
    }
}

fn fold(app: &mut App) {
    let Some(Overlay::Schema(browser)) = &mut app.overlay else { return };
    let Some(row) = browser.chosen() else { return };
    if let Row::Column(table, _) = row {
        let head = browser.rows.iter().position(|one| *one == Row::Table(table));
        browser.cursor.at = head.unwrap_or(browser.cursor.at);
    } else if browser.filter.trim().is_empty() && browser.unfolded.remove(&row.table()) {
        browser.list(&app.catalog);
    }
}

fn unfold(app: &mut App) {
    let Some(Overlay::Schema(browser)) = &mut app.overlay else { return };
    let Some(row) = browser.chosen() else { return };
    if browser.filter.trim().is_empty() && browser.unfolded.insert(row.table()) {
        browser.list(&app.catalog);
    } else if matches!(row, Row::Table(_)) {
        browser.cursor.go(Move::By(1), browser.rows.len());
    }
}

/// The table and, if one is chosen, the column under the cursor.
pub fn named(app: &App) -> Option<(&Table, Option<ColumnRef>)> {
    let Some(Overlay::Schema(browser)) = &app.overlay else { return None };
    let row = browser.chosen()?;
    let table = app.catalog.tables.get(row.table())?;
    let Row::Column(_, m) = row else { return Some((table, None)) };
    let column = table.columns.get(m)?;
    Some((table, Some(ColumnRef::new(&table.name, &column.name))))
}

fn switch(app: &mut App) {
    match named(app).map(|(table, column)| (table.name.clone(), column)) {
        Some((_, Some(column))) => context::switch_column(app, &column),
        Some((table, None)) => context::switch_table(app, &table),
        None => {}
    }
}

/// Shows the first rows of a table, or how often each value of a column comes.
fn preview(app: &mut App) -> Vec<Effect> {
    let Some((table, column)) = named(app) else { return Vec::new() };
    let written = |name: &str| quote(name, app.catalog.dialect);
    let from = quote_table(&table.name, app.catalog.dialect);
    let sql = match column {
        None => format!("SELECT * FROM {from}"),
        Some(at) => {
            let column = written(&at.column);
            format!(
                "SELECT {column}, COUNT(*) AS row_count\nFROM {from}\nGROUP BY {column}\n\
                 ORDER BY row_count DESC"
            )
        }
    };
    app.overlay = None;
    context::run_own(app, sql)
}

/// Copies a name as it is written in SQL.
fn copy(app: &mut App) -> Vec<Effect> {
    let Some((table, column)) = named(app) else { return Vec::new() };
    let written = |name: &str| quote_table(name, app.catalog.dialect);
    let name = match &column {
        None => written(&table.name),
        Some(at) => {
            format!("{}.{}", written(&at.table), quote(&at.column, app.catalog.dialect))
        }
    };
    app.say(format!("Copied {name}."), Tone::Done);
    vec![Effect::Copy(name)]
}
