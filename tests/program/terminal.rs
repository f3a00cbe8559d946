//! The built program on a pty, and the screen that its bytes draw.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Longest wait for something to appear; a loaded machine is slow, a hang is longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Rows and columns of a terminal when nothing else is said.
const SIZE: PtySize = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };

/// A terminal that answers no query, with the program in it.
pub(crate) struct Terminal {
    pub(crate) child: Box<dyn Child + Send + Sync>,
    pub(crate) master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
    pub(crate) raw: Vec<u8>,
    home: PathBuf,
    /// Goes away with the terminal, where the home isn't somebody else's.
    own: Option<tempfile::TempDir>,
}

impl Terminal {
    /// Starts the program in a home of its own.
    pub(crate) fn start(args: &[&str], env: &[(&str, &str)]) -> Self {
        Terminal::start_sized(SIZE, args, env)
    }

    /// Starts the program in a terminal of a size.
    pub(crate) fn start_sized(size: PtySize, args: &[&str], env: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let program = env!("CARGO_BIN_EXE_querent");
        let mut terminal = Terminal::run(size, program, args, env, home.path());
        terminal.own = Some(home);
        terminal
    }

    /// Starts the program in a home that outlives it.
    pub(crate) fn start_in(home: &Path, args: &[&str]) -> Self {
        Terminal::run(SIZE, env!("CARGO_BIN_EXE_querent"), args, &[], home)
    }

    /// Starts another program: a shell that starts ours.
    pub(crate) fn run(
        size: PtySize,
        program: impl AsRef<OsStr>,
        args: &[&str],
        env: &[(&str, &str)],
        home: &Path,
    ) -> Self {
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env_clear();
        for (name, value) in [("TERM", "xterm-256color"), ("PATH", "/usr/bin:/bin")] {
            command.env(name, value);
        }
        command.env("HOME", home);
        // whatever is saved without a folder goes away with the home
        command.cwd(home);
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 8192];
            while let Ok(n) = reader.read(&mut bytes) {
                if n == 0 || sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let screen = vt100::Parser::new(nz(30), nz(100), 0);
        let raw = Vec::new();
        let home = home.to_owned();
        Terminal { child, master: pair.master, keys, output, screen, raw, home, own: None }
    }

    /// The home folder of the program.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Presses keys, as the bytes that they send.
    pub(crate) fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until something is true, taking what the program sends meanwhile.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut is: impl FnMut(&Terminal) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is(self) {
            match self.output.recv_timeout(Duration::from_millis(20)) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() < end => {}
                Err(e) => {
                    let shown = self.screen.screen().contents();
                    panic!("{what} didn't come about ({e:?}):\n{shown}");
                }
            }
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait(&mut self, text: &str) {
        self.until(&format!("'{text}'"), |terminal| {
            terminal.screen.screen().contents().contains(text)
        });
    }

    /// Takes what the program has sent by now; tells whether it still runs.
    pub(crate) fn take(&mut self) -> bool {
        loop {
            match self.output.try_recv() {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, cols: u16, rows: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).unwrap();
        self.screen.screen_mut().set_size(nz(rows), nz(cols));
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        let sent = std::process::Command::new("kill").args([name, &pid]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the program's end; returns its exit code.
    pub(crate) fn end(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    panic!("it didn't end:\n{}", self.screen.screen().contents());
                }
            }
        }
        self.child.wait().unwrap().exit_code()
    }

    /// Tells whether bytes were sent to the terminal.
    pub(crate) fn sent(&self, bytes: &[u8]) -> bool {
        self.raw.windows(bytes.len()).any(|window| window == bytes)
    }

    /// Fails when the terminal is not as it was before.
    #[track_caller]
    pub(crate) fn is_restored(&self) {
        let last = self.raw.get(self.raw.len().saturating_sub(200)..).unwrap_or_default();
        let last = String::from_utf8_lossy(last);
        assert!(self.sent(b"\x1b[?1049l"), "the alternate screen wasn't left: {last:?}");
        assert!(self.sent(b"\x1b[?25h"), "the cursor stayed hidden");
        assert!(!self.screen.screen().alternate_screen());
        assert!(!self.screen.screen().hide_cursor());
    }
}

/// A size that is not zero, as the emulator wants it.
pub(crate) fn nz(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).unwrap()
}
