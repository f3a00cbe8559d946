//! What a model should know of each engine's SQL, in a line or two.

use crate::domain::{Catalog, Dialect};

/// What a hint is about: any query, those that take dates, or those that take figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Any query.
    AnyQuery,
    /// Those that take dates.
    Dates,
    /// Those that take one figure over another.
    Ratios,
}

/// A hint, and what it is about.
type Hint = (About, &'static str);

/// Returns what a model most often gets wrong in the dialect of a database.
pub(super) fn hints(catalog: &Catalog) -> &'static [Hint] {
    match catalog.dialect {
        Dialect::Sqlite => &[
            (
                About::AnyQuery,
                "Dialect SQLite: use CAST(x AS REAL), LIKE and LIMIT; there is no ::, ILIKE, TOP or EXTRACT.",
            ),
            (
                About::Dates,
                "SQLite keeps dates as text: date('now'), strftime('%Y-%m', d), julianday(a) - julianday(b).",
            ),
            (
                About::Ratios,
                "SQLite drops the fraction of integer / integer: multiply by 1.0 first.",
            ),
        ],
        Dialect::Postgres => &[
            (
                About::AnyQuery,
                "Dialect PostgreSQL: names with capitals need double quotes; tables outside the search path are written schema.table.",
            ),
            (
                About::Dates,
                "PostgreSQL dates: date_trunc('month', d), EXTRACT(YEAR FROM d), TO_CHAR(d, 'YYYY-MM'), d + INTERVAL '1 day'.",
            ),
            (
                About::Ratios,
                "PostgreSQL drops the fraction of integer / integer: cast one side to numeric first.",
            ),
        ],
        Dialect::Mysql => &[
            (
                About::AnyQuery,
                "Dialect MySQL: backticks quote names, \"…\" is a text; CONCAT joins texts; there is no ::, ILIKE or FULL JOIN.",
            ),
            (
                About::Dates,
                "MySQL dates: DATE_FORMAT(d, '%Y-%m'), d + INTERVAL 1 DAY, DATEDIFF(a, b), TIMESTAMPDIFF(MONTH, a, b).",
            ),
        ],
        Dialect::Duckdb => &[
            (
                About::AnyQuery,
                "Dialect DuckDB: GROUP BY names every plain column; // drops the fraction, / keeps it.",
            ),
            (
                About::Dates,
                "DuckDB dates: date_trunc('month', d), strftime(d, '%Y-%m'), date_diff('day', a, b), d + INTERVAL 1 DAY.",
            ),
        ],
        Dialect::Generic => of_vendor(&catalog.vendor),
    }
}

/// Engines that are reached by a foreign driver, by what their names contain in lower case. Their
/// functions are those of their own references of SQL.
const VENDORS: &[(&str, &[Hint])] = &[
    (
        "bigquery",
        &[
            (
                About::AnyQuery,
                "Dialect BigQuery: backticks quote names (`project.dataset.table`), SAFE_DIVIDE(a, b) divides, GROUP BY names every plain column.",
            ),
            (
                About::Dates,
                "BigQuery dates: DATE_TRUNC(d, MONTH), FORMAT_DATE('%Y-%m', d), DATE_DIFF(b, a, DAY), DATE_ADD(d, INTERVAL 1 DAY).",
            ),
        ],
    ),
    (
        "snowflake",
        &[
            (
                About::AnyQuery,
                "Dialect Snowflake: names without quotes are folded to capitals, QUALIFY filters windows, ILIKE ignores letter case.",
            ),
            (
                About::Dates,
                "Snowflake dates: DATE_TRUNC('month', d), TO_CHAR(d, 'YYYY-MM'), DATEDIFF(day, a, b), DATEADD(day, 1, d).",
            ),
        ],
    ),
    (
        "redshift",
        &[
            (
                About::AnyQuery,
                "Dialect Redshift: PostgreSQL's of long ago; LISTAGG joins texts of rows, there is no FILTER and no array type.",
            ),
            (
                About::Dates,
                "Redshift dates: DATE_TRUNC('month', d), TO_CHAR(d, 'YYYY-MM'), DATEDIFF(day, a, b), DATEADD(day, 1, d).",
            ),
            (
                About::Ratios,
                "Redshift drops the fraction of integer / integer: cast one side to numeric first.",
            ),
        ],
    ),
    (
        "trino",
        &[
            (
                About::AnyQuery,
                "Dialect Trino: texts stand in single quotes, names in double ones; no implicit casts, CAST both sides alike; OFFSET stands before LIMIT.",
            ),
            (
                About::Dates,
                "Trino dates: date_trunc('month', d), format_datetime(d, 'yyyy-MM'), date_diff('day', a, b), d + INTERVAL '1' DAY.",
            ),
            (
                About::Ratios,
                "Trino drops the fraction of integer / integer: cast one side to double first.",
            ),
        ],
    ),
    (
        "sql server",
        &[
            (
                About::AnyQuery,
                "Dialect SQL Server: SELECT TOP (n) in place of LIMIT, [brackets] quote names, + joins texts, there is no boolean type.",
            ),
            (
                About::Dates,
                "SQL Server dates: DATETRUNC(month, d), FORMAT(d, 'yyyy-MM'), DATEDIFF(day, a, b), DATEADD(day, 1, d).",
            ),
            (
                About::Ratios,
                "SQL Server drops the fraction of integer / integer: multiply by 1.0 first.",
            ),
        ],
    ),
];

fn of_vendor(name: &str) -> &'static [Hint] {
    let name = name.to_lowercase();
    let known = VENDORS.iter().find(|(vendor, _)| name.contains(vendor));
    known.map_or(&[(About::AnyQuery, "Write standard SQL.")], |(_, hints)| *hints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warehouse_is_known_by_the_name_that_its_driver_tells() {
        let of = |vendor: &str| {
            let catalog = Catalog {
                dialect: Dialect::Generic,
                vendor: vendor.to_owned(),
                ..Catalog::default()
            };
            hints(&catalog)[0].1
        };
        assert!(of("Google BigQuery").starts_with("Dialect BigQuery"));
        assert!(of("Microsoft SQL Server").contains("TOP"));
        assert_eq!(of("Sail"), "Write standard SQL.");
    }
}
