//! What a model should heed in writing this query: its dialect, what is newest, rows without a partner.

use crate::domain::{ColumnKind, ColumnRef, ColumnStats, Dialect, Privacy, QuestionKind, Value};
use crate::render::{looks_like_date, marked};

use super::notes::stats_of;
use super::scene::Scene;

/// Lists what a model most often gets wrong in the dialect; of dates only where there are some.
pub(super) fn of_dialect(scene: &Scene<'_>) -> Vec<String> {
    let hints = dialect_hints(scene.catalog.dialect).iter();
    let hints = hints.filter(|(about, _)| *about == About::All || has_dates(scene));
    hints.map(|(_, hint)| (*hint).to_owned()).collect()
}

/// Lists what the wording of the question asks to heed.
pub(super) fn of_question(scene: &Scene<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if has_dates(scene) && asks_of_time(scene) {
        lines.extend(dates(scene));
    }
    if asks_for_lacking(scene) {
        lines.push(LACKING.to_owned());
    }
    let unknown = unknown_names(scene);
    if !unknown.is_empty() {
        lines.push(format!("No name and no listed value is called {}.", unknown.join(" or ")));
    }
    lines
}

/// Lists the names in the question that nothing is called, unless a look at the data says more.
fn unknown_names(scene: &Scene<'_>) -> Vec<String> {
    let text = &scene.request.question.text;
    let looked_up =
        |word: &str| scene.request.facts.looked_up.iter().any(|one| one.words.contains(word));
    let is_name = |word: &&String| {
        let start = text.find(word.as_str()).unwrap_or(0);
        let quoted = text.get(..start).is_some_and(|before| before.ends_with(['"', '\'']));
        start > 0 && (quoted || word.starts_with(char::is_uppercase)) && !looked_up(word)
    };
    let unexplained = scene.request.understanding.related.unexplained.iter();
    unexplained.filter(is_name).map(|word| format!("\"{}\"", marked::line(word, 80))).collect()
}

fn has_dates(scene: &Scene<'_>) -> bool {
    let mut columns = scene.catalog.tables.iter().flat_map(|table| &table.columns);
    columns.any(|column| column.kind == ColumnKind::Date)
}

/// What a hint is about: any query, or those that take dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    All,
    Dates,
}

/// What a model most often gets wrong in a dialect.
fn dialect_hints(dialect: Dialect) -> &'static [(About, &'static str)] {
    match dialect {
        Dialect::Sqlite => &[
            (
                About::All,
                "Dialect SQLite: use CAST(x AS REAL), LIKE and LIMIT; there is no ::, ILIKE, TOP or EXTRACT.",
            ),
            (
                About::Dates,
                "SQLite keeps dates as text: date('now'), strftime('%Y-%m', d), julianday(a) - julianday(b).",
            ),
            (About::All, "SQLite drops the fraction of integer / integer: multiply by 1.0 first."),
        ],
        Dialect::Postgres => &[
            (
                About::All,
                "Dialect PostgreSQL: date_trunc, extract, interval '1 day'; names with capitals need double quotes.",
            ),
            (
                About::All,
                "PostgreSQL drops the fraction of integer / integer: cast one side to numeric first.",
            ),
        ],
        Dialect::Mysql => &[(
            About::All,
            "Dialect MySQL: backticks quote names; DATE_FORMAT, CONCAT; there is no ::, ILIKE or FULL JOIN.",
        )],
        Dialect::Duckdb => &[(
            About::All,
            "Dialect DuckDB: date_trunc, strftime(d, '%Y-%m'), interval; // drops the fraction, / keeps it.",
        )],
        Dialect::Generic => &[(About::All, "Write standard SQL.")],
    }
}

/// Words by which a question speaks of time, lower case, whole.
const TIME_WORDS: &[&str] = &[
    "today",
    "yesterday",
    "tomorrow",
    "now",
    "moment",
    "current",
    "currently",
    "recent",
    "recently",
    "last",
    "past",
    "latest",
    "newest",
    "earliest",
    "oldest",
    "ago",
    "since",
    "until",
    "before",
    "after",
    "during",
    "between",
    "when",
    "day",
    "days",
    "daily",
    "week",
    "weeks",
    "weekly",
    "month",
    "months",
    "monthly",
    "quarter",
    "quarters",
    "year",
    "years",
    "yearly",
    "annual",
    "hour",
    "hours",
    "date",
    "dates",
    "time",
    "old",
    "older",
    "age",
    "still",
    "yet",
    "overdue",
    "late",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Tells whether a question or its hint speaks of time, so that what is newest matters.
fn asks_of_time(scene: &Scene<'_>) -> bool {
    let is_year = |word: &str| {
        word.len() == 4 && word.parse().is_ok_and(|year: u16| (1_500..2_200).contains(&year))
    };
    let question = scene.request.question;
    let texts = std::iter::once(question.text.as_str()).chain(question.evidence.as_deref());
    let mut words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let growth = scene.request.understanding.kinds.iter().any(|(k, _)| *k == QuestionKind::Growth);
    growth || words.any(|w| is_year(w) || TIME_WORDS.contains(&w.to_lowercase().as_str()))
}

/// Words by which a question asks for what has no partner.
const LACKING_WORDS: &[&str] =
    &["never", "without", "no", "not", "none", "lack", "neither", "nobody"];

/// What a model should know when a question asks for rows that have no partner.
const LACKING: &str = "The question asks for what is missing or not so: a plain JOIN loses rows \
                       without a partner, NOT EXISTS or LEFT JOIN keeps them.";

/// Tells whether a question over several tables asks for rows that lack something.
fn asks_for_lacking(scene: &Scene<'_>) -> bool {
    let text = scene.request.question.text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    scene.focus.len() > 1 && words.any(|w| LACKING_WORDS.contains(&w) || w.ends_with("n't"))
}

/// The date of asking and the newest dates of what is linked.
fn dates(scene: &Scene<'_>) -> Vec<String> {
    let asked: String = scene.request.question.asked_at.chars().take(10).collect();
    let mut lines = Vec::new();
    if looks_like_date(&asked) {
        lines.push(format!("The question was asked on {asked}."));
    }
    if scene.privacy == Privacy::Names {
        return lines;
    }
    let about = scene.focus.iter().filter_map(|table| scene.table(table));
    for table in about {
        for column in table.columns.iter().filter(|c| c.kind == ColumnKind::Date) {
            let at = ColumnRef::new(&table.name, &column.name);
            let newest = stats_of(scene, &at).and_then(newest_date);
            if let Some(newest) = newest.filter(|_| !scene.withheld.hides_data(&at)) {
                lines.push(format!("The newest {at} is {newest}."));
            }
        }
    }
    lines
}

fn newest_date(stats: &ColumnStats) -> Option<String> {
    match stats.max.as_ref().filter(|_| stats.known)? {
        Value::Text(text) if looks_like_date(text) => Some(marked::line(text, 40)),
        Value::Text(_)
        | Value::Null
        | Value::Integer(_)
        | Value::Real(_)
        | Value::Blob(_)
        | Value::Malformed(_) => None,
    }
}
