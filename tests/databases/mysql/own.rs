//! A server of the tests' own, which may be attacked, killed and started again.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mysql_async::{Conn, Opts};
use tempfile::TempDir;

/// A running server and its folder; both go when it is dropped.
pub(crate) struct Own {
    folder: TempDir,
    program: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl Own {
    /// Starts a server; none where the tests have no servers, or MariaDB isn't installed.
    pub(crate) async fn started() -> Option<Own> {
        let program = [Path::new("/usr/sbin/mariadbd"), Path::new("/usr/bin/mariadbd")];
        let program = program.into_iter().find(|path| path.exists());
        let (Some(program), Ok(_)) = (program, std::env::var("QUERENT_MYSQL")) else {
            println!("skipped: QUERENT_MYSQL names no server, or there is no mariadbd to start");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["files", "tmp"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        if is_root() {
            let made = Command::new("chown").args(["-R", "mysql"]).arg(folder.path()).status();
            assert!(made.expect("chown").success());
        }
        let install = Command::new("mariadb-install-db")
            .args(["--no-defaults", "--skip-test-db", "--skip-name-resolve"])
            .args(["--auth-root-authentication-method=normal", &user()])
            .arg(format!("--datadir={}", folder.path().join("data").display()))
            .arg(format!("--tmpdir={}", folder.path().join("tmp").display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(install.expect("installed").success());
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let mut own = Own { folder, program: program.to_owned(), port, child: None };
        own.start().await;
        Some(own)
    }

    /// Starts the server, and waits until it answers.
    pub(crate) async fn start(&mut self) {
        let at = |name: &str| self.folder.path().join(name).display().to_string();
        let child = Command::new(&self.program)
            .args(["--no-defaults", &user(), "--bind-address=127.0.0.1", "--skip-name-resolve"])
            .args(["--innodb-flush-log-at-trx-commit=0", "--skip-log-bin", "--local-infile=1"])
            .arg(format!("--datadir={}", at("data")))
            .arg(format!("--port={}", self.port))
            // servers clear the folder for temporary tables when they start
            .arg(format!("--tmpdir={}", at("tmp")))
            .arg(format!("--socket={}", at("socket")))
            .arg(format!("--pid-file={}", at("pid")))
            .arg(format!("--secure-file-priv={}", at("files")))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.expect("started"));
        for _ in 0..300 {
            let opts = Opts::from_url(&self.address()).expect("an address");
            if let Ok(conn) = Conn::new(opts).await {
                conn.disconnect().await.expect("closed");
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the server does not answer");
    }

    /// Ends the server as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
    }

    /// Returns the address of its all-powerful account.
    pub(crate) fn address(&self) -> String {
        format!("mysql://root@127.0.0.1:{}/mysql", self.port)
    }

    /// Returns the folder that statements may write files to.
    pub(crate) fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.kill();
    }
}

fn is_root() -> bool {
    let own = std::fs::metadata("/proc/self").expect("this process");
    std::os::unix::fs::MetadataExt::uid(&own) == 0
}

fn user() -> String {
    let own = std::env::var("USER").unwrap_or_else(|_| "mysql".to_owned());
    format!("--user={}", if is_root() { "mysql" } else { &own })
}
