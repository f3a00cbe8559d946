//! Why nothing was written, as a sentence and what to do.

use std::io;
use std::path::Path;

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ExportTrouble {
    /// What is wrong, where: a sentence without its full stop.
    pub what: String,
    /// What to do, a sentence.
    pub hint: String,
    /// What the person may agree to, so that the same export is carried out.
    pub consent: Option<Consent>,
}

/// What a person may agree to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// `Export::overwrite`: the file that is there is replaced.
    Overwrite,
    /// `Export::partial`: only the rows that were read are written.
    Partial,
}

impl ExportTrouble {
    pub(super) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        ExportTrouble { what: what.into(), hint: hint.into(), consent: None }
    }

    pub(super) fn asking(self, consent: Consent) -> Self {
        ExportTrouble { consent: Some(consent), ..self }
    }

    /// Says why a file can't be written.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an enum of the standard library that grows"
    )]
    pub(super) fn of_file(error: &io::Error, path: &Path) -> Self {
        let file = path.display();
        let folder = path.parent().unwrap_or(path).display();
        let new = ExportTrouble::new;
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => new(
                format!("the folder {folder} doesn't exist"),
                "Make it, or choose another folder.",
            ),
            io::ErrorKind::PermissionDenied => new(
                format!("you may not write into the folder {folder}"),
                "Choose a folder of your own.",
            ),
            io::ErrorKind::ReadOnlyFilesystem => new(
                format!("the folder {folder} is on a medium that can't be written"),
                "Choose another folder.",
            ),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => new(
                format!("there is no room left for {file}; what was begun is removed"),
                "Free space, choose another folder, or export fewer columns or rows.",
            ),
            io::ErrorKind::FileTooLarge => new(
                format!("{file} would be larger than a file may be there"),
                "Choose another folder, or export fewer columns or rows.",
            ),
            io::ErrorKind::InvalidFilename => {
                new(format!("{file} is no name for a file here"), "Choose another name.")
            }
            _ => new(format!("{file} can't be written: {error}"), "Choose another place."),
        }
    }

    /// Says that the rows themselves can't be read back.
    pub(super) fn of_rows(error: &io::Error) -> Self {
        ExportTrouble::new(
            format!("the rows can't be read back from the temporary folder ({error})"),
            "Run the SQL again, then export.",
        )
    }

    pub(super) fn cancelled() -> Self {
        ExportTrouble::new("the export was cancelled", "Export again.")
    }

    pub(super) fn unexpected() -> Self {
        ExportTrouble::new("the export broke off; nothing was written", "Export again.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trouble_names_the_place_and_a_way_on() {
        for (kind, words) in [
            (io::ErrorKind::NotFound, "the folder /no/such doesn't exist"),
            (io::ErrorKind::PermissionDenied, "you may not write into the folder /no/such"),
            (io::ErrorKind::StorageFull, "there is no room left for /no/such/a.csv"),
            (io::ErrorKind::ReadOnlyFilesystem, "/no/such is on a medium that can't be written"),
            (io::ErrorKind::BrokenPipe, "/no/such/a.csv can't be written: broken pipe"),
        ] {
            let trouble = ExportTrouble::of_file(&kind.into(), Path::new("/no/such/a.csv"));
            assert!(trouble.what.contains(words), "{kind:?}: {}", trouble.what);
            assert!(trouble.hint.ends_with('.') && trouble.consent.is_none());
        }
    }
}
