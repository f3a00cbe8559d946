//! Tells whether the structure is as it was, by one cheap question.

use tokio_postgres::Error;

use super::super::DatabaseError;
use super::pool::Session;
use super::structure::all;

/// Each row of the server's own tables bears the number of the transaction that wrote it, and every
/// change writes rows with a larger one. So the count of rows with the sum of these numbers is
/// another after every change of tables, columns, keys, views, rights and comments.
const QUESTION: &str = "\
    SELECT concat_ws('.', \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')), \
      (SELECT concat(count(*), '+', sum(a.xmin::text::int8)) FROM pg_attribute a \
        JOIN pg_class c ON c.oid = a.attrelid WHERE a.attnum > 0 AND c.oid >= 16384 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_constraint WHERE oid >= 16384), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_index WHERE indrelid >= 16384), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_attrdef), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_rewrite WHERE oid >= 16384), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_description WHERE objoid >= 16384), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_enum), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_inherits), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_namespace), \
      (SELECT concat(count(*), '+', sum(xmin::text::int8)) FROM pg_auth_members), \
      current_user, array_to_string(current_schemas(false), ','))";

/// Reads it.
pub(super) async fn read(on: &Session) -> Result<String, DatabaseError> {
    let told = all(on, QUESTION, &[], |row| -> Result<String, Error> { row.try_get(0) }).await?;
    Ok(told.into_iter().next().unwrap_or_default())
}
