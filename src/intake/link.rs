//! Ties the words of a question to tables, columns, values and metrics.

use std::collections::BTreeSet;

use crate::domain::links::Related;
use crate::domain::{Facts, Link, LinkTarget, Match, Span};
use crate::search::english::is_filler;
use crate::search::index::{LONGEST_NAME, LONGEST_VALUE};
use crate::search::numerals::is_number;
use crate::search::verbs::is_nameless;
use crate::search::{Hit, Index, Token, TokenKind};

/// A phrase that means something: token range and hits, best first.
struct Phrase {
    from: usize,
    to: usize,
    hits: Vec<Hit>,
}

impl Phrase {
    /// How much is gained by reading these words as one phrase.
    fn worth(&self) -> f32 {
        let best = self.hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
        #[expect(clippy::cast_precision_loss, reason = "phrases have few words")]
        let length = (self.to - self.from) as f32;
        best * length + 0.3 * (length - 1.0) * best
    }
}

/// Ties words to things; also returns the words that nothing is known about.
pub(super) fn link(text: &str, tokens: &[Token], index: &Index) -> (Vec<Link>, Vec<Span>) {
    let mut phrases = candidates(tokens, index);
    let mut chosen = cover(tokens.len(), &phrases);
    add_guesses(tokens, index, &mut phrases, &mut chosen);
    let liked = liked_tables(&phrases, &chosen);
    let mut links = Vec::new();
    for phrase in chosen.iter().filter_map(|n| phrases.get(*n)) {
        links.extend(links_of(text, tokens, phrase, &liked));
    }
    links.sort_by_key(|link| link.span.start);
    let unknown = unknown_words(tokens, &links);
    (links, unknown)
}

fn candidates(tokens: &[Token], index: &Index) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    for from in 0..tokens.len() {
        for to in from + 1..=tokens.len().min(from + LONGEST_VALUE) {
            let Some(words) = tokens.get(from..to) else { continue };
            let mark =
                |t: &Token| t.kind == TokenKind::Mark && !t.text.starts_with(['.', '&', '-', '/']);
            if words.iter().any(mark)
                || (words.len() > 1 && words.iter().any(|t| t.kind == TokenKind::Quoted))
            {
                break;
            }
            let mut hits = Vec::new();
            let quoted = words.iter().any(|t| t.kind == TokenKind::Quoted);
            if to - from <= LONGEST_NAME && !quoted {
                hits.extend(index.names(words));
            }
            if may_be_value(words) {
                hits.extend(index.values(words));
            }
            if !hits.is_empty() {
                phrases.push(Phrase { from, to, hits });
            }
        }
    }
    phrases
}

/// Filler and numbers in words are values only where their writing shows it: "It", "US", "The Who".
fn may_be_value(words: &[Token]) -> bool {
    match words {
        [one] if is_number(&one.lower) => one.kind == TokenKind::Quoted || one.capital(),
        [one] => one.kind == TokenKind::Quoted || !is_filler(&one.lower) || shouts(one),
        _ => words.first().is_some_and(|w| !is_filler(&w.lower) || w.capital()),
    }
}

/// Tells whether a short word is written in capitals, as codes are: "AS", "IT".
fn shouts(token: &Token) -> bool {
    token.text.len() >= 2 && token.text.chars().all(|c| c.is_ascii_uppercase())
}

/// Chooses phrases that don't overlap and are worth the most together.
fn cover(length: usize, phrases: &[Phrase]) -> Vec<usize> {
    let mut best: Vec<(f32, Option<usize>)> = vec![(0.0, None); length + 1];
    for end in 1..=length {
        let mut here = (best.get(end - 1).map_or(0.0, |b| b.0), None);
        for (n, phrase) in phrases.iter().enumerate().filter(|(_, p)| p.to == end) {
            let worth = best.get(phrase.from).map_or(0.0, |b| b.0) + phrase.worth();
            if worth > here.0 {
                here = (worth, Some(n));
            }
        }
        if let Some(slot) = best.get_mut(end) {
            *slot = here;
        }
    }
    let mut chosen = Vec::new();
    let mut end = length;
    while end > 0 {
        match best.get(end).and_then(|b| b.1) {
            Some(n) => {
                chosen.push(n);
                end = phrases.get(n).map_or(0, |p| p.from);
            }
            None => end -= 1,
        }
    }
    chosen.reverse();
    chosen
}

/// Looks for typos and parts of values where nothing else fits.
fn add_guesses(
    tokens: &[Token],
    index: &Index,
    phrases: &mut Vec<Phrase>,
    chosen: &mut Vec<usize>,
) {
    let covered: BTreeSet<usize> =
        chosen.iter().filter_map(|n| phrases.get(*n)).flat_map(|p| p.from..p.to).collect();
    let mut from = 0;
    while from < tokens.len() {
        let Some(token) = tokens.get(from).filter(|t| guessable(t) && !covered.contains(&from))
        else {
            from += 1;
            continue;
        };
        let mut to = from + 1;
        let mut hits = Vec::new();
        if token.kind == TokenKind::Quoted || token.capital() && from > 0 {
            while tokens.get(to).is_some_and(|t| t.capital() && !covered.contains(&to)) {
                to += 1;
            }
            hits = index.near_values(tokens.get(from..to).unwrap_or_default());
        }
        if hits.is_empty() && token.kind == TokenKind::Word {
            to = from + 1;
            hits = index.typos(token);
            if hits.is_empty() && token.capital() && from > 0 {
                hits = index.near_values(tokens.get(from..to).unwrap_or_default());
                hits.retain(|hit| hit.how == Match::Typo);
            }
        }
        if !hits.is_empty() {
            chosen.push(phrases.len());
            phrases.push(Phrase { from, to, hits });
        }
        from = to;
    }
}

fn guessable(token: &Token) -> bool {
    token.kind == TokenKind::Quoted
        || token.kind == TokenKind::Word && token.lower.len() >= 3 && !is_filler(&token.lower)
}

/// Tables that surely play a part: named, or sole owner of a good hit.
fn liked_tables(phrases: &[Phrase], chosen: &[usize]) -> BTreeSet<String> {
    let mut liked = BTreeSet::new();
    for phrase in chosen.iter().filter_map(|n| phrases.get(*n)) {
        let best = phrase.hits.first().map_or(0.0, |hit| hit.score);
        let owners: BTreeSet<&str> =
            phrase.hits.iter().filter(|h| h.score >= best - 0.05).filter_map(owner).collect();
        for hit in &phrase.hits {
            if let LinkTarget::Table(table) = &hit.target
                && hit.score >= 0.7
            {
                liked.insert(table.clone());
            }
        }
        if let (Some(only), 1) = (owners.iter().next(), owners.len()) {
            liked.insert((*only).to_owned());
        }
    }
    liked
}

fn owner(hit: &Hit) -> Option<&str> {
    match &hit.target {
        LinkTarget::Table(table) => Some(table),
        LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => Some(&at.table),
        LinkTarget::Metric(_) => None,
    }
}

/// Links kept at one place, of each sort of target.
const MOST_LINKS: usize = 24;

fn links_of(text: &str, tokens: &[Token], phrase: &Phrase, liked: &BTreeSet<String>) -> Vec<Link> {
    let (Some(first), Some(last)) = (tokens.get(phrase.from), tokens.get(phrase.to - 1)) else {
        return Vec::new();
    };
    let span = Span::new(first.span.start, last.span.end);
    let mut hits: Vec<&Hit> = phrase.hits.iter().collect();
    // Of equally good ones, those of tables that play a part anyway come first.
    let wanted = |hit: &Hit| owner(hit).is_some_and(|table| liked.contains(table));
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(wanted(b).cmp(&wanted(a))));
    let mut counts = [0_usize; 4];
    let mut links = Vec::new();
    for hit in hits {
        let sort = match &hit.target {
            LinkTarget::Table(_) => 0,
            LinkTarget::Column(_) => 1,
            LinkTarget::Value { .. } => 2,
            LinkTarget::Metric(_) => 3,
        };
        let Some(count) = counts.get_mut(sort) else { continue };
        *count += 1;
        if *count <= MOST_LINKS || wanted(hit) {
            links.push(Link {
                span,
                words: span.of(text).to_owned(),
                target: hit.target.clone(),
                how: hit.how,
                score: hit.score,
            });
        }
    }
    links
}

fn unknown_words(tokens: &[Token], links: &[Link]) -> Vec<Span> {
    let linked =
        |t: &Token| links.iter().any(|l| l.span.start <= t.span.start && t.span.end <= l.span.end);
    tokens
        .iter()
        .filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Quoted))
        .filter(|t| !is_filler(&t.lower) && !is_number(&t.lower))
        .filter(|t| !super::kinds::steers(&t.stem) && !linked(t))
        .map(|t| t.span)
        .collect()
}

/// Of the words that are tied to nothing, lists those that should be: quoted ones, and those that
/// nothing explains by what it is like, either; verbs and words of time need not.
pub(super) fn unnamed(tokens: &[Token], unknown: &[Span], related: &Related) -> Vec<Span> {
    let should = |token: &&Token| {
        token.kind == TokenKind::Quoted
            || (!is_nameless(&token.lower) && related.unexplained.contains(&token.text))
    };
    let tokens = tokens.iter().filter(|token| unknown.contains(&token.span));
    tokens.filter(should).map(|token| token.span).collect()
}

/// Says what a person should know before trusting the links.
pub(super) fn warnings(
    text: &str,
    tokens: &[Token],
    links: &[Link],
    unknown: &[Span],
    facts: &Facts,
) -> Vec<String> {
    let mut warnings = Vec::new();
    if tokens.len() >= crate::search::tokens::MAX_TOKENS {
        warnings.push(format!("Only the first {} words of the question were read.", tokens.len()));
    }
    if links.is_empty() {
        warnings
            .push("No word of the question names a table, a column or a stored value.".to_owned());
    } else if !unknown.is_empty() {
        let words: Vec<&str> = unknown.iter().take(8).map(|span| span.of(text)).collect();
        warnings.push(format!("Nothing in the database is called: {}.", words.join(", ")));
    }
    for link in links.iter().filter(|link| link.how == Match::Typo) {
        let warning = format!("\"{}\" was read as {}.", link.words, name(&link.target));
        if !warnings.iter().any(|w| w.starts_with(&format!("\"{}\"", link.words))) {
            warnings.push(warning);
        }
    }
    warnings.extend(partial_lists(links, facts));
    warnings
}

fn name(target: &LinkTarget) -> String {
    match target {
        LinkTarget::Table(table) => format!("the table {table}"),
        LinkTarget::Column(at) => format!("the column {at}"),
        LinkTarget::Value { column, stored } => format!("the value \"{stored}\" of {column}"),
        LinkTarget::Metric(metric) => format!("the metric {metric}"),
    }
}

fn partial_lists(links: &[Link], facts: &Facts) -> Vec<String> {
    let mut columns = Vec::new();
    for link in links {
        let LinkTarget::Value { column, .. } = &link.target else { continue };
        let partial = facts.values_of(column).is_some_and(|list| !list.complete);
        if partial && !columns.contains(&column) && columns.len() < 3 {
            columns.push(column);
        }
    }
    let warn = |at: &&crate::domain::ColumnRef| {
        format!("Only some of the values of {at} were read, so others may fit too.")
    };
    columns.iter().map(warn).collect()
}
