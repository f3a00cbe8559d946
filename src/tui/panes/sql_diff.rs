//! Two versions as lines: what both have once, what differs as `-` and `+` with its words marked.

use crate::shown::Shown;
use crate::sql::words_diff::{Change, Piece, diff};

use super::super::app::App;
use super::super::theme::Role;
use super::sql_page::Page;
use super::sql_rows::Row;

/// Lists the rows of the difference between a page and the version it is compared with; none when
/// there is no other.
pub fn rows(app: &App, page: &Page<'_>, width: usize) -> Option<Vec<Row>> {
    let (other, later) = compared(app, page)?;
    let other = if app.sql.formatted {
        crate::sql::layout::layout(&other, app.catalog.dialect)
    } else {
        other
    };
    let (old, new) =
        if later { (&*page.sql, other.as_str()) } else { (other.as_str(), &*page.sql) };
    let mut rows = Vec::new();
    for (sign, pieces) in lines(&diff(old, new)) {
        broken(&mut rows, sign, &pieces, width.max(8));
    }
    Some(rows)
}

/// Returns the SQL that a page is compared with, and whether it came later: the former version,
/// for the very first the next one.
fn compared(app: &App, page: &Page<'_>) -> Option<(String, bool)> {
    let run = app.run.as_ref()?;
    let all = run.versions();
    let here = all.iter().position(|place| *place == (page.attempt.n, page.at))?;
    let (n, later) = match here.checked_sub(1) {
        Some(former) => (former, false),
        None => (here + 1, true),
    };
    let (attempt, version) = all.get(n)?;
    let attempt = run.live.attempts.iter().find(|one| one.n == *attempt)?;
    Some((attempt.versions.get(*version)?.sql.clone(), later))
}

/// Says in words what a page is compared with.
pub fn words(app: &App, page: &Page<'_>) -> &'static str {
    match compared(app, page) {
        Some((_, false)) => "from the former",
        Some((_, true)) => "to the next",
        None => "no other version",
    }
}

/// A line: `-`, `+` or space, and its pieces.
type Line = (char, Vec<Piece>);

/// Breaks pieces into lines; a line that differs stands as it was, then as it is.
fn lines(pieces: &[Piece]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut sides = Sides::default();
    for piece in pieces {
        for (n, text) in piece.text.split('\n').enumerate() {
            if n > 0 {
                sides.end(piece.change, &mut lines);
            }
            sides.add(piece.change, text);
        }
    }
    sides.end(Change::Same, &mut lines);
    lines
}

/// The lines of both texts since the last line end they share.
#[derive(Default)]
struct Sides {
    old: Vec<Vec<Piece>>,
    new: Vec<Vec<Piece>>,
    old_line: Vec<Piece>,
    new_line: Vec<Piece>,
}

impl Sides {
    fn add(&mut self, change: Change, text: &str) {
        if text.is_empty() {
            return;
        }
        let piece = Piece { change, text: text.to_owned() };
        if change != Change::Added {
            self.old_line.push(piece.clone());
        }
        if change != Change::Removed {
            self.new_line.push(piece);
        }
    }

    fn end(&mut self, change: Change, lines: &mut Vec<Line>) {
        if change != Change::Added {
            self.old.push(std::mem::take(&mut self.old_line));
        }
        if change != Change::Removed {
            self.new.push(std::mem::take(&mut self.new_line));
        }
        if change != Change::Same {
            return;
        }
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b);
        let tail = tail.count();
        let (gone, come) = (old.len() - tail, new.len() - tail);
        let of = |sign: char, all: &[Vec<Piece>]| {
            all.iter().map(|line| (sign, line.clone())).collect::<Vec<Line>>()
        };
        lines.extend(of(' ', new.get(..head).unwrap_or(&[])));
        lines.extend(of('-', old.get(head..gone).unwrap_or(&[])));
        lines.extend(of('+', new.get(head..come).unwrap_or(&[])));
        lines.extend(of(' ', new.get(come..).unwrap_or(&[])));
    }
}

/// Makes rows of a line that fit the width.
fn broken(rows: &mut Vec<Row>, sign: char, pieces: &[Piece], width: usize) {
    let mut row: Vec<(Shown, Role)> = Vec::new();
    let mut used = 0;
    let mut first = true;
    let mut push = |row: Vec<(Shown, Role)>| {
        let sign = if std::mem::take(&mut first) { sign } else { ' ' };
        rows.push(Row::Changed { sign, pieces: row });
    };
    for piece in pieces {
        let role = match (sign, piece.change) {
            (_, Change::Added) => Role::Changed,
            (_, Change::Removed) => Role::Error,
            (' ', Change::Same) => Role::Dim,
            (_, Change::Same) => Role::Text,
        };
        let mut rest = Shown::code(&piece.text);
        while used + rest.width() > width {
            let head = rest.head(width - used);
            rest = rest.skip(width - used);
            row.push((head, role));
            push(std::mem::take(&mut row));
            used = 0;
        }
        used += rest.width();
        row.push((rest, role));
    }
    push(row);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str) -> Vec<String> {
        let line = |(sign, pieces): Line| {
            let texts = pieces.iter().map(|p| match (sign, p.change) {
                (' ', _) | (_, Change::Same) => p.text.clone(),
                (_, Change::Added | Change::Removed) => format!("<{}>", p.text),
            });
            format!("{sign}{}", texts.collect::<String>())
        };
        lines(&diff(old, new)).into_iter().map(line).collect()
    }

    #[test]
    fn lines_that_differ_stand_twice_with_their_words_marked() {
        let (old, new) = ("SELECT SUM(price)\nFROM t", "SELECT SUM(price_cents)\nFROM t");
        assert_eq!(
            told(old, new),
            ["-SELECT SUM(<price>)", "+SELECT SUM(<price_cents>)", " FROM t"]
        );
    }

    #[test]
    fn whole_lines_come_and_go() {
        assert_eq!(told("a\nb", "a\nb").len(), 2);
        let with = told("SELECT a\nFROM t", "SELECT a\nFROM t\nLIMIT 3");
        assert_eq!(with.last().map(String::as_str), Some("+<LIMIT 3>"));
    }
}
