//! The form of the package: chosen by argument, variable or file, and sent as chosen.

use serde_json::json;

use super::asked::ask;
use super::program::Home;

const QUESTION: &str = "How many bookings were confirmed?";
const SQL: &str = "SELECT COUNT(*) AS n FROM bookings WHERE status = 'confirmed'";

#[tokio::test(flavor = "multi_thread")]
async fn the_prompt_is_sent_in_the_form_that_was_asked_for() {
    let home = Home::new();
    for (form, there, not_there) in [
        ("text", "DATABASE SCHEMA CONTEXT:\n=====", "schema:\n"),
        ("toon", "schema:\n  tables:\n", "DATABASE SCHEMA CONTEXT:"),
        ("skeleton", "\nbookings(id)\n", "price_cents"),
    ] {
        let asked = ask(&home, &["--db", "demo:reservo", "--form", form, QUESTION], &[SQL]).await;
        assert_eq!(asked.ended.code, 0, "{:?}", asked.ended);
        let told = format!("\n{}", asked.texts());
        assert!(told.contains(there), "{form}:\n{told}");
        assert!(!told.contains(not_there), "{form}:\n{told}");
    }
}

#[test]
fn a_form_is_taken_from_the_argument_else_the_variable_else_the_file() {
    let home = Home::new();
    let form = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = home.command(&["context", "--db", "demo:reservo", "--json", QUESTION]);
        command.args(arguments);
        if let Some(form) = variable {
            command.env("QUERENT_FORM", form);
        }
        let package = super::program::Ended::of(command.output().unwrap()).json();
        package["form"].as_str().unwrap().to_owned()
    };
    assert_eq!(form(None, &[]), "text");
    let folder = home.file("config/querent");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "form = \"skeleton\"\n").unwrap();
    assert_eq!(form(None, &[]), "skeleton");
    assert_eq!(form(Some("toon"), &[]), "toon");
    assert_eq!(form(Some("toon"), &["--form", "text"]), "text");
    let wrong = home.run(&["context", "--db", "demo:reservo", "--form", "tone", QUESTION]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("toon"), "{}", wrong.err);
}

#[test]
fn a_skeleton_says_what_it_leaves_out_and_lists_only_key_columns() {
    let question = "What is the total price of confirmed bookings for each room?";
    let package = Home::new()
        .run(&["context", "--db", "demo:reservo", "--json", "--form", "skeleton", question])
        .json();
    assert_eq!(package["components_included"], json!(["schema", "relationships"]));
    let components = package["components"].as_array().unwrap();
    let samples = components.iter().find(|c| c["kind"] == "samples").unwrap();
    assert_eq!(samples["reason"], "the skeleton form tells tables and keys only");
    let columns = package["columns"].as_array().unwrap();
    assert!(columns.contains(&json!("bookings.room_id")), "{columns:?}");
    assert!(!columns.contains(&json!("bookings.price_cents")), "{columns:?}");
}

#[test]
fn trims_are_told_with_what_each_saved() {
    let home = Home::new();
    let question = "What is the total price of confirmed bookings for each room?";
    let context = |tokens: &str| {
        home.run(&["context", "--db", "demo:reservo", "--json", "--tokens", tokens, question])
            .json()
    };
    let (whole, short) = (context("6000"), context("1300"));
    let tokens = |package: &serde_json::Value| package["tokens"].as_u64().unwrap();
    assert!(tokens(&whole) > 1_300 && tokens(&short) <= 1_300);
    let cut: Vec<String> = short["components"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|component| component["cut"].as_array().cloned().unwrap_or_default())
        .map(|line| line.as_str().unwrap().to_owned())
        .collect();
    let saved = |line: &String| -> u64 {
        let told = line.strip_suffix(" saved").and_then(|line| line.rsplit_once(": ~"));
        told.map_or(0, |(_, number)| number.split(' ').next().unwrap().parse().unwrap())
    };
    assert!(cut.iter().any(|line| line.starts_with("row 3 of ")), "{cut:?}");
    let total: u64 = cut.iter().map(saved).sum();
    assert_eq!(total, tokens(&whole) - tokens(&short), "{cut:?}");
    let warning = short["warnings"][0].as_str().unwrap();
    // what the schema gave besides is told with it
    let of_schema = |line: &str| line.starts_with("these: ") || line.contains(" not told: ");
    let pieces: Vec<&String> =
        cut.iter().filter(|line| saved(line) > 0 && !of_schema(line)).collect();
    let of_pieces: u64 = pieces.iter().map(|line| saved(line)).sum();
    let pieces = pieces.len();
    let start = format!("{pieces} pieces left out to fit the budget: ~{of_pieces} tokens saved");
    assert!(warning.starts_with(&start), "{warning}");
}

#[tokio::test(flavor = "multi_thread")]
async fn our_estimate_stands_beside_the_providers_count() {
    let asked = ask(&Home::new(), &["--db", "demo:reservo", QUESTION], &[SQL]).await;
    let usage = &asked.ended.json()["usage"];
    assert_eq!(usage["input_tokens"], json!(1_320));
    let body = asked.sent.last().unwrap().split_once("\n{").unwrap().1;
    let body: serde_json::Value = serde_json::from_str(&format!("{{{body}")).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let bytes = messages.iter().map(|m| m["content"].as_str().unwrap().len());
    let right: usize = bytes.map(|bytes| (bytes * 10).div_ceil(36)).sum();
    assert_eq!(usage["estimated_input_tokens"], json!(right));
}
