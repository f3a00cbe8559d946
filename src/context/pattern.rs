//! A join tree as SQL with short aliases, proved against the schema before it is told (S0-020).

use std::fmt::Write;

use crate::domain::{Catalog, ColumnRef, Dialect, ForeignKey};
use crate::joins::JoinTree;
use crate::sql::dialect::{quote, quote_table};

use super::scene::same;
use super::words;

/// Which rows a pattern keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeps {
    /// Those with a partner in every table.
    Partners,
    /// Those without a partner, too: a step from one row to many, or by a key that may be NULL, is
    /// an outer one, and so are those after it.
    All,
}

/// Writes join trees, each as [`of`] does; a table has one alias in all of them.
pub(super) fn all<'t>(
    trees: impl Iterator<Item = &'t JoinTree> + Clone,
    catalog: &Catalog,
    keeps: Keeps,
) -> Vec<String> {
    let mut tables: Vec<String> = Vec::new();
    for table in trees.clone().flat_map(|tree| &tree.tables) {
        if !tables.contains(table) {
            tables.push(table.clone());
        }
    }
    let aliases = aliases(&tables, catalog.dialect);
    trees.filter_map(|tree| of(tree, &aliases, catalog, keeps)).collect()
}

/// Writes a join tree as `SELECT * FROM a x\nJOIN b y ON …`; none if a table or column of it
/// doesn't exist, or a key connects nothing.
fn of(
    tree: &JoinTree,
    aliases: &[(String, String)],
    catalog: &Catalog,
    keeps: Keeps,
) -> Option<String> {
    let dialect = catalog.dialect;
    let alias = |table: &str| {
        let found = aliases.iter().find(|(t, _)| same(t, table));
        found.map(|(_, alias)| alias.as_str())
    };
    let (base, more) = tree.tables.split_first()?;
    let base_name = &catalog.table(base)?.name;
    let mut sql = format!("SELECT * FROM {} {}", quote_table(base_name, dialect), alias(base)?);
    if more.len() != tree.keys.len() {
        return None;
    }
    let mut outer = false;
    for (table, key) in more.iter().zip(&tree.keys) {
        let name = &catalog.table(table)?.name;
        let on = condition(key, catalog, &alias)?;
        let may_lack = same(&key.from_table, table) || is_nullable(key, catalog);
        outer |= keeps == Keeps::All && may_lack;
        let join = if outer { "LEFT JOIN" } else { "JOIN" };
        let _ = write!(sql, "\n{join} {} {} ON {on}", quote_table(name, dialect), alias(table)?);
    }
    Some(sql)
}

/// Tells whether a row may point to nothing by a key.
fn is_nullable(key: &ForeignKey, catalog: &Catalog) -> bool {
    let mut columns = key.from_columns.iter().map(|c| ColumnRef::new(&key.from_table, c));
    columns.any(|at| catalog.column(&at).is_none_or(|column| !column.not_null && !column.primary))
}

/// Writes how rows of a table find those of the same table that they point to.
pub(super) fn of_itself(key: &ForeignKey, catalog: &Catalog) -> Option<String> {
    let name = &catalog.table(&key.from_table)?.name;
    let aliases = aliases(&[name.clone(), name.clone()], catalog.dialect);
    let [(_, one), (_, other)] = aliases.as_slice() else { return None };
    let column = |name: &String| {
        let found = catalog.column(&ColumnRef::new(&key.from_table, name))?;
        Some(quote(&found.name, catalog.dialect))
    };
    let mut pairs = Vec::new();
    for (from, to) in key.from_columns.iter().zip(&key.to_columns) {
        pairs.push(format!("{one}.{} = {other}.{}", column(from)?, column(to)?));
    }
    let on = pairs.join(" AND ");
    let name = quote_table(name, catalog.dialect);
    Some(format!("SELECT * FROM {name} {one}\nJOIN {name} {other} ON {on}"))
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
        assert_eq!(all([&tree].into_iter(), &shop(), Keeps::Partners), [right]);
    }

    #[test]
    fn a_column_that_does_not_exist_gives_no_pattern() {
        let wrong = key("orders", "customer_id", "customers", "customer_id");
        let tree = tree(&["orders", "customers"], vec![wrong]);
        assert!(all([&tree].into_iter(), &shop(), Keeps::Partners).is_empty());
    }

    #[test]
    fn rows_without_a_partner_are_kept_from_one_to_many() {
        let tree = tree(
            &["customers", "orders", "Order Lines"],
            vec![
                key("orders", "customer_id", "customers", "id"),
                key("Order Lines", "order", "orders", "product_id"),
            ],
        );
        let right = "SELECT * FROM customers c\nLEFT JOIN orders o ON o.customer_id = c.id\n\
                     LEFT JOIN \"Order Lines\" ol ON ol.\"order\" = o.product_id";
        assert_eq!(all([&tree].into_iter(), &shop(), Keeps::All), [right]);
    }

    #[test]
    fn rows_that_point_to_others_of_their_table_have_a_pattern() {
        let staff = Table::bare("staff", &["id", "manager_id"]);
        let firm = Catalog { tables: vec![staff], ..Catalog::default() };
        let own = key("staff", "manager_id", "staff", "id");
        let right = "SELECT * FROM staff s\nJOIN staff s2 ON s.manager_id = s2.id";
        assert_eq!(of_itself(&own, &firm).as_deref(), Some(right));
        let wrong = key("staff", "boss_id", "staff", "id");
        assert_eq!(of_itself(&wrong, &firm), None);
    }
}
