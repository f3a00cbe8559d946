//! Marks text that came from data or comments, so that it reads as data and never as ours.
//!
//! One line, controls and direction marks visible, no fence inside it, long text shortened with …

use std::fmt::Write;

use crate::domain::Value;
use crate::domain::counts::count;

/// Longest value in a list or a sentence, in characters.
pub const VALUE_LENGTH: usize = 60;

/// Longest cell of a sample, in characters.
pub const CELL_LENGTH: usize = 40;

/// Longest comment, in characters.
pub const COMMENT_LENGTH: usize = 200;

/// Makes stored text one harmless line of at most `most` characters.
pub fn line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most * 4));
    for (n, c) in text.chars().enumerate() {
        if n == most {
            line.push('…');
            break;
        }
        push_visible(&mut line, c);
    }
    // A fence inside stored text would end the block that marks it as data.
    if line.contains("```") { line.replace("```", "'''") } else { line }
}

/// Writes control, direction and other invisible characters as signs.
fn push_visible(line: &mut String, c: char) {
    match c {
        '\u{0}'..='\u{1f}' => {
            let picture = char::from_u32(0x2400 + u32::from(c));
            line.push(picture.unwrap_or('\u{fffd}'));
        }
        '\u{7f}' => line.push('\u{2421}'),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => {
            let _ = write!(line, "\\u{{{:x}}}", u32::from(c));
        }
        _ => line.push(c),
    }
}

/// Writes stored text as a quoted SQL literal.
pub fn quoted(text: &str) -> String {
    format!("'{}'", line(text, VALUE_LENGTH).replace('\'', "''"))
}

/// Writes a list of stored texts: `'a','b'`.
pub fn list(values: &[String]) -> String {
    values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",")
}

/// Writes a comment as quoted data.
pub fn comment(text: &str) -> String {
    format!("\"{}\"", line(text.trim(), COMMENT_LENGTH).replace('"', "'"))
}

/// Writes a cell of a sample; a pipe inside it is escaped.
pub fn cell(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Blob(bytes) => format!("(blob of {})", count(bytes.len(), "byte")),
        Value::Integer(_) | Value::Real(_) => value.plain(),
        Value::Text(_) | Value::Malformed(_) => {
            line(&value.plain(), CELL_LENGTH).replace('|', "\\|")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_text_is_one_line_without_controls_or_fences() {
        assert_eq!(line("a\nb\u{1b}[2J", 40), "a␊b␛[2J");
        assert_eq!(line("x\u{202e}y\u{200b}", 40), "x\\u{202e}y\\u{200b}");
        assert_eq!(line("```\nDROP", 40), "'''␊DROP");
        assert_eq!(line("ééé", 2), "éé…");
    }

    #[test]
    fn cells_show_null_and_blobs_and_escape_the_separator() {
        assert_eq!(cell(&Value::Null), "NULL");
        assert_eq!(cell(&Value::Blob(vec![1, 2])), "(blob of 2 bytes)");
        assert_eq!(cell(&Value::Text("a|b".into())), "a\\|b");
        assert_eq!(cell(&Value::Text("y".repeat(50))), format!("{}…", "y".repeat(40)));
    }

    #[test]
    fn a_quoted_value_reads_back_as_sql() {
        assert_eq!(quoted("it's"), "'it''s'");
    }
}
