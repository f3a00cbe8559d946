//! Every command, model, database, privacy level, theme and key map, found by a few of its letters.

use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::Privacy;
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::sense;
use super::super::theme::Role;
use super::super::update;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;
use super::palette_rows::{Choice, Row, Section, leaves, rows};

/// State of the list of commands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Palette {
    /// What narrows the list.
    pub filter: String,
    /// The row chosen.
    pub cursor: Cursor,
    /// The only part shown; none shows all.
    pub only: Option<Section>,
    /// The theme in force before others were looked at.
    before: Option<String>,
}

impl Palette {
    /// Makes a list of one part, the cursor on what is in force.
    pub fn of(app: &App, only: Section) -> Palette {
        let found = rows(app, "", Some(only)).iter().position(|row| row.note == "in use");
        let cursor = Cursor { at: found.unwrap_or(0), top: 0 };
        Palette { only: Some(only), cursor, ..Palette::default() }
    }
}

/// A line of the list: a heading, or a row by its number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Line {
    Heading(Section),
    Row(usize),
}

/// Puts headings between rows, where there is no filter and more than one part.
fn lines(palette: &Palette, rows: &[Row]) -> Vec<Line> {
    let headed = palette.filter.trim().is_empty() && palette.only.is_none();
    let mut lines = Vec::new();
    let mut section = None;
    for (n, row) in rows.iter().enumerate() {
        if headed && section != Some(row.section) {
            section = Some(row.section);
            lines.push(Line::Heading(row.section));
        }
        lines.push(Line::Row(n));
    }
    lines
}

/// Moves, takes the chosen row, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let height = height(app);
    let Some(Overlay::Palette(palette)) = &app.overlay else { return Vec::new() };
    let mut rows = rows(app, &palette.filter, palette.only);
    let (at, count) = (palette.cursor.at, rows.len());
    match action {
        Action::Open if at < count => return choose(app, rows.swap_remove(at)),
        Action::Open => {}
        Action::Cancel => {
            restore(app);
            app.overlay = None;
        }
        other => {
            let lines = lines(palette, &rows);
            let mut cursor = palette.cursor;
            if let Some(step) = Move::of(other, height) {
                let line = |at| lines.iter().position(|line| *line == Line::Row(at)).unwrap_or(0);
                super::go_headed(&mut cursor, step, (height, lines.len()), count, line);
            }
            if let Some(Overlay::Palette(palette)) = &mut app.overlay {
                palette.cursor = cursor;
            }
            preview(app);
        }
    }
    Vec::new()
}

/// Keeps the cursor in view, and shows the theme under it while it is chosen.
pub fn preview(app: &mut App) {
    settle(app);
    let Some(Overlay::Palette(palette)) = &app.overlay else { return };
    let rows = rows(app, &palette.filter, palette.only);
    let before = palette.before.clone();
    match rows.get(palette.cursor.at).map(|row| &row.choice) {
        Some(Choice::Theme(theme)) => {
            let current = app.theme.name.clone();
            if let Some(Overlay::Palette(palette)) = &mut app.overlay {
                palette.before = before.or(Some(current));
            }
            app.dress(theme);
        }
        Some(_) | None => restore(app),
    }
}

/// Returns the theme in use: while others are looked at, the one that was there before.
pub fn theme_in_use(app: &App) -> &str {
    match &app.overlay {
        Some(Overlay::Palette(Palette { before: Some(before), .. })) => before,
        Some(_) | None => &app.theme.name,
    }
}

/// Puts the theme back that was in force before others were looked at.
fn restore(app: &mut App) {
    let Some(Overlay::Palette(palette)) = &mut app.overlay else { return };
    if let Some(before) = palette.before.take() {
        app.dress(&before);
    }
}

/// Takes a row; one that makes no sense now says why, and the list stays.
fn choose(app: &mut App, row: Row) -> Vec<Effect> {
    if let (Some(why), Choice::Do(..)) = (row.why, &row.choice) {
        app.say(why, Tone::Trouble);
        return Vec::new();
    }
    app.overlay = None;
    if let Some(id) = row.choice.id() {
        app.kept.did(&id);
    }
    take(app, row.choice)
}

fn take(app: &mut App, choice: Choice) -> Vec<Effect> {
    match choice {
        Choice::Do(action, place) => {
            if let Some(pane) = sense::pane(place) {
                app.go(pane);
            }
            update::act(app, action)
        }
        Choice::Model(model) => {
            app.terms.model = Some(model);
            app.open()
        }
        Choice::Database(database) => {
            app.terms.database = Some(database);
            app.open()
        }
        Choice::Privacy(level) => {
            app.terms.privacy = Some(level);
            app.header.privacy = Some(level);
            let words = said(app, level);
            app.say(words, Tone::Done);
            Vec::new()
        }
        Choice::Theme(theme) => {
            app.choose_theme(&theme);
            Vec::new()
        }
        Choice::Keymap(name) => {
            app.choose_keys(&name);
            Vec::new()
        }
    }
}

/// Says what a level changes: what may leave, and to whom.
fn said(app: &App, level: Privacy) -> String {
    let name = level.name();
    if app.header.remote {
        format!("Privacy {name}: {} this machine, to {}.", leaves(level), app.header.model)
    } else {
        format!("Privacy {name}: {}; with {} nothing leaves.", leaves(level), app.header.model)
    }
}

fn area(body: Rect) -> Rect {
    super::place(body, 92, body.height.saturating_sub(4).clamp(5, 30))
}

/// Returns the lines that have room.
fn height(app: &App) -> usize {
    usize::from(super::inner(area(Layout::of(app).body)).height).saturating_sub(1)
}

/// Returns the first line shown, so that the cursor's row is in the window.
fn top(palette: &Palette, lines: &[Line], height: usize) -> usize {
    let at = lines.iter().position(|line| *line == Line::Row(palette.cursor.at)).unwrap_or(0);
    let above = at.checked_sub(1).and_then(|n| lines.get(n));
    let head = matches!(above, Some(Line::Heading(_)));
    super::scrolled(palette.cursor.top, at, head, height)
}

/// Keeps the window where it is drawn, so that nothing moves without need.
fn settle(app: &mut App) {
    let height = height(app);
    let Some(Overlay::Palette(palette)) = &app.overlay else { return };
    let lines = lines(palette, &rows(app, &palette.filter, palette.only));
    let top = top(palette, &lines, height);
    if let Some(Overlay::Palette(palette)) = &mut app.overlay {
        palette.cursor.top = top;
    }
}

/// Draws the list.
pub fn draw(app: &App, palette: &Palette, pen: &mut Pen<'_>, body: Rect) {
    let title = palette.only.map_or("Commands", Section::word);
    let inside = super::front(app, pen, area(body), title, Place::Palette);
    if inside.height < 2 {
        return;
    }
    let hint = match palette.only {
        None => "a command, model, database, theme; or a path",
        Some(Section::Databases) => "a database, or the path of one",
        Some(Section::Models) => "a model, or provider:name",
        Some(_) => "type to narrow",
    };
    super::filter_line(pen, inside, &palette.filter, hint);
    let rows = rows(app, &palette.filter, palette.only);
    let lines = lines(palette, &rows);
    let height = usize::from(inside.height - 1);
    if rows.is_empty() {
        pen.text(
            inside.x + 3,
            inside.y + 1,
            inside.width.saturating_sub(4),
            "Nothing fits.",
            Role::Dim,
        );
    }
    let top = top(palette, &lines, height);
    super::more(pen, inside, top, height, lines.len());
    let shown = lines.iter().skip(top).take(height);
    for (line, y) in shown.zip(inside.y + 1..) {
        match line {
            Line::Heading(section) => {
                pen.text(
                    inside.x + 1,
                    y,
                    inside.width.saturating_sub(2),
                    section.heading(),
                    Role::Accent,
                );
            }
            Line::Row(n) => {
                if let Some(row) = rows.get(*n) {
                    let line = Rect { y, height: 1, ..inside };
                    draw_row(pen, line, row, palette.filter.trim().is_empty());
                    if *n == palette.cursor.at {
                        pen.lay(line, Role::Cursor);
                    }
                }
            }
        }
    }
}

fn draw_row(pen: &mut Pen<'_>, line: Rect, row: &Row, headed: bool) {
    let (quiet, key) =
        if row.why.is_some() { (Role::Dim, Role::Dim) } else { (Role::Overlay, Role::Key) };
    let end = line.right().saturating_sub(1);
    let most = (line.width / 3).min(30);
    let commanded = matches!(row.choice, Choice::Do(..));
    let mut right =
        pen.text_right(end, line.y, most, &row.note, if commanded { key } else { Role::Dim });
    if !headed && line.width >= 70 {
        // words stay at the left, places in a column of their own
        let column = end.saturating_sub(31);
        let place = row.section.word();
        right = column.min(right);
        pen.text(
            column,
            line.y,
            end.saturating_sub(column + cols(row.note.chars().count()) + 1),
            place,
            Role::Dim,
        );
    }
    let x = line.x + 3;
    let room = right.saturating_sub(x + 1);
    let pieces = lit(pen, row, quiet);
    pen.pieces(x, line.y, room, &pieces);
}

/// Takes a row's words apart where the letters found begin and end.
fn lit(pen: &Pen<'_>, row: &Row, role: Role) -> Vec<(Shown, ratatui::style::Style)> {
    let mut pieces: Vec<(String, bool)> = Vec::new();
    for (n, letter) in (0u32..).zip(row.words.as_str().graphemes(true)) {
        let hit = row.hits.contains(&n);
        match pieces.last_mut().filter(|(_, lit)| *lit == hit) {
            Some((text, _)) => text.push_str(letter),
            None => pieces.push((letter.to_owned(), hit)),
        }
    }
    let dressed = pieces.into_iter().map(|(text, hit)| {
        let style =
            if hit { pen.style(role).patch(pen.style(Role::Match)) } else { pen.style(role) };
        (Shown::from(text), style)
    });
    dressed.collect()
}
