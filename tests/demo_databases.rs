//! Builds every demo database from its scripts and holds it against figures that its scripts
//! state, and its knowledge against its schema.

#![expect(clippy::unwrap_used, reason = "a test that can't read its own assets has failed")]

use querent::domain::{
    Catalog, Column, ColumnKind, ForeignKey, Knowledge, Table, schema::KeyOrigin,
};
use querent::knowledge::{drift, parse};
use rusqlite::Connection;

/// A demo as it lies in the assets.
struct Demo {
    schema: &'static str,
    data: &'static str,
    knowledge: &'static str,
}

macro_rules! demo {
    ($name:literal) => {
        Demo {
            schema: include_str!(concat!("../assets/demo/", $name, "/schema.sql")),
            data: include_str!(concat!("../assets/demo/", $name, "/data.sql")),
            knowledge: include_str!(concat!("../assets/demo/", $name, "/knowledge.toml")),
        }
    };
}

const RESERVO: Demo = demo!("reservo");
const SALES: Demo = demo!("sales");
const INSURANCE: Demo = demo!("insurance");
const RENTALS: Demo = demo!("rentals");

impl Demo {
    /// Builds it as the program does, in one transaction.
    fn build(&self) -> Connection {
        let database = Connection::open_in_memory().unwrap();
        database.execute_batch("PRAGMA foreign_keys = ON; BEGIN").unwrap();
        database.execute_batch(self.schema).unwrap();
        database.execute_batch(self.data).unwrap();
        database.execute_batch("COMMIT").unwrap();
        database
    }

    fn knowledge(&self) -> Knowledge {
        parse(self.knowledge, "demo").unwrap()
    }

    /// Everything that each demo must hold, whatever it is about.
    fn check(&self, tables: &[(&str, i64)]) {
        let database = self.build();
        assert_eq!(one::<String>(&database, "PRAGMA integrity_check"), "ok");
        assert_eq!(rows(&database, "PRAGMA foreign_key_check"), [[""; 0]; 0]);
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let mut expected: Vec<&str> = tables.iter().map(|(name, _)| *name).collect();
        expected.sort_unstable();
        assert_eq!(rows(&database, names).concat(), expected);
        for (table, count) in tables {
            let found: i64 = one(&database, &format!("SELECT COUNT(*) FROM {table}"));
            assert_eq!(found, *count, "{table}");
        }
        self.check_knowledge(&database);
    }

    fn check_knowledge(&self, database: &Connection) {
        let knowledge = self.knowledge();
        assert_eq!(drift(&knowledge, &catalog(database)), []);
        assert_eq!(knowledge.questions.len(), 5);
        for example in &knowledge.examples {
            let rows = rows(database, &example.sql);
            assert!(!rows.is_empty(), "no row: {}", example.question);
            assert!(!example.verified_by.is_empty() && !example.verified_at.is_empty());
        }
        for metric in knowledge.metrics.iter().filter(|metric| metric.tables.len() == 1) {
            let condition = metric.filter.as_deref().unwrap_or("1 = 1");
            let sql =
                format!("SELECT {} FROM {} WHERE {condition}", metric.formula, metric.tables[0]);
            let value: Option<f64> = database.query_row(&sql, [], |row| row.get(0)).unwrap();
            assert!(value.is_some(), "metric {} is NULL", metric.name);
        }
        check_stored_codes(&knowledge, database);
    }
}

/// The codes that the knowledge explains are the codes that are stored, no more and no fewer.
fn check_stored_codes(knowledge: &Knowledge, database: &Connection) {
    for meaning in knowledge.columns.iter().filter(|meaning| !meaning.values.is_empty()) {
        let (table, column) = (&meaning.at.table, &meaning.at.column);
        let sql = format!("SELECT DISTINCT {column} FROM {table} ORDER BY CAST({column} AS TEXT)");
        let explained: Vec<&str> = meaning.values.iter().map(|(code, _)| code.as_str()).collect();
        assert_eq!(rows(database, &sql).concat(), explained, "{}", meaning.at);
    }
}

fn one<T: rusqlite::types::FromSql>(database: &Connection, sql: &str) -> T {
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Reads all rows as text.
fn rows(database: &Connection, sql: &str) -> Vec<Vec<String>> {
    use rusqlite::types::ValueRef;
    let mut statement = database.prepare(sql).unwrap();
    let width = statement.column_count();
    let text = |value: ValueRef<'_>| match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number}"),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
    };
    let read = |row: &rusqlite::Row<'_>| {
        (0..width).map(|i| row.get_ref(i).map(text)).collect::<rusqlite::Result<Vec<String>>>()
    };
    statement.query_map([], read).unwrap().collect::<rusqlite::Result<_>>().unwrap()
}

/// Reads tables, columns and keys, as much as binding needs.
fn catalog(database: &Connection) -> Catalog {
    let names = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name";
    let tables: Vec<String> = rows(database, names).concat();
    let columns = |table: &str| {
        let sql = format!("SELECT name, type FROM pragma_table_info('{table}')");
        rows(database, &sql).into_iter().map(|row| column(&row)).collect()
    };
    let keys = |table: &str| {
        let sql =
            format!("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list('{table}')");
        rows(database, &sql).into_iter().map(|row| key(table, &row)).collect::<Vec<_>>()
    };
    Catalog {
        keys: tables.iter().flat_map(|table| keys(table)).collect(),
        tables: tables
            .iter()
            .map(|name| Table { name: name.clone(), columns: columns(name), ..Table::default() })
            .collect(),
        ..Catalog::default()
    }
}

fn column(row: &[String]) -> Column {
    let kind = match row[1].as_str() {
        "INTEGER" => ColumnKind::Integer,
        "REAL" => ColumnKind::Real,
        _ => ColumnKind::Text,
    };
    Column { name: row[0].clone(), data_type: row[1].clone(), kind, ..Column::default() }
}

fn key(table: &str, row: &[String]) -> ForeignKey {
    ForeignKey {
        from_table: table.to_owned(),
        from_columns: vec![row[0].clone()],
        to_table: row[1].clone(),
        to_columns: vec![row[2].clone()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    }
}

#[test]
fn reservo_has_23_bookings_and_211900_cents_of_confirmed_revenue() {
    RESERVO.check(&[("bookings", 23), ("members", 8), ("payments", 17), ("rooms", 6)]);
    let database = RESERVO.build();
    let confirmed = "SELECT SUM(price_cents) FROM bookings WHERE status = 'confirmed'";
    assert_eq!(one::<i64>(&database, confirmed), 211_900);
    let by_status = "SELECT status, COUNT(*) FROM bookings GROUP BY status ORDER BY status";
    let expected = [["cancelled", "5"], ["confirmed", "14"], ["pending", "4"]];
    assert_eq!(rows(&database, by_status), expected);
    let agreed = "SELECT COUNT(*) FROM bookings AS b JOIN rooms AS r ON r.id = b.room_id \
                  WHERE b.price_cents = b.hours * r.hourly_rate_cents";
    assert_eq!(one::<i64>(&database, agreed), 23);
}

#[test]
fn asia_pacific_grew_most_in_q3_as_worked_out_by_hand() {
    SALES.check(&[("sales", 48)]);
    let database = SALES.build();
    let knowledge = SALES.knowledge();
    let asked = |e: &&querent::domain::Example| e.question == "Which region grew the most in Q3?";
    let pair = knowledge.examples.iter().find(asked).unwrap();
    assert_eq!(rows(&database, &pair.sql), [["Asia Pacific", "25"]]);
    let quarters = "SELECT region, SUM(revenue) FILTER (WHERE quarter = 'Q2') / 1000, \
                    SUM(revenue) FILTER (WHERE quarter = 'Q3') / 1000 FROM sales \
                    GROUP BY region ORDER BY region";
    let expected =
        [["Asia Pacific", "600", "750"], ["Europe", "720", "792"], ["North America", "720", "756"]];
    assert_eq!(rows(&database, quarters), expected);
    assert_eq!(rows(&database, "SELECT SUM(revenue) FROM sales"), [["8958000"]]);
}

#[test]
fn insurance_holds_what_its_key_figures_need() {
    INSURANCE.check(&[
        ("agents", 36),
        ("claims", 2200),
        ("customers", 1500),
        ("policies", 2400),
        ("submissions", 3750),
    ]);
    let database = INSURANCE.build();
    // fewer bound than quoted in each channel: whole numbers would divide to 0
    let channels = "SELECT a.channel, COUNT(CASE WHEN s.statusid = 'BND' THEN 1 END) AS bound, \
                    COUNT(CASE WHEN s.statusid = 'QTE' THEN 1 END) AS quoted \
                    FROM submissions AS s JOIN agents AS a ON a.agent_id = s.agent_id \
                    GROUP BY a.channel";
    let sound = format!("SELECT COUNT(*) FROM ({channels}) WHERE bound > 0 AND bound < quoted");
    assert_eq!(one::<i64>(&database, &sound), 3);
    let late = "SELECT COUNT(*) FROM claims AS c JOIN policies AS p ON p.policy_id = c.policy_id \
                WHERE CAST(substr(c.claim_date, 1, 4) AS INTEGER) \
                NOT BETWEEN p.policy_start_year AND p.policy_end_year";
    assert_eq!(one::<i64>(&database, late), 0, "a claim outside the years of its policy");
    let bound =
        "SELECT COUNT(*) FROM submissions WHERE (statusid = 'BND') <> (policy_id IS NOT NULL)";
    assert_eq!(one::<i64>(&database, bound), 0, "bound is what became a policy");
    assert!(INSURANCE.knowledge().metrics.len() >= 8);
}

#[test]
fn a_bound_submission_does_not_count_as_quoted() {
    let knowledge = INSURANCE.knowledge();
    let metric = knowledge.metrics.iter().find(|m| m.name == "quote_conversion").unwrap();
    for synonym in ["quote to bind ratio", "quote conversion rate"] {
        assert!(metric.synonyms.iter().any(|word| word == synonym), "{synonym}");
    }
    let database = INSURANCE.build();
    let counts = "SELECT COUNT(*) FILTER (WHERE statusid = 'BND') * 100.0 \
                  / COUNT(*) FILTER (WHERE statusid = 'QTE') FROM submissions";
    let formula = format!("SELECT {} FROM submissions", metric.formula);
    let (counted, by_formula) = (one::<f64>(&database, counts), one::<f64>(&database, &formula));
    assert!((counted - by_formula).abs() < 1e-9, "{counted} {by_formula}");
}

#[test]
fn rentals_has_the_15_tables_and_all_keys_of_the_diagram() {
    RENTALS.check(&[
        ("actor", 80),
        ("address", 309),
        ("category", 12),
        ("city", 48),
        ("country", 16),
        ("customer", 300),
        ("film", 240),
        ("film_actor", 946),
        ("film_category", 278),
        ("inventory", 711),
        ("language", 5),
        ("payment", 5177),
        ("rental", 3682),
        ("staff", 6),
        ("store", 3),
    ]);
    let keys = catalog(&RENTALS.build()).keys;
    for key in [
        "film_actor.actor_id -> actor",
        "film_actor.film_id -> film",
        "film_category.category_id -> category",
        "film_category.film_id -> film",
        "film.language_id -> language",
        "inventory.film_id -> film",
        "inventory.store_id -> store",
        "rental.inventory_id -> inventory",
        "rental.customer_id -> customer",
        "rental.staff_id -> staff",
        "payment.rental_id -> rental",
        "payment.customer_id -> customer",
        "payment.staff_id -> staff",
        "customer.store_id -> store",
        "staff.store_id -> store",
        "store.manager_staff_id -> staff",
        "customer.address_id -> address",
        "staff.address_id -> address",
        "store.address_id -> address",
        "address.city_id -> city",
        "city.country_id -> country",
    ] {
        let text =
            |k: &ForeignKey| format!("{}.{} -> {}", k.from_table, k.from_columns[0], k.to_table);
        assert!(keys.iter().any(|k| text(k) == key), "{key}");
    }
    assert_eq!(keys.len(), 21);
}

#[test]
fn the_join_marathon_has_three_actors_apart_from_the_fourth() {
    let database = RENTALS.build();
    let by_actor = "SELECT SUM(p.amount) AS revenue FROM payment AS p \
        JOIN rental AS r ON r.rental_id = p.rental_id \
        JOIN inventory AS i ON i.inventory_id = r.inventory_id \
        JOIN film_actor AS fa ON fa.film_id = i.film_id \
        JOIN film_category AS fc ON fc.film_id = i.film_id \
        JOIN category AS c ON c.category_id = fc.category_id \
        JOIN customer AS cu ON cu.customer_id = r.customer_id \
        JOIN address AS a ON a.address_id = cu.address_id \
        JOIN city AS ci ON ci.city_id = a.city_id \
        WHERE c.name = 'Sci-Fi' AND ci.city LIKE 'A%' \
        GROUP BY fa.actor_id ORDER BY revenue DESC LIMIT 4";
    assert_eq!(rows(&database, by_actor).concat(), ["49", "47", "44.5", "37"]);
    let namesakes = "SELECT COUNT(*) - COUNT(DISTINCT first_name || ' ' || last_name) FROM actor";
    assert_eq!(one::<i64>(&database, namesakes), 1);
}

#[test]
fn no_copy_is_out_twice_at_once() {
    let database = RENTALS.build();
    let twice = "SELECT COUNT(*) FROM rental AS a JOIN rental AS b \
                 ON b.inventory_id = a.inventory_id AND b.rental_id > a.rental_id \
                 WHERE a.return_date IS NULL OR b.rental_date <= a.return_date";
    assert_eq!(one::<i64>(&database, twice), 0);
}

#[test]
fn every_build_gives_the_same_rows() {
    for demo in [&RESERVO, &SALES, &INSURANCE, &RENTALS] {
        let (first, second) = (demo.build(), demo.build());
        for table in catalog(&first).tables {
            let all = format!("SELECT * FROM {}", table.name);
            assert_eq!(rows(&first, &all), rows(&second, &all), "{}", table.name);
        }
    }
}

#[test]
fn scripts_build_outside_a_transaction_too() {
    for demo in [&RESERVO, &SALES, &INSURANCE, &RENTALS] {
        let database = Connection::open_in_memory().unwrap();
        database.execute_batch("PRAGMA foreign_keys = ON").unwrap();
        database.execute_batch(demo.schema).unwrap();
        database.execute_batch(demo.data).unwrap();
        assert_eq!(rows(&database, "PRAGMA foreign_key_check"), [[""; 0]; 0]);
    }
}

/// Reads a shipped script: its text, and its replies in order.
fn script(name: &str) -> (toml::Table, Vec<String>) {
    let path = format!("{}/assets/demo/scripts/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let script: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let replies = script["reply"].as_array().unwrap();
    let text = |reply: &toml::Value| reply["text"].as_str().unwrap().to_owned();
    let replies = replies.iter().map(text).collect();
    (script, replies)
}

#[test]
fn scripts_say_what_they_are_and_fail_as_they_play() {
    for (name, error, stubborn) in [
        ("case-a", "no such column: price", false),
        ("case-b", "no such column: price", true),
        ("case-c", "no such table: reservations", false),
        ("case-d", "no such column: price", false),
        ("case-e", "no such column: price", false),
        ("kpi", "unrecognized token: \":\"", false),
    ] {
        let (script, replies) = script(name);
        assert_eq!(script["name"].as_str(), Some(name));
        assert!(script["label"].as_str().unwrap().starts_with("scripted: "));
        assert_eq!(script["repeat_last"].as_bool(), Some(stubborn));
        let demo = if name == "kpi" { &INSURANCE } else { &RESERVO };
        let database = demo.build();
        let refused = database.prepare(&replies[0]).unwrap_err().to_string();
        assert!(refused.starts_with(error), "{name}: {refused}");
        assert_eq!(replies.len(), if stubborn { 1 } else { 2 });
        if let Some(second) = replies.get(1) {
            assert!(!rows(&database, second).is_empty(), "{name}");
        }
    }
}

#[test]
fn scripts_hold_the_replies_of_their_cases_word_for_word() {
    let summed = |column: &str| {
        format!("SELECT SUM({column}) AS revenue FROM bookings WHERE status = 'confirmed'")
    };
    for name in ["case-a", "case-d", "case-e"] {
        assert_eq!(script(name).1, [summed("price"), summed("price_cents")], "{name}");
    }
    assert_eq!(script("case-b").1, ["SELECT SUM(price) FROM bookings"]);
    let counted = |table: &str| format!("SELECT COUNT(*) AS n FROM {table}");
    assert_eq!(script("case-c").1, [counted("reservations"), counted("bookings")]);
    let database = RESERVO.build();
    assert_eq!(rows(&database, &script("case-a").1[1]), [["211900"]]);
    assert_eq!(rows(&database, &script("case-c").1[1]), [["23"]]);
}
