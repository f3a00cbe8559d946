//! Draws the context pane: one line a component with its switch, tier, tokens, origin and reason;
//! below, the notes on the package.

use ratatui::layout::{Position, Rect};

use crate::domain::counts::{count, grouped};
use crate::domain::package::Source;
use crate::domain::schema::RowCount;
use crate::domain::{Component, ComponentKind, ContextPackage, Table};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Door};
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::bar;
use super::super::widgets::lines::styled;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::context;
use super::context_notes::{Note, notes};
use super::switched::{self, Next};

/// Columns of the bar of the whole package, in the title.
const TOTAL_BAR: u16 = 10;
/// Widths from which a line has a bar, an origin, a wide bar.
const WITH_BAR: u16 = 62;
const WITH_ORIGIN: u16 = 68;
const WIDE: u16 = 90;

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let package = context::package(app);
    let title = title(app, pen, package, area.width);
    let height = usize::from(area.height.saturating_sub(2));
    let unseen = super::unseen(pen, app.context.cursor.top, height, context::rows(app));
    let frame = super::frame(app, pen, Pane::Context, title, unseen);
    let inside = pen.frame(area, &frame);
    if inside.height == 0 {
        return None;
    }
    match package {
        Some(package) => components(app, pen, inside, package),
        None => tables(app, pen, inside),
    }
    None
}

fn title(app: &App, pen: &Pen<'_>, package: Option<&ContextPackage>, width: u16) -> Vec<Piece> {
    let mut hand = Vec::new();
    let (untold, by_hand) = (switched::count(app), app.context.switches.count());
    if untold > 0 && app.run.as_ref().is_some_and(|run| !run.live.packages.is_empty()) {
        let key = app.keys.key_of(Action::Again);
        hand.push(pen.piece(format!("· {untold} switched, {key} asks again"), Role::Accent));
    } else if by_hand > 0 {
        hand.push(pen.piece(format!("· {by_hand} by hand"), Role::Dim));
    }
    let Some(package) = package else {
        let mut pieces = vec![match &app.door {
            Door::Opening => pen.piece("opening", Role::Dim),
            Door::Shut(..) => pen.piece("no database", Role::Bad),
            Door::Open => pen.piece(count(app.catalog.tables.len(), "table"), Role::Dim),
        }];
        if !hand.is_empty() {
            pieces.push(pen.piece(" ", Role::Dim));
        }
        pieces.extend(hand);
        return pieces;
    };
    let wide = |pieces: &[Piece]| pieces.iter().map(|(text, _)| text.width()).sum::<usize>();
    let mut pieces = total(app, pen, package);
    // the border, the pane's name, and the bar itself
    let room = usize::from(width.saturating_sub(TOTAL_BAR + 24));
    if wide(&pieces) + wide(&hand) <= room {
        let bar = bar::text(TOTAL_BAR, package.tokens, package.budget);
        pieces.push(pen.piece("▕", Role::Border));
        pieces.push((Shown::from(bar).left(usize::from(TOTAL_BAR)), pen.style(Role::Bar)));
        pieces.push(pen.piece("▏", Role::Border));
    }
    if hand.is_empty() {
        let version: String = package.version.chars().take(6).collect();
        pieces.push(pen.piece(format!("· v {version}"), Role::Dim));
    }
    pieces.extend(hand);
    pieces
}

/// Says how much of the budget the package takes, and what asking again would.
fn total(app: &App, pen: &Pen<'_>, package: &ContextPackage) -> Vec<Piece> {
    let over = package.tokens > package.budget;
    let role = if over { Role::Warn } else { Role::Dim };
    let mut pieces = Vec::new();
    if context::preview(app).is_some() {
        pieces.push(pen.piece("would be told: ", Role::Accent));
    }
    pieces.push(pen.piece(about(package.tokens), role));
    if let Some(next) = context::would_be(app) {
        pieces.push(pen.piece(format!(" → {}", about(next)), Role::Accent));
    }
    pieces.push(pen.piece(format!(" of {} tokens ", grouped(u64::from(package.budget))), role));
    pieces
}

/// Writes tokens as what they are: our estimate.
pub fn about(tokens: u32) -> String {
    format!("~{}", grouped(u64::from(tokens)))
}

/// Tells whether a blank line parts components and notes: where all fits.
fn parted(components: usize, notes: usize, height: usize) -> bool {
    notes > 0 && components + 1 + notes <= height
}

/// Finds the line at a row of the pane.
pub fn line_at(app: &App, row: usize, height: usize) -> usize {
    let Some(package) = context::package(app) else { return app.context.cursor.top + row };
    let components = package.components.len();
    let blank = parted(components, notes(app, package).len(), height);
    if blank && row > components { row - 1 } else { app.context.cursor.top + row }
}

fn components(app: &App, pen: &mut Pen<'_>, inside: Rect, package: &ContextPackage) {
    let preview = context::preview(app).is_some();
    let before = app.run.as_ref().and_then(|run| run.packages().1).filter(|_| !preview);
    let most = package.components.iter().map(|c| c.tokens).max().unwrap_or(1);
    let whole = scale(package.budget, most);
    let height = usize::from(inside.height);
    let notes = notes(app, package);
    let all = package.components.len();
    let blank = parted(all, notes.len(), height);
    let top = app.context.cursor.top;
    for n in (top..all + notes.len()).take(height) {
        let down = n - top + usize::from(blank && n >= all);
        let row = Rect::new(inside.x, inside.y + cols(down), inside.width, 1);
        if let Some(component) = package.components.get(n) {
            let former = before.and_then(|p| p.component(component.kind));
            draw_component(app, pen, row, component, former, whole);
        } else if let Some(note) = notes.get(n - all) {
            draw_note(
                pen,
                row,
                note,
                n > all && notes.get(n - all - 1).is_some_and(|b| b.label == note.label),
            );
        }
        if n == app.context.cursor.at && app.focus == Pane::Context {
            pen.lay(row, Role::Cursor);
        }
    }
}

/// Finds what a whole bar stands for: the budget, or the half, quarter, eighth of it that still
/// holds the largest component, so that bars can be told apart.
fn scale(budget: u32, most: u32) -> u32 {
    let mut whole = budget.max(1);
    for _ in 0..4 {
        if most > whole / 2 {
            break;
        }
        whole /= 2;
    }
    whole.max(most)
}

fn draw_component(
    app: &App,
    pen: &mut Pen<'_>,
    row: Rect,
    component: &Component,
    former: Option<&Component>,
    whole: u32,
) {
    let (x, y) = (row.x, row.y);
    let switched = switched::component(app, component.kind);
    let (mark, role) = change(component, former);
    pen.text(x, y, 1, mark, role);
    let (sign, role) = match (component.included, switched) {
        (_, Some(_)) => ("◧", Role::Warn),
        (true, None) => ("■", Role::Accent),
        (false, None) => ("□", Role::Dim),
    };
    pen.text(x + 1, y, 1, sign, role);
    let (plain, tokens) = if component.included {
        (Role::Text, about(component.tokens))
    } else {
        (Role::Dim, "–".to_owned())
    };
    pen.text(x + 3, y, 13, component.kind.name(), plain);
    pen.text(x + 17, y, 6, component.tier.name(), Role::Dim);
    pen.text_right(x + 30, y, 6, &tokens, plain);
    let mut at = x + 31;
    if row.width >= WITH_BAR {
        let tokens = if component.included { component.tokens } else { 0 };
        let wide = if row.width >= WIDE { 16 } else { 8 };
        bar::draw(pen, at, y, wide, tokens, whole);
        at += wide + 1;
    }
    if row.width >= WITH_ORIGIN {
        pen.text(at, y, 9, origin(component.origin), Role::Dim);
        at += 10;
    }
    // where there is little room, the sign alone says that it is out
    let short = (WITH_ORIGIN..WIDE).contains(&row.width);
    let words = reason(component, switched, short);
    let role = if switched.is_some() { Role::Warn } else { Role::Dim };
    pen.text(at, y, row.right().saturating_sub(at + 1), &words, role);
}

/// Names where a component's content comes from.
pub fn origin(source: Source) -> &'static str {
    match source {
        Source::Schema => "catalog",
        Source::Knowledge => "knowledge",
        Source::Data => "data",
        Source::Memory => "memory",
    }
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

fn reason(component: &Component, switched: Option<Next>, short: bool) -> String {
    let mut words = match switched {
        Some(next) => next.words().to_owned(),
        None if component.included || short => component.reason.clone(),
        None if component.reason.starts_with("out") => component.reason.clone(),
        None => format!("out: {}", component.reason),
    };
    if component.kind == ComponentKind::Schema && switched.is_none() && !component.cut.is_empty() {
        words = format!("{words} · {} cut", component.cut.len());
    }
    words
}

fn draw_note(pen: &mut Pen<'_>, row: Rect, note: &Note, goes_on: bool) {
    let label = if goes_on { "" } else { note.label };
    let role = if label == "!" { Role::Warn } else { Role::Dim };
    pen.text(row.x + 3, row.y, 8, label, role);
    let pieces = styled(pen, &note.line);
    pen.pieces(row.x + 12, row.y, row.width.saturating_sub(13), &pieces);
}

fn tables(app: &App, pen: &mut Pen<'_>, inside: Rect) {
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
        let lines = Shown::new(what).wrap(usize::from(room));
        let hints = Shown::new(hint).wrap(usize::from(room));
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
        draw_table(app, pen, row, table);
        if n == app.context.cursor.at && app.focus == Pane::Context {
            pen.lay(row, Role::Cursor);
        }
    }
}

fn draw_table(app: &App, pen: &mut Pen<'_>, row: Rect, table: &Table) {
    let (sign, role) = context::table_sign(app, &table.name);
    let (x, y) = (row.x, row.y);
    pen.text(x + 1, y, 1, sign, role);
    let name = (row.width / 3).clamp(8, 26);
    let style = pen.style(Role::Text);
    pen.put(x + 3, y, name, &Shown::middle(&table.name, usize::from(name)), style);
    let rows = table.rows.map_or(String::new(), |rows| {
        let about = if rows.exact { "" } else { "~" };
        format!("{about}{}", grouped(rows.count))
    });
    let after = x + 3 + name;
    let end = pen.text_right(after + 11, y, 11, &rows, Role::Text) + cols(rows.chars().count());
    let noun = match table.rows {
        None => "",
        Some(RowCount { count: 1, .. }) => "row",
        Some(_) => "rows",
    };
    pen.text(end + 1, y, 5, noun, Role::Dim);
    let from = after + 18;
    let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    pen.text(from, y, row.right().saturating_sub(from + 1), &names.join(", "), Role::Dim);
}
