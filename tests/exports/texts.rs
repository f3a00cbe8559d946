//! CSV, TSV and JSON lines, read back by readers of our own.

use querent::domain::Value;
use serde_json::Value as Json;

use super::{AWKWARD, MANY, Made, made};

/// Reads separated lines (RFC 4180). A field that is empty without quotes is none.
fn read(text: &str, by: char) -> Vec<Vec<Option<String>>> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    let mut field = String::new();
    let (mut quoted, mut inside) = (false, false);
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        match c {
            '"' if inside && signs.peek() == Some(&'"') => {
                field.push('"');
                signs.next();
            }
            '"' => {
                inside = !inside;
                quoted = true;
            }
            c if inside => field.push(c),
            c if c == by || c == '\n' => {
                let text = std::mem::take(&mut field);
                line.push((quoted || !text.is_empty()).then_some(text));
                quoted = false;
                if c == '\n' {
                    lines.push(std::mem::take(&mut line));
                }
            }
            c => field.push(c),
        }
    }
    assert!(line.is_empty() && field.is_empty() && !inside, "the last line ends");
    lines
}

async fn same_rows_separated(made: &Made, name: &str, by: char) {
    let (path, written) = made.written(name).await;
    assert_eq!(written.notes, [] as [String; 0]);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = read(&text, by);
    assert_eq!(lines.len(), made.rows.len() + 1);
    for (line, row) in lines[1..].iter().zip(&made.rows) {
        let expected: Vec<Option<String>> =
            row.iter().map(|value| (!value.is_null()).then(|| value.plain())).collect();
        assert_eq!(*line, expected);
    }
    // a reader that others wrote agrees, but for NULL, which it doesn't know
    let mut reader =
        csv::ReaderBuilder::new().delimiter(u8::try_from(by).unwrap()).from_reader(text.as_bytes());
    for (record, row) in reader.records().map(Result::unwrap).zip(&made.rows) {
        assert_eq!(
            record.iter().collect::<Vec<_>>(),
            row.iter().map(Value::plain).collect::<Vec<_>>()
        );
    }
}

#[tokio::test]
async fn csv_and_tsv_read_back_as_the_rows_with_null_told_from_empty() {
    let made = made(AWKWARD, "SELECT * FROM t ORDER BY id").await;
    same_rows_separated(&made, "all.csv", ',').await;
    same_rows_separated(&made, "all.tsv", '\t').await;
}

#[tokio::test]
async fn json_lines_read_back_as_the_rows_with_every_number_exact() {
    let made = made(AWKWARD, "SELECT * FROM t ORDER BY id").await;
    let (path, _) = made.written("all.jsonl").await;
    let text = std::fs::read_to_string(path).unwrap();
    let objects: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), made.rows.len());
    let names = ["id", "n", "r", "s", "b", "d", "ts", "flag", "mix", "gone"];
    for (object, row) in objects.iter().zip(&made.rows) {
        let object = object.as_object().unwrap();
        assert_eq!(object.keys().collect::<Vec<_>>(), names);
        for (json, value) in object.values().zip(row) {
            let expected = match value {
                Value::Null => Json::Null,
                Value::Integer(n) => Json::from(*n),
                Value::Real(n) if n.is_finite() => Json::from(*n),
                other => Json::from(other.plain()),
            };
            assert_eq!(*json, expected);
        }
    }
}

#[tokio::test]
async fn a_hundred_thousand_rows_arrive_in_order() {
    let made = made("", MANY).await;
    same_rows_separated(&made, "many.csv", ',').await;
}

#[tokio::test]
async fn names_that_come_twice_are_made_distinct_and_said() {
    let made = made("", "SELECT 1 AS id, 2 AS id, 3 AS id_2").await;
    let (path, written) = made.written("twice.jsonl").await;
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text, "{\"id\":1,\"id_3\":2,\"id_2\":3}\n");
    assert_eq!(written.notes, ["Names that came twice are written as “id_3”."]);
}

#[tokio::test]
async fn inserts_bring_the_rows_into_a_table_of_the_same_columns() {
    let made = made(AWKWARD, "SELECT * FROM t ORDER BY id").await;
    let (path, _) = made.written("all.sql").await;
    let again = rusqlite::Connection::open_in_memory().unwrap();
    // no affinity: what is read is what was written
    again.execute_batch("CREATE TABLE t (id, n, r, s, b, d, ts, flag, mix, gone)").unwrap();
    again.execute_batch(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(super::rows(&again, "SELECT * FROM t ORDER BY id"), made.rows);
}

#[tokio::test]
async fn text_that_is_no_utf8_is_said() {
    let made = made("", "SELECT CAST(x'636166e9' AS TEXT) AS s, 1 AS n").await;
    let (path, written) = made.written("bad.csv").await;
    assert_eq!(std::fs::read_to_string(path).unwrap(), "s,n\ncaf\u{fffd},1\n");
    assert_eq!(written.notes, ["1 text isn't valid UTF-8; its bad bytes are written as �."]);
}

#[tokio::test]
async fn chosen_columns_are_written_in_the_order_chosen() {
    let made = made("", "SELECT 1 AS a, 2 AS b, 3 AS c").await;
    let path = made.file("some.md");
    let export = querent::pipeline::Export {
        format: querent::pipeline::ExportFormat::Markdown,
        path: path.clone(),
        columns: Some(vec![2, 0]),
        ..Default::default()
    };
    made.session.export(&made.id, export).ended().await.unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "| c | a |\n| --- | --- |\n| 3 | 1 |\n");
}
