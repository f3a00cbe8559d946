//! Knowledge: rules, metrics, joins, meanings and examples of a database, and their proof against
//! the live schema.
//!
//! What belongs here: finding and reading `*.knowledge.toml` (`file`) and files of other tools
//! (`foreign`), writing them (`write`, `init`), proposals from a schema (`extract`), and saying where
//! knowledge disagrees with a catalog (`drift`). What must never come: choosing what a question needs
//! of it, or a look at the data.
//! To add a kind of entry: a field in `file.rs`, its proof in `drift.rs`, its text in `write.rs`, and
//! lines in `assets/knowledge.example.toml`, which is the format's description and is read by a test.

use std::path::{Path, PathBuf};

use crate::domain::Knowledge;

mod complaint;
mod drift;
mod extract;
mod file;
mod foreign;
mod hints;
mod init;
#[cfg(test)]
mod tests;
mod write;

pub use drift::{Drift, drift};
pub use extract::{
    Citation, Definition, Kind, Proposal, extract, text as proposals_text, triggers_query,
};
pub use hints::with_hints;
pub use init::{Seen, init};
pub use write::toml;

/// Why a knowledge file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// It can't be read.
    #[error("knowledge file {path} can't be read: {what}")]
    File {
        /// The file.
        path: String,
        /// Why.
        what: String,
    },
    /// It is no knowledge file; the place is in the message.
    #[error("knowledge file {path}: {what}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong, with line and column.
        what: String,
    },
}

/// Finds the knowledge file beside a database file.
///
/// For `shop.sqlite` it is `shop.sqlite.knowledge.toml`, else `shop.knowledge.toml`.
pub fn beside(database: &Path) -> Option<PathBuf> {
    let named = |stem: &std::ffi::OsStr| {
        let mut name = stem.to_owned();
        name.push(".knowledge.toml");
        database.with_file_name(name)
    };
    let candidates = [database.file_name().map(named), database.file_stem().map(named)];
    candidates.into_iter().flatten().find(|path| path.is_file())
}

/// Names the knowledge file that a database file would have.
pub fn place(database: &Path) -> PathBuf {
    let mut name = database.file_stem().unwrap_or_default().to_owned();
    name.push(".knowledge.toml");
    database.with_file_name(name)
}

/// Most files of a folder that are read.
const MOST_FILES: usize = 1_000;

/// Reads a knowledge file, one of another tool by its content, or a folder of such.
pub fn read(path: &Path) -> Result<Knowledge, KnowledgeError> {
    let source = path.display().to_string();
    let trouble = |e: std::io::Error| KnowledgeError::File {
        path: path.display().to_string(),
        what: e.to_string(),
    };
    if path.is_dir() {
        let files = of_folder(path).map_err(trouble)?;
        if files.is_empty() {
            let what = "no .yml or .yaml file is in this folder".to_owned();
            return Err(KnowledgeError::File { path: source, what });
        }
        return foreign::read(&files, &source)
            .map_err(|what| KnowledgeError::Malformed { path: source, what });
    }
    parse(&std::fs::read_to_string(path).map_err(trouble)?, &source)
}

/// Reads the YAML files below a folder, in order of their names.
fn of_folder(folder: &Path) -> std::io::Result<Vec<foreign::Foreign>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in std::fs::read_dir(here)? {
            let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
            let hidden = name.to_string_lossy().starts_with('.');
            // a link may lead back up
            if entry.is_dir() && !entry.is_symlink() && !hidden {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| e == "yml" || e == "yaml") {
                paths.push(entry);
            }
        }
    }
    paths.sort();
    paths.truncate(MOST_FILES);
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        Ok(foreign::Foreign { name, text: std::fs::read_to_string(path)? })
    };
    paths.iter().map(read).collect()
}

/// Reads knowledge from text; `source` is where it came from, for messages.
pub fn parse(text: &str, source: &str) -> Result<Knowledge, KnowledgeError> {
    let malformed = |what| KnowledgeError::Malformed { path: source.to_owned(), what };
    let named = Path::new(source).extension().is_some_and(|e| e == "yml" || e == "yaml");
    if named || foreign::is_yaml(text) {
        let file = foreign::Foreign { name: String::new(), text: text.to_owned() };
        return foreign::read(&[file], source).map_err(malformed);
    }
    file::parse(text).map(|file| file.knowledge(source)).map_err(malformed)
}
