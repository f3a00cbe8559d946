//! Decides where a run waits for a person: by `--yes`, by asking on the terminal, else it refuses.

use std::io::IsTerminal;

use crate::domain::{Paused, Resumed};

use super::output::{say, say_hint};

/// Returns what no yes means: SQL is refused, at a breakpoint the run is only stopped.
fn no(paused: &Paused) -> Resumed {
    match paused {
        Paused::Approval { .. } => Resumed::Refuse,
        Paused::Breakpoint { .. } => Resumed::Stop,
    }
}

/// Decides. Without `--yes` and without a terminal nobody can be asked: the run must not hang.
pub(super) async fn decide(paused: &Paused, yes: bool) -> Resumed {
    if yes {
        return Resumed::Go;
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return no(paused);
    }
    match paused {
        Paused::Approval { sql, reason } => {
            say("this SQL wants your approval:");
            say_hint(sql);
            say_hint(reason);
        }
        Paused::Breakpoint { .. } => say(&format!("the run is paused {}", paused.words())),
    }
    say("go on? y or n");
    let answer = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    match answer.await {
        Ok(Ok(line)) if agrees(&line) => Resumed::Go,
        Ok(Ok(_) | Err(_)) | Err(_) => no(paused),
    }
}

/// Only a clear yes is one.
fn agrees(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::agrees;

    #[test]
    fn only_a_clear_yes_is_one() {
        for line in ["y\n", "YES\n", " yes "] {
            assert!(agrees(line), "{line:?}");
        }
        for line in ["", "\n", "n\n", "yess\n", "1\n"] {
            assert!(!agrees(line), "{line:?}");
        }
    }
}
