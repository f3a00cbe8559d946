//! The status line: what matters now, the keys that do something about it, budgets, and the two keys
//! that open all else. Words get shorter with the room; keys go whole or not at all.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::domain::{Attempt, Event, Origin, Paused};
use crate::shown::{Shown, in_one_line};

use super::action::Action;
use super::app::{App, Door};
use super::layout::Pane;
use super::leaving::{self, Inner};
use super::moment::RunView;
use super::panes::{play, steps};
use super::press;
use super::theme::Role;
use super::view::spin;
use super::widgets::pen::{Pen, cols};

/// Columns from which the line shows the key of the command list too.
const BOTH: u16 = 70;

/// Columns between two parts.
const GAP: u16 = 2;

/// A part of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Span {
    text: String,
    role: Role,
    /// What a click on it does.
    action: Option<Action>,
}

fn span(text: impl Into<String>, role: Role) -> Span {
    Span { text: text.into(), role, action: None }
}

/// A key and what it does, in full and in short.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    name: String,
    words: [&'static str; 2],
    action: Action,
}

/// What matters now.
#[derive(Debug, Clone)]
struct Now {
    /// The sign before it, where its words have a look of their own.
    sign: Option<(&'static str, Role)>,
    /// What it is, the longest form first.
    heads: Vec<String>,
    role: Role,
    /// A clock or a count behind it.
    rest: String,
    /// The keys that do something about it, the weightiest first.
    keys: Vec<Key>,
}

impl Now {
    fn of(heads: impl IntoIterator<Item = impl Into<String>>, role: Role) -> Now {
        let heads = heads.into_iter().map(Into::into).collect();
        Now { sign: None, heads, role, rest: String::new(), keys: Vec::new() }
    }

    /// Adds a key, where there is one that does it right now.
    fn with(mut self, key: Option<String>, action: Action, words: [&'static str; 2]) -> Now {
        self.keys.extend(key.map(|name| Key { name, words, action }));
        self
    }

    /// Puts the parts together in one of their forms.
    fn spans(&self, head: &str, short: bool, keys: usize) -> Vec<Span> {
        let sign = self.sign.map(|(sign, role)| span(format!("{sign} "), role));
        let mut spans: Vec<Span> = sign.into_iter().collect();
        spans.push(span(head, self.role));
        if !self.rest.is_empty() {
            spans.push(span(format!("  {}", self.rest), Role::Dim));
        }
        for key in self.keys.iter().take(keys) {
            let action = Some(key.action);
            spans.push(span("  ", Role::Dim));
            spans.push(Span { text: key.name.clone(), role: Role::Key, action });
            let words = format!(" {}", key.words[usize::from(short)]);
            spans.push(Span { text: words, role: Role::Dim, action });
        }
        if keys < self.keys.len() {
            spans.push(span(" …", Role::Dim));
        }
        spans
    }

    /// Finds the fullest form that shows every key in `room` columns: what keys do is shortened last.
    fn whole(&self, room: u16) -> Option<Vec<Span>> {
        let forms = [false, true]
            .into_iter()
            .flat_map(|short| self.heads.iter().map(move |head| (head, short)));
        let mut made = forms.map(|(head, short)| self.spans(head, short, self.keys.len()));
        made.find(|spans| extent(spans) <= room)
    }

    /// Leaves out keys, the least first, where not even the shortest form shows them all.
    fn cut(&self, room: u16) -> Vec<Span> {
        let head = self.heads.last().map_or("", String::as_str);
        let mut made = (1..self.keys.len()).rev().map(|keys| self.spans(head, true, keys));
        let found = made.find(|spans| extent(spans) <= room);
        found.unwrap_or_else(|| Now { keys: Vec::new(), ..self.clone() }.spans(head, true, 0))
    }
}

fn extent(spans: &[Span]) -> u16 {
    spans.iter().map(|span| cols(Shown::new(&span.text).width())).sum()
}

/// The line as it fits a width.
#[derive(Debug, Clone, Default)]
struct Line {
    left: Vec<Span>,
    budgets: Option<String>,
    right: Vec<Span>,
}

impl Line {
    fn of(app: &App, width: u16) -> Line {
        let mut head = Vec::new();
        if let Some(words) = keys_state(app) {
            head.push(span(format!("{words}  "), Role::Accent));
        }
        let now = now(app);
        let taken = extent(&head);
        // a column stays free at both ends, and two before what stands right
        let room = |right: &[Span]| {
            let right = if right.is_empty() { 0 } else { extent(right) + GAP };
            width.saturating_sub(2 + taken + right)
        };
        let rights = helps(app, width);
        let found = rights.iter().find_map(|right| Some((now.whole(room(right))?, right.clone())));
        let (left, right) = found.unwrap_or_else(|| {
            let most = rights.first().cloned().unwrap_or_default();
            // a notice is cut and keeps the keys beside it: it can be read whole elsewhere
            let right = if now.keys.is_empty() { most } else { Vec::new() };
            (now.cut(room(&right)), right)
        });
        head.extend(left);
        let left = head;
        let room = width.saturating_sub(2 + extent(&left) + extent(&right) + 2 * (GAP + 1));
        let told = app.run.as_ref().map(budgets).unwrap_or_default();
        let budgets = told.into_iter().find(|words| cols(words.chars().count()) <= room);
        Line { left, budgets, right }
    }
}

/// Lists the keys at the right, the most first: help and commands, help alone, none.
fn helps(app: &App, width: u16) -> Vec<Vec<Span>> {
    let here = app.pane_places();
    let help =
        app.keys.key_in(&here, Action::Help).unwrap_or_else(|| app.keys.key_of(Action::Help));
    let hint = |key: String, words: &str, action: Action| {
        let (action, words) = (Some(action), format!(" {words}"));
        [Span { text: key, role: Role::Key, action }, Span { text: words, role: Role::Dim, action }]
    };
    let help = hint(help, "help", Action::Help).to_vec();
    let mut forms = Vec::new();
    if width >= BOTH {
        let mut both = help.clone();
        both.push(span("  ", Role::Dim));
        let key = app.keys.key_of(Action::Palette);
        both.extend(hint(key, "commands", Action::Palette));
        forms.push(both);
    }
    forms.push(help);
    forms.push(Vec::new());
    forms
}

/// Draws the line.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let line = Line::of(app, area.width);
    let from = right_from(&line, area);
    let gap = if line.right.is_empty() { 0 } else { GAP };
    for (spans, x, end) in
        [(&line.right, from, area.right()), (&line.left, area.x + 1, from.saturating_sub(gap))]
    {
        let pieces: Vec<_> = spans.iter().map(|one| pen.piece(&one.text, one.role)).collect();
        pen.pieces(x, area.y, end.saturating_sub(x), &pieces);
    }
    if let Some(words) = &line.budgets {
        pen.text_right(from.saturating_sub(GAP + 1), area.y, area.width, words, Role::Dim);
    }
}

/// Returns the column where what stands right begins.
fn right_from(line: &Line, area: Rect) -> u16 {
    area.right().saturating_sub(1 + extent(&line.right))
}

/// Finds the key shown at a column of the line.
pub(super) fn at(app: &App, area: Rect, x: u16) -> Option<Action> {
    let line = Line::of(app, area.width);
    for (spans, mut from) in [(&line.left, area.x + 1), (&line.right, right_from(&line, area))] {
        for one in spans {
            let to = from + extent(std::slice::from_ref(one));
            if from <= x && x < to {
                return one.action;
            }
            from = to;
        }
    }
    None
}

/// Counts what a run has spent of its budgets, in full and short.
fn budgets(run: &RunView) -> [String; 2] {
    let options = &run.live.question.options;
    let moment = run.moment();
    let own =
        |a: &&Attempt| !a.semantic_retry && a.candidate.is_none() && a.origin != Origin::Person;
    let attempts = moment.attempts.iter().filter(own).count();
    let retries = moment.attempts.iter().filter(|a| a.semantic_retry).count();
    let repairs = run.place().map_or(0, |(n, _)| moment.rewrites(n));
    let calls = moment.calls().count();
    let (most, calls_most) = (options.max_attempts, options.max_calls);
    let rewrites = options.max_rewrites;
    [
        format!(
            "attempts {attempts}/{most} · calls {calls}/{calls_most} · \
             repairs {repairs}/{rewrites} · retry {retries}/1"
        ),
        format!(
            "att {attempts}/{most} call {calls}/{calls_most} rep {repairs}/{rewrites} retry {retries}/1"
        ),
    ]
}

/// Says which keys wait for the next one, else the mode of the editor that takes letters.
fn keys_state(app: &App) -> Option<String> {
    if !app.pending.is_empty() {
        return Some(format!("{} …", press::words(&app.pending)));
    }
    let editor = app.focus == Pane::Question || app.typing_sql();
    (app.keys.modal && editor && app.overlay.is_none())
        .then(|| if app.writing { "INSERT" } else { "NORMAL" }.to_owned())
}

/// Says what matters now: a notice, what is waited for, the run, the database.
fn now(app: &App) -> Now {
    if let Some((words, tone, _)) = &app.notice {
        let words = in_one_line(words).into_owned();
        return Now { sign: Some(tone.sign()), ..Now::of([words], Role::Text) };
    }
    if !app.running()
        && let Some((words, ms)) = app.waits.noticeable(app.clock)
    {
        let now = Now::of([format!("{} {words}", spin(app))], Role::Accent);
        return Now { rest: seconds(ms), ..now };
    }
    let Some(run) = &app.run else { return of_door(app, "ready") };
    if let Some(paused) = run.paused().filter(|_| !run.cancelling) {
        return waits(app, paused);
    }
    if run.playing.is_some() {
        return plays(app, run);
    }
    if run.cursor.is_some() {
        let words = moment_words(run);
        let heads = [format!("◀ time: {words}"), format!("◀ {words}"), "◀ time".to_owned()];
        let key = app.key_now(Action::Follow);
        let key = key.or_else(|| leaving::escape(app, Inner::Past));
        return Now::of(heads, Role::Past).with(key, Action::Follow, ["returns to now", "now"]);
    }
    if run.running {
        let what = match (run.cancelling, run.waiting.as_str()) {
            (true, _) => "cancelling",
            (false, "") => "working",
            (false, waiting) => waiting,
        };
        let now = Now::of([format!("{} {what}", spin(app))], Role::Accent);
        let now = Now { rest: seconds(app.clock.saturating_sub(run.since_ms)), ..now };
        if run.cancelling {
            return now;
        }
        return now.with(cancel_key(app), Action::Interrupt, ["cancels", "cancels"]);
    }
    let mut now = of_door(app, "");
    if app.door == Door::Open {
        now = Now::of(took(run), Role::Dim);
        if run.live.question.parent.is_some() {
            now = now.with(app.key_now(Action::Compare), Action::Compare, ["compares", "compares"]);
        }
    }
    now
}

/// Says how the database stands, where there is no run.
fn of_door(app: &App, open: &str) -> Now {
    match &app.door {
        Door::Opening => Now::of([format!("{} opening the database", spin(app))], Role::Dim),
        Door::Shut(what, hint) => {
            let (words, role) =
                if app.run.is_some() { (what, Role::Bad) } else { (hint, Role::Text) };
            Now::of([words], role)
        }
        Door::Open => Now::of([open], Role::Dim),
    }
}

/// Says what a run took that has ended, the longest form first.
fn took(run: &RunView) -> Vec<String> {
    let calls = run.live.calls().count();
    let words = format!("took {}", steps::duration(run.live.elapsed_us));
    if calls == 0 {
        return vec![words];
    }
    vec![format!("{words} · {}", count(calls, "model call")), words]
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms / 100 % 10)
}

/// Returns the key that cancels the run right now: Esc where nothing smaller would close.
fn cancel_key(app: &App) -> Option<String> {
    leaving::escape(app, Inner::Run).or_else(|| app.key_now(Action::Interrupt))
}

/// Says where the run waits, and what can be done there from the focused pane.
fn waits(app: &App, paused: &Paused) -> Now {
    let changed =
        app.run.as_ref().is_some_and(|run| run.live.question.switches != app.context.switches);
    let go = match paused {
        _ if app.focus == Pane::Question && app.unsent_question() => ["asks after it", "ask later"],
        _ if app.focus == Pane::Sql && app.sql.editing => ["goes on with this SQL", "go on"],
        _ if changed => ["goes on with these switches", "go on"],
        Paused::Approval { .. } => ["runs it", "run"],
        Paused::Breakpoint { .. } => ["goes on", "go on"],
    };
    let words = paused.words();
    let heads = [format!("‖ paused {words}"), "‖ paused".to_owned(), "‖".to_owned()];
    let stop = app.key_now(Action::StopHere);
    let now = Now::of(heads, Role::Warn)
        .with(app.key_now(Action::Ask), Action::Ask, go)
        .with(stop.clone(), Action::StopHere, ["stops", "stop"])
        .with(app.key_now(Action::EditHere), Action::EditHere, ["edits the SQL", "edit"]);
    if stop.is_some() {
        return now;
    }
    // where letters are typed, only Ctrl-C and Esc stop
    now.with(cancel_key(app), Action::Interrupt, ["cancels", "cancel"])
}

/// Says that the run is played, how fast, and which keys change that.
fn plays(app: &App, run: &RunView) -> Now {
    let speed = app.trace.speed.words();
    let at = run.cursor.map_or(0, |n| n + 1);
    let place = format!("{at} of {}", run.events.len());
    let heads = [format!("▶ playing {speed} · {place}"), format!("▶ {speed} · {place}")];
    let hold = app.key_now(Action::Play);
    let back = leaving::escape(app, Inner::Past).filter(|_| hold.is_none());
    let [slower, faster] = [Action::Slower, Action::Faster]
        .map(|action| app.key_now(action).filter(|_| play::can(app, action == Action::Faster)));
    Now::of(heads, Role::Accent)
        .with(hold, Action::Play, ["holds still", "hold"])
        .with(back, Action::Follow, ["returns to now", "now"])
        .with(slower, Action::Slower, ["slower", "slower"])
        .with(faster, Action::Faster, ["faster", "faster"])
}

/// Names the moment looked at: `attempt 1, as drafted`.
fn moment_words(run: &RunView) -> String {
    let event: Option<&Event> = run.cursor.and_then(|n| run.events.get(n));
    match event.and_then(super::moment::about).and(run.place()) {
        Some((n, 0)) => format!("attempt {n}, as drafted"),
        Some((n, _)) => format!("attempt {n}, mended"),
        None => {
            event.map(|event| steps::told(&event.happened).label.to_owned()).unwrap_or_default()
        }
    }
}
