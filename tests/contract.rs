//! The headless contract where scripts lean on it: exit codes, budgets, privacy, formats.

mod program;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use program::Home;
use serde_json::json;

/// A table whose rows hold values that must not leave by themselves.
const PLANTED: &str = "
    CREATE TABLE patients (id INTEGER PRIMARY KEY, name TEXT, ward TEXT, age INTEGER);
    INSERT INTO patients VALUES (1, 'Quillfeather', 'Zephyrward', 37), (2, 'Quillfeather', 'Zephyrward', 9173);";

const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

#[test]
fn an_interrupted_run_ends_with_130() {
    let home = Home::new();
    let mut command = home.command(&["run", "--db", "demo:reservo", "--trace", ENDLESS]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let told = BufReader::new(child.stderr.take().unwrap());
    let mut lines = told.lines();
    // the statement passed its checks: next it runs, and never ends
    assert!(lines.any(|line| line.is_ok_and(|line| line.contains("\"checked\""))));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_unreachable_model_ends_with_5_and_says_where_it_was_looked_for() {
    let home = Home::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command =
        home.command(&["ask", "--db", "demo:reservo", "--model", "openai:any", "How many rooms?"]);
    let base = format!("http://{free}/v1");
    let output = command
        .env("OPENAI_API_KEY", "none")
        .env("OPENAI_BASE_URL", &base)
        .env("QUERENT_MODEL", "")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains(&free.to_string()), "{said}");
}

#[test]
fn calls_are_budgeted() {
    let home = Home::new();
    let ask = ["ask", "--db", "demo:reservo", "--model", "script:case-b", "--json"];
    let mut arguments = ask.to_vec();
    arguments.extend(["--max-calls", "1", "--repair", "model", "How many bookings are there?"]);
    let ended = home.run(&arguments);
    let run = ended.json();
    assert_eq!((ended.code, &run["status"]), (1, &json!("gave_up")), "{run}");
    assert_eq!(run["usage"]["model_calls"], 1);
    assert_eq!(run["stop"]["code"], "budget");
}

#[test]
fn a_privacy_level_holds_values_back() {
    let home = Home::new();
    let db = home.database("clinic.db", PLANTED);
    let told = |level: &str| {
        let question = "How many patients are there in each ward, and how old are they?";
        let ended =
            home.run(&["context", "--db", &db, "--privacy", level, "--model", "rules", question]);
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.out
    };
    let names = told("names");
    assert!(names.contains("patients") && names.contains("ward"), "{names}");
    for planted in ["Quillfeather", "Zephyrward", "9173"] {
        assert!(!names.contains(planted), "{planted} left at privacy names:\n{names}");
    }
    let rows = told("rows");
    assert!(rows.contains("Zephyrward"), "{rows}");
}

#[test]
fn evidence_joins_the_business_component() {
    let home = Home::new();
    let hint = "a big room seats more than nine";
    let question = "How many big rooms are there?";
    let package = home
        .run(&["context", "--db", "demo:reservo", "--json", "--evidence", hint, question])
        .json();
    let components = package["components"].as_array().unwrap();
    let business = components.iter().find(|c| c["kind"] == "business").unwrap();
    assert!(business["text"].as_str().unwrap().contains(hint), "{business}");
}

#[test]
fn tables_are_written_in_the_formats_that_were_asked_for() {
    let home = Home::new();
    let sql = "SELECT 1 AS n, 'a|b' AS t, NULL AS gone";
    let run = |format: &str| {
        let ended = home.run(&["run", "--db", "demo:reservo", "--format", format, sql]);
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.out
    };
    assert_eq!(run("tsv"), "n\tt\tgone\n1\ta|b\t\n");
    assert_eq!(run("csv"), "n,t,gone\n1,a|b,\n");
    assert_eq!(run("jsonl"), "{\"n\":1,\"t\":\"a|b\",\"gone\":null}\n");
    assert!(run("markdown").contains("a\\|b"));
}

#[test]
fn a_rating_is_kept_with_its_run() {
    let home = Home::new();
    home.run(&["ask", "--db", "demo:reservo", "How many bookings are there?"]);
    let rated = home.run(&["runs", "rate", "last", "+"]);
    assert_eq!(rated.code, 0, "{rated:?}");
    let runs = home.run(&["runs", "--json"]);
    assert!(runs.out.contains("\"+\""), "{runs:?}");
}

#[test]
fn a_knowledge_file_is_held_against_the_schema() {
    let home = Home::new();
    let db = home.database("shop.db", "CREATE TABLE orders (id INTEGER, total INTEGER);");
    let write = |formula: &str| {
        let text = format!(
            "[[metrics]]\nname = \"turnover\"\nmeaning = \"all money\"\nformula = \"{formula}\"\n\
             tables = [\"orders\"]\n"
        );
        let file = home.file("shop.knowledge.toml");
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let check = |file: &str| home.run(&["knowledge", "check", "--db", &db, "--knowledge", file]);
    let right = check(&write("SUM(total)"));
    assert_eq!(right.code, 0, "{right:?}");
    let wrong = check(&write("SUM(amount)"));
    assert_eq!(wrong.code, 1, "{wrong:?}");
    assert!(format!("{}{}", wrong.out, wrong.err).contains("amount"), "{wrong:?}");
}

/// Rows without end: the counter never stops.
const WITHOUT_END: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

#[test]
fn rows_are_written_while_they_come_and_a_reader_that_leaves_ends_the_statement() {
    let home = Home::new();
    for format in ["csv", "jsonl"] {
        let run = ["run", "--db", "demo:reservo", "--format", format, WITHOUT_END];
        let mut child = home.command(&run).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
        let expected = if format == "csv" { ["i", "1"] } else { ["{\"i\":1}", "{\"i\":2}"] };
        assert_eq!(first, expected);
        drop(lines);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_is_no_success() {
    let home = Home::new();
    let select = "SELECT name FROM rooms";
    for arguments in [
        vec!["run", "--db", "demo:reservo", select],
        vec!["run", "--db", "demo:reservo", "--format", "csv", select],
        vec!["run", "--db", "demo:reservo", "--json", select],
        vec!["context", "--db", "demo:reservo", "How many rooms?"],
        vec!["schema", "--db", "demo:reservo"],
        vec!["completions", "bash"],
        vec!["man"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = home.command(&arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("the result on standard output is not whole"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn rows_that_are_left_out_are_told() {
    let home = Home::new();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n";
    let ran = home.run(&["run", "--db", "demo:reservo", "--format", "csv", many]);
    assert_eq!(ran.out.lines().count(), 3_001);
    assert!(ran.err.contains("trust: grounded"), "{}", ran.err);
    let again = home.run(&["replay", "last", "--format", "csv"]);
    assert_eq!(again.out.lines().count(), 1_001);
    assert!(again.err.contains("first 1000 of 3000 rows: the run kept no more"), "{}", again.err);

    let cut = home.run(&["run", "--db", "demo:reservo", "--max-rows", "2", "--json", many]);
    let run = cut.json();
    assert_eq!((&run["row_count"], &run["truncated"]), (&json!(2), &json!(true)));
    assert_eq!(run["trust"], "needs_review");
    let reason = "The result is not whole: reading stopped after 2 rows, the limit given.";
    assert_eq!(run["reasons"], json!([reason]));
    for format in ["table", "csv"] {
        let cut =
            home.run(&["run", "--db", "demo:reservo", "--max-rows", "2", "--format", format, many]);
        assert!(cut.err.contains(reason), "{}", cut.err);
    }
}

#[test]
fn text_that_would_not_be_run_as_it_stands_is_refused() {
    let home = Home::new();
    let hidden = "SELECT name FROM rooms\0 WHERE floor = 99";
    let ended = home.run_with(&["run", "--db", "demo:reservo", "-"], hidden);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{}", ended.err);
    assert!(ended.err.contains("NUL character"), "{}", ended.err);

    let mut command = home.command(&["run", "--db", "demo:reservo", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"SELECT 'Z\xfcrich'").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("standard input is no UTF-8 text: byte 9"), "{said}");

    let marked = "\u{feff}{\"id\": 1, \"sql\": \"SELECT 1\"}\n";
    let ended = home.run_with(&["check", "--db", "demo:reservo", "--jsonl", "-"], marked);
    assert_eq!(ended.lines()[0]["status"], "ok", "{}", ended.out);
}
