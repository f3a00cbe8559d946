//! Times parsing, binding, gates and local repair of one query, beside SQLite preparing the same.
//!
//! With `QUERENT_DATA` set the queries come from the public sets in that folder, without it from a
//! short list on the rental demo. Each sample is one query, so that divan's median is the median
//! query. The figure to look at is the ratio of `ours` to `the_engine_prepares`.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on stops")]
#![expect(clippy::print_stdout, reason = "says where the queries come from")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use divan::{Bencher, black_box};
use querent::database::{OpenOptions, open};
use querent::domain::{Catalog, Dialect, Facts, Failure, Stage, Table};
use querent::gates::{self, Before};
use querent::repair::{self, Advice, Broken};
use querent::sql::{ReadQuery, bind};
use rusqlite::{Connection, OpenFlags};

/// Queries that run, and queries that don't.
const OWN: [&str; 6] = [
    "SELECT count(*) FROM rental",
    "SELECT title FROM film WHERE rental_rate > 2 ORDER BY length DESC LIMIT 5",
    "SELECT c.name, count(*) FROM film_category fc JOIN category c USING (category_id) GROUP BY c.name",
    "SELECT f.title, sum(p.amount) FROM payment p JOIN rental r ON r.rental_id = p.rental_id \
     JOIN inventory i ON i.inventory_id = r.inventory_id JOIN film f ON f.film_id = i.film_id \
     GROUP BY f.title ORDER BY 2 DESC LIMIT 10",
    "WITH spent AS (SELECT customer_id, sum(amount) AS total FROM payment GROUP BY customer_id) \
     SELECT c.last_name, s.total FROM spent s JOIN customer c ON c.customer_id = s.customer_id \
     WHERE s.total > (SELECT avg(total) FROM spent)",
    "SELECT first_name FROM actor WHERE actor_id NOT IN (SELECT actor_id FROM film_actor)",
];
const OWN_BROKEN: [&str; 4] = [
    "SELECT titel FROM film",
    "SELECT c.name, count(*) FROM film_category f JOIN categories c USING (category_id) GROUP BY 1",
    "SELECT r.amount::float FROM payment r",
    "SELECT payment.return_date FROM payment JOIN rental ON rental.rental_id = payment.rental_id",
];

/// Tables of the wide schema.
const WIDE: usize = 175;

/// A query with the database it is for.
#[derive(Clone)]
struct Case {
    sql: String,
    facts: Arc<Facts>,
    path: PathBuf,
}

#[derive(Default)]
struct Cases {
    good: Vec<Case>,
    broken: Vec<Case>,
    facts: BTreeMap<PathBuf, Arc<Facts>>,
}

fn main() {
    divan::main();
}

fn cases() -> &'static Cases {
    static CASES: OnceLock<Cases> = OnceLock::new();
    CASES.get_or_init(|| match std::env::var_os("QUERENT_DATA") {
        Some(folder) => Cases::of_sets(Path::new(&folder)),
        None => Cases::own(),
    })
}

impl Cases {
    fn own() -> Self {
        let path = std::env::temp_dir().join("querent-bench-rentals.sqlite");
        let _ = std::fs::remove_file(&path);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo/rentals");
        let db = Connection::open(&path).unwrap();
        for file in ["schema.sql", "data.sql"] {
            db.execute_batch(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        }
        let mut cases = Cases::default();
        for sql in OWN {
            cases.good(sql, &path);
        }
        for sql in OWN_BROKEN {
            cases.broken(sql, &path);
        }
        println!("{} queries of our own on the rental demo", cases.good.len());
        cases
    }

    fn of_sets(folder: &Path) -> Self {
        let mut cases = Cases::default();
        for set in ["spider_dev", "bird_train_gold"] {
            let text = std::fs::read_to_string(folder.join(format!("{set}.jsonl"))).unwrap();
            for line in text.lines() {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                let path = folder.join(format!("db/{}.sqlite", line["db"].as_str().unwrap()));
                cases.good(line["gold_sql"].as_str().unwrap(), &path);
                for said in line["predictions"].as_array().into_iter().flatten() {
                    let class = said["class"].as_str().unwrap_or_default();
                    if !matches!(class, "ok_correct" | "ok_wrong" | "empty") {
                        cases.broken(said["sql"].as_str().unwrap(), &path);
                    }
                }
            }
        }
        let (good, broken) = (cases.good.len(), cases.broken.len());
        println!("spider_dev and bird_train_gold: {good} gold queries, {broken} recorded failures");
        cases
    }

    fn good(&mut self, sql: &str, path: &Path) {
        let case = self.case(sql, path);
        self.good.push(case);
    }

    fn broken(&mut self, sql: &str, path: &Path) {
        let case = self.case(sql, path);
        self.broken.push(case);
    }

    fn case(&mut self, sql: &str, path: &Path) -> Case {
        let facts = self.facts.entry(path.to_owned()).or_insert_with(|| facts(path));
        Case { sql: sql.to_owned(), facts: Arc::clone(facts), path: path.to_owned() }
    }
}

fn facts(path: &Path) -> Arc<Facts> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let catalog: Arc<Catalog> = runtime.block_on(async {
        let address = path.to_str().unwrap();
        let database = open(address, &OpenOptions::default()).await.unwrap();
        database.catalog(false).await.unwrap()
    });
    Arc::new(Facts { catalog, ..Facts::default() })
}

/// The same cases, each in a schema filled up to 175 tables with those of the other databases.
fn wide() -> &'static Cases {
    static CASES: OnceLock<Cases> = OnceLock::new();
    CASES.get_or_init(|| {
        let small = cases();
        let widened = small.facts.iter().map(|(path, facts)| {
            let mut catalog = (*facts.catalog).clone();
            let others = small.facts.iter().filter(|(other, _)| *other != path);
            let tables = others.flat_map(|(other, facts)| {
                let of = other.file_stem().unwrap().to_string_lossy().into_owned();
                let named = move |table: &Table| {
                    let name = format!("{of}_{}", table.name);
                    Table { name, ..table.clone() }
                };
                facts.catalog.tables.iter().map(named).collect::<Vec<_>>()
            });
            catalog.tables.extend(tables.take(WIDE.saturating_sub(facts.catalog.tables.len())));
            let facts = Facts { catalog: Arc::new(catalog), ..Facts::default() };
            (path.clone(), Arc::new(facts))
        });
        let facts: BTreeMap<PathBuf, Arc<Facts>> = widened.collect();
        let among = |case: &Case| Case { facts: Arc::clone(&facts[&case.path]), ..case.clone() };
        Cases {
            good: small.good.iter().map(among).collect(),
            broken: small.broken.iter().map(among).collect(),
            facts: facts.clone(),
        }
    })
}

/// Names what is wrong with a query.
fn failure(sql: &str, catalog: &Catalog) -> Option<Failure> {
    match ReadQuery::parse(sql, Dialect::Sqlite) {
        Err(failure) => Some(failure),
        Ok(query) => {
            let diagnostics = bind(&query, catalog).diagnostics;
            let wrong = !diagnostics.is_empty();
            wrong.then_some(Failure { stage: Stage::Bind, diagnostics, retryable: true })
        }
    }
}

/// Times one look at a case after another, round and round.
fn each<T>(bencher: Bencher<'_, '_>, cases: &'static [Case], look: impl Fn(&'static Case) -> T) {
    let mut next = cases.iter().cycle();
    bencher.with_inputs(|| next.next()).bench_local_values(|case| case.map(&look));
}

#[divan::bench(sample_count = 2000, sample_size = 1)]
fn parse(bencher: Bencher<'_, '_>) {
    each(bencher, &cases().good, |case| ReadQuery::parse(&case.sql, Dialect::Sqlite));
}

#[divan::bench(sample_count = 2000, sample_size = 1)]
fn parse_and_bind(bencher: Bencher<'_, '_>) {
    each(bencher, &cases().good, |case| {
        let query = ReadQuery::parse(&case.sql, Dialect::Sqlite).ok();
        query.map(|query| bind(&query, &case.facts.catalog))
    });
}

/// Parses and binds a query and looks at it with every gate.
fn check(case: &'static Case) -> Option<usize> {
    let query = ReadQuery::parse(&case.sql, Dialect::Sqlite).ok()?;
    let binding = bind(&query, &case.facts.catalog);
    let verdicts = gates::before(&Before {
        question: None,
        hint: None,
        understanding: None,
        query: &query,
        binding: &binding,
        catalog: &case.facts.catalog,
        facts: &case.facts,
        plan: None,
        reading: None,
        probed: &[],
    });
    Some(black_box(verdicts).findings.len())
}

/// Finds all that is wrong with a query, mends it, looks again.
fn mend(case: &'static Case) -> Option<Failure> {
    let catalog = &case.facts.catalog;
    let failure = failure(&case.sql, catalog)?;
    let broken = Broken {
        sql: &case.sql,
        failure: &failure,
        catalog,
        values: &[],
        dialect: Dialect::Sqlite,
    };
    match repair::advise(&broken) {
        Advice::Rewrite { sql, .. } => self::failure(&sql, catalog),
        Advice::Abstain(_) => Some(failure),
    }
}

#[divan::bench(sample_count = 2000, sample_size = 1)]
fn ours(bencher: Bencher<'_, '_>) {
    each(bencher, &cases().good, check);
}

#[divan::bench(sample_count = 2000, sample_size = 1)]
fn ours_among_175_tables(bencher: Bencher<'_, '_>) {
    each(bencher, &wide().good, check);
}

#[divan::bench(sample_count = 2000, sample_size = 1)]
fn the_engine_prepares(bencher: Bencher<'_, '_>) {
    let mut opened: BTreeMap<&Path, Connection> = BTreeMap::new();
    for case in &cases().good {
        opened.entry(&case.path).or_insert_with(|| {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
            let db = Connection::open_with_flags(&case.path, flags).unwrap();
            // the first prepare reads the schema: not what is compared
            drop(db.prepare("SELECT * FROM sqlite_master").unwrap());
            drop(db.prepare(&case.sql));
            db
        });
    }
    each(bencher, &cases().good, |case| {
        opened.get(case.path.as_path()).map(|db| black_box(db.prepare(&case.sql).is_ok()))
    });
}

/// What a query that fails costs.
#[divan::bench(sample_count = 2000, sample_size = 1)]
fn check_and_repair_of_broken_queries(bencher: Bencher<'_, '_>) {
    each(bencher, &cases().broken, mend);
}

#[divan::bench(sample_count = 2000, sample_size = 1)]
fn check_and_repair_among_175_tables(bencher: Bencher<'_, '_>) {
    each(bencher, &wide().broken, mend);
}
