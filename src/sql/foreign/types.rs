//! Names of types in casts: what each engine calls them.

use crate::domain::Dialect;

/// A family of types under one name on each engine, and the names that others have for it.
struct Family {
    names: &'static [&'static str],
    postgres: &'static str,
    mysql: &'static str,
    duckdb: &'static str,
}

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    Family { names: &["INT", "INTEGER", "INT4"], postgres: "INTEGER", mysql: "SIGNED", duckdb: "INTEGER" },
    Family { names: &["BIGINT", "INT8", "INT64", "SIGNED", "SIGNED INTEGER", "BYTEINT"], postgres: "BIGINT", mysql: "SIGNED", duckdb: "BIGINT" },
    Family { names: &["SMALLINT", "TINYINT", "INT2"], postgres: "SMALLINT", mysql: "SIGNED", duckdb: "SMALLINT" },
    Family { names: &["UNSIGNED", "UNSIGNED INTEGER"], postgres: "BIGINT", mysql: "UNSIGNED", duckdb: "UBIGINT" },
    Family { names: &["DOUBLE", "DOUBLE PRECISION", "FLOAT8", "FLOAT64", "FLOAT"], postgres: "DOUBLE PRECISION", mysql: "DOUBLE", duckdb: "DOUBLE" },
    Family { names: &["REAL", "FLOAT4"], postgres: "REAL", mysql: "DOUBLE", duckdb: "REAL" },
    Family { names: &["NUMERIC", "DECIMAL", "NUMBER", "BIGNUMERIC", "DEC"], postgres: "NUMERIC", mysql: "DECIMAL(38, 10)", duckdb: "DECIMAL(38, 10)" },
    Family { names: &["TEXT", "STRING", "VARCHAR", "NVARCHAR", "CHARACTER VARYING", "CLOB", "VARCHAR2"], postgres: "TEXT", mysql: "CHAR", duckdb: "VARCHAR" },
    Family { names: &["DATETIME", "TIMESTAMP", "TIMESTAMP_NTZ", "DATETIME2", "SMALLDATETIME", "TIMESTAMP WITHOUT TIME ZONE"], postgres: "TIMESTAMP", mysql: "DATETIME", duckdb: "TIMESTAMP" },
    Family { names: &["DATE"], postgres: "DATE", mysql: "DATE", duckdb: "DATE" },
    Family { names: &["TIME"], postgres: "TIME", mysql: "TIME", duckdb: "TIME" },
];

/// Types that an engine casts to as they are written.
fn own(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Mysql => &[
            "SIGNED",
            "SIGNED INTEGER",
            "UNSIGNED",
            "UNSIGNED INTEGER",
            "CHAR",
            "CHARACTER",
            "NCHAR",
            "DECIMAL",
            "DEC",
            "DATE",
            "DATETIME",
            "TIME",
            "DOUBLE",
            "FLOAT",
            "REAL",
            "BINARY",
            "JSON",
            "YEAR",
            "DOUBLE PRECISION",
            // MariaDB alone
            "INT",
            "INTEGER",
            "VARCHAR",
            "NUMERIC",
        ],
        Dialect::Sqlite | Dialect::Postgres | Dialect::Duckdb | Dialect::Generic => &[],
    }
}

/// Returns the engine's name for a type; none when it has none that is the same.
pub(super) fn named(written: &str, dialect: Dialect) -> Option<String> {
    let upper = written.trim().to_ascii_uppercase();
    let (name, size) = match upper.split_once('(') {
        Some((name, size)) => (name.trim().to_owned(), format!("({size}")),
        None => (upper.clone(), String::new()),
    };
    let family = FAMILIES.iter().find(|family| family.names.contains(&name.as_str()))?;
    let own = match dialect {
        Dialect::Postgres => family.postgres,
        Dialect::Mysql => family.mysql,
        Dialect::Duckdb => family.duckdb,
        Dialect::Sqlite | Dialect::Generic => return None,
    };
    let bare = own.split_once('(').map_or(own, |(bare, _)| bare);
    let sized = matches!(bare, "NUMERIC" | "DECIMAL" | "CHAR");
    Some(if size.is_empty() {
        own.to_owned()
    } else if sized {
        format!("{bare}{size}")
    } else if own == "TEXT" {
        format!("VARCHAR{size}")
    } else {
        own.to_owned()
    })
}

/// Tells whether an engine lacks a type that is cast to, under the name that is written.
pub(super) fn is_foreign(written: &str, dialect: Dialect) -> bool {
    let upper = written.trim().to_ascii_uppercase();
    let name = upper.split_once('(').map_or(upper.as_str(), |(name, _)| name.trim());
    match dialect {
        Dialect::Mysql => !own(dialect).contains(&name) && named(written, dialect).is_some(),
        Dialect::Postgres => {
            matches!(
                name,
                "SIGNED"
                    | "SIGNED INTEGER"
                    | "UNSIGNED"
                    | "UNSIGNED INTEGER"
                    | "DOUBLE"
                    | "DATETIME"
                    | "DATETIME2"
                    | "STRING"
                    | "INT64"
                    | "FLOAT64"
                    | "TINYINT"
                    | "NVARCHAR"
                    | "NUMBER"
                    | "TIMESTAMP_NTZ"
                    | "VARCHAR2"
                    | "CLOB"
                    | "BIGNUMERIC"
                    | "BYTEINT"
                    | "SMALLDATETIME"
            )
        }
        Dialect::Duckdb => matches!(
            name,
            "SIGNED INTEGER"
                | "UNSIGNED"
                | "UNSIGNED INTEGER"
                | "INT64"
                | "FLOAT64"
                | "NUMBER"
                | "TIMESTAMP_NTZ"
                | "DATETIME2"
                | "VARCHAR2"
                | "CLOB"
                | "BIGNUMERIC"
                | "BYTEINT"
                | "SMALLDATETIME"
        ),
        Dialect::Sqlite | Dialect::Generic => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_keep_their_sizes_where_the_engine_takes_them() {
        assert_eq!(named("DECIMAL(10, 2)", Dialect::Mysql).as_deref(), Some("DECIMAL(10, 2)"));
        assert_eq!(named("numeric", Dialect::Mysql).as_deref(), Some("DECIMAL(38, 10)"));
        assert_eq!(named("varchar(20)", Dialect::Postgres).as_deref(), Some("VARCHAR(20)"));
        assert_eq!(named("TEXT", Dialect::Mysql).as_deref(), Some("CHAR"));
        assert_eq!(named("geometry", Dialect::Mysql), None);
    }

    #[test]
    fn own_types_stay() {
        assert!(!is_foreign("DECIMAL(10,2)", Dialect::Mysql));
        assert!(!is_foreign("INTEGER", Dialect::Mysql), "MariaDB reads it");
        assert!(is_foreign("TEXT", Dialect::Mysql));
        assert!(!is_foreign("DOUBLE PRECISION", Dialect::Postgres));
        assert!(is_foreign("SIGNED", Dialect::Postgres));
    }
}
