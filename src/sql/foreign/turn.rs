//! A foreign construct, what is written instead, and how nested ones are written together.

use crate::domain::{Diagnostic, Dialect, Span};

/// A construct that the engine lacks.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    /// All of it.
    pub(super) span: Option<Span>,
    /// Code of its diagnostic.
    pub(super) code: &'static str,
    /// What the engine lacks, in words, and what to do where nothing is written instead.
    pub(super) what: String,
    /// What is written instead, and the places of the text that go into its holes.
    pub(super) instead: Option<(String, Vec<Span>)>,
    /// True when its words are gone then; false when it only inserts.
    pub(super) whole: bool,
}

impl Turn {
    /// Lists the places that the replacement doesn't take over.
    pub(super) fn gone(&self) -> Vec<Span> {
        let Some((span, (_, holes))) = self.span.zip(self.instead.as_ref()) else {
            return Vec::new();
        };
        if !self.whole {
            return Vec::new();
        }
        let mut holes = holes.clone();
        holes.sort_by_key(|hole| hole.start);
        let mut gone = Vec::new();
        let mut at = span.start;
        for hole in holes {
            if at < hole.start {
                gone.push(Span { start: at, end: hole.start });
            }
            at = at.max(hole.end);
        }
        if at < span.end {
            gone.push(Span { start: at, end: span.end });
        }
        gone
    }
}

/// Says what was found; nested constructs are written in their engine's way too.
pub(super) fn told(turns: &[Turn], text: &str, dialect: Dialect) -> Vec<Diagnostic> {
    let tell = |(at, turn): (usize, &Turn)| {
        let instead = written(turns, at, text);
        let mut message = format!("{} has no {}", dialect.name(), turn.what);
        if let Some(instead) = instead.as_ref().filter(|text| !text.trim().is_empty()) {
            message.push_str(&format!(": write {}", instead.trim()));
        }
        Diagnostic {
            code: turn.code.to_owned(),
            message,
            span: turn.span,
            suggestions: instead.into_iter().collect(),
        }
    };
    turns.iter().enumerate().map(tell).collect()
}

/// Writes what a construct becomes.
fn written(turns: &[Turn], at: usize, text: &str) -> Option<String> {
    let (template, holes) = turns.get(at)?.instead.as_ref()?;
    let inside = turns.get(at + 1..).unwrap_or_default();
    let hole = |n: usize| holes.get(n).map(|span| within(inside, *span, text));
    fill(template, hole)
}

/// Writes a stretch of the text with the outermost constructs in it turned.
fn within(turns: &[Turn], span: Span, text: &str) -> String {
    let mut out = String::new();
    let mut done = span.start;
    for (at, turn) in turns.iter().enumerate() {
        let Some(place) = turn.span.filter(|p| done <= p.start && p.end <= span.end) else {
            continue;
        };
        let Some(instead) = written(turns, at, text) else { continue };
        out.push_str(text.get(done..place.start).unwrap_or(""));
        out.push_str(&instead);
        done = place.end;
    }
    out.push_str(text.get(done..span.end).unwrap_or(""));
    out
}

/// Fills the holes of a template: `{0}` as it is, `{(0)}` as one value.
///
/// None when a hole can't be filled.
pub fn fill(template: &str, hole: impl Fn(usize) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let close = rest.get(open..)?.find('}')? + open;
        let name = rest.get(open + 1..close)?;
        let digits = name.trim_start_matches('(').trim_end_matches(')');
        let text = hole(digits.parse().ok()?)?;
        out.push_str(rest.get(..open)?);
        if name.starts_with('(') && !is_one_value(text.trim()) {
            out.push_str(&format!("({})", text.trim()));
        } else {
            out.push_str(text.trim());
        }
        rest = rest.get(close + 1..)?;
    }
    out.push_str(rest);
    Some(out)
}

/// Tells whether a text is a name, number, literal, call or something in parentheses.
fn is_one_value(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '`');
    let name = text.find(|c| !plain(c)).unwrap_or(text.len());
    let rest = text.get(name..).unwrap_or("");
    if rest.is_empty() {
        return true;
    }
    let (open, close) = match rest.chars().next() {
        Some('(') => ('(', ')'),
        Some('\'') if name == 0 => return rest.matches('\'').count() == 2 && rest.ends_with('\''),
        _ => return false,
    };
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + 1 == rest.len();
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_put_in_parentheses_where_they_hold_more_than_a_value() {
        let filled = |text: &str| fill("({(0)} + {1})", |n| Some([text, "7"][n].to_owned()));
        assert_eq!(filled("a.b").as_deref(), Some("(a.b + 7)"));
        assert_eq!(filled("f(x, (y))").as_deref(), Some("(f(x, (y)) + 7)"));
        assert_eq!(filled("a - b").as_deref(), Some("((a - b) + 7)"));
        assert_eq!(filled("(a) - (b)").as_deref(), Some("(((a) - (b)) + 7)"));
        assert_eq!(fill("{2}", |_| None), None);
    }
}
