//! Queries of chance through check and repair.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::corpus::{change, changed, golds, misspelling, scaled};
use super::holding::Desk;

fn runner(cases: u32) -> TestRunner {
    let cases = scaled(cases);
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

#[test]
fn a_right_query_is_left_alone() {
    let mut desk = Desk::new();
    for gold in golds() {
        let db = format!("demo:{}", gold.demo);
        for probe in [false, true] {
            assert_eq!(
                desk.check(&db, &gold.sql, Some(&gold.question), probe),
                "ok",
                "{}",
                gold.sql
            );
        }
    }
}

#[test]
fn a_right_query_with_pieces_changed_is_checked_and_what_is_mended_stands() {
    let (golds, desk) = (golds(), RefCell::new(Desk::new()));
    let mended = RefCell::new(0);
    let changes = proptest::collection::vec(change(), 1..5);
    let cases = (prop::sample::select(golds), changes, any::<bool>());
    runner(400)
        .run(&cases, |(gold, changes, asked)| {
            let sql = changed(&gold.sql, &changes);
            let question = asked.then_some(gold.question.as_str());
            let db = format!("demo:{}", gold.demo);
            let status = desk.borrow_mut().check(&db, &sql, question, false);
            *mended.borrow_mut() += u32::from(status == "repaired");
            Ok(())
        })
        .unwrap();
    assert!(*mended.borrow() > 4, "the property is about mended queries: {}", mended.borrow());
}

#[test]
fn what_is_mended_of_a_right_query_with_words_misspelt_stands() {
    let (golds, desk) = (golds(), RefCell::new(Desk::new()));
    let mended = RefCell::new(0);
    let changes = proptest::collection::vec(misspelling(), 1..3);
    runner(250)
        .run(&(prop::sample::select(golds), changes), |(gold, changes)| {
            let sql = changed(&gold.sql, &changes);
            let db = format!("demo:{}", gold.demo);
            let status = desk.borrow_mut().check(&db, &sql, None, false);
            *mended.borrow_mut() += u32::from(status == "repaired");
            Ok(())
        })
        .unwrap();
    assert!(*mended.borrow() > 25, "the property is about mended queries: {}", mended.borrow());
}

#[test]
fn looks_at_the_data_change_nothing_of_it() {
    let (golds, desk) = (golds(), RefCell::new(Desk::new()));
    let changes = proptest::collection::vec(change(), 1..3);
    runner(60)
        .run(&(prop::sample::select(golds), changes), |(gold, changes)| {
            let sql = changed(&gold.sql, &changes);
            let db = format!("demo:{}", gold.demo);
            desk.borrow_mut().check(&db, &sql, Some(&gold.question), true);
            Ok(())
        })
        .unwrap();
}

#[test]
fn letters_of_chance_are_checked() {
    let desk = RefCell::new(Desk::new());
    let text = prop_oneof![any::<String>(), "\\PC{0,120}", "SELECT \\PC{0,80}", "[ -~]{0,160}"];
    runner(200)
        .run(&(text, any::<Option<String>>()), |(sql, question)| {
            desk.borrow_mut().check("demo:reservo", &sql, question.as_deref(), false);
            Ok(())
        })
        .unwrap();
}
