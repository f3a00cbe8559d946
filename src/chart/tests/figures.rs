//! What becomes of missing and strange values, and of too many.

use super::*;

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

#[test]
fn a_column_of_noughts_and_ones_has_two_bins_that_are_called_so() {
    let all = rows(300, |n| vec![int(n % 2)]);
    let sheet = sheet(&["is_on int"], all);
    let histogram = choose(&sheet).into_iter().find(|p| p.kind == Kind::Histogram).expect("judged");
    let pick = Pick { ys: vec![0], ..Pick::default() };
    let figure = figure(&sheet, &Proposal { pick, fit: 1, ..histogram });
    let counts: Vec<Option<f64>> = figure.series[0].points.iter().map(|p| p.y).collect();
    assert_eq!(counts, [Some(150.0), Some(150.0)]);
    for most in [2, 5, 9, 40] {
        let ticks = figure.x_ticks(most);
        let told: Vec<&str> = ticks.iter().map(|tick| tick.text.as_str()).collect();
        assert_eq!(told, ["0", "1"], "{most} ticks at most");
    }
    assert_eq!(figure.place(-0.5), "0");
}
