//! Reads rows for a chart, and writes a chart into a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use tokio::sync::mpsc;

use crate::chart::{Figure, MOST_ROWS, Sheet, export};
use crate::domain::ResultId;
use crate::domain::counts::count;

use super::super::msg::Msg;
use super::{Doors, Performer};

/// Rows that are read at once.
const PAGE: u64 = 2_000;

impl Performer {
    /// Reads rows off the loop; answered by `ChartRows`.
    pub(super) fn chart_rows(&mut self, id: ResultId) {
        let (doors, sender) = (self.doors.clone(), self.sender.clone());
        self.tasks.spawn_blocking(move || {
            let sheet = read(&doors, &id, &sender).map(Arc::new);
            // without a receiver nobody is left to tell
            let _ = sender.blocking_send(Msg::ChartRows(id, sheet));
        });
    }

    /// Writes a chart off the loop; a file that is there is replaced only when that was said.
    pub(super) fn save_chart(&mut self, path: String, figure: Arc<Figure>, replace: bool) {
        let sender = self.sender.clone();
        self.tasks.spawn_blocking(move || {
            let saved = export::svg(&figure).map_err(io::Error::other).and_then(|text| {
                let place = place(&path);
                write(&place, text.as_bytes(), replace).map(|()| (place, text.len()))
            });
            let msg = match saved {
                Ok((place, bytes)) => {
                    Msg::Done(format!("Saved {}: {}.", place.display(), count(bytes, "byte")))
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Msg::ChartExists(path),
                Err(e) => Msg::Trouble(format!("The chart can't be saved to {path}: {e}.")),
            };
            let _ = sender.blocking_send(msg);
        });
    }
}

/// Reads the first rows page by page; stops when nobody waits any more.
fn read(doors: &Doors, id: &ResultId, sender: &mpsc::Sender<Msg>) -> Option<Sheet> {
    let open = doors.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut sheet: Option<Sheet> = None;
    let (mut next, mut total, mut finished) = (0, 0, false);
    while next < MOST_ROWS as u64 && !sender.is_closed() {
        let page = open.iter().find_map(|door| door.page(id, next..next + PAGE))?;
        let sheet = sheet.get_or_insert_with(|| Sheet::new(page.columns.clone()));
        (total, finished) = (page.total, page.finished);
        let full = !page.rows.iter().all(|row| sheet.push(row));
        next += page.rows.len() as u64;
        if full || page.rows.is_empty() || next >= page.total {
            break;
        }
    }
    let mut sheet = sheet?;
    sheet.close(total, finished);
    Some(sheet)
}

/// Reads a path as a shell would: `~/` is the home folder; without an ending it becomes `.svg`.
fn place(path: &str) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let place = match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    };
    if place.extension().is_some() { place } else { place.with_extension("svg") }
}

/// Writes a file beside its place and moves it there, so that no half file stands under its name.
fn write(place: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    let name = place.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    if !replace && place.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let beside = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
    let beside = place.with_file_name(beside);
    let written = fill(&beside, bytes).and_then(|()| {
        if replace {
            return std::fs::rename(&beside, place);
        }
        // a link is refused where somebody else was quicker; a rename would replace
        match std::fs::hard_link(&beside, place) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => std::fs::rename(&beside, place),
            linked => linked,
        }
    });
    // after a rename there is nothing left to remove
    let _ = std::fs::remove_file(&beside);
    written
}

fn fill(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = std::fs::File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_replaced_only_when_that_was_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("a.svg");
        write(&place, b"one", false).expect("written");
        let refused = write(&place, b"two", false).map_err(|e| e.kind());
        assert_eq!(refused, Err(io::ErrorKind::AlreadyExists));
        assert_eq!(std::fs::read(&place).ok().as_deref(), Some(&b"one"[..]));
        write(&place, b"two", true).expect("replaced");
        assert_eq!(std::fs::read(&place).ok().as_deref(), Some(&b"two"[..]));
        let left = std::fs::read_dir(folder.path()).map(Iterator::count);
        assert_eq!(left.ok(), Some(1));
    }

    #[test]
    fn a_path_without_an_ending_becomes_svg() {
        assert_eq!(place("a/b"), PathBuf::from("a/b.svg"));
        assert_eq!(place("a/b.xml"), PathBuf::from("a/b.xml"));
    }
}
