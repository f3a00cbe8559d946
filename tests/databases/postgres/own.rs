//! A server of the test's own, which may be killed. It listens on loopback, keeps its data in a
//! temporary folder, and runs as a user that is not root.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A running server.
pub(super) struct OwnServer {
    programs: PathBuf,
    folder: TempDir,
    port: u16,
    child: Option<Child>,
}

impl OwnServer {
    /// Makes and starts one; none where PostgreSQL's programs are not installed.
    pub(super) async fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            println!("skipped, as no PostgreSQL is installed here");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = OwnServer { programs, folder, port: free_port(), child: None };
        server.own_folder();
        let made = server
            .command(
                "initdb",
                &[
                    "-U",
                    "querent",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C.UTF-8",
                    "--no-sync",
                    "-D",
                ],
            )
            .arg(server.data())
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server.run().await;
        Some(server)
    }

    pub(super) fn address(&self) -> String {
        format!("postgres://querent@127.0.0.1:{}/postgres", self.port)
    }

    /// Lets the server speak TLS from its next start on, with a certificate for `localhost` that it
    /// signed itself; returns the certificate's file. None where there is no openssl.
    pub(super) fn certify(&self) -> Option<PathBuf> {
        let (key, certificate) = (self.data().join("server.key"), self.data().join("server.crt"));
        let subject = [
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ];
        let mut openssl = self.as_server(Path::new("openssl"));
        openssl.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]).args(subject);
        openssl.arg("-keyout").arg(key).arg("-out").arg(&certificate).stderr(Stdio::null());
        if !openssl.status().is_ok_and(|status| status.success()) {
            println!("skipped, as there is no openssl here");
            return None;
        }
        let settings = self.data().join("postgresql.auto.conf");
        std::fs::write(settings, "ssl = on\n").expect("written");
        Some(certificate)
    }

    /// Starts the server on its data, and waits until it answers.
    pub(super) async fn run(&mut self) {
        let port = self.port.to_string();
        let child = self
            .command(
                "postgres",
                &["-p", &port, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
            )
            .args(["-c", "full_page_writes=off", "-c", "wal_level=logical", "-k", ""])
            .arg("-D")
            .arg(self.data())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("postgres runs");
        self.child = Some(child);
        let begin = Instant::now();
        while tokio_postgres::connect(&self.address(), tokio_postgres::NoTls).await.is_err() {
            assert!(begin.elapsed() < Duration::from_mins(1), "the server did not start");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Ends the server at once, with every connection.
    pub(super) fn end(&mut self) {
        if let Some(mut child) = self.child.take() {
            kill_process(Pid::from_child(&child), Signal::QUIT).expect("ended");
            child.wait().expect("ended");
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Gives the folder to the user that the server runs as.
    fn own_folder(&self) {
        if rustix::process::getuid().is_root() {
            let owned = Command::new("chown").arg("postgres").arg(self.folder.path()).status();
            assert!(owned.expect("chown runs").success());
        }
    }

    fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = self.as_server(&self.programs.join(program));
        command.args(args);
        command
    }

    /// Runs a program as the user that the server runs as.
    fn as_server(&self, program: &Path) -> Command {
        let mut command = if rustix::process::getuid().is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.end();
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("a port").port()
}

/// Finds the newest version's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    found.retain(|folder: &PathBuf| Path::new(folder).join("initdb").exists());
    found.sort();
    found.pop()
}
