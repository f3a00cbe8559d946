//! Encodes JSON as Token-Oriented Object Notation, by version 4.0 of its public specification.
//!
//! Section numbers point into the specification. `tests/told/toon.rs` runs its published cases.

use std::fmt::Write;

use serde_json::{Map, Number, Value as Json};

/// What separates the values of a row (§11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delimiter {
    /// `,`, which headers don't name.
    #[default]
    Comma,
    /// The tabulator.
    Tab,
    /// `|`.
    Pipe,
}

impl Delimiter {
    fn sign(self) -> char {
        match self {
            Delimiter::Comma => ',',
            Delimiter::Tab => '\t',
            Delimiter::Pipe => '|',
        }
    }

    /// Returns what stands in a header's brackets.
    fn named(self) -> &'static str {
        match self {
            Delimiter::Comma => "",
            Delimiter::Tab => "\t",
            Delimiter::Pipe => "|",
        }
    }
}

/// How a document is laid out (§13): the options of an encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Spaces of one level.
    pub indent: usize,
    /// The delimiter of the whole document.
    pub delimiter: Delimiter,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { indent: 2, delimiter: Delimiter::Comma }
    }
}

/// Encodes a value as a document of the default layout, without a line break at its end (§12).
pub fn encode(value: &Json) -> String {
    encode_as(value, Layout::default())
}

/// Encodes a value as a document of a layout, without a line break at its end (§12).
pub fn encode_as(value: &Json, layout: Layout) -> String {
    let mut out = Lines { layout, lines: Vec::new() };
    match value {
        Json::Object(fields) => match columns(fields.values()) {
            Some(columns) if fields.len() > 1 => out.entries(0, "", fields, &columns),
            Some(_) | None => out.fields(0, fields),
        },
        Json::Array(items) if items.is_empty() => out.push(0, "[]"),
        Json::Array(items) => out.array(0, "", items, true),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
            out.push(0, &out.primitive(value));
        }
    }
    out.lines.join("\n")
}

/// A column of a table: a leaf, or a group of columns under one name (§9.3).
struct Field {
    name: String,
    group: Option<Vec<Field>>,
}

/// Finds the columns of a table whose rows are these values; none when they don't fit a table.
fn columns<'a>(rows: impl Iterator<Item = &'a Json>) -> Option<Vec<Field>> {
    let rows: Vec<&Map<String, Json>> = rows.map(Json::as_object).collect::<Option<_>>()?;
    let first = rows.first().filter(|first| !first.is_empty())?;
    let alike = |row: &&Map<String, Json>| {
        row.len() == first.len() && row.keys().all(|key| first.contains_key(key))
    };
    if !rows.iter().all(alike) {
        return None;
    }
    first.keys().map(|name| column(name, &rows)).collect()
}

fn column(name: &str, rows: &[&Map<String, Json>]) -> Option<Field> {
    let cells: Vec<&Json> = rows.iter().map(|row| row.get(name)).collect::<Option<_>>()?;
    if cells.iter().all(|cell| is_primitive(cell)) {
        return Some(Field { name: name.to_owned(), group: None });
    }
    let group = columns(cells.into_iter())?;
    Some(Field { name: name.to_owned(), group: Some(group) })
}

fn is_primitive(value: &Json) -> bool {
    !value.is_array() && !value.is_object()
}

struct Lines {
    layout: Layout,
    lines: Vec<String>,
}

impl Lines {
    fn push(&mut self, depth: usize, text: &str) {
        let indent = self.indent(depth);
        self.lines.push(format!("{indent}{text}"));
    }

    fn indent(&self, depth: usize) -> String {
        " ".repeat(self.layout.indent * depth)
    }

    fn fields(&mut self, depth: usize, fields: &Map<String, Json>) {
        for (name, value) in fields {
            self.field(depth, name, value);
        }
    }

    /// Writes one field of an object (§8, §9).
    fn field(&mut self, depth: usize, name: &str, value: &Json) {
        let key = key(name);
        match value {
            Json::Object(fields) => match columns(fields.values()) {
                Some(columns) if fields.len() > 1 => self.entries(depth, &key, fields, &columns),
                Some(_) | None => {
                    self.push(depth, &format!("{key}:"));
                    self.fields(depth + 1, fields);
                }
            },
            Json::Array(items) if items.is_empty() => self.push(depth, &format!("{key}: []")),
            Json::Array(items) => self.array(depth, &key, items, true),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
                self.push(depth, &format!("{key}: {}", self.primitive(value)));
            }
        }
    }

    /// Writes an array under its header: inline, as a table where allowed, else as a list.
    fn array(&mut self, depth: usize, lead: &str, items: &[Json], may_be_table: bool) {
        let count = format!("{}{}", items.len(), self.layout.delimiter.named());
        if items.iter().all(is_primitive) {
            let values = self.joined(items.iter());
            let space = if values.is_empty() { "" } else { " " };
            self.push(depth, &format!("{lead}[{count}]:{space}{values}"));
            return;
        }
        if let Some(columns) = columns(items.iter()).filter(|_| may_be_table) {
            self.push(depth, &format!("{lead}[{count}]{{{}}}:", self.names(&columns)));
            for item in items {
                self.push(depth + 1, &self.row(item, &columns));
            }
            return;
        }
        self.push(depth, &format!("{lead}[{count}]:"));
        for item in items {
            self.item(depth + 1, item);
        }
    }

    /// Writes an object of uniform objects as a table with keys (§9.5).
    fn entries(&mut self, depth: usize, lead: &str, rows: &Map<String, Json>, columns: &[Field]) {
        let (count, named) = (rows.len(), self.layout.delimiter.named());
        self.push(depth, &format!("{lead}[{count}:{named}]{{{}}}:", self.names(columns)));
        for (name, value) in rows {
            self.push(depth + 1, &format!("{}: {}", key(name), self.row(value, columns)));
        }
    }

    /// Writes one item of a list (§9.4, §10).
    fn item(&mut self, depth: usize, item: &Json) {
        let first = self.lines.len();
        match item {
            Json::Object(fields) if fields.is_empty() => return self.push(depth, "-"),
            // The first field shares the line of the hyphen, and stands one level deeper.
            Json::Object(fields) => self.fields(depth + 1, fields),
            // An array's own items count their depth from the hyphen.
            Json::Array(items) => self.array(depth, "", items, false),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
                self.push(depth + 1, &self.primitive(item));
            }
        }
        let line = self.lines.get(first).map(|line| line.trim_start().to_owned());
        let indent = self.indent(depth);
        if let (Some(slot), Some(line)) = (self.lines.get_mut(first), line) {
            *slot = format!("{indent}- {line}");
        }
    }

    /// Writes the names of columns, groups in braces.
    fn names(&self, columns: &[Field]) -> String {
        let name = |field: &Field| match &field.group {
            None => key(&field.name),
            Some(group) => format!("{}{{{}}}", key(&field.name), self.names(group)),
        };
        self.put_together(columns.iter().map(name))
    }

    fn row(&self, value: &Json, columns: &[Field]) -> String {
        let mut cells = Vec::new();
        collect_cells(value, columns, &mut cells);
        self.joined(cells.into_iter())
    }

    fn joined<'a>(&self, values: impl Iterator<Item = &'a Json>) -> String {
        self.put_together(values.map(|value| self.primitive(value)))
    }

    fn put_together(&self, parts: impl Iterator<Item = String>) -> String {
        let sign = self.layout.delimiter.sign().to_string();
        parts.collect::<Vec<_>>().join(&sign)
    }

    /// Writes a primitive (§2, §7). The document's delimiter is the active one everywhere (§11.1).
    fn primitive(&self, value: &Json) -> String {
        match value {
            Json::Bool(truth) => truth.to_string(),
            Json::Number(n) => number(n),
            Json::String(text) if must_be_quoted(text, self.layout.delimiter) => quoted(text),
            Json::String(text) => text.clone(),
            Json::Null | Json::Array(_) | Json::Object(_) => "null".to_owned(),
        }
    }
}

fn collect_cells<'a>(value: &'a Json, columns: &[Field], cells: &mut Vec<&'a Json>) {
    for field in columns {
        let cell = value.get(&field.name).unwrap_or(&Json::Null);
        match &field.group {
            None => cells.push(cell),
            Some(group) => collect_cells(cell, group, cells),
        }
    }
}

/// Writes a number in canonical form: no exponent, no trailing zeros, no negative zero (§2).
fn number(n: &Number) -> String {
    match n.as_f64() {
        Some(real) if n.is_f64() => {
            // Display of f64 never writes an exponent, and drops a fraction of zero.
            let text = format!("{real}");
            if text == "-0" { "0".to_owned() } else { text }
        }
        Some(_) | None => n.to_string(),
    }
}

/// Writes a key: bare where its pattern allows it (§7.3).
fn key(name: &str) -> String {
    let bare = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.');
    if bare { name.to_owned() } else { quoted(name) }
}

/// Tells whether a text would be read as something else without quotes (§7.2).
fn must_be_quoted(text: &str, delimiter: Delimiter) -> bool {
    text.is_empty()
        || text.starts_with([' ', '\t', '-', '#'])
        || text.ends_with([' ', '\t'])
        || matches!(text, "true" | "false" | "null")
        || looks_like_number(text)
        || text.contains(delimiter.sign())
        || text
            .chars()
            .any(|c| matches!(c, ':' | '"' | '\\' | '[' | ']' | '{' | '}') || c < '\u{20}')
}

/// Matches `[+-]? digits ( . digits )? ( e [+-]? digits )?`, in either case.
fn looks_like_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let exponent_fits = exponent
        .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)));
    let mantissa_fits = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(mantissa),
    };
    mantissa_fits && exponent_fits
}

/// Quotes a text with the escapes of §7.1.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < '\u{20}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(value: &Json, right: &str) {
        assert_eq!(encode(value), right);
    }

    #[test]
    fn objects_and_primitives() {
        check(
            &json!({"id": 1, "name": "Ada", "ok": true, "x": null}),
            "id: 1\nname: Ada\nok: true\nx: null",
        );
        check(&json!({"a": {"b": {}}}), "a:\n  b:");
        check(&json!({"my-key": 1, "a.b": 2, "": 3}), "\"my-key\": 1\na.b: 2\n\"\": 3");
        check(&json!({}), "");
        check(&json!("x y"), "x y");
    }

    #[test]
    fn numbers_are_canonical() {
        check(
            &json!([1.0, -0.0, 1.5, 1e6, 1e-6, -2, 9_007_199_254_740_993_i64]),
            "[7]: 1,0,1.5,1000000,0.000001,-2,9007199254740993",
        );
    }

    #[test]
    fn texts_are_quoted_where_they_would_be_misread() {
        for text in [
            "", " x", "x\t", "true", "null", "42", "-3.14", "05", "+1", "1e-6", "-", "-x", "#",
            "#x", "a:b", "a,b", "a\"b", "a\\b", "[x]", "{x}",
        ] {
            assert!(must_be_quoted(text, Delimiter::Comma), "{text}");
        }
        for text in ["True", "x y", "é😀", "1a", "1.", "e5", "a-b", "a#", "a|b", "it's", "/x"] {
            assert!(!must_be_quoted(text, Delimiter::Comma), "{text}");
        }
        check(&json!({"t": "a\n\t\"\\\u{1}"}), "t: \"a\\n\\t\\\"\\\\\\u0001\"");
    }

    #[test]
    fn arrays_are_inline_tables_or_lists() {
        check(&json!({"tags": ["a", "b,c"], "none": []}), "tags[2]: a,\"b,c\"\nnone: []");
        check(&json!([]), "[]");
        let rows = json!({"items": [{"sku": "A1", "qty": 2}, {"qty": 1, "sku": "x:y"}]});
        check(&rows, "items[2]{sku,qty}:\n  A1,2\n  \"x:y\",1");
        check(&json!([[1, 2], [], "x"]), "[3]:\n  - [2]: 1,2\n  - [0]:\n  - x");
        check(&json!({"l": [{"a": 1}, {"a": [1]}, {}]}), "l[3]:\n  - a: 1\n  - a[1]: 1\n  -");
    }

    #[test]
    fn nested_groups_and_keyed_tables() {
        let rows = json!([{"id": 1, "p": {"x": 1, "y": 2}}, {"id": 2, "p": {"x": 3, "y": 4}}]);
        check(&rows, "[2]{id,p{x,y}}:\n  1,1,2\n  2,3,4");
        let keyed = json!({"u": {"ada": {"n": 1}, "bob x": {"n": 2}}});
        check(&keyed, "u[2:]{n}:\n  ada: 1\n  \"bob x\": 2");
        check(&json!({"u": {"ada": {"n": 1}}}), "u:\n  ada:\n    n: 1");
    }

    #[test]
    fn objects_as_items_share_the_line_of_the_hyphen() {
        let list = json!({"l": [{"t": [{"a": 1}, {"a": 2}], "n": 1}, {"o": {"p": 1}, "n": 2}]});
        check(
            &list,
            "l[2]:\n  - t[2]{a}:\n      1\n      2\n    n: 1\n  - o:\n      p: 1\n    n: 2",
        );
    }
}
