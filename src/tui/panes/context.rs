//! The context pane's keys: switching components, looking into them, asking again.

use crate::domain::counts::count;
use crate::domain::package::Form;
use crate::domain::{ColumnRef, Component, ContextPackage, Question, Switches};
use crate::sql::dialect;

use super::super::action::Action;
use super::super::app::{App, Door, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Pane;
use super::super::overlays::text::Whole;
use super::super::overlays::{Overlay, component, schema};
use super::super::theme::Role;
use super::super::widgets::list::Move;
use super::context_notes;
use super::switched::{self, Next};

/// Tells whether tables are listed, because there is no package yet.
pub fn lists_tables(app: &App) -> bool {
    package(app).is_none()
}

/// Returns the package of the moment; while a new question is typed, the one it would get.
pub fn package(app: &App) -> Option<&ContextPackage> {
    preview(app).or_else(|| app.run.as_ref()?.moment().package())
}

/// Returns the package that the question being typed would get.
pub fn preview(app: &App) -> Option<&ContextPackage> {
    let preview = app.context.preview.as_ref()?;
    (typed_anew(app) && !preview.of.0.is_empty()).then_some(&preview.package)
}

/// Returns the tokens that asking again with the switches would tell.
pub fn would_be(app: &App) -> Option<u32> {
    let preview = app.context.preview.as_ref().filter(|_| !typed_anew(app))?;
    (wanted(app).as_ref() == Some(&preview.of)).then_some(preview.package.tokens)
}

/// Tells whether a question is being typed that wasn't asked yet, with nothing else to look at.
fn typed_anew(app: &App) -> bool {
    let text = app.question.editor.as_str();
    let free = app.run.as_ref().is_none_or(|run| !run.running && run.cursor.is_none());
    free && !text.trim().is_empty() && text.trim() != app.question.asked
}

/// Returns question and switches whose package should be known: those being typed, or those of the
/// run looked at with other switches.
fn wanted(app: &App) -> Option<(String, Switches)> {
    let switches = &app.context.switches;
    if app.door != Door::Open {
        return None;
    }
    if typed_anew(app) {
        return Some((app.question.editor.text().trim().to_owned(), switches.clone()));
    }
    let run = app.run.as_ref().filter(|run| !run.running && run.cursor.is_none())?;
    let asked = &run.live.question;
    let other = asked.sql.is_none() && !asked.text.is_empty() && asked.switches != *switches;
    other.then(|| (asked.text.clone(), switches.clone()))
}

/// Asks for the package of what is typed or switched, each once; it comes when typing pauses.
pub fn settle(app: &mut App, seen: bool) -> Option<Effect> {
    let wanted = wanted(app).filter(|_| seen);
    if wanted == app.context.asked_for {
        return None;
    }
    app.context.asked_for.clone_from(&wanted);
    let Some((text, _)) = wanted else {
        app.context.preview = None;
        return None;
    };
    let question = match app.run.as_ref().filter(|run| run.live.question.text == text) {
        Some(run) => Question { parent: None, ..run.live.question.clone() },
        None => app.made(&text, None, None),
    };
    let switches = app.context.switches.clone();
    Some(Effect::Preview(Box::new(Question { switches, ..question })))
}

/// Counts the lines the cursor can be on.
pub fn rows(app: &App) -> usize {
    match package(app) {
        None => app.catalog.tables.len(),
        Some(package) => package.components.len() + context_notes::notes(app, package).len(),
    }
}

fn component(app: &App) -> Option<&Component> {
    package(app)?.components.get(app.context.cursor.at)
}

fn table(app: &App) -> Option<&str> {
    app.catalog.tables.get(app.context.cursor.at).map(|table| table.name.as_str())
}

/// Returns the sign of a table: in, out, switched by hand, or not known yet.
pub fn table_sign(app: &App, name: &str) -> (&'static str, Role) {
    let included = package(app).map(|package| package.tables.iter().any(|t| t == name));
    sign(switched::table(app, name), included)
}

/// Returns the sign of a column.
pub fn column_sign(app: &App, at: &ColumnRef) -> (&'static str, Role) {
    sign(switched::column(app, at), column_told(app, at))
}

fn sign(next: Option<Next>, included: Option<bool>) -> (&'static str, Role) {
    match (next, included) {
        (Some(Next::In), _) => ("◉", Role::Warn),
        (Some(Next::Out), _) => ("◌", Role::Warn),
        (Some(Next::ByRules), _) => ("◍", Role::Warn),
        (None, Some(true)) => ("●", Role::Accent),
        (None, Some(false)) => ("○", Role::Dim),
        (None, None) => ("·", Role::Dim),
    }
}

fn column_told(app: &App, at: &ColumnRef) -> Option<bool> {
    let package = package(app)?;
    let is = |name: &String| {
        let rest = name.strip_prefix(at.table.as_str()).and_then(|rest| rest.strip_prefix('.'));
        rest == Some(at.column.as_str())
    };
    Some(package.columns.iter().any(is))
}

/// Does an action in the context pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let lines = rows(app);
    let height = usize::from(app.inside(Pane::Context).height);
    if let Some(step) = Move::of(action, height) {
        app.context.cursor.go(step, lines);
        return Vec::new();
    }
    match action {
        Action::Switch if lists_tables(app) => {
            if let Some(name) = table(app).map(str::to_owned) {
                switch_table(app, &name);
            }
        }
        Action::Switch => switch(app),
        Action::Open if lists_tables(app) => return preview_table(app),
        Action::Open => open(app),
        Action::Again => return again(app),
        Action::Form => choose_form(app),
        Action::Copy => {
            if let Some(text) = package(app).map(ContextPackage::text) {
                app.say(format!("Copied the package, {}.", count(text.len(), "byte")), Tone::Done);
                return vec![Effect::Copy(text)];
            }
        }
        _ => {}
    }
    Vec::new()
}

/// Turns the switch of the component under the cursor: against the rules, then back to them.
pub fn switch(app: &mut App) {
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

/// Returns the form of the next asking.
pub fn form(app: &App) -> Form {
    app.context.switches.form.unwrap_or(app.config.options.form)
}

/// Chooses the next form for the next asking.
pub fn choose_form(app: &mut App) {
    let next = form(app).next();
    app.context.switches.form = (next != app.config.options.form).then_some(next);
    app.say(format!("The next asking tells {}.", described(next)), Tone::Done);
}

/// Says what a form tells.
pub fn described(form: Form) -> &'static str {
    match form {
        Form::Text => "text: headed sections",
        Form::Toon => "TOON: the same as rows of fields",
        Form::Skeleton => "a skeleton: tables and keys only",
    }
}

/// Turns the switch of a table: against the rules, then back to them.
pub fn switch_table(app: &mut App, name: &str) {
    let included = package(app).is_some_and(|package| package.tables.iter().any(|t| t == name));
    let switches = &mut app.context.switches;
    if switches.without_tables.remove(name) || switches.with_tables.remove(name) {
        return;
    }
    if included {
        switches.without_tables.insert(name.to_owned());
    } else {
        switches.with_tables.insert(name.to_owned());
    }
}

/// Turns the switch of a column; a key that goes out takes its joins along, which is said.
pub fn switch_column(app: &mut App, at: &ColumnRef) {
    let included = column_told(app, at).unwrap_or(true);
    let switches = &mut app.context.switches;
    if switches.without_columns.remove(at) || switches.with_columns.remove(at) {
        return;
    }
    if !included {
        switches.with_columns.insert(at.clone());
        return;
    }
    switches.without_columns.insert(at.clone());
    let names = |table: &str, columns: &[String]| {
        table.eq_ignore_ascii_case(&at.table)
            && columns.iter().any(|column| column.eq_ignore_ascii_case(&at.column))
    };
    let joins = app.catalog.keys_of(&at.table).any(|key| {
        names(&key.from_table, &key.from_columns) || names(&key.to_table, &key.to_columns)
    });
    if joins {
        app.say(format!("{at} is a key: without it no join by it is told."), Tone::Trouble);
    }
}

/// Looks into what the cursor is on: a component, the tables, or a line that is too long.
fn open(app: &mut App) {
    let at = app.context.cursor.at;
    let Some(package) = package(app) else { return };
    let components = package.components.len();
    if at < components {
        component::open(app, at);
        return;
    }
    let notes = context_notes::notes(app, package);
    let Some(note) = notes.get(at - components) else { return };
    if note.label == "tables" {
        schema::open(app);
    } else {
        let whole = Whole::of(note.label, note.whole.clone());
        app.overlay = Some(Overlay::Text(whole));
    }
}

/// Runs `SELECT *` over the table under the cursor, as SQL of the person's own.
fn preview_table(app: &mut App) -> Vec<Effect> {
    let Some(name) = table(app) else { return Vec::new() };
    let sql = format!("SELECT * FROM {}", dialect::quote_table(name, app.catalog.dialect));
    run_own(app, sql)
}

/// Runs SQL as the person's own, beside what stands in the editors.
pub fn run_own(app: &mut App, sql: String) -> Vec<Effect> {
    let question = app.made("", Some(sql), None);
    app.go(Pane::Result);
    let effects = app.ask(question);
    if app.unsent_sql() {
        let key = app.keys.key_in(&[Place::Sql], Action::New).unwrap_or_default();
        app.say(format!("Your unsent SQL is kept: {key} in its pane goes on with it."), Tone::Note);
    }
    effects
}

/// Asks the same question again with the switches, as a child of the run looked at.
pub fn again(app: &mut App) -> Vec<Effect> {
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
