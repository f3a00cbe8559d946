//! Reads what the first frame needs: the person's keys and themes, and what was remembered.

use std::io::ErrorKind;
use std::path::Path;

use crate::config::Places;

use super::kept::{Found, Kept};
use super::sentence;

/// The file of what is remembered, in the state folder.
pub(super) const FILE: &str = "workbench.toml";

/// Reads all of it; what can't be used is told and left out.
pub(super) fn found(places: &Places) -> Found {
    let mut found = Found::default();
    if let Some(folder) = &places.state {
        match text(&folder.join(FILE)).and_then(|text| text.map(|t| Kept::read(&t)).transpose()) {
            Ok(kept) => found.kept = kept.unwrap_or_default(),
            Err(what) => found.troubles.push(sentence(&format!(
                "what the workbench remembered is lost, and defaults are taken: {FILE}: {what}"
            ))),
        }
    }
    if let Some(folder) = &places.config {
        match text(&folder.join("keymap.toml")) {
            Ok(keys) => found.keymap = keys,
            Err(what) => found.troubles.push(format!("keymap.toml can't be read: {what}.")),
        }
        themes(&folder.join("themes"), &mut found);
    }
    found
}

/// Reads a file; a missing one is none.
fn text(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Reads all `*.toml` of the folder of themes, in the order of their names.
fn themes(folder: &Path, found: &mut Found) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    paths.sort();
    for path in paths {
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        let read = text(&path).map(Option::unwrap_or_default);
        let added = read
            .map_err(|what| format!("theme {name}.toml can't be read: {what}"))
            .and_then(|text| found.themes.add(name, &text));
        if let Err(what) = added {
            found.troubles.push(sentence(&what));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_gives_defaults_and_a_notice() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(FILE), "recent = [").expect("written");
        let places = Places { state: Some(folder.path().to_owned()), ..Places::default() };
        let found = found(&places);
        assert_eq!(found.kept, Kept::default());
        assert_eq!(found.troubles.len(), 1);
        assert!(found.troubles[0].starts_with("What the workbench remembered is lost"));
    }

    #[test]
    fn themes_of_ones_own_are_found_and_wrong_ones_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let themes = folder.path().join("themes");
        std::fs::create_dir(&themes).expect("made");
        std::fs::write(themes.join("mine.toml"), "inherits = \"paper\"").expect("written");
        std::fs::write(themes.join("wrong.toml"), "inherit = \"paper\"").expect("written");
        let places = Places { config: Some(folder.path().to_owned()), ..Places::default() };
        let found = found(&places);
        assert!(found.themes.list().any(|listed| listed.name == "mine"));
        assert_eq!(found.troubles, ["Theme wrong.toml, line 1: a theme has no 'inherit'."]);
    }
}
