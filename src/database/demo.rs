//! Demo databases: built from text SQL at first use, then opened like any file.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::DatabaseError;

/// A demo database.
#[derive(Debug, PartialEq)]
pub struct Demo {
    /// Name in `demo:NAME`.
    pub name: &'static str,
    /// Scripts that make it, in order.
    pub scripts: &'static [&'static str],
    /// What people know of it.
    pub knowledge: &'static str,
}

/// Takes a demo from its folder under `assets/demo`.
macro_rules! demo {
    ($name:literal) => {
        Demo {
            name: $name,
            scripts: &[
                include_str!(concat!("../../assets/demo/", $name, "/schema.sql")),
                include_str!(concat!("../../assets/demo/", $name, "/data.sql")),
            ],
            knowledge: include_str!(concat!("../../assets/demo/", $name, "/knowledge.toml")),
        }
    };
}

/// All demo databases; plain `demo` is the first.
pub const DEMOS: &[Demo] =
    &[demo!("reservo"), demo!("sales"), demo!("insurance"), demo!("rentals")];

/// A built database file.
#[derive(Debug)]
pub(super) struct Built {
    /// Where it is.
    pub(super) path: PathBuf,
    /// The folder to remove when nobody needs the file any more; none for a cached file.
    pub(super) temporary: Option<TemporaryFolder>,
}

/// A folder that is removed with its content when dropped.
#[derive(Debug)]
pub(super) struct TemporaryFolder(PathBuf);

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // a file left behind in the temporary folder is no reason to fail
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Finds or builds a demo's file: in the cache folder, else in a temporary one.
pub(super) async fn build(
    demo: &'static Demo,
    cache: Option<&Path>,
) -> Result<Built, DatabaseError> {
    let cache = cache.map(Path::to_owned);
    let building = tokio::task::spawn_blocking(move || find_or_build(demo, cache.as_deref()));
    building.await.unwrap_or_else(|_| {
        Err(DatabaseError::Open {
            what: format!("building demo:{} ended unexpectedly", demo.name),
            hint: "Open a SQLite file instead.".to_owned(),
        })
    })
}

fn find_or_build(demo: &Demo, cache: Option<&Path>) -> Result<Built, DatabaseError> {
    let name = format!("{}-{}.sqlite", demo.name, hash(demo.scripts));
    if let Some(folder) = cache.map(|cache| cache.join("demo")) {
        let path = folder.join(&name);
        if path.is_file() || build_into(demo, &folder, &path).is_ok() {
            return Ok(Built { path, temporary: None });
        }
    }
    let folder = std::env::temp_dir().join(format!("querent-{}", uuid::Uuid::now_v7().simple()));
    let temporary = TemporaryFolder(folder.clone());
    let path = folder.join(&name);
    build_into(demo, &folder, &path).map_err(|why| DatabaseError::Open {
        what: format!("demo:{} can't be built in {}: {why}", demo.name, folder.display()),
        hint: "Make the cache folder or the temporary folder writable (TMPDIR names another)."
            .to_owned(),
    })?;
    Ok(Built { path, temporary: Some(temporary) })
}

/// Builds under a name of its own and renames: two programs at once each get a whole file.
fn build_into(demo: &Demo, folder: &Path, path: &Path) -> Result<(), String> {
    create_private(folder).map_err(|e| e.to_string())?;
    let draft = folder.join(format!("draft-{}", uuid::Uuid::now_v7().simple()));
    let built = run_scripts(demo, &draft)
        .map_err(|e| e.to_string())
        .and_then(|()| std::fs::rename(&draft, path).map_err(|e| e.to_string()));
    if built.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    built
}

fn run_scripts(demo: &Demo, path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    // nobody reads the file before it is renamed, so nothing needs a journal
    connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")?;
    for script in demo.scripts {
        connection.execute_batch(script)?;
    }
    connection.execute_batch("COMMIT")?;
    connection.close().map_err(|(_, error)| error)
}

#[cfg(unix)]
fn create_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Names the content of the scripts: changed scripts make a new file.
fn hash(scripts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for script in scripts {
        hasher.update(script.as_bytes());
        hasher.update([0]);
    }
    super::cache::hex(&hasher.finalize(), 12)
}
