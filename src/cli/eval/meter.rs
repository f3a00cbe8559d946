//! How far the work is, on a terminal's standard error.

#![expect(clippy::print_stderr, reason = "how far it is goes to standard error")]

use std::io::{IsTerminal, Write};
use std::time::Instant;

use crate::evaluation::Progress;
use crate::shown::Shown;

/// Shows on a terminal how far the work is.
pub(super) struct Meter {
    shown: bool,
    since: Instant,
    last: Option<Instant>,
}

impl Meter {
    pub(super) fn new() -> Self {
        Meter { shown: std::io::stderr().is_terminal(), since: Instant::now(), last: None }
    }

    /// Rewrites its line, ten times a second at most, and clears it at the end.
    pub(super) fn show(&mut self, progress: &Progress) {
        let ends = progress.done >= progress.of;
        let soon = self.last.is_some_and(|last| last.elapsed().as_millis() < 100);
        if !self.shown || (soon && !ends) {
            return;
        }
        self.last = Some(Instant::now());
        if ends {
            eprint!("\r\x1b[K");
        } else {
            let seconds = self.since.elapsed().as_secs();
            let Progress { what, done, of } = progress;
            let line = format!("{done} of {of} · {seconds} s · {what}");
            let short: String = line.chars().take(78).collect();
            eprint!("\r\x1b[K{}", Shown::new(&short));
        }
        let _ = std::io::stderr().flush();
    }
}
