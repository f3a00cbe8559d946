//! Further ties for what the model is told: values of the hint given with the question, values by
//! how they are written or what they mean.
//!
//! They are no links: nobody reads a question by them alone, but a package is better with them.

use std::collections::BTreeSet;

use crate::domain::{ColumnRef, Link, LinkTarget, Match, Question, Span};
use crate::search::english::is_filler;
use crate::search::{Hit, Index, Token, TokenKind, tokenise};

/// Hints at most.
const MOST: usize = 24;
/// Blank-separated pieces of a text that are looked up together at most.
const LONGEST: usize = 4;

/// Lists the hints of a question, links left out.
pub(super) fn hints(
    question: &Question,
    tokens: &[Token],
    links: &[Link],
    unknown: &[Span],
    index: &Index,
) -> Vec<Link> {
    let mut found = Found { links, hints: Vec::new() };
    found.spelt(&question.text, index);
    for span in unknown {
        let word = span.of(&question.text);
        found.add(word, *span, index.alike_values(&word.to_lowercase()));
    }
    found.answers(tokens, links, index);
    if let Some(evidence) = &question.evidence {
        found.spelt(evidence, index);
        let tokens = tokenise(evidence);
        let (of_evidence, _) = super::link::link(evidence, &tokens, index);
        for link in of_evidence.iter().filter(|link| is_value(link)) {
            found.add(&link.words, link.span, vec![hit_of(link)]);
        }
    }
    found.hints.truncate(MOST);
    found.hints
}

/// Tells whether a link of the hint is surely a stored value.
fn is_value(link: &Link) -> bool {
    matches!(link.target, LinkTarget::Value { .. })
        && link.how <= Match::Synonym
        && link.score >= 0.8
}

fn hit_of(link: &Link) -> Hit {
    Hit { target: link.target.clone(), how: link.how, score: link.score }
}

struct Found<'a> {
    links: &'a [Link],
    hints: Vec<Link>,
}

impl Found<'_> {
    fn add(&mut self, words: &str, span: Span, hits: Vec<Hit>) {
        for hit in hits {
            let known = self.links.iter().chain(&self.hints).any(|link| link.target == hit.target);
            if !known {
                let Hit { target, how, score } = hit;
                self.hints.push(Link { span, words: words.to_owned(), target, how, score });
            }
        }
    }

    /// Looks pieces of a text up as they are written, the longest first.
    fn spelt(&mut self, text: &str, index: &Index) {
        let mut pieces: Vec<Span> = Vec::new();
        let mut from = 0;
        for piece in text.split(char::is_whitespace) {
            if !piece.is_empty() {
                pieces.push(Span::new(from, from + piece.len()));
            }
            from += piece.len()
                + text
                    .get(from + piece.len()..)
                    .and_then(|r| r.chars().next())
                    .map_or(0, char::len_utf8);
        }
        for length in (1..=LONGEST).rev() {
            for window in pieces.windows(length) {
                let [first, .., last] = window else {
                    let [one] = window else { continue };
                    self.look_up(text, *one, index);
                    continue;
                };
                self.look_up(text, Span::new(first.start, last.end), index);
            }
        }
    }

    fn look_up(&mut self, text: &str, span: Span, index: &Index) {
        let inner = span.of(text).trim_matches(|c: char| "\"'`“”‘’,;:?!.".contains(c));
        let start = span.of(text).find(inner).map_or(span.start, |at| span.start + at);
        let span = Span::new(start, start + inner.len());
        self.add(inner, span, index.written_values(inner));
    }

    /// Tells what columns that say yes or no hold, when a word of the question names them.
    fn answers(&mut self, tokens: &[Token], links: &[Link], index: &Index) {
        let mut seen: BTreeSet<ColumnRef> = BTreeSet::new();
        for token in tokens.iter().filter(|t| t.kind == TokenKind::Word && !is_filler(&t.lower)) {
            let here = links.iter().filter(|link| {
                link.span.start <= token.span.start && token.span.end <= link.span.end
            });
            let named: Vec<ColumnRef> = here
                .filter_map(|link| match &link.target {
                    LinkTarget::Column(at) => Some(at.clone()),
                    LinkTarget::Table(_) | LinkTarget::Value { .. } | LinkTarget::Metric(_) => None,
                })
                .chain(index.columns_with(&token.stem))
                .collect();
            for at in named {
                if seen.insert(at.clone()) {
                    self.add(&token.text, token.span, index.answers_of(&at));
                }
            }
        }
    }
}
