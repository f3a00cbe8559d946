//! Where the file goes: a temporary file beside it, which takes its name once it is whole.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::database::results::Stop;

use super::trouble::{Consent, ExportTrouble};

/// The temporary file of an export, as far as there is one: known to the one who works and to the
/// one who may cancel, so that cancelling removes it at once, even if the program ends next.
#[derive(Debug, Clone, Default)]
pub(super) struct Begun(Arc<Mutex<Option<PathBuf>>>);

impl Begun {
    /// Removes what was begun.
    pub(super) fn remove(&self) {
        if let Some(temporary) = self.lock().take() {
            // what can't be removed has nobody to be told
            let _ = std::fs::remove_file(temporary);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that is being written under another name. Dropping it removes what was begun.
#[derive(Debug)]
pub(super) struct Place {
    temporary: PathBuf,
    path: PathBuf,
    /// What may be done with the file that is replaced.
    permissions: Option<Permissions>,
    begun: Begun,
}

/// Begins a file at a path, unless the work was cancelled before.
pub(super) fn begin(
    allowed: Allowed,
    begun: &Begun,
    stop: &Stop,
) -> Result<(Place, File), ExportTrouble> {
    let Allowed { path, permissions } = allowed;
    let temporary = path.with_file_name(format!(".querent-{}.part", uuid::Uuid::now_v7().simple()));
    // whoever cancels asks first and then looks here: it sees the file, or we see that it asked
    let mut known = begun.lock();
    if stop.asked() {
        return Err(ExportTrouble::cancelled());
    }
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&temporary);
    let file = file.map_err(|e| ExportTrouble::of_file(&e, &path))?;
    *known = Some(temporary.clone());
    drop(known);
    Ok((Place { temporary, path, permissions, begun: begun.clone() }, file))
}

/// A path where a file may be written.
#[derive(Debug)]
pub(super) struct Allowed {
    path: PathBuf,
    /// What may be done with the file that is replaced.
    permissions: Option<Permissions>,
}

/// Looks whether a file may be written at a path.
///
/// `sacred` are files that must never be replaced: the database and what lies beside it.
pub(super) fn allowed(
    path: &Path,
    overwrite: bool,
    sacred: &[PathBuf],
) -> Result<Allowed, ExportTrouble> {
    let path = target(path)?;
    if sacred.iter().any(|other| same_file(other, &path)) {
        let what = format!("{} belongs to the database, which is never written", path.display());
        return Err(ExportTrouble::new(what, "Choose another name."));
    }
    let mut permissions = None;
    if let Ok(there) = std::fs::metadata(&path) {
        let file = path.display();
        if !there.is_file() {
            let what = if there.is_dir() { "a folder" } else { "no ordinary file" };
            let hint = "Choose another name.";
            return Err(ExportTrouble::new(format!("{file} is {what}"), hint));
        }
        if there.permissions().readonly() {
            let what = format!("{file} is there already and is write-protected");
            return Err(ExportTrouble::new(what, "Choose another name."));
        }
        if !overwrite {
            return Err(taken(&path));
        }
        permissions = Some(there.permissions());
    }
    Ok(Allowed { path, permissions })
}

/// Makes the path whole; a link leads to the file it stands for.
fn target(path: &Path) -> Result<PathBuf, ExportTrouble> {
    let named = path.file_name().is_some() && !path.to_string_lossy().ends_with(['/', '\\']);
    let whole = std::path::absolute(path).ok().filter(|_| named);
    let Some(whole) = whole else {
        let what = if path.as_os_str().is_empty() {
            "no file is named".to_owned()
        } else {
            format!("{} names no file", path.display())
        };
        return Err(ExportTrouble::new(what, "Name a file, for example result.csv."));
    };
    Ok(resolved(&whole))
}

/// Follows links as far as the path is there: a name that is still free keeps its folder's place.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(there) = std::fs::canonicalize(path) {
        return there;
    }
    let folder = path.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    let a = std::path::absolute(a).map_or_else(|_| a.to_owned(), |a| resolved(&a));
    a == b || identity(&a).is_some_and(|a| identity(b) == Some(a))
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|there| (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}

fn taken(path: &Path) -> ExportTrouble {
    let what = format!("{} is there already", path.display());
    ExportTrouble::new(what, "Replace it, or choose another name.").asking(Consent::Overwrite)
}

impl Place {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the whole file its final name; returns its size.
    pub(super) fn settle(mut self, file: &File) -> Result<(PathBuf, u64), ExportTrouble> {
        self.name(file).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                taken(&self.path)
            } else {
                ExportTrouble::of_file(&error, &self.path)
            }
        })?;
        // it has its name: there is nothing left to remove
        *self.begun.lock() = None;
        let bytes = file.metadata().map_or(0, |it| it.len());
        Ok((std::mem::take(&mut self.path), bytes))
    }

    fn name(&self, file: &File) -> io::Result<()> {
        if let Some(permissions) = &self.permissions {
            // a folder that knows no permissions keeps none
            let _ = file.set_permissions(permissions.clone());
        }
        file.sync_all()?;
        if self.permissions.is_some() {
            std::fs::rename(&self.temporary, &self.path)?;
        } else {
            self.name_new()?;
        }
        sync_folder(&self.path);
        Ok(())
    }

    /// Takes the name only if nobody took it meanwhile.
    fn name_new(&self) -> io::Result<()> {
        match std::fs::hard_link(&self.temporary, &self.path) {
            // the other name is removed by `drop`; the file stays
            Ok(()) => std::fs::remove_file(&self.temporary),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // no links on this file system
            Err(_) if self.path.exists() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => std::fs::rename(&self.temporary, &self.path),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.begun.remove();
    }
}

/// Makes the new name last through a loss of power, where the system can.
fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}
