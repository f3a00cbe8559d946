//! The kinds and the complexity of a question, by whole words and by what was linked.

use std::collections::BTreeSet;

use crate::domain::{Complexity, Link, LinkTarget, Match, QuestionKind, Span};
use crate::search::numerals::is_number;
use crate::search::tokens::stem;
use crate::search::{Token, TokenKind};

/// Words of each kind. Compared by stem, whole words only: "count" isn't in "country".
const WORDS: &[(QuestionKind, &[&str])] = &[
    (
        QuestionKind::Aggregation,
        &[
            "average",
            "mean",
            "total",
            "sum",
            "count",
            "maximum",
            "minimum",
            "max",
            "min",
            "number",
            "overall",
            "per",
            "median",
            "percentage",
            "share",
            "ratio",
            "many",
        ],
    ),
    (QuestionKind::MultiTableJoin, &["join", "across", "combine"]),
    (
        QuestionKind::Growth,
        &[
            "growth", "grow", "grew", "trend", "change", "increase", "decrease", "compare",
            "decline", "rise", "rose", "fell",
        ],
    ),
    (
        QuestionKind::Ranking,
        &[
            "top", "most", "least", "highest", "lowest", "largest", "smallest", "biggest", "best",
            "worst", "rank", "fewest", "greatest", "oldest", "youngest", "longest", "shortest",
            "latest", "earliest", "newest", "cheapest", "bottom", "leading",
        ],
    ),
];

/// Words that steer what is done without naming anything.
pub(super) fn steers(stemmed: &str) -> bool {
    WORDS.iter().flat_map(|(_, words)| words.iter()).any(|word| stem(word) == stemmed)
}

/// Lists the kinds with the words that show each.
pub(super) fn kinds(
    text: &str,
    tokens: &[Token],
    links: &[Link],
    anchors: &[String],
) -> Vec<(QuestionKind, String)> {
    let mut kinds: Vec<(QuestionKind, String)> = Vec::new();
    for (kind, words) in WORDS {
        let mut shown: Vec<&str> = Vec::new();
        for (n, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Word) {
            // "across all films" speaks of one table, "across films and stores" of two
            let next = tokens.get(n + 1).map_or("", |t| t.lower.as_str());
            if token.lower == "across" && ["all", "every", "each"].contains(&next) {
                continue;
            }
            let same = words.iter().any(|word| stem(word) == token.stem);
            if same && !named_so(token.span, links) && !shown.contains(&token.text.as_str()) {
                shown.push(token.span.of(text));
            }
        }
        if !shown.is_empty() {
            kinds.push((*kind, shown.join(", ")));
        }
    }
    if !kinds.iter().any(|(kind, _)| *kind == QuestionKind::Aggregation) {
        kinds.extend(compared_count(text, tokens, links).map(|w| (QuestionKind::Aggregation, w)));
    }
    let is_metric =
        |link: &&Link| link.how < Match::Part && matches!(link.target, LinkTarget::Metric(_));
    let metric = links.iter().find(is_metric);
    if let Some(link) =
        metric.filter(|_| !kinds.iter().any(|(k, _)| *k == QuestionKind::Aggregation))
    {
        // a metric is an aggregate by its formula, whatever it is called
        kinds.push((QuestionKind::Aggregation, link.words.clone()));
    }
    if anchors.len() > 1 && !kinds.iter().any(|(kind, _)| *kind == QuestionKind::MultiTableJoin) {
        kinds.push((QuestionKind::MultiTableJoin, anchors.join(", ")));
    }
    let filters = links.iter().find(|link| matches!(link.target, LinkTarget::Value { .. }));
    if let Some(link) = filters {
        kinds.push((QuestionKind::SimpleFilter, link.words.clone()));
    } else if kinds.is_empty() {
        kinds.push((QuestionKind::SimpleFilter, String::new()));
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds
}

/// Finds rows of a table that are counted and compared: "more than ten albums".
fn compared_count(text: &str, tokens: &[Token], links: &[Link]) -> Option<String> {
    const COMPARED: &[[&str; 2]] =
        &[["more", "than"], ["fewer", "than"], ["less", "than"], ["at", "least"], ["at", "most"]];
    let table = |from: usize| {
        links.iter().find(|link| {
            let starts = |token: &Token| token.span.start == link.span.start;
            link.how < Match::Part
                && matches!(link.target, LinkTarget::Table(_))
                && tokens.iter().skip(from).take(WORDS_BEFORE + 1).any(starts)
        })
    };
    tokens.windows(3).enumerate().find_map(|(n, window)| {
        let [first, second, number] = window else { return None };
        let compared = COMPARED.contains(&[first.lower.as_str(), second.lower.as_str()]);
        let is_count = number.kind == TokenKind::Number || is_number(&number.lower);
        let table = table(n + 3).filter(|_| compared && is_count)?;
        Some(Span::new(first.span.start, table.span.end).of(text).to_owned())
    })
}

/// Words that may stand between a number and what is counted: "ten different albums".
const WORDS_BEFORE: usize = 1;

/// A word inside the exact name of something is that name: "growth rate" as a column.
fn named_so(span: Span, links: &[Link]) -> bool {
    links.iter().any(|link| {
        link.score >= 0.95
            && link.span.start <= span.start
            && span.end <= link.span.end
            && link.span != span
    })
}

/// Tables that at least one place needs, whatever else the words may mean.
fn sure_tables(links: &[Link]) -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    let mut spans: Vec<Span> = links.iter().map(|link| link.span).collect();
    spans.dedup();
    for span in spans {
        let here: Vec<&Link> = links.iter().filter(|link| link.span == span).collect();
        let best = here.first().map_or(0.0, |link| link.score);
        let owners: BTreeSet<&str> = here
            .iter()
            .filter(|link| link.score >= best - 0.02 && link.score >= 0.7)
            .filter_map(|link| match &link.target {
                LinkTarget::Table(table) => Some(table.as_str()),
                LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => Some(&at.table),
                LinkTarget::Metric(_) => None,
            })
            .collect();
        if owners.len() == 1 {
            tables.extend(owners.into_iter().map(str::to_owned));
        }
    }
    tables
}

/// Wording of several steps.
const STEPS: &[&str] = &["then", "afterwards", "compared", "versus", "vs", "respectively", "ratio"];

/// Tables from which on a question is complex (P6).
const MANY_TABLES: usize = 6;

/// Tells how hard a question looks, and why.
pub(super) fn complexity(
    tokens: &[Token],
    links: &[Link],
    kinds: &[(QuestionKind, String)],
) -> (Complexity, String) {
    let tables = sure_tables(links);
    if tables.len() >= MANY_TABLES {
        let names = tables.into_iter().collect::<Vec<_>>().join(", ");
        return (Complexity::Complex, format!("it names {MANY_TABLES} or more tables: {names}"));
    }
    let measures = tokens
        .iter()
        .filter(|t| ["total", "sum", "averag", "mean"].contains(&t.stem.as_str()))
        .count();
    if measures >= 3 && tables.len() >= 3 {
        return (
            Complexity::Complex,
            "it asks for several measures over several tables".to_owned(),
        );
    }
    let steps: Vec<&str> = tokens
        .iter()
        .filter(|t| STEPS.contains(&t.lower.as_str()))
        .map(|t| t.lower.as_str())
        .collect();
    let growth = kinds.iter().any(|(kind, _)| *kind == QuestionKind::Growth);
    if steps.len() >= 2 || (growth && !steps.is_empty() && tables.len() >= 3) {
        return (
            Complexity::Complex,
            format!("its wording has several steps: {}", steps.join(", ")),
        );
    }
    let reason = match tables.len() {
        0 => "no table is named".to_owned(),
        1 => "one table".to_owned(),
        n => format!("{n} tables"),
    };
    (Complexity::Simple, reason)
}
