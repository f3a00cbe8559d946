//! Ten questions on a shop, one for each way an answer can go.

use serde_json::{Value as Json, json};

use super::program::{Ended, Home};

/// A shop: six items in two kinds.
pub(crate) const SHOP: &str = "
    CREATE TABLE kinds (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
    CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL,
        stock INTEGER, kind_id INTEGER NOT NULL REFERENCES kinds(id));
    INSERT INTO kinds VALUES (1, 'Paper'), (2, 'Pens');
    INSERT INTO items VALUES (1, 'Notebook', 3.5, 10, 1), (2, 'Pad', 2.0, NULL, 1),
        (3, 'Pencil', 0.5, 200, 2), (4, 'Fountain pen', 25.0, 3, 2),
        (5, 'Ballpoint', 1.5, 80, 2), (6, 'Envelope', 0.5, 500, 1);";

/// A line of a set with what the model `m` was recorded to answer.
fn line(id: &str, question: &str, golds: &[&str], samples: &[&str]) -> Json {
    let more: Vec<Json> = samples[1..].iter().map(|sql| json!({ "sql": sql })).collect();
    json!({
        "id": id,
        "db": "shop",
        "question": question,
        "gold_sql": golds[0],
        "gold_alternatives": golds[1..],
        "predictions": [{ "model": "m", "sql": samples[0], "more": more }],
    })
}

/// The ten, with what becomes of each.
pub(crate) fn ten() -> Vec<Json> {
    let prices = "SELECT name, price FROM items";
    let count = "SELECT COUNT(*) FROM items";
    vec![
        // right at once, and in the gold's order
        line(
            "right",
            "List the names of all items by price, the dearest first.",
            &["SELECT name FROM items ORDER BY price DESC, id"],
            &["SELECT name FROM items ORDER BY price DESC, id"],
        ),
        // a misspelt column with one close name
        line(
            "mended",
            "What are name and price of each item?",
            &[prices],
            &["SELECT name, pric FROM items"],
        ),
        // runs, its rows are others, and the question says too little for a gate to see it
        line(
            "wrong",
            "How many items and their prices could one put into a bag?",
            &[count],
            &["SELECT COUNT(*) FROM kinds"],
        ),
        // no close name: the second sample is right
        line(
            "retried",
            "How many items have a price above 2?",
            &["SELECT COUNT(*) FROM items WHERE price > 2"],
            &[
                "SELECT COUNT(*) FROM items WHERE quotation > 2",
                "SELECT COUNT(*) FROM items WHERE price > 2.0",
            ],
        ),
        // no sample runs
        line(
            "failed",
            "What is the average price of all items?",
            &["SELECT AVG(price) FROM items"],
            &["SELECT AVG(quotation) FROM items", "SELECT AVG(quotation), 1 FROM items"],
        ),
        // a literal that is not stored: the gate grants a retry, and its sample is right
        line(
            "doubted",
            "What is the stock of the item Pencil?",
            &["SELECT stock FROM items WHERE name = 'Pencil'"],
            &[
                "SELECT stock FROM items WHERE name = 'Pencils'",
                "SELECT stock FROM items WHERE name = 'Pencil'",
            ],
        ),
        // the gold's rows with their columns turned
        line(
            "turned",
            "Show price and name of every item.",
            &[prices],
            &["SELECT price, name FROM items"],
        ),
        // SQL inside a fence
        line(
            "fenced",
            "How many items are stored?",
            &[count],
            &["```sql\nSELECT COUNT(id) FROM items\n```"],
        ),
        // asks for a change: declined, whatever was recorded
        line("declined", "Delete all items that cost 0.5.", &[count], &[count]),
        // equals the second of two golds, 14 / 6 and 2.3333333333
        line(
            "several",
            "What does an item of kind Paper weigh on the purse, on average?",
            &["SELECT 1.9", "SELECT 2.0"],
            &["SELECT AVG(price) FROM items WHERE kind_id = 1"],
        ),
    ]
}

/// Writes lines as a file.
pub(crate) fn set(home: &Home, name: &str, lines: &[Json]) -> String {
    let path = home.file(name);
    let text: Vec<String> = lines.iter().map(Json::to_string).collect();
    std::fs::write(&path, text.join("\n")).unwrap();
    path.display().to_string()
}

/// A home with the shop in a folder of databases.
pub(crate) fn home() -> (Home, String) {
    let home = Home::new();
    std::fs::create_dir(home.file("databases")).unwrap();
    home.database("databases/shop.sqlite", SHOP);
    let folder = home.file("databases").display().to_string();
    (home, folder)
}

fn eval(more: &[&str]) -> (Home, Ended) {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten());
    let mut arguments = vec!["eval", &set, "--db-dir", &folder, "--recorded", "m"];
    arguments.extend(more);
    let ended = home.run(&arguments);
    (home, ended)
}

/// The details of each question, by id.
fn details(home: &Home) -> impl Fn(&str) -> Json {
    let text = std::fs::read_to_string(home.file("details.jsonl")).unwrap();
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    move |id: &str| lines.iter().find(|line| line["id"] == id).unwrap().clone()
}

fn of<'a>(list: &'a Json, field: &str, name: &str) -> &'a Json {
    list.as_array().unwrap().iter().find(|one| one[field] == name).unwrap()
}

#[test]
fn each_answer_goes_its_way() {
    let (home, ended) = eval(&["--json", "--details", "details.jsonl"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let details = details(&home);
    let ways = [
        ("right", "right", "right", "right", ""),
        ("mended", "no_such_column", "right", "no_such_column", "local_repair:unknown_name"),
        ("wrong", "wrong", "wrong", "wrong", ""),
        ("retried", "no_such_column", "right", "right", "error_retry:no_such_column"),
        ("failed", "no_such_column", "unanswered", "no_such_column", "error_retry:no_such_column"),
        ("doubted", "wrong", "right", "wrong", "semantic_retry:ungrounded_literal"),
        ("turned", "other_column_order", "other_column_order", "other_column_order", ""),
        ("fenced", "syntax_error", "right", "syntax_error", "reading:"),
        ("declined", "right", "unanswered", "right", "understanding:write_request"),
        ("several", "right", "right", "right", ""),
    ];
    for (id, first, last, bare, step) in ways {
        let line = details(id);
        assert_eq!(line["first"], first, "{line}");
        assert_eq!(line["last"], last, "{line}");
        assert_eq!(line["bare_loop"], bare, "{line}");
        let steps: Vec<String> = line["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| format!("{}:{}", m["lane"].as_str().unwrap(), m["kind"].as_str().unwrap()))
            .collect();
        assert!(steps.join(" ").starts_with(step), "{id}: {steps:?}");
        assert_eq!(steps.is_empty(), step.is_empty(), "{id}: {steps:?}");
    }
}

#[test]
fn figures_are_those_of_the_ways() {
    let (_, ended) = eval(&["--json"]);
    let report = ended.json();
    assert_eq!(report["version"], 1);
    assert_eq!(report["cancelled"], false);
    let model = &report["models"][0];
    assert_eq!((&model["model"], &model["recorded"]), (&json!("m"), &json!(true)));
    assert_eq!(model["questions"], 10);
    // right, mended, retried, doubted, fenced, several
    assert_eq!(model["right"], 6);
    assert_eq!(model["right_in_any_column_order"], 7);
    // right, declined, several; and turned in any order; wrong and doubted ran, too
    let first = json!({ "right": 3, "right_in_any_column_order": 4, "ran": 6 });
    assert_eq!(model["first_answer"], first);
    // right, mended, fenced, several: before a second reply was asked for
    assert_eq!(model["right_at_first_attempt"], 4);
    assert_eq!((&model["fixed"], &model["broken"]), (&json!(4), &json!(1)));
    // all but failed and declined
    assert_eq!(model["answered"], 8);
    assert_eq!(model["row_order"], json!({ "questions": 1, "same": 1 }));
    let bare = &model["bare_loop"];
    // right, retried, declined, several; mended, failed and fenced never run
    assert_eq!((&bare["right"], &bare["ran"]), (&json!(4), &json!(7)));
    assert_eq!((&bare["fixed"], &bare["broken"]), (&json!(1), &json!(0)));
    // two each for retried and failed, one for the other eight
    assert_eq!(bare["attempts"], 12);
    // only there: declined; only here: mended, doubted, fenced. 2 · (1 + 4) / 2⁴
    let against = &bare["against"];
    assert_eq!((&against["lost"], &against["won"]), (&json!(1), &json!(3)));
    assert_eq!((&against["difference"], &against["p"]), (&json!(0.2), &json!(0.625)));
    // two for retried, failed and doubted, none for declined, one for six
    assert_eq!(model["attempts"]["total"], 12);
    assert_eq!(model["attempts"]["mean"], 1.2);
    assert_eq!(model["model_calls"]["answered"], 12);
}

#[test]
fn lanes_endings_and_checks_add_up() {
    let (_, ended) = eval(&["--json"]);
    let model = &ended.json()["models"][0];
    let lanes = &model["lanes"];
    let lane = |name: &str| {
        let lane = of(lanes, "lane", name);
        ["fired", "fixed", "broken", "still_right", "still_wrong", "untouched"]
            .map(|field| lane[field].as_u64().unwrap())
    };
    assert_eq!(lane("understanding"), [1, 0, 1, 0, 0, 9]);
    assert_eq!(lane("reading"), [1, 1, 0, 0, 0, 9]);
    assert_eq!(lane("local_repair"), [1, 1, 0, 0, 0, 9]);
    // retried is fixed, failed stays
    assert_eq!(lane("error_retry"), [2, 1, 0, 0, 1, 8]);
    assert_eq!(lane("semantic_retry"), [1, 1, 0, 0, 0, 9]);
    for quiet in ["check", "gate", "ending"] {
        assert_eq!(lane(quiet), [0, 0, 0, 0, 0, 10], "{quiet}");
    }
    let sum = |field: &str| {
        lanes.as_array().unwrap().iter().map(|lane| lane[field].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum("fixed"), sum("broken")), (4, 1));
    let declined = of(&model["endings"], "ending", "declined, write_request");
    assert_eq!((&declined["questions"], &declined["right"]), (&json!(1), &json!(0)));
    let column = of(&model["errors"], "class", "no_such_column");
    // first: mended, retried, failed; at the end: failed
    assert_eq!((&column["first"], &column["last"]), (&json!(3), &json!(1)));
    let checks = &model["checks"];
    // the fence was read, so three drafts fail, and one of them is mended here
    assert_eq!((&checks["failing"], &checks["flagged"]), (&json!(3), &json!(3)));
    assert_eq!((&checks["mended"], &checks["mended_right"]), (&json!(1), &json!(1)));
    // right, fenced and several are right drafts; wrong and doubted are wrong ones
    assert_eq!((&checks["right"], &checks["right_refused"]), (&json!(3), &json!(0)));
    assert_eq!((&checks["wrong"], &checks["wrong_warned"]), (&json!(2), &json!(1)));
    assert_eq!(model["databases"], json!([{ "db": "shop", "questions": 10, "right": 6 }]));
}

#[test]
fn the_report_is_markdown_by_itself_and_remembers_nothing() {
    let (home, ended) = eval(&[]);
    assert_eq!(ended.code, 0);
    assert!(ended.out.starts_with("# Evaluation: ten.jsonl\n"), "{}", ended.out);
    let row = |name: &str| ended.out.lines().find(|line| line.contains(name)).unwrap().to_owned();
    let right = row("right (execution accuracy)");
    for figure in ["3 · 30.0 %", "4 · 40.0 %", "6 · 60.0 %"] {
        assert!(right.contains(figure), "{right}");
    }
    assert!(row("| local repair").contains("|     1 |     1 |      0 |"), "{}", ended.out);
    let runs = home.run(&["runs", "--json"]);
    assert_eq!(runs.json(), json!([]), "{runs:?}");
}

#[test]
fn the_report_reads_well() {
    let (_, ended) = eval(&[]);
    // what it took differs from run to run
    let (before, rest) = ended.out.split_once("### Cost").unwrap();
    let (_, after) = rest.split_once("### Databases").unwrap();
    insta::assert_snapshot!(format!("{before}### Databases{after}"));
}

#[test]
fn a_chart_is_written_and_nobodys_file_is_lost() {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten());
    let eval = |more: &[&str]| {
        let mut arguments =
            vec!["eval", &set, "--db-dir", &folder, "--recorded", "m", "--limit", "1"];
        arguments.extend(more);
        home.run(&arguments)
    };
    for _ in 0..2 {
        let ended = eval(&["--chart", "right.svg"]);
        assert_eq!(ended.code, 0, "{ended:?}");
    }
    let svg = std::fs::read_to_string(home.file("right.svg")).unwrap();
    for words in ["<svg", "Right answers to ten.jsonl", "first answer", "bare loop", "querent"] {
        assert!(svg.contains(words), "{words}");
    }
    std::fs::write(home.file("mine.txt"), "mine").unwrap();
    for (option, file) in
        [("--chart", "mine.txt"), ("--details", "mine.txt"), ("--details", "ten.jsonl")]
    {
        let before = std::fs::read(home.file(file)).unwrap();
        let ended = eval(&[option, file]);
        assert_eq!(ended.code, 2, "{ended:?}");
        assert_eq!(std::fs::read(home.file(file)).unwrap(), before);
    }
    assert_eq!(eval(&["--details", "mine.txt", "--yes"]).code, 0);
    assert_ne!(std::fs::read(home.file("mine.txt")).unwrap(), b"mine");
}

#[test]
fn terms_of_a_run_hold_here_too() {
    let (_, ended) = eval(&["--json", "--repair", "none"]);
    let model = &ended.json()["models"][0];
    // right, fenced and several: nothing is mended or asked again
    assert_eq!((&model["right"], &model["fixed"]), (&json!(3), &json!(1)));
    let (_, ended) = eval(&["--json", "--max-attempts", "1"]);
    let model = &ended.json()["models"][0];
    // and mended: a rewrite is no attempt
    assert_eq!(model["right"], 4);
    assert_eq!(model["bare_loop"]["right"], 3);
}

#[test]
fn a_script_answers_by_the_ids_of_the_set() {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten()[..3]);
    let replies = [
        ("right", "SELECT name FROM items ORDER BY price DESC, id"),
        ("mended", "SELECT name, price FROM items"),
        ("wrong", "SELECT COUNT(*) FROM items"),
    ];
    let lines: Vec<Json> =
        replies.iter().map(|(id, sql)| json!({ "id": id, "replies": [sql] })).collect();
    let script = self::set(&home, "script.jsonl", &lines);
    let model = format!("script:{script}");
    let mut arguments = vec!["eval", &set, "--db-dir", &folder, "--model", &model];
    arguments.extend(["--json", "--chart", "right.svg"]);
    let ended = home.run(&arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    let svg = std::fs::read_to_string(home.file("right.svg")).unwrap();
    assert!(svg.contains("first answer") && !svg.contains("bare loop"), "{svg}");
    assert!(ended.err.contains("--recorded \"m\""), "{}", ended.err);
    let report = ended.json();
    let measured = &report["models"][0];
    assert_eq!((&measured["right"], &measured["recorded"]), (&json!(3), &json!(false)));
    assert_eq!(measured["bare_loop"], Json::Null);
}

#[test]
fn several_sets_and_recordings_are_laid_side_by_side() {
    let (home, folder) = home();
    let one = set(&home, "one.jsonl", &ten()[..1]);
    let mut other = ten().swap_remove(2);
    // a model of another name that gives the same wrong answer
    let copy = json!({ "model": "n", "sql": other["predictions"][0]["sql"] });
    other["predictions"].as_array_mut().unwrap().push(copy);
    let two = set(&home, "two.jsonl", &[other]);
    let ended = home.run(&["eval", &one, &two, "--db-dir", &folder, "--recorded", "all", "--json"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = ended.json();
    assert_eq!(report["sets"], json!(["one.jsonl", "two.jsonl"]));
    let figures: Vec<[&Json; 4]> = report["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| [&m["model"], &m["questions"], &m["right"], &m["unrecorded"]])
        .collect();
    assert_eq!(
        figures,
        [
            [&json!("m"), &json!(2), &json!(1), &json!(0)],
            [&json!("n"), &json!(1), &json!(0), &json!(1)],
        ]
    );
    // the copy counts once
    assert_eq!(report["together"]["answers"], 2);
    assert_eq!(report["together"]["checks"]["wrong"], 1);
}
