//! Lines of SQL as rows of the pane: wrapped, coloured, errors under their place, and what is said
//! of the SQL below it.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::{Attempt, Diagnostic, Severity, Version};
use crate::shown::Shown;

use super::super::app::App;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::sql::GUTTER;
use super::sql_words;

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

/// Counts the rows that the version looked at takes.
pub fn count(app: &App, width: u16) -> usize {
    let version = app.run.as_ref().and_then(|run| run.version());
    version.map_or(0, |(attempt, at, version)| rows(app, attempt, at, version, width).len())
}

/// Lists the rows of a version at a width.
pub fn rows(app: &App, attempt: &Attempt, at: usize, version: &Version, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    let diagnostics = version.failure.as_ref().map_or(&[][..], |f| &f.diagnostics);
    let room = usize::from(width.saturating_sub(GUTTER + 1)).max(8);
    let end_of_all = version.sql.len();
    let mut first = 0;
    for (n, line) in version.sql.split('\n').enumerate() {
        let bounds = (first, first + line.len());
        for (k, (from, to)) in pieces_of(line, room).into_iter().enumerate() {
            let part = (first + from, first + to);
            rows.push(Row::Code { number: (k == 0).then_some(n), line: bounds, part });
            let ends = part.1 == bounds.1;
            for diagnostic in diagnostics {
                let Some(span) = diagnostic.span else { continue };
                let start = span.start.min(end_of_all);
                if part.0 <= start && (start < part.1 || (ends && start <= bounds.1)) {
                    let text = version.sql.get(part.0..part.1).unwrap_or("");
                    under(&mut rows, text, part.0, diagnostic, width);
                }
            }
        }
        first = bounds.1 + 1;
    }
    notes(app, &mut rows, attempt, at, version, width);
    rows
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

/// Writes a diagnostic under its place: `~~~~ ✗ message`, wrapped under the message.
fn under(rows: &mut Vec<Row>, text: &str, first: usize, diagnostic: &Diagnostic, width: u16) {
    let span = diagnostic.span.unwrap_or_default();
    let from = Shown::column(text, span.start.saturating_sub(first));
    let to = Shown::column(text, span.end.saturating_sub(first)).max(from + 1);
    let room = usize::from(width.saturating_sub(GUTTER + 2));
    let from = from.min(room.saturating_sub(24));
    let to = to.min(room.saturating_sub(20)).max(from + 1);
    let waves = Shown::from("~".repeat(to - from));
    let sentences = diagnostic.message.replace(". Did you", ".\nDid you");
    let mut first_row = true;
    for sentence in Shown::lines(&sentences) {
        for part in sentence.wrap(room.saturating_sub(to + 3).max(16)) {
            let x = GUTTER + cols(from);
            let pieces = if first_row {
                vec![(waves.clone(), Role::Bad), (Shown::new(" ✗ "), Role::Bad), (part, Role::Text)]
            } else {
                vec![(Shown::from(" ".repeat(to - from + 3)), Role::Text), (part, Role::Text)]
            };
            rows.push(Row::Words(x, pieces));
            first_row = false;
        }
    }
}

/// Writes what stands below the SQL: errors without a place, findings, reading, plan, repair.
fn notes(
    app: &App,
    rows: &mut Vec<Row>,
    attempt: &Attempt,
    at: usize,
    version: &Version,
    width: u16,
) {
    rows.push(Row::Words(0, Vec::new()));
    let placeless =
        version.failure.iter().flat_map(|f| &f.diagnostics).filter(|d| d.span.is_none());
    for diagnostic in placeless {
        labelled(rows, "✗", Role::Bad, &diagnostic.message, width);
    }
    for finding in &version.findings {
        let (sign, role) = match finding.severity {
            Severity::Info => ("·", Role::Dim),
            Severity::Warning => ("!", Role::Warn),
            Severity::Blocking => ("✗", Role::Bad),
        };
        labelled(rows, sign, role, &finding.message, width);
    }
    if let Some(repair) = &version.repair {
        let words = format!("{} → {}, {}", repair.from, repair.to, repair.evidence);
        labelled(rows, "mended:", Role::Changed, &words, width);
    }
    let run = app.run.as_ref();
    let chosen = run.and_then(|run| run.live.answer.as_ref()).and_then(|a| a.chosen);
    let told = run.and_then(|run| run.live.english.clone());
    let english = told.filter(|_| chosen == Some((attempt.n, at)));
    let reading = english.unwrap_or_else(|| app.sql.reading.1.clone());
    if !reading.is_empty() {
        labelled(rows, "reads:", Role::Dim, &reading, width);
    }
    if let Some(plan) = &attempt.plan {
        labelled(rows, "plan:", Role::Dim, &sql_words::plan(plan), width);
    }
}

fn labelled(rows: &mut Vec<Row>, label: &str, role: Role, words: &str, width: u16) {
    let wide = if label.chars().count() > 1 { 8 } else { 2 };
    let room = usize::from(width).saturating_sub(wide + 3);
    let mut label = Some(label);
    for part in Shown::new(words).wrap(room) {
        let head = Shown::from(label.take().unwrap_or("")).left(wide);
        rows.push(Row::Words(1, vec![(head, role), (part, Role::Text)]));
    }
}

/// Byte ranges of the whole SQL that are marked, each with its role.
pub type Spans = Vec<(usize, usize, Role)>;

/// Lists what is marked: what the rewrite changed, and what is wrong.
pub fn spans(version: &Version, former: Option<&Version>) -> Spans {
    let mut spans: Spans = Vec::new();
    if let Some((from, to)) = former.and_then(|f| sql_words::changed(&f.sql, &version.sql)) {
        spans.push((from, to, Role::Changed));
    }
    let wrong = version.failure.iter().flat_map(|f| &f.diagnostics).filter_map(|d| d.span);
    spans.extend(wrong.map(|span| (span.start, span.end.max(span.start + 1), Role::Error)));
    spans
}

/// Draws one row.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, sql: &str, row: &Row, spans: &Spans) {
    match row {
        Row::Code { number, line, part } => {
            if let Some(n) = number {
                let number = (n + 1).to_string();
                pen.text_right(area.x + GUTTER - 2, area.y, GUTTER - 2, &number, Role::Dim);
            }
            let (first, last) = *line;
            let part = Part {
                line: sql.get(first..last).unwrap_or(""),
                first,
                from: part.0 - first,
                to: part.1 - first,
            };
            let area = Rect::new(area.x + GUTTER, area.y, area.width - GUTTER, 1);
            draw_part(app, pen, area, &part, spans, 0);
        }
        Row::Words(x, pieces) => {
            let pieces: Vec<Piece> =
                pieces.iter().map(|(text, role)| (text.clone(), pen.style(*role))).collect();
            pen.pieces(area.x + x, area.y, area.width.saturating_sub(x + 1), &pieces);
        }
    }
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
    for (from, to, _) in spans {
        cuts.extend([from.saturating_sub(part.first), to.saturating_sub(part.first)]);
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
    let mark = spans.iter().rev().find(|(from, to, _)| (*from..*to).contains(&at));
    mark.map_or(Style::new(), |(_, _, role)| pen.style(*role))
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
