//! DuckDB's verdict and plan of a statement, which isn't run.

use adbc_core::Statement as _;
use serde_json::Value as Json;

use super::super::super::Trouble;
use super::super::line::Seat;
use super::super::reading::ask;
use super::{guarded, proof, trouble};
use crate::domain::engine_plan::{Access, EnginePlan, EngineStep, Expected};
use crate::domain::{Stage, Value};

/// Steps that put rows in order or together, and what for.
const SORTS: &[(&str, &str)] = &[
    ("ORDER_BY", "ORDER BY"),
    ("TOP_N", "ORDER BY with LIMIT"),
    ("HASH_GROUP_BY", "GROUP BY"),
    ("PERFECT_HASH_GROUP_BY", "GROUP BY"),
    ("PARTITIONED_AGGREGATE", "GROUP BY"),
    ("WINDOW", "window functions"),
    ("STREAMING_WINDOW", "window functions"),
];

/// Lets the engine prepare a statement.
pub(super) fn prepare(seat: &mut Seat, sql: &str) -> Result<(), Trouble> {
    guarded(seat, sql)?;
    let say = |error| trouble::say(&error, Stage::Prepare, sql);
    let mut statement = seat.statement().map_err(say)?;
    statement.set_sql_query(sql).map_err(say)?;
    let parameters = statement.get_parameter_schema().map_or(0, |schema| schema.fields().len());
    if parameters > 0 {
        let message = "the SQL holds a parameter that has no value; write the value itself";
        return Err(Trouble::query(Stage::Prepare, "unbound_parameter", message, None));
    }
    Ok(())
}

/// Asks the engine how it would run a statement.
pub(super) fn plan(seat: &mut Seat, sql: &str) -> Result<EnginePlan, Trouble> {
    guarded(seat, sql)?;
    let body = proof::explained(sql).unwrap_or(sql);
    if proof::read_tree(seat, body).is_err() {
        // what the parser can't hand out in parts might be more than one statement behind EXPLAIN
        return Ok(EnginePlan::default());
    }
    let asked = format!("EXPLAIN (FORMAT json) {body}");
    let rows = ask(seat, &asked).map_err(|error| trouble::say(&error, Stage::Prepare, sql))?;
    let text = rows.into_iter().next().and_then(|row| row.into_iter().nth(1));
    let Some(Value::Text(text)) = text else { return Ok(EnginePlan::default()) };
    let told: Vec<Json> = serde_json::from_str(&text).unwrap_or_default();
    Ok(EnginePlan { steps: steps(&told), expected: expected(&told) })
}

/// Reads how many rows the largest step is expected to hand on; DuckDB tells no cost.
fn expected(told: &[Json]) -> Option<Expected> {
    let of = |step: &Json| {
        let own = step.get("extra_info")?.get("Estimated Cardinality")?;
        own.as_u64().or_else(|| own.as_str()?.parse().ok())
    };
    let inside = |step: &Json| {
        let steps = step.get("children").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        expected(steps).map(|expected| expected.rows)
    };
    let rows = told.iter().flat_map(|step| [of(step), inside(step)]).flatten().max()?;
    Some(Expected { rows, cost: None })
}

/// Reads steps; those that only hand rows on are left out.
fn steps(told: &[Json]) -> Vec<EngineStep> {
    let mut steps = Vec::new();
    for step in told {
        let text = |key: &str| step.get(key).and_then(Json::as_str).unwrap_or("").trim();
        let inside = step.get("children").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let inside = self::steps(inside);
        let name = text("name");
        if name == "PROJECTION" {
            steps.extend(inside);
            continue;
        }
        let more = Details(step.get("extra_info"));
        steps.push(EngineStep { words: more.words(name), access: more.access(name), inside });
    }
    steps
}

/// What the engine tells of a step besides its name.
struct Details<'a>(Option<&'a Json>);

impl Details<'_> {
    fn get(&self, key: &str) -> Option<String> {
        match self.0?.get(key)? {
            Json::String(text) => Some(text.clone()),
            Json::Array(parts) => {
                Some(parts.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(", "))
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => None,
        }
    }

    fn words(&self, name: &str) -> String {
        let keys = ["Table", "Join Type", "Conditions", "Filters", "Groups", "Order By", "Top"];
        let told = keys.iter().filter_map(|key| self.get(key));
        let mut words = vec![name.replace('_', " ")];
        words.extend(told);
        if let Some(rows) = self.get("Estimated Cardinality") {
            words.push(format!("~{rows} rows"));
        }
        words.join(" · ")
    }

    fn access(&self, name: &str) -> Access {
        if let Some((_, what)) = SORTS.iter().find(|(known, _)| *known == name) {
            return Access::Sort((*what).to_owned());
        }
        let Some(table) = self.get("Table") else { return Access::Other };
        let relation = table.rsplit('.').next().unwrap_or(&table).to_owned();
        if self.get("Type").is_some_and(|kind| kind.contains("Index")) {
            let by = self.get("Filters").unwrap_or_default();
            return Access::Search { relation, table: None, index: None, by, made: false };
        }
        Access::Scan { relation, table: None, rows: None, index: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_without_those_that_hand_rows_on() {
        let told = serde_json::json!([{"name": "PROJECTION", "extra_info": {}, "children": [
            {"name": "ORDER_BY", "extra_info": {"Order By": "r.name ASC"}, "children": [
                {"name": "SEQ_SCAN", "children": [], "extra_info": {
                    "Table": "shop.main.rooms", "Type": "Sequential Scan",
                    "Filters": ["id>1", "price>3"], "Estimated Cardinality": "7"}}]}]}]);
        let steps = steps(told.as_array().expect("a list"));
        let words: Vec<&str> = steps.iter().map(|step| step.words.as_str()).collect();
        assert_eq!(words, ["ORDER BY · r.name ASC"]);
        let scan = steps.first().and_then(|step| step.inside.first()).expect("a step inside");
        assert_eq!(scan.words, "SEQ SCAN · shop.main.rooms · id>1, price>3 · ~7 rows");
        let Access::Scan { relation, .. } = &scan.access else { unreachable!("a scan") };
        assert_eq!(relation, "rooms");
    }
}
