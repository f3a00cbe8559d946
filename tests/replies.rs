//! Replies as models really wrote them: every one of the recorded raw answers gives its SQL.

use querent::prompt::{Reply, read};

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
