//! Runs the built program in a home of its own, as a script would.
#![allow(dead_code, reason = "each test file uses what it needs of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]

pub(crate) mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

/// A home folder that goes away with the test.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Home { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A path in this home.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a database by a script of statements.
    pub(crate) fn database(&self, name: &str, script: &str) -> String {
        let path = self.file(name);
        rusqlite::Connection::open(&path).unwrap().execute_batch(script).unwrap();
        path.display().to_string()
    }

    /// The program with its environment: this home, no keys, no network.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
        command.args(arguments).env_clear().env("HOME", self.path()).env("LANG", "C.UTF-8");
        for (name, folder) in
            [("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache")]
        {
            command.env(name, self.path().join(folder));
        }
        command.env("QUERENT_MODEL", "rules").stdin(Stdio::null()).current_dir(self.path());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command(arguments).output().unwrap())
    }

    /// Runs the program with a text on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Ended {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // a program that ends before it has read all is judged by its output
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Ended::of(child.wait_with_output().unwrap())
    }
}

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) bytes: Vec<u8>,
}

impl Ended {
    pub(crate) fn of(output: Output) -> Self {
        Ended {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            bytes: output.stdout,
        }
    }

    /// The one JSON object on standard output.
    pub(crate) fn json(&self) -> Json {
        match serde_json::from_str(&self.out) {
            Ok(json) => json,
            Err(e) => panic!("no JSON ({e}): {self:?}"),
        }
    }

    /// JSON lines on standard output.
    pub(crate) fn lines(&self) -> Vec<Json> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
