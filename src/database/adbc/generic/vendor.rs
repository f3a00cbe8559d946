//! What we know of engines by the names that their drivers give them.

use std::collections::HashSet;

use adbc_core::options::InfoCode;
use adbc_core::{Connection as _, error::Error};

use super::super::cells::Batch;
use super::super::line::Seat;
use crate::domain::{Dialect, Value};

/// An engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Vendor {
    /// What its name contains, in lower case.
    named: &'static str,
    /// The dialect it speaks.
    pub(super) dialect: Dialect,
    /// Statements that make a session read only, where it has them.
    pub(super) read_only: &'static [&'static str],
    /// What asks for a plan when it stands before a statement.
    pub(super) explain: &'static str,
    /// The schema whose tables need no schema before them.
    pub(super) schema: &'static str,
}

/// An engine that we know nothing of.
const UNKNOWN: Vendor =
    Vendor { named: "", dialect: Dialect::Generic, read_only: &[], explain: "EXPLAIN", schema: "" };

/// The engines that we know more of; the first that fits.
const VENDORS: &[Vendor] = &[
    Vendor {
        named: "postgres",
        dialect: Dialect::Postgres,
        read_only: &["SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"],
        schema: "public",
        ..UNKNOWN
    },
    Vendor {
        named: "sqlite",
        dialect: Dialect::Sqlite,
        read_only: &["PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF"],
        explain: "EXPLAIN QUERY PLAN",
        schema: "main",
    },
    Vendor {
        named: "mysql",
        dialect: Dialect::Mysql,
        read_only: &["SET SESSION TRANSACTION READ ONLY"],
        ..UNKNOWN
    },
    Vendor {
        named: "mariadb",
        dialect: Dialect::Mysql,
        read_only: &["SET SESSION TRANSACTION READ ONLY"],
        ..UNKNOWN
    },
    Vendor { named: "duckdb", dialect: Dialect::Duckdb, schema: "main", ..UNKNOWN },
    Vendor { named: "snowflake", schema: "PUBLIC", ..UNKNOWN },
    Vendor { named: "redshift", schema: "public", ..UNKNOWN },
];

impl Vendor {
    /// Finds an engine by its name.
    pub(super) fn called(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        VENDORS.iter().find(|vendor| name.contains(vendor.named)).copied().unwrap_or(UNKNOWN)
    }
}

/// What a driver says of the engine and of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// The engine's name; the driver's where it doesn't tell.
    pub(super) name: String,
    /// The engine's version; empty where the driver doesn't tell.
    pub(super) version: String,
}

/// Asks the driver; one that doesn't tell is called by the name it was loaded by.
pub(super) fn told(seat: &mut Seat, driver: &str) -> Told {
    let found = ask(seat).unwrap_or_default();
    let of = |code: InfoCode| {
        let code = i64::from(u32::from(&code));
        let told = found.iter().find(|(known, _)| *known == code).map(|(_, text)| text.clone());
        told.filter(|text| !text.is_empty())
    };
    let file = driver.rsplit('/').next().unwrap_or(driver);
    let file = file.split('.').next().unwrap_or(file);
    let file = file.trim_start_matches("lib").trim_start_matches("adbc_driver_");
    let name = of(InfoCode::VendorName).unwrap_or_else(|| file.to_owned());
    let version = of(InfoCode::VendorVersion).filter(|text| !text.contains("unknown"));
    Told { name, version: version.unwrap_or_default() }
}

fn ask(seat: &mut Seat) -> Result<Vec<(i64, String)>, Error> {
    let codes = HashSet::from([InfoCode::VendorName, InfoCode::VendorVersion]);
    let mut found = Vec::new();
    for batch in seat.connection.get_info(Some(codes))? {
        let batch = batch?;
        let batch = Batch::new(&batch)?;
        for row in 0..batch.rows() {
            if let [Value::Integer(code), Value::Text(text)] = batch.values(row).as_slice() {
                found.push((*code, text.clone()));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_known_by_their_names() {
        assert_eq!(Vendor::called("PostgreSQL").dialect, Dialect::Postgres);
        assert_eq!(Vendor::called("SQLite").dialect, Dialect::Sqlite);
        assert_eq!(Vendor::called("Snowflake").dialect, Dialect::Generic);
        assert_eq!(Vendor::called("something new"), UNKNOWN);
    }
}
