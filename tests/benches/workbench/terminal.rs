//! A program on a real pty: keys written, every byte that comes back stamped when it arrives.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Columns and rows of the terminal.
pub const SIZE: (u16, u16) = (200, 50);

/// Longest wait for something to appear.
const PATIENCE: Duration = Duration::from_mins(3);

/// A frame has ended when nothing came for this long.
const QUIET: Duration = Duration::from_millis(20);

/// A program at work.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    // the program's terminal lives as long as this end of it
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<(Instant, Vec<u8>)>,
    screen: vt100::Parser,
    /// Everything that came.
    pub raw: Vec<u8>,
    /// When it was started.
    pub started: Instant,
    _home: tempfile::TempDir,
}

impl Terminal {
    /// Starts a program with its arguments and environment in a home of its own.
    pub fn start(program: &str, args: &[String], env: &[(String, String)]) -> Self {
        let (cols, rows) = SIZE;
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pty");
        let home = tempfile::tempdir().expect("a folder");
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env_clear();
        for (name, value) in
            [("TERM", "xterm-256color"), ("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8")]
        {
            command.env(name, value);
        }
        command.env("HOME", home.path());
        for (name, value) in env {
            command.env(name, value);
        }
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(n) = reader.read(&mut bytes) {
                if n == 0 || sender.send((Instant::now(), bytes[..n].to_vec())).is_err() {
                    break;
                }
            }
        });
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let screen = vt100::Parser::new(nz(rows), nz(cols), 0);
        Terminal {
            child,
            _master: pair.master,
            keys,
            output,
            screen,
            raw: Vec::new(),
            started,
            _home: home,
        }
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.process_id().expect("a process")
    }

    /// Writes keys; returns when.
    pub fn send(&mut self, keys: &str) -> Instant {
        let at = Instant::now();
        self.keys.write_all(keys.as_bytes()).expect("keys are taken");
        self.keys.flush().expect("keys are taken");
        at
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.raw.extend(bytes);
    }

    /// What stands on the screen.
    pub fn shown(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the screen satisfies `seen`; returns when the bytes came that made it so.
    pub fn wait(&mut self, what: &str, seen: impl Fn(&str) -> bool) -> Instant {
        let Some(at) = self.waits(PATIENCE, seen) else {
            panic!("{what} didn't appear:\n{}", self.shown());
        };
        at
    }

    /// The same for so long at most; none when it didn't come about.
    pub fn waits(&mut self, time: Duration, seen: impl Fn(&str) -> bool) -> Option<Instant> {
        let end = Instant::now() + time;
        let mut at = Instant::now();
        while !seen(&self.shown()) {
            let left = end.saturating_duration_since(Instant::now());
            let (when, bytes) = self.output.recv_timeout(left).ok()?;
            self.take(&bytes);
            at = when;
        }
        Some(at)
    }

    /// Takes what comes until nothing has come for `QUIET`; returns the time of the last byte.
    pub fn settle(&mut self) -> Option<Instant> {
        let mut last = None;
        while let Ok((when, bytes)) = self.output.recv_timeout(QUIET) {
            self.take(&bytes);
            last = Some(when);
        }
        last
    }

    /// Takes what comes for a while; returns how many bytes that were.
    pub fn listen(&mut self, time: Duration) -> usize {
        let end = Instant::now() + time;
        let before = self.raw.len();
        while let Ok((_, bytes)) =
            self.output.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.take(&bytes);
        }
        self.raw.len() - before
    }

    /// Presses a key `times` times, each after the former's frame; returns milliseconds from key
    /// to the last byte of its frame, sorted.
    pub fn frames(&mut self, key: &str, times: usize) -> Vec<f64> {
        let mut all = Vec::new();
        for _ in 0..times {
            let at = self.send(key);
            if let Some(last) = self.settle() {
                all.push(ms(last.saturating_duration_since(at)));
            }
        }
        all.sort_by(f64::total_cmp);
        all
    }

    /// The same while something else draws all the time: milliseconds to the end of the first frame.
    /// Keys are pressed in turn, so that each changes the screen.
    pub fn first_frames(&mut self, keys: &[&str], times: usize, gap: Duration) -> Vec<f64> {
        let mut all = Vec::new();
        for key in keys.iter().cycle().take(times) {
            self.listen(gap);
            let at = self.send(key);
            while let Ok((when, bytes)) = self.output.recv_timeout(PATIENCE) {
                let whole = bytes.ends_with(b"\x1b[?2026l");
                self.take(&bytes);
                if when > at && whole {
                    all.push(ms(when - at));
                    break;
                }
            }
        }
        all.sort_by(f64::total_cmp);
        all
    }

    /// Ends the program by a signal; returns its exit code.
    pub fn end(&mut self, signal: &str) -> u32 {
        let pid = self.pid().to_string();
        let killed = std::process::Command::new("kill").args([signal, &pid]).status();
        assert!(killed.is_ok_and(|status| status.success()), "no signal could be sent");
        while let Ok((_, bytes)) = self.output.recv_timeout(Duration::from_secs(20)) {
            self.take(&bytes);
        }
        self.child.wait().expect("an end").exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // one that has ended is gone already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A duration in milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn nz(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("no size is zero")
}

/// What the system tells of a process: processor seconds so far, resident MB now and at the peak.
pub struct Cost {
    /// Seconds of processor time.
    pub cpu: f64,
    /// Megabytes resident.
    pub resident: f64,
    /// Megabytes resident at the peak.
    pub peak: f64,
}

impl Cost {
    /// Reads it; zeros where the system has no `/proc`.
    pub fn of(pid: u32) -> Self {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name));
            let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
            number.unwrap_or(0.0) / 1024.0
        };
        // nanoseconds on the processor, of all threads
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let spent = tasks.filter_map(|task| {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<f64>().ok()
        });
        Cost { cpu: spent.sum::<f64>() / 1e9, resident: field("VmRSS:"), peak: field("VmHWM:") }
    }
}
