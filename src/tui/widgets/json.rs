//! Indents JSON without changing a value: numbers, strings and the order of keys stay as written.

use serde::de::IgnoredAny;

/// Columns of one step of indentation.
const STEP: usize = 2;

/// Indents a text that is a JSON object or array; none when it is something else.
pub fn indented(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return None;
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' => {
                out.push(c);
                string(&mut letters, &mut out);
            }
            '{' | '[' => {
                while letters.next_if(char::is_ascii_whitespace).is_some() {}
                out.push(c);
                if let Some(end) = letters.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = usize::saturating_sub(depth, 1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}

/// Copies a string up to its closing quote.
fn string(letters: &mut impl Iterator<Item = char>, out: &mut String) {
    while let Some(c) = letters.next() {
        out.push(c);
        match c {
            '"' => return,
            '\\' => out.extend(letters.next()),
            _ => {}
        }
    }
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', depth * STEP));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_arrays_are_indented_and_values_stay_as_written() {
        let text = r#"{"b":1.0e2,"a":[1,{"x":"a, {b}: \"c\""}],"e":{},"f":[ ]}"#;
        let lines = [
            "{",
            "  \"b\": 1.0e2,",
            "  \"a\": [",
            "    1,",
            "    {",
            "      \"x\": \"a, {b}: \\\"c\\\"\"",
            "    }",
            "  ],",
            "  \"e\": {},",
            "  \"f\": []",
            "}",
        ];
        assert_eq!(indented(text), Some(lines.join("\n")));
    }

    #[test]
    fn all_else_is_no_json_here() {
        for text in ["12", "\"x\"", "{broken", "[1,2", "", "null", "{a:1}"] {
            assert_eq!(indented(text), None, "{text}");
        }
    }
}
