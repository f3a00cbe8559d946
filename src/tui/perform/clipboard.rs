//! The system's clipboard: a program of the desktop takes the text beside the terminal.
//!
//! Over ssh only the terminal reaches the person's clipboard; on the desktop itself the program works
//! also where the terminal knows no OSC 52. The text goes in by standard input; a program that
//! doesn't end in time is stopped.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Between looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(10);

/// Bytes beyond which many terminals drop what they are sent.
const TERMINALS_TAKE: usize = 74_000;

/// Programs, their arguments, and the variable that says that their desktop is there.
const PROGRAMS: [(&str, &[&str], &str); 4] = [
    ("wl-copy", &[], "WAYLAND_DISPLAY"),
    ("xclip", &["-selection", "clipboard", "-in"], "DISPLAY"),
    ("xsel", &["--clipboard", "--input"], "DISPLAY"),
    ("pbcopy", &[], "PATH"),
];

/// Offers a text to the desktop's clipboard; says by which ways it was copied.
pub(super) async fn offer(text: String) -> String {
    let bytes = text.len();
    let program = PROGRAMS.iter().find_map(|(name, arguments, desktop)| {
        std::env::var_os(desktop).filter(|value| !value.is_empty())?;
        Some((*name, *arguments, found(name)?))
    });
    let by_program = match program {
        Some((name, arguments, path)) => hand_over(path, arguments, text).await.then_some(name),
        None => None,
    };
    match by_program {
        Some(name) => format!("terminal and {name}"),
        None if bytes > TERMINALS_TAKE => "through the terminal, if it takes so much".to_owned(),
        None => "through the terminal".to_owned(),
    }
}

/// Looks a program up in the folders of `PATH`.
fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Runs a program with a text as its input; tells whether it took it.
async fn hand_over(program: PathBuf, arguments: &[&str], text: String) -> bool {
    let begun = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = begun else { return false };
    let Some(mut input) = child.stdin.take() else { return false };
    // a program that doesn't read would block here: it is stopped below, which ends the writing
    let written = tokio::task::spawn_blocking(move || input.write_all(text.as_bytes()).is_ok());
    let ended = tokio::time::timeout(PATIENCE, ended(&mut child)).await;
    if ended.is_err() {
        // it may have ended by now, which is as well
        let _ = child.kill();
        let _ = child.wait();
    }
    ended == Ok(true) && written.await.unwrap_or(false)
}

async fn ended(child: &mut Child) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => tokio::time::sleep(LOOK).await,
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_gets_the_text_and_its_end_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("copied");
        let script = format!("cat > '{}'", file.display());
        let shell = found("sh").expect("a shell");
        let text = "line\nline\u{1b}".repeat(20_000);
        assert!(hand_over(shell.clone(), &["-c", &script], text.clone()).await);
        assert_eq!(std::fs::read_to_string(&file).ok(), Some(text));
        assert!(!hand_over(shell, &["-c", "exit 1"], String::new()).await);
    }
}
