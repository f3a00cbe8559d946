//! What a model should heed in writing this query: its dialect, what is newest, rows without a partner.

use crate::domain::{
    ColumnKind, ColumnRef, ColumnStats, Link, LinkTarget, Privacy, QuestionKind, Span, Value,
};
use crate::render::{looks_like_date, marked};
use crate::search::{dates, tokenise};

use super::dated::is_dated;
use super::engines::{About, hints};
use super::multiplied;
use super::notes::stats_of;
use super::scene::Scene;
use super::words;

/// Lists what a model most often gets wrong in the dialect; of dates only where there may be some.
pub(super) fn of_dialect(scene: &Scene<'_>) -> Vec<String> {
    let applies = |about: About| match about {
        About::AnyQuery => true,
        About::Dates => asks_of_time(scene) || has_dates(scene),
        About::Ratios => asks_for_ratio(scene),
    };
    let hints = hints(scene.catalog).iter();
    let hints = hints.filter(|(about, _)| applies(*about));
    hints.map(|(_, hint)| (*hint).to_owned()).collect()
}

/// Stems of words by which a question asks for one figure over another.
const RATIO_STEMS: &[&str] = &[
    "ratio",
    "percent",
    "percentag",
    "share",
    "averag",
    "mean",
    "rate",
    "per",
    "proport",
    "fraction",
    "growth",
    "grow",
    "grew",
];

/// Tells whether a question asks for one figure over another, by a word or by a metric.
pub(super) fn asks_for_ratio(scene: &Scene<'_>) -> bool {
    let said = |stem: &String| RATIO_STEMS.contains(&stem.as_str());
    let divides = |link: &Link| match &link.target {
        LinkTarget::Metric(name) => {
            let metric = scene.knowledge.metrics.iter().find(|metric| metric.name == *name);
            metric.is_some_and(|metric| metric.formula.contains('/'))
        }
        LinkTarget::Table(_) | LinkTarget::Column(_) | LinkTarget::Value { .. } => false,
    };
    let mut kinds = scene.request.understanding.kinds.iter();
    let evidence = scene.request.question.evidence.as_deref().unwrap_or_default();
    scene.stems.iter().any(said)
        || words::stems(evidence).iter().any(said)
        || scene.request.question.text.contains('%')
        || evidence.contains(['%', '/'])
        || scene.request.understanding.links.iter().any(divides)
        || kinds.any(|(kind, _)| *kind == QuestionKind::Growth)
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
    lines.extend(multiplied::lines(scene));
    let (names, words) = unknown(scene);
    if !names.is_empty() {
        lines.push(format!("No name and no listed value is called {}.", names.join(" or ")));
    }
    if !words.is_empty() {
        let words = words.join(" or ");
        lines.push(format!(
            "No table and no column is called {words}: if nothing told here means it, the question \
             can't be answered from this database."
        ));
    }
    lines
}

/// Lists the names in the question that nothing is called, unless a look at the data says more; then
/// the other words that should name a table or column.
fn unknown(scene: &Scene<'_>) -> (Vec<String>, Vec<String>) {
    let text = &scene.request.question.text;
    let looked_up =
        |word: &str| scene.request.facts.looked_up.iter().any(|one| one.words.contains(word));
    let begins = |start: usize| {
        let before = text.get(..start).unwrap_or_default().trim_end();
        before.is_empty() || before.ends_with(['.', '?', '!', ':'])
    };
    let (mut names, mut words) = (Vec::new(), Vec::new());
    let found = !scene.told_about().is_empty();
    for span in &scene.request.understanding.unknown {
        let marks = ['"', '\'', '`', '“', '”', '‘', '’'];
        let word = span.of(text);
        let is_name = word.starts_with(marks) || word.starts_with(char::is_uppercase);
        let first = begins(span.start) && !word.starts_with(marks);
        let word = word.trim_matches(marks);
        if first || looked_up(word) {
            continue;
        }
        // where something was found, a word that nothing is called is most often no name at all, but
        // for one that is counted or that the answer is to be split by
        if !is_name && found && !is_counted(text, *span) {
            continue;
        }
        let list = if is_name { &mut names } else { &mut words };
        list.push(format!("\"{}\"", marked::line(word, 80)));
    }
    (names, words)
}

/// Tells whether the word there is counted or counted by: `how many guests`, `per guest`.
fn is_counted(text: &str, at: Span) -> bool {
    let before = text.get(..at.start).unwrap_or_default();
    let last = before.split_whitespace().next_back().unwrap_or_default();
    ["many", "per", "by", "each", "every"].iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// Tells whether a column in question holds dates; where no table is in question, any.
fn has_dates(scene: &Scene<'_>) -> bool {
    if scene.told_about().is_empty() {
        return scene.catalog.tables.iter().flat_map(|table| &table.columns).any(is_dated);
    }
    let mut asked = scene.columns.keys().chain(scene.related.keys());
    asked.any(|at| scene.column(at).is_some_and(is_dated))
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
    "date",
    "dates",
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
    "decade",
    "century",
    "born",
];

/// Words of time that count from the day of asking, or may.
const FROM_NOW: &[&str] = &[
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
    "ago",
    "since",
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
    "this",
];

/// Lists the words of a question and its hint.
fn said<'a>(scene: &Scene<'a>) -> impl Iterator<Item = &'a str> {
    let question = scene.request.question;
    let texts = std::iter::once(question.text.as_str()).chain(question.evidence.as_deref());
    texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
}

/// Tells whether a question counts from the day on which it is asked.
fn counts_from_now(scene: &Scene<'_>) -> bool {
    said(scene).any(|word| FROM_NOW.contains(&word.to_lowercase().as_str()))
}

/// Tells whether a question or its hint speaks of time, so that what is newest matters.
pub(super) fn asks_of_time(scene: &Scene<'_>) -> bool {
    let is_year = |word: &str| {
        word.len() == 4 && word.parse().is_ok_and(|year: u16| (1_500..2_200).contains(&year))
    };
    let growth = scene.request.understanding.kinds.iter().any(|(k, _)| *k == QuestionKind::Growth);
    let is_month = |word: &str| word != "may" && dates::NAMES.contains(&word);
    let is_time = |word: &str| TIME_WORDS.contains(&word) || is_month(word);
    growth || said(scene).any(|w| is_year(w) || is_time(&w.to_lowercase()))
}

/// Words by which a question asks for what has no partner.
const LACKING_WORDS: &[&str] = &["never", "without", "none", "lack", "neither", "nobody"];

/// Words that say so of what follows them, unless it is a stored value: "not cancelled" is a filter.
const DENYING_WORDS: &[&str] = &["no", "not"];

/// What a model should know when a question asks for rows that have no partner.
const LACKING: &str = "The question asks for rows that lack something: a plain JOIN loses those \
                       without a partner, NOT EXISTS or LEFT JOIN keeps them.";

/// Tells whether a question over several tables asks for rows that lack something.
pub(super) fn asks_for_lacking(scene: &Scene<'_>) -> bool {
    if scene.focus.len() < 2 {
        return false;
    }
    let text = &scene.request.question.text;
    let is_value = |span: Span| {
        let links = &scene.request.understanding.links;
        links.iter().any(|link| {
            matches!(link.target, LinkTarget::Value { .. })
                && link.span.start <= span.start
                && span.end <= link.span.end
        })
    };
    let tokens = tokenise(text);
    tokens.iter().enumerate().any(|(n, token)| {
        let word = token.lower.as_str();
        let next = tokens.get(n + 1);
        LACKING_WORDS.contains(&word)
            || (DENYING_WORDS.contains(&word) && next.is_some_and(|next| !is_value(next.span)))
    })
}

/// The date of asking and the newest dates of what is linked.
fn dates(scene: &Scene<'_>) -> Vec<String> {
    let asked: String = scene.request.question.asked_at.chars().take(10).collect();
    let mut lines = Vec::new();
    if looks_like_date(&asked) && counts_from_now(scene) {
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
