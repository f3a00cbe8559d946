//! What a statement will cost, judged from the engine's plan and the catalog's row counts. Pure.

use crate::domain::counts::{count, grouped};
use crate::domain::engine_plan::{Access, EnginePlan};
use crate::domain::{Catalog, Dialect, Estimate};
use crate::sql::Binding;

/// One line of SQLite's query plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlanLine {
    /// Its number.
    pub id: i64,
    /// The line it belongs to; 0 is the statement.
    pub parent: i64,
    /// What the engine says: `SCAN bookings`, `SEARCH m USING …`.
    pub words: String,
}

/// Counts the rows that a plan looks at: each table that is scanned whole counts once for each row
/// of the loops around it. Finding a row by a key costs one.
pub(super) fn estimate(lines: &[PlanLine], binding: &Binding, catalog: &Catalog) -> Estimate {
    let mut sum = Sum { lines, binding, catalog, scans: Vec::new(), unknown: None };
    let rows = sum.under(0, 1);
    if let Some(table) = sum.unknown {
        let words = format!("no estimate: it isn't known how many rows {table} has");
        return Estimate { rows: None, words };
    }
    let words = match sum.scans.as_slice() {
        [] => format!("finds its rows by keys, about {}", count(rows, "row")),
        scans => format!("reads {} whole, about {}", scans.join(" × "), count(rows, "row")),
    };
    Estimate { rows: Some(rows), words }
}

/// Says what an engine expects, and what it reads for that: `PostgreSQL expects about 1 row, cost 345,
/// and reads track (~3,503 rows) whole`. The rows are those looked at, as far as the plan tells.
pub(super) fn expected(dialect: Dialect, mut plan: EnginePlan, catalog: &Catalog) -> Estimate {
    let engine = match dialect {
        Dialect::Generic => "the engine",
        Dialect::Sqlite | Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => dialect.name(),
    };
    let Some(expected) = plan.expected else {
        return Estimate { rows: None, words: "no estimate: this engine gives none".to_owned() };
    };
    let (mut read, mut scans) = (0_u64, Vec::new());
    plan.each(&mut |step| {
        let Access::Scan { table, relation, .. } = &step.access else { return };
        let table = table.as_ref().unwrap_or(relation);
        let Some(rows) = catalog.table(table).and_then(|table| table.rows) else { return };
        read = read.saturating_add(rows.count);
        scans.push(format!("{table} ({})", rows.words()));
    });
    let cost = expected.cost.map(|cost| format!(", cost {}", grouped(cost))).unwrap_or_default();
    let mut words = format!("{engine} expects about {}{cost}", count(expected.rows, "row"));
    if !scans.is_empty() {
        words = format!("{words}, and reads {} whole", scans.join(" and "));
    }
    Estimate { rows: Some(expected.rows.max(read)), words }
}

/// A plan being added up.
struct Sum<'a> {
    lines: &'a [PlanLine],
    binding: &'a Binding,
    catalog: &'a Catalog,
    /// Tables scanned whole, with their rows, in words.
    scans: Vec<String>,
    /// A table whose rows aren't counted.
    unknown: Option<String>,
}

impl Sum<'_> {
    /// Adds up the lines under a line that is done `times` times: each loop stands in the one above.
    fn under(&mut self, parent: i64, times: u64) -> u64 {
        let lines = self.lines;
        let mut times = times;
        let mut rows = 0_u64;
        for line in lines.iter().filter(|line| line.parent == parent) {
            let words = line.words.trim();
            if let Some(name) = words.strip_prefix("SCAN ") {
                times = times.saturating_mul(self.scanned(name));
                rows = rows.saturating_add(times);
            } else if words.starts_with("SEARCH ") {
                rows = rows.saturating_add(times);
            }
            let again = if words.starts_with("CORRELATED") { times } else { 1 };
            rows = rows.saturating_add(self.under(line.id, again));
        }
        rows
    }

    /// Returns the rows of what is scanned; a subquery's own lines are counted where they stand.
    fn scanned(&mut self, words: &str) -> u64 {
        let name = words.split_whitespace().next().unwrap_or(words);
        let of_alias = self.binding.scopes.iter().flat_map(|scope| &scope.relations);
        let table = of_alias
            .filter(|relation| relation.name.eq_ignore_ascii_case(name))
            .find_map(|relation| relation.table())
            .or_else(|| self.catalog.table(name).map(|table| table.name.as_str()));
        let Some(table) = table.and_then(|table| self.catalog.table(table)) else { return 1 };
        let Some(rows) = table.rows else {
            self.unknown.get_or_insert_with(|| table.name.clone());
            return 1;
        };
        self.scans.push(format!("{} ({})", table.name, count(rows.count, "row")));
        rows.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;
    use crate::domain::engine_plan::{EngineStep, Expected};
    use crate::domain::schema::RowCount;
    use crate::sql::{self, ReadQuery};

    fn estimated(query: &str, plan: &[(i64, i64, &str)]) -> Estimate {
        let table = |name: &str, count: Option<u64>| Table {
            name: name.into(),
            rows: count.map(|count| RowCount { count, exact: true }),
            ..Table::default()
        };
        let tables = vec![table("a", Some(100)), table("b", Some(7)), table("c", None)];
        let catalog = Catalog { tables, ..Catalog::default() };
        let read = ReadQuery::parse(query, Dialect::Sqlite).unwrap();
        let binding = sql::bind(&read, &catalog);
        let line = |(id, parent, words): &(i64, i64, &str)| PlanLine {
            id: *id,
            parent: *parent,
            words: (*words).to_owned(),
        };
        estimate(&plan.iter().map(line).collect::<Vec<_>>(), &binding, &catalog)
    }

    #[test]
    fn a_count_over_a_large_table_looks_at_all_of_it() {
        let rows = Some(RowCount { count: 20_000_000, exact: false });
        let tables = vec![Table { name: "log".into(), rows, ..Table::default() }];
        let catalog = Catalog { tables, ..Catalog::default() };
        let scan = Access::Scan {
            relation: "l".into(),
            table: Some("log".into()),
            rows: None,
            index: None,
        };
        let step = |access, inside| EngineStep { words: String::new(), access, inside };
        let plan = EnginePlan {
            steps: vec![step(Access::Other, vec![step(scan, vec![])])],
            expected: Some(Expected { rows: 1, cost: Some(345) }),
        };
        let estimate = expected(Dialect::Postgres, plan, &catalog);
        assert_eq!(estimate.rows, Some(20_000_000));
        let words =
            "PostgreSQL expects about 1 row, cost 345, and reads log (~20,000,000 rows) whole";
        assert_eq!(estimate.words, words);
    }

    #[test]
    fn loops_multiply_and_keys_cost_one() {
        let scans = estimated("SELECT * FROM a, b AS x", &[(2, 0, "SCAN a"), (5, 0, "SCAN x")]);
        // 100 rows of a, then 7 of b for each of them
        assert_eq!(scans.rows, Some(100 + 700));
        assert_eq!(scans.words, "reads a (100 rows) × b (7 rows) whole, about 800 rows");
        let keyed = estimated(
            "SELECT * FROM a, b",
            &[(2, 0, "SCAN a"), (5, 0, "SEARCH b USING INTEGER PRIMARY KEY (rowid=?)")],
        );
        assert_eq!(keyed.rows, Some(200));
    }

    #[test]
    fn a_correlated_subquery_is_done_for_each_row() {
        let plan = [(2, 0, "SCAN a"), (9, 0, "CORRELATED SCALAR SUBQUERY 1"), (12, 9, "SCAN b")];
        assert_eq!(estimated("SELECT (SELECT 1 FROM b) FROM a", &plan).rows, Some(100 + 700));
    }

    fn told(dialect: Dialect, rows: u64, cost: Option<u64>) -> Estimate {
        let plan = EnginePlan { steps: Vec::new(), expected: Some(Expected { rows, cost }) };
        expected(dialect, plan, &Catalog::default())
    }

    #[test]
    fn what_an_engine_expects_is_said_with_its_own_measure() {
        let said = told(Dialect::Postgres, 1200, Some(3450));
        assert_eq!(said.words, "PostgreSQL expects about 1,200 rows, cost 3,450");
        assert_eq!(said.rows, Some(1200));
        let bare = told(Dialect::Generic, 1, None);
        assert_eq!(bare.words, "the engine expects about 1 row");
    }

    #[test]
    fn a_table_that_was_not_counted_gives_no_estimate() {
        let none = estimated("SELECT * FROM c", &[(2, 0, "SCAN c")]);
        assert_eq!(none.rows, None);
        assert_eq!(none.words, "no estimate: it isn't known how many rows c has");
    }
}
