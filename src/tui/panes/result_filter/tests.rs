//! Filters as they are typed: what each reads as, and what can't be read.

use super::*;

fn columns() -> Vec<ResultColumn> {
    let column = |name: &str| ResultColumn {
        name: name.into(),
        data_type: String::new(),
        origin: None,
        unit: None,
    };
    vec![column("city"), column("amount"), column("amount due")]
}

/// Reads a filter with the cursor on a column.
fn read(text: &str, here: usize) -> Result<Vec<Condition>, String> {
    let columns = columns();
    let kinds = [Kind::Text, Kind::Number, Kind::Unknown];
    parse(text, Scope { columns: &columns, kinds: &kinds, here })
}

fn one(column: usize, test: Test) -> Vec<Condition> {
    vec![Condition { column: Some(column), test }]
}

fn text(words: &str) -> Value {
    Value::Text(words.into())
}

#[test]
fn comparisons_are_about_the_column_of_the_cursor() {
    assert_eq!(read("> 100", 1), Ok(one(1, Test::More(Value::Integer(100)))));
    assert_eq!(read(">=1,000.5", 1), Ok(one(1, Test::AtLeast(Value::Real(1000.5)))));
    assert_eq!(read("= Berlin", 0), Ok(one(0, Test::Equal(text("Berlin")))));
    assert_eq!(read("<> x", 0), Ok(one(0, Test::NotEqual(text("x")))));
    assert_eq!(read("!= 12", 0), Ok(one(0, Test::NotEqual(text("12")))));
    assert_eq!(read("≤ -3", 1), Ok(one(1, Test::AtMost(Value::Integer(-3)))));
}

#[test]
fn a_text_without_a_sign_is_looked_for_in_the_cells() {
    assert_eq!(read("new york", 0), Ok(one(0, Test::Contains("new york".into()))));
    assert_eq!(read("~ = odd", 0), Ok(one(0, Test::Contains("= odd".into()))));
    assert_eq!(read("!~ x", 0), Ok(one(0, Test::Lacks("x".into()))));
    assert_eq!(read("O'Brien", 0), Ok(one(0, Test::Contains("O'Brien".into()))));
    assert_eq!(read("12", 1), Ok(one(1, Test::Contains("12".into()))));
}

#[test]
fn null_and_empty_are_two_things() {
    assert_eq!(read("null", 0), Ok(one(0, Test::Null)));
    assert_eq!(read("is not null", 0), Ok(one(0, Test::NotNull)));
    assert_eq!(read("= ''", 0), Ok(one(0, Test::Equal(text("")))));
    assert_eq!(read("= 'null'", 0), Ok(one(0, Test::Equal(text("null")))));
}

#[test]
fn several_conditions_and_other_columns() {
    let range = read("> 1 and < 5", 1).expect("reads");
    assert_eq!(range.len(), 2);
    assert_eq!(read("amount due = 5", 0), Ok(one(2, Test::Equal(Value::Integer(5)))));
    assert_eq!(read("CITY ~ b", 1), Ok(one(0, Test::Contains("b".into()))));
    assert_eq!(read("city = 'a and b'", 1), Ok(one(0, Test::Equal(text("a and b")))));
    let any = Condition { column: None, test: Test::Contains("x".into()) };
    assert_eq!(read("* x", 1), Ok(vec![any]));
    assert_eq!(read("sand and land", 0).map(|c| c.len()), Ok(2));
    assert_eq!(read("sandy beach", 0), Ok(one(0, Test::Contains("sandy beach".into()))));
}

#[test]
fn what_cannot_be_read_is_said_in_a_sentence() {
    let error = |text, here| read(text, here).expect_err("can't be read");
    assert_eq!(error(">", 1), "Say what comes after >.");
    assert_eq!(error("= 'open", 0), "The quote ' isn't closed.");
    assert_eq!(error("> 1 and ", 1), "A condition is missing beside 'and'.");
    assert_eq!(error("> many", 1), "amount holds numbers, and 'many' is none.");
    assert_eq!(read("  ", 1), Ok(Vec::new()));
}

#[test]
fn a_proposed_filter_reads_back_as_the_value() {
    for value in [text("Berlin"), text(""), text(" a "), text("it's"), text("12"), text("a and b")]
    {
        let proposed = of_value(&value);
        assert_eq!(read(&proposed, 0), Ok(one(0, Test::Equal(value))), "{proposed}");
    }
    assert_eq!(read(&of_value(&Value::Real(0.5)), 1), Ok(one(1, Test::Equal(Value::Real(0.5)))));
    assert_eq!(read(&of_value(&Value::Null), 0), Ok(one(0, Test::Null)));
}

#[test]
fn numbers_without_bounds_are_numbers_where_the_column_holds_numbers() {
    let (most, least) = (Value::Real(f64::INFINITY), Value::Real(f64::NEG_INFINITY));
    assert_eq!(read("= inf", 1), Ok(one(1, Test::Equal(most.clone()))));
    assert_eq!(read("= -inf", 1), Ok(one(1, Test::Equal(least.clone()))));
    assert_eq!(read("> -Infinity", 1), Ok(one(1, Test::More(least.clone()))));
    assert_eq!(read("< +inf", 1), Ok(one(1, Test::Less(most.clone()))));
    let read_nan = read("= nan", 1).expect("reads");
    let is_nan = |test: &Test| matches!(test, Test::Equal(Value::Real(n)) if n.is_nan());
    assert!(read_nan.iter().all(|condition| is_nan(&condition.test)));
    for value in [most, least] {
        assert_eq!(read(&of_value(&value), 1), Ok(one(1, Test::Equal(value))));
    }
    assert_eq!(read("= inf", 0), Ok(one(0, Test::Equal(text("inf")))), "a text among texts");
    assert_eq!(read("= 'inf'", 1), Ok(one(1, Test::Equal(text("inf")))), "quoted, a text");
    assert!(read("> infinite", 1).is_err());
}

#[test]
fn a_filter_is_said_in_words() {
    let filter = read("= 'x y' and amount > 3 and null", 0).expect("reads");
    assert_eq!(words(&filter, &columns()), "city = x y, amount > 3, city is NULL");
}
