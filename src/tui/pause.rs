//! What a person does where a run waits for them: go on, with SQL or switches of theirs, or stop.

use crate::domain::{Paused, Resumed};

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::layout::{Layout, Pane};
use super::panes::{sql, sql_editor};

/// Returns why the run looked at waits, if it does.
pub fn paused(app: &App) -> Option<&Paused> {
    app.run.as_ref()?.paused()
}

/// Goes on with what was changed meanwhile. None when no run waits, or when what is in front is
/// something else: a new question, SQL that has nothing to do with the run.
pub fn go_on(app: &mut App) -> Option<Vec<Effect>> {
    paused(app)?;
    match app.focus {
        Pane::Question if asks_anew(app) => None,
        Pane::Sql if app.sql.editing => with_sql(app),
        Pane::Question | Pane::Context | Pane::Sql | Pane::Result | Pane::Trace => {
            let switches = app.context.switches.clone();
            let changed = app.run.as_ref().is_some_and(|r| r.live.question.switches != switches);
            let decision = if changed { Resumed::WithSwitches { switches } } else { Resumed::Go };
            Some(resume(app, decision))
        }
    }
}

/// Brings SQL that wants approval to the front where there is room for one pane only: nobody shall
/// approve what they can't see.
pub fn show(app: &mut App) {
    let Some(paused) = paused(app) else { return };
    let asks = matches!(paused, Paused::Approval { .. });
    if asks && app.focus == Pane::Result && Layout::of(app).alone {
        app.go(Pane::Sql);
    } else if app.focus == Pane::Question && !app.unsent_question() && !Layout::of(app).alone {
        // the keys that decide are letters: they shall not be typed into the question
        app.go(if asks { Pane::Sql } else { Pane::Trace });
    }
}

fn asks_anew(app: &App) -> bool {
    let text = app.question.editor.text();
    !text.trim().is_empty() && text.trim() != app.question.asked
}

/// Goes on with the SQL in the editor, where it was taken from this run.
fn with_sql(app: &mut App) -> Option<Vec<Effect>> {
    let run = app.run.as_ref()?;
    let mine = app.sql.parent.as_ref().is_some_and(|(id, _)| id == run.id());
    let text = app.sql.editor.text();
    if !mine || text.trim().is_empty() {
        return None;
    }
    let waits = match run.paused()? {
        Paused::Approval { sql, .. } => Some(sql.clone()),
        Paused::Breakpoint { .. } => None,
    };
    app.sql.saved.clone_from(&text);
    app.sql.editing = false;
    let same = waits.is_some_and(|sql| sql == text);
    let decision = if same { Resumed::Go } else { Resumed::WithSql { sql: text } };
    Some(resume(app, decision))
}

/// Stops the run here.
pub fn stop(app: &mut App) -> Vec<Effect> {
    if paused(app).is_some() { resume(app, Resumed::Stop) } else { Vec::new() }
}

fn resume(app: &mut App, decision: Resumed) -> Vec<Effect> {
    if let Some(run) = &mut app.run {
        // what comes next shall be seen
        run.follow();
    }
    vec![Effect::Resume(decision)]
}

/// Opens the editor on the SQL that waits; where there is none yet, on an empty one of this run.
pub fn edit(app: &mut App) -> Vec<Effect> {
    app.go(Pane::Sql);
    if let Some(run) = &mut app.run {
        run.follow();
    }
    let written = app.run.as_ref().is_some_and(|run| run.version().is_some());
    if written {
        return sql::act(app, Action::Edit);
    }
    let run = app.run.as_ref();
    let parent = run.map(|run| (run.id().clone(), run.live.question.text.clone()));
    let mine = app.sql.parent == parent;
    if !(mine && app.sql.unsent()) {
        sql_editor::load(app, "", parent);
    }
    app.sql.editing = true;
    Vec::new()
}
