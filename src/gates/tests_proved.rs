//! Gates whose proof is the text itself, the catalog or an answer of the data: each fires on its kind
//! of fault, and is silent beside it.

use super::tests::{facts, gates, look_at};
use super::tests_asked::{rows, text};
use super::*;
use crate::domain::{Dialect, Value};
use crate::sql::bind;

#[test]
fn a_text_in_small_letters_equals_none_with_a_capital() {
    let told = |filter: &str| {
        let sql = format!("SELECT agent_id FROM agents WHERE {filter}");
        gates(&sql, None).into_iter().filter(|gate| gate == "letter_case").count()
    };
    assert_eq!(told("LOWER(channel) = 'Broker'"), 1);
    assert_eq!(told("'Broker' <> lower(channel)"), 1);
    assert_eq!(told("upper(channel) IN ('BROKER', 'Direct')"), 1);
    assert_eq!(told("LOWER(channel) = 'broker'"), 0);
    assert_eq!(told("LOWER(channel) = LOWER('Broker')"), 0);
    // LIKE ignores letter case
    assert_eq!(told("LOWER(channel) LIKE 'Broker'"), 0);
}

#[test]
fn a_natural_join_on_more_than_the_key_is_told() {
    use crate::domain::Column;
    let facts = facts();
    let told = |extra: Option<&str>| {
        let mut catalog = (*facts.catalog).clone();
        let columns = extra.map(|name| Column { name: name.to_owned(), ..Column::default() });
        catalog.tables[1].columns.extend(columns);
        let sql = "SELECT agent_id FROM agents NATURAL JOIN submissions";
        let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
        let binding = bind(&query, &catalog);
        let before = Before {
            question: None,
            hint: None,
            understanding: None,
            query: &query,
            binding: &binding,
            catalog: &catalog,
            facts: &facts,
            plan: None,
            reading: None,
            probed: &[],
        };
        super::join_key::look(&before).findings
    };
    assert_eq!(told(None), []);
    let found = told(Some("channel"));
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("agent_id and channel"), "{}", found[0].message);
}

#[test]
fn a_column_with_several_values_in_a_group_is_proved_on_the_data() {
    use crate::domain::Severity;
    let sql = "SELECT channel, COUNT(*) AS n FROM agents HAVING n > 3";
    let first = look_at(sql, None, &[]);
    assert_eq!(first.findings[0].severity, Severity::Info);
    let counted =
        "SELECT MAX(n0) FROM (SELECT COUNT(DISTINCT channel) AS n0 FROM agents) AS counted";
    assert_eq!(first.probes[0].sql, counted);
    let told = |most: i64| {
        let answer = rows(&[&[Value::Integer(most)]]);
        let probed = [ProbeAnswer { probe: first.probes[0].clone(), rows: Some(answer) }];
        let findings = look_at(sql, None, &probed).findings;
        findings.iter().find(|f| f.gate == "ungrouped_column").map(|f| f.severity)
    };
    assert_eq!(told(2), Some(Severity::Warning));
    assert_eq!(told(1), Some(Severity::Info));
    // of the groups that a limit leaves out nothing is said
    let some = "SELECT statusid, COUNT(*), agent_id FROM submissions GROUP BY agent_id LIMIT 1";
    assert_eq!(look_at(some, None, &[]).probes, []);
}

#[test]
fn one_row_for_all_is_no_answer_for_each() {
    let told = |sql: &str, question: &str| {
        gates(sql, Some(question)).into_iter().filter(|gate| gate == "grain").count()
    };
    let each = "How many submissions are there for each agent?";
    assert_eq!(told("SELECT COUNT(*) FROM submissions", each), 1);
    assert_eq!(told("SELECT agent_id, COUNT(*) FROM submissions GROUP BY agent_id", each), 0);
    // one number may speak of each
    let ratio = "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT agent_id) FROM submissions";
    assert_eq!(told(ratio, "How many submissions are there on average for each agent?"), 0);
    let average = "What is the average salary in each row?";
    assert_eq!(told("SELECT AVG(salary) FROM agents", average), 0);
    let other = "How many agents are fond of each other?";
    assert_eq!(told("SELECT COUNT(*) FROM agents", other), 0);
}

#[test]
fn rows_that_are_cut_and_not_ordered_are_told_without_a_question_too() {
    let found = look_at("SELECT channel FROM agents LIMIT 3", None, &[]).findings;
    let told: Vec<_> = found.iter().map(|f| (f.gate.as_str(), f.severity)).collect();
    assert_eq!(told, [("top_n", crate::domain::Severity::Info)]);
    let asked = gates("SELECT channel FROM agents LIMIT 3", Some("Show three channels."));
    assert_eq!(asked, Vec::<String>::new());
}

#[test]
fn a_written_list_with_null_in_it_keeps_no_row() {
    let told = |filter: &str| {
        let sql = format!("SELECT agent_id FROM agents WHERE {filter}");
        gates(&sql, None).into_iter().filter(|gate| gate == "nulls").count()
    };
    assert_eq!(told("salary NOT IN (1, NULL)"), 1);
    assert_eq!(told("NOT (salary IN (1, NULL))"), 1);
    assert_eq!(told("salary IN (NULL)"), 1);
    // what the list holds beside NULL is found
    assert_eq!(told("salary IN (1, NULL)"), 0);
    assert_eq!(told("salary NOT IN (1, 2)"), 0);
}

#[test]
fn a_list_with_null_in_it_excludes_everything() {
    let sql = "SELECT channel FROM agents WHERE agent_id NOT IN (SELECT agent_id FROM submissions)";
    let first = look_at(sql, None, &[]);
    let probe = first.probes.into_iter().next().expect("the data is asked");
    let with = |rows: Rows| {
        let probed = [ProbeAnswer { probe: probe.clone(), rows: Some(rows) }];
        look_at(sql, None, &probed).findings.into_iter().map(|f| f.gate).collect::<Vec<_>>()
    };
    assert_eq!(with(rows(&[&[Value::Integer(1)]])), ["nulls"]);
    assert_eq!(with(Rows::default()), Vec::<String>::new());
}

#[test]
fn moments_of_a_last_day_are_asked_for_where_no_values_are_known() {
    let mut facts = facts();
    facts.values = std::sync::Arc::default();
    let sql = "SELECT agent_id FROM submissions WHERE statusid <= '2024-01-31'";
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let binding = bind(&query, &facts.catalog);
    let before = Before {
        question: None,
        hint: None,
        understanding: None,
        query: &query,
        binding: &binding,
        catalog: &facts.catalog,
        facts: &facts,
        plan: None,
        reading: None,
        probed: &[],
    };
    let asked = super::last_day::look(&before).probes;
    let further = "SELECT MIN(statusid) FROM submissions WHERE statusid > '2024-01-31'";
    assert_eq!(asked.iter().map(|probe| probe.sql.as_str()).collect::<Vec<_>>(), [further]);
    let told = |first: Value| {
        let probed = [ProbeAnswer { probe: asked[0].clone(), rows: Some(rows(&[&[first]])) }];
        super::last_day::look(&Before { probed: &probed, ..before }).findings.len()
    };
    assert_eq!(told(text("2024-01-31 09:30:00")), 1);
    // a later day, a day alone, and no value behind it: nothing is left out
    assert_eq!(told(text("2024-02-01 09:30:00")), 0);
    assert_eq!(told(text("2024-02-01")), 0);
    assert_eq!(told(Value::Null), 0);
}

#[test]
fn a_range_of_moments_does_not_end_with_a_day() {
    let mut facts = facts();
    facts.values = std::sync::Arc::new(vec![crate::domain::ValueList {
        at: crate::domain::ColumnRef::new("submissions", "statusid"),
        values: vec!["2024-01-31 09:30:00".to_owned()].into(),
        complete: true,
        ..crate::domain::ValueList::default()
    }]);
    let told = |filter: &str| {
        let sql = format!("SELECT agent_id FROM submissions WHERE {filter}");
        let query = ReadQuery::parse(&sql, Dialect::Sqlite).expect("the query reads");
        let binding = bind(&query, &facts.catalog);
        let look = Before {
            question: None,
            hint: None,
            understanding: None,
            query: &query,
            binding: &binding,
            catalog: &facts.catalog,
            facts: &facts,
            plan: None,
            reading: None,
            probed: &[],
        };
        let found = before(&look).findings.into_iter().map(|f| f.gate);
        found.filter(|gate| gate == "last_day").count()
    };
    assert_eq!(told("statusid BETWEEN '2024-01-01' AND '2024-01-31'"), 1);
    assert_eq!(told("statusid <= '2024-01-31'"), 1);
    assert_eq!(told("statusid < '2024-02-01'"), 0);
    assert_eq!(told("statusid BETWEEN '2024-01-01' AND '2024-01-31 23:59:59'"), 0);
}
