//! Statements that try to do more than read, each against one wall alone: nothing may change.

use std::time::Duration;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Row};
use querent::database::{Limits, Trouble};
use querent::domain::Dialect;
use querent::sql::ReadQuery;

use super::own::Own;
use super::{Base, conn, open, statements};

const ATTACKS: &str = include_str!("../attacks/mysql.sql");
/// Heads the attacks that hide in what only the server knows.
const TOLD: &str = "## told by the server";
const LIMITS: Limits = Limits { timeout: Duration::from_secs(2), max_rows: Some(100) };

const SETUP: &str = "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20), KEY by_v (v));
CREATE TABLE isam (id INT PRIMARY KEY, v VARCHAR(20)) ENGINE = MyISAM;
CREATE TABLE aria (id INT PRIMARY KEY, v VARCHAR(20)) ENGINE = Aria;
CREATE TABLE mem (id INT PRIMARY KEY, v VARCHAR(20)) ENGINE = MEMORY;
CREATE TABLE csv (id INT NOT NULL, v VARCHAR(20) NOT NULL) ENGINE = CSV;
CREATE TABLE versioned (id INT PRIMARY KEY) WITH SYSTEM VERSIONING;
INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');
INSERT INTO isam SELECT * FROM t;
INSERT INTO aria SELECT * FROM t;
INSERT INTO mem SELECT * FROM t;
INSERT INTO csv SELECT * FROM t;
CREATE SEQUENCE sq;
CREATE TRIGGER counting AFTER INSERT ON t FOR EACH ROW SET @n = 1;
CREATE VIEW v AS SELECT id, v FROM t;
CREATE FUNCTION f_reads() RETURNS INT READS SQL DATA RETURN 1;
CREATE FUNCTION f_writes() RETURNS INT MODIFIES SQL DATA BEGIN DELETE FROM isam; RETURN 1; END;
CREATE FUNCTION f_file() RETURNS INT READS SQL DATA BEGIN SELECT 1 INTO OUTFILE '{dir}/stolen90'; RETURN 1; END;
CREATE FUNCTION f_global() RETURNS INT BEGIN SET GLOBAL max_connections = 7; RETURN 1; END;
CREATE FUNCTION f_calls() RETURNS INT READS SQL DATA BEGIN CALL p_file(); RETURN 1; END;
CREATE FUNCTION f_deep() RETURNS INT READS SQL DATA RETURN f_calls();
CREATE FUNCTION f_sequence() RETURNS INT RETURN NEXT VALUE FOR sq;
CREATE FUNCTION f_waits() RETURNS INT RETURN SLEEP(60);
CREATE FUNCTION f_locks() RETURNS INT RETURN GET_LOCK('stolen', 1);
CREATE FUNCTION f_hides() RETURNS INT BEGIN /*! SET GLOBAL max_connections = 7; */ RETURN 1; END;
CREATE FUNCTION f_kills() RETURNS INT BEGIN KILL {me}; RETURN 1; END;
CREATE PROCEDURE p_writes() DELETE FROM t;
CREATE PROCEDURE p_file() SELECT 1 INTO OUTFILE '{dir}/stolen91';
CREATE PROCEDURE p_shows() SELECT 1;
CREATE VIEW v_file AS SELECT f_file() AS x;
CREATE VIEW v_deep AS SELECT x FROM v_file WHERE x > 0;
CREATE VIEW v_sequence AS SELECT NEXT VALUE FOR sq AS x;
CREATE USER bystander;
";

/// Everything that must stay as it is, asked by an all-powerful account.
const SNAPSHOT: &[&str] = &[
    "CHECKSUM TABLE t, isam, aria, mem, csv, versioned",
    "SELECT next_not_cached_value FROM sq",
    "SHOW FULL TABLES",
    "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()",
    "SELECT TABLE_NAME, INDEX_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()",
    "SELECT TABLE_NAME, ENGINE, AUTO_INCREMENT, TABLE_COMMENT, CREATE_TIME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'",
    "SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()",
    "SELECT ROUTINE_SCHEMA, ROUTINE_NAME, LAST_ALTERED, ROUTINE_COMMENT FROM information_schema.ROUTINES",
    "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS",
    "SELECT EVENT_NAME FROM information_schema.EVENTS",
    "SELECT DEFAULT_CHARACTER_SET_NAME, SCHEMA_NAME FROM information_schema.SCHEMATA",
    "SELECT * FROM mysql.global_priv",
    "SELECT * FROM mysql.db",
    "SELECT * FROM mysql.tables_priv",
    "SELECT * FROM mysql.roles_mapping",
    "SELECT * FROM mysql.proxies_priv",
    "SELECT * FROM mysql.func",
    "SELECT * FROM mysql.plugin",
    "SELECT * FROM mysql.servers",
    "SELECT * FROM mysql.column_stats",
    "SHOW GLOBAL VARIABLES WHERE Variable_name NOT LIKE 'gtid%' AND Variable_name NOT LIKE '%uptime%'",
    "SELECT PLUGIN_NAME, PLUGIN_STATUS FROM information_schema.PLUGINS",
    "SELECT IS_FREE_LOCK('stolen')",
    "SELECT ID, COMMAND FROM information_schema.PROCESSLIST WHERE USER = 'bystander'",
    "SELECT COUNT(*) FROM information_schema.INNODB_TRX",
];

/// A server under attack.
struct Stage {
    own: Own,
    base: Base,
    bystander: Conn,
    looking: Conn,
}

impl Stage {
    async fn set(name: &str) -> Option<Stage> {
        let own = Own::started().await?;
        std::fs::write(own.files().join("rows.txt"), "500\tx\n").expect("a file");
        let base = Base::on(&own.address(), name, &[]).await;
        base.does("CREATE USER IF NOT EXISTS bystander").await;
        let bystander =
            conn(&base.address().replace("root@", "bystander@").replace(&base.name, "")).await;
        base.does("DROP USER bystander").await;
        let looking = conn(&base.address()).await;
        let stage = Stage { own, base, bystander, looking };
        for sql in statements(SETUP) {
            stage.base.does(&stage.filled(&sql)).await;
        }
        Some(stage)
    }

    fn filled(&self, sql: &str) -> String {
        let me = self.bystander.id().to_string();
        let dir = self.own.files().display().to_string();
        sql.replace("{dir}", &dir).replace("{me}", &me).replace('⏎', "\n")
    }

    async fn snapshot(&mut self) -> Vec<String> {
        let mut seen = Vec::new();
        for sql in SNAPSHOT {
            let rows: Vec<Row> = self.looking.query(*sql).await.expect(sql);
            let mut rows: Vec<String> =
                rows.into_iter().map(|row| format!("{:?}", row.unwrap())).collect();
            rows.sort();
            seen.push(format!("{sql}: {}", rows.join("\n")));
        }
        let files = std::fs::read_dir(self.own.files()).expect("a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
        files.sort();
        seen.push(format!("{files:?}"));
        seen
    }
}

fn attacks(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")).collect()
}

fn differ(before: &[String], after: &[String]) -> Vec<String> {
    let pairs = before.iter().zip(after);
    pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("{a}\n  became\n{b}")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_driver_alone_lets_nothing_change() {
    let Some(mut stage) = Stage::set("wall_two").await else { return };
    let database = open(&stage.base.address()).await;
    let before = stage.snapshot().await;
    let all = attacks(ATTACKS);
    assert!(all.len() >= 300, "{}", all.len());
    let (mut refused, mut read, mut effects) = (0, 0, Vec::new());
    for attack in &all {
        let sql = stage.filled(attack);
        // what is only prepared must not change anything either
        let _ = database.prepare(&sql).await;
        match database.run(&sql, LIMITS, std::sync::Arc::default()).await {
            Ok(_) => {
                println!("ran: {attack}");
                read += 1;
            }
            Err(Trouble::Query(failure)) if failure.code() == "timeout" => {
                effects.push(format!("{attack}: it waits"));
            }
            Err(Trouble::Query(_)) => refused += 1,
            Err(Trouble::Database(error)) => effects.push(format!("{attack}: {error}")),
        }
        assert!(database.settled(Duration::from_secs(5)).await);
        let changed = differ(&before, &stage.snapshot().await);
        assert!(changed.is_empty(), "{attack} changed {changed:#?}");
    }
    let own =
        database.run("SELECT f_reads(), v FROM v WHERE id = 1", LIMITS, std::sync::Arc::default());
    assert_eq!(own.await.expect("a function that only reads is run").row_count, 1);
    println!("{} attacks on the driver: {refused} refused, {read} only read", all.len());
    assert_eq!(effects, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_parse_alone_lets_nothing_change() {
    let Some(mut stage) = Stage::set("wall_one").await else { return };
    let before = stage.snapshot().await;
    let (text, _) = ATTACKS.rsplit_once(TOLD).expect("two parts");
    let all = attacks(text);
    assert!(all.len() >= 300, "{}", all.len());
    let (mut refused, mut effects) = (0, Vec::new());
    for attack in &all {
        let sql = stage.filled(attack);
        if ReadQuery::parse(&sql, Dialect::Mysql).is_err() {
            refused += 1;
            continue;
        }
        println!("passed: {attack}");
        let mut raw = conn(&stage.base.address()).await;
        if tokio::time::timeout(Duration::from_secs(2), raw.query_drop(&sql)).await.is_err() {
            effects.push(format!("{attack}: it waits"));
        }
        let changed = differ(&before, &stage.snapshot().await);
        if !changed.is_empty() {
            effects.push(format!("{attack} changed {changed:#?}"));
            break;
        }
        drop(raw);
    }
    println!("{} attacks on the parse: {refused} refused", all.len());
    assert_eq!(effects, Vec::<String>::new());
}
