//! Puts the tables of many databases into one file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::gold::Set;

/// The file, and what the tables of each database are called in it.
pub(crate) struct Combined {
    file: PathBuf,
    renamed: BTreeMap<String, BTreeMap<String, String>>,
    pub(crate) tables: usize,
    pub(crate) columns: usize,
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn names(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(|name| name.unwrap()).collect()
}

const TABLES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                      AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid";

/// Copies the tables of all databases of a folder, rows included. A name that two databases have
/// gets its database's before it in both.
pub(crate) fn build(databases: &Path, folder: &Path) -> Combined {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(databases).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let database = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        for table in names(&Connection::open(file).unwrap(), TABLES) {
            *owners.entry(table.to_lowercase()).or_default() += 1;
        }
    }
    let whole = folder.join("all.sqlite");
    let all = Connection::open(&whole).unwrap();
    let mut renamed: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for file in &files {
        let copy = folder.join("one.sqlite");
        std::fs::copy(file, &copy).unwrap();
        let mut rights = std::fs::metadata(&copy).unwrap().permissions();
        #[expect(clippy::permissions_set_readonly_false, reason = "our own temporary copy")]
        rights.set_readonly(false);
        std::fs::set_permissions(&copy, rights).unwrap();
        let one = Connection::open(&copy).unwrap();
        for kind in ["view", "trigger"] {
            for name in
                names(&one, &format!("SELECT name FROM sqlite_master WHERE type = '{kind}'"))
            {
                one.execute_batch(&format!("DROP {kind} {}", quoted(&name))).unwrap();
            }
        }
        let own = renamed.entry(database(file)).or_default();
        for table in names(&one, TABLES) {
            if owners.get(&table.to_lowercase()).is_some_and(|owners| *owners > 1) {
                let name = format!("{}_{table}", database(file));
                one.execute_batch(&format!(
                    "ALTER TABLE {} RENAME TO {}",
                    quoted(&table),
                    quoted(&name)
                ))
                .unwrap();
                own.insert(table.to_lowercase(), name.to_lowercase());
            }
        }
        let statements = names(
            &one,
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid",
        );
        let tables = names(&one, TABLES);
        drop(one);
        all.execute_batch(&statements.join(";\n")).unwrap();
        all.execute_batch(&format!(
            "ATTACH '{}' AS one; PRAGMA foreign_keys = off; BEGIN",
            copy.display()
        ))
        .unwrap();
        for table in tables {
            let name = quoted(&table);
            all.execute_batch(&format!("INSERT INTO main.{name} SELECT * FROM one.{name}"))
                .unwrap();
        }
        all.execute_batch("COMMIT; DETACH one").unwrap();
    }
    let tables = names(&all, TABLES);
    let count = |table: &String| {
        names(&all, &format!("SELECT name FROM pragma_table_info({})", quoted(table))).len()
    };
    let columns = tables.iter().map(count).sum();
    Combined { file: whole, renamed, tables: tables.len(), columns }
}

impl Combined {
    /// Asks a set's questions of this file.
    pub(crate) fn ask(&self, mut set: Set) -> Set {
        for file in set.files.values_mut() {
            file.clone_from(&self.file);
        }
        set.renamed.clone_from(&self.renamed);
        set
    }
}
