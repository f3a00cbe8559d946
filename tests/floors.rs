//! Holds the source tree against its map: imports only look down, files are short and named well.
#![allow(clippy::unwrap_used, reason = "a test that can't go on shall stop")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules by floor, from the ground up (`src/lib.rs`).
const FLOORS: &[(u8, &[&str])] = &[
    (0, &["domain"]),
    (1, &["sql", "joins", "search", "render", "shown", "record", "chart"]),
    (2, &["database", "model", "memory", "knowledge", "config"]),
    (3, &["intake", "context", "plan", "gates", "repair", "prompt"]),
    (4, &["pipeline"]),
    (5, &["evaluation"]),
    (6, &["tui", "cli"]),
];

/// What a floor may import besides itself.
fn allowed(module: &str, floor: u8, other: &str, other_floor: u8) -> bool {
    if module == other {
        return true;
    }
    match floor {
        1 => other_floor == 0,
        2 | 3 => other_floor <= 1,
        4 => other_floor <= 3,
        5 => other_floor <= 2 || other == "pipeline",
        6 => {
            let measures = module == "cli" && other == "evaluation";
            other_floor <= 1 || other == "config" || other == "pipeline" || measures
        }
        _ => false,
    }
}

fn floor_of(module: &str) -> Option<u8> {
    FLOORS.iter().find(|(_, modules)| modules.contains(&module)).map(|(floor, _)| *floor)
}

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    files.sort();
    assert!(files.len() > 50, "the tree was found");
    files
}

/// Names that follow `crate::` in a text, groups in braces taken apart.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let end = group.find('}').unwrap_or(group.len());
            let parts = group[..end].split(',').map(str::trim);
            found.extend(parts.filter_map(|p| p.split("::").next()).map(str::to_owned));
        } else {
            found.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    found
}

#[test]
fn imports_only_look_down() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let module = path.iter().next().unwrap().to_string_lossy().replace(".rs", "");
        let Some(floor) = floor_of(&module) else { continue };
        for other in imports(&text) {
            let Some(other_floor) = floor_of(&other) else { continue };
            if !allowed(&module, floor, &other, other_floor) {
                wrong.push(format!("{} (floor {floor}) imports {other}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "imports that look up or sideways:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_its_floor() {
    let mut unknown = Vec::new();
    for (path, _) in sources() {
        let module = path.iter().next().unwrap().to_string_lossy().replace(".rs", "");
        if floor_of(&module).is_none() && module != "lib" && module != "main" {
            unknown.push(module);
        }
    }
    assert!(unknown.is_empty(), "modules without a floor: {unknown:?}");
}

#[test]
fn the_pure_floors_do_not_wait_or_read_clocks() {
    const FORBIDDEN: &[&str] = &[
        "async fn",
        ".await",
        "std::fs",
        "SystemTime::now",
        "Instant::now",
        "chrono::",
        " rand::",
    ];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let module = path.iter().next().unwrap().to_string_lossy().replace(".rs", "");
        let pure = matches!(floor_of(&module), Some(0 | 1 | 3));
        let code = text.split("#[cfg(test)]").next().unwrap();
        for word in FORBIDDEN.iter().filter(|word| pure && code.contains(**word)) {
            wrong.push(format!("{}: {word}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "waiting has an address, and it isn't here:\n{}", wrong.join("\n"));
}

#[test]
fn every_file_opens_with_a_sentence_and_is_short() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let first = text.lines().next().unwrap_or_default();
        if !first.starts_with("//! ") {
            wrong.push(format!("{} opens without a //! sentence", path.display()));
        }
        let lines = text.lines().count();
        if lines > 400 {
            wrong.push(format!("{} has {lines} lines", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_say_something() {
    const EMPTY: &[&str] = &[
        "util",
        "utils",
        "helper",
        "helpers",
        "common",
        "misc",
        "manager",
        "processor",
        "data",
        "info",
    ];
    let mut wrong = BTreeMap::new();
    for (path, _) in sources() {
        for part in path.iter().map(|p| p.to_string_lossy().replace(".rs", "")) {
            if EMPTY.contains(&part.as_str()) {
                wrong.insert(path.display().to_string(), part);
            }
        }
    }
    assert!(wrong.is_empty(), "empty names: {wrong:?}");
}
