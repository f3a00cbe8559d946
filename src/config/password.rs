//! Passwords of profiles: where they are kept, read when a connection is opened and not before.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::domain::Secret;

/// How long a command may take: somebody may have to unlock a store first.
const PATIENCE: Duration = Duration::from_mins(1);

/// Between looks at whether a command has ended.
const LOOK: Duration = Duration::from_millis(10);

/// Bytes that are read of what a command prints, and of a file.
const MOST: u64 = 64 * 1024;

/// Letters of a command's complaint that are passed on.
const COMPLAINT: usize = 400;

/// Where a password is kept.
#[derive(Clone, PartialEq, Eq)]
pub enum Password {
    /// In a variable of the environment.
    Variable(String),
    /// A command prints it as its first line.
    Command(String),
    /// In a file that nobody else may read.
    File(PathBuf),
}

/// Says where, but no command: a password may be written in it.
impl std::fmt::Display for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Password::Variable(name) => write!(f, "from the variable {name}"),
            Password::Command(_) => f.write_str("from a command"),
            Password::File(path) => write!(f, "from the file {}", path.display()),
        }
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Password({self})")
    }
}

/// Why a password can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The variable isn't set.
    #[error("the variable {0} that holds the password is not set")]
    Variable(String),
    /// The command failed, or printed nothing.
    #[error("the command that prints the password failed: {0}")]
    Command(String),
    /// The file can't be read, or holds nothing.
    #[error("the password file {path} can't be used: {what}")]
    File {
        /// The file.
        path: String,
        /// Why.
        what: String,
    },
    /// Others may read the file.
    #[error("the password file {path} may be read by others (mode {mode:04o})")]
    Open {
        /// The file.
        path: String,
        /// Its permissions.
        mode: u32,
    },
}

impl PasswordError {
    /// Returns what to do, as a sentence.
    pub fn hint(&self) -> String {
        match self {
            PasswordError::Variable(name) => format!("Set {name} before you start querent."),
            PasswordError::Command(_) => "Run it by hand to see what it says.".to_owned(),
            PasswordError::File { .. } => {
                "Write the password into it, and nothing else.".to_owned()
            }
            PasswordError::Open { path, .. } => format!("Make it yours alone: chmod 600 {path}"),
        }
    }
}

impl Password {
    /// Reads the password. Dropping the future stops the command.
    pub async fn read(&self) -> Result<Secret, PasswordError> {
        match self {
            Password::Variable(name) => std::env::var(name)
                .ok()
                .filter(|value| !value.is_empty())
                .map(Secret::new)
                .ok_or_else(|| PasswordError::Variable(name.clone())),
            Password::Command(command) => {
                printed(command, PATIENCE).await.map_err(PasswordError::Command)
            }
            Password::File(path) => of_file(path),
        }
    }
}

fn of_file(path: &Path) -> Result<Secret, PasswordError> {
    let shown = path.display().to_string();
    let wrong = |what: String| PasswordError::File { path: shown.clone(), what };
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    let about = file.metadata().map_err(|error| wrong(error.to_string()))?;
    if !about.is_file() {
        return Err(wrong("it is no file".to_owned()));
    }
    if let Some(mode) = open_to_others(&about) {
        return Err(PasswordError::Open { path: shown, mode });
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    first_line(&bytes).map_err(|what| wrong(what.to_owned()))
}

/// Returns a file's permissions where anyone but its owner has some.
#[cfg(unix)]
fn open_to_others(about: &std::fs::Metadata) -> Option<u32> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

#[cfg(not(unix))]
fn open_to_others(_: &std::fs::Metadata) -> Option<u32> {
    None
}

fn first_line(bytes: &[u8]) -> Result<Secret, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no UTF-8 text")?;
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(Secret::new(line)),
        Some(_) | None => Err("its first line is empty"),
    }
}

/// Runs a command and returns the first line it prints. What it prints is never repeated; what it
/// complains of is, when it fails.
async fn printed(command: &str, within: Duration) -> Result<Secret, String> {
    let mut running = Running::start(command).map_err(|error| error.to_string())?;
    let ended = tokio::time::timeout(within, running.end()).await;
    let (status, printed, complaint) = match ended {
        Ok(ended) => ended?,
        Err(_) => return Err(format!("it did not end within {} s", within.as_secs_f64())),
    };
    if !status.success() {
        let said = String::from_utf8_lossy(&complaint);
        let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let said: String = said.join("; ").chars().take(COMPLAINT).collect();
        let colon = if said.is_empty() { "" } else { ": " };
        return Err(format!("{status}{colon}{said}"));
    }
    first_line(&printed).map_err(|what| format!("it printed no password: {what}"))
}

/// A command at work; going away, it stops, with all that it started.
struct Running {
    child: Child,
    printed: JoinHandle<Vec<u8>>,
    complaint: JoinHandle<Vec<u8>>,
}

impl Running {
    fn start(command: &str) -> std::io::Result<Self> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut shell = Command::new(shell);
        shell.arg(flag).arg(command);
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // a group of its own can be stopped as a whole, and takes no keys from the workbench
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn()?;
        let printed = gathered(child.stdout.take());
        let complaint = gathered(child.stderr.take());
        Ok(Running { child, printed, complaint })
    }

    async fn end(&mut self) -> Result<(ExitStatus, Vec<u8>, Vec<u8>), String> {
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => tokio::time::sleep(LOOK).await,
                Err(error) => return Err(error.to_string()),
            }
        };
        let (printed, complaint) = (&mut self.printed, &mut self.complaint);
        let read = tokio::try_join!(printed, complaint).map_err(|error| error.to_string())?;
        Ok((status, read.0, read.1))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // what has ended by now is as well
        #[cfg(unix)]
        if let Some(group) =
            i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
            && matches!(self.child.try_wait(), Ok(None))
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a pipe to its end; what is more than allowed is read and let go.
fn gathered(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // what was read before a pipe broke is judged as it is
            let _ = pipe.by_ref().take(MOST).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        bytes
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Instant;

    use super::*;

    fn command(text: &str) -> Password {
        Password::Command(text.to_owned())
    }

    #[tokio::test]
    async fn a_command_gives_its_first_line() {
        let read = command("printf 'hu sh\\r\\nuser: me\\n'").read().await.unwrap();
        assert_eq!(read.reveal(), "hu sh");
    }

    #[tokio::test]
    async fn a_command_that_fails_is_told_with_its_complaint_and_never_with_what_it_printed() {
        let error =
            command("echo hush; echo 'store is locked' >&2; exit 3").read().await.unwrap_err();
        let words = error.to_string();
        assert_eq!(
            words,
            "the command that prints the password failed: exit status: 3: store is locked"
        );
        let error = command("true").read().await.unwrap_err().to_string();
        assert!(error.ends_with("it printed no password: its first line is empty"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_does_not_end_is_stopped_with_all_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("late");
        let script = format!("(sleep 1; touch '{}') | cat", file.display());
        let started = Instant::now();
        let error = printed(&script, Duration::from_millis(100)).await.unwrap_err();
        assert_eq!(error, "it did not end within 0.1 s");
        assert!(started.elapsed() < Duration::from_millis(900));
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        assert!(!file.exists(), "what it had started went on");
    }

    #[tokio::test]
    async fn a_file_that_others_may_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pw");
        std::fs::write(&path, "hush\n").unwrap();
        let password = Password::File(path.clone());
        let mode = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        mode(0o640);
        let error = password.read().await.unwrap_err();
        let shown = path.display();
        assert_eq!(
            error.to_string(),
            format!("the password file {shown} may be read by others (mode 0640)")
        );
        assert_eq!(error.hint(), format!("Make it yours alone: chmod 600 {shown}"));
        mode(0o600);
        assert_eq!(password.read().await.unwrap().reveal(), "hush");
    }

    #[tokio::test]
    async fn a_variable_that_is_not_set_is_named() {
        let password = Password::Variable("QUERENT_NO_SUCH_PASSWORD".to_owned());
        let error = password.read().await.unwrap_err();
        assert!(error.to_string().contains("QUERENT_NO_SUCH_PASSWORD"), "{error}");
    }
}
