//! The server's plan of a statement, read from `EXPLAIN FORMAT=JSON`; the statement itself isn't run.

use mysql_async::prelude::Queryable;
use serde_json::{Map, Value};

use super::super::Trouble;
use super::address::Target;
use super::pool::Lease;
use super::{verdict, wall};
use crate::domain::engine_plan::{Access, EnginePlan, EngineStep, Expected};
use crate::domain::schema::RowCount;

/// Asks the server how it would run a statement that it has proved to only read.
pub(super) async fn read(
    lease: &mut Lease,
    sql: &str,
    target: &Target,
) -> Result<EnginePlan, Trouble> {
    wall::prove(lease, sql, target).await?;
    let quotes = lease.quotes;
    let explain = format!("EXPLAIN FORMAT=JSON {sql}");
    let told: Result<Option<String>, _> = lease.conn()?.exec_first(explain, ()).await;
    let told = told.map_err(|error| verdict::refusal(&error, sql, quotes, target))?;
    let plan: Value = told.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    Ok(EnginePlan { steps: steps(&plan), expected: expected(&plan) })
}

/// Reads the steps of a part of the plan, in the order the server lists them.
fn steps(part: &Value) -> Vec<EngineStep> {
    match part {
        Value::Array(parts) => parts.iter().flat_map(steps).collect(),
        Value::Object(parts) => parts.iter().flat_map(|(name, part)| step(name, part)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Reads what stands under a name: a table, a sort, or something that holds steps.
fn step(name: &str, part: &Value) -> Vec<EngineStep> {
    let Value::Object(fields) = part else { return steps(part) };
    if name == "table" && fields.contains_key("access_type") {
        return vec![table(fields)];
    }
    let yes = |field: &str| fields.get(field) == Some(&Value::Bool(true));
    let inside = steps(part);
    let sorts = match name {
        // MariaDB
        "filesort" => text(fields, "sort_key").map(|key| format!("ORDER BY {key}")),
        "read_sorted_file" => return inside,
        "temporary_table" => Some("a temporary table".to_owned()),
        // MySQL
        "ordering_operation" if yes("using_filesort") => Some("ORDER BY".to_owned()),
        "grouping_operation" if yes("using_filesort") || yes("using_temporary_table") => {
            Some("GROUP BY".to_owned())
        }
        "duplicates_removal" if yes("using_temporary_table") => Some("DISTINCT".to_owned()),
        _ => None,
    };
    match sorts {
        Some(what) => {
            let words = name.replace('_', " ");
            vec![EngineStep { words, access: Access::Sort(what), inside }]
        }
        None => inside,
    }
}

/// Reads how many rows the server expects, before it groups them, and at what cost where it says.
fn expected(plan: &Value) -> Option<Expected> {
    let block = plan.get("query_block")?;
    let cost = block
        .get("cost")
        .and_then(Value::as_f64)
        .or_else(|| block.pointer("/cost_info/query_cost")?.as_str()?.parse().ok());
    let mut factors = Vec::new();
    join(block, &mut factors);
    let rows = (!factors.is_empty()).then(|| factors.iter().product::<f64>())?;
    Some(Expected { rows: whole(rows), cost: cost.map(whole) })
}

/// Collects what each table of the outermost join multiplies the rows by; what is computed apart
/// for one of them multiplies nothing.
fn join(part: &Value, factors: &mut Vec<f64>) {
    match part {
        Value::Array(parts) => parts.iter().for_each(|part| join(part, factors)),
        Value::Object(fields) if fields.contains_key("access_type") => {
            let number = |name: &str| {
                let found = fields.get(name)?;
                found.as_f64().or_else(|| found.as_str()?.parse().ok())
            };
            let rows = number("rows").or_else(|| number("rows_examined_per_scan")).unwrap_or(1.0);
            factors.push(rows * number("filtered").unwrap_or(100.0) / 100.0);
        }
        Value::Object(fields) => {
            let apart = |name: &str| name.contains("subqueries") || name == "materialized";
            for (_, part) in fields.iter().filter(|(name, _)| !apart(name)) {
                join(part, factors);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn whole(n: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
    let whole = n.max(0.0).ceil() as u64;
    whole
}

/// Reads how rows of a table are reached.
fn table(fields: &Map<String, Value>) -> EngineStep {
    let relation = text(fields, "table_name").unwrap_or_default();
    let how = text(fields, "access_type").unwrap_or_default();
    let key = text(fields, "key");
    let rows =
        ["rows", "rows_examined_per_scan"].iter().find_map(|name| fields.get(*name)?.as_u64());
    let rows = rows.map(|count| RowCount { count, exact: false });
    let words = match &key {
        Some(key) => format!("{how} {relation} USING {key}"),
        None => format!("{how} {relation}"),
    };
    let access = match how.as_str() {
        "ALL" | "index" | "hash_ALL" | "hash_index" => {
            Access::Scan { relation, table: None, rows, index: key.filter(|_| how == "index") }
        }
        _ => Access::Search {
            relation,
            table: None,
            index: key.filter(|key| key != "PRIMARY"),
            by: asked_for(fields),
            made: false,
        },
    };
    let held = fields.iter().filter(|(_, part)| part.is_object() || part.is_array());
    EngineStep { words, access, inside: held.flat_map(|(name, part)| step(name, part)).collect() }
}

/// Writes what a key is asked for: `a=? AND b=?`.
fn asked_for(fields: &Map<String, Value>) -> String {
    let parts = fields.get("used_key_parts").and_then(Value::as_array);
    let parts = parts.into_iter().flatten().filter_map(Value::as_str);
    parts.map(|part| format!("{part}=?")).collect::<Vec<_>>().join(" AND ")
}

fn text(fields: &Map<String, Value>, name: &str) -> Option<String> {
    fields.get(name)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(plan: &str) -> Vec<EngineStep> {
        steps(&serde_json::from_str(plan).expect("a plan"))
    }

    #[test]
    fn mariadb_s_plan_is_read() {
        let steps = read(
            r#"{"query_block": {"select_id": 1, "filesort": {"sort_key": "r.`name`",
                "temporary_table": {"nested_loop": [
                {"table": {"table_name": "b", "access_type": "ALL", "rows": 23, "filtered": 100}},
                {"table": {"table_name": "r", "access_type": "eq_ref", "key": "PRIMARY",
                    "used_key_parts": ["id"], "ref": ["d.b.room_id"], "rows": 1}}]}}}}"#,
        );
        let [sort] = steps.as_slice() else { unreachable!("one step: {steps:?}") };
        assert_eq!(sort.access, Access::Sort("ORDER BY r.`name`".into()));
        let [temporary] = sort.inside.as_slice() else { unreachable!("one step: {sort:?}") };
        let [scan, search] = temporary.inside.as_slice() else {
            unreachable!("two: {temporary:?}")
        };
        let Access::Scan { relation, rows, .. } = &scan.access else { unreachable!("a scan") };
        assert_eq!((relation.as_str(), rows.map(|rows| rows.count)), ("b", Some(23)));
        let Access::Search { index, by, .. } = &search.access else { unreachable!("a search") };
        assert_eq!((index, by.as_str()), (&None, "id=?"));
    }

    #[test]
    fn mysql_s_plan_is_read() {
        let steps = read(
            r#"{"query_block": {"select_id": 1, "cost_info": {"query_cost": "4.75"},
                "ordering_operation": {"using_filesort": true,
                "table": {"table_name": "b", "access_type": "ref", "key": "by_status",
                    "used_key_parts": ["status"], "rows_examined_per_scan": 7}}}}"#,
        );
        let [sort] = steps.as_slice() else { unreachable!("one step: {steps:?}") };
        assert_eq!(sort.access, Access::Sort("ORDER BY".into()));
        let Some(Access::Search { index, .. }) = sort.inside.first().map(|step| &step.access)
        else {
            unreachable!("a search: {sort:?}")
        };
        assert_eq!(index.as_deref(), Some("by_status"));
    }
}
