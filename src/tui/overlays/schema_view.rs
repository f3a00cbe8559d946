//! Draws the schema browser: the tree, and beside it the keys and figures of what is chosen.

use ratatui::layout::Rect;

use crate::domain::counts::{count, grouped};
use crate::domain::schema::{RowCount, TableKind};
use crate::domain::{Column, ColumnRef, ColumnStats, Table};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::App;
use super::super::keymap::Place;
use super::super::panes::{context, switched};
use super::super::theme::Role;
use super::super::widgets::grid::cell;
use super::super::widgets::lines::{Line, styled, wrapped};
use super::super::widgets::pen::{Pen, cols};
use super::schema::{Browser, named};
use super::schema_keys;
use super::schema_search::{Row, letters};

/// Columns of the place beside the tree, and the width from which there is one.
const BESIDE: u16 = 52;
const WIDE: u16 = 120;
/// Lines of a narrow screen below the tree.
const BELOW: u16 = 2;

/// Returns the lines of the tree that fit.
pub fn height(body: Rect) -> usize {
    let below = if body.width >= WIDE { 0 } else { BELOW };
    usize::from(body.height.saturating_sub(3 + below))
}

/// Draws the browser.
pub fn draw(app: &App, browser: &Browser, pen: &mut Pen<'_>, body: Rect) {
    let place = if browser.typing { Place::Find } else { Place::Schema };
    let inside = super::front(app, pen, body, &title(app), place);
    if inside.height < 3 {
        return;
    }
    let wide = body.width >= WIDE;
    let tree = Rect {
        y: inside.y + 1,
        height: inside.height - 1,
        width: if wide { inside.width - BESIDE } else { inside.width },
        ..inside
    };
    find_line(app, browser, pen, inside, tree);
    super::more(pen, inside, browser.cursor.top, height(body), browser.rows.len());
    rows(app, browser, pen, tree, height(body));
    if wide {
        let x = tree.right();
        for y in tree.y..tree.bottom() {
            pen.text(x, y, 1, "│", Role::Border);
        }
        let area = Rect::new(x + 2, tree.y, BESIDE - 3, tree.height);
        beside(app, pen, area);
    } else if let Some((table, _)) = named(app) {
        below(app, pen, tree, table);
    }
}

fn title(app: &App) -> String {
    let tables = app.catalog.tables.len() as u64;
    let columns: usize = app.catalog.tables.iter().map(|table| table.columns.len()).sum();
    let switched = switched::count(app);
    let mut title =
        format!("Schema · {} · {}", count(tables, "table"), count(columns as u64, "column"));
    if switched > 0 {
        let key = app.keys.key_of(Action::Again);
        title = format!("{title} · {switched} switched, {key} asks again");
    }
    title
}

fn find_line(app: &App, browser: &Browser, pen: &mut Pen<'_>, inside: Rect, tree: Rect) {
    if browser.typing || !browser.filter.is_empty() {
        let hint = "a few letters of a table, a column, a comment";
        super::filter_line(pen, inside, &browser.filter, hint);
        let tables = browser.rows.iter().filter(|row| matches!(row, Row::Table(_))).count();
        let found = format!("{} found", count(tables as u64, "table"));
        pen.text_right(inside.right().saturating_sub(1), inside.y, 20, &found, Role::Dim);
        return;
    }
    let key = app.keys.key_of(Action::Find);
    let hint = format!("{key} finds tables, columns, comments");
    let end = pen.text(inside.x + 1, inside.y, inside.width.saturating_sub(2), &hint, Role::Dim);
    let places = Places::of(tree);
    if places.kind > end + 1 {
        pen.text(places.kind, inside.y, 9, "type", Role::Dim);
        pen.text(places.signs, inside.y, 8, "keys", Role::Dim);
        pen.text_right(places.nulls, inside.y, 5, "null", Role::Dim);
        pen.text_right(places.distinct, inside.y, 8, "distinct", Role::Dim);
        pen.text(places.rest, inside.y, 8, "values", Role::Dim);
    }
}

/// Where the columns of the tree stand: where left ones begin, where right ones end.
struct Places {
    kind: u16,
    signs: u16,
    nulls: u16,
    distinct: u16,
    rest: u16,
    /// Columns that a name may take.
    name: u16,
}

impl Places {
    fn of(tree: Rect) -> Self {
        let name = (tree.width / 3).clamp(12, 36);
        let kind = tree.x + 6 + name;
        let signs = kind + 10;
        let nulls = signs + 13;
        // on a narrow screen only the share of NULLs fits
        let distinct = nulls + if tree.width < 70 { 7 } else { 9 };
        Places { kind, signs, nulls, distinct, rest: distinct + 2, name }
    }
}

fn rows(app: &App, browser: &Browser, pen: &mut Pen<'_>, tree: Rect, height: usize) {
    if browser.rows.is_empty() {
        let words = if app.catalog.tables.is_empty() {
            "This database has no tables."
        } else {
            "No table, column or comment holds these letters."
        };
        pen.text(tree.x + 1, tree.y, tree.width.saturating_sub(2), words, Role::Dim);
        return;
    }
    let mut cursor = browser.cursor;
    cursor.settle(height, browser.rows.len());
    for (n, row) in browser.rows.iter().enumerate().skip(cursor.top).take(height) {
        let line = Rect::new(tree.x, tree.y + cols(n - cursor.top), tree.width, 1);
        let Some(table) = app.catalog.tables.get(row.table()) else { continue };
        match row {
            Row::Table(at) => draw_table(app, browser, pen, line, table, *at),
            Row::Column(_, m) => {
                if let Some(column) = table.columns.get(*m) {
                    draw_column(app, browser, pen, line, table, column);
                }
            }
        }
        if n == cursor.at {
            pen.lay(line, Role::Cursor);
        }
    }
}

fn draw_table(
    app: &App,
    browser: &Browser,
    pen: &mut Pen<'_>,
    row: Rect,
    table: &Table,
    at: usize,
) {
    let open = browser.is_unfolded(at) || !browser.filter.trim().is_empty();
    let (x, y) = (row.x, row.y);
    pen.text(x + 1, y, 1, if open { "▾" } else { "▸" }, Role::Dim);
    let (sign, role) = context::table_sign(app, &table.name);
    pen.text(x + 3, y, 1, sign, role);
    let places = Places::of(row);
    name(pen, x + 5, y, places.name, &table.name, &browser.filter);
    let rows = table.rows.map(RowCount::words).unwrap_or_default();
    pen.text_right(places.signs + 6, y, 16, &rows, Role::Dim);
    let kind = match table.kind {
        TableKind::Table => "",
        TableKind::View => "view  ",
        TableKind::Virtual => "virtual  ",
    };
    let comment = table.comment.as_deref().unwrap_or("");
    let words = format!("{kind}{}  {comment}", count(table.columns.len() as u64, "column"));
    let from = places.signs + 8;
    pen.text(from, y, row.right().saturating_sub(from + 1), words.trim_end(), Role::Dim);
}

fn draw_column(
    app: &App,
    browser: &Browser,
    pen: &mut Pen<'_>,
    row: Rect,
    table: &Table,
    column: &Column,
) {
    let (x, y) = (row.x, row.y);
    let at = ColumnRef::new(&table.name, &column.name);
    let (sign, role) = context::column_sign(app, &at);
    pen.text(x + 5, y, 1, sign, role);
    let places = Places::of(row);
    name(pen, x + 7, y, places.name.saturating_sub(2), &column.name, &browser.filter);
    pen.text(places.kind, y, 9, &column.data_type.to_lowercase(), Role::Dim);
    pen.text(places.signs, y, 8, &signs(app, table, column), Role::Accent);
    let figures = app.context.measured.get(&table.name);
    let stats = figures.and_then(|all| all.iter().find(|stats| stats.at == at));
    let mut from = places.rest;
    let end = row.right().saturating_sub(1);
    if let Some(stats) = stats {
        pen.text_right(places.nulls, y, 5, &nulls(stats), Role::Dim);
        pen.text_right(places.distinct, y, 8, &grouped(stats.distinct), Role::Dim);
        from = pen.text(from, y, end.saturating_sub(from), &examples(stats, 60), Role::Text) + 2;
    } else if row.width < WIDE / 2 + 10 {
        from = places.nulls.saturating_sub(4);
    }
    if let Some(comment) = &column.comment {
        pen.text(from, y, end.saturating_sub(from), comment, Role::Dim);
    }
}

/// Draws a name with the letters marked that were looked for.
fn name(pen: &mut Pen<'_>, x: u16, y: u16, most: u16, text: &str, filter: &str) {
    let shown = Shown::middle(text, usize::from(most));
    let style = pen.style(Role::Text);
    pen.put(x, y, most, &shown, style);
    if filter.trim().is_empty() {
        return;
    }
    let found = letters(shown.as_str(), filter);
    for (n, (at, c)) in shown.as_str().char_indices().enumerate() {
        let hit = u32::try_from(n).is_ok_and(|n| found.binary_search(&n).is_ok());
        if hit && c != '…' {
            let before = Shown::new(shown.as_str().get(..at).unwrap_or("")).width();
            pen.text(x + cols(before), y, most, c.encode_utf8(&mut [0; 4]), Role::Accent);
        }
    }
}

/// Writes what a column is: part of the primary key, of a foreign key, unique, NOT NULL.
fn signs(app: &App, table: &Table, column: &Column) -> String {
    let held = app.catalog.keys_of(&table.name).any(|key| {
        key.from_table.eq_ignore_ascii_case(&table.name)
            && key.from_columns.iter().any(|name| name.eq_ignore_ascii_case(&column.name))
    });
    let parts = [
        (column.primary, "PK"),
        (held, "FK"),
        (column.unique && !column.primary, "UQ"),
        (column.not_null && !column.primary, "NN"),
    ];
    let told: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, sign)| *sign).collect();
    told.join(" ")
}

/// Writes the share of NULLs: `0%`, `<1%`, `37%`.
fn nulls(stats: &ColumnStats) -> String {
    if !stats.known {
        return "?".to_owned();
    }
    match (stats.nulls * 100).checked_div(stats.rows_read) {
        None => "–".to_owned(),
        Some(0) if stats.nulls > 0 => "<1%".to_owned(),
        Some(share) => format!("{share}%"),
    }
}

/// Writes some of the values: the most frequent ones, else the range.
fn examples(stats: &ColumnStats, most: usize) -> String {
    if !stats.known {
        return "measuring took too long".to_owned();
    }
    let repeated = stats.top.iter().any(|(_, n)| *n > 1);
    if let (false, Some(min), Some(max)) = (repeated, &stats.min, &stats.max) {
        return format!("{} … {}", cell(min, most / 2), cell(max, most / 2));
    }
    let values: Vec<String> =
        stats.top.iter().map(|(value, _)| cell(value, most / 3).to_string()).collect();
    values.join(", ")
}

/// Draws the keys of the table under the cursor, then what is known of it or of its column.
fn beside(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let Some((table, column)) = named(app) else { return };
    let width = usize::from(area.width);
    let mut lines: Vec<Line> = Vec::new();
    let piece = |text: &str, role| (Shown::new(text), role);
    lines.push(vec![piece(&table.name, Role::TitleFocus)]);
    if let Some(comment) = &table.comment {
        lines.extend(wrapped(&vec![piece(comment, Role::Dim)], width));
    }
    lines.push(Line::new());
    let map = schema_keys::map(&app.catalog, &table.name, width);
    if map.is_empty() {
        lines.push(vec![piece("No key joins this table with another.", Role::Dim)]);
    } else {
        lines.push(vec![piece("joins    ── declared   ┄┄ inferred", Role::Dim)]);
        lines.extend(map);
    }
    lines.push(Line::new());
    match column.and_then(|at| Some((table.column(&at.column)?, at))) {
        Some((column, at)) => lines.extend(column_lines(app, table, column, &at, width)),
        None => lines.extend(table_lines(table, width)),
    }
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        let pieces = styled(pen, line);
        pen.pieces(area.x, y, area.width, &pieces);
    }
}

fn table_lines(table: &Table, width: usize) -> Vec<Line> {
    let mut told: Vec<String> = Vec::new();
    if !table.primary_key.is_empty() {
        told.push(format!("primary key  {}", table.primary_key.join(", ")));
    }
    told.extend(table.uniques.iter().map(|unique| format!("unique       {}", unique.join(", "))));
    told.extend(table.indexes.iter().map(|index| {
        let unique = if index.unique { ", unique" } else { "" };
        format!("index        {} ({}{unique})", index.name, index.columns.join(", "))
    }));
    told.extend(table.checks.iter().map(|check| format!("check        {check}")));
    told.into_iter()
        .flat_map(|line| wrapped(&vec![(Shown::from(line), Role::Dim)], width))
        .collect()
}

fn column_lines(
    app: &App,
    table: &Table,
    column: &Column,
    at: &ColumnRef,
    width: usize,
) -> Vec<Line> {
    let mut lines = vec![vec![
        (Shown::new(&column.name), Role::TitleFocus),
        (Shown::from(format!("  {}", column.data_type)), Role::Dim),
        (Shown::from(format!("  {}", signs(app, table, column))), Role::Accent),
    ]];
    let mut dim = |words: String| {
        lines.extend(wrapped(&vec![(Shown::from(words), Role::Dim)], width));
    };
    if let Some(comment) = &column.comment {
        dim(comment.clone());
    }
    if let Some(default) = &column.default {
        dim(format!("default  {default}"));
    }
    let measured = app.context.measured.get(&table.name);
    let Some(stats) = measured.and_then(|all| all.iter().find(|stats| stats.at == *at)) else {
        dim(if measured.is_some() { "Nothing was measured." } else { "measuring …" }.to_owned());
        return lines;
    };
    let all = if stats.complete { "" } else { "first " };
    dim(format!("read     {all}{}", count(stats.rows_read, "row")));
    dim(format!("null     {} ({})", grouped(stats.nulls), nulls(stats)));
    dim(format!("distinct {}", grouped(stats.distinct)));
    if let (Some(min), Some(max)) = (&stats.min, &stats.max) {
        dim(format!("range    {} … {}", cell(min, width / 3), cell(max, width / 3)));
    }
    for (n, (value, times)) in stats.top.iter().enumerate() {
        let label = if n == 0 { "top      " } else { "         " };
        lines.push(vec![
            (Shown::new(label), Role::Dim),
            (cell(value, 24).left(24), Role::Text),
            (Shown::from(format!("{:>10}", grouped(*times))), Role::Number),
        ]);
    }
    lines
}

/// Draws in two lines what stands beside the tree on a wide screen.
fn below(app: &App, pen: &mut Pen<'_>, tree: Rect, table: &Table) {
    let y = tree.bottom().saturating_sub(BELOW);
    let room = tree.width.saturating_sub(2);
    let across = Shown::from("─".repeat(usize::from(tree.width)));
    let style = pen.style(Role::Border);
    pen.put(tree.x, y, tree.width, &across, style);
    let words = format!("{}  {}", table.name, schema_keys::short(&app.catalog, &table.name));
    pen.text(tree.x + 1, y + 1, room, &words, Role::Text);
}
