//! What the catalog tells of things that only PostgreSQL has.

use querent::domain::schema::TableKind;
use querent::domain::{ColumnKind, Value};

use super::super::{failure, run, text};
use super::served;

const SHOP: &str = r#"
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s fine');
    CREATE DOMAIN cents AS bigint CHECK (VALUE >= 0);
    CREATE TABLE things (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        feeling mood DEFAULT 'ok',
        price cents CHECK (price < 1000000),
        tags text[], facts jsonb, during tstzrange, lasted interval, at timestamptz,
        code uuid, raw bytea, good boolean, exact numeric(30,10),
        doubled bigint GENERATED ALWAYS AS (price * 2) STORED
    );
    COMMENT ON TABLE things IS 'What is sold';
    COMMENT ON COLUMN things.price IS 'In cents';
    CREATE UNIQUE INDEX things_code ON things (code);
    CREATE INDEX things_lower ON things (lower(tags[1]), at);
    INSERT INTO things (feeling, price, tags, facts, during, lasted, at, code, raw, good, exact) VALUES
        ('sad', 250, '{a,NULL}', '{"k": 1}', '[2020-01-01 00:00+00,2020-02-01 00:00+00)', '1 day 02:00',
         '2024-02-29 12:00+02', '00000000-0000-0000-0000-000000000001', '\x00ff', true, 12345678901234567890.5),
        (NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 0.1);
    CREATE TABLE days (day date NOT NULL, n int) PARTITION BY RANGE (day);
    CREATE TABLE days_2023 PARTITION OF days FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
    CREATE TABLE days_2024 PARTITION OF days FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
    INSERT INTO days SELECT '2023-12-01'::date + n, n FROM generate_series(1, 60) n;
    CREATE MATERIALIZED VIEW sums AS SELECT feeling, sum(price) AS total FROM things GROUP BY feeling;
    CREATE SCHEMA other;
    CREATE TABLE other.things (id int PRIMARY KEY, thing bigint UNIQUE REFERENCES public.things (id));
    CREATE SCHEMA hidden;
    CREATE TABLE hidden.secret (id int);
    ANALYZE;
"#;

#[tokio::test]
async fn types_partitions_schemas_and_comments_are_told() {
    let Some(served) = served("catalog").await else { return };
    served.fill(SHOP).await;
    let database = served.open().await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["things", "days", "sums", "other.things", "hidden.secret"]);
    let things = catalog.table("things").expect("things");
    assert_eq!(things.comment.as_deref(), Some("What is sold"));
    assert_eq!(things.rows.map(|rows| (rows.count, rows.exact)), Some((2, false)));
    let kind = |column: &str| things.column(column).expect(column).kind;
    let kinds = [
        ("id", ColumnKind::Integer),
        ("feeling", ColumnKind::Text),
        ("price", ColumnKind::Integer),
        ("tags", ColumnKind::Unknown),
        ("lasted", ColumnKind::Text),
        ("at", ColumnKind::Date),
        ("code", ColumnKind::Text),
        ("raw", ColumnKind::Blob),
        ("good", ColumnKind::Boolean),
        ("exact", ColumnKind::Real),
    ];
    for (column, expected) in kinds {
        assert_eq!(kind(column), expected, "{column}");
    }
    let price = things.column("price").expect("price");
    assert_eq!((price.data_type.as_str(), price.comment.as_deref()), ("cents", Some("In cents")));
    let doubled = things.column("doubled").and_then(|column| column.generated.clone());
    assert!(doubled.is_some_and(|text| text.contains("price")));
    assert!(things.checks.contains(&"feeling IN ('sad', 'ok', 'it''s fine')".to_owned()));
    assert!(things.checks.iter().any(|check| check.contains("1000000")), "{:?}", things.checks);
    assert!(things.is_unique(&["code"]));
    let indexes: Vec<&str> = things.indexes.iter().map(|index| index.name.as_str()).collect();
    assert_eq!(indexes, ["things_code", "things_lower"]);
    let days = catalog.table("days").expect("days");
    assert_eq!(days.rows.map(|rows| rows.count), Some(60), "rows of all partitions");
    let sums = catalog.table("sums").expect("sums");
    assert_eq!((sums.kind, sums.columns.len()), (TableKind::View, 2));
    assert!(
        sums.ddl.as_deref().is_some_and(|ddl| ddl.starts_with("CREATE MATERIALIZED VIEW sums"))
    );
    let [key] = catalog.keys.as_slice() else { panic!("one key: {:?}", catalog.keys) };
    assert_eq!((key.from_table.as_str(), key.to_table.as_str()), ("other.things", "things"));
    assert!(key.one_to_one, "a unique key points to one");
}

#[tokio::test]
async fn cells_of_every_type_are_exact() {
    let Some(served) = served("types").await else { return };
    served.fill(SHOP).await;
    let database = served.open().await;
    let sql = "SELECT feeling, price, tags, facts, during, lasted, at, code, raw, good, exact \
               FROM things ORDER BY id";
    let rows = run(&*database, sql).await.expect("rows");
    let first = [
        text("sad"),
        Value::Integer(250),
        text("{a,NULL}"),
        text("{\"k\": 1}"),
        text("[\"2020-01-01 00:00:00+00\",\"2020-02-01 00:00:00+00\")"),
        text("1 day 02:00:00"),
        text("2024-02-29 10:00:00+00"),
        text("00000000-0000-0000-0000-000000000001"),
        Value::Blob(vec![0, 255]),
        Value::Integer(1),
        text("12345678901234567890.5000000000"),
    ];
    assert_eq!(rows.rows[0], first);
    assert_eq!(rows.rows[1][9..], [Value::Integer(0), Value::Real(0.1)]);
    let price = &rows.columns[1];
    assert_eq!(price.origin.as_deref(), Some("things.price"));
    assert_eq!(rows.columns[6].data_type, "timestamp with time zone");
    let computed =
        run(&*database, "SELECT avg(n), 2^70::numeric, 1/3.0, 'x'::name FROM days").await;
    let computed = computed.expect("rows");
    assert_eq!(computed.rows[0][0], Value::Real(30.5));
    assert_eq!(computed.rows[0][1], text("1180591620717411303424.0000000000000000"));
    assert_eq!(computed.rows[0][2], Value::Real(1.0 / 3.0));
    assert_eq!(computed.columns[0].origin, None);
}

#[tokio::test]
async fn only_what_the_role_may_read_is_told() {
    let Some(served) = served("rights").await else { return };
    served.fill(SHOP).await;
    let role = format!("querent_part_{}", std::process::id());
    served
        .fill(&format!(
            "CREATE ROLE {role} LOGIN; GRANT SELECT (id, price) ON things TO {role}; \
             GRANT SELECT ON days TO {role}; GRANT USAGE ON SCHEMA hidden TO {role};"
        ))
        .await;
    let (_, place) = served
        .address()
        .split_once('@')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .expect("a user");
    let database = super::open_at(&format!("postgres://{role}@{place}")).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let told: Vec<(&str, usize)> =
        catalog.tables.iter().map(|table| (table.name.as_str(), table.columns.len())).collect();
    assert_eq!(told, [("things", 2), ("days", 2)]);
    assert_eq!(database.notices(), Vec::<String>::new(), "a role that only reads is told nothing");
    let denied = failure(database.prepare("SELECT * FROM hidden.secret").await);
    assert_eq!(denied.code(), "not_allowed", "{denied:?}");
    drop(database);
    served.fill(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await;
}

#[tokio::test]
async fn figures_come_from_the_servers_own_statistics() {
    let Some(served) = served("figures").await else { return };
    served
        .fill(
            "CREATE TABLE \"Much\" (n int, part text, gap int); \
             INSERT INTO \"Much\" SELECT n, CASE WHEN n % 4 = 0 THEN 'even' ELSE 'odd' END, \
               CASE WHEN n % 2 = 0 THEN n END FROM generate_series(1, 30000) n; ANALYZE;",
        )
        .await;
    let database = served.open().await;
    let tables = ["Much".to_owned()];
    let stats = database.statistics(&tables).await.expect("statistics");
    let of = |column: &str| stats.iter().find(|s| s.at.column == column).expect(column).clone();
    assert_eq!((of("n").rows_read, of("n").complete, of("n").distinct), (30_000, false, 30_000));
    assert_eq!((of("n").min, of("n").max), (Some(Value::Integer(1)), Some(Value::Integer(30_000))));
    assert_eq!(of("gap").nulls, 15_000);
    assert_eq!((of("part").distinct, of("part").min), (2, Some(text("even"))));
    assert_eq!(of("part").top.first(), Some(&(text("odd"), 22_500)));
}

#[tokio::test]
async fn a_search_path_names_its_tables_bare() {
    let Some(served) = served("path").await else { return };
    served.fill(SHOP).await;
    let database = super::open_at(&format!("{}?search_path=other,public", served.address())).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["public.things", "days", "sums", "things", "hidden.secret"]);
    let rows = run(&*database, "SELECT id FROM public.things").await.expect("rows");
    assert_eq!(rows.columns[0].origin.as_deref(), Some("public.things.id"));
}
