//! Lines made of pieces with roles, broken to a width.

use crate::shown::Shown;

use super::super::theme::Role;
use super::pen::{Pen, Piece};

/// Pieces of text with their looks.
pub type Line = Vec<(Shown, Role)>;

/// Breaks a line at spaces, so that each part is at most `width` columns wide.
pub fn wrapped(line: &Line, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![Line::new()];
    let mut used = 0;
    for (text, role) in line {
        let mut rest = text.clone();
        while !rest.is_empty() {
            let room = width.saturating_sub(used);
            let mut head = rest.head(room);
            if head.is_empty() && used == 0 {
                // a sign wider than the column
                return vec![line.clone()];
            }
            if head.width() < rest.width() {
                let space = head.as_str().rfind(' ').filter(|at| *at > 0);
                head = match space {
                    Some(at) => Shown::from(head.as_str().get(..=at).unwrap_or("")),
                    // the word begins a line of its own
                    None if used > 0 => Shown::default(),
                    None => head,
                };
            }
            rest = rest.skip(head.width());
            used += head.width();
            if let Some(last) = lines.last_mut() {
                last.push((head, *role));
            }
            if !rest.is_empty() {
                lines.push(Line::new());
                used = 0;
            }
        }
    }
    lines
}

/// Gives each piece of a line its style.
pub fn styled(pen: &Pen<'_>, line: &Line) -> Vec<Piece> {
    line.iter().map(|(text, role)| (text.clone(), pen.style(*role))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<String> {
        let text = |line: &Line| line.iter().map(|(text, _)| text.as_str()).collect();
        lines.iter().map(text).collect()
    }

    #[test]
    fn pieces_go_on_below_at_a_space() {
        let line = vec![(Shown::new("one two "), Role::Text), (Shown::new("three"), Role::Accent)];
        assert_eq!(texts(&wrapped(&line, 9)), ["one two ", "three"]);
        assert_eq!(texts(&wrapped(&line, 80)), ["one two three"]);
        assert_eq!(
            texts(&wrapped(&vec![(Shown::new("漢字漢字"), Role::Text)], 5)),
            ["漢字", "漢字"]
        );
    }
}
