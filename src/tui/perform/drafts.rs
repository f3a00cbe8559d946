//! Keeps texts in progress: the first change is written at once, later ones at most a tenth of a second
//! after they were typed, whole or not at all; one file for each database, readable by its owner alone.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Local};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::super::drafts::Draft;
use super::super::msg::Msg;

/// Between two writings: as much of what was typed can be lost by being killed.
const BETWEEN: Duration = Duration::from_millis(100);

/// A writing that took long is followed by a rest of as many times that, so that a very large text
/// never keeps the disk busy.
const REST: u32 = 9;

/// The form of the file.
const VERSION: u32 = 1;

/// What stands in the file.
#[derive(Debug, Serialize, Deserialize)]
struct File {
    version: u32,
    drafts: Vec<Draft>,
}

/// What is to be written, for whom.
type Kept = (PathBuf, Vec<Draft>);

/// Hands what shall be kept from whoever types to the one writer.
#[derive(Debug, Default)]
struct Queue {
    /// Locked to put or take, never while a file is written.
    waiting: Mutex<Waiting>,
    /// Held while a file is written, so that what is written last is what was typed last.
    disk: Mutex<()>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// The newest; what it replaced needs no writing.
    next: Option<Kept>,
    /// A writer is at work, or rests.
    writer: bool,
}

impl Queue {
    /// Puts what shall be kept; tells whether a writer must be started for it.
    fn put(&self, kept: Kept) -> bool {
        let mut waiting = locked(&self.waiting);
        waiting.next = Some(kept);
        !std::mem::replace(&mut waiting.writer, true)
    }

    /// Lets the writer go where nothing waits; tells whether it does.
    fn idle(&self) -> bool {
        let mut waiting = locked(&self.waiting);
        waiting.writer = waiting.next.is_some();
        !waiting.writer
    }

    /// Writes what waits, now.
    fn flush(&self) -> std::io::Result<()> {
        let _disk = locked(&self.disk);
        let Some((file, drafts)) = locked(&self.waiting).next.take() else { return Ok(()) };
        write(&file, drafts)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the drafts of the database that is open.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    folder: Option<PathBuf>,
    file: Option<PathBuf>,
    queue: Arc<Queue>,
}

impl Drafts {
    /// Makes a keeper that writes into a folder; without one nothing is kept.
    pub(super) fn new(state: Option<&Path>) -> Self {
        Drafts { folder: state.map(|state| state.join("drafts")), ..Drafts::default() }
    }

    /// Takes what shall be kept. It is written beside the drawing, by one writer at a time: at once
    /// where none is at work, else once it has rested.
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
        if self.queue.put((file, drafts)) {
            tasks.spawn(write_while_typed(Arc::clone(&self.queue), sender.clone()));
        }
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
        let _ = self.queue.flush();
    }
}

/// Writes what waits until nothing does, with a rest behind each writing.
async fn write_while_typed(queue: Arc<Queue>, sender: mpsc::Sender<Msg>) {
    let mut told = String::new();
    loop {
        let begun = Instant::now();
        let writing = Arc::clone(&queue);
        let written = tokio::task::spawn_blocking(move || writing.flush()).await;
        let trouble = written.ok().and_then(Result::err).map(|error| error.to_string());
        let trouble = trouble.unwrap_or_default();
        // the same trouble after every letter would push out all else that is said
        if !trouble.is_empty() && trouble != told {
            let words = format!("Unsent text can't be kept over a crash: {trouble}.");
            let _ = sender.send(Msg::Trouble(words)).await;
        }
        told = trouble;
        tokio::time::sleep(BETWEEN.max(begun.elapsed() * REST)).await;
        if queue.idle() {
            return;
        }
    }
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
    fn the_first_change_starts_a_writer_and_later_ones_wait_for_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.json");
        let queue = Queue::default();
        let typed = |text: &str| (file.clone(), vec![draft(text)]);
        assert!(queue.put(typed("a")));
        // it is written as soon as the writer looks, not after a rest
        queue.flush().expect("it is written");
        assert_eq!(read(&file), [draft("a")]);
        assert!(!queue.put(typed("ab")) && !queue.put(typed("abc")));
        assert!(!queue.idle(), "something waits");
        queue.flush().expect("it is written");
        assert_eq!(read(&file), [draft("abc")], "only the newest");
        assert!(queue.idle());
        assert!(queue.put(typed("abcd")), "the next change starts one again");
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
