//! Copies of one SQLite file on the other engines, made for one test and dropped with it.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::program::Home;

/// A copy of the database on another engine.
pub(super) struct Copy {
    pub(super) engine: &'static str,
    pub(super) address: String,
    /// Drops it where it is on a server.
    drop: Option<Box<dyn FnOnce()>>,
}

impl Drop for Copy {
    fn drop(&mut self) {
        if let Some(drop) = self.drop.take() {
            drop();
        }
    }
}

/// How an engine wants a copy written.
struct Dialect {
    quote: char,
    backslash: bool,
    moment: &'static str,
}

/// Makes the copies that can be made here; the others are told.
pub(super) fn of(file: &Path, home: &Home) -> Vec<Copy> {
    let copies =
        [("PostgreSQL", postgres(file)), ("MariaDB", mysql(file)), ("DuckDB", duckdb(file, home))];
    let told = copies.into_iter().filter_map(|(engine, copy)| {
        if copy.is_none() {
            println!("skipped: {engine}, which is not here");
        }
        copy
    });
    told.collect()
}

/// A name that no other test has.
fn name() -> String {
    static MADE: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = MADE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!("querent_chinook_{}_{n}", std::process::id())
}

/// Puts another database's name at the end of a server's address.
fn with_database(address: &str, name: &str) -> String {
    address
        .rsplit_once('/')
        .map_or_else(|| address.to_owned(), |(server, _)| format!("{server}/{name}"))
}

fn postgres(file: &Path) -> Option<Copy> {
    let server = std::env::var("QUERENT_POSTGRES").ok()?;
    let (name, dialect) = (name(), Dialect { quote: '"', backslash: false, moment: "timestamp" });
    let address = with_database(&server, &name);
    let run = |address: &str, sql: &str| {
        runtime().block_on(async {
            let (client, connection) =
                tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            client.batch_execute(sql).await.unwrap();
            drop(client);
            connection.await.unwrap().unwrap();
        });
    };
    run(&server, &format!("CREATE DATABASE {name}"));
    run(&address, &script(file, &dialect));
    let drop = move || run(&server, &format!("DROP DATABASE {name} WITH (FORCE)"));
    Some(Copy { engine: "PostgreSQL", address, drop: Some(Box::new(drop)) })
}

fn mysql(file: &Path) -> Option<Copy> {
    use mysql_async::prelude::Queryable;
    let server = std::env::var("QUERENT_MYSQL").ok()?;
    let (name, dialect) = (name(), Dialect { quote: '`', backslash: true, moment: "datetime" });
    let address = with_database(&server, &name);
    let run = |address: &str, statements: Vec<String>| {
        runtime().block_on(async {
            let opts = mysql_async::Opts::from_url(address).unwrap();
            let mut connection = mysql_async::Conn::new(opts).await.unwrap();
            for statement in statements {
                connection.query_drop(statement).await.unwrap();
            }
            connection.disconnect().await.unwrap();
        });
    };
    run(&server, vec![format!("CREATE DATABASE {name} CHARACTER SET utf8mb4")]);
    run(&address, statements(file, &dialect));
    let drop = move || run(&server, vec![format!("DROP DATABASE {name}")]);
    Some(Copy { engine: "MariaDB", address, drop: Some(Box::new(drop)) })
}

#[cfg(not(feature = "adbc"))]
fn duckdb(_file: &Path, _home: &Home) -> Option<Copy> {
    None
}

#[cfg(feature = "adbc")]
fn duckdb(file: &Path, home: &Home) -> Option<Copy> {
    use adbc_core::options::{AdbcVersion, OptionDatabase};
    use adbc_core::{Connection as _, Database as _, Driver as _, Statement as _};
    let library = std::env::var("QUERENT_DUCKDB").ok()?;
    let path = home.file(&format!("{}.duckdb", name()));
    let dialect = Dialect { quote: '"', backslash: false, moment: "timestamp" };
    let entry: &[u8] = b"duckdb_adbc_init";
    let mut driver = adbc_driver_manager::ManagedDriver::load_dynamic_from_filename(
        library,
        Some(entry),
        AdbcVersion::V100,
    )
    .unwrap();
    let place = (OptionDatabase::Other("path".to_owned()), path.display().to_string().into());
    let database = driver.new_database_with_opts([place]).unwrap();
    let mut connection = database.new_connection().unwrap();
    for sql in statements(file, &dialect) {
        let mut statement = connection.new_statement().unwrap();
        statement.set_sql_query(sql).unwrap();
        statement.execute_update().unwrap();
    }
    Some(Copy { engine: "DuckDB", address: format!("duckdb:{}", path.display()), drop: None })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}

fn script(file: &Path, dialect: &Dialect) -> String {
    statements(file, dialect).join(";\n")
}

/// Writes the tables with their keys, each after those that it points to, and their rows.
fn statements(file: &Path, dialect: &Dialect) -> Vec<String> {
    let db = Connection::open_with_flags(file, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut left = texts(&db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    let (mut done, mut statements): (Vec<String>, Vec<String>) = Default::default();
    while !left.is_empty() {
        let parents = |table: &str| {
            texts(&db, &format!("SELECT \"table\" FROM pragma_foreign_key_list('{table}')"))
        };
        let ready = |table: &String| {
            parents(table).iter().all(|parent| parent == table || done.contains(parent))
        };
        let at = left.iter().position(ready).expect("no circle of keys");
        let table = left.remove(at);
        statements.push(create(&db, &table, dialect));
        statements.extend(inserts(&db, &table, dialect));
        done.push(table);
    }
    statements
}

fn texts(db: &Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn quoted(name: &str, dialect: &Dialect) -> String {
    format!("{0}{name}{0}", dialect.quote)
}

fn list(names: &[String], dialect: &Dialect) -> String {
    names.iter().map(|name| quoted(name, dialect)).collect::<Vec<_>>().join(", ")
}

fn create(db: &Connection, table: &str, dialect: &Dialect) -> String {
    let mut columns =
        db.prepare(&format!("SELECT name, type FROM pragma_table_info('{table}')")).unwrap();
    let column = |row: &rusqlite::Row<'_>| {
        let (name, kind): (String, String) = (row.get(0)?, row.get(1)?);
        let kind = match kind.replace("NVARCHAR", "VARCHAR") {
            moment if moment == "DATETIME" => dialect.moment.to_owned(),
            other => other,
        };
        Ok(format!("{} {kind}", quoted(&name, dialect)))
    };
    let mut parts: Vec<String> =
        columns.query_map([], column).unwrap().map(Result::unwrap).collect();
    let primary = format!("SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk");
    parts.push(format!("PRIMARY KEY ({})", list(&texts(db, &primary), dialect)));
    let keys =
        format!("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list('{table}')");
    let mut keys = db.prepare(&keys).unwrap();
    let key = |row: &rusqlite::Row<'_>| {
        let [from, to, of] =
            [row.get(0)?, row.get(1)?, row.get(2)?].map(|name: String| quoted(&name, dialect));
        Ok(format!("FOREIGN KEY ({from}) REFERENCES {to} ({of})"))
    };
    parts.extend(keys.query_map([], key).unwrap().map(Result::unwrap));
    format!("CREATE TABLE {} ({})", quoted(table, dialect), parts.join(", "))
}

/// Writes the rows, five hundred a statement; those of a table that points to itself one by one, as
/// DuckDB checks a key against what was there before the statement.
fn inserts(db: &Connection, table: &str, dialect: &Dialect) -> Vec<String> {
    let mut statement = db.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1")).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut written: Vec<String> = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let cells = (0..columns).map(|n| literal(row.get_ref(n).unwrap(), dialect));
        written.push(format!("({})", cells.collect::<Vec<_>>().join(", ")));
    }
    let insert = |rows: &[String]| {
        format!("INSERT INTO {} VALUES {}", quoted(table, dialect), rows.join(", "))
    };
    let own =
        format!("SELECT 1 FROM pragma_foreign_key_list('{table}') WHERE \"table\" = '{table}'");
    let points_to_itself = db.prepare(&own).unwrap().exists([]).unwrap();
    written.chunks(if points_to_itself { 1 } else { 500 }).map(insert).collect()
}

fn literal(value: ValueRef<'_>, dialect: &Dialect) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(n) => n.to_string(),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).unwrap().replace('\'', "''");
            format!("'{}'", if dialect.backslash { text.replace('\\', "\\\\") } else { text })
        }
        ValueRef::Blob(_) => panic!("Chinook holds no bytes"),
    }
}
