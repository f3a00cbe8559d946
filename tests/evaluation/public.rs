//! Recorded answers of a public set: verdicts are those that another program found. Needs the data
//! folder in `QUERENT_DATA`; says so without it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value as Json;

use super::program::Home;

/// The reference is another program on SQLite 3.40, its classes stand in the data.
fn class(verdict: &str) -> (&str, bool) {
    match verdict {
        "right" => ("ok_correct", false),
        "other_column_order" => ("ok_wrong", true),
        "wrong" => ("ok_wrong", false),
        class => (class, false),
    }
}

fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

#[test]
fn verdicts_on_first_answers_are_those_of_the_reference_and_lanes_add_up() {
    let Some(folder) = std::env::var_os("QUERENT_DATA").map(PathBuf::from) else {
        println!("skipped: QUERENT_DATA names no folder of benchmark data");
        return;
    };
    let set = folder.join("spider_dev.jsonl");
    let mut wanted = BTreeMap::new();
    for line in std::fs::read_to_string(&set).unwrap().lines() {
        let item: Json = serde_json::from_str(line).unwrap();
        for one in item["predictions"].as_array().unwrap() {
            let any = one["any_column_order"] == true;
            wanted.insert((text(&item["id"]), text(&one["model"])), (text(&one["class"]), any));
        }
    }
    let home = Home::new();
    let (set, databases) = (set.display().to_string(), folder.join("db").display().to_string());
    let models = ["gpt-3.5-turbo (CycleSQL samples)", "gpt-4 DAIL-SQL", "DeepSeek-7B DTS-SQL"];
    let mut arguments = vec!["eval", &set, "--db-dir", &databases, "--only-db", "pets_1,orchestra"];
    arguments.extend(models.iter().flat_map(|model| ["--recorded", *model]));
    arguments.extend(["--json", "--details", "details.jsonl"]);
    let ended = home.run(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let mut judged = 0;
    for line in std::fs::read_to_string(home.file("details.jsonl")).unwrap().lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        let verdict = text(&line["first"]);
        let (class, any) = class(&verdict);
        let wanted = &wanted[&(text(&line["id"]), text(&line["model"]))];
        assert_eq!((class, any), (wanted.0.as_str(), wanted.1), "{line}");
        judged += 1;
    }
    // 42 questions on pets_1 and 40 on orchestra
    assert_eq!(judged, 82 * models.len());
    for model in ended.json()["models"].as_array().unwrap() {
        let sum = |field: &str| {
            let lanes = model["lanes"].as_array().unwrap();
            lanes.iter().map(|lane| lane[field].as_u64().unwrap()).sum::<u64>()
        };
        let first = model["first_answer"]["right"].as_u64().unwrap();
        let last = model["right"].as_u64().unwrap();
        assert_eq!(first + sum("fixed"), last + sum("broken"), "{}", model["model"]);
    }
}
