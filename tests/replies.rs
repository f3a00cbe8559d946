//! Replies as models really wrote them: every one of the recorded raw answers gives its SQL.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

use querent::domain::Dialect;
use querent::prompt::{Reply, read};
use querent::sql::ReadQuery;

#[expect(clippy::print_stderr, reason = "says what is skipped")]
#[test]
fn recorded_raw_replies_give_their_sql() {
    let Some(folder) = std::env::var_os("QUERENT_DATA") else {
        eprintln!("skipped: QUERENT_DATA is not set");
        return;
    };
    let path = std::path::Path::new(&folder).join("raw_answers.jsonl");
    let mut read_well = 0;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let item: serde_json::Value = serde_json::from_str(line).unwrap();
        let raw = item["raw"].as_str().unwrap();
        let Reply::Sql { sql, .. } = read(raw) else { panic!("{} gives no SQL", item["id"]) };
        let start = sql.trim_start().to_ascii_uppercase();
        assert!(start.starts_with("SELECT") || start.starts_with("WITH"), "{}: {sql}", item["id"]);
        assert!(!sql.contains("```") && !sql.contains("\\_") && !sql.contains("\\*"), "{sql}");
        read_well += 1;
    }
    assert_eq!(read_well, 221);
}

fn data(set: &str) -> Option<Vec<serde_json::Value>> {
    let folder = std::env::var_os("QUERENT_DATA")?;
    let text = std::fs::read_to_string(std::path::Path::new(&folder).join(set)).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What must be read of a reply.
enum Wanted {
    /// This SQL, byte for byte.
    Sql(String),
    /// Nothing: the reply is broken.
    Broken,
}

/// A reply in each form that models use, around one query.
fn forms(sql: &str) -> Vec<(&'static str, String, Wanted)> {
    let same = || Wanted::Sql(sql.to_owned());
    let json = serde_json::to_string(sql).unwrap();
    let escaped = sql.replace('_', "\\_").replace('*', "\\*");
    let plan = r#""plan": {"grain": "one row per x", "filters": ["a_b = 'c'",]}"#;
    let half = json.get(..json.len() / 2).filter(|half| half.is_ascii()).unwrap_or("\"SELECT");
    vec![
        (
            "structured",
            format!("{{\"plan\": {{\"grain\": \"one row\"}}, \"sql\": {json}}}"),
            same(),
        ),
        ("structured in a fence", format!("```json\n{{\"sql\": {json}}}\n```"), same()),
        (
            "structured in prose",
            format!("Here it is:\n{{\"sql\": {json}}}\nHope it helps."),
            same(),
        ),
        ("broken JSON", format!("{{{plan}, \"sql\": {json},}}"), same()),
        ("JSON without its end", format!("{{\"sql\": {json}"), same()),
        ("cut off in its SQL", format!("{{\"sql\": {half}"), Wanted::Broken),
        ("fenced", format!("```sql\n{sql}\n```"), same()),
        (
            "fenced, unnamed, in prose",
            format!("This counts them:\n\n```\n{sql}\n```\n\nIt joins."),
            same(),
        ),
        ("fenced without its end", format!("```SQLite\n{sql}"), same()),
        ("bare", sql.to_owned(), same()),
        ("bare with a stray fence", format!("{sql}\n```"), same()),
        ("Markdown escapes", escaped, same()),
        ("tags", format!("<sql>{sql}</sql>"), same()),
        ("thoughts first", format!("<think>SELECT is needed</think>{sql}"), same()),
        ("empty", "  \n".to_owned(), Wanted::Broken),
    ]
}

#[test]
fn each_form_of_a_reply_gives_the_query_byte_for_byte() {
    let Some(golds) = data("spider_dev.jsonl") else { return };
    let (mut read_well, mut wrong) = (0, Vec::new());
    for gold in golds.iter().step_by(5) {
        // a backslash of the SQL itself is no escape of Markdown
        let sql = gold["gold_sql"].as_str().unwrap().trim();
        for (form, reply, wanted) in forms(sql).into_iter().filter(|_| !sql.contains('\\')) {
            let right = match (&wanted, read(&reply)) {
                (Wanted::Sql(wanted), Reply::Sql { sql, .. }) => sql.trim() == wanted,
                (Wanted::Broken, Reply::Broken(_)) => true,
                (Wanted::Sql(_) | Wanted::Broken, _) => false,
            };
            if right {
                read_well += 1;
            } else {
                wrong.push(format!("{form}: {reply}\n  → {:?}", read(&reply)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), read_well, wrong.join("\n"));
    assert!(read_well > 1_000);
}

#[expect(clippy::print_stdout, reason = "figures are stated")]
#[test]
fn recorded_raw_replies_parse_or_hold_several_statements() {
    let Some(items) = data("raw_answers.jsonl") else { return };
    let (mut one, mut several, mut other) = (0, 0, Vec::new());
    for item in &items {
        let Reply::Sql { sql, .. } = read(item["raw"].as_str().unwrap()) else { panic!("no SQL") };
        let dialect = match item["dialect"].as_str().unwrap() {
            "postgres" => Dialect::Postgres,
            "mysql" => Dialect::Mysql,
            _ => Dialect::Sqlite,
        };
        match ReadQuery::parse(&sql, dialect) {
            Ok(_) => one += 1,
            Err(failure) if failure.code() == "multiple_statements" => several += 1,
            Err(failure) => other.push(format!("{}: {}\n{sql}", item["id"], failure.message())),
        }
    }
    println!("{one} parse, {several} hold several statements, {} neither", other.len());
    println!("{}", other.join("\n\n"));
    // what does not parse is what the model wrote: words between statements, other dialects
    assert!(other.len() * 20 <= items.len(), "{}", other.join("\n\n"));
}
