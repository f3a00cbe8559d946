//! The switcher: profiles and demos to choose from, and what stays when one can't be opened.

use std::sync::Arc;

use insta::assert_snapshot;
use querent::config::{Config, Password, Profile};
use querent::tui::app::Door;
use querent::tui::effect::{Effect, Terms};
use querent::tui::msg::Msg;

use super::bench::{Bench, opened};

fn profiles() -> Config {
    let sales = Profile {
        password: Some(Password::Command("pass show sales".into())),
        ..Profile::of("sales", "postgres://me@db.example.com/sales")
    };
    let web = Profile::of("web", "mysql://me:hush@db.example.com/web");
    Config { profiles: vec![sales, web], ..Config::default() }
}

/// A workbench on the demo, with profiles beside it and half a question typed.
fn bench(width: u16, height: u16) -> Bench {
    let mut bench = Bench::configured(width, height, Arc::new(profiles()));
    bench.send(Msg::Opened(Box::new(opened())));
    bench.text("How many orders");
    bench
}

#[test]
fn profiles_are_listed_with_engine_and_address_and_without_password() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = bench(width, height);
        bench.keys("Ctrl-P").text("db.example");
        assert!(!bench.screen().contains("hush"));
        assert_snapshot!(format!("switching_{width}x{height}"), bench.screen());
    }
}

#[test]
fn a_profile_is_opened_by_its_name_and_the_question_stays() {
    let mut bench = bench(100, 30);
    bench.keys("Ctrl-P").text("sales postgres").keys("Enter");
    let Some(Effect::Open(terms)) =
        bench.wanted.iter().rev().find(|e| matches!(e, Effect::Open(_))).cloned()
    else {
        panic!("nothing is opened")
    };
    assert_eq!(terms.database.as_deref(), Some("sales"));
    let mut other = opened();
    other.header.database = "postgres://me@db.example.com/sales".into();
    other.terms = terms;
    bench.send(Msg::Opened(Box::new(other)));
    assert_eq!(bench.app.question.editor.as_str(), "How many orders");
    assert_eq!(bench.app.served.database.as_deref(), Some("sales"));
}

#[test]
fn a_connection_that_fails_says_so_and_the_former_database_stays() {
    let mut bench = bench(160, 48);
    bench.keys("Ctrl-P").text("sales postgres").keys("Enter");
    let (what, hint) = ("Nothing listens at db.example.com.", "Start the server.");
    bench.send(Msg::NotOpened(what.into(), hint.into()));
    bench.sees("Nothing listens at db.example.com. Start the server. demo:reservo stays open.");
    assert_eq!(bench.app.door, Door::Open);
    assert_eq!(bench.app.header.database, "demo:reservo");
    assert_eq!(bench.app.terms.database, bench.app.served.database);
    assert_eq!(bench.app.question.editor.as_str(), "How many orders");
}

#[test]
fn a_database_typed_with_its_password_is_chosen_again_and_shows_none() {
    let typed = "postgres://me:hush@localhost/d";
    let mut bench = bench(160, 48);
    let mut other = opened();
    other.header.database = "postgres://me@localhost/d".into();
    other.terms = Terms { database: Some(typed.into()), ..Terms::default() };
    bench.app.terms = other.terms.clone();
    bench.send(Msg::Opened(Box::new(other)));
    bench.send(Msg::Opened(Box::new(opened())));
    bench.keys("Ctrl-P").text("localhost");
    assert!(!bench.screen().contains("hush"));
    bench.keys("Enter");
    let opens =
        |e: &Effect| matches!(e, Effect::Open(terms) if terms.database.as_deref() == Some(typed));
    assert!(bench.wanted.iter().any(opens));
}
