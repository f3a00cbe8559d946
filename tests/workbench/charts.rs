//! The result as a chart: keys, kinds, columns, saving, and how each kind looks at three sizes.

use std::sync::Arc;

use insta::assert_snapshot;
use proptest::prelude::*;
use querent::chart::{Kind, Sheet};
use querent::domain::{ResultColumn, Value};
use querent::tui::effect::Effect;
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;
use querent::tui::widgets::chart::Dots;

use super::bench::{Bench, result};
use super::runs::case_a;

type Row = Vec<Value>;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn sheet(columns: &[(&str, &str)], rows: &[Row]) -> Arc<Sheet> {
    let column = |(name, kind): &(&str, &str)| ResultColumn {
        name: (*name).into(),
        data_type: (*kind).into(),
        origin: None,
        unit: None,
    };
    let columns: Vec<ResultColumn> = columns.iter().map(column).collect();
    Arc::new(Sheet::of(&columns, rows))
}

/// A workbench whose result pane shows a chart of these rows.
fn charted(width: u16, height: u16, sheet: &Arc<Sheet>) -> Bench {
    let mut bench = Bench::told(width, height, &case_a());
    bench.keys("Alt-4 c");
    assert_eq!(bench.wanted.last(), Some(&Effect::ChartRows(result(1, 1))));
    bench.send(Msg::ChartRows(result(1, 1), Some(sheet.clone())));
    bench
}

fn kind(bench: &Bench) -> Option<Kind> {
    bench.app.chart.as_ref()?.proposal().map(|proposal| proposal.kind)
}

/// Twenty-four months that rise with a wave in them, and one that is missing.
fn months() -> Arc<Sheet> {
    let rows: Vec<Row> = (0..24_i64)
        .map(|n| {
            let month = format!("{}-{:02}", 2023 + n / 12, n % 12 + 1);
            let wave = [0, 400, 900, 1_200, 900, 400][usize::try_from(n % 6).unwrap_or(0)];
            let revenue = Value::Integer(8_000 + n * 350 + wave);
            vec![text(&month), if n == 15 { Value::Null } else { revenue }]
        })
        .collect();
    sheet(&[("month", "text"), ("revenue", "integer")], &rows)
}

fn regions() -> Arc<Sheet> {
    let months = ["2024-01", "2024-02", "2024-03", "2024-04", "2024-05", "2024-06"];
    let regions = [("north", 120), ("south", 80), ("東京", 45), ("west", 150)];
    let mut rows = Vec::new();
    for (n, month) in (0_i64..).zip(months) {
        for (r, (region, base)) in (1_i64..).zip(regions) {
            let amount = base + (n * 17 * r) % 50 + n * 6;
            rows.push(vec![text(month), text(region), Value::Integer(amount)]);
        }
    }
    sheet(&[("month", "text"), ("region", "text"), ("amount", "integer")], &rows)
}

fn countries() -> Arc<Sheet> {
    let named = [
        ("United States of America", 182_400.5),
        ("Germany", 94_210.0),
        ("日本 (Japan)", 71_003.25),
        ("Brazil", 40_118.0),
        ("United Kingdom", 39_950.0),
        ("Saint Vincent and the Grenadines", 1_204.0),
        ("Norway", 512.75),
    ];
    let rows: Vec<Row> = named.iter().map(|(name, n)| vec![text(name), Value::Real(*n)]).collect();
    sheet(&[("country", "text"), ("sales", "real")], &rows)
}

fn balances() -> Arc<Sheet> {
    let named = [("Jan", 12), ("Feb", -4), ("Mar", 7), ("Apr", -9), ("May", 3), ("Jun", 15)];
    let rows: Vec<Row> =
        named.iter().map(|(name, n)| vec![text(name), Value::Integer(*n)]).collect();
    sheet(&[("period", "text"), ("balance", "integer")], &rows)
}

fn cloud() -> Arc<Sheet> {
    let rows: Vec<Row> = (0..240_u32)
        .map(|n| {
            let x = f64::from(n * 37 % 101);
            let y = x * 3.0 + f64::from(n * 53 % 71);
            vec![Value::Real(x), Value::Real(y), text(if n % 3 == 0 { "new" } else { "used" })]
        })
        .collect();
    sheet(&[("age", "real"), ("cost", "real"), ("state", "text")], &rows)
}

fn sizes() -> Arc<Sheet> {
    let row = |n: u32| {
        let dice = (n * 7 % 13) + (n * 11 % 17) + (n * 5 % 19) + (n * 3 % 23);
        vec![Value::Integer(i64::from(dice * 25))]
    };
    sheet(&[("price_cents", "integer")], &(0..400).map(row).collect::<Vec<_>>())
}

fn three_sizes(name: &str, sheet: &Arc<Sheet>, keys: &str) {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = charted(width, height, sheet);
        bench.keys(keys);
        assert_snapshot!(format!("chart_{name}_{width}x{height}"), bench.screen());
    }
}

#[test]
fn a_line_is_drawn_at_three_sizes() {
    three_sizes("line", &months(), "F10");
}

#[test]
fn lines_of_groups_are_drawn_at_three_sizes() {
    three_sizes("lines", &regions(), "");
}

#[test]
fn lying_bars_are_drawn_at_three_sizes() {
    three_sizes("lying", &countries(), "");
}

#[test]
fn bars_around_zero_are_drawn_at_three_sizes() {
    three_sizes("standing", &balances(), "");
    three_sizes("lying_around_zero", &balances(), "Right");
}

#[test]
fn a_cloud_is_drawn_at_three_sizes() {
    three_sizes("scatter", &cloud(), "");
}

#[test]
fn a_histogram_is_drawn_at_three_sizes() {
    three_sizes("histogram", &sizes(), "");
}

#[test]
fn a_small_line_is_drawn_at_three_sizes() {
    three_sizes("sparkline", &sizes(), "Right");
}

#[test]
fn a_big_number_is_drawn_at_three_sizes() {
    let one = sheet(&[("revenue", "integer")], &[vec![Value::Integer(211_900)]]);
    three_sizes("big", &one, "");
}

#[test]
fn c_goes_to_the_chart_and_back_and_esc_goes_back() {
    let mut bench = charted(100, 30, &months());
    assert_eq!(kind(&bench), Some(Kind::Line));
    bench.sees("c table").sees("why: a date (month) and one number: line over time");
    bench.keys("c").misses("c table");
    assert!(bench.app.chart.is_none());
    bench.keys("c Esc");
    assert!(bench.app.chart.is_none());
}

#[test]
fn arrows_change_the_kind_among_those_that_suit() {
    let mut bench = charted(100, 30, &months());
    bench.keys("Right");
    assert_eq!(kind(&bench), Some(Kind::Bars));
    bench.keys("Left");
    assert_eq!(kind(&bench), Some(Kind::Line));
    bench.keys("Left");
    let last = kind(&bench);
    bench.keys("Right");
    assert_eq!(kind(&bench), Some(Kind::Line));
    assert_ne!(last, Some(Kind::Line));
}

#[test]
fn all_kinds_are_listed_with_their_reasons() {
    let mut bench = charted(100, 30, &months());
    bench.keys("Enter").sees("Kinds of chart").sees("24 rows are too many for one number");
    bench.keys("End Enter").sees("doesn't suit");
    assert!(matches!(bench.app.overlay, Some(Overlay::ChartList(_))));
    bench.keys("Home j Enter");
    assert_eq!(bench.app.overlay, None);
    assert_eq!(kind(&bench), Some(Kind::Bars));
}

#[test]
fn columns_are_chosen_by_hand() {
    let mut bench = charted(160, 48, &cloud());
    assert_eq!(kind(&bench), Some(Kind::Scatter));
    bench.sees("cost against age");
    bench.keys("x").sees("Along the axis");
    bench.keys("Home Down Down Enter").sees("age against cost");
    bench.keys("y").sees("Space draws several");
    bench.keys("Esc");
    bench.keys("x Home Enter").sees("cost against age");
    bench.keys("s").sees("Series apart by");
    bench.keys("Esc");
}

#[test]
fn several_numbers_are_switched_into_one_chart() {
    let rows: Vec<Row> = (0..6)
        .map(|n| {
            let (a, b, c) = (10 + n, 20 + n, 9_000 + n);
            let mut row = vec![text(&format!("2024-0{}", n + 1))];
            row.extend([a, b, c].map(Value::Integer));
            row
        })
        .collect();
    let columns = [("m", "text"), ("a", "int"), ("b", "int"), ("c", "int")];
    let mut bench = charted(160, 48, &sheet(&columns, &rows));
    bench.sees("a, b by m").sees("2 numbers (not 1 of another size)");
    bench.keys("y End Space").sees("Space draws several");
    bench.keys("Esc").sees("a, b, c by m");
}

#[test]
fn the_chart_is_saved_where_the_path_says_and_replaced_only_when_asked_twice() {
    let mut bench = charted(100, 30, &months());
    bench.keys("S").sees("revenue-by-month.svg");
    bench.keys("Enter");
    let saves = |bench: &Bench| match bench.wanted.last() {
        Some(Effect::SaveChart { path, replace, .. }) => Some((path.clone(), *replace)),
        _ => None,
    };
    assert_eq!(saves(&bench), Some(("revenue-by-month.svg".to_owned(), false)));
    bench.send(Msg::ChartExists("revenue-by-month.svg".to_owned()));
    bench.sees("This file is there already. Enter replaces it.");
    bench.keys("Enter");
    assert_eq!(saves(&bench), Some(("revenue-by-month.svg".to_owned(), true)));
    bench.keys("S Ctrl-U").text("a.svg").keys("Backspace Enter");
    assert_eq!(saves(&bench), Some(("a.sv".to_owned(), false)));
}

#[test]
fn dots_can_be_changed_where_a_terminal_lacks_braille() {
    let mut bench = charted(100, 30, &months());
    bench.keys("d").sees("half blocks").sees("▀");
    bench.keys("d").sees("letters").sees("*");
    bench.keys("d");
    assert_eq!(bench.app.dots, Dots::Braille);
}

#[test]
fn many_bars_are_scrolled() {
    let rows: Vec<Row> =
        (0..120).map(|n| vec![text(&format!("name number {n}")), Value::Integer(n)]).collect();
    let mut bench = charted(100, 30, &sheet(&[("name", "text"), ("n", "int")], &rows));
    assert_eq!(kind(&bench), Some(Kind::HorizontalBars));
    bench.keys("F10").sees("name number 0").misses("name number 119");
    bench.keys("End").sees("name number 119").misses("name number 0 ");
    bench.keys("Home Down").misses("name number 0 ").sees("name number 1 ");
}

#[test]
fn a_stored_run_charts_the_rows_it_kept() {
    let mut bench = Bench::told(100, 30, &case_a());
    bench.keys("Alt-4 c");
    bench.send(Msg::ChartRows(result(1, 1), None));
    assert_eq!(kind(&bench), Some(Kind::BigNumber));
    bench.sees("one number in one row");
}

#[test]
fn the_chart_follows_the_moment_and_says_when_nothing_ran() {
    let mut bench = charted(160, 48, &months());
    bench.keys("Alt-5 Home Alt-4").misses("why:").misses("c table");
    bench.keys("Alt-5 End Alt-4");
    assert!(bench.wanted.iter().filter(|e| matches!(e, Effect::ChartRows(_))).count() >= 1);
    bench.sees("line over time");
}

#[test]
fn a_result_without_rows_says_why_no_chart_suits() {
    let bench = charted(100, 30, &sheet(&[("a", "int")], &[]));
    bench.sees("No chart suits this result:").sees("there are no rows");
}

/// Values of every make, strange ones among them.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Real),
        (-50_i64..50).prop_map(Value::Integer),
        "[a-c]".prop_map(Value::Text),
        any::<String>().prop_map(Value::Text),
        (2000..2030, 1..13).prop_map(|(y, m)| Value::Text(format!("{y}-{m:02}-01"))),
        proptest::collection::vec(any::<u8>(), 0..9).prop_map(Value::Blob),
    ]
}

/// Keys that change a chart.
const KEYS: &[&str] =
    &["Right", "Left", "Enter", "x", "y", "s", "d", "Space", "Down", "End", "Home", "Esc", "F10"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_rows_make_a_screen_at_any_size(
        columns in 1usize..5,
        cells in proptest::collection::vec(value(), 0..160),
        width in 20u16..200,
        height in 6u16..60,
        keys in proptest::collection::vec(proptest::sample::select(KEYS), 0..10),
    ) {
        let names = [("a\u{1b}", "integer"), ("month", "text"), ("b_id", "real"), ("wide 東", "")];
        let rows: Vec<Row> = cells.chunks_exact(columns).map(<[Value]>::to_vec).collect();
        let sheet = sheet(&names[..columns], &rows);
        let mut bench = charted(width, height, &sheet);
        for key in std::iter::once("Down").chain(keys) {
            bench.keys(key);
            prop_assert!(!bench.screen().chars().any(|c| c != '\n' && c.is_control()));
        }
        for proposal in bench.app.chart.iter().flat_map(|chart| &chart.proposals) {
            if proposal.fit > 0 {
                let figure = querent::chart::figure(&sheet, proposal);
                prop_assert!(querent::chart::export::svg(&figure).is_ok());
            }
        }
    }
}
