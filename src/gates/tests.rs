//! Gates on a small schema: each fires on its fault and is silent beside it.

use std::sync::Arc;

use super::*;
use crate::domain::schema::{KeyOrigin, RowCount};
use crate::domain::{
    Column, ColumnKind, ColumnRef, Dialect, ForeignKey, Knowledge, Metric, ResultColumn, Severity,
    Table, Value, ValueList,
};
use crate::sql::bind;

fn column(name: &str, kind: ColumnKind, primary: bool) -> Column {
    Column { name: name.to_owned(), kind, primary, ..Column::default() }
}

fn table(name: &str, columns: &[(&str, ColumnKind)]) -> Table {
    let first = columns[0].0;
    Table {
        name: name.to_owned(),
        columns: columns.iter().map(|(n, k)| column(n, *k, *n == first)).collect(),
        primary_key: vec![first.to_owned()],
        rows: Some(RowCount { count: 50_000, exact: true }),
        ..Table::default()
    }
}

/// Agents write submissions; each submission has a status.
pub(super) fn facts() -> Facts {
    use ColumnKind::{Integer, Real, Text};
    let key = ForeignKey {
        from_table: "submissions".to_owned(),
        from_columns: vec!["agent_id".to_owned()],
        to_table: "agents".to_owned(),
        to_columns: vec!["agent_id".to_owned()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    };
    let catalog = Catalog {
        tables: vec![
            table("agents", &[("agent_id", Integer), ("channel", Text), ("salary", Real)]),
            table(
                "submissions",
                &[("submission_id", Integer), ("agent_id", Integer), ("statusid", Text)],
            ),
        ],
        keys: vec![key],
        ..Catalog::default()
    };
    let list = |table: &str, column: &str, values: &[&str]| ValueList {
        at: ColumnRef::new(table, column),
        values: values.iter().map(|v| (*v).to_owned()).collect(),
        complete: true,
        ..ValueList::default()
    };
    let metric = Metric {
        name: "quote_conversion".to_owned(),
        formula: "COUNT(CASE WHEN statusid = 'BND' THEN 1 END) * 1.0 / NULLIF(COUNT(CASE WHEN statusid = 'QTE' THEN 1 END), 0)".to_owned(),
        tables: vec!["submissions".to_owned()],
        synonyms: vec!["quote to bind ratio".to_owned()],
        ..Metric::default()
    };
    Facts {
        catalog: Arc::new(catalog),
        values: Arc::new(vec![
            list("agents", "channel", &["Broker", "Direct"]),
            list("submissions", "statusid", &["BND", "DEC", "QTE"]),
        ]),
        knowledge: Arc::new(Knowledge { metrics: vec![metric], ..Knowledge::default() }),
        ..Facts::default()
    }
}

const QUESTION: &str = "What is the quote to bind ratio per agent channel? Use float numbers.";

pub(super) fn look_at(sql: &str, question: Option<&str>, probed: &[ProbeAnswer]) -> Verdict {
    let facts = facts();
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let binding = bind(&query, &facts.catalog);
    assert_eq!(binding.diagnostics, [], "{sql}");
    before(&Before {
        question,
        hint: None,
        understanding: None,
        query: &query,
        binding: &binding,
        catalog: &facts.catalog,
        facts: &facts,
        plan: None,
        reading: None,
        probed,
    })
}

pub(super) fn gates(sql: &str, question: Option<&str>) -> Vec<String> {
    look_at(sql, question, &[]).findings.into_iter().map(|f| f.gate).collect()
}

fn retryable(sql: &str) -> Vec<String> {
    let findings = look_at(sql, Some(QUESTION), &[]).findings;
    findings.into_iter().filter(|f| f.retryable).map(|f| f.gate).collect()
}

const MENDED: &str = "SELECT a.channel, CAST((COUNT(CASE WHEN s.statusid='BND' THEN 1 END) / COUNT(CASE WHEN s.statusid='QTE' THEN 1 END) * 100) AS REAL) AS quote_conversion_rate FROM submissions s JOIN agents a ON s.agent_id = a.agent_id WHERE s.statusid IN ('BND','QTE') GROUP BY a.channel";

#[test]
fn a_cast_around_a_whole_number_ratio_comes_too_late() {
    assert_eq!(retryable(MENDED), ["integer_division"]);
}

#[test]
fn the_rewrite_of_a_whole_number_ratio_is_free_of_the_finding() {
    let findings = look_at(MENDED, Some(QUESTION), &[]).findings;
    let rewrite = findings.iter().find_map(|f| f.rewrite.clone()).expect("a rewrite");
    assert!(rewrite.contains("THEN 1 END) * 1.0 / COUNT("), "{rewrite}");
    assert_eq!(retryable(&rewrite), Vec::<String>::new());
}

#[test]
fn another_denominator_than_the_agreed_one_is_another_metric() {
    let sql = "SELECT a.channel, (CAST(COUNT(CASE WHEN s.statusid = 'BND' THEN 1 END) AS FLOAT) / NULLIF(CAST(COUNT(CASE WHEN s.statusid IN ('BND','QTE') THEN 1 END) AS FLOAT), 0)) * 100 AS quote_conversion_rate FROM submissions s JOIN agents a ON s.agent_id = a.agent_id GROUP BY a.channel";
    assert_eq!(retryable(sql), ["metric_differs"]);
}

#[test]
fn a_condition_that_leaves_out_what_the_formula_counts_is_another_metric() {
    let ratio = "100.0 * COUNT(CASE WHEN s.statusid = 'BND' THEN 1 END) / COUNT(CASE WHEN s.statusid = 'QTE' THEN 1 END) AS quote_conversion";
    let over = |rows: &str| retryable(&format!("SELECT {ratio} FROM submissions s WHERE {rows}"));
    assert_eq!(over("s.statusid = 'BND'"), ["metric_differs"]);
    assert_eq!(over("s.statusid IN ('BND', 'DEC')"), ["metric_differs"]);
    for whole in ["s.statusid IN ('QTE', 'BND')", "s.statusid <> 'DEC'", "s.agent_id = 'A1'"] {
        assert_eq!(over(whole), Vec::<String>::new(), "{whole}");
    }
}

#[test]
fn the_same_formula_in_other_words_is_the_same_metric() {
    for ratio in [
        "100.0 * SUM(CASE WHEN 'BND' = s.statusid THEN 1 ELSE 0 END) / COUNT(CASE WHEN s.statusid = 'QTE' THEN 1 END)",
        "ROUND(CAST(SUM(s.statusid = 'BND') AS REAL) / SUM(IIF(s.statusid = 'QTE', 1, 0)), 2)",
        "COUNT(*) FILTER (WHERE statusid = 'BND') * 1.0 / COUNT(*) FILTER (WHERE statusid = 'QTE')",
    ] {
        let sql = format!("SELECT {ratio} AS quote_conversion FROM submissions s");
        assert_eq!(retryable(&sql), Vec::<String>::new(), "{sql}");
    }
}

#[test]
fn a_metric_nobody_names_is_not_compared() {
    let sql = "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT agent_id) FROM submissions";
    assert_eq!(gates(sql, Some("How many submissions does an agent write?")), Vec::<String>::new());
}

#[test]
fn a_literal_that_is_not_stored_names_the_stored_one() {
    let sql = "SELECT COUNT(*) FROM agents WHERE channel = 'broker'";
    let findings = look_at(sql, None, &[]).findings;
    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.contains("stored is 'Broker'"), "{}", findings[0].message);
    assert!(findings[0].retryable);
    let rewrite = findings[0].rewrite.clone().expect("a rewrite");
    assert_eq!(rewrite, "SELECT COUNT(*) FROM agents WHERE channel = 'Broker'");
    assert_eq!(gates(&rewrite, None), Vec::<String>::new());
}

#[test]
fn a_double_quoted_stored_value_is_fine_and_an_unstored_one_informs() {
    assert_eq!(
        gates("SELECT COUNT(*) FROM agents WHERE channel = \"Broker\"", None),
        Vec::<String>::new()
    );
    let findings =
        look_at("SELECT COUNT(*) FROM agents WHERE channel = \"Brokers\"", None, &[]).findings;
    assert_eq!(findings[0].severity, Severity::Info);
    assert_eq!(findings[0].rewrite, None);
}

#[test]
fn a_double_quoted_word_close_to_a_column_warns() {
    let findings = look_at("SELECT \"chanel\" FROM agents LIMIT 1", None, &[]).findings;
    assert!(findings[0].message.contains("did you mean channel"), "{}", findings[0].message);
}

#[test]
fn a_double_quoted_word_where_a_text_has_no_use_warns() {
    let told = |sql: &str| {
        let findings = look_at(sql, None, &[]).findings.into_iter();
        findings.filter(|f| f.gate == "stray_string").map(|f| f.evidence).collect::<Vec<_>>()
    };
    // two texts are compared, whatever they are
    let none = told("SELECT agent_id FROM agents WHERE \"chanel\" = 'Broker'");
    assert!(none[0].contains("the same for every row"), "{none:?}");
    assert_eq!(told("SELECT agent_id FROM agents WHERE \"town\" = 'Broker'").len(), 1);
    assert_eq!(told("SELECT agent_id FROM agents WHERE \"town\" IN ('A', 'B')").len(), 1);
    assert_eq!(told("SELECT channel FROM agents ORDER BY \"pay\"").len(), 1);
    assert_eq!(told("SELECT COUNT(*) FROM agents GROUP BY \"pay\"").len(), 1);
    assert_eq!(told("SELECT SUM(\"pay\") FROM agents").len(), 1);
    // a label, and a text that a column is compared with, are texts
    assert_eq!(told("SELECT \"town\", channel FROM agents").len(), 0);
    assert_eq!(told("SELECT agent_id FROM agents WHERE channel = \"chanel\"").len(), 0);
    assert_eq!(told("SELECT salary AS \"pay\" FROM agents ORDER BY \"pay\"").len(), 0);
}

#[test]
fn a_sum_over_a_repeating_join_is_proved_on_the_data() {
    let sql = "SELECT SUM(a.salary) FROM agents a JOIN submissions s ON s.agent_id = a.agent_id";
    let verdict = look_at(sql, None, &[]);
    let probe = verdict.probes[0].clone();
    let answered = |all: i64, distinct: i64| {
        let rows = vec![vec![Value::Integer(all), Value::Integer(distinct)]];
        let rows = Rows { rows, row_count: 1, ..Rows::default() };
        look_at(sql, None, &[ProbeAnswer { probe: probe.clone(), rows: Some(rows) }]).findings
    };
    let findings = answered(6, 3);
    assert_eq!((findings[0].gate.as_str(), findings[0].severity), ("fan_out", Severity::Warning));
    assert!(
        findings[0].evidence.contains("2.0 times (6 joined rows for 3)"),
        "{}",
        findings[0].evidence
    );
    assert!(answered(3, 3).iter().all(|f| f.gate != "fan_out"));
}

#[test]
fn counting_the_many_side_is_no_fan_out() {
    let sql = "SELECT a.channel, COUNT(*) FROM agents a JOIN submissions s ON s.agent_id = a.agent_id GROUP BY a.channel";
    let verdict = look_at(sql, None, &[]);
    assert!(verdict.findings.is_empty() && verdict.probes.is_empty());
}

#[test]
fn a_join_beside_the_key_names_the_key() {
    let sql = "SELECT COUNT(*) FROM agents a JOIN submissions s ON s.submission_id = a.agent_id";
    let findings = look_at(sql, None, &[]).findings;
    assert_eq!(findings[0].gate, "join_key");
    assert!(findings[0].evidence.contains("submissions.agent_id = agents.agent_id"));
}

#[test]
fn tables_that_nothing_connects_warn() {
    assert_eq!(gates("SELECT COUNT(*) FROM agents, submissions", None), ["cross_join"]);
}

#[test]
fn a_column_outside_groups_is_named_unless_the_key_fixes_it() {
    let sql = "SELECT statusid, COUNT(*) FROM submissions GROUP BY agent_id";
    assert_eq!(gates(sql, None), ["ungrouped_column"]);
    let keyed = "SELECT channel, COUNT(*) FROM agents a JOIN submissions s ON s.agent_id = a.agent_id GROUP BY s.agent_id";
    assert_eq!(gates(keyed, None), Vec::<String>::new());
}

pub(super) fn after_of(sql: &str, question: &str, rows: &Rows) -> Vec<String> {
    let facts = facts();
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let binding = bind(&query, &facts.catalog);
    let before = Before {
        question: Some(question),
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
    let verdict = after(&After { before, rows });
    verdict.findings.into_iter().map(|f| format!("{} {}", f.gate, f.message)).collect()
}

pub(super) fn rows_of(count: u64) -> Rows {
    let columns = vec![ResultColumn {
        name: "x".into(),
        data_type: "integer".into(),
        origin: None,
        unit: None,
    }];
    let rows = (0..count).map(|_| vec![Value::Integer(1)]).collect();
    Rows { columns, rows, row_count: count, ..Rows::default() }
}

#[test]
fn an_empty_result_names_the_condition_that_nothing_fits() {
    let sql = "SELECT agent_id FROM agents WHERE channel = 'Post'";
    let found = after_of(sql, "Who sells by post?", &rows_of(0));
    assert_eq!(found, ["empty_result the result is empty: no row fits channel = 'Post'"]);
}

#[test]
fn a_question_for_one_number_is_not_answered_by_a_list() {
    let sql = "SELECT COUNT(*) FROM submissions GROUP BY agent_id";
    let found = after_of(sql, "How many submissions were written?", &rows_of(3));
    assert_eq!(found.len(), 1);
    let each = after_of(sql, "How many submissions did each agent write?", &rows_of(3));
    assert_eq!(each, Vec::<String>::new());
}

#[test]
fn the_first_three_are_three() {
    let sql = "SELECT agent_id FROM agents ORDER BY salary DESC LIMIT 5";
    assert_eq!(after_of(sql, "Show the top 3 agents by salary", &rows_of(5)).len(), 1);
    let right = "SELECT agent_id FROM agents ORDER BY salary DESC LIMIT 3";
    assert_eq!(
        after_of(right, "Show the top 3 agents by salary", &rows_of(2)),
        Vec::<String>::new()
    );
}

#[test]
fn a_query_without_a_table_answers_no_question_about_data() {
    let asked = Some("How many agents are there?");
    assert_eq!(gates("SELECT 42 AS agents", asked), ["no_table"]);
    assert_eq!(gates("SELECT 42 AS agents", None), Vec::<String>::new());
    assert_eq!(gates("WITH n AS (SELECT 1 AS one) SELECT one FROM n", asked), ["no_table"]);
    assert_eq!(gates("SELECT COUNT(*) FROM sqlite_master", asked), Vec::<String>::new());
    assert_eq!(gates("SELECT (SELECT COUNT(*) FROM agents)", asked), Vec::<String>::new());
}

#[test]
fn the_first_of_a_ranking_needs_an_order() {
    let asked = Some("Top 3 agents by salary");
    assert_eq!(gates("SELECT channel FROM agents WHERE salary > 0 LIMIT 3", asked), ["top_n"]);
    for fine in [
        "SELECT channel FROM agents WHERE salary > 0 ORDER BY salary DESC LIMIT 3",
        "SELECT channel FROM (SELECT channel FROM agents ORDER BY salary DESC) LIMIT 3",
    ] {
        assert_eq!(gates(fine, asked), Vec::<String>::new(), "{fine}");
    }
    let any = Some("Show the first 3 agents");
    let sql = "SELECT channel FROM agents WHERE salary > 0 LIMIT 3";
    assert_eq!(gates(sql, any), Vec::<String>::new());
}

#[test]
fn words_compared_with_a_number_are_told_with_what_is_stored() {
    let findings = look_at("SELECT agent_id FROM agents WHERE channel = 1", None, &[]).findings;
    let found = findings.iter().find(|f| f.gate == "number_for_text").expect("a finding");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(found.evidence, "stored are 'Broker', 'Direct'");
    let sql = "SELECT agent_id FROM agents WHERE salary > 1 AND agent_id = 2";
    assert_eq!(gates(sql, None), Vec::<String>::new());
}
