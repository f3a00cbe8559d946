//! Bad input: each gets a sentence saying what, where and what to do; nothing is lost; no panic.

mod program;

use program::{Ended, Home};

fn said(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, code, "{ended:?}");
    assert!(!ended.err.contains("panicked"), "{ended:?}");
    for word in words {
        assert!(ended.err.to_lowercase().contains(word), "'{word}' is not in {ended:?}");
    }
}

fn count(home: &Home, db: &str) -> Ended {
    home.run(&["run", "--db", db, "--format", "csv", "SELECT 1 AS one"])
}

#[test]
fn a_missing_file_is_named_and_not_made() {
    let home = Home::new();
    said(&count(&home, "nowhere.sqlite"), 3, &["nowhere.sqlite"]);
    assert!(!home.file("nowhere.sqlite").exists());
}

#[test]
fn a_file_that_is_no_database_is_named() {
    let home = Home::new();
    std::fs::write(home.file("notes.txt"), "just some words, many of them, and no database at all")
        .unwrap();
    said(&count(&home, "notes.txt"), 3, &["notes.txt", "database"]);
}

#[test]
fn a_directory_is_named() {
    let home = Home::new();
    std::fs::create_dir(home.file("folder")).unwrap();
    said(&count(&home, "folder"), 3, &["folder"]);
}

#[test]
fn an_unknown_engine_lists_what_can_be_opened() {
    said(&count(&Home::new(), "oracle://host/db"), 2, &["oracle", "sqlite"]);
}

#[test]
fn an_unknown_demo_lists_the_demos() {
    said(&count(&Home::new(), "demo:nothing"), 2, &["reservo", "insurance"]);
}

#[test]
fn a_database_without_tables_is_answered_with_a_sentence() {
    let home = Home::new();
    let db = home.database("empty.sqlite", "CREATE TABLE t(x); DROP TABLE t;");
    let ended = home.run(&["ask", "--db", &db, "How many t are there?"]);
    said(&ended, 1, &[]);
    assert!(!ended.err.is_empty());
}

#[test]
fn names_with_quotes_spaces_keywords_and_signs_work() {
    let home = Home::new();
    let db = home.database(
        "odd.sqlite",
        "CREATE TABLE \"order\"(\"group by\" INTEGER, \"a\"\"b\" TEXT, \"📈 x\" REAL);
         INSERT INTO \"order\" VALUES (1, 'q', 2.5);",
    );
    let ended = home.run(&[
        "run",
        "--db",
        &db,
        "--format",
        "csv",
        "SELECT \"group by\", \"a\"\"b\", \"📈 x\" FROM \"order\"",
    ]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "group by,\"a\"\"b\",📈 x\n1,q,2.5\n"));
    let asked = home.run(&["ask", "--db", &db, "--json", "How many order are there?"]);
    assert_ne!(asked.code, 101, "{asked:?}");
}

#[test]
fn questions_of_any_shape_end_in_a_sentence() {
    let home = Home::new();
    let long = "bookings ".repeat(12_000);
    for question in [
        "",
        " \n\t ",
        "\u{0}\u{1b}[2J\u{7}",
        "Wie viele Buchungen gibt es?",
        "有多少预订？",
        "???",
        &long,
    ] {
        let ended = home.run_with(&["ask", "--db", "demo:reservo", "--json", "-"], question);
        assert!([0, 1].contains(&ended.code), "{question:.40}: {ended:?}");
        let run = ended.json();
        let told = [&run["summary"], &run["stop"]["message"], &run["clarify"]["question"]];
        assert!(told.iter().any(|t| t.as_str().is_some_and(|t| !t.is_empty())), "{question:.40}");
    }
}

#[test]
fn sql_that_does_more_than_read_is_refused() {
    let home = Home::new();
    let db = home.database("s.sqlite", "CREATE TABLE t(x); INSERT INTO t VALUES (1);");
    let before = std::fs::read(home.file("s.sqlite")).unwrap();
    let out = home.file("out.sqlite").display().to_string();
    for sql in [
        "INSERT INTO t VALUES (2)".to_owned(),
        "UPDATE t SET x = 2".to_owned(),
        "DROP TABLE t".to_owned(),
        "CREATE TABLE u(y)".to_owned(),
        "PRAGMA user_version = 7".to_owned(),
        "PRAGMA journal_mode = wal".to_owned(),
        format!("ATTACH '{out}' AS o"),
        format!("VACUUM INTO '{out}'"),
        "SELECT load_extension('x')".to_owned(),
        "BEGIN".to_owned(),
        "SELECT 1; DELETE FROM t".to_owned(),
        "WITH d AS (SELECT 1) DELETE FROM t".to_owned(),
        "REPLACE INTO t VALUES (3)".to_owned(),
        "EXPLAIN DELETE FROM t; DELETE FROM t".to_owned(),
    ] {
        let ended = home.run(&["run", "--db", &db, "--json", &sql]);
        assert_eq!(ended.code, 1, "{sql}: {ended:?}");
        assert_ne!(ended.json()["status"], "answered", "{sql}");
    }
    assert_eq!(std::fs::read(home.file("s.sqlite")).unwrap(), before);
    assert!(!home.file("out.sqlite").exists());
}

#[test]
fn values_of_any_kind_come_out_whole() {
    let home = Home::new();
    let db = home.database(
        "v.sqlite",
        "CREATE TABLE t(a, b, c, d);
         INSERT INTO t VALUES ('x' || char(0) || 'y', CAST(x'ff41' AS TEXT), zeroblob(3000000), '');",
    );
    let ended = home.run(&["run", "--db", &db, "--json", "SELECT a, b, length(c) AS c, d FROM t"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let row = &ended.json()["rows"][0];
    assert_eq!(row[0], "x\u{0}y");
    assert_eq!(row[1], "\u{fffd}A");
    assert_eq!((&row[2], &row[3]), (&3_000_000.into(), &"".into()));
    assert_eq!(home.run(&["run", "--db", &db, "--json", "SELECT c FROM t"]).code, 0);
}

#[test]
fn no_home_and_a_read_only_data_folder_cost_the_memory_only() {
    let home = Home::new();
    let mut command =
        home.command(&["ask", "--db", "demo:reservo", "--json", "How many bookings are there?"]);
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    std::fs::write(home.file("data"), "a file where a folder should be").unwrap();
    let ended =
        home.run(&["ask", "--db", "demo:reservo", "--json", "How many bookings are there?"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let replay = home.run(&["replay", "last"]);
    said(&replay, 2, &["remembered"]);
}

#[test]
fn a_broken_config_names_file_and_key() {
    let home = Home::new();
    std::fs::create_dir_all(home.file("config/querent")).unwrap();
    std::fs::write(home.file("config/querent/config.toml"), "modle = \"rules\"\n").unwrap();
    said(&home.run(&["models"]), 2, &["config.toml", "modle", "model"]);
}

#[test]
fn two_at_once_both_answer() {
    let home = Home::new();
    let ask = || {
        home.command(&["ask", "--db", "demo:reservo", "--json", "How many bookings are there?"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| ask()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
    }
    assert_eq!(home.run(&["runs", "--json"]).json().as_array().unwrap().len(), 4);
}
