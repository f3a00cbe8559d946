//! Plans made by hand and the SQL that says the same.

use super::*;
use crate::domain::plan::{
    Aggregate, Comparison, Condition, Join, Measure, Operand, Order, SetOperation, Term,
};
use crate::domain::{Column, ColumnKind, ColumnRef, Dialect, Table, Value};

fn catalog(dialect: Dialect) -> Catalog {
    let column = |name: &str, kind| Column { name: name.to_owned(), kind, ..Column::default() };
    let table = |name: &str, columns| Table { name: name.to_owned(), columns, ..Table::default() };
    Catalog {
        dialect,
        tables: vec![
            table(
                "author",
                vec![column("id", ColumnKind::Integer), column("name", ColumnKind::Text)],
            ),
            table(
                "order",
                vec![
                    column("author_id", ColumnKind::Integer),
                    column("unit price", ColumnKind::Real),
                    column("code", ColumnKind::Text),
                ],
            ),
        ],
        ..Catalog::default()
    }
}

fn col(table: &str, column: &str) -> Term {
    Term::Column(ColumnRef::new(table, column))
}

fn count() -> Term {
    Term::Aggregate { function: Aggregate::Count, of: Box::new(Term::Star), distinct: false }
}

fn joined() -> Plan {
    Plan {
        tables: vec!["author".into(), "order".into()],
        joins: vec![Join {
            on: vec![(ColumnRef::new("author", "id"), ColumnRef::new("order", "author_id"))],
            outer: false,
        }],
        dimensions: vec![col("author", "name")],
        measures: vec![Measure { term: count(), alias: "orders".into(), metric: None }],
        group_by: vec![col("author", "id")],
        filters: vec![Condition::Compare {
            left: col("order", "unit price"),
            by: Comparison::Greater,
            right: Operand::Value(Value::Integer(5)),
        }],
        order: vec![Order { term: count(), descending: true }],
        limit: Some(3),
        ..Plan::default()
    }
}

#[test]
fn a_joined_plan_has_aliases_and_quotes_what_needs_it() {
    assert_eq!(
        compile(&joined(), &catalog(Dialect::Sqlite)).unwrap(),
        "SELECT T1.name, COUNT(*) AS orders FROM author AS T1 JOIN \"order\" AS T2 \
         ON T1.id = T2.author_id WHERE T2.\"unit price\" > 5 GROUP BY T1.id, T1.name \
         ORDER BY COUNT(*) DESC LIMIT 3"
    );
    assert!(compile(&joined(), &catalog(Dialect::Mysql)).unwrap().contains("`order` AS T2"));
}

#[test]
fn a_single_table_needs_no_alias_and_a_nested_plan_stands_in_parentheses() {
    let inner = Plan {
        tables: vec!["order".into()],
        dimensions: vec![col("order", "author_id")],
        ..Plan::default()
    };
    let plan = Plan {
        tables: vec!["author".into()],
        dimensions: vec![col("author", "name")],
        filters: vec![
            Condition::Compare {
                left: col("author", "id"),
                by: Comparison::NotIn,
                right: Operand::Plan(Box::new(inner)),
            },
            Condition::Compare {
                left: col("author", "name"),
                by: Comparison::Equal,
                right: Operand::Value(Value::Text("O'Neill".into())),
            },
        ],
        distinct: true,
        ..Plan::default()
    };
    assert_eq!(
        compile(&plan, &catalog(Dialect::Sqlite)).unwrap(),
        "SELECT DISTINCT name FROM author WHERE id NOT IN (SELECT author_id FROM \"order\") \
         AND name = 'O''Neill'"
    );
}

#[test]
fn sets_and_text_numbers_are_written_so_that_they_compare_right() {
    let part = |number| Plan {
        tables: vec!["order".into()],
        dimensions: vec![col("order", "author_id")],
        filters: vec![Condition::Compare {
            left: col("order", "code"),
            by: Comparison::Less,
            right: Operand::Value(Value::Integer(number)),
        }],
        ..Plan::default()
    };
    let mut plan = part(7);
    plan.combined = Some((SetOperation::Intersect, Box::new(part(10))));
    let sql = compile(&plan, &catalog(Dialect::Sqlite)).unwrap();
    assert_eq!(sql.matches("CAST(code AS REAL) <").count(), 2);
    assert!(sql.contains(" INTERSECT SELECT "));
}

#[test]
fn a_plan_that_says_too_little_is_a_failure() {
    for plan in [
        Plan::default(),
        Plan { tables: vec!["author".into()], ..Plan::default() },
        Plan {
            tables: vec!["author".into(), "order".into()],
            dimensions: vec![col("author", "name")],
            ..Plan::default()
        },
    ] {
        assert_eq!(compile(&plan, &catalog(Dialect::Sqlite)).unwrap_err().code(), "plan");
    }
}
