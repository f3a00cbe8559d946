//! What a server keeps of its columns: MariaDB's statistics tables, MySQL's histograms. Only what
//! was gathered by `ANALYZE TABLE` for them is there, and an account may not be allowed to see it.

use serde_json::Value as Json;

use super::pool::{Answer, Lease};
use crate::domain::{Column, ColumnKind, ColumnRef, ColumnStats, Dialect, Table, Value};
use crate::sql::dialect::literal;

/// Most frequent values listed.
const TOP: usize = 5;

/// Reads what is kept of these tables' columns. A column of text is left out where the server keeps
/// no values of it: a sample tells more.
pub(super) async fn kept(
    lease: &mut Lease,
    tables: &[&Table],
    mariadb: bool,
    one: bool,
) -> Vec<ColumnStats> {
    let names: Vec<String> =
        tables.iter().map(|table| literal(&table.name, Dialect::Mysql)).collect();
    let (names, called) = (names.join(", "), |schema: &str, table: &str| {
        if one { table.to_owned() } else { format!("CONCAT({schema}, '.', {table})") }
    });
    let here =
        |schema: &str| if one { format!("{schema} = DATABASE() AND") } else { String::new() };
    let sql = if mariadb {
        let table = called("c.db_name", "c.table_name");
        format!(
            "SELECT {table}, c.column_name, c.min_value, c.max_value, c.nulls_ratio, \
             c.avg_frequency, t.cardinality, c.hist_type, c.histogram FROM mysql.column_stats c \
             JOIN mysql.table_stats t ON t.db_name = c.db_name AND t.table_name = c.table_name \
             WHERE {} {table} IN ({names})",
            here("c.db_name")
        )
    } else {
        let table = called("SCHEMA_NAME", "TABLE_NAME");
        format!(
            "SELECT {table}, COLUMN_NAME, HISTOGRAM FROM information_schema.COLUMN_STATISTICS \
             WHERE {} {table} IN ({names})",
            here("SCHEMA_NAME")
        )
    };
    // who may not read them, or has no such table, has none kept
    let rows = lease.ask(&sql).await.unwrap_or_default();
    let read = if mariadb { of_mariadb } else { of_mysql };
    rows.iter().filter_map(|row| read(row, found(tables, row)?)).collect()
}

/// Finds the table and column that a row names first.
fn found<'a>(tables: &[&'a Table], row: &Answer) -> Option<(&'a Table, &'a Column)> {
    let table = tables.iter().find(|table| table.name.eq_ignore_ascii_case(row.text(0)))?;
    Some((table, table.column(row.text(1))?))
}

fn of_mariadb(row: &Answer, (table, column): (&Table, &Column)) -> Option<ColumnStats> {
    let histogram = Some(row.text(8)).filter(|_| row.text(7) == "JSON_HB");
    let histogram: Option<Json> = histogram.and_then(|text| serde_json::from_str(text).ok());
    if column.kind == ColumnKind::Text && histogram.is_none() {
        return None;
    }
    let number = |at: usize| row.text(at).parse::<f64>().ok();
    let rows = number(6)?;
    let nulls = rows * number(4)?;
    let mut top = histogram.map(|json| single_values(&json, rows, column.kind)).unwrap_or_default();
    top.truncate(TOP);
    Some(ColumnStats {
        at: ColumnRef::new(&table.name, &column.name),
        rows_read: whole(rows),
        complete: true,
        nulls: whole(nulls),
        distinct: whole((rows - nulls) / number(5).filter(|n| *n > 0.0)?),
        min: Some(value(row.cell(2)?, column.kind)),
        max: Some(value(row.cell(3)?, column.kind)),
        top,
        known: true,
    })
}

/// Reads the buckets that hold one value each, the largest first.
fn single_values(json: &Json, rows: f64, kind: ColumnKind) -> Vec<(Value, u64)> {
    let buckets = json.get("histogram_hb").and_then(Json::as_array);
    let single = |bucket: &Json| {
        let size = bucket.get("size")?.as_f64().filter(|_| bucket.get("ndv") == Some(&1.into()))?;
        Some((value(bucket.get("start")?.as_str()?, kind), whole(size * rows)))
    };
    let mut found: Vec<(Value, u64)> = buckets.into_iter().flatten().filter_map(single).collect();
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    found
}

/// Reads a histogram of numbers; it writes texts in a form of its own.
fn of_mysql(row: &Answer, (table, column): (&Table, &Column)) -> Option<ColumnStats> {
    let rows = table.rows?.count;
    let json: Json = serde_json::from_str(row.text(2)).ok().filter(|_| column.kind.is_number())?;
    histogram(&json, rows, ColumnRef::new(&table.name, &column.name))
}

#[expect(clippy::cast_precision_loss, reason = "rows are an estimate")]
fn histogram(json: &Json, rows: u64, at: ColumnRef) -> Option<ColumnStats> {
    let buckets = json.get("buckets")?.as_array()?;
    let (first, last) = (buckets.first()?.as_array()?, buckets.last()?.as_array()?);
    let of = |json: &Json| json.as_i64().map(Value::Integer).or(json.as_f64().map(Value::Real));
    let single = json.get("histogram-type")?.as_str()? == "singleton";
    // value and share up to it; or first, last, share up to it and distinct values
    let largest = usize::from(!single);
    let each = |bucket: &Json| bucket.get(3).and_then(Json::as_u64).unwrap_or(1);
    let mut before = 0.0;
    let mut top = Vec::new();
    for bucket in buckets.iter().filter(|_| single) {
        let share = bucket.get(1)?.as_f64()?;
        top.push((of(bucket.get(0)?)?, whole((share - before) * rows as f64)));
        before = share;
    }
    top.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    top.truncate(TOP);
    Some(ColumnStats {
        at,
        rows_read: rows,
        complete: true,
        nulls: whole(json.get("null-values")?.as_f64()? * rows as f64),
        distinct: buckets.iter().map(each).sum(),
        min: of(first.first()?),
        max: of(last.get(largest)?),
        top,
        known: true,
    })
}

fn value(text: &str, kind: ColumnKind) -> Value {
    match kind {
        ColumnKind::Integer | ColumnKind::Boolean => {
            text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Integer)
        }
        ColumnKind::Real => text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Real),
        ColumnKind::Text | ColumnKind::Date | ColumnKind::Blob | ColumnKind::Unknown => {
            Value::Text(text.to_owned())
        }
    }
}

fn whole(n: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
    let whole = n.max(0.0).round() as u64;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_of_mysql_is_read() {
        let json = r#"{"buckets": [[1, 0.2], [5, 0.9]], "data-type": "int", "null-values": 0.1,
            "histogram-type": "singleton"}"#;
        let json = serde_json::from_str(json).expect("json");
        let stats = histogram(&json, 100, ColumnRef::new("t", "a")).expect("figures");
        assert_eq!((stats.nulls, stats.distinct), (10, 2));
        assert_eq!((stats.min, stats.max), (Some(Value::Integer(1)), Some(Value::Integer(5))));
        assert_eq!(stats.top, [(Value::Integer(5), 70), (Value::Integer(1), 20)]);
    }

    #[test]
    fn single_values_of_mariadb_s_buckets_come_first() {
        let json = r#"{"histogram_hb": [{"start": "a", "size": 0.25, "ndv": 1},
            {"start": "b", "size": 0.5, "ndv": 1}, {"start": "c", "end": "z", "size": 0.25, "ndv": 9}]}"#;
        let json = serde_json::from_str(json).expect("json");
        let text = |t: &str| Value::Text(t.into());
        assert_eq!(single_values(&json, 8.0, ColumnKind::Text), [(text("b"), 4), (text("a"), 2)]);
    }
}
