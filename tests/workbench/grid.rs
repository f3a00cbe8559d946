//! The result's face: every key of the grid, every overlay of it, and how they look.

use insta::assert_snapshot;
use querent::domain::{
    ColumnSummary, Condition, Find, Histogram, ResultId, SortKey, Test, Value, View,
};
use querent::pipeline::{ExportFormat, ExportTrouble, Exported, Written};
use querent::render::table::TableForm;
use querent::tui::effect::{CopyTable, Effect};
use querent::tui::msg::{Mouse, Msg};
use querent::tui::overlays::Overlay;

use super::bench::{Bench, page, result};
use super::runs::case_a;

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];

fn text(words: &str) -> Value {
    Value::Text(words.into())
}

fn row(n: i64) -> Vec<Value> {
    let regions = ["Asia Pacific", "Europe", "North America", "", "Berlin"];
    let region = regions[usize::try_from(n).expect("small") % regions.len()];
    let tenths = [12.4, -3.125, 8.0, 0.5, 1000.25][usize::try_from(n).expect("small") % 5];
    let note = match n % 4 {
        0 => Value::Null,
        1 => text("two\nlines"),
        2 => text("\u{1b}[2J"),
        _ => text(r#"{"tags":["a","b"],"rate":1.50}"#),
    };
    vec![
        Value::Integer(1000 + n),
        text(region),
        text(&format!("Q{}", n % 4 + 1)),
        Value::Integer(182_400 - n * 1_000),
        Value::Real(tenths),
        Value::Integer(n % 2),
        note,
        text("2026-11-30"),
        Value::Blob(vec![0, 1, 254, 255]),
    ]
}

const COLUMNS: [(&str, &str); 9] = [
    ("id", "INTEGER"),
    ("region", "TEXT"),
    ("quarter", "TEXT"),
    ("revenue", "INTEGER"),
    ("growth", "REAL"),
    ("active", "BOOLEAN"),
    ("note", "TEXT"),
    ("day", "DATE"),
    ("hash", "BLOB"),
];

/// A workbench with sixty rows in its grid, the focus there.
fn table(width: u16, height: u16) -> Bench {
    let mut bench = Bench::told(width, height, &case_a());
    bench.page(&result(1, 1), page(&COLUMNS, (0..60).map(row).collect(), true));
    bench.keys("Alt-4");
    bench
}

/// The same with the result shown alone.
fn alone(width: u16, height: u16) -> Bench {
    let mut bench = table(width, height);
    if width > 80 {
        bench.keys("F10");
    }
    bench
}

fn arranged(view: u32) -> ResultId {
    ResultId { view, ..result(1, 1) }
}

/// Answers the last wish to arrange, with these rows.
fn answer(bench: &mut Bench, view: u32, rows: Vec<Vec<Value>>) {
    let Some(Effect::Arrange(of, wanted)) = last_arrange(bench) else { panic!("nothing wanted") };
    let effects = bench.app.apply(Msg::Arranged(of, wanted, Ok(arranged(view))));
    assert!(matches!(effects.first(), Some(Effect::Page(id, _)) if *id == arranged(view)));
    bench.page(&arranged(view), page(&COLUMNS, rows, true));
}

fn last_arrange(bench: &Bench) -> Option<Effect> {
    bench.wanted.iter().rev().find(|e| matches!(e, Effect::Arrange(..))).cloned()
}

fn by(column: usize, descending: bool) -> SortKey {
    SortKey { column, descending }
}

fn wanted_view(bench: &Bench) -> View {
    match last_arrange(bench) {
        Some(Effect::Arrange(_, view)) => view,
        other => panic!("{other:?}"),
    }
}

// ---- sorting

#[test]
fn s_sorts_up_then_down_then_not_at_all() {
    let mut bench = table(160, 48);
    bench.keys("Right s");
    assert_eq!(wanted_view(&bench).sort, [by(1, false)]);
    let mut rows: Vec<_> = (0..60).map(row).collect();
    rows.reverse();
    answer(&mut bench, 1, rows.clone());
    bench.sees("region ▲").sees("1059");
    assert_eq!((bench.app.grid.row, bench.app.grid.col), (0, 1));
    bench.keys("s");
    assert_eq!(wanted_view(&bench).sort, [by(1, true)]);
    answer(&mut bench, 2, rows);
    bench.sees("region ▼");
    bench.keys("s");
    bench.misses("region ▼");
    assert_eq!(bench.app.looking.shown(), Some(&result(1, 1)));
}

#[test]
fn shift_s_sorts_within_the_order_there_is() {
    let mut bench = table(160, 48);
    bench.keys("Right s Right Right S");
    assert_eq!(wanted_view(&bench).sort, [by(1, false), by(3, false)]);
    answer(&mut bench, 1, (0..60).map(row).collect());
    bench.sees("region ▲1").sees("revenue ▲2");
    bench.keys("s");
    assert_eq!(wanted_view(&bench).sort, [by(3, true)], "s alone drops the other keys");
}

#[test]
fn old_rows_stay_while_a_long_sort_is_told_of_and_esc_stops_it() {
    let mut bench = table(160, 48);
    bench.keys("s").sees("1000").misses("sorting");
    bench.send(Msg::Clock(1_300));
    bench.sees("sorting … 1.3 s  Esc stops").sees("1000");
    assert!(bench.app.moving());
    bench.keys("Esc").misses("sorting …").sees("Stopped; the rows stay as they were.");
    assert_eq!(bench.wanted.last(), Some(&Effect::StopArranging));
    let view = View { sort: vec![by(0, false)], filter: Vec::new() };
    bench.send(Msg::Arranged(result(1, 1), view, Ok(arranged(3))));
    assert_eq!(
        bench.app.looking.shown(),
        Some(&result(1, 1)),
        "an answer that comes late is let go"
    );
}

#[test]
fn why_a_sort_is_impossible_is_said() {
    let mut bench = table(160, 48);
    bench.keys("s");
    let view = wanted_view(&bench);
    bench.send(Msg::Arranged(result(1, 1), view, Err("The disk is full.".into())));
    bench.sees("The disk is full.").misses("▲");
}

// ---- filtering

#[test]
fn a_filter_is_proposed_by_the_cell_and_replaced_by_typing() {
    let mut bench = table(160, 48);
    bench.keys("Right f").sees("filter region › = Asia Pacific");
    bench.text("= Berlin").sees("rows where region = Berlin");
    bench.keys("Enter");
    let wanted = Condition { column: Some(1), test: Test::Equal(text("Berlin")) };
    assert_eq!(wanted_view(&bench).filter, [wanted]);
    answer(&mut bench, 1, vec![row(4), row(9)]);
    bench.sees("2 of 60 rows where region = Berlin").sees("region ⊆");
    bench.keys("f").sees("filter region › = Berlin");
    bench.keys("Esc");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn filters_of_two_columns_hold_together_and_one_key_drops_them() {
    let mut bench = table(160, 48);
    bench.keys("Right f").text("~ er").keys("Enter");
    answer(&mut bench, 1, (0..9).map(row).collect());
    bench.keys("Right Right f").text("> 175,000").keys("Enter");
    let conditions = wanted_view(&bench).filter;
    assert_eq!(conditions.len(), 2);
    assert_eq!(conditions[1].test, Test::More(Value::Integer(175_000)));
    answer(&mut bench, 2, (0..4).map(row).collect());
    bench.sees("4 of 60 rows where region ~ er, revenue > 17");
    bench.keys("F").misses("where region");
    assert_eq!(bench.app.looking.shown(), Some(&result(1, 1)));
}

#[test]
fn an_emptied_filter_drops_only_its_own_column() {
    let mut bench = table(160, 48);
    bench.keys("Right f").text("e").keys("Enter");
    answer(&mut bench, 1, (0..9).map(row).collect());
    bench.keys("Left f").text("> 1").keys("Enter");
    answer(&mut bench, 2, (0..9).map(row).collect());
    bench.keys("f Ctrl-U Enter");
    let columns: Vec<_> = wanted_view(&bench).filter.iter().map(|c| c.column).collect();
    assert_eq!(columns, [Some(1)]);
}

#[test]
fn what_is_wrong_with_a_filter_is_said_while_typing_and_the_line_stays() {
    let mut bench = table(160, 48);
    bench.keys("Right Right Right f").text("> many");
    bench.sees("! revenue holds numbers, and 'many' is none.");
    bench.keys("Enter");
    assert!(matches!(bench.app.overlay, Some(Overlay::Prompt(_))));
    assert_eq!(last_arrange(&bench), None);
}

// ---- finding

fn last_find(bench: &Bench) -> Find {
    let found = bench.wanted.iter().rev().find_map(|e| match e {
        Effect::Find(_, look) => Some(look.clone()),
        _ => None,
    });
    found.expect("something is looked for")
}

#[test]
fn a_text_is_found_marked_and_found_again() {
    let mut bench = table(160, 48);
    bench.keys("/").text("berlin").keys("Enter");
    let look = last_find(&bench);
    assert_eq!((look.text.as_str(), look.from_row, look.from_col), ("berlin", 0, 0));
    bench.send(Msg::Found(result(1, 1), look, Some((4, 1))));
    assert_eq!((bench.app.grid.row, bench.app.grid.col), (4, 1));
    bench.keys("n");
    let look = last_find(&bench);
    assert_eq!((look.from_row, look.from_col, look.backwards), (4, 2, false));
    bench.send(Msg::Found(result(1, 1), look, Some((9, 1))));
    bench.keys("N");
    let look = last_find(&bench);
    assert_eq!((look.from_row, look.from_col, look.backwards), (9, 0, true));
    bench.send(Msg::Found(result(1, 1), look, Some((4, 1))));
    assert_eq!(bench.app.grid.row, 4);
    bench.keys("Home n");
    let look = last_find(&bench);
    bench.send(Msg::Found(result(1, 1), look, Some((1, 1))));
    bench.sees("Reached the end; on from the start.");
}

#[test]
fn what_is_not_there_is_said_and_a_long_search_can_be_stopped() {
    let mut bench = table(160, 48);
    bench.keys("n").sees("Nothing was looked for yet.");
    bench.keys("/").text("zzz").keys("Enter");
    bench.send(Msg::Clock(600));
    bench.sees("looking for it … 0.6 s");
    let look = last_find(&bench);
    bench.send(Msg::Found(result(1, 1), look, None));
    bench.sees("No cell holds 'zzz'.");
    bench.keys("n Esc");
    assert_eq!(bench.wanted.last(), Some(&Effect::StopFinding));
}

#[test]
fn places_that_were_found_are_underlined_in_every_theme() {
    use ratatui::style::Modifier;
    let mut bench = table(160, 48);
    bench.keys("/").text("EUROPE").keys("Enter");
    let mut cells = ratatui::buffer::Buffer::empty(ratatui::layout::Rect::new(0, 0, 160, 48));
    querent::tui::view::draw(&bench.app, &mut cells);
    let marked: String = cells
        .content()
        .iter()
        .filter(|cell| cell.modifier.contains(Modifier::UNDERLINED))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert!(marked.contains("Europe"), "{marked}");
}

// ---- columns

#[test]
fn a_column_is_hidden_and_all_are_shown_again() {
    let mut bench = table(160, 48);
    bench.keys("Right -").misses("region").sees("9 columns, 1 hidden");
    assert_eq!(bench.app.grid.col, 2);
    bench.keys("+").sees("region").misses("hidden");
}

#[test]
fn columns_are_moved_made_wider_and_narrower_and_fitted() {
    let mut bench = table(160, 48);
    bench.keys("L").sees("region        │      id");
    bench.keys("H").sees("id │ region");
    bench.keys("Right > >").sees("region            │ quarter");
    bench.keys("< < < < < < < <").sees("re… │ quarter");
    bench.keys("w").sees("region        │ quarter");
}

#[test]
fn frozen_columns_stay_when_scrolling_sideways() {
    let mut bench = table(60, 20);
    bench.keys("Right z End").sees("id │ region        ║").sees("hash");
    bench.keys("Home Right z End").misses("region");
}

#[test]
fn one_goes_to_a_row_and_a_column_by_name() {
    let mut bench = table(160, 48);
    bench.keys("#").text("42, rev").sees("row 42, column revenue");
    bench.keys("Enter");
    assert_eq!((bench.app.grid.row, bench.app.grid.col), (41, 3));
    bench.keys(":").text("nowhere").sees("! There is no column 'nowhere'.");
    bench.keys("Enter");
    assert!(bench.app.overlay.is_some());
    bench.keys("Ctrl-U - 1 Enter");
    assert_eq!(bench.app.grid.row, 59);
}

#[test]
fn the_list_of_columns_finds_hides_shows_and_goes_there() {
    let mut bench = table(160, 48);
    bench.keys("o").text("grw").keys("Enter");
    assert_eq!(bench.app.grid.col, 4);
    bench.keys("o").text("note").keys("Tab").sees("Columns · 1 hidden");
    assert_eq!(bench.app.grid.columns.hidden(), [6]);
    bench.keys("Enter");
    assert_eq!((bench.app.grid.col, bench.app.grid.columns.hidden()), (6, &[][..]));
}

// ---- whole cells and rows

#[test]
fn json_is_indented_turned_over_and_copied_as_shown() {
    let mut bench = table(100, 30);
    bench.keys("# 4 , n o t e Enter Enter");
    bench.sees("JSON, indented").sees("  \"rate\": 1.50");
    bench.keys("y");
    let indented = "{\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ],\n  \"rate\": 1.50\n}";
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy(indented.into())));
    bench.keys("r").sees(r#"{"tags":["a","b"],"rate":1.50}"#).sees("JSON, as it is");
    bench.keys("q");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn bytes_stand_beside_their_letters() {
    let mut bench = table(100, 30);
    bench.keys("End Enter").sees("000000  00 01 fe ff").sees("····").sees("4 bytes");
}

#[test]
fn a_whole_row_is_walked_through_opened_and_copied() {
    let mut bench = table(100, 30);
    bench.keys("Right v").sees("Row 1 of 60").sees("growth");
    bench.keys("Down y");
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy("Q1".into())));
    bench.keys("PageDown Right").sees("Row 3 of 60");
    bench.keys("Left").sees("Row 2 of 60");
    bench.keys("Enter").sees("quarter · row 2");
    bench.keys("Esc").sees("Row 2 of 60");
    bench.keys("Esc");
    assert_eq!((bench.app.grid.row, bench.app.grid.col), (1, 2));
}

// ---- selecting and copying

fn last_copy(bench: &Bench) -> CopyTable {
    match bench.wanted.iter().rev().find(|e| matches!(e, Effect::CopyTable(_))) {
        Some(Effect::CopyTable(table)) => (**table).clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn shift_selects_cells_and_a_plain_move_lets_go() {
    let mut bench = table(160, 48);
    bench.keys("Right Right Right Shift-Down Shift-Down Shift-Right");
    // 182,400 + 181,400 + 180,400 + 12.4 - 3.125 + 8
    bench.sees("selected 3 × 2 · sum 544217.275");
    bench.keys("y");
    let copied = last_copy(&bench);
    assert_eq!((copied.rows, copied.columns, copied.form), (0..3, vec![3, 4], TableForm::Tsv));
    bench.keys("Shift-Up Shift-Left").sees("selected 2 × 1");
    bench.keys("Down").misses("selected");
}

#[test]
fn v_selects_rows_then_columns_then_nothing() {
    let mut bench = table(160, 48);
    bench.keys("Down V Down Down").sees("selected 3 × 9");
    bench.keys("V").sees("selected 60 × 1");
    bench.keys("V").misses("selected");
    bench.keys("V Esc").misses("selected");
}

#[test]
fn parts_are_copied_in_the_form_chosen() {
    let mut bench = table(160, 48);
    bench.keys("Ctrl-Y Down Right Right").sees("60 × 1");
    bench.keys("Enter");
    let copied = last_copy(&bench);
    assert_eq!((copied.rows, copied.columns, copied.form), (0..60, vec![0], TableForm::Json));
    bench.send(Msg::CopyText("[]".into(), "Copied 60 rows".into()));
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy("[]".into())));
    bench.send(Msg::Copied("terminal and wl-copy".into()));
    bench.sees("Copied 60 rows (terminal and wl-copy).");
    bench.keys("C Up Up Enter");
    let copied = last_copy(&bench);
    assert_eq!((copied.rows, copied.form), (0..60, TableForm::Json), "the form is remembered");
    assert_eq!(copied.columns.len(), 9);
}

#[test]
fn copying_a_selection_needs_one() {
    let mut bench = table(160, 48);
    bench.keys("Ctrl-Y Down Down Enter").sees("Nothing is selected");
    assert!(bench.app.overlay.is_some());
}

#[test]
fn plain_y_copies_the_cell_and_shift_y_the_row_at_once() {
    let mut bench = table(160, 48);
    bench.keys("Right y");
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy("Asia Pacific".into())));
    bench.keys("Y");
    assert!(
        matches!(bench.wanted.last(), Some(Effect::Copy(text)) if text.starts_with("1000\tAsia"))
    );
}

// ---- figures

fn summary() -> ColumnSummary {
    ColumnSummary {
        column: querent::domain::ResultColumn {
            name: "revenue".into(),
            data_type: "INTEGER".into(),
            origin: None,
            unit: None,
        },
        rows: 60,
        complete: true,
        nulls: 3,
        empty: 0,
        integers: 57,
        reals: 0,
        texts: 0,
        blobs: 0,
        distinct: 41,
        distinct_exact: true,
        least: Some(Value::Integer(123_400)),
        greatest: Some(Value::Integer(182_400)),
        sum: Some(Value::Integer(8_715_300)),
        mean: Some(152_900.0),
        median: Some(152_900.0),
        top: vec![(Value::Integer(182_400), 9), (Value::Integer(150_000), 4)],
        top_exact: true,
        lengths: None,
        histogram: Some(Histogram {
            from: 120_000.0,
            to: 200_000.0,
            counts: vec![1, 0, 2, 3, 4, 6, 8, 9, 7, 5, 4, 3, 2, 1, 1, 0, 0, 0, 0, 1],
            whole: false,
        }),
    }
}

#[test]
fn a_column_is_summed_up_and_the_next_one_with_an_arrow() {
    let mut bench = table(160, 48);
    bench.keys("Right Right Right i");
    assert_eq!(bench.wanted.last(), Some(&Effect::Summarize(result(1, 1), 3)));
    bench.send(Msg::Clock(500));
    bench.sees("Summing up … 0.5 s");
    bench.send(Msg::Summarized(result(1, 1), 3, Some(Box::new(summary()))));
    bench.sees("distinct").sees("41").sees("5.0 %");
    bench.keys("y");
    assert!(
        matches!(bench.wanted.last(), Some(Effect::Copy(text)) if text.contains("median\t152900"))
    );
    bench.keys("Right");
    assert_eq!(bench.wanted.last(), Some(&Effect::Summarize(result(1, 1), 4)));
    bench.keys("Esc");
    assert_eq!(bench.wanted.last(), Some(&Effect::StopSummarizing));
}

// ---- exporting

fn last_export(bench: &Bench) -> querent::pipeline::Export {
    match bench.wanted.iter().rev().find(|e| matches!(e, Effect::Export(..))) {
        Some(Effect::Export(_, export)) => (**export).clone(),
        other => panic!("{other:?}"),
    }
}

const PROPOSED: &str = "how-much-did-we-bring-in-with-confirmed";

#[test]
fn an_export_proposes_a_name_asks_before_it_replaces_and_says_what_it_wrote() {
    let mut bench = table(160, 48);
    bench.keys("E").sees(&format!("file › {PROPOSED}.csv"));
    bench.keys("Down Down").sees(&format!("{PROPOSED}.parquet"));
    bench.keys("Enter");
    let export = last_export(&bench);
    assert_eq!(export.format, ExportFormat::Parquet);
    assert!(!export.overwrite);
    let trouble = ExportTrouble {
        what: "out.parquet is there already".into(),
        hint: "Replace it, or choose another name.".into(),
        consent: Some(querent::pipeline::Consent::Overwrite),
    };
    bench.send(Msg::Exported(result(1, 1), Exported::Ended(Err(trouble))));
    bench.sees("! out.parquet is there already. Enter replaces it");
    bench.keys("Enter");
    assert!(last_export(&bench).overwrite);
    bench.send(Msg::Exported(result(1, 1), Exported::Wrote { rows: 31, total: 60 }));
    bench.sees("exporting 31 of 60");
    let written =
        Written { path: "/home/ada/out.parquet".into(), rows: 60, bytes: 4_321, notes: Vec::new() };
    bench.send(Msg::Exported(result(1, 1), Exported::Ended(Ok(written))));
    bench.sees("✓ 60 rows, 4.3 kB").sees("/home/ada/out.parquet");
    bench.keys("Enter");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn an_export_goes_on_behind_and_its_end_is_said() {
    let mut bench = table(160, 48);
    bench.keys("E Enter Enter");
    assert_eq!(bench.app.overlay, None);
    bench.send(Msg::Exported(result(1, 1), Exported::Wrote { rows: 31, total: 60 }));
    bench.sees("exporting 31 of 60");
    let written = Written { path: "/tmp/a.csv".into(), rows: 60, bytes: 900, notes: Vec::new() };
    bench.send(Msg::Exported(result(1, 1), Exported::Ended(Ok(written))));
    bench.sees("Wrote /tmp/a.csv: 60 rows, 900 bytes.").misses("exporting");
}

#[test]
fn esc_stops_an_export_and_a_failed_one_keeps_what_was_typed() {
    let mut bench = table(160, 48);
    bench.keys("E Enter Esc").sees("Export stopped; no file was left.");
    assert_eq!(bench.wanted.last(), Some(&Effect::StopExport));
    bench.keys("E Ctrl-U").text("no/such/x.jsonl").keys("Enter");
    assert_eq!(last_export(&bench).format, ExportFormat::JsonLines, "the ending chooses the form");
    let trouble = ExportTrouble {
        what: "there is no folder no/such".into(),
        hint: "Name one.".into(),
        consent: None,
    };
    bench.send(Msg::Exported(result(1, 1), Exported::Ended(Err(trouble))));
    bench.sees("✗ there is no folder no/such. Name one.").sees("no/such/x.jsonl");
}

#[test]
fn hidden_columns_are_left_out_of_an_export() {
    let mut bench = table(160, 48);
    bench.keys("- E").sees("1 hidden are left out");
    bench.keys("Enter");
    assert_eq!(last_export(&bench).columns, Some(vec![1, 2, 3, 4, 5, 6, 7, 8]));
}

// ---- the mouse

#[test]
fn a_head_is_clicked_to_go_there_and_clicked_again_to_sort() {
    let mut bench = alone(100, 30);
    let screen = bench.screen();
    let (y, line) = screen.lines().enumerate().find(|(_, l)| l.contains("quarter")).expect("heads");
    let x = line.chars().take_while(|c| *c != 'q').count();
    let (x, y) = (u16::try_from(x).expect("small"), u16::try_from(y).expect("small"));
    bench.send(Msg::Mouse(Mouse::Press, x, y));
    assert_eq!((bench.app.grid.col, last_arrange(&bench)), (2, None));
    bench.send(Msg::Mouse(Mouse::Press, x, y));
    assert_eq!(wanted_view(&bench).sort, [by(2, false)]);
    bench.send(Msg::Mouse(Mouse::Press, x, y + 4));
    assert_eq!((bench.app.grid.row, bench.app.grid.col), (2, 2));
}

#[test]
fn an_edge_is_pulled_and_cells_are_selected_with_the_button_down() {
    let mut bench = alone(100, 30);
    let screen = bench.screen();
    let (y, line) = screen.lines().enumerate().find(|(_, l)| l.contains("quarter")).expect("heads");
    let x = line.chars().take_while(|c| *c != 'q').count() - 2;
    let (x, y) = (u16::try_from(x).expect("small"), u16::try_from(y).expect("small"));
    bench.send(Msg::Mouse(Mouse::Press, x, y));
    bench.send(Msg::Mouse(Mouse::Drag, x + 5, y + 1));
    bench.send(Msg::Mouse(Mouse::Release, x + 5, y + 1));
    bench.sees("region             │ quarter");
    bench.send(Msg::Mouse(Mouse::Press, x - 3, y + 2));
    bench.send(Msg::Mouse(Mouse::Drag, x + 9, y + 4));
    bench.sees("selected 3 × 2");
}

// ---- pictures

#[test]
fn the_grid_is_drawn_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = alone(width, height);
        bench.keys("Right Right Right s");
        answer(&mut bench, 1, (0..60).map(row).collect());
        bench.keys("Shift-Down Shift-Down Shift-Right");
        assert_snapshot!(format!("grid_{width}x{height}"), bench.screen());
    }
}

#[test]
fn overlays_of_the_grid_are_drawn_at_three_sizes() {
    let overlays = [
        ("filter", "Right f > 1"),
        ("cell", "# 4 , n o t e Enter Enter"),
        ("record", "Down v"),
        ("columns", "Right - o"),
        ("copy", "Ctrl-Y Right"),
        ("export", "E"),
    ];
    for (width, height) in SIZES {
        for (name, keys) in overlays {
            let mut bench = table(width, height);
            bench.keys(keys);
            assert_snapshot!(format!("{name}_{width}x{height}"), bench.screen());
        }
        let mut bench = table(width, height);
        bench.keys("Right Right Right i");
        bench.send(Msg::Summarized(result(1, 1), 3, Some(Box::new(summary()))));
        assert_snapshot!(format!("figures_{width}x{height}"), bench.screen());
        let mut bench = table(width, height);
        bench.keys("E Enter");
        bench.send(Msg::Clock(12_300));
        bench.send(Msg::Exported(result(1, 1), Exported::Wrote { rows: 31, total: 60 }));
        assert_snapshot!(format!("exporting_{width}x{height}"), bench.screen());
    }
}
