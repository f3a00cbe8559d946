//! Every form of a table: quoting, NULL beside empty text, and names that come twice.

use super::*;

fn column(name: &str, origin: Option<&str>) -> ResultColumn {
    ResultColumn {
        name: name.into(),
        data_type: String::new(),
        origin: origin.map(str::to_owned),
        unit: None,
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn check(form: TableForm, rows: &[Vec<Value>], expected: &str) {
    let columns = [column("a", Some("t.a")), column("b|\"c\"", Some("t.b"))];
    assert_eq!(table_text(form, &columns, rows, None), expected);
}

fn rows() -> Vec<Vec<Value>> {
    vec![
        vec![Value::Null, text("")],
        vec![text("x\ty"), text("one\ntwo \"q\", |\\")],
        vec![Value::Integer(i64::MIN), Value::Real(2.0)],
        vec![Value::Blob(vec![0, 255]), Value::Real(f64::NEG_INFINITY)],
        vec![text("it's"), Value::Malformed(vec![b'a', 0xff])],
    ]
}

#[test]
fn csv_quotes_what_needs_it_and_tells_null_from_empty_text() {
    let expected = "a,\"b|\"\"c\"\"\"\n,\"\"\nx\ty,\"one\ntwo \"\"q\"\", |\\\"\n\
                    -9223372036854775808,2.0\nx'00ff',-inf\nit's,a\u{fffd}\n";
    check(TableForm::Csv, &rows(), expected);
}

#[test]
fn tsv_quotes_tabs_and_line_ends_but_not_commas() {
    let rows = [vec![text("x\ty"), text("a,b")], vec![text("l\r\nm"), Value::Null]];
    check(TableForm::Tsv, &rows, "a\t\"b|\"\"c\"\"\"\n\"x\ty\"\ta,b\n\"l\r\nm\"\t\n");
}

#[test]
fn a_column_alone_never_leaves_an_empty_line() {
    let rows = [vec![Value::Null], vec![Value::Integer(1)]];
    let text = table_text(TableForm::Csv, &[column("n", None)], &rows, None);
    assert_eq!(text, "n\n\"\"\n1\n");
}

#[test]
fn json_keeps_numbers_exact_and_names_distinct() {
    let columns = [column("id", None), column("id", None), column("id_2", None)];
    let rows = [
        vec![Value::Integer(9_007_199_254_740_993), Value::Real(0.1), Value::Null],
        vec![text("\u{1}\"\\\n"), Value::Blob(vec![7]), Value::Real(f64::INFINITY)],
    ];
    let lines = table_text(TableForm::JsonLines, &columns, &rows, None);
    let expected = "{\"id\":9007199254740993,\"id_3\":0.1,\"id_2\":null}\n\
                    {\"id\":\"\\u0001\\\"\\\\\\n\",\"id_3\":\"x'07'\",\"id_2\":\"inf\"}\n";
    assert_eq!(lines, expected);
    let array = table_text(TableForm::Json, &columns, &rows, None);
    let read: Vec<serde_json::Value> = serde_json::from_str(&array).expect("JSON");
    let one: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).expect("JSON");
    assert_eq!((read.len(), &read[0]), (2, &one));
    assert_eq!(table_text(TableForm::Json, &columns, &[], None), "[]\n");
}

#[test]
fn markdown_keeps_a_row_on_one_line() {
    let rows = [vec![text("a|b"), text("one\r\ntwo\\")]];
    check(
        TableForm::Markdown,
        &rows,
        "| a | b\\|\"c\" |\n| --- | --- |\n| a\\|b | one<br>two\\\\ |\n",
    );
}

#[test]
fn inserts_name_the_table_that_all_columns_come_from() {
    let expected = "INSERT INTO \"t\" (\"a\", \"b|\"\"c\"\"\") VALUES ('it''s', NULL);\n\
                    INSERT INTO \"t\" (\"a\", \"b|\"\"c\"\"\") VALUES ((-9223372036854775807 - 1), \
                    -9e999);\n\
                    INSERT INTO \"t\" (\"a\", \"b|\"\"c\"\"\") VALUES (x'00ff', 1e21);\n";
    let rows = [
        vec![text("it's"), Value::Null],
        vec![Value::Integer(i64::MIN), Value::Real(f64::NEG_INFINITY)],
        vec![Value::Blob(vec![0, 255]), Value::Real(1e21)],
    ];
    check(TableForm::Sql, &rows, expected);
    let mixed = [column("a", Some("t.a")), column("n", None)];
    let text = table_text(TableForm::Sql, &mixed, &[vec![Value::Null, Value::Null]], None);
    assert_eq!(text, "INSERT INTO \"result\" (\"a\", \"n\") VALUES (NULL, NULL);\n");
}
