//! Tests of what is read from a small schema's views, triggers, checks, defaults and comments.

use super::super::{drift, parse};
use super::*;
use crate::domain::schema::{KeyOrigin, TableKind};
use crate::domain::{Column, ForeignKey, Table};

fn view(name: &str, columns: &[&str], query: &str) -> Table {
    let ddl = format!("CREATE VIEW [{name}] (x) AS -- AS SELECT\n {query}");
    Table { kind: TableKind::View, ddl: Some(ddl), ..Table::bare(name, columns) }
}

fn table(name: &str, key: &[&str], columns: &[&str]) -> Table {
    let primary_key = key.iter().map(|&name| name.to_owned()).collect();
    Table { primary_key, ..Table::bare(name, columns) }
}

fn key(from: &str, column: &str, to: &str, target: &str) -> ForeignKey {
    ForeignKey {
        from_table: from.to_owned(),
        from_columns: vec![column.to_owned()],
        to_table: to.to_owned(),
        to_columns: vec![target.to_owned()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    }
}

fn shop(view: Table) -> Catalog {
    Catalog {
        tables: vec![
            table("customers", &["id"], &["id", "name", "surname", "active"]),
            table("orders", &["id"], &["id", "customer_id", "state", "placed_on", "region"]),
            table("Order Lines", &["order_id", "sku"], &["order_id", "sku", "price", "quantity"]),
            table("regions", &["code"], &["code", "label"]),
            view,
        ],
        keys: vec![
            key("orders", "customer_id", "customers", "id"),
            key("Order Lines", "order_id", "orders", "id"),
        ],
        ..Catalog::default()
    }
}

fn proposed(catalog: &Catalog, triggers: &[Definition]) -> String {
    let proposals = extract(catalog, triggers, &[]);
    let text = text(&proposals);
    let known = parse(&text, "here").unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(drift(&known, catalog), [], "{text}");
    text
}

#[track_caller]
fn check(query: &str, lines: &[&str]) {
    let text = proposed(&shop(view("a view", &["x"], query)), &[]);
    for line in lines {
        assert!(text.lines().any(|l| l == *line), "{line} is missing in:\n{text}");
    }
}

#[test]
fn a_sum_becomes_a_metric_over_its_own_tables() {
    check(
        "SELECT c.name, SUM( l.price\n * (l.quantity) ) AS TotalSales FROM customers c \
         JOIN orders o ON o.customer_id = c.id JOIN [Order Lines] l ON l.order_id = o.id \
         WHERE o.state <> 'CAN' AND o.placed_on BETWEEN '2026-01-01' AND '2026-12-31' GROUP BY 1",
        &[
            "name = \"total_sales\"",
            "meaning = \"total sales\"",
            "formula = \"SUM(\\\"Order Lines\\\".price * \\\"Order Lines\\\".quantity)\"",
            "tables = [\"Order Lines\", \"orders\"]",
            "filter = \"orders.state <> 'CAN'\"",
            "grain = \"one row of Order Lines\"",
            "# view a view: SUM( l.price * (l.quantity) )",
            "# Look: the view also keeps only orders.placed_on BETWEEN '2026-01-01' AND '2026-12-31'",
        ],
    );
}

#[test]
fn a_join_that_no_key_declares_is_proposed_the_right_way_round() {
    check(
        "SELECT o.id FROM regions r JOIN orders o ON r.code = o.region JOIN customers c ON c.id = o.customer_id",
        &[
            "from = \"orders.region\"",
            "to = \"regions.code\"",
            "reason = \"the view a view joins by it\"",
        ],
    );
    let declared = shop(view(
        "v",
        &["x"],
        "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id",
    ));
    assert_eq!(extract(&declared, &[], &[]), []);
}

#[test]
fn a_case_tells_what_codes_mean() {
    check(
        "SELECT CASE WHEN c.active = 1 THEN 'active' ELSE '' END AS a, \
         CASE o.state WHEN 'N' THEN 'new' WHEN 'S' THEN 'sent' END AS b \
         FROM customers c JOIN orders o ON o.customer_id = c.id",
        &[
            "[columns.\"customers.active\"]",
            "values = { 1 = \"active\" }",
            "[columns.\"orders.state\"]",
            "values = { N = \"new\", S = \"sent\" }",
        ],
    );
}

#[test]
fn what_a_view_keeps_and_puts_together_are_rules() {
    check(
        "SELECT name || ' ' || surname AS full_name FROM customers WHERE (((customers.active)=1))",
        &[
            "text = \"a row of customers is written as customers.name || ' ' || customers.surname\"",
            "text = \"\\\"a view\\\" keeps only rows where customers.active=1\"",
            "about = [\"customers.active\"]",
        ],
    );
    check(
        "SELECT l.price * l.quantity AS extended FROM [Order Lines] AS l",
        &[
            "text = \"extended of Order Lines is \\\"Order Lines\\\".price * \\\"Order Lines\\\".quantity\"",
        ],
    );
}

#[test]
fn the_same_formula_twice_is_one_metric_with_both_names() {
    let mut catalog = shop(view("first", &["x"], "SELECT SUM(price) AS sales FROM [Order Lines]"));
    catalog.tables.push(view(
        "second",
        &["x"],
        "SELECT sum(l.price) turnover FROM \"Order Lines\" l",
    ));
    let proposals = extract(&catalog, &[], &[]);
    assert_eq!(proposals.len(), 1, "{proposals:?}");
    assert_eq!(proposals[0].cites.len(), 2);
    assert!(proposals[0].entry.contains("synonyms = [\"turnover\"]"), "{}", proposals[0].entry);
}

#[test]
fn a_view_that_cannot_be_read_or_stands_on_views_proposes_nothing() {
    let broken = shop(view("v", &["x"], "SELECT FROM nowhere WHERE"));
    assert_eq!(extract(&broken, &[], &[]), []);
    let mut catalog =
        shop(view("sales", &["total"], "SELECT SUM(price) AS total FROM [Order Lines]"));
    catalog.tables.push(view("again", &["x"], "SELECT SUM(total) AS grand FROM sales"));
    assert_eq!(extract(&catalog, &[], &[]).len(), 1);
}

#[test]
fn checks_give_codes_ranges_and_rules() {
    let mut catalog = shop(view("v", &["x"], "SELECT 1"));
    let orders = &mut catalog.tables[1];
    orders.checks = vec![
        "state in ('N','S') ".to_owned(),
        "placed_on is null or placed_on > region".to_owned(),
    ];
    catalog.tables[2].checks = vec![
        "[price]>=(0) AND [price]<=(100)".to_owned(),
        "[quantity]>=(0)".to_owned(),
        "sku is null or sku like '%Red%' or sku like '%Blue%'".to_owned(),
    ];
    let text = proposed(&catalog, &[]);
    for line in [
        "values = [\"N\", \"S\"]",
        "format = \"from 0 to 100\"",
        "format = \"text that holds one or more of: Red, Blue\"",
        "text = \"in every row of orders: orders.placed_on > orders.region\"",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in:\n{text}");
    }
    assert!(!text.contains("quantity\"]"), "that nothing is negative is no news:\n{text}");
}

#[test]
fn defaults_and_comments_are_meanings() {
    let mut catalog = shop(view("v", &["x"], "SELECT 1"));
    let orders = &mut catalog.tables[1];
    orders.comment = Some("one order\nof a customer".to_owned());
    orders.columns[2].default = Some("'N'".to_owned());
    orders.columns[2].comment = Some("where it stands".to_owned());
    orders.columns[3].default = Some("CURRENT_TIMESTAMP".to_owned());
    orders.columns[4].default = Some("4.99".to_owned());
    let text = proposed(&catalog, &[]);
    for line in [
        "meaning = \"one order of a customer\"",
        "meaning = \"where it stands; starts as 'N'\"",
        "meaning = \"the moment when the row was stored, unless another is given\"",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in:\n{text}");
    }
    assert!(!text.contains("4.99"));
}

#[test]
fn triggers_give_rules_and_those_that_say_the_same_are_one() {
    let trigger = |name: &str, table: &str, body: &str| Definition {
        name: name.to_owned(),
        table: table.to_owned(),
        sql: format!("CREATE TRIGGER {name} {body}"),
    };
    let mut catalog = shop(view("v", &["x"], "SELECT 1"));
    for table in &mut catalog.tables[..2] {
        table.columns.push(Column { name: "touched".to_owned(), ..Column::default() });
    }
    let touch = |table: &str| {
        let body = format!(
            "AFTER UPDATE ON {table} BEGIN UPDATE {table} SET touched = DATETIME('NOW') \
             WHERE rowid = new.rowid; END"
        );
        trigger(&format!("touch_{table}"), table, &body)
    };
    let refuse = trigger(
        "no_gap",
        "orders",
        "BEFORE INSERT ON orders WHEN NEW.placed_on < '2000' BEGIN \
         SELECT RAISE(ABORT, 'an order is placed after 2000.'); END",
    );
    let copy = trigger(
        "log",
        "orders",
        "AFTER DELETE ON orders BEGIN INSERT INTO regions VALUES (old.id, 'x'); END",
    );
    let text = proposed(&catalog, &[touch("orders"), touch("customers"), refuse, copy]);
    for line in [
        "about = [\"orders.touched\", \"customers.touched\"]",
        "text = \"orders: an order is placed after 2000 (refused where NEW.placed_on < '2000')\"",
        "text = \"each removed row of orders is also written to regions: count one of them, not both\"",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in:\n{text}");
    }
}

#[test]
fn roles_hierarchies_and_pairings_are_read_from_keys() {
    let mut catalog = shop(view("v", &["x"], "SELECT 1"));
    catalog.tables.push(table("staff", &["id"], &["id", "reports_to"]));
    catalog.tables.push(table("likes", &["customer_id", "region"], &["customer_id", "region"]));
    catalog.tables[1].columns.push(Column { name: "SupportRepId".to_owned(), ..Column::default() });
    catalog.keys.extend([
        key("staff", "reports_to", "staff", "id"),
        key("orders", "SupportRepId", "staff", "id"),
        key("likes", "customer_id", "customers", "id"),
        key("likes", "region", "regions", "code"),
    ]);
    let text = proposed(&catalog, &[]);
    for line in [
        "meaning = \"the support rep, a row of staff\"",
        "synonyms = [\"support rep\"]",
        "[tables.likes]",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in:\n{text}");
    }
    assert!(text.contains("staff.reports_to names another row of staff"), "{text}");
    assert!(!text.contains("[columns.\"orders.customer_id\"]"), "no role but the table's:\n{text}");
}
