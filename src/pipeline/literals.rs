//! Literals of a question that lists of stored values leave open: chosen here, looked up in the
//! data, and kept while the database stays as it is.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::context::looks_secret;
use crate::database::{Database, Look, LookUp, Looked, Wanted};
use crate::domain::event::Probed;
use crate::domain::schema::TableKind;
use crate::domain::{
    ColumnKind, ColumnRef, Facts, LinkTarget, LookedUp, Match, Span, Table, Understanding,
};
use crate::search::dates::{self, Day, Reading};
use crate::search::english::is_filler;
use crate::search::{Token, TokenKind, tokenise};

use super::questions;

/// Literals looked up for one question at most.
const MOST_LITERALS: usize = 4;
/// Tables whose columns may hold them at most.
const MOST_TABLES: usize = 6;
/// Columns looked at for one literal at most.
const MOST_COLUMNS: usize = 12;
/// Time for all look-ups of one question.
const WITHIN: Duration = Duration::from_millis(400);
/// Answers kept at most; then all are forgotten.
const MOST_KEPT: usize = 200;

/// A text of the question that may be stored in some columns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Literal {
    /// The words of the question.
    words: String,
    days: Vec<Day>,
    columns: Vec<ColumnRef>,
}

/// What was looked up of one literal.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) looked_up: LookedUp,
    pub(super) probes: Vec<Probed>,
}

/// Answers of this moment of the database; locked only to look up or add.
#[derive(Debug, Default)]
pub(super) struct Answers(Mutex<(u64, BTreeMap<Literal, Answer>)>);

impl Answers {
    /// Looks literals up, those that are not known yet; trouble finds nothing.
    pub(super) async fn of(&self, database: &dyn Database, wanted: &[Literal]) -> Vec<Answer> {
        let generation = database.generation();
        let mut answers = Vec::new();
        for literal in wanted {
            if let Some(known) = self.known(generation, literal) {
                answers.push(known);
                continue;
            }
            let Ok(looked) = database.look_up(&literal.look_ups(), WITHIN).await else { continue };
            let answer = literal.answer(looked);
            if answer.looked_up.unsettled.is_empty() {
                self.keep(generation, literal, &answer);
            }
            answers.push(answer);
        }
        answers
    }

    fn known(&self, generation: u64, literal: &Literal) -> Option<Answer> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.1.get(literal).filter(|_| kept.0 == generation).cloned()
    }

    fn keep(&self, generation: u64, literal: &Literal, answer: &Answer) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 != generation || kept.1.len() >= MOST_KEPT {
            *kept = (generation, BTreeMap::new());
        }
        kept.1.insert(literal.clone(), answer.clone());
    }
}

impl Literal {
    fn look_ups(&self) -> Vec<LookUp> {
        let of = |at: &ColumnRef| {
            let text = || vec![Wanted::Text(self.words.clone())];
            let day = |day: &Day| Wanted::Day { from: day.iso(), before: day.next().iso() };
            let wanted =
                if self.days.is_empty() { text() } else { self.days.iter().map(day).collect() };
            wanted.into_iter().map(|what| LookUp { at: at.clone(), what }).collect::<Vec<_>>()
        };
        self.columns.iter().flat_map(of).collect()
    }

    fn answer(&self, looked: Vec<Looked>) -> Answer {
        let mut looked_up = LookedUp {
            words: self.words.clone(),
            found: Vec::new(),
            lacking: Vec::new(),
            unsettled: Vec::new(),
        };
        let mut probes = Vec::new();
        for Looked { at, sql, found } in looked {
            let words = match &found {
                Look::Stored(stored) => format!("stored as '{stored}'"),
                Look::Lacking => "not stored".to_owned(),
                Look::Unsettled => "not found in the rows that could be read in time".to_owned(),
            };
            let purpose = format!("whether {at} holds \"{}\"", self.words);
            probes.push(Probed { purpose, sql, found: words });
            match found {
                Look::Stored(stored) => looked_up.found.push((at, stored)),
                Look::Lacking if !looked_up.lacking.contains(&at) => looked_up.lacking.push(at),
                Look::Unsettled if !looked_up.unsettled.contains(&at) => {
                    looked_up.unsettled.push(at);
                }
                Look::Lacking | Look::Unsettled => {}
            }
        }
        // of two readings of a day one may be stored
        let found = |at: &ColumnRef| looked_up.found.iter().any(|(column, _)| column == at);
        looked_up.lacking = looked_up.lacking.iter().filter(|at| !found(at)).cloned().collect();
        Answer { looked_up, probes }
    }

    /// Tells whether what is found shall be linked: a day is told, for it may be a bound.
    pub(super) fn is_text(&self) -> bool {
        self.days.is_empty()
    }
}

/// Says of what was not found where it was looked for; for the person and the model.
pub(super) fn warning(looked_up: &LookedUp) -> Option<String> {
    if !looked_up.found.is_empty() {
        return None;
    }
    let named = |columns: &[ColumnRef]| {
        let names: Vec<String> = columns.iter().take(3).map(ColumnRef::to_string).collect();
        let more = columns.len().saturating_sub(names.len());
        names.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
    };
    let words = &looked_up.words;
    match (looked_up.lacking.as_slice(), looked_up.unsettled.as_slice()) {
        ([], []) => None,
        (lacking, []) => {
            Some(format!("\"{words}\" was looked up: not stored in {}.", named(lacking)))
        }
        (_, unsettled) => Some(format!(
            "\"{words}\" was looked up and not found, but not all rows of {} could be read in time.",
            named(unsettled)
        )),
    }
}

/// Lists the literals of a question that no value of the index settles, with the columns that may
/// hold them because their lists are cut off, or of the past.
pub(super) fn open(
    text: &str,
    understanding: &Understanding,
    facts: &Facts,
    fresh: bool,
) -> Vec<Literal> {
    let tokens = tokenise(text);
    let days = dates::find(&tokens);
    let texts = texts(text, &tokens, &days, understanding);
    if texts.is_empty() && days.is_empty() {
        return Vec::new();
    }
    let tables = tables(understanding, facts);
    let columns = cut_off(&tables, facts, fresh);
    let mut literals = Vec::new();
    for words in texts {
        literals.push(Literal { words, days: Vec::new(), columns: columns.clone() });
    }
    for (span, reading) in days {
        let words = span.of(text).to_owned();
        literals.push(Literal {
            words,
            days: Reading::days(reading),
            columns: dated(&tables, facts),
        });
    }
    literals.retain(|literal| !literal.columns.is_empty());
    literals.truncate(MOST_LITERALS);
    literals
}

/// Texts that read like values: quoted ones, and names in capitals within the sentence.
fn texts(
    text: &str,
    tokens: &[Token],
    days: &[(Span, Reading)],
    understanding: &Understanding,
) -> Vec<String> {
    let in_day = |t: &Token| days.iter().any(|(day, _)| overlaps(*day, t.span));
    let name =
        |t: &Token| t.kind == TokenKind::Word && t.capital() && !is_filler(&t.lower) && !in_day(t);
    let mut texts = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let mut span = token.span;
        if token.kind == TokenKind::Quoted {
            if !is_settled(span, understanding, true) {
                texts.push(token.text.clone());
            }
            continue;
        }
        // the first word of a sentence has its capital for another reason
        if at == 1 || !name(token) {
            continue;
        }
        while let Some(next) = tokens.get(at).filter(|t| name(t) || is_number(t, in_day(t))) {
            span.end = next.span.end;
            at += 1;
        }
        if !is_settled(span, understanding, false) {
            texts.push(span.of(text).trim_end_matches("'s").to_owned());
        }
    }
    texts.dedup();
    texts
}

fn is_number(token: &Token, in_day: bool) -> bool {
    token.kind == TokenKind::Number && !in_day
}

fn overlaps(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// Tells whether words are known: as a stored value, or, unless quoted, as a name of the schema.
fn is_settled(span: Span, understanding: &Understanding, quoted: bool) -> bool {
    understanding.links.iter().any(|link| {
        let covers = link.span.start <= span.start && span.end <= link.span.end;
        let sure = match &link.target {
            LinkTarget::Value { .. } => !matches!(link.how, Match::Part | Match::Typo),
            LinkTarget::Table(_) | LinkTarget::Column(_) | LinkTarget::Metric(_) => {
                !quoted && link.how < Match::Part
            }
        };
        covers && sure
    })
}

/// Tables that a literal may be about: linked ones, or all of a small schema.
fn tables<'a>(understanding: &Understanding, facts: &'a Facts) -> Vec<&'a Table> {
    let named = questions::wanted(Some(understanding), &facts.catalog);
    let found = named.iter().filter_map(|name| facts.catalog.table(name));
    found.filter(|table| table.kind == TableKind::Table).take(MOST_TABLES).collect()
}

/// Columns of texts whose list may lack a value that is stored.
fn cut_off(tables: &[&Table], facts: &Facts, fresh: bool) -> Vec<ColumnRef> {
    let text = |kind| matches!(kind, ColumnKind::Text | ColumnKind::Unknown);
    let whole = |at: &ColumnRef| facts.values_of(at).is_some_and(|list| list.complete);
    columns(tables, facts, text, |at| !fresh || !whole(at))
}

fn dated(tables: &[&Table], facts: &Facts) -> Vec<ColumnRef> {
    columns(tables, facts, |kind| kind == ColumnKind::Date, |_| true)
}

fn columns(
    tables: &[&Table],
    facts: &Facts,
    kind: impl Fn(ColumnKind) -> bool,
    wanted: impl Fn(&ColumnRef) -> bool,
) -> Vec<ColumnRef> {
    let mut found = Vec::new();
    for table in tables {
        for column in table.columns.iter().filter(|column| kind(column.kind)) {
            let at = ColumnRef::new(&table.name, &column.name);
            // what may never leave is not looked for
            let kept_here = looks_secret(&at) || facts.knowledge.deny.contains(&at);
            if !kept_here && wanted(&at) {
                found.push(at);
            }
        }
    }
    found.truncate(MOST_COLUMNS);
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{Catalog, Column, Question, ValueList};
    use crate::intake;

    fn facts(complete: bool) -> Facts {
        let column = |(name, kind): (&str, ColumnKind)| Column {
            name: name.to_owned(),
            kind,
            ..Column::default()
        };
        let columns = [
            ("id", ColumnKind::Integer),
            ("city", ColumnKind::Text),
            ("password", ColumnKind::Text),
            ("placed_on", ColumnKind::Date),
        ];
        let columns = columns.map(column).to_vec();
        let table = Table { name: "orders".to_owned(), columns, ..Table::default() };
        let list = ValueList {
            at: ColumnRef::new("orders", "city"),
            values: vec!["Berlin".to_owned()].into(),
            complete,
            ..ValueList::default()
        };
        let catalog = Catalog { tables: vec![table], ..Catalog::default() };
        Facts { catalog: Arc::new(catalog), values: Arc::new(vec![list]), ..Facts::default() }
    }

    /// Writes what is open: `words: columns`.
    fn told(text: &str, complete: bool, fresh: bool) -> Vec<String> {
        let facts = facts(complete);
        let question = Question { text: text.to_owned(), ..Question::default() };
        let understanding = intake::understand(&question, &facts);
        let open = open(text, &understanding, &facts, fresh);
        let one = |literal: &Literal| {
            let columns: Vec<&str> = literal.columns.iter().map(|c| c.column.as_str()).collect();
            format!("{}: {}", literal.words, columns.join(", "))
        };
        open.iter().map(one).collect()
    }

    #[test]
    fn a_name_is_looked_up_where_the_list_is_cut_off_and_never_in_secrets() {
        assert_eq!(told("Which orders went to Santa Cruz?", false, true), ["Santa Cruz: city"]);
        assert_eq!(told("orders from 'tromsø'", false, true), ["tromsø: city"]);
        assert_eq!(told("Which orders went to Santa Cruz?", true, true), Vec::<String>::new());
        assert_eq!(
            told("Which orders went to Santa Cruz?", true, false),
            ["Santa Cruz: city"],
            "a list of the past may lack it"
        );
    }

    #[test]
    fn what_is_known_or_no_name_is_not_looked_up() {
        for text in ["orders of Berlin", "Show Orders", "all orders of the year"] {
            assert_eq!(told(text, false, true), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_day_is_looked_up_in_columns_of_dates() {
        assert_eq!(told("orders of May 1st 2014", true, true), ["May 1st 2014: placed_on"]);
    }

    #[test]
    fn what_was_not_found_is_said_with_its_place() {
        let at = ColumnRef::new("orders", "city");
        let mut looked = LookedUp {
            words: "Oslo".to_owned(),
            found: Vec::new(),
            lacking: vec![at.clone()],
            unsettled: Vec::new(),
        };
        let told = warning(&looked);
        assert_eq!(told.as_deref(), Some("\"Oslo\" was looked up: not stored in orders.city."));
        looked.unsettled.push(at.clone());
        assert!(warning(&looked).is_some_and(|w| w.contains("not all rows of orders.city")));
        looked.found.push((at, "Oslo".to_owned()));
        assert_eq!(warning(&looked), None);
    }
}
