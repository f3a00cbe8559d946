//! The kind that suits each of many shapes, and what becomes of missing and strange values.

use super::*;
use crate::domain::{ResultColumn, Value};

type Row = Vec<Value>;

fn int(n: i64) -> Value {
    Value::Integer(n)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Makes a sheet of columns `name type`, both in one text.
fn sheet(columns: &[&str], rows: Vec<Row>) -> Sheet {
    let column = |words: &&str| {
        let (name, data_type) = words.split_once(' ').unwrap_or((words, ""));
        ResultColumn { name: name.into(), data_type: data_type.into(), origin: None }
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
    choose(sheet, &Facts::of(sheet)).into_iter().next().expect("seven kinds")
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
    let all = choose(&sheet, &Facts::of(&sheet));
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
    let told = rows(24, |n| vec![month(n / 4), text(["n", "s", "e", "w"][n as usize % 4]), int(n)]);
    suits(&["m text", "region text", "n int"], told, Kind::Line, "a line for each of 4 region");
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
    suits(&["region text", "n int"], long, Kind::HorizontalBars, "one number for each of 4 region");
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
    suits(&["room_id int", "price int"], only, Kind::Bars, "for each of 6 room_id");
}

#[test]
fn two_categories_and_a_number_are_grouped() {
    let crossed = rows(12, |n| {
        vec![
            text(["north", "south", "east", "west"][n as usize / 3]),
            text(["a", "b", "c"][n as usize % 3]),
            int(n),
        ]
    });
    let why = "two categories and a number: 3 kind for each region";
    suits(&["region text", "kind text", "n int"], crossed, Kind::Bars, why);
}

#[test]
fn two_numbers_are_a_cloud() {
    let pairs = rows(60, |n| vec![int(jump(n)), int(jump(n * 3 + 1))]);
    suits(&["age int", "cost int"], pairs, Kind::Scatter, "two numbers in 60 rows");
    let told =
        rows(60, |n| vec![int(jump(n)), int(jump(n * 3 + 1)), text(["a", "b"][n as usize % 2])]);
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
    let raw = rows(200, |n| {
        vec![int(n), int(n % 6), text(["confirmed", "open"][n as usize % 2]), int(jump(n))]
    });
    let columns = ["id int", "room_id int", "status text", "price_cents int"];
    let sheet = sheet(&columns, raw);
    let all = choose(&sheet, &Facts::of(&sheet));
    let histogram = all.iter().find(|p| p.kind == Kind::Histogram).expect("judged");
    assert!(histogram.fit > 0 && histogram.pick.ys == [3], "{histogram:?}");
}

#[test]
fn names_without_numbers_are_counted() {
    let names = rows(30, |n| vec![text(["open", "paid", "void"][n as usize % 3])]);
    suits(&["status text"], names, Kind::Bars, "how many rows there are for each of 3 status");
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
    let repeats = rows(90, |n| vec![text(["a", "b"][n as usize % 2]), int(jump(n))]);
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
    let sorts: Vec<Sort> = Facts::of(&sheet).iter().map(|f| f.sort).collect();
    assert_eq!(sorts, [Sort::Label, Sort::Label, Sort::Number]);
}

fn drawn(sheet: &Sheet) -> Figure {
    figure(sheet, &Facts::of(sheet), &best(sheet))
}

#[test]
fn nulls_are_gaps_and_what_is_no_number_is_said() {
    let mut all = rows(40, |n| vec![day(n), int(n)]);
    all[3][1] = Value::Null;
    all[4][1] = Value::Null;
    all[9][1] = text("n/a");
    all[12][0] = Value::Null;
    let figure = drawn(&sheet(&["d date", "n int"], all));
    let gaps: Vec<usize> = (0..39).filter(|n| figure.series[0].points[*n].y.is_none()).collect();
    assert_eq!(gaps, [3, 4, 9]);
    assert_eq!(
        figure.notes,
        ["2 NULLs left as gaps", "1 value is no number: left out", "1 row without d left out"]
    );
}

#[test]
fn infinite_numbers_have_no_place() {
    let mut all = rows(30, |n| vec![day(n), Value::Real(at(n))]);
    all[5][1] = Value::Real(f64::INFINITY);
    all[6][1] = Value::Real(f64::NAN);
    let figure = drawn(&sheet(&["d date", "n real"], all));
    assert_eq!(figure.notes, ["2 values are no numbers: left out"]);
    assert_eq!(figure.y, (0.0, 29.0));
}

#[test]
fn a_line_is_drawn_in_the_order_of_time_and_thinned_without_losing_its_peak() {
    let all =
        rows(20_000, |n| vec![day(20_000 - n), int(if n == 7_777 { 5_000_000 } else { jump(n) })]);
    let figure = drawn(&sheet(&["d date", "n int"], all));
    let points = &figure.series[0].points;
    assert!(points.len() <= 4_000 && points.windows(2).all(|pair| pair[0].x < pair[1].x));
    assert!(points.iter().any(|p| p.y == Some(5_000_000.0)));
    assert_eq!(
        figure.notes,
        ["thinned to 4,000 points of 20,000: lowest and highest of each stretch"]
    );
}

#[test]
fn the_largest_groups_are_drawn_and_the_others_counted() {
    let all =
        rows(120, |n| vec![month(n / 10), text(&format!("g{}", n % 10)), int(n % 10 * 100 + 1)]);
    let figure = drawn(&sheet(&["m text", "g text", "n int"], all));
    let names: Vec<&str> = figure.series.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["g4", "g5", "g6", "g7", "g8", "g9"]);
    assert_eq!(figure.notes, ["… 4 others: the 6 largest g are drawn"]);
}

#[test]
fn a_result_longer_than_what_is_charted_says_so() {
    let mut sheet = sheet(&["d date", "n int"], rows(50, |n| vec![day(n), int(n)]));
    sheet.total = 1_000_000;
    assert_eq!(drawn(&sheet).notes, ["the first 50 of 1,000,000 rows"]);
}

#[test]
fn a_sheet_takes_no_more_rows_than_it_may() {
    let mut sheet = sheet(&["n int"], Vec::new());
    let taken = (0..60_000).filter(|n| sheet.push(&[int(*n)])).count();
    assert_eq!((taken, sheet.rows()), (MOST_ROWS, MOST_ROWS));
}

#[test]
fn bars_begin_at_zero_and_a_line_far_from_it_does_not() {
    let bars = rows(4, |n| vec![text(&format!("r{n}")), int(1_000 + n)]);
    assert_eq!(drawn(&sheet(&["r text", "n int"], bars)).y, (0.0, 1_003.0));
    let line = rows(9, |n| vec![month(n), int(1_000 + n)]);
    assert_eq!(drawn(&sheet(&["m text", "n int"], line)).y, (1_000.0, 1_008.0));
    let below = rows(9, |n| vec![month(n), int(n - 3)]);
    assert_eq!(drawn(&sheet(&["m text", "n int"], below)).y, (-3.0, 5.0));
}

#[test]
fn the_largest_whole_number_stands_exactly() {
    let figure = drawn(&sheet(&["n int"], vec![vec![int(i64::MAX)]]));
    assert_eq!(figure.series[0].exact, "9,223,372,036,854,775,807");
}

/// Reads a text as XML just strictly enough: tags nest, attributes are quoted, entities are known.
fn xml(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find('<') {
        let said = rest[..from].trim();
        assert!(!said.contains('>'), "a bare > in {said}");
        for entity in said.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
            assert!(known.iter().any(|k| entity.starts_with(k)), "&{entity}");
        }
        if let Some(last) = found.last_mut().filter(|_| !said.is_empty()) {
            last.1.push_str(said);
        }
        let to = from + rest[from..].find('>').expect("a tag ends");
        let tag = &rest[from + 1..to];
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else {
            let name = tag.split([' ', '/']).next().expect("a name").to_owned();
            found.push((tag.to_owned(), String::new()));
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[to + 1..];
    }
    assert!(open.is_empty(), "{open:?} stay open");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    found
}

fn saved(columns: &[&str], rows: Vec<Row>) -> Vec<(String, String)> {
    xml(&export::svg(&drawn(&sheet(columns, rows))).expect("a picture"))
}

fn tags<'a>(found: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    let of = |tag: &&str| tag.split(' ').next() == Some(name);
    found.iter().map(|(tag, _)| tag.as_str()).filter(of).collect()
}

fn says(found: &[(String, String)], words: &str) -> bool {
    found.iter().any(|(_, text)| text == words)
}

#[test]
fn a_saved_line_holds_title_axes_ticks_and_every_point() {
    let mut all = rows(24, |n| vec![month(n), int(n * 1_000)]);
    all[10][1] = Value::Null;
    let found = saved(&["month text", "revenue int"], all);
    assert!(says(&found, "revenue by month") && says(&found, "month") && says(&found, "revenue"));
    assert!(says(&found, "2023-03") && says(&found, "20k"));
    assert!(says(&found, "1 NULL left as a gap"));
    assert_eq!(tags(&found, "circle").len(), 23);
    let lines: Vec<usize> = tags(&found, "polyline")
        .iter()
        .map(|tag| tag.matches(',').count())
        .filter(|n| *n > 2)
        .collect();
    assert_eq!(lines, [10, 13]);
}

#[test]
fn saved_bars_points_and_bins_are_as_many_as_there_are() {
    let bars = saved(&["r text", "n int"], rows(23, |n| vec![text(&format!("r{n}")), int(n + 1)]));
    // one rectangle is the paper
    assert_eq!(tags(&bars, "rect").len(), 24);
    assert!(says(&bars, "r22") && says(&bars, "23"));
    let cloud = saved(&["a int", "b int"], rows(90, |n| vec![int(jump(n)), int(jump(n * 3 + 1))]));
    assert_eq!(tags(&cloud, "circle").len(), 90);
    assert!(says(&cloud, "b against a"));
    let one = saved(&["n int"], vec![vec![int(i64::MIN)]]);
    assert!(says(&one, "-9,223,372,036,854,775,808") && says(&one, "n"));
}

#[test]
fn hostile_names_are_saved_as_harmless_text() {
    let name = "<script>\u{1b}[2J\u{0}&\"'</text>";
    let rows = rows(3, |n| vec![text(&format!("{name}{n}")), int(n)]);
    let found = saved(&["a<b text", "n&m int"], rows);
    assert!(tags(&found, "script").is_empty());
    assert!(says(&found, "n&amp;m by a&lt;b"));
}

#[test]
fn every_kind_that_suits_can_be_saved() {
    let shapes = [
        sheet(
            &["m text", "g text", "a int", "b real"],
            rows(40, |n| {
                vec![
                    month(n / 4),
                    text(&format!("g{}", n % 4)),
                    int(jump(n) - 300),
                    Value::Real(0.1),
                ]
            }),
        ),
        sheet(&["n int"], rows(300, |n| vec![int(jump(n))])),
        sheet(
            &["a real", "b real"],
            rows(30, |n| vec![Value::Real(1e300 * at(n)), Value::Real(-1e-300)]),
        ),
        sheet(&["k text", "n int"], rows(12, |n| vec![text(&"長".repeat(60)), int(-n)])),
    ];
    for sheet in &shapes {
        let facts = Facts::of(sheet);
        for proposal in choose(sheet, &facts).iter().filter(|p| p.fit > 0) {
            xml(&export::svg(&figure(sheet, &facts, proposal)).expect("a picture"));
        }
    }
}
