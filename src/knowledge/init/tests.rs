//! Tests of the first knowledge file on a small shop.

use super::super::{drift, parse};
use super::*;
use crate::domain::{ColumnKind, Value};

fn column(name: &str, kind: ColumnKind) -> Column {
    let data_type = if kind == ColumnKind::Text { "TEXT" } else { "INTEGER" };
    Column { name: name.to_owned(), data_type: data_type.to_owned(), kind, ..Column::default() }
}

fn stats(column: &str, values: &[Value]) -> ColumnStats {
    ColumnStats {
        at: ColumnRef::new("orders", column),
        rows_read: 40,
        complete: true,
        nulls: 0,
        distinct: values.len() as u64,
        min: values.first().cloned(),
        max: values.last().cloned(),
        top: values.iter().map(|value| (value.clone(), 1)).collect(),
        known: true,
    }
}

fn shop() -> Catalog {
    use ColumnKind::{Integer, Text};
    let mut id = column("id", Integer);
    id.primary = true;
    let mut state = column("state", Text);
    state.comment = Some("where the order stands".to_owned());
    let orders = Table {
        name: "orders".to_owned(),
        comment: Some("one order\nof one customer".to_owned()),
        columns: vec![
            id,
            column("customer_id", Integer),
            state,
            column("placed_on", Text),
            column("total_cents", Integer),
            column("is_gift", Integer),
            column("ship_qty", Integer),
            column("price", Integer),
            column("card_number", Text),
        ],
        primary_key: vec!["id".to_owned()],
        rows: Some(RowCount { count: 40, exact: true }),
        ..Table::default()
    };
    let mut customers = Table::bare("Cust \"x\"", &["id"]);
    customers.primary_key = vec!["id".to_owned()];
    let key = ForeignKey {
        from_table: "orders".to_owned(),
        from_columns: vec!["customer_id".to_owned()],
        to_table: "Cust \"x\"".to_owned(),
        to_columns: vec!["id".to_owned()],
        origin: KeyOrigin::Inferred("named alike".to_owned()),
        one_to_one: false,
    };
    Catalog {
        database: "shop.db".to_owned(),
        tables: vec![orders, customers],
        keys: vec![key],
        ..Catalog::default()
    }
}

fn written(catalog: &Catalog) -> String {
    let text = |text: &str| Value::Text(text.to_owned());
    let statistics = vec![
        stats("placed_on", &[text("2026-01-01"), text("2026-05-31")]),
        stats("is_gift", &[Value::Integer(0), Value::Integer(1)]),
        stats("ship_qty", &[Value::Integer(1), Value::Integer(2)]),
        stats("id", &[Value::Integer(1), Value::Integer(2)]),
    ];
    let values = vec![ValueList {
        at: ColumnRef::new("orders", "state"),
        values: vec!["CAN".to_owned(), "NEW".to_owned(), "in \"transit\"".to_owned()].into(),
        complete: true,
        ..ValueList::default()
    }];
    let secret = [ColumnRef::new("orders", "card_number")];
    init(&Seen {
        catalog,
        statistics: &statistics,
        values: &values,
        denied: &[],
        withheld: &secret,
    })
}

#[test]
fn a_first_file_reads_back_and_agrees_with_its_schema() {
    let catalog = shop();
    let text = written(&catalog);
    let known = parse(&text, "here").unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(drift(&known, &catalog), [], "{text}");
    // what nobody has filled in says nothing
    assert_eq!((known.domain.as_str(), known.rules.len(), known.metrics.len()), ("", 0, 0));
    assert_eq!(known.tables, [("orders".to_owned(), "one order of one customer".to_owned())]);
    let state = known.columns.iter().find(|m| m.at.column == "state").unwrap();
    assert_eq!(state.text, "where the order stands");
    assert_eq!(state.values, [], "codes wait for their meanings");
    assert_eq!(known.deny, [], "a proposal");
}

#[test]
fn codes_dates_money_and_short_names_are_guessed() {
    let text = written(&shop());
    for line in [
        "values = { CAN = \"\", NEW = \"\", \"in \\\"transit\\\"\" = \"\" }",
        "values = { 0 = \"\", 1 = \"\" }",
        "format = \"YYYY-MM-DD\"",
        "unit = \"cents\"",
        "unit = \"\"  # which currency, and is it in its smallest coin?",
        "synonyms = [\"ship quantity\"]",
        "# orders: 40 rows; joins Cust \"x\"",
        "# from = \"orders.customer_id\"",
        "# deny = [\"orders.card_number\"]",
        "# formula = \"SUM(orders.total_cents)\"",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in:\n{text}");
    }
    assert!(!text.contains("[columns.\"orders.id\"]"), "keys are no facts:\n{text}");
}

#[test]
fn a_date_that_many_tables_hold_alike_is_told_once() {
    let mut catalog = shop();
    let mut statistics = Vec::new();
    for name in ["a", "b", "c"] {
        catalog.tables.push(Table {
            columns: vec![column("last_update", ColumnKind::Text)],
            ..Table::bare(name, &[])
        });
        let moment = Value::Text("2026-01-01 10:00".to_owned());
        let of_table = stats("last_update", &[moment]);
        statistics.push(ColumnStats { at: ColumnRef::new(name, "last_update"), ..of_table });
    }
    let seen = Seen {
        catalog: &catalog,
        statistics: &statistics,
        values: &[],
        denied: &[],
        withheld: &[],
    };
    let text = init(&seen);
    let note = "notes = [\"last_update is stored as YYYY-MM-DD HH:MM, in 3 tables\"]";
    assert!(text.lines().any(|line| line == note), "{text}");
    assert!(!text.contains("[columns.\"a.last_update\"]"), "{text}");
}

#[test]
fn everything_proposed_can_be_taken_as_it_is() {
    let catalog = shop();
    let text = written(&catalog);
    let proposed: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.starts_with("[[joins") => rest,
            Some(rest) if ["from = ", "to = ", "reason = "].iter().any(|k| rest.starts_with(k)) => {
                rest
            }
            Some(_) | None => line,
        })
        .fold(String::new(), |all, line| all + line + "\n");
    let known = parse(&proposed, "here").unwrap();
    assert_eq!(known.joins.len(), 1);
    assert_eq!(drift(&known, &catalog), []);
}
