//! Breakpoints and the run policy: where runs wait for a person.

use ratatui::layout::Rect;

use crate::domain::{RunPolicy, StopAt, Stops};

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::Pen;
use super::Overlay;

/// State of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StopsList {
    /// The row chosen: three breakpoints, then three policies.
    pub cursor: Cursor,
}

const BREAKPOINTS: [StopAt; 3] = [StopAt::BeforeCall, StopAt::BeforeRun, StopAt::AtFailure];

/// Rows that can be chosen.
const ROWS: usize = BREAKPOINTS.len() + RunPolicy::ALL.len();

fn field(stops: &mut Stops, at: StopAt) -> &mut bool {
    match at {
        StopAt::BeforeCall => &mut stops.before_call,
        StopAt::BeforeRun => &mut stops.before_run,
        StopAt::AtFailure => &mut stops.at_failure,
    }
}

/// Names the breakpoints that are set, and the policy where it asks; empty when no run waits.
pub fn words_of(stops: Stops) -> String {
    let policy = stops.policy.name();
    let named = [
        (stops.before_call, "call"),
        (stops.before_run, "run"),
        (stops.at_failure, "failure"),
        (stops.policy != RunPolicy::Auto, policy),
    ];
    let set: Vec<&str> = named.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect();
    set.join(", ")
}

/// Moves, switches, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Stops(list)) = &mut app.overlay else { return Vec::new() };
    match action {
        Action::Up => list.cursor.go(Move::By(-1), ROWS),
        Action::Down => list.cursor.go(Move::By(1), ROWS),
        Action::Top => list.cursor.go(Move::First, ROWS),
        Action::Bottom => list.cursor.go(Move::Last, ROWS),
        Action::Switch | Action::Open => {
            let at = list.cursor.at;
            return switch(app, at);
        }
        Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

/// Switches a row, for runs to come and the one that goes on.
fn switch(app: &mut App, row: usize) -> Vec<Effect> {
    if let Some(at) = BREAKPOINTS.get(row) {
        let on = field(&mut app.stops, *at);
        *on = !*on;
    } else if let Some(policy) = RunPolicy::ALL.get(row - BREAKPOINTS.len()) {
        app.stops.policy = *policy;
    }
    if app.running() { vec![Effect::Stops(app.stops)] } else { Vec::new() }
}

/// Says a policy for the list.
fn words(policy: RunPolicy) -> &'static str {
    match policy {
        RunPolicy::Auto => "none: what is proved to read only runs (auto)",
        RunPolicy::AskCostly => "costly ones, by the engine's plan (ask-costly)",
        RunPolicy::Ask => "all but what you typed (ask)",
    }
}

/// Draws the list.
pub fn draw(app: &App, list: &StopsList, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 66, 12);
    let inside = super::front(app, pen, area, "Where runs wait for you", Place::Stops);
    let mut stops = app.stops;
    let mut rows: Vec<(Option<usize>, String, Role)> =
        vec![(None, "Breakpoints: the run is paused".to_owned(), Role::Dim)];
    for (n, at) in BREAKPOINTS.into_iter().enumerate() {
        let sign = if *field(&mut stops, at) { "■" } else { "□" };
        rows.push((Some(n), format!("{sign} {}", at.words()), Role::Overlay));
    }
    rows.push((None, String::new(), Role::Dim));
    rows.push((None, "SQL that wants your approval".to_owned(), Role::Dim));
    for (n, policy) in RunPolicy::ALL.into_iter().enumerate() {
        let sign = if stops.policy == policy { "●" } else { "○" };
        rows.push((
            Some(BREAKPOINTS.len() + n),
            format!("{sign} {}", words(policy)),
            Role::Overlay,
        ));
    }
    let hold = "They hold for the run that goes on and for all to come.".to_owned();
    rows.push((None, hold, Role::Dim));
    for ((row, words, role), y) in rows.into_iter().zip(inside.y..inside.bottom()) {
        let indent = if row.is_some() { 3 } else { 1 };
        pen.text(inside.x + indent, y, inside.width.saturating_sub(indent + 1), &words, role);
        if row == Some(list.cursor.at) {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
