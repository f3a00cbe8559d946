//! Words of the question that are stored values: where they are stored, and how they are spelled.

use crate::domain::{ColumnKind, ColumnRef, Link, LinkTarget, Match, Privacy, ValueList};
use crate::render::{looks_like_date, marked};
use crate::search::written::say_yes_and_no;

use super::looked_up;
use super::notes::{stats_of, values_of};
use super::scene::{Scene, same};
use super::secrets::has_secret_shape;
use super::words;

/// Most values that are told, and most of one place of the question.
const MOST_VALUES: usize = 16;
const MOST_VALUES_AT_ONE_PLACE: usize = 5;

/// A word of the question that is a stored value.
struct Grounded<'a> {
    words: &'a str,
    stored: &'a str,
    at: &'a ColumnRef,
    how: Match,
    /// What is known of the column's values: whether they are all listed.
    known: String,
    /// Whether the stored spelling may leave.
    spelled: bool,
    /// What the column holds.
    kind: ColumnKind,
}

impl Grounded<'_> {
    fn sentence(&self) -> String {
        let words = marked::line(self.words, marked::VALUE_LENGTH);
        let told = match (self.spelled, self.words == self.stored) {
            (true, true) => format!("{} is a value of {}", self.literal(), self.at),
            (true, false) if is_moment(self.stored) && !self.words.contains(':') => format!(
                "\"{words}\" is a day of {}, which holds times such as {}: compare a range",
                self.at,
                self.literal()
            ),
            (true, false) if self.how == Match::Part => {
                format!("\"{words}\" is a part of {}, a value of {}", self.literal(), self.at)
            }
            (true, false) => {
                format!("\"{words}\" is stored as {} in {}", self.literal(), self.at)
            }
            (false, _) => format!("\"{words}\" is a value of {}", self.at),
        };
        // others may fit as well
        let partial = self.spelled
            && self.known.starts_with("list not complete:")
            && !self.known.ends_with("all rows read");
        if partial {
            format!("{told}; not all of its values were looked at.")
        } else {
            format!("{told}.")
        }
    }

    /// Tells whether this stands for yes, and the other, of the same word and column, for no.
    fn is_answered_with(&self, no: &Grounded<'_>) -> bool {
        self.at == no.at
            && self.words == no.words
            && self.how == Match::Synonym
            && say_yes_and_no(self.stored, no.stored)
    }

    fn answer(&self, no: &Grounded<'_>) -> String {
        let words = marked::line(self.words, marked::VALUE_LENGTH);
        if !self.spelled {
            return format!("{} says whether \"{words}\".", self.at);
        }
        format!(
            "{} says whether \"{words}\": {} for yes, {} for no.",
            self.at,
            self.literal(),
            no.literal()
        )
    }

    /// Writes `'stored' → table.column (how, list complete)`, or only what may leave of it.
    fn line(&self) -> String {
        let how = match self.how {
            Match::Exact => "exact",
            Match::Case => "case",
            Match::Stem => "stem",
            Match::Synonym => "synonym",
            Match::Part => "part",
            Match::Description => "description",
            Match::Typo => "typo",
        };
        if !self.spelled {
            let words = marked::line(self.words, marked::VALUE_LENGTH);
            return format!("\"{words}\" → {} ({how})", self.at);
        }
        format!("{} → {} ({how}, {})", self.literal(), self.at, self.known)
    }

    fn literal(&self) -> String {
        literal(self.stored, self.kind)
    }
}

/// Lists what literals of the question are tied to, in order of the question.
pub(super) fn lines(scene: &Scene<'_>) -> Vec<String> {
    let found = grounded(scene);
    found.iter().map(Grounded::line).chain(looked_up::lines(scene)).collect()
}

/// Tells whether a stored text is a day with a time of the day.
fn is_moment(stored: &str) -> bool {
    looks_like_date(stored) && stored.len() > "2024-01-31".len()
}

/// Writes a stored value as SQL does: numbers of a column of numbers stand bare.
pub(super) fn literal(stored: &str, kind: ColumnKind) -> String {
    if kind.is_number() && stored.parse::<f64>().is_ok_and(f64::is_finite) {
        return marked::line(stored, marked::VALUE_LENGTH);
    }
    marked::quoted(stored)
}

/// Writes what literals of the question are tied to, as sentences of the schema's notes.
pub(super) fn sentences(scene: &Scene<'_>) -> Vec<String> {
    let found = grounded(scene);
    let mut sentences = Vec::new();
    let mut rest = found.iter().peekable();
    while let Some(one) = rest.next() {
        // both answers of a column that says yes or no are one fact
        match rest.next_if(|next| one.is_answered_with(next)) {
            Some(no) => sentences.push(one.answer(no)),
            None => sentences.push(one.sentence()),
        }
    }
    sentences
}

fn grounded<'a>(scene: &'a Scene<'_>) -> Vec<Grounded<'a>> {
    let mut found: Vec<(&Link, Grounded<'_>)> = Vec::new();
    for link in by_place(scene) {
        let LinkTarget::Value { column, stored } = &link.target else { continue };
        let here = found.iter().filter(|(other, _)| other.span == link.span).count();
        let Some(table) = scene.table(&column.table) else { continue };
        // a part of a value, told without the value, would pass for one; where the words name
        // something of the schema, a value that holds them too is no answer to them
        let alone = link.how == Match::Part
            && (scene.privacy != Privacy::Rows || names_of_schema(scene, link));
        if scene.withheld.hides_data(column)
            || alone
            || has_secret_shape(stored)
            || here >= MOST_VALUES_AT_ONE_PLACE
            || found.len() >= MOST_VALUES
        {
            continue;
        }
        let known = if looked_up::is_found(scene, column, stored) {
            "looked up".to_owned()
        } else {
            completeness(scene, column, stored)
        };
        let spelled = scene.privacy == Privacy::Rows;
        let (words, how) = (link.words.as_str(), link.how);
        let kind = table.column(&column.column).map(|column| column.kind).unwrap_or_default();
        found.push((link, Grounded { words, stored, at: column, how, known, spelled, kind }));
    }
    found.into_iter().map(|(_, grounded)| grounded).collect()
}

/// Tells whether the words of a link stand in the name of a table or column that is in question.
fn names_of_schema(scene: &Scene<'_>, link: &Link) -> bool {
    let covers = |other: &&Link| {
        other.span.start <= link.span.start
            && link.span.end <= other.span.end
            && matches!(other.target, LinkTarget::Table(_) | LinkTarget::Column(_))
    };
    let said = words::stems(&link.words);
    scene.request.understanding.links.iter().any(|other| covers(&other))
        || (!said.is_empty()
            && scene.related.keys().any(|at| {
                let name = words::stems(&at.column);
                said.iter().all(|word| name.contains(word))
            }))
}

/// Says whether all values of a column are known: listed, or counted where there are few.
fn completeness(scene: &Scene<'_>, at: &ColumnRef, stored: &str) -> String {
    let listed = values_of(scene, at).map(ValueList::completeness);
    listed.unwrap_or_else(|| {
        let counted = stats_of(scene, at).is_some_and(|stats| {
            stats.complete
                && u64::try_from(stats.top.len()) == Ok(stats.distinct)
                && stats.top.iter().any(|(value, _)| value.plain() == stored)
        });
        if counted { "list complete" } else { "list not complete" }.to_owned()
    })
}

/// Lists links in the order of the question, then hints; of one place the values of whole lists
/// come first, and among those the values of the tables it is about.
fn by_place<'a>(scene: &'a Scene<'_>) -> Vec<&'a Link> {
    let understanding = scene.request.understanding;
    let mut links: Vec<&Link> = understanding.links.iter().collect();
    let about = scene.told_about();
    let rank = |link: &&Link| match &link.target {
        LinkTarget::Value { column, .. } => {
            let whole = values_of(scene, column).is_some_and(|list| list.complete);
            (!whole, !about.iter().any(|table| same(table, &column.table)))
        }
        LinkTarget::Table(_) | LinkTarget::Column(_) | LinkTarget::Metric(_) => (false, false),
    };
    links.sort_by_cached_key(|link| (link.span.start, link.span.end, rank(link)));
    links.into_iter().chain(&understanding.hints).collect()
}
