//! Gates that hold a query against the words of its question: each fires on its kind of fault, and
//! is silent beside it.

use super::tests::{after_of, facts, gates, rows_of};
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

pub(super) fn rows(cells: &[&[Value]]) -> Rows {
    let column =
        ResultColumn { name: "x".into(), data_type: "text".into(), origin: None, unit: None };
    let rows: Vec<Vec<Value>> = cells.iter().map(|row| row.to_vec()).collect();
    let width = rows.first().map_or(1, Vec::len);
    Rows { columns: vec![column; width], row_count: rows.len() as u64, rows, ..Rows::default() }
}

pub(super) fn text(value: &str) -> Value {
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
fn one_count_over_another_is_a_figure_of_its_own() {
    let sql = "SELECT channel, COUNT(CASE WHEN agent_id > 2 THEN 1 END) * 1.0 / COUNT(*) AS rate \
               FROM agents GROUP BY channel";
    assert_eq!(warned("conversion by channel", sql), Vec::<String>::new());
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
