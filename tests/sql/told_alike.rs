//! Queries that are told alike are the same query: whatever they are, they give the same rows.

use std::collections::BTreeMap;

use querent::domain::{Catalog, Column, ColumnKind, Dialect, Table};
use querent::sql::english::tell;
use querent::sql::{ReadQuery, bind};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn value(&mut self, depth: u32) -> String {
        match self.roll(if depth == 0 { 4 } else { 10 }) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => "1".to_owned(),
            3 => "0".to_owned(),
            4 => format!("-{}", self.value(depth - 1)),
            5 => format!("{} + {}", self.value(depth - 1), self.value(depth - 1)),
            6 => format!("({} * {})", self.value(depth - 1), self.value(depth - 1)),
            7 => format!("coalesce({}, {})", self.value(depth - 1), self.value(depth - 1)),
            8 => {
                let (condition, then) = (self.condition(depth - 1), self.value(depth - 1));
                format!("CASE WHEN {condition} THEN {then} ELSE {} END", self.value(depth - 1))
            }
            _ => format!("({})", self.condition(depth - 1)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let signs = ["=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT"];
        if depth == 0 {
            let sign = signs[usize::try_from(self.roll(8)).unwrap()];
            return format!("{} {sign} {}", self.value(0), self.value(0));
        }
        match self.roll(14) {
            0 | 1 => format!("{} AND {}", self.condition(depth - 1), self.condition(depth - 1)),
            2 | 3 => format!("{} OR {}", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("({})", self.condition(depth - 1)),
            5 => format!("NOT {}", self.condition(depth - 1)),
            6 => format!("NOT ({})", self.condition(depth - 1)),
            7 => format!("({}) IS TRUE", self.condition(depth - 1)),
            8 => format!("({}) IS NULL", self.value(depth - 1)),
            9 => format!("a BETWEEN {} AND {}", self.value(0), self.value(0)),
            10 => format!("({}) IN ({}, NULL)", self.value(0), self.value(depth - 1)),
            11 => format!("b NOT IN (SELECT a FROM u WHERE {})", self.condition(depth - 1)),
            12 => format!("EXISTS (SELECT 1 FROM u WHERE {})", self.condition(depth - 1)),
            _ => {
                let sign = signs[usize::try_from(self.roll(8)).unwrap()];
                format!("({}) {sign} ({})", self.value(depth - 1), self.value(depth - 1))
            }
        }
    }

    fn query(&mut self) -> String {
        let condition = self.condition(2);
        match self.roll(6) {
            0 | 1 => format!("SELECT id FROM t WHERE {condition}"),
            2 => format!("SELECT {} FROM t", self.value(2)),
            3 => format!("SELECT b, sum({}) FROM t GROUP BY b HAVING {}", self.value(1), {
                let sum = self.condition(0).replace('a', "sum(a)");
                sum.replace('b', "count(*)")
            }),
            4 => format!("SELECT t.id FROM t LEFT JOIN u ON t.b = u.b AND t.id < {}", self.roll(3)),
            _ => format!("SELECT id FROM t WHERE {condition} ORDER BY id DESC LIMIT {}", {
                self.roll(3)
            }),
        }
    }
}

fn catalog() -> Catalog {
    let column = |name: &str| Column {
        name: name.to_owned(),
        kind: ColumnKind::Integer,
        ..Column::default()
    };
    let table = |name: &str| Table {
        name: name.to_owned(),
        columns: ["id", "a", "b"].map(column).into(),
        ..Table::default()
    };
    Catalog { tables: vec![table("t"), table("u")], ..Catalog::default() }
}

fn database() -> rusqlite::Connection {
    let db = rusqlite::Connection::open_in_memory().unwrap();
    db.execute_batch(
        "CREATE TABLE t (id INTEGER, a INTEGER, b INTEGER); CREATE TABLE u AS SELECT * FROM t;",
    )
    .unwrap();
    let values = ["NULL", "0", "1", "2"];
    for (n, a) in values.iter().enumerate() {
        for (m, b) in values.iter().enumerate() {
            let id = n * 4 + m;
            db.execute_batch(&format!("INSERT INTO t VALUES ({id}, {a}, {b});")).unwrap();
        }
    }
    db.execute_batch("INSERT INTO u VALUES (1, 0, 1), (2, 1, 1), (3, 1, NULL);").unwrap();
    db
}

fn rows(db: &rusqlite::Connection, sql: &str) -> Option<Vec<String>> {
    let mut statement = db.prepare(sql).ok()?;
    let width = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cells: Vec<String> = (0..width)
            .map(|n| row.get::<_, rusqlite::types::Value>(n).map(|v| format!("{v:?}")))
            .collect::<Result<_, _>>()?;
        Ok(cells.join("|"))
    });
    let mut rows: Vec<String> = rows.ok()?.collect::<Result<_, _>>().ok()?;
    rows.sort();
    Some(rows)
}

#[test]
fn queries_told_alike_give_the_same_rows() {
    let (catalog, db) = (catalog(), database());
    let mut dice = Dice(7);
    let mut told: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let (mut read, mut alike, mut wrong) = (0, 0, Vec::new());
    for _ in 0..20_000 {
        let sql = dice.query();
        let Ok(query) = ReadQuery::parse(&sql, Dialect::Sqlite) else { continue };
        let binding = bind(&query, &catalog);
        let Some(rows) = rows(&db, &sql).filter(|_| binding.diagnostics.is_empty()) else {
            continue;
        };
        let english = tell(&query, &binding);
        assert_eq!(english.quoted, 0, "{sql}\n{}", english.words);
        read += 1;
        if let Some((other, others)) = told.get(&english.words) {
            alike += usize::from(*other != sql);
            if *others != rows {
                wrong.push(format!("{sql}\n{other}\n    {}", english.words));
            }
        } else {
            told.insert(english.words, (sql, rows));
        }
    }
    println!("{read} queries, {} different sentences, {alike} told as another text", told.len());
    assert!(read > 15_000 && alike > 100, "{read} {alike}");
    assert!(wrong.is_empty(), "{} told alike:\n{}", wrong.len(), wrong.join("\n"));
}
