//! Functions that some engines lack, and how each of these says the same.
//!
//! `{0}` is the first argument as written, `{(0)}` the same in parentheses where it needs them.

use crate::domain::Dialect;

/// A function in lower case, how many arguments it has here, and what it becomes on SQLite,
/// PostgreSQL, MySQL and DuckDB; nothing where the engine has it, or has nothing that is the same.
type Row = (&'static str, usize, [Option<&'static str>; 4]);

/// Writes a row of which every column is said.
macro_rules! row {
    ($name:literal, $n:literal, $sqlite:expr, $postgres:expr, $mysql:expr, $duckdb:expr) => {
        ($name, $n, [column($sqlite), column($postgres), column($mysql), column($duckdb)])
    };
}

const fn column(text: &'static str) -> Option<&'static str> {
    if text.is_empty() { None } else { Some(text) }
}

/// The functions. Sorted by name.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    row!("average", 1, "AVG({0})", "AVG({0})", "AVG({0})", "AVG({0})"),
    row!("char_length", 1, "LENGTH({0})", "", "", "LENGTH({0})"),
    row!("charindex", 2, "instr({1}, {0})", "STRPOS({1}, {0})", "LOCATE({0}, {1})", "STRPOS({1}, {0})"),
    row!("curdate", 0, "date('now')", "CURRENT_DATE", "", "CURRENT_DATE"),
    row!("curtime", 0, "time('now')", "LOCALTIME", "", "LOCALTIME"),
    row!("datediff", 2, "CAST(julianday(date({0})) - julianday(date({1})) AS INTEGER)", "(CAST({0} AS DATE) - CAST({1} AS DATE))", "", "date_diff('day', CAST({1} AS DATE), CAST({0} AS DATE))"),
    row!("day", 1, "CAST(strftime('%d', {0}) AS INTEGER)", "EXTRACT(DAY FROM {0})", "", ""),
    row!("dayname", 1, "", "TO_CHAR({0}, 'FMDay')", "", ""),
    row!("dayofmonth", 1, "CAST(strftime('%d', {0}) AS INTEGER)", "EXTRACT(DAY FROM {0})", "", ""),
    row!("dayofweek", 1, "", "(EXTRACT(DOW FROM {0}) + 1)", "", ""),
    row!("dayofyear", 1, "CAST(strftime('%j', {0}) AS INTEGER)", "EXTRACT(DOY FROM {0})", "", ""),
    row!("getdate", 0, "datetime('now')", "NOW()", "NOW()", "NOW()"),
    row!("getutcdate", 0, "datetime('now')", "(NOW() AT TIME ZONE 'UTC')", "UTC_TIMESTAMP()", "(NOW() AT TIME ZONE 'UTC')"),
    row!("hour", 1, "CAST(strftime('%H', {0}) AS INTEGER)", "EXTRACT(HOUR FROM {0})", "", ""),
    row!("if", 3, "", "CASE WHEN {0} THEN {1} ELSE {2} END", "", ""),
    row!("ifnull", 2, "", "COALESCE({0}, {1})", "", ""),
    row!("iif", 3, "", "CASE WHEN {0} THEN {1} ELSE {2} END", "IF({0}, {1}, {2})", "IF({0}, {1}, {2})"),
    row!("instr", 2, "", "STRPOS({0}, {1})", "", ""),
    row!("isnull", 1, "({(0)} IS NULL)", "({(0)} IS NULL)", "", "({(0)} IS NULL)"),
    row!("isnull", 2, "IFNULL({0}, {1})", "COALESCE({0}, {1})", "IFNULL({0}, {1})", "COALESCE({0}, {1})"),
    row!("julianday", 1, "", "(EXTRACT(JULIAN FROM CAST({0} AS TIMESTAMP)) - 0.5)", "(TO_DAYS({0}) + 1721059.5 + TIME_TO_SEC({0}) / 86400)", "(julian(CAST({0} AS TIMESTAMP)) - 0.5)"),
    row!("last_day", 1, "date({0}, 'start of month', '+1 month', '-1 day')", "CAST(DATE_TRUNC('month', {0}) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE)", "", ""),
    row!("lcase", 1, "LOWER({0})", "LOWER({0})", "", ""),
    row!("left", 2, "substr({0}, 1, {1})", "", "", ""),
    row!("len", 1, "LENGTH({0})", "LENGTH({0})", "CHAR_LENGTH({0})", ""),
    row!("locate", 2, "instr({1}, {0})", "STRPOS({1}, {0})", "", "STRPOS({1}, {0})"),
    row!("log2", 1, "", "LOG(2, CAST({0} AS NUMERIC))", "", ""),
    row!("median", 1, "", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {0})", "", ""),
    row!("mid", 3, "substr({0}, {1}, {2})", "SUBSTRING({0}, {1}, {2})", "", "SUBSTRING({0}, {1}, {2})"),
    row!("minute", 1, "CAST(strftime('%M', {0}) AS INTEGER)", "EXTRACT(MINUTE FROM {0})", "", ""),
    row!("month", 1, "CAST(strftime('%m', {0}) AS INTEGER)", "EXTRACT(MONTH FROM {0})", "", ""),
    row!("monthname", 1, "", "TO_CHAR({0}, 'FMMonth')", "", ""),
    row!("now", 0, "datetime('now')", "", "", ""),
    row!("nvl", 2, "IFNULL({0}, {1})", "COALESCE({0}, {1})", "IFNULL({0}, {1})", "COALESCE({0}, {1})"),
    row!("nvl2", 3, "iif({(0)} IS NOT NULL, {1}, {2})", "CASE WHEN {(0)} IS NOT NULL THEN {1} ELSE {2} END", "IF({(0)} IS NOT NULL, {1}, {2})", "IF({(0)} IS NOT NULL, {1}, {2})"),
    row!("quarter", 1, "((CAST(strftime('%m', {0}) AS INTEGER) + 2) / 3)", "EXTRACT(QUARTER FROM {0})", "", ""),
    row!("rand", 0, "", "RANDOM()", "", "RANDOM()"),
    row!("random", 0, "", "", "RAND()", ""),
    row!("regexp_like", 2, "", "({(0)} ~ {(1)})", "({(0)} REGEXP {(1)})", "regexp_matches({0}, {1})"),
    row!("regexp_matches", 2, "", "({(0)} ~ {(1)})", "({(0)} REGEXP {(1)})", ""),
    row!("right", 2, "substr({0}, -({1}))", "", "", ""),
    row!("second", 1, "CAST(strftime('%S', {0}) AS INTEGER)", "EXTRACT(SECOND FROM {0})", "", ""),
    row!("space", 1, "", "REPEAT(' ', {0})", "", "REPEAT(' ', {0})"),
    row!("startswith", 2, "", "STARTS_WITH({0}, {1})", "(LEFT({0}, CHAR_LENGTH({1})) = {(1)})", "starts_with({0}, {1})"),
    row!("strpos", 2, "instr({0}, {1})", "", "LOCATE({1}, {0})", ""),
    row!("sysdate", 0, "datetime('now')", "NOW()", "", "NOW()"),
    row!("sysdatetime", 0, "datetime('now')", "NOW()", "NOW()", "NOW()"),
    row!("to_date", 1, "", "CAST({0} AS DATE)", "CAST({0} AS DATE)", "CAST({0} AS DATE)"),
    row!("today", 0, "date('now')", "CURRENT_DATE", "CURRENT_DATE", ""),
    row!("total", 1, "", "COALESCE(SUM({0}), 0.0)", "COALESCE(SUM({0}), 0.0)", "COALESCE(SUM({0}), 0.0)"),
    row!("trunc", 1, "", "", "TRUNCATE({0}, 0)", ""),
    row!("trunc", 2, "", "", "TRUNCATE({0}, {1})", ""),
    row!("truncate", 2, "", "TRUNC(CAST({0} AS NUMERIC), {1})", "", "TRUNC({0}, {1})"),
    row!("ucase", 1, "UPPER({0})", "UPPER({0})", "", ""),
    row!("weekday", 1, "", "(EXTRACT(ISODOW FROM {0}) - 1)", "", ""),
    row!("year", 1, "CAST(strftime('%Y', {0}) AS INTEGER)", "EXTRACT(YEAR FROM {0})", "", ""),
];

/// Functions that have no replacement of exactly the same meaning: what to do instead, on
/// PostgreSQL, MySQL and DuckDB.
#[rustfmt::skip]
const HINTS: &[(&str, [&str; 3])] = &[
    ("age", ["", "use TIMESTAMPDIFF with a unit", ""]),
    ("array_agg", ["", "use JSON_ARRAYAGG or GROUP_CONCAT", ""]),
    ("bool_and", ["", "use MIN of the condition", ""]),
    ("bool_or", ["", "use MAX of the condition", ""]),
    ("countif", ["use COUNT(*) FILTER (WHERE …)", "use SUM of the condition", ""]),
    ("date_bin", ["", "round with DATE_FORMAT", "use time_bucket"]),
    ("date_diff", ["subtract the dates, or use AGE", "use TIMESTAMPDIFF with a unit", ""]),
    ("dateadd", ["add an INTERVAL", "use DATE_ADD with an INTERVAL", "add an INTERVAL"]),
    ("datediff", ["subtract the dates, or use AGE", "", "use date_diff('day', a, b)"]),
    ("date_format", ["use TO_CHAR", "", "use strftime"]),
    ("date_trunc", ["", "use DATE_FORMAT", ""]),
    ("datetime", ["cast to TIMESTAMP", "cast to DATETIME", "cast to TIMESTAMP"]),
    ("dayofweek", ["use EXTRACT(DOW FROM x)", "", ""]),
    ("decode", ["", "use CASE", "use CASE"]),
    ("find_in_set", ["use = ANY (STRING_TO_ARRAY(…, ','))", "", "use list_contains(string_split(…, ','), x)"]),
    ("from_unixtime", ["use TO_TIMESTAMP", "", "use to_timestamp"]),
    ("generate_series", ["", "use a recursive CTE", ""]),
    ("group_concat", ["use STRING_AGG(CAST(x AS TEXT), ',')", "", ""]),
    ("initcap", ["", "use CONCAT(UPPER(LEFT(x, 1)), LOWER(SUBSTRING(x, 2)))", "use upper(x[1]) || lower(x[2:])"]),
    ("json_extract", ["use -> or ->>", "", ""]),
    ("listagg", ["use STRING_AGG", "use GROUP_CONCAT", ""]),
    ("median", ["", "use a window with ROW_NUMBER", ""]),
    ("percentile_cont", ["", "use a window with ROW_NUMBER", ""]),
    ("printf", ["use FORMAT or TO_CHAR", "use FORMAT or LPAD", ""]),
    ("safe_divide", ["use a / NULLIF(b, 0)", "use a / NULLIF(b, 0)", "use a / NULLIF(b, 0)"]),
    ("split_part", ["", "use SUBSTRING_INDEX", ""]),
    ("str_to_date", ["use TO_DATE or TO_TIMESTAMP", "", "use strptime"]),
    ("strftime", ["use TO_CHAR", "use DATE_FORMAT", ""]),
    ("string_agg", ["", "use GROUP_CONCAT(x SEPARATOR ',')", ""]),
    ("string_split", ["use STRING_TO_ARRAY", "use SUBSTRING_INDEX", ""]),
    ("substring_index", ["use SPLIT_PART", "", "use split_part"]),
    ("timestampdiff", ["subtract, and take EXTRACT(EPOCH FROM …)", "", "use date_sub"]),
    ("to_char", ["", "use DATE_FORMAT", "use strftime"]),
    ("to_number", ["", "use CAST(x AS DECIMAL(38, 10))", "use CAST(x AS DECIMAL)"]),
    ("to_timestamp", ["", "use STR_TO_DATE or FROM_UNIXTIME", ""]),
    ("unix_timestamp", ["use EXTRACT(EPOCH FROM x)", "", "use epoch(x)"]),
    ("unixepoch", ["use EXTRACT(EPOCH FROM x)", "use UNIX_TIMESTAMP", "use epoch(x)"]),
    ("unnest", ["", "use JSON_TABLE", ""]),
    ("week", ["use EXTRACT(WEEK FROM x), which counts by ISO", "", ""]),
];

/// Returns what a call becomes on an engine.
pub(super) fn template(name: &str, arguments: usize, dialect: Dialect) -> Option<&'static str> {
    let row = ROWS.iter().find(|row| row.0 == name && row.1 == arguments)?;
    let at = match dialect {
        Dialect::Sqlite => 0,
        Dialect::Postgres => 1,
        Dialect::Mysql => 2,
        Dialect::Duckdb => 3,
        Dialect::Generic => return None,
    };
    row.2.get(at).copied().flatten()
}

/// Returns what to do instead of a function that an engine lacks.
pub(super) fn hint(name: &str, dialect: Dialect) -> Option<&'static str> {
    let at = match dialect {
        Dialect::Postgres => 0,
        Dialect::Mysql => 1,
        Dialect::Duckdb => 2,
        Dialect::Sqlite | Dialect::Generic => return None,
    };
    let row = HINTS.iter().find(|row| row.0 == name)?;
    row.1.get(at).copied().filter(|hint| !hint.is_empty())
}

/// Tells whether a function is known to belong to some engine.
pub(super) fn is_known(name: &str) -> bool {
    ROWS.iter().any(|row| row.0 == name) || HINTS.iter().any(|row| row.0 == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_holds_more_than_its_arguments() {
        for (name, arguments, columns) in ROWS {
            for text in columns.iter().flatten() {
                let beyond = (*arguments..9).any(|n| {
                    text.contains(&format!("{{{n}}}")) || text.contains(&format!("{{({n})}}"))
                });
                assert!(!beyond, "{name}: {text}");
            }
        }
    }

    #[test]
    fn what_an_engine_has_is_not_turned_there() {
        assert_eq!(template("ifnull", 2, Dialect::Mysql), None);
        assert_eq!(template("ifnull", 2, Dialect::Postgres), Some("COALESCE({0}, {1})"));
        assert_eq!(template("year", 1, Dialect::Duckdb), None);
        assert_eq!(template("year", 2, Dialect::Postgres), None);
    }
}
