//! Parquet files, read back by the format's own reader.

use std::fs::File;

use parquet::basic::{LogicalType, Type};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use querent::domain::Value;

use super::{AWKWARD, MANY, made};

fn cell(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Long(n) => Value::Integer(*n),
        Field::Double(n) => Value::Real(*n),
        Field::Str(text) => Value::Text(text.clone()),
        Field::Bytes(bytes) => Value::Blob(bytes.data().to_vec()),
        other => panic!("a type that isn't written: {other:?}"),
    }
}

fn read(path: &std::path::Path) -> (Vec<(Type, bool)>, Vec<Vec<Value>>) {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let types = schema
        .columns()
        .iter()
        .map(|c| (c.physical_type(), c.logical_type_ref() == Some(&LogicalType::String)))
        .collect();
    let rows = reader.get_row_iter(None).unwrap();
    let of = |row: parquet::record::Row| row.get_column_iter().map(|(_, f)| cell(f)).collect();
    (types, rows.map(|row| of(row.unwrap())).collect())
}

#[tokio::test]
async fn every_column_has_the_type_of_its_values_and_reads_back() {
    let made = made(AWKWARD, "SELECT * FROM t ORDER BY id").await;
    let (path, written) = made.written("all.parquet").await;
    let (types, rows) = read(&path);
    let (long, double, text, bytes) = (
        (Type::INT64, false),
        (Type::DOUBLE, false),
        (Type::BYTE_ARRAY, true),
        (Type::BYTE_ARRAY, false),
    );
    assert_eq!(types, [long, long, double, text, bytes, text, text, long, text, text]);
    let expected: Vec<Vec<Value>> = made
        .rows
        .iter()
        .map(|row| {
            let mut row = row.clone();
            // several types in one column: text
            if !row[8].is_null() {
                row[8] = Value::Text(row[8].plain());
            }
            row
        })
        .collect();
    assert_eq!(rows, expected);
    assert_eq!(written.notes, ["“mix” holds several types and is written as text."]);
}

#[tokio::test]
async fn numbers_are_reals_only_where_none_is_lost() {
    let sql = "SELECT 1 AS a, 0.5 AS b, 9007199254740993 AS c UNION ALL SELECT 2.5, 3, 0.5";
    let made = made("", sql).await;
    let (path, written) = made.written("n.parquet").await;
    let (types, rows) = read(&path);
    assert_eq!(types, [(Type::DOUBLE, false), (Type::DOUBLE, false), (Type::BYTE_ARRAY, true)]);
    assert_eq!(
        rows[0],
        [Value::Real(1.0), Value::Real(0.5), Value::Text("9007199254740993".into())]
    );
    assert_eq!(rows[1], [Value::Real(2.5), Value::Real(3.0), Value::Text("0.5".into())]);
    assert!(written.notes[0].contains("“c” holds fractions and whole numbers"));
}

#[tokio::test]
async fn text_that_is_no_utf8_keeps_its_bytes() {
    let made = made("", "SELECT CAST(x'636166e9' AS TEXT) AS s").await;
    let (path, written) = made.written("bad.parquet").await;
    let (types, rows) = read(&path);
    assert_eq!(types, [(Type::BYTE_ARRAY, false)]);
    assert_eq!(rows, [[Value::Blob(b"caf\xe9".to_vec())]]);
    assert_eq!(written.notes, ["“s” holds texts that aren't valid UTF-8 and is written as bytes."]);
}

#[tokio::test]
async fn no_rows_at_all_keep_their_columns() {
    let made = made("CREATE TABLE t (a INTEGER, b REAL, c TEXT)", "SELECT * FROM t").await;
    let (path, _) = made.written("none.parquet").await;
    let (types, rows) = read(&path);
    assert_eq!(types, [(Type::INT64, false), (Type::DOUBLE, false), (Type::BYTE_ARRAY, true)]);
    assert!(rows.is_empty());
}

#[tokio::test]
async fn a_hundred_thousand_rows_read_back() {
    let made = made("", MANY).await;
    let (path, _) = made.written("many.parquet").await;
    assert_eq!(read(&path).1, made.rows);
}
