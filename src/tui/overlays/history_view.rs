//! Draws the list of past runs in columns, with the chosen one at the right where there is room.

use ratatui::layout::Rect;

use crate::domain::counts::{count, grouped};
use crate::pipeline::StoredRun;
use crate::shown::Shown;

use super::super::app::App;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::list::Cursor;
use super::super::widgets::pen::{Pen, cols};
use super::history::{Runs, outcome};

/// Columns from which the chosen run is shown beside the list.
const BESIDE: u16 = 120;

/// Columns of the time a run was asked.
const WHEN: u16 = 16;

/// Columns of the outcome with its sign.
const OUTCOME: u16 = 14;

/// Columns of the number of rows.
const ROWS: u16 = 10;

/// Columns of rating and verification.
const RATING: u16 = 8;

/// Columns of the model.
const MODEL: u16 = 22;

fn area(body: Rect) -> Rect {
    let width = body.width.saturating_sub(4).max(body.width.min(80)).min(190);
    super::place(body, width, body.height.saturating_sub(2).max(3))
}

/// Returns the runs that have room in the list.
pub fn height(body: Rect) -> usize {
    usize::from(parts(super::inner(area(body))).0.height)
}

/// Splits the inside: words that narrow, the list, the chosen run.
fn parts(inside: Rect) -> (Rect, Option<Rect>) {
    let list = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    if inside.width < BESIDE {
        return (list, None);
    }
    let wide = inside.width * 2 / 5;
    let beside = Rect { x: inside.right() - wide, y: inside.y, width: wide, height: inside.height };
    (Rect { width: inside.width - wide - 1, ..list }, Some(beside))
}

fn settled(runs: &Runs, height: u16, count: usize) -> Cursor {
    let mut cursor = runs.cursor;
    cursor.settle(usize::from(height), count);
    cursor
}

/// Draws the list.
pub fn draw(app: &App, runs: &Runs, pen: &mut Pen<'_>, body: Rect) {
    let place = if runs.searching { Place::Search } else { Place::Runs };
    let inside = super::front(app, pen, area(body), "Past runs of this database", place);
    if inside.height < 4 {
        return;
    }
    let (list, beside) = parts(inside);
    narrowing(app, runs, pen, Rect { height: 1, width: list.width, ..inside });
    let rows = runs.rows();
    if rows.is_empty() {
        let words = match &runs.runs {
            None => "Reading past runs …",
            Some(all) if all.is_empty() => "Nothing was asked of this database yet.",
            Some(_) => "No past run fits.",
        };
        pen.text(list.x + 1, list.y, list.width.saturating_sub(2), words, Role::Dim);
    } else {
        heads(pen, Rect { y: list.y - 1, height: 1, ..list });
    }
    let cursor = settled(runs, list.height, rows.len());
    super::more(pen, inside, cursor.top, usize::from(list.height), rows.len());
    let shown = rows.iter().enumerate().skip(cursor.top).zip(list.y..list.bottom());
    for ((n, run), y) in shown {
        let line = Rect { y, height: 1, ..list };
        draw_row(pen, line, run, runs.marked.contains(&run.run));
        if n == cursor.at {
            pen.lay(line, Role::Cursor);
        }
    }
    if let (Some(beside), Some(run)) = (beside, rows.get(cursor.at)) {
        draw_chosen(pen, beside, run);
    }
}

/// Draws what narrows the list, and how many runs it leaves.
fn narrowing(app: &App, runs: &Runs, pen: &mut Pen<'_>, line: Rect) {
    let left = runs.rows().len();
    let all = runs.runs.as_ref().map_or(0, Vec::len);
    let mut said: Vec<String> = runs.narrowed().into_iter().map(str::to_owned).collect();
    said.push(if left == all { format!("{all}") } else { format!("{left} of {all}") });
    let said = said.join(" · ");
    let from =
        pen.text_right(line.right().saturating_sub(1), line.y, line.width / 2, &said, Role::Dim);
    let words = Rect { width: from.saturating_sub(line.x + 1), ..line };
    if runs.searching {
        super::filter_line(pen, words, &runs.filter, "words of question, SQL or outcome");
    } else if runs.filter.is_empty() {
        let key = app.keys.key_in(&[Place::Runs], super::super::action::Action::Find);
        let hint = format!("{} narrows", key.unwrap_or_default());
        pen.text(words.x + 1, words.y, words.width, &hint, Role::Dim);
    } else {
        pen.text(words.x + 1, words.y, words.width, &runs.filter, Role::Text);
    }
}

/// Where columns stand in a line; a column without room is none.
struct Columns {
    question: (u16, u16),
    outcome: u16,
    rows: Option<u16>,
    rating: Option<u16>,
    model: Option<u16>,
}

fn columns(line: Rect) -> Columns {
    let end = line.right().saturating_sub(1);
    let (rows, rating, model) = (line.width >= 78, line.width >= 78, line.width >= 110);
    let mut at = end;
    let mut take = |wanted: bool, wide: u16| {
        wanted.then(|| {
            at = at.saturating_sub(wide + 1);
            at + 1
        })
    };
    let model = take(model, MODEL);
    let rating = take(rating, RATING);
    let rows = take(rows, ROWS);
    // on a narrow screen the sign alone tells the outcome
    let outcome = take(true, if line.width >= 60 { OUTCOME } else { 1 }).unwrap_or(end);
    let from = line.x + 3 + if line.width >= 60 { WHEN + 2 } else { 0 };
    Columns { question: (from, outcome.saturating_sub(from + 1)), outcome, rows, rating, model }
}

fn heads(pen: &mut Pen<'_>, line: Rect) {
    let at = columns(line);
    let y = line.y;
    if line.width >= 60 {
        pen.text(line.x + 3, y, WHEN, "when", Role::Dim);
        pen.text(at.outcome, y, OUTCOME, "  outcome", Role::Dim);
    }
    pen.text(at.question.0, y, at.question.1, "question", Role::Dim);
    if let Some(x) = at.rows {
        pen.text_right(x + ROWS - 1, y, ROWS, "rows", Role::Dim);
    }
    if let Some(x) = at.rating {
        pen.text(x, y, RATING, "rating", Role::Dim);
    }
    if let Some(x) = at.model {
        pen.text(x, y, MODEL, "model", Role::Dim);
    }
}

fn when(run: &StoredRun) -> String {
    run.asked_at.chars().take(usize::from(WHEN)).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

fn outcome_role(sign: &str) -> Role {
    match sign {
        "✓" => Role::Good,
        "!" | "?" => Role::Warn,
        "·" => Role::Dim,
        _ => Role::Bad,
    }
}

fn rating(run: &StoredRun) -> String {
    let verified = if run.verified_by.is_empty() { "" } else { "✓ pair" };
    let space = if run.rating.is_empty() || verified.is_empty() { "" } else { " " };
    format!("{}{space}{verified}", run.rating)
}

fn draw_row(pen: &mut Pen<'_>, line: Rect, run: &StoredRun, marked: bool) {
    let at = columns(line);
    let y = line.y;
    if marked {
        pen.text(line.x + 1, y, 1, "●", Role::Accent);
    }
    if line.width >= 60 {
        pen.text(line.x + 3, y, WHEN, &when(run), Role::Dim);
    }
    let question = run.question.split_whitespace().collect::<Vec<_>>().join(" ");
    pen.text(at.question.0, y, at.question.1, &question, Role::Overlay);
    let (sign, words) = outcome(run);
    let role = outcome_role(sign);
    pen.text(at.outcome, y, 1, sign, role);
    if line.width >= 60 {
        pen.text(at.outcome + 2, y, OUTCOME - 2, words, role);
    }
    if let (Some(x), Some(rows)) = (at.rows, run.rows) {
        pen.text_right(x + ROWS - 1, y, ROWS, &grouped(rows), Role::Overlay);
    }
    if let Some(x) = at.rating {
        pen.text(x, y, RATING, &rating(run), Role::Good);
    }
    if let Some(x) = at.model {
        pen.text(x, y, MODEL, &run.model, Role::Dim);
    }
}

/// Draws the chosen run: its question whole, its terms, its SQL.
fn draw_chosen(pen: &mut Pen<'_>, beside: Rect, run: &StoredRun) {
    for y in beside.y..beside.bottom() {
        pen.text(beside.x, y, 1, "│", Role::Border);
    }
    let (x, width) = (beside.x + 2, beside.width.saturating_sub(3));
    let (_, words) = outcome(run);
    let rows = run.rows.map(|rows| format!(" · {}", count(rows, "row"))).unwrap_or_default();
    let verified = match run.verified_by.as_str() {
        "" => String::new(),
        by => format!(" · verified by {by}"),
    };
    let facts = format!("{words}{rows}{verified} · {}", run.model);
    let wrap = |text: &str| -> Vec<Shown> {
        Shown::lines(text).iter().flat_map(|line| line.wrap(usize::from(width))).collect()
    };
    let mut lines: Vec<(Shown, Role)> = Vec::new();
    lines.extend(wrap(&run.question).into_iter().map(|line| (line, Role::Overlay)));
    lines.push((Shown::new(""), Role::Dim));
    lines.extend(wrap(&facts).into_iter().map(|line| (line, Role::Dim)));
    lines.push((Shown::new(""), Role::Dim));
    if run.sql.is_empty() {
        lines.push((Shown::new("No SQL answered it."), Role::Dim));
    } else if run.sql != run.question {
        lines.extend(wrap(&run.sql).into_iter().map(|line| (line, Role::Overlay)));
    }
    let height = usize::from(beside.height);
    let cut = lines.len().saturating_sub(height);
    if cut > 0 {
        lines.truncate(height.saturating_sub(1));
        lines.push((Shown::from(format!("… {} more lines", cut + 1)), Role::Dim));
    }
    for (n, (line, role)) in lines.iter().enumerate() {
        let style = pen.style(*role);
        pen.put(x, beside.y + cols(n), width, line, style);
    }
}
