//! Gates that hold a query against the words of its question: each fires on its kind of fault, and
//! is silent beside it.

use super::tests::{after_of, facts, gates, look_at, rows_of};
use super::*;
use crate::domain::{Dialect, ResultColumn, Value};
use crate::sql::bind;

/// Names the gates that warn before a run.
fn warned(question: &str, sql: &str) -> Vec<String> {
    gates(sql, Some(question))
}

/// Names the gates that look at these rows.
fn after(question: &str, sql: &str, rows: &Rows) -> Vec<String> {
    let told = after_of(sql, question, rows);
    told.iter().filter_map(|found| found.split(' ').next()).map(str::to_owned).collect()
}

fn rows(cells: &[&[Value]]) -> Rows {
    let column =
        ResultColumn { name: "x".into(), data_type: "text".into(), origin: None, unit: None };
    let rows: Vec<Vec<Value>> = cells.iter().map(|row| row.to_vec()).collect();
    let width = rows.first().map_or(1, Vec::len);
    Rows { columns: vec![column; width], row_count: rows.len() as u64, rows, ..Rows::default() }
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

#[test]
fn a_count_that_only_ranks_is_put_out_for_nothing() {
    let sql =
        "SELECT channel, COUNT(*) FROM agents GROUP BY channel ORDER BY COUNT(*) DESC LIMIT 1";
    for plain in
        ["Which channel has the most agents?", "The channel with the largest number of agents"]
    {
        assert_eq!(warned(plain, sql), ["surplus_column"], "{plain}");
    }
    for counts in [
        "Which channel has the most agents, and how many are there?",
        "Show each channel and the number of agents in it.",
        "Channels ordered by number of agents",
        "How often does each channel occur?",
    ] {
        assert_eq!(warned(counts, sql), Vec::<String>::new(), "{counts}");
    }
}

#[test]
fn an_order_against_the_superlative_is_told() {
    let ascending = "SELECT channel FROM agents ORDER BY salary LIMIT 1";
    let descending = "SELECT channel FROM agents ORDER BY salary DESC LIMIT 1";
    assert_eq!(warned("Channel of the agent with the highest salary", ascending), ["direction"]);
    assert_eq!(warned("Channel of the agent with the lowest salary", descending), ["direction"]);
    for (asked, sql) in [
        ("Channel of the agent with the highest salary", descending),
        ("Channel of the agent with the lowest salary", ascending),
        ("Channel of the agent with the most recent salary", ascending),
        ("Channel of one agent paid at highest", ascending),
    ] {
        assert_eq!(warned(asked, sql), Vec::<String>::new(), "{asked}");
    }
    let fewest = "SELECT channel FROM agents GROUP BY channel ORDER BY COUNT(*) LIMIT 1";
    assert_eq!(warned("Which channel has the most agents?", fewest), ["direction"]);
    assert_eq!(warned("Which channel has the fewest agents?", fewest), Vec::<String>::new());
}

#[test]
fn a_number_in_a_smaller_unit_is_said() {
    let paid = |amount: &str| format!("SELECT channel FROM agents WHERE salary > {amount}");
    for (asked, amount) in [
        ("Channels of agents paid more than 100 million", "100000000"),
        ("Channels of agents paid for 5 minutes or longer", "300000"),
        ("Channels of agents with salary No.3479", "3479"),
    ] {
        assert_eq!(warned(asked, &paid(amount)), Vec::<String>::new(), "{asked}");
    }
    let other = warned("Channels of agents paid more than 100 million", &paid("170000007"));
    assert_eq!(other, ["number_left_out"]);
}

#[test]
fn a_key_beside_what_was_asked_is_surplus() {
    let sql = "SELECT agent_id, channel FROM agents WHERE salary > 10";
    assert_eq!(warned("Channels of agents paid above 10", sql), ["surplus_column"]);
    assert_eq!(warned("Ids and channels of agents paid above 10", sql), Vec::<String>::new());
    assert_eq!(warned("Details of agents paid above 10", sql), Vec::<String>::new());
}

#[test]
fn one_other_row_is_enough_to_pass_a_denial_on_the_many_side() {
    let sql = "SELECT a.channel FROM agents a JOIN submissions s ON s.agent_id = a.agent_id \
               WHERE s.statusid <> 'BND'";
    let asked = "Channels of agents who have no bound submissions";
    assert_eq!(warned(asked, sql), ["negated_rows"]);
    assert_eq!(warned("Channels of agents with other submissions", sql), Vec::<String>::new());
    let excluded = "SELECT channel FROM agents WHERE agent_id NOT IN \
                    (SELECT agent_id FROM submissions WHERE statusid = 'BND')";
    assert_eq!(warned(asked, excluded), Vec::<String>::new());
    let of_rows = "SELECT s.submission_id FROM submissions s JOIN agents a \
                   ON a.agent_id = s.agent_id WHERE s.statusid <> 'BND' AND a.channel = 'Broker'";
    assert_eq!(
        warned("Ids of submissions of brokers that aren't bound", of_rows),
        Vec::<String>::new()
    );
}

#[test]
fn both_is_not_either() {
    let asked = "Which agents wrote both BND and DEC submissions?";
    let either = "SELECT agent_id FROM submissions WHERE statusid IN ('BND', 'DEC')";
    assert_eq!(warned(asked, either), ["both"]);
    let counted = "SELECT agent_id FROM submissions WHERE statusid IN ('BND', 'DEC') \
                   GROUP BY agent_id HAVING COUNT(DISTINCT statusid) = 2";
    assert_eq!(warned(asked, counted), Vec::<String>::new());
    let twice = "SELECT a.agent_id FROM submissions a JOIN submissions b \
                 ON a.agent_id = b.agent_id WHERE a.statusid = 'BND' AND b.statusid = 'DEC'";
    assert_eq!(warned(asked, twice), Vec::<String>::new());
    let set = "SELECT agent_id FROM submissions WHERE statusid = 'BND' INTERSECT \
               SELECT agent_id FROM submissions WHERE statusid = 'DEC'";
    assert_eq!(warned(asked, set), Vec::<String>::new());
}

#[test]
fn an_order_behind_an_aggregate_of_all_rows_chooses_nothing() {
    let sql = "SELECT COUNT(*) FROM agents ORDER BY salary DESC LIMIT 1";
    assert_eq!(warned("How many agents are there?", sql), ["useless_order"]);
    let grouped = "SELECT COUNT(*) FROM agents GROUP BY channel ORDER BY 1 DESC LIMIT 1";
    assert_eq!(warned("How many agents has the largest channel?", grouped), Vec::<String>::new());
}

#[test]
fn an_average_that_is_asked_for_is_computed() {
    let asked = "What is the average salary?";
    assert_eq!(warned(asked, "SELECT MAX(salary) FROM agents"), ["missing_measure"]);
    for fine in ["SELECT AVG(salary) FROM agents", "SELECT SUM(salary) / COUNT(*) FROM agents"] {
        assert_eq!(warned(asked, fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn numbers_are_those_of_the_question() {
    let sql = "SELECT channel FROM agents WHERE salary > 50";
    assert_eq!(warned("Channels of well paid agents", sql), ["number_unsaid"]);
    assert_eq!(warned("Channels of agents paid above fifty", sql), Vec::<String>::new());
    assert_eq!(
        warned(
            "Channels of agents paid above 2,000,000",
            "SELECT channel FROM agents WHERE salary > 2000000"
        ),
        Vec::<String>::new()
    );
    // "more than 50" may be written "at least 51"
    assert_eq!(warned("Channels of agents paid 51 or more", sql), Vec::<String>::new());
    let left = "SELECT channel FROM agents WHERE salary > 1";
    assert_eq!(warned("Channels of agents paid above 70", left), ["number_left_out"]);
}

#[test]
fn the_oldest_is_not_a_list() {
    let sql = "SELECT channel FROM agents WHERE salary > 1";
    assert_eq!(after("Which channel has the highest salary?", sql, &rows_of(3)), ["superlative"]);
    let chosen = "SELECT channel FROM agents WHERE salary = (SELECT MAX(salary) FROM agents)";
    let none = Vec::<String>::new();
    assert_eq!(after("Which channel has the highest salary?", chosen, &rows_of(3)), none);
    assert_eq!(after("The highest salary of each channel", sql, &rows_of(3)), none);
}

#[test]
fn different_ones_do_not_repeat() {
    let sql = "SELECT channel FROM agents WHERE salary > 1";
    let twice = rows(&[&[text("Broker")], &[text("Direct")], &[text("Broker")]]);
    assert_eq!(after("What are the different channels?", sql, &twice), ["repeated_rows"]);
    assert_eq!(after("What is the channel of those agents?", sql, &twice), Vec::<String>::new());
    let joined = "SELECT a.channel FROM agents a JOIN submissions s ON s.agent_id = a.agent_id";
    assert_eq!(after("What is the channel of those agents?", joined, &twice), ["repeated_rows"]);
}

#[test]
fn that_no_row_has_a_number_of_the_question_is_an_answer() {
    let sql = "SELECT channel FROM agents WHERE salary = 80000";
    let facts = facts();
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let binding = bind(&query, &facts.catalog);
    let nothing = "SELECT 1 FROM agents WHERE salary = 80000 LIMIT 1";
    let probe = Probe { asked_by: String::new(), purpose: String::new(), sql: nothing.to_owned() };
    let probed = [ProbeAnswer { probe, rows: Some(Rows::default()) }];
    let severity = |question: &str| {
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
            probed: &probed,
        };
        super::after(&After { before, rows: &rows_of(0) }).findings[0].severity
    };
    assert_eq!(severity("Channels of agents paid 80,000"), crate::domain::Severity::Info);
    assert_eq!(severity("Channels of the best paid agents"), crate::domain::Severity::Warning);
}

/// What the gate says of a result when rules read the question as `read`.
fn against(read: &Rows, ties: Option<&Rows>, mine: &Rows) -> Vec<String> {
    let reading = Reading {
        words: "agents.channel from agents".to_owned(),
        sql: "SELECT channel FROM agents".to_owned(),
        first: ties.map(|_| 1),
        ties: ties.map(|_| "SELECT salary FROM agents ORDER BY 1 DESC LIMIT 2".to_owned()),
    };
    let answer = |sql: &str, rows: &Rows| ProbeAnswer {
        probe: Probe { asked_by: String::new(), purpose: String::new(), sql: sql.to_owned() },
        rows: Some(rows.clone()),
    };
    let mut probed = vec![answer(&reading.sql, read)];
    if let (Some(sql), Some(ties)) = (&reading.ties, ties) {
        probed.push(answer(sql, ties));
    }
    let facts = facts();
    let query = ReadQuery::parse("SELECT channel FROM agents", Dialect::Sqlite).expect("it reads");
    let binding = bind(&query, &facts.catalog);
    let before = Before {
        question: Some("Show the channels of agents"),
        hint: None,
        understanding: None,
        query: &query,
        binding: &binding,
        catalog: &facts.catalog,
        facts: &facts,
        plan: None,
        reading: Some(&reading),
        probed: &probed,
    };
    let verdict = super::after(&After { before, rows: mine });
    assert_eq!(verdict.probes, [], "all probes are answered");
    verdict.findings.into_iter().map(|found| found.gate).collect()
}

#[test]
fn a_result_is_held_against_the_question_as_rules_read_it() {
    let broker = rows(&[&[text("Broker")]]);
    let direct = rows(&[&[text("Direct")]]);
    let none = Vec::<String>::new();
    assert_eq!(against(&broker, None, &direct), ["reading"]);
    assert_eq!(against(&broker, None, &broker), none);
    // columns in another order, and whole numbers as reals, say the same
    let pair = rows(&[&[text("Broker"), Value::Integer(2)]]);
    let turned = rows(&[&[Value::Real(2.0), text("Broker")]]);
    assert_eq!(against(&pair, None, &turned), none);
    // more columns than asked for are told, fewer aren't: the reading may have too many
    assert_eq!(against(&broker, None, &pair), ["reading"]);
    assert_eq!(against(&pair, None, &broker), none);
    // whether rows repeat is said by other words
    let twice = rows(&[&[text("Broker")], &[text("Broker")]]);
    assert_eq!(against(&broker, None, &twice), none);
    // a reading that finds nothing may be a misreading
    assert_eq!(against(&Rows::default(), None, &direct), none);
}

#[test]
fn where_several_come_first_the_reading_says_nothing() {
    let (broker, direct) = (rows(&[&[text("Broker")]]), rows(&[&[text("Direct")]]));
    let tied = rows(&[&[Value::Integer(5)], &[Value::Integer(5)]]);
    let alone = rows(&[&[Value::Integer(6)], &[Value::Integer(5)]]);
    assert_eq!(against(&broker, Some(&tied), &direct), Vec::<String>::new());
    assert_eq!(against(&broker, Some(&alone), &direct), ["reading"]);
}

#[test]
fn nothing_equals_null() {
    assert_eq!(gates("SELECT channel FROM agents WHERE salary = NULL", None), ["nulls"]);
    assert_eq!(gates("SELECT channel FROM agents WHERE NULL <> salary", None), ["nulls"]);
    let fine = "SELECT channel FROM agents WHERE salary IS NULL";
    assert_eq!(gates(fine, None), Vec::<String>::new());
}

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
fn what_comes_first_of_equals_is_told() {
    let sql = "SELECT channel FROM agents ORDER BY salary DESC LIMIT 1";
    let facts = facts();
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let binding = bind(&query, &facts.catalog);
    let further = "SELECT salary, channel FROM agents ORDER BY salary DESC LIMIT 2";
    let told = |second: i64| {
        let probe =
            Probe { asked_by: String::new(), purpose: String::new(), sql: further.to_owned() };
        let answer = rows(&[
            &[Value::Integer(9), text("Broker")],
            &[Value::Integer(second), text("Direct")],
        ]);
        let probed = [ProbeAnswer { probe, rows: Some(answer) }];
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
            probed: &probed,
        };
        let verdict = super::after(&After { before, rows: &rows(&[&[text("Broker")]]) });
        verdict.findings.into_iter().map(|found| (found.gate, found.severity)).collect::<Vec<_>>()
    };
    assert_eq!(told(9), [("ties".to_owned(), crate::domain::Severity::Info)]);
    assert_eq!(told(8), []);
}

#[test]
fn an_average_over_a_table_joined_for_nothing_is_a_fan_out() {
    let sql = "SELECT AVG(a.salary) FROM agents a JOIN submissions s ON s.agent_id = a.agent_id";
    let asked = "What is the average salary of agents?";
    // without an answer of the data the catalog's word stands
    let facts = facts();
    let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("the query reads");
    let binding = bind(&query, &facts.catalog);
    let look = Before {
        question: Some(asked),
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
    let probe = before(&look).probes.remove(0);
    let counted = rows(&[&[Value::Integer(6), Value::Integer(3)]]);
    let probed = [ProbeAnswer { probe, rows: Some(counted) }];
    let found = before(&Before { probed: &probed, ..look }).findings;
    let fan_out = found.iter().find(|f| f.gate == "fan_out").expect("a finding");
    assert_eq!(fan_out.severity, crate::domain::Severity::Warning);
    let filtered = format!("{sql} WHERE s.statusid = 'BND'");
    assert!(!gates(&filtered, Some(asked)).contains(&"fan_out".to_owned()));
}
