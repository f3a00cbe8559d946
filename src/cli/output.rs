//! Where words go: the result to standard output, all else to standard error, made safe there.

#![expect(clippy::print_stderr, reason = "talk goes to standard error")]

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;

use serde_json::Value as Json;

use crate::pipeline::ResultStore;
use crate::render::table::{TableForm, TableWriter};
use crate::shown::Shown;

use super::choices::Format;

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
    let form = match format {
        Format::Csv => TableForm::Csv,
        Format::Tsv => TableForm::Tsv,
        Format::Markdown => TableForm::Markdown,
        Format::Jsonl | Format::Json | Format::Table => TableForm::JsonLines,
    };
    let safe = std::io::stdout().is_terminal();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut table = TableWriter::new(form, &result.columns(), None);
    let mut text = String::new();
    table.head(&mut text);
    let scanned = result.scan(0..u64::MAX, |_, row| {
        table.row(row.cells(), &mut text);
        let sent = send(&mut out, safe, &text, form);
        text.clear();
        sent.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    if let ControlFlow::Break(error) = scanned? {
        return Err(error);
    }
    table.tail(&mut text);
    send(&mut out, safe, &text, form)?;
    out.flush()
}

/// Writes lines as they are into a file or pipe, and made safe on a terminal. JSON says the same in
/// signs that no terminal acts on.
fn send(out: &mut impl Write, safe: bool, text: &str, form: TableForm) -> std::io::Result<()> {
    if form == TableForm::JsonLines {
        return out.write_all(escaped(text).as_bytes());
    }
    if !safe {
        return out.write_all(text.as_bytes());
    }
    for line in text.lines() {
        writeln!(out, "{}", Shown::new(&line.replace('\t', "  ")))?;
    }
    Ok(())
}
