//! What counts as the same rows.

use super::*;

fn int(n: i64) -> Value {
    Value::Integer(n)
}

fn real(n: f64) -> Value {
    Value::Real(n)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Rows of one column.
fn column(cells: impl IntoIterator<Item = Value>) -> Vec<Vec<Value>> {
    cells.into_iter().map(|cell| vec![cell]).collect()
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "calls read like data")]
fn check(got: Vec<Vec<Value>>, gold: Vec<Vec<Value>>, likeness: Likeness) {
    assert_eq!(compare(&got, &gold), likeness, "{got:?} against {gold:?}");
    assert_eq!(compare(&gold, &got), likeness, "the other way round");
}

#[test]
fn rows_are_a_multiset() {
    let (a, b) = (|| vec![int(1), text("a")], || vec![int(2), text("b")]);
    check(vec![a(), b()], vec![b(), a()], Likeness::Same);
    check(vec![a(), a(), b()], vec![a(), b(), a()], Likeness::Same);
    check(vec![a(), a(), b()], vec![a(), b(), b()], Likeness::Different);
    check(vec![a()], vec![a(), a()], Likeness::Different);
    assert!(same_order(&[a(), b()], &[a(), b()]));
    assert!(!same_order(&[a(), b()], &[b(), a()]));
}

#[test]
fn no_rows_equal_no_rows_of_any_width() {
    check(Vec::new(), Vec::new(), Likeness::Same);
    check(Vec::new(), column([Value::Null]), Likeness::Different);
}

#[test]
fn null_equals_null_and_nothing_else() {
    check(column([Value::Null]), column([Value::Null]), Likeness::Same);
    check(column([Value::Null]), column([int(0)]), Likeness::Different);
    check(column([Value::Null]), column([text("")]), Likeness::Different);
}

#[test]
fn a_number_equals_the_same_number_of_another_type_and_no_text() {
    check(column([int(3)]), column([real(3.0)]), Likeness::Same);
    check(column([int(0)]), column([real(-0.0)]), Likeness::Same);
    check(column([int(3)]), column([text("3")]), Likeness::Different);
    check(column([real(0.5)]), column([text("0.5")]), Likeness::Different);
    check(column([int(1 << 60)]), column([int((1 << 60) + 1)]), Likeness::Different);
    check(column([text("a")]), column([text("A")]), Likeness::Different);
    check(column([Value::Blob(b"ab".to_vec())]), column([text("ab")]), Likeness::Same);
}

#[test]
fn numbers_are_equal_within_a_billionth_of_their_size() {
    check(column([real(0.1 + 0.2)]), column([real(0.3)]), Likeness::Same);
    check(column([real(2.0 / 3.0)]), column([real(0.666_666_666_7)]), Likeness::Same);
    check(column([real(2.0 / 3.0)]), column([real(0.666_667)]), Likeness::Different);
    // the two sides of a rounding: 1.000000005 to nine digits is the one or the other
    check(column([real(1.000_000_004_999)]), column([real(1.000_000_005_001)]), Likeness::Same);
    check(column([real(2.999_999_999_9)]), column([int(3)]), Likeness::Same);
    check(column([real(2.999_999)]), column([int(3)]), Likeness::Different);
    check(column([real(1e15 + 0.5)]), column([real(1e15)]), Likeness::Same);
    check(column([real(f64::INFINITY)]), column([real(f64::INFINITY)]), Likeness::Same);
    check(column([real(f64::INFINITY)]), column([real(1e300)]), Likeness::Different);
    check(column([real(0.0)]), column([real(1e-12)]), Likeness::Different);
}

#[test]
fn large_fractions_keep_more_than_nine_digits_apart_from_whole_numbers() {
    check(column([real(1_234_567_891_234.5)]), column([int(1_234_567_891_234)]), Likeness::Same);
    check(
        column([real(1_234_567_891_234.5)]),
        column([int(1_234_567_800_000)]),
        Likeness::Different,
    );
}

#[test]
fn a_rounding_does_not_part_rows_that_belong_together() {
    // sorted by rounded numbers, a stands before b on one side and behind it on the other
    let got =
        vec![vec![real(1.000_000_004_999), text("b")], vec![real(1.000_000_005_001), text("a")]];
    let gold =
        vec![vec![real(1.000_000_005_001), text("b")], vec![real(1.000_000_004_999), text("a")]];
    check(got, gold, Likeness::Same);
}

#[test]
fn another_order_of_columns_is_told_apart() {
    let row = |n: i64, t: &str| vec![int(n), text(t)];
    let turned = |n: i64, t: &str| vec![text(t), int(n)];
    check(
        vec![row(1, "a"), row(2, "b")],
        vec![turned(2, "b"), turned(1, "a")],
        Likeness::OtherColumnOrder,
    );
    // each column has its like, but the rows don't
    check(
        vec![row(1, "a"), row(2, "b")],
        vec![turned(1, "b"), turned(2, "a")],
        Likeness::Different,
    );
    check(vec![row(1, "a")], vec![vec![text("a")]], Likeness::Different);
    check(vec![row(1, "a")], vec![vec![text("a"), int(1), int(1)]], Likeness::Different);
    // three columns of the same values: the fitting order is searched for
    check(
        vec![
            vec![int(1), int(2), int(1)],
            vec![int(2), int(1), int(2)],
            vec![int(1), int(1), int(2)],
        ],
        vec![
            vec![int(2), int(1), int(1)],
            vec![int(1), int(2), int(2)],
            vec![int(1), int(2), int(1)],
        ],
        Likeness::OtherColumnOrder,
    );
}

#[test]
fn many_columns_of_one_value_end_in_time() {
    let row = || vec![int(7); 40];
    let other = || (0..40).map(|n| int(if n == 0 { 8 } else { 7 })).collect::<Vec<_>>();
    let last = || (0..40).map(|n| int(if n == 39 { 8 } else { 7 })).collect::<Vec<_>>();
    check(vec![row(); 3], vec![other(), row(), row()], Likeness::Different);
    check(vec![other(), row()], vec![last(), row()], Likeness::OtherColumnOrder);
}
