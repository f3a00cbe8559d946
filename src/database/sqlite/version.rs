//! Names a structure by its content, so that two moments can be told apart.

use sha2::{Digest, Sha256};

use super::super::cache;
use crate::domain::schema::{Index, KeyOrigin};
use crate::domain::{Catalog, Column, ForeignKey, Table};

/// Names everything of a catalog but its row counts.
pub(in super::super) fn of(catalog: &Catalog) -> String {
    let mut text = Text::default();
    for table in &catalog.tables {
        text.table(table);
    }
    for key in &catalog.keys {
        text.key(key);
    }
    text.flush();
    cache::hex(&text.hasher.finalize(), 16)
}

/// Bytes gathered before they are hashed: many small pieces at once are quicker.
const GATHERED: usize = 1 << 16;

/// What is hashed: each piece with its length, so that no two structures read the same.
#[derive(Default)]
struct Text {
    hasher: Sha256,
    bytes: Vec<u8>,
}

impl Text {
    fn piece(&mut self, piece: &str) {
        self.number(piece.len());
        self.bytes.extend_from_slice(piece.as_bytes());
    }

    fn maybe(&mut self, piece: Option<&String>) {
        self.bytes.push(u8::from(piece.is_some()));
        self.piece(piece.map_or("", String::as_str));
    }

    fn pieces(&mut self, pieces: &[String]) {
        self.number(pieces.len());
        for piece in pieces {
            self.piece(piece);
        }
    }

    fn number(&mut self, number: usize) {
        self.bytes.extend_from_slice(&(number as u64).to_le_bytes());
    }

    fn flush(&mut self) {
        self.hasher.update(&self.bytes);
        self.bytes.clear();
    }

    fn table(&mut self, table: &Table) {
        let Table {
            name,
            kind,
            comment,
            columns,
            primary_key,
            uniques,
            indexes,
            checks,
            rows: _,
            ddl,
        } = table;
        self.piece(name);
        self.piece(kind.name());
        self.maybe(comment.as_ref());
        self.number(columns.len());
        for column in columns {
            self.column(column);
        }
        self.pieces(primary_key);
        self.number(uniques.len());
        for unique in uniques {
            self.pieces(unique);
        }
        self.number(indexes.len());
        for Index { name, columns, unique } in indexes {
            self.piece(name);
            self.pieces(columns);
            self.bytes.push(u8::from(*unique));
        }
        self.pieces(checks);
        self.maybe(ddl.as_ref());
        if self.bytes.len() > GATHERED {
            self.flush();
        }
    }

    fn column(&mut self, column: &Column) {
        let Column {
            name,
            data_type,
            kind,
            not_null,
            default,
            unique,
            primary,
            generated,
            comment,
        } = column;
        self.piece(name);
        self.piece(data_type);
        self.bytes.push(*kind as u8);
        let flags = u8::from(*not_null) | u8::from(*unique) << 1 | u8::from(*primary) << 2;
        self.bytes.push(flags);
        self.maybe(generated.as_ref());
        self.maybe(default.as_ref());
        self.maybe(comment.as_ref());
    }

    fn key(&mut self, key: &ForeignKey) {
        let ForeignKey { from_table, from_columns, to_table, to_columns, origin, one_to_one } = key;
        self.piece(from_table);
        self.pieces(from_columns);
        self.piece(to_table);
        self.pieces(to_columns);
        let why = match origin {
            KeyOrigin::Declared => None,
            KeyOrigin::Inferred(why) | KeyOrigin::Told(why) => Some(why),
        };
        self.maybe(why);
        self.bytes.push(u8::from(*one_to_one));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::schema::RowCount;

    #[test]
    fn a_version_names_all_but_the_row_counts() {
        let catalog = |tables: Vec<Table>| Catalog { tables, ..Catalog::default() };
        let table = Table::bare("rooms", &["id", "name"]);
        let first = of(&catalog(vec![table.clone()]));
        let counted = Table { rows: Some(RowCount { count: 7, exact: true }), ..table.clone() };
        assert_eq!(of(&catalog(vec![counted])), first);
        for other in [
            Table::bare("rooms", &["id", "nam", "e"]),
            Table::bare("rooms", &["idname"]),
            Table { comment: Some(String::new()), ..table.clone() },
            Table { primary_key: vec!["id".to_owned()], ..table },
        ] {
            assert_ne!(of(&catalog(vec![other])), first);
        }
    }
}
