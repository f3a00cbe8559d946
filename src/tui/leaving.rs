//! Stopping and leaving: nothing that runs or was typed is lost without a word.

use super::app::{App, Tone};
use super::effect::Effect;
use super::overlays::Overlay;

/// Milliseconds within which a second Ctrl-C leaves.
const TWICE_WITHIN: u64 = 2_000;

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
        app.say("Press Ctrl-C again to leave.", Tone::Done);
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
