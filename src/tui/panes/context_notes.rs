//! The lines below the components in the context pane: what is tied to stored values, the tables,
//! the form, the model's own token count, warnings, and what may leave.

use crate::domain::counts::{count, grouped};
use crate::domain::package::Form;
use crate::domain::tokens::Correction;
use crate::domain::{ContextPackage, Privacy};
use crate::shown::Shown;

use super::super::app::App;
use super::super::theme::Role;
use super::super::widgets::lines::Line;
use super::context;

/// A line below the components.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What it is about: `values`, `tables`, `!`, `leaves`.
    pub label: &'static str,
    /// What it says.
    pub line: Line,
    /// The same in full, for reading it whole.
    pub whole: String,
}

/// Lists the lines below the components: values, tables, warnings, what may leave.
pub fn notes(app: &App, package: &ContextPackage) -> Vec<Note> {
    let note = |label, text: &str, role| Note {
        label,
        line: vec![(Shown::new(text), role)],
        whole: text.to_owned(),
    };
    let mut notes: Vec<Note> =
        package.values.iter().map(|value| note("values", value, Role::Text)).collect();
    notes.push(table_note(app, package));
    notes.extend(form_note(app, package).map(|words| note("form", &words, Role::Text)));
    notes.extend(count_note(app, package).map(|words| note("tokens", &words, Role::Dim)));
    notes.extend(package.warnings.iter().map(|warning| note("!", warning, Role::Text)));
    notes.push(note("leaves", &leaves(app), Role::Dim));
    notes
}

/// Says in what form the package is told, where that isn't text or will change.
fn form_note(app: &App, package: &ContextPackage) -> Option<String> {
    let (told, next) = (package.form, context::form(app));
    if told != next {
        return Some(format!("{}, next time {}", told.name(), context::described(next)));
    }
    (told != Form::Text).then(|| context::described(told).to_owned())
}

/// Says what the model in force would count, by what its provider counted in this session.
fn count_note(app: &App, package: &ContextPackage) -> Option<String> {
    let runs = app.former.iter().chain(&app.run);
    let learned = Correction::of(&app.header.model, runs.flat_map(|run| run.live.calls()))?;
    Some(format!(
        "{} by this model's count ({} for ~{} in {})",
        grouped(u64::from(learned.apply(package.tokens))),
        grouped(learned.counted),
        grouped(learned.estimated),
        count(learned.calls, "call")
    ))
}

/// Lists tables with their signs; those that are in stand first.
fn table_note(app: &App, package: &ContextPackage) -> Note {
    /// More names than this never fit a line.
    const MOST: usize = 60;
    let known: Vec<&str> = if app.catalog.tables.is_empty() {
        package.tables.iter().map(String::as_str).collect()
    } else {
        app.catalog.tables.iter().map(|table| table.name.as_str()).collect()
    };
    let told: std::collections::BTreeSet<&str> =
        package.tables.iter().map(String::as_str).collect();
    let inside = known.iter().filter(|name| told.contains(*name));
    let outside = known.iter().filter(|name| !told.contains(*name));
    let mut line = Line::new();
    for name in inside.chain(outside).take(MOST) {
        let (sign, role) = context::table_sign(app, name);
        let plain = if told.contains(name) { Role::Text } else { Role::Dim };
        line.push((Shown::cut(name, 40), plain));
        line.push((Shown::from(format!(" {sign}  ")), role));
    }
    if known.len() > MOST {
        line.push((Shown::from(format!("and {} more", known.len() - MOST)), Role::Dim));
    }
    Note { label: "tables", line, whole: known.join("\n") }
}

/// Says what may leave this machine, and what is known besides the schema.
fn leaves(app: &App) -> String {
    let level = match app.privacy() {
        Privacy::Names => "names and types only",
        Privacy::Stats => "names, counts and short value lists",
        Privacy::Rows => "names, counts, sample rows",
    };
    let h = &app.header;
    if h.knowledge.is_empty() {
        return format!("{level} · no knowledge file");
    }
    let (rules, metrics) = (count(h.rules as u64, "rule"), count(h.metrics as u64, "metric"));
    format!("{level} · knowledge {rules}, {metrics}")
}
