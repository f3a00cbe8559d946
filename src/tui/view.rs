//! State to cells: header, panes, status line, what stands in front. Pure; draws nothing unseen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::domain::counts::count;
use crate::domain::{Attempt, Event, Origin, Paused};
use crate::shown::Shown;

use super::action::Action;
use super::app::{App, Door, Tone};
use super::hints;
use super::layout::{Layout, Pane, Room};
use super::moment::RunView;
use super::overlays;
use super::panes::{self, result_view, steps};
use super::press;
use super::theme::Role;
use super::widgets::pen::{Pen, Piece, cols};
use super::widgets::tabs;

/// Signs of something going on, a step every tenth of a second.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Draws the whole screen; returns where the terminal's cursor belongs.
pub fn draw(app: &App, cells: &mut Buffer) -> Option<Position> {
    let lay = Layout::of(app);
    let mut pen = Pen { cells, theme: &app.theme };
    pen.fill(Rect::new(0, 0, app.size.0, app.size.1), Role::Ground);
    if lay.room == Room::Tiny {
        pen.text(0, 0, lay.body.width, "too small", Role::Warn);
        return None;
    }
    header(app, &mut pen, lay.header);
    if lay.tabs.height > 0 {
        let front = Pane::ALL.iter().position(|pane| *pane == app.focus).unwrap_or(0);
        tabs::line(&mut pen, lay.tabs, &Pane::ALL.map(Pane::name), front);
    }
    let mut cursor = panes::draw(app, &mut pen, &lay);
    status(app, &mut pen, lay.status);
    if let Some(at) = cursor {
        panes::offers::draw(app, &mut pen, at, lay.body);
    }
    if app.overlay.is_some() {
        overlays::draw(app, &mut pen, lay.body);
        cursor = None;
    }
    cursor
}

/// Draws the header: database, engine, model, what leaves, knowledge, the run.
fn header(app: &App, pen: &mut Pen<'_>, area: Rect) {
    pen.fill(area, Role::Header);
    let right = run_state(app, pen);
    let end = area.right().saturating_sub(1);
    let right_wide: u16 = right.iter().map(|(text, _)| cols(text.width())).sum();
    let from = pen.pieces_right(end, area.y, area.width.saturating_sub(2), &right);
    let end = if right_wide > area.width { area.width } else { from };
    let mut x = area.x + 1;
    // two cells stay free before the run, so that the two never run into each other
    for (text, role) in chosen(header_parts(app), usize::from(end.saturating_sub(3))) {
        x = pen.text(x, area.y, end.saturating_sub(x), &text, role) + 2;
    }
}

/// One part of the header.
struct Part {
    /// What it says.
    text: String,
    /// The same, shorter.
    short: String,
    role: Role,
    /// Which goes in first where there is little room: 0 before 1.
    rank: u8,
}

/// Picks what fits, in the order of its weight; first in short, then in full where there is room.
fn chosen(parts: Vec<Part>, room: usize) -> Vec<(String, Role)> {
    let wide = |text: &str| Shown::new(text).width() + 2;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|n| parts.get(*n).map(|part| part.rank));
    let mut used = 0;
    let mut taken: Vec<Option<bool>> = vec![None; parts.len()];
    for full in [false, true] {
        for n in &order {
            let (Some(part), Some(slot)) = (parts.get(*n), taken.get_mut(*n)) else { continue };
            let add = match (full, *slot) {
                (false, _) => wide(&part.short),
                (true, Some(false)) => wide(&part.text) - wide(&part.short).min(wide(&part.text)),
                (true, _) => continue,
            };
            if used + add <= room + 2 {
                used += add;
                *slot = Some(full);
            }
        }
    }
    let texts = parts.into_iter().zip(taken).filter_map(|(part, taken)| {
        taken.map(|full| (if full { part.text } else { part.short }, part.role))
    });
    texts.collect()
}

/// Lists the header's parts in the order they stand.
fn header_parts(app: &App) -> Vec<Part> {
    let h = &app.header;
    let part = |text: String, short: String, role, rank| Part { text, short, role, rank };
    let same = |text: String, role, rank| part(text.clone(), text, role, rank);
    let name = if h.database.is_empty() {
        app.terms.database.clone().unwrap_or_default()
    } else {
        h.database.clone()
    };
    let mut parts = vec![same("querent".to_owned(), Role::Accent, 4)];
    if !name.is_empty() {
        parts.push(same(name, Role::Text, 0));
    }
    match &app.door {
        Door::Opening if h.database.is_empty() => {
            parts.push(same("opening …".to_owned(), Role::Dim, 1));
        }
        Door::Shut(..) => parts.push(same("✗ not open".to_owned(), Role::Bad, 0)),
        Door::Opening | Door::Open => {}
    }
    if !h.engine.is_empty() {
        parts.push(same(h.engine.clone(), Role::Dim, 3));
    }
    if !h.model.is_empty() {
        let scripted = if h.scripted { " (scripted)" } else { "" };
        parts.push(part(format!("model {}{scripted}", h.model), h.model.clone(), Role::Text, 2));
        let level = app.privacy().name();
        let (words, role) = if h.remote {
            (format!("{level} may leave"), Role::Warn)
        } else {
            (format!("privacy {level}"), Role::Dim)
        };
        parts.push(same(words, role, 1));
    }
    let waits = overlays::stops::words_of(app.stops);
    if !waits.is_empty() {
        parts.push(part(format!("‖ waits: {waits}"), format!("‖ {waits}"), Role::Warn, 1));
    }
    if !h.knowledge.is_empty() {
        let words = format!("knowledge {} {}", count(h.rules, "rule"), count(h.metrics, "metric"));
        parts.push(same(words, Role::Dim, 5));
    }
    parts
}

/// Says how the run stands: `run 7  ✓ answered`.
fn run_state(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    let Some(run) = &app.run else { return Vec::new() };
    let mut pieces = Vec::new();
    if !app.queue.is_empty() {
        pieces.push(pen.piece(format!("{} queued  ", app.queue.len()), Role::Warn));
    }
    let name = if run.replayed { "replay  ".to_owned() } else { format!("run {}  ", app.runs) };
    pieces.push(pen.piece(name, Role::Dim));
    pieces.push(match (&run.live.answer, run.running) {
        (Some(answer), _) => {
            let (words, role) = result_view::verdict(answer);
            pen.piece(words, role)
        }
        (None, true) if run.cancelling => pen.piece("cancelling", Role::Warn),
        (None, true) if run.paused().is_some() => pen.piece("‖ paused", Role::Warn),
        (None, true) => pen.piece(format!("{} running", spin(app)), Role::Accent),
        (None, false) => pen.piece("· ended", Role::Dim),
    });
    pieces
}

fn spin(app: &App) -> &'static str {
    let step = usize::try_from(app.clock / 100).unwrap_or(0);
    SPINNER.get(step % SPINNER.len()).copied().unwrap_or("·")
}

/// Draws the status line: what matters now, budgets, the two keys that open everything else.
fn status(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let end = area.right().saturating_sub(1);
    let mut help = Vec::new();
    for (key, words, _) in hints::of_status(app, area.width) {
        if !help.is_empty() {
            help.push(pen.piece("  ", Role::Dim));
        }
        help.push(pen.piece(key, Role::Key));
        help.push(pen.piece(format!(" {words}"), Role::Dim));
    }
    let mut right = pen.pieces_right(end, area.y, area.width / 2, &help);
    let mut now = now(app, pen);
    if let Some(words) = keys_state(app) {
        now.insert(0, pen.piece(format!("{words}  "), Role::Accent));
    }
    let wide: u16 = now.iter().map(|(text, _)| cols(text.width())).sum();
    let room = right.saturating_sub(area.x + 1 + wide);
    let told = app.run.as_ref().map(budgets).unwrap_or_default();
    let fits = told.into_iter().find(|words| cols(words.chars().count()) + 6 <= room);
    if let Some(words) = fits {
        right = pen.text_right(right - 3, area.y, room, &words, Role::Dim);
    }
    pen.pieces(area.x + 1, area.y, right.saturating_sub(area.x + 2), &now);
}

/// Counts what a run has spent of its budgets, in full and short.
fn budgets(run: &RunView) -> [String; 2] {
    let options = &run.live.question.options;
    let moment = run.moment();
    let own = |a: &&Attempt| !a.semantic_retry && a.origin != Origin::Person;
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

/// Says what matters now: a notice, the moment looked at, what the run waits for.
fn now(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    if let Some((words, tone, _)) = &app.notice {
        let (sign, role) = match tone {
            Tone::Done => ("✓ ", Role::Good),
            Tone::Trouble => ("! ", Role::Warn),
        };
        return vec![pen.piece(sign, role), pen.piece(words, Role::Text)];
    }
    if !app.running()
        && let Some((words, ms)) = app.waits.noticeable(app.clock)
    {
        return vec![
            pen.piece(format!("{} {words}", spin(app)), Role::Accent),
            pen.piece(format!("  {}.{} s", ms / 1000, ms / 100 % 10), Role::Dim),
        ];
    }
    let Some(run) = &app.run else {
        return match &app.door {
            Door::Opening => {
                vec![pen.piece(format!("{} opening the database", spin(app)), Role::Dim)]
            }
            Door::Shut(_, hint) => vec![pen.piece(hint, Role::Text)],
            Door::Open => vec![pen.piece("ready", Role::Dim)],
        };
    };
    if let Some(paused) = run.paused().filter(|_| !run.cancelling) {
        return waits(app, pen, paused);
    }
    if run.cursor.is_some() {
        let key = app.keys.key_of(Action::Follow);
        return vec![
            pen.piece(format!("◀ time: {}", moment_words(run)), Role::Past),
            pen.piece(format!("   {key} returns to now"), Role::Dim),
        ];
    }
    if run.running {
        let elapsed = app.clock.saturating_sub(run.since_ms);
        let what = match (run.cancelling, run.waiting.as_str()) {
            (true, _) => "cancelling",
            (false, "") => "working",
            (false, waiting) => waiting,
        };
        return vec![
            pen.piece(format!("{} {what}", spin(app)), Role::Accent),
            pen.piece(format!("  {}.{} s", elapsed / 1000, elapsed / 100 % 10), Role::Dim),
            pen.piece("  Esc cancels", Role::Dim),
        ];
    }
    match &app.door {
        Door::Opening => vec![pen.piece(format!("{} opening", spin(app)), Role::Dim)],
        Door::Shut(what, _) => vec![pen.piece(what, Role::Bad)],
        Door::Open => {
            let calls = run.live.calls().count() as u64;
            let mut words = format!("took {}", steps::duration(run.live.elapsed_us));
            if calls > 0 {
                words = format!("{words} · {}", count(calls, "model call"));
            }
            let mut now = vec![pen.piece(words, Role::Dim)];
            if run.live.question.parent.is_some() {
                let key = app.keys.key_of(Action::Compare);
                now.push(pen.piece(format!("   {key}"), Role::Key));
                now.push(pen.piece(" compares", Role::Dim));
            }
            now
        }
    }
}

/// Says where the run waits, and what can be done there.
fn waits(app: &App, pen: &Pen<'_>, paused: &Paused) -> Vec<Piece> {
    let changed =
        app.run.as_ref().is_some_and(|run| run.live.question.switches != app.context.switches);
    let go = match paused {
        _ if app.focus == Pane::Sql && app.sql.editing => "goes on with this SQL",
        _ if changed => "goes on with these switches",
        Paused::Approval { .. } => "runs it",
        Paused::Breakpoint { .. } => "goes on",
    };
    let mut pieces = vec![pen.piece(format!("‖ paused {}", paused.words()), Role::Warn)];
    let keys = [
        (app.keys.key_of(Action::Ask), go),
        (app.keys.key_of(Action::EditHere), "edits the SQL"),
        (app.keys.key_of(Action::StopHere), "stops"),
    ];
    for (key, words) in keys {
        pieces.push(pen.piece("  ", Role::Dim));
        pieces.push(pen.piece(key, Role::Key));
        pieces.push(pen.piece(format!(" {words}"), Role::Dim));
    }
    pieces
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
