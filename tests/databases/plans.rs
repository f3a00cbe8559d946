//! The engine's plan of a statement: read as a tree, never run, never for a write.

use querent::domain::Stage;
use querent::domain::engine_plan::Access;

use super::{failure, made, opened};

const TABLES: &str = "CREATE TABLE bookings (id INTEGER PRIMARY KEY, room_id INTEGER, status TEXT);
     CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT);
     CREATE INDEX by_status ON bookings (status);";

#[tokio::test]
async fn whole_reads_look_ups_and_sorts_are_told_apart() {
    let made = made(TABLES);
    let database = opened(&made).await;
    let sql = "SELECT r.name FROM bookings b JOIN rooms r ON r.id = b.room_id ORDER BY r.name";
    let plan = database.plan(sql).await.expect("a plan");
    let [scan, search, sort] = plan.steps.as_slice() else { panic!("three steps: {plan:?}") };
    assert!(matches!(&scan.access, Access::Scan { relation, .. } if relation == "b"));
    let by_key = |access: &Access| {
        matches!(access, Access::Search { relation, index: None, by, .. }
            if relation == "r" && by == "rowid=?")
    };
    assert!(by_key(&search.access), "{search:?}");
    assert_eq!(sort.access, Access::Sort("ORDER BY".into()));

    let plan = database.plan("SELECT id, room_id FROM bookings WHERE status = 'x'").await;
    let plan = plan.expect("a plan");
    let through = |access: &Access| matches!(access, Access::Search { index: Some(index), .. } if index == "by_status");
    assert!(plan.steps.iter().any(|step| through(&step.access)), "{plan:?}");
}

#[tokio::test]
async fn steps_of_subqueries_stand_inside_them() {
    let made = made(TABLES);
    let database = opened(&made).await;
    let sql = "SELECT name FROM rooms WHERE id IN (SELECT room_id FROM bookings)";
    let plan = database.plan(sql).await.expect("a plan");
    assert!(plan.steps.iter().any(|step| !step.inside.is_empty()), "{plan:?}");
}

#[tokio::test]
async fn what_writes_or_is_wrong_gets_no_plan() {
    let made = made(TABLES);
    let database = opened(&made).await;
    let refused = failure(database.plan("DELETE FROM bookings").await);
    assert_eq!((refused.stage, refused.code()), (Stage::Policy, "write"));
    let wrong = failure(database.plan("SELECT price FROM bookings").await);
    assert_eq!((wrong.stage, wrong.code()), (Stage::Prepare, "no_such_column"));
    // a second statement doesn't slip in behind the first
    let two = failure(database.plan("SELECT 1; DELETE FROM bookings").await);
    assert_eq!((two.stage, two.code()), (Stage::Policy, "write"));
}
