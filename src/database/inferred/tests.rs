//! Undeclared keys: those that must be told from names, and those that must not.

use super::*;
use crate::domain::Column;

/// Makes a table from `name: key*, column, other text`; a `*` marks the primary key.
fn table(text: &str) -> Table {
    let (name, columns) = text.split_once(": ").expect("name: columns");
    let column = |text: &str| {
        let (name, kind) = match text.split_once(" text") {
            Some((name, _)) => (name, ColumnKind::Text),
            None => (text, ColumnKind::Integer),
        };
        let primary = name.ends_with('*');
        let name = name.trim_end_matches('*').to_owned();
        Column { name, kind, primary, unique: primary, ..Column::default() }
    };
    let columns: Vec<Column> = columns.split(", ").map(column).collect();
    let primary_key = columns.iter().filter(|c| c.primary).map(|c| c.name.clone()).collect();
    Table { name: name.to_owned(), columns, primary_key, ..Table::default() }
}

fn inferred(tables: &[&str], proof: Proof) -> Vec<String> {
    let tables: Vec<Table> = tables.iter().map(|text| table(text)).collect();
    let arrow = |key: ForeignKey| {
        format!("{}.{}>{}.{}", key.from_table, key.from_columns[0], key.to_table, key.to_columns[0])
    };
    keys(&tables, &[], |_, _, _, _| proof).into_iter().map(arrow).collect()
}

fn check(tables: &[&str], expected: &[&str]) {
    assert_eq!(inferred(tables, Proof::Holds(9)), expected, "{tables:?}");
}

#[test]
fn a_column_named_after_a_table_and_its_key_points_there() {
    check(
        &["customers: id*, name text", "orders: id*, customer_id"],
        &["orders.customer_id>customers.id"],
    );
    check(
        &["Customer: CustomerID*", "Orders: OrderID*, CustomerID"],
        &["Orders.CustomerID>Customer.CustomerID"],
    );
    check(
        &["categories: category_id*", "films: film_id*, categoryid"],
        &["films.categoryid>categories.category_id"],
    );
    check(
        &["countries: code* text", "cities: id*, country_code text"],
        &["cities.country_code>countries.code"],
    );
    check(&["tbl_staff: id*", "shifts: id*, staff_id"], &["shifts.staff_id>tbl_staff.id"]);
}

#[test]
fn a_role_before_the_table_is_understood() {
    check(
        &["addresses: id*", "orders: id*, billing_address_id, shipping_address_id"],
        &["orders.billing_address_id>addresses.id", "orders.shipping_address_id>addresses.id"],
    );
    check(&["parts: id*, parent_id"], &["parts.parent_id>parts.id"]);
    check(
        &["employees: id*, manager_employee_id"],
        &["employees.manager_employee_id>employees.id"],
    );
}

#[test]
fn equal_names_need_a_telling_key() {
    check(&["staff: emp_no*", "salaries: row*, emp_no"], &["salaries.emp_no>staff.emp_no"]);
    check(&["a: id*, name text", "b: id*, name text"], &[]);
    check(&["a: code*, x", "b: y*, code"], &[]);
}

#[test]
fn two_keys_of_one_name_say_nothing_about_who_points_to_whom() {
    check(&["pupils: stu_no*", "desks: stu_no*"], &[]);
}

#[test]
fn types_of_another_family_never_join() {
    check(&["customers: id*", "orders: id*, customer_id text"], &[]);
}

#[test]
fn data_refutes_and_a_table_name_alone_needs_data() {
    let named = ["customers: id*", "orders: id*, customer_id"];
    assert!(inferred(&named, Proof::Refuted).is_empty());
    assert_eq!(inferred(&named, Proof::NoRows).len(), 1);
    let alone = ["customers: id*", "orders: id*, customer"];
    assert!(inferred(&alone, Proof::NoRows).is_empty());
    assert_eq!(inferred(&alone, Proof::Holds(3)), ["orders.customer>customers.id"]);
}

#[test]
fn a_declared_key_is_never_contradicted() {
    let tables: Vec<Table> =
        ["a: id*, b_id", "b: id*", "c: id*"].iter().map(|text| table(text)).collect();
    let declared = ForeignKey {
        from_table: "A".into(),
        from_columns: vec!["B_ID".into()],
        to_table: "c".into(),
        to_columns: vec!["id".into()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    };
    assert!(keys(&tables, &[declared], |_, _, _, _| Proof::Holds(1)).is_empty());
}

#[test]
fn names_split_at_signs_and_humps() {
    assert_eq!(words("HomeTeamID"), ["home", "team", "id"]);
    assert_eq!(words("order-line no"), ["order", "line", "no"]);
    assert_eq!(words("XMLPart2"), ["xml", "part2"]);
}
