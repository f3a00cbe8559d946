//! The trace pane: a run as a tree of what happened; its cursor is time.

use ratatui::layout::Rect;

use crate::domain::Status;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Pane;
use super::super::moment::RunView;
use super::super::msg::{Judged, Verdict};
use super::super::overlays::text::Whole;
use super::super::overlays::{Overlay, copy_run, marks, seek, verify};
use super::super::pause;
use super::account;
use super::play::{self, Speed};
use super::tree::{self, Filter, Line};
use super::{refusing, steps};

/// How the trace is looked at, whatever the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lens {
    /// Which events are listed.
    pub filter: Filter,
    /// What was looked for last.
    pub find: String,
    /// How fast a run is played.
    pub speed: Speed,
    /// First line shown.
    pub top: usize,
}

/// Lists the lines of the run looked at.
pub fn lines(app: &App) -> Vec<Line> {
    app.run.as_ref().map(|run| tree::lines(run, app.trace.filter)).unwrap_or_default()
}

/// Does an action in the trace pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let screen = isize::try_from(app.inside(Pane::Trace).height.max(2)).unwrap_or(10) - 1;
    let filter = app.trace.filter;
    let Some(run) = &mut app.run else { return Vec::new() };
    if moves(action) {
        // whoever moves looks for themselves, also where there is no further to go
        run.playing = None;
    }
    match action {
        Action::Up => step(run, filter, -1),
        Action::Down => step(run, filter, 1),
        Action::PageUp => step(run, filter, -screen),
        Action::PageDown => step(run, filter, screen),
        Action::Top => run.look_at(0),
        Action::Follow | Action::Bottom | Action::Last => run.follow(),
        Action::FormerVersion => version(run, false),
        Action::NextVersion => version(run, true),
        Action::Fold => fold(run, filter),
        Action::FoldAll => fold_all(run),
        Action::Open if run.paused().is_some() && run.cursor.is_none() => {
            return pause::go_on(app).unwrap_or_default();
        }
        Action::Open => open(app),
        Action::Refuse => return refuse(app),
        Action::Play => play::toggle(app),
        Action::Slower => play::change(app, false),
        Action::Faster => play::change(app, true),
        Action::Filter => app.trace.filter = filter.next(),
        Action::Find => app.overlay = Some(Overlay::Seek(seek::Seek::of(app))),
        Action::FindNext => seek::again(app, true),
        Action::FindFormer => seek::again(app, false),
        Action::Mark => marks::toggle(app),
        Action::Marks => app.overlay = Some(Overlay::Marks(marks::Marks::default())),
        Action::Copy => return copy_line(app),
        Action::CopyAll => app.overlay = Some(Overlay::CopyRun(copy_run::CopyRun::default())),
        Action::Good => return rate(app, true),
        Action::Bad => return rate(app, false),
        Action::Verify => return verify(app),
        _ => {}
    }
    Vec::new()
}

/// Tells whether an action moves in time.
fn moves(action: Action) -> bool {
    matches!(
        action,
        Action::Up
            | Action::Down
            | Action::PageUp
            | Action::PageDown
            | Action::Top
            | Action::Bottom
            | Action::Last
            | Action::Follow
            | Action::FormerVersion
            | Action::NextVersion
    )
}

/// Moves the cursor by lines that stand for events or their children.
fn step(run: &mut RunView, filter: Filter, by: isize) {
    let lines = tree::lines(run, filter);
    let places: Vec<(usize, usize)> =
        lines.iter().filter_map(|line| line.event.map(|event| (event, line.child))).collect();
    let at = (run.at().unwrap_or(0), run.child);
    let here = places.iter().rposition(|place| *place <= at);
    let to = match (here, by) {
        // above the first line that is listed, down means that line
        (None, _) => 0,
        (Some(here), by) => here.saturating_add_signed(by).min(places.len().saturating_sub(1)),
    };
    if let Some((event, child)) = places.get(to) {
        goto(run, *event, *child);
    }
}

/// Goes to an event or one of its children; at the end of a run that has ended, that is now.
pub fn goto(run: &mut RunView, event: usize, child: usize) {
    if event + 1 >= run.events.len() && !run.running {
        run.follow();
    } else {
        run.look_at(event);
    }
    run.child = child;
}

/// Goes to the former or next version, at its last event.
fn version(run: &mut RunView, next: bool) {
    let versions = run.versions();
    let Some(place) = run.place() else { return };
    let Some(here) = versions.iter().position(|v| *v == place) else { return };
    let to = if next { here.checked_add(1) } else { here.checked_sub(1) };
    let Some((attempt, at)) = to.and_then(|n| versions.get(n)) else { return };
    if let Some(event) = run.last_event_of(*attempt, *at) {
        run.look_at(event);
    }
}

/// Folds or unfolds what the cursor is on: what a step found, else the whole attempt.
fn fold(run: &mut RunView, filter: Filter) {
    let lines = tree::lines(run, filter);
    let line = lines.get(cursor_line(run, &lines));
    let Some(line) = line else { return };
    match (line.event, line.head, line.folded) {
        (Some(event), None, Some(_)) => {
            run.child = 0;
            toggle(&mut run.opened, event);
        }
        // inside what a step found: back to the step
        (Some(event), None, None) if line.child > 0 => {
            run.child = 0;
            run.opened.remove(&event);
        }
        _ => {
            if let Some((attempt, _)) = run.place() {
                run.child = 0;
                toggle(&mut run.folds, attempt);
            }
        }
    }
}

fn toggle<T: Ord>(set: &mut std::collections::BTreeSet<T>, what: T) {
    if let Some(was) = set.take(&what) {
        drop(was);
    } else {
        set.insert(what);
    }
}

/// Unfolds everything; where everything is, folds it.
fn fold_all(run: &mut RunView) {
    let all: Vec<usize> = (0..run.events.len()).filter(|n| super::children::any(run, *n)).collect();
    run.folds.clear();
    run.child = 0;
    if all.iter().all(|n| run.opened.contains(n)) {
        run.opened.clear();
    } else {
        run.opened.extend(all);
    }
}

/// Shows everything the event says.
fn open(app: &mut App) {
    let Some(run) = &app.run else { return };
    let Some(n) = run.at() else { return };
    let Some(event) = run.events.get(n) else { return };
    let title =
        format!("{} · {} s", steps::told(&event.happened).label, steps::moment(event.at_us));
    app.overlay = Some(Overlay::Text(Whole::of(title, account::whole(run, n))));
}

/// Refuses the repair that the cursor is on.
fn refuse(app: &mut App) -> Vec<Effect> {
    if refusing::at_repair(app) {
        return refusing::refuse(app);
    }
    app.say(NO_REPAIR, Tone::Trouble);
    Vec::new()
}

/// Said where something else than a repair is to be refused.
pub const NO_REPAIR: &str = "The event looked at is no repair.";

fn copy_line(app: &mut App) -> Vec<Effect> {
    let lines = lines(app);
    let Some(run) = &app.run else { return Vec::new() };
    let Some(line) = lines.get(cursor_line(run, &lines)) else { return Vec::new() };
    let parts = [steps::moment(line.at_us), line.label.clone(), line.detail.clone()];
    let text = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("  ");
    app.say("Copied the line.", Tone::Done);
    vec![Effect::Copy(text)]
}

fn rate(app: &mut App, good: bool) -> Vec<Effect> {
    finished(app).map(|id| Effect::Rate(id, good)).into_iter().collect()
}

/// Asks whether the pair is verified; one that is, is withdrawn at once.
fn verify(app: &mut App) -> Vec<Effect> {
    let Some(id) = finished(app) else { return Vec::new() };
    if app.verified {
        return vec![Effect::Verify(id, false)];
    }
    verify::open(app);
    Vec::new()
}

/// Says why the run looked at has no pair of question and SQL that could be verified.
pub fn no_pair(app: &App) -> Option<&'static str> {
    let run = app.run.as_ref()?;
    let answer = run.live.answer.as_ref();
    if answer.is_none_or(|answer| answer.status != Status::Answered || answer.chosen.is_none()) {
        return Some("Only an answered question can be verified.");
    }
    if run.live.question.text.trim().is_empty() {
        return Some("There is SQL but no question: only a pair of both can be verified.");
    }
    app.config
        .user
        .trim()
        .is_empty()
        .then_some("A verification needs the name of a person: set user in the configuration.")
}

/// Takes word that a run was rated or verified.
pub fn judged(app: &mut App, judged: &Judged) -> Vec<Effect> {
    let looked_at = app.run.as_ref().is_some_and(|run| *run.id() == judged.run);
    let key = app.keys.key_in(&[Place::Trace], Action::Verify).unwrap_or_default();
    let words = match judged.how {
        Verdict::Rated(true) => "Rated as good.".to_owned(),
        Verdict::Rated(false) => "Rated as bad.".to_owned(),
        Verdict::Verified(true) => {
            format!("Verified in the name of {}; {key} withdraws it.", app.config.user.trim())
        }
        Verdict::Verified(false) => format!("No longer verified; {key} verifies it again."),
    };
    match judged.how {
        Verdict::Rated(good) if looked_at => app.rated = Some(good),
        Verdict::Verified(verified) if looked_at => app.verified = verified,
        Verdict::Rated(_) | Verdict::Verified(_) => {}
    }
    app.say(words, Tone::Done);
    // the list of past runs says it too
    vec![Effect::Runs]
}

fn finished(app: &mut App) -> Option<crate::domain::RunId> {
    let run = app.run.as_ref()?;
    if run.running {
        app.say("The run hasn't ended yet.", Tone::Trouble);
        return None;
    }
    Some(run.id().clone())
}

/// Goes to the event on a line that was clicked; on a head, folds or unfolds the attempt.
pub fn click(app: &mut App, row: usize) -> Vec<Effect> {
    let lines = lines(app);
    let top = app.trace.top;
    let Some(run) = &mut app.run else { return Vec::new() };
    let Some(line) = lines.get(top + row) else { return Vec::new() };
    match (line.event, line.head) {
        (_, Some(attempt)) => toggle(&mut run.folds, attempt),
        (Some(event), None) => goto(run, event, line.child),
        (None, None) => {}
    }
    Vec::new()
}

/// Keeps the cursor in view.
pub fn settle(app: &mut App, inside: Rect) {
    let height = usize::from(inside.height);
    if height == 0 {
        return;
    }
    let lines = lines(app);
    let Some(run) = &app.run else { return };
    let at = cursor_line(run, &lines);
    let top = app.trace.top.clamp((at + 1).saturating_sub(height), at);
    app.trace.top = top.min(lines.len().saturating_sub(height));
}

/// Returns the line of the event looked at.
pub fn cursor_line(run: &RunView, lines: &[Line]) -> usize {
    let at = (run.at().unwrap_or(0), run.child);
    let before = |line: &Line| line.event.is_some_and(|event| (event, line.child) <= at);
    lines.iter().rposition(before).unwrap_or(0)
}
