//! Draws two runs side by side: two columns where there is room, else one band at a time.

use ratatui::layout::Rect;

use crate::domain::{Status, Trust};
use crate::shown::Shown;

use super::super::app::App;
use super::super::compare::Side;
use super::super::compare::rows::{Band, Row};
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::lines::{Line, styled, wrapped};
use super::super::widgets::pen::{Pen, Piece, cols};
use super::super::widgets::tabs;
use super::compare::Compare;

/// Columns from which the two runs stand side by side.
const TWO_COLUMNS: u16 = 100;
/// Lines above what is scrolled.
const ABOVE: u16 = 3;

/// One line of the screen: what stands left and right; a line across has nothing right.
struct Drawn {
    left: Line,
    right: Option<Line>,
}

fn inside(body: Rect) -> Rect {
    Rect::new(body.x + 1, body.y + 1, body.width.saturating_sub(2), body.height.saturating_sub(2))
}

fn two(body: Rect) -> bool {
    inside(body).width >= TWO_COLUMNS
}

/// Columns of text on each side.
fn half(width: u16) -> u16 {
    // a margin left and right, and ` │ ` between
    width.saturating_sub(5) / 2
}

/// Counts the lines that fit, and those there are.
pub fn extent(compare: &Compare, body: Rect) -> (usize, usize) {
    let height = usize::from(inside(body).height.saturating_sub(ABOVE));
    (height, lines(compare, body).len())
}

/// Goes to the next or the former band.
pub fn go_band(compare: &mut Compare, body: Rect, on: bool) {
    let at = if two(body) { band_at(compare, body) } else { compare.band };
    let n = Band::ALL.iter().position(|band| *band == at).unwrap_or(0);
    let to = if on { (n + 1).min(Band::ALL.len() - 1) } else { n.saturating_sub(1) };
    let Some(band) = Band::ALL.get(to) else { return };
    compare.band = *band;
    compare.top = if two(body) { head_of(compare, body, *band) } else { 0 };
}

/// Finds the band that the first line shown belongs to.
fn band_at(compare: &Compare, body: Rect) -> Band {
    let heads = Band::ALL.into_iter().rev();
    heads.into_iter().find(|band| head_of(compare, body, *band) <= compare.top).unwrap_or_default()
}

fn head_of(compare: &Compare, body: Rect, band: Band) -> usize {
    let width = half(inside(body).width);
    let before =
        compare.rows.iter().take_while(|row| !matches!(row, Row::Head(b, _) if *b == band));
    before.map(|row| side_by_side(row, width).len()).sum()
}

/// Lists the lines of the screen that the rows make.
fn lines(compare: &Compare, body: Rect) -> Vec<Drawn> {
    let width = inside(body).width;
    if two(body) {
        return compare.rows.iter().flat_map(|row| side_by_side(row, half(width))).collect();
    }
    let from =
        compare.rows.iter().position(|row| matches!(row, Row::Head(b, _) if *b == compare.band));
    let rows = compare.rows.iter().skip(from.unwrap_or(0));
    let more = |(n, row): &(usize, &Row)| *n == 0 || !matches!(row, Row::Head(..));
    let rows = rows.enumerate().take_while(more);
    rows.flat_map(|(_, row)| one_below_the_other(row, width.saturating_sub(2))).collect()
}

fn across(line: Line) -> Drawn {
    Drawn { left: line, right: None }
}

fn signed(sign: &str, role: Role, line: Line) -> Line {
    let mut signed = vec![(Shown::from(format!("{sign} ")), role)];
    signed.extend(line);
    signed
}

fn side_by_side(row: &Row, width: u16) -> Vec<Drawn> {
    match row {
        Row::Head(band, line) => {
            let mut head = vec![(Shown::from(format!("{}  ", band.name())), Role::TitleFocus)];
            head.extend(line.iter().cloned());
            vec![across(head)]
        }
        Row::Wide(line) => vec![across(signed(" ", Role::Text, line.clone()))],
        Row::Blank => vec![across(Line::new())],
        Row::Both { was, now, same, wraps } => {
            let room = usize::from(width.saturating_sub(2)).max(1);
            let fold = |line: &Option<Line>| match line {
                None => Vec::new(),
                Some(line) if *wraps => wrapped(line, room),
                Some(line) => vec![line.clone()],
            };
            let (was, now) = (fold(was), fold(now));
            let sign = |sign| if *same { " " } else { sign };
            (0..was.len().max(now.len()))
                .map(|n| Drawn {
                    left: beside(was.get(n), n, sign("−"), Role::Warn),
                    right: Some(beside(now.get(n), n, sign("+"), Role::Good)),
                })
                .collect()
        }
    }
}

fn beside(line: Option<&Line>, n: usize, sign: &str, role: Role) -> Line {
    let sign = if n == 0 { sign } else { " " };
    line.map(|line| signed(sign, role, line.clone())).unwrap_or_default()
}

fn one_below_the_other(row: &Row, width: u16) -> Vec<Drawn> {
    let room = usize::from(width.saturating_sub(2)).max(1);
    let put = |sign: &str, role: Role, line: &Line, wraps: bool| -> Vec<Drawn> {
        let lines = if wraps { wrapped(line, room) } else { vec![line.clone()] };
        let lines = lines.iter().enumerate();
        lines.map(|(n, line)| across(beside(Some(line), n, sign, role))).collect()
    };
    match row {
        Row::Blank => vec![across(Line::new())],
        Row::Head(_, line) | Row::Wide(line) => put(" ", Role::Text, line, true),
        Row::Both { now: Some(now), same: true, wraps, .. } => put(" ", Role::Text, now, *wraps),
        Row::Both { was, now, wraps, .. } => {
            let mut lines = Vec::new();
            lines.extend(was.iter().flat_map(|was| put("−", Role::Warn, was, *wraps)));
            lines.extend(now.iter().flat_map(|now| put("+", Role::Good, now, *wraps)));
            lines
        }
    }
}

/// Draws the comparison.
pub fn draw(app: &App, compare: &Compare, pen: &mut Pen<'_>, body: Rect) {
    let area = super::front(app, pen, body, "Compare", Place::Compare);
    if area.height <= ABOVE {
        return;
    }
    let Some(found) = &compare.found else {
        pen.text(area.x + 1, area.y, area.width.saturating_sub(2), "Reading the runs …", Role::Dim);
        return;
    };
    let wide = two(body);
    sides(pen, area, [&found.former, &found.later], wide);
    if !wide {
        let front = Band::ALL.iter().position(|band| *band == compare.band).unwrap_or(0);
        let line = Rect::new(area.x, area.y + 2, area.width, 1);
        tabs::line(pen, line, &Band::ALL.map(Band::name), front);
    }
    let lines = lines(compare, body);
    let height = usize::from(area.height - ABOVE);
    for (n, line) in lines.iter().skip(compare.top).take(height).enumerate() {
        draw_line(pen, area, area.y + ABOVE + cols(n), line);
    }
    super::more(pen, area, compare.top, height, lines.len());
}

fn draw_line(pen: &mut Pen<'_>, area: Rect, y: u16, line: &Drawn) {
    let left = styled(pen, &line.left);
    let Some(right) = &line.right else {
        pen.pieces(area.x + 1, y, area.width.saturating_sub(2), &left);
        return;
    };
    let wide = half(area.width);
    pen.pieces(area.x + 1, y, wide, &left);
    pen.text(area.x + 2 + wide, y, 1, "│", Role::Border);
    let right = styled(pen, right);
    pen.pieces(area.x + 4 + wide, y, wide, &right);
}

/// Draws name, question and verdict of both runs.
fn sides(pen: &mut Pen<'_>, area: Rect, sides: [&Side; 2], wide: bool) {
    let width = if wide { half(area.width) } else { area.width.saturating_sub(2) };
    for (n, side) in sides.into_iter().enumerate() {
        let n = cols(n);
        let sign = if n == 0 { "−" } else { "+" };
        let role = if n == 0 { Role::Warn } else { Role::Good };
        let (words, verdict) = verdict(side);
        let question =
            if side.question.is_empty() { "SQL of one's own" } else { side.question.as_str() };
        let head = [
            pen.piece(format!("{sign} "), role),
            pen.piece(&side.name, Role::Title),
            pen.piece("  ", Role::Text),
            pen.piece(words, verdict),
        ];
        let asked = [pen.piece("  ", Role::Text), pen.piece(question, Role::Dim)];
        if wide {
            let x = area.x + 1 + n * (width + 3);
            pen.pieces(x, area.y, width, &head);
            pen.pieces(x, area.y + 1, width, &asked);
            if n == 1 {
                pen.text(x - 2, area.y, 1, "│", Role::Border);
                pen.text(x - 2, area.y + 1, 1, "│", Role::Border);
            }
        } else {
            let both: Vec<Piece> = head.into_iter().chain(asked).collect();
            pen.pieces(area.x + 1, area.y + n, width, &both);
        }
    }
}

fn verdict(side: &Side) -> (&'static str, Role) {
    match (side.status, side.trust) {
        (Some(Status::Answered), Some(Trust::Certified)) => ("✓ certified", Role::Good),
        (Some(Status::Answered), Some(Trust::Grounded)) => ("✓ grounded", Role::Good),
        (Some(Status::Answered), Some(Trust::NeedsReview)) => ("! needs review", Role::Warn),
        (Some(Status::Answered), None) => ("✓ answered", Role::Good),
        (Some(Status::Clarify), _) => ("? asks back", Role::Warn),
        (Some(Status::Declined), _) => ("✗ declined", Role::Bad),
        (Some(Status::GaveUp), _) => ("✗ gave up", Role::Bad),
        (Some(Status::Cancelled), _) => ("· cancelled", Role::Dim),
        (None, _) => ("· not ended", Role::Dim),
    }
}
