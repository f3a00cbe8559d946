//! The SQL pane: what is marked where, two versions laid over each other, typing SQL by hand.

use insta::assert_snapshot;
use querent::domain::engine_plan::{Access, EnginePlan, EngineStep};
use querent::domain::schema::RowCount;
use querent::domain::{Diagnostic, Event, Failure, Finding, Happened, Severity, Span, Stage};
use querent::pipeline::CheckReport;
use querent::sql::complete::{Offer, Offered, Offers};
use querent::tui::effect::Effect;
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;

use super::bench::Bench;
use super::runs::{DRAFT, MENDED, case_a};

fn diagnostic(sql: &str, word: &str, message: &str, suggestion: &str) -> Diagnostic {
    let start = sql.find(word).expect("the word is in the SQL");
    Diagnostic {
        code: "no_such_column".into(),
        message: message.into(),
        span: Some(Span::new(start, start + word.len())),
        suggestions: vec![suggestion.into()],
    }
}

fn finding(gate: &str, severity: Severity, span: Option<Span>, message: &str) -> Finding {
    Finding {
        gate: gate.into(),
        severity,
        message: message.into(),
        evidence: String::new(),
        retryable: false,
        hint: None,
        span,
        rewrite: None,
    }
}

/// A draft that is rejected, as it would be told.
fn rejected(text: &str, wrong: Vec<Diagnostic>, found: Vec<Finding>) -> Vec<Event> {
    let mut events = case_a()[..6].to_vec();
    if let Happened::Drafted { sql, .. } = &mut events[4].happened {
        text.clone_into(sql);
    }
    if let Happened::Checked { failure, findings, .. } = &mut events[5].happened {
        *findings = found;
        *failure = (!wrong.is_empty()).then_some(Failure {
            stage: Stage::Bind,
            diagnostics: wrong,
            retryable: true,
        });
    }
    events
}

const SEVERAL: &str = "SELECT pric, nam, count(*) FROM bookings b JOIN rooms r ON b.room_id = r.id\nWHERE b.status = 'confirmed'\n  AND r.capacity > 4 OR b.price_cents > 100\nGROUP BY pric";

fn several() -> Vec<Event> {
    let of = "doesn't exist in bookings and rooms.";
    let wrong = vec![
        diagnostic(
            SEVERAL,
            "pric",
            &format!("column 'pric' {of} Did you mean price_cents?"),
            "price_cents",
        ),
        diagnostic(SEVERAL, "nam", &format!("column 'nam' {of} Did you mean name?"), "name"),
    ];
    let from = SEVERAL.find("b.status").expect("it is there");
    let to = SEVERAL.find("\nGROUP").expect("it is there");
    let span = Some(Span::new(from, to));
    let found = vec![
        finding(
            "mixed",
            Severity::Warning,
            span,
            "AND binds closer than OR: put brackets where they are meant",
        ),
        finding("unbounded", Severity::Info, None, "nothing limits how many rows come back"),
    ];
    rejected(SEVERAL, wrong, found)
}

#[test]
fn marks_stand_under_their_places_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::told(width, height, &several());
        bench.keys("Alt-3");
        if height < 48 {
            bench.keys("F10");
        }
        assert_snapshot!(format!("sql_marks_{width}x{height}"), bench.screen());
    }
}

#[test]
fn two_versions_lie_over_each_other_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Alt-3 d");
        bench
            .sees("diff from the former")
            .sees("- SELECT SUM(price)")
            .sees("+ SELECT SUM(price_cents)");
        assert_snapshot!(format!("sql_diff_{width}x{height}"), bench.screen());
        bench.keys("Left").sees("diff to the next");
        bench.keys("d").misses("diff to").misses("diff from");
    }
}

#[test]
fn a_version_alone_has_nothing_to_differ_from() {
    let mut bench = Bench::told(100, 30, &several());
    bench.keys("Alt-3 d").sees("There is no other version to compare with.");
    assert!(!bench.app.sql.diff);
}

#[test]
fn sql_is_shown_laid_out_and_as_written_with_its_marks() {
    let text = "SELECT status, pric FROM bookings WHERE status = 'confirmed' ORDER BY status";
    let wrong =
        vec![diagnostic(text, "pric", "column 'pric' doesn't exist in bookings.", "price_cents")];
    let mut bench = Bench::told(160, 48, &rejected(text, wrong, Vec::new()));
    bench.keys("Alt-3").sees("1  SELECT status, pric FROM bookings");
    bench.keys("f").sees("laid out").sees("2  FROM bookings").sees("3  WHERE status = 'confirmed'");
    // the waves stand under the word, whatever line it is in now
    let screen = bench.screen();
    let line_of = |text: &str| screen.lines().position(|line| line.contains(text)).expect("seen");
    assert_eq!(line_of("~~~~ ✗ column 'pric'"), line_of("SELECT status, pric") + 1);
    bench.keys("y");
    let laid = "SELECT status, pric\nFROM bookings\nWHERE status = 'confirmed'\nORDER BY status";
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy(laid.into())));
    bench.keys("f").misses("laid out").sees("1  SELECT status, pric FROM bookings");
}

#[test]
fn plan_and_reading_stand_beside_the_sql_where_they_would_be_hidden_below() {
    let mut bench = Bench::told(100, 30, &case_a());
    bench.keys("Alt-3").sees("mended:").sees("reads:").misses("plan:").sees("↓ 2");
    assert_snapshot!("sql_beside_100x30", bench.screen());
    // both sides scroll together, and all of it can be reached
    bench.keys("End").sees("plan:").sees("↑ 2");
}

#[test]
fn tabs_that_do_not_fit_name_only_what_is_in_front() {
    let mut events = case_a()[..6].to_vec();
    for n in 1..=7 {
        let mut rewritten = case_a()[6].clone();
        if let Happened::Rewritten { version, .. } = &mut rewritten.happened {
            *version = n;
        }
        events.push(rewritten);
    }
    let mut bench = Bench::told(60, 20, &events);
    bench.keys("Alt-3").sees("mended 7 · 8 of 8").misses("as drafted");
}

fn checked(bench: &mut Bench, sql: &str, wrong: Vec<Diagnostic>, found: Vec<Finding>) {
    bench.send(Msg::Checked(Box::new(CheckReport {
        status: if wrong.is_empty() { "ok" } else { "rejected" },
        analysed: true,
        sql: sql.into(),
        diagnostics: wrong,
        repairs: Vec::new(),
        findings: found,
        elapsed_us: 100,
    })));
}

#[test]
fn typed_sql_is_completed_with_tab_and_esc_closes_the_list() {
    let mut bench = Bench::open(160, 48);
    bench.keys("Alt-3").text("SELECT b.pr");
    let wanted = bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::CompleteSql { sql, cursor, asked, revision } => {
            Some((sql.clone(), *cursor, *asked, *revision))
        }
        _ => None,
    });
    let (sql, cursor, asked, revision) = wanted.expect("offers were wanted");
    assert_eq!((sql.as_str(), cursor, asked), ("SELECT b.pr", 11, false));
    let offer = |text: &str, what: &str| Offer {
        text: text.into(),
        what: what.into(),
        kind: Offered::Column,
    };
    let offers = Offers {
        from: 9,
        to: 11,
        offers: vec![offer("price_cents", "INTEGER"), offer("prior", "TEXT")],
    };
    // those of a text that is no more are not taken
    bench.send(Msg::SqlOffers(revision - 1, offers.clone()));
    bench.misses("price_cents");
    bench.send(Msg::SqlOffers(revision, offers.clone()));
    bench.sees("price_cents").sees("INTEGER").sees("SELECT b.pr");
    bench.keys("Esc").misses("price_cents");
    bench.send(Msg::SqlOffers(revision, offers));
    bench.keys("Down Up Tab");
    assert_eq!(bench.app.sql.editor.text(), "SELECT b.price_cents");
    assert!(bench.app.sql.editing || bench.app.run.is_none());
    bench.keys("Alt-u");
    assert_eq!(bench.app.sql.editor.text(), "SELECT b.pr");
    bench.keys("Alt-r");
    assert_eq!(bench.app.sql.editor.text(), "SELECT b.price_cents");
    bench.keys("Ctrl-Space");
    assert!(matches!(bench.wanted.last(), Some(Effect::CompleteSql { asked: true, .. })));
}

#[test]
fn the_editor_tells_what_is_wrong_and_mends_it_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::open(width, height);
        let sql = "SELECT pric\nFROM bookings\nWHERE member_id = 1 AND capacity > 2";
        bench.keys("Alt-3");
        bench.send(Msg::Paste(sql.into()));
        let wrong = vec![
            diagnostic(
                sql,
                "pric",
                "column 'pric' doesn't exist in bookings. Did you mean price_cents?",
                "price_cents",
            ),
            diagnostic(
                sql,
                "capacity",
                "column 'capacity' doesn't exist in bookings. It exists in rooms",
                "x",
            ),
        ];
        checked(&mut bench, sql, wrong, Vec::new());
        let revision = bench.app.sql.editor.revision();
        bench.sees("1:8").sees("Ctrl-F mends");
        let offer =
            |text: &str, what: &str, kind| Offer { text: text.into(), what: what.into(), kind };
        bench.send(Msg::SqlOffers(
            revision,
            Offers {
                from: sql.len(),
                to: sql.len(),
                offers: vec![
                    offer("price_cents", "INTEGER of bookings", Offered::Column),
                    offer("printf(", "function", Offered::Function),
                ],
            },
        ));
        assert_snapshot!(format!("sql_editor_{width}x{height}"), bench.screen());
        bench.keys("Esc Ctrl-Home Ctrl-F");
        assert!(bench.app.sql.editor.text().starts_with("SELECT price_cents\n"));
        // what was told of the other place still stands at it
        bench.sees("✗").sees("3:25");
    }
}

#[test]
fn a_rewrite_is_taken_at_a_key_and_taken_back() {
    let mut bench = Bench::open(160, 48);
    let sql = "SELECT 1 / 2";
    bench.keys("Alt-3").text(sql);
    let mut half = finding(
        "integer_division",
        Severity::Warning,
        Some(Span::new(7, 12)),
        "whole numbers divide whole",
    );
    half.rewrite = Some("SELECT 1 * 1.0 / 2".into());
    checked(&mut bench, sql, Vec::new(), vec![half]);
    bench.keys("Ctrl-F").sees("Rewritten: integer division.");
    assert_eq!(bench.app.sql.editor.text(), "SELECT 1 * 1.0 / 2");
    bench.keys("Alt-u");
    assert_eq!(bench.app.sql.editor.text(), sql);
}

#[test]
fn a_rejected_version_is_mended_in_the_editor() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 Left Ctrl-F");
    assert_eq!(bench.app.sql.editor.text(), MENDED);
    assert!(bench.app.sql.editing);
    bench.keys("Esc Left Right Ctrl-F").sees("Nothing here can be mended at a key.");
}

#[test]
fn an_edit_is_checked_at_once_laid_out_selected_and_copied() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 e");
    assert!(bench.wanted.iter().any(|e| matches!(e, Effect::Check { sql, .. } if sql == MENDED)));
    bench.keys("Alt-a Alt-c");
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy(MENDED.into())));
    bench.keys("Ctrl-End Enter").text("LIMIT 1");
    assert_eq!(bench.app.sql.editor.text(), format!("{MENDED}\nLIMIT 1"));
    bench.keys("Ctrl-U");
    bench.send(Msg::Paste("SELECT id FROM rooms WHERE id = 1".into()));
    bench.keys("Alt-l");
    assert_eq!(bench.app.sql.editor.text(), "SELECT id\nFROM rooms\nWHERE id = 1");
}

fn plan() -> EnginePlan {
    let step = |words: &str, access, inside| EngineStep { words: words.into(), access, inside };
    let scan = Access::Scan {
        relation: "b".into(),
        table: Some("bookings".into()),
        rows: Some(RowCount { count: 1_000_000, exact: true }),
        index: None,
    };
    let search = Access::Search {
        relation: "r".into(),
        table: Some("rooms".into()),
        index: None,
        by: "rowid=?".into(),
        made: false,
    };
    let inner = vec![
        step("SCAN b", scan, Vec::new()),
        step("SEARCH r USING INTEGER PRIMARY KEY (rowid=?)", search, Vec::new()),
    ];
    EnginePlan {
        steps: vec![
            step("CO-ROUTINE busiest", Access::Other, inner),
            step("USE TEMP B-TREE FOR ORDER BY", Access::Sort("ORDER BY".into()), Vec::new()),
        ],
        expected: None,
    }
}

#[test]
fn the_engines_plan_is_a_tree_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Alt-3 x").sees("The engine is asked how it would run this.");
        assert!(bench.wanted.contains(&Effect::Explain(MENDED.into())));
        bench.send(Msg::Explained("SELECT 2".into(), Err("another one".into())));
        bench.misses("another one");
        bench.send(Msg::Explained(MENDED.into(), Ok(plan())));
        bench.sees("! scan of 1,000,000 rows of bookings (b)").sees("by rowid, through its key");
        assert_snapshot!(format!("sql_explain_{width}x{height}"), bench.screen());
        bench.keys("y");
        assert!(
            matches!(bench.wanted.last(), Some(Effect::Copy(text)) if text.contains("scan of 1,000,000"))
        );
        bench.keys("x");
        assert_eq!(bench.app.overlay, None);
    }
}

#[test]
fn closing_the_plan_while_the_engine_is_asked_stops_asking() {
    let mut bench = Bench::told(100, 30, &case_a());
    bench.keys("Alt-3 Left x");
    assert!(bench.wanted.contains(&Effect::Explain(DRAFT.into())));
    bench.keys("Esc");
    assert_eq!((bench.wanted.last(), &bench.app.overlay), (Some(&Effect::StopExplaining), &None));
    bench.keys("e Alt-x");
    assert!(matches!(bench.app.overlay, Some(Overlay::Explain(_))));
    bench.send(Msg::Explained(DRAFT.into(), Err("no such column: price".into())));
    bench.sees("the engine refuses the SQL").sees("no such column: price");
}

#[test]
fn a_megabyte_is_pasted_into_both_editors_and_lost_nowhere() {
    let long = "SELECT 'ä' AS one,\n".repeat(55_000);
    assert!(long.len() > 1 << 20);
    let mut bench = Bench::open(100, 30);
    bench.send(Msg::Paste(long.clone()));
    assert_eq!(bench.app.question.editor.text(), long);
    bench.keys("Alt-3");
    bench.send(Msg::Paste(long.replace('\n', " ")));
    assert_eq!(bench.app.sql.editor.text(), long.replace('\n', " "));
    bench.keys("x Backspace Home End").sees("1");
    assert_eq!(bench.app.sql.editor.text().len(), long.len());
}
