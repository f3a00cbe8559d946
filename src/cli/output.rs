//! Where words go: the result to standard output, all else to standard error, made safe there.

#![expect(clippy::print_stderr, reason = "talk goes to standard error")]

use std::io::{IsTerminal, Write};

use serde_json::Value as Json;

use crate::domain::{ResultColumn, Value};
use crate::pipeline::ResultStore;
use crate::shown::Shown;

use super::choices::Format;

/// Rows read at a time while streaming.
const BATCH: u64 = 1_000;

/// Says a line on standard error.
pub(super) fn say(text: &str) {
    for line in text.lines() {
        eprintln!("querent: {}", Shown::new(line));
    }
}

/// Says what to do, on standard error.
pub(super) fn say_hint(text: &str) {
    for line in text.lines() {
        eprintln!("  {}", Shown::new(line));
    }
}

/// Prints a line of the result. A reader that went away is no error: there is nobody to tell.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
}

/// Prints text that may hold data: as it is into a file or pipe, made safe on a terminal.
pub(super) fn print_safe(text: &str) {
    if std::io::stdout().is_terminal() {
        for line in text.lines() {
            print(Shown::new(line).as_str());
        }
    } else {
        print(text);
    }
}

/// Prints a JSON object: indented for a person, one line for a pipe.
pub(super) fn print_json(json: &Json) {
    let text = if std::io::stdout().is_terminal() {
        serde_json::to_string_pretty(json)
    } else {
        serde_json::to_string(json)
    };
    print(&escaped(&text.unwrap_or_default()));
}

/// Escapes what JSON leaves as it is but a terminal acts on: DEL, C1, bidirectional marks. The
/// text stays the same JSON.
pub(super) fn escaped(json: &str) -> String {
    let acts = |c: char| {
        matches!(c, '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{61c}')
    };
    if !json.contains(acts) {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if acts(c) {
            let _ = std::fmt::Write::write_fmt(&mut out, format_args!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// Prints a trace line on standard error.
pub(super) fn trace(line: &str) {
    eprintln!("{}", escaped(line));
}

/// Streams every row of a result.
pub(super) fn stream(result: &ResultStore, format: Format) -> std::io::Result<()> {
    let safe = std::io::stdout().is_terminal();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut from = 0;
    let mut header = true;
    loop {
        let page = result.page(from..from + BATCH);
        if header {
            send(&mut out, safe, |line| head(line, &page.columns, format))?;
            header = false;
        }
        for row in &page.rows {
            send(&mut out, safe, |text| line(text, &page.columns, row, format))?;
        }
        from += page.rows.len() as u64;
        if page.rows.is_empty() {
            return out.flush();
        }
    }
}

/// Writes lines as they are into a file or pipe, and made safe on a terminal.
fn send(
    out: &mut impl Write,
    safe: bool,
    write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut text = Vec::new();
    write(&mut text)?;
    if !safe {
        return out.write_all(&text);
    }
    for line in String::from_utf8_lossy(&text).lines() {
        writeln!(out, "{}", Shown::new(&line.replace('\t', "  ")))?;
    }
    Ok(())
}

fn head(out: &mut impl Write, columns: &[ResultColumn], format: Format) -> std::io::Result<()> {
    let names: Vec<Value> = columns.iter().map(|c| Value::Text(c.name.clone())).collect();
    match format {
        Format::Csv | Format::Tsv => separated(out, &names, format),
        Format::Markdown => {
            markdown(out, &names)?;
            writeln!(out, "|{}", " --- |".repeat(columns.len()))
        }
        Format::Jsonl | Format::Json | Format::Table => Ok(()),
    }
}

fn line(
    out: &mut impl Write,
    columns: &[ResultColumn],
    row: &[Value],
    format: Format,
) -> std::io::Result<()> {
    match format {
        Format::Csv | Format::Tsv => separated(out, row, format),
        Format::Markdown => markdown(out, row),
        Format::Jsonl | Format::Json | Format::Table => {
            let object: serde_json::Map<String, Json> = columns
                .iter()
                .zip(row)
                .map(|(column, value)| (column.name.clone(), crate::record::report::cell(value)))
                .collect();
            writeln!(out, "{}", escaped(&Json::Object(object).to_string()))
        }
    }
}

/// Writes a line of CSV (RFC 4180) or TSV; NULL is an empty field, an empty text is `""` in CSV.
fn separated(out: &mut impl Write, row: &[Value], format: Format) -> std::io::Result<()> {
    let (by, fields): (&str, Vec<String>) = if format == Format::Csv {
        (",", row.iter().map(csv_field).collect())
    } else {
        ("\t", row.iter().map(|v| v.plain().replace(['\t', '\n', '\r'], " ")).collect())
    };
    writeln!(out, "{}", fields.join(by))
}

fn csv_field(value: &Value) -> String {
    let text = value.plain();
    let quoted = text.contains(['"', ',', '\n', '\r']) || (text.is_empty() && !value.is_null());
    if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn markdown(out: &mut impl Write, row: &[Value]) -> std::io::Result<()> {
    let cells: Vec<String> =
        row.iter().map(|v| v.plain().replace('|', "\\|").replace(['\n', '\r'], "<br>")).collect();
    writeln!(out, "| {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_tells_null_from_empty_text_and_quotes_what_needs_it() {
        let mut out = Vec::new();
        let row = [Value::Null, Value::Text(String::new()), Value::Text("a,\"b\"".into())];
        separated(&mut out, &row, Format::Csv).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), ",\"\",\"a,\"\"b\"\"\"\n");
    }
}
