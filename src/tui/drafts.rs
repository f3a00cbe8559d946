//! Texts in progress: handed over to be kept as they are typed, offered again at the next start.
//!
//! Decided here, from state alone; `perform` writes and reads the file. A text that was asked, run
//! or left on purpose is kept no longer.

use serde::{Deserialize, Serialize};

use crate::domain::RunId;

use super::app::{App, Tone};
use super::effect::Effect;
use super::layout::Pane;
use super::panes::sql_editor;

/// Drafts that are kept at most: the one in progress, and those never taken back.
const KEPT: usize = 3;

/// What stood in the editors.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The unsent question; empty when there was none.
    pub question: String,
    /// The SQL that was not run; empty when there was none.
    pub sql: String,
    /// The run that the SQL was edited from, and its question.
    pub parent: Option<(RunId, String)>,
    /// When it was kept, ISO 8601; empty until it is.
    pub kept_at: String,
    /// The same for people: `10:32`, `29 Nov, 10:32`.
    #[serde(skip)]
    pub when: String,
}

/// Texts in progress, as far as they are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unsent {
    /// Drafts of earlier starts that can be taken back, newest first.
    pub offered: Vec<Draft>,
    /// The text in progress stays kept on leaving.
    pub stays: bool,
    /// What was handed over last.
    told: Told,
}

/// What tells one state of the texts from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Told {
    /// Revisions of question and SQL, where they are unsent.
    texts: (Option<u64>, Option<u64>),
    offered: usize,
}

/// Hands over what shall be kept, when that has changed.
pub(super) fn settle(app: &mut App) -> Option<Effect> {
    if app.header.database.is_empty() {
        return None;
    }
    let left = app.leave == Some(0) && !app.unsent.stays;
    let question = (app.unsent_question() && !left).then(|| app.question.editor.revision());
    let sql = (app.unsent_sql() && !left).then(|| app.sql.editor.revision());
    let told = Told { texts: (question, sql), offered: app.unsent.offered.len() };
    if told == app.unsent.told {
        return None;
    }
    app.unsent.told = told;
    let mut drafts = Vec::new();
    if question.is_some() || sql.is_some() {
        drafts.push(Draft {
            question: question.map(|_| app.question.editor.text()).unwrap_or_default(),
            sql: sql.map(|_| app.sql.editor.text()).unwrap_or_default(),
            parent: sql.and_then(|_| app.sql.parent.clone()),
            ..Draft::default()
        });
    }
    drafts.extend(app.unsent.offered.iter().cloned());
    drafts.truncate(KEPT);
    Some(Effect::KeepDrafts(drafts))
}

/// Takes what was kept for the database that was just opened.
pub(super) fn read(app: &mut App, drafts: Vec<Draft>) {
    app.unsent.offered = drafts;
    // a text that was typed meanwhile is written together with them
    if app.unsent.told.texts == (None, None) {
        app.unsent.told.offered = app.unsent.offered.len();
    }
}

/// Lets go what belongs to the database that was open; its file keeps what was offered.
pub(super) fn change_database(app: &mut App) -> Vec<Effect> {
    let former = std::mem::take(&mut app.unsent);
    let mut effects = Vec::new();
    if former.told.texts != (None, None) {
        effects.push(Effect::KeepDrafts(former.offered));
    }
    effects.push(Effect::ReadDrafts(app.header.database.clone()));
    effects
}

/// Puts the offered texts back into their editors.
pub(super) fn take_back(app: &mut App) -> Vec<Effect> {
    let Some(draft) = app.unsent.offered.first().cloned() else { return Vec::new() };
    if !draft.sql.is_empty() && app.unsent_sql() {
        app.say("The SQL editor holds other SQL: run or empty it first.", Tone::Trouble);
        return Vec::new();
    }
    app.unsent.offered.remove(0);
    if !draft.question.is_empty() {
        app.question.editor.set(&draft.question);
    }
    if draft.sql.is_empty() {
        return Vec::new();
    }
    app.sql.editor.set(&draft.sql);
    app.sql.parent = draft.parent;
    app.sql.editing = true;
    app.sql.checked.clear();
    if draft.question.is_empty() {
        app.go(Pane::Sql);
    }
    sql_editor::changed(app)
}

/// Lets the offered texts go.
pub(super) fn let_go(app: &mut App) {
    if !app.unsent.offered.is_empty() {
        app.unsent.offered.remove(0);
        app.say("The kept text is gone.", Tone::Done);
    }
}

/// Says what is offered, and what to do about it.
pub fn words(app: &App) -> Option<String> {
    let draft = app.unsent.offered.first()?;
    let (what, one) = match (draft.question.is_empty(), draft.sql.is_empty()) {
        (false, false) => ("question and SQL", false),
        (true, _) => ("SQL", true),
        (false, true) => ("question", true),
    };
    let (was, it) = if one { ("was", "it") } else { ("were", "them") };
    let of = if draft.when.is_empty() { String::new() } else { format!(" of {}", draft.when) };
    let take = app.keys.key_of(super::action::Action::TakeBack);
    let drop = app.keys.key_of(super::action::Action::LetGo);
    Some(format!("Your unsent {what}{of} {was} kept: {take} takes {it} back, {drop} lets {it} go."))
}

/// Returns the beginning of what is offered.
pub fn preview(app: &App) -> Option<&str> {
    let draft = app.unsent.offered.first()?;
    let text = if draft.question.is_empty() { &draft.sql } else { &draft.question };
    text.lines().find(|line| !line.trim().is_empty())
}
