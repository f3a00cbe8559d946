//! Any of the eight components left out by hand: its text isn't sent, and the report says why.

use serde_json::json;

use super::asked::{Asked, ask};
use super::program::Home;

/// The eight with the header that each stands under.
const HEADERS: [(&str, &str); 8] = [
    ("schema", "DATABASE SCHEMA CONTEXT:"),
    ("relationships", "TABLE RELATIONSHIPS:"),
    ("business", "BUSINESS CONTEXT:"),
    ("examples", "QUERY EXAMPLES:"),
    ("samples", "SAMPLE DATA (first 3 rows of "),
    ("statistics", "COLUMN STATISTICS:"),
    ("history", "RECENT SUCCESSFUL QUERIES:"),
    ("errors", "PREVIOUS ERRORS - AVOID THESE:"),
];

const QUESTION: &str = "What is the total price of confirmed bookings for each room?";
const WRONG: &str = "SELECT r.nme, SUM(b.price_cents) AS total FROM bookings b \
                     JOIN rooms r ON r.id = b.room_id WHERE b.status = 'confirmed' GROUP BY r.nme";
const RIGHT: &str = "SELECT r.name, SUM(b.price_cents) AS total FROM bookings b \
                     JOIN rooms r ON r.id = b.room_id WHERE b.status = 'confirmed' GROUP BY r.name";

/// A home whose memory holds a run that a person verified.
async fn home() -> Home {
    let home = Home::new();
    let question = "What did members of the tier plus book in all, in hours?";
    let sql = "SELECT SUM(b.hours) AS hours FROM bookings b \
               JOIN members m ON m.id = b.member_id WHERE m.tier = 'plus'";
    let asked = ask(&home, &["--db", "demo:reservo", question], &[sql]).await;
    assert_eq!(asked.ended.code, 0, "{:?}", asked.ended);
    let verified = home.run(&["runs", "verify", "last", "--by", "Ada"]);
    assert_eq!(verified.code, 0, "{verified:?}");
    home
}

/// Asks a question whose first draft fails, so that the second prompt tells of the error.
async fn told(home: &Home, more: &[&str]) -> Asked {
    let mut arguments = vec!["--db", "demo:reservo", "--repair", "model"];
    arguments.extend(more);
    arguments.push(QUESTION);
    let asked = ask(home, &arguments, &[WRONG, RIGHT]).await;
    assert_eq!(asked.told.len(), 2, "{:?}", asked.ended);
    asked
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_the_eight_can_be_left_out_by_hand() {
    let home = home().await;
    let all = told(&home, &[]).await.texts();
    for (name, header) in HEADERS {
        assert!(all.contains(header), "{name} is told when nobody leaves it out:\n{all}");
    }
    for (name, header) in HEADERS {
        let asked = told(&home, &["--without", name]).await;
        let texts = asked.texts();
        assert!(!texts.contains(header), "{name} is told though it was left out:\n{texts}");
        for (other, header) in HEADERS.iter().filter(|(other, _)| *other != name) {
            assert!(texts.contains(header), "{other} went with {name}:\n{texts}");
        }
        let context = &asked.ended.json()["context"];
        let component =
            context["components"].as_array().unwrap().iter().find(|c| c["kind"] == name).unwrap();
        assert_eq!(component["included"], json!(false), "{name}");
        assert_eq!(component["reason"], json!("switched off by hand"), "{name}");
        let included = context["components_included"].as_array().unwrap();
        assert!(!included.contains(&json!(name)), "{included:?}");
    }
}

#[test]
fn several_can_be_left_out_and_the_command_for_the_package_says_so() {
    let home = Home::new();
    let context = |more: &[&str]| {
        let mut arguments = vec!["context", "--db", "demo:reservo", QUESTION];
        arguments.extend(more);
        home.run(&arguments)
    };
    let ended = context(&["--without", "samples", "--without", "Business"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(!ended.out.contains("SAMPLE DATA") && !ended.out.contains("BUSINESS CONTEXT"));
    for name in ["samples", "business"] {
        let line = ended.err.lines().find(|line| line.contains(&format!("out: {name}"))).unwrap();
        assert!(line.ends_with("switched off by hand"), "{line}");
    }
}

#[test]
fn a_component_that_is_none_names_the_nearest() {
    for command in ["ask", "context"] {
        let ended =
            Home::new().run(&[command, "--db", "demo:reservo", "--without", "sampels", "x"]);
        assert_eq!(ended.code, 2);
        assert!(ended.err.contains("did you mean samples?"), "{}", ended.err);
        assert!(ended.err.contains("schema, relationships, business, examples"), "{}", ended.err);
    }
}
