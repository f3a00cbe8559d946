//! An engine's plan said in words: what is read whole, which index leads where, what is sorted.

use crate::domain::counts::count;
use crate::domain::engine_plan::{Access, EngineStep};
use crate::domain::schema::RowCount;

/// Rows from which reading a whole table is worth a look.
const MANY: u64 = 1_000;

/// Says what a step does, and whether it is worth a look: it reads many rows whole.
pub fn step(step: &EngineStep) -> (bool, String) {
    match &step.access {
        Access::Scan { relation, table, rows, index } => {
            let name = named(relation, table.as_deref());
            let through =
                index.as_ref().map(|i| format!(", through index {i}")).unwrap_or_default();
            let many = table.is_some() && rows.is_none_or(|rows| rows.count >= MANY);
            let words = match rows {
                Some(rows) => format!("scan of {} of {name}{through}", counted(*rows)),
                None if table.is_some() => format!("scan of all rows of {name}{through}"),
                None => format!("goes through all of {name}"),
            };
            (many, words)
        }
        Access::Search { relation, table, index, by, made } => {
            let name = named(relation, table.as_deref());
            let key = by.replace("=?", "").replace(">?", " > …").replace("<?", " < …");
            let by = if by.is_empty() { String::new() } else { format!(" by {key}") };
            let words = match (index, made) {
                (_, true) => format!("looks up {name}{by}, through an index made for this query"),
                (Some(index), false) => format!("looks up {name}{by}, through index {index}"),
                (None, false) => format!("looks up {name}{by}, through its key"),
            };
            (false, words)
        }
        Access::Sort(what) => (false, format!("sorts in a place of its own, for {what}")),
        Access::Other => (false, other(&step.words)),
    }
}

fn named(relation: &str, table: Option<&str>) -> String {
    match table {
        Some(table) if !table.eq_ignore_ascii_case(relation) => format!("{table} ({relation})"),
        Some(table) => table.to_owned(),
        None => relation.to_owned(),
    }
}

fn counted(rows: RowCount) -> String {
    let about = if rows.exact { "" } else { "about " };
    format!("{about}{}", count(rows.count, "row"))
}

/// Says in words what SQLite calls by name; what we don't know stays in its own words.
fn other(words: &str) -> String {
    const BEGINS: &[(&str, &str)] = &[
        ("CO-ROUTINE ", "computes as it is read: "),
        ("MATERIALIZE ", "computes once and keeps: "),
        ("CORRELATED SCALAR SUBQUERY", "for each row, a value from a query"),
        ("CORRELATED LIST SUBQUERY", "for each row, a list from a query"),
        ("SCALAR SUBQUERY", "a value from a query, once"),
        ("LIST SUBQUERY", "a list from a query, once"),
        ("COMPOUND QUERY", "several queries put together"),
        ("LEFT-MOST SUBQUERY", "the first of them"),
        ("UNION ALL", "and this one, all rows"),
        ("UNION", "and this one, rows that differ"),
        ("INTERSECT", "those that are also here"),
        ("EXCEPT", "those that are not here"),
        ("MULTI-INDEX OR", "several indexes, one for each OR"),
        ("SCAN CONSTANT ROW", "one row, read from nowhere"),
        ("BLOOM FILTER ON ", "leaves out rows early, by a filter on "),
    ];
    let found = BEGINS.iter().find(|(begin, _)| words.starts_with(begin));
    match found {
        Some((begin, said)) if begin.ends_with(' ') => {
            format!("{said}{}", words.strip_prefix(begin).unwrap_or(""))
        }
        Some((_, said)) => (*said).to_owned(),
        None => words.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(access: Access, words: &str) -> (bool, String) {
        step(&EngineStep { words: words.to_owned(), access, inside: Vec::new() })
    }

    fn scan(table: Option<&str>, rows: Option<(u64, bool)>) -> (bool, String) {
        let rows = rows.map(|(count, exact)| RowCount { count, exact });
        let table = table.map(str::to_owned);
        said(Access::Scan { relation: "b".into(), table, rows, index: None }, "SCAN b")
    }

    #[test]
    fn whole_tables_are_counted_and_large_ones_marked() {
        let million = (true, "scan of 1,000,000 rows of bookings (b)".to_owned());
        assert_eq!(scan(Some("bookings"), Some((1_000_000, true))), million);
        assert_eq!(
            scan(Some("b"), Some((23, false))),
            (false, "scan of about 23 rows of b".into())
        );
        assert_eq!(scan(Some("b"), None), (true, "scan of all rows of b".into()));
        assert_eq!(scan(None, None), (false, "goes through all of b".into()));
    }

    #[test]
    fn look_ups_name_their_index() {
        let search = |index: Option<&str>, by: &str, made| {
            let access = Access::Search {
                relation: "r".into(),
                table: Some("rooms".into()),
                index: index.map(str::to_owned),
                by: by.into(),
                made,
            };
            said(access, "SEARCH r").1
        };
        assert_eq!(search(None, "rowid=?", false), "looks up rooms (r) by rowid, through its key");
        assert_eq!(
            search(Some("i"), "a=? AND b>?", false),
            "looks up rooms (r) by a AND b > …, through index i"
        );
        assert!(search(Some("i"), "a=?", true).ends_with("made for this query"));
    }

    #[test]
    fn what_is_not_known_stays_in_the_engines_words() {
        assert_eq!(said(Access::Other, "CO-ROUTINE t").1, "computes as it is read: t");
        assert_eq!(said(Access::Other, "RUN THE MOON").1, "run the moon");
    }
}
