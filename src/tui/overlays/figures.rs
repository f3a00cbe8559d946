//! Figures of a column: how many, how different, least to greatest, how they spread.

use ratatui::layout::Rect;

use crate::domain::counts::{count, grouped};
use crate::domain::{ColumnSummary, Histogram, ResultId};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::theme::Role;
use super::super::widgets::bar;
use super::super::widgets::grid::cell;
use super::super::widgets::pen::{Pen, cols};
use super::super::widgets::scroll;
use super::Overlay;

/// Columns of a figure's name.
const NAMES: u16 = 14;

/// A column that is summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    of: ResultId,
    col: usize,
    name: String,
    /// When it was asked for.
    since: u64,
    told: Told,
    top: usize,
}

/// How far it is.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    /// Being summed up.
    Waiting,
    /// The rows are no longer kept.
    Gone,
    /// Here they are.
    Here(Box<ColumnSummary>),
}

/// A line: a name, and its figure or a bar.
enum Row {
    Figure(&'static str, String),
    Bar(String, u64, u64),
    Title(&'static str),
    Blank,
}

/// Sums up the cursor's column.
pub fn open(app: &mut App) -> Vec<Effect> {
    let (Some(of), Some(column)) =
        (app.looking.shown().cloned(), app.grid.columns().get(app.grid.col))
    else {
        app.say("There is no column here.", Tone::Trouble);
        return Vec::new();
    };
    let (col, name) = (app.grid.col, column.name.clone());
    let figures =
        Figures { of: of.clone(), col, name, since: app.clock, told: Told::Waiting, top: 0 };
    app.overlay = Some(Overlay::Figures(figures));
    vec![Effect::Summarize(of, col)]
}

/// Takes the figures, when the overlay still waits for them.
pub fn take(app: &mut App, of: &ResultId, col: usize, summary: Option<Box<ColumnSummary>>) {
    if let Some(Overlay::Figures(figures)) = &mut app.overlay
        && figures.of == *of
        && figures.col == col
    {
        figures.told = summary.map_or(Told::Gone, Told::Here);
    }
}

impl Figures {
    /// Tells whether it waits.
    pub fn waiting(&self) -> bool {
        self.told == Told::Waiting
    }

    /// Lists the lines; none while it waits.
    fn rows(&self) -> Vec<Row> {
        match &self.told {
            Told::Here(summary) => rows(summary),
            Told::Waiting | Told::Gone => Vec::new(),
        }
    }
}

/// Scrolls, goes to the next column, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = Layout::of(app).body;
    let Some(Overlay::Figures(figures)) = &mut app.overlay else { return Vec::new() };
    let rows = figures.rows().len();
    let height = usize::from(super::inner(area(rows, body)).height);
    if let Some(top) = scroll::by(action, figures.top, height, rows) {
        figures.top = top;
        return Vec::new();
    }
    match action {
        Action::Left | Action::Right => {
            app.grid.go(0, if action == Action::Left { -1 } else { 1 });
            return open(app);
        }
        Action::Copy => {
            let Told::Here(summary) = &figures.told else { return Vec::new() };
            let text = text(summary);
            app.say(format!("Copied {}.", count(text.len(), "byte")), Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel => {
            let waits = figures.waiting();
            app.overlay = None;
            return if waits { vec![Effect::StopSummarizing] } else { Vec::new() };
        }
        _ => {}
    }
    Vec::new()
}

/// Writes the figures as lines of name and value, with a tab between.
fn text(summary: &ColumnSummary) -> String {
    let line = |row: Row| match row {
        Row::Figure(name, value) => Some(format!("{name}\t{value}")),
        Row::Bar(name, count, _) => Some(format!("{name}\t{count}")),
        Row::Title(_) | Row::Blank => None,
    };
    rows(summary).into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

fn rows(summary: &ColumnSummary) -> Vec<Row> {
    let mut rows = counts(summary);
    let value = |value: &crate::domain::Value| cell(value, 60).to_string();
    for (name, found) in [("least", &summary.least), ("greatest", &summary.greatest)] {
        if let Some(found) = found {
            rows.push(Row::Figure(name, value(found)));
        }
    }
    if let Some(sum) = &summary.sum {
        rows.push(Row::Figure("sum", value(sum)));
    }
    for (name, found) in [("mean", summary.mean), ("median", summary.median)] {
        if let Some(found) = found {
            rows.push(Row::Figure(name, short(found)));
        }
    }
    if let Some(lengths) = summary.lengths {
        let words = format!(
            "{} to {}, {} on average",
            grouped(lengths.least),
            count(lengths.greatest, "character"),
            short(lengths.mean)
        );
        rows.push(Row::Figure("length", words));
    }
    if let Some(histogram) = summary.histogram.as_ref().filter(|h| h.counts.len() > 1) {
        rows.extend([Row::Blank, Row::Title("how they spread")]);
        rows.extend(spread(histogram));
    }
    if !summary.top.is_empty() {
        let title = if summary.top_exact {
            "most frequent"
        } else {
            "most frequent, as far as was counted"
        };
        rows.extend([Row::Blank, Row::Title(title)]);
        let most = summary.top.iter().map(|(_, count)| *count).max().unwrap_or(1);
        let bar = |(found, count): &(crate::domain::Value, u64)| {
            Row::Bar(cell(found, 40).to_string(), *count, most)
        };
        rows.extend(summary.top.iter().map(bar));
    }
    rows
}

/// Counts cells by what they are, leaving out what there is none of.
fn counts(summary: &ColumnSummary) -> Vec<Row> {
    let share = |n: u64| {
        let rows = u128::from(summary.rows);
        let tenths = (u128::from(n) * 1000 + rows / 2).checked_div(rows).unwrap_or(0);
        if n == 0 || u128::from(n) == rows {
            grouped(n)
        } else {
            format!("{} · {}.{} %", grouped(n), tenths / 10, tenths % 10)
        }
    };
    let so_far = if summary.complete { "" } else { " so far" };
    let mut rows = vec![Row::Figure("rows", format!("{}{so_far}", grouped(summary.rows)))];
    rows.push(Row::Figure("NULL", share(summary.nulls)));
    let kinds = [
        ("empty texts", summary.empty),
        ("integers", summary.integers),
        ("reals", summary.reals),
        ("texts", summary.texts),
        ("blobs", summary.blobs),
    ];
    rows.extend(
        kinds.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| Row::Figure(name, share(n))),
    );
    let least = if summary.distinct_exact { "" } else { "at least " };
    let mut distinct = format!("{least}{}", grouped(summary.distinct));
    if summary.distinct_exact && summary.distinct == summary.rows && summary.rows > 1 {
        distinct.push_str(" · each once");
    }
    rows.push(Row::Figure("distinct", distinct));
    rows
}

/// Joins the ranges of a histogram to at most ten lines.
fn spread(histogram: &Histogram) -> Vec<Row> {
    let by = histogram.counts.len().div_ceil(10);
    let joined: Vec<u64> = histogram.counts.chunks(by).map(|counts| counts.iter().sum()).collect();
    let most = joined.iter().copied().max().unwrap_or(1);
    #[expect(clippy::cast_precision_loss, reason = "a few ranges")]
    let parts = histogram.counts.len() as f64;
    let line = |(n, count): (usize, &u64)| {
        #[expect(clippy::cast_precision_loss, reason = "a few ranges")]
        // weighed, because the whole width may be beyond the greatest real
        let share = (n * by) as f64 / parts;
        let from = histogram.from * (1.0 - share) + histogram.to * share;
        let name = if histogram.whole {
            whole_name(histogram, n * by, by)
        } else {
            format!("from {}", short(from))
        };
        Row::Bar(name, *count, most)
    };
    joined.iter().enumerate().map(line).collect()
}

/// Names ranges of whole numbers by their first and last one: `3`, `4 to 6`.
#[expect(clippy::cast_precision_loss, reason = "a few ranges")]
fn whole_name(histogram: &Histogram, first: usize, ranges: usize) -> String {
    let width = (histogram.to - histogram.from) / histogram.counts.len() as f64;
    let end = (first + ranges).min(histogram.counts.len());
    let least = histogram.from + 0.5 + first as f64 * width;
    let greatest = histogram.from - 0.5 + end as f64 * width;
    if least < greatest { format!("{} to {}", short(least), short(greatest)) } else { short(least) }
}

/// Writes a figure of ours with four digits that count, whole ones in full.
fn short(n: f64) -> String {
    if !n.is_finite() || (n.fract() == 0.0 && n.abs() < 1e15) {
        return format!("{n}");
    }
    let size = n.abs();
    if !(1e-4..1e12).contains(&size) {
        return format!("{n:.3e}");
    }
    let digits = if size >= 100.0 { 2 } else { 4 };
    let text = format!("{n:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn area(rows: usize, body: Rect) -> Rect {
    let height = cols(rows.max(12)).saturating_add(2);
    super::place(body, 72, height.min(body.height.saturating_sub(1)))
}

/// Draws the figures.
pub fn draw(app: &App, figures: &Figures, pen: &mut Pen<'_>, body: Rect) {
    let rows = figures.rows();
    let kind = app.grid.columns().get(figures.col).map_or("", |column| &column.data_type);
    let dot = if kind.is_empty() { "" } else { " · " };
    let title = format!("{}{dot}{}", figures.name, kind.to_lowercase());
    let inside = super::front(app, pen, area(rows.len(), body), &title, Place::Figures);
    let x = inside.x + 1;
    let width = inside.width.saturating_sub(2);
    if rows.is_empty() {
        let took = app.clock.saturating_sub(figures.since);
        let words = match figures.told {
            Told::Gone => "Its rows are no longer kept.".to_owned(),
            Told::Waiting | Told::Here(_) if took < 200 => String::new(),
            Told::Waiting | Told::Here(_) => {
                format!("Summing up … {}.{} s   Esc stops", took / 1000, took / 100 % 10)
            }
        };
        pen.text(x, inside.y, width, &words, Role::Dim);
        return;
    }
    let seen = usize::from(inside.height);
    let top = figures.top.min(rows.len().saturating_sub(seen));
    for (row, y) in rows.iter().skip(top).zip(inside.y..inside.bottom()) {
        draw_row(pen, Rect::new(x, y, width, 1), row);
    }
    let below = rows.len().saturating_sub(top + seen);
    if below > 0 {
        pen.text_right(
            inside.right(),
            inside.bottom(),
            width,
            &format!(" {} ", count(below, "more line")),
            Role::Dim,
        );
    }
}

fn draw_row(pen: &mut Pen<'_>, area: Rect, row: &Row) {
    match row {
        Row::Blank => {}
        Row::Title(words) => {
            pen.text(area.x, area.y, area.width, words, Role::Dim);
        }
        Row::Figure(name, value) => {
            pen.text(area.x, area.y, NAMES, name, Role::Dim);
            let room = area.width.saturating_sub(NAMES);
            pen.text(area.x + NAMES, area.y, room, value, Role::Overlay);
        }
        Row::Bar(name, count, most) => {
            let names = (area.width / 2).min(28);
            let style = pen.style(Role::Overlay);
            let shown = Shown::cut(name, usize::from(names - 2));
            pen.put(area.x + 2, area.y, names - 2, &shown, style);
            let x = area.x + names + 1;
            let room = area.right().saturating_sub(x);
            let figure = grouped(*count);
            let figure_room = 12.min(room);
            pen.text_right(x + figure_room, area.y, figure_room, &figure, Role::Overlay);
            let bar_room = room.saturating_sub(figure_room + 1);
            let part = u32::try_from(*count * 1000 / (*most).max(1)).unwrap_or(1000);
            bar::draw(pen, x + figure_room + 1, area.y, bar_room, part, 1000);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_whole_ones_in_full() {
        assert_eq!(short(12.0), "12");
        assert_eq!(short(0.1 + 0.2), "0.3");
        assert_eq!(short(1_234.567_89), "1234.57");
        assert_eq!(short(1.5e-9), "1.500e-9");
    }

    #[test]
    fn a_histogram_is_joined_to_ten_lines() {
        let widest = Histogram { from: f64::MIN, to: f64::MAX, counts: vec![1; 20], whole: false };
        let odd = |name: &str| name.contains("inf") || name.contains("NaN");
        assert!(!spread(&widest).iter().any(|row| matches!(row, Row::Bar(name, ..) if odd(name))));
        let histogram = Histogram { from: 0.0, to: 100.0, counts: vec![1; 20], whole: false };
        let rows = spread(&histogram);
        assert_eq!(rows.len(), 10);
        assert!(matches!(rows.get(1), Some(Row::Bar(name, 2, 2)) if name == "from 10"));
    }

    #[test]
    fn ranges_of_whole_numbers_are_named_by_what_they_hold() {
        let names = |from, to, ranges| {
            let histogram = Histogram { from, to, counts: vec![1; ranges], whole: true };
            let name = |row| if let Row::Bar(name, ..) = row { name } else { String::new() };
            spread(&histogram).into_iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(-0.5, 1.5, 2), ["0", "1"]);
        // 17 numbers, two to a line: the last one stands alone
        assert_eq!(names(0.5, 17.5, 17)[..2], ["1 to 2", "3 to 4"]);
        assert_eq!(names(0.5, 17.5, 17)[8], "17");
    }
}
