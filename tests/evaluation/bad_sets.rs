//! What is wrong with a set is said, with its line, and stops nothing else.

use serde_json::json;

use super::shop::{home, set, ten};

#[test]
fn lines_that_cannot_be_scored_are_told_and_the_others_scored() {
    let (home, folder) = home();
    let good = ten().swap_remove(0);
    let with = |field: &str, value: serde_json::Value| {
        let mut line = good.clone();
        line[field] = value;
        line.to_string()
    };
    let lines = [
        "{oops".to_owned(),
        with("db", json!("nowhere")),
        with("db", json!("../databases/shop")),
        with("gold_sql", json!("SELECT nonsense FROM items")),
        with("gold_sql", json!("DROP TABLE items")),
        with("gold_sql", json!("")),
        good.to_string(),
    ];
    let path = home.file("bad.jsonl");
    std::fs::write(&path, lines.join("\n")).unwrap();
    let path = path.display().to_string();
    let arguments = ["eval", &path, "--db-dir", &folder, "--recorded", "m"];
    let ended = home.run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    let report = ended.json();
    assert_eq!(report["models"][0]["questions"], 1);
    assert_eq!(report["models"][0]["right"], 1);
    let told = report["unscored"].as_array().unwrap();
    let wanted = [
        (1, "the line is no JSON"),
        (2, "nowhere.sqlite"),
        (3, "'../databases/shop' is no name of a database in the folder"),
        (4, "the gold SQL doesn't run: gold 1 of 1: no_such_column: no such column: nonsense"),
        (5, "the gold SQL doesn't run"),
        (6, "the line has no gold_sql to compare with"),
    ];
    assert_eq!(told.len(), wanted.len(), "{told:?}");
    for (line, (number, words)) in told.iter().zip(wanted) {
        assert_eq!(line["line"], number);
        assert!(line["message"].as_str().unwrap().contains(words), "{line}");
    }
    let plain = home.run(&arguments);
    assert_eq!(plain.code, 1);
    assert!(plain.out.contains("## Not scored: 6 lines"), "{}", plain.out);
    assert!(plain.out.contains("- line 4 (right): the gold SQL doesn't run"), "{}", plain.out);
}

#[test]
fn a_gold_that_fails_beside_one_that_runs_is_told() {
    let (home, folder) = home();
    let mut line = ten().swap_remove(9);
    line["gold_alternatives"] = json!(["SELECT oops", "SELECT 2"]);
    let set = set(&home, "set.jsonl", &[line]);
    let ended = home.run(&["eval", &set, "--db-dir", &folder, "--recorded", "m", "--json"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = ended.json();
    assert_eq!(report["models"][0]["right"], 1);
    let note = report["gold_notes"][0]["message"].as_str().unwrap();
    assert!(note.starts_with("doesn't run: gold 2 of 3: no_such_column"), "{note}");
}

#[test]
fn what_is_named_and_is_not_there_ends_with_2_and_names_the_nearest() {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten());
    std::fs::write(home.file("empty.jsonl"), "\n").unwrap();
    let cases: [(&[&str], &str); 8] = [
        (&["missing.jsonl"], "missing.jsonl can't be read"),
        (&["empty.jsonl"], "empty.jsonl holds no questions"),
        (&[&set, "--recorded", "n"], "no recording named 'n'"),
        (&[&set, "--only-db", "shp"], "Did you mean 'shop'?"),
        (&[&set, "--db-dir", "nowhere"], "--db-dir nowhere is no folder"),
        (&[&set, "--recorded", "m", "--model", "rules"], "cannot be used with"),
        (&[&set, "--model", "nobody:x"], "nobody"),
        (&[&set, "--ablat"], "--ablate"),
    ];
    for (arguments, words) in cases {
        let mut all = vec!["eval"];
        all.extend(arguments);
        if !arguments.contains(&"--db-dir") {
            all.extend(["--db-dir", &folder]);
        }
        let ended = home.run(&all);
        assert_eq!(ended.code, 2, "{arguments:?}: {ended:?}");
        assert!(ended.err.contains(words), "{arguments:?}: {}", ended.err);
        assert_eq!(ended.out, "", "{arguments:?}");
    }
}

#[test]
fn a_set_may_come_on_standard_input() {
    let (home, folder) = home();
    let input = ten()[0].to_string();
    let arguments = ["eval", "-", "--db-dir", &folder, "--recorded", "m", "--json"];
    let ended = home.run_with(&arguments, &input);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(ended.json()["sets"], json!(["standard input"]));
}

#[test]
fn a_model_that_never_answers_is_told_by_the_exit_code() {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten()[..2]);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = home.command(&["eval", &set, "--db-dir", &folder, "--model", "openai:any"]);
    command.env("OPENAI_API_KEY", "none").env("OPENAI_BASE_URL", format!("http://{free}/v1"));
    let ended = super::program::Ended::of(command.output().unwrap());
    assert_eq!(ended.code, 5, "{ended:?}");
    assert!(ended.err.contains("the model answered none of the questions"), "{}", ended.err);
    assert!(ended.out.contains("gave up, model"), "{}", ended.out);
}
