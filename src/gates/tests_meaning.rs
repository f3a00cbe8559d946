//! Gates that know what an expression means to the engine, and to the agreed metrics.

use super::tests::{facts, gates, look_at, rows_of};
use super::*;
use crate::domain::{Dialect, Knowledge, Metric, Severity, Value};
use crate::sql::bind;

#[test]
fn a_counted_condition_counts_rows_where_it_is_false() {
    let share = "SELECT 100.0 * COUNT(channel = 'Broker') / COUNT(*) FROM agents";
    assert_eq!(gates(share, None), ["count_of_condition"]);
    for right in [
        "SELECT 100.0 * SUM(channel = 'Broker') / COUNT(*) FROM agents",
        "SELECT COUNT(channel = 'Broker' OR NULL) FROM agents",
        "SELECT COUNT(CASE WHEN channel = 'Broker' THEN 1 END) FROM agents",
        "SELECT COUNT(salary + 1) FROM agents",
    ] {
        assert_eq!(gates(right, None), Vec::<String>::new(), "{right}");
    }
}

#[test]
fn a_part_of_a_date_is_a_text_of_so_many_digits() {
    let of = |part: &str| format!("SELECT COUNT(*) FROM submissions WHERE {part}");
    for never in ["strftime('%Y', statusid) = 2022", "strftime('%m', statusid) = '1'"] {
        assert_eq!(gates(&of(never), None), ["date_form"], "{never}");
    }
    for right in [
        "strftime('%Y', statusid) = '2022'",
        "CAST(strftime('%Y', statusid) AS INTEGER) = 2022",
        "strftime('%Y', statusid) - strftime('%Y', statusid) > 5",
        "strftime('%m', statusid) IN ('01', '12')",
    ] {
        assert_eq!(gates(&of(right), None), Vec::<String>::new(), "{right}");
    }
}

#[test]
fn a_date_in_another_form_than_the_stored_is_compared_by_letters() {
    let stored = |sql: &str, cells: &[&str]| {
        let rows = cells.iter().map(|cell| vec![Value::Text((*cell).to_owned())]).collect();
        let rows = Rows { rows, row_count: cells.len() as u64, ..rows_of(0) };
        let mut probed: Vec<ProbeAnswer> = Vec::new();
        loop {
            let verdict = look_at(sql, None, &probed);
            let Some(probe) = verdict.probes.into_iter().next() else {
                let dates = verdict.findings.into_iter().filter(|f| f.gate == "date_form");
                return dates.count();
            };
            let equal = probe.sql.starts_with("SELECT 1");
            let rows = if equal { rows_of(0) } else { rows.clone() };
            probed.push(ProbeAnswer { probe, rows: Some(rows) });
        }
    };
    let moments = ["2021-01-01 00:00:00", "2022-05-01 00:00:00"];
    let days = ["2021-01-01", "2022-05-01"];
    let of = |by: &str| format!("SELECT COUNT(*) FROM submissions WHERE statusid {by}");
    for wrong in ["> '01/05/2022'", "> '2022-1-5'", "= '2022-01-01'"] {
        assert_eq!(stored(&of(wrong), &moments), 1, "{wrong}");
    }
    for right in ["> '2022-01-05'", "= '2021-01-01 00:00:00'", "LIKE '2022%'"] {
        assert_eq!(stored(&of(right), &moments), 0, "{right}");
    }
    assert_eq!(stored(&of("= '2022-01-01'"), &days), 0);
    assert_eq!(stored(&of("> '01/05/2022'"), &["01/05/2021", "02/05/2021"]), 0);
}

#[test]
fn the_row_in_the_middle_is_a_whole_number() {
    let median = "SELECT salary FROM agents ORDER BY salary LIMIT 1 \
                  OFFSET (SELECT (COUNT(*) - 1) / 2 FROM agents)";
    assert_eq!(gates(median, None), Vec::<String>::new());
}

/// Names the gates that look at a query where the pay of well paid agents is agreed.
fn with_metric(sql: &str) -> Vec<String> {
    let metric = Metric {
        name: "high_pay".to_owned(),
        formula: "SUM(salary)".to_owned(),
        filter: Some("agents.salary > 5000".to_owned()),
        tables: vec!["agents".to_owned()],
        ..Metric::default()
    };
    let knowledge = Knowledge { metrics: vec![metric], ..Knowledge::default() };
    let facts = Facts { knowledge: std::sync::Arc::new(knowledge), ..facts() };
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let verdict = before(&Before {
        question: Some("What is the high pay?"),
        hint: None,
        understanding: None,
        query: &query,
        binding: &bind(&query, &facts.catalog),
        catalog: &facts.catalog,
        facts: &facts,
        plan: None,
        reading: None,
        probed: &[],
    });
    verdict.findings.into_iter().map(|found| found.gate).collect()
}

#[test]
fn equal_forms_of_an_agreed_condition_are_agreed() {
    for right in [
        "SELECT SUM(salary) FROM agents WHERE salary > 5000",
        "SELECT SUM(salary) FROM agents WHERE 5000 < salary",
        "SELECT SUM(salary) FROM agents WHERE NOT (salary <= 5000)",
        "SELECT SUM(CASE WHEN salary > 5000 THEN salary END) FROM agents",
        "SELECT SUM(salary) FILTER (WHERE salary > 5000) FROM agents",
    ] {
        assert_eq!(with_metric(right), Vec::<String>::new(), "{right}");
    }
    for other in [
        "SELECT SUM(salary) FROM agents",
        "SELECT SUM(salary) FROM agents WHERE salary >= 5000",
        "SELECT SUM(CASE WHEN salary < 5000 THEN salary END) FROM agents",
    ] {
        assert_eq!(with_metric(other), ["metric_differs"], "{other}");
    }
}

#[test]
fn a_sum_over_a_window_sees_repeated_rows_too() {
    let joined = "SELECT DISTINCT a.channel, SUM(a.salary) OVER (PARTITION BY a.channel) \
                  FROM agents a JOIN submissions s ON s.agent_id = a.agent_id";
    let asked = look_at(joined, None, &[]).probes;
    let probe = asked.into_iter().find(|p| p.asked_by == "fan_out").expect("the data is asked");
    let figures = vec![Value::Integer(90), Value::Integer(30), Value::Integer(1)];
    let rows = Rows { rows: vec![figures], row_count: 1, ..rows_of(0) };
    let told = look_at(joined, None, &[ProbeAnswer { probe, rows: Some(rows) }]).findings;
    let found = told.iter().find(|found| found.gate == "fan_out").expect("it is told");
    assert_eq!(found.severity, Severity::Warning);
    let alone = "SELECT DISTINCT channel, SUM(salary) OVER (PARTITION BY channel) FROM agents";
    assert_eq!(gates(alone, None), Vec::<String>::new());
}
