//! Adds the keys that nobody declared: concluded from names, proved on data within bounds.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::super::DatabaseError;
use super::super::inferred::{self, Proof};
use super::super::sqlite::version;
use super::{Server, blame_database};
use crate::domain::{Catalog, Table, Value};
use crate::sql::dialect::{quote, quote_table};

/// Values looked up to prove one key.
const LOOKED_UP: u32 = 300;
/// Time for one proof: a column without an index is read whole.
const ONE: Duration = Duration::from_millis(500);
/// Time for all of them; keys not proved by then are not told.
const ALL: Duration = Duration::from_secs(1);
/// Rows of a table that is read for a proof at most.
const MOST_ROWS: u64 = 2_000_000;

/// Two columns that may be joined: table and column, and those pointed to.
type Pair = [String; 4];

impl Server {
    /// Adds the keys that data confirms.
    pub(super) async fn add_inferred_keys(
        &self,
        catalog: &mut Catalog,
    ) -> Result<(), DatabaseError> {
        let mut wanted = Vec::new();
        inferred::keys(&catalog.tables, &catalog.keys, |from, column, to, target| {
            wanted.push([from, column, to, target].map(str::to_owned));
            Proof::Refuted
        });
        let small = |name: &str| catalog.table(name).is_some_and(is_small);
        wanted.retain(|[from, _, to, _]| small(from) && small(to));
        let mut proofs: BTreeMap<Pair, Proof> = BTreeMap::new();
        let end = Instant::now() + ALL;
        for pair in wanted {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let proof = self.prove(&pair, left.min(ONE)).await?;
            proofs.insert(pair, proof);
        }
        let found = inferred::keys(&catalog.tables, &catalog.keys, |from, column, to, target| {
            let pair = [from, column, to, target].map(str::to_owned);
            proofs.get(&pair).copied().unwrap_or(Proof::Refuted)
        });
        if !found.is_empty() {
            catalog.keys.extend(found);
            catalog.version = version::of(catalog);
        }
        Ok(())
    }

    /// Looks up the first values of a column in another, where each must stand once.
    async fn prove(&self, pair: &Pair, within: Duration) -> Result<Proof, DatabaseError> {
        let dialect = self.wire.dialect();
        let [from, column, to, target] = pair;
        let (from, to) = (quote_table(from, dialect), quote_table(to, dialect));
        let (column, target) = (quote(column, dialect), quote(target, dialect));
        let sql = format!(
            "WITH source AS (SELECT {column} AS v FROM {from} WHERE {column} IS NOT NULL \
             LIMIT {LOOKED_UP}), found AS (SELECT {target} AS v, COUNT(*) AS n FROM {to} \
             WHERE {target} IN (SELECT v FROM source) GROUP BY {target}) \
             SELECT COUNT(*), COUNT(CASE WHEN found.n = 1 THEN 1 END) \
             FROM source LEFT JOIN found ON found.v = source.v"
        );
        match self.rows(&sql, 1, within).await {
            Ok(rows) => Ok(match rows.first().map(Vec::as_slice) {
                Some([Value::Integer(0), _]) => Proof::NoRows,
                Some([Value::Integer(values), Value::Integer(hits)]) if values == hits => {
                    Proof::Holds(*values)
                }
                Some(_) | None => Proof::Refuted,
            }),
            // also for types that can't be compared, and for time
            Err(trouble) => blame_database(trouble, Proof::Refuted),
        }
    }
}

/// A table that doesn't tell its rows is taken for small.
fn is_small(table: &Table) -> bool {
    table.rows.is_none_or(|rows| rows.count <= MOST_ROWS)
}
