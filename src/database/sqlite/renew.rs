//! Takes a change of the schema into a catalog of thousands of tables: only what changed is read.
//!
//! What the data of other tables says (row counts, kinds, keys that nobody declared) stays as it
//! was; reading all of it anew is left to whoever has the time.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use rusqlite::Connection;

use super::super::DatabaseError;
use super::super::session::{Lane, Watch};
use super::catalog::{self, ByName, by_name, declared_key};
use super::structure::{self, Object, ours};
use super::{measure, trouble, version};
use crate::domain::schema::TableKind;
use crate::domain::{Catalog, ForeignKey, Table};

/// Tables from which on a catalog is renewed; reading fewer anew takes milliseconds.
pub(super) const WIDE: usize = 300;
/// Views that are read anew with each change: they may show what changed.
const MOST_VIEWS: usize = 50;

/// Reads what changed since a catalog was read; none where only all of it anew would be right.
pub(super) fn read(
    lane: &Lane,
    watch: &Watch,
    path: &Path,
    former: &Catalog,
) -> Result<Option<Catalog>, DatabaseError> {
    let read = ours(lane, |connection| connection.execute_batch("BEGIN"))
        .and_then(|()| assemble(lane, watch, former));
    // ending a read transaction loses nothing, and one that could not begin needs no end
    let _ = ours(lane, |connection| connection.execute_batch("ROLLBACK"));
    read.map_err(|error| trouble::opening(&error, path))
}

/// The objects of the schema as they are now.
struct Now {
    tables: Vec<Object>,
    /// Indexes with a statement of their own, by table.
    indexes: HashMap<String, Vec<Object>>,
}

impl Now {
    fn of(objects: Vec<Object>) -> Now {
        let mut now = Now { tables: Vec::new(), indexes: HashMap::new() };
        for object in objects {
            if object.kind != "index" {
                now.tables.extend((!object.name.starts_with("sqlite_")).then_some(object));
            } else if object.ddl.is_some() {
                now.indexes.entry(object.table.clone()).or_default().push(object);
            }
        }
        now
    }

    fn indexes_of(&self, table: &str) -> &[Object] {
        self.indexes.get(table).map_or(&[], Vec::as_slice)
    }

    /// Tells whether a table is as it was read.
    fn is_as_before(&self, table: &Table, object: &Object) -> bool {
        let indexes = self.indexes_of(&table.name);
        table.kind == TableKind::Table
            && table.ddl == object.ddl
            && table.indexes.len() == indexes.len()
            && indexes.iter().all(|index| table.indexes.iter().any(|i| i.name == index.name))
    }
}

fn assemble(lane: &Lane, watch: &Watch, former: &Catalog) -> rusqlite::Result<Option<Catalog>> {
    let objects = ours(lane, structure::objects)?;
    let views = objects.iter().filter(|object| object.kind == "view").count();
    let special = objects.iter().any(Object::is_virtual) || views > MOST_VIEWS;
    if special || !former.unreadable.is_empty() {
        return Ok(None);
    }
    let now = Now::of(objects);
    let known: HashMap<&str, &Table> =
        former.tables.iter().map(|table| (table.name.as_str(), table)).collect();
    let bounds = ours(lane, |connection| -> rusqlite::Result<_> {
        Ok(measure::Counting {
            size: structure::size(connection)?,
            analysed: structure::analysed(connection),
        })
    })?;
    let mut tables = Vec::with_capacity(now.tables.len());
    let mut changed = BTreeSet::new();
    let mut same_names = now.tables.len() == former.tables.len();
    for object in &now.tables {
        let before = known.get(object.name.as_str()).copied();
        same_names &= before.is_some();
        if let Some(table) = before.filter(|table| now.is_as_before(table, object)) {
            tables.push(table.clone());
            continue;
        }
        let Some(mut table) = ours(lane, |connection| table(connection, object, &now))? else {
            return Ok(None);
        };
        table.rows = measure::rows(&lane.connection, watch, &table, &bounds)?;
        measure::correct_kinds(&lane.connection, watch, &mut table)?;
        changed.insert(table.name.clone());
        tables.push(table);
    }
    let mut catalog = Catalog { tables, dialect: former.dialect, ..Catalog::default() };
    let declared = ours(lane, |connection| {
        if same_names {
            keys_of_changed(connection, former, &changed, &mut catalog)
        } else {
            all_keys(connection, &mut catalog)
        }
    })?;
    let tables = by_name(&catalog.tables);
    let inferred = former.keys.iter().filter(|key| !key.declared() && stands(key, &tables));
    let keys: Vec<ForeignKey> = declared.into_iter().chain(inferred.cloned()).collect();
    catalog.keys = keys;
    catalog.version = version::of(&catalog);
    Ok(Some(catalog))
}

/// Reads one table; none when it can't be read.
fn table(connection: &Connection, object: &Object, now: &Now) -> rusqlite::Result<Option<Table>> {
    let columns = match structure::columns_of(connection, &object.name) {
        Ok(columns) if !columns.is_empty() => columns,
        // a view that is broken is told by reading all anew
        Ok(_) | Err(_) => return Ok(None),
    };
    let mut table = catalog::table(object, &columns);
    if table.kind == TableKind::Table {
        let indexes = now.indexes_of(&table.name);
        let texts: BTreeMap<&str, &str> =
            indexes.iter().filter_map(|i| Some((i.name.as_str(), i.ddl.as_deref()?))).collect();
        let raw = structure::indexes_of(connection, &table.name)?;
        for parts in raw.chunk_by(|a, b| a.index == b.index) {
            catalog::add_index(&mut table, parts, &texts);
        }
    }
    Ok(Some(table))
}

/// Keeps the declared keys of unchanged tables and reads those of changed ones.
fn keys_of_changed(
    connection: &Connection,
    former: &Catalog,
    changed: &BTreeSet<String>,
    catalog: &mut Catalog,
) -> rusqlite::Result<Vec<ForeignKey>> {
    let tables = by_name(&catalog.tables);
    let (mut keys, mut unreadable) = (Vec::new(), Vec::new());
    for key in former.keys.iter().filter(|key| key.declared()) {
        if changed.contains(&key.from_table) {
            continue;
        }
        if !changed.contains(&key.to_table) || stands(key, &tables) {
            keys.push(key.clone());
        } else {
            unreadable.push(format!("foreign key of {}: its target changed", key.from_table));
        }
    }
    for name in changed {
        for parts in structure::keys_of(connection, name)?.chunk_by(|a, b| a.id == b.id) {
            match declared_key(&tables, parts) {
                Ok(key) => keys.extend(key),
                Err(why) => unreadable.push(why),
            }
        }
    }
    let places: HashMap<&str, usize> =
        catalog.tables.iter().enumerate().map(|(n, table)| (table.name.as_str(), n)).collect();
    keys.sort_by_key(|key| places.get(key.from_table.as_str()).copied());
    drop((tables, places));
    catalog.unreadable.extend(unreadable);
    Ok(keys)
}

fn all_keys(connection: &Connection, catalog: &mut Catalog) -> rusqlite::Result<Vec<ForeignKey>> {
    catalog::add_keys(catalog, &structure::keys(connection)?);
    Ok(std::mem::take(&mut catalog.keys))
}

/// Tells whether both ends of a key are there.
fn stands(key: &ForeignKey, tables: &ByName<'_>) -> bool {
    let holds = |table: &str, columns: &[String]| {
        let table = tables.get(&table.to_ascii_lowercase());
        table.is_some_and(|table| columns.iter().all(|column| table.column(column).is_some()))
    };
    holds(&key.from_table, &key.from_columns) && holds(&key.to_table, &key.to_columns)
}
