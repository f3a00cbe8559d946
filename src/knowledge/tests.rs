//! Tests of reading knowledge files and holding them against a schema.

use super::*;
use std::sync::Arc;

use crate::domain::schema::KeyOrigin;
use crate::domain::{Catalog, ColumnRef, ForeignKey, Table};

const EXAMPLE: &str = include_str!("../../assets/knowledge.example.toml");

/// The schema that the example file speaks of.
fn shop() -> Catalog {
    Catalog {
        tables: vec![
            Table::bare("customers", &["id", "name", "country", "card_number"]),
            Table::bare("orders", &["id", "customer_id", "state", "placed_on", "total_cents"]),
            Table::bare("order_lines", &["order_id", "sku", "quantity"]),
            Table::bare("gifts", &["order_id", "sku", "wrapped"]),
        ],
        ..Catalog::default()
    }
}

fn drifts(text: &str) -> Vec<String> {
    let knowledge = parse(text, "here").unwrap();
    drift(&knowledge, &shop()).into_iter().map(|d| format!("{}: {}", d.entry, d.message)).collect()
}

fn refusal(text: &str) -> String {
    parse(text, "shop.knowledge.toml").unwrap_err().to_string()
}

#[test]
fn the_example_file_uses_every_key_and_agrees_with_its_schema() {
    let knowledge = parse(EXAMPLE, "example").unwrap();
    assert_eq!(knowledge.source, "example");
    assert_eq!(knowledge.domain, "Online shop: orders and their lines");
    assert_eq!((knowledge.notes.len(), knowledge.conventions.len()), (2, 1));
    assert_eq!(knowledge.questions.len(), 2);
    assert_eq!(knowledge.deny, [ColumnRef::new("customers", "card_number")]);
    assert_eq!(knowledge.rules.len(), 2);
    assert_eq!(knowledge.rules[0].about, ["orders.state"]);
    let net_sales = &knowledge.metrics[0];
    assert_eq!(net_sales.formula, "SUM(orders.total_cents)");
    assert_eq!(net_sales.filter.as_deref(), Some("orders.state <> 'CAN'"));
    assert!(net_sales.approved && !knowledge.metrics[1].approved);
    assert_eq!(net_sales.grain.as_deref(), Some("one row per order"));
    let both = "(orders.state <> 'CAN') AND (customers.name <> '')";
    assert_eq!(knowledge.metrics[2].filter.as_deref(), Some(both));
    let [one, two] = knowledge.joins.as_slice() else { panic!("two joins") };
    assert_eq!(one.from, [ColumnRef::new("orders", "customer_id")]);
    assert_eq!((one.reason.as_str(), one.one_to_one), ("the shop writes it at checkout", false));
    assert_eq!((two.from.len(), two.to.len(), two.one_to_one), (2, 2, true));
    assert_eq!(knowledge.tables.len(), 1);
    let column = |name: &str| knowledge.columns.iter().find(|m| m.at.column == name).unwrap();
    let total = column("total_cents");
    assert_eq!(total.unit.as_deref(), Some("cents"));
    assert_eq!(total.format.as_deref(), Some("whole number, never negative"));
    let country = column("country");
    assert_eq!(country.values[0], ("AT".to_owned(), String::new()));
    assert!(country.not_null && column("card_number").unique);
    let state = column("state");
    assert_eq!(state.at, ColumnRef::new("orders", "state"));
    assert_eq!(state.values[0], ("CAN".to_owned(), "cancelled".to_owned()));
    assert_eq!(knowledge.synonyms.len(), 6);
    let cart = ("shopping cart".to_owned(), "orders".to_owned());
    assert!(knowledge.synonyms.contains(&cart));
    let pair = &knowledge.examples[0];
    assert!(pair.sql.starts_with("SELECT c.country"));
    assert_eq!(
        (pair.verified_by.as_str(), pair.verified_at.as_str()),
        ("somebody who knows", "2026-06-15")
    );
    assert_eq!(drift(&knowledge, &shop()), []);
}

#[test]
fn an_empty_file_is_no_error() {
    assert_eq!(parse("", "").unwrap(), Knowledge::default());
}

#[test]
fn a_wrong_key_is_named_with_its_place_section_and_nearest_key() {
    let text = "domain = \"x\"\n\n[[metrics]]\nname = \"a\"\n  formla = \"1\"\n";
    let expected = "knowledge file shop.knowledge.toml: line 5, column 3: unknown key 'formla' in \
                    [[metrics]]; did you mean 'formula'?";
    assert_eq!(refusal(text), expected);
}

#[test]
fn a_wrong_key_like_no_other_lists_the_known_ones() {
    let message = refusal("[tables.orders]\nxyzzy = \"x\"\n");
    assert!(
        message.ends_with(
            "line 2, column 1: unknown key 'xyzzy' in [tables.orders]; known keys: meaning, \
             synonyms"
        ),
        "{message}"
    );
}

#[test]
fn broken_toml_a_wrong_type_and_a_missing_key_have_a_place() {
    for (text, place, word) in [
        ("domain = \"x\nnotes = []\n", "line 1, column", "string"),
        ("\nnotes = \"one\"\n", "line 2, column 9", "sequence"),
        ("[[rules]]\nabout = []\n", "line 1, column 1", "text"),
        ("[[examples]]\nquestion = \"q\"\nsql = \"SELECT 1\"\n", "line 1, column 1", "verified_by"),
    ] {
        let message = refusal(text);
        assert!(message.contains(place) && message.contains(word), "{message}");
    }
}

#[test]
fn a_column_without_its_table_is_refused_where_it_stands() {
    let message = refusal("deny = [\"card_number\"]\n");
    assert!(message.contains("line 1, column 9: 'card_number' names no column"), "{message}");
    let message = refusal("[[joins]]\nfrom = \"a.b\"\nto = [\"c.d\", \"e\"]\n");
    assert!(message.contains("line 3, column 6: 'e' names no column"), "{message}");
    let message = refusal("\n[columns.state]\nmeaning = \"x\"\n");
    assert!(message.contains("line 2, column 10: 'state' names no column"), "{message}");
}

#[test]
fn a_metric_defined_twice_is_refused() {
    let metric = "[[metrics]]\nname = \"a\"\nmeaning = \"\"\nformula = \"1\"\n";
    let message = refusal(&metric.repeat(2));
    assert!(message.contains("line 6, column 8: metric 'a' is defined twice"), "{message}");
}

#[test]
fn the_sides_of_a_join_must_fit() {
    let message = refusal("[[joins]]\nfrom = [\"a.b\", \"c.d\"]\nto = \"e.f\"\n");
    assert!(message.contains("line 2, column 8: one side of a join names columns of one table"));
    let message = refusal("[[joins]]\nfrom = [\"a.b\", \"a.c\"]\nto = \"e.f\"\n");
    assert!(
        message.contains("line 3, column 6: a join needs as many columns on both sides: 2 and 1")
    );
    let message = refusal("[[joins]]\nfrom = 7\nto = \"e.f\"\n");
    assert!(
        message.contains("line 2, column 8") && message.contains("\"table.column\""),
        "{message}"
    );
    let message = refusal("[[joins]]\nform = \"a.b\"\nto = \"e.f\"\n");
    assert!(message.contains("unknown key 'form' in [[joins]]; did you mean 'from'?"), "{message}");
}

#[test]
fn what_waits_to_be_filled_in_says_nothing() {
    let text = "domain = \"\"\n[tables.orders]\nmeaning = \"\"\n[columns.\"orders.state\"]\n\
                meaning = \"\"\nunit = \"\"\nvalues = { NEW = \"\" }\n";
    let known = parse(text, "").unwrap();
    assert_eq!((known.tables.len(), known.columns.len()), (0, 0));
}

#[test]
fn hints_become_keys_the_right_way_round() {
    let mut catalog = shop();
    catalog.tables[0].primary_key = vec!["id".to_owned()];
    let inferred = ForeignKey {
        from_table: "orders".to_owned(),
        from_columns: vec!["customer_id".to_owned()],
        to_table: "customers".to_owned(),
        to_columns: vec!["id".to_owned()],
        origin: KeyOrigin::Inferred("named alike".to_owned()),
        one_to_one: false,
    };
    let keys = |catalog: &Catalog, text: &str| {
        let known = parse(text, "here").unwrap();
        let hinted = with_hints(Arc::new(catalog.clone()), &known);
        assert_eq!(hinted.version, catalog.version);
        hinted.keys.clone()
    };
    // told the wrong way round: only customers.id can be pointed to
    let turned =
        "[[joins]]\nfrom = \"Customers.ID\"\nto = \"orders.customer_id\"\nreason = \"x\"\n";
    let told = ForeignKey { origin: KeyOrigin::Told("x".to_owned()), ..inferred.clone() };
    assert_eq!(keys(&catalog, turned), std::slice::from_ref(&told));
    // what was inferred is told from now on; what is declared stays
    catalog.keys = vec![inferred.clone()];
    assert_eq!(keys(&catalog, turned), [told]);
    let declared = ForeignKey { origin: KeyOrigin::Declared, ..inferred };
    catalog.keys = vec![declared.clone()];
    assert_eq!(keys(&catalog, turned), std::slice::from_ref(&declared));
    // a name that doesn't exist is left to drift
    let wrong = "[[joins]]\nfrom = \"orders.custmer_id\"\nto = \"customers.id\"\n";
    assert_eq!(keys(&catalog, wrong), [declared]);
    assert_eq!(
        drifts(wrong),
        ["join 1: column 'custmer_id' doesn't exist in orders. Did you mean customer_id?"]
    );
}

#[test]
fn a_rule_may_be_about_a_metric() {
    let metric =
        "[[metrics]]\nname = \"m\"\nmeaning = \"\"\nformula = \"COUNT(*)\"\ntables = ['orders']\n";
    assert_eq!(drifts(&format!("{metric}[[rules]]\ntext = \"x\"\nabout = [\"m\"]\n")), [""; 0]);
    let wrong = drifts(&format!("{metric}[[rules]]\ntext = \"x\"\nabout = [\"n\"]\n"));
    assert_eq!(wrong.len(), 1, "{wrong:?}");
}

#[test]
fn a_missing_name_drifts_with_its_nearest() {
    let text = "deny = [\"customers.card_numbr\"]\n[tables.ordrs]\nmeaning = \"x\"\n\
                [columns.\"orders.totl_cents\"]\nmeaning = \"x\"\n[synonyms]\nsum = \"net_sale\"\n\
                [[rules]]\ntext = \"x\"\nabout = [\"order_line.sku\"]\n\
                [[metrics]]\nname = \"net_sales\"\nmeaning = \"\"\nformula = \"1\"\n\
                tables = [\"order\"]\n";
    assert_eq!(
        drifts(text),
        [
            "rule 1: table 'order_line' doesn't exist. Did you mean order_lines?",
            "metric net_sales: table 'order' doesn't exist. Did you mean orders?",
            "table ordrs: table 'ordrs' doesn't exist. Did you mean orders?",
            "column orders.totl_cents: column 'totl_cents' doesn't exist in orders. \
             Did you mean total_cents?",
            "synonym sum: 'net_sale' is no table, column or metric. Did you mean net_sales?",
            "deny customers.card_numbr: column 'card_numbr' doesn't exist in customers. \
             Did you mean card_number?",
        ]
    );
}

fn metric(formula: &str, filter: &str, tables: &str) -> Vec<String> {
    drifts(&format!(
        "[[metrics]]\nname = \"m\"\nmeaning = \"\"\nformula = \"{formula}\"\nfilter = \"{filter}\"\n\
         tables = {tables}\n"
    ))
}

#[test]
fn a_formula_must_be_one_expression_over_its_tables() {
    let orders = "['orders']";
    assert_eq!(metric("SUM(orders.total_cents)", "state <> 'CAN'", orders), [""; 0]);
    assert_eq!(
        metric("1", "1 = 1", "[]"),
        ["metric m: it lists no tables; name those that its formula needs"]
    );
    let cut = metric("SUM(orders.total_cents", "1 = 1", orders);
    assert!(cut[0].starts_with("metric m: its formula is no SQL expression: "), "{cut:?}");
    assert_eq!(
        metric("1 FROM orders", "1 = 1", orders),
        ["metric m: its formula is no SQL expression: it goes on with 'FROM' after its end"]
    );
}

#[test]
fn names_in_formulas_filters_and_examples_must_bind() {
    let orders = "['orders']";
    let wrong = metric("SUM(total)", "1 = 1", orders);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].starts_with("metric m: in its formula, column 'total' doesn't exist"));
    assert!(wrong[0].contains("total_cents"), "{wrong:?}");
    let wrong = metric("COUNT(*)", "quantity > 1", orders);
    assert!(wrong[0].starts_with("metric m: in its filter, column 'quantity'"), "{wrong:?}");
    let pair = |sql: &str| {
        drifts(&format!("[[examples]]\nquestion = \"q\"\nverified_by = \"x\"\nsql = \"{sql}\"\n"))
    };
    assert!(
        pair("SELECT COUNT(*) FROM order_lins")[0].starts_with("example 1: table 'order_lins'")
    );
    assert!(pair("DELETE FROM orders")[0].starts_with("example 1: "));
}

#[test]
fn the_file_beside_a_database_is_found_by_either_name() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("shop.sqlite");
    assert_eq!(beside(&database), None);
    let short = folder.path().join("shop.knowledge.toml");
    std::fs::write(&short, "").unwrap();
    assert_eq!(beside(&database), Some(short));
    let long = folder.path().join("shop.sqlite.knowledge.toml");
    std::fs::write(&long, "domain = \"x\"").unwrap();
    assert_eq!(beside(&database), Some(long.clone()));
    assert_eq!(read(&long).unwrap().domain, "x");
}

#[test]
fn a_file_that_is_missing_is_named() {
    let message = read(Path::new("nowhere.knowledge.toml")).unwrap_err().to_string();
    assert!(message.starts_with("knowledge file nowhere.knowledge.toml can't be read: "));
}
