//! Where words go: the result to standard output, all else to standard error, made safe there.

#![expect(clippy::print_stderr, reason = "talk goes to standard error")]

use std::io::{Error, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::shown::Shown;

use super::exit;

/// Why standard output took no more, if it did.
static LOST: OnceLock<Error> = OnceLock::new();

/// Notes that standard output takes no more; only the first reason is kept.
pub(super) fn lost(error: Error) {
    // a second one says nothing new
    let _ = LOST.set(error);
}

/// Says what was lost on the way to standard output; the exit code is then no success.
pub(super) fn settled(code: u8) -> u8 {
    let Some(error) = LOST.get() else { return code };
    say(&format!("the result on standard output is not whole: {error}"));
    if code == exit::OK { exit::USAGE } else { code }
}

/// Writes bytes of the result. A reader that went away is no error: there is nobody to tell.
pub(super) fn put(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => lost(error),
    }
}

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

/// Prints a line of the result.
pub(super) fn print(text: &str) {
    put(format!("{text}\n").as_bytes());
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
