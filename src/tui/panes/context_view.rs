//! Draws the context pane: one line a component with its switch, tier, tokens and reason; or tables.

use ratatui::layout::{Position, Rect};

use crate::domain::{Component, ComponentKind, ContextPackage, Table};

use super::super::app::{App, Door};
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::bar;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::context;
use super::steps::{count, grouped};

/// Columns of the bar.
const BAR: u16 = 12;

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let package = context::package(app);
    let title = title(app, pen, package);
    let height = usize::from(area.height.saturating_sub(2));
    let unseen = super::unseen(pen, app.context.cursor.top, height, context::rows(app));
    let frame = super::frame(app, pen, Pane::Context, title, unseen);
    let inside = pen.frame(area, &frame);
    if inside.height == 0 {
        return None;
    }
    match package {
        Some(package) if !app.context.tables => components(app, pen, inside, package),
        Some(_) | None => tables(app, pen, inside, package),
    }
    None
}

fn title(app: &App, pen: &Pen<'_>, package: Option<&ContextPackage>) -> Vec<Piece> {
    let switched = context::switches(app);
    let mut pieces = match package {
        Some(package) => {
            let over = package.tokens > package.budget;
            let used = format!(
                "{} of {} tokens",
                grouped(u64::from(package.tokens)),
                grouped(u64::from(package.budget))
            );
            let version: String = package.version.chars().take(6).collect();
            vec![
                pen.piece(used, if over { Role::Warn } else { Role::Dim }),
                pen.piece(format!(" · v {version}"), Role::Dim),
            ]
        }
        None => match &app.door {
            Door::Opening => vec![pen.piece("opening", Role::Dim)],
            Door::Shut(..) => vec![pen.piece("no database", Role::Bad)],
            Door::Open => {
                vec![pen.piece(count(app.catalog.tables.len() as u64, "table"), Role::Dim)]
            }
        },
    };
    if switched > 0 {
        let key = app.keys.key_of(super::super::action::Action::Again);
        pieces.push(pen.piece(format!(" · {switched} switched, {key} asks again"), Role::Accent));
    }
    pieces
}

fn components(app: &App, pen: &mut Pen<'_>, inside: Rect, package: &ContextPackage) {
    let before = app.run.as_ref().and_then(|run| run.packages().1);
    let most = package.components.iter().map(|c| c.tokens).max().unwrap_or(1);
    let height = usize::from(inside.height);
    let top = app.context.cursor.top;
    let mut y = inside.y;
    for (n, component) in package.components.iter().enumerate().skip(top).take(height) {
        let former = before.and_then(|p| p.component(component.kind));
        let row = Rect::new(inside.x, y, inside.width, 1);
        draw_component(app, pen, row, component, former, most);
        if n == app.context.cursor.at && app.focus == Pane::Context {
            pen.lay(row, Role::Cursor);
        }
        y += 1;
    }
    // a blank line where there is room for it
    let below = usize::from(inside.bottom().saturating_sub(y));
    let mut lines = notes(app, pen, package);
    if below > lines.len() {
        y += 1;
    }
    for (pieces, _) in lines.drain(..).zip(y..inside.bottom()) {
        pen.pieces(inside.x + 3, y, inside.width.saturating_sub(4), &pieces);
        y += 1;
    }
}

fn draw_component(
    app: &App,
    pen: &mut Pen<'_>,
    row: Rect,
    component: &Component,
    former: Option<&Component>,
    most: u32,
) {
    let (x, y) = (row.x, row.y);
    let switched = context::switched(app, component.kind);
    let included = switched.unwrap_or(component.included);
    let (sign, role) = match (included, switched) {
        (true, None) => ("■", Role::Accent),
        (false, None) => ("□", Role::Dim),
        (true, Some(_)) => ("▣", Role::Warn),
        (false, Some(_)) => ("▢", Role::Warn),
    };
    pen.text(x + 1, y, 1, sign, role);
    let name = if component.included { Role::Text } else { Role::Dim };
    pen.text(x + 3, y, 14, component.kind.name(), name);
    pen.text(x + 18, y, 7, component.tier.name(), Role::Dim);
    let tokens =
        if component.included { grouped(u64::from(component.tokens)) } else { "–".into() };
    pen.text_right(x + 30, y, 6, &tokens, if component.included { Role::Text } else { Role::Dim });
    let mut at = x + 31;
    if row.width > 64 {
        let tokens = if component.included { component.tokens } else { 0 };
        bar::draw(pen, at, y, BAR, tokens, most);
        at += BAR + 1;
    }
    let (mark, role) = change(component, former);
    pen.text(at, y, 1, mark, role);
    let words = reason(component, switched);
    pen.text(at + 2, y, row.right().saturating_sub(at + 3), &words, Role::Dim);
}

/// Marks what differs from the package before.
fn change(component: &Component, former: Option<&Component>) -> (&'static str, Role) {
    match former {
        Some(former) if component.included && !former.included => ("+", Role::Good),
        Some(former) if !component.included && former.included => ("−", Role::Warn),
        Some(former) if component.included && component.text != former.text => ("~", Role::Changed),
        Some(_) | None => (" ", Role::Dim),
    }
}

fn reason(component: &Component, switched: Option<bool>) -> String {
    let mut words = match switched {
        Some(true) => "in at the next asking".to_owned(),
        Some(false) => "out at the next asking".to_owned(),
        None if component.included => component.reason.clone(),
        None if component.reason.starts_with("out") => component.reason.clone(),
        None => format!("out: {}", component.reason),
    };
    if component.kind == ComponentKind::Schema && switched.is_none() && !component.cut.is_empty() {
        words = format!("{words}; {} cut", component.cut.len());
    }
    words
}

/// Makes the lines below the components: values, tables, warnings.
fn notes(app: &App, pen: &Pen<'_>, package: &ContextPackage) -> Vec<Vec<Piece>> {
    let mut lines = Vec::new();
    for (n, value) in package.values.iter().take(3).enumerate() {
        let label = if n == 0 { "values   " } else { "         " };
        lines.push(vec![pen.piece(label, Role::Dim), pen.piece(value, Role::Text)]);
    }
    if let Some(more) = package.values.len().checked_sub(4) {
        let words = format!("         and {}", count(more as u64 + 1, "more value"));
        lines.push(vec![pen.piece(words, Role::Dim)]);
    }
    let mut tables = vec![pen.piece("tables   ", Role::Dim)];
    let known = app.catalog.tables.iter().map(|t| t.name.as_str());
    let names: Vec<&str> = if app.catalog.tables.is_empty() {
        package.tables.iter().map(String::as_str).collect()
    } else {
        known.collect()
    };
    // those that are in stand first
    let (inside, outside): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| package.tables.iter().any(|t| t == name));
    for (names, sign, role) in [(inside, "●", Role::Text), (outside, "○", Role::Dim)] {
        for name in names {
            tables.push(pen.piece(format!("{name} {sign}  "), role));
        }
    }
    lines.push(tables);
    for warning in &package.warnings {
        lines.push(vec![pen.piece("!        ", Role::Warn), pen.piece(warning, Role::Text)]);
    }
    lines
}

fn tables(app: &App, pen: &mut Pen<'_>, inside: Rect, package: Option<&ContextPackage>) {
    let room = inside.width.saturating_sub(2);
    let words = match &app.door {
        Door::Opening if app.catalog.tables.is_empty() => Some(("Opening the database …", "")),
        Door::Shut(what, hint) => Some((what.as_str(), hint.as_str())),
        Door::Open if app.catalog.tables.is_empty() => {
            Some(("This database has no tables.", "Ctrl-P opens another one."))
        }
        Door::Opening | Door::Open => None,
    };
    if let Some((what, hint)) = words {
        let role = if matches!(app.door, Door::Shut(..)) { Role::Bad } else { Role::Dim };
        let lines = crate::shown::Shown::new(what).wrap(usize::from(room));
        let hints = crate::shown::Shown::new(hint).wrap(usize::from(room));
        let all = lines.iter().map(|l| (l, role)).chain(hints.iter().map(|l| (l, Role::Text)));
        for ((line, role), y) in all.zip(inside.y..inside.bottom()) {
            let style = pen.style(role);
            pen.put(inside.x + 1, y, room, line, style);
        }
        return;
    }
    let height = usize::from(inside.height);
    let top = app.context.cursor.top;
    for (n, table) in app.catalog.tables.iter().enumerate().skip(top).take(height) {
        let row = Rect::new(inside.x, inside.y + cols(n - top), inside.width, 1);
        draw_table(app, pen, row, table, package);
        if n == app.context.cursor.at && app.focus == Pane::Context {
            pen.lay(row, Role::Cursor);
        }
    }
}

fn draw_table(
    app: &App,
    pen: &mut Pen<'_>,
    row: Rect,
    table: &Table,
    package: Option<&ContextPackage>,
) {
    let included = package.map(|p| p.tables.contains(&table.name));
    let switched = context::table_switched(app, &table.name);
    let (sign, role) = match (switched, included) {
        (Some(true), _) => ("◉", Role::Warn),
        (Some(false), _) => ("◌", Role::Warn),
        (None, Some(true)) => ("●", Role::Accent),
        (None, Some(false)) => ("○", Role::Dim),
        (None, None) => ("·", Role::Dim),
    };
    let (x, y) = (row.x, row.y);
    pen.text(x + 1, y, 1, sign, role);
    let name = (row.width / 3).clamp(8, 26);
    pen.text(x + 3, y, name, &table.name, Role::Text);
    let rows = table.rows.map_or(String::new(), |rows| {
        let about = if rows.exact { "" } else { "~" };
        format!("{about}{}", grouped(rows.count))
    });
    let after = x + 3 + name;
    let end = pen.text_right(after + 11, y, 11, &rows, Role::Text) + cols(rows.chars().count());
    pen.text(end + 1, y, 5, if rows.is_empty() { "" } else { "rows" }, Role::Dim);
    let from = after + 18;
    let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    pen.text(from, y, row.right().saturating_sub(from + 1), &names.join(", "), Role::Dim);
}
