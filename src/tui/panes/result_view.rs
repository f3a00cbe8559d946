//! Draws the result pane: the summary, the grid, or why there is none and what can be done.

use ratatui::layout::{Position, Rect};

use crate::domain::counts::count;
use crate::domain::{Answer, Severity, Status, Trust, Version};
use crate::shown::{Shown, in_one_line};

use super::super::app::{App, Door};
use super::super::layout::{Layout, Pane};
use super::super::moment::RunView;
use super::super::overlays::{Overlay, prompt};
use super::super::theme::Role;
use super::super::widgets::grid::Marks;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::{result, result_title};

/// Rows of the summary and the reasons at most, so that data keeps its room.
const WORDS_AT_MOST: usize = 5;

/// A line of words.
type Words = (Shown, Role);

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    if super::result_chart::showing(app) {
        super::result_chart::draw(app, pen, area);
        return None;
    }
    let shows_rows = result::wanted(app).is_some();
    let frame = super::frame(
        app,
        pen,
        Pane::Result,
        result_title::title(app, pen, shows_rows),
        right(app, pen, area, shows_rows),
    );
    let inside = pen.frame(area, &frame);
    if inside.height == 0 {
        return None;
    }
    let width = inside.width.saturating_sub(2);
    let mut words =
        if shows_rows { above_grid(app, inside) } else { instead(app, usize::from(width)) };
    shorten(&mut words, usize::from(inside.height), usize::from(width));
    for ((text, role), y) in words.iter().zip(inside.y..inside.bottom()) {
        let style = pen.style(*role);
        pen.put(inside.x + 1, y, width, text, style);
    }
    if shows_rows {
        let grid = grid_area(app, inside);
        let filtered = app.looking.filtered();
        let marks = Marks {
            focused: app.focus == Pane::Result,
            sort: &app.looking.view.sort,
            filtered: &filtered,
            found: &app.looking.find.low,
        };
        app.grid.draw(pen, grid, marks);
        if let Some(words) = no_rows(app) {
            let y = grid.y + if app.grid.columns().is_empty() { 0 } else { 2 };
            if y < grid.bottom() {
                pen.text(inside.x + 1, y, width, &words, Role::Dim);
            }
        }
    }
    None
}

/// Says what goes on, else how many rows stand above and below.
fn right(app: &App, pen: &Pen<'_>, area: Rect, shows_rows: bool) -> Vec<Piece> {
    let work = result_title::work(app, pen);
    if !work.is_empty() || !shows_rows {
        return work;
    }
    let inside = Layout::inside_of(area);
    let height = usize::from(grid_area(app, inside).height.saturating_sub(2));
    let (top, count) = app.grid.window();
    super::unseen(pen, top, height, count)
}

/// Says why the grid holds no rows.
fn no_rows(app: &App) -> Option<String> {
    let (total, finished) = app.grid.total();
    if total > 0 || !finished {
        return None;
    }
    if app.grid.result.as_ref().is_some_and(|result| result.view > 0) {
        return Some("No row passes the filter.".to_owned());
    }
    let version = app.run.as_ref()?.version().map(|(_, _, version)| version);
    match version.and_then(|v| v.rows.as_ref()).map_or(0, |rows| rows.row_count) {
        0 => Some("No rows.".to_owned()),
        n => Some(format!("{} came; they are no longer kept.", count(n, "row"))),
    }
}

/// Returns where the grid stands, below the words.
pub fn grid_area(app: &App, inside: Rect) -> Rect {
    let words = if result::wanted(app).is_some() { above_grid(app, inside).len() } else { 0 };
    let skip = cols(words).min(inside.height);
    let foot = if matches!(app.overlay, Some(Overlay::Prompt(_))) {
        prompt_area(inside).height.min(inside.height - skip)
    } else {
        0
    };
    Rect { y: inside.y + skip, height: inside.height - skip - foot, ..inside }
}

/// Returns where a prompt stands, at the foot.
pub fn prompt_area(inside: Rect) -> Rect {
    let height = if inside.height >= 12 { prompt::ROWS } else { 1 };
    let height = height.min(inside.height);
    Rect { y: inside.bottom() - height, height, ..inside }
}

/// Says how a run ended, with its sign.
pub fn verdict(answer: &Answer) -> (String, Role) {
    match (answer.status, answer.trust) {
        (Status::Answered, Some(Trust::Certified)) => ("✓ certified".to_owned(), Role::Good),
        (Status::Answered, Some(Trust::Grounded)) => ("✓ grounded".to_owned(), Role::Good),
        (Status::Answered, Some(Trust::NeedsReview)) => ("! needs review".to_owned(), Role::Warn),
        (Status::Answered, None) => ("✓ answered".to_owned(), Role::Good),
        (Status::Clarify, _) => ("? asks back".to_owned(), Role::Warn),
        (Status::Declined, _) => ("✗ declined".to_owned(), Role::Bad),
        (Status::GaveUp, _) => ("✗ gave up".to_owned(), Role::Bad),
        (Status::Cancelled, _) => ("· cancelled".to_owned(), Role::Dim),
    }
}

/// Makes the lines above the grid: the summary, and what is open.
fn above_grid(app: &App, inside: Rect) -> Vec<Words> {
    let Some(run) = &app.run else { return Vec::new() };
    let Some(answer) = run.moment().answer.as_ref().filter(|a| a.status == Status::Answered) else {
        return Vec::new();
    };
    if run.place() != answer.chosen {
        return Vec::new();
    }
    let width = usize::from(inside.width.saturating_sub(2));
    let mut lines: Vec<Words> = Vec::new();
    // what is wrong with a table comes before what it says: where there is little room, it stays
    if answer.trust == Some(Trust::NeedsReview) {
        for reason in &answer.reasons {
            bullet(&mut lines, "! ", reason, width, Role::Warn);
        }
    }
    // what was said of all rows would be wrong of some of them, or of another order
    let plain = app.grid.result.as_ref().is_none_or(|result| result.view == 0);
    if plain && !answer.summary.is_empty() {
        let summary = Shown::new(&in_one_line(&answer.summary));
        lines.extend(summary.wrap(width).into_iter().map(|line| (line, Role::Text)));
    }
    for assumption in &answer.assumptions {
        bullet(&mut lines, "· ", &format!("taken for granted: {assumption}"), width, Role::Dim);
    }
    // two thirds of the room are the data's
    let room = (usize::from(inside.height).saturating_sub(2) / 3).clamp(1, WORDS_AT_MOST);
    shorten(&mut lines, room, width);
    if !lines.is_empty() {
        lines.push((Shown::default(), Role::Text));
    }
    lines
}

/// Leaves out what has no room; the last line then ends in `…`.
fn shorten(lines: &mut Vec<Words>, room: usize, width: usize) {
    if lines.len() <= room {
        return;
    }
    lines.truncate(room);
    if let Some((last, _)) = lines.last_mut() {
        let mut cut = std::mem::take(last).head(width.saturating_sub(1));
        cut.push(&Shown::new("…"));
        *last = cut;
    }
}

fn bullet(lines: &mut Vec<Words>, sign: &str, words: &str, width: usize, role: Role) {
    let mut sign = Shown::new(sign);
    for part in Shown::new(&in_one_line(words)).wrap(width.saturating_sub(2)) {
        let mut line = std::mem::replace(&mut sign, Shown::new("  "));
        line.push(&part);
        lines.push((line, role));
    }
}

/// Makes the lines that stand where there are no rows.
fn instead(app: &App, width: usize) -> Vec<Words> {
    let mut lines: Vec<Words> = Vec::new();
    let mut say = |words: &str, role: Role| {
        for line in Shown::lines(words) {
            lines.extend(line.wrap(width).into_iter().map(|part| (part, role)));
        }
    };
    match (&app.run, &app.door) {
        (None, Door::Shut(what, hint)) => {
            say(what, Role::Bad);
            say(hint, Role::Text);
        }
        (None, _) => say("Rows appear here.", Role::Dim),
        (Some(run), _) => about_run(run, &mut say),
    }
    lines
}

fn about_run(run: &RunView, say: &mut impl FnMut(&str, Role)) {
    let answer = run.moment().answer.as_ref();
    if let Some(answer) = answer.filter(|answer| answer.status != Status::Answered) {
        ending(answer, say);
        return;
    }
    let Some((_, _, version)) = run.version() else {
        if run.running {
            let words = if run.waiting.is_empty() { "Nothing has run yet." } else { &run.waiting };
            say(words, Role::Dim);
        } else {
            say("Nothing was run at this moment.", Role::Dim);
        }
        return;
    };
    match &version.failure {
        Some(failure) => {
            say(&stopped(version), Role::Text);
            if failure.diagnostics.iter().all(|d| d.span.is_none()) {
                say(&failure.message(), Role::Bad);
            }
        }
        None => blocked(run, version, say),
    }
    if let Some(words) = way_out(run) {
        say("", Role::Text);
        say(&words, Role::Dim);
    }
}

/// Says what stopped a version before its rows came.
fn stopped(version: &Version) -> String {
    use crate::domain::Stage;
    let Some(failure) = &version.failure else { return String::new() };
    let n = failure.diagnostics.len();
    let unknown = failure.diagnostics.iter().filter(|d| d.code.starts_with("no_such")).count();
    match failure.stage {
        Stage::Bind if unknown == n => {
            format!("Stopped before running: {} unknown.", count(n, "name"))
        }
        Stage::Parse | Stage::Bind | Stage::Prepare => {
            format!(
                "Stopped before running, at {}: {}.",
                failure.stage.name(),
                count(n as u64, "error")
            )
        }
        Stage::Run => "The engine stopped while running it.".to_owned(),
        Stage::Limit => "Stopped at a limit.".to_owned(),
        Stage::Policy => "Refused.".to_owned(),
        Stage::Model => "The model gave nothing that can be used.".to_owned(),
        Stage::Connection => "The connection to the database is gone.".to_owned(),
    }
}

fn blocked(run: &RunView, version: &Version, say: &mut impl FnMut(&str, Role)) {
    let blocking = version.findings.iter().find(|f| f.severity == Severity::Blocking);
    match (blocking, &version.rows) {
        (Some(finding), _) => say(&format!("Stopped: {}", finding.message), Role::Bad),
        (None, Some(rows)) => {
            let later =
                format!("Not run yet at this moment. It gave {}.", count(rows.row_count, "row"));
            say(&later, Role::Text);
        }
        (None, None) if run.running => {
            let words = if run.waiting.is_empty() { "Not run yet." } else { run.waiting.as_str() };
            say(words, Role::Dim);
        }
        (None, None) => say("It was not run.", Role::Dim),
    }
}

/// Points to the version that gave rows.
fn way_out(run: &RunView) -> Option<String> {
    let here = run.place()?;
    let (n, at) = run.versions().into_iter().rfind(|place| *place != here && ran(run, *place))?;
    let attempt = run.live.attempts.iter().find(|a| a.n == n)?;
    let rows = attempt.versions.get(at)?.rows.as_ref()?;
    let which = if n == here.0 && at > here.1 {
        "Mended: a later version gives".to_owned()
    } else {
        format!("Attempt {n} gives")
    };
    Some(format!("{which} {}. Enter goes there.", count(rows.row_count, "row")))
}

fn ran(run: &RunView, (n, at): (u32, usize)) -> bool {
    let attempt = run.live.attempts.iter().find(|a| a.n == n);
    attempt.and_then(|a| a.versions.get(at)).is_some_and(|v| v.rows.is_some())
}

/// Says why there is no answer, and what to do.
fn ending(answer: &Answer, say: &mut impl FnMut(&str, Role)) {
    if let Some(clarify) = &answer.clarify {
        say(&clarify.question, Role::Text);
        say("", Role::Text);
        for (n, choice) in clarify.choices.iter().enumerate() {
            say(&format!("{} {choice}", n + 1), Role::Accent);
        }
        return;
    }
    if let Some(stop) = &answer.stop {
        say(&stop.message, Role::Text);
        say("", Role::Text);
        say(&stop.hint, Role::Accent);
    } else if answer.status == Status::Cancelled && answer.reasons.is_empty() {
        say("Cancelled. The database has stopped working on it.", Role::Text);
    } else if answer.status == Status::Cancelled {
        // where and how it was stopped is all that is to be said
        for reason in &answer.reasons {
            say(reason, Role::Text);
        }
        return;
    }
    for reason in &answer.reasons {
        say(reason, Role::Dim);
    }
}
