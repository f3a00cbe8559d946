//! What the server itself keeps of columns since ANALYZE last read a sample of them.

use std::cmp::Ordering;

use tokio_postgres::{Error, Row};

use super::super::DatabaseError;
use super::super::results::RowBytes;
use super::arrays;
use super::cells::Form;
use super::pool::Session;
use super::structure::all;
use crate::domain::{ColumnKind, ColumnRef, ColumnStats, Table, Value};

/// Most frequent values listed, as for measured columns.
const TOP: usize = 5;
/// Bytes of a value that is shown; longer ones are not listed.
const LONG: usize = 200;

/// The figures of columns; those of a partitioned table are of all its partitions.
const QUESTION: &str = "\
    SELECT w.name, s.attname::text, t.typname::text, s.null_frac::float8, s.n_distinct::float8, \
      s.most_common_vals::text, s.most_common_freqs::float8[], s.histogram_bounds::text, \
      CASE WHEN c.relkind = 'p' THEN (SELECT sum(greatest(l.reltuples, 0))::float8 \
        FROM pg_partition_tree(c.oid) p JOIN pg_class l ON l.oid = p.relid WHERE p.isleaf) \
      ELSE c.reltuples::float8 END \
    FROM unnest($1::text[], $2::text[]) AS w (name, quoted) \
    JOIN pg_class c ON c.oid = to_regclass(w.quoted) \
    JOIN pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname \
      AND s.inherited = (c.relkind = 'p') \
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = s.attname \
    JOIN pg_type t ON t.oid = a.atttypid \
    WHERE c.reltuples > 0 OR c.relkind = 'p'";

/// Returns what the server keeps of the columns of tables.
pub(super) async fn kept(
    on: &Session,
    tables: &[&Table],
) -> Result<Vec<ColumnStats>, DatabaseError> {
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let quoted: Vec<String> = names.iter().map(|name| always_quoted(name)).collect();
    let figures = all(on, QUESTION, &[&names, &quoted], figures).await?;
    let known = |figures: Figures| {
        let table = tables.iter().find(|table| table.name == figures.table)?;
        let column = table.column(&figures.column)?;
        (figures.rows > 0.0).then(|| figures.stats(column.kind))
    };
    Ok(figures.into_iter().filter_map(known).collect())
}

fn always_quoted(name: &str) -> String {
    let quote = |part: &str| format!("\"{}\"", part.replace('"', "\"\""));
    match name.split_once('.') {
        Some((schema, table)) => format!("{}.{}", quote(schema), quote(table)),
        None => quote(name),
    }
}

/// The server's figures of one column.
struct Figures {
    table: String,
    column: String,
    form: Form,
    nulls: f64,
    /// A number, or the negative of its share of the rows.
    distinct: f64,
    common: Option<String>,
    frequencies: Vec<f64>,
    bounds: Option<String>,
    rows: f64,
}

fn figures(row: &Row) -> Result<Figures, Error> {
    Ok(Figures {
        table: row.try_get(0)?,
        column: row.try_get(1)?,
        form: Form::named(&row.try_get::<_, String>(2)?, true),
        nulls: row.try_get(3)?,
        distinct: row.try_get(4)?,
        common: row.try_get(5)?,
        frequencies: row.try_get::<_, Option<Vec<f64>>>(6)?.unwrap_or_default(),
        bounds: row.try_get(7)?,
        rows: row.try_get::<_, Option<f64>>(8)?.unwrap_or(0.0),
    })
}

impl Figures {
    fn stats(self, kind: ColumnKind) -> ColumnStats {
        let common = self.values(self.common.as_deref());
        let bounds = self.values(self.bounds.as_deref());
        let distinct = if self.distinct < 0.0 { -self.distinct * self.rows } else { self.distinct };
        // with a part of the values only, the ends of that part are not the ends of the column
        let listed = !bounds.is_empty() || rounded(distinct) <= common.len() as u64;
        let ends = ends(bounds.iter().chain(&common), kind).filter(|_| listed);
        let counted =
            common.into_iter().zip(self.frequencies.iter().map(|f| rounded(f * self.rows)));
        let short = |(value, _): &(Value, u64)| value.plain().len() <= LONG;
        ColumnStats {
            at: ColumnRef::new(self.table, self.column),
            rows_read: rounded(self.rows),
            complete: false,
            nulls: rounded(self.nulls * self.rows),
            distinct: rounded(distinct),
            min: ends.as_ref().map(|(min, _)| min.clone()),
            max: ends.map(|(_, max)| max),
            top: counted.filter(short).take(TOP).collect(),
            known: true,
        }
    }

    fn values(&self, array: Option<&str>) -> Vec<Value> {
        let items = array.map(arrays::items).unwrap_or_default();
        let value = |item: String| {
            let mut row = RowBytes::new();
            self.form.encode(&item, &mut row);
            row.decode().pop()
        };
        items.into_iter().flatten().filter_map(value).collect()
    }
}

/// Returns the smallest and the largest value, where their order is the server's too: that of texts
/// depends on its language, and that of days and times is the order of their letters.
fn ends<'a>(
    values: impl Iterator<Item = &'a Value> + Clone,
    kind: ColumnKind,
) -> Option<(Value, Value)> {
    let ordered = kind.is_number() || matches!(kind, ColumnKind::Date | ColumnKind::Text);
    let short = |value: &&Value| value.plain().len() <= LONG;
    let min = values.clone().filter(short).min_by(|a, b| order(a, b))?;
    let max = values.filter(short).max_by(|a, b| order(a, b))?;
    ordered.then(|| (min.clone(), max.clone()))
}

fn order(a: &Value, b: &Value) -> Ordering {
    match (a.number(), b.number()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.plain().cmp(&b.plain()),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
fn rounded(n: f64) -> u64 {
    n.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_that_the_server_means() {
        let figures = Figures {
            table: "t".into(),
            column: "c".into(),
            form: Form::Whole,
            nulls: 0.25,
            distinct: -0.5,
            common: Some("{7,3}".into()),
            frequencies: vec![0.1, 0.05],
            bounds: Some("{1,5,90}".into()),
            rows: 1000.0,
        };
        let stats = figures.stats(ColumnKind::Integer);
        assert_eq!((stats.rows_read, stats.nulls, stats.distinct), (1000, 250, 500));
        assert_eq!((stats.min, stats.max), (Some(Value::Integer(1)), Some(Value::Integer(90))));
        assert_eq!(stats.top, [(Value::Integer(7), 100), (Value::Integer(3), 50)]);
        assert!(stats.known && !stats.complete);
    }
}
