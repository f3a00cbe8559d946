//! Keeps texts in progress: written at most half a second after they were typed, whole or not at
//! all, one file for each database, readable by their owner alone.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Local};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::super::drafts::Draft;
use super::super::msg::Msg;

/// How long what was typed may be unwritten.
const AT_MOST: Duration = Duration::from_millis(500);

/// The form of the file.
const VERSION: u32 = 1;

/// What stands in the file.
#[derive(Debug, Serialize, Deserialize)]
struct File {
    version: u32,
    drafts: Vec<Draft>,
}

/// What is to be written, for whom; none when all is written.
type Waiting = Arc<Mutex<Option<(PathBuf, Vec<Draft>)>>>;

/// Keeps the drafts of the database that is open.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    folder: Option<PathBuf>,
    file: Option<PathBuf>,
    /// Locked to put or take, never while a file is written.
    waiting: Waiting,
}

impl Drafts {
    /// Makes a keeper that writes into a folder; without one nothing is kept.
    pub(super) fn new(state: Option<&Path>) -> Self {
        Drafts { folder: state.map(|state| state.join("drafts")), ..Drafts::default() }
    }

    /// Takes what shall be kept; it is written soon, by one writer at a time.
    pub(super) fn keep(
        &mut self,
        mut drafts: Vec<Draft>,
        tasks: &mut JoinSet<()>,
        sender: &mpsc::Sender<Msg>,
    ) {
        let Some(file) = self.file.clone() else { return };
        for draft in drafts.iter_mut().filter(|draft| draft.kept_at.is_empty()) {
            draft.kept_at = crate::pipeline::now();
        }
        let idle = locked(&self.waiting).replace((file, drafts)).is_none();
        if !idle {
            return;
        }
        let (waiting, sender) = (Arc::clone(&self.waiting), sender.clone());
        tasks.spawn(async move {
            tokio::time::sleep(AT_MOST).await;
            let written = tokio::task::spawn_blocking(move || flush(&waiting)).await;
            if let Ok(Err(error)) = written {
                let words = format!("Unsent text can't be kept over a crash: {error}.");
                let _ = sender.send(Msg::Trouble(words)).await;
            }
        });
    }

    /// Turns to another database, by its place, and reads what was kept for it.
    pub(super) fn open(
        &mut self,
        place: &str,
        tasks: &mut JoinSet<()>,
        sender: &mpsc::Sender<Msg>,
    ) {
        self.flush();
        let Some(folder) = &self.folder else { return };
        let hash = Sha256::digest(place.as_bytes());
        let head = hash.iter().take(8).fold(0u64, |head, byte| head << 8 | u64::from(*byte));
        let file = folder.join(format!("{head:016x}.json"));
        self.file = Some(file.clone());
        let sender = sender.clone();
        tasks.spawn_blocking(move || {
            let drafts = read(&file);
            if !drafts.is_empty() {
                let _ = sender.blocking_send(Msg::Drafts(drafts));
            }
        });
    }

    /// Writes what waits, now.
    pub(super) fn flush(&self) {
        // on leaving there is nobody left to tell
        let _ = flush(&self.waiting);
    }
}

fn locked(waiting: &Waiting) -> std::sync::MutexGuard<'_, Option<(PathBuf, Vec<Draft>)>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

fn flush(waiting: &Waiting) -> std::io::Result<()> {
    let Some((file, drafts)) = locked(waiting).take() else { return Ok(()) };
    write(&file, drafts)
}

/// Writes a file anew, or removes it when nothing is kept.
fn write(file: &Path, drafts: Vec<Draft>) -> std::io::Result<()> {
    if drafts.is_empty() {
        return match std::fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        };
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let bytes = serde_json::to_vec(&File { version: VERSION, drafts })?;
    let beside = file.with_extension(format!("{}.new", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    let mut out = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    let written = out.write_all(&bytes).and_then(|()| std::fs::rename(&beside, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Reads a file; one that is missing, broken or of another version holds nothing.
fn read(file: &Path) -> Vec<Draft> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let held: Option<File> = serde_json::from_slice(&bytes).ok();
    let mut drafts =
        held.filter(|file| file.version == VERSION).map_or_else(Vec::new, |f| f.drafts);
    let now = Local::now();
    for draft in &mut drafts {
        draft.when = when(&draft.kept_at, &now);
    }
    drafts
}

/// Says a time for people: today's by the clock, others with their day.
fn when(kept_at: &str, now: &DateTime<Local>) -> String {
    let Ok(time) = DateTime::parse_from_rfc3339(kept_at) else { return String::new() };
    let time = time.with_timezone(now.offset());
    if time.date_naive() == now.date_naive() {
        time.format("%H:%M").to_string()
    } else {
        time.format("%-d %b, %H:%M").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(question: &str) -> Draft {
        Draft { question: question.to_owned(), ..Draft::default() }
    }

    #[test]
    fn what_is_written_is_read_again_and_nothing_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("drafts").join("x.json");
        write(&file, vec![draft("half a thought")]).expect("it is written");
        assert_eq!(read(&file), [draft("half a thought")]);
        write(&file, vec![draft("a whole one")]).expect("it is written");
        assert_eq!(read(&file), [draft("a whole one")]);
        write(&file, Vec::new()).expect("it is removed");
        assert!(!file.exists());
        write(&file, Vec::new()).expect("nothing is there to be removed");
        let left = std::fs::read_dir(folder.path().join("drafts")).expect("the folder").count();
        assert_eq!(left, 0);
    }

    #[test]
    fn a_broken_file_holds_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.json");
        for text in ["", "{", "{\"version\": 9, \"drafts\": []}", "[]"] {
            std::fs::write(&file, text).expect("it is written");
            assert_eq!(read(&file), Vec::new());
        }
    }

    #[test]
    fn the_hour_is_enough_today() {
        let now = DateTime::parse_from_rfc3339("2026-11-30T12:00:00Z").expect("a time");
        let now = now.with_timezone(&Local);
        let ago = |hours: i64| (now - chrono::Duration::hours(hours)).to_rfc3339();
        assert_eq!(when(&ago(0), &now), now.format("%H:%M").to_string());
        let before = now - chrono::Duration::hours(48);
        assert_eq!(when(&ago(48), &now), before.format("%-d %b, %H:%M").to_string());
        assert_eq!(when("yesterday", &now), "");
    }
}
