//! Whether the question speaks of a table, so that its rows may be what is counted.

use crate::domain::{ColumnRef, Link, LinkTarget, Match};

use super::super::Before;
use super::super::look::words;
use super::joined::{At, Branch, relation, tables};

/// Letters by which a word alludes to a name.
const BEGINNING: usize = 4;

/// Words before a noun among which one says that it is counted.
const WITHIN: usize = 5;

/// Words before a noun among which one says that something has it.
const CLOSE: usize = 2;

/// Words that say that something has what follows.
const HAVING: &[&str] = &["with", "have", "has", "having", "had", "own", "owns"];

/// Words that say that the noun after them is counted.
const CUES: &[&str] = &[
    "many",
    "number",
    "numbers",
    "count",
    "most",
    "fewest",
    "least",
    "amount",
    "total",
    "than",
    "more",
    "only",
    "exactly",
    "common",
    "popular",
    "among",
    "percentage",
    "percent",
    "proportion",
    "share",
];

/// The tables of a branch, and those beside it.
struct Sides<'a> {
    branch: Vec<&'a str>,
    others: Vec<&'a str>,
}

impl<'a> Sides<'a> {
    fn of(look: &Before<'a>, index: usize, branch: &Branch) -> Self {
        let (mut inside, mut others, mut elsewhere) = (Vec::new(), Vec::new(), Vec::new());
        for (of, scope) in look.binding.scopes.iter().enumerate() {
            for (at, relation) in scope.relations.iter().enumerate() {
                let side = match (of == index, branch.relations.contains(&at)) {
                    (true, true) => &mut inside,
                    (true, false) => &mut others,
                    (false, _) => &mut elsewhere,
                };
                side.extend(tables(look, relation));
            }
        }
        others.extend(elsewhere.into_iter().filter(|table| !inside.contains(table)));
        Sides { branch: inside, others }
    }
}

/// Tells whether the question has no word of its own for the tables of a branch: words that name
/// another table of the query as well name that one.
pub(super) fn unsaid(look: &Before<'_>, at: At, branch: &Branch) -> bool {
    let Some(scope) = look.binding.scopes.get(at.scope) else { return false };
    let sides = Sides::of(look, at.scope, branch);
    let Some(understanding) = look.understanding.filter(|_| look.question.is_some()) else {
        return false;
    };
    // a column by which the branch points here is called by what it points to
    let points = |at: &ColumnRef| {
        let mut ends = scope.joins.iter().flat_map(|pair| [&pair.columns.0, &pair.columns.1]);
        ends.any(|end| end.as_ref() == Some(at))
    };
    let said = |link: &&Link| {
        if matches!(&link.target, LinkTarget::Column(at) if points(at)) {
            return false;
        }
        let rival = understanding.links.iter().any(|other| {
            let over = other.span.start < link.span.end && link.span.start < other.span.end;
            let length = |link: &Link| link.span.end - link.span.start;
            let better = other.score >= link.score || length(other) > length(link);
            over && is_of(other, &sides.others) && better
        });
        let cue = CUES.contains(&link.words.to_lowercase().as_str());
        let column = !matches!(link.target, LinkTarget::Table(_));
        let weak = column && link.how > Match::Stem;
        is_of(link, &sides.branch) && !rival && !weak && !cue
    };
    !understanding.links.iter().any(|link| said(&link)) && !is_alluded(look, &sides)
}

/// Tells whether the question asks for what has rows of a branch: "customers with orders", "students
/// who have a pet".
pub(super) fn is_condition(look: &Before<'_>, at: At, branch: &Branch) -> bool {
    let sides = Sides::of(look, at.scope, branch);
    let links = look.understanding.map(|known| known.links.as_slice()).unwrap_or_default();
    let question = look.question.unwrap_or_default();
    links.iter().any(|link| {
        let shared = links.iter().any(|other| {
            let over = other.span.start < link.span.end && link.span.start < other.span.end;
            over && is_of(other, &sides.others)
        });
        let table = matches!(link.target, LinkTarget::Table(_)) && link.how <= Match::Stem;
        let before = words(question.get(..link.span.start).unwrap_or_default());
        let has = before.iter().rev().take(CLOSE).any(|word| HAVING.contains(&word.as_str()));
        table && has && is_of(link, &sides.branch) && !shared
    })
}

/// Tells whether a link leads to one of some tables.
fn is_of(link: &Link, tables: &[&str]) -> bool {
    match &link.target {
        LinkTarget::Table(name) => tables.contains(&name.as_str()),
        LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
            tables.contains(&at.table.as_str())
        }
        LinkTarget::Metric(_) => false,
    }
}

/// What the question says of the tables beside a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// One of them is counted by its name: "how many singers".
    Counted,
    /// The one that the branch hangs on is named, but not as what is counted.
    Named,
    /// That one isn't named: what is counted has another word.
    Unnamed,
}

/// Reads what the question says of the tables beside a branch, which hangs on `at`.
pub(super) fn beside(look: &Before<'_>, at: At, branch: &Branch) -> Beside {
    let (Some(question), Some(understanding)) = (look.question, look.understanding) else {
        return Beside::Named;
    };
    let sides = Sides::of(look, at.scope, branch);
    let Some((_, owner)) = relation(look, at) else { return Beside::Named };
    let owner = tables(look, owner);
    let links = understanding.links.iter().filter(|link| {
        let table = matches!(link.target, LinkTarget::Table(_)) && link.how <= Match::Part;
        table && is_of(link, &sides.others)
    });
    let mut said = Beside::Unnamed;
    for link in links {
        let before = words(question.get(..link.span.start).unwrap_or_default());
        let mut near = before.iter().rev().take(WITHIN);
        if near.any(|word| CUES.contains(&word.as_str())) {
            return Beside::Counted;
        }
        if is_of(link, &owner) {
            said = Beside::Named;
        }
    }
    said
}

/// Tells whether a word of the question begins as a table's name does: "rented", and `rental`; but
/// for words that name another table or its columns.
fn is_alluded(look: &Before<'_>, sides: &Sides<'_>) -> bool {
    let begins = |names: &[&str], word: &str| {
        let parts = names.iter().flat_map(|name| name.split(|c: char| !c.is_alphanumeric()));
        parts
            .filter_map(|part| part.get(..BEGINNING))
            .any(|head| word.get(..BEGINNING).is_some_and(|start| start.eq_ignore_ascii_case(head)))
    };
    let links = look.understanding.map(|known| known.links.as_slice()).unwrap_or_default();
    let sure = links.iter().filter(|link| link.how <= Match::Stem && is_of(link, &sides.others));
    // one word alone may mean both: "followers" is a column here, and speaks of `follows`
    let phrases = sure.map(|link| words(&link.words)).filter(|words| words.len() > 1);
    let known: Vec<String> = phrases.flatten().collect();
    let asked = look.question.map(words).unwrap_or_default();
    let free = asked.iter().filter(|word| !known.contains(word));
    free.into_iter().any(|word| begins(&sides.branch, word) && !begins(&sides.others, word))
}
