//! What was measured of a database, kept in the cache folder until the database changes.
//!
//! A missing, broken or foreign file is as good as none: it is measured again.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Raised when the form of a kept thing changes: older files are then ignored.
const FORM: u32 = 4;

/// What tells that a database file is still as it was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(super) struct Stamp {
    /// The engine's own count of schema changes.
    pub(super) schema_version: i64,
    /// The file's own count of changes, by which the engine knows that its pages are old.
    pub(super) changes: u32,
    /// Bytes and time of change of the file and, where there is one, its write-ahead log.
    pub(super) files: Vec<(u64, u128)>,
    /// Device and number of the file: another file under the same name is another database.
    pub(super) identity: (u64, u64),
    /// What a server says of its structure; empty for a file.
    #[serde(default)]
    pub(super) server: String,
}

/// The kept facts of one database.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: Option<PathBuf>,
    key: String,
}

#[derive(Serialize, Deserialize)]
struct Kept<T> {
    form: u32,
    stamp: Stamp,
    content: T,
}

impl Cache {
    /// Makes the cache of a database file, in a folder if there is one.
    pub(super) fn new(folder: Option<&Path>, database: &Path) -> Self {
        let digest = Sha256::digest(database.as_os_str().as_encoded_bytes());
        Cache { folder: folder.map(|f| f.join("facts")), key: hex(&digest, 16) }
    }

    /// Reads a kept thing, if it was measured on the database as it is now.
    pub(super) fn load<T: DeserializeOwned>(&self, what: &str, stamp: &Stamp) -> Option<T> {
        let bytes = std::fs::read(self.path(what)?).ok()?;
        let kept: Kept<T> = serde_json::from_slice(&bytes).ok()?;
        (kept.form == FORM && kept.stamp == *stamp).then_some(kept.content)
    }

    /// Keeps a thing. A cache that can't be written only costs time later.
    pub(super) fn store<T: Serialize>(&self, what: &str, stamp: &Stamp, content: &T) {
        let Some(path) = self.path(what) else { return };
        let kept = Kept { form: FORM, stamp: stamp.clone(), content };
        let Ok(bytes) = serde_json::to_vec(&kept) else { return };
        let draft = path.with_extension(uuid::Uuid::now_v7().simple().to_string());
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| write_private(&draft, &bytes))
            .and_then(|()| std::fs::rename(&draft, &path));
        if written.is_err() {
            let _ = std::fs::remove_file(&draft);
        }
    }

    /// Drops a kept thing, so that it is measured again by whoever wants it next.
    pub(super) fn forget(&self, what: &str) {
        if let Some(path) = self.path(what) {
            // what was never kept is forgotten already
            let _ = std::fs::remove_file(path);
        }
    }

    fn path(&self, what: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("{}-{what}.json", self.key)))
    }
}

/// Writes a file that only this user can read: it holds values of the database.
fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(path)?, bytes)
}

/// Writes the first bytes of a digest as `digits` lower-case hexadecimal digits.
pub(super) fn hex(digest: &[u8], digits: usize) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(digits + 1);
    for byte in digest.iter().take(digits.div_ceil(2)) {
        let _ = write!(text, "{byte:02x}");
    }
    text.truncate(digits);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_thing_comes_back_only_for_the_same_stamp_and_an_unbroken_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::new(Some(folder.path()), Path::new("/data/shop.db"));
        let now = Stamp {
            schema_version: 3,
            changes: 9,
            files: vec![(4096, 7)],
            identity: (1, 2),
            server: String::new(),
        };
        cache.store("values", &now, &vec!["a".to_owned()]);
        assert_eq!(cache.load("values", &now), Some(vec!["a".to_owned()]));
        let later = Stamp { schema_version: 4, ..now.clone() };
        assert_eq!(cache.load::<Vec<String>>("values", &later), None);
        std::fs::write(cache.path("values").expect("a path"), b"{\"form\":2,").expect("written");
        assert_eq!(cache.load::<Vec<String>>("values", &now), None);
        cache.store("values", &now, &vec!["b".to_owned()]);
        cache.forget("values");
        assert_eq!(cache.load::<Vec<String>>("values", &now), None);
    }

    #[test]
    fn without_a_folder_nothing_is_kept_and_nothing_fails() {
        let cache = Cache::new(None, Path::new("/data/shop.db"));
        cache.store("values", &Stamp::default(), &1);
        assert_eq!(cache.load::<i32>("values", &Stamp::default()), None);
    }
}
