//! Lines of sets as they come.

use super::*;

fn read(text: &str) -> Suite {
    let mut suite = Suite::default();
    suite.read("set".to_owned(), text.split('\n').map(|line| Ok(line.as_bytes().to_vec())));
    suite
}

#[test]
fn a_line_has_golds_and_recorded_samples_in_their_order() {
    let suite = read(concat!(
        "\u{feff}{\"id\":7,\"db\":\"shop\",\"question\":\"q\",\"evidence\":\"\",\"gold_sql\":\"a\",",
        "\"gold_alternatives\":[\"b\"],\"other\":1,\"predictions\":[",
        "{\"model\":\"m\",\"sql\":\"1\",\"class\":\"ok_wrong\",\"more\":[{\"sql\":\"2\"},\"3\"]},",
        "{\"model\":\"n\",\"sql\":null}]}\n\n",
        "{\"question_id\":\"x\",\"db_id\":\"d\",\"question\":\"q\",\"SQL\":[\"a\",\"b\"]}",
    ));
    assert_eq!(suite.unreadable, []);
    let [one, two] = suite.items.as_slice() else { unreachable!("two lines") };
    assert_eq!(
        (one.id.as_str(), one.db.as_deref(), one.evidence.as_deref()),
        ("7", Some("shop"), None)
    );
    assert_eq!(one.golds, ["a", "b"]);
    assert_eq!(one.samples("m").unwrap(), ["1", "2", "3"]);
    assert_eq!(one.samples("n").unwrap(), [""]);
    assert_eq!(one.samples("o"), None);
    assert_eq!(
        (two.place, two.id.as_str(), two.db.as_deref()),
        (Place { set: 0, line: 3 }, "x", Some("d"))
    );
    assert_eq!(two.golds, ["a", "b"]);
}

#[test]
fn a_bad_line_is_named_by_its_number_and_stops_nothing() {
    let suite = read(concat!(
        "{oops\n[1]\n{\"id\":\"a\",\"question\":\"q\"}\n{\"id\":\"b\",\"gold_sql\":\"x\"}\n",
        "{\"id\":\"c\",\"question\":5,\"gold_sql\":\"x\"}\n{\"question\":\"q\",\"gold_sql\":\"x\"}",
    ));
    let told: Vec<(usize, Option<&str>, &str)> = suite
        .unreadable
        .iter()
        .map(|line| (line.place.line, line.id.as_deref(), line.why.split(':').next().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            (1, None, "the line is no JSON"),
            (2, None, "the line is no JSON object"),
            (3, Some("a"), "the line has no gold_sql to compare with"),
            (4, Some("b"), "the line has no question"),
            (5, Some("c"), "a field of the line has the wrong type"),
        ]
    );
    // without an id the line's number stands for it
    assert_eq!(suite.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["6"]);
}

fn line(db: &str, models: &[&str]) -> String {
    let predictions: Vec<Json> =
        models.iter().map(|model| serde_json::json!({ "model": model, "sql": "x" })).collect();
    serde_json::json!({
        "db": db, "question": "q", "gold_sql": "x", "predictions": predictions,
    })
    .to_string()
}

#[test]
fn recordings_are_named_and_all_leaves_samples_out() {
    let lines =
        [line("a", &["whole", "few"]), line("a", &["whole"]), line("b", &["whole", "half"])];
    let suite = read(&lines.join("\n"));
    let named = |name: &str| suite.named(&[name.to_owned()]);
    assert_eq!(named("few").unwrap(), ["few"]);
    assert_eq!(named("all").unwrap(), ["whole"]);
    assert_eq!(suite.named(&["half".to_owned(), "all".to_owned()]).unwrap(), ["half", "whole"]);
    let unknown = named("wole").unwrap_err();
    assert_eq!(unknown.what, "the set has no recording named 'wole'");
    assert_eq!(unknown.hint, "Did you mean 'whole'?");
}

#[test]
fn all_counts_each_set_by_itself() {
    let mut suite = read(&[line("a", &["one"]), line("a", &["one"])].join("\n"));
    let other = [line("b", &["two"]), line("b", &["two"]), line("b", &["two"])].join("\n");
    suite.read("more".to_owned(), other.lines().map(|line| Ok(line.as_bytes().to_vec())));
    assert_eq!(suite.named(&["all".to_owned()]).unwrap(), ["one", "two"]);
    assert_eq!(suite.items.last().unwrap().place, Place { set: 1, line: 3 });
}

#[test]
fn a_set_is_narrowed_by_database_and_number() {
    let lines = [line("a", &[]), line("b", &[]), line("b", &[])].join("\n");
    let narrowed = |databases: &[&str], limit| {
        let mut suite = read(&lines);
        let databases = databases.iter().map(|db| (*db).to_owned()).collect();
        suite.narrow(&Narrow { databases, limit }).map(|()| suite.items.len())
    };
    assert_eq!(narrowed(&[], None), Ok(3));
    assert_eq!(narrowed(&["b"], None), Ok(2));
    assert_eq!(narrowed(&["b"], Some(1)), Ok(1));
    let unknown = narrowed(&["c"], None).unwrap_err();
    assert_eq!(unknown.what, "the set has no question on a database named 'c'");
}
