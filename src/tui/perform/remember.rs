//! Writes down what the workbench remembers: once changes have paused, whole or not at all.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use super::super::furnish::FILE;
use super::super::kept::Kept;
use super::super::msg::Msg;

/// How long changes must pause before they are written.
const PAUSE: Duration = Duration::from_millis(500);

/// What is to be written, and where.
pub(super) struct Keeper {
    folder: Option<PathBuf>,
    /// Taken by whoever writes it: the task after the pause, or the end. Held for moments.
    due: Arc<Mutex<Option<Kept>>>,
    task: Option<AbortHandle>,
}

impl Keeper {
    /// Makes a keeper for a folder; without one nothing is written.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Keeper { folder, due: Arc::default(), task: None }
    }

    /// Has it written once no more changes come.
    pub(super) fn remember(
        &mut self,
        kept: Kept,
        tasks: &mut JoinSet<()>,
        sender: &mpsc::Sender<Msg>,
    ) {
        let Some(folder) = self.folder.clone() else { return };
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        if let Some(former) = self.task.take() {
            former.abort();
        }
        let (due, sender) = (self.due.clone(), sender.clone());
        self.task = Some(tasks.spawn(async move {
            tokio::time::sleep(PAUSE).await;
            let kept = due.lock().unwrap_or_else(PoisonError::into_inner).take();
            let written = kept.map_or(Ok(()), |kept| write(&folder, &kept));
            if let Err(what) = written {
                let words = format!("Sizes and looks can't be remembered: {what}.");
                // without a receiver nobody is left to tell
                let _ = sender.send(Msg::Trouble(words)).await;
            }
        }));
    }

    /// Writes at once what is due; on leaving nobody is left to tell of trouble.
    pub(super) fn flush(&mut self) {
        let kept = self.due.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(folder), Some(kept)) = (&self.folder, kept) {
            let _ = write(folder, &kept);
        }
    }
}

/// Writes a file beside the old one and puts it in its place: there is always a whole one.
fn write(folder: &Path, kept: &Kept) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(folder).map_err(said)?;
    let path = folder.join(FILE);
    let now = std::fs::read_to_string(&path).ok();
    let text = kept.write(now.as_deref())?;
    let beside = folder.join(format!("{FILE}.{}", std::process::id()));
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        // the half of a file helps nobody
        let _ = std::fs::remove_file(&beside);
    }
    written.map_err(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_nothing_lies_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path().join("state");
        let mut kept = Kept::default();
        kept.did("zoom");
        write(&state, &kept).expect("written");
        let text = std::fs::read_to_string(state.join(FILE)).expect("a file");
        assert_eq!(Kept::read(&text).expect("the file").recent, ["zoom"]);
        assert_eq!(std::fs::read_dir(&state).expect("a folder").count(), 1);
    }

    #[test]
    fn a_folder_that_can_not_be_is_a_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        assert!(write(&file, &Kept::default()).is_err());
    }
}
