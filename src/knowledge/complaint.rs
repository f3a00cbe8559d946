//! Words for what is wrong with a knowledge file: where it stands, and the nearest known key.

use crate::sql::nearest::nearest;

/// Says what TOML or serde refuses, with the place and, for a wrong key, the nearest known one.
pub(super) fn of(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let place = place(text, start);
    let message = error.message();
    let Some(rest) = message.strip_prefix("unknown field ") else {
        return format!("{place}: {}", message.trim_end().replace('\n', "; "));
    };
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let wrong = quoted.next().unwrap_or_default();
    let known: Vec<&str> = quoted.collect();
    let hint = match nearest(wrong, known.iter().copied()).first() {
        Some((close, _)) => format!("did you mean '{close}'?"),
        None => format!("known keys: {}", known.join(", ")),
    };
    format!("{place}: unknown key '{wrong}'{}; {hint}", section(text, start))
}

/// Names the section that a place is in: the nearest header above it.
fn section(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let header = before.lines().rev().find(|line| line.starts_with('['));
    header.map_or_else(String::new, |header| format!(" in {}", header.trim_end()))
}

/// Says where a byte is, counting lines and columns from 1.
pub(super) fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}")
}
