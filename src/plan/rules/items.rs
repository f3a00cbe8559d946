//! Cuts a question into items: steering words, numbers, quoted strings, and mentions with readings.

use crate::domain::{ColumnRef, LinkTarget, Match, Understanding};
use crate::search::{Token, TokenKind, tokenise};

use super::cues::{Cue, cue_at, is_filler, is_lead};

/// What an item is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A steering word.
    Cue(Cue),
    /// A number, as written without thousands separators.
    Number(String),
    /// Words tied to something.
    Mention,
    /// A quoted string; it may be tied to values too.
    Quoted,
    /// A word that nothing is known about.
    Unknown,
}

/// One item.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// The words, quotes left out.
    pub(super) text: String,
    pub(super) tables: Vec<(String, f32)>,
    pub(super) columns: Vec<(ColumnRef, f32)>,
    pub(super) values: Vec<(ColumnRef, String, f32, Match)>,
    /// Metrics, with how well the words fit.
    pub(super) metrics: Vec<(String, f32)>,
}

impl Item {
    /// Tells whether it steers in this way.
    pub(super) fn is(&self, cue: Cue) -> bool {
        self.kind == Kind::Cue(cue)
    }

    /// Best score among tables.
    pub(super) fn table_score(&self) -> f32 {
        self.tables.first().map_or(0.0, |t| t.1)
    }

    /// Best score among columns.
    pub(super) fn column_score(&self) -> f32 {
        self.columns.first().map_or(0.0, |c| c.1)
    }

    /// Best score among values.
    pub(super) fn value_score(&self) -> f32 {
        self.values.first().map_or(0.0, |v| v.2)
    }

    fn plain(kind: Kind, text: &str) -> Item {
        Item {
            kind,
            text: text.to_owned(),
            tables: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            metrics: Vec::new(),
        }
    }
}

/// Cuts a question into items.
pub(super) fn items(text: &str, understanding: &Understanding) -> Vec<Item> {
    let tokens = tokenise(text);
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let linked = linked_length(&tokens, at, understanding);
        let cue = cue_before_link(&tokens, at, understanding);
        let shouted = linked == 1
            && token.text.len() >= 2
            && token.text.chars().all(|c| c.is_ascii_uppercase());
        let steers = cue.filter(|(length, _)| !shouted && (*length >= linked || linked == 0));
        let said = items.iter().rev().find(|i: &&Item| !i.is(Cue::Filler));
        let opens = said.is_none_or(|i| i.is(Cue::Stop) || i.is(Cue::Comma) || i.is(Cue::And));
        let named = items
            .last()
            .is_some_and(|i| i.kind == Kind::Mention && i.column_score() > i.table_score());
        if opens
            && is_lead(&token.lower)
            && token.kind == TokenKind::Word
            && !noun_follows(&tokens, at, linked)
        {
            items.push(Item::plain(Kind::Cue(Cue::Lead), &token.text));
            at += 1;
        } else if named && token.stem == "number" {
            // "Phone numbers": the column is said already.
            items.push(Item::plain(Kind::Cue(Cue::Filler), &token.text));
            at += 1;
        } else if let Some((length, cue)) = steers {
            items.push(Item::plain(Kind::Cue(cue), &words(&tokens, at, length)));
            at += length;
        } else if linked > 0 {
            items.push(mention(&tokens, at, linked, understanding));
            at += linked;
        } else if token.lower == "one" && items.last().is_some_and(counts) {
            items.push(Item::plain(Kind::Number("1".to_owned()), "1"));
            at += 1;
        } else {
            items.extend(lone(token));
            at += 1;
        }
    }
    items
}

/// "More than one": here the word is a number.
fn counts(item: &Item) -> bool {
    matches!(item.kind, Kind::Cue(Cue::Compare(..)))
}

/// "Name" opens an order only when no "of" or comma follows: "name of the members" doesn't.
fn noun_follows(tokens: &[Token], at: usize, linked: usize) -> bool {
    let next = tokens.get(at + 1).map_or("", |t| t.lower.as_str());
    linked > 1
        || (linked == 1
            && tokens.get(at).is_some_and(|t| t.lower == "name")
            && ["of", "and", ",", "for"].contains(&next))
}

fn words(tokens: &[Token], at: usize, length: usize) -> String {
    let slice = tokens.get(at..at + length).unwrap_or_default();
    slice.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Tokens of the longest link that starts here.
fn linked_length(tokens: &[Token], at: usize, understanding: &Understanding) -> usize {
    let Some(first) = tokens.get(at) else { return 0 };
    let weak =
        |l: &&crate::domain::Link| matches!(l.target, LinkTarget::Value { .. }) && l.score < 0.5;
    let here = understanding.links.iter().filter(|l| l.span.start == first.span.start);
    let ends = here.filter(|l| !weak(l)).map(|l| l.span.end);
    let Some(end) = ends.max() else { return 0 };
    tokens.iter().skip(at).take_while(|t| t.span.end <= end).count()
}

/// The longest cue here that doesn't cut into a longer, good link: in "maximum number of seats"
/// the column `number_seats` leaves only "maximum".
fn cue_before_link(
    tokens: &[Token],
    at: usize,
    understanding: &Understanding,
) -> Option<(usize, Cue)> {
    let (length, cue) = cue_at(tokens.get(at..)?, usize::MAX)?;
    for inner in 1..length {
        let linked = linked_length(tokens, at + inner, understanding);
        if linked >= 2 && inner + linked > length {
            return cue_at(tokens.get(at..)?, inner);
        }
    }
    Some((length, cue))
}

fn lone(token: &Token) -> Option<Item> {
    match token.kind {
        TokenKind::Number => Some(Item::plain(Kind::Number(number(&token.text)), &token.text)),
        TokenKind::Quoted => Some(Item::plain(Kind::Quoted, &token.text)),
        TokenKind::Mark => None,
        TokenKind::Word => match number_word(&token.lower) {
            Some(n) => Some(Item::plain(Kind::Number(n.to_owned()), &token.text)),
            None if is_filler(&token.lower) => {
                Some(Item::plain(Kind::Cue(Cue::Filler), &token.text))
            }
            None => Some(Item::plain(Kind::Unknown, &token.text)),
        },
    }
}

fn number(text: &str) -> String {
    let parts: Vec<&str> = text.split(',').collect();
    let thousands = parts.len() > 1 && parts.iter().skip(1).all(|p| p.len() == 3);
    if thousands { parts.concat() } else { text.to_owned() }
}

fn number_word(word: &str) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
        ("twenty", "20"),
        ("thirty", "30"),
        ("fifty", "50"),
        ("hundred", "100"),
        ("thousand", "1000"),
        ("million", "1000000"),
        ("twice", "2"),
        ("once", "1"),
        ("single", "1"),
        ("zero", "0"),
    ];
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, n)| *n)
}

fn mention(tokens: &[Token], at: usize, length: usize, understanding: &Understanding) -> Item {
    let (Some(first), Some(last)) = (tokens.get(at), tokens.get(at + length - 1)) else {
        return Item::plain(Kind::Unknown, "");
    };
    let quoted = first.kind == TokenKind::Quoted;
    let mut item =
        Item::plain(if quoted { Kind::Quoted } else { Kind::Mention }, &words(tokens, at, length));
    let here = understanding
        .links
        .iter()
        .filter(|l| l.span.start == first.span.start && l.span.end == last.span.end);
    for link in here {
        match &link.target {
            LinkTarget::Table(table) => item.tables.push((table.clone(), link.score)),
            LinkTarget::Column(column) => item.columns.push((column.clone(), link.score)),
            LinkTarget::Value { column, stored } => {
                item.values.push((column.clone(), stored.clone(), link.score, link.how));
            }
            LinkTarget::Metric(metric) => item.metrics.push((metric.clone(), link.score)),
        }
    }
    if let (TokenKind::Number, 1) = (first.kind, length) {
        item.kind = Kind::Number(number(&first.text));
    }
    item
}
