//! The context pane, what it opens, and two runs side by side.

use std::sync::Arc;

use insta::assert_snapshot;
use querent::domain::schema::{KeyOrigin, RowCount};
use querent::domain::{
    Catalog, Column, ColumnRef, ComponentKind, ForeignKey, Question, Switches, Table,
};
use querent::tui::effect::Effect;
use querent::tui::msg::{Msg, Opened};
use querent::tui::overlays::Overlay;

use super::bench::{Bench, opened};
use super::context_runs::{
    LATER, QUESTION, bench, booking_stats, child_run, first_run, package, question, told,
};

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];

fn asked(bench: &Bench) -> Option<&Question> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Ask(question) => Some(&**question),
        _ => None,
    })
}

fn copied(bench: &Bench) -> Option<&str> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.as_str()),
        _ => None,
    })
}

#[test]
fn the_context_pane_is_drawn_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = told(width, height, &[first_run()]);
        bench.keys("Alt-2 Down Down Space");
        assert_snapshot!(format!("context_{width}x{height}"), bench.screen());
    }
}

#[test]
fn a_component_is_looked_into_with_what_the_sql_used() {
    for (width, height) in SIZES {
        let mut bench = told(width, height, &[first_run()]);
        bench.keys("Alt-2 Enter");
        assert_snapshot!(format!("component_{width}x{height}"), bench.screen());
    }
    let mut bench = told(160, 48, &[first_run()]);
    bench.keys("Alt-2 Enter").sees("schema · 1 of 8").sees("▸ - price_cents (INTEGER)");
    bench.misses("▸ - status (TEXT)");
    bench.keys("y");
    let text = package(&question(Switches::default(), None));
    let schema = text.component(ComponentKind::Schema).map(|c| c.text.as_str());
    assert_eq!(copied(&bench), schema);
    bench.keys("Right").sees("relationships · 2 of 8").sees("▸ bookings.room_id -> rooms.id (n:1)");
    bench.keys("Left Left").sees("errors · 8 of 8").sees("Nothing to tell.");
    bench.keys("Esc");
    assert_eq!(bench.app.overlay, None);
    assert_eq!(bench.app.context.cursor.at, 7);
}

#[test]
fn words_are_looked_for_in_a_component() {
    let mut bench = told(60, 20, &[first_run()]);
    bench.keys("Alt-2 Enter /").text("dialect").sees("/ dialect▏  1 place");
    bench.sees("Dialect SQLite");
    bench.keys("Enter n N").sees("/dialect: 1 place");
    bench.keys("/").text("nowhere").keys("Enter n").sees("'nowhere' isn't in this text.");
    bench.keys("u Home u").sees("▸ Table: bookings");
    bench.keys("End g j k PageDown PageUp Space");
    assert!(bench.app.context.switches.without.contains(&ComponentKind::Schema));
    bench.sees("◧ out at the next asking");
    bench.keys("q");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn what_was_cut_is_listed_below_the_text() {
    let mut tight = question(Switches::default(), None);
    tight.options.tokens = 90;
    let events = super::context_runs::run("0195-c", &tight, LATER, super::context_runs::rows(&[]));
    let mut bench = told(100, 30, &[events]);
    bench.keys("Alt-2 Enter End").sees("Left out for lack of room:").sees("− table payments");
}

#[test]
fn the_schema_browser_is_drawn_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = told(width, height, &[first_run()]);
        bench.keys("Alt-2 t Right");
        assert_eq!(bench.wanted.last(), Some(&Effect::Measure("bookings".into())));
        bench.send(Msg::Measured("bookings".into(), booking_stats()));
        bench.keys("Down Down Down Down Space");
        assert_snapshot!(format!("schema_{width}x{height}"), bench.screen());
    }
}

#[test]
fn tables_and_columns_are_found_switched_copied_and_previewed() {
    let mut bench = bench(100, 30);
    bench.keys("Ctrl-T /").text("boo pri").sees("1 table found").sees("price_cents");
    bench.keys("Enter Down y");
    assert_eq!(copied(&bench), Some("bookings.price_cents"));
    bench.keys("Space");
    let column = ColumnRef::new("bookings", "price_cents");
    assert!(bench.app.context.switches.without_columns.contains(&column));
    bench.keys("Esc").sees("price_cents");
    bench.keys("Enter");
    let sql = "SELECT price_cents, COUNT(*) AS row_count\nFROM bookings\nGROUP BY price_cents\n\
               ORDER BY row_count DESC";
    assert_eq!(asked(&bench).and_then(|q| q.sql.as_deref()), Some(sql));
}

#[test]
fn the_cursor_stays_on_its_column_while_the_filter_changes() {
    let mut bench = bench(100, 30);
    bench.keys("Ctrl-T /").text("room").keys("Down Down");
    let chosen = |bench: &Bench| match &bench.app.overlay {
        Some(Overlay::Schema(browser)) => browser.chosen(),
        _ => None,
    };
    let before = chosen(&bench);
    bench.text("_id");
    assert_eq!(chosen(&bench), before);
    bench.keys("Esc");
    assert_eq!(chosen(&bench), before);
    bench.keys("Left Left Right PageDown PageUp End Home j k G g l h t");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn a_key_that_is_switched_off_says_what_it_takes_along() {
    let mut bench = told(160, 48, &[first_run()]);
    bench.keys("Alt-2 t Right Down Down Space");
    bench.sees("bookings.room_id is a key: without it no join by it is told.");
    bench.sees("1 switched, r asks again");
    bench.keys("r");
    let again = asked(&bench).expect("asked again");
    assert!(again.switches.without_columns.contains(&ColumnRef::new("bookings", "room_id")));
    assert_eq!(again.parent.as_ref().map(|id| id.0.as_str()), Some("0195-a"));
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn a_typed_question_shows_the_package_it_would_get() {
    let mut bench = bench(160, 48);
    bench.text(QUESTION);
    let wanted = bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Preview(question) => Some(&**question),
        _ => None,
    });
    let wanted = wanted.expect("the package of what is typed");
    assert_eq!(wanted.text, QUESTION);
    let of = (wanted.text.clone(), wanted.switches.clone());
    let told = package(&question(Switches::default(), None));
    bench.send(Msg::Previewed(of, Box::new(told)));
    bench.sees("would be told: ");
    assert_snapshot!("would_be_told_160x48", bench.screen());
    bench.keys("Ctrl-U").misses("would be told");
}

#[test]
fn switching_says_what_asking_again_would_tell() {
    let mut bench = told(160, 48, &[first_run()]);
    bench.keys("Alt-2 Down Space");
    let Some(Effect::Preview(next)) = bench.wanted.last() else { panic!("no package is wanted") };
    let next = (**next).clone();
    let would_be = package(&next);
    let now = package(&question(Switches::default(), None));
    assert!(would_be.tokens < now.tokens);
    bench.send(Msg::Previewed((next.text, next.switches), Box::new(would_be.clone())));
    bench.sees(&format!("~{} → ~{} of 6,000 tokens", now.tokens, would_be.tokens));
}

#[test]
fn two_runs_stand_side_by_side_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = told(width, height, &[first_run(), child_run()]);
        bench.sees("compare");
        bench.keys("Alt-2 d");
        assert_snapshot!(format!("compare_{width}x{height}"), bench.screen());
        if width < 100 {
            bench.keys("Right");
            assert_snapshot!(format!("compare_sql_{width}x{height}"), bench.screen());
            bench.keys("Right");
            assert_snapshot!(format!("compare_result_{width}x{height}"), bench.screen());
            bench.keys("Right");
            assert_snapshot!(format!("compare_price_{width}x{height}"), bench.screen());
        }
    }
}

#[test]
fn a_comparison_scrolls_goes_to_bands_and_is_copied() {
    let mut bench = told(100, 30, &[first_run(), child_run()]);
    bench.keys("F3 End Home Down Up PageDown PageUp Tab Tab Tab Shift-Tab j k G g l h y");
    let text = copied(&bench).expect("a copy");
    assert!(text.contains("+ WHERE b.status = 'confirmed'\n"), "{text}");
    assert!(text.contains("Result: 1 changed, 1 removed, 1 added, 1 the same · matched by name"));
    bench.keys("=");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn comparing_needs_two_runs_and_reads_a_parent_that_is_not_at_hand() {
    let mut bench = bench(100, 30);
    bench.keys("F3").sees("Nothing was asked yet");
    let mut bench = told(100, 30, &[first_run()]);
    bench.keys("F3").sees("There is no other run yet");
    let mut bench = told(100, 30, &[child_run()]);
    bench.keys("F3").sees("Reading the runs");
    let id = first_run()[0].run.clone();
    assert!(bench.wanted.contains(&Effect::Fetch(id)));
    bench.send(Msg::Fetched(first_run()));
    bench.sees("the former run").sees("run 1");
    bench.keys("Esc F3").sees("the former run");
    let mut bench = told(100, 30, &[child_run()]);
    bench.keys("F3");
    bench.send(Msg::NotFetched("No run is called so.".into()));
    assert_eq!(bench.app.overlay, None);
    bench.sees("No run is called so.");
}

/// A schema of 100 tables with long names, comments and wide characters.
fn wide_catalog() -> Catalog {
    let column = |n: usize| Column {
        name: match n % 3 {
            0 => format!("column_with_a_very_long_name_that_does_not_fit_anywhere_{n}"),
            1 => format!("列の名前_{n}"),
            _ => format!("x{n}"),
        },
        data_type: "VARCHAR(255) CHARACTER SET utf8mb4".into(),
        comment: n
            .is_multiple_of(2)
            .then(|| format!("注釈 number {n}: \u{1b}[31mred\u{202e} text")),
        ..Column::default()
    };
    let table = |n: usize| Table {
        name: match n % 4 {
            0 => format!("schema_of_the_warehouse.fact_table_of_daily_movements_{n}"),
            1 => format!("予約テーブル_{n}"),
            2 => format!("T{n}"),
            _ => format!("it's \"quoted\" {n}"),
        },
        comment: Some(format!(
            "どこにも合わないほど長い注釈 of table {n}, which goes on and on and on"
        )),
        columns: (0..20).map(column).collect(),
        rows: Some(RowCount { count: 1 << (n % 40), exact: n.is_multiple_of(2) }),
        ..Table::default()
    };
    let tables: Vec<Table> = (0..100).map(table).collect();
    let key = |n: usize| ForeignKey {
        from_table: tables[n].name.clone(),
        from_columns: vec![tables[n].columns[0].name.clone()],
        to_table: tables[n / 2].name.clone(),
        to_columns: vec![tables[n / 2].columns[1].name.clone()],
        origin: if n.is_multiple_of(2) {
            KeyOrigin::Declared
        } else {
            KeyOrigin::Inferred(String::new())
        },
        one_to_one: n.is_multiple_of(5),
    };
    let keys = (1..100).map(key).collect();
    Catalog { database: "wide".into(), tables, keys, ..Catalog::default() }
}

fn wide_bench(width: u16, height: u16) -> Bench {
    let mut bench = Bench::closed(width, height);
    let catalog = Arc::new(wide_catalog());
    bench.send(Msg::Opened(Box::new(Opened { catalog, ..opened() })));
    bench
}

#[test]
fn long_and_wide_names_stay_in_their_columns() {
    for (width, height) in SIZES {
        let mut bench = wide_bench(width, height);
        bench.keys("Ctrl-T Down Right Down Down");
        assert_snapshot!(format!("schema_wide_names_{width}x{height}"), bench.screen());
    }
    let mut bench = wide_bench(100, 30);
    bench.keys("Ctrl-T /").text("予約 9").sees("予約テーブル_9");
    bench.keys("Enter y");
    assert!(copied(&bench).is_some_and(|name| name.contains("予約テーブル_")));
}

#[test]
fn what_stands_in_front_is_drawn_at_any_size() {
    let ways = [
        "Alt-2 Enter",
        "Alt-2 Enter / a",
        "Ctrl-T Right Down",
        "Ctrl-T / b",
        "F3",
        "F3 Right Right",
    ];
    for keys in ways {
        let mut bench = told(160, 48, &[first_run(), child_run()]);
        bench.keys(keys);
        for (width, height) in
            [(1, 1), (3, 2), (20, 6), (21, 7), (40, 10), (119, 9), (120, 24), (400, 100)]
        {
            bench.send(Msg::Size(width, height));
            bench.screen();
            bench.keys("Down PageDown End Up Home");
            bench.screen();
        }
    }
}

#[test]
fn a_table_in_the_browser_is_chosen_with_the_mouse() {
    use querent::tui::msg::Mouse;
    let mut bench = bench(160, 48);
    bench.keys("Ctrl-T");
    bench.send(Msg::Mouse(Mouse::Press, 10, 5));
    let Some(Overlay::Schema(browser)) = &bench.app.overlay else { panic!("the browser is open") };
    assert_eq!(browser.cursor.at, 2);
}

#[test]
fn a_pasted_name_narrows_the_browser() {
    let mut bench = bench(100, 30);
    bench.keys("Ctrl-T /");
    bench.send(Msg::Paste("payments".into()));
    bench.sees("1 table found");
}

#[test]
fn two_marked_runs_of_the_history_are_compared() {
    use querent::pipeline::StoredRun;
    let stored = |events: &[querent::domain::Event]| StoredRun {
        run: events[0].run.clone(),
        question: QUESTION.into(),
        status: "answered".into(),
        ..StoredRun::default()
    };
    let mut bench = bench(100, 30);
    bench.keys("F8");
    bench.send(Msg::Runs(vec![stored(&child_run()), stored(&first_run())]));
    bench.keys("Space Down Space c").sees("Reading the runs");
    bench.send(Msg::Fetched(child_run()));
    bench.sees("Reading the runs");
    bench.send(Msg::Fetched(first_run()));
    bench.sees("− the former run  ! needs review").sees("+ the later run  ✓ grounded");
}
