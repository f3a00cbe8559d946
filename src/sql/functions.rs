//! Functions that engines know, and which of them aggregate.

use crate::domain::Dialect;

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
        Dialect::Sqlite => sqlite(name).is_some(),
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb | Dialect::Generic => true,
    };
    counts && AGGREGATES.binary_search(&name).is_ok()
}

/// Returns the fewest and the most arguments that a function of SQLite takes.
pub(super) fn sqlite(name: &str) -> Option<(usize, usize)> {
    let at = SQLITE.binary_search_by(|row| row.0.cmp(name)).ok()?;
    SQLITE.get(at).map(|row| (row.1, row.2))
}

/// Lists the functions of an engine, where all of them are known.
pub(super) fn known(dialect: Dialect) -> Option<impl Iterator<Item = &'static str>> {
    (dialect == Dialect::Sqlite).then(|| SQLITE.iter().map(|row| row.0))
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

/// SQLite's own functions with the fewest and the most arguments, as its documentation lists them
/// (core, aggregate, window, date, math, JSON, full text). Sorted by name. Those that depend on how
/// the engine was built are here too: the engine has the last word.
const SQLITE: &[(&str, usize, usize)] = &[
    ("abs", 1, 1),
    ("acos", 1, 1),
    ("acosh", 1, 1),
    ("asin", 1, 1),
    ("asinh", 1, 1),
    ("atan", 1, 1),
    ("atan2", 2, 2),
    ("atanh", 1, 1),
    ("avg", 1, 1),
    ("bm25", 1, MANY),
    ("ceil", 1, 1),
    ("ceiling", 1, 1),
    ("changes", 0, 0),
    ("char", 0, MANY),
    ("coalesce", 2, MANY),
    ("concat", 1, MANY),
    ("concat_ws", 2, MANY),
    ("cos", 1, 1),
    ("cosh", 1, 1),
    ("count", 0, 1),
    ("cume_dist", 0, 0),
    ("current_date", 0, 0),
    ("current_time", 0, 0),
    ("current_timestamp", 0, 0),
    ("date", 0, MANY),
    ("datetime", 0, MANY),
    ("degrees", 1, 1),
    ("dense_rank", 0, 0),
    ("exp", 1, 1),
    ("first_value", 1, 1),
    ("floor", 1, 1),
    ("format", 0, MANY),
    ("glob", 2, 2),
    ("group_concat", 1, 2),
    ("hex", 1, 1),
    ("highlight", 4, 4),
    ("if", 2, MANY),
    ("ifnull", 2, 2),
    ("iif", 2, MANY),
    ("instr", 2, 2),
    ("json", 1, 1),
    ("json_array", 0, MANY),
    ("json_array_insert", 0, MANY),
    ("json_array_length", 1, 2),
    ("json_error_position", 1, 1),
    ("json_extract", 1, MANY),
    ("json_group_array", 1, 1),
    ("json_group_object", 2, 2),
    ("json_insert", 1, MANY),
    ("json_object", 0, MANY),
    ("json_patch", 2, 2),
    ("json_pretty", 1, 2),
    ("json_quote", 1, 1),
    ("json_remove", 1, MANY),
    ("json_replace", 1, MANY),
    ("json_set", 1, MANY),
    ("json_type", 1, 2),
    ("json_valid", 1, 2),
    ("jsonb", 1, 1),
    ("jsonb_array", 0, MANY),
    ("jsonb_array_insert", 0, MANY),
    ("jsonb_extract", 1, MANY),
    ("jsonb_group_array", 1, 1),
    ("jsonb_group_object", 2, 2),
    ("jsonb_insert", 1, MANY),
    ("jsonb_object", 0, MANY),
    ("jsonb_patch", 2, 2),
    ("jsonb_remove", 1, MANY),
    ("jsonb_replace", 1, MANY),
    ("jsonb_set", 1, MANY),
    ("julianday", 0, MANY),
    ("lag", 1, 3),
    ("last_insert_rowid", 0, 0),
    ("last_value", 1, 1),
    ("lead", 1, 3),
    ("length", 1, 1),
    ("like", 2, 3),
    ("likelihood", 2, 2),
    ("likely", 1, 1),
    ("ln", 1, 1),
    ("log", 1, 2),
    ("log10", 1, 1),
    ("log2", 1, 1),
    ("lower", 1, 1),
    ("ltrim", 1, 2),
    ("match", 2, 2),
    ("max", 1, MANY),
    ("median", 1, 1),
    ("min", 1, MANY),
    ("mod", 2, 2),
    ("nth_value", 2, 2),
    ("ntile", 1, 1),
    ("nullif", 2, 2),
    ("octet_length", 1, 1),
    ("percent_rank", 0, 0),
    ("percentile", 2, 2),
    ("percentile_cont", 2, 2),
    ("percentile_disc", 2, 2),
    ("pi", 0, 0),
    ("pow", 2, 2),
    ("power", 2, 2),
    ("printf", 0, MANY),
    ("quote", 1, 1),
    ("radians", 1, 1),
    ("random", 0, 0),
    ("randomblob", 1, 1),
    ("rank", 0, 0),
    ("regexp", 2, 2),
    ("replace", 3, 3),
    ("round", 1, 2),
    ("row_number", 0, 0),
    ("rtrim", 1, 2),
    ("sign", 1, 1),
    ("sin", 1, 1),
    ("sinh", 1, 1),
    ("snippet", 6, 6),
    ("soundex", 1, 1),
    ("sqlite_compileoption_get", 1, 1),
    ("sqlite_compileoption_used", 1, 1),
    ("sqlite_source_id", 0, 0),
    ("sqlite_version", 0, 0),
    ("sqrt", 1, 1),
    ("strftime", 1, MANY),
    ("string_agg", 2, 2),
    ("substr", 2, 3),
    ("substring", 2, 3),
    ("subtype", 1, 1),
    ("sum", 1, 1),
    ("tan", 1, 1),
    ("tanh", 1, 1),
    ("time", 0, MANY),
    ("timediff", 2, 2),
    ("total", 1, 1),
    ("total_changes", 0, 0),
    ("trim", 1, 2),
    ("trunc", 1, 1),
    ("typeof", 1, 1),
    ("unhex", 1, 2),
    ("unicode", 1, 1),
    ("unistr", 1, 1),
    ("unistr_quote", 1, 1),
    ("unixepoch", 0, MANY),
    ("unlikely", 1, 1),
    ("upper", 1, 1),
    ("zeroblob", 1, 1),
];

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
