//! The kind that suits each of many shapes, and what becomes of missing and strange values.

mod figures;
mod files;

use super::*;
use crate::domain::{ResultColumn, Value};

type Row = Vec<Value>;

fn int(n: i64) -> Value {
    Value::Integer(n)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Returns one of these texts, in turn.
fn one(of: &[&str], n: i64) -> Value {
    text(of[usize::try_from(n).expect("counted from 0") % of.len()])
}

/// Makes a sheet of columns `name type`, both in one text.
#[expect(clippy::needless_pass_by_value, reason = "rows are made at the call")]
fn sheet(columns: &[&str], rows: Vec<Row>) -> Sheet {
    let column = |words: &&str| {
        let (name, data_type) = words.split_once(' ').unwrap_or((words, ""));
        ResultColumn { name: name.into(), data_type: data_type.into(), origin: None, unit: None }
    };
    Sheet::of(&columns.iter().map(column).collect::<Vec<_>>(), &rows)
}

fn rows(count: i64, row: impl Fn(i64) -> Row) -> Vec<Row> {
    (0..count).map(row).collect()
}

fn day(n: i64) -> Value {
    text(&dates::words(at(19_800 + n) * 86_400.0, dates::Unit::Day))
}

fn month(n: i64) -> Value {
    text(&format!("{}-{:02}", 2023 + n.div_euclid(12), n.rem_euclid(12) + 1))
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn at(n: i64) -> f64 {
    n as f64
}

/// A number that jumps about, between 0 and 996.
fn jump(n: i64) -> i64 {
    n * 7_919 % 997
}

fn best(sheet: &Sheet) -> Proposal {
    choose(sheet).into_iter().next().expect("seven kinds")
}

/// Checks the best kind, and that its reason says this.
#[track_caller]
fn suits(columns: &[&str], rows: Vec<Row>, kind: Kind, why: &str) {
    let sheet = sheet(columns, rows);
    let best = best(&sheet);
    assert_eq!(best.kind, kind, "{} says: {}", best.kind.name(), best.reason);
    assert!(best.reason.contains(why), "the reason is: {}", best.reason);
}

/// Checks that a kind doesn't suit, and why.
#[track_caller]
fn unsuited(columns: &[&str], rows: Vec<Row>, kind: Kind, why: &str) {
    let sheet = sheet(columns, rows);
    let all = choose(&sheet);
    let one = all.iter().find(|p| p.kind == kind).expect("all kinds are judged");
    assert_eq!(one.fit, 0, "{} suits: {}", kind.name(), one.reason);
    assert!(one.reason.contains(why), "the reason is: {}", one.reason);
}

#[test]
fn one_row_is_a_big_number() {
    let why = "one number in one row";
    suits(&["revenue int"], vec![vec![int(211_900)]], Kind::BigNumber, why);
    suits(&["region text", "n int"], vec![vec![text("north"), int(3)]], Kind::BigNumber, why);
    let three = vec![vec![int(1), Value::Real(2.5), int(3)]];
    suits(&["a int", "b real", "c int"], three, Kind::BigNumber, "3 numbers in one row");
    // an id alone is what was asked for
    suits(&["id int"], vec![vec![int(7)]], Kind::BigNumber, why);
    suits(&["year int"], vec![vec![int(2024)]], Kind::BigNumber, why);
}

#[test]
fn dates_with_one_number_each_are_a_line() {
    let why = "a date (day) and one number: line over time";
    suits(&["day date", "n int"], rows(30, |n| vec![day(n), int(jump(n))]), Kind::Line, why);
    let why = "a date (month) and one number";
    suits(&["month text", "n int"], rows(6, |n| vec![month(n), int(n)]), Kind::Line, why);
    // the newest first is over time too
    suits(&["m text", "n int"], rows(9, |n| vec![month(9 - n), int(n)]), Kind::Line, why);
    let years = rows(8, |n| vec![int(2015 + n), int(jump(n))]);
    suits(&["year int", "n int"], years, Kind::Line, "a date (year)");
    let quarters = rows(8, |n| vec![text(&format!("{}-Q{}", 2022 + n / 4, n % 4 + 1)), int(n)]);
    suits(&["q text", "n int"], quarters, Kind::Line, "a date (quarter)");
    let times =
        rows(48, |n| vec![text(&format!("2024-05-0{} {:02}:00", n / 24 + 1, n % 24)), int(n)]);
    suits(&["at text", "load int"], times, Kind::Line, "a time and one number");
    let parts = rows(12, |n| vec![int(n + 1), int(jump(n))]);
    suits(&["month int", "n int"], parts, Kind::Line, "a part of the calendar (month)");
}

#[test]
fn several_numbers_over_time_are_lines_where_their_sizes_agree() {
    let near = rows(12, |n| vec![month(n), int(100 + n), int(120 + n)]);
    suits(&["m text", "a int", "b int"], near, Kind::Line, "a date (month) and 2 numbers");
    let far = rows(12, |n| vec![month(n), int(100 + n), int(90_000 + n)]);
    suits(&["m text", "a int", "b int"], far, Kind::Line, "the first number (a;");
}

#[test]
fn dates_that_repeat_are_lines_when_a_category_tells_them_apart() {
    let told = rows(24, |n| vec![month(n / 4), one(&["n", "s", "e", "w"], n), int(n)]);
    suits(&["m text", "region text", "n int"], told, Kind::Line, "a line for each region (4)");
    let mixed = rows(40, |n| vec![day(n / 4), int(jump(n))]);
    suits(&["d date", "n int"], mixed.clone(), Kind::Scatter, "several rows share a d");
    unsuited(&["d date", "n int"], mixed, Kind::Line, "no column tells them apart");
}

#[test]
fn two_dates_are_compared_by_bars() {
    let two = rows(2, |n| vec![int(2023 + n), int(100 + n)]);
    suits(&["year int", "n int"], two, Kind::Bars, "2 dates and one number");
}

#[test]
fn few_short_names_stand_and_many_or_long_ones_lie() {
    let short = rows(5, |n| vec![text(&format!("r{n}")), int(jump(n))]);
    suits(&["region text", "n int"], short, Kind::Bars, "standing bars compare them");
    let many = rows(23, |n| vec![text(&format!("r{n}")), int(jump(n))]);
    suits(&["region text", "n int"], many, Kind::HorizontalBars, "room for the names");
    let long = rows(4, |n| vec![text(&format!("a rather long name {n}")), int(n)]);
    suits(&["region text", "n int"], long, Kind::HorizontalBars, "one number for each region (4)");
    let hundred = rows(120, |n| vec![text(&format!("customer {n}")), int(jump(n))]);
    suits(&["name text", "n int"], hundred.clone(), Kind::HorizontalBars, "to scroll");
    unsuited(&["name text", "n int"], hundred, Kind::Bars, "don't stand side by side");
}

#[test]
fn an_id_names_and_does_not_measure() {
    let named = rows(6, |n| vec![int(n + 1), text(&format!("room {n}")), int(jump(n))]);
    let sheet = sheet(&["id int", "name text", "price int"], named);
    let best = best(&sheet);
    assert_eq!(best.kind, Kind::Bars, "{}", best.reason);
    assert_eq!((best.pick.x, best.pick.ys.as_slice()), (Some(1), &[2][..]));
    let only = rows(6, |n| vec![int(n + 1), int(jump(n))]);
    suits(&["room_id int", "price int"], only, Kind::Bars, "for each room_id (6)");
}

#[test]
fn two_categories_and_a_number_are_grouped() {
    let crossed = rows(12, |n| {
        vec![one(&["north", "south", "east", "west"], n / 3), one(&["a", "b", "c"], n), int(n)]
    });
    let why = "two categories and a number: each kind (3) for each region";
    suits(&["region text", "kind text", "n int"], crossed, Kind::Bars, why);
}

#[test]
fn two_numbers_are_a_cloud() {
    let pairs = rows(60, |n| vec![int(jump(n)), int(jump(n * 3 + 1))]);
    suits(&["age int", "cost int"], pairs, Kind::Scatter, "two numbers in 60 rows");
    let told = rows(60, |n| vec![int(jump(n)), int(jump(n * 3 + 1)), one(&["a", "b"], n)]);
    suits(&["age int", "cost int", "sex text"], told, Kind::Scatter, "told apart by sex");
}

#[test]
fn a_number_that_rises_evenly_is_gone_along() {
    let wave = rows(50, |n| vec![int(n * 5), int(jump(n))]);
    suits(&["x int", "y int"], wave, Kind::Line, "x rises evenly");
}

#[test]
fn one_column_of_numbers_is_counted_by_size_or_shown_in_its_order() {
    let many = rows(300, |n| vec![int(jump(n))]);
    suits(&["price int"], many, Kind::Histogram, "300 values of price: how often each size occurs");
    let few = rows(9, |n| vec![int(jump(n))]);
    suits(&["price int"], few, Kind::Sparkline, "one number in the order of the rows");
}

#[test]
fn raw_rows_with_one_number_are_counted_by_size() {
    let raw = rows(200, |n| vec![int(n), int(n % 6), one(&["confirmed", "open"], n), int(jump(n))]);
    let columns = ["id int", "room_id int", "status text", "price_cents int"];
    let sheet = sheet(&columns, raw);
    let all = choose(&sheet);
    let histogram = all.iter().find(|p| p.kind == Kind::Histogram).expect("judged");
    assert!(histogram.fit > 0 && histogram.pick.ys == [3], "{histogram:?}");
}

#[test]
fn names_without_numbers_are_counted() {
    let names = rows(30, |n| vec![one(&["open", "paid", "void"], n)]);
    suits(&["status text"], names, Kind::Bars, "how many rows there are for each status (3)");
}

#[test]
fn what_holds_nothing_to_draw_says_why() {
    unsuited(&["a int"], Vec::new(), Kind::Line, "there are no rows");
    unsuited(
        &["a text"],
        rows(5, |n| vec![text(&n.to_string())]),
        Kind::Line,
        "no column of numbers",
    );
    unsuited(&["a int"], rows(5, |n| vec![int(n)]), Kind::Bars, "no column of names");
    unsuited(&["a int"], rows(5, |n| vec![int(n)]), Kind::Scatter, "two columns of numbers");
    unsuited(&["a int"], rows(5, |n| vec![int(n)]), Kind::Histogram, "too few");
    unsuited(&["a int"], rows(50, |_| vec![int(4)]), Kind::Histogram, "are the same");
    unsuited(&["a int"], rows(5, |n| vec![int(n)]), Kind::BigNumber, "5 rows are too many");
    unsuited(&["a int"], vec![vec![Value::Null]], Kind::BigNumber, "holds no number");
    let bytes = rows(5, |_| vec![Value::Blob(vec![1])]);
    unsuited(&["a blob"], bytes, Kind::Bars, "no column of numbers");
    let repeats = rows(90, |n| vec![one(&["a", "b"], n), int(jump(n))]);
    unsuited(&["k text", "n int"], repeats, Kind::Bars, "nothing is summed here");
}

#[test]
fn numbers_sent_as_text_are_numbers_where_the_column_says_so() {
    let decimals = rows(5, |n| vec![text(&format!("r{n}")), text(&format!("{n}.50"))]);
    suits(&["region text", "amount numeric"], decimals.clone(), Kind::Bars, "one number");
    unsuited(&["region text", "amount text"], decimals, Kind::Line, "no column of numbers");
}

#[test]
fn phone_numbers_and_codes_are_no_dates_and_no_measures() {
    let codes = rows(6, |n| vec![text(&format!("0800-55-{n:04}")), int(10_000 + n), int(jump(n))]);
    let sheet = sheet(&["phone text", "zip int", "n int"], codes);
    let sorts: Vec<Sort> = sheet.facts().iter().map(|f| f.sort).collect();
    assert_eq!(sorts, [Sort::Label, Sort::Label, Sort::Number]);
}

fn drawn(sheet: &Sheet) -> Figure {
    figure(sheet, &best(sheet))
}
