//! Underlines under a line of SQL, and their messages, none over another.
//!
//! ```text
//! 1  SELECT pric, nam FROM bookings
//!           ~~~~  ~~~ ✗ column 'nam' doesn't exist in bookings.
//!           ✗ column 'pric' doesn't exist in bookings.
//! ```

use std::ops::Range;

use crate::shown::Shown;

use super::super::theme::Role;
use super::sql::GUTTER;
use super::sql_page::Mark;
use super::sql_rows::Row;

/// Columns that a message wants before it is put elsewhere.
const ROOM: usize = 24;

/// A mark with the columns it takes under a row.
struct Under<'a> {
    from: usize,
    to: usize,
    mark: &'a Mark,
    /// Its message is told under this row.
    told: bool,
}

/// Adds the rows under a piece of a line: what of the marks lies in it, and the messages of those
/// that begin there.
pub fn under(
    rows: &mut Vec<Row>,
    text: &str,
    part: Range<usize>,
    ends: bool,
    marks: &[Mark],
    width: u16,
) {
    let room = usize::from(width.saturating_sub(GUTTER + 1)).max(8);
    let here: Vec<Under<'_>> = marks
        .iter()
        .filter_map(|mark| {
            let begins = part.contains(&mark.span.start) || (ends && mark.span.start == part.end);
            let goes_on = mark.span.start < part.start && mark.span.end > part.start;
            (begins || goes_on).then(|| {
                let column = |byte: usize| Shown::column(text, byte.saturating_sub(part.start));
                let from = column(mark.span.start).min(room - 1);
                Under { from, to: column(mark.span.end).clamp(from + 1, room), mark, told: begins }
            })
        })
        .collect();
    if here.is_empty() {
        return;
    }
    let mut told: Vec<&Under<'_>> = here.iter().filter(|one| one.told).collect();
    told.sort_by_key(|one| (one.from, one.to));
    let waves_end = here.iter().map(|one| one.to).max().unwrap_or(0);
    let mut first = waves(&here, waves_end);
    let beside = told.last().copied().filter(|_| waves_end + ROOM <= room);
    match beside {
        Some(last) => {
            told.pop();
            let x = waves_end + 1;
            let mut lines = message(last.mark, room.saturating_sub(x + 2)).into_iter();
            first.extend([(Shown::from(format!(" {} ", last.mark.sign)), last.mark.role)]);
            first.extend(lines.next().map(|line| (line, Role::Text)));
            rows.push(Row::Words(GUTTER, first));
            for line in lines {
                rows.push(hung(&told, x + 2, (line, Role::Text)));
            }
        }
        None => rows.push(Row::Words(GUTTER, first)),
    }
    while let Some(next) = told.pop() {
        let x = next.from.min(room.saturating_sub(ROOM));
        for (n, line) in message(next.mark, room.saturating_sub(x + 2)).into_iter().enumerate() {
            if n > 0 {
                rows.push(hung(&told, x + 2, (line, Role::Text)));
                continue;
            }
            let mut row =
                hung(&told, x, (Shown::from(format!("{} ", next.mark.sign)), next.mark.role));
            if let Row::Words(_, pieces) = &mut row {
                pieces.push((line, Role::Text));
            }
            rows.push(row);
        }
    }
}

/// Draws `~` under all marks of a row; the heavier of two that overlap is seen.
fn waves(here: &[Under<'_>], end: usize) -> Vec<(Shown, Role)> {
    let role_at = |column: usize| {
        let over = here.iter().filter(|one| (one.from..one.to).contains(&column));
        over.map(|one| one.mark.role).min_by_key(|role| weight(*role))
    };
    let mut pieces: Vec<(String, Option<Role>)> = Vec::new();
    for column in 0..end {
        let role = role_at(column);
        let sign = if role.is_some() { '~' } else { ' ' };
        match pieces.last_mut().filter(|(_, last)| *last == role) {
            Some((text, _)) => text.push(sign),
            None => pieces.push((sign.to_string(), role)),
        }
    }
    pieces.into_iter().map(|(text, role)| (text.into(), role.unwrap_or(Role::Text))).collect()
}

fn weight(role: Role) -> u8 {
    if role == Role::Bad {
        0
    } else if role == Role::Warn {
        1
    } else {
        2
    }
}

/// Makes a row of words at a column; marks further left, whose messages come below, get a pillar.
fn hung(left: &[&Under<'_>], x: usize, words: (Shown, Role)) -> Row {
    let mut pieces = Vec::new();
    let mut at = 0;
    for one in left {
        if one.from >= at && one.from + 1 < x {
            pieces.push((Shown::from(" ".repeat(one.from - at)), Role::Text));
            pieces.push((Shown::new("│"), one.mark.role));
            at = one.from + 1;
        }
    }
    pieces.push((Shown::from(" ".repeat(x.saturating_sub(at))), Role::Text));
    pieces.push(words);
    Row::Words(GUTTER, pieces)
}

/// Breaks a message into lines; a suggestion gets a line of its own.
fn message(mark: &Mark, room: usize) -> Vec<Shown> {
    let sentences = mark.message.replace(". Did you", ".\nDid you");
    Shown::lines(&sentences).iter().flat_map(|line| line.wrap(room.max(16))).collect()
}

/// Tells the message of a mark that covers several lines, under the last of them.
pub fn below(rows: &mut Vec<Row>, mark: &Mark, width: u16) {
    let room = usize::from(width.saturating_sub(GUTTER + 3));
    for (n, line) in message(mark, room).into_iter().enumerate() {
        let sign = if n == 0 { format!("{} ", mark.sign) } else { "  ".to_owned() };
        rows.push(Row::Words(GUTTER, vec![(sign.into(), mark.role), (line, Role::Text)]));
    }
}

/// Returns how many lines of `text` a mark covers.
pub fn lines_of(text: &str, mark: &Mark) -> usize {
    text.get(mark.span.clone()).map_or(1, |part| part.trim().matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, spans: &[(usize, usize, &str)], width: u16) -> Vec<String> {
        let marks: Vec<Mark> = spans
            .iter()
            .map(|(from, to, words)| Mark {
                span: *from..*to,
                role: Role::Bad,
                sign: "✗",
                message: (*words).to_owned(),
            })
            .collect();
        let mut rows = Vec::new();
        under(&mut rows, text, 0..text.len(), true, &marks, width);
        rows.into_iter()
            .map(|row| match row {
                Row::Words(_, pieces) => {
                    pieces.iter().map(|(text, _)| text.as_str()).collect::<String>()
                }
                Row::Code { .. } | Row::Changed { .. } => String::new(),
            })
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    #[test]
    fn one_message_stands_behind_its_waves() {
        let rows = shown("SELECT pric FROM t", &[(7, 11, "no column 'pric'")], 80);
        assert_eq!(rows, ["       ~~~~ ✗ no column 'pric'"]);
    }

    #[test]
    fn several_messages_of_a_line_stack_without_overlap() {
        let spans = [(7, 8, "first"), (10, 13, "second"), (15, 18, "third")];
        let rows = shown("SELECT a, bcd, efg FROM t", &spans, 80);
        let wanted = ["       ~  ~~~  ~~~ ✗ third", "       │  ✗ second", "       ✗ first"];
        assert_eq!(rows, wanted);
    }

    #[test]
    fn where_there_is_no_room_at_the_right_the_message_goes_below() {
        let text = "SELECT a_long_name_of_a_column FROM t WHERE x";
        let rows = shown(text, &[(44, 45, "no column x")], 54);
        assert_eq!(rows[0].trim(), "~");
        assert_eq!(rows[1].trim(), "✗ no column x");
        assert!(rows.iter().all(|row| row.chars().count() <= 54));
    }

    #[test]
    fn two_messages_of_one_place_share_their_waves() {
        let rows = shown("SELECT x", &[(7, 8, "one"), (7, 8, "two")], 80);
        assert_eq!(rows, ["       ~ ✗ two", "       ✗ one"]);
    }

    #[test]
    fn a_mark_behind_the_text_has_a_place_too() {
        assert_eq!(shown("SELECT", &[(6, 7, "goes on?")], 80), ["      ~ ✗ goes on?"]);
        assert_eq!(shown("", &[(0, 1, "empty")], 80), ["~ ✗ empty"]);
    }
}
