//! Puts a catalog together from what the server lists.

use std::collections::BTreeMap;

use super::super::sqlite::version;
use super::pool::Answer;
use super::structure::Listed;
use crate::domain::schema::{Index, KeyOrigin, RowCount, TableKind};
use crate::domain::{Catalog, Column, ColumnKind, Dialect, ForeignKey, Table};
use crate::sql::dialect::quote_table;

/// The name by which the server calls a table's own key.
const PRIMARY: &str = "PRIMARY";

/// How tables are called, and which names are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    /// One database was named: its tables are called without it.
    pub(super) one: bool,
    /// Names that differ only in letter case are the same.
    pub(super) any_case: bool,
}

impl Names {
    fn call(self, schema: &str, table: &str) -> String {
        if self.one { table.to_owned() } else { format!("{schema}.{table}") }
    }

    fn key(self, name: &str) -> String {
        if self.any_case { name.to_lowercase() } else { name.to_owned() }
    }

    /// Returns the table that a row names in its first columns.
    fn of(self, row: &Answer) -> String {
        self.key(&self.call(row.text(0), row.text(1)))
    }
}

/// Tables by the key of their name.
type Places = BTreeMap<String, usize>;

/// Makes the catalog; its rows are the server's estimates.
pub(super) fn assemble(listed: &Listed, names: Names) -> Catalog {
    let mut catalog = Catalog { dialect: Dialect::Mysql, ..Catalog::default() };
    let mut columns: BTreeMap<String, Vec<Column>> = BTreeMap::new();
    for row in &listed.columns {
        columns.entry(names.of(row)).or_default().push(column(row));
    }
    let mut places = Places::new();
    for row in &listed.tables {
        let name = names.call(row.text(0), row.text(1));
        match columns.remove(&names.key(&name)) {
            Some(columns) => {
                places.insert(names.key(&name), catalog.tables.len());
                catalog.tables.push(table(row, name, columns));
            }
            None => catalog.unreadable.push(format!("{name}: {}", why(row))),
        }
    }
    for parts in listed.indexes.chunk_by(same_owner) {
        if let Some(table) = parts.first().and_then(|row| at(&mut catalog, &places, names, row)) {
            add_index(table, parts);
        }
    }
    for row in &listed.checks {
        if let Some(table) = at(&mut catalog, &places, names, row) {
            table.checks.push(row.text(2).to_owned());
        }
    }
    for row in &listed.views {
        let told = !row.text(2).is_empty();
        if let Some(view) = at(&mut catalog, &places, names, row).filter(|_| told) {
            let name = quote_table(&view.name, Dialect::Mysql);
            view.ddl = Some(format!("CREATE VIEW {name} AS {}", row.text(2)));
        }
    }
    catalog.keys = listed
        .keys
        .chunk_by(same_owner)
        .filter_map(|parts| key(&catalog, &places, names, parts))
        .collect();
    catalog.version = version::of(&catalog);
    catalog
}

/// Finds the table that a row names in its first columns.
fn at<'a>(
    catalog: &'a mut Catalog,
    places: &Places,
    names: Names,
    row: &Answer,
) -> Option<&'a mut Table> {
    catalog.tables.get_mut(*places.get(&names.of(row))?)
}

/// Tells whether two rows belong to the same index or key of the same table.
fn same_owner(a: &Answer, b: &Answer) -> bool {
    (0..3).all(|at| a.text(at) == b.text(at))
}

fn table(row: &Answer, name: String, columns: Vec<Column>) -> Table {
    let view = row.text(2).contains("VIEW");
    let rows = row.text(4).parse().ok().map(|count| RowCount { count, exact: false });
    Table {
        name,
        kind: if view { TableKind::View } else { TableKind::Table },
        // of a view it says only that it is one
        comment: Some(row.text(3)).filter(|text| !view && !text.is_empty()).map(str::to_owned),
        columns,
        rows: rows.filter(|_| !view),
        ..Table::default()
    }
}

/// Says why a table shows no columns; the server writes that where the comment would be.
fn why(row: &Answer) -> &str {
    match row.text(3) {
        "" | "VIEW" => "its columns can't be read",
        words => words,
    }
}

fn column(row: &Answer) -> Column {
    let extra = row.text(7).to_ascii_uppercase();
    let generated =
        extra.contains("VIRTUAL") || extra.contains("STORED") || extra.contains("PERSISTENT");
    Column {
        name: row.text(2).to_owned(),
        data_type: row.text(3).to_owned(),
        kind: kind(row.text(3), row.text(4)),
        not_null: row.text(5) == "NO",
        // MariaDB writes out a default that is NULL
        default: row.cell(6).filter(|text| *text != "NULL").map(str::to_owned),
        generated: generated.then(|| row.text(9).to_owned()),
        comment: row.cell(8).filter(|text| !text.is_empty()).map(str::to_owned),
        ..Column::default()
    }
}

/// Returns the kind of a type, by its whole text and its family.
fn kind(whole: &str, family: &str) -> ColumnKind {
    if matches!(whole, "tinyint(1)" | "bit(1)") {
        return ColumnKind::Boolean;
    }
    match family.to_ascii_lowercase().as_str() {
        "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "year" | "bit" => {
            ColumnKind::Integer
        }
        "decimal" | "float" | "double" => ColumnKind::Real,
        "date" | "datetime" | "timestamp" | "time" => ColumnKind::Date,
        "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" | "enum" | "set"
        | "json" | "uuid" | "inet4" | "inet6" => ColumnKind::Text,
        "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" | "vector" => {
            ColumnKind::Blob
        }
        _ => ColumnKind::Unknown,
    }
}

fn add_index(table: &mut Table, parts: &[Answer]) {
    let Some(first) = parts.first() else { return };
    // an index over an expression makes no column unique
    let plain: Option<Vec<String>> =
        parts.iter().map(|part| part.cell(3).map(str::to_owned)).collect();
    let unique = first.text(4) == "0";
    if let (true, Some(columns)) = (unique, plain) {
        let primary = first.text(2) == PRIMARY;
        for column in table.columns.iter_mut().filter(|column| columns.contains(&column.name)) {
            column.primary |= primary;
            column.unique |= columns.len() == 1;
        }
        if primary {
            table.primary_key = columns;
        } else if !table.uniques.contains(&columns) {
            table.uniques.push(columns);
        }
        return;
    }
    let column = |part: &Answer| part.cell(3).unwrap_or("expression").to_owned();
    let columns = parts.iter().map(column).collect();
    table.indexes.push(Index { name: first.text(2).to_owned(), columns, unique });
}

/// Makes a key; one that points to a table not listed is left out.
fn key(catalog: &Catalog, places: &Places, names: Names, parts: &[Answer]) -> Option<ForeignKey> {
    let first = parts.first()?;
    let to_name = names.key(&names.call(first.text(4), first.text(5)));
    let from = catalog.tables.get(*places.get(&names.of(first))?)?;
    // with one database named, a table of another has a name that may also be one of ours
    let elsewhere = names.one && names.key(first.text(4)) != names.key(first.text(0));
    let to = catalog.tables.get(*places.get(&to_name)?).filter(|_| !elsewhere)?;
    let spelled = |table: &Table, name: &str| table.column(name).map(|column| column.name.clone());
    let from_columns: Vec<String> =
        parts.iter().map(|part| spelled(from, part.text(3))).collect::<Option<_>>()?;
    let to_columns = parts.iter().map(|part| spelled(to, part.text(6))).collect::<Option<_>>()?;
    let unique: Vec<&str> = from_columns.iter().map(String::as_str).collect();
    Some(ForeignKey {
        from_table: from.name.clone(),
        one_to_one: from.is_unique(&unique),
        from_columns,
        to_table: to.name.clone(),
        to_columns,
        origin: KeyOrigin::Declared,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_their_kinds() {
        let cases = [
            ("int(11) unsigned", "int", ColumnKind::Integer),
            ("tinyint(1)", "tinyint", ColumnKind::Boolean),
            ("tinyint(4)", "tinyint", ColumnKind::Integer),
            ("decimal(10,2)", "decimal", ColumnKind::Real),
            ("enum('a','b')", "enum", ColumnKind::Text),
            ("datetime(6)", "datetime", ColumnKind::Date),
            ("varbinary(16)", "varbinary", ColumnKind::Blob),
            ("point", "point", ColumnKind::Unknown),
        ];
        for (whole, family, wanted) in cases {
            assert_eq!(kind(whole, family), wanted, "{whole}");
        }
    }
}
