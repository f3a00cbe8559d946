//! The headless contract: streams, exit codes, formats, batches, replay.

#![allow(clippy::format_push_string, reason = "a script of three lines")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on shall stop")]

mod program;

use program::Home;
use serde_json::{Value as Json, json};

#[test]
fn a_command_without_a_database_names_the_demo() {
    let ended = Home::new().run(&["ask", "How many bookings are there?"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("--db demo"), "{}", ended.err);
    assert_eq!(ended.out, "");
}

#[test]
fn the_workbench_without_a_terminal_says_so() {
    let ended = Home::new().run(&[]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("terminal"), "{}", ended.err);
}

#[test]
fn an_unknown_flag_names_the_nearest_one() {
    let ended = Home::new().run(&["ask", "--max-atempts", "2", "x"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("--max-attempts"), "{}", ended.err);
}

#[test]
fn the_report_has_the_fields_of_the_contract_in_order() {
    let run = Home::new().run(&["run", "--db", "demo:reservo", "--json", "SELECT 1 AS one"]).json();
    let names: Vec<&str> = run.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "run",
            "parent",
            "question",
            "database",
            "model",
            "status",
            "stop",
            "clarify",
            "trust",
            "reasons",
            "assumptions",
            "kinds",
            "plan",
            "sql",
            "english",
            "columns",
            "rows",
            "row_count",
            "truncated",
            "summary",
            "findings",
            "attempts",
            "context",
            "usage",
            "elapsed_ms",
        ]
    );
    assert_eq!(run["question"], Json::Null);
    assert_eq!(run["attempts"][0]["origin"], "person");
    assert_eq!(run["rows"], json!([[1]]));
    assert_eq!(run["columns"], json!([{ "name": "one", "type": "integer" }]));
}

#[test]
fn sql_that_writes_is_a_write_request() {
    for sql in ["DELETE FROM bookings", "WITH x AS (SELECT 1) UPDATE bookings SET status = 'x'"] {
        let ended = Home::new().run(&["run", "--db", "demo:reservo", "--json", sql]);
        assert_eq!(ended.code, 1, "{sql}");
        assert_eq!(ended.json()["stop"]["code"], "write_request", "{sql}");
    }
}

#[test]
fn sql_of_ones_own_is_never_rewritten() {
    let ended =
        Home::new().run(&["run", "--db", "demo:reservo", "--json", "SELECT price FROM bookings"]);
    assert_eq!(ended.code, 1);
    let run = ended.json();
    assert_eq!(run["status"], "gave_up");
    assert_eq!(run["attempts"][0]["repairs"], json!([]));
    assert_eq!(run["attempts"][0]["error"]["stage"], "bind");
}

#[test]
fn a_request_to_change_data_is_declined() {
    let ended = Home::new().run(&[
        "ask",
        "--db",
        "demo:reservo",
        "--json",
        "Delete all bookings of room 2",
    ]);
    assert_eq!(ended.code, 1);
    let run = ended.json();
    assert_eq!(run["status"], "declined");
    assert_eq!(run["stop"]["code"], "write_request");
}

#[test]
fn the_rules_answer_without_a_model() {
    let ended =
        Home::new().run(&["ask", "--db", "demo:reservo", "--json", "How many bookings are there?"]);
    assert_eq!(ended.code, 0);
    let run = ended.json();
    assert_eq!(run["rows"], json!([[23]]));
    assert_eq!(run["attempts"][0]["origin"], "rules");
    assert_eq!(run["usage"]["model_calls"], 0);
    assert_eq!(run["model"], "rules");
}

#[test]
fn standard_output_holds_the_result_only() {
    let home = Home::new();
    let sql = "SELECT status, COUNT(*) AS n FROM bookings GROUP BY status ORDER BY status";
    let csv = home.run(&["run", "--db", "demo:reservo", "--format", "csv", sql]);
    assert_eq!(csv.code, 0);
    assert_eq!(csv.out.lines().next(), Some("status,n"));
    assert!(!csv.out.contains('\u{1b}'));
    let total: u32 =
        csv.out.lines().skip(1).map(|l| l.split(',').nth(1).unwrap().parse::<u32>().unwrap()).sum();
    assert_eq!(total, 23);
    let lines = home.run(&["run", "--db", "demo:reservo", "--format", "jsonl", sql]).lines();
    assert!(lines.iter().all(|row| row["n"].is_u64()));
}

#[test]
fn every_row_is_streamed_and_the_report_keeps_the_first_thousand() {
    let home = Home::new();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n";
    let csv = home.run(&["run", "--db", "demo:reservo", "--format", "csv", sql]);
    assert_eq!(csv.out.lines().count(), 5_001);
    assert_eq!(csv.out.lines().last(), Some("5000"));
    let run = home.run(&["run", "--db", "demo:reservo", "--json", sql]).json();
    assert_eq!(run["row_count"], 5_000);
    assert_eq!(run["rows"].as_array().unwrap().len(), 1_000);
    assert_eq!(run["truncated"], true);
    let few = home.run(&["run", "--db", "demo:reservo", "--json", "--max-rows", "7", sql]).json();
    assert_eq!(few["row_count"], 7);
    assert_eq!(few["truncated"], true);
}

#[test]
fn a_statement_out_of_time_ends_the_run() {
    let sql =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";
    let ended =
        Home::new().run(&["run", "--db", "demo:reservo", "--json", "--timeout", "0.2", sql]);
    assert_eq!(ended.code, 4);
    assert_eq!(ended.json()["stop"]["code"], "deadline");
}

#[test]
fn a_run_is_replayed_byte_for_byte_without_its_database() {
    let home = Home::new();
    let db = home.database("shop.sqlite", "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, price REAL);
        INSERT INTO items(name, price) VALUES ('pen', 1.5), ('book', 12.0), ('naïve ␛ \u{1b}[2J', NULL);");
    for question in ["How many items are there?", "What is the highest price?", "qwertz uiop?"] {
        let asked = home.run(&["ask", "--db", &db, "--json", question]);
        let id = asked.json()["run"].as_str().unwrap().to_owned();
        let moved = home.file("moved.sqlite");
        std::fs::rename(&db, &moved).unwrap();
        let replayed = home.run(&["replay", &id, "--json"]);
        std::fs::rename(&moved, &db).unwrap();
        assert_eq!(asked.bytes, replayed.bytes, "{question}");
        assert_eq!(asked.code, replayed.code, "{question}");
    }
}

#[test]
fn only_a_person_certifies() {
    let home = Home::new();
    let ask = ["ask", "--db", "demo:reservo", "--json", "How many members are there?"];
    let first = home.run(&ask).json();
    assert_eq!(first["trust"], "grounded");
    let id = first["run"].as_str().unwrap();
    assert_eq!(home.run(&["runs", "verify", id, "--by", "Ada"]).code, 0);
    let second = home.run(&ask).json();
    assert_eq!(second["trust"], "certified");
    assert!(second["reasons"].to_string().contains("Ada"));
    assert_eq!(home.run(&["memory", "withdraw", id]).code, 0);
    assert_eq!(home.run(&ask).json()["trust"], "grounded");
}

#[test]
fn a_check_finds_mends_and_says_so() {
    let home = Home::new();
    let check = |sql: &str| {
        let ended = home.run(&["check", "--db", "demo:reservo", "--json", sql]);
        (ended.code, ended.json())
    };
    let (code, ok) = check("SELECT COUNT(*) FROM bookings");
    assert_eq!((code, &ok["status"]), (0, &json!("ok")));
    assert_eq!(ok["id"], Json::Null);
    let (code, repaired) = check("SELECT SUM(price) FROM bookings");
    assert_eq!((code, &repaired["status"]), (1, &json!("repaired")));
    assert_eq!(repaired["sql"], "SELECT SUM(price_cents) FROM bookings");
    assert_eq!(repaired["diagnostics"][0]["code"], "no_such_column");
    let (code, rejected) = check("SELECT COUNT(*) FROM reservations");
    assert_eq!((code, &rejected["status"]), (1, &json!("rejected")));
    assert_eq!(rejected["diagnostics"][0]["code"], "no_such_table");
}

#[test]
fn a_batch_answers_a_line_each_and_a_bad_line_is_no_stop() {
    let home = Home::new();
    home.database("a.sqlite", "CREATE TABLE t(x INTEGER); INSERT INTO t VALUES (4), (5);");
    let folder = home.path().display().to_string();
    let input = "{\"id\": 1, \"db\": \"a\", \"sql\": \"SELECT x FROM t\", \"more\": true}\n\
        not json\n\
        {\"id\": \"three\", \"db\": \"nowhere\", \"sql\": \"SELECT 1\"}\n\
        {\"id\": 4, \"db\": \"a\", \"sql\": \"SELECT y FROM t WHERE x > 1\"}\n";
    let ended = home.run_with(&["check", "--jsonl", "-", "--db-dir", &folder], input);
    assert_eq!(ended.code, 1);
    let lines = ended.lines();
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[0]["id"], &lines[0]["status"]), (&json!(1), &json!("ok")));
    assert!(lines[1]["error"]["message"].is_string());
    assert_eq!(lines[2]["id"], "three");
    assert!(lines[2]["error"]["message"].is_string());
    assert_eq!(lines[3]["diagnostics"][0]["code"], "no_such_column");

    let input = "{\"id\": 7, \"db\": \"a\", \"question\": \"How many t are there?\"}\n";
    let ended = home.run_with(&["ask", "--jsonl", "-", "--db-dir", &folder], input);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.lines()[0]["rows"], json!([[2]]));
}

#[test]
fn a_package_is_shown_without_a_model() {
    let package = Home::new()
        .run(&[
            "context",
            "--db",
            "demo:reservo",
            "--json",
            "What is the total price of confirmed bookings?",
        ])
        .json();
    for name in [
        "version",
        "generated_at",
        "components_included",
        "tokens",
        "components",
        "tables",
        "columns",
        "values",
        "join_path",
    ] {
        assert!(package.get(name).is_some(), "{name}");
    }
    let components = package["components"].as_array().unwrap();
    let kinds: Vec<&str> = components.iter().map(|c| c["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "schema",
            "relationships",
            "business",
            "examples",
            "samples",
            "statistics",
            "history",
            "errors"
        ]
    );
    assert!(
        components[0]["text"]
            .as_str()
            .unwrap()
            .starts_with(&format!("DATABASE SCHEMA CONTEXT:\n{}\n", "=".repeat(60)))
    );
}

#[test]
fn completions_and_the_manual_come_from_the_same_table() {
    let home = Home::new();
    assert!(home.run(&["completions", "bash"]).out.contains("--max-attempts"));
    assert!(home.run(&["man"]).out.contains("querent"));
    assert_eq!(home.run(&["config"]).code, 0);
    assert!(home.run(&["models"]).out.contains("rules"));
}

#[test]
fn what_is_not_stored_is_still_shown_and_counted() {
    let home = Home::new();
    std::fs::create_dir_all(home.file("config/querent")).unwrap();
    std::fs::write(home.file("config/querent/config.toml"), "store = \"nothing\"\n").unwrap();
    let ask = ["run", "--db", "demo:reservo", "SELECT COUNT(*) AS n FROM rooms"];
    let table = home.run(&ask);
    assert!(table.out.contains(" 6") || table.out.contains("\n6"), "{table:?}");
    assert!(!table.out.contains("No rows"), "{table:?}");
    let asked = home.run(&[&ask[..], &["--json"]].concat());
    let run = asked.json();
    assert_eq!((&run["row_count"], &run["rows"]), (&json!(1), &json!([])));
    let id = run["run"].as_str().unwrap();
    assert_eq!(home.run(&["replay", id, "--json"]).bytes, asked.bytes);
}

#[test]
fn a_verified_pair_belongs_to_its_file_and_not_to_its_name() {
    let home = Home::new();
    std::fs::create_dir_all(home.file("a")).unwrap();
    std::fs::create_dir_all(home.file("b")).unwrap();
    for folder in ["a", "b"] {
        home.database(
            &format!("{folder}/shop.sqlite"),
            "CREATE TABLE items(x); INSERT INTO items VALUES (1);",
        );
    }
    let ask = |folder: &str| {
        let mut command =
            home.command(&["ask", "--db", "shop.sqlite", "--json", "How many items are there?"]);
        let output = command.current_dir(home.file(folder)).output().unwrap();
        serde_json::from_slice::<Json>(&output.stdout).unwrap()
    };
    let first = ask("a");
    assert_eq!(
        home.run(&["runs", "verify", first["run"].as_str().unwrap(), "--by", "Ada"]).code,
        0
    );
    assert_eq!(ask("a")["trust"], "certified");
    assert_eq!(ask("b")["trust"], "grounded");
}

#[test]
fn a_batch_skips_blank_lines_and_keeps_the_id_of_a_line_with_a_wrong_field() {
    let home = Home::new();
    let ended = home.run_with(
        &["check", "--db", "demo:reservo", "--jsonl", "-"],
        "\n{\"id\": \"a\", \"sql\": 5}\n\n{\"id\": \"b\", \"sql\": \"SELECT 1\"}\n",
    );
    let lines = ended.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["id"], &lines[1]["id"]), (&json!("a"), &json!("b")));
    assert!(lines[0]["error"]["message"].is_string());
}

#[test]
fn full_text_tables_are_read() {
    let home = Home::new();
    let db = home.database(
        "text.sqlite",
        "CREATE VIRTUAL TABLE docs USING fts5(title); INSERT INTO docs VALUES ('a b'), ('c');",
    );
    let ended =
        home.run(&["run", "--db", &db, "--format", "csv", "SELECT COUNT(*) AS n FROM docs"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "n\n2\n"));
}

/// Writes a script and asks with it.
fn scripted(replies: &[&str], question: &str) -> Json {
    let home = Home::new();
    let mut script =
        "name = \"test\"\nlabel = \"plays a test\"\ndatabase = \"demo:reservo\"\n".to_owned();
    script.push_str("question = \"any\"\nrepeat_last = false\n");
    for reply in replies {
        script.push_str(&format!("[[reply]]\ntext = '''{reply}'''\n"));
    }
    let file = home.file("test.toml");
    std::fs::write(&file, script).unwrap();
    let model = format!("script:{}", file.display());
    home.run(&["ask", "--db", "demo:reservo", "--model", &model, "--json", question]).json()
}

#[test]
fn a_reply_with_a_label_keeps_its_first_statement() {
    let replies = ["SQL: SELECT name FROM rooms\nUNION ALL\nSELECT full_name FROM members"];
    let run = scripted(&replies, "List all names");
    assert_eq!(run["row_count"], 14, "{run}");
}

#[test]
fn a_model_that_says_it_cannot_is_declined_and_prose_is_no_sql() {
    let run = scripted(
        &["cannot be answered, because the database holds no weather"],
        "bookings on rainy days",
    );
    assert_eq!((&run["status"], &run["stop"]["code"]), (&json!("declined"), &json!("ungrounded")));
    let run = scripted(&["I am not sure.", "Let me think.", "Hm."], "How many bookings are there?");
    assert_eq!((&run["status"], &run["stop"]["code"]), (&json!("gave_up"), &json!("model")));
    assert_eq!(run["usage"]["model_calls"], 3);
}

#[test]
fn a_model_that_wants_to_write_is_stopped_by_policy() {
    let run = scripted(&["DELETE FROM bookings"], "How many bookings are there?");
    assert_eq!((&run["status"], &run["stop"]["code"]), (&json!("gave_up"), &json!("policy")));
}
