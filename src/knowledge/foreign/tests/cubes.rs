//! Tests of reading Cube data models.

use super::*;

const CUBE: &str = r#"
cubes:
  - name: orders
    sql_table: public.orders
    title: Purchases
    description: what customers buy
    joins:
      - name: customers
        relationship: many_to_one
        sql: "{CUBE}.customer_id = {customers.id}"
      - name: lines
        relationship: one_to_many
        sql: "{CUBE.id} = {lines}.order_id"
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: state, sql: "{CUBE}.status", type: string, title: Order State}
      - {name: day, sql: "date({CUBE}.placed_on)", type: time}
      - name: kind
        type: string
        case:
          when:
            - {sql: "{CUBE}.kind = 'G'", label: gift}
            - {sql: "{CUBE}.kind = 'O'", label: own}
          else: {label: other}
    measures:
      - {name: count, type: count}
      - {name: revenue, sql: total, type: sum, format: currency, description: all money}
      - name: sent
        sql: "{CUBE}.total"
        type: sum
        filters: [{sql: "{state} = 'S'"}]
      - {name: share, type: number, sql: "100.0 * {sent} / {CUBE.revenue}"}
      - {name: running, sql: total, type: sum, rolling_window: {trailing: unbounded}}
      - {name: cross, type: number, sql: "{revenue} / {customers.count}"}
    segments:
      - {name: open_ones, sql: "{CUBE}.status <> 'S'"}
    pre_aggregations: []
  - name: customers
    sql: SELECT * FROM customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
    measures:
      - {name: count, type: count}
  - name: lines
    sql_table: order_lines
  - name: odd
    sql: SELECT a FROM b WHERE c
views:
  - {name: overview, cubes: []}
"#;

#[test]
fn cubes_give_joins_metrics_words_codes_and_rules() {
    let known = read_one(CUBE);
    let formula = |name: &str| metric(&known, name).formula.as_str();
    assert_eq!(formula("revenue"), "SUM(orders.total)");
    assert_eq!(metric(&known, "revenue").meaning, "all money");
    assert_eq!((formula("orders_count"), formula("customers_count")), ("COUNT(*)", "COUNT(*)"));
    assert_eq!(formula("sent"), "SUM(orders.total)");
    assert_eq!(metric(&known, "sent").filter.as_deref(), Some("orders.status = 'S'"));
    let share =
        "100.0 * (SUM(CASE WHEN orders.status = 'S' THEN orders.total END)) / (SUM(orders.total))";
    assert_eq!(formula("share"), share);
    let joins: Vec<String> =
        known.joins.iter().map(|join| format!("{} -> {}", join.from[0], join.to[0])).collect();
    assert_eq!(joins, ["orders.customer_id -> customers.id", "order_lines.order_id -> orders.id"]);
    assert_eq!(column(&known, "orders.kind").values[0], ("G".to_owned(), "gift".to_owned()));
    assert!(column(&known, "orders.id").unique);
    assert!(known.synonyms.contains(&("order state".to_owned(), "orders.status".to_owned())));
    assert!(known.synonyms.contains(&("purchases".to_owned(), "orders".to_owned())));
    let rules: Vec<&str> = known.rules.iter().map(|rule| rule.text.as_str()).collect();
    assert_eq!(
        rules,
        [
            "day of orders is date(orders.placed_on)",
            "\"open ones\" of orders are those where orders.status <> 'S'",
        ]
    );
}

#[test]
fn what_cubes_compute_beyond_formulas_is_told_as_lost() {
    let said = read_one(CUBE).lost.join("\n");
    for words in [
        "measure orders.running: rolling_window has no plain formula",
        "measure orders.cross: its sql asks for more than measures of its cube",
        "cube odd: it is a query, no table",
        "view overview: it only shows what its cubes say",
    ] {
        assert!(said.contains(words), "{words} is missing in:\n{said}");
    }
}
