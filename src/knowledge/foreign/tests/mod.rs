//! Tests of reading files of other tools.

use super::super::{parse, toml};
use super::*;

mod cubes;

fn read_one(text: &str) -> Knowledge {
    assert!(is_yaml(text), "{text}");
    let known = parse(text, "here").unwrap_or_else(|e| panic!("{e}\n{text}"));
    // whatever is read can be written, and reads back as the same
    let again = parse(&toml(&known), "here").unwrap_or_else(|e| panic!("{e}\n{}", toml(&known)));
    let mut columns = known.columns.clone();
    columns.sort_by_key(|meaning| meaning.at.to_string());
    columns.retain(|meaning| *meaning != Meaning::of(meaning.at.clone()));
    assert_eq!(
        (again.metrics, again.joins, again.rules),
        (known.metrics.clone(), known.joins.clone(), known.rules.clone())
    );
    assert_eq!(again.columns, columns);
    known
}

fn column<'a>(known: &'a Knowledge, name: &str) -> &'a Meaning {
    known.columns.iter().find(|meaning| meaning.at.to_string() == name).unwrap()
}

fn metric<'a>(known: &'a Knowledge, name: &str) -> &'a Metric {
    let found = known.metrics.iter().find(|metric| metric.name == name);
    found.unwrap_or_else(|| panic!("no {name}: {:#?}\n{:#?}", known.metrics, known.lost))
}

const SCHEMA: &str = "
version: 2

models:
  - name: orders
    description: >
      One order
      of a customer.
    columns:
      - name: order_id
        data_tests: [unique, not_null]
      - name: status
        description: where it stands
        tests:
          - accepted_values:
              values: ['placed', 'sent']
      - name: customer_id
        data_tests:
          - relationships:
              arguments:
                to: ref('customers')
                field: id
          - dbt_utils.not_constant
          - unique:
              config:
                where: \"status = 'sent'\"
      - name: note
        description: \"{{ doc('note') }}\"
        meta: {owner: somebody}
  - name: stg_customers
    config: {alias: customers}
    columns:
      - {name: id, constraints: [{type: primary_key}]}
sources:
  - name: raw
    tables:
      - name: Payments
        identifier: pay
        description: money
";

#[test]
fn a_dbt_schema_gives_meanings_codes_joins_and_uniqueness() {
    let known = read_one(SCHEMA);
    let tables: Vec<_> = known.tables.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(tables, [("orders", "One order of a customer."), ("pay", "money")]);
    let id = column(&known, "orders.order_id");
    assert!(id.unique && id.not_null);
    let status = column(&known, "orders.status");
    assert_eq!(status.text, "where it stands");
    let codes: Vec<_> =
        status.values.iter().map(|(code, words)| (code.as_str(), words.as_str())).collect();
    assert_eq!(codes, [("placed", ""), ("sent", "")]);
    assert!(column(&known, "customers.id").unique);
    assert_eq!(known.joins.len(), 1);
    assert_eq!(known.joins[0].from, [ColumnRef::new("orders", "customer_id")]);
    assert_eq!(known.joins[0].to, [ColumnRef::new("customers", "id")]);
}

#[test]
fn what_a_dbt_schema_says_in_templates_or_in_part_is_told_as_lost() {
    let known = read_one(SCHEMA);
    let told: Vec<&str> = known.lost.iter().map(String::as_str).collect();
    assert_eq!(
        told,
        [
            "line 23: not carried over: test dbt_utils.not_constant of orders.customer_id",
            "line 24: not carried over: test unique of orders.customer_id: it holds for some rows only",
            "line 28: not carried over: description of orders.note: a template, {{ doc('note') }}",
            "line 29: not carried over: meta of orders.note",
        ]
    );
}

const SEMANTIC: &str = "
semantic_models:
  - name: order
    description: Orders and what they bring in.
    model: ref('orders')
    entities:
      - {name: order_id, type: primary}
      - {name: customer, type: foreign, expr: customer_id}
    dimensions:
      - {name: ordered_at, type: time, type_params: {time_granularity: day}}
      - {name: is_large, type: categorical, expr: total > 100}
      - {name: state, type: categorical, expr: status, label: Order State}
    measures:
      - {name: order_total, agg: sum, expr: total, description: all money}
      - {name: order_count, agg: count, expr: '1'}
      - {name: middle, agg: median, expr: total}
      - {name: buyers, agg: count_distinct, expr: customer_id}
  - name: customers
    model: ref('dim_customers')
    entities:
      - {name: customer, type: primary, expr: id}
    dimensions:
      - {name: country, type: categorical}
    measures:
      - {name: customer_count, agg: count_distinct, expr: id}
metrics:
  - name: revenue
    label: Turnover
    description: money of sent orders
    type: simple
    type_params: {measure: {name: order_total, filter: \"{{ Dimension('order_id__state') }} = 'sent'\"}}
    filter: |
      {{ Dimension('customer__country') }} <> 'XX'
  - name: average_order
    type: ratio
    type_params: {numerator: revenue, denominator: order_count}
  - name: net
    type: derived
    type_params:
      expr: r * 0.81 - order_count
      metrics: [{name: revenue, alias: r}, {name: order_count}]
  - name: growth
    type: derived
    type_params:
      expr: revenue - before
      metrics: [{name: revenue}, {name: revenue, alias: before, offset_window: 1 month}]
  - name: so_far
    type: cumulative
    type_params: {measure: order_total}
  - name: per_customer
    type: ratio
    type_params: {numerator: order_total, denominator: customer_count}
  - name: activated
    type: simple
    type_params: {measure: order_count}
    filter: \"{{ Metric('order_count', ['customer']) }} > 5\"
";

#[test]
fn dbt_measures_and_metrics_become_formulas() {
    let known = read_one(SEMANTIC);
    let revenue = metric(&known, "revenue");
    assert_eq!(revenue.formula, "SUM(orders.total)");
    let filter = "(dim_customers.country <> 'XX') AND (orders.status = 'sent')";
    assert_eq!(revenue.filter.as_deref(), Some(filter));
    assert_eq!(revenue.tables, ["orders", "dim_customers"]);
    assert_eq!(revenue.meaning, "money of sent orders");
    assert!(known.synonyms.contains(&("turnover".to_owned(), "revenue".to_owned())));
    let case = format!("SUM(CASE WHEN {filter} THEN orders.total END)");
    let average = metric(&known, "average_order");
    assert_eq!(average.formula, format!("1.0 * ({case}) / NULLIF(COUNT(*), 0)"));
    assert_eq!(metric(&known, "net").formula, format!("({case}) * 0.81 - (COUNT(*))"));
    // measures that no metric names stand for themselves
    assert_eq!(metric(&known, "buyers").formula, "COUNT(DISTINCT orders.customer_id)");
    assert_eq!(metric(&known, "order_total").meaning, "all money");
    assert_eq!(metric(&known, "customer_count").tables, ["dim_customers"]);
}

#[test]
fn dbt_entities_are_joins_and_dimensions_are_words_or_rules() {
    let known = read_one(SEMANTIC);
    assert_eq!(known.joins.len(), 1);
    assert_eq!(known.joins[0].from, [ColumnRef::new("orders", "customer_id")]);
    assert_eq!(known.joins[0].to, [ColumnRef::new("dim_customers", "id")]);
    assert!(known.synonyms.contains(&("order state".to_owned(), "orders.status".to_owned())));
    assert_eq!(known.rules[0].text, "is large of orders is total > 100");
    let said = known.lost.join("\n");
    for (name, why) in [
        ("measure middle", "median is no plain aggregate"),
        ("metric growth", "it compares with another period"),
        ("metric so_far", "cumulative metrics have no plain formula"),
        ("metric per_customer", "its parts are taken over different tables"),
        ("metric activated", "its filter asks for Metric('order_count', ['customer'])"),
    ] {
        assert!(
            said.lines().any(|l| l.contains(name) && l.contains(why)),
            "{name}: {why}:\n{said}"
        );
    }
}

#[test]
fn the_newer_form_of_dbt_metrics_inside_models_is_read() {
    let known = read_one(
        "models:
  - name: orders
    semantic_model: true
    agg_time_dimension: ordered_at
    columns:
      - {name: id, entity: primary}
      - {name: customer_id, entity: {type: foreign, name: customer}}
      - {name: status, dimension: {type: categorical, name: state}}
    metrics:
      - {name: total, type: simple, agg: sum, expr: amount, label: Total Amount}
      - {name: n, type: simple, agg: count, expr: id}
      - name: average
        type: derived
        expr: total / n
        input_metrics: [{name: total}, {name: n}]
  - name: customers
    semantic_model: {enabled: true}
    columns:
      - {name: key, entity: {type: primary, name: customer}}
",
    );
    assert_eq!(metric(&known, "total").formula, "SUM(orders.amount)");
    let average = metric(&known, "average");
    assert_eq!(average.formula, "(SUM(orders.amount)) / (COUNT(orders.id))");
    assert_eq!(known.joins[0].to, [ColumnRef::new("customers", "key")]);
    assert_eq!(known.lost, [""; 0]);
}

#[test]
fn broken_yaml_has_a_place_and_other_yaml_is_refused() {
    let wrong = parse("models:\n  - name: [a\n", "x.yml").unwrap_err().to_string();
    assert!(wrong.starts_with("knowledge file x.yml: ") && wrong.contains("line"), "{wrong}");
    let other = parse("some: thing\n", "x.yaml").unwrap_err().to_string();
    assert!(other.contains("nothing of it is known"), "{other}");
    assert!(!is_yaml("domain = \"x\"\nmodels: no\n"));
    assert!(!is_yaml("[tables.models]\nmeaning = \"models: x\"\n"));
}

#[test]
fn anchors_merges_and_aliases_are_followed_and_bounded() {
    let known = read_one(
        "models:
  - &base
    name: a
    columns: [{name: x, description: words}]
  - <<: *base
    name: b
",
    );
    assert_eq!(column(&known, "b.x").text, "words");
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (n, name) in ('b'..='h').enumerate() {
        let before = char::from(b'a' + u8::try_from(n).unwrap());
        let list = vec![format!("*{before}"); 10].join(", ");
        bomb.extend([name.to_string(), format!(": &{name} [{list}]\n")]);
    }
    let wrong = yaml::documents(&bomb).unwrap_err();
    assert!(wrong.contains("more than"), "{wrong}");
}

#[test]
fn a_folder_is_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("models")).unwrap();
    let (models, metrics) = SEMANTIC.split_once("metrics:\n").unwrap();
    std::fs::write(folder.path().join("models/one.yml"), models).unwrap();
    std::fs::write(folder.path().join("two.yaml"), format!("metrics:\n{metrics}")).unwrap();
    let known = super::super::read(folder.path()).unwrap();
    assert_eq!(metric(&known, "revenue").formula, "SUM(orders.total)");
    assert!(known.lost.iter().any(|lost| lost.starts_with("two.yaml, line ")), "{:?}", known.lost);
}

mod properties {
    use proptest::prelude::*;

    /// Pieces that YAML of these formats is made of, and some that break it.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "models:",
            "cubes:",
            "- ",
            "  ",
            "\n",
            "name: a",
            "tests:",
            "[",
            "]",
            "{",
            "}",
            "&x ",
            "*x",
            "<<: ",
            "|",
            ">",
            "'",
            "\"",
            "# c",
            "---",
            "...",
            ": ",
            ",",
            "? ",
            "!t ",
            "sql: \"{CUBE}.a\"",
            "\t",
            "%",
            "columns:",
            "- unique",
            "metrics:",
            "semantic_models:",
            "model: ref('t')",
            "\u{feff}",
            "é",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_text_stops_the_reader(text in pieces()) {
            let _ = super::parse(&text, "x.yml");
        }
    }
}
