//! The context pane's keys: switching components and tables, looking at texts, asking again.

use crate::domain::{Component, ComponentKind, Transcript};
use crate::sql::dialect;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Pane;
use super::super::overlays::Overlay;
use super::super::overlays::text::Whole;
use super::super::widgets::list::{Cursor, Move};

/// Tells whether tables are listed: asked for, or because there is no package yet.
pub fn lists_tables(app: &App) -> bool {
    app.context.tables || package(app).is_none()
}

/// Returns the package of the moment.
pub fn package(app: &App) -> Option<&crate::domain::ContextPackage> {
    app.run.as_ref()?.moment().package()
}

/// Counts the rows the cursor can be on.
pub fn rows(app: &App) -> usize {
    if lists_tables(app) {
        app.catalog.tables.len()
    } else {
        package(app).map_or(0, |package| package.components.len())
    }
}

fn component(app: &App) -> Option<&Component> {
    package(app)?.components.get(app.context.cursor.at)
}

fn table(app: &App) -> Option<&str> {
    app.catalog.tables.get(app.context.cursor.at).map(|table| table.name.as_str())
}

/// Tells whether a component will be in the next package, as far as it was switched.
pub fn switched(app: &App, kind: ComponentKind) -> Option<bool> {
    let switches = &app.context.switches;
    if switches.without.contains(&kind) {
        Some(false)
    } else {
        switches.with.contains(&kind).then_some(true)
    }
}

/// Tells whether a table will be in the next package, as far as it was switched.
pub fn table_switched(app: &App, name: &str) -> Option<bool> {
    let switches = &app.context.switches;
    if switches.without_tables.contains(name) {
        Some(false)
    } else {
        switches.with_tables.contains(name).then_some(true)
    }
}

/// Does an action in the context pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let count = rows(app);
    let screen = isize::try_from(app.inside(Pane::Context).height.max(2)).unwrap_or(10);
    let cursor = &mut app.context.cursor;
    match action {
        Action::Up => cursor.go(Move::By(-1), count),
        Action::Down => cursor.go(Move::By(1), count),
        Action::PageUp => cursor.go(Move::By(1 - screen), count),
        Action::PageDown => cursor.go(Move::By(screen - 1), count),
        Action::Top => cursor.go(Move::First, count),
        Action::Bottom => cursor.go(Move::Last, count),
        Action::Tables => {
            app.context.tables = !app.context.tables;
            app.context.cursor = Cursor::default();
        }
        Action::Switch if lists_tables(app) => switch_table(app),
        Action::Switch => switch(app),
        Action::Open if lists_tables(app) => return preview(app),
        Action::Open => open(app),
        Action::Again => return again(app),
        Action::Copy => {
            if let Some(text) = package(app).map(crate::domain::ContextPackage::text) {
                app.say(format!("Copied the package, {} bytes.", text.len()), Tone::Done);
                return vec![Effect::Copy(text)];
            }
        }
        _ => {}
    }
    Vec::new()
}

/// Turns a component's switch: against the rules, then back to them.
fn switch(app: &mut App) {
    let Some((kind, included)) = component(app).map(|c| (c.kind, c.included)) else { return };
    let switches = &mut app.context.switches;
    if switches.without.remove(&kind) || switches.with.remove(&kind) {
        return;
    }
    if included {
        switches.without.insert(kind);
    } else {
        switches.with.insert(kind);
    }
}

fn switch_table(app: &mut App) {
    let Some(name) = table(app).map(str::to_owned) else { return };
    let included = package(app).is_some_and(|package| package.tables.contains(&name));
    let switches = &mut app.context.switches;
    if switches.without_tables.remove(&name) || switches.with_tables.remove(&name) {
        return;
    }
    if included {
        switches.without_tables.insert(name);
    } else {
        switches.with_tables.insert(name);
    }
}

fn open(app: &mut App) {
    let Some(component) = component(app) else { return };
    let state = if component.included { "as sent" } else { "not sent" };
    let title = format!(
        "{} · {} tokens · {state} · {}",
        component.kind.name(),
        component.tokens,
        component.reason
    );
    let text = if component.text.is_empty() { "Nothing to say." } else { component.text.as_str() };
    app.overlay = Some(Overlay::Text(Whole::of(title, text)));
}

/// Runs `SELECT *` over the table under the cursor, as SQL of the person's own.
fn preview(app: &mut App) -> Vec<Effect> {
    let Some(name) = table(app) else { return Vec::new() };
    let sql = format!("SELECT * FROM {}", dialect::quote(name, app.catalog.dialect));
    app.sql.editor.set(&sql);
    app.sql.parent = None;
    let question = app.made("", Some(sql), None);
    app.go(Pane::Result);
    app.ask(question)
}

/// Asks the same question again with the switches, as a child of the run looked at.
fn again(app: &mut App) -> Vec<Effect> {
    let asked = app.run.as_ref().map(|run| (run.live.question.clone(), run.id().clone()));
    let Some((former, id)) = asked.filter(|(q, _)| q.sql.is_none() && !q.text.is_empty()) else {
        app.say("There is no question to ask again.", Tone::Trouble);
        return Vec::new();
    };
    let mut question = app.made(&former.text, None, Some(id));
    question.evidence = former.evidence;
    question.follows = former.follows;
    app.ask(question)
}

/// Counts what is switched by hand.
pub fn switches(app: &App) -> usize {
    let s = &app.context.switches;
    s.with.len() + s.without.len() + s.with_tables.len() + s.without_tables.len()
}

/// Lists grounded values of the newest package of a run.
pub fn values(run: &Transcript) -> &[String] {
    run.package().map_or(&[], |package| &package.values)
}
