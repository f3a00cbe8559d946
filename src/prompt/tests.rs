//! Replies as models write them, and the conversation of a retry.

use super::*;
use crate::domain::package::Form;
use crate::domain::{ContextPackage, Stage};

fn sql_of(reply: &str) -> String {
    match read(reply) {
        Reply::Sql { sql, .. } => sql,
        Reply::Cannot(why) | Reply::Broken(why) => panic!("no SQL in {reply:?}: {why}"),
    }
}

fn package() -> ContextPackage {
    ContextPackage {
        version: String::new(),
        generated_at: String::new(),
        components: Vec::new(),
        tokens: 0,
        budget: 0,
        form: Form::Text,
        tables: Vec::new(),
        columns: Vec::new(),
        values: Vec::new(),
        join_path: Vec::new(),
        warnings: Vec::new(),
    }
}

#[test]
fn the_structured_form_gives_plan_and_sql() {
    let reply =
        r#"{"plan": {"grain": "one row", "tables": ["t"]}, "sql": "SELECT COUNT(*) FROM t"}"#;
    let Reply::Sql { sql, plan, note } = read(reply) else { panic!("no SQL") };
    assert_eq!(sql, "SELECT COUNT(*) FROM t");
    assert_eq!(plan.unwrap()["grain"], "one row");
    assert_eq!(note, "");
}

#[test]
fn json_in_a_fence_with_prose_around_it_is_read() {
    let reply =
        "Sure.\n```json\n{\"plan\": {\"tables\": [\"t\"],}, \"sql\": \"SELECT 1\"}\n```\nDone.";
    let Reply::Sql { sql, plan, note } = read(reply) else { panic!("no SQL") };
    assert_eq!((sql.as_str(), plan.is_some(), note.as_str()), ("SELECT 1", true, "Sure.\nDone."));
}

#[test]
fn a_plan_in_one_fence_and_sql_in_another_belong_together() {
    let reply = "```json\n{\"grain\": \"one row per x\"}\n```\n```sql\nSELECT x FROM t\n```";
    let Reply::Sql { sql, plan, .. } = read(reply) else { panic!("no SQL") };
    assert_eq!(sql, "SELECT x FROM t");
    assert_eq!(plan.unwrap()["grain"], "one row per x");
}

#[test]
fn the_corrected_block_is_taken_over_the_quoted_wrong_one() {
    let reply = "You had\n```sql\nSELECT a FROM t\n```\nHere is the corrected query:\n```sql\nSELECT b FROM t\n```";
    assert_eq!(sql_of(reply), "SELECT b FROM t");
}

#[test]
fn bare_sql_is_kept_byte_for_byte() {
    assert_eq!(sql_of("SELECT  a\n  FROM t ;"), "SELECT  a\n  FROM t ;");
}

#[test]
fn a_stray_closing_fence_is_taken_off() {
    assert_eq!(sql_of("SELECT a FROM t\n```"), "SELECT a FROM t");
}

#[test]
fn thoughts_before_the_reply_go_to_the_note() {
    let reply = "<think>maybe SELECT 2?</think>SELECT 1";
    let Reply::Sql { sql, note, .. } = read(reply) else { panic!("no SQL") };
    assert_eq!((sql.as_str(), note.as_str()), ("SELECT 1", "maybe SELECT 2?"));
}

#[test]
fn a_write_is_handed_on_so_that_it_can_be_refused() {
    assert_eq!(sql_of("DELETE FROM t"), "DELETE FROM t");
}

#[test]
fn a_refusal_gives_its_reason() {
    let reason = Reply::Cannot("there is no table of prices.".to_owned());
    assert_eq!(read("cannot be answered, because there is no table of prices."), reason);
    assert_eq!(
        read("The question cannot be answered, because there is no table of prices."),
        reason
    );
    let json = r#"{"sql": null, "cannot": "there is no table of prices."}"#;
    assert_eq!(read(json), reason);
}

#[test]
fn a_doubt_behind_the_sql_is_no_refusal() {
    assert_eq!(sql_of("SELECT 1;\n\n(However, the rest cannot be answered.)"), "SELECT 1;");
}

#[test]
fn empty_prose_and_cut_replies_are_broken_each_with_its_reason() {
    assert_eq!(read(" \n"), Reply::Broken("the reply is empty".to_owned()));
    assert_eq!(read("I am happy to help."), Reply::Broken("the reply holds no SQL".to_owned()));
    let cut = r#"{"plan": {"grain": "one"#;
    assert!(matches!(read(cut), Reply::Broken(why) if why.contains("cut off")));
}

#[test]
fn sql_is_never_read_from_inside_a_broken_object() {
    let whole = "{\"plan\": {\"grain\": \"all\"}, \"sql\": \"SELECT COUNT(*) AS n FROM bookings\", \
                 \"explanation\": \"cut";
    assert_eq!(sql_of(whole), "SELECT COUNT(*) AS n FROM bookings");
    for broken in [
        "{\"sql\": \"SELECT COUNT(*) AS n FROM book",
        "{\"a\": 1} and {\"sql\": \"SELECT COUNT(*) AS n FROM book",
        "```json\n{\"sql\": \"SELECT COUNT(*) AS n FROM book\n```",
        "{\"sql\": \"SELECT \"n\" FROM bookings\"}",
    ] {
        assert!(matches!(read(broken), Reply::Broken(_)), "{broken}: {:?}", read(broken));
    }
}

#[test]
fn tags_around_sql_are_taken_off() {
    assert_eq!(sql_of("Here:\n<sql>\nSELECT 1 FROM t\n</sql>\nDone."), "SELECT 1 FROM t");
    assert_eq!(sql_of("<SQL>SELECT a FROM t"), "SELECT a FROM t");
}

#[test]
fn a_refusal_in_a_comment_is_one() {
    let cannot = Reply::Cannot("no table holds penguins".to_owned());
    let comment = "-- cannot be answered, because no table holds penguins";
    assert_eq!(read(&format!("```sql\n{comment}\n```")), cannot);
    assert_eq!(read(&format!("```sql\n{comment}\nSELECT 1;\n```")), cannot);
    assert_eq!(read(&format!("{comment}\nSELECT 1")), cannot);
}

#[test]
fn a_retry_is_question_then_former_sql_then_every_error() {
    let mut failure = Failure::new(Stage::Bind, "no_such_column", "column 'a' doesn't exist in t.");
    failure
        .diagnostics
        .extend(Failure::new(Stage::Bind, "x", "table 'u' doesn't exist.").diagnostics);
    let former = [("SELECT a FROM t, u".to_owned(), failed(&failure))];
    let question = Question { text: "How many?".to_owned(), ..Question::default() };
    let package = package();
    let ask = Ask {
        question: &question,
        package: &package,
        dialect: Dialect::Sqlite,
        today: "2026-01-02",
        former: &former,
    };
    let prompt = draft(&ask);
    let roles: Vec<Role> = prompt.turns.iter().map(|turn| turn.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    assert!(prompt.system.contains("SQLite") && prompt.system.contains("2026-01-02"));
    assert!(prompt.turns[0].text.contains("How many?"));
    assert_eq!(prompt.turns[1].text, "SELECT a FROM t, u");
    let note = &prompt.turns[2].text;
    assert!(note.contains("column 'a' doesn't exist in t.") && note.contains("table 'u' doesn't"));
    assert!(note.contains("corrected SQL only"));
}

#[test]
fn asking_again_keeps_the_conversation_and_says_why() {
    let former = Prompt { turns: Vec::new(), ..Prompt::default() };
    let prompt = again(&former, "", "the reply is empty");
    assert_eq!(prompt.turns.len(), 2);
    assert!(prompt.turns[1].text.contains("the reply is empty"));
}
