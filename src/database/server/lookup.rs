//! Looks texts of a question up in columns: by an index where one leads there, else within a time.

use std::time::{Duration, Instant};

use super::super::profile::leads_an_index;
use super::super::{DatabaseError, Look, LookUp, Looked, Wanted};
use super::{Server, blame_database};
use crate::domain::{Dialect, Table, Value};
use crate::sql::dialect::{literal, quote, quote_table};

/// Time for one column without an index.
const ONE: Duration = Duration::from_millis(400);

impl Server {
    /// Looks up what is wanted, in order; what time does not allow comes back as unsettled.
    pub(super) async fn look_texts_up(
        &self,
        wanted: &[LookUp],
        within: Duration,
    ) -> Result<Vec<Looked>, DatabaseError> {
        let end = Instant::now() + within;
        let catalog = self.read_catalog(false).await?;
        let mut looked = Vec::new();
        for one in wanted {
            let Some(table) = catalog.table(&one.at.table) else { continue };
            let left = end.saturating_duration_since(Instant::now()).min(ONE);
            let sql = self.scan(one);
            let found = self.settle(table, one, &sql, left).await?;
            looked.push(Looked { at: one.at.clone(), sql, found });
        }
        Ok(looked)
    }

    async fn settle(
        &self,
        table: &Table,
        wanted: &LookUp,
        scan: &str,
        left: Duration,
    ) -> Result<Look, DatabaseError> {
        if left.is_zero() {
            return Ok(Look::Unsettled);
        }
        if let Wanted::Text(text) = &wanted.what
            && leads_an_index(table, &wanted.at.column)
            && let Look::Stored(stored) = self.first(&self.by_index(wanted, text), left).await?
        {
            return Ok(Look::Stored(stored));
        }
        self.first(scan, left).await
    }

    async fn first(&self, sql: &str, left: Duration) -> Result<Look, DatabaseError> {
        match self.rows(sql, 1, left).await {
            Ok(rows) => match rows.first().and_then(|row| row.first()) {
                None | Some(Value::Null) => Ok(Look::Lacking),
                Some(value) => Ok(Look::Stored(value.plain())),
            },
            Err(trouble) => blame_database(trouble, Look::Unsettled),
        }
    }

    /// Asks in the spellings that an index can find at once.
    fn by_index(&self, wanted: &LookUp, text: &str) -> String {
        let mut spellings = vec![text.to_owned(), text.to_lowercase(), text.to_uppercase()];
        spellings.dedup();
        let dialect = self.wire.dialect();
        let list: Vec<String> = spellings.iter().map(|text| literal(text, dialect)).collect();
        self.one(wanted, |column| format!("{column} IN ({})", list.join(", ")))
    }

    /// Asks by reading rows until one is found.
    fn scan(&self, wanted: &LookUp) -> String {
        let dialect = self.wire.dialect();
        self.one(wanted, |column| match &wanted.what {
            Wanted::Text(text) => {
                // an enumeration or a UUID has no lower case there
                let text_of = if dialect == Dialect::Postgres { "::text" } else { "" };
                format!("LOWER({column}{text_of}) = {}", literal(&text.to_lowercase(), dialect))
            }
            Wanted::Day { from, before } => {
                let (from, before) = (literal(from, dialect), literal(before, dialect));
                format!("{column} >= {from} AND {column} < {before}")
            }
        })
    }

    fn one(&self, wanted: &LookUp, is: impl FnOnce(&str) -> String) -> String {
        let dialect = self.wire.dialect();
        let column = quote(&wanted.at.column, dialect);
        let table = quote_table(&wanted.at.table, dialect);
        format!("SELECT {column} FROM {table} WHERE {} LIMIT 1", is(&column))
    }
}
