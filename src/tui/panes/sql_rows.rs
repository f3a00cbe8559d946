//! Lines of SQL as rows of the pane: wrapped, coloured, what is said of a place under it.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::shown::Shown;

use super::super::app::App;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece};
use super::sql::GUTTER;
use super::sql_marks;
use super::sql_page::{Mark, Page};

/// One row of the pane.
pub enum Row {
    /// A piece of a line that fits the width.
    Code {
        /// The line's number from 0; none where a line goes on.
        number: Option<usize>,
        /// First and last byte of the line.
        line: (usize, usize),
        /// First and last byte of the piece.
        part: (usize, usize),
        /// The sign beside lines of a place that covers several.
        bar: Option<(&'static str, Role)>,
    },
    /// A line of two versions laid over each other: `-`, `+` or a space, and its pieces.
    Changed {
        /// Which of the two has it.
        sign: char,
        /// Words and their looks.
        pieces: Vec<(Shown, Role)>,
    },
    /// Words under or after the SQL, at a column.
    Words(u16, Vec<(Shown, Role)>),
}

/// A piece of one line, with all of it for its colours.
pub struct Part<'a> {
    /// The whole line.
    pub line: &'a str,
    /// The line's first byte in the SQL.
    pub first: usize,
    /// The piece's first byte in the line.
    pub from: usize,
    /// One past the piece's last byte in the line.
    pub to: usize,
}

/// Lists the rows of a page's SQL at a width, with what is said of its places.
pub fn rows(page: &Page<'_>, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    let room = usize::from(width.saturating_sub(GUTTER + 1)).max(8);
    let (long, short): (Vec<Mark>, Vec<Mark>) =
        page.marks.iter().cloned().partition(|mark| sql_marks::lines_of(&page.sql, mark) > 1);
    let mut first = 0;
    for (n, line) in page.sql.split('\n').enumerate() {
        let bounds = (first, first + line.len());
        let bar = bar(&long, &page.sql, bounds);
        for (k, (from, to)) in pieces_of(line, room).into_iter().enumerate() {
            let part = (first + from, first + to);
            let number = (k == 0).then_some(n);
            rows.push(Row::Code { number, line: bounds, part, bar });
            let text = line.get(from..to).unwrap_or("");
            let ends = part.1 == bounds.1;
            sql_marks::under(&mut rows, text, part.0..part.1, ends, &short, width);
        }
        let over = |mark: &&Mark| (bounds.0 + 1..=bounds.1).contains(&end(&page.sql, mark));
        for mark in long.iter().filter(over) {
            sql_marks::below(&mut rows, mark, width);
        }
        first = bounds.1 + 1;
    }
    rows
}

/// Returns where a mark's last letter ends.
fn end(sql: &str, mark: &Mark) -> usize {
    mark.span.start + sql.get(mark.span.clone()).map_or(1, |text| text.trim_end().len())
}

/// Returns the sign beside a line that a mark of several lines covers.
fn bar(long: &[Mark], sql: &str, line: (usize, usize)) -> Option<(&'static str, Role)> {
    let mark = long.iter().find(|mark| mark.span.start <= line.1 && end(sql, mark) > line.0)?;
    let sign = if mark.span.start >= line.0 {
        "╭"
    } else if end(sql, mark) <= line.1 {
        "╰"
    } else {
        "│"
    };
    Some((sign, mark.role))
}

/// Counts the bytes of a text that fit `room` columns, one letter at least.
fn fitting(text: &str, room: usize) -> usize {
    let plain = |head: &[u8]| head.iter().all(|b| matches!(b, b' '..=b'~'));
    if text.as_bytes().get(..room).is_some_and(plain) {
        return room;
    }
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    // a letter takes a column at least, so this many are enough to look at
    ends.take(room).filter(|at| Shown::column(text, *at) <= room).last().unwrap_or(1)
}

/// Breaks a line into pieces of at most `room` columns, behind spaces where there are some.
fn pieces_of(line: &str, room: usize) -> Vec<(usize, usize)> {
    if line.len() <= room {
        return vec![(0, line.len())];
    }
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < line.len() {
        let rest = line.get(from..).unwrap_or("");
        let mut end = fitting(rest, room);
        if end < rest.len()
            && let Some(space) =
                rest.get(..end).and_then(|text| text.rfind(' ')).filter(|at| *at > 0)
        {
            end = space + 1;
        }
        // a sign wider than the room still takes its place
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        pieces.push((from, from + end));
        from += end;
    }
    pieces
}

/// Byte ranges of the whole SQL that are marked, each with its role; later ones lie over earlier.
pub type Spans = Vec<(Range<usize>, Role)>;

/// Lists what is marked: what the rewrite changed, and what is wrong.
pub fn spans(page: &Page<'_>) -> Spans {
    let fresh = page.fresh.iter().map(|range| (range.clone(), Role::Changed));
    let wrong = page.marks.iter().filter(|mark| mark.role == Role::Bad);
    fresh.chain(wrong.map(|mark| (mark.span.clone(), Role::Error))).collect()
}

/// Draws one row.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, sql: &str, row: &Row, spans: &Spans) {
    let code = Rect::new(area.x + GUTTER, area.y, area.width.saturating_sub(GUTTER), 1);
    match row {
        Row::Code { number, line, part, bar } => {
            if let Some(n) = number {
                let number = (n + 1).to_string();
                pen.text_right(area.x + GUTTER - 2, area.y, GUTTER - 2, &number, Role::Dim);
            }
            if let Some((sign, role)) = bar {
                pen.text(area.x + GUTTER - 2, area.y, 1, sign, *role);
            }
            let (first, last) = *line;
            let line = sql.get(first..last).unwrap_or("");
            let part = Part { line, first, from: part.0 - first, to: part.1 - first };
            draw_part(app, pen, code, &part, spans, 0);
        }
        Row::Changed { sign, pieces } => {
            let role = match sign {
                '-' => Role::Bad,
                '+' => Role::Good,
                _ => Role::Dim,
            };
            pen.text(area.x + GUTTER - 2, area.y, 1, &sign.to_string(), role);
            let pieces = styled(pen, pieces);
            pen.pieces(code.x, code.y, code.width.saturating_sub(1), &pieces);
        }
        Row::Words(x, pieces) => {
            let pieces = styled(pen, pieces);
            pen.pieces(area.x + x, area.y, area.width.saturating_sub(x + 1), &pieces);
        }
    }
}

fn styled(pen: &Pen<'_>, pieces: &[(Shown, Role)]) -> Vec<Piece> {
    pieces.iter().map(|(text, role)| (text.clone(), pen.style(*role))).collect()
}

/// Draws a piece of a line with its colours and marks, from column `left` on.
pub fn draw_part(
    app: &App,
    pen: &mut Pen<'_>,
    area: Rect,
    part: &Part<'_>,
    spans: &Spans,
    left: usize,
) {
    let colours = app.sql.colours.lines.get(part.line);
    let mut cuts: Vec<usize> = vec![part.from, part.to];
    cuts.extend(colours.into_iter().flatten().map(|(end, _)| *end));
    for (range, _) in spans {
        cuts.extend([range.start, range.end].map(|at| at.saturating_sub(part.first)));
    }
    cuts.retain(|at| (part.from..=part.to).contains(at) && part.line.is_char_boundary(*at));
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<Piece> = Vec::new();
    for pair in cuts.windows(2) {
        let [from, to] = pair else { continue };
        let text = part.line.get(*from..*to).unwrap_or("");
        let paint = colours.and_then(|c| c.iter().find(|(end, _)| from < end));
        let style = paint.map_or(pen.style(Role::Text), |(_, paint)| pen.theme.paint(*paint));
        pieces.push((Shown::code(text), style.patch(marked(pen, spans, part.first + from))));
    }
    skip(&mut pieces, left);
    pen.pieces(area.x, area.y, area.width, &pieces);
}

fn marked(pen: &Pen<'_>, spans: &Spans, at: usize) -> Style {
    let mark = spans.iter().rev().find(|(range, _)| range.contains(&at));
    mark.map_or(Style::new(), |(_, role)| pen.style(*role))
}

fn skip(pieces: &mut [Piece], mut left: usize) {
    for (text, _) in pieces {
        let wide = text.width();
        if left == 0 {
            break;
        }
        *text = text.skip(left.min(wide));
        left = left.saturating_sub(wide);
    }
}

#[cfg(test)]
mod tests {
    use super::pieces_of;

    #[test]
    fn long_lines_break_behind_spaces_and_lose_no_byte() {
        let broken = |line: &str, room| -> Vec<String> {
            pieces_of(line, room).into_iter().map(|(a, b)| line[a..b].to_owned()).collect()
        };
        assert_eq!(broken("SELECT a FROM t", 9), ["SELECT a ", "FROM t"]);
        assert_eq!(broken("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(broken("売上高の表", 4), ["売上", "高の", "表"]);
        assert_eq!(broken("", 3), [""]);
        for line in ["x\t\ty", "é\u{301}\u{202e}abc def", "👩‍🔬👩‍🔬👩‍🔬"] {
            assert_eq!(broken(line, 4).concat(), line);
        }
    }
}
