//! A join tree as SQL with short aliases, proved against the schema before it is told (S0-020).

use std::fmt::Write;

use crate::domain::{Catalog, ColumnRef, Dialect, ForeignKey};
use crate::joins::JoinTree;
use crate::sql::dialect::quote;

use super::scene::same;
use super::words;

/// Writes a join tree as `SELECT * FROM a x\nJOIN b y ON …`; none if a table or column of it
/// doesn't exist, or a key connects nothing.
pub(super) fn of(tree: &JoinTree, catalog: &Catalog) -> Option<String> {
    let dialect = catalog.dialect;
    let aliases = aliases(&tree.tables, dialect);
    let alias = |table: &str| {
        let found = aliases.iter().find(|(t, _)| same(t, table));
        found.map(|(_, alias)| alias.as_str())
    };
    let (base, more) = tree.tables.split_first()?;
    let base_name = &catalog.table(base)?.name;
    let mut sql = format!("SELECT * FROM {} {}", quote(base_name, dialect), alias(base)?);
    if more.len() != tree.keys.len() {
        return None;
    }
    for (table, key) in more.iter().zip(&tree.keys) {
        let name = &catalog.table(table)?.name;
        let on = condition(key, catalog, &alias)?;
        let _ = write!(sql, "\nJOIN {} {} ON {on}", quote(name, dialect), alias(table)?);
    }
    Some(sql)
}

fn condition<'a>(
    key: &ForeignKey,
    catalog: &Catalog,
    alias: &impl Fn(&str) -> Option<&'a str>,
) -> Option<String> {
    let (from, to) = (alias(&key.from_table)?, alias(&key.to_table)?);
    let mut pairs = Vec::new();
    for (a, b) in key.from_columns.iter().zip(&key.to_columns) {
        let a = &catalog.column(&ColumnRef::new(&key.from_table, a))?.name;
        let b = &catalog.column(&ColumnRef::new(&key.to_table, b))?.name;
        let dialect = catalog.dialect;
        pairs.push(format!("{from}.{} = {to}.{}", quote(a, dialect), quote(b, dialect)));
    }
    (!pairs.is_empty()).then(|| pairs.join(" AND "))
}

/// Gives each table a short alias: the first letters of its name's words, numbered when taken.
fn aliases(tables: &[String], dialect: Dialect) -> Vec<(String, String)> {
    let mut given: Vec<(String, String)> = Vec::new();
    for table in tables {
        let first = words::of_name(table).first().and_then(|word| word.chars().next());
        let initials: String =
            words::of_name(table).iter().filter_map(|word| word.chars().next()).collect();
        let letter = first.filter(char::is_ascii_alphabetic).map_or("t".to_owned(), String::from);
        let usable = |alias: &String| {
            alias.starts_with(|c: char| c.is_ascii_alphabetic())
                && alias.is_ascii()
                && quote(alias, dialect) == *alias
                && !tables.iter().any(|t| same(t, alias))
                && !given.iter().any(|(_, taken)| taken == alias)
        };
        let numbered = (2..).map(|n| format!("{letter}{n}"));
        let alias = [letter.clone(), initials].into_iter().chain(numbered).find(usable);
        given.push((table.clone(), alias.unwrap_or_default()));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;
    use crate::domain::schema::KeyOrigin;

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

    fn shop() -> Catalog {
        Catalog {
            tables: vec![
                Table::bare("orders", &["customer_id", "product_id"]),
                Table::bare("customers", &["id"]),
                Table::bare("Order Lines", &["order"]),
            ],
            ..Catalog::default()
        }
    }

    fn tree(tables: &[&str], keys: Vec<ForeignKey>) -> JoinTree {
        let tables = tables.iter().map(|&t| t.to_owned()).collect();
        JoinTree { tables, keys, cost: 1.0 }
    }

    #[test]
    fn a_tree_becomes_an_aliased_join() {
        let tree = tree(
            &["orders", "customers", "Order Lines"],
            vec![
                key("orders", "customer_id", "customers", "id"),
                key("Order Lines", "order", "orders", "product_id"),
            ],
        );
        let right = "SELECT * FROM orders o\nJOIN customers c ON o.customer_id = c.id\n\
                     JOIN \"Order Lines\" ol ON ol.\"order\" = o.product_id";
        assert_eq!(of(&tree, &shop()).as_deref(), Some(right));
    }

    #[test]
    fn a_column_that_does_not_exist_gives_no_pattern() {
        let wrong = key("orders", "customer_id", "customers", "customer_id");
        assert_eq!(of(&tree(&["orders", "customers"], vec![wrong]), &shop()), None);
    }
}
