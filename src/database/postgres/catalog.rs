//! The catalog of a database, put together from what the server tells of its structure.

use std::collections::BTreeMap;

use super::super::sqlite::version;
use super::cells::Form;
use super::structure::{Constraint, RawColumn, RawIndex, Relation, Structure};
use crate::domain::schema::{Index, KeyOrigin, RowCount, TableKind};
use crate::domain::{Catalog, Column, ColumnKind, Dialect, ForeignKey, Table};
use crate::sql::dialect::{literal, quote, quote_table};

/// Makes the catalog.
pub(super) fn of(structure: Structure) -> Catalog {
    let mut catalog = Catalog { dialect: Dialect::Postgres, ..Catalog::default() };
    let mut places = BTreeMap::new();
    for relation in structure.relations {
        if relation.schema.contains('.') {
            let Relation { schema, name, .. } = relation;
            catalog.unreadable.push(format!("{schema}.{name}: a dot in the name of its schema"));
            continue;
        }
        places.insert(relation.oid, catalog.tables.len());
        catalog.tables.push(table(relation));
    }
    for raw in structure.columns {
        if let Some(table) = at(&mut catalog.tables, &places, raw.table) {
            table.checks.extend(raw.labels.as_ref().map(|labels| one_of(&raw.name, labels)));
            table.columns.push(column(raw));
        }
    }
    let mut foreign = Vec::new();
    for constraint in structure.constraints {
        if constraint.kind == "f" {
            foreign.push(constraint);
        } else if let Some(table) = at(&mut catalog.tables, &places, constraint.table) {
            constrain(table, constraint);
        }
    }
    for index in structure.indexes {
        if let Some(table) = at(&mut catalog.tables, &places, index.table) {
            add_index(table, index);
        }
    }
    let key = |constraint| key(&catalog.tables, &places, constraint);
    catalog.keys = foreign.into_iter().filter_map(key).collect();
    catalog.version = version::of(&catalog);
    catalog
}

fn at<'a>(
    tables: &'a mut [Table],
    places: &BTreeMap<u32, usize>,
    oid: u32,
) -> Option<&'a mut Table> {
    tables.get_mut(*places.get(&oid)?)
}

/// Names a table as a statement finds it: bare where the server looks for it by itself.
fn name_of(relation: &Relation) -> String {
    // the first dot parts the schema from the table
    if relation.visible && !relation.name.contains('.') {
        relation.name.clone()
    } else {
        format!("{}.{}", relation.schema, relation.name)
    }
}

fn table(relation: Relation) -> Table {
    let name = name_of(&relation);
    let kind = match relation.kind.as_str() {
        "v" | "m" => TableKind::View,
        "f" => TableKind::Virtual,
        _ => TableKind::Table,
    };
    let materialized = if relation.kind == "m" { "MATERIALIZED " } else { "" };
    let ddl = relation.query.map(|query| {
        format!("CREATE {materialized}VIEW {} AS {query}", quote_table(&name, Dialect::Postgres))
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
    let count = relation.rows.round() as u64;
    let known = relation.rows >= 0.0 && relation.kind != "v";
    Table {
        name,
        kind,
        comment: relation.comment,
        rows: known.then_some(RowCount { count, exact: false }),
        ddl,
        ..Table::default()
    }
}

fn column(raw: RawColumn) -> Column {
    Column {
        kind: kind(&raw),
        generated: raw.default.clone().filter(|_| raw.generated),
        default: raw.default.filter(|_| !raw.generated),
        name: raw.name,
        data_type: raw.data_type,
        not_null: raw.not_null,
        comment: raw.comment,
        ..Column::default()
    }
}

/// Returns the family of a type, by the server's own family and how its cells are read.
fn kind(raw: &RawColumn) -> ColumnKind {
    match (Form::named(&raw.base, true), raw.category.as_str()) {
        (Form::Truth, _) => ColumnKind::Boolean,
        (Form::Whole, _) => ColumnKind::Integer,
        (Form::Real | Form::Decimal { .. }, _) => ColumnKind::Real,
        (Form::Bytes, _) => ColumnKind::Blob,
        // text, enumerations, times spans, addresses
        (Form::Text, "S" | "E" | "T" | "I") => ColumnKind::Text,
        (Form::Text, "D") => ColumnKind::Date,
        (Form::Text, _) if raw.base == "uuid" => ColumnKind::Text,
        (Form::Text, _) if raw.base == "money" => ColumnKind::Real,
        (Form::Text, _) => ColumnKind::Unknown,
    }
}

/// Says as a check which values an enumerated type has.
fn one_of(column: &str, labels: &[String]) -> String {
    let labels: Vec<String> = labels.iter().map(|l| literal(l, Dialect::Postgres)).collect();
    format!("{} IN ({})", quote(column, Dialect::Postgres), labels.join(", "))
}

fn constrain(table: &mut Table, constraint: Constraint) {
    match constraint.kind.as_str() {
        "p" => {
            for column in &mut table.columns {
                column.primary = constraint.columns.contains(&column.name);
            }
            table.primary_key = constraint.columns;
        }
        "u" => add_unique(table, constraint.columns),
        _ => table.checks.extend(constraint.check.as_deref().map(bare)),
    }
}

fn add_unique(table: &mut Table, columns: Vec<String>) {
    if let [only] = columns.as_slice() {
        for column in table.columns.iter_mut().filter(|column| column.name == *only) {
            column.unique = true;
        }
    }
    table.uniques.push(columns);
}

fn add_index(table: &mut Table, raw: RawIndex) {
    if raw.unique && raw.plain {
        add_unique(table, raw.columns.clone());
    }
    table.indexes.push(Index { name: raw.name, columns: raw.columns, unique: raw.unique });
}

/// Takes off the parentheses that the server puts around a check.
fn bare(check: &str) -> String {
    let inner = check.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inner else { return check.to_owned() };
    let mut depth = 0i32;
    // a parenthesis in a text may mislead; then they stay
    let closes_early = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if closes_early { check.to_owned() } else { inner.to_owned() }
}

fn key(
    tables: &[Table],
    places: &BTreeMap<u32, usize>,
    constraint: Constraint,
) -> Option<ForeignKey> {
    let from = tables.get(*places.get(&constraint.table)?)?;
    let to = tables.get(*places.get(&constraint.to_table)?)?;
    let columns: Vec<&str> = constraint.columns.iter().map(String::as_str).collect();
    Some(ForeignKey {
        one_to_one: from.is_unique(&columns),
        from_table: from.name.clone(),
        from_columns: constraint.columns,
        to_table: to.name.clone(),
        to_columns: constraint.to_columns,
        origin: KeyOrigin::Declared,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_lose_only_parentheses_that_belong_together() {
        assert_eq!(bare("(a > 0)"), "a > 0");
        assert_eq!(bare("((a > 0) AND (b > 0))"), "(a > 0) AND (b > 0)");
        assert_eq!(bare("(a) OR (b)"), "(a) OR (b)");
    }

    #[test]
    fn an_enumeration_is_said_as_a_check() {
        let labels = ["new".to_owned(), "it's".to_owned()];
        assert_eq!(one_of("Status", &labels), "\"Status\" IN ('new', 'it''s')");
    }
}
