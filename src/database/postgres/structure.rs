//! Reads the structure of a database as the server tells it: a few questions over all tables that
//! the role may read.

use tokio_postgres::types::{FromSqlOwned, ToSql};
use tokio_postgres::{Error, Row};

use super::super::DatabaseError;
use super::pool::Session;
use super::trouble;

/// A table, view or the like.
pub(super) struct Relation {
    pub(super) oid: u32,
    pub(super) schema: String,
    pub(super) name: String,
    /// `r` table, `p` partitioned table, `v` view, `m` materialised view, `f` foreign table.
    pub(super) kind: String,
    /// A bare name finds it.
    pub(super) visible: bool,
    /// The role may read all of its columns.
    pub(super) whole: bool,
    pub(super) comment: Option<String>,
    /// The server's estimate; negative when it has none.
    pub(super) rows: f64,
    /// The query of a view.
    pub(super) query: Option<String>,
}

/// A column.
pub(super) struct RawColumn {
    pub(super) table: u32,
    pub(super) name: String,
    pub(super) data_type: String,
    /// The server's own name of the type, of a domain that of the type below it.
    pub(super) base: String,
    /// The server's family of types, one letter.
    pub(super) category: String,
    pub(super) not_null: bool,
    pub(super) default: Option<String>,
    pub(super) generated: bool,
    pub(super) comment: Option<String>,
    /// The values of an enumerated type, in order.
    pub(super) labels: Option<Vec<String>>,
}

/// A key or check.
pub(super) struct Constraint {
    pub(super) table: u32,
    /// `p` primary, `u` unique, `f` foreign, `c` check.
    pub(super) kind: String,
    pub(super) columns: Vec<String>,
    pub(super) to_table: u32,
    pub(super) to_columns: Vec<String>,
    pub(super) check: Option<String>,
}

/// An index that is no constraint.
pub(super) struct RawIndex {
    pub(super) table: u32,
    pub(super) name: String,
    pub(super) unique: bool,
    /// It covers all rows, and its columns are columns and no expressions.
    pub(super) plain: bool,
    pub(super) columns: Vec<String>,
}

/// Everything.
pub(super) struct Structure {
    pub(super) relations: Vec<Relation>,
    pub(super) columns: Vec<RawColumn>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) indexes: Vec<RawIndex>,
}

/// Partitions are parts of their table; what belongs to an extension is no table of people.
const RELATIONS: &str = "\
    SELECT c.oid, n.nspname::text, c.relname::text, c.relkind::text, pg_table_is_visible(c.oid), \
      has_table_privilege(c.oid, 'SELECT'), d.description, \
      CASE WHEN c.relkind = 'p' THEN (SELECT sum(CASE WHEN l.reltuples < 0 \
          THEN pg_stat_get_live_tuples(l.oid) ELSE l.reltuples END)::float8 \
        FROM pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid WHERE t.isleaf) \
      WHEN c.reltuples > 0 OR c.relpages > 0 THEN c.reltuples::float8 \
      ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), -1)::float8 END, \
      CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    LEFT JOIN pg_description d \
      ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0 \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition \
      AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
      AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') \
      AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_class'::regclass \
        AND e.objid = c.oid AND e.deptype = 'e') \
    ORDER BY c.oid";

const COLUMNS: &str = "\
    SELECT a.attrelid, a.attname::text, format_type(a.atttypid, a.atttypmod), b.typname::text, \
      b.typcategory::text, a.attnotnull, pg_get_expr(e.adbin, e.adrelid), a.attgenerated <> '', \
      d.description, CASE WHEN b.typtype = 'e' THEN (SELECT array_agg(l.enumlabel::text \
        ORDER BY l.enumsortorder) FROM pg_enum l WHERE l.enumtypid = b.oid) END \
    FROM pg_attribute a JOIN unnest($1::oid[], $2::bool[]) AS w (oid, whole) ON w.oid = a.attrelid \
    JOIN pg_type t ON t.oid = a.atttypid \
    JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END \
    LEFT JOIN pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum \
    LEFT JOIN pg_description d ON d.objoid = a.attrelid AND d.classoid = 'pg_class'::regclass \
      AND d.objsubid = a.attnum \
    WHERE a.attnum > 0 AND NOT a.attisdropped \
      AND (w.whole OR has_column_privilege(a.attrelid, a.attnum, 'SELECT')) \
    ORDER BY a.attrelid, a.attnum";

const CONSTRAINTS: &str = "\
    SELECT k.conrelid, k.contype::text, \
      ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS p (number, place) \
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.number ORDER BY p.place), \
      k.confrelid, \
      ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS p (number, place) \
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.number ORDER BY p.place), \
      CASE WHEN k.contype = 'c' THEN pg_get_expr(k.conbin, k.conrelid) END \
    FROM pg_constraint k JOIN unnest($1::oid[]) AS w (oid) ON w.oid = k.conrelid \
    WHERE k.contype IN ('p', 'u', 'f', 'c') AND (k.contype <> 'f' OR k.conparentid = 0) \
    ORDER BY k.conrelid, k.oid";

const INDEXES: &str = "\
    SELECT i.indrelid, c.relname::text, i.indisunique, i.indpred IS NULL AND i.indexprs IS NULL, \
      ARRAY(SELECT coalesce(a.attname::text, pg_get_indexdef(i.indexrelid, p.place::int, true)) \
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS p (number, place) \
        LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = p.number AND p.number > 0 \
        WHERE p.place <= i.indnkeyatts ORDER BY p.place) \
    FROM pg_index i JOIN unnest($1::oid[]) AS w (oid) ON w.oid = i.indrelid \
    JOIN pg_class c ON c.oid = i.indexrelid \
    WHERE i.indisvalid AND NOT EXISTS (SELECT 1 FROM pg_constraint k \
      WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')) \
    ORDER BY i.indrelid, i.indexrelid";

/// Reads everything that the role may read.
pub(super) async fn read(on: &Session) -> Result<Structure, DatabaseError> {
    let relations = all(on, RELATIONS, &[], relation).await?;
    let oids: Vec<u32> = relations.iter().map(|relation| relation.oid).collect();
    let whole: Vec<bool> = relations.iter().map(|relation| relation.whole).collect();
    Ok(Structure {
        columns: all(on, COLUMNS, &[&oids, &whole], column).await?,
        constraints: all(on, CONSTRAINTS, &[&oids], constraint).await?,
        indexes: all(on, INDEXES, &[&oids], index).await?,
        relations,
    })
}

/// Asks a question of ours, and reads each row of the answer.
pub(super) async fn all<T>(
    on: &Session,
    question: &str,
    with: &[&(dyn ToSql + Sync)],
    read: impl Fn(&Row) -> Result<T, Error>,
) -> Result<Vec<T>, DatabaseError> {
    let rows = on.client().query(question, with).await;
    let read = rows.and_then(|rows| rows.iter().map(read).collect());
    read.map_err(|error| trouble::of_ours(&error, on.target()))
}

/// Reads a cell that is NULL where there is nothing.
fn or_nothing<T: FromSqlOwned + Default>(row: &Row, at: usize) -> Result<T, Error> {
    Ok(row.try_get::<_, Option<T>>(at)?.unwrap_or_default())
}

fn relation(row: &Row) -> Result<Relation, Error> {
    Ok(Relation {
        oid: row.try_get(0)?,
        schema: row.try_get(1)?,
        name: row.try_get(2)?,
        kind: row.try_get(3)?,
        visible: or_nothing(row, 4)?,
        whole: or_nothing(row, 5)?,
        comment: row.try_get(6)?,
        rows: row.try_get::<_, Option<f64>>(7)?.unwrap_or(-1.0),
        query: row.try_get(8)?,
    })
}

fn column(row: &Row) -> Result<RawColumn, Error> {
    Ok(RawColumn {
        table: row.try_get(0)?,
        name: row.try_get(1)?,
        data_type: row.try_get(2)?,
        base: row.try_get(3)?,
        category: row.try_get(4)?,
        not_null: row.try_get(5)?,
        default: row.try_get(6)?,
        generated: row.try_get(7)?,
        comment: row.try_get(8)?,
        labels: row.try_get(9)?,
    })
}

fn constraint(row: &Row) -> Result<Constraint, Error> {
    Ok(Constraint {
        table: row.try_get(0)?,
        kind: row.try_get(1)?,
        columns: row.try_get(2)?,
        to_table: row.try_get(3)?,
        to_columns: row.try_get(4)?,
        check: row.try_get(5)?,
    })
}

fn index(row: &Row) -> Result<RawIndex, Error> {
    Ok(RawIndex {
        table: row.try_get(0)?,
        name: row.try_get(1)?,
        unique: row.try_get(2)?,
        plain: row.try_get(3)?,
        columns: row.try_get(4)?,
    })
}
