//! Kinds of chart with their reasons, or columns of the result, to choose from.

use ratatui::layout::Rect;

use crate::chart::{Facts, Sheet, Sort};

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::panes::result_chart::Charting;
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The kind.
    Kind,
    /// The column along the axis.
    Along,
    /// The numbers that are drawn.
    Numbers,
    /// The column that tells series apart.
    Split,
}

/// State of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// What is chosen.
    what: What,
    rows: Vec<Row>,
    cursor: Cursor,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    /// The column; none leaves the choice to the program.
    column: Option<usize>,
    words: String,
    note: String,
    /// It suits, or can be chosen.
    fits: bool,
    /// It is drawn now.
    drawn: bool,
}

impl List {
    /// Lists what a chart can be.
    pub fn of(chart: &Charting, what: What) -> Self {
        let rows = if what == What::Kind { kinds(chart) } else { columns(chart, what) };
        let at = rows.iter().position(|row| row.drawn).unwrap_or(0);
        List { what, rows, cursor: Cursor { at, top: 0 } }
    }
}

fn kinds(chart: &Charting) -> Vec<Row> {
    let now = chart.proposal().map(|p| p.kind);
    let row = |(n, p): (usize, &crate::chart::Proposal)| Row {
        column: Some(n),
        words: p.kind.name().to_owned(),
        note: p.reason.clone(),
        fits: p.fit > 0,
        drawn: Some(p.kind) == now,
    };
    chart.proposals.iter().enumerate().map(row).collect()
}

fn columns(chart: &Charting, what: What) -> Vec<Row> {
    let pick = chart.proposal().map(|p| p.pick.clone()).unwrap_or_default();
    let drawn = |n: usize| match what {
        What::Along => pick.x == Some(n),
        What::Numbers => pick.ys.contains(&n),
        What::Split => pick.split == Some(n),
        What::Kind => false,
    };
    let mut rows = vec![Row {
        column: None,
        words: "as it suits".to_owned(),
        note: "the columns are chosen for you".to_owned(),
        fits: true,
        drawn: false,
    }];
    let all = chart.sheet.as_deref().map_or(&[][..], Sheet::facts);
    for (n, facts) in all.iter().enumerate() {
        rows.push(Row {
            column: Some(n),
            words: facts.name.clone(),
            note: note(facts),
            fits: fits(facts, what),
            drawn: drawn(n),
        });
    }
    rows
}

/// Tells whether a column can be chosen.
fn fits(facts: &Facts, what: What) -> bool {
    match (what, facts.sort) {
        (_, Sort::Empty | Sort::Bytes)
        | (What::Numbers, Sort::Date)
        | (What::Split, Sort::Number) => false,
        (What::Numbers, Sort::Label) => facts.key && facts.longest > 0 && facts.low <= facts.high,
        (What::Numbers, Sort::Number | Sort::Part)
        | (What::Split | What::Along | What::Kind, _) => true,
    }
}

fn note(facts: &Facts) -> String {
    let sort = match facts.sort {
        Sort::Number => "numbers",
        Sort::Date => "dates",
        Sort::Part => "parts of the calendar",
        Sort::Label if facts.key => "ids",
        Sort::Label => "names",
        Sort::Bytes => "bytes",
        Sort::Empty => "nothing but NULL",
    };
    let nulls = if facts.nulls > 0 { format!(", {} NULL", facts.nulls) } else { String::new() };
    format!("{sort}, {} different{nulls}", facts.distinct)
}

/// Moves, takes the row, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = Layout::of(app).body;
    let Some(Overlay::ChartList(list)) = &mut app.overlay else { return Vec::new() };
    let height = usize::from(super::inner(area(list, body)).height);
    let count = list.rows.len();
    match action {
        Action::Switch => take(app, false),
        Action::Open => take(app, true),
        Action::Cancel => app.overlay = None,
        other => {
            if let Some(step) = Move::of(other, height) {
                list.cursor.step(step, height, count);
            }
        }
    }
    Vec::new()
}

fn area(list: &List, body: Rect) -> Rect {
    let height = cols(list.rows.len()) + 2;
    super::place(body, 96, height.min(body.height.saturating_sub(2)).max(3))
}

/// Takes the row under the cursor; `alone` draws only this number.
fn take(app: &mut App, alone: bool) {
    let Some(Overlay::ChartList(list)) = &app.overlay else { return };
    let (what, at) = (list.what, list.cursor.at);
    let Some(row) = list.rows.get(at).cloned() else { return };
    let Some(chart) = &mut app.chart else { return };
    if !row.fits {
        let words = match what {
            What::Kind => format!("{} doesn't suit: {}.", row.words, row.note),
            What::Along | What::Numbers | What::Split => {
                format!("{} can't be drawn here: {}.", row.words, row.note)
            }
        };
        app.say(words, Tone::Trouble);
        return;
    }
    match (what, row.column) {
        (What::Kind, column) => {
            chart.kind = column.and_then(|n| chart.proposals.get(n)).map(|p| p.kind);
        }
        (What::Along, column) => chart.own.x = column,
        (What::Split, column) => chart.own.split = column,
        (What::Numbers, None) => chart.own.ys.clear(),
        (What::Numbers, Some(column)) if alone => {
            // what was switched on stays; Enter takes it
            if !chart.own.ys.contains(&column) {
                chart.own.ys = vec![column];
            }
        }
        (What::Numbers, Some(column)) => {
            if chart.own.ys.is_empty() {
                chart.own.ys = chart.proposal().map(|p| p.pick.ys.clone()).unwrap_or_default();
            }
            match chart.own.ys.iter().position(|n| *n == column) {
                Some(place) => drop(chart.own.ys.remove(place)),
                None => chart.own.ys.push(column),
            }
        }
    }
    chart.decide();
    if alone || what != What::Numbers {
        app.overlay = None;
        return;
    }
    let mut list = List::of(chart, what);
    list.cursor.at = at;
    app.overlay = Some(Overlay::ChartList(list));
}

/// Draws the list.
pub fn draw(app: &App, list: &List, pen: &mut Pen<'_>, body: Rect) {
    let title = match list.what {
        What::Kind => "Kinds of chart",
        What::Along => "Along the axis",
        What::Numbers => "Numbers · Space draws several",
        What::Split => "Series apart by",
    };
    let inside = super::front(app, pen, area(list, body), title, Place::ChartList);
    let mut cursor = list.cursor;
    let height = usize::from(inside.height);
    cursor.settle(height, list.rows.len());
    super::more(pen, inside, cursor.top, height, list.rows.len());
    for (n, row) in list.rows.iter().enumerate().skip(cursor.top).take(height) {
        let y = inside.y + cols(n - cursor.top);
        let sign = match (row.drawn, row.fits) {
            (true, _) => "●",
            (false, true) => "·",
            (false, false) => "✗",
        };
        let role = if row.fits { Role::Overlay } else { Role::Dim };
        let x = pen.text(inside.x + 1, y, 1, sign, Role::Accent) + 1;
        let words = 26.min(inside.width / 3);
        pen.text(x, y, words, &row.words, role);
        let note = x + words + 1;
        pen.text(note, y, inside.right().saturating_sub(note + 1), &row.note, Role::Dim);
        if n == list.cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
