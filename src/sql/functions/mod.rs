//! Functions that engines know, and which of them aggregate.

mod listed;
mod sqlite;

use crate::domain::Dialect;

use sqlite::SQLITE;

/// Any number of arguments.
const MANY: usize = usize::MAX;

/// Functions that turn many rows into one value, in any of the dialects. Sorted.
const AGGREGATES: &[&str] = &[
    "any_value",
    "array_agg",
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bool_and",
    "bool_or",
    "corr",
    "count",
    "covar_pop",
    "covar_samp",
    "every",
    "group_concat",
    "json_agg",
    "json_arrayagg",
    "json_group_array",
    "json_group_object",
    "json_object_agg",
    "json_objectagg",
    "jsonb_agg",
    "jsonb_group_array",
    "jsonb_group_object",
    "jsonb_object_agg",
    "list",
    "listagg",
    "max",
    "median",
    "min",
    "mode",
    "percentile",
    "percentile_cont",
    "percentile_disc",
    "quantile",
    "quantile_cont",
    "quantile_disc",
    "regr_slope",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "string_agg",
    "sum",
    "total",
    "var_pop",
    "var_samp",
    "variance",
];

/// Tells whether a call aggregates. `min` and `max` of several values are plain functions on SQLite.
pub(super) fn is_aggregate(name: &str, arguments: usize, dialect: Dialect) -> bool {
    if matches!(name, "min" | "max") && arguments > 1 {
        return false;
    }
    let counts = match dialect {
        // SQLite has few; the others would be unknown functions there.
        Dialect::Sqlite => limits(name, dialect).is_some(),
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb | Dialect::Generic => true,
    };
    counts && AGGREGATES.binary_search(&name).is_ok()
}

/// Returns the fewest and the most arguments that a function of an engine takes; none for one that
/// it doesn't have.
pub(super) fn limits(name: &str, dialect: Dialect) -> Option<(usize, usize)> {
    match dialect {
        Dialect::Sqlite => {
            let at = SQLITE.binary_search_by(|row| row.0.cmp(name)).ok()?;
            SQLITE.get(at).map(|row| (row.1, row.2))
        }
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => listed::of(dialect)?.limits(name),
        Dialect::Generic => None,
    }
}

/// Lists the functions of an engine, where they are known.
pub(super) fn known(dialect: Dialect) -> Option<Box<dyn Iterator<Item = &'static str>>> {
    match dialect {
        Dialect::Sqlite => Some(Box::new(SQLITE.iter().map(|row| row.0))),
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => {
            listed::of(dialect).map(|list| Box::new(list.names()) as _)
        }
        Dialect::Generic => None,
    }
}

/// Tells whether an engine refuses every function that isn't listed. Elsewhere people and
/// extensions add their own.
pub(super) fn is_closed(dialect: Dialect) -> bool {
    dialect == Dialect::Sqlite
}

/// Lists functions that nearly every engine has, for engines whose functions aren't all known.
pub(super) fn common() -> impl Iterator<Item = &'static str> {
    const COMMON: &[&str] = &[
        "abs",
        "avg",
        "ceil",
        "coalesce",
        "concat",
        "count",
        "current_date",
        "current_timestamp",
        "floor",
        "greatest",
        "least",
        "length",
        "lower",
        "max",
        "min",
        "nullif",
        "rank",
        "replace",
        "round",
        "row_number",
        "substring",
        "sum",
        "trim",
        "upper",
    ];
    COMMON.iter().copied()
}

/// What people of other engines mean, said in SQLite.
pub(super) fn sqlite_way(name: &str) -> Option<&'static str> {
    Some(match name {
        "now" | "getdate" | "sysdate" | "current_datetime" => "write datetime('now')",
        "curdate" | "today" => "write date('now')",
        "curtime" => "write time('now')",
        "year" => "write CAST(strftime('%Y', x) AS INTEGER)",
        "month" => "write CAST(strftime('%m', x) AS INTEGER)",
        "day" | "dayofmonth" => "write CAST(strftime('%d', x) AS INTEGER)",
        "hour" => "write CAST(strftime('%H', x) AS INTEGER)",
        "dayofweek" | "weekday" => "write CAST(strftime('%w', x) AS INTEGER)",
        "date_trunc" => "write strftime('%Y-%m-01', x) for months, date(x) for days",
        "date_part" => "write CAST(strftime('%Y', x) AS INTEGER), or another letter",
        "date_format" | "to_char" | "format_date" => "write strftime('%Y-%m', x)",
        "to_date" | "str_to_date" => "dates are text: write date(x)",
        "datediff" | "date_diff" | "timestampdiff" | "age" => "write julianday(a) - julianday(b)",
        "dateadd" | "date_add" => "write date(x, '+1 day')",
        "date_sub" => "write date(x, '-1 day')",
        "len" | "char_length" | "character_length" => "write length(x)",
        "isnull" | "nvl" => "write ifnull(a, b)",
        "left" => "write substr(x, 1, n)",
        "right" => "write substr(x, -n)",
        "greatest" => "write max(a, b)",
        "least" => "write min(a, b)",
        "rand" => "write random()",
        "charindex" | "position" | "locate" | "strpos" => "write instr(text, part)",
        "to_number" | "int" | "float" => "write CAST(x AS REAL)",
        "array_agg" | "listagg" => "write group_concat(x, ', ')",
        "stddev" | "stddev_pop" | "stddev_samp" | "std" | "variance" => {
            "compute it from avg(x * x) and avg(x)"
        }
        "ucase" => "write upper(x)",
        "lcase" => "write lower(x)",
        "truncate" => "write CAST(x AS INTEGER), or round(x, n)",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_for_binary_search() {
        assert!(SQLITE.is_sorted_by(|a, b| a.0 < b.0));
        assert!(AGGREGATES.is_sorted());
    }

    #[test]
    fn max_of_two_values_does_not_aggregate() {
        assert!(is_aggregate("max", 1, Dialect::Sqlite));
        assert!(!is_aggregate("max", 2, Dialect::Sqlite));
    }
}
