//! DuckDB, and any engine with an ADBC driver, read only.

use super::DatabaseError;
use super::server::Wire;

/// Opens a DuckDB file, or Parquet, CSV and JSON files; returns it with its address.
pub(super) async fn duckdb(address: &str) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    connect(address).await
}

/// Loads a driver and connects; returns the connection with its address, which holds no password.
pub(super) async fn connect(address: &str) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    std::future::ready(Err(DatabaseError::Address {
        what: format!("{address} can't be opened yet"),
        hint: String::new(),
    }))
    .await
}
