//! Right queries made up for every table that others point to: sums, averages and counts, with and
//! without groups and conditions, and two measures of different tables at once.

use querent::domain::{Catalog, Column, ForeignKey, Table};

use super::Mutant;
use crate::sets::Item;

/// Number columns of a table at most.
const NUMBERS: usize = 3;

/// Makes questions with their right queries.
pub(super) fn items(db: &str, catalog: &Catalog) -> Vec<Item> {
    let mut found = Vec::new();
    for table in &catalog.tables {
        let pointed = |key: &ForeignKey| key.to_table.eq_ignore_ascii_case(&table.name);
        if !catalog.keys.iter().any(pointed) {
            continue;
        }
        for (measure, words) in measures(table, catalog) {
            let from = format!("FROM \"{}\" AS p", table.name);
            let plain = format!("SELECT {measure} {from}");
            found.push(item(db, found.len(), format!("{words}?"), plain));
            let Some(group) = label(table, catalog) else { continue };
            let at = format!("p.\"{}\"", group.name);
            let grouped = format!("SELECT {at}, {measure} {from} GROUP BY {at}");
            let question = format!("{words} for each {}?", spoken(&group.name));
            found.push(item(db, found.len(), question, grouped));
            let kept = format!("SELECT {measure} {from} WHERE {at} IS NOT NULL");
            let question = format!("{words} whose {} is known?", spoken(&group.name));
            found.push(item(db, found.len(), question, kept));
        }
    }
    found
}

fn item(db: &str, n: usize, question: String, gold_sql: String) -> Item {
    Item {
        id: format!("{db}-{n}"),
        db: db.to_owned(),
        question,
        gold_sql,
        gold_alternatives: Vec::new(),
        predictions: Vec::new(),
    }
}

/// Measures of a table, each with the question's beginning.
fn measures(table: &Table, catalog: &Catalog) -> Vec<(String, String)> {
    let name = spoken(&table.name);
    let mut found = vec![("COUNT(*)".to_owned(), format!("How many {name} are there"))];
    if let [key] = table.primary_key.as_slice() {
        found.push((format!("COUNT(p.\"{key}\")"), format!("What is the number of {name}")));
    }
    for column in table.columns.iter().filter(|c| is_amount(c, table, catalog)).take(NUMBERS) {
        let (at, words) = (format!("p.\"{}\"", column.name), spoken(&column.name));
        found.extend([
            (format!("SUM({at})"), format!("What is the total {words} of all {name}")),
            (format!("AVG({at})"), format!("What is the average {words} of the {name}")),
            (format!("TOTAL({at})"), format!("What do the {words} of the {name} add up to")),
            (
                format!("SUM(CASE WHEN {at} > 1 THEN {at} ELSE 0 END)"),
                format!("What is the total {words} above 1 of all {name}"),
            ),
            (format!("SUM({at} * 2 + 1)"), format!("What is twice the {words} and one of {name}")),
        ]);
    }
    found
}

fn is_amount(column: &Column, table: &Table, catalog: &Catalog) -> bool {
    column.kind.is_number()
        && !table.primary_key.contains(&column.name)
        && !column.name.to_lowercase().ends_with("id")
        && !points(column, table, catalog)
}

fn points(column: &Column, table: &Table, catalog: &Catalog) -> bool {
    let mut keys = catalog.keys.iter();
    keys.any(|key| key.from_table == table.name && key.from_columns.contains(&column.name))
}

/// A column to group by: the first text that is no key.
fn label<'a>(table: &'a Table, catalog: &Catalog) -> Option<&'a Column> {
    table.columns.iter().find(|column| {
        !column.kind.is_number() && !column.primary && !points(column, table, catalog)
    })
}

fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// Measures of two tables at once: of two children of one table, and of a table and its child.
pub(super) fn of_both(db: &str, catalog: &Catalog) -> Vec<(Item, Mutant)> {
    let mut found = Vec::new();
    for table in &catalog.tables {
        let [key] = table.primary_key.as_slice() else { continue };
        let children: Vec<Child<'_>> =
            catalog.keys.iter().filter_map(|tie| Child::of(tie, table, key, catalog)).collect();
        for (n, a) in children.iter().enumerate() {
            for b in children.iter().skip(n + 1).filter(|b| b.table != a.table).take(1) {
                found.push(chasm(db, found.len(), table, key, (a, b)));
            }
            let own = table.columns.iter().find(|column| is_amount(column, table, catalog));
            if let Some(own) = own {
                found.push(parent_and_child(db, found.len(), table, key, (own, a)));
            }
        }
    }
    found
}

struct Child<'a> {
    table: &'a str,
    from: &'a str,
    amount: &'a str,
}

impl<'a> Child<'a> {
    fn of(tie: &'a ForeignKey, parent: &Table, key: &str, catalog: &'a Catalog) -> Option<Self> {
        let ([from], [to]) = (tie.from_columns.as_slice(), tie.to_columns.as_slice()) else {
            return None;
        };
        let here = tie.to_table.eq_ignore_ascii_case(&parent.name) && to.eq_ignore_ascii_case(key);
        let table = catalog.table(&tie.from_table).filter(|t| here && t.name != parent.name)?;
        let amount = table.columns.iter().find(|column| is_amount(column, table, catalog))?;
        Some(Child { table: &table.name, from, amount: &amount.name })
    }

    /// Its sum for one row of the parent, which is right.
    fn apart(&self, key: &str) -> String {
        let Child { table, from, amount } = self;
        format!(
            "(SELECT SUM(x.\"{amount}\") FROM \"{table}\" AS x WHERE x.\"{from}\" = p.\"{key}\")"
        )
    }

    fn joined(&self, name: &str, key: &str) -> String {
        format!("LEFT JOIN \"{}\" AS {name} ON {name}.\"{}\" = p.\"{key}\"", self.table, self.from)
    }
}

fn chasm(
    db: &str,
    n: usize,
    table: &Table,
    key: &str,
    (a, b): (&Child<'_>, &Child<'_>),
) -> (Item, Mutant) {
    let name = &table.name;
    let right =
        format!("SELECT p.\"{key}\", {}, {} FROM \"{name}\" AS p", a.apart(key), b.apart(key));
    let wrong = format!(
        "SELECT p.\"{key}\", SUM(a.\"{}\"), SUM(b.\"{}\") FROM \"{name}\" AS p {} {} GROUP BY p.\"{key}\"",
        a.amount,
        b.amount,
        a.joined("a", key),
        b.joined("b", key)
    );
    let words = |child: &Child<'_>| {
        format!("the total {} of its {}", spoken(child.amount), spoken(child.table))
    };
    let question =
        format!("For each of the {}, what are {} and {}?", spoken(name), words(a), words(b));
    let mutant = Mutant {
        outer: wrong.clone(),
        sql: wrong,
        once: None,
        shape: "a chasm of two measures",
        counts: false,
    };
    (item(db, n, question, right), mutant)
}

fn parent_and_child(
    db: &str,
    n: usize,
    table: &Table,
    key: &str,
    (own, child): (&Column, &Child<'_>),
) -> (Item, Mutant) {
    let (name, own) = (&table.name, &own.name);
    let (amount, from) = (child.amount, child.from);
    let right = format!(
        "SELECT SUM(p.\"{own}\"), (SELECT SUM(x.\"{amount}\") FROM \"{}\" AS x WHERE x.\"{from}\" IN (SELECT \"{key}\" FROM \"{name}\")) FROM \"{name}\" AS p",
        child.table
    );
    let wrong = format!(
        "SELECT SUM(p.\"{own}\"), SUM(a.\"{amount}\") FROM \"{name}\" AS p {}",
        child.joined("a", key)
    );
    let question = format!(
        "What are the total {} of the {} and the total {} of their {}?",
        spoken(own),
        spoken(name),
        spoken(amount),
        spoken(child.table)
    );
    let mutant = Mutant {
        outer: wrong.clone(),
        sql: wrong,
        once: None,
        shape: "a table and its child measured",
        counts: false,
    };
    (item(db, n, question, right), mutant)
}
