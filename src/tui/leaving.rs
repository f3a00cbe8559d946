//! Stopping, closing and leaving: nothing that runs or was typed is lost without a word.

use super::action::Action;
use super::app::{App, Tone};
use super::effect::Effect;
use super::layout::Pane;
use super::overlays::Overlay;
use super::panes::{question, result_look, sql_editor};
use super::pause;

/// Milliseconds within which a second Ctrl-C leaves.
const TWICE_WITHIN: u64 = 2_000;

/// What Esc closes or cancels, the innermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    /// Names on offer in the question.
    Offers,
    /// Names on offer in the SQL editor.
    SqlOffers,
    /// A question that was taken from those shown, and not changed.
    Taken,
    /// Something being made of the result, or marked in it.
    Looking,
    /// The run.
    Run,
    /// The SQL editor.
    Editing,
    /// What differs between two versions.
    Diff,
    /// The result as a chart.
    Chart,
    /// One pane shown alone.
    Zoom,
    /// A moment in the past.
    Past,
    /// The SQL editor where nothing was asked yet.
    Empty,
}

/// Returns what Esc would close right now in the panes.
pub(super) fn innermost(app: &App) -> Option<Inner> {
    let run = app.run.as_ref();
    let past = run.is_some_and(|run| run.cursor.is_some());
    let diff = app.focus == Pane::Sql && app.sql.diff && !app.showing_editor();
    // nobody who looks around in a run that waits shall lose it by that
    let looks_around = pause::paused(app).is_some() && (app.sql.editing || past || diff);
    let all = [
        (Inner::Offers, !app.question.offers.is_empty()),
        (Inner::SqlOffers, !app.sql.offers.offers.is_empty()),
        (Inner::Taken, question::taken(app).is_some()),
        (Inner::Looking, app.focus == Pane::Result && result_look::busy(app)),
        (Inner::Run, app.running() && !looks_around),
        (Inner::Editing, app.sql.editing),
        (Inner::Diff, diff),
        (Inner::Chart, app.focus == Pane::Result && app.chart.is_some()),
        (Inner::Zoom, app.zoom),
        (Inner::Past, past),
        (Inner::Empty, app.focus == Pane::Sql && run.is_none()),
    ];
    all.into_iter().find(|(_, there)| *there).map(|(inner, _)| inner)
}

/// Returns the key that closes something right now: none where something smaller would close first,
/// or where the key means something else.
pub(super) fn escape(app: &App, inner: Inner) -> Option<String> {
    let first = app.overlay.is_none() && innermost(app) == Some(inner);
    if first { app.key_now(Action::Cancel) } else { None }
}

/// Closes the innermost thing, or cancels the running question.
pub(super) fn cancel(app: &mut App) -> Vec<Effect> {
    match innermost(app) {
        Some(Inner::Offers) => app.question.offers.clear(),
        Some(Inner::SqlOffers) => sql_editor::close(app),
        Some(Inner::Taken) => question::give_back(app),
        Some(Inner::Looking) => return result_look::cancel(app),
        Some(Inner::Run) => return stop(app),
        Some(Inner::Editing) => app.sql.editing = false,
        Some(Inner::Diff) => app.sql.diff = false,
        Some(Inner::Chart) => app.chart = None,
        Some(Inner::Zoom) => app.zoom = false,
        Some(Inner::Past) => {
            if let Some(run) = &mut app.run {
                run.follow();
            }
        }
        Some(Inner::Empty) => app.go(Pane::Question),
        None => {}
    }
    Vec::new()
}

/// Cancels the running question.
pub(super) fn stop(app: &mut App) -> Vec<Effect> {
    if let Some(run) = &mut app.run {
        run.cancelling = true;
    }
    vec![Effect::Stop]
}

/// Ctrl-C: cancels what runs; twice within two seconds, leaves.
pub(super) fn interrupt(app: &mut App) -> Vec<Effect> {
    if app.overlay == Some(Overlay::Confirm) {
        app.leave = Some(0);
        return Vec::new();
    }
    let twice = app.interrupted.is_some_and(|at| app.clock < at + TWICE_WITHIN);
    app.interrupted = Some(app.clock);
    if twice {
        leave(app);
    } else if app.running() {
        return stop(app);
    } else {
        app.say("Press Ctrl-C again to leave.", Tone::Note);
    }
    Vec::new()
}

/// Leaves, unless a text would be lost or a run would be cancelled: then asks once.
pub(super) fn leave(app: &mut App) {
    let running = app.run.as_ref().is_some_and(|run| run.running && !run.cancelling);
    if (app.unsaved() || running) && app.overlay != Some(Overlay::Confirm) {
        app.overlay = Some(Overlay::Confirm);
    } else {
        app.leave = Some(0);
    }
}
