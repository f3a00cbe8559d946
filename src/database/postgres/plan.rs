//! The server's plan of a statement, read from `EXPLAIN (FORMAT JSON)`; the statement isn't run.

use serde_json::Value as Json;
use tokio_postgres::SimpleQueryMessage;

use super::super::Trouble;
use super::pool::Session;
use super::trouble::refusal;
use super::verdict;
use crate::domain::Stage;
use crate::domain::engine_plan::{Access, EnginePlan, EngineStep, Expected};

const EXPLAIN: &str = "EXPLAIN (FORMAT JSON) ";

/// Asks the server how it would run a statement that it has proved to only read.
pub(super) async fn plan(on: &Session, sql: &str) -> Result<EnginePlan, Trouble> {
    let proved = verdict::prove(on, sql).await?;
    if proved.explains {
        return Ok(EnginePlan::default());
    }
    let told = on.client().simple_query(&format!("{EXPLAIN}{}", proved.sql)).await;
    let told = told.map_err(|e| refusal(&e, (EXPLAIN, sql), Stage::Prepare, on.target()))?;
    let text: String = told.iter().filter_map(line).collect::<Vec<_>>().join("\n");
    Ok(serde_json::from_str(&text).map_or_else(|_| EnginePlan::default(), |json| read(&json)))
}

fn line(message: &SimpleQueryMessage) -> Option<&str> {
    let SimpleQueryMessage::Row(row) = message else { return None };
    row.try_get(0).ok().flatten()
}

fn read(json: &Json) -> EnginePlan {
    let Some(top) = json.get(0).and_then(|plan| plan.get("Plan")) else {
        return EnginePlan::default();
    };
    let number = |name| top.get(name).and_then(Json::as_f64).unwrap_or(0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
    let whole = |name| number(name).round() as u64;
    let expected = Expected { rows: whole("Plan Rows"), cost: Some(whole("Total Cost")) };
    EnginePlan { steps: vec![step(top)], expected: Some(expected) }
}

fn step(node: &Json) -> EngineStep {
    let inside = node.get("Plans").and_then(Json::as_array);
    EngineStep {
        words: words(node),
        access: access(node),
        inside: inside.into_iter().flatten().map(step).collect(),
    }
}

fn text<'a>(node: &'a Json, name: &str) -> Option<&'a str> {
    node.get(name).and_then(Json::as_str)
}

/// Writes the step as the server's own listing does: `Hash Join on a.id = b.id`.
fn words(node: &Json) -> String {
    let mut words = text(node, "Node Type").unwrap_or("step").to_owned();
    if let Some(strategy) = text(node, "Join Type").filter(|kind| *kind != "Inner") {
        words = format!("{strategy} {words}");
    }
    if let Some(relation) = text(node, "Relation Name") {
        words = format!("{words} on {relation}");
    }
    if let Some(index) = text(node, "Index Name") {
        words = format!("{words} using {index}");
    }
    for condition in ["Hash Cond", "Merge Cond", "Index Cond", "Join Filter", "Filter"] {
        if let Some(condition) = text(node, condition) {
            words = format!("{words}: {condition}");
        }
    }
    words
}

fn access(node: &Json) -> Access {
    let relation = text(node, "Alias").or_else(|| text(node, "Relation Name"));
    let relation = relation.unwrap_or_default().to_owned();
    let owned = |name| text(node, name).map(str::to_owned);
    match text(node, "Node Type").unwrap_or_default() {
        "Seq Scan" | "Foreign Scan" | "Sample Scan" => {
            Access::Scan { relation, table: owned("Relation Name"), rows: None, index: None }
        }
        "Index Scan" | "Index Only Scan" | "Bitmap Heap Scan" | "Tid Scan" => {
            let by = owned("Index Cond").or_else(|| owned("Recheck Cond"));
            match by {
                Some(by) => Access::Search {
                    relation,
                    table: owned("Relation Name"),
                    index: owned("Index Name").or_else(|| index_below(node)),
                    by,
                    made: false,
                },
                None => Access::Scan {
                    relation,
                    table: owned("Relation Name"),
                    rows: None,
                    index: owned("Index Name"),
                },
            }
        }
        "Sort" | "Incremental Sort" => Access::Sort(keys(node, "Sort Key")),
        _ => Access::Other,
    }
}

fn index_below(node: &Json) -> Option<String> {
    let below = node.get("Plans")?.get(0)?;
    text(below, "Index Name").map(str::to_owned)
}

fn keys(node: &Json, name: &str) -> String {
    let keys = node.get(name).and_then(Json::as_array);
    let keys: Vec<&str> = keys.into_iter().flatten().filter_map(Json::as_str).collect();
    keys.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_plan_is_read_as_a_tree() {
        let json = serde_json::json!([{"Plan": {
            "Node Type": "Sort", "Sort Key": ["a.name"], "Plan Rows": 1200, "Total Cost": 345.4,
            "Plans": [
                {"Node Type": "Seq Scan", "Relation Name": "a", "Alias": "x"},
                {"Node Type": "Index Scan", "Relation Name": "b", "Alias": "b",
                 "Index Name": "b_pkey", "Index Cond": "(id = x.b_id)"}
            ]
        }}]);
        let plan = read(&json);
        assert_eq!(plan.expected, Some(Expected { rows: 1200, cost: Some(345) }));
        let [sort] = plan.steps.as_slice() else { unreachable!("one step") };
        assert_eq!(sort.access, Access::Sort("a.name".into()));
        let [scan, search] = sort.inside.as_slice() else { unreachable!("two inside") };
        assert!(matches!(&scan.access, Access::Scan { relation, .. } if relation == "x"));
        let Access::Search { index, by, .. } = &search.access else { unreachable!("a search") };
        assert_eq!((index.as_deref(), by.as_str()), (Some("b_pkey"), "(id = x.b_id)"));
        assert_eq!(read(&serde_json::json!({})), EnginePlan::default());
    }
}
