//! What components are worth: the model here answers right only while it is told of the schema.

use serde_json::{Value as Json, json};

use super::program::Ended;
use super::server::{Played, Server};
use super::shop::{home, set, ten};

/// A reply as a stream of the chat completions protocol: 100 tokens read, 10 written.
fn stream(text: &str) -> Played {
    let words = json!({"choices": [{"index": 0, "finish_reason": null,
        "delta": {"role": "assistant", "content": text}}]});
    let stop = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}});
    Played::events(&format!("data: {words}\n\ndata: {stop}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_component_is_left_out_in_turn_and_compared_over_the_same_questions() {
    let (home, folder) = home();
    let set = set(&home, "one.jsonl", &ten()[2..3]);
    let (right, wrong) = ("SELECT COUNT(*) FROM items", "SELECT COUNT(*) FROM kinds");
    // all, without schema, and then the right one for whatever else is left out
    let server = Server::start(vec![stream(right), stream(wrong), stream(right)]).await;
    let arguments =
        ["eval", &set, "--db-dir", &folder, "--model", "openai:m", "--ablate", "--json"];
    let mut command = home.command(&arguments);
    command.env("OPENAI_API_KEY", "none");
    command.env("OPENAI_BASE_URL", format!("{}/v1", server.address));
    let ended = tokio::task::block_in_place(|| Ended::of(command.output().unwrap()));
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = ended.json();
    let rows = report["models"][0]["ablation"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["setting"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[1]), ("all", "without schema"));
    assert_eq!(names[9..], ["schema and examples only", "schema only", "none"]);
    // one of one lost: 2 · 1/2; (1 − 2) / 3 ± 1.96 · √((3/3 − 1/9) / 3) is from −1 (cut) to 0.7336
    let lost = &rows[1]["difference"];
    assert_eq!(
        (&lost["lost"], &lost["won"], &lost["difference"]),
        (&json!(1), &json!(0), &json!(-1.0))
    );
    assert_eq!((&lost["p"], &lost["low"]), (&json!(1.0), &json!(-1.0)));
    assert!((lost["high"].as_f64().unwrap() - 0.7336).abs() < 1e-4, "{lost}");
    assert_eq!(rows[1]["tokens"]["input"], 100);
    let told = server.got();
    let measured: Vec<&Json> = rows.iter().filter(|row| row["measured"] == true).collect();
    assert_eq!(told.len(), measured.len(), "one call a setting: {names:?}");
    // what is said to be left out was not sent
    let headers = [
        ("schema", "DATABASE SCHEMA CONTEXT:"),
        ("relationships", "TABLE RELATIONSHIPS:"),
        ("samples", "SAMPLE DATA (first 3 rows of "),
        ("statistics", "COLUMN STATISTICS:"),
    ];
    for (row, got) in measured.iter().zip(&told) {
        let without = row["without"].as_array().unwrap();
        for (name, header) in headers.iter().filter(|(name, _)| without.contains(&json!(name))) {
            assert!(!got.body.to_string().contains(header), "{name} was sent: {row}");
        }
    }
    // without a verified pair there is no history to leave out: nothing was asked for it
    let history = rows.iter().find(|row| row["setting"] == "without history").unwrap();
    assert_eq!((&history["measured"], &history["difference"]), (&json!(false), &Json::Null));
}

#[test]
fn a_recording_says_that_it_cannot_tell_what_a_component_is_worth() {
    let (home, folder) = home();
    let set = set(&home, "ten.jsonl", &ten()[..2]);
    let ended = home.run(&["eval", &set, "--db-dir", &folder, "--recorded", "m", "--ablate"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains("### What each component is worth"), "{}", ended.out);
    assert!(
        ended.out.contains("A recording answers the same whatever it is told"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("McNemar"), "{}", ended.out);
}
