//! Statements: the suite that every engine runs, values, verdicts, limits, plans.

use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::database::{Limits, ResultStore};
use querent::domain::engine_plan::Access;
use querent::domain::{Stage, Value};

use super::super::{LIMITS, failure, run, suite, text};
use super::{Base, statements};

/// Runs for minutes: nothing that is refused, only much to do.
const SLOW: &str = "SELECT COUNT(*) FROM information_schema.COLUMNS a, \
     information_schema.COLUMNS b, information_schema.COLUMNS c WHERE a.ORDINAL_POSITION \
     + b.ORDINAL_POSITION + c.ORDINAL_POSITION = -1";

#[tokio::test]
async fn it_does_what_every_engine_does() {
    let Some(base) = Base::made("suite", &suite::setup('`')).await else { return };
    let database = base.opened().await;
    suite::all(&*database).await;
    suite::changes_are_seen(&*database, async || {
        base.does("ALTER TABLE orders ADD COLUMN paid_on DATE").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_statements_end_at_their_limit_and_when_dropped() {
    let Some(base) = Base::made("slow", &suite::setup('`')).await else { return };
    let database = base.opened().await;
    suite::slow_statements_end_in_time(&*database, SLOW, async |mark| base.running(mark).await)
        .await;
}

#[tokio::test]
async fn values_of_all_types_come_without_loss() {
    let sql = "CREATE TABLE t (u BIGINT UNSIGNED, i BIGINT, m MEDIUMINT UNSIGNED, tiny TINYINT,
         d DECIMAL(30,10), big DECIMAL(65,0), f FLOAT, r DOUBLE, day DATE, dt DATETIME(3), ts TIMESTAMP(6),
         dur TIME, y YEAR, bits BIT(12), bin VARBINARY(4), bl BLOB, e ENUM('a','b''c'), s SET('x','y'),
         j JSON, c CHAR(3), z INT(6) ZEROFILL, g POINT);
INSERT INTO t VALUES (18446744073709551615, -9223372036854775808, 16777215, -128,
         12345678901234567890.0123456789, 123456789012345678901234567890, 0.1, 1e300, '2024-02-29',
         '2024-02-29 23:59:59.125', '2024-01-01 10:00:00.000001', '-838:59:59', 2024, b'101010101010',
         x'00ff', x'fe', 'b''c', 'x,y', '{\"a\": [1, 2]}', 'ab', 42, POINT(1, 2));
INSERT INTO t (y) VALUES (NULL);
";
    let Some(base) = Base::made("values", &statements(sql)).await else { return };
    let database = base.opened().await;
    let names = "u, i, m, tiny, d, big, f, r, day, dt, ts, dur, y, bits, bin, bl, e, s, j, c, z";
    let rows = run(&*database, &format!("SELECT {names} FROM t")).await.expect("rows");
    let expected = [
        text("18446744073709551615"),
        Value::Integer(i64::MIN),
        Value::Integer(16_777_215),
        Value::Integer(-128),
        text("12345678901234567890.0123456789"),
        text("123456789012345678901234567890"),
        Value::Real(0.1),
        Value::Real(1e300),
        text("2024-02-29"),
        text("2024-02-29 23:59:59.125"),
        text("2024-01-01 10:00:00.000001"),
        text("-838:59:59"),
        Value::Integer(2024),
        Value::Integer(0b1010_1010_1010),
        Value::Blob(vec![0, 255]),
        Value::Blob(vec![0xfe]),
        text("b'c"),
        text("x,y"),
        text("{\"a\": [1, 2]}"),
        text("ab"),
        Value::Integer(42),
    ];
    assert_eq!(rows.rows.first().map(Vec::as_slice), Some(&expected[..]));
    assert!(rows.rows[1].iter().all(Value::is_null));
    let types: Vec<&str> = rows.columns.iter().map(|c| c.data_type.as_str()).collect();
    assert_eq!(
        types[..6],
        [
            "bigint unsigned",
            "bigint",
            "mediumint unsigned",
            "tinyint",
            "decimal(30,10)",
            "decimal(65,0)"
        ]
    );
    assert_eq!(types[8..13], ["date", "datetime", "timestamp", "time", "year"]);
    assert_eq!((types[14], types[15], types[16], types[17]), ("varbinary", "blob", "enum", "set"));
    assert_eq!(rows.columns[0].origin.as_deref(), Some("t.u"));
    let sums =
        run(&*database, "SELECT SUM(tiny), AVG(tiny), COUNT(*) * 1.5, NULL, 1 = 1 FROM t").await;
    let sums = sums.expect("rows");
    assert_eq!(sums.rows[0][..3], [Value::Integer(-128), Value::Real(-128.0), Value::Real(3.0)]);
    assert_eq!(sums.columns[0].origin, None);
    assert!(matches!(
        run(&*database, "SELECT g FROM t").await.expect("rows").rows[0][0],
        Value::Blob(_)
    ));
}

#[tokio::test]
async fn each_error_has_its_code_and_its_place() {
    let sql = "CREATE TABLE bookings (id INTEGER PRIMARY KEY, price_cents INTEGER, room INTEGER);
CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT);
";
    let Some(base) = Base::made("verdicts", &statements(sql)).await else { return };
    let database = base.opened().await;
    let cases = [
        ("SELECT price FROM bookings", "no_such_column", Some("price")),
        ("SELECT 'é', b.price FROM bookings b", "no_such_column", Some("price")),
        ("SELECT 1 FROM reservations", "no_such_table", Some("reservations")),
        ("SELECT id FROM bookings, rooms", "ambiguous_column", Some("id")),
        ("SELECT id\nFROMM bookings\nWHERE", "syntax_error", Some("bookings")),
        ("SELECT date_trunc('month', id) FROM bookings", "no_such_function", Some("date_trunc")),
        ("SELECT id FROM bookings WHERE sum(id) > 1", "misuse_of_aggregate", None),
        ("SELECT id, room FROM bookings UNION SELECT id FROM rooms", "setop_column_mismatch", None),
        ("SELECT id, abs(1, 2) FROM rooms", "wrong_arguments", Some("abs")),
        ("SELECT (SELECT id, room FROM bookings)", "subquery_columns", None),
        ("SELECT id FROM bookings WHERE room = ?", "unbound_parameter", Some("?")),
        ("SELECT id FROM bookings WHERE room = :room", "unbound_parameter", Some(":")),
        ("SELECT 1; SELECT 2", "multiple_statements", Some("SELECT")),
        ("-- nothing", "empty", None),
    ];
    for (sql, code, place) in cases {
        let failure = failure(database.prepare(sql).await);
        assert_eq!((failure.stage, failure.code()), (Stage::Prepare, code), "{sql}: {failure:?}");
        if let Some(place) = place {
            let span = failure.span().unwrap_or_else(|| panic!("{sql}: no place: {failure:?}"));
            assert_eq!(span.of(sql), place, "{sql}: {failure:?}");
        }
    }
    let ran = failure(run(&*database, "SELECT (SELECT 1 UNION SELECT 2)").await);
    assert_eq!((ran.stage, ran.code()), (Stage::Run, "subquery_rows"), "{ran:?}");
}

#[tokio::test]
async fn quotes_are_read_as_the_server_reads_them() {
    let setup =
        ["CREATE TABLE t (a VARCHAR(9))".to_owned(), "INSERT INTO t VALUES ('x')".to_owned()];
    let Some(base) = Base::made("quotes", &setup).await else { return };
    let database = base.opened().await;
    for (sql, expected) in [
        (r#"SELECT "a" FROM t"#, "a"),
        (r"SELECT 'it\'s' FROM t", "it's"),
        ("SELECT 'a''b' FROM t # a comment", "a'b"),
        ("SELECT ':a', 'x' -- :b\n FROM t", ":a"),
        ("SELECT 'INTO OUTFILE; DROP' FROM t", "INTO OUTFILE; DROP"),
    ] {
        assert_eq!(run(&*database, sql).await.expect(sql).rows[0][0], text(expected), "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prepare_never_waits_behind_running_statements() {
    let Some(base) = Base::made("busy", &suite::setup('`')).await else { return };
    let database = base.opened().await;
    let limits = Limits { timeout: Duration::from_mins(1), max_rows: None };
    let running = (0..10).map(|_| database.run(SLOW, limits, Arc::new(ResultStore::new())));
    let all = futures_util::future::join_all(running);
    tokio::select! {
        _ = all => panic!("endless statements ended"),
        prepared = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            database.prepare("SELECT id FROM orders").await
        } => prepared.expect("prepared"),
    }
    assert!(database.settled(Duration::from_secs(10)).await);
}

#[tokio::test]
async fn plans_tell_whole_reads_look_ups_and_sorts() {
    let sql = "CREATE TABLE rooms (id INT PRIMARY KEY, name VARCHAR(20));
CREATE TABLE bookings (id INT PRIMARY KEY, room_id INT, status VARCHAR(9), KEY by_status (status));
INSERT INTO rooms SELECT seq, seq FROM seq_1_to_100;
INSERT INTO bookings SELECT seq, seq % 100 + 1, seq % 50 FROM seq_1_to_1000;
ANALYZE TABLE rooms, bookings;
";
    let Some(base) = Base::made("plans", &statements(sql)).await else { return };
    let database = base.opened().await;
    let sql = "SELECT r.name FROM bookings b JOIN rooms r ON r.id = b.room_id ORDER BY r.name";
    let mut plan = database.plan(sql).await.expect("a plan");
    assert!(plan.expected.is_some_and(|e| (900..1100).contains(&e.rows)), "{plan:?}");
    let mut found = Vec::new();
    plan.each(&mut |step| found.push(step.access.clone()));
    assert!(found.iter().any(|a| matches!(a, Access::Scan { relation, rows: Some(rows), .. } if relation == "b" && rows.count > 900)), "{found:?}");
    assert!(found.iter().any(|a| matches!(a, Access::Search { relation, index: None, by, .. } if relation == "r" && by == "id=?")), "{found:?}");
    assert!(found.iter().any(|a| matches!(a, Access::Sort(_))), "{found:?}");
    let mut plan =
        database.plan("SELECT id, room_id FROM bookings WHERE status = '7'").await.expect("a plan");
    let mut by_status = false;
    plan.each(&mut |step| {
        by_status |= matches!(&step.access, Access::Search { index: Some(index), .. } if index == "by_status");
    });
    assert!(by_status, "{plan:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_rows_stream_in_bounded_memory() {
    let Some(base) = Base::made("million", &[]).await else { return };
    let database = base.opened().await;
    let store = Arc::new(ResultStore::new());
    let (before, begin) = (resident(), Instant::now());
    let sql = "SELECT seq, CONCAT('row number ', seq) FROM seq_1_to_1000000";
    let rows = database.run(sql, LIMITS, Arc::clone(&store)).await.expect("rows");
    let grown = resident().saturating_sub(before);
    println!("1,000,000 rows in {:?}, memory grown by {} MiB", begin.elapsed(), grown >> 20);
    assert_eq!(rows.row_count, 1_000_000);
    assert_eq!(store.page(999_999..1_000_000).rows[0][0], Value::Integer(1_000_000));
    assert!(grown < 64 << 20, "memory grew by {grown} bytes");
}

/// Returns the bytes of memory in use, where the system tells; other tests of this process count.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}
