//! JSON as models write it: in prose, with trailing commas, raw line ends or Markdown escapes.

use serde_json::Value as Json;

/// Finds the first object in a text that reads as JSON, after mending if need be.
///
/// Returns it with the text before and after it.
pub(super) fn object(text: &str) -> Option<(Json, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('{') {
        let start = from + at;
        let end = end_of_object(text, start).unwrap_or(text.len());
        let json = text.get(start..end).and_then(parse);
        if let Some(json) = json.filter(|j| j.as_object().is_some_and(|o| !o.is_empty())) {
            return Some((json, text.get(..start)?, text.get(end..)?));
        }
        from = start + 1;
    }
    None
}

/// Finds an object that was cut off inside a string, and reads its whole members.
///
/// Returns it with the text before it.
pub(super) fn cut(text: &str) -> Option<(Json, &str)> {
    let start = open_object(text)?;
    let body = text.get(start..)?;
    let json = parse(body.get(..last_comma(body)?)?)?;
    Some((json, text.get(..start)?))
}

/// Tells whether a text ends inside an object: what comes next is a part of it.
pub(super) fn is_open(text: &str) -> bool {
    open_object(text).is_some()
}

/// Finds the first object with a key that isn't closed.
fn open_object(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(start) = text.get(from..)?.find('{').map(|at| from + at) {
        let keyed = text.get(start + 1..)?.trim_start().starts_with('"');
        from = start + 1;
        if keyed {
            let Some(end) = end_of_object(text, start) else { return Some(start) };
            from = end;
        }
    }
    None
}

/// Finds the last comma between members of the outermost object.
fn last_comma(body: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped, mut last) = (0_usize, false, false, None);
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 1 => last = Some(at),
            _ => {}
        }
    }
    last
}

/// Reads an object strictly, else mended.
fn parse(body: &str) -> Option<Json> {
    let strict = serde_json::from_str(body).ok();
    strict.or_else(|| serde_json::from_str(&mend(body)?).ok())
}

/// Finds the end of the object that opens at `start`: one past its closing brace.
fn end_of_object(text: &str, start: usize) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, c) in text.get(start..)?.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(start + at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Mends what models get wrong: commas before a closing bracket, line ends and escapes that JSON
/// doesn't know inside strings, closing brackets that are missing at the end.
///
/// None when the text ends inside a string: then something was cut off.
fn mend(body: &str) -> Option<String> {
    let mut out = String::with_capacity(body.len() + 8);
    let mut open: Vec<char> = Vec::new();
    let mut quoted = false;
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if quoted {
            match c {
                '\\' => push_escape(&mut out, chars.next()?),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                _ => {
                    quoted = c != '"';
                    out.push(c);
                }
            }
            continue;
        }
        match c {
            '"' => quoted = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                drop_trailing_comma(&mut out);
                open.pop();
            }
            _ => {}
        }
        // Markdown escapes underscores of keys and words outside strings too.
        if c != '\\' {
            out.push(c);
        }
    }
    if quoted {
        return None;
    }
    drop_trailing_comma(&mut out);
    out.extend(open.iter().rev());
    Some(out)
}

/// Writes an escape that JSON knows as it is, and of any other only the escaped character.
fn push_escape(out: &mut String, escaped: char) {
    if matches!(escaped, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u') {
        out.push('\\');
    }
    if escaped == '\n' {
        out.push_str("\\n");
    } else {
        out.push(escaped);
    }
}

fn drop_trailing_comma(out: &mut String) {
    let kept = out.trim_end();
    if let Some(kept) = kept.strip_suffix(',') {
        out.truncate(kept.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str) -> Option<String> {
        Some(object(text)?.0.get("sql")?.as_str()?.to_owned())
    }

    #[test]
    fn trailing_commas_are_dropped() {
        assert_eq!(
            sql(r#"{"plan": {"tables": ["a",],}, "sql": "SELECT 1",}"#).unwrap(),
            "SELECT 1"
        );
    }

    #[test]
    fn raw_line_ends_and_markdown_escapes_in_strings_are_read() {
        assert_eq!(sql("{\"sql\": \"SELECT a\\_b\nFROM t\"}").unwrap(), "SELECT a_b\nFROM t");
    }

    #[test]
    fn a_missing_closing_brace_is_added_but_a_cut_string_is_not_closed() {
        assert_eq!(sql(r#"{"plan": {"grain": "x"}, "sql": "SELECT 1""#).unwrap(), "SELECT 1");
        assert_eq!(sql(r#"{"sql": "SELECT a, b FR"#), None);
    }

    #[test]
    fn a_cut_object_keeps_its_whole_members() {
        let cut_short = r#"{"sql": "SELECT COUNT(*) AS n FROM bookings", "explanation": "cut"#;
        assert_eq!(cut(cut_short).unwrap().0["sql"], "SELECT COUNT(*) AS n FROM bookings");
        assert_eq!(cut(r#"{"sql": "SELECT COUNT(*) FR"#), None);
        assert!(is_open(r#"so {"sql": ""#) && !is_open("use {x} then") && !is_open(r#"{"a": 1}"#));
    }

    #[test]
    fn braces_of_prose_are_passed_over() {
        let (json, before, after) = object("use {x} then {\"sql\": \"SELECT 1\"} done").unwrap();
        assert_eq!(json["sql"], "SELECT 1");
        assert_eq!((before, after), ("use {x} then ", " done"));
    }
}
