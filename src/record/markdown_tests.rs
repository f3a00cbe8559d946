//! A small run as a report, and texts that try to leave their place.

use super::*;
use crate::domain::{
    Event, Failure, Happened, Origin, Question, Repair, ResultColumn, RunId, Stage, Status, Trust,
};

fn told(happened: Vec<Happened>) -> String {
    let events: Vec<Event> = happened
        .into_iter()
        .map(|happened| Event { run: RunId("r1".into()), at_us: 2_000, happened })
        .collect();
    markdown(&Transcript::of(&events))
}

fn asked(text: &str) -> Happened {
    Happened::Asked {
        question: Box::new(Question { text: text.into(), ..Question::default() }),
        database: "demo:reservo".into(),
        place: String::new(),
        engine: "sqlite".into(),
        model: "script:a".into(),
        scripted: true,
        knowledge: String::new(),
    }
}

fn drafted(sql: &str) -> Happened {
    Happened::Drafted {
        attempt: 1,
        origin: Origin::Model,
        sql: sql.into(),
        note: String::new(),
        calls: vec![],
        semantic_retry: false,
    }
}

fn checked(version: usize, failure: Option<Failure>) -> Happened {
    Happened::Checked {
        attempt: 1,
        version,
        checks: vec![],
        analysed: true,
        findings: vec![],
        failure,
    }
}

fn ran(version: usize, rows: Vec<Vec<Value>>) -> Happened {
    let column = |name: &str| ResultColumn {
        name: name.into(),
        data_type: String::new(),
        origin: None,
        unit: None,
    };
    let rows = Rows {
        columns: vec![column("room"), column("n")],
        row_count: rows.len() as u64,
        rows,
        ..Rows::default()
    };
    Happened::Ran { attempt: 1, version, rows, elapsed_us: 5 }
}

fn answered(version: usize) -> Happened {
    Happened::Answered(Box::new(Answer {
        status: Status::Answered,
        stop: None,
        clarify: None,
        trust: Some(Trust::NeedsReview),
        reasons: vec!["one warning".into()],
        assumptions: vec![],
        summary: "n is 2.".into(),
        chosen: Some((1, version)),
    }))
}

#[test]
fn a_mended_run_reads_from_the_answer_to_each_attempt() {
    let failure = Failure::new(Stage::Bind, "no_such_column", "column 'm' doesn't exist");
    let repair = Repair {
        kind: "unknown_name".into(),
        from: "m".into(),
        to: "n".into(),
        evidence: "one close name".into(),
    };
    let report = told(vec![
        asked("How many?"),
        drafted("SELECT room, m FROM t"),
        checked(0, Some(failure)),
        Happened::Rewritten { attempt: 1, version: 1, sql: "SELECT room, n FROM t".into(), repair },
        checked(1, None),
        ran(
            1,
            vec![
                vec![Value::Text("a|b\nc".into()), Value::Integer(2)],
                vec![Value::Null, Value::Integer(3)],
            ],
        ),
        Happened::Explained { english: "room and n of t".into() },
        answered(1),
    ]);
    let expected = "\
# How many?

- run: r1
- database: demo:reservo (sqlite)
- model: script:a (scripted)
- privacy: rows
- took: 2 ms

## Answer: answered

n is 2.

Trust: **needs review**

- one warning

## SQL

```sql
SELECT room, n FROM t
```

From attempt 1, mended here.
In words: room and n of t.

## Result: 2 rows

| room | n |
| --- | ---: |
| a\\|b c | 2 |
| *NULL* | 3 |

## Attempt 1: by model

As drafted:

```sql
SELECT room, m FROM t
```

- ✗ stopped at bind: column 'm' doesn't exist

Version 2, mended here: m → n (one close name):

```sql
SELECT room, n FROM t
```

- ✓ ran: 2 rows
";
    assert_eq!(report, expected);
}

#[test]
fn long_results_say_how_many_rows_are_not_shown() {
    let rows = (0..25).map(|n| vec![Value::Text("x".into()), Value::Integer(n)]).collect();
    let report = told(vec![asked("q"), drafted("SELECT 1"), ran(0, rows), answered(0)]);
    assert!(report.contains("The first 20 of 25 rows."));
    assert_eq!(report.matches("| x |").count(), 20);
}

#[test]
fn back_quotes_in_sql_do_not_end_the_fence() {
    let report = told(vec![asked("q"), drafted("SELECT ```x```")]);
    assert!(report.contains("````sql\nSELECT ```x```\n````"));
}
