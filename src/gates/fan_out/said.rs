//! Whether the question speaks of a table, so that its rows may be what is counted.

use crate::domain::{Link, LinkTarget, Match};
use crate::sql::scope::Scope;

use super::super::Before;
use super::super::look::words;
use super::joined::{At, Branch, tables};

/// Letters by which a word alludes to a name.
const BEGINNING: usize = 4;

/// Words before a noun among which one says that it is counted.
const WITHIN: usize = 5;

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
    fn of(look: &Before<'a>, scope: &'a Scope, branch: &Branch) -> Self {
        let side = |inside: bool| {
            let relations = scope.relations.iter().enumerate();
            let kept = relations.filter(|(at, _)| branch.relations.contains(at) == inside);
            kept.flat_map(|(_, relation)| tables(look, relation)).collect()
        };
        Sides { branch: side(true), others: side(false) }
    }
}

/// Tells whether the question has no word of its own for the tables of a branch: words that name
/// another table of the query as well name that one.
pub(super) fn unsaid(look: &Before<'_>, at: At, branch: &Branch) -> bool {
    let Some(scope) = look.binding.scopes.get(at.scope) else { return false };
    let sides = Sides::of(look, scope, branch);
    let Some(understanding) = look.understanding.filter(|_| look.question.is_some()) else {
        return false;
    };
    let of = |link: &Link, tables: &[&str]| match &link.target {
        LinkTarget::Table(name) => tables.contains(&name.as_str()),
        LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
            tables.contains(&at.table.as_str())
        }
        LinkTarget::Metric(_) => false,
    };
    let said = |link: &&Link| {
        let rival = understanding.links.iter().any(|other| {
            let over = other.span.start < link.span.end && link.span.start < other.span.end;
            over && of(other, &sides.others) && other.score >= link.score
        });
        let column = !matches!(link.target, LinkTarget::Table(_));
        let weak = column && link.how > Match::Stem;
        of(link, &sides.branch) && !rival && !weak
    };
    !understanding.links.iter().any(|link| said(&link)) && !is_alluded(look, &sides)
}

/// Tells whether the question counts a table beside a branch by its name: "how many singers".
pub(super) fn is_counted(look: &Before<'_>, at: At, branch: &Branch) -> bool {
    let scope = look.binding.scopes.get(at.scope);
    let (Some(question), Some(understanding), Some(scope)) =
        (look.question, look.understanding, scope)
    else {
        return false;
    };
    let sides = Sides::of(look, scope, branch);
    understanding.links.iter().any(|link| {
        let named =
            matches!(&link.target, LinkTarget::Table(name) if sides.others.contains(&&**name));
        let before = words(question.get(..link.span.start).unwrap_or_default());
        let mut near = before.iter().rev().take(WITHIN);
        named && link.how <= Match::Part && near.any(|word| CUES.contains(&word.as_str()))
    })
}

/// Tells whether a word of the question begins as a table's name does: "rented", and `rental`.
fn is_alluded(look: &Before<'_>, sides: &Sides<'_>) -> bool {
    let begins = |names: &[&str], word: &str| {
        let parts = names.iter().flat_map(|name| name.split(|c: char| !c.is_alphanumeric()));
        parts
            .filter_map(|part| part.get(..BEGINNING))
            .any(|head| word.get(..BEGINNING).is_some_and(|start| start.eq_ignore_ascii_case(head)))
    };
    let asked = look.question.map(words).unwrap_or_default();
    asked.iter().any(|word| begins(&sides.branch, word) && !begins(&sides.others, word))
}
