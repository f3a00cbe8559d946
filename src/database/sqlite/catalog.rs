//! Puts a catalog together: what the engine lists, what the statements' texts add, what data shows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::Connection;

use super::super::DatabaseError;
use super::super::inferred::{self, Proof};
use super::super::session::{Lane, Watch};
use super::structure::{self, Object, RawColumn, RawIndex, RawKey, ours};
use super::{ddl, kinds, measure, quoted, trouble, version};
use crate::domain::schema::{Index, KeyOrigin, TableKind};
use crate::domain::{Catalog, Column, Dialect, ForeignKey, Table};

/// Values looked up to prove an inferred key.
const LOOKED_UP: u32 = 300;
/// Machine steps for proving one key; a look-up by an index takes some dozens a value.
const PROOF_STEPS: i64 = 400_000;

/// Reads the whole catalog in one read transaction, so that all of it is of one moment.
pub(super) fn read(lane: &Lane, watch: &Watch, path: &Path) -> Result<Catalog, DatabaseError> {
    let read = ours(lane, |connection| connection.execute_batch("BEGIN"))
        .and_then(|()| assemble(lane, watch));
    // ending a read transaction loses nothing, and one that could not begin needs no end
    let _ = ours(lane, |connection| connection.execute_batch("ROLLBACK"));
    read.map_err(|error| trouble::opening(&error, path))
}

fn assemble(lane: &Lane, watch: &Watch) -> rusqlite::Result<Catalog> {
    let mut catalog = Catalog { dialect: Dialect::Sqlite, ..Catalog::default() };
    let bounds = ours(lane, |connection| add_structure(connection, &mut catalog))?;
    let connection = &lane.connection;
    for table in &mut catalog.tables {
        let rows = measure::rows(connection, watch, table, &bounds);
        let looked = measure::correct_kinds(connection, watch, table);
        table.rows = rows.as_ref().ok().copied().flatten();
        if let Some(error) = rows.err().or(looked.err()).filter(|_| table.kind == TableKind::Table)
        {
            let (_, _, words) = trouble::parts(&error);
            catalog.unreadable.push(format!("rows of {}: {words}", table.name));
        }
    }
    let found = inferred::keys(&catalog.tables, &catalog.keys, |from, column, to, target| {
        prove(connection, watch, (from, column), (to, target))
    });
    catalog.keys.extend(found);
    catalog.version = version::of(&catalog);
    Ok(catalog)
}

/// Adds tables and declared keys, and returns what bounds the measuring.
fn add_structure(
    connection: &Connection,
    catalog: &mut Catalog,
) -> rusqlite::Result<measure::Counting> {
    let objects = structure::objects(connection)?;
    let hidden: BTreeSet<String> = if objects.iter().any(Object::is_virtual) {
        structure::shadows(connection)?.into_iter().collect()
    } else {
        BTreeSet::new()
    };
    let mut columns: BTreeMap<String, Vec<RawColumn>> = BTreeMap::new();
    for column in structure::columns(connection)? {
        columns.entry(column.table.clone()).or_default().push(column);
    }
    for object in objects.iter().filter(|object| object.kind != "index") {
        if object.name.starts_with("sqlite_") || hidden.contains(&object.name) {
            continue;
        }
        match columns_of(connection, object, &mut columns) {
            Ok(columns) => catalog.tables.push(table(object, &columns)),
            Err(why) => catalog.unreadable.push(format!("{}: {why}", object.name)),
        }
    }
    let texts: BTreeMap<&str, &str> = objects
        .iter()
        .filter(|object| object.kind == "index")
        .filter_map(|object| Some((object.name.as_str(), object.ddl.as_deref()?)))
        .collect();
    add_indexes(catalog, &structure::indexes(connection)?, &texts);
    add_keys(catalog, &structure::keys(connection)?);
    Ok(measure::Counting {
        size: structure::size(connection)?,
        analysed: structure::analysed(connection),
    })
}

fn columns_of(
    connection: &Connection,
    object: &Object,
    stored: &mut BTreeMap<String, Vec<RawColumn>>,
) -> Result<Vec<RawColumn>, String> {
    if let Some(columns) = stored.remove(&object.name) {
        return Ok(columns);
    }
    match structure::columns_of(connection, &object.name) {
        Ok(columns) if columns.is_empty() => Err("it has no columns that can be read".to_owned()),
        Ok(columns) => Ok(columns),
        Err(error) => Err(trouble::parts(&error).2),
    }
}

pub(super) fn table(object: &Object, raw: &[RawColumn]) -> Table {
    let kind = match object.kind.as_str() {
        "view" => TableKind::View,
        _ if object.is_virtual() => TableKind::Virtual,
        _ => TableKind::Table,
    };
    let text = match (&object.ddl, kind) {
        (Some(ddl), TableKind::Table) => ddl::table(ddl),
        (Some(ddl), TableKind::View) => {
            ddl::TableText { comment: ddl::view_comment(ddl), ..ddl::TableText::default() }
        }
        (_, TableKind::Virtual | TableKind::Table | TableKind::View) => ddl::TableText::default(),
    };
    let mut key: Vec<&RawColumn> = raw.iter().filter(|column| column.key > 0).collect();
    key.sort_by_key(|column| column.key);
    let single = key.len() == 1;
    let column = |column: &RawColumn| Column {
        name: column.name.clone(),
        data_type: column.data_type.clone(),
        kind: kinds::declared(&column.data_type),
        not_null: column.not_null,
        default: column.default.clone(),
        unique: single && column.key > 0,
        primary: column.key > 0,
        generated: column
            .generated
            .then(|| text.generated.get(&column.name.to_lowercase()).cloned().unwrap_or_default()),
        comment: text.columns.get(&column.name.to_lowercase()).cloned(),
    };
    Table {
        name: object.name.clone(),
        kind,
        columns: raw.iter().map(column).collect(),
        primary_key: key.iter().map(|column| column.name.clone()).collect(),
        comment: text.comment,
        checks: text.checks,
        ddl: object.ddl.clone(),
        ..Table::default()
    }
}

fn add_indexes(catalog: &mut Catalog, raw: &[RawIndex], texts: &BTreeMap<&str, &str>) {
    let mut by_table: BTreeMap<&str, Vec<&[RawIndex]>> = BTreeMap::new();
    for index in raw.chunk_by(|a, b| a.table == b.table && a.index == b.index) {
        if let Some(first) = index.first() {
            by_table.entry(first.table.as_str()).or_default().push(index);
        }
    }
    for table in &mut catalog.tables {
        for index in by_table.get(table.name.as_str()).into_iter().flatten() {
            add_index(table, index, texts);
        }
    }
}

pub(super) fn add_index(table: &mut Table, parts: &[RawIndex], texts: &BTreeMap<&str, &str>) {
    let Some(first) = parts.first() else { return };
    // an index over some rows or over an expression makes no column unique
    let plain: Option<Vec<String>> = parts.iter().map(|part| part.column.clone()).collect();
    let unique = first.unique && !first.partial;
    if let Some(columns) = plain.as_ref().filter(|_| unique && first.origin != "pk") {
        for column in table.columns.iter_mut().filter(|column| *columns == [column.name.as_str()]) {
            column.unique = true;
        }
        if !table.uniques.contains(columns) {
            table.uniques.push(columns.clone());
        }
    }
    if first.origin == "c" {
        let text = texts.get(first.index.as_str()).map(|text| ddl::index_parts(text));
        let part = |(at, part): (usize, &RawIndex)| {
            let text = text.as_ref().and_then(|parts| parts.get(at).cloned());
            part.column.clone().or(text).unwrap_or_else(|| "expression".to_owned())
        };
        let columns = parts.iter().enumerate().map(part).collect();
        table.indexes.push(Index { name: first.index.clone(), columns, unique });
    }
}

/// Tables by their names in lower case.
pub(super) type ByName<'a> = BTreeMap<String, &'a Table>;

pub(super) fn by_name(tables: &[Table]) -> ByName<'_> {
    tables.iter().map(|table| (table.name.to_ascii_lowercase(), table)).collect()
}

pub(super) fn add_keys(catalog: &mut Catalog, raw: &[RawKey]) {
    let tables = by_name(&catalog.tables);
    let (mut keys, mut unreadable) = (Vec::new(), Vec::new());
    for parts in raw.chunk_by(|a, b| a.table == b.table && a.id == b.id) {
        match declared_key(&tables, parts) {
            Ok(Some(key)) => keys.push(key),
            Ok(None) => {}
            Err(why) => unreadable.push(why),
        }
    }
    drop(tables);
    catalog.keys.extend(keys);
    catalog.unreadable.extend(unreadable);
}

/// Makes a key of what is declared, names as the tables spell them; the error says what is missing.
pub(super) fn declared_key(
    tables: &ByName<'_>,
    parts: &[RawKey],
) -> Result<Option<ForeignKey>, String> {
    let called = |name: &str| tables.get(&name.to_ascii_lowercase()).copied();
    let Some(first) = parts.first() else { return Ok(None) };
    let Some(from) = called(&first.table) else { return Ok(None) };
    let missing = |what: String| format!("foreign key of {}: {what} doesn't exist", first.table);
    let to = called(&first.to_table).ok_or_else(|| missing(first.to_table.clone()))?;
    let spelled = |table: &Table, name: &str| match table.column(name) {
        Some(column) => Ok(column.name.clone()),
        None => Err(missing(format!("{}.{name}", table.name))),
    };
    let from_columns: Vec<String> =
        parts.iter().map(|part| spelled(from, &part.from)).collect::<Result<_, _>>()?;
    let named: Option<Vec<&str>> = parts.iter().map(|part| part.to.as_deref()).collect();
    let to_columns = match named {
        Some(named) => named.into_iter().map(|name| spelled(to, name)).collect::<Result<_, _>>()?,
        None => to.primary_key.clone(),
    };
    if to_columns.len() != from_columns.len() {
        return Err(missing(format!("a key of {} columns in {}", from_columns.len(), to.name)));
    }
    let unique: Vec<&str> = from_columns.iter().map(String::as_str).collect();
    Ok(Some(ForeignKey {
        from_table: from.name.clone(),
        one_to_one: from.is_unique(&unique),
        from_columns,
        to_table: to.name.clone(),
        to_columns,
        origin: KeyOrigin::Declared,
    }))
}

/// Looks up the first values of a column in another.
fn prove(connection: &Connection, watch: &Watch, from: (&str, &str), to: (&str, &str)) -> Proof {
    let sql = format!(
        "SELECT count(*), coalesce(sum(hit), 0) FROM (SELECT (SELECT count(*) FROM (SELECT 1 FROM {} \
         AS target WHERE target.{} = source.v LIMIT 2)) = 1 AS hit FROM (SELECT {} AS v FROM {} LIMIT {LOOKED_UP}) \
         AS source WHERE source.v IS NOT NULL)",
        quoted(to.0),
        quoted(to.1),
        quoted(from.1),
        quoted(from.0),
    );
    watch.refuel(Some(PROOF_STEPS));
    let counted = connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
    watch.refuel(None);
    match counted {
        Ok((0, _)) => Proof::NoRows,
        Ok::<(i64, i64), _>((values, hits)) if values == hits => Proof::Holds(values),
        Ok(_) | Err(_) => Proof::Refuted,
    }
}
