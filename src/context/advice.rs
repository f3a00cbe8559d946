//! What a model should heed in writing this query: its dialect, what is newest, rows without a partner.

use crate::domain::{
    ColumnKind, ColumnRef, ColumnStats, Dialect, ForeignKey, Privacy, QuestionKind, Span, Value,
};
use crate::render::{looks_like_date, marked};
use crate::search::dates;

use super::notes::stats_of;
use super::scene::Scene;

/// Lists what a model most often gets wrong in the dialect; of dates only where there may be some.
pub(super) fn of_dialect(scene: &Scene<'_>) -> Vec<String> {
    let dates = asks_of_time(scene) || has_dates(scene);
    let hints = dialect_hints(scene.catalog.dialect).iter();
    let hints = hints.filter(|(about, _)| *about == About::AnyQuery || dates);
    hints.map(|(_, hint)| (*hint).to_owned()).collect()
}

/// Lists what the wording of the question asks to heed.
pub(super) fn of_question(scene: &Scene<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if asks_of_time(scene) {
        lines.extend(dates(scene));
    }
    if asks_for_lacking(scene) {
        lines.push(LACKING.to_owned());
    }
    lines.extend(paired(scene));
    let unknown = unknown_names(scene);
    if !unknown.is_empty() {
        lines.push(format!("No name and no listed value is called {}.", unknown.join(" or ")));
    }
    lines
}

/// Warns of the tables that the join tree pairs by a common parent only.
fn paired(scene: &Scene<'_>) -> Option<String> {
    let tree = scene.tree().filter(|tree| tree.chasms() > 0)?;
    let parent_of = |key: &&ForeignKey, parent: &str| {
        !key.one_to_one && key.to_table.eq_ignore_ascii_case(parent)
    };
    let groups = tree.tables.iter().filter_map(|parent| {
        let children = tree.keys.iter().filter(|key| parent_of(key, parent));
        let children: Vec<&str> = children.map(|key| key.from_table.as_str()).collect();
        (children.len() > 1).then(|| format!("{} by {parent}", children.join(" with ")))
    });
    let groups: Vec<String> = groups.collect();
    Some(format!(
        "The join pattern pairs rows that only share a parent ({}): add up or count each side \
         before joining.",
        groups.join("; ")
    ))
}

/// Lists the names in the question that nothing is called, unless a look at the data says more.
fn unknown_names(scene: &Scene<'_>) -> Vec<String> {
    let text = &scene.request.question.text;
    let looked_up =
        |word: &str| scene.request.facts.looked_up.iter().any(|one| one.words.contains(word));
    let begins = |start: usize| {
        let before = text.get(..start).unwrap_or_default().trim_end();
        before.is_empty() || before.ends_with(['.', '?', '!', ':'])
    };
    let name = |span: &Span| {
        let marks = ['"', '\'', '`', '“', '”', '‘', '’'];
        let word = span.of(text);
        let quoted = word.starts_with(marks);
        let is_name = quoted || (word.starts_with(char::is_uppercase) && !begins(span.start));
        let word = word.trim_matches(marks);
        (is_name && !looked_up(word)).then(|| format!("\"{}\"", marked::line(word, 80)))
    };
    scene.request.understanding.unknown.iter().filter_map(name).collect()
}

/// Parts of names of columns that hold dates, whatever they are stored as.
const DATED: &[&str] = &["date", "time", "_at", "_on", "day", "month", "year", "born", "since"];

fn has_dates(scene: &Scene<'_>) -> bool {
    let mut columns = scene.catalog.tables.iter().flat_map(|table| &table.columns);
    columns.any(|column| {
        let holds = |part: &&str| {
            let mut windows = column.name.as_bytes().windows(part.len());
            windows.any(|here| here.eq_ignore_ascii_case(part.as_bytes()))
        };
        column.kind == ColumnKind::Date || DATED.iter().any(holds)
    })
}

/// What a hint is about: any query, or those that take dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    AnyQuery,
    Dates,
}

/// What a model most often gets wrong in a dialect.
fn dialect_hints(dialect: Dialect) -> &'static [(About, &'static str)] {
    match dialect {
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
                About::AnyQuery,
                "SQLite drops the fraction of integer / integer: multiply by 1.0 first.",
            ),
        ],
        Dialect::Postgres => &[
            (
                About::AnyQuery,
                "Dialect PostgreSQL: date_trunc, extract, interval '1 day'; names with capitals need double quotes.",
            ),
            (
                About::AnyQuery,
                "PostgreSQL drops the fraction of integer / integer: cast one side to numeric first.",
            ),
        ],
        Dialect::Mysql => &[(
            About::AnyQuery,
            "Dialect MySQL: backticks quote names; DATE_FORMAT, CONCAT; there is no ::, ILIKE or FULL JOIN.",
        )],
        Dialect::Duckdb => &[(
            About::AnyQuery,
            "Dialect DuckDB: date_trunc, strftime(d, '%Y-%m'), interval; // drops the fraction, / keeps it.",
        )],
        Dialect::Generic => &[(About::AnyQuery, "Write standard SQL.")],
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
    "next",
    "upcoming",
    "future",
    "due",
    "expired",
    "expires",
    "weekend",
    "minute",
    "minutes",
    "decade",
    "century",
    "born",
    "new",
    "late",
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
    let is_month = |word: &str| word != "may" && dates::NAMES.contains(&word);
    let is_time = |word: &str| TIME_WORDS.contains(&word) || is_month(word);
    growth || words.any(|w| is_year(w) || is_time(&w.to_lowercase()))
}

/// Words by which a question asks for what has no partner.
const LACKING_WORDS: &[&str] =
    &["never", "without", "no", "not", "none", "lack", "neither", "nobody"];

/// What a model should know when a question asks for rows that have no partner.
const LACKING: &str = "The question asks for what is missing or not so: a plain JOIN loses rows \
                       without a partner, NOT EXISTS or LEFT JOIN keeps them.";

/// Tells whether a question over several tables asks for rows that lack something.
fn asks_for_lacking(scene: &Scene<'_>) -> bool {
    let text = scene.request.question.text.to_lowercase().replace('’', "'");
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
