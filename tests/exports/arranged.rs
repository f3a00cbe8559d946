//! Arranged results beside the engine's own ORDER BY and WHERE.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use querent::domain::{Condition, Find, ResultId, SortKey, Test, Value, View};
use querent::pipeline::Session;
use rusqlite::Connection;

use super::{MANY, made, rows, run, session};

/// Columns without affinity, so that every kind of value stands in each.
const TABLE: &str = "
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
    INSERT INTO t SELECT i,
      CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN i % 5 WHEN 2 THEN (i % 9) / 2.0 WHEN 3 THEN 'a' || (i % 4)
                 WHEN 4 THEN '' WHEN 5 THEN 'B' || (i % 3) ELSE 9007199254740992 + i % 3 END,
      CASE i % 4 WHEN 0 THEN 'x' || (i % 10) WHEN 1 THEN 'X' || (i % 10) WHEN 2 THEN -i ELSE NULL END,
      CASE i % 5 WHEN 0 THEN zeroblob(i % 3) WHEN 1 THEN x'ff' WHEN 2 THEN 2.5 ELSE i % 2 END
    FROM n";

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-2i64..6).prop_map(Value::Integer),
        Just(Value::Integer(9_007_199_254_740_993)),
        (-2i8..9).prop_map(|n| Value::Real(f64::from(n) / 2.0)),
        "[abxB0-3]{0,2}".prop_map(Value::Text),
        proptest::collection::vec(0u8..2, 0..2).prop_map(Value::Blob),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let test = prop_oneof![
        "[abxB0-9.-]{1,2}".prop_map(Test::Contains),
        "[abxB0-9.-]{1,2}".prop_map(Test::Lacks),
        value().prop_map(Test::Equal),
        value().prop_map(Test::NotEqual),
        value().prop_map(Test::Less),
        value().prop_map(Test::AtMost),
        value().prop_map(Test::More),
        value().prop_map(Test::AtLeast),
        Just(Test::Null),
        Just(Test::NotNull),
    ];
    (0usize..4, test).prop_map(|(column, test)| Condition { column: Some(column), test })
}

/// Writes a condition as the engine would have it.
fn sql_of(condition: &Condition) -> String {
    // the sign takes the affinity of the key away, which a result has not
    let column = ["+id", "a", "b", "c"][condition.column.unwrap()];
    let kind = |of: &str| {
        format!(
            "CASE typeof({of}) WHEN 'null' THEN 0 WHEN 'text' THEN 2 WHEN 'blob' THEN 3 ELSE 1 END"
        )
    };
    let compared = |sign: &str, value: &Value| {
        let value = value.literal();
        format!("({} = {} AND {column} {sign} {value})", kind(column), kind(&value))
    };
    // the program writes blobs as x'…' where the engine would take their bytes for text
    let text = format!(
        "lower(CASE typeof({column}) WHEN 'blob' THEN 'x''' || hex({column}) || '''' ELSE {column} END)"
    );
    let holds = |part: &str| format!("instr({text}, lower('{part}')) > 0");
    match &condition.test {
        Test::Contains(part) => holds(part),
        Test::Lacks(part) => format!("({column} IS NULL OR NOT {})", holds(part)),
        Test::Equal(value) => format!("{column} = {}", value.literal()),
        Test::NotEqual(value) => format!("{column} <> {}", value.literal()),
        Test::Less(value) => compared("<", value),
        Test::AtMost(value) => compared("<=", value),
        Test::More(value) => compared(">", value),
        Test::AtLeast(value) => compared(">=", value),
        Test::Null => format!("{column} IS NULL"),
        Test::NotNull => format!("{column} IS NOT NULL"),
    }
}

fn query(view: &View) -> String {
    let filter: Vec<String> = view.filter.iter().map(sql_of).collect();
    let filter = if filter.is_empty() { "1".to_owned() } else { filter.join(" AND ") };
    let sort = view
        .sort
        .iter()
        .map(|key| format!("{}{}", key.column + 1, if key.descending { " DESC" } else { "" }));
    // what ties stays as it came
    let sort: Vec<String> = sort.chain(["1".to_owned()]).collect();
    format!("SELECT id, a, b, c FROM t WHERE {filter} ORDER BY {}", sort.join(", "))
}

fn all(session: &Session, id: &ResultId) -> Vec<Vec<Value>> {
    session.page(id, 0..u64::MAX).unwrap().rows
}

#[test]
fn any_view_shows_what_the_engine_would_give() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.db");
    let engine = Connection::open(&path).unwrap();
    engine.execute_batch(TABLE).unwrap();
    let (session, id) = runtime.block_on(async {
        let session = session(&path).await;
        let id = run(&session, "SELECT id, a, b, c FROM t ORDER BY id", None).await;
        (session, id)
    });
    let keys = proptest::collection::vec((0usize..4, any::<bool>()), 0..3);
    let views = (keys, proptest::collection::vec(condition(), 0..3));
    let mut runner =
        TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let checked = runner.run(&views, |(keys, filter)| {
        let sort = keys.into_iter().map(|(column, descending)| SortKey { column, descending });
        let view = View { sort: sort.collect(), filter };
        let arranged = runtime.block_on(session.arrange(&id, view.clone())).unwrap();
        prop_assert_eq!(arranged.view == 0, view.is_plain());
        prop_assert_eq!(all(&session, &arranged), rows(&engine, &query(&view)), "{}", query(&view));
        Ok(())
    });
    checked.unwrap();
}

fn sorted(column: usize, descending: bool) -> View {
    View { sort: vec![SortKey { column, descending }], filter: Vec::new() }
}

#[tokio::test]
async fn views_replace_each_other_and_the_same_one_is_made_once() {
    let made = made("", "SELECT 2 AS n UNION ALL SELECT 1 UNION ALL SELECT 3").await;
    let up = made.session.arrange(&made.id, sorted(0, false)).await.unwrap();
    let down = made.session.arrange(&up, sorted(0, true)).await.unwrap();
    assert_eq!(made.session.arrange(&down, sorted(0, false)).await.unwrap(), up);
    assert_eq!(made.session.arrange(&down, View::default()).await.unwrap(), made.id);
    assert_ne!(up.view, down.view);
    let cells = |id: &ResultId| all(&made.session, id).concat();
    assert_eq!(cells(&up), [1, 2, 3].map(Value::Integer));
    assert_eq!(cells(&down), [3, 2, 1].map(Value::Integer));
    assert_eq!(cells(&made.id), [2, 1, 3].map(Value::Integer));
}

#[tokio::test]
async fn an_arrangement_is_searched_and_summed_up_like_any_result() {
    let made = made("", MANY).await;
    let last_first = made.session.arrange(&made.id, sorted(0, true)).await.unwrap();
    let look = Find { text: "ROW 99999".into(), ..Find::default() };
    assert_eq!(made.session.find(&last_first, look.clone()).await, Some((1, 2)));
    assert_eq!(made.session.find(&made.id, look).await, Some((99_998, 2)));
    let summary = made.session.summarize(&last_first, 0).await.unwrap();
    assert_eq!((summary.rows, summary.distinct, summary.complete), (100_000, 100_000, true));
    assert_eq!(summary.sum, Some(Value::Integer(100_000 * 100_001 / 2)));
    assert_eq!(summary.median, Some(50_000.5));
    assert_eq!(made.session.summarize(&made.id, 9).await, None);
}

#[tokio::test]
async fn older_results_make_room_and_take_their_arrangements_along() {
    let made = made("", "SELECT 1 AS n").await;
    let view = made.session.arrange(&made.id, sorted(0, true)).await.unwrap();
    for n in 0..16 {
        run(&made.session, &format!("SELECT {n} AS n"), None).await;
    }
    assert!(made.session.page(&view, 0..1).is_none());
    let error = made.session.arrange(&made.id, sorted(0, false)).await.unwrap_err();
    assert_eq!(error.to_string(), "this result is no longer kept");
    let _: Arc<Session> = made.session;
}
