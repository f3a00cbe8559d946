//! The words that steer a question: counting, comparing, ordering, negating; general English only.

use crate::domain::plan::{Aggregate, Comparison};
use crate::search::verbs::VERBS;
use crate::search::{Token, TokenKind};

use super::fillers::{FILLERS, LEADS};
use super::phrases::PHRASES;

/// What an adjective measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quality {
    /// Nothing by itself: high, low, large, more.
    Any,
    /// Years of life, or the date of birth turned round.
    Age,
    /// A point in time.
    Time,
    /// Money.
    Money,
    /// From end to end, or how long something lasts.
    Length,
    /// From foot to top.
    Height,
    /// Heaviness.
    Weight,
    /// Inhabitants.
    People,
    /// Speed.
    Speed,
}

impl Quality {
    /// Stems of column words that measure it, best first.
    pub(super) fn words(self) -> &'static [&'static str] {
        match self {
            Quality::Any => &[],
            Quality::Age => &["age"],
            Quality::Time => &["date", "year", "time", "day", "month"],
            Quality::Money => &["price", "cost", "fee", "amount"],
            Quality::Length => &["length", "durat", "distanc"],
            Quality::Height => &["height"],
            Quality::Weight => &["weight"],
            Quality::People => &["popul"],
            Quality::Speed => &["speed", "veloc"],
        }
    }
}

/// What a steering word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// Opens an order or question: show, list, what is.
    Lead,
    /// Asks for one of several: which.
    Which,
    /// Asks for a quality: how old, how long.
    Asked(Quality),
    /// Asks for a person, by name.
    Who,
    /// Counts what follows.
    Count,
    /// Aggregates what follows.
    Aggregate(Aggregate),
    /// The extreme of a count, or of a number: most, fewest.
    Most(bool),
    /// The extreme of a column: true for the largest.
    Extreme(bool, Quality),
    /// The most or least frequent.
    Common(bool),
    /// Compares with what follows.
    Compare(Comparison, Quality),
    /// Compares with the number before: or more.
    After(Comparison),
    /// Between two numbers.
    Between,
    /// Groups by what follows.
    Each,
    /// Orders by what follows.
    Order,
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
    /// By the alphabet.
    Alphabetical,
    /// Not.
    Not,
    /// None of what follows.
    No,
    /// All but what follows.
    Except,
    /// Each once.
    Distinct,
    /// Both of two.
    Both,
    /// One of two.
    Either,
    /// Joins equals.
    And,
    /// Either side.
    Or,
    /// A comma.
    Comma,
    /// Binds a part to its owner.
    Of,
    /// In, from, at, on, by, to, during.
    In,
    /// For.
    For,
    /// By.
    By,
    /// Opens a condition: with.
    With,
    /// Opens a condition on a column: whose.
    Whose,
    /// Opens a condition: who, that, which.
    That,
    /// Is, equals, named.
    Is,
    /// Has, have.
    Have,
    /// All columns.
    Everything,
    /// A substring.
    Contains,
    /// A prefix.
    Starts,
    /// A suffix.
    Ends,
    /// The first N of an order.
    Top(bool),
    /// Not known, NULL.
    Unknown,
    /// Their, its: back to the owner.
    Their,
    /// Ends a sentence.
    Stop,
    /// Nothing by itself.
    Filler,
}

/// Finds the longest steering phrase at the start of some tokens: how many tokens, and the cue.
pub(super) fn cue_at(tokens: &[Token], longest: usize) -> Option<(usize, Cue)> {
    let first = tokens.first().filter(|t| t.kind != TokenKind::Quoted)?;
    let mut best: Option<(usize, Cue)> = None;
    for (phrase, cue) in PHRASES.iter().filter(|(phrase, _)| phrase.starts_with(&first.lower)) {
        let mut length = 0;
        let fits = phrase.split(' ').all(|word| {
            let same =
                tokens.get(length).is_some_and(|t| t.lower == word && t.kind != TokenKind::Quoted);
            length += 1;
            same
        });
        if fits && length <= longest && best.is_none_or(|(n, _)| length > n) {
            best = Some((length, *cue));
        }
    }
    best
}

/// Tells whether a word opens an order.
pub(super) fn is_lead(word: &str) -> bool {
    LEADS.contains(&word)
}

/// Tells whether a word says nothing by itself.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word) || VERBS.contains(&word)
}
